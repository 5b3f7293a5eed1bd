// A world as ROS 2 nodes see it: poses, twists, wrenches, joint states, IMU, range, point clouds of sonars, tf and clock; and its
// inputs.
#define _POSIX_C_SOURCE 200809L
#include "connect/dds/dds_internal.h"
#include "hawser/hawser.h"
#include "hawser/sonar_cloud.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OBJECTS 256 // bodies, cables, inputs each; more have no topics of their own
#define MOST_JOINTS 256
#define MOST_BLOCKING DDS_MSECS(2) // a reader that does not keep up misses messages

typedef struct Body {
    hwBodyId id;
    char frame[HW_DDS_NAME];
    dds_entity_t pose, twist;
} Body;

typedef struct Cable {
    hwCableId id;
    dds_entity_t wrench[2];
} Cable;

typedef struct Vehicle {
    hwVehicleId id;
    char frame[HW_DDS_NAME];
    dds_entity_t imu, range;
} Vehicle;

typedef struct Sonar {
    char frame[HW_DDS_NAME], parent[HW_DDS_NAME];
    dds_entity_t points;
} Sonar;

typedef struct Input {
    int index;
    dds_entity_t reader;
} Input;

struct hwRosTopics {
    dds_entity_t participant;
    char name[96];
    bool failed;
    int topicCount;
    int bodyCount, cableCount, vehicleCount, sonarCount, jointCount, winchCount, inputCount;
    Body* bodies;
    Cable* cables;
    Vehicle* vehicles;
    hwSonarClouds* clouds; // null: none
    Sonar* sonars;         // [cloud]
    hwBodyId* joints;
    hwWinchId* winches;
    Input* inputs;
    geometry_msgs_msg_dds__TransformStamped_* transforms; // of bodies, then of sonars
    char** jointNames;
    double *position, *velocity, *effort;
    dds_entity_t tf, jointStates, clock;
};

static dds_entity_t MakeTopic(hwRosTopics* ros, const dds_topic_descriptor_t* type, const char* name) {
    dds_entity_t topic = dds_create_topic(ros->participant, type, name, NULL, NULL);
    ros->topicCount += 1;
    if (topic < 0) ros->failed = true;
    return topic;
}

// Nodes of ROS ask for reliable messages unless told otherwise, and keep ten.
static dds_entity_t MakeWriter(hwRosTopics* ros, const dds_topic_descriptor_t* type, const char* name) {
    dds_entity_t topic = MakeTopic(ros, type, name);
    dds_qos_t* qos = dds_create_qos();
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, MOST_BLOCKING);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 10);
    dds_entity_t writer = topic > 0 ? dds_create_writer(ros->participant, topic, qos, NULL) : -1;
    dds_delete_qos(qos);
    if (writer < 0) ros->failed = true;
    return writer;
}

static void AddBodies(hwRosTopics* ros, const hwWorld* world) {
    hwBodyId ids[MOST_OBJECTS];
    int count = hwWorld_GetBodies(world, MOST_OBJECTS, ids);
    if (count > MOST_OBJECTS) count = MOST_OBJECTS;
    for (int i = 0; i < count; ++i) {
        Body* body = &ros->bodies[ros->bodyCount++];
        char topic[HW_DDS_NAME];
        const char* name = hwBody_GetName(world, ids[i]);
        body->id = ids[i];
        hwDds_MakeTopic(topic, ros->name, name, NULL);
        snprintf(body->frame, sizeof(body->frame), "%s", topic + 3); // without rt/
        hwDds_MakeTopic(topic, ros->name, name, "pose");
        body->pose = MakeWriter(ros, &geometry_msgs_msg_dds__PoseStamped__desc, topic);
        hwDds_MakeTopic(topic, ros->name, name, "twist");
        body->twist = MakeWriter(ros, &geometry_msgs_msg_dds__TwistStamped__desc, topic);
    }
}

static void AddCables(hwRosTopics* ros, const hwWorld* world) {
    hwCableId ids[MOST_OBJECTS];
    int count = hwWorld_GetCables(world, MOST_OBJECTS, ids);
    if (count > MOST_OBJECTS) count = MOST_OBJECTS;
    for (int i = 0; i < count; ++i) {
        Cable* cable = &ros->cables[ros->cableCount++];
        cable->id = ids[i];
        for (int end = 0; end < 2; ++end) {
            char topic[HW_DDS_NAME];
            hwDds_MakeTopic(topic, ros->name, hwCable_GetDef(world, ids[i])->name,
                            end == 0 ? "a/wrench" : "b/wrench");
            cable->wrench[end] = MakeWriter(ros, &geometry_msgs_msg_dds__WrenchStamped__desc, topic);
        }
    }
}

static void AddVehicles(hwRosTopics* ros, const hwWorld* world) {
    hwVehicleId ids[MOST_OBJECTS];
    int count = hwWorld_GetVehicles(world, MOST_OBJECTS, ids);
    if (count > MOST_OBJECTS) count = MOST_OBJECTS;
    for (int i = 0; i < count; ++i) {
        Vehicle* vehicle = &ros->vehicles[ros->vehicleCount++];
        char topic[HW_DDS_NAME];
        const char* name = hwBody_GetName(world, hwVehicle_GetBody(world, ids[i]));
        vehicle->id = ids[i];
        hwDds_MakeTopic(topic, ros->name, name, NULL);
        snprintf(vehicle->frame, sizeof(vehicle->frame), "%s", topic + 3);
        hwDds_MakeTopic(topic, ros->name, name, "imu");
        vehicle->imu = MakeWriter(ros, &sensor_msgs_msg_dds__Imu__desc, topic);
        hwDds_MakeTopic(topic, ros->name, name, "range");
        vehicle->range = MakeWriter(ros, &sensor_msgs_msg_dds__Range__desc, topic);
    }
}

static void AddSonars(hwRosTopics* ros) {
    for (int i = 0; i < ros->sonarCount; ++i) {
        Sonar* sonar = &ros->sonars[i];
        hwSonarCloud cloud = hwSonarClouds_Get(ros->clouds, i);
        char topic[HW_DDS_NAME];
        hwDds_MakeTopic(topic, ros->name, cloud.parent, NULL);
        snprintf(sonar->parent, sizeof(sonar->parent), "%s", topic + 3);
        hwDds_MakeTopic(topic, ros->name, cloud.name, NULL);
        snprintf(sonar->frame, sizeof(sonar->frame), "%s", topic + 3);
        hwDds_MakeTopic(topic, ros->name, cloud.name, "points");
        sonar->points = MakeWriter(ros, &sensor_msgs_msg_dds__PointCloud2__desc, topic);
    }
}

static void AddJoints(hwRosTopics* ros, const hwWorld* world) {
    hwMechanismId mechanisms[MOST_OBJECTS];
    int count = hwWorld_GetMechanisms(world, MOST_OBJECTS, mechanisms);
    if (count > MOST_OBJECTS) count = MOST_OBJECTS;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < hwMechanism_GetLinkCount(world, mechanisms[i]) && ros->jointCount < MOST_JOINTS;
             ++k) {
            hwBodyId link = hwMechanism_GetLink(world, mechanisms[i], k);
            hwJointState state;
            // joints of one freedom
            if (hwJoint_GetState(world, link, &state, NULL) >= HW_OK) ros->joints[ros->jointCount++] = link;
        }
    }
    hwWinchId winches[MOST_OBJECTS];
    count = hwWorld_GetWinches(world, MOST_OBJECTS, winches);
    if (count > MOST_OBJECTS) count = MOST_OBJECTS;
    for (int i = 0; i < count; ++i) ros->winches[ros->winchCount++] = winches[i];
    if (ros->jointCount + ros->winchCount == 0) return;
    char topic[HW_DDS_NAME];
    hwDds_MakeTopic(topic, ros->name, "joint_states", NULL);
    ros->jointStates = MakeWriter(ros, &sensor_msgs_msg_dds__JointState__desc, topic);
}

static void AddInputs(hwRosTopics* ros, const hwWorld* world) {
    int count = hwWorld_GetInputCount(world);
    if (count > MOST_OBJECTS) count = MOST_OBJECTS;
    for (int i = 0; i < count; ++i) {
        Input* input = &ros->inputs[ros->inputCount++];
        char topic[HW_DDS_NAME];
        hwDds_MakeTopic(topic, ros->name, hwWorld_GetInput(world, i).name, NULL);
        input->index = i;
        dds_entity_t entity = MakeTopic(ros, &std_msgs_msg_dds__Float64__desc, topic);
        // reliable or not, whoever sends
        input->reader = entity > 0 ? dds_create_reader(ros->participant, entity, NULL, NULL) : -1;
        if (input->reader < 0) ros->failed = true;
    }
}

hwRosTopics* hwCreateRosTopics(const hwScene* scene, hwWorld* world, dds_entity_t participant,
                               const char* name, bool clock, hwError* error) {
    hwRosTopics* ros = calloc(1, sizeof(*ros));
    bool good = ros != NULL;
    if (good) {
        ros->participant = participant;
        snprintf(ros->name, sizeof(ros->name), "%s", name);
        ros->bodies = calloc(MOST_OBJECTS, sizeof(*ros->bodies));
        ros->cables = calloc(MOST_OBJECTS, sizeof(*ros->cables));
        ros->vehicles = calloc(MOST_OBJECTS, sizeof(*ros->vehicles));
        ros->joints = calloc(MOST_JOINTS, sizeof(*ros->joints));
        ros->winches = calloc(MOST_OBJECTS, sizeof(*ros->winches));
        ros->inputs = calloc(MOST_OBJECTS, sizeof(*ros->inputs));
        ros->clouds = scene != NULL ? hwCreateSonarClouds(scene, world, NULL) : NULL;
        ros->sonarCount = ros->clouds != NULL ? hwSonarClouds_GetCount(ros->clouds) : 0;
        ros->sonars = calloc((size_t)ros->sonarCount + 1, sizeof(*ros->sonars));
        ros->transforms = calloc(MOST_OBJECTS + (size_t)ros->sonarCount, sizeof(*ros->transforms));
        ros->jointNames = calloc(MOST_JOINTS + MOST_OBJECTS, sizeof(*ros->jointNames));
        ros->position = calloc(MOST_JOINTS + MOST_OBJECTS, sizeof(double));
        ros->velocity = calloc(MOST_JOINTS + MOST_OBJECTS, sizeof(double));
        ros->effort = calloc(MOST_JOINTS + MOST_OBJECTS, sizeof(double));
        good = ros->bodies && ros->cables && ros->vehicles && ros->joints && ros->winches && ros->inputs &&
               ros->sonars && (ros->clouds || !scene) && ros->transforms && ros->jointNames &&
               ros->position && ros->velocity && ros->effort;
    }
    if (!good) {
        hwDestroyRosTopics(ros);
        hwDds_Fail(error, NULL, "there is not enough memory");
        return NULL;
    }
    AddBodies(ros, world);
    AddCables(ros, world);
    AddVehicles(ros, world);
    AddSonars(ros);
    AddJoints(ros, world);
    AddInputs(ros, world);
    if (ros->bodyCount > 0) ros->tf = MakeWriter(ros, &tf2_msgs_msg_dds__TFMessage__desc, "rt/tf");
    if (clock) ros->clock = MakeWriter(ros, &rosgraph_msgs_msg_dds__Clock__desc, "rt/clock");
    if (ros->failed) {
        hwDestroyRosTopics(ros);
        hwDds_Fail(error, "names of objects that differ in punctuation only give the same topic",
                   "--dds: cannot make the topics for ROS 2");
        return NULL;
    }
    return ros;
}

void hwDestroyRosTopics(hwRosTopics* ros) {
    if (ros == NULL) return;
    free(ros->bodies);
    free(ros->cables);
    free(ros->vehicles);
    hwDestroySonarClouds(ros->clouds);
    free(ros->sonars);
    free(ros->joints);
    free(ros->winches);
    free(ros->inputs);
    free(ros->transforms);
    free(ros->jointNames);
    free(ros->position);
    free(ros->velocity);
    free(ros->effort);
    free(ros);
}

int hwRosTopics_GetCount(const hwRosTopics* ros) {
    return ros->topicCount;
}

// Writing --------------------------------------------------------------------------------------------------------------------

static geometry_msgs_msg_dds__Vector3_ ToRos(hwVec3 v) {
    return (geometry_msgs_msg_dds__Vector3_){v.x, v.y, v.z};
}

static geometry_msgs_msg_dds__Quaternion_ ToRosQuat(hwQuat q) {
    return (geometry_msgs_msg_dds__Quaternion_){q.x, q.y, q.z, q.w};
}

static void WriteBodies(hwRosTopics* ros, const hwWorld* world, std_msgs_msg_dds__Header_ header) {
    for (int i = 0; i < ros->bodyCount; ++i) {
        hwBodyState s;
        if (hwBody_GetState(world, ros->bodies[i].id, &s, NULL) < HW_OK) continue;
        geometry_msgs_msg_dds__PoseStamped_ pose = {
            header, {{s.position.x, s.position.y, s.position.z}, ToRosQuat(s.attitude)}};
        geometry_msgs_msg_dds__TwistStamped_ twist = {
            header, {ToRos(s.velocity), ToRos(hwRotate(s.attitude, s.rate))}};
        dds_write(ros->bodies[i].pose, &pose);
        dds_write(ros->bodies[i].twist, &twist);
        ros->transforms[i] = (geometry_msgs_msg_dds__TransformStamped_){
            header, ros->bodies[i].frame, {ToRos(s.position), ToRosQuat(s.attitude)}};
    }
    for (int i = 0; i < ros->sonarCount; ++i) {
        hwPose mounting = hwSonarClouds_Get(ros->clouds, i).mounting;
        header.frame_id = ros->sonars[i].parent;
        ros->transforms[ros->bodyCount + i] = (geometry_msgs_msg_dds__TransformStamped_){
            header, ros->sonars[i].frame, {ToRos(mounting.p), ToRosQuat(mounting.q)}};
    }
    tf2_msgs_msg_dds__TFMessage_ tf;
    memset(&tf, 0, sizeof(tf));
    tf.transforms._length = tf.transforms._maximum = (uint32_t)(ros->bodyCount + ros->sonarCount);
    tf.transforms._buffer = ros->transforms;
    if (ros->bodyCount > 0) dds_write(ros->tf, &tf);
}

static void WriteVehicles(hwRosTopics* ros, const hwWorld* world, std_msgs_msg_dds__Header_ header) {
    double gravity = hwWorld_GetEnvironment(world)->gravity;
    for (int i = 0; i < ros->vehicleCount; ++i) {
        const Vehicle* vehicle = &ros->vehicles[i];
        hwBodyState s;
        hwVehicleState v;
        if (hwBody_GetState(world, hwVehicle_GetBody(world, vehicle->id), &s, NULL) < HW_OK ||
            hwVehicle_GetState(world, vehicle->id, &v, NULL) < HW_OK)
            continue;
        header.frame_id = (char*)vehicle->frame;
        // an accelerometer feels the acceleration and what holds it against gravity
        hwVec3 felt = hwAdd(s.acceleration, hwMakeVec3(0.0, 0.0, gravity));
        sensor_msgs_msg_dds__Imu_ imu = {.header = header,
                                         .orientation = ToRosQuat(s.attitude),
                                         .angular_velocity = ToRos(s.rate),
                                         .linear_acceleration = ToRos(hwInvRotate(s.attitude, felt))};
        dds_write(vehicle->imu, &imu);
        if (isnan(v.altitude)) continue;
        sensor_msgs_msg_dds__Range_ range = {.header = header,
                                             .radiation_type = 0, // ultrasound
                                             .max_range = (float)INFINITY,
                                             .range = (float)v.altitude};
        dds_write(vehicle->range, &range);
    }
}

// Pinged while somebody reads. A query: what is computed does not depend on it.
static void WriteClouds(hwRosTopics* ros, hwWorld* world, std_msgs_msg_dds__Header_ header) {
    static const char* const names[] = {"x", "y", "z", "intensity"};
    sensor_msgs_msg_dds__PointField_ fields[4];
    for (uint32_t i = 0; i < 4; ++i) // 7: FLOAT32
        fields[i] = (sensor_msgs_msg_dds__PointField_){(char*)(uintptr_t)names[i], 4 * i, 7, 1};
    for (int i = 0; i < ros->sonarCount; ++i) {
        dds_publication_matched_status_t readers;
        bool fresh = false;
        if (dds_get_publication_matched_status(ros->sonars[i].points, &readers) != DDS_RETCODE_OK ||
            readers.current_count == 0 || hwSonarClouds_Update(ros->clouds, i, world, &fresh, NULL) < HW_OK ||
            !fresh)
            continue;
        hwSonarCloud cloud = hwSonarClouds_Get(ros->clouds, i);
        header.frame_id = ros->sonars[i].frame;
        uint32_t count = (uint32_t)cloud.count, step = (uint32_t)sizeof(hwSonarPoint);
        sensor_msgs_msg_dds__PointCloud2_ out = {.header = header,
                                                 .height = 1, // one row: in no order
                                                 .width = count,
                                                 .point_step = step,
                                                 .row_step = count * step,
                                                 .is_dense = true}; // no point is not a number
        out.fields._length = out.fields._maximum = 4;
        out.fields._buffer = fields;
        out.data._length = out.data._maximum = count * step;
        out.data._buffer = (uint8_t*)(uintptr_t)cloud.points;
        dds_write(ros->sonars[i].points, &out);
    }
}

static void WriteJoints(hwRosTopics* ros, const hwWorld* world, std_msgs_msg_dds__Header_ header) {
    int n = 0;
    for (int i = 0; i < ros->jointCount; ++i) {
        hwJointState state;
        if (hwJoint_GetState(world, ros->joints[i], &state, NULL) < HW_OK) continue;
        ros->jointNames[n] = (char*)hwBody_GetName(world, ros->joints[i]);
        ros->position[n] = state.q;
        ros->velocity[n] = state.qd;
        ros->effort[n++] = state.effort;
    }
    for (int i = 0; i < ros->winchCount; ++i) {
        const hwWinchDef* def = hwWinch_GetDef(world, ros->winches[i]);
        hwCableView view;
        double rate, tension;
        if (def == NULL || hwWinch_GetState(world, ros->winches[i], &rate, &tension, NULL) < HW_OK ||
            hwCable_GetView(world, def->cable, &view, NULL) < HW_OK)
            continue;
        ros->jointNames[n] = (char*)def->name;
        ros->position[n] = view.length;
        ros->velocity[n] = rate;
        ros->effort[n++] = tension;
    }
    if (ros->jointStates <= 0) return;
    sensor_msgs_msg_dds__JointState_ out = {.header = header};
    out.name._length = out.name._maximum = (uint32_t)n;
    out.name._buffer = ros->jointNames;
    out.position._length = out.position._maximum = (uint32_t)n;
    out.position._buffer = ros->position;
    out.velocity._length = out.velocity._maximum = (uint32_t)n;
    out.velocity._buffer = ros->velocity;
    out.effort._length = out.effort._maximum = (uint32_t)n;
    out.effort._buffer = ros->effort;
    dds_write(ros->jointStates, &out);
}

void hwRosTopics_Write(hwRosTopics* ros, hwWorld* world) {
    std_msgs_msg_dds__Header_ header = {hwDds_GetStamp(hwWorld_GetTime(world)), (char*)"world"};
    WriteBodies(ros, world, header);
    for (int i = 0; i < ros->cableCount; ++i) {
        for (int end = 0; end < 2; ++end) {
            hwVec3 force, moment;
            if (hwCable_GetEndLoad(world, ros->cables[i].id, end, &force, &moment, NULL) < HW_OK) continue;
            geometry_msgs_msg_dds__WrenchStamped_ wrench = {header, {ToRos(force), ToRos(moment)}};
            dds_write(ros->cables[i].wrench[end], &wrench);
        }
    }
    WriteVehicles(ros, world, header);
    WriteClouds(ros, world, header);
    WriteJoints(ros, world, header);
    rosgraph_msgs_msg_dds__Clock_ clock = {header.stamp};
    if (ros->clock > 0) dds_write(ros->clock, &clock);
}

void hwRosTopics_ReadInputs(hwRosTopics* ros, const hwConnection* connection) {
    for (int i = 0; i < ros->inputCount; ++i) {
        void* sample[1] = {NULL};
        dds_sample_info_t info[1];
        int count = dds_take(ros->inputs[i].reader, sample, info, 1, 1);
        if (count <= 0) continue;
        double value = ((const std_msgs_msg_dds__Float64_*)sample[0])->data;
        if (info[0].valid_data && isfinite(value))
            connection->setInput(connection->context, ros->inputs[i].index, value);
        dds_return_loan(ros->inputs[i].reader, sample, count);
    }
}
