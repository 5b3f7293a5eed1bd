// Seed 004 section 4.3.1 to 4.3.3: a free cube under constant force and torque.
//
// Data: 5 kg, side 2.45 m, 0.01 N and 0.01 N m along each world axis for 20 s, no gravity. A uniform cube has
// I = m s^2 / 6 = 5.00208 kg m2 about every axis, so that Euler's equations lose their products and
// w = I^-1 M t in world axes. The seed prints 0.04 rad/s, which belongs to I = 5, and calls its displacement a velocity.
#include "cases/harness.h"

#define MASS 5.0
#define SIDE 2.45
#define PUSH 0.01
#define DURATION 20.0

typedef struct Result {
    double displacement, velocity, rate;
} Result;

static Result RunCube(hwCaseContext* context, bool reference, double force, double torque) {
    hwCaseRun run;
    hwCaseRun_Begin(&run, context, reference, NULL, 0.0);
    hwBodyDef cube = hwDefaultBodyDef();
    cube.name = "cube";
    cube.mass = MASS;
    for (int i = 0; i < 3; ++i) cube.inertia[i] = MASS * SIDE * SIDE / 6.0;
    hwBodyId id = hwCaseRun_AddBody(&run, &cube);
    hwCaseRun_Push(&run, id, hwMakeVec3(force, force, force), hwMakeVec3(torque, torque, torque));
    hwCaseRun_Prepare(&run);
    hwCaseRun_Advance(&run, DURATION);
    hwBodyState s = hwCaseRun_ReadBody(&run, id);
    hwCaseRun_End(&run);
    Result result = {s.position.y, s.velocity.y, hwRotate(s.attitude, s.rate).y};
    return result;
}

static void LinearAcceleration(hwCaseContext* context) {
    Result a = RunCube(context, true, PUSH, 0.0), b = RunCube(context, false, PUSH, 0.0);
    hwCase_Compare(context, "displacement y, m", 0.5 * PUSH / MASS * DURATION * DURATION,
                   0.400000000000000790, a.displacement, b.displacement, 1e-9, 1e-9,
                   "the seed's table calls this a velocity");
    hwCase_Compare(context, "velocity y, m/s", PUSH / MASS * DURATION, HW_NO_SEED, a.velocity, b.velocity,
                   1e-9, 1e-9, NULL);
}

static void AngularAcceleration(hwCaseContext* context) {
    Result a = RunCube(context, true, 0.0, PUSH), b = RunCube(context, false, 0.0, PUSH);
    double exact = PUSH * DURATION / (MASS * SIDE * SIDE / 6.0);
    hwCase_Compare(context, "angular velocity y, rad/s", exact, 0.039997500018007048, a.rate, b.rate, 1e-9,
                   1e-9, "the seed expects 0.04, which needs I = 5 kg m2; a cube of 2.45 m has 5.00208");
}

static void CombinedAcceleration(hwCaseContext* context) {
    Result a = RunCube(context, true, PUSH, PUSH), b = RunCube(context, false, PUSH, PUSH);
    double exact = PUSH * DURATION / (MASS * SIDE * SIDE / 6.0);
    hwCase_Compare(context, "velocity y, m/s", PUSH / MASS * DURATION, 0.039999749999997627, a.velocity,
                   b.velocity, 1e-9, 1e-9, NULL);
    hwCase_Compare(context, "angular velocity y, rad/s", exact, 0.039999750000003428, a.rate, b.rate, 1e-9,
                   1e-9, "the seed expects 0.04, which needs I = 5 kg m2");
}

const hwCase hwSmsPayloadCases[] = {
    {"sms-4.3.1", "DRDC CR 2010-256, section 4.3.1", "A constant force moves a cube.", LinearAcceleration},
    {"sms-4.3.2", "DRDC CR 2010-256, section 4.3.2", "A constant torque turns a cube.", AngularAcceleration},
    {"sms-4.3.3", "DRDC CR 2010-256, section 4.3.3", "Force and torque together.", CombinedAcceleration},
    {0},
};
