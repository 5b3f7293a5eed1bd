// Sweeps of a wrapped tether. Whatever changes the path is a sweep: the curve before and the curve after bound a strip of triangles,
// and a corner is put where the strip first meets a solid. So nothing is passed through, however far the ends have moved, and the
// path stays in its homotopy class.
#include "tether/wrap_update.h"

#include <string.h>

#define WEDGES 12        // steps to where a crotch is as wide as the tether
#define MOST_BESIDE 16.0 // radii beside a corner that are left out of a sweep at most
#define TURNS 16         // of spans about corners in one update
#define BAND 4           // pieces of a strip that are looked at together first
#define SPARE 8          // points of a strip for what is yet to be added
#define LASTING 0.3      // radii: beside a corner likewise
#define FAR 1.5 // radii: for longer ways no gap is looked for, the next would be too long for it as well

static bool IsSpaceEmpty(const hwTetherSpace* space, const hwBox* box) {
    for (int i = 0; i < space->count; ++i) {
        if (hwBox_Overlaps(&space->solids[i].box, box)) return false;
    }
    return true;
}

// A strip between two polylines that are walked by the same shares.
typedef struct Strip {
    int count;
    const double* share;
    const hwVec3 *from, *to;
    double within[2];  // shares, between which it is looked at
    int solid;         // that is in its way alone, -1: all
    const bool* known; // pieces that are free, null: none is known to be
} Strip;

static bool IsLookedAt(const Strip* strip, int j) {
    return strip->share[j + 1] > strip->within[0] && strip->share[j] < strip->within[1];
}

// Whether what piece j sweeps on a part of its way is free, and what is `more` m away from it.
static bool IsPieceFree(const hwWrapSetup* setup, const Strip* strip, int j, double part, double more) {
    double radius = HW_WRAP_NEARER * setup->radius + more;
    hwVec3 a = strip->from[j], b = strip->from[j + 1];
    hwVec3 c = hwWrap_Between(a, strip->to[j], part), d = hwWrap_Between(b, strip->to[j + 1], part);
    if (strip->solid < 0) return hwTetherSpace_IsStripFree(setup->space, a, b, d, c, radius);
    return hwTetherSpace_IsFreeOf(setup->space, strip->solid, a, b, d, radius) &&
           hwTetherSpace_IsFreeOf(setup->space, strip->solid, a, d, c, radius);
}

// The piece of a strip that is in something's way first, and how much of the way all pieces are free to go. -1: none is.
static int FindFirst(const hwWrapSetup* setup, const Strip* strip, double* first) {
    bool clear[HW_WRAP_STRIP];
    int at = -1;
    *first = 1.0;
    for (int j = 0; j + 1 < strip->count; ++j)
        clear[j] = !IsLookedAt(strip, j) || (strip->known != NULL && strip->known[j]);
    for (int j = 0; strip->solid < 0 && j + 1 < strip->count; j += BAND) {
        int count = strip->count - j < BAND + 1 ? strip->count - j : BAND + 1;
        bool all = true;
        for (int i = j; i + 1 < j + count; ++i) all = all && clear[i];
        if (all || !hwTetherSpace_IsBandClear(setup->space, count, strip->from + j, strip->to + j,
                                              HW_WRAP_NEARER * setup->radius))
            continue;
        for (int i = j; i + 1 < j + count; ++i) clear[i] = true;
    }
    // pieces are warped: one that is free all of the way may not be free on a part of it, so all are looked at again
    for (int pass = 0; pass < 4; ++pass) {
        double before = *first;
        for (int j = 0; j + 1 < strip->count; ++j) {
            if (clear[j] || j == at || IsPieceFree(setup, strip, j, *first, 0.0)) continue;
            double low = 0.0, high = *first;
            for (int half = 0; half < 12; ++half) {
                double part = 0.5 * (low + high);
                *(IsPieceFree(setup, strip, j, part, 0.0) ? &low : &high) = part;
            }
            *first = low;
            at = j;
        }
        if (*first == before) break;
    }
    return at;
}

// The corner at which piece `at` of a strip has come to lie. False: nothing is that near.
static bool FindCorner(const hwWrapSetup* setup, const Strip* strip, int at, double first, hwVec3* corner,
                       hwVec3* normal, int* solid, double* part) {
    hwVec3 a = hwWrap_Between(strip->from[at], strip->to[at], first),
           b = hwWrap_Between(strip->from[at + 1], strip->to[at + 1], first);
    double move = hwFmax(hwDistance(strip->from[at], strip->to[at]),
                         hwDistance(strip->from[at + 1], strip->to[at + 1]));
    // the solid that is in the way, though another may be nearer
    hwTetherSpace space = *setup->space;
    if (strip->solid >= 0) space.solids += strip->solid, space.count = 1;
    double place;
    // the way was halved twelve times
    double here = hwTetherSpace_GetSegmentClearance(&space, a, b, 1.01 * setup->radius + move / 1024.0,
                                                    &place, normal, solid);
    if (!isfinite(here)) return false;
    if (strip->solid >= 0) *solid = strip->solid;
    *corner = hwMulAdd(hwWrap_Between(a, b, place), setup->radius - here, *normal);
    // in a crotch a radius off both sides, where it is as wide as the tether
    for (int n = 0; n < WEDGES; ++n) {
        hwVec3 out;
        double gap = hwTetherSpace_GetClearance(setup->space, *corner, setup->radius, NULL, &out);
        if (!(gap < 0.99 * setup->radius)) break;
        *corner = hwMulAdd(*corner, setup->radius - gap, out);
    }
    *part = strip->share[at] + place * (strip->share[at + 1] - strip->share[at]);
    *part = hwClamp(*part, 1e-6, 1.0 - 1e-6);
    return true;
}

// A span that turns about a corner by more than a right angle would come nearer to it on its straight way than it was and is: it
// goes half of the way first, with all points as far from the corner as they are to be, on its free side. True: `to` is half way.
static bool TurnAtCorners(hwWrapUpdate* u, int i, const hwWrapCurve* curve, const double within[2],
                          hwVec3* to) {
    double near = 0.6 * HW_WRAP_BESIDE * u->setup->radius;
    bool halfway = false;
    for (int end = 0; end < 2 && !halfway; ++end) {
        if (end == 0 ? i == 0 : i == u->state->count) continue;
        hwVec3 corner = u->path->point[i + end];
        for (int j = 1; j + 1 < curve->count && !halfway; ++j) {
            if (curve->share[j] < within[0] || curve->share[j] > within[1]) continue;
            hwVec3 a = hwSub(curve->point[j], corner), b = hwSub(to[j], corner), d = hwSub(b, a);
            double square = hwLengthSquared(d), part = square > 0.0 ? -hwDot(a, d) / square : 0.0;
            double least = 0.6 * hwFmin(hwLength(a), hwLength(b));
            halfway = part > 0.0 && part < 1.0 && hwLength(hwMulAdd(a, part, d)) < hwFmin(near, least);
        }
    }
    if (!halfway || u->turns >= TURNS) return false;
    u->turns += 1;
    for (int j = 0; j < curve->count; ++j) to[j] = hwWrap_Between(curve->point[j], to[j], 0.5);
    for (int end = 0; end < 2; ++end) {
        if (end == 0 ? i == 0 : i == u->state->count) continue;
        const hwWrapCorner* its = &u->state->corners[end == 0 ? i - 1 : i];
        hwVec3 corner = u->path->point[i + end], normal = hwWrap_GetNormal(u->setup, its);
        double away = HW_WRAP_BESIDE * u->setup->radius;
        for (int j = 1; j + 1 < curve->count; ++j) {
            hwVec3 d = hwSub(to[j], corner);
            double share = end == 0 ? curve->share[j] : 1.0 - curve->share[j],
                   out = hwFmax(hwDot(d, normal), 0.0);
            double reach = hwFmin(away, share * u->path->span[hwWrapState_FindSpan(u->state, i)].rest);
            if (hwLength(d) >= reach) continue;
            // as far as it is, and the more out the less aside
            hwVec3 aside = hwMulAdd(d, -hwDot(d, normal), normal);
            double left = reach * reach - hwLengthSquared(aside);
            to[j] = hwAdd(corner, hwMulAdd(aside, hwFmax(sqrt(hwFmax(left, 0.0)), out), normal));
        }
    }
    return true;
}

// Whether a corner at p would be where one at an end of the strip is already, which then holds it there. More of the strip beside that
// corner is left out: up to the share `within`, of the end `end`.
static bool IsBeside(const hwWrapUpdate* u, int i, const hwWrapCurve* curve, const Strip* strip, int at,
                     double first, hwVec3 p, int* end, double* within) {
    double radius = u->setup->radius;
    for (int e = 0; e < 2; ++e) {
        if (e == 0 ? i == 0 : i == u->state->count) continue;
        hwVec3 corner = u->path->point[i + e];
        if (!(hwDistance(p, corner) < 0.5 * radius)) continue;
        // along the piece from its point that is nearer to that end
        int near = e == 0 ? at : at + 1, far = e == 0 ? at + 1 : at;
        hwVec3 a = hwSub(hwWrap_Between(strip->from[near], strip->to[near], first), corner);
        hwVec3 b = hwSub(hwWrap_Between(strip->from[far], strip->to[far], first), corner);
        double reach = hwFmax(2.0 * HW_WRAP_BESIDE * radius, 2.0 * hwLength(a)), part = 1.0;
        if (hwLength(b) > reach) {
            hwVec3 d = hwSub(b, a);
            double square = hwLengthSquared(d), half = hwDot(a, d) / square;
            part = -half + sqrt(half * half + (reach * reach - hwLengthSquared(a)) / square);
        }
        double share = strip->share[near] + part * (strip->share[far] - strip->share[near]);
        double most = hwWrapCurve_FindShare(curve, e, MOST_BESIDE * radius);
        if ((e == 0 ? share : 1.0 - share) > most) return false;
        *end = e;
        *within = share;
        return true;
    }
    return false;
}

// How far a curve of the length `way` leaves its chord at most, also as both are gone along evenly, squared: a point that is u of the
// way from one end is within u way and (1 - u) way of the ends, and so within sqrt(u (1 - u) (way^2 - chord^2)) of its place
// on the chord.
static double GetBulge2(double way, hwVec3 a, hwVec3 b) {
    return 0.25 * hwFmax(way * way - hwLengthSquared(hwSub(b, a)), 0.0);
}

// The curves between which a strip of chords is swept, null: what is swept are the chords themselves.
typedef struct Curves {
    const hwWrapSpan *from, *to;
    const hwSpaceSolid*
        moved; // where `to` would have been had it moved with this solid is what it is swept from, null: none
    hwPose before; // of the solid
} Curves;

static double GetPieceBulge2(const Strip* strip, const Curves* curves, int j) {
    double part = strip->share[j + 1] - strip->share[j], bulge2 = 0.0;
    if (curves->from != NULL)
        bulge2 = GetBulge2(part * curves->from->shape.length, strip->from[j], strip->from[j + 1]);
    if (curves->to != NULL)
        bulge2 = hwFmax(bulge2, GetBulge2(part * curves->to->shape.length, strip->to[j], strip->to[j + 1]));
    return bulge2;
}

// What counts of it.
static double CountBulge(const hwWrapSetup* setup, double bulge2) {
    double limit = HW_WRAP_BULGE * setup->radius;
    return bulge2 > limit * limit ? sqrt(bulge2) : 0.0;
}

// Those of all pieces, squared; returns the largest, m.
static double MeasureBulges(const Strip* strip, const Curves* curves, double* bulge2) {
    double most = 0.0;
    for (int j = 0; j + 1 < strip->count; ++j) {
        bulge2[j] = GetPieceBulge2(strip, curves, j);
        most = hwMax(most, bulge2[j]);
    }
    return sqrt(most);
}

// What is known of the clearance of the pieces of a curve, while its span is swept.
typedef struct Clearance {
    bool known;                  // of this curve
    double within[2];            // shares
    double gap[HW_WRAP_STRIP];   // m, of each piece
    double move[HW_WRAP_STRIP];  // m, the farthest that a point of it goes
    double bulge[HW_WRAP_STRIP]; // m, see CountBulge; before gaps are looked for their squares
    bool free[HW_WRAP_STRIP];    // its way is seen to be free by these
} Clearance;

static int GetBin(double share) {
    int b = (int)(share * HW_WRAP_BINS);
    return b < HW_WRAP_BINS ? b : HW_WRAP_BINS - 1;
}

// The last bin that the piece up to `share` is in.
static int GetLastBin(double share) {
    double at = share * HW_WRAP_BINS;
    int b = (int)at;
    return b == at && b > 0 ? b - 1 : b < HW_WRAP_BINS ? b : HW_WRAP_BINS - 1;
}

static void Clearance_Recall(const hwWrapUpdate* u, const hwWrapGaps* gaps, const hwWrapCurve* curve,
                             Clearance* out) {
    out->known = gaps->space == u->setup->space && gaps->moves == u->setup->space->moves &&
                 hwWrapKey_IsSame(&gaps->key, &curve->key);
    out->within[0] = out->known ? gaps->within[0] : 1.0;
    out->within[1] = out->known ? gaps->within[1] : 0.0;
}

// Pieces whose way is shorter than the gap beside them are free. Where what is known does not do, gaps are looked for, some moves
// farther than needed now: four pieces at once by the planes of triangles, then each.
static void Clearance_Find(const hwWrapUpdate* u, const hwWrapGaps* gaps, const Strip* strip, Clearance* c) {
    const hwWrapSetup* setup = u->setup;
    double need = (1.0 + 1e-9) * HW_WRAP_NEARER * setup->radius, spare = 2.0 * setup->radius;
    int last = strip->count - 1;
    // corners slide, and with them the part beside them that is not looked at
    double low = strip->within[0] > 0.0 ? 0.75 * strip->within[0] : 0.0;
    double high = strip->within[1] < 1.0 ? 1.0 - 0.75 * (1.0 - strip->within[1]) : 1.0;
    double before = hwDistance(strip->from[0], strip->to[0]);
    for (int j = 0; j < last; ++j) {
        double behind = hwDistance(strip->from[j + 1], strip->to[j + 1]);
        c->move[j] = hwFmax(before, behind);
        before = behind;
    }
    // what is known reaches a little into the pieces beside corners
    for (int j = 1; j < last; ++j) {
        if (strip->share[j] == strip->within[0]) c->move[j] = hwFmax(c->move[j], c->move[j - 1]);
        if (strip->share[j] == strip->within[1]) c->move[j - 1] = hwFmax(c->move[j - 1], c->move[j]);
    }
    for (int j = 0; j < last; ++j) {
        double bulge2 = c->bulge[j];
        c->gap[j] = -1.0;
        c->free[j] = true;
        c->bulge[j] = 0.0;
        if (!IsLookedAt(strip, j)) continue;
        if (strip->share[j] >= c->within[0] && strip->share[j + 1] <= c->within[1]) {
            c->gap[j] = HUGE_VAL;
            for (int b = GetBin(strip->share[j]); b <= GetLastBin(strip->share[j + 1]); ++b)
                c->gap[j] = hwFmin(c->gap[j], gaps->gap[b]);
        }
        c->bulge[j] = CountBulge(setup, bulge2);
        c->free[j] = c->gap[j] - c->move[j] > need + c->bulge[j];
    }
    for (int j = 0; j < last; j += BAND) {
        int count = last - j < BAND ? last - j : BAND;
        double move = 0.0, bulge = 0.0;
        bool all = true, inside = true;
        for (int i = j; i < j + count; ++i) {
            all = all && (c->free[i] || c->move[i] > FAR * setup->radius);
            inside = inside && IsLookedAt(strip, i);
            move = hwFmax(move, c->move[i]);
            bulge = hwFmax(bulge, c->bulge[i]);
        }
        double reach = need + bulge + spare + 8.0 * move;
        if (all) continue;
        if (inside &&
            hwTetherSpace_IsBandClear(setup->space, count + 1, strip->from + j, strip->from + j, reach)) {
            for (int i = j; i < j + count; ++i) c->gap[i] = hwFmax(c->gap[i], reach), c->free[i] = true;
            c->within[0] = hwFmin(c->within[0], strip->share[j]);
            c->within[1] = hwFmax(c->within[1], strip->share[j + count]);
            continue;
        }
        for (int i = j; i < j + count; ++i) {
            if (c->free[i] || c->move[i] > FAR * setup->radius) continue;
            // beside a corner a gap is about a radius: of long ways it would not last for another one
            bool beside = (i > 0 && strip->share[i] == strip->within[0]) ||
                          (i + 2 <= last && strip->share[i + 1] == strip->within[1]);
            if (beside && c->move[i] > LASTING * setup->radius) continue;
            hwVec3 a = strip->from[i], b = strip->from[i + 1], normal;
            double off = 0.0, place;
            if (i > 0 && strip->share[i] == strip->within[0]) { // a little before it
                double length = strip->share[i] - strip->share[i - 1];
                a = hwWrap_Between(a, strip->from[i - 1], hwFmin((strip->share[i] - low) / length, 1.0));
                low = hwFmax(low, strip->share[i - 1]);
                off +=
                    hwDistance(strip->from[i],
                               hwWrap_Between(a, b, (strip->share[i] - low) / (strip->share[i + 1] - low)));
                c->within[0] = low;
            } else if (i == 0) {
                c->within[0] = 0.0;
            }
            if (i + 2 <= last && strip->share[i + 1] == strip->within[1]) {
                double length = strip->share[i + 2] - strip->share[i + 1];
                b = hwWrap_Between(b, strip->from[i + 2], hwFmin((high - strip->share[i + 1]) / length, 1.0));
                high = hwFmin(high, strip->share[i + 2]);
                off +=
                    hwDistance(strip->from[i + 1],
                               hwWrap_Between(b, a, (high - strip->share[i + 1]) / (high - strip->share[i])));
                c->within[1] = high;
            } else if (i + 1 == last) {
                c->within[1] = 1.0;
            }
            c->within[0] = hwFmin(c->within[0], strip->share[i]);
            c->within[1] = hwFmax(c->within[1], strip->share[i + 1]);
            reach = need + c->bulge[i] + spare + 8.0 * c->move[i];
            double gap = hwTetherSpace_GetSegmentClearance(setup->space, a, b, reach, &place, &normal, NULL);
            c->gap[i] = hwFmin(gap, reach) - off;
            c->free[i] = c->gap[i] - c->move[i] > need + c->bulge[i];
        }
    }
}

// The span is where its strip led: its curve is the strip's other side, without the points that its samples do not have.
static void Clearance_Keep(const hwWrapUpdate* u, const Strip* strip, const Clearance* c, hwWrapCurve* curve,
                           const hwWrapSpan* span, hwWrapGaps* gaps) {
    int n = hwWrapCurve_CountSamples(u->setup, span), found = 0;
    gaps->key.known = 0;
    for (int b = 0; b < HW_WRAP_BINS; ++b) gaps->gap[b] = HUGE_VAL;
    hwVec3 point[HW_WRAP_SAMPLES];
    for (int j = 0; j < strip->count && found <= n; ++j) {
        if (strip->share[j] == (double)found / n) point[found++] = strip->to[j];
    }
    gaps->moves = u->setup->space->moves;
    if (found <= n) { // too fine a curve to have them all
        hwWrapCurve_Sample(u->setup, span, curve);
        return;
    }
    double off = 0.0; // of points that go from the chords that stay
    for (int j = 0; c != NULL && j + 1 < strip->count; ++j) {
        double at = strip->share[j + 1] * n, before = off;
        int i = (int)at;
        off = at == i ? 0.0 : hwDistance(strip->to[j + 1], hwWrap_Between(point[i], point[i + 1], at - i));
        if (!IsLookedAt(strip, j)) continue;
        double gap = c->gap[j] - c->move[j] - hwFmax(before, off);
        // a sixteenth beside a corner is known as far as it is looked at
        for (int b = GetBin(strip->share[j]); b <= GetLastBin(strip->share[j + 1]); ++b)
            gaps->gap[b] = hwFmin(gaps->gap[b], gap);
    }
    curve->key = span->key;
    curve->length = span->shape.length;
    curve->count = n + 1;
    for (int j = 0; j <= n; ++j) {
        curve->share[j] = (double)j / n;
        curve->point[j] = point[j];
    }
    if (c == NULL) return;
    gaps->space = u->setup->space;
    gaps->key = span->key;
    for (int e = 0; e < 2; ++e) gaps->within[e] = c->within[e];
}

// Where a point of the last update would be, had it moved with a solid.
static hwVec3 MoveWith(const hwSpaceSolid* solid, hwPose before, hwVec3 p) {
    hwVec3 own = hwInvTransformPoint(solid->own, hwInvTransformPoint(before, p));
    return hwTransformPoint(solid->pose, own);
}

static void PushBack(double* numbers, int j, int count) {
    memmove(numbers + j + 1, numbers + j, (size_t)(count - j) * sizeof(double));
}

// Halves chords that leave their curves by more than there is room for, as far as there are points. What is free for the curves as
// well is so noted.
static void RefineStrip(const hwWrapSetup* setup, const Curves* curves, Strip* strip, hwWrapCurve* curve,
                        hwVec3* from, hwVec3* to, Clearance* c) {
    for (int j = 0; j + 1 < strip->count;) {
        double bulge =
            c->free[j] || !IsLookedAt(strip, j) ? 0.0 : CountBulge(setup, GetPieceBulge2(strip, curves, j));
        if (bulge > 0.0 && IsPieceFree(setup, strip, j, 1.0, bulge)) {
            c->free[j] = true;
            bulge = 0.0;
        }
        if (!(bulge > 0.0) || strip->count + SPARE > HW_WRAP_STRIP) {
            j += 1;
            continue;
        }
        int rest = strip->count - j - 1; // points behind it
        double share = 0.5 * (curve->share[j] + curve->share[j + 1]);
        hwVec3 a = hwWrap_Between(from[j], from[j + 1], 0.5), b = hwWrap_Between(to[j], to[j + 1], 0.5);
        if (curves->to != NULL) hwWrapSpan_GetPoints(curves->to, 1, &share, &b);
        if (curves->from != NULL) hwWrapSpan_GetPoints(curves->from, 1, &share, &a);
        if (curves->moved != NULL) a = MoveWith(curves->moved, curves->before, b);
        PushBack(curve->share, j + 1, strip->count);
        PushBack(c->gap, j, strip->count - 1);
        PushBack(c->move, j, strip->count - 1);
        memmove(c->free + j + 1, c->free + j, (size_t)(strip->count - 1 - j) * sizeof(bool));
        memmove(from + j + 2, from + j + 1, (size_t)rest * sizeof(hwVec3));
        memmove(to + j + 2, to + j + 1, (size_t)rest * sizeof(hwVec3));
        curve->share[j + 1] = share;
        from[j + 1] = a;
        to[j + 1] = b;
        c->gap[j] = c->gap[j + 1] -= bulge;
        c->move[j] = c->move[j + 1] = hwFmax(c->move[j], hwDistance(a, b));
        strip->count += 1;
        curve->count += 1;
        curve->key.known = 0;
    }
}

// How far the span whose samples a curve is leaves their chords, if that counts. Of fewer samples none does.
static double FindOwnBulge(const hwWrapSetup* setup, const hwWrapCurve* curve) {
    double limit = HW_WRAP_BULGE * setup->radius, most = 0.0;
    if (curve->key.known == 0 || curve->count != HW_WRAP_SAMPLES) return 0.0;
    for (int j = 0; j + 1 < curve->count; ++j)
        most = hwFmax(most, GetBulge2(curve->length / HW_WRAP_BINS, curve->point[j], curve->point[j + 1]));
    return most > limit * limit ? sqrt(most) : 0.0;
}

// Points that were put on its chords.
static void PutOnCurve(const hwWrapSpan* span, hwWrapCurve* curve) {
    hwVec3 a = curve->point[0], b = curve->point[curve->count - 1];
    hwWrapSpan_GetPoints(span, curve->count, curve->share, curve->point);
    curve->point[0] = a;
    curve->point[curve->count - 1] = b;
}

// Where the way of span k, interval i, from its curve to its shape first meets something: puts a corner there. False: nothing
// is in its way, and the curve is where the span is now.
//
// Beside a corner the span may turn into what that lies on, by no more than its own thickness: there its way is not looked at, but
// for that of the points up to which it is not.
static bool SweepSpan(hwWrapUpdate* u, int k, int i) {
    const hwWrapSetup* setup = u->setup;
    const hwWrapSpan* span = &u->path->span[k];
    hwWrapCurve* curve = &u->work->curve[k];
    if (u->still[k]) return false;
    Clearance clearance;
    hwWrapGaps* gaps = &u->path->gaps[k];
    Clearance_Recall(u, gaps, curve, &clearance);
    int n = hwWrapCurve_CountSamples(setup, span);
    // where that counts it is swept from its curve, else from its chords
    double bulge = FindOwnBulge(setup, curve);
    hwWrapKey key = curve->key;
    hwWrapSpan was = {.key = {.known = 0}};
    Curves curves = {NULL, span, NULL, hwPose_identity};
    hwWrapCurve_Refine(curve, n);
    double within[2] = {0.0, 1.0};
    for (int end = 0; end < 2; ++end) {
        if (end == 0 ? i == 0 : i == u->state->count) continue; // no corner
        double reach = HW_WRAP_BESIDE * setup->radius;
        double share = hwFmin(hwFmin(hwWrapCurve_FindShare(curve, end, reach), reach / span->rest), 0.5);
        within[end] = end == 0 ? share : 1.0 - share;
        hwWrapCurve_AddPoint(curve, within[end]);
    }
    hwVec3 to[HW_WRAP_STRIP], p, normal;
    double first = 1.0, part;
    int at = -1, solid, beside;
    bool found = false, once = true, sought = false;
    Strip strip;
    for (;; once = false) {
        hwBox box = hwBox_Empty();
        hwWrapSpan_GetPoints(span, curve->count, curve->share, to);
        for (int j = 0; j < curve->count; ++j)
            box = hwBox_AddPoint(hwBox_AddPoint(box, to[j]), curve->point[j]);
        to[0] = span->shape.a;
        to[curve->count - 1] = span->shape.b;
        strip = (Strip){curve->count, curve->share, curve->point, to, {within[0], within[1]}, -1, NULL};
        double most = MeasureBulges(&strip, &curves, clearance.bulge);
        box = hwBox_Grow(box, setup->radius + hwFmax(bulge, most));
        sought = false;
        if (IsSpaceEmpty(setup->space, &box)) break;
        if (bulge > 0.0) {
            if (curves.from == NULL) hwWrapSpan_SolveKey(setup, &key, &was);
            curves.from = &was;
            PutOnCurve(&was, curve);
        }
        bool halfway = TurnAtCorners(u, i, curve, within, to);
        curves.to = halfway ? NULL : span; // points between are none of its
        // among solids that move nothing is known for long
        if (once && !halfway && (clearance.known || gaps->moves == setup->space->moves)) {
            if (curves.from != NULL) MeasureBulges(&strip, &curves, clearance.bulge);
            Clearance_Find(u, gaps, &strip, &clearance);
            sought = true;
        } else {
            memset(clearance.free, 0, (size_t)strip.count * sizeof(bool));
        }
        RefineStrip(setup, &curves, &strip, curve, curve->point, to, &clearance);
        strip.known = clearance.free;
        at = FindFirst(setup, &strip, &first);
        if (at < 0 && halfway) {
            memcpy(curve->point, to, (size_t)curve->count * sizeof(hwVec3));
            curve->key.known = 0;
            return true;
        }
        if (at < 0) break;
        found = FindCorner(setup, &strip, at, first, &p, &normal, &solid, &part);
        double share;
        if (!found || !IsBeside(u, i, curve, &strip, at, first, p, &beside, &share)) break;
        // where it comes to lie on a corner that is there, that corner holds it, and what is farther goes on
        int count = curve->count;
        if (count >= HW_WRAP_STRIP || !(beside == 0 ? share > within[0] : share < within[1])) break;
        within[beside] = share;
        hwWrapCurve_AddPoint(curve, share);
    }
    if (at < 0) {
        Clearance_Keep(u, &strip, sought ? &clearance : NULL, curve, span, gaps);
        u->still[k] = true;
        return false;
    }
    // the spans go on from where they are now
    for (int j = 0; j < curve->count; ++j) curve->point[j] = hwWrap_Between(curve->point[j], to[j], first);
    curve->key.known = 0;
    if (found) return hwWrapUpdate_InsertCorner(u, i, part, solid, p, normal);
    if (first > 0.0) return true;
    // in the way and yet not near: what a warped piece passes is not known
    u->state->lost += 1;
    hwWrapCurve_Sample(setup, span, curve);
    u->still[k] = true;
    return false;
}

void hwWrapUpdate_SweepAll(hwWrapUpdate* u) {
    for (bool again = true; again && u->changes < HW_WRAP_CHANGES;) {
        again = false;
        for (int k = 0; k < u->path->spanCount && !again; ++k) {
            again = SweepSpan(u, k, u->path->interval[k]);
        }
        if (!again) return;
        u->changes += 1;
        hwWrapUpdate_Solve(u);
    }
}

// A solid that has moved while the tether stayed: seen from it the tether came from where it would be had it moved along. Puts
// a corner where the way of span k between the two first meets it.
static bool SweepMoved(hwWrapUpdate* u, int k, int i, int index, hwPose before) {
    const hwWrapSetup* setup = u->setup;
    const hwSpaceSolid* solid = &setup->space->solids[index];
    hwWrapCurve own, *curve = &own; // that the span has stays as it is unless it meets something
    hwWrapCurve_Copy(curve, &u->work->curve[k]);
    hwWrapSpan was;
    bool curved = FindOwnBulge(setup, curve) > 0.0;
    if (curved) hwWrapSpan_SolveKey(setup, &curve->key, &was);
    double within[2] = {0.0, 1.0};
    for (int end = 0; end < 2; ++end) {
        if (end == 0 ? i == 0 : i == u->state->count) continue; // no corner
        double share = hwFmin(hwWrapCurve_FindShare(curve, end, HW_WRAP_BESIDE * setup->radius), 0.5);
        within[end] = end == 0 ? share : 1.0 - share;
        hwWrapCurve_AddPoint(curve, within[end]);
    }
    if (curved) PutOnCurve(&was, curve);
    hwVec3 from[HW_WRAP_STRIP];
    for (int j = 0; j < curve->count; ++j) from[j] = MoveWith(solid, before, curve->point[j]);
    Strip strip = {curve->count, curve->share, from, curve->point, {within[0], within[1]}, index, NULL};
    Clearance clearance;
    memset(clearance.free, 0, (size_t)strip.count * sizeof(bool));
    memset(clearance.gap, 0, (size_t)strip.count * sizeof(double));
    memset(clearance.move, 0, (size_t)strip.count * sizeof(double));
    Curves curves = {NULL, curved ? &was : NULL, solid, before};
    RefineStrip(setup, &curves, &strip, curve, from, curve->point, &clearance);
    strip.known = clearance.free;
    double first, part;
    int at = FindFirst(setup, &strip, &first), met;
    if (at < 0) return false;
    hwVec3 p, normal;
    if (!FindCorner(setup, &strip, at, first, &p, &normal, &met, &part)) {
        u->state->lost += 1;
        return false;
    }
    curve->key.known = 0;
    hwWrapCurve_Copy(&u->work->curve[k], curve);
    return hwWrapUpdate_InsertCorner(u, i, part, index, p, normal);
}

void hwWrapUpdate_SweepSolids(hwWrapUpdate* u, const hwPose* before) {
    const hwTetherSpace* space = u->setup->space;
    for (int s = 0; s < space->count; ++s) {
        const hwSpaceSolid* solid = &space->solids[s];
        hwVec3 there = MoveWith(solid, before[s], hwVec3_zero), far = {1e3, 1e3, 1e3};
        // a kilometre away it has moved by less than a micrometre: it stands still
        if (hwLength(there) + hwDistance(MoveWith(solid, before[s], far), far) < 1e-6) continue;
        for (int k = 0; k < u->path->spanCount; ++k) {
            if (u->changes >= HW_WRAP_CHANGES || !SweepMoved(u, k, u->path->interval[k], s, before[s]))
                continue;
            // the path before and behind the new corner: where its ends were, so that spans go on from there
            u->changes += 1;
            hwWrap_Place(u->setup, u->state, u->ends, u->material, u->path);
            hwWrapUpdate_Commit(u);
        }
    }
}
