// Instruments: exact without errors, statistics of their errors, rates, delays, losses, bottom lock, state.
#include "hawser/hawser.h"

#include "support.h"

typedef struct Rig {
    hwWorld* world;
    hwBodyId body;
} Rig;

// A body that is moved, 10 m down over a bottom at 30 m.
static Rig MakeRig(hwVec3 velocity, hwVec3 rate, hwQuat attitude) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    Rig rig = {.world = hwCreateWorld(&worldDef, &error)};
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = 1025.0;
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = 30.0;
    assert_status(hwWorld_SetEnvironment(rig.world, &sea, &error), HW_OK);
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "rov";
    def.mass = 10.0;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = 1.0;
    def.position = hwMakeVec3(0.0, 0.0, -10.0);
    def.attitude = attitude;
    def.velocity = velocity;
    def.rate = rate;
    def.hydro.volume = 10.0 / 1025.0; // floats where it is
    rig.body = hwWorld_AddBody(rig.world, &def, &error);
    if (HW_IS_NULL(rig.body)) fail_msg("%s", error.message);
    return rig;
}

static const hwVec3 g_none = {0.0, 0.0, 0.0};
static const hwQuat g_level = {1.0, 0.0, 0.0, 0.0};

static void Add(Rig* rig, const hwInstrumentDef* def) {
    hwError error;
    hwInstrumentDef own = *def;
    if (HW_IS_NULL(own.body) && own.kind != HW_INSTRUMENT_LOAD_CELL) own.body = rig->body;
    if (HW_IS_NULL(hwWorld_AddInstrument(rig->world, &own, &error))) fail_msg("%s", error.message);
}

static void Prepare(Rig* rig) {
    hwError error;
    if (hwWorld_Prepare(rig->world, &error) != HW_OK) fail_msg("%s", error.message);
}

static void Step(Rig* rig, double interval) {
    hwError error;
    if (hwWorld_Step(rig->world, interval, &error) < HW_OK) fail_msg("%s", error.message);
}

static double Read(const Rig* rig, const char* channel) {
    int index = hwWorld_FindChannel(rig->world, channel);
    if (index < 0) fail_msg("no channel %s", channel);
    return hwWorld_ReadChannel(rig->world, index);
}

static hwInstrumentDef Make(const char* name, hwInstrumentKind kind, double rate) {
    hwInstrumentDef def = hwDefaultInstrumentDef();
    def.name = name;
    def.kind = kind;
    def.rate = rate;
    return def;
}

static void test_ExactInstrumentsTellTheTruth(void** state) {
    (void)state;
    // bow 60 degrees to starboard of north, going 0.5 m/s forward
    double heading = HW_PI / 3.0;
    hwVec3 ahead = hwScale(0.5, hwMakeVec3(cos(heading), -sin(heading), 0.0));
    Rig rig = MakeRig(ahead, g_none, hwQuatFromRpy(0.0, 0.0, -heading));
    hwInstrumentDef pressure = Make("rov.pressure", HW_INSTRUMENT_PRESSURE, 10.0);
    pressure.position = hwMakeVec3(0.0, 0.0, -0.5);
    hwInstrumentDef compass = Make("rov.compass", HW_INSTRUMENT_COMPASS, 10.0);
    compass.declination = 0.1;
    hwInstrumentDef dvl = Make("rov.dvl", HW_INSTRUMENT_DVL, 10.0);
    hwInstrumentDef altimeter = Make("rov.altimeter", HW_INSTRUMENT_ALTIMETER, 10.0);
    hwInstrumentDef usbl = Make("usbl", HW_INSTRUMENT_USBL, 10.0);
    usbl.transceiverAt = hwMakeVec3(3.0, 4.0, -10.0);
    usbl.most = 1000.0;
    hwInstrumentDef imu = Make("rov.imu", HW_INSTRUMENT_IMU, 10.0);
    Add(&rig, &pressure);
    Add(&rig, &compass);
    Add(&rig, &dvl);
    Add(&rig, &altimeter);
    Add(&rig, &usbl);
    Add(&rig, &imu);
    Prepare(&rig);
    assert_true(isnan(Read(&rig, "rov.dvl.altitude"))); // nothing has come yet
    Step(&rig, 0.05);
    assert_close(Read(&rig, "rov.pressure.pressure"), 101325.0 + 1025.0 * 9.81 * 10.5, 1e-6);
    assert_close(Read(&rig, "rov.pressure.depth"), 10.5, 1e-9);
    assert_close(Read(&rig, "rov.compass.heading"), heading - 0.1,
                 1e-12); // magnetic north is east of true north
    assert_close(Read(&rig, "rov.dvl.velocity.x"), 0.5, 1e-9);
    assert_close(Read(&rig, "rov.dvl.velocity.y"), 0.0, 1e-9);
    assert_close(Read(&rig, "rov.dvl.altitude"), 20.0, 1e-9);
    assert_close(Read(&rig, "rov.dvl.beams"), 4.0, 0.0);
    assert_close(Read(&rig, "rov.altimeter.range"), 20.0, 1e-9);
    assert_close(Read(&rig, "usbl.position.x"), -3.0, 1e-9); // at the start
    assert_close(Read(&rig, "usbl.position.y"), -4.0, 1e-9);
    assert_close(Read(&rig, "usbl.range"), 5.0, 1e-9);
    assert_close(Read(&rig, "rov.imu.accel.z"), 9.81, 1e-6); // held up by the water
    assert_close(Read(&rig, "rov.imu.valid"), 1.0, 0.0);
    hwDestroyWorld(rig.world);
}

// A body that turns about its vertical: away from its centre an accelerometer feels the pull inwards.
static void test_InertialUnitFeelsItsArm(void** state) {
    (void)state;
    Rig rig = MakeRig(g_none, hwMakeVec3(0.0, 0.0, 2.0), g_level);
    hwInstrumentDef imu = Make("rov.imu", HW_INSTRUMENT_IMU, 50.0);
    imu.position = hwMakeVec3(0.3, 0.0, 0.0);
    imu.attitude = hwQuatFromRpy(HW_PI, 0.0, 0.0); // forward-right-down
    Add(&rig, &imu);
    Prepare(&rig);
    Step(&rig, 0.2);
    assert_close(Read(&rig, "rov.imu.accel.x"), -0.3 * 4.0, 1e-6);
    assert_close(Read(&rig, "rov.imu.accel.z"), -9.81, 1e-6);
    assert_close(Read(&rig, "rov.imu.gyro.z"), -2.0, 1e-9);
    hwDestroyWorld(rig.world);
}

static void test_CompassSeesIronAndDipoles(void** state) {
    (void)state;
    Rig rig = MakeRig(g_none, g_none, hwQuatFromRpy(0.1, -0.2, 0.0));
    hwInstrumentDef plain = Make("plain", HW_INSTRUMENT_COMPASS, 10.0);
    hwInstrumentDef wreck = Make("wreck", HW_INSTRUMENT_COMPASS, 10.0);
    wreck.inclination = 0.0;
    // on the axis of a dipole that points east, 2 m from it: B = mu0/4pi 2 m / r^3 = 50 uT, as strong as the earth's
    wreck.dipolePosition = hwMakeVec3(0.0, 2.0, -10.0);
    wreck.dipoleMoment = hwMakeVec3(0.0, -2000.0, 0.0);
    Add(&rig, &plain);
    Add(&rig, &wreck);
    Prepare(&rig);
    Step(&rig, 0.05);
    // tilt does not matter; the wreck turns the needle 45 degrees to the east, so that the bow seems 45 degrees west of it
    double heading = Read(&rig, "plain.heading");
    assert_close(fmin(heading, 2.0 * HW_PI - heading), 0.0, 1e-12);
    assert_close(Read(&rig, "wreck.heading"), 2.0 * HW_PI - HW_PI / 4.0, 1e-9);
    hwDestroyWorld(rig.world);
}

// Allan deviation of `count` samples, by groups of m: sqrt(1/2 mean of squared differences of neighbouring means).
static double ComputeAllan(const double* x, int count, int m) {
    double sum = 0.0;
    int groups = count / m;
    for (int g = 0; g + 1 < groups; ++g) {
        double first = 0.0, second = 0.0;
        for (int i = 0; i < m; ++i) {
            first += x[g * m + i];
            second += x[(g + 1) * m + i];
        }
        sum += (second - first) * (second - first) / m / m;
    }
    return sqrt(0.5 * sum / (groups - 1));
}

// White noise of density N has an Allan deviation of N / sqrt(tau); a random walk K one of K sqrt(tau / 3) (IEEE 952).
static void test_AllanDeviationIsThatOfTheDataSheet(void** state) {
    (void)state;
    enum { COUNT = 6000 };
    static double gyro[COUNT], walk[COUNT];
    Rig rig = MakeRig(g_none, g_none, g_level);
    hwInstrumentDef imu = Make("imu", HW_INSTRUMENT_IMU, 20.0);
    imu.noise.density = 1e-3;
    imu.second.walk = 1e-2;
    imu.seed = 5;
    Add(&rig, &imu);
    Prepare(&rig);
    int white = hwWorld_FindChannel(rig.world, "imu.gyro.x"),
        drift = hwWorld_FindChannel(rig.world, "imu.accel.x");
    for (int i = 0; i < COUNT; ++i) {
        Step(&rig, 0.05);
        gyro[i] = hwWorld_ReadChannel(rig.world, white);
        walk[i] = hwWorld_ReadChannel(rig.world, drift);
    }
    // 300 s. At tau = 1 s there are 300 groups: the estimate's own standard deviation is about 1 / sqrt(2 * 300) = 4 %.
    assert_close(ComputeAllan(gyro, COUNT, 20), 1e-3, 0.15e-3);
    assert_close(ComputeAllan(gyro, COUNT, 1), 1e-3 * sqrt(20.0), 0.05e-3 * sqrt(20.0));
    // at tau = 5 s: 60 groups, 9 %; a walk's neighbours are correlated, which makes it wider
    assert_close(ComputeAllan(walk, COUNT, 100), 1e-2 * sqrt(5.0 / 3.0), 0.35e-2 * sqrt(5.0 / 3.0));
    hwDestroyWorld(rig.world);
}

// Four beams at an angle theta: a beam's error e gives e / (sqrt(2) sin theta) across and e / (2 cos theta) along.
static void test_DopplerErrorGrowsWithAltitude(void** state) {
    (void)state;
    enum { COUNT = 3000 };
    for (int deep = 0; deep < 2; ++deep) {
        double altitude = deep ? 5.0 : 20.0, theta = 22.5 * HW_DEGREE;
        Rig rig = MakeRig(g_none, g_none, g_level);
        hwInstrumentDef dvl = Make("dvl", HW_INSTRUMENT_DVL, 20.0);
        dvl.position = hwMakeVec3(0.0, 0.0, altitude - 20.0);
        dvl.noise.sigma = 0.002;
        dvl.beamByRange = 0.0005;
        Add(&rig, &dvl);
        Prepare(&rig);
        double x = 0.0, z = 0.0;
        for (int i = 0; i < COUNT; ++i) {
            Step(&rig, 0.05);
            double vx = Read(&rig, "dvl.velocity.x"), vz = Read(&rig, "dvl.velocity.z");
            x += vx * vx / COUNT;
            z += vz * vz / COUNT;
        }
        double beam = 0.002 + 0.0005 * altitude / cos(theta);
        // the estimate of a standard deviation from 3000 samples is good to 1 / sqrt(6000) = 1.3 %: three of them
        assert_close(sqrt(x) * sqrt(2.0) * sin(theta) / beam, 1.0, 0.04);
        assert_close(sqrt(z) * 2.0 * cos(theta) / beam, 1.0, 0.04);
        hwDestroyWorld(rig.world);
    }
}

static void test_BottomLockIsLostByRangeAndAngle(void** state) {
    (void)state;
    // heeled 30 degrees: two beams are 22.5 degrees nearer the vertical, two further
    Rig rig = MakeRig(g_none, g_none, hwQuatFromRpy(30.0 * HW_DEGREE, 0.0, 0.0));
    hwInstrumentDef good = Make("good", HW_INSTRUMENT_DVL, 10.0);
    hwInstrumentDef shallow = Make("shallow", HW_INSTRUMENT_DVL, 10.0);
    shallow.steepest = 40.0 * HW_DEGREE;
    hwInstrumentDef brief = Make("brief", HW_INSTRUMENT_DVL, 10.0);
    brief.most = 15.0;
    hwInstrumentDef altimeter = Make("altimeter", HW_INSTRUMENT_ALTIMETER, 10.0);
    hwInstrumentDef up = Make("up", HW_INSTRUMENT_ALTIMETER, 10.0);
    up.attitude = hwQuatFromRpy(HW_PI, 0.0, 0.0);
    Add(&rig, &good);
    Add(&rig, &shallow);
    Add(&rig, &brief);
    Add(&rig, &altimeter);
    Add(&rig, &up);
    Prepare(&rig);
    Step(&rig, 0.05);
    assert_close(Read(&rig, "good.beams"), 4.0, 0.0);
    assert_close(Read(&rig, "altimeter.range"), 20.0 / cos(30.0 * HW_DEGREE), 1e-9);
    // the far beams: cos = cos22.5 cos30 - sin22.5 sin45 sin30 = 0.665, 48 degrees
    assert_close(Read(&rig, "shallow.valid"), 0.0, 0.0);
    assert_close(Read(&rig, "brief.valid"), 0.0, 0.0);
    assert_close(Read(&rig, "up.valid"), 0.0, 0.0);
    assert_true(isnan(Read(&rig, "brief.velocity.x")));
    hwDestroyWorld(rig.world);
}

static void test_RateLatencyAndDropout(void** state) {
    (void)state;
    Rig rig = MakeRig(hwMakeVec3(1.0, 0.0, 0.0), g_none, g_level);
    hwInstrumentDef late = Make("late", HW_INSTRUMENT_USBL, 4.0);
    late.transceiverAt = hwMakeVec3(0.0, 0.0, -10.0);
    late.position = hwMakeVec3(75.0, 0.0, 0.0); // 0.1 s there and back
    late.latency = 0.5;
    late.most = 1000.0;
    hwInstrumentDef lossy = Make("lossy", HW_INSTRUMENT_PRESSURE, 100.0);
    lossy.dropout = 0.3;
    Add(&rig, &late);
    Add(&rig, &lossy);
    Prepare(&rig);
    Step(&rig, 0.55);
    assert_true(isnan(Read(&rig, "late.range"))); // under way
    Step(&rig, 0.1);
    assert_close(Read(&rig, "late.range"), 75.0, 1e-6); // of the start
    assert_close(Read(&rig, "late.age"), 0.65, 1e-9);
    assert_close(Read(&rig, "late.count"), 3.0, 0.0); // at 0, 0.25, 0.5
    Step(&rig, 0.25);
    assert_close(Read(&rig, "late.range"), 75.25, 1e-3); // between two looks on a straight line
    int lost = 0;
    for (int i = 0; i < 2000; ++i) {
        Step(&rig, 0.01);
        lost += Read(&rig, "lossy.valid") < 0.5;
    }
    // binomial: 600 +- 20; four of them
    assert_close(lost, 600.0, 82.0);
    hwDestroyWorld(rig.world);
}

// The same seed gives the same bits, whatever steps are taken; another name or seed other ones. A state that is saved in the middle
// goes on as if nothing had been.
static void test_NoiseDependsOnTheSeedAlone(void** state) {
    (void)state;
    double ends[4];
    for (int run = 0; run < 4; ++run) {
        Rig rig = MakeRig(g_none, g_none, g_level);
        hwInstrumentDef imu = Make(run == 2 ? "other" : "imu", HW_INSTRUMENT_IMU, 100.0);
        imu.noise = (hwNoiseDef){.sigma = 0.1, .bias = 0.5, .walk = 0.1, .time = 10.0};
        imu.latency = 0.03;
        imu.seed = run == 3 ? 8 : 7;
        Add(&rig, &imu);
        Prepare(&rig);
        int steps = run == 1 ? 50 : 100;
        for (int i = 0; i < steps; ++i) Step(&rig, 1.0 / steps);
        ends[run] = Read(&rig, run == 2 ? "other.gyro.x" : "imu.gyro.x");
        if (run == 0) {
            hwError error;
            size_t size = hwWorld_GetStateSize(rig.world);
            void* saved = malloc(size);
            assert_status(hwWorld_SaveState(rig.world, saved, size, &error), HW_OK);
            for (int i = 0; i < 50; ++i) Step(&rig, 0.01);
            double first = Read(&rig, "imu.gyro.y");
            uint64_t hash = hwWorld_HashState(rig.world);
            assert_status(hwWorld_RestoreState(rig.world, saved, size, &error), HW_OK);
            for (int i = 0; i < 50; ++i) Step(&rig, 0.01);
            assert_close(Read(&rig, "imu.gyro.y"), first, 0.0);
            assert_true(hwWorld_HashState(rig.world) == hash);
            free(saved);
        }
        hwDestroyWorld(rig.world);
    }
    assert_close(ends[0], ends[1], 1e-12); // the body is at rest: only rounding of its motion differs
    assert_true(fabs(ends[0] - ends[2]) > 1e-6);
    assert_true(fabs(ends[0] - ends[3]) > 1e-6);
}

static void test_MistakesAreNamed(void** state) {
    (void)state;
    Rig rig = MakeRig(g_none, g_none, g_level);
    hwError error;
    hwInstrumentDef def = Make("rov.imu", HW_INSTRUMENT_IMU, 10.0);
    assert_true(HW_IS_NULL(hwWorld_AddInstrument(rig.world, &def, &error)));
    assert_string_equal(error.message, "rov.imu: before the dot stands the name of the body that carries it");
    def.body = rig.body;
    def.rate = 0.0;
    assert_true(HW_IS_NULL(hwWorld_AddInstrument(rig.world, &def, &error)));
    assert_string_equal(error.message, "rov.imu: its rate is above 0 and at most 100000 Hz");
    assert_string_equal(error.field, "rate");
    def.rate = 10.0;
    def.noise.sigma = -1.0;
    assert_true(HW_IS_NULL(hwWorld_AddInstrument(rig.world, &def, &error)));
    def.noise.sigma = 0.0;
    hwInstrumentId id = hwWorld_AddInstrument(rig.world, &def, &error);
    assert_false(HW_IS_NULL(id));
    assert_true(HW_IS_NULL(hwWorld_AddInstrument(rig.world, &def, &error)));
    assert_string_equal(error.message, "rov.imu: there is already an instrument of this name");
    def.name = "cell";
    def.kind = HW_INSTRUMENT_LOAD_CELL;
    assert_true(HW_IS_NULL(hwWorld_AddInstrument(rig.world, &def, &error)));
    assert_true(hwInstrument_IsValid(rig.world, id));
    assert_status(hwWorld_RemoveBody(rig.world, rig.body, &error), HW_OK);
    assert_false(hwInstrument_IsValid(rig.world, id)); // it goes with its body
    hwDestroyWorld(rig.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ExactInstrumentsTellTheTruth),
        cmocka_unit_test(test_InertialUnitFeelsItsArm),
        cmocka_unit_test(test_CompassSeesIronAndDipoles),
        cmocka_unit_test(test_AllanDeviationIsThatOfTheDataSheet),
        cmocka_unit_test(test_DopplerErrorGrowsWithAltitude),
        cmocka_unit_test(test_BottomLockIsLostByRangeAndAngle),
        cmocka_unit_test(test_RateLatencyAndDropout),
        cmocka_unit_test(test_NoiseDependsOnTheSeedAlone),
        cmocka_unit_test(test_MistakesAreNamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
