// Cables of the model `wrap` in a world: forces on bodies, numbers of watches, states that repeat.
#include "rig.h"

#include <string.h>

static double g_pile = 0.2;
static int g_elements = 20;

static hwBodyId AddPile(hwWorld* world) {
    hwError error;
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = g_pile;
    shape.length = 40.0;
    shape.material = "smooth";
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "pile";
    def.motion = HW_MOTION_FIXED;
    def.shapeCount = 1;
    def.shapes = &shape;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static hwWorld* MakeWorld(double friction) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef water = hwDefaultEnvironmentDef();
    water.water = true;
    water.surface = 30.0;
    assert_status(hwWorld_SetEnvironment(world, &water, &error), HW_OK);
    hwMaterialDef material = hwDefaultMaterialDef();
    material.name = "smooth";
    material.staticFriction = material.kineticFriction = friction;
    assert_status(hwWorld_AddMaterial(world, &material, &error), HW_OK);
    return world;
}

static hwCableId AddTether(hwWorld* world, double length, hwCableEndDef a, hwCableEndDef b) {
    hwError error;
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = length;
    section.elements = g_elements;
    section.diameter = 0.008;
    section.massPerLength = 1.05 * 1025.0 * 0.25 * HW_PI * 0.008 * 0.008; // sinks slowly
    section.EA = 2e4;
    section.axialDamping = 2e3;
    section.material = "smooth";
    hwCableDef def = hwDefaultCableDef();
    def.name = "tether";
    def.kind = HW_CABLE_WRAP;
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = a;
    def.ends[1] = b;
    hwCableId id = hwWorld_AddCable(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static void Watch(hwWorld* world, hwCableId cable) {
    hwError error;
    hwEntanglementDef def = hwDefaultEntanglementDef();
    def.cable = cable;
    def.reference = HW_REFERENCE_STRAIGHT;
    hwWatchAxisDef axis = {.name = "pile", .from = {0.0, 0.0, -20.0}, .to = {0.0, 0.0, 20.0}};
    def.find = false;
    def.axisCount = 1;
    def.axes = &axis;
    assert_status(hwWorld_WatchEntanglement(world, &def, &error), HW_OK);
}

// End b is led round the pile at 4 m, twice and back: at every moment the winding is that of the way that it was led, and the angle
// on the pile that of the tether.
static void LeadRound(double radius, int elements) {
    g_pile = radius;
    g_elements = elements;
    hwError error;
    hwWorld* world = MakeWorld(0.2);
    AddPile(world);
    hwCableId tether =
        AddTether(world, 14.0, Pin(earth, hwMakeVec3(-5.0, 0.6, 0.0)), Pin(earth, hwMakeVec3(4.0, 0.6, 0.0)));
    Watch(world, tether);
    Prepare(world);
    const double away = hwLength(hwMakeVec3(4.0, 0.6, 0.0)), from = atan2(0.6, 4.0), rate = 0.5;
    const int frames = (int)(2.0 * 2.0 * HW_PI / rate * 60.0);
    static hwVec3 way[8000];
    way[0] = hwMakeVec3(-5.0, 0.6, 0.0);
    hwTetherAxis axis = {.direction = {0.0, 0.0, 1.0}, .from = -HUGE_VAL, .to = HUGE_VAL};
    int most = 0;
    for (int i = 0; i <= 2 * frames; ++i) {
        bool out = i <= frames;
        int at = out ? i : 2 * frames - i;
        double angle = from - rate * at / 60.0, sign = out ? -rate : rate;
        hwVec3 p = {away * cos(angle), away * sin(angle), 0.0};
        hwVec3 v = {-away * sign * sin(angle), away * sign * cos(angle), 0.0};
        assert_status(hwCable_SetEndMotion(world, tether, 1, p, v, hwVec3_zero, &error), HW_OK);
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
        // the tether and the way that its end was led belong together: both closed straight have the same winding
        way[1 + i] = p;
        hwTurnCount flown = hwTether_CountWinding((hwPolyline){i + 2, way}, (hwPolyline){0, NULL}, &axis);
        if (i % 10 == 0) {
            assert_true(flown.certain);
            assert_true(Read(world, "tether.around.pile.winding") == flown.count);
            most = flown.count < most ? flown.count : most;
            assert_true(fabs(Read(world, "tether.on.pile.wrap") - Read(world, "tether.wrap.angle")) < 1e-9);
        }
        assert_true(fabs(Read(world, "tether.wrap.length") - 14.0) < 1e-9 * 14.0);
        if (i == frames) {
            assert_true(Read(world, "tether.wrap.angle") > 2.5 * HW_PI);
            assert_true(Read(world, "tether.entanglement.wrap") > 2.5 * HW_PI);
        }
    }
    assert_int_equal(most, -2);
    assert_true(Read(world, "tether.wrap.corners") == 0.0);
    assert_true(Read(world, "tether.around.pile.winding") == 0.0);
    hwDestroyWorld(world);
    g_pile = 0.2;
    g_elements = 20;
}

// Also round a thin pole, by a tether whose few elements would cut through it.
static void watches_count_what_an_end_is_led_round(void** state) {
    (void)state;
    LeadRound(0.2, 20);
    LeadRound(0.05, 5);
}

// A load pulls at a tether that runs half round a pile: it comes to rest where the tether pulls as hard, and the other end
// feels e^(-friction angle) of it. The pile, held by nothing else, would be pushed by the sum of both.
static void a_load_feels_the_tether(void** state) {
    (void)state;
    hwError error;
    const double friction = 0.25, pull = 40.0;
    hwWorld* world = MakeWorld(friction);
    AddPile(world);
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "load";
    def.mass = 20.0;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 5.0;
    def.position = hwMakeVec3(-3.0, -0.6, 0.0);
    hwBodyId load = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(load)) fail_msg("%s", error.message);
    hwVec3 points[4] = {{-3.0, 0.6, 0.0}, {1.0, 0.6, 0.0}, {1.0, -0.6, 0.0}, {-3.0, -0.6, 0.0}};
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 8.0;
    section.elements = g_elements;
    section.diameter = 0.008;
    section.massPerLength = 1.001 * 1025.0 * 0.25 * HW_PI * 0.008 * 0.008;
    section.EA = 2e4;
    section.axialDamping = 2e3;
    section.material = "smooth";
    hwCableDef cable = hwDefaultCableDef();
    cable.name = "tether";
    cable.kind = HW_CABLE_WRAP;
    cable.sectionCount = 1;
    cable.sections = &section;
    cable.ends[0] = Pin(earth, points[0]);
    cable.ends[1] = Pin(load, hwVec3_zero);
    cable.shape = HW_CABLE_POINTS;
    cable.pointCount = 4;
    cable.points = points;
    if (HW_IS_NULL(hwWorld_AddCable(world, &cable, &error))) fail_msg("%s", error.message);
    Prepare(world);
    // held up against its weight, and slowed down as by water
    double weight = 20.0 * hwWorld_GetEnvironment(world)->gravity, slow[6][6] = {{0}};
    for (int i = 0; i < 6; ++i) slow[i][i] = i < 3 ? 60.0 : 10.0;
    assert_status(hwBody_ApplyWrench(world, load, hwMakeVec3(0.0, 0.0, weight), hwVec3_zero, def.position,
                                     HW_FRAME_WORLD, &error),
                  HW_OK);
    assert_status(hwBody_ApplyImpedance(world, load, (const double(*)[6])slow, hwVec3_zero, hwVec3_zero,
                                        def.position, &error),
                  HW_OK);
    // the pull grows so slowly that nothing swings
    for (int i = 0; i < 1200; ++i) {
        assert_status(hwBody_ApplyWrench(world, load, hwMakeVec3(-pull / 1200.0, 0.0, 0.0), hwVec3_zero,
                                         hwVec3_zero, HW_FRAME_BODY, &error),
                      HW_OK);
        Run(world, 1.0 / 60.0);
    }
    Run(world, 5.0);
    hwVec3 ends[2], moment;
    hwCableId tether = hwWorld_FindCable(world, "tether");
    for (int e = 0; e < 2; ++e)
        assert_status(hwCable_GetEndLoad(world, tether, e, &ends[e], &moment, &error), HW_OK);
    assert_true(fabs(hwLength(ends[1]) - pull) < 0.005 * pull); // at rest to half a per cent
    double angle = Read(world, "tether.wrap.angle");
    assert_true(angle > 3.0);
    double ratio = hwLength(ends[1]) / hwLength(ends[0]);
    assert_true(ratio > 1.0 && ratio < 1.02 * exp(friction * angle));
    assert_true(ratio > 0.98 * exp(friction * angle)); // it ran towards the load until it was held
    hwDestroyWorld(world);
}

// A load draws a slack tether round a pile: material runs over it all the time, so what the load feels is e^(friction angle) of the slack
// side and the damping of that, not of a tether that sticks.
static void a_slack_tether_runs_round_a_pile(void** state) {
    (void)state;
    hwError error;
    const double friction = 0.25, pull = 10.0;
    hwWorld* world = MakeWorld(friction);
    hwEnvironmentDef water = *hwWorld_GetEnvironment(world);
    const double level = 0.0;
    const hwVec3 flow = {0.0, 0.2, 0.0};
    water.current.count = 1;
    water.current.levels = &level;
    water.current.velocities = &flow;
    assert_status(hwWorld_SetEnvironment(world, &water, &error), HW_OK);
    AddPile(world);
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "load";
    def.mass = 20.0;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 5.0;
    def.position = hwMakeVec3(-1.0, -0.6, 0.0);
    hwBodyId load = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(load)) fail_msg("%s", error.message);
    hwVec3 points[4] = {{-40.0, 0.6, 0.0}, {0.5, 0.6, 0.0}, {0.5, -0.6, 0.0}, {-1.0, -0.6, 0.0}};
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 60.0;
    section.elements = g_elements;
    section.diameter = 0.008;
    section.massPerLength = 1.05 * 1025.0 * 0.25 * HW_PI * 0.008 * 0.008;
    section.EA = 2e4;
    section.axialDamping = 2e3;
    section.material = "smooth";
    hwCableDef cable = hwDefaultCableDef();
    cable.name = "tether";
    cable.kind = HW_CABLE_WRAP;
    cable.sectionCount = 1;
    cable.sections = &section;
    cable.ends[0] = Pin(earth, points[0]);
    cable.ends[1] = Pin(load, hwVec3_zero);
    cable.shape = HW_CABLE_POINTS;
    cable.pointCount = 4;
    cable.points = points;
    if (HW_IS_NULL(hwWorld_AddCable(world, &cable, &error))) fail_msg("%s", error.message);
    Prepare(world);
    double weight = 20.0 * hwWorld_GetEnvironment(world)->gravity, slow[6][6] = {{0}};
    for (int i = 0; i < 6; ++i) slow[i][i] = i < 3 ? 60.0 : 10.0;
    assert_status(hwBody_ApplyWrench(world, load, hwMakeVec3(-pull, 0.0, weight), hwVec3_zero, def.position,
                                     HW_FRAME_WORLD, &error),
                  HW_OK);
    assert_status(hwBody_ApplyImpedance(world, load, (const double(*)[6])slow, hwVec3_zero, hwVec3_zero,
                                        def.position, &error),
                  HW_OK);
    hwCableId tether = hwWorld_FindCable(world, "tether");
    for (int i = 0; i < 600; ++i) {
        Run(world, 1.0 / 60.0);
        hwVec3 ends[2], moment;
        for (int e = 0; e < 2; ++e)
            assert_status(hwCable_GetEndLoad(world, tether, e, &ends[e], &moment, &error), HW_OK);
        double most = exp(friction * Read(world, "tether.wrap.angle")) * hwLength(ends[0]);
        if (hwLength(ends[1]) > 1.2 * most + 0.2)
            fail_msg("%g N at the load, %g at the other end, after %g s", hwLength(ends[1]),
                     hwLength(ends[0]), hwWorld_GetTime(world));
    }
    hwBodyState where;
    assert_status(hwBody_GetState(world, load, &where, &error), HW_OK);
    assert_true(where.position.x < -1.3);
    hwDestroyWorld(world);
}

// A state that is saved and restored goes on to the same bits.
static void saved_states_repeat(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(0.2);
    AddPile(world);
    hwBodyId load = AddLoad(world, "load", 30.0, hwMakeVec3(3.0, 0.5, 0.0));
    AddTether(world, 9.0, Pin(earth, hwMakeVec3(-5.0, 0.4, 0.0)), Pin(load, hwVec3_zero));
    Prepare(world);
    assert_status(hwBody_ApplyWrench(world, load, hwMakeVec3(0.0, -20.0, 300.0), hwVec3_zero, hwVec3_zero,
                                     HW_FRAME_WORLD, &error),
                  HW_OK);
    Run(world, 2.0);
    size_t size = hwWorld_GetStateSize(world);
    void* kept = malloc(size);
    assert_status(hwWorld_SaveState(world, kept, size, &error), HW_OK);
    Run(world, 3.0);
    uint64_t first = hwWorld_HashState(world);
    assert_true(Read(world, "tether.wrap.arcs") > 0.0);
    assert_status(hwWorld_RestoreState(world, kept, size, &error), HW_OK);
    Run(world, 3.0);
    assert_true(hwWorld_HashState(world) == first);
    free(kept);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(watches_count_what_an_end_is_led_round),
        cmocka_unit_test(a_load_feels_the_tether),
        cmocka_unit_test(a_slack_tether_runs_round_a_pile),
        cmocka_unit_test(saved_states_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
