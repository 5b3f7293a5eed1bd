// hawser run --certify and study --certify: errors of numbers, from finer meshes.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "program.h"

#include <math.h>

// A heavy wire between two points sags; few elements make its tension wrong by a known power of their length.
static const char g_scene[] =
    "hawser: 1\nname: sag\nduration: 1\noutput: {interval: 0.5}\nstart: {statics: true}\n"
    "cables:\n  - name: wire\n    sections: [{length: 100, elements: 8, diameter: 0.05, mass_per_length: 12, "
    "EA: 5e6, "
    "break: 1e6}]\n"
    "    shape: catenary\n    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: earth, at: [80, 0, 10]}}\n";

static void ReadNumber(const char* table, const char* name, double* values, double* error, double* order) {
    const char* at = strstr(table, name);
    if (!at) fail_msg("there is no %s in %s", name, table);
    double finer, finest, limit;
    at = strchr(strchr(at, ',') + 1, ',');
    assert_int_equal(
        sscanf(at, ",%lf,%lf,%lf,%lf,%lf,%lf", &values[0], &finer, &finest, &limit, error, order), 6);
    values[1] = limit;
}

static void ErrorsHoldAgainstAFineMesh(void** state) {
    (void)state;
    PutFile("scene.yaml", g_scene);
    assert_int_equal(Hawser("run scene.yaml --out out --certify --report"), 0);
    AssertSays(g_output, "certified");
    AssertSays(g_output, "wire.a.tension.max: ");
    static char table[200000], fine[200000];
    assert_non_null(ReadAll("out/certify.csv", table, sizeof(table)));
    // what is of the mesh and the steps themselves has no error of its own
    static const char* const methods[] = {"world.steps.", "wire.links.mean.", "world.energy.method.",
                                          "wire.energy.balance.", "wire.contact.count."};
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); ++i)
        if (strstr(table, methods[i])) fail_msg("%s is certified", methods[i]);
    assert_non_null(strstr(table, "wire.links.error."));
    int rows = 0, orders = 0, same = 0, others = 0, told[4];
    for (const char* line = strchr(table, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        double v[5], rank;
        assert_int_equal(sscanf(strchr(strchr(line, ',') + 1, ','), ",%lf,%lf,%lf,%lf,%lf,%lf", &v[0], &v[1],
                                &v[2], &v[3], &v[4], &rank),
                         6);
        rows += 1;
        orders += !isnan(rank);
        same += v[4] == 0;
        others += isnan(rank) && v[4] != 0;
    }
    const char* summary = strstr(g_output, "certified  ");
    assert_int_equal(sscanf(summary,
                            "certified %d numbers on meshes 1.5 and 2.25 times as fine %d converge with an "
                            "order, %d have no clear order, %d are the same on all",
                            &told[0], &told[1], &told[2], &told[3]),
                     4);
    assert_true(told[0] == rows && told[1] == orders && told[2] == others && told[3] == same);
    assert_true(orders > 10 && same > 10);
    double values[2], error, order, truth[2], unused;
    ReadNumber(table, "wire.a.tension.max,", values, &error, &order);
    // 40 times as many elements: nothing left but their error, a sixteen-hundredth
    assert_int_equal(
        Hawser("run scene.yaml --out fine --certify -q --set cables.wire.sections.0.elements=320"), 0);
    assert_non_null(ReadAll("fine/certify.csv", fine, sizeof(fine)));
    ReadNumber(fine, "wire.a.tension.max,", truth, &unused, &unused);
    double off = fabs(values[0] - truth[0]);
    if (!(off <= error)) fail_msg("off by %g N, certified %g N", off, error);
    assert_true(error < 5 * off); // and not by far too much
    assert_true(fabs(order - 2) < 0.3);
    assert_true(fabs(values[1] - truth[0]) < 0.1 * off); // the limit is better than what it comes from
    static char page[3000000];
    assert_non_null(ReadAll("out/report.html", page, sizeof(page)));
    AssertSays(strstr(page, "\"certified\":") ? "yes" : "no", "yes");
}

static void StudiesCertifyASample(void** state) {
    (void)state;
    PutFile("scene.yaml", g_scene);
    PutFile("study.yaml", "hawser_study: 1\nscene: scene.yaml\nparameters: [{path: "
                          "cables.wire.sections.0.mass_per_length, values: [10, 12, 14, 16]}]\n"
                          "keep: {statistics: [wire.a.tension]}\n");
    assert_int_equal(Hawser("study study.yaml --out out --certify 2 -q"), 0);
    static char table[100000];
    assert_non_null(ReadAll("out/certify.csv", table, sizeof(table)));
    AssertSays(table, "\n0,wire.a.tension.max,N,");
    AssertSays(table, "\n2,wire.a.tension.max,N,");
    assert_null(strstr(table, "\n1,"));
    assert_null(strstr(table, ",steps,"));
    assert_null(strstr(table, ",energy_method,"));
    assert_int_equal(Hawser("study study.yaml --out out --certify x -q"), 2);
    AssertSays(g_errors, "--certify needs a positive number");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ErrorsHoldAgainstAFineMesh, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(StudiesCertifyASample, OpenFolder, CloseFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
