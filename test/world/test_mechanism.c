// Mechanisms in a world: motion against closed forms, controllers, limits, friction, actuators.
#include "hawser/hawser.h"
#include "hawser/reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static hwError error;

static hwWorld* MakeWorld(double gravity, bool reference, double tolerance) {
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.tolerance = tolerance;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.gravity = gravity;
    assert_int_equal(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
    if (reference) assert_int_equal(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error), HW_OK);
    return world;
}

static void Expect(hwStatus status) {
    if (status < HW_OK) print_message("%s\n", error.message);
    assert_true(status >= HW_OK);
}

static double Read(hwWorld* world, const char* name) {
    int channel = hwWorld_FindChannel(world, name);
    assert_true(channel >= 0);
    return hwWorld_ReadChannel(world, channel);
}

static void Near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) {
        print_message("%.15g instead of %.15g, off by %.3g\n", value, expected, value - expected);
    }
    assert_true(fabs(value - expected) <= tolerance);
}

// A rod of length 2 m and 10 kg on a horizontal axis y, hanging along -z at q = 0.
static hwLinkDef Rod(const char* name, int parent) {
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = name;
    link.body.mass = 10.0;
    link.body.com = hwMakeVec3(0.0, 0.0, -1.0);
    link.body.inertia[0] = link.body.inertia[1] = 10.0 * 4.0 / 12.0;
    link.body.inertia[2] = 1e-3;
    link.parent = parent;
    link.frame = hwMakeJointFrame(hwMakeVec3(0.0, 0.0, parent < 0 ? 0.0 : -2.0), hwQuat_identity,
                                  hwMakeVec3(0.0, 1.0, 0.0));
    return link;
}

static hwBodyId AddRod(hwWorld* world, hwLinkDef* link) {
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.linkCount = 1;
    def.links = link;
    hwMechanismId id = hwWorld_AddMechanism(world, &def, &error);
    if (HW_IS_NULL(id)) print_message("%s\n", error.message);
    assert_false(HW_IS_NULL(id));
    Expect(hwWorld_Prepare(world, &error));
    return hwMechanism_GetLink(world, id, 0);
}

// Energy of a rod released from the horizontal: at the bottom w^2 = 2 m g c / I.
static void RodFallsWithItsEnergy(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(9.81, true, 1e-11);
    hwLinkDef link = Rod("rod", -1);
    link.hasQ = true;
    link.q = 0.5 * HW_PI;
    AddRod(world, &link);
    double before = Read(world, "world.energy");
    for (int i = 0; i < 100; ++i) {
        Expect(hwWorld_Step(world, 0.05, &error));
        double q = Read(world, "m.rod.q"), qd = Read(world, "m.rod.qd");
        // I w^2 / 2 = m g c cos q
        Near(0.5 * (40.0 / 3.0) * qd * qd, 10.0 * 9.81 * cos(q), 1e-6);
        Near(Read(world, "m.rod.position.x"), 0.0, 1e-12);
    }
    Near(Read(world, "world.energy"), before, 1e-6);
    hwDestroyWorld(world);
}

// A cart of `mass` on a prismatic joint along x, tilted so that gravity pulls with g sin(slope) along it.
static hwLinkDef Cart(double mass) {
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = "cart";
    link.body.mass = mass;
    link.joint = HW_JOINT_PRISMATIC;
    link.frame.axis = hwMakeVec3(1.0, 0.0, 0.0);
    return link;
}

static hwBodyId AddCart(hwWorld* world, hwLinkDef* link, double slopeDegrees) {
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.linkCount = 1;
    def.links = link;
    def.attitude = hwQuatFromRpy(0.0, slopeDegrees * HW_DEGREE, 0.0); // nose down: x points downhill
    hwMechanismId id = hwWorld_AddMechanism(world, &def, &error);
    if (HW_IS_NULL(id)) print_message("%s\n", error.message);
    assert_false(HW_IS_NULL(id));
    Expect(hwWorld_Prepare(world, &error));
    return hwMechanism_GetLink(world, id, 0);
}

static void Frames(hwWorld* world, int count) {
    for (int i = 0; i < count; ++i) Expect(hwWorld_Step(world, 1.0 / 60.0, &error));
}

// Proportional control is a spring: q = target + load / kp. With kp = 1e9 one step a frame is enough once the start is
// over.
static void StiffPositionControlHoldsWithFrameSteps(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(9.81, false, 0.0);
    hwLinkDef link = Rod("rod", -1);
    link.control.mode = HW_CONTROL_POSITION;
    link.control.kp = 1e9;
    link.control.kd = 1e8;
    hwSignalTerm target = hwConstantTerm(hwMakeVec3(1.0, 0.0, 0.0));
    link.control.target = (hwSignal){1, &target};
    AddRod(world, &link);
    Frames(world, 300);
    // the rod's centre is 1 m down the rod; about +y the angle turns -z towards -x
    Near(Read(world, "m.rod.q"), 1.0 - 10.0 * 9.81 * sin(1.0) / 1e9, 1e-10);
    Near(Read(world, "m.rod.effort"), 10.0 * 9.81 * sin(1.0), 1e-4);
    hwCounters before = hwWorld_GetCounters(world);
    Frames(world, 60);
    assert_int_equal(hwWorld_GetCounters(world).steps - before.steps, 60);
    hwDestroyWorld(world);
}

// The integral removes the sag: q' of the error decays with ki / kp, and nothing is left of the load.
static void IntegralRemovesTheSag(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(9.81, false, 0.0);
    hwLinkDef link = Rod("rod", -1);
    link.control = (hwControlDef){
        .mode = HW_CONTROL_POSITION, .kp = 1e4, .ki = 2e4, .kd = 1e3, .power = INFINITY, .limit = INFINITY};
    link.hasQ = true;
    link.q = 0.8; // held there
    AddRod(world, &link);
    Frames(world, 60 * 20);
    Near(Read(world, "m.rod.q"), 0.8, 1e-9);
    Near(Read(world, "m.rod.effort"), 98.1 * sin(0.8), 1e-4);
    hwDestroyWorld(world);
}

// With power alone, I w^2 / 2 = P t. Gains so high that the power is always the bound.
static void PowerBoundsAcceleration(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeWorld(0.0, reference == 1, reference == 1 ? 1e-8 : 1e-4);
        hwLinkDef link = Cart(20.0);
        link.qd = 0.5;
        link.control =
            (hwControlDef){.mode = HW_CONTROL_VELOCITY, .kp = 1e6, .power = 100.0, .limit = INFINITY};
        hwSignalTerm target = hwConstantTerm(hwMakeVec3(50.0, 0.0, 0.0));
        link.control.target = (hwSignal){1, &target};
        AddCart(world, &link, 0.0);
        Frames(world, 120);
        Near(Read(world, "m.cart.qd"), sqrt(0.25 + 2.0 * 100.0 * 2.0 / 20.0), 1e-4);
        Near(Read(world, "world.energy.work"), 200.0, 0.02);
        hwDestroyWorld(world);
    }
}

// kd of velocity control acts like mass: F = kp (target - v) - kd a.
static void DerivativeGainOfVelocityActsAsMass(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(0.0, true, 1e-11);
    hwLinkDef link = Cart(20.0);
    link.control = (hwControlDef){
        .mode = HW_CONTROL_VELOCITY, .kp = 50.0, .kd = 30.0, .power = INFINITY, .limit = INFINITY};
    hwSignalTerm target = hwConstantTerm(hwMakeVec3(2.0, 0.0, 0.0));
    link.control.target = (hwSignal){1, &target};
    AddCart(world, &link, 0.0);
    Expect(hwWorld_Step(world, 1.0, &error));
    double v = 2.0 * (1.0 - exp(-1.0)); // time constant (20 + 30) / 50 s
    Near(Read(world, "m.cart.qd"), v, 1e-8);
    Near(Read(world, "m.cart.effort"), 20.0 * Read(world, "m.cart.qdd"), 1e-9);
    Near(Read(world, "world.energy.balance"), 0.0, 1e-8);
    hwDestroyWorld(world);
}

// Velocity control comes to rest at the limit and stays within it.
static void VelocityControlStopsAtTheLimit(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(0.0, false, 0.0);
    hwLinkDef link = Cart(20.0);
    link.limits.high = 1.0;
    link.limits.stiffness = 1e6;
    link.limits.damping = 1e4;
    link.control =
        (hwControlDef){.mode = HW_CONTROL_VELOCITY, .kp = 1e6, .power = INFINITY, .limit = INFINITY};
    hwSignalTerm target = hwConstantTerm(hwMakeVec3(0.5, 0.0, 0.0));
    link.control.target = (hwSignal){1, &target};
    AddCart(world, &link, 0.0);
    for (int i = 0; i < 300; ++i) {
        Frames(world, 1);
        assert_true(Read(world, "m.cart.q") <= 1.0 + 1e-9);
    }
    Near(Read(world, "m.cart.q"), 1.0, 1e-6);
    hwDestroyWorld(world);
}

// An undamped stop gives back what it takes; a damped one never pulls. The audit closes in both.
static void StopsBounceAndNeverPull(void** state) {
    (void)state;
    for (int damped = 0; damped < 2; ++damped) {
        hwWorld* world = MakeWorld(0.0, true, 1e-10);
        hwLinkDef link = Cart(2.0);
        link.qd = 1.0;
        link.limits = (hwLimitDef){.low = -INFINITY,
                                   .high = 0.5,
                                   .swing = {INFINITY, INFINITY, INFINITY},
                                   .stiffness = 800.0,
                                   .damping = damped ? 30.0 : 0.0};
        AddCart(world, &link, 0.0);
        double start = Read(world, "world.energy.balance");
        for (int i = 0; i < 200; ++i) {
            Expect(hwWorld_Step(world, 0.005, &error));
            assert_true(Read(world, "m.cart.effort") <= 1e-9);
            // the audit rides along without choosing steps; it sees the kink of the stop
            Near(Read(world, "world.energy.balance"), start, 1e-5);
        }
        double qd = Read(world, "m.cart.qd");
        if (damped) {
            assert_true(qd < 0.0 && qd > -0.8);
        } else {
            Near(qd, -1.0, 1e-8);
        }
        hwDestroyWorld(world);
    }
}

// 20 degrees, friction just above the load: it holds for a minute without creeping, still or shaken. The spring that holds
// gives way by less than `stick`; after the first second nothing moves any more.
static void FrictionSticksWithoutCreep(void** state) {
    (void)state;
    double load = 50.0 * 9.81 * sin(20.0 * HW_DEGREE);
    for (int shaken = 0; shaken < 2; ++shaken) {
        hwWorld* world = MakeWorld(9.81, false, 1e-4);
        hwLinkDef link = Cart(50.0);
        link.friction.coulomb = 1.3 * load;
        hwSignalTerm shake = hwSineTerm(hwMakeVec3(0.2 * load, 0.0, 0.0), 0.5, 0.0);
        if (shaken) {
            link.control.mode = HW_CONTROL_EFFORT;
            link.control.effort = (hwSignal){1, &shake};
        }
        AddCart(world, &link, 20.0);
        Frames(world, 60);
        double settled = Read(world, "m.cart.q");
        assert_true(settled < link.friction.stick);
        Frames(world, 60 * 59);
        // Newton's last corrections, 1e-9 of a crawling speed each, are all that is left
        Near(Read(world, "m.cart.q"), settled, 1e-9);
        hwDestroyWorld(world);
    }
}

// Below the load it slides with what is left; viscous friction leads to a terminal speed.
static void FrictionSlidesWithTheRest(void** state) {
    (void)state;
    double load = 50.0 * 9.81 * sin(20.0 * HW_DEGREE);
    hwWorld* world = MakeWorld(9.81, false, 1e-7);
    hwLinkDef link = Cart(50.0);
    link.friction.coulomb = 0.4 * load;
    AddCart(world, &link, 20.0);
    double start = Read(world, "world.energy.balance");
    Expect(hwWorld_Step(world, 1.0, &error));
    // it is free for the 3 ms in which the holding spring gives way by 1e-5 m
    Near(Read(world, "m.cart.qd"), 0.6 * load / 50.0, 2e-3);
    Near(Read(world, "world.energy.balance"), start, 1e-3);
    hwDestroyWorld(world);
    world = MakeWorld(9.81, false, 0.0);
    link.friction.viscous = 100.0;
    AddCart(world, &link, 20.0);
    Frames(world, 60 * 20);
    Near(Read(world, "m.cart.qd"), 0.6 * load / 100.0, 1e-6);
    hwDestroyWorld(world);
}

// J w' = K (V - E w) / R with the rotor's inertia on top of the link's.
static void MotorSpeedsUpExponentially(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(0.0, true, 1e-11);
    hwLinkDef link = Rod("rod", -1);
    link.actuator = (hwActuatorDef){.kind = HW_ACTUATOR_MOTOR,
                                    .inertia = 2.0,
                                    .torqueConstant = 32.0,
                                    .backEmf = 30.0,
                                    .resistance = 3.2};
    link.control.mode = HW_CONTROL_EFFORT;
    hwSignalTerm volt = hwConstantTerm(hwMakeVec3(12.0, 0.0, 0.0));
    link.control.effort = (hwSignal){1, &volt};
    AddRod(world, &link);
    Expect(hwWorld_Step(world, 0.05, &error));
    double inertia = 40.0 / 3.0 + 2.0;
    Near(Read(world, "m.rod.qd"), 12.0 / 30.0 * (1.0 - exp(-0.05 * 32.0 * 30.0 / (3.2 * inertia))), 1e-9);
    hwDestroyWorld(world);
}

// At rest the torque is K / R times the voltage less drop (1 - 2^(-V / half)).
static void BrushesTakeTheirVoltage(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(0.0, false, 0.0);
    hwLinkDef link = Rod("rod", -1);
    link.actuator = (hwActuatorDef){.kind = HW_ACTUATOR_MOTOR,
                                    .torqueConstant = 10.0,
                                    .backEmf = 0.0,
                                    .resistance = 2.0,
                                    .brushDrop = 3.0,
                                    .halfDrop = 1.5};
    link.control.mode = HW_CONTROL_EFFORT;
    hwSignalTerm volt = hwConstantTerm(hwMakeVec3(-7.0, 0.0, 0.0));
    link.control.effort = (hwSignal){1, &volt};
    AddRod(world, &link);
    Near(Read(world, "m.rod.effort"), -10.0 / 2.0 * (7.0 - 3.0 * (1.0 - exp2(-7.0 / 1.5))), 1e-12);
    hwDestroyWorld(world);
}

// F = F0 (1 - exp(-t/T)): m v = F0 (t - T (1 - exp(-t/T))).
static void HydraulicsLag(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeWorld(0.0, reference == 1, reference == 1 ? 1e-11 : 0.0);
        hwLinkDef link = Cart(10.0);
        link.actuator = (hwActuatorDef){.kind = HW_ACTUATOR_HYDRAULIC, .timeConstant = 0.3};
        link.control.mode = HW_CONTROL_EFFORT;
        hwSignalTerm push = hwConstantTerm(hwMakeVec3(40.0, 0.0, 0.0));
        link.control.effort = (hwSignal){1, &push};
        AddCart(world, &link, 0.0);
        Frames(world, 60);
        double gone = 1.0 - exp(-1.0 / 0.3);
        Near(Read(world, "m.cart.effort"), 40.0 * gone, reference ? 1e-8 : 2e-3);
        Near(Read(world, "m.cart.qd"), 4.0 * (1.0 - 0.3 * gone), reference ? 1e-9 : 1e-3);
        hwDestroyWorld(world);
    }
}

// Two links, one of them wet, held by compensation alone: nothing moves.
static void CompensationCarriesWeightAndBuoyancy(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(9.81, false, 0.0);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    assert_int_equal(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    hwLinkDef links[3] = {Rod("a", -1), Rod("b", 0), Rod("c", 1)};
    links[1].joint = HW_JOINT_BALL;
    links[2].joint = HW_JOINT_PRISMATIC;
    links[1].turn = hwQuatFromRpy(0.3, 0.2, -0.5);
    for (int i = 0; i < 3; ++i) {
        links[i].control.mode = HW_CONTROL_EFFORT;
        links[i].control.compensate = true;
        links[i].hasQ = true;
        links[i].q = 0.4 + 0.3 * i;
    }
    links[1].body.hydro.volume = 0.004;
    links[2].body.hydro.volume = 0.006;
    links[2].body.hydro.hasBuoyancyCenter = true;
    links[2].body.hydro.buoyancyCenter = hwMakeVec3(0.1, 0.0, -0.8);
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.links = links;
    def.linkCount = 3;
    def.position = hwMakeVec3(0.0, 0.0, -30.0);
    assert_false(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    Expect(hwWorld_Prepare(world, &error));
    // sums of forces of some hundred N: rounding
    Near(Read(world, "m.a.qdd"), 0.0, 1e-10);
    Near(Read(world, "m.b.qdd.x"), 0.0, 1e-10);
    Near(Read(world, "m.c.qdd"), 0.0, 1e-10);
    Frames(world, 60);
    Near(Read(world, "m.a.q"), 0.4, 1e-10);
    hwDestroyWorld(world);
}

static hwBodyId AddBall(hwWorld* world, hwLinkDef* link) {
    link->joint = HW_JOINT_BALL;
    return AddRod(world, link);
}

// A ball joint turns to where it is told and stays, against gravity.
static void BallJointFollowsItsTarget(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(9.81, false, 0.0);
    hwLinkDef link = Rod("rod", -1);
    link.body.inertia[2] = 0.5;
    link.control = (hwControlDef){
        .mode = HW_CONTROL_POSITION, .kp = 1e8, .kd = 1e7, .power = INFINITY, .limit = INFINITY};
    hwSignalTerm target = hwConstantTerm(hwMakeVec3(0.3, -0.6, 1.0));
    link.control.target = (hwSignal){1, &target};
    hwBodyId id = AddBall(world, &link);
    Frames(world, 240);
    hwBallState s;
    Expect(hwJoint_GetBallState(world, id, &s, &error));
    hwVec3 rpy = hwRpyFromQuat(s.turn);
    Near(rpy.x, 0.3, 1e-5);
    Near(rpy.y, -0.6, 1e-5);
    Near(rpy.z, 1.0, 1e-5);
    // and to another target by input
    Expect(hwJoint_SetTarget(world, id, hwMakeVec3(0.0, 0.5, 0.0), &error));
    Frames(world, 240);
    Near(Read(world, "m.rod.attitude.pitch"), 0.5, 1e-5);
    hwDestroyWorld(world);
}

// A rod that falls onto its swing limit rests at limit + m g c sin(angle) / k.
// High gains and little power: nearly every step is at the bound, and still about one step a frame is enough.
static void BoundBallJointsTakeFrameSteps(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(9.81, false, 0.0);
    hwLinkDef links[2] = {Rod("ball", -1), Rod("tip", 0)};
    links[0].joint = links[1].joint = HW_JOINT_BALL;
    hwSignalTerm turn = hwSineTerm(hwMakeVec3(0.8, 0.6, -0.7), 3.0, 0.0);
    links[0].control = (hwControlDef){.mode = HW_CONTROL_POSITION,
                                      .kp = 1e8,
                                      .kd = 1e7,
                                      .power = 40.0,
                                      .limit = INFINITY,
                                      .target = {1, &turn}};
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.linkCount = 2;
    def.links = links;
    assert_false(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    Expect(hwWorld_Prepare(world, &error));
    for (int i = 0; i < 600; ++i) {
        Frames(world, 1);
        hwBallState s;
        Expect(hwJoint_GetBallState(world, hwWorld_FindBody(world, "m.ball"), &s, &error));
        assert_true(hwDot(s.effort, s.rate) < 40.0 * (1.0 + 1e-9));
    }
    hwCounters counters = hwWorld_GetCounters(world);
    assert_true(counters.steps < 2 * 600);
    hwDestroyWorld(world);
}

static void SwingLimitCarries(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(9.81, false, 0.0);
    hwLinkDef link = Rod("rod", -1);
    link.body.com = hwMakeVec3(0.0, 0.0, 1.0); // stands up: gravity wants to turn it over
    link.turn = hwQuatFromRpy(0.1, 0.05, 0.0);
    link.limits.swing[2] = 0.6;
    link.limits.stiffness = 1e5;
    link.limits.damping = 1e4;
    link.friction.viscous = 5.0;
    hwBodyId id = AddBall(world, &link);
    Frames(world, 60 * 30);
    hwBallState s;
    Expect(hwJoint_GetBallState(world, id, &s, &error));
    double angle = acos(hwRotate(s.turn, hwMakeVec3(0.0, 0.0, 1.0)).z);
    Near(angle, 0.6 + 98.1 * sin(angle) / 1e5, 1e-6);
    hwDestroyWorld(world);
}

// A pendulum on a deck that heaves: the deck's work is what the pendulum gains.
static void PrescribedBaseDoesTheWork(void** state) {
    (void)state;
    // 2 and 3: a heavy link is fixed to the deck between it and the rods; moving it is no work in the books, which do not have its
    // energy either
    for (int run = 0; run < 4; ++run) {
        int reference = run % 2, fixed = run / 2;
        hwWorld* world = MakeWorld(9.81, reference == 1, reference == 1 ? 1e-11 : 1e-7);
        hwSignalTerm move = hwSineTerm(hwMakeVec3(0.5, 0.2, 0.8), 3.0, 0.4);
        hwSignalTerm roll = hwSineTerm(hwMakeVec3(0.2, 0.3, 0.1), 4.0, 0.0);
        hwBodyDef deck = hwDefaultBodyDef();
        deck.name = "deck";
        deck.mass = 1000.0;
        deck.motion = HW_MOTION_PRESCRIBED;
        deck.prescribedPosition = (hwSignal){1, &move};
        deck.prescribedAttitude = (hwSignal){1, &roll};
        hwBodyId on = hwWorld_AddBody(world, &deck, &error);
        assert_false(HW_IS_NULL(on));
        hwLinkDef links[3] = {Rod("a", -1), Rod("b", 0), Rod("post", -1)};
        links[0].qd = 0.5;
        links[1].joint = HW_JOINT_BALL;
        links[2].joint = HW_JOINT_FIXED;
        links[2].body.mass = 200.0;
        hwMechanismDef def = hwDefaultMechanismDef();
        def.name = "m";
        def.base = HW_BASE_BODY;
        def.body = on;
        def.position = hwMakeVec3(1.0, 2.0, 0.5);
        def.links = links;
        def.linkCount = fixed ? 3 : 2;
        assert_false(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
        Expect(hwWorld_Prepare(world, &error));
        double start = Read(world, "world.energy.balance"), least = 0.0, most = 0.0;
        for (int i = 0; i < 300; ++i) {
            Frames(world, 1);
            Near(Read(world, "world.energy.balance"), start, reference ? 1e-7 : 1e-3);
            double work = Read(world, "world.energy.work");
            least = fmin(least, work), most = fmax(most, work);
        }
        assert_true(most - least > 20.0); // J: the test means something
        // the base is where it should be
        hwBodyState s;
        Expect(hwBody_GetState(world, hwWorld_FindBody(world, "m.a"), &s, &error));
        hwSignalValue p = hwSignal_Evaluate(&deck.prescribedPosition, hwWorld_GetTime(world));
        hwSignalValue r = hwSignal_Evaluate(&deck.prescribedAttitude, hwWorld_GetTime(world));
        hwQuat turn = hwQuatFromRpy(r.value.x, r.value.y, r.value.z);
        hwVec3 expected = hwAdd(p.value, hwRotate(turn, hwMakeVec3(1.0, 2.0, 0.5)));
        assert_true(hwDistance(s.position, expected) < 1e-12);
        hwDestroyWorld(world);
    }
}

// A link on a free joint of a base that spins flies on straight, however far, and keeps its energy.
static void FreeLinksFlyStraight(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(0.0, false, 0.0);
    hwLinkDef link = Rod("probe", -1);
    link.joint = HW_JOINT_FREE;
    link.frame = hwMakeJointFrame(hwMakeVec3(1.0, 0.0, 0.0),
                                  hwQuatFromAxisAngle(hwMakeVec3(0.0, 0.0, 1.0), 0.5 * HW_PI),
                                  hwMakeVec3(0.0, 0.0, 1.0));
    link.body.position = hwMakeVec3(0.0, -1.0, 0.0); // in the joint's axes: 1 m further out
    link.body.velocity = hwMakeVec3(3.0, 0.0, 0.0);  // along the base's y
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.linkCount = 1;
    def.links = &link;
    def.base = HW_BASE_FREE;
    def.free.mass = 50.0;
    for (int k = 0; k < 3; ++k) def.free.inertia[k] = 5.0;
    def.free.rate = hwMakeVec3(0.0, 0.0, 20.0);
    assert_false(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    Expect(hwWorld_Prepare(world, &error));
    hwBodyId probe = hwWorld_FindBody(world, "m.probe");
    hwBodyState s;
    Expect(hwBody_GetState(world, probe, &s, &error));
    hwVec3 com = hwAdd(s.position, hwRotate(s.attitude, link.body.com));
    hwVec3 v = hwAdd(s.velocity, hwRotate(s.attitude, hwCross(s.rate, link.body.com)));
    Near(s.position.x, 2.0, 1e-12);
    Near(s.velocity.y, 3.0 + 20.0 * 2.0, 1e-12);
    double before = hwWorld_GetEnergy(world).kinetic;
    Frames(world, 600);
    Expect(hwBody_GetState(world, probe, &s, &error));
    hwVec3 off = hwSub(hwAdd(s.position, hwRotate(s.attitude, link.body.com)), hwMulAdd(com, 10.0, v));
    // 430 m away; what is left is of its own spin
    Near(hwLength(off), 0.0, 0.05);
    Near(hwWorld_GetEnergy(world).kinetic / before, 1.0, 1e-3);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RodFallsWithItsEnergy),
        cmocka_unit_test(StiffPositionControlHoldsWithFrameSteps),
        cmocka_unit_test(IntegralRemovesTheSag),
        cmocka_unit_test(PowerBoundsAcceleration),
        cmocka_unit_test(DerivativeGainOfVelocityActsAsMass),
        cmocka_unit_test(VelocityControlStopsAtTheLimit),
        cmocka_unit_test(StopsBounceAndNeverPull),
        cmocka_unit_test(FrictionSticksWithoutCreep),
        cmocka_unit_test(FrictionSlidesWithTheRest),
        cmocka_unit_test(MotorSpeedsUpExponentially),
        cmocka_unit_test(BrushesTakeTheirVoltage),
        cmocka_unit_test(HydraulicsLag),
        cmocka_unit_test(CompensationCarriesWeightAndBuoyancy),
        cmocka_unit_test(BallJointFollowsItsTarget),
        cmocka_unit_test(BoundBallJointsTakeFrameSteps),
        cmocka_unit_test(FreeLinksFlyStraight),
        cmocka_unit_test(SwingLimitCarries),
        cmocka_unit_test(PrescribedBaseDoesTheWork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
