// The wet part of every shape against closed forms, identities and an independent numerical integration.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "geom/sample_shapes.h"
#include "geom/solid.h"

#include <stdio.h>

// Rounding of sums of a few dozen terms of the shape's own size; the issue asks 1e-12.
#define EXACT 1e-12

static hwSubmergence Cut(const hwShapeDef* shape, hwPose pose, hwVec3 point, hwVec3 normal) {
    hwSubmergence out;
    hwError error;
    if (hwShape_ComputeSubmergence(shape, pose, point, normal, &out, &error) != HW_OK)
        fail_msg("%s", error.message);
    return out;
}

static void CheckNear(double value, double expected, double scale, double tolerance, const char* what) {
    if (!(fabs(value - expected) <= tolerance * scale)) {
        fail_msg("%s: %.17g instead of %.17g, off by %.2e of %g", what, value, expected,
                 fabs(value - expected) / scale, scale);
    }
}

static void CheckVec3(hwVec3 value, hwVec3 expected, double scale, double tolerance, const char* what) {
    CheckNear(value.x, expected.x, scale, tolerance, what);
    CheckNear(value.y, expected.y, scale, tolerance, what);
    CheckNear(value.z, expected.z, scale, tolerance, what);
}

static hwShapeDef MakeShape(hwShapeKind kind, hwVec3 size, double radius, double length) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = kind;
    shape.size = size;
    shape.radius = radius;
    shape.length = length;
    return shape;
}

// Box [0, a] x [0, b] x [0, c] under n . x < d with n positive: inclusion and exclusion of corner simplices.
static double BoxVolumeByCorners(hwVec3 size, hwVec3 n, double d) {
    double sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        double rest =
            d - (i & 1 ? n.x * size.x : 0.0) - (i & 2 ? n.y * size.y : 0.0) - (i & 4 ? n.z * size.z : 0.0);
        double sign = ((i & 1) + (i >> 1 & 1) + (i >> 2 & 1)) % 2 ? -1.0 : 1.0;
        if (rest > 0.0) sum += sign * rest * rest * rest;
    }
    return sum / (6.0 * n.x * n.y * n.z);
}

static void BoxVolumeMatchesInclusionAndExclusion(void** state) {
    (void)state;
    hwRandom random = {1};
    for (int i = 0; i < 20000; ++i) {
        hwVec3 size = hwMakeVec3(hwRandom_Range(&random, 0.2, 3.0), hwRandom_Range(&random, 0.2, 3.0),
                                 hwRandom_Range(&random, 0.2, 3.0));
        hwVec3 n = RandomUnit(&random);
        hwVec3 a = hwMakeVec3(fabs(n.x), fabs(n.y), fabs(n.z));
        if (fmin(a.x, fmin(a.y, a.z)) < 0.05)
            continue; // the formula divides by these, losing 1/0.05^3 in digits
        double reach = 0.5 * hwDot(a, size), d = hwRandom_Range(&random, -1.1, 1.1) * reach;
        hwShapeDef box = MakeShape(HW_SHAPE_BOX, size, 1.0, 1.0);
        hwSubmergence cut = Cut(&box, hwPose_identity, hwScale(d, n), n);
        double volume = size.x * size.y * size.z;
        // 8 terms of up to (2 reach)^3 over n.x n.y n.z
        double rounding = 8e-16 * 8.0 * reach * reach * reach / (6.0 * a.x * a.y * a.z) + EXACT * volume;
        double expected = d >= reach ? volume : BoxVolumeByCorners(size, a, d + reach);
        CheckNear(cut.volume, expected, 1.0, rounding, "volume");
    }
}

static void CubeCutAtItsVerticesAndEdges(void** state) {
    (void)state;
    hwShapeDef cube = MakeShape(HW_SHAPE_BOX, hwMakeVec3(1, 1, 1), 1.0, 1.0);
    double r3 = 1.0 / sqrt(3.0), r2 = 1.0 / sqrt(2.0);
    hwVec3 diagonal = hwMakeVec3(r3, r3, r3);
    // Through the centre: a regular hexagon of side sqrt(1/2); moments 5 sqrt(3)/16 side^4.
    hwSubmergence cut = Cut(&cube, hwPose_identity, hwVec3_zero, diagonal);
    CheckNear(cut.volume, 0.5, 1.0, EXACT, "half");
    CheckNear(cut.area, 1.5 * sqrt(3.0) * 0.5, 1.0, EXACT, "hexagon");
    CheckNear(cut.cutMoment[0], 5.0 * sqrt(3.0) / 16.0 * 0.25, 1.0, EXACT, "hexagon's moment");
    CheckNear(cut.cutMoment[1], 5.0 * sqrt(3.0) / 16.0 * 0.25, 1.0, EXACT, "hexagon's moment");
    CheckNear(cut.cutMoment[2], 0.0, 1.0, EXACT, "hexagon's mixed moment");
    // Exactly through three vertices: the corner tetrahedron of volume 1/6 and an equilateral triangle.
    cut = Cut(&cube, hwPose_identity, hwMakeVec3(0.5, -0.5, -0.5), diagonal);
    CheckNear(cut.volume, 1.0 / 6.0, 1.0, EXACT, "corner");
    CheckNear(cut.area, 0.5 * sqrt(3.0), 1.0, EXACT, "corner's cut");
    CheckVec3(cut.centroid, hwMakeVec3(-0.25, -0.25, -0.25), 1.0, EXACT, "corner's centroid");
    // Through two opposite edges.
    cut = Cut(&cube, hwPose_identity, hwVec3_zero, hwMakeVec3(r2, r2, 0.0));
    CheckNear(cut.volume, 0.5, 1.0, EXACT, "wedge");
    CheckNear(cut.area, sqrt(2.0), 1.0, EXACT, "wedge's cut");
    // In the top face from above, in the bottom face from below, and just touching an edge and a vertex.
    cut = Cut(&cube, hwPose_identity, hwMakeVec3(0, 0, 0.5), hwMakeVec3(0, 0, 1));
    CheckNear(cut.volume, 1.0, 1.0, EXACT, "flush at the top");
    cut = Cut(&cube, hwPose_identity, hwMakeVec3(0, 0, -0.5), hwMakeVec3(0, 0, 1));
    assert_true(cut.volume == 0.0 && cut.area == 0.0 && hwLength(cut.centroid) == 0.0);
    cut = Cut(&cube, hwPose_identity, hwMakeVec3(-0.5, -0.5, 0), hwMakeVec3(r2, r2, 0.0));
    CheckNear(cut.volume, 0.0, 1.0, EXACT, "touching an edge");
    cut = Cut(&cube, hwPose_identity, hwMakeVec3(-0.5, -0.5, -0.5), diagonal);
    CheckNear(cut.volume, 0.0, 1.0, EXACT, "touching a vertex");
}

// Independent integration of round shapes: sections at constant y in the plane of axis and normal, where
// n = (sine, 0, cosine); inside, lengths along x are exact, and z is integrated between its break points with an end
// substitution. Outside, y = R sin(theta) is refined until two rules agree.
typedef struct RoundCase {
    bool capsule;
    double radius, half, c, s, d;
} RoundCase;

enum { VOLUME, MOMENT_X, MOMENT_Z, AREA, CUT_X, CUT_Z, CUT_XX, CUT_ZZ, CUT_XZ, CUT_YY, QUANTITIES };

static double HalfWidth(const RoundCase* round, double rho, double z) {
    double beyond = fabs(z) - round->half;
    return beyond <= 0.0 ? rho : round->capsule ? sqrt(fmax(0.0, rho * rho - beyond * beyond)) : 0.0;
}

static int CompareDoubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

static const double gaussNode[10] = {
    0.0765265211334973, 0.2277858511416451, 0.3737060887154195, 0.5108670019508271, 0.6360536807265150,
    0.7463319064601508, 0.8391169718222188, 0.9122344282513259, 0.9639719272779138, 0.9931285991850949};
static const double gaussWeight[10] = {
    0.1527533871307258, 0.1491729864726037, 0.1420961093183820, 0.1316886384491766, 0.1181945319615184,
    0.1019301198172404, 0.0832767415767048, 0.0626720483341091, 0.0406014298003869, 0.0176140071391521};

// z = middle of [a, b] + half sin(phi), for phi in [from, to].
static void IntegratePanel(const RoundCase* round, double y, double rho, double a, double b, double from,
                           double to, double weight, double* sums) {
    double c = round->c, s = round->s, d = round->d;
    for (int k = 0; k < 20; ++k) {
        double xi = k < 10 ? gaussNode[k] : -gaussNode[k - 10];
        double phi = 0.5 * (from + to) + 0.5 * (to - from) * xi, z = 0.5 * (a + b) + 0.5 * (b - a) * sin(phi);
        double w = weight * gaussWeight[k % 10] * 0.5 * (to - from) * 0.5 * (b - a) * cos(phi);
        double half = HalfWidth(round, rho, z), x = (d - c * z) / s, wet = fmin(fmax(x, -half), half);
        sums[VOLUME] += w * (wet + half);
        sums[MOMENT_X] += w * 0.5 * (wet * wet - half * half);
        sums[MOMENT_Z] += w * (wet + half) * z;
        if (fabs(x) >= half) continue;
        w /= s;
        sums[AREA] += w;
        sums[CUT_X] += w * x;
        sums[CUT_Z] += w * z;
        sums[CUT_XX] += w * x * x;
        sums[CUT_ZZ] += w * z * z;
        sums[CUT_XZ] += w * x * z;
        sums[CUT_YY] += w * y * y;
    }
}

static void RefinePanel(const RoundCase* round, double y, double rho, double a, double b, double from,
                        double to, double weight, const double* whole, int depth, double* sums) {
    double left[QUANTITIES] = {0}, right[QUANTITIES] = {0}, middle = 0.5 * (from + to), worst = 0.0;
    IntegratePanel(round, y, rho, a, b, from, middle, weight, left);
    IntegratePanel(round, y, rho, a, b, middle, to, weight, right);
    for (int i = 0; i < QUANTITIES; ++i) worst = fmax(worst, fabs(left[i] + right[i] - whole[i]));
    if (depth == 0 || worst < 1e-15) {
        for (int i = 0; i < QUANTITIES; ++i) sums[i] += left[i] + right[i];
        return;
    }
    RefinePanel(round, y, rho, a, b, from, middle, weight, left, depth - 1, sums);
    RefinePanel(round, y, rho, a, b, middle, to, weight, right, depth - 1, sums);
}

static void IntegrateSection(const RoundCase* round, double y, double weight, double* sums) {
    double rho = sqrt(fmax(0.0, round->radius * round->radius - y * y)),
           end = round->half + (round->capsule ? rho : 0.0);
    double c = round->c, s = round->s, d = round->d, breaks[12] = {-end, end, -round->half, round->half};
    int count = 4;
    breaks[count++] = (d - s * rho) / c; // where the cut leaves the tube
    breaks[count++] = (d + s * rho) / c;
    for (int side = -1; side <= 1 && round->capsule;
         side += 2) { // and the balls: (d - c z)^2 = s^2 (rho^2 - z'^2)
        double z0 = side * round->half, e = d - c * z0, root = rho * rho - e * e;
        if (root <= 0.0) continue;
        breaks[count++] = z0 + c * e - s * sqrt(root);
        breaks[count++] = z0 + c * e + s * sqrt(root);
    }
    qsort(breaks, (size_t)count, sizeof(double), CompareDoubles);
    for (int i = 0; i + 1 < count; ++i) {
        double a = fmax(breaks[i], -end), b = fmin(breaks[i + 1], end);
        if (!(b > a)) continue;
        double first[QUANTITIES] = {0};
        IntegratePanel(round, y, rho, a, b, -0.5 * HW_PI, 0.5 * HW_PI, weight, first);
        RefinePanel(round, y, rho, a, b, -0.5 * HW_PI, 0.5 * HW_PI, weight, first, 12, sums);
    }
}

static void IntegrateOver(const RoundCase* round, double from, double to, double* sums) {
    for (int k = 0; k < 20; ++k) {
        double xi = k < 10 ? gaussNode[k] : -gaussNode[k - 10];
        double theta = 0.5 * (from + to) + 0.5 * (to - from) * xi;
        IntegrateSection(round, round->radius * sin(theta),
                         gaussWeight[k % 10] * 0.5 * (to - from) * round->radius * cos(theta), sums);
    }
}

static void Refine(const RoundCase* round, double from, double to, const double* whole, int depth,
                   double* sums) {
    double left[QUANTITIES] = {0}, right[QUANTITIES] = {0}, middle = 0.5 * (from + to);
    IntegrateOver(round, from, middle, left);
    IntegrateOver(round, middle, to, right);
    double worst = 0.0;
    for (int i = 0; i < QUANTITIES; ++i) worst = fmax(worst, fabs(left[i] + right[i] - whole[i]));
    if (depth == 0 || worst < 1e-15) {
        for (int i = 0; i < QUANTITIES; ++i) sums[i] += left[i] + right[i];
        return;
    }
    Refine(round, from, middle, left, depth - 1, sums);
    Refine(round, middle, to, right, depth - 1, sums);
}

static void CheckRoundCase(const RoundCase* round) {
    double whole[QUANTITIES] = {0}, sums[QUANTITIES] = {0};
    IntegrateOver(round, 0.0, 0.5 * HW_PI, whole);
    Refine(round, 0.0, 0.5 * HW_PI, whole, 30, sums);
    for (int i = 0; i < QUANTITIES; ++i) sums[i] *= 2.0; // y and -y
    hwShapeDef shape = MakeShape(round->capsule ? HW_SHAPE_CAPSULE : HW_SHAPE_CYLINDER, hwMakeVec3(1, 1, 1),
                                 round->radius, 2.0 * round->half);
    hwVec3 n = hwMakeVec3(round->s, 0.0, round->c);
    hwSubmergence cut = Cut(&shape, hwPose_identity, hwScale(round->d, n), n);
    double r = round->radius, volume = 2.0 * HW_PI * r * r * round->half, size = 2.0 * (round->half + r);
    CheckNear(cut.volume, sums[VOLUME], volume, EXACT, "volume");
    CheckNear(cut.volume * cut.centroid.x, sums[MOMENT_X], volume * size, EXACT, "moment x");
    CheckNear(cut.volume * cut.centroid.y, 0.0, volume * size, EXACT, "moment y");
    CheckNear(cut.volume * cut.centroid.z, sums[MOMENT_Z], volume * size, EXACT, "moment z");
    // The integration of the cut divides by the sine.
    double rounding = EXACT / round->s, area = r * size;
    CheckNear(cut.area, sums[AREA], area, rounding, "area");
    if (sums[AREA] < 1e-3 * area) return;
    double x = sums[CUT_X] / sums[AREA], z = sums[CUT_Z] / sums[AREA];
    CheckVec3(hwScale(cut.area, cut.cutCentroid), hwMakeVec3(sums[CUT_X], 0.0, sums[CUT_Z]), area * size,
              rounding, "cut's centroid");
    double xx = sums[CUT_XX] - sums[AREA] * x * x, zz = sums[CUT_ZZ] - sums[AREA] * z * z;
    double xz = sums[CUT_XZ] - sums[AREA] * x * z, yy = sums[CUT_YY];
    hwVec3 u = hwPerpendicular(n), v = hwCross(n, u);
    double scale = area * size * size;
    CheckNear(cut.cutMoment[0], u.x * u.x * xx + u.z * u.z * zz + 2.0 * u.x * u.z * xz + u.y * u.y * yy,
              scale, rounding, "cut's moment u");
    CheckNear(cut.cutMoment[1], v.x * v.x * xx + v.z * v.z * zz + 2.0 * v.x * v.z * xz + v.y * v.y * yy,
              scale, rounding, "cut's moment v");
    CheckNear(cut.cutMoment[2],
              u.x * v.x * xx + u.z * v.z * zz + (u.x * v.z + u.z * v.x) * xz + u.y * v.y * yy, scale,
              rounding, "cut's moment uv");
}

static void CylindersAndCapsulesMatchIntegrationInSections(void** state) {
    (void)state;
    hwRandom random = {2};
    for (int i = 0; i < 120; ++i) {
        RoundCase round = {.capsule = i % 2, .radius = hwRandom_Range(&random, 0.2, 1.5)};
        round.half = hwRandom_Range(&random, 0.1, 2.0);
        double angle = hwRandom_Range(&random, 0.02, 0.5 * HW_PI - 0.02);
        round.c = cos(angle);
        round.s = sin(angle);
        double reach = round.half * round.c + round.radius * (round.capsule ? 1.0 : round.s);
        round.d = hwRandom_Range(&random, -1.0, 1.0) * reach;
        CheckRoundCase(&round);
    }
}

static void SphereMatchesItsCap(void** state) {
    (void)state;
    hwShapeDef sphere = MakeShape(HW_SHAPE_SPHERE, hwMakeVec3(1, 1, 1), 2.0, 1.0);
    hwVec3 n = hwNormalize(hwMakeVec3(1, -2, 3));
    // A cap of height 1 on a sphere of radius 2: V = pi h^2 (3R - h)/3 = 5 pi/3, r^2 = 3, centroid from the centre
    // 3 (2R - h)^2 / (4 (3R - h)) = 27/20.
    hwSubmergence cut = Cut(&sphere, hwPose_identity, hwScale(-1.0, n), n);
    CheckNear(cut.volume, 5.0 * HW_PI / 3.0, 1.0, EXACT, "cap");
    CheckVec3(cut.centroid, hwScale(-1.35, n), 1.0, EXACT, "cap's centroid");
    CheckNear(cut.area, 3.0 * HW_PI, 1.0, EXACT, "circle");
    CheckVec3(cut.cutCentroid, hwScale(-1.0, n), 1.0, EXACT, "circle's centre");
    CheckNear(cut.cutMoment[0], 9.0 * HW_PI / 4.0, 1.0, EXACT, "circle's moment");
    CheckNear(cut.cutMoment[1], 9.0 * HW_PI / 4.0, 1.0, EXACT, "circle's moment");
}

static void UprightLevelAndAlmostLevelCylinders(void** state) {
    (void)state;
    double r = 0.7, l = 5.0;
    hwShapeDef cylinder = MakeShape(HW_SHAPE_CYLINDER, hwMakeVec3(1, 1, 1), r, l);
    hwSubmergence cut = Cut(&cylinder, hwPose_identity, hwMakeVec3(0, 0, 1.25), hwMakeVec3(0, 0, 1));
    CheckNear(cut.volume, HW_PI * r * r * 3.75, 1.0, EXACT, "upright");
    CheckVec3(cut.centroid, hwMakeVec3(0, 0, -0.625), 1.0, EXACT, "upright's centroid");
    CheckNear(cut.cutMoment[0], HW_PI * r * r * r * r / 4.0, 1.0, EXACT, "disc's moment");
    // Level and half wet: half the volume, centroid 4r/(3 pi) below, a rectangle as cut. A tilt of up to 1e-7 must
    // change the volume by nothing (symmetry) and other things in proportion at most.
    const double tilts[] = {0.0, 1e-17, 1e-14, 1e-10, 1e-7};
    for (int i = 0; i < 5; ++i) {
        hwVec3 n = hwMakeVec3(cos(tilts[i]), 0.0, sin(tilts[i]));
        double tolerance = EXACT + 10.0 * tilts[i];
        cut = Cut(&cylinder, hwPose_identity, hwVec3_zero, n);
        CheckNear(cut.volume, 0.5 * HW_PI * r * r * l, 1.0, EXACT, "half wet");
        CheckVec3(cut.centroid, hwMakeVec3(-4.0 * r / (3.0 * HW_PI), 0, 0), 1.0, tolerance,
                  "half wet centroid");
        CheckNear(cut.area, 2.0 * r * l, 1.0, tolerance, "rectangle");
        hwVec3 u = hwPerpendicular(n);
        double along = 2.0 * r * l * l * l / 12.0, across = 2.0 * r * 2.0 * r * 2.0 * r * l / 12.0;
        CheckNear(cut.cutMoment[0], along * u.z * u.z + across * u.y * u.y, 1.0, tolerance,
                  "rectangle's moment");
    }
    // Cut by a plane through a diameter of the bottom at slope h/r: V = 2/3 r^2 h (ungula; Archimedes).
    double h = 1.1;
    hwVec3 n = hwNormalize(hwMakeVec3(h, 0.0, r)); // z = -l/2 - h x / r
    cut = Cut(&cylinder, hwPose_identity, hwMakeVec3(0, 0, -0.5 * l), n);
    CheckNear(cut.volume, 2.0 / 3.0 * r * r * h, 1.0, EXACT, "hoof");
    CheckNear(cut.area, 0.5 * HW_PI * r * hypot(r, h), 1.0, EXACT, "hoof's cut");
}

static void SliversKeepTheirDigits(void** state) {
    (void)state;
    // A level cylinder of radius 1 immersed by e has the exact segment psi - sin cos, cos psi = 1 - e; to leading order
    // (4 sqrt(2)/3) e^1.5 (1 - 3e/20). A sphere and a capsule behave like caps and segments.
    const double depths[] = {1e-3, 1e-6, 1e-9, 1e-12};
    for (int i = 0; i < 4; ++i) {
        double e = depths[i], expected = 4.0 * sqrt(2.0) / 3.0 * e * sqrt(e) * (1.0 - 0.15 * e);
        double tolerance = e * e + 1e-15 / e; // next term of the series; rounding of 1 - e
        hwShapeDef cylinder = MakeShape(HW_SHAPE_CYLINDER, hwMakeVec3(1, 1, 1), 1.0, 2.0);
        hwSubmergence cut = Cut(&cylinder, hwPose_identity, hwMakeVec3(-1.0 + e, 0, 0), hwMakeVec3(1, 0, 0));
        CheckNear(cut.volume, 2.0 * expected, 2.0 * expected, tolerance, "sliver of a cylinder");
        hwShapeDef capsule = MakeShape(HW_SHAPE_CAPSULE, hwMakeVec3(1, 1, 1), 1.0, 2.0);
        cut = Cut(&capsule, hwPose_identity, hwMakeVec3(-1.0 + e, 0, 0), hwMakeVec3(1, 0, 0));
        double ends = HW_PI * e * e * (1.0 - e / 3.0);
        CheckNear(cut.volume, 2.0 * expected + ends, 2.0 * expected, tolerance + 1e-15 / sqrt(e * e * e),
                  "sliver of a capsule");
        assert_true(fabs(cut.centroid.z) < 1e-3 && cut.centroid.x < -0.99 && cut.centroid.x > -1.01);
        hwShapeDef cube = MakeShape(HW_SHAPE_BOX, hwMakeVec3(2, 2, 2), 1.0, 1.0);
        double r3 = 1.0 / sqrt(3.0);
        cut = Cut(&cube, hwPose_identity, hwMakeVec3(-1.0 + e, -1, -1), hwMakeVec3(r3, r3, r3));
        CheckNear(cut.volume, e * e * e / 6.0, e * e * e / 6.0, 1e-14 + 2e-15 / e, "corner of a cube");
        CheckNear(cut.area, 0.5 * sqrt(3.0) * e * e, e * e, 1e-14 + 2e-15 / e, "corner's cut");
        // Equilateral triangle of side sqrt(2) e: side^4 sqrt(3)/96 about any axis.
        CheckNear(cut.cutMoment[0], 4.0 * sqrt(3.0) / 96.0 * e * e * e * e, e * e * e * e, 1e-14 + 4e-15 / e,
                  "corner's moment");
    }
}

typedef struct Sample {
    hwShapeDef shape;
    SampleMesh mesh;
    double volume, size;
} Sample;

// An L of two boxes and, apart from it, a box: closed but neither convex nor connected.
static SampleMesh MakeBracket(void) {
    static const double profile[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
    static const int faces[20][3] = {{0, 1, 2},  {0, 2, 3},  {0, 3, 4},   {0, 4, 5}, {6, 8, 7},
                                     {6, 9, 8},  {6, 10, 9}, {6, 11, 10}, {0, 7, 1}, {0, 6, 7},
                                     {1, 8, 2},  {1, 7, 8},  {2, 9, 3},   {2, 8, 9}, {3, 10, 4},
                                     {3, 9, 10}, {4, 11, 5}, {4, 10, 11}, {5, 6, 0}, {5, 11, 6}};
    SampleMesh box = MakeBoxMesh(hwMakeVec3(-3, -1, -1), hwMakeVec3(-2, 0.5, 2)), mesh = NewMesh(20, 32);
    for (int i = 0; i < 6; ++i) {
        mesh.vertices[i] = hwMakeVec3(profile[i][0], profile[i][1], 1.0);
        mesh.vertices[i + 6] = hwMakeVec3(profile[i][0], profile[i][1], 0.0);
    }
    memcpy(mesh.triangles, faces, sizeof(faces));
    for (int i = 0; i < 8; ++i) mesh.vertices[12 + i] = box.vertices[i];
    for (int i = 0; i < 12; ++i) {
        for (int k = 0; k < 3; ++k) mesh.triangles[20 + i][k] = 12 + box.triangles[i][k];
    }
    FreeMesh(&box);
    return mesh;
}

#define SAMPLES 7

static void MakeSamples(Sample* samples) {
    memset(samples, 0, SAMPLES * sizeof(Sample));
    samples[0].shape = MakeShape(HW_SHAPE_BOX, hwMakeVec3(1.0, 2.0, 0.5), 1.0, 1.0);
    samples[1].shape = MakeShape(HW_SHAPE_SPHERE, hwMakeVec3(1, 1, 1), 0.8, 1.0);
    samples[2].shape = MakeShape(HW_SHAPE_CYLINDER, hwMakeVec3(1, 1, 1), 0.6, 2.2);
    samples[3].shape = MakeShape(HW_SHAPE_CAPSULE, hwMakeVec3(1, 1, 1), 0.5, 1.7);
    samples[4].mesh = MakeTetrahedron(2.0);
    samples[5].mesh = MakeIcosphere(1.0, 2);
    samples[6].mesh = MakeBracket();
    for (int i = 0; i < SAMPLES; ++i) {
        if (i >= 4) {
            samples[i].shape =
                MakeShape(i == 6 ? HW_SHAPE_MESH : HW_SHAPE_HULL, hwMakeVec3(1, 1, 1), 1.0, 1.0);
            samples[i].shape.mesh = GetMeshData(&samples[i].mesh);
        }
        hwMassProperties mass;
        assert_int_equal(hwShape_ComputeMassProperties(&samples[i].shape, &mass, NULL), HW_OK);
        samples[i].volume = mass.volume;
        samples[i].size = 6.0;
    }
}

static void FreeSamples(Sample* samples) {
    for (int i = 0; i < SAMPLES; ++i) FreeMesh(&samples[i].mesh);
}

static void WetAndDryPartsMakeTheWhole(void** state) {
    (void)state;
    Sample samples[SAMPLES];
    MakeSamples(samples);
    hwRandom random = {3};
    for (int i = 0; i < SAMPLES * 1000; ++i) {
        const Sample* sample = &samples[i % SAMPLES];
        hwPose pose = RandomPose(&random, 3.0);
        hwVec3 n = RandomUnit(&random), point = hwAdd(pose.p, hwScale(hwRandom_Range(&random, -1.5, 1.5), n));
        hwSubmergence wet = Cut(&sample->shape, pose, point, n),
                      dry = Cut(&sample->shape, pose, point, hwNeg(n));
        hwMassProperties mass;
        hwShape_ComputeMassProperties(&sample->shape, &mass, NULL);
        hwVec3 moment = hwAdd(hwScale(wet.volume, wet.centroid), hwScale(dry.volume, dry.centroid));
        CheckNear(wet.volume + dry.volume, sample->volume, sample->volume, EXACT, "volume");
        CheckVec3(moment, hwScale(mass.volume, hwTransformPoint(pose, mass.centroid)),
                  sample->volume * sample->size, EXACT, "first moment");
        CheckNear(wet.area, dry.area, sample->size, EXACT, "cut seen from both sides");
        CheckNear(wet.cutMoment[0] + wet.cutMoment[1], dry.cutMoment[0] + dry.cutMoment[1], sample->size,
                  10.0 * EXACT, "polar moment seen from both sides");
        assert_true(wet.area >= 0.0 && wet.volume >= 0.0 && wet.cutMoment[0] >= 0.0 &&
                    wet.cutMoment[1] >= 0.0);
    }
    FreeSamples(samples);
}

// The plane raised by h: dV/dh = A and dM/dh = A c, with M the first moment and c the cut's centroid. Turned by a about
// a level axis through the cut's centroid: dV/da = 0, and the moment changes by the cut's second moments.
static void DerivativesAreTheCut(void** state) {
    (void)state;
    Sample samples[SAMPLES];
    MakeSamples(samples);
    hwRandom random = {4};
    const double h = 1e-4;
    for (int i = 0; i < SAMPLES * 200; ++i) {
        const Sample* sample = &samples[i % SAMPLES];
        hwVec3 n = RandomUnit(&random), point = hwScale(hwRandom_Range(&random, -1.0, 1.0), n);
        hwSubmergence cut = Cut(&sample->shape, hwPose_identity, point, n);
        hwSubmergence up = Cut(&sample->shape, hwPose_identity, hwMulAdd(point, h, n), n);
        hwSubmergence down = Cut(&sample->shape, hwPose_identity, hwMulAdd(point, -h, n), n);
        if (cut.area < 0.05) continue; // near the first touch areas change like sqrt(h)
        // Central differences are exact for areas linear in h; curvature of the area and passing a vertex leave terms
        // of order h, bounded by the length of the rim.
        double tolerance = 20.0 * h;
        CheckNear((up.volume - down.volume) / (2.0 * h), cut.area, 1.0, tolerance, "dV/dh");
        hwVec3 change = hwSub(hwScale(up.volume, up.centroid), hwScale(down.volume, down.centroid));
        CheckVec3(hwScale(0.5 / h, change), hwScale(cut.area, cut.cutCentroid), 1.0, 3.0 * tolerance,
                  "dM/dh");
        hwVec3 u = hwPerpendicular(n), v = hwCross(n, u);
        hwVec3 turned = hwRotate(hwQuatFromAxisAngle(u, h), n),
               back = hwRotate(hwQuatFromAxisAngle(u, -h), n);
        up = Cut(&sample->shape, hwPose_identity, cut.cutCentroid, turned);
        down = Cut(&sample->shape, hwPose_identity, cut.cutCentroid, back);
        // Turning by a about u lifts the water at v by a v.
        change = hwSub(hwScale(up.volume, up.centroid), hwScale(down.volume, down.centroid));
        CheckNear((up.volume - down.volume) / (2.0 * h), 0.0, 1.0, 3.0 * tolerance, "dV/da");
        CheckNear(hwDot(change, v) / (2.0 * h), cut.cutMoment[1], 1.0, 10.0 * tolerance, "dM_v/da");
        CheckNear(hwDot(change, u) / (2.0 * h), cut.cutMoment[2], 1.0, 10.0 * tolerance, "dM_u/da");
    }
    FreeSamples(samples);
}

static void MovingBodyAndPlaneTogetherChangesNothing(void** state) {
    (void)state;
    Sample samples[SAMPLES];
    MakeSamples(samples);
    hwRandom random = {5};
    for (int i = 0; i < SAMPLES * 500; ++i) {
        const Sample* sample = &samples[i % SAMPLES];
        hwPose pose = RandomPose(&random, 1.0), move = RandomPose(&random, 10.0);
        hwVec3 n = RandomUnit(&random), point = hwAdd(pose.p, hwScale(hwRandom_Range(&random, -1.0, 1.0), n));
        hwSubmergence here = Cut(&sample->shape, pose, point, n);
        hwVec3 turned = hwRotate(move.q, n);
        hwSubmergence there =
            Cut(&sample->shape, hwMulPose(move, pose), hwTransformPoint(move, point), turned);
        // Positions of some 10 m lose a digit.
        double tolerance = 10.0 * EXACT;
        CheckNear(there.volume, here.volume, 1.0, tolerance, "volume");
        CheckNear(there.area, here.area, 1.0, tolerance, "area");
        if (here.volume < 1e-6 || here.area < 1e-6) continue;
        CheckVec3(there.centroid, hwTransformPoint(move, here.centroid), 1.0, tolerance / here.volume,
                  "centroid");
        CheckVec3(there.cutCentroid, hwTransformPoint(move, here.cutCentroid), 1.0, tolerance / here.area,
                  "cut's centroid");
        double a = here.cutMoment[0], b = here.cutMoment[1], c = here.cutMoment[2];
        double d = there.cutMoment[0], e = there.cutMoment[1], f = there.cutMoment[2];
        CheckNear(d + e, a + b, 1.0, 10.0 * tolerance, "trace of the cut's moments");
        CheckNear(d * e - f * f, a * b - c * c, 1.0, 100.0 * tolerance, "determinant of the cut's moments");
    }
    FreeSamples(samples);
}

static void MeshesEqualTheSumOfTheirBoxes(void** state) {
    (void)state;
    SampleMesh mesh = MakeBracket();
    hwShapeDef bracket = MakeShape(HW_SHAPE_MESH, hwMakeVec3(1, 1, 1), 1.0, 1.0);
    bracket.mesh = GetMeshData(&mesh);
    hwShapeDef boxes[3];
    const double sizes[3][6] = {
        {2, 1, 1, 1, 0.5, 0.5}, {1, 2, 1, 0.5, 2, 0.5}, {1, 1.5, 3, -2.5, -0.25, 0.5}};
    for (int i = 0; i < 3; ++i) {
        boxes[i] = MakeShape(HW_SHAPE_BOX, hwMakeVec3(sizes[i][0], sizes[i][1], sizes[i][2]), 1.0, 1.0);
        boxes[i].pose.p = hwMakeVec3(sizes[i][3], sizes[i][4], sizes[i][5]);
    }
    hwSolid one, three;
    assert_int_equal(hwSolid_Init(&one, 1, &bracket, NULL), HW_OK);
    assert_int_equal(hwSolid_Init(&three, 3, boxes, NULL), HW_OK);
    CheckNear(one.volume, 8.5, 1.0, EXACT, "volume");
    CheckNear(three.volume, 8.5, 1.0, EXACT, "volume");
    CheckVec3(one.centroid, three.centroid, 1.0, EXACT, "centroid");
    hwRandom random = {6};
    for (int i = 0; i < 3000; ++i) {
        hwPose pose = RandomPose(&random, 5.0);
        hwVec3 n = RandomUnit(&random), point = hwAdd(pose.p, hwScale(hwRandom_Range(&random, -4.5, 4.5), n));
        hwSubmergence a = hwSolid_ComputeSubmergence(&one, pose, point, n);
        hwSubmergence b = hwSolid_ComputeSubmergence(&three, pose, point, n);
        CheckNear(a.volume, b.volume, 8.5, EXACT, "volume");
        CheckVec3(hwScale(a.volume, a.centroid), hwScale(b.volume, b.centroid), 50.0, EXACT, "moment");
        CheckNear(a.area, b.area, 8.5, EXACT, "area");
        CheckVec3(hwScale(a.area, a.cutCentroid), hwScale(b.area, b.cutCentroid), 50.0, EXACT,
                  "cut's moment");
        for (int k = 0; k < 3; ++k)
            CheckNear(a.cutMoment[k], b.cutMoment[k], 50.0, EXACT, "cut's second moment");
    }
    FreeMesh(&mesh);
}

static void ExtremePlanesGiveFiniteNumbers(void** state) {
    (void)state;
    Sample samples[SAMPLES];
    MakeSamples(samples);
    const double tilts[] = {0.0, 1e-300, 1e-160, 1e-20, 1e-16, 1e-12, 1e-8};
    const double heights[] = {-2.0,   -1.6,  -1.1, -1.0, -0.85, -0.8, -0.6, -0.5, -0.25, 0.0,
                              1e-300, 1e-16, 0.25, 0.5,  0.6,   0.8,  0.85, 1.0,  1.1,   1.6};
    for (int i = 0; i < SAMPLES; ++i) {
        for (int axis = 0; axis < 6; ++axis) {
            for (int t = 0; t < 7; ++t) {
                for (int h = 0; h < 20; ++h) {
                    double n[3] = {tilts[t], tilts[t], tilts[t]};
                    n[axis % 3] = axis < 3 ? 1.0 : -1.0;
                    hwVec3 normal = hwMakeVec3(n[0], n[1], n[2]);
                    hwSubmergence a =
                        Cut(&samples[i].shape, hwPose_identity, hwScale(heights[h], normal), normal);
                    assert_true(isfinite(a.volume) && isfinite(a.area) && hwIsFiniteVec3(a.centroid));
                    assert_true(hwIsFiniteVec3(a.cutCentroid));
                    assert_true(isfinite(a.cutMoment[0]) && isfinite(a.cutMoment[1]) &&
                                isfinite(a.cutMoment[2]));
                    assert_true(a.volume >= 0.0 && a.volume <= samples[i].volume * (1.0 + EXACT) &&
                                a.area >= 0.0);
                    hwSubmergence b =
                        Cut(&samples[i].shape, hwPose_identity, hwScale(heights[h], normal), hwNeg(normal));
                    CheckNear(a.volume + b.volume, samples[i].volume, samples[i].volume, EXACT, "volume");
                }
            }
        }
    }
    FreeSamples(samples);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BoxVolumeMatchesInclusionAndExclusion),
        cmocka_unit_test(CubeCutAtItsVerticesAndEdges),
        cmocka_unit_test(CylindersAndCapsulesMatchIntegrationInSections),
        cmocka_unit_test(SphereMatchesItsCap),
        cmocka_unit_test(UprightLevelAndAlmostLevelCylinders),
        cmocka_unit_test(SliversKeepTheirDigits),
        cmocka_unit_test(WetAndDryPartsMakeTheWhole),
        cmocka_unit_test(DerivativesAreTheCut),
        cmocka_unit_test(MovingBodyAndPlaneTogetherChangesNothing),
        cmocka_unit_test(MeshesEqualTheSumOfTheirBoxes),
        cmocka_unit_test(ExtremePlanesGiveFiniteNumbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
