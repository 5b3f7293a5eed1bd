// Sparse matrices in band form against dense elimination.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "math/band.h"
#include "math/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void* Take(void* context, size_t size) {
    (void)context;
    return malloc(size);
}

static void Give(void* context, void* memory) {
    (void)context;
    free(memory);
}

enum { SIZE = 60 };

// A ring of rows in a shuffled order, each with its two neighbours: half width 1 but for the closing of the ring.
static void FillRing(hwRandom* random, double dense[SIZE][SIZE]) {
    int order[SIZE];
    for (int i = 0; i < SIZE; ++i) order[i] = i;
    for (int i = SIZE - 1; i > 0; --i) {
        int j = (int)hwRandom_Range(random, 0.0, i + 1.0), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    memset(dense, 0, SIZE * SIZE * sizeof(double));
    for (int i = 0; i < SIZE; ++i) {
        for (int k = -1; k <= 1; ++k)
            dense[order[i]][order[(i + k + SIZE) % SIZE]] = hwRandom_Range(random, -1.0, 1.0);
    }
}

static void BandSolvesWhatDenseSolves(void** state) {
    (void)state;
    hwAllocator allocator = {.allocate = Take, .release = Give};
    hwRandom random = {7};
    for (int trial = 0; trial < 20; ++trial) {
        static double dense[SIZE][SIZE], lu[SIZE * SIZE];
        double b[SIZE], x[SIZE], column[SIZE], product[SIZE];
        int order[SIZE], pivots[SIZE];
        FillRing(&random, dense);
        hwSparse sparse;
        assert_true(hwSparse_Begin(&allocator, SIZE, &sparse));
        for (int j = 0; j < SIZE; ++j) {
            for (int i = 0; i < SIZE; ++i) column[i] = dense[i][j];
            assert_true(hwSparse_AddColumn(&allocator, &sparse, j, column));
            b[j] = hwRandom_Range(&random, -1.0, 1.0);
        }
        assert_int_equal(sparse.used, 3 * SIZE);
        const hwSparse* list[1] = {&sparse};
        int width = hwSparse_FindOrder(&allocator, 1, list, order);
        assert_int_equal(width, 2); // of a ring: both sides go along together
        int place[SIZE], seen[SIZE] = {0};
        for (int i = 0; i < SIZE; ++i) {
            place[order[i]] = i;
            seen[order[i]] += 1;
        }
        for (int i = 0; i < SIZE; ++i) assert_int_equal(seen[i], 1);
        hwBand band;
        assert_true(hwBand_Begin(&allocator, SIZE, width, &band));
        hwBand_Clear(&band);
        for (int i = 0; i < SIZE; ++i) {
            for (int j = 0; j < SIZE; ++j) {
                if (dense[i][j] != 0.0) *hwBand_At(&band, place[i], place[j]) = dense[i][j];
            }
        }
        assert_true(hwBand_Factor(&band));
        for (int i = 0; i < SIZE; ++i) x[place[i]] = b[i];
        hwBand_Solve(&band, x);
        memcpy(lu, dense, sizeof(lu));
        assert_true(hwLu(SIZE, lu, pivots));
        hwLuSolve(SIZE, lu, pivots, b, column);
        double largest = 0.0;
        for (int i = 0; i < SIZE; ++i) largest = fmax(largest, fabs(column[i]));
        // rounding times a condition of up to some thousands
        for (int i = 0; i < SIZE; ++i) assert_true(fabs(x[place[i]] - column[i]) < 1e-10 * (1.0 + largest));
        memset(product, 0, sizeof(product));
        hwSparse_MultiplyAdd(&sparse, 1.0, column, product);
        for (int i = 0; i < SIZE; ++i) assert_true(fabs(product[i] - b[i]) < 1e-11 * (1.0 + largest));
        hwBand_Free(&allocator, &band);
        hwSparse_Free(&allocator, &sparse);
    }
}

static void SingularIsTold(void** state) {
    (void)state;
    hwAllocator allocator = {.allocate = Take, .release = Give};
    hwBand band;
    assert_true(hwBand_Begin(&allocator, 3, 1, &band));
    hwBand_Clear(&band);
    *hwBand_At(&band, 0, 0) = 1.0;
    *hwBand_At(&band, 2, 2) = 1.0;
    assert_false(hwBand_Factor(&band));
    hwBand_Free(&allocator, &band);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BandSolvesWhatDenseSolves),
        cmocka_unit_test(SingularIsTold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
