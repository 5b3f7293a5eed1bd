// From the description of a watch to axes and loops in the frames of links.
#include "parts/entanglement/entanglement.h"

#include "contact/law.h"
#include "world/contact_rules.h"

#include <stdio.h>
#include <string.h>

static bool IsWatched(const hwWatch* watch, const hwBodyObject* body) {
    const hwEntanglementDef* def = &watch->object->def;
    if (body->def.shapeCount == 0) return false;
    if (def->bodyCount == 0) return body->joint == NULL && body->def.motion == HW_MOTION_FIXED;
    for (int i = 0; i < def->bodyCount; ++i) {
        if (HW_SAME_ID(def->bodies[i], body->id)) return true;
    }
    return false;
}

static int FindLinkOf(const hwWorld* world, const hwModel* model, hwBodyId id) {
    const hwBodyObject* body = hwWorld_GetBody(world, id);
    return body != NULL ? hwModel_FindLink(model, body) : -1;
}

// Bodies stand where they were described.
static hwPose GetPose(const hwBodyObject* body) {
    hwPose pose = {body->def.position, hwNormalizeQuat(body->def.attitude)};
    return pose;
}

static hwStatus FindSkeleton(const hwWorld* world, const hwBodyObject* body, double gap, hwSkeleton* out,
                             hwError* error) {
    const hwEnvironmentDef* environment = hwWorld_GetEnvironment(world);
    hwSkeletonDef def = {.solidCount = body->def.shapeCount, .gap = gap};
    hwTetherSolid* solids = hwAllocate(&world->allocator, (size_t)def.solidCount * sizeof(hwTetherSolid));
    if (solids == NULL) return hwFail_Memory(error, body->def.name);
    hwPose pose = GetPose(body);
    for (int i = 0; i < def.solidCount; ++i) solids[i] = (hwTetherSolid){&body->def.shapes[i], pose};
    def.solids = solids;
    double bottom = hwWorld_GetSeabed(world, pose.p.x, pose.p.y, NULL);
    def.hasGround = isfinite(bottom);
    def.ground = def.hasGround ? bottom : 0.0;
    def.hasSurface = environment->water;
    def.surface = environment->surface;
    hwStatus status = hwSkeleton_Find(&def, &world->allocator, out, error);
    hwRelease(&world->allocator, solids);
    return status;
}

// Pieces -------------------------------------------------------------------------------------------------------------------

static hwStatus FailPiece(const char* name, const char* what, hwError* error) {
    return hwFail(error, HW_ERROR_MODEL, "entanglement", "entanglement: `%s` %s", name, what);
}

static hwStatus CheckName(const hwWatch* watch, int count, const char* name, hwError* error) {
    for (int i = 0; i < count; ++i) {
        if (strcmp(watch->pieces[i].name, name) == 0)
            return FailPiece(name, "is the name of two axes or loops", error);
    }
    return HW_OK;
}

static hwStatus AddAxis(hwWatch* watch, const hwWorld* world, const hwModel* model, const hwWatchAxisDef* def,
                        hwError* error) {
    hwWatchPiece* piece = &watch->pieces[watch->pieceCount];
    snprintf(piece->name, sizeof(piece->name), "%s", def->name);
    hwStatus status = CheckName(watch, watch->pieceCount, piece->name, error);
    if (status != HW_OK) return status;
    double length = hwDistance(def->from, def->to);
    if (!(length > 0.0)) return FailPiece(def->name, "needs two different points", error);
    piece->link = FindLinkOf(world, model, def->body);
    if (piece->link < 0 && !HW_IS_NULL(def->body))
        return FailPiece(def->name, "is on a body that is gone", error);
    piece->isAxis = true;
    piece->axis = (hwTetherAxis){.point = def->from,
                                 .direction = hwScale(1.0 / length, hwSub(def->to, def->from)),
                                 .from = def->ends ? 0.0 : -HUGE_VAL,
                                 .to = def->ends ? length : HUGE_VAL};
    watch->pieceCount += 1;
    return HW_OK;
}

static hwStatus AddLoop(hwWatch* watch, const hwWorld* world, const hwModel* model, const hwWatchLoopDef* def,
                        hwError* error) {
    hwWatchPiece* piece = &watch->pieces[watch->pieceCount];
    snprintf(piece->name, sizeof(piece->name), "%s", def->name);
    hwStatus status = CheckName(watch, watch->pieceCount, piece->name, error);
    if (status != HW_OK) return status;
    if (def->count < 3) return FailPiece(def->name, "needs at least three corners", error);
    piece->link = FindLinkOf(world, model, def->body);
    if (piece->link < 0 && !HW_IS_NULL(def->body))
        return FailPiece(def->name, "is on a body that is gone", error);
    piece->first = watch->pointCount;
    piece->count = def->count;
    memcpy(watch->points + watch->pointCount, def->points, (size_t)def->count * sizeof(hwVec3));
    watch->pointCount += def->count;
    watch->pieceCount += 1;
    return HW_OK;
}

static int CountKind(const hwSkeleton* skeleton, bool axes) {
    int count = 0;
    for (int i = 0; i < skeleton->pieceCount; ++i) count += skeleton->pieces[i].isAxis == axes;
    return count;
}

// Names: the body's own where it has one axis and no loop, else with a number; loops are counted by themselves.
static hwStatus AddFound(hwWatch* watch, const hwWatchBody* body, const hwSkeleton* skeleton,
                         hwError* error) {
    hwPose pose = GetPose(body->object);
    int axes = 0, loops = 0, allAxes = CountKind(skeleton, true);
    for (int i = 0; i < skeleton->pieceCount; ++i) {
        const hwSkeletonPiece* found = &skeleton->pieces[i];
        hwWatchPiece* piece = &watch->pieces[watch->pieceCount];
        if (found->isAxis && allAxes == 1) {
            snprintf(piece->name, sizeof(piece->name), "%.63s", body->object->def.name);
        } else if (found->isAxis) {
            snprintf(piece->name, sizeof(piece->name), "%.63s_%d", body->object->def.name, axes++);
        } else {
            snprintf(piece->name, sizeof(piece->name), "%.63s_loop_%d", body->object->def.name, loops++);
        }
        hwStatus status = CheckName(watch, watch->pieceCount, piece->name, error);
        if (status != HW_OK) return status;
        piece->link = body->link;
        piece->isAxis = found->isAxis;
        if (found->isAxis) {
            piece->axis = found->axis;
            piece->axis.point = hwInvTransformPoint(pose, found->axis.point);
            piece->axis.direction = hwInvRotate(pose.q, found->axis.direction);
        } else {
            piece->first = watch->pointCount;
            piece->count = found->count;
            for (int k = 0; k < found->count; ++k) {
                watch->points[watch->pointCount++] =
                    hwInvTransformPoint(pose, skeleton->points[found->first + k]);
            }
        }
        watch->pieceCount += 1;
    }
    return HW_OK;
}

// The whole -----------------------------------------------------------------------------------------------------------------

static int CountBodies(const hwWatch* watch, const hwModel* model, int* shapes) {
    int count = 0;
    *shapes = 0;
    for (int i = 0; i < model->forest.linkCount; ++i) {
        if (!IsWatched(watch, model->links[i].body)) continue;
        count += 1;
        *shapes += model->links[i].body->def.shapeCount;
    }
    return count;
}

static void FillBodies(hwWatch* watch, const hwModel* model) {
    int next = 0, shape = 0;
    for (int i = 0; i < model->forest.linkCount; ++i) {
        const hwBodyObject* body = model->links[i].body;
        if (!IsWatched(watch, body)) continue;
        watch->bodies[next++] = (hwWatchBody){i, shape, body};
        shape += body->def.shapeCount;
    }
}

// Friction of the cable's first section on each shape, as the materials are now.
static void FillFriction(const hwWatch* watch, const hwWorld* world) {
    const hwModel* model = &world->model;
    const hwMaterialDef* materials = world->work->rules->materials;
    const hwCableSectionDef* section = &model->cables->slots[watch->slot].object->def.sections[0];
    const hwMaterialDef* cable = &materials[hwModel_FindMaterial(model, section->material)];
    for (int i = 0; i < watch->bodyCount; ++i) {
        const hwBodyDef* def = &watch->bodies[i].object->def;
        for (int s = 0; s < def->shapeCount; ++s) {
            int own = hwModel_FindMaterial(model, def->shapes[s].material);
            hwContactLaw law =
                hwContactLaw_Make(&materials[own], section->diameter, cable, section->diameter);
            watch->friction[watch->bodies[i].firstShape + s] = law.staticFriction;
        }
    }
}

void hwWatches_FillFriction(hwWorld* world) {
    const hwEntanglementModel* own = world->model.entanglement;
    for (int i = 0; i < own->count; ++i) FillFriction(&own->watches[i], world);
}

static hwStatus LayWatch(hwWatch* watch, const hwWorld* world, int pieces, int points, hwError* error) {
    hwArena arena = {0};
    for (int pass = 0; pass < 2; ++pass) {
        watch->pieces = HW_TAKE(&arena, hwWatchPiece, pieces);
        watch->points = HW_TAKE(&arena, hwVec3, points);
        watch->bodies = HW_TAKE(&arena, hwWatchBody, watch->bodyCount);
        watch->friction = HW_TAKE(&arena, double, watch->shapeCount);
        if (pass == 1) break;
        watch->block = arena.base = hwAllocate(&world->allocator, arena.used + 1);
        if (arena.base == NULL) return hwFail_Memory(error, NULL);
        arena.used = 0;
    }
    return HW_OK;
}

static hwStatus BuildSpace(hwWatch* watch, const hwWorld* world, hwError* error) {
    hwTetherSolid* solids =
        hwAllocate(&world->allocator, (size_t)(watch->shapeCount + 1) * sizeof(hwTetherSolid));
    if (solids == NULL) return hwFail_Memory(error, NULL);
    for (int i = 0; i < watch->bodyCount; ++i) {
        const hwWatchBody* body = &watch->bodies[i];
        for (int s = 0; s < body->object->def.shapeCount; ++s)
            solids[body->firstShape + s] =
                (hwTetherSolid){&body->object->def.shapes[s], GetPose(body->object)};
    }
    hwError own;
    watch->space =
        hwCreateTetherSpace(watch->shapeCount, solids, &world->allocator, error != NULL ? error : &own);
    hwRelease(&world->allocator, solids);
    if (watch->space != NULL) return HW_OK;
    return error != NULL ? error->status : own.status;
}

static hwStatus FillWatch(hwWatch* watch, const hwWorld* world, const hwModel* model, hwError* error) {
    const hwEntanglementDef* def = &watch->object->def;
    int pieces = def->axisCount + def->loopCount, points = 0, next = 0;
    hwStatus status = HW_OK;
    for (int i = 0; i < def->loopCount; ++i) points += def->loops[i].count;
    double gap = model->cables->slots[watch->slot].object->def.sections[0].diameter;
    for (int i = 0; i < model->forest.linkCount && status == HW_OK && def->find; ++i) {
        const hwBodyObject* body = model->links[i].body;
        if (!IsWatched(watch, body)) continue;
        hwSkeleton* skeleton = &watch->skeletons[next++];
        status = FindSkeleton(world, body, gap, skeleton, error);
        if (status != HW_OK && error != NULL)
            snprintf(error->object, sizeof(error->object), "%s", body->def.name);
        pieces += skeleton->pieceCount;
        points += skeleton->pointCount;
    }
    if (status == HW_OK) status = LayWatch(watch, world, pieces, points, error);
    if (status != HW_OK) return status;
    FillBodies(watch, model);
    status = BuildSpace(watch, world, error);
    for (int i = 0; i < def->axisCount && status == HW_OK; ++i)
        status = AddAxis(watch, world, model, &def->axes[i], error);
    for (int i = 0; i < watch->bodyCount && status == HW_OK && def->find; ++i)
        status = AddFound(watch, &watch->bodies[i], &watch->skeletons[i], error);
    for (int i = 0; i < def->loopCount && status == HW_OK; ++i)
        status = AddLoop(watch, world, model, &def->loops[i], error);
    return status;
}

static hwStatus BuildWatch(hwWatch* watch, const hwWorld* world, const hwModel* model, hwError* error) {
    const hwCableObject* cable = hwWorld_GetCable(world, watch->object->def.cable);
    watch->slot = -1;
    for (int k = 0; k < model->cables->count && cable != NULL; ++k) {
        if (model->cables->slots[k].object == cable) watch->slot = k;
    }
    if (watch->slot < 0)
        return hwFail(error, HW_ERROR_MODEL, "entanglement",
                      "entanglement: the cable that is watched was removed");
    watch->bodyCount = CountBodies(watch, model, &watch->shapeCount);
    watch->skeletons = hwAllocate(&world->allocator, (size_t)(watch->bodyCount + 1) * sizeof(hwSkeleton));
    if (watch->skeletons == NULL) return hwFail_Memory(error, NULL);
    hwStatus status = FillWatch(watch, world, model, error);
    for (int i = 0; i < watch->bodyCount; ++i) hwSkeleton_Free(&watch->skeletons[i], &world->allocator);
    hwRelease(&world->allocator, watch->skeletons);
    watch->skeletons = NULL;
    return status;
}

hwStatus hwWatches_Build(const hwWorld* world, hwModel* model, hwError* error) {
    int count = 0;
    for (int i = 0; i < world->watches.slots; ++i) count += world->watches.items[i] != NULL;
    if (count == 0) return HW_OK;
    hwEntanglementModel* own = model->entanglement;
    own->watches = hwAllocate(&world->allocator, (size_t)count * sizeof(hwWatch));
    own->stores = hwAllocate(&world->allocator, (size_t)count * sizeof(hwWatchStore));
    if (own->watches == NULL || own->stores == NULL) return hwFail_Memory(error, NULL);
    hwStatus status = HW_OK;
    for (int i = 0; i < world->watches.slots && status == HW_OK; ++i) {
        if (world->watches.items[i] == NULL) continue;
        hwWatch* watch = &own->watches[own->count++];
        watch->object = world->watches.items[i];
        status = BuildWatch(watch, world, model, error);
    }
    return status;
}

void hwWatches_Free(const hwAllocator* allocator, hwModel* model) {
    hwEntanglementModel* own = model->entanglement;
    for (int i = 0; i < own->count; ++i) {
        hwDestroyTetherSpace(own->watches[i].space);
        hwRelease(allocator, own->watches[i].block);
    }
    hwRelease(allocator, own->watches);
    hwRelease(allocator, own->stores);
    *own = (hwEntanglementModel){0};
}
