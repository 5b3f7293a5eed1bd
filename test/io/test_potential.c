// Files of hydrodynamic coefficients and of response operators: WAMIT's .1, .3, .hst, OrcaFlex's text and data.
#define _XOPEN_SOURCE 700
#include "support.h"

#include "../hydro/damper.h"
#include "hawser/hawser.h"
#include "hawser/modes.h"
#include "hawser/scene.h"

#include <complex.h>
#include <unistd.h>

static char g_folder[64];

static int OpenFolder(void** state) {
    (void)state;
    strcpy(g_folder, "/tmp/hawser-hull-XXXXXX");
    return mkdtemp(g_folder) != NULL && chdir(g_folder) == 0 ? 0 : -1;
}

static int CloseFolder(void** state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof(command), "rm -rf %s", g_folder);
    return chdir("/") == 0 ? system(command) : -1;
}

static const Damper g_damper = {4e5, 0.6, 0.9};
static const double g_length = 5.0, g_density = 1000.0, g_gravity = 9.81;
enum { COUNT = 60 };

// The hull in heave and pitch (arm 2 m), nondimensional by a length of 5 m.
static void PutFiles(bool limit) {
    FILE* one = fopen("hull.1", "w");
    FILE* three = fopen("hull.3", "w");
    FILE* static_ = fopen("hull.hst", "w");
    double volume = g_density * g_length * g_length * g_length;
    if (limit)
        fprintf(one, " 0.0 3 3 %.10e\n 0.0 5 5 %.10e\n", 1e6 / volume, 4e6 / volume / g_length / g_length);
    for (int f = COUNT; f >= 1; --f) {
        double w = 6.0 * f / COUNT, period = 2 * HW_PI / w;
        for (int i = 0; i < 2; ++i) {
            for (int j = 0; j < 2; ++j) {
                double arm = (i ? -2.0 : 1.0) * (j ? -2.0 : 1.0),
                       scale = volume * (i ? g_length : 1) * (j ? g_length : 1);
                double a = arm * Damper_A(&g_damper, w) + (i == j ? (i ? 4e6 : 1e6) : 0.0);
                fprintf(one, "%.12e %d %d %.12e %.12e\n", period, 3 + 2 * i, 3 + 2 * j, a / scale,
                        arm * Damper_B(&g_damper, w) / scale / w);
            }
        }
        for (int h = 0; h < 3; ++h) {
            double x = 1e6 / (g_density * g_gravity * g_length * g_length);
            fprintf(three, "%.12e %g 3 %.12e %g %.12e %.12e\n", period, 90.0 * h, x, 30.0, x * cos(HW_PI / 6),
                    x * sin(HW_PI / 6));
        }
    }
    fprintf(
        static_, "3 3 %.12e\n5 5 %.12e\n4 4 %.12e\n", 2.2e6 / (g_density * g_gravity * g_length * g_length),
        8e7 / (g_density * g_gravity * pow(g_length, 4)), 5e7 / (g_density * g_gravity * pow(g_length, 4)));
    fclose(one);
    fclose(three);
    fclose(static_);
}

static const char g_head[] =
    "hawser: 1\nduration: 1\nenvironment: {gravity: 9.81, water: {density: 1000}}\nbodies:\n"
    "  - {name: hull, mass: 2e6, inertia: [4e7, 4e7, 4e7], ";

static hwScene* Load(const char* body, hwError* error) {
    char text[1500];
    snprintf(text, sizeof(text), "%s%s}\n", g_head, body);
    return hwParseScene(text, strlen(text), "hull.yaml", g_folder, error);
}

#define FILES "potential: {radiation: hull.1, excitation: hull.3, hydrostatics: hull.hst, length: 5}"

static void files_of_coefficients_become_newtons(void** state) {
    (void)state;
    for (int limit = 0; limit < 2; ++limit) {
        PutFiles(limit);
        hwError error;
        hwScene* scene = Load(FILES, &error);
        if (scene == NULL) fail_msg("%s", error.message);
        assert_int_equal(hwScene_GetInfo(scene)->warningCount, 0);
        hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
        if (world == NULL) fail_msg("%s", error.message);
        const hwPotentialDef* def = &hwBody_GetDef(world, hwWorld_FindBody(world, "hull"))->potential;
        assert_int_equal(def->frequencyCount, COUNT);
        assert_close(def->frequencies[0], 0.1, 1e-9);
        for (int f = 0; f < COUNT; ++f) {
            double b = Damper_B(&g_damper, def->frequencies[f]);
            // files have 13 digits
            assert_close(def->damping[36 * f + 14], b, 1e-9 * b);
            assert_close(def->damping[36 * f + 16], -2 * b, 1e-9 * b);
            assert_close(def->damping[36 * f + 28], 4 * b, 1e-9 * b);
        }
        // given, or by Ogilvie's relation from all frequencies, see test_radiation
        assert_close(def->addedMass[2][2], 1e6, limit ? 1e-3 : 1e4);
        assert_close(def->addedMass[4][4], 4e6, limit ? 1e-3 : 4e4);
        assert_close(def->stiffness[2][2], 2.2e6, 1e-3);
        assert_close(def->stiffness[4][4], 8e7, 1e-1);
        assert_int_equal(def->headingCount, 3);
        assert_close(def->headings[2], HW_PI, 1e-12);
        const double* x = def->excitation + 12 * (COUNT + 7) + 4;
        assert_close(x[0], 1e6 * cos(HW_PI / 6), 1e-2);
        assert_close(x[1], 1e6 * sin(HW_PI / 6), 1e-2);
        hwDestroyWorld(world);
        hwDestroyScene(scene);
    }
}

// Heave and pitch of the hull in a wave, by hand: (-w^2 (M + A(w)) + i w B(w) + C) x = X with 1e6 exp(i pi/6) N in heave.
static void RespondByHand(double w, double complex x[2]) {
    double a = Damper_A(&g_damper, w), b = Damper_B(&g_damper, w);
    double complex z = -w * w * a + I * w * b; // of the lines, with arms 1 and -2 m
    double complex m[2][2] = {{-w * w * (2e6 + 1e6) + z + 2.2e6, -2.0 * z},
                              {-2.0 * z, -w * w * (4e7 + 4e6) + 4.0 * z + 8e7}};
    double complex force = 1e6 * cexp(I * HW_PI / 6), det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    x[0] = force * m[1][1] / det;
    x[1] = -force * m[1][0] / det;
}

// The root of the heave mode with coefficients at its own frequency.
static double complex DecayByHand(void) {
    double complex lambda = I * 0.8;
    for (int iteration = 0; iteration < 200; ++iteration) {
        double w = cabs(lambda), a = Damper_A(&g_damper, w), b = Damper_B(&g_damper, w);
        for (int newton = 0; newton < 30; ++newton) {
            double complex z = lambda * lambda * a + lambda * b, slope = 2.0 * lambda * a + b;
            double complex p = 3e6 * lambda * lambda + z + 2.2e6, q = 4.4e7 * lambda * lambda + 4.0 * z + 8e7;
            double complex f = p * q - 4.0 * z * z;
            double complex df =
                (6e6 * lambda + slope) * q + p * (8.8e7 * lambda + 4.0 * slope) - 8.0 * z * slope;
            lambda -= f / df;
        }
    }
    return lambda;
}

// Radiation has a memory, which the linear analysis takes at each frequency; the hull is turned, so that its axes are not the world's.
static void floating_bodies_answer_by_their_coefficients(void** state) {
    (void)state;
    PutFiles(true);
    for (int i = 0; i < 4; ++i) {
        double period = 4.0 + 3.0 * i;
        char text[1500];
        snprintf(
            text, sizeof(text),
            "hawser: 1\nduration: 1\nenvironment: {gravity: 9.81, water: {density: 1000}, waves: {airy: "
            "{height: 0.002, period: %.17g, direction_deg: 130}, surface: flat}}\nbodies:\n"
            "  - {name: hull, mass: 2e6, inertia: [4e7, 4e7, 4e7], attitude: {rpy_deg: [0, 0, 40]}, %s}\n",
            period, FILES);
        hwError error;
        hwScene* scene = hwParseScene(text, strlen(text), "hull.yaml", g_folder, &error);
        if (scene == NULL) fail_msg("%s", error.message);
        hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
        if (world == NULL) fail_msg("%s", error.message);
        hwModesDef def = hwDefaultModesDef();
        hwModes* modes = hwWorld_FindModes(world, &def, &error);
        if (modes == NULL) fail_msg("%s", error.message);
        const int channels[] = {hwWorld_FindChannel(world, "hull.position.z"),
                                hwWorld_FindChannel(world, "hull.attitude.pitch"),
                                hwWorld_FindChannel(world, "hull.radiation.force.z")};
        hwResponse out[3];
        assert_status(hwModes_Respond(modes, world, period, 3, channels, out, &error), HW_OK);
        double w = 2 * HW_PI / period;
        double complex x[2], y[3];
        RespondByHand(w, x);
        y[0] = 0.001 * x[0];
        y[1] = 0.001 * x[1];
        // the force of the lines: what is left of it without the added mass of infinite frequency
        double complex z = -w * w * Damper_A(&g_damper, w) + I * w * Damper_B(&g_damper, w);
        y[2] = -z * (y[0] - 2.0 * y[1]);
        for (int k = 0; k < 3; ++k) {
            double complex found = out[k].amplitude * cexp(I * out[k].phase);
            // 64 lines make up the damping within 0.4 % of its largest: up to 2 % where it is a fifth of that, in what it alone moves and at resonance
            if (cabs(found - y[k]) > 0.025 * cabs(y[k]))
                fail_msg("%g s, channel %d: %g at %g instead of %g at %g", period, k, out[k].amplitude,
                         out[k].phase, cabs(y[k]), carg(y[k]));
        }
        double complex decay = DecayByHand();
        bool known = false;
        for (int k = 0; k < hwModes_GetCount(modes); ++k) {
            hwModeInfo info = hwModes_Get(modes, k);
            if (!(fabs(info.omega - cabs(decay)) < 0.005 * cabs(decay))) continue;
            known = true;
            assert_close(info.damping, -creal(decay) / cabs(decay), 0.03 * fabs(creal(decay)) / cabs(decay));
        }
        if (!known) fail_msg("no mode of %g rad/s", cabs(decay));
        hwDestroyModes(modes);
        hwDestroyWorld(world);
        hwDestroyScene(scene);
    }
}

static void NoteWarning(hwLogLevel level, const char* text, void* context) {
    if (level == HW_LOG_WARNING) snprintf(context, 200, "%s", text);
}

// Wave forces in sway of `count` headings from `first` on, `step` degrees apart: 1e5 N sin(heading); and the sway that a wave of 1 m and
// 2 pi s pushes the hull with at its crest.
static double FindSway(double first, double step, int count, double direction, char warning[200]) {
    PutFiles(true);
    FILE* file = fopen("round.3", "w");
    for (int f = 1; f <= COUNT; ++f) {
        for (int h = 0; h < count; ++h) {
            double heading = first + step * h,
                   x = 1e5 * sin(heading * HW_DEGREE) / (g_density * g_gravity * g_length * g_length);
            fprintf(file, "%.12e %g 2 %.12e %g %.12e 0\n", 2 * HW_PI / (6.0 * f / COUNT), heading, fabs(x),
                    x < 0 ? 180.0 : 0.0, x);
        }
    }
    fclose(file);
    char text[1500];
    snprintf(text, sizeof(text),
             "hawser: 1\nduration: 1\nenvironment: {gravity: 9.81, water: {density: 1000}, waves: {airy: "
             "{height: 2, period: 6.283185307179586, direction_deg: %g}, surface: flat}}\nbodies:\n"
             "  - {name: hull, mass: 2e6, inertia: [4e7, 4e7, 4e7], potential: {radiation: hull.1, "
             "excitation: round.3, hydrostatics: hull.hst, length: 5}}\n",
             direction);
    hwError error;
    hwScene* scene = hwParseScene(text, strlen(text), "hull.yaml", g_folder, &error);
    if (scene == NULL) fail_msg("%s", error.message);
    hwWorldDef def = hwDefaultWorldDef();
    def.log = NoteWarning;
    def.logContext = warning;
    warning[0] = 0;
    hwWorld* world = hwScene_CreateWorld(scene, &def, &error);
    if (world == NULL) fail_msg("%s", error.message);
    double force = hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "hull.excitation.force.y"));
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    return force;
}

// A table all the way round has forces between its last heading and its first; one half of it those of both sides; what goes beyond
// a table is said.
static void WaveForcesAreOfTheirHeading(void** state) {
    (void)state;
    char warning[200];
    double half = 0.5e5 * sin(30 * HW_DEGREE); // straight lines between 0 and 30 degrees
    assert_close(FindSway(0, 30, 12, -15, warning), -half, 1.0);
    assert_string_equal(warning, "");
    assert_close(FindSway(-150, 30, 12, -165, warning), -half, 1.0);
    assert_string_equal(warning, "");
    assert_close(FindSway(-150, 30, 12, 165, warning), half, 1.0);
    assert_close(FindSway(0, 30, 13, -15, warning), -half, 1.0);
    assert_close(FindSway(0, 30, 7, -15, warning), -half, 1.0);
    assert_string_equal(warning, "");
    assert_close(FindSway(0, 30, 4, 135, warning), 1e5, 1.0);
    assert_non_null(strstr(warning, "headings from 0 to 90 degrees; 100 % of their variance"));
    assert_close(FindSway(30, 30, 1, 60, warning), 0.5e5, 1.0);
    assert_non_null(strstr(warning, "headings from 30 to 30 degrees"));
}

static void AssertRefused(const char* body, const char* sentence) {
    hwError error;
    hwScene* scene = Load(body, &error);
    if (scene != NULL) fail_msg("accepted: %s", body);
    if (strstr(error.message, sentence) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, sentence);
    assert_int_equal(error.line, 5);
}

static void mistakes_in_files_are_told(void** state) {
    (void)state;
    PutFiles(true);
    AssertRefused("volume: 3, " FILES, "`volume` and `potential` exclude each other");
    AssertRefused("motion: fixed, " FILES, "`potential` is for bodies that move by the forces on them");
    AssertRefused("potential: {radiation: hull.hst, hydrostatics: hull.hst}",
                  "line 1: a line is period, mode, mode, added mass, damping");
    AssertRefused("potential: {radiation: hull.1, hydrostatics: hull.1}",
                  "hull.1`, line 2: a line is mode, mode, stiffness");
    FILE* file = fopen("bad.1", "w");
    fputs("5 3 7 1 1\n6 3 3 1 1\n", file);
    fclose(file);
    AssertRefused("potential: {radiation: bad.1, hydrostatics: hull.hst}",
                  "line 1: modes are 1 to 6, not 7: one body, rigid");
    file = fopen("bad.1", "w");
    fputs("5 3 3 1 1\n", file);
    fclose(file);
    AssertRefused("potential: {radiation: bad.1, hydrostatics: hull.hst}",
                  "bad.1` has fewer than two periods");
    file = fopen("bad.3", "w");
    fputs("5 0 3 1 0 1 0\n", file);
    fclose(file);
    AssertRefused("potential: {radiation: hull.1, excitation: bad.3, hydrostatics: hull.hst}",
                  "bad.3`, line 1: the radiation file has no period of 5 s");
    file = fopen("bad.hst", "w");
    fputs("4 4 1\n", file);
    fclose(file);
    AssertRefused("potential: {radiation: hull.1, hydrostatics: bad.hst}",
                  "has no stiffness in heave, C33 above 0");
}

static void orcaflex_operators_are_read(void** state) {
    (void)state;
    FILE* file = fopen("ship.txt", "w");
    fputs("a title\n***OrcaFlex Conventions Start***\nRAOResponseUnits=degrees\nRAOPhaseConvention=leads\n"
          "***OrcaFlex Conventions End***\n***OrcaFlex Displacement RAO Start***\nDraught deep\nDirection 0\n"
          "WFR XA XP YA YP ZA ZP RXA RXP RYA RYP RZA RZP\n"
          "0.5 0.9 -90 0 0 1 0 0 0 1.5 90 0 0\n1.0 0.2 -90 0 0 0.5 10 0 0 1 90 0 0\n"
          "Direction 180\nWFR ZA ZP XA XP YA YP RXA RXP RYA RYP RZA RZP\n0.5 1 0 0.9 90 0 0 0 0 1.5 -90 0 0\n"
          "1.0 0.4 20 0.2 90 0 0 0 0 1 -90 0 0\n***OrcaFlex Displacement RAO End***\n",
          file);
    fclose(file);
    static const char text[] =
        "hawser: 1\nduration: 1\nbodies: [{name: ship, motion: {prescribed: {rao: ship.txt}}}]\n";
    hwError error;
    hwScene* scene = hwParseScene(text, strlen(text), "ship.yaml", g_folder, &error);
    if (scene == NULL) fail_msg("%s", error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    assert_non_null(world);
    const hwRaoDef* rao = &hwBody_GetDef(world, hwWorld_FindBody(world, "ship"))->rao;
    assert_int_equal(rao->headingCount, 2);
    assert_int_equal(rao->periodCount, 2);
    assert_close(rao->periods[0], 2 * HW_PI, 1e-12);
    assert_close(rao->periods[1], 4 * HW_PI, 1e-12);
    // heading 180, period 2 pi: heave 0.4 at 20 degrees, surge 0.2 at 90, pitch 1 degree per m at -90
    const double* row = rao->rows + 12 * 2;
    assert_close(row[4], 0.4, 1e-15);
    assert_close(row[5], 20 * HW_DEGREE, 1e-15);
    assert_close(row[0], 0.2, 1e-15);
    assert_close(row[1], 90 * HW_DEGREE, 1e-15);
    assert_close(row[8], HW_DEGREE, 1e-15);
    assert_close(row[9], -90 * HW_DEGREE, 1e-15);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    // Lagging phases are OrcaFlex's default. Of two draughts the one that is named is read, and what is not read is said.
    file = fopen("ship.txt", "w");
    fputs("***OrcaFlex Conventions "
          "Start***\nRAOPhaseUnitsConvention=radians\nQTFConventionsRotationAxes=original\n"
          "***OrcaFlex Conventions End***\n***OrcaFlex Displacement RAO Start***\nDraught 1\nDirection 0\n"
          "WP XA XP YA YP ZA ZP RXA RXP RYA RYP RZA RZP\n8 0 0 0 0 9 9 0 0 0 0 0 0\nDraught light ship\n"
          "Direction 0\nWP XA XP YA YP ZA ZP RXA RXP RYA RYP RZA RZP\n8 0 0 0 0 1 0.5 0 0 0 0 0 0\n"
          "***OrcaFlex Displacement RAO End***\n",
          file);
    fclose(file);
    static const char light[] =
        "hawser: 1\nduration: 1\nbodies: [{name: ship, motion: {prescribed: {rao: ship.txt, "
        "rao_draught: light ship}}}]\n";
    assert_null(hwParseScene(text, strlen(text), "ship.yaml", g_folder, &error));
    assert_non_null(
        strstr(error.message, "line 10: a second draught begins: say which one with `rao_draught`"));
    scene = hwParseScene(light, strlen(light), "ship.yaml", g_folder, &error);
    assert_non_null(scene);
    assert_int_equal(hwScene_GetInfo(scene)->warningCount, 1);
    assert_non_null(
        strstr(hwScene_GetInfo(scene)->warnings[0], "line 3: `QTFConventionsRotationAxes` is not read"));
    world = hwScene_CreateWorld(scene, NULL, &error);
    assert_close(hwBody_GetDef(world, hwWorld_FindBody(world, "ship"))->rao.rows[5], -0.5, 1e-15);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    const struct {
        const char *text, *sentence;
    } wrong[] = {
        {"nothing\n", "with the line `***OrcaFlex Displacement RAO Start***`"},
        {"***OrcaFlex Displacement RAO Start***\n1 2 3\n", "line 2: numbers come after a line `Direction`"},
        {"***OrcaFlex Displacement RAO Start***\nDirection 0\nWP XA\n", "line 3: a column is missing"},
        {"***OrcaFlex Displacement RAO Start***\nDirection 0\nWP QA\n", "line 3: columns are WP, WFH or WFR"},
        {"***OrcaFlex Conventions Start***\nRAOWaveUnit=steepness\n***OrcaFlex Displacement RAO Start***\n",
         "line 2: this convention is not understood"},
        {"***OrcaFlex Displacement RAO Start***\n***OrcaFlex Displacement RAO End***\n", "holds no motions"},
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i) {
        file = fopen("ship.txt", "w");
        fputs(wrong[i].text, file);
        fclose(file);
        scene = hwParseScene(text, strlen(text), "ship.yaml", g_folder, &error);
        assert_null(scene);
        if (strstr(error.message, wrong[i].sentence) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", error.message, wrong[i].sentence);
        assert_true((i == 0) == (strstr(error.hint, "tables of ShipMo3D") != NULL));
    }
}

// A listing of a program that is not read: the hint says what to make of it.
static void OtherTablesAreToBeConverted(void** state) {
    (void)state;
    FILE* file = fopen("listing.out", "w");
    assert_non_null(file);
    fputs("Ship motions in regular waves\n0.5 0.1 0.2\n", file);
    fclose(file);
    static const char text[] = "hawser: 1\nduration: 1\nenvironment: {water: {}}\nbodies:\n"
                               "  - {name: ship, motion: {prescribed: {rao: listing.out}}}\n";
    hwError error;
    assert_null(hwParseScene(text, strlen(text), "ship.yaml", g_folder, &error));
    assert_non_null(strstr(error.message, "has no column `heading_deg`"));
    assert_non_null(strstr(error.hint, "tables of ShipMo3D"));
}

// A data file of OrcaFlex: what stands before the vessel type, its conventions, its draughts.
static void WriteData(const char* before, const char* conventions, const char* draughts) {
    FILE* file = fopen("ship.yml", "w");
    assert_non_null(file);
    fprintf(file,
            "%%YAML 1.1\n# Type: Model\n---\n%sVesselTypes:\n  - Name: Supply vessel\n    Length: 90\n%s"
            "    Draughts:\n%s...\n",
            before, conventions, draughts);
    fclose(file);
}

#define OPERATORS                                                                                            \
    "RAOPeriodOrFrequency, RAOSurgeAmp, RAOSurgePhase, RAOSwayAmp, RAOSwayPhase, RAOHeaveAmp, "              \
    "RAOHeavePhase, RAORollAmp, RAORollPhase, RAOPitchAmp, RAOPitchPhase, RAOYawAmp, RAOYawPhase"

// One direction and wave of a draught; `row` holds 13 numbers.
static const char* MakeDraught(char* text, size_t size, const char* places, double direction,
                               const char* row) {
    snprintf(text, size,
             "      - Name: Deep\n        Mass: 5000\n        DisplacementRAOs:\n%s          RAOs:\n"
             "            - RAODirection: %g\n              " OPERATORS ":\n                - [%s]\n",
             places, direction, row);
    return text;
}

static hwWorld* MakeShip(const char* keys, hwScene** scene, hwError* error) {
    char text[256];
    snprintf(text, sizeof(text),
             "hawser: 1\nduration: 1\nbodies: [{name: ship, motion: {prescribed: {rao: ship.yml%s}}}]\n",
             keys);
    *scene = hwParseScene(text, strlen(text), "ship.yaml", g_folder, error);
    return *scene != NULL ? hwScene_CreateWorld(*scene, NULL, error) : NULL;
}

// Displacement of a point of the ship at a time, of one row of operators about the origin.
static hwVec3 MovePoint(const double* row, hwVec3 point, double angle) {
    double x[6];
    for (int i = 0; i < 6; ++i) x[i] = row[2 * i] * cos(angle + row[2 * i + 1]);
    return hwAdd(hwMakeVec3(x[0], x[1], x[2]), hwCross(hwMakeVec3(x[3], x[4], x[5]), point));
}

// The point that a file's operators are of must move as they say, counted from the crest at the point that phases are of.
static void orcaflex_data_moves_the_named_point(void** state) {
    (void)state;
    const double amplitudes[6] = {0.3, 0.2, 0.9, 0.02, 0.01, 0.005}, phases[6] = {10, 60, -20, 100, 250, -70};
    const hwVec3 origin = {12.0, -3.0, 4.0}, crest = {-20.0, 5.0, 0.0};
    const double period = 7.0, depth = 25.0, direction = 60.0;
    char row[300] = "7", draught[800];
    for (int i = 0; i < 6; ++i)
        snprintf(row + strlen(row), sizeof(row) - strlen(row), ", %g, %g", amplitudes[i], phases[i]);
    WriteData("Environment:\n  WaterDepth: 25\n",
              "    RAOResponseUnits: radians\n    RAOPhaseConvention: lags\n    SwayPositive: starboard\n"
              "    RAOPhaseRelativeToConvention: trough\n",
              MakeDraught(draught, sizeof(draught),
                          "          RAOOrigin: [12, -3, 4]\n          PhaseOrigin: [-20, 5, 0]\n", direction,
                          row));
    hwError error;
    hwScene* scene;
    hwWorld* world = MakeShip("", &scene, &error);
    if (world == NULL) fail_msg("%s", error.message);
    const hwRaoDef* rao = &hwBody_GetDef(world, hwWorld_FindBody(world, "ship"))->rao;
    assert_int_equal(rao->headingCount, 1);
    assert_close(rao->headings[0], direction * HW_DEGREE, 1e-15);
    double omega = 2.0 * HW_PI / period, k = omega * omega / 9.80665;
    for (int i = 0; i < 200; ++i)
        k = omega * omega / (9.80665 * tanh(k * depth)); // another way than the reader's
    double late = k * (cos(direction * HW_DEGREE) * crest.x + sin(direction * HW_DEGREE) * crest.y);
    for (double angle = 0.0; angle < 6.0; angle += 1.0) { // of the wave at the ship's origin
        hwVec3 is = MovePoint(rao->rows, origin, angle);
        double said[3];
        for (int i = 0; i < 3; ++i) // behind the trough at `crest`; sway is positive to starboard
            said[i] =
                amplitudes[i] * cos(angle - late - HW_PI - phases[i] * HW_DEGREE) * (i == 1 ? -1.0 : 1.0);
        assert_close(is.x, said[0], 1e-12);
        assert_close(is.y, said[1], 1e-12);
        assert_close(is.z, said[2], 1e-12);
    }
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// In feet, by the symmetry of the hull, of one draught among several.
static void orcaflex_data_knows_units_and_symmetry(void** state) {
    (void)state;
    char draught[1700], one[800];
    hwError error;
    hwScene* scene;
    MakeDraught(draught, sizeof(draught), "", 30, "0.5, 0.3, 0, 0.1, 0, 0.9, 0, 0.4, 0, 2, 90, 0.2, 0");
    WriteData("General:\n  UnitsSystem: US\n",
              "    WavesReferredToBy: frequency (rad/s)\n    RAOPhaseConvention: leads\n"
              "    Symmetry: xz and yz planes\n",
              draught);
    hwWorld* world = MakeShip("", &scene, &error);
    if (world == NULL) fail_msg("%s", error.message);
    const hwRaoDef* rao = &hwBody_GetDef(world, hwWorld_FindBody(world, "ship"))->rao;
    assert_int_equal(rao->headingCount, 2);
    assert_close(rao->headings[1], 150 * HW_DEGREE, 1e-14);
    assert_close(rao->periods[0], 4 * HW_PI, 1e-12);
    assert_close(rao->rows[8], 2 * HW_DEGREE / 0.3048, 1e-15); // degrees for each foot
    // the other end forward: it surges, pitches and yaws the other way, and sways, heaves and rolls the same
    static const double signs[6] = {-1, 1, 1, 1, -1, -1};
    for (int i = 0; i < 6; ++i) {
        const double *near = rao->rows + 2 * i, *far = near + 12;
        assert_close(far[0] * cos(far[1] + 0.3), signs[i] * near[0] * cos(near[1] + 0.3), 1e-14);
    }
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    // Something round in beam seas does across what it does along in following seas, and rolls as it pitched, the other way:
    // its side goes down where its bow went down.
    MakeDraught(one, sizeof(one), "", 0, "8, 0.3, 20, 0, 0, 0.9, 0, 0, 0, 2, 90, 0, 0");
    snprintf(draught, sizeof(draught), "%s%s", one, "");
    char* name = strstr(draught, "Deep");
    memcpy(name, "Low ", 4);
    strncat(draught, one, sizeof(draught) - strlen(draught) - 1);
    WriteData("", "    Symmetry: circular\n", draught);
    assert_null(MakeShip("", &scene, &error));
    assert_non_null(strstr(error.message, "say which one with `rao_draught`: `Low`, `Deep`"));
    assert_null(MakeShip(", rao_draught: High", &scene, &error));
    assert_non_null(strstr(error.message, "`Low`, `Deep`"));
    world = MakeShip(", rao_vessel: Supply vessel, rao_draught: Deep", &scene, &error);
    if (world == NULL) fail_msg("%s", error.message);
    rao = &hwBody_GetDef(world, hwWorld_FindBody(world, "ship"))->rao;
    int beam = rao->headingCount / 2;
    assert_close(rao->headings[beam], 90 * HW_DEGREE, 1e-14);
    const double *along = rao->rows, *across = along + 12 * beam * rao->periodCount;
    assert_close(across[0], 0.0, 1e-15);
    assert_close(across[2], along[0], 1e-15);
    assert_close(cos(across[3]), cos(along[1]), 1e-14);
    assert_close(across[4], along[4], 1e-15);
    assert_close(across[6] * cos(across[7] + 1.0), -along[8] * cos(along[9] + 1.0), 1e-15);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

static void mistakes_in_orcaflex_data_are_told(void** state) {
    (void)state;
    char draught[800];
    const char* row = "8, 0.3, 20, 0, 0, 0.9, 0, 0, 0, 2, 90, 0, 0";
    const struct {
        const char *before, *conventions, *places, *row, *sentence;
    } wrong[] = {
        {"", "    RAOWaveUnit: max wave slope\n", "", row, "line 7: this convention is not understood"},
        {"", "    Symmetry: yz plane\n", "", row, "line 7: this convention is not understood"},
        {"General: {UnitsSystem: User, LengthUnits: furlong}\n", "", "", row,
         "unit of length is not understood"},
        {"", "", "          RAOOrigin: [1, 2]\n", row, "line 11: a place is three numbers"},
        {"", "", "", "8, 0.3", "line 14: a row is 13 numbers"},
        {"", "", "", "8, .inf, 20, 0, 0, 0.9, 0, 0, 0, 2, 90, 0, 0", "line 14: a motion must be finite"},
        {"", "", "", "Infinity, 0, 20, 0, 0, 0.9, 0, 0, 0, 2, 90, 0, 0", "holds no motions"},
        {"General: [\n", "", "", row, "not valid YAML"},
    };
    hwError error;
    hwScene* scene;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i) {
        WriteData(wrong[i].before, wrong[i].conventions,
                  MakeDraught(draught, sizeof(draught), wrong[i].places, 0, wrong[i].row));
        assert_null(MakeShip("", &scene, &error));
        if (strstr(error.message, wrong[i].sentence) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", error.message, wrong[i].sentence);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_of_coefficients_become_newtons, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(floating_bodies_answer_by_their_coefficients, OpenFolder,
                                        CloseFolder),
        cmocka_unit_test_setup_teardown(WaveForcesAreOfTheirHeading, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(mistakes_in_files_are_told, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(orcaflex_operators_are_read, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(orcaflex_data_moves_the_named_point, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(orcaflex_data_knows_units_and_symmetry, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(mistakes_in_orcaflex_data_are_told, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(OtherTablesAreToBeConverted, OpenFolder, CloseFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
