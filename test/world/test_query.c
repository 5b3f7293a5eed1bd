// Looking at a world: its objects, its sea; and that looking changes nothing.
#include "hawser/hawser.h"

#include "support.h"

static hwWorld* MakeSea(hwBodyId* id) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    hwAiryDef swell = {.height = 1.0, .period = 9.0, .direction = 0.4, .phase = 0.3};
    sea.water = true;
    sea.airyCount = 1;
    sea.airy = &swell;
    sea.jonswap =
        (hwJonswapDef){.hs = 2.0, .tp = 7.0, .gamma = 3.3, .spreading = 10.0, .seed = 3, .components = 50};
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = 40.0;
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    hwShapeDef ball = hwDefaultShapeDef();
    ball.kind = HW_SHAPE_SPHERE;
    ball.radius = 0.4;
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "buoy";
    body.mass = 100.0;
    body.shapeCount = 1;
    body.shapes = &ball;
    *id = hwWorld_AddBody(world, &body, &error);
    hwEventDef push = {0.5, "buoy.force.x", 30.0};
    assert_status(hwWorld_AddEvent(world, &push, &error), HW_OK);
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    return world;
}

static void test_ComponentsAddUpToTheSurface(void** state) {
    (void)state;
    hwBodyId id;
    hwWorld* world = MakeSea(&id);
    hwWaveComponent waves[64];
    assert_int_equal(hwWorld_GetWaves(world, 0, NULL), 51);
    assert_int_equal(hwWorld_GetWaves(world, 64, waves), 51);
    for (int i = 1; i < 51; ++i) assert_true(waves[i].k >= waves[i - 1].k);
    uint64_t random = 4;
    for (int trial = 0; trial < 20; ++trial) {
        hwVec3 p = hwScale(30.0, TestRandomVec3(&random));
        double time = 50.0 * (1.0 + TestRandom(&random)), sum = 0.0;
        hwFluidSample sample;
        assert_status(hwWorld_SampleFluid(world, 1, &p, time, &sample, NULL), HW_OK);
        for (int i = 0; i < 51; ++i) {
            double along = p.x * cos(waves[i].direction) + p.y * sin(waves[i].direction);
            sum += waves[i].amplitude * cos(waves[i].k * along - waves[i].omega * time + waves[i].phase);
        }
        assert_close(sample.surface, sum, 1e-11); // rounding of phases of some hundred radians
    }
    hwDestroyWorld(world);
}

static void test_ObjectsAreAsDescribed(void** state) {
    (void)state;
    hwBodyId id, ids[4];
    hwWorld* world = MakeSea(&id);
    assert_int_equal(hwWorld_GetBodies(world, 4, ids), 1);
    assert_true(HW_SAME_ID(ids[0], id));
    assert_int_equal(hwBody_GetDef(world, id)->shapeCount, 1);
    assert_null(hwBody_GetDef(world, (hwBodyId){7, 1}));
    assert_int_equal(hwWorld_GetVehicles(world, 0, NULL), 0);
    assert_close(hwWorld_GetEnvironment(world)->seabed.depth, 40.0, 0.0);
    hwVec3 normal;
    assert_close(hwWorld_GetSeabed(world, 3.0, 4.0, &normal), -40.0, 1e-12);
    assert_close(normal.z, 1.0, 0.0);
    hwDestroyWorld(world);
}

// The event makes accelerations unknown at the end of a step: a look then must not leave a trace.
static void test_LookingLeavesNoTrace(void** state) {
    (void)state;
    hwBodyId id;
    hwWorld* seen = MakeSea(&id);
    hwWorld* alone = MakeSea(&id);
    int channel = hwWorld_FindChannel(seen, "buoy.acceleration.x");
    int input = hwWorld_FindInput(seen, "buoy.torque.z");
    for (int i = 0; i < 20; ++i) {
        if (i == 13) {
            assert_status(hwWorld_SetInput(seen, input, 5.0, NULL), HW_OK);
            assert_status(hwWorld_SetInput(alone, input, 5.0, NULL), HW_OK);
        }
        assert_false(isnan(hwWorld_ReadChannel(seen, channel)));
        assert_true(hwWorld_Step(seen, 0.05, NULL) >= HW_OK);
        assert_true(hwWorld_Step(alone, 0.05, NULL) >= HW_OK);
        assert_false(isnan(hwWorld_ReadChannel(seen, channel)));
    }
    assert_true(hwWorld_HashState(seen) != 0);
    hwWorld_ReadChannel(alone, channel);
    assert_true(hwWorld_HashState(seen) == hwWorld_HashState(alone));
    hwDestroyWorld(seen);
    hwDestroyWorld(alone);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ComponentsAddUpToTheSurface),
        cmocka_unit_test(test_ObjectsAreAsDescribed),
        cmocka_unit_test(test_LookingLeavesNoTrace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
