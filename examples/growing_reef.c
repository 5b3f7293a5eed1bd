// A mesh whose vertices the host moves between steps: a reef that grows under a float until that lies on it.
#include "hawser/hawser.h"

#include <stdio.h>
#include <string.h>

int main(void) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    hwWorld_SetEnvironment(world, &sea, &error);
    hwVec3 vertices[5] = {{-4, -4, -9}, {4, -4, -9}, {4, 4, -9}, {-4, 4, -9}, {0, 0, -3}};
    const int triangles[6][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
    hwShapeDef cone = hwDefaultShapeDef();
    cone.kind = HW_SHAPE_HULL;
    cone.mesh = (hwMeshData){5, vertices, 6, triangles};
    hwBodyDef reefDef = hwDefaultBodyDef();
    reefDef.name = "reef";
    reefDef.motion = HW_MOTION_FIXED;
    reefDef.shapeCount = 1;
    reefDef.shapes = &cone;
    hwBodyId reef = hwWorld_AddBody(world, &reefDef, &error);
    hwShapeDef box = hwDefaultShapeDef();
    box.size = hwMakeVec3(3.0, 3.0, 1.0);
    hwBodyDef floatDef = hwDefaultBodyDef();
    floatDef.name = "float";
    floatDef.mass = 4000.0;
    for (int i = 0; i < 3; ++i) floatDef.inertia[i] = 4000.0;
    floatDef.shapeCount = 1;
    floatDef.shapes = &box;
    for (int i = 0; i < 6; ++i) floatDef.hydro.linearDrag[i] = 8000.0;
    hwBodyId pontoon = hwWorld_AddBody(world, &floatDef, &error);
    if (hwWorld_Prepare(world, &error) != HW_OK || hwWorld_Step(world, 5.0, &error) < HW_OK) return 1;
    hwBodyState afloat, aground;
    hwBody_GetState(world, pontoon, &afloat, &error);
    const hwContactView* contacts;
    int before = hwWorld_GetContacts(world, &contacts);
    while (vertices[4].z < -0.3) {
        vertices[4].z += 0.1;
        if (hwBody_SetShapeVertices(world, reef, 0, 5, vertices, &error) != HW_OK) return 1;
        if (hwWorld_Step(world, 0.5, &error) < HW_OK) return 1;
    }
    hwBody_GetState(world, pontoon, &aground, &error);
    int after = hwWorld_GetContacts(world, &contacts);
    printf("afloat at %.3f m with %d contacts, on the reef at %.3f m with %d\n", afloat.position.z, before,
           aground.position.z, after);
    bool right = before == 0 && after == 1 && aground.position.z > afloat.position.z + 0.05;
    hwDestroyWorld(world);
    return right ? 0 : 1;
}
