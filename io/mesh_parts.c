// Concave meshes as convex parts, when a scene is read.
#include "hawser/decompose.h"
#include "hawser/world.h"
#include "scene_read.h"

#include <string.h>

typedef struct Builder {
    hwReader reader; // with memory of its own, which goes with the next hull
    hwStore store;
    const hwYaml* node;
} Builder;

// Points that span no volume are no error here.
static hwStatus BuildHull(int count, const hwVec3* points, hwMeshData* hull, void* context, hwError* error) {
    (void)error;
    Builder* builder = context;
    hwStore_Free(&builder->store);
    hwStore_Init(&builder->store, NULL);
    hwError ignored;
    builder->reader.error = &ignored;
    memset(hull, 0, sizeof(*hull));
    if (count < 4 || !hwBuildHull(&builder->reader, builder->node, count, points, hull))
        memset(hull, 0, sizeof(*hull));
    return HW_OK;
}

static bool CopyPart(hwReader* reader, const hwMeshData* from, hwMeshData* to) {
    hwVec3* vertices = hwReader_Take(reader, (size_t)from->vertexCount, sizeof(*vertices));
    int(*triangles)[3] =
        vertices != NULL ? hwReader_Take(reader, (size_t)from->triangleCount, sizeof(*triangles)) : NULL;
    if (triangles == NULL) return false;
    memcpy(vertices, from->vertices, (size_t)from->vertexCount * sizeof(*vertices));
    memcpy(triangles, from->triangles, (size_t)from->triangleCount * sizeof(*triangles));
    *to = (hwMeshData){from->vertexCount, vertices, from->triangleCount, (const int(*)[3])triangles};
    return true;
}

// Closed and outward, and convex for a hull.
static bool IsUsable(const hwMeshData* mesh, hwShapeKind kind) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = kind;
    shape.mesh = *mesh;
    hwMassProperties ignored;
    return hwShape_ComputeMassProperties(&shape, &ignored, NULL) == HW_OK;
}

static bool Keep(hwReader* reader, const hwDecomposition* found, hwShapeDef* shape) {
    hwMeshData* parts = hwReader_Take(reader, (size_t)found->partCount, sizeof(*parts));
    if (parts == NULL) return false;
    for (int i = 0; i < found->partCount; i++) {
        if (!IsUsable(&found->parts[i], HW_SHAPE_HULL)) continue; // a sliver
        if (!CopyPart(reader, &found->parts[i], &parts[shape->partCount])) return false;
        shape->partCount++;
    }
    shape->parts = parts;
    return true;
}

bool hwFindParts(hwReader* reader, const hwYaml* node, const hwMeshData* mesh, int most, hwShapeDef* shape) {
    hwError error;
    // adding the body says what is wrong with it
    if (!IsUsable(mesh, HW_SHAPE_MESH) || IsUsable(mesh, HW_SHAPE_HULL)) return true;
    Builder builder = {.reader = {.store = &builder.store}, .node = node};
    hwStore_Init(&builder.store, NULL);
    hwDecomposeDef def = hwDefaultDecomposeDef();
    def.maxParts = most;
    def.buildHull = BuildHull;
    def.context = &builder;
    hwAllocator allocator = hwDefaultWorldDef().allocator;
    hwDecomposition found;
    hwStatus status = hwDecompose(mesh, &def, &allocator, &found, &error);
    hwStore_Free(&builder.store);
    if (status != HW_OK)
        return hwReader_Fail(reader, node, "the mesh cannot be divided into convex parts: %s", error.message);
    bool good = Keep(reader, &found, shape);
    hwFreeDecomposition(&found, &allocator);
    return good;
}
