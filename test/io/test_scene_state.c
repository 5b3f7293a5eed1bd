// Scenes that start from the state of another run: they go on where it ended, settle from there, or say why they cannot.
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

#include "hawser/hawser.h"

#include <math.h>

#define HEAD "hawser: 1\nduration: 1\n"
#define OBJECTS                                                                                              \
    "environment: {water: {}, current: [0.3, 0, 0], waves: {airy: {height: 1, period: 6}, ramp: 8}}\n"       \
    "bodies: [{name: load, mass: 500, inertia: [50, 50, 50], position: [0, 0, -20], shapes: [{sphere: "      \
    "0.4}]}]\n"                                                                                              \
    "cables: [{name: wire, ends: {a: {on: earth, at: [0, 0, -1]}, b: {on: load}}, sections: [{length: 20, "  \
    "elements: 10, diameter: 0.02, mass_per_length: 1.5, EA: 1e6, drag: {normal: 1.2, tangential: "          \
    "0.05}}]}]\n"
#define FILE_NAME FOLDER "/half.state"
#define STATE_AT 16 // column of the file's name in `start: {state: half.state}`

typedef struct Log {
    char text[2000];
} Log;

static void Note(hwLogLevel level, const char* text, void* context) {
    Log* log = context;
    (void)level;
    size_t used = strlen(log->text);
    snprintf(log->text + used, sizeof(log->text) - used, "%s\n", text);
}

static hwWorld* MakeLogged(const char* text, Log* log) {
    hwError error;
    *log = (Log){0};
    hwWorldDef base = hwDefaultWorldDef();
    base.log = Note;
    base.logContext = log;
    hwScene* scene = Take(text);
    hwWorld* world = hwScene_CreateWorld(scene, &base, &error);
    if (world == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    hwDestroyScene(scene);
    return world;
}

static void Run(hwWorld* world, double time) {
    hwError error;
    if (hwWorld_Step(world, time, &error) < HW_OK) fail_msg("%s", error.message);
}

static void WriteHalf(void) {
    hwError error;
    Log log;
    hwWorld* world = MakeLogged(HEAD OBJECTS, &log);
    Run(world, 3.0);
    if (hwWorld_WriteState(world, FILE_NAME, &error) != HW_OK) fail_msg("%s", error.message);
    hwDestroyWorld(world);
}

static void ARunGoesOnFromAState(void** state) {
    (void)state;
    Log log;
    WriteHalf();
    hwWorld* whole = MakeLogged(HEAD OBJECTS, &log);
    Run(whole, 3.0);
    hwWorld* half = MakeLogged(HEAD "start: {state: half.state}\n" OBJECTS, &log);
    assert_string_equal(log.text, "");
    assert_true(hwWorld_GetTime(half) == 3.0);
    // bit for bit, and so is what follows: the waves go on growing, from the start of the first run on
    assert_true(hwWorld_HashState(half) == hwWorld_HashState(whole));
    Run(whole, 2.0);
    Run(half, 2.0);
    assert_true(hwWorld_HashState(half) == hwWorld_HashState(whole));
    hwScene* scene = Take(HEAD "start: {state: half.state}\n" OBJECTS);
    assert_true(hwScene_GetInfo(scene)->start == 3.0); // from which rows are counted
    hwDestroyScene(scene);
    hwDestroyWorld(half);
    hwDestroyWorld(whole);
}

// The rest found from a swinging state is that found from the shapes given.
static void StaticsStartsFromAState(void** state) {
    (void)state;
    Log log;
    WriteHalf();
    hwWorld* given = MakeLogged(HEAD "start: {statics: true}\n" OBJECTS, &log);
    hwWorld* half = MakeLogged(HEAD "start: {state: half.state, statics: true}\n" OBJECTS, &log);
    assert_true(hwWorld_GetTime(half) == 3.0);
    static const char* const names[] = {"load.position.x", "load.position.z", "wire.node[8].position.z",
                                        "wire.node[5].position.x"};
    for (int i = 0; i < 4; i++) {
        double a = Channel(given, names[i]), b = Channel(half, names[i]);
        // the residual that both searches leave, 1e-10 of the largest force, over the stiffness of the pendulum
        if (!(fabs(a - b) < 1e-6 * fmax(1.0, fabs(a)))) fail_msg("%s: %.12g and %.12g", names[i], a, b);
    }
    assert_true(fabs(Channel(half, "load.velocity.x")) < 1e-12);
    hwDestroyWorld(half);
    hwDestroyWorld(given);
}

// Other numbers are allowed and told; the balance of energy begins with them.
static void OtherNumbersAreSaid(void** state) {
    (void)state;
    Log log;
    WriteHalf();
    static const char text[] = HEAD "start: {state: half.state}\n" OBJECTS;
    char heavier[sizeof(text)];
    memcpy(heavier, text, sizeof(text));
    memcpy(strstr(heavier, "mass: 500"), "mass: 600", 9);
    hwWorld* world = MakeLogged(heavier, &log);
    assert_non_null(strstr(log.text, "goes on at 3 s from a state of a model with other numbers"));
    double before = Channel(world, "world.energy.balance"), moved = 600.0 * 9.81 * 0.1;
    Run(world, 0.5);
    // of the energy of 100 kg more, taken down by a tenth of a metre, nothing is missing
    assert_true(fabs(Channel(world, "world.energy.balance") - before) < 0.01 * moved);
    hwDestroyWorld(world);
}

static void RefuseState(const char* start, int column, const char* words) {
    char text[2000];
    snprintf(text, sizeof(text), "%s%s\n%s", HEAD, start, OBJECTS);
    RefuseAt(text, 3, column, words);
}

static void WriteBytes(const char* path, const char* bytes, size_t size) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void WhatIsNoStateIsRefused(void** state) {
    (void)state;
    WriteHalf();
    RefuseState("start: {state: none.state}", STATE_AT, "none.state` does not exist");
    RefuseState("start: {state: half.state, time: 3}", 34, "`time` and `state` exclude each other");
    RefuseState("start: {state: half.state, build_up: 3}", 38, "`build_up` and `state` exclude each other");
    WriteBytes(FOLDER "/text.state", "time,x\n0,1\n", 11);
    RefuseState("start: {state: text.state}", STATE_AT, "holds no state as `hawser run --save` writes them");
    static char bytes[1 << 20];
    FILE* file = fopen(FILE_NAME, "rb");
    size_t size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    assert_true(size > 1000 && size < sizeof(bytes));
    WriteBytes(FOLDER "/short.state", bytes, size - 1);
    RefuseState("start: {state: short.state}", STATE_AT, "`short.state` is damaged");
    bytes[900] ^= 1;
    WriteBytes(FOLDER "/bad.state", bytes, size);
    RefuseState("start: {state: bad.state}", STATE_AT, "`bad.state` is damaged");
    bytes[16] ^= 1; // in the version
    WriteBytes(FOLDER "/old.state", bytes, size);
    RefuseState("start: {state: old.state}", STATE_AT, "`old.state` was written by another version");
}

static void AStateOfOtherObjectsIsRefused(void** state) {
    (void)state;
    hwError error;
    WriteHalf();
    hwScene* scene =
        Take(HEAD "start: {state: half.state}\n" OBJECTS "forces: []\nevents: []\n"
                  "winches: [{name: winch, cable: wire, end: a, mode: velocity, setpoint: 0}]\n");
    assert_null(hwScene_CreateWorld(scene, NULL, &error));
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, STATE_AT);
    assert_non_null(strstr(error.message, "the saved state belongs to a model with other objects"));
    assert_non_null(strstr(error.hint, "same bodies"));
    hwDestroyScene(scene);
}

static void WhatCannotBeWrittenIsSaid(void** state) {
    (void)state;
    hwError error;
    Log log;
    hwWorld* world = MakeLogged(HEAD OBJECTS, &log);
    assert_int_equal(hwWorld_WriteState(world, FOLDER "/no/such/folder.state", &error), HW_ERROR_FILE);
    assert_non_null(strstr(error.message, "cannot be written"));
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ARunGoesOnFromAState),          cmocka_unit_test(StaticsStartsFromAState),
        cmocka_unit_test(OtherNumbersAreSaid),           cmocka_unit_test(WhatIsNoStateIsRefused),
        cmocka_unit_test(AStateOfOtherObjectsIsRefused), cmocka_unit_test(WhatCannotBeWrittenIsSaid),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
