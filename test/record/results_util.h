// What the tests of results share: a scratch folder, a recorder of made-up channels, and numbers to put into them.
#ifndef HW_TEST_RESULTS_UTIL_H
#define HW_TEST_RESULTS_UTIL_H

#include "hawser/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Scratch {
    char folder[64];
    char path[8][160];
    int next;
} Scratch;

static inline void Scratch_Open(Scratch* scratch) {
    *scratch = (Scratch){.folder = "/tmp/hawser-test-XXXXXX"};
    assert_non_null(mkdtemp(scratch->folder));
}

static inline const char* Scratch_Path(Scratch* scratch, const char* name) {
    char folder[sizeof(scratch->folder)];
    memcpy(folder, scratch->folder, sizeof(folder));
    char* path = scratch->path[scratch->next++ % 8];
    snprintf(path, sizeof(scratch->path[0]), "%s/%s", folder, name);
    return path;
}

static inline void Scratch_Close(Scratch* scratch) {
    char command[128];
    snprintf(command, sizeof(command), "rm -rf %s", scratch->folder);
    assert_int_equal(system(command), 0);
}

// Number of entries of the scratch folder.
static inline int Scratch_Count(Scratch* scratch) {
    char command[128];
    snprintf(command, sizeof(command), "ls -A %s | wc -l", scratch->folder);
    FILE* pipe = popen(command, "r");
    int count = -1;
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static const hwChannelInfo g_channels[] = {
    {"world.time", "s"},
    {"buoy.position.x", "m"},
    {"buoy.position.y", "m"},
    {"buoy.position.z", "m"},
    {"buoy.velocity.x", "m/s"},
    {"buoy.velocity.y", "m/s"},
    {"buoy.velocity.z", "m/s"},
    {"wire.node[0].position.x", "m"},
    {"wire.node[0].position.y", "m"},
    {"wire.node[0].position.z", "m"},
    {"wire.node[1].position.x", "m"},
    {"wire.node[1].position.y", "m"},
    {"wire.node[1].position.z", "m"},
    {"odd,\"name\"", "k<g & m"},
};
#define CHANNEL_COUNT ((int)(sizeof(g_channels) / sizeof(g_channels[0])))

// A number of any magnitude and sign that depends on row and channel only; some are not finite.
static inline double MakeValue(int64_t row, int channel) {
    if (channel == 0) return (double)row / 100;
    uint64_t x = (uint64_t)row * 1000003u + (uint64_t)channel * 7919u + 1;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    double value;
    memcpy(&value, &x, sizeof(value));
    return value;
}

static inline void AppendMade(hwRecorder* recorder, int channels, int64_t first, int count) {
    double* values = malloc((size_t)channels * (size_t)count * sizeof(double));
    assert_non_null(values);
    for (int row = 0; row < count; ++row) {
        for (int i = 0; i < channels; ++i) values[row * channels + i] = MakeValue(first + row, i);
    }
    hwError error;
    assert_int_equal(hwRecorder_Append(recorder, count, values, &error), HW_OK);
    free(values);
}

// All rows are there with all their bits; not-a-numbers only as such.
static inline void AssertMade(hwResults* results, int channels, int64_t rows) {
    assert_int_equal(hwResults_GetChannelCount(results), channels);
    assert_int_equal(hwResults_GetRowCount(results), rows);
    double* values = malloc((size_t)channels * (size_t)rows * sizeof(double) + 8);
    assert_non_null(values);
    hwError error;
    assert_int_equal(hwResults_ReadRows(results, 0, rows, values, &error), HW_OK);
    for (int64_t row = 0; row < rows; ++row) {
        for (int i = 0; i < channels; ++i) {
            double expected = MakeValue(row, i), found = values[row * channels + i];
            bool same =
                expected != expected ? found != found : memcmp(&expected, &found, sizeof(double)) == 0;
            if (!same)
                fail_msg("row %lld channel %d: %.17g instead of %.17g", (long long)row, i, found, expected);
        }
    }
    free(values);
}

static inline hwRecorderDef MadeDef(const char* path) {
    hwRecorderDef def = hwDefaultRecorderDef();
    def.path = path;
    def.channelCount = CHANNEL_COUNT;
    def.channels = g_channels;
    def.scene = "hawser: 1\nname: made up\n";
    snprintf(def.info.title, sizeof(def.info.title), "made up");
    snprintf(def.info.solver, sizeof(def.info.solver), "realtime");
    def.info.interval = 0.01;
    def.info.duration = 5;
    return def;
}

#endif
