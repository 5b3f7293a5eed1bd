// Common volume, centroid and depth of convex bodies against methods that share nothing with those of the library.
#include "cases/harness.h"
#include "geom/overlap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Polyhedra ----------------------------------------------------------------------------------------------------------------

#define MOST_PLANES 40
#define MOST_VERTICES 12
#define MOST_EDGES 30

// A body in its own frame: planes n . x <= d, corners, directions of edges.
typedef struct Body {
    const char* name;
    hwConvex convex;
    hwHull hull;
    double volume, size;
    int planes, corners, edges;
    hwVec3 normal[MOST_PLANES / 2], corner[MOST_VERTICES], edge[MOST_EDGES];
    double offset[MOST_PLANES / 2];
} Body;

static void AddEdge(Body* body, hwVec3 d) {
    d = hwNormalize(d);
    for (int i = 0; i < body->edges; ++i) {
        if (hwLength(hwCross(body->edge[i], d)) < 1e-9) return;
    }
    body->edge[body->edges++] = d;
}

static bool Fill(Body* body, const char* name, int vertices, const hwVec3* corner, int triangles,
                 const int (*triangle)[3], hwError* error) {
    memset(body, 0, sizeof(*body));
    body->name = name;
    hwMeshData mesh = {vertices, corner, triangles, triangle};
    hwAllocator allocator = hwDefaultWorldDef().allocator;
    if (hwHull_Init(&body->hull, &allocator, &mesh, error) != HW_OK) return false;
    body->convex = hwMakeHull(&body->hull);
    body->corners = vertices;
    memcpy(body->corner, corner, (size_t)vertices * sizeof(hwVec3));
    for (int t = 0; t < triangles; ++t) {
        hwVec3 a = corner[triangle[t][0]], b = corner[triangle[t][1]], c = corner[triangle[t][2]];
        hwVec3 n = hwNormalize(hwCross(hwSub(b, a), hwSub(c, a)));
        body->volume += hwDot(a, hwCross(b, c)) / 6.0;
        body->size = fmax(body->size, hwLength(a));
        bool known = false;
        for (int i = 0; i < body->planes; ++i) known = known || hwDistance(body->normal[i], n) < 1e-9;
        if (!known) {
            body->normal[body->planes] = n;
            body->offset[body->planes++] = hwDot(n, a);
        }
        AddEdge(body, hwSub(b, a));
        AddEdge(body, hwSub(c, b));
        AddEdge(body, hwSub(a, c));
    }
    return true;
}

static bool MakeBodies(Body bodies[3], hwError* error) {
    static const hwVec3 tetra[4] = {{0.9, 0.8, 1.0}, {-1.0, -0.9, 0.8}, {-0.8, 1.0, -0.9}, {1.0, -0.8, -1.0}};
    static const int tetraFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    static const int boxFaces[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                                        {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    static const int icoFaces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                        {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                        {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                        {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double g = 0.5 * (1.0 + sqrt(5.0));
    const hwVec3 ico[12] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                            {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    hwVec3 box[8];
    for (int i = 0; i < 8; ++i)
        box[i] = hwMakeVec3(i & 1 ? 0.9 : -0.9, i & 2 ? 0.6 : -0.6, i & 4 ? 1.1 : -1.1);
    if (!Fill(&bodies[0], "box", 8, box, 12, boxFaces, error)) return false;
    // boxes have a way of their own through the library
    bodies[0].convex = hwMakeBox(hwMakeVec3(1.8, 1.2, 2.2));
    return Fill(&bodies[1], "tetrahedron", 4, tetra, 4, tetraFaces, error) &&
           Fill(&bodies[2], "icosphere", 12, ico, 20, icoFaces, error);
}

// The other methods ----------------------------------------------------------------------------------------------------------

typedef struct Volume {
    double volume;
    hwVec3 centroid;
} Volume;

typedef struct Planes {
    int count;
    hwVec3 normal[MOST_PLANES];
    double offset[MOST_PLANES];
} Planes;

static void AddPlanes(Planes* planes, const Body* body, hwPose pose) {
    for (int i = 0; i < body->planes; ++i) {
        hwVec3 n = hwRotate(pose.q, body->normal[i]);
        double offset = body->offset[i] + hwDot(n, pose.p);
        bool known = false; // faces in one plane are one
        for (int k = 0; k < planes->count; ++k) {
            known = known ||
                    (hwDistance(planes->normal[k], n) < 1e-12 && fabs(planes->offset[k] - offset) < 1e-12);
        }
        if (known) continue;
        planes->normal[planes->count] = n;
        planes->offset[planes->count++] = offset;
    }
}

// The polygon of one face: the plane's own square cut by all other planes (Sutherland & Hodgman 1974).
static int CutFace(const Planes* planes, int face, hwVec3* polygon) {
    hwVec3 n = planes->normal[face], u = hwPerpendicular(n), v = hwCross(n, u), other[2 * MOST_PLANES];
    hwVec3 center = hwScale(planes->offset[face], n);
    int count = 4;
    for (int k = 0; k < 4; ++k) {
        double a = k == 0 || k == 3 ? -20.0 : 20.0, b = k < 2 ? -20.0 : 20.0;
        polygon[k] = hwMulAdd(hwMulAdd(center, a, u), b, v);
    }
    for (int p = 0; p < planes->count && count > 0; ++p) {
        if (p == face) continue;
        int kept = 0;
        for (int k = 0; k < count; ++k) {
            hwVec3 a = polygon[k], b = polygon[(k + 1) % count];
            double da = hwDot(planes->normal[p], a) - planes->offset[p],
                   db = hwDot(planes->normal[p], b) - planes->offset[p];
            if (da <= 0.0) other[kept++] = a;
            if ((da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0))
                other[kept++] = hwMulAdd(a, da / (da - db), hwSub(b, a));
        }
        count = kept;
        memcpy(polygon, other, (size_t)kept * sizeof(hwVec3));
    }
    return count;
}

// Divergence theorem over the faces, each found on its own.
static Volume Intersect(const Body* a, hwPose poseA, const Body* b, hwPose poseB) {
    Planes planes = {0};
    AddPlanes(&planes, a, poseA);
    AddPlanes(&planes, b, poseB);
    Volume sum = {0.0, hwVec3_zero};
    hwVec3 polygon[2 * MOST_PLANES], o = poseA.p;
    for (int f = 0; f < planes.count; ++f) {
        int count = CutFace(&planes, f, polygon);
        for (int k = 1; k + 1 < count; ++k) {
            hwVec3 x = hwSub(polygon[0], o), y = hwSub(polygon[k], o), z = hwSub(polygon[k + 1], o);
            double v = hwDot(x, hwCross(y, z)) / 6.0;
            sum.volume += v;
            sum.centroid = hwMulAdd(sum.centroid, 0.25 * v, hwAdd(hwAdd(x, y), z));
        }
    }
    sum.centroid = sum.volume > 0.0 ? hwMulAdd(o, 1.0 / sum.volume, sum.centroid) : o;
    return sum;
}

static double Reach(const Body* body, hwPose pose, hwVec3 direction) {
    double most = -HUGE_VAL;
    for (int i = 0; i < body->corners; ++i)
        most = fmax(most, hwDot(direction, hwTransformPoint(pose, body->corner[i])));
    return most;
}

// Depth along one direction, both ways.
static double Along(const Body* a, hwPose poseA, const Body* b, hwPose poseB, hwVec3 n) {
    double one = Reach(a, poseA, n) + Reach(b, poseB, hwNeg(n));
    return fmin(one, Reach(a, poseA, hwNeg(n)) + Reach(b, poseB, n));
}

// All faces of the Minkowski difference: those of both bodies, and of all pairs of edges.
static double Depth(const Body* a, hwPose poseA, const Body* b, hwPose poseB) {
    double depth = HUGE_VAL;
    for (int i = 0; i < a->planes; ++i)
        depth = fmin(depth, Along(a, poseA, b, poseB, hwRotate(poseA.q, a->normal[i])));
    for (int i = 0; i < b->planes; ++i)
        depth = fmin(depth, Along(a, poseA, b, poseB, hwRotate(poseB.q, b->normal[i])));
    for (int i = 0; i < a->edges; ++i) {
        for (int j = 0; j < b->edges; ++j) {
            hwVec3 n = hwCross(hwRotate(poseA.q, a->edge[i]), hwRotate(poseB.q, b->edge[j]));
            double length = hwLength(n);
            if (length > 1e-9) depth = fmin(depth, Along(a, poseA, b, poseB, hwScale(1.0 / length, n)));
        }
    }
    return depth;
}

// Comparing --------------------------------------------------------------------------------------------------------------------

static double Draw(uint64_t* seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1.0p-52 - 1.0;
}

typedef struct Worst {
    double volume, centroid, depth;
    int overlapping;
} Worst;

static void CompareAt(const Body* a, hwPose poseA, const Body* b, hwPose poseB, void* scratch, size_t size,
                      Worst* worst) {
    hwOverlap overlap;
    memset(&overlap, 0, sizeof(overlap));
    bool found = hwConvex_FindOverlap(&a->convex, poseA, &b->convex, poseB, scratch, size, &overlap);
    Volume exact = Intersect(a, poseA, b, poseB);
    double smaller = fmin(a->volume, b->volume), length = fmin(a->size, b->size);
    double got = found ? overlap.volume : (double)NAN;
    worst->volume = fmax(worst->volume, isnan(got) ? 1.0 : fabs(got - exact.volume) / smaller);
    // of slivers the centroid is as uncertain as the volume
    if (exact.volume > 1e-6 * smaller) {
        worst->centroid = fmax(worst->centroid, hwDistance(overlap.centroid, exact.centroid) / length);
    }
    double depth = Depth(a, poseA, b, poseB);
    if (!(depth > 0.0)) return;
    worst->overlapping += 1;
    hwClosest closest = hwConvex_FindClosest(&a->convex, poseA, &b->convex, poseB, NULL);
    worst->depth = fmax(worst->depth, fabs(-closest.distance - depth) / length);
}

static void RandomPoses(hwCaseContext* context) {
    hwError error;
    Body bodies[3];
    if (!MakeBodies(bodies, &error)) {
        hwCase_AddError(context, "bodies", &error);
        return;
    }
    size_t size = hwOverlap_GetScratchSize(20, 20);
    void* scratch = malloc(size);
    uint64_t seed = 11;
    for (int i = 0; i < 3 && scratch != NULL; ++i) {
        for (int j = i; j < 3; ++j) {
            Worst worst = {0};
            int count = i == 2 ? 500 : (j == 2 ? 1500 : 2167);
            for (int k = 0; k < count; ++k) {
                double far = 0.7 * (bodies[i].size + bodies[j].size);
                hwPose poseA = {
                    hwMakeVec3(Draw(&seed), Draw(&seed), Draw(&seed)),
                    hwNormalizeQuat((hwQuat){Draw(&seed), Draw(&seed), Draw(&seed), Draw(&seed)})};
                hwPose poseB = {
                    hwMulAdd(poseA.p, far, hwMakeVec3(Draw(&seed), Draw(&seed), Draw(&seed))),
                    hwNormalizeQuat((hwQuat){Draw(&seed), Draw(&seed), Draw(&seed), Draw(&seed)})};
                if (k == 0) poseB = poseA; // one in the other
                if (k == 1)
                    poseB = (hwPose){hwAdd(poseA.p, hwRotate(poseA.q, hwMakeVec3(0.3, 0.0, 0.0))), poseA.q};
                CompareAt(&bodies[i], poseA, &bodies[j], poseB, scratch, size, &worst);
            }
            char name[96], note[96];
            snprintf(note, sizeof(note), "worst of %d poses, %d of them overlapping", count,
                     worst.overlapping);
            snprintf(name, sizeof(name), "%s and %s: common volume, of the smaller", bodies[i].name,
                     bodies[j].name);
            hwCase_Compare(context, name, 0.0, HW_NO_SEED, worst.volume, (double)NAN, 1e-9, (double)NAN,
                           note);
            snprintf(name, sizeof(name), "%s and %s: centroid, of the smaller's size", bodies[i].name,
                     bodies[j].name);
            hwCase_Compare(context, name, 0.0, HW_NO_SEED, worst.centroid, (double)NAN, 1e-9, (double)NAN,
                           NULL);
            snprintf(name, sizeof(name), "%s and %s: depth, of the smaller's size", bodies[i].name,
                     bodies[j].name);
            hwCase_Compare(context, name, 0.0, HW_NO_SEED, worst.depth, (double)NAN, 1e-9, (double)NAN, NULL);
        }
    }
    free(scratch);
    hwAllocator allocator = hwDefaultWorldDef().allocator;
    for (int i = 0; i < 3; ++i) hwHull_Free(&bodies[i].hull, &allocator);
}

const hwCase hwContactGeometryCases[] = {
    {"contact-overlap", "Sutherland & Hodgman 1974; Gottschalk 1996",
     "Volume, centroid and depth of boxes, tetrahedra and icospheres at ten thousand random poses.",
     RandomPoses},
    {0},
};
