// Fits: errors of files, the search, what it says of itself.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "fit_file.h"
#include "hawser/math.h"
#include "hawser/statistics.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char g_folder[64];

static int OpenFolder(void** state) {
    (void)state;
    strcpy(g_folder, "/tmp/hawser-fit-XXXXXX");
    return mkdtemp(g_folder) && chdir(g_folder) == 0 ? 0 : -1;
}

static int CloseFolder(void** state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof(command), "rm -rf %s", g_folder);
    return chdir("/") == 0 ? system(command) : -1;
}

static void Put(const char* name, const char* text) {
    FILE* file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char g_scene[] =
    "hawser: 1\nname: sinking\nduration: 2\nenvironment: {gravity: 9.81}\nbodies:\n"
    "  - {name: body, mass: 50, inertia: [5, 5, 5], drag: {linear: [0, 0, 30, 0, 0, 0]}}\n";

static const char g_fit[] =
    "hawser_fit: 1\nscene: scene.yaml\nparameters:\n"
    "  - {path: bodies.body.drag.linear.2, low: 0}\n  - {path: environment.gravity}\n"
    "measured: [{file: data.csv, column: v, channel: body.velocity.z, deviation: 0.05}]\n";

// m v' = -m g - k v: v = -(m g/k) (1 - exp(-k t/m)), with noise.
static void WriteData(double noise, uint64_t seed) {
    FILE* file = fopen("data.csv", "w");
    assert_non_null(file);
    fputs("t,v\n", file);
    for (int i = 1; i <= 60; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double t = i / 30.0, u = ((double)(seed >> 11) + 0.5) * 0x1.0p-53;
        double v = -50.0 * 9.0 / 60.0 * (1.0 - exp(-60.0 * t / 50.0)) + noise * hwNormal_GetQuantile(u);
        fprintf(file, "%.9f,%.9f\n", t, v);
    }
    assert_int_equal(fclose(file), 0);
}

// Over many draws of the noise the errors are as large as the deviations say, and bounds of 95 % hold in about 95 %.
static void DeviationsAreThoseOfTheErrors(void** state) {
    (void)state;
    Put("scene.yaml", g_scene);
    Put("fit.yaml", g_fit);
    enum { DRAWS = 40 };
    double squares = 0.0;
    int held = 0;
    for (int draw = 0; draw < DRAWS; ++draw) {
        WriteData(0.05, 100u + (uint64_t)draw * 7919u);
        hwError error;
        hwFit* fit = hwLoadFit("fit.yaml", &error);
        if (!fit) fail_msg("%s", error.message);
        assert_status(hwFit_Solve(fit, NULL, NULL, NULL, &error), HW_OK);
        assert_true(hwFit_GetSummary(fit).converged);
        const double truth[2] = {60.0, 9.0};
        for (int i = 0; i < 2; ++i) {
            hwFitEstimate e = hwFit_GetEstimate(fit, i);
            double off = (e.value - truth[i]) / e.deviation;
            squares += off * off;
            held += truth[i] > e.low && truth[i] < e.high;
        }
        assert_true(hwFit_GetCorrelation(fit, 0, 1) >
                    0.5); // more gravity and more drag: nearly the same speed
        hwDestroyFit(fit);
    }
    // chi-square of 80, correlated in pairs: 40 +- 4 standard deviations of the mean of pairs
    double mean = squares / (2 * DRAWS);
    if (!(mean > 0.4 && mean < 1.9)) fail_msg("mean square of errors over deviations: %g", mean);
    assert_true(held >= 66); // of 80, 76 expected
}

static void NothingToTellIsSaid(void** state) {
    (void)state;
    Put("scene.yaml", g_scene);
    WriteData(0.0, 1);
    // it falls straight down: drag across does nothing
    Put("fit.yaml", "hawser_fit: 1\nscene: scene.yaml\nparameters:\n"
                    "  - {path: bodies.body.drag.linear.2, low: 70, high: 90, start: 80}\n"
                    "  - {path: bodies.body.drag.linear.0, start: 5}\n  - {path: environment.gravity}\n"
                    "measured: [{file: data.csv, column: v, channel: body.velocity.z}]\n");
    hwError error;
    hwFit* fit = hwLoadFit("fit.yaml", &error);
    if (!fit) fail_msg("%s", error.message);
    assert_status(hwFit_Solve(fit, NULL, NULL, NULL, &error), HW_OK);
    assert_true(hwFit_GetEstimate(fit, 0).bounded);
    assert_true(hwFit_GetEstimate(fit, 0).value == 70.0);
    assert_true(isnan(hwFit_GetEstimate(fit, 1).deviation));
    assert_int_equal(mkdir("out", 0777), 0);
    assert_status(hwFit_WriteTables(fit, "out", &error), HW_OK);
    static const char* const files[] = {"out/fit.csv", "out/correlation.csv", "out/curves.csv",
                                        "out/fit.html"};
    for (int i = 0; i < 4; ++i) assert_int_equal(access(files[i], R_OK), 0);
    hwDestroyFit(fit);
}

// What a scene cannot follow is said, by column, with a factor for the bounds; noise as large as given is not, and noise that is larger
// is no fault of the scene.
static void BadFitsSaySo(void** state) {
    (void)state;
    Put("scene.yaml", g_scene);
    static const char* const fits[] = {
        // as it is
        "  - {path: bodies.body.drag.linear.2, low: 0}\n  - {path: environment.gravity}\n",
        // without drag it falls as no gravity makes it fall
        "  - {path: environment.gravity}\nset: {bodies.body.drag.linear.2: 0}\n"};
    for (int i = 0; i < 3; ++i) {
        char text[600], doubt[400];
        snprintf(text, sizeof(text), "hawser_fit: 1\nscene: scene.yaml\nparameters:\n%s%s", fits[i == 1],
                 "measured: [{file: data.csv, column: v, channel: body.velocity.z, deviation: 0.05}]\n");
        Put("fit.yaml", text);
        WriteData(i == 2 ? 0.15 : 0.05, 77);
        hwError error;
        hwFit* fit = hwLoadFit("fit.yaml", &error);
        if (fit == NULL) fail_msg("%s", error.message);
        assert_status(hwFit_Solve(fit, NULL, NULL, NULL, &error), HW_OK);
        hwFitColumn column = hwFit_GetColumn(fit, 0);
        assert_int_equal(hwFit_GetColumnCount(fit), 1);
        assert_int_equal(column.count, 60);
        assert_true(column.given);
        bool doubtful = hwFit_FindDoubt(fit, 0, doubt, sizeof(doubt));
        assert_int_equal(doubtful, i > 0);
        assert_int_equal(strstr(doubt, "go along with their neighbours") != NULL, i == 1);
        assert_int_equal(strstr(doubt, "the noise is larger") != NULL, i == 2);
        // two parameters of 60 values
        if (i != 1)
            assert_close(column.residual, (i == 2 ? 3.0 : 1.0) * sqrt(58.0 / 60.0),
                         (i == 2 ? 3.0 : 1.0) * 0.3);
        if (i == 1) assert_true(column.residual > 2.0 && column.neighbours > 0.8);
        assert_status(hwFit_WriteTables(fit, ".", &error), HW_OK);
        static char page[200000];
        FILE* file = fopen("fit.html", "r");
        page[fread(page, 1, sizeof(page) - 1, file)] = 0;
        fclose(file);
        assert_int_equal(strstr(page, "residuals of body.velocity.z") != NULL, i > 0);
        hwDestroyFit(fit);
    }
}

// Derivatives over differences of 4 rad have the wrong sign: a search that cannot go on is not one that is there. In the other fit they
// are right.
static void SearchesThatStrandHaveNotConverged(void** state) {
    (void)state;
    Put("scene.yaml",
        "hawser: 1\nduration: 6\nbodies:\n  - {name: body, motion: {prescribed: {position: {sine: "
        "{amplitude: [1, 0, 0], period: 2, phase: [0, 0, 0]}}}}}\n");
    FILE* file = fopen("data.csv", "w");
    assert_non_null(file);
    fputs("t,x\n", file);
    for (int i = 1; i <= 60; ++i) fprintf(file, "%.9f,%.9f\n", 0.1 * i, sin(HW_PI * 0.1 * i + 0.5));
    assert_int_equal(fclose(file), 0);
    for (int i = 0; i < 2; ++i) {
        char text[400];
        snprintf(text, sizeof(text),
                 "hawser_fit: 1\nscene: scene.yaml\nparameters:\n  - {path: "
                 "bodies.body.motion.prescribed.position.sine.phase.0, step: %g}\n"
                 "measured: [{file: data.csv, column: x, channel: body.position.x, deviation: 0.05}]\n",
                 i == 0 ? 4.0 : 0.01);
        Put("fit.yaml", text);
        hwError error;
        hwFit* fit = hwLoadFit("fit.yaml", &error);
        if (!fit) fail_msg("%s", error.message);
        assert_status(hwFit_Solve(fit, NULL, NULL, NULL, &error), HW_OK);
        hwFitSummary summary = hwFit_GetSummary(fit);
        assert_int_equal(summary.converged, i == 1);
        assert_int_equal(summary.astray > 1.0, i == 0);
        if (i == 1) assert_close(hwFit_GetEstimate(fit, 0).value, 0.5, 1e-6);
        hwDestroyFit(fit);
    }
}

static void MistakesHaveAPlace(void** state) {
    (void)state;
    Put("scene.yaml", g_scene);
    WriteData(0.0, 1);
    static const struct {
        const char *parameters, *measured, *sentence;
        int line;
    } cases[] = {
        {"[{path: bodies.bdy.mass}]", "[{file: data.csv, column: v, channel: body.velocity.z}]", "bdy", 3},
        {"[{path: bodies.body.mass}]", "[{file: data.csv, column: v, channel: body.speed}]",
         "the scene has no channel `body.speed`", 4},
        {"[{path: bodies.body.mass}]", "[{file: data.csv, column: w, channel: body.velocity.z}]", "`w`", 4},
        {"[{path: bodies.body.mass}]", "[{file: none.csv, column: v, channel: body.velocity.z}]", "none.csv",
         4},
        {"[{path: bodies.body.mass, low: 2, high: 1}]",
         "[{file: data.csv, column: v, channel: body.velocity.z}]", "`high` (1) must be above `low` (2)", 3},
        {"[{path: bodies.body.mass, low: 100}]", "[{file: data.csv, column: v, channel: body.velocity.z}]",
         "not between `low` and `high`", 3},
        {"[{path: bodies.body.mass}, {path: bodies.body.mass}]",
         "[{file: data.csv, column: v, channel: body.velocity.z}]", "twice there is the parameter", 3},
        {"[{path: bodies.body.drag.linear.0}]", "[{file: data.csv, column: v, channel: body.velocity.z}]",
         "give a `step`", 3},
        {"[{path: bodies.body.mass}]", "[{file: data.csv, column: v, channel: body.velocity.z, from: 50}]",
         "no row of `v` is between", 4},
        {"[{path: bodies.body.mass}]", "[{file: data.csv, column: v, channel: body.velocity.z, shift: -1}]",
         "the scene begins after the first row", 4},
        {"[{path: bodies.body.mass}]", "[{file: data.csv, column: v, channel: body.velocity.z, to: 0.04}]",
         "1 measured values cannot tell 1 parameters", 1},
        {"[{path: bodies.body.mass, strt: 1}]", "[{file: data.csv, column: v, channel: body.velocity.z}]",
         "strt", 3},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        char text[600];
        snprintf(text, sizeof(text), "hawser_fit: 1\nscene: scene.yaml\nparameters: %s\nmeasured: %s\n",
                 cases[i].parameters, cases[i].measured);
        Put("fit.yaml", text);
        hwError error;
        assert_null(hwLoadFit("fit.yaml", &error));
        if (!strstr(error.message, cases[i].sentence))
            fail_msg("\"%s\" for %s", error.message, cases[i].sentence);
        if (error.line != cases[i].line) fail_msg("line %d: %s", error.line, error.message);
    }
}

// The part of docs/fit.md below its marker is what the tables write.
static void DocumentationIsWhatTheTablesSay(void** state) {
    (void)state;
    static const char marker[] = "<!-- everything below is written from the tables in io/fit_file.c -->\n";
    const char* path = HAWSER_SOURCE_DIR "/docs/fit.md";
    FILE* memory = tmpfile();
    assert_non_null(memory);
    hwSection_WriteMarkdown(&hwSection_fit, memory);
    size_t wantedSize = (size_t)ftell(memory);
    char* wanted = calloc(1, wantedSize + 1);
    assert_non_null(wanted);
    rewind(memory);
    assert_int_equal(fread(wanted, 1, wantedSize, memory), wantedSize);
    fclose(memory);
    static char page[100000];
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
        fail_msg(
            "docs/fit.md differs from the tables; run this test with HAWSER_WRITE_DOCS=1 to write it anew");
    }
    free(wanted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(DeviationsAreThoseOfTheErrors, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(NothingToTellIsSaid, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(BadFitsSaySo, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(SearchesThatStrandHaveNotConverged, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(MistakesHaveAPlace, OpenFolder, CloseFolder),
        cmocka_unit_test(DocumentationIsWhatTheTablesSay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
