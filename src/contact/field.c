#include "contact/field.h"

#include "geom/triangle.h"
#include "math/lanes.h"

#include <math.h>

// Signed distances ---------------------------------------------------------------------------------------------------------

static double ClipPolygon(double x, double limit) {
    return x < -limit ? -limit : (x > limit ? limit : x);
}

// Distance from a core point, with the direction `fallback` where they coincide.
static double FromCore(hwVec3 d, double radius, hwVec3 fallback, hwVec3* normal) {
    double length = hwLength(d);
    *normal = length > 0.0 ? hwScale(1.0 / length, d) : fallback;
    return length - radius;
}

static double MeasureBox(hwVec3 half, double radius, hwVec3 x, hwVec3* normal) {
    hwVec3 near = hwMakeVec3(ClipPolygon(x.x, half.x), ClipPolygon(x.y, half.y), ClipPolygon(x.z, half.z));
    hwVec3 d = hwSub(x, near);
    if (d.x != 0.0 || d.y != 0.0 || d.z != 0.0) return FromCore(d, radius, d, normal);
    double fx = fabs(x.x) - half.x, fy = fabs(x.y) - half.y, fz = fabs(x.z) - half.z;
    if (fx >= fy && fx >= fz) {
        *normal = hwMakeVec3(x.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0);
        return fx - radius;
    }
    if (fy >= fz) {
        *normal = hwMakeVec3(0.0, x.y < 0.0 ? -1.0 : 1.0, 0.0);
        return fy - radius;
    }
    *normal = hwMakeVec3(0.0, 0.0, x.z < 0.0 ? -1.0 : 1.0);
    return fz - radius;
}

static double MeasureCylinder(hwVec3 half, double radius, hwVec3 x, hwVec3* normal) {
    double rho = sqrt(x.x * x.x + x.y * x.y), side = rho - half.x, top = fabs(x.z) - half.z;
    hwVec3 out = rho > 0.0 ? hwMakeVec3(x.x / rho, x.y / rho, 0.0) : hwMakeVec3(1.0, 0.0, 0.0);
    hwVec3 up = hwMakeVec3(0.0, 0.0, x.z < 0.0 ? -1.0 : 1.0);
    if (side > 0.0 && top > 0.0)
        return FromCore(hwAdd(hwScale(side, out), hwScale(top, up)), radius, up, normal);
    *normal = side > top ? out : up;
    return hwMax(side, top) - radius;
}

// Whether the point, on the plane of the face, lies within its polygon.
static bool IsInFace(const hwHull* hull, int face, hwVec3 x) {
    const int* ring = hull->faceVertices + hull->faceStart[face];
    int count = hull->faceStart[face + 1] - hull->faceStart[face];
    hwVec3 n = hull->planes[face].normal;
    for (int k = 0; k < count; ++k) {
        hwVec3 a = hull->vertices[ring[k]], b = hull->vertices[ring[k + 1 < count ? k + 1 : 0]];
        if (hwDot(hwCross(n, hwSub(b, a)), hwSub(x, a)) < 0.0) return false;
    }
    return true;
}

static double MeasureHull(const hwConvex* convex, hwVec3 x, hwVec3* normal) {
    const hwHull* hull = convex->hull;
    double highest = -HUGE_VAL;
    int face = 0;
    for (int f = 0; f < hull->faceCount; ++f) {
        double h = hwDot(hull->planes[f].normal, x) - hull->planes[f].offset;
        if (h > highest) {
            highest = h;
            face = f;
        }
    }
    *normal = hull->planes[face].normal;
    if (highest <= 0.0 || IsInFace(hull, face, hwMulAdd(x, -highest, *normal)))
        return highest - convex->radius;
    hwConvex point = hwMakeSphere(0.0);
    hwPose place = {x, hwQuat_identity};
    hwClosest closest = hwConvex_FindClosest(convex, hwPose_identity, &point, place, NULL);
    if (closest.distance <= 0.0) return highest - convex->radius; // within rounding of the surface
    *normal = closest.normal;
    return closest.distance;
}

double hwConvex_Measure(const hwConvex* convex, hwVec3 x, hwVec3* normal) {
    static const hwVec3 up = {0.0, 0.0, 1.0}, aside = {1.0, 0.0, 0.0};
    switch (convex->kind) {
    case HW_CONVEX_POINT:
        return FromCore(x, convex->radius, up, normal);
    case HW_CONVEX_SEGMENT:
        return FromCore(hwMakeVec3(x.x, x.y, x.z - ClipPolygon(x.z, convex->half.z)), convex->radius, aside,
                        normal);
    case HW_CONVEX_BOX:
        return MeasureBox(convex->half, convex->radius, x, normal);
    case HW_CONVEX_CYLINDER:
        return MeasureCylinder(convex->half, convex->radius, x, normal);
    case HW_CONVEX_TRIANGLE: {
        const hwVec3* c = convex->corner;
        hwVec3 d = hwSub(x, hwTriangle_GetNearest(c[0], c[1], c[2], x));
        return FromCore(d, convex->radius, hwNormalize(hwCross(hwSub(c[1], c[0]), hwSub(c[2], c[0]))),
                        normal);
    }
    case HW_CONVEX_HULL:
        return MeasureHull(convex, x, normal);
    }
    *normal = up;
    return HUGE_VAL;
}

// What samples of one line by the triangles of a mesh have found: on the way from there to the next none can have come nearer by more
// than the way, so most are farther than the nearest one.
#define MOST_KNOWN 64

typedef struct Known {
    int nearest; // the triangle that was it last
    double length;
    double u[MOST_KNOWN], distance[MOST_KNOWN]; // [triangle] m; -1: not known
} Known;

static void Forget(Known* known, const hwField* field, double length) {
    known->nearest = 0;
    known->length = length;
    for (int k = 0; k < field->triangleCount && k < MOST_KNOWN; ++k) known->distance[k] = -1.0;
}

static bool IsFarther(const Known* known, int k, double u, double near) {
    double distance = known->distance[k];
    return distance >= 0.0 &&
           distance - fabs(u - known->u[k]) * known->length > near + 1e-9 * (near + known->length);
}

// The nearest of some triangles of a mesh, which tells the side too; where several share the nearest point, the one that
// faces it most (Baerentzen & Aanaes 2005). `known` may be null, else x is at u of its line.
static double MeasureTriangles(const hwField* field, hwVec3 x, Known* known, double u, hwVec3* normal) {
    double best = field->reach > 0.0 ? field->reach * field->reach : HUGE_VAL, facing = -1.0, side = 1.0;
    double near = sqrt(best);
    bool choosy = hwLengthSquared(field->facing) > 0.0, found = false;
    hwVec3 push = hwVec3_zero;
    int first = known != NULL ? known->nearest : 0;
    for (int i = 0; i < field->triangleCount; ++i) {
        int k = i == 0 ? first : (i <= first ? i - 1 : i); // the last one's nearest before the others
        if (known != NULL && IsFarther(known, k, u, near)) continue;
        const hwVec3* t = field->triangles[k];
        hwVec3 d = hwSub(x, hwTriangle_GetNearest(t[0], t[1], t[2], x));
        double square = hwDot(d, d);
        if (known != NULL) {
            known->u[k] = u;
            known->distance[k] = sqrt(square);
        }
        if (square > best * (1.0 + 1e-9) + 1e-30) continue;
        hwVec3 n = hwNormalize(hwCross(hwSub(t[1], t[0]), hwSub(t[2], t[0])));
        double length = sqrt(square), f = hwDot(n, d), s = f < 0.0 ? -1.0 : 1.0;
        hwVec3 out = length > 1e-12 ? hwScale(s / length, d) : n;
        if (choosy && hwDot(out, field->facing) < HW_SAME_SIDE) continue;
        double squarely = length > 1e-12 ? fabs(f) / length : 1.0;
        bool same = found && square > best * (1.0 - 1e-9) - 1e-30;
        if (same && squarely <= facing) continue;
        best = same ? hwMin(best, square) : square;
        near = sqrt(best);
        found = true;
        facing = squarely;
        side = s;
        push = out;
        if (known != NULL) known->nearest = k;
    }
    *normal = push;
    return found ? side * near : HUGE_VAL;
}

// In the body's frame.
static double Measure(const hwField* field, hwVec3 x, Known* known, double u, hwVec3* normal) {
    *normal = hwVec3_zero;
    if (field->convex != NULL) return hwConvex_Measure(field->convex, x, normal);
    if (field->triangleCount == 0) return hwMesh_Measure(field->tree, x, field->reach, field->facing, normal);
    return MeasureTriangles(field, x, known, u, normal);
}

double hwField_Measure(const hwField* field, hwVec3 x, hwVec3* normal) {
    hwVec3 n;
    double d = Measure(field, hwMulTV(field->r, hwSub(x, field->p)), NULL, 0.0, &n);
    *normal = hwMulMV(field->r, n);
    return d;
}

// Lines --------------------------------------------------------------------------------------------------------------------

// Of a circle of radius 1 that is cut `x` deep, s the half width: (asin s - s (1 - x)) / (s x) up to x = 1/4, to 6e-16 of it, by
// interpolation at Chebyshev's points. The difference would lose digits, and a sine's inverse takes longer.
#define SHALLOW 0.25

static const double shallowCut[10] = {1.3333333333333328,    0.13333333333367792,   0.05714285709751176,
                                      0.025396827705185938,  0.011543952069768139,  0.005328881453169696,
                                      0.0024785990160435772, 0.0012125951127445781, 0.00041735297778960017,
                                      0.0004942809570927654};

static double GetShallowCut(double x) {
    const double* c = shallowCut;
    double x2 = x * x;
    double even = c[0] + x2 * (c[2] + x2 * (c[4] + x2 * (c[6] + x2 * c[8])));
    double odd = c[1] + x2 * (c[3] + x2 * (c[5] + x2 * (c[7] + x2 * c[9])));
    return even + x * odd;
}

// Of four cuts that are shallow: s x times that.
static hwV4 GetShallowCuts(hwV4 x, hwV4 s) {
    hwV4 x2 = x * x, even = Set4(shallowCut[8]), odd = Set4(shallowCut[9]);
    for (int k = 6; k >= 0; k -= 2) {
        even = Set4(shallowCut[k]) + x2 * even;
        odd = Set4(shallowCut[k + 1]) + x2 * odd;
    }
    return s * x * (even + x * odd);
}

// Area of the segment of a circle with the half width s radius, cut x radius deep, by its radius squared.
static double GetCut(double x, double s) {
    return x < SHALLOW ? s * x * GetShallowCut(x) : hwAsin(s) - s * (1.0 - x);
}

double hwCircle_Cut(double radius, double depth, double* width) {
    if (depth >= radius) {
        *width = 2.0 * radius;
        return 0.5 * HW_PI * radius * radius + 2.0 * radius * (depth - radius);
    }
    double x = depth / radius; // 1 - cosine of half the angle
    double s = sqrt(x * (2.0 - x));
    *width = 2.0 * radius * s;
    return radius * radius * GetCut(x, s);
}

// The line in a field, in the body's frame: distance and slope at a place u, 0..1.
typedef struct Line {
    const hwField* field;
    hwVec3 p, d;
    double length;
    Known* known;
} Line;

typedef struct Sample {
    double u, distance, slope; // slope by u
    hwVec3 normal;
} Sample;

static Line MakeLine(const hwField* field, hwVec3 p, hwVec3 q, Known* known) {
    hwVec3 d = hwSub(q, p);
    double length = hwLength(d);
    if (field->triangleCount == 0 || field->triangleCount > MOST_KNOWN) known = NULL;
    if (known != NULL) Forget(known, field, length);
    return (Line){field, hwMulTV(field->r, hwSub(p, field->p)), hwMulTV(field->r, d), length, known};
}

static Sample TakeSample(const Line* line, double u) {
    Sample s = {.u = u};
    s.distance = Measure(line->field, hwMulAdd(line->p, u, line->d), line->known, u, &s.normal);
    s.slope = hwDot(s.normal, line->d);
    if (s.distance ==
        HUGE_VAL) { // beyond reach: nothing is known but that it may come nearer towards the middle
        s.distance = line->field->reach;
        s.slope = u < 0.5 ? -line->length : line->length;
    }
    return s;
}

// The place nearest to the body: a zero of the slope, which grows along the line. The lower bound that the tangents at
// both ends give ends the search where the line is farther than `radius`, or, inside, where the bound shows that all of
// the depth but `share` is found.
static Sample FindNearest(const Line* line, Sample a, Sample b, double radius, double share) {
    if (a.slope >= 0.0) return a;
    if (b.slope <= 0.0) return b;
    Sample best = a.distance < b.distance ? a : b;
    for (int i = 0; i < 40; ++i) {
        // tangents of a convex function meet below it
        double meet = (b.distance - a.distance + a.slope * a.u - b.slope * b.u) / (a.slope - b.slope);
        double bound = a.distance + a.slope * (meet - a.u);
        if (bound >= radius ||
            best.distance - bound <= hwMax(1e-7 * radius, share * (radius - best.distance)))
            break;
        // smooth surfaces by the secant of the slope, edges by the tangents, the rest by halves
        double u = meet;
        if (i % 3 == 0) u = a.u - a.slope * (b.u - a.u) / (b.slope - a.slope);
        if (i % 3 == 2) u = 0.5 * (a.u + b.u);
        double inner = 0.02 * (b.u - a.u);
        Sample s = TakeSample(line, hwClamp(u, a.u + inner, b.u - inner));
        if (s.distance < best.distance) best = s;
        if (s.slope == 0.0) break;
        *(s.slope < 0.0 ? &a : &b) = s;
        if ((b.u - a.u) * line->length <= 1e-6 * radius) break;
    }
    return best;
}

// Where the line comes within `radius`, between `inside` and `outside`: by the parabola through both with the slope
// inside. Exact, because statics needs forces that are smooth functions of place.
static double FindEnd(const Line* line, Sample inside, Sample outside, double radius) {
    if (outside.distance <= radius) return outside.u;
    double enough = 1e-8 * (radius - inside.distance);
    for (int i = 0; i < 30 && outside.distance - radius > enough; ++i) {
        double way = outside.u - inside.u, side = way < 0.0 ? -1.0 : 1.0, depth = radius - inside.distance;
        double slope = side * inside.slope;
        double rise = (outside.distance - inside.distance) / (way * way) - slope / fabs(way);
        double root = slope * slope + 4.0 * hwMax(rise, 0.0) * depth;
        double step = 2.0 * depth / (slope + sqrt(root));
        if (!(step > 0.0)) step = 0.5 * fabs(way);
        if (i % 4 == 3) step = 0.5 * fabs(way);
        Sample s = TakeSample(line, inside.u + side * hwClamp(step, 0.01 * fabs(way), 0.99 * fabs(way)));
        if (s.distance > radius) {
            outside = s;
        } else {
            if (radius - s.distance <= enough) return s.u;
            inside = s;
        }
    }
    return outside.u;
}

// The same in closed form of bodies that are round about a point or an axis: a line that does not go along the axis has the
// distance rho from it, rho^2 = low^2 + (u - at)^2 speed^2. On the side of a cylinder or capsule the distance from the body is
// rho - reach, elsewhere more.
typedef struct Round {
    bool all;    // a ball: about a point, in all directions
    double half; // of a side's length
    double core; // the radius of the body
    double at, low, speed;
} Round;

#define ALONG 1e-6 // of the square of its length: a line that moves less across the axis goes along it

static bool FindRound(const Line* line, Round* round) {
    const hwConvex* convex = line->field->convex;
    if (convex == NULL) return false;
    bool cylinder = convex->kind == HW_CONVEX_CYLINDER;
    round->all = convex->kind == HW_CONVEX_POINT;
    if (!round->all && !cylinder && convex->kind != HW_CONVEX_SEGMENT) return false;
    hwVec3 p = line->p, d = line->d;
    if (!round->all) p.z = d.z = 0.0;
    double square = hwLengthSquared(d);
    if (!(square > ALONG * line->length * line->length)) return false;
    round->half = convex->half.z;
    round->core = cylinder ? convex->half.x + convex->radius : convex->radius;
    round->at = -hwDot(p, d) / square;
    round->speed = sqrt(square);
    round->low = hwLength(hwCross(p, d)) / round->speed;
    return true;
}

// Of the line's part between two places, whose nearest point to the axis is `low` from it: whether it is beside the side of the body,
// and inside nearer to that than to the ends.
static bool IsBeside(const Line* line, const Round* round, double from, double to, double low) {
    if (!(low > 1e-9 * round->core)) return false; // on the axis there is no direction
    if (round->all) return true;
    double z = hwMax(fabs(line->p.z + from * line->d.z), fabs(line->p.z + to * line->d.z));
    double end = z - round->half, side = low - (round->core - line->field->convex->radius);
    return end <= (line->field->convex->kind == HW_CONVEX_CYLINDER ? hwMin(side, 0.0) : 0.0);
}

// Nearest place of the line to the axis, and its distance from that.
static double FindLowest(const Round* round, double* low) {
    double u = hwClamp(round->at, 0.0, 1.0), way = (u - round->at) * round->speed;
    *low = way == 0.0 ? round->low : sqrt(round->low * round->low + way * way);
    return u;
}

hwLinePoint hwField_FindNearest(const hwField* field, hwVec3 p, hwVec3 q, double radius) {
    Known known;
    Line line = MakeLine(field, p, q, &known);
    Round round;
    if (FindRound(&line, &round)) {
        double low, u = FindLowest(&round, &low);
        if (IsBeside(&line, &round, u, u, low)) {
            hwVec3 x = hwMulAdd(line.p, u, line.d);
            if (!round.all) x.z = 0.0;
            return (hwLinePoint){u, low - round.core, hwMulMV(field->r, hwScale(1.0 / hwLength(x), x))};
        }
    }
    Sample s = TakeSample(&line, 0.0);
    hwLinePoint none = {0.0, HUGE_VAL, hwVec3_zero};
    if (s.distance > radius + line.length) return none;
    Sample b = TakeSample(&line, 1.0);
    if (s.distance + b.distance > 2.0 * radius + line.length) return none;
    s = FindNearest(&line, s, b, radius, 0.0);
    if (hwLengthSquared(s.normal) == 0.0) return none;
    hwLinePoint point = {s.u, s.distance, hwMulMV(field->r, s.normal)};
    return point;
}

#define POINTS 4
static const double gaussPlace[POINTS] = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813,
                                          0.93056815579702629};
static const double gaussWeight[POINTS] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                                           0.17392742256872693};

static double GetDeviation(double square, double mean) {
    return sqrt(hwMax(square - mean * mean, 0.0));
}

// Integrals over the part of a line that overlaps, by Gauss' rule; normal and point in the body's frame.
typedef struct Sums {
    double volume, area, at[2], areaAt[2], depths;
    hwVec3 normal, point;
} Sums;

static void SumSamples(const Line* line, double from, double to, double radius, Sums* sums) {
    for (int k = 0; k < POINTS; ++k) {
        Sample s = TakeSample(line, from + gaussPlace[k] * (to - from));
        double depth = radius - s.distance, width;
        if (!(depth > 0.0)) continue;
        double cut = gaussWeight[k] * hwCircle_Cut(radius, depth, &width);
        width *= gaussWeight[k];
        sums->volume += cut;
        sums->area += width;
        sums->at[0] += cut * s.u, sums->at[1] += cut * s.u * s.u;
        sums->areaAt[0] += width * s.u, sums->areaAt[1] += width * s.u * s.u;
        // the middle of a shallow segment is 0.4 of the depth from its chord, its energy is that of its own springs
        sums->depths += cut * 0.4 * depth;
        sums->normal = hwMulAdd(sums->normal, cut, s.normal);
        hwVec3 middle = hwMulAdd(hwMulAdd(line->p, s.u, line->d), -(radius - 0.6 * depth), s.normal);
        sums->point = hwMulAdd(sums->point, cut, middle);
    }
}

static double Sum4(hwV4 v) {
    return ((v[0] + v[1]) + v[2]) + v[3];
}

// The same beside a round body, all four places at once.
static void SumRound(const Line* line, const Round* round, double from, double to, double radius,
                     Sums* sums) {
    hwV4 u = Set4(from) + Load4(gaussPlace) * Set4(to - from);
    hwV4x3 d = {Set4(line->d.x), Set4(line->d.y), Set4(line->d.z)};
    hwV4x3 x = {Set4(line->p.x), Set4(line->p.y), Set4(line->p.z)};
    x = MulAdd4(x, u, d);
    hwV4x3 out = x;
    if (!round->all) out.z = Set4(0.0);
    hwV4 rho = Sqrt4(Dot4(out, out));
    hwV4 depth = Positive4(Set4(round->core + radius) - rho), part = depth / Set4(radius), width, cut;
    hwV4 s = Sqrt4(Positive4(part * (Set4(2.0) - part)));
    if (part[0] < SHALLOW && part[1] < SHALLOW && part[2] < SHALLOW && part[3] < SHALLOW) {
        width = Set4(2.0 * radius) * s;
        cut = Set4(radius * radius) * GetShallowCuts(part, s);
    } else {
        for (int k = 0; k < POINTS; ++k) {
            double own;
            cut[k] = hwCircle_Cut(radius, depth[k], &own);
            width[k] = own;
        }
    }
    cut *= Load4(gaussWeight);
    width *= Load4(gaussWeight);
    hwV4x3 normal = Scale4(Set4(1.0) / rho, out);
    hwV4x3 middle = MulAdd4(x, Set4(0.6) * depth - Set4(radius), normal);
    hwV4 moment = cut * u, areaMoment = width * u;
    normal = Scale4(cut, normal);
    middle = Scale4(cut, middle);
    *sums = (Sums){.volume = Sum4(cut),
                   .area = Sum4(width),
                   .at = {Sum4(moment), Sum4(moment * u)},
                   .areaAt = {Sum4(areaMoment), Sum4(areaMoment * u)},
                   .depths = 0.4 * Sum4(cut * depth),
                   .normal = {Sum4(normal.x), Sum4(normal.y), Sum4(normal.z)},
                   .point = {Sum4(middle.x), Sum4(middle.y), Sum4(middle.z)}};
}

// The part of a line that overlaps, and how deep it comes.
typedef struct Reach {
    double from, to, depth;
} Reach;

// False: none.
static bool FindReach(const Line* line, double radius, Reach* reach) {
    Sample a = TakeSample(line, 0.0);
    if (a.distance > radius + line->length) return false;
    Sample b = TakeSample(line, 1.0);
    if (a.distance + b.distance > 2.0 * radius + line->length) return false;
    // what the overlap is integrated over depends on its ends only
    Sample nearest = FindNearest(line, a, b, radius, 0.1);
    if (!(nearest.distance < radius)) return false;
    *reach = (Reach){FindEnd(line, nearest, a, radius), FindEnd(line, nearest, b, radius),
                     radius - nearest.distance};
    return true;
}

// Of a round body, the side of which reaches to infinity: no less than there is, and just that where it is beside the side.
static bool FindRoundReach(const Round* round, double radius, Reach* reach, double* low) {
    double whole = round->core + radius, under = (whole - round->low) * (whole + round->low);
    if (!(under > 0.0)) return false;
    double half = sqrt(under) / round->speed;
    reach->from = hwMax(round->at - half, 0.0);
    reach->to = hwMin(round->at + half, 1.0);
    FindLowest(round, low);
    reach->depth = whole - *low;
    return reach->to > reach->from;
}

bool hwField_OverlapLine(const hwField* field, hwVec3 p, hwVec3 q, double radius, hwLineOverlap* out) {
    Known known;
    Line line = MakeLine(field, p, q, &known);
    Round round;
    Reach reach;
    Sums sums = {0};
    double low;
    bool isRound = FindRound(&line, &round);
    if (isRound && !FindRoundReach(&round, radius, &reach, &low)) return false;
    if (isRound && IsBeside(&line, &round, reach.from, reach.to, low)) {
        SumRound(&line, &round, reach.from, reach.to, radius, &sums);
    } else {
        if (!FindReach(&line, radius, &reach)) return false;
        SumSamples(&line, reach.from, reach.to, radius, &sums);
    }
    double volume = sums.volume, area = sums.area, extent = (reach.to - reach.from) * line.length;
    if (!(volume * extent > 0.0) || !(area > 0.0)) return false;
    out->at = sums.at[0] / volume;
    out->spread = GetDeviation(sums.at[1] / volume, out->at);
    out->areaAt = sums.areaAt[0] / area;
    out->areaSpread = GetDeviation(sums.areaAt[1] / area, out->areaAt);
    out->normal = hwMulMV(field->r, hwNormalize(sums.normal));
    out->together = hwMin(hwLength(sums.normal) / volume, 1.0);
    out->point = hwAdd(field->p, hwMulMV(field->r, hwScale(1.0 / volume, sums.point)));
    out->height = sums.depths / volume;
    out->volume = volume * extent;
    out->area = area * extent;
    out->depth = reach.depth;
    return true;
}
