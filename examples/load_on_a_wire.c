// A load swings on a wire: the C API in twenty lines. README.md shows this program.
#include "hawser/hawser.h"

#include <stdio.h>

int main(void) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef(); // gravity, no water
    hwWorld* world = hwCreateWorld(&def, &error);
    hwBodyDef load = hwDefaultBodyDef();
    load.name = "load", load.mass = 5000.0; // kg, m, s: SI, z up
    load.inertia[0] = load.inertia[1] = load.inertia[2] = 800.0;
    load.position = hwMakeVec3(12.0, 0.0, -16.0);
    hwCableSectionDef steel = hwDefaultCableSectionDef();
    steel.length = 20.0, steel.elements = 20, steel.diameter = 0.03, steel.massPerLength = 3.6,
    steel.EA = 4e7;
    hwCableDef wire = hwDefaultCableDef();
    wire.name = "wire", wire.sectionCount = 1, wire.sections = &steel;
    wire.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN}; // to the earth, at the origin
    wire.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = hwWorld_AddBody(world, &load, &error)};
    hwWorld_AddCable(world, &wire, &error);
    hwStatus status = hwWorld_Prepare(world, &error);
    for (int i = 0; i < 600 && status >= HW_OK; ++i) status = hwWorld_Step(world, 1.0 / 60.0, &error);
    if (status < HW_OK) printf("%s\n", error.message);
    printf("after %g s: tension %.0f N\n", hwWorld_GetTime(world),
           hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "wire.a.tension")));
    hwDestroyWorld(world);
    return status < HW_OK;
}
