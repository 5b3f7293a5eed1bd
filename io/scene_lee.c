// Obstacles behind which the current is weaker: the shapes of bodies that do not move, as rods, boxes and balls.
#include "scene_read.h"

#include <string.h>

#define SHADOW_WIDTHS 8.0 // times its width: how long a shadow is unless the scene says

// A box by its centre and edges, as a rod along its longest edge.
static void MakeBoxLee(hwVec3 center, const hwVec3 edges[3], hwLeeDef* lee) {
    int longest = 0;
    for (int i = 1; i < 3; i++) {
        if (hwLengthSquared(edges[i]) > hwLengthSquared(edges[longest])) longest = i;
    }
    lee->from = hwMulAdd(center, -0.5, edges[longest]);
    lee->to = hwMulAdd(center, 0.5, edges[longest]);
    lee->edges[0] = edges[(longest + 1) % 3];
    lee->edges[1] = edges[(longest + 2) % 3];
}

// The box about the corners of a mesh, in the frame of its shape.
static void MakeMeshLee(const hwMeshData* mesh, hwPose pose, hwLeeDef* lee) {
    hwVec3 low = mesh->vertices[0], high = low;
    for (int i = 1; i < mesh->vertexCount; i++) {
        hwVec3 v = mesh->vertices[i];
        low = hwMakeVec3(hwFmin(low.x, v.x), hwFmin(low.y, v.y), hwFmin(low.z, v.z));
        high = hwMakeVec3(hwFmax(high.x, v.x), hwFmax(high.y, v.y), hwFmax(high.z, v.z));
    }
    hwVec3 size = hwSub(high, low), center = hwScale(0.5, hwAdd(low, high));
    const hwVec3 edges[3] = {hwRotate(pose.q, hwMakeVec3(size.x, 0.0, 0.0)),
                             hwRotate(pose.q, hwMakeVec3(0.0, size.y, 0.0)),
                             hwRotate(pose.q, hwMakeVec3(0.0, 0.0, size.z))};
    MakeBoxLee(hwTransformPoint(pose, center), edges, lee);
}

static void MakeLee(const hwShapeDef* shape, hwPose body, const hwSceneLee* given, hwLeeDef* lee) {
    hwPose pose = hwMulPose(body, shape->pose);
    hwVec3 axis = hwRotate(pose.q, hwMakeVec3(0.0, 0.0, 0.5 * shape->length));
    *lee = (hwLeeDef){.kind = (hwLeeKind)given->model, .from = pose.p, .to = pose.p, .drag = given->drag};
    switch (shape->kind) {
    case HW_SHAPE_BOX: {
        const hwVec3 edges[3] = {hwRotate(pose.q, hwMakeVec3(shape->size.x, 0.0, 0.0)),
                                 hwRotate(pose.q, hwMakeVec3(0.0, shape->size.y, 0.0)),
                                 hwRotate(pose.q, hwMakeVec3(0.0, 0.0, shape->size.z))};
        MakeBoxLee(pose.p, edges, lee);
        break;
    }
    case HW_SHAPE_CYLINDER:
    case HW_SHAPE_CAPSULE:
        lee->from = hwSub(pose.p, axis);
        lee->to = hwAdd(pose.p, axis);
        lee->diameter = 2.0 * shape->radius;
        break;
    case HW_SHAPE_SPHERE:
        lee->diameter = 2.0 * shape->radius;
        break;
    case HW_SHAPE_HULL:
    case HW_SHAPE_MESH:
        MakeMeshLee(&shape->mesh, pose, lee);
        break;
    }
    double width = lee->diameter + hwFmax(hwLength(lee->edges[0]), hwLength(lee->edges[1]));
    lee->length = given->length > 0.0 ? given->length : SHADOW_WIDTHS * width;
}

static hwSceneBody* FindBody(hwSceneModel* model, const char* name) {
    for (int i = 0; i < model->bodies.count; i++) {
        hwSceneBody* body = HW_ITEM(model->bodies, hwSceneBody, i);
        if (strcmp(body->name, name) == 0) return body;
    }
    return NULL;
}

bool hwReadLees(hwReader* reader, hwSceneModel* model) {
    const hwItems* given = &model->environment.current.lees;
    hwEnvironmentDef* def = &model->environment.def;
    int count = 0;
    for (int i = 0; i < given->count; i++) {
        const hwRef* behind = &HW_ITEM(*given, hwSceneLee, i)->behind;
        const hwSceneBody* body = FindBody(model, behind->text);
        if (body == NULL || body->def.motion != HW_MOTION_FIXED)
            return hwReader_FailAt(reader, behind->line, behind->column,
                                   "`%s` moves: only a body with `motion: fixed` has a lee", behind->text);
        if (body->shapes.count == 0)
            return hwReader_FailAt(reader, behind->line, behind->column,
                                   "`%s` has no shapes, so it cannot stand in the way of the current",
                                   behind->text);
        count += body->shapes.count;
    }
    hwLeeDef* lees = hwReader_Take(reader, (size_t)count, sizeof(*lees));
    if (lees == NULL) return false;
    def->lees = lees;
    for (int i = 0; i < given->count; i++) {
        const hwSceneLee* lee = HW_ITEM(*given, hwSceneLee, i);
        const hwSceneBody* body = FindBody(model, lee->behind.text);
        hwPose pose = {.p = body->def.position, .q = body->def.attitude};
        for (int k = 0; k < body->shapes.count; k++)
            MakeLee(&HW_ITEM(body->shapes, hwSceneShape, k)->def, pose, lee, &lees[def->leeCount++]);
    }
    return true;
}
