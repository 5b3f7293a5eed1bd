// Mechanisms as models: frames, services, bad input, copies, what happens when control diverges.
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

static void Expect(hwStatus status) {
    if (status < HW_OK) print_message("%s\n", error.message);
    assert_true(status >= HW_OK);
}

static hwWorld* MakeWorld(void) {
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    return world;
}

static double Read(hwWorld* world, const char* name) {
    int channel = hwWorld_FindChannel(world, name);
    assert_true(channel >= 0);
    return hwWorld_ReadChannel(world, channel);
}

static hwLinkDef MakeLink(const char* name, int parent) {
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = name;
    link.body.mass = 2.0;
    link.body.com = hwMakeVec3(0.2, 0.05, -0.1);
    link.body.inertia[0] = 0.1, link.body.inertia[1] = 0.2, link.body.inertia[2] = 0.15;
    link.parent = parent;
    return link;
}

static hwMechanismId Add(hwWorld* world, const hwLinkDef* links, int count) {
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.links = links;
    def.linkCount = count;
    hwMechanismId id = hwWorld_AddMechanism(world, &def, &error);
    if (HW_IS_NULL(id)) print_message("%s\n", error.message);
    return id;
}

// Frames ---------------------------------------------------------------------------------------------------------------------

static hwPose ScrewZ(double d, double angle) {
    hwPose p = {{0.0, 0.0, d}, hwQuatFromAxisAngle(hwMakeVec3(0.0, 0.0, 1.0), angle)};
    return p;
}

static hwPose ScrewX(double a, double angle) {
    hwPose p = {{a, 0.0, 0.0}, hwQuatFromAxisAngle(hwMakeVec3(1.0, 0.0, 0.0), angle)};
    return p;
}

static void CheckPose(hwWorld* world, const char* name, hwPose expected) {
    hwBodyState s;
    Expect(hwBody_GetState(world, hwWorld_FindBody(world, name), &s, &error));
    assert_true(hwDistance(s.position, expected.p) < 1e-13);
    for (int i = 0; i < 3; ++i) {
        hwVec3 axis = {i == 0, i == 1, i == 2};
        assert_true(hwDistance(hwRotate(s.attitude, axis), hwRotate(expected.q, axis)) < 1e-13);
    }
}

// Paul: A = Tz(d) Rz(theta) Tx(a) Rx(alpha); a link's frame is its proximal one, turned or shifted by the joint.
static void PaulsFramesFollowTheTable(void** state) {
    (void)state;
    const double rows[4][4] = {// alpha, a, d, theta
                               {0.3, 0.5, 0.2, 0.7},
                               {-1.1, 0.1, 0.4, -0.2},
                               {0.9, -0.3, 0.6, 1.3},
                               {0.2, 0.8, -0.1, 0.4}};
    const hwJointKind kinds[4] = {HW_JOINT_REVOLUTE, HW_JOINT_PRISMATIC, HW_JOINT_FIXED, HW_JOINT_REVOLUTE};
    static const char* names[4] = {"a", "b", "c", "d"};
    static const char* full[4] = {"m.a", "m.b", "m.c", "m.d"};
    hwLinkDef links[4];
    for (int i = 0; i < 4; ++i) {
        links[i] = MakeLink(names[i], i - 1);
        links[i].joint = kinds[i];
        links[i].frame = hwMakeDhFrame(rows[i][0], rows[i][1], rows[i][2], rows[i][3]);
    }
    hwWorld* world = MakeWorld();
    assert_false(HW_IS_NULL(Add(world, links, 4)));
    Expect(hwWorld_Prepare(world, &error));
    hwPose distal = hwPose_identity;
    for (int i = 0; i < 4; ++i) {
        const double* r = rows[i];
        bool slides = kinds[i] == HW_JOINT_PRISMATIC;
        CheckPose(world, full[i], hwMulPose(distal, slides ? ScrewZ(r[2], 0.0) : ScrewZ(0.0, r[3])));
        distal = hwMulPose(hwMulPose(distal, ScrewZ(r[2], r[3])), ScrewX(r[1], r[0]));
    }
    // q is the table's own variable
    assert_true(Read(world, "m.a.q") == rows[0][3] && Read(world, "m.b.q") == rows[1][2]);
    hwDestroyWorld(world);
}

// Craig with the branch screw: Tz(d') Rz(theta') Rx(alpha) Tx(a) Rz(theta) Tz(d).
static void CraigsFramesFollowTheTable(void** state) {
    (void)state;
    hwLinkDef links[3] = {MakeLink("a", -1), MakeLink("b", 0), MakeLink("c", 0)};
    links[0].frame = hwMakeMdhFrame(0.4, 0.3, 0.2, 0.6, 0.0, 0.0);
    links[1].frame = hwMakeMdhFrame(-0.7, 0.5, 0.1, -0.3, 0.0, 0.0);
    links[2].frame = hwMakeMdhFrame(1.2, 0.2, 0.3, 0.8, 0.25, 1.1);
    links[2].joint = HW_JOINT_PRISMATIC;
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.links = links;
    def.linkCount = 3;
    def.position = hwMakeVec3(1.0, 2.0, 3.0);
    def.attitude = hwQuatFromRpy(0.1, 0.2, 0.3);
    hwWorld* world = MakeWorld();
    assert_false(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    Expect(hwWorld_Prepare(world, &error));
    hwPose base = {def.position, def.attitude};
    hwPose a = hwMulPose(base, hwMulPose(ScrewX(0.3, 0.4), ScrewZ(0.2, 0.6)));
    hwPose b = hwMulPose(a, hwMulPose(ScrewX(0.5, -0.7), ScrewZ(0.1, -0.3)));
    hwPose c = hwMulPose(a, hwMulPose(ScrewZ(0.25, 1.1), hwMulPose(ScrewX(0.2, 1.2), ScrewZ(0.3, 0.8))));
    CheckPose(world, "m.a", a);
    CheckPose(world, "m.b", b);
    CheckPose(world, "m.c", c);
    hwDestroyWorld(world);
}

// The same arm by D-H rows and by plain frames moves the same.
static void FramesOfBothKindsMoveAlike(void** state) {
    (void)state;
    hwWorld* worlds[2] = {MakeWorld(), MakeWorld()};
    for (int k = 0; k < 2; ++k) {
        hwLinkDef links[2] = {MakeLink("a", -1), MakeLink("b", 0)};
        links[0].qd = 1.0;
        if (k == 0) {
            links[0].frame = hwMakeDhFrame(0.5 * HW_PI, 0.4, 0.3, 0.2);
            links[1].frame = hwMakeDhFrame(0.0, 0.7, 0.0, -0.4);
        } else {
            hwQuat side = hwQuatFromAxisAngle(hwMakeVec3(1.0, 0.0, 0.0), 0.5 * HW_PI);
            links[1].frame = hwMakeJointFrame(hwMakeVec3(0.4, 0.0, 0.3), side, hwMakeVec3(0.0, 0.0, 1.0));
            links[0].hasQ = links[1].hasQ = true;
            links[0].q = 0.2, links[1].q = -0.4;
        }
        assert_false(HW_IS_NULL(Add(worlds[k], links, 2)));
        Expect(hwWorld_Prepare(worlds[k], &error));
        for (int i = 0; i < 60; ++i) Expect(hwWorld_Step(worlds[k], 1.0 / 60.0, &error));
    }
    // same arithmetic but for the rounding of two sines
    assert_true(fabs(Read(worlds[0], "m.b.q") - Read(worlds[1], "m.b.q")) < 1e-11);
    hwDestroyWorld(worlds[0]);
    hwDestroyWorld(worlds[1]);
}

// Services ---------------------------------------------------------------------------------------------------------------------

static int FillTree(hwLinkDef links[5]) {
    links[0] = MakeLink("a", -1);
    links[1] = MakeLink("b", 0);
    links[2] = MakeLink("c", 1);
    links[3] = MakeLink("d", 0);
    links[4] = MakeLink("e", 3);
    links[1].joint = HW_JOINT_BALL;
    links[2].joint = HW_JOINT_PRISMATIC;
    links[3].joint = HW_JOINT_FIXED;
    for (int i = 0; i < 5; ++i) {
        links[i].frame.position = hwMakeVec3(0.3, -0.1 * i, 0.2);
        links[i].frame.attitude = hwQuatFromRpy(0.3 * i, 0.2, -0.1);
        links[i].body.hydro.addedMass[1][1] = 3.0;
        links[i].body.hydro.addedMass[4][4] = 0.5;
        links[i].body.hydro.volume = 0.001;
        links[i].actuator.inertia = i == 4 ? 0.7 : 0.0;
        links[i].qd = 0.3;
    }
    links[1].turnRate = hwMakeVec3(0.2, -0.4, 0.1);
    return 5;
}

// M a + (inverse dynamics at a = 0) = inverse dynamics at a; and forward dynamics agrees.
static void ServicesAgreeWithTheMotion(void** state) {
    (void)state;
    hwWorld* world = MakeWorld();
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    Expect(hwWorld_SetEnvironment(world, &sea, &error));
    hwLinkDef links[5];
    FillTree(links);
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.base = HW_BASE_FREE;
    def.free = links[0].body;
    def.free.position = hwMakeVec3(0.0, 0.0, -5.0);
    def.free.rate = hwMakeVec3(0.1, 0.2, 0.3);
    def.links = links;
    def.linkCount = 5;
    hwMechanismId id = hwWorld_AddMechanism(world, &def, &error);
    assert_false(HW_IS_NULL(id));
    Expect(hwWorld_Prepare(world, &error));
    enum { COUNT = 6 + 1 + 3 + 1 + 1 };
    assert_int_equal(hwMechanism_GetFreedomCount(world, id), COUNT);
    double M[COUNT * COUNT], zero[COUNT] = {0}, a[COUNT], rest[COUNT], moved[COUNT];
    Expect(hwMechanism_ComputeMatrix(world, id, M, &error));
    for (int i = 0; i < COUNT; ++i) a[i] = sin(3.0 * i);
    Expect(hwMechanism_ComputeInverseDynamics(world, id, zero, rest, &error));
    Expect(hwMechanism_ComputeInverseDynamics(world, id, a, moved, &error));
    for (int i = 0; i < COUNT; ++i) {
        double sum = rest[i];
        for (int j = 0; j < COUNT; ++j) {
            sum += M[i * COUNT + j] * a[j];
            assert_true(fabs(M[i * COUNT + j] - M[j * COUNT + i]) < 1e-12);
        }
        assert_true(fabs(sum - moved[i]) < 1e-10);
    }
    // the accelerations that the world computes need no effort
    hwBodyState base;
    hwJointState s;
    hwBallState ball;
    Expect(hwBody_GetState(world, hwMechanism_GetLink(world, id, -1), &base, &error));
    a[0] = base.acceleration.x, a[1] = base.acceleration.y, a[2] = base.acceleration.z;
    a[3] = base.rateAcceleration.x, a[4] = base.rateAcceleration.y, a[5] = base.rateAcceleration.z;
    Expect(hwJoint_GetState(world, hwMechanism_GetLink(world, id, 0), &s, &error));
    a[6] = s.qdd;
    Expect(hwJoint_GetBallState(world, hwMechanism_GetLink(world, id, 1), &ball, &error));
    a[7] = ball.rateAcceleration.x, a[8] = ball.rateAcceleration.y, a[9] = ball.rateAcceleration.z;
    Expect(hwJoint_GetState(world, hwMechanism_GetLink(world, id, 2), &s, &error));
    a[10] = s.qdd;
    Expect(hwJoint_GetState(world, hwMechanism_GetLink(world, id, 4), &s, &error));
    a[11] = s.qdd;
    Expect(hwMechanism_ComputeInverseDynamics(world, id, a, moved, &error));
    for (int i = 0; i < COUNT; ++i) assert_true(fabs(moved[i]) < 1e-10);
    // services only read
    double before = Read(world, "m.e.qdd");
    assert_true(before == a[11]);
    hwDestroyWorld(world);
}

// Forces on links by all ways of body.h do the same.
static void LinksTakeForcesLikeBodies(void** state) {
    (void)state;
    double qdd[3];
    for (int k = 0; k < 3; ++k) {
        hwWorld* world = MakeWorld();
        hwLinkDef link = MakeLink("a", -1);
        hwMechanismId id = Add(world, &link, 1);
        hwBodyId body = hwMechanism_GetLink(world, id, 0);
        assert_true(HW_SAME_ID(body, hwWorld_FindBody(world, "m.a")));
        hwSignalTerm push = hwConstantTerm(hwMakeVec3(0.0, 5.0, 0.0));
        if (k == 0) {
            hwForceDef force = hwDefaultForceDef();
            force.body = body;
            force.at = hwMakeVec3(0.5, 0.0, 0.0);
            force.force = (hwSignal){1, &push};
            assert_false(HW_IS_NULL(hwWorld_AddForce(world, &force, &error)));
        }
        Expect(hwWorld_Prepare(world, &error));
        if (k == 1) {
            Expect(hwBody_ApplyWrench(world, body, push.offset, hwVec3_zero, hwMakeVec3(0.5, 0.0, 0.0),
                                      HW_FRAME_BODY, &error));
        }
        if (k == 2) {
            Expect(hwWorld_SetInput(world, hwWorld_FindInput(world, "m.a.torque.z"), 2.5, &error));
        }
        qdd[k] = Read(world, "m.a.qdd");
        hwDestroyWorld(world);
    }
    double inertia = 0.15 + 2.0 * (0.04 + 0.0025);
    for (int k = 0; k < 3; ++k) assert_true(fabs(qdd[k] - 2.5 / inertia) < 1e-12);
}

// State ------------------------------------------------------------------------------------------------------------------------

static hwWorld* MakeBusyWorld(void) {
    hwWorld* world = MakeWorld();
    hwLinkDef links[5];
    int count = FillTree(links);
    links[0].control = (hwControlDef){
        .mode = HW_CONTROL_POSITION, .kp = 500.0, .ki = 100.0, .kd = 30.0, .power = 200.0, .limit = INFINITY};
    links[2].friction.coulomb = 1.0;
    links[4].actuator.kind = HW_ACTUATOR_HYDRAULIC;
    links[4].actuator.timeConstant = 0.2;
    links[4].control.mode = HW_CONTROL_VELOCITY;
    links[4].control.kp = 20.0;
    assert_false(HW_IS_NULL(Add(world, links, count)));
    Expect(hwWorld_Prepare(world, &error));
    return world;
}

static void SavedAndBranchedGoOnTheSame(void** state) {
    (void)state;
    hwWorld* world = MakeBusyWorld();
    for (int i = 0; i < 30; ++i) Expect(hwWorld_Step(world, 1.0 / 60.0, &error));
    size_t size = hwWorld_GetStateSize(world);
    void* saved = malloc(size);
    Expect(hwWorld_SaveState(world, saved, size, &error));
    hwWorld* branch = hwWorld_Branch(world, &error);
    assert_non_null(branch);
    for (int i = 0; i < 60; ++i) Expect(hwWorld_Step(world, 1.0 / 60.0, &error));
    uint64_t hash = hwWorld_HashState(world);
    for (int i = 0; i < 60; ++i) Expect(hwWorld_Step(branch, 1.0 / 60.0, &error));
    assert_true(hwWorld_HashState(branch) == hash);
    hwMechanismId id = hwWorld_FindMechanism(branch, "m");
    assert_true(HW_SAME_ID(id, hwWorld_FindMechanism(world, "m")));
    assert_true(HW_SAME_ID(hwMechanism_GetLink(branch, id, 2), hwMechanism_GetLink(world, id, 2)));
    Expect(hwWorld_RestoreState(world, saved, size, &error));
    for (int i = 0; i < 60; ++i) Expect(hwWorld_Step(world, 1.0 / 60.0, &error));
    assert_true(hwWorld_HashState(world) == hash);
    free(saved);
    hwDestroyWorld(branch);
    hwDestroyWorld(world);
}

static void PreparingAgainKeepsJoints(void** state) {
    (void)state;
    hwWorld* world = MakeBusyWorld();
    for (int i = 0; i < 30; ++i) Expect(hwWorld_Step(world, 1.0 / 60.0, &error));
    Expect(hwWorld_SetInput(world, hwWorld_FindInput(world, "m.a.target"), 0.7, &error));
    const char* names[] = {"m.a.q", "m.a.qd", "m.a.effort", "m.c.q", "m.c.effort", "m.e.effort", "m.b.q.x"};
    double before[7];
    for (int i = 0; i < 7; ++i) before[i] = Read(world, names[i]);
    hwBodyDef other = hwDefaultBodyDef();
    other.name = "other";
    other.mass = other.inertia[0] = other.inertia[1] = other.inertia[2] = 1.0;
    assert_false(HW_IS_NULL(hwWorld_AddBody(world, &other, &error)));
    Expect(hwWorld_Prepare(world, &error));
    for (int i = 0; i < 7; ++i) assert_true(Read(world, names[i]) == before[i]);
    // and it can be taken out
    Expect(hwWorld_RemoveMechanism(world, hwWorld_FindMechanism(world, "m"), &error));
    Expect(hwWorld_Prepare(world, &error));
    assert_true(HW_IS_NULL(hwWorld_FindBody(world, "m.a")));
    assert_true(hwWorld_FindChannel(world, "m.a.q") < 0);
    Expect(hwWorld_Step(world, 0.1, &error));
    hwDestroyWorld(world);
}

static void JointsCanBeSetAndSwitched(void** state) {
    (void)state;
    hwWorld* world = MakeWorld();
    hwLinkDef links[2] = {MakeLink("a", -1), MakeLink("b", 0)};
    links[1].joint = HW_JOINT_BALL;
    hwMechanismId id = Add(world, links, 2);
    hwBodyId a = hwMechanism_GetLink(world, id, 0), b = hwMechanism_GetLink(world, id, 1);
    hwJointState s = {.q = 0.3, .qd = -0.2};
    Expect(hwJoint_SetState(world, a, &s, &error)); // before Prepare
    Expect(hwWorld_Prepare(world, &error));
    assert_true(Read(world, "m.a.q") == 0.3 && Read(world, "m.a.qd") == -0.2);
    s.q = -0.5;
    Expect(hwJoint_SetState(world, a, &s, &error));
    assert_true(Read(world, "m.a.q") == -0.5);
    Expect(hwJoint_SetGains(world, a, 1e5, 0.0, 1e4, 1e4, &error));
    Expect(hwJoint_SetMode(world, a, HW_CONTROL_POSITION, &error));
    Expect(hwJoint_SetTarget(world, a, hwMakeVec3(0.25, 0.0, 0.0), &error));
    for (int i = 0; i < 300; ++i) Expect(hwWorld_Step(world, 1.0 / 60.0, &error));
    assert_true(fabs(Read(world, "m.a.q") - 0.25) < 1e-3);
    hwBallState ball;
    assert_int_equal(hwJoint_GetState(world, b, &s, &error), HW_ERROR_ARGUMENT);
    assert_int_equal(hwJoint_GetBallState(world, a, &ball, &error), HW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "m.a: it has no ball joint");
    assert_int_equal(hwWorld_SetInput(world, hwWorld_FindInput(world, "m.a.mode"), 7.0, &error),
                     HW_ERROR_ARGUMENT);
    assert_int_equal(hwJoint_SetGains(world, a, NAN, 0.0, 0.0, 1.0, &error), HW_ERROR_ARGUMENT);
    hwBodyState pose = {.attitude = {1.0, 0.0, 0.0, 0.0}};
    assert_int_equal(hwBody_SetState(world, a, &pose, &error), HW_ERROR_ORDER);
    hwDestroyWorld(world);
}

// Bad input ------------------------------------------------------------------------------------------------------------------------

static void ExpectRefused(const hwLinkDef* links, int count, int index, const char* words) {
    hwWorld* world = MakeWorld();
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.links = links;
    def.linkCount = count;
    assert_true(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    if (strstr(error.message, words) == NULL) print_message("%s\n", error.message);
    assert_non_null(strstr(error.message, words));
    assert_int_equal(error.index, index);
    // nothing is left behind
    assert_true(HW_IS_NULL(hwWorld_FindMechanism(world, "m")));
    assert_true(HW_IS_NULL(hwWorld_FindBody(world, "m.a")));
    hwDestroyWorld(world);
}

static void BadLinksAreRefused(void** state) {
    (void)state;
    hwLinkDef good[2] = {MakeLink("a", -1), MakeLink("b", 0)}, links[2];
#define TRY(change, index, words)                                                                            \
    do {                                                                                                     \
        memcpy(links, good, sizeof(links));                                                                  \
        change;                                                                                              \
        ExpectRefused(links, 2, index, words);                                                               \
    } while (0)
    TRY(links[0].parent = 1, 0, "its own ancestor");
    TRY(links[1].parent = 1, 1, "its own ancestor");
    TRY(links[1].parent = 5, 1, "no such parent");
    TRY(links[1].parent = -2, 1, "no such parent");
    TRY(links[1].body.name = "a", 1, "two links have this name");
    TRY(links[1].body.name = "b.c", 1, "letters, digits");
    TRY(links[1].body.name = "base", 1, "cannot be called `base`");
    TRY(links[1].limits.low = 2.0; links[1].limits.high = 1.0, 1, "reversed");
    TRY(links[1].limits.high = 1.0, 1, "positive stiffness");
    TRY(links[1].body.mass = 0.0;
        memset(links[1].body.inertia, 0, sizeof(links[1].body.inertia)), 1, "needs inertia");
    TRY(links[1].body.mass = -1.0, 1, "mass must be positive");
    TRY(links[1].body.inertia[0] = -1.0, 1, "not positive definite");
    TRY(links[1].frame.axis = hwVec3_zero, 1, "axis that is not zero");
    TRY(links[1].joint = HW_JOINT_BALL;
        links[1].frame = hwMakeDhFrame(0, 0, 0, 0), 1, "for revolute and prismatic");
    TRY(links[1].control.kp = NAN, 1, "finite gains");
    TRY(links[1].control.power = 0.0, 1, "power and limit above zero");
    TRY(links[1].friction.coulomb = -1.0, 1, "friction must be finite");
    TRY(links[1].actuator.kind = HW_ACTUATOR_MOTOR, 1, "positive resistance");
    TRY(links[1].actuator.kind = HW_ACTUATOR_HYDRAULIC, 1, "positive time constant");
    TRY(links[1].feet.friction = 0.2; links[1].feet.kineticFriction = 0.4, 1, "kinetic friction");
    TRY(links[1].q = NAN, 1, "must be finite");
    TRY(links[1].cookie = 0, 1, "hwDefaultLinkDef");
#undef TRY
}

static void MechanismsStandOnWhatExists(void** state) {
    (void)state;
    hwWorld* world = MakeWorld();
    hwLinkDef link = MakeLink("a", -1);
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.links = &link;
    def.linkCount = 1;
    def.base = HW_BASE_BODY;
    assert_true(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    assert_non_null(strstr(error.message, "does not exist"));
    hwBodyDef deck = hwDefaultBodyDef();
    deck.name = "deck";
    deck.mass = 100.0;
    deck.inertia[0] = deck.inertia[1] = deck.inertia[2] = 50.0;
    def.body = hwWorld_AddBody(world, &deck, &error);
    assert_false(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    assert_int_equal(hwWorld_RemoveBody(world, def.body, &error), HW_ERROR_ORDER);
    assert_int_equal(hwWorld_RemoveBody(world, hwWorld_FindBody(world, "m.a"), &error), HW_ERROR_ORDER);
    // names are shared with bodies
    assert_true(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    deck.name = "m";
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, &deck, &error)));
    // a free body as base: momentum of both stays
    hwEnvironmentDef space = hwDefaultEnvironmentDef();
    space.gravity = 0.0;
    Expect(hwWorld_SetEnvironment(world, &space, &error));
    Expect(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error));
    Expect(hwWorld_Prepare(world, &error));
    hwJointState spin = {.q = 0.0, .qd = 3.0};
    Expect(hwJoint_SetState(world, hwWorld_FindBody(world, "m.a"), &spin, &error));
    double momentum[2];
    for (int k = 0; k < 2; ++k) {
        hwBodyState a, b;
        Expect(hwBody_GetState(world, def.body, &b, &error));
        Expect(hwBody_GetState(world, hwWorld_FindBody(world, "m.a"), &a, &error));
        hwVec3 arm = hwRotate(a.attitude, link.body.com);
        hwVec3 v = hwAdd(a.velocity, hwCross(hwRotate(a.attitude, a.rate), arm));
        momentum[k] = 100.0 * b.velocity.x + 2.0 * v.x;
        Expect(hwWorld_Step(world, 1.0, &error));
    }
    assert_true(fabs(momentum[1] - momentum[0]) < 1e-7);
    hwDestroyWorld(world);
}

// Positive feedback: the joint runs away. The step fails with the joint's name and the time, and the state stays finite.
static void DivergingControlStopsWithItsName(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeWorld();
        if (reference) Expect(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error));
        hwLinkDef links[2] = {MakeLink("good", -1), MakeLink("bad", 0)};
        links[1].control =
            (hwControlDef){.mode = HW_CONTROL_POSITION, .kd = -50.0, .power = INFINITY, .limit = INFINITY};
        links[1].qd = 0.1;
        assert_false(HW_IS_NULL(Add(world, links, 2)));
        Expect(hwWorld_Prepare(world, &error));
        hwStatus status = HW_OK;
        for (int i = 0; i < 600 && status >= HW_OK; ++i) status = hwWorld_Step(world, 1.0 / 60.0, &error);
        assert_int_equal(status, HW_ERROR_NUMERIC);
        assert_string_equal(error.object, "m.bad");
        assert_true(error.time > 0.0 && error.time < 10.0);
        assert_true(isfinite(Read(world, "m.bad.q")) && isfinite(Read(world, "m.bad.qd")));
        hwDestroyWorld(world);
    }
}

// Feet -------------------------------------------------------------------------------------------------------------------------------

static hwWorld* MakeFootWorld(double slopeDegrees, double friction, double kinetic) {
    hwWorld* world = MakeWorld();
    hwEnvironmentDef ground = hwDefaultEnvironmentDef();
    double rise = 100.0 * tan(slopeDegrees * HW_DEGREE);
    double heights[4] = {rise, -rise, rise, -rise};
    ground.seabed = (hwSeabedDef){.kind = HW_SEABED_HEIGHTFIELD,
                                  .columns = 2,
                                  .rows = 2,
                                  .spacing = 200.0,
                                  .origin = {-100.0, -100.0, 0.0},
                                  .heights = heights,
                                  .stiffness = 1e5,
                                  .damping = 1e4,
                                  .friction = 0.5};
    Expect(hwWorld_SetEnvironment(world, &ground, &error));
    // a block on four points that may move in every way
    static const hwVec3 points[4] = {
        {0.3, 0.3, -0.1}, {-0.3, 0.3, -0.1}, {0.3, -0.3, -0.1}, {-0.3, -0.3, -0.1}};
    hwLinkDef link = MakeLink("block", -1);
    link.joint = HW_JOINT_FREE;
    link.body.com = hwVec3_zero;
    link.body.mass = 40.0;
    link.body.inertia[0] = link.body.inertia[1] = link.body.inertia[2] = 2.0;
    double slope = slopeDegrees * HW_DEGREE;
    link.body.attitude = hwQuatFromRpy(0.0, slope, 0.0);
    link.body.position = hwMakeVec3(0.1 * sin(slope), 0.0, 0.1 * cos(slope));
    link.feet.count = 4;
    link.feet.points = points;
    link.feet.stiffness = 2e4;
    link.feet.damping = 1e3;
    link.feet.planarStiffness = 3e4;
    link.feet.planarDamping = 1e3;
    link.feet.friction = friction;
    link.feet.kineticFriction = kinetic;
    assert_false(HW_IS_NULL(Add(world, &link, 1)));
    Expect(hwWorld_Prepare(world, &error));
    return world;
}

static void FeetStandWithoutCreep(void** state) {
    (void)state;
    hwWorld* world = MakeFootWorld(15.0, 0.5, 0.4);
    double start = Read(world, "world.energy.balance");
    for (int i = 0; i < 300; ++i) Expect(hwWorld_Step(world, 1.0 / 60.0, &error));
    double slope = 15.0 * HW_DEGREE, weight = 40.0 * 9.81;
    // depth and give along the slope of four springs
    double depth = weight * cos(slope) / 8e4, give = weight * sin(slope) / 12e4;
    double x = 0.1 * sin(slope) - depth * sin(slope) + give * cos(slope);
    // friction under the centre also tilts it: M / (4 k 0.3^2) = 1.4e-3 rad, seen 0.1 m above
    assert_true(fabs(Read(world, "m.block.position.x") - x) < 3e-4);
    assert_true(fabs(Read(world, "m.block.foot.force.z") - weight) < 1e-6);
    assert_true(fabs(Read(world, "world.energy.balance") - start) < 1e-2);
    double before = Read(world, "m.block.position.x");
    for (int i = 0; i < 60 * 60; ++i) Expect(hwWorld_Step(world, 1.0 / 60.0, &error));
    assert_true(fabs(Read(world, "m.block.position.x") - before) < 1e-12);
    hwDestroyWorld(world);
}

static void FeetSlideWithKineticFriction(void** state) {
    (void)state;
    hwWorld* world = MakeFootWorld(30.0, 0.35, 0.3);
    for (int i = 0; i < 120; ++i) Expect(hwWorld_Step(world, 1.0 / 60.0, &error));
    double slope = 30.0 * HW_DEGREE;
    double a = 9.81 * (sin(slope) - 0.3 * cos(slope));
    double along = Read(world, "m.block.acceleration.x") * cos(slope) -
                   Read(world, "m.block.acceleration.z") * sin(slope);
    assert_true(fabs(along - a) < 1e-3 * a);
    hwDestroyWorld(world);
}

// Both solvers agree on a block that is dropped askew, sticks and slides.
static void FeetAgreeInBothSolvers(void** state) {
    (void)state;
    double x[2], pitch[2];
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeFootWorld(10.0, 0.5, 0.4);
        hwSolverDef solver = {.tolerance = reference ? 1e-8 : 1e-6};
        Expect(hwWorld_SetSolver(world, &solver, &error));
        if (reference) Expect(hwWorld_UseReference(world, HW_REFERENCE_BDF, &error));
        int push = hwWorld_FindInput(world, "m.block.force.x");
        Expect(hwWorld_SetInput(world, push, 150.0, &error));
        Expect(hwWorld_Step(world, 0.5, &error));
        Expect(hwWorld_SetInput(world, push, 0.0, &error));
        Expect(hwWorld_Step(world, 2.5, &error));
        x[reference] = Read(world, "m.block.position.x");
        pitch[reference] = Read(world, "m.block.attitude.pitch");
        hwDestroyWorld(world);
    }
    assert_true(x[1] > 0.1); // it has slid
    assert_true(fabs(x[0] - x[1]) < 2e-3 * fabs(x[1]));
    assert_true(fabs(pitch[0] - pitch[1]) < 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PaulsFramesFollowTheTable),
        cmocka_unit_test(CraigsFramesFollowTheTable),
        cmocka_unit_test(FramesOfBothKindsMoveAlike),
        cmocka_unit_test(ServicesAgreeWithTheMotion),
        cmocka_unit_test(LinksTakeForcesLikeBodies),
        cmocka_unit_test(SavedAndBranchedGoOnTheSame),
        cmocka_unit_test(PreparingAgainKeepsJoints),
        cmocka_unit_test(JointsCanBeSetAndSwitched),
        cmocka_unit_test(BadLinksAreRefused),
        cmocka_unit_test(MechanismsStandOnWhatExists),
        cmocka_unit_test(DivergingControlStopsWithItsName),
        cmocka_unit_test(FeetStandWithoutCreep),
        cmocka_unit_test(FeetSlideWithKineticFriction),
        cmocka_unit_test(FeetAgreeInBothSolvers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
