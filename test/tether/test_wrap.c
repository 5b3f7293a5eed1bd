// Tethers that lie round solids: closed forms of spans, the capstan, exact windings on the way round and back.
#include "test/support.h"

#include "cable/catenary.h"
#include "tether/wrap.h"

#include <string.h>
#include <time.h>

static hwWrapLoad g_load;

static void GiveLoad(const void* context, hwVec3 a, hwVec3 b, hwWrapLoad* out) {
    (void)context;
    (void)a;
    (void)b;
    *out = g_load;
}

typedef struct Tether {
    hwTetherSpace* space;
    hwWrapSetup setup;
    hwWrapState state;
    hwWrapPath path;
    hwWrapWork* work;
    double friction[8];
    double material[2];
} Tether;

static hwShapeDef MakePile(double radius, double x, double y) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = radius;
    shape.length = 60.0;
    shape.pose.p = hwMakeVec3(x, y, 0.0);
    return shape;
}

static Tether* MakeTether(int count, const hwShapeDef* shapes, double friction, double radius, double EA) {
    Tether* t = calloc(1, sizeof(*t));
    hwTetherSolid solids[8] = {0};
    hwError error;
    for (int i = 0; i < count; ++i) {
        solids[i] = (hwTetherSolid){&shapes[i], hwPose_identity};
        t->friction[i] = friction;
    }
    t->space = hwCreateTetherSpace(count, solids, NULL, &error);
    if (t->space == NULL) fail_msg("%s", error.message);
    t->work = malloc(hwWrapWork_GetSize());
    t->setup = (hwWrapSetup){t->space, t->friction, HW_BEND_CATENARY, radius, EA, GiveLoad, NULL};
    return t;
}

static void FreeTether(Tether* t) {
    hwDestroyTetherSpace(t->space);
    free(t->work);
    free(t);
}

static void Start(Tether* t, hwVec3 a, hwVec3 b, double length) {
    hwVec3 ends[2] = {a, b};
    t->material[0] = 0.0;
    t->material[1] = length;
    hwWrap_Start(&t->setup, &t->state, (hwPolyline){2, ends}, t->material, t->work, &t->path);
}

static void Move(Tether* t, hwVec3 a, hwVec3 b) {
    hwVec3 ends[2] = {a, b};
    hwWrap_Update(&t->setup, &t->state, ends, t->material, NULL, t->work, &t->path);
}

static double GetMaterial(const Tether* t) {
    double sum = 0.0;
    for (int i = 0; i <= t->path.count; ++i) sum += t->path.rest[i];
    return sum;
}

// Length of its curve over what its material and tension make of it.
static double MeasureCurve(const Tether* t, int pieces) {
    double sum = 0.0, length = t->material[1] - t->material[0];
    hwVec3 before = t->path.point[0];
    for (int i = 1; i <= pieces; ++i) {
        hwVec3 p = hwWrapPath_GetPoint(&t->path, length * i / pieces, NULL);
        sum += hwDistance(before, p);
        before = p;
    }
    return sum;
}

static hwTetherAxis MakeAxis(double x, double y) {
    hwTetherAxis axis = {
        .point = {x, y, 0.0}, .direction = {0.0, 0.0, 1.0}, .from = -HUGE_VAL, .to = HUGE_VAL};
    return axis;
}

// Its shown curve.
static hwPolyline GetCurve(const Tether* t) {
    static hwVec3 points[4000];
    int count = 0;
    int k = 0;
    for (int i = 0; i <= t->path.count; ++i) {
        points[count++] = t->path.point[i];
        if (t->path.joined[i]) continue;
        for (int j = 1; j < 16; ++j)
            points[count++] = hwWrapSpan_GetPoint(&t->path.span[k], t->path.rest[i] * j / 16.0, NULL);
        k += 1;
    }
    points[count++] = t->path.point[t->path.count + 1];
    return (hwPolyline){count, points};
}

// Windings of its shown curve, closed straight.
static int CountTurns(const Tether* t, const hwTetherAxis* axis, const hwPolyline* reference) {
    hwTurnCount turns = hwTether_CountWinding(GetCurve(t), *reference, axis);
    assert_true(turns.certain);
    return turns.count;
}

// Weight alone: the elastic catenary of src/cable, solved by other equations.
static void a_heavy_span_is_the_elastic_catenary(void** state) {
    (void)state;
    Tether* t = MakeTether(0, NULL, 0.3, 0.004, 1e7);
    g_load = (hwWrapLoad){{0.0, 0.0, -2.0}, {0.0, 0.0, 0.0}};
    const hwVec3 ends[][2] = {{{0.0, 0.0, 0.0}, {20.0, 0.0, 0.0}},
                              {{0.0, 0.0, 0.0}, {12.0, 9.0, 7.0}},
                              {{0.0, 0.0, 0.0}, {3.0, 0.0, -18.0}}};
    const double lengths[] = {20.02, 21.0, 30.0, 60.0};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 4; ++k) {
            double length = lengths[k] * hwDistance(ends[i][0], ends[i][1]) / 20.0;
            hwWrapSpan span;
            hwWrapSpan_Solve(&t->setup, ends[i][0], ends[i][1], length, &span);
            hwCatenaryDef def = {
                .a = ends[i][0], .b = ends[i][1], .length = length, .weight = 2.0, .EA = 1e7};
            hwCatenary exact;
            hwError error;
            assert_int_equal(hwCatenary_Solve(&def, &exact, &error), HW_OK);
            // what stretches along the span by more than its lowest tension: T/EA = 1e-5 of the length
            double size = hwLength(exact.forceA) + hwLength(exact.forceB);
            assert_true(hwDistance(span.pull[0], exact.forceA) < 2e-3 * size);
            assert_true(hwDistance(span.pull[1], exact.forceB) < 2e-3 * size);
            for (int j = 0; j <= 10; ++j) {
                double tension, other;
                hwVec3 p = hwWrapSpan_GetPoint(&span, length * j / 10.0, &tension);
                hwVec3 q = hwCatenary_GetPoint(&exact, length * j / 10.0, NULL, &other);
                assert_true(hwDistance(p, q) < 2e-4 * length);
                assert_true(fabs(tension - other) < 2e-3 * size);
            }
        }
    }
    FreeTether(t);
}

// Drag across the cable alone: T is the same everywhere and T dphi/ds = D sin^2 phi, phi the angle to the flow. The pulls of
// both ends together are the drag.
static void a_neutral_span_in_a_current_obeys_its_equation(void** state) {
    (void)state;
    Tether* t = MakeTether(0, NULL, 0.3, 0.004, 1e9);
    const double drag = 3.0;
    g_load = (hwWrapLoad){hwVec3_zero, {drag, 0.0, 0.0}};
    const hwVec3 far[] = {{0.0, 20.0, 0.0}, {6.0, 15.0, 2.0}, {-9.0, 5.0, -3.0}};
    for (int i = 0; i < 3; ++i) {
        double length = 1.2 * hwLength(far[i]);
        hwWrapSpan span;
        hwWrapSpan_Solve(&t->setup, hwVec3_zero, far[i], length, &span);
        assert_true(fabs(span.tension[0] - span.tension[1]) < 1e-9 * span.tension[0]);
        hwVec3 sum = hwVec3_zero, flow = {1.0, 0.0, 0.0};
        const int pieces = 4000;
        hwVec3 last = {0}, first = {0};
        for (int j = 0; j < pieces; ++j) {
            hwVec3 p = hwWrapSpan_GetPoint(&span, length * j / pieces, NULL);
            hwVec3 q = hwWrapSpan_GetPoint(&span, length * (j + 1) / pieces, NULL);
            hwVec3 u = hwNormalize(hwSub(q, p));
            hwVec3 across = hwMulAdd(flow, -hwDot(flow, u), u);
            sum = hwMulAdd(sum, drag * hwLength(across) * hwDistance(p, q), across);
            if (j == 0) first = u;
            last = u;
        }
        hwVec3 pulls = hwAdd(span.pull[0], span.pull[1]);
        // chords of 1/4000 of the length
        assert_true(hwDistance(sum, pulls) < 1e-4 * hwLength(pulls) + 1e-6);
        // tangents from the curve's points agree with those of the forces, to half a chord's turning
        assert_true(hwDistance(first, span.tangent[0]) < 2e-3);
        assert_true(hwDistance(last, span.tangent[1]) < 2e-3);
    }
    FreeTether(t);
}

static void bent_spans_keep_their_length(void** state) {
    (void)state;
    g_load = (hwWrapLoad){{0.0, 0.0, -0.4}, {0.9, 0.2, 0.0}};
    Tether* t = MakeTether(0, NULL, 0.3, 0.004, 1e15); // no stretch
    const hwTetherBend bends[2] = {HW_BEND_VEE, HW_BEND_CATENARY};
    for (int b = 0; b < 2; ++b) {
        t->setup.bend = bends[b];
        for (int i = 0; i < 200; ++i) {
            double s = i / 200.0;
            hwVec3 far = {20.0 * sin(7.0 * s), 17.0 * cos(11.0 * s), 9.0 * sin(29.0 * s)};
            double length = hwLength(far) * (1.0 + 1e-6 + 4.0 * s * s * s);
            hwWrapSpan span;
            hwWrapSpan_Solve(&t->setup, hwVec3_zero, far, length, &span);
            assert_true(fabs(span.shape.length - length) < 1e-9 * length);
            assert_true(hwDistance(hwWrapSpan_GetPoint(&span, length, NULL), far) < 1e-9 * length);
            assert_true(hwLength(hwWrapSpan_GetPoint(&span, 0.0, NULL)) < 1e-9 * length);
        }
    }
    FreeTether(t);
}

// Round a pile 1, 2 and 5 times and back, with slack and without: windings equal those counted from the way flown, the angle
// in contact is that of tangents to a circle and only grows on the way, and nothing is left of it afterwards.
static void a_tether_flown_round_a_pile_and_back_is_free_again(void** state) {
    (void)state;
    const double pile = 0.2, radius = 0.004;
    hwShapeDef shape = MakePile(pile, 0.0, 0.0);
    hwTetherAxis axis = MakeAxis(0.0, 0.0);
    const int rounds[] = {1, 2, 5};
    for (int n = 0; n < 6; ++n) {
        int turns = rounds[n % 3];
        bool slack = n >= 3;
        // the lighter the straighter: sag turns the tangents up and down as well
        g_load = (hwWrapLoad){{0.0, 0.0, slack ? -0.2 : -0.001}, hwVec3_zero};
        Tether* t = MakeTether(1, &shape, 0.2, radius, 1e5);
        hwVec3 a = {-5.0, 0.6, 0.0}, b = {4.0, 0.6, 0.0};
        double away = hwLength(b), from = hwAtan2(b.y, b.x);
        Start(t, a, b, slack ? 14.0 + 1.3 * turns : 9.01);
        hwVec3 start[2] = {t->path.span[0].pull[0], t->path.span[t->path.spanCount - 1].pull[1]};
        const int steps = 120 * turns;
        static hwVec3 flown[4000];
        double before = 0.0;
        for (int i = 0; i <= 2 * steps; ++i) {
            int at = i <= steps ? i : 2 * steps - i;
            double angle = from - 2.0 * HW_PI * at / 120.0;
            hwVec3 now = {away * cos(angle), away * sin(angle), 0.0};
            flown[i] = now;
            // a winch that keeps it from being pulled apart
            if (!slack) t->material[1] = 9.01 + 0.205 * (from - angle);
            Move(t, a, now);
            assert_true(fabs(GetMaterial(t) - t->material[1]) < 1e-9 * t->material[1]);
            assert_int_equal(t->state.lost, 0);
            // closed by the way that was flown, which the tether follows: no turns at all
            static hwVec3 back[4000];
            for (int k = 0; k <= i; ++k) back[k] = flown[i - k];
            hwPolyline way = {i + 1, back};
            if (i % 10 == 0) assert_int_equal(CountTurns(t, &axis, &way), 0);
            double wrap = hwWrapPath_GetAngle(&t->path);
            if (!slack) {
                // tangents from both ends to a circle of the pile's and the cable's radius
                double rho = pile + radius, around = from - angle;
                double straight =
                    acos(rho / away) + acos(rho / hwLength(a)); // angle at the axis without contact
                double between = hwAtan2(a.y, a.x) - from + around;
                double expected = hwFmax(between - straight, 0.0);
                if (expected > 0.1) assert_true(fabs(wrap - expected) < 2.0 * HW_PI / 180.0);
                // monotone, but for what a corner's own turn adds as it comes
                if (i > 0 && i <= steps) assert_true(wrap > before - 0.5 * HW_PI / 180.0);
            }
            before = wrap;
        }
        assert_int_equal(t->path.count, 0);
        // as it was: without slack the lengths are the same to rounding, and so are the forces
        assert_true(hwDistance(t->path.span[0].pull[0], start[0]) < 1e-6 * hwLength(start[0]) + 1e-9);
        assert_true(hwDistance(t->path.span[0].pull[1], start[1]) < 1e-6 * hwLength(start[1]) + 1e-9);
        FreeTether(t);
    }
}

// Pulled at one end, a tether round a pile slips when the pull is e^(friction angle) times what holds the other end, the angle
// that of the geometry, and not before.
static void it_slips_at_the_capstan_ratio(void** state) {
    (void)state;
    const double pile = 0.2, radius = 0.004, friction = 0.3;
    hwShapeDef shape = MakePile(pile, 0.0, 0.0);
    g_load = (hwWrapLoad){{0.0, 0.0, -1e-4}, hwVec3_zero};
    for (int halves = 1; halves <= 5; ++halves) {
        Tether* t = MakeTether(1, &shape, friction, radius, 1e4);
        double rho = pile + radius, angle = HW_PI * halves;
        // along the tangents at the ends of an arc of so many half turns
        hwVec3 a = {-4.0, rho, 0.0};
        Start(t, a, hwMakeVec3(4.0, rho + 0.001, 0.0), 8.005);
        const int steps = 60 * halves;
        hwVec3 b = a;
        for (int i = 0; i <= steps; ++i) {
            double s = angle * i / steps, c = cos(0.5 * HW_PI - s), d = sin(0.5 * HW_PI - s);
            b = hwMakeVec3(rho * c + 4.0 * d, rho * d - 4.0 * c, 0.0);
            t->material[1] = 8.0 - 0.0002 + rho * s;
            Move(t, a, b);
        }
        hwVec3 out = {sin(0.5 * HW_PI - angle), -cos(0.5 * HW_PI - angle), 0.0};
        bool slipped = false;
        for (int i = 1; i <= 400 && !slipped; ++i) {
            Move(t, a, hwMulAdd(b, 2e-4 * i, out));
            double held = t->path.span[0].tension[1], pull = t->path.span[t->path.spanCount - 1].tension[0];
            slipped = t->path.slip[0] == 1;
            double ratio = hwExp(friction * angle);
            if (slipped) {
                assert_true(fabs(pull / held / ratio - 1.0) < 0.02);
            } else {
                assert_true(pull / held < 1.02 * ratio);
            }
        }
        assert_true(slipped);
        FreeTether(t);
    }
}

// However far an end jumps between two updates, the tether is drawn round what lies in the swept area.
static void nothing_is_missed_in_a_jump(void** state) {
    (void)state;
    hwShapeDef piles[2] = {MakePile(0.02, 0.0, 1.2), MakePile(0.3, 3.0, 1.0)};
    g_load = (hwWrapLoad){{0.0, 0.0, -0.01}, hwVec3_zero};
    Tether* t = MakeTether(2, piles, 0.3, 0.004, 1e5);
    hwVec3 a = {-5.0, 0.0, 0.0};
    Start(t, a, hwMakeVec3(5.0, 4.0, 0.0), 20.0);
    assert_int_equal(t->path.count, 0);
    Move(t, a, hwMakeVec3(5.0, -9.0, 0.0)); // past both
    assert_true(t->path.count > 0);
    bool thin = false;
    for (int c = 0; c < t->path.count; ++c) thin = thin || t->state.corners[c].solid == 0;
    assert_true(thin);
    Move(t, a, hwMakeVec3(5.0, 4.0, 0.0));
    assert_int_equal(t->path.count, 0);
    FreeTether(t);
}

// How near the curves themselves come to a solid.
static double GetLeastClearance(const Tether* t) {
    double least = HUGE_VAL;
    for (int k = 0; k < t->path.spanCount; ++k) {
        for (int j = 0; j <= 1000; ++j) {
            hwVec3 p = hwWrapSpan_GetPoint(&t->path.span[k], t->path.span[k].rest * j / 1000.0, NULL);
            least = fmin(least, hwTetherSpace_GetClearance(t->space, p, 10.0, NULL, NULL));
        }
    }
    return least;
}

// A slack span is swept as chords, of which each may be 2 m long: it meets what its curve meets, wherever between two points of the
// chords that is.
static void curves_meet_what_is_between_their_chords(void** state) {
    (void)state;
    const double radius = 0.004;
    g_load = (hwWrapLoad){{0.0, 0.0, -0.05}, {0.01, 0.0, 0.0}};
    double least = HUGE_VAL;
    for (int n = 0; n < 16; ++n) {
        hwShapeDef bar = MakePile(0.05 + 0.01 * (n % 3), -6.0 + 0.74 * n, 0.0);
        bar.pose.p.z = -3.0;
        bar.pose.q = (hwQuat){sqrt(0.5), sqrt(0.5), 0.0, 0.0}; // along y
        Tether* t = MakeTether(1, &bar, 0.3, radius, 5e4);
        hwVec3 a = {-9.7, 0.0, 0.0}, b = {9.7, 0.2, 0.0};
        Start(t, a, b, 20.0);
        for (int i = 0; i < 150; ++i) {
            t->material[1] += 0.08;
            Move(t, a, b);
            least = fmin(least, GetLeastClearance(t));
        }
        assert_true(t->path.count > 0);
        assert_int_equal(t->state.lost, 0);
        FreeTether(t);
    }
    print_message("curves come within %.3f mm of bars, lying on them they are %.3f off\n", 1e3 * least,
                  1e3 * radius);
    assert_true(least > 0.2 * radius);
}

// A bar that is lifted under a slack tether by more than its own size at once, at any place along it, takes it along: it neither goes
// through nor winds it up.
static void a_solid_that_jumps_takes_it_along(void** state) {
    (void)state;
    const double radius = 0.004;
    g_load = (hwWrapLoad){{0.0, 0.0, -0.05}, {0.01, 0.0, 0.0}};
    double least = HUGE_VAL, turns = 0.0;
    for (int n = 0; n < 16; ++n) {
        hwShapeDef bar = MakePile(0.05 + 0.01 * (n % 3), -5.6 + 0.74 * n, -25.0);
        bar.pose.p = hwMakeVec3(bar.pose.p.x, 0.0, -25.0);
        bar.pose.q = (hwQuat){sqrt(0.5), sqrt(0.5), 0.0, 0.0}; // along y
        Tether* t = MakeTether(1, &bar, 0.3, radius, 5e4);
        hwVec3 ends[2] = {{-9.7, 0.0, 0.0}, {9.7, 0.2, 0.0}};
        Start(t, ends[0], ends[1], 29.0);
        hwPose before = hwPose_identity, now = hwPose_identity;
        for (int i = 1; i <= 150; ++i) {
            now.p.z = 0.15 * i;
            hwWrap_UpdateAmong(&t->setup, t->space, &t->state, ends, t->material, &before, &now, t->work,
                               &t->path);
            least = fmin(least, GetLeastClearance(t));
        }
        assert_true(t->path.count > 0);
        assert_int_equal(t->state.lost, 0);
        turns = fmax(turns, hwWrapPath_GetAngle(&t->path));
        FreeTether(t);
    }
    print_message("lifted by bars: %.3f mm off them at least, at most %.2f rad on them\n", 1e3 * least,
                  turns);
    assert_true(least > 0.2 * radius);
    assert_true(turns < HW_PI);
}

// Where two bars that move cross each other, each takes it along, whichever of them is nearer to it.
static void crossing_bars_take_it_along(void** state) {
    (void)state;
    const double radius = 0.004;
    g_load = (hwWrapLoad){{0.0, 0.0, -0.0096}, {0.0147, 0.0121, 0.0}};
    int lost = 0;
    double least = HUGE_VAL;
    for (int n = 0; n < 4; ++n) {
        hwShapeDef bars[2] = {MakePile(0.09, 0.0, 0.0), MakePile(0.11, 0.0, 0.0)};
        bars[0].pose.q = hwNormalizeQuat((hwQuat){0.707, 0.2465, 0.6606, 0.0545});
        bars[1].pose.q = hwNormalizeQuat((hwQuat){0.9048, -0.219, -0.0425, 0.3627});
        const hwVec3 steps[2] = {{-0.0113, -0.0907, 0.0312}, {0.0531, 0.0822, -0.0126}};
        Tether* t = MakeTether(2, bars, 0.38, radius, 5e4);
        hwVec3 ends[2] = {{-9.7, 0.0, 0.0}, {9.7, 0.2, 0.0}};
        hwPose before[2] = {{{0.77, 12.33, -3.57}, {1.0, 0.0, 0.0, 0.0}},
                            {{-6.88, -14.76, 3.22}, {1.0, 0.0, 0.0, 0.0}}};
        hwPose now[2] = {before[0], before[1]};
        for (int k = 0; k < 2; ++k) hwTetherSpace_Place(t->space, k, before[k]);
        Start(t, ends[0], ends[1], 22.2 + 0.05 * n);
        for (int i = 1; i <= 180; ++i) {
            for (int k = 0; k < 2; ++k) now[k].p = hwAdd(now[k].p, steps[k]);
            hwWrap_UpdateAmong(&t->setup, t->space, &t->state, ends, t->material, before, now, t->work,
                               &t->path);
            least = fmin(least, GetLeastClearance(t));
        }
        assert_true(t->path.count > 0);
        lost += t->state.lost;
        FreeTether(t);
    }
    print_message("between crossing bars: lost %d, %.3f mm off them at least\n", lost, 1e3 * least);
    assert_int_equal(lost, 0);
    assert_true(least > 0.2 * radius);
}

// Spans bent once, whose shape jumps where a corner comes or goes: they do not hang into a bar that moves.
static void what_is_bent_once_keeps_off_a_moving_bar(void** state) {
    (void)state;
    const double radius = 0.004;
    g_load = (hwWrapLoad){{0.0, 0.0, -0.088}, {-0.046, -0.0083, 0.0}};
    double least = HUGE_VAL;
    for (int n = 0; n < 8; ++n) {
        hwShapeDef bar = MakePile(0.23, 0.0, 0.0);
        bar.pose.q = hwNormalizeQuat((hwQuat){0.9955, -0.0873, 0.0124, -0.0355});
        Tether* t = MakeTether(1, &bar, 0.47, radius, 5e4);
        t->setup.bend = HW_BEND_VEE;
        hwVec3 ends[2] = {{-9.7, 0.0, 0.0}, {9.7, 0.2, 0.0}}, step = {-0.0485, 0.0207, 0.0404};
        hwPose before = {{4.77, -1.6, -3.17}, {1.0, 0.0, 0.0, 0.0}}, now = before;
        hwTetherSpace_Place(t->space, 0, before);
        Start(t, ends[0], ends[1], 27.2 + 0.1 * n);
        for (int i = 1; i <= 265 && t->state.lost == 0; ++i) {
            now.p = hwAdd(now.p, step);
            hwWrap_UpdateAmong(&t->setup, t->space, &t->state, ends, t->material, &before, &now, t->work,
                               &t->path);
            if (t->state.lost == 0) least = fmin(least, GetLeastClearance(t));
        }
        assert_true(t->path.count > 0);
        FreeTether(t);
    }
    print_message("bent once: %.3f mm off a bar that moves\n", 1e3 * least);
    assert_true(least > 0.2 * radius);
}

// A pile that is driven through where the tether is takes it along, however far it goes in one update.
static void a_solid_that_moves_takes_it_along(void** state) {
    (void)state;
    hwShapeDef shape = MakePile(0.1, 0.0, 0.0);
    g_load = (hwWrapLoad){{0.0, 0.0, -0.01}, hwVec3_zero};
    for (int steps = 1; steps <= 64; steps *= 4) {
        Tether* t = MakeTether(1, &shape, 0.3, 0.004, 1e5);
        hwVec3 ends[2] = {{-5.0, 0.5, 0.0}, {5.0, 0.5, 0.0}};
        Start(t, ends[0], ends[1], 12.0);
        for (int i = 1; i <= steps; ++i) {
            hwPose before = {{0.0, 2.0 * (i - 1) / steps, 0.0}, {1.0, 0.0, 0.0, 0.0}};
            hwPose after = {{0.0, 2.0 * i / steps, 0.0}, {1.0, 0.0, 0.0, 0.0}};
            hwTetherSpace_Place(t->space, 0, after);
            hwWrap_Update(&t->setup, &t->state, ends, t->material, &before, t->work, &t->path);
        }
        // over the far side of the pile: two chords from (5, 0.5) to (0, 2.1)
        assert_true(t->path.count > 0);
        double highest = 0.0;
        for (int c = 0; c < t->path.count; ++c) highest = hwFmax(highest, t->path.point[c + 1].y);
        assert_true(fabs(highest - 2.104) < 0.01);
        assert_true(fabs(GetMaterial(t) - 12.0) < 1e-9);
        FreeTether(t);
    }
}

// A corner slides along a bar to where the tether is shortest, in one way however long that is: straight aside leads into the bar where
// the spans beside it rise by different angles.
static void a_corner_slides_far_along_a_bar(void** state) {
    (void)state;
    hwShapeDef shape = MakePile(0.3, 0.0, 0.0);
    g_load = (hwWrapLoad){{0.0, 0.0, -1e-4}, hwVec3_zero};
    double most = 0.0, off = 0.0;
    for (int n = 0; n < 12; ++n) {
        double rise = 3.0 + n;
        Tether* t = MakeTether(1, &shape, 0.0, 0.004, 5e4);
        hwVec3 a = {-16.0, 0.5, 0.0}, b = {4.0, 0.5, 0.0};
        Start(t, a, b, 20.6);
        for (int i = 1; i <= 20; ++i) Move(t, a, hwMakeVec3(4.0, 0.5 - 0.1 * i, 0.0));
        assert_true(t->path.count > 0);
        b.y = -1.5;
        // the ends go up at once, one of them far; the material is one in a thousand more than the shortest way in the plane into
        // which the pile unfolds
        a.z = 2.0 * rise, b.z = rise;
        double rho = 0.304, da = hypot(a.x, a.y), db = hypot(b.x, b.y);
        double angle = atan2(a.y, a.x) - atan2(b.y, b.x) - acos(rho / da) - acos(rho / db);
        double plan = sqrt(da * da - rho * rho) + sqrt(db * db - rho * rho) + rho * angle;
        t->material[1] = 1.001 * hypot(plan, b.z - a.z);
        for (int i = 0; i < 40; ++i) Move(t, a, b);
        double height = a.z + (b.z - a.z) * sqrt(da * da - rho * rho) / plan; // where it comes to the pile
        assert_true(t->path.count > 0);
        most = fmax(most, t->path.span[0].tension[1]);
        off = fmax(off, fabs(t->path.point[1].z - height));
        FreeTether(t);
    }
    print_message("slid up a pile: %.3g N at most, %.2f m from where it is shortest\n", most, off);
    assert_true(most < 1.0); // 50 N more for every thousandth that it is too short
}

// Slack beyond an arc stays there while friction holds it, and runs over it when it is less than the other side's by more.
static void slack_stays_where_friction_holds_it(void** state) {
    (void)state;
    hwShapeDef shape = MakePile(0.2, 0.0, 0.0);
    g_load = (hwWrapLoad){{0.0, 0.0, -0.5}, hwVec3_zero};
    for (int rough = 0; rough < 2; ++rough) {
        Tether* t = MakeTether(1, &shape, rough ? 2.0 : 0.0, 0.004, 1e5);
        hwVec3 a = {-5.0, 0.0, 0.0};
        Start(t, a, hwMakeVec3(5.0, 1.0, 0.0), 12.0);
        for (int i = 0; i <= 100; ++i) Move(t, a, hwMakeVec3(5.0 - 0.09 * i, 1.0 - 0.06 * i, 0.0));
        assert_true(t->path.count > 0);
        double first = t->path.rest[0];
        for (int i = 0; i <= 100; ++i) Move(t, a, hwMakeVec3(-4.0, -5.0 + 0.02 * i, 0.0));
        double tensions[2] = {t->path.span[0].tension[1], t->path.span[t->path.spanCount - 1].tension[0]};
        if (rough) {
            assert_true(fabs(t->path.rest[0] - first) < 0.05);
        } else { // the same tension on both sides
            assert_true(fabs(tensions[0] - tensions[1]) < 1e-3 * tensions[0]);
            assert_true(fabs(t->path.rest[0] - first) > 0.1);
        }
        FreeTether(t);
    }
}

// Slack behind two arcs with a short span between them: whoever pulls gets it, through both at once.
static void slack_runs_through_a_short_span(void** state) {
    (void)state;
    const hwShapeDef shapes[2] = {MakePile(0.2, 0.0, -0.25), MakePile(0.2, 0.42, 0.25)};
    g_load = (hwWrapLoad){{0.0, 0.0, -1e-5}, hwVec3_zero};
    Tether* t = MakeTether(2, shapes, 0.3, 0.004, 1e6);
    hwVec3 a = {-5.0, -0.2, 0.0}, b = {5.0, -0.2, 0.0};
    Start(t, hwMakeVec3(-5.0, 0.0, 0.0), hwMakeVec3(5.0, 0.0, 0.0), 16.0);
    for (int i = 1; i <= 100; ++i)
        Move(t, hwMakeVec3(-5.0, -0.03 * i, 0.0), hwMakeVec3(5.0 - 0.04 * i, 0.06 * i, 0.0));
    a = hwMakeVec3(-5.0, -3.0, 0.0);
    assert_true(t->path.spanCount >= 3);
    double most = 0.0, out = 0.0;
    for (int i = 0; i < 60; ++i) {
        b = hwMakeVec3(1.0, 6.0 + 0.02 * i, 0.0);
        Move(t, a, b);
        out = 0.0;
        for (int k = 0; k <= t->path.count; ++k) out += hwDistance(t->path.point[k], t->path.point[k + 1]);
        if (out < t->material[1] - 0.05) most = fmax(most, t->path.span[t->path.spanCount - 1].tension[1]);
    }
    print_message("short span between arcs: %.3f of 16 m out, at most %.2g N while there is slack\n", out,
                  most);
    assert_true(out < 16.0); // there is slack yet, whose own tension is below 1e-3 N
    assert_true(most < 1.0);
    FreeTether(t);
}

// Moves two tethers alike, of which one forgets its path before each update: the same bits. Returns how often corners came or went.
static int CompareForgetful(int count, const hwShapeDef* shapes, hwVec3 a, hwVec3 b, double length,
                            hwVec3 swing, int moving) {
    Tether* t[2];
    int changes = 0;
    for (int k = 0; k < 2; ++k) {
        t[k] = MakeTether(count, shapes, 0.3, 0.004, 5e4);
        Start(t[k], a, b, length);
    }
    for (int n = 1; n <= 110; ++n) {
        hwVec3 ends[2] = {a, hwAdd(b, hwMakeVec3(swing.x * sin(0.011 * n), swing.y * sin(0.02 * n),
                                                 swing.z * sin(0.03 * n)))};
        hwPose poses[2][8]; // before, after
        for (int k = 0; k < 2; ++k) {
            double time = hwFmax(n - 56.0 + k, 0.0); // stands still for the first half
            for (int i = 0; i < count; ++i) poses[k][i] = hwPose_identity;
            if (moving >= 0) poses[k][moving].p = hwMakeVec3(0.0, -0.6 * sin(0.03 * time), 0.0);
        }
        int before = t[0]->path.count;
        memset(&t[1]->path, 0, sizeof(t[1]->path));
        for (int k = 0; k < 2; ++k) {
            if (moving >= 0) hwTetherSpace_Place(t[k]->space, moving, poses[1][moving]);
            hwWrap_Update(&t[k]->setup, &t[k]->state, ends, t[k]->material,
                          moving >= 0 && n > 55 ? poses[0] : NULL, t[k]->work, &t[k]->path);
        }
        changes += t[0]->path.count != before;
        const hwWrapState *first = &t[0]->state, *second = &t[1]->state;
        assert_int_equal(first->lost, 0);
        assert_int_equal(first->count, second->count);
        assert_memory_equal(first->corners, second->corners, (size_t)first->count * sizeof(hwWrapCorner));
        assert_memory_equal(first->rest, second->rest, (size_t)(first->count + 1) * sizeof(double));
    }
    for (int k = 0; k < 2; ++k) FreeTether(t[k]);
    return changes;
}

// A path remembers spans, and how near solids are to them, to save work: over a rough ground, and among piles of which one moves.
static void what_a_path_remembers_changes_nothing(void** state) {
    (void)state;
    enum { SIDE = 40 };
    static hwVec3 vertices[(SIDE + 1) * (SIDE + 1)];
    static int triangles[2 * SIDE * SIDE][3];
    int count = 0;
    for (int i = 0; i <= SIDE; ++i) {
        for (int j = 0; j <= SIDE; ++j) {
            double x = 16.0 * i / SIDE - 8.0, y = 16.0 * j / SIDE - 8.0;
            vertices[i * (SIDE + 1) + j] = hwMakeVec3(x, y, 0.5 * sin(1.3 * x) * cos(0.9 * y));
        }
    }
    for (int i = 0; i < SIDE; ++i) {
        for (int j = 0; j < SIDE; ++j) {
            int a = i * (SIDE + 1) + j, b = a + SIDE + 1;
            const int two[2][3] = {{a, b, b + 1}, {a, b + 1, a + 1}};
            for (int k = 0; k < 2; ++k) memcpy(triangles[count++], two[k], sizeof(two[k]));
        }
    }
    hwShapeDef ground = hwDefaultShapeDef(), piles[2] = {MakePile(0.2, -2.0, 0.8), MakePile(0.1, 2.0, -0.6)};
    ground.kind = HW_SHAPE_MESH;
    ground.mesh.vertexCount = (SIDE + 1) * (SIDE + 1);
    ground.mesh.vertices = vertices;
    ground.mesh.triangleCount = count;
    ground.mesh.triangles = (const int(*)[3])triangles;
    g_load = (hwWrapLoad){{0.0, 0.0, -0.1}, {0.05, 0.02, 0.0}};
    hwVec3 a = {-6.0, 0.0, 1.0}, b = {6.0, 0.0, 1.0};
    int over = 0; // of the longer one arcs slide while the spans beside them stay
    for (double length = 13.0; length < 13.3; length += 0.2)
        over += CompareForgetful(1, &ground, a, b, length, hwMakeVec3(-1.0, 2.0, 0.3), -1);
    int among = CompareForgetful(2, piles, a, b, 13.5, hwMakeVec3(-1.5, 3.0, 0.4), 0);
    print_message("corners came or went %d times over the ground, %d times among piles\n", over, among);
    assert_true(over >= 5 && among >= 5);
}

// Nothing that is given makes it fail: through an edge, inside, no length, an open mesh.
static void degenerate_input_is_survived(void** state) {
    (void)state;
    static const hwVec3 vertices[4] = {
        {0.0, -1.0, -3.0}, {0.0, 1.0, -3.0}, {0.0, 1.0, 3.0}, {0.0, -1.0, 3.0}};
    static const int triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    hwShapeDef shapes[3] = {hwDefaultShapeDef(), MakePile(0.5, 4.0, 0.0), hwDefaultShapeDef()};
    shapes[0].kind = HW_SHAPE_MESH; // a sheet: open
    shapes[0].mesh.vertexCount = 4;
    shapes[0].mesh.vertices = vertices;
    shapes[0].mesh.triangleCount = 2;
    shapes[0].mesh.triangles = triangles;
    shapes[2].kind = HW_SHAPE_BOX;
    shapes[2].size = hwMakeVec3(1.0, 1.0, 1.0);
    shapes[2].pose.p = hwMakeVec3(-4.0, 0.0, 0.0);
    g_load = (hwWrapLoad){{0.0, 0.0, -0.1}, hwVec3_zero};
    const hwVec3 starts[][2] = {{{-2.0, 1.0, 0.0}, {2.0, 1.0, 0.0}},  // through an edge of the sheet
                                {{-2.0, 0.0, 0.0}, {2.0, 0.0, 0.0}},  // through it
                                {{-6.0, 0.5, 0.5}, {-2.0, 0.5, 0.5}}, // along an edge of the box
                                {{2.0, 2.0, 0.0}, {4.0, 0.1, 0.0}},   // an end inside the pile
                                {{4.1, 0.0, 0.0}, {3.9, 0.0, 1.0}},   // all of it inside
                                {{1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}}};  // in one place
    const double lengths[] = {1e-6, 2.0, 4.001, 9.0};
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); ++i) {
        for (int k = 0; k < 4; ++k) {
            Tether* t = MakeTether(3, shapes, 0.4, 0.005, 1e4);
            Start(t, starts[i][0], starts[i][1], lengths[k]);
            for (int n = 0; n < 12; ++n) {
                hwVec3 b =
                    hwAdd(starts[i][1], hwMakeVec3(3.0 * sin(0.4 * n), 3.0 * sin(0.7 * n), sin(0.2 * n)));
                Move(t, starts[i][0], b);
                hwVec3 pull = t->path.span[t->path.spanCount - 1].pull[1];
                assert_true(hwIsFiniteVec3(pull));
                // unless it is stretched by what it is wound round
                double taut = 0.0;
                for (int c = 0; c <= t->path.count; ++c)
                    taut += hwDistance(t->path.point[c], t->path.point[c + 1]);
                if (taut < 0.95 * lengths[k]) assert_true(fabs(GetMaterial(t) - lengths[k]) < 1e-9);
                assert_true(isfinite(MeasureCurve(t, 50)));
            }
            FreeTether(t);
        }
    }
}

// Through the ring and back. `length`: m out, 0: 1.05 times the way led. Numbers are those of the way led unless the path is lost.
static void LeadThrough(Tether* t, hwPolyline loop, double length) {
    const hwVec3 way[] = {{5.0, 0.0, 1.5}, {0.0, 0.1, 1.5}, {0.1, 0.0, -2.0}, {5.0, 0.2, -2.0}};
    const hwVec3 boat = {6.0, 0.0, 2.0};
    const hwPolyline none = {0, NULL};
    int most = 0, updates = 0, wrong = 0;
    clock_t start = clock();
    Start(t, boat, way[0], length > 0.0 ? length : 1.05 * hwDistance(boat, way[0]));
    for (int k = 0; k < 6; ++k) {
        hwVec3 a = way[k < 3 ? k : 6 - k], b = way[k < 3 ? k + 1 : 5 - k];
        for (int i = 1; i <= 20; ++i) {
            hwVec3 led[6] = {boat}, at = hwMulAdd(a, i / 20.0, hwSub(b, a));
            int count = 1, last = k < 3 ? k : 5 - k;
            for (int n = 0; n <= last; ++n) led[count++] = way[n];
            led[count++] = at;
            hwPolyline path = {count, led};
            t->material[1] = length > 0.0 ? length : 1.05 * hwTether_GetLength(path);
            Move(t, boat, at);
            updates += 1;
            hwTurnCount turns = hwTether_CountLinking(GetCurve(t), none, loop),
                        flown = hwTether_CountLinking(path, none, loop);
            assert_true(turns.certain);
            if (abs(turns.count) > most) most = abs(turns.count);
            wrong += flown.certain && flown.count != turns.count && t->state.lost == 0;
        }
    }
    print_message("an update of wrap and a count %.3f ms, largest number %d, lost %d\n",
                  1e3 * (double)(clock() - start) / CLOCKS_PER_SEC / updates, most, t->state.lost);
    assert_int_equal(most, 1);
    assert_int_equal(wrong, 0);
}

// A ring of a million triangles: its loop is found, a tether that is led through it and back is counted right at every step, and what
// that takes is told.
static void a_mesh_of_a_million_triangles_is_counted_right(void** state) {
    (void)state;
    enum { ALONG = 1000, ROUND = 500, COUNT = ALONG * ROUND };
    hwVec3* vertices = malloc(COUNT * sizeof(*vertices));
    int(*triangles)[3] = malloc(2 * COUNT * sizeof(*triangles));
    assert_true(vertices != NULL && triangles != NULL);
    for (int i = 0; i < ALONG; ++i) {
        for (int j = 0; j < ROUND; ++j) {
            double u = 2.0 * HW_PI * i / ALONG, v = 2.0 * HW_PI * j / ROUND, out = 3.0 + 0.5 * cos(v);
            int n = (i + 1) % ALONG, m = (j + 1) % ROUND, at = 2 * (i * ROUND + j);
            vertices[i * ROUND + j] = hwMakeVec3(out * cos(u), out * sin(u), 0.5 * sin(v));
            const int two[2][3] = {{i * ROUND + j, n * ROUND + j, n * ROUND + m},
                                   {i * ROUND + j, n * ROUND + m, i * ROUND + m}};
            memcpy(triangles[at], two, sizeof(two));
        }
    }
    hwShapeDef ring = hwDefaultShapeDef();
    ring.kind = HW_SHAPE_MESH;
    ring.mesh = (hwMeshData){COUNT, vertices, 2 * COUNT, (const int(*)[3])triangles};
    hwTetherSolid solid = {&ring, hwPose_identity};
    hwSkeletonDef def = {.solidCount = 1, .solids = &solid, .gap = 0.01};
    hwSkeleton found;
    hwError error;
    clock_t start = clock();
    if (hwSkeleton_Find(&def, NULL, &found, &error) != HW_OK) fail_msg("%s", error.message);
    double skeleton = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_int_equal(found.pieceCount, 1);
    hwPolyline loop = {found.pieces[0].count, found.points + found.pieces[0].first};
    start = clock();
    g_load = (hwWrapLoad){{0.0, 0.0, -0.1}, hwVec3_zero};
    Tether* t = MakeTether(1, &ring, 0.3, 0.005, 1e4);
    double space = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("a million triangles: skeleton in %.2f s, loop of %d corners; space in %.2f s\n", skeleton,
                  loop.count, space);
    // as much out as the way is long, and so much that it lies on the ring in heaps with more spans than there is room for: then it
    // says that its path may be wrong
    LeadThrough(t, loop, 0.0);
    assert_int_equal(t->state.lost, 0);
    LeadThrough(t, loop, 16.0);
    FreeTether(t);
    hwSkeleton_Free(&found, NULL);
    free(vertices);
    free(triangles);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heavy_span_is_the_elastic_catenary),
        cmocka_unit_test(a_neutral_span_in_a_current_obeys_its_equation),
        cmocka_unit_test(bent_spans_keep_their_length),
        cmocka_unit_test(a_tether_flown_round_a_pile_and_back_is_free_again),
        cmocka_unit_test(it_slips_at_the_capstan_ratio),
        cmocka_unit_test(nothing_is_missed_in_a_jump),
        cmocka_unit_test(curves_meet_what_is_between_their_chords),
        cmocka_unit_test(a_solid_that_jumps_takes_it_along),
        cmocka_unit_test(crossing_bars_take_it_along),
        cmocka_unit_test(what_is_bent_once_keeps_off_a_moving_bar),
        cmocka_unit_test(a_solid_that_moves_takes_it_along),
        cmocka_unit_test(a_corner_slides_far_along_a_bar),
        cmocka_unit_test(slack_stays_where_friction_holds_it),
        cmocka_unit_test(slack_runs_through_a_short_span),
        cmocka_unit_test(what_a_path_remembers_changes_nothing),
        cmocka_unit_test(degenerate_input_is_survived),
        cmocka_unit_test(a_mesh_of_a_million_triangles_is_counted_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
