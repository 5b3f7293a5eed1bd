// Reading contacts: the list, the channels of a body, and switches.
#include "geom/triangle.h"
#include "world/world_internal.h"

#include <math.h>
#include <string.h>

int hwMesh_FindTriangle(const hwMeshTree* tree, hwVec3 point) {
    hwMeshHit hit;
    return hwMesh_FindNearest(tree, point, point, HUGE_VAL, &hit) ? hit.triangle : -1;
}

int hwWorld_FindGroundTriangle(const hwWorld* world, hwVec3 point, double reach) {
    const hwTerrain* terrain = hwEnvironment_GetTerrain(world->environment);
    hwMeshHit hit;
    bool found = terrain != NULL && hwTerrain_FindNearest(terrain, point, point, reach, &hit);
    return found ? hit.triangle : -1;
}

// The same without a tree, of hulls, which are small.
static int FindHullTriangle(const hwMeshData* mesh, hwVec3 point) {
    int best = -1;
    double nearest = HUGE_VAL;
    for (int i = 0; i < mesh->triangleCount; ++i) {
        const int* v = mesh->triangles[i];
        double d = hwSegmentTriangle_GetNearest(point, point, mesh->vertices[v[0]], mesh->vertices[v[1]],
                                                mesh->vertices[v[2]])
                       .distance2;
        if (d >= nearest) continue;
        nearest = d;
        best = i;
    }
    return best;
}

// The triangle of a shape nearest to a point; -1: it has none, or convex parts touch in its place.
static int FindPartTriangle(const hwWorld* world, const hwContactPart* part, hwVec3 point) {
    const hwShapeDef* shape = &world->model.links[part->link].body->def.shapes[part->shape];
    if ((shape->kind != HW_SHAPE_MESH && shape->kind != HW_SHAPE_HULL) || part->piece >= 0) return -1;
    hwBodyState motion;
    hwBody_ReadMotion(world, part->link, &motion);
    hwPose pose = hwMulPose((hwPose){motion.position, motion.attitude}, part->place);
    hwVec3 local = hwInvTransformPoint(pose, point);
    return part->mesh != NULL ? hwMesh_FindTriangle(part->mesh, local)
                              : FindHullTriangle(&shape->mesh, local);
}

int hwWorld_GetContacts(const hwWorld* world, const hwContactView** contacts) {
    *contacts = NULL;
    if (!world->prepared) return 0;
    hwWorld_Refresh(world);
    const hwContactModel* contact = world->model.contact;
    hwContactView* views = world->work.contact->views;
    int count = 0;
    for (int i = 0; i < contact->slotCount; ++i) {
        const hwContactSlot* slot = &world->state.contact->slots[i];
        const hwContactResult* result = &world->work.contact->touches[i];
        if (slot->a == HW_FREE_SLOT || !result->touches) continue;
        const hwContactPart *partA = &contact->parts[slot->a],
                            *partB = slot->b >= 0 ? &contact->parts[slot->b] : NULL;
        const hwBodyObject *bodyA = world->model.links[partA->link].body,
                           *bodyB = partB != NULL ? world->model.links[partB->link].body : NULL;
        views[count++] =
            (hwContactView){.a = bodyA->def.name,
                            .b = bodyB != NULL ? bodyB->def.name : "seabed",
                            .bodyA = bodyA->id,
                            .bodyB = bodyB != NULL ? bodyB->id : (hwBodyId){0, 0},
                            .shapeA = partA->shape,
                            .shapeB = partB != NULL ? partB->shape : -1,
                            .triangleA = FindPartTriangle(world, partA, result->point),
                            .triangleB = partB != NULL ? FindPartTriangle(world, partB, result->point)
                                                       : hwWorld_FindGroundTriangle(world, result->point,
                                                                                    2.0 * result->depth),
                            .elementA = -1,
                            .elementB = -1,
                            .point = result->point,
                            .normal = result->normal,
                            .force = hwNeg(result->force),
                            .elastic = result->elastic,
                            .damping = result->damping,
                            .volume = result->volume,
                            .depth = result->depth,
                            .sliding = result->slides};
    }
    if (world->model.cableContact->obstacles != NULL)
        count += hwWorld_ViewCableContacts(world, views + count);
    if (world->model.cablePairs->on) count += hwWorld_ViewPairs(world, views + count);
    count += hwWorld_ViewCablesOnBottom(world, views + count);
    count += hwWorld_ViewFeet(world, views + count);
    *contacts = views;
    return count;
}

// Sums over a body's contacts: the force on it, its mean place by volume, volumes, the largest depth.
typedef struct Sum {
    hwVec3 force, point;
    double elastic, damping, volume, depth, count;
} Sum;

static void AddUp(Sum* sum, hwVec3 force, hwVec3 point, double elastic, double damping, double volume,
                  double depth) {
    sum->force = hwAdd(sum->force, force);
    sum->point = hwMulAdd(sum->point, volume, point);
    sum->elastic += elastic;
    sum->damping += damping;
    sum->volume += volume;
    sum->depth = fmax(sum->depth, depth);
    sum->count += 1.0;
}

static double GetComponent(Sum sum, int component) {
    if (sum.volume > 0.0) sum.point = hwScale(1.0 / sum.volume, sum.point);
    const double values[HW_CONTACT_CHANNELS] = {sum.force.x, sum.force.y, sum.force.z, sum.point.x,
                                                sum.point.y, sum.point.z, sum.elastic, sum.damping,
                                                sum.volume,  sum.depth,   sum.count};
    return values[component];
}

// Whether what a view names is the thing called `name`, a link of it, or was cut off it.
static bool IsCalled(const hwWorld* world, const char* thing, const char* name) {
    size_t length = strlen(name);
    if (strncmp(thing, name, length) == 0 && (thing[length] == '\0' || thing[length] == '.')) return true;
    for (int k = 0; k < world->model.cables->count; ++k) {
        const hwCableSlot* slot = &world->model.cables->slots[k];
        if (slot->whole >= 0 && strcmp(slot->name, thing) == 0)
            return strcmp(world->model.cables->slots[slot->whole].name, name) == 0;
    }
    return false;
}

double hwWorld_ReadPairChannel(const hwWorld* world, int watch, int component) {
    const hwIgnoreObject* pair = world->watched.items[watch];
    const hwContactView* views;
    int count = hwWorld_GetContacts(world, &views);
    Sum sum = {0};
    for (int i = 0; i < count; ++i) {
        const hwContactView* v = &views[i];
        bool first = IsCalled(world, v->a, pair->a) && IsCalled(world, v->b, pair->b);
        if (!first && !(IsCalled(world, v->a, pair->b) && IsCalled(world, v->b, pair->a))) continue;
        AddUp(&sum, first ? hwNeg(v->force) : v->force, v->point, v->elastic, v->damping, v->volume,
              v->depth);
    }
    return GetComponent(sum, component);
}

double hwWorld_ReadContactChannel(const hwWorld* world, int link, int component) {
    const hwContactModel* contact = world->model.contact;
    Sum sum = {0};
    for (int i = 0; i < contact->slotCount; ++i) {
        const hwContactSlot* slot = &world->state.contact->slots[i];
        const hwContactResult* r = &world->work.contact->touches[i];
        if (slot->a == HW_FREE_SLOT || !r->touches) continue;
        bool first = contact->parts[slot->a].link == link;
        if (!first && (slot->b < 0 || contact->parts[slot->b].link != link)) continue;
        AddUp(&sum, first ? r->force : hwNeg(r->force), r->point, r->elastic, r->damping, r->volume,
              r->depth);
    }
    const hwCableContacts* cables = world->work.cableContact;
    for (int i = 0; world->model.cableContact->obstacles != NULL && i < cables->count; ++i) {
        const hwCablePatch* p = &cables->patches[i];
        if (!p->touches || world->model.cableContact->obstacles->items[p->obstacle].link != link) continue;
        AddUp(&sum, hwNeg(p->force), p->overlap.point, p->elastic, p->damping, p->overlap.volume,
              p->overlap.depth);
    }
    return GetComponent(sum, component);
}
