// Cables without inertia in a world: on earth, on bodies, on winches.
#include "rig.h"

#include "hawser/reference.h"
#include "inside.h"

static const hwBodyId earth;

static hwWorld* MakeWorld(bool statics, bool reference, double gravity) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.statics = statics;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    dry.gravity = gravity;
    assert_status(hwWorld_SetEnvironment(world, &dry, &error), HW_OK);
    if (reference) assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error), HW_OK);
    return world;
}

static hwBodyId AddMovingLoad(hwWorld* world, const char* name, double mass, hwVec3 position,
                              hwVec3 velocity) {
    hwError error;
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = mass;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 0.4 * mass;
    def.position = position;
    def.velocity = velocity;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

typedef struct Wire {
    hwCableKind kind;
    double length, EA, massPerLength, damping, breakTension;
} Wire;

static hwCableId TryWire(hwWorld* world, const char* name, Wire wire, hwCableEndDef a, hwCableEndDef b,
                         hwError* error) {
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = wire.length;
    section.elements = 10;
    section.diameter = 0.02;
    section.massPerLength = wire.massPerLength;
    section.EA = wire.EA;
    section.axialDamping = wire.damping;
    if (wire.breakTension > 0.0) section.breakTension = wire.breakTension;
    hwCableDef def = hwDefaultCableDef();
    def.name = name;
    def.kind = wire.kind;
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = a;
    def.ends[1] = b;
    if (wire.kind == HW_CABLE_DYNAMIC) def.shape = HW_CABLE_CATENARY_SHAPE;
    return hwWorld_AddCable(world, &def, error);
}

static hwCableId AddWire(hwWorld* world, const char* name, Wire wire, hwCableEndDef a, hwCableEndDef b) {
    hwError error;
    hwCableId id = TryWire(world, name, wire, a, b, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static const hwCableKind g_kinds[] = {HW_CABLE_LINE, HW_CABLE_VEE, HW_CABLE_CATENARY};

// A load on a taut line bounces with sqrt(EA/(L m)), and its energy stays.
static void load_bounces_on_a_line(void** state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        hwWorld* world = MakeWorld(false, false, 9.81);
        double mass = 1000.0, length = 10.0, EA = 1e6;
        double sag = mass * 9.81 * length / EA;
        hwBodyId load =
            AddMovingLoad(world, "load", mass, hwMakeVec3(0.0, 0.0, -length - sag - 0.01), hwVec3_zero);
        AddWire(world, "wire", (Wire){g_kinds[k], length, EA, 1e-3, 0.0, 0.0}, Pin(earth, hwVec3_zero),
                Pin(load, hwVec3_zero));
        Prepare(world);
        double before = Read(world, "world.energy.balance"), period = 2.0 * HW_PI * sqrt(mass * length / EA);
        hwError error;
        int steps = 400;
        for (int i = 0; i < steps; ++i)
            assert_true(hwWorld_Step(world, 5.0 * period / steps, &error) >= HW_OK);
        // five periods on: back where it was, to the order of the step squared
        assert_close(Read(world, "load.position.z"), -length - sag - 0.01, 2e-4);
        // what the V and the catenary show of their energy is a sum over nodes
        assert_close(Read(world, "world.energy.balance"), before, 0.02);
        assert_close(Read(world, "wire.b.force.z"), mass * (9.81 + 0.01 * EA / (length * mass)), 15.0);
        hwDestroyWorld(world);
    }
}

// Material damping acts on stretch: a taut line that swings has none to speak of. (c/EA of its whole stiffness, tension over length across
// it too, took two thirds of the swing in 20 s.)
static void swinging_is_not_damped(void** state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        hwWorld* world = MakeWorld(false, false, 9.81);
        hwBodyId load =
            AddMovingLoad(world, "load", 100.0, hwMakeVec3(0.0, 0.0, -10.001), hwMakeVec3(1.0, 0.0, 0.0));
        AddWire(world, "line", (Wire){g_kinds[k], 10.0, 1e7, 0.01, 5e5, 0.0}, Pin(earth, hwVec3_zero),
                Pin(load, hwVec3_zero));
        Prepare(world);
        Run(world, 20.0);
        hwEnergy e = hwWorld_GetEnergy(world);
        assert_true(e.dissipated < 1e-3); // of 50 J; 2e-4 seen, 31.8 with the damping across
        hwDestroyWorld(world);
    }
}

// A load that swings on a taut line through the plane of the bottom and back: what the line takes it gives back.
static void ends_below_the_bottom_keep_their_energy(void** state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        hwError error;
        hwWorld* world = MakeWorld(false, false, 9.81);
        hwEnvironmentDef environment = hwDefaultEnvironmentDef();
        environment.water = false;
        environment.seabed.kind = HW_SEABED_PLANE;
        environment.seabed.depth = 20.0;
        environment.seabed.stiffness = 1e4;
        assert_status(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
        hwBodyId load = AddMovingLoad(world, "load", 100.0, hwMakeVec3(10.9, 0.0, -19.0), hwVec3_zero);
        AddWire(world, "wire", (Wire){g_kinds[k], 10.0, 1e4, 0.1, 0.0, 0.0},
                Pin(earth, hwMakeVec3(0.0, 0.0, -18.0)), Pin(load, hwVec3_zero));
        Prepare(world);
        double before = Read(world, "world.energy.balance"), deepest = 0.0;
        for (int i = 0; i < 300; ++i) {
            assert_status(hwWorld_Step(world, 1.0 / 300.0, &error), HW_OK);
            deepest = fmin(deepest, ReadBody(world, load).position.z);
            // steps and sums over nodes leave 0.06 J of 3.6 kJ; a pull on an end that counts as lying still takes 9 J
            assert_close(Read(world, "world.energy.balance"), before, 0.2);
        }
        assert_true(deepest < -23.0);
        hwDestroyWorld(world);
    }
}

// In free space what two bodies do to one another through a line leaves their momentum alone.
static void momentum_stays(void** state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        hwWorld* world = MakeWorld(false, false, 0.0);
        hwBodyId a = AddMovingLoad(world, "a", 10.0, hwVec3_zero, hwMakeVec3(0.0, 1.0, 0.0));
        hwBodyId b = AddMovingLoad(world, "b", 30.0, hwMakeVec3(9.9, 0.0, 0.0), hwMakeVec3(1.0, -1.0, 0.5));
        AddWire(world, "wire", (Wire){g_kinds[k], 10.0, 1e5, 1e-9, 100.0, 0.0},
                Pin(a, hwMakeVec3(0.1, 0.2, 0.0)), Pin(b, hwMakeVec3(0.0, -0.2, 0.1)));
        Prepare(world);
        Run(world, 10.0);
        const char* axes[3] = {"x", "y", "z"};
        const double sums[3] = {30.0, -20.0, 15.0};
        for (int i = 0; i < 3; ++i) {
            char channels[2][32];
            snprintf(channels[0], 32, "a.velocity.%s", axes[i]);
            snprintf(channels[1], 32, "b.velocity.%s", axes[i]);
            // Rounding. A vee or a catenary without weight has no shape of its own and chatters where it goes taut:
            // there Newton's method leaves up to a millionth of a velocity in each of thousands of short steps.
            double bound = g_kinds[k] == HW_CABLE_LINE ? 1e-9 : 1e-2;
            assert_close(10.0 * Read(world, channels[0]) + 30.0 * Read(world, channels[1]), sums[i], bound);
        }
        hwDestroyWorld(world);
    }
}

// The ends' blocks and what couples them, on two bodies and on one, make a matrix that is symmetric and positive.
static void coupled_solve_is_symmetric(void** state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        hwWorld* world = MakeWorld(false, false, 9.81);
        hwBodyId a = AddMovingLoad(world, "a", 10.0, hwVec3_zero, hwVec3_zero);
        hwBodyId b = AddMovingLoad(world, "b", 30.0, hwMakeVec3(8.0, 0.0, 0.0), hwVec3_zero);
        AddWire(world, "one", (Wire){g_kinds[k], 8.0, 1e5, 1.0, 10.0, 0.0}, Pin(a, hwMakeVec3(0.1, 0.2, 0.0)),
                Pin(b, hwMakeVec3(0.0, -0.2, 0.1)));
        AddWire(world, "two", (Wire){g_kinds[k], 2.0, 1e5, 1.0, 10.0, 0.0},
                Pin(a, hwMakeVec3(-1.1, 0.0, 0.0)), Pin(a, hwMakeVec3(1.0, 0.0, 0.1)));
        AddWire(world, "three", (Wire){g_kinds[k], 5.0, 1e5, 1.0, 10.0, 0.0},
                Pin(earth, hwMakeVec3(0.0, 5.0, 0.0)), Pin(a, hwVec3_zero));
        Prepare(world);
        const double hd = 0.005;
        int n = 12; // of the two bodies; nodes have no rows of their own
        double matrix[12][12], y[512], b1[512];
        assert_true(world->model.freedomCount < 512);
        EvaluateWorld(world, 0.0, hd);
        assert_status(hwWorld_Factor(world, hd, NULL, NULL), HW_OK);
        // the inverse, column by column
        for (int i = 0; i < n; ++i) {
            memset(b1, 0, sizeof(b1));
            b1[i] = 1.0;
            hwWorld_SolveFactored(world, b1, y);
            for (int j = 0; j < n; ++j) matrix[j][i] = y[j];
        }
        for (int i = 0; i < n; ++i) {
            assert_true(matrix[i][i] > 0.0);
            for (int j = 0; j < n; ++j) assert_close(matrix[i][j], matrix[j][i], 1e-12);
        }
        hwDestroyWorld(world);
    }
}

// As the dynamic cable does when it is at rest.
static void catenary_pulls_like_a_dynamic_cable(void** state) {
    (void)state;
    double tension[2], height[2];
    for (int k = 0; k < 2; ++k) {
        hwWorld* world = MakeWorld(true, false, 9.81);
        hwBodyId load = AddMovingLoad(world, "load", 200.0, hwMakeVec3(9.0, 0.0, -12.0), hwVec3_zero);
        hwCableKind kind = k == 0 ? HW_CABLE_CATENARY : HW_CABLE_DYNAMIC;
        AddWire(world, "left", (Wire){kind, 16.0, 1e6, 3.0, 1e3, 0.0}, Pin(earth, hwVec3_zero),
                Pin(load, hwVec3_zero));
        AddWire(world, "right", (Wire){kind, 16.0, 1e6, 3.0, 1e3, 0.0}, Pin(load, hwVec3_zero),
                Pin(earth, hwMakeVec3(20.0, 0.0, 0.0)));
        Prepare(world);
        tension[k] = Read(world, "left.a.tension");
        height[k] = Read(world, "load.position.z");
        assert_close(Read(world, "load.position.x"), 10.0, 1e-6);
        hwDestroyWorld(world);
    }
    // ten elements: second order, measured 2e-4
    assert_close(tension[0], tension[1], 1e-3 * tension[1]);
    assert_close(height[0], height[1], 5e-3);
}

static void every_model_has_the_same_channels(void** state) {
    (void)state;
    char names[5][4096] = {{0}};
    for (int kind = 0; kind < 5; ++kind) {
        hwWorld* world = MakeWorld(false, false, 9.81);
        AddWire(world, "wire", (Wire){(hwCableKind)kind, 10.0, 1e6, 1.0, 0.0, 0.0}, Pin(earth, hwVec3_zero),
                Pin(earth, hwMakeVec3(9.0, 0.0, 0.0)));
        Prepare(world);
        for (int i = 0; i < hwWorld_GetChannelCount(world); ++i) {
            const char* name = hwWorld_GetChannel(world, i).name;
            if (strstr(name, "node[") == NULL || strstr(name, "node[3]") != NULL) strcat(names[kind], name);
            double value = hwWorld_ReadChannel(world, i);
            if (!isfinite(value)) fail_msg("%s is %g", name, value);
        }
        if (kind > 0) assert_string_equal(names[kind], names[0]);
        hwDestroyWorld(world);
    }
}

static void winch_pays_out_and_holds_tension(void** state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        hwError error;
        hwWorld* world = MakeWorld(false, false, 9.81);
        hwBodyId load = AddMovingLoad(world, "load", 500.0, hwMakeVec3(0.0, 0.0, -10.05), hwVec3_zero);
        hwCableId wire = AddWire(world, "wire", (Wire){g_kinds[k], 10.0, 1e6, 1.0, 2e4, 0.0},
                                 Pin(earth, hwVec3_zero), Pin(load, hwVec3_zero));
        hwWinchDef def = hwDefaultWinchDef();
        def.name = "winch";
        def.cable = wire;
        def.kp = 1e-4;
        assert_false(HW_IS_NULL(hwWorld_AddWinch(world, &def, &error)));
        Prepare(world);
        hwWinchId winch = hwWorld_FindWinch(world, "winch");
        assert_status(hwWinch_SetTarget(world, winch, HW_WINCH_VELOCITY, 0.5, &error), HW_OK);
        Run(world, 10.0);
        // 0.5 m/s, reached at 3 m/s2
        assert_close(Read(world, "wire.length"), 10.0 + 5.0 - 0.5 * 0.25 / 3.0, 2e-3);
        assert_close(Read(world, "load.velocity.z"), -0.5, 0.02);
        assert_close(Read(world, "wire.node[10].position.z"), Read(world, "load.position.z"), 1e-9);
        // less than the weight: the winch lets the load down until it moves at (T - T0) kp
        assert_status(hwWinch_SetTarget(world, winch, HW_WINCH_TENSION, 500.0 * 9.81 - 1000.0, &error),
                      HW_OK);
        Run(world, 10.0);
        double rate = 1e-4 * (Read(world, "winch.tension") - 3905.0);
        assert_close(Read(world, "winch.rate"), rate, 2e-3);
        assert_true(rate > 0.05);
        // hauling in past the end stops with an error that names the cable
        assert_status(hwWinch_SetTarget(world, winch, HW_WINCH_VELOCITY, -3.0, &error), HW_OK);
        hwStatus status = HW_OK;
        for (int i = 0; i < 1200 && status >= HW_OK; ++i) status = hwWorld_Step(world, 1.0 / 60.0, &error);
        assert_true(status < HW_OK);
        assert_non_null(strstr(error.message, "wire"));
        hwDestroyWorld(world);
    }
}

static void cutting_detaching_and_parting(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(false, false, 9.81);
    hwBodyId load = AddMovingLoad(world, "load", 500.0, hwMakeVec3(0.0, 0.0, -10.0), hwVec3_zero);
    hwCableId wire = AddWire(world, "wire", (Wire){HW_CABLE_CATENARY, 10.0, 1e6, 1.0, 1e4, 20e3},
                             Pin(earth, hwVec3_zero), Pin(load, hwVec3_zero));
    Prepare(world);
    Run(world, 1.0);
    assert_true(Read(world, "load.velocity.z") > -2.0);
    hwCableId rest;
    assert_status(hwCable_Cut(world, wire, 4.0, &rest, &error), HW_OK);
    Run(world, 1.0);
    assert_true(Read(world, "load.velocity.z") < -9.0); // falls, what is left of the wire hanging on it
    assert_close(Read(world, "wire.a.force.z"), -4.0 * 9.81, 1e-9);
    assert_status(hwCable_Detach(world, wire, 0, &error), HW_ERROR_ORDER);
    assert_non_null(strstr(error.message, "cannot fall"));
    hwDestroyWorld(world);

    world = MakeWorld(false, false, 9.81);
    load = AddMovingLoad(world, "load", 500.0, hwMakeVec3(0.0, 0.0, -8.0), hwVec3_zero);
    AddWire(world, "wire", (Wire){HW_CABLE_LINE, 10.0, 1e6, 1.0, 1e3, 20e3}, Pin(earth, hwVec3_zero),
            Pin(load, hwVec3_zero));
    Prepare(world);
    Run(world, 2.0); // falls two metres and snaps it
    assert_true(Read(world, "load.position.z") < -11.0);
    hwDestroyWorld(world);
}

static void refusals(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(false, false, 9.81);
    hwCableEndDef free = {.joint = HW_ATTACH_FREE, .placed = true};
    Wire wire = {HW_CABLE_VEE, 10.0, 1e6, 1.0, 0.0, 0.0};
    assert_true(HW_IS_NULL(TryWire(world, "wire", wire, free, free, &error)));
    assert_non_null(strstr(error.message, "needs an end that is held"));
    hwCableId id = AddWire(world, "wire", wire, Pin(earth, hwVec3_zero), free);
    hwCableForceDef force = hwDefaultCableForceDef();
    force.cable = id;
    assert_status(hwWorld_AddCableForce(world, &force, &error), HW_ERROR_ARGUMENT);
    Prepare(world);
    assert_status(hwCable_ApplyForce(world, id, 1.0, hwMakeVec3(1.0, 0.0, 0.0), &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "takes no forces"));
    hwDestroyWorld(world);
}

static void realtime_agrees_with_reference(void** state) {
    (void)state;
    double height[2], across[2];
    for (int k = 0; k < 2; ++k) {
        hwWorld* world = MakeWorld(false, k == 1, 9.81);
        hwBodyId load =
            AddMovingLoad(world, "load", 300.0, hwMakeVec3(6.0, 0.0, -7.0), hwMakeVec3(0.0, 1.0, 0.0));
        AddWire(world, "left", (Wire){HW_CABLE_CATENARY, 10.0, 2e5, 5.0, 2e3, 0.0}, Pin(earth, hwVec3_zero),
                Pin(load, hwVec3_zero));
        AddWire(world, "right", (Wire){HW_CABLE_VEE, 12.0, 2e5, 5.0, 2e3, 0.0}, Pin(load, hwVec3_zero),
                Pin(earth, hwMakeVec3(14.0, 0.0, 0.0)));
        Prepare(world);
        Run(world, 4.0);
        height[k] = Read(world, "load.position.z");
        across[k] = Read(world, "load.position.y");
        hwDestroyWorld(world);
    }
    // 1 % of a motion of about a metre
    assert_close(height[0], height[1], 0.02);
    assert_close(across[0], across[1], 0.02);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_bounces_on_a_line),
        cmocka_unit_test(momentum_stays),
        cmocka_unit_test(swinging_is_not_damped),
        cmocka_unit_test(ends_below_the_bottom_keep_their_energy),

        cmocka_unit_test(coupled_solve_is_symmetric),
        cmocka_unit_test(catenary_pulls_like_a_dynamic_cable),
        cmocka_unit_test(every_model_has_the_same_channels),
        cmocka_unit_test(winch_pays_out_and_holds_tension),
        cmocka_unit_test(cutting_detaching_and_parting),
        cmocka_unit_test(refusals),
        cmocka_unit_test(realtime_agrees_with_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
