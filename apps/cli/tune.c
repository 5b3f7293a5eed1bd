// hawser tune: gains of a vehicle's autopilot, from its masses and thrusters, tried out in the water.
#include "apps/cli/cli.h"
#include "hawser/hawser.h"
#include "hawser/vehicle_type.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAME (1.0 / 60.0) // s
#define DAMPING 1.0        // of the critical one
#define LAG_SHARE 0.35     // natural frequency times the thrusters' lag, at most
#define OVERSHOOT 0.20     // at most, of a step; the integral alone makes half of it
#define INTEGRAL 0.08      // integral gain over kp w
#define TRIES 24
#define SLOWER 0.88 // factor on the frequency where a try was not good enough

enum { OPTION_OUT };
static const hwOption g_options[] = {
    {"out", 'o', "FILE", "write the gains there instead of to the standard output"}, {0}};

// One controller, and the step that it is tried with.
typedef struct Loop {
    const char *name, *unit, *channel, *input;
    hwVehicleMode mode;
    double step;    // m or rad
    double seconds; // that the try takes
    int axes[2];    // of the body that it acts along
    double mass, damping, authority;
    hwHoldDef* gains;
    double frequency, overshoot, settling; // found; NaN: not
} Loop;

enum { LOOP_LEVEL, LOOP_DEPTH, LOOP_HEADING, LOOP_POSITION, LOOP_COUNT };

typedef struct Tuner {
    hwVehicleType* type;
    hwVehicleDef def;
    Loop loops[LOOP_COUNT];
    double lag; // s
} Tuner;

// What the loop moves: mass or inertia with the water's, the heavier of its axes; damping the smaller; authority the weaker.
static void Weigh(Tuner* tuner, Loop* loop, const hwWorld* world, hwVehicleId vehicle) {
    const hwBodyDef* body = &tuner->def.body;
    loop->mass = 0.0;
    loop->damping = loop->authority = (double)INFINITY;
    for (int i = 0; i < 2; ++i) {
        int axis = loop->axes[i];
        double most = fmin(hwVehicle_GetAuthority(world, vehicle, axis, true),
                           hwVehicle_GetAuthority(world, vehicle, axis, false));
        // an axis without thrust is left out; with two of them one must do
        if (!(most > 0.0)) continue;
        double own = axis < 3 ? body->mass : body->inertia[axis - 3];
        loop->mass = fmax(loop->mass, own + body->hydro.addedMass[axis][axis]);
        loop->damping = fmin(loop->damping, body->hydro.linearDrag[axis]);
        loop->authority = fmin(loop->authority, most);
    }
    if (!(loop->mass > 0.0)) loop->authority = 0.0;
}

// kp = m w^2, kd = 2 zeta w m less what the water damps, ki so that the integral is twelve times slower than the loop.
static void SetGains(Loop* loop) {
    double w = loop->frequency;
    loop->gains->kp = loop->mass * w * w;
    loop->gains->kd = fmax(0.0, 2.0 * DAMPING * w * loop->mass - loop->damping);
    loop->gains->ki = INTEGRAL * w * loop->gains->kp;
    loop->gains->limit = 0.6 * loop->authority;
}

static hwWorld* MakeWorld(const Tuner* tuner, const Loop* loop, hwVehicleId* vehicle, hwError* error) {
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = 1025.0;
    hwVehicleDef def = tuner->def;
    def.body.name = "rov";
    def.body.position = hwMakeVec3(0.0, 0.0, -20.0);
    if (loop != NULL && loop->input == NULL) def.body.attitude = hwQuatFromRpy(loop->step, 0.0, 0.0);
    def.armed = true;
    def.gain = 1.0;
    def.mode = loop != NULL ? loop->mode : HW_MODE_MANUAL;
    if (world != NULL && hwWorld_SetEnvironment(world, &sea, error) == HW_OK) {
        *vehicle = hwVehicleType_Add(tuner->type, &def, world, error);
        if (!HW_IS_NULL(*vehicle) && hwWorld_Prepare(world, error) == HW_OK) return world;
    }
    hwDestroyWorld(world);
    return NULL;
}

// Overshoot and settling time (to 5 %) of a step; false: the world could not run.
static bool TryLoop(const Tuner* tuner, Loop* loop, hwError* error) {
    hwVehicleId vehicle;
    hwWorld* world = MakeWorld(tuner, loop, &vehicle, error);
    if (world == NULL) return false;
    int channel = hwWorld_FindChannel(world, loop->channel);
    // what lifts or sinks it is taken up first
    bool good = true;
    for (int i = 0; i < 600 && good && loop->input != NULL; ++i)
        good = hwWorld_Step(world, FRAME, error) >= HW_OK;
    double start = hwWorld_ReadChannel(world, channel), end = loop->input != NULL ? start + loop->step : 0.0;
    if (good && loop->input != NULL)
        good = hwWorld_SetInput(world, hwWorld_FindInput(world, loop->input), end, error) == HW_OK;
    loop->overshoot = loop->settling = 0.0;
    int frames = (int)lround(loop->seconds / FRAME);
    for (int i = 1; i <= frames && good; ++i) {
        good = hwWorld_Step(world, FRAME, error) >= HW_OK;
        double value = hwWorld_ReadChannel(world, channel);
        double done = (value - start) / (end - start);
        loop->overshoot = fmax(loop->overshoot, done - 1.0);
        if (fabs(done - 1.0) > 0.05) loop->settling = i * FRAME;
    }
    hwDestroyWorld(world);
    return good;
}

// The fastest loop that is calm: from what lag and authority allow downwards.
static bool TuneLoop(const Tuner* tuner, Loop* loop, hwError* error) {
    double fastest = tuner->lag > 0.0 ? LAG_SHARE / tuner->lag : 5.0;
    loop->frequency = fmin(fmin(fastest, 5.0), sqrt(loop->authority / (loop->mass * fabs(loop->step))));
    for (int i = 0; i < TRIES; ++i, loop->frequency *= SLOWER) {
        SetGains(loop);
        if (!TryLoop(tuner, loop, error)) return false;
        if (loop->overshoot <= OVERSHOOT && loop->settling < 0.95 * loop->seconds) return true;
    }
    loop->overshoot = (double)NAN;
    return true;
}

static void Init(Tuner* tuner) {
    hwAutopilotDef* a = &tuner->def.autopilot;
    const Loop loops[LOOP_COUNT] = {
        [LOOP_LEVEL] = {.name = "level",
                        .unit = "rad",
                        .channel = "rov.roll",
                        .mode = HW_MODE_STABILIZE,
                        .step = 0.2,
                        .seconds = 10.0,
                        .axes = {3, 4},
                        .gains = &a->level},
        [LOOP_DEPTH] = {.name = "depth",
                        .unit = "m",
                        .channel = "rov.depth",
                        .input = "rov.hold.depth",
                        .mode = HW_MODE_DEPTH_HOLD,
                        .step = 0.5,
                        .seconds = 20.0,
                        .axes = {2, 2},
                        .gains = &a->depth},
        [LOOP_HEADING] = {.name = "heading",
                          .unit = "rad",
                          .channel = "rov.heading",
                          .input = "rov.hold.heading",
                          .mode = HW_MODE_HEADING_HOLD,
                          .step = 0.5,
                          .seconds = 15.0,
                          .axes = {5, 5},
                          .gains = &a->heading},
        [LOOP_POSITION] = {.name = "position",
                           .unit = "m",
                           .channel = "rov.position.x",
                           .input = "rov.hold.x",
                           .mode = HW_MODE_STATION,
                           .step = 0.5,
                           .seconds = 20.0,
                           .axes = {0, 1},
                           .gains = &a->position},
    };
    memcpy(tuner->loops, loops, sizeof(loops));
    // heading is told from 0 to 2 pi: begin away from there
    tuner->def.body.attitude = hwQuatFromRpy(0.0, 0.0, -1.0);
    for (int i = 0; i < tuner->def.thrusterCount; ++i)
        tuner->lag = fmax(tuner->lag, tuner->def.thrusters[i].timeConstant);
}

static bool Tune(Tuner* tuner, hwError* error) {
    hwVehicleId vehicle;
    hwWorld* world = MakeWorld(tuner, NULL, &vehicle, error);
    if (world == NULL) return false;
    for (int i = 0; i < LOOP_COUNT; ++i) Weigh(tuner, &tuner->loops[i], world, vehicle);
    // a place is held along both horizontal axes or not at all
    if (!(hwVehicle_GetAuthority(world, vehicle, 1, true) > 0.0)) tuner->loops[LOOP_POSITION].authority = 0.0;
    hwDestroyWorld(world);
    for (int i = 0; i < LOOP_COUNT; ++i) {
        Loop* loop = &tuner->loops[i];
        *loop->gains = (hwHoldDef){0};
        if (loop->authority > 0.0 && !TuneLoop(tuner, loop, error)) return false;
    }
    return true;
}

static bool Write(const Tuner* tuner, const char* name, const char* path) {
    hwCliOutput output;
    if (!hwCliOutput_Open(&output, path)) return false;
    fprintf(output.stream,
            "autopilot:   # of %s, by hawser tune: overshoot and time to settle within 5 %% of a step\n",
            name);
    for (int i = 0; i < LOOP_COUNT; ++i) {
        const Loop* loop = &tuner->loops[i];
        const hwHoldDef* g = loop->gains;
        if (!(loop->authority > 0.0)) continue;
        fprintf(output.stream, "  %s: {kp: %.3g, ki: %.3g, kd: %.3g, limit: %.3g}   # %.2g rad/s; ",
                loop->name, g->kp, g->ki, g->kd, g->limit, loop->frequency);
        if (isnan(loop->overshoot)) {
            fprintf(output.stream, "did not settle\n");
        } else {
            fprintf(output.stream, "%.0f %%, %.1f s of %g %s\n", 100.0 * loop->overshoot, loop->settling,
                    loop->step, loop->unit);
        }
    }
    return hwCliOutput_Close(&output);
}

static int RunTune(const hwArguments* arguments) {
    hwError error;
    Tuner tuner = {.type = hwLoadVehicleType(arguments->operands[0], ".", &error)};
    if (tuner.type == NULL) return hwCli_PrintError(arguments->operands[0], &error);
    tuner.def = hwVehicleType_GetDef(tuner.type);
    Init(&tuner);
    int status = Tune(&tuner, &error) ? EXIT_GOOD : hwCli_PrintError(NULL, &error);
    if (status == EXIT_GOOD && !Write(&tuner, arguments->operands[0], arguments->values[OPTION_OUT]))
        status = EXIT_USAGE;
    for (int i = 0; i < LOOP_COUNT && status == EXIT_GOOD; ++i) {
        if (tuner.loops[i].authority > 0.0 && isnan(tuner.loops[i].overshoot)) {
            hwCli_Complain(NULL, "No gains were found with which `%s` settles.", tuner.loops[i].name);
            status = EXIT_FAILED;
        }
    }
    hwDestroyVehicleType(tuner.type);
    return status;
}

const hwCommand hwCommand_Tune = {
    .name = "tune",
    .operands = "VEHICLE",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "find the gains of a vehicle's autopilot",
    .details = "Chooses each controller's natural frequency from masses, thrusters' lag and strength, tries "
               "steps of "
               "depth,\nheading, roll and place in still water, slows down until they overshoot by at most "
               "15 %, and "
               "writes the\nsection `autopilot` for the vehicle's file.",
    .options = g_options,
    .run = RunTune,
};
