// Files whose columns come when they hold a number for the first time: nodes that contact adds to a cable.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hawser/cable.h"
#include "hawser/extremes.h"
#include "hawser/hawser.h"
#include "hawser/scene.h"
#include "results_util.h"

#include <math.h>

static const hwChannelInfo g_table[] = {{"world.time", "s"}, {"a", "m"}, {"b", "N"}, {"c", "1"},
                                        {"d", "m"},          {"e", "m"}, {"f", "N"}};
static const int g_rooms[] = {0, 3, 0, 9, 3, 0, 9};
enum { COUNT = 7, ROWS = 9 };

// Channels a and d have numbers from row 4 on, c and f never, or from row 6 on.
static double GetValue(int row, int channel, bool late) {
    if (g_rooms[channel] == 3 && row < (channel == 4 ? 5 : 4)) return (double)NAN;
    if (g_rooms[channel] == 9 && !(late && row >= 6)) return (double)NAN;
    return channel == 0 ? 0.1 * row : row + 0.01 * channel;
}

static void AssertSame(double a, double b) {
    assert_true(a == b || (isnan(a) && isnan(b)));
}

static void CheckFile(const char* path, bool late, int rows, bool extremes) {
    hwError error;
    hwResults* results = hwOpenResults(path, &error);
    if (!results) fail_msg("%s", error.message);
    assert_int_equal(hwResults_GetRowCount(results), rows);
    assert_int_equal(hwResults_GetChannelCount(results), rows <= 4 ? 3 : late && rows > 6 ? 7 : 5);
    for (int i = 0; i < COUNT; ++i) {
        int column = hwResults_FindChannel(results, g_table[i].name);
        bool there =
            g_rooms[i] == 0 || (g_rooms[i] == 3 && rows > 4) || (g_rooms[i] == 9 && late && rows > 6);
        assert_int_equal(column >= 0, there);
        if (!there) continue;
        assert_string_equal(hwResults_GetChannel(results, column).unit, g_table[i].unit);
        for (int r = 0; r < rows; ++r) {
            double row[COUNT];
            assert_int_equal(hwResults_ReadRows(results, r, 1, row, &error), HW_OK);
            AssertSame(row[column], GetValue(r, i, late));
        }
        if (extremes) assert_true(hwResults_GetExtreme(results, column)->max == 100.0 + i);
    }
    hwCloseResults(results);
}

static void ColumnsComeWithTheirNumbers(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    for (int kind = 0; kind < 12; ++kind) {
        bool csv = kind % 3 == 0, compressed = kind % 3 == 2, late = kind / 3 % 2 == 1, live = kind < 6;
        const char* path = Scratch_Path(&scratch, csv ? "rows.csv" : "rows.h5");
        hwError error;
        hwExtreme extremes[COUNT];
        for (int i = 0; i < COUNT; ++i) extremes[i] = (hwExtreme){.max = 100.0 + i};
        hwRecorderDef def = hwDefaultRecorderDef();
        def.path = path;
        def.channelCount = COUNT;
        def.channels = g_table;
        def.rooms = g_rooms;
        def.scene = "hawser: 1\n";
        def.extremes = extremes;
        def.live = live;
        def.compression = compressed ? HW_COMPRESS_EXACT : HW_COMPRESS_NONE;
        hwRecorder* recorder = hwCreateRecorder(&def, &error);
        if (!recorder) fail_msg("%s", error.message);
        for (int r = 0; r < ROWS; ++r) {
            double row[COUNT];
            for (int i = 0; i < COUNT; ++i) row[i] = GetValue(r, i, late);
            assert_int_equal(hwRecorder_Append(recorder, 1, row, &error), HW_OK);
            assert_int_equal(hwRecorder_GetChannelCount(recorder), r < 4 ? 3 : late && r >= 6 ? 7 : 5);
            assert_int_equal(hwRecorder_Flush(recorder, &error), HW_OK);
            // a run that is killed now leaves all of it; of a compressed file whole chunks
            if (live && !compressed) CheckFile(path, late, r + 1, false);
        }
        for (int i = 0; i < COUNT; ++i) extremes[i].max = 100.0 + i;
        assert_int_equal(hwRecorder_SetExtremes(recorder, extremes, &error), HW_OK);
        assert_int_equal(hwRecorder_Finish(recorder, NULL, &error), HW_OK);
        hwDestroyRecorder(recorder);
        CheckFile(path, late, ROWS, !csv);
        assert_int_equal(Scratch_Count(&scratch), 1); // nothing is left beside it
        assert_int_equal(unlink(path), 0);
    }
    Scratch_Close(&scratch);
}

static const char g_scene[] =
    "hawser: 1\nname: rope\nduration: 1\nmaterials: {steel: {young: 2e7, damping: 1e4, friction: 0.1}}\n"
    "bodies:\n"
    "  - {name: pipe, motion: fixed, position: [0, 0, -2], shapes: [{cylinder: [0.4, 6], attitude: {rpy_deg: "
    "[90, 0, 0]}, material: steel}]}\n"
    "  - {name: weight, mass: 60, inertia: [3, 3, 3], position: [3, 0, -1.3]}\n"
    "cables:\n  - name: rope\n    sections: [{length: 6, elements: 6, diameter: 0.03, mass_per_length: 2, "
    "EA: 2e5, EI: 1, material: steel}]\n"
    "    ends: {a: {on: earth, at: [-3, 0, -1.3]}, b: {on: weight}}\n";

// What may be inserted where the rope lies on the pipe has channels, but only what is there is recorded unless it is named.
static void NodesOfContactAreRecordedWhenTheyCome(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    hwError error;
    hwScene* scene = hwParseScene(g_scene, strlen(g_scene), "rope.yaml", NULL, &error);
    if (!scene) fail_msg("%s", error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (!world) fail_msg("%s", error.message);
    int total = hwWorld_GetChannelCount(world), count = 0, there = 0;
    int *channels = malloc((size_t)total * sizeof(int)), *rooms = malloc((size_t)total * sizeof(int));
    assert_int_equal(hwWorld_SelectChannels(world, 0, NULL, channels, &count, &error), HW_OK);
    // all of them by names that hold a bracket
    const char* const named[] = {"rope.node[*"};
    hwWorld_FindRooms(world, 1, named, count, channels, rooms);
    for (int i = 0; i < count; ++i)
        if (strstr(hwWorld_GetChannel(world, channels[i]).name, ".node[")) assert_int_equal(rooms[i], 0);
    hwWorld_FindRooms(world, 0, NULL, count, channels, rooms);
    hwChannelInfo* infos = malloc((size_t)count * sizeof(hwChannelInfo));
    for (int i = 0; i < count; ++i) {
        infos[i] = hwWorld_GetChannel(world, channels[i]);
        bool absent = isnan(hwWorld_ReadChannel(world, channels[i]));
        // nothing that has a value is left out, and nothing of the rope that has none is kept
        if (rooms[i] > 0) assert_true(absent);
        if (absent && strchr(infos[i].name, '[')) assert_true(rooms[i] > 0);
        there += rooms[i] == 0;
    }
    assert_true(count > 800 && there < 250);
    hwRecorderDef def = hwDefaultRecorderDef();
    def.path = Scratch_Path(&scratch, "rope.h5");
    def.channelCount = count;
    def.channels = infos;
    def.rooms = rooms;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    if (!recorder) fail_msg("%s", error.message);
    assert_int_equal(hwRecorder_GetChannelCount(recorder), there);
    double* rows = malloc(11 * (size_t)count * sizeof(double));
    for (int r = 0; r <= 10; ++r) {
        double* row = rows + (size_t)r * (size_t)count;
        hwWorld_ReadChannels(world, count, channels, row);
        assert_int_equal(hwRecorder_Append(recorder, 1, row, &error), HW_OK);
        assert_true(hwWorld_Step(world, 0.1, &error) >= HW_OK);
    }
    hwCableView view;
    assert_int_equal(hwCable_GetView(world, hwWorld_FindCable(world, "rope"), &view, &error), HW_OK);
    assert_true(view.nodeCount > 7); // some were inserted
    assert_int_equal(hwRecorder_Finish(recorder, NULL, &error), HW_OK);
    hwDestroyRecorder(recorder);
    hwResults* results = hwOpenResults(def.path, &error);
    if (!results) fail_msg("%s", error.message);
    int columns = hwResults_GetChannelCount(results);
    assert_true(columns > there && columns < count);
    double* row = malloc((size_t)columns * sizeof(double));
    for (int r = 0; r <= 10; ++r) {
        assert_int_equal(hwResults_ReadRows(results, r, 1, row, &error), HW_OK);
        for (int i = 0; i < count; ++i) {
            int column = hwResults_FindChannel(results, infos[i].name);
            double value = rows[(size_t)r * (size_t)count + (size_t)i];
            AssertSame(column >= 0 ? row[column] : (double)NAN, value);
        }
    }
    hwCloseResults(results);
    free(row);
    free(rows);
    free(infos);
    free(rooms);
    free(channels);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    Scratch_Close(&scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ColumnsComeWithTheirNumbers),
        cmocka_unit_test(NodesOfContactAreRecordedWhenTheyCome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
