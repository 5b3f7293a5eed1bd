// State as one block: saving, restoring, branching, hashing; threads and memory.
#include "support.h"

#include "hawser/hawser.h"
#include "hawser/reference.h"

// A sea with several bodies that use everything a step can do: waves, current, wind, strips, signals, events.
static hwWorld* MakeSea(int threads, TestHeap* heap, hwError* error) {
    hwWorldDef def = hwDefaultWorldDef();
    def.threads = threads;
    if (heap != NULL) def.allocator = TestHeap_GetAllocator(heap);
    hwWorld* world = hwCreateWorld(&def, error);
    if (world == NULL) return NULL;
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.jonswap.hs = 2.0;
    sea.jonswap.tp = 8.0;
    sea.jonswap.components = 40;
    hwSignalTerm drift = hwSineTerm(hwMakeVec3(0.3, 0.1, 0.0), 60.0, 0.5);
    sea.current.uniform = (hwSignal){1, &drift};
    hwSignalTerm breeze = hwConstantTerm(hwMakeVec3(6.0, 2.0, 0.0));
    sea.wind.uniform = (hwSignal){1, &breeze};
    hwStatus status = hwWorld_SetEnvironment(world, &sea, error);
    hwBodyId first = {0, 0};
    for (int i = 0; i < 40 && status == HW_OK; ++i) {
        char name[24];
        snprintf(name, sizeof(name), "float%d", i);
        hwShapeDef box = hwDefaultShapeDef();
        box.kind = i % 2 == 0 ? HW_SHAPE_BOX : HW_SHAPE_CYLINDER;
        box.size = hwMakeVec3(2.0, 1.5, 1.0);
        box.radius = 0.7;
        box.length = 1.2;
        hwStripDef strip = {.from = {0.0, 0.0, -0.5},
                            .to = {0.0, 0.0, 0.5},
                            .diameter = 1.0,
                            .normal = 1.0,
                            .count = 4,
                            .curve = HW_DRAG_CYLINDER};
        hwBodyDef body = hwDefaultBodyDef();
        body.name = name;
        body.mass = 900.0;
        body.shapeCount = 1;
        body.shapes = &box;
        body.hydro.stripCount = 1;
        body.hydro.strips = &strip;
        for (int k = 0; k < 3; ++k) body.hydro.addedMass[k][k] = 500.0, body.hydro.linearDrag[k + 3] = 800.0;
        body.position = hwMakeVec3(5.0 * i, 3.0 * (i % 7), 0.2 * (i % 3));
        body.rate = hwMakeVec3(0.1, 0.05 * (i % 5), 0.0);
        hwBodyId id = hwWorld_AddBody(world, &body, error);
        if (HW_IS_NULL(id)) status = HW_ERROR_MEMORY;
        if (i == 0) first = id;
    }
    if (status == HW_OK) {
        hwSignalTerm push = hwSineTerm(hwMakeVec3(0.0, 300.0, 0.0), 5.0, 0.0);
        hwForceDef force = hwDefaultForceDef();
        force.body = first;
        force.force = (hwSignal){1, &push};
        if (HW_IS_NULL(hwWorld_AddForce(world, &force, error))) status = HW_ERROR_MEMORY;
    }
    if (status == HW_OK) {
        hwEventDef event = {0.5, "float3.force.z", 2000.0};
        status = hwWorld_AddEvent(world, &event, error);
    }
    if (status == HW_OK) status = hwWorld_Prepare(world, error);
    if (status != HW_OK) {
        hwDestroyWorld(world);
        return NULL;
    }
    return world;
}

static hwWorld* MakeSeaOrFail(int threads) {
    hwError error;
    hwWorld* world = MakeSea(threads, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    return world;
}

static void Step(hwWorld* world, int steps) {
    hwError error;
    for (int i = 0; i < steps; ++i) {
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

static void same_bits_for_any_number_of_threads(void** state) {
    (void)state;
    hwWorld *one = MakeSeaOrFail(1), *again = MakeSeaOrFail(1), *two = MakeSeaOrFail(2),
            *three = MakeSeaOrFail(3);
    for (int i = 0; i < 90; ++i) {
        Step(one, 1);
        Step(again, 1);
        Step(two, 1);
        Step(three, 1);
        uint64_t hash = hwWorld_HashState(one);
        assert_true(hwWorld_HashState(again) == hash);
        assert_true(hwWorld_HashState(two) == hash);
        assert_true(hwWorld_HashState(three) == hash);
    }
    hwDestroyWorld(one);
    hwDestroyWorld(again);
    hwDestroyWorld(two);
    hwDestroyWorld(three);
}

static void restored_run_repeats_its_bits(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeSeaOrFail(1);
        if (reference) {
            assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, NULL), HW_OK);
            assert_status(hwWorld_SetSolver(world, &(hwSolverDef){.tolerance = 1e-5}, NULL), HW_OK);
        }
        Step(world, 10);
        size_t size = hwWorld_GetStateSize(world);
        void* saved = malloc(size);
        assert_status(hwWorld_SaveState(world, saved, size, NULL), HW_OK);
        uint64_t start = hwWorld_HashState(world);
        Step(world, 40); // across the event at 0.5 s
        uint64_t end = hwWorld_HashState(world);
        assert_status(hwWorld_RestoreState(world, saved, size, NULL), HW_OK);
        assert_true(hwWorld_HashState(world) == start);
        Step(world, 40);
        assert_true(hwWorld_HashState(world) == end);
        free(saved);
        hwDestroyWorld(world);
    }
}

static void reading_results_leaves_the_bits_alone(void** state) {
    (void)state;
    hwWorld *silent = MakeSeaOrFail(1), *watched = MakeSeaOrFail(1);
    for (int i = 0; i < 60; ++i) {
        Step(silent, 1);
        Step(watched, 1);
        for (int c = 0; c < hwWorld_GetChannelCount(watched); ++c) hwWorld_ReadChannel(watched, c);
        assert_true(hwWorld_HashState(silent) == hwWorld_HashState(watched));
    }
    hwDestroyWorld(silent);
    hwDestroyWorld(watched);
}

static void branch_is_independent_and_equal(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeSeaOrFail(1);
        if (reference) {
            assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, NULL), HW_OK);
            assert_status(hwWorld_SetSolver(world, &(hwSolverDef){.tolerance = 1e-5}, NULL), HW_OK);
        }
        // a gap in the slots: handles must still agree
        hwBodyId gone = hwWorld_FindBody(world, "float7"), kept = hwWorld_FindBody(world, "float20");
        assert_status(hwWorld_RemoveBody(world, gone, NULL), HW_OK);
        assert_status(hwWorld_Prepare(world, NULL), HW_OK);
        Step(world, 10);
        hwError error;
        void* saved = malloc(hwWorld_GetStateSize(world));
        assert_status(hwWorld_SaveState(world, saved, hwWorld_GetStateSize(world), NULL), HW_OK);
        hwWorld* branch = hwWorld_Branch(world, &error);
        if (branch == NULL) fail_msg("%s", error.message);
        assert_true(hwWorld_HashState(branch) == hwWorld_HashState(world));
        assert_false(hwBody_IsValid(branch, gone));
        assert_string_equal(hwBody_GetName(branch, kept), "float20");
        Step(branch, 30);
        uint64_t there = hwWorld_HashState(branch);
        assert_true(there != hwWorld_HashState(world));
        Step(world, 30);
        assert_true(hwWorld_HashState(world) == there);
        free(saved);
        hwDestroyWorld(branch);
        hwDestroyWorld(world);
    }
}

static void foreign_states_are_refused(void** state) {
    (void)state;
    hwWorld* world = MakeSeaOrFail(1);
    size_t size = hwWorld_GetStateSize(world);
    char* saved = malloc(size);
    hwError error;
    assert_status(hwWorld_SaveState(world, saved, size - 1, &error), HW_ERROR_ARGUMENT);
    assert_status(hwWorld_SaveState(world, saved, size, &error), HW_OK);
    assert_status(hwWorld_RestoreState(world, saved, size - 1, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "another model"));
    // a bit that is another since, wherever it is, is noticed before anything is taken
    uint64_t before = hwWorld_HashState(world);
    for (size_t i = 0; i < size; i += i < 400 ? 1 : 37) {
        saved[i] ^= (char)(1 << i % 8);
        hwStatus status = i % 2 == 0 ? hwWorld_RestoreState(world, saved, size, &error)
                                     : hwWorld_AdoptState(world, saved, size, &error);
        assert_int_equal(status, HW_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "the saved state is damaged"));
        saved[i] ^= (char)(1 << i % 8);
    }
    assert_true(hwWorld_HashState(world) == before);
    assert_status(hwWorld_RestoreState(world, saved, size, &error), HW_OK);
    free(saved);
    hwDestroyWorld(world);
}

// The same world but for one number: refused, and adopted only when asked, with a note.
static void CountWarnings(hwLogLevel level, const char* text, void* context) {
    if (level == HW_LOG_WARNING && strstr(text, "other numbers") != NULL) *(int*)context += 1;
}

static hwWorld* MakeLoadOnWire(double mass, double EA, double height, double friction, int* warnings) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.log = CountWarnings;
    def.logContext = warnings;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    hwAiryDef wave = {.height = height, .period = 8.0};
    sea.water = true;
    sea.airyCount = 1;
    sea.airy = &wave;
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    hwMaterialDef steel = hwDefaultMaterialDef();
    steel.name = "steel";
    steel.staticFriction = steel.kineticFriction = friction;
    assert_status(hwWorld_AddMaterial(world, &steel, &error), HW_OK);
    hwBodyDef load = hwDefaultBodyDef();
    load.name = "load";
    load.mass = mass;
    for (int i = 0; i < 3; ++i) load.inertia[i] = 10.0;
    load.position.z = -10.0;
    hwBodyId id = hwWorld_AddBody(world, &load, &error);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 4;
    section.diameter = 0.02;
    section.massPerLength = 2.0;
    section.EA = EA;
    section.material = "steel";
    hwCableDef wire = hwDefaultCableDef();
    wire.name = "wire";
    wire.sectionCount = 1;
    wire.sections = &section;
    wire.ends[0].joint = wire.ends[1].joint = HW_ATTACH_PIN;
    wire.ends[1].body = id;
    assert_false(HW_IS_NULL(hwWorld_AddCable(world, &wire, &error)));
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    return world;
}

static void states_of_models_with_other_numbers_are_refused(void** state) {
    (void)state;
    int warnings = 0;
    hwError error;
    hwWorld* world = MakeLoadOnWire(500.0, 1e6, 1.0, 0.3, &warnings);
    assert_status(hwWorld_Step(world, 0.1, &error), HW_OK);
    size_t size = hwWorld_GetStateSize(world);
    char* saved = malloc(size);
    assert_status(hwWorld_SaveState(world, saved, size, &error), HW_OK);
    const double others[5][4] = {{500.0, 1e6, 1.0, 0.3},
                                 {500.0000001, 1e6, 1.0, 0.3},
                                 {500.0, 1.1e6, 1.0, 0.3},
                                 {500.0, 1e6, 1.5, 0.3},
                                 {500.0, 1e6, 1.0, 0.31}};
    for (int i = 0; i < 5; ++i) {
        hwWorld* other = MakeLoadOnWire(others[i][0], others[i][1], others[i][2], others[i][3], &warnings);
        assert_int_equal(hwWorld_GetStateSize(other), size);
        hwStatus wanted = i == 0 ? HW_OK : HW_ERROR_ARGUMENT;
        uint64_t before = hwWorld_HashState(other);
        assert_status(hwWorld_RestoreState(other, saved, size, &error), wanted);
        if (i > 0) {
            assert_true(hwWorld_HashState(other) == before);
            assert_non_null(strstr(error.message, "another model"));
            assert_non_null(strstr(error.hint, "hwWorld_AdoptState"));
        }
        assert_int_equal(warnings, i > 0 ? i - 1 : 0);
        assert_status(hwWorld_AdoptState(other, saved, size, &error), HW_OK);
        assert_int_equal(warnings, i);
        assert_true(hwWorld_GetTime(other) == hwWorld_GetTime(world));
        assert_status(hwWorld_Step(other, 0.1, &error), HW_OK);
        hwDestroyWorld(other);
    }
    free(saved);
    hwDestroyWorld(world);
}

static void steps_allocate_nothing(void** state) {
    (void)state;
    TestHeap heap = {.failAt = -1};
    hwError error;
    hwWorld* world = MakeSea(2, &heap, &error);
    assert_non_null(world);
    long before = heap.allocations;
    Step(world, 60);
    for (int c = 0; c < hwWorld_GetChannelCount(world); ++c) hwWorld_ReadChannel(world, c);
    assert_int_equal(heap.allocations, before);
    hwDestroyWorld(world);
    assert_int_equal(heap.live, 0);
}

static void every_failed_allocation_is_survived(void** state) {
    (void)state;
    TestHeap heap = {.failAt = -1};
    hwError error;
    hwWorld* world = MakeSea(2, &heap, &error);
    assert_non_null(world);
    hwDestroyWorld(world);
    long needed = heap.allocations;
    assert_true(needed > 40);
    for (long i = 0; i < needed; ++i) {
        heap = (TestHeap){.failAt = i};
        world = MakeSea(2, &heap, &error);
        assert_null(world);
        assert_int_equal(error.status, HW_ERROR_MEMORY);
        assert_int_equal(heap.live, 0);
    }
}

static void failed_branch_leaves_no_trace(void** state) {
    (void)state;
    TestHeap heap = {.failAt = -1};
    hwError error;
    hwWorld* world = MakeSea(1, &heap, &error);
    assert_non_null(world);
    long live = heap.live, start = heap.allocations;
    hwDestroyWorld(hwWorld_Branch(world, &error));
    long needed = heap.allocations - start;
    for (long i = 0; i < needed; ++i) {
        heap.failAt = heap.allocations + i;
        assert_null(hwWorld_Branch(world, &error));
        assert_int_equal(heap.live, live);
    }
    heap.failAt = -1;
    uint64_t hash = hwWorld_HashState(world);
    Step(world, 1);
    assert_true(hwWorld_HashState(world) != hash);
    hwDestroyWorld(world);
    assert_int_equal(heap.live, 0);
}

static void preparing_again_keeps_what_stayed(void** state) {
    (void)state;
    hwWorld* world = MakeSeaOrFail(1);
    Step(world, 30);
    hwBodyId body = hwWorld_FindBody(world, "float5");
    hwBodyState before, after;
    assert_status(hwBody_GetState(world, body, &before, NULL), HW_OK);
    double time = hwWorld_GetTime(world);
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "late";
    def.mass = 1.0;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 1.0;
    assert_false(HW_IS_NULL(hwWorld_AddBody(world, &def, NULL)));
    assert_status(hwWorld_Step(world, 0.1, NULL), HW_ERROR_ORDER);
    assert_status(hwWorld_Prepare(world, NULL), HW_OK);
    assert_close(hwWorld_GetTime(world), time, 0.0);
    assert_status(hwBody_GetState(world, body, &after, NULL), HW_OK);
    assert_memory_equal(&before.position, &after.position, sizeof(hwVec3));
    assert_memory_equal(&before.velocity, &after.velocity, sizeof(hwVec3));
    Step(world, 5);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_for_any_number_of_threads),
        cmocka_unit_test(restored_run_repeats_its_bits),
        cmocka_unit_test(reading_results_leaves_the_bits_alone),
        cmocka_unit_test(branch_is_independent_and_equal),
        cmocka_unit_test(foreign_states_are_refused),
        cmocka_unit_test(states_of_models_with_other_numbers_are_refused),
        cmocka_unit_test(steps_allocate_nothing),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(failed_branch_leaves_no_trace),
        cmocka_unit_test(preparing_again_keeps_what_stayed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
