// Seas from files and formulas: a recorded surface comes back at its times, spectra have their heights, mistakes a place.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hawser/hawser.h"
#include "hawser/scene.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char g_folder[64];

static int OpenFolder(void** state) {
    (void)state;
    strcpy(g_folder, "/tmp/hawser-seas-XXXXXX");
    return mkdtemp(g_folder) && chdir(g_folder) == 0 ? 0 : -1;
}

static int CloseFolder(void** state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof(command), "rm -rf %s", g_folder);
    return chdir("/") == 0 ? system(command) : -1;
}

static hwScene* Parse(const char* waves, hwError* error) {
    char text[1000];
    snprintf(text, sizeof(text),
             "hawser: 1\nname: sea\nduration: 1\nenvironment:\n  water: {}\n  waves: %s\n"
             "  gauges: [{name: buoy, at: [0, 0]}]\n",
             waves);
    return hwParseScene(text, strlen(text), "sea.yaml", ".", error);
}

static hwWorld* MakeWorld(const char* waves) {
    hwError error;
    hwScene* scene = Parse(waves, &error);
    if (!scene) fail_msg("%s", error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (!world) fail_msg("%s", error.message);
    hwDestroyScene(scene);
    return world;
}

// 4 times the standard deviation of the surface.
static double FindHeight(const hwWorld* world) {
    static hwWaveComponent list[2048];
    int count = hwWorld_GetWaves(world, 2048, list);
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += 0.5 * list[i].amplitude * list[i].amplitude;
    return 4.0 * sqrt(sum);
}

static void HeightsAreMet(void** state) {
    (void)state;
    FILE* file = fopen("spectrum.csv", "w");
    assert_non_null(file);
    fputs("f,S\nHz,m2/Hz\n0,0\n0.05,0\n0.1,8\n0.2,0\n0.5,0\n", file);
    fclose(file);
    const struct {
        const char* waves;
        double hs, tolerance;
    } seas[] = {
        {"{torsethaugen: {hs: 3, tp: 8}}", 3.0, 1e-9},
        {"{torsethaugen: {hs: 3, tp: 15, spreading: 5, seed: 9}}", 3.0, 1e-9},
        {"{ochi_hubble: {hs: [1.5, 2], tp: [13, 7], lambda: [3, 1]}}", 2.5, 1e-9},
        {"[{jonswap: {hs: 1.5, tp: 14, gamma: 5}}, {jonswap: {hs: 2, tp: 6, direction_deg: 60, seed: 2}}]",
         2.5, 1e-9},
        {"{spectrum: {file: spectrum.csv, density: S, frequency: f}}", 4.0 * sqrt(0.6), 1e-9},
        {"{spectrum: {file: spectrum.csv, density: S, hs: 2, components: 100}}", 2.0, 1e-9},
        // the same rows as rad/s and m2 s: the same variance
        {"{spectrum: {file: spectrum.csv, density: S, unit: rad}}", 4.0 * sqrt(0.6), 1e-9},
    };
    for (size_t i = 0; i < sizeof(seas) / sizeof(seas[0]); ++i) {
        hwWorld* world = MakeWorld(seas[i].waves);
        assert_close(FindHeight(world), seas[i].hs, seas[i].tolerance);
        hwDestroyWorld(world);
    }
}

// At the origin the surface is the record, at its own times.
static void ARecordComesBack(void** state) {
    (void)state;
    enum { ROWS = 256 };
    double record[ROWS], mean = 0.0;
    uint64_t seed = 3;
    FILE* file = fopen("elevation.csv", "w");
    assert_non_null(file);
    fputs("t,eta\n", file);
    for (int i = 0; i < ROWS; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        record[i] = 0.3 + sin(0.7 * i * 0.5) + 1e-3 * (double)(seed >> 50) / 16.0;
        mean += record[i] / ROWS;
        fprintf(file, "%.6f,%.12f\n", 20.0 + 0.5 * i, record[i]);
    }
    fclose(file);
    hwWorld* world = MakeWorld("{elevation: {file: elevation.csv, column: eta, direction_deg: 30}}");
    hwVec3 origin = hwVec3_zero;
    for (int i = 0; i < ROWS; ++i) {
        hwFluidSample sample;
        hwError error;
        assert_status(hwWorld_SampleFluid(world, 1, &origin, 20.0 + 0.5 * i, &sample, &error), HW_OK);
        assert_close(sample.surface, record[i] - mean, 1e-9);
    }
    hwDestroyWorld(world);
}

static void MistakesHaveAPlace(void** state) {
    (void)state;
    FILE* file = fopen("bad.csv", "w");
    assert_non_null(file);
    fputs("t,eta,neg\n0,1,-1\n1,2,1\n3,1,1\n4,0,1\n5,0,1\n", file);
    fclose(file);
    const struct {
        const char *waves, *sentence;
    } cases[] = {
        {"{torsethaugen: {hs: 0, tp: 8}}", "`hs`"},
        {"{ochi_hubble: {hs: [0, 0], tp: [13, 7], lambda: [3, 1]}}", "one of the heights"},
        {"{ochi_hubble: {hs: [1], tp: [13, 7], lambda: [3, 1]}}", "`hs`"},
        {"{spectrum: {file: bad.csv, density: S}}", "no column `S`"},
        {"{spectrum: {file: bad.csv, density: neg}}", "the density -1"},
        {"{elevation: {file: bad.csv, column: eta}}", "equal distances"},
        {"{elevation: {file: none.csv, column: eta}}", "none.csv"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        hwError error;
        assert_null(Parse(cases[i].waves, &error));
        if (!strstr(error.message, cases[i].sentence))
            fail_msg("\"%s\" for %s", error.message, cases[i].sentence);
        assert_int_equal(error.line, 6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(HeightsAreMet, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(ARecordComesBack, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(MistakesHaveAPlace, OpenFolder, CloseFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
