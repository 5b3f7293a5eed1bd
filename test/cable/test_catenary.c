// The elastic catenary: it ends where it should, its tension balances its weight, its stiffness is its
// derivative.
#include "cable/catenary.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static hwCatenary Solve(hwCatenaryDef def) {
    hwCatenary c;
    hwError error;
    if (hwCatenary_Solve(&def, &c, &error) != HW_OK) fail_msg("%s", error.message);
    return c;
}

// Largest error of the ends, and of the balance of each of 50 pieces: tension difference = weight + bottom's
// reaction.
static void CheckShape(const hwCatenary* c, double endTolerance) {
    const hwCatenaryDef* def = &c->def;
    double size = def->length + hwDistance(def->a, def->b);
    hwVec3 b = hwCatenary_GetPoint(c, def->length, NULL, NULL);
    if (hwDistance(b, def->b) > endTolerance * size) {
        fail_msg("end off by %g of %g: span %g rise %g length %g w %g EA %g", hwDistance(b, def->b), size,
                 c->span, c->rise, def->length, def->weight, def->EA);
    }
    // Chords of short pieces against stretched length: dx/ds = (1 + T/EA) t by trapezium, error O(1/n^2).
    int n = 4000;
    hwVec3 t0, sum = def->a;
    double tension0;
    sum = hwCatenary_GetPoint(c, 0.0, &t0, &tension0);
    for (int k = 1; k <= n; ++k) {
        hwVec3 t1;
        double tension1;
        hwVec3 x = hwCatenary_GetPoint(c, def->length * k / n, &t1, &tension1);
        double ds = def->length / n;
        if (!c->slack) {
            sum = hwMulAdd(sum, 0.5 * ds * (1.0 + tension0 / def->EA), t0);
            sum = hwMulAdd(sum, 0.5 * ds * (1.0 + tension1 / def->EA), t1);
            // A sharp bottom of a steep catenary is H/w wide; where the trapezium does not resolve it, skip.
            if (c->horizontal > 50.0 * c->weight * ds) assert_true(hwDistance(sum, x) < 2e-4 * size);
        }
        t0 = t1;
        tension0 = tension1;
    }
}

static void HangingLinesOfAllKindsEndWhereTheyShould(void** unused) {
    (void)unused;
    hwRandom random = {1};
    for (int k = 0; k < 4000; ++k) {
        double length = pow(10.0, hwRandom_Range(&random, 0.0, 3.5));
        double ratio = k % 4 == 0   ? hwRandom_Range(&random, 0.0, 0.99)                   // slack
                       : k % 4 == 1 ? 1.0 - pow(10.0, hwRandom_Range(&random, -9.0, -1.0)) // almost taut
                       : k % 4 == 2 ? 1.0 + pow(10.0, hwRandom_Range(&random, -9.0, -1.5)) // stretched
                                    : hwRandom_Range(&random, 0.9, 1.01);
        double angle = k % 7 == 0    ? 0.5 * HW_PI
                       : k % 11 == 0 ? 0.0
                                     : hwRandom_Range(&random, -0.5 * HW_PI, 0.5 * HW_PI);
        double heading = hwRandom_Range(&random, 0.0, 2.0 * HW_PI);
        hwCatenaryDef def = {.length = length, .a = {1.0, -2.0, 3.0}};
        double chord = ratio * length;
        def.b = hwAdd(def.a, hwMakeVec3(chord * cos(angle) * cos(heading), chord * cos(angle) * sin(heading),
                                        chord * sin(angle)));
        if (k % 7 == 0) def.b = hwAdd(def.a, hwMakeVec3(0.0, 0.0, k % 2 ? chord : -chord));
        def.weight = (k % 5 == 0 ? -1.0 : 1.0) * pow(10.0, hwRandom_Range(&random, -3.0, 3.5));
        if (k % 13 == 0) def.weight = 0.0;
        def.EA = fabs(def.weight) * length * pow(10.0, hwRandom_Range(&random, 0.5, 7.0)) + 1.0;
        hwCatenary c = Solve(def);
        CheckShape(&c, 1e-11);
        // Weight is carried by the ends. A slack line without weight is given 1e-9 EA.
        double weight = -def.weight * def.length;
        double balance = c.forceA.z + c.forceB.z - weight;
        assert_true(fabs(balance) <= 1e-12 * (fabs(weight) + hwLength(c.forceA)) + 1.1e-9 * def.EA);
    }
}

// One classic inextensible geometry: level span 100 m, parameter H/w = 50 m.
static void ClassicCatenary(void** unused) {
    (void)unused;
    double parameter = 50.0, half = 50.0, w = 30.0;
    hwCatenaryDef def = {.a = {-half, 0, 0}, .b = {half, 0, 0}, .weight = w, .EA = 1e15};
    def.length = 2.0 * parameter * sinh(half / parameter);
    hwCatenary c = Solve(def);
    // EA = 1e15: stretch 1e-12, and H depends on length 1:1.
    assert_true(fabs(c.horizontal - w * parameter) < 1e-9 * w * parameter);
    hwVec3 lowest = hwCatenary_GetPoint(&c, 0.5 * def.length, NULL, NULL);
    assert_true(fabs(lowest.z + parameter * (cosh(half / parameter) - 1.0)) < 1e-9);
}

// Hanging straight down: elongation w L^2/(2 EA) + P L/EA, with the end pulled to that point.
static void VerticalBar(void** unused) {
    (void)unused;
    double w = 50.0, L = 40.0, EA = 1e5, P = 700.0;
    double down = L + 0.5 * w * L * L / EA + P * L / EA;
    hwCatenary c = Solve((hwCatenaryDef){.a = {0}, .b = {0, 0, -down}, .length = L, .weight = w, .EA = EA});
    assert_true(fabs(c.forceB.z - P) < 1e-8 * P);
    assert_true(fabs(-c.forceA.z - (P + w * L)) < 1e-8 * P);
}

static void SlackVerticalLineFolds(void** unused) {
    (void)unused;
    // 10 m of line between two points 4 m apart on one vertical: legs of 7 and 3 m.
    hwCatenary c =
        Solve((hwCatenaryDef){.a = {0}, .b = {0, 0, 4}, .length = 10.0, .weight = 20.0, .EA = 1e9});
    assert_true(fabs(c.forceA.z + 60.0) < 1e-5);
    assert_true(fabs(c.forceB.z + 140.0) < 1e-5);
    hwVec3 bottom = hwCatenary_GetPoint(&c, 3.0, NULL, NULL);
    assert_true(fabs(bottom.z + 3.0) < 1e-6);
}

// The mooring line of the benchmarks: all lengths and forces from the textbook formulas, solved independently
// by bisection on H.
static void MooringLineOnTheBottom(void** unused) {
    (void)unused;
    for (int k = 0; k < 3; ++k) {
        double w = 700.0, EA = 3.84e8, L = 600.0, h = 190.0, X = 540.0,
               friction = k == 0   ? 0.0
                          : k == 1 ? 0.5
                                   : 3.0;
        hwCatenaryDef def = {.a = {0, 0, -200}, .b = {X, 0, -10}, .length = L, .weight = w, .EA = EA};
        def.hasFloor = true;
        def.floor = -200.0;
        def.friction = friction;
        hwCatenary c = Solve(def);
        assert_true(c.grounded && !c.slack && c.lies > 100.0);
        double H = c.horizontal, V = c.verticalB, T = sqrt(H * H + V * V), lies = L - V / w;
        double slide = friction * w * lies;
        double stretch = H >= slide ? lies * (H - 0.5 * slide) / EA : H * H / (2.0 * EA * friction * w);
        double x = lies + stretch + H / w * asinh(V / H) + H * V / (w * EA);
        double z = (T - H) / w + V * V / (2.0 * EA * w);
        assert_true(fabs(x - X) < 1e-9 * X && fabs(z - h) < 1e-9 * h);
        assert_true(fabs(c.forceA.x - fmax(H - slide, 0.0)) < 1e-6 * H);
        assert_true(fabs(c.lies - lies) < 1e-9 * L);
        CheckShape(&c, 1e-11);
    }
}

static void GroundedLinesOfAllKindsEndWhereTheyShould(void** unused) {
    (void)unused;
    hwRandom random = {2};
    int grounded = 0, slack = 0, twoLegs = 0;
    for (int k = 0; k < 3000; ++k) {
        double length = pow(10.0, hwRandom_Range(&random, 0.5, 3.0));
        hwCatenaryDef def = {.length = length, .weight = pow(10.0, hwRandom_Range(&random, -2.0, 3.5))};
        def.hasFloor = true;
        def.floor = -50.0;
        def.friction = k % 2 ? hwRandom_Range(&random, 0.0, 1.0) : 0.0;
        def.EA = def.weight * length * pow(10.0, hwRandom_Range(&random, 1.0, 6.0));
        double span =
            length * (k % 3 == 0 ? hwRandom_Range(&random, 0.0, 0.7) : hwRandom_Range(&random, 0.7, 1.0));
        double ha = k % 4 < 2 ? 0.0 : hwRandom_Range(&random, 0.0, 0.5) * length;
        double hb = k % 4 == 3 ? 0.0 : hwRandom_Range(&random, 0.0, 0.6) * length;
        def.a = hwMakeVec3(0.0, 0.0, def.floor + ha);
        def.b = hwMakeVec3(0.6 * span, 0.8 * span, def.floor + hb);
        hwCatenary c = Solve(def);
        grounded += c.grounded;
        slack += c.slack;
        twoLegs += c.grounded && c.hangA > 0.0 && c.hangB > 0.0;
        CheckShape(&c, 1e-10);
        for (int j = 0; j <= 40; ++j) {
            hwVec3 x = hwCatenary_GetPoint(&c, length * j / 40.0, NULL, NULL);
            assert_true(x.z > def.floor - 1e-9 * length);
        }
        if (c.grounded) assert_true(c.lies > -1e-9 * length);
    }
    assert_true(grounded > 500 && slack > 100 && twoLegs > 100);
}

static void StiffnessIsTheDerivativeOfTheForce(void** unused) {
    (void)unused;
    const hwCatenaryDef defs[] = {
        {.a = {0}, .b = {80, 30, 20}, .length = 100.0, .weight = 40.0, .EA = 1e6},
        {.a = {0}, .b = {80, 30, -20}, .length = 86.0, .weight = 40.0, .EA = 1e6},
        {.a = {0}, .b = {80, 30, 20}, .length = 100.0, .weight = -40.0, .EA = 1e6},
        {.a = {0, 0, -200},
         .b = {540, 100, -10},
         .length = 620.0,
         .weight = 700.0,
         .EA = 3.84e7,
         .hasFloor = true,
         .floor = -200.0},
        {.a = {0, 0, -150},
         .b = {440, 100, -10},
         .length = 620.0,
         .weight = 700.0,
         .EA = 3.84e7,
         .hasFloor = true,
         .floor = -200.0},
    };
    for (size_t k = 0; k < sizeof(defs) / sizeof(defs[0]); ++k) {
        hwCatenary c = Solve(defs[k]);
        assert_true(c.grounded == (k >= 3));
        hwVec3 columns[3] = {c.stiffness.cx, c.stiffness.cy, c.stiffness.cz};
        double size = hwLength(columns[0]) + hwLength(columns[1]) + hwLength(columns[2]);
        for (int axis = 0; axis < 3; ++axis) {
            // Step 1e-4 m: truncation 1e-8 relative, rounding 1e-12 N/1e-4 m.
            hwVec3 force[2];
            for (int side = 0; side < 2; ++side) {
                hwCatenaryDef def = defs[k];
                (&def.b.x)[axis] += side == 0 ? -1e-4 : 1e-4;
                force[side] = Solve(def).forceB;
            }
            hwVec3 slope = hwScale(-1.0 / 2e-4, hwSub(force[1], force[0]));
            assert_true(hwDistance(slope, columns[axis]) < 1e-5 * size);
        }
    }
}

static void BadNumbersAreRefused(void** unused) {
    (void)unused;
    hwCatenary c;
    hwError error;
    hwCatenaryDef def = {.a = {0}, .b = {1, 0, 0}, .length = 0.0, .weight = 1.0, .EA = 1.0};
    assert_int_equal(hwCatenary_Solve(&def, &c, &error), HW_ERROR_ARGUMENT);
    def.length = 2.0;
    def.b.y = (double)NAN;
    assert_int_equal(hwCatenary_Solve(&def, &c, &error), HW_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(HangingLinesOfAllKindsEndWhereTheyShould),
        cmocka_unit_test(ClassicCatenary),
        cmocka_unit_test(VerticalBar),
        cmocka_unit_test(SlackVerticalLineFolds),
        cmocka_unit_test(MooringLineOnTheBottom),
        cmocka_unit_test(GroundedLinesOfAllKindsEndWhereTheyShould),
        cmocka_unit_test(StiffnessIsTheDerivativeOfTheForce),
        cmocka_unit_test(BadNumbersAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
