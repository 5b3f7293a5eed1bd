// Reading contacts of bodies: the list, and sums over a body's.
#include "parts/contact/contact.h"

#include "geom/triangle.h"

#include <math.h>
#include <string.h>

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

// Slots in use, then those of bodies that are asleep.
static int CountAll(const hwWorld* world) {
    return hwContact_CountUsed(world) + hwContact_CountResting(world);
}

static int GetSlot(const hwWorld* world, int k) {
    int used = hwContact_CountUsed(world);
    return k < used ? world->state.contact->used[k] : world->state.contact->resting[k - used];
}

int hwContact_View(const hwWorld* world, hwContactView* views) {
    const hwContactModel* contact = world->model.contact;
    int count = 0;
    for (int k = 0; k < CountAll(world); ++k) {
        int i = GetSlot(world, k);
        const hwContactSlot* slot = &world->state.contact->slots[i];
        const hwContactResult* result = &world->work->contact->touches[i];
        if (!result->touches) continue;
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
    return count;
}

void hwContact_Sum(const hwWorld* world, int link, hwContactSum* sum) {
    const hwContactModel* contact = world->model.contact;
    for (int k = 0; k < CountAll(world); ++k) {
        int i = GetSlot(world, k);
        const hwContactSlot* slot = &world->state.contact->slots[i];
        const hwContactResult* r = &world->work->contact->touches[i];
        if (!r->touches) continue;
        bool first = contact->parts[slot->a].link == link;
        if (!first && (slot->b < 0 || contact->parts[slot->b].link != link)) continue;
        hwContactSum_Add(sum, first ? r->force : hwNeg(r->force), r->point, r->elastic, r->damping, r->volume,
                         r->depth);
    }
}
