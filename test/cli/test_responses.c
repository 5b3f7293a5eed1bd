// hawser modes --response of moorings against runs, and the table of it in docs/workbench.md.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "program.h"

#include <math.h>

#define BUOY                                                                                                 \
    "bodies: [{name: buoy, mass: %g, com: [0, 0, -0.8], inertia: [120000, 120000, 90000], position: [0, 0, " \
    "-0.3], added_mass: [25000, 25000, 30000, 40000, 40000, 0], drag: {quadratic: [12000, 12000, 15000, "    \
    "60000, 60000, 20000]}, shapes: [{cylinder: {diameter: 5, length: 4}}]}]\n"
#define TOP                                                                                                  \
    "bodies: [{name: top, motion: {prescribed: {position: {sine: {amplitude: [%g, 0, %g], period: "          \
    "10}}}}}]\n"
#define CHAIN                                                                                                \
    "diameter: 0.07186, mass_per_length: 31.84, EA: 1.317e8, damping: {axial: 1.317e5}, drag: {normal: "     \
    "1.336, tangential: 0.2038}, added_mass: {normal: 1, tangential: 0.5}"
#define RISER "drag: {normal: 1.2, tangential: 0.03}, damping: {axial: 2e6, bending: 1e3}, EA: 2e8, EI: 1e4"
#define DRIVE "bodies.top.motion.prescribed.position.sine"

// Three lines of a buoy on a circle of anchors.
static void PutBuoy(double mass, double depth, double radius, double length, int elements,
                    const char* section, const char* more) {
    char scene[4000];
    int used = snprintf(scene, sizeof(scene),
                        "hawser: 1\nduration: 10\nstart: {statics: true}\nenvironment: {water: {}, seabed: "
                        "{depth: %g}%s}\n" BUOY "cables:\n",
                        depth, more, mass);
    for (int i = 0; i < 3; ++i) {
        double c = cos(2 * M_PI * i / 3), s = sin(2 * M_PI * i / 3);
        used += snprintf(scene + used, sizeof(scene) - (size_t)used,
                         "  - {name: line%d, shape: catenary, sections: [{length: %g, elements: %d, %s}], "
                         "ends: {a: {on: earth, at: [%g, %g, %g]}, b: {on: buoy, at: [%g, %g, -2]}}}\n",
                         i, length, elements, section, radius * c, radius * s, -depth, 2.5 * c, 2.5 * s);
    }
    PutFile("scene.yaml", scene);
}

// A line whose top moves by a sine, from end a.
static void PutLine(double depth, double away, double surge, double heave, const char* sections) {
    char scene[4000];
    snprintf(
        scene, sizeof(scene),
        "hawser: 1\nduration: 10\nstart: {statics: true}\nenvironment: {water: {}, seabed: {depth: %g}}\n" TOP
        "cables:\n  - {name: line0, shape: catenary, sections: [%s], ends: {a: {on: top}, b: {on: "
        "earth, at: [%g, 0, %g]}}}\n",
        depth, surge, heave, sections, away, -depth);
    PutFile("scene.yaml", scene);
}

static void PutSlack(void) {
    PutBuoy(40000, 100, 370, 400, 60, CHAIN, "");
}

static void PutCurrent(void) {
    PutBuoy(40000, 100, 370, 400, 60, CHAIN, ", current: [0.5, 0, 0]");
}

static void PutTaut(void) {
    PutBuoy(30000, 120, 100, 150, 40,
            "diameter: 0.08, mass_per_length: 5, EA: 2e6, damping: {axial: 2e4}, drag: {normal: 1.2, "
            "tangential: 0.02}",
            "");
}

static void PutShallow(void) {
    PutLine(30, 240, 0.5, 0.5, "{length: 250, elements: 250, " CHAIN "}");
}

static void PutLazy(void) {
    PutLine(150, 220, 0.8, 1.0,
            "{length: 120, elements: 60, diameter: 0.2, mass_per_length: 60, " RISER "}, "
            "{length: 60, elements: 60, diameter: 0.5, mass_per_length: 130, " RISER "}, "
            "{length: 150, elements: 75, diameter: 0.2, mass_per_length: 60, " RISER "}");
}

static void PutDeep(void) {
    PutLine(
        600, 850, 0.8, 0.8,
        "{length: 100, elements: 50, " CHAIN "}, "
        "{length: 700, elements: 140, diameter: 0.12, mass_per_length: 12, EA: 3e7, damping: {axial: 3e5}, "
        "drag: {normal: 1.2, tangential: 0.02}}, {length: 300, elements: 150, " CHAIN "}");
}

static void PutRiser(void) {
    PutLine(300, 380, 0.5, 1.0,
            "{length: 550, elements: 275, diameter: 0.25, mass_per_length: 120, EA: 1e9, EI: 2e7, damping: "
            "{axial: 1e7, bending: 2e5}, drag: {normal: 1, tangential: 0.03}}");
}

static double ReadAfter(const char* text, const char* key) {
    const char* at = text ? strstr(text, key) : NULL;
    if (!at) fail_msg("there is no %s in %s", key, text ? text : "nothing");
    return atof(at + strlen(key));
}

// First harmonic of the second column from a time on, of whole periods.
static double FindHarmonic(const char* csv, double from, double to, double period) {
    double re = 0, im = 0;
    int count = 0;
    for (const char* line = strchr(strchr(csv, '\n') + 1, '\n'); line && line[1];
         line = strchr(line + 1, '\n')) {
        double time, value;
        if (sscanf(line + 1, "%lf,%lf", &time, &value) != 2 || time < from - 1e-9 || time >= to - 1e-9)
            continue;
        re += value * cos(2 * M_PI * time / period);
        im += value * sin(2 * M_PI * time / period);
        count += 1;
    }
    assert_true(count > 0);
    return 2 * hypot(re, im) / count;
}

// Both numbers of a row of the table must be these to half a per cent.
static bool IsInTable(const char* name, const char* moves, double found, double run) {
    static char text[60000];
    assert_non_null(ReadAll(HAWSER_SOURCE_DIR "/docs/workbench.md", text, sizeof(text)));
    char head[300];
    snprintf(head, sizeof(head), "| %s | %s |", name, moves);
    const char* row = strstr(text, head);
    double numbers[2] = {0, 0};
    bool good = row && sscanf(row + strlen(head), "%lf |%lf", &numbers[0], &numbers[1]) == 2 &&
                fabs(numbers[0] * 1e3 - found) <= 0.005 * found &&
                fabs(numbers[1] * 1e3 - run) <= 0.005 * run;
    if (!good)
        print_message("%s %.4g | %.4g | %+.1f |\n", head, found / 1e3, run / 1e3, 100 * (found / run - 1));
    return good;
}

static const struct {
    const char *name, *moves;
    void (*put)(void);
    const char* channel;
    double period, height; // height 0: the top is driven
} g_rows[] = {
    {"buoy of 40 t on three slack chains, 100 m deep, 180 elements", "wave 1 m, 10 s", PutSlack,
     "line0.b.tension", 10, 1},
    {"the same", "wave 3 m, 14 s", PutSlack, "line0.b.tension", 14, 3},
    {"the same in a current of 0.5 m/s", "wave 2 m, 10 s", PutCurrent, "line0.b.tension", 10, 2},
    {"chain, 30 m deep, mostly on the bottom, 250 elements", "top 0.5 m, 6 s", PutShallow, "line0.a.tension",
     6, 0},
    {"lazy wave with EI, 150 m deep, 195 elements", "top 1 m, 7 s", PutLazy, "line0.a.tension", 7, 0},
    {"chain, rope, chain, 600 m deep, 340 elements", "top 0.8 m, 7 s", PutDeep, "line0.a.tension", 7, 0},
    {"catenary riser, 300 m deep, 275 elements", "top 1 m, 10 s", PutRiser, "line0.a.tension", 10, 0},
    {"buoy of 30 t on three taut ropes, 120 m deep, 120 elements", "wave 2 m, 7 s", PutTaut,
     "line0.b.tension", 7, 2},
    {"the same ropes, least tension a third of the mean", "wave 4 m, 7 s", PutTaut, "line1.b.tension", 7, 4},
};

static void ResponsesOfMooringsAreThoseOfRuns(void** state) {
    (void)state;
    bool same = true;
    for (size_t i = 0; i < sizeof(g_rows) / sizeof(g_rows[0]); ++i) {
        double T = g_rows[i].period, end = (g_rows[i].height > 0 ? 150 : 60) + 5 * T;
        char command[500], waves[200] = "";
        g_rows[i].put();
        if (g_rows[i].height > 0) {
            snprintf(command, sizeof(command),
                     "modes scene.yaml -n 1 --json --response %s --periods %g --height %g", g_rows[i].channel,
                     T, g_rows[i].height);
            snprintf(waves, sizeof(waves), "--set 'environment.waves={airy: {height: %g, period: %g}}'",
                     g_rows[i].height, T);
        } else {
            snprintf(command, sizeof(command),
                     "modes scene.yaml -n 1 --json --response %s --periods %g --drive " DRIVE,
                     g_rows[i].channel, T);
            snprintf(waves, sizeof(waves), "--set " DRIVE ".period=%g", T);
        }
        assert_int_equal(Hawser(command), 0);
        assert_null(strstr(g_errors, "warning"));
        double found = ReadAfter(strstr(g_output, "\"response\""), "\"amplitude\": ");
        snprintf(command, sizeof(command),
                 "run scene.yaml -q --channels %s --csv - --set duration=%g --set output.interval=%g %s",
                 g_rows[i].channel, end, T / 40, waves);
        assert_int_equal(Hawser(command), 0);
        double run = FindHarmonic(g_output, end - 5 * T, end, T);
        if (!(fabs(found - run) < 0.025 * run))
            fail_msg("%s, %s: %g N by balance, %g N in a run", g_rows[i].name, g_rows[i].moves, found, run);
        same = IsInTable(g_rows[i].name, g_rows[i].moves, found, run) && same;
    }
    if (!same) fail_msg("docs/workbench.md has other rows than those above");
}

// What three harmonics do not follow is told: ropes that go slack.
static void SlackIsTold(void** state) {
    (void)state;
    PutTaut();
    int status = Hawser("modes scene.yaml -n 1 --response line0.b.tension --periods 7 --height 7");
    assert_true(status == 0 || status == 3);
    if (!strstr(g_errors, "goes slack") && !strstr(g_errors, "no balance with means") &&
        !strstr(g_errors, "no periodic motion"))
        fail_msg("nothing of slack is told: %s", g_errors);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ResponsesOfMooringsAreThoseOfRuns, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(SlackIsTold, OpenFolder, CloseFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
