#define _POSIX_C_SOURCE 200809L
#include "bench/cable_rigs.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static hwWorld* AddCable(hwWorldDef* worldDef, const hwEnvironmentDef* environment, const hwCableDef* def,
                         hwError* error) {
    hwWorld* world = hwCreateWorld(worldDef, error);
    if (world == NULL) return NULL;
    if (hwWorld_SetEnvironment(world, environment, error) == HW_OK &&
        !HW_IS_NULL(hwWorld_AddCable(world, def, error)) && hwWorld_Prepare(world, error) == HW_OK) {
        return world;
    }
    hwDestroyWorld(world);
    return NULL;
}

static hwWorldDef MakeWorldDef(hwRigSolver solver, bool statics) {
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.tolerance = solver.tolerance;
    def.solver.max = solver.max;
    def.statics = statics;
    return def;
}

hwWorld* hwRig_MakeChain(int elements, bool straight, hwRigSolver solver, hwError* error) {
    hwWorldDef world = MakeWorldDef(solver, true);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = true;
    environment.seabed.kind = HW_SEABED_PLANE;
    environment.seabed.depth = 200.0;
    environment.seabed.stiffness = 1e5;
    environment.seabed.damping = 1e4;
    environment.seabed.friction = 0.0;
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 600.0;
    section.elements = elements;
    section.diameter = 0.09;
    section.massPerLength = 77.0;
    section.EA = 3.84e8;
    section.axialDamping = 0.0105 * section.EA;
    section.dragNormal = 1.6;
    section.dragTangential = 0.1;
    section.compression = 1e-3;
    hwSignalTerm path[2] = {hwConstantTerm(hwMakeVec3(0.0, 0.0, -10.0)),
                            hwSineTerm(hwMakeVec3(2.0, 0.0, 0.0), 10.0, 0.0)};
    hwCableDef def = hwDefaultCableDef();
    def.name = "cable";
    def.sectionCount = 1;
    def.sections = &section;
    def.shape = straight ? HW_CABLE_STRAIGHT : HW_CABLE_CATENARY_SHAPE;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {540.0, 0.0, -200.0}};
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .path = {2, path}};
    return AddCable(&world, &environment, &def, error);
}

static void FillTetherPath(hwSignalTerm path[2]) {
    path[0] = hwConstantTerm(hwMakeVec3(70.0, 0.0, -30.0));
    path[1] = hwSineTerm(hwMakeVec3(8.0, 12.0, 6.0), 1.0, 0.0);
    path[1].period = hwMakeVec3(120.0, 100.0, 80.0);
}

hwSignalValue hwRig_GetTetherEnd(double time) {
    hwSignalTerm path[2];
    FillTetherPath(path);
    hwSignal signal = {2, path};
    return hwSignal_Evaluate(&signal, time);
}

hwWorld* hwRig_MakeTether(int elements, hwRigSolver solver, hwError* error) {
    hwWorldDef world = MakeWorldDef(solver, true);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    hwSignalTerm current = hwConstantTerm(hwMakeVec3(HW_TETHER_CURRENT, 0.0, 0.0)), path[2];
    environment.water = true;
    environment.current.uniform = (hwSignal){1, &current};
    FillTetherPath(path);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = HW_TETHER_LENGTH;
    section.elements = elements;
    section.diameter = HW_TETHER_DIAMETER;
    section.massPerLength = environment.waterDensity * 0.25 * HW_PI * section.diameter * section.diameter;
    section.EA = 1e5;
    section.EI = HW_TETHER_EI;
    section.axialDamping = 100.0;
    section.dragNormal = HW_TETHER_DRAG;
    section.dragTangential = HW_TETHER_FRICTION;
    section.compression = 1e-3;
    hwCableDef def = hwDefaultCableDef();
    def.name = "cable";
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = HW_TETHER_START};
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .path = {2, path}};
    return AddCable(&world, &environment, &def, error);
}

hwWorld* hwRig_MakeSnap(bool snaps, hwError* error) {
    hwWorldDef world = MakeWorldDef((hwRigSolver){0.0, 0.0}, true);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = true;
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 50.0;
    section.elements = 50;
    section.diameter = 0.024;
    section.massPerLength = 2.36;
    section.EA = 2.755e7;
    section.axialDamping = 2e-3 * section.EA;
    section.compression = 1e-3;
    // away at 2 m/s until the wire is taut and a thousandth longer than it was, and back; six metres nearer it stays slack
    static const double times[3] = {0.0, 2.575, 5.15}, places[3] = {44.9, 50.05, 44.9};
    hwVec3 values[3];
    for (int i = 0; i < 3; ++i) values[i] = hwMakeVec3(places[i] - (snaps ? 0.0 : 6.0), 0.0, -10.0);
    hwSignalTerm way = {.kind = HW_SIGNAL_TABLE, .count = 3, .times = times, .values = values};
    hwCableDef def = hwDefaultCableDef();
    def.name = "cable";
    def.sectionCount = 1;
    def.sections = &section;
    def.shape = HW_CABLE_CATENARY_SHAPE;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {0.0, 0.0, -10.0}};
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .path = {1, &way}};
    return AddCable(&world, &environment, &def, error);
}

// Records ----------------------------------------------------------------------------------------------------------------

void hwRigRecord_Add(hwRigRecord* record, double time, double force) {
    if (record->count == record->capacity) {
        int capacity = record->capacity > 0 ? 2 * record->capacity : 1024;
        double* times = realloc(record->times, (size_t)capacity * sizeof(double));
        if (times != NULL) record->times = times;
        double* forces = realloc(record->forces, (size_t)capacity * sizeof(double));
        if (forces != NULL) record->forces = forces;
        if (times == NULL || forces == NULL) return;
        record->capacity = capacity;
    }
    record->times[record->count] = time;
    record->forces[record->count++] = force;
}

void hwRigRecord_Free(hwRigRecord* record) {
    free(record->times);
    free(record->forces);
    *record = (hwRigRecord){0};
}

static double Interpolate(const hwRigRecord* record, double time) {
    int low = 0, high = record->count - 1;
    if (time <= record->times[0]) return record->forces[0];
    if (time >= record->times[high]) return record->forces[high];
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(record->times[middle] <= time ? &low : &high) = middle;
    }
    double part = (time - record->times[low]) / (record->times[high] - record->times[low]);
    return record->forces[low] + part * (record->forces[high] - record->forces[low]);
}

double hwRigRecord_Compare(const hwRigRecord* record, const hwRigRecord* reference, double from) {
    double mean = 0.0, squares = 0.0, difference = 0.0;
    int count = 0, compared = 0;
    for (int i = 0; i < reference->count; ++i) {
        if (reference->times[i] < from) continue;
        double before = reference->forces[i] - mean;
        mean += before / ++count;
        squares += before * (reference->forces[i] - mean);
    }
    for (int i = 0; i < record->count; ++i) {
        if (record->times[i] < from) continue;
        double off = record->forces[i] - Interpolate(reference, record->times[i]);
        difference += off * off;
        compared += 1;
    }
    return sqrt(difference / compared / (squares / count));
}

typedef struct Watch {
    hwRigRecord* record;
    int channels[2];
} Watch;

static void Observe(const hwWorld* world, void* context) {
    const Watch* watch = context;
    double values[2];
    hwWorld_ReadChannels(world, 2, watch->channels, values);
    hwRigRecord_Add(watch->record, values[0], values[1]);
}

double hwRig_GetTime(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

hwStatus hwRig_Run(hwWorld* world, double time, double frame, hwRigRecord* record, double* seconds,
                   hwError* error) {
    Watch watch = {record,
                   {hwWorld_FindChannel(world, "world.time"), hwWorld_FindChannel(world, "cable.b.tension")}};
    if (record != NULL) record->count = 0;
    hwWorld_SetObserver(world, record != NULL ? Observe : NULL, &watch);
    double start = hwRig_GetTime();
    hwStatus status = HW_OK;
    int frames = (int)lround(time / frame);
    for (int i = 0; i < frames && status >= HW_OK; ++i) status = hwWorld_Step(world, frame, error);
    if (seconds != NULL) *seconds = hwRig_GetTime() - start;
    hwWorld_SetObserver(world, NULL, NULL);
    return status < HW_OK ? status : HW_OK;
}
