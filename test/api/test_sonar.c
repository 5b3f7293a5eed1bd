// Sonars: ranges and bearings of simple targets to a bin and a beam, shadows, cables, speckle.
#include "hawser/hawser.h"

#include "base/random.h"

#include "support.h"

#define BEAMS 256
#define BINS 512

static float g_image[BEAMS * BINS];

typedef struct Rig {
    hwWorld* world;
    hwSonarDef sonar;
} Rig;

static Rig MakeRig(void) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    Rig rig = {.world = hwCreateWorld(&worldDef, &error), .sonar = hwDefaultSonarDef()};
    rig.sonar.speckle = rig.sonar.floor = 0.0;
    return rig;
}

static hwShapeDef MakeShape(hwShapeKind kind, hwVec3 size, double radius, double length) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = kind;
    shape.size = size;
    shape.radius = radius;
    shape.length = length;
    return shape;
}

static hwShapeDef MakeBox(double x, double y, double z) {
    return MakeShape(HW_SHAPE_BOX, hwMakeVec3(x, y, z), 0.0, 0.0);
}

static void AddFixed(Rig* rig, const char* name, hwShapeDef shape, hwVec3 position, hwQuat attitude) {
    hwError error;
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.motion = HW_MOTION_FIXED;
    def.position = position;
    def.attitude = attitude;
    def.shapeCount = 1;
    def.shapes = &shape;
    if (HW_IS_NULL(hwWorld_AddBody(rig->world, &def, &error))) fail_msg("%s", error.message);
}

static void SetBottom(Rig* rig, double depth) {
    hwError error;
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = depth;
    assert_status(hwWorld_SetEnvironment(rig->world, &sea, &error), HW_OK);
}

static void Ping(Rig* rig, uint64_t number) {
    hwError error;
    if (hwWorld_PingSonar(rig->world, &rig->sonar, number, g_image, &error) != HW_OK)
        fail_msg("%s", error.message);
}

static void Prepare(Rig* rig) {
    hwError error;
    if (hwWorld_Prepare(rig->world, &error) != HW_OK) fail_msg("%s", error.message);
    if (hwWorld_UpdateQueries(rig->world, &error) != HW_OK) fail_msg("%s", error.message);
}

// The strongest bin.
static double FindPeak(const Rig* rig, double* bearing, double* range) {
    int best = 0;
    for (int i = 0; i < rig->sonar.beams * rig->sonar.bins; ++i) {
        if (g_image[i] > g_image[best]) best = i;
    }
    *bearing = hwSonar_GetBearing(&rig->sonar, best / rig->sonar.bins);
    *range = hwSonar_GetRange(&rig->sonar, best % rig->sonar.bins);
    return (double)g_image[best];
}

static double SumBeam(const Rig* rig, int beam, double from, double to) {
    double sum = 0.0;
    for (int i = 0; i < rig->sonar.bins; ++i) {
        double range = hwSonar_GetRange(&rig->sonar, i);
        if (range >= from && range <= to) sum += (double)g_image[beam * rig->sonar.bins + i];
    }
    return sum;
}

static int FindBeam(const Rig* rig, double bearing) {
    return (int)lround((0.5 - bearing / rig->sonar.fan) * (rig->sonar.beams - 1));
}

static void test_SphereIsWhereItIs(void** state) {
    (void)state;
    Rig rig = MakeRig();
    double bearing = 20.0 * HW_DEGREE, range;
    hwShapeDef ball = MakeShape(HW_SHAPE_SPHERE, hwMakeVec3(0.0, 0.0, 0.0), 0.5, 0.0);
    AddFixed(&rig, "ball", ball, hwMakeVec3(8.0 * cos(bearing), -8.0 * sin(bearing), 0.0), hwQuat_identity);
    Prepare(&rig);
    Ping(&rig, 0);
    FindPeak(&rig, &bearing, &range);
    assert_close(bearing, 20.0 * HW_DEGREE, rig.sonar.fan / (BEAMS - 1)); // to a beam
    assert_close(range, 7.5, 29.9 / BINS);                                // to a bin
    hwDestroyWorld(rig.world);
}

// A wall across shows as 1 in all, where it is square to the beam, at its distance over the cosine elsewhere; behind is shadow.
static void test_WallAndItsShadow(void** state) {
    (void)state;
    Rig rig = MakeRig();
    AddFixed(&rig, "wall", MakeBox(1.0, 40.0, 40.0), hwMakeVec3(10.5, 0.0, 0.0), hwQuat_identity);
    AddFixed(&rig, "behind", MakeBox(1.0, 40.0, 40.0), hwMakeVec3(15.5, 0.0, 0.0), hwQuat_identity);
    Prepare(&rig);
    rig.sonar.aperture = 2.0 * HW_DEGREE;
    Ping(&rig, 0);
    // rays up to a degree and 0.3 degrees off: the cosine's square is 1 to 4e-4
    assert_close(SumBeam(&rig, BEAMS / 2, 9.9, 10.2), 1.0, 1e-3);
    assert_close(SumBeam(&rig, BEAMS / 2, 10.3, 30.0), 0.0, 0.0);
    int beam = FindBeam(&rig, 45.0 * HW_DEGREE);
    double exact = hwSonar_GetBearing(&rig.sonar, beam), slant = 10.0 / cos(exact);
    assert_close(SumBeam(&rig, beam, slant - 0.3, slant + 0.3), cos(exact) * cos(exact), 5e-3);
    hwDestroyWorld(rig.world);
}

static void test_BottomBeginsWhereTheLowestRayMeetsIt(void** state) {
    (void)state;
    Rig rig = MakeRig();
    SetBottom(&rig, 12.0);
    rig.sonar.position = hwMakeVec3(0.0, 0.0, -10.0);
    rig.sonar.rays = 200;
    Prepare(&rig);
    Ping(&rig, 0);
    // half the aperture, 10 degrees, below the horizontal: 2 m down
    double first = 2.0 / sin(10.0 * HW_DEGREE);
    assert_close(SumBeam(&rig, BEAMS / 2, 0.1, first - 0.1), 0.0, 0.0);
    assert_true(SumBeam(&rig, BEAMS / 2, first - 0.1, first + 1.0) > 0.0);
    hwDestroyWorld(rig.world);
}

// A tether of 8 mm that hangs upright 5 m away: one beam, one range, in proportion to what it covers of the beam.
static void test_CableIsSeen(void** state) {
    (void)state;
    Rig rig = MakeRig();
    hwError error;
    hwCableDef cable = hwDefaultCableDef();
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 10;
    section.diameter = 0.008;
    section.massPerLength = 0.1;
    section.EA = 1e5;
    cable.name = "tether";
    cable.sectionCount = 1;
    cable.sections = &section;
    for (int e = 0; e < 2; ++e) {
        cable.ends[e].joint = HW_ATTACH_PIN;
        cable.ends[e].at = hwMakeVec3(5.0 * cos(0.3), -5.0 * sin(0.3), e == 0 ? 5.0 : -5.0);
    }
    if (HW_IS_NULL(hwWorld_AddCable(rig.world, &cable, &error))) fail_msg("%s", error.message);
    Prepare(&rig);
    Ping(&rig, 0);
    double bearing, range;
    FindPeak(&rig, &bearing, &range);
    assert_close(bearing, 0.3, rig.sonar.fan / (BEAMS - 1));
    assert_close(range, 5.0, 29.9 / BINS);
    int beam = FindBeam(&rig, 0.3);
    // it covers 8 mm of the beam's 5 m times 0.6 degrees; upright, so that the aperture cancels out but for its tangents
    double share = 0.008 / (5.0 * rig.sonar.beamWidth);
    assert_close(SumBeam(&rig, beam, 4.0, 6.0), share, 0.1 * share);
    hwDestroyWorld(rig.world);
}

static void test_ScanningSonarLooksAlongItsBearing(void** state) {
    (void)state;
    Rig rig = MakeRig();
    AddFixed(&rig, "pile", MakeShape(HW_SHAPE_CYLINDER, hwMakeVec3(0.0, 0.0, 0.0), 0.4, 20.0),
             hwMakeVec3(0.0, 6.0, 0.0), hwQuat_identity); // to port
    Prepare(&rig);
    rig.sonar.beams = 1;
    double best = 0.0, at = 0.0;
    for (int i = -180; i < 180; ++i) {
        rig.sonar.bearing = i * HW_DEGREE;
        Ping(&rig, 0);
        double sum = SumBeam(&rig, 0, 5.0, 6.2);
        if (sum > best) {
            best = sum;
            at = i;
        }
    }
    assert_close(at, -90.0, 1.0);
    hwDestroyWorld(rig.world);
}

static void test_SpeckleHasItsMeanAndRepeats(void** state) {
    (void)state;
    Rig rig = MakeRig();
    Prepare(&rig);
    rig.sonar.speckle = 1.0;
    rig.sonar.floor = 0.5;
    static float first[BEAMS * BINS];
    Ping(&rig, 3);
    memcpy(first, g_image, sizeof(first));
    double sum = 0.0, square = 0.0;
    for (int i = 0; i < BEAMS * BINS; ++i) {
        sum += (double)first[i] / (BEAMS * BINS);
        square += (double)first[i] * (double)first[i] / (BEAMS * BINS);
    }
    // exponential: mean 0.5, mean square twice its square; 131,072 bins: 0.3 % and 0.6 %, four of them
    assert_close(sum, 0.5, 0.006);
    assert_close(square, 0.5, 0.015);
    // as many in each sixteenth of the distribution, and nothing in common with neighbours in range or bearing
    int part[16] = {0};
    double near = 0.0, beside = 0.0;
    for (int i = 0; i < BEAMS * BINS; ++i) {
        int k = (int)(16.0 * -expm1(-2.0 * (double)first[i]));
        part[k < 15 ? k : 15] += 1;
        if (i > 0) near += (2.0 * (double)first[i] - 1.0) * (2.0 * (double)first[i - 1] - 1.0);
        if (i >= BINS) beside += (2.0 * (double)first[i] - 1.0) * (2.0 * (double)first[i - BINS] - 1.0);
    }
    double chi = 0.0, each = BEAMS * BINS / 16.0;
    for (int k = 0; k < 16; ++k) chi += (part[k] - each) * (part[k] - each) / each;
    assert_true(chi < 37.7); // of 15 freedoms, once in a thousand
    assert_close(near / (BEAMS * BINS), 0.0, 0.011);
    assert_close(beside / (BEAMS * BINS), 0.0, 0.011);
    Ping(&rig, 3);
    assert_memory_equal(first, g_image, sizeof(first));
    Ping(&rig, 4);
    double other = 0.0;
    for (int i = 0; i < BEAMS * BINS; ++i)
        other += (2.0 * (double)first[i] - 1.0) * (2.0 * (double)g_image[i] - 1.0) / (BEAMS * BINS);
    assert_close(other, 0.0, 0.011);
    // a number of bins that no width divides, and half the speckle: each number is as in the full image, about its mean
    rig.sonar.beams = 3;
    rig.sonar.bins = 7;
    rig.sonar.speckle = 0.5;
    Ping(&rig, 3);
    for (int i = 0; i < 21; ++i) assert_close((double)g_image[i], 0.25 + 0.5 * (double)first[i], 1e-6);
    hwDestroyWorld(rig.world);
}

// Beams look up what is in their way once for all of their rays: single rays see the same, in a field of boxes, balls, pipes and
// meshes that has more in a beam than there is room for, and over a bottom.
static void ExpectSingleRays(Rig* rig, int beamStep) {
    hwError error;
    hwSonarDef* def = &rig->sonar;
    hwQueryFilter filter = hwDefaultQueryFilter();
    filter.cables = false;
    hwMat3 axes = hwMat3FromQuat(def->attitude);
    Ping(rig, 0);
    int hits = 0;
    for (int beam = 0; beam < def->beams; beam += beamStep) {
        static double expected[BINS];
        memset(expected, 0, sizeof(expected));
        double golden = 0.5 * 0.61803398874989485;
        for (int i = 0; i < def->rays; ++i) {
            golden += 0.61803398874989485;
            golden -= floor(golden);
            double b = hwSonar_GetBearing(def, beam) + (golden - 0.5) * def->beamWidth;
            double e = ((i + 0.5) / def->rays - 0.5) * def->aperture;
            hwVec3 along = hwMakeVec3(cos(e) * cos(b), -cos(e) * sin(b), sin(e));
            hwRay ray = {.origin = def->position, .direction = hwMulMV(axes, along), .length = def->most};
            hwQueryHit hit;
            assert_status(hwWorld_CastRay(rig->world, &ray, &filter, &hit, &error), HW_OK);
            if (hit.kind == HW_HIT_NONE || hit.distance < def->least) continue;
            hits += 1;
            double at = (hit.distance - def->least) / (def->most - def->least) * def->bins - 0.5;
            double square = hwDot(hit.normal, ray.direction) * hwDot(hit.normal, ray.direction) / def->rays;
            int low = (int)floor(at);
            if (low >= 0) expected[low] += (1.0 - (at - low)) * square;
            if (low + 1 < def->bins) expected[low + 1] += (at - low) * square;
        }
        for (int k = 0; k < def->bins; ++k) assert_close(g_image[beam * def->bins + k], expected[k], 1e-6);
    }
    assert_true(hits > 100);
}

static void AddField(Rig* rig, int count) {
    hwRandom random = {7};
    for (int i = 0; i < count; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "thing%d", i);
        double size = hwRandom_Range(&random, 0.05, 0.6);
        hwShapeDef shape = i % 4 == 0   ? MakeBox(size, 0.5 * size, 2.0 * size)
                           : i % 4 == 1 ? MakeShape(HW_SHAPE_SPHERE, hwVec3_zero, size, 0.0)
                           : i % 4 == 2 ? MakeShape(HW_SHAPE_CYLINDER, hwVec3_zero, 0.3 * size, 4.0 * size)
                                        : MakeShape(HW_SHAPE_CAPSULE, hwVec3_zero, 0.3 * size, 2.0 * size);
        hwVec3 at = hwMakeVec3(hwRandom_Range(&random, 1.0, 25.0), hwRandom_Range(&random, -25.0, 25.0),
                               hwRandom_Range(&random, -14.0, -8.0));
        hwQuat attitude =
            hwNormalizeQuat((hwQuat){hwRandom_Range(&random, 0.1, 1.0), hwRandom_Range(&random, -1.0, 1.0),
                                     hwRandom_Range(&random, -1.0, 1.0), hwRandom_Range(&random, -1.0, 1.0)});
        AddFixed(rig, name, shape, at, attitude);
    }
}

static void test_BeamsSeeWhatSingleRaysSee(void** state) {
    (void)state;
    Rig rig = MakeRig();
    AddField(&rig, 400);
    SetBottom(&rig, 13.0);
    rig.sonar.position = hwMakeVec3(-2.0, 0.5, -11.0);
    rig.sonar.attitude = hwQuatFromAxisAngle(hwNormalize(hwMakeVec3(0.1, 1.0, 0.2)), 0.15);
    Prepare(&rig);
    ExpectSingleRays(&rig, 3);
    // high, wide beams: hundreds of things in each
    rig.sonar.beams = 16;
    rig.sonar.beamWidth = 60.0 * HW_DEGREE;
    rig.sonar.aperture = 100.0 * HW_DEGREE;
    rig.sonar.rays = 200;
    ExpectSingleRays(&rig, 1);
    // all round
    rig.sonar.fan = 2.0 * HW_PI;
    rig.sonar.bearing = 2.0;
    rig.sonar.beamWidth = 2.0 * HW_DEGREE;
    ExpectSingleRays(&rig, 1);
    hwDestroyWorld(rig.world);
}

static void test_CastingWithoutASnapshotIsNamed(void** state) {
    (void)state;
    Rig rig = MakeRig();
    hwError error;
    if (hwWorld_Prepare(rig.world, &error) != HW_OK) fail_msg("%s", error.message);
    assert_status(hwWorld_PingSonar(rig.world, &rig.sonar, 0, g_image, &error), HW_ERROR_ORDER);
    hwDestroyWorld(rig.world);
}

// Upright tethers in a row, the last of many where nothing else is: each is seen, and where it was when the snapshot was taken.
static void test_EachOfManyCablesIsSeenAsInTheSnapshot(void** state) {
    (void)state;
    Rig rig = MakeRig();
    hwError error;
    for (int i = 0; i < 70; ++i) {
        hwCableDef cable = hwDefaultCableDef();
        hwCableSectionDef section = hwDefaultCableSectionDef();
        section.length = 4.0;
        section.elements = 4;
        section.diameter = 0.02;
        section.massPerLength = 0.5;
        section.EA = 1e5;
        char name[16];
        snprintf(name, sizeof(name), "line%d", i);
        cable.name = name;
        cable.sectionCount = 1;
        cable.sections = &section;
        double bearing = i < 69 ? 0.5 : -0.5;
        cable.ends[0].joint = HW_ATTACH_PIN;
        cable.ends[0].at = hwMakeVec3(6.0 * cos(bearing), -6.0 * sin(bearing), 2.0);
        cable.ends[1].joint = i < 69 ? HW_ATTACH_PIN : HW_ATTACH_FREE;
        cable.ends[1].at = hwMakeVec3(6.0 * cos(bearing), -6.0 * sin(bearing), -2.0);
        if (HW_IS_NULL(hwWorld_AddCable(rig.world, &cable, &error))) fail_msg("%s", error.message);
    }
    Prepare(&rig);
    Ping(&rig, 0);
    int beam = FindBeam(&rig, -0.5);
    double seen = SumBeam(&rig, beam, 5.0, 7.0);
    assert_close(seen, 0.02 / (6.0 * rig.sonar.beamWidth), 0.1 * seen);
    static float before[BEAMS * BINS];
    memcpy(before, g_image, sizeof(before));
    assert_true(hwWorld_Step(rig.world, 0.1, &error) >= HW_OK);
    Ping(&rig, 0);
    assert_memory_equal(before, g_image, sizeof(before));
    hwDestroyWorld(rig.world);
}

static void test_MistakesAreNamed(void** state) {
    (void)state;
    Rig rig = MakeRig();
    hwError error;
    Prepare(&rig);
    rig.sonar.beams = 0;
    assert_status(hwWorld_PingSonar(rig.world, &rig.sonar, 0, g_image, &error), HW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "a sonar has 1 to 4096 beams, 1 to 65536 bins and 1 to 1024 rays");
    rig.sonar.beams = 1;
    rig.sonar.most = 0.0;
    assert_status(hwWorld_PingSonar(rig.world, &rig.sonar, 0, g_image, &error), HW_ERROR_ARGUMENT);
    hwDestroyWorld(rig.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_SphereIsWhereItIs),
        cmocka_unit_test(test_WallAndItsShadow),
        cmocka_unit_test(test_BottomBeginsWhereTheLowestRayMeetsIt),
        cmocka_unit_test(test_CableIsSeen),
        cmocka_unit_test(test_ScanningSonarLooksAlongItsBearing),
        cmocka_unit_test(test_SpeckleHasItsMeanAndRepeats),
        cmocka_unit_test(test_BeamsSeeWhatSingleRaysSee),
        cmocka_unit_test(test_CastingWithoutASnapshotIsNamed),
        cmocka_unit_test(test_EachOfManyCablesIsSeenAsInTheSnapshot),
        cmocka_unit_test(test_MistakesAreNamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
