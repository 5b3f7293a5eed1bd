// hawser modes: what it prints and writes, and its response to waves against runs.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "program.h"

#include <math.h>

// A load on a wire below the surface, with drag; its upper end stands still.
static const char g_scene[] =
    "hawser: 1\nname: hanging\nduration: 120\noutput: {interval: 0.1}\nstart: {statics: true}\n"
    "environment: {water: {}}\n"
    "bodies:\n  - {name: load, mass: 2000, position: [0, 0, -15], volume: 0.3, inertia: [500, 500, 500],\n"
    "     added_mass: [500, 500, 500, 0, 0, 0], drag: {quadratic: [400, 400, 400, 1, 1, 1]}}\n"
    "cables:\n  - name: wire\n    sections: [{length: 20, elements: 5, diameter: 0.02, mass_per_length: 1.5, "
    "EA: 1e6, damping: {axial: 1e5}}]\n"
    "    ends: {a: {on: earth, at: [0, 0, 5]}, b: {on: load, at: [0, 0, 0]}}\n";

static double ReadAfter(const char* text, const char* key) {
    const char* at = strstr(text, key);
    if (!at) fail_msg("there is no %s in %s", key, text);
    return atof(at + strlen(key));
}

static char* CopyLine(const char* text) {
    size_t length = strcspn(text, "\n");
    char* line = malloc(length + 1);
    assert_non_null(line);
    memcpy(line, text, length);
    line[length] = 0;
    return line;
}

static void ModesAreWritten(void** state) {
    (void)state;
    PutFile("scene.yaml", g_scene);
    assert_int_equal(Hawser("modes scene.yaml --count 4"), 0);
    AssertSays(g_output, "18 freedoms");
    AssertSays(g_output, "load");
    assert_int_equal(Hawser("modes scene.yaml --count 8 --json -o out"), 0);
    AssertSays(g_output, "\"mode\": 8");
    static const char* const files[] = {"out/modes.csv", "out/mode-1.h5", "out/mode-8.glb"};
    for (int i = 0; i < 3; ++i) assert_true(Exists(files[i]));
    // A shape is drawn as large as asked for: the load of mode 4 swings by 2 m each way, in x or y or between.
    assert_int_equal(Hawser("modes scene.yaml --count 5 --size 2 -q -o large"), 0);
    assert_string_equal(g_output, "");
    assert_int_equal(Hawser("convert large/mode-4.h5 rows.csv"), 0);
    static char rows[400000];
    assert_non_null(ReadAll("rows.csv", rows, sizeof(rows)));
    int columns[2] = {-1, -1}, column = 0;
    char* heads = CopyLine(rows);
    for (char* name = strtok(heads, ","); name; name = strtok(NULL, ","), ++column) {
        if (strcmp(name, "load.position.x") == 0) columns[0] = column;
        if (strcmp(name, "load.position.y") == 0) columns[1] = column;
    }
    double most = 0;
    for (const char* line = strchr(strchr(rows, '\n') + 1, '\n'); line && line[1];
         line = strchr(line + 1, '\n')) {
        const char* at = line + 1;
        for (int i = 0; i <= columns[1]; ++i) {
            if (i == columns[0] || i == columns[1]) most = fmax(most, fabs(atof(at)));
            at = strchr(at, ',') + 1;
        }
    }
    free(heads);
    assert_true(fabs(most - 2) < 1e-3); // the largest component of the way, to the digits of a small pose
}

// A steel wire stretches by less than differences usually go: a bob of 100 kg by 98 um, one of 1 kg by 1 um. It bounces with
// sqrt(EA/(l m)) all the same, which stretch or slack beyond would change.
static void StiffWiresAreNotSlack(void** state) {
    (void)state;
    char scene[600], expected[64];
    for (int i = 0; i < 2; ++i) {
        double mass = i == 0 ? 100 : 5;
        snprintf(scene, sizeof(scene),
                 "hawser: 1\nduration: 1\nstart: {statics: true}\nbodies: [{name: bob, mass: %g, inertia: "
                 "[5, 5, 5], position: "
                 "[0, 0, -10.5]}]\ncables:\n  - name: wire\n    sections: [{length: 10, elements: 4, "
                 "diameter: 0.01, "
                 "mass_per_length: 1e-6, EA: 1e8}]\n    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: bob, "
                 "at: [0, 0, 0.5]}}\n",
                 mass);
        PutFile("stiff.yaml", scene);
        assert_int_equal(Hawser("modes stiff.yaml --count 20"), 0);
        snprintf(expected, sizeof(expected), "%.5g ", sqrt(1e7 / mass));
        AssertSays(g_output, expected);
        AssertSays(g_output, "15 freedoms");
        AssertSays(g_output, "9 freedoms more");
    }
}

// A wire's own damping acts on what hangs on it: c/(2 l sqrt(k m)) of the bounce, however it is divided.
static void WiresDampWhatHangsOnThem(void** state) {
    (void)state;
    PutFile(
        "damped.yaml",
        "hawser: 1\nduration: 1\nstart: {statics: true}\nbodies: [{name: bob, mass: 100, inertia: [5, 5, 5], "
        "position: "
        "[0, 0, -10.5]}]\ncables:\n  - name: wire\n    sections: [{length: 10, elements: 1, diameter: 0.01, "
        "mass_per_length: 1e-6, EA: 1e8, damping: {axial: 1e5}}]\n    ends: {a: {on: earth, at: [0, 0, 0]}, "
        "b: {on: bob, at: "
        "[0, 0, 0.5]}}\n");
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(
            Hawser(i == 0 ? "modes damped.yaml -n 6 --json"
                          : "modes damped.yaml -n 6 --json --set cables.wire.sections.0.elements=7"),
            0);
        double damping = ReadAfter(strstr(g_output, "\"mode\": 6"), "\"damping\": ");
        if (fabs(damping - 1e4 / (2 * sqrt(1e7 * 100))) > 1e-6) fail_msg("damping %g", damping);
    }
}

// What is towed has the modes of what stands in a current as fast, in which a fish that no fin turns is free to turn. Waves pass it
// with another period than they pass what stands, so that it has no response.
static void TowsAreThoseOfACurrent(void** state) {
    (void)state;
    static const char fish[] = "hawser: 1\nduration: 1\nstart: {statics: true}\nenvironment: {water: {}, "
                               "current: [%s, 0, 0], waves: {airy: {height: 1, "
                               "period: 8}}}\nbodies:\n  - {name: fish, mass: 300, inertia: [30, 40, 40], "
                               "position: [-60, 0, -40], volume: 0.05, drag: "
                               "{quadratic: [20, 300, 300, 50, 120, 120]}}\ncables:\n  - name: wire\n    "
                               "sections: [{length: 80, elements: 8, diameter: "
                               "0.01, mass_per_length: 0.4, EA: 4e6, damping: {axial: 1e5}}]\n    ends: {a: "
                               "{on: earth, at: %s}, b: {on: fish}}\n";
    char text[1200], modes[2][4000];
    for (int i = 0; i < 2; ++i) {
        snprintf(text, sizeof(text), fish, i == 0 ? "0" : "-3",
                 i == 0 ? "{table: {time: [0, 100], value: [[0, 0, 0], [300, 0, 0]]}}" : "[0, 0, 0]");
        PutFile("fish.yaml", text);
        assert_int_equal(Hawser("modes fish.yaml -n 8"), 0);
        assert_null(strstr(g_errors, "warning"));
        snprintf(modes[i], sizeof(modes[i]), "%s", g_output);
        assert_null(strstr(g_output, "falls away"));
    }
    assert_string_equal(modes[0], modes[1]);
    assert_int_equal(Hawser("modes fish.yaml --response wire.a.tension --periods 8"), 0); // in the current
    snprintf(text, sizeof(text), fish, "0", "{table: {time: [0, 100], value: [[0, 0, 0], [300, 0, 0]]}}");
    PutFile("fish.yaml", text);
    assert_int_equal(Hawser("modes fish.yaml --response wire.a.tension --periods 8"), 2);
    AssertSays(g_errors, "no response to waves is computed for a tow");
    AssertSays(g_errors, "let a current of the tow's speed flow against it");
}

// The first harmonic of a column of rows at times that are a whole number of periods.
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

// Fast first look against the time domain: the same first harmonic of the tension in a wave of finite height, whose drag is
// quadratic.
static void ResponseIsThatOfARun(void** state) {
    (void)state;
    PutFile("scene.yaml", g_scene);
    static const double periods[] = {5, 8};
    assert_int_equal(
        Hawser("modes scene.yaml -n 2 --json --response wire.a.tension --periods 5,8 --height 2"), 0);
    const char* at = strstr(g_output, "\"response\"");
    assert_non_null(at);
    double amplitudes[2];
    for (int i = 0; i < 2; ++i) {
        amplitudes[i] = ReadAfter(at, "\"amplitude\": ");
        at = strstr(at, "\"amplitude\"") + 1;
    }
    for (int i = 0; i < 2; ++i) {
        char command[200];
        snprintf(
            command, sizeof(command),
            "run scene.yaml -q --channels wire.a.tension --csv - --set 'environment.waves={airy: {height: 2, "
            "period: %g}}'",
            periods[i]);
        assert_int_equal(Hawser(command), 0);
        double run = FindHarmonic(g_output, 40, 120, periods[i]);
        // higher harmonics and the mean drift, which the balance leaves out, change the first one by less than this
        if (!(fabs(amplitudes[i] - run) < 0.03 * run))
            fail_msg("%g N by balance, %g N in a run", amplitudes[i], run);
    }
}

// A chain that lies on the bottom for half of its length: what moves its top lifts more of it than it lays down, so that its mean shape
// is not that at rest, about which the tension would be 13 % too large.
static void ChainsAreLiftedByTheMean(void** state) {
    (void)state;
    PutFile("chain.yaml",
            "hawser: 1\nduration: 80\noutput: {interval: 0.1}\nstart: {statics: true}\n"
            "environment: {water: {}, seabed: {depth: 30}}\n"
            "bodies: [{name: top, motion: {prescribed: {position: {sine: {amplitude: [0.3, 0, 0.4], period: "
            "12}}}}}]\n"
            "cables:\n  - name: chain\n    shape: catenary\n    sections: [{length: 100, elements: 20, "
            "diameter: 0.08, mass_per_length: 80, EA: 2e8}]\n"
            "    ends: {a: {on: top}, b: {on: earth, at: [92, 0, -30]}}\n");
    assert_int_equal(Hawser("modes chain.yaml -n 1 --json --response chain.a.tension --periods 12 --drive "
                            "bodies.top.motion.prescribed.position.sine"),
                     0);
    double found = ReadAfter(strstr(g_output, "\"response\""), "\"amplitude\": ");
    assert_int_equal(Hawser("run chain.yaml -q --channels chain.a.tension --csv -"), 0);
    double run = FindHarmonic(g_output, 32, 80, 12);
    if (!(fabs(found - run) < 0.005 * run)) fail_msg("%g N by balance, %g N in a run", found, run);
}

// The waves of the response raise the surface as those of the scene do: a spar heaves otherwise where it stays level.
static void SurfacesAreThoseOfTheScene(void** state) {
    (void)state;
    static const char* const surfaces[] = {"flat", "moving"};
    for (int i = 0; i < 2; ++i) {
        char text[900];
        snprintf(text, sizeof(text),
                 "hawser: 1\nduration: 153\noutput: {interval: 0.1}\nstart: {statics: true, build_up: 60}\n"
                 "environment: {water: {}, waves: {airy: {height: 0.4, period: 9}, surface: %s}}\n"
                 "bodies: [{name: spar, mass: 58000, inertia: [6.1e6, 6.1e6, 6e4], com: [0, 0, -9], "
                 "position: [0, 0, -13], added_mass: [58000, 58000, 4000, 4.3e6, 4.3e6, 0], drag: {linear: "
                 "[5e3, 5e3, 8000, 5e5, 5e5, 5e3]}, shapes: [{cylinder: {diameter: 1.6, length: 30}}]}]\n",
                 surfaces[i]);
        PutFile("spar.yaml", text);
        assert_int_equal(
            Hawser("modes spar.yaml -n 1 --json --response spar.position.z --periods 9 --height 0.4"), 0);
        double found = ReadAfter(strstr(g_output, "\"response\""), "\"amplitude\": ");
        assert_int_equal(Hawser("run spar.yaml -q --channels spar.position.z --csv -"), 0);
        double run = FindHarmonic(g_output, 72, 153, 9);
        if (!(fabs(found - run) < 0.02 * run))
            fail_msg("%s: %g m by balance, %g m in a run", surfaces[i], found, run);
    }
}

static void WrongUseIsRefused(void** state) {
    (void)state;
    PutFile("scene.yaml", g_scene);
    PutFile("fixed.yaml", "hawser: 1\nname: fixed\nduration: 1\n");
    static const struct {
        const char *arguments, *sentence;
        int status;
    } cases[] = {
        {"modes", "modes needs SCENE", 2},
        {"modes scene.yaml --count 0", "--count needs a positive number", 2},
        {"modes scene.yaml --count 2.5", "--count is a whole number", 2},
        {"modes scene.yaml --response wire.a.tension --periods 5:x", "--periods needs positive times", 2},
        {"modes scene.yaml --response wire.a.tension --periods 8:5:3", "--periods needs positive times", 2},
        {"modes scene.yaml --response wire.a.tension --height -1", "--height needs a positive number", 2},
        {"modes scene.yaml --response wire.a.tension --direction x", "--direction needs degrees", 2},
        {"modes scene.yaml --response wire.c.tension", "wire.c.tension", 2},
        {"modes scene.yaml --response wire.a.tension --drive bodies.load.motion", "motion", 2},
        {"modes fixed.yaml", "nothing in the world can move", 2},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        assert_int_equal(Hawser(cases[i].arguments), cases[i].status);
        AssertSays(g_errors, cases[i].sentence);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ModesAreWritten, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(StiffWiresAreNotSlack, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(WiresDampWhatHangsOnThem, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(TowsAreThoseOfACurrent, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(ResponseIsThatOfARun, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(ChainsAreLiftedByTheMean, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(SurfacesAreThoseOfTheScene, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(WrongUseIsRefused, OpenFolder, CloseFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
