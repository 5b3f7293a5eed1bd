// Protocols of studies: what a file says, what is wrong with one, and that groups and orders are balanced.
#include "hawser/protocol.h"

#include "support.h"

#include <string.h>

#define FILE_TEXT                                                                                            \
    "hawser_protocol: 1\ntitle: Awareness\nseed: 7\ngroups: [real, simulator, none]\nsteps:\n"               \
    "  - {phase: pre, lesson: check_dive}\n  - {phase: training, lesson: pier_weave, runs: 3, group: "       \
    "simulator}\n  - {phase: rating, pair: pile}\npairs:\n  - name: pile\n"                                  \
    "    first: {flight: 20261116-101530-f1, model: dynamic}\n    second: {flight: 20261116-101602-f1, "     \
    "model: wrap}\n"

static hwProtocol* Parse(const char* text) {
    hwError error;
    hwProtocol* protocol = hwParseProtocol(text, strlen(text), &error);
    if (protocol == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return protocol;
}

static void AFileSaysWhoDoesWhat(void** state) {
    (void)state;
    hwProtocol* protocol = Parse(FILE_TEXT);
    const hwProtocolInfo* info = hwProtocol_GetInfo(protocol);
    assert_int_equal(info->groupCount, 3);
    assert_string_equal(info->groups[2], "none");
    assert_int_equal(info->stepCount, 3);
    assert_string_equal(info->steps[1].lesson, "pier_weave");
    assert_int_equal(info->steps[0].runs, 1);
    assert_int_equal(info->steps[0].group, -1);
    assert_int_equal(info->steps[1].runs, 3);
    assert_int_equal(info->steps[1].group, 1);
    assert_int_equal(info->steps[1].pair, -1);
    assert_int_equal(info->steps[2].pair, 0);
    assert_null(info->steps[2].lesson);
    assert_string_equal(info->pairs[0].models[1], "wrap");
    hwDestroyProtocol(protocol);
}

// Whoever comes when: after every third one all groups have as many, and of two who follow one another each sees the other order.
static void GroupsAndOrdersAreBalanced(void** state) {
    (void)state;
    hwProtocol* protocol = Parse(FILE_TEXT);
    hwProtocolInfo info = *hwProtocol_GetInfo(protocol);
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        info.seed = seed;
        int counts[3] = {0}, firsts[3] = {0}, swapped = 0;
        for (int i = 0; i < 300; ++i) {
            int group = hwProtocolInfo_ChooseGroup(&info, i);
            assert_true(group >= 0 && group < 3);
            counts[group] += 1;
            firsts[group] += i % 3 == 0;
            swapped += hwProtocolInfo_IsSwapped(&info, i, 0);
            if (i % 3 == 2) assert_true(counts[0] == counts[1] && counts[1] == counts[2]);
            if (i % 2 == 1) assert_int_equal(swapped, (i + 1) / 2);
        }
        // the first of a hundred blocks: each group a third of the time, four standard deviations of a binomial count
        for (int i = 0; i < 3; ++i) assert_true(abs(firsts[i] - 33) < 19);
    }
    // the order of a pair is not that of another, nor the same for all
    int same = 0;
    for (int i = 0; i < 100; i += 2)
        same += hwProtocolInfo_IsSwapped(&info, i, 0) == hwProtocolInfo_IsSwapped(&info, i, 1);
    assert_true(same > 10 && same < 40);
    hwDestroyProtocol(protocol);
}

static void WhatIsWrongIsNamedWithItsPlace(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int line;
        const char* word;
    } cases[] = {
        {"hawser_protocol: 1\ntitle: a\ngroups: []\nsteps: []\n", 3, "group"},
        {"hawser_protocol: 1\ntitle: a\ngroups: [x, x]\nsteps: []\n", 3, "already a group `x`"},
        {"hawser_protocol: 1\ntitle: a\ngroups: [x]\nsteps:\n  - {phase: pre, lesson: l, group: y}\n", 5,
         "no group `y`"},
        {"hawser_protocol: 1\ntitle: a\ngroups: [x]\nsteps:\n  - {phase: pre, pair: p}\n", 5, "no pair `p`"},
        {"hawser_protocol: 1\ntitle: a\ngroups: [x]\nsteps:\n  - {phase: pre}\n", 5, "lesson"},
        {"hawser_protocol: 1\ntitle: a\ngroups: [x]\nsteps: []\npairs:\n  - name: p\n    first: {flight: f, "
         "model: m}\n    second: {flight: f, model: n}\n",
         8, "same flight"},
        {"hawser_protocol: 2\ntitle: a\ngroups: [x]\nsteps: []\n", 1, "hawser_protocol"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        hwError error;
        assert_null(hwParseProtocol(cases[i].text, strlen(cases[i].text), &error));
        assert_int_equal(error.line, cases[i].line);
        if (strstr(error.message, cases[i].word) == NULL) fail_msg("%s", error.message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(AFileSaysWhoDoesWhat),
                                       cmocka_unit_test(GroupsAndOrdersAreBalanced),
                                       cmocka_unit_test(WhatIsWrongIsNamedWithItsPlace)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
