// Bodies that spin: energy, angular momentum and the way of the centre of mass, at any rate and with any centre of mass.
#include "rig.h"

#include "math/spatial.h"
#include "mech/free_motion.h"

static const hwVec3 inertia = {1.0, 2.0, 2.5};

static hwWorld* MakeWorld(double gravity) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    dry.gravity = gravity;
    assert_status(hwWorld_SetEnvironment(world, &dry, &error), HW_OK);
    return world;
}

static hwBodyId AddTop(hwWorld* world, hwVec3 com, hwVec3 velocity, hwVec3 rate) {
    hwError error;
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "top";
    def.mass = 10.0;
    def.com = com;
    def.inertia[0] = inertia.x, def.inertia[1] = inertia.y, def.inertia[2] = inertia.z;
    def.attitude = hwQuatFromRpy(0.3, -0.5, 1.1);
    def.velocity = velocity;
    def.rate = rate;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    Prepare(world);
    return id;
}

// About the centre of mass, world axes.
static hwVec3 GetMomentum(const hwBodyState* s) {
    hwVec3 w = s->rate, L = {inertia.x * w.x, inertia.y * w.y, inertia.z * w.z};
    return hwRotate(s->attitude, L);
}

static double GetEnergy(const hwBodyState* s, hwVec3 com) {
    hwVec3 w = s->rate, v = hwAdd(s->velocity, hwRotate(s->attitude, hwCross(w, com)));
    return 5.0 * hwDot(v, v) + 0.5 * (inertia.x * w.x * w.x + inertia.y * w.y * w.y + inertia.z * w.z * w.z);
}

static hwVec3 GetCentre(const hwBodyState* s, hwVec3 com) {
    return hwAdd(s->position, hwRotate(s->attitude, com));
}

// A thousand turns of free spin, from slow to 12,000 rad/s, about axes near the principal ones and far from them, the
// unstable one among them, with the centre of mass up to 3.6 m off.
static void free_spin_keeps_energy_and_momentum_for_a_thousand_turns(void** state) {
    (void)state;
    const double rates[4] = {0.3, 12.0, 120.0, 12000.0};
    const hwVec3 centres[3] = {{0.0, 0.0, 0.0}, {0.3, 0.1, -0.2}, {3.6, 0.0, 0.0}};
    const hwVec3 axes[4] = {{0.0, 0.0, 1.0}, {0.001, 1.0, 0.001}, {0.6, 0.64, 0.48}, {1.0, 0.05, 0.02}};
    for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 3; ++c) {
            for (int a = 0; a < 4; ++a) {
                hwWorld* world = MakeWorld(0.0);
                hwVec3 com = centres[c], drift = hwMakeVec3(0.2, -0.1, 0.05);
                hwBodyId id = AddTop(world, com, drift, hwScale(rates[r], axes[a]));
                hwBodyState before = ReadBody(world, id);
                double turns = 1000.0 * 2.0 * HW_PI / rates[r];
                // in frames of 1/60 s, as everything that is shown, but for the slowest: 350 min
                double frame = fmax(1.0 / 60.0, turns / 5000.0);
                hwError error;
                for (double t = 0.0; t < turns; t += frame)
                    if (hwWorld_Step(world, frame, &error) < HW_OK) fail_msg("%s", error.message);
                hwBodyState after = ReadBody(world, id);
                double E = GetEnergy(&before, com);
                hwVec3 L = GetMomentum(&before), drifted = hwSub(GetMomentum(&after), L);
                assert_close(GetEnergy(&after, com), E, 1e-6 * E);
                assert_close(hwLength(drifted), 0.0, 1e-6 * hwLength(L));
                hwDestroyWorld(world);
            }
        }
    }
}

// Thrown, its centre of mass goes along a parabola however it spins.
static void spinning_body_falls_as_its_centre_of_mass(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(9.81);
    hwVec3 com = {0.3, 0.1, -0.2};
    hwBodyId id = AddTop(world, com, hwMakeVec3(3.0, 0.0, 8.0), hwMakeVec3(300.0, 20.0, 10.0));
    hwBodyState before = ReadBody(world, id);
    hwVec3 from = GetCentre(&before, com);
    hwVec3 speed = hwAdd(before.velocity, hwRotate(before.attitude, hwCross(before.rate, com)));
    Run(world, 2.0);
    hwBodyState after = ReadBody(world, id);
    hwVec3 expected = hwMulAdd(hwMulAdd(from, 2.0, speed), -0.5 * 9.81 * 4.0, hwMakeVec3(0.0, 0.0, 1.0));
    // rounding of 120 steps with 600 rad in them
    assert_close_vec3(GetCentre(&after, com), expected, 1e-8);
    assert_close(hwLength(GetMomentum(&after)), hwLength(GetMomentum(&before)), 1e-9 * 300.0);
    hwDestroyWorld(world);
}

// A torque that stands still in the world turns the axis of a fast spin: the angular momentum grows along the torque.
// Splitting must not be taken for a solution there: steps become short, and the answer is right.
static void torque_on_a_spin_moves_its_momentum(void** state) {
    (void)state;
    for (int fast = 0; fast < 2; ++fast) {
        hwWorld* world = MakeWorld(0.0);
        hwError error;
        hwBodyId id =
            AddTop(world, hwMakeVec3(0.0, 0.0, 0.1), hwVec3_zero, hwMakeVec3(2.0, 1.0, fast ? 400.0 : 20.0));
        hwBodyState before = ReadBody(world, id);
        hwVec3 torque = {5.0, -3.0, 2.0};
        hwForceDef push = hwDefaultForceDef();
        push.body = id;
        hwSignalTerm term = hwConstantTerm(torque);
        push.torque = (hwSignal){1, &term};
        assert_false(HW_IS_NULL(hwWorld_AddForce(world, &push, &error)));
        Prepare(world);
        Run(world, 1.0);
        hwBodyState after = ReadBody(world, id);
        hwVec3 gained = hwSub(GetMomentum(&after), GetMomentum(&before));
        // about the centre of mass a pure torque is the same; stages advance the momentum itself, so what is left is what
        // Newton's method leaves of a momentum of up to 1000
        assert_close(hwLength(hwSub(gained, torque)), 0.0, 1e-6 * hwLength(torque));
        hwDestroyWorld(world);
    }
}

// A force that goes round with a spinning body: where it is and how it stands after a second, against steps of a hundredth of the
// tolerance. Errors of stages are those of what differs from free flight, not of the spin.
static void force_that_goes_round_with_a_spin(void** state) {
    (void)state;
    hwBodyState end[2];
    for (int fine = 0; fine < 2; ++fine) {
        hwWorld* world = MakeWorld(0.0);
        hwError error;
        hwBodyId id = AddTop(world, hwMakeVec3(0.2, 0.0, 0.1), hwVec3_zero, hwMakeVec3(2.0, 1.0, 20.0));
        hwForceDef push = hwDefaultForceDef();
        push.body = id;
        push.frame = HW_FRAME_BODY;
        push.at = hwMakeVec3(0.5, 0.2, 0.0);
        hwSignalTerm term = hwConstantTerm(hwMakeVec3(3.0, 5.0, -4.0));
        push.force = (hwSignal){1, &term};
        assert_false(HW_IS_NULL(hwWorld_AddForce(world, &push, &error)));
        Prepare(world);
        if (fine) {
            hwSolverDef solver = hwDefaultWorldDef().solver;
            solver.tolerance = 2e-5;
            assert_status(hwWorld_SetSolver(world, &solver, &error), HW_OK);
        }
        Run(world, 1.0);
        end[fine] = ReadBody(world, id);
        hwDestroyWorld(world);
    }
    // half of the default tolerance, 2e-3, of 3.6 m gone and of a twentieth of the rate of 20 rad/s
    assert_close_vec3(end[0].position, end[1].position, 1e-3 * hwLength(end[1].position));
    assert_close_vec3(end[0].rate, end[1].rate, 1e-3);
}

// The motion without forces against a fine integration of Euler's equations: fourth order in its steps, here 0.2 rad.
static void free_motion_follows_eulers_equations(void** state) {
    (void)state;
    hwLink link = {.parent = -1, .joint = HW_LINK_FREE, .mass = 10.0, .com = {0.3, 0.1, -0.2}};
    link.inertia = (hwSym3){.xx = 1.0, .yy = 2.0, .zz = 2.5, .xy = 0.1, .xz = -0.2, .yz = 0.05};
    hwFreeMotion fine = {.q = {1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0}, .v = {0.5, 0.0, -0.5, 1.0, 2.0, -1.5}};
    hwFreeMotion once = fine, forward = fine;
    hwFreeMotion_Advance(&once, &link, 3.0);
    for (int i = 0; i < 3000; ++i) hwFreeMotion_Advance(&fine, &link, 1e-3);
    for (int k = 0; k < 7; ++k) assert_close(once.q[k], fine.q[k], 1e-4);
    for (int k = 0; k < 6; ++k) assert_close(once.v[k], fine.v[k], 5e-4);
    // its accelerations are the slopes of its velocities
    hwFreeMotion back = forward;
    const double dt = 1e-4;
    hwFreeMotion_Advance(&forward, &link, dt);
    hwFreeMotion_Advance(&back, &link, -dt);
    hwFreeMotion now = {.q = {1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0}, .v = {0.5, 0.0, -0.5, 1.0, 2.0, -1.5}};
    hwFreeMotion_Advance(&now, &link, 0.0);
    for (int k = 0; k < 6; ++k) assert_close((forward.v[k] - back.v[k]) / (2.0 * dt), now.a[k], 1e-6);
    for (int k = 0; k < 3; ++k) assert_close((forward.q[k] - back.q[k]) / (2.0 * dt), now.v[k], 1e-6);
}

// Faster than can be followed, held by a wire: it may be damped, but not gain.
static void spin_on_a_wire_gains_nothing(void** state) {
    (void)state;
    const double rates[3] = {12.0, 120.0, 1200.0};
    for (int r = 0; r < 3; ++r) {
        hwWorld* world = MakeWorld(9.81);
        hwError error;
        hwBodyDef def = hwDefaultBodyDef();
        def.name = "top";
        def.mass = 10.0;
        def.com = hwMakeVec3(0.05, 0.02, -0.3);
        def.inertia[0] = inertia.x, def.inertia[1] = inertia.y, def.inertia[2] = inertia.z;
        def.position = hwMakeVec3(0.0, 0.0, -5.0);
        def.rate = hwMakeVec3(0.1 * rates[r], 0.0, rates[r]);
        hwBodyId id = hwWorld_AddBody(world, &def, &error);
        hwCableSectionDef section = hwDefaultCableSectionDef();
        section.length = 5.0;
        section.elements = 5;
        section.diameter = 0.02;
        section.massPerLength = 1.0;
        section.EA = 1e6;
        AddCable(world, "wire", &section, Pin(earth, hwVec3_zero), Pin(id, hwVec3_zero), 0);
        Prepare(world);
        double before = Read(world, "world.energy"), most = before;
        for (int i = 0; i < 60; ++i) {
            Run(world, 1.0 / 60.0);
            most = fmax(most, Read(world, "world.energy"));
        }
        hwBodyState start = {.rate = def.rate, .attitude = hwQuat_identity};
        // 2 % of the energy in motion, as for the random assemblies of `make soak`
        assert_true(most - before < 0.02 * GetEnergy(&start, def.com));
        hwDestroyWorld(world);
    }
}

// A link on a ball joint or a hinge that nothing drives.
static void AddLink(hwWorld* world, const char* name, hwLinkDef link) {
    hwError error;
    hwMechanismDef def = hwDefaultMechanismDef();
    link.body.name = "link";
    link.frame = hwMakeJointFrame(hwVec3_zero, hwQuat_identity, hwMakeVec3(1.0, 0.0, 0.0));
    def.name = name;
    def.links = &link;
    def.linkCount = 1;
    if (HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error))) fail_msg("%s", error.message);
}

// A heavy top on a fixed point, started so that it goes round steadily: A cos(tilt) W^2 - I3 s W + m g l = 0 for the rate W of its
// axis, s its spin about the axis.
static void top_goes_round_as_it_should(void** state) {
    (void)state;
    const double mass = 50.0, arm = 1.2, I1 = 1.0, I3 = 2.0, tilt = 0.5, spins[2] = {300.0, 1000.0};
    for (int k = 0; k < 2; ++k) {
        hwWorld* world = MakeWorld(9.81);
        double a = (I1 + mass * arm * arm) * cos(tilt), b = I3 * spins[k], c = mass * 9.81 * arm;
        double rate = 2.0 * c / (b + sqrt(b * b - 4.0 * a * c));
        hwLinkDef link = hwDefaultLinkDef();
        link.joint = HW_JOINT_BALL;
        link.body.mass = mass;
        link.body.com = hwMakeVec3(0.0, 0.0, arm);
        link.body.inertia[0] = link.body.inertia[1] = I1;
        link.body.inertia[2] = I3;
        link.turn = hwQuatFromRpy(0.0, tilt, 0.0);
        link.turnRate = hwMakeVec3(-rate * sin(tilt), 0.0, spins[k]);
        AddLink(world, "top", link);
        Prepare(world);
        Run(world, 2.0);
        hwVec3 rpy = hwMakeVec3(Read(world, "top.link.attitude.roll"), Read(world, "top.link.attitude.pitch"),
                                Read(world, "top.link.attitude.yaw"));
        hwVec3 axis = hwRotate(hwQuatFromRpy(rpy.x, rpy.y, rpy.z), hwMakeVec3(0.0, 0.0, 1.0));
        hwVec3 expected = {sin(tilt) * cos(2.0 * rate), sin(tilt) * sin(2.0 * rate), cos(tilt)};
        // half of the default tolerance
        assert_close_vec3(axis, expected, 1e-3);
        hwDestroyWorld(world);
    }
}

// What swings slowly beside something that spins is followed as it is alone: its error is not measured by the spin.
static void pendulum_beside_a_spin_swings_as_alone(void** state) {
    (void)state;
    double swing[2];
    for (int beside = 0; beside < 2; ++beside) {
        hwError error;
        hwWorld* world = MakeWorld(9.81);
        hwLinkDef link = hwDefaultLinkDef();
        link.body.mass = 7.0;
        link.body.com = hwMakeVec3(0.0, 0.0, -0.5);
        link.body.inertia[0] = link.body.inertia[1] = 7.0 / 12.0;
        link.body.inertia[2] = 1e-3;
        link.hasQ = true;
        link.q = 0.5;
        AddLink(world, "pendulum", link);
        if (beside) AddTop(world, hwVec3_zero, hwVec3_zero, hwMakeVec3(0.0, 0.0, 1000.0));
        hwSolverDef solver = hwDefaultWorldDef().solver;
        solver.tolerance = 1e-4;
        assert_status(hwWorld_SetSolver(world, &solver, &error), HW_OK);
        Prepare(world);
        for (int i = 0; i < 20; ++i) assert_true(hwWorld_Step(world, 0.5, &error) >= HW_OK);
        swing[beside] = Read(world, "pendulum.link.q");
        hwDestroyWorld(world);
    }
    assert_close(swing[1], swing[0], 1e-3); // 0.01 and more when errors counted against the spin
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_motion_follows_eulers_equations),
        cmocka_unit_test(free_spin_keeps_energy_and_momentum_for_a_thousand_turns),
        cmocka_unit_test(spinning_body_falls_as_its_centre_of_mass),
        cmocka_unit_test(torque_on_a_spin_moves_its_momentum),
        cmocka_unit_test(force_that_goes_round_with_a_spin),
        cmocka_unit_test(spin_on_a_wire_gains_nothing),
        cmocka_unit_test(top_goes_round_as_it_should),
        cmocka_unit_test(pendulum_beside_a_spin_swings_as_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
