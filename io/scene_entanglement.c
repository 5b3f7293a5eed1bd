// Watches of cables: checks, and adding them to a world.
#include "hawser/hawser.h"
#include "scene_cables.h"
#include "scene_place.h"
#include "scene_read.h"

#include <stdlib.h>
#include <string.h>

bool hwCheckWatchLoop(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneWatchLoop* loop = item;
    if (loop->points.count >= 3) return true;
    return hwReader_Fail(reader, node, "a loop needs at least three points");
}

static hwBodyId FindCarrier(const hwWorld* world, const hwRef* on) {
    hwBodyId none = {0, 0};
    return on->text != NULL && strcmp(on->text, "earth") != 0 ? hwWorld_FindBody(world, on->text) : none;
}

static bool AddWatch(const hwSceneWatch* watch, hwWorld* world, hwError* error) {
    size_t count = (size_t)(watch->axes.count + watch->loops.count + watch->bodies.count) + 1;
    hwWatchAxisDef* axes = calloc(count, sizeof(*axes));
    hwWatchLoopDef* loops = calloc(count, sizeof(*loops));
    hwBodyId* bodies = calloc(count, sizeof(*bodies));
    hwEntanglementDef def = hwDefaultEntanglementDef();
    bool good = axes != NULL && loops != NULL && bodies != NULL;
    if (!good) hwSceneFail_Memory(error);
    for (int i = 0; good && i < watch->axes.count; i++) {
        const hwSceneWatchAxis* axis = HW_ITEM(watch->axes, hwSceneWatchAxis, i);
        axes[i] =
            (hwWatchAxisDef){axis->name, FindCarrier(world, &axis->on), axis->from, axis->to, axis->ends};
    }
    for (int i = 0; good && i < watch->loops.count; i++) {
        const hwSceneWatchLoop* loop = HW_ITEM(watch->loops, hwSceneWatchLoop, i);
        loops[i] = (hwWatchLoopDef){loop->name, FindCarrier(world, &loop->on), loop->points.count,
                                    loop->points.values};
    }
    for (int i = 0; good && i < watch->bodies.count; i++)
        bodies[i] = hwWorld_FindBody(world, watch->bodies.entries[i].text);
    if (good) {
        def.cable = hwWorld_FindCable(world, watch->cable.text);
        def.reference = (hwReferenceKind)watch->reference;
        def.pathCount = watch->path.count;
        def.path = watch->path.values;
        def.axisCount = watch->axes.count;
        def.axes = axes;
        def.loopCount = watch->loops.count;
        def.loops = loops;
        def.bodyCount = watch->bodies.count;
        def.bodies = bodies;
        def.find = watch->find;
        def.bendRadius = watch->bendRadius;
        good = hwWorld_WatchEntanglement(world, &def, error) == HW_OK;
        if (!good && error != NULL) hwPlaceField(&watch->place, hwPlainKeys, error);
    }
    free(axes);
    free(loops);
    free(bodies);
    return good;
}

bool hwScene_AddWatches(const hwScene* scene, hwWorld* world, hwError* error) {
    const hwSceneModel* model = &scene->model;
    for (int i = 0; i < model->watches.count; i++) {
        if (!AddWatch(HW_ITEM(model->watches, hwSceneWatch, i), world, error)) return false;
    }
    return true;
}
