// Pulling a polyline tight among solids, and the places that then hold it.
//
// Every change replaces two sides of a triangle by the third, and is made only where the triangle is free of solids: the
// polyline never passes through anything, so it stays in its homotopy class, and it gets shorter with each change.
#include "tether/space.h"

#include <string.h>

#define ROUNDS 500
#define BISECTIONS 10
#define SMOOTHING 20
// It ends when so many rounds have not shortened the polyline by this share. One is not enough: chords that slid too near a solid
// are lifted off it again, which may lengthen it a little.
#define ENOUGH 1e-7
#define IDLE 8
// Corners lie a radius off a surface, and what is between them may be half a radius nearer: chords of a circle of curvature
// radius rho, sqrt(4 radius rho) long.
#define NEARER 0.5
#define SLIDING 0.25 // and as near while corners slide, so that chords as long as that are not held by it

typedef struct Band {
    const hwTetherSpace* space;
    double radius;
    int capacity, count;
    hwVec3* points;
} Band;

static void Remove(Band* band, int i) {
    memmove(band->points + i, band->points + i + 1, (size_t)(band->count - i - 1) * sizeof(hwVec3));
    band->count -= 1;
}

static void Insert(Band* band, int i, hwVec3 p) {
    memmove(band->points + i + 1, band->points + i, (size_t)(band->count - i) * sizeof(hwVec3));
    band->points[i] = p;
    band->count += 1;
}

static double GetTurn(hwVec3 a, hwVec3 b, hwVec3 c) {
    hwVec3 u = hwSub(b, a), v = hwSub(c, b);
    return hwAtan2(hwLength(hwCross(u, v)), hwDot(u, v));
}

// Takes off corner i if it can be taken off whole, else as much of it as is free.
static void CutCorner(Band* band, int i) {
    hwVec3 a = band->points[i - 1], b = band->points[i], c = band->points[i + 1];
    if (hwTetherSpace_IsFree(band->space, a, b, c, NEARER * band->radius)) {
        Remove(band, i);
        return;
    }
    double turn = GetTurn(a, b, c), la = hwDistance(a, b), lc = hwDistance(b, c), side = hwFmin(la, lc);
    if (!(side > 0.0)) return;
    hwVec3 u = hwScale(side / la, hwSub(a, b)), v = hwScale(side / lc, hwSub(c, b));
    double low = 0.0, high = 1.0;
    bool whole = hwTetherSpace_IsFree(band->space, hwAdd(b, u), b, hwAdd(b, v), band->radius);
    if (whole) { // all of the shorter side: the corner moves along the longer one as far as it can
        hwVec3 far = la <= lc ? hwSub(c, b) : hwSub(a, b), near = la <= lc ? a : c;
        low = side / hwFmax(la, lc);
        for (int k = 0; k < BISECTIONS; ++k) {
            double s = 0.5 * (low + high);
            bool free = hwTetherSpace_IsFree(band->space, near, b, hwMulAdd(b, s, far), band->radius);
            *(free ? &low : &high) = s;
        }
        band->points[i] = hwMulAdd(b, low, far);
        return;
    }
    // as much on both sides, if what is cut off is higher than a tenth of the radius
    low = 0.2 * band->radius / (side * turn);
    if (!(low < 1.0) || band->count == band->capacity ||
        !hwTetherSpace_IsFree(band->space, hwMulAdd(b, low, u), b, hwMulAdd(b, low, v), band->radius))
        return;
    for (int k = 0; k < BISECTIONS; ++k) {
        double s = 0.5 * (low + high);
        bool free = hwTetherSpace_IsFree(band->space, hwMulAdd(b, s, u), b, hwMulAdd(b, s, v), band->radius);
        *(free ? &low : &high) = s;
    }
    band->points[i] = hwMulAdd(b, low, v);
    Insert(band, i, hwMulAdd(b, low, u));
}

// Moves corner i towards the middle of its neighbours, off the surface again, if that is shorter and nothing is passed.
static void SlideCorner(Band* band, int i, double relaxation) {
    hwVec3 a = band->points[i - 1], b = band->points[i], c = band->points[i + 1];
    double before = hwDistance(a, b) + hwDistance(b, c);
    // straight across to the line between its neighbours: along it nothing is gained, and chords would get longer
    hwVec3 line = hwSub(c, a);
    double square = hwLengthSquared(line);
    double share = square > 0.0 ? hwClamp(hwDot(hwSub(b, a), line) / square, 0.0, 1.0) : 0.5;
    hwVec3 wanted = hwMulAdd(a, share, line);
    hwVec3 normal;
    int solid;
    double least = hwTetherSpace_GetClearance(band->space, b, 8.0 * band->radius, &solid, &normal);
    hwVec3 move = hwScale(relaxation, hwSub(wanted, b));
    if (least < 4.0 * band->radius) {
        double into = hwDot(move, normal);
        if (into < 0.0) move = hwMulAdd(move, -into, normal); // along the surface
    }
    static const double shares[] = {1.0, 0.5, 0.2, 0.05, 0.012, 0.003}; // chords of 10 m, steps of a cm
    for (int k = 0; k < 6; ++k) {
        hwVec3 q = hwMulAdd(b, shares[k], move);
        double depth = hwTetherSpace_GetClearance(band->space, q, 8.0 * band->radius, &solid, &normal);
        if (depth < band->radius) q = hwMulAdd(q, band->radius - depth, normal);
        double after = hwDistance(a, q) + hwDistance(q, c);
        if (!(after < before)) continue;
        if (!hwTetherSpace_IsFree(band->space, a, b, q, SLIDING * band->radius) ||
            !hwTetherSpace_IsFree(band->space, b, q, c, SLIDING * band->radius)) {
            continue;
        }
        band->points[i] = q;
        return;
    }
}

// Whether the arc from corner `first` to `last` can be moved by t along x.
static bool IsWayFree(const Band* band, int first, int last, hwVec3 x, double t) {
    const hwVec3* p = band->points;
    double radius = SLIDING * band->radius;
    hwVec3 q = hwMulAdd(p[first], t, x);
    if (!hwTetherSpace_IsFree(band->space, p[first - 1], p[first], q, radius)) return false;
    for (int i = first; i < last; ++i) {
        hwVec3 next = hwMulAdd(p[i + 1], t, x);
        if (!hwTetherSpace_IsStripFree(band->space, p[i], p[i + 1], next, q, radius)) return false;
        q = next;
    }
    return hwTetherSpace_IsFree(band->space, p[last], q, p[last + 1], radius);
}

// Where all corners from `first` to `last`, which lie on one solid, can be moved to together along it: across the normals where they
// lie, as along the axis of a bar. False: there is no such direction, or any.
static bool FindArcWay(const Band* band, int first, int last, int solid, hwVec3* x) {
    const hwVec3* p = band->points;
    hwVec3 normal, from;
    double reach = 8.0 * band->radius, place, most = 1e-3;
    int touched = -1;
    hwTetherSpace_GetSegmentClearance(band->space, p[first - 1], p[first], reach, &place, &from, &touched);
    if (touched != solid) // the chord before it is nearer to something else
        hwTetherSpace_GetClearance(band->space, p[first], reach, &touched, &from);
    if (touched != solid) return false;
    for (int i = first; i <= last + 1; ++i) { // the last one stands for the chord behind it
        touched = -1;
        if (i <= last)
            hwTetherSpace_GetClearance(band->space, p[i], reach, &touched, &normal);
        else
            hwTetherSpace_GetSegmentClearance(band->space, p[last], p[i], reach, &place, &normal, &touched);
        if (touched != solid) continue;
        hwVec3 across = hwCross(from, normal);
        double size = hwLength(across);
        if (!(size > most)) continue;
        most = size;
        *x = hwScale(1.0 / size, across);
    }
    return most > 1e-3;
}

static void MoveArc(Band* band, int first, int last, hwVec3 x, double t) {
    for (int i = first; i <= last; ++i) band->points[i] = hwMulAdd(band->points[i], t, x);
}

// Moves an arc along what it lies on, to where its two neighbours pull as much to either side. One by one its corners would
// creep there, each held by the one beside it.
static void SlideArc(Band* band, int first, int last, int solid) {
    const hwVec3* p = band->points;
    hwVec3 x;
    if (!FindArcWay(band, first, last, solid, &x)) return;
    // in the plane into which both chords and the bar unfold, the way past it is straight
    hwVec3 before = hwSub(p[first - 1], p[first]), behind = hwSub(p[last + 1], p[last]);
    double za = hwDot(before, x), zc = hwDot(behind, x);
    double da = hwLength(hwMulAdd(before, -za, x)), dc = hwLength(hwMulAdd(behind, -zc, x));
    if (!(da + dc > 0.0)) return;
    double t = (za * dc + zc * da) / (da + dc);
    for (int k = 0; k < 5 && fabs(t) > 0.01 * band->radius; ++k, t *= 0.3) {
        if (!IsWayFree(band, first, last, x, t)) continue;
        MoveArc(band, first, last, x, t);
        return;
    }
}

bool hwTetherSpace_MoveArc(const hwTetherSpace* space, int count, hwVec3* points, double radius,
                           const hwTetherArc* arc, double t) {
    Band band = {space, radius, count, count, points};
    hwVec3 x;
    if (arc->first < 1 || arc->last + 2 > count ||
        !FindArcWay(&band, arc->first, arc->last, arc->solid, &x) ||
        !IsWayFree(&band, arc->first, arc->last, x, t))
        return false;
    MoveArc(&band, arc->first, arc->last, x, t);
    return true;
}

static void SlideArcs(Band* band) {
    int first = 0, solid = -1;
    for (int i = 1; i < band->count; ++i) {
        int here = -1;
        if (i + 1 < band->count)
            hwTetherSpace_GetClearance(band->space, band->points[i], 8.0 * band->radius, &here, NULL);
        if (here == solid && i > 1) continue;
        if (solid >= 0) SlideArc(band, first, i - 1, solid);
        first = i;
        solid = here;
    }
}

// Chords of a coarse tether may lie deeper in what they touch than the cable is thick: a corner is set beside it there, a
// radius off the surface, so that everything after begins from a tether that is free.
static void LiftOff(Band* band) {
    for (int i = 1; i + 1 < band->count; ++i) {
        hwVec3 normal;
        double here = hwTetherSpace_GetClearance(band->space, band->points[i], band->radius, NULL, &normal);
        if (here < band->radius) band->points[i] = hwMulAdd(band->points[i], band->radius - here, normal);
    }
    for (int i = 0, tries = 0; i + 1 < band->count && band->count < band->capacity; ++i) {
        hwVec3 p = band->points[i], q = band->points[i + 1], normal;
        double place,
            here = hwTetherSpace_GetSegmentClearance(band->space, p, q, band->radius, &place, &normal, NULL);
        double end = hwFmin(place, 1.0 - place) * hwDistance(p, q); // m from the nearer corner
        if (!(here < NEARER * band->radius) || end < 0.5 * band->radius || tries > 8) {
            tries = 0;
            continue;
        }
        Insert(band, i + 1, hwMulAdd(hwMulAdd(p, place, hwSub(q, p)), 1.01 * band->radius - here, normal));
        tries += 1;
        i -= 1; // the first half again
    }
}

int hwTetherSpace_Tighten(const hwTetherSpace* space, hwPolyline tether, double radius, int capacity,
                          hwVec3* points) {
    if (tether.count > capacity || tether.count < 1) return 0;
    Band band = {space, radius, capacity, 0, points};
    for (int i = 0; i < tether.count; ++i) {
        if (!hwIsFiniteVec3(tether.points[i])) return 0;
        if (band.count > 0 && hwDistance(points[band.count - 1], tether.points[i]) <= 1e-12 &&
            i + 1 < tether.count)
            continue;
        points[band.count++] = tether.points[i];
    }
    LiftOff(&band);
    double length = hwTether_GetLength((hwPolyline){band.count, points});
    for (int round = 0, idle = 0; round < ROUNDS && idle < IDLE; ++round) {
        for (int i = 1; i + 1 < band.count; ++i) {
            int before = band.count;
            CutCorner(&band, i);
            if (band.count < before) i -= i > 1 ? 2 : 1; // the corner before has another neighbour
            if (band.count > before) i += 1;
        }
        LiftOff(&band); // chords that slid too near
        SlideArcs(&band);
        // the best over-relaxation of a chain of so many links (Young 1950)
        double relaxation = 2.0 / (1.0 + HW_PI / hwFmax(band.count, 4.0));
        for (int i = 1; i + 1 < band.count; ++i) SlideCorner(&band, i, relaxation);
        double now = hwTether_GetLength((hwPolyline){band.count, points});
        idle = now < length * (1.0 - ENOUGH) ? 0 : idle + 1;
        length = hwFmin(length, now);
    }
    // over-relaxation leaves a zigzag of neighbours that plain steps take out
    for (int round = 0; round < SMOOTHING; ++round) {
        for (int i = 1; i + 1 < band.count; ++i) SlideCorner(&band, i, 1.0);
    }
    return band.count;
}

// What holds it ---------------------------------------------------------------------------------------------------------------

static int FindTouched(const hwTetherSpace* space, hwVec3 p, double radius) {
    int solid;
    double clearance = hwTetherSpace_GetClearance(space, p, 40.0 * radius, &solid, NULL);
    return clearance < 40.0 * radius ? solid : -1;
}

int hwTetherSpace_FindArcs(const hwTetherSpace* space, hwPolyline tight, double radius,
                           const double* friction, int capacity, hwTetherArc* arcs) {
    int count = 0;
    double along = 0.0;
    hwTetherArc* open = NULL;
    for (int i = 1; i + 1 < tight.count; ++i) {
        along += hwDistance(tight.points[i - 1], tight.points[i]);
        double turn = GetTurn(tight.points[i - 1], tight.points[i], tight.points[i + 1]);
        int solid = FindTouched(space, tight.points[i], radius);
        if (solid < 0) {
            open = NULL;
            continue;
        }
        if (open == NULL || open->solid != solid) {
            hwTetherArc arc = {.solid = solid, .first = i, .last = i, .at = along};
            open = NULL;
            if (count < capacity) {
                arcs[count] = arc;
                open = &arcs[count];
            }
            count += 1;
        }
        if (open == NULL) continue;
        open->last = i;
        open->angle += turn;
        int middle = (open->first + open->last) / 2;
        open->point = tight.points[middle];
        open->factor = hwTether_GetCapstan(friction != NULL ? friction[solid] : 0.0, open->angle);
    }
    return count;
}
