// Hints from the rows of a flight.
#include "hawser/hint.h"

#include "base/error.h"
#include "base/memory.h"
#include "hawser/elementary.h"
#include "hawser/math.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define HINTER_COOKIE 0x4857112
#define MOST_AXES 32       // obstacles that are followed
#define MOST_SAMPLES 64    // rows that are remembered: 6.4 s of ten a second
#define MOST_POINTS 1024   // of the way out
#define MOST_SAID 256      // hints that a rewind can take back
#define POINT_SPACING 0.25 // m between points of the way out, doubled when there is no room
#define RATE_TIME 1.0      // s over which rates are taken
#define GROWTH_TIME 5.0    // s over which windings grow
#define SLACK_SHARE 0.25   // of the straight way: the bound of the score's term `slack`
#define SLACK_LEAST 1.5    // m more: a handler leaves a metre to let it hang
#define SLACK_RATE 0.05    // m/s: what is being hauled in faster is minded already
#define SLACK_GOOD 1.15    // times the straight way: the middle of what the score calls right
#define PULL_TIME 2.5 // s: time enough to let go of a stick or to pay out; a handler who minds it is quicker
#define PULL_RATE 0.1 // m/s at which the slack is used up; slower is felt, not a jerk
#define PULL_RESERVE 0.02 // of the length: what sag keeps back before a tether is straight
#define PULL_TENSION 35.0 // N: a quarter of the thrust of a BlueROV2 ahead (137 N)
#define PULL_GROWTH 5.0   // N/s
#define WIND_TURNS 0.55   // about an obstacle: half round it the tether begins to hold
#define WIND_GROWTH 0.1   // turns within GROWTH_TIME
#define WRAP_ANGLE 1.05   // rad of contact, 60 degrees, where no obstacle is watched
#define WRAP_GROWTH 0.35  // rad within GROWTH_TIME
#define YAW_TURNS 1.0     // of the vehicle, as the page's own warning has it
#define YAW_GROWTH 0.1    // turns within GROWTH_TIME
#define HOME_SHARE 0.15   // of the farthest distance, and
#define HOME_LEAST 3.0    // m: nearer to the launch by this the vehicle is on its way back
#define BESIDE 2.5        // m from the way out
#define WAY_LENGTH                                                                                           \
    1.5 // times the straight way, and 2 m: with more tether out at the start it lies elsewhere than the way
#define START_NEAR 3.0 // m from the launch: a new way out begins

static const double g_dwell[HW_HINT_KINDS] = {0.4, 1.0, 1.5,
                                              3.0}; // s that a condition lasts before it is said

typedef struct Axis {
    int turns; // column
    char name[64];
} Axis;

typedef struct Sample {
    double time, straight, length, tension, wrap, turns;
    double around[MOST_AXES];
} Sample;

typedef struct WayPoint {
    double time;
    hwVec3 position;
} WayPoint;

typedef struct Said {
    double time;
    hwHintKind kind;
} Said;

struct hwHinter {
    hwHinterDef def;
    int time, position[3], turns, tension, length, wrap, launch[3]; // columns
    int axisCount;
    Axis axes[MOST_AXES];
    int sampleCount, sampleNext;
    Sample samples[MOST_SAMPLES];
    double since[HW_HINT_KINDS]; // s, since when the condition holds; NaN: it does not
    hwVec3 from;                 // m, the launch in the newest row
    double farthest;             // m from it
    bool homeward, wayKnown, begun;
    int pointCount;
    double spacing; // m
    WayPoint points[MOST_POINTS];
    int saidCount;
    Said said[MOST_SAID];
};

const char* hwHintKind_GetName(hwHintKind kind) {
    static const char* const names[HW_HINT_KINDS] = {
        [HW_HINT_PULL] = "pull",
        [HW_HINT_WINDING] = "winding",
        [HW_HINT_SAME_WAY] = "same_way",
        [HW_HINT_SLACK] = "slack",
    };
    return kind >= 0 && kind < HW_HINT_KINDS ? names[kind] : "";
}

hwHinterDef hwDefaultHinterDef(void) {
    return (hwHinterDef){
        .vehicle = "rov", .cable = "tether", .spacing = 10.0, .repeat = 30.0, .cookie = HINTER_COOKIE};
}

// Making one -----------------------------------------------------------------------------------------------------------

// The obstacle of a channel CABLE.around.NAME.turns (the angle through which the tether runs about it, over a full turn), or
// null; `length` is that of the name.
static const char* FindObstacle(const char* cable, const char* channel, int* length) {
    char begin[160];
    size_t first = (size_t)snprintf(begin, sizeof(begin), "%.140s.around.", cable);
    size_t all = strlen(channel), end = strlen(".turns");
    if (strncmp(channel, begin, first) != 0 || all < first + end + 1 ||
        strcmp(channel + all - end, ".turns") != 0)
        return NULL;
    *length = (int)(all - end - first);
    return channel + first;
}

static void FindAxes(hwHinter* h, int count, const char* const* names) {
    for (int i = 0; i < count && h->axisCount < MOST_AXES; ++i) {
        int length;
        const char* name = FindObstacle(h->def.cable, names[i], &length);
        if (name == NULL) continue;
        Axis* axis = &h->axes[h->axisCount++];
        axis->turns = i;
        snprintf(axis->name, sizeof(axis->name), "%.*s", length, name);
    }
}

// Whose channels, and where their columns are kept.
enum { OF_WORLD, OF_VEHICLE, OF_CABLE };
static const struct {
    int whose;
    const char* quantity;
    size_t column;
} g_needs[] = {{OF_WORLD, "time", offsetof(hwHinter, time)},
               {OF_VEHICLE, "position.x", offsetof(hwHinter, position[0])},
               {OF_VEHICLE, "position.y", offsetof(hwHinter, position[1])},
               {OF_VEHICLE, "position.z", offsetof(hwHinter, position[2])},
               {OF_VEHICLE, "turns", offsetof(hwHinter, turns)},
               {OF_VEHICLE, "tether.tension", offsetof(hwHinter, tension)},
               {OF_CABLE, "length", offsetof(hwHinter, length)},
               {OF_CABLE, "wrap", offsetof(hwHinter, wrap)},
               {OF_CABLE, "node[0].position.x", offsetof(hwHinter, launch[0])},
               {OF_CABLE, "node[0].position.y", offsetof(hwHinter, launch[1])},
               {OF_CABLE, "node[0].position.z", offsetof(hwHinter, launch[2])}};
#define NEED_COUNT (sizeof(g_needs) / sizeof(g_needs[0]))

static void WriteNeed(const hwHinterDef* def, size_t need, char* text, size_t size) {
    const char* const objects[] = {"world", def->vehicle, def->cable};
    snprintf(text, size, "%s.%s", objects[g_needs[need].whose], g_needs[need].quantity);
}

bool hwHinterDef_Needs(const hwHinterDef* def, const char* channel) {
    int length;
    if (FindObstacle(def->cable, channel, &length) != NULL) return true;
    for (size_t i = 0; i < NEED_COUNT; ++i) {
        char text[200];
        WriteNeed(def, i, text, sizeof(text));
        if (strcmp(text, channel) == 0) return true;
    }
    return false;
}

static bool FindColumns(hwHinter* h, int count, const char* const* names, hwError* error) {
    for (size_t i = 0; i < NEED_COUNT; ++i) {
        char text[200];
        int at = 0;
        WriteNeed(&h->def, i, text, sizeof(text));
        while (at < count && strcmp(names[at], text) != 0) at += 1;
        if (at == count) {
            hwFail(error, HW_ERROR_MODEL, NULL, "hints need the channel `%.160s`", text);
            return false;
        }
        memcpy((char*)h + g_needs[i].column, &at, sizeof(at));
    }
    FindAxes(h, count, names);
    return true;
}

static void ForgetConditions(hwHinter* h) {
    h->sampleCount = h->sampleNext = 0;
    for (int i = 0; i < HW_HINT_KINDS; ++i) h->since[i] = (double)NAN;
}

hwHinter* hwCreateHinter(const hwHinterDef* def, int channelCount, const char* const* channels,
                         hwError* error) {
    if (def == NULL || def->cookie != HINTER_COOKIE || def->vehicle == NULL || def->cable == NULL ||
        !(def->spacing >= 0.0) || !(def->repeat >= 0.0)) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL,
               "hints need a def from hwDefaultHinterDef with a vehicle, a cable and times from 0 on");
        return NULL;
    }
    hwAllocator allocator = hwDefaultAllocator();
    hwHinter* h = hwAllocate(&allocator, sizeof(*h));
    if (h == NULL) {
        hwFail_Memory(error, NULL);
        return NULL;
    }
    h->def = *def;
    h->spacing = POINT_SPACING;
    if (!FindColumns(h, channelCount, channels, error)) {
        hwDestroyHinter(h);
        return NULL;
    }
    // texts of the caller's are needed no longer
    h->def.vehicle = h->def.cable = NULL;
    ForgetConditions(h);
    hwClearError(error);
    return h;
}

void hwDestroyHinter(hwHinter* h) {
    if (h == NULL) return;
    hwAllocator allocator = hwDefaultAllocator();
    hwRelease(&allocator, h);
}

// What was ------------------------------------------------------------------------------------------------------------

static hwVec3 ReadVector(const double* row, const int columns[3]) {
    return hwMakeVec3(row[columns[0]], row[columns[1]], row[columns[2]]);
}

static const Sample* AddSample(hwHinter* h, const double* row) {
    Sample* s = &h->samples[h->sampleNext];
    h->sampleNext = (h->sampleNext + 1) % MOST_SAMPLES;
    if (h->sampleCount < MOST_SAMPLES) h->sampleCount += 1;
    *s = (Sample){.time = row[h->time],
                  .straight = hwDistance(ReadVector(row, h->launch), ReadVector(row, h->position)),
                  .length = row[h->length],
                  .tension = row[h->tension],
                  .wrap = row[h->wrap],
                  .turns = row[h->turns]};
    for (int i = 0; i < h->axisCount; ++i) s->around[i] = row[h->axes[i].turns];
    return s;
}

// The newest sample that is at least `age` s old, or the oldest.
static const Sample* FindSample(const hwHinter* h, double now, double age) {
    const Sample* found = NULL;
    for (int i = 1; i <= h->sampleCount; ++i) {
        found = &h->samples[(h->sampleNext - i + MOST_SAMPLES) % MOST_SAMPLES];
        if (now - found->time >= age - 1e-6) break;
    }
    return found;
}

// Conditions -----------------------------------------------------------------------------------------------------------

// The way back is one that was not flown: the tether lies where the vehicle went out, and comes home without a turn round
// anything only there.
static double GetDistanceFromWay(const hwHinter* h, hwVec3 position) {
    double least = (double)INFINITY;
    for (int i = 0; i + 1 < h->pointCount; ++i) {
        hwVec3 a = h->points[i].position, along = hwSub(h->points[i + 1].position, a);
        double square = hwDot(along, along);
        double t = square > 0.0 ? hwClamp(hwDot(hwSub(position, a), along) / square, 0.0, 1.0) : 0.0;
        least = hwFmin(least, hwDistance(position, hwMulAdd(a, t, along)));
    }
    return least;
}

static void KeepPoint(hwHinter* h, double time, hwVec3 position) {
    if (h->pointCount > 0 && hwDistance(h->points[h->pointCount - 1].position, position) < h->spacing) return;
    if (h->pointCount == MOST_POINTS) {
        for (int i = 0; i < MOST_POINTS / 2; ++i) h->points[i] = h->points[2 * i];
        h->pointCount = MOST_POINTS / 2;
        h->spacing *= 2.0;
    }
    h->points[h->pointCount++] = (WayPoint){time, position};
}

static void FollowWay(hwHinter* h, const Sample* now, hwVec3 position) {
    if (!h->begun) h->wayKnown = now->length < WAY_LENGTH * now->straight + 2.0;
    h->begun = true;
    if (now->straight < START_NEAR && h->homeward) {
        h->pointCount = 0;
        h->farthest = 0.0;
        h->spacing = POINT_SPACING;
        h->wayKnown = true;
    }
    h->farthest = hwFmax(h->farthest, now->straight);
    h->homeward = h->farthest - now->straight > hwFmax(HOME_LEAST, HOME_SHARE * h->farthest);
    if (!h->homeward) KeepPoint(h, now->time, position);
}

static bool IsBesideWay(const hwHinter* h, const Sample* now, const double* row, hwHint* hint) {
    if (!h->homeward || !h->wayKnown || (h->axisCount == 0 && !h->def.sameWay)) return false;
    double beside = GetDistanceFromWay(h, ReadVector(row, h->position));
    if (!(beside > BESIDE && isfinite(beside))) return false;
    // who stays at a place is at work there
    if (!(FindSample(h, now->time, RATE_TIME)->straight > now->straight)) return false;
    hint->value = beside;
    snprintf(hint->text, sizeof(hint->text),
             "You are %.0f m beside the way you came. Come back the same way: the tether lies there.",
             beside);
    return true;
}

// Round an obstacle the straight way is no measure, and hauling would tighten it.
static bool IsHeld(const hwHinter* h, const Sample* now) {
    for (int i = 0; i < h->axisCount; ++i) {
        if (fabs(now->around[i]) > WIND_TURNS) return true;
    }
    return now->wrap > WRAP_ANGLE;
}

static bool IsSlack(const hwHinter* h, const Sample* now, hwHint* hint) {
    double loose = now->length - now->straight;
    if (!(loose > SLACK_SHARE * now->straight + SLACK_LEAST && now->straight > 1.0)) return false;
    const Sample* before = FindSample(h, now->time, RATE_TIME);
    if (IsHeld(h, now) || before->length - now->length > SLACK_RATE * (now->time - before->time))
        return false;
    hint->value = loose / now->straight;
    snprintf(hint->text, sizeof(hint->text),
             "The tether is %.0f %% longer than the way. Slack tangles: have %.0f m hauled in.",
             100.0 * hint->value, hwFmax(now->length - SLACK_GOOD * now->straight, 1.0));
    return true;
}

static bool IsPullComing(const hwHinter* h, const Sample* now, hwHint* hint) {
    const Sample* before = FindSample(h, now->time, RATE_TIME);
    double passed = now->time - before->time;
    if (!(passed > 0.5 * RATE_TIME)) return false;
    double loose = now->length - now->straight - PULL_RESERVE * now->length;
    double closing = (now->straight - before->straight - (now->length - before->length)) / passed;
    if (closing > PULL_RATE && loose < PULL_TIME * closing) {
        hint->value = hwFmax(loose / closing, 0.0);
        snprintf(hint->text, sizeof(hint->text),
                 "The tether will be taut in %.0f s. Slow down, or have more paid out.",
                 hwFmax(hint->value, 1.0));
        return true;
    }
    double growth = (now->tension - before->tension) / passed;
    if (!(now->tension > PULL_TENSION && growth > PULL_GROWTH)) return false;
    hint->value = now->tension;
    snprintf(hint->text, sizeof(hint->text),
             "The tether pulls with %.0f N, and more. Stop, and find out what holds it.", now->tension);
    return true;
}

static bool IsWinding(const hwHinter* h, const Sample* now, hwHint* hint) {
    const Sample* before = FindSample(h, now->time, GROWTH_TIME);
    for (int i = 0; i < h->axisCount; ++i) {
        double turns = fabs(now->around[i]);
        if (!(turns > WIND_TURNS && turns - fabs(before->around[i]) > WIND_GROWTH)) continue;
        hint->value = now->around[i];
        snprintf(hint->text, sizeof(hint->text),
                 "The tether is winding round %.50s. Go back the way you came.", h->axes[i].name);
        return true;
    }
    if (h->axisCount == 0 && now->wrap > WRAP_ANGLE && now->wrap - before->wrap > WRAP_GROWTH) {
        hint->value = now->wrap / (2.0 * HW_PI);
        snprintf(hint->text, sizeof(hint->text),
                 "The tether bends by %.0f degrees round something. Go back the way you came.",
                 now->wrap * 180.0 / HW_PI);
        return true;
    }
    double turns = fabs(now->turns);
    if (!(turns > YAW_TURNS && turns - fabs(before->turns) > YAW_GROWTH)) return false;
    hint->value = now->turns;
    snprintf(hint->text, sizeof(hint->text), "%.1f turns are in the tether. Turn back to %s.", turns,
             now->turns > 0.0 ? "port" : "starboard");
    return true;
}

// When ---------------------------------------------------------------------------------------------------------------

static bool MaySay(const hwHinter* h, hwHintKind kind, double time) {
    double least = h->def.repeat, last = -(double)INFINITY;
    for (int i = 0; i < h->saidCount; ++i) {
        if (time - h->said[i].time < h->def.spacing - 1e-6) return false;
        if (h->said[i].kind != kind) continue;
        if (last > -(double)INFINITY) least *= 2.0;
        last = h->said[i].time;
    }
    return time - last >= least - 1e-6;
}

bool hwHinter_AddRow(hwHinter* h, const double* row, hwHint* hint) {
    const Sample* now = AddSample(h, row);
    h->from = ReadVector(row, h->launch);
    FollowWay(h, now, ReadVector(row, h->position));
    hwHint found[HW_HINT_KINDS];
    memset(found, 0, sizeof(found));
    const bool holds[HW_HINT_KINDS] = {
        [HW_HINT_PULL] = IsPullComing(h, now, &found[HW_HINT_PULL]),
        [HW_HINT_WINDING] = IsWinding(h, now, &found[HW_HINT_WINDING]),
        [HW_HINT_SAME_WAY] = IsBesideWay(h, now, row, &found[HW_HINT_SAME_WAY]),
        [HW_HINT_SLACK] = IsSlack(h, now, &found[HW_HINT_SLACK]),
    };
    int chosen = -1;
    for (int i = 0; i < HW_HINT_KINDS; ++i) {
        if (!holds[i]) h->since[i] = (double)NAN;
        if (holds[i] && isnan(h->since[i])) h->since[i] = now->time;
        bool lasts = holds[i] && now->time - h->since[i] >= g_dwell[i] - 1e-6;
        if (chosen < 0 && lasts && MaySay(h, (hwHintKind)i, now->time)) chosen = i;
    }
    if (chosen < 0 || h->saidCount == MOST_SAID) return false;
    *hint = found[chosen];
    hint->time = now->time;
    hint->kind = (hwHintKind)chosen;
    h->said[h->saidCount++] = (Said){now->time, hint->kind};
    return true;
}

void hwHinter_Rewind(hwHinter* h, double time) {
    while (h->saidCount > 0 && h->said[h->saidCount - 1].time > time) h->saidCount -= 1;
    while (h->pointCount > 0 && h->points[h->pointCount - 1].time > time) h->pointCount -= 1;
    h->farthest = 0.0;
    h->homeward = false;
    for (int i = 0; i < h->pointCount; ++i)
        h->farthest = hwFmax(h->farthest, hwDistance(h->from, h->points[i].position));
    ForgetConditions(h);
}
