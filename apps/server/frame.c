#include "apps/server/frame.h"

#include "apps/server/arms.h"
#include "apps/server/frame_fields.h"

#include "hawser/instrument.h"
#include "hawser/mechanism.h"
#include "hawser/vehicle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x31465748u
#define TWO_PI (2.0 * HW_PI)
#define MOST_NODES 2000
#define NODES_AT_ONCE 16 // are read before it is seen whether there are more

// Positions of a body's channels among those read; -1: there is none.
typedef struct BodyMap {
    int position[3], attitude[3];
    int force[3], point[3];
    int foot[3];    // force on its feet
    hwVec3 footing; // m, the middle of the feet, in its frame
    bool moves;
} BodyMap;

enum { MOST_FIELDS = 64, MOST_VALUES = 8 };

typedef struct VehicleMap {
    int body; // among the bodies
    int fields[MOST_FIELDS][HW_FIELD_CHANNELS];
    int thrusterCount;
    int thrusters[HW_MAX_THRUSTERS][3]; // force, command, speed
    double angles[HW_MAX_THRUSTERS];
} VehicleMap;

typedef struct CableMap {
    char name[64];
    int nodeCount;
    int (*nodes)[4]; // x y z, contact
    int* tensions;   // [nodeCount - 1]
    int behind;      // first position behind those of nodes and elements
    int tensionA, tensionB, length, wrap;
    double lastLength;
    unsigned lastFlags;
} CableMap;

// An instrument: whether its last sample was good, its age, and what it shows.
typedef struct InstrumentMap {
    char name[64];
    hwInstrumentKind kind;
    int valueCount;
    int values[2 + MOST_VALUES];
} InstrumentMap;

// An arm of a vehicle: displacement of each joint, and its effort as a share of what it can give.
typedef struct ArmMap {
    int jointCount;
    int joints[ARMS_MOST_JOINTS][2];
} ArmMap;

struct hwWebFrameMap {
    int count, capacity;
    int* channels;
    bool failed;
    int bodyCount;
    BodyMap* bodies;
    int vehicleCount;
    VehicleMap* vehicles;
    int cableCount;
    CableMap* cables;
    int instrumentCount;
    InstrumentMap* instruments;
    int armCount; // of the first vehicle
    ArmMap arms[ARMS_MOST];
    uint16_t plotNumber;
    int plotCount;
    int plots[FRAME_MOST_PLOTS];
    int plotStart; // channels before it are the frame's own
    double lastTime;
};

// Channels -------------------------------------------------------------------------------------------------------------

static const char* GetWorldName(void* context, int channel) {
    return hwWorld_GetChannel(context, channel).name;
}

static int FindWorldChannel(void* context, const char* name) {
    return hwWorld_FindChannel(context, name);
}

hwWebChannelSource hwWebChannelSource_FromWorld(const hwWorld* world) {
    hwWebChannelSource source = {(void*)(uintptr_t)world, hwWorld_GetChannelCount(world), GetWorldName,
                                 FindWorldChannel};
    return source;
}

// Position of a channel among those read.
static int AddChannel(hwWebFrameMap* map, int channel) {
    if (channel < 0 || map->failed) return -1;
    if (map->count == map->capacity) {
        int capacity = map->capacity > 0 ? 2 * map->capacity : 256;
        int* channels = realloc(map->channels, (size_t)capacity * sizeof(*channels));
        if (channels == NULL) {
            map->failed = true;
            return -1;
        }
        map->channels = channels;
        map->capacity = capacity;
    }
    map->channels[map->count] = channel;
    return map->count++;
}

static int Find(hwWebFrameMap* map, const hwWebChannelSource* source, const char* object,
                const char* quantity) {
    char name[192];
    snprintf(name, sizeof(name), "%s.%s", object, quantity);
    return AddChannel(map, source->find(source->context, name));
}

static void FindVector(hwWebFrameMap* map, const hwWebChannelSource* source, const char* object,
                       const char* quantity, int out[3]) {
    static const char axes[3] = {'x', 'y', 'z'};
    for (int i = 0; i < 3; ++i) {
        char name[64];
        snprintf(name, sizeof(name), "%s.%c", quantity, axes[i]);
        out[i] = Find(map, source, object, name);
    }
}

// Building -------------------------------------------------------------------------------------------------------------

static void MapBodies(hwWebFrameMap* map, const hwWorld* world, const hwWebChannelSource* source) {
    static const char* const angles[3] = {"attitude.roll", "attitude.pitch", "attitude.yaw"};
    map->bodyCount = hwWorld_GetBodies(world, 0, NULL);
    hwBodyId* ids = calloc((size_t)map->bodyCount + 1, sizeof(*ids));
    map->bodies = calloc((size_t)map->bodyCount + 1, sizeof(*map->bodies));
    map->failed = map->failed || ids == NULL || map->bodies == NULL;
    if (map->failed) {
        free(ids);
        return;
    }
    hwWorld_GetBodies(world, map->bodyCount, ids);
    for (int i = 0; i < map->bodyCount; ++i) {
        BodyMap* body = &map->bodies[i];
        const char* name = hwBody_GetName(world, ids[i]);
        body->moves = hwBody_GetDef(world, ids[i])->motion != HW_MOTION_FIXED;
        for (int k = 0; k < 3; ++k) body->position[k] = body->attitude[k] = -1;
        if (body->moves) {
            FindVector(map, source, name, "position", body->position);
            for (int k = 0; k < 3; ++k) body->attitude[k] = Find(map, source, name, angles[k]);
        }
        FindVector(map, source, name, "contact.force", body->force);
        FindVector(map, source, name, "contact.point", body->point);
        FindVector(map, source, name, "foot.force", body->foot);
        const hwFootDef* feet = hwMechanism_GetFeet(world, ids[i]);
        for (int k = 0; feet != NULL && k < feet->count; ++k) {
            body->footing = hwAdd(body->footing, hwScale(1.0 / feet->count, feet->points[k]));
        }
    }
    free(ids);
}

static int FindBody(const hwWorld* world, hwBodyId wanted) {
    int count = hwWorld_GetBodies(world, 0, NULL), found = -1;
    hwBodyId* ids = calloc((size_t)count + 1, sizeof(*ids));
    if (ids == NULL) return -1;
    hwWorld_GetBodies(world, count, ids);
    for (int i = 0; i < count; ++i) {
        if (HW_SAME_ID(ids[i], wanted)) found = i;
    }
    free(ids);
    return found;
}

static void MapVehicles(hwWebFrameMap* map, const hwWorld* world, const hwWebChannelSource* source) {
    static const char* const parts[3] = {"force", "command", "speed"};
    map->vehicleCount = hwWorld_GetVehicles(world, 0, NULL);
    hwVehicleId* ids = calloc((size_t)map->vehicleCount + 1, sizeof(*ids));
    map->vehicles = calloc((size_t)map->vehicleCount + 1, sizeof(*map->vehicles));
    map->failed = map->failed || ids == NULL || map->vehicles == NULL;
    if (map->failed) {
        free(ids);
        return;
    }
    hwWorld_GetVehicles(world, map->vehicleCount, ids);
    for (int i = 0; i < map->vehicleCount; ++i) {
        VehicleMap* vehicle = &map->vehicles[i];
        const hwVehicleDef* def = hwVehicle_GetDef(world, ids[i]);
        const char* name = def->body.name;
        vehicle->body = FindBody(world, hwVehicle_GetBody(world, ids[i]));
        vehicle->thrusterCount = def->thrusterCount;
        for (int k = 0; k < hwVehicleFieldCount && k < MOST_FIELDS; ++k) {
            for (int c = 0; c < HW_FIELD_CHANNELS; ++c) {
                const char* channel = hwVehicleFields[k].channels[c];
                vehicle->fields[k][c] = channel != NULL ? Find(map, source, name, channel) : -1;
            }
        }
        for (int k = 0; k < vehicle->thrusterCount; ++k) {
            for (int p = 0; p < 3; ++p) {
                char quantity[48];
                snprintf(quantity, sizeof(quantity), "thruster[%d].%s", k, parts[p]);
                vehicle->thrusters[k][p] = Find(map, source, name, quantity);
            }
        }
    }
    free(ids);
}

static int CountNodes(const hwWebChannelSource* source, const char* name) {
    int count = 0;
    for (; count < MOST_NODES; ++count) {
        char channel[160];
        snprintf(channel, sizeof(channel), "%s.node[%d].position.x", name, count);
        if (source->find(source->context, channel) < 0) break;
    }
    return count;
}

static void MapCable(hwWebFrameMap* map, const hwWebChannelSource* source, CableMap* cable) {
    cable->nodeCount = CountNodes(source, cable->name);
    cable->nodes = calloc((size_t)cable->nodeCount + 1, sizeof(*cable->nodes));
    cable->tensions = calloc((size_t)cable->nodeCount + 1, sizeof(*cable->tensions));
    map->failed = map->failed || cable->nodes == NULL || cable->tensions == NULL;
    for (int i = 0; !map->failed && i < cable->nodeCount; ++i) {
        char quantity[48];
        snprintf(quantity, sizeof(quantity), "node[%d].position", i);
        FindVector(map, source, cable->name, quantity, cable->nodes[i]);
        snprintf(quantity, sizeof(quantity), "node[%d].contact", i);
        cable->nodes[i][3] = Find(map, source, cable->name, quantity);
        snprintf(quantity, sizeof(quantity), "element[%d].tension", i);
        cable->tensions[i] = Find(map, source, cable->name, quantity);
    }
    cable->behind = map->count;
    cable->tensionA = Find(map, source, cable->name, "a.tension");
    cable->tensionB = Find(map, source, cable->name, "b.tension");
    cable->length = Find(map, source, cable->name, "length");
    cable->wrap = Find(map, source, cable->name, "wrap");
    cable->lastLength = (double)NAN;
}

// A cable is what has a node 0.
static void MapCables(hwWebFrameMap* map, const hwWebChannelSource* source) {
    static const char mark[] = ".node[0].position.x";
    for (int pass = 0; pass < 2; ++pass) {
        int count = 0;
        for (int i = 0; i < source->count; ++i) {
            const char* name = source->getName(source->context, i);
            const char* at = strstr(name, mark);
            if (at == NULL || at[sizeof(mark) - 1] != 0 || (size_t)(at - name) >= sizeof(map->cables->name))
                continue;
            if (pass == 1) {
                memcpy(map->cables[count].name, name, (size_t)(at - name));
                MapCable(map, source, &map->cables[count]);
            }
            count += 1;
        }
        if (pass == 0) {
            map->cables = calloc((size_t)count + 1, sizeof(*map->cables));
            if (map->cables == NULL) {
                map->failed = true;
                return;
            }
            map->cableCount = count;
        }
    }
}

// Those whose values are among the channels; recordings may have left some out.
static void MapInstruments(hwWebFrameMap* map, const hwWorld* world, const hwWebChannelSource* source) {
    int count = hwWorld_GetInstruments(world, 0, NULL);
    hwInstrumentId* ids = calloc((size_t)count + 1, sizeof(*ids));
    map->instruments = calloc((size_t)count + 1, sizeof(*map->instruments));
    map->failed = map->failed || ids == NULL || map->instruments == NULL;
    if (!map->failed) hwWorld_GetInstruments(world, count, ids);
    for (int i = 0; !map->failed && i < count; ++i) {
        const hwInstrumentDef* def = hwInstrument_GetDef(world, ids[i]);
        InstrumentMap* instrument = &map->instruments[map->instrumentCount];
        snprintf(instrument->name, sizeof(instrument->name), "%s", def->name);
        instrument->kind = def->kind;
        instrument->values[0] = Find(map, source, def->name, "valid");
        if (instrument->values[0] < 0) continue;
        instrument->values[1] = Find(map, source, def->name, "age");
        for (int k = 0; k < MOST_VALUES && hwInstrumentKind_GetValue(def->kind, k) != NULL; ++k) {
            instrument->values[2 + k] = Find(map, source, def->name, hwInstrumentKind_GetValue(def->kind, k));
            instrument->valueCount = k + 1;
        }
        map->instrumentCount += 1;
    }
    free(ids);
}

static void MapArms(hwWebFrameMap* map, const hwWorld* world, const hwWebChannelSource* source) {
    hwVehicleId vehicle;
    hwWebArm arms[ARMS_MOST];
    if (hwWorld_GetVehicles(world, 1, &vehicle) == 0) return;
    map->armCount = hwWebArms_List(world, hwVehicle_GetDef(world, vehicle)->body.name, arms);
    for (int i = 0; i < map->armCount; ++i) {
        map->arms[i].jointCount = arms[i].jointCount;
        for (int k = 0; k < arms[i].jointCount; ++k) {
            char name[176];
            snprintf(name, sizeof(name), "%.95s.%.63s", arms[i].name, arms[i].joints[k].name);
            map->arms[i].joints[k][0] = Find(map, source, name, "q");
            map->arms[i].joints[k][1] = Find(map, source, name, "effort.use");
        }
    }
}

hwWebFrameMap* hwWebFrameMap_Create(const hwWorld* world, const hwWebChannelSource* source) {
    hwWebFrameMap* map = calloc(1, sizeof(*map));
    if (map == NULL) return NULL;
    MapBodies(map, world, source);
    if (!map->failed) MapVehicles(map, world, source);
    if (!map->failed) MapCables(map, source);
    if (!map->failed) MapInstruments(map, world, source);
    if (!map->failed) MapArms(map, world, source);
    map->plotStart = map->count;
    map->lastTime = (double)NAN;
    if (!map->failed) return map;
    hwWebFrameMap_Free(map);
    return NULL;
}

void hwWebFrameMap_Free(hwWebFrameMap* map) {
    if (map == NULL) return;
    for (int i = 0; map->cables != NULL && i < map->cableCount; ++i) {
        free(map->cables[i].nodes);
        free(map->cables[i].tensions);
    }
    free(map->cables);
    free(map->instruments);
    free(map->vehicles);
    free(map->bodies);
    free(map->channels);
    free(map);
}

int hwWebFrameMap_GetChannelCount(const hwWebFrameMap* map) {
    return map->count;
}

const int* hwWebFrameMap_GetChannels(const hwWebFrameMap* map) {
    return map->channels;
}

void hwWebFrameMap_SetPlot(hwWebFrameMap* map, uint16_t number, int count, const int* channels) {
    map->count = map->plotStart;
    map->plotNumber = number;
    map->plotCount = count < FRAME_MOST_PLOTS ? count : FRAME_MOST_PLOTS;
    for (int i = 0; i < map->plotCount; ++i) map->plots[i] = AddChannel(map, channels[i]);
}

int hwWebFrameMap_GetCableCount(const hwWebFrameMap* map) {
    return map->cableCount;
}

const char* hwWebFrameMap_GetCableName(const hwWebFrameMap* map, int cable) {
    return map->cables[cable].name;
}

int hwWebFrameMap_GetInstrumentCount(const hwWebFrameMap* map) {
    return map->instrumentCount;
}

const char* hwWebFrameMap_GetInstrumentName(const hwWebFrameMap* map, int instrument) {
    return map->instruments[instrument].name;
}

hwInstrumentKind hwWebFrameMap_GetInstrumentKind(const hwWebFrameMap* map, int instrument) {
    return map->instruments[instrument].kind;
}

void hwWebFrameMap_HideInstruments(hwWebFrameMap* map) {
    map->instrumentCount = 0;
}

// Encoding -------------------------------------------------------------------------------------------------------------

typedef struct Out {
    uint8_t* bytes;
    size_t used, size;
    bool full;
} Out;

static void PutBytes(Out* out, uint64_t value, int count) {
    if (out->used + (size_t)count > out->size) {
        out->full = true;
        return;
    }
    for (int i = 0; i < count; ++i) out->bytes[out->used++] = (uint8_t)(value >> (8 * i));
}

static void PutFloat(Out* out, double value) {
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof(bits));
    PutBytes(out, bits, 4);
}

static void PutDouble(Out* out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    PutBytes(out, bits, 8);
}

// Begins a section; its length is filled in by EndSection.
static size_t BeginSection(Out* out, int kind, int object, int* sections) {
    PutBytes(out, (uint64_t)kind, 2);
    PutBytes(out, (uint64_t)object, 2);
    PutBytes(out, 0, 4);
    *sections += 1;
    return out->used;
}

static void EndSection(Out* out, size_t start) {
    while (out->used % 4 != 0) PutBytes(out, 0, 1);
    if (out->full) return;
    size_t length = out->used - start;
    for (int i = 0; i < 4; ++i) out->bytes[start - 4 + (size_t)i] = (uint8_t)(length >> (8 * i));
}

static double Get(const double* values, int position) {
    return position >= 0 ? values[position] : (double)NAN;
}

static void PutVector(Out* out, const double* values, const int positions[3]) {
    for (int i = 0; i < 3; ++i) PutFloat(out, Get(values, positions[i]));
}

static hwQuat GetAttitude(const double* values, const BodyMap* body) {
    double rpy[3];
    for (int i = 0; i < 3; ++i) {
        rpy[i] = Get(values, body->attitude[i]);
        if (isnan(rpy[i])) rpy[i] = 0.0;
    }
    return hwQuatFromRpy(rpy[0], rpy[1], rpy[2]);
}

static void PutQuat(Out* out, hwQuat q) {
    PutFloat(out, q.w);
    PutFloat(out, q.x);
    PutFloat(out, q.y);
    PutFloat(out, q.z);
}

static void PutPose(Out* out, const double* values, const BodyMap* body) {
    PutVector(out, values, body->position);
    PutQuat(out, GetAttitude(values, body));
}

static void PutPoses(Out* out, const hwWebFrameMap* map, const double* values, int* sections) {
    size_t start = BeginSection(out, 1, 0, sections);
    for (int i = 0; i < map->bodyCount; ++i) {
        if (map->bodies[i].moves) PutPose(out, values, &map->bodies[i]);
    }
    EndSection(out, start);
}

static hwVec3 GetVector(const double* values, const int positions[3]) {
    return hwMakeVec3(Get(values, positions[0]), Get(values, positions[1]), Get(values, positions[2]));
}

static double SizeOf(const double* values, const int force[3]) {
    double size = hwLength(GetVector(values, force));
    return isfinite(size) ? size : 0.0;
}

static uint64_t Whole(double value, double end) {
    return value >= 0.0 && value < end ? (uint64_t)value : 0;
}

static unsigned GetFlags(const double* values, const int channels[HW_FIELD_CHANNELS],
                         const hwWebFrameHead* head, const BodyMap* body) {
    unsigned flags = 0;
    if (Get(values, channels[0]) > 0.5) flags |= 1;
    if (head->inputHold) flags |= 2;
    if (Get(values, channels[1]) > 0.5) flags |= 4;
    if (Get(values, channels[2]) > 0.5) flags |= 8;
    if (SizeOf(values, body->force) > 1.0) flags |= 16;
    return flags;
}

static void PutVehicle(Out* out, const hwWebFrameMap* map, int index, const hwWebFrameHead* head,
                       const double* values, int* sections) {
    const VehicleMap* vehicle = &map->vehicles[index];
    const BodyMap* body = &map->bodies[vehicle->body];
    size_t start = BeginSection(out, 2, index, sections);
    for (int i = 0; i < hwVehicleFieldCount && i < MOST_FIELDS; ++i) {
        const hwFrameField* field = &hwVehicleFields[i];
        const int* channels = vehicle->fields[i];
        if (field->source == FRAME_ATTITUDE)
            PutQuat(out, GetAttitude(values, body));
        else if (field->source == FRAME_FLAGS)
            PutBytes(out, GetFlags(values, channels, head, body), 1);
        else if (field->type == FRAME_U8)
            PutBytes(out, Whole(Get(values, channels[0]), 256.0), 1);
        else if (field->type == FRAME_U16)
            PutBytes(out, Whole(Get(values, channels[0]), 65536.0), 2);
        else
            for (int c = 0; c < field->count; ++c) PutFloat(out, Get(values, channels[c]));
    }
    EndSection(out, start);
}

// Propellers turn on from frame to frame.
static void PutThrusters(Out* out, hwWebFrameMap* map, int index, double passed, const double* values,
                         int* sections) {
    VehicleMap* vehicle = &map->vehicles[index];
    if (vehicle->thrusterCount == 0) return;
    size_t start = BeginSection(out, 3, index, sections);
    for (int i = 0; i < vehicle->thrusterCount; ++i) {
        double speed = Get(values, vehicle->thrusters[i][2]);
        if (isfinite(speed)) vehicle->angles[i] = remainder(vehicle->angles[i] + passed * speed, TWO_PI);
        PutFloat(out, Get(values, vehicle->thrusters[i][0]));
        PutFloat(out, Get(values, vehicle->thrusters[i][1]));
        PutFloat(out, vehicle->angles[i]);
        PutFloat(out, speed);
    }
    EndSection(out, start);
}

static void PutArm(Out* out, const hwWebFrameMap* map, int index, const double* values, int* sections) {
    const ArmMap* arm = &map->arms[index];
    size_t start = BeginSection(out, 8, index, sections);
    for (int i = 0; i < arm->jointCount; ++i) {
        PutFloat(out, Get(values, arm->joints[i][0]));
        PutFloat(out, Get(values, arm->joints[i][1]));
    }
    EndSection(out, start);
}

static void PutInstrument(Out* out, const hwWebFrameMap* map, int index, const double* values,
                          int* sections) {
    const InstrumentMap* instrument = &map->instruments[index];
    size_t start = BeginSection(out, 7, index, sections);
    for (int i = 0; i < 2 + instrument->valueCount; ++i) PutFloat(out, Get(values, instrument->values[i]));
    EndSection(out, start);
}

static hwVec3 NodeAt(const CableMap* cable, int i, const double* values) {
    return GetVector(values, cable->nodes[i]);
}

static void ReadRange(const hwWebFrameMap* map, const hwWorld* world, int from, int to, double* values) {
    hwWorld_ReadChannels(world, to - from, map->channels + from, values + from);
}

// Nodes that are not there have no place and are behind all others: of a tether that may have 208 nodes, 85 are.
static void ReadNodes(const hwWebFrameMap* map, const CableMap* cable, const hwWorld* world, double* values) {
    int node = 0, from = cable->nodes[0][0];
    while (node < cable->nodeCount) {
        int next = node + NODES_AT_ONCE;
        int to = next < cable->nodeCount ? cable->nodes[next][0] : cable->behind;
        ReadRange(map, world, from, to, values);
        from = to;
        node = next;
        if (next < cable->nodeCount && !hwIsFiniteVec3(NodeAt(cable, next - 1, values))) break;
    }
    for (; from < cable->behind; ++from) values[from] = (double)NAN;
}

void hwWebFrameMap_Read(const hwWebFrameMap* map, const hwWorld* world, double* values) {
    int from = 0;
    for (int i = 0; i < map->cableCount; ++i) {
        const CableMap* cable = &map->cables[i];
        if (cable->nodeCount == 0) continue;
        ReadRange(map, world, from, cable->nodes[0][0], values);
        ReadNodes(map, cable, world, values);
        from = cable->behind;
    }
    ReadRange(map, world, from, map->count, values);
}

// `still`: no time has passed since the frame before, so that what moved then moves now.
static void PutCable(Out* out, hwWebFrameMap* map, int index, bool still, const double* values,
                     int* sections) {
    CableMap* cable = &map->cables[index];
    // nodes that are not there, on a winch's drum, have no position
    int count = 0;
    while (count < cable->nodeCount && hwIsFiniteVec3(NodeAt(cable, count, values))) count += 1;
    if (count < 2) return;
    size_t start = BeginSection(out, 4, index, sections);
    double length = Get(values, cable->length);
    unsigned flags = 0;
    if (length > cable->lastLength + 1e-6) flags |= 2;
    if (length < cable->lastLength - 1e-6) flags |= 4;
    if (still) flags = cable->lastFlags;
    cable->lastLength = length;
    cable->lastFlags = flags;
    PutBytes(out, (uint64_t)count, 2);
    PutBytes(out, flags, 2);
    PutFloat(out, length);
    PutFloat(out, hwDistance(NodeAt(cable, 0, values), NodeAt(cable, count - 1, values)));
    PutFloat(out, Get(values, cable->tensionA));
    PutFloat(out, Get(values, cable->tensionB));
    PutFloat(out, Get(values, cable->wrap));
    for (int i = 0; i < count; ++i) PutVector(out, values, cable->nodes[i]);
    for (int i = 0; i + 1 < count; ++i) PutFloat(out, Get(values, cable->tensions[i]));
    for (int i = 0; i < count; i += 8) {
        unsigned bits = 0;
        for (int k = 0; k < 8 && i + k < count; ++k) {
            if (Get(values, cable->nodes[i + k][3]) > 0.5) bits |= 1u << k;
        }
        PutBytes(out, bits, 1);
    }
    EndSection(out, start);
}

// A body touches with its shapes, which is one contact here, and with its feet, another.
static void PutContacts(Out* out, const hwWebFrameMap* map, const double* values, int* sections) {
    bool taken[2 * 256] = {false};
    size_t start = 0;
    for (int n = 0; n < FRAME_MOST_CONTACTS; ++n) {
        int best = -1;
        double largest = 0.0;
        for (int i = 0; i < 2 * map->bodyCount && i < 2 * 256; ++i) {
            const BodyMap* body = &map->bodies[i / 2];
            double force = taken[i] ? 0.0 : SizeOf(values, i % 2 == 0 ? body->force : body->foot);
            if (force > largest) largest = force, best = i;
        }
        if (best < 0) break;
        if (start == 0) start = BeginSection(out, 5, 0, sections);
        taken[best] = true;
        const BodyMap* body = &map->bodies[best / 2];
        bool stands = best % 2 != 0;
        if (stands) {
            hwVec3 at =
                hwAdd(GetVector(values, body->position), hwRotate(GetAttitude(values, body), body->footing));
            PutFloat(out, at.x);
            PutFloat(out, at.y);
            PutFloat(out, at.z);
        } else {
            PutVector(out, values, body->point);
        }
        PutVector(out, values, stands ? body->foot : body->force);
        PutBytes(out, (uint64_t)(best / 2), 2);
        PutBytes(out, stands ? 65535 : 65533, 2);
    }
    if (start != 0) EndSection(out, start);
}

size_t hwWebFrameMap_Encode(hwWebFrameMap* map, const hwWebFrameHead* head, const double* values,
                            uint8_t* bytes, size_t size) {
    Out out = {bytes, 0, size, false};
    int sections = 0;
    double passed = head->time - map->lastTime;
    if ((head->flags & FRAME_JUMP) || !(passed > 0.0) || passed > 1.0) passed = 0.0;
    bool still = head->time == map->lastTime;
    map->lastTime = head->time;
    PutBytes(&out, MAGIC, 4);
    PutBytes(&out, head->flags, 4);
    PutDouble(&out, head->time);
    PutBytes(&out, head->number, 4);
    PutBytes(&out, head->seq, 4);
    PutFloat(&out, head->speed);
    PutBytes(&out, head->revision, 2);
    PutBytes(&out, 0, 2);
    PutPoses(&out, map, values, &sections);
    for (int i = 0; i < map->vehicleCount; ++i) {
        PutVehicle(&out, map, i, head, values, &sections);
        PutThrusters(&out, map, i, passed, values, &sections);
    }
    for (int i = 0; i < map->cableCount; ++i) PutCable(&out, map, i, still, values, &sections);
    PutContacts(&out, map, values, &sections);
    for (int i = 0; i < map->armCount; ++i) PutArm(&out, map, i, values, &sections);
    for (int i = 0; i < map->instrumentCount; ++i) PutInstrument(&out, map, i, values, &sections);
    if (map->plotCount > 0) {
        size_t start = BeginSection(&out, 6, map->plotNumber, &sections);
        for (int i = 0; i < map->plotCount; ++i) PutFloat(&out, Get(values, map->plots[i]));
        EndSection(&out, start);
    }
    if (out.full) return 0;
    bytes[30] = (uint8_t)sections;
    bytes[31] = (uint8_t)(sections >> 8);
    return out.used;
}

// Reading back ---------------------------------------------------------------------------------------------------------

static uint64_t TakeBytes(const uint8_t* bytes, int count) {
    uint64_t value = 0;
    for (int i = 0; i < count; ++i) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static double TakeFloat(const uint8_t* bytes) {
    uint32_t bits = (uint32_t)TakeBytes(bytes, 4);
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

bool hwWebFrame_Read(const uint8_t* bytes, size_t size, hwWebReadings* readings) {
    const double none = (double)NAN;
    *readings = (hwWebReadings){0.0, false, none, none, none, none, none};
    if (size < 32 || TakeBytes(bytes, 4) != MAGIC) return false;
    uint64_t time = TakeBytes(bytes + 8, 8);
    memcpy(&readings->time, &time, sizeof(time));
    readings->paused = (TakeBytes(bytes + 4, 4) & FRAME_PAUSED) != 0;
    int sections = (int)TakeBytes(bytes + 30, 2);
    size_t at = 32;
    for (int i = 0; i < sections && at + 8 <= size; ++i) {
        unsigned kind = (unsigned)TakeBytes(bytes + at, 2), index = (unsigned)TakeBytes(bytes + at + 2, 2);
        size_t length = (size_t)TakeBytes(bytes + at + 4, 4);
        const uint8_t* section = bytes + at + 8;
        if (length > size - at - 8) return false;
        if (kind == 2 && index == 0 && length >= 84) {
            readings->depth = TakeFloat(section + 52);
            readings->turns = TakeFloat(section + 76);
            readings->tension = TakeFloat(section + 80);
        }
        if (kind == 4 && index == 0 && length >= 24) {
            readings->out = TakeFloat(section + 4);
            readings->wrap = TakeFloat(section + 20);
        }
        at += 8 + length;
    }
    return true;
}
