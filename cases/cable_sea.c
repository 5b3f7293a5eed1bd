// Cables on the bottom and in streams: equilibria from any start, and histories of forces by both solvers.
#include "cases/cable_run.h"
#include "cases/irvine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double g = 9.81;

// Mooring chain: 600 m, 90 mm, anchor 540 m away at 200 m depth, fairlead at 10 m depth -------------------------------------

static const double chainLength = 600.0, chainMass = 77.0, chainEA = 3.84e8, chainDiameter = 0.09;
static const double bottomStiffness = 1e6; // Pa/m: it sinks in by 7 mm

static double GetChainWeight(void) {
    return g * (chainMass - 1025.0 * 0.25 * HW_PI * chainDiameter * chainDiameter);
}

// Without friction the lying part carries the horizontal tension H: Irvine's catenary for the hanging length, level where it
// touches.
typedef struct Lying {
    double span, rise; // m
    double H, hanging; // N, m
} Lying;

static void GetHanging(const Lying* p, double* x, double* z) {
    hwIrvine c = {.length = p->hanging, .weight = GetChainWeight() * p->hanging, .EA = chainEA, .H = p->H};
    c.V = c.weight;
    hwIrvine_GetPoint(&c, p->hanging, x, z, NULL, NULL, NULL);
}

static double MissRise(const void* context, double hanging) {
    Lying p = *(const Lying*)context;
    double x, z;
    p.hanging = hanging;
    GetHanging(&p, &x, &z);
    return z - p.rise;
}

static double MissSpan(const void* context, double H) {
    Lying p = *(const Lying*)context;
    double x, z;
    p.H = H;
    p.hanging = hwCase_FindRoot(MissRise, &p, p.rise, chainLength);
    GetHanging(&p, &x, &z);
    return x + (chainLength - p.hanging) * (1.0 + H / chainEA) - p.span;
}

static hwEnvironmentDef MakeSea(const hwSignalTerm* current, double friction) {
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    if (current != NULL) sea.current.uniform = (hwSignal){1, current};
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = 200.0 + 0.5 * chainDiameter; // the chain's axis lies at 200 m
    sea.seabed.stiffness = bottomStiffness;
    sea.seabed.damping = 1e4;
    sea.seabed.friction = friction;
    return sea;
}

static hwCableSectionDef ChainSection(int elements) {
    hwCableSectionDef section = hwMakeSection(chainLength, elements, chainDiameter, chainMass, chainEA);
    section.compression = 0.0;
    section.axialDamping = 1e5;
    section.dragNormal = 1.4;
    section.dragTangential = 0.1;
    section.addedNormal = 1.0;
    return section;
}

static const hwVec3 anchor = {0.0, 0.0, -200.0}, fairlead = {540.0, 0.0, -10.0};

// Four starts: straight and stretched or slack, a catenary, a zigzag off the plane, an arch above the water.
enum { STARTS = 4 };

static hwVec3 FindFairleadForce(hwCaseContext* context, const hwEnvironmentDef* sea, int elements,
                                int start) {
    static const hwVec3 zigzag[5] = {
        {0, 0, -200}, {160, 20, -170}, {270, -20, -190}, {400, 20, -110}, {540, 0, -10}};
    static const hwVec3 arch[3] = {{0, 0, -200}, {300, 30, 10}, {540, 0, -10}};
    hwCaseRun run;
    hwCableRun_Begin(&run, context, true, sea, 0.0, true);
    hwCableSectionDef section = ChainSection(elements);
    hwCableDef line = hwMakeLine(&section, hwPinOnEarth(anchor), hwPinOnEarth(fairlead));
    line.shape = start == 0 ? HW_CABLE_STRAIGHT : start == 1 ? HW_CABLE_CATENARY_SHAPE : HW_CABLE_POINTS;
    line.pointCount = start == 2 ? 5 : start == 3 ? 3 : 0;
    line.points = start == 2 ? zigzag : start == 3 ? arch : NULL;
    hwCableId id = hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    hwVec3 force = hwCaseRun_ReadLoad(&run, id, 1);
    hwCaseRun_End(&run);
    return force;
}

static void MooringStatics(hwCaseContext* context) {
    static const char* starts[STARTS] = {"a straight line", "a catenary", "a zigzag",
                                         "an arch above the water"};
    Lying lying = {.span = fairlead.x, .rise = fairlead.z - anchor.z};
    lying.H = hwCase_FindRoot(MissSpan, &lying, 1e4, 1e6);
    lying.hanging = hwCase_FindRoot(MissRise, &lying, lying.rise, chainLength);
    double V = GetChainWeight() * lying.hanging;
    hwEnvironmentDef still = MakeSea(NULL, 0.0);
    char name[100];
    for (int k = 0; k < STARTS; ++k) {
        hwVec3 force = FindFairleadForce(context, &still, 100, k);
        snprintf(name, sizeof(name), "still water, from %s: force on the fairlead, N", starts[k]);
        hwCase_Compare(context, name, hypot(lying.H, V), HW_NO_SEED, hwLength(force), (double)NAN, 1e-3,
                       (double)NAN, k == 0 ? "catenary on a frictionless bottom; 100 elements" : NULL);
    }
    hwSignalTerm current = hwConstantTerm(hwMakeVec3(0.3, 1.0, 0.0));
    hwEnvironmentDef stream = MakeSea(&current, 0.5);
    hwVec3 first = FindFairleadForce(context, &stream, 100, 1);
    for (int k = 0; k < STARTS; ++k) {
        if (k == 1) continue;
        hwVec3 force = FindFairleadForce(context, &stream, 100, k);
        snprintf(name, sizeof(name), "stream, from %s: difference of that force, relative", starts[k]);
        hwCase_Compare(context, name, 0.0, HW_NO_SEED, hwDistance(force, first) / hwLength(first),
                       (double)NAN, 1e-5, (double)NAN, "from a catenary's");
    }
}

// Histories ----------------------------------------------------------------------------------------------------------------

#define MOST_SAMPLES 400

typedef struct History {
    int count;
    double value[MOST_SAMPLES];
    double balance, turnover; // J
} History;

// RMS difference over the RMS of the reference's varying part.
static double CompareHistories(const History* a, const History* b) {
    double mean = 0.0, varying = 0.0, off = 0.0;
    for (int i = 0; i < a->count; ++i) mean += a->value[i] / a->count;
    for (int i = 0; i < a->count; ++i) {
        varying += (a->value[i] - mean) * (a->value[i] - mean);
        off += (a->value[i] - b->value[i]) * (a->value[i] - b->value[i]);
    }
    return sqrt(off / varying);
}

static void RecordHistory(hwCaseRun* run, const char* channel, double interval, double from, double to,
                          History* h) {
    double start = hwCaseRun_Read(run, "world.energy.balance");
    for (int k = 1; k <= (int)lround(to / interval) && !run->failed; ++k) {
        hwCaseRun_Advance(run, interval);
        if (k * interval > from + 1e-9 && h->count < MOST_SAMPLES)
            h->value[h->count++] = hwCaseRun_Read(run, channel);
    }
    h->balance = hwCaseRun_Read(run, "world.energy.balance") - start;
    h->turnover = hwCaseRun_Read(run, "world.energy.dissipated");
    hwCaseRun_End(run);
}

static void AddHistoryRows(hwCaseContext* context, const char* what, const History* a, const History* b) {
    hwCase_Compare(context, what, 0.0, HW_NO_SEED, CompareHistories(a, b), (double)NAN, 1e-2, (double)NAN,
                   "realtime at 1/60 s against reference: RMS difference over the RMS of the varying part");
    hwCase_Compare(context, "energy not accounted for, of what is dissipated", 0.0, HW_NO_SEED,
                   a->balance / a->turnover, b->balance / b->turnover, 1e-3, 1e-2, NULL);
}

// The fairlead surges by 2 m in 10 s.
static void MooringSurge(hwCaseContext* context) {
    static History history[2];
    memset(history, 0, sizeof(history));
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwEnvironmentDef sea = MakeSea(NULL, 0.5);
        sea.seabed.stiffness = 1e5;
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, &sea, realtime ? 0.0 : 1e-6, true);
        hwCableSectionDef section = ChainSection(40);
        hwCableEndDef top = hwPinOnEarth(fairlead);
        hwSignalTerm path[2] = {hwConstantTerm(fairlead), hwSineTerm(hwMakeVec3(2.0, 0.0, 0.0), 10.0, 0.0)};
        top.path = (hwSignal){2, path};
        hwCableDef line = hwMakeLine(&section, hwPinOnEarth(anchor), top);
        line.shape = HW_CABLE_CATENARY_SHAPE;
        hwCaseRun_AddCable(&run, &line);
        hwCaseRun_Prepare(&run);
        RecordHistory(&run, "line.b.tension", 0.25, 5.0, 30.0, &history[realtime]);
    }
    AddHistoryRows(context, "fairlead force, 5 to 30 s", &history[0], &history[1]);
}

// 100 m of ROV tether, one end fixed, the other on a slow path in space, current 0.5 m/s.
static void TetherPath(hwCaseContext* context) {
    static History history[2];
    memset(history, 0, sizeof(history));
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwSignalTerm current = hwConstantTerm(hwMakeVec3(0.5, 0.0, 0.0));
        hwEnvironmentDef sea = hwDefaultEnvironmentDef();
        sea.water = true;
        sea.current.uniform = (hwSignal){1, &current};
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, &sea, realtime ? 0.0 : 1e-6, true);
        const double diameter = 0.0076;
        hwCableSectionDef section =
            hwMakeSection(100.0, 50, diameter, 1025.0 * 0.25 * HW_PI * diameter * diameter, 1e5);
        section.compression = 1e-3;
        section.EI = 0.5;
        section.axialDamping = 100.0;
        section.dragNormal = 1.2;
        section.dragTangential = 0.01;
        section.addedNormal = 1.0;
        hwVec3 centre = hwMakeVec3(60.0, 0.0, -60.0);
        hwSignalTerm path[2] = {hwConstantTerm(centre), hwDefaultSignalTerm()};
        path[1].kind = HW_SIGNAL_SINE;
        path[1].amplitude = hwMakeVec3(8.0, 12.0, 6.0);
        path[1].period = hwMakeVec3(120.0, 100.0, 80.0);
        hwCableEndDef moved = hwPinOnEarth(centre);
        moved.path = (hwSignal){2, path};
        hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwMakeVec3(0.0, 0.0, -10.0)), moved);
        hwCaseRun_AddCable(&run, &line);
        hwCaseRun_Prepare(&run);
        RecordHistory(&run, "line.a.tension", 0.5, 10.0, 60.0, &history[realtime]);
    }
    AddHistoryRows(context, "force on the fixed end, 10 to 60 s", &history[0], &history[1]);
}

// Current on a grid, and in the lee of a pile -----------------------------------------------------------------------------

// Linear in x and in depth: on a grid exact, here as a function.
static hwVec3 GetShear(double x, double depth) {
    return hwMakeVec3(0.2, (0.4 + 0.01 * x) * (1.2 - 0.01 * depth), 0.0);
}

static void AddShear(int count, const hwVec3* points, double time, hwVec3* velocity, hwVec3* acceleration,
                     void* context) {
    (void)time;
    (void)context;
    for (int i = 0; i < count; ++i) {
        hwVec3 u = GetShear(points[i].x, -points[i].z);
        velocity[i] = hwAdd(velocity[i], u);
        // (u . grad) u
        acceleration[i].y += u.x * 0.01 * (1.2 + 0.01 * points[i].z);
    }
}

// A tether across a sheared current that changes along it.
static void CurrentGrid(hwCaseContext* context) {
    const double x[3] = {-10.0, 40.0, 120.0}, depth[3] = {0.0, 30.0, 120.0}, zero = 0.0;
    hwVec3 velocities[9], forces[2];
    for (int i = 0; i < 9; ++i) velocities[i] = GetShear(x[i % 3], depth[i / 3]);
    for (int grid = 0; grid < 2; ++grid) {
        hwEnvironmentDef sea = hwDefaultEnvironmentDef();
        sea.water = true;
        if (grid) {
            sea.current.grid = (hwFlowGridDef){3, 1, 3, 1, x, &zero, depth, &zero, velocities};
        } else {
            sea.current.function = AddShear;
        }
        hwCaseRun run;
        hwCableRun_Begin(&run, context, false, &sea, 0.0, true);
        hwCableSectionDef section = hwMakeSection(110.0, 60, 0.02, 0.4, 1e6);
        section.dragNormal = 1.2;
        section.dragTangential = 0.01;
        hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwMakeVec3(0.0, 0.0, -5.0)),
                                     hwPinOnEarth(hwMakeVec3(60.0, 20.0, -80.0)));
        line.shape = HW_CABLE_CATENARY_SHAPE;
        hwCableId cable = hwCaseRun_AddCable(&run, &line);
        hwCaseRun_Prepare(&run);
        forces[grid] = hwCaseRun_ReadLoad(&run, cable, 0);
        hwCaseRun_End(&run);
    }
    hwCase_Compare(context, "force at the upper end, x, N", forces[0].x, HW_NO_SEED, forces[1].x, (double)NAN,
                   1e-9, (double)NAN, "grid against function: rounding, as far as statics goes on");
    hwCase_Compare(context, "force at the upper end, y, N", forces[0].y, HW_NO_SEED, forces[1].y, (double)NAN,
                   1e-9, (double)NAN, NULL);
}

// A taut upright wire ten diameters behind a pile: its drag is that of the current left there.
static void LeeOfAPile(hwCaseContext* context) {
    const double rho = 1025.0, diameter = 0.02, length = 50.0, speed = 1.0;
    static const hwLeeDef pile = {HW_LEE_WAKE, {0, 0, -200}, {0, 0, 20}, 2.0, {{0, 0, 0}, {0, 0, 0}},
                                  1.0,         0.0};
    const double left[2] = {1.0, 1.0 - sqrt(1.0 / 14.0)}; // s = 10 D + 4 D
    for (int lee = 0; lee < 2; ++lee) {
        hwSignalTerm current = hwConstantTerm(hwMakeVec3(speed, 0.0, 0.0));
        hwEnvironmentDef sea = hwDefaultEnvironmentDef();
        sea.water = true;
        sea.current.uniform = (hwSignal){1, &current};
        sea.leeCount = lee;
        sea.lees = &pile;
        hwCaseRun run;
        hwCableRun_Begin(&run, context, false, &sea, 0.0, true);
        hwCableSectionDef section =
            hwMakeSection(length, 40, diameter, rho * 0.25 * HW_PI * diameter * diameter, 1e9);
        section.dragNormal = 1.2;
        hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwMakeVec3(20.0, 0.0, -10.0)),
                                     hwPinOnEarth(hwMakeVec3(20.0, 0.0, -10.0 - 1.001 * length)));
        hwCableId cable = hwCaseRun_AddCable(&run, &line);
        hwCaseRun_Prepare(&run);
        double force = hwCaseRun_ReadLoad(&run, cable, 0).x + hwCaseRun_ReadLoad(&run, cable, 1).x;
        double exact = 0.5 * rho * 1.2 * diameter * 1.001 * length * speed * speed * left[lee] * left[lee];
        hwCase_Compare(context, lee ? "drag in the lee, N" : "drag in the open, N", exact, HW_NO_SEED,
                       fabs(force), (double)NAN, 1e-3, (double)NAN,
                       "wires sag by 3 mm; drag counts by the length when unstretched, 0.1 % less");
        hwCaseRun_End(&run);
    }
}

const hwCase hwCableSeaCases[] = {
    {"cable/mooring-statics", "Irvine 1981", "A mooring chain settles from any start, in a stream too.",
     MooringStatics},
    {"cable/mooring-surge", "both solvers", "A mooring chain whose fairlead surges.", MooringSurge},
    {"cable/tether", "both solvers", "A tether in a stream, one end on a slow path.", TetherPath},
    {"cable/current-grid", "quadrilinear interpolation",
     "A tether in a current on a grid, and by a function.", CurrentGrid},
    {"cable/lee", "Huse 1993, OTC 7237", "A wire in the wake of a pile.", LeeOfAPile},
    {0},
};
