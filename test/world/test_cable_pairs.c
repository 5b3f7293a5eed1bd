// Which pairs of cables and other things touch: all, unless they are ignored, switched off, end in one place or lie in each
// other from the start.
#include "support.h"

#include "hawser/hawser.h"
#include "inside.h"

#define DIAMETER 0.02

static int messages;

static void CountMessages(hwLogLevel level, const char* message, void* context) {
    (void)level, (void)context;
    messages += strstr(message, "from the start") != NULL;
}

static hwWorld* MakeWorld(bool water) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.log = CountMessages;
    messages = 0;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = water;
    environment.surface = 100.0;
    environment.airDensity = 0.0;
    environment.seabed.kind = HW_SEABED_PLANE;
    environment.seabed.depth = 101.0;
    assert_status(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
    return world;
}

// Held at both points, or lying loose between them.
static hwCableId AddRope(hwWorld* world, const char* name, hwVec3 from, hwVec3 to, bool held) {
    hwError error;
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = hwDistance(from, to);
    section.elements = 10;
    section.diameter = DIAMETER;
    section.massPerLength = 0.5;
    section.EA = 1e5;
    section.axialDamping = 1e3;
    hwVec3 points[2] = {from, to};
    hwCableDef def = hwDefaultCableDef();
    def.name = name;
    def.sectionCount = 1;
    def.sections = &section;
    for (int e = 0; e < 2 && held; ++e)
        def.ends[e] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = points[e]};
    def.shape = HW_CABLE_POINTS;
    def.points = points;
    def.pointCount = 2;
    hwCableId id = hwWorld_AddCable(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static void AddBar(hwWorld* world) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_BOX;
    shape.size = hwMakeVec3(4.0, 0.1, 0.1);
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "bar";
    def.mass = 1.0;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 1.0;
    def.motion = HW_MOTION_FIXED;
    def.shapeCount = 1;
    def.shapes = &shape;
    assert_false(HW_IS_NULL(hwWorld_AddBody(world, &def, NULL)));
}

static void Prepare(hwWorld* world) {
    hwError error;
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
}

static void Run(hwWorld* world, int frames) {
    hwError error;
    for (int i = 0; i < frames; ++i) {
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

// How many contacts there are of the two, in either order.
static int CountContacts(hwWorld* world, const char* a, const char* b) {
    const hwContactView* views;
    int count = hwWorld_GetContacts(world, &views), found = 0;
    for (int i = 0; i < count; ++i) {
        found += (strcmp(views[i].a, a) == 0 && strcmp(views[i].b, b) == 0) ||
                 (strcmp(views[i].a, b) == 0 && strcmp(views[i].b, a) == 0);
    }
    return found;
}

static double FindHighest(hwWorld* world, hwCableId id) {
    hwCableView view;
    assert_status(hwCable_GetView(world, id, &view, NULL), HW_OK);
    double highest = -HUGE_VAL;
    for (int i = 0; i < view.nodeCount; ++i) highest = fmax(highest, view.positions[i].z);
    return highest;
}

// A taut line in x, a loose rope in y above it, and the seabed a metre below.
static hwWorld* MakeCross(hwCableId* rope) {
    hwWorld* world = MakeWorld(true);
    AddRope(world, "line", hwMakeVec3(-1.0, 0.0, 0.0), hwMakeVec3(1.0, 0.0, 0.0), true);
    *rope = AddRope(world, "rope", hwMakeVec3(0.05, -1.1, 0.1), hwMakeVec3(0.05, 0.9, 0.1), false);
    return world;
}

static void cables_touch_unless_they_are_ignored(void** state) {
    (void)state;
    for (int ignored = 0; ignored < 2; ++ignored) {
        hwCableId rope;
        hwWorld* world = MakeCross(&rope);
        if (ignored) assert_status(hwWorld_IgnoreContact(world, "rope", "line", NULL), HW_OK);
        Prepare(world);
        Run(world, 180);
        // a rope that sinks freely is on the bottom by then
        if (ignored) {
            assert_true(FindHighest(world, rope) < -0.5);
        } else {
            assert_true(FindHighest(world, rope) > -0.1);
            assert_true(CountContacts(world, "line", "rope") > 0);
        }
        hwDestroyWorld(world);
    }
}

static void cables_are_switched_while_running(void** state) {
    (void)state;
    hwError error;
    hwCableId rope;
    hwWorld* world = MakeCross(&rope);
    Prepare(world);
    Run(world, 60);
    assert_true(CountContacts(world, "line", "rope") > 0);
    assert_status(hwWorld_SwitchContact(world, "line", "rope", false, &error), HW_OK);
    assert_int_equal(CountContacts(world, "line", "rope"), 0);
    // part of the state: going back and on gives the same
    size_t size = hwWorld_GetStateSize(world);
    void* saved = malloc(size);
    assert_status(hwWorld_SaveState(world, saved, size, &error), HW_OK);
    Run(world, 180);
    uint64_t hash = hwWorld_HashState(world);
    assert_true(FindHighest(world, rope) < -0.5);
    // and through the bottom, and onto it again
    assert_true(CountContacts(world, "rope", "seabed") > 0);
    assert_status(hwWorld_SwitchContact(world, "seabed", "rope", false, &error), HW_OK);
    Run(world, 60);
    assert_int_equal(CountContacts(world, "rope", "seabed"), 0);
    assert_true(FindHighest(world, rope) < -1.2);
    assert_status(hwWorld_RestoreState(world, saved, size, &error), HW_OK);
    Run(world, 180);
    assert_true(hwWorld_HashState(world) == hash);
    free(saved);
    hwDestroyWorld(world);
}

static double ReadChannel(hwWorld* world, const char* name) {
    int index = hwWorld_FindChannel(world, name);
    if (index < 0) fail_msg("no channel %s", name);
    return hwWorld_ReadChannel(world, index);
}

static void pairs_that_are_watched_have_channels(void** state) {
    (void)state;
    hwError error;
    hwCableId rope;
    hwWorld* world = MakeCross(&rope);
    AddBar(world);
    assert_status(hwWorld_IgnoreContact(world, "bar", "line", &error), HW_OK);
    assert_status(hwWorld_IgnoreContact(world, "bar", "rope", &error), HW_OK);
    assert_status(hwWorld_WatchContact(world, "rope", "line", &error), HW_OK);
    assert_status(hwWorld_WatchContact(world, "line", "rope", &error), HW_OK);
    assert_status(hwWorld_WatchContact(world, "rope", "seabed", &error), HW_OK);
    Prepare(world);
    Run(world, 60);
    double up = ReadChannel(world, "rope.contact.line.force.z");
    assert_true(up > 0.0); // it lies on the line
    assert_close(ReadChannel(world, "line.contact.rope.force.z"), -up, 1e-12 * up);
    assert_close(ReadChannel(world, "rope.contact.line.point.x"), 0.05, 0.05);
    assert_true(ReadChannel(world, "rope.contact.line.depth") > 0.0);
    assert_true(ReadChannel(world, "rope.contact.line.volume") > 0.0);
    assert_true(ReadChannel(world, "rope.contact.line.count") >= 1.0);
    assert_true(ReadChannel(world, "rope.contact.seabed.count") == 0.0);
    // at rest on the bottom it carries its weight in water
    assert_status(hwWorld_SwitchContact(world, "rope", "line", false, &error), HW_OK);
    assert_status(hwWorld_SwitchContact(world, "rope", "rope", false, &error), HW_OK);
    Run(world, 600);
    assert_true(ReadChannel(world, "rope.contact.line.count") == 0.0);
    double weight = 2.0 * 9.81 * (0.5 - 1025.0 * 0.25 * HW_PI * DIAMETER * DIAMETER);
    assert_close(ReadChannel(world, "rope.contact.seabed.force.z") / weight, 1.0, 0.02);
    hwDestroyWorld(world);
    world = MakeCross(&rope);
    assert_status(hwWorld_WatchContact(world, "rope", "nothing", &error), HW_OK);
    assert_true(hwWorld_Prepare(world, &error) < HW_OK);
    assert_non_null(strstr(error.message, "no object has the name `nothing`"));
    hwDestroyWorld(world);
}

static void a_cable_is_switched_against_a_body(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(true);
    AddBar(world);
    hwCableId rope = AddRope(world, "rope", hwMakeVec3(0.05, -1.1, 0.1), hwMakeVec3(0.05, 0.9, 0.1), false);
    Prepare(world);
    Run(world, 60);
    assert_true(CountContacts(world, "rope", "bar") > 0);
    assert_status(hwWorld_SwitchContact(world, "rope", "bar", false, &error), HW_OK);
    // a cable added meanwhile changes nothing about that
    AddRope(world, "another", hwMakeVec3(5.0, 0.0, 0.0), hwMakeVec3(7.0, 0.0, 0.0), true);
    Prepare(world);
    Run(world, 180);
    assert_true(FindHighest(world, rope) < -0.5);
    hwDestroyWorld(world);
}

static void a_cable_meets_itself_unless_it_is_ignored(void** state) {
    (void)state;
    // a loop that crosses itself a quarter of its thickness above
    hwVec3 points[4] = {{-1.0, 0.03, 0.0}, {1.0, 0.0, 0.0}, {0.1, 1.0, 0.025}, {0.1, -1.0, 0.025}};
    for (int ignored = 0; ignored < 2; ++ignored) {
        hwWorld* world = MakeWorld(true);
        hwError error;
        hwCableSectionDef section = hwDefaultCableSectionDef();
        section.length = 0.0;
        for (int i = 0; i < 3; ++i) section.length += hwDistance(points[i], points[i + 1]);
        section.elements = 31;
        section.diameter = DIAMETER;
        section.massPerLength = 0.5;
        section.EA = 1e5;
        hwCableDef def = hwDefaultCableDef();
        def.name = "loop";
        def.sectionCount = 1;
        def.sections = &section;
        def.shape = HW_CABLE_POINTS;
        def.points = points;
        def.pointCount = 4;
        if (HW_IS_NULL(hwWorld_AddCable(world, &def, &error))) fail_msg("%s", error.message);
        if (ignored) assert_status(hwWorld_IgnoreContact(world, "loop", "loop", NULL), HW_OK);
        Prepare(world);
        hwCablePairs_Find(world, &hwMode_running, 1.0 / 60.0, false);
        assert_true(ignored ? world->work->cablePairs->count == 0 : world->work->cablePairs->count > 0);
        if (!ignored) {
            assert_status(hwWorld_SwitchContact(world, "loop", "loop", false, &error), HW_OK);
            hwCablePairs_Find(world, &hwMode_running, 1.0 / 60.0, false);
            assert_int_equal(world->work->cablePairs->count, 0);
        }
        hwDestroyWorld(world);
    }
}

static void legs_that_end_in_one_place_do_not_touch_there(void** state) {
    (void)state;
    // Two legs at 6 degrees: a metre from their common end they are 0.1 m apart, at a fifth of one as near as they are thick.
    hwWorld* world = MakeWorld(true);
    AddRope(world, "one", hwVec3_zero, hwMakeVec3(2.0, 0.1, 0.0), true);
    AddRope(world, "two", hwMakeVec3(2.0, -0.1, 0.0), hwVec3_zero, true);
    Prepare(world);
    for (int i = 0; i < 30; ++i) {
        Run(world, 1);
        assert_int_equal(CountContacts(world, "one", "two"), 0);
    }
    hwDestroyWorld(world);
}

static void bundles_stay_together(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(true);
    AddRope(world, "one", hwVec3_zero, hwMakeVec3(2.0, 0.0, 0.0), true);
    AddRope(world, "two", hwMakeVec3(-0.5, 0.001, 0.0), hwMakeVec3(2.5, 0.001, 0.0), true);
    Prepare(world);
    assert_int_equal(messages, 1);
    for (int i = 0; i < 30; ++i) {
        Run(world, 1);
        assert_int_equal(CountContacts(world, "one", "two"), 0);
    }
    hwDestroyWorld(world);
}

static void what_crosses_at_the_start_is_let_out_gently(void** state) {
    (void)state;
    // Axes 2 mm apart, 18 mm in each other. The force that this deformation would take at once moves 0.1 kg at km/s.
    hwWorld* world = MakeWorld(true);
    hwCableId one = AddRope(world, "one", hwMakeVec3(-1.0, 0.0, 0.0), hwMakeVec3(1.0, 0.0, 0.0), true);
    hwCableId two = AddRope(world, "two", hwMakeVec3(0.05, -1.0, 0.002), hwMakeVec3(0.05, 1.0, 0.002), true);
    Prepare(world);
    double fastest = 0.0;
    for (int i = 0; i < 120; ++i) {
        Run(world, 1);
        hwCableView views[2];
        assert_status(hwCable_GetView(world, one, &views[0], NULL), HW_OK);
        assert_status(hwCable_GetView(world, two, &views[1], NULL), HW_OK);
        for (int k = 0; k < 22; ++k) fastest = fmax(fastest, hwLength(views[k / 11].velocities[k % 11]));
    }
    assert_true(CountContacts(world, "one", "two") > 0);
    assert_true(fastest < 0.5);
    hwDestroyWorld(world);
}

static void the_order_of_cables_does_not_matter(void** state) {
    (void)state;
    // The same pairs are found by the sweep and by asking all pairs of elements.
    hwWorld* world = MakeWorld(true);
    uint64_t seed = 7;
    char names[12][8];
    for (int i = 0; i < 12; ++i) {
        snprintf(names[i], sizeof(names[i]), "c%d", i);
        hwVec3 a = hwMakeVec3(TestRandom(&seed), TestRandom(&seed), TestRandom(&seed));
        hwVec3 b = hwMakeVec3(TestRandom(&seed), TestRandom(&seed), TestRandom(&seed));
        AddRope(world, names[i], a, b, false);
    }
    Prepare(world);
    const double h = 1.0 / 60.0;
    hwCablePairs_Find(world, &hwMode_running, h, false);
    const hwCablePairs* pairs = world->work->cablePairs;
    int found = 0;
    for (int a = 0; a < 12; ++a) {
        for (int b = a + 1; b < 12; ++b) {
            const hwVec3* x =
                (const hwVec3*)(const void*)(world->state.q + world->model.cables->slots[a].coordinate);
            const hwVec3* y =
                (const hwVec3*)(const void*)(world->state.q + world->model.cables->slots[b].coordinate);
            for (int i = 0; i < 10; ++i) {
                for (int k = 0; k < 10; ++k) {
                    double at[2];
                    double square = hwSegments_GetNearest(x[i], x[i + 1], y[k], y[k + 1], &at[0], &at[1]);
                    bool near = square <= 4.0 * DIAMETER * DIAMETER, listed = false; // they are at rest
                    for (int p = 0; p < pairs->count; ++p) {
                        const hwCablePair* pair = &pairs->items[p];
                        listed = listed || (pair->slot[0] == a && pair->slot[1] == b &&
                                            pair->element[0] == i && pair->element[1] == k);
                    }
                    assert_true(near == listed);
                    found += near;
                }
            }
        }
    }
    assert_true(found > 2 && found == pairs->count);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cables_touch_unless_they_are_ignored),
        cmocka_unit_test(cables_are_switched_while_running),
        cmocka_unit_test(pairs_that_are_watched_have_channels),
        cmocka_unit_test(a_cable_is_switched_against_a_body),
        cmocka_unit_test(a_cable_meets_itself_unless_it_is_ignored),
        cmocka_unit_test(legs_that_end_in_one_place_do_not_touch_there),
        cmocka_unit_test(bundles_stay_together),
        cmocka_unit_test(what_crosses_at_the_start_is_let_out_gently),
        cmocka_unit_test(the_order_of_cables_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
