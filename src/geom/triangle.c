#include "geom/triangle.h"

#include "geom/box.h"

double hwSegment_GetNearest(hwVec3 a, hwVec3 b, hwVec3 p) {
    hwVec3 d = hwSub(b, a);
    double length2 = hwLengthSquared(d);
    if (!(length2 > 0.0)) return 0.0;
    return hwClamp(hwDot(hwSub(p, a), d) / length2, 0.0, 1.0);
}

// Minimum of |r + s d - t e|^2 over the unit square, r = a - c: the free minimum, clamped in s, then in t, then s again
// (Ericson 2005, 5.1.9).
double hwSegments_GetNearest(hwVec3 a, hwVec3 b, hwVec3 c, hwVec3 d, double* s, double* t) {
    hwVec3 u = hwSub(b, a), v = hwSub(d, c), r = hwSub(a, c);
    double uu = hwLengthSquared(u), vv = hwLengthSquared(v), uv = hwDot(u, v), ur = hwDot(u, r),
           vr = hwDot(v, r);
    double x = 0.0, y = 0.0;
    if (!(uu > 0.0)) {
        y = vv > 0.0 ? hwClamp(vr / vv, 0.0, 1.0) : 0.0;
    } else if (!(vv > 0.0)) {
        x = hwClamp(-ur / uu, 0.0, 1.0);
    } else {
        double cross = uu * vv - uv * uv;
        if (cross > 1e-14 * uu * vv) {
            x = hwClamp((uv * vr - vv * ur) / cross, 0.0, 1.0);
        } else { // parallel: the middle of the shared stretch, seen on the first
            double from = -ur / uu, to = (uv - ur) / uu;
            double low = hwMax(0.0, hwMin(from, to)), high = hwMin(1.0, hwMax(from, to));
            x = hwClamp(0.5 * (low + high), 0.0, 1.0);
        }
        y = (uv * x + vr) / vv;
        if (y < 0.0 || y > 1.0) {
            y = y < 0.0 ? 0.0 : 1.0;
            x = hwClamp((uv * y - ur) / uu, 0.0, 1.0);
        }
    }
    *s = x;
    *t = y;
    return hwLengthSquared(hwMulAdd(hwMulAdd(r, x, u), -y, v));
}

// By the regions of the triangle's corners, edges and face (Ericson 2005, 5.1.5).
hwVec3 hwTriangle_GetNearest(hwVec3 a, hwVec3 b, hwVec3 c, hwVec3 p) {
    hwVec3 ab = hwSub(b, a), ac = hwSub(c, a), ap = hwSub(p, a);
    double d1 = hwDot(ab, ap), d2 = hwDot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0) return a;
    hwVec3 bp = hwSub(p, b);
    double d3 = hwDot(ab, bp), d4 = hwDot(ac, bp);
    if (d3 >= 0.0 && d4 <= d3) return b;
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return hwMulAdd(a, d1 / (d1 - d3), ab);
    hwVec3 cp = hwSub(p, c);
    double d5 = hwDot(ab, cp), d6 = hwDot(ac, cp);
    if (d6 >= 0.0 && d5 <= d6) return c;
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return hwMulAdd(a, d2 / (d2 - d6), ac);
    double va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && d4 >= d3 && d5 >= d6)
        return hwMulAdd(b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), hwSub(c, b));
    double scale = 1.0 / (va + vb + vc);
    return hwMulAdd(hwMulAdd(a, vb * scale, ab), vc * scale, ac);
}

// The stretch of p + s d, 0 <= s <= 1, that lies over the triangle with normal n (any length).
static bool ClipToPrism(hwVec3 p, hwVec3 d, const hwVec3 corner[3], hwVec3 n, double* low, double* high) {
    *low = 0.0;
    *high = 1.0;
    for (int k = 0; k < 3; ++k) {
        hwVec3 inward = hwCross(n, hwSub(corner[(k + 1) % 3], corner[k]));
        double start = hwDot(inward, hwSub(p, corner[k])), slope = hwDot(inward, d);
        if (slope > 0.0) {
            *low = hwMax(*low, -start / slope);
        } else if (slope < 0.0) {
            *high = hwMin(*high, -start / slope);
        } else if (start < 0.0) {
            return false;
        }
    }
    return *low <= *high;
}

static void TakeNearer(hwSegmentTriangle* best, double s, hwVec3 onSegment, hwVec3 onTriangle) {
    double distance2 = hwLengthSquared(hwSub(onSegment, onTriangle));
    if (!(distance2 < best->distance2)) return;
    best->distance2 = distance2;
    best->s = s;
    best->onSegment = onSegment;
    best->onTriangle = onTriangle;
}

// The part of p + s d over the triangle, from the heights fp, fq of its ends inside of the three edges.
static bool ClipToEdges(const double fp[3], const double fq[3], double* low, double* high) {
    *low = 0.0;
    *high = 1.0;
    for (int k = 0; k < 3; ++k) {
        if (fp[k] < 0.0 && fq[k] < 0.0) return false;
        if (fp[k] < 0.0) *low = hwMax(*low, fp[k] / (fp[k] - fq[k]));
        if (fq[k] < 0.0) *high = hwMin(*high, fp[k] / (fp[k] - fq[k]));
    }
    return *low <= *high;
}

// The nearest point of the triangle is over its face where an end of the segment projects into it or the segment runs
// through or level; otherwise on an edge that some part of the segment lies outside of. An edge, or the face's plane,
// that keeps the whole segment beyond the reach ends the search at once.
bool hwSegmentTriangle_FindWithin(hwVec3 p, hwVec3 q, const hwVec3 corner[3], double reach2,
                                  hwSegmentTriangle* out) {
    hwVec3 a = corner[0], d = hwSub(q, p), n = hwCross(hwSub(corner[1], a), hwSub(corner[2], a));
    double nn = hwLengthSquared(n), hp = hwDot(n, hwSub(p, a)), hq = hwDot(n, hwSub(q, a));
    double fp[3] = {-1.0, -1.0, -1.0}, fq[3] = {-1.0, -1.0, -1.0}, low, high;
    hwSegmentTriangle best = {.distance2 = HUGE_VAL};
    if (nn > 0.0) {
        if (hp * hq > 0.0 && hwMin(hp * hp, hq * hq) > reach2 * nn) return false;
        for (int k = 0; k < 3; ++k) {
            hwVec3 edge = hwSub(corner[(k + 1) % 3], corner[k]), inward = hwCross(n, edge);
            fp[k] = hwDot(inward, hwSub(p, corner[k]));
            fq[k] = hwDot(inward, hwSub(q, corner[k]));
            double f = hwMax(fp[k], fq[k]);
            if (f < 0.0 && f * f > reach2 * nn * hwLengthSquared(edge)) return false;
        }
        // A difference of height of the ends that is less than this is rounding.
        bool level = fabs(hq - hp) <= 1e-12 * sqrt(nn * hwLengthSquared(d));
        if ((level || (hp > 0.0) != (hq > 0.0)) && ClipToEdges(fp, fq, &low, &high)) {
            double s = level ? 0.5 * (low + high) : hp / (hp - hq);
            if (level || (s >= low && s <= high)) {
                best.crosses = !level;
                best.s = s;
                best.onSegment = hwMulAdd(p, s, d);
                best.onTriangle = hwMulAdd(best.onSegment, -(hp + s * (hq - hp)) / nn, n);
                best.distance2 = level ? hwLengthSquared(hwSub(best.onSegment, best.onTriangle)) : 0.0;
                *out = best;
                return best.distance2 <= reach2;
            }
        }
        if (fp[0] >= 0.0 && fp[1] >= 0.0 && fp[2] >= 0.0) TakeNearer(&best, 0.0, p, hwMulAdd(p, -hp / nn, n));
        if (fq[0] >= 0.0 && fq[1] >= 0.0 && fq[2] >= 0.0) TakeNearer(&best, 1.0, q, hwMulAdd(q, -hq / nn, n));
    }
    for (int k = 0; k < 3; ++k) {
        if (fp[k] >= 0.0 && fq[k] >= 0.0) continue;
        double s, t;
        hwVec3 from = corner[k], to = corner[(k + 1) % 3];
        if (hwSegments_GetNearest(p, q, from, to, &s, &t) >= best.distance2) continue;
        TakeNearer(&best, s, hwMulAdd(p, s, d), hwMulAdd(from, t, hwSub(to, from)));
    }
    *out = best;
    return best.distance2 <= reach2;
}

hwSegmentTriangle hwSegmentTriangle_GetNearest(hwVec3 p, hwVec3 q, hwVec3 a, hwVec3 b, hwVec3 c) {
    const hwVec3 corner[3] = {a, b, c};
    hwSegmentTriangle out;
    hwSegmentTriangle_FindWithin(p, q, corner, HUGE_VAL, &out);
    return out;
}

static double GetComponent(hwVec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double GetReach(hwVec3 a) {
    return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

bool hwTriangle_CastRay(hwVec3 origin, hwVec3 direction, double tMax, hwVec3 a, hwVec3 b, hwVec3 c,
                        double* t) {
    // Shear so that the ray runs along one axis; then the edges are tested in the plane across it.
    double x = fabs(direction.x), y = fabs(direction.y), z = fabs(direction.z);
    int kz = x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2), kx = (kz + 1) % 3, ky = (kz + 2) % 3;
    double along = GetComponent(direction, kz);
    if (along == 0.0) return false;
    double sx = GetComponent(direction, kx) / along, sy = GetComponent(direction, ky) / along;
    a = hwSub(a, origin);
    b = hwSub(b, origin);
    c = hwSub(c, origin);
    double az = GetComponent(a, kz), bz = GetComponent(b, kz), cz = GetComponent(c, kz);
    double ax = GetComponent(a, kx) - sx * az, ay = GetComponent(a, ky) - sy * az;
    double bx = GetComponent(b, kx) - sx * bz, by = GetComponent(b, ky) - sy * bz;
    double cx = GetComponent(c, kx) - sx * cz, cy = GetComponent(c, ky) - sy * cz;
    double u = cx * by - cy * bx, v = ax * cy - ay * cx, w = bx * ay - by * ax;
    // Their rounding: within it a ray at an edge belongs to both triangles, so that none slips between them.
    double reach = 1e-15 * (GetReach(a) + GetReach(b) + GetReach(c));
    double na = fabs(ax) + fabs(ay), nb = fabs(bx) + fabs(by), nc = fabs(cx) + fabs(cy);
    double eu = reach * (nb + nc), ev = reach * (nc + na), ew = reach * (na + nb), det = u + v + w;
    if (!(u >= -eu && v >= -ev && w >= -ew) && !(u <= eu && v <= ev && w <= ew)) return false;
    if (fabs(det) <= eu + ev + ew) return false; // seen edge on
    double hit = (u * az + v * bz + w * cz) / (det * along);
    if (!(hit >= 0.0 && hit <= tMax)) return false;
    *t = hit;
    return true;
}

// Smaller root of a t^2 + 2 b t + c = 0 when it lies in [0, tMax], for a > 0, c > 0 (outside at the start).
static bool FindEntry(double a, double b, double c, double tMax, double* t) {
    if (b >= 0.0) return false; // moving away
    double discriminant = b * b - a * c;
    if (discriminant < 0.0) return false;
    double root = c / (-b + sqrt(discriminant)); // without cancellation
    if (root > tMax) return false;
    *t = root;
    return true;
}

// The ball's centre meets the round surface about one edge or corner of the triangle.
static void SweepEdges(hwVec3 origin, hwVec3 direction, double radius, const hwVec3 corner[3], double* t,
                       bool* found, hwVec3* normal) {
    double dd = hwLengthSquared(direction), hit;
    for (int k = 0; k < 3; ++k) {
        hwVec3 edge = hwSub(corner[(k + 1) % 3], corner[k]), from = hwSub(origin, corner[k]);
        double ee = hwLengthSquared(edge), de = hwDot(direction, edge), fe = hwDot(from, edge);
        // Components across the edge, times its length squared.
        double across = dd * ee - de * de;
        if (across > 1e-14 * dd * ee) {
            double b = ee * hwDot(from, direction) - fe * de;
            double c = ee * (hwLengthSquared(from) - radius * radius) - fe * fe;
            if (c > 0.0 && FindEntry(across, b, c, *t, &hit)) {
                double place = (fe + hit * de) / ee;
                if (place >= 0.0 && place <= 1.0) {
                    *t = hit;
                    *found = true;
                    *normal = hwNormalize(hwMulAdd(hwMulAdd(from, hit, direction), -place, edge));
                }
            }
        }
        double c = hwLengthSquared(from) - radius * radius;
        if (c > 0.0 && FindEntry(dd, hwDot(from, direction), c, *t, &hit)) {
            *t = hit;
            *found = true;
            *normal = hwNormalize(hwMulAdd(from, hit, direction));
        }
    }
}

bool hwTriangle_SweepBall(hwVec3 origin, hwVec3 direction, double radius, double tMax, hwVec3 a, hwVec3 b,
                          hwVec3 c, double* t, hwVec3* normal) {
    const hwVec3 corner[3] = {a, b, c};
    hwVec3 n = hwNormalize(hwCross(hwSub(b, a), hwSub(c, a)));
    hwVec3 apart = hwSub(origin, hwTriangle_GetNearest(a, b, c, origin));
    double height = hwDot(n, hwSub(origin, a));
    if (height < 0.0) {
        n = hwNeg(n);
        height = -height;
    }
    if (hwLengthSquared(apart) <= radius * radius) {
        *t = 0.0;
        *normal = hwLengthSquared(apart) > 0.0 ? hwNormalize(apart) : n;
        return true;
    }
    double closing = -hwDot(n, direction);
    if (height > radius) {
        if (closing <= 0.0) return false;
        double hit = (height - radius) / closing;
        if (hit > tMax) return false;
        hwVec3 center = hwMulAdd(origin, hit, direction), touch = hwMulAdd(center, -radius, n);
        double low, high;
        if (ClipToPrism(touch, hwVec3_zero, corner, hwCross(hwSub(b, a), hwSub(c, a)), &low, &high)) {
            *t = hit;
            *normal = n;
            return true;
        }
    }
    bool found = false;
    *t = tMax;
    SweepEdges(origin, direction, radius, corner, t, &found, normal);
    return found;
}

// Where the triangle meets the plane that gives its corners the heights h: the ends of a segment.
static void CutAtPlane(const hwVec3 corner[3], const double h[3], hwVec3* from, hwVec3* to) {
    int odd = (h[0] < 0.0) == (h[1] < 0.0) ? 2 : (h[0] < 0.0) == (h[2] < 0.0) ? 1 : 0;
    int i = (odd + 1) % 3, j = (odd + 2) % 3;
    *from = hwMulAdd(corner[odd], h[odd] / (h[odd] - h[i]), hwSub(corner[i], corner[odd]));
    *to = hwMulAdd(corner[odd], h[odd] / (h[odd] - h[j]), hwSub(corner[j], corner[odd]));
}

// The second triangle lies in the first one's plane: clip its edges; or one is inside the other.
static bool IntersectCoplanar(const hwVec3 first[3], const hwVec3 second[3], hwVec3 n, hwVec3* from,
                              hwVec3* to) {
    double low, high, best = -1.0;
    for (int pass = 0; pass < 2; ++pass) {
        const hwVec3 *inner = pass == 0 ? second : first, *outer = pass == 0 ? first : second;
        hwVec3 normal = pass == 0 ? n : hwCross(hwSub(second[1], second[0]), hwSub(second[2], second[0]));
        for (int k = 0; k < 3; ++k) {
            hwVec3 d = hwSub(inner[(k + 1) % 3], inner[k]);
            if (!ClipToPrism(inner[k], d, outer, normal, &low, &high)) continue;
            double length = (high - low) * (high - low) * hwLengthSquared(d);
            if (length <= best) continue;
            best = length;
            *from = hwMulAdd(inner[k], low, d);
            *to = hwMulAdd(inner[k], high, d);
        }
    }
    return best >= 0.0;
}

// By the intervals in which both cross the common line of their planes (Moller 1997).
bool hwTriangles_Intersect(const hwVec3 first[3], const hwVec3 second[3], hwVec3* from, hwVec3* to) {
    hwVec3 n = hwCross(hwSub(first[1], first[0]), hwSub(first[2], first[0]));
    hwVec3 m = hwCross(hwSub(second[1], second[0]), hwSub(second[2], second[0]));
    double h[3], g[3];
    for (int k = 0; k < 3; ++k) h[k] = hwDot(n, hwSub(second[k], first[0]));
    if ((h[0] > 0.0 && h[1] > 0.0 && h[2] > 0.0) || (h[0] < 0.0 && h[1] < 0.0 && h[2] < 0.0)) return false;
    for (int k = 0; k < 3; ++k) g[k] = hwDot(m, hwSub(first[k], second[0]));
    if ((g[0] > 0.0 && g[1] > 0.0 && g[2] > 0.0) || (g[0] < 0.0 && g[1] < 0.0 && g[2] < 0.0)) return false;
    hwVec3 line = hwCross(n, m);
    double nm = hwLengthSquared(n) * hwLengthSquared(m);
    if (!(hwLengthSquared(line) > 1e-24 * nm)) return IntersectCoplanar(first, second, n, from, to);
    // On the plane counts as above it; a triangle that only touches from above has no cut of its own.
    bool touchesH = h[0] >= 0.0 && h[1] >= 0.0 && h[2] >= 0.0,
         touchesG = g[0] >= 0.0 && g[1] >= 0.0 && g[2] >= 0.0;
    for (int k = 0; k < 3; ++k) {
        if (touchesH) h[k] = -h[k];
        if (touchesG) g[k] = -g[k];
    }
    hwVec3 ends[4];
    CutAtPlane(second, h, &ends[0], &ends[1]);
    CutAtPlane(first, g, &ends[2], &ends[3]);
    double x[4];
    for (int k = 0; k < 4; ++k) x[k] = hwDot(line, hwSub(ends[k], first[0]));
    int a = x[0] <= x[1] ? 0 : 1, b = x[2] <= x[3] ? 2 : 3; // lower ends; the upper ones are 1 - a and 5 - b
    if (x[a] > x[5 - b] || x[b] > x[1 - a]) return false;
    *from = x[a] > x[b] ? ends[a] : ends[b];
    *to = x[1 - a] < x[5 - b] ? ends[1 - a] : ends[5 - b];
    return true;
}
