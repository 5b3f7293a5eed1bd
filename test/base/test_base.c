#include "support.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

static void arena_measures_what_it_places(void** state) {
    (void)state;
    hwArena arena = {0};
    assert_null(HW_TAKE(&arena, double, 3));
    assert_null(HW_TAKE(&arena, char, 5));
    size_t needed = arena.used;
    arena.base = calloc(1, needed);
    arena.used = 0;
    double* numbers = HW_TAKE(&arena, double, 3);
    char* letters = HW_TAKE(&arena, char, 5);
    assert_int_equal(arena.used, needed);
    assert_true((char*)numbers + 3 * sizeof(double) <= letters);
    assert_int_equal(((char*)letters - arena.base) % HW_ARENA_ALIGN, 0);
    free(arena.base);
}

static void stale_handles_find_nothing(void** state) {
    (void)state;
    hwAllocator allocator = hwDefaultAllocator();
    hwPool pool = {0};
    int a = 1, b = 2;
    uint32_t first = hwPool_Add(&pool, &allocator, &a);
    uint32_t generation = pool.generations[first - 1];
    assert_ptr_equal(hwPool_Get(&pool, first, generation), &a);
    assert_null(hwPool_Get(&pool, 0, 0));
    assert_null(hwPool_Get(&pool, first + 1, 1));
    hwPool_Remove(&pool, first);
    assert_null(hwPool_Get(&pool, first, generation));
    uint32_t second = hwPool_Add(&pool, &allocator, &b);
    assert_int_equal(second, first); // the slot is reused
    assert_null(hwPool_Get(&pool, first, generation));
    assert_ptr_equal(hwPool_Get(&pool, second, pool.generations[second - 1]), &b);
    hwPool_Free(&pool, &allocator);
}

static void mirrored_pool_has_the_same_handles(void** state) {
    (void)state;
    hwAllocator allocator = hwDefaultAllocator();
    hwPool pool = {0}, copy = {0};
    static int items[40];
    for (int i = 0; i < 40; ++i) hwPool_Add(&pool, &allocator, &items[i]);
    for (int i = 0; i < 40; i += 3) hwPool_Remove(&pool, (uint32_t)i + 1);
    for (int i = 0; i < 40; ++i) {
        if (pool.items[i] != NULL) hwPool_Add(&copy, &allocator, pool.items[i]);
    }
    assert_true(hwPool_Mirror(&copy, &pool, &allocator));
    assert_int_equal(copy.slots, pool.slots);
    for (int i = 0; i < 40; ++i) {
        assert_ptr_equal(copy.items[i], pool.items[i]);
        assert_int_equal(copy.generations[i], pool.generations[i]);
    }
    hwPool_Free(&pool, &allocator);
    hwPool_Free(&copy, &allocator);
}

static void every_bit_changes_the_hash(void** state) {
    (void)state;
    unsigned char data[37] = {0};
    uint64_t reference = hwHash(0, data, sizeof(data));
    for (size_t bit = 0; bit < 8 * sizeof(data); ++bit) {
        data[bit / 8] ^= (unsigned char)(1u << (bit % 8));
        assert_true(hwHash(0, data, sizeof(data)) != reference);
        data[bit / 8] ^= (unsigned char)(1u << (bit % 8));
    }
    assert_true(hwHash(0, data, sizeof(data)) == reference);
    assert_true(hwHash(1, data, sizeof(data)) != reference);
    assert_true(hwHash(0, data, sizeof(data) - 1) != reference);
}

static void random_numbers_are_uniform(void** state) {
    (void)state;
    hwRandom random = {42};
    const int n = 100000;
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < n; ++i) {
        double x = hwRandom_Uniform(&random);
        assert_true(x >= 0.0 && x < 1.0);
        sum += x;
        squares += x * x;
    }
    // five standard deviations of the mean and of the mean square
    assert_close(sum / n, 0.5, 5.0 * 0.2887 / sqrt(n));
    assert_close(squares / n, 1.0 / 3.0, 5.0 * 0.2981 / sqrt(n));
}

typedef struct Marks {
    int* count;
} Marks;

static void Mark(int first, int last, void* context) {
    Marks* marks = context;
    for (int i = first; i < last; ++i) marks->count[i] += 1;
}

static void loop_visits_every_item_once(void** state) {
    (void)state;
    hwAllocator allocator = hwDefaultAllocator();
    for (int threads = 1; threads <= 4; ++threads) {
        hwStatus status;
        hwTeam* team = hwCreateTeam(&allocator, threads, NULL, NULL, &status);
        assert_int_equal(status, HW_OK);
        for (int round = 0; round < 200; ++round) {
            int count = (round * 37) % 501;
            int* marks = calloc((size_t)count + 1, sizeof(int));
            Marks job = {marks};
            // in some passes alone, once it has been found out which is faster
            if (round % 3 > 0) hwTeam_BeginPass(team);
            hwTeam_Loop(team, count, 7, Mark, &job);
            if (round % 3 > 0) hwTeam_EndPass(team, count);
            for (int i = 0; i < count; ++i) assert_int_equal(marks[i], 1);
            assert_int_equal(marks[count], 0);
            free(marks);
        }
        hwDestroyTeam(team);
    }
}

static void every_status_has_its_text(void** state) {
    (void)state;
    for (int status = HW_ERROR_STOPPED; status <= HW_NEWS_SUBDIVIDED; ++status) {
        const char* text = hwStatus_GetText((hwStatus)status);
        assert_string_not_equal(text, "");
        assert_string_not_equal(text, "unknown status");
    }
    assert_string_equal(hwStatus_GetText((hwStatus)-1000), "unknown status");
}

static void errors_carry_object_place_and_hint(void** state) {
    (void)state;
    hwError error;
    assert_int_equal(hwFail(&error, HW_ERROR_MODEL, "wire", "bad value %d", 7), HW_ERROR_MODEL);
    hwFail_At(&error, 12, 3.5);
    hwFail_Hint(&error, "try %s", "less");
    assert_string_equal(error.object, "wire");
    assert_string_equal(error.message, "bad value 7");
    assert_string_equal(error.hint, "try less");
    assert_int_equal(error.index, 12);
    assert_true(error.time == 3.5);
    // null is allowed everywhere
    assert_int_equal(hwFail(NULL, HW_ERROR_MODEL, "wire", "text"), HW_ERROR_MODEL);
    hwFail_At(NULL, 1, 1.0);
    hwFail_Hint(NULL, "text");
    hwClearError(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_measures_what_it_places),
        cmocka_unit_test(stale_handles_find_nothing),
        cmocka_unit_test(mirrored_pool_has_the_same_handles),
        cmocka_unit_test(every_bit_changes_the_hash),
        cmocka_unit_test(random_numbers_are_uniform),
        cmocka_unit_test(loop_visits_every_item_once),
        cmocka_unit_test(every_status_has_its_text),
        cmocka_unit_test(errors_carry_object_place_and_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
