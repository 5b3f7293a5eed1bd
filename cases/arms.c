// Arms on vehicles: hull and arm move each other, against the exact motion of two bodies; the work-class vehicle holds its
// place in a current and while its arm moves.
#include "cases/harness.h"
#include "hawser/vehicle_type.h"

#include <math.h>
#include <string.h>

// Two bodies in a plane, joined by a pivot at distance a from the centre of the first and b from that of the second, at rest
// in water. Both float, and the water moves along with each by the same added mass in all directions, so that in an ideal fluid
// momentum is that of masses M and m and inertias I and i with the water's. Nothing acts from outside: with the joint's
// angle q and mu = M m / (M + m) the angular momentum about the common centre is
//   th' (I + i + mu (a^2 + b^2 + 2 a b cos q)) + q' (i + mu (b^2 + a b cos q)) = 0,
// which integrates to th = -(q + D F(q)) / 2, D = i + mu b^2 - I - mu a^2, F the integral of 1 / (A + B cos q) with
// A = I + i + mu (a^2 + b^2), B = 2 mu a b. However the joint is driven, the hull's heading follows its angle.
typedef struct Pair {
    double hullMass, hullAdded, hullInertia, hullAddedInertia, a;
    double armMass, armAdded, armInertia, armAddedInertia, b;
} Pair;

static const Pair g_pair = {.hullMass = 400.0,
                            .hullAdded = 250.0,
                            .hullInertia = 60.0,
                            .hullAddedInertia = 25.0,
                            .a = 0.7,
                            .armMass = 80.0,
                            .armAdded = 45.0,
                            .armInertia = 12.0,
                            .armAddedInertia = 5.0,
                            .b = 0.9};

static double IntegrateInverse(double A, double B, double q) {
    double root = sqrt(A * A - B * B);
    return 2.0 / root * atan(sqrt((A - B) / (A + B)) * tan(0.5 * q));
}

static double FindTurn(const Pair* p, double from, double to) {
    double M = p->hullMass + p->hullAdded, m = p->armMass + p->armAdded, mu = M * m / (M + m);
    double I = p->hullInertia + p->hullAddedInertia, i = p->armInertia + p->armAddedInertia;
    double A = I + i + mu * (p->a * p->a + p->b * p->b), B = 2.0 * mu * p->a * p->b;
    double D = i + mu * p->b * p->b - I - mu * p->a * p->a;
    return -0.5 * (to - from + D * (IntegrateInverse(A, B, to) - IntegrateInverse(A, B, from)));
}

// Displacement of the hull's centre: the common centre of M and m stays.
static hwVec3 FindShift(const Pair* p, double from, double to, double turn) {
    double M = p->hullMass + p->hullAdded, m = p->armMass + p->armAdded, share = m / (M + m);
    double x0 = p->a + p->b * cos(from), y0 = p->b * sin(from);
    double x1 = p->a * cos(turn) + p->b * cos(turn + to), y1 = p->a * sin(turn) + p->b * sin(turn + to);
    return hwMakeVec3(-share * (x1 - x0), -share * (y1 - y0), 0.0);
}

static void FillFloating(hwBodyDef* body, double mass, double added, double inertia, double addedInertia) {
    body->mass = mass;
    body->hydro.volume = mass / 1025.0;
    for (int k = 0; k < 3; ++k) {
        body->inertia[k] = inertia;
        body->hydro.addedMass[k][k] = added;
        body->hydro.addedMass[k + 3][k + 3] = addedInertia;
    }
}

#define TO 1.9 // rad

static void Swing(hwCaseContext* context, bool reference, double* turn, hwVec3* shift, double* angle) {
    const Pair* p = &g_pair;
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = 1025.0;
    hwCaseRun run;
    hwCaseRun_Begin(&run, context, reference, &sea, 1e-9);
    hwVehicleDef vehicle = hwDefaultVehicleDef();
    vehicle.body.name = "rov";
    vehicle.body.position.z = -50.0;
    FillFloating(&vehicle.body, p->hullMass, p->hullAdded, p->hullInertia, p->hullAddedInertia);
    hwVehicleId id = {0, 0};
    if (!run.failed) id = hwWorld_AddVehicle(run.world, &vehicle, &run.error);
    run.failed = run.failed || HW_IS_NULL(id);
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = "boom";
    FillFloating(&link.body, p->armMass, p->armAdded, p->armInertia, p->armAddedInertia);
    // the link's frame is in its centre, so that its added mass acts there; the joint is b behind it
    hwLinkDef pivot = hwDefaultLinkDef();
    pivot.body.name = "pivot";
    hwSignalTerm target = hwConstantTerm(hwMakeVec3(TO, 0.0, 0.0));
    pivot.control = (hwControlDef){.mode = HW_CONTROL_POSITION,
                                   .target = {1, &target},
                                   .kp = 400.0,
                                   .kd = 350.0,
                                   .power = (double)INFINITY,
                                   .limit = (double)INFINITY};
    link.joint = HW_JOINT_FIXED;
    link.parent = 0;
    link.frame = hwMakeJointFrame(hwMakeVec3(p->b, 0.0, 0.0), hwQuat_identity, hwMakeVec3(0.0, 0.0, 1.0));
    const hwLinkDef links[2] = {pivot, link};
    hwMechanismDef arm = hwDefaultMechanismDef();
    arm.name = "rov.arm";
    arm.base = HW_BASE_BODY;
    arm.position = hwMakeVec3(p->a, 0.0, 0.0);
    arm.linkCount = 2;
    arm.links = links;
    if (!run.failed) arm.body = hwVehicle_GetBody(run.world, id);
    run.failed = run.failed || HW_IS_NULL(hwWorld_AddMechanism(run.world, &arm, &run.error));
    hwCaseRun_Prepare(&run);
    hwCaseRun_Advance(&run, 3.0);
    if (!run.failed) {
        hwBodyState state = hwCaseRun_ReadBody(&run, arm.body);
        *turn = 2.0 * atan2(state.attitude.z, state.attitude.w);
        *shift = hwSub(state.position, vehicle.body.position);
        *angle = hwCaseRun_Read(&run, "rov.arm.pivot.q");
    }
    hwCaseRun_End(&run);
}

static void TwoBodies(hwCaseContext* context) {
    double turn[2] = {(double)NAN, (double)NAN}, angle[2] = {(double)NAN, (double)NAN};
    hwVec3 shift[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int k = 0; k < 2; ++k) Swing(context, k == 1, &turn[k], &shift[k], &angle[k]);
    // the arm is still moving: each solver is compared at the angle that it has reached
    double exact = FindTurn(&g_pair, 0.0, angle[1]);
    hwVec3 place = FindShift(&g_pair, 0.0, angle[1], exact);
    double own = FindTurn(&g_pair, 0.0, angle[0]);
    hwVec3 ownPlace = FindShift(&g_pair, 0.0, angle[0], own);
    hwCase_Compare(context, "turn of the hull, rad", exact, HW_NO_SEED, turn[1], turn[0] + exact - own, 1e-6,
                   1e-5, "angular momentum, at the joint's angle");
    hwCase_Compare(context, "shift of the hull ahead, m", place.x, HW_NO_SEED, shift[1].x,
                   shift[0].x + place.x - ownPlace.x, 1e-6, 1e-5, "momentum");
    hwCase_Compare(context, "shift of the hull sideways, m", place.y, HW_NO_SEED, shift[1].y,
                   shift[0].y + place.y - ownPlace.y, 1e-6, 1e-5, "momentum");
}

// The work-class vehicle in a current of 0.5 m/s that comes up within 10 s on the beam; after a minute its arm reaches out.
static void HoldWithArm(hwCaseContext* context) {
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    const double times[2] = {0.0, 10.0};
    const hwVec3 values[2] = {{0.0, 0.0, 0.0}, {0.0, 0.5, 0.0}};
    hwSignalTerm rising = hwDefaultSignalTerm();
    rising.kind = HW_SIGNAL_TABLE;
    rising.count = 2;
    rising.times = times;
    rising.values = values;
    sea.water = true;
    sea.waterDensity = 1025.0;
    sea.current.uniform = (hwSignal){1, &rising};
    hwCaseRun run;
    hwCaseRun_Begin(&run, context, false, &sea, 0.0);
    hwVehicleType* type = run.failed ? NULL : hwLoadVehicleType("work_class_rov", NULL, &run.error);
    run.failed = type == NULL;
    double worst[2] = {0.0, 0.0};
    if (!run.failed) {
        hwVehicleDef def = hwVehicleType_GetDef(type);
        def.body.name = "rov";
        def.body.position.z = -50.0;
        def.armed = true;
        def.mode = HW_MODE_STATION;
        run.failed = HW_IS_NULL(hwVehicleType_Add(type, &def, run.world, &run.error));
    }
    hwCaseRun_Prepare(&run);
    for (int i = 0; i < 1000 && !run.failed; ++i) {
        if (i == 600) {
            hwWorld_SetInput(run.world, hwWorld_FindInput(run.world, "rov.arm.shoulder.target"), 0.2, NULL);
            hwWorld_SetInput(run.world, hwWorld_FindInput(run.world, "rov.arm.elbow.target"), -0.3, NULL);
            hwWorld_SetInput(run.world, hwWorld_FindInput(run.world, "rov.arm.azimuth.target"), -1.0, NULL);
        }
        hwCaseRun_Advance(&run, 0.1);
        double x = hwCaseRun_Read(&run, "rov.position.x"), y = hwCaseRun_Read(&run, "rov.position.y");
        double z = hwCaseRun_Read(&run, "rov.position.z") + 50.0;
        worst[i >= 600] = fmax(worst[i >= 600], sqrt(x * x + y * y + (i > 300 ? z * z : 0.0)));
    }
    double reached = run.failed ? (double)NAN : hwCaseRun_Read(&run, "rov.arm.azimuth.q");
    hwCaseRun_End(&run);
    hwDestroyVehicleType(type);
    hwCase_Check(context, HW_MADE_REALTIME, "farthest from its place, m", 0.0, worst[0], 0.2,
                 "0.5 m/s on the beam within 10 s");
    hwCase_Check(context, HW_MADE_REALTIME, "while its arm reaches out, m", 0.0, worst[1], 0.2, NULL);
    hwCase_Check(context, HW_MADE_REALTIME, "azimuth that the arm reaches, rad", -1.0, reached, 1e-3, NULL);
}

// The arm stretched ahead on a hull that it cannot move, with a load at its tip: how much of the shoulder's torque that takes. The
// torque is linear in the load, so that two loads tell at which one the shoulder gives way.
static double ReadShoulder(hwCaseContext* context, double load) {
    static const char text[] =
        "hawser_vehicle: 1\nmass: 1e9\ninertia: [1e9, 1e9, 1e9]\nhydro: {volume: 975609.7561}\n"
        "arms: [{include: titan4_arm, name: arm, links: [{name: shoulder, q_deg: 0}, "
        "{name: elbow, q_deg: 0}, {name: pitch, q_deg: 0}]}]\n";
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = 1025.0;
    hwCaseRun run;
    hwCaseRun_Begin(&run, context, false, &sea, 0.0);
    hwVehicleType* type = run.failed ? NULL : hwParseVehicleType(text, strlen(text), "arm", &run.error);
    run.failed = type == NULL;
    if (!run.failed) {
        hwVehicleDef def = hwVehicleType_GetDef(type);
        def.body.name = "rov";
        def.body.position.z = -1e3;
        run.failed = HW_IS_NULL(hwVehicleType_Add(type, &def, run.world, &run.error));
    }
    hwCaseRun_Prepare(&run);
    if (!run.failed)
        run.failed = hwBody_ApplyWrench(run.world, hwWorld_FindBody(run.world, "rov.arm.rotate"),
                                        hwMakeVec3(0.0, 0.0, -load), hwVec3_zero,
                                        hwMakeVec3(1.922, 0.0, -1e3), HW_FRAME_WORLD, &run.error) != HW_OK;
    hwCaseRun_Advance(&run, 4.0);
    double use = run.failed ? (double)NAN : hwCaseRun_Read(&run, "rov.arm.shoulder.effort.use");
    hwCaseRun_End(&run);
    hwDestroyVehicleType(type);
    return use;
}

static void LiftAtFullExtension(hwCaseContext* context) {
    double small = ReadShoulder(context, 60.0 * 9.81), large = ReadShoulder(context, 110.0 * 9.81);
    double most = 60.0 + 50.0 * (1.0 - fabs(small)) / (fabs(large) - fabs(small));
    hwCase_Check(context, HW_MADE_REALTIME, "TITAN 4: load at full extension, kg", 122.0, most, 0.01,
                 "published; where the shoulder's torque ends, from 60 and 110 kg");
}

const hwCase hwArmCases[] = {
    {"arms/two-bodies", "momentum of two bodies in an ideal fluid, in closed form",
     "An arm swings; the hull turns and moves against it, in water that moves along.", TwoBodies},
    {"arms/station-hold", "Berg (2012); the makers' data of the arms",
     "The work-class vehicle holds its place in 0.5 m/s and while its arm reaches out.", HoldWithArm},
    {"arms/lift", "TechnipFMC's data sheet of the TITAN 4",
     "What the stretched arm lifts beside its own weight in water.", LiftAtFullExtension},
    {NULL, NULL, NULL, NULL},
};
