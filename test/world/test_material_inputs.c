// Materials that change while a world runs: inputs `materials.NAME.young`, `.damping`, `.friction`.
#include "hawser/hawser.h"
#include "hawser/scene.h"
#include "rig.h"

static hwWorld* Build(const char* text) {
    hwError error;
    hwScene* scene = hwParseScene(text, strlen(text), "test", NULL, &error);
    if (scene == NULL) fail_msg("line %d: %s", error.line, error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    hwDestroyScene(scene);
    Prepare(world);
    return world;
}

static void Set(hwWorld* world, const char* input, double value) {
    hwError error;
    if (hwWorld_SetInput(world, hwWorld_FindInput(world, input), value, &error) != HW_OK)
        fail_msg("%s", error.message);
}

// Gravity leans by tan 0.2 = 0.203: friction of 0.3 holds the block, of 0.1 does not.
static const char slope[] =
    "hawser: 1\nduration: 10\n"
    "environment: {gravity: 9.81}\n"
    "materials:\n"
    "  wood: {young: 1e8, damping: 1e6, friction: {static: 0.3, kinetic: 0.24}}\n"
    "bodies:\n"
    "  - {name: block, mass: 100, inertia: [2, 2, 3], position: [0, 0, 0.1], shapes: [{box: [0.4, 0.4, 0.2], "
    "material: wood}]}\n"
    "  - {name: floor, motion: fixed, position: [0, 0, -0.5], shapes: [{box: [60, 60, 1], material: wood}]}\n"
    "events:\n"
    "  - {at: 0, set: {block.force.x: 198.8622}}\n"; // m g tan 0.2

static void LessFrictionLetsABlockSlide(void** state) {
    (void)state;
    hwWorld* world = Build(slope);
    Run(world, 1.0);
    double x = Read(world, "block.position.x"), balance = Read(world, "world.energy.balance");
    Run(world, 1.0);
    assert_close(Read(world, "block.position.x"), x, 1e-4); // it is held
    Set(world, "materials.wood.friction", 0.1);
    Run(world, 1.0);
    // the kinetic coefficient keeps its ratio to the static one, 0.8: a = F / m - 0.08 g
    double a = 198.8622 / 100.0 - 0.08 * 9.81;
    assert_close(Read(world, "block.velocity.x"), a, 0.005 * a);
    assert_close(Read(world, "world.energy.balance"), balance, 0.01 * 0.5 * 100.0 * a * a);
    hwDestroyWorld(world);
}

// However short the steps, what slides has kinetic friction until it has almost come to rest.
static void SlidingIsKineticAtEveryStep(void** state) {
    (void)state;
    double a = 198.8622 / 100.0 - 0.08 * 9.81;
    for (int i = 0; i < 3; ++i) {
        char text[1200];
        snprintf(text, sizeof(text), "%ssolver: {tolerance: 1e-%d}\n", slope, 3 + i);
        hwWorld* world = Build(text);
        Set(world, "materials.wood.friction", 0.1);
        Run(world, 1.0);
        assert_close(Read(world, "block.velocity.x"), a, 0.005 * a); // it has to sink in first
        assert_true(Read(world, "world.steps") < 2000.0); // 120, 320, 950; it chattered with 100,000
        hwDestroyWorld(world);
    }
}

// Twice as stiff, it rests on half the volume, and the energy that the surfaces held is accounted for.
static void AStifferGroundCarriesOnLess(void** state) {
    (void)state;
    hwWorld* world = Build(slope);
    Run(world, 2.0);
    double volume = Read(world, "block.contact.volume"), force = Read(world, "block.contact.force.z");
    double before = Read(world, "world.energy.balance");
    Set(world, "materials.wood.young", 2e8);
    assert_close(Read(world, "block.contact.elastic"), 2.0 * force, 1e-6 * force);
    double stored =
        0.25 * force * volume / 0.16; // J, half of the force times the depth, of one more stiffness
    assert_close(Read(world, "world.energy.balance"), before, 1e-6 * stored);
    Run(world, 2.0);
    assert_close(Read(world, "block.contact.volume"), 0.5 * volume, 0.005 * volume);
    hwDestroyWorld(world);
}

// A saved state has the materials with it, to the bit; a branch too.
static void StatesCarryMaterials(void** state) {
    (void)state;
    hwWorld* world = Build(slope);
    hwWorld* other = Build(slope);
    Set(world, "materials.wood.friction", 0.1);
    Run(world, 0.5);
    size_t size = hwWorld_GetStateSize(world);
    void* buffer = malloc(size);
    assert_non_null(buffer);
    assert_status(hwWorld_SaveState(world, buffer, size, NULL), HW_OK);
    assert_status(hwWorld_RestoreState(other, buffer, size, NULL), HW_OK);
    free(buffer);
    hwWorld* branch = hwWorld_Branch(world, NULL);
    assert_non_null(branch);
    Run(world, 0.5);
    Run(other, 0.5);
    Run(branch, 0.5);
    assert_true(hwWorld_HashState(world) == hwWorld_HashState(other));
    assert_true(hwWorld_HashState(world) == hwWorld_HashState(branch));
    hwDestroyWorld(world);
    hwDestroyWorld(other);
    hwDestroyWorld(branch);
}

// A rope over a fixed bar, 981 N and 589 N on its ends: e^(0.3 pi) = 2.57 holds them, e^(0.1 pi) = 1.37 does not.
static const char bar[] = "hawser: 1\nduration: 10\n"
                          "materials:\n"
                          "  steel: {young: 1e8, damping: 1e6, friction: {static: 0.3, kinetic: 0.3}}\n"
                          "bodies:\n"
                          "  - {name: bar, motion: fixed, attitude: {rpy_deg: [90, 0, 0]}, shapes: "
                          "[{cylinder: {radius: 0.2, length: 1}, material: steel}]}\n"
                          "  - {name: heavy, mass: 100, inertia: [1, 1, 1], position: [-0.21, 0, -2]}\n"
                          "  - {name: light, mass: 60, inertia: [1, 1, 1], position: [0.21, 0, -2]}\n"
                          "cables:\n"
                          "  - name: rope\n"
                          "    sections: [{length: 4.66, elements: 80, diameter: 0.02, mass_per_length: 0.3, "
                          "EA: 2e5, damping: {axial: 500},\n"
                          "      material: steel}]\n"
                          "    ends: {a: {on: heavy, joint: pin}, b: {on: light, joint: pin}}\n"
                          "    shape: {points: [[-0.21, 0, -2], [-0.21, 0, 0], [-0.182, 0, 0.105], [-0.105, "
                          "0, 0.182], [0, 0, 0.21],\n"
                          "      [0.105, 0, 0.182], [0.182, 0, 0.105], [0.21, 0, 0], [0.21, 0, -2]]}\n";

static void LessFrictionLetsARopeSlip(void** state) {
    (void)state;
    hwWorld* world = Build(bar);
    Run(world, 2.0);
    double z = Read(world, "heavy.position.z");
    Run(world, 1.0);
    assert_close(Read(world, "heavy.position.z"), z, 1e-3); // a hundredth of the way that it goes below
    Set(world, "materials.steel.friction", 0.1);
    Run(world, 0.1); // the rope's stretch changes
    double start = Read(world, "heavy.velocity.z");
    Run(world, 0.25);
    // 100 a = 100 g - T1, 60 a = T2 - 60 g, T1 = T2 e^(0.1 pi); the rope's own 1.4 kg is 1 % of it
    double ratio = exp(0.1 * HW_PI), a = 9.81 * (100.0 - 60.0 * ratio) / (100.0 + 60.0 * ratio);
    assert_close((start - Read(world, "heavy.velocity.z")) / 0.25, a, 0.05 * a);
    hwDestroyWorld(world);
}

static void WrongValuesAreRefused(void** state) {
    (void)state;
    hwWorld* world = Build(slope);
    static const struct {
        const char* input;
        double value;
        const char* words;
    } cases[] = {{"materials.wood.young", 0.0, "it is positive"},
                 {"materials.wood.damping", -1.0, "at least 0"},
                 {"materials.wood.friction", -0.1, "0 to 1e6"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        hwError error;
        hwStatus status =
            hwWorld_SetInput(world, hwWorld_FindInput(world, cases[i].input), cases[i].value, &error);
        assert_true(status == HW_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, cases[i].words));
    }
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LessFrictionLetsABlockSlide), cmocka_unit_test(SlidingIsKineticAtEveryStep),
        cmocka_unit_test(AStifferGroundCarriesOnLess), cmocka_unit_test(StatesCarryMaterials),
        cmocka_unit_test(LessFrictionLetsARopeSlip),   cmocka_unit_test(WrongValuesAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
