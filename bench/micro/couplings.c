// Cost of factoring and solving couplings between free bodies: none, a chain, a ring, a square grid, and several chains
// that hang from one load. By hand: see bench/micro/geom_bench.c for how to build one of these.
#define _POSIX_C_SOURCE 200809L
#include "../../test/mech/random_forest.h"

#include <stdio.h>
#include <time.h>

#define LINKS 100

static double Now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int AddPair(hwLinkPair* pairs, int count, int a, int b) {
    pairs[count] = (hwLinkPair){a, b};
    return count + 1;
}

static int ListPairs(int shape, hwLinkPair* pairs) {
    int count = 0;
    for (int i = 0; i < LINKS; ++i) {
        if (shape == 1 && i > 0) count = AddPair(pairs, count, i - 1, i);
        if (shape == 2) count = AddPair(pairs, count, i, (i + 1) % LINKS);
        if (shape == 3 && i % 10 > 0) count = AddPair(pairs, count, i - 1, i);
        if (shape == 3 && i >= 10) count = AddPair(pairs, count, i - 10, i);
        if (shape == 4 && i > 0) count = AddPair(pairs, count, i % 9 == 1 ? 0 : i - 1, i);
    }
    return count;
}

int main(void) {
    static const char* names[5] = {"free bodies", "chain", "ring", "grid 10 x 10", "11 chains on one body"};
    hwAllocator allocator = hwDefaultAllocator();
    for (int shape = 0; shape < 5; ++shape) {
        hwRandom random = {1};
        hwLink links[LINKS];
        for (int i = 0; i < LINKS; ++i) {
            links[i] = RandomLink(&random, i, true);
            links[i].joint = HW_LINK_FREE;
            links[i].parent = -1;
        }
        Sample s;
        MakeSampleFrom(&s, links, LINKS);
        RandomState(&s, &random, 1.0);
        hwLinkPair pairs[4 * LINKS];
        int count = ListPairs(shape, pairs);
        hwCouplingSizes sizes = hwCouplings_ChooseSizes(&s.forest, count, 8.0);
        hwArena arena = {0};
        hwCouplings_Take(&s.forest, &arena, sizes);
        void* memory = arena.base = hwAllocate(&allocator, arena.used + 64);
        arena.used = 0;
        s.work.couplings = count > 0 ? hwCouplings_Take(&s.forest, &arena, sizes) : NULL;
        double symbolic = Now();
        if (count > 0 && !hwForest_SetCouplings(&s.forest, s.work.couplings, count, pairs)) return 1;
        symbolic = Now() - symbolic;
        // blocks that keep the matrix positive: small against the bodies' inertia
        hwWideBlock block = {0};
        block.ll = hwWideMat_FromSym3((hwSym3){-0.01, -0.01, -0.01, 0.0, 0.0, 0.0});
        int failed, rounds = 20000;
        double best = 1e9;
        for (int part = 0; part < 10; ++part) {
            double start = Now();
            for (int k = 0; k < rounds / 10; ++k) {
                if (count > 0) hwCouplings_Clear(s.work.couplings);
                for (int p = 0; p < count; ++p) hwCouplings_Add(s.work.couplings, p, &block);
                if (!hwForest_Factor(&s.forest, s.inertia, (hwJointTerms){0}, &s.work, &failed)) return 2;
                hwForest_Solve(&s.forest, &s.work, s.efforts, NULL, s.other);
            }
            best = fmin(best, (Now() - start) / (rounds / 10));
        }
        printf("%-22s %3d pairs %4d blocks: factor and solve %6.2f us, %4.0f ns a body; symbolic %4.0f us\n",
               names[shape], count, count > 0 ? s.work.couplings->used.blocks : 0, 1e6 * best,
               1e9 * best / LINKS, 1e6 * symbolic);
        hwRelease(&allocator, memory);
        FreeSample(&s);
    }
    return 0;
}
