// Round lines that overlap bodies, against the distance of points alone.
#include "contact/field.h"
#include "support.h"

#include <math.h>
#include <string.h>

#define POINTS 4

static uint64_t g_seed = 1;

static double Draw(double low, double high) {
    g_seed = g_seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(g_seed >> 11) / 9007199254740992.0;
}

static hwVec3 DrawVector(double size) {
    double x = Draw(-size, size), y = Draw(-size, size), z = Draw(-size, size);
    return hwMakeVec3(x, y, z);
}

typedef struct Line {
    const hwField* field;
    hwVec3 p, q;
} Line;

static double GetDistance(const Line* line, double u, hwVec3* normal) {
    return hwField_Measure(line->field, hwMulAdd(line->p, u, hwSub(line->q, line->p)), normal);
}

// The distance is convex along the line.
static double FindNearestPlace(const Line* line) {
    const double golden = 0.6180339887498949;
    double a = 0.0, b = 1.0;
    hwVec3 n;
    while (b - a > 1e-12) {
        double c = b - golden * (b - a), d = a + golden * (b - a);
        if (GetDistance(line, c, &n) < GetDistance(line, d, &n))
            b = d;
        else
            a = c;
    }
    return 0.5 * (a + b);
}

static double FindEnd(const Line* line, double inside, double outside, double radius) {
    hwVec3 n;
    if (GetDistance(line, outside, &n) <= radius) return outside;
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (inside + outside);
        *(GetDistance(line, middle, &n) < radius ? &inside : &outside) = middle;
    }
    return inside;
}

static bool Overlap(const Line* line, double radius, hwLineOverlap* out) {
    static const double places[POINTS] = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813,
                                          0.93056815579702629};
    static const double weights[POINTS] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                                           0.17392742256872693};
    double nearest = FindNearestPlace(line);
    hwVec3 n;
    memset(out, 0, sizeof(*out));
    out->depth = radius - GetDistance(line, nearest, &n);
    if (!(out->depth > 0.0)) return false;
    double from = FindEnd(line, nearest, 0.0, radius), to = FindEnd(line, nearest, 1.0, radius);
    double length = hwDistance(line->p, line->q), square = 0.0;
    for (int k = 0; k < POINTS; ++k) {
        double u = from + places[k] * (to - from), depth = radius - GetDistance(line, u, &n), width;
        if (!(depth > 0.0)) continue;
        double cut = weights[k] * hwCircle_Cut(radius, depth, &width);
        hwVec3 x = hwMulAdd(line->p, u, hwSub(line->q, line->p));
        out->volume += cut;
        out->area += weights[k] * width;
        out->at += cut * u;
        square += cut * u * u;
        out->areaAt += weights[k] * width * u;
        out->height += 0.4 * cut * depth;
        out->normal = hwMulAdd(out->normal, cut, n);
        out->point = hwMulAdd(out->point, cut, hwMulAdd(x, -(radius - 0.6 * depth), n));
    }
    out->at /= out->volume;
    out->spread = sqrt(fmax(square / out->volume - out->at * out->at, 0.0));
    out->areaAt /= out->area;
    out->height /= out->volume;
    out->normal = hwNormalize(out->normal);
    out->point = hwScale(1.0 / out->volume, out->point);
    out->volume *= (to - from) * length;
    out->area *= (to - from) * length;
    return true;
}

// Which bodies are drawn.
enum { BALL, CAPSULE, CYLINDER, BOX, MESH, KINDS }; // MESH: the triangles of a box

static hwConvex MakeBody(int kind) {
    switch (kind) {
    case BALL:
        return hwMakeSphere(Draw(0.05, 1.0));
    case CAPSULE: {
        double radius = Draw(0.05, 0.5);
        return hwMakeCapsule(radius, Draw(0.1, 2.0));
    }
    case CYLINDER: {
        double radius = Draw(0.05, 0.5);
        return hwMakeCylinder(radius, Draw(0.1, 2.0));
    }
    default:
        return hwMakeBox(hwMakeVec3(Draw(0.1, 1.0), Draw(0.1, 1.0), Draw(0.1, 1.0)));
    }
}

static void FillTriangles(const hwConvex* box, hwVec3 triangles[12][3]) {
    static const int corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                       {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    for (int i = 0; i < 12; ++i) {
        for (int k = 0; k < 3; ++k) {
            int c = corners[i][k];
            triangles[i][k] = hwMakeVec3((c & 1) != 0 ? box->half.x : -box->half.x,
                                         (c & 2) != 0 ? box->half.y : -box->half.y,
                                         (c & 4) != 0 ? box->half.z : -box->half.z);
        }
    }
}

static hwField MakeField(int kind, const hwConvex* body, hwVec3 triangles[12][3]) {
    hwQuat turn = hwQuatFromRotationVector(DrawVector(3.0));
    hwField field = {.r = hwMat3FromQuat(turn), .p = DrawVector(0.3), .convex = body};
    if (kind != MESH) return field;
    FillTriangles(body, triangles);
    field.convex = NULL;
    field.triangles = (const hwVec3(*)[3])triangles;
    field.triangleCount = 12;
    return field;
}

// A line near the surface, now and then through the body or along its axis.
static Line DrawLine(const hwField* field, double radius) {
    hwVec3 at = DrawVector(1.2), n;
    double gap = hwField_Measure(field, at, &n);
    if (Draw(0.0, 1.0) < 0.8) at = hwMulAdd(at, Draw(0.0, 2.0) * radius - gap, n);
    hwVec3 d = DrawVector(1.0);
    if (Draw(0.0, 1.0) < 0.7) d = hwMulAdd(d, -hwDot(d, n), n);
    if (Draw(0.0, 1.0) < 0.1) d = hwMulMV(field->r, hwMakeVec3(0.0, 0.0, Draw(-1.0, 1.0)));
    double from = Draw(0.0, 1.0);
    return (Line){field, hwMulAdd(at, -from, d), hwMulAdd(at, 1.0 - from, d)};
}

static void CheckVectors(hwVec3 a, hwVec3 b, double tolerance) {
    assert_close(hwDistance(a, b), 0.0, tolerance);
}

// Ends are found to 1e-8 of the depth by halves and by parabolas, exactly beside round bodies: where a line only grazes a body, both
// have no more digits than distances have.
static void OverlapsAreThoseOfTheDistance(void** state) {
    (void)state;
    int touching[KINDS] = {0}, checked = 0;
    for (int i = 0; i < 20000; ++i) {
        int kind = i % KINDS;
        hwConvex body = MakeBody(kind);
        hwVec3 triangles[12][3];
        hwField field = MakeField(i % KINDS, &body, triangles);
        double radius = Draw(0.002, 0.1);
        Line line = DrawLine(&field, radius);
        hwLineOverlap found, wanted;
        bool touches = hwField_OverlapLine(&field, line.p, line.q, radius, &found);
        bool should = Overlap(&line, radius, &wanted);
        if (wanted.depth < 1e-9) continue; // rounding decides
        if (touches != should)
            fail_msg("line %d, kind %d: %d for %d, depth %g", i, kind, touches, should, wanted.depth);
        if (!touches) continue;
        touching[kind] += 1;
        assert_close(found.depth, wanted.depth, (kind == BALL ? 1e-9 : 0.11) * wanted.depth + 1e-12);
        if (wanted.depth < 1e-6) continue;
        checked += 1;
        assert_close(found.volume, wanted.volume, 1e-6 * wanted.volume);
        assert_close(found.area, wanted.area, 1e-6 * wanted.area);
        assert_close(found.at, wanted.at, 1e-6);
        assert_close(found.areaAt, wanted.areaAt, 1e-6);
        assert_close(found.spread, wanted.spread, 1e-5);
        assert_close(found.height, wanted.height, 1e-6 * wanted.height);
        if (wanted.depth > radius) continue; // inside, where normals jump
        CheckVectors(found.normal, wanted.normal, 1e-6);
        CheckVectors(found.point, wanted.point, 1e-6);
    }
    for (int kind = 0; kind < KINDS; ++kind) assert_true(touching[kind] > 1000);
    assert_true(checked > 6000);
}

static void NearestPlacesAreThoseOfTheDistance(void** state) {
    (void)state;
    for (int i = 0; i < 20000; ++i) {
        hwConvex body = MakeBody(i % KINDS);
        hwVec3 triangles[12][3];
        hwField field = MakeField(i % KINDS, &body, triangles);
        double radius = Draw(0.01, 0.5);
        Line line = DrawLine(&field, radius);
        hwLinePoint found = hwField_FindNearest(&field, line.p, line.q, radius);
        hwVec3 n;
        double wanted = GetDistance(&line, FindNearestPlace(&line), &n);
        if (wanted >= radius) {
            assert_true(found.distance >= radius - 1e-12);
            continue;
        }
        assert_close(found.distance, wanted, 1e-6 * radius);
        assert_close(found.distance, GetDistance(&line, found.u, &n), 1e-12);
        GetDistance(&line, found.u, &n);
        if (wanted > 0.0) CheckVectors(found.normal, n, 1e-9); // inside normals jump
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(OverlapsAreThoseOfTheDistance),
        cmocka_unit_test(NearestPlacesAreThoseOfTheDistance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
