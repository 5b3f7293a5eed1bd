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

// Harmonics that are left out are missing in the sea: more than a hundredth of its variance is said.
static void HarmonicsLeftOutAreSaid(void** state) {
    (void)state;
    FILE* file = fopen("three.csv", "w");
    assert_non_null(file);
    fputs("t,eta\n", file);
    for (int i = 0; i < 240; ++i) {
        double t = 0.5 * i;
        fprintf(file, "%.3f,%.12f\n", t,
                sin(HW_PI * t / 5.0) + 0.5 * sin(HW_PI * t / 4.0) + 0.05 * sin(HW_PI * t / 3.0));
    }
    fclose(file);
    const struct { int components, warnings; } cases[] = {{1, 1}, {2, 0}, {3, 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        char waves[100];
        hwError error;
        snprintf(waves, sizeof(waves), "{elevation: {file: three.csv, column: eta, components: %d}}",
                 cases[i].components);
        hwScene* scene = Parse(waves, &error);
        if (!scene) fail_msg("%s", error.message);
        const hwSceneInfo* info = hwScene_GetInfo(scene);
        assert_int_equal(info->warningCount, cases[i].warnings);
        // 1/2 of 1/2 + 1/8 + 1/800
        if (info->warningCount > 0) assert_non_null(strstr(info->warnings[0], "79.8 % of its variance"));
        hwDestroyScene(scene);
    }
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

// Current on a grid and behind obstacles ---------------------------------------------------------------------------------

static void Write(const char* path, const char* text) {
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static hwScene* ParseCurrent(const char* current, hwError* error) {
    char text[1000];
    snprintf(text, sizeof(text),
             "hawser: 1\nname: sea\nduration: 1\nenvironment:\n  water: {}\n  current: %s\n"
             "bodies:\n"
             "  - {name: pile, motion: fixed, position: [0, 0, -25], shapes: [{cylinder: {radius: 1, length: "
             "50}}]}\n"
             "  - {name: buoy, mass: 1, inertia: [1, 1, 1], position: [9, 9, 0]}\n",
             current);
    return hwParseScene(text, strlen(text), "sea.yaml", ".", error);
}

static hwVec3 SampleCurrent(const hwWorld* world, double x, double y, double z, double time) {
    hwError error;
    hwFluidSample sample;
    hwVec3 point = {x, y, z};
    assert_int_equal(hwWorld_SampleFluid(world, 1, &point, time, &sample, &error), HW_OK);
    return sample.velocity;
}

static hwWorld* MakeCurrent(const char* current) {
    hwError error;
    hwScene* scene = ParseCurrent(current, &error);
    if (!scene) fail_msg("%s", error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (!world) fail_msg("%s", error.message);
    hwDestroyScene(scene);
    return world;
}

static void GridsAreReadInAnyOrder(void** state) {
    (void)state;
    Write("grid.csv", "# from a tidal model\nx,y,depth,time,u,v,w\nm,m,m,s,m/s,m/s,m/s\n"
                      "100,0,20,0,0.4,0,0\n0,0,0,0,1,0.1,0\n100,0,0,0,2,0.1,0\n0,0,20,0,0.2,0,0\n"
                      "0,0,0,60,3,0,0\n100,0,0,60,4,0,0\n0,0,20,60,0,0,0\n100,0,20,60,0,0,0\n");
    hwWorld* world = MakeCurrent("{grid: grid.csv}");
    assert_close_vec3(SampleCurrent(world, 0, 0, 0, 0), hwMakeVec3(1, 0.1, 0), 0.0);
    assert_close_vec3(SampleCurrent(world, 100, 77, -20, 0), hwMakeVec3(0.4, 0, 0), 1e-16);
    // the mean of all eight
    assert_close_vec3(SampleCurrent(world, 50, 0, -10, 30), hwMakeVec3(10.6 / 8.0, 0.2 / 8.0, 0), 1e-15);
    hwDestroyWorld(world);
    Write("level.csv", "depth,u,v\n0,1,0\n10,0.5,0\n");
    world = MakeCurrent("{grid: level.csv, uniform: [0, 1, 0]}");
    assert_close_vec3(SampleCurrent(world, -3, 8, -5, 30), hwMakeVec3(0.75, 1, 0), 1e-15);
    hwDestroyWorld(world);
}

static void MistakesInGridsHaveTheirLine(void** state) {
    (void)state;
    static const char* const files[][2] = {
        {"x,y,u\n0,0,1\n", "no column `v`"},
        {"x,u,v\n0,1,0\n10,fast,0\n", "line 3 of `bad.csv` holds `fast`"},
        {"x,u,v\n0,1,0\n10,nan,0\n", "in column 2"},
        {"x,u,v\n0,1,0\n10,1,0\n0,2,0\n", "line 4 of `bad.csv` gives the same place and time as line 2"},
        {"x,depth,u,v\n0,0,1,0\n10,0,1,0\n0,5,2,0\n", "x = 10, y = 0, depth = 5, time = 0 is missing"},
        {"x,u,v\n", "has no rows"},
        {"", "is empty"},
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); ++i) {
        hwError error;
        Write("bad.csv", files[i][0]);
        assert_null(ParseCurrent("{grid: bad.csv}", &error));
        if (strstr(error.message, files[i][1]) == NULL) fail_msg("%s: %s", files[i][1], error.message);
        assert_int_equal(error.line, 6);
        assert_int_equal(error.column, 19);
    }
}

// The lee also acts on the current that an input adds, and on nothing else.
static void ObstaclesHaveALee(void** state) {
    (void)state;
    hwError error;
    double left = 1.0 - sqrt(2.0 / 28.0);
    hwWorld* world = MakeCurrent("{uniform: [0.5, 0, 0], lee: {behind: pile}}");
    assert_close(SampleCurrent(world, 20, 0, -20, 0).x, 0.5 * left, 1e-15);
    assert_int_equal(hwWorld_Prepare(world, &error), HW_OK);
    assert_int_equal(hwWorld_SetInput(world, hwWorld_FindInput(world, "environment.current.x"), 0.5, &error),
                     HW_OK);
    assert_close(SampleCurrent(world, 20, 0, -20, 0).x, left, 1e-15);
    assert_close(SampleCurrent(world, -20, 0, -20, 0).x, 1.0, 1e-15);
    hwDestroyWorld(world);
    world = MakeCurrent("{uniform: [0.5, 0, 0], lee: [{behind: pile, model: shadow, length: 10}]}");
    assert_close(SampleCurrent(world, 9, 0, -20, 0).x, 0.0, 0.0);
    assert_close(SampleCurrent(world, 11, 0, -20, 0).x, 0.5, 0.0);
    hwDestroyWorld(world);
    assert_null(ParseCurrent("{uniform: [1, 0, 0], lee: {behind: buoy}}", &error));
    assert_non_null(strstr(error.message, "`buoy` moves"));
    assert_null(ParseCurrent("{uniform: [1, 0, 0], lee: {behind: pole}}", &error));
    assert_non_null(strstr(error.message, "pole"));
    assert_int_equal(error.line, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(GridsAreReadInAnyOrder, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(MistakesInGridsHaveTheirLine, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(ObstaclesHaveALee, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(HeightsAreMet, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(ARecordComesBack, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(HarmonicsLeftOutAreSaid, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(MistakesHaveAPlace, OpenFolder, CloseFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
