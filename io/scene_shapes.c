// From the sections of shapes to defs.
#include "scene_read.h"

#include <string.h>

bool hwCheckRound(hwReader* reader, const hwYaml* node, void* item) {
    (void)reader;
    (void)node;
    hwSceneRound* shape = item;
    if (shape->radius == 0.0) shape->radius = 0.5 * shape->diameter;
    return true;
}

bool hwCheckHull(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneHull* hull = item;
    const hwVec3* points = hull->points.values;
    int count = hull->points.count;
    if (hull->file != NULL) {
        hwMeshData mesh;
        const hwYaml* file = hwYaml_Find(node, "file");
        if (!hwLoadMesh(reader, file != NULL ? file : node, hull->file, &mesh)) return false;
        points = mesh.vertices;
        count = mesh.vertexCount;
    }
    return hwBuildHull(reader, node, count, points, &hull->data);
}

static bool ScaleMesh(hwReader* reader, const hwMeshData* mesh, hwVec3 scale, hwMeshData* out) {
    *out = *mesh;
    if (scale.x == 1.0 && scale.y == 1.0 && scale.z == 1.0) return true;
    hwVec3* vertices = hwReader_Take(reader, (size_t)mesh->vertexCount, sizeof(*vertices));
    if (vertices == NULL) return false;
    for (int i = 0; i < mesh->vertexCount; i++) {
        hwVec3 v = mesh->vertices[i];
        vertices[i] = hwMakeVec3(scale.x * v.x, scale.y * v.y, scale.z * v.z);
    }
    out->vertices = vertices;
    return true;
}

static bool FillForm(hwReader* reader, const hwSceneShape* shape, hwVec3 scale, hwShapeDef* def) {
    const hwSceneRound* round = NULL;
    if (shape->mesh.place.line > 0) {
        def->kind = HW_SHAPE_MESH;
        return ScaleMesh(reader, &shape->mesh.data, scale, &def->mesh);
    }
    if (shape->hull.place.line > 0) {
        def->kind = HW_SHAPE_HULL;
        return ScaleMesh(reader, &shape->hull.data, scale, &def->mesh);
    }
    if (shape->sphere.place.line > 0) {
        def->kind = HW_SHAPE_SPHERE;
        round = &shape->sphere;
    } else if (shape->cylinder.place.line > 0) {
        def->kind = HW_SHAPE_CYLINDER;
        round = &shape->cylinder;
    } else if (shape->capsule.place.line > 0) {
        def->kind = HW_SHAPE_CAPSULE;
        round = &shape->capsule;
    } else {
        def->kind = HW_SHAPE_BOX;
        def->size = hwMakeVec3(scale.x * shape->box.x, scale.y * shape->box.y, scale.z * shape->box.z);
    }
    if (round != NULL) {
        def->radius = scale.x * round->radius;
        def->length = scale.x * round->length;
    }
    return true;
}

#define MOVING_PARTS                                                                                         \
    8 // of a concave mesh that moves, unless the scene says how many: seconds for 10,000 triangles
#define MOST_DIVIDED 20000 // triangles of one that is divided without being asked

bool hwCheckShape(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneShape* shape = item;
    hwShapeDef* def = &shape->def;
    const double* s = shape->scale.values;
    hwVec3 scale = shape->scale.count == 3 ? hwMakeVec3(s[0], s[1], s[2]) : hwMakeVec3(s[0], s[0], s[0]);
    bool round =
        shape->sphere.place.line > 0 || shape->cylinder.place.line > 0 || shape->capsule.place.line > 0;
    if (shape->scale.count == 3 && round) {
        return hwReader_Fail(reader, hwYaml_Find(node, "scale"),
                             "`scale` must be one number here; [x, y, z] is for box, mesh and hull");
    }
    *def = hwDefaultShapeDef();
    def->pose.p = shape->position;
    def->pose.q = hwSceneAttitude_Get(&shape->attitude);
    def->material = shape->material.text;
    if (!FillForm(reader, shape, scale, def)) return false;
    shape->undivided = hwYaml_Find(node, "parts") == NULL;
    return shape->parts == 0 || def->kind != HW_SHAPE_MESH ||
           hwFindParts(reader, node, &def->mesh, shape->parts, def);
}

bool hwDivideShapes(hwReader* reader, const hwYaml* node, const hwItems* shapes) {
    for (int i = 0; i < shapes->count; i++) {
        hwSceneShape* shape = HW_ITEM(*shapes, hwSceneShape, i);
        if (!shape->undivided || shape->def.kind != HW_SHAPE_MESH) continue;
        if (shape->def.mesh.triangleCount > MOST_DIVIDED) continue; // adding the body warns of it
        if (!hwFindParts(reader, node, &shape->def.mesh, MOVING_PARTS, &shape->def)) return false;
        if (shape->def.partCount > 0 && !hwReader_Warn(reader, node->line,
                                                       "the concave mesh of shape %d moves, and touches as "
                                                       "%d convex parts; `parts` chooses how many",
                                                       i, shape->def.partCount))
            return false;
    }
    return true;
}
