#include "geom/mesh_check.h"

#include "base/error.h"
#include "geom/box.h"
#include "geom/moments.h"

#include <string.h>

hwStatus hwMesh_CheckIndices(const hwMeshData* mesh, const char* what, hwError* error) {
    if (mesh->vertexCount < 3 || mesh->triangleCount < 1 || mesh->vertices == NULL ||
        mesh->triangles == NULL) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "%s has %d vertices and %d triangles, which make no surface",
               what, mesh->vertexCount, mesh->triangleCount);
        hwFail_Hint(error, "fill vertices and triangles, and their counts");
        return HW_ERROR_ARGUMENT;
    }
    for (int i = 0; i < mesh->vertexCount; ++i) {
        if (!hwIsFiniteVec3(mesh->vertices[i])) {
            hwFail(error, HW_ERROR_ARGUMENT, NULL, "%s: vertex %d is not finite", what, i);
            hwFail_Hint(error, "check the source of the mesh and its scale");
            return HW_ERROR_ARGUMENT;
        }
    }
    for (int i = 0; i < mesh->triangleCount; ++i) {
        const int* t = mesh->triangles[i];
        for (int k = 0; k < 3; ++k) {
            if (t[k] < 0 || t[k] >= mesh->vertexCount) {
                hwFail(error, HW_ERROR_ARGUMENT, NULL,
                       "%s: triangle %d uses vertex %d, but vertices go from 0 to %d", what, i, t[k],
                       mesh->vertexCount - 1);
                hwFail_Hint(error, "some formats count vertices from 1");
                return HW_ERROR_ARGUMENT;
            }
        }
    }
    return HW_OK;
}

hwStatus hwMesh_CheckTriangles(const hwMeshData* mesh, const char* what, hwError* error) {
    hwStatus status = hwMesh_CheckIndices(mesh, what, error);
    if (status != HW_OK) return status;
    for (int i = 0; i < mesh->triangleCount; ++i) {
        const int* t = mesh->triangles[i];
        hwVec3 a = mesh->vertices[t[0]], b = mesh->vertices[t[1]], c = mesh->vertices[t[2]];
        hwVec3 ab = hwSub(b, a), ac = hwSub(c, a), bc = hwSub(c, b);
        double longest = hwMax(hwLengthSquared(ab), hwMax(hwLengthSquared(ac), hwLengthSquared(bc)));
        // Twice the area of a triangle that is flat to rounding is below about 1e-15 of the longest edge squared.
        if (!(hwLength(hwCross(ab, ac)) > 1e-14 * longest)) {
            hwFail(error, HW_ERROR_ARGUMENT, NULL, "%s: triangle %d (vertices %d, %d, %d) has no area", what,
                   i, t[0], t[1], t[2]);
            hwFail_Hint(error, "remove degenerate triangles, and join the edges they leave");
            return HW_ERROR_ARGUMENT;
        }
    }
    return HW_OK;
}

// Edges are compared by the places of their ends. Each place gets a 64-bit number h; a directed edge from i to j gets
// g(h_i, h_j) - g(h_j, h_i), which its reverse cancels, so a sum of zero means a closed surface (a wrong zero has
// probability 2^-64). Sums in buckets lead to the edge that does not cancel, without any memory.

static uint64_t MixWord(uint64_t x) {
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

static uint64_t HashPlace(hwVec3 v) {
    double xyz[3] = {v.x + 0.0, v.y + 0.0, v.z + 0.0}; // -0 becomes 0
    uint64_t bits[3];
    memcpy(bits, xyz, sizeof(bits));
    return MixWord(MixWord(MixWord(bits[0]) + 0x9e3779b97f4a7c15u + bits[1]) + 0x9e3779b97f4a7c15u + bits[2]);
}

typedef struct Edge {
    uint64_t key;   // the same both ways
    uint64_t value; // opposite the other way
} Edge;

static void HashEdges(const hwMeshData* mesh, int triangle, Edge edges[3]) {
    uint64_t h[3];
    for (int k = 0; k < 3; ++k) h[k] = HashPlace(mesh->vertices[mesh->triangles[triangle][k]]);
    for (int k = 0; k < 3; ++k) {
        uint64_t a = h[k], b = h[(k + 1) % 3];
        edges[k].key = MixWord(a ^ b);
        edges[k].value = MixWord(a + 3u * b) - MixWord(b + 3u * a);
    }
}

static bool SamePlace(hwVec3 a, hwVec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void CountUses(const hwMeshData* mesh, hwVec3 from, hwVec3 to, int* along, int* against) {
    *along = 0;
    *against = 0;
    for (int i = 0; i < mesh->triangleCount; ++i) {
        for (int k = 0; k < 3; ++k) {
            hwVec3 a = mesh->vertices[mesh->triangles[i][k]];
            hwVec3 b = mesh->vertices[mesh->triangles[i][(k + 1) % 3]];
            *along += SamePlace(a, from) && SamePlace(b, to);
            *against += SamePlace(a, to) && SamePlace(b, from);
        }
    }
}

#define BUCKET_BITS 8
#define BUCKETS (1 << BUCKET_BITS)

// Lowest bucket, among edges whose key ends in `suffix`, that does not cancel; -1: all do.
static int FindOpenBucket(const hwMeshData* mesh, int level, uint64_t suffix) {
    uint64_t sums[BUCKETS] = {0};
    uint64_t mask = ((uint64_t)1 << (BUCKET_BITS * level)) - 1;
    for (int i = 0; i < mesh->triangleCount; ++i) {
        Edge edges[3];
        HashEdges(mesh, i, edges);
        for (int k = 0; k < 3; ++k) {
            if ((edges[k].key & mask) != suffix) continue;
            sums[(edges[k].key >> (BUCKET_BITS * level)) & (BUCKETS - 1)] += edges[k].value;
        }
    }
    for (int b = 0; b < BUCKETS; ++b) {
        if (sums[b] != 0) return b;
    }
    return -1;
}

// Names the first unbalanced edge whose key ends in `suffix`.
static hwStatus FailOpen(const hwMeshData* mesh, uint64_t suffix, uint64_t mask, const char* what,
                         hwError* error) {
    for (int i = 0; i < mesh->triangleCount; ++i) {
        Edge edges[3];
        HashEdges(mesh, i, edges);
        for (int k = 0; k < 3; ++k) {
            if ((edges[k].key & mask) != suffix) continue;
            int from = mesh->triangles[i][k], to = mesh->triangles[i][(k + 1) % 3];
            int along, against;
            CountUses(mesh, mesh->vertices[from], mesh->vertices[to], &along, &against);
            if (along == against) continue;
            hwFail(error, HW_ERROR_ARGUMENT, NULL,
                   "%s is not closed: the edge from vertex %d to %d of triangle %d runs %d %s that way and "
                   "%d %s back",
                   what, from, to, i, along, along == 1 ? "time" : "times", against,
                   against == 1 ? "time" : "times");
            hwFail_Hint(error, against == 0 && along > 1
                                   ? "turn one of the triangles at this edge round"
                                   : "fill the hole, or remove the triangle that is too many");
            return HW_ERROR_ARGUMENT;
        }
    }
    return hwFail(error, HW_ERROR_ARGUMENT, NULL, "%s is not closed", what);
}

hwMoments hwMesh_ComputeMoments(const hwMeshData* mesh, hwVec3* origin, double* rounding) {
    // The middle of the corners in use: a vertex that no triangle uses may be anywhere.
    hwVec3 low = mesh->vertices[mesh->triangles[0][0]], high = low;
    for (int i = 0; i < mesh->triangleCount; ++i) {
        for (int k = 0; k < 3; ++k) {
            hwVec3 v = mesh->vertices[mesh->triangles[i][k]];
            low = hwMakeVec3(hwMin(low.x, v.x), hwMin(low.y, v.y), hwMin(low.z, v.z));
            high = hwMakeVec3(hwMax(high.x, v.x), hwMax(high.y, v.y), hwMax(high.z, v.z));
        }
    }
    *origin = hwAdd(hwScale(0.5, low), hwScale(0.5, high));
    hwMoments m = {0};
    double sum = 0.0;
    for (int i = 0; i < mesh->triangleCount; ++i) {
        const int* t = mesh->triangles[i];
        hwVec3 a = hwSub(mesh->vertices[t[0]], *origin);
        hwVec3 b = hwSub(mesh->vertices[t[1]], *origin);
        hwVec3 c = hwSub(mesh->vertices[t[2]], *origin);
        hwMoments_Add(&m, a, b, c);
        sum += fabs(a.x) * (fabs(b.y * c.z) + fabs(b.z * c.y)) +
               fabs(a.y) * (fabs(b.z * c.x) + fabs(b.x * c.z)) +
               fabs(a.z) * (fabs(b.x * c.y) + fabs(b.y * c.x));
    }
    *rounding = 1e-14 / 6.0 * sum;
    return m;
}

// Whether [xx, yy, zz, xy, xz, yz] with `shift` added to its diagonal is positive definite (by Cholesky's pivots).
static bool IsPositive(const double m[6], double shift) {
    double xx = m[0] + shift, yy = m[1] + shift, zz = m[2] + shift;
    if (!(xx > 0.0)) return false;
    double second = yy - m[3] * m[3] / xx;
    if (!(second > 0.0)) return false;
    double cross = m[5] - m[3] * m[4] / xx;
    return zz - m[4] * m[4] / xx - cross * cross / second > 0.0;
}

// Volume and second moments are those of a solid. A closed surface can fail this where it crosses itself: a part of it is
// inside out then.
static hwStatus CheckMoments(const hwMeshData* mesh, const char* what, hwError* error) {
    hwVec3 origin;
    double rounding;
    hwMoments m = hwMesh_ComputeMoments(mesh, &origin, &rounding);
    double volume = m.volume / 6.0;
    if (!(fabs(volume) > rounding)) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "%s encloses no volume", what);
        hwFail_Hint(error, "give a flat part a thickness, or use a box");
        return HW_ERROR_ARGUMENT;
    }
    if (volume < 0.0) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "%s is inside out: its volume is %g m3", what, volume);
        hwFail_Hint(error, "reverse the order of the vertices of every triangle");
        return HW_ERROR_ARGUMENT;
    }
    hwMoments_Finish(&m);
    const double* s = m.second;
    const double inertia[6] = {s[1] + s[2], s[0] + s[2], s[0] + s[1], -s[3], -s[4], -s[5]};
    // A thin plate's smallest second moment may be below the rounding of the largest, about 1e-15 of it per triangle.
    double trace = s[0] + s[1] + s[2];
    if (!IsPositive(inertia, 0.0) || !IsPositive(s, 1e-11 * trace)) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL,
               "%s is inside out in part: its volume is %g m3, but its second moments (%g, %g, %g m5) are "
               "those of no "
               "solid",
               what, volume, s[0], s[1], s[2]);
        hwFail_Hint(
            error,
            "reverse the triangles of the parts that are inside out, or split the mesh into its parts");
        return HW_ERROR_ARGUMENT;
    }
    return HW_OK;
}

hwStatus hwMesh_CheckClosed(const hwMeshData* mesh, const char* what, hwError* error) {
    uint64_t suffix = 0;
    const int levels = 4;
    for (int level = 0; level < levels; ++level) {
        int bucket = FindOpenBucket(mesh, level, suffix);
        if (bucket < 0) break;
        suffix |= (uint64_t)bucket << (BUCKET_BITS * level);
        if (level == levels - 1) {
            return FailOpen(mesh, suffix, ((uint64_t)1 << (BUCKET_BITS * levels)) - 1, what, error);
        }
    }
    return CheckMoments(mesh, what, error);
}

hwStatus hwMesh_CheckConvex(const hwMeshData* mesh, const char* what, hwError* error) {
    hwVec3 low = mesh->vertices[0], high = mesh->vertices[0];
    for (int i = 1; i < mesh->vertexCount; ++i) {
        hwVec3 v = mesh->vertices[i];
        low = hwMakeVec3(hwMin(low.x, v.x), hwMin(low.y, v.y), hwMin(low.z, v.z));
        high = hwMakeVec3(hwMax(high.x, v.x), hwMax(high.y, v.y), hwMax(high.z, v.z));
    }
    double tolerance = 1e-6 * hwDistance(low, high);
    for (int i = 0; i < mesh->triangleCount; ++i) {
        const int* t = mesh->triangles[i];
        hwVec3 a = mesh->vertices[t[0]];
        hwVec3 normal = hwCross(hwSub(mesh->vertices[t[1]], a), hwSub(mesh->vertices[t[2]], a));
        double limit = hwDot(normal, a) + tolerance * hwLength(normal);
        for (int k = 0; k < mesh->vertexCount; ++k) {
            if (hwDot(normal, mesh->vertices[k]) <= limit) continue;
            double height = hwDot(normal, hwSub(mesh->vertices[k], a)) / hwLength(normal);
            hwFail(error, HW_ERROR_ARGUMENT, NULL,
                   "%s is not convex: vertex %d lies %g m outside triangle %d", what, k, height, i);
            hwFail_Hint(error, "use a mesh instead of a hull, or split it into convex parts");
            return HW_ERROR_ARGUMENT;
        }
    }
    return HW_OK;
}
