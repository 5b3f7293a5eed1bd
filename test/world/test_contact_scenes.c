// The scenes of contact do what they are there to show.
#include "hawser/hawser.h"
#include "hawser/scene.h"
#include "support.h"

static hwWorld* Load(const char* name) {
    hwError error;
    char path[512];
    snprintf(path, sizeof(path), "%s/scenes/contact/%s.yaml", HAWSER_SOURCE_DIR, name);
    hwScene* scene = hwLoadScene(path, &error);
    if (scene == NULL) fail_msg("%s:%d: %s", name, error.line, error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s:%d: %s", name, error.line, error.message);
    hwDestroyScene(scene);
    return world;
}

static double Read(const hwWorld* world, const char* name) {
    int channel = hwWorld_FindChannel(world, name);
    if (channel < 0) fail_msg("no channel %s", name);
    return hwWorld_ReadChannel(world, channel);
}

static void Run(hwWorld* world, double seconds) {
    hwError error;
    int frames = (int)(seconds * 60.0 + 0.5);
    for (int i = 0; i < frames; ++i) {
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
    }
}

static void TheBoxLiesOnTheSeedsVolume(void** state) {
    (void)state;
    hwWorld* world = Load("box_drop");
    Run(world, 3.0);
    assert_close(Read(world, "box.contact.volume"), 7.901706e-3, 1e-8);
    hwDestroyWorld(world);
}

static void OneBlockHoldsAndOneSlides(void** state) {
    (void)state;
    hwWorld* world = Load("incline");
    Run(world, 1.0);
    double held = Read(world, "holds.position.x"), v = Read(world, "slides.velocity.x");
    Run(world, 1.0);
    assert_close(Read(world, "holds.position.x"), held, 1e-6);
    // friction is the geometric mean of both materials': sqrt(0.0296)
    double angle = 20.0 * HW_PI / 180.0, a = 9.81 * (sin(angle) - sqrt(0.0296) * cos(angle)) * cos(angle);
    assert_close(Read(world, "slides.velocity.x") - v, a, 1e-3 * a);
    hwDestroyWorld(world);
}

static void TheStackStandsAndTheBallStops(void** state) {
    (void)state;
    hwWorld* world = Load("stack");
    Run(world, 10.0);
    assert_true(Read(world, "box9.position.z") > -10.6);
    assert_true(Read(world, "ball.position.x") < -0.9);
    hwDestroyWorld(world);
}

static void TheBallKeepsItsHeight(void** state) {
    (void)state;
    hwWorld* world = Load("ball_drop");
    double g = 9.81, highest = -20.0;
    for (int i = 0; i < 480; ++i) {
        Run(world, 1.0 / 60.0);
        if (i > 300) highest = fmax(highest, Read(world, "ball.position.z"));
    }
    assert_close(highest, 0.0, 0.5 * g / 3600.0 / 4.0 + 1e-3); // seen every frame
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TheBoxLiesOnTheSeedsVolume),
        cmocka_unit_test(OneBlockHoldsAndOneSlides),
        cmocka_unit_test(TheStackStandsAndTheBallStops),
        cmocka_unit_test(TheBallKeepsItsHeight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
