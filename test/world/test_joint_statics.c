// Statics of joints that something drives: an arm stays where its controller brings it to rest, whatever makes the effort, and
// the run goes on from there without a jerk.
#include "support.h"

#include "hawser/hawser.h"

#define MASS 1000.0
#define REACH 3.0 // m, of its centre of mass
#define GRAVITY 9.81

typedef struct Arm {
    hwWorld* world;
    hwBodyId boom;
} Arm;

// A boom whose joint turns about y, at q; with a load on a wire at its tip when that has a mass.
static Arm MakeArm(const hwLinkDef* joint, double load) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    worldDef.statics = true;
    Arm arm = {hwCreateWorld(&worldDef, &error), {0}};
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    dry.gravity = GRAVITY;
    assert_status(hwWorld_SetEnvironment(arm.world, &dry, &error), HW_OK);
    hwLinkDef link = *joint;
    link.body.name = "boom";
    link.body.mass = MASS;
    link.body.com = hwMakeVec3(REACH, 0, 0);
    for (int i = 0; i < 3; ++i) link.body.inertia[i] = 1000.0;
    link.parent = -1;
    link.frame = hwMakeJointFrame(hwVec3_zero, hwQuat_identity, hwMakeVec3(0, 1, 0));
    link.hasQ = true;
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "crane";
    def.linkCount = 1;
    def.links = &link;
    hwMechanismId crane = hwWorld_AddMechanism(arm.world, &def, &error);
    if (HW_IS_NULL(crane)) fail_msg("%s", error.message);
    arm.boom = hwMechanism_GetLink(arm.world, crane, 0);
    if (load > 0.0) {
        hwBodyDef body = hwDefaultBodyDef();
        body.name = "load";
        body.mass = load;
        for (int i = 0; i < 3; ++i) body.inertia[i] = load;
        body.position = hwMakeVec3(5, 0, -6);
        hwBodyId id = hwWorld_AddBody(arm.world, &body, &error);
        hwCableSectionDef section = hwDefaultCableSectionDef();
        section.length = 10.0;
        section.elements = 8;
        section.diameter = 0.02;
        section.massPerLength = 1.0;
        section.EA = 1e7;
        section.axialDamping = 1e4;
        hwCableDef cable = hwDefaultCableDef();
        cable.name = "wire";
        cable.sectionCount = 1;
        cable.sections = &section;
        cable.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = arm.boom, .at = {6, 0, 0}};
        cable.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = id};
        assert_false(HW_IS_NULL(hwWorld_AddCable(arm.world, &cable, &error)));
    }
    if (hwWorld_Prepare(arm.world, &error) != HW_OK) fail_msg("%s", error.message);
    return arm;
}

static hwJointState Read(const Arm* arm) {
    hwJointState state;
    assert_status(hwJoint_GetState(arm->world, arm->boom, &state, NULL), HW_OK);
    return state;
}

// Nothing moves in two seconds: statics left what the run holds. 1e-6 rad: a spring of 1e7 N m/rad under 10 N m.
static void ExpectStill(const Arm* arm) {
    hwJointState before = Read(arm);
    hwError error;
    for (int i = 0; i < 20; ++i) assert_true(hwWorld_Step(arm->world, 0.1, &error) >= HW_OK);
    hwJointState after = Read(arm);
    assert_close(after.q, before.q, 1e-6);
    assert_close(after.qd, 0.0, 1e-6);
}

static hwLinkDef MakeJoint(hwControlMode mode, hwActuatorKind kind) {
    hwLinkDef link = hwDefaultLinkDef();
    link.joint = HW_JOINT_REVOLUTE;
    link.q = -0.25 * HW_PI;
    link.control.mode = mode;
    link.control.kp = 1e7;
    link.control.kd = mode == HW_CONTROL_POSITION ? 1e6 : 0.0;
    link.actuator.kind = kind;
    if (kind == HW_ACTUATOR_HYDRAULIC) link.actuator.timeConstant = 0.05;
    if (kind == HW_ACTUATOR_MOTOR) {
        link.actuator.torqueConstant = 200.0;
        link.actuator.backEmf = 200.0;
        link.actuator.resistance = 0.5;
        link.actuator.brushDrop = 2.0;
        link.actuator.halfDrop = 1.0;
        link.control.kp = 2e4;
        link.control.kd = 0.0;
    }
    return link;
}

static const hwActuatorKind kinds[] = {HW_ACTUATOR_IDEAL, HW_ACTUATOR_MOTOR, HW_ACTUATOR_HYDRAULIC};

// With an integral part there is no error at rest, and the effort is the weight's moment.
static void IntegralHoldsTheTarget(void** state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        for (int mode = 0; mode < 2; ++mode) {
            hwLinkDef joint = MakeJoint(mode == 0 ? HW_CONTROL_POSITION : HW_CONTROL_VELOCITY, kinds[k]);
            joint.control.ki = kinds[k] == HW_ACTUATOR_MOTOR ? 1e3 : 1e6;
            Arm arm = MakeArm(&joint, 0.0);
            hwJointState now = Read(&arm);
            assert_close(now.q, -0.25 * HW_PI, 1e-14);
            // the gravity of a downward z about +y: effort against it is negative; relative 1e-12: rounding
            assert_close(now.effort / (-MASS * GRAVITY * REACH * cos(0.25 * HW_PI)), 1.0, 1e-12);
            ExpectStill(&arm);
            hwDestroyWorld(arm.world);
        }
    }
}

// Without one it is a spring: kp (target - q) = m g r cos q, the lag of hydraulics over.
static void ProportionalControlIsASpring(void** state) {
    (void)state;
    for (int k = 0; k < 3; k += 2) {
        hwLinkDef joint = MakeJoint(HW_CONTROL_POSITION, kinds[k]);
        Arm arm = MakeArm(&joint, 0.0);
        double q = -0.25 * HW_PI;
        for (int i = 0; i < 50; ++i) q = -0.25 * HW_PI + MASS * GRAVITY * REACH * cos(q) / 1e7;
        assert_close(Read(&arm).q, q, 1e-9); // what STATIC_TOLERANCE leaves of 3e4 N m over 1e7 N m/rad
        ExpectStill(&arm);
        hwDestroyWorld(arm.world);
    }
}

// A load on a wire at the tip is carried too: 500 kg, 10 kg of wire, at 6 m.
static void ACraneCarriesItsLoad(void** state) {
    (void)state;
    hwLinkDef joint = MakeJoint(HW_CONTROL_POSITION, HW_ACTUATOR_HYDRAULIC);
    joint.control.ki = 1e6;
    Arm arm = MakeArm(&joint, 500.0);
    hwJointState now = Read(&arm);
    double moment = GRAVITY * cos(0.25 * HW_PI) * (MASS * REACH + 510.0 * 6.0);
    assert_close(now.q, -0.25 * HW_PI, 1e-14);
    assert_close(now.effort / -moment, 1.0, 1e-7);
    ExpectStill(&arm);
    hwDestroyWorld(arm.world);
}

// An actuator that is too weak lets the arm down to where it can hold it: m g r cos q = limit.
static void AWeakActuatorGivesWay(void** state) {
    (void)state;
    for (int k = 0; k < 3; k += 2) {
        hwLinkDef joint = MakeJoint(HW_CONTROL_POSITION, kinds[k]);
        joint.control.ki = 1e6;
        joint.control.limit = 15000.0;
        Arm arm = MakeArm(&joint, 0.0);
        assert_close(Read(&arm).q, acos(15000.0 / (MASS * GRAVITY * REACH)), 1e-9);
        ExpectStill(&arm);
        hwDestroyWorld(arm.world);
    }
}

// A ball joint with an integral part keeps its attitude.
static void ABallJointIsHeld(void** state) {
    (void)state;
    hwLinkDef joint = MakeJoint(HW_CONTROL_POSITION, HW_ACTUATOR_HYDRAULIC);
    joint.joint = HW_JOINT_BALL;
    joint.control.ki = 1e6;
    joint.turn = hwQuatFromRpy(0.2, -0.3, 0.4);
    Arm arm = MakeArm(&joint, 0.0);
    hwBallState before, after;
    assert_status(hwJoint_GetBallState(arm.world, arm.boom, &before, NULL), HW_OK);
    hwError error;
    for (int i = 0; i < 20; ++i) assert_true(hwWorld_Step(arm.world, 0.1, &error) >= HW_OK);
    assert_status(hwJoint_GetBallState(arm.world, arm.boom, &after, NULL), HW_OK);
    hwQuat off = hwMulQuat(hwConjugate(after.turn), joint.turn);
    assert_close(hwLength(hwRotationVectorFromQuat(off)), 0.0, 1e-6);
    assert_close(hwLength(after.rate), 0.0, 1e-6);
    hwDestroyWorld(arm.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(IntegralHoldsTheTarget), cmocka_unit_test(ProportionalControlIsASpring),
        cmocka_unit_test(ACraneCarriesItsLoad),   cmocka_unit_test(AWeakActuatorGivesWay),
        cmocka_unit_test(ABallJointIsHeld),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
