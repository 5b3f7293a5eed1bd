// Rays, nearest points and overlaps against the snapshot of query_scene.c. Nothing here writes to it.
#include "api/query_beam.h"
#include "api/query_scene.h"
#include "geom/shape_data.h"
#include "geom/sweep.h"
#include "geom/triangle.h"
#include "world/cable_slots.h"

#include <math.h>
#include <string.h>

#define HW_QUERY_COOKIE 0x48570040

hwQueryFilter hwDefaultQueryFilter(void) {
    hwQueryFilter filter = {
        .bodies = true, .cables = true, .seabed = true, .mask = HW_FILTER_ALL, .cookie = HW_QUERY_COOKIE};
    return filter;
}

// One query on its way.
typedef struct Query {
    const hwQueryScene* scene;
    hwQueryFilter filter;
    // a ray or ball
    hwVec3 origin, direction; // the direction is a unit vector
    double length, radius;
    // a point
    hwVec3 point;
    double reach;
    // a shape
    hwConvex convex;
    hwPose pose;
    hwBox box;
    // answers
    int capacity, count;
    hwQueryHit* hits; // sorted
    int bestItem;     // of the one hit that is looked for; the seabed's is the number of items
    hwQueryHit best;
} Query;

hwStatus hwWorld_RequireQueries(const hwWorld* world, hwError* error) {
    if (world->prepared && world->queries != NULL) return HW_OK;
    hwStatus status =
        hwFail(error, HW_ERROR_ORDER, NULL, "there is no snapshot of the world for queries yet");
    hwFail_Hint(error, "call hwWorld_UpdateQueries after hwWorld_Prepare and after steps");
    return status;
}

static hwStatus BeginQuery(const hwWorld* world, const hwQueryFilter* filter, Query* query, hwError* error) {
    hwClearError(error);
    memset(query, 0, sizeof(*query));
    hwStatus status = hwWorld_RequireQueries(world, error);
    if (status != HW_OK) return status;
    query->scene = world->queries;
    query->filter = filter != NULL ? *filter : hwDefaultQueryFilter();
    if (query->filter.cookie != HW_QUERY_COOKIE) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "the query filter was not made by hwDefaultQueryFilter");
    }
    return HW_OK;
}

static bool QuerySees(const Query* query, int index) {
    const hwQueryItem* item = &query->scene->items[index];
    const hwQueryFilter* filter = &query->filter;
    bool cable = item->slot >= 0;
    if (!(cable ? filter->cables && item->nodes > 1 : filter->bodies)) return false;
    if ((item->category & filter->mask) == 0) return false;
    if (!cable && !HW_IS_NULL(filter->except) && HW_SAME_ID(item->candidate.body, filter->except))
        return false;
    return filter->accept == NULL || filter->accept(&item->candidate, filter->context);
}

static bool SeesBottom(const Query* query) {
    if (!query->filter.seabed || query->scene->seabed.kind == HW_SEABED_NONE) return false;
    hwQueryHit candidate = {.kind = HW_HIT_SEABED, .shape = -1, .triangle = -1, .element = -1};
    return query->filter.accept == NULL || query->filter.accept(&candidate, query->filter.context);
}

static hwQueryHit MakeBottomHit(void) {
    return (hwQueryHit){.kind = HW_HIT_SEABED, .shape = -1, .triangle = -1, .element = -1};
}

// Keeps the nearest; of equal ones the first item.
static void KeepBest(Query* query, int item, const hwQueryHit* hit) {
    bool better = query->best.kind == HW_HIT_NONE || hit->distance < query->best.distance ||
                  (hit->distance == query->best.distance && item < query->bestItem);
    if (!better) return;
    query->best = *hit;
    query->bestItem = item;
}

// Comes before another in a list: by distance, then in the order of things.
static bool HitPrecedes(const hwQueryHit* a, const hwQueryHit* b) {
    if (a->distance != b->distance) return a->distance < b->distance;
    if (a->kind != b->kind) return a->kind < b->kind;
    uint32_t first = a->kind == HW_HIT_BODY ? a->body.index : a->cable.index;
    uint32_t second = b->kind == HW_HIT_BODY ? b->body.index : b->cable.index;
    return first != second ? first < second : a->shape < b->shape;
}

static void KeepListed(Query* query, const hwQueryHit* hit) {
    int room = query->count < query->capacity ? query->count : query->capacity;
    query->count += 1;
    int at = room;
    while (at > 0 && HitPrecedes(hit, &query->hits[at - 1])) at -= 1;
    if (at == query->capacity) return;
    int last = room < query->capacity ? room : query->capacity - 1;
    memmove(&query->hits[at + 1], &query->hits[at], (size_t)(last - at) * sizeof(hwQueryHit));
    query->hits[at] = *hit;
}

static hwConvex MakeElement(const hwQueryItem* item, int e) {
    return hwMakeTriangle(item->positions[e], item->positions[e + 1], item->positions[e + 1], item->radii[e]);
}

// Where on the cable the axis is nearest to a point, and that place.
static double GetArc(const hwQueryItem* item, int e, hwVec3 point, hwVec3* axis) {
    hwVec3 p = item->positions[e], q = item->positions[e + 1];
    double s = hwSegment_GetNearest(p, q, point);
    if (axis != NULL) *axis = hwMulAdd(p, s, hwSub(q, p));
    return item->arcs[e] + s * (item->arcs[e + 1] - item->arcs[e]);
}

// Rays and balls -------------------------------------------------------------------------------------------------------

static void TakeCast(const hwCastHit* cast, hwQueryHit* hit) {
    hit->point = cast->point;
    hit->normal = cast->normal;
    hit->distance = cast->t;
    hit->triangle = cast->triangle;
}

static bool CastAtShape(const Query* query, const hwQueryItem* item, double most, hwQueryHit* hit) {
    hwCastHit cast;
    if (!item->mesh) {
        // faces are hit exactly by rays
        bool hits = query->radius > 0.0 ? hwConvex_SweepBall(&item->convex, item->pose, query->origin,
                                                             query->direction, query->radius, most, &cast)
                                        : hwConvex_CastRay(&item->convex, item->pose, query->origin,
                                                           query->direction, most, &cast);
        if (!hits) return false;
        TakeCast(&cast, hit);
        return true;
    }
    hwVec3 origin = hwInvTransformPoint(item->pose, query->origin);
    hwVec3 direction = hwInvRotate(item->pose.q, query->direction);
    bool found = query->radius > 0.0
                     ? hwMesh_SweepBall(&item->tree, origin, direction, query->radius, most, &cast)
                     : hwMesh_CastRay(&item->tree, origin, direction, most, &cast);
    if (!found) return false;
    cast.point = hwTransformPoint(item->pose, cast.point);
    cast.normal = hwRotate(item->pose.q, cast.normal);
    TakeCast(&cast, hit);
    return true;
}

// The elements of one cable.
typedef struct CableCast {
    const Query* query;
    const hwQueryItem* item;
    hwQueryHit* hit;
    bool found;
} CableCast;

static double CastAtElement(int e, double most, void* context) {
    CableCast* cable = context;
    const Query* query = cable->query;
    hwConvex element = MakeElement(cable->item, e);
    hwCastHit cast;
    if (!hwConvex_SweepBall(&element, hwPose_identity, query->origin, query->direction, query->radius, most,
                            &cast))
        return most;
    if (cable->found &&
        (cast.t > cable->hit->distance || (cast.t == cable->hit->distance && e > cable->hit->element)))
        return most;
    cable->found = true;
    TakeCast(&cast, cable->hit);
    cable->hit->element = e;
    cable->hit->at = GetArc(cable->item, e, cast.point, NULL);
    return cast.t;
}

static bool CastAtItem(const Query* query, const hwQueryItem* item, double most, hwQueryHit* hit) {
    *hit = item->candidate;
    if (item->slot < 0) return CastAtShape(query, item, most, hit);
    CableCast cable = {query, item, hit, false};
    hwBoxTree_CastRay(&item->elements, query->origin, query->direction, query->radius, most, CastAtElement,
                      &cable);
    return cable.found;
}

static bool CastAtBottom(const Query* query, double most, hwQueryHit* hit) {
    const hwQueryScene* scene = query->scene;
    *hit = MakeBottomHit();
    hwCastHit cast = {.triangle = -1};
    if (scene->terrain != NULL) {
        hwVec3 end = hwMulAdd(query->origin, most, query->direction);
        bool found = query->radius > 0.0
                         ? hwTerrain_SweepCapsule(scene->terrain, query->origin, query->origin, end, end,
                                                  query->radius, &cast)
                         : hwTerrain_CastRay(scene->terrain, query->origin, query->direction, most, &cast);
        if (!found) return false;
        if (query->radius > 0.0) cast.t *= most;
        TakeCast(&cast, hit);
        return true;
    }
    double height = query->origin.z - query->radius - scene->bottom;
    if (height > 0.0 && !(query->direction.z < 0.0)) return false;
    double t = height > 0.0 ? -height / query->direction.z : 0.0;
    if (t > most) return false;
    hit->distance = t;
    hit->normal = hwMakeVec3(0.0, 0.0, 1.0);
    hit->point = hwMulAdd(query->origin, t, query->direction);
    if (height > 0.0 || query->radius > 0.0) hit->point.z = scene->bottom;
    return true;
}

static double VisitCast(int index, double most, void* context) {
    Query* query = context;
    hwQueryHit hit;
    if (!QuerySees(query, index) || !CastAtItem(query, &query->scene->items[index], most, &hit)) return most;
    KeepBest(query, index, &hit);
    return query->best.distance;
}

static double VisitCastAll(int index, double most, void* context) {
    Query* query = context;
    hwQueryHit hit;
    if (QuerySees(query, index) && CastAtItem(query, &query->scene->items[index], most, &hit))
        KeepListed(query, &hit);
    return most;
}

static hwStatus BeginCast(const hwWorld* world, const hwRay* ray, const hwQueryFilter* filter, Query* query,
                          hwError* error) {
    hwStatus status = BeginQuery(world, filter, query, error);
    if (status != HW_OK) return status;
    double size = ray != NULL ? hwLength(ray->direction) : 0.0;
    if (ray == NULL || !hwIsFiniteVec3(ray->origin) || !isfinite(size) || !(size > 0.0) ||
        !isfinite(ray->length) || !(ray->length >= 0.0) || !isfinite(ray->radius) || !(ray->radius >= 0.0)) {
        return hwFail(
            error, HW_ERROR_ARGUMENT, NULL,
            "a ray needs a finite origin, a direction, and a length and radius that are not negative");
    }
    query->origin = ray->origin;
    query->direction = hwScale(1.0 / size, ray->direction);
    query->length = ray->length;
    query->radius = ray->radius;
    return HW_OK;
}

// Bodies, cables and then the bottom.
static void CastAtTree(Query* query) {
    hwBoxTree_CastRay(&query->scene->tree, query->origin, query->direction, query->radius, query->length,
                      VisitCast, query);
}

static void CastBelow(Query* query) {
    double most = query->best.kind == HW_HIT_NONE ? query->length : query->best.distance;
    hwQueryHit bottom;
    if (SeesBottom(query) && CastAtBottom(query, most, &bottom))
        KeepBest(query, query->scene->count, &bottom);
}

hwStatus hwWorld_CastRay(const hwWorld* world, const hwRay* ray, const hwQueryFilter* filter, hwQueryHit* hit,
                         hwError* error) {
    memset(hit, 0, sizeof(*hit));
    Query query;
    hwStatus status = BeginCast(world, ray, filter, &query, error);
    if (status != HW_OK) return status;
    CastAtTree(&query);
    CastBelow(&query);
    *hit = query.best;
    return HW_OK;
}

static double NoteInBeam(int item, double distance, void* context) {
    hwQueryBeam* beam = context;
    const Query query = {.scene = beam->world->queries, .filter = beam->filter};
    if (!QuerySees(&query, item)) return distance;
    if (beam->count == HW_BEAM_ITEMS) {
        beam->count += 1;
        return -1.0;
    }
    int at = beam->count++;
    for (; at > 0 && beam->nearest[at - 1] > distance; --at) {
        beam->nearest[at] = beam->nearest[at - 1];
        beam->items[at] = beam->items[at - 1];
    }
    beam->nearest[at] = distance;
    beam->items[at] = item;
    return distance;
}

void hwQueryBeam_Aim(hwQueryBeam* beam, const hwWorld* world, const hwQueryFilter* filter,
                     const hwWedge* wedge) {
    beam->world = world;
    beam->filter = *filter;
    beam->wedge = *wedge;
    beam->count = 0;
    hwBoxTree_FindInWedge(&world->queries->tree, wedge, NoteInBeam, beam);
}

bool hwQueryBeam_Cast(const hwQueryBeam* beam, hwVec3 direction, hwQueryHit* hit) {
    Query query;
    query.scene = beam->world->queries;
    query.filter = beam->filter;
    query.origin = beam->wedge.origin;
    query.direction = direction;
    query.length = beam->wedge.reach;
    query.radius = 0.0;
    query.best = (hwQueryHit){.kind = HW_HIT_NONE};
    if (beam->count > HW_BEAM_ITEMS) CastAtTree(&query);
    double most = query.length;
    for (int i = 0; i < beam->count && beam->count <= HW_BEAM_ITEMS && beam->nearest[i] <= most; ++i) {
        const hwBox* box = &query.scene->boxes[beam->items[i]];
        hwQueryHit found;
        if (!(hwBox_GetEntry(box, query.origin, direction, 0.0, most) <= most)) continue;
        if (!CastAtItem(&query, &query.scene->items[beam->items[i]], most, &found)) continue;
        KeepBest(&query, beam->items[i], &found);
        most = query.best.distance;
    }
    CastBelow(&query);
    *hit = query.best;
    return hit->kind != HW_HIT_NONE;
}

int hwWorld_CastRayAll(const hwWorld* world, const hwRay* ray, const hwQueryFilter* filter, int capacity,
                       hwQueryHit* hits, hwError* error) {
    Query query;
    if (BeginCast(world, ray, filter, &query, error) != HW_OK) return -1;
    query.capacity = capacity > 0 ? capacity : 0;
    query.hits = hits;
    hwBoxTree_CastRay(&query.scene->tree, query.origin, query.direction, query.radius, query.length,
                      VisitCastAll, &query);
    hwQueryHit bottom;
    if (SeesBottom(&query) && CastAtBottom(&query, query.length, &bottom)) KeepListed(&query, &bottom);
    return query.count;
}

// Nearest points ---------------------------------------------------------------------------------------------------------

static bool NearShape(const Query* query, const hwQueryItem* item, double most, hwQueryHit* hit) {
    if (!item->mesh) {
        hwConvex point = hwMakeSphere(0.0);
        hwPose place = {query->point, hwQuat_identity};
        hwClosest near = hwConvex_FindClosest(&item->convex, item->pose, &point, place, NULL);
        hit->distance = near.distance;
        hit->normal = near.normal;
        hit->point = near.pointA;
        return near.distance <= most;
    }
    hwVec3 point = hwInvTransformPoint(item->pose, query->point);
    hwMeshHit near;
    // deeper inside than it may be far away outside
    bool found = hwMesh_FindNearest(&item->tree, point, point, most, &near);
    if (!found)
        found = hwMesh_Contains(&item->tree, point) &&
                hwMesh_FindNearest(&item->tree, point, point, HUGE_VAL, &near);
    if (!found) return false;
    hit->distance = near.side * near.distance;
    hit->normal = hwRotate(item->pose.q, near.normal);
    hit->point = hwTransformPoint(item->pose, near.onMesh);
    hit->triangle = near.triangle;
    return true;
}

static double NearElement(int e, double most, void* context) {
    CableCast* cable = context;
    hwVec3 axis, point = cable->query->point;
    double at = GetArc(cable->item, e, point, &axis), radius = cable->item->radii[e];
    double distance = hwDistance(point, axis) - radius;
    if (distance > most) return most;
    if (cable->found &&
        (distance > cable->hit->distance || (distance == cable->hit->distance && e > cable->hit->element)))
        return most;
    hwVec3 away = hwSub(point, axis);
    cable->found = true;
    cable->hit->element = e;
    cable->hit->at = at;
    cable->hit->distance = distance;
    cable->hit->normal =
        hwLengthSquared(away) > 0.0
            ? hwNormalize(away)
            : hwPerpendicular(hwNormalize(hwSub(cable->item->positions[e + 1], cable->item->positions[e])));
    cable->hit->point = hwMulAdd(axis, radius, cable->hit->normal);
    return hwMax(distance, 0.0);
}

static double VisitNear(int index, double most, void* context) {
    Query* query = context;
    const hwQueryItem* item = &query->scene->items[index];
    if (!QuerySees(query, index)) return most;
    hwQueryHit hit = item->candidate;
    bool found;
    if (item->slot >= 0) {
        CableCast cable = {query, item, &hit, false};
        hwBoxTree_FindNear(&item->elements, query->point, most, NearElement, &cable);
        found = cable.found;
    } else {
        found = NearShape(query, item, most, &hit);
    }
    if (!found) return most;
    KeepBest(query, index, &hit);
    return hwMax(query->best.distance, 0.0);
}

static bool NearBottom(const Query* query, double most, hwQueryHit* hit) {
    const hwQueryScene* scene = query->scene;
    *hit = MakeBottomHit();
    hwVec3 p = query->point;
    if (scene->terrain == NULL) {
        hit->normal = hwMakeVec3(0.0, 0.0, 1.0);
        hit->point = hwMakeVec3(p.x, p.y, scene->bottom);
        hit->distance = p.z - scene->bottom;
        return hit->distance <= most;
    }
    double height;
    bool below = hwTerrain_GetHeight(scene->terrain, p.x, p.y, &height, NULL) && p.z < height;
    hwMeshHit near;
    // straight up it is as far as this
    if (!hwTerrain_FindNearest(scene->terrain, p, p, below ? hwMax(most, height - p.z) : most, &near))
        return false;
    hit->distance = below ? -near.distance : near.distance;
    hit->normal = near.normal.z < 0.0 ? hwNeg(near.normal) : near.normal;
    hit->point = near.onMesh;
    hit->triangle = near.triangle;
    return true;
}

hwStatus hwWorld_FindClosest(const hwWorld* world, hwVec3 point, double reach, const hwQueryFilter* filter,
                             hwQueryHit* hit, hwError* error) {
    memset(hit, 0, sizeof(*hit));
    Query query;
    hwStatus status = BeginQuery(world, filter, &query, error);
    if (status != HW_OK) return status;
    if (!hwIsFiniteVec3(point) || !(reach >= 0.0) || !isfinite(reach)) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "the nearest surface needs a finite point and a reach that is not negative");
    }
    query.point = point;
    query.reach = reach;
    hwBoxTree_FindNear(&query.scene->tree, point, reach, VisitNear, &query);
    double most = query.best.kind == HW_HIT_NONE ? reach : hwMax(query.best.distance, 0.0);
    hwQueryHit bottom;
    if (SeesBottom(&query) && NearBottom(&query, most, &bottom))
        KeepBest(&query, query.scene->count, &bottom);
    *hit = query.best;
    return HW_OK;
}

// Overlaps ---------------------------------------------------------------------------------------------------------------

static bool MeetConvex(const Query* query, const hwConvex* other, hwPose pose, hwQueryHit* hit) {
    hwClosest near = hwConvex_FindClosest(other, pose, &query->convex, query->pose, NULL);
    if (near.distance > 0.0) return false;
    hit->point = near.pointA;
    hit->normal = near.normal;
    return true;
}

static bool MeetTriangle(const Query* query, hwVec3 a, hwVec3 b, hwVec3 c, hwQueryHit* hit) {
    hwConvex triangle = hwMakeTriangle(a, b, c, 0.0);
    return MeetConvex(query, &triangle, hwPose_identity, hit);
}

// The first triangle of the tree that overlaps the shape.
static bool MeetMesh(const Query* query, const hwMeshTree* tree, hwPose pose, hwQueryHit* hit) {
    hwPose local = {hwInvTransformPoint(pose, query->pose.p), hwMulQuat(hwConjugate(pose.q), query->pose.q)};
    hwBox box = hwConvex_GetBounds(&query->convex, local);
    float low[3], high[3];
    hwTree_RoundBox(box.low, box.high, low, high);
    int stack[HW_TREE_STACK], top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const hwTreeNode* node = &tree->nodes[stack[--top]];
        if (!hwTreeNode_Overlaps(node, low, high)) continue;
        for (int k = 0; k < node->count; ++k) {
            const int* v = tree->triangles[node->index + k];
            if (!MeetTriangle(query, hwTransformPoint(pose, tree->vertices[v[0]]),
                              hwTransformPoint(pose, tree->vertices[v[1]]),
                              hwTransformPoint(pose, tree->vertices[v[2]]), hit))
                continue;
            hit->triangle = tree->ids[node->index + k];
            return true;
        }
        if (node->count > 0) continue;
        stack[top++] = node->index + 1;
        stack[top++] = node->index;
    }
    return false;
}

typedef struct CableMeeting {
    const Query* query;
    const hwQueryItem* item;
    hwQueryHit* hit;
} CableMeeting;

// The element nearest to end a counts.
static double VisitElement(int e, double most, void* context) {
    (void)most;
    CableMeeting* meeting = context;
    if (meeting->hit->element >= 0 && meeting->hit->element < e) return 0.0;
    hwConvex element = MakeElement(meeting->item, e);
    if (!MeetConvex(meeting->query, &element, hwPose_identity, meeting->hit)) return 0.0;
    meeting->hit->element = e;
    meeting->hit->at = GetArc(meeting->item, e, meeting->hit->point, NULL);
    return 0.0;
}

static double VisitOverlap(int index, double most, void* context) {
    (void)most;
    Query* query = context;
    const hwQueryItem* item = &query->scene->items[index];
    if (!QuerySees(query, index)) return 0.0;
    hwQueryHit hit = item->candidate;
    bool found;
    if (item->slot >= 0) {
        CableMeeting meeting = {query, item, &hit};
        hwBoxTree_FindInBox(&item->elements, query->box, VisitElement, &meeting);
        found = hit.element >= 0;
    } else if (item->mesh) {
        found = MeetMesh(query, &item->tree, item->pose, &hit) ||
                hwMesh_Contains(&item->tree, hwInvTransformPoint(item->pose, query->pose.p));
    } else {
        found = MeetConvex(query, &item->convex, item->pose, &hit);
    }
    if (found) KeepListed(query, &hit);
    return 0.0;
}

// The cell of a coordinate along an axis of the grid; -1 and count - 1 stand for all that is beyond.
static int FindCell(double x, double origin, double spacing, int count) {
    return (int)hwClamp(floor((x - origin) / spacing), -1.0, count - 1.0);
}

// A sample of the grid. Those beyond it are as high as the border, at least as far out as the shape reaches.
static hwVec3 GetCorner(const hwSeabedDef* s, const hwBox* box, int i, int j) {
    int column = i < 0 ? 0 : i >= s->columns ? s->columns - 1 : i;
    int row = j < 0 ? 0 : j >= s->rows ? s->rows - 1 : j;
    double x = s->origin.x + s->spacing * i, y = s->origin.y + s->spacing * j;
    if (i < 0) x = hwMin(x, box->low.x);
    if (i >= s->columns) x = hwMax(x, box->high.x);
    if (j < 0) y = hwMin(y, box->low.y);
    if (j >= s->rows) y = hwMax(y, box->high.y);
    return hwMakeVec3(x, y, s->origin.z + s->heights[row * s->columns + column]);
}

// Cells under the shape, split as hwCreateHeightfield does; beyond the grid the border's height goes on.
static bool MeetCells(const Query* query, hwQueryHit* hit) {
    const hwSeabedDef* s = &query->scene->seabed;
    const hwBox* box = &query->box;
    int i0 = FindCell(box->low.x, s->origin.x, s->spacing, s->columns);
    int i1 = FindCell(box->high.x, s->origin.x, s->spacing, s->columns);
    int j0 = FindCell(box->low.y, s->origin.y, s->spacing, s->rows);
    int j1 = FindCell(box->high.y, s->origin.y, s->spacing, s->rows);
    for (int j = j0; j <= j1; ++j) {
        for (int i = i0; i <= i1; ++i) {
            hwVec3 p[4] = {GetCorner(s, box, i, j), GetCorner(s, box, i + 1, j),
                           GetCorner(s, box, i + 1, j + 1), GetCorner(s, box, i, j + 1)};
            bool on = i >= 0 && j >= 0 && i + 1 < s->columns && j + 1 < s->rows;
            for (int half = 0; half < 2; ++half) {
                if (!MeetTriangle(query, p[0], p[1 + half], p[2 + half], hit)) continue;
                hit->triangle = on ? 2 * (j * (s->columns - 1) + i) + half : -1;
                return true;
            }
        }
    }
    return false;
}

static bool MeetBottom(const Query* query, hwQueryHit* hit) {
    const hwQueryScene* scene = query->scene;
    *hit = MakeBottomHit();
    if (scene->seabed.kind == HW_SEABED_PLANE) {
        if (query->box.low.z > scene->bottom) return false;
        hit->point = hwMakeVec3(query->pose.p.x, query->pose.p.y, scene->bottom);
        hit->normal = hwMakeVec3(0.0, 0.0, 1.0);
        return true;
    }
    bool found = scene->seabed.kind == HW_SEABED_MESH ? MeetMesh(query, &scene->ground, hwPose_identity, hit)
                                                      : MeetCells(query, hit);
    if (found) return true;
    // all of it may be under ground
    double height;
    hwVec3 p = query->pose.p;
    if (!hwTerrain_GetHeight(scene->terrain, p.x, p.y, &height, &hit->normal) || p.z > height) return false;
    hit->point = hwMakeVec3(p.x, p.y, height);
    return true;
}

int hwWorld_FindOverlaps(const hwWorld* world, const hwShapeDef* shape, hwPose pose,
                         const hwQueryFilter* filter, int capacity, hwQueryHit* hits, hwError* error) {
    Query query;
    if (BeginQuery(world, filter, &query, error) != HW_OK) return -1;
    if (shape == NULL || shape->kind == HW_SHAPE_HULL || shape->kind == HW_SHAPE_MESH) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL,
               "overlaps are found of boxes, spheres, cylinders and capsules, not of hulls and meshes");
        return -1;
    }
    if (hwShape_Check(shape, -1, error) != HW_OK) return -1;
    query.pose = hwMulPose(pose, shape->pose);
    double norm = query.pose.q.w * query.pose.q.w + query.pose.q.x * query.pose.q.x +
                  query.pose.q.y * query.pose.q.y + query.pose.q.z * query.pose.q.z;
    if (!hwIsFiniteVec3(query.pose.p) || !(fabs(norm - 1.0) < 1e-6)) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL,
               "the pose of an overlap is not finite or its quaternion is not of unit length");
        return -1;
    }
    query.pose.q = hwNormalizeQuat(query.pose.q);
    hwConvex_FromShape(shape, NULL, &query.convex);
    query.box = hwConvex_GetBounds(&query.convex, query.pose);
    query.capacity = capacity > 0 ? capacity : 0;
    query.hits = hits;
    hwBoxTree_FindInBox(&query.scene->tree, query.box, VisitOverlap, &query);
    hwQueryHit bottom;
    if (SeesBottom(&query) && MeetBottom(&query, &bottom)) KeepListed(&query, &bottom);
    return query.count;
}
