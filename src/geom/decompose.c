#include "hawser/decompose.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh_query.h"

#include <string.h>

hwDecomposeDef hwDefaultDecomposeDef(void) {
    hwDecomposeDef def = {.maxParts = 16, .tolerance = 0.02, .planes = 8};
    return def;
}

#define REENTRANT 8   // cuts at reentrant edges tried along each axis
#define DIRECTIONS 64 // extreme points that stand for a part while cuts are compared

typedef struct Part {
    hwBox box;
    double solid;  // m3 of the solid in the box
    double excess; // m3 of the hull beyond it
    bool final;    // no cut helps
} Part;

typedef struct Work {
    const hwDecomposeDef* def;
    const hwAllocator* allocator;
    const hwMeshData* mesh;
    hwMeshTree tree;
    double size;
    int capacity, count; // of points
    hwVec3* points;
    int listCapacity;
    int* list;       // triangles that meet a box
    bool* reentrant; // by vertex
    int* stamp;      // by vertex: last cut that took it
    int cuts;        // made so far
    hwVec3 directions[DIRECTIONS];
} Work;

// The solid in a box

typedef struct Polygon {
    int count;
    double x[12][3];
} Polygon;

// Cuts away what is beyond x[axis] = at, on the side of `sign`. New corners lie on the plane exactly.
static void ClipPolygon(Polygon* polygon, int axis, double at, double sign) {
    Polygon out = {0};
    for (int i = 0; i < polygon->count; ++i) {
        const double *a = polygon->x[i], *b = polygon->x[(i + 1) % polygon->count];
        double ha = sign * (a[axis] - at), hb = sign * (b[axis] - at);
        if (ha <= 0.0) memcpy(out.x[out.count++], a, sizeof(out.x[0]));
        if ((ha <= 0.0) == (hb <= 0.0)) continue;
        double t = ha / (ha - hb);
        for (int k = 0; k < 3; ++k) out.x[out.count][k] = a[k] + t * (b[k] - a[k]);
        out.x[out.count++][axis] = at;
    }
    *polygon = out;
}

static bool AddPoint(Work* work, const double* x) {
    if (work->count == work->capacity) {
        int capacity = 2 * work->capacity + 1024;
        hwVec3* points = hwAllocate(work->allocator, (size_t)capacity * sizeof(hwVec3));
        if (points == NULL) return false;
        if (work->count > 0) memcpy(points, work->points, (size_t)work->count * sizeof(hwVec3));
        hwRelease(work->allocator, work->points);
        work->points = points;
        work->capacity = capacity;
    }
    work->points[work->count++] = hwMakeVec3(x[0], x[1], x[2]);
    return true;
}

// The polygon's share of the volume in the box, by the divergence theorem three times over: the field (0, 0, z - z0)
// has no flux through the box's sides and bottom; through its top it has (z1 - z0) times the area of the solid there,
// which is likewise summed over the polygons' edges at the top, plus (y1 - y0) times a length of the solid along the
// last edge of the box, which is summed over their corners there.
static double GetFlux(const Polygon* polygon, hwVec3 normal, const hwBox* box) {
    double volume = 0.0, area = 0.0, length = 0.0;
    const double* o = polygon->x[0];
    for (int i = 1; i + 1 < polygon->count; ++i) {
        const double *a = polygon->x[i], *b = polygon->x[i + 1];
        double shadow = 0.5 * ((a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]));
        volume += shadow * ((o[2] + a[2] + b[2]) / 3.0 - box->low.z);
    }
    for (int i = 0; i < polygon->count; ++i) {
        const double *a = polygon->x[i], *b = polygon->x[(i + 1) % polygon->count];
        if (a[2] != box->high.z) continue;
        if (b[2] == box->high.z) area += (0.5 * (a[1] + b[1]) - box->low.y) * (b[0] - a[0]);
        if (a[1] == box->high.y) length += (a[0] - box->low.x) * (normal.x > 0.0 ? 1.0 : -1.0);
    }
    return volume + (box->high.z - box->low.z) * (area + (box->high.y - box->low.y) * length);
}

// Collects the corners of the solid in the box, whose hull is the part, and measures its volume.
static bool CutSolid(Work* work, const hwBox* box, double* volume) {
    int count = hwMesh_FindInBox(&work->tree, *box, work->list, work->listCapacity);
    work->count = 0;
    work->cuts += 1;
    *volume = 0.0;
    for (int i = 0; i < count; ++i) {
        const int* t = work->tree.triangles[work->list[i]];
        hwVec3 c[3];
        Polygon polygon = {.count = 3};
        for (int k = 0; k < 3; ++k) {
            c[k] = work->tree.vertices[t[k]];
            polygon.x[k][0] = c[k].x, polygon.x[k][1] = c[k].y, polygon.x[k][2] = c[k].z;
        }
        const double low[3] = {box->low.x, box->low.y, box->low.z},
                     high[3] = {box->high.x, box->high.y, box->high.z};
        for (int k = 0; k < 3 && polygon.count > 0; ++k) {
            ClipPolygon(&polygon, k, low[k], -1.0);
            ClipPolygon(&polygon, k, high[k], 1.0);
        }
        if (polygon.count < 3) continue;
        *volume += GetFlux(&polygon, hwCross(hwSub(c[1], c[0]), hwSub(c[2], c[0])), box);
        for (int k = 0; k < polygon.count; ++k) {
            // Vertices of the mesh itself are met once by each of their triangles.
            int vertex = -1;
            for (int j = 0; j < 3; ++j) {
                const double* x = polygon.x[k];
                if (x[0] == c[j].x && x[1] == c[j].y && x[2] == c[j].z) vertex = t[j];
            }
            if (vertex >= 0 && work->stamp[vertex] == work->cuts) continue;
            if (vertex >= 0) work->stamp[vertex] = work->cuts;
            if (!AddPoint(work, polygon.x[k])) return false;
        }
    }
    for (int i = 0; i < 8; ++i) {
        const double x[3] = {i & 1 ? box->high.x : box->low.x, i & 2 ? box->high.y : box->low.y,
                             i & 4 ? box->high.z : box->low.z};
        if (!hwMesh_Contains(&work->tree, hwMakeVec3(x[0], x[1], x[2]))) continue;
        if (!AddPoint(work, x)) return false;
        if (i == 7) { // the end of the last edge
            hwVec3 d = hwSub(box->high, box->low);
            *volume += d.x * d.y * d.z;
        }
    }
    return true;
}

// Hulls

static double GetMeshVolume(const hwMeshData* mesh) {
    double volume = 0.0;
    for (int i = 0; i < mesh->triangleCount; ++i) {
        const int* t = mesh->triangles[i];
        hwVec3 o = mesh->vertices[mesh->triangles[0][0]];
        volume += hwDot(hwSub(mesh->vertices[t[0]], o),
                        hwCross(hwSub(mesh->vertices[t[1]], o), hwSub(mesh->vertices[t[2]], o)));
    }
    return volume / 6.0;
}

// Keeps only the extreme points of some directions: their hull is nearly the hull, at a fraction of the time.
static void ReducePoints(Work* work) {
    if (work->count <= 2 * DIRECTIONS) return;
    int best[DIRECTIONS];
    for (int d = 0; d < DIRECTIONS; ++d) {
        double height = -HUGE_VAL;
        for (int i = 0; i < work->count; ++i) {
            double h = hwDot(work->directions[d], work->points[i]);
            if (h > height) {
                height = h;
                best[d] = i;
            }
        }
    }
    hwVec3 chosen[DIRECTIONS];
    int count = 0;
    for (int d = 0; d < DIRECTIONS; ++d) {
        bool known = false;
        for (int e = 0; e < d && !known; ++e) known = best[e] == best[d];
        if (!known) chosen[count++] = work->points[best[d]];
    }
    memcpy(work->points, chosen, (size_t)count * sizeof(hwVec3));
    work->count = count;
}

static hwStatus BuildHull(Work* work, hwMeshData* hull, hwError* error) {
    memset(hull, 0, sizeof(*hull));
    if (work->count < 4) return HW_OK;
    return work->def->buildHull(work->count, work->points, hull, work->def->context, error);
}

// Solid and excess of the part in a box; roughly: by its extreme points.
static hwStatus MeasurePart(Work* work, Part* part, bool roughly, hwError* error) {
    if (!CutSolid(work, &part->box, &part->solid)) return hwFail_Memory(error, NULL);
    if (roughly) ReducePoints(work);
    hwMeshData hull;
    hwStatus status = BuildHull(work, &hull, error);
    part->excess = hull.triangleCount > 0 ? hwMax(0.0, GetMeshVolume(&hull) - part->solid) : 0.0;
    return status;
}

// Cuts

static double* GetSide(hwBox* box, int axis, bool high) {
    hwVec3* corner = high ? &box->high : &box->low;
    return axis == 0 ? &corner->x : axis == 1 ? &corner->y : &corner->z;
}

static double GetAxis(hwVec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static hwStatus TryCut(Work* work, const Part* part, int axis, double at, Part halves[2], double* excess,
                       hwError* error) {
    *excess = HUGE_VAL;
    halves[0].box = halves[1].box = part->box;
    *GetSide(&halves[0].box, axis, true) = at;
    *GetSide(&halves[1].box, axis, false) = at;
    double sum = 0.0;
    for (int k = 0; k < 2; ++k) {
        hwStatus status = MeasurePart(work, &halves[k], true, error);
        if (status != HW_OK) return status;
        halves[k].final = false;
        sum += halves[k].excess;
    }
    *excess = sum;
    return HW_OK;
}

// Places of cuts along an axis: just beside reentrant corners, where cuts often fit exactly, and evenly spread. Planes
// through vertices themselves are avoided, so that no triangle lies in a cut.
static int ListCuts(const Work* work, const Part* part, int axis, double* cuts) {
    hwBox box = part->box;
    double low = *GetSide(&box, axis, false), high = *GetSide(&box, axis, true),
           tiny = 0.7548776662e-7 * work->size;
    int count = 0, seen = 0, total = 0;
    low =
        hwMax(low, GetAxis(hwMakeVec3((double)work->tree.nodes[0].low[0], (double)work->tree.nodes[0].low[1],
                                      (double)work->tree.nodes[0].low[2]),
                           axis));
    high = hwMin(high,
                 GetAxis(hwMakeVec3((double)work->tree.nodes[0].high[0], (double)work->tree.nodes[0].high[1],
                                    (double)work->tree.nodes[0].high[2]),
                         axis));
    for (int pass = 0; pass < 2; ++pass) {
        int stride = pass == 0 ? 1 : (total + REENTRANT - 1) / REENTRANT;
        for (int i = 0; i < work->tree.vertexCount; ++i) {
            hwVec3 v = work->tree.vertices[i];
            double at = GetAxis(v, axis);
            bool inside = v.x >= box.low.x && v.x <= box.high.x && v.y >= box.low.y && v.y <= box.high.y &&
                          v.z >= box.low.z && v.z <= box.high.z;
            if (!work->reentrant[i] || !inside || at - low < 10.0 * tiny || high - at < 10.0 * tiny) continue;
            if (pass == 0) {
                total += 1;
            } else if (seen++ % stride == 0) {
                cuts[count++] = at - tiny;
                cuts[count++] = at + tiny;
            }
        }
        if (total == 0) break;
    }
    for (int k = 1; k <= work->def->planes; ++k) {
        cuts[count++] = low + (high - low) * k / (work->def->planes + 1.0) + 0.5698402910 * tiny;
    }
    return count;
}

// Replaces a part by its better halves. Some cuts gain nothing by themselves but let the next ones gain: half a ring is
// no better than a ring, a quarter is. So a cut always happens, and among equals the more even one.
static hwStatus SplitPart(Work* work, Part* part, Part* other, bool* cut, hwError* error) {
    double best = HUGE_VAL, cuts[2 * REENTRANT + 64];
    Part chosen[2];
    *cut = false;
    for (int axis = 0; axis < 3; ++axis) {
        int count = ListCuts(work, part, axis, cuts);
        for (int i = 0; i < count; ++i) {
            Part halves[2];
            double excess;
            hwStatus status = TryCut(work, part, axis, cuts[i], halves, &excess, error);
            if (status != HW_OK) return status;
            double uneven = fabs(halves[0].solid - halves[1].solid) / part->solid;
            double cost = excess + 0.1 * uneven * part->excess;
            if (uneven < 1.0 - 1e-6 && cost < best * (1.0 - 1e-6)) {
                best = cost;
                memcpy(chosen, halves, sizeof(chosen));
            }
        }
    }
    if (best == HUGE_VAL) return HW_OK;
    for (int k = 0; k < 2; ++k) {
        hwStatus status = MeasurePart(work, &chosen[k], false, error);
        if (status != HW_OK) return status;
    }
    *part = chosen[0];
    *other = chosen[1];
    *cut = true;
    return HW_OK;
}

// Marks the ends of edges where the solid is reentrant: the neighbour rises above the triangle's plane.
static void MarkReentrant(Work* work) {
    for (int i = 0; i < work->tree.triangleCount; ++i) {
        const int* t = work->tree.triangles[i];
        hwVec3 c[3];
        for (int k = 0; k < 3; ++k) c[k] = work->tree.vertices[t[k]];
        hwVec3 n = hwNormalize(hwCross(hwSub(c[1], c[0]), hwSub(c[2], c[0])));
        for (int k = 0; k < 3; ++k) {
            // A neighbour is found beside the edge: a triangle that touches its middle and is not this one.
            hwVec3 middle = hwScale(0.5, hwAdd(c[k], c[(k + 1) % 3]));
            hwMeshHit hits[8];
            int count = hwMesh_FindWithin(&work->tree, middle, middle, 1e-9 * work->size, hits, 8);
            for (int h = 0; h < count && h < 8; ++h) {
                const int* other = work->mesh->triangles[hits[h].triangle];
                for (int j = 0; j < 3; ++j) {
                    if (hwDot(n, hwSub(work->mesh->vertices[other[j]], middle)) > 1e-6 * work->size) {
                        work->reentrant[t[k]] = work->reentrant[t[(k + 1) % 3]] = true;
                    }
                }
            }
        }
    }
}

static hwStatus StartWork(Work* work, const hwMeshData* mesh, const hwDecomposeDef* def,
                          const hwAllocator* allocator, hwError* error) {
    memset(work, 0, sizeof(*work));
    work->def = def;
    work->allocator = allocator;
    work->mesh = mesh;
    hwStatus status = hwMeshTree_Init(&work->tree, allocator, mesh, error);
    if (status != HW_OK) return status;
    work->listCapacity = mesh->triangleCount;
    work->list = hwAllocate(allocator, (size_t)mesh->triangleCount * sizeof(int));
    work->reentrant = hwAllocate(allocator, (size_t)mesh->vertexCount * sizeof(bool));
    work->stamp = hwAllocate(allocator, (size_t)mesh->vertexCount * sizeof(int));
    if (work->list == NULL || work->reentrant == NULL || work->stamp == NULL)
        return hwFail_Memory(error, NULL);
    const hwTreeNode* root = &work->tree.nodes[0];
    for (int k = 0; k < 3; ++k) work->size = hwMax(work->size, (double)root->high[k] - (double)root->low[k]);
    for (int d = 0; d < DIRECTIONS; ++d) { // evenly over the sphere (golden spiral)
        double z = 1.0 - (2.0 * d + 1.0) / DIRECTIONS, r = sqrt(1.0 - z * z), a = 2.399963229728653 * d;
        work->directions[d] = hwMakeVec3(r * hwCos(a), r * hwSin(a), z);
    }
    MarkReentrant(work);
    return HW_OK;
}

static void EndWork(Work* work) {
    hwMeshTree_Free(&work->tree, work->allocator);
    hwRelease(work->allocator, work->list);
    hwRelease(work->allocator, work->reentrant);
    hwRelease(work->allocator, work->stamp);
    hwRelease(work->allocator, work->points);
}

// Copies a hull into memory of our own, only the vertices it uses.
static bool CopyHull(const hwMeshData* hull, const hwAllocator* allocator, hwMeshData* out) {
    hwVec3* vertices = hwAllocate(allocator, (size_t)hull->vertexCount * sizeof(hwVec3));
    int(*triangles)[3] = hwAllocate(allocator, (size_t)hull->triangleCount * sizeof(int[3]));
    int* number = hwAllocate(allocator, (size_t)hull->vertexCount * sizeof(int));
    *out = (hwMeshData){0, vertices, hull->triangleCount, (const int(*)[3])triangles};
    if (vertices == NULL || triangles == NULL || number == NULL) {
        hwRelease(allocator, number);
        return false;
    }
    for (int i = 0; i < hull->triangleCount; ++i) {
        for (int k = 0; k < 3; ++k) {
            int v = hull->triangles[i][k];
            if (number[v] == 0) {
                vertices[out->vertexCount++] = hull->vertices[v];
                number[v] = out->vertexCount;
            }
            triangles[i][k] = number[v] - 1;
        }
    }
    hwRelease(allocator, number);
    return true;
}

// A finished part: its hull and how much of it is solid.
typedef struct Piece {
    hwMeshData hull;
    double volume, solid;
} Piece;

static void FreePiece(Piece* piece, const hwAllocator* allocator) {
    hwRelease(allocator, (void*)(uintptr_t)piece->hull.vertices);
    hwRelease(allocator, (void*)(uintptr_t)piece->hull.triangles);
    memset(piece, 0, sizeof(*piece));
}

static hwStatus MakePieces(Work* work, const Part* parts, int count, Piece* pieces, int* pieceCount,
                           hwError* error) {
    for (int i = 0; i < count; ++i) {
        Piece* piece = &pieces[*pieceCount];
        if (!CutSolid(work, &parts[i].box, &piece->solid)) return hwFail_Memory(error, NULL);
        hwMeshData hull;
        hwStatus status = BuildHull(work, &hull, error);
        if (status != HW_OK) return status;
        if (hull.triangleCount == 0) continue; // nothing of the solid in this box
        piece->volume = GetMeshVolume(&hull);
        *pieceCount += 1;
        if (!CopyHull(&hull, work->allocator, &piece->hull)) return hwFail_Memory(error, NULL);
    }
    return HW_OK;
}

// The hull of two pieces together; by how much it is more than theirs is what joining them costs.
static hwStatus JoinHulls(Work* work, const Piece* a, const Piece* b, hwMeshData* hull, double* cost,
                          hwError* error) {
    work->count = 0;
    for (int k = 0; k < 2; ++k) {
        const hwMeshData* own = k == 0 ? &a->hull : &b->hull;
        for (int i = 0; i < own->vertexCount; ++i) {
            const double x[3] = {own->vertices[i].x, own->vertices[i].y, own->vertices[i].z};
            if (!AddPoint(work, x)) return hwFail_Memory(error, NULL);
        }
    }
    hwStatus status = BuildHull(work, hull, error);
    *cost = GetMeshVolume(hull) - a->volume - b->volume;
    return status;
}

// Joins the pair that costs least while there are too many, or while it stays within the tolerance. `costs` has room
// for the square of the number of pieces.
static hwStatus JoinPieces(Work* work, Piece* pieces, int* count, double* costs, hwError* error) {
    int n = *count, alive = n;
    double solid = 0.0, excess = 0.0, limit;
    for (int i = 0; i < n; ++i) {
        solid += pieces[i].solid;
        excess += pieces[i].volume - pieces[i].solid;
        for (int j = 0; j < i; ++j) {
            hwMeshData hull;
            hwStatus status = JoinHulls(work, &pieces[i], &pieces[j], &hull, &costs[i * n + j], error);
            if (status != HW_OK) return status;
        }
    }
    limit = work->def->tolerance * solid;
    while (alive > 1) {
        int a = -1, b = -1;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < i; ++j) {
                if (pieces[i].volume == 0.0 || pieces[j].volume == 0.0) continue; // joined before
                if (a < 0 || costs[i * n + j] < costs[a * n + b]) a = i, b = j;
            }
        }
        if (alive <= work->def->maxParts && !(excess + costs[a * n + b] <= limit)) break;
        hwMeshData hull;
        double cost;
        hwStatus status = JoinHulls(work, &pieces[a], &pieces[b], &hull, &cost, error);
        Piece joined = {.volume = GetMeshVolume(&hull), .solid = pieces[a].solid + pieces[b].solid};
        if (status == HW_OK && !CopyHull(&hull, work->allocator, &joined.hull))
            status = hwFail_Memory(error, NULL);
        FreePiece(&pieces[a], work->allocator);
        FreePiece(&pieces[b], work->allocator);
        pieces[b] = joined;
        excess += cost;
        alive -= 1;
        for (int i = 0; i < n && status == HW_OK; ++i) {
            if (i == b || pieces[i].volume == 0.0) continue;
            status =
                JoinHulls(work, &pieces[i], &pieces[b], &hull, &costs[i > b ? i * n + b : b * n + i], error);
        }
        if (status != HW_OK) return status;
    }
    alive = 0;
    for (int i = 0; i < n; ++i) {
        if (pieces[i].volume > 0.0) pieces[alive++] = pieces[i];
    }
    for (int i = alive; i < n; ++i) memset(&pieces[i], 0, sizeof(Piece));
    *count = alive;
    return HW_OK;
}

// Cuts the worst part until the excess is small or there are `limit` parts.
static hwStatus SplitParts(Work* work, Part* parts, int limit, int* count, hwError* error) {
    const hwTreeNode* root = &work->tree.nodes[0];
    double margin = 1e-3 * work->size;
    parts[0].box.low = hwMakeVec3((double)root->low[0] - margin, (double)root->low[1] - margin,
                                  (double)root->low[2] - margin);
    parts[0].box.high = hwMakeVec3((double)root->high[0] + margin, (double)root->high[1] + margin,
                                   (double)root->high[2] + margin);
    *count = 1;
    hwStatus status = MeasurePart(work, &parts[0], false, error);
    double solid = parts[0].solid;
    while (status == HW_OK && *count < limit) {
        double total = 0.0;
        int worst = -1;
        for (int i = 0; i < *count; ++i) {
            total += parts[i].excess;
            if (!parts[i].final && (worst < 0 || parts[i].excess > parts[worst].excess)) worst = i;
        }
        if (total <= work->def->tolerance * solid || worst < 0) break;
        bool cut;
        status = SplitPart(work, &parts[worst], &parts[*count], &cut, error);
        parts[worst].final = !cut;
        *count += cut;
    }
    return status;
}

static hwStatus DecomposeMesh(Work* work, Part* parts, int limit, Piece* pieces, double* costs,
                              hwDecomposition* out, hwError* error) {
    int partCount = 0, pieceCount = 0;
    hwStatus status = SplitParts(work, parts, limit, &partCount, error);
    if (status == HW_OK) status = MakePieces(work, parts, partCount, pieces, &pieceCount, error);
    if (status == HW_OK) status = JoinPieces(work, pieces, &pieceCount, costs, error);
    if (status != HW_OK) return status;
    out->parts = hwAllocate(work->allocator, (size_t)pieceCount * sizeof(hwMeshData));
    if (out->parts == NULL) return hwFail_Memory(error, NULL);
    double volume = 0.0, solid = 0.0;
    for (int i = 0; i < pieceCount; ++i) {
        out->parts[i] = pieces[i].hull;
        volume += pieces[i].volume;
        solid += pieces[i].solid;
        memset(&pieces[i], 0, sizeof(Piece)); // the hull has changed hands
    }
    out->partCount = pieceCount;
    out->excess = volume / solid - 1.0;
    return HW_OK;
}

hwStatus hwDecompose(const hwMeshData* mesh, const hwDecomposeDef* def, const hwAllocator* allocator,
                     hwDecomposition* out, hwError* error) {
    memset(out, 0, sizeof(*out));
    if (def->maxParts < 1 || def->maxParts > 1024 || def->planes < 1 || def->planes > 32 ||
        !(def->tolerance >= 0.0) || def->buildHull == NULL) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "%d parts by %d planes to a tolerance of %g cannot be made%s",
               def->maxParts, def->planes, def->tolerance,
               def->buildHull == NULL ? " without buildHull" : "");
        hwFail_Hint(error,
                    "start from hwDefaultDecomposeDef() and set buildHull; up to 1024 parts, 32 planes");
        return HW_ERROR_ARGUMENT;
    }
    // Twice as many parts as wanted, then joined again where it costs least.
    int limit = def->maxParts == 1 ? 1 : 2 * def->maxParts;
    Work work = {.allocator = allocator};
    Part* parts = hwAllocate(allocator, (size_t)limit * sizeof(Part));
    Piece* pieces = hwAllocate(allocator, (size_t)limit * sizeof(Piece));
    double* costs = hwAllocate(allocator, (size_t)limit * (size_t)limit * sizeof(double));
    hwStatus status = parts && pieces && costs ? HW_OK : hwFail_Memory(error, NULL);
    if (status == HW_OK) status = StartWork(&work, mesh, def, allocator, error);
    if (status == HW_OK) status = DecomposeMesh(&work, parts, limit, pieces, costs, out, error);
    for (int i = 0; i < limit && pieces != NULL; ++i) FreePiece(&pieces[i], allocator);
    EndWork(&work);
    hwRelease(allocator, parts);
    hwRelease(allocator, pieces);
    hwRelease(allocator, costs);
    return status;
}

void hwFreeDecomposition(hwDecomposition* decomposition, const hwAllocator* allocator) {
    for (int i = 0; i < decomposition->partCount; ++i) {
        hwRelease(allocator, (void*)(uintptr_t)decomposition->parts[i].vertices);
        hwRelease(allocator, (void*)(uintptr_t)decomposition->parts[i].triangles);
    }
    hwRelease(allocator, decomposition->parts);
    memset(decomposition, 0, sizeof(*decomposition));
}
