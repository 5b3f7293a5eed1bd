// Anchors at the level of the bottom: what a mooring line, or a pipe that is clamped there, does to what holds its end.
#include "cases/cable_run.h"
#include "cases/irvine.h"

#include <math.h>
#include <stdio.h>

static const double g = 9.81, density = 1025.0;

// The mooring line of the spar of Jonkman (2010, NREL/TP-500-47535, table 5-1): 902.2 m of chain on a bottom at 320 m.
enum { lineLength = 9022 }; // dm
static const double diameter = 0.09, massPerLength = 77.7066, EA = 384.243e6, floorDepth = 320.0,
                    fairleadHeight = 250.0;

static double GetWeight(void) {
    return g * (massPerLength - density * 0.25 * HW_PI * diameter * diameter); // N/m in water
}

static hwEnvironmentDef MakeBottom(double depth) {
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = density;
    sea.gravity = g;
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = depth;
    sea.seabed.stiffness = 3e6;
    sea.seabed.friction = 0.0;
    return sea;
}

// A line that lies on a rigid bottom near the anchor, without friction (Jonkman 2007, equations 2-37 and 2-38). With V
// carried at the fairlead, for a pull H
//   z = (H/w) (sqrt(1 + (V/H)^2) - 1) + V^2/(2 EA w),  x = L - V/w + (H/w) asinh(V/H) + H L/EA.
typedef struct Lying {
    double weight, length, x, z;
    double H;
} Lying;

static double LyingHeight(const void* context, double V) {
    const Lying* p = context;
    double H = p->H;
    return H / p->weight * (sqrt(1.0 + V * V / (H * H)) - 1.0) + V * V / (2.0 * EA * p->weight) - p->z;
}

static double LyingReach(const void* context, double H) {
    Lying p = *(const Lying*)context;
    p.H = H;
    double V = hwCase_FindRoot(LyingHeight, &p, 0.0, p.weight * p.length);
    return p.length - V / p.weight + H / p.weight * asinh(V / H) + H * p.length / EA - p.x;
}

static hwVec3 HoldAnchor(hwCaseContext* context, bool reference, int elements, double ahead,
                         double* tension) {
    hwEnvironmentDef sea = MakeBottom(floorDepth);
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, &sea, 0.0, true);
    hwCableSectionDef section = hwMakeSection(0.1 * lineLength, elements, diameter, massPerLength, EA);
    hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwMakeVec3(0.0, 0.0, -floorDepth)),
                                 hwPinOnEarth(hwMakeVec3(ahead, 0.0, fairleadHeight - floorDepth)));
    line.shape = HW_CABLE_CATENARY_SHAPE;
    hwCableId id = hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    if (!reference) hwCaseRun_Advance(&run, 1.0);
    hwVec3 load = hwCaseRun_ReadLoad(&run, id, 0);
    *tension = hwCaseRun_Read(&run, "line.a.tension");
    hwCaseRun_End(&run);
    return load;
}

static void LyingLine(hwCaseContext* context) {
    const int meshes[3] = {20, 80, 320};
    // second order in the length of an element where the line leaves the bottom; 1.6e-3 with 20 elements
    const double bars[3] = {2e-3, 2e-4, 1e-4};
    Lying exact = {.weight = GetWeight(), .length = 0.1 * lineLength, .x = 848.67, .z = fairleadHeight};
    double H = hwCase_FindRoot(LyingReach, &exact, 1e4, 1e7);
    for (int i = 0; i < 3; ++i) {
        double found, later;
        hwVec3 load = HoldAnchor(context, true, meshes[i], exact.x, &found);
        hwVec3 then = HoldAnchor(context, false, meshes[i], exact.x, &later);
        char name[80];
        snprintf(name, sizeof(name), "lying, %d elements: tension at the anchor, N", meshes[i]);
        hwCase_Compare(context, name, H, HW_NO_SEED, found, later, bars[i], bars[i], NULL);
        snprintf(name, sizeof(name), "lying, %d elements: vertical force over the tension", meshes[i]);
        hwCase_Compare(context, name, 0.0, HW_NO_SEED, load.z / H, then.z / H, 1e-4, 1e-4,
                       "the bed rises by half a diameter over the line's length, 5e-5");
    }
}

// The same line pulled so far that nothing of it lies: the bottom must not carry any of it.
static void LiftedLine(hwCaseContext* context) {
    hwIrvine c = {.length = 0.1 * lineLength,
                  .weight = 0.1 * lineLength * GetWeight(),
                  .EA = EA,
                  .x = 872.0,
                  .z = -fairleadHeight};
    hwIrvine_Solve(&c);
    const int meshes[2] = {20, 80};
    const double bars[2] = {2e-3, 2e-4}; // second order in the length of an element
    for (int i = 0; i < 2; ++i) {
        double found, later;
        hwVec3 load = HoldAnchor(context, true, meshes[i], c.x, &found);
        hwVec3 then = HoldAnchor(context, false, meshes[i], c.x, &later);
        char name[80];
        snprintf(name, sizeof(name), "lifted, %d elements: pull along, N", meshes[i]);
        hwCase_Compare(context, name, c.H, HW_NO_SEED, load.x, then.x, bars[i], bars[i], NULL);
        snprintf(name, sizeof(name), "lifted, %d elements: pull up, N", meshes[i]);
        hwCase_Compare(context, name, -c.V, HW_NO_SEED, load.z, then.z, bars[i], bars[i], NULL);
    }
}

// A pipe clamped level at the bottom and pulled off it by a force at its other end. With the angle a above the level,
// the force there (H, V) known, and V(s) = V - w (L - s) carried at s,
//   EI a' = M,  M' = (H sin a - V(s) cos a)(1 + e),  M(L) = 0,  e = (H cos a + V(s) sin a)/EA.
typedef struct Pipe {
    double weight, EI, length, H, V;
} Pipe;

static void PipeSlope(const void* context, double s, const double* y, double* slope) {
    const Pipe* p = context;
    double V = p->V - p->weight * (p->length - s);
    double stretch = 1.0 + (p->H * cos(y[0]) + V * sin(y[0])) / EA;
    slope[0] = y[1] / p->EI;
    slope[1] = (p->H * sin(y[0]) - V * cos(y[0])) * stretch;
}

// Positive where the moment at the clamp is too large. Off the right one the solution grows as exp(s sqrt(H/EI)), so it is
// followed until it has turned down or gone upright.
static double ShootPipe(const void* context, double moment) {
    const Pipe* p = context;
    double y[2] = {0.0, moment}, piece = p->length / 300.0;
    for (int i = 0; i < 300; ++i) {
        hwCase_Integrate(PipeSlope, p, 2, i * piece, (i + 1) * piece, 20, y);
        if (y[1] < 0.0 || y[0] > 1.5) break;
    }
    return y[1];
}

static void ClampedPipe(hwCaseContext* context) {
    Pipe p = {.weight = GetWeight(), .EI = 4e5, .length = 30.0, .H = 1e5, .V = 1.3 * GetWeight() * 30.0};
    double exact = hwCase_FindRoot(ShootPipe, &p, 0.0, 1e5), found[2], curvature[2];
    hwEnvironmentDef sea = MakeBottom(50.0);
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, &sea, 0.0, true);
        hwCableSectionDef section = hwMakeSection(p.length, 300, diameter, massPerLength, EA);
        section.EI = p.EI;
        hwCableEndDef clamp =
            hwClampOnEarth(hwMakeVec3(0.0, 0.0, -50.0), hwMakeVec3(1, 0, 0), hwMakeVec3(0, 1, 0));
        hwCableEndDef freeEnd = {.placed = true, .at = {p.length, 0.0, -49.0}};
        hwCableDef line = hwMakeLine(&section, clamp, freeEnd);
        hwCableId id = hwCaseRun_AddCable(&run, &line);
        hwCaseRun_PushCable(&run, id, p.length, hwMakeVec3(p.H, 0.0, p.V));
        hwCaseRun_Prepare(&run);
        if (realtime) hwCaseRun_Advance(&run, 1.0);
        found[realtime] = fabs(hwCaseRun_Read(&run, "line.a.moment.y"));
        curvature[realtime] = fabs(hwCaseRun_Read(&run, "line.node[0].curvature.y"));
        hwCaseRun_End(&run);
    }
    // the bottom still carries the first few millimetres, down to which the bed was laid for the weight
    hwCase_Compare(context, "clamped: moment, N m", exact, HW_NO_SEED, found[0], found[1], 0.01, 0.01,
                   "300 elements; the bed yields by 2.6 mm");
    hwCase_Compare(context, "clamped: curvature, 1/m", exact / p.EI, HW_NO_SEED, curvature[0], curvature[1],
                   0.01, 0.01, "300 elements");
}

static void Anchors(hwCaseContext* context) {
    LyingLine(context);
    LiftedLine(context);
    ClampedPipe(context);
}

const hwCase hwAnchorCases[] = {
    {"cable/anchor", "Jonkman 2007; Irvine 1981; boundary-value problem",
     "Forces and moments on an anchor at the bottom's level: the line lying there, lifted off, and a pipe "
     "clamped.",
     Anchors},
    {0},
};
