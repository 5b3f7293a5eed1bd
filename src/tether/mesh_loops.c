// Closed loops of the handles of a mesh.
//
// A spanning tree of the vertices and a tree of the triangles across the other edges leave two edges for each handle; each of
// them closes a loop through the tree of vertices (Eppstein 2003). Of these, half can shrink to nothing inside the solid or
// are sums of others there. Which ones do not is told by linking numbers: those of loops pushed inward with loops pushed
// outward pair the loops of the inside with those of the outside without loss (Alexander duality), so loops whose rows of
// numbers are independent are independent inside, and the rank is the number of handles.
#include "tether/skeleton.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh_query.h"
#include "geom/triangle.h"

#include <string.h>

#define MOST_LOOPS 256 // two for each handle
#define PUSH 1e-5      // of the size of the mesh, off the surface
#define NEAR 64        // triangles in the box of a corner that is taken off

typedef struct HalfEdge {
    int from, to, triangle;
    int opposite; // -1: none
} HalfEdge;

typedef struct Surface {
    const hwAllocator* allocator;
    int vertexCount, triangleCount;
    hwVec3* vertices; // welded
    hwVec3* normals;  // unit, outward
    int (*triangles)[3];
    HalfEdge* halves; // [3 * triangle]
    int* weld;        // [vertex as given]
    int *table, *chain;
    int *parent, *up; // [vertex] in the tree; half-edge that leads from the parent
    int* level;
    int* queue;
    bool *seen, *crossed; // [triangle], [half-edge]
    double size;
    void* block;
} Surface;

static hwStatus LaySurface(Surface* s, const hwMeshData* mesh, hwError* error) {
    int halves = 3 * mesh->triangleCount,
        longest = mesh->vertexCount > mesh->triangleCount ? mesh->vertexCount : mesh->triangleCount;
    hwArena arena = {0};
    for (int pass = 0; pass < 2; ++pass) {
        s->vertices = HW_TAKE(&arena, hwVec3, mesh->vertexCount);
        s->normals = HW_TAKE(&arena, hwVec3, mesh->vertexCount);
        s->triangles = (int(*)[3])hwArena_Take(&arena, (size_t)mesh->triangleCount, sizeof(int[3]));
        s->halves = HW_TAKE(&arena, HalfEdge, halves);
        s->weld = HW_TAKE(&arena, int, mesh->vertexCount);
        s->table = HW_TAKE(&arena, int, mesh->vertexCount + halves);
        s->chain = HW_TAKE(&arena, int, mesh->vertexCount + halves);
        s->parent = HW_TAKE(&arena, int, mesh->vertexCount);
        s->up = HW_TAKE(&arena, int, mesh->vertexCount);
        s->level = HW_TAKE(&arena, int, mesh->vertexCount);
        s->queue = HW_TAKE(&arena, int, longest);
        s->seen = HW_TAKE(&arena, bool, mesh->triangleCount);
        s->crossed = HW_TAKE(&arena, bool, halves);
        if (pass == 1) break;
        s->block = arena.base = hwAllocate(s->allocator, arena.used);
        if (arena.base == NULL) return hwFail_Memory(error, NULL);
        arena.used = 0;
    }
    return HW_OK;
}

static uint64_t HashBits(uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdu;
    h ^= h >> 33;
    return h;
}

static uint64_t HashPoint(hwVec3 p) {
    double x[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0}; // one zero
    uint64_t h = 1;
    for (int k = 0; k < 3; ++k) {
        uint64_t bits;
        memcpy(&bits, &x[k], sizeof(bits));
        h = HashBits(h ^ bits) + 0x9e3779b97f4a7c15u;
    }
    return h;
}

// Vertices at one place become one.
static void Weld(Surface* s, const hwMeshData* mesh) {
    int size = mesh->vertexCount;
    hwBox box = hwBox_Empty();
    for (int i = 0; i < size; ++i) s->table[i] = -1;
    for (int i = 0; i < size; ++i) {
        hwVec3 p = mesh->vertices[i];
        int* slot = &s->table[HashPoint(p) % (uint64_t)size];
        int found = *slot;
        while (found >= 0 &&
               !(s->vertices[found].x == p.x && s->vertices[found].y == p.y && s->vertices[found].z == p.z)) {
            found = s->chain[found];
        }
        if (found < 0) {
            found = s->vertexCount++;
            s->vertices[found] = p;
            s->chain[found] = *slot;
            *slot = found;
        }
        s->weld[i] = found;
        box = hwBox_AddPoint(box, p);
    }
    s->size = hwDistance(box.low, box.high);
    for (int i = 0; i < mesh->triangleCount; ++i) {
        int t[3];
        for (int k = 0; k < 3; ++k) t[k] = s->weld[mesh->triangles[i][k]];
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
        memcpy(s->triangles[s->triangleCount++], t, sizeof(t));
        hwVec3 a = s->vertices[t[0]], b = s->vertices[t[1]], c = s->vertices[t[2]];
        hwVec3 normal = hwCross(hwSub(b, a), hwSub(c, a));
        for (int k = 0; k < 3; ++k) s->normals[t[k]] = hwAdd(s->normals[t[k]], normal);
    }
    for (int i = 0; i < s->vertexCount; ++i) s->normals[i] = hwNormalize(s->normals[i]);
}

// Pairs half-edges of opposite directions; where a mesh touches itself along an edge, in the order in which they come.
static bool PairEdges(Surface* s) {
    int halves = 3 * s->triangleCount;
    uint64_t size = (uint64_t)halves;
    for (int i = 0; i < halves; ++i) s->table[i] = -1;
    int open = 0;
    for (int i = 0; i < halves; ++i) {
        const int* t = s->triangles[i / 3];
        HalfEdge* half = &s->halves[i];
        *half = (HalfEdge){t[i % 3], t[(i + 1) % 3], i / 3, -1};
        int low = half->from < half->to ? half->from : half->to, high = half->from + half->to - low;
        int* slot = &s->table[HashBits(((uint64_t)low << 32) ^ (uint64_t)high) % size];
        int *link = slot, other = -1;
        while (*link >= 0) {
            const HalfEdge* kept = &s->halves[*link];
            if (kept->opposite < 0 && kept->from == half->to && kept->to == half->from) {
                other = *link;
                *link = s->chain[other];
                break;
            }
            link = &s->chain[*link];
        }
        if (other >= 0) {
            half->opposite = other;
            s->halves[other].opposite = i;
            open -= 1;
        } else {
            s->chain[i] = *slot;
            *slot = i;
            open += 1;
        }
    }
    return open == 0;
}

// Half-edges that leave a vertex, as lists in table and chain.
static void ListLeaving(Surface* s) {
    for (int i = 0; i < s->vertexCount; ++i) s->table[i] = -1;
    for (int i = 3 * s->triangleCount - 1; i >= 0; --i) {
        s->chain[i] = s->table[s->halves[i].from];
        s->table[s->halves[i].from] = i;
    }
}

static void GrowTrees(Surface* s) {
    for (int i = 0; i < s->vertexCount; ++i) s->level[i] = -1;
    for (int start = 0; start < s->vertexCount; ++start) {
        if (s->level[start] >= 0) continue;
        int head = 0, tail = 0;
        s->level[start] = 0;
        s->parent[start] = s->up[start] = -1;
        s->queue[tail++] = start;
        while (head < tail) {
            int v = s->queue[head++];
            for (int h = s->table[v]; h >= 0; h = s->chain[h]) {
                int other = s->halves[h].to;
                if (s->level[other] >= 0) continue;
                s->level[other] = s->level[v] + 1;
                s->parent[other] = v;
                s->up[other] = h;
                s->crossed[h] = s->crossed[s->halves[h].opposite] = true;
                s->queue[tail++] = other;
            }
        }
    }
    // across edges that are not in the tree of vertices
    for (int start = 0; start < s->triangleCount; ++start) {
        if (s->seen[start]) continue;
        int head = 0, tail = 0;
        s->seen[start] = true;
        s->queue[tail++] = start;
        while (head < tail) {
            int t = s->queue[head++];
            for (int k = 0; k < 3; ++k) {
                int h = 3 * t + k, other = s->halves[s->halves[h].opposite].triangle;
                if (s->crossed[h] || s->seen[other]) continue;
                s->seen[other] = true;
                s->crossed[h] = s->crossed[s->halves[h].opposite] = true;
                s->queue[tail++] = other;
            }
        }
    }
}

// Vertices of the loop that a half-edge closes; null: only their number.
static int TraceLoop(const Surface* s, int half, int* vertices) {
    int a = s->halves[half].from, b = s->halves[half].to, count = 0, down = 0;
    int u = a, v = b;
    while (u != v) {
        if (s->level[u] >= s->level[v]) {
            u = s->parent[u];
        } else {
            v = s->parent[v];
        }
    }
    for (int w = b; w != u; w = s->parent[w]) count += 1;
    for (int w = a; w != u; w = s->parent[w]) down += 1;
    if (vertices == NULL) return count + down + 1;
    int at = 0;
    for (int w = b; w != u; w = s->parent[w]) vertices[at++] = w;
    vertices[at] = u;
    at = count + down;
    for (int w = a; w != u; w = s->parent[w]) vertices[at--] = w;
    return count + down + 1;
}

typedef struct Candidate {
    int half, count;
    double length;
    int first; // of its points
} Candidate;

static void PushLoop(const Surface* s, int count, const int* vertices, double push, hwVec3* points) {
    for (int i = 0; i < count; ++i)
        points[i] = hwMulAdd(s->vertices[vertices[i]], push * s->size, s->normals[vertices[i]]);
}

// Whether the triangle of three points of the inside meets no triangle of the mesh.
static bool IsInside(const hwMeshTree* tree, hwVec3 a, hwVec3 b, hwVec3 c) {
    hwBox box = hwBox_AddPoint(hwBox_OfSegment(a, b), c);
    int near[NEAR], count = hwMesh_FindInBox(tree, box, near, NEAR);
    if (count > NEAR) return false;
    hwVec3 own[3] = {a, b, c}, from, to;
    for (int i = 0; i < count; ++i) {
        const int* t = tree->triangles[near[i]];
        hwVec3 other[3] = {tree->vertices[t[0]], tree->vertices[t[1]], tree->vertices[t[2]]};
        if (hwTriangles_Intersect(own, other, &from, &to)) return false;
    }
    return true;
}

// Takes off corners as long as the triangle taken off stays inside: the loop remains the same one.
static int Simplify(const hwMeshTree* tree, int count, hwVec3* points) {
    bool changed = true;
    while (changed && count > 3) {
        changed = false;
        for (int i = 0; i < count && count > 3; ++i) {
            hwVec3 a = points[(i + count - 1) % count], b = points[i], c = points[(i + 1) % count];
            if (!IsInside(tree, a, b, c)) continue;
            memmove(points + i, points + i + 1, (size_t)(count - i - 1) * sizeof(hwVec3));
            count -= 1;
            changed = true;
        }
    }
    return count;
}

// Keeps the candidates, shortest first, whose rows are not sums of rows before; rows are reduced in place.
static int ChooseRows(int count, long long* rows, bool* keep) {
    int kept = 0, pivots[MOST_LOOPS], order[MOST_LOOPS];
    for (int i = 0; i < count; ++i) {
        long long* row = rows + (size_t)i * (size_t)count;
        for (int r = 0; r < kept; ++r) {
            const long long* other = rows + (size_t)order[r] * (size_t)count;
            long long share = row[pivots[r]], unit = other[pivots[r]];
            if (share == 0) continue;
            for (int k = 0; k < count; ++k) row[k] = row[k] * unit - share * other[k];
        }
        int pivot = -1;
        for (int k = 0; k < count; ++k) {
            if (row[k] != 0 &&
                (pivot < 0 || (row[k] == 1 || row[k] == -1) > (row[pivot] == 1 || row[pivot] == -1)))
                pivot = k;
        }
        keep[i] = pivot >= 0;
        if (pivot < 0) continue;
        pivots[kept] = pivot;
        order[kept++] = i;
    }
    return kept;
}

static hwStatus Choose(const Surface* s, const hwMeshData* mesh, int count, const Candidate* candidates,
                       const hwVec3* inner, const hwVec3* outer, hwMeshLoops* out, hwError* error) {
    hwMeshTree tree = {0};
    long long* rows = hwAllocate(s->allocator, (size_t)count * (size_t)count * sizeof(long long));
    bool keep[MOST_LOOPS];
    hwStatus status =
        rows != NULL ? hwMeshTree_Init(&tree, s->allocator, mesh, error) : hwFail_Memory(error, NULL);
    int total = 0;
    if (status == HW_OK) {
        for (int i = 0; i < count; ++i) {
            hwPolyline in = {candidates[i].count, inner + candidates[i].first};
            for (int j = 0; j < count; ++j) {
                hwPolyline away = {candidates[j].count, outer + candidates[j].first};
                rows[i * count + j] = hwTether_CountLinking(in, (hwPolyline){0, NULL}, away).count;
            }
        }
        ChooseRows(count, rows, keep);
        for (int i = 0; i < count; ++i) total += keep[i] ? candidates[i].count : 0;
        out->first = hwAllocate(s->allocator, (size_t)(count + 1) * sizeof(int));
        out->points = hwAllocate(s->allocator, (size_t)total * sizeof(hwVec3));
        if (out->first == NULL || out->points == NULL) status = hwFail_Memory(error, NULL);
    }
    for (int i = 0; i < count && status == HW_OK; ++i) {
        if (!keep[i]) continue;
        hwVec3* points = out->points + out->first[out->count];
        memcpy(points, inner + candidates[i].first, (size_t)candidates[i].count * sizeof(hwVec3));
        int corners = Simplify(&tree, candidates[i].count, points);
        out->first[out->count + 1] = out->first[out->count] + corners;
        out->count += 1;
    }
    hwMeshTree_Free(&tree, s->allocator);
    hwRelease(s->allocator, rows);
    return status;
}

static hwStatus FindHandles(Surface* s, const hwMeshData* mesh, hwMeshLoops* out, hwError* error) {
    Candidate candidates[MOST_LOOPS];
    int count = 0, total = 0;
    for (int h = 0; h < 3 * s->triangleCount; ++h) {
        if (s->crossed[h] || h > s->halves[h].opposite) continue;
        if (count == MOST_LOOPS) {
            return hwFail(error, HW_ERROR_LIMIT, NULL,
                          "the mesh has more than %d handles: give the loops that matter by hand",
                          MOST_LOOPS / 2);
        }
        candidates[count] = (Candidate){h, TraceLoop(s, h, NULL), 0.0, total};
        total += candidates[count++].count;
    }
    if (count == 0) return HW_OK;
    int* vertices = hwAllocate(s->allocator, (size_t)s->vertexCount * sizeof(int));
    hwVec3* inner = hwAllocate(s->allocator, 2 * (size_t)total * sizeof(hwVec3));
    hwStatus status = vertices != NULL && inner != NULL ? HW_OK : hwFail_Memory(error, NULL);
    for (int i = 0; i < count && status == HW_OK; ++i) {
        TraceLoop(s, candidates[i].half, vertices);
        PushLoop(s, candidates[i].count, vertices, -PUSH, inner + candidates[i].first);
        PushLoop(s, candidates[i].count, vertices, PUSH, inner + total + candidates[i].first);
        candidates[i].length =
            hwTether_GetLength((hwPolyline){candidates[i].count, inner + candidates[i].first});
    }
    for (int i = 1; i < count; ++i) { // shortest first
        Candidate own = candidates[i];
        int k = i;
        for (; k > 0 && own.length < candidates[k - 1].length; --k) candidates[k] = candidates[k - 1];
        candidates[k] = own;
    }
    if (status == HW_OK) status = Choose(s, mesh, count, candidates, inner, inner + total, out, error);
    hwRelease(s->allocator, vertices);
    hwRelease(s->allocator, inner);
    return status;
}

hwStatus hwMeshLoops_Find(const hwMeshData* mesh, const hwAllocator* allocator, hwMeshLoops* out,
                          hwError* error) {
    Surface surface = {.allocator = allocator};
    *out = (hwMeshLoops){0};
    hwStatus status = LaySurface(&surface, mesh, error);
    if (status == HW_OK) {
        Weld(&surface, mesh);
        if (PairEdges(&surface)) {
            ListLeaving(&surface);
            GrowTrees(&surface);
            status = FindHandles(&surface, mesh, out, error);
        } else {
            status = hwFail(error, HW_ERROR_MODEL, NULL,
                            "the mesh is open: only a closed one has an inside whose loops can be found");
        }
    }
    hwRelease(allocator, surface.block);
    if (status != HW_OK) hwMeshLoops_Free(out, allocator);
    return status;
}

void hwMeshLoops_Free(hwMeshLoops* loops, const hwAllocator* allocator) {
    hwRelease(allocator, loops->first);
    hwRelease(allocator, loops->points);
    *loops = (hwMeshLoops){0};
}
