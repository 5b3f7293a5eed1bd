// Meshes that change their form between steps.
#include "geom/shape_data.h"
#include "world/world.h"

#include <string.h>

// The model anew, with the state as it is: nothing that has happened happens again.
static hwStatus RecompileShape(hwWorld* world, hwError* error) {
    uint64_t done = world->state.header->eventsDone;
    double next = world->state.header->nextStep;
    hwStatus status = hwWorld_Compile(world, error);
    if (status != HW_OK) return status;
    world->state.header->eventsDone = done;
    world->state.header->nextStep = next;
    if (world->external.prepare != NULL)
        status = world->external.prepare(world->external.context, world, error);
    if (status == HW_OK) status = hwWorld_UpdateAccelerations(world, &hwMode_running, error);
    if (status != HW_OK) hwWorld_Unprepare(world);
    return status;
}

hwStatus hwBody_SetShapeVertices(hwWorld* world, hwBodyId id, int shape, int count, const hwVec3* vertices,
                                 hwError* error) {
    hwClearError(error);
    hwBodyObject* body = hwWorld_GetBody(world, id);
    if (body == NULL || shape < 0 || shape >= body->def.shapeCount || vertices == NULL) {
        return hwFail(error, HW_ERROR_ARGUMENT, body != NULL ? body->def.name : NULL,
                      "hwBody_SetShapeVertices needs a body of this world, the number of one of its shapes, "
                      "and vertices");
    }
    const char* name = body->def.name;
    const hwShapeDef* def = &body->def.shapes[shape];
    if (def->kind != HW_SHAPE_MESH && def->kind != HW_SHAPE_HULL) {
        return hwFail(error, HW_ERROR_ARGUMENT, name,
                      "%s: shape %d has no vertices, it is no mesh and no hull", name, shape);
    }
    if (def->partCount > 0) {
        hwStatus status =
            hwFail(error, HW_ERROR_ARGUMENT, name,
                   "%s: the convex parts of shape %d would not follow its vertices", name, shape);
        hwFail_Hint(error, "leave out `parts` of a mesh that changes");
        return status;
    }
    if (count != def->mesh.vertexCount) {
        return hwFail(error, HW_ERROR_ARGUMENT, name, "%s: shape %d has %d vertices, %d were given", name,
                      shape, def->mesh.vertexCount, count);
    }
    hwShapeDef changed = *def;
    changed.mesh.vertices = vertices;
    hwStatus status = hwShape_Check(&changed, shape, error);
    if (status != HW_OK) return status;
    // the copy in the body's own block
    memcpy(hwBodyObject_Own(body, def->mesh.vertices), vertices, (size_t)count * sizeof(hwVec3));
    status = hwSolid_Init(&body->solid, body->def.shapeCount, body->def.shapes, error);
    if (status != HW_OK || !world->prepared) return status;
    return RecompileShape(world, error);
}
