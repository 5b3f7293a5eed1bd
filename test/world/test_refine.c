// Meshes that are refined where cables begin to touch something.
#include "rig.h"

#include "inside.h"

#define DEPTH 200.0

// A mooring chain of 600 m whose fairlead surges; about a third of it lies on the bottom.
static hwWorld* MakeChain(int elements, double refine, bool statics, hwCableId* chain) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    worldDef.statics = statics;
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = DEPTH;
    sea.seabed.stiffness = 1e5;
    sea.seabed.damping = 1e4;
    sea.seabed.friction = 0.5;
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 600.0;
    section.elements = elements;
    section.diameter = 0.09;
    section.massPerLength = 77.0;
    section.EA = 3.84e8;
    section.axialDamping = 4e6;
    section.dragNormal = 1.6;
    section.dragTangential = 0.1;
    section.compression = 1e-3;
    hwSignalTerm path[2] = {hwConstantTerm(hwMakeVec3(0.0, 0.0, -10.0)),
                            hwSineTerm(hwMakeVec3(2.0, 0.0, 0.0), 10.0, 0.0)};
    hwCableDef def = hwDefaultCableDef();
    def.name = "chain";
    def.sectionCount = 1;
    def.sections = &section;
    def.shape = HW_CABLE_CATENARY_SHAPE;
    def.refine = refine;
    def.ends[0] = Pin(earth, hwMakeVec3(540.0, 0.0, -DEPTH));
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .path = {2, path}};
    *chain = hwWorld_AddCable(world, &def, &error);
    if (HW_IS_NULL(*chain)) fail_msg("%s", error.message);
    Prepare(world);
    return world;
}

// Short at touchdown, growing to both sides by at most a fifth from one to the next; nothing of the cable is lost.
static void elements_are_short_at_touchdown(void** state) {
    (void)state;
    for (int statics = 0; statics < 2; ++statics) {
        hwCableId chain;
        hwWorld* world = MakeChain(60, 0.2, statics == 1, &chain);
        hwCableView view;
        assert_status(hwCable_GetView(world, chain, &view, NULL), HW_OK);
        assert_int_equal(view.nodeCount, 61);
        assert_close(view.length, 600.0, 1e-9);
        int shortest = 0, touchdown = 0;
        double longest = 0.0;
        for (int e = 0; e < 60; ++e) {
            if (view.lengths[e] < view.lengths[shortest]) shortest = e;
            longest = fmax(longest, view.lengths[e]);
            // strains are below 1e-2; h grows by a fifth of the way between the middles of two elements
            if (e > 0)
                assert_true(view.lengths[e] < 1.25 * view.lengths[e - 1] &&
                            view.lengths[e - 1] < 1.25 * view.lengths[e]);
        }
        while (view.positions[touchdown].z < -DEPTH + 0.045) touchdown += 1;
        assert_true(abs(shortest - touchdown) <= 2); // found with elements of twice the length
        // an element's length is the mean of h over it
        assert_close(view.lengths[shortest] / longest, 0.2, 0.03);
        hwDestroyWorld(world);
    }
}

// Force at the fairlead in the last of 40 s, frame by frame.
static void RecordForce(int elements, double refine, double* force, int count) {
    hwCableId chain;
    hwWorld* world = MakeChain(elements, refine, true, &chain);
    Run(world, 40.0 - count / 60.0);
    for (int i = 0; i < count; ++i) {
        Run(world, 1.0 / 60.0);
        force[i] = Read(world, "chain.b.tension");
    }
    hwDestroyWorld(world);
}

// With as many elements, and so at the same cost, the force of a moving chain is nearer to the converged one.
static void refining_pays(void** state) {
    (void)state;
    enum { COUNT = 1200 };
    static double exact[COUNT], plain[COUNT], refined[COUNT];
    RecordForce(400, 1.0, exact, COUNT);
    RecordForce(40, 1.0, plain, COUNT);
    RecordForce(40, 0.2, refined, COUNT);
    double off[2] = {0.0, 0.0}, mean = 0.0, varying = 0.0;
    for (int i = 0; i < COUNT; ++i) mean += exact[i] / COUNT;
    for (int i = 0; i < COUNT; ++i) {
        off[0] += (plain[i] - exact[i]) * (plain[i] - exact[i]);
        off[1] += (refined[i] - exact[i]) * (refined[i] - exact[i]);
        varying += (exact[i] - mean) * (exact[i] - mean);
    }
    // RMS over RMS: 1.9 % and 0.7 % as measured
    assert_true(sqrt(off[1] / varying) < 0.012);
    assert_true(off[1] < 0.36 * off[0]);
}

static void what_cannot_be_refined_is_refused(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = hwCreateWorld(&(hwWorldDef){0}, &error);
    assert_null(world);
    hwWorldDef worldDef = hwDefaultWorldDef();
    world = hwCreateWorld(&worldDef, &error);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 10;
    section.diameter = 0.02;
    section.massPerLength = 1.0;
    section.EA = 1e6;
    hwCableDef def = hwDefaultCableDef();
    def.name = "wire";
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = Pin(earth, hwVec3_zero);
    def.refine = 0.0;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &def, &error)));
    assert_non_null(strstr(error.message, "wire: it is refined to 0"));
    def.refine = 0.5;
    def.kind = HW_CABLE_PID;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &def, &error)));
    def.kind = HW_CABLE_DYNAMIC;
    hwCableId wire = hwWorld_AddCable(world, &def, &error);
    assert_false(HW_IS_NULL(wire));
    Prepare(world); // nothing touches: the mesh stays even
    hwCableView view;
    assert_status(hwCable_GetView(world, wire, &view, NULL), HW_OK);
    assert_close(view.lengths[0], view.lengths[9], 1e-3);
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = wire;
    assert_false(HW_IS_NULL(hwWorld_AddWinch(world, &winch, &error)));
    assert_int_equal(hwWorld_Prepare(world, &error), HW_ERROR_MODEL);
    assert_non_null(strstr(error.message, "end a is on a winch"));
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_short_at_touchdown),
        cmocka_unit_test(refining_pays),
        cmocka_unit_test(what_cannot_be_refined_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
