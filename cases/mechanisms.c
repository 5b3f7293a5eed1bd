// Mechanisms against independent solutions and conservation laws.
#include "cases/harness.h"
#include "cases/planar_chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GRAVITY 9.81

static const char* const names[HW_PLANAR_LINKS] = {"a", "b", "c", "d"};

// The planar chain's bodies `first`..count as links about y; rates and angles are relative.
static void FillLinks(const hwPlanarChain* chain, const double* state, int first, hwLinkDef* links) {
    int n = chain->count + 2;
    for (int i = first; i < chain->count; ++i) {
        hwLinkDef* link = &links[i - first];
        *link = hwDefaultLinkDef();
        link->body.name = names[i];
        link->body.mass = chain->mass[i];
        link->body.com = hwMakeVec3(0.0, 0.0, -chain->center[i]);
        link->body.inertia[0] = link->body.inertia[1] = link->body.inertia[2] = chain->inertia[i];
        link->parent = i - first - 1;
        double drop = i == 0 ? 0.0 : -chain->length[i - 1];
        link->frame =
            hwMakeJointFrame(hwMakeVec3(0.0, 0.0, drop), hwQuat_identity, hwMakeVec3(0.0, 1.0, 0.0));
        link->hasQ = true;
        link->q = state[2 + i] - (i > 0 ? state[1 + i] : 0.0);
        link->qd = state[n + 2 + i] - (i > 0 ? state[n + 1 + i] : 0.0);
    }
}

static void AddChain(hwCaseRun* run, const hwPlanarChain* chain, const double* state) {
    if (run->failed) return;
    hwLinkDef links[HW_PLANAR_LINKS];
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.links = links;
    def.linkCount = chain->count;
    int n = chain->count + 2;
    if (chain->free) {
        def.base = HW_BASE_FREE;
        def.free.mass = chain->mass[0];
        def.free.com = hwMakeVec3(0.0, 0.0, -chain->center[0]);
        def.free.inertia[0] = def.free.inertia[1] = def.free.inertia[2] = chain->inertia[0];
        def.free.position = hwMakeVec3(state[0], 0.0, state[1]);
        def.free.attitude = hwQuatFromAxisAngle(hwMakeVec3(0.0, 1.0, 0.0), state[2]);
        def.free.velocity = hwMakeVec3(state[n], 0.0, state[n + 1]);
        def.free.rate = hwMakeVec3(0.0, state[n + 2], 0.0);
        def.linkCount -= 1;
    }
    FillLinks(chain, state, chain->free ? 1 : 0, links);
    run->failed = HW_IS_NULL(hwWorld_AddMechanism(run->world, &def, &run->error));
}

// Largest difference of the joint angles at the end, and the drift of energy relative to what is exchanged.
typedef struct Outcome {
    double angle, energy, momentum;
} Outcome;

// Momentum, and angular momentum about y and the world's origin.
static hwVec3 Momentum(hwCaseRun* run, const hwPlanarChain* chain) {
    hwVec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < chain->count; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "m.%s", chain->free && i == 0 ? "base" : names[i]);
        hwBodyState s = hwCaseRun_ReadBody(run, hwWorld_FindBody(run->world, name));
        hwVec3 arm = hwRotate(s.attitude, hwMakeVec3(0.0, 0.0, -chain->center[i]));
        hwVec3 rate = hwRotate(s.attitude, s.rate);
        hwVec3 v = hwAdd(s.velocity, hwCross(rate, arm)), p = hwAdd(s.position, arm);
        sum.x += chain->mass[i] * v.x;
        sum.y += chain->mass[i] * v.z;
        sum.z += chain->mass[i] * hwCross(p, v).y + chain->inertia[i] * rate.y;
    }
    return sum;
}

static Outcome RunChain(hwCaseContext* context, const hwPlanarChain* chain, const double* start,
                        double duration, bool reference) {
    hwCaseRun run;
    hwEnvironmentDef earth = hwDefaultEnvironmentDef();
    earth.gravity = chain->gravity;
    hwCaseRun_Begin(&run, context, reference, &earth, reference ? 1e-12 : 1e-6);
    AddChain(&run, chain, start);
    hwCaseRun_Prepare(&run);
    Outcome outcome = {0};
    double state[2 * (HW_PLANAR_LINKS + 2)];
    memcpy(state, start, sizeof(state));
    hwPlanarChain_Integrate(chain, duration, state);
    double before = hwCaseRun_Read(&run, "world.energy");
    hwVec3 momentum = Momentum(&run, chain);
    hwCaseRun_Advance(&run, duration);
    double scale = hwCaseRun_Read(&run, "world.energy.kinetic");
    outcome.energy = fabs(hwCaseRun_Read(&run, "world.energy") - before) / scale;
    outcome.momentum = hwDistance(Momentum(&run, chain), momentum);
    for (int i = chain->free ? 1 : 0; i < chain->count; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "m.%s.q", names[i]);
        double q = hwCaseRun_Read(&run, name), exact = state[2 + i] - (i > 0 ? state[1 + i] : 0.0);
        outcome.angle = fmax(outcome.angle, fabs(q - exact));
    }
    hwCaseRun_End(&run);
    return outcome;
}

static void CompareChain(hwCaseContext* context, const hwPlanarChain* chain, const double* start) {
    Outcome a = RunChain(context, chain, start, 5.0, true), b = RunChain(context, chain, start, 5.0, false);
    hwCase_Compare(context, "largest difference of joint angles at 5 s, rad", 0.0, HW_NO_SEED, a.angle,
                   b.angle, 1e-8, 1e-2,
                   "against Lagrange's equations in absolute angles, integrated by extrapolation");
    hwCase_Compare(context, "drift of energy, of the kinetic energy", 0.0, HW_NO_SEED, a.energy, b.energy,
                   1e-9, 1e-3, NULL);
    if (chain->free && chain->gravity == 0.0) {
        hwCase_Compare(context, "drift of momentum, kg m/s and kg m2/s", 0.0, HW_NO_SEED, a.momentum,
                       b.momentum, 1e-9, 1e-3, NULL);
    }
}

static hwPlanarChain Rods(int count) {
    hwPlanarChain chain = {.count = count, .gravity = GRAVITY};
    for (int i = 0; i < count; ++i) {
        double length = 1.0 - 0.2 * i, mass = 3.0 - 0.7 * i;
        chain.length[i] = length;
        chain.center[i] = 0.45 * length;
        chain.mass[i] = mass;
        chain.inertia[i] = mass * length * length / 12.0;
    }
    return chain;
}

static void DoublePendulum(hwCaseContext* context) {
    hwPlanarChain chain = Rods(2);
    const double start[2 * (HW_PLANAR_LINKS + 2)] = {0.0, 0.0, 1.2, 0.8, 0.0, 0.0, 0.0, 0.5};
    CompareChain(context, &chain, start);
}

static void TriplePendulum(hwCaseContext* context) {
    hwPlanarChain chain = Rods(3);
    const double start[2 * (HW_PLANAR_LINKS + 2)] = {0.0, 0.0, 1.0, 0.6, -0.4};
    CompareChain(context, &chain, start);
}

static void FreeArm(hwCaseContext* context) {
    hwPlanarChain chain = Rods(4);
    chain.free = true;
    chain.gravity = 0.0;
    chain.mass[0] = 20.0;
    chain.inertia[0] = 4.0;
    chain.center[0] = 0.1;
    chain.length[0] = 0.5;
    const double start[2 * (HW_PLANAR_LINKS + 2)] = {0.0, 0.0,  0.3, 1.0,  -0.5, 0.2,
                                                     0.1, -0.2, 0.4, -1.0, 1.5,  0.7};
    CompareChain(context, &chain, start);
}

// A pendulum on a ball joint: energy and the angular momentum about the vertical stay. Thrown hard enough it passes over the
// top, where angles of azimuth and polar distance would be singular.
static const hwVec3 ballInertia = {0.2 + 2.0, 0.3 + 2.0, 0.1}; // kg m2 about the joint, 2 kg at 1 m

// Euler's and Poisson's equations of a heavy top in body axes: I w' = (I w) x w + m g c x, u' = u x w, with u the vertical.
static void TopRates(const hwVec3 y[2], hwVec3 rates[2]) {
    hwVec3 w = y[0], u = y[1], I = ballInertia;
    hwVec3 spin = hwMakeVec3(I.x * w.x, I.y * w.y, I.z * w.z);
    hwVec3 weight = hwCross(hwMakeVec3(0.0, 0.0, -1.0), hwScale(-2.0 * GRAVITY, u));
    hwVec3 torque = hwAdd(hwCross(spin, w), weight);
    rates[0] = hwMakeVec3(torque.x / I.x, torque.y / I.y, torque.z / I.z);
    rates[1] = hwCross(u, w);
}

// Runge and Kutta; 1e-4 s steps leave 1e-12 after 5 s.
static hwVec3 IntegrateTop(hwVec3 rate, double duration) {
    int steps = (int)(duration * 1e4);
    double h = duration / steps;
    hwVec3 y[2] = {rate, {0.0, 0.0, 1.0}};
    for (int i = 0; i < steps; ++i) {
        static const double to[4] = {0.5, 0.5, 1.0, 0.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
        hwVec3 at[2] = {y[0], y[1]}, sum[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, k[2];
        for (int s = 0; s < 4; ++s) {
            TopRates(at, k);
            for (int j = 0; j < 2; ++j) {
                sum[j] = hwMulAdd(sum[j], weight[s] / 6.0, k[j]);
                at[j] = hwMulAdd(y[j], to[s] * h, k[j]);
            }
        }
        for (int j = 0; j < 2; ++j) y[j] = hwMulAdd(y[j], h, sum[j]);
    }
    return y[1];
}

typedef struct BallOutcome {
    double energy, spin, highest; // drift of energy and spin; highest point of the bob
    double difference;            // of the vertical in body axes at the end
} BallOutcome;

static BallOutcome RunBall(hwCaseContext* context, bool reference, hwVec3 rate) {
    hwCaseRun run;
    hwEnvironmentDef earth = hwDefaultEnvironmentDef();
    earth.gravity = GRAVITY;
    hwCaseRun_Begin(&run, context, reference, &earth, reference ? 1e-12 : 1e-6);
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = "ball";
    link.joint = HW_JOINT_BALL;
    link.body.mass = 2.0;
    link.body.com = hwMakeVec3(0.0, 0.0, -1.0);
    link.body.inertia[0] = 0.2, link.body.inertia[1] = 0.3, link.body.inertia[2] = 0.1;
    link.turnRate = rate;
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.linkCount = 1;
    def.links = &link;
    if (!run.failed) run.failed = HW_IS_NULL(hwWorld_AddMechanism(run.world, &def, &run.error));
    hwCaseRun_Prepare(&run);
    double start = hwCaseRun_Read(&run, "world.energy");
    BallOutcome outcome = {.highest = -1.0};
    hwBodyState s = {.attitude = {1.0, 0.0, 0.0, 0.0}};
    for (int i = 0; i < 300 && !run.failed; ++i) {
        hwCaseRun_Advance(&run, 1.0 / 60.0);
        s = hwCaseRun_ReadBody(&run, hwWorld_FindBody(run.world, "m.ball"));
        outcome.highest = fmax(outcome.highest, hwRotate(s.attitude, hwMakeVec3(0.0, 0.0, -1.0)).z);
    }
    hwVec3 spin = hwMakeVec3(ballInertia.x * s.rate.x, ballInertia.y * s.rate.y, ballInertia.z * s.rate.z);
    outcome.spin = hwRotate(s.attitude, spin).z - ballInertia.z * rate.z;
    outcome.energy = fabs(hwCaseRun_Read(&run, "world.energy") - start) / start;
    hwVec3 up = hwInvRotate(s.attitude, hwMakeVec3(0.0, 0.0, 1.0));
    outcome.difference = hwDistance(up, IntegrateTop(rate, 5.0));
    hwCaseRun_End(&run);
    return outcome;
}

static void CompareBall(hwCaseContext* context, hwVec3 rate, const char* note) {
    BallOutcome a = RunBall(context, true, rate), b = RunBall(context, false, rate);
    hwCase_Compare(context, "difference of the vertical in body axes at 5 s", 0.0, HW_NO_SEED, a.difference,
                   b.difference, 1e-8, 1e-2, "against Euler's and Poisson's equations of a heavy top");
    hwCase_Compare(context, "drift of energy over 5 s, relative", 0.0, HW_NO_SEED, a.energy, b.energy, 1e-9,
                   1e-4, note);
    hwCase_Compare(context, "drift of angular momentum about the vertical, kg m2/s", 0.0, HW_NO_SEED, a.spin,
                   b.spin, 1e-9, 1e-4, NULL);
    hwCase_Compare(context, "highest point of the bob over the joint, m", 1.0, HW_NO_SEED, a.highest,
                   b.highest, 1e-2, 1e-2, "as far as frames of 1/60 s see it");
}

static void BallPendulum(hwCaseContext* context) {
    // more than 2 sqrt(m g c / I) = 5.97 rad/s
    CompareBall(context, hwMakeVec3(6.6, 0.0, 0.0), "straight through the inverted pose, four times");
    CompareBall(context, hwMakeVec3(6.6, 0.3, 1.0), "close by the inverted pose, spinning");
}

// An arm of three links under water whose added mass is ten times its own, driven and let go.
static double RunSubmerged(hwCaseContext* context, bool reference, double* balance) {
    hwCaseRun run;
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    hwCaseRun_Begin(&run, context, reference, &sea, reference ? 1e-9 : 0.0);
    hwLinkDef links[3];
    hwSignalTerm swing = hwSineTerm(hwMakeVec3(40.0, 0.0, 0.0), 4.0, 0.0);
    for (int i = 0; i < 3; ++i) {
        hwLinkDef* link = &links[i];
        *link = hwDefaultLinkDef();
        link->body.name = names[i];
        link->parent = i - 1;
        link->frame = hwMakeJointFrame(hwMakeVec3(i == 0 ? 0.0 : 1.0, 0.0, 0.0), hwQuat_identity,
                                       i == 1 ? hwMakeVec3(0.0, 0.0, 1.0) : hwMakeVec3(0.0, 1.0, 0.0));
        link->body.mass = 8.0;
        link->body.com = hwMakeVec3(0.5, 0.0, 0.0);
        link->body.inertia[0] = 0.05, link->body.inertia[1] = link->body.inertia[2] = 0.7;
        link->body.hydro.volume = 0.0075;
        link->body.hydro.hasBuoyancyCenter = true;
        link->body.hydro.buoyancyCenter = hwMakeVec3(0.5, 0.0, 0.0);
        // a rod of added mass 80 kg across, about its middle
        link->body.hydro.addedMass[1][1] = link->body.hydro.addedMass[2][2] = 80.0;
        link->body.hydro.addedMass[1][5] = link->body.hydro.addedMass[5][1] = 40.0;
        link->body.hydro.addedMass[2][4] = link->body.hydro.addedMass[4][2] = -40.0;
        link->body.hydro.addedMass[4][4] = link->body.hydro.addedMass[5][5] = 80.0 / 3.0;
        for (int k = 0; k < 3; ++k) link->body.hydro.quadraticDrag[k] = 20.0;
    }
    links[0].control.mode = HW_CONTROL_EFFORT;
    links[0].control.effort = (hwSignal){1, &swing};
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "arm";
    def.position = hwMakeVec3(0.0, 0.0, -20.0);
    def.links = links;
    def.linkCount = 3;
    if (!run.failed) run.failed = HW_IS_NULL(hwWorld_AddMechanism(run.world, &def, &run.error));
    hwCaseRun_Prepare(&run);
    double start = hwCaseRun_Read(&run, "world.energy.balance");
    hwCaseRun_Advance(&run, 20.0);
    double z = hwCaseRun_Read(&run, "arm.c.position.z");
    *balance = hwCaseRun_Read(&run, "world.energy.balance") - start;
    hwCaseRun_End(&run);
    return z;
}

static void SubmergedArm(hwCaseContext* context) {
    double balances[2];
    double exact = RunSubmerged(context, true, &balances[0]),
           ours = RunSubmerged(context, false, &balances[1]);
    hwCase_Compare(context, "height of the third joint after 20 s, m", exact, HW_NO_SEED, exact, ours, 1e-12,
                   1e-4, "added mass ten times the mass; the reference solver stands for the exact value");
    hwCase_Compare(context, "energy not accounted for, J", 0.0, HW_NO_SEED, balances[0], balances[1], 1e-4,
                   0.5, "of some hundred J exchanged");
}

const hwCase hwMechanismCases[] = {
    {"mechanism/double-pendulum", "Lagrange's equations", "Two rods swing far.", DoublePendulum},
    {"mechanism/triple-pendulum", "Lagrange's equations", "Three rods swing far.", TriplePendulum},
    {"mechanism/free-arm", "Lagrange's equations", "A three-link arm on a base adrift.", FreeArm},
    {"mechanism/ball-pendulum", "conservation laws", "A pendulum on a ball joint goes over the top.",
     BallPendulum},
    {"mechanism/submerged-arm", "seed 002 section 4", "An arm with ten times its mass added.", SubmergedArm},
    {0},
};
