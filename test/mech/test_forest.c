// Coordinates of joints: displacing them, their rates, and back to the space of velocities.
#include "random_forest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void CountsAgreeWithTheJoints(void** state) {
    (void)state;
    hwRandom r = {31};
    for (int trial = 0; trial < 50; ++trial) {
        Sample s;
        MakeSample(&s, &r, 1 + trial % 20, 0.0);
        int freedoms = 0, coordinates = 0;
        for (int i = 0; i < s.forest.linkCount; ++i) {
            const hwLink* link = &s.forest.links[i];
            assert_int_equal(link->freedom, freedoms);
            assert_int_equal(link->coordinate, coordinates);
            freedoms += hwJoint_CountFreedoms(link->joint);
            coordinates += hwJoint_CountCoordinates(link->joint);
        }
        assert_int_equal(s.forest.freedomCount, freedoms);
        assert_int_equal(s.forest.coordinateCount, coordinates);
        FreeSample(&s);
    }
}

// A turn at a constant rate: two displacements by d are one by 2 d, and -d leads back. To the rounding of unit quaternions.
static void DisplacementsAlongOneRateAddUp(void** state) {
    (void)state;
    hwRandom r = {32};
    for (int trial = 0; trial < 100; ++trial) {
        Sample s;
        MakeSample(&s, &r, 6, 0.0);
        int n = s.forest.freedomCount, m = s.forest.coordinateCount;
        double once[64], twice[64], whole[64], back[64], d[64];
        assert_true(m <= 64);
        hwForest_Displace(&s.forest, s.q, s.v, once);
        hwForest_Displace(&s.forest, once, s.v, twice);
        for (int i = 0; i < n; ++i) d[i] = 2.0 * s.v[i];
        hwForest_Displace(&s.forest, s.q, d, whole);
        for (int i = 0; i < n; ++i) d[i] = -s.v[i];
        hwForest_Displace(&s.forest, once, d, back);
        for (int i = 0; i < m; ++i) {
            assert_true(fabs(twice[i] - whole[i]) < 1e-13);
            assert_true(fabs(back[i] - s.q[i]) < 1e-13);
        }
        FreeSample(&s);
    }
}

// Rates are what a small displacement changes, and the tangent of that change is the displacement.
static void RatesAndTangentsInvertEachOther(void** state) {
    (void)state;
    hwRandom r = {33};
    const double h = 1e-5;
    for (int trial = 0; trial < 100; ++trial) {
        Sample s;
        MakeSample(&s, &r, 6, 0.0);
        int n = s.forest.freedomCount, m = s.forest.coordinateCount;
        double rate[64], before[64], after[64], tangent[64], d[64];
        hwForest_ComputeRates(&s.forest, s.q, s.v, rate);
        for (int i = 0; i < n; ++i) d[i] = h * s.v[i];
        hwForest_Displace(&s.forest, s.q, d, after);
        for (int i = 0; i < n; ++i) d[i] = -h * s.v[i];
        hwForest_Displace(&s.forest, s.q, d, before);
        // central difference: h^2 of the third derivative, rates are below 2, and 1e-16/h
        for (int i = 0; i < m; ++i) assert_true(fabs((after[i] - before[i]) / (2.0 * h) - rate[i]) < 1e-9);
        hwForest_TangentOf(&s.forest, s.q, rate, tangent);
        for (int i = 0; i < n; ++i) assert_true(fabs(tangent[i] - s.v[i]) < 1e-14);
        FreeSample(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(CountsAgreeWithTheJoints),
                                       cmocka_unit_test(DisplacementsAlongOneRateAddUp),
                                       cmocka_unit_test(RatesAndTangentsInvertEachOther)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
