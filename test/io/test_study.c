// Studies: which runs there are, what they set, the designs, and what is made of the table.
#define _XOPEN_SOURCE 700
#include "hawser/results.h"
#include "hawser/scene.h"
#include "hawser/study.h"
#include "study_group.h"
#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

static const char g_scene[] =
    "hawser: 1\nname: swing\nduration: 2\noutput: {interval: 0.05}\n"
    "environment: {water: {}, waves: {jonswap: {hs: 1, tp: 8}}}\n"
    "bodies:\n  - {name: load, mass: 100, position: [0, 0, -10], inertia: [10, 10, 10]}\n"
    "cables:\n  - name: wire\n    sections: [{length: 10, elements: 3, diameter: 0.02, mass_per_length: 1, "
    "EA: 1e6, break: 1e4}]\n"
    "    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: load, at: [0, 0, 0]}}\n";

static char g_folder[64];

static int OpenFolder(void** state) {
    (void)state;
    strcpy(g_folder, "/tmp/hawser-study-XXXXXX");
    if (!mkdtemp(g_folder) || chdir(g_folder) != 0) return -1;
    FILE* file = fopen("scene.yaml", "w");
    fputs(g_scene, file);
    return fclose(file);
}

static int CloseFolder(void** state) {
    (void)state;
    char command[96];
    snprintf(command, sizeof(command), "rm -rf %s", g_folder);
    return chdir("/") == 0 ? system(command) : -1;
}

static hwStudy* Load(const char* text, hwError* error) {
    FILE* file = fopen("study.yaml", "w");
    fprintf(file, "hawser_study: 1\nscene: scene.yaml\n%s", text);
    fclose(file);
    return hwLoadStudy("study.yaml", error);
}

static hwStudy* LoadGood(const char* text) {
    hwError error;
    hwStudy* study = Load(text, &error);
    if (!study) fail_msg("%d: %s (%s)", error.line, error.message, error.hint);
    return study;
}

static void AssertSets(const hwStudy* study, int64_t run, const char* expected) {
    int count;
    char text[512] = "", **sets = hwStudy_ListSets(study, run, &count);
    for (int i = 0; i < count; ++i)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? " " : "", sets[i]);
    assert_string_equal(text, expected);
    free(sets);
}

static void RunsAreAllCombinationsTheSeedFastest(void** state) {
    (void)state;
    hwStudy* study = LoadGood("set: {duration: 3}\nparameters:\n"
                              "  - {path: environment.waves.jonswap.hs, values: [1, 2.50]}\n"
                              "  - {path: environment.waves.jonswap.tp, range: {from: 6, to: 9, count: 3}}\n"
                              "seeds: {count: 2, first: 7}\n");
    assert_int_equal(hwStudy_GetRunCount(study), 12);
    assert_int_equal(hwStudy_GetParameterCount(study), 3);
    AssertSets(study, 0,
               "duration=3 environment.waves.jonswap.hs=1 environment.waves.jonswap.tp=6 "
               "environment.waves.jonswap.seed=7");
    AssertSets(study, 1,
               "duration=3 environment.waves.jonswap.hs=1 environment.waves.jonswap.tp=6 "
               "environment.waves.jonswap.seed=8");
    AssertSets(study, 2,
               "duration=3 environment.waves.jonswap.hs=1 environment.waves.jonswap.tp=7.5 "
               "environment.waves.jonswap.seed=7");
    AssertSets(study, 11,
               "duration=3 environment.waves.jonswap.hs=2.50 environment.waves.jonswap.tp=9 "
               "environment.waves.jonswap.seed=8");
    hwDestroyStudy(study);
}

// Seeds given as a range: from + share (to - from) would make 63.99999999999999 of the 64th.
static void RangesOfWholeNumbersAreWhole(void** state) {
    (void)state;
    hwStudy* study = LoadGood(
        "parameters:\n  - {path: environment.waves.jonswap.seed, range: {from: 1, to: 1000, count: 1000}}\n");
    for (int i = 0; i < 1000; ++i) {
        char expected[64];
        snprintf(expected, sizeof(expected), "environment.waves.jonswap.seed=%d", i + 1);
        AssertSets(study, i, expected);
    }
    hwDestroyStudy(study);
}

// Tenths as a person writes them, and both ends as they are given.
static void RangesOfTenthsHaveOneDecimal(void** state) {
    (void)state;
    static const char* const ranges[][2] = {
        {"{from: 0.1, to: 0.7, count: 7}", "0.1 0.2 0.3 0.4 0.5 0.6 0.7"},
        {"{from: 0.7, to: 0.1, count: 7}", "0.7 0.6 0.5 0.4 0.3 0.2 0.1"},
        {"{from: -0.3, to: 0.3, count: 7}", "-0.3 -0.2 -0.1 0 0.1 0.2 0.3"},
        {"{from: 1e-7, to: 7e-7, count: 7}", "1e-07 2e-07 3e-07 4e-07 5e-07 6e-07 7e-07"},
        {"{from: 0, to: 1, count: 4}", "0 0.33333333333333 0.66666666666667 1"},
        {"{from: 0.1, to: 0.30000000000000004, count: 3}", "0.1 0.2 0.30000000000000004"},
    };
    for (size_t k = 0; k < sizeof(ranges) / sizeof(ranges[0]); ++k) {
        char text[200], words[200];
        snprintf(text, sizeof(text), "parameters:\n  - {path: bodies.load.position.0, range: %s}\n",
                 ranges[k][0]);
        hwStudy* study = LoadGood(text);
        strcpy(words, ranges[k][1]);
        int run = 0;
        for (char* word = strtok(words, " "); word != NULL; word = strtok(NULL, " "), ++run) {
            char expected[64];
            snprintf(expected, sizeof(expected), "bodies.load.position.0=%s", word);
            AssertSets(study, run, expected);
        }
        assert_int_equal(run, hwStudy_GetRunCount(study));
        hwDestroyStudy(study);
    }
}

// Latin hypercube: one value in each stratum, for each parameter; Sobol: likewise for a power of two; both repeat with the
// seed. Grid combinations share the samples.
static void SampledParametersFillTheirStrata(void** state) {
    (void)state;
    static const char* const designs[] = {"latin_hypercube", "sobol"};
    for (int d = 0; d < 2; ++d) {
        char text[512];
        snprintf(
            text, sizeof(text),
            "parameters:\n  - {path: bodies.load.mass, uniform: {low: 0, high: 64}}\n"
            "  - {path: environment.waves.jonswap.tp, values: [7, 8]}\n"
            "  - {path: cables.wire.sections.0.EA, uniform: {low: 64, high: 128}}\nsamples: 64\ndesign: %s\n",
            designs[d]);
        hwStudy *study = LoadGood(text), *again = LoadGood(text);
        assert_int_equal(hwStudy_GetRunCount(study), 128);
        for (int axis = 1; axis < 3; ++axis) { // the grid comes first
            bool filled[64] = {false};
            for (int i = 0; i < 64; ++i) {
                int stratum = (int)floor(study->axes[axis].numbers[i]) - (axis == 2 ? 64 : 0);
                assert_in_range(stratum, 0, 63);
                assert_false(filled[stratum]);
                filled[stratum] = true;
                assert_true(study->axes[axis].numbers[i] == again->axes[axis].numbers[i]);
            }
        }
        for (int i = 0; i < 64; ++i) {
            assert_int_equal(hwStudy_GetIndex(study, i, 1), i);
            assert_int_equal(hwStudy_GetIndex(study, 64 + i, 2), i);
            assert_int_equal(hwStudy_GetIndex(study, 64 + i, 0), 1);
        }
        hwDestroyStudy(study);
        hwDestroyStudy(again);
    }
}

// The first points of each dimension are known: 1/2, then 3/4 and 1/4 in some order; and any two of the first dimensions
// fill the 4 x 4 squares once with 16 points where they are a (0, 4, 2)-net, as dimensions 1 and 2 are.
static void SobolsSequenceIsANet(void** state) {
    (void)state;
    static const double second[8] = {0.0,   0.5,   0.25,  0.75,
                                     0.375, 0.875, 0.125, 0.625}; // Joe & Kuo, Gray order
    for (int i = 0; i < 8; ++i) assert_close(hwSobol_Get(1, (uint32_t)i), second[i], 1e-9);
    static const double third[8] = {0.0, 0.5, 0.25, 0.75, 0.625, 0.125, 0.875, 0.375};
    for (int i = 0; i < 8; ++i) assert_close(hwSobol_Get(2, (uint32_t)i), third[i], 1e-9);
    bool filled[16] = {false};
    for (uint32_t i = 0; i < 16; ++i) {
        int cell = 4 * (int)(4 * hwSobol_Get(0, i)) + (int)(4 * hwSobol_Get(1, i));
        assert_false(filled[cell]);
        filled[cell] = true;
    }
    for (int d = 0; d < HW_SOBOL_DIMENSIONS; ++d) {
        bool strata[256] = {false};
        for (uint32_t i = 0; i < 256; ++i) {
            int stratum = (int)(256 * hwSobol_Get(d, i));
            assert_false(strata[stratum]);
            strata[stratum] = true;
        }
    }
    // A product of 21 factors with mean 1, far better than the 1/sqrt(4096) = 1.6 % of random points times its deviation.
    double sum = 0.0;
    for (uint32_t i = 0; i < 4096; ++i) {
        double product = 1.0;
        for (int d = 0; d < HW_SOBOL_DIMENSIONS; ++d) product *= 1.0 + 0.3 * (hwSobol_Get(d, i) - 0.5);
        sum += product / 4096;
    }
    assert_close(sum, 1.0, 1e-3);
}

static void DistributionsHaveTheirMoments(void** state) {
    (void)state;
    static const struct {
        const char* text;
        double mean, deviation;
    } cases[] = {
        {"uniform: {low: 2, high: 8}", 5.0, 1.7320508075688772},
        {"normal: {mean: 5, deviation: 2}", 5.0, 2.0},
        {"lognormal: {median: 3, deviation: 0.25}", 3.0952302,
         0.7859925}, // 3 e^(s^2/2), sqrt(e^(s^2) - 1) of it
        {"weibull: {scale: 4, shape: 2}", 3.5449077018,
         1.8530129}, // 4 Gamma(3/2), sqrt(Gamma(2) - Gamma(3/2)^2)
        {"triangular: {low: 0, mode: 1, high: 5}", 2.0, 1.0801234497}, // sqrt((25 + 1 - 5)/18)
    };
    for (int c = 0; c < 5; ++c) {
        char text[256];
        snprintf(text, sizeof(text), "parameters: [{path: bodies.load.mass, %s}]\nsamples: 20000\n",
                 cases[c].text);
        hwStudy* study = LoadGood(text);
        hwSeriesStatistics s;
        assert_status(hwSeries_Describe(20000, study->axes[0].numbers, &s, NULL), HW_OK);
        // strata of 1/20000: errors of the mean far below a per mille, of the deviation by the outermost strata
        assert_close(s.mean, cases[c].mean, 1e-3 * cases[c].mean);
        assert_close(s.deviation, cases[c].deviation, 3e-3 * cases[c].deviation);
        hwDestroyStudy(study);
    }
}

// Heights and periods for operability.
#define SEAS                                                                                                 \
    "parameters:\n  - {path: environment.waves.jonswap.hs, values: [1, 2]}\n"                                \
    "  - {path: environment.waves.jonswap.tp, values: [6, 8]}\nlimits: [{of: slack, max: 0}]\n"

static void MistakesAreToldWithTheirPlace(void** state) {
    (void)state;
    static const struct {
        const char *text, *message, *hint;
        int line;
    } cases[] = {
        {"parameters: [{path: bodies.load.mass}]\n", "", "", 3},
        {"parameters:\n  - {path: a, values: [1]}\n  - {path: a, values: [2]}\n", "`a` is there twice", "",
         5},
        {"keep: {statistics: [wire.a.tensoin]}\n", "wire.a.tensoin", "wire.a.tension", 3},
        {"limits: [{of: wire.a.tension.max, max: 1}]\n", "no column `wire.a.tension.max`", "", 3},
        {"keep: {statistics: [wire.a.tension]}\nlimits: [{of: wire.a.tension.maxx, max: 1}]\n", "no column",
         "tension.max", 4},
        {"keep: {statistics: [wire.a.tension]}\nlimits: [{of: wire.a.tension, max: 1}]\n", "no column",
         "one number of a run: `wire.a.tension.max`", 4},
        {"seeds: 5\n", "the seeds must be a mapping such as {count: 10}", "", 3},
        {"limits: [{of: slack}]\n", "needs `max` or `min`", "", 3},
        {"keep: {exceedance: {of: wire.a.tensoin, above: 1}}\n", "must be a channel of the scene", "", 3},
        {"keep: {exceedance: {of: wire.a.tension}}\n", "above", "", 3},
        {"keep: {exceedance: [{of: world.time, above: 1}, {of: world.time, above: 2}]}\n",
         "give one a `name`", "", 3},
        {"limits: [{of: slack, max: 0}]\noperability: {}\n",
         "`environment.waves.jonswap.hs` is none of the parameters", "", 4},
        {"operability: {}\n", "needs `limits`", "", 3},
        // files that are read when the runs are done
        {SEAS "operability: {scatter: absent.csv}\n", "absent.csv` does not exist", "", 7},
        {SEAS "operability: {scatter: bad.csv}\n", "bad.csv`, line 2: a row of the scatter table", "", 7},
        {SEAS "operability: {series: bad.csv}\n", "bad.csv`, line 2: a row of the series", "", 7},
        {"parameters: [{path: a, values: [1], range: {from: 1, to: 2, count: 2}}]\n", "", "", 3},
        {"parameters: [{path: a, range: {from: 1, to: 2, count: 2.5}}]\n", "whole number", "", 3},
        {"parameters: [{path: a, uniform: {low: 2, high: 1}}]\n", "`high` (1) must be above `low` (2)", "",
         3},
        {"parameters: [{path: a, triangular: {low: 2, mode: 1, high: 3}}]\n", "must rise", "", 3},
        {"set: {bodies.lod.mass: 3}\n", "in the scene", "", 1},
        {"sensitivity: nothing\n", "no column `nothing`", "", 1},
        {"colour: red\n", "colour", "", 3},
        // what every run would fail with
        {"parameters:\n  - {path: environment.waves.jonswap.hs, values: [1, 2]}\n"
         "  - {path: bodies.lod.mass, values: [1, 2]}\n",
         "nothing there is called `lod`", "`load`", 5},
        {"parameters:\n  - {path: bodies.load.mas, uniform: {low: 1, high: 2}}\nsamples: 9\n",
         "unknown key `mas`", "`mass`", 4},
        {"parameters: []\nseeds: {count: 5, path: environment.waves.airy.seed}\n", "unknown key `seed`", "",
         4},
        {"parameters: [{path: duration, values: [long]}]\n", "the text `long`", "", 3},
        {"keep: {statistics: [wire.a.tension], from: 3}\n", "runs end after 2 s", "", 3},
        {"parameters:\n  - {path: duration, values: [1, 2], with: {bodies.load.mass: [1, 2, 3]}}\n",
         "`bodies.load.mass` has 3 values, but the parameter that it goes with 2", "", 4},
        {"parameters:\n  - {path: duration, values: [1, 2], with: {bodies.load.mass: [1, 2]}}\n"
         "  - {path: bodies.load.mass, values: [3]}\n",
         "`bodies.load.mass` is there twice", "", 5},
        {"parameters:\n  - {path: duration, uniform: {low: 1, high: 2}, with: {bodies.load.mass: [1]}}\n",
         "not with a distribution", "", 4},
        {"samples: 3\n", "`samples` needs a parameter with a distribution", "", 1},
        {"design: sobol\n", "`design` needs a parameter with a distribution", "", 1},
    };
    FILE* bad = fopen("bad.csv", "w");
    fputs("hs,tp,occurrence\n1,x,3\n", bad);
    fclose(bad);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        hwError error;
        hwStudy* study = Load(cases[i].text, &error);
        if (study) fail_msg("%s was read", cases[i].text);
        if (!strstr(error.message, cases[i].message))
            fail_msg("\"%s\" does not say \"%s\"", error.message, cases[i].message);
        char both[600];
        snprintf(both, sizeof(both), "%s %s", error.message, error.hint);
        if (!strstr(both, cases[i].hint)) fail_msg("\"%s\" does not hint \"%s\"", both, cases[i].hint);
        if (error.line != cases[i].line)
            fail_msg("%s: line %d, not %d", error.message, error.line, cases[i].line);
    }
    hwError error;
    assert_null(hwLoadStudy("absent.yaml", &error));
    assert_int_equal(error.status, HW_ERROR_FILE);
}

// Values that are lists and mappings are set as they are; those with which every run but some fails are the runs' own.
static void ValuesMayBeLists(void** state) {
    (void)state;
    hwStudy* study = LoadGood(
        "set: {bodies.load.velocity: [0, 0, 1]}\nparameters:\n"
        "  - {path: bodies.load.position, values: [[0, 0, -10], [1, 0, -10.5]]}\n"
        "  - {path: environment.waves, values: [{airy: {height: 1, period: 6}}, {jonswap: {hs: 1, tp: 8}}]}\n"
        "keep: {statistics: [load.position.x, load.velocity.z]}\n");
    AssertSets(
        study, 2,
        "bodies.load.velocity=[0, 0, 1] bodies.load.position=[1, 0, -10.5] environment.waves={airy: {height: "
        "1, period: 6}}");
    double values[40];
    hwError error;
    assert_true(hwStudy_GetColumnCount(study) < 40);
    assert_status(hwStudy_Run(study, 2, NULL, NULL, values, &error), HW_OK);
    assert_close(values[hwStudy_FindColumn(study, "load.position.x.max")], 1.0, 0.3);
    assert_true(values[hwStudy_FindColumn(study, "load.velocity.z.max")] >= 1.0);
    hwDestroyStudy(study);
    study = LoadGood("parameters: [{path: bodies.load.mass, values: [-1, 100, -2]}]\n");
    assert_int_equal(hwStudy_GetRunCount(study), 3);
    hwDestroyStudy(study);
}

// What goes along with a parameter is set with it, in a combination with others.
static void KeysGoAlong(void** state) {
    (void)state;
    hwStudy* study = LoadGood("parameters:\n  - {path: duration, range: {from: 1, to: 2, count: 2}, with: "
                              "{bodies.load.position: [[0, 0, -10], [1, 0, "
                              "-9]], bodies.load.mass: [100, 200]}}\n  - {path: "
                              "environment.waves.jonswap.tp, values: [7, 8]}\nseeds: {count: 2}\n");
    assert_int_equal(hwStudy_GetRunCount(study), 8);
    assert_int_equal(hwStudy_GetParameterCount(study), 3);
    AssertSets(
        study, 3,
        "duration=1 bodies.load.position=[0, 0, -10] bodies.load.mass=100 environment.waves.jonswap.tp=8 "
        "environment.waves.jonswap.seed=2");
    AssertSets(
        study, 4,
        "duration=2 bodies.load.position=[1, 0, -9] bodies.load.mass=200 environment.waves.jonswap.tp=7 "
        "environment.waves.jonswap.seed=1");
    hwStudy* other = LoadGood("parameters:\n  - {path: duration, range: {from: 1, to: 2, count: 2}, with: "
                              "{bodies.load.position: [[0, 0, -10], [1, 0, "
                              "-9]], bodies.load.mass: [100, 201]}}\n  - {path: "
                              "environment.waves.jonswap.tp, values: [7, 8]}\nseeds: {count: 2}\n");
    assert_true(hwStudy_GetHash(study) != hwStudy_GetHash(other));
    hwDestroyStudy(other);
    hwDestroyStudy(study);
}

// An input has dots in its own name.
static void PathsLeadToNamesWithDots(void** state) {
    (void)state;
    hwError error;
    static const char text[] = "hawser: 1\nduration: 1\nbodies: [{name: box, mass: 1, inertia: [1, 1, 1]}]\n"
                               "events: [{at: 0.5, set: {box.force.x: 3, box.force.y: 1}}]\n";
    FILE* file = fopen("event.yaml", "w");
    fputs(text, file);
    fclose(file);
    static const char* const sets[] = {"events.0.set.box.force.x=20"};
    hwScene* scene = hwLoadSceneWith("event.yaml", 1, sets, &error);
    if (!scene) fail_msg("%s", error.message);
    double value;
    assert_status(hwScene_ReadNumber(scene, "events.0.set.box.force.x", &value, &error), HW_OK);
    assert_true(value == 20);
    assert_status(hwScene_ReadNumber(scene, "events.0.set.box.force.y", &value, &error), HW_OK);
    assert_true(value == 1);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (!world) fail_msg("%s", error.message);
    assert_true(hwWorld_Step(world, 1.0, &error) >= HW_OK);
    // 20 m/s^2 for half a second
    assert_close(hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "box.velocity.x")), 10.0, 1e-6);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// Runs whose end is no multiple of the interval: the last row is nearer to the one before, and does not count as a whole interval.
static void TheLastRowMayBeNearer(void** state) {
    (void)state;
    hwStudy* study = LoadGood("set: {duration: 2.01, output.interval: 0.5}\n"
                              "keep: {exceedance: {of: world.time, above: 1, name: late}}\n");
    double values[32];
    hwError error;
    assert_status(hwStudy_Run(study, 0, NULL, NULL, values, &error), HW_OK);
    assert_close(values[hwStudy_FindColumn(study, "late.share")], 0.5, 1e-12);
    assert_close(values[hwStudy_FindColumn(study, "late.longest")], 1.0, 1e-12);
    hwDestroyStudy(study);
}

// Tables that a study does not ask for any more go.
static void TablesThatAreNotWantedGo(void** state) {
    (void)state;
    static const char* const names[] = {"extremes.csv", "operability.csv", "weather.csv", "windows.csv",
                                        "sensitivity.csv"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) fclose(fopen(names[i], "w"));
    hwStudy* study = LoadGood("keep: {statistics: [wire.a.tension]}\nsensitivity: slack\n");
    hwStudyRow row = {false, NULL, NULL};
    hwError error;
    assert_status(hwStudy_WriteTables(study, &row, ".", &error), HW_OK);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
        assert_int_equal(access(names[i], F_OK) == 0, strcmp(names[i], "sensitivity.csv") == 0);
    hwDestroyStudy(study);
}

// A run whose files cannot be written is told from one that cannot be done, as when a file that its scene names is not there.
static void FilesThatCannotBeWrittenAreNoFaultOfTheRun(void** state) {
    (void)state;
    hwStudy* study =
        LoadGood("parameters:\n  - {path: environment.waves, values: [{spectrum: {file: none.csv, "
                 "density: d}}, {jonswap: {hs: 1, tp: 8}}]}\nkeep: {channels: [load.position.z]}\n");
    double values[32];
    hwError error;
    hwStatus status = hwStudy_Run(study, 0, "absent", NULL, values, &error);
    assert_true(status < 0 && status != HW_ERROR_FILE && error.status == status);
    assert_non_null(strstr(error.message, "none.csv"));
    assert_status(hwStudy_Run(study, 1, "absent", NULL, values, &error), HW_ERROR_FILE);
    assert_status(hwStudy_Run(study, 1, NULL, NULL, values, &error), HW_OK);
    hwDestroyStudy(study);
}

// Of the time itself, which rises once.
static void ExceedanceIsCounted(void** state) {
    (void)state;
    hwStudy* study = LoadGood(
        "keep: {exceedance: [{of: world.time, above: 1.25}, {of: world.time, below: 0.5, name: early}]}\n"
        "limits: [{of: early.share, max: 0.5}]\n");
    double values[32];
    hwError error;
    assert_status(hwStudy_Run(study, 0, NULL, NULL, values, &error), HW_OK);
    double longest = values[hwStudy_FindColumn(study, "world.time.exceedance.longest")];
    double share = values[hwStudy_FindColumn(study, "world.time.exceedance.share")],
           duration = longest / share;
    assert_close(values[hwStudy_FindColumn(study, "world.time.exceedance.events")], 1.0, 0.0);
    assert_close(longest, duration - 1.25, 1e-9 * duration);
    assert_close(values[hwStudy_FindColumn(study, "early.events")], 1.0, 0.0);
    assert_close(values[hwStudy_FindColumn(study, "early.share")], 0.5 / duration, 1e-9);
    assert_close(values[hwStudy_FindColumn(study, "early.longest")], 0.5, 1e-9);
    assert_string_equal(hwStudy_GetColumn(study, hwStudy_FindColumn(study, "early.longest")).unit, "s");
    hwDestroyStudy(study);
}

static void ARunFillsItsColumns(void** state) {
    (void)state;
    hwStudy* study = LoadGood("parameters: [{path: bodies.load.mass, values: [100, 200, -1]}]\n"
                              "keep: {statistics: [wire.a.tension], from: 1}\n");
    int columns = hwStudy_GetColumnCount(study);
    double values[32], again[32];
    hwError error;
    assert_true(columns < 32);
    assert_status(hwStudy_Run(study, 1, NULL, NULL, values, &error), HW_OK);
    int mean = hwStudy_FindColumn(study, "wire.a.tension.mean"),
        max = hwStudy_FindColumn(study, "wire.a.tension.max"),
        use = hwStudy_FindColumn(study, "wire.tension.use");
    assert_close(values[mean], 210 * 9.81,
                 300); // at rest or bouncing a little; water carries some of the wire
    assert_true(values[max] >= values[mean]);
    assert_close(values[use], values[max] / 1e4,
                 0.02 * values[use]); // of the top element's middle, not of the end
    assert_string_equal(hwStudy_GetColumn(study, mean).unit, "N");
    // what the steps damp is a term of the balance, not an error of it
    int off = hwStudy_FindColumn(study, "energy_error"), damped = hwStudy_FindColumn(study, "energy_method");
    assert_true(fabs(values[damped]) > 1e-5);
    assert_true(fabs(values[off]) < 0.05 * fabs(values[damped]));
    assert_status(hwStudy_Run(study, 1, NULL, NULL, again, &error), HW_OK);
    assert_memory_equal(values, again, (size_t)columns * sizeof(double));
    assert_status(hwStudy_Run(study, 2, NULL, NULL, values, &error), HW_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "mass"));
    assert_true(isnan(values[mean]));
    assert_status(hwStudy_Run(study, 3, NULL, NULL, values, &error), HW_ERROR_ARGUMENT);
    hwDestroyStudy(study);
}

// A response that is linear in the wave height, r = a(tp) hs (1 + s g) with Gumbel's g: the allowed height is that at which
// its quantile meets the limit, by hand. As many seeds as make the fit's own error small.
static void OperabilityIsThatOfALinearResponse(void** state) {
    (void)state;
    hwStudy* study = LoadGood("parameters:\n  - {path: environment.waves.jonswap.hs, values: [3, 1, 2, 4]}\n"
                              "  - {path: environment.waves.jonswap.tp, values: [6, 10, 14]}\n"
                              "seeds: {count: 400}\nkeep: {statistics: [wire.a.tension]}\n"
                              "limits: [{of: wire.a.tension.max, max: 100}, {of: slack, max: "
                              "2}]\noperability: {probability: 0.9}\n");
    int64_t count = hwStudy_GetRunCount(study);
    int columns = hwStudy_GetColumnCount(study), column = hwStudy_FindColumn(study, "wire.a.tension.max");
    hwStudyRow* rows = calloc((size_t)count, sizeof(hwStudyRow));
    double* values = calloc((size_t)count * (size_t)columns, sizeof(double));
    uint64_t seed = 3;
    for (int64_t run = 0; run < count; ++run) {
        double hs = study->axes[0].numbers[hwStudy_GetIndex(study, run, 0)];
        double tp = study->axes[1].numbers[hwStudy_GetIndex(study, run, 1)];
        double u = 0.5 * (TestRandom(&seed) + 1.0), g = -log(-log(u > 0 ? u : 0.5));
        double* own = values + run * columns;
        own[column] = (tp == 6 ? 40 : tp == 10 ? 10 : 200) * hs * (1.0 + 0.1 * g);
        own[HW_STUDY_SLACK] = tp == 10 && hs > 3.5 ? 3 : 0;
        rows[run] = (hwStudyRow){true, NULL, own};
    }
    int cells;
    hwStudyAllowed* allowed = hwStudy_FindAllowed(study, rows, &cells);
    assert_int_equal(cells, 3);
    for (int i = 0; i < 3; ++i) {
        double factor = 1.0 + 0.1 * -log(-log(0.9));
        if (allowed[i].tp == 6) { // 40 hs factor = 100; interpolation is exact for a line
            assert_close(allowed[i].hs, 100 / (40 * factor), 0.03);
            assert_true(allowed[i].low < allowed[i].hs && allowed[i].hs < allowed[i].high);
            assert_true(allowed[i].low < 100 / (40 * factor) && 100 / (40 * factor) < allowed[i].high);
            assert_string_equal(allowed[i].limit, "wire.a.tension.max");
        } else if (allowed[i].tp == 10) { // slack from 4 m on: between 0 at 3 m and 3 at 4 m, a limit of 2
            assert_close(allowed[i].hs, 3 + 2.0 / 3.0, 1e-12);
            assert_string_equal(allowed[i].limit, "slack");
            assert_true(isnan(allowed[i].low) && isnan(allowed[i].high)); // a count has no bounds
        } else {                                                          // not even 1 m
            assert_true(allowed[i].hs == 0 && allowed[i].end == -1);
        }
    }
    free(allowed);
    // A failed run at 2 m and 6 s: that height is not allowed any more.
    for (int64_t run = 0; run < count; ++run) {
        if (study->axes[0].numbers[hwStudy_GetIndex(study, run, 0)] == 2 &&
            study->axes[1].numbers[hwStudy_GetIndex(study, run, 1)] == 6) {
            rows[run].failure = "for a test";
            break;
        }
    }
    allowed = hwStudy_FindAllowed(study, rows, &cells);
    for (int i = 0; i < 3; ++i) {
        if (allowed[i].tp == 6) assert_close(allowed[i].hs, 1.0, 0.0);
    }
    free(allowed);
    free(rows);
    free(values);
    hwDestroyStudy(study);
}

// A brute force count of the wait: from every minute on, step by step until work can begin.
// One run in twenty is beyond the value once: with a probability of 0.9 that is not exceeded, which counts say of themselves and a
// distribution of extremes, fitted to nineteen zeros and a one, does not.
static void CountsOfExceedanceAreTakenAsTheyAre(void** state) {
    (void)state;
    hwStudy* study =
        LoadGood("parameters:\n  - {path: environment.waves.jonswap.hs, values: [1, 2, 3]}\n"
                 "  - {path: environment.waves.jonswap.tp, values: [8]}\n"
                 "seeds: {count: 20}\nkeep: {exceedance: [{of: wire.a.tension, above: 100, name: heavy}]}\n"
                 "limits: [{of: heavy.events, max: 0}, {of: heavy.share, max: 0.01}]\n"
                 "operability: {probability: 0.9}\n");
    int64_t count = hwStudy_GetRunCount(study);
    int columns = hwStudy_GetColumnCount(study), events = hwStudy_FindColumn(study, "heavy.events"),
        share = hwStudy_FindColumn(study, "heavy.share");
    hwStudyRow* rows = calloc((size_t)count, sizeof(hwStudyRow));
    double* values = calloc((size_t)count * (size_t)columns, sizeof(double));
    for (int64_t run = 0; run < count; ++run) {
        double* own = values + run * columns;
        int height = hwStudy_GetIndex(study, run, 0), seed = (int)(run % 20);
        // at 3 m three of twenty
        own[events] = seed < (height == 2 ? 3 : 1) ? 1.0 : 0.0;
        own[share] = 0.02 * own[events];
        rows[run] = (hwStudyRow){true, NULL, own};
    }
    int cells;
    hwStudyAllowed* allowed = hwStudy_FindAllowed(study, rows, &cells);
    assert_int_equal(cells, 1);
    assert_close(allowed[0].hs, 2.0, 1e-12); // of 0 events at 2 m and 1 at 3 m none is allowed
    assert_string_equal(allowed[0].limit, "heavy.events");
    free(allowed);
    free(rows);
    free(values);
    hwDestroyStudy(study);
}

static void WaitsAreThoseOfEveryMinute(void** state) {
    (void)state;
    enum { COUNT = 40 };
    double from[COUNT], to[COUNT], time = 0.0;
    bool calm[COUNT];
    uint32_t seed = 12345;
    for (int i = 0; i < COUNT; ++i) {
        seed = seed * 1664525u + 1013904223u;
        from[i] = time;
        time = to[i] = time + 1.0 + (double)(seed >> 29); // 1 to 8 h
        calm[i] = (seed >> 20 & 3) != 0;
    }
    for (double needed = 3.0; needed < 20.0; needed += 4.0) {
        hwStudyWindows windows = hwFindWindows(COUNT, from, to, calm, needed);
        int minutes = (int)(60.0 * time + 0.5), work = (int)(60.0 * needed), chance = -1;
        int* left = calloc((size_t)minutes + 1, sizeof(int)); // minutes that stay calm from here on
        for (int m = minutes - 1, i = COUNT - 1; m >= 0; --m) {
            while (60.0 * from[i] > m + 0.5) --i;
            left[m] = calm[i] ? left[m + 1] + 1 : 0;
            if (chance < 0 && left[m] >= work) chance = m;
        }
        double waited = 0.0;
        for (int m = 0; m < chance; ++m) {
            int start = m;
            while (left[start] < work) ++start;
            waited += (start - m) / 60.0 / chance;
        }
        // a minute is the resolution
        assert_close(windows.wait, waited, 1.0 / 60.0);
        free(left);
    }
}

static void TablesAreWritten(void** state) {
    (void)state;
    FILE* scatter = fopen("scatter.csv", "w");
    fputs("hs,tp,occurrence\n0.5,7,30\n1.5,7,50\n3.5,7,20\n", scatter);
    fclose(scatter);
    FILE* series = fopen("hindcast.csv", "w");
    fputs("time,hs,tp\n0,0.5,7\n6,0.5,7\n12,2,7\n18,0.7,7\n24,0.7,7\n30,0.7,7\n36,2,9\n42,0.5,7\n", series);
    fclose(series);
    hwStudy* study =
        LoadGood("parameters:\n  - {path: environment.waves.jonswap.hs, values: [1, 2]}\n"
                 "  - {path: environment.waves.jonswap.tp, values: [6, 8]}\n"
                 "seeds: {count: 3}\nkeep: {statistics: [wire.a.tension]}\n"
                 "limits: [{of: wire.a.tension.max, max: 15}]\nextremes: [{of: wire.a.tension.max}]\n"
                 "operability: {scatter: scatter.csv, series: hindcast.csv, window: 12}\nsensitivity: "
                 "wire.a.tension.max\n");
    int columns = hwStudy_GetColumnCount(study), column = hwStudy_FindColumn(study, "wire.a.tension.max");
    double values[12 * 32] = {0};
    hwStudyRow rows[12];
    for (int run = 0; run < 12; ++run) {
        values[run * columns + column] = (run < 6 ? 10 : 20) + 0.1 * (run % 3) + (run / 3 % 2);
        rows[run] = (hwStudyRow){true, run == 4 ? "it broke, \"badly\"" : NULL, values + run * columns};
    }
    rows[11].done = false;
    hwError error;
    assert_int_equal(mkdir("out", 0777), 0);
    if (hwStudy_WriteTables(study, rows, "out", &error) != HW_OK) fail_msg("%s", error.message);
    char text[8000];
    FILE* file = fopen("out/failures.csv", "r");
    text[fread(text, 1, sizeof(text) - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(text, "4,1,8,2,\"it broke, \"\"badly\"\"\"\n"));
    file = fopen("out/table.csv", "r");
    int lines = 0;
    while (fgets(text, sizeof(text), file)) lines++;
    fclose(file);
    assert_int_equal(lines, 2 + 11);
    hwResults* results = hwOpenResults("out/table.h5", &error);
    assert_non_null(results);
    assert_int_equal(hwResults_GetRowCount(results), 11);
    double row[64];
    assert_status(hwResults_ReadRows(results, 8, 1, row, &error), HW_OK);
    assert_true(row[0] == 8 && row[1] == 2 && row[hwResults_FindChannel(results, "ok")] == 0);
    hwCloseResults(results);
    file = fopen("out/weather.csv", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = 0;
    fclose(file);
    // at 6 s the limit is met at 1 + (15 - 10.2)/10 = 1.48 m, at 8 s with its failed run 0: 0.74 m at 7 s
    assert_string_equal(text, "heading,workable,beyond\nworst,0.3,0\n");
    file = fopen("out/windows.csv", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = 0;
    fclose(file);
    // Calm from 0 to 12, 18 to 36 and 42 to 48 h: 36 of 48 h, 30 of them in two windows of 12 h and more. Work begins at 0, or from
    // 18 to 24 h: from moments in between one waits until 18 h, 18^2/2 h^2 over the 24 h up to the last chance.
    assert_string_equal(
        text, "heading,workable,usable,windows,longest,wait,beyond\nworst,0.75,0.625,2,18,6.75,0.125\n");
    assert_int_equal(access("out/extremes.csv", R_OK), 0);
    assert_int_equal(access("out/operability.csv", R_OK), 0);
    assert_int_equal(access("out/sensitivity.csv", R_OK), 0);
    static char page[60000];
    file = fopen("out/study.html", "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof(page) - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(page, "<td>15</td><td>N</td>"));
    assert_non_null(strstr(page, "<h2>Extremes of wire.a.tension.max</h2>"));
    assert_non_null(strstr(page, "<tr><th>hs</th><th>tp</th><th>value, N</th><th>90 % bounds</th>"));
    assert_non_null(strstr(page, "<tr><td>1</td><td>6</td><td>10.")); // of 10, 10.1 and 10.2
    assert_non_null(strstr(page, "<td>2</td><td>1 failed. </td>"));
    assert_non_null(strstr(page, "<b>75.0 %</b> is calm enough and <b>62.5 %</b> in 2 windows of 12 h"));
    int count;
    hwStudySwing* swings = hwStudy_FindSwings(study, rows, &count);
    assert_int_equal(count, 3);
    assert_string_equal(study->axes[swings[0].axis].path, "environment.waves.jonswap.hs");
    assert_close(swings[0].low, 10.5, 1e-12); // of five: 10, 10.1, 10.2, 11, 11.2
    free(swings);
    hwDestroyStudy(study);
}

// A load that is pushed up leaves both ends of its light wire slack: the wire is so once.
static void CablesThatGoSlackCountOnce(void** state) {
    (void)state;
    hwStudy* study = LoadGood(
        "set: {duration: 3, start.statics: true, cables.wire.sections.0: {length: 10, elements: 3, diameter: "
        "0.02, mass_per_length: 0.01, EA: 1e6, damping: {axial: 5e4}}, forces: [{on: load, force: {table: "
        "{time: [0.5, 0.6, 1, 1.1], value: [[0, 0, 0], [0, 0, 2000], [0, 0, 2000], [0, 0, 0]]}}}]}\n");
    double values[64];
    hwError error;
    assert_status(hwStudy_Run(study, 0, NULL, NULL, values, &error), HW_OK);
    assert_true(values[HW_STUDY_SLACK] == 1.0);
    assert_true(values[HW_STUDY_SLACK + 1] == 1.0);
    hwDestroyStudy(study);
}

// What two dozen lines of a plot are is told within it, each by a stroke of its own.
static void PlotsTellAllTheirLines(void** state) {
    (void)state;
    hwStudy* study =
        LoadGood("parameters:\n  - {path: environment.waves.jonswap.hs, values: [1, 2]}\n"
                 "  - {path: environment.waves.jonswap.tp, values: [6, 8]}\n"
                 "  - {path: environment.waves.jonswap.direction_deg, range: {from: 0, to: 345, count: 24}}\n"
                 "keep: {statistics: [wire.a.tension]}\nlimits: [{of: wire.a.tension.max, max: 15}]\n"
                 "operability: {heading: environment.waves.jonswap.direction_deg}\n");
    enum { RUNS = 96 };
    static double values[RUNS * 32];
    hwStudyRow rows[RUNS];
    for (int run = 0; run < RUNS; ++run)
        rows[run] = (hwStudyRow){true, NULL, values + run * hwStudy_GetColumnCount(study)};
    hwError error;
    assert_int_equal(mkdir("lines", 0777), 0);
    assert_status(hwStudy_WritePage(study, rows, "lines", &error), HW_OK);
    static char page[100000];
    FILE* file = fopen("lines/study.html", "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof(page) - 1, file)] = 0;
    fclose(file);
    int width, height, strokes = 0;
    assert_int_equal(sscanf(strstr(page, "viewBox="), "viewBox=\"0 0 %d %d\"", &width, &height), 2);
    char* end = strstr(page, "</svg>");
    *end = 0;
    static char seen[24][80];
    for (int i = 0; i < 24; ++i) {
        char label[40];
        snprintf(label, sizeof(label), ">direction_deg %d</text>", 15 * i);
        const char* at = strstr(page, label);
        if (at == NULL) fail_msg("%s is not in the plot", label);
        while (*at != '<') --at;
        int x, y;
        assert_int_equal(sscanf(at, "<text x=\"%d\" y=\"%d\"", &x, &y), 2);
        assert_true(x + 7 * (int)strlen(label) - 7 * 8 < width && y < height);
        do --at;
        while (*at != '<');
        const char* stroke = strstr(at, "stroke=");
        snprintf(seen[i], sizeof(seen[i]), "%.*s", (int)(strstr(stroke, " d=") - stroke), stroke);
        for (int k = 0; k < i; ++k) strokes += strcmp(seen[k], seen[i]) == 0;
    }
    assert_int_equal(strokes, 0);
    hwDestroyStudy(study);
}

// Values at the middles of two hundred equal shares of an exponential distribution from 100 with the scale 20: over any threshold
// it is the same distribution again, and what a run exceeds with 5 % is 100 + 20 ln 20.
static void PeaksAreThoseOverTheThreshold(void** state) {
    (void)state;
    enum { RUNS = 200, MOST_COLUMNS = 32 };
    hwStudy* study = LoadGood("seeds: {count: 200}\nkeep: {statistics: [wire.a.tension]}\nextremes:\n"
                              "  - {of: wire.a.tension.max, fit: peaks, location: 110, probability: 0.95}\n"
                              "  - {of: wire.a.tension.max, fit: peaks, location: 170, probability: 0.5}\n");
    int columns = hwStudy_GetColumnCount(study), column = hwStudy_FindColumn(study, "wire.a.tension.max");
    assert_true(columns <= MOST_COLUMNS);
    static double values[RUNS * MOST_COLUMNS];
    static hwStudyRow rows[RUNS];
    for (int run = 0; run < RUNS; ++run) {
        values[run * columns + column] = 100.0 - 20.0 * log(1.0 - (run + 0.5) / RUNS);
        rows[run] = (hwStudyRow){true, NULL, values + run * columns};
    }
    hwError error;
    mkdir("peaks", 0777);
    if (hwStudy_WriteTables(study, rows, "peaks", &error) != HW_OK) fail_msg("%s", error.message);
    char text[2000];
    FILE* file = fopen("peaks/extremes.csv", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = 0;
    fclose(file);
    double location, scale, shape, distance, repeats, probability, value, confidence, low, high;
    int count, failed, above;
    const char* first = strstr(text, "\nwire.a.tension.max,peaks,");
    assert_non_null(first);
    assert_int_equal(sscanf(first,
                            "\nwire.a.tension.max,peaks,%d,%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%d,",
                            &count, &failed, &location, &scale, &shape, &distance, &repeats, &probability,
                            &value, &confidence, &low, &high, &above),
                     13);
    assert_true(count == RUNS && failed == 0 && above == 121); // 200 exp(-1/2)
    double truth = 100.0 + 20.0 * log(20.0);
    assert_close(value, truth, 0.02 * (truth - 100.0)); // the middles cut off the tail
    // The delta method by hand with shape 0, log = ln(20 share) = 2.493: variance (2 log^2 - log^3 + log^4/4) 400/121 of the fit and
    // (1 - share) 400/121 of the share, 1.645 deviations are 7.9; the fit's part is laid out on a logarithm, so more of it is above.
    if (!(value - low > 5.9 && value - low < 7.9 && high - value > 7.9 && high - value < 10.5))
        fail_msg("%g to %g round %g", low, high, value);
    assert_non_null(strstr(text, "too few to tell"));
    hwDestroyStudy(study);
}

static void DocumentationIsWhatTheTablesSay(void** state) {
    (void)state;
    static const char marker[] = "<!-- everything below is written from the tables in io/study_file.c -->\n";
    const char* path = HAWSER_SOURCE_DIR "/docs/workbench.md";
    FILE* memory = tmpfile();
    assert_non_null(memory);
    hwSection_WriteMarkdown(&hwSection_study, memory);
    size_t wantedSize = (size_t)ftell(memory);
    char* wanted = calloc(1, wantedSize + 1);
    rewind(memory);
    assert_int_equal(fread(wanted, 1, wantedSize, memory), wantedSize);
    fclose(memory);
    static char page[200000];
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof(page) - 1, file)] = 0;
    fclose(file);
    char* rest = strstr(page, marker);
    assert_non_null(rest);
    rest += strlen(marker);
    if (strcmp(rest, wanted) != 0 && getenv("HAWSER_WRITE_DOCS") != NULL) {
        file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "%.*s%s", (int)(rest - page), page, wanted);
        fclose(file);
    } else if (strcmp(rest, wanted) != 0) {
        fail_msg("docs/workbench.md differs from the tables; run this test with HAWSER_WRITE_DOCS=1 to write "
                 "it anew");
    }
    free(wanted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RunsAreAllCombinationsTheSeedFastest),
        cmocka_unit_test(RangesOfWholeNumbersAreWhole),
        cmocka_unit_test(RangesOfTenthsHaveOneDecimal),
        cmocka_unit_test(SampledParametersFillTheirStrata),
        cmocka_unit_test(SobolsSequenceIsANet),
        cmocka_unit_test(DistributionsHaveTheirMoments),
        cmocka_unit_test(MistakesAreToldWithTheirPlace),
        cmocka_unit_test(ValuesMayBeLists),
        cmocka_unit_test(KeysGoAlong),
        cmocka_unit_test(PathsLeadToNamesWithDots),
        cmocka_unit_test(TheLastRowMayBeNearer),
        cmocka_unit_test(TablesThatAreNotWantedGo),
        cmocka_unit_test(FilesThatCannotBeWrittenAreNoFaultOfTheRun),
        cmocka_unit_test(ExceedanceIsCounted),
        cmocka_unit_test(ARunFillsItsColumns),
        cmocka_unit_test(OperabilityIsThatOfALinearResponse),
        cmocka_unit_test(CountsOfExceedanceAreTakenAsTheyAre),
        cmocka_unit_test(WaitsAreThoseOfEveryMinute),
        cmocka_unit_test(TablesAreWritten),
        cmocka_unit_test(CablesThatGoSlackCountOnce),
        cmocka_unit_test(PlotsTellAllTheirLines),
        cmocka_unit_test(PeaksAreThoseOverTheThreshold),
        cmocka_unit_test(DocumentationIsWhatTheTablesSay),
    };
    return cmocka_run_group_tests(tests, OpenFolder, CloseFolder);
}
