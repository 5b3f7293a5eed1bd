// Masks of categories decide what touches: bodies, cables, the seabed.
#include "world/rig.h"

static hwWorld* MakeWorld(void) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = 5.0;
    sea.seabed.stiffness = 1e6;
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    return world;
}

static hwBodyId AddBall(hwWorld* world, const char* name, double z, hwMotion motion, hwFilter filter) {
    hwError error;
    hwShapeDef ball = hwDefaultShapeDef();
    ball.kind = HW_SHAPE_SPHERE;
    ball.radius = 0.5;
    ball.filter = filter;
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = 100.0;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 10.0;
    def.position.z = z;
    def.motion = motion;
    def.shapeCount = 1;
    def.shapes = &ball;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static double Height(const hwWorld* world, hwBodyId id) {
    hwBodyState state;
    assert_status(hwBody_GetState(world, id, &state, NULL), HW_OK);
    return state.position.z;
}

// A ball dropped on another: it stays on it, falls past it to the bottom, or falls through that too.
static void test_BodiesPassWhatTheirMasksLeaveOut(void** state) {
    (void)state;
    const hwFilter filters[4] = {{1, HW_FILTER_ALL}, {2, ~(uint64_t)1}, {2, HW_FILTER_ALL}, {2, 0}};
    const hwFilter below[4] = {{1, HW_FILTER_ALL}, {1, HW_FILTER_ALL}, {1, ~(uint64_t)2}, {1, HW_FILTER_ALL}};
    for (int k = 0; k < 4; ++k) {
        hwWorld* world = MakeWorld();
        AddBall(world, "low", -2.0, HW_MOTION_FIXED, below[k]);
        hwBodyId ball = AddBall(world, "ball", -0.95, HW_MOTION_FREE, filters[k]);
        Prepare(world);
        Run(world, 6.0); // it bounces at first
        double z = Height(world, ball);
        const hwContactView* views;
        int count = hwWorld_GetContacts(world, &views);
        if (k < 3 && count == 0) fail_msg("case %d: nothing touches at height %g", k, z);
        if (k == 3) assert_int_equal(count, 0);
        if (k == 0) assert_close(z, -1.0, 0.01);           // on top of it, pressed in by its weight
        if (k == 1 || k == 2) assert_close(z, -4.5, 0.03); // 981 N sink it in by 25 mm
        if (k == 3) assert_true(z < -10.0);
        if (k == 0) assert_string_equal(views[0].b, "low");
        if (k == 1 || k == 2) assert_string_equal(views[0].b, "seabed");
        hwDestroyWorld(world);
    }
}

static hwCableId AddRope(hwWorld* world, const char* name, double y, double z, bool along, hwFilter filter) {
    hwError error;
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 6.0;
    section.elements = 12;
    section.diameter = 0.1;
    section.massPerLength = 8.0;
    section.EA = 1e5;
    hwCableDef def = hwDefaultCableDef();
    def.name = name;
    def.sectionCount = 1;
    def.sections = &section;
    def.filter = filter;
    hwVec3 half = along ? hwMakeVec3(3.0, 0.0, 0.0) : hwMakeVec3(0.0, 3.0, 0.0), at = hwMakeVec3(0.0, y, z);
    def.ends[0] = (hwCableEndDef){
        .joint = along ? HW_ATTACH_FREE : HW_ATTACH_PIN, .at = hwSub(at, half), .placed = true};
    def.ends[1] = (hwCableEndDef){
        .joint = along ? HW_ATTACH_FREE : HW_ATTACH_PIN, .at = hwAdd(at, half), .placed = true};
    hwCableId id = hwWorld_AddCable(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

// A loose rope falls on a ball (first), on a rope that is held (second), or past them to the bottom, or through it.
static void test_CablesPassWhatTheirMasksLeaveOut(void** state) {
    (void)state;
    for (int other = 0; other < 2; ++other) {
        for (int k = 0; k < 3; ++k) {
            const hwFilter filters[3] = {{1, HW_FILTER_ALL}, {2, ~(uint64_t)1}, {2, 0}};
            hwFilter plain = {1, HW_FILTER_ALL};
            hwWorld* world = MakeWorld();
            if (other == 0) {
                AddBall(world, "ball", -2.0, HW_MOTION_FIXED, plain);
            } else {
                AddRope(world, "held", 0.0, -1.5, false, plain);
            }
            hwCableId rope = AddRope(world, "rope", 0.05, -1.3, true, filters[k]);
            Prepare(world);
            Run(world, 1.5);
            hwCableView view;
            assert_status(hwCable_GetView(world, rope, &view, NULL), HW_OK);
            double middle = view.positions[view.nodeCount / 2].z;
            if (k == 0) assert_true(middle > -3.5); // still hung up
            if (k == 1) assert_close(middle, -5.0, 0.1);
            if (k == 2) assert_true(middle < -8.0);
            hwDestroyWorld(world);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_BodiesPassWhatTheirMasksLeaveOut),
        cmocka_unit_test(test_CablesPassWhatTheirMasksLeaveOut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
