// Seed 004 section 4.4: boom cranes. Exact values are derived here; where the seed's own differ the notes say why.
//
// Frames are Paul's: a link's data are in its proximal joint frame, turning with the joint. g = 9.81 m/s2.
#include "cases/cable_run.h"
#include "cases/crane_links.h"

#include <math.h>
#include <stdio.h>

#define GRAVITY 9.81

static hwEnvironmentDef Earth(void) {
    hwEnvironmentDef def = hwDefaultEnvironmentDef();
    def.gravity = GRAVITY;
    return def;
}

static void AddCrane(hwCaseRun* run, const hwLinkDef* links, int count, hwVec3 position, double rollDegrees) {
    if (run->failed) return;
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "crane";
    def.position = position;
    def.attitude = hwQuatFromRpy(rollDegrees * HW_DEGREE, 0.0, 0.0);
    def.linkCount = count;
    def.links = links;
    run->failed = HW_IS_NULL(hwWorld_AddMechanism(run->world, &def, &run->error));
}

// 4.4.1: a rod on a revolute joint off its centre swings by a tenth of a degree.

static double RunRod(hwCaseContext* context, bool reference) {
    hwCaseRun run;
    hwEnvironmentDef earth = Earth();
    hwCaseRun_Begin(&run, context, reference, &earth, reference ? 1e-10 : 0.0);
    hwLinkDef link = hwMakeCraneLink("rod", -1, HW_JOINT_REVOLUTE, 0.0, 2.0, 0.0, -89.9);
    hwSetLinkMass(&link, 10.0, hwMakeVec3(1.0, 0.0, 0.0), 0.001, 3.334, 3.334);
    AddCrane(&run, &link, 1, hwVec3_zero, 90.0);
    hwCaseRun_Prepare(&run);
    double period = hwCaseRun_MeasurePeriod(&run, "crane.rod.q", -90.0 * HW_DEGREE, 40.0);
    hwCaseRun_End(&run);
    return period;
}

static void RevoluteJoint(hwCaseContext* context) {
    double inertia = 3.334 + 10.0, swing = 0.1 * HW_DEGREE;
    double exact = 2.0 * HW_PI * sqrt(inertia / (10.0 * GRAVITY)) * (1.0 + swing * swing / 16.0);
    hwCase_Compare(
        context, "period, s", exact, 2.3076, RunRod(context, true), RunRod(context, false), 1e-6, 1e-3,
        "the seed expects 2.3153, for I = 13.3206; it prints I = 14.1667, which would give 2.3877");
}

// 4.4.2: a link falls along its prismatic joint.

static double RunFall(hwCaseContext* context, bool reference) {
    hwCaseRun run;
    hwEnvironmentDef earth = Earth();
    hwCaseRun_Begin(&run, context, reference, &earth, 0.0);
    hwLinkDef link = hwMakeCraneLink("slide", -1, HW_JOINT_PRISMATIC, 0.0, 0.0, 0.0, 0.0);
    hwSetLinkMass(&link, 10.0, hwVec3_zero, 0.001042, 3.334, 3.334);
    AddCrane(&run, &link, 1, hwVec3_zero, 0.0);
    hwCaseRun_Prepare(&run);
    hwCaseRun_Advance(&run, 30.0);
    double q = hwCaseRun_Read(&run, "crane.slide.q");
    hwCaseRun_End(&run);
    return q;
}

static void PrismaticJoint(hwCaseContext* context) {
    hwCase_Compare(context, "displacement after 30 s, m", -0.5 * GRAVITY * 900.0, 4414.5,
                   RunFall(context, true), RunFall(context, false), 1e-9, 1e-9,
                   "z is up: it falls to negative displacements");
}

// 4.4.3: a double pendulum, each mode by itself. In absolute angles from the vertical
//     M = [(m1 + m2) l1^2 + I, m2 l1 l2; m2 l1 l2, m2 l2^2 + I],  K = diag((m1 + m2) g l1, m2 g l2).

typedef struct Mode {
    double period, shape; // second angle over the first
} Mode;

static void FindModes(Mode modes[2]) {
    const double m = 10.0, l1 = 10.0, l2 = 7.0, I = 0.018171;
    double M11 = 2.0 * m * l1 * l1 + I, M12 = m * l1 * l2, M22 = m * l2 * l2 + I;
    double K1 = 2.0 * m * GRAVITY * l1, K2 = m * GRAVITY * l2;
    double a = M11 * M22 - M12 * M12, b = -(M11 * K2 + M22 * K1), c = K1 * K2;
    double root = sqrt(b * b - 4.0 * a * c);
    const double squares[2] = {(-b + root) / (2.0 * a), (-b - root) / (2.0 * a)};
    for (int i = 0; i < 2; ++i) {
        modes[i].period = 2.0 * HW_PI / sqrt(squares[i]);
        modes[i].shape = (K1 - squares[i] * M11) / (squares[i] * M12);
    }
}

static double RunPendulum(hwCaseContext* context, bool reference, double shape) {
    hwCaseRun run;
    hwEnvironmentDef earth = Earth();
    hwCaseRun_Begin(&run, context, reference, &earth, reference ? 1e-11 : 0.0);
    double swing = 0.02; // degrees: the period grows with a sixteenth of its square
    hwLinkDef links[2] = {
        hwMakeCraneLink("upper", -1, HW_JOINT_REVOLUTE, 0.0, 10.0, 0.0, -90.0 + swing),
        hwMakeCraneLink("lower", 0, HW_JOINT_REVOLUTE, 0.0, 7.0, 0.0, swing * (shape - 1.0))};
    hwSetLinkMass(&links[0], 10.0, hwMakeVec3(10.0, 0.0, 0.0), 0.018171, 0.018171, 0.018171);
    hwSetLinkMass(&links[1], 10.0, hwMakeVec3(7.0, 0.0, 0.0), 0.018171, 0.018171, 0.018171);
    AddCrane(&run, links, 2, hwVec3_zero, 90.0);
    hwCaseRun_Prepare(&run);
    double period = hwCaseRun_MeasurePeriod(&run, "crane.upper.q", -90.0 * HW_DEGREE, 80.0);
    hwCaseRun_End(&run);
    return period;
}

static void DoublePendulum(hwCaseContext* context) {
    Mode modes[2];
    FindModes(modes);
    const char* note = "the seed expects 3.104088 and 7.662144 s, for point masses and g = 9.82";
    hwCase_Compare(context, "first period, s", modes[0].period, 3.114829,
                   RunPendulum(context, true, modes[0].shape), RunPendulum(context, false, modes[0].shape),
                   1e-6, 1e-3, note);
    hwCase_Compare(context, "second period, s", modes[1].period, 7.550230,
                   RunPendulum(context, true, modes[1].shape), RunPendulum(context, false, modes[1].shape),
                   1e-6, 1e-3, note);
}

// 4.4.4 to 4.4.6: a rod that turns about the vertical carries a disk that slides across it.

static void FillCarousel(hwLinkDef links[2], double rodCenter) {
    links[0] = hwMakeCraneLink("rod", -1, HW_JOINT_REVOLUTE, 90.0, 0.0, 0.0, 90.0);
    links[1] = hwMakeCraneLink("disk", 0, HW_JOINT_PRISMATIC, 0.0, 0.0, 0.0, 0.0);
    hwSetLinkMass(&links[0], 10.0, hwMakeVec3(rodCenter, 0.0, 0.0), 0.001, 3.334, 3.334);
    hwSetLinkMass(&links[1], 10.0, hwMakeVec3(0.0, 0.0, 1.0), 0.082, 0.056, 0.056);
    links[0].qd = 1.0;
}

// A gain high enough that the torque follows within microseconds, and low enough that rounding of the rate does not show in
// it.
static void HoldRate(hwLinkDef* link, const hwSignalTerm* rate) {
    hwSetCraneControl(link, HW_CONTROL_VELOCITY, INFINITY);
    link->control.kp = 3e7;
    link->control.target = (hwSignal){1, rate};
}

#define HOLD 1e7 // N/m: the disk gives way by a micrometre

static double RunCentripetal(hwCaseContext* context, bool reference) {
    hwCaseRun run;
    hwEnvironmentDef earth = Earth();
    hwCaseRun_Begin(&run, context, reference, &earth, reference ? 1e-12 : 0.0);
    hwLinkDef links[2];
    FillCarousel(links, 1.0);
    hwSignalTerm rate = hwConstantTerm(hwMakeVec3(1.0, 0.0, 0.0));
    HoldRate(&links[0], &rate);
    hwSetCraneControl(&links[1], HW_CONTROL_POSITION, INFINITY);
    links[1].control.kp = HOLD;
    links[1].control.kd = 0.1 * HOLD;
    AddCrane(&run, links, 2, hwVec3_zero, 0.0);
    hwCaseRun_Prepare(&run);
    hwCaseRun_Advance(&run, 5.0);
    double effort = hwCaseRun_Read(&run, "crane.disk.effort");
    hwCaseRun_End(&run);
    return effort;
}

static void Centripetal(hwCaseContext* context) {
    // F = m w^2 (r + F / kp)
    hwCase_Compare(context, "force on joint 2, N", -10.0 / (1.0 - 10.0 / HOLD), -10.000010,
                   RunCentripetal(context, true), RunCentripetal(context, false), 1e-6, 1e-6,
                   "-10 for a joint that does not give way");
}

// The disk leaves with r = cosh t. What turns the rod must supply d/dt (m r^2 w) = 2 m r v w: the Coriolis acceleration
// 2 v w is that over m r, taken when v = sinh t is the seed's 0.009901 m/s.
static double RunCoriolis(hwCaseContext* context, bool reference) {
    hwCaseRun run;
    hwEnvironmentDef earth = Earth();
    hwCaseRun_Begin(&run, context, reference, &earth, reference ? 1e-13 : 0.0);
    hwLinkDef links[2];
    FillCarousel(links, 1.0);
    hwSignalTerm rate = hwConstantTerm(hwMakeVec3(1.0, 0.0, 0.0));
    HoldRate(&links[0], &rate);
    AddCrane(&run, links, 2, hwVec3_zero, 0.0);
    hwCaseRun_Prepare(&run);
    hwCaseRun_Advance(&run, asinh(0.009901));
    double r = 1.0 + hwCaseRun_Read(&run, "crane.disk.q");
    double acceleration = hwCaseRun_Read(&run, "crane.rod.effort") / (10.0 * r);
    hwCaseRun_End(&run);
    return acceleration;
}

static void Coriolis(hwCaseContext* context) {
    hwCase_Compare(context, "Coriolis acceleration, m/s2", 2.0 * 0.009901, 0.019465,
                   RunCoriolis(context, true), RunCoriolis(context, false), 5e-4, 1e-3,
                   "from the torque on joint 1; joint 2 itself accelerates with r w^2 = 1");
}

// Free: with the rod's inertia I about the axis (the disk's own included) and L = (I + m) w0,
//     r'' = r L^2 / (I + m r^2)^2.
static double IntegrateDisk(double inertia, double duration) {
    const double m = 10.0, L = inertia + m;
    int steps = (int)(duration * 2000.0);
    double h = duration / steps, r = 1.0, v = 0.0;
    for (int i = 0; i < steps; ++i) {
        double k[4], w[4], rs = r, vs = v;
        for (int s = 0; s < 4; ++s) {
            double factor = s == 2 ? h : 0.5 * h;
            double I = inertia + m * rs * rs;
            k[s] = vs;
            w[s] = rs * L * L / (I * I);
            rs = r + factor * k[s];
            vs = v + factor * w[s];
        }
        r += h / 6.0 * (k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3]);
        v += h / 6.0 * (w[0] + 2.0 * w[1] + 2.0 * w[2] + w[3]);
    }
    return v;
}

#define SPREAD 35.0 // s

static void RunDisk(hwCaseContext* context, bool reference, double rodCenter, double* speed, double* limit) {
    hwCaseRun run;
    hwEnvironmentDef earth = Earth();
    hwCaseRun_Begin(&run, context, reference, &earth, 0.0);
    hwLinkDef links[2];
    FillCarousel(links, rodCenter);
    AddCrane(&run, links, 2, hwVec3_zero, 0.0);
    hwCaseRun_Prepare(&run);
    hwCaseRun_Advance(&run, SPREAD);
    *speed = hwCaseRun_Read(&run, "crane.disk.qd");
    *limit = sqrt(2.0 * hwCaseRun_Read(&run, "world.energy.kinetic") / 10.0);
    hwCaseRun_End(&run);
}

static void Energy(hwCaseContext* context) {
    const double own = 0.056;
    const double centers[2] = {1.0, 0.0};
    for (int i = 0; i < 2; ++i) {
        double inertia = 3.334 + own + 10.0 * centers[i] * centers[i];
        double speeds[2], limits[2];
        for (int k = 0; k < 2; ++k) RunDisk(context, k == 0, centers[i], &speeds[k], &limits[k]);
        const char* note = i == 0 ? "centre of the rod at 1 m, as printed"
                                  : "centre of the rod on the axis, as the seed's result suggests";
        double seed = i == 0 ? HW_NO_SEED : 1.1565;
        char text[64];
        snprintf(text, sizeof(text), "speed of the disk after %g s, m/s", SPREAD);
        hwCase_Compare(context, text, IntegrateDisk(inertia, SPREAD), seed, speeds[0], speeds[1], 1e-6, 1e-3,
                       note);
        hwCase_Compare(context, "its limit by the kinetic energy then, m/s", sqrt((inertia + 10.0) / 10.0),
                       HW_NO_SEED, limits[0], limits[1], 1e-8, 1e-3, note);
    }
}

// 4.4.9 and 4.4.10: the seven-joint crane.

static void FillPalfinger(hwLinkDef links[7]) {
    hwFillPalfinger(links);
    links[1].limits.low = -45.0 * HW_DEGREE;
    links[1].limits.high = 90.0 * HW_DEGREE;
    links[1].limits.stiffness = links[1].limits.damping = 1e7;
}

static double RunPalfinger(hwCaseContext* context, bool reference, hwControlMode mode, double target) {
    hwCaseRun run;
    hwEnvironmentDef earth = Earth();
    hwCaseRun_Begin(&run, context, reference, &earth, reference ? 1e-8 : 0.0);
    hwLinkDef links[7];
    FillPalfinger(links);
    hwSignalTerm term = hwConstantTerm(hwMakeVec3(target, 0.0, 0.0));
    links[1].control.mode = mode;
    links[1].control.target = (hwSignal){1, &term};
    AddCrane(&run, links, 7, hwMakeVec3(-1.35, 0.0, -1.4), 0.0);
    hwCaseRun_Prepare(&run);
    hwCaseRun_Advance(&run, 10.0);
    double q = hwCaseRun_Read(&run, "crane.boom1.q");
    hwCaseRun_End(&run);
    return q;
}

static void PassiveLimit(hwCaseContext* context) {
    // everything behind joint 3 has its centre 1.5 m from joint 2
    double moment = GRAVITY * (754.0 * 0.5 + (285.22 + 283.28 + 254.0 + 181.85 + 95.0) * 1.5);
    double exact = -0.25 * HW_PI;
    for (int i = 0; i < 50; ++i) exact = -0.25 * HW_PI - moment * cos(exact) / 1e7;
    hwCase_Compare(context, "joint 2 after 10 s, rad", exact, -0.7868,
                   RunPalfinger(context, true, HW_CONTROL_PASSIVE, 0.0),
                   RunPalfinger(context, false, HW_CONTROL_PASSIVE, 0.0), 1e-5, 1e-5,
                   "the limit and its static deflection; the seed compares with the limit alone, 0.7854");
}

static void ActiveLimit(hwCaseContext* context) {
    hwCase_Compare(context, "joint 2 after 10 s, rad", 0.5 * HW_PI, 1.570791,
                   RunPalfinger(context, true, HW_CONTROL_POSITION, 2.0),
                   RunPalfinger(context, false, HW_CONTROL_POSITION, 2.0), 1e-6, 1e-6,
                   "set points are held within the joint's range");
}

// 4.5.4: crane, winch, cable, payload and contact at once. Made consistent: the block's top is at z = -2.6, 0.1 m below the
// box; the winch pays out 0.5 m in 5 s, more than the gap and the stretch, so that the wire ends slack and the block carries
// the weight. The results printed belong to a flatter box, and its contact force of 34,860 N to none.

typedef struct Ended {
    double height, force, tension, tip, lean;
} Ended;

static hwShapeDef Cube(double x, double y, double z) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_BOX;
    shape.size = hwMakeVec3(x, y, z);
    shape.material = "block";
    return shape;
}

static const double boxMass = 7800.0, wireLength = 4.64264;

static void AddObjects(hwCaseRun* run) {
    hwMaterialDef material = hwDefaultMaterialDef();
    material.name = "block";
    material.young = 950e6;
    material.damping = 50e6;
    if (!run->failed) run->failed = hwWorld_AddMaterial(run->world, &material, &run->error) != HW_OK;
    hwLinkDef links[7];
    FillPalfinger(links);
    links[1].frame = hwMakeDhFrame(0.0, 1.0, 0.0, 45.0 * HW_DEGREE);
    for (int i = 3; i < 7; ++i) links[i].frame = hwMakeDhFrame(0.0, 0.0, 1.0, 0.0);
    AddCrane(run, links, 7, hwVec3_zero, 0.0);
    hwShapeDef cube = Cube(5.0, 5.0, 5.0), ground = Cube(100.0, 100.0, 10.0);
    hwBodyDef box = hwDefaultBodyDef(), block = hwDefaultBodyDef();
    box.name = "payload";
    box.mass = boxMass;
    for (int i = 0; i < 3; ++i) box.inertia[i] = boxMass * 25.0 / 6.0;
    box.position = hwMakeVec3(6.0 * sqrt(0.5) - 0.65, 0.0, 0.0);
    box.shapeCount = block.shapeCount = 1;
    box.shapes = &cube;
    block.name = "ground";
    block.motion = HW_MOTION_FIXED;
    block.position = hwMakeVec3(0.0, 0.0, -7.6);
    block.shapes = &ground;
    hwBodyId payload = hwCaseRun_AddBody(run, &box);
    hwCaseRun_AddBody(run, &block);
    hwCableSectionDef wire = hwMakeSection(wireLength, 10, 0.024, 500.0 * 0.25 * HW_PI * 0.024 * 0.024, 4e6);
    wire.axialDamping = 1e4;
    wire.compression = 0.0;
    hwBodyId tip = run->failed ? (hwBodyId){0} : hwWorld_FindBody(run->world, "crane.boom6");
    hwCableDef line = hwMakeLine(&wire, hwPinOnBody(tip, hwMakeVec3(0.0, 0.0, 1.0)),
                                 hwPinOnBody(payload, hwMakeVec3(0.0, 0.0, 1.0)));
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = hwCaseRun_AddCable(run, &line);
    hwSignalTerm pay = hwConstantTerm(hwMakeVec3(0.1, 0.0, 0.0));
    winch.setpoint = (hwSignal){1, &pay};
    hwCaseRun_AddWinch(run, &winch);
}

static Ended RunObjects(hwCaseContext* context, bool reference) {
    hwCaseRun run;
    hwEnvironmentDef earth = Earth();
    hwCableRun_Begin(&run, context, reference, &earth, reference ? 1e-4 : 0.0, false);
    AddObjects(&run);
    hwCaseRun_Prepare(&run);
    Ended ended = {.tip = hwCaseRun_Read(&run, "line.node[0].position.z")};
    hwCaseRun_Advance(&run, 2.0); // half of the payout is slack already, the rest would add nothing
    if (!run.failed) {
        run.failed = hwWorld_SetInput(run.world, hwWorld_FindInput(run.world, "winch.setpoint"), 0.0,
                                      &run.error) != HW_OK;
    }
    hwCaseRun_Advance(&run, 0.5);
    ended.height = hwCaseRun_Read(&run, "payload.position.z");
    ended.force = hwCaseRun_Read(&run, "payload.contact.force.z");
    ended.tension = hwCaseRun_Read(&run, "line.a.tension");
    ended.lean = hwCaseRun_Read(&run, "payload.attitude.pitch");
    hwCaseRun_End(&run);
    return ended;
}

static void AllObjects(hwCaseContext* context) {
    Ended a = RunObjects(context, true), b = RunObjects(context, false);
    double weight = boxMass * GRAVITY,
           radii = cbrt(3.0 * 125.0 / (4.0 * HW_PI)) + cbrt(3.0 * 1e5 / (4.0 * HW_PI));
    hwCase_Compare(context, "height of the crane's tip at the start, m", 1.4 + 6.0 * sqrt(0.5), 5.642, a.tip,
                   b.tip, 1e-9, 1e-9, NULL);
    hwCase_Compare(context, "height of the box at rest, m", -0.1 - weight * radii / 950e6 / 25.0, -0.5,
                   a.height, b.height, 1e-5, 1e-5, "the seed lowers it by the whole payout, past the block");
    // the wire weighs 11.4 N; what hangs on the box is less
    hwCase_Compare(context, "contact force at the end, N", weight, 34859.58, a.force, b.force, 1.5e-4, 1.5e-4,
                   "the seed notes that its force is half of the weight");
    hwCase_Compare(context, "tension at the crane over the weight", 0.0, HW_NO_SEED, a.tension / weight,
                   b.tension / weight, 1.5e-4, 1.5e-4, "slack");
    hwCase_Compare(context, "pitch of the box, rad", 0.0, 0.0, a.lean, b.lean, 1e-6, 1e-6, NULL);
}

const hwCase hwSmsCraneCases[] = {
    {"sms-4.4.1", "DRDC CR 2010-256, section 4.4.1", "A rod swings on a revolute joint.", RevoluteJoint},
    {"sms-4.4.2", "DRDC CR 2010-256, section 4.4.2", "A link falls along a prismatic joint.", PrismaticJoint},
    {"sms-4.4.3", "DRDC CR 2010-256, section 4.4.3", "The two modes of a double pendulum.", DoublePendulum},
    {"sms-4.4.4", "DRDC CR 2010-256, section 4.4.4", "What holds a sliding link on a turning one.",
     Centripetal},
    {"sms-4.4.5", "DRDC CR 2010-256, section 4.4.5", "What turns a link on which another slides out.",
     Coriolis},
    {"sms-4.4.6", "DRDC CR 2010-256, section 4.4.6", "A sliding link takes over the energy of a turning one.",
     Energy},
    {"sms-4.4.9", "DRDC CR 2010-256, section 4.4.9", "A crane's boom falls onto its limit.", PassiveLimit},
    {"sms-4.4.10", "DRDC CR 2010-256, section 4.4.10", "A crane's boom is driven to its limit.", ActiveLimit},
    {"sms-4.5.4", "DRDC CR 2010-256, section 4.5.4",
     "A crane's winch lowers a box onto a block: all simulation objects at once.", AllObjects},
    {0},
};
