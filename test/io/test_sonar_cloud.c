// Point clouds of sonars: a sphere at its true range, pings when they are due, and nothing else changed by looking.
#include "scene_text.h"
#include "support.h"

#include "hawser/hawser.h"
#include "hawser/sonar_cloud.h"
#include "hawser/vehicle_type.h"

#include <math.h>

// A sphere of radius 1 m whose nearest point is 7 m before the forward sonar, which is 0.2 m before the vehicle's origin and
// 0.12 m above it; a tether so that looking could disturb something.
static const char g_text[] =
    "hawser: 1\nduration: 10\nenvironment: {water: {}}\n"
    "bodies:\n  - {name: ball, motion: fixed, position: [8.2, 0, -4.88], shapes: [{sphere: 1}]}\n"
    "vehicles:\n  - {name: rov, model: bluerov2, position: [0, 0, -5]}\n"
    "cables:\n  - name: tether\n"
    "    sections: [{length: 12, elements: 12, diameter: 0.008, mass_per_length: 0.05, EA: 2e4}]\n"
    "    ends: {a: {on: earth, at: [-8, 0, 0]}, b: {on: rov, at: tether}}\n";

static hwSonarClouds* MakeClouds(const hwScene* scene, const hwWorld* world) {
    hwError error;
    hwSonarClouds* clouds = hwCreateSonarClouds(scene, world, &error);
    if (clouds == NULL) fail_msg("%s", error.message);
    return clouds;
}

static bool Look(hwSonarClouds* clouds, int sonar, hwWorld* world) {
    hwError error;
    bool fresh;
    if (hwSonarClouds_Update(clouds, sonar, world, &fresh, &error) != HW_OK) fail_msg("%s", error.message);
    return fresh;
}

static void SphereIsAtItsRange(void** state) {
    (void)state;
    hwScene* scene = Take(g_text);
    hwWorld* world = MakeWorld(scene);
    hwSonarClouds* clouds = MakeClouds(scene, world);
    assert_int_equal(hwSonarClouds_GetCount(clouds), 2);
    hwSonarCloud cloud = hwSonarClouds_Get(clouds, 0);
    assert_string_equal(cloud.name, "rov.forward");
    assert_string_equal(cloud.parent, "rov");
    assert_true(isnan(cloud.time) && cloud.count == 0);
    assert_true(cloud.mounting.p.x == 0.2 && cloud.mounting.p.z == 0.12);
    assert_true(Look(clouds, 0, world));
    cloud = hwSonarClouds_Get(clouds, 0);
    assert_true(cloud.time == 0.0 && fabs(cloud.pose.p.x - 0.2) < 1e-12 &&
                fabs(cloud.pose.p.z + 4.88) < 1e-12);
    double nearest = 1e9;
    int strays = 0, hits = 0;
    for (int i = 0; i < cloud.count; ++i) {
        const hwSonarPoint* p = &cloud.points[i];
        double range = sqrt((double)p->x * (double)p->x + (double)p->y * (double)p->y);
        assert_true(p->z == 0.0f && p->intensity > 0.0f);
        // the sphere is seen from its front to its rim, sqrt(63) m away, within asin(1/8) of the axis, a beam's half width more
        bool on = range > 7.0 - cloud.bin && range < sqrt(63.0) + cloud.bin &&
                  fabs(atan2((double)p->y, (double)p->x)) < asin(1.0 / 8.0) + 0.5 * HW_DEGREE;
        hits += on;
        strays += !on;
        if (on && range < nearest) nearest = range;
    }
    assert_true(hits > 50);
    // 0.14 are expected
    assert_true(strays <= 3);
    assert_true(fabs(nearest - 7.0) <= cloud.bin);
    hwDestroySonarClouds(clouds);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

static void PingsComeAtTheirRate(void** state) {
    (void)state;
    hwScene* scene = Take(g_text);
    hwWorld* world = MakeWorld(scene);
    hwSonarClouds* clouds = MakeClouds(scene, world);
    hwError error;
    int forward = 0, scanning = 0;
    for (int i = 0; i < 60; ++i) {
        forward += Look(clouds, 0, world);
        scanning += Look(clouds, 1, world);
        assert_false(Look(clouds, 0, world)); // not twice at the same time
        assert_status(hwWorld_Step(world, 1.0 / 60.0, &error), HW_OK);
    }
    // 10 and 20 a second in [0, 1)
    assert_int_equal(forward, 10);
    assert_int_equal(scanning, 20);
    // a scanning sonar that was not looked at for half a second brings the beams of that time
    assert_status(hwWorld_Step(world, 0.5, &error), HW_OK);
    assert_true(Look(clouds, 1, world));
    hwSonarCloud cloud = hwSonarClouds_Get(clouds, 1);
    double least = 1e9, most = -1e9;
    for (int i = 0; i < cloud.count; ++i) {
        double bearing = atan2(-(double)cloud.points[i].y, (double)cloud.points[i].x);
        if (bearing < least) least = bearing;
        if (bearing > most) most = bearing;
    }
    // pings 20 to 30, 0.9 degrees each; the ball is before none of these, echoes are those of the tether and of nothing
    if (cloud.count > 0) assert_true(least > 17.9 * HW_DEGREE && most < 27.1 * HW_DEGREE);
    bool fresh;
    assert_status(hwSonarClouds_Update(clouds, 2, world, &fresh, &error), HW_ERROR_ARGUMENT);
    assert_null(hwSonarClouds_Get(clouds, -1).name);
    hwDestroySonarClouds(clouds);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// The same steps with and without somebody who looks between them, and within them, at samples.
static double Sample(const hwWorld* world, void* context) {
    hwSonarClouds* clouds = context;
    Look(clouds, 0, (hwWorld*)(uintptr_t)world);
    Look(clouds, 1, (hwWorld*)(uintptr_t)world);
    return hwWorld_GetTime(world) + 0.07;
}

static void LookingChangesNothing(void** state) {
    (void)state;
    hwScene* scene = Take(g_text);
    hwWorld *seen = MakeWorld(scene), *alone = MakeWorld(scene);
    hwSonarClouds* clouds = MakeClouds(scene, seen);
    hwError error;
    assert_status(hwWorld_SetSampler(seen, 0.0, Sample, clouds, &error), HW_OK);
    for (int i = 0; i < 40; ++i) {
        assert_status(hwWorld_Step(seen, 0.05, &error), HW_OK);
        assert_status(hwWorld_Step(alone, 0.05, &error), HW_OK);
        Look(clouds, 0, seen);
        assert_true(hwWorld_HashState(seen) == hwWorld_HashState(alone));
    }
    assert_true(hwSonarClouds_Get(clouds, 0).count > 0);
    hwDestroySonarClouds(clouds);
    hwDestroyWorld(seen);
    hwDestroyWorld(alone);
    hwDestroyScene(scene);
}

static void ScenesWithoutSonarsHaveNone(void** state) {
    (void)state;
    hwScene* scene =
        Take("hawser: 1\nduration: 10\nbodies:\n  - {name: load, mass: 1, inertia: [1, 1, 1]}\n");
    hwWorld* world = MakeWorld(scene);
    hwSonarClouds* clouds = MakeClouds(scene, world);
    assert_int_equal(hwSonarClouds_GetCount(clouds), 0);
    hwDestroySonarClouds(clouds);
    hwDestroySonarClouds(NULL);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// To and fro over a sector, and all round.
static void ScanningSonarsSweep(void** state) {
    (void)state;
    hwVehicleSonarDef def = {.scanning = true, .step = 0.1, .sector = 1.0};
    assert_true(fabs(hwVehicleSonar_GetBearing(&def, 0.0) + 0.5) < 1e-12);
    assert_true(fabs(hwVehicleSonar_GetBearing(&def, 10.0) - 0.5) < 1e-12);
    assert_true(fabs(hwVehicleSonar_GetBearing(&def, 15.0)) < 1e-12);
    def.sector = 6.3;
    assert_true(fabs(hwVehicleSonar_GetBearing(&def, 63.0) - (6.3 - 2.0 * HW_PI)) < 1e-12);
    def.scanning = false;
    assert_true(hwVehicleSonar_GetBearing(&def, 5.0) == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(SphereIsAtItsRange),    cmocka_unit_test(PingsComeAtTheirRate),
        cmocka_unit_test(LookingChangesNothing), cmocka_unit_test(ScenesWithoutSonarsHaveNone),
        cmocka_unit_test(ScanningSonarsSweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
