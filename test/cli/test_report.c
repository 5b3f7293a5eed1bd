// Limits of scenes, and reports as they are handed in.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "program.h"

// A sphere of 1 kg that falls for a second: 4.903 m deep, 9.807 m/s fast.
static const char g_scene[] = "hawser: 1\nduration: 1\n"
                              "environment: {gravity: 9.80665}\n"
                              "bodies: [{name: ball, mass: 1, inertia: [1, 1, 1]}]\n"
                              "record: [ball.position.*]\n"
                              "limits: [{of: ball.velocity.z, min: %s}, {of: ball.position.z, max: 0.001}]\n";

static void PutScene(const char* least) {
    char text[1000];
    snprintf(text, sizeof(text), g_scene, least);
    PutFile("fall.yaml", text);
}

static void LimitsOfASceneAreJudged(void** state) {
    (void)state;
    PutScene("-10");
    assert_int_equal(Hawser("run fall.yaml --out good"), 0);
    AssertSays(g_output, "limit      ball.velocity.z, at least -10: -9.80");
    AssertSays(g_output, ", holds\n");
    PutScene("-9");
    assert_int_equal(Hawser("run fall.yaml --out bad --report"), 1);
    AssertSays(g_errors, "ball.velocity.z fell to -9.80");
    AssertSays(g_errors, "m/s at 1 s; at least -9 is allowed.");
    AssertSays(g_output, "DOES NOT HOLD");
    assert_true(Exists("bad/report.html"));
    // With --quiet too; and other channels than those asked for do not lose a limit.
    assert_int_equal(Hawser("run fall.yaml --out bad --quiet --channels ball.position.x"), 1);
    AssertSays(g_errors, "ball.velocity.z fell to -9.80");
    PutFile("typo.yaml", "hawser: 1\nduration: 1\nbodies: [{name: ball, mass: 1, inertia: [1, 1, 1]}]\n"
                         "limits:\n  - {max: 2, of: ball.velocty.z}\n");
    assert_int_equal(Hawser("run typo.yaml --out x"), 2);
    AssertSays(g_errors, "typo.yaml:5:18: There is no channel ball.velocty.z.");
    AssertSays(g_errors, "Did you mean ball.velocity.z?");
    PutFile("none.yaml", "hawser: 1\nduration: 1\nlimits: [{of: world.time}]\n");
    assert_int_equal(Hawser("check none.yaml"), 2);
    AssertSays(g_errors, "none.yaml:3:10: a limit needs one of `max`, `min`");
    PutFile("none.yaml", "hawser: 1\nduration: 1\nlimits: [{of: world.time, min: 3, max: 2}]\n");
    assert_int_equal(Hawser("check none.yaml"), 2);
    AssertSays(g_errors, "`min` (3) of the limit on `world.time` is above `max` (2)");
}

static void WithoutABrowserThereIsAClearSentence(void** state) {
    (void)state;
    PutScene("-10");
    assert_int_equal(Hawser("run fall.yaml --out out --quiet"), 0);
    setenv("HAWSER_BROWSER", "/nowhere/browser", 1);
    assert_int_equal(Hawser("report out --pdf"), 1);
    AssertSays(g_errors, "HAWSER_BROWSER is /nowhere/browser, which is no program.");
    assert_true(Exists("out/report.html") && !Exists("out/report.pdf"));
    // A browser that makes nothing.
    setenv("HAWSER_BROWSER", "/bin/true", 1);
    assert_int_equal(Hawser("report out --pdf"), 1);
    AssertSays(g_errors, "/bin/true made no PDF of out/report.html.");
    assert_int_equal(Hawser("report out --views 0"), 1);
    AssertSays(g_errors, "/bin/true drew no pictures.");
    assert_int_equal(Hawser("report out --views 0,x"), 1);
    AssertSays(g_errors, "--views wants times from 0 to ");
    assert_int_equal(Hawser("report out --views 1e9"), 1);
    AssertSays(g_errors, "s with commas between, not \"1e9\".");
    unsetenv("HAWSER_BROWSER");
    char* path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    assert_int_equal(Hawser("report out --pdf"), 1);
    setenv("PATH", path, 1);
    free(path);
    AssertSays(g_errors, "There is no browser to print or draw with.");
    AssertSays(g_errors, "HAWSER_BROWSER");
}

// A stand-in browser shows what a real one is asked for: an address with the fragment for paper, and a PDF.
static void TheBrowserIsAskedForThePageOnPaper(void** state) {
    (void)state;
    PutScene("-10");
    assert_int_equal(Hawser("run fall.yaml --out 'a folder' --quiet"), 0);
    PutFile("browser.sh",
            "#!/bin/sh\nfor word; do case $word in --print-to-pdf=*) to=${word#--print-to-pdf=};; "
            "file:*) from=$word;; esac; done\n"
            "printf '%%PDF-1.4 %s' \"$from\" >\"$to\"\n");
    assert_int_equal(chmod("browser.sh", 0755), 0);
    char browser[128], text[400];
    snprintf(browser, sizeof(browser), "%s/browser.sh", g_folder);
    setenv("HAWSER_BROWSER", browser, 1);
    assert_int_equal(Hawser("report 'a folder' --pdf"), 0);
    unsetenv("HAWSER_BROWSER");
    AssertSays(g_output, "a folder/report.pdf");
    assert_non_null(ReadAll("a folder/report.pdf", text, sizeof(text)));
    AssertSays(text, "%PDF-1.4 file:///");
    AssertSays(text, "/a%20folder/report.html#print");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(LimitsOfASceneAreJudged, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(WithoutABrowserThereIsAClearSentence, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(TheBrowserIsAskedForThePageOnPaper, OpenFolder, CloseFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
