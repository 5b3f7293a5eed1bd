// A load falls, its wire snaps taut, it swings into a post: the events of each step, read after it.
#include "hawser/hawser.h"

#include <stdio.h>

static const char* const names[] = {"begins to touch", "hits",   "ends",    "goes slack", "goes taut",
                                    "snapped",         "parted", "latched", "was let go"};

int main(void) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwShapeDef ball = hwDefaultShapeDef();
    ball.kind = HW_SHAPE_SPHERE;
    ball.radius = 0.4;
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "load";
    body.mass = 400.0;
    for (int i = 0; i < 3; ++i) body.inertia[i] = 30.0;
    body.position = hwMakeVec3(0.0, 0.0, -2.0);
    body.velocity.x = 2.0;
    body.shapeCount = 1;
    body.shapes = &ball;
    hwBodyId load = hwWorld_AddBody(world, &body, &error);
    hwShapeDef round = hwDefaultShapeDef();
    round.kind = HW_SHAPE_CYLINDER;
    round.radius = 0.3;
    round.length = 20.0;
    hwBodyDef fixed = hwDefaultBodyDef();
    fixed.name = "post";
    fixed.motion = HW_MOTION_FIXED;
    fixed.position = hwMakeVec3(2.0, 0.0, -14.0);
    fixed.shapeCount = 1;
    fixed.shapes = &round;
    hwBodyId post = hwWorld_AddBody(world, &fixed, &error);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 5.0;
    section.elements = 10;
    section.diameter = 0.02;
    section.massPerLength = 1.5;
    section.EA = 2e5;
    section.axialDamping = 2e3;
    hwCableDef wire = hwDefaultCableDef();
    wire.name = "wire";
    wire.sectionCount = 1;
    wire.sections = &section;
    wire.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN};
    wire.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = load};
    wire.shape = HW_CABLE_CATENARY_SHAPE;
    hwCableId line = hwWorld_AddCable(world, &wire, &error);
    if (hwWorld_Prepare(world, &error) != HW_OK) return 1;
    hwStepEventDef keep = hwDefaultStepEventDef();
    if (hwWorld_KeepStepEvents(world, &keep, &error) != HW_OK) return 1;

    bool taut = false, hit = false;
    int count = 0;
    for (int frame = 0; frame < 240; ++frame) {
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) return 1;
        const hwStepEvent* events;
        int lost, total = hwWorld_GetStepEvents(world, &events, &lost);
        if (lost != 0) return 1;
        for (int i = 0; i < total; ++i) {
            const hwStepEvent* e = &events[i];
            printf("%6.3f s: %s %s, %.3g\n", e->time,
                   HW_IS_NULL(e->cableA) ? hwBody_GetName(world, e->bodyA)
                                         : hwCable_GetName(world, e->cableA),
                   names[e->kind], e->value);
            taut = taut || (e->kind == HW_EVENT_CABLE_TAUT && HW_SAME_ID(e->cableA, line));
            hit = hit || (e->kind == HW_EVENT_CONTACT_HIT && HW_SAME_ID(e->bodyA, load) &&
                          HW_SAME_ID(e->bodyB, post) && e->value > 0.5);
            count += 1;
        }
    }
    hwDestroyWorld(world);
    return taut && hit && count < 60 ? 0 : 1;
}
