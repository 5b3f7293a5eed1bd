// Cables in a world: coupling to bodies, attaching, cutting, winches, state, audit.
#include "rig.h"

#include "hawser/reference.h"
#include "inside.h"

static hwWorld* MakeWorld(bool reference, double tolerance) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.tolerance = tolerance;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    dry.airDensity = 0.0;
    assert_status(hwWorld_SetEnvironment(world, &dry, &error), HW_OK);
    if (reference) assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error), HW_OK);
    return world;
}

typedef struct Wire {
    double length, EA, massPerLength;
    int elements;
} Wire;

static hwCableId AddWire(hwWorld* world, const char* name, Wire wire, hwCableEndDef a, hwCableEndDef b,
                         int cuts) {
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = wire.length;
    section.elements = wire.elements;
    section.diameter = 0.02;
    section.massPerLength = wire.massPerLength;
    section.EA = wire.EA;
    section.axialDamping = 1e-3 * wire.EA;
    return AddCable(world, name, &section, a, b, cuts);
}

// A: an assembly with everything that couples: a load on two cables from a third body, a closed loop, both ends on one body.
static hwWorld* MakeAssembly(bool reference, double tolerance) {
    hwWorld* world = MakeWorld(reference, tolerance);
    hwBodyId beam = AddLoad(world, "beam", 200.0, hwMakeVec3(0.0, 0.0, -5.0));
    hwBodyId load = AddLoad(world, "load", 500.0, hwMakeVec3(0.0, 0.0, -9.0));
    AddWire(world, "top", (Wire){5.0, 1e6, 2.0, 5}, Pin(earth, hwVec3_zero), Pin(beam, hwVec3_zero), 0);
    Wire sling = {sqrt(16.0 + 0.25), 1e6, 1.0, 4};
    AddWire(world, "left", sling, Pin(beam, hwMakeVec3(-1.0, 0.0, 0.0)),
            Pin(load, hwMakeVec3(-0.5, 0.0, 0.0)), 0);
    AddWire(world, "right", sling, Pin(load, hwMakeVec3(0.5, 0.0, 0.0)), Pin(beam, hwMakeVec3(1.0, 0.0, 0.0)),
            0);
    AddWire(world, "bight", (Wire){2.2, 1e5, 1.0, 6}, Pin(beam, hwMakeVec3(-1.0, 0.5, 0.0)),
            Pin(beam, hwMakeVec3(1.0, 0.5, 0.0)), 0);
    Prepare(world);
    return world;
}

// Everything is one linear system: the structured solve against the assembled matrix, column by column.
static void structured_solve_equals_dense(void** state) {
    (void)state;
    hwWorld* world = MakeAssembly(false, 0.0);
    Run(world, 0.5);
    int n = world->model.freedomCount;
    hwState* s = &world->state;
    double *x = calloc((size_t)n, sizeof(double)), *b = calloc((size_t)n, sizeof(double)),
           *y = calloc((size_t)n, sizeof(double));
    const double hd = 0.005;
    EvaluateWorld(world, s->header->time, hd);
    assert_status(hwWorld_Factor(world, hd, NULL, NULL), HW_OK);
    // symmetry and inverse: for random b, c: c . A^-1 b = b . A^-1 c
    uint64_t seed = 1;
    double* c = calloc((size_t)n, sizeof(double));
    for (int slot = -1; slot < world->model.cables->count; ++slot) {
        int from = slot < 0 ? 0 : world->model.cables->slots[slot].freedom + 3;
        int to = slot < 0 ? world->model.forest.freedomCount
                          : world->model.cables->slots[slot].freedom +
                                3 * (s->cables->stores[slot].core->nodes - 1);
        for (int i = from; i < to; ++i) b[i] = TestRandom(&seed), c[i] = TestRandom(&seed);
    }
    hwWorld_SolveFactored(world, b, x);
    hwWorld_SolveFactored(world, c, y);
    double left = 0.0, right = 0.0, size = 0.0;
    for (int i = 0; i < n; ++i) left += c[i] * x[i], right += b[i] * y[i], size += fabs(c[i] * x[i]);
    assert_close(left, right, 1e-11 * size);

    // hd = 0: A = M, so that M (A^-1 b) gives b back
    EvaluateWorld(world, s->header->time, 0.0);
    assert_status(hwWorld_Factor(world, 0.0, NULL, NULL), HW_OK);
    hwWorld_SolveFactored(world, b, x);
    hwWorld_MultiplyMass(world, x, y);
    for (int i = 0; i < n; ++i) assert_close(y[i], b[i], 1e-11);
    free(x), free(b), free(y), free(c);
    hwDestroyWorld(world);
}

static void realtime_matches_the_reference(void** state) {
    (void)state;
    hwVec3 position[2];
    double tension[2];
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeAssembly(reference, reference ? 1e-8 : 1e-4);
        hwBodyId load = hwWorld_FindBody(world, "load");
        hwBody_ApplyWrench(world, load, hwMakeVec3(500.0, 200.0, 0.0), hwVec3_zero, hwVec3_zero,
                           HW_FRAME_BODY, NULL);
        Run(world, 3.0);
        position[reference] = ReadBody(world, load).position;
        tension[reference] = Read(world, "top.a.tension");
        double balance = Read(world, "world.energy.balance");
        assert_true(isfinite(balance));
        hwDestroyWorld(world);
    }
    assert_close_vec3(position[0], position[1], 2e-3);
    assert_close(tension[0], tension[1], 0.01 * tension[1]);
}

static void energy_and_momentum_are_kept(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeAssembly(reference, reference ? 1e-9 : 1e-5);
        double start = Read(world, "world.energy.balance");
        double scale = 700.0 * 9.81;
        Run(world, 2.0);
        assert_close(Read(world, "world.energy.balance"), start, (reference ? 1e-5 : 2e-3) * scale);
        for (int slot = 0; slot < world->model.cables->count; ++slot) {
            // each cable's own audit, with the work that its ends do
            char name[64];
            snprintf(name, sizeof(name), "%s.energy.balance", world->model.cables->slots[slot].name);
            assert_true(isfinite(Read(world, name)));
        }
        hwDestroyWorld(world);
    }
}

static void a_pendulum_keeps_time(void** state) {
    (void)state;
    // a point mass on a light stiff wire: 2 pi sqrt(L / g), with the small-angle correction 1 + a^2/16
    double length = 10.0, angle = 0.05;
    hwWorld* world = MakeWorld(true, 1e-8);
    hwBodyId load =
        AddLoad(world, "load", 1000.0, hwMakeVec3(length * sin(angle), 0.0, -length * cos(angle)));
    AddWire(world, "wire", (Wire){length, 1e9, 1e-3, 4}, Pin(earth, hwVec3_zero), Pin(load, hwVec3_zero), 0);
    Prepare(world);
    hwError error;
    double last = 0.0, first = 0.0, before = length * sin(angle);
    int crossings = 0;
    while (crossings < 5) {
        assert_int_equal(hwWorld_Step(world, 0.01, &error), HW_OK);
        double x = ReadBody(world, load).position.x, t = hwWorld_GetTime(world);
        if (before > 0.0 && x <= 0.0) {
            last = t - 0.01 * x / (x - before);
            if (crossings++ == 0) first = last;
        }
        before = x;
    }
    double exact = 2.0 * HW_PI * sqrt(length / 9.81) * (1.0 + angle * angle / 16.0);
    // stretch 1e-4 m, and linear interpolation of crossings
    assert_close((last - first) / 4.0, exact, 2e-5 * exact);
    hwDestroyWorld(world);
}

static void heavy_load_under_a_stiff_light_wire_is_stable_at_frame_rate(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(false, 0.0);
    hwBodyId load = AddLoad(world, "load", 1e4, hwMakeVec3(3.0, 0.0, -19.8));
    AddWire(world, "wire", (Wire){20.03, 1e9, 1.0, 20}, Pin(earth, hwVec3_zero), Pin(load, hwVec3_zero), 0);
    Prepare(world);
    double start = Read(world, "world.energy");
    for (int i = 0; i < 60; ++i) {
        Run(world, 1.0);
        assert_true(hwLength(ReadBody(world, load).position) < 20.1);
    }
    assert_true(Read(world, "world.energy") <= start + 1.0);
    hwDestroyWorld(world);
}

static void a_slack_chain_that_is_pulled_taut_comes_to_rest(void** state) {
    (void)state;
    // A chain that cannot push, weightless, gets 100 N at its free end. It must settle at T^2 L / (2 EA) of energy: when
    // Newton's method accepted corrections of a hundredth of an element, it rattled with a thousand times that for ever.
    hwError error;
    hwWorld* world = MakeWorld(false, 0.0);
    hwEnvironmentDef still = hwDefaultEnvironmentDef();
    still.gravity = 0.0;
    still.airDensity = 0.0;
    assert_status(hwWorld_SetEnvironment(world, &still, &error), HW_OK);
    Wire wire = {.length = 2.0, .EA = 1e6, .massPerLength = 0.5, .elements = 20};
    hwCableEndDef free = {.joint = HW_ATTACH_FREE, .at = hwMakeVec3(2.0, 0.0, 0.0), .placed = true};
    hwCableId chain = AddWire(world, "chain", wire, Pin(earth, hwVec3_zero), free, 0);
    Prepare(world);
    assert_status(hwCable_ApplyForce(world, chain, 2.0, hwMakeVec3(100.0, 0.0, 0.0), &error), HW_OK);
    Run(world, 0.5);
    hwEnergy energy = hwWorld_GetEnergy(world);
    double stored = 0.5 * 100.0 * 100.0 * wire.length / wire.EA;
    assert_close(energy.elastic, stored, 1e-2 * stored); // the axial waves have died out by their damping
    assert_true(energy.kinetic < 1e-3 * stored);
    hwDestroyWorld(world);
}

static void detached_load_falls_and_attached_load_hangs(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(false, 1e-5);
    hwBodyId load = AddLoad(world, "load", 100.0, hwMakeVec3(0.0, 0.0, -10.0));
    hwCableId wire = AddWire(world, "wire", (Wire){10.0, 1e6, 0.1, 10}, Pin(earth, hwVec3_zero),
                             Pin(load, hwVec3_zero), 0);
    Prepare(world);
    Run(world, 5.0);
    hwError error;
    hwCableEndDef pin = Pin(load, hwVec3_zero);
    assert_status(hwCable_Attach(world, wire, 1, &pin, &error), HW_ERROR_ORDER);
    assert_status(hwCable_Detach(world, wire, 1, &error), HW_OK);
    assert_close(ReadBody(world, load).acceleration.z, -9.81, 1e-9);
    Run(world, 0.1);
    // it has fallen 5 cm: still within an element of the wire's end
    assert_status(hwCable_Attach(world, wire, 1, &pin, &error), HW_OK);
    Run(world, 10.0);
    assert_true(fabs(ReadBody(world, load).position.z) < 10.2);
    assert_status(hwCable_Detach(world, wire, 1, &error), HW_OK);
    Run(world, 2.0);
    assert_status(hwCable_Attach(world, wire, 1, &pin, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "away"));
    hwDestroyWorld(world);
}

static void a_cut_leaves_two_cables(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(false, 1e-5);
    hwBodyId load = AddLoad(world, "load", 100.0, hwMakeVec3(0.0, 0.0, -10.0));
    hwCableId wire = AddWire(world, "wire", (Wire){10.0, 1e6, 0.5, 10}, Pin(earth, hwVec3_zero),
                             Pin(load, hwVec3_zero), 1);
    Prepare(world);
    Run(world, 2.0);
    hwError error;
    hwCableId rest;
    assert_status(hwCable_Cut(world, wire, 20.0, &rest, &error), HW_ERROR_ARGUMENT);
    assert_status(hwCable_Cut(world, wire, 3.3, &rest, &error), HW_OK);
    assert_string_equal(hwCable_GetName(world, rest), "wire-2");
    // lengths and masses add up; the node at the cut is shared
    assert_close(Read(world, "wire.length") + Read(world, "wire-2.length"), 10.0, 1e-12);
    assert_close(Read(world, "wire.length"), 3.3, 1e-12);
    assert_status(hwCable_Cut(world, wire, 1.0, &rest, &error), HW_ERROR_LIMIT);
    Run(world, 1.0);
    // what hangs from the load falls with it, what is left hangs on
    assert_close(ReadBody(world, load).acceleration.z, -9.81, 0.5);
    assert_true(Read(world, "wire.a.tension") < 40.0);
    hwDestroyWorld(world);
}

static void an_overloaded_cable_parts(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(false, 0.0);
    hwBodyId load = AddLoad(world, "load", 100.0, hwMakeVec3(0.0, 0.0, -10.0));
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 10;
    section.diameter = 0.02;
    section.massPerLength = 1.0;
    section.EA = 1e6;
    section.breakTension = 3000.0;
    hwCableDef def = hwDefaultCableDef();
    def.name = "wire";
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = Pin(earth, hwVec3_zero);
    def.ends[1] = Pin(load, hwVec3_zero);
    assert_false(HW_IS_NULL(hwWorld_AddCable(world, &def, &error)));
    Prepare(world);
    hwSignalTerm pull = hwRampTerm(hwVec3_zero, hwMakeVec3(0.0, 0.0, -5000.0), 1.0, 3.0);
    hwForceDef force = hwDefaultForceDef();
    force.body = load;
    force.force = (hwSignal){1, &pull};
    hwWorld_AddForce(world, &force, &error);
    Prepare(world);
    Run(world, 4.0);
    assert_true(ReadBody(world, load).velocity.z < -5.0);
    assert_true(isfinite(Read(world, "wire-2.length")));
    hwDestroyWorld(world);
}

static void a_winch_keeps_the_books(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(false, 1e-4);
    hwBodyId load = AddLoad(world, "load", 200.0, hwMakeVec3(0.0, 0.0, -10.0));
    hwCableId wire = AddWire(world, "wire", (Wire){10.0, 8e5, 0.15, 5}, Pin(earth, hwVec3_zero),
                             Pin(load, hwVec3_zero), 0);
    hwWinchDef def = hwDefaultWinchDef();
    def.name = "winch";
    def.cable = wire;
    hwSignalTerm rate = hwSineTerm(hwMakeVec3(1.0, 0.0, 0.0), 5.0, 0.0);
    def.setpoint = (hwSignal){1, &rate};
    assert_false(HW_IS_NULL(hwWorld_AddWinch(world, &def, &error)));
    assert_true(HW_IS_NULL(hwWorld_AddWinch(world, &def, &error))); // two winches on one end
    Prepare(world);
    double start = Read(world, "world.energy.balance");
    Run(world, 12.5);
    // the integral of sin over two and a half periods is 5/pi
    assert_close(Read(world, "wire.length"), 10.0 + 5.0 / HW_PI, 2e-3);
    assert_close(Read(world, "winch.rate"), 0.0, 1e-9);
    assert_close(-ReadBody(world, load).position.z, Read(world, "wire.length"), 0.05);
    // of the 3 kJ that went to and fro; 1e-7 seen
    assert_close(Read(world, "world.energy.balance"), start, 1e-3);
    hwDestroyWorld(world);
}

// The end node stands still while material runs past it: the kinetic energy of what has run off comes when it becomes a node, and is
// the winch's work (it was a gain: 138 J in one step of random assembly 934061).
static void what_runs_off_a_winch_gets_its_speed_from_it(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(false, 1e-5);
    hwBodyId load = AddLoad(world, "load", 500.0, hwMakeVec3(0.0, 0.0, 10.0));
    hwCableId chain = AddWire(world, "chain", (Wire){10.0, 1e7, 50.0, 5},
                              Pin(earth, hwMakeVec3(0.0, 0.0, 20.0)), Pin(load, hwVec3_zero), 0);
    hwWinchDef def = hwDefaultWinchDef();
    def.name = "winch";
    def.cable = chain;
    hwSignalTerm rate = hwSineTerm(hwMakeVec3(2.0, 0.0, 0.0), 10.0, 0.0);
    def.setpoint = (hwSignal){1, &rate};
    assert_false(HW_IS_NULL(hwWorld_AddWinch(world, &def, &error)));
    Prepare(world);
    double start = Read(world, "world.energy.balance"), most = 0.0;
    for (int i = 0; i < 100; ++i) {
        Run(world, 0.1);
        most = fmax(most, fabs(Read(world, "world.energy.balance") - start));
    }
    assert_true(most < 1e-3); // 6e-6 J seen, 237 J before
    hwDestroyWorld(world);
}

// A clump that is hauled in goes from node to node of the first element and then out of the world, height, speed and all;
// paid out again it comes back.
static void a_clump_goes_over_the_drum_in_the_books(void** state) {
    (void)state;
    hwError error;
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeWorld(reference == 1, reference == 1 ? 1e-8 : 1e-5);
        hwBodyId load = AddLoad(world, "load", 100.0, hwMakeVec3(0.0, 0.0, 10.0));
        hwCableSectionDef section = hwDefaultCableSectionDef();
        section.length = 10.0;
        section.elements = 10;
        section.diameter = 0.02;
        section.massPerLength = 0.2;
        section.EA = 1e6;
        section.axialDamping = 1e4;
        hwCableMassDef clump = {.at = 2.3, .mass = 20.0, .diameter = 0.1};
        hwCableDef def = hwDefaultCableDef();
        def.name = "wire";
        def.sectionCount = 1;
        def.sections = &section;
        def.massCount = 1;
        def.masses = &clump;
        def.ends[0] = Pin(earth, hwMakeVec3(0.0, 0.0, 20.0));
        def.ends[1] = Pin(load, hwVec3_zero);
        hwCableId wire = hwWorld_AddCable(world, &def, &error);
        if (HW_IS_NULL(wire)) fail_msg("%s", error.message);
        hwWinchDef winch = hwDefaultWinchDef();
        winch.name = "winch";
        winch.cable = wire;
        hwSignalTerm rate = hwSineTerm(hwMakeVec3(-1.0, 0.0, 0.0), 10.0, 0.0);
        winch.setpoint = (hwSignal){1, &rate};
        assert_false(HW_IS_NULL(hwWorld_AddWinch(world, &winch, &error)));
        Prepare(world);
        double start = Read(world, "world.energy.balance"), most = 0.0;
        for (int i = 0; i < 100; ++i) {
            Run(world, 0.1);
            most = fmax(most, fabs(Read(world, "world.energy.balance") - start));
        }
        assert_close(Read(world, "wire.length"), 10.0, 1e-3);
        // of the 3.9 kJ that the clump has at the drum, and 3 kJ by which the load is lifted; 5e-6 and 2e-3 seen
        assert_true(most < 0.01);
        hwDestroyWorld(world);
    }
}

static void a_tension_winch_holds_its_set_point(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        hwError error;
        hwWorld* world = MakeWorld(reference, reference ? 1e-7 : 0.0);
        hwBodyId load = AddLoad(world, "load", 200.0, hwMakeVec3(0.0, 0.0, -30.0));
        hwCableId wire = AddWire(world, "wire", (Wire){30.0, 8e5, 0.15, 3}, Pin(earth, hwVec3_zero),
                                 Pin(load, hwVec3_zero), 0);
        hwWinchDef def = hwDefaultWinchDef();
        def.name = "winch";
        def.cable = wire;
        def.mode = HW_WINCH_TENSION;
        hwSignalTerm pull = hwConstantTerm(hwMakeVec3(2006.1, 0.0, 0.0));
        def.setpoint = (hwSignal){1, &pull};
        def.kp = 0.1;
        def.ki = 1e-4;
        def.kd = 0.0;
        def.acceleration = 1e3;
        def.deceleration = -1e3;
        assert_false(HW_IS_NULL(hwWorld_AddWinch(world, &def, &error)));
        hwSignalTerm push = hwSineTerm(hwMakeVec3(0.0, 0.0, 250.0), 5.0, 0.0);
        hwForceDef force = hwDefaultForceDef();
        force.body = load;
        force.force = (hwSignal){1, &push};
        hwWorld_AddForce(world, &force, &error);
        Prepare(world);
        Run(world, 2.0);
        for (int i = 0; i < 300; ++i) {
            Run(world, 1.0 / 60.0);
            // 250 N come and go; at 0.1 m/s per N the winch follows with 0.2 m/s, that is 2 N
            assert_close(Read(world, "winch.tension"), 2006.1, 20.0);
        }
        hwDestroyWorld(world);
    }
}

static void bits_repeat_after_saving(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(false, 0.0);
    hwBodyId load = AddLoad(world, "load", 200.0, hwMakeVec3(1.0, 0.0, -10.0));
    hwCableId wire = AddWire(world, "wire", (Wire){10.1, 8e5, 0.15, 5}, Pin(earth, hwVec3_zero),
                             Pin(load, hwVec3_zero), 2);
    hwWinchDef def = hwDefaultWinchDef();
    def.name = "winch";
    def.cable = wire;
    hwSignalTerm rate = hwConstantTerm(hwMakeVec3(0.8, 0.0, 0.0));
    def.setpoint = (hwSignal){1, &rate};
    assert_false(HW_IS_NULL(hwWorld_AddWinch(world, &def, &error)));
    hwCableEventDef cut = hwDefaultCableEventDef();
    cut.time = 4.0;
    cut.cable = wire;
    cut.kind = HW_CABLE_EVENT_CUT;
    cut.at = 5.0;
    assert_status(hwWorld_AddCableEvent(world, &cut, &error), HW_OK);
    Prepare(world);
    Run(world, 1.0);
    size_t size = hwWorld_GetStateSize(world);
    void* saved = malloc(size);
    assert_status(hwWorld_SaveState(world, saved, size, NULL), HW_OK);
    Run(world, 5.0); // pays out several elements, then is cut
    uint64_t end = hwWorld_HashState(world);
    hwWorld* branch = hwWorld_Branch(world, &error);
    if (branch == NULL) fail_msg("%s", error.message);
    assert_true(hwWorld_HashState(branch) == end);
    Run(branch, 0.5);
    Run(world, 0.5);
    assert_true(hwWorld_HashState(branch) == hwWorld_HashState(world));
    hwDestroyWorld(branch);
    assert_status(hwWorld_RestoreState(world, saved, size, NULL), HW_OK);
    Run(world, 5.0);
    assert_true(hwWorld_HashState(world) == end);
    free(saved);
    hwDestroyWorld(world);
}

// What is read between steps, and how often, must not show in the state: a recording of inputs is all a replay has.
static void looking_changes_no_bit(void** state) {
    (void)state;
    uint64_t hashes[2];
    for (int looks = 0; looks < 2; ++looks) {
        hwError error;
        hwWorld* world = MakeWorld(false, 0.0);
        hwEnvironmentDef floor = hwDefaultEnvironmentDef();
        floor.seabed.kind = HW_SEABED_PLANE;
        floor.seabed.depth = 30.0;
        assert_status(hwWorld_SetEnvironment(world, &floor, &error), HW_OK);
        hwBodyId load = AddLoad(world, "load", 20.0, hwMakeVec3(1.3, 0.4, -3.7));
        hwCableId wire = AddWire(world, "wire", (Wire){4.5, 1e5, 0.3, 8}, Pin(earth, hwVec3_zero),
                                 Pin(load, hwMakeVec3(0.1, -0.2, 0.3)), 0);
        hwWinchDef def = hwDefaultWinchDef();
        def.name = "winch";
        def.cable = wire;
        assert_false(HW_IS_NULL(hwWorld_AddWinch(world, &def, &error)));
        Prepare(world);
        for (int i = 0; i < 90; ++i) {
            if (i == 6) {
                int input = hwWorld_FindInput(world, "winch.setpoint");
                assert_status(hwWorld_SetInput(world, input, 0.1, &error), HW_OK);
            }
            Run(world, 1.0 / 60.0);
            if (looks == 1 && i % 3 == 1) hwWorld_GetEnergy(world);
        }
        hwWorld_GetEnergy(world);
        hashes[looks] = hwWorld_HashState(world);
        hwDestroyWorld(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

static void wrong_cables_are_refused(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(false, 0.0);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.diameter = 0.02;
    section.massPerLength = 1.0;
    section.EA = 1e6;
    hwCableDef good = hwDefaultCableDef();
    good.name = "wire";
    good.sectionCount = 1;
    good.sections = &section;
    good.ends[0] = Pin(earth, hwVec3_zero);
    good.ends[1] = Pin(earth, hwMakeVec3(9.0, 0.0, 0.0));
    struct {
        double* field;
        double bad;
        const char* word;
    } fields[] = {{&section.length, 0.0, "length"},
                  {&section.length, -1.0, "length"},
                  {&section.diameter, 0.0, "diameter"},
                  {&section.massPerLength, -2.0, "mass"},
                  {&section.EA, 0.0, "EA"},
                  {&section.EI, -1.0, "EI"},
                  {&section.compression, 2.0, "compression"},
                  {&section.EA, NAN, "EA"}};
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); ++i) {
        double keep = *fields[i].field;
        *fields[i].field = fields[i].bad;
        assert_true(HW_IS_NULL(hwWorld_AddCable(world, &good, &error)));
        assert_non_null(strstr(error.message, fields[i].word));
        assert_string_equal(error.object, "wire");
        *fields[i].field = keep;
    }
    section.elements = 0;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &good, &error)));
    section.elements = 10;
    hwCableDef bad = good;
    bad.ends[1].joint = HW_ATTACH_CLAMP;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &bad, &error)));
    assert_non_null(strstr(error.message, "p1"));
    bad = good;
    bad.ends[0].joint = bad.ends[1].joint = HW_ATTACH_FREE;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &bad, &error)));
    assert_non_null(strstr(error.message, "free"));

    // mistakes of the whole model are found by Prepare, with the element
    bad = good;
    bad.ends[1].at.x = 20.0;
    assert_false(HW_IS_NULL(hwWorld_AddCable(world, &bad, &error)));
    assert_status(hwWorld_Prepare(world, &error), HW_ERROR_MODEL);
    assert_non_null(strstr(error.message, "stretched"));
    assert_int_equal(error.index, 0);
    assert_status(hwWorld_RemoveCable(world, hwWorld_FindCable(world, "wire"), &error), HW_OK);
    bad.ends[1].at.x = 0.0;
    assert_false(HW_IS_NULL(hwWorld_AddCable(world, &bad, &error)));
    assert_status(hwWorld_Prepare(world, &error), HW_ERROR_MODEL);
    hwDestroyWorld(world);
}

static void hauling_in_too_much_stops_with_the_state_kept(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(false, 0.0);
    hwBodyId load = AddLoad(world, "load", 200.0, hwMakeVec3(0.0, 0.0, -3.0));
    hwCableId wire =
        AddWire(world, "wire", (Wire){3.0, 8e5, 0.15, 3}, Pin(earth, hwVec3_zero), Pin(load, hwVec3_zero), 0);
    hwWinchDef def = hwDefaultWinchDef();
    def.name = "winch";
    def.cable = wire;
    hwSignalTerm rate = hwConstantTerm(hwMakeVec3(-1.0, 0.0, 0.0));
    def.setpoint = (hwSignal){1, &rate};
    assert_false(HW_IS_NULL(hwWorld_AddWinch(world, &def, &error)));
    Prepare(world);
    hwStatus status = HW_OK;
    for (int i = 0; i < 600 && status >= HW_OK; ++i) status = hwWorld_Step(world, 1.0 / 60.0, &error);
    assert_true(status < HW_OK);
    assert_string_equal(error.object, "wire");
    assert_true(isfinite(Read(world, "wire.length")) && Read(world, "wire.length") > 0.0);
    hwDestroyWorld(world);
}

static void NanCurrent(int count, const hwVec3* points, double time, hwVec3* velocity, hwVec3* acceleration,
                       void* context) {
    (void)points, (void)acceleration, (void)context;
    for (int i = 0; i < count; ++i) velocity[i].x += time > 0.5 ? (double)NAN : 0.1;
}

static void a_bad_current_names_the_cable(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(false, 0.0);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.current.function = NanCurrent;
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    AddWire(world, "wire", (Wire){10.0, 1e6, 1.0, 10}, Pin(earth, hwMakeVec3(0.0, 0.0, -5.0)),
            Pin(earth, hwMakeVec3(9.0, 0.0, -5.0)), 0);
    Prepare(world);
    hwStatus status = HW_OK;
    for (int i = 0; i < 120 && status >= HW_OK; ++i) status = hwWorld_Step(world, 1.0 / 60.0, &error);
    assert_int_equal(status, HW_ERROR_NUMERIC);
    assert_string_equal(error.object, "wire");
    assert_true(isfinite(Read(world, "wire.node[5].position.z")));
    hwDestroyWorld(world);
}

static void every_failed_allocation_is_survived(void** state) {
    (void)state;
    long needed = 1000;
    for (long failAt = -1; failAt < needed; ++failAt) {
        TestHeap heap = {.failAt = failAt};
        hwError error;
        hwWorldDef def = hwDefaultWorldDef();
        def.allocator = TestHeap_GetAllocator(&heap);
        hwWorld* world = hwCreateWorld(&def, &error);
        bool good = world != NULL;
        hwCableSectionDef section = hwDefaultCableSectionDef();
        section.length = 10.0;
        section.diameter = 0.02;
        section.massPerLength = 1.0;
        section.EA = 1e6;
        section.EI = 10.0;
        section.breakTension = 1e9;
        hwCableDef wire = hwDefaultCableDef();
        wire.name = "wire";
        wire.sectionCount = 1;
        wire.sections = &section;
        wire.ends[0] = Pin(earth, hwVec3_zero);
        wire.ends[1] = Pin(earth, hwMakeVec3(9.0, 0.0, 0.0));
        wire.shape = HW_CABLE_CATENARY_SHAPE;
        hwCableId id = {0, 0};
        if (good) good = !HW_IS_NULL(id = hwWorld_AddCable(world, &wire, &error));
        hwWinchDef winch = hwDefaultWinchDef();
        winch.name = "winch";
        winch.cable = id;
        if (good) good = !HW_IS_NULL(hwWorld_AddWinch(world, &winch, &error));
        if (good) good = hwWorld_Prepare(world, &error) == HW_OK;
        if (failAt < 0) {
            assert_true(good);
            needed = heap.allocations;
            for (int i = 0; i < 30; ++i) assert_int_equal(hwWorld_Step(world, 1.0 / 60.0, &error), HW_OK);
            assert_int_equal(heap.allocations, needed); // steps allocate nothing
        } else {
            assert_false(good);
            assert_int_equal(error.status, HW_ERROR_MEMORY);
        }
        hwDestroyWorld(world);
        assert_int_equal(heap.live, 0);
    }
}

// Elements grow in equal ratios from one end of a section to the other, and refining where a chain is sharply curved pays.
static void graded_elements_follow_their_ratio(void** state) {
    (void)state;
    double tension[3];
    for (int k = 0; k < 3; ++k) {
        hwError error;
        hwWorldDef worldDef = hwDefaultWorldDef();
        worldDef.statics = true;
        hwWorld* world = hwCreateWorld(&worldDef, &error);
        hwCableSectionDef sections[2];
        for (int i = 0; i < 2; ++i) {
            sections[i] = hwDefaultCableSectionDef();
            sections[i].length = 25.0;
            sections[i].elements = k == 2 ? 200 : 10;
            sections[i].diameter = 0.02;
            sections[i].massPerLength = 3.0;
            sections[i].EA = 1e6;
        }
        // short elements in the middle, where it hangs lowest
        if (k == 1) sections[0].grading = 0.2, sections[1].grading = 5.0;
        hwCableDef def = hwDefaultCableDef();
        def.name = "chain";
        def.sectionCount = 2;
        def.sections = sections;
        def.shape = HW_CABLE_CATENARY_SHAPE;
        def.ends[0] = Pin(earth, hwVec3_zero);
        def.ends[1] = Pin(earth, hwMakeVec3(6.0, 0.0, 0.0));
        assert_false(HW_IS_NULL(hwWorld_AddCable(world, &def, &error)));
        Prepare(world);
        tension[k] = Read(world, "chain.a.force.x");
        if (k == 1) {
            hwCableView view;
            assert_status(hwCable_GetView(world, hwWorld_FindCable(world, "chain"), &view, &error), HW_OK);
            // strains are below 1e-3
            assert_close(view.lengths[9] / view.lengths[0], 0.2, 2e-3);
            assert_close(view.lengths[5] / view.lengths[4], pow(0.2, 1.0 / 9.0), 2e-3);
            assert_close(view.lengths[19] / view.lengths[10], 5.0, 1e-2);
            assert_close(view.length, 50.0, 1e-12);
        }
        hwDestroyWorld(world);
    }
    // the horizontal force of a deep chain is decided in its bight
    assert_true(fabs(tension[1] - tension[2]) < 0.25 * fabs(tension[0] - tension[2]));
}

static void bad_grading_is_refused(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(false, 0.0);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.diameter = 0.02;
    section.massPerLength = 1.0;
    section.EA = 1e6;
    section.grading = 0.0;
    hwCableDef def = hwDefaultCableDef();
    def.name = "wire";
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = Pin(earth, hwVec3_zero);
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &def, &error)));
    assert_non_null(strstr(error.message, "grading"));
    section.grading = 2.0;
    section.elements = 0;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &def, &error)));
    assert_non_null(strstr(error.message, "elements"));
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structured_solve_equals_dense),
        cmocka_unit_test(graded_elements_follow_their_ratio),
        cmocka_unit_test(bad_grading_is_refused),
        cmocka_unit_test(realtime_matches_the_reference),
        cmocka_unit_test(energy_and_momentum_are_kept),
        cmocka_unit_test(a_pendulum_keeps_time),
        cmocka_unit_test(heavy_load_under_a_stiff_light_wire_is_stable_at_frame_rate),
        cmocka_unit_test(a_slack_chain_that_is_pulled_taut_comes_to_rest),
        cmocka_unit_test(detached_load_falls_and_attached_load_hangs),
        cmocka_unit_test(a_cut_leaves_two_cables),
        cmocka_unit_test(an_overloaded_cable_parts),
        cmocka_unit_test(a_winch_keeps_the_books),
        cmocka_unit_test(what_runs_off_a_winch_gets_its_speed_from_it),
        cmocka_unit_test(a_clump_goes_over_the_drum_in_the_books),
        cmocka_unit_test(a_tension_winch_holds_its_set_point),
        cmocka_unit_test(bits_repeat_after_saving),
        cmocka_unit_test(looking_changes_no_bit),
        cmocka_unit_test(wrong_cables_are_refused),
        cmocka_unit_test(hauling_in_too_much_stops_with_the_state_kept),
        cmocka_unit_test(a_bad_current_names_the_cable),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
