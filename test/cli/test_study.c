// hawser study: the same table whoever did the runs; killed, it goes on; failed runs are listed.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "program.h"

#include <time.h>

static const char g_scene[] =
    "hawser: 1\nname: swing\nduration: 3\noutput: {interval: 0.05}\n"
    "environment: {water: {}, waves: {jonswap: {hs: 1, tp: 8}}}\n"
    "bodies:\n  - {name: load, mass: 100, position: [0, 0, -10], inertia: [10, 10, 10]}\n"
    "cables:\n  - name: wire\n    sections: [{length: 10, elements: 6, diameter: 0.02, mass_per_length: 1, "
    "EA: 1e6, break: 1e4}]\n"
    "    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: load, at: [0, 0, 0]}}\n";

static const char g_study[] =
    "hawser_study: 1\nscene: scene.yaml\nparameters:\n  - {path: environment.waves.jonswap.hs, values: [1, "
    "2, 3]}\n"
    "  - {path: bodies.load.mass, normal: {mean: 100, deviation: 5}}\nsamples: 3\nseeds: {count: 4}\n"
    "keep: {statistics: [wire.a.tension], channels: [wire.b.tension], from: 1}\n"
    "limits: [{of: wire.a.tension.max, max: 1100}]\nextremes: [{of: wire.a.tension.max}]\n";

static void AssertSameFiles(const char* first, const char* second) {
    char command[256];
    snprintf(command, sizeof(command), "cmp %s %s", first, second);
    if (system(command) != 0) fail_msg("%s and %s differ", first, second);
}

static void TheTableIsTheSameWhoeverRan(void** state) {
    (void)state;
    PutFile("scene.yaml", g_scene);
    PutFile("study.yaml", g_study);
    assert_int_equal(Hawser("study study.yaml --out one -j1"), 0);
    AssertSays(g_output, "36 of 36 runs done");
    assert_int_equal(Hawser("study study.yaml --out two -j 2 --quiet"), 0);
    assert_string_equal(g_output, "");
    AssertSameFiles("one/table.csv", "two/table.csv");
    AssertSameFiles("one/table.h5", "two/table.h5");
    AssertSameFiles("one/extremes.csv", "two/extremes.csv");
    AssertSameFiles("one/runs/000035.h5", "two/runs/000035.h5");
    assert_int_equal(Hawser("study study.yaml --out one --run 17"), 0);
    AssertSays(g_errors, "the same to the bit as in one");
    AssertSays(g_errors, "--set 'environment.waves.jonswap.hs=2'");
    AssertSays(g_output, "wire.a.tension.max ");
    assert_int_equal(Hawser("study study.yaml --list"), 0);
    AssertSays(g_output, "\n35 environment.waves.jonswap.hs=3 ");
    // The example of docs/workbench.md.
    assert_int_equal(Hawser("study '" HAWSER_SOURCE_DIR "/examples/lift/study.yaml' --list"), 0);
    AssertSays(g_output, "\n239 duration=140 environment.waves.jonswap.direction_deg=120 ");
    if (system("command -v mpirun >/dev/null") != 0) {
        print_message("mpirun is not installed: not tried\n");
        return;
    }
    char command[512];
    // What Open MPI loses at its end, in modules that are gone by then, is not ours.
    snprintf(command, sizeof(command),
             "ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun "
             "--oversubscribe -n 2 '%s' study "
             "study.yaml --out ranks --quiet >.out 2>.err",
             PROGRAM);
    int status = system(command);
    ReadAll(".err", g_errors, sizeof(g_errors));
    if (status != 0) fail_msg("%s", g_errors);
    AssertSameFiles("one/table.csv", "ranks/table.csv");
    AssertSameFiles("one/table.h5", "ranks/table.h5");
}

// Killed ten times at any moment: no run is lost that was written, none is there twice, and the table is that of a study that was
// not killed.
static int CountLines(const char* path) {
    static char text[200000];
    if (access(path, F_OK) != 0) return 0;
    ReadAll(path, text, sizeof(text));
    int lines = 0;
    for (const char* c = text; *c; ++c) lines += *c == '\n';
    return lines;
}

// Some runs further, however fast the machine is, and some milliseconds more; true: it was killed before it had done all.
static bool KillFurtherOn(int lines, int milliseconds) {
    char* words[] = {"hawser", "study", "study.yaml", "--out", "killed", "--quiet", NULL};
    pid_t child = StartHawser(words);
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        bool far = CountLines("killed/runs.txt") >= lines;
        nanosleep(&(struct timespec){.tv_nsec = 1000000 * (far ? milliseconds : 1)}, NULL);
        if (!far) continue;
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        break;
    }
    return WIFSIGNALED(status);
}

static void KilledItGoesOn(void** state) {
    (void)state;
    PutFile("scene.yaml", g_scene);
    PutFile("study.yaml", g_study);
    if (Hawser("study study.yaml --out whole --quiet") != 0) fail_msg("%s", g_errors);
    int before = 0, stopped = 0;
    for (int i = 0; i < 10; ++i) {
        // at once as well, before it has begun
        stopped += KillFurtherOn(i < 2 ? 0 : before + 1 + i % 3, (i * 7) % 10);
        int lines = CountLines("killed/runs.txt");
        assert_true(lines >= before);
        before = lines;
    }
    assert_true(stopped >= 1);
    // What was being written goes, whoever's it was.
    PutFile("killed/runs/000001.h5.77777-0.tmp", "half a file");
    PutFile("killed/table.csv.77777-0.tmp", "half a table");
    PutFile("killed/notes.tmp", "somebody's own");
    // A line that is torn in the middle is done again.
    FILE* file = fopen("killed/runs.txt", "a");
    fputs("3 ok 12.5 13", file);
    fclose(file);
    assert_int_equal(Hawser("study study.yaml --out killed --quiet"), 0);
    assert_int_equal(
        system("test -z \"$(ls killed/runs | grep tmp)\" -a -z \"$(ls killed | grep 'csv.*tmp')\""), 0);
    assert_true(Exists("killed/notes.tmp"));
    AssertSameFiles("whole/table.csv", "killed/table.csv");
    AssertSameFiles("whole/table.h5", "killed/table.h5");
    assert_int_equal(
        system("test $(tail -n +2 killed/runs.txt | cut -d' ' -f1 | sort -n | uniq | wc -l) = 36"), 0);
    assert_int_equal(system("test $(wc -l < killed/runs.txt) = 37"), 0);
}

// A disk that is full while rows of runs are kept ends the study; the runs have not failed, and are done when there is room again.
static void AFullDiskSpoilsNoRun(void** state) {
    (void)state;
    PutFile("scene.yaml", g_scene);
    PutFile("study.yaml", g_study);
    if (Hawser("study study.yaml --out roomy --quiet") != 0) fail_msg("%s", g_errors);
    // files of at most 2 KiB by half KiB blocks, of this program alone
    char command[512];
    snprintf(command, sizeof(command), "ulimit -f 4; exec '%s' study study.yaml --out tight --quiet 2>.err",
             PROGRAM);
    int status = system(command);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 2);
    ReadAll(".err", g_errors, sizeof(g_errors));
    AssertSays(g_errors, "Cannot write tight/runs/");
    AssertSays(g_errors, "make room and start again");
    if (Hawser("study study.yaml --out tight --quiet") != 0) fail_msg("%s", g_errors);
    AssertSameFiles("roomy/table.csv", "tight/table.csv");
    AssertSameFiles("roomy/runs/000000.h5", "tight/runs/000000.h5");
}

static void FailedRunsAreListed(void** state) {
    (void)state;
    PutFile("scene.yaml", g_scene);
    PutFile("study.yaml", "hawser_study: 1\nscene: scene.yaml\nparameters: [{path: bodies.load.mass, values: "
                          "[100, -5, 120]}]\n");
    assert_int_equal(Hawser("study study.yaml --out failed"), 1);
    AssertSays(g_errors, "3 of 3 runs done, 1 failed: see failed/failures.csv");
    static char text[20000];
    ReadAll("failed/failures.csv", text, sizeof(text));
    AssertSays(text, "1,-5,");
    AssertSays(text, "mass");
    ReadAll("failed/table.csv", text, sizeof(text));
    AssertSays(text, "\n1,-5,1,nan");
    AssertSays(text, "\n2,120,0,");
    PutFile("long.yaml", "hawser_study: 1\nscene: scene.yaml\nset: {duration: 1e6, output.interval: 1}\n");
    assert_int_equal(Hawser("study long.yaml --out long --limit 0.3"), 1);
    ReadAll("long/failures.csv", text, sizeof(text));
    AssertSays(text, "0,it took longer than the 0.3 s allowed with --limit");
    AssertSays(g_errors, "the first   run 0: it took longer than the 0.3 s");
    // once more, when there is more time
    PutFile("slow.yaml",
            "hawser_study: 1\nscene: scene.yaml\nset: {duration: 200}\nparameters: [{path: bodies.load.mass, "
            "values: [100, -5, 120]}]\n");
    assert_int_equal(Hawser("study slow.yaml --out slow -q -j1 --limit 1e-3"), 1);
    AssertSays(g_errors, "3 failed");
    assert_int_equal(Hawser("study slow.yaml --out slow -q"), 1);
    AssertSays(g_errors, "3 failed");
    assert_int_equal(Hawser("study slow.yaml --out slow -q --again"), 1);
    AssertSays(g_errors, "3 of 3 runs done, 1 failed");
    assert_int_equal(Hawser("study slow.yaml --out whole2 -q"), 1);
    AssertSameFiles("slow/table.csv", "whole2/table.csv");
    ReadAll("failed/table.csv", text, sizeof(text));
    AssertSays(text, "\n2,120,0,");
}

// What only looks at rows may change afterwards; a file that the scene names may not, nor what it includes.
static void RowsAreLookedAtAnew(void** state) {
    (void)state;
    static const char study[] =
        "hawser_study: 1\nscene: scene.yaml\nset: {duration: 0.1}\nseeds: {count: 3}\n"
        "keep: {statistics: [wire.a.tension]}\n";
    char text[4000];
    PutFile("scene.yaml", g_scene);
    PutFile("study.yaml", study);
    if (Hawser("study study.yaml --out again") != 0) fail_msg("%s", g_errors);
    snprintf(text, sizeof(text), "%slimits: [{of: wire.a.tension.max, max: 1}]\n", study);
    PutFile("study.yaml", text);
    if (Hawser("study study.yaml --out again") != 0) fail_msg("%s", g_errors);
    AssertSays(g_output, "3 of 3 runs done");
    ReadAll("again/table.csv", text, sizeof(text));
    AssertSays(text, "\n2,3,0,0,"); // ok is 0 now
    PutFile("part.yaml", g_scene);
    PutFile("scene.yaml", "hawser: 1\ninclude: part.yaml\n");
    if (Hawser("study study.yaml --out included --quiet") != 0) fail_msg("%s", g_errors);
    snprintf(text, sizeof(text),
             "%s  - {name: other, model: line, sections: [{length: 5, diameter: 0.02, mass_per_length: 1, "
             "EA: 1e6}], "
             "ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: earth, at: [3, 0, 0]}}}\n",
             g_scene);
    PutFile("part.yaml", text);
    assert_int_equal(Hawser("study study.yaml --out included --quiet"), 2);
    AssertSays(g_errors, "is of other runs: `cables.other` is new, ");
    remove("included/inputs.txt"); // written by an earlier version
    assert_int_equal(Hawser("study study.yaml --out included --quiet"), 2);
    AssertSays(g_errors, "is of other runs: the scene, ");
}

static void AnotherStudyIsRefused(void** state) {
    (void)state;
    PutFile("scene.yaml", g_scene);
    PutFile("study.yaml", "hawser_study: 1\nscene: scene.yaml\nset: {duration: 0.1}\n");
    assert_int_equal(Hawser("study study.yaml --out other --quiet"), 0);
    PutFile("study.yaml", "hawser_study: 1\nscene: scene.yaml\nset: {duration: 0.2}\n");
    assert_int_equal(Hawser("study study.yaml --out other --quiet"), 2);
    AssertSays(g_errors, "is of other runs: `duration` was 0.1 and is 0.2.");
    AssertSays(g_errors, "--fresh");
    assert_int_equal(Hawser("study study.yaml --out other --quiet --fresh"), 0);
    assert_int_equal(Hawser("study study.yaml --out other --run 1"), 2);
    AssertSays(g_errors, "0 to 0");
    assert_int_equal(Hawser("study study.yaml --jobs none"), 2);
    PutFile("study.yaml", "hawser_study: 1\nscene: scene.yaml\ncolour: red\n");
    assert_int_equal(Hawser("study study.yaml"), 2);
    AssertSays(g_errors, "study.yaml:3:");
}

// A column of the table's first run.
static double FindColumn(const char* path, const char* name) {
    static char text[200000];
    ReadAll(path, text, sizeof(text));
    char* lines[3] = {strtok(text, "\n"), strtok(NULL, "\n"), strtok(NULL, "\n")};
    int column = 0;
    char* at = lines[0];
    for (char* comma; at && (strncmp(at, name, strlen(name)) != 0 || !strchr(",\n", at[strlen(name)]));
         at = comma ? comma + 1 : NULL, ++column)
        comma = strchr(at, ',');
    if (!at) fail_msg("%s has no column %s", path, name);
    char* field = lines[2];
    for (int i = 0; i < column; ++i) field = strchr(field, ',') + 1;
    return strtod(field, NULL);
}

// The same numbers as of the command that `--run` prints: extremes are those of all steps and between them, the build-up goes by the
// same solver, and what happened in it does not count.
static void ARunOfAStudyIsThatOfRun(void** state) {
    (void)state;
    PutFile("built.yaml",
            "hawser: 1\nname: built\nduration: 6\noutput: {interval: 0.5}\nstart: {build_up: 20}\n"
            "environment: {water: {}, waves: {airy: {height: 2, period: 5}}}\n"
            "bodies:\n  - {name: load, mass: 100, position: [0, 0, -9.5], inertia: [10, 10, 10], volume: "
            "0.08, drag: {quadratic: [20, 20, 20, 1, 1, 1]}}\n"
            "cables:\n  - name: wire\n    sections: [{length: 10, elements: 6, diameter: 0.02, "
            "mass_per_length: 1, EA: 1e6, break: 1e4}]\n"
            "    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: load, at: [0, 0, 0]}}\n");
    PutFile("built_study.yaml",
            "hawser_study: 1\nscene: built.yaml\nkeep: {statistics: [wire.a.tension, load.position.x]}\n");
    assert_int_equal(Hawser("study built_study.yaml --out built --quiet"), 0);
    assert_int_equal(Hawser("run built.yaml --csv built.csv --extremes extremes.csv"), 0);
    char steps[64];
    snprintf(steps, sizeof(steps), "realtime, %.0f steps", FindColumn("built/table.csv", "steps"));
    AssertSays(g_output, steps);
    static char text[20000];
    ReadAll("extremes.csv", text, sizeof(text));
    const char* const names[] = {"wire.a.tension", "load.position.x"};
    for (int i = 0; i < 2; ++i) {
        char key[64], column[64];
        snprintf(key, sizeof(key), "\n%s,", names[i]);
        const char* line = strstr(text, key);
        assert_non_null(line);
        double min, minTime, max;
        assert_int_equal(
            sscanf(strchr(strchr(line + 1, ',') + 1, ',') + 1, "%lf,%lf,%lf", &min, &minTime, &max), 3);
        snprintf(column, sizeof(column), "%s.min", names[i]);
        assert_true(FindColumn("built/table.csv", column) == min);
        snprintf(column, sizeof(column), "%s.max", names[i]);
        assert_true(FindColumn("built/table.csv", column) == max);
        assert_true(max > min);
    }
    // It falls half a metre into its wire when the build-up begins, and never again.
    assert_true(FindColumn("built/table.csv", "taut") == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TheTableIsTheSameWhoeverRan), cmocka_unit_test(KilledItGoesOn),
        cmocka_unit_test(FailedRunsAreListed),         cmocka_unit_test(AnotherStudyIsRefused),
        cmocka_unit_test(AFullDiskSpoilsNoRun),        cmocka_unit_test(RowsAreLookedAtAnew),
        cmocka_unit_test(ARunOfAStudyIsThatOfRun),
    };
    return cmocka_run_group_tests(tests, OpenFolder, CloseFolder);
}
