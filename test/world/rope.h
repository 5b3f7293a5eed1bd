// A rope and what it may touch, for tests of cables in contact.
#ifndef TEST_WORLD_ROPE_H
#define TEST_WORLD_ROPE_H

#include "support.h"

#include "hawser/hawser.h"
#include "inside.h"

#define DIAMETER 0.02
#define RADIUS (0.5 * DIAMETER)

static inline hwWorld* MakeWorld(bool water, double gravity, double friction) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = water;
    environment.surface = 100.0;
    environment.airDensity = 0.0;
    environment.gravity = gravity;
    assert_status(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
    hwMaterialDef material = hwDefaultMaterialDef();
    material.name = "default";
    material.staticFriction = material.kineticFriction = friction;
    assert_status(hwWorld_AddMaterial(world, &material, &error), HW_OK);
    return world;
}

static inline hwBodyDef MakeObstacle(const char* name, const hwShapeDef* shapes, int count) {
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = 100.0;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 10.0;
    def.motion = HW_MOTION_FIXED;
    def.shapeCount = count;
    def.shapes = shapes;
    return def;
}

static inline void AddBody(hwWorld* world, const hwBodyDef* def) {
    hwError error;
    if (HW_IS_NULL(hwWorld_AddBody(world, def, &error))) fail_msg("%s", error.message);
}

static inline hwShapeDef Cylinder(double radius, double length, hwVec3 axis) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = radius;
    shape.length = length;
    hwVec3 z = hwMakeVec3(0.0, 0.0, 1.0), turn = hwCross(z, axis);
    if (hwLength(turn) > 1e-9) {
        shape.pose.q = hwQuatFromAxisAngle(hwNormalize(turn), acos(hwDot(z, hwNormalize(axis))));
    }
    return shape;
}

static inline hwShapeDef Box(hwVec3 size, hwVec3 at) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_BOX;
    shape.size = size;
    shape.pose.p = at;
    return shape;
}

typedef struct Rope {
    double length;
    int elements;
    hwCableEndDef ends[2];
    const hwVec3* points;
    int pointCount;
    double EI;      // N m2
    bool fixedMesh; // no contact nodes
} Rope;

static inline hwCableId AddNamedRope(hwWorld* world, const char* name, Rope rope) {
    hwError error;
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = rope.length;
    section.elements = rope.elements;
    section.diameter = DIAMETER;
    section.massPerLength = 0.5;
    section.EA = 1e6;
    section.axialDamping = 1e3;
    section.EI = rope.EI;
    hwCableDef def = hwDefaultCableDef();
    def.name = name;
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = rope.ends[0];
    def.ends[1] = rope.ends[1];
    def.shape = HW_CABLE_POINTS;
    def.points = rope.points;
    def.pointCount = rope.pointCount;
    if (rope.fixedMesh) def.contactNodes = 0;
    hwCableId id = hwWorld_AddCable(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static inline hwCableId AddRope(hwWorld* world, Rope rope) {
    return AddNamedRope(world, "rope", rope);
}

static inline hwCableEndDef Pin(hwVec3 at) {
    hwCableEndDef end = {.joint = HW_ATTACH_PIN, .at = at};
    return end;
}

static inline void Prepare(hwWorld* world) {
    hwError error;
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
}

static inline void Step(hwWorld* world) {
    hwError error;
    if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
}

static inline hwCableView View(hwWorld* world, hwCableId id) {
    hwCableView view;
    assert_status(hwCable_GetView(world, id, &view, NULL), HW_OK);
    return view;
}

static inline double FindDepth(const hwWorld* world) {
    double depth = 0.0;
    for (int i = 0; i < world->work->cableContact->count; ++i) {
        const hwCablePatch* patch = &world->work->cableContact->patches[i];
        if (patch->touches) depth = fmax(depth, patch->overlap.depth);
    }
    return depth;
}

#endif
