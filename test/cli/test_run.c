// hawser run: what it writes, and what it keeps when it does not come to its end.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hawser/hawser.h"
#include "hawser/results.h"
#include "program.h"

#include <math.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <time.h>

static hwResults* OpenGood(const char* path) {
    hwError error;
    hwResults* results = hwOpenResults(path, &error);
    if (!results) fail_msg("%s", error.message);
    return results;
}

// The value of a channel in a row.
static double ReadCell(hwResults* results, int64_t row, const char* channel) {
    double values[100];
    hwError error;
    int column = hwResults_FindChannel(results, channel);
    assert_in_range(column, 0, 99);
    assert_true(hwResults_GetChannelCount(results) <= 100);
    assert_int_equal(hwResults_ReadRows(results, row, 1, values, &error), HW_OK);
    return values[column];
}

static void CsvHasNamesUnitsAndExactTimes(void** state) {
    (void)state;
    PutFile("box.yaml", g_box);
    assert_int_equal(Hawser("run box.yaml --csv box.csv --channels box.position.z,world.time,box.velocity.x"),
                     0);
    assert_false(Exists("results"));
    char text[4000];
    assert_non_null(ReadAll("box.csv", text, sizeof(text)));
    assert_int_equal(strncmp(text, "world.time,box.position.z,box.velocity.x\ns,m,m/s\n0,5,1\n0.1,", 58), 0);
    hwResults* results = OpenGood("box.csv");
    assert_int_equal(hwResults_GetRowCount(results), 11);
    for (int row = 0; row < 11; ++row) {
        double time = ReadCell(results, row, "world.time");
        assert_true(time == row / 10.0);
        // Free fall; the built-in solver is of second order, exact for a parabola up to rounding.
        assert_true(fabs(ReadCell(results, row, "box.position.z") - (5 - 0.5 * 9.81 * time * time)) < 1e-12);
    }
    hwCloseResults(results);
}

// A load let go on a straight wire without slack bounces between no tension and twice its weight, here once in half a second.
// Rows come at that interval, when the wire is slack each time.
static const char g_bounce[] =
    "hawser: 1\nduration: 4\noutput: {interval: 0.5}\nbodies:\n"
    "  - {name: load, mass: 400, inertia: [40, 40, 40], position: [0, 0, -10]}\ncables:\n"
    "  - {name: wire, ends: {a: {on: earth}, b: {on: load}}, sections:\n"
    "      [{length: 10, elements: 4, diameter: 0.02, mass_per_length: 0.01, EA: 6.3165e5}]}\n";

static void PeaksBetweenRowsAreInTheSummary(void** state) {
    (void)state;
    PutFile("bounce.yaml", g_bounce);
    assert_int_equal(Hawser("run bounce.yaml --csv a.csv"), 0);
    const char* line = strstr(g_output, "wire.b.tension: ");
    assert_non_null(line);
    double low, lowTime, high, highTime;
    assert_int_equal(
        sscanf(line, "wire.b.tension: %lf N at %lf s to %lf N at %lf s", &low, &lowTime, &high, &highTime),
        4);
    // 2 m g; steps of some 16 ms meet the peak within (pi h/T)^2 / 2 of it
    assert_true(fabs(high - 2 * 400 * 9.81) < 0.01 * 2 * 400 * 9.81);
    assert_true(fabs(fmod(highTime, 0.5) - 0.25) < 0.03);
    // no row has seen it
    hwResults* results = OpenGood("a.csv");
    int64_t count = hwResults_GetRowCount(results);
    int column = hwResults_FindChannel(results, "wire.b.tension"), width = hwResults_GetChannelCount(results);
    double* values = malloc((size_t)width * sizeof(double));
    hwError error;
    for (int64_t row = 0; row < count; ++row) {
        assert_int_equal(hwResults_ReadRows(results, row, 1, values, &error), HW_OK);
        assert_true(values[column] < 100.0);
    }
    free(values);
    hwCloseResults(results);
}

static void AuditFailsRunsWhoseBalanceIsOff(void** state) {
    (void)state;
    PutFile("bounce.yaml", g_bounce);
    assert_int_equal(Hawser("run bounce.yaml --csv a.csv -q --audit 1e-6"), 1);
    assert_non_null(strstr(g_errors, "The solver's steps damped"));
    assert_non_null(strstr(g_errors, "1e-06 was asked for"));
    assert_true(Exists("a.csv"));
    assert_int_equal(Hawser("run bounce.yaml --csv a.csv -q --audit 0.01"), 0);
    assert_string_equal(g_errors, "");
    assert_int_equal(Hawser("run bounce.yaml --csv a.csv -q --audit 0"), 2);
    // long steps damp it: told without being asked, but no failure
    assert_int_equal(Hawser("run bounce.yaml --csv a.csv -q --set solver.tolerance=0.1"), 0);
    assert_non_null(strstr(g_errors, "The solver's steps damped"));
    assert_non_null(strstr(g_errors, "0.05 is told"));
    assert_null(strstr(g_errors, "balance is off")); // nothing else is missing
    // the file and the report know of it
    assert_int_equal(Hawser("run bounce.yaml --out damped --report -q --set solver.tolerance=0.1"), 0);
    hwResults* results = OpenGood("damped/results.h5");
    const hwRunInfo* info = hwResults_GetInfo(results);
    assert_true(info->energyMethod > 100.0 * fabs(info->energyError));
    hwCloseResults(results);
    assert_int_equal(system("grep -q '\"energyMethod\":[1-9]' damped/report.html"), 0);
}

// The second run's first row is the first one's last, and its steps are its own.
static void ARunBeginsWhereAnotherEnded(void** state) {
    (void)state;
    PutFile("bounce.yaml", g_bounce);
    assert_int_equal(Hawser("run bounce.yaml --csv a.csv --channels world.*,load.* --save bounce.state"), 0);
    assert_non_null(strstr(g_output, "  state      bounce.state"));
    assert_int_equal(Hawser("run bounce.yaml --csv b.csv --channels world.*,load.* --duration 1 --set "
                            "start.state=bounce.state"),
                     0);
    int steps = 0;
    const char* line = strstr(g_output, "realtime, ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "realtime, %d steps", &steps), 1);
    hwResults *first = OpenGood("a.csv"), *second = OpenGood("b.csv");
    int64_t last = hwResults_GetRowCount(first) - 1;
    static const char* const names[] = {"world.time", "world.steps", "load.position.z", "load.velocity.z"};
    for (int i = 0; i < 4; ++i) assert_true(ReadCell(first, last, names[i]) == ReadCell(second, 0, names[i]));
    assert_true(ReadCell(second, hwResults_GetRowCount(second) - 1, "world.time") == 5.0);
    assert_true(steps > 0 && steps < ReadCell(first, last, "world.steps"));
    hwCloseResults(first);
    hwCloseResults(second);
    assert_int_equal(Hawser("run bounce.yaml --csv b.csv --set start.state=none.state"), 2);
    assert_non_null(strstr(g_errors, "none.state` does not exist"));
    assert_int_equal(Hawser("run bounce.yaml --csv b.csv --save none/such.state"), 2);
    assert_non_null(strstr(g_errors, "cannot be written"));
}

// What the scene does not give but estimates is in the summary, with its numbers.
static void EstimatedHydrodynamicsAreNamed(void** state) {
    (void)state;
    PutFile("wet.yaml", "hawser: 1\nduration: 0.1\nenvironment: {water: {density: 1000}}\nbodies:\n"
                        "  - {name: crate, mass: 2000, position: [0, 0, -5], shapes: [{box: [2, 1, 1]}], "
                        "hydro_from_shapes: true}\n"
                        "  - {name: plain, mass: 2000, position: [9, 0, -5], shapes: [{box: [2, 1, 1]}], "
                        "drag: {quadratic: [1, 1, "
                        "1, 1, 1, 1]}}\n");
    assert_int_equal(Hawser("run wet.yaml --csv a.csv"), 0);
    double found[6];
    const char* line = strstr(g_output, "  estimated  crate: ");
    assert_non_null(line);
    assert_int_equal(
        sscanf(line,
               "  estimated  crate: added mass %lf, %lf, %lf kg, drag %lf, %lf, %lf N s2/m2 along x, y, z\n",
               &found[0], &found[1], &found[2], &found[3], &found[4], &found[5]),
        6);
    assert_null(strstr(line, "plain"));
    hwShapeDef box = hwDefaultShapeDef();
    box.kind = HW_SHAPE_BOX;
    box.size = (hwVec3){2, 1, 1};
    hwHydroDef hydro = hwDefaultBodyDef().hydro;
    assert_int_equal(hwHydroDef_EstimateFromShapes(1, &box, 1000, &hydro, NULL), HW_OK);
    for (int i = 0; i < 3; ++i) { // four digits are printed
        assert_true(fabs(found[i] / hydro.addedMass[i][i] - 1) < 1e-3);
        assert_true(fabs(found[3 + i] / hydro.quadraticDrag[i] - 1) < 1e-3);
    }
    assert_int_equal(Hawser("run wet.yaml --csv a.csv --set bodies.plain.hydro_from_shapes=true"), 0);
    line = strstr(g_output, "plain: added mass ");
    assert_non_null(line);
    assert_null(strstr(line, "drag")); // that one is given
}

// Two parts may come off this wire, and one does: they are in lists and files only where they are asked for by name.
static void PartsThatMayComeOffAreAskedForByName(void** state) {
    (void)state;
    PutFile("snap.yaml",
            "hawser: 1\nduration: 1\noutput: {interval: 0.1}\nbodies:\n"
            "  - {name: load, mass: 400, inertia: [40, 40, 40], position: [0, 0, -10]}\ncables:\n"
            "  - {name: wire, ends: {a: {on: earth}, b: {on: load}}, sections:\n"
            "      [{length: 12, elements: 6, diameter: 0.02, mass_per_length: 1, EA: 1e6, break: 8000}]}\n");
    assert_int_equal(Hawser("check snap.yaml"), 0);
    assert_null(strstr(g_output, "wire-2"));
    assert_non_null(strstr(g_output, "more of parts that cables may break into"));
    assert_int_equal(Hawser("channels snap.yaml"), 0);
    assert_non_null(strstr(g_output, "wire.a.tension"));
    assert_null(strstr(g_output, "wire-2"));
    assert_int_equal(Hawser("run snap.yaml --csv all.csv"), 0);
    assert_non_null(strstr(g_errors, "wire parted"));
    hwResults* results = OpenGood("all.csv");
    for (int i = 0; i < hwResults_GetChannelCount(results); ++i)
        assert_null(strstr(hwResults_GetChannel(results, i).name, "wire-"));
    hwCloseResults(results);
    assert_int_equal(Hawser("run snap.yaml --csv some.csv --channels 'wire-2.a.*,wire-2.len*,wire.length'"),
                     0);
    results = OpenGood("some.csv");
    assert_true(hwResults_FindChannel(results, "wire-2.length") > 0);
    assert_int_equal(hwResults_FindChannel(results, "wire-3.length"), -1);
    assert_true(isnan(ReadCell(results, 0, "wire-2.length")) &&
                isnan(ReadCell(results, 0, "wire-2.a.tension")));
    int64_t last = hwResults_GetRowCount(results) - 1;
    assert_true(ReadCell(results, last, "wire-2.length") > 0.0);
    hwCloseResults(results);
}

static void TheLastRowIsAtTheEnd(void** state) {
    (void)state;
    PutFile("box.yaml", g_box);
    assert_int_equal(Hawser("run box.yaml --csv a.csv --duration 0.25 --quiet"), 0);
    assert_string_equal(g_output, "");
    assert_string_equal(g_errors, "");
    hwResults* results = OpenGood("a.csv");
    assert_int_equal(hwResults_GetRowCount(results), 4);
    assert_true(ReadCell(results, 2, "world.time") == 0.2 && ReadCell(results, 3, "world.time") == 0.25);
    assert_true(fabs(ReadCell(results, 3, "box.position.x") - 0.25) < 1e-12);
    hwCloseResults(results);
    assert_int_equal(Hawser("run box.yaml --csv a.csv --duration 0.01 -q"), 0);
    results = OpenGood("a.csv");
    assert_int_equal(hwResults_GetRowCount(results), 2);
    hwCloseResults(results);
    // A start later than 0.
    PutFile("late.yaml", "hawser: 1\nduration: 0.3\nstart: {time: 10}\noutput: {interval: 0.1}\nbodies:\n"
                         "  - {name: box, mass: 1, inertia: [1, 1, 1]}\n");
    assert_int_equal(Hawser("run late.yaml --csv a.csv -q"), 0);
    results = OpenGood("a.csv");
    assert_int_equal(hwResults_GetRowCount(results), 4);
    assert_true(ReadCell(results, 0, "world.time") == 10 && ReadCell(results, 3, "world.time") == 10.3);
    hwCloseResults(results);
}

static void ResultsGoIntoAFolderWithEverythingKnown(void** state) {
    (void)state;
    PutFile("box.yaml", g_box);
    assert_int_equal(Hawser("run box.yaml --report"), 0);
    AssertSays(g_output, "completed");
    AssertSays(g_output, "results/box/results.h5");
    AssertSays(g_output, "results/box/report.html");
    assert_true(Exists("results/box/report.html"));
    hwResults* results = OpenGood("results/box");
    assert_int_equal(hwResults_GetRowCount(results), 11);
    assert_string_equal(hwResults_GetScene(results), g_box);
    const hwRunInfo* info = hwResults_GetInfo(results);
    assert_string_equal(info->title, "a box falls");
    assert_string_equal(info->status, "completed");
    assert_string_equal(info->solver, "realtime");
    assert_true(info->counters.steps > 0 && info->duration == 1 && info->interval == 0.1);
    hwCloseResults(results);
    // The same numbers whatever the file.
    assert_int_equal(Hawser("run box.yaml --out deep/er --csv both.csv --solver reference"), 0);
    assert_int_equal(Hawser("convert deep/er/results.h5 converted.csv"), 0);
    assert_int_equal(system("cmp both.csv converted.csv"), 0);
    results = OpenGood("deep/er");
    assert_string_equal(hwResults_GetInfo(results)->solver, "reference");
    hwCloseResults(results);
}

// The same steps, the same bits at the end and the same extremes, however often rows are written and of what.
static void RowsDoNotChangeARun(void** state) {
    (void)state;
    PutFile("swing.yaml",
            "hawser: 1\nduration: 3\noutput: {interval: 0.5}\nbodies:\n"
            "  - {name: load, mass: 500, inertia: [80, 80, 80], position: [6, 0, -8]}\ncables:\n"
            "  - name: wire\n"
            "    sections: [{length: 10, elements: 6, diameter: 0.02, mass_per_length: 1.5, EA: 2.0e+7}]\n"
            "    ends: {a: {on: earth}, b: {on: load}}\n");
    static const char* const options[] = {
        "--channels 'load.position.*,wire.a.tension'",
        "--channels 'load.position.*,wire.a.tension' --set output.interval=0.02",
        "--channels 'load.position.*'",
        "--channels 'load.*,wire.a.tension' --set output.interval=0.013 --csv swing.csv"};
    double steps = 0, x = 0, greatest = 0;
    for (int i = 0; i < 4; ++i) {
        char arguments[200];
        snprintf(arguments, sizeof(arguments), "run swing.yaml --out swing%d %s", i, options[i]);
        assert_int_equal(Hawser(arguments), 0);
        snprintf(arguments, sizeof(arguments), "swing%d", i);
        hwResults* results = OpenGood(arguments);
        int64_t last = hwResults_GetRowCount(results) - 1;
        double taken = (double)hwResults_GetInfo(results)->counters.steps;
        double there = ReadCell(results, last, "load.position.x");
        if (i == 0) steps = taken, x = there;
        assert_true(taken == steps && there == x);
        int tension = hwResults_FindChannel(results, "wire.a.tension");
        if (tension >= 0) {
            const hwExtreme* extreme = hwResults_GetExtreme(results, tension);
            assert_non_null(extreme);
            if (i == 0) greatest = extreme->max;
            assert_true(extreme->max == greatest && extreme->max > 500 * 9.81);
        }
        hwCloseResults(results);
    }
}

// Many cables are stepped apart, and watched cable by cable: what is told of their ends is still the channel's own quantity.
static void PeaksOfManyCablesAreThoseOfTheirEnds(void** state) {
    (void)state;
    static char text[8000];
    int used = snprintf(
        text, sizeof(text),
        "hawser: 1\nduration: 8\nstart: {statics: true}\nenvironment: {water: {density: 1025}}\ncables:\n");
    for (int i = 0; i < 16; ++i) {
        used += snprintf(text + used, sizeof(text) - (size_t)used,
                         "  - {name: line%d, sections: [{length: 120, elements: 12, diameter: 0.05, "
                         "mass_per_length: 20, EA: 2e7, "
                         "damping: {axial: 2e5}}],\n     ends: {a: {on: earth, at: {sine: {amplitude: [2, 0, "
                         "1], offset: [0, %d, 0], "
                         "period: 7}}}, b: {on: earth, at: [90, %d, -60]}}, shape: catenary}\n",
                         i, 100 * i, 100 * i);
    }
    PutFile("lines.yaml", text);
    hwExtreme extremes[2][2];
    for (int i = 0; i < 2; ++i) {
        char arguments[200];
        snprintf(arguments, sizeof(arguments),
                 "run lines.yaml --out lines%d --channels 'line0.*.tension' --set output.interval=%s", i,
                 i == 0 ? "2" : "0.01");
        assert_int_equal(Hawser(arguments), 0);
        snprintf(arguments, sizeof(arguments), "lines%d", i);
        hwResults* results = OpenGood(arguments);
        extremes[i][0] = *hwResults_GetExtreme(results, hwResults_FindChannel(results, "line0.a.tension"));
        extremes[i][1] = *hwResults_GetExtreme(results, hwResults_FindChannel(results, "line0.b.tension"));
        hwCloseResults(results);
    }
    // a step is some 30 ms, in which the tension goes through a peak that rows of 10 ms show; half an element is 4 %
    for (int e = 0; e < 2; ++e) {
        assert_true(fabs(extremes[0][e].max - extremes[1][e].max) < 2e-3 * extremes[1][e].max);
        assert_true(fabs(extremes[0][e].min - extremes[1][e].min) < 2e-3 * extremes[1][e].min);
    }
}

// Where nothing but given motions moves, the reference solver would go to the end in a few steps, and see nothing between.
static void ExtremesOfGivenMotionsAreThereWithEitherSolver(void** state) {
    (void)state;
    PutFile(
        "ship.yaml",
        "hawser: 1\nduration: 12.3\nbodies: [{name: ship, motion: {prescribed: {position: {sine: {amplitude: "
        "[2, 0, 0], period: 4.1}}}}}]\n");
    for (int i = 0; i < 2; ++i) {
        char arguments[200];
        snprintf(arguments, sizeof(arguments), "run ship.yaml --out ship%d --solver %s", i,
                 i == 0 ? "realtime" : "reference");
        assert_int_equal(Hawser(arguments), 0);
        snprintf(arguments, sizeof(arguments), "ship%d", i);
        hwResults* results = OpenGood(arguments);
        const hwExtreme* x = hwResults_GetExtreme(results, hwResults_FindChannel(results, "ship.position.x"));
        assert_non_null(x);
        assert_true(fabs(x->max - 2.0) < 1e-4 && fabs(x->min + 2.0) < 1e-4);
        assert_true(fabs(x->mean) < 1e-4 && fabs(x->deviation - sqrt(2.0)) < 1e-3);
        hwCloseResults(results);
    }
}

static void CsvOnTheStandardOutputIsNothingButCsv(void** state) {
    (void)state;
    PutFile("box.yaml", g_box);
    assert_int_equal(Hawser("run box.yaml --csv - --channels 'box.position.*'"), 0);
    assert_int_equal(
        strncmp(g_output, "world.time,box.position.x,box.position.y,box.position.z\ns,m,m,m\n0,", 65), 0);
    AssertSays(g_errors, "completed");
    assert_null(strstr(g_output, "completed"));
    PutFile("out.csv", g_output);
    hwResults* results = OpenGood("out.csv");
    assert_int_equal(hwResults_GetRowCount(results), 11);
    hwCloseResults(results);
}

static void ARunThatFailsKeepsItsRowsAndSaysWhy(void** state) {
    (void)state;
    // A force that grows beyond all numbers after one second.
    PutFile("burst.yaml",
            "hawser: 1\nduration: 3\noutput: {interval: 0.1}\nbodies:\n"
            "  - {name: box, mass: 1, inertia: [1, 1, 1]}\nforces:\n  - {on: box, force: {ramp: "
            "{from: [0, 0, 0], to: [1.0e+308, 0, 0], start: 1, end: 2}}}\n");
    static const char* const solvers[] = {"realtime", "reference"};
    for (int i = 0; i < 2; ++i) {
        char arguments[64];
        snprintf(arguments, sizeof(arguments), "run burst.yaml --out out --solver %s", solvers[i]);
        assert_int_equal(Hawser(arguments), 3);
        AssertSays(g_errors, "burst.yaml: ");
        AssertSays(g_errors, "all rows so far are kept");
        hwResults* results = OpenGood("out");
        assert_int_equal(hwResults_GetRowCount(results), 11);
        assert_true(hwResults_GetInfo(results)->status[0] &&
                    strcmp(hwResults_GetInfo(results)->status, "running") != 0);
        hwCloseResults(results);
    }
}

static const char g_endless[] =
    "hawser: 1\nname: endless\nduration: 1.0e+6\noutput: {interval: 0.01}\nbodies:\n"
    "  - {name: box, mass: 1, inertia: [1, 2, 3], rate: [1, 2, 3]}\n";

static int64_t WaitForRows(pid_t child, const char* path) {
    int64_t rows = 0;
    while (rows == 0) {
        if (waitpid(child, NULL, WNOHANG) != 0)
            fail_msg("the run ended: %s", ReadAll(".err", g_errors, sizeof(g_errors)));
        struct timespec pause = {0, 10000000};
        nanosleep(&pause, NULL);
        hwResults* results = Exists(path) ? hwOpenResults(path, NULL) : NULL;
        if (results) rows = hwResults_GetRowCount(results);
        hwCloseResults(results);
    }
    return rows;
}

static void AnInterruptedRunEndsCleanly(void** state) {
    (void)state;
    PutFile("endless.yaml", g_endless);
    static const int signals[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; ++i) {
        char* words[] = {(char[]){"hawser"}, (char[]){"run"},   (char[]){"endless.yaml"}, (char[]){"--out"},
                         (char[]){"out"},    (char[]){"--csv"}, (char[]){"out.csv"},      NULL};
        if (i > 0) assert_int_equal(system("rm -rf out"), 0);
        pid_t child = StartHawser(words);
        int64_t seen = WaitForRows(child, "out/results.h5");
        kill(child, signals[i]);
        int status = 0;
        waitpid(child, &status, 0);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 130);
        ReadAll(".err", g_errors, sizeof(g_errors));
        AssertSays(g_errors, "interrupted; all rows so far are kept");
        hwResults *results = OpenGood("out"), *table = OpenGood("out.csv");
        assert_true(hwResults_GetRowCount(results) >= seen);
        assert_int_equal(hwResults_GetRowCount(results), hwResults_GetRowCount(table));
        assert_string_equal(hwResults_GetInfo(results)->status, "interrupted");
        int64_t last = hwResults_GetRowCount(results) - 1;
        assert_true(ReadCell(results, last, "world.time") == (double)last / 100);
        hwCloseResults(table);
        hwCloseResults(results);
    }
}

#define SET_UP 1.0 // s of processor time
static pid_t g_child;

// Seconds of processor time that a child has used so far, as the system counts them (proc(5): fields 14 and 15 of stat).
static double GetProcessorTime(pid_t child) {
    char path[64], text[1000];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)child);
    assert_non_null(ReadAll(path, text, sizeof(text)));
    assert_int_equal(sscanf(strrchr(text, ')') + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                            &user, &system),
                     2);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static double GetSeconds(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

// Processor time from the signal to the end of `hawser run SCENE --out out`, sent after `begun` says yes and it has used so much of it. It runs in one
// thread and waits for nothing, so that this is the time that it takes when nobody else wants the processor.
static double Interrupt(const char* scene, bool (*begun)(void), double setUp) {
    char* words[] = {(char[]){"hawser"}, (char[]){"run"}, (char*)(uintptr_t)scene,
                     (char[]){"--out"},  (char[]){"out"}, NULL};
    struct timespec pause = {0, 2000000};
    assert_int_equal(system("rm -rf out"), 0);
    pid_t child = g_child = StartHawser(words);
    while (!begun()) {
        if (waitpid(child, NULL, WNOHANG) != 0) fail_msg("%s", ReadAll(".err", g_errors, sizeof(g_errors)));
        nanosleep(&pause, NULL);
    }
    // scenes are read and laid out within this, whoever else wants the processor: it is in the middle of what is to be interrupted
    while (GetProcessorTime(child) < setUp && waitpid(child, NULL, WNOHANG) == 0) nanosleep(&pause, NULL);
    int status = 0;
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before); // of those that have ended
    double used = GetProcessorTime(child);
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    getrusage(RUSAGE_CHILDREN, &after);
    ReadAll(".err", g_errors, sizeof(g_errors));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    return GetSeconds(after.ru_utime) + GetSeconds(after.ru_stime) - GetSeconds(before.ru_utime) -
           GetSeconds(before.ru_stime) - used;
}

static bool HasRows(void) {
    hwResults* results = Exists("out/results.h5") ? hwOpenResults("out/results.h5", NULL) : NULL;
    bool rows = results && hwResults_GetRowCount(results) > 0;
    hwCloseResults(results);
    return rows;
}

// Statics of these chains takes many seconds and begins when the scene has been read: signals are caught from then on.
static bool IsSettling(void) {
    char path[64], text[4000];
    snprintf(path, sizeof(path), "/proc/%d/status", (int)g_child);
    const char* mask = strstr(ReadAll(path, text, sizeof(text)) != NULL ? text : "", "SigCgt:");
    return mask != NULL && (strtoull(mask + 7, NULL, 16) >> (SIGTERM - 1) & 1) != 0;
}

// s of processor time that a run may go on for; a program under sanitizers takes several times as long for the same.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define AT_ONCE 0.8
#else
#define AT_ONCE 0.2
#endif

// In the middle of a row of ten hours, and in the middle of statics.
static void AnInterruptedRunEndsAtOnce(void** state) {
    (void)state;
    PutFile("row.yaml", "hawser: 1\nname: one long row\nduration: 36000\noutput: {interval: 36000}\nbodies:\n"
                        "  - {name: load, mass: 500, inertia: [50, 50, 50], position: [0, 0, -20]}\ncables:\n"
                        "  - name: wire\n    sections: [{length: 24, elements: 20, diameter: 0.03, "
                        "mass_per_length: 3.6, EA: 4e7}]\n"
                        "    ends: {a: {on: earth, at: [8, 0, 0]}, b: {on: load, at: [0, 0, 0.4]}}\n");
    FILE* file = fopen("statics.yaml", "w");
    fputs("hawser: 1\nname: chains\nduration: 10\nstart: {statics: true}\n"
          "environment: {water: {}, current: [0.5, 0.2, 0], seabed: {depth: 300}}\nbodies:\n"
          "  - {name: buoy, mass: 20000, position: [0, 0, -1], shapes: [{sphere: {diameter: 5}}]}\ncables:\n",
          file);
    for (int i = 0; i < 6; ++i) {
        fprintf(file,
                "  - name: chain%d\n    sections: [{length: 750, elements: 800, diameter: 0.1, "
                "mass_per_length: 100, EA: 5e8}]\n    ends: {a: {on: buoy, at: [%g, %g, 0]}, "
                "b: {on: earth, at: [%g, %g, -300]}}\n",
                i, 2 * cos(i), 2 * sin(i), 600 * cos(i), 600 * sin(i));
    }
    fclose(file);
    double row = 0.0, statics = 0.0;
    for (int i = 0; i < 2; ++i) {
        row = fmax(row, Interrupt("row.yaml", HasRows, SET_UP));
        AssertSays(g_errors, "interrupted; all rows so far are kept");
        hwResults* results = OpenGood("out");
        assert_int_equal(hwResults_GetRowCount(results), 1);
        assert_string_equal(hwResults_GetInfo(results)->status, "interrupted");
        hwCloseResults(results);
        statics = fmax(statics, Interrupt("statics.yaml", IsSettling, SET_UP));
        AssertSays(g_errors, "stopped during the search for static equilibrium");
        assert_false(Exists("out"));
    }
    if (row > AT_ONCE || statics > AT_ONCE) fail_msg("it took %g s in a row, %g s in statics", row, statics);
}

// A lumpy ball of 250,000 triangles, twice, under a chain: preparing them asks nobody whether it is to go on.
#define RINGS 250
#define SEGMENTS 500

static void PutBall(const char* name) {
    FILE* file = fopen(name, "wb");
    fputs("ply\nformat ascii 1.0\n", file);
    fprintf(file, "element vertex %d\nproperty double x\nproperty double y\nproperty double z\n",
            (RINGS - 1) * SEGMENTS + 2);
    fprintf(file, "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
            2 * (RINGS - 1) * SEGMENTS);
    for (int i = 1; i < RINGS; ++i) {
        for (int j = 0; j < SEGMENTS; ++j) {
            double up = i * 3.14159265358979 / RINGS, round = j * 6.28318530717959 / SEGMENTS;
            double radius = 3.0 + 0.3 * sin(5.0 * up) * sin(4.0 * round) * sin(up) * sin(up);
            fprintf(file, "%.9g %.9g %.9g\n", radius * sin(up) * cos(round), radius * sin(up) * sin(round),
                    radius * cos(up));
        }
    }
    int top = (RINGS - 1) * SEGMENTS;
    fputs("0 0 3\n0 0 -3\n", file);
    for (int j = 0; j < SEGMENTS; ++j) {
        int next = (j + 1) % SEGMENTS, below = (RINGS - 2) * SEGMENTS;
        fprintf(file, "3 %d %d %d\n3 %d %d %d\n", top, j, next, top + 1, below + next, below + j);
        for (int i = 0; i + 2 < RINGS; ++i) {
            int a = i * SEGMENTS + j, b = i * SEGMENTS + next, c = a + SEGMENTS, d = b + SEGMENTS;
            fprintf(file, "3 %d %d %d\n3 %d %d %d\n", a, c, d, a, d, b);
        }
    }
    fclose(file);
}

// While meshes and cables are prepared, before there is anything to keep.
static void ARunThatIsBeingPreparedEndsAtOnce(void** state) {
    (void)state;
    PutBall("ball.ply");
    FILE* file = fopen("ball.yaml", "w");
    fputs("hawser: 1\nname: ball\nduration: 10\nenvironment: {water: {}, seabed: {depth: 300}}\nbodies:\n",
          file);
    for (int i = 0; i < 2; ++i)
        fprintf(file,
                "  - {name: ball%d, motion: fixed, position: [0, %d, -280], shapes: [{mesh: {file: "
                "ball.ply}}]}\n",
                i, 40 * i);
    fputs("cables:\n  - name: chain\n    sections: [{length: 750, elements: 100, diameter: 0.1, "
          "mass_per_length: 100, EA: 5e8}]\n    shape: catenary\n"
          "    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: earth, at: [600, 0, -300]}}\n",
          file);
    fclose(file);
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        most = fmax(most, Interrupt("ball.yaml", IsSettling, 0.0));
        assert_false(Exists("out"));
    }
    if (most > AT_ONCE) fail_msg("it took %g s", most);
}

// Two runs into one folder: the second is told who is there, and harms nothing.
static void OneRunAtATimeWritesIntoAFolder(void** state) {
    (void)state;
    PutFile("endless.yaml", g_endless);
    PutFile("box.yaml", g_box);
    char* words[] = {(char[]){"hawser"}, (char[]){"run"},   (char[]){"endless.yaml"}, (char[]){"--out"},
                     (char[]){"out"},    (char[]){"--csv"}, (char[]){"out.csv"},      NULL};
    pid_t child = StartHawser(words);
    int64_t seen = WaitForRows(child, "out/results.h5");
    char holder[64];
    snprintf(holder, sizeof(holder), "process %d (hawser)", (int)child);
    static const char* const others[] = {"run box.yaml --out out", "run box.yaml --out ./out/../out"};
    for (int i = 0; i < 2; ++i) {
        char command[2000];
        // apart from the files in which the first one's words go
        snprintf(command, sizeof(command), "'%s' %s >second.out 2>second.err", PROGRAM, others[i]);
        assert_int_equal(WEXITSTATUS(system(command)), 2);
        ReadAll("second.err", g_errors, sizeof(g_errors));
        AssertSays(g_errors, "is being written by another run");
        AssertSays(g_errors, holder);
    }
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    hwResults *results = OpenGood("out"), *table = OpenGood("out.csv");
    assert_true(hwResults_GetRowCount(results) >= seen);
    assert_int_equal(hwResults_GetRowCount(results), hwResults_GetRowCount(table));
    assert_string_equal(hwResults_GetInfo(results)->status, "interrupted");
    hwCloseResults(table);
    hwCloseResults(results);
    // and when it is gone, the folder is free; the lock has left nothing behind
    assert_int_equal(Hawser("run box.yaml --out out --csv out.csv"), 0);
    assert_int_equal(system("test \"$(ls -A out)\" = results.h5"), 0);
}

static void AKilledRunLeavesAReadableFile(void** state) {
    (void)state;
    PutFile("endless.yaml", g_endless);
    for (int i = 0; i < 3; ++i) {
        char* words[] = {(char[]){"hawser"}, (char[]){"run"}, (char[]){"endless.yaml"},
                         (char[]){"--out"},  (char[]){"out"}, NULL};
        assert_int_equal(system("rm -rf out"), 0);
        pid_t child = StartHawser(words);
        int64_t seen = WaitForRows(child, "out/results.h5");
        struct timespec pause = {0, 130000000 * i};
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        hwResults* results = OpenGood("out");
        int64_t rows = hwResults_GetRowCount(results);
        assert_true(rows >= seen);
        for (int64_t row = 0; row < rows; row += rows / 50 + 1) {
            assert_true(ReadCell(results, row, "world.time") == (double)row / 100);
        }
        assert_string_equal(hwResults_GetInfo(results)->status, "running");
        hwCloseResults(results);
        assert_int_equal(Hawser("report out"), 0);
        assert_true(Exists("out/report.html"));
    }
}

// In a child with a disk of its own when that is allowed, else with a limit on the size of files.
static int RunOnFullDisk(bool* mounted) {
    *mounted = unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
               mkdir("disk", 0777) == 0 && mount("none", "disk", "tmpfs", 0, "size=600k") == 0;
    if (!*mounted) {
        struct rlimit limit = {600000, 600000};
        mkdir("disk", 0777);
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 90;
    }
    int status = Hawser("run endless.yaml --out disk/out");
    if (*mounted ? !strstr(g_errors, "the disk is full") : !strstr(g_errors, "larger than allowed"))
        return 91;
    if (!strstr(g_errors, "all rows so far are kept")) return 92;
    hwError error;
    hwResults* results = hwOpenResults("disk/out", &error);
    if (!results) return 93;
    int64_t rows = hwResults_GetRowCount(results);
    double last = rows > 0 ? ReadCell(results, rows - 1, "world.time") : -1;
    hwCloseResults(results);
    if (rows < 1000 || last != (double)(rows - 1) / 100) return 94;
    if (*mounted) {
        // No room at all: nothing appears.
        if (system("dd if=/dev/zero of=disk/filler bs=4k 2>/dev/null") == 0) return 99;
        if (Hawser("run endless.yaml --csv disk/new.csv") != 2 || Exists("disk/new.csv")) return 95;
        if (Hawser("run endless.yaml --out disk/new") != 2 || Exists("disk/new")) return 96;
        if (Hawser("report disk/out -o disk/new.html") != 2 || Exists("disk/new.html")) return 97;
        if (system("rm disk/filler && test \"$(ls -A disk)\" = out && test \"$(ls -A disk/out)\" = "
                   "results.h5") != 0)
            return 98;
    }
    return status;
}

static void AFullDiskKeepsTheRowsAndLeavesNothingHalfWritten(void** state) {
    (void)state;
    PutFile("endless.yaml", g_endless);
    pid_t child = fork();
    if (child == 0) {
        bool mounted = false;
        int status = RunOnFullDisk(&mounted);
        if (mounted) umount("disk");
        _exit(status);
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(CsvHasNamesUnitsAndExactTimes, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(PeaksBetweenRowsAreInTheSummary, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(RowsDoNotChangeARun, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(PeaksOfManyCablesAreThoseOfTheirEnds, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(ExtremesOfGivenMotionsAreThereWithEitherSolver, OpenFolder,
                                        CloseFolder),
        cmocka_unit_test_setup_teardown(AuditFailsRunsWhoseBalanceIsOff, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(ARunBeginsWhereAnotherEnded, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(EstimatedHydrodynamicsAreNamed, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(PartsThatMayComeOffAreAskedForByName, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(TheLastRowIsAtTheEnd, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(ResultsGoIntoAFolderWithEverythingKnown, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(CsvOnTheStandardOutputIsNothingButCsv, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(ARunThatFailsKeepsItsRowsAndSaysWhy, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(AnInterruptedRunEndsCleanly, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(ARunThatIsBeingPreparedEndsAtOnce, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(AnInterruptedRunEndsAtOnce, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(OneRunAtATimeWritesIntoAFolder, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(AKilledRunLeavesAReadableFile, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(AFullDiskKeepsTheRowsAndLeavesNothingHalfWritten, OpenFolder,
                                        CloseFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
