// Range graphs along cables.
#include "base/error.h"
#include "base/memory.h"
#include "hawser/cable.h"
#include "hawser/elementary.h"
#include "hawser/ranges.h"
#include "hawser/statistics.h"

#include <math.h>
#include <string.h>

enum { TENSION, CURVATURE, CLEARANCE, QUANTITIES };

// One quantity at one station.
typedef struct Tally {
    double min, max, integral;
    double y[3]; // at the cable's last times, the newest last; NaN: the station was not out
} Tally;

// Rainflow counts of the stress at points round a station's circumference.
enum { POINTS = 8 };

typedef struct Fatigue {
    int points; // 0: not counted; 1: tension alone
    double tensionStress, bendingStress;
    hwFatigueCurve curve;
    hwRainflow* flows[POINTS];
    double damage[POINTS];
    int held; // of the last three times and stresses at each point; all but the newest have been counted
    double times[3], stresses[3][POINTS];
    hwVec3 across; // unit, across the cable: where the first point is; turns with the cable, not about it
} Fatigue;

typedef struct CableRanges {
    hwCableId id;
    char name[128];
    int first, count;   // stations
    int looks;          // times taken so far, at most 3
    double times[3];    // s, the newest last
    hwVec3* curvatures; // of its nodes now
    double* clearances; // likewise
} CableRanges;

struct hwRanges {
    hwAllocator allocator;
    int cableCount, stationCount;
    CableRanges* cables;
    hwRangeStation* stations;
    double* radii;  // m, of the cable at each station
    double* starts; // m, where each station begins; the next one's, or the last's end, is its end
    double* ends;
    Tally (*tallies)[QUANTITIES];
    hwVec3* curvatures; // [cable][node], what the cables' own lead to
    double* clearances; // likewise
    Fatigue* fatigue;   // of each station
    bool exhausted;     // out of memory while stations were laid out
};

// Pieces of about this many times the cable's elements at most, so that a drum of kilometres has no more.
static const int g_mostExtra = 20000;

// Metres that winches may pay out at an end.
static double FindReserve(const hwWorld* world, hwCableId cable, int end, double length) {
    double reserve = 0.0;
    int count = hwWorld_GetWinches(world, 0, NULL);
    const hwAllocator allocator = hwDefaultAllocator();
    hwWinchId* winches = hwAllocate(&allocator, (size_t)(count > 0 ? count : 1) * sizeof(hwWinchId));
    if (winches == NULL) return 0.0;
    hwWorld_GetWinches(world, count, winches);
    for (int i = 0; i < count; ++i) {
        const hwWinchDef* def = hwWinch_GetDef(world, winches[i]);
        if (def == NULL || def->end != end || !HW_SAME_ID(def->cable, cable)) continue;
        double longest = def->longest > 0.0 ? def->longest : 2.0 * length;
        longest = hwFmax(longest, length + hwCable_GetDef(world, cable)->reserve[end]);
        reserve = hwFmax(reserve, longest - length);
    }
    hwRelease(&allocator, winches);
    return reserve;
}

static int CountExtra(double reserve, double element) {
    double count = element > 0.0 ? ceil(reserve / element - 1e-9) : 0.0;
    return count > g_mostExtra ? g_mostExtra : count > 0.0 ? (int)count : 0;
}

static const hwCableSectionDef* FindSection(const hwCableDef* def, double arc) {
    int i = 0;
    for (double end = def->sections[0].length; i + 1 < def->sectionCount && arc > end;
         end += def->sections[i].length)
        i += 1;
    return &def->sections[i];
}

static void SetStation(hwRanges* r, int index, const hwCableDef* def, double start, double end) {
    const hwCableSectionDef* section = FindSection(def, 0.5 * (start + end));
    hwRangeStation* s = &r->stations[index];
    double* numbers = (double*)s;
    for (int k = 0; k < HW_RANGE_COLUMNS; ++k) numbers[k] = (double)NAN;
    s->arc = 0.5 * (start + end);
    s->breakTension = section->breakTension;
    s->bendRadius = section->bendRadius;
    r->radii[index] = 0.5 * section->diameter;
    r->starts[index] = start;
    r->ends[index] = end;
    const hwCableFatigueDef* given = &section->fatigue;
    if (given->slope > 0.0) {
        Fatigue* f = &r->fatigue[index];
        f->points = given->bendingStress > 0.0 ? POINTS : 1;
        f->tensionStress = given->tensionStress;
        f->bendingStress = given->bendingStress;
        f->curve = hwDefaultFatigueCurve();
        f->curve.slope = given->slope;
        f->curve.logA = given->logA;
        if (given->kneeLife > 0.0) f->curve.kneeLife = given->kneeLife;
        if (given->kneeLife > 0.0) f->curve.kneeSlope = given->kneeSlope;
        bool good = true;
        for (int k = 0; k < f->points; ++k) {
            f->flows[k] = hwCreateRainflow();
            good = good && f->flows[k] != NULL;
        }
        if (!good) r->exhausted = true;
        s->damage = 0.0;
    }
    for (int q = 0; q < QUANTITIES; ++q)
        r->tallies[index][q] = (Tally){HUGE_VAL, -HUGE_VAL, 0.0, {(double)NAN, (double)NAN, (double)NAN}};
}

// Stations of one cable; counts them alone while there is no memory yet. Materials of the nodes are arc lengths from where end
// a was.
static void LayOutCable(hwRanges* r, const hwWorld* world, hwCableId id, int number) {
    hwCableView view;
    if (hwCable_GetView(world, id, &view, NULL) != HW_OK || view.elementCount < 1) return;
    const hwCableDef* def = hwCable_GetDef(world, id);
    const double* m = view.materials;
    int n = view.elementCount;
    double before = m[1] - m[0], after = m[n] - m[n - 1];
    double reserves[2] = {FindReserve(world, id, 0, view.length), FindReserve(world, id, 1, view.length)};
    int extra[2] = {CountExtra(reserves[0], before), CountExtra(reserves[1], after)};
    if (r->stations != NULL) {
        CableRanges* cable = &r->cables[number];
        cable->id = id;
        strncpy(cable->name, hwCable_GetName(world, id), sizeof(cable->name) - 1);
        cable->first = r->stationCount;
        cable->count = extra[0] + n + extra[1];
        double sides[2] = {extra[0] > 0 ? reserves[0] / extra[0] : 0.0,
                           extra[1] > 0 ? reserves[1] / extra[1] : 0.0};
        int index = cable->first;
        for (int k = extra[0]; k > 0; --k)
            SetStation(r, index++, def, m[0] - k * sides[0], m[0] - (k - 1) * sides[0]);
        for (int k = 0; k < n; ++k) SetStation(r, index++, def, m[k], m[k + 1]);
        for (int k = 0; k < extra[1]; ++k)
            SetStation(r, index++, def, m[n] + k * sides[1], m[n] + (k + 1) * sides[1]);
    }
    r->stationCount += extra[0] + n + extra[1];
}

hwRanges* hwCreateRanges(const hwWorld* world, hwError* error) {
    const hwAllocator allocator = hwDefaultAllocator();
    int cables = hwWorld_GetCables(world, 0, NULL);
    hwRanges* r = hwAllocate(&allocator, sizeof(hwRanges));
    hwCableId* ids = hwAllocate(&allocator, (size_t)(cables + 1) * sizeof(hwCableId));
    bool good = r != NULL && ids != NULL;
    if (good) {
        r->allocator = allocator;
        r->cableCount = cables;
        hwWorld_GetCables(world, cables, ids);
        r->cables = hwAllocate(&allocator, (size_t)(cables + 1) * sizeof(CableRanges));
        for (int i = 0; i < cables; ++i) LayOutCable(r, world, ids[i], i);
        size_t count = (size_t)r->stationCount + 1;
        size_t nodes = 4 * (size_t)r->stationCount + 16 * (size_t)cables + 1;
        r->radii = hwAllocate(&allocator, count * sizeof(double));
        r->starts = hwAllocate(&allocator, count * sizeof(double));
        r->ends = hwAllocate(&allocator, count * sizeof(double));
        r->tallies = hwAllocate(&allocator, count * sizeof(*r->tallies));
        r->curvatures = hwAllocate(&allocator, nodes * sizeof(hwVec3));
        r->fatigue = hwAllocate(&allocator, count * sizeof(Fatigue));
        r->clearances = hwAllocate(&allocator, nodes * sizeof(double));
        r->stations = hwAllocate(&allocator, count * sizeof(hwRangeStation));
        good = r->cables && r->radii && r->starts && r->ends && r->tallies && r->curvatures &&
               r->clearances && r->fatigue && r->stations;
    }
    if (good) {
        r->stationCount = 0;
        for (int i = 0; i < cables; ++i) {
            LayOutCable(r, world, ids[i], i);
            r->cables[i].curvatures = r->curvatures + 4 * r->cables[i].first + 16 * i;
            r->cables[i].clearances = r->clearances + 4 * r->cables[i].first + 16 * i;
        }
        good = !r->exhausted;
    }
    hwRelease(&allocator, ids);
    if (good) return r;
    hwDestroyRanges(r);
    hwFail_Memory(error, NULL);
    return NULL;
}

void hwDestroyRanges(hwRanges* ranges) {
    if (ranges == NULL) return;
    const hwAllocator allocator = ranges->allocator;
    for (int i = 0; ranges->fatigue != NULL && i < ranges->stationCount; ++i) {
        for (int k = 0; k < POINTS; ++k) hwDestroyRainflow(ranges->fatigue[i].flows[k]);
    }
    void* blocks[] = {ranges->cables,  ranges->stations,   ranges->radii,      ranges->starts,  ranges->ends,
                      ranges->tallies, ranges->curvatures, ranges->clearances, ranges->fatigue, ranges};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); ++i) hwRelease(&allocator, blocks[i]);
}

static double SlopeBetween(double t0, double y0, double t1, double y1) {
    return t1 > t0 ? (y1 - y0) / (t1 - t0) : (double)NAN;
}

// Between two steps a value is y1 + slope (x - t1) + bend (x - t1) (x - t2) with the smaller one of the bends that the steps before
// and after suggest, and straight where these disagree or values jumped at an event, as for channels (hawser/extremes.h). The
// peak within, where it has one: a wire that is slack for a moment does not push, so where no value is below (above) zero a
// piece that would be is straight too.
typedef struct Piece {
    double bend;
    bool peaks;
    double peak;
} Piece;

// Between the last two of three times and values, now that the value after them is known.
static Piece MakePiece(const double t[3], const double y[3], double time, double value, double min,
                       double max) {
    Piece piece = {0.0, false, 0.0};
    double slope = SlopeBetween(t[1], y[1], t[2], y[2]);
    double before = (slope - SlopeBetween(t[0], y[0], t[1], y[1])) / (t[2] - t[0]);
    double after = (SlopeBetween(t[2], y[2], time, value) - slope) / (time - t[1]);
    if (!(before * after > 0.0)) return piece;
    piece.bend = fabs(before) < fabs(after) ? before : after;
    double at = 0.5 * (t[1] + t[2]) - 0.5 * slope / piece.bend;
    if (!(at > t[1] && at < t[2])) return piece;
    piece.peak = y[1] + (at - t[1]) * (slope + piece.bend * (at - t[2]));
    piece.peaks = (piece.peak >= 0.0 || min < 0.0) && (piece.peak <= 0.0 || max > 0.0);
    if (!piece.peaks) piece.bend = 0.0;
    return piece;
}

static void Tally_Widen(Tally* tally, double value) {
    tally->min = hwFmin(tally->min, value);
    tally->max = hwFmax(tally->max, value);
}

// Takes the value at a time, which may be that of the last look again: at an event, where values jump.
static void Tally_Note(Tally* tally, const CableRanges* cable, double time, double value) {
    int last = cable->looks - 1;
    const double* t = cable->times;
    bool again = last >= 0 && !(time > t[last]);
    if (!isnan(value)) {
        Tally_Widen(tally, value);
        if (!again && last >= 0 && !isnan(tally->y[last]))
            tally->integral += 0.5 * (tally->y[last] + value) * (time - t[last]);
        if (!again && last == 2) {
            Piece piece = MakePiece(t, tally->y, time, value, tally->min, tally->max);
            double h = t[2] - t[1];
            if (piece.bend != 0.0) tally->integral -= piece.bend * h * h * h / 6.0;
            if (piece.peaks) Tally_Widen(tally, piece.peak);
        }
    }
    if (!again && last == 2) memmove(tally->y, tally->y + 1, 2 * sizeof(double));
    tally->y[again || last == 2 ? last : last + 1] = value;
}

// `time`: s that the station was out; `value`: what it has now.
static void Tally_Tell(const Tally* tally, double time, double value, double* min, double* mean,
                       double* max) {
    if (!(tally->max >= tally->min)) return; // never known
    *min = tally->min;
    *max = tally->max;
    *mean = time > 0.0 ? tally->integral / time : value;
}

// The element whose material holds `at`, searched onwards from the last one found; -1: none.
static int FindElement(const hwCableView* view, double at, int from) {
    if (at < view->materials[0] || at > view->materials[view->nodeCount - 1]) return -1;
    int e = from;
    while (e + 1 < view->elementCount && at > view->materials[e + 1]) e += 1;
    return e;
}

// Payout may leave more nodes than stations are long: elements have half their length at least.
static int GetNodeCapacity(const CableRanges* cable) {
    return 4 * cable->count + 16;
}

static void FillNodes(CableRanges* r, const hwWorld* world, const hwCableView* view) {
    if (hwCable_GetCurvatures(world, r->id, view->nodeCount, r->curvatures, NULL) != HW_OK) {
        for (int i = 0; i < view->nodeCount; ++i)
            r->curvatures[i] = (hwVec3){(double)NAN, (double)NAN, (double)NAN};
    }
    for (int i = 0; i < view->nodeCount; ++i) {
        double bottom = hwWorld_GetSeabed(world, view->positions[i].x, view->positions[i].y, NULL);
        r->clearances[i] = isfinite(bottom) ? view->positions[i].z - bottom : (double)NAN;
    }
}

typedef struct DamageSum {
    const hwFatigueCurve* curve;
    double sum;
} DamageSum;

static void AddDamage(const hwRainflowCycle* cycle, void* context) {
    DamageSum* damage = context;
    damage->sum += cycle->count / hwFatigueCurve_GetLife(damage->curve, cycle->range);
}

static void CountStress(Fatigue* f, hwRangeStation* s, int point, double stress) {
    DamageSum damage = {&f->curve, 0.0};
    hwRainflow_Add(f->flows[point], stress, AddDamage, &damage);
    f->damage[point] += damage.sum;
    s->damage = hwFmax(s->damage, f->damage[point]);
}

// Counts the peak between the last two stresses, where one is, now that the stress after them is known.
static void CountPeak(Fatigue* f, hwRangeStation* s, int point, double time, double stress) {
    const double x[3] = {f->stresses[0][point], f->stresses[1][point], f->stresses[2][point]};
    // of tension alone: a wire that is slack for a moment does not push
    bool tension = f->points == 1 && x[0] >= 0.0 && x[1] >= 0.0 && x[2] >= 0.0 && stress >= 0.0;
    Piece piece = MakePiece(f->times, x, time, stress, tension ? 0.0 : -HUGE_VAL, HUGE_VAL);
    if (piece.peaks) CountStress(f, s, point, piece.peak);
}

// What was held back is counted, and what comes next has nothing before it.
static void FlushFatigue(Fatigue* f, hwRangeStation* s) {
    for (int k = 0; k < f->points && f->held > 0; ++k) CountStress(f, s, k, f->stresses[f->held - 1][k]);
    f->held = 0;
}

// Takes the stress at each point. The frame follows the cable's direction by the shortest turn (Bishop 1975), so that bending to
// and fro keeps its sign.
static void NoteFatigue(Fatigue* f, hwRangeStation* s, double time, hwVec3 tangent, double tension,
                        hwVec3 curvature) {
    hwVec3 across = hwMulAdd(f->across, -hwDot(f->across, tangent), tangent);
    if (!(hwLength(across) > 1e-6)) {
        hwVec3 axis = fabs(tangent.z) < 0.9 ? (hwVec3){0.0, 0.0, 1.0} : (hwVec3){1.0, 0.0, 0.0};
        across = hwCross(tangent, axis);
    }
    f->across = across = hwScale(1.0 / hwLength(across), across);
    hwVec3 other = hwCross(tangent, across);
    double along = hwDot(curvature, across), aside = hwDot(curvature, other);
    int held = f->held, next = held < 3 ? held : 2;
    double stresses[POINTS] = {0};
    for (int k = 0; k < f->points; ++k) {
        double sine, cosine;
        hwSinAndCos(2.0 * HW_PI * k / POINTS, &sine, &cosine);
        stresses[k] = f->tensionStress * tension + f->bendingStress * (cosine * along + sine * aside);
        if (held == 3) CountPeak(f, s, k, time, stresses[k]);
        if (held > 0) CountStress(f, s, k, f->stresses[held - 1][k]);
    }
    if (held == 3) {
        memmove(f->times, f->times + 1, 2 * sizeof(f->times[0]));
        memmove(f->stresses, f->stresses + 1, 2 * sizeof(f->stresses[0]));
    }
    f->times[next] = time;
    memcpy(f->stresses[next], stresses, sizeof(stresses));
    f->held = next + 1;
}

void hwRanges_Finish(hwRanges* r) {
    for (int i = 0; i < r->stationCount; ++i) {
        Fatigue* f = &r->fatigue[i];
        FlushFatigue(f, &r->stations[i]);
        for (int k = 0; k < f->points; ++k) {
            DamageSum damage = {&f->curve, 0.0};
            hwRainflow_Finish(f->flows[k], AddDamage, &damage);
            f->damage[k] += damage.sum;
            r->stations[i].damage = hwFmax(r->stations[i].damage, f->damage[k]);
        }
    }
}

static void TellCable(hwRanges* r, CableRanges* cable, const hwWorld* world, const hwCableView* given,
                      double time, double interval) {
    hwCableView view = *given;
    FillNodes(cable, world, &view);
    int element = 0;
    for (int i = cable->first; i < cable->first + cable->count; ++i) {
        hwRangeStation* s = &r->stations[i];
        Tally* t = r->tallies[i];
        int e = FindElement(&view, s->arc, element);
        if (e < 0) {
            for (int q = 0; q < QUANTITIES; ++q) Tally_Note(&t[q], cable, time, (double)NAN);
            FlushFatigue(&r->fatigue[i], s);
            continue;
        }
        element = e;
        double first = hwLength(cable->curvatures[e]), second = hwLength(cable->curvatures[e + 1]);
        double sharp = hwFmax(first, second);
        bool stays = cable->looks > 0 && !isnan(t[TENSION].y[cable->looks - 1]);
        s->time = isnan(s->time) ? 0.0 : s->time + (stays ? interval : 0.0);
        double clearance = hwFmin(cable->clearances[e], cable->clearances[e + 1]) - r->radii[i];
        Tally_Note(&t[TENSION], cable, time, view.tensions[e]);
        Tally_Note(&t[CURVATURE], cable, time, sharp);
        Tally_Note(&t[CLEARANCE], cable, time, clearance);
        Tally_Tell(&t[TENSION], s->time, view.tensions[e], &s->tensionMin, &s->tensionMean, &s->tensionMax);
        Tally_Tell(&t[CURVATURE], s->time, sharp, &s->curvatureMin, &s->curvatureMean, &s->curvatureMax);
        Tally_Tell(&t[CLEARANCE], s->time, clearance, &s->clearanceMin, &s->clearanceMean, &s->clearanceMax);
        if (r->fatigue[i].points > 0) {
            hwVec3 chord = hwSub(view.positions[e + 1], view.positions[e]);
            // The clamp's own at the ends, where fatigue begins; elsewhere the element's mean, which does not jump from one
            // node to the other.
            hwVec3 bend = e == 0 ? cable->curvatures[0]
                          : e + 1 == view.elementCount
                              ? cable->curvatures[e + 1]
                              : hwScale(0.5, hwAdd(cable->curvatures[e], cable->curvatures[e + 1]));
            if (isnan(sharp)) bend = hwVec3_zero;
            double length = hwLength(chord);
            if (length > 0.0)
                NoteFatigue(&r->fatigue[i], s, time, hwScale(1.0 / length, chord), view.tensions[e], bend);
        }
    }
}

static void LookAtCable(hwRanges* r, CableRanges* cable, const hwWorld* world) {
    double now = hwWorld_GetTime(world), last = cable->looks > 0 ? cable->times[cable->looks - 1] : now;
    // what went back to an earlier time has been seen up to the later one already: nothing is counted twice
    if (now < last) return;
    hwCableView view;
    if (hwCable_GetView(world, cable->id, &view, NULL) == HW_OK && view.elementCount >= 1 &&
        view.nodeCount <= GetNodeCapacity(cable)) {
        TellCable(r, cable, world, &view, now, now - last);
    } else {
        for (int i = cable->first; i < cable->first + cable->count; ++i)
            for (int q = 0; q < QUANTITIES; ++q) Tally_Note(&r->tallies[i][q], cable, now, (double)NAN);
    }
    bool again = cable->looks > 0 && !(now > last);
    if (again) return;
    if (cable->looks == 3) memmove(cable->times, cable->times + 1, 2 * sizeof(double));
    cable->looks = cable->looks < 3 ? cable->looks + 1 : 3;
    cable->times[cable->looks - 1] = now;
}

void hwRanges_Observe(hwRanges* r, const hwWorld* world) {
    for (int c = 0; c < r->cableCount; ++c) LookAtCable(r, &r->cables[c], world);
}

void hwRanges_ObserveCable(hwRanges* r, const hwWorld* world, hwCableId id) {
    for (int c = 0; c < r->cableCount; ++c) {
        if (HW_SAME_ID(r->cables[c].id, id)) LookAtCable(r, &r->cables[c], world);
    }
}

int hwRanges_GetCount(const hwRanges* ranges) {
    return ranges->stationCount;
}

const hwRangeStation* hwRanges_GetStation(const hwRanges* ranges, int index, const char** cable) {
    if (index < 0 || index >= ranges->stationCount) return NULL;
    int c = 0;
    while (index >= ranges->cables[c].first + ranges->cables[c].count) c += 1;
    if (cable != NULL) *cable = ranges->cables[c].name;
    return &ranges->stations[index];
}

hwChannelInfo hwRanges_GetColumn(int column) {
    static const hwChannelInfo columns[] = {
        {"arc", "m"},         {"tension.min", "N"},     {"tension.mean", "N"},     {"tension.max", "N"},
        {"break", "N"},       {"curvature.min", "1/m"}, {"curvature.mean", "1/m"}, {"curvature.max", "1/m"},
        {"bend_radius", "m"}, {"clearance.min", "m"},   {"clearance.mean", "m"},   {"clearance.max", "m"},
        {"time", "s"},        {"damage", "1"}};
    if (column < 0 || column >= HW_RANGE_COLUMNS) return (hwChannelInfo){"", ""};
    return columns[column];
}
