// Instruments: statistics of their errors against data sheets, and against what geometry makes of them.
#include "cases/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GRAVITY 9.81

// A body at rest, neutrally buoyant, 100 m down.
static hwBodyId AddBody(hwCaseRun* run) {
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "rov";
    def.mass = 10.0;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = 1.0;
    def.position = hwMakeVec3(0.0, 0.0, -100.0);
    def.hydro.volume = 10.0 / 1025.0;
    return hwCaseRun_AddBody(run, &def);
}

static hwEnvironmentDef MakeSea(double depth) {
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = 1025.0;
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = depth;
    return sea;
}

static void AddInstrument(hwCaseRun* run, const hwInstrumentDef* def) {
    if (run->failed) return;
    run->failed = HW_IS_NULL(hwWorld_AddInstrument(run->world, def, &run->error));
}

// Allan deviation of `count` samples in groups of m (IEEE 952, overlapping groups).
static double ComputeAllan(const double* x, int count, int m) {
    double sum = 0.0, first = 0.0, second = 0.0;
    int number = 0;
    for (int i = 0; i < m; ++i) {
        first += x[i];
        second += x[m + i];
    }
    for (int i = 0; i + 2 * m <= count; ++i) {
        sum += (second - first) * (second - first) / m / m;
        number += 1;
        if (i + 2 * m == count) break;
        first += x[i + m] - x[i];
        second += x[i + 2 * m] - x[i + m];
    }
    return sqrt(0.5 * sum / number);
}

#define SAMPLES 72000 // two hours at 10 Hz

static void ImuAllan(hwCaseContext* context) {
    static double gyro[SAMPLES], accel[SAMPLES], drift[SAMPLES];
    const double gyroDensity = 0.004 * HW_DEGREE, accelDensity = 100e-6 * GRAVITY, walk = 1e-5;
    hwCaseRun run;
    hwEnvironmentDef sea = MakeSea(200.0);
    hwCaseRun_Begin(&run, context, false, &sea, 0.0);
    hwInstrumentDef imu = hwDefaultInstrumentDef();
    imu.name = "imu";
    imu.kind = HW_INSTRUMENT_IMU;
    imu.body = AddBody(&run);
    imu.rate = 10.0;
    imu.noise.density = gyroDensity;
    imu.second.density = accelDensity;
    AddInstrument(&run, &imu);
    imu.name = "drift";
    imu.noise = (hwNoiseDef){.walk = walk, .time = (double)INFINITY};
    AddInstrument(&run, &imu);
    hwCaseRun_Prepare(&run);
    int channels[3] = {-1, -1, -1};
    static const char* const names[3] = {"imu.gyro.z", "imu.accel.x", "drift.gyro.x"};
    for (int i = 0; i < 3 && !run.failed; ++i) channels[i] = hwWorld_FindChannel(run.world, names[i]);
    for (int i = 0; i < SAMPLES && !run.failed; ++i) {
        run.failed = hwWorld_Step(run.world, 0.1, &run.error) < HW_OK;
        gyro[i] = hwWorld_ReadChannel(run.world, channels[0]);
        accel[i] = hwWorld_ReadChannel(run.world, channels[1]);
        drift[i] = hwWorld_ReadChannel(run.world, channels[2]);
    }
    hwCaseRun_End(&run);
    if (run.failed) return;
    // 7200 s: at tau the estimate has about 1.5 7200 / tau degrees of freedom, a relative deviation of 1 / sqrt(2 x that)
    static const char note[] = "tolerance: four standard deviations of an estimate from two hours";
    static const double times[3] = {0.1, 1.0, 10.0};
    for (int i = 0; i < 3; ++i) {
        char quantity[96];
        int m = (int)lround(10.0 * times[i]);
        double tolerance = 4.0 / sqrt(3.0 * 7200.0 / times[i]);
        snprintf(quantity, sizeof(quantity), "gyro at %g s, deg/s", times[i]);
        hwCase_Check(context, HW_MADE_REALTIME, quantity, gyroDensity / sqrt(times[i]) / HW_DEGREE,
                     ComputeAllan(gyro, SAMPLES, m) / HW_DEGREE, tolerance, note);
        snprintf(quantity, sizeof(quantity), "accelerometer at %g s, mg", times[i]);
        hwCase_Check(context, HW_MADE_REALTIME, quantity, 1e3 * accelDensity / GRAVITY / sqrt(times[i]),
                     1e3 * ComputeAllan(accel, SAMPLES, m) / GRAVITY, tolerance, note);
    }
    hwCase_Check(context, HW_MADE_REALTIME, "rate random walk at 100 s, deg/s",
                 walk * sqrt(100.0 / 3.0) / HW_DEGREE, ComputeAllan(drift, SAMPLES, 1000) / HW_DEGREE,
                 4.0 / sqrt(2.0 * 72.0), "K sqrt(tau / 3); 72 independent spans, four standard deviations");
}

#define PINGS 8000

static void DvlAltitude(hwCaseContext* context) {
    static const double altitudes[4] = {2.0, 10.0, 25.0, 45.0};
    const double theta = 22.5 * HW_DEGREE, sigma = 0.001, byRange = 2e-4;
    for (int i = 0; i < 4; ++i) {
        hwCaseRun run;
        hwEnvironmentDef sea = MakeSea(100.0 + altitudes[i]);
        hwCaseRun_Begin(&run, context, false, &sea, 0.0);
        hwInstrumentDef dvl = hwDefaultInstrumentDef();
        dvl.name = "dvl";
        dvl.kind = HW_INSTRUMENT_DVL;
        dvl.body = AddBody(&run);
        dvl.rate = 10.0;
        dvl.seed = (uint64_t)i;
        dvl.noise.sigma = sigma;
        dvl.beamByRange = byRange;
        AddInstrument(&run, &dvl);
        hwCaseRun_Prepare(&run);
        double across = 0.0, along = 0.0, worst = 0.0;
        int channels[3] = {-1, -1, -1};
        static const char* const names[3] = {"dvl.velocity.x", "dvl.velocity.z", "dvl.altitude"};
        for (int k = 0; k < 3 && !run.failed; ++k) channels[k] = hwWorld_FindChannel(run.world, names[k]);
        for (int k = 0; k < PINGS && !run.failed; ++k) {
            run.failed = hwWorld_Step(run.world, 0.1, &run.error) < HW_OK;
            double x = hwWorld_ReadChannel(run.world, channels[0]);
            double z = hwWorld_ReadChannel(run.world, channels[1]);
            across += x * x / PINGS;
            along += z * z / PINGS;
            worst = fmax(worst, fabs(hwWorld_ReadChannel(run.world, channels[2]) - altitudes[i]));
        }
        hwCaseRun_End(&run);
        if (run.failed) return;
        double beam = sigma + byRange * altitudes[i] / cos(theta);
        char quantity[96];
        static const char note[] = "from 8000 pings, to four standard deviations: 4 / sqrt(2 x 8000)";
        snprintf(quantity, sizeof(quantity), "across, %g m above the bottom, mm/s", altitudes[i]);
        hwCase_Check(context, HW_MADE_REALTIME, quantity, 1e3 * beam / (sqrt(2.0) * sin(theta)),
                     1e3 * sqrt(across), 4.0 / sqrt(2.0 * PINGS), note);
        snprintf(quantity, sizeof(quantity), "along its axis, %g m above the bottom, mm/s", altitudes[i]);
        hwCase_Check(context, HW_MADE_REALTIME, quantity, 1e3 * beam / (2.0 * cos(theta)), 1e3 * sqrt(along),
                     4.0 / sqrt(2.0 * PINGS), note);
        snprintf(quantity, sizeof(quantity), "error of the height, %g m above the bottom, m", altitudes[i]);
        hwCase_Check(context, HW_MADE_REALTIME, quantity, 0.0, worst, 1e-6, NULL);
    }
}

// Sonar ------------------------------------------------------------------------------------------------------------------

// Where the echo of a ball, a pile and a tether is strongest, in the order of their bearings.
static void SonarTargets(hwCaseContext* context) {
    enum { BEAMS = 256, BINS = 512, TARGETS = 3 };
    static float image[BEAMS * BINS];
    static const char* const names[TARGETS] = {"ball", "pile", "tether"};
    const double bearings[TARGETS] = {-40.0 * HW_DEGREE, 5.0 * HW_DEGREE, 35.0 * HW_DEGREE};
    const double distances[TARGETS] = {9.0, 17.0, 6.0}, radii[TARGETS] = {0.4, 0.6, 0.0038};
    hwCaseRun run;
    hwCaseRun_Begin(&run, context, false, NULL, 0.0);
    for (int i = 0; i < 2; ++i) {
        hwShapeDef shape = hwDefaultShapeDef();
        shape.kind = i == 0 ? HW_SHAPE_SPHERE : HW_SHAPE_CYLINDER;
        shape.radius = radii[i];
        shape.length = 20.0;
        hwBodyDef def = hwDefaultBodyDef();
        def.name = names[i];
        def.motion = HW_MOTION_FIXED;
        def.position = hwMakeVec3(distances[i] * cos(bearings[i]), -distances[i] * sin(bearings[i]), 0.0);
        def.shapeCount = 1;
        def.shapes = &shape;
        hwCaseRun_AddBody(&run, &def);
    }
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 10;
    section.diameter = 2.0 * radii[2];
    section.massPerLength = 0.05;
    section.EA = 5e4;
    hwCableDef cable = hwDefaultCableDef();
    cable.name = names[2];
    cable.sectionCount = 1;
    cable.sections = &section;
    for (int e = 0; e < 2; ++e) {
        cable.ends[e].joint = HW_ATTACH_PIN;
        cable.ends[e].at = hwMakeVec3(distances[2] * cos(bearings[2]), -distances[2] * sin(bearings[2]),
                                      e == 0 ? 5.0 : -5.0);
    }
    if (!run.failed) run.failed = HW_IS_NULL(hwWorld_AddCable(run.world, &cable, &run.error));
    hwCaseRun_Prepare(&run);
    hwSonarDef sonar = hwDefaultSonarDef();
    sonar.speckle = sonar.floor = 0.0;
    if (!run.failed)
        run.failed = hwWorld_UpdateQueries(run.world, &run.error) != HW_OK ||
                     hwWorld_PingSonar(run.world, &sonar, 0, image, &run.error) != HW_OK;
    hwCaseRun_End(&run);
    if (run.failed) return;
    for (int i = 0; i < TARGETS; ++i) {
        int best = -1;
        for (int k = 0; k < BEAMS * BINS; ++k) {
            bool near = fabs(hwSonar_GetBearing(&sonar, k / BINS) - bearings[i]) < 10.0 * HW_DEGREE;
            if (near && (best < 0 || image[k] > image[best])) best = k;
        }
        char quantity[96];
        double bearing = hwSonar_GetBearing(&sonar, best / BINS),
               range = hwSonar_GetRange(&sonar, best % BINS);
        snprintf(quantity, sizeof(quantity), "%s: range, m", names[i]);
        hwCase_Check(context, HW_MADE_DIRECT, quantity, distances[i] - radii[i], range,
                     (sonar.most - sonar.least) / BINS / (distances[i] - radii[i]),
                     "tolerance: a bin, 58 mm");
        snprintf(quantity, sizeof(quantity), "%s: bearing, deg", names[i]);
        hwCase_Check(context, HW_MADE_DIRECT, quantity, bearings[i] / HW_DEGREE, bearing / HW_DEGREE,
                     fabs(sonar.beamWidth / bearings[i]), "tolerance: the width of a beam");
    }
}

const hwCase hwInstrumentCases[] = {
    {"instruments/imu-allan",
     "TDK InvenSense, ICM-20602 data sheet DS-000176 (2016): 0.004 deg/s/sqrt(Hz), 100 ug/sqrt(Hz); IEEE Std "
     "952-1997, annex C: "
     "N / sqrt(tau) and K sqrt(tau / 3)",
     "Allan deviation of a gyro and an accelerometer at rest over two hours.", ImuAllan},
    {"instruments/dvl-altitude",
     "least squares of four beams at an angle theta from the axis: e / (sqrt(2) sin(theta)) across, e / (2 "
     "cos(theta)) along",
     "Standard deviation of a Doppler log's velocity by its height above the bottom.", DvlAltitude},
    {"instruments/sonar-targets", "geometry",
     "A ball, a pile and a tether before a multibeam sonar of 256 beams and 512 bins.", SonarTargets},
    {NULL, NULL, NULL, NULL},
};
