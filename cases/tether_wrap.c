// Tethers of the model `wrap`: lengths, catenaries, the settled dynamic tether, and where it slips round a pile.
#include "cases/cable_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DENSITY 1025.0
#define DIAMETER 0.0076
#define DRAG 1.2
#define LENGTH 40.0
#define NODES 40 // of the dynamic tether

static hwCableSectionDef MakeTether(double length, double relative) {
    double mass = relative * DENSITY * HW_PI / 4.0 * DIAMETER * DIAMETER;
    hwCableSectionDef section = hwMakeSection(length, NODES, DIAMETER, mass, 5e4);
    section.dragNormal = DRAG;
    section.dragTangential = 0.0;
    section.axialDamping = 100.0;
    return section;
}

static hwEnvironmentDef MakeSea(const hwSignalTerm* stream) {
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = DENSITY;
    if (stream != NULL) sea.current.uniform = (hwSignal){1, stream};
    return sea;
}

typedef struct Width {
    double across, root; // 2 a sinh(across / 2 a) = root
} Width;

static double GetWidthError(const void* context, double a) {
    const Width* w = context;
    return 2.0 * a * sinh(0.5 * w->across / a) - w->root;
}

// Weight alone, 1.3 times as heavy as water.
static void WrapCatenary(hwCaseContext* context) {
    const hwVec3 a = {0.0, 0.0, -5.0}, b = {24.0, 7.0, -17.0};
    hwEnvironmentDef sea = MakeSea(NULL);
    hwCaseRun run;
    hwCableRun_Begin(&run, context, false, &sea, 0.0, false);
    hwCableSectionDef section = MakeTether(LENGTH, 1.3);
    hwCableDef def = hwMakeLine(&section, hwPinOnEarth(a), hwPinOnEarth(b));
    def.kind = HW_CABLE_WRAP;
    hwCaseRun_AddCable(&run, &def);
    hwCaseRun_Prepare(&run);
    hwCaseRun_Advance(&run, 1.0);
    double w = 0.3 * DENSITY * HW_PI / 4.0 * DIAMETER * DIAMETER * sea.gravity, across = hypot(24.0, 7.0);
    Width width = {across, sqrt(LENGTH * LENGTH - 144.0)};
    double scale = hwCase_FindRoot(GetWidthError, &width, 0.1 * across, 1000.0 * across);
    double middle = atanh(-12.0 / LENGTH), half = 0.5 * across / scale;
    double top = w * scale * cosh(middle - half), low = w * scale * cosh(middle + half);
    double ends[2] = {hwCaseRun_Read(&run, "line.a.tension"), hwCaseRun_Read(&run, "line.b.tension")};
    double length = hwCaseRun_Read(&run, "line.wrap.length");
    hwCaseRun_End(&run);
    // stretch of 5 N over EA = 50 kN: 1e-4 of the length
    hwCase_Check(context, HW_MADE_REALTIME, "tension at the upper end, N", top, ends[0], 1e-3, "closed form");
    hwCase_Check(context, HW_MADE_REALTIME, "tension at the lower end, N", low, ends[1], 1e-3, "closed form");
    hwCase_Check(context, HW_MADE_REALTIME, "length, m", LENGTH, length, 1e-9, NULL);
}

// Neutral, without drag along it, in a stream: where the dynamic tether comes to rest.
static void WrapCurrent(hwCaseContext* context) {
    hwSignalTerm stream = hwConstantTerm(hwMakeVec3(0.5, 0.0, 0.0));
    hwEnvironmentDef sea = MakeSea(&stream);
    hwCaseRun run;
    hwCableRun_Begin(&run, context, false, &sea, 0.0, true);
    hwCableSectionDef section = MakeTether(LENGTH, 1.0);
    hwCableDef def = hwMakeLine(&section, hwPinOnEarth(hwMakeVec3(0.0, 0.0, -20.0)),
                                hwPinOnEarth(hwMakeVec3(10.0, 28.0, -24.0)));
    def.name = "dynamic";
    hwCableId moving = hwCaseRun_AddCable(&run, &def);
    def.name = "wrap";
    def.kind = HW_CABLE_WRAP;
    hwCableId wrapped = hwCaseRun_AddCable(&run, &def);
    hwCaseRun_Prepare(&run);
    hwCaseRun_Advance(&run, 60.0);
    double most = 0.0;
    for (int i = 0; i <= NODES && !run.failed; ++i) {
        hwCablePointState p, q;
        double at = LENGTH * i / NODES;
        run.failed = hwCable_GetPoint(run.world, moving, at, &p, &run.error) != HW_OK ||
                     hwCable_GetPoint(run.world, wrapped, at, &q, &run.error) != HW_OK;
        if (!run.failed) most = fmax(most, hwDistance(p.position, q.position));
    }
    double ends[2] = {hwCaseRun_Read(&run, "dynamic.b.tension"), hwCaseRun_Read(&run, "wrap.b.tension")};
    hwCaseRun_End(&run);
    char note[80];
    snprintf(note, sizeof(note), "farthest apart: %.3g m of %.0f m", most, LENGTH);
    hwCase_Check(context, HW_MADE_REALTIME, "length less the distance from the dynamic tether, m", LENGTH,
                 LENGTH - most, 2e-3, note);
    // the end node of the dynamic tether bears half an element itself
    hwCase_Check(context, HW_MADE_REALTIME, "tension at the vehicle, N", ends[0], ends[1], 1e-2,
                 "the dynamic tether's in place of the exact one");
}

// Half round a pile of 0.4 m, pulled at one end until it slips.
static void WrapCapstan(hwCaseContext* context) {
    const double friction = 0.3, rho = 0.2 + 0.5 * DIAMETER;
    hwEnvironmentDef sea = MakeSea(NULL);
    hwCaseRun run;
    hwCableRun_Begin(&run, context, false, &sea, 0.0, false);
    hwMaterialDef material = hwDefaultMaterialDef();
    material.name = "rough";
    material.staticFriction = material.kineticFriction = friction;
    if (!run.failed) run.failed = hwWorld_AddMaterial(run.world, &material, &run.error) != HW_OK;
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = 0.2;
    shape.length = 20.0;
    shape.material = "rough";
    hwBodyDef pile = hwDefaultBodyDef();
    pile.name = "pile";
    pile.motion = HW_MOTION_FIXED;
    pile.position = hwMakeVec3(0.0, 0.0, -10.0);
    pile.shapeCount = 1;
    pile.shapes = &shape;
    hwCaseRun_AddBody(&run, &pile);
    const hwVec3 points[4] = {{-5.0, rho, -10.0}, {0.3, rho, -10.0}, {0.3, -rho, -10.0}, {-5.0, -rho, -10.0}};
    hwCableSectionDef section = MakeTether(10.0 + HW_PI * rho - 2e-4, 1.0);
    section.material = "rough";
    hwCableDef def = hwMakeLine(&section, hwPinOnEarth(points[0]), hwPinOnEarth(points[3]));
    def.kind = HW_CABLE_WRAP;
    def.shape = HW_CABLE_POINTS;
    def.pointCount = 4;
    def.points = points;
    hwCableId line = hwCaseRun_AddCable(&run, &def);
    hwCaseRun_Prepare(&run);
    double ratio = (double)NAN;
    for (int i = 1; i <= 2000 && !run.failed && isnan(ratio); ++i) {
        const double speed = 0.002, dt = 1.0 / 60.0;
        hwVec3 at = {points[3].x - speed * dt * i, points[3].y, points[3].z};
        run.failed = hwCable_SetEndMotion(run.world, line, 1, at, hwMakeVec3(-speed, 0.0, 0.0), hwVec3_zero,
                                          &run.error) != HW_OK;
        hwCaseRun_Advance(&run, dt);
        if (run.failed || hwCaseRun_Read(&run, "line.wrap.slipping") == 0.0) continue;
        ratio = hwCaseRun_Read(&run, "line.b.tension") / hwCaseRun_Read(&run, "line.a.tension");
        if (!(ratio > 1.2)) ratio = (double)NAN; // it runs while it is laid round at the start
    }
    hwCaseRun_End(&run);
    hwCase_Check(context, HW_MADE_REALTIME, "pull over hold when it slips", exp(friction * HW_PI), ratio,
                 0.02, "exact: e^(mu pi)");
}

// The V of seed 000 in a stream, half as strong as the greatest, of a tether that sinks: the load is the current turned down by
// sag pi/2, sag = buoyancy (1 - 1/2); the bend by equation 2-1, computed here from the angles of 2.2 and 2.4.2.
static void SeedVee(hwCaseContext* context) {
    const double speed = 0.5, buoyancy = -0.4;
    hwSignalTerm stream = hwConstantTerm(hwMakeVec3(speed, 0.0, 0.0));
    hwEnvironmentDef sea = MakeSea(&stream);
    hwCaseRun run;
    hwCableRun_Begin(&run, context, false, &sea, 0.0, true);
    hwCableSectionDef section = MakeTether(LENGTH, 1.0);
    const hwVec3 a = {0.0, 0.0, -20.0}, b = {10.0, 28.0, -24.0};
    hwCableDef def = hwMakeLine(&section, hwPinOnEarth(a), hwPinOnEarth(b));
    def.kind = HW_CABLE_WRAP;
    def.wrap.bend = HW_BEND_VEE;
    def.wrap.rules = HW_WRAP_SEED;
    def.wrap.buoyancy = buoyancy;
    def.wrap.greatestCurrent = 2.0 * speed;
    hwCableId line = hwCaseRun_AddCable(&run, &def);
    hwCaseRun_Prepare(&run);
    hwCaseRun_Advance(&run, 0.1);
    double turn = 0.5 * buoyancy * 0.5 * HW_PI;
    hwVec3 flow = {cos(turn), 0.0, sin(turn)}, d = hwSub(b, a);
    double with = hwDot(d, flow), width = sqrt(hwDot(d, d) - with * with), theta = acos(width / LENGTH);
    double link = 0.5 * LENGTH + with / (2.0 * sin(theta)); // dz of the seed is against the current
    hwVec3 across = hwScale(1.0 / width, hwMulAdd(d, -with, flow));
    hwVec3 bend = hwMulAdd(hwMulAdd(a, link * cos(theta), across), link * sin(theta), flow);
    hwCablePointState p = {0};
    if (!run.failed) run.failed = hwCable_GetPoint(run.world, line, link, &p, &run.error) != HW_OK;
    double length = hwCaseRun_Read(&run, "line.wrap.length"), pull = hwCaseRun_Read(&run, "line.b.tension");
    hwCaseRun_End(&run);
    hwCase_Check(context, HW_MADE_REALTIME, "length, m", LENGTH, length, 1e-9, NULL);
    hwCase_Check(context, HW_MADE_REALTIME, "bend, y, m", bend.y, p.position.y, 1e-6, "equation 2-1");
    hwCase_Check(context, HW_MADE_REALTIME, "bend, z, m", bend.z, p.position.z, 1e-6, "equation 2-1");
    hwCase_Check(context, HW_MADE_REALTIME, "1 N + tension where it is slack, N", 1.0, 1.0 + pull, 1e-12,
                 "3.5.2");
}

const hwCase hwTetherWrapCases[] = {
    {"tether/wrap-catenary", "common catenary", "40 m of sinking tether between two points.", WrapCatenary},
    {"tether/wrap-current", "seed 000, 1.2.2; common catenary",
     "40 m of neutral tether in a stream of 0.5 m/s, beside the dynamic one at rest.", WrapCurrent},
    {"tether/wrap-capstan", "Euler; Eytelwein (1808)", "A tether half round a pile, pulled until it slips.",
     WrapCapstan},
    {"tether/seed-vee", "seed 000, 2.2 and 2.4.2", "V-shaped tether by the rules of seed 000 in a stream.",
     SeedVee},
    {NULL, NULL, NULL, NULL},
};
