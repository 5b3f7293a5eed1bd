// The environment as a whole: samples, seabed, copies, memory, and what is refused.
#include "support.h"

#include "base/memory.h"
#include "base/random.h"
#include "env/environment.h"

#include <stdlib.h>
#include <string.h>

// Counts what is out, and fails at the allocation with the number `failAt`.
typedef struct Counter {
    int calls, outstanding, failAt;
} Counter;

static void* CountingAllocate(void* context, size_t size) {
    Counter* counter = context;
    if (counter->calls++ == counter->failAt) return NULL;
    counter->outstanding += 1;
    return malloc(size);
}

static void CountingRelease(void* context, void* memory) {
    Counter* counter = context;
    counter->outstanding -= 1;
    free(memory);
}

static hwEnvironment* Make(const hwEnvironmentDef* def) {
    hwAllocator allocator = hwDefaultAllocator();
    hwError error;
    hwEnvironment* environment = hwCreateEnvironment(&allocator, def, &error);
    if (environment == NULL) fail_msg("%s", error.message);
    return environment;
}

// A def that uses everything; the arrays live as long as the struct.
typedef struct Everything {
    hwEnvironmentDef def;
    double times[5], levels[3], heights[12];
    hwVec3 values[5], velocities[3], vertices[4];
    int triangles[2][3];
    hwSignalTerm terms[3];
    hwAiryDef airy[2];
} Everything;

static void Fill(Everything* all) {
    memset(all, 0, sizeof(*all));
    for (int i = 0; i < 5; i++) {
        all->times[i] = 3.0 * i;
        all->values[i] = hwMakeVec3(0.1 * i, -0.05 * i * i, 0.01 * i);
    }
    for (int i = 0; i < 3; i++) {
        all->levels[i] = 10.0 * i;
        all->velocities[i] = hwMakeVec3(1.0 - 0.3 * i, 0.2, -0.02 * i);
    }
    for (int i = 0; i < 12; i++) all->heights[i] = 0.1 * i;
    const hwVec3 corners[4] = {{-50, -50, -30}, {50, -50, -30}, {50, 50, -20}, {-50, 50, -20}};
    memcpy(all->vertices, corners, sizeof(corners));
    const int triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    memcpy(all->triangles, triangles, sizeof(triangles));
    all->terms[0] = hwConstantTerm(hwMakeVec3(0.3, 0.1, 0.0));
    all->terms[1] = hwSineTerm(hwMakeVec3(0.1, 0.2, 0.0), 11.0, 0.4);
    all->terms[2].kind = HW_SIGNAL_TABLE;
    all->terms[2].cubic = true;
    all->terms[2].count = 5;
    all->terms[2].times = all->times;
    all->terms[2].values = all->values;
    all->airy[0] = (hwAiryDef){1.0, 6.0, 0.3, 0.0};
    all->airy[1] = (hwAiryDef){0.5, 11.0, -2.0, 1.0};
    hwEnvironmentDef* def = &all->def;
    *def = hwDefaultEnvironmentDef();
    def->water = true;
    def->surface = 1.5;
    def->current.uniform.termCount = 3;
    def->current.uniform.terms = all->terms;
    def->current.count = 3;
    def->current.levels = all->levels;
    def->current.velocities = all->velocities;
    def->wind = def->current;
    def->wind.gust = 0.1;
    def->airyCount = 2;
    def->airy = all->airy;
    def->jonswap.hs = 2.0;
    def->jonswap.tp = 8.0;
    def->jonswap.spreading = 4.0;
    def->jonswap.components = 50;
    def->seabed.kind = HW_SEABED_HEIGHTFIELD;
    def->seabed.columns = 4;
    def->seabed.rows = 3;
    def->seabed.spacing = 10.0;
    def->seabed.origin = hwMakeVec3(-15.0, -10.0, -40.0);
    def->seabed.heights = all->heights;
    def->seabed.mesh = (hwMeshData){4, all->vertices, 2, (const int(*)[3])all->triangles};
}

static void DefaultIsDryAndStill(void** state) {
    (void)state;
    hwEnvironmentDef def = hwDefaultEnvironmentDef();
    hwEnvironment* environment = Make(&def);
    hwVec3 point = {1.0, 2.0, -3.0};
    hwFluidSample sample;
    hwEnvironment_Sample(environment, 1, &point, 5.0, &sample);
    assert_close_vec3(sample.velocity, hwVec3_zero, 0.0);
    assert_close_vec3(sample.acceleration, hwVec3_zero, 0.0);
    assert_close(sample.density, 0.0, 0.0); // no air unless it is asked for
    assert_true(sample.surface == -HUGE_VAL);
    assert_false(hwEnvironment_HasWaves(environment));
    hwVec3 normal;
    assert_true(hwEnvironment_GetSeabed(environment, 0.0, 0.0, &normal) == -HUGE_VAL);
    assert_close_vec3(normal, hwMakeVec3(0, 0, 1), 0.0);
    assert_true(hwEnvironment_GetSeabed(environment, 0.0, 0.0, NULL) == -HUGE_VAL);
    assert_close(hwEnvironment_GetDef(environment)->gravity, 9.81, 0.0);
    hwDestroyEnvironment(environment);
    hwDestroyEnvironment(NULL);
}

static void CalmWaterHasAFlatSurface(void** state) {
    (void)state;
    hwEnvironmentDef def = hwDefaultEnvironmentDef();
    def.water = true;
    def.surface = 3.0;
    def.airDensity = 1.25;
    hwEnvironment* environment = Make(&def);
    hwVec3 points[3] = {{0, 0, 2.999}, {0, 0, 3.0}, {0, 0, 3.001}};
    hwFluidSample samples[3];
    hwEnvironment_Sample(environment, 3, points, 5.0, samples);
    assert_close(samples[0].density, 1025.0, 0.0);
    assert_close(samples[0].viscosity, 1.787e-6, 0.0);
    assert_close(samples[1].density, 1025.0, 0.0); // the surface itself is water
    assert_close(samples[2].density, 1.25, 0.0);
    assert_close(samples[2].viscosity, 1.5e-5, 0.0);
    for (int i = 0; i < 3; i++) {
        assert_close(samples[i].surface, 3.0, 0.0);
        assert_close(samples[i].surfaceRate, 0.0, 0.0);
        assert_close_vec3(samples[i].normal, hwMakeVec3(0, 0, 1), 0.0);
    }
    hwDestroyEnvironment(environment);
}

// The sample's surface is level plus elevation, its normal is that of the surface's differences, and the fluid changes
// there.
static void WavySurfaceSeparatesWaterFromAir(void** state) {
    (void)state;
    Everything all;
    Fill(&all);
    hwEnvironment* environment = Make(&all.def);
    assert_true(hwEnvironment_HasWaves(environment));
    for (int i = 0; i < 50; i++) {
        double t = 1.7 * i, d = 1e-4;
        hwVec3 points[5] = {{i, -i, 0}, {i + d, -i, 0}, {i - d, -i, 0}, {i, -i + d, 0}, {i, -i - d, 0}};
        hwFluidSample s[5];
        hwEnvironment_Sample(environment, 5, points, t, s);
        hwFluidSample before, after;
        hwEnvironment_Sample(environment, 1, points, t - d, &before);
        hwEnvironment_Sample(environment, 1, points, t + d, &after);
        hwVec3 slope = {(s[1].surface - s[2].surface) / (2.0 * d), (s[3].surface - s[4].surface) / (2.0 * d),
                        0.0};
        assert_close(hwLength(s[0].normal), 1.0, 1e-15);
        // d^2/6 times the third derivative, in space below 1, in time below 20; rounding 4e-16 / d.
        assert_close(s[0].surfaceRate, (after.surface - before.surface) / (2.0 * d), 1e-7);
        assert_close(-s[0].normal.x / s[0].normal.z, slope.x, 1e-8);
        assert_close(-s[0].normal.y / s[0].normal.z, slope.y, 1e-8);
        hwVec3 around[2] = {{i, -i, s[0].surface - 1e-9}, {i, -i, s[0].surface + 1e-9}};
        hwFluidSample both[2];
        hwEnvironment_Sample(environment, 2, around, t, both);
        assert_close(both[0].density, 1025.0, 0.0);
        assert_close(both[1].density, 1.2, 0.0);
    }
    hwDestroyEnvironment(environment);
}

// Only heights over the mean surface matter: raised with everything in it, the sea is the same.
static void LevelOfTheSurfaceIsOnlyAnOrigin(void** state) {
    (void)state;
    Everything all;
    Fill(&all);
    all.def.seabed.kind = HW_SEABED_PLANE;
    all.def.seabed.depth = 12.0;
    all.def.surface = 0.0;
    hwEnvironment* low = Make(&all.def);
    all.def.surface = 64.0;
    hwEnvironment* high = Make(&all.def);
    for (double z = -12.0; z < 12.0; z += 0.7) {
        hwVec3 p = {3.0, 4.0, z}, q = {3.0, 4.0, z + 64.0};
        hwFluidSample a, b;
        hwEnvironment_Sample(low, 1, &p, 5.0, &a);
        hwEnvironment_Sample(high, 1, &q, 5.0, &b);
        assert_close_vec3(a.velocity, b.velocity, 1e-13); // z + 64 is rounded to 1e-14
        assert_close_vec3(a.acceleration, b.acceleration, 1e-13);
        assert_close(a.density, b.density, 0.0);
        assert_close(a.surface + 64.0, b.surface, 1e-13);
    }
    hwDestroyEnvironment(low);
    hwDestroyEnvironment(high);
}

// Current and waves add: with both, the sample is the sum of the samples with each.
static void CurrentAndWavesAdd(void** state) {
    (void)state;
    Everything all;
    Fill(&all);
    hwEnvironment* both = Make(&all.def);
    hwEnvironmentDef still = all.def;
    memset(&still.current, 0, sizeof(still.current));
    hwEnvironment* waves = Make(&still);
    hwEnvironmentDef flat = all.def;
    flat.airyCount = 0;
    flat.jonswap.hs = 0.0;
    hwEnvironment* current = Make(&flat);
    hwRandom random = {1};
    for (int i = 0; i < 200; i++) {
        hwVec3 p = {hwRandom_Range(&random, -99, 99), hwRandom_Range(&random, -99, 99),
                    hwRandom_Range(&random, -35, -2)};
        double t = hwRandom_Range(&random, 0, 99);
        hwFluidSample s, w, c;
        hwEnvironment_Sample(both, 1, &p, t, &s);
        hwEnvironment_Sample(waves, 1, &p, t, &w);
        hwEnvironment_Sample(current, 1, &p, t, &c);
        assert_close_vec3(s.velocity, hwAdd(w.velocity, c.velocity), 1e-15);
        assert_close_vec3(s.acceleration, hwAdd(w.acceleration, c.acceleration), 1e-15);
    }
    hwDestroyEnvironment(both);
    hwDestroyEnvironment(waves);
    hwDestroyEnvironment(current);
}

#define COUNT 501

static void BatchEqualsPointsOneByOneToTheBit(void** state) {
    (void)state;
    Everything all;
    Fill(&all);
    hwEnvironment* environment = Make(&all.def);
    static hwVec3 points[COUNT];
    static hwFluidSample batch[COUNT], parts[COUNT];
    hwRandom random = {2};
    for (int i = 0; i < COUNT; i++) {
        points[i] = hwMakeVec3(hwRandom_Range(&random, -200, 200), hwRandom_Range(&random, -200, 200),
                               hwRandom_Range(&random, -40, 20));
    }
    hwEnvironment_Sample(environment, COUNT, points, 12.3, batch);
    for (int i = 0; i < COUNT; i++) hwEnvironment_Sample(environment, 1, &points[i], 12.3, &parts[i]);
    assert_memory_equal(batch, parts, sizeof(batch));
    for (int i = 0; i < COUNT; i += 7) {
        hwEnvironment_Sample(environment, COUNT - i < 7 ? COUNT - i : 7, &points[i], 12.3, &parts[i]);
    }
    assert_memory_equal(batch, parts, sizeof(batch));
    hwEnvironment_Sample(environment, 0, NULL, 12.3, NULL);
    hwDestroyEnvironment(environment);
}

// Two environments from one def agree to the bit, also after the def's arrays are gone.
static void EnvironmentKeepsItsOwnCopies(void** state) {
    (void)state;
    for (int kind = HW_SEABED_PLANE; kind <= HW_SEABED_MESH; kind++) {
        Everything* all = malloc(sizeof(Everything));
        assert_non_null(all);
        Fill(all);
        all->def.seabed.kind = (hwSeabedKind)kind;
        all->def.seabed.depth = 35.0;
        hwEnvironment *one = Make(&all->def), *two = Make(&all->def);
        hwFluidSample before, after;
        hwVec3 point = {3.0, 4.0, -5.0};
        hwEnvironment_Sample(one, 1, &point, 7.0, &before);
        double seabed = hwEnvironment_GetSeabed(one, 3.0, 4.0, NULL);
        memset(all, 0xff, sizeof(*all));
        free(all);
        hwEnvironment_Sample(two, 1, &point, 7.0, &after);
        assert_memory_equal(&before, &after, sizeof(before));
        assert_close(hwEnvironment_GetSeabed(two, 3.0, 4.0, NULL), seabed, 0.0);
        // The def shown is complete: it makes the same environment again.
        hwEnvironment* three = Make(hwEnvironment_GetDef(one));
        hwEnvironment_Sample(three, 1, &point, 7.0, &after);
        assert_memory_equal(&before, &after, sizeof(before));
        assert_close(hwEnvironment_GetSeabed(three, 3.0, 4.0, NULL), seabed, 0.0);
        hwDestroyEnvironment(one);
        hwDestroyEnvironment(two);
        hwDestroyEnvironment(three);
    }
}

// Seabed

static void SeabedIsWhereItsKindPutsIt(void** state) {
    (void)state;
    Everything all;
    Fill(&all);
    hwVec3 normal;
    all.def.seabed.kind = HW_SEABED_PLANE;
    all.def.seabed.depth = 20.0;
    hwEnvironment* environment = Make(&all.def);
    assert_close(hwEnvironment_GetSeabed(environment, 1e6, -1e6, &normal), -18.5,
                 0.0); // below the surface at 1.5
    assert_close_vec3(normal, hwMakeVec3(0, 0, 1), 0.0);
    hwDestroyEnvironment(environment);
    // Heights 0.1 i along x and 0.4 j along y: the plane -40 + 0.01 (x + 15) + 0.04 (y + 10).
    Fill(&all);
    environment = Make(&all.def);
    assert_close(hwEnvironment_GetSeabed(environment, 0.0, 2.0, &normal), -40.0 + 0.15 + 0.48, 1e-12);
    assert_close_vec3(normal, hwNormalize(hwMakeVec3(-0.01, -0.04, 1.0)), 1e-12);
    hwDestroyEnvironment(environment);
    // The mesh rises 10 m over 100 m along y and ends at 50 m.
    all.def.seabed.kind = HW_SEABED_MESH;
    environment = Make(&all.def);
    assert_close(hwEnvironment_GetSeabed(environment, 10.0, 20.0, &normal), -23.0, 1e-12);
    assert_close_vec3(normal, hwNormalize(hwMakeVec3(0.0, -0.1, 1.0)), 1e-12);
    assert_true(hwEnvironment_GetSeabed(environment, 60.0, 0.0, &normal) == -HUGE_VAL);
    assert_close_vec3(normal, hwMakeVec3(0, 0, 1), 0.0);
    hwDestroyEnvironment(environment);
}

// Waves over terrain see its mean depth, or the depth given.
static void WavesFeelTheMeanDepthOfTerrain(void** state) {
    (void)state;
    Everything all;
    Fill(&all);
    all.def.seabed.kind = HW_SEABED_MESH; // mean height -25 under the surface at 1.5
    hwEnvironment* mean = Make(&all.def);
    all.def.seabed.depth = 9.0;
    hwEnvironment* given = Make(&all.def);
    hwVec3 point = {2.0, 3.0, -5.0};
    const double depths[2] = {26.5, 9.0};
    for (int i = 0; i < 2; i++) {
        hwEnvironmentDef def = all.def;
        def.seabed.kind = HW_SEABED_PLANE;
        def.seabed.depth = depths[i];
        hwEnvironment* plane = Make(&def);
        hwFluidSample expected, found;
        hwEnvironment_Sample(plane, 1, &point, 4.0, &expected);
        hwEnvironment_Sample(i == 0 ? mean : given, 1, &point, 4.0, &found);
        assert_close_vec3(found.velocity, expected.velocity, 1e-13);
        hwDestroyEnvironment(plane);
    }
    hwDestroyEnvironment(mean);
    hwDestroyEnvironment(given);
}

// Memory

static void FailedAllocationsLeakNothing(void** state) {
    (void)state;
    for (int kind = HW_SEABED_NONE; kind <= HW_SEABED_MESH; kind++) {
        Everything all;
        Fill(&all);
        all.def.seabed.kind = (hwSeabedKind)kind;
        all.def.seabed.depth = 35.0;
        int failures = 0;
        for (int failAt = 0;; failAt++) {
            Counter counter = {0, 0, failAt};
            hwAllocator allocator = {CountingAllocate, CountingRelease, &counter};
            hwError error;
            hwEnvironment* environment = hwCreateEnvironment(&allocator, &all.def, &error);
            if (environment != NULL) {
                int calls = counter.calls;
                hwVec3 point = {0.0, 0.0, -1.0};
                hwFluidSample sample;
                hwEnvironment_Sample(environment, 1, &point, 1.0, &sample);
                hwEnvironment_GetSeabed(environment, 0.0, 0.0, NULL);
                assert_int_equal(counter.calls, calls); // questions allocate nothing
                hwDestroyEnvironment(environment);
                assert_int_equal(counter.outstanding, 0);
                break;
            }
            assert_int_equal(error.status, HW_ERROR_MEMORY);
            assert_int_equal(counter.outstanding, 0);
            failures += 1;
        }
        assert_true(failures >= (kind >= HW_SEABED_HEIGHTFIELD ? 2 : 1));
    }
}

// Refusals

static void AssertRefused(const hwEnvironmentDef* def, const char* expected) {
    Counter counter = {0, 0, -1};
    hwAllocator allocator = {CountingAllocate, CountingRelease, &counter};
    hwError error;
    memset(&error, 0, sizeof(error));
    assert_null(hwCreateEnvironment(&allocator, def, &error));
    assert_true(error.status < 0);
    assert_string_equal(error.object, "environment");
    if (strstr(error.message, expected) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, expected);
    assert_null(hwCreateEnvironment(&allocator, def, NULL));
    assert_int_equal(counter.outstanding, 0);
}

typedef struct BadNumber {
    size_t offset; // of a double in Everything
    double value;
    const char* expected;
} BadNumber;

#define NAN_ ((double)NAN)
#define AT(field) offsetof(Everything, field)

static void BadNumbersAreRefusedByName(void** state) {
    (void)state;
    const BadNumber cases[] = {
        {AT(def.gravity), -9.81, "gravity must be zero or positive, it is -9.81"},
        {AT(def.gravity), NAN_, "gravity must"},
        {AT(def.gravity), HUGE_VAL, "gravity must"},
        {AT(def.gravity), 0.0, "waves: gravity must be positive where there are waves"},
        {AT(def.waterDensity), 0.0, "water: the density must be positive, it is 0"},
        {AT(def.waterDensity), NAN_, "water: the density"},
        {AT(def.waterViscosity), -1.0, "water: the viscosity must be positive, it is -1"},
        {AT(def.surface), NAN_, "water: the surface must be a finite number"},
        {AT(def.airDensity), -1.0, "air: the density must be zero or positive, it is -1"},
        {AT(def.airViscosity), HUGE_VAL, "air: the viscosity must be positive and finite"},
        {AT(def.current.gust), 0.1, "current: only the wind can have a gust"},
        {AT(def.wind.gust), -0.1,
         "wind: the gust (standard deviation over mean speed) must be between 0 and 1"},
        {AT(def.wind.gust), NAN_, "wind: the gust"},
        {AT(levels[1]), 0.0,
         "current: the profile's depth must increase, but row 1 at 0 m follows row 0 at 0 m"},
        {AT(levels[2]), NAN_, "current: depth and velocity of the profile must be finite numbers, in row 2"},
        {AT(velocities[0].y), HUGE_VAL, "in row 0 they are not"},
        {AT(terms[1].period.x), 0.0, "current: uniform: term 1: the period of a sine must be positive"},
        {AT(times[3]), 6.0, "current: uniform: term 2: the times of a table must increase"},
        {AT(airy[1].height), -1.0, "waves: the height of a regular wave must be zero or positive, it is -1"},
        {AT(airy[1].height), 90.0,
         "waves: the height of a regular wave must be less than twice the water depth"},
        {AT(airy[0].period), -3.0, "waves: the period of a regular wave must be positive, it is -3"},
        {AT(airy[0].period), 1e9, "waves: the period of a regular wave must be between"},
        {AT(airy[0].direction), NAN_, "waves: the direction of a regular wave must be a finite number"},
        {AT(airy[0].phase), HUGE_VAL, "waves: the phase of a regular wave"},
        {AT(def.jonswap.hs), NAN_, "waves: the significant height"},
        {AT(def.jonswap.hs), -1.0, "waves: the significant height must be zero or positive, it is -1"},
        {AT(def.jonswap.tp), -3.0, "waves: the peak period must be positive, it is -3"},
        {AT(def.jonswap.tp), 1e-4, "waves: the peak period must be between"},
        {AT(def.jonswap.gamma), 0.5, "waves: the peak enhancement gamma must be between 1 and 20, it is 0.5"},
        {AT(def.jonswap.gamma), NAN_, "waves: the peak enhancement gamma"},
        {AT(def.jonswap.direction), NAN_, "waves: the mean direction"},
        {AT(def.jonswap.spreading), -1.0, "waves: the spreading must be zero or positive"},
        {AT(def.seabed.depth), -1.0, "seabed: the depth for waves must be zero or positive"},
        {AT(def.seabed.stiffness), -1.0, "seabed: the stiffness"},
        {AT(def.seabed.damping), NAN_, "seabed: the damping"},
        {AT(def.seabed.friction), -0.1, "seabed: the friction must be zero or positive, it is -0.1"},
        {AT(def.seabed.spacing), 0.0, "seabed: "},
        {AT(def.seabed.origin.z), NAN_, "seabed: "},
        {AT(def.seabed.origin.z), 100.0, "waves: the water depth must be positive"},
        {AT(heights[5]), NAN_, "seabed: "},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Everything all;
        Fill(&all);
        memcpy((char*)&all + cases[i].offset, &cases[i].value, sizeof(double));
        AssertRefused(&all.def, cases[i].expected);
    }
}

static void Still(Everything* all) {
    memset(&all->def.current, 0, sizeof(hwFlowDef));
    memset(&all->def.wind, 0, sizeof(hwFlowDef));
    all->def.airyCount = 0;
    all->def.jonswap.hs = 0.0;
}

static void BadCombinationsAreRefusedByName(void** state) {
    (void)state;
    Everything all;
    AssertRefused(NULL, "hwDefaultEnvironmentDef");
    Fill(&all);
    all.def.cookie = 0;
    AssertRefused(&all.def, "hwDefaultEnvironmentDef");
    Fill(&all);
    all.def.water = false;
    AssertRefused(&all.def, "current: there is no water that could flow");
    memset(&all.def.current, 0, sizeof(hwFlowDef));
    AssertRefused(&all.def, "waves: there is no water for them");
    Fill(&all);
    all.def.current.count = -1;
    AssertRefused(&all.def, "current: the profile says it has -1 rows");
    Fill(&all);
    all.def.wind.velocities = NULL;
    AssertRefused(&all.def, "wind: the profile says it has 3 rows but gives none");
    Fill(&all);
    Still(&all);
    all.def.wind.gust = 0.2;
    AssertRefused(&all.def, "wind: a gust needs a mean wind");
    Fill(&all);
    all.def.airy = NULL;
    AssertRefused(&all.def, "waves: the def says it has 2 regular waves but gives none");
    Fill(&all);
    all.def.jonswap.components = 0;
    AssertRefused(&all.def, "waves: a random sea needs at least one component, it has 0");
    all.def.jonswap.components = 2047;
    AssertRefused(&all.def,
                  "waves: there may be at most 2048 components, regular waves included, but there are 2049");
    Fill(&all);
    all.def.seabed.rows = 1;
    AssertRefused(&all.def, "seabed: a heightfield needs at least 2 x 2 heights, it has 4 x 1");
    all.def.seabed.rows = all.def.seabed.columns = 2147483647;
    AssertRefused(&all.def, "seabed: a heightfield may have at most");
    Fill(&all);
    all.def.seabed.heights = NULL;
    AssertRefused(&all.def, "seabed: a heightfield needs at least 2 x 2 heights, it has 0 x 0");
    Fill(&all);
    all.def.seabed.kind = HW_SEABED_MESH;
    all.def.seabed.mesh.triangleCount = 0;
    AssertRefused(&all.def, "seabed: a mesh needs at least one triangle");
    Fill(&all);
    all.def.seabed.kind = HW_SEABED_MESH;
    all.triangles[1][2] = 4;
    AssertRefused(&all.def, "seabed: ");
    Fill(&all);
    all.def.seabed.kind = (hwSeabedKind)9;
    AssertRefused(&all.def, "seabed: there is no kind 9");
    Fill(&all);
    all.def.seabed.kind = HW_SEABED_PLANE;
    all.def.seabed.depth = 0.0;
    AssertRefused(&all.def, "waves: the water depth must be positive, it is 0");
    all.def.seabed.depth = NAN_;
    AssertRefused(&all.def, "seabed: the depth must be a finite number");
}

// Ground at the surface or above it is no mistake where there are no waves.
static void DryGroundIsAllowed(void** state) {
    (void)state;
    Everything all;
    Fill(&all);
    Still(&all);
    all.def.water = false;
    all.def.seabed.kind = HW_SEABED_PLANE;
    all.def.seabed.depth = -1.0;
    hwEnvironment* environment = Make(&all.def);
    assert_close(hwEnvironment_GetSeabed(environment, 0.0, 0.0, NULL), 2.5, 0.0);
    hwDestroyEnvironment(environment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(DefaultIsDryAndStill),
        cmocka_unit_test(CalmWaterHasAFlatSurface),
        cmocka_unit_test(WavySurfaceSeparatesWaterFromAir),
        cmocka_unit_test(LevelOfTheSurfaceIsOnlyAnOrigin),
        cmocka_unit_test(CurrentAndWavesAdd),
        cmocka_unit_test(BatchEqualsPointsOneByOneToTheBit),
        cmocka_unit_test(EnvironmentKeepsItsOwnCopies),
        cmocka_unit_test(SeabedIsWhereItsKindPutsIt),
        cmocka_unit_test(WavesFeelTheMeanDepthOfTerrain),
        cmocka_unit_test(FailedAllocationsLeakNothing),
        cmocka_unit_test(BadNumbersAreRefusedByName),
        cmocka_unit_test(BadCombinationsAreRefusedByName),
        cmocka_unit_test(DryGroundIsAllowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
