// What a program that uses the installed library looks like at its shortest.
#include <hawser/hawser.h>

#include <math.h>
#include <stdio.h>

int main(void) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwBodyDef stone = hwDefaultBodyDef();
    stone.name = "stone";
    stone.mass = 1.0;
    for (int i = 0; i < 3; ++i) stone.inertia[i] = 1.0;
    hwBodyId id = hwWorld_AddBody(world, &stone, &error);
    hwBodyState state;
    if (hwWorld_Prepare(world, &error) != HW_OK || hwWorld_Step(world, 1.0, &error) < HW_OK ||
        hwBody_GetState(world, id, &state, &error) != HW_OK) {
        puts(error.message);
        return 1;
    }
    hwDestroyWorld(world);
    printf("hawser %s: fell %.3f m in a second\n", hwGetVersion(), -state.position.z);
    return fabs(state.position.z + 4.905) < 1e-9 ? 0 : 1;
}
