// hawser bench: how measurements are compared and printed, with benchmarks made up for the purpose.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/cli/cli.c"
#include "apps/cli/bench.c"
#include "rows.h"

static void AddTimes(hwBenchContext* context) {
    hwBenchRow row = hwDefaultBenchRow();
    row.name = "step of 100 nodes";
    row.value = 2;
    row.unit = "us";
    row.peer = "Other 1.0";
    row.peerValue = 8;
    hwBench_AddRow(context, &row);
    row.moreIsBetter = true;
    hwBench_AddRow(context, &row);
    row = hwDefaultBenchRow();
    row.name = "alone";
    row.value = 1;
    row.unit = "s";
    hwBench_AddRow(context, &row);
}

static void AddBroken(hwBenchContext* context) {
    hwError error = {.message = "no memory"};
    hwBench_AddError(context, "broken", &error);
}

static const hwBench g_benches[] = {{"times", "Times.", AddTimes}, {"wrong", "Wrong.", AddBroken}, {0}};
const hwBench* const hwBenchLists[] = {g_benches, NULL};

static void BenchmarksCompareWithPeers(void** state) {
    (void)state;
    assert_int_equal(Run(&hwCommand_Bench, "--json times"), 0);
    json_t* rows = LoadJson();
    assert_int_equal(json_array_size(rows), 3);
    assert_true(Number(rows, 0, "ratio") == 4 && Number(rows, 1, "ratio") == 0.25);
    assert_true(Number(rows, 0, "value") == 2 && Number(rows, 0, "peer_value") == 8);
    assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 0), "peer")), "Other 1.0");
    assert_true(json_is_null(json_object_get(json_array_get(rows, 2), "peer")));
    assert_true(isnan(Number(rows, 2, "ratio")));
    json_decref(rows);
    assert_int_equal(Run(&hwCommand_Bench, ""), 1);
    AssertSays(g_output, "no memory");
    AssertSays(g_output, "4x");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(BenchmarksCompareWithPeers, OpenFolder, CloseFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
