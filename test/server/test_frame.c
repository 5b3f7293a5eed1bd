// Frames: sizes, offsets, and what is not there.
#include "apps/server/catalog.h"
#include "apps/server/describe.h"
#include "apps/server/frame.h"
#include "apps/server/frame_fields.h"
#include "hawser/scene.h"

#include "support.h"

static hwWorld* MakeWorld(const char* text, hwScene** scene) {
    hwError error;
    *scene = hwParseScene(text, strlen(text), "test", NULL, &error);
    if (*scene == NULL) fail_msg("%s", error.message);
    hwWorld* world = hwScene_CreateWorld(*scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    return world;
}

static const char g_scene[] =
    "hawser: 1\nduration: 10\nenvironment: {water: {}, waves: {airy: {height: 1, period: 6}}, seabed: "
    "{depth: 80}}\n"
    "bodies:\n  - {name: post, motion: fixed, position: [5, 0, -10], shapes: [{cylinder: [0.5, 20]}]}\n"
    "  - {name: ball, mass: 5, position: [1, 2, -3], shapes: [{sphere: 0.1}]}\n"
    "vehicles: [{name: rov, model: bluerov2_heavy, position: [0, 0, -30]}]\n"
    "cables: [{name: tether, sections: [{length: 60, elements: 199, diameter: 0.01, density: 1100, EA: "
    "1e5}], "
    "ends: {a: {on: earth, at: [0, 50, -30]}, b: {on: rov, at: tether}}, shape: catenary}]\n";

static uint32_t Word(const uint8_t* b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double Float(const uint8_t* b) {
    uint32_t bits = Word(b);
    float value;
    memcpy(&value, &bits, sizeof(value));
    return (double)value;
}

static const uint8_t* Section(const uint8_t* frame, size_t size, unsigned kind, size_t* length) {
    const uint8_t* found = NULL;
    size_t at = 32;
    for (unsigned i = 0; i < Word(frame + 28) >> 16; ++i) {
        if ((Word(frame + at) & 0xffff) == kind) {
            found = frame + at + 8;
            *length = Word(frame + at + 4);
        }
        at += 8 + Word(frame + at + 4);
    }
    assert_int_equal(at, size);
    return found;
}

static void test_FrameWithTwoHundredNodesIsSmall(void** state) {
    (void)state;
    hwScene* scene;
    hwWorld* world = MakeWorld(g_scene, &scene);
    hwWebChannelSource source = hwWebChannelSource_FromWorld(world);
    hwWebFrameMap* map = hwWebFrameMap_Create(world, &source);
    assert_non_null(map);
    assert_true(hwWebFrameMap_GetCableCount(map) >= 1);
    int plots[2] = {hwWorld_FindChannel(world, "rov.depth"), hwWorld_FindChannel(world, "world.time")};
    hwWebFrameMap_SetPlot(map, 3, 2, plots);
    int count = hwWebFrameMap_GetChannelCount(map);
    double* values = calloc((size_t)count, sizeof(double));
    hwWorld_ReadChannels(world, count, hwWebFrameMap_GetChannels(map), values);
    uint8_t frame[FRAME_MOST_BYTES];
    hwWebFrameHead head = {
        .flags = FRAME_PAUSED, .time = 1.25, .number = 7, .seq = 9, .speed = 1.0, .revision = 2};
    size_t size = hwWebFrameMap_Encode(map, &head, values, frame, sizeof(frame));
    assert_true(size > 3000 && size < 5000);
    assert_int_equal(Word(frame), 0x31465748);
    assert_int_equal(Word(frame + 4), FRAME_PAUSED);
    assert_int_equal(Word(frame + 16), 7);
    assert_int_equal(Word(frame + 20), 9);
    assert_int_equal(Word(frame + 28) & 0xffff, 2);
    size_t length;
    const uint8_t* poses = Section(frame, size, 1, &length);
    assert_int_equal(length, 2 * 28); // ball and rov; the post stays
    assert_close(Float(poses + 4), 2.0, 1e-6);
    const uint8_t* vehicle = Section(frame, size, 2, &length);
    assert_int_equal(length, 176);
    assert_close(Float(vehicle + 52), 30.0, 1e-5);
    assert_close(Float(vehicle + 68), 50.0, 1e-4); // altitude
    assert_true(isnan(Float(vehicle + 104)));      // depth is not held
    const uint8_t* cable = Section(frame, size, 4, &length);
    assert_int_equal(Word(cable) & 0xffff, 200);
    assert_int_equal(length, 24 + 200 * 12 + 199 * 4 + 28); // 25 bytes of flags, padded
    assert_close(Float(cable + 4), 60.0, 1e-3);
    assert_close(Float(cable + 24 + 4), 50.0, 1e-4); // end a
    assert_null(Section(frame, size, 5, &length));
    const uint8_t* plot = Section(frame, size, 6, &length);
    assert_int_equal(length, 8);
    assert_close(Float(plot), 30.0, 1e-5);
    // no room, no frame
    assert_int_equal(hwWebFrameMap_Encode(map, &head, values, frame, 100), 0);
    free(values);
    hwWebFrameMap_Free(map);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// Frames of what is read node by node, as long as there are any, are those of all channels; stale values do not show.
static void test_NodesThatAreNotThereAreNotRead(void** state) {
    (void)state;
    const int elements[] = {1, 2, 14, 15, 16, 17, 31, 32, 60};
    for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); ++i) {
        char text[1024];
        snprintf(
            text, sizeof(text),
            "hawser: 1\nduration: 1\nenvironment: {water: {}}\n"
            "bodies: [{name: post, motion: fixed, position: [5, 0, -10], shapes: [{cylinder: [0.5, 20]}]}]\n"
            "cables:\n"
            "  - {name: one, sections: [{length: 60, elements: %d, diameter: 0.01, density: 1100, EA: "
            "1e5}],\n"
            "     ends: {a: {on: earth, at: [0, 50, -30]}, b: {on: earth, at: [0, 0, -30]}}, shape: "
            "catenary}\n"
            "  - {name: two, sections: [{length: 20, elements: 15, diameter: 0.01, density: 1100, EA: "
            "1e5}],\n"
            "     ends: {a: {on: earth, at: [9, 0, -5]}, b: {on: earth, at: [9, 10, -5]}}, shape: "
            "catenary}\n",
            elements[i]);
        hwScene* scene;
        hwWorld* world = MakeWorld(text, &scene);
        hwWebChannelSource source = hwWebChannelSource_FromWorld(world);
        uint8_t frames[2][FRAME_MOST_BYTES];
        size_t sizes[2];
        for (int k = 0; k < 2; ++k) {
            hwWebFrameMap* map = hwWebFrameMap_Create(world, &source);
            int plot = hwWorld_FindChannel(world, "world.time"), count;
            hwWebFrameMap_SetPlot(map, 1, 1, &plot);
            count = hwWebFrameMap_GetChannelCount(map);
            double* values = calloc((size_t)count, sizeof(double));
            for (int n = 0; n < count; ++n) values[n] = 7.0;
            if (k == 0) {
                hwWorld_ReadChannels(world, count, hwWebFrameMap_GetChannels(map), values);
            } else {
                hwWebFrameMap_Read(map, world, values);
            }
            hwWebFrameHead head = {.time = 1.0, .speed = 1.0};
            sizes[k] = hwWebFrameMap_Encode(map, &head, values, frames[k], sizeof(frames[k]));
            free(values);
            hwWebFrameMap_Free(map);
        }
        assert_true(sizes[0] > 0);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(frames[0], frames[1], sizes[0]);
        hwDestroyWorld(world);
        hwDestroyScene(scene);
    }
}

static void test_DescriptionHoldsWhatAPageDraws(void** state) {
    (void)state;
    hwScene* scene;
    hwWorld* world = MakeWorld(g_scene, &scene);
    hwWebChannelSource source = hwWebChannelSource_FromWorld(world);
    hwWebFrameMap* map = hwWebFrameMap_Create(world, &source);
    hwWebDescribeInfo info = {
        .session = "scene", .name = "n", .title = "t", .visibility = 12.0, .revision = 1};
    json_t* json = hwWebDescribeScene(world, scene, map, &info);
    assert_non_null(json);
    json_t* bodies = json_object_get(json, "bodies");
    assert_int_equal(json_array_size(bodies), 3);
    assert_null(json_object_get(json_array_get(bodies, 0), "slot"));
    assert_int_equal(json_integer_value(json_object_get(json_array_get(bodies, 1), "slot")), 0);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(bodies, 2), "slot")), 1);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(bodies, 2), "vehicle")), 0);
    json_t* environment = json_object_get(json, "environment");
    json_t* wave = json_array_get(json_object_get(json_object_get(environment, "waves"), "components"), 0);
    assert_close(json_number_value(json_array_get(wave, 0)), 0.5, 1e-12);
    assert_close(json_number_value(json_object_get(json_object_get(environment, "seabed"), "depth")), 80.0,
                 0.0);
    json_t* vehicle = json_array_get(json_object_get(json, "vehicles"), 0);
    assert_string_equal(json_string_value(json_object_get(vehicle, "model")), "bluerov2_heavy");
    assert_int_equal(json_array_size(json_object_get(vehicle, "lights")), 4);
    assert_close(json_number_value(json_object_get(json_object_get(vehicle, "camera"), "zoom")), 4.0, 0.0);
    json_decref(json);
    hwWebFrameMap_Free(map);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// Every vehicle in every surroundings makes a world that runs.
static void test_EveryFlightCanBeComposed(void** state) {
    (void)state;
    hwWebCatalog catalog;
    hwError error;
    assert_true(hwWebCatalog_Init(&catalog, NULL, &error));
    assert_true(catalog.surroundingCount >= 4 && catalog.vehicleCount >= 2);
    for (int s = 0; s < catalog.surroundingCount; ++s) {
        for (int v = 0; v < catalog.vehicleCount; ++v) {
            for (int t = 0; t < 2; ++t) {
                hwWebFlightOptions options = catalog.defaults;
                char message[200];
                strcpy(options.surroundings, catalog.surroundings[s].name);
                strcpy(options.vehicle, hwVehicleType_GetLook(catalog.vehicles[v])->name);
                options.waveHeight = 0.5;
                options.tether = t == 1;
                assert_true(hwWebCatalog_CheckOptions(&catalog, &options, message, sizeof(message)));
                char* text = hwWebCatalog_ComposeFlight(&catalog, &options);
                hwScene* scene;
                hwWorld* world = MakeWorld(text, &scene);
                assert_int_equal(hwScene_GetVehicleCount(scene), 1);
                if (hwWorld_Step(world, 0.2, &error) < HW_OK) {
                    fail_msg("%s in %s: %s", options.vehicle, options.surroundings, error.message);
                }
                hwDestroyWorld(world);
                hwDestroyScene(scene);
                free(text);
            }
        }
    }
    hwWebFlightOptions wrong = catalog.defaults;
    char message[200];
    strcpy(wrong.vehicle, "submarine");
    assert_false(hwWebCatalog_CheckOptions(&catalog, &wrong, message, sizeof(message)));
    assert_non_null(strstr(message, "submarine"));
    wrong = catalog.defaults;
    wrong.tetherLength = 5000.0;
    assert_false(hwWebCatalog_CheckOptions(&catalog, &wrong, message, sizeof(message)));
    wrong = catalog.defaults;
    strcpy(wrong.scene, "nonesuch");
    assert_false(hwWebCatalog_CheckOptions(&catalog, &wrong, message, sizeof(message)));
    hwWebCatalog_Free(&catalog);
}

// A leg of 20 kg on the bottom: its foot's arrow stands where the foot does and carries the weight.
static void test_FeetOnTheBottomAreContacts(void** state) {
    (void)state;
    hwScene* scene;
    hwWorld* world =
        MakeWorld("hawser: 1\nduration: 10\nenvironment: {seabed: {depth: 5}}\nmechanisms:\n  - "
                  "name: leg\n    base: {on: "
                  "earth, position: [3, 0, -4]}\n    links:\n      - {name: foot, parent: base, joint: "
                  "prismatic, frame: {axis: [0, 0, 1]}, q: 0, "
                  "mass: 20, inertia: [1, 1, 1], feet: {points: [[0.1, 0, -1], [-0.1, 0, -1]], "
                  "stiffness: 1e5, damping: 3e3, "
                  "friction: 0.5}}\n",
                  &scene);
    hwError error;
    if (hwWorld_Step(world, 2.0, &error) < HW_OK) fail_msg("%s", error.message);
    hwWebChannelSource source = hwWebChannelSource_FromWorld(world);
    hwWebFrameMap* map = hwWebFrameMap_Create(world, &source);
    int count = hwWebFrameMap_GetChannelCount(map);
    double* values = calloc((size_t)count, sizeof(double));
    hwWorld_ReadChannels(world, count, hwWebFrameMap_GetChannels(map), values);
    uint8_t frame[FRAME_MOST_BYTES];
    hwWebFrameHead head = {.time = 2.0, .speed = 1.0};
    size_t size = hwWebFrameMap_Encode(map, &head, values, frame, sizeof(frame)), length = 0;
    const uint8_t* contact = Section(frame, size, 5, &length);
    assert_int_equal(length, 28);
    assert_close(Float(contact), 3.0, 1e-6);
    assert_close(Float(contact + 8), -5.0, 0.01);        // 1 mm into two springs of 1e5 N/m
    assert_close(Float(contact + 20), 20.0 * 9.81, 0.5); // at rest but for what the damper still gives
    assert_int_equal(Word(contact + 24) >> 16, 65535);   // the seabed
    free(values);
    hwWebFrameMap_Free(map);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// `hawser view SCENE --set …`: what was set is in the text that sessions are built and recorded from.
static void test_ValuesAreSetOverTheScene(void** state) {
    (void)state;
    static hwWebCatalog catalog;
    hwError error;
    const char* good[] = {"bodies.ball.mass=77.25"};
    const char* bad[] = {"bodies.ball.mass=heavy"};
    const char* path = HAWSER_SOURCE_DIR "/scenes/sinking_sphere.yaml";
    assert_true(hwWebCatalog_InitWith(&catalog, path, 1, good, &error));
    hwScene* scene = hwParseScene(catalog.preset.text, strlen(catalog.preset.text), "preset",
                                  catalog.preset.folder, &error);
    assert_non_null(scene);
    double mass = 0.0;
    assert_int_equal(hwScene_ReadNumber(scene, "bodies.ball.mass", &mass, &error), HW_OK);
    assert_true(mass == 77.25);
    hwDestroyScene(scene);
    hwWebCatalog_Free(&catalog);
    assert_false(hwWebCatalog_InitWith(&catalog, path, 1, bad, &error));
    assert_non_null(strstr(error.message, "mass"));
}

static char* ReadWhole(const char* path) {
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    char* text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) < (1 << 20) - 1);
    fclose(file);
    return text;
}

// A file of the project, or what of it lies between two marks, is what the table says.
static void HoldToTable(const char* name, const char* begin, const char* end, void write(FILE*)) {
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", HAWSER_SOURCE_DIR, name);
    char* text = ReadWhole(path);
    char* from = begin != NULL ? strstr(text, begin) : text;
    assert_non_null(from);
    if (begin != NULL) from += strlen(begin);
    char* to = end != NULL ? strstr(from, end) : from + strlen(from);
    assert_non_null(to);
    FILE* memory = tmpfile();
    assert_non_null(memory);
    write(memory);
    size_t size = (size_t)ftell(memory);
    char* wanted = calloc(1, size + 1);
    rewind(memory);
    assert_int_equal(fread(wanted, 1, size, memory), size);
    fclose(memory);
    bool same = size == (size_t)(to - from) && memcmp(from, wanted, size) == 0;
    if (!same && getenv("HAWSER_WRITE_DOCS") != NULL) {
        FILE* file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "%.*s%s%s", (int)(from - text), text, wanted, to);
        fclose(file);
    } else if (!same) {
        fail_msg("%s differs from apps/server/frame_fields.c; run this test with HAWSER_WRITE_DOCS=1", name);
    }
    free(wanted);
    free(text);
}

static void test_PageAndDocsReadWhatTheTableSays(void** state) {
    (void)state;
    HoldToTable("web/src/net/vehicle_frame.ts", NULL, NULL, hwFrameFields_WritePage);
    HoldToTable("docs/protocol.md", "<!-- vehicle -->\n", "<!-- end -->", hwFrameFields_WriteMarkdown);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_PageAndDocsReadWhatTheTableSays),
        cmocka_unit_test(test_ValuesAreSetOverTheScene),
        cmocka_unit_test(test_FrameWithTwoHundredNodesIsSmall),
        cmocka_unit_test(test_NodesThatAreNotThereAreNotRead),
        cmocka_unit_test(test_DescriptionHoldsWhatAPageDraws),
        cmocka_unit_test(test_EveryFlightCanBeComposed),
        cmocka_unit_test(test_FeetOnTheBottomAreContacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
