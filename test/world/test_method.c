// What the steps of the built-in solver damp is a term of the balance of energy: what it is against an exact solution, and that the
// balance closes with it at any size of step while nothing else of it is hidden.
#include "rig.h"

#include <complex.h>

static hwWorld* MakeWorld(double gravity, double step) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.tolerance = 0.1; // errors do not shorten steps
    def.solver.initial = def.solver.max = step;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    dry.gravity = gravity;
    assert_status(hwWorld_SetEnvironment(world, &dry, &error), HW_OK);
    return world;
}

static double Mechanical(hwEnergy e) {
    return e.kinetic + e.potential + e.elastic;
}

static double Balance(hwEnergy e) {
    return Mechanical(e) + e.dissipated + e.method - e.work;
}

static hwCableSectionDef MakeWire(double length, int elements, double mass) {
    hwCableSectionDef wire = hwDefaultCableSectionDef();
    wire.length = length;
    wire.elements = elements;
    wire.diameter = 0.02;
    wire.massPerLength = mass;
    wire.EA = 1e7;
    wire.axialDamping = 0.0;
    return wire;
}

// Growth of TR-BDF2 in a step for y' = lambda y with z = h lambda (Bank et al. 1985), from its two stages.
static double complex Grow(double complex z) {
    const double d = 1.0 - sqrt(0.5), w = sqrt(0.125);
    double complex first = (1.0 + d * z) / (1.0 - d * z);
    return (1.0 + w * z + w * z * first) / (1.0 - d * z);
}

// A load on a wire of one element that stays taut is a linear oscillator: of the energy of its swing the method leaves |R(i w h)|^2 in each
// step, and the rest is what it has damped.
static void DampingOfALinearOscillatorIsThatOfTheStabilityFunction(void** state) {
    (void)state;
    const double mass = 400.0, length = 10.0, light = 1e-3, EA = 1e7, gravity = 9.81;
    const double k = EA / length, m = mass + light * length / 3.0, omega = sqrt(k / m);
    const double phases[2] = {0.4, 1.5}; // rad in a step: followed, and hardly so
    for (int i = 0; i < 2; ++i) {
        double h = phases[i] / omega;
        hwWorld* world = MakeWorld(gravity, h);
        // at the middle between unstretched and twice the stretch of rest, so that it never goes slack
        double rest = (mass + 0.5 * light * length) * gravity / k, amplitude = 0.5 * rest;
        hwBodyId load = AddLoad(world, "load", mass, hwMakeVec3(0.0, 0.0, -(length + rest + amplitude)));
        hwCableSectionDef wire = MakeWire(length, 1, light);
        AddCable(world, "wire", &wire, Pin(earth, hwVec3_zero), Pin(load, hwVec3_zero), 0);
        Prepare(world);
        hwEnergy start = hwWorld_GetEnergy(world);
        const int steps = 20;
        hwError error;
        for (int n = 0; n < steps; ++n) assert_true(hwWorld_Step(world, h, &error) >= HW_OK);
        assert_int_equal(hwWorld_GetCounters(world).steps, steps);
        hwEnergy end = hwWorld_GetEnergy(world);
        double swing = 0.5 * k * amplitude * amplitude;
        double damped = swing * (1.0 - pow(cabs(Grow(I * omega * h)), 2.0 * steps));
        // the wire has 2.5e-5 of the load's mass, not all of it shared as a third
        assert_close(end.method, damped, 1e-5 * swing);
        assert_close(Mechanical(start) - Mechanical(end), damped, 1e-5 * swing);
        assert_close(Balance(end), Balance(start), 1e-8 * swing);
        hwDestroyWorld(world);
    }
}

// A load that falls into its undamped wire and is thrown back, again and again: at steps of 1/60 s nearly all of its energy is gone
// after a while, and nothing but the method has taken it. The balance knows of all of it.
static void BouncingOnAWireIsDampedByTheMethodAlone(void** state) {
    (void)state;
    const double steps[3] = {1.0 / 60.0, 1.0 / 240.0, 1e-3};
    for (int i = 0; i < 3; ++i) {
        hwWorld* world = MakeWorld(9.81, steps[i]);
        hwBodyId load = AddLoad(world, "load", 400.0, hwMakeVec3(0.0, 0.0, -10.0));
        hwCableSectionDef wire = MakeWire(12.0, 10, 1.2);
        AddCable(world, "wire", &wire, Pin(earth, hwVec3_zero), Pin(load, hwVec3_zero), 0);
        Prepare(world);
        hwEnergy start = hwWorld_GetEnergy(world), now = start;
        double off = 0.0, fallen = 400.0 * 9.81 * 2.0; // J
        hwError error;
        for (int n = 0; n < 600; ++n) {
            assert_true(hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK);
            now = hwWorld_GetEnergy(world);
            off = fmax(off, fabs(Balance(now) - Balance(start)));
        }
        // where the slack wire lies on itself it rubs
        assert_true(now.dissipated < 0.01 * fallen);
        if (i == 0) assert_true(now.method > 0.3 * fallen);
        // what Newton's method leaves where the wire snaps taut
        assert_true(off < 2e-4 * fallen);
        hwDestroyWorld(world);
    }
}

// The same of cables without inertia, one of which a winch hauls in: 2 to 50 % of what changed hands was missing in hawser run.
static void BouncingOnOneWithoutInertiaIsDampedByTheMethodAlone(void** state) {
    (void)state;
    static const hwCableKind kinds[3] = {HW_CABLE_LINE, HW_CABLE_VEE, HW_CABLE_CATENARY};
    for (int i = 0; i < 6; ++i) {
        hwError error;
        hwWorld* world = MakeWorld(9.81, 1.0 / 60.0);
        hwBodyId load = AddLoad(world, "load", 400.0, hwMakeVec3(0.0, 0.0, -10.0));
        hwCableSectionDef wire = MakeWire(12.0, 10, 1.2);
        hwCableDef def = hwDefaultCableDef();
        def.name = "wire";
        def.kind = kinds[i % 3];
        def.sectionCount = 1;
        def.sections = &wire;
        def.ends[0] = Pin(earth, hwVec3_zero);
        def.ends[1] = Pin(load, hwVec3_zero);
        hwCableId id = hwWorld_AddCable(world, &def, &error);
        assert_false(HW_IS_NULL(id));
        hwSignalTerm rate = hwConstantTerm(hwMakeVec3(-0.2, 0.0, 0.0));
        hwWinchDef winch = hwDefaultWinchDef();
        winch.name = "winch";
        winch.cable = id;
        winch.setpoint = (hwSignal){1, &rate};
        if (i >= 3) assert_false(HW_IS_NULL(hwWorld_AddWinch(world, &winch, &error)));
        Prepare(world);
        hwEnergy start = hwWorld_GetEnergy(world), now = start;
        double off = 0.0, fallen = 400.0 * 9.81 * 2.0; // J
        for (int n = 0; n < 600; ++n) {
            assert_true(hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK);
            now = hwWorld_GetEnergy(world);
            off = fmax(off, fabs(Balance(now) - Balance(start)));
        }
        if (i < 3) assert_true(fabs(now.method) > 0.1 * fallen);
        assert_true(off < 1e-6 * fallen); // 7e-8 seen
        hwDestroyWorld(world);
    }
}

// Two links on a free base that spins fast: the method gains or loses by its rotation, and the balance says so.
static void AFastSpinningTreeBalances(void** state) {
    (void)state;
    const double rates[3] = {3.0, 30.0, 120.0};
    for (int i = 0; i < 3; ++i) {
        hwError error;
        hwWorldDef def = hwDefaultWorldDef();
        hwWorld* world = hwCreateWorld(&def, &error);
        hwEnvironmentDef space = hwDefaultEnvironmentDef();
        space.gravity = 0.0;
        assert_status(hwWorld_SetEnvironment(world, &space, &error), HW_OK);
        hwMechanismDef mechanism = hwDefaultMechanismDef();
        hwBodyDef* base = &mechanism.free;
        mechanism.name = "m";
        mechanism.base = HW_BASE_FREE;
        base->mass = 10.0;
        base->inertia[0] = 1.0, base->inertia[1] = 2.0, base->inertia[2] = 2.5;
        base->rate = hwScale(rates[i], hwMakeVec3(0.1, 0.2, 1.0));
        hwLinkDef links[2] = {hwDefaultLinkDef(), hwDefaultLinkDef()};
        for (int k = 0; k < 2; ++k) {
            links[k].body.name = k == 0 ? "one" : "two";
            links[k].parent = k - 1;
            links[k].frame.position = hwMakeVec3(0.6, 0.0, 0.1);
            links[k].frame.attitude = hwQuatFromRpy(k == 0 ? 1.5 : 0.0, 0.2, 0.0);
            links[k].body.mass = 3.0;
            links[k].body.com = hwMakeVec3(0.4, 0.0, 0.0);
            links[k].body.inertia[0] = 0.05, links[k].body.inertia[1] = links[k].body.inertia[2] = 0.2;
        }
        mechanism.links = links;
        mechanism.linkCount = 2;
        hwMechanismId id = hwWorld_AddMechanism(world, &mechanism, &error);
        if (HW_IS_NULL(id)) fail_msg("%s", error.message);
        Prepare(world);
        hwEnergy start = hwWorld_GetEnergy(world);
        for (int n = 0; n < 300; ++n) assert_true(hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK);
        hwEnergy end = hwWorld_GetEnergy(world);
        // of either sign: at 120 rad/s, which steps of some ms hardly follow, it has put in 0.1 %
        assert_close(end.method, Mechanical(start) - Mechanical(end), 3e-5 * start.kinetic);
        assert_close(Balance(end), Balance(start), 3e-5 * start.kinetic);
        if (rates[i] < 10.0) assert_true(fabs(end.method) < 1e-3 * start.kinetic);
        hwDestroyWorld(world);
    }
}

// Heavy links on light ones, all free to turn, on a base that spins: their velocity products make motion many times faster than the spin, and
// they are not in Newton's matrix. With steps that errors alone made no shorter than 2 ms 96 % of the energy were gone after 2 s.
static void HeavyLinksOnLightOnesKeepTheirEnergy(void** state) {
    (void)state;
    static const char* const names[4] = {"light", "heavy", "light2", "heavy2"};
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef space = hwDefaultEnvironmentDef();
    space.gravity = 0.0;
    assert_status(hwWorld_SetEnvironment(world, &space, &error), HW_OK);
    hwMechanismDef mechanism = hwDefaultMechanismDef();
    mechanism.name = "m";
    mechanism.base = HW_BASE_FREE;
    mechanism.free.mass = 100.0;
    for (int k = 0; k < 3; ++k) mechanism.free.inertia[k] = 5.0 + k;
    mechanism.free.rate = hwMakeVec3(30.0, 9.0, 6.0);
    hwLinkDef links[4];
    for (int i = 0; i < 4; ++i) {
        hwBodyDef* body = &links[i].body;
        links[i] = hwDefaultLinkDef();
        double mass = i % 2 == 1 ? 50.0 : 0.5, size = i % 2 == 1 ? 0.3 : 0.05;
        body->name = names[i];
        body->mass = mass;
        body->com = hwMakeVec3(0.1 * size, 0.2 * size, -0.5 * size - 0.1 * i);
        for (int k = 0; k < 3; ++k) body->inertia[k] = mass * size * size * (0.1 + 0.03 * k);
        links[i].parent = i - 1;
        links[i].joint = HW_JOINT_BALL;
        links[i].frame.position = hwMakeVec3(0.1, 0.3, -0.4);
    }
    mechanism.links = links;
    mechanism.linkCount = 4;
    hwMechanismId id = hwWorld_AddMechanism(world, &mechanism, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    Prepare(world);
    hwEnergy start = hwWorld_GetEnergy(world);
    for (int n = 0; n < 120; ++n) {
        assert_true(hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK);
        assert_close(hwWorld_GetEnergy(world).kinetic, start.kinetic, 0.03 * start.kinetic);
    }
    hwCounters counters = hwWorld_GetCounters(world);
    assert_true(counters.steps + counters.rejected < 8000);
    hwDestroyWorld(world);
}

// Likewise one link on a light base, both of which spin so fast that errors ask for steps of 0.1 rad. Newton's method solves these quickly, and they
// were left alone: the energy grew by 9 % in 20 ms, 50 turns. By 1.1 % now.
static void WhatSpinsFastKeepsItsEnergy(void** state) {
    (void)state;
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef space = hwDefaultEnvironmentDef();
    space.gravity = 0.0;
    assert_status(hwWorld_SetEnvironment(world, &space, &error), HW_OK);
    hwMechanismDef mechanism = hwDefaultMechanismDef();
    mechanism.name = "m";
    mechanism.base = HW_BASE_FREE;
    mechanism.free.mass = 0.5;
    for (int k = 0; k < 3; ++k) mechanism.free.inertia[k] = 1.3e-4 + 2e-6 * k;
    mechanism.free.rate = hwMakeVec3(-4e3, 1e4, -1.2e4);
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = "heavy";
    link.body.mass = 1.5;
    link.body.com = hwMakeVec3(0.01, 0.005, -0.01);
    for (int k = 0; k < 3; ++k) link.body.inertia[k] = 3.5e-3 + 5e-4 * k;
    link.parent = -1;
    link.joint = HW_JOINT_BALL;
    link.frame.position = hwMakeVec3(0.3, 0.6, -0.4);
    mechanism.links = &link;
    mechanism.linkCount = 1;
    hwMechanismId id = hwWorld_AddMechanism(world, &mechanism, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    Prepare(world);
    hwEnergy start = hwWorld_GetEnergy(world);
    for (int n = 0; n < 20; ++n) assert_true(hwWorld_Step(world, 1e-3, &error) >= HW_OK);
    hwEnergy end = hwWorld_GetEnergy(world);
    assert_close(end.kinetic, start.kinetic, 0.02 * start.kinetic);
    assert_close(Balance(end), Balance(start), 1e-3 * start.kinetic);
    assert_true(hwWorld_GetCounters(world).steps < 5000);
    hwDestroyWorld(world);
}

// A beam that falls onto the undamped stop of its joint and is thrown back, with steps of 1/60 s for a contact of some 30 ms: what is
// lost at the stop is the method's, and the balance knows of it.
static void ABeamOnItsStopIsDampedByTheMethodAlone(void** state) {
    (void)state;
    const double steps[2] = {1.0 / 60.0, 1.0 / 240.0};
    for (int i = 0; i < 2; ++i) {
        hwWorld* world = MakeWorld(9.81, steps[i]);
        hwError error;
        hwMechanismDef mechanism = hwDefaultMechanismDef();
        mechanism.name = "m";
        hwLinkDef beam = hwDefaultLinkDef();
        beam.body.name = "beam";
        beam.parent = -1;
        beam.body.mass = 20.0;
        beam.body.com = hwMakeVec3(1.0, 0.0, 0.0);
        beam.body.inertia[0] = 0.1, beam.body.inertia[1] = beam.body.inertia[2] = 7.0;
        beam.joint = HW_JOINT_REVOLUTE;
        beam.frame.attitude = hwQuatFromRpy(-1.5707963267948966, 0.0, 0.0); // its axis along y
        beam.limits.low = -1.0, beam.limits.high = 0.5;
        beam.limits.stiffness = 3e5, beam.limits.damping = 0.0;
        mechanism.links = &beam;
        mechanism.linkCount = 1;
        if (HW_IS_NULL(hwWorld_AddMechanism(world, &mechanism, &error))) fail_msg("%s", error.message);
        Prepare(world);
        hwEnergy start = hwWorld_GetEnergy(world), now = start;
        double off = 0.0, fallen = 20.0 * 9.81 * sin(0.5);
        for (int n = 0; n < 240; ++n) {
            assert_true(hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK);
            now = hwWorld_GetEnergy(world);
            off = fmax(off, fabs(Balance(now) - Balance(start)));
        }
        assert_true(now.method > 0.05 * fallen); // 86 % and 8 % of it
        assert_true(off < 2e-4 * fallen);        // what Newton's method leaves, as on a wire
        hwDestroyWorld(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(DampingOfALinearOscillatorIsThatOfTheStabilityFunction),
        cmocka_unit_test(BouncingOnAWireIsDampedByTheMethodAlone),
        cmocka_unit_test(BouncingOnOneWithoutInertiaIsDampedByTheMethodAlone),
        cmocka_unit_test(ABeamOnItsStopIsDampedByTheMethodAlone),
        cmocka_unit_test(AFastSpinningTreeBalances),
        cmocka_unit_test(HeavyLinksOnLightOnesKeepTheirEnergy),
        cmocka_unit_test(WhatSpinsFastKeepsItsEnergy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
