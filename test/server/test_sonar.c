// Sonars and instruments in the trainer: images come to who asked for them, show a wall where it stands, and go by the rights of
// the crew; frames hold what instruments say.
#define _GNU_SOURCE
#define FOLDER HAWSER_BINARY_DIR "/test/sonar_flights"
#define SCENE HAWSER_BINARY_DIR "/test/sonar_scene.yaml"
#include "host.h"

// A wall whose face is 8 m before the origin, a bottom 20 m below the surface.
static const char g_scene[] =
    "hawser: 1\nname: wall\nduration: 600\n"
    "environment:\n  water: {density: 1025}\n  seabed: {depth: 20}\n"
    "bodies:\n  - {name: wall, motion: fixed, position: [8.5, 0, -5], shapes: [{box: [1, 40, 10]}]}\n"
    "vehicles:\n  - {name: rov, model: bluerov2_heavy, position: [0, 0, -5]}\n"
    "%s";
static const char g_lesson[] =
    "lesson:\n  title: t\n  par: 60\n  sonar: false\n  sensors: false\n  weights: {task: 1}\n"
    "  objectives: [{name: o, text: o, zone: {position: [0, 0, -5], radius: 1}}]\n";

static void WriteScene(const char* more) {
    FILE* file = fopen(SCENE, "w");
    assert_non_null(file);
    fprintf(file, g_scene, more);
    fclose(file);
}

static void Begin(Host* host, Ws* ws, const char* more) {
    WriteScene(more);
    host->def.preset = SCENE;
    StartHost(host);
    WsOpen(ws, host->port, NULL, NULL, NULL);
    WsDo(WsAsk(ws, "{\"type\": \"hello\", \"version\": 1"));
    WsDo(WsAsk(ws, "{\"type\": \"start\", \"options\": {\"scene\": \"preset\"}"));
    WS_UNTIL(ws, ws->scene != NULL && ws->frames > 2);
}

static void End(Host* host, Ws* ws) {
    free(ws->image);
    WsClose(ws);
    StopHost(host);
    RemoveFlights();
    remove(SCENE);
}

static uint32_t ImageWord(const Ws* ws, size_t at) {
    const unsigned char* b = ws->image + at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double ImageFloat(const Ws* ws, size_t at) {
    uint32_t bits = ImageWord(ws, at);
    float value;
    memcpy(&value, &bits, sizeof(value));
    return (double)value;
}

// m, where the brightest bin of a beam is.
static double BrightestAt(const Ws* ws, int beam) {
    int beams = (int)(ImageWord(ws, 20) & 0xffff), bins = (int)(ImageWord(ws, 20) >> 16), best = 0;
    const unsigned char* levels = ws->image + 44 + 4 * beams + beam * bins;
    for (int i = 1; i < bins; ++i) {
        if (levels[i] > levels[best]) best = i;
    }
    double least = ImageFloat(ws, 24), most = ImageFloat(ws, 28);
    return least + (most - least) * (best + 0.5) / bins;
}

static void ImagesShowTheWall(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    Ws ws, other;
    Begin(&host, &ws, "");
    const json_t* vehicle = json_array_get(json_object_get(ws.scene, "vehicles"), 0);
    const json_t* sonars = json_object_get(vehicle, "sonars");
    assert_int_equal(json_array_size(sonars), 2);
    assert_string_equal(WsString(json_array_get(sonars, 0), "kind"), "multibeam");
    // nobody asked
    WS_UNTIL(&ws, ws.frames > 20);
    assert_int_equal(ws.images, 0);
    WsDo(WsAsk(&ws, "{\"type\": \"sonar\", \"sonar\": 0"));
    WS_UNTIL(&ws, ws.images >= 3);
    int beams = (int)(ImageWord(&ws, 20) & 0xffff), bins = (int)(ImageWord(&ws, 20) >> 16);
    assert_int_equal(beams, 256);
    assert_int_equal(bins, 512);
    assert_int_equal(ws.imageSize, 44 + 4 * 256 + 256 * 512);
    // The sonar is 0.2 m ahead of the middle: a beam at this bearing meets the wall at 7.8 m over its cosine. The vehicle rises
    // slowly and turns by less than a degree; speckle may hide an echo, but not in most of 61 beams.
    int right = 0, tried = 0;
    for (int beam = 98; beam < 159; ++beam, ++tried) {
        double bearing = ImageFloat(&ws, 44 + 4 * (size_t)beam);
        double range = (8.0 - 0.2 - VehicleFloat(&ws, 0)) / cos(bearing);
        right += fabs(BrightestAt(&ws, beam) - range) < 0.15;
    }
    assert_true(right > tried * 3 / 4);
    assert_true(ImageFloat(&ws, 44) > 1.0); // starboard first

    // a range is chosen, within what the sonar can
    WsDo(WsAsk(
        &ws, "{\"type\": \"command\", \"name\": \"sonar_range\", \"value\": {\"sonar\": 0, \"range\": 10}"));
    WS_UNTIL(&ws, fabs(ImageFloat(&ws, 28) - 10.0) < 1e-6);
    WsDo(WsAsk(
        &ws, "{\"type\": \"command\", \"name\": \"sonar_range\", \"value\": {\"sonar\": 0, \"range\": 900}"));
    WS_UNTIL(&ws, fabs(ImageFloat(&ws, 28) - 120.0) < 1e-6);
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"sonar\", \"sonar\": 2"), "order"));
    assert_true(WsIsError(WsAsk(&ws, "{\"type\": \"sonar\", \"sonar\": 1.5"), "value"));
    assert_true(WsIsError(
        WsAsk(&ws, "{\"type\": \"command\", \"name\": \"sonar_range\", \"value\": {\"sonar\": 0}"), "type"));

    // an observer may look, and not choose the range
    WsOpen(&other, host.port, NULL, NULL, NULL);
    WsDo(WsAsk(&other, "{\"type\": \"hello\", \"version\": 1"));
    WsDo(WsAsk(&other, "{\"type\": \"open\", \"kind\": \"watch\", \"flight\": \"%s\"",
               WsString(ws.scene, "flight")));
    WsDo(WsAsk(&other, "{\"type\": \"sonar\", \"sonar\": 1"));
    WS_UNTIL(&other, other.images >= 2);
    assert_int_equal(ImageWord(&other, 4), 1u << 16 | 1u); // the second, and it scans
    assert_true(WsIsError(
        WsAsk(&other,
              "{\"type\": \"command\", \"name\": \"sonar_range\", \"value\": {\"sonar\": 0, \"range\": 10}"),
        "order"));
    free(other.image);
    WsClose(&other);

    // no more
    WsDo(WsAsk(&ws, "{\"type\": \"sonar\", \"sonar\": 0, \"on\": false"));
    int frames = ws.frames;
    WS_UNTIL(&ws, ws.frames > frames + 3);
    int images = ws.images;
    WS_UNTIL(&ws, ws.frames > frames + 20);
    assert_int_equal(ws.images, images);
    End(&host, &ws);
}

static void FramesHoldInstruments(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    Ws ws;
    Begin(&host, &ws, "");
    const json_t* list = json_object_get(ws.scene, "instruments");
    size_t length, at = FrameSection(&ws, 7, &length);
    assert_true(at != 0);
    assert_true(json_array_size(list) >= 4);
    bool found = false;
    for (size_t i = 0; i < json_array_size(list); ++i) {
        const json_t* item = json_array_get(list, i);
        unsigned index = FrameWord(&ws, at - 8) >> 16;
        length = FrameWord(&ws, at - 4);
        assert_int_equal(index, i);
        assert_int_equal(length, 4 * (2 + json_array_size(json_object_get(item, "values"))));
        if (strcmp(WsString(item, "kind"), "altimeter") == 0) {
            found = true;
            assert_close(FrameFloat(&ws, at), 1.0, 0.0);
            // 15 m of water below the vehicle, of which its mounting takes 0.13; 0.02 m of noise, and it rises slowly
            assert_close(FrameFloat(&ws, at + 8), 14.87, 0.3);
        }
        at += length + 8;
    }
    assert_true(found);
    End(&host, &ws);
}

static void LessonsTakeThemAway(void** state) {
    (void)state;
    Host host = {.def = hwDefaultWebServerDef()};
    Ws ws;
    Begin(&host, &ws, g_lesson);
    const json_t* vehicle = json_array_get(json_object_get(ws.scene, "vehicles"), 0);
    assert_null(json_object_get(vehicle, "sonars"));
    assert_int_equal(json_array_size(json_object_get(ws.scene, "instruments")), 0);
    assert_int_equal(FrameSection(&ws, 7, NULL), 0);
    json_t* reply = WsAsk(&ws, "{\"type\": \"sonar\", \"sonar\": 0");
    assert_string_equal(WsString(reply, "message"), "this lesson is flown without sonar");
    json_decref(reply);
    End(&host, &ws);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ImagesShowTheWall),
                                       cmocka_unit_test(FramesHoldInstruments),
                                       cmocka_unit_test(LessonsTakeThemAway)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
