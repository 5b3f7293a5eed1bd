// hawser fit: the example of docs/fit.md finds what its data were made with, whoever does the runs.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "program.h"

static void TheExampleFindsTheTruth(void** state) {
    (void)state;
    const char* example = HAWSER_SOURCE_DIR "/examples/fit/fit.yaml";
    char command[300];
    snprintf(command, sizeof(command), "fit '%s' --out two -j 2", example);
    assert_int_equal(Hawser(command), 0);
    AssertSays(g_output, "converged after");
    AssertSays(g_output, "go together");
    AssertSays(g_errors, "iteration 1");
    static char table[4000];
    assert_non_null(ReadAll("two/fit.csv", table, sizeof(table)));
    static const struct {
        const char* path;
        double truth;
    } known[] = {{"cables.wire.sections.0.EA", 6e5},
                 {"environment.current.0", 0.55},
                 {"bodies.sinker.drag.quadratic.0", 420}};
    for (int i = 0; i < 3; ++i) {
        const char* at = strstr(table, known[i].path);
        double start, value, deviation, low, high;
        assert_non_null(at);
        assert_int_equal(sscanf(at + strlen(known[i].path), ",%lf,%lf,%lf,%lf,%lf", &start, &value,
                                &deviation, &low, &high),
                         5);
        if (!(low < known[i].truth && known[i].truth < high))
            fail_msg("%s: %g is not between %g and %g", known[i].path, known[i].truth, low, high);
    }
    // one process at a time finds the same to the bit
    snprintf(command, sizeof(command), "fit '%s' --out one -j 1 -q", example);
    assert_int_equal(Hawser(command), 0);
    assert_string_equal(g_output, "");
    assert_int_equal(system("cmp one/fit.csv two/fit.csv"), 0);
    assert_int_equal(system("cmp one/curves.csv two/curves.csv"), 0);
}

static void WrongUseIsRefused(void** state) {
    (void)state;
    PutFile("fit.yaml", "hawser_fit: 1\nscene: scene.yaml\nparameters: []\nmeasured: []\n");
    assert_int_equal(Hawser("fit"), 2);
    AssertSays(g_errors, "fit needs FIT");
    assert_int_equal(Hawser("fit none.yaml"), 2);
    AssertSays(g_errors, "none.yaml");
    assert_int_equal(Hawser("fit fit.yaml"), 2);
    AssertSays(g_errors, "fit.yaml:1:1: there is nothing in `parameters`");
    PutFile("fit.yaml", "hawser_fit: 1\nscene: scene.yaml\nparameters: [{path: a}]\n"
                        "measured: [{file: data.csv, channel: b}]\n");
    PutFile("data.csv", "t,b\n0,1\n1,2\n");
    assert_int_equal(Hawser("fit fit.yaml"), 2);
    AssertSays(g_errors, "scene.yaml` does not exist");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(TheExampleFindsTheTruth, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(WrongUseIsRefused, OpenFolder, CloseFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
