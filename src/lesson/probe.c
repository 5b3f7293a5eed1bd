#include "lesson/probe.h"

#include "base/random.h"
#include "hawser/elementary.h"

#include <math.h>
#include <string.h>

#define TURN (2.0 * HW_PI)
#define DEPTH_SCALE 1.0 // m: as far off is worth nothing
#define HEADING_SCALE (20.0 * HW_PI / 180.0)
#define TURNS_SCALE 0.5
#define LENGTH_SCALE 0.15 // of the length
#define CLOCK_SCALE 1.5   // hours
#define TAUT_SLACK 0.05   // of the straight distance
#define LOOSE_SLACK 0.25  // likewise
#define WOUND_TURNS 0.5   // turns of the vehicle that are worth unwinding
#define ADVANCE 5.0       // m
#define BEARING_REACH 1.0 // m of tether at the vehicle whose direction counts
#define SKETCH_POINTS 50  // at which sketch and tether are compared
#define SKETCH_SCALE 0.1  // of the length

static const int g_levels[HW_PROBE_ITEM_COUNT] = {1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3};

int hwProbeItem_GetLevel(hwProbeItem item) {
    return item >= 0 && item < HW_PROBE_ITEM_COUNT ? g_levels[item] : 0;
}

const char* hwProbeItem_GetName(hwProbeItem item) {
    static const char* const names[HW_PROBE_ITEM_COUNT] = {
        [HW_PROBE_DEPTH] = "depth",     [HW_PROBE_HEADING] = "heading", [HW_PROBE_TURNS] = "turns",
        [HW_PROBE_LENGTH] = "length",   [HW_PROBE_BEARING] = "bearing", [HW_PROBE_TOUCHES] = "touches",
        [HW_PROBE_SLACK] = "slack",     [HW_PROBE_SKETCH] = "sketch",   [HW_PROBE_UNWIND] = "unwind",
        [HW_PROBE_ADVANCE] = "advance", [HW_PROBE_SNAG] = "snag",
    };
    return item >= 0 && item < HW_PROBE_ITEM_COUNT ? names[item] : "";
}

// Planning -------------------------------------------------------------------------------------------------------------

static bool IsPossible(const hwLessonProbes* def, bool tether, hwProbeItem item) {
    switch (item) {
    case HW_PROBE_DEPTH:
    case HW_PROBE_HEADING:
    case HW_PROBE_TURNS:
    case HW_PROBE_UNWIND:
        return true;
    case HW_PROBE_SNAG:
        return tether && def->obstacleCount > 0;
    default:
        return tether;
    }
}

// The items of a level in an order of chance (Fisher and Yates).
static int ShuffleItems(const hwLessonProbes* def, bool tether, int level, hwRandom* random,
                        hwProbeItem* items) {
    int count = 0;
    for (int i = 0; i < HW_PROBE_ITEM_COUNT; ++i) {
        if (g_levels[i] == level && IsPossible(def, tether, (hwProbeItem)i)) items[count++] = (hwProbeItem)i;
    }
    for (int i = count - 1; i > 0; --i) {
        int k = (int)(hwRandom_Uniform(random) * (i + 1));
        hwProbeItem held = items[i];
        items[i] = items[k];
        items[k] = held;
    }
    return count;
}

void hwProbes_Plan(const hwLessonProbes* def, bool tether, hwProbe* probes) {
    hwRandom random = {def->seed};
    double time = 0.0;
    for (int k = 0; k < def->count; ++k) {
        hwProbe* probe = &probes[k];
        memset(probe, 0, sizeof(*probe));
        time += (k == 0 ? def->first : def->spacing) + def->spread * hwRandom_Uniform(&random);
        probe->time = time;
        hwProbeItem items[3][HW_PROBE_ITEM_COUNT];
        int counts[3], taken[3] = {0, 0, 0};
        for (int level = 0; level < 3; ++level)
            counts[level] = ShuffleItems(def, tether, level + 1, &random, items[level]);
        // a level after the other, so that each has its share
        for (bool any = true; any && probe->itemCount < def->questions;) {
            any = false;
            for (int level = 0; level < 3 && probe->itemCount < def->questions; ++level) {
                if (taken[level] == counts[level]) continue;
                probe->items[probe->itemCount++] = items[level][taken[level]++];
                any = true;
            }
        }
    }
}

// Lines ----------------------------------------------------------------------------------------------------------------

int hwProbe_CountTurns(int count, const double* plan, double x, double y) {
    if (count < 2) return 0;
    double sum = 0.0;
    for (int i = 0; i <= count - 1; ++i) {
        // from the last point straight back to the first: a closed line, whose angles add up to whole turns
        const double *a = plan + 2 * i, *b = plan + 2 * ((i + 1) % count);
        double ax = a[0] - x, ay = a[1] - y, bx = b[0] - x, by = b[1] - y;
        sum += hwAtan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    return (int)floor(sum / TURN + 0.5);
}

// Points at equal shares of a line's length.
static bool SpreadSketch(int count, const double* line, double out[SKETCH_POINTS][2]) {
    double length = 0.0;
    for (int i = 0; i + 1 < count; ++i)
        length += hwHypot(line[2 * i + 2] - line[2 * i], line[2 * i + 3] - line[2 * i + 1]);
    if (count < 2 || !(length > 0.0) || !isfinite(length)) return false;
    int at = 0;
    double before = 0.0, piece = hwHypot(line[2] - line[0], line[3] - line[1]);
    for (int k = 0; k < SKETCH_POINTS; ++k) {
        double wanted = length * k / (SKETCH_POINTS - 1);
        while (at + 2 < count && before + piece < wanted) {
            before += piece;
            at += 1;
            piece = hwHypot(line[2 * at + 2] - line[2 * at], line[2 * at + 3] - line[2 * at + 1]);
        }
        double share = piece > 0.0 ? hwFmin((wanted - before) / piece, 1.0) : 0.0;
        for (int i = 0; i < 2; ++i) {
            double a = line[2 * at + i], b = line[2 * at + 2 + i];
            out[k][i] = a + share * (b - a);
        }
    }
    return true;
}

// Mean distance of two lines at equal shares of their lengths, m; NaN: one of them is none.
static double GetMeanError(int countA, const double* a, int countB, const double* b) {
    double pointsA[SKETCH_POINTS][2], pointsB[SKETCH_POINTS][2], sum = 0.0;
    if (!SpreadSketch(countA, a, pointsA) || !SpreadSketch(countB, b, pointsB)) return (double)NAN;
    for (int k = 0; k < SKETCH_POINTS; ++k)
        sum += hwHypot(pointsA[k][0] - pointsB[k][0], pointsA[k][1] - pointsB[k][1]);
    return sum / SKETCH_POINTS;
}

// The tether from above: x and y of its nodes.
static int GetPlan(const hwProbeTruth* truth, double* plan) {
    int count = truth->nodeCount < HW_PROBE_MAX_POINTS ? truth->nodeCount : HW_PROBE_MAX_POINTS;
    for (int i = 0; i < count; ++i) {
        // a tether with more nodes than a sketch has points is thinned, its ends kept
        int node = truth->nodeCount <= count || count < 2
                       ? i
                       : (int)((int64_t)i * (truth->nodeCount - 1) / (count - 1));
        plan[2 * i] = truth->nodes[node].x;
        plan[2 * i + 1] = truth->nodes[node].y;
    }
    return count;
}

// The tether from the side: horizontal distance from the launch, and height.
static int GetElevation(const hwProbeTruth* truth, double* elevation) {
    int count = truth->nodeCount < HW_PROBE_MAX_POINTS ? truth->nodeCount : HW_PROBE_MAX_POINTS;
    for (int i = 0; i < count; ++i) {
        int node = truth->nodeCount <= count || count < 2
                       ? i
                       : (int)((int64_t)i * (truth->nodeCount - 1) / (count - 1));
        hwVec3 away = hwSub(truth->nodes[node], truth->launch);
        elevation[2 * i] = hwHypot(away.x, away.y);
        elevation[2 * i + 1] = truth->nodes[node].z;
    }
    return count;
}

// ½·exp(-mean error / (0.1·length)) + ½·(share of the obstacles that the sketch passes as the tether does): TRAINER §5. Mean
// of plan and elevation; without obstacles the first term alone.
static double JudgeSketch(const hwLessonProbes* def, const hwProbeTruth* truth, const hwProbeAnswer* answer) {
    double line[2 * HW_PROBE_MAX_POINTS];
    int count = GetElevation(truth, line);
    double elevation = GetMeanError(count, line, answer->elevationCount, answer->elevation);
    count = GetPlan(truth, line);
    double plan = GetMeanError(count, line, answer->planCount, answer->plan);
    double scale = SKETCH_SCALE * hwFmax(truth->length, 1.0);
    // a line that was not drawn earns nothing
    double shape = 0.5 * (isnan(plan) ? 0.0 : hwExp(-plan / scale)) +
                   0.5 * (isnan(elevation) ? 0.0 : hwExp(-elevation / scale));
    if (def->obstacleCount == 0) return shape;
    int right = 0;
    for (int i = 0; i < def->obstacleCount; ++i) {
        double x = def->obstacles[i].position.x, y = def->obstacles[i].position.y;
        int so = hwProbe_CountTurns(count, line, x, y);
        int drawn = hwProbe_CountTurns(answer->planCount, answer->plan, x, y);
        right += answer->planCount >= 2 && (so > 0) - (so < 0) == (drawn > 0) - (drawn < 0);
    }
    return 0.5 * shape + 0.5 * right / def->obstacleCount;
}

// Truth ----------------------------------------------------------------------------------------------------------------

// Where the tether leaves the vehicle, hours of a clock with the bow at twelve.
static double GetClock(const hwProbeTruth* truth) {
    hwVec3 end = truth->position;
    for (int i = truth->nodeCount - 1; i >= 0; --i) {
        hwVec3 away = hwSub(truth->nodes[i], end);
        if (hwHypot(away.x, away.y) < BEARING_REACH && i > 0) continue;
        // headings go clockwise from north (x), y is to the west
        double bearing = hwAtan2(-away.y, away.x) - truth->heading;
        double hours = 12.0 * bearing / TURN;
        hours -= 12.0 * floor(hours / 12.0);
        return hours;
    }
    return (double)NAN;
}

static double GetSlack(const hwProbeTruth* truth) {
    double straight = hwDistance(truth->position, truth->launch);
    return straight > 0.0 ? truth->length / straight - 1.0 : (double)INFINITY;
}

static double FindSnag(const hwLessonProbes* def, const hwProbeTruth* truth) {
    double plan[2 * HW_PROBE_MAX_POINTS];
    int count = GetPlan(truth, plan), nearest = -1;
    double best = 0.0;
    for (int i = 0; i < def->obstacleCount; ++i) {
        hwVec3 at = def->obstacles[i].position;
        if (hwProbe_CountTurns(count, plan, at.x, at.y) == 0) continue;
        double away = hwHypot(at.x - truth->launch.x, at.y - truth->launch.y);
        if (nearest < 0 || away < best) nearest = i, best = away;
    }
    return nearest;
}

double hwProbe_GetTruth(const hwLessonProbes* def, const hwProbeTruth* truth, hwProbeItem item) {
    double heading = truth->heading, slack;
    switch (item) {
    case HW_PROBE_DEPTH:
        return truth->depth;
    case HW_PROBE_HEADING:
        return heading * 180.0 / HW_PI;
    case HW_PROBE_TURNS:
        return truth->turns;
    case HW_PROBE_LENGTH:
        return truth->length;
    case HW_PROBE_BEARING:
        return GetClock(truth);
    case HW_PROBE_TOUCHES:
        return truth->touches ? 1.0 : 0.0;
    case HW_PROBE_SLACK:
        slack = GetSlack(truth);
        return slack < TAUT_SLACK ? 0.0 : (slack <= LOOSE_SLACK ? 1.0 : 2.0);
    case HW_PROBE_UNWIND:
        if (fabs(truth->turns) < WOUND_TURNS) return 0.0;
        return truth->turns > 0.0 ? -1.0 : 1.0;
    case HW_PROBE_ADVANCE: {
        hwVec3 ahead = hwMakeVec3(ADVANCE * hwCos(heading), -ADVANCE * hwSin(heading), 0.0);
        return hwDistance(hwAdd(truth->position, ahead), truth->launch) <= truth->length ? 1.0 : 0.0;
    }
    case HW_PROBE_SNAG:
        return FindSnag(def, truth);
    default:
        return (double)NAN;
    }
}

static double ScoreNear(double off, double scale) {
    return hwFmax(1.0 - fabs(off) / scale, 0.0);
}

// The difference of two values on a circle, at most half of it.
static double DifferenceOnCircle(double a, double b, double circle) {
    double off = a - b;
    return off - circle * floor(off / circle + 0.5);
}

double hwProbe_Judge(const hwLessonProbes* def, const hwProbeTruth* truth, hwProbeItem item,
                     const hwProbeAnswer* answer) {
    if (item == HW_PROBE_SKETCH) return JudgeSketch(def, truth, answer);
    double given = answer->values[item], so = hwProbe_GetTruth(def, truth, item);
    if (!isfinite(given) || !isfinite(so)) return 0.0;
    switch (item) {
    case HW_PROBE_DEPTH:
        return ScoreNear(given - so, DEPTH_SCALE);
    case HW_PROBE_HEADING:
        return ScoreNear(DifferenceOnCircle(given, so, 360.0) * HW_PI / 180.0, HEADING_SCALE);
    case HW_PROBE_TURNS:
        return ScoreNear(given - so, TURNS_SCALE);
    case HW_PROBE_LENGTH:
        return ScoreNear(given - so, LENGTH_SCALE * hwFmax(so, 1.0));
    case HW_PROBE_BEARING:
        return ScoreNear(DifferenceOnCircle(given, so, 12.0), CLOCK_SCALE);
    default:
        return given == so ? 1.0 : 0.0;
    }
}
