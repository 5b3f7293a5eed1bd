// Contacts name what touches by handle, shape and triangle.
#include "world/rig.h"

// A floor of eight triangles, closed below: 2 x 1 squares on top.
static const hwVec3 floorVertices[12] = {{-2, -1, 0}, {0, -1, 0},  {2, -1, 0},   {-2, 1, 0},
                                         {0, 1, 0},   {2, 1, 0},   {-2, -1, -1}, {0, -1, -1},
                                         {2, -1, -1}, {-2, 1, -1}, {0, 1, -1},   {2, 1, -1}};
static const int floorTriangles[20][3] = {{0, 1, 4},   {0, 4, 3},  {1, 2, 5},   {1, 5, 4},  {6, 10, 7},
                                          {6, 9, 10},  {7, 11, 8}, {7, 10, 11}, {0, 7, 1},  {0, 6, 7},
                                          {1, 8, 2},   {1, 7, 8},  {3, 4, 10},  {3, 10, 9}, {4, 5, 11},
                                          {4, 11, 10}, {0, 3, 9},  {0, 9, 6},   {2, 8, 11}, {2, 11, 5}};

static hwBodyId AddFloor(hwWorld* world) {
    hwError error;
    hwShapeDef shapes[2] = {hwDefaultShapeDef(), hwDefaultShapeDef()};
    shapes[0].kind = HW_SHAPE_SPHERE;
    shapes[0].radius = 0.1;
    shapes[0].pose.p = hwMakeVec3(0.0, 50.0, 0.0);
    shapes[1].kind = HW_SHAPE_MESH;
    shapes[1].mesh = (hwMeshData){12, floorVertices, 20, floorTriangles};
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "floor";
    def.motion = HW_MOTION_FIXED;
    def.shapeCount = 2;
    def.shapes = shapes;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static void test_BodiesOnAMesh(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwBodyId ground = AddFloor(world);
    hwShapeDef ball = hwDefaultShapeDef();
    ball.kind = HW_SHAPE_SPHERE;
    ball.radius = 0.25;
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "ball";
    def.mass = 50.0;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 2.0;
    def.position = hwMakeVec3(1.5, -0.5, 0.25);
    def.shapeCount = 1;
    def.shapes = &ball;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    Prepare(world);
    Run(world, 0.5);
    const hwContactView* views;
    assert_int_equal(hwWorld_GetContacts(world, &views), 1);
    const hwContactView* v = &views[0];
    assert_true(HW_SAME_ID(v->bodyA, id) && HW_SAME_ID(v->bodyB, ground));
    assert_true(HW_IS_NULL(v->cableA) && HW_IS_NULL(v->cableB));
    assert_int_equal(v->shapeA, 0);
    assert_int_equal(v->shapeB, 1);
    assert_int_equal(v->triangleA, -1);
    assert_int_equal(v->triangleB, 2); // (0, -1) (2, -1) (2, 1), where the ball lies
    hwDestroyWorld(world);
}

static void test_CablesOnAMeshAndOnTheBottom(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    double heights[4] = {-3.0, -3.0, -3.0, -3.0};
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.seabed.kind = HW_SEABED_HEIGHTFIELD;
    sea.seabed.columns = sea.seabed.rows = 2;
    sea.seabed.spacing = 40.0;
    sea.seabed.origin = hwMakeVec3(-20.0, -20.0, 0.0);
    sea.seabed.heights = heights;
    sea.seabed.stiffness = 1e6;
    sea.seabed.damping = 1e4;
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    hwBodyId ground = AddFloor(world);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 3.0;
    section.elements = 12;
    section.diameter = 0.05;
    section.massPerLength = 4.0;
    section.EA = 1e5;
    section.axialDamping = 1e3;
    hwCableId ropes[2];
    for (int k = 0; k < 2; ++k) {
        hwVec3 at = k == 0 ? hwMakeVec3(-1.5, -0.4, 0.03) : hwMakeVec3(5.0, -8.0, -2.97);
        hwCableEndDef a = {.at = at, .placed = true},
                      b = {.at = hwAdd(at, hwMakeVec3(3.0, 0.0, 0.0)), .placed = true};
        ropes[k] = AddCable(world, k == 0 ? "deck" : "bottom", &section, a, b, 0);
    }
    Prepare(world);
    Run(world, 0.5);
    const hwContactView* views;
    int count = hwWorld_GetContacts(world, &views), deck = 0, bottom = 0;
    for (int i = 0; i < count; ++i) {
        const hwContactView* v = &views[i];
        assert_true(HW_IS_NULL(v->bodyA) && v->shapeA == -1 && v->triangleA == -1);
        if (HW_SAME_ID(v->cableA, ropes[0])) {
            deck += 1;
            assert_true(HW_SAME_ID(v->bodyB, ground) && v->shapeB == 1);
            assert_true(v->triangleB >= 0 && v->triangleB < 4);
        } else {
            bottom += 1;
            assert_true(HW_SAME_ID(v->cableA, ropes[1]));
            assert_true(HW_IS_NULL(v->bodyB) && v->shapeB == -1);
            assert_int_equal(v->triangleB, 0); // below the grid's diagonal
        }
    }
    assert_true(deck > 0 && bottom > 0);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_BodiesOnAMesh),
        cmocka_unit_test(test_CablesOnAMeshAndOnTheBottom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
