// MoorDyn input files: what becomes of them, and what is refused where.
#include "moordyn_text.h"

#define TYPES                                                                                                \
    "----- MoorDyn Input File -----\nour own chain\n----- LINE TYPES -----\n"                                \
    "TypeName Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx\n(name) (m) (kg/m) (N) (N-s/-) (N-m^2) (-) (-) "    \
    "(-) (-)\n"                                                                                              \
    "chain 0.09 77 3.84e8 -0.8 0 1.6 1.0 0.05 0.1\nwire 0.05 12 1e8 2e5 100 1.2 1.0 0.01 0\n"
#define POINTS                                                                                               \
    "----- POINTS -----\nID Attachment X Y Z Mass Volume CdA Ca\n(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)\n" \
    "1 Fixed 540 0 -200 0 0 0 0\n2 Coupled 0 0 -10 0 0 0 0\n3 Free 150 0 -120 500 0.1 0.4 1.0\n"
#define LINES                                                                                                \
    "----- LINES -----\nID LineType AttachA AttachB UnstrLen NumSegs Outputs\n(-) (name) (#) (#) (m) (-) "   \
    "(-)\n"                                                                                                  \
    "1 chain 1 3 415 20 p\n2 wire 3 2 190 10 -   # with a remark\n"
#define OPTIONS                                                                                              \
    "----- SOLVER OPTIONS -----\n0.002 dtM time step\n9.81 g\n1025 rho\n200 WtrDpth\n2.5e6 kb\n1e5 cb\n0.3 " \
    "mu_kT\n"                                                                                                \
    "1 WaveKin waves\n----- OUTPUTS -----\nFairTen1\nEND\n----- need this line -----\n"

static void deck_becomes_a_scene(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene = Convert(TYPES POINTS LINES OPTIONS, &notes);
    const hwEnvironmentDef* environment = &scene->model.environment.def;
    assert_true(environment->gravity == 9.81 && environment->waterDensity == 1025.0);
    assert_true(environment->seabed.depth == 200.0 && environment->seabed.stiffness == 2.5e6 &&
                environment->seabed.damping == 1e5 && environment->seabed.friction == 0.3);
    assert_int_equal(scene->model.cables.count, 2);
    const hwSceneCable* chain = HW_ITEM(scene->model.cables, hwSceneCable, 0);
    const hwSceneCableSection* section = HW_ITEM(chain->sections, hwSceneCableSection, 0);
    assert_string_equal(chain->name, "line1");
    assert_true(section->length == 415.0 && section->elements == 20 && section->diameter == 0.09 &&
                section->massPerLength == 77.0 && section->EA == 3.84e8 && section->drag.normal == 1.6 &&
                section->drag.tangential == 0.05 && section->addedMass.tangential == 0.1);
    // -0.8: of what is critical for a segment, l sqrt(EA m)
    assert_true(fabs(section->damping.axial - 0.8 * 415.0 / 20.0 * sqrt(3.84e8 * 77.0)) < 10.0);
    section = HW_ITEM(HW_ITEM(scene->model.cables, hwSceneCable, 1)->sections, hwSceneCableSection, 0);
    assert_true(section->damping.axial == 2e5 && section->EI == 100.0);
    const hwBodyDef* point = &HW_ITEM(scene->model.bodies, hwSceneBody, 0)->def;
    assert_string_equal(point->name, "point3");
    assert_true(point->mass == 500.0 && point->position.z == -120.0);
    assert_non_null(strstr(notes.text, "mooring.dat:12:3: point 2 is moved by another program"));
    assert_non_null(strstr(
        notes.text, "mooring.dat:27:1: the water's motion comes from another program there (WaveKin 1)"));
    hwDestroyScene(scene);
}

// At rest the free point is in balance: what the two lines pull it with carries its weight in water.
static void deck_comes_to_rest(void** state) {
    (void)state;
    hwError error;
    Notes notes = {0};
    hwScene* scene = Convert(TYPES POINTS LINES OPTIONS, &notes);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    double up = hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "line1.b.force.z")) +
                hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "line2.a.force.z"));
    double weight = 9.81 * (500.0 - 1025.0 * 0.1);
    assert_true(fabs(up - weight) < 1e-3 * weight);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

static void depth_is_that_of_the_lowest_point_unless_given(void** state) {
    (void)state;
    Notes notes = {0};
    hwScene* scene = Convert(TYPES POINTS LINES, &notes);
    assert_true(scene->model.environment.def.seabed.depth == 200.0);
    assert_non_null(strstr(notes.text, "no water depth"));
    hwDestroyScene(scene);
}

static void RefuseDeck(const char* text, int line, const char* part) {
    hwError error;
    WriteText(FOLDER "/bad.dat", text);
    assert_int_equal(hwConvertMoordyn(FOLDER "/bad.dat", FOLDER "/bad.yaml", NULL, NULL, &error),
                     HW_ERROR_FORMAT);
    if (strstr(error.message, part) == NULL) fail_msg("\"%s\" lacks \"%s\"", error.message, part);
    assert_int_equal(error.line, line);
    assert_string_equal(error.object, "bad.dat");
    assert_null(fopen(FOLDER "/bad.yaml", "r"));
}

#define HEAD_POINTS "----- POINTS -----\nnames\nunits\n"
#define HEAD_LINES "----- LINES -----\nnames\nunits\n"

static void mistakes_are_told_with_their_line(void** state) {
    (void)state;
    remove(FOLDER "/bad.yaml");
    RefuseDeck("", 1, "has no lines");
    RefuseDeck("nothing of the kind\n", 1, "has no lines");
    RefuseDeck("---- LINE TYPES ----\nn\nu\nchain 0.1 77 x -1 0 1 1 1 1\n", 4,
               "the file `x` cannot be read beside the deck");
    RefuseDeck("---- LINE TYPES ----\nn\nu\nchain 0.1 77 1|x -1 0 1 1 1 1\n", 4, "nor a file");
    RefuseDeck("---- LINE TYPES ----\nn\nu\nchain 0.1 77 2e8|1e8 -1 0 1 1 1 1\n", 4, "above the static one");
    RefuseDeck("---- LINE TYPES ----\nn\nu\nchain 0.1 77 1e8 1|2 0 1 1 1 1\n", 4,
               "a static and a dynamic EA");
    RefuseDeck("---- LINE TYPES ----\nn\nu\nchain 0.1 77 SYROPE:x 1|2 0 1 1 1 1\n", 4, "SYROPE:file|EA_Dc");
    RefuseDeck("---- LINE TYPES ----\nn\nu\nchain 0.1 77 1e8 -1 0 1\n", 4, "ends before the added mass");
    RefuseDeck("---- LINE TYPES ----\nn\nu\nchain 0 77 1e8 -1 0 1 1 1 1\n", 4, "must be above 0");
    RefuseDeck(TYPES "chain 0.09 77 3.84e8 -0.8 0 1.6 1.0 0.05 0.1\n", 8, "two line types");
    RefuseDeck(TYPES HEAD_POINTS "1 Body1 0 0 0 0 0 0 0\n", 11,
               "there is no body for the attachment `Body1`");
    RefuseDeck(TYPES HEAD_POINTS "1 loose 0 0 0 0 0 0 0\n", 11,
               "fixed, coupled or free, or on a body as in `Body1`, not `loose`");
    RefuseDeck(TYPES HEAD_POINTS "1 pinned 0 0 0 0 0 0 0\n", 11, "never pinned");
    RefuseDeck(TYPES HEAD_POINTS "1 free 0 0 0 -1 0 0 0\n", 11, "must be at least 0");
    RefuseDeck(TYPES HEAD_POINTS "1 Fixed 0 zero 0 0 0 0 0\n", 11, "the y must be a number, not `zero`");
    RefuseDeck(TYPES HEAD_POINTS "1 Fixed 0 0 0\n1 Fixed 0 0 0\n", 12, "two points with the number 1");
    RefuseDeck(TYPES POINTS HEAD_LINES "1 rope 1 2 600 20 -\n", 17, "no line type `rope`");
    RefuseDeck(TYPES POINTS HEAD_LINES "1 chain 1 7 600 20 -\n", 17, "no point `7`");
    RefuseDeck(TYPES POINTS HEAD_LINES "1 chain 1 R1A 600 20 -\n", 17, "no point `R1A`");
    RefuseDeck(TYPES POINTS HEAD_LINES "1 chain 1 2 -600 20 -\n", 17, "length must be above 0");
    RefuseDeck(TYPES POINTS HEAD_LINES "1 chain 1 2 600 0 -\n", 17, "1 to 100000");
    RefuseDeck(TYPES POINTS HEAD_LINES "1 chain 1 2\n", 17, "needs ID, LineType");
    RefuseDeck(TYPES "---- ROD TYPES ----\nn\nu\nrod 0 1 1 1 1 1\n", 11, "must be above 0");
    RefuseDeck(TYPES "---- RODS ----\nn\nu\n1 rod free 0 0 0 0 0 1 2 -\n", 11, "no rod type `rod`");
    RefuseDeck(TYPES "---- BODIES ----\nn\nu\n1 free 0 0 0 0 0 0 0 0 0 0 0 0\n", 11, "has no mass");
    RefuseDeck(TYPES "---- BODIES ----\nn\nu\n1 free 0 0 0 0 0 0 1 1|2 1 0 0 0\n", 11, "1 or 3 numbers");
    RefuseDeck(TYPES "---- BODIES ----\nn\nu\n1 pinned 0 0 0 0 0 0 1 0 1 0 0 0\n", 11, "a body is fixed");
    RefuseDeck(TYPES POINTS LINES "---- SYROPE IC ----\nn\nu\n7 2 1\n", 22, "no line with this number");
    RefuseDeck(TYPES POINTS LINES "---- OPTIONS ----\nnowhere.txt SeafloorFile\n", 20,
               "`nowhere.txt` cannot be read");
    // too short for where its ends are: found when the scene is made, told where the line stands
    RefuseDeck(TYPES POINTS HEAD_LINES "1 chain 1 2 100 20 -\n", 17, "stretched");
    hwError error;
    assert_int_equal(hwConvertMoordyn(FOLDER "/nowhere.dat", FOLDER "/bad.yaml", NULL, NULL, &error),
                     HW_ERROR_FILE);
}

// Cut off anywhere, or with a byte changed, it is a scene or an error with a line, and never worse.
static void broken_decks_are_told_apart(void** state) {
    (void)state;
    const char whole[] = TYPES POINTS LINES OPTIONS;
    char text[sizeof(whole)];
    unsigned seed = 1;
    for (size_t i = 0; i < 400; i++) {
        hwError error;
        memcpy(text, whole, sizeof(whole));
        seed = seed * 1664525u + 1013904223u;
        size_t at = seed % (sizeof(whole) - 1);
        if (i % 2 == 0) text[at] = 0;
        if (i % 2 == 1) text[at] = (char)(seed >> 24);
        WriteText(FOLDER "/broken.dat", text);
        hwStatus status = hwConvertMoordyn(FOLDER "/broken.dat", FOLDER "/broken.yaml", NULL, NULL, &error);
        if (status != HW_OK)
            assert_true(error.message[0] != 0 && (error.line > 0 || status != HW_ERROR_FORMAT));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deck_becomes_a_scene),
        cmocka_unit_test(deck_comes_to_rest),
        cmocka_unit_test(depth_is_that_of_the_lowest_point_unless_given),
        cmocka_unit_test(mistakes_are_told_with_their_line),
        cmocka_unit_test(broken_decks_are_told_apart),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
