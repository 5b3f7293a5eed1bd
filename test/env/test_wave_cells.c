// Cells of a random sea: how far they are from sums in full, and that what was asked before does not change them.
#include "support.h"

#include "base/memory.h"
#include "base/random.h"
#include "env/environment.h"

#include <stdlib.h>
#include <string.h>

typedef struct Sea {
    double hs, tp, spreading, depth, current;
    int components;
} Sea;

static hwEnvironment* MakeSea(const Sea* sea, bool exact) {
    hwEnvironmentDef def = hwDefaultEnvironmentDef();
    hwSignalTerm current = hwConstantTerm(hwMakeVec3(0.0, sea->current, 0.0));
    def.water = true;
    def.jonswap.hs = sea->hs;
    def.jonswap.tp = sea->tp;
    def.jonswap.spreading = sea->spreading;
    def.jonswap.direction = 0.4;
    def.jonswap.seed = 3;
    def.jonswap.components = sea->components;
    def.waveRamp = 40.0;
    def.seabed.kind = HW_SEABED_PLANE;
    def.seabed.depth = sea->depth;
    def.exactWaves = exact;
    if (sea->current != 0.0) def.current.uniform = (hwSignal){1, &current};
    hwAllocator allocator = hwDefaultAllocator();
    hwError error;
    hwEnvironment* environment = hwCreateEnvironment(&allocator, &def, &error);
    if (environment == NULL) fail_msg("%s", error.message);
    return environment;
}

static const Sea seas[] = {
    {4.0, 9.0, 0.0, 250.0, 0.0, 200}, {2.0, 7.0, 8.0, 250.0, 0.5, 200},  {8.0, 13.0, 0.0, 400.0, 0.0, 300},
    {1.0, 4.0, 0.0, 12.0, 0.0, 100},  {1.5, 5.5, 15.0, 30.0, 0.0, 2048}, {3.0, 10.0, 4.0, 60.0, 0.3, 40},
};
#define SEAS ((int)(sizeof(seas) / sizeof(seas[0])))

// Errors are told in parts of the orbital speed at the surface of a regular wave with the sea's variance and peak, pi hs /
// (sqrt 2 tp), and for accelerations of that speed times the peak's frequency.
static double GetSpeed(const Sea* sea) {
    return HW_PI * sea->hs / (sqrt(2.0) * sea->tp);
}

static void CellsAreNearTheSumsAtEveryDepth(void** state) {
    (void)state;
    for (int k = 0; k < SEAS; ++k) {
        hwRandom random = {17u + (unsigned)k};
        hwEnvironment* environment = MakeSea(&seas[k], false);
        assert_true(hwEnvironment_HasCells(environment));
        double speed = GetSpeed(&seas[k]), rate = speed * 2.0 * HW_PI / seas[k].tp;
        double worst = 0.0, worstRate = 0.0, square = 0.0;
        int count = 0;
        for (double depth = 1.05 * seas[k].hs; depth < seas[k].depth; depth *= 1.05) {
            for (int i = 0; i < 12; ++i) {
                hwVec3 point = {hwRandom_Range(&random, -2e3, 2e3), hwRandom_Range(&random, -2e3, 2e3),
                                -depth};
                double time = hwRandom_Range(&random, 0.0, 3e3);
                hwFluidSample exact, near;
                hwWaveCell cell = {0};
                hwEnvironment_Sample(environment, 1, &point, time, &exact);
                hwEnvironment_SampleCells(environment, 1, &point, time, &cell, false, &near);
                double error = hwDistance(exact.velocity, near.velocity);
                worst = fmax(worst, error);
                worstRate = fmax(worstRate, hwDistance(exact.acceleration, near.acceleration));
                square += error * error;
                count += 1;
            }
        }
        // The remainders in wave_cells.c, which add up in corners of cells and at the ends of slots; most are ten times
        // smaller.
        assert_true(worst < HW_CELL_ERROR * speed);
        assert_true(sqrt(square / count) < 0.15 * HW_CELL_ERROR * speed);
        assert_true(worstRate < 5.0 * HW_CELL_ERROR * rate);
        hwDestroyEnvironment(environment);
    }
}

// While waves grow, their rates have the growth's own as well.
static void AccelerationIsTheRateOfVelocityWhileWavesGrow(void** state) {
    (void)state;
    const Sea sea = seas[0];
    hwEnvironment* environment = MakeSea(&sea, false);
    hwVec3 point = {31.0, -4.0, -25.0};
    for (double time = 3.1; time < 36.0; time += 3.7) {
        const double h = 1e-3;
        hwFluidSample now, before, after;
        hwWaveCell cell = {0};
        hwEnvironment_SampleCells(environment, 1, &point, time, &cell, false, &now);
        hwEnvironment_SampleCells(environment, 1, &point, time - h, &cell, false, &before);
        hwEnvironment_SampleCells(environment, 1, &point, time + h, &cell, false, &after);
        hwVec3 slope = hwScale(0.5 / h, hwSub(after.velocity, before.velocity));
        // the height that the flow is stretched to moves as well, which linear theory's acceleration leaves out: k eta' u
        assert_true(hwDistance(slope, now.acceleration) < 0.05 * GetSpeed(&sea));
    }
    hwDestroyEnvironment(environment);
}

static void BitsDoNotDependOnWhatWasAskedBefore(void** state) {
    (void)state;
    for (int k = 0; k < SEAS; ++k) {
        hwRandom random = {99};
        hwEnvironment* environment = MakeSea(&seas[k], false);
        hwWaveCell kept = {0};
        hwVec3 point = {5.0, 7.0, -0.6 * seas[k].depth};
        double time = 10.0;
        for (int i = 0; i < 400; ++i) {
            // a walk within cells, across their sides, along time and now and then back
            double way = i % 7 == 0 ? 3.0 : 0.05;
            point.x += hwRandom_Range(&random, -way, way);
            point.y += hwRandom_Range(&random, -way, way);
            point.z = fmin(point.z + hwRandom_Range(&random, -way, way), -seas[k].hs);
            time += i % 13 == 0 ? -2.0 : 0.21;
            hwFluidSample one, two;
            hwWaveCell fresh = {0};
            hwEnvironment_SampleCells(environment, 1, &point, time, &kept, false, &one);
            hwEnvironment_SampleCells(environment, 1, &point, time, &fresh, false, &two);
            assert_memory_equal(&one.velocity, &two.velocity, sizeof(one.velocity));
            assert_memory_equal(&one.acceleration, &two.acceleration, sizeof(one.acceleration));
            assert_memory_equal(&one.surface, &two.surface, sizeof(one.surface));
        }
        hwDestroyEnvironment(environment);
    }
}

// Within a stage of a step the cell is kept a little beyond its sides: no jump there.
static void TheSameCellGoesOnSmoothlyBeyondItsSides(void** state) {
    (void)state;
    hwEnvironment* environment = MakeSea(&seas[0], false);
    double speed = GetSpeed(&seas[0]), time = 77.7;
    hwWaveCell cell = {0};
    hwFluidSample last, sample;
    hwVec3 point = {3.9, 0.5, -33.0}; // cells are 4 m wide here
    hwEnvironment_SampleCells(environment, 1, &point, time, &cell, false, &last);
    int64_t x = cell.x;
    for (int i = 0; i < 40; ++i) {
        point.x += 0.01;
        hwEnvironment_SampleCells(environment, 1, &point, time, &cell, true, &sample);
        // k u times 1 cm for waves that reach this depth; a jump between cells is larger
        assert_true(hwDistance(sample.velocity, last.velocity) < 0.01 * (2.0 / 33.0) * speed);
        last = sample;
    }
    assert_int_equal((int)(cell.x - x), 0);
    hwEnvironment_SampleCells(environment, 1, &point, time, &cell, false, &sample);
    assert_int_equal((int)(cell.x - x), 1);
    hwDestroyEnvironment(environment);
}

static void FewWavesAndExactSeasAreSummed(void** state) {
    (void)state;
    Sea few = seas[0];
    few.components = HW_CELL_WAVES - 1;
    hwEnvironment* environments[2] = {MakeSea(&few, false), MakeSea(&seas[0], true)};
    for (int k = 0; k < 2; ++k) {
        assert_false(hwEnvironment_HasCells(environments[k]));
        hwVec3 point = {1.0, 2.0, -40.0};
        hwFluidSample exact, near;
        hwWaveCell cell = {0};
        hwEnvironment_Sample(environments[k], 1, &point, 50.0, &exact);
        hwEnvironment_SampleCells(environments[k], 1, &point, 50.0, &cell, false, &near);
        assert_memory_equal(&exact, &near, sizeof(exact));
        hwDestroyEnvironment(environments[k]);
    }
}

// Points of a list that share cells, four at a time where they can, get what each gets by itself.
static void PointsOfAListHaveTheBitsOfEach(void** state) {
    (void)state;
    enum { POINTS = 403 };
    static hwVec3 points[POINTS];
    static hwWaveCell cells[POINTS];
    static hwFluidSample samples[POINTS];
    for (int k = 0; k < 2; ++k) {
        hwEnvironment* environment = MakeSea(&seas[k], false);
        memset(cells, 0, sizeof(cells));
        for (int n = 0; n < 20; ++n) {
            double time = 3.0 + 0.17 * n, slope = 0.05 + 0.04 * n;
            for (int i = 0; i < POINTS; ++i)
                points[i] =
                    hwMakeVec3(0.7 * i + 0.1 * n, 0.3 * i - 20.0, i % 50 == 49 ? -1.0 : -2.0 - slope * i);
            hwEnvironment_SampleCells(environment, POINTS, points, time, cells, false, samples);
            for (int i = 0; i < POINTS; ++i) {
                hwFluidSample own;
                hwWaveCell cell = {0};
                hwEnvironment_SampleCells(environment, 1, &points[i], time, &cell, false, &own);
                assert_memory_equal(&own, &samples[i], sizeof(own));
            }
        }
        hwDestroyEnvironment(environment);
    }
}

static void WhatIsNoNumberOrFarAwayDoesNoHarm(void** state) {
    (void)state;
    hwEnvironment* environment = MakeSea(&seas[0], false);
    const hwVec3 points[] = {{(double)NAN, 0.0, -20.0}, {0.0, (double)NAN, -20.0}, {0.0, 0.0, (double)NAN},
                             {1e300, 0.0, -20.0},       {0.0, -HUGE_VAL, -20.0},   {0.0, 0.0, -1e300}};
    for (int i = 0; i < 6; ++i) {
        hwFluidSample sample;
        hwWaveCell cell = {0};
        hwEnvironment_SampleCells(environment, 1, &points[i], 5.0, &cell, false, &sample);
        assert_int_equal(cell.level, 0);
    }
    hwDestroyEnvironment(environment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CellsAreNearTheSumsAtEveryDepth),
        cmocka_unit_test(AccelerationIsTheRateOfVelocityWhileWavesGrow),
        cmocka_unit_test(BitsDoNotDependOnWhatWasAskedBefore),
        cmocka_unit_test(TheSameCellGoesOnSmoothlyBeyondItsSides),
        cmocka_unit_test(FewWavesAndExactSeasAreSummed),
        cmocka_unit_test(PointsOfAListHaveTheBitsOfEach),
        cmocka_unit_test(WhatIsNoNumberOrFarAwayDoesNoHarm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
