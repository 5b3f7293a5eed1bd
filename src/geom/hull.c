#include "geom/hull.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static const int boxFaceStart[7] = {0, 4, 8, 12, 16, 20, 24};
static const int boxFaceVertices[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                        2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const int boxNeighborStart[9] = {0, 3, 6, 9, 12, 15, 18, 21, 24};
static const int boxNeighbors[24] = {1, 2, 4, 0, 3, 5, 3, 0, 6, 2, 1, 7, 5, 6, 0, 4, 7, 1, 7, 4, 2, 6, 5, 3};

void hwBoxHull_Init(hwBoxHull* box, hwVec3 half) {
    for (int i = 0; i < 8; ++i) {
        box->vertices[i] =
            hwMakeVec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    for (int i = 0; i < 6; ++i) {
        double sign = i % 2 ? 1.0 : -1.0;
        box->planes[i].normal =
            hwMakeVec3(i / 2 == 0 ? sign : 0.0, i / 2 == 1 ? sign : 0.0, i / 2 == 2 ? sign : 0.0);
        box->planes[i].offset = i / 2 == 0 ? half.x : i / 2 == 1 ? half.y : half.z;
    }
    box->hull = (hwHull){
        .vertexCount = 8,
        .vertices = box->vertices,
        .faceCount = 6,
        .planes = box->planes,
        .faceStart = boxFaceStart,
        .faceVertices = boxFaceVertices,
        .neighborStart = boxNeighborStart,
        .neighbors = boxNeighbors,
        .volume = 8.0 * half.x * half.y * half.z,
        .radius = hwLength(half),
        .bounds = {hwNeg(half), half},
    };
}

#define SCAN_LIMIT 24

int hwHull_FindSupport(const hwHull* hull, hwVec3 direction, int start) {
    const hwVec3* v = hull->vertices;
    if (hull->vertexCount <= SCAN_LIMIT) {
        int best = 0;
        double height = hwDot(v[0], direction);
        for (int i = 1; i < hull->vertexCount; ++i) {
            double h = hwDot(v[i], direction);
            best = h > height ? i : best;
            height = h > height ? h : height;
        }
        return best;
    }
    // On a convex polyhedron a vertex higher than its neighbours is the highest. Going to the first better neighbour
    // costs fewer products than the best of all.
    int at = start >= 0 && start < hull->vertexCount ? start : 0;
    double height = hwDot(v[at], direction);
    for (;;) {
        int best = at;
        for (int k = hull->neighborStart[at]; k < hull->neighborStart[at + 1]; ++k) {
            int other = hull->neighbors[k];
            double h = hwDot(v[other], direction);
            if (h > height) {
                height = h;
                best = other;
            }
        }
        if (best == at) return at;
        at = best;
    }
}

// Preparation. Half edge 3 t + k runs from corner k of triangle t to the next.

typedef struct Work {
    int triangleCount;
    hwVec3* vertices; // welded
    int vertexCount;
    int (*triangles)[3];
    int* twins;  // of half edges
    int* groups; // face of each triangle
    int* table;  // hash table of half edges or vertices
    int tableSize;
    int* queue;
    int* starts; // one half edge on the rim of each face
    int faceCount;
} Work;

static int NextOf(int edge) {
    return edge % 3 == 2 ? edge - 2 : edge + 1;
}

static int FromOf(const Work* work, int edge) {
    return work->triangles[edge / 3][edge % 3];
}

static unsigned MixBits(uint64_t x) {
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return (unsigned)((x ^ (x >> 32)) * 0xd6e8feb86659fd93u >> 33);
}

static void ClearTable(Work* work) {
    for (int i = 0; i < work->tableSize; ++i) work->table[i] = -1;
}

// Gives vertices at one place one number, in the order of their first use.
static void WeldVertices(Work* work, const hwMeshData* mesh) {
    ClearTable(work);
    for (int i = 0; i < mesh->triangleCount; ++i) {
        for (int k = 0; k < 3; ++k) {
            hwVec3 v = mesh->vertices[mesh->triangles[i][k]];
            double xyz[3] = {v.x + 0.0, v.y + 0.0, v.z + 0.0};
            uint64_t bits[3];
            memcpy(bits, xyz, sizeof(bits));
            unsigned at = MixBits(bits[0] + 3 * MixBits(bits[1] + 5 * (uint64_t)MixBits(bits[2])));
            for (;; ++at) {
                int* slot = &work->table[at & (unsigned)(work->tableSize - 1)];
                if (*slot < 0) {
                    *slot = work->vertexCount;
                    work->vertices[work->vertexCount++] = v;
                }
                hwVec3 w = work->vertices[*slot];
                if (w.x == v.x && w.y == v.y && w.z == v.z) {
                    work->triangles[i][k] = *slot;
                    break;
                }
            }
        }
    }
}

static unsigned HashEdge(int from, int to) {
    return MixBits(((uint64_t)(unsigned)from << 32) | (unsigned)to);
}

static hwStatus LinkTwins(Work* work, hwError* error) {
    ClearTable(work);
    int edges = 3 * work->triangleCount;
    for (int e = 0; e < edges; ++e) {
        unsigned at = HashEdge(FromOf(work, e), FromOf(work, NextOf(e)));
        while (work->table[at & (unsigned)(work->tableSize - 1)] >= 0) ++at;
        work->table[at & (unsigned)(work->tableSize - 1)] = e;
    }
    for (int e = 0; e < edges; ++e) {
        int from = FromOf(work, e), to = FromOf(work, NextOf(e)), found = -1, count = 0;
        for (unsigned at = HashEdge(to, from); work->table[at & (unsigned)(work->tableSize - 1)] >= 0; ++at) {
            int other = work->table[at & (unsigned)(work->tableSize - 1)];
            if (FromOf(work, other) != to || FromOf(work, NextOf(other)) != from) continue;
            found = other;
            count += 1;
        }
        if (count != 1) {
            hwFail(error, HW_ERROR_ARGUMENT, NULL, "the hull's triangle %d has %d neighbours at one edge",
                   e / 3, count);
            hwFail_Hint(error, "a hull is one closed surface; build it from its points again");
            return HW_ERROR_ARGUMENT;
        }
        work->twins[e] = found;
    }
    return HW_OK;
}

static hwPlane GetTrianglePlane(const Work* work, int triangle) {
    const int* t = work->triangles[triangle];
    hwVec3 a = work->vertices[t[0]];
    hwVec3 n = hwNormalize(hwCross(hwSub(work->vertices[t[1]], a), hwSub(work->vertices[t[2]], a)));
    hwPlane plane = {n, hwDot(n, a)};
    return plane;
}

static double GetDoubleArea(const Work* work, int triangle) {
    const int* t = work->triangles[triangle];
    hwVec3 a = work->vertices[t[0]];
    return hwLength(hwCross(hwSub(work->vertices[t[1]], a), hwSub(work->vertices[t[2]], a)));
}

// Takes all triangles around `seed` that lie in its plane.
static void GrowFace(Work* work, int seed, double tolerance) {
    int face = work->faceCount++, head = 0, tail = 0;
    hwPlane plane = GetTrianglePlane(work, seed);
    work->groups[seed] = face;
    work->queue[tail++] = seed;
    while (head < tail) {
        int t = work->queue[head++];
        for (int k = 0; k < 3; ++k) {
            int other = work->twins[3 * t + k] / 3;
            if (work->groups[other] >= 0) continue;
            double worst = 0.0;
            for (int j = 0; j < 3; ++j) {
                hwVec3 v = work->vertices[work->triangles[other][j]];
                worst = hwMax(worst, fabs(hwDot(plane.normal, v) - plane.offset));
            }
            hwVec3 n = GetTrianglePlane(work, other).normal;
            if (worst > tolerance || hwDot(n, plane.normal) < 0.0) continue;
            work->groups[other] = face;
            work->queue[tail++] = other;
        }
    }
}

static void MergeFaces(Work* work, double tolerance) {
    double largest = 0.0;
    for (int i = 0; i < work->triangleCount; ++i) {
        work->groups[i] = -1;
        largest = hwMax(largest, GetDoubleArea(work, i));
    }
    // Slivers know their plane badly: they may only join.
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < work->triangleCount; ++i) {
            if (work->groups[i] < 0 && (pass == 1 || GetDoubleArea(work, i) > 1e-6 * largest))
                GrowFace(work, i, tolerance);
        }
    }
    for (int f = 0; f < work->faceCount; ++f) work->starts[f] = -1;
    for (int e = 0; e < 3 * work->triangleCount; ++e) {
        int face = work->groups[e / 3];
        if (work->starts[face] < 0 && work->groups[work->twins[e] / 3] != face) work->starts[face] = e;
    }
}

// The next half edge along the rim of the same face.
static int NextOnRim(const Work* work, int edge) {
    int face = work->groups[edge / 3], next = NextOf(edge);
    while (work->groups[work->twins[next] / 3] == face) next = NextOf(work->twins[next]);
    return next;
}

static void FreeWork(Work* work, const hwAllocator* allocator) {
    hwRelease(allocator, work->vertices);
    hwRelease(allocator, work->triangles);
    hwRelease(allocator, work->twins);
    hwRelease(allocator, work->groups);
    hwRelease(allocator, work->table);
    hwRelease(allocator, work->queue);
    hwRelease(allocator, work->starts);
}

static bool AllocateWork(Work* work, const hwAllocator* allocator, const hwMeshData* mesh) {
    size_t count = (size_t)mesh->triangleCount;
    memset(work, 0, sizeof(*work));
    work->triangleCount = mesh->triangleCount;
    work->tableSize = 16;
    while (work->tableSize < 6 * mesh->triangleCount) work->tableSize *= 2;
    work->vertices = hwAllocate(allocator, 3 * count * sizeof(hwVec3));
    work->triangles = hwAllocate(allocator, count * sizeof(int[3]));
    work->twins = hwAllocate(allocator, 3 * count * sizeof(int));
    work->groups = hwAllocate(allocator, count * sizeof(int));
    work->table = hwAllocate(allocator, (size_t)work->tableSize * sizeof(int));
    work->queue = hwAllocate(allocator, 3 * count * sizeof(int)); // later: new numbers of vertices
    work->starts = hwAllocate(allocator, count * sizeof(int));
    return work->vertices && work->triangles && work->twins && work->groups && work->table && work->queue &&
           work->starts;
}

typedef struct Arrays {
    hwVec3* vertices;
    hwPlane* planes;
    int *faceStart, *faceVertices, *neighborStart, *neighbors;
} Arrays;

static void LayHull(Arrays* arrays, hwArena* arena, int vertices, int faces, int rims) {
    arrays->vertices = HW_TAKE(arena, hwVec3, vertices);
    arrays->planes = HW_TAKE(arena, hwPlane, faces);
    arrays->faceStart = HW_TAKE(arena, int, faces + 1);
    arrays->faceVertices = HW_TAKE(arena, int, rims);
    arrays->neighborStart = HW_TAKE(arena, int, vertices + 1);
    arrays->neighbors = HW_TAKE(arena, int, rims);
}

// Numbers the vertices that are on rims and counts the rims' half edges.
static int CountRims(Work* work, int* vertexCount) {
    int *numbers = work->queue, rims = 0;
    *vertexCount = 0;
    for (int i = 0; i < work->vertexCount; ++i) numbers[i] = -1;
    for (int f = 0; f < work->faceCount; ++f) {
        int e = work->starts[f];
        do {
            if (numbers[FromOf(work, e)] < 0) numbers[FromOf(work, e)] = (*vertexCount)++;
            rims += 1;
            e = NextOnRim(work, e);
        } while (e != work->starts[f]);
    }
    return rims;
}

static void FillArrays(const Work* work, Arrays* arrays, int vertexCount) {
    const int* numbers = work->queue;
    for (int i = 0; i < work->vertexCount; ++i) {
        if (numbers[i] >= 0) arrays->vertices[numbers[i]] = work->vertices[i];
    }
    int place = 0;
    for (int f = 0; f < work->faceCount; ++f) {
        arrays->faceStart[f] = place;
        int e = work->starts[f];
        hwVec3 origin = work->vertices[FromOf(work, e)], sum = hwVec3_zero, mean = hwVec3_zero;
        do {
            int from = FromOf(work, e), to = FromOf(work, NextOf(e));
            arrays->faceVertices[place++] = numbers[from];
            arrays->neighborStart[numbers[from] + 1] += 1;
            sum = hwAdd(sum, hwCross(hwSub(work->vertices[from], origin), hwSub(work->vertices[to], origin)));
            mean = hwAdd(mean, work->vertices[from]);
            e = NextOnRim(work, e);
        } while (e != work->starts[f]);
        arrays->planes[f].normal = hwNormalize(sum);
        arrays->planes[f].offset = hwDot(arrays->planes[f].normal, mean) / (place - arrays->faceStart[f]);
    }
    arrays->faceStart[work->faceCount] = place;
    for (int i = 0; i < vertexCount; ++i) arrays->neighborStart[i + 1] += arrays->neighborStart[i];
    int* filled = work->table; // big enough, and free now
    for (int i = 0; i < vertexCount; ++i) filled[i] = arrays->neighborStart[i];
    for (int f = 0; f < work->faceCount; ++f) {
        int first = arrays->faceStart[f], count = arrays->faceStart[f + 1] - first;
        for (int k = 0; k < count; ++k) {
            int from = arrays->faceVertices[first + k], to = arrays->faceVertices[first + (k + 1) % count];
            arrays->neighbors[filled[from]++] = to;
        }
    }
}

static void MeasureHull(hwHull* hull) {
    hwVec3 origin = hull->vertices[0], moment = hwVec3_zero;
    hull->bounds = hwBox_Empty();
    for (int i = 0; i < hull->vertexCount; ++i) {
        hull->bounds = hwBox_AddPoint(hull->bounds, hull->vertices[i]);
        hull->radius = hwMax(hull->radius, hwLength(hull->vertices[i]));
    }
    for (int f = 0; f < hull->faceCount; ++f) {
        const int* ring = hull->faceVertices + hull->faceStart[f];
        hwVec3 a = hwSub(hull->vertices[ring[0]], origin);
        for (int k = 2; k < hull->faceStart[f + 1] - hull->faceStart[f]; ++k) {
            hwVec3 b = hwSub(hull->vertices[ring[k - 1]], origin), c = hwSub(hull->vertices[ring[k]], origin);
            double det = hwDot(a, hwCross(b, c));
            hull->volume += det / 6.0;
            moment = hwMulAdd(moment, det / 24.0, hwAdd(a, hwAdd(b, c)));
        }
    }
    hull->centroid = hwMulAdd(origin, 1.0 / hull->volume, moment);
}

hwStatus hwHull_Init(hwHull* hull, const hwAllocator* allocator, const hwMeshData* mesh, hwError* error) {
    memset(hull, 0, sizeof(*hull));
    if (mesh->triangleCount > (1 << 28)) {
        return hwFail(error, HW_ERROR_LIMIT, NULL, "a hull of %d triangles is too large",
                      mesh->triangleCount);
    }
    Work work;
    if (!AllocateWork(&work, allocator, mesh)) {
        FreeWork(&work, allocator);
        return hwFail_Memory(error, NULL);
    }
    WeldVertices(&work, mesh);
    hwStatus status = LinkTwins(&work, error);
    if (status == HW_OK) {
        hwBox bounds = hwBox_Empty();
        for (int i = 0; i < work.vertexCount; ++i) bounds = hwBox_AddPoint(bounds, work.vertices[i]);
        MergeFaces(&work, 1e-10 * hwDistance(bounds.low, bounds.high));
        if (work.faceCount < 4) {
            status =
                hwFail(error, HW_ERROR_ARGUMENT, NULL, "the hull is flat: it has %d faces", work.faceCount);
            hwFail_Hint(error, "give the shape a thickness");
        }
    }
    if (status == HW_OK) {
        int vertexCount, rims = CountRims(&work, &vertexCount);
        hwArena arena = {0};
        Arrays arrays;
        LayHull(&arrays, &arena, vertexCount, work.faceCount, rims);
        arena.base = hwAllocate(allocator, arena.used);
        arena.used = 0;
        if (arena.base == NULL) {
            status = hwFail_Memory(error, NULL);
        } else {
            LayHull(&arrays, &arena, vertexCount, work.faceCount, rims);
            FillArrays(&work, &arrays, vertexCount);
            *hull = (hwHull){.vertexCount = vertexCount,
                             .vertices = arrays.vertices,
                             .faceCount = work.faceCount,
                             .planes = arrays.planes,
                             .faceStart = arrays.faceStart,
                             .faceVertices = arrays.faceVertices,
                             .neighborStart = arrays.neighborStart,
                             .neighbors = arrays.neighbors};
            MeasureHull(hull);
        }
    }
    FreeWork(&work, allocator);
    return status;
}

void hwHull_Free(hwHull* hull, const hwAllocator* allocator) {
    hwRelease(allocator, (void*)(uintptr_t)hull->vertices); // the block's first array
    memset(hull, 0, sizeof(*hull));
}
