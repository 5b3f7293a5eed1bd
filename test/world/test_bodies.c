// Rigid bodies in a world: exact motions, frames, run-time changes, prescribed motion.
#include "support.h"

#include "hawser/hawser.h"
#include "hawser/reference.h"

static hwWorld* MakeWorld(const hwEnvironmentDef* environment, hwSolverDef solver) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver = solver;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    assert_status(hwWorld_SetEnvironment(world, environment, &error), HW_OK);
    return world;
}

static hwEnvironmentDef Weightless(void) {
    hwEnvironmentDef def = hwDefaultEnvironmentDef();
    def.gravity = 0.0;
    return def;
}

static hwBodyDef MakeBody(const char* name, double mass, double inertia) {
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = mass;
    for (int i = 0; i < 3; ++i) def.inertia[i] = inertia;
    return def;
}

static hwBodyId Add(hwWorld* world, const hwBodyDef* def) {
    hwError error;
    hwBodyId id = hwWorld_AddBody(world, def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static void Prepare(hwWorld* world) {
    hwError error;
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
}

static void Run(hwWorld* world, double duration) {
    hwError error;
    if (hwWorld_Step(world, duration, &error) < HW_OK) fail_msg("%s", error.message);
}

static hwBodyState Read(hwWorld* world, hwBodyId id) {
    hwBodyState s;
    assert_status(hwBody_GetState(world, id, &s, NULL), HW_OK);
    return s;
}

static void falls_as_galilei_said(void** state) {
    (void)state;
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeWorld(&environment, (hwSolverDef){0});
        if (reference) assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, NULL), HW_OK);
        hwBodyDef def = MakeBody("stone", 3.0, 1.0);
        def.velocity = hwMakeVec3(1.0, -2.0, 5.0);
        def.rate = hwMakeVec3(0.4, 0.0, 0.0);
        hwBodyId stone = Add(world, &def);
        Prepare(world);
        Run(world, 2.0);
        hwBodyState s = Read(world, stone);
        // both methods are exact for parabolas
        assert_close_vec3(s.position, hwMakeVec3(2.0, -4.0, 10.0 - 0.5 * 9.81 * 4.0), 1e-12);
        assert_close_vec3(s.velocity, hwMakeVec3(1.0, -2.0, 5.0 - 9.81 * 2.0), 1e-12);
        assert_close_vec3(s.acceleration, hwMakeVec3(0.0, 0.0, -9.81), 1e-12);
        assert_close_vec3(s.rate, def.rate, 1e-12);
        hwDestroyWorld(world);
    }
}

// A body whose frame is not at its centre of mass moves like one whose frame is.
static void off_centre_frame_changes_nothing(void** state) {
    (void)state;
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    hwWorld* world = MakeWorld(&environment, (hwSolverDef){.tolerance = 1e-12});
    assert_status(hwWorld_UseReference(world, HW_REFERENCE_EXPLICIT, NULL), HW_OK);
    hwVec3 com = hwMakeVec3(0.3, -0.2, 0.5);
    hwBodyDef a = MakeBody("a", 2.0, 0.0), b = a;
    const double inertia[6] = {1.0, 2.0, 2.5, 0.1, -0.2, 0.3};
    memcpy(a.inertia, inertia, sizeof(inertia));
    memcpy(b.inertia, inertia, sizeof(inertia));
    hwQuat attitude = hwQuatFromRpy(0.3, 0.2, 0.1);
    a.attitude = b.attitude = attitude;
    a.rate = b.rate = hwMakeVec3(1.0, 2.0, -0.5);
    a.velocity = hwMakeVec3(0.5, 0.0, 0.0);
    b.name = "b";
    b.com = com;
    b.position = hwNeg(hwRotate(attitude, com));
    b.velocity = hwSub(a.velocity, hwRotate(attitude, hwCross(a.rate, com)));
    hwBodyId ida = Add(world, &a), idb = Add(world, &b);
    Prepare(world);
    Run(world, 3.0);
    hwBodyState sa = Read(world, ida), sb = Read(world, idb);
    // tolerance 1e-12 per step over some hundred steps
    assert_close_vec3(sa.position, hwAdd(sb.position, hwRotate(sb.attitude, com)), 1e-9);
    assert_close_vec3(sa.rate, sb.rate, 1e-9);
    hwDestroyWorld(world);
}

static void com_attitude_turns_the_inertia(void** state) {
    (void)state;
    hwEnvironmentDef environment = Weightless();
    hwWorld* world = MakeWorld(&environment, (hwSolverDef){0});
    hwBodyDef a = MakeBody("a", 1.0, 1.0);
    a.inertia[0] = 1.0, a.inertia[1] = 2.0, a.inertia[2] = 2.5;
    hwBodyDef b = a;
    b.name = "b";
    // a quarter turn about z exchanges x and y
    b.comAttitude = hwQuatFromRpy(0.0, 0.0, 0.5 * HW_PI);
    hwBodyId ida = Add(world, &a), idb = Add(world, &b);
    Prepare(world);
    hwVec3 torque = hwMakeVec3(1.0, 0.0, 0.0);
    assert_status(hwBody_ApplyWrench(world, ida, hwVec3_zero, torque, hwVec3_zero, HW_FRAME_BODY, NULL),
                  HW_OK);
    assert_status(hwBody_ApplyWrench(world, idb, hwVec3_zero, torque, hwVec3_zero, HW_FRAME_BODY, NULL),
                  HW_OK);
    assert_close(Read(world, ida).rateAcceleration.x, 1.0, 1e-14);
    assert_close(Read(world, idb).rateAcceleration.x, 0.5, 1e-14);
    hwDestroyWorld(world);
}

static void wrenches_add_up_until_cleared(void** state) {
    (void)state;
    hwEnvironmentDef environment = Weightless();
    hwWorld* world = MakeWorld(&environment, (hwSolverDef){0});
    hwBodyDef def = MakeBody("box", 2.0, 4.0);
    def.position = hwMakeVec3(10.0, 0.0, 0.0);
    def.attitude = hwQuatFromRpy(0.0, 0.0, 0.5 * HW_PI);
    hwBodyId box = Add(world, &def);
    Prepare(world);
    hwVec3 push = hwMakeVec3(6.0, 0.0, 0.0);
    // body x is world y
    assert_status(hwBody_ApplyWrench(world, box, push, hwVec3_zero, hwVec3_zero, HW_FRAME_BODY, NULL), HW_OK);
    assert_close_vec3(Read(world, box).acceleration, hwMakeVec3(0.0, 3.0, 0.0), 1e-13);
    assert_status(
        hwBody_ApplyWrench(world, box, push, hwVec3_zero, hwMakeVec3(10.0, 1.0, 0.0), HW_FRAME_WORLD, NULL),
        HW_OK);
    assert_close_vec3(Read(world, box).acceleration, hwMakeVec3(3.0, 3.0, 0.0), 1e-13);
    assert_close(Read(world, box).rateAcceleration.z, -6.0 / 4.0, 1e-13);
    assert_status(hwBody_ClearForces(world, box, NULL), HW_OK);
    assert_close_vec3(Read(world, box).acceleration, hwVec3_zero, 0.0);
    hwDestroyWorld(world);
}

static void forces_by_signal_act_at_their_point(void** state) {
    (void)state;
    hwEnvironmentDef environment = Weightless();
    hwWorld* world = MakeWorld(&environment, (hwSolverDef){0});
    hwBodyDef def = MakeBody("box", 2.0, 4.0);
    hwBodyId box = Add(world, &def);
    hwSignalTerm push = hwConstantTerm(hwMakeVec3(0.0, 8.0, 0.0)),
                 twist = hwConstantTerm(hwMakeVec3(4.0, 0.0, 0.0));
    hwForceDef force = hwDefaultForceDef();
    force.body = box;
    force.at = hwMakeVec3(0.5, 0.0, 0.0);
    force.force = (hwSignal){1, &push};
    force.torque = (hwSignal){1, &twist};
    hwForceId id = hwWorld_AddForce(world, &force, NULL);
    assert_false(HW_IS_NULL(id));
    Prepare(world);
    hwBodyState s = Read(world, box);
    assert_close_vec3(s.acceleration, hwMakeVec3(0.0, 4.0, 0.0), 1e-14);
    assert_close_vec3(s.rateAcceleration, hwMakeVec3(1.0, 0.0, 1.0), 1e-14);
    assert_status(hwWorld_RemoveForce(world, id, NULL), HW_OK);
    Prepare(world);
    assert_close_vec3(Read(world, box).acceleration, hwVec3_zero, 0.0);
    hwDestroyWorld(world);
}

static void added_mass_is_inertia_and_may_change(void** state) {
    (void)state;
    hwEnvironmentDef environment = Weightless();
    hwWorld* world = MakeWorld(&environment, (hwSolverDef){0});
    hwBodyDef def = MakeBody("box", 2.0, 4.0);
    def.hydro.addedMass[0][0] = 6.0;
    hwBodyId box = Add(world, &def);
    Prepare(world);
    assert_status(hwBody_ApplyWrench(world, box, hwMakeVec3(16.0, 16.0, 0.0), hwVec3_zero, hwVec3_zero,
                                     HW_FRAME_WORLD, NULL),
                  HW_OK);
    assert_close_vec3(Read(world, box).acceleration, hwMakeVec3(2.0, 8.0, 0.0), 1e-14);
    double heavier[36] = {0};
    heavier[0] = 14.0;
    assert_status(hwBody_SetAddedMass(world, box, heavier, NULL), HW_OK);
    assert_close_vec3(Read(world, box).acceleration, hwMakeVec3(1.0, 8.0, 0.0), 1e-14);
    heavier[0] = -1.0;
    hwError error;
    assert_status(hwBody_SetAddedMass(world, box, heavier, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "added mass"));
    hwDestroyWorld(world);
}

// Kinetic energy of body plus water is conserved for any added mass, in both solvers to their accuracy.
static void tumbling_in_water_keeps_its_energy(void** state) {
    (void)state;
    hwEnvironmentDef environment = Weightless();
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeWorld(&environment, (hwSolverDef){.tolerance = reference ? 1e-11 : 1e-5});
        if (reference) assert_status(hwWorld_UseReference(world, HW_REFERENCE_EXPLICIT, NULL), HW_OK);
        hwBodyDef def = MakeBody("box", 2.0, 1.0);
        def.inertia[1] = 1.3, def.inertia[2] = 1.6;
        uint64_t seed = 5;
        double rows[6][6];
        for (int i = 0; i < 36; ++i) rows[i / 6][i % 6] = 2.0 * TestRandom(&seed);
        for (int i = 0; i < 36; ++i) {
            for (int k = 0; k < 6; ++k) def.hydro.addedMass[i / 6][i % 6] += rows[k][i / 6] * rows[k][i % 6];
        }
        def.velocity = hwMakeVec3(1.0, 0.3, -0.2);
        def.rate = hwMakeVec3(0.5, -1.0, 0.7);
        Add(world, &def);
        Prepare(world);
        double before = hwWorld_GetEnergy(world).kinetic;
        Run(world, 10.0);
        double after = hwWorld_GetEnergy(world).kinetic;
        // reference: 1e-11 per step, some hundred steps; realtime: it damps by about its local error per step
        assert_close(after, before, (reference ? 1e-8 : 1e-2) * before);
        hwDestroyWorld(world);
    }
}

static void prescribed_body_follows_its_signals(void** state) {
    (void)state;
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    hwWorld* world = MakeWorld(&environment, (hwSolverDef){0});
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "ship";
    def.motion = HW_MOTION_PRESCRIBED;
    hwSignalTerm heave = hwSineTerm(hwMakeVec3(0.0, 0.0, 2.0), 8.0, 0.3);
    hwSignalTerm roll = hwSineTerm(hwMakeVec3(0.2, 0.1, 0.0), 10.0, 0.0);
    def.prescribedPosition = (hwSignal){1, &heave};
    def.prescribedAttitude = (hwSignal){1, &roll};
    hwBodyId ship = Add(world, &def);
    Prepare(world);
    Run(world, 3.0);
    hwBodyState s = Read(world, ship);
    double w = 2.0 * HW_PI / 8.0, phase = w * 3.0 + 0.3;
    assert_close(s.position.z, 2.0 * sin(phase), 1e-14);
    assert_close(s.velocity.z, 2.0 * w * cos(phase), 1e-14);
    assert_close(s.acceleration.z, -2.0 * w * w * sin(phase), 1e-13);
    hwVec3 rpy = hwRpyFromQuat(s.attitude);
    assert_close(rpy.x, 0.2 * sin(2.0 * HW_PI * 0.3), 1e-14);
    assert_close(rpy.y, 0.1 * sin(2.0 * HW_PI * 0.3), 1e-14);
    hwDestroyWorld(world);
}

static void hand_driven_body_goes_on_between_calls(void** state) {
    (void)state;
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    hwWorld* world = MakeWorld(&environment, (hwSolverDef){0});
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "deck";
    def.motion = HW_MOTION_PRESCRIBED;
    hwBodyId deck = Add(world, &def);
    Prepare(world);
    hwBodyState push = {.position = {1.0, 0.0, 0.0},
                        .attitude = hwQuat_identity,
                        .velocity = {0.0, 2.0, 0.0},
                        .rate = {0.0, 0.0, 0.5},
                        .acceleration = {0.0, 0.0, 3.0}};
    assert_status(hwBody_SetState(world, deck, &push, NULL), HW_OK);
    Run(world, 0.5);
    hwBodyState s = Read(world, deck);
    assert_close_vec3(s.position, hwMakeVec3(1.0, 1.0, 0.375), 1e-14);
    assert_close_vec3(s.velocity, hwMakeVec3(0.0, 2.0, 1.5), 1e-14);
    assert_close(hwRpyFromQuat(s.attitude).z, 0.25, 1e-14);
    hwDestroyWorld(world);
}

static void fixed_body_stays(void** state) {
    (void)state;
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    hwWorld* world = MakeWorld(&environment, (hwSolverDef){0});
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "quay";
    def.motion = HW_MOTION_FIXED;
    def.position = hwMakeVec3(1.0, 2.0, 3.0);
    hwBodyId quay = Add(world, &def);
    Prepare(world);
    Run(world, 10.0);
    assert_close_vec3(Read(world, quay).position, def.position, 0.0);
    hwBodyState s = Read(world, quay);
    assert_status(hwBody_SetState(world, quay, &s, NULL), HW_ERROR_ORDER);
    hwDestroyWorld(world);
}

// Added mass ten times the body's, 1/60 s, a stiff drag: no instability, and close to the reference.
static void heavy_added_mass_is_stable_at_frame_rate(void** state) {
    (void)state;
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = true;
    hwVec3 position[2];
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeWorld(&environment, (hwSolverDef){0});
        if (reference) assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, NULL), HW_OK);
        hwBodyDef def = MakeBody("box", 10.0, 1.0);
        def.hydro.volume = 0.012;
        for (int i = 0; i < 3; ++i) {
            def.hydro.addedMass[i][i] = 100.0;
            def.hydro.addedMass[i + 3][i + 3] = 10.0;
            def.hydro.quadraticDrag[i] = 300.0;
            def.hydro.linearDrag[i + 3] = 100.0;
        }
        def.hydro.hasBuoyancyCenter = true;
        def.hydro.buoyancyCenter = hwMakeVec3(0.0, 0.0, 0.1);
        def.position = hwMakeVec3(0.0, 0.0, -20.0);
        def.velocity = hwMakeVec3(2.0, 0.0, 0.0);
        def.attitude = hwQuatFromRpy(0.5, 0.3, 0.0);
        hwBodyId box = Add(world, &def);
        Prepare(world);
        for (int i = 0; i < 600; ++i) Run(world, 1.0 / 60.0);
        position[reference] = Read(world, box).position;
        hwDestroyWorld(world);
    }
    assert_close_vec3(position[0], position[1], 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_as_galilei_said),
        cmocka_unit_test(off_centre_frame_changes_nothing),
        cmocka_unit_test(com_attitude_turns_the_inertia),
        cmocka_unit_test(wrenches_add_up_until_cleared),
        cmocka_unit_test(forces_by_signal_act_at_their_point),
        cmocka_unit_test(added_mass_is_inertia_and_may_change),
        cmocka_unit_test(tumbling_in_water_keeps_its_energy),
        cmocka_unit_test(prescribed_body_follows_its_signals),
        cmocka_unit_test(hand_driven_body_goes_on_between_calls),
        cmocka_unit_test(fixed_body_stays),
        cmocka_unit_test(heavy_added_mass_is_stable_at_frame_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
