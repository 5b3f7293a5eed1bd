// The support boat of the trainer: it rides the waves that the pilot has chosen, and the tether comes from it.
#define _POSIX_C_SOURCE 200809L
#include "flight_world.h"

#define STEP (1.0 / 60.0)

typedef struct Place {
    const char* name;
    hwVec3 boat, sheave; // in calm water
} Place;

static const Place g_places[] = {{"complex_area", {-7.9, 8.6, 0.1}, {-4.4, 8.6, 1.55}},
                                 {"open_water", {-9.4, 0.0, 0.1}, {-5.9, 0.0, 1.55}}};

static hwWebCatalog g_catalog;

static int SetUp(void** state) {
    (void)state;
    return hwWebCatalog_Init(&g_catalog, NULL, NULL) ? 0 : -1;
}

static int TearDown(void** state) {
    (void)state;
    hwWebCatalog_Free(&g_catalog);
    return 0;
}

static hwWebFlightOptions Choose(const char* place, double height, double period, double direction) {
    hwWebFlightOptions o = g_catalog.defaults;
    snprintf(o.vehicle, sizeof(o.vehicle), "bluerov2_heavy");
    snprintf(o.surroundings, sizeof(o.surroundings), "%s", place);
    o.waveHeight = height;
    o.wavePeriod = period;
    o.waveDirection = direction;
    return o;
}

static hwWorld* Dive(hwWebFlightOptions o) {
    char message[200];
    if (!hwWebCatalog_CheckOptions(&g_catalog, &o, message, sizeof(message))) fail_msg("%s", message);
    return MakeFlight(&g_catalog, &o);
}

static void Step(hwWorld* world, int count) {
    hwError error;
    for (int i = 0; i < count; ++i) {
        if (hwWorld_Step(world, STEP, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

static hwBodyState Find(const hwWorld* world, const char* name) {
    hwBodyState state;
    assert_status(hwBody_GetState(world, hwWorld_FindBody(world, name), &state, NULL), HW_OK);
    return state;
}

static hwVec3 ReadPoint(const hwWorld* world, const char* name) {
    char channel[80];
    double v[3];
    for (int i = 0; i < 3; ++i) {
        snprintf(channel, sizeof(channel), "%s.%c", name, "xyz"[i]);
        v[i] = Read(world, channel);
    }
    return hwMakeVec3(v[0], v[1], v[2]);
}

static void in_calm_water_it_stays(void** state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        hwWorld* world = Dive(Choose(g_places[i].name, 0.0, 5.0, 0.0));
        for (int k = 0; k < 2; ++k) {
            hwBodyState boat = Find(world, "boat"), sheave = Find(world, "davit.sheave");
            // rounding of the half turn between them
            assert_close_vec3(boat.position, g_places[i].boat, 1e-14);
            assert_close_vec3(sheave.position, g_places[i].sheave, 1e-14);
            assert_close_vec3(hwRotate(boat.attitude, hwMakeVec3(1, 0, 0)), hwMakeVec3(-1, 0, 0), 1e-14);
            assert_close_vec3(hwRotate(boat.attitude, hwMakeVec3(0, 0, 1)), hwMakeVec3(0, 0, 1), 1e-14);
            assert_close_vec3(hwRotate(sheave.attitude, hwMakeVec3(1, 0, 0)), hwMakeVec3(1, 0, 0), 1e-14);
            assert_close(hwLength(boat.velocity) + hwLength(sheave.velocity), 0.0, 1e-14);
            Step(world, 60);
        }
        hwDestroyWorld(world);
    }
}

typedef struct Ride {
    double heave, surface,
        apart; // m, root mean squares of the boat's heave, the sea there, and their difference
} Ride;

static Ride RideFor(const char* place, double height, double period, double seconds) {
    hwWebFlightOptions o = Choose(place, height, period, 0.7);
    o.tether = false;
    hwWorld* world = Dive(o);
    hwVec3 mean = hwBody_GetDef(world, hwWorld_FindBody(world, "boat"))->position;
    Ride ride = {0};
    int count = (int)(seconds / (6 * STEP));
    for (int i = 0; i < count; ++i) {
        Step(world, 6);
        hwFluidSample fluid;
        assert_status(hwWorld_SampleFluid(world, 1, &mean, hwWorld_GetTime(world), &fluid, NULL), HW_OK);
        double heave = Find(world, "boat").position.z - mean.z;
        ride.heave += heave * heave / count;
        ride.surface += fluid.surface * fluid.surface / count;
        ride.apart += (heave - fluid.surface) * (heave - fluid.surface) / count;
    }
    hwDestroyWorld(world);
    return (Ride){sqrt(ride.heave), sqrt(ride.surface), sqrt(ride.apart)};
}

static void it_heaves_with_long_waves_and_little_with_short_ones(void** state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        // a sea of 12 s has little above the boat's own two seconds
        Ride swell = RideFor(g_places[i].name, 2.0, 12.0, 60.0);
        assert_true(swell.surface > 0.25);
        assert_close(swell.heave / swell.surface, 1.0, 0.02);
        assert_true(swell.apart < 0.05 * swell.surface);
        // waves of 6 m, its own length
        Ride chop = RideFor(g_places[i].name, 0.2, 2.0, 60.0);
        assert_true(chop.surface > 0.03);
        assert_true(chop.heave < 0.35 * chop.surface);
    }
}

// Boom, sheave and the end of the tether stay where they are on the boat.
static void the_tether_comes_from_the_boat(void** state) {
    (void)state;
    hwWorld* world = Dive(Choose("complex_area", 2.0, 5.0, 0.7));
    double turned = 0.0;
    for (int i = 0; i < 60; ++i) {
        Step(world, 10);
        hwBodyState boat = Find(world, "boat"), sheave = Find(world, "davit.sheave");
        hwVec3 place = hwAdd(boat.position, hwRotate(boat.attitude, hwMakeVec3(-3.5, 0.0, 1.45)));
        hwVec3 end = hwAdd(sheave.position, hwRotate(sheave.attitude, hwMakeVec3(0.15, 0.0, 0.0)));
        // one rigid body: rounding
        assert_close_vec3(sheave.position, place, 1e-12);
        assert_close_vec3(ReadPoint(world, "tether.node[0].position"), end, 1e-8); // Newton's last correction
        turned = fmax(turned, hwDistance(hwRotate(boat.attitude, hwMakeVec3(0, 0, 1)), hwMakeVec3(0, 0, 1)));
    }
    assert_true(turned > 0.05);
    hwDestroyWorld(world);
}

// A vehicle that holds its depth with slack out is tugged at by the boat, but never near the tether's working load.
static void heave_does_not_snap_a_slack_tether(void** state) {
    (void)state;
    for (int i = 0; i < 3; ++i) {
        hwWebFlightOptions o = Choose(g_places[i % 2].name, 2.0, 5.0, 0.5 * HW_PI * i);
        o.handler = HANDLER_HOLD;
        o.tetherOut = 12.0;
        hwWorld* world = Dive(o);
        Set(world, "rov.armed", 1.0);
        Set(world, "rov.mode", HW_MODE_DEPTH_HOLD);
        Set(world, "rov.gain", 1.0);
        double peak = 0.0;
        for (int k = 0; k < 3600; ++k) {
            Step(world, 1);
            peak = fmax(peak, fmax(Read(world, "tether.a.tension"), Read(world, "tether.b.tension")));
        }
        // a fifth of 343 N is where the instruments begin to warn; in calm water it is 5 N
        assert_true(peak > 5.0 && peak < 0.2 * 343.0);
        hwDestroyWorld(world);
    }
}

// A vehicle driven up from below meets the heaving bottom of the boat, not its inside.
static void it_pushes_the_vehicle_that_is_below(void** state) {
    (void)state;
    hwWebFlightOptions o = Choose("open_water", 1.0, 5.0, 0.5);
    o.tether = false;
    hwWebCatalogScene* scene = NULL;
    for (int i = 0; i < g_catalog.surroundingCount; ++i) {
        if (strcmp(g_catalog.surroundings[i].name, "open_water") == 0) scene = &g_catalog.surroundings[i];
    }
    assert_non_null(scene);
    hwVec3 spawn = scene->trainer.spawn;
    scene->trainer.spawn = hwMakeVec3(-9.4, 0.0, -3.0);
    hwWorld* world = Dive(o);
    scene->trainer.spawn = spawn;
    Set(world, "rov.armed", 1.0);
    Set(world, "rov.mode", HW_MODE_STABILIZE);
    Set(world, "rov.gain", 1.0);
    Set(world, "rov.pilot.heave", 1.0);
    double low = 1e9, high = -1e9, lowest = 1e9, highest = -1e9;
    for (int i = 0; i < 15 * 60; ++i) {
        Step(world, 1);
        if (i < 5 * 60) continue;
        hwBodyState boat = Find(world, "boat");
        hwVec3 seen = hwInvRotate(boat.attitude, hwSub(ReadPoint(world, "rov.position"), boat.position));
        low = fmin(low, seen.z);
        high = fmax(high, seen.z);
        lowest = fmin(lowest, boat.position.z);
        highest = fmax(highest, boat.position.z);
    }
    // it stays pressed to the bottom, 0.9 m below the boat's origin, about 0.1 m high itself, up and down
    assert_true(highest - lowest > 0.5);
    assert_true(low > -1.1 && high < -0.95);
    hwDestroyWorld(world);
}

// Seas that would break are made longer: a fifteenth of steepness.
static void waves_are_no_steeper_than_they_can_be(void** state) {
    (void)state;
    char message[200];
    hwWebFlightOptions o = Choose("open_water", 4.0, 2.0, 0.0);
    assert_true(hwWebCatalog_CheckOptions(&g_catalog, &o, message, sizeof(message)));
    assert_close(9.81 * o.wavePeriod * o.wavePeriod / (2.0 * HW_PI), 15.0 * 4.0, 1e-9);
    o = Choose("open_water", 2.0, 5.0, 0.0);
    assert_true(hwWebCatalog_CheckOptions(&g_catalog, &o, message, sizeof(message)));
    assert_true(o.wavePeriod == 5.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_calm_water_it_stays),
        cmocka_unit_test(it_heaves_with_long_waves_and_little_with_short_ones),
        cmocka_unit_test(the_tether_comes_from_the_boat),
        cmocka_unit_test(heave_does_not_snap_a_slack_tether),
        cmocka_unit_test(it_pushes_the_vehicle_that_is_below),
        cmocka_unit_test(waves_are_no_steeper_than_they_can_be),
    };
    return cmocka_run_group_tests(tests, SetUp, TearDown);
}
