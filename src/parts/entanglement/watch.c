// Watches as objects of a world, and the part.
#include "parts/entanglement/entanglement.h"

#include <math.h>
#include <string.h>

#define HW_WATCH_COOKIE 0x48570045

hwEntanglementDef hwDefaultEntanglementDef(void) {
    hwEntanglementDef def = {.reference = HW_REFERENCE_SURFACE, .find = true, .cookie = HW_WATCH_COOKIE};
    return def;
}

static hwStatus CheckPoints(int count, const hwVec3* points, const char* what, hwError* error) {
    hwStatus status = hwCheckArray(count, points, NULL, what, error);
    if (status != HW_OK) return status;
    for (int i = 0; i < count; ++i) {
        if (!hwIsFiniteVec3(points[i]))
            return hwFail(error, HW_ERROR_ARGUMENT, NULL, "entanglement: point %d of %s is not finite", i,
                          what);
    }
    return HW_OK;
}

static hwStatus CheckBody(const hwWorld* world, hwBodyId body, const char* what, hwError* error) {
    if (HW_IS_NULL(body) || hwWorld_GetBody(world, body) != NULL) return HW_OK;
    return hwFail(error, HW_ERROR_ARGUMENT, NULL, "entanglement: `%s` is on a body that is not in this world",
                  what);
}

// Channels are made of names.
static hwStatus CheckPieceName(const char* name, hwError* error) {
    size_t length = name != NULL ? strlen(name) : 0;
    bool good = length > 0 && length < 60;
    for (size_t i = 0; i < length; ++i) {
        char c = name[i];
        good = good && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                        c == '_' || c == '-');
    }
    if (good) return HW_OK;
    return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                  "entanglement: axes and loops need names of letters, digits, _ and -, at most 59 of them");
}

static hwStatus CheckDef(const hwWorld* world, const hwEntanglementDef* def, hwError* error) {
    if (def == NULL || def->cookie != HW_WATCH_COOKIE) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "the entanglement def was not made by hwDefaultEntanglementDef");
    }
    if (hwWorld_GetCable(world, def->cable) == NULL)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "entanglement: the cable is not in this world");
    for (int i = 0; i < world->watches.slots; ++i) {
        const hwWatchObject* other = world->watches.items[i];
        if (other != NULL && HW_SAME_ID(other->def.cable, def->cable))
            return hwFail(error, HW_ERROR_ARGUMENT, NULL, "entanglement: the cable is watched already");
    }
    if (!(def->bendRadius >= 0.0) || !isfinite(def->bendRadius))
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "bendRadius",
                           "entanglement: the bend radius must not be negative, it is %g", def->bendRadius);
    hwStatus status = CheckPoints(def->pathCount, def->path, "path", error);
    if (status == HW_OK) status = hwCheckArray(def->axisCount, def->axes, NULL, "axes", error);
    if (status == HW_OK) status = hwCheckArray(def->loopCount, def->loops, NULL, "loops", error);
    if (status == HW_OK) status = hwCheckArray(def->bodyCount, def->bodies, NULL, "bodies", error);
    for (int i = 0; i < def->axisCount && status == HW_OK; ++i) {
        const hwWatchAxisDef* axis = &def->axes[i];
        hwVec3 points[2] = {axis->from, axis->to};
        status = CheckPieceName(axis->name, error);
        if (status == HW_OK) status = CheckPoints(2, points, axis->name, error);
        if (status == HW_OK) status = CheckBody(world, axis->body, axis->name, error);
    }
    for (int i = 0; i < def->loopCount && status == HW_OK; ++i) {
        const hwWatchLoopDef* loop = &def->loops[i];
        status = CheckPieceName(loop->name, error);
        if (status == HW_OK) status = CheckPoints(loop->count, loop->points, loop->name, error);
        if (status == HW_OK) status = CheckBody(world, loop->body, loop->name, error);
    }
    for (int i = 0; i < def->bodyCount && status == HW_OK; ++i) {
        if (hwWorld_GetBody(world, def->bodies[i]) == NULL)
            status = hwFail(error, HW_ERROR_ARGUMENT, NULL, "entanglement: body %d is not in this world", i);
    }
    return status;
}

static const char* CopyText(hwArena* arena, const char* text) {
    return hwArena_Copy(arena, text, strlen(text) + 1, 1);
}

static hwWatchObject* CopyDef(hwArena* arena, const hwEntanglementDef* def) {
    hwWatchObject* object = HW_TAKE(arena, hwWatchObject, 1);
    hwVec3* path = hwArena_Copy(arena, def->path, (size_t)def->pathCount, sizeof(hwVec3));
    hwWatchAxisDef* axes = hwArena_Copy(arena, def->axes, (size_t)def->axisCount, sizeof(hwWatchAxisDef));
    hwWatchLoopDef* loops = hwArena_Copy(arena, def->loops, (size_t)def->loopCount, sizeof(hwWatchLoopDef));
    hwBodyId* bodies = hwArena_Copy(arena, def->bodies, (size_t)def->bodyCount, sizeof(hwBodyId));
    for (int i = 0; i < def->axisCount; ++i) {
        const char* name = CopyText(arena, def->axes[i].name);
        if (object != NULL) axes[i].name = name;
    }
    for (int i = 0; i < def->loopCount; ++i) {
        const char* name = CopyText(arena, def->loops[i].name);
        const hwVec3* points =
            hwArena_Copy(arena, def->loops[i].points, (size_t)def->loops[i].count, sizeof(hwVec3));
        if (object == NULL) continue;
        loops[i].name = name;
        loops[i].points = points;
    }
    if (object == NULL) return NULL;
    object->def = *def;
    object->def.path = path;
    object->def.axes = axes;
    object->def.loops = loops;
    object->def.bodies = bodies;
    return object;
}

hwStatus hwWorld_WatchEntanglement(hwWorld* world, const hwEntanglementDef* def, hwError* error) {
    hwClearError(error);
    hwStatus status = CheckDef(world, def, error);
    if (status != HW_OK) return status;
    hwArena arena = {0};
    CopyDef(&arena, def);
    arena.base = hwAllocate(&world->allocator, arena.used);
    if (arena.base == NULL) return hwFail_Memory(error, NULL);
    arena.used = 0;
    hwWatchObject* object = CopyDef(&arena, def);
    if (hwPool_Add(&world->watches, &world->allocator, object) == 0) {
        hwRelease(&world->allocator, object);
        return hwFail_Memory(error, NULL);
    }
    hwWorld_Unprepare(world);
    return HW_OK;
}

static hwStatus CopyWatches(hwWorld* branch, const hwWorld* world, hwError* error) {
    hwStatus status = HW_OK;
    for (int i = 0; i < world->watches.slots && status == HW_OK; ++i) {
        const hwWatchObject* object = world->watches.items[i];
        if (object != NULL) status = hwWorld_WatchEntanglement(branch, &object->def, error);
    }
    return status;
}

// A watch goes with its cable.
static void DropWatch(hwWorld* world, hwCableId cable) {
    for (int i = 0; i < world->watches.slots; ++i) {
        const hwWatchObject* object = world->watches.items[i];
        if (object != NULL && HW_SAME_ID(object->def.cable, cable))
            hwRelease(&world->allocator, hwPool_Remove(&world->watches, (uint32_t)i + 1));
    }
}

// Calls ---------------------------------------------------------------------------------------------------------------------

int hwWorld_FindWatch(const hwWorld* world, hwCableId cable) {
    for (int i = 0; world->prepared && i < world->model.entanglement->count; ++i) {
        const hwWatch* watch = &world->model.entanglement->watches[i];
        if (HW_SAME_ID(watch->object->def.cable, cable) && hwWorld_HasCable(world, watch->slot)) return i;
    }
    return -1;
}

hwStatus hwCable_GetEntanglement(const hwWorld* world, hwCableId cable, hwEntanglement* out, hwError* error) {
    hwClearError(error);
    int watch = hwWorld_FindWatch(world, cable);
    if (watch < 0) {
        *out = (hwEntanglement){.first = -1};
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "the cable is not watched: call hwWorld_WatchEntanglement before Prepare");
    }
    hwWorld_Refresh(world);
    hwWatch_Summarize(world, watch, out);
    return HW_OK;
}

hwWatchFeature hwCable_GetWatchFeature(const hwWorld* world, hwCableId cable, int index) {
    int number = hwWorld_FindWatch(world, cable);
    hwWatchFeature feature = {0};
    if (number < 0 || index < 0 || index >= world->model.entanglement->watches[number].pieceCount)
        return feature;
    hwWorld_Refresh(world);
    const hwWatchPiece* piece = &world->model.entanglement->watches[number].pieces[index];
    const hwWatchTools* tools = hwWatch_Measure(world, number);
    const hwPieceStore* store = &world->state.entanglement->watches[number].pieces[index];
    feature = (hwWatchFeature){.name = piece->name,
                               .isAxis = piece->isAxis,
                               .number = tools->counts[index].count,
                               .certain = tools->counts[index].certain,
                               .turns = hwWatch_GetTurns(world, number, index),
                               .since = store->number != 0 ? store->since : (double)NAN,
                               .side = store->side};
    if (piece->link >= 0) feature.body = world->model.links[piece->link].body->id;
    return feature;
}

int hwCable_GetWatchPoints(const hwWorld* world, hwCableId cable, int index, int capacity, hwVec3* points) {
    int number = hwWorld_FindWatch(world, cable);
    if (number < 0 || index < 0 || index >= world->model.entanglement->watches[number].pieceCount) return 0;
    hwWorld_Refresh(world);
    const hwTetherFeature* feature = &hwWatch_Measure(world, number)->features[index];
    hwVec3 ends[2] = {feature->axis.point, hwAdd(feature->axis.point, feature->axis.direction)};
    hwPolyline line = feature->isAxis ? (hwPolyline){2, ends} : feature->loop;
    for (int i = 0; i < line.count && i < capacity; ++i) points[i] = line.points[i];
    return line.count;
}

hwWatchContact hwCable_GetWatchContact(const hwWorld* world, hwCableId cable, int index) {
    int number = hwWorld_FindWatch(world, cable);
    hwWatchContact contact = {0};
    if (number < 0 || index < 0 || index >= world->model.entanglement->watches[number].bodyCount)
        return contact;
    double exponent;
    contact.body = world->model.entanglement->watches[number].bodies[index].object->id;
    contact.wrap = hwWatch_GetWrap(world, number, index, &exponent);
    contact.capstan = hwExp(exponent);
    return contact;
}

// The part ------------------------------------------------------------------------------------------------------------------

static bool HasWatches(const hwModel* model) {
    return model->entanglement->count > 0;
}

static void LayState(const hwModel* model, hwArena* arena, hwState* state) {
    int count = model->entanglement->count;
    hwWatchStore* stores =
        model->entanglement->stores; // pointers stay outside the block, which is copied and hashed
    state->entanglement->watches = stores;
    for (int i = 0; i < count; ++i) {
        double* looked = HW_TAKE(arena, double, 1);
        hwPieceStore* pieces = HW_TAKE(arena, hwPieceStore, model->entanglement->watches[i].pieceCount);
        hwShapeStore* shapes = HW_TAKE(arena, hwShapeStore, model->entanglement->watches[i].shapeCount);
        stores[i] = (hwWatchStore){looked, pieces, shapes};
    }
}

static void LayWork(const hwModel* model, hwArena* arena, hwWork* work) {
    int count = model->entanglement->count;
    hwWatchTools* tools = HW_TAKE(arena, hwWatchTools, count);
    work->entanglement->watches = tools;
    for (int i = 0; i < count; ++i) {
        const hwWatch* watch = &model->entanglement->watches[i];
        hwTurnCount* counts = HW_TAKE(arena, hwTurnCount, watch->pieceCount);
        hwTetherFeature* features = HW_TAKE(arena, hwTetherFeature, watch->pieceCount);
        hwVec3* points = HW_TAKE(arena, hwVec3, watch->pointCount);
        hwTetherLetter* letters = HW_TAKE(arena, hwTetherLetter, HW_WATCH_LETTERS);
        hwVec3* path = HW_TAKE(arena, hwVec3, model->cables->slots[watch->slot].wraps ? HW_CABLE_PATH : 0);
        if (tools == NULL) continue;
        tools[i] = (hwWatchTools){
            .counts = counts, .features = features, .points = points, .path = path, .letters = letters};
    }
}

// The watch of the same cable with the same pieces in the model before, -1: none.
static int FindBefore(const hwWorld* before, const hwWatch* watch) {
    for (int i = 0; before->model.block != NULL && i < before->model.entanglement->count; ++i) {
        const hwWatch* old = &before->model.entanglement->watches[i];
        if (old->object != watch->object || old->pieceCount != watch->pieceCount ||
            old->shapeCount != watch->shapeCount) {
            continue;
        }
        bool same = true;
        for (int k = 0; k < old->pieceCount; ++k)
            same = same && strcmp(old->pieces[k].name, watch->pieces[k].name) == 0;
        if (same) return i;
    }
    return -1;
}

// Of a new watch nothing is known of what was before: a cable that starts wound was wound then.
static void CarryWatches(const hwWorld* before, hwModel* model, hwState* state) {
    for (int i = 0; i < model->entanglement->count; ++i) {
        const hwWatch* watch = &model->entanglement->watches[i];
        hwWatchStore* store = &state->entanglement->watches[i];
        int old = FindBefore(before, watch);
        if (old >= 0) {
            const hwWatchStore* from = &before->state.entanglement->watches[old];
            *store->looked = *from->looked;
            memcpy(store->pieces, from->pieces, (size_t)watch->pieceCount * sizeof(hwPieceStore));
            memcpy(store->shapes, from->shapes, (size_t)watch->shapeCount * sizeof(hwShapeStore));
            continue;
        }
        *store->looked = -HUGE_VAL;
        for (int k = 0; k < watch->pieceCount; ++k) store->pieces[k].since = (double)NAN;
        for (int k = 0; k < watch->shapeCount; ++k) store->shapes[k] = (hwShapeStore){1.0, 0.0, 0.0, 0.0};
    }
}

static void ForgetWatches(hwWorld* world) {
    for (int i = 0; i < world->model.entanglement->count; ++i)
        world->work->entanglement->watches[i].known = false;
}

static const hwCableHooks hooks = {.drop = DropWatch};

const hwPart hwEntanglementPart = {.name = "entanglement",
                                   .rests = true,
                                   .model = HW_SLICE(hwModel, entanglement),
                                   .state = HW_SLICE(hwState, entanglement),
                                   .work = HW_SLICE(hwWork, entanglement),
                                   .cables = &hooks,
                                   .copy = CopyWatches,
                                   .buildModel = hwWatches_Build,
                                   .freeModel = hwWatches_Free,
                                   .isPresent = HasWatches,
                                   .layState = LayState,
                                   .layWork = LayWork,
                                   .carry = CarryWatches,
                                   .refresh = ForgetWatches,
                                   .materialsChanged = hwWatches_FillFriction,
                                   .stateChanged = ForgetWatches,
                                   .addChannels = hwWatches_AddChannels,
                                   .finish = hwWatches_Finish};
