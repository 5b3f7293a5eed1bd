// Meshes that change between steps: contact, buoyancy and queries follow, everything else stays.
#include "world/rig.h"

static const hwVec3 cube[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                               {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const int faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

static hwBodyId AddCube(hwWorld* world, const char* name, double z, double mass, hwMotion motion) {
    hwError error;
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_MESH;
    shape.mesh = (hwMeshData){8, cube, 12, faces};
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = mass;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 0.7 * mass;
    def.position.z = z;
    def.motion = motion;
    def.shapeCount = 1;
    def.shapes = &shape;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static double Height(const hwWorld* world, hwBodyId id) {
    hwBodyState state;
    assert_status(hwBody_GetState(world, id, &state, NULL), HW_OK);
    return state.position.z;
}

// A platform that grows upwards lifts what lies on it.
static void test_ContactFollows(void** state) {
    (void)state;
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    // soft and damped, so that a surface that moves in jumps of a centimetre throws nothing off
    hwMaterialDef rubber = hwDefaultMaterialDef();
    rubber.name = "default";
    rubber.young = 1e6;
    rubber.damping = 2e5;
    assert_status(hwWorld_AddMaterial(world, &rubber, &error), HW_OK);
    hwBodyId platform = AddCube(world, "platform", 0.0, 1.0, HW_MOTION_FIXED);
    hwShapeDef ball = hwDefaultShapeDef();
    ball.kind = HW_SHAPE_SPHERE;
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "ball";
    body.mass = 50.0;
    for (int i = 0; i < 3; ++i) body.inertia[i] = 5.0;
    body.position.z = 1.5;
    body.shapeCount = 1;
    body.shapes = &ball;
    hwBodyId id = hwWorld_AddBody(world, &body, &error);
    Prepare(world);
    Run(world, 3.0);
    double start = Height(world, id);
    assert_true(start > 1.4 && start < 1.5); // pressed in by its weight
    hwVec3 vertices[8];
    for (int step = 1; step <= 50; ++step) {
        for (int i = 0; i < 8; ++i) {
            vertices[i] = cube[i];
            if (cube[i].z > 0.0) vertices[i].z += 0.01 * step;
        }
        double time = hwWorld_GetTime(world), z = Height(world, id);
        assert_status(hwBody_SetShapeVertices(world, platform, 0, 8, vertices, &error), HW_OK);
        assert_true(hwWorld_GetTime(world) == time && Height(world, id) == z); // only the mesh has changed
        Run(world, 0.1);
    }
    Run(world, 3.0);
    assert_close(Height(world, id), start + 0.5, 1e-3); // as deep in it as before
    assert_status(hwWorld_UpdateQueries(world, &error), HW_OK);
    hwRay ray = {{0.5, 0.5, 9.0}, {0.0, 0.0, -1.0}, 20.0, 0.0};
    hwQueryHit hit;
    assert_status(hwWorld_CastRay(world, &ray, NULL, &hit, &error), HW_OK);
    assert_close(hit.distance, 7.5, 1e-9);
    hwDestroyWorld(world);
}

// A buoy of 4 t in water of density 1000, 2 m x 2 m: it floats with 1 m under water, and with 0.5 m when it has become
// wider by the square root of two.
static void test_BuoyancyFollows(void** state) {
    (void)state;
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.statics = true;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = 1000.0;
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    hwBodyId id = AddCube(world, "buoy", 0.1, 4000.0, HW_MOTION_FREE);
    Prepare(world);
    assert_close(Height(world, id), 0.0, 1e-6);
    hwVec3 vertices[8];
    for (int i = 0; i < 8; ++i)
        vertices[i] = hwMakeVec3(sqrt(2.0) * cube[i].x, sqrt(2.0) * cube[i].y, cube[i].z);
    assert_status(hwBody_SetShapeVertices(world, id, 0, 8, vertices, &error), HW_OK);
    hwBodyState now;
    assert_status(hwBody_GetState(world, id, &now, &error), HW_OK);
    assert_close(now.position.z, 0.0, 1e-6);
    assert_close(now.acceleration.z, 9.81, 1e-3); // twice the water, no added mass
    hwDestroyWorld(world);
}

static void test_WhatCannotBeIsRefused(void** state) {
    (void)state;
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwBodyId id = AddCube(world, "cube", 0.0, 1.0, HW_MOTION_FIXED);
    hwVec3 vertices[8];
    memcpy(vertices, cube, sizeof(vertices));
    assert_status(hwBody_SetShapeVertices(world, id, 0, 7, vertices, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "7"));
    assert_status(hwBody_SetShapeVertices(world, id, 1, 8, vertices, &error), HW_ERROR_ARGUMENT);
    vertices[3].x = NAN;
    assert_status(hwBody_SetShapeVertices(world, id, 0, 8, vertices, &error), HW_ERROR_ARGUMENT);
    for (int i = 0; i < 8; ++i) vertices[i] = hwScale(-1.0, cube[i]); // turned inside out
    assert_status(hwBody_SetShapeVertices(world, id, 0, 8, vertices, &error), HW_ERROR_ARGUMENT);
    assert_true(hwBody_GetDef(world, id)->shapes[0].mesh.vertices[7].x == 1.0); // as it was
    hwDestroyWorld(world);
}

// Events that are done are not done again.
static void test_EventsStayDone(void** state) {
    (void)state;
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwBodyId id = AddCube(world, "cube", 0.0, 1.0, HW_MOTION_FREE);
    hwEventDef push = {0.5, "cube.force.x", 30.0};
    assert_status(hwWorld_AddEvent(world, &push, &error), HW_OK);
    Prepare(world);
    assert_true(hwWorld_Step(world, 0.5, &error) >= HW_OK); // ends with the event
    int input = hwWorld_FindInput(world, "cube.force.x");
    assert_close(hwWorld_ReadInput(world, input), 30.0, 0.0);
    assert_status(hwWorld_SetInput(world, input, 5.0, &error), HW_OK);
    assert_status(hwBody_SetShapeVertices(world, id, 0, 8, cube, &error), HW_OK);
    Run(world, 0.2);
    assert_close(hwWorld_ReadInput(world, input), 5.0, 0.0);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ContactFollows),
        cmocka_unit_test(test_BuoyancyFollows),
        cmocka_unit_test(test_WhatCannotBeIsRefused),
        cmocka_unit_test(test_EventsStayDone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
