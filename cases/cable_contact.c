// Cables in contact: Euler's capstan, a rope that slides off a drum, and cables that are tugged about on a rail, a pile and a
// platform for ten minutes.
#include "cases/cable_run.h"
#include "cases/platform_mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Capstan ----------------------------------------------------------------------------------------------------------------

static hwBodyDef MakeFixed(const hwShapeDef* shape) {
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "obstacle";
    body.mass = 1.0;
    for (int i = 0; i < 3; ++i) body.inertia[i] = 1.0;
    body.motion = HW_MOTION_FIXED;
    body.shapeCount = 1;
    body.shapes = shape;
    return body;
}

static void AddFriction(hwCaseRun* run, double friction) {
    hwMaterialDef material = hwDefaultMaterialDef();
    material.name = "default";
    material.staticFriction = material.kineticFriction = friction;
    if (!run->failed) run->failed = hwWorld_AddMaterial(run->world, &material, &run->error) != HW_OK;
}

#define TURN_POINTS 200

// A helix of `turn` rad round a drum of 0.5 m radius with tails of 1 m; its pitch keeps the turns apart. Elements of 0.1 m
// touch with their middles.
static double MeasureCapstan(hwCaseContext* context, double turn, double friction, double* exact) {
    const double drum = 0.5, thick = 0.02, element = 0.1, tail = 1.0, pull = 100.0, speed = 0.05;
    double pitch = turn > 1.9 * HW_PI ? 0.08 / (2.0 * HW_PI) : 0.0;
    double radius = (drum + 0.5 * thick) / cos(0.5 * element / drum),
           along = sqrt(radius * radius + pitch * pitch);
    *exact = exp(friction * turn * radius / along); // the angle that a helix turns through
    hwVec3 points[TURN_POINTS + 3];
    for (int i = 0; i <= TURN_POINTS; ++i) {
        double a = turn * i / TURN_POINTS;
        points[1 + i] = hwMakeVec3(radius * cos(a), radius * sin(a), pitch * a);
    }
    hwVec3 into = hwScale(1.0 / along, hwMakeVec3(0.0, radius, pitch));
    hwVec3 out = hwScale(1.0 / along, hwMakeVec3(-radius * sin(turn), radius * cos(turn), pitch));
    points[0] = hwMulAdd(points[1], -tail, into);
    points[TURN_POINTS + 2] = hwMulAdd(points[TURN_POINTS + 1], tail, out);
    double length = 2.0 * tail + turn * along;
    hwCaseRun run;
    hwEnvironmentDef sea =
        hwDefaultEnvironmentDef(); // water damps what the start excites, and is else not felt
    sea.gravity = 0.0;
    sea.water = true;
    sea.surface = 100.0;
    hwCableRun_Begin(&run, context, false, &sea, 0.0, false);
    AddFriction(&run, friction);
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = drum;
    shape.length = 10.0;
    hwBodyDef body = MakeFixed(&shape);
    hwCaseRun_AddBody(&run, &body);
    hwCableSectionDef section = hwMakeSection(length, (int)lround(length / element), thick, 0.5, 1e6);
    section.axialDamping = 1e3;
    section.compression = 0.0;
    section.dragNormal = 1.2;
    hwSignalTerm ramp = hwRampTerm(points[0], hwMulAdd(points[0], -3.0 * speed, into), 0.0, 3.0);
    hwCableEndDef held = hwPinOnEarth(points[0]), free = {.joint = HW_ATTACH_FREE};
    held.path = (hwSignal){.termCount = 1, .terms = &ramp};
    hwCableDef def = hwMakeLine(&section, held, free);
    def.shape = HW_CABLE_POINTS;
    def.pointCount = TURN_POINTS + 3;
    def.points = points;
    hwCableId id = hwCaseRun_AddCable(&run, &def);
    hwCaseRun_PushCable(&run, id, length, hwScale(pull, out));
    hwCaseRun_Prepare(&run);
    hwCaseRun_Advance(&run, 1.0);
    double sum = 0.0;
    const int reads = 60;
    for (int i = 0; i < reads; ++i) {
        hwCaseRun_Advance(&run, 1.0 / 60.0);
        sum += hwLength(hwCaseRun_ReadLoad(&run, id, 0)) / pull / reads;
    }
    hwCaseRun_End(&run);
    return sum;
}

static void RunCapstan(hwCaseContext* context) {
    const struct {
        const char* name;
        double turn, tolerance;
    } turns[] = {{"pi/2", 0.5 * HW_PI, 0.02},
                 {"pi", HW_PI, 0.02},
                 {"2 pi", 2.0 * HW_PI, 0.02},
                 {"4 pi", 4.0 * HW_PI, 0.05}};
    const double frictions[] = {0.1, 0.3};
    for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); ++i) {
        for (int k = 0; k < 2; ++k) {
            char quantity[64];
            snprintf(quantity, sizeof(quantity), "tension ratio, %s at friction %g (1)", turns[i].name,
                     frictions[k]);
            double exact, ratio = MeasureCapstan(context, turns[i].turn, frictions[k], &exact);
            hwCase_Compare(context, quantity, exact, HW_NO_SEED, ratio, ratio, turns[i].tolerance,
                           turns[i].tolerance, "elements of a fifth of the drum's radius");
        }
    }
}

// Slipping rope --------------------------------------------------------------------------------------------------------------

// A rope of length L over half a drum, `left` hanging at one side: one freedom, the speed v at which it goes to the right. With
// E = exp(mu pi), balances of both hanging parts and of the tension on the drum, dT/dphi = m r v' + m g r cos phi + mu n with
// the normal force n = T + m g r sin phi - m v^2, give
//     v' (right + left E + r (E - 1)/mu) = g (right - left E) - 2 mu g r (E + 1)/(1 + mu^2) + v^2 (E - 1).
typedef struct Slip {
    double length, radius, friction, gravity;
} Slip;

static void ComputeSlip(const void* context, double t, const double* y, double* slope) {
    (void)t;
    const Slip* slip = context;
    double mu = slip->friction, E = exp(mu * HW_PI), r = slip->radius;
    double left = slip->length - HW_PI * r - y[0], drum = mu > 0.0 ? r * (E - 1.0) / mu : HW_PI * r;
    slope[0] = y[1];
    slope[1] = (slip->gravity * (y[0] - left * E - 2.0 * mu * r * (E + 1.0) / (1.0 + mu * mu)) +
                y[1] * y[1] * (E - 1.0)) /
               (y[0] + left * E + drum);
}

#define ARC_POINTS 60

// How much hangs at the right, and how fast it grows, as the mean of both ends.
static void ReadSlip(hwCaseRun* run, hwCableId id, double state[2]) {
    hwCableView view;
    state[0] = state[1] = (double)NAN;
    if (run->failed || hwCable_GetView(run->world, id, &view, &run->error) != HW_OK) return;
    int last = view.nodeCount - 1;
    state[0] = -view.positions[last].z;
    state[1] = 0.5 * (view.velocities[0].z - view.velocities[last].z);
}

// Tops of both hanging parts are at the drum's axis; end b is at the right.
static void RunSlipOnce(hwCaseContext* context, double friction) {
    const double drum = 0.5, thick = 0.02, element = 0.1, duration = 1.0, right = 6.4;
    Slip slip = {12.0, (drum + 0.5 * thick) / cos(0.5 * element / drum), friction, 9.81};
    double left = slip.length - HW_PI * slip.radius - right;
    hwVec3 points[ARC_POINTS + 3];
    for (int i = 0; i <= ARC_POINTS; ++i) {
        double a = HW_PI * i / ARC_POINTS;
        points[1 + i] = hwMakeVec3(-slip.radius * cos(a), 0.0, slip.radius * sin(a));
    }
    points[0] = hwMakeVec3(-slip.radius, 0.0, -left);
    points[ARC_POINTS + 2] = hwMakeVec3(slip.radius, 0.0, -right);
    hwCaseRun run;
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    dry.gravity = slip.gravity;
    hwCableRun_Begin(&run, context, false, &dry, 0.0, false);
    AddFriction(&run, friction);
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = drum;
    shape.length = 4.0;
    shape.pose.q = hwQuatFromAxisAngle(hwMakeVec3(1.0, 0.0, 0.0), 0.5 * HW_PI);
    hwBodyDef body = MakeFixed(&shape);
    hwCaseRun_AddBody(&run, &body);
    hwCableSectionDef section =
        hwMakeSection(slip.length, (int)lround(slip.length / element), thick, 0.5, 1e6);
    section.axialDamping = 1e3;
    section.compression = 0.0;
    hwCableEndDef end = {.joint = HW_ATTACH_FREE};
    hwCableDef def = hwMakeLine(&section, end, end);
    def.shape = HW_CABLE_POINTS;
    def.pointCount = ARC_POINTS + 3;
    def.points = points;
    hwCableId id = hwCaseRun_AddCable(&run, &def);
    hwCaseRun_Prepare(&run);
    // the rope is put there without tension: what it does from 0.25 s on is compared
    double begin[2], after[2];
    hwCaseRun_Advance(&run, 0.25);
    ReadSlip(&run, id, begin);
    hwCaseRun_Advance(&run, duration);
    ReadSlip(&run, id, after);
    double exact[2] = {begin[0], begin[1]};
    hwCase_Integrate(ComputeSlip, &slip, 2, 0.0, duration, 2000, exact);
    char name[96];
    snprintf(name, sizeof(name), "friction %g: way in a second, m", friction);
    hwCase_Check(context, HW_MADE_REALTIME, name, exact[0] - begin[0], after[0] - begin[0], 0.01,
                 "from what the run has after 0.25 s; elements of a fifth of the drum's radius");
    snprintf(name, sizeof(name), "friction %g: speed after it, m/s", friction);
    hwCase_Check(context, HW_MADE_REALTIME, name, exact[1], after[1], 0.01,
                 "from what the run has after 0.25 s; elements of a fifth of the drum's radius");
    hwCaseRun_End(&run);
}

static void RunSlip(hwCaseContext* context) {
    const double frictions[3] = {0.0, 0.05, 0.1};
    for (int i = 0; i < 3; ++i) RunSlipOnce(context, frictions[i]);
}

// Ten minutes --------------------------------------------------------------------------------------------------------------

typedef struct Tug {
    const char* name;
    hwVec3 points[3];
    double
        floor; // the cable's highest point stays above this: it hangs over the obstacle; -inf: no such test
    hwVec3 beyond; // or: some point of it stays on this side of the origin; zero: no such test
} Tug;

// Deepest overlap of the cable with the obstacle, of its diameter, from the contacts themselves; and whether it has stayed
// on its side.
static void RunTug(hwCaseContext* context, const Tug* tug, const hwShapeDef* shape) {
    const double thick = 0.02, duration = 600.0;
    hwCaseRun run;
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.surface = 5.0;
    hwSignalTerm current[2] = {hwConstantTerm(hwMakeVec3(0.3, 0.1, 0.0)),
                               hwSineTerm(hwMakeVec3(0.3, 0.4, 0.0), 37.0, 0.0)};
    sea.current.uniform = (hwSignal){.termCount = 2, .terms = current};
    hwCableRun_Begin(&run, context, false, &sea, 0.0, false);
    AddFriction(&run, 0.3);
    hwBodyDef body = MakeFixed(shape);
    hwCaseRun_AddBody(&run, &body);
    const hwVec3* p = tug->points;
    double length = 1.25 * (hwDistance(p[0], p[1]) + hwDistance(p[1], p[2]));
    hwCableSectionDef section = hwMakeSection(length, 50, thick, 0.4, 1e5);
    section.axialDamping = 1e3;
    section.compression = 0.0;
    section.dragNormal = 1.2;
    section.dragTangential = 0.01;
    section.addedNormal = 1.0;
    hwSignalTerm a[3] = {hwConstantTerm(p[0]), hwSineTerm(hwMakeVec3(1.0, 0.8, 0.5), 11.0, 0.0),
                         hwSineTerm(hwMakeVec3(0.3, 0.4, 0.3), 3.1, 0.0)};
    hwSignalTerm b[3] = {hwConstantTerm(p[2]), hwSineTerm(hwMakeVec3(1.0, -0.8, 0.6), 13.0, 0.0),
                         hwSineTerm(hwMakeVec3(0.4, 0.3, 0.3), 2.7, 0.0)};
    hwCableEndDef endA = hwPinOnEarth(p[0]), endB = hwPinOnEarth(p[2]);
    endA.path = (hwSignal){.termCount = 3, .terms = a};
    endB.path = (hwSignal){.termCount = 3, .terms = b};
    hwCableDef def = hwMakeLine(&section, endA, endB);
    def.shape = HW_CABLE_POINTS;
    def.pointCount = 3;
    def.points = p;
    hwCableId id = hwCaseRun_AddCable(&run, &def);
    hwCaseRun_Prepare(&run);
    double deepest = 0.0, passed = 0.0;
    for (double t = 0.0; t < duration && !run.failed; t += 0.1) {
        hwCaseRun_Advance(&run, 0.1);
        deepest = fmax(deepest, hwCaseRun_Read(&run, "line.contact.depth"));
        hwCableView view;
        if (run.failed || hwCable_GetView(run.world, id, &view, &run.error) != HW_OK) break;
        double highest = -INFINITY, farthest = -INFINITY;
        for (int i = 0; i < view.nodeCount; ++i) {
            highest = fmax(highest, view.positions[i].z);
            farthest = fmax(farthest, hwDot(tug->beyond, view.positions[i]));
        }
        if (highest < tug->floor || (hwLength(tug->beyond) > 0.0 && farthest < 0.0)) passed = 1.0;
    }
    char quantity[80];
    snprintf(quantity, sizeof(quantity), "%s: deepest overlap in ten minutes (diameters)", tug->name);
    hwCase_Compare(context, quantity, 0.0, HW_NO_SEED, deepest / thick, deepest / thick, 0.25, 0.25,
                   "a quarter of the diameter is allowed");
    snprintf(quantity, sizeof(quantity), "%s: passes through (1: yes)", tug->name);
    hwCase_Compare(context, quantity, 0.0, HW_NO_SEED, passed, passed, 0.5, 0.5, NULL);
    hwCaseRun_End(&run);
}

static void RunRail(hwCaseContext* context) {
    hwShapeDef rail = hwDefaultShapeDef();
    rail.kind = HW_SHAPE_CYLINDER;
    rail.radius = 0.03;
    rail.length = 20.0;
    rail.pose.q = hwQuatFromAxisAngle(hwMakeVec3(1.0, 0.0, 0.0), 0.5 * HW_PI);
    Tug tug = {"rail", {{-8.0, 0.0, -1.0}, {0.0, 0.0, 0.2}, {8.0, 0.0, -1.0}}, 0.0, {0.0, 0.0, 0.0}};
    RunTug(context, &tug, &rail);
}

static void RunPile(hwCaseContext* context) {
    hwShapeDef pile = hwDefaultShapeDef();
    pile.kind = HW_SHAPE_CYLINDER;
    pile.radius = 0.5;
    pile.length = 40.0;
    // The ends are behind the pile, in front of which the cable lies; the current comes and goes.
    Tug tug = {"pile", {{-6.0, 3.0, -3.0}, {0.0, -0.8, -4.0}, {6.0, 3.0, -3.0}}, -INFINITY, {0.0, -1.0, 0.0}};
    RunTug(context, &tug, &pile);
}

static void RunPlatform(hwCaseContext* context) {
    hwMeshData mesh;
    if (!hwMakePlatform(16, 4, &mesh)) return;
    hwShapeDef platform = hwDefaultShapeDef();
    platform.kind = HW_SHAPE_MESH;
    platform.mesh = mesh;
    // over the upper brace between two legs, at z = 0
    Tug tug = {"platform", {{-2.0, -10.0, -1.0}, {0.0, -6.0, 0.4}, {2.0, 2.0, -1.0}}, 0.0, {0.0, 0.0, 0.0}};
    RunTug(context, &tug, &platform);
    hwFreePlatform(&mesh);
}

// Wound tethers ------------------------------------------------------------------------------------------------------------

#define WOUND_THICK 0.0076
#define WOUND_ORBIT 4.0 // m, radius of the circle on which end b goes round
#define WOUND_START -12.0
#define WOUND_PERIOD 50.0

// A tether of elements of 2 m, a winch that holds 20 N at one end, the other going round a pole in a helix that keeps turns apart.
static hwCableId BeginWound(hwCaseRun* run, hwCaseContext* context, double pole, double friction,
                            double slope, double lead) {
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.gravity = 0.0;
    sea.water = true;
    sea.surface = 100.0;
    hwCableRun_Begin(run, context, false, &sea, 0.0, false);
    AddFriction(run, friction);
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = 0.5 * pole;
    shape.length = 6.0;
    hwBodyDef body = MakeFixed(&shape);
    hwCaseRun_AddBody(run, &body);
    hwVec3 a = hwMakeVec3(WOUND_START, 0.6, -WOUND_START * slope),
           b = hwMakeVec3(0.0, WOUND_ORBIT, -WOUND_ORBIT * slope);
    hwSignalTerm path[4] = {
        hwConstantTerm(hwMakeVec3(0.0, 0.0, b.z)),
        hwSineTerm(hwMakeVec3(WOUND_ORBIT, 0.0, 0.0), WOUND_PERIOD, 0.0),
        hwSineTerm(hwMakeVec3(0.0, WOUND_ORBIT, 0.0), WOUND_PERIOD, 0.5 * HW_PI),
        hwRampTerm(hwVec3_zero, hwMakeVec3(0.0, 0.0, -20.0 * lead), 0.0, 20.0 * WOUND_PERIOD)};
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = hwDistance(a, b);
    section.elements = (int)(0.5 * section.length + 0.5);
    section.diameter = WOUND_THICK;
    section.massPerLength = 0.047;
    section.EA = 5e4;
    section.axialDamping = 200.0;
    section.dragNormal = 0.3;
    hwCableDef def = hwDefaultCableDef();
    def.name = "tether";
    def.sectionCount = 1;
    def.sections = &section;
    def.reserve[0] = 20.0;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = a};
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = b, .path = {.termCount = 4, .terms = path}};
    hwCableId id = {0};
    if (!run->failed) id = hwWorld_AddCable(run->world, &def, &run->error);
    run->failed = run->failed || HW_IS_NULL(id);
    hwSignalTerm pull = hwConstantTerm(hwMakeVec3(20.0, 0.0, 0.0));
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = id;
    winch.mode = HW_WINCH_TENSION;
    winch.kp = 0.05;
    winch.acceleration = 5.0;
    winch.deceleration = -5.0;
    winch.setpoint = (hwSignal){1, &pull};
    if (!run->failed) run->failed = HW_IS_NULL(hwWorld_AddWinch(run->world, &winch, &run->error));
    hwCaseRun_Prepare(run);
    return id;
}

// Nearest and farthest of the lines between nodes from the surface, in diameters, from the first to the last contact.
static void MeasureWound(hwCaseRun* run, hwCableId id, double radius, double* nearest, double* farthest) {
    hwCableView view;
    if (run->failed || hwCable_GetView(run->world, id, &view, &run->error) != HW_OK) return;
    int first = -1, last = -2;
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < 16 * view.elementCount; ++k) {
            hwVec3 x = view.positions[k / 16], d = hwSub(view.positions[k / 16 + 1], x);
            hwVec3 p = hwMulAdd(x, (k % 16) / 16.0, d);
            double gap = (hypot(p.x, p.y) - radius) / WOUND_THICK;
            if (pass == 0 && gap < 0.55) {
                if (first < 0) first = k;
                last = k;
            }
            if (pass == 0 || k < first || k > last) continue;
            *nearest = fmin(*nearest, gap);
            *farthest = fmax(*farthest, gap);
        }
    }
}

static void RunWoundPole(hwCaseContext* context, double pole) {
    const double friction = 0.15, lead = 0.025, rest = 0.5 * (pole + WOUND_THICK), degree = HW_PI / 180.0;
    double slope = lead / (2.0 * HW_PI * rest);
    hwCaseRun run;
    hwCableId id = BeginWound(&run, context, pole, friction, slope, lead);
    const double turns[4] = {0.75, 1.0, 2.0, 3.0};
    double nearest = HUGE_VAL, farthest = 0.0, off = 0.0, highest = 0.0, fallen = 0.0;
    double tangents = acos(rest / hypot(WOUND_START, 0.6)) + acos(rest / WOUND_ORBIT);
    int next = 0;
    for (int i = 1; next < 4 && !run.failed && i < (int)(60.0 * 3.9 * WOUND_PERIOD); ++i) {
        hwCaseRun_Advance(&run, 1.0 / 60.0);
        double round = 2.0 * HW_PI * i / (60.0 * WOUND_PERIOD);
        double angle = (atan2(0.6, WOUND_START) - 0.5 * HW_PI + round - tangents) / sqrt(1.0 + slope * slope);
        if (angle < 0.25) continue;
        double wrap = hwCaseRun_Read(&run, "tether.wrap");
        off = fmax(off, fabs(wrap - angle) / degree);
        fallen = fmax(fallen, (highest - wrap) / degree);
        highest = fmax(highest, wrap);
        MeasureWound(&run, id, 0.5 * pole, &nearest, &farthest);
        if (angle < 2.0 * HW_PI * turns[next]) continue;
        double ratio =
            hwCaseRun_Read(&run, "tether.b.tension") / hwCaseRun_Read(&run, "tether.element[0].tension");
        char name[96];
        snprintf(name, sizeof(name), "%g m pole, %g turns: tension ratio", pole, turns[next]);
        hwCase_Check(context, HW_MADE_REALTIME, name, exp(friction * wrap), ratio, 0.02, "friction 0.15");
        next += 1;
    }
    char name[96];
    snprintf(name, sizeof(name), "%g m pole: farthest axis from the surface, diameters", pole);
    hwCase_Check(context, HW_MADE_REALTIME, name, 0.5, farthest, 2.2,
                 "at most 1.6, from first to last contact");
    snprintf(name, sizeof(name), "%g m pole: nearest axis", pole);
    hwCase_Check(context, HW_MADE_REALTIME, name, 0.5, nearest, 0.6, "at least 0.2");
    snprintf(name, sizeof(name), "%g m pole: wrap off the angle between tangents, degrees", pole);
    hwCase_Check(context, HW_MADE_REALTIME, name, 0.0, off, 2.0, "largest, while end b goes round");
    snprintf(name, sizeof(name), "%g m pole: wrap fallen back, degrees", pole);
    hwCase_Check(context, HW_MADE_REALTIME, name, 0.0, fallen, 0.5, "monotone");
    hwCaseRun_End(&run);
}

static void RunWound(hwCaseContext* context) {
    RunWoundPole(context, 0.1);
    RunWoundPole(context, 0.4);
}

const hwCase hwCableContactCases[] = {
    {"contact/capstan", "Euler (1769); Eytelwein (1808)", "A rope that slides round a fixed drum.",
     RunCapstan},
    {"contact/slip", "own, one ordinary differential equation by Runge-Kutta",
     "A rope that slides off a drum under its own weight.", RunSlip},
    {"contact/wound", "geometry; Euler (1769)",
     "A tether of elements of 2 m wound three turns round poles of 0.1 and 0.4 m.", RunWound},
    {"contact/rail", "own", "A rope over a thin rail in a current, tugged at both ends.", RunRail},
    {"contact/pile", "own", "A rope in front of a pile in a current, tugged at both ends.", RunPile},
    {"contact/platform", "own", "A rope over a brace of a platform's mesh, tugged at both ends.",
     RunPlatform},
    {NULL, NULL, NULL, NULL},
};
