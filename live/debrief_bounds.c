// What went beyond its bound in a flight, for how long and how far: alerts say only when that began.
#include "debrief_internal.h"

#include "hawser/elementary.h"

#include <math.h>

#define SAME_TIME 1.0      // s below the bound that do not make it two times
#define SLACK_DISTANCE 1.0 // m, as in scores

typedef double ReadFn(const hwDebrief* d, int row);

typedef struct Bound {
    const char *name, *unit;
    ReadFn* read;
    double bound;
    int digits;
} Bound;

static double ReadTurns(const hwDebrief* d, int row) {
    return fabs(d->curves[CURVE_TURNS][row]);
}

static double ReadSlack(const hwDebrief* d, int row) {
    double straight = d->curves[CURVE_STRAIGHT][row];
    return straight >= SLACK_DISTANCE ? 100.0 * (d->curves[CURVE_OUT][row] / straight - 1.0) : (double)NAN;
}

static double ReadTension(const hwDebrief* d, int row) {
    return d->curves[CURVE_TENSION][row];
}

static double ReadWrap(const hwDebrief* d, int row) {
    return d->curves[CURVE_WRAP][row] * 180.0 / HW_PI;
}

static double ReadEffort(const hwDebrief* d, int row) {
    return 100.0 * d->curves[CURVE_EFFORT][row];
}

typedef struct Excess {
    int times;
    double total, from, to; // s; from and to are of the longest time
    double most, mostAt;
} Excess;

static Excess FindExcess(const hwDebrief* d, const Bound* b) {
    const double* time = d->curves[CURVE_TIME];
    Excess e = {.most = -(double)INFINITY};
    double begun = 0.0, last = -(double)INFINITY;
    for (int i = 0; i < d->rows; ++i) {
        double value = b->read(d, i);
        if (!(value > b->bound)) continue;
        if (time[i] - last > SAME_TIME) {
            e.times += 1;
            begun = time[i];
        } else {
            e.total += time[i] - last;
        }
        last = time[i];
        if (e.times == 1 && begun == last) e.from = e.to = begun;
        if (last - begun > e.to - e.from) e.from = begun, e.to = last;
        if (value > e.most) e.most = value, e.mostAt = time[i];
    }
    return e;
}

void hwDebrief_PutBounds(FILE* f, const hwDebrief* d) {
    static const Bound bounds[] = {
        {"turns of the vehicle", "", ReadTurns, 1.0, 1},
        {"tether out over the straight way", "%", ReadSlack, 25.0, 0},
        {"tension at the vehicle", "N", ReadTension, 69.0, 0},
        {"wrap angle", "degrees", ReadWrap, 90.0, 0},
        {"thruster effort", "%", ReadEffort, 60.0, 0},
    };
    int listed = 0;
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); ++i) {
        const Bound* b = &bounds[i];
        Excess e = FindExcess(d, b);
        if (e.times == 0) continue;
        if (listed++ == 0)
            fputs("<h3>Beyond the bounds</h3>\n<table class=\"bounds\"><tr><th>what</th><th "
                  "class=\"n\">bound</th><th class=\"n\">times</th><th class=\"n\">in all, s</th><th "
                  "class=\"n\">longest, s</th><th class=\"n\">at most</th><th class=\"n\">at, "
                  "s</th></tr>\n",
                  f);
        fprintf(f,
                "<tr><td>%s</td><td class=\"n\">%.0f %s</td><td class=\"n\">%d</td><td "
                "class=\"n\">%.1f</td><td class=\"n\">%.1f to %.1f</td><td class=\"n\">%.*f %s</td><td "
                "class=\"n\">%.1f</td></tr>\n",
                b->name, b->bound, b->unit, e.times, e.total, e.from, e.to, b->digits, e.most, b->unit,
                e.mostAt);
    }
    fputs(listed > 0 ? "</table>\n" : "<p>Nothing went beyond its bound.</p>\n", f);
}
