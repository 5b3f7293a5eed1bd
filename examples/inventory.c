// A host keeps its own data beside every object, lists what is in a world, and finds its data again from a contact.
#include "hawser/hawser.h"

#include <stdio.h>
#include <string.h>

// What this host knows about its things.
typedef struct Tag {
    const char* color;
    int touched;
} Tag;

enum { CRATE = 1, GHOST = 2 };

static hwBodyId AddBox(hwWorld* world, const char* name, hwVec3 at, uint64_t category, uint64_t mask,
                       Tag* tag) {
    hwError error;
    hwShapeDef box = hwDefaultShapeDef();
    box.filter = (hwFilter){category, mask};
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = 200.0;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 33.0;
    def.position = at;
    def.shapeCount = 1;
    def.shapes = &box;
    def.userData = tag;
    return hwWorld_AddBody(world, &def, &error);
}

int main(void) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef ground = hwDefaultEnvironmentDef();
    ground.seabed.kind = HW_SEABED_PLANE;
    ground.seabed.depth = 0.0;
    ground.seabed.stiffness = 1e7;
    ground.seabed.damping = 1e5;
    hwWorld_SetEnvironment(world, &ground, &error);

    // the ghost falls through the crate but not through the ground
    Tag red = {"red", 0}, blue = {"blue", 0};
    hwBodyId crate = AddBox(world, "crate", hwMakeVec3(0.0, 0.0, 0.51), CRATE, HW_FILTER_ALL, &red);
    hwBodyId ghost = AddBox(world, "ghost", hwMakeVec3(0.1, 0.0, 1.8), GHOST, GHOST, &blue);
    if (hwWorld_Prepare(world, &error) != HW_OK || hwWorld_Step(world, 3.0, &error) < HW_OK) return 1;

    hwBodyId bodies[8];
    int count = hwWorld_GetBodies(world, 8, bodies);
    for (int i = 0; i < count; ++i) {
        const Tag* tag = hwBody_GetUserData(world, bodies[i]);
        printf("%s is %s, %g kg\n", hwBody_GetName(world, bodies[i]), tag->color,
               hwBody_GetDef(world, bodies[i])->mass);
    }
    const hwContactView* contacts;
    int touching = hwWorld_GetContacts(world, &contacts);
    for (int i = 0; i < touching; ++i) {
        Tag* tag = hwBody_GetUserData(world, contacts[i].bodyA);
        tag->touched += 1;
        printf("shape %d of the %s one touches %s\n", contacts[i].shapeA, tag->color, contacts[i].b);
        if (strcmp(contacts[i].b, "seabed") != 0) return 1; // they must not touch each other
    }
    hwBodyState state;
    hwBody_GetState(world, ghost, &state, &error);
    bool right = count == 2 && red.touched == 1 && blue.touched == 1 && state.position.z < 0.6 &&
                 hwBody_IsValid(world, crate);
    hwDestroyWorld(world);
    return right ? 0 : 1;
}
