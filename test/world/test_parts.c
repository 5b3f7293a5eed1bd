// The table of parts: every part is in each order once, and owns slices of its own.
#include "inside.h"

#include "support.h"

#include <string.h>

#ifdef __linux__
#include <sys/resource.h>
#endif

static int Count(const hwPart* const* order, const hwPart* part) {
    int count = 0;
    for (int i = 0; i < HW_PART_COUNT; ++i) count += order[i] == part;
    return count;
}

static void EveryPartIsInEachOrderOnce(void** state) {
    (void)state;
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        assert_int_equal(Count(hwPartsByLayout, hwPartsByLayout[i]), 1);
        assert_int_equal(Count(hwPartsByStep, hwPartsByLayout[i]), 1);
        for (int k = 0; k < i; ++k) {
            assert_string_not_equal(hwPartsByLayout[i]->name, hwPartsByLayout[k]->name);
        }
    }
}

// Fills all of a part's slice; no other part's may change.
static void SlicesDoNotOverlap(void** state) {
    (void)state;
    hwWorldDef def = hwDefaultWorldDef();
    hwModel model = {0};
    hwState given = {0};
    hwWork* work = NULL;
    assert_true(hwParts_TakeSlices(&def.allocator, &model, &given, &work));
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < HW_PART_COUNT; ++i) {
            const hwPart* part = hwPartsByLayout[i];
            const hwSlice slices[3] = {part->model, part->state, part->work};
            char* owners[3] = {(char*)&model, (char*)&given, (char*)work};
            for (int k = 0; k < 3; ++k) {
                if (slices[k].size == 0) continue;
                unsigned char* slice;
                memcpy(&slice, owners[k] + slices[k].offset, sizeof(slice));
                assert_non_null(slice);
                for (size_t b = 0; b < slices[k].size; ++b) {
                    if (pass == 0) slice[b] = (unsigned char)(3 * i + k + 1);
                    if (pass == 1) assert_int_equal(slice[b], 3 * i + k + 1);
                }
            }
        }
    }
    hwRelease(&def.allocator, model.slices);
}

// What a world without cables has of parts that act on cables takes no part in its steps.
static void OnlyWhatIsThereTakesPartInSteps(void** state) {
    (void)state;
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "body";
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    assert_false(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    bool fluid = false;
    HW_EACH_PART(world, part, name) {
        assert_null(part->cables);
        fluid = fluid || strcmp(part->name, "fluid") == 0;
    }
    assert_true(fluid);
    hwDestroyWorld(world);
}

// Those that have a function are asked in the order of a step, and back; the others are not.
static void EachPartWithAFunctionIsAsked(void** state) {
    (void)state;
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    const hwPart* asked[HW_PART_COUNT];
    int count = 0, expected = 0;
    HW_EACH_PART(world, part, evaluate) asked[count++] = part;
    for (int i = 0; i < world->model.partCount; ++i) {
        if (world->model.parts[i]->evaluate == NULL) continue;
        assert_true(expected < count);
        assert_ptr_equal(asked[expected++], world->model.parts[i]);
    }
    assert_true(count > 1 && count < world->model.partCount);
    assert_int_equal(count, expected);
    HW_EACH_PART_BACK(world, part, evaluate) assert_ptr_equal(asked[--count], part);
    assert_int_equal(count, 0);
    hwDestroyWorld(world);
}

#ifdef __linux__
static long GetMostMemory(void) { // kB
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

// Most of a large world is room for what may come: memory that is not used costs nothing.
static void SpareRoomTakesNoMemory(void** state) {
    (void)state;
    hwAllocator allocator = hwDefaultAllocator();
    long before = GetMostMemory();
    char* block = hwAllocate(&allocator, (size_t)512 << 20);
    assert_non_null(block);
    for (size_t i = 0; i < 16; ++i) assert_int_equal(block[(i << 25) + 77], 0);
    block[77] = 1;
    assert_true(GetMostMemory() - before < 256 << 10);
    hwRelease(&allocator, block);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryPartIsInEachOrderOnce),      cmocka_unit_test(SlicesDoNotOverlap),
        cmocka_unit_test(OnlyWhatIsThereTakesPartInSteps), cmocka_unit_test(EachPartWithAFunctionIsAsked),
#ifdef __linux__
        cmocka_unit_test(SpareRoomTakesNoMemory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
