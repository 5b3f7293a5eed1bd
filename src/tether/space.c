#include "tether/space.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/mesh_check.h"
#include "geom/shape_data.h"
#include "geom/triangle.h"

#include <string.h>

static void PlaceSolid(hwSpaceSolid* solid, hwPose pose) {
    solid->pose = hwMulPose(pose, solid->own);
    if (!solid->mesh) {
        solid->box = hwConvex_GetBounds(&solid->convex, solid->pose);
        return;
    }
    solid->box = hwBox_Empty();
    hwMat3 r = hwMat3FromQuat(solid->pose.q);
    const hwTreeNode* root = &solid->tree.nodes[0];
    hwBox box = {{root->low[0], root->low[1], root->low[2]}, {root->high[0], root->high[1], root->high[2]}};
    solid->box = hwBox_Transform(&box, solid->pose.p, &r);
}

static hwStatus FillSolid(hwTetherSpace* space, hwSpaceSolid* solid, const hwTetherSolid* given, int index,
                          hwError* error) {
    if (given->shape == NULL) return hwFail(error, HW_ERROR_ARGUMENT, NULL, "solid %d has no shape", index);
    hwShapeDef own = *given->shape;
    own.pose = hwPose_identity;
    solid->own = given->shape->pose;
    solid->mesh = own.kind == HW_SHAPE_MESH;
    hwStatus status = HW_OK;
    if (solid->mesh) {
        status = hwMesh_CheckIndices(&own.mesh, "the mesh", error);
        if (status == HW_OK) status = hwMeshTree_Init(&solid->tree, &space->allocator, &own.mesh, error);
    } else {
        status = hwShape_Check(given->shape, index, error);
        if (status == HW_OK && own.kind == HW_SHAPE_HULL)
            status = hwHull_Init(&solid->hull, &space->allocator, &own.mesh, error);
        if (status == HW_OK) hwConvex_FromShape(&own, &solid->hull, &solid->convex);
    }
    if (status == HW_OK) PlaceSolid(solid, given->pose);
    return status;
}

hwTetherSpace* hwCreateTetherSpace(int count, const hwTetherSolid* solids, const hwAllocator* allocator,
                                   hwError* error) {
    hwClearError(error);
    if (hwCheckArray(count, solids, NULL, "solids", error) != HW_OK) return NULL;
    hwAllocator from = allocator != NULL ? *allocator : hwDefaultAllocator();
    hwTetherSpace* space = hwAllocate(&from, sizeof(*space));
    if (space == NULL) {
        hwFail_Memory(error, NULL);
        return NULL;
    }
    space->allocator = from;
    space->solids = hwAllocate(&from, (size_t)(count > 0 ? count : 1) * sizeof(hwSpaceSolid));
    hwStatus status = space->solids != NULL ? HW_OK : hwFail_Memory(error, NULL);
    for (int i = 0; i < count && status == HW_OK; ++i) {
        space->count += 1;
        status = FillSolid(space, &space->solids[i], &solids[i], i, error);
    }
    if (status == HW_OK) return space;
    hwDestroyTetherSpace(space);
    return NULL;
}

void hwDestroyTetherSpace(hwTetherSpace* space) {
    if (space == NULL) return;
    hwAllocator from = space->allocator;
    for (int i = 0; i < space->count; ++i) {
        hwMeshTree_Free(&space->solids[i].tree, &from);
        hwHull_Free(&space->solids[i].hull, &from);
    }
    hwRelease(&from, space->solids);
    hwRelease(&from, space);
}

void hwTetherSpace_Place(hwTetherSpace* space, int solid, hwPose pose) {
    if (solid < 0 || solid >= space->count) return;
    hwPose before = space->solids[solid].pose;
    PlaceSolid(&space->solids[solid], pose);
    space->moves += !hwHaveSameBits(&before, &space->solids[solid].pose, sizeof(before));
}

// Whether two triangles are farther apart than `radius`. Where they do not cross, the nearest points are on an edge of one
// and on the other.
static bool TrianglesApart(const hwVec3 a[3], const hwVec3 b[3], double radius) {
    double reach2 = radius * radius;
    hwSegmentTriangle nearest;
    for (int k = 0; k < 3; ++k) {
        if (hwSegmentTriangle_FindWithin(a[k], a[(k + 1) % 3], b, reach2, &nearest)) return false;
        if (hwSegmentTriangle_FindWithin(b[k], b[(k + 1) % 3], a, reach2, &nearest)) return false;
    }
    return true;
}

// Whether all points are farther than `radius` from the plane of a triangle, on the same side.
static bool IsBesidePlane(const hwVec3 corner[3], int count, const hwVec3* points, double radius) {
    hwVec3 n = hwCross(hwSub(corner[1], corner[0]), hwSub(corner[2], corner[0]));
    double limit2 = radius * radius * hwLengthSquared(n), first = hwDot(n, hwSub(points[0], corner[0]));
    if (!(first * first > limit2)) return false;
    for (int k = 1; k < count; ++k) {
        double height = hwDot(n, hwSub(points[k], corner[0]));
        if (!(height * height > limit2) || (height > 0.0) != (first > 0.0)) return false;
    }
    return true;
}

#define BAND_POINTS 16

// A question to a mesh: points in its frame, and the box about them as far as the question goes.
typedef struct MeshQuestion {
    int count;
    hwVec3 points[BAND_POINTS];
    hwBox box;
    double radius;
} MeshQuestion;

typedef bool MeshAnswerFn(const MeshQuestion* question, const hwVec3 triangle[3]);

// Whether the answer is yes for all triangles whose leaves of the tree the box meets.
static bool AskMesh(const hwSpaceSolid* solid, int count, const hwVec3* points, double radius,
                    MeshAnswerFn* answer) {
    MeshQuestion question = {.count = count, .box = hwBox_Empty(), .radius = radius};
    for (int k = 0; k < count; ++k) {
        question.points[k] = hwInvTransformPoint(solid->pose, points[k]);
        question.box = hwBox_AddPoint(question.box, question.points[k]);
    }
    question.box = hwBox_Grow(question.box, radius);
    float low[3], high[3];
    hwTree_RoundBox(question.box.low, question.box.high, low, high);
    const hwMeshTree* tree = &solid->tree;
    int stack[HW_TREE_STACK], top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const hwTreeNode* node = &tree->nodes[stack[--top]];
        if (!hwTreeNode_Overlaps(node, low, high)) continue;
        if (node->count == 0) {
            stack[top++] = node->index;
            stack[top++] = node->index + 1;
            continue;
        }
        for (int i = node->index; i < node->index + node->count; ++i) {
            const int* t = tree->triangles[i];
            hwVec3 triangle[3] = {tree->vertices[t[0]], tree->vertices[t[1]], tree->vertices[t[2]]};
            if (!answer(&question, triangle)) return false;
        }
    }
    return true;
}

// The triangle of three points, or the two 0 1 2 and 0 2 3 of four.
static bool AreApart(const MeshQuestion* question, const hwVec3 triangle[3]) {
    hwBox its = hwBox_AddPoint(hwBox_OfSegment(triangle[0], triangle[1]), triangle[2]);
    const hwVec3* own = question->points;
    double radius = question->radius;
    if (!hwBox_Overlaps(&its, &question->box) || IsBesidePlane(triangle, question->count, own, radius))
        return true;
    for (int k = 0; k + 2 < question->count; ++k) {
        hwVec3 piece[3] = {own[0], own[k + 1], own[k + 2]};
        if (!IsBesidePlane(piece, 3, triangle, radius) && !TrianglesApart(piece, triangle, radius))
            return false;
    }
    return true;
}

static bool AreBesidePlane(const MeshQuestion* question, const hwVec3 triangle[3]) {
    return IsBesidePlane(triangle, question->count, question->points, question->radius);
}

// About its own middle, where coordinates are small.
static bool IsSolidFree(const hwSpaceSolid* solid, int count, const hwVec3* corner, const hwBox* box,
                        double radius) {
    if (!hwBox_Overlaps(&solid->box, box)) return true;
    if (solid->mesh) return AskMesh(solid, count, corner, radius, AreApart);
    hwVec3 middle = hwScale(0.5, hwAdd(box->low, box->high));
    hwPose at = {middle, {1.0, 0.0, 0.0, 0.0}};
    for (int k = 0; k + 2 < count; ++k) {
        hwConvex triangle = hwMakeTriangle(hwSub(corner[0], middle), hwSub(corner[k + 1], middle),
                                           hwSub(corner[k + 2], middle), radius);
        if (!hwConvex_IsApart(&triangle, at, &solid->convex, solid->pose, 0.0)) return false;
    }
    return true;
}

bool hwTetherSpace_IsFree(const hwTetherSpace* space, hwVec3 a, hwVec3 b, hwVec3 c, double radius) {
    const hwVec3 corner[3] = {a, b, c};
    hwBox box = hwBox_Grow(hwBox_AddPoint(hwBox_OfSegment(a, b), c), radius);
    for (int i = 0; i < space->count; ++i) {
        if (!IsSolidFree(&space->solids[i], 3, corner, &box, radius)) return false;
    }
    return true;
}

bool hwTetherSpace_IsStripFree(const hwTetherSpace* space, hwVec3 a, hwVec3 b, hwVec3 c, hwVec3 d,
                               double radius) {
    const hwVec3 corner[4] = {a, b, c, d};
    hwBox box = hwBox_Grow(hwBox_AddPoint(hwBox_AddPoint(hwBox_OfSegment(a, b), c), d), radius);
    for (int i = 0; i < space->count; ++i) {
        if (!IsSolidFree(&space->solids[i], 4, corner, &box, radius)) return false;
    }
    return true;
}

bool hwTetherSpace_IsBandClear(const hwTetherSpace* space, int count, const hwVec3* a, const hwVec3* b,
                               double radius) {
    hwVec3 points[BAND_POINTS];
    if (2 * count > BAND_POINTS) return false;
    hwBox box = hwBox_Empty();
    for (int k = 0; k < 2 * count; ++k) {
        points[k] = k < count ? a[k] : b[k - count];
        box = hwBox_AddPoint(box, points[k]);
    }
    box = hwBox_Grow(box, radius);
    for (int i = 0; i < space->count; ++i) {
        const hwSpaceSolid* solid = &space->solids[i];
        if (!hwBox_Overlaps(&solid->box, &box)) continue;
        if (!solid->mesh || !AskMesh(solid, 2 * count, points, radius, AreBesidePlane)) return false;
    }
    return true;
}

bool hwTetherSpace_IsFreeOf(const hwTetherSpace* space, int solid, hwVec3 a, hwVec3 b, hwVec3 c,
                            double radius) {
    const hwVec3 corner[3] = {a, b, c};
    hwBox box = hwBox_Grow(hwBox_AddPoint(hwBox_OfSegment(a, b), c), radius);
    return IsSolidFree(&space->solids[solid], 3, corner, &box, radius);
}

double hwTetherSpace_GetClearance(const hwTetherSpace* space, hwVec3 point, double reach, int* which,
                                  hwVec3* normal) {
    double least = HUGE_VAL;
    int nearest = -1;
    hwVec3 out = hwVec3_zero;
    for (int i = 0; i < space->count; ++i) {
        const hwSpaceSolid* solid = &space->solids[i];
        double limit = hwFmin(reach, least);
        hwBox box = hwBox_Grow(solid->box, limit);
        if (!(point.x >= box.low.x && point.x <= box.high.x && point.y >= box.low.y &&
              point.y <= box.high.y && point.z >= box.low.z && point.z <= box.high.z)) {
            continue;
        }
        if (solid->mesh) {
            hwVec3 own = hwInvTransformPoint(solid->pose, point);
            hwMeshHit hit;
            if (!hwMesh_FindNearest(&solid->tree, own, own, limit, &hit) || hit.distance >= least) continue;
            least = hit.distance;
            // meshes are surfaces here: away from the nearest point, on whichever side that is
            hwVec3 away = hwSub(hit.onSegment, hit.onMesh);
            out = hwRotate(solid->pose.q, hit.distance > 0.0 ? hwNormalize(away) : hit.normal);
        } else {
            hwConvex dot = hwMakeSphere(0.0);
            hwPose at = {point, {1.0, 0.0, 0.0, 0.0}};
            if (hwConvex_IsApart(&solid->convex, solid->pose, &dot, at, hwFmax(limit, 0.0))) continue;
            hwClosest closest = hwConvex_FindClosest(&solid->convex, solid->pose, &dot, at, NULL);
            if (closest.distance > limit || closest.distance >= least) continue;
            least = closest.distance;
            out = closest.normal;
        }
        nearest = i;
    }
    if (which != NULL) *which = nearest;
    if (normal != NULL) *normal = out;
    return least;
}

double hwTetherSpace_GetSegmentClearance(const hwTetherSpace* space, hwVec3 p, hwVec3 q, double reach,
                                         double* place, hwVec3* normal, int* which) {
    double least = HUGE_VAL, length2 = hwLengthSquared(hwSub(q, p));
    hwBox box = hwBox_Grow(hwBox_OfSegment(p, q), reach);
    hwVec3 middle = hwScale(0.5, hwAdd(p, q));
    hwConvex segment = hwMakeTriangle(hwSub(p, middle), hwSub(q, middle), hwSub(q, middle), 0.0);
    hwPose at = {middle, {1.0, 0.0, 0.0, 0.0}};
    for (int i = 0; i < space->count; ++i) {
        const hwSpaceSolid* solid = &space->solids[i];
        if (!hwBox_Overlaps(&solid->box, &box)) continue;
        hwVec3 on, out;
        double distance;
        if (solid->mesh) {
            hwMeshHit hit;
            hwVec3 a = hwInvTransformPoint(solid->pose, p), b = hwInvTransformPoint(solid->pose, q);
            if (!hwMesh_FindNearest(&solid->tree, a, b, hwFmin(reach, least), &hit)) continue;
            distance = hit.distance;
            on = hwTransformPoint(solid->pose, hit.onSegment);
            hwVec3 away = hwSub(hit.onSegment, hit.onMesh);
            out = hwRotate(solid->pose.q, hit.distance > 0.0 ? hwNormalize(away) : hit.normal);
        } else {
            double limit = hwFmax(hwFmin(reach, least), 0.0);
            if (hwConvex_IsApart(&solid->convex, solid->pose, &segment, at, limit)) continue;
            hwClosest closest = hwConvex_FindClosest(&solid->convex, solid->pose, &segment, at, NULL);
            distance = closest.distance;
            on = closest.pointB;
            out = closest.normal;
        }
        if (distance > reach || distance >= least) continue;
        least = distance;
        *place = length2 > 0.0 ? hwClamp(hwDot(hwSub(on, p), hwSub(q, p)) / length2, 0.0, 1.0) : 0.0;
        *normal = out;
        if (which != NULL) *which = i;
    }
    return least;
}
