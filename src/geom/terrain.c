#include "geom/terrain.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh_check.h"
#include "geom/mesh_tree.h"
#include "geom/sweep.h"
#include "geom/triangle.h"

#include <limits.h>
#include <string.h>

struct hwTerrain {
    hwAllocator allocator;
    int columns, rows; // 0: a mesh
    double spacing;    // m
    hwVec3 origin;
    double* heights; // above origin.z
    hwMeshTree tree;
    hwVec3 low, high;
    double mean;
};

static hwTerrain* AllocateTerrain(const hwAllocator* allocator, hwError* error) {
    hwTerrain* terrain = hwAllocate(allocator, sizeof(hwTerrain));
    if (terrain == NULL) {
        hwFail_Memory(error, NULL);
        return NULL;
    }
    terrain->allocator = *allocator;
    return terrain;
}

static hwStatus CheckHeightfield(int columns, int rows, double spacing, hwVec3 origin, const double* heights,
                                 hwError* error) {
    if (columns < 2 || rows < 2 || heights == NULL || columns > INT_MAX / rows) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "a heightfield of %d columns and %d rows%s makes no surface",
               columns, rows, heights == NULL ? " without heights" : "");
        hwFail_Hint(error, "give 2 columns and 2 rows or more, fewer than 2^31 heights in all");
        return HW_ERROR_ARGUMENT;
    }
    if (!(spacing > 0.0) || !isfinite(spacing) || !hwIsFiniteVec3(origin)) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL,
               "the heightfield's spacing, %g m, must be positive and its origin finite", spacing);
        hwFail_Hint(error, "the spacing is the distance between neighbouring samples in metres");
        return HW_ERROR_ARGUMENT;
    }
    for (int i = 0; i < rows * columns; ++i) {
        if (isfinite(heights[i])) continue;
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "the heightfield's height at column %d, row %d is not finite",
               i % columns, i / columns);
        hwFail_Hint(error, "fill gaps of the survey before loading it");
        return HW_ERROR_ARGUMENT;
    }
    return HW_OK;
}

hwTerrain* hwCreateHeightfield(const hwAllocator* allocator, int columns, int rows, double spacing,
                               hwVec3 origin, const double* heights, hwError* error) {
    if (CheckHeightfield(columns, rows, spacing, origin, heights, error) != HW_OK) return NULL;
    hwTerrain* terrain = AllocateTerrain(allocator, error);
    if (terrain == NULL) return NULL;
    size_t size = (size_t)columns * (size_t)rows * sizeof(double);
    terrain->heights = hwAllocate(allocator, size);
    if (terrain->heights == NULL) {
        hwDestroyTerrain(terrain);
        hwFail_Memory(error, NULL);
        return NULL;
    }
    memcpy(terrain->heights, heights, size);
    terrain->columns = columns;
    terrain->rows = rows;
    terrain->spacing = spacing;
    terrain->origin = origin;
    double low = heights[0], high = heights[0], sum = 0.0;
    for (int i = 0; i < rows * columns; ++i) {
        low = hwMin(low, heights[i]);
        high = hwMax(high, heights[i]);
    }
    for (int j = 0; j + 1 < rows; ++j) {
        const double *a = heights + (size_t)j * (size_t)columns, *b = a + columns;
        double row = 0.0; // mean of two triangles per cell: the diagonal's ends count twice
        for (int i = 0; i + 1 < columns; ++i) row += (2.0 * a[i] + a[i + 1] + b[i] + 2.0 * b[i + 1]) / 6.0;
        sum += row / (columns - 1);
    }
    terrain->mean = origin.z + sum / (rows - 1);
    terrain->low = hwMakeVec3(origin.x, origin.y, origin.z + low);
    terrain->high =
        hwMakeVec3(origin.x + (columns - 1) * spacing, origin.y + (rows - 1) * spacing, origin.z + high);
    return terrain;
}

hwTerrain* hwCreateTerrainMesh(const hwAllocator* allocator, const hwMeshData* mesh, hwError* error) {
    if (hwMesh_CheckIndices(mesh, "the terrain mesh", error) != HW_OK) return NULL;
    hwTerrain* terrain = AllocateTerrain(allocator, error);
    if (terrain == NULL) return NULL;
    if (hwMeshTree_Init(&terrain->tree, allocator, mesh, error) != HW_OK) {
        hwDestroyTerrain(terrain);
        return NULL;
    }
    terrain->low = terrain->high = mesh->vertices[mesh->triangles[0][0]];
    double area = 0.0, moment = 0.0;
    for (int i = 0; i < mesh->triangleCount; ++i) {
        hwVec3 corner[3];
        for (int k = 0; k < 3; ++k) {
            hwVec3 v = corner[k] = mesh->vertices[mesh->triangles[i][k]];
            hwVec3 low = terrain->low, high = terrain->high;
            terrain->low = hwMakeVec3(hwMin(low.x, v.x), hwMin(low.y, v.y), hwMin(low.z, v.z));
            terrain->high = hwMakeVec3(hwMax(high.x, v.x), hwMax(high.y, v.y), hwMax(high.z, v.z));
        }
        double seen = fabs(hwCross(hwSub(corner[1], corner[0]), hwSub(corner[2], corner[0])).z);
        area += seen;
        moment += seen * (corner[0].z + corner[1].z + corner[2].z) / 3.0;
    }
    terrain->mean = moment / area;
    if (!(area > 0.0)) {
        hwDestroyTerrain(terrain);
        hwFail(error, HW_ERROR_ARGUMENT, NULL,
               "the terrain mesh covers no ground: every triangle is vertical");
        hwFail_Hint(error, "z must point up; turn the mesh");
        return NULL;
    }
    return terrain;
}

void hwDestroyTerrain(hwTerrain* terrain) {
    if (terrain == NULL) return;
    hwAllocator allocator = terrain->allocator;
    hwMeshTree_Free(&terrain->tree, &allocator);
    hwRelease(&allocator, terrain->heights);
    hwRelease(&allocator, terrain);
}

// The cell of a coordinate along one axis, and the place in it from 0 to 1. Outside the grid: the border, and no slope.
static int FindCell(double x, double origin, double spacing, int samples, double* place, double* slope) {
    double t = (x - origin) / spacing, end = samples - 1;
    *slope = t >= 0.0 && t <= end ? 1.0 / spacing : 0.0;
    t = t > 0.0 ? hwMin(t, end) : 0.0;
    int cell = (int)t;
    if (cell > samples - 2) cell = samples - 2;
    *place = t - cell;
    return cell;
}

static double GetGridHeight(const hwTerrain* terrain, double x, double y, hwVec3* normal) {
    double fx, fy, slopeX, slopeY;
    int i = FindCell(x, terrain->origin.x, terrain->spacing, terrain->columns, &fx, &slopeX);
    int j = FindCell(y, terrain->origin.y, terrain->spacing, terrain->rows, &fy, &slopeY);
    const double *a = terrain->heights + (size_t)j * (size_t)terrain->columns + i, *b = a + terrain->columns;
    double dx = fx >= fy ? a[1] - a[0] : b[1] - b[0], dy = fx >= fy ? b[1] - a[1] : b[0] - a[0];
    if (normal != NULL) *normal = hwNormalize(hwMakeVec3(-dx * slopeX, -dy * slopeY, 1.0));
    return terrain->origin.z + a[0] + fx * dx + fy * dy;
}

// Twice the area of (p, a, b) seen from above, and the rounding of it.
static double GetEdgeSide(hwVec3 a, hwVec3 b, double x, double y, double* rounding) {
    double ax = a.x - x, ay = a.y - y, bx = b.x - x, by = b.y - y;
    *rounding += 1e-15 * (fabs(ax * by) + fabs(ay * bx));
    return ax * by - ay * bx;
}

// True when (x, y) is inside the triangle seen from above, or on its edge to within rounding, so that no point falls
// between two triangles, and the triangle is higher there than `height`, which it raises.
static bool RaiseToTriangle(const hwVec3* v, const int* t, double x, double y, double* height) {
    hwVec3 a = v[t[0]], b = v[t[1]], c = v[t[2]];
    double e = 0.0;
    double wa = GetEdgeSide(b, c, x, y, &e), wb = GetEdgeSide(c, a, x, y, &e),
           wc = GetEdgeSide(a, b, x, y, &e);
    if (!((wa >= -e && wb >= -e && wc >= -e) || (wa <= e && wb <= e && wc <= e))) return false;
    double sum = wa + wb + wc;
    if (fabs(sum) <= 3.0 * e) return false; // seen edge on
    double z = (wa * a.z + wb * b.z + wc * c.z) / sum;
    if (!(z > *height)) return false;
    *height = z;
    return true;
}

static bool FindHighest(const hwMeshTree* tree, double x, double y, double* height, hwVec3* normal) {
    const int* found = NULL;
    int stack[HW_TREE_STACK], top = 0, at = 0;
    for (;;) {
        const hwTreeNode* node = &tree->nodes[at];
        bool inside = x >= (double)node->low[0] && x <= (double)node->high[0] && y >= (double)node->low[1] &&
                      y <= (double)node->high[1] && (double)node->high[2] > *height;
        if (inside && node->count == 0) {
            // The higher child first.
            int swap = tree->nodes[node->index + 1].high[2] > tree->nodes[node->index].high[2];
            stack[top++] = node->index + 1 - swap;
            at = node->index + swap;
            continue;
        }
        for (int k = 0; inside && k < node->count; ++k) {
            const int* t = tree->triangles[node->index + k];
            if (RaiseToTriangle(tree->vertices, t, x, y, height)) found = t;
        }
        if (top == 0) break;
        at = stack[--top];
    }
    if (found == NULL) return false;
    if (normal != NULL) {
        hwVec3 a = tree->vertices[found[0]];
        hwVec3 up =
            hwNormalize(hwCross(hwSub(tree->vertices[found[1]], a), hwSub(tree->vertices[found[2]], a)));
        *normal = up.z >= 0.0 ? up : hwNeg(up);
    }
    return true;
}

bool hwTerrain_GetHeight(const hwTerrain* terrain, double x, double y, double* height, hwVec3* normal) {
    double z = -HUGE_VAL;
    bool found = true;
    if (normal != NULL) *normal = hwMakeVec3(0.0, 0.0, 1.0);
    if (terrain->columns > 0) {
        z = GetGridHeight(terrain, x, y, normal);
    } else {
        found = FindHighest(&terrain->tree, x, y, &z, normal);
    }
    if (height != NULL) *height = z;
    return found;
}

double hwTerrain_GetMeanHeight(const hwTerrain* terrain) {
    return terrain->mean;
}

void hwTerrain_GetBounds(const hwTerrain* terrain, hwVec3* low, hwVec3* high) {
    *low = terrain->low;
    *high = terrain->high;
}

// A heightfield's triangles. Beyond the grid one more cell on each side carries the border's height as far out as the
// query needs.

typedef struct Grid {
    const hwTerrain* terrain;
    double low[2], high[2]; // x and y of the outermost samples, beyond the query
} Grid;

static Grid MakeGrid(const hwTerrain* terrain, const hwBox* box) {
    double far = terrain->spacing;
    Grid grid = {terrain,
                 {hwMin(terrain->low.x, box->low.x) - far, hwMin(terrain->low.y, box->low.y) - far},
                 {hwMax(terrain->high.x, box->high.x) + far, hwMax(terrain->high.y, box->high.y) + far}};
    return grid;
}

static int FindColumn(double x, double origin, double spacing, int samples) {
    double t = floor((x - origin) / spacing);
    return !(t >= 0.0) ? -1 : t >= samples - 1 ? samples - 1 : (int)t;
}

static hwVec3 GetSample(const Grid* grid, int i, int j) {
    const hwTerrain* terrain = grid->terrain;
    int columns = terrain->columns, rows = terrain->rows;
    int ci = i < 0 ? 0 : i >= columns ? columns - 1 : i, cj = j < 0 ? 0 : j >= rows ? rows - 1 : j;
    double x = i < 0 ? grid->low[0] : i >= columns ? grid->high[0] : terrain->origin.x + i * terrain->spacing;
    double y = j < 0 ? grid->low[1] : j >= rows ? grid->high[1] : terrain->origin.y + j * terrain->spacing;
    return hwMakeVec3(x, y, terrain->origin.z + terrain->heights[(size_t)cj * (size_t)columns + (size_t)ci]);
}

// The two triangles of a cell, facing up; returns the number of the first.
static int GetCell(const Grid* grid, int i, int j, hwVec3 corner[2][3]) {
    hwVec3 a = GetSample(grid, i, j), b = GetSample(grid, i + 1, j), c = GetSample(grid, i, j + 1);
    hwVec3 d = GetSample(grid, i + 1, j + 1);
    corner[0][0] = a, corner[0][1] = b, corner[0][2] = d;
    corner[1][0] = a, corner[1][1] = d, corner[1][2] = c;
    const hwTerrain* terrain = grid->terrain;
    bool inside = i >= 0 && j >= 0 && i < terrain->columns - 1 && j < terrain->rows - 1;
    return inside ? 2 * (j * (terrain->columns - 1) + i) : -1;
}

typedef struct CellRange {
    int fromX, toX, fromY, toY;
} CellRange;

static CellRange FindCells(const hwTerrain* terrain, const hwBox* box) {
    CellRange range = {FindColumn(box->low.x, terrain->origin.x, terrain->spacing, terrain->columns),
                       FindColumn(box->high.x, terrain->origin.x, terrain->spacing, terrain->columns),
                       FindColumn(box->low.y, terrain->origin.y, terrain->spacing, terrain->rows),
                       FindColumn(box->high.y, terrain->origin.y, terrain->spacing, terrain->rows)};
    return range;
}

static hwMeshHit MakeHit(int triangle, const hwVec3 c[3], const hwSegmentTriangle* near) {
    hwMeshHit hit = {.triangle = triangle,
                     .distance = sqrt(near->distance2),
                     .s = near->s,
                     .onSegment = near->onSegment,
                     .onMesh = near->onTriangle,
                     .crosses = near->crosses};
    hwVec3 apart = hwSub(near->onSegment, near->onTriangle);
    hwVec3 n = hwNormalize(hwCross(hwSub(c[1], c[0]), hwSub(c[2], c[0])));
    // Over a surface z(x, y) the side is where the point is, above or below.
    hit.side = apart.z > 0.0 || (apart.z == 0.0 && hwDot(apart, n) >= 0.0) ? 1.0 : -1.0;
    hit.normal = hit.distance > 0.0 ? hwScale(hit.side / hit.distance, apart) : n;
    return hit;
}

int hwTerrain_FindWithin(const hwTerrain* terrain, hwVec3 p, hwVec3 q, double reach, hwMeshHit* hits,
                         int capacity) {
    if (terrain->columns == 0) return hwMesh_FindWithin(&terrain->tree, p, q, reach, hits, capacity);
    hwBox box = hwBox_Grow(hwBox_OfSegment(p, q), reach);
    int total = 0;
    if (box.low.z > terrain->high.z || box.high.z < terrain->low.z) return 0;
    Grid grid = MakeGrid(terrain, &box);
    CellRange range = FindCells(terrain, &box);
    for (int j = range.fromY; j <= range.toY; ++j) {
        for (int i = range.fromX; i <= range.toX; ++i) {
            hwVec3 corner[2][3];
            int number = GetCell(&grid, i, j, corner);
            for (int k = 0; k < 2; ++k) {
                hwSegmentTriangle near;
                if (!hwSegmentTriangle_FindWithin(p, q, corner[k], reach * reach, &near)) continue;
                hwMeshHit hit = MakeHit(number < 0 ? -1 : number + k, corner[k], &near);
                hwMeshHit_KeepNearest(hits, capacity, total, &hit);
                total += 1;
            }
        }
    }
    return total;
}

bool hwTerrain_FindNearest(const hwTerrain* terrain, hwVec3 p, hwVec3 q, double reach, hwMeshHit* hit) {
    if (terrain->columns == 0) return hwMesh_FindNearest(&terrain->tree, p, q, reach, hit);
    return hwTerrain_FindWithin(terrain, p, q, reach, hit, 1) > 0;
}

// The stretch of the ray between the lowest and the highest ground.
static bool ClipToHeights(const hwTerrain* terrain, double z, double rate, double* from, double* to) {
    double low = terrain->low.z - z, high = terrain->high.z - z;
    if (rate == 0.0) return low <= 0.0 && high >= 0.0;
    double a = low / rate, b = high / rate;
    *from = hwMax(*from, hwMin(a, b) - 1e-9 * fabs(a - b));
    *to = hwMin(*to, hwMax(a, b) + 1e-9 * fabs(a - b));
    return *from <= *to;
}

// Where the ray leaves a cell along one axis.
static double GetCellExit(const Grid* grid, int axis, int cell, double p, double d) {
    const hwTerrain* terrain = grid->terrain;
    int samples = axis == 0 ? terrain->columns : terrain->rows, line = d > 0.0 ? cell + 1 : cell;
    if (d == 0.0 || line < 0 || line >= samples) return HUGE_VAL;
    return ((axis == 0 ? terrain->origin.x : terrain->origin.y) + line * terrain->spacing - p) / d;
}

bool hwTerrain_CastRay(const hwTerrain* terrain, hwVec3 origin, hwVec3 direction, double tMax,
                       hwCastHit* hit) {
    if (terrain->columns == 0) return hwMesh_CastRay(&terrain->tree, origin, direction, tMax, hit);
    *hit = (hwCastHit){.triangle = -1, .t = tMax};
    double from = 0.0, to = tMax;
    if (!ClipToHeights(terrain, origin.z, direction.z, &from, &to)) return false;
    hwVec3 start = hwMulAdd(origin, from, direction), end = hwMulAdd(origin, to, direction);
    hwBox box = hwBox_OfSegment(start, end);
    Grid grid = MakeGrid(terrain, &box);
    int i = FindColumn(start.x, terrain->origin.x, terrain->spacing, terrain->columns);
    int j = FindColumn(start.y, terrain->origin.y, terrain->spacing, terrain->rows);
    for (;;) {
        hwVec3 corner[2][3];
        int number = GetCell(&grid, i, j, corner);
        bool found = false;
        for (int k = 0; k < 2; ++k) {
            const hwVec3* c = corner[k];
            double t;
            if (!hwTriangle_CastRay(origin, direction, hit->t, c[0], c[1], c[2], &t)) continue;
            hwVec3 n = hwNormalize(hwCross(hwSub(c[1], c[0]), hwSub(c[2], c[0])));
            *hit = (hwCastHit){.triangle = number < 0 ? -1 : number + k, .t = t};
            hit->point = hwMulAdd(origin, t, direction);
            hit->normal = hwDot(n, direction) > 0.0 ? hwNeg(n) : n;
            found = true;
        }
        if (found) return true;
        double x = GetCellExit(&grid, 0, i, origin.x, direction.x),
               y = GetCellExit(&grid, 1, j, origin.y, direction.y);
        if (hwMin(x, y) > to) return false;
        if (x <= y) {
            i += direction.x > 0.0 ? 1 : -1;
        } else {
            j += direction.y > 0.0 ? 1 : -1;
        }
    }
}

bool hwTerrain_SweepCapsule(const hwTerrain* terrain, hwVec3 p0, hwVec3 q0, hwVec3 p1, hwVec3 q1,
                            double radius, hwCastHit* hit) {
    if (terrain->columns == 0) return hwMesh_SweepCapsule(&terrain->tree, p0, q0, p1, q1, radius, hit);
    hwVec3 vp = hwSub(p1, p0), vq = hwSub(q1, q0);
    // In stretches of a few cells each, so that a long way does not mean a large area.
    double way = hwMax(hwLength(vp), hwLength(vq)) / (4.0 * terrain->spacing);
    int pieces = way < 1.0 ? 1 : way > 10000.0 ? 10000 : (int)ceil(way);
    for (int piece = 0; piece < pieces; ++piece) {
        double t0 = (double)piece / pieces, t1 = (piece + 1.0) / pieces;
        hwMovingCapsule capsule = {hwMulAdd(p0, t0, vp), hwMulAdd(q0, t0, vq), hwScale(t1 - t0, vp),
                                   hwScale(t1 - t0, vq), radius};
        hwBox box = hwBox_Join(hwBox_OfSegment(capsule.p, capsule.q),
                               hwBox_OfSegment(hwAdd(capsule.p, capsule.vp), hwAdd(capsule.q, capsule.vq)));
        box = hwBox_Grow(box, radius);
        if (box.low.z > terrain->high.z || box.high.z < terrain->low.z) continue;
        Grid grid = MakeGrid(terrain, &box);
        CellRange range = FindCells(terrain, &box);
        hwCastHit best = {.triangle = -1, .t = 1.0};
        bool found = false;
        for (int j = range.fromY; j <= range.toY; ++j) {
            for (int i = range.fromX; i <= range.toX; ++i) {
                hwVec3 corner[2][3];
                int number = GetCell(&grid, i, j, corner);
                for (int k = 0; k < 2; ++k) {
                    hwCastHit own = {.triangle = number < 0 ? -1 : number + k, .t = best.t};
                    if (!hwMovingCapsule_MeetTriangle(&capsule, corner[k], &own)) continue;
                    if (found && own.t >= best.t) continue;
                    best = own;
                    found = true;
                }
            }
        }
        if (!found) continue;
        *hit = best;
        hit->t = t0 + best.t * (t1 - t0);
        return true;
    }
    return false;
}
