// Joints of several axes: each against a joint of another kind, two links written out, or a closed form.
#include "hawser/hawser.h"
#include "hawser/reference.h"
#include "hawser/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static hwError error;

static double Read(hwWorld* world, const char* name) {
    int channel = hwWorld_FindChannel(world, name);
    if (channel < 0) fail_msg("no channel %s", name);
    return hwWorld_ReadChannel(world, channel);
}

static void Near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.15g instead of %.15g, off by %.3g", value, expected, value - expected);
}

// A heavy body of three different moments of inertia, its centre of mass beside the joint.
static hwLinkDef Body(void) {
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = "load";
    link.body.mass = 12.0;
    link.body.com = hwMakeVec3(0.2, -0.1, -0.6);
    link.body.inertia[0] = 1.1;
    link.body.inertia[1] = 1.7;
    link.body.inertia[2] = 0.9;
    link.frame = hwMakeJointFrame(hwMakeVec3(0.3, 0.0, 4.0), hwQuatFromRpy(0.2, -0.1, 0.4), hwVec3_zero);
    return link;
}

static hwWorld* Run(const hwLinkDef* links, int count, double duration) {
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.tolerance = 1e-10;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwMechanismDef mechanism = hwDefaultMechanismDef();
    mechanism.name = "rig";
    mechanism.links = links;
    mechanism.linkCount = count;
    if (HW_IS_NULL(hwWorld_AddMechanism(world, &mechanism, &error))) fail_msg("%s", error.message);
    assert_int_equal(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error), HW_OK);
    if (hwWorld_Prepare(world, &error) < HW_OK || hwWorld_Step(world, duration, &error) < HW_OK)
        fail_msg("%s", error.message);
    return world;
}

// Yaw, pitch and roll are coordinates of the same ball joint: two sets of equations for one motion.
static void TestGimbalIsBall(void** state) {
    (void)state;
    hwLinkDef ball = Body(), links[3];
    double q[3] = {0.3, -0.4, 0.2};
    ball.joint = HW_JOINT_BALL;
    ball.turn = hwQuatFromRpy(q[2], q[1], q[0]);
    links[0] = Body();
    hwAxesNames names;
    assert_int_equal(hwMakeAxes(links, 0, 1, HW_AXES_GIMBAL, q, NULL, &names), 2);
    hwWorld* a = Run(&ball, 1, 3.0);
    hwWorld* b = Run(links, 3, 3.0);
    static const char* const channels[] = {"rig.load.position.x", "rig.load.position.y",
                                           "rig.load.position.z", "rig.load.rate.x",
                                           "rig.load.rate.y",     "rig.load.rate.z"};
    for (int i = 0; i < 6; i++) Near(Read(b, channels[i]), Read(a, channels[i]), 2e-7);
    hwDestroyWorld(a);
    hwDestroyWorld(b);
}

// A Cardan joint hangs a load without turning it about its own axis: small swings are two pendulums.
static void TestUniversalSwings(void** state) {
    (void)state;
    hwLinkDef links[2] = {Body()};
    links[0].body.com = hwMakeVec3(0.0, 0.0, -0.6);
    links[0].frame = hwMakeJointFrame(hwVec3_zero, hwQuat_identity, hwVec3_zero);
    double q[2] = {1e-4, -2e-4}, t = 3.0;
    hwAxesNames names;
    assert_int_equal(hwMakeAxes(links, 0, 1, HW_AXES_UNIVERSAL, q, NULL, &names), 1);
    hwWorld* world = Run(links, 2, t);
    double moment = 12.0 * 9.81 * 0.6, arm = 12.0 * 0.36;
    // the next term of both is of third order, 1e-11
    Near(Read(world, "rig.load-1.q"), q[0] * cos(sqrt(moment / (1.1 + arm)) * t), 1e-10);
    Near(Read(world, "rig.load.q"), q[1] * cos(sqrt(moment / (1.7 + arm)) * t), 1e-10);
    hwDestroyWorld(world);
}

// Falls along the axis and spins about it, neither knowing of the other.
static void TestCylindricalFallsAndSpins(void** state) {
    (void)state;
    hwLinkDef links[2] = {Body()};
    links[0].body.com = hwMakeVec3(0.0, 0.0, -0.6);
    links[0].frame = hwMakeJointFrame(hwVec3_zero, hwQuat_identity, hwVec3_zero);
    double q[2] = {1.0, 0.5}, qd[2] = {2.0, 3.0}, t = 2.0;
    hwAxesNames names;
    assert_int_equal(hwMakeAxes(links, 0, 1, HW_AXES_CYLINDRICAL, q, qd, &names), 1);
    hwWorld* world = Run(links, 2, t);
    Near(Read(world, "rig.load-1.q"), 1.0 + 2.0 * t - 0.5 * 9.81 * t * t, 1e-8);
    Near(Read(world, "rig.load.q"), 0.5 + 3.0 * t, 1e-8);
    hwDestroyWorld(world);
}

// On a level table the centre of mass goes straight on while the body turns about it.
static void TestPlanarGoesStraight(void** state) {
    (void)state;
    hwLinkDef links[3] = {Body()};
    links[0].frame = hwMakeJointFrame(hwVec3_zero, hwQuat_identity, hwVec3_zero);
    double q[3] = {0.0, 0.0, 0.0}, qd[3] = {1.0, -0.5, 2.0}, t = 2.0;
    hwAxesNames names;
    assert_int_equal(hwMakeAxes(links, 0, 1, HW_AXES_PLANAR, q, qd, &names), 2);
    hwWorld* world = Run(links, 3, t);
    // velocity of the centre of mass at the start: (1, -0.5) + 2 x (0.2, -0.1)
    double vx = 1.0 + 2.0 * 0.1, vy = -0.5 + 2.0 * 0.2, turn = 2.0 * t;
    Near(Read(world, "rig.load.q"), turn, 1e-7);
    Near(Read(world, "rig.load-1.q") + 0.2 * cos(turn) + 0.1 * sin(turn), 0.2 + vx * t, 1e-7);
    Near(Read(world, "rig.load-2.q") + 0.2 * sin(turn) - 0.1 * cos(turn), -0.1 + vy * t, 1e-7);
    hwDestroyWorld(world);
}

static hwWorld* Load(const char* joint) {
    char text[2048];
    snprintf(text, sizeof(text),
             "hawser: 1\nduration: 1\nmechanisms:\n- name: rig\n  base: {on: earth}\n  links:\n%s"
             "    mass: 5\n    com: [0.1, 0, -1]\n    inertia: [1, 1, 0.2]\n    friction: {viscous: 0.3}\n",
             joint);
    hwScene* scene = hwParseScene(text, strlen(text), "axes", ".", &error);
    if (scene == NULL) return NULL;
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    hwDestroyScene(scene);
    if (world == NULL) return NULL;
    if (hwWorld_Prepare(world, &error) < HW_OK || hwWorld_Step(world, 1.0, &error) < HW_OK)
        fail_msg("%s", error.message);
    return world;
}

// In a scene: the same bits as its links written out; wrong uses are refused at their place.
static void TestScene(void** state) {
    (void)state;
    hwWorld* one = Load("  - name: load\n    parent: base\n    joint: universal\n    q: [0.3, 0.2]\n");
    if (one == NULL) fail_msg("%s", error.message);
    hwWorld* two =
        Load("  - {name: load-1, parent: base, joint: revolute, frame: {axis: [1, 0, 0]}, q: 0.3, mass: 0,\n"
             "     inertia: [0, 0, 0], friction: {viscous: 0.3}}\n"
             "  - name: load\n    parent: load-1\n    joint: revolute\n    frame: {axis: [0, 1, 0]}\n"
             "    q: 0.2\n");
    if (two == NULL) fail_msg("%s", error.message);
    assert_true(Read(one, "rig.load.position.x") == Read(two, "rig.load.position.x"));
    assert_true(Read(one, "rig.load-1.q") == Read(two, "rig.load-1.q"));
    hwDestroyWorld(one);
    hwDestroyWorld(two);
    assert_null(Load("  - name: load\n    parent: base\n    joint: universal\n    q: [0.3, 0.2, 0.1]\n"));
    assert_non_null(strstr(error.message, "`q` has 3 numbers, but this joint takes 2"));
    assert_int_equal(error.line, 10);
    assert_null(Load("  - name: load\n    parent: base\n    joint: planar\n    q_deg: [1, 2, 3]\n"));
    assert_non_null(strstr(error.message, "lengths and angles"));
    assert_null(Load("  - name: load\n    parent: base\n    joint: gimbal\n    limits: {range: [0, 1]}\n"));
    assert_non_null(strstr(error.message, "several axes"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestGimbalIsBall),
        cmocka_unit_test(TestUniversalSwings),
        cmocka_unit_test(TestCylindricalFallsAndSpins),
        cmocka_unit_test(TestPlanarGoesStraight),
        cmocka_unit_test(TestScene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
