// Vehicle files: those that come with Hawser, what is refused, where files are found, and vehicles in scenes.
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

#include "hawser/hawser.h"
#include "hawser/vehicle_type.h"
#include "vehicle_file.h"

#include <math.h>

#define HEAD "hawser_vehicle: 1\nmass: 10\ninertia: [1, 1, 1]\nhydro: {volume: 0.01}\n"

static void BuiltInTypesAreComplete(void** state) {
    (void)state;
    assert_true(hwVehicleType_GetBuiltInCount() >= 2);
    assert_null(hwVehicleType_GetBuiltIn(-1));
    assert_null(hwVehicleType_GetBuiltIn(1000));
    for (int i = 0; i < hwVehicleType_GetBuiltInCount(); i++) {
        hwError error;
        hwVehicleType* type = hwLoadVehicleType(hwVehicleType_GetBuiltIn(i), NULL, &error);
        if (type == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
        const hwVehicleLook* look = hwVehicleType_GetLook(type);
        assert_string_equal(look->name, hwVehicleType_GetBuiltIn(i));
        assert_true(look->partCount > 3 && look->lampCount > 0 && look->gainCount > 1 && look->title[0] != 0);
        hwVehicleDef def = hwVehicleType_GetDef(type);
        // a garage is not flown; everything else is, and can hold something
        bool flies = strcmp(look->name, "tms_garage") != 0;
        bool holds = def.gripper.present || type->file.arms.count > 0;
        assert_true(!flies || (def.thrusterCount >= 3 && holds));
        assert_true(def.pointCount >= 1);
        assert_string_equal(def.points[0].name, "tether");
        // The picture's parts and the shapes stay within arm's length of the origin: half a metre on vehicles of some
        // ten kilograms, two metres on those that weigh tonnes.
        double reach = def.body.mass < 100.0 ? 0.5 : 2.0;
        for (int k = 0; k < look->partCount; k++) assert_true(hwLength(look->parts[k].shape.pose.p) < reach);
        hwDestroyVehicleType(type);
    }
}

static void ThrustersInheritFromPropulsion(void** state) {
    (void)state;
    static const char text[] =
        HEAD "propulsion: {forward: 50, reverse: 40, time_constant: 0.2, blades: 4}\n"
             "thrusters:\n  - {position: [0, 1, 0], axis: [2, 0, 0]}\n"
             "  - {position: [0, -1, 0], axis: [1, 1, 0], forward: 20, hand: left, advance: .inf}\n";
    hwError error;
    hwVehicleType* type = hwParseVehicleType(text, strlen(text), "test", &error);
    if (type == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    hwVehicleDef def = hwVehicleType_GetDef(type);
    assert_int_equal(def.thrusterCount, 2);
    assert_true(def.thrusters[0].forward == 50.0 && def.thrusters[1].forward == 20.0);
    assert_true(def.thrusters[1].reverse == 40.0 && def.thrusters[1].timeConstant == 0.2);
    assert_true(def.thrusters[0].axis.x == 1.0 && fabs(def.thrusters[1].axis.y - sqrt(0.5)) < 1e-15);
    assert_true(def.thrusters[0].hand == 1 && def.thrusters[1].hand == -1);
    assert_true(def.thrusters[0].blades == 4 && isinf(def.thrusters[0].advance));
    // defaults of what is not given
    assert_true(def.axes[0].sensitivity == 1.0 && def.gain == 0.5 && def.camera.zoom == 1.0);
    assert_false(def.gripper.present);
    assert_true(hwVehicleType_GetLook(type)->gainCount == 4);
    hwDestroyVehicleType(type);
}

static void Refuse(const char* text, int line, const char* words) {
    hwError error;
    hwVehicleType* type = hwParseVehicleType(text, strlen(text), "test", &error);
    if (type != NULL) fail_msg("accepted, but should say \"%s\":\n%s", words, text);
    if (strstr(error.message, words) == NULL) fail_msg("says \"%s\" instead of \"%s\"", error.message, words);
    if (error.line != line) fail_msg("line %d instead of %d for \"%s\"", error.line, line, error.message);
}

static void MistakesAreNamedWithTheirPlace(void** state) {
    (void)state;
    Refuse("hawser_vehicle: 2\n", 1, "hawser_vehicle");
    Refuse("hawser_vehicle: 1\ninertia: [1, 1, 1]\n", 1, "mass");
    Refuse(HEAD "thrusters: [{position: [0, 0, 0], axis: [0, 0, 0]}]\n", 5, "must not be zero");
    Refuse(HEAD "thrusters: [{position: [0, 0, 0], axis: [1, 0, 0], forwrd: 3}]\n", 5,
           "did you mean `forward`");
    Refuse(HEAD "parts: [{shape: {box: [1, 1, 1]}, color: blue}]\n", 5, "#rrggbb");
    Refuse(HEAD "points: [{name: a, position: [0, 0, 0]}, {name: a, position: [0, 0, 1]}]\n", 5,
           "two points");
    Refuse(HEAD "camera: {tilt_deg: [30, -30]}\n", 5, "lowest angle first");
    Refuse(HEAD "gripper: {position: [0, 0, 0], opening: 0.1, axis: [0, 0, 0]}\n", 5, "must not be zero");
    Refuse(HEAD "shapes: [{mesh: hull.obj}]\n", 5, "no folder");
    char many[4096] = HEAD "thrusters:\n";
    for (int i = 0; i < 17; i++) strcat(many, "  - {position: [0, 0, 0], axis: [1, 0, 0]}\n");
    Refuse(many, 6, "at most 16");
}

#define ARM "{name: slew, parent: base, joint: revolute, mass: 2, inertia: [1, 1, 1]}"

static void PartsAreIncluded(void** state) {
    (void)state;
    static const char text[] =
        HEAD "propulsion: {include: t200_thruster, forward: 20}\n"
             "thrusters: [{position: [0, 0, 0], axis: [1, 0, 0]}]\n"
             "arms:\n  - {include: titan4_arm, name: arm, position: [1, 0, 0]}\n"
             "  - name: other\n    include: titan4_arm\n    links: [{name: elbow, mass: 21}]\n";
    hwError error;
    hwVehicleType* type = hwParseVehicleType(text, strlen(text), "test", &error);
    if (type == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    hwVehicleDef def = hwVehicleType_GetDef(type);
    // its own number over the part's
    assert_true(def.thrusters[0].forward == 20.0 && def.thrusters[0].reverse == 40.2);
    assert_int_equal(type->file.arms.count, 2);
    const hwSceneMechanism* arms = type->file.arms.items;
    assert_int_equal(arms[0].links.count, 8);
    assert_int_equal(arms[1].links.count, 8);
    assert_true(HW_ITEM(arms[0].links, hwSceneLink, 2)->mass == 20.0);
    assert_true(HW_ITEM(arms[1].links, hwSceneLink, 2)->mass == 21.0);
    hwDestroyVehicleType(type);
    mkdir(FOLDER "/parts", 0777);
    WriteText(FOLDER "/parts/lamp.yaml", "hawser_part: 1\nlumens: 77\n");
    WriteText(FOLDER "/parts/headless.yaml", "lumens: 77\n");
    WriteText(FOLDER "/parts/wrong.yaml", "hawser_part: 1\nlumens: -1\n");
    WriteText(FOLDER "/parts/nested.yaml", "hawser_part: 1\ninclude: lamp\n");
    WriteText(FOLDER "/mine.yaml", HEAD "lights: [{include: lamp, position: [0, 0, 0]}]\n");
    type = hwLoadVehicleType("mine.yaml", FOLDER, &error);
    if (type == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    assert_true(hwVehicleType_GetLook(type)->lamps[0].lumens == 77.0);
    hwDestroyVehicleType(type);
    const struct {
        const char *part, *words;
    } wrong[] = {{"headless", "hawser_part: 1"},
                 {"wrong", "in the part `wrong`"},
                 {"nested", "must not include another"},
                 {"lmp", "there is no part `lmp`"},
                 {"[]", "must be the name of a part"}};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        char mine[400];
        snprintf(mine, sizeof(mine), HEAD "lights:\n  - {include: %s, position: [0, 0, 0]}\n", wrong[i].part);
        WriteText(FOLDER "/mine.yaml", mine);
        assert_null(hwLoadVehicleType("mine.yaml", FOLDER, &error));
        if (strstr(error.message, wrong[i].words) == NULL) fail_msg("says \"%s\"", error.message);
        assert_int_equal(error.line, 6);
    }
    // a small file must not ask for endless memory
    static char many[16384];
    strcpy(many, HEAD "lights:\n");
    for (int i = 0; i < 257; i++) strcat(many, "  - {include: led_flood_light, position: [0, 0, 0]}\n");
    Refuse(many, 5 + 257, "256 parts");
}

static void ArmsAreMechanismsOnTheVehicle(void** state) {
    (void)state;
    Refuse(HEAD "arms: [{name: a, links: []}]\n", 5, "at least one link");
    Refuse(HEAD "arms: [{name: a, links: [" ARM "]}, {name: a, links: [" ARM "]}]\n", 5, "two arms");
    Refuse(HEAD
           "arms: [{name: a, links: [{name: b, parent: c, joint: fixed, mass: 1, inertia: [1, 1, 1]}]}]\n",
           5, "c");
    static const char text[] =
        HEAD "arms: [{name: left, links: [" ARM "]}, {name: right-hand, links: [" ARM "]}]\n";
    hwError error;
    hwVehicleType* type = hwParseVehicleType(text, strlen(text), "test", &error);
    if (type == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwVehicleDef def = hwVehicleType_GetDef(type);
    def.body.name = "rov";
    assert_false(HW_IS_NULL(hwVehicleType_Add(type, &def, world, &error)));
    // with a longer name the second arm's does not fit: all of the vehicle is taken back
    def.body.name = "a-vehicle-whose-name-leaves-no-room-for-right-hand";
    assert_true(HW_IS_NULL(hwVehicleType_Add(type, &def, world, &error)));
    assert_non_null(strstr(error.message, "62 letters"));
    assert_int_equal(hwWorld_GetMechanisms(world, 0, NULL), 2);
    assert_int_equal(hwWorld_GetVehicles(world, 0, NULL), 1);
    assert_false(HW_IS_NULL(hwWorld_FindMechanism(world, "rov.left")));
    assert_false(HW_IS_NULL(hwWorld_FindBody(world, "rov.right-hand.slew")));
    assert_int_equal(hwWorld_Prepare(world, &error), HW_OK);
    assert_true(hwWorld_FindInput(world, "rov.left.slew.target") >= 0);
    hwDestroyWorld(world);
    hwDestroyVehicleType(type);
}

static void FilesAreFoundNearTheScene(void** state) {
    (void)state;
    mkdir(FOLDER "/vehicles", 0777);
    mkdir(FOLDER "/deep", 0777);
    WriteText(FOLDER "/vehicles/mine.yaml", HEAD "title: Mine\n");
    WriteText(FOLDER "/deep/other.yaml", HEAD);
    hwError error;
    const char* const folders[] = {FOLDER, FOLDER "/deep"};
    for (int i = 0; i < 2; i++) {
        hwVehicleType* type = hwLoadVehicleType("mine", folders[i], &error);
        if (type == NULL) fail_msg("%s", error.message);
        assert_string_equal(hwVehicleType_GetLook(type)->title, "Mine");
        hwDestroyVehicleType(type);
    }
    hwVehicleType* byPath = hwLoadVehicleType("deep/other.yaml", FOLDER, &error);
    assert_non_null(byPath);
    assert_string_equal(hwVehicleType_GetLook(byPath)->title, "other");
    hwDestroyVehicleType(byPath);
    assert_null(hwLoadVehicleType("mine", NULL, &error));
    assert_null(hwLoadVehicleType("../vehicles/mine", FOLDER "/deep", &error));
    assert_null(hwLoadVehicleType("bluerov2_hevy", FOLDER, &error));
    assert_non_null(strstr(error.message, "did you mean `bluerov2_heavy`"));
    assert_null(hwLoadVehicleType("", FOLDER, &error));
}

static void ScenesFlyVehicles(void** state) {
    (void)state;
    hwScene* scene =
        Take("hawser: 1\nduration: 10\nenvironment: {water: {}}\n"
             "vehicles: [{name: rov, model: bluerov2_heavy, position: [1, 2, -5], armed: true, mode: hold}]\n"
             "forces: [{on: rov, force: [0, 0, -1]}]\n"
             "events:\n"
             "  - {at: 1, set: {rov.pilot.surge: 0.5, rov.mode: depth_hold, rov.lights: 1}}\n"
             "  - {at: 2, fail: 'rov.thruster[2]'}\n"
             "record: [rov.depth, 'rov.thruster*']\n");
    assert_int_equal(hwScene_GetVehicleCount(scene), 1);
    assert_string_equal(hwScene_GetVehicleName(scene, 0), "rov");
    assert_null(hwScene_GetVehicleName(scene, 1));
    hwError error;
    hwVehicleType* type = hwScene_LoadVehicleType(scene, 0, &error);
    assert_non_null(type);
    hwDestroyVehicleType(type);
    assert_null(hwScene_LoadVehicleType(scene, 3, &error));
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    hwVehicleState s;
    hwVehicleId id = hwWorld_FindVehicle(world, "rov");
    assert_int_equal(hwVehicle_GetState(world, id, &s, &error), HW_OK);
    assert_true(s.mode == HW_MODE_HOLD && s.armed && fabs(s.depth - 5.0) < 1e-12);
    assert_true(hwWorld_Step(world, 3.0, &error) >= HW_OK);
    assert_int_equal(hwVehicle_GetState(world, id, &s, &error), HW_OK);
    assert_true(s.mode == HW_MODE_DEPTH_HOLD && s.lights == 1.0 && s.failed == 4u && s.speed > 0.1);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

static void RefuseWorld(const char* text, int line, const char* words) {
    hwError error;
    hwScene* scene = Take(text);
    if (hwScene_CreateWorld(scene, NULL, &error) != NULL) fail_msg("accepted:\n%s", text);
    if (strstr(error.message, words) == NULL || error.line != line) {
        fail_msg("says %d:%d: %s", error.line, error.column, error.message);
    }
    hwDestroyScene(scene);
}

static void SceneMistakesHaveTheirPlace(void** state) {
    (void)state;
    WriteText(FOLDER "/broken.yaml", "hawser_vehicle: 1\nmass: -3\n");
    RefuseWorld("hawser: 1\nduration: 1\nvehicles:\n  - name: rov\n    model: nonesuch\n", 5,
                "no vehicle `nonesuch`");
    RefuseWorld("hawser: 1\nduration: 1\nvehicles:\n  - name: rov\n    model: broken.yaml\n", 5, "line 2");
    RefuseWorld("hawser: 1\nduration: 1\nvehicles: [{name: rov, model: videoray_pro}]\n"
                "events:\n  - {at: 1, set: {rov.mode: sideways}}\n",
                5, "sideways");
    RefuseWorld("hawser: 1\nduration: 1\nvehicles: [{name: rov, model: videoray_pro}]\n"
                "events:\n  - {at: 1, fail: 'rov.thruster[3]'}\n",
                5, "no such input");
}

// The part of docs/vehicles.md below its marker is what the tables write.
static void DocumentationIsWhatTheTablesSay(void** state) {
    (void)state;
    static const char marker[] =
        "<!-- everything below is written from the tables in io/vehicle_schema.c -->\n";
    const char* path = HAWSER_SOURCE_DIR "/docs/vehicles.md";
    FILE* memory = tmpfile();
    assert_non_null(memory);
    hwSection_WriteMarkdown(&hwSection_vehicleFile, memory);
    size_t wantedSize = (size_t)ftell(memory);
    char* wanted = calloc(1, wantedSize + 1);
    rewind(memory);
    assert_int_equal(fread(wanted, 1, wantedSize, memory), wantedSize);
    fclose(memory);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    static char page[200000];
    size_t size = fread(page, 1, sizeof(page) - 1, file);
    fclose(file);
    page[size] = 0;
    char* rest = strstr(page, marker);
    assert_non_null(rest);
    rest += strlen(marker);
    if (strcmp(rest, wanted) != 0 && getenv("HAWSER_WRITE_DOCS") != NULL) {
        file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "%.*s%s", (int)(rest - page), page, wanted);
        fclose(file);
        print_message("docs/vehicles.md was written anew\n");
    } else if (strcmp(rest, wanted) != 0) {
        fail_msg("docs/vehicles.md differs from the tables; run this test with HAWSER_WRITE_DOCS=1 to write "
                 "it anew");
    }
    free(wanted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(BuiltInTypesAreComplete),
        cmocka_unit_test(ThrustersInheritFromPropulsion),
        cmocka_unit_test(MistakesAreNamedWithTheirPlace),
        cmocka_unit_test(PartsAreIncluded),
        cmocka_unit_test(ArmsAreMechanismsOnTheVehicle),
        cmocka_unit_test(FilesAreFoundNearTheScene),
        cmocka_unit_test(ScenesFlyVehicles),
        cmocka_unit_test(SceneMistakesHaveTheirPlace),
        cmocka_unit_test(DocumentationIsWhatTheTablesSay),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
