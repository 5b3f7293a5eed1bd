// Runs a drifting buoy, then branches the world and lets the two futures differ by a gust.
#include "hawser/hawser.h"

#include <stdio.h>

int main(void) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.airDensity = 1.2;
    hwSignalTerm stream = hwConstantTerm(hwMakeVec3(0.4, 0.0, 0.0));
    sea.current.uniform = (hwSignal){1, &stream};
    sea.jonswap.hs = 1.0;
    sea.jonswap.tp = 6.0;
    hwWorld_SetEnvironment(world, &sea, &error);

    hwShapeDef drum = hwDefaultShapeDef();
    drum.kind = HW_SHAPE_CYLINDER;
    drum.radius = 0.6;
    drum.length = 1.0;
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "buoy";
    body.mass = 500.0;
    body.com.z = -0.3;
    body.shapeCount = 1;
    body.shapes = &drum;
    for (int i = 0; i < 3; ++i) {
        body.hydro.addedMass[i][i] = 250.0;
        body.hydro.quadraticDrag[i] = 300.0;
        body.hydro.linearDrag[3 + i] = 200.0;
    }
    hwBodyId buoy = hwWorld_AddBody(world, &body, &error);
    if (hwWorld_Prepare(world, &error) != HW_OK || hwWorld_Step(world, 20.0, &error) < HW_OK) return 1;

    hwWorld* gusty = hwWorld_Branch(world, &error);
    if (gusty == NULL || hwWorld_HashState(gusty) != hwWorld_HashState(world)) return 1;
    hwWorld_SetInput(gusty, hwWorld_FindInput(gusty, "environment.wind.y"), 25.0, &error);
    hwWorld_Step(world, 20.0, &error);
    hwWorld_Step(gusty, 20.0, &error);

    hwBodyState a, b;
    hwBody_GetState(world, buoy, &a, &error);
    hwBody_GetState(gusty, buoy, &b, &error); // the handle is good for both
    printf("without the gust the buoy is at (%.2f, %.2f) m, with it at (%.2f, %.2f) m\n", a.position.x,
           a.position.y, b.position.x, b.position.y);
    hwDestroyWorld(gusty);
    hwDestroyWorld(world);
    return b.position.y > a.position.y + 0.05 ? 0 : 1;
}
