// Ends of cables that are held in or on the bottom: the ground carries the cable, it does not push what holds the end.
#include "rig.h"

static const double depth = 30.0;

// A chain of 20 kg/m and 60 mm: 17 kg/m in water.
static hwCableSectionDef MakeChain(double length, int elements) {
    hwCableSectionDef chain = hwDefaultCableSectionDef();
    chain.length = length;
    chain.elements = elements;
    chain.diameter = 0.06;
    chain.massPerLength = 20.0;
    chain.EA = 1e8;
    return chain;
}

static double GetWeight(const hwCableSectionDef* chain) {
    return 9.81 * (chain->massPerLength - 1025.0 * 0.25 * HW_PI * chain->diameter * chain->diameter);
}

static hwWorld* MakeSea(double slope) {
    static double heights[4];
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.statics = true;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = 1025.0;
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = depth;
    sea.seabed.stiffness = 3e6;
    sea.seabed.friction = 0.0;
    if (slope >= 0.0) { // rises by `slope` along y, by nothing along the cable
        sea.seabed.kind = HW_SEABED_HEIGHTFIELD;
        sea.seabed.columns = sea.seabed.rows = 2;
        sea.seabed.spacing = 1000.0;
        sea.seabed.origin = hwMakeVec3(-500.0, -500.0, -depth);
        heights[0] = heights[1] = -500.0 * slope;
        heights[2] = heights[3] = 500.0 * slope;
        sea.seabed.heights = heights;
    }
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    return world;
}

// Most of the chain lies: the anchor feels the horizontal pull and nothing of its weight.
static void anchor_of_a_lying_chain_carries_no_weight(void** state) {
    (void)state;
    for (int field = 0; field < 2; ++field) {
        for (int elements = 10; elements <= 160; elements *= 4) {
            hwWorld* world = MakeSea(field ? 0.0 : -1.0);
            hwCableSectionDef chain = MakeChain(200.0, elements);
            AddCable(world, "chain", &chain, Pin(earth, hwMakeVec3(0.0, 0.0, -depth)),
                     Pin(earth, hwMakeVec3(192.0, 0.0, 0.0)), 0);
            Prepare(world);
            double H = -Read(world, "chain.b.force.x"), up = Read(world, "chain.a.force.z");
            // the bed rises by half a diameter over the chain's length: H times 1.5e-4
            assert_close(up, 0.0, 2e-4 * H);
            assert_close(Read(world, "chain.a.tension"), H, 1e-3 * H);
            hwDestroyWorld(world);
        }
    }
}

// Lifted off, all of it hangs: the two ends carry its weight, and none goes to the ground.
static void anchor_of_a_lifted_chain_is_not_relieved(void** state) {
    (void)state;
    hwWorld* world = MakeSea(-1.0);
    hwCableSectionDef chain = MakeChain(200.0, 10);
    AddCable(world, "chain", &chain, Pin(earth, hwMakeVec3(0.0, 0.0, -depth)),
             Pin(earth, hwMakeVec3(197.5, 0.0, -1.0)), 0);
    Prepare(world);
    double up = Read(world, "chain.a.force.z"), down = Read(world, "chain.b.force.z");
    assert_true(up > 0.0);
    // as exactly as equilibrium is found
    assert_close(up + down, -200.0 * GetWeight(&chain), 1e-6 * -down);
    hwDestroyWorld(world);
}

// A chain on a body that stands still in the ground does not push it up, however deep its end is in it.
static void body_in_the_ground_is_not_pushed_by_its_chain(void** state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        hwError error;
        hwWorld* world = MakeSea(-1.0);
        hwBodyDef block = hwDefaultBodyDef();
        block.name = "block";
        block.motion = HW_MOTION_FIXED;
        block.position = hwMakeVec3(0.0, 0.0, -depth);
        hwBodyId id = hwWorld_AddBody(world, &block, &error);
        assert_false(HW_IS_NULL(id));
        hwCableSectionDef chain = MakeChain(200.0, 40);
        AddCable(world, "chain", &chain, Pin(id, hwMakeVec3(0.0, 0.0, i == 0 ? -0.05 : -0.2)),
                 Pin(earth, hwMakeVec3(192.0, 0.0, 0.0)), 0);
        Prepare(world);
        double up = Read(world, "chain.a.force.z"), H = -Read(world, "chain.b.force.x");
        // What is left is the pull of the first element, as steep as the way out of the ground, and half as much by which
        // the node beside presses on the ground for it. Pushed out, it was 36 kN and more.
        double deep = i == 0 ? 0.05 : 0.2;
        assert_close(up, 1.5 * H * (deep + 0.03) / 5.0, 0.05 * H * (deep + 0.03) / 5.0);
        hwDestroyWorld(world);
    }
}

// Let go, the chain slips along its bed. It must not jump: what drives it is its pull, level with the bottom.
static void chain_let_go_on_the_bottom_does_not_jump(void** state) {
    (void)state;
    hwWorld* world = MakeSea(-1.0);
    hwError error;
    hwCableSectionDef chain = MakeChain(200.0, 40);
    hwCableId id = AddCable(world, "chain", &chain, Pin(earth, hwMakeVec3(0.0, 0.0, -depth)),
                            Pin(earth, hwMakeVec3(192.0, 0.0, 0.0)), 0);
    Prepare(world);
    assert_status(hwCable_Detach(world, id, 0, &error), HW_OK);
    double highest = 0.0;
    for (int i = 0; i < 30; ++i) {
        Run(world, 1.0 / 60.0);
        highest = fmax(highest, fabs(Read(world, "chain.node[0].position.z") + depth));
    }
    // a radius would be out of the bed altogether
    assert_true(highest < 0.01);
    hwDestroyWorld(world);
}

// A dry ground of 1e4 Pa/m that neither damps nor rubs, 10 m below: whatever is dissipated, something else has taken.
static hwWorld* MakeSoftGround(void) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef ground = hwDefaultEnvironmentDef();
    ground.seabed.kind = HW_SEABED_PLANE;
    ground.seabed.depth = 10.0;
    ground.seabed.stiffness = 1e4;
    assert_status(hwWorld_SetEnvironment(world, &ground, &error), HW_OK);
    return world;
}

static hwCableSectionDef MakeRope(double length, int elements) {
    hwCableSectionDef rope = hwDefaultCableSectionDef();
    rope.length = length;
    rope.elements = elements;
    rope.diameter = 0.05;
    rope.massPerLength = 2.0;
    rope.EA = 1e6;
    return rope;
}

typedef struct Books {
    double fallen, drift,
        scale; // J: what dissipation has fallen by, the balance's error, energy that changed hands
} Books;

// Dissipation only grows where every energy belongs to a force. What the method puts in is its own.
static Books RunBooks(hwWorld* world, double duration) {
    Books books = {0};
    hwEnergy start = hwWorld_GetEnergy(world);
    double most = start.dissipated;
    for (int frame = 0; frame < (int)lround(60.0 * duration); ++frame) {
        Run(world, 1.0 / 60.0);
        hwEnergy now = hwWorld_GetEnergy(world);
        most = fmax(most, now.dissipated);
        books.fallen = fmax(books.fallen, most - now.dissipated);
        double grown =
            now.kinetic + now.potential + now.elastic - start.kinetic - start.potential - start.elastic;
        books.drift = fmax(books.drift, fabs(grown + now.dissipated - start.dissipated + now.method -
                                             start.method - now.work + start.work));
        books.scale = fmax(books.scale, now.kinetic + now.elastic + fabs(now.potential - start.potential));
    }
    return books;
}

// A body without a shape falls through the ground and bounces on its rope, whose end is deeper than the node beside it. Was the
// end pushed by the depth of that node, the ground gave back more than it had taken.
static void body_that_bounces_in_the_ground_gains_nothing(void** state) {
    (void)state;
    hwWorld* world = MakeSoftGround();
    hwCableSectionDef rope = MakeRope(14.0, 7);
    hwBodyId load = AddLoad(world, "load", 500.0, hwMakeVec3(6.0, 0.0, -4.0));
    AddCable(world, "rope", &rope, Pin(earth, hwVec3_zero), Pin(load, hwVec3_zero), 0);
    Prepare(world);
    Books books = RunBooks(world, 6.0);
    assert_true(Read(world, "load.position.z") < -10.0);
    // a step's error of what a contact stores, which is dissipated in the books
    assert_true(books.fallen < 2e-3 * books.scale);
    assert_true(books.drift < 1e-3 * books.scale);
    hwDestroyWorld(world);
}

// Let go below the ground an end is pushed out of it: that energy is work of what held it there, and was dissipation below zero.
static void end_let_go_in_the_ground_brings_work(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeSoftGround();
    hwCableSectionDef rope = MakeRope(14.0, 7);
    hwBodyDef block = hwDefaultBodyDef();
    block.name = "block";
    block.motion = HW_MOTION_FIXED;
    block.position = hwMakeVec3(3.0, 0.0, -13.0);
    hwBodyId id = hwWorld_AddBody(world, &block, &error);
    assert_false(HW_IS_NULL(id));
    hwCableId cable = AddCable(world, "rope", &rope, Pin(earth, hwVec3_zero), Pin(id, hwVec3_zero), 0);
    Prepare(world);
    Run(world, 0.5);
    hwEnergy before = hwWorld_GetEnergy(world);
    assert_status(hwCable_Detach(world, cable, 1, &error), HW_OK);
    hwEnergy after = hwWorld_GetEnergy(world);
    // k A d^2/2 of half an element: 1e4 Pa/m, 0.05 m by 1 m, the depth of the underside
    double exact = 0.5 * 1e4 * 0.05 * 1.0 * 3.025 * 3.025;
    assert_close(after.elastic - before.elastic, exact, 1e-9 * exact);
    assert_close(after.work - before.work, exact, 1e-9 * exact);
    assert_close(after.dissipated - before.dissipated, 0.0, 1e-9 * exact);
    Books books = RunBooks(world, 2.0);
    assert_true(books.fallen < 2e-3 * books.scale);
    hwDestroyWorld(world);
}

// A winch below the ground presses what it pays out into it.
static void winch_in_the_ground_does_the_work_of_paying_out(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeSoftGround();
    hwCableSectionDef rope = MakeRope(8.0, 8);
    hwBodyId load = AddLoad(world, "load", 2000.0, hwMakeVec3(0.0, 0.0, -7.9));
    hwCableId cable = AddCable(world, "rope", &rope, Pin(load, hwVec3_zero), Pin(earth, hwVec3_zero), 0);
    hwSignalTerm rate = hwConstantTerm(hwMakeVec3(2.0, 0.0, 0.0));
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = cable;
    winch.setpoint = (hwSignal){1, &rate};
    assert_false(HW_IS_NULL(hwWorld_AddWinch(world, &winch, &error)));
    Prepare(world);
    Books books = RunBooks(world, 3.0);
    assert_true(Read(world, "load.position.z") < -12.0);
    assert_true(books.fallen < 2e-3 * books.scale);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anchor_of_a_lying_chain_carries_no_weight),
        cmocka_unit_test(anchor_of_a_lifted_chain_is_not_relieved),
        cmocka_unit_test(body_in_the_ground_is_not_pushed_by_its_chain),
        cmocka_unit_test(chain_let_go_on_the_bottom_does_not_jump),
        cmocka_unit_test(body_that_bounces_in_the_ground_gains_nothing),
        cmocka_unit_test(end_let_go_in_the_ground_brings_work),
        cmocka_unit_test(winch_in_the_ground_does_the_work_of_paying_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
