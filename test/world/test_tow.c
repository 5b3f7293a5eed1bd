// Statics of what is towed: the shape of a tow in still water is that of the same cable held in a stream that flows against it,
// and goes on as it is. What statics changes of what was given is said.
#include "support.h"

#include "hawser/hawser.h"

#include <string.h>

#define SPEED 3.0 // m/s
#define NODES 25

typedef struct Log {
    char text[4096];
} Log;

static void Note(hwLogLevel level, const char* text, void* context) {
    Log* log = context;
    (void)level;
    size_t used = strlen(log->text);
    snprintf(log->text + used, sizeof(log->text) - used, "%s\n", text);
}

typedef struct Tow {
    hwWorld* world;
    hwBodyId fish;
    hwCableId cable;
    Log log;
} Tow;

typedef enum Kind {
    IN_STREAM, // the end stands still, the water flows
    BY_END,    // the end goes, by a signal
    BY_SHIP    // on a prescribed body, which heaves as well
} Kind;

static void Check(bool good, const hwError* error) {
    if (!good) fail_msg("%s", error->message);
}

static void MakeTow(Tow* tow, Kind kind, hwVec3 velocity) {
    hwError error;
    *tow = (Tow){0};
    hwWorldDef worldDef = hwDefaultWorldDef();
    worldDef.statics = true;
    worldDef.log = Note;
    worldDef.logContext = &tow->log;
    hwWorld* world = tow->world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    hwSignalTerm stream = hwConstantTerm(hwMakeVec3(-SPEED, 0, 0));
    if (kind == IN_STREAM) sea.current.uniform = (hwSignal){1, &stream};
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    double times[2] = {-100.0, 1000.0};
    hwVec3 places[2] = {{-100.0 * SPEED, 0, -2}, {1000.0 * SPEED, 0, -2}};
    hwSignalTerm terms[2] = {{.kind = HW_SIGNAL_TABLE, .count = 2, .times = times, .values = places},
                             hwSineTerm(hwMakeVec3(0, 0, 0.5), 8.0, 0.0)};
    hwCableEndDef end = {.joint = HW_ATTACH_PIN, .at = {0, 0, -2}};
    if (kind == BY_END) end.path = (hwSignal){1, terms};
    if (kind == BY_SHIP) {
        hwBodyDef ship = hwDefaultBodyDef();
        ship.name = "ship";
        ship.motion = HW_MOTION_PRESCRIBED;
        ship.prescribedPosition = (hwSignal){2, terms};
        end = (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = hwWorld_AddBody(world, &ship, &error)};
    }
    hwBodyDef fish = hwDefaultBodyDef();
    fish.name = "fish";
    fish.mass = 500.0;
    fish.inertia[0] = 20.0;
    fish.inertia[1] = fish.inertia[2] = 60.0;
    fish.hydro.volume = 0.2;
    for (int i = 0; i < 6; ++i) fish.hydro.quadraticDrag[i] = i == 0 ? 50.0 : 200.0;
    fish.position = hwMakeVec3(-245, 0, -172);
    fish.velocity = velocity;
    tow->fish = hwWorld_AddBody(world, &fish, &error);
    Check(!HW_IS_NULL(tow->fish), &error);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 300.0;
    section.elements = NODES - 1;
    section.diameter = 0.02;
    section.massPerLength = 1.0;
    section.EA = 1e7;
    section.dragNormal = 1.2;
    section.dragTangential = 0.01;
    hwCableDef cable = hwDefaultCableDef();
    cable.name = "line";
    cable.sectionCount = 1;
    cable.sections = &section;
    cable.ends[0] = end;
    cable.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = tow->fish};
    tow->cable = hwWorld_AddCable(world, &cable, &error);
    Check(!HW_IS_NULL(tow->cable), &error);
    Check(hwWorld_Prepare(world, &error) == HW_OK, &error);
}

static hwBodyState Read(const Tow* tow) {
    hwBodyState state;
    assert_status(hwBody_GetState(tow->world, tow->fish, &state, NULL), HW_OK);
    return state;
}

static void ATowIsACableInAStream(void** state) {
    (void)state;
    Tow stream, towed;
    MakeTow(&stream, IN_STREAM, hwVec3_zero);
    for (int kind = BY_END; kind <= BY_SHIP; ++kind) {
        MakeTow(&towed, (Kind)kind, hwMakeVec3(SPEED, 0, 0));
        hwCableView a, b;
        assert_status(hwCable_GetView(stream.world, stream.cable, &a, NULL), HW_OK);
        assert_status(hwCable_GetView(towed.world, towed.cable, &b, NULL), HW_OK);
        for (int i = 0; i < NODES; ++i) {
            assert_close_vec3(b.positions[i], a.positions[i], 1e-6); // what both searches leave
            // the ship's heave is there from the first moment; what hangs on it has the velocity of the tow
            if (i > 0) assert_close_vec3(b.velocities[i], hwMakeVec3(SPEED, 0, 0), 1e-12);
        }
        assert_close_vec3(Read(&towed).velocity, hwMakeVec3(SPEED, 0, 0), 1e-12);
        assert_non_null(strstr(towed.log.text, "steady tow, (3, 0, 0) m/s"));
        assert_non_null(strstr(towed.log.text, "statics: fish moved"));
        assert_null(strstr(towed.log.text, "is not kept"));
        hwDestroyWorld(towed.world);
    }
    hwDestroyWorld(stream.world);
}

static void ATowGoesOnAsItIs(void** state) {
    (void)state;
    Tow tow;
    MakeTow(&tow, BY_END, hwMakeVec3(SPEED, 0, 0));
    hwVec3 from = Read(&tow).position;
    hwError error;
    for (int i = 0; i < 100; ++i) assert_true(hwWorld_Step(tow.world, 0.1, &error) >= HW_OK);
    assert_close_vec3(Read(&tow).position, hwAdd(from, hwMakeVec3(10.0 * SPEED, 0, 0)), 1e-6);
    hwDestroyWorld(tow.world);
}

// In the stream nothing goes on with the velocity that was given, and that is said.
static void AVelocityThatIsNotKeptIsSaid(void** state) {
    (void)state;
    Tow tow;
    MakeTow(&tow, IN_STREAM, hwMakeVec3(SPEED, 0, 0));
    assert_non_null(strstr(tow.log.text, "the motion given to fish, up to 3 m/s or rad/s, is not kept"));
    assert_close_vec3(Read(&tow).velocity, hwVec3_zero, 0.0);
    hwDestroyWorld(tow.world);
}

// A second cable to the earth: there is no steady tow, which is said.
static void WhatIsAnchoredIsNotTowed(void** state) {
    (void)state;
    Tow tow;
    MakeTow(&tow, BY_END, hwVec3_zero);
    hwError error;
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 600.0;
    section.elements = 10;
    section.diameter = 0.02;
    section.massPerLength = 1.0;
    section.EA = 1e7;
    hwCableDef cable = hwDefaultCableDef();
    cable.name = "anchor";
    cable.sectionCount = 1;
    cable.sections = &section;
    cable.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {-300, 0, -500}};
    cable.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = tow.fish};
    assert_false(HW_IS_NULL(hwWorld_AddCable(tow.world, &cable, &error)));
    tow.log.text[0] = 0;
    Check(hwWorld_Prepare(tow.world, &error) == HW_OK, &error);
    assert_non_null(strstr(tow.log.text, "it starts at rest, not in a steady tow"));
    assert_close_vec3(Read(&tow).velocity, hwVec3_zero, 0.0);
    hwDestroyWorld(tow.world);
}

// From any state, also one that was saved in the middle of a motion, to the same equilibrium.
static void StaticsStartsFromASavedState(void** state) {
    (void)state;
    Tow tow;
    MakeTow(&tow, IN_STREAM, hwVec3_zero);
    hwError error;
    hwVec3 rest = Read(&tow).position;
    hwBodyState pushed = Read(&tow);
    pushed.velocity = hwMakeVec3(4, 8, 4);
    assert_status(hwBody_SetState(tow.world, tow.fish, &pushed, &error), HW_OK);
    for (int i = 0; i < 50; ++i) assert_true(hwWorld_Step(tow.world, 0.1, &error) >= HW_OK);
    size_t size = hwWorld_GetStateSize(tow.world);
    void* saved = malloc(size);
    assert_status(hwWorld_SaveState(tow.world, saved, size, &error), HW_OK);
    hwWorld* other = hwWorld_Branch(tow.world, &error);
    assert_true(hwWorld_Step(other, 7.0, &error) >= HW_OK);
    assert_status(hwWorld_RestoreState(other, saved, size, &error), HW_OK);
    assert_true(hwDistance(Read(&tow).position, rest) > 0.1);
    assert_status(hwWorld_Settle(other, &error), HW_OK);
    hwBodyState found;
    assert_status(hwBody_GetState(other, tow.fish, &found, NULL), HW_OK);
    assert_close_vec3(found.position, rest,
                      1e-5); // the residual that both searches leave, over the stiffness of the tow
    assert_close_vec3(found.velocity, hwVec3_zero, 0.0);
    assert_close(hwWorld_GetTime(other), 5.0, 1e-9);
    assert_true(hwWorld_Step(other, 1.0, &error) >= HW_OK);
    free(saved);
    hwDestroyWorld(other);
    hwDestroyWorld(tow.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ATowIsACableInAStream),        cmocka_unit_test(ATowGoesOnAsItIs),
        cmocka_unit_test(AVelocityThatIsNotKeptIsSaid), cmocka_unit_test(WhatIsAnchoredIsNotTowed),
        cmocka_unit_test(StaticsStartsFromASavedState),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
