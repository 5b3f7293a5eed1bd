// Axes of piles and closed loops of a structure made of solids.
//
// Convex solids that overlap form a graph. By the nerve theorem the union of convex sets has the closed loops of the complex
// whose corners are the sets, with an edge for each two that meet and a triangle for each three that have a common point:
// the fundamental loops of a spanning tree, less one for each relation that a triangle gives. The ground is one more set.
#include "tether/skeleton.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/convex.h"
#include "geom/mesh_query.h"
#include "geom/shape_data.h"

#include <string.h>

#define PROJECTIONS 200 // onto convex sets in turn, until a common point is found

typedef struct Solid {
    hwConvex convex;
    hwHull hull;
    hwMeshTree tree;
    const hwShapeDef* shape;
    hwPose pose; // of the shape itself
    hwBox box;
    bool mesh;
    int source; // index in the def
} Solid;

typedef struct Edge {
    int a, b;     // solids; b may be the ground, which comes last
    hwVec3 point; // common to both
    bool inTree;
    int generator; // of those not in the tree, else -1
} Edge;

typedef struct Graph {
    const hwSkeletonDef* def;
    const hwAllocator* allocator;
    int solidCount, ground; // ground: its node
    Solid* solids;
    int edgeCount, edgeCapacity;
    Edge* edges;
    double depth; // m below the ground at which loops pass from one foot to the other
    int* parent;  // [node] in the tree, -1: a root
    int* up;      // [node] edge to it
    int* level;   // [node]
    int loopCount;
    signed char* loops; // [loop][edge] -1, 0, 1
    double* lengths;    // [loop]
} Graph;

static const hwPose g_atOrigin = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};

// The point of a solid nearest to p: p itself where it is inside.
static hwVec3 ProjectPoint(const Solid* solid, hwVec3 p) {
    hwConvex point = hwMakeSphere(0.0);
    hwPose at = {p, {1.0, 0.0, 0.0, 0.0}};
    hwClosest closest = hwConvex_FindClosest(&solid->convex, solid->pose, &point, at, NULL);
    return closest.distance > 0.0 ? closest.pointA : p;
}

// A point within `gap` of all of up to three convex sets, by projections in turn (Bregman 1965: they converge to a common
// point where there is one). Node `ground` is the half-space below it.
static bool FindCommonPoint(const Graph* graph, int count, const int* nodes, double gap, hwVec3* point) {
    hwVec3 p = *point;
    for (int k = 0; k < PROJECTIONS; ++k) {
        double most = 0.0;
        for (int i = 0; i < count; ++i) {
            hwVec3 q = p;
            if (nodes[i] == graph->ground) {
                q.z = hwFmin(q.z, graph->def->ground);
            } else {
                q = ProjectPoint(&graph->solids[nodes[i]], p);
            }
            most = hwFmax(most, hwDistance(p, q));
            p = q;
        }
        if (most <= gap) {
            *point = p;
            return true;
        }
    }
    return false;
}

static hwStatus AddEdge(Graph* graph, int a, int b, hwVec3 point, hwError* error) {
    if (graph->edgeCount == graph->edgeCapacity) {
        int capacity = 2 * graph->edgeCapacity + 64;
        Edge* edges = hwAllocate(graph->allocator, (size_t)capacity * sizeof(Edge));
        if (edges == NULL) return hwFail_Memory(error, NULL);
        if (graph->edges != NULL) memcpy(edges, graph->edges, (size_t)graph->edgeCount * sizeof(Edge));
        hwRelease(graph->allocator, graph->edges);
        graph->edges = edges;
        graph->edgeCapacity = capacity;
    }
    graph->edges[graph->edgeCount++] = (Edge){a, b, point, false, -1};
    return HW_OK;
}

// The nearest triangle of a mesh to a convex body: where they meet, if nearer than `gap`.
static bool MeetsMesh(const Solid* mesh, const Solid* other, double gap, hwVec3* point) {
    const hwMeshTree* tree = &mesh->tree;
    hwBox box = hwBox_Grow(other->box, gap);
    double least = gap;
    bool found = false;
    for (int i = 0; i < tree->triangleCount; ++i) {
        hwVec3 corner[3];
        for (int k = 0; k < 3; ++k)
            corner[k] = hwTransformPoint(mesh->pose, tree->vertices[tree->triangles[i][k]]);
        hwBox own = hwBox_AddPoint(hwBox_OfSegment(corner[0], corner[1]), corner[2]);
        if (!hwBox_Overlaps(&own, &box)) continue;
        hwConvex triangle = hwMakeTriangle(corner[0], corner[1], corner[2], 0.0);
        hwClosest closest = hwConvex_FindClosest(&triangle, g_atOrigin, &other->convex, other->pose, NULL);
        if (closest.distance > least) continue;
        least = closest.distance;
        *point = hwScale(0.5, hwAdd(closest.pointA, closest.pointB));
        found = true;
    }
    return found;
}

static bool MeetsSolid(const Graph* graph, int a, int b, hwVec3* point) {
    const Solid *first = &graph->solids[a], *second = &graph->solids[b];
    double gap = graph->def->gap;
    hwBox grown = hwBox_Grow(first->box, gap);
    if (!hwBox_Overlaps(&grown, &second->box)) return false;
    if (first->mesh && second->mesh) {
        hwPose pose =
            hwMulPose((hwPose){hwInvRotate(first->pose.q, hwNeg(first->pose.p)), hwConjugate(first->pose.q)},
                      second->pose);
        hwTrianglePair pair;
        if (hwMeshes_FindPairs(&first->tree, &second->tree, pose, &pair, 1) == 0) return false;
        *point = hwTransformPoint(first->pose, hwScale(0.5, hwAdd(pair.from, pair.to)));
        return true;
    }
    if (first->mesh) return MeetsMesh(first, second, gap, point);
    if (second->mesh) return MeetsMesh(second, first, gap, point);
    hwClosest closest =
        hwConvex_FindClosest(&first->convex, first->pose, &second->convex, second->pose, NULL);
    if (closest.distance > gap) return false;
    *point = hwScale(0.5, hwAdd(closest.pointA, closest.pointB));
    int nodes[2] = {a, b};
    FindCommonPoint(graph, 2, nodes, 0.0, point); // deeper inside where there is such a point
    return true;
}

// The lowest point of a solid.
static hwVec3 FindFoot(const Solid* solid) {
    if (solid->mesh) {
        hwVec3 lowest = {0.0, 0.0, HUGE_VAL};
        for (int i = 0; i < solid->tree.vertexCount; ++i) {
            hwVec3 p = hwTransformPoint(solid->pose, solid->tree.vertices[i]);
            if (p.z < lowest.z) lowest = p;
        }
        return lowest;
    }
    hwVec3 middle = hwScale(0.5, hwAdd(solid->box.low, solid->box.high));
    double size = hwDistance(solid->box.low, solid->box.high);
    return ProjectPoint(solid, hwMakeVec3(middle.x, middle.y, solid->box.low.z - 1e4 * size));
}

static hwStatus FindEdges(Graph* graph, hwError* error) {
    const hwSkeletonDef* def = graph->def;
    hwStatus status = HW_OK;
    for (int a = 0; a < graph->solidCount && status == HW_OK; ++a) {
        hwVec3 point;
        for (int b = a + 1; b < graph->solidCount && status == HW_OK; ++b) {
            if (MeetsSolid(graph, a, b, &point)) status = AddEdge(graph, a, b, point, error);
        }
        if (status == HW_OK && def->hasGround && graph->solids[a].box.low.z <= def->ground + def->gap)
            status = AddEdge(graph, a, graph->ground, FindFoot(&graph->solids[a]), error);
    }
    return status;
}

// The tree: breadth first from the ground, then from each solid that was not reached; edges in order, so that it repeats.
static hwStatus GrowTree(Graph* graph, hwError* error) {
    int nodes = graph->solidCount + 1;
    int* queue = hwAllocate(graph->allocator, (size_t)nodes * sizeof(int));
    if (queue == NULL) return hwFail_Memory(error, NULL);
    for (int i = 0; i < nodes; ++i) graph->level[i] = -1;
    for (int start = nodes - 1; start >= 0; --start) {
        if (graph->level[start] >= 0) continue;
        int head = 0, tail = 0;
        graph->level[start] = 0;
        graph->parent[start] = graph->up[start] = -1;
        queue[tail++] = start;
        while (head < tail) {
            int node = queue[head++];
            for (int e = 0; e < graph->edgeCount; ++e) {
                Edge* edge = &graph->edges[e];
                if (edge->a != node && edge->b != node) continue;
                int other = edge->a == node ? edge->b : edge->a;
                if (graph->level[other] >= 0) continue;
                graph->level[other] = graph->level[node] + 1;
                graph->parent[other] = node;
                graph->up[other] = e;
                edge->inTree = true;
                queue[tail++] = other;
            }
        }
    }
    hwRelease(graph->allocator, queue);
    return HW_OK;
}

// The loop of an edge that is not in the tree: along it, and back through the tree.
static void FillLoop(const Graph* graph, int e, signed char* row) {
    int a = graph->edges[e].b, b = graph->edges[e].a; // back from b's end to a's
    row[e] = 1;
    while (a != b) {
        bool stepA = graph->level[a] >= graph->level[b];
        int node = stepA ? a : b, up = graph->up[node];
        bool forward = graph->edges[up].a == node; // towards the parent
        row[up] = (signed char)(row[up] + (stepA ? (forward ? 1 : -1) : (forward ? -1 : 1)));
        if (stepA) {
            a = graph->parent[node];
        } else {
            b = graph->parent[node];
        }
    }
}

static int FindEdge(const Graph* graph, int a, int b) {
    for (int e = 0; e < graph->edgeCount; ++e) {
        if (graph->edges[e].a == a && graph->edges[e].b == b) return e;
    }
    return -1;
}

// Takes out generators by the relations of filled triangles: in each relation, reduced by those before, one with the
// coefficient +-1 is expressed by the others.
static hwStatus TakeOutFilled(Graph* graph, int generators, bool* gone, hwError* error) {
    int rows = 0, capacity = generators;
    int* relations = hwAllocate(graph->allocator, (size_t)(capacity + 1) * (size_t)generators * sizeof(int));
    int* pivots = hwAllocate(graph->allocator, (size_t)(capacity + 1) * sizeof(int));
    if (relations == NULL || pivots == NULL) {
        hwRelease(graph->allocator, relations);
        hwRelease(graph->allocator, pivots);
        return hwFail_Memory(error, NULL);
    }
    for (int e = 0; e < graph->edgeCount && rows < capacity; ++e) {
        int a = graph->edges[e].a, b = graph->edges[e].b;
        for (int f = e + 1; f < graph->edgeCount && rows < capacity; ++f) {
            if (graph->edges[f].a != a) continue;
            int c = graph->edges[f].b, g = b < c ? FindEdge(graph, b, c) : FindEdge(graph, c, b);
            if (g < 0) continue;
            bool meshes = false;
            int nodes[3] = {a, b, c};
            for (int k = 0; k < 3; ++k)
                meshes = meshes || (nodes[k] != graph->ground && graph->solids[nodes[k]].mesh);
            hwVec3 point = hwScale(
                1.0 / 3.0, hwAdd(graph->edges[e].point, hwAdd(graph->edges[f].point, graph->edges[g].point)));
            // of meshes only that the three meet at one place is known
            double apart = hwFmax(
                hwDistance(graph->edges[e].point, point),
                hwFmax(hwDistance(graph->edges[f].point, point), hwDistance(graph->edges[g].point, point)));
            if (meshes ? apart > 2.0 * graph->def->gap
                       : !FindCommonPoint(graph, 3, nodes, graph->def->gap, &point)) {
                continue;
            }
            // a to b, b to c, c to a
            int* row = relations + (size_t)rows * (size_t)generators;
            memset(row, 0, (size_t)generators * sizeof(int));
            int between = g >= 0 && graph->edges[g].a == b ? 1 : -1;
            if (graph->edges[e].generator >= 0) row[graph->edges[e].generator] += 1;
            if (graph->edges[g].generator >= 0) row[graph->edges[g].generator] += between;
            if (graph->edges[f].generator >= 0) row[graph->edges[f].generator] -= 1;
            for (int r = 0; r < rows; ++r) {
                int share = row[pivots[r]];
                const int* other = relations + (size_t)r * (size_t)generators;
                if (share == 0) continue;
                share *= other[pivots[r]]; // +-1
                for (int k = 0; k < generators; ++k) row[k] -= share * other[k];
            }
            // the youngest generator goes: edges come from the first solids on
            int pivot = -1;
            for (int k = generators - 1; k >= 0 && pivot < 0; --k) {
                if (row[k] == 1 || row[k] == -1) pivot = k;
            }
            if (pivot < 0) continue;
            pivots[rows++] = pivot;
            gone[pivot] = true;
        }
    }
    hwRelease(graph->allocator, relations);
    hwRelease(graph->allocator, pivots);
    return HW_OK;
}

// Walks through a loop: edges in order with their directions. Returns how many, 0: it is not one simple closed way.
static int WalkLoop(const Graph* graph, const signed char* row, int* edges, int capacity) {
    int total = 0, start = -1;
    for (int e = 0; e < graph->edgeCount; ++e) {
        if (row[e] > 1 || row[e] < -1) return 0;
        total += row[e] != 0;
        if (row[e] != 0 && start < 0) start = e;
    }
    if (start < 0 || total > capacity) return 0;
    int node = row[start] > 0 ? graph->edges[start].b : graph->edges[start].a, count = 0;
    int first = row[start] > 0 ? graph->edges[start].a : graph->edges[start].b;
    edges[count++] = start;
    while (node != first) {
        int next = -1;
        for (int e = 0; e < graph->edgeCount; ++e) {
            if (row[e] == 0 || e == edges[count - 1]) continue;
            int from = row[e] > 0 ? graph->edges[e].a : graph->edges[e].b;
            if (from != node) continue;
            if (next >= 0) return 0; // it passes a solid twice
            next = e;
        }
        if (next < 0 || count == total) return 0;
        edges[count++] = next;
        node = row[next] > 0 ? graph->edges[next].b : graph->edges[next].a;
    }
    return count == total ? count : 0;
}

// Corners of a loop; returns how many.
static int MakeCorners(const Graph* graph, const signed char* row, const int* edges, int count,
                       hwVec3* corners) {
    int total = 0;
    for (int i = 0; i < count; ++i) {
        const Edge* edge = &graph->edges[edges[i]];
        bool grounded = edge->b == graph->ground;
        hwVec3 below = {edge->point.x, edge->point.y, graph->depth};
        if (grounded && row[edges[i]] < 0) corners[total++] = below;
        corners[total++] = edge->point;
        if (grounded && row[edges[i]] > 0) corners[total++] = below;
    }
    return total;
}

static double GetLoopLength(const Graph* graph, const signed char* row, int* edges, hwVec3* corners) {
    int count = WalkLoop(graph, row, edges, graph->edgeCount);
    if (count == 0) return HUGE_VAL;
    int total = MakeCorners(graph, row, edges, count, corners);
    return hwTether_GetLength((hwPolyline){total, corners}) + hwDistance(corners[total - 1], corners[0]);
}

// Sums and differences of two loops take the place of the longer one where they are shorter: another basis of the same
// loops, of frames instead of ways through the ground.
static void Shorten(Graph* graph, int* edges, hwVec3* corners, signed char* trial) {
    size_t size = (size_t)graph->edgeCount;
    bool changed = true;
    for (int round = 0; changed && round < 20; ++round) {
        changed = false;
        for (int i = 0; i < graph->loopCount; ++i) {
            for (int j = 0; j < graph->loopCount; ++j) {
                if (i == j) continue;
                signed char *own = graph->loops + (size_t)i * size, *other = graph->loops + (size_t)j * size;
                int common = 0;
                for (size_t e = 0; e < size; ++e) common += own[e] * other[e];
                if (common == 0) continue;
                for (size_t e = 0; e < size; ++e)
                    trial[e] = (signed char)(common > 0 ? own[e] - other[e] : own[e] + other[e]);
                double length = GetLoopLength(graph, trial, edges, corners);
                if (!(length < graph->lengths[i] * (1.0 - 1e-9))) continue;
                memcpy(own, trial, size);
                graph->lengths[i] = length;
                changed = true;
            }
        }
    }
}

static hwStatus FindLoops(Graph* graph, hwError* error) {
    int generators = 0, kept = 0;
    for (int e = 0; e < graph->edgeCount; ++e) {
        if (!graph->edges[e].inTree) graph->edges[e].generator = generators++;
    }
    if (generators == 0) return HW_OK;
    bool* gone = hwAllocate(graph->allocator, (size_t)generators * sizeof(bool));
    if (gone == NULL) return hwFail_Memory(error, NULL);
    hwStatus status = TakeOutFilled(graph, generators, gone, error);
    for (int i = 0; i < generators; ++i) kept += !gone[i];
    size_t size = (size_t)graph->edgeCount;
    graph->loops = hwAllocate(graph->allocator, (size_t)(kept + 1) * size); // one more to try with
    graph->lengths = hwAllocate(graph->allocator, (size_t)(kept + 1) * sizeof(double));
    int* edges = hwAllocate(graph->allocator, size * sizeof(int));
    hwVec3* corners = hwAllocate(graph->allocator, 2 * size * sizeof(hwVec3));
    if (status == HW_OK &&
        (graph->loops == NULL || graph->lengths == NULL || edges == NULL || corners == NULL)) {
        status = hwFail_Memory(error, NULL);
    }
    for (int e = 0; e < graph->edgeCount && status == HW_OK; ++e) {
        int generator = graph->edges[e].generator;
        if (generator < 0 || gone[generator]) continue;
        signed char* row = graph->loops + (size_t)graph->loopCount * size;
        FillLoop(graph, e, row);
        graph->lengths[graph->loopCount++] = GetLoopLength(graph, row, edges, corners);
    }
    if (status == HW_OK) Shorten(graph, edges, corners, graph->loops + (size_t)kept * size);
    hwRelease(graph->allocator, gone);
    hwRelease(graph->allocator, edges);
    hwRelease(graph->allocator, corners);
    return status;
}

// Solids -----------------------------------------------------------------------------------------------------------------

// Solids with convex parts are those parts.
static int CountSolids(const hwSkeletonDef* def) {
    int count = 0;
    for (int i = 0; i < def->solidCount; ++i) {
        const hwShapeDef* shape = def->solids[i].shape;
        count += shape->kind == HW_SHAPE_MESH && shape->partCount > 0 ? shape->partCount : 1;
    }
    return count;
}

static hwStatus FillSolid(const Graph* graph, Solid* solid, const hwTetherSolid* given, int part,
                          hwError* error) {
    const hwShapeDef* shape = given->shape;
    hwShapeDef own = *shape;
    own.pose = hwPose_identity;
    solid->shape = shape;
    solid->pose = hwMulPose(given->pose, shape->pose);
    solid->mesh = shape->kind == HW_SHAPE_MESH && shape->partCount == 0;
    if (solid->mesh) {
        hwStatus status = hwMeshTree_Init(&solid->tree, graph->allocator, &shape->mesh, error);
        if (status != HW_OK) return status;
        solid->box = hwBox_Empty();
        for (int i = 0; i < solid->tree.vertexCount; ++i)
            solid->box = hwBox_AddPoint(solid->box, hwTransformPoint(solid->pose, solid->tree.vertices[i]));
        return HW_OK;
    }
    if (shape->kind == HW_SHAPE_HULL || shape->kind == HW_SHAPE_MESH) {
        const hwMeshData* mesh = shape->kind == HW_SHAPE_HULL ? &shape->mesh : &shape->parts[part];
        hwStatus status = hwHull_Init(&solid->hull, graph->allocator, mesh, error);
        if (status != HW_OK) return status;
        solid->convex = hwMakeHull(&solid->hull);
    } else {
        hwConvex_FromShape(&own, NULL, &solid->convex);
    }
    solid->box = hwConvex_GetBounds(&solid->convex, solid->pose);
    return HW_OK;
}

// Along which way a pile stands: its own axis, if it is long, else upright through its centre.
static hwTetherAxis MakeAxis(const Solid* solid, double* radius) {
    const hwShapeDef* shape = solid->shape;
    hwVec3 along = {0.0, 0.0, 1.0}, size = hwSub(solid->box.high, solid->box.low);
    hwVec3 centre = hwScale(0.5, hwAdd(solid->box.low, solid->box.high));
    double length = 0.0;
    *radius = 0.25 * (size.x + size.y);
    if (shape->kind == HW_SHAPE_CYLINDER || shape->kind == HW_SHAPE_CAPSULE) {
        *radius = shape->radius;
        length = shape->length;
        centre = solid->pose.p;
    } else if (shape->kind == HW_SHAPE_BOX) {
        hwVec3 s = shape->size;
        centre = solid->pose.p;
        if (s.x >= s.y && s.x >= s.z) along = hwMakeVec3(1.0, 0.0, 0.0);
        if (s.y > s.x && s.y >= s.z) along = hwMakeVec3(0.0, 1.0, 0.0);
        length = hwFmax(s.x, hwFmax(s.y, s.z));
        *radius = 0.25 * (s.x + s.y + s.z - length);
    }
    bool isLong = length > 4.0 * *radius;
    along = isLong ? hwRotate(solid->pose.q, along) : hwMakeVec3(0.0, 0.0, 1.0);
    if (along.z < 0.0) along = hwNeg(along);
    if (fabs(along.z) < 0.5) along = hwMakeVec3(0.0, 0.0, 1.0); // what lies is no pile's axis
    hwTetherAxis axis = {centre, along, {0.0, 0.0, 0.0}, -HUGE_VAL, HUGE_VAL};
    return axis;
}

static bool IsPile(const hwSkeletonDef* def, const Solid* solid) {
    return def->hasGround && def->hasSurface && solid->box.low.z <= def->ground + def->gap &&
           solid->box.high.z >= def->surface;
}

// Result ------------------------------------------------------------------------------------------------------------------

typedef struct Counts {
    int pieces, points;
} Counts;

static void WriteLoops(const Graph* graph, int* edges, hwVec3* corners, hwSkeleton* out, Counts* counts) {
    for (int i = 0; i < graph->loopCount; ++i) {
        const signed char* row = graph->loops + (size_t)i * (size_t)graph->edgeCount;
        int count = WalkLoop(graph, row, edges, graph->edgeCount);
        if (count == 0) continue;
        int total = MakeCorners(graph, row, edges, count, corners);
        if (out->pieces != NULL) {
            hwSkeletonPiece* piece = &out->pieces[counts->pieces];
            *piece = (hwSkeletonPiece){.solid = -1, .first = counts->points, .count = total};
            memcpy(out->points + counts->points, corners, (size_t)total * sizeof(hwVec3));
        }
        counts->pieces += 1;
        counts->points += total;
    }
}

static void WriteMeshLoops(const Solid* solid, const hwMeshLoops* loops, hwSkeleton* out, Counts* counts) {
    for (int i = 0; i < loops->count; ++i) {
        int count = loops->first[i + 1] - loops->first[i];
        if (out->pieces != NULL) {
            out->pieces[counts->pieces] =
                (hwSkeletonPiece){.solid = -1, .first = counts->points, .count = count};
            for (int k = 0; k < count; ++k)
                out->points[counts->points + k] =
                    hwTransformPoint(solid->pose, loops->points[loops->first[i] + k]);
        }
        counts->pieces += 1;
        counts->points += count;
    }
}

static Counts Write(const Graph* graph, const hwMeshLoops* meshes, int* edges, hwVec3* corners,
                    hwSkeleton* out) {
    Counts counts = {0, 0};
    for (int i = 0; i < graph->solidCount; ++i) {
        if (!IsPile(graph->def, &graph->solids[i])) continue;
        double radius;
        hwTetherAxis axis = MakeAxis(&graph->solids[i], &radius);
        if (out->pieces != NULL) {
            out->pieces[counts.pieces] = (hwSkeletonPiece){
                .isAxis = true, .axis = axis, .radius = radius, .solid = graph->solids[i].source};
        }
        counts.pieces += 1;
    }
    if (graph->loopCount > 0) WriteLoops(graph, edges, corners, out, &counts);
    for (int i = 0; i < graph->solidCount; ++i) WriteMeshLoops(&graph->solids[i], &meshes[i], out, &counts);
    return counts;
}

static hwStatus Deliver(const Graph* graph, const hwMeshLoops* meshes, hwSkeleton* out, hwError* error) {
    size_t size = (size_t)graph->edgeCount + 1;
    int* edges = hwAllocate(graph->allocator, size * sizeof(int));
    hwVec3* corners = hwAllocate(graph->allocator, 2 * size * sizeof(hwVec3));
    hwStatus status = edges != NULL && corners != NULL ? HW_OK : hwFail_Memory(error, NULL);
    if (status == HW_OK) {
        Counts counts = Write(graph, meshes, edges, corners, out);
        hwArena arena = {0};
        for (int pass = 0; pass < 2 && status == HW_OK; ++pass) {
            out->pieces = HW_TAKE(&arena, hwSkeletonPiece, counts.pieces);
            out->points = HW_TAKE(&arena, hwVec3, counts.points);
            if (pass == 1) break;
            arena.base = hwAllocate(graph->allocator, arena.used + 1);
            if (arena.base == NULL) status = hwFail_Memory(error, NULL);
            arena.used = 0;
        }
        out->block = arena.base;
        if (status == HW_OK) {
            Write(graph, meshes, edges, corners, out);
            out->pieceCount = counts.pieces;
            out->pointCount = counts.points;
        }
    }
    hwRelease(graph->allocator, edges);
    hwRelease(graph->allocator, corners);
    return status;
}

static hwStatus Build(Graph* graph, hwMeshLoops* meshes, hwSkeleton* out, hwError* error) {
    const hwSkeletonDef* def = graph->def;
    int next = 0;
    hwStatus status = HW_OK;
    hwBox all = hwBox_Empty();
    for (int i = 0; i < def->solidCount; ++i) {
        const hwShapeDef* shape = def->solids[i].shape;
        int parts = shape->kind == HW_SHAPE_MESH && shape->partCount > 0 ? shape->partCount : 1;
        for (int p = 0; p < parts; ++p) {
            Solid* solid = &graph->solids[next];
            solid->source = i;
            status = FillSolid(graph, solid, &def->solids[i], p, error);
            if (status != HW_OK) return status;
            if (solid->mesh) status = hwMeshLoops_Find(&shape->mesh, graph->allocator, &meshes[next], error);
            if (status != HW_OK) return status;
            all = hwBox_Join(all, solid->box);
            next += 1;
        }
    }
    // far enough below for no seabed that is not flat to come between
    graph->depth = hwFmin(all.low.z, def->ground) - hwDistance(all.low, all.high);
    status = FindEdges(graph, error);
    if (status == HW_OK) status = GrowTree(graph, error);
    if (status == HW_OK) status = FindLoops(graph, error);
    if (status == HW_OK) status = Deliver(graph, meshes, out, error);
    return status;
}

hwStatus hwSkeleton_Find(const hwSkeletonDef* def, const hwAllocator* allocator, hwSkeleton* out,
                         hwError* error) {
    hwClearError(error);
    *out = (hwSkeleton){0};
    for (int i = 0; i < def->solidCount; ++i) {
        hwStatus status = hwShape_Check(def->solids[i].shape, i, error);
        if (status != HW_OK) return status;
    }
    hwAllocator own = hwDefaultAllocator();
    Graph graph = {.def = def, .allocator = allocator != NULL ? allocator : &own};
    graph.solidCount = graph.ground = CountSolids(def);
    if (graph.solidCount == 0) return HW_OK;
    size_t nodes = (size_t)graph.solidCount + 1;
    graph.solids = hwAllocate(graph.allocator, nodes * sizeof(Solid));
    graph.parent = hwAllocate(graph.allocator, 3 * nodes * sizeof(int));
    hwMeshLoops* meshes = hwAllocate(graph.allocator, nodes * sizeof(hwMeshLoops));
    hwStatus status = HW_OK;
    if (graph.solids == NULL || graph.parent == NULL || meshes == NULL) {
        status = hwFail_Memory(error, NULL);
    } else {
        graph.up = graph.parent + nodes;
        graph.level = graph.up + nodes;
        status = Build(&graph, meshes, out, error);
    }
    for (int i = 0; i < graph.solidCount && graph.solids != NULL; ++i) {
        hwMeshTree_Free(&graph.solids[i].tree, graph.allocator);
        hwHull_Free(&graph.solids[i].hull, graph.allocator);
        if (meshes != NULL) hwMeshLoops_Free(&meshes[i], graph.allocator);
    }
    hwRelease(graph.allocator, meshes);
    hwRelease(graph.allocator, graph.solids);
    hwRelease(graph.allocator, graph.parent);
    hwRelease(graph.allocator, graph.edges);
    hwRelease(graph.allocator, graph.loops);
    hwRelease(graph.allocator, graph.lengths);
    if (status != HW_OK) hwSkeleton_Free(out, graph.allocator);
    return status;
}

void hwSkeleton_Free(hwSkeleton* skeleton, const hwAllocator* allocator) {
    hwAllocator own = hwDefaultAllocator();
    hwRelease(allocator != NULL ? allocator : &own, skeleton->block);
    *skeleton = (hwSkeleton){0};
}
