// The list of channels: each is found by its name, has a unit, and reads what the state says.
#include "support.h"

#include "hawser/hawser.h"

static hwWorld* MakeWorld(hwBodyId* id) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "load";
    body.mass = 2.0;
    for (int i = 0; i < 3; ++i) body.inertia[i] = 1.0 + i;
    body.position = hwMakeVec3(1.0, -2.0, 3.0);
    body.velocity = hwMakeVec3(0.5, 0.0, 4.0);
    *id = hwWorld_AddBody(world, &body, NULL);
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
    return world;
}

static double Read(const hwWorld* world, const char* name) {
    int channel = hwWorld_FindChannel(world, name);
    if (channel < 0) fail_msg("there is no channel %s", name);
    return hwWorld_ReadChannel(world, channel);
}

static void EveryNameIsFoundAndMeansOneChannel(void** state) {
    (void)state;
    hwBodyId id;
    hwWorld* world = MakeWorld(&id);
    int count = hwWorld_GetChannelCount(world);
    assert_true(count > 15);
    for (int i = 0; i < count; ++i) {
        hwChannelInfo info = hwWorld_GetChannel(world, i);
        assert_true(info.name != NULL && info.name[0] != 0 && info.unit != NULL);
        assert_int_equal(hwWorld_FindChannel(world, info.name), i);
        assert_true(isfinite(hwWorld_ReadChannel(world, i)));
    }
    assert_true(hwWorld_FindChannel(world, "load.position") < 0);
    assert_true(hwWorld_FindChannel(world, "LOAD.position.x") < 0);
    hwDestroyWorld(world);
}

// What is recorded of a body is its state, and the energies are those of a throw.
static void ChannelsReadTheState(void** state) {
    (void)state;
    hwBodyId id;
    hwWorld* world = MakeWorld(&id);
    double total = Read(world, "world.energy");
    for (int step = 0; step < 5; ++step) {
        hwBodyState at;
        assert_status(hwBody_GetState(world, id, &at, NULL), HW_OK);
        assert_close(Read(world, "load.position.x"), at.position.x, 0.0);
        assert_close(Read(world, "load.position.z"), at.position.z, 0.0);
        assert_close(Read(world, "load.velocity.z"), at.velocity.z, 0.0);
        assert_close(Read(world, "world.energy.kinetic"), hwLengthSquared(at.velocity),
                     1e-12); // m = 2 kg, no rotation
        // nothing is lost in flight: 40 J to rounding
        assert_close(Read(world, "world.energy"), total, 1e-10 * (1.0 + fabs(total)));
        assert_true(hwWorld_Step(world, 0.1, NULL) >= HW_OK);
        assert_close(Read(world, "world.time"), 0.1 * (step + 1), 1e-15);
    }
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(EveryNameIsFoundAndMeansOneChannel),
                                       cmocka_unit_test(ChannelsReadTheState)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
