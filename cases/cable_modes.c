// Natural frequencies of cables. Each run starts from the equilibrium that Prepare finds, displaced by a small mode of the
// continuous cable, and its period is read from the motion.
#define _XOPEN_SOURCE 700
#include "cases/cable_run.h"
#include "cases/irvine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_NODES 128

// A cable and one of its modes.
typedef struct Mode {
    const hwEnvironmentDef* environment;
    hwCableDef line;
    int elements;
    hwVec3 shape[MOST_NODES]; // m, displacement of each node
    int watched;              // node whose motion is timed
    int axis;                 // 0..2
    double period;            // s, expected
} Mode;

static void FindEquilibrium(hwCaseContext* context, const Mode* mode, hwVec3* positions) {
    hwCaseRun run;
    hwCableRun_Begin(&run, context, true, mode->environment, 0.0, true);
    hwCableId id = hwCaseRun_AddCable(&run, &mode->line);
    hwCaseRun_Prepare(&run);
    for (int i = 0; i <= mode->elements; ++i) positions[i] = hwCaseRun_ReadNode(&run, id, i);
    hwCaseRun_End(&run);
}

static void AddFrequency(hwCaseContext* context, const Mode* mode, const char* name, double tolerance) {
    hwVec3 positions[MOST_NODES];
    FindEquilibrium(context, mode, positions);
    double centre = (&positions[mode->watched].x)[mode->axis], value[2];
    for (int i = 0; i <= mode->elements; ++i) positions[i] = hwAdd(positions[i], mode->shape[i]);
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, mode->environment, realtime ? 0.0 : 1e-7, false);
        hwCableDef line = mode->line;
        line.shape = HW_CABLE_NODES;
        line.pointCount = mode->elements + 1;
        line.points = positions;
        hwCaseRun_AddCable(&run, &line);
        hwCaseRun_Prepare(&run);
        char channel[40];
        snprintf(channel, sizeof(channel), "line.node[%d].position.%c", mode->watched, "xyz"[mode->axis]);
        double interval = realtime ? 1.0 / 60.0 : mode->period / 40.0;
        value[realtime] =
            2.0 * HW_PI / hwCaseRun_FindPeriod(&run, channel, centre, interval, 3.6 * mode->period);
        hwCaseRun_End(&run);
    }
    hwCase_Compare(context, name, 2.0 * HW_PI / mode->period, HW_NO_SEED, value[0], value[1], tolerance, 0.01,
                   NULL);
}

// Hanging chain ------------------------------------------------------------------------------------------------------------

// Frequencies j_n/2 sqrt(g/L), shapes J0(j_n sqrt(1 - s/L)), j_n the zeros of J0 (Bernoulli 1732).
static void HangingChain(hwCaseContext* context) {
    static const double zeros[3] = {2.404825557695773, 5.520078110286311, 8.653727912911013};
    const double length = 100.0, amplitude = 0.05;
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    hwCableSectionDef section = hwMakeSection(length, 100, 0.02, 1.5, 1e8); // stretches by 1.5e-5 at most
    section.axialDamping = 1e4;
    hwCableEndDef freeEnd = {0};
    for (int n = 0; n < 3; ++n) {
        Mode mode = {.environment = &dry,
                     .line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), freeEnd),
                     .elements = 100,
                     .watched = 100,
                     .period = 4.0 * HW_PI / (zeros[n] * sqrt(9.81 / length))};
        double down = 0.0; // what the slope shortens
        for (int i = 0; i <= 100; ++i) {
            double x = amplitude * j0(zeros[n] * sqrt(1.0 - i / 100.0));
            if (i > 0) {
                double across = x - mode.shape[i - 1].x;
                down += 1.0 - sqrt(1.0 - across * across);
            }
            mode.shape[i] = hwMakeVec3(i == 0 ? 0.0 : x, 0.0, down);
        }
        char name[60];
        snprintf(name, sizeof(name), "frequency %d, 100 elements, rad/s", n + 1);
        AddFrequency(context, &mode, name, 1e-3);
    }
}

// Taut string --------------------------------------------------------------------------------------------------------------

// In material coordinates the speed of waves across is sqrt(T/(mu (1 + e))), along sqrt(EA/mu).
static void TautString(hwCaseContext* context) {
    const double length = 100.0, EA = 1e7, mass = 1.5, strain = 1e-4;
    hwCableSectionDef section = hwMakeSection(length, 100, 0.02, mass, EA);
    hwEnvironmentDef weightless = hwDefaultEnvironmentDef();
    weightless.gravity = 0.0;
    for (int n = 1; n <= 3; ++n) {
        hwVec3 end = hwMakeVec3(length * (1.0 + strain), 0.0, 0.0);
        Mode mode = {.environment = &weightless,
                     .line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), hwPinOnEarth(end)),
                     .elements = 100,
                     .watched = n == 2 ? 25 : 50,
                     .axis = 2,
                     .period = 2.0 * length / (n * sqrt(EA * strain / (mass * (1.0 + strain))))};
        for (int i = 1; i < 100; ++i) mode.shape[i].z = 1e-3 * sin(n * HW_PI * i / 100.0);
        char name[60];
        snprintf(name, sizeof(name), "frequency %d, 100 elements, rad/s", n);
        AddFrequency(context, &mode, name, 2e-3);
    }
}

// A bar held at one end: frequencies (n - 1/2) pi/L times the speed of waves along it, sqrt(EA/mu).
static void AxialWave(hwCaseContext* context) {
    const double length = 100.0, EA = 1e5, mass = 1.0;
    hwCableSectionDef section = hwMakeSection(length, 100, 0.02, mass, EA);
    hwEnvironmentDef weightless = hwDefaultEnvironmentDef();
    weightless.gravity = 0.0;
    for (int n = 1; n <= 2; ++n) {
        hwCableEndDef freeEnd = {.placed = true, .at = {length, 0.0, 0.0}};
        Mode mode = {.environment = &weightless,
                     .line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), freeEnd),
                     .elements = 100,
                     .watched = 100,
                     .axis = 0,
                     .period = 2.0 * length / ((n - 0.5) * sqrt(EA / mass))};
        for (int i = 1; i <= 100; ++i) mode.shape[i].x = 1e-3 * sin((n - 0.5) * HW_PI * i / 100.0);
        char name[60];
        snprintf(name, sizeof(name), "frequency %d, 100 elements, rad/s", n);
        AddFrequency(context, &mode, name, 1e-3);
    }
}

// Sagged cable -------------------------------------------------------------------------------------------------------------

// Small motions u in the plane, about the elastic catenary: with the change f of the tension vector,
//   f = (EA t t^T + T/(1 + e) (1 - t t^T)) du/ds,   df/ds = -mu w^2 u,   u = 0 at both ends.
// From the first end with two unit changes of f; at a natural frequency the displacements of the other end depend on one
// another.
typedef struct Sagged {
    const hwIrvine* catenary;
    double mass, frequency;
} Sagged;

static void SaggedSlope(const void* context, double s, const double* y, double* slope) {
    const Sagged* p = context;
    double x, z, tx, tz, T;
    hwIrvine_GetPoint(p->catenary, s, &x, &z, &tx, &tz, &T);
    double along = 1.0 / p->catenary->EA, across = (1.0 + T / p->catenary->EA) / T;
    double inertia = -p->mass * p->frequency * p->frequency;
    for (int k = 0; k < 2; ++k, y += 4, slope += 4) {
        double pull = tx * y[2] + tz * y[3];
        slope[0] = across * y[2] + (along - across) * pull * tx;
        slope[1] = across * y[3] + (along - across) * pull * tz;
        slope[2] = inertia * y[0];
        slope[3] = inertia * y[1];
    }
}

static double ShootSagged(const void* context, double frequency) {
    Sagged p = *(const Sagged*)context;
    p.frequency = frequency;
    double y[8] = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    hwCase_Integrate(SaggedSlope, &p, 8, 0.0, p.catenary->length, 400, y);
    return y[0] * y[5] - y[1] * y[4];
}

// Displacements at the nodes, the largest of `size`.
static void FillSagged(const Sagged* p, int elements, double size, hwVec3* shape) {
    double y[8] = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0}, end[8], largest = 0.0;
    memcpy(end, y, sizeof(y));
    hwCase_Integrate(SaggedSlope, p, 8, 0.0, p->catenary->length, 4 * elements, end);
    // a + b times the second column vanishes at the end
    double b = fabs(end[4]) > fabs(end[5]) ? -end[0] / end[4] : -end[1] / end[5];
    for (int i = 0; i <= elements; ++i) {
        shape[i] = hwMakeVec3(y[0] + b * y[4], 0.0, -(y[1] + b * y[5]));
        largest = fmax(largest, hwLength(shape[i]));
        double h = p->catenary->length / elements;
        if (i < elements) hwCase_Integrate(SaggedSlope, p, 8, i * h, (i + 1) * h, 4, y);
    }
    shape[elements] = hwVec3_zero;
    for (int i = 0; i <= elements; ++i) shape[i] = hwScale(size / largest, shape[i]);
}

static void SaggedCable(hwCaseContext* context) {
    const double mass = 12.0, length = 100.0;
    hwIrvine catenary = {.length = length, .weight = mass * 9.81 * length, .EA = 5e6, .x = 98.5, .z = -10.0};
    hwIrvine_Solve(&catenary);
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    hwCableSectionDef section = hwMakeSection(length, 100, 0.05, mass, catenary.EA);
    section.axialDamping = 1e4;
    Sagged sagged = {.catenary = &catenary, .mass = mass};
    double frequency = 0.3, step = 0.01;
    for (int n = 1; n <= 3; ++n) {
        double before = ShootSagged(&sagged, frequency);
        while (ShootSagged(&sagged, frequency + step) * before > 0.0) frequency += step;
        sagged.frequency = hwCase_FindRoot(ShootSagged, &sagged, frequency, frequency + step);
        frequency += 2.0 * step;
        Mode mode = {.environment = &dry,
                     .line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero),
                                        hwPinOnEarth(hwMakeVec3(catenary.x, 0.0, -catenary.z))),
                     .elements = 100,
                     .axis = 2,
                     .period = 2.0 * HW_PI / sagged.frequency};
        mode.line.shape = HW_CABLE_CATENARY_SHAPE;
        FillSagged(&sagged, 100, 5e-3, mode.shape);
        for (int i = 1; i < 100; ++i) {
            if (fabs(mode.shape[i].z) > fabs(mode.shape[mode.watched].z)) mode.watched = i;
        }
        char name[60];
        snprintf(name, sizeof(name), "frequency %d in the plane, 100 elements, rad/s", n);
        AddFrequency(context, &mode, name, 2e-3);
    }
}

const hwCase hwCableModeCases[] = {
    {"cable/hanging-chain", "Bernoulli 1732", "Frequencies of a chain that hangs from one end.",
     HangingChain},
    {"cable/taut-string", "wave equation", "Frequencies of a taut string.", TautString},
    {"cable/axial-wave", "wave equation", "Frequencies along a bar held at one end.", AxialWave},
    {"cable/sagged", "linearised about the elastic catenary", "Frequencies of a cable with little sag.",
     SaggedCable},
    {0},
};
