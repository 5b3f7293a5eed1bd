// Cables whose links a controller holds at their length (Brateau 2022).
#include "rig.h"

#include "hawser/reference.h"

#define LINKS 14
#define LENGTH 25.0
#define DIAMETER 0.02

typedef struct Setup {
    double EI;
    double kp, ki, kd, friction; // NaN: chosen
    bool reference, statics, moving, winch;
} Setup;

static Setup MakeSetup(void) {
    double chosen = (double)NAN;
    Setup setup = {0.0, chosen, chosen, chosen, chosen, false, false, false, false};
    return setup;
}

static hwSignalTerm g_terms[2] = {
    {.kind = HW_SIGNAL_CONSTANT, .offset = {18.0, 0.0, -2.0}},
    {.kind = HW_SIGNAL_SINE, .amplitude = {2.0, 1.0, 0.5}, .period = {9.0, 7.0, 5.0}}};

static hwWorld* MakeWorld(const Setup* setup) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    worldDef.statics = setup->statics;
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = true;
    environment.waterDensity = 1000.0;
    assert_status(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
    if (setup->reference) assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error), HW_OK);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = LENGTH;
    section.elements = LINKS;
    section.diameter = DIAMETER;
    section.massPerLength = 4.0;
    section.EA = 1.0; // not used
    section.EI = setup->EI;
    hwCableDef def = hwDefaultCableDef();
    def.name = "tether";
    def.kind = HW_CABLE_PID;
    def.sectionCount = 1;
    def.sections = &section;
    def.shape = HW_CABLE_CATENARY_SHAPE;
    def.cuts = 1;
    def.pidProportional = setup->kp;
    def.pidIntegral = setup->ki;
    def.pidDerivative = setup->kd;
    def.pidFriction = setup->friction;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {10.0, 0.0, -5.0}};
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {18.0, 0.0, -2.0}};
    if (setup->moving) def.ends[1].path = (hwSignal){2, g_terms};
    hwCableId cable = hwWorld_AddCable(world, &def, &error);
    if (HW_IS_NULL(cable)) fail_msg("%s", error.message);
    if (setup->winch) {
        hwWinchDef winch = hwDefaultWinchDef();
        winch.name = "winch";
        winch.cable = cable;
        assert_false(HW_IS_NULL(hwWorld_AddWinch(world, &winch, &error)));
    }
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
    return world;
}

static hwCableView View(const hwWorld* world) {
    hwCableView view;
    assert_status(hwCable_GetView(world, hwWorld_FindCable(world, "tether"), &view, NULL), HW_OK);
    return view;
}

// Largest relative error of a link's length.
static double GetWorstLink(const hwWorld* world) {
    hwCableView view = View(world);
    double worst = 0.0, rest = view.length / view.elementCount;
    for (int e = 0; e < view.elementCount; ++e) worst = fmax(worst, fabs(view.lengths[e] / rest - 1.0));
    return worst;
}

static double GetWeight(double length) {
    double area = 0.25 * HW_PI * DIAMETER * DIAMETER;
    return 9.81 * length * (4.0 - 1000.0 * area);
}

// The integral part leaves no static error (seed 001 fig. 4), whatever the gains: what it is for.
static void links_come_to_their_length(void** state) {
    (void)state;
    Setup setup = MakeSetup();
    hwWorld* world = MakeWorld(&setup);
    Run(world, 0.5);
    double moving = Read(world, "tether.energy.kinetic");
    assert_true(GetWorstLink(world) > 1e-3); // the weight pulls before the integral has grown
    Run(world, 79.5);
    // what is left of an exponential with the time constant kp/ki = 2 s is nothing; of the slow swings, 1e-4
    assert_true(GetWorstLink(world) < 1e-4);
    double held = -(Read(world, "tether.a.force.z") + Read(world, "tether.b.force.z"));
    assert_close(held, GetWeight(LENGTH), 1e-3 * GetWeight(LENGTH));
    assert_true(Read(world, "tether.energy.kinetic") < 1e-3 * moving); // quadratic friction fades slowly
    hwDestroyWorld(world);
}

// Without it a link stays too long by e = T/kp.
static void proportional_part_alone_leaves_an_error(void** state) {
    (void)state;
    Setup setup = MakeSetup();
    setup.kp = 20000.0;
    setup.ki = 0.0;
    setup.statics = true;
    hwWorld* world = MakeWorld(&setup);
    hwCableView view = View(world);
    double rest = LENGTH / LINKS;
    for (int e = 0; e < LINKS; ++e) {
        double error = 1.0 - rest / view.lengths[e];
        assert_close(view.tensions[e], 20000.0 * error, 1e-8); // rounding of the length
    }
    hwDestroyWorld(world);
}

// Statics finds the integrals that hold the links at their length, and the cable stays there.
static void statics_finds_the_integrals(void** state) {
    (void)state;
    Setup setup = MakeSetup();
    setup.kp = 200.0; // less than the tension: only the integral can hold it
    setup.ki = 100.0;
    setup.kd = 6.0;
    setup.statics = true;
    hwWorld* world = MakeWorld(&setup);
    assert_true(GetWorstLink(world) < 2e-9); // the tolerance of the multipliers is 1e-9
    hwVec3 before = View(world).positions[7];
    Run(world, 10.0);
    assert_true(hwDistance(before, View(world).positions[7]) < 1e-5);
    assert_close(-(Read(world, "tether.a.force.z") + Read(world, "tether.b.force.z")), GetWeight(LENGTH),
                 1e-6 * GetWeight(LENGTH)); // of statics
    hwDestroyWorld(world);
}

// kinetic + potential + elastic + dissipated - work stays what it was, with the ends moving and the links' length changing.
static void energy_balances(void** state) {
    (void)state;
    Setup setup = MakeSetup();
    setup.moving = setup.winch = true;
    setup.EI = 20.0;
    hwError error;
    hwWorld* world = MakeWorld(&setup);
    double before = Read(world, "tether.energy.balance");
    assert_status(hwWinch_SetTarget(world, hwWorld_FindWinch(world, "winch"), HW_WINCH_VELOCITY, 0.2, &error),
                  HW_OK);
    for (int i = 0; i < 4000; ++i) { // fine steps: the audit's own error is of second order in them
        if (hwWorld_Step(world, 0.0025, &error) < HW_OK) fail_msg("%s", error.message);
    }
    double turned = fabs(Read(world, "tether.energy.dissipated")) + fabs(Read(world, "tether.energy.work"));
    assert_true(turned > 100.0);
    assert_true(fabs(Read(world, "tether.energy.balance") - before) < 2e-3 * turned);
    hwDestroyWorld(world);
}

// Two integrators that share the forces only: TR-BDF2 at 1/60 s and SUNDIALS with error control.
static void realtime_agrees_with_reference(void** state) {
    (void)state;
    Setup setup = MakeSetup();
    setup.moving = true;
    hwWorld* fast = MakeWorld(&setup);
    setup.reference = true;
    hwWorld* slow = MakeWorld(&setup);
    Run(fast, 5.0);
    Run(slow, 5.0);
    hwCableView a = View(fast), b = View(slow);
    for (int i = 0; i < a.nodeCount; ++i) {
        assert_true(hwDistance(a.positions[i], b.positions[i]) <
                    0.01); // 1 % of the metre or so that it moves
    }
    assert_close(Read(fast, "tether.b.tension"), Read(slow, "tether.b.tension"),
                 0.02 * Read(slow, "tether.b.tension"));
    hwDestroyWorld(fast);
    hwDestroyWorld(slow);
}

// Variable length: links are added at the winch, keep their length, and tension does not jump.
static void winch_pays_links_out(void** state) {
    (void)state;
    Setup setup = MakeSetup();
    setup.winch = setup.statics = true;
    hwError error;
    hwWorld* world = MakeWorld(&setup);
    hwWinchId winch = hwWorld_FindWinch(world, "winch");
    for (int pass = 0; pass < 2; ++pass) {
        assert_status(hwWinch_SetTarget(world, winch, HW_WINCH_VELOCITY, pass == 0 ? 0.5 : -0.5, &error),
                      HW_OK);
        double last = Read(world, "tether.b.tension"), jump = 0.0;
        int changes = 0, nodes = View(world).nodeCount;
        for (int i = 0; i < 600; ++i) {
            if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
            double tension = Read(world, "tether.b.tension");
            changes += View(world).nodeCount != nodes;
            nodes = View(world).nodeCount;
            jump = fmax(jump, fabs(tension - last) / last);
            last = tension;
        }
        assert_true(changes >= 2);
        assert_true(jump < 0.02); // of the far end's, from frame to frame
    }
    assert_status(hwWinch_SetTarget(world, winch, HW_WINCH_VELOCITY, 0.0, &error), HW_OK);
    Run(world, 40.0);
    double length = Read(world, "tether.length");
    assert_close(-(Read(world, "tether.a.force.z") + Read(world, "tether.b.force.z")), GetWeight(length),
                 1e-3 * GetWeight(length));
    hwDestroyWorld(world);
}

// What the paper's conclusion asks for: a tether that cannot be bent at will. Its lowest point is less sharply bent.
static void bending_stiffness_rounds_the_bight(void** state) {
    (void)state;
    double sharpest[2];
    for (int pass = 0; pass < 2; ++pass) {
        Setup setup = MakeSetup();
        setup.EI = pass == 0 ? 0.0 : 300.0;
        setup.statics = true;
        hwWorld* world = MakeWorld(&setup);
        hwCableView view = View(world);
        sharpest[pass] = 0.0;
        for (int i = 1; i + 1 < view.nodeCount; ++i) {
            hwVec3 a = hwNormalize(hwSub(view.positions[i], view.positions[i - 1]));
            hwVec3 b = hwNormalize(hwSub(view.positions[i + 1], view.positions[i]));
            sharpest[pass] = fmax(sharpest[pass], acos(hwDot(a, b)));
        }
        hwDestroyWorld(world);
    }
    assert_true(sharpest[1] < 0.7 * sharpest[0]);
}

static void gains_that_hold_nothing_are_refused(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.diameter = 0.02;
    section.massPerLength = 1.0;
    section.EA = 1e5;
    hwCableDef def = hwDefaultCableDef();
    def.name = "tether";
    def.kind = HW_CABLE_PID;
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0].joint = HW_ATTACH_PIN;
    def.pidProportional = def.pidIntegral = 0.0;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &def, &error)));
    assert_non_null(strstr(error.message, "nothing holds its links"));
    def.pidProportional = -1.0;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &def, &error)));
    assert_non_null(strstr(error.message, "kp is -1"));
    hwDestroyWorld(world);
}

// A cut leaves two cables whose links go on with what they had integrated: tensions are what they were.
static void cut_keeps_the_integrals(void** state) {
    (void)state;
    Setup setup = MakeSetup();
    setup.statics = true;
    hwError error;
    hwWorld* world = MakeWorld(&setup);
    hwCableId rest;
    double rests = LENGTH / LINKS, near = View(world).tensions[1], far = View(world).tensions[LINKS - 1];
    assert_status(hwCable_Cut(world, hwWorld_FindCable(world, "tether"), 6.0 * rests, &rest, &error), HW_OK);
    hwCableView view;
    assert_status(hwCable_GetView(world, rest, &view, &error), HW_OK);
    assert_int_equal(view.elementCount, LINKS - 6);
    assert_close(View(world).tensions[1], near, 1e-9 * near);
    assert_close(view.tensions[view.elementCount - 1], far, 1e-9 * far);
    Run(world, 5.0);
    hwDestroyWorld(world);
}

// The paper adds up the work of all forces and calls it potential energy. By Newton's second law that is what the nodes have
// gained in kinetic energy; the true potential is another matter.
static void accumulated_work_is_kinetic_energy(void** state) {
    (void)state;
    Setup setup = MakeSetup();
    hwError error;
    hwWorld* world = MakeWorld(&setup);
    double potential = Read(world, "tether.energy.potential"), most = 0.0, lowest = potential;
    for (int i = 0; i < 2000; ++i) {
        if (hwWorld_Step(world, 0.002, &error) < HW_OK) fail_msg("%s", error.message);
        double kinetic = Read(world, "tether.energy.kinetic"),
               work = Read(world, "tether.energy.accumulated");
        most = fmax(most, kinetic);
        lowest = fmin(lowest, Read(world, "tether.energy.potential"));
        // 0.1 J: the first step, in which the links' dampers take hold
        assert_close(work, kinetic, 0.02 * most + 0.1);
    }
    assert_true(potential - lowest > most); // what it has lost, friction has taken
    hwDestroyWorld(world);
}

// The parts that nodes have add up to what the cable has; the links' numbers are those of the elements.
static void diagnostics_add_up(void** state) {
    (void)state;
    Setup setup = MakeSetup();
    setup.moving = true;
    setup.EI = 10.0;
    hwWorld* world = MakeWorld(&setup);
    Run(world, 1.0);
    double kinetic = 0.0, potential = 0.0, work = 0.0, mean = 0.0, squares = 0.0, rest = LENGTH / LINKS;
    char name[64];
    for (int i = 0; i <= LINKS; ++i) {
        snprintf(name, sizeof(name), "tether.node[%d].energy.kinetic", i);
        kinetic += Read(world, name);
        snprintf(name, sizeof(name), "tether.node[%d].energy.potential", i);
        potential += Read(world, name);
        snprintf(name, sizeof(name), "tether.node[%d].energy.accumulated", i);
        work += Read(world, name);
    }
    for (int e = 0; e < LINKS; ++e) mean += View(world).lengths[e] / LINKS;
    for (int e = 0; e < LINKS; ++e)
        squares += (View(world).lengths[e] - mean) * (View(world).lengths[e] - mean) / LINKS;
    double elastic = Read(world, "tether.energy.elastic");
    // sums in another order
    assert_close(kinetic, Read(world, "tether.energy.kinetic"), 1e-9 * kinetic);
    assert_close(potential, Read(world, "tether.energy.potential") + elastic, 1e-9 * fabs(potential));
    assert_close(work, Read(world, "tether.energy.accumulated"), 1e-9 * fabs(work) + 1e-12);
    assert_close(Read(world, "tether.energy.mechanical"), kinetic + potential, 1e-9 * fabs(potential));
    assert_close(Read(world, "tether.links.mean"), mean, 1e-12);
    assert_close(Read(world, "tether.links.target"), rest, 1e-12);
    assert_close(Read(world, "tether.links.error"), mean / rest - 1.0, 1e-12);
    assert_close(Read(world, "tether.links.high") - mean, 1.96 * sqrt(squares), 1e-9);
    assert_close(mean - Read(world, "tether.links.low"), 1.96 * sqrt(squares), 1e-9);
    hwDestroyWorld(world);
}

// The books of the accumulated work stay whole when nodes come and go.
static void accumulated_work_survives_the_mesh(void** state) {
    (void)state;
    Setup setup = MakeSetup();
    setup.winch = setup.moving = true;
    hwError error;
    hwWorld* world = MakeWorld(&setup);
    hwWinchId winch = hwWorld_FindWinch(world, "winch");
    for (int pass = 0; pass < 2; ++pass) {
        assert_status(hwWinch_SetTarget(world, winch, HW_WINCH_VELOCITY, pass == 0 ? 1.0 : -1.0, &error),
                      HW_OK);
        double before = Read(world, "tether.energy.accumulated");
        int nodes = View(world).nodeCount, changes = 0;
        for (int i = 0; i < 300; ++i) {
            if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
            double now = Read(world, "tether.energy.accumulated");
            changes += View(world).nodeCount != nodes;
            nodes = View(world).nodeCount;
            assert_true(fabs(now - before) < 20.0); // the power in a frame, not a sum lost or counted twice
            before = now;
        }
        assert_true(changes > 0);
    }
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_come_to_their_length),
        cmocka_unit_test(proportional_part_alone_leaves_an_error),
        cmocka_unit_test(statics_finds_the_integrals),
        cmocka_unit_test(energy_balances),
        cmocka_unit_test(realtime_agrees_with_reference),
        cmocka_unit_test(winch_pays_links_out),
        cmocka_unit_test(bending_stiffness_rounds_the_bight),
        cmocka_unit_test(gains_that_hold_nothing_are_refused),
        cmocka_unit_test(cut_keeps_the_integrals),
        cmocka_unit_test(accumulated_work_is_kinetic_energy),
        cmocka_unit_test(diagnostics_add_up),
        cmocka_unit_test(accumulated_work_survives_the_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
