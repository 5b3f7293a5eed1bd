// A caller that wants to stop is heard in every sub-step and every iteration of statics.
#include "rig.h"

#include "hawser/reference.h"

typedef struct Patience {
    int asked, most; // it is over when it has been asked more often
} Patience;

static bool IsOver(void* context) {
    Patience* patience = context;
    return ++patience->asked > patience->most;
}

// A load on a wire from a point aside, far from where it will hang.
static hwWorld* MakeWorld(Patience* patience, bool statics) {
    hwWorldDef def = hwDefaultWorldDef();
    def.stop = patience != NULL ? IsOver : NULL;
    def.stopContext = patience;
    def.statics = statics;
    hwError error;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwBodyId load = AddLoad(world, "load", 500.0, hwMakeVec3(0.0, 0.0, -20.0));
    hwCableSectionDef wire = hwDefaultCableSectionDef();
    wire.length = 24.0;
    wire.elements = 20;
    wire.diameter = 0.03;
    wire.massPerLength = 3.6;
    wire.EA = 4e7;
    AddCable(world, "wire", &wire, Pin(earth, hwMakeVec3(3.0, 0.0, 0.0)),
             Pin(load, hwMakeVec3(0.0, 0.0, 0.4)), 0);
    return world;
}

static void steps_stop_at_a_good_state_and_go_on(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        Patience patience = {0, 10};
        hwError error;
        hwWorld* world = MakeWorld(&patience, false);
        if (reference) assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error), HW_OK);
        patience.most = 1 << 30;
        Prepare(world);
        patience.asked = 0;
        patience.most = 10;
        assert_status(hwWorld_Step(world, 1000.0, &error), HW_ERROR_STOPPED);
        assert_non_null(strstr(error.message, "stopped at"));
        assert_int_equal(patience.asked, 11); // it is not asked again
        double time = hwWorld_GetTime(world);
        assert_true(time > 0.0 && time < 1000.0);
        assert_close(error.time, time, 0.0);
        // whole, and ready to go on
        assert_true(isfinite(Read(world, "load.position.z")));
        patience.most = 1 << 30;
        assert_status(hwWorld_Step(world, 0.1, &error), HW_OK);
        assert_close(hwWorld_GetTime(world), time + 0.1, 1e-12);
        hwDestroyWorld(world);
    }
}

// Wherever statics is when it is asked to stop, it does, and may begin again.
static void statics_stops_wherever_it_is(void** state) {
    (void)state;
    hwError error;
    Patience counted = {0, 1 << 30};
    hwWorld* world = MakeWorld(&counted, true);
    Prepare(world);
    double z = Read(world, "load.position.z");
    hwDestroyWorld(world);
    assert_true(counted.asked > 20);
    for (int most = 0; most < counted.asked; most += 1 + counted.asked / 40) {
        Patience patience = {0, most};
        world = MakeWorld(&patience, true);
        assert_status(hwWorld_Prepare(world, &error), HW_ERROR_STOPPED);
        assert_non_null(strstr(error.message, "static equilibrium"));
        // asked on the way out of nested searches, but not once for each of their iterations
        assert_true(patience.asked < most + 200);
        patience.most = 1 << 30;
        Prepare(world);
        assert_close(Read(world, "load.position.z"), z, 1e-9);
        hwDestroyWorld(world);
    }
}

// Being asked changes nothing.
static void patience_changes_no_bit(void** state) {
    (void)state;
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        Patience patience = {0, 1 << 30};
        hwError error;
        hwWorld* world = MakeWorld(i == 0 ? NULL : &patience, true);
        Prepare(world);
        assert_status(hwWorld_Step(world, 2.0, &error), HW_OK);
        hashes[i] = hwWorld_HashState(world);
        hwDestroyWorld(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_stop_at_a_good_state_and_go_on),
        cmocka_unit_test(statics_stops_wherever_it_is),
        cmocka_unit_test(patience_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
