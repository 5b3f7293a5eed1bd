// hawser validate: how rows are judged and printed, with cases made up for the purpose.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/cli/cli.c"
#include "apps/cli/sampler.c"
#include "apps/cli/validate.c"
#include "rows.h"

// Within tolerance; the error is 1e-3 exactly in decimal, so the tolerance is a little more.
static void AddGood(hwCaseContext* context) {
    hwCaseRow row = hwDefaultCaseRow();
    row.quantity = "length, m";
    row.exact = -2;
    row.seed = -2.1;
    row.reference = -2.002;
    row.realtime = -2.1;
    row.tolerance = 1.0001e-3;
    row.realtimeTolerance = 0.0501;
    row.note = "a \"note\" | with\nsigns";
    hwCase_AddRow(context, &row);
    row.realtimeTolerance = (double)NAN; // shown only
    row.realtime = 5;
    hwCase_AddRow(context, &row);
    // With an exact value of zero the error is absolute.
    row = hwDefaultCaseRow();
    row.quantity = "drift, m";
    row.exact = 0;
    row.reference = 1e-12;
    row.tolerance = 1e-11;
    hwCase_AddRow(context, &row);
}

static void AddBad(hwCaseContext* context) {
    hwCaseRow row = hwDefaultCaseRow();
    row.quantity = "reference off";
    row.exact = row.realtime = 1;
    row.reference = 1.1;
    row.tolerance = row.realtimeTolerance = 0.01;
    hwCase_AddRow(context, &row);
    row.quantity = "realtime off";
    row.reference = 1;
    row.realtime = 1.1;
    hwCase_AddRow(context, &row);
    row.quantity = "not a number";
    row.reference = (double)NAN;
    row.realtime = 1;
    hwCase_AddRow(context, &row);
    row.quantity = "no tolerance";
    row.reference = 1;
    row.tolerance = (double)NAN;
    hwCase_AddRow(context, &row);
    hwError error = {.message = "the world came apart"};
    hwCase_AddError(context, "failure", &error);
}

static void AddNothing(hwCaseContext* context) {
    (void)context;
}

// Where the time goes is known: half a second of CPU in one function.
__attribute__((noinline)) static double SpendHalfASecond(void) {
    volatile double sum = 0.0;
    for (clock_t start = clock(); clock() - start < CLOCKS_PER_SEC / 2;)
        for (int i = 0; i < 100000; ++i) sum = sum + 1.0 / (1.0 + i);
    return sum;
}

static void AddSlow(hwCaseContext* context) {
    hwCaseRow row = hwDefaultCaseRow();
    row.quantity = "sum is positive";
    row.exact = row.reference = SpendHalfASecond() > 0.0 ? 1.0 : 0.0;
    row.tolerance = 0.0;
    hwCase_AddRow(context, &row);
}

static const hwCase g_first[] = {{"alpha-1", "Somebody 1999", "The first.", AddGood},
                                 {"alpha-10", "Somebody 1999", "The tenth.", AddGood},
                                 {0}};
static const hwCase g_second[] = {
    {"beta", "Nobody", "The bad one.", AddBad}, {"gamma", NULL, NULL, AddNothing}, {0}};
static const hwCase g_third[] = {{"slow", "Nobody", "The slow one.", AddSlow}, {0}};
const hwCase* const hwCaseLists[] = {g_first, g_second, g_third, NULL};

static bool Passes(const json_t* rows, size_t index) {
    return json_is_true(json_object_get(json_array_get(rows, index), "pass"));
}

static void JsonHoldsEveryColumn(void** state) {
    (void)state;
    assert_int_equal(Run(&hwCommand_Validate, "--json alpha-1"), 0);
    json_t* rows = LoadJson();
    assert_int_equal(json_array_size(rows), 3); // an exact name does not also mean the longer ones
    assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 0), "case")), "alpha-1");
    assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 0), "quantity")), "length, m");
    assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 0), "note")),
                        "a \"note\" | with\nsigns");
    assert_true(Number(rows, 0, "exact") == -2 && Number(rows, 0, "seed") == -2.1);
    assert_true(Number(rows, 0, "hawser") == -2.002 && Number(rows, 0, "realtime") == -2.1);
    assert_true(fabs(Number(rows, 0, "relative_error") - 1e-3) < 1e-12);
    assert_true(fabs(Number(rows, 0, "realtime_error") - 0.05) < 1e-12);
    assert_true(Number(rows, 0, "tolerance") == 1.0001e-3);
    assert_true(isnan(Number(rows, 2, "seed")) && isnan(Number(rows, 2, "realtime")));
    assert_true(Number(rows, 2, "relative_error") == 1e-12);
    for (size_t i = 0; i < 3; ++i) assert_true(Passes(rows, i));
    json_decref(rows);
}

static void WhatIsOffFailsAndTheStatusIsOne(void** state) {
    (void)state;
    assert_int_equal(Run(&hwCommand_Validate, "--json be gamma"), 1);
    json_t* rows = LoadJson();
    assert_int_equal(json_array_size(rows), 6);
    for (size_t i = 0; i < 6; ++i) assert_false(Passes(rows, i));
    assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 4), "note")),
                        "the world came apart");
    json_decref(rows);
    assert_int_equal(Run(&hwCommand_Validate, "--json"), 1);
    rows = LoadJson();
    assert_int_equal(json_array_size(rows), 13);
    json_decref(rows);
}

static void TablesAndPagesSayTheSame(void** state) {
    (void)state;
    assert_int_equal(Run(&hwCommand_Validate, "alpha"), 0);
    AssertSays(g_output, "6 of 6 quantities pass");
    AssertSays(g_output, "realtime");
    assert_int_equal(Run(&hwCommand_Validate, "beta"), 1);
    AssertSays(g_output, "0 of 5 quantities pass");
    AssertSays(g_output, "NO");
    AssertSays(g_output, "beta, failure: the world came apart");
    assert_int_equal(Run(&hwCommand_Validate, "--markdown alpha beta"), 1);
    AssertSays(g_output, "## alpha-1\n\nThe first.\nSource: Somebody 1999.");
    AssertSays(g_output, "a \"note\" \\| with signs");
    AssertSays(g_output, "6 of 11 quantities pass");
    assert_int_equal(Run(&hwCommand_Validate, "--list"), 0);
    AssertSays(g_output, "alpha-10");
    AssertSays(g_output, "gamma");
}

static void ProfilesNameTheDearestFunction(void** state) {
    (void)state;
    assert_int_equal(Run(&hwCommand_Validate, "--json --profile slow"), 0);
    json_t* rows = LoadJson();
    const char* dearest = json_string_value(json_object_get(json_array_get(rows, 0), "dearest"));
    assert_non_null(dearest);
#if defined(__linux__) && defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__))
    assert_ptr_equal(strstr(dearest, "SpendHalfASecond"), dearest);
#endif
    json_decref(rows);
    assert_int_equal(Run(&hwCommand_Validate, "--profile slow"), 0);
    AssertSays(g_output, "dearest functions\n  slow: ");
    assert_int_equal(Run(&hwCommand_Validate, "slow"), 0);
    assert_null(strstr(g_output, "dearest"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(JsonHoldsEveryColumn, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(WhatIsOffFailsAndTheStatusIsOne, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(TablesAndPagesSayTheSame, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(ProfilesNameTheDearestFunction, OpenFolder, CloseFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
