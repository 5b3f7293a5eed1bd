// The time before a run in which the sea and given motions grow: from nothing to what they are, without a jump, and what is
// said about it.
#include "support.h"

#include "hawser/hawser.h"

#include <string.h>

#define SPAN 20.0 // s
#define SPEED 2.0 // m/s

typedef struct Rig {
    hwWorld* world;
    hwBodyId ship;
    hwError error;
} Rig;

// A ship that heaves by a sine about -3 m while it goes with SPEED along x, in a wave of 2 m.
static Rig MakeRig(double start, double waveRamp) {
    Rig rig = {0};
    hwWorldDef def = hwDefaultWorldDef();
    def.time = start;
    def.buildUp = SPAN;
    rig.world = hwCreateWorld(&def, &rig.error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waveRamp = waveRamp;
    hwAiryDef wave = {.height = 2.0, .period = 8.0};
    sea.airyCount = 1;
    sea.airy = &wave;
    if (hwWorld_SetEnvironment(rig.world, &sea, &rig.error) != HW_OK) return rig;
    double times[2] = {-1000.0, 1000.0};
    hwVec3 places[2] = {{-1000.0 * SPEED, 0, 0}, {1000.0 * SPEED, 0, 0}};
    hwSignalTerm terms[2] = {{.kind = HW_SIGNAL_TABLE, .count = 2, .times = times, .values = places},
                             hwSineTerm(hwMakeVec3(0, 0, 1.5), 7.0, 0.3)};
    terms[1].offset = hwMakeVec3(0, 0, -3);
    hwBodyDef ship = hwDefaultBodyDef();
    ship.name = "ship";
    ship.motion = HW_MOTION_PRESCRIBED;
    ship.prescribedPosition = (hwSignal){2, terms};
    rig.ship = hwWorld_AddBody(rig.world, &ship, &rig.error);
    return rig;
}

static hwBodyState Read(const Rig* rig) {
    hwBodyState state;
    assert_status(hwBody_GetState(rig->world, rig->ship, &state, NULL), HW_OK);
    return state;
}

static double ReadSurface(const Rig* rig) {
    hwVec3 point = {7.0, 0, 0}; // not where the wave is zero at 0 s
    hwFluidSample sample;
    assert_status(hwWorld_SampleFluid(rig->world, 1, &point, hwWorld_GetTime(rig->world), &sample, NULL),
                  HW_OK);
    return sample.surface;
}

static void MotionsAndSeaGrow(void** state) {
    (void)state;
    Rig rig = MakeRig(5.0, 0.0);
    assert_status(hwWorld_Prepare(rig.world, &rig.error), HW_OK);
    assert_close(hwWorld_GetTime(rig.world), 5.0 - SPAN, 0.0);
    // the tow goes on, the heave has not begun
    assert_close_vec3(Read(&rig).position, hwMakeVec3((5.0 - SPAN) * SPEED, 0, -3), 1e-12);
    assert_close_vec3(Read(&rig).velocity, hwMakeVec3(SPEED, 0, 0), 1e-12);
    assert_close(ReadSurface(&rig), 0.0, 0.0);
    // velocity and acceleration are those of the position: differences of 1 ms, errors of their second order
    double h = 1e-3;
    assert_true(hwWorld_Step(rig.world, 9.0, &rig.error) >= HW_OK);
    hwBodyState before = Read(&rig);
    assert_true(hwWorld_Step(rig.world, h, &rig.error) >= HW_OK);
    hwBodyState middle = Read(&rig);
    assert_true(hwWorld_Step(rig.world, h, &rig.error) >= HW_OK);
    hwBodyState after = Read(&rig);
    assert_close_vec3(middle.velocity, hwScale(0.5 / h, hwSub(after.position, before.position)), 1e-6);
    assert_close_vec3(middle.acceleration, hwScale(0.5 / h, hwSub(after.velocity, before.velocity)), 1e-6);
    // and at the end all is as given
    assert_status(hwWorld_BuildUp(rig.world, &rig.error), HW_OK);
    assert_close(hwWorld_GetTime(rig.world), 5.0, 0.0);
    assert_int_equal(hwWorld_GetCounters(rig.world).steps, 0);
    double angle = 2.0 * HW_PI * 5.0 / 7.0 + 0.3;
    assert_close_vec3(Read(&rig).position, hwMakeVec3(5.0 * SPEED, 0, -3.0 + 1.5 * sin(angle)), 1e-12);
    assert_close_vec3(Read(&rig).velocity, hwMakeVec3(SPEED, 0, 1.5 * 2.0 * HW_PI / 7.0 * cos(angle)), 1e-12);
    double k = 4.0 * HW_PI * HW_PI / (64.0 * 9.81);
    assert_close(fabs(ReadSurface(&rig)), fabs(cos(k * 7.0 - 2.0 * HW_PI * 5.0 / 8.0)),
                 1e-3);                                           // of first order in k a
    assert_status(hwWorld_BuildUp(rig.world, &rig.error), HW_OK); // nothing is left of it
    assert_close(hwWorld_GetTime(rig.world), 5.0, 0.0);
    hwDestroyWorld(rig.world);
}

static void EventsBeforeTheStartDoNotHappen(void** state) {
    (void)state;
    Rig rig = MakeRig(0.0, 0.0);
    hwEventDef event = {0};
    event.input = "environment.current.x";
    event.time = -4.0;
    event.value = 1.0;
    assert_status(hwWorld_AddEvent(rig.world, &event, &rig.error), HW_OK);
    assert_status(hwWorld_Prepare(rig.world, &rig.error), HW_OK);
    assert_status(hwWorld_BuildUp(rig.world, &rig.error), HW_OK);
    assert_close(hwWorld_ReadInput(rig.world, hwWorld_FindInput(rig.world, "environment.current.x")), 0.0,
                 0.0);
    hwDestroyWorld(rig.world);
}

static void ARampBesideItIsRefused(void** state) {
    (void)state;
    Rig rig = MakeRig(0.0, 10.0);
    assert_int_equal(rig.error.status, HW_ERROR_ARGUMENT);
    assert_string_equal(rig.error.message,
                        "the waves grow with the build-up of 20 s before the start; a ramp of "
                        "their own, 10 s from the start on, contradicts it");
    hwDestroyWorld(rig.world);
    hwWorldDef def = hwDefaultWorldDef();
    def.buildUp = -1.0;
    assert_null(hwCreateWorld(&def, &rig.error));
    assert_string_equal(rig.error.message, "a build-up takes a finite time and no negative one, not -1 s");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(MotionsAndSeaGrow),
                                       cmocka_unit_test(EventsBeforeTheStartDoNotHappen),
                                       cmocka_unit_test(ARampBesideItIsRefused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
