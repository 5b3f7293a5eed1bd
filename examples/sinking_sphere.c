// A steel ball sinks through still water until drag balances its weight.
#include "hawser/hawser.h"

#include <math.h>
#include <stdio.h>

int main(void) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);

    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    hwWorld_SetEnvironment(world, &sea, &error);

    hwShapeDef ball = hwDefaultShapeDef();
    ball.kind = HW_SHAPE_SPHERE;
    ball.radius = 0.1;
    double volume = 4.0 / 3.0 * HW_PI * 0.001, added = 0.5 * 1025.0 * volume;

    hwBodyDef body = hwDefaultBodyDef();
    body.name = "ball";
    body.mass = 7800.0 * volume;
    body.position = hwMakeVec3(0.0, 0.0, -1.0);
    body.shapeCount = 1;
    body.shapes = &ball;
    for (int i = 0; i < 3; ++i) {
        body.hydro.addedMass[i][i] = added;
        body.hydro.quadraticDrag[i] = 0.5 * 1025.0 * 0.47 * HW_PI * 0.01;
    }
    hwBodyId id = hwWorld_AddBody(world, &body, &error);

    if (hwWorld_Prepare(world, &error) != HW_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    for (int second = 1; second <= 4; ++second) {
        if (hwWorld_Step(world, 1.0, &error) < HW_OK) {
            printf("%s\n", error.message);
            return 1;
        }
        hwBodyState state;
        hwBody_GetState(world, id, &state, &error);
        printf("%d s: depth %.3f m, speed %.3f m/s\n", second, -state.position.z, -state.velocity.z);
    }

    // weight in water against drag
    hwBodyState state;
    hwBody_GetState(world, id, &state, &error);
    double terminal = sqrt((body.mass - 1025.0 * volume) * 9.81 / body.hydro.quadraticDrag[2]);
    hwDestroyWorld(world);
    return fabs(-state.velocity.z / terminal - 1.0) < 1e-3 ? 0 : 1;
}
