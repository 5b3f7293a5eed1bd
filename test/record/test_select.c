// Choosing channels of a world by name and pattern, and recording straight from the world.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hawser/hawser.h"
#include "results_util.h"

static hwWorld* MakeWorld(void) {
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwError error;
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    assert_non_null(world);
    static const char* const names[] = {"buoy", "buoy2"};
    for (int i = 0; i < 2; ++i) {
        hwBodyDef def = hwDefaultBodyDef();
        def.name = names[i];
        def.mass = 1;
        def.inertia[0] = def.inertia[1] = def.inertia[2] = 1;
        def.velocity.x = 1 + i;
        assert_false(HW_IS_NULL(hwWorld_AddBody(world, &def, &error)));
    }
    return world;
}

static void AssertChosen(const hwWorld* world, int patternCount, const char* const* patterns, int count,
                         const char* const* expected) {
    int channels[200], found = 0;
    hwError error;
    if (hwWorld_SelectChannels(world, patternCount, patterns, channels, &found, &error) != HW_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(found, count);
    for (int i = 0; i < count; ++i)
        assert_string_equal(hwWorld_GetChannel(world, channels[i]).name, expected[i]);
}

static void PatternsChooseInOrderAndOnce(void** state) {
    (void)state;
    hwWorld* world = MakeWorld();
    hwError error;
    int channels[200], count = -1;
    assert_int_equal(hwWorld_SelectChannels(world, 0, NULL, channels, &count, &error), HW_ERROR_ORDER);
    assert_int_equal(hwWorld_Prepare(world, &error), HW_OK);
    assert_int_equal(hwWorld_SelectChannels(world, 0, NULL, channels, &count, &error), HW_OK);
    assert_int_equal(count, hwWorld_GetChannelCount(world));
    assert_string_equal(hwWorld_GetChannel(world, channels[0]).name, "world.time");

    AssertChosen(world, 2, (const char* const[]){"buoy2.position.z", "buoy.position.x"}, 3,
                 (const char* const[]){"world.time", "buoy2.position.z", "buoy.position.x"});
    AssertChosen(world, 3, (const char* const[]){"buoy.position.*", "*.position.y", "world.time"}, 5,
                 (const char* const[]){"world.time", "buoy.position.x", "buoy.position.y", "buoy.position.z",
                                       "buoy2.position.y"});
    AssertChosen(world, 1, (const char* const[]){"*y2.v*.*z"}, 2,
                 (const char* const[]){"world.time", "buoy2.velocity.z"});

    assert_int_equal(
        hwWorld_SelectChannels(world, 1, (const char* const[]){"bouy.position.x"}, channels, &count, &error),
        HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "bouy.position.x"));
    assert_non_null(strstr(error.hint, "buoy.position.x"));
    assert_int_equal(
        hwWorld_SelectChannels(world, 1, (const char* const[]){"ship.*"}, channels, &count, &error),
        HW_ERROR_ARGUMENT);
    hwDestroyWorld(world);
}

static void ARecorderReadsTheWorld(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    hwWorld* world = MakeWorld();
    hwError error;
    assert_int_equal(hwWorld_Prepare(world, &error), HW_OK);
    const hwChannelInfo channels[] = {
        {"world.time", "s"}, {"buoy2.position.x", "m"}, {"buoy.position.x", "m"}};
    hwRecorderDef def = hwDefaultRecorderDef();
    def.path = Scratch_Path(&scratch, "a.h5");
    def.channelCount = 3;
    def.channels = channels;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    assert_non_null(recorder);
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(hwRecorder_AppendWorld(recorder, world, &error), HW_OK);
        assert_true(hwWorld_Step(world, 0.5, &error) >= 0);
    }
    assert_int_equal(hwRecorder_Finish(recorder, NULL, &error), HW_OK);
    hwDestroyRecorder(recorder);
    hwResults* results = hwOpenResults(def.path, &error);
    assert_non_null(results);
    double rows[5][3];
    assert_int_equal(hwResults_ReadRows(results, 0, 5, rows[0], &error), HW_OK);
    // Uniform motion: x = v t, to rounding.
    for (int i = 0; i < 5; ++i) {
        assert_true(rows[i][0] == 0.5 * i);
        assert_float_equal((float)rows[i][1], i, 1e-6);
        assert_float_equal((float)rows[i][2], 0.5 * i, 1e-6);
    }
    hwCloseResults(results);

    def.channels = (const hwChannelInfo[]){{"world.time", "s"}, {"ship.x", "m"}, {"buoy.position.x", "m"}};
    recorder = hwCreateRecorder(&def, &error);
    assert_non_null(recorder);
    assert_int_equal(hwRecorder_AppendWorld(recorder, world, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "ship.x"));
    hwDestroyRecorder(recorder);
    hwDestroyWorld(world);
    Scratch_Close(&scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PatternsChooseInOrderAndOnce),
        cmocka_unit_test(ARecorderReadsTheWorld),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
