// Forward dynamics of mechanisms through the public interface, beside MuJoCo (Todorov et al. 2012) where it is installed.
#include "bench/bench.h"
#include "bench/mujoco.h"
#include "bench/walker.h"

#include "hawser/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 40
// Multiplications and additions for a link, counted in the source: motion 175, inertia and weight 195, elimination 215,
// the two sweeps of the solve 60.
#define FLOPS_PER_LINK 645.0

// The most floating-point operations a second that this machine can do in one thread: independent multiply-adds on vector
// registers.
static double MeasurePeak(void) {
    typedef double Lanes __attribute__((vector_size(32)));
    Lanes x[10], a = {1.0, 1.0, 1.0, 1.0}, b = {1e-9, 1e-9, 1e-9, 1e-9};
    for (int i = 0; i < 10; ++i) x[i] = a * (double)i;
    double best = INFINITY;
    const int count = 20000;
    for (int round = 0; round < ROUNDS; ++round) {
        double start = hwBench_GetTime();
        for (int i = 0; i < count; ++i) {
            for (int k = 0; k < 10; ++k) x[k] = x[k] * a + b;
        }
        best = fmin(best, hwBench_GetTime() - start);
    }
    double sum = 0.0;
    for (int i = 0; i < 10; ++i) sum += x[i][0];
    return sum > 0.0 ? 80.0 * count / best : 0.0; // keeps the sums
}

// Hawser ---------------------------------------------------------------------------------------------------------------------

static hwWorld* MakeWorld(const hwMechanismDef* def, bool wet, hwError* error) {
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, error);
    if (world == NULL) return NULL;
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = wet;
    bool done = hwWorld_SetEnvironment(world, &environment, error) == HW_OK &&
                !HW_IS_NULL(hwWorld_AddMechanism(world, def, error)) &&
                hwWorld_Prepare(world, error) == HW_OK;
    if (done) return world;
    hwDestroyWorld(world);
    return NULL;
}

// One world whose evaluations of y' = f(t, y) are timed.
typedef struct Timer {
    hwWorld* world;
    double *y, *rates;
    int repeats;
    double best; // s for one evaluation; NaN: something failed
} Timer;

// A failure becomes a row of its own.
static Timer StartTimer(hwBenchContext* context, const char* name, const hwMechanismDef* def, bool wet) {
    hwError error;
    Timer timer = {.world = MakeWorld(def, wet, &error), .best = (double)NAN};
    if (timer.world == NULL) {
        hwBench_AddError(context, name, &error);
        return timer;
    }
    int size = hwSystem_GetSize(timer.world);
    timer.y = malloc(2 * (size_t)size * sizeof(double));
    timer.rates = timer.y + size;
    timer.repeats = 20000 / (def->linkCount + 1) + 5;
    timer.best = INFINITY;
    hwSystem_GetState(timer.world, timer.y);
    // slow motion of everything, so that no term is skipped
    for (int i = size / 2; i < size - 2; ++i) timer.y[i] += 0.01 * sin((double)i);
    return timer;
}

static void RunTimer(Timer* timer) {
    if (timer->world == NULL) return;
    double start = hwBench_GetTime();
    for (int i = 0; i < timer->repeats; ++i) {
        timer->y[7] += 1e-12;
        hwSystem_Evaluate(timer->world, 0.0, timer->y, timer->rates, NULL);
    }
    timer->best = fmin(timer->best, (hwBench_GetTime() - start) / timer->repeats);
}

static void StopTimer(Timer* timer) {
    free(timer->y);
    hwDestroyWorld(timer->world);
}

// MuJoCo ---------------------------------------------------------------------------------------------------------------------

typedef struct Peer {
    double time;       // s, best of one forward evaluation; NaN: not there
    double difference; // largest relative difference of the accelerations
} Peer;

#ifdef HAS_MUJOCO
static mjModel* LoadModel(const hwMujoco* m, const hwMechanismDef* def) {
    const int room = 1 << 20;
    char* text = malloc((size_t)room);
    int used = hwWriteMjcf(def, text, room);
    mjModel* model = hwMujoco_Load(m, text, used);
    free(text);
    return model;
}

// Gives both the same state and compares accelerations: proof that it is the same mechanism.
static double CompareMotion(const hwMujoco* m, const mjModel* model, mjData* data,
                            const hwMechanismDef* def) {
    hwError error;
    hwWorld* world = MakeWorld(def, false, &error);
    if (world == NULL) return (double)NAN;
    hwMechanismId id = hwWorld_FindMechanism(world, def->name);
    for (int i = 0; i < def->linkCount; ++i) {
        hwBodyId link = hwMechanism_GetLink(world, id, i);
        int joint = model->body_jntadr[m->findName(model, mjOBJ_BODY, def->links[i].body.name)];
        double* q = &data->qpos[model->jnt_qposadr[joint]];
        double* v = &data->qvel[model->jnt_dofadr[joint]];
        if (def->links[i].joint == HW_JOINT_BALL) {
            hwBallState s = {.turn = hwQuatFromRpy(0.1 * i, -0.2, 0.3), .rate = {0.3, -0.2, 0.05 * i}};
            hwJoint_SetBallState(world, link, &s, &error);
            q[0] = s.turn.w, q[1] = s.turn.x, q[2] = s.turn.y, q[3] = s.turn.z;
            v[0] = s.rate.x, v[1] = s.rate.y, v[2] = s.rate.z;
        } else {
            hwJointState s = {.q = 0.4 * sin((double)i), .qd = 0.5 * cos(2.0 * i)};
            hwJoint_SetState(world, link, &s, &error);
            q[0] = s.q;
            v[0] = s.qd;
        }
    }
    m->forward(model, data);
    double worst = 0.0, largest = 1e-12;
    for (int i = 0; i < model->nv; ++i) largest = fmax(largest, fabs(data->qacc[i]));
    for (int i = 0; i < def->linkCount; ++i) {
        int joint = model->body_jntadr[m->findName(model, mjOBJ_BODY, def->links[i].body.name)];
        const double* a = &data->qacc[model->jnt_dofadr[joint]];
        hwBodyId link = hwMechanism_GetLink(world, id, i);
        if (def->links[i].joint == HW_JOINT_BALL) {
            hwBallState s;
            hwJoint_GetBallState(world, link, &s, &error);
            worst = fmax(worst, hwDistance(s.rateAcceleration, hwMakeVec3(a[0], a[1], a[2])));
        } else {
            hwJointState s;
            hwJoint_GetState(world, link, &s, &error);
            worst = fmax(worst, fabs(s.qdd - a[0]));
        }
    }
    hwDestroyWorld(world);
    return worst / largest;
}

static Peer RunMujoco(const hwMechanismDef* def) {
    Peer peer = {(double)NAN, (double)NAN};
    hwMujoco m;
    if (!hwMujoco_Open(&m)) return peer;
    mjModel* model = LoadModel(&m, def);
    if (model == NULL) return peer;
    mjData* data = m.makeData(model);
    peer.difference = CompareMotion(&m, model, data, def);
    int repeats = 20000 / (def->linkCount + 1) / 4 + 2;
    double best = INFINITY;
    for (int round = 0; round < ROUNDS; ++round) {
        double start = hwBench_GetTime();
        for (int i = 0; i < repeats; ++i) {
            data->qpos[7] += 1e-12;
            m.forward(model, data);
        }
        best = fmin(best, (hwBench_GetTime() - start) / repeats);
    }
    peer.time = best;
    m.deleteData(data);
    m.deleteModel(model);
    return peer;
}
#else
static Peer RunMujoco(const hwMechanismDef* def) {
    (void)def;
    Peer peer = {(double)NAN, (double)NAN};
    return peer;
}
#endif

// The benchmarks -----------------------------------------------------------------------------------------------------------------

static void AddTime(hwBenchContext* context, const char* name, double value, const Peer* peer,
                    const char* note) {
    hwBenchRow row = hwDefaultBenchRow();
    row.name = name;
    row.value = 1e6 * value;
    row.unit = "us";
    if (peer != NULL && !isnan(peer->time)) {
        row.peer = "MuJoCo 2.2.2";
        row.peerValue = 1e6 * peer->time;
    }
    row.note = note;
    hwBench_AddRow(context, &row);
}

static void AddRatio(hwBenchContext* context, const char* name, double value, const char* note) {
    hwBenchRow row = hwDefaultBenchRow();
    row.name = name;
    row.value = value;
    row.unit = "1";
    row.note = note;
    hwBench_AddRow(context, &row);
}

static void Walker(hwBenchContext* context) {
    hwLinkDef links[HW_WALKER_LINKS], wetLinks[HW_WALKER_LINKS];
    hwMechanismDef def = hwMakeWalker(false, links), wetDef = hwMakeWalker(true, wetLinks);
    Timer dryTimer = StartTimer(context, "walker, dry", &def, false);
    Timer wetTimer = StartTimer(context, "walker, wet", &wetDef, true);
    // in turns, so that what else the machine does hits both
    for (int round = 0; round < 3 * ROUNDS; ++round) {
        RunTimer(&dryTimer);
        RunTimer(&wetTimer);
    }
    double dry = dryTimer.best, wet = wetTimer.best;
    StopTimer(&dryTimer);
    StopTimer(&wetTimer);
    Peer peer = RunMujoco(&def);
    char note[200];
    double peak = MeasurePeak();
    snprintf(note, sizeof(note),
             "28 bodies, 45 freedoms; accelerations differ by %.1e; at this machine's peak of %.0f Gflop/s "
             "the arithmetic "
             "alone takes %.2f us",
             peer.difference, 1e-9 * peak, 1e6 * FLOPS_PER_LINK * (HW_WALKER_LINKS + 1) / peak);
    AddTime(context, "forward dynamics of a walker", dry, &peer, note);
    AddTime(context, "the same under water", wet, NULL, "added mass, drag and buoyancy on every body");
    AddRatio(context, "under water over dry", wet / dry, "at most 1.6");
}

#define CHAINS 5

// Lengths take turns, so that what else the machine does meets them all.
static void Chains(hwBenchContext* context) {
    const int counts[CHAINS] = {8, 32, 64, 128, 512};
    hwLinkDef* links = malloc(512 * sizeof(hwLinkDef));
    if (links == NULL) return;
    char names[CHAINS][64];
    Timer timers[CHAINS];
    Peer peers[CHAINS];
    for (int i = 0; i < CHAINS; ++i) {
        hwMechanismDef def = hwMakeChain(counts[i], links);
        snprintf(names[i], sizeof(names[i]), "forward dynamics of a chain of %d", counts[i]);
        timers[i] = StartTimer(context, names[i], &def, false);
        peers[i] = RunMujoco(&def);
    }
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < CHAINS; ++i) RunTimer(&timers[i]);
    }
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < CHAINS; ++i) {
        AddTime(context, names[i], timers[i].best, &peers[i],
                isnan(peers[i].time) ? "MuJoCo reads no models nested this deeply" : NULL);
        double each = timers[i].best / counts[i];
        low = fmin(low, each);
        high = fmax(high, each);
        StopTimer(&timers[i]);
    }
    free(links);
    AddRatio(context, "time per link, most over least", high / low, "8 to 512 links; at most 1.2");
}

const hwBench hwMechanismBenches[] = {
    {"walker", "Forward dynamics of a six-legged walker, beside MuJoCo.", Walker},
    {"chain", "Forward dynamics of chains of 8 to 512 links.", Chains},
    {0},
};
