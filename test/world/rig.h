// What tests of worlds with cables set up again and again; every call fails the test when it is refused.
#ifndef TEST_WORLD_RIG_H
#define TEST_WORLD_RIG_H

#include "support.h"

#include "hawser/hawser.h"

static const hwBodyId earth;

// A body that feels no water, with a radius of gyration of 0.63 m.
static inline hwBodyId AddLoad(hwWorld* world, const char* name, double mass, hwVec3 position) {
    hwError error;
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = mass;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 0.4 * mass;
    def.position = position;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static inline hwCableEndDef Pin(hwBodyId body, hwVec3 at) {
    hwCableEndDef end = {.joint = HW_ATTACH_PIN, .body = body, .at = at};
    return end;
}

// A cable of one section, straight between its ends.
static inline hwCableId AddCable(hwWorld* world, const char* name, const hwCableSectionDef* section,
                                 hwCableEndDef a, hwCableEndDef b, int cuts) {
    hwError error;
    hwCableDef def = hwDefaultCableDef();
    def.name = name;
    def.sectionCount = 1;
    def.sections = section;
    def.ends[0] = a;
    def.ends[1] = b;
    def.cuts = cuts;
    hwCableId id = hwWorld_AddCable(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static inline void Prepare(hwWorld* world) {
    hwError error;
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
}

// In frames of 1/60 s.
static inline void Run(hwWorld* world, double duration) {
    hwError error;
    int frames = (int)lround(duration * 60.0);
    for (int i = 0; i < frames; ++i) {
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

static inline double Read(const hwWorld* world, const char* channel) {
    int index = hwWorld_FindChannel(world, channel);
    if (index < 0) fail_msg("no channel %s", channel);
    return hwWorld_ReadChannel(world, index);
}

static inline hwBodyState ReadBody(const hwWorld* world, hwBodyId id) {
    hwBodyState state;
    assert_status(hwBody_GetState(world, id, &state, NULL), HW_OK);
    return state;
}

#endif
