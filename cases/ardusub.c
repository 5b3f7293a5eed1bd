// What ArduSub is told of a vehicle's motion (north-east-down, forward-right-down, specific force), against poses worked by hand.
#include "cases/harness.h"
#include "connect/ned.h"
#include "hawser/vehicle_type.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GRAVITY 9.81
#define COS_30 0.86602540378443865

typedef struct Pose {
    const char* name;
    hwVec3 position, rpy, velocity, rate; // as set: x north, y west, z up; roll pitch yaw of the body's axes
    double north, east, down, roll, pitch, yaw; // by hand
    hwVec3 gyro, force; // rad/s and m/s2, forward-right-down, held up against its weight
} Pose;

static void CheckPose(hwCaseContext* context, const Pose* pose) {
    hwCaseRun run;
    hwCaseRun_Begin(&run, context, false, NULL, 0.0);
    hwEnvironmentDef air = hwDefaultEnvironmentDef();
    air.gravity = GRAVITY;
    if (!run.failed) run.failed = hwWorld_SetEnvironment(run.world, &air, &run.error) != HW_OK;
    hwVehicleDef def = hwDefaultVehicleDef();
    def.body.name = "rov";
    def.body.mass = 10.0;
    for (int k = 0; k < 3; ++k) def.body.inertia[k] = 1.0;
    def.body.position = pose->position;
    def.body.attitude = hwQuatFromRpy(pose->rpy.x, pose->rpy.y, pose->rpy.z);
    def.body.velocity = pose->velocity;
    def.body.rate = pose->rate;
    hwVehicleId vehicle = {0, 0};
    if (!run.failed) vehicle = hwWorld_AddVehicle(run.world, &def, &run.error);
    run.failed = run.failed || HW_IS_NULL(vehicle);
    hwCaseRun_Prepare(&run);
    hwNedState ned;
    memset(&ned, 0, sizeof(ned));
    if (!run.failed) {
        hwVec3 lift = hwMakeVec3(0.0, 0.0, GRAVITY * def.body.mass);
        run.failed = hwBody_ApplyWrench(run.world, hwVehicle_GetBody(run.world, vehicle), lift, hwVec3_zero,
                                        pose->position, HW_FRAME_WORLD, &run.error) != HW_OK ||
                     !hwNedState_Read(&ned, run.world, vehicle);
    }
    hwCaseRun_End(&run);
    const struct {
        const char* what;
        double exact, value;
    } rows[] = {{"north, m", pose->north, ned.position.x},
                {"east, m", pose->east, ned.position.y},
                {"down, m", pose->down, ned.position.z},
                {"roll, rad", pose->roll, ned.roll},
                {"pitch, rad", pose->pitch, ned.pitch},
                {"yaw, rad", pose->yaw, ned.yaw},
                {"gyro right, rad/s", pose->gyro.y, ned.rate.y},
                {"gyro down, rad/s", pose->gyro.z, ned.rate.z},
                {"felt forward, m/s2", pose->force.x, ned.specificForce.x},
                {"felt right, m/s2", pose->force.y, ned.specificForce.y},
                {"felt down, m/s2", pose->force.z, ned.specificForce.z}};
    // one row for each pose: the largest difference, of numbers that are all of order one to ten
    double worst = 0.0;
    const char* which = rows[0].what;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        double off = fabs(rows[i].value - rows[i].exact);
        if (!(off > worst)) continue;
        worst = off;
        which = rows[i].what;
    }
    char note[80];
    snprintf(note, sizeof(note), "largest of eleven numbers, in %s; rounding", which);
    hwCase_Check(context, HW_MADE_DIRECT, pose->name, 0.0, worst, 1e-9, note);
}

static void Conventions(hwCaseContext* context) {
    const double right = 0.5 * HW_PI, third = HW_PI / 6.0, g = GRAVITY;
    const Pose poses[] = {
        {.name = "level, bow north, 3 m north, 2 m west, 5 m down",
         .position = {3, 2, -5},
         .north = 3,
         .east = -2,
         .down = 5,
         .force = {0, 0, -g}},
        {.name = "bow east: clockwise seen from above",
         .rpy = {0, 0, -right},
         .yaw = right,
         .force = {0, 0, -g}},
        {.name = "bow 30 degrees up: forward feels half of what carries it",
         .rpy = {0, -third, 0},
         .pitch = third,
         .force = {0.5 * g, 0, -COS_30 * g}},
        {.name = "30 degrees to starboard: right feels minus a half",
         .rpy = {third, 0, 0},
         .roll = third,
         .force = {0, -0.5 * g, -COS_30 * g}},
        {.name = "turning about all axes",
         .rate = {0.1, 0.2, 0.3},
         .gyro = {0.1, -0.2, -0.3},
         .force = {0, 0, -g}},
    };
    for (size_t i = 0; i < sizeof(poses) / sizeof(poses[0]); ++i) CheckPose(context, &poses[i]);
}

const hwCase hwArduSubCases[] = {
    {"ardusub/conventions", "ArduPilot, SITL with JSON; poses worked by hand",
     "Position, attitude, rates and specific force as ArduSub is told them.", Conventions},
    {NULL, NULL, NULL, NULL},
};
