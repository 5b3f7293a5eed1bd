// Winding numbers, linking numbers and words against constructions whose answer is known, against an independent sum, and
// where curves touch.
#include "test/support.h"

#include "hawser/tether.h"

static const hwPolyline g_none = {0, NULL};

static hwVec3 RandomUnit(uint64_t* seed) {
    for (;;) {
        hwVec3 v = TestRandomVec3(seed);
        double size = hwLength(v);
        if (size > 0.1 && size < 1.0) return hwScale(1.0 / size, v);
    }
}

// A helix of `turns` about the axis, with ends beside each other.
static int MakeHelix(const hwTetherAxis* axis, double turns, double radius, double pitch, int count,
                     hwVec3* points) {
    hwVec3 u = hwPerpendicular(axis->direction), v = hwCross(axis->direction, u);
    for (int i = 0; i < count; ++i) {
        double s = (double)i / (count - 1), angle = 2.0 * HW_PI * turns * s;
        hwVec3 p = hwMulAdd(axis->point, radius * cos(angle), u);
        p = hwMulAdd(p, radius * sin(angle), v);
        points[i] = hwMulAdd(p, pitch * turns * s, axis->direction);
    }
    return count;
}

static void winding_of_a_helix_is_its_number_of_turns_about_any_axis(void** state) {
    (void)state;
    uint64_t seed = 11;
    for (int k = 0; k < 200; ++k) {
        hwTetherAxis axis = {.point = hwScale(50.0, TestRandomVec3(&seed)),
                             .direction = RandomUnit(&seed),
                             .from = -HUGE_VAL,
                             .to = HUGE_VAL};
        int turns = k % 11 - 5;
        hwVec3 points[151];
        hwPolyline tether = {MakeHelix(&axis, turns, 0.2, 0.05, 151, points), points};
        hwTurnCount count = hwTether_CountWinding(tether, g_none, &axis);
        assert_true(count.certain);
        assert_int_equal(count.count, turns);
        bool certain;
        // 150 angles of about 1e-15 each
        assert_close(hwTether_GetSweptAngle(tether, &axis, &certain), 2.0 * HW_PI * turns, 1e-12);
        assert_true(certain);
        // beside the middle half of it only: half of the angle
        axis.from = fabs(0.25 * 0.05 * turns) * (turns < 0 ? -3.0 : 1.0);
        axis.to = fabs(0.25 * 0.05 * turns) * (turns < 0 ? -1.0 : 3.0);
        assert_close(hwTether_GetSweptAngle(tether, &axis, &certain), HW_PI * turns, 0.02);
    }
}

static void winding_near_the_axis_is_right_on_both_sides_down_to_rounding(void** state) {
    (void)state;
    hwTetherAxis axis = {
        .point = {3.0, -2.0, 7.0}, .direction = {0.0, 0.0, 1.0}, .from = -HUGE_VAL, .to = HUGE_VAL};
    for (double gap = 1.0; gap > 1e-13; gap *= 0.1) {
        for (int side = -1; side <= 1; side += 2) {
            // a square whose near edge passes the axis at `gap`: with it inside or outside
            hwVec3 square[4] = {{3.0 - side * gap, -3.0, 0.0},
                                {3.0 - side * gap, -1.0, 1.0},
                                {-5.0, -1.0, 2.0},
                                {-5.0, -3.0, 3.0}};
            hwTurnCount count = hwTether_CountWinding((hwPolyline){4, square}, g_none, &axis);
            assert_true(count.certain);
            assert_int_equal(count.count, side < 0 ? 1 : 0);
        }
    }
    hwVec3 touching[3] = {{3.0, -3.0, 0.0}, {3.0, -1.0, 1.0}, {-5.0, -1.0, 2.0}};
    assert_false(hwTether_CountWinding((hwPolyline){3, touching}, g_none, &axis).certain);
    touching[0].x = (double)NAN;
    assert_false(hwTether_CountWinding((hwPolyline){3, touching}, g_none, &axis).certain);
}

static void linking_agrees_with_the_sum_of_solid_angles_on_random_polygons(void** state) {
    (void)state;
    uint64_t seed = 5;
    int certain = 0, linked = 0;
    for (int k = 0; k < 2000; ++k) {
        hwVec3 a[24], b[12];
        int na = 4 + k % 20, nb = 3 + k % 9;
        double scale = k % 3 == 0 ? 1e-3 : (k % 3 == 1 ? 1.0 : 1e4);
        hwVec3 shift = hwScale(scale, TestRandomVec3(&seed));
        for (int i = 0; i < na; ++i) a[i] = hwAdd(shift, hwScale(scale, TestRandomVec3(&seed)));
        for (int i = 0; i < nb; ++i) b[i] = hwAdd(shift, hwScale(scale, TestRandomVec3(&seed)));
        hwPolyline tether = {na - 2, a}, reference = {2, a + na - 2}, loop = {nb, b};
        double sum = hwTether_ComputeLinking(tether, reference, loop);
        hwTurnCount count = hwTether_CountLinking(tether, reference, loop);
        assert_close(sum, floor(sum + 0.5),
                     1e-9); // 500 atan2 of 1e-15, worse conditioned where curves come close
        certain += count.certain;
        linked += count.count != 0;
        assert_int_equal(count.count, (int)floor(sum + 0.5));
        // the other way round it changes its sign; as the linking of the two exchanged it does not
        hwTurnCount exchanged = hwTether_CountLinking(loop, g_none, (hwPolyline){na, a});
        assert_true(exchanged.certain);
        assert_int_equal(exchanged.count, count.count);
    }
    assert_int_equal(certain, 2000);
    assert_true(linked > 500);
}

static void a_tether_wound_through_a_ring_links_it_as_often_as_it_passes(void** state) {
    (void)state;
    hwVec3 ring[48], coil[400];
    for (int i = 0; i < 48; ++i) ring[i] = hwMakeVec3(cos(i * HW_PI / 24), sin(i * HW_PI / 24), 0.0);
    for (int n = -4; n <= 4; ++n) {
        // a torus knot (1, n) round the ring's core
        for (int i = 0; i < 400; ++i) {
            double s = 2.0 * HW_PI * i / 400, r = 1.0 + 0.3 * cos(n * s);
            coil[i] = hwMakeVec3(r * cos(s), r * sin(s), 0.3 * sin(n * s));
        }
        hwTurnCount count = hwTether_CountLinking((hwPolyline){400, coil}, g_none, (hwPolyline){48, ring});
        assert_true(count.certain);
        // r > 1 first, rising z: the right hand turns the other way
        assert_int_equal(count.count, -n);
    }
}

static void a_tether_through_the_edge_of_a_loop_is_never_counted(void** state) {
    (void)state;
    hwVec3 loop[4] = {{0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}, {4.0, 4.0, 0.0}, {0.0, 4.0, 0.0}};
    for (double x = 0.0; x <= 4.0; x += 0.125) {
        hwVec3 through[4] = {{x, 0.0, -1.0}, {x, 0.0, 1.0}, {x, -9.0, 1.0}, {x, -9.0, -1.0}};
        assert_false(hwTether_CountLinking((hwPolyline){4, through}, g_none, (hwPolyline){4, loop}).certain);
        for (double gap = 1.0; gap > 2e-9; gap *= 0.1) { // the bound of MEETING is 1e-10 of 12 m
            for (int side = -1; side <= 1; side += 2) {
                through[0].y = through[1].y = side * gap;
                bool inside = side > 0 && x > 0.0 && x < 4.0;
                hwTurnCount count =
                    hwTether_CountLinking((hwPolyline){4, through}, g_none, (hwPolyline){4, loop});
                // on the prolonged side edges the tether meets the corners' verticals, never the loop, unless it is on them
                bool meets = side > 0 && (x == 0.0 || x == 4.0);
                if (meets) {
                    assert_false(count.certain);
                } else {
                    assert_true(count.certain);
                    assert_int_equal(count.count, inside ? 1 : 0);
                }
            }
        }
    }
}

// Through the centre, along the diagonals, in the plane: places where the first surface cannot tell.
static void a_tether_through_the_middle_of_the_surface_is_counted(void** state) {
    (void)state;
    hwVec3 loop[4] = {{0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}, {4.0, 4.0, 0.0}, {0.0, 4.0, 0.0}};
    for (double x = 0.25; x < 4.0; x += 0.25) {
        hwVec3 through[4] = {{x, x, -1.0}, {x, x, 1.0}, {x, -9.0, 1.0}, {x, -9.0, -1.0}};
        hwTurnCount count = hwTether_CountLinking((hwPolyline){4, through}, g_none, (hwPolyline){4, loop});
        assert_true(count.certain);
        assert_int_equal(count.count, 1);
        // with a stretch that lies in the loop's plane
        hwVec3 flat[6] = {{x, x, -1.0},    {x, x, 0.0},      {2.0, 1.0, 0.0},
                          {2.0, 1.0, 1.0}, {2.0, -9.0, 1.0}, {x, -9.0, -1.0}};
        count = hwTether_CountLinking((hwPolyline){6, flat}, g_none, (hwPolyline){4, loop});
        assert_true(count.certain);
        assert_int_equal(count.count, 1);
    }
    // degenerate polygons span nothing
    hwVec3 point[3] = {{1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}};
    hwTurnCount none = hwTether_CountLinking((hwPolyline){3, point}, g_none, (hwPolyline){4, loop});
    assert_true(none.certain && none.count == 0);
    none = hwTether_CountLinking((hwPolyline){1, point}, g_none, (hwPolyline){4, loop});
    assert_true(none.certain && none.count == 0);
}

static void the_word_sees_a_commutator_that_the_numbers_do_not(void** state) {
    (void)state;
    hwTetherFeature piles[2] = {
        {.isAxis = true,
         .axis = {.point = {-2.0, 0.0, 0.0}, .direction = {0.0, 0.0, 1.0}, .curtain = {0.0, 1.0, 0.0}}},
        {.isAxis = true,
         .axis = {.point = {2.0, 0.0, 0.0}, .direction = {0.0, 0.0, 1.0}, .curtain = {0.0, 1.0, 0.0}}}};
    // round A, round B, back round A, back round B, each loop from the base point south of both
    static const double round[4][2] = {{-2.0, 1.0}, {2.0, 1.0}, {-2.0, -1.0}, {2.0, -1.0}};
    hwVec3 points[32];
    int count = 0;
    for (int k = 0; k < 4; ++k) {
        double x = round[k][0], way = round[k][1];
        points[count++] = hwMakeVec3(0.0, -5.0 + 0.1 * k, 0.1 * k);
        points[count++] = hwMakeVec3(x + way, -1.0, 0.1 * k);
        points[count++] = hwMakeVec3(x + way, 1.0, 0.1 * k);
        points[count++] = hwMakeVec3(x - way, 1.0, 0.1 * k);
        points[count++] = hwMakeVec3(x - way, -1.0, 0.1 * k);
    }
    hwPolyline tether = {count, points};
    for (int i = 0; i < 2; ++i) {
        hwTurnCount turns = hwTether_CountWinding(tether, g_none, &piles[i].axis);
        assert_true(turns.certain);
        assert_int_equal(turns.count, 0);
    }
    hwTetherLetter letters[16];
    assert_int_equal(hwTether_ReduceWord(tether, g_none, 2, piles, 16, letters), 4);
    static const int feature[4] = {0, 1, 0, 1}, sign[4] = {1, 1, -1, -1};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(letters[i].feature, feature[i]);
        assert_int_equal(letters[i].sign, sign[i]);
    }
    // flown back the same way it is free
    hwVec3 back[32];
    for (int i = 0; i < count; ++i) back[i] = hwAdd(points[count - 1 - i], hwMakeVec3(0.0, 0.0, 0.01));
    assert_int_equal(hwTether_ReduceWord(tether, (hwPolyline){count, back}, 2, piles, 16, letters), 0);
    // too little room is said
    assert_int_equal(hwTether_ReduceWord(tether, g_none, 2, piles, 3, letters), -1);
}

static void measures_of_circles_and_lines_are_exact(void** state) {
    (void)state;
    hwVec3 circle[41];
    for (int i = 0; i < 41; ++i)
        circle[i] = hwMakeVec3(3.0 * cos(i * HW_PI / 40), 3.0 * sin(i * HW_PI / 40), 1.0);
    hwPolyline half = {41, circle};
    assert_close(hwTether_GetBendRadius(half, NULL), 3.0, 1e-12);
    assert_close(hwTether_GetTurning(half, 0, 39), HW_PI * 39 / 40, 1e-12); // 39 corners between 40 chords
    assert_close(hwTether_GetLength(half), 40 * 6.0 * sin(HW_PI / 80), 1e-12);
    hwVec3 line[4] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {3, 0, 0}};
    assert_true(isinf(hwTether_GetBendRadius((hwPolyline){4, line}, NULL)));
    assert_close(hwTether_GetTurning((hwPolyline){4, line}, -3, 99), 0.0, 0.0);
    line[3].x = -1.0;
    assert_close(hwTether_GetTurning((hwPolyline){4, line}, 0, 2), HW_PI, 1e-15);
    assert_close(hwTether_GetCapstan(0.3, 2.0 * HW_PI), 6.586, 5e-4); // TRAINER: 6.6 for a full turn at 0.3
    // 13 turns on 50 m at 0.01 N hockle, EI = GJ = 0.015 N m2
    assert_close(hwTether_GetHockleIndex(0.015, 0.015, 0.01, 13 * 2.0 * HW_PI, 50.0), 1.0, 0.01);
    assert_close(hwTether_GetHockleIndex(0.015, 0.015, 0.0, 0.0, 50.0), 0.0, 0.0);
    // without tension Greenhill's torque is 2 pi EI / L: one turn of GJ = EI
    assert_close(hwTether_GetHockleIndex(0.015, 0.015, -1.0, 2.0 * HW_PI, 50.0), 1.0, 1e-12);
    assert_true(isinf(hwTether_GetHockleIndex(0.015, 0.0, 1.0, 1.0, 50.0)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(winding_of_a_helix_is_its_number_of_turns_about_any_axis),
        cmocka_unit_test(winding_near_the_axis_is_right_on_both_sides_down_to_rounding),
        cmocka_unit_test(linking_agrees_with_the_sum_of_solid_angles_on_random_polygons),
        cmocka_unit_test(a_tether_wound_through_a_ring_links_it_as_often_as_it_passes),
        cmocka_unit_test(a_tether_through_the_edge_of_a_loop_is_never_counted),
        cmocka_unit_test(a_tether_through_the_middle_of_the_surface_is_counted),
        cmocka_unit_test(the_word_sees_a_commutator_that_the_numbers_do_not),
        cmocka_unit_test(measures_of_circles_and_lines_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
