// Signals: values, derivatives and what is refused.
#include "support.h"

#include "control/signal_data.h"

#include <stdlib.h>
#include <string.h>

// A copy as a world makes it; free the returned block.
static void* Copy(const hwSignal* signal, hwSignal* copy) {
    hwArena arena = {NULL, 0};
    hwSignal measured = hwCopySignal(&arena, signal);
    assert_int_equal(measured.termCount, 0);
    void* block = calloc(1, arena.used + 1);
    assert_non_null(block);
    size_t size = arena.used;
    arena.base = block;
    arena.used = 0;
    *copy = hwCopySignal(&arena, signal);
    assert_true(arena.used == size);
    return block;
}

// Fourth-order central differences of value and rate against rate and acceleration.
// With step d the error is d^4/30 times a fifth derivative plus rounding eps/d, here 1e-12 + 1e-13 times the scale of
// the signals below, whose fifth derivatives are below 1e4.
static void AssertConsistent(const hwSignal* signal, double t) {
    double d = 1e-3;
    hwSignalValue m2 = hwSignal_Evaluate(signal, t - 2.0 * d), m1 = hwSignal_Evaluate(signal, t - d);
    hwSignalValue p1 = hwSignal_Evaluate(signal, t + d), p2 = hwSignal_Evaluate(signal, t + 2.0 * d);
    hwSignalValue at = hwSignal_Evaluate(signal, t);
    double w = 1.0 / (12.0 * d);
    hwVec3 rate = hwScale(w, hwSub(hwScale(8.0, hwSub(p1.value, m1.value)), hwSub(p2.value, m2.value)));
    hwVec3 acceleration = hwScale(w, hwSub(hwScale(8.0, hwSub(p1.rate, m1.rate)), hwSub(p2.rate, m2.rate)));
    assert_close_vec3(at.rate, rate, 1e-8);
    assert_close_vec3(at.acceleration, acceleration, 1e-8);
}

static void SineHasItsOwnPeriodAndPhaseOnEachAxis(void** state) {
    (void)state;
    hwSignalTerm term = hwSineTerm(hwMakeVec3(2.0, -3.0, 0.0), 5.0, 0.3);
    term.offset = hwMakeVec3(1.0, 2.0, 3.0);
    term.period = hwMakeVec3(5.0, 7.0, 0.0); // nothing swings along z, so its period is not needed
    term.phase.y = -1.0;
    hwSignal signal = {1, &term};
    assert_int_equal(hwSignal_Check(&signal, NULL), HW_OK);
    for (double t = -3.0; t < 20.0; t += 0.37) {
        // Angles of up to 25 rad are rounded to 4e-15, three times over, times the amplitude.
        hwSignalValue at = hwSignal_Evaluate(&signal, t);
        assert_close(at.value.x, 1.0 + 2.0 * sin(2.0 * HW_PI * t / 5.0 + 0.3), 3e-14);
        assert_close(at.value.y, 2.0 - 3.0 * sin(2.0 * HW_PI * t / 7.0 - 1.0), 3e-14);
        assert_close(at.value.z, 3.0, 0.0);
        AssertConsistent(&signal, t);
    }
}

static void RampIsTwiceDifferentiableAndMeetsItsEnds(void** state) {
    (void)state;
    hwSignalTerm term = hwRampTerm(hwMakeVec3(1.0, -2.0, 0.0), hwMakeVec3(4.0, 5.0, -1.0), 2.0, 6.0);
    hwSignal signal = {1, &term};
    assert_close_vec3(hwSignal_Evaluate(&signal, -100.0).value, hwMakeVec3(1.0, -2.0, 0.0), 0.0);
    assert_close_vec3(hwSignal_Evaluate(&signal, 100.0).value, hwMakeVec3(4.0, 5.0, -1.0), 1e-15);
    assert_close_vec3(hwSignal_Evaluate(&signal, 4.0).value, hwMakeVec3(2.5, 1.5, -0.5), 1e-15); // symmetric
    for (double t = 2.05; t < 5.95; t += 0.1) AssertConsistent(&signal, t);
    // Continuous rate and acceleration at the ends: the acceleration grows like 60 s / T^2 times the rise, so 1e-6 s
    // inside it is below 60 (1e-6 / 4) / 16 * 7 = 7e-6.
    for (int side = 0; side < 2; side++) {
        double t = side == 0 ? 2.0 + 1e-6 : 6.0 - 1e-6;
        hwSignalValue inside = hwSignal_Evaluate(&signal, t);
        assert_close_vec3(inside.rate, hwVec3_zero, 1e-10);
        assert_close_vec3(inside.acceleration, hwVec3_zero, 1e-5);
    }
    hwSignalValue after = hwSignal_Evaluate(&signal, 6.0 + 1e-6);
    assert_close_vec3(after.rate, hwVec3_zero, 0.0);
    assert_close_vec3(after.acceleration, hwVec3_zero, 0.0);
}

static void LinearTableInterpolatesAndRestsOutside(void** state) {
    (void)state;
    const double times[] = {0.0, 1.0, 4.0};
    const hwVec3 values[] = {{0.0, 1.0, 2.0}, {2.0, 1.0, 0.0}, {-1.0, 1.0, 0.0}};
    hwSignalTerm term = hwDefaultSignalTerm();
    term.kind = HW_SIGNAL_TABLE;
    term.count = 3;
    term.times = times;
    term.values = values;
    hwSignal signal = {1, &term};
    assert_int_equal(hwSignal_Check(&signal, NULL), HW_OK);
    assert_close(hwSignal_Evaluate(&signal, 0.25).value.x, 0.5, 1e-15);
    assert_close(hwSignal_Evaluate(&signal, 0.25).rate.x, 2.0, 1e-15);
    assert_close(hwSignal_Evaluate(&signal, 2.5).value.x, 0.5, 1e-15);
    assert_close(hwSignal_Evaluate(&signal, 2.5).rate.x, -1.0, 1e-15);
    assert_close(hwSignal_Evaluate(&signal, 4.0).value.x, -1.0, 0.0);
    hwSignalValue before = hwSignal_Evaluate(&signal, -5.0), after = hwSignal_Evaluate(&signal, 5.0);
    assert_close_vec3(before.value, values[0], 0.0);
    assert_close_vec3(after.value, values[2], 0.0);
    assert_close_vec3(before.rate, hwVec3_zero, 0.0);
    assert_close_vec3(after.rate, hwVec3_zero, 0.0);
}

#define ROWS 41

// A sine sampled over whole half waves has zero bends at its ends, as the natural spline has, so the spline converges
// with the full order four: |error| <= 5/384 h^4 |f''''|.
static void NaturalSplineReproducesASineToFourthOrder(void** state) {
    (void)state;
    double errors[2];
    for (int level = 0; level < 2; level++) {
        int count = level == 0 ? (ROWS + 1) / 2 : ROWS;
        double times[ROWS];
        hwVec3 values[ROWS];
        for (int i = 0; i < count; i++) {
            times[i] = 2.0 * HW_PI * i / (count - 1);
            values[i] = hwMakeVec3(sin(times[i]), 3.0 * sin(times[i]), 0.0);
        }
        hwSignalTerm term = hwDefaultSignalTerm();
        term.kind = HW_SIGNAL_TABLE;
        term.cubic = true;
        term.count = count;
        term.times = times;
        term.values = values;
        hwSignal signal = {1, &term}, copy;
        void* block = Copy(&signal, &copy);
        assert_ptr_not_equal(copy.terms[0].times, times);
        memset(values, 0, sizeof(values)); // the copy must not look back
        double error = 0.0;
        for (double t = 0.0; t < 2.0 * HW_PI; t += 0.01) {
            hwSignalValue at = hwSignal_Evaluate(&copy, t);
            error = fmax(error, fabs(at.value.x - sin(t)));
            assert_close(at.value.y, 3.0 * at.value.x, 1e-14);
        }
        for (int i = 0; i + 1 < count; i++) AssertConsistent(&copy, 0.5 * (times[i] + times[i + 1]));
        errors[level] = error;
        double h = 2.0 * HW_PI / (count - 1);
        assert_true(error <= 5.0 / 384.0 * h * h * h * h);
        free(block);
    }
    assert_close(log2(errors[0] / errors[1]), 4.0, 0.2); // asymptotic order, next term of relative size h^2
}

// Curvature must be continuous across rows: only the right bends do that.
static void SplineOfUnevenRowsHasContinuousDerivatives(void** state) {
    (void)state;
    const double times[] = {-1.0, 0.0, 0.3, 2.0, 2.1, 5.0};
    const hwVec3 values[] = {{1, 0, 0}, {3, 1, 0}, {-2, 0, 1}, {0, 0, 0}, {0.5, 1, 1}, {4, -3, 2}};
    hwSignalTerm term = hwDefaultSignalTerm();
    term.kind = HW_SIGNAL_TABLE;
    term.cubic = true;
    term.count = 6;
    term.times = times;
    term.values = values;
    hwSignal signal = {1, &term}, copy;
    void* block = Copy(&signal, &copy);
    for (int i = 0; i < 6; i++) assert_close_vec3(hwSignal_Evaluate(&copy, times[i]).value, values[i], 1e-13);
    for (int i = 1; i < 5; i++) {
        // One ulp of time to the left; rates are of order 100.
        hwSignalValue left = hwSignal_Evaluate(&copy, nextafter(times[i], -10.0));
        hwSignalValue right = hwSignal_Evaluate(&copy, times[i]);
        assert_close_vec3(left.rate, right.rate, 1e-11);
        assert_close_vec3(left.acceleration, right.acceleration, 1e-10);
    }
    assert_close_vec3(hwSignal_Evaluate(&copy, -1.0).acceleration, hwVec3_zero, 0.0);
    assert_close_vec3(hwSignal_Evaluate(&copy, 5.0).acceleration, hwVec3_zero, 1e-12);
    assert_close_vec3(hwSignal_Evaluate(&copy, 5.1).value, values[5], 0.0);
    assert_close_vec3(hwSignal_Evaluate(&copy, 5.1).rate, hwVec3_zero, 0.0);
    free(block);
}

static void CubicTableWithoutBendsIsLinear(void** state) {
    (void)state;
    const double times[] = {0.0, 1.0, 2.0};
    const hwVec3 values[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    hwSignalTerm term = hwDefaultSignalTerm();
    term.kind = HW_SIGNAL_TABLE;
    term.cubic = true;
    term.count = 3;
    term.times = times;
    term.values = values;
    hwSignal signal = {1, &term};
    assert_close(hwSignal_Evaluate(&signal, 0.5).value.x, 0.5, 0.0);
}

static void ShortTablesStandStillOrAreStraight(void** state) {
    (void)state;
    const double times[] = {1.0, 3.0};
    const hwVec3 values[] = {{2, 0, 0}, {4, 0, 0}};
    for (int count = 1; count <= 2; count++) {
        hwSignalTerm term = hwDefaultSignalTerm();
        term.kind = HW_SIGNAL_TABLE;
        term.cubic = true;
        term.count = count;
        term.times = times;
        term.values = values;
        hwSignal signal = {1, &term}, copy;
        assert_int_equal(hwSignal_Check(&signal, NULL), HW_OK);
        void* block = Copy(&signal, &copy);
        assert_close(hwSignal_Evaluate(&copy, 2.0).value.x, count == 1 ? 2.0 : 3.0, 0.0);
        assert_close(hwSignal_Evaluate(&copy, 9.0).value.x, count == 1 ? 2.0 : 4.0, 0.0);
        free(block);
    }
}

static void TermsAddUp(void** state) {
    (void)state;
    const double times[] = {0.0, 10.0};
    const hwVec3 values[] = {{0, 0, 0}, {10, 20, 30}};
    hwSignalTerm terms[4] = {
        hwConstantTerm(hwMakeVec3(1.0, 2.0, 3.0)), hwSineTerm(hwMakeVec3(1.0, 1.0, 1.0), 3.0, 0.0),
        hwRampTerm(hwVec3_zero, hwMakeVec3(1.0, 0.0, 0.0), 0.0, 5.0), hwDefaultSignalTerm()};
    terms[3].kind = HW_SIGNAL_TABLE;
    terms[3].count = 2;
    terms[3].times = times;
    terms[3].values = values;
    hwSignal all = {4, terms}, copy;
    void* block = Copy(&all, &copy);
    for (double t = 0.5; t < 9.0; t += 0.5) {
        hwSignalValue sum = hwSignal_Evaluate(&copy, t);
        hwVec3 value = hwVec3_zero, rate = hwVec3_zero, acceleration = hwVec3_zero;
        for (int i = 0; i < 4; i++) {
            hwSignal one = {1, &terms[i]};
            hwSignalValue part = hwSignal_Evaluate(&one, t);
            value = hwAdd(value, part.value);
            rate = hwAdd(rate, part.rate);
            acceleration = hwAdd(acceleration, part.acceleration);
        }
        assert_close_vec3(sum.value, value, 1e-13);
        assert_close_vec3(sum.rate, rate, 1e-13);
        assert_close_vec3(sum.acceleration, acceleration, 1e-13);
    }
    free(block);
    hwSignal none = {0, NULL};
    assert_false(hwSignal_IsPresent(&none));
    assert_close_vec3(hwSignal_Evaluate(&none, 1.0).value, hwVec3_zero, 0.0);
}

// Every row of a long table is found, whatever its place.
static void LongTableFindsEveryRow(void** state) {
    (void)state;
    enum { COUNT = 1000 };
    static double times[COUNT];
    static hwVec3 values[COUNT];
    for (int i = 0; i < COUNT; i++) {
        times[i] = 0.01 * i * i;
        values[i].x = i;
    }
    hwSignalTerm term = hwDefaultSignalTerm();
    term.kind = HW_SIGNAL_TABLE;
    term.count = COUNT;
    term.times = times;
    term.values = values;
    hwSignal signal = {1, &term};
    for (int i = 0; i + 1 < COUNT; i++) {
        assert_close(hwSignal_Evaluate(&signal, times[i]).value.x, i, 0.0);
        assert_close(hwSignal_Evaluate(&signal, 0.5 * (times[i] + times[i + 1])).value.x, i + 0.5, 1e-9);
    }
}

static void AssertRefused(hwSignalTerm term, const char* expected) {
    hwSignalTerm terms[2] = {hwConstantTerm(hwVec3_zero), term};
    hwSignal signal = {2, terms};
    hwError error;
    memset(&error, 0, sizeof(error));
    assert_int_equal(hwSignal_Check(&signal, &error), HW_ERROR_ARGUMENT);
    assert_int_equal(error.index, 1);
    if (strstr(error.message, expected) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, expected);
    assert_non_null(strstr(error.message, "term 1: "));
    assert_int_equal(hwSignal_Check(&signal, NULL), HW_ERROR_ARGUMENT);
}

static void BadTermsAreRefusedInASentence(void** state) {
    (void)state;
    double times[] = {0.0, 1.0, 1.0}, nanTimes[] = {0.0, (double)NAN}, infinite[] = {0.0, HUGE_VAL};
    hwVec3 values[] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    hwVec3 nanValues[] = {{0, 0, 0}, {0, (double)NAN, 0}};
    hwSignalTerm term = hwConstantTerm(hwMakeVec3(0.0, (double)NAN, 0.0));
    AssertRefused(term, "must be a finite number");
    AssertRefused(hwSineTerm(hwMakeVec3(1, 1, 1), 0.0, 0.0),
                  "period of a sine must be positive and finite, along x");
    AssertRefused(hwSineTerm(hwMakeVec3(0, 1, 0), -3.0, 0.0), "along y it is -3");
    AssertRefused(hwSineTerm(hwMakeVec3(1, 1, 1), HUGE_VAL, 0.0), "period of a sine");
    AssertRefused(hwSineTerm(hwMakeVec3(0, 0, 0), (double)NAN, 0.0), "period of a sine");
    AssertRefused(hwSineTerm(hwMakeVec3(1, 1, (double)NAN), 1.0, 0.0), "amplitude and phase");
    AssertRefused(hwSineTerm(hwMakeVec3(1, 1, 1), 1.0, HUGE_VAL), "amplitude and phase");
    AssertRefused(hwRampTerm(hwVec3_zero, hwMakeVec3(1, 0, 0), 3.0, 3.0), "start before it ends");
    AssertRefused(hwRampTerm(hwVec3_zero, hwMakeVec3(1, 0, 0), (double)NAN, 3.0), "start before it ends");
    AssertRefused(hwRampTerm(hwVec3_zero, hwMakeVec3(1, 0, 0), 0.0, HUGE_VAL), "start before it ends");
    AssertRefused(hwRampTerm(hwVec3_zero, hwMakeVec3(HUGE_VAL, 0, 0), 0.0, 1.0), "rise of a ramp");
    term = hwDefaultSignalTerm();
    term.kind = HW_SIGNAL_TABLE;
    AssertRefused(term, "at least one row, it has 0");
    term.count = 3;
    AssertRefused(term, "at least one row, it has 0");
    term.times = times;
    term.values = values;
    AssertRefused(term, "row 2 at 1 s follows row 1 at 1 s");
    term.count = 2;
    term.times = nanTimes;
    AssertRefused(term, "in row 1 they are not");
    term.times = infinite;
    AssertRefused(term, "in row 1 they are not");
    term.times = times;
    term.values = nanValues;
    AssertRefused(term, "in row 1 they are not");
    term.kind = (hwSignalKind)17;
    AssertRefused(term, "no kind 17");
    hwSignal broken = {2, NULL}, negative = {-1, NULL};
    hwError error;
    assert_int_equal(hwSignal_Check(&broken, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "2 terms"));
    assert_int_equal(hwSignal_Check(&negative, &error), HW_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SineHasItsOwnPeriodAndPhaseOnEachAxis),
        cmocka_unit_test(RampIsTwiceDifferentiableAndMeetsItsEnds),
        cmocka_unit_test(LinearTableInterpolatesAndRestsOutside),
        cmocka_unit_test(NaturalSplineReproducesASineToFourthOrder),
        cmocka_unit_test(SplineOfUnevenRowsHasContinuousDerivatives),
        cmocka_unit_test(CubicTableWithoutBendsIsLinear),
        cmocka_unit_test(ShortTablesStandStillOrAreStraight),
        cmocka_unit_test(TermsAddUp),
        cmocka_unit_test(LongTableFindsEveryRow),
        cmocka_unit_test(BadTermsAreRefusedInASentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
