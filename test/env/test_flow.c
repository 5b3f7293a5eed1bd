// Current and wind: profiles, signals, particle accelerations, gusts.
#include "support.h"

#include "base/memory.h"
#include "env/environment.h"
#include "env/gust.h"

#include <string.h>

static hwEnvironment* Make(const hwEnvironmentDef* def) {
    hwAllocator allocator = hwDefaultAllocator();
    hwError error;
    hwEnvironment* environment = hwCreateEnvironment(&allocator, def, &error);
    if (environment == NULL) fail_msg("%s", error.message);
    return environment;
}

static hwFluidSample SampleAt(const hwEnvironment* environment, double x, double y, double z, double t) {
    hwVec3 point = {x, y, z};
    hwFluidSample sample;
    hwEnvironment_Sample(environment, 1, &point, t, &sample);
    return sample;
}

static hwEnvironmentDef MakeWet(void) {
    hwEnvironmentDef def = hwDefaultEnvironmentDef();
    def.water = true;
    def.surface = 2.0; // levels count from here
    return def;
}

static void ProfileIsLinearBetweenLevelsAndConstantOutside(void** state) {
    (void)state;
    const double levels[] = {5.0, 10.0, 30.0};
    const hwVec3 velocities[] = {{1.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.0, -0.5, 0.0}};
    hwEnvironmentDef def = MakeWet();
    def.current.count = def.wind.count = 3;
    def.current.levels = def.wind.levels = levels;
    def.current.velocities = def.wind.velocities = velocities;
    hwEnvironment* environment = Make(&def);
    for (int side = -1; side <= 1; side += 2) { // depth below the surface, height above it
        assert_close_vec3(SampleAt(environment, 9, 9, 2.0 + side * 1.0, 0).velocity, velocities[0], 0.0);
        assert_close_vec3(SampleAt(environment, 9, 9, 2.0 + side * 5.0, 0).velocity, velocities[0], 0.0);
        assert_close_vec3(SampleAt(environment, 9, 9, 2.0 + side * 7.5, 0).velocity,
                          hwMakeVec3(0.75, 0.25, 0), 1e-15);
        assert_close_vec3(SampleAt(environment, 9, 9, 2.0 + side * 10.0, 0).velocity, velocities[1], 1e-15);
        assert_close_vec3(SampleAt(environment, 9, 9, 2.0 + side * 12.0, 0).velocity,
                          hwMakeVec3(0.45, 0.4, 0), 1e-15);
        assert_close_vec3(SampleAt(environment, 9, 9, 2.0 + side * 15.0, 0).velocity,
                          hwMakeVec3(0.375, 0.25, 0), 1e-15);
        assert_close_vec3(SampleAt(environment, 9, 9, 2.0 + side * 500.0, 0).velocity, velocities[2], 0.0);
        // Steady horizontal shear does not accelerate its particles.
        assert_close_vec3(SampleAt(environment, 9, 9, 2.0 + side * 7.5, 0).acceleration, hwVec3_zero, 0.0);
    }
    hwDestroyEnvironment(environment);
}

// Adds (0, z, t) and acceleration (0, 0, 1).
static void UserFlow(int count, const hwVec3* points, double time, hwVec3* velocity, hwVec3* acceleration,
                     void* context) {
    *(int*)context += count;
    for (int i = 0; i < count; i++) {
        velocity[i] = hwAdd(velocity[i], hwMakeVec3(0.0, points[i].z, time));
        acceleration[i] = hwAdd(acceleration[i], hwMakeVec3(0.0, 0.0, 1.0));
    }
}

static void UniformSignalProfileAndUserFlowAddUp(void** state) {
    (void)state;
    const double levels[] = {0.0, 10.0};
    const hwVec3 velocities[] = {{1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    hwSignalTerm terms[2] = {hwConstantTerm(hwMakeVec3(0.0, 2.0, 0.0)),
                             hwSineTerm(hwMakeVec3(0.5, 0.0, 0.0), 12.0, 0.3)};
    int wet = 0, dry = 0;
    hwEnvironmentDef def = MakeWet();
    def.current.uniform.termCount = 2;
    def.current.uniform.terms = terms;
    def.current.count = 2;
    def.current.levels = levels;
    def.current.velocities = velocities;
    def.current.function = UserFlow;
    def.current.context = &wet;
    def.wind.function = UserFlow;
    def.wind.context = &dry;
    hwEnvironment* environment = Make(&def);
    double omega = 2.0 * HW_PI / 12.0, t = 3.7, swing = omega * t + 0.3;
    hwFluidSample sample = SampleAt(environment, 1.0, 2.0, -3.0, t); // depth 5
    assert_close_vec3(sample.velocity, hwMakeVec3(0.5 + 0.5 * sin(swing), 2.0 - 3.0, t), 1e-14);
    assert_close_vec3(sample.acceleration, hwMakeVec3(0.5 * omega * cos(swing), 0.0, 1.0), 1e-14);
    assert_close(sample.density, 1025.0, 0.0);
    assert_true(wet == 1 && dry == 0);
    sample = SampleAt(environment, 1.0, 2.0, 6.0, t);
    assert_close_vec3(sample.velocity, hwMakeVec3(0.0, 6.0, t), 0.0);
    assert_close(sample.density, 1.2, 0.0);
    assert_true(wet == 1 && dry == 1);
    // A long batch reaches the function in pieces, each point once, in the right fluid.
    enum { COUNT = 333 };
    static hwVec3 points[COUNT];
    static hwFluidSample samples[COUNT];
    for (int i = 0; i < COUNT; i++) points[i] = hwMakeVec3(i, 0.0, i % 3 == 0 ? 50.0 : 1.0);
    wet = dry = 0;
    hwEnvironment_Sample(environment, COUNT, points, t, samples);
    assert_int_equal(dry, COUNT / 3);
    assert_int_equal(wet, COUNT - COUNT / 3);
    for (int i = 0; i < COUNT; i++)
        assert_close(samples[i].velocity.y, points[i].z + (i % 3 == 0 ? 0.0 : 2.0), 0.0);
    hwDestroyEnvironment(environment);
}

// A particle that the flow carries: its velocity's change, followed along its path, is the acceleration given. Here the
// profile sinks as well as shears, and the uniform part swings, also vertically.
static void AccelerationIsThatOfACarriedParticle(void** state) {
    (void)state;
    const double levels[] = {0.0, 100.0};
    const hwVec3 velocities[] = {{2.0, 0.0, -0.3}, {0.5, 1.0, -0.1}};
    hwSignalTerm term = hwSineTerm(hwMakeVec3(0.2, 0.0, 0.4), 20.0, 0.5);
    hwEnvironmentDef def = MakeWet();
    def.current.uniform.termCount = 1;
    def.current.uniform.terms = &term;
    def.current.count = 2;
    def.current.levels = levels;
    def.current.velocities = velocities;
    hwEnvironment* environment = Make(&def);
    double largest = 0.0;
    for (double t = 0.0; t < 20.0; t += 1.3) {
        double d = 1e-3;
        hwFluidSample here = SampleAt(environment, 0.0, 0.0, -40.0, t);
        hwVec3 path = hwScale(d, here.velocity);
        // The path's curvature shifts both ends alike, d^2 a / 2, which the difference cancels.
        hwFluidSample before = SampleAt(environment, 0.0, 0.0, -40.0 - path.z, t - d);
        hwFluidSample after = SampleAt(environment, 0.0, 0.0, -40.0 + path.z, t + d);
        hwVec3 change = hwScale(0.5 / d, hwSub(after.velocity, before.velocity));
        assert_close_vec3(change, here.acceleration,
                          1e-8); // d^2/6 of the third derivative, 0.4 (2 pi/20)^3, plus rounding
        largest = fmax(largest, fabs(here.acceleration.y));
    }
    assert_true(largest > 1e-3); // the carried part, nothing else acts along y
    hwDestroyEnvironment(environment);
}

// Rows of a profile that changes with time: straight lines between, constant before and after.
static void ProfilesChangeWithTime(void** state) {
    (void)state;
    const double levels[] = {0.0, 100.0}, times[] = {10.0, 20.0, 40.0};
    const hwVec3 velocities[] = {{1, 0, 0}, {3, 0, 0}, {2, 0, 0}, {8, 4, 0}, {0, 0, 0}, {0, 0, 0}};
    hwEnvironmentDef def = MakeWet();
    def.current.count = 2;
    def.current.levels = levels;
    def.current.velocities = velocities;
    def.current.timeCount = 3;
    def.current.times = times;
    hwEnvironment* environment = Make(&def);
    double z = def.surface - 25.0; // a quarter of the way down
    assert_close_vec3(SampleAt(environment, 0, 0, z, 5.0).velocity, hwMakeVec3(1.5, 0, 0), 1e-14);
    assert_close_vec3(SampleAt(environment, 0, 0, z, 5.0).acceleration, hwVec3_zero, 0.0);
    assert_close_vec3(SampleAt(environment, 0, 0, z, 10.0).velocity, hwMakeVec3(1.5, 0, 0), 1e-14);
    hwFluidSample sample = SampleAt(environment, 0, 0, z, 15.0); // half-way from 1.5, 0 to 3.5, 1
    assert_close_vec3(sample.velocity, hwMakeVec3(2.5, 0.5, 0), 1e-14);
    assert_close_vec3(sample.acceleration, hwMakeVec3(0.2, 0.1, 0), 1e-14);
    assert_close_vec3(SampleAt(environment, 0, 0, z, 30.0).velocity, hwMakeVec3(1.75, 0.5, 0), 1e-14);
    assert_close_vec3(SampleAt(environment, 0, 0, z, 99.0).velocity, hwVec3_zero, 0.0);
    assert_close_vec3(SampleAt(environment, 0, 0, def.surface - 500.0, 20.0).velocity, hwMakeVec3(8, 4, 0),
                      0.0);
    hwDestroyEnvironment(environment);
}

// First-order theory: the surface stays level, what is below z = 0 feels A omega e^kz, what is above is dry also in a crest.
static void FlatSurfaceLeavesWavesUnstretched(void** state) {
    (void)state;
    const hwAiryDef wave = {.height = 4.0, .period = 8.0};
    hwEnvironmentDef def = MakeWet();
    def.airyCount = 1;
    def.airy = &wave;
    double omega = 2.0 * HW_PI / 8.0, k = omega * omega / def.gravity, surface = def.surface;
    for (int flat = 0; flat < 2; flat++) {
        def.flatSurface = flat == 1;
        hwEnvironment* environment = Make(&def);
        hwFluidSample sample = SampleAt(environment, 0, 0, surface - 3.0, 0.0); // under the crest
        assert_close(sample.surface - surface, flat ? 0.0 : 2.0, 1e-12);
        assert_close(sample.velocity.x, 2.0 * omega * exp(-k * (flat ? 3.0 : 5.0)), 1e-9);
        assert_close(SampleAt(environment, 0, 0, surface + 1.0, 0.0).density, flat ? 0.0 : 1025.0, 0.0);
        hwDestroyEnvironment(environment);
    }
}

static void WindBlowsInAirOnly(void** state) {
    (void)state;
    hwSignalTerm blow = hwConstantTerm(hwMakeVec3(8.0, 0.0, 0.0));
    hwEnvironmentDef def = MakeWet();
    def.wind.uniform.termCount = 1;
    def.wind.uniform.terms = &blow;
    hwEnvironment* environment = Make(&def);
    assert_close(SampleAt(environment, 0, 0, 2.1, 0).velocity.x, 8.0, 0.0);
    assert_close(SampleAt(environment, 0, 0, 1.9, 0).velocity.x, 0.0, 0.0);
    hwDestroyEnvironment(environment);
    def.water = false;
    environment = Make(&def);
    hwFluidSample dry = SampleAt(environment, 0, 0, -50.0, 0);
    assert_close(dry.velocity.x, 8.0, 0.0);
    assert_close(dry.density, 1.2, 0.0);
    assert_close(dry.viscosity, 1.5e-5, 0.0);
    assert_true(dry.surface == -HUGE_VAL);
    assert_close_vec3(dry.normal, hwMakeVec3(0, 0, 1), 0.0);
    hwDestroyEnvironment(environment);
}

// Gusts

static hwEnvironmentDef MakeGusty(hwSignalTerm* blow, uint64_t seed) {
    hwEnvironmentDef def = MakeWet();
    *blow = hwConstantTerm(hwMakeVec3(12.0, -9.0, 0.0));
    def.wind.uniform.termCount = 1;
    def.wind.uniform.terms = blow;
    def.wind.gust = 0.2;
    def.wind.gustSeed = seed;
    return def;
}

// Sixteen hours of wind. The slowest of the 128 sines, around 0.001 Hz, still make fifty turns; beating of close pairs
// leaves a few per cent of the variance, so 3 % of the deviation.
static void GustHasItsDeviationAlongTheWind(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        hwSignalTerm blow;
        hwEnvironmentDef def = MakeGusty(&blow, seed);
        hwEnvironment* environment = Make(&def);
        double sum = 0.0, squares = 0.0;
        int count = 57600;
        for (int i = 0; i < count; i++) {
            hwFluidSample sample = SampleAt(environment, 5.0, 5.0, 30.0, 1.0 * i);
            assert_close(sample.velocity.x / 12.0, sample.velocity.y / -9.0, 1e-14);
            double speed = sample.velocity.x / 12.0 * 15.0;
            sum += speed;
            squares += speed * speed;
        }
        double mean = sum / count;
        assert_close(mean, 15.0, 0.02 * 15.0);
        assert_close(sqrt(squares / count - mean * mean), 0.2 * 15.0, 0.03 * 3.0);
        hwDestroyEnvironment(environment);
    }
}

// Share of the variance below a frequency is Davenport's, 1 - (1 + x^2)^(-1/3), cut at 1 Hz; the bins of equal variance
// put it right within one bin, 1/128.
static void GustFollowsDavenportsSpectrum(void** state) {
    (void)state;
    static hwGust gust;
    double speed = 20.0, highest = 1200.0 / speed;
    hwGust_Fill(&gust, 0.15, speed, 4);
    assert_close(0.5 * HW_GUST_HARMONICS * gust.amplitude * gust.amplitude, 0.15 * 0.15, 1e-16);
    double whole = 1.0 - pow(1.0 + highest * highest, -1.0 / 3.0);
    for (double n = 1e-3; n < 1.0; n *= 1.5) {
        double x = 1200.0 * n / speed;
        int below = 0;
        for (int i = 0; i < HW_GUST_HARMONICS; i++) below += gust.omega[i] < 2.0 * HW_PI * n;
        double share = (1.0 - pow(1.0 + x * x, -1.0 / 3.0)) / whole;
        assert_close((double)below / HW_GUST_HARMONICS, share, 1.0 / HW_GUST_HARMONICS);
    }
    for (int i = 0; i < HW_GUST_HARMONICS; i++) assert_true(gust.omega[i] <= 2.0 * HW_PI * (1.0 + 1e-12));
}

static void GustAccelerationIsItsRateAndItsSeedDecides(void** state) {
    (void)state;
    hwSignalTerm blow, blowOther;
    hwEnvironmentDef def = MakeGusty(&blow, 1), other = MakeGusty(&blowOther, 2);
    hwEnvironment *one = Make(&def), *same = Make(&def), *another = Make(&other);
    bool differ = false;
    for (double t = 0.0; t < 100.0; t += 3.3) {
        double d = 1e-3;
        hwFluidSample here = SampleAt(one, 0, 0, 10.0, t), again = SampleAt(same, 0, 0, 10.0, t);
        hwVec3 change = hwScale(0.5 / d, hwSub(SampleAt(one, 0, 0, 10.0, t + d).velocity,
                                               SampleAt(one, 0, 0, 10.0, t - d).velocity));
        // d^2/6 times the third derivative, at most 12 * 0.2 * (2 pi)^3.
        assert_close_vec3(here.acceleration, change, 1e-4);
        assert_memory_equal(&here, &again, sizeof(here));
        differ = differ || SampleAt(another, 0, 0, 10.0, t).velocity.x != here.velocity.x;
    }
    assert_true(differ);
    hwDestroyEnvironment(one);
    hwDestroyEnvironment(same);
    hwDestroyEnvironment(another);
}

// A velocity that is linear in each of x, y, depth and time: what four straight lines give exactly.
static hwVec3 GetBent(double x, double y, double level, double t) {
    double a = (1.0 + 0.01 * x) * (1.0 - 0.02 * y) * (1.0 - 0.01 * level) * (0.5 + 0.003 * t);
    return hwMakeVec3(a, 0.2 - 0.5 * a, 0.1 * (1.0 + 0.01 * x) * (0.5 + 0.003 * t));
}

typedef struct GridData {
    double x[3], y[2], levels[3], times[2];
    hwVec3 velocities[36];
} GridData;

static hwEnvironmentDef MakeGrid(GridData* data) {
    *data = (GridData){{-20, 5, 60}, {-10, 30}, {0, 12, 50}, {0, 100}, {{0, 0, 0}}};
    int k = 0;
    for (int t = 0; t < 2; t++) {
        for (int z = 0; z < 3; z++) {
            for (int y = 0; y < 2; y++) {
                for (int x = 0; x < 3; x++)
                    data->velocities[k++] = GetBent(data->x[x], data->y[y], data->levels[z], data->times[t]);
            }
        }
    }
    hwEnvironmentDef def = MakeWet();
    def.current.grid =
        (hwFlowGridDef){3, 2, 3, 2, data->x, data->y, data->levels, data->times, data->velocities};
    return def;
}

static void GridIsExactForWhatIsLinearAlongEachAxis(void** state) {
    (void)state;
    GridData data;
    hwEnvironmentDef def = MakeGrid(&data);
    hwEnvironment* environment = Make(&def);
    for (int i = 0; i < 200; i++) {
        double x = -19.0 + 0.39 * i, y = -9.5 + 0.19 * i, z = 1.9 - 0.24 * i, t = 0.1 + 0.49 * i;
        hwFluidSample sample = SampleAt(environment, x, y, z, t);
        hwVec3 exact = GetBent(x, y, 2.0 - z, t), d = hwScale(1e-5, exact);
        assert_close_vec3(sample.velocity, exact, 1e-14);
        // a particle that is carried along; central differences of a field with products of four, 1e-5 s apart
        hwVec3 after = GetBent(x + d.x, y + d.y, 2.0 - z - d.z, t + 1e-5);
        hwVec3 before = GetBent(x - d.x, y - d.y, 2.0 - z + d.z, t - 1e-5);
        assert_close_vec3(sample.acceleration, hwScale(0.5e5, hwSub(after, before)), 1e-10);
    }
    hwDestroyEnvironment(environment);
}

static void OutsideItsGridTheCurrentIsAsAtTheEdge(void** state) {
    (void)state;
    GridData data;
    hwEnvironmentDef def = MakeGrid(&data);
    hwEnvironment* environment = Make(&def);
    assert_close_vec3(SampleAt(environment, 500, 10, -10, 50).velocity, GetBent(60, 10, 12, 50), 1e-14);
    assert_close_vec3(SampleAt(environment, -500, 10, -10, 50).velocity, GetBent(-20, 10, 12, 50), 1e-14);
    assert_close_vec3(SampleAt(environment, 0, 500, -10, 50).velocity, GetBent(0, 30, 12, 50), 1e-14);
    assert_close_vec3(SampleAt(environment, 0, -500, -10, 50).velocity, GetBent(0, -10, 12, 50), 1e-14);
    assert_close_vec3(SampleAt(environment, 0, 0, -500, 50).velocity, GetBent(0, 0, 50, 50), 1e-14);
    assert_close_vec3(SampleAt(environment, 0, 0, -10, 500).velocity, GetBent(0, 0, 12, 100), 1e-14);
    assert_close_vec3(SampleAt(environment, 0, 0, -10, -500).velocity, GetBent(0, 0, 12, 0), 1e-14);
    // there no neighbour changes it: nothing accelerates along that axis
    hwVec3 corner = SampleAt(environment, 500, 500, -500, 500).acceleration;
    assert_close_vec3(corner, hwVec3_zero, 0.0);
    hwDestroyEnvironment(environment);
}

static void GridsOfOneEntryAreConstantAndAddUp(void** state) {
    (void)state;
    const double zero = 0.0;
    const hwVec3 steady = {0.3, -0.1, 0.0}, more = {0.2, 0.0, 0.0};
    hwEnvironmentDef def = MakeWet();
    def.current.grid = (hwFlowGridDef){1, 1, 1, 1, &zero, &zero, &zero, &zero, &steady};
    def.current.count = 1;
    def.current.levels = &zero;
    def.current.velocities = &more;
    hwEnvironment* environment = Make(&def);
    assert_close_vec3(SampleAt(environment, 7, 8, -9, 10).velocity, hwMakeVec3(0.5, -0.1, 0), 1e-16);
    assert_close_vec3(SampleAt(environment, 7, 8, 9, 10).velocity, hwVec3_zero, 0.0); // the air is still
    hwDestroyEnvironment(environment);
}

static void GridsThatAreNoneAreRefused(void** state) {
    (void)state;
    GridData data;
    hwAllocator allocator = hwDefaultAllocator();
    hwError error;
    for (int i = 0; i < 4; i++) {
        hwEnvironmentDef def = MakeGrid(&data);
        static const char* const texts[] = {"at least one y", "depth must be finite and increase",
                                            "velocities must be finite", "give its velocities"};
        if (i == 0) def.current.grid.yCount = 0;
        if (i == 1) data.levels[1] = 60;
        if (i == 2) data.velocities[35].x = (double)NAN;
        if (i == 3) def.current.grid.velocities = NULL;
        assert_null(hwCreateEnvironment(&allocator, &def, &error));
        assert_non_null(strstr(error.message, texts[i]));
    }
}

static hwVec3 GetInLee(const hwLeeDef* lees, int count, hwVec3 current, hwVec3 point) {
    hwSignalTerm term = hwDefaultSignalTerm();
    term.offset = current;
    hwEnvironmentDef def = MakeWet();
    def.current.uniform = (hwSignal){1, &term};
    def.leeCount = count;
    def.lees = lees;
    hwEnvironment* environment = Make(&def);
    hwFluidSample sample = SampleAt(environment, point.x, point.y, point.z, 0.0);
    assert_close_vec3(sample.velocity, current, 0.0); // by itself
    hwEnvironment_AddLee(environment, hwVec3_zero, 1, &point, 0.0, &sample);
    hwDestroyEnvironment(environment);
    return sample.velocity;
}

// C = 1 and D = 2 m: s = x + 8 m, d = sqrt(2 / s) on the axis, half of it at b = 0.25 sqrt(2 s).
static void WakeIsThatOfHuse(void** state) {
    (void)state;
    const hwLeeDef pile = {HW_LEE_WAKE, {0, 0, -50}, {0, 0, 0}, 2.0, {{0, 0, 0}, {0, 0, 0}}, 1.0, 0.0};
    hwVec3 east = {0.8, 0, 0}, north = {0, 0.8, 0}, up = {0, 0, 0.8};
    double s = 28.0, d = sqrt(2.0 / s), b = 0.25 * sqrt(2.0 * s);
    assert_close(GetInLee(&pile, 1, east, hwMakeVec3(20, 0, -20)).x, 0.8 * (1.0 - d), 1e-15);
    // exp(-0.693) is 0.50007: Huse's number
    assert_close(GetInLee(&pile, 1, east, hwMakeVec3(20, b, -20)).x, 0.8 * (1.0 - 0.5 * d), 1e-4);
    assert_close(GetInLee(&pile, 1, east, hwMakeVec3(20, -b, -20)).x, 0.8 * (1.0 - 0.5 * d), 1e-4);
    assert_close(GetInLee(&pile, 1, north, hwMakeVec3(0, 20, -20)).y, 0.8 * (1.0 - d), 1e-15);
    // upstream, abeam, and along the pile nothing is taken; below its foot as much as beside it at that distance
    assert_close(GetInLee(&pile, 1, east, hwMakeVec3(-20, 0, -20)).x, 0.8, 0.0);
    assert_close(GetInLee(&pile, 1, east, hwMakeVec3(20, 40, -20)).x, 0.8, 1e-15);
    assert_close(GetInLee(&pile, 1, up, hwMakeVec3(20, 0, -20)).z, 0.8, 1e-15);
    assert_close(GetInLee(&pile, 1, east, hwMakeVec3(20, 0, -50 - b)).x, 0.8 * (1.0 - 0.5 * d), 1e-4);
    // what momentum asks for: the deficit across the wake is that of the drag 1/2 C D, by Huse's numbers 6 % more
    double sum = 0.0;
    for (int i = -2000; i <= 2000; i++)
        sum += 0.01 * (1.0 - GetInLee(&pile, 1, east, hwMakeVec3(20, 0.01 * i, -20)).x / 0.8);
    assert_close(sum, 0.25 * sqrt(HW_PI / 0.693) * 1.0 * 2.0, 1e-9);
    assert_true(fabs(sum / (0.5 * 1.0 * 2.0) - 1.0) < 0.07);
}

static void ShadowIsStillAndLeesMultiply(void** state) {
    (void)state;
    const hwLeeDef lees[3] = {
        {HW_LEE_SHADOW, {0, 0, -50}, {0, 0, 0}, 2.0, {{0, 0, 0}, {0, 0, 0}}, 1.0, 30.0},
        {HW_LEE_WAKE, {0, 0, -50}, {0, 0, 0}, 2.0, {{0, 0, 0}, {0, 0, 0}}, 1.0, 0.0},
        // a box of 2 m by 6 m, seen from its long or its short side, or from a corner
        {HW_LEE_SHADOW, {0, 0, -50}, {0, 0, 0}, 0.0, {{2, 0, 0}, {0, 6, 0}}, 1.0, 30.0}};
    hwVec3 east = {0.8, 0, 0}, north = {0, 0.8, 0}, aslant = {0.8 * 0.6, 0.8 * 0.8, 0};
    assert_close(GetInLee(&lees[0], 1, east, hwMakeVec3(20, 0.7, -20)).x, 0.0, 0.0);
    assert_close(GetInLee(&lees[0], 1, east, hwMakeVec3(20, 1.0, -20)).x, 0.8, 0.0);
    assert_close(GetInLee(&lees[0], 1, east, hwMakeVec3(30, 0.0, -20)).x, 0.8, 0.0);
    assert_close(GetInLee(&lees[2], 1, east, hwMakeVec3(20, 2.3, -20)).x, 0.0, 0.0);
    assert_close(GetInLee(&lees[2], 1, east, hwMakeVec3(20, 3.1, -20)).x, 0.8, 0.0);
    assert_close(GetInLee(&lees[2], 1, north, hwMakeVec3(1.1, 20, -20)).y, 0.8, 0.0);
    // 2 * 0.8 + 6 * 0.6 = 5.2 m wide: 2.6 m to each side
    assert_close(hwLength(GetInLee(&lees[2], 1, aslant, hwMakeVec3(12 - 0.8 * 2.0, 16 + 0.6 * 2.0, -20))),
                 0.0, 0.0);
    assert_close(hwLength(GetInLee(&lees[2], 1, aslant, hwMakeVec3(12 - 0.8 * 2.7, 16 + 0.6 * 2.7, -20))),
                 0.8, 1e-15);
    const hwLeeDef two[2] = {lees[1], lees[1]};
    double left = 1.0 - sqrt(2.0 / 28.0);
    assert_close(GetInLee(two, 2, east, hwMakeVec3(20, 0, -20)).x, 0.8 * left * left, 1e-15);
}

static void LeesThatAreNoneAreRefused(void** state) {
    (void)state;
    static const char* const texts[] = {"between 0 and 2", "has no width", "length of a shadow",
                                        "no water for a lee", "no kind 7"};
    hwAllocator allocator = hwDefaultAllocator();
    hwError error;
    for (int i = 0; i < 5; i++) {
        hwLeeDef lee = {HW_LEE_WAKE, {0, 0, -50}, {0, 0, 0}, 2.0, {{0, 0, 0}, {0, 0, 0}}, 1.0, 0.0};
        hwEnvironmentDef def = MakeWet();
        if (i == 0) lee.drag = 3.0;
        if (i == 1) lee.diameter = 0.0;
        if (i == 2) lee.kind = HW_LEE_SHADOW;
        if (i == 3) def.water = false;
        if (i == 4) lee.kind = (hwLeeKind)7;
        def.lees = &lee;
        def.leeCount = 1;
        assert_null(hwCreateEnvironment(&allocator, &def, &error));
        assert_non_null(strstr(error.message, texts[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ProfileIsLinearBetweenLevelsAndConstantOutside),
        cmocka_unit_test(UniformSignalProfileAndUserFlowAddUp),
        cmocka_unit_test(AccelerationIsThatOfACarriedParticle),
        cmocka_unit_test(ProfilesChangeWithTime),
        cmocka_unit_test(GridIsExactForWhatIsLinearAlongEachAxis),
        cmocka_unit_test(OutsideItsGridTheCurrentIsAsAtTheEdge),
        cmocka_unit_test(GridsOfOneEntryAreConstantAndAddUp),
        cmocka_unit_test(GridsThatAreNoneAreRefused),
        cmocka_unit_test(WakeIsThatOfHuse),
        cmocka_unit_test(ShadowIsStillAndLeesMultiply),
        cmocka_unit_test(LeesThatAreNoneAreRefused),
        cmocka_unit_test(FlatSurfaceLeavesWavesUnstretched),
        cmocka_unit_test(WindBlowsInAirOnly),
        cmocka_unit_test(GustHasItsDeviationAlongTheWind),
        cmocka_unit_test(GustFollowsDavenportsSpectrum),
        cmocka_unit_test(GustAccelerationIsItsRateAndItsSeedDecides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
