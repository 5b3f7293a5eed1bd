// Samples within steps: as good as the steps, whatever is between their ends, and without a trace in the run.
#include "rig.h"

#include "hawser/reference.h"

#define MOST_SAMPLES 2048

typedef struct Samples {
    double interval, first;
    int count, channelCount, channels[4];
    double values[MOST_SAMPLES][4];
} Samples;

static double Take(const hwWorld* world, void* context) {
    Samples* samples = context;
    assert_true(samples->count < MOST_SAMPLES);
    assert_close(hwWorld_GetTime(world), samples->first + samples->interval * samples->count, 1e-12);
    for (int i = 0; i < samples->channelCount; ++i)
        samples->values[samples->count][i] = hwWorld_ReadChannel(world, samples->channels[i]);
    samples->count += 1;
    return samples->first + samples->interval * samples->count;
}

static Samples* StartSamples(hwWorld* world, double first, double interval, int count, const char** names) {
    Samples* samples = test_malloc(sizeof(*samples));
    *samples = (Samples){.interval = interval, .first = first, .channelCount = count};
    for (int i = 0; i < count; ++i) {
        samples->channels[i] = hwWorld_FindChannel(world, names[i]);
        assert_true(samples->channels[i] >= 0);
    }
    hwError error;
    assert_status(hwWorld_SetSampler(world, first, Take, samples, &error), HW_OK);
    return samples;
}

static void Advance(hwWorld* world, double interval) {
    hwError error;
    if (hwWorld_Step(world, interval, &error) < HW_OK) fail_msg("%s", error.message);
}

// 1 t on 10 m of wire of 1e9 N, let go from 1 rad.
static hwWorld* MakePendulum(double step) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver = (hwSolverDef){.tolerance = 1.0, .initial = step, .min = step, .max = step};
    hwWorld* world = hwCreateWorld(&def, &error);
    hwVec3 at = hwMakeVec3(10.0 * hwSin(1.0), 0.0, -10.0 * hwCos(1.0));
    hwBodyId load = AddLoad(world, "load", 1000.0, at);
    hwCableSectionDef wire = hwDefaultCableSectionDef();
    wire.length = 10.0;
    wire.elements = 4;
    wire.diameter = 0.03;
    wire.massPerLength = 3.0;
    wire.EA = 1e9;
    wire.axialDamping = 3e6; // half of critical for the load: its bouncing is over after 0.1 s
    AddCable(world, "wire", &wire, Pin(earth, hwVec3_zero), Pin(load, hwVec3_zero), 0);
    Prepare(world);
    return world;
}

static void samples_are_of_the_order_of_the_steps(void** state) {
    (void)state;
    const char* names[] = {"load.position.x", "wire.a.tension"};
    // 2 s from 0.5 s on, when the start has died down; the last run is the measure
    const double steps[] = {0.04, 0.02, 0.005, 0.0025, 0.0003125};
    Samples* samples[5];
    for (int k = 0; k < 5; ++k) {
        hwWorld* world = MakePendulum(steps[k]);
        samples[k] = StartSamples(world, 0.5, 1.0 / 256.0, 2, names);
        Advance(world, 2.5);
        assert_int_equal(samples[k]->count, 513);
        hwDestroyWorld(world);
    }
    for (int c = 0; c < 2; ++c) {
        double worst[4] = {0.0, 0.0, 0.0, 0.0};
        for (int k = 0; k < 4; ++k) {
            for (int i = 0; i < 513; ++i)
                worst[k] = fmax(worst[k], fabs(samples[k]->values[i][c] - samples[4]->values[i][c]));
        }
        // second order: a quarter, 0.3 with what is of higher order (0.25 and 0.24 were measured)
        assert_true(worst[3] < 0.3 * worst[2]);
        if (c == 0) assert_true(worst[1] < 0.3 * worst[0]);
        // 3 mm of 17 m swung; 1.5 % of the largest tension, 20 kN, in steps of 0.04 s, twelve times 1/w of the
        // wire: as at their ends (2.4 % by stages from the step's start). In such steps forces are not of second order.
        assert_true(worst[0] < (c == 0 ? 5e-3 : 320.0));
        assert_true(worst[1] < (c == 0 ? 1e-3 : 140.0));
    }
    for (int k = 0; k < 5; ++k) test_free(samples[k]);
}

// A sample at the end of a step is the step's own end, one just before it nearly that: no jump from step to step.
static void samples_join_the_steps(void** state) {
    (void)state;
    const char* names[] = {"load.position.x", "wire.a.tension", "load.velocity.z"};
    hwWorld* world = MakePendulum(0.05);
    Samples* at = StartSamples(world, 0.5, 0.05, 3, names); // steps end there
    Advance(world, 1.5);
    hwDestroyWorld(world);
    for (int k = 0; k < 2; ++k) {
        world = MakePendulum(0.05);
        double off = k == 0 ? -1e-6 : 1e-6;
        Samples* near = StartSamples(world, 0.5 + off, 0.05, 3, names);
        Advance(world, 1.5);
        // 5 m/s and 10 m/s2 move things by that much in 1e-6 s, and what the last step has left in the wire by as much as the
        // tension, which is why that is not allowed more
        for (int i = 0; i < 20; ++i) {
            assert_close(near->values[i][0], at->values[i][0], 1e-5);
            assert_close(near->values[i][1], at->values[i][1], 5.0);
            assert_close(near->values[i][2], at->values[i][2], 2e-5);
        }
        hwDestroyWorld(world);
        test_free(near);
    }
    test_free(at);
}

static void free_spin_is_exact_between_steps(void** state) {
    (void)state;
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef space = hwDefaultEnvironmentDef();
    space.gravity = 0.0;
    assert_status(hwWorld_SetEnvironment(world, &space, &error), HW_OK);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "top";
    body.mass = 2.0;
    body.com = hwMakeVec3(0.3, 0.1, 0.0);
    body.inertia[0] = 1.0, body.inertia[1] = 1.4, body.inertia[2] = 2.0;
    body.rate = hwMakeVec3(3.0, 0.5, 20.0);
    assert_false(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    Prepare(world);
    const char* names[] = {"world.energy", "top.position.x"};
    double energy = Read(world, "world.energy");
    Samples* samples = StartSamples(world, 0.0, 0.003, 2, names);
    Advance(world, 3.0);
    assert_true(hwWorld_GetCounters(world).steps < 300); // most samples are within steps
    for (int i = 0; i < samples->count; ++i) assert_close(samples->values[i][0], energy, 1e-8 * energy);
    hwDestroyWorld(world);
    test_free(samples);
}

// Wire that a winch pays out at 1 m/s within a step is out at the time of a sample, and nodes come and go between steps.
static void samples_see_what_a_winch_has_paid_out(void** state) {
    (void)state;
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.statics = true;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwBodyId load = AddLoad(world, "load", 500.0, hwMakeVec3(0.0, 0.0, -10.0));
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 10;
    section.diameter = 0.02;
    section.massPerLength = 1.5;
    section.EA = 2e7;
    hwCableId wire = AddCable(world, "wire", &section, Pin(earth, hwVec3_zero), Pin(load, hwVec3_zero), 0);
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = wire;
    hwSignalTerm rate = hwConstantTerm(hwMakeVec3(1.0, 0.0, 0.0));
    winch.setpoint = (hwSignal){1, &rate};
    assert_false(HW_IS_NULL(hwWorld_AddWinch(world, &winch, &error)));
    Prepare(world);
    const char* names[] = {"wire.length", "load.position.z", "winch.rate"};
    Samples* samples = StartSamples(world, 1.0, 0.01, 3, names);
    Advance(world, 4.0);
    assert_true(hwWorld_GetCounters(world).steps < 350);
    for (int i = 1; i < samples->count; ++i) {
        double way = samples->values[i][0] - samples->values[i - 1][0];
        assert_close(way, 0.01 * samples->values[i][2], 1e-4);
        // the load goes along; it swings on the wire by 10 g of stretch
        assert_close(samples->values[i][1], -samples->values[i][0], 0.02);
    }
    hwDestroyWorld(world);
    test_free(samples);
}

// Inputs that an event sets show in samples from its time on.
static void sample_at_an_event_is_after_it(void** state) {
    (void)state;
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwBodyId load = AddLoad(world, "load", 500.0, hwVec3_zero);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 1.0;
    section.elements = 2;
    section.diameter = 0.01;
    section.massPerLength = 1.0;
    section.EA = 1e6;
    hwCableId wire =
        AddCable(world, "wire", &section, Pin(earth, hwMakeVec3(0.0, 0.0, 1.0)), Pin(load, hwVec3_zero), 0);
    hwCableEventDef let = hwDefaultCableEventDef();
    let.time = 0.5;
    let.cable = wire;
    let.end = 1;
    assert_status(hwWorld_AddCableEvent(world, &let, &error), HW_OK);
    Prepare(world);
    const char* names[] = {"load.acceleration.z"};
    Samples* samples = StartSamples(world, 0.0, 0.125, 1, names);
    Advance(world, 1.0);
    for (int i = 4; i < samples->count; ++i) assert_close(samples->values[i][0], -9.81, 0.01);
    assert_true(fabs(samples->values[3][0]) < 9.0);
    hwDestroyWorld(world);
    test_free(samples);
}

static void reference_samples_without_a_trace(void** state) {
    (void)state;
    const char* names[] = {"load.position.x", "wire.a.tension"};
    const hwReferenceMethod methods[] = {HW_REFERENCE_EXPLICIT, HW_REFERENCE_DIRK, HW_REFERENCE_BDF};
    for (int m = 0; m < 3; ++m) {
        uint64_t hash[2];
        Samples* samples = NULL;
        hwError error;
        for (int k = 0; k < 2; ++k) {
            hwWorld* world = MakePendulum(0.0);
            hwSolverDef solver = {.tolerance = 1e-7};
            assert_status(hwWorld_SetSolver(world, &solver, &error), HW_OK);
            assert_status(hwWorld_UseReference(world, methods[m], &error), HW_OK);
            if (k == 1) samples = StartSamples(world, 0.0, 1.0 / 128.0, 2, names);
            Advance(world, 0.25);
            hash[k] = hwWorld_HashState(world);
            hwDestroyWorld(world);
        }
        assert_true(hash[0] == hash[1]);
        assert_int_equal(samples->count, 33);
        // against stops at the same times
        hwWorld* world = MakePendulum(0.0);
        hwSolverDef solver = {.tolerance = 1e-7};
        assert_status(hwWorld_SetSolver(world, &solver, &error), HW_OK);
        assert_status(hwWorld_UseReference(world, methods[m], &error), HW_OK);
        for (int i = 1; i < 33; ++i) {
            Advance(world, 1.0 / 128.0);
            // tolerances are of each step; hundreds of them, and an element feels 4e5 N a millimetre
            assert_close(samples->values[i][0], Read(world, names[0]), 1e-5);
            assert_close(samples->values[i][1], Read(world, names[1]), 50.0);
        }
        hwDestroyWorld(world);
        test_free(samples);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_of_the_order_of_the_steps),
        cmocka_unit_test(samples_join_the_steps),
        cmocka_unit_test(free_spin_is_exact_between_steps),
        cmocka_unit_test(samples_see_what_a_winch_has_paid_out),
        cmocka_unit_test(sample_at_an_event_is_after_it),
        cmocka_unit_test(reference_samples_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
