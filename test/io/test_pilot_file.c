// Pilots' scripts: what is read, what is refused, and the page that lists the keys and the lessons.
#define _XOPEN_SOURCE 700
#include "hawser/pilot.h"
#include "hawser/vehicle.h"
#include "pilot_file.h"
#include "support.h"

static void ScriptsAreRead(void** state) {
    (void)state;
    static const char text[] =
        "hawser_pilot: 1\nactions:\n"
        "  - {arm: true}\n"
        "  - {mode: hold}\n"
        "  - {go: [1, 2, -3]}\n"
        "  - {go: {to: [1, 2, -3], heading_deg: 90, within: 0.2, speed: 1, timeout: 9}}\n"
        "  - {turn: {by_deg: -360}}\n"
        "  - {tether: -0.25}\n"
        "  - {handler: true}\n";
    hwError error;
    hwPilotScript* script = hwParsePilotScript(text, sizeof(text) - 1, &error);
    if (script == NULL) fail_msg("%d: %s", error.line, error.message);
    int count;
    const hwPilotAction* a = hwPilotScript_GetActions(script, &count);
    assert_int_equal(count, 7);
    assert_int_equal(a[1].kind, HW_PILOT_MODE);
    assert_close(a[1].value, HW_MODE_HOLD, 0.0);
    assert_int_equal(a[2].kind, HW_PILOT_GO);
    assert_true(isnan(a[2].heading));
    assert_close(a[2].within, 0.4, 0.0);
    assert_close(a[3].heading, 0.5 * HW_PI, 1e-15);
    assert_close(a[3].timeout, 9.0, 0.0);
    assert_close(a[4].value, -2.0 * HW_PI, 1e-15);
    assert_close(a[5].value, -0.25, 0.0);
    assert_int_equal(a[6].kind, HW_PILOT_TETHER);
    assert_true(isnan(a[6].value));
    assert_int_equal(a[6].line, 9);
    hwDestroyPilotScript(script);
}

static void MistakesAreNamed(void** state) {
    (void)state;
    static const struct {
        const char* text;
        int line;
        const char* part;
    } cases[] = {{"hawser_pilot: 1\nactions:\n  - {fly: [1, 2, 3]}\n", 3, "fly"},
                 {"hawser_pilot: 1\nactions:\n  - {arm: true, wait: 3}\n", 3, "arm"},
                 {"hawser_pilot: 1\nactions:\n  - {}\n", 3, "arm"},
                 {"hawser_pilot: 1\nactions:\n  - {handler: false}\n", 3, "handler"},
                 {"hawser_pilot: 1\nactions:\n  - {go: {to: [1, 2, 3], speed: 2}}\n", 3, "speed"},
                 {"hawser_pilot: 2\nactions: []\n", 1, "hawser_pilot"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        hwError error;
        assert_null(hwParsePilotScript(cases[i].text, strlen(cases[i].text), &error));
        assert_int_equal(error.line, cases[i].line);
        if (strstr(error.message, cases[i].part) == NULL) fail_msg("%s", error.message);
    }
}

static void DocumentationIsWhatTheTablesSay(void** state) {
    (void)state;
    static const char marker[] =
        "<!-- everything below is written from the tables in io/pilot_schema.c -->\n";
    const char* path = HAWSER_SOURCE_DIR "/docs/lessons.md";
    static char page[200000], wanted[100000];
    FILE* memory = fmemopen(wanted, sizeof(wanted), "w");
    hwSection_WriteMarkdown(&hwSection_pilotScript, memory);
    fclose(memory);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof(page) - 1, file)] = 0;
    fclose(file);
    char* rest = strstr(page, marker);
    assert_non_null(rest);
    rest += strlen(marker);
    if (strcmp(rest, wanted) == 0) return;
    if (getenv("HAWSER_WRITE_DOCS") == NULL)
        fail_msg("docs/lessons.md differs from the tables; run this test with HAWSER_WRITE_DOCS=1 to write "
                 "it anew");
    *rest = 0;
    file = fopen(path, "w");
    fputs(page, file);
    fputs(wanted, file);
    fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ScriptsAreRead),
        cmocka_unit_test(MistakesAreNamed),
        cmocka_unit_test(DocumentationIsWhatTheTablesSay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
