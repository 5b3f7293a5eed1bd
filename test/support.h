// Shared by the tests: cmocka's includes, closeness with a reason, an allocator that counts and fails on demand.
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hawser/base.h"
#include "hawser/math.h"

// |actual - expected| <= tolerance, with the numbers in the failure message.
#define assert_close(actual, expected, tolerance)                                                            \
    do {                                                                                                     \
        double close_a = (actual), close_e = (expected), close_t = (tolerance);                              \
        if (!(fabs(close_a - close_e) <= close_t)) {                                                         \
            fail_msg("%s is %.17g, expected %.17g within %g (off by %g)", #actual, close_a, close_e,         \
                     close_t, close_a - close_e);                                                            \
        }                                                                                                    \
    } while (0)

#define assert_close_vec3(actual, expected, tolerance)                                                       \
    do {                                                                                                     \
        hwVec3 close_va = (actual), close_ve = (expected);                                                   \
        if (!(hwDistance(close_va, close_ve) <= (tolerance))) {                                              \
            fail_msg("%s is (%.17g, %.17g, %.17g), expected (%.17g, %.17g, %.17g) within %g", #actual,       \
                     close_va.x, close_va.y, close_va.z, close_ve.x, close_ve.y, close_ve.z,                 \
                     (double)(tolerance));                                                                   \
        }                                                                                                    \
    } while (0)

#define assert_status(call, expected)                                                                        \
    do {                                                                                                     \
        hwStatus status_got = (call);                                                                        \
        if (status_got != (expected)) {                                                                      \
            fail_msg("%s gave %d (%s), expected %d (%s)", #call, status_got, hwStatus_GetText(status_got),   \
                     expected, hwStatus_GetText(expected));                                                  \
        }                                                                                                    \
    } while (0)

// Counts live blocks; from allocation number `failAt` (from 0) on it returns null once, or for ever when `keepFailing`.
typedef struct TestHeap {
    long allocations;
    long live;
    long failAt; // -1: never
} TestHeap;

static inline void* TestHeap_Allocate(void* context, size_t size) {
    TestHeap* heap = context;
    long number = heap->allocations++;
    if (heap->failAt >= 0 && number == heap->failAt) return NULL;
    heap->live += 1;
    return malloc(size);
}

static inline void TestHeap_Release(void* context, void* memory) {
    TestHeap* heap = context;
    heap->live -= 1;
    free(memory);
}

static inline hwAllocator TestHeap_GetAllocator(TestHeap* heap) {
    hwAllocator allocator = {TestHeap_Allocate, TestHeap_Release, heap};
    return allocator;
}

// Reproducible numbers in [-1, 1).
static inline double TestRandom(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1.0p-52 - 1.0;
}

static inline hwVec3 TestRandomVec3(uint64_t* state) {
    double x = TestRandom(state), y = TestRandom(state), z = TestRandom(state);
    return hwMakeVec3(x, y, z);
}

static inline hwQuat TestRandomQuat(uint64_t* state) {
    hwQuat q = {TestRandom(state), TestRandom(state), TestRandom(state), TestRandom(state)};
    return hwNormalizeQuat(q);
}

#endif
