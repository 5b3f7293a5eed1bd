// Winding and linking numbers and words of closed polygons, by crossings of surfaces whose edges are the axes and loops.
#include "hawser/tether.h"

#include "geom/box.h"
#include "geom/triangle.h"

// Bound of the rounding error of a determinant of three differences of coordinates, over the product of their lengths:
// differences 1 u each (u = 2^-53), cross product 2 u per component and a factor sqrt(3), dot product 4 u: 14 u in all.
#define DETERMINANT_ERROR 2e-15
// Two curves nearer than this share of their size meet, as far as sums of solid angles can tell: their signs are safe by
// four orders above rounding.
#define MEETING 1e-10
#define APEX_COUNT 4

// The closed tether, point by point.
typedef struct Closed {
    hwPolyline tether, reference;
    int count;
} Closed;

static Closed Close(hwPolyline tether, hwPolyline reference) {
    Closed closed = {tether, reference, tether.count + reference.count};
    return closed;
}

static hwVec3 GetPoint(const Closed* closed, int i) {
    if (i >= closed->count) i -= closed->count;
    return i < closed->tether.count ? closed->tether.points[i]
                                    : closed->reference.points[i - closed->tether.count];
}

static bool IsFinite(hwPolyline line) {
    for (int i = 0; i < line.count; ++i) {
        if (!hwIsFiniteVec3(line.points[i])) return false;
    }
    return true;
}

// Letters found so far; null: they are only summed up.
typedef struct Letters {
    int capacity, count;
    hwTetherLetter* items;
    int feature;
} Letters;

static bool Letters_Add(Letters* letters, int sign, int segment, double at) {
    if (letters == NULL) return true;
    if (letters->count == letters->capacity) return false;
    letters->items[letters->count++] = (hwTetherLetter){letters->feature, sign, segment, at};
    return true;
}

// Axes -------------------------------------------------------------------------------------------------------------------

// Plane coordinates about an axis.
typedef struct Plane {
    hwVec3 origin, u, v;
} Plane;

static Plane MakePlane(const hwTetherAxis* axis) {
    Plane plane = {axis->point, axis->curtain, {0.0, 0.0, 0.0}};
    if (!(hwLengthSquared(plane.u) > 0.0)) plane.u = hwPerpendicular(axis->direction);
    plane.v = hwCross(axis->direction, plane.u);
    return plane;
}

typedef struct Planar {
    double x, y;
    hwVec3 d; // from the origin in space
} Planar;

static Planar Project(const Plane* plane, hwVec3 p) {
    hwVec3 d = hwSub(p, plane->origin);
    Planar at = {hwDot(plane->u, d) + 0.0, hwDot(plane->v, d) + 0.0, d};
    return at;
}

// What rounding errors go by.
static double GetSize(const Planar* at) {
    return hwLength(at->d);
}

// On which side of the origin a segment crosses the line y = 0: 1 where x > 0, -1 where x < 0, 0: not certain.
static int GetCrossing(Planar a, Planar b) {
    double sizeA = GetSize(&a), sizeB = GetSize(&b);
    double errorA = DETERMINANT_ERROR * sizeA, errorB = DETERMINANT_ERROR * sizeB;
    if (a.x > errorA && b.x > errorB) return 1;
    if (a.x < -errorA && b.x < -errorB) return -1;
    double cross = a.x * b.y - a.y * b.x, error = DETERMINANT_ERROR * (sizeA * sizeB);
    int turn = cross > error ? 1 : (cross < -error ? -1 : 0);
    return b.y >= 0.0 ? turn : -turn;
}

// Whether a segment that does not change the sign of y touches the origin within rounding: one end is there, or it runs
// along y = 0 past it.
static bool MeetsOrigin(Planar a, Planar b) {
    // without a root for most
    if (fabs(b.y) > DETERMINANT_ERROR * (1.0 + 1e-9) * (fabs(b.d.x) + fabs(b.d.y) + fabs(b.d.z)))
        return false;
    double errorA = DETERMINANT_ERROR * GetSize(&a), errorB = DETERMINANT_ERROR * GetSize(&b);
    if (fabs(b.y) > errorB) return false;
    if (fabs(b.x) <= errorB) return true;
    return fabs(a.y) <= errorA && (a.x > 0.0) != (b.x > 0.0);
}

// Signed crossings of the half-line x > 0. Points are rounded once each, and the segments between the rounded points form a
// closed polygon: only where that touches the origin within rounding does anything depend on the errors.
static bool CrossCurtain(const Closed* closed, const hwTetherAxis* axis, int* sum, Letters* letters) {
    Plane plane = MakePlane(axis);
    Planar a = Project(&plane, GetPoint(closed, 0));
    *sum = 0;
    for (int i = 0; i < closed->count; ++i) {
        Planar b = Project(&plane, GetPoint(closed, i + 1));
        bool up = b.y >= 0.0;
        if ((a.y >= 0.0) != up) {
            int side = GetCrossing(a, b);
            if (side == 0) return false;
            if (side > 0) {
                *sum += up ? 1 : -1;
                if (!Letters_Add(letters, up ? 1 : -1, i, a.y / (a.y - b.y))) return false;
            }
        } else if (MeetsOrigin(a, b)) {
            return false;
        }
        a = b;
    }
    return true;
}

hwTurnCount hwTether_CountWinding(hwPolyline tether, hwPolyline reference, const hwTetherAxis* axis) {
    Closed closed = Close(tether, reference);
    hwTurnCount turns = {0, false};
    if (!IsFinite(tether) || !IsFinite(reference) || !hwIsFiniteVec3(axis->point) ||
        !hwIsFiniteVec3(axis->direction)) {
        return turns;
    }
    if (closed.count < 2) return (hwTurnCount){0, true};
    turns.certain = CrossCurtain(&closed, axis, &turns.count, NULL);
    if (!turns.certain) turns.count = 0;
    return turns;
}

// The angle of the end less that of the start, and full turns where the half-line x < 0, at which angles jump, is crossed.
static double SweepLine(hwPolyline tether, const Plane* plane, bool* certain) {
    Planar first = Project(plane, tether.points[0]), a = first;
    int turns = 0;
    for (int i = 1; i < tether.count; ++i) {
        Planar b = Project(plane, tether.points[i]);
        bool up = b.y >= 0.0;
        if ((a.y >= 0.0) != up) {
            int side = GetCrossing(a, b);
            if (side == 0) *certain = false;
            if (side < 0) turns += up ? -1 : 1;
        } else if (MeetsOrigin(a, b)) {
            *certain = false;
        }
        a = b;
    }
    if (MeetsOrigin(first, first)) *certain = false; // an end on the axis has no angle
    return hwAtan2(a.y, a.x) - hwAtan2(first.y, first.x) + 2.0 * HW_PI * turns;
}

// Only the pieces of segments beside the axis, each less than half a turn.
static double SweepPiece(hwPolyline tether, const Plane* plane, const hwTetherAxis* axis, bool* certain) {
    double sum = 0.0;
    for (int i = 0; i + 1 < tether.count; ++i) {
        hwVec3 p = tether.points[i], q = tether.points[i + 1];
        double zp = hwDot(axis->direction, hwSub(p, axis->point));
        double zq = hwDot(axis->direction, hwSub(q, axis->point));
        double low = 0.0, high = 1.0, rise = zq - zp;
        if (rise == 0.0) {
            if (zp < axis->from || zp > axis->to) continue;
        } else {
            double s = (axis->from - zp) / rise, t = (axis->to - zp) / rise;
            low = hwFmax(low, hwFmin(s, t));
            high = hwFmin(high, hwFmax(s, t));
            if (!(low < high)) continue;
        }
        Planar a = Project(plane, hwMulAdd(p, low, hwSub(q, p)));
        Planar b = Project(plane, hwMulAdd(p, high, hwSub(q, p)));
        double cross = a.x * b.y - a.y * b.x, dot = a.x * b.x + a.y * b.y;
        if (dot <= 0.0 && fabs(cross) <= DETERMINANT_ERROR * (GetSize(&a) * GetSize(&b))) *certain = false;
        sum += hwAtan2(cross, dot);
    }
    return sum;
}

double hwTether_GetSweptAngle(hwPolyline tether, const hwTetherAxis* axis, bool* certain) {
    bool ignored, *sure = certain != NULL ? certain : &ignored;
    *sure = IsFinite(tether);
    if (tether.count < 2 || !*sure) return 0.0;
    Plane plane = MakePlane(axis);
    bool whole = axis->from == -HUGE_VAL && axis->to == HUGE_VAL;
    return whole ? SweepLine(tether, &plane, sure) : SweepPiece(tether, &plane, axis, sure);
}

// Loops ------------------------------------------------------------------------------------------------------------------

static int GetSign(double value, double error) {
    return value > error ? 1 : (value < -error ? -1 : 0);
}

// det(q - p, v - p, w - p)
static int GetOrientation(hwVec3 p, hwVec3 q, hwVec3 v, hwVec3 w) {
    hwVec3 a = hwSub(q, p), b = hwSub(v, p), c = hwSub(w, p);
    double size = hwLength(a) * hwLength(b) * hwLength(c);
    return GetSign(hwDot(a, hwCross(b, c)), DETERMINANT_ERROR * size);
}

// Whether the segment p q, whose ends are on either side of the plane through the apex (the origin), b and c, passes through
// their triangle: 1 yes, 0 no, -1 not certain.
static int PassesTriangle(hwVec3 p, hwVec3 q, hwVec3 b, hwVec3 c) {
    hwVec3 u = hwCross(p, q);
    double size = DETERMINANT_ERROR * (hwLength(p) * hwLength(q));
    int atB = GetSign(hwDot(u, b), size * hwLength(b)), atC = GetSign(hwDot(u, c), size * hwLength(c));
    if (atB * atC > 0) return 0;
    int edge = GetOrientation(p, q, b, c);
    // through it: the segment passes its three edges on the same side
    if (atB * edge < 0 || atC * edge > 0) return 0;
    return atB * atC * edge != 0 ? 1 : -1;
}

static double GetReach(const Closed* closed, hwVec3 apex) {
    double most = 0.0;
    for (int i = 0; i < closed->count; ++i)
        most = hwFmax(most, hwLengthSquared(hwSub(GetPoint(closed, i), apex)));
    return sqrt(most);
}

// Segments of the closed tether that come near a loop: few, and each of its triangles looks at these alone.
#define MOST_NEAR 256

typedef struct Near {
    int count; // -1: too many, all are looked at
    int segments[MOST_NEAR];
} Near;

// Those whose boxes, seen from the apex, meet the box of all triangles, which holds the box of each.
static void FindNear(const Closed* closed, hwPolyline loop, hwVec3 apex, Near* near) {
    hwBox all = hwBox_AddPoint(hwBox_Empty(), hwVec3_zero);
    for (int j = 0; j < loop.count; ++j) all = hwBox_AddPoint(all, hwSub(loop.points[j], apex));
    near->count = 0;
    hwVec3 p = hwSub(GetPoint(closed, 0), apex);
    for (int i = 0; i < closed->count; ++i) {
        hwVec3 q = hwSub(GetPoint(closed, i + 1), apex);
        hwBox own = hwBox_OfSegment(p, q);
        p = q;
        if (!hwBox_Overlaps(&own, &all)) continue;
        if (near->count == MOST_NEAR) {
            near->count = -1;
            return;
        }
        near->segments[near->count++] = i;
    }
}

// The triangle that joins an edge of a loop to the apex, the origin.
typedef struct Triangle {
    hwVec3 b, c, normal;
    hwBox box;
    double error;
} Triangle;

// Signed crossing of a triangle by a segment from p to q, its number i. False: not certain.
static bool CrossTriangle(const Triangle* t, hwVec3 p, hwVec3 q, int i, int* sum, Letters* letters) {
    int sideP = GetSign(hwDot(t->normal, p), t->error), sideQ = GetSign(hwDot(t->normal, q), t->error);
    if (sideP * sideQ > 0) return true;
    hwBox own = hwBox_OfSegment(p, q);
    bool moves = p.x != q.x || p.y != q.y || p.z != q.z;
    // an edge that meets itself at the apex spans nothing
    if (!moves || !hwBox_Overlaps(&own, &t->box) || !(hwLengthSquared(hwSub(t->b, t->c)) > 0.0)) return true;
    int passes = PassesTriangle(p, q, t->b, t->c);
    if (passes < 0 || (passes > 0 && sideP * sideQ == 0)) return false;
    if (passes == 0) return true;
    double fp = hwDot(t->normal, p), fq = hwDot(t->normal, q);
    *sum += sideQ;
    return Letters_Add(letters, sideQ, i, fp / (fp - fq));
}

// Signed crossings of the triangles that join the loop's edges to an apex. False: not certain.
static bool CrossCone(const Closed* closed, hwPolyline loop, hwVec3 apex, int* sum, Letters* letters) {
    Near near;
    FindNear(closed, loop, apex, &near);
    *sum = 0;
    if (near.count == 0) return true;
    double reach = GetReach(closed, apex);
    int count = near.count < 0 ? closed->count : near.count;
    Triangle t = {.b = hwSub(loop.points[loop.count - 1], apex)};
    for (int j = 0; j < loop.count; ++j) {
        t.c = hwSub(loop.points[j], apex);
        t.normal = hwCross(t.b, t.c);
        t.error = DETERMINANT_ERROR * reach * (hwLength(t.b) * hwLength(t.c));
        t.box = hwBox_AddPoint(hwBox_OfSegment(t.b, t.c), hwVec3_zero);
        for (int k = 0; k < count; ++k) {
            int i = near.count < 0 ? k : near.segments[k];
            hwVec3 p = hwSub(GetPoint(closed, i), apex), q = hwSub(GetPoint(closed, i + 1), apex);
            if (!CrossTriangle(&t, p, q, i, sum, letters)) return false;
        }
        t.b = t.c;
    }
    return true;
}

static hwBox GetBox(hwPolyline line, hwBox box) {
    for (int i = 0; i < line.count; ++i) box = hwBox_AddPoint(box, line.points[i]);
    return box;
}

// Apexes at and near the loop's centre, at places that no model has on purpose.
static hwVec3 GetApex(hwPolyline loop, const hwBox* box, int number) {
    static const double shares[APEX_COUNT][3] = {{0.0, 0.0, 0.0},
                                                 {0.013477, -0.021913, 0.017351},
                                                 {-0.087191, 0.064373, 0.104729},
                                                 {0.251937, 0.193741, -0.227153}};
    hwVec3 centre = hwVec3_zero, size = hwSub(box->high, box->low);
    for (int i = 0; i < loop.count; ++i) centre = hwMulAdd(centre, 1.0 / loop.count, loop.points[i]);
    double most = hwFmax(size.x, hwFmax(size.y, size.z));
    return hwMulAdd(centre, most, hwMakeVec3(shares[number][0], shares[number][1], shares[number][2]));
}

// Solid angle of the triangle a b c seen from the origin, signed.
static double GetSolidAngle(hwVec3 a, hwVec3 b, hwVec3 c) {
    double la = hwLength(a), lb = hwLength(b), lc = hwLength(c);
    double numerator = hwDot(a, hwCross(b, c));
    double denominator = la * lb * lc + hwDot(a, b) * lc + hwDot(b, c) * la + hwDot(c, a) * lb;
    return 2.0 * hwAtan2(numerator, denominator);
}

// The differences of the points of two segments fill a parallelogram, and 4 pi times the linking number is the sum of the
// solid angles of all of them.
double hwTether_ComputeLinking(hwPolyline tether, hwPolyline reference, hwPolyline loop) {
    Closed closed = Close(tether, reference);
    double sum = 0.0;
    for (int i = 0; i < closed.count; ++i) {
        hwVec3 p = GetPoint(&closed, i), q = GetPoint(&closed, i + 1);
        for (int j = 0; j < loop.count; ++j) {
            hwVec3 b = loop.points[j], c = loop.points[j + 1 < loop.count ? j + 1 : 0];
            hwVec3 pb = hwSub(p, b), pc = hwSub(p, c), qb = hwSub(q, b), qc = hwSub(q, c);
            sum += GetSolidAngle(pb, pc, qc) + GetSolidAngle(pb, qc, qb);
        }
    }
    return sum / (4.0 * HW_PI);
}

static double GetSeparation(const Closed* closed, hwPolyline loop) {
    double least = HUGE_VAL, s, t;
    for (int i = 0; i < closed->count; ++i) {
        for (int j = 0; j < loop.count; ++j) {
            double d2 = hwSegments_GetNearest(GetPoint(closed, i), GetPoint(closed, i + 1), loop.points[j],
                                              loop.points[j + 1 < loop.count ? j + 1 : 0], &s, &t);
            least = hwFmin(least, d2);
        }
    }
    return sqrt(least);
}

static bool CrossLoop(const Closed* closed, hwPolyline loop, const hwBox* all, int* sum, Letters* letters) {
    if (!IsFinite(loop)) return false;
    hwBox box = GetBox(loop, hwBox_Empty());
    *sum = 0;
    if (!hwBox_Overlaps(&box, all)) return true;
    int start = letters != NULL ? letters->count : 0;
    for (int k = 0; k < APEX_COUNT; ++k) {
        hwVec3 apex = GetApex(loop, &box, k);
        if (CrossCone(closed, loop, apex, sum, letters)) return true;
        if (letters == NULL) continue;
        if (letters->count == letters->capacity) return false;
        letters->count = start;
    }
    return false;
}

hwTurnCount hwTether_CountLinking(hwPolyline tether, hwPolyline reference, hwPolyline loop) {
    Closed closed = Close(tether, reference);
    hwTurnCount turns = {0, false};
    if (!IsFinite(tether) || !IsFinite(reference) || !IsFinite(loop)) return turns;
    if (closed.count < 3 || loop.count < 3) return (hwTurnCount){0, true};
    hwBox all = GetBox(tether, GetBox(reference, hwBox_Empty()));
    turns.certain = CrossLoop(&closed, loop, &all, &turns.count, NULL);
    if (turns.certain) return turns;
    hwBox box = GetBox(loop, GetBox(tether, GetBox(reference, hwBox_Empty())));
    double sum = hwTether_ComputeLinking(tether, reference, loop), whole = floor(sum + 0.5);
    turns.count = 0;
    if (fabs(sum - whole) < 1e-6 && // solid angles add up to 1e-12 of an integer unless curves meet
        GetSeparation(&closed, loop) > MEETING * hwDistance(box.low, box.high)) {
        turns.count = (int)whole;
        turns.certain = true;
    }
    return turns;
}

// Words ------------------------------------------------------------------------------------------------------------------

static bool IsBefore(const hwTetherLetter* a, const hwTetherLetter* b) {
    return a->segment < b->segment || (a->segment == b->segment && a->at < b->at);
}

// Sorts crossings by place (they are few) and takes out neighbours that cancel; -1: which of two comes first is not certain.
static int ReduceLetters(int total, hwTetherLetter* letters) {
    for (int i = 1; i < total; ++i) {
        hwTetherLetter letter = letters[i];
        int k = i;
        for (; k > 0 && IsBefore(&letter, &letters[k - 1]); --k) letters[k] = letters[k - 1];
        letters[k] = letter;
    }
    for (int i = 1; i < total; ++i) {
        if (letters[i].segment == letters[i - 1].segment && letters[i].feature != letters[i - 1].feature &&
            letters[i].at - letters[i - 1].at < 1e-12) {
            return -1;
        }
    }
    int count = 0;
    for (int i = 0; i < total; ++i) {
        if (count > 0 && letters[count - 1].feature == letters[i].feature &&
            letters[count - 1].sign == -letters[i].sign) {
            count -= 1;
        } else {
            letters[count++] = letters[i];
        }
    }
    return count;
}

int hwTether_CountAll(hwPolyline tether, hwPolyline reference, int featureCount,
                      const hwTetherFeature* features, hwTurnCount* counts, int capacity,
                      hwTetherLetter* letters) {
    Closed closed = Close(tether, reference);
    Letters found = {capacity, 0, letters, 0};
    bool finite = IsFinite(tether) && IsFinite(reference), known = finite;
    hwBox all = GetBox(tether, GetBox(reference, hwBox_Empty()));
    for (int f = 0; f < featureCount; ++f) {
        const hwTetherFeature* feature = &features[f];
        hwTurnCount count = {0, finite};
        int start = found.count;
        found.feature = f;
        if (finite && closed.count >= 2 && feature->isAxis) {
            count.certain = CrossCurtain(&closed, &feature->axis, &count.count, &found);
        } else if (finite && closed.count >= 3 && feature->loop.count >= 3) {
            count.certain = CrossLoop(&closed, feature->loop, &all, &count.count, &found);
        }
        if (!count.certain) {
            // numbers may be certain where the order of crossings is not
            known = false;
            found.count = start;
            count = feature->isAxis ? hwTether_CountWinding(tether, reference, &feature->axis)
                                    : hwTether_CountLinking(tether, reference, feature->loop);
        }
        if (counts != NULL) counts[f] = count;
    }
    return known ? ReduceLetters(found.count, letters) : -1;
}

int hwTether_ReduceWord(hwPolyline tether, hwPolyline reference, int featureCount,
                        const hwTetherFeature* features, int capacity, hwTetherLetter* letters) {
    return hwTether_CountAll(tether, reference, featureCount, features, NULL, capacity, letters);
}
