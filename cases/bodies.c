// Rigid bodies in space, water and waves against closed forms.
#include "cases/cable_run.h"
#include "cases/elliptic.h"
#include "cases/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static hwEnvironmentDef Water(void) {
    hwEnvironmentDef def = hwDefaultEnvironmentDef();
    def.water = true;
    return def;
}

static hwBodyDef MakeBody(const char* name, double mass, double ix, double iy, double iz) {
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = mass;
    def.inertia[0] = ix, def.inertia[1] = iy, def.inertia[2] = iz;
    return def;
}

// Torque-free asymmetric top -----------------------------------------------------------------------------------------

// Landau & Lifshitz, Mechanics, section 37, for I1 < I2 < I3 and L^2 > 2 E I2, starting with w2 = 0.
static hwVec3 ExactTop(const double I[3], hwVec3 w0, double t) {
    double twoE = I[0] * w0.x * w0.x + I[2] * w0.z * w0.z;
    double L2 = I[0] * I[0] * w0.x * w0.x + I[2] * I[2] * w0.z * w0.z;
    double p = twoE * I[2] - L2, q = L2 - twoE * I[0];
    double tau = t * sqrt((I[2] - I[1]) * q / (I[0] * I[1] * I[2]));
    double m = (I[1] - I[0]) * p / ((I[2] - I[1]) * q);
    double sn, cn, dn;
    hwJacobiElliptic(tau, m, &sn, &cn, &dn);
    return hwMakeVec3(w0.x * cn, sqrt(p / (I[1] * (I[2] - I[1]))) * sn, w0.z * dn);
}

static const double topInertia[3] = {1.0, 2.0, 3.0};
static const hwVec3 topRate = {0.9, 0.0, 1.0};

// `moment` in body axes.
static hwVec3 RunTop(hwCaseContext* context, bool reference, double duration, hwVec3 moment,
                     hwSolverDef solver, double* energy) {
    hwCaseRun run;
    hwCaseRun_Begin(&run, context, reference, NULL, solver.tolerance);
    if (!run.failed) hwWorld_SetSolver(run.world, &solver, &run.error);
    hwBodyDef top = MakeBody("top", 1.0, topInertia[0], topInertia[1], topInertia[2]);
    top.rate = topRate;
    hwBodyId id = hwCaseRun_AddBody(&run, &top);
    hwForceDef push = hwDefaultForceDef();
    hwSignalTerm term = hwConstantTerm(moment);
    push.body = id;
    push.frame = HW_FRAME_BODY;
    push.torque = (hwSignal){1, &term};
    if (!run.failed) run.failed = HW_IS_NULL(hwWorld_AddForce(run.world, &push, &run.error));
    hwCaseRun_Prepare(&run);
    double before = run.failed ? 0.0 : hwWorld_GetEnergy(run.world).kinetic;
    // one call: the solver's own steps, not frames
    if (!run.failed) run.failed = hwWorld_Step(run.world, duration, &run.error) < HW_OK;
    hwBodyState s = hwCaseRun_ReadBody(&run, id);
    if (energy != NULL && !run.failed) *energy = hwWorld_GetEnergy(run.world).kinetic / before;
    hwCaseRun_End(&run);
    return s.rate;
}

static void AsymmetricTop(hwCaseContext* context) {
    hwVec3 exact = ExactTop(topInertia, topRate, 20.0);
    double energy = 0.0;
    hwVec3 a = RunTop(context, true, 20.0, hwVec3_zero, (hwSolverDef){.tolerance = 1e-11}, &energy);
    hwVec3 b = RunTop(context, false, 20.0, hwVec3_zero, (hwSolverDef){.tolerance = 1e-7}, NULL);
    hwCase_Compare(context, "w1 after 20 s, rad/s", exact.x, HW_NO_SEED, a.x, b.x, 1e-6, 1e-3, NULL);
    hwCase_Compare(context, "w2 after 20 s, rad/s", exact.y, HW_NO_SEED, a.y, b.y, 1e-6, 1e-3, NULL);
    hwCase_Compare(context, "w3 after 20 s, rad/s", exact.z, HW_NO_SEED, a.z, b.z, 1e-6, 1e-3, NULL);
    hwCase_Compare(context, "kinetic energy after over before", 1.0, HW_NO_SEED, energy, (double)NAN, 1e-9,
                   (double)NAN, NULL);
}

// Slope of log(error) over log(step or tolerance) from a fit through all points but the first.
static double FitSlope(int count, const double* x, const double* y) {
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int i = 0; i < count; ++i) {
        double a = log(x[i]), b = log(y[i]);
        sx += a, sy += b, sxx += a * a, sxy += a * b;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

// Euler's equations with a moment that turns with the body.
static const hwVec3 topMoment = {0.2, -0.1, 0.3};

static void PushedTopSlope(const void* context, double t, const double* w, double* slope) {
    (void)context, (void)t;
    const double* I = topInertia;
    slope[0] = ((I[1] - I[2]) * w[1] * w[2] + topMoment.x) / I[0];
    slope[1] = ((I[2] - I[0]) * w[2] * w[0] + topMoment.y) / I[1];
    slope[2] = ((I[0] - I[1]) * w[0] * w[1] + topMoment.z) / I[2];
}

static void ConvergenceOrder(hwCaseContext* context) {
    enum { STEPS = 5, TOLERANCES = 9 };
    double steps[STEPS], errors[STEPS], tolerances[TOLERANCES], referenceErrors[TOLERANCES];
    double pushed[3] = {topRate.x, topRate.y, topRate.z};
    hwCase_Integrate(PushedTopSlope, NULL, 3, 0.0, 5.0, 20000, pushed);
    const char* names[2] = {"order of realtime", "order of realtime, no moment"};
    const hwVec3 exact[2] = {{pushed[0], pushed[1], pushed[2]}, ExactTop(topInertia, topRate, 5.0)};
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < STEPS; ++i) {
            steps[i] = (k == 0 ? 0.05 : 0.2) / (1 << i);
            hwSolverDef solver = {.tolerance = 1e30, .max = steps[i], .initial = steps[i]};
            hwVec3 w = RunTop(context, false, 5.0, k == 0 ? topMoment : hwVec3_zero, solver, NULL);
            errors[i] = hwDistance(w, exact[k]);
        }
        hwCase_Check(context, HW_MADE_REALTIME, names[k], k == 0 ? 2.0 : 4.0, FitSlope(STEPS, steps, errors),
                     0.02,
                     k == 0 ? "slope of log error over log step, 0.05 to 0.003125 s"
                            : "0.2 to 0.0125 s: motion without forces is integrated by itself");
    }
    hwVec3 later = ExactTop(topInertia, topRate, 100.0);
    for (int i = 0; i < TOLERANCES; ++i) {
        tolerances[i] = pow(10.0, -3.0 - i);
        hwVec3 w = RunTop(context, true, 100.0, hwVec3_zero, (hwSolverDef){.tolerance = tolerances[i]}, NULL);
        referenceErrors[i] = hwDistance(w, later);
    }
    hwCase_Compare(
        context, "error over tolerance of reference, slope", 1.0, HW_NO_SEED,
        FitSlope(TOLERANCES, tolerances, referenceErrors), (double)NAN, 0.15, (double)NAN,
        "slope of log error over log tolerance, 1e-3 to 1e-11, after 100 s; single points scatter");
}

// Free spin ------------------------------------------------------------------------------------------------------------

// A body whose centre of mass is 3.6 m off its origin, in frames of 1/60 s or a thousand of them for 1,000 turns.
static void SpinFreely(hwCaseContext* context, bool reference, double rate, double* energy,
                       double* momentum) {
    const double I[3] = {1.0, 2.0, 2.5};
    hwCaseRun run;
    hwCaseRun_Begin(&run, context, reference, NULL, reference ? 1e-11 : 0.0);
    hwBodyDef body = MakeBody("body", 10.0, I[0], I[1], I[2]);
    body.com = hwMakeVec3(3.6, 0.0, 0.0);
    body.rate = hwScale(rate, hwMakeVec3(0.6, 0.64, 0.48));
    hwBodyId id = hwCaseRun_AddBody(&run, &body);
    hwCaseRun_Prepare(&run);
    double before = run.failed ? 1.0 : hwWorld_GetEnergy(run.world).kinetic;
    double turns = 1000.0 * 2.0 * HW_PI / rate, frame = fmin(1.0 / 60.0, turns / 1000.0);
    for (double t = 0.0; t < turns && !run.failed; t += frame)
        run.failed = hwWorld_Step(run.world, frame, &run.error) < HW_OK;
    hwBodyState s = hwCaseRun_ReadBody(&run, id);
    hwVec3 L0 = {I[0] * body.rate.x, I[1] * body.rate.y, I[2] * body.rate.z};
    hwVec3 L = hwRotate(s.attitude, hwMakeVec3(I[0] * s.rate.x, I[1] * s.rate.y, I[2] * s.rate.z));
    *energy = run.failed ? (double)NAN : hwWorld_GetEnergy(run.world).kinetic / before;
    *momentum = hwDistance(L, L0) / hwLength(L0);
    hwCaseRun_End(&run);
}

static void FreeSpin(hwCaseContext* context) {
    const double rates[3] = {12.0, 120.0, 12000.0};
    for (int i = 0; i < 3; ++i) {
        double energy[2], momentum[2];
        char name[80];
        for (int k = 0; k < 2; ++k) SpinFreely(context, k == 0, rates[i], &energy[k], &momentum[k]);
        snprintf(name, sizeof(name), "%g rad/s, 1,000 turns: energy after over before", rates[i]);
        hwCase_Compare(context, name, 1.0, HW_NO_SEED, energy[0], energy[1], 1e-6, 1e-6, NULL);
        snprintf(name, sizeof(name), "%g rad/s: change of angular momentum, of it", rates[i]);
        hwCase_Compare(context, name, 0.0, HW_NO_SEED, momentum[0], momentum[1], 1e-6, 1e-6, NULL);
    }
}

// Water ----------------------------------------------------------------------------------------------------------------

// m v' = W - k v^2 with m the total inertia and W the weight in water: v = vt tanh(t / T), T = m vt / W.
static void SinkingSphere(hwCaseContext* context) {
    const double radius = 0.5, density = 3000.0, k = 250.0, t = 3.0;
    double volume = 4.0 / 3.0 * HW_PI * radius * radius * radius;
    double mass = density * volume, added = 0.5 * 1025.0 * volume;
    double weight = (density - 1025.0) * volume * 9.81;
    double terminal = sqrt(weight / k), timeScale = (mass + added) * terminal / weight;
    double value[2][2];
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwEnvironmentDef water = Water();
        hwCaseRun run;
        hwCaseRun_Begin(&run, context, !realtime, &water, 0.0);
        hwShapeDef ball = hwDefaultShapeDef();
        ball.kind = HW_SHAPE_SPHERE;
        ball.radius = radius;
        hwBodyDef def = MakeBody("sphere", mass, 100.0, 100.0, 100.0);
        def.shapeCount = 1;
        def.shapes = &ball;
        def.position.z = -2.0;
        for (int i = 0; i < 3; ++i) def.hydro.addedMass[i][i] = added, def.hydro.quadraticDrag[i] = k;
        hwBodyId id = hwCaseRun_AddBody(&run, &def);
        hwCaseRun_Prepare(&run);
        hwCaseRun_Advance(&run, t);
        hwBodyState s = hwCaseRun_ReadBody(&run, id);
        value[realtime][0] = -s.velocity.z;
        value[realtime][1] = -2.0 - s.position.z;
        hwCaseRun_End(&run);
    }
    hwCase_Compare(context, "sinking speed after 3 s, m/s", terminal * tanh(t / timeScale), HW_NO_SEED,
                   value[0][0], value[1][0], 1e-7, 1e-3, NULL);
    hwCase_Compare(context, "depth sunk after 3 s, m", terminal * timeScale * log(cosh(t / timeScale)),
                   HW_NO_SEED, value[0][1], value[1][1], 1e-7, 1e-3, NULL);
}

// A box 4 x 3 x 2 m, draught 0.8 m. Wall-sided: heave is linear as long as the deck stays dry and the bottom wet.
#define BOX_LENGTH 4.0
#define BOX_BEAM 3.0
#define BOX_HEIGHT 2.0
#define BOX_DRAUGHT 0.8

static hwBodyDef MakeBox(hwShapeDef* shape, double comHeight) {
    *shape = hwDefaultShapeDef();
    shape->kind = HW_SHAPE_BOX;
    shape->size = hwMakeVec3(BOX_LENGTH, BOX_BEAM, BOX_HEIGHT);
    double mass = 1025.0 * BOX_LENGTH * BOX_BEAM * BOX_DRAUGHT;
    hwBodyDef def = MakeBody("box", mass, mass * 1.1, mass * 1.6, mass * 2.0);
    def.shapeCount = 1;
    def.shapes = shape;
    def.com.z = comHeight - 0.5 * BOX_HEIGHT; // above the keel
    def.position.z = 0.5 * BOX_HEIGHT - BOX_DRAUGHT;
    return def;
}

static void HeavingBox(hwCaseContext* context) {
    double mass = 1025.0 * BOX_LENGTH * BOX_BEAM * BOX_DRAUGHT, added = 0.7 * mass;
    double exact = 2.0 * HW_PI * sqrt((mass + added) / (1025.0 * 9.81 * BOX_LENGTH * BOX_BEAM));
    double period[2];
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwEnvironmentDef water = Water();
        hwCaseRun run;
        hwCaseRun_Begin(&run, context, !realtime, &water, 0.0);
        hwShapeDef shape;
        hwBodyDef def = MakeBox(&shape, 0.5);
        double level = def.position.z;
        def.position.z += 0.1;
        def.hydro.addedMass[2][2] = added;
        hwCaseRun_AddBody(&run, &def);
        hwCaseRun_Prepare(&run);
        period[realtime] = hwCaseRun_MeasurePeriod(&run, "box.position.z", level, 60.0);
        hwCaseRun_End(&run);
    }
    // crossings are found in frames of 1/60 s by a parabola: 1e-6 of a period
    hwCase_Compare(context, "heave period, s", exact, HW_NO_SEED, period[0], period[1], 1e-6, 2e-3, NULL);
}

// Righting moment of a wall-sided box heeled by a: rho g V (GM + BM tan^2(a) / 2) sin(a), with BM = beam^2 / (12
// draught), KB = draught / 2, GM = KB + BM - KG. For GM < 0 it lolls to tan(a) = sqrt(-2 GM / BM).
static void MetacentricBox(hwCaseContext* context) {
    const double BM = BOX_BEAM * BOX_BEAM / (12.0 * BOX_DRAUGHT), KB = 0.5 * BOX_DRAUGHT;
    hwEnvironmentDef water = Water();
    hwShapeDef shape;

    hwBodyDef stable = MakeBox(&shape, 0.9);
    double GM = KB + BM - 0.9, heel = 10.0 * HW_DEGREE;
    double moment = -stable.mass * 9.81 * (GM + 0.5 * BM * tan(heel) * tan(heel)) * sin(heel);
    hwCaseRun run;
    hwCaseRun_Begin(&run, context, true, &water, 0.0);
    stable.attitude = hwQuatFromRpy(heel, 0.0, 0.0);
    // the water line through the centre plane keeps the displacement: the box's middle line stays at its height over it
    stable.position.z = (0.5 * BOX_HEIGHT - BOX_DRAUGHT) * cos(heel);
    hwBodyId id = hwCaseRun_AddBody(&run, &stable);
    hwCaseRun_Prepare(&run);
    hwBodyState s = hwCaseRun_ReadBody(&run, id);
    // about the centre of mass: the origin's acceleration tells how the body turns, the moment about com is I w'
    double measured = stable.inertia[0] * s.rateAcceleration.x;
    hwCaseRun_End(&run);
    hwCase_Compare(context, "righting moment at 10 degrees, N m", moment, HW_NO_SEED, measured, (double)NAN,
                   1e-9, (double)NAN, "Scribanti's formula for wall-sided ships");

    hwBodyDef unstable = MakeBox(&shape, 1.45);
    double loll = atan(sqrt(-2.0 * (KB + BM - 1.45) / BM));
    hwWorldDef def = hwDefaultWorldDef();
    def.statics = true;
    hwError error;
    hwWorld* world = hwCreateWorld(&def, &error);
    unstable.attitude = hwQuatFromRpy(0.05, 0.0, 0.0);
    double angle = (double)NAN;
    if (world != NULL && hwWorld_SetEnvironment(world, &water, &error) == HW_OK) {
        id = hwWorld_AddBody(world, &unstable, &error);
        if (!HW_IS_NULL(id) && hwWorld_Prepare(world, &error) == HW_OK) {
            hwBody_GetState(world, id, &s, &error);
            angle = hwRpyFromQuat(s.attitude).x;
        }
    }
    if (isnan(angle)) hwCase_AddError(context, "angle of loll", &error);
    hwDestroyWorld(world);
    hwCase_Check(context, HW_MADE_STATICS, "angle of loll by statics, rad", loll, angle, 1e-7,
                 "upright it would capsize: GM = -0.1125 m");

    double period[2];
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwCaseRun_Begin(&run, context, !realtime, &water, 0.0);
        hwBodyDef rolling = MakeBox(&shape, 0.5 * BOX_HEIGHT);
        rolling.attitude = hwQuatFromRpy(0.5 * HW_DEGREE, 0.0, 0.0);
        hwCaseRun_AddBody(&run, &rolling);
        hwCaseRun_Prepare(&run);
        period[realtime] = hwCaseRun_MeasurePeriod(&run, "box.attitude.roll", 0.0, 60.0);
        hwCaseRun_End(&run);
    }
    hwBodyDef middle = MakeBox(&shape, 0.5 * BOX_HEIGHT);
    double rollGM = KB + BM - 0.5 * BOX_HEIGHT;
    double exact = 2.0 * HW_PI * sqrt(middle.inertia[0] / (middle.mass * 9.81 * rollGM));
    hwCase_Compare(context, "roll period, s", exact, HW_NO_SEED, period[0], period[1], 1e-4, 2e-3,
                   "small angle: 0.5 degrees stiffens it by 6e-5");
}

static void Drifter(hwCaseContext* context) {
    double speed[2];
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwEnvironmentDef water = Water();
        hwSignalTerm stream = hwConstantTerm(hwMakeVec3(0.5, 0.0, 0.0));
        water.current.uniform = (hwSignal){1, &stream};
        hwCaseRun run;
        hwCaseRun_Begin(&run, context, !realtime, &water, 0.0);
        hwBodyDef def = MakeBody("drifter", 1025.0, 200.0, 300.0, 400.0);
        def.hydro.volume = 1.0;
        def.position.z = -20.0;
        for (int i = 0; i < 3; ++i) {
            def.hydro.addedMass[i][i] = 400.0 + 100.0 * i;
            def.hydro.linearDrag[i] = 200.0;
            def.hydro.quadraticDrag[i] = 500.0;
            def.hydro.linearDrag[i + 3] = 50.0;
        }
        def.attitude = hwQuatFromRpy(0.3, 0.2, 0.7);
        hwBodyId id = hwCaseRun_AddBody(&run, &def);
        hwCaseRun_Prepare(&run);
        hwCaseRun_Advance(&run, 300.0);
        speed[realtime] = hwCaseRun_ReadBody(&run, id).velocity.x;
        hwCaseRun_End(&run);
    }
    hwCase_Compare(context, "speed after 300 s, m/s", 0.5, HW_NO_SEED, speed[0], speed[1], 1e-9, 1e-9,
                   "exp(-300 s * 200 / 1425) of the difference is left");
}

// Waves ------------------------------------------------------------------------------------------------------------------

static void JonswapVariance(hwCaseContext* context) {
    const double hs = 3.0;
    hwEnvironmentDef sea = Water();
    sea.jonswap.hs = hs;
    sea.jonswap.tp = 9.0;
    hwWorldDef def = hwDefaultWorldDef();
    hwError error;
    hwWorld* world = hwCreateWorld(&def, &error);
    if (world == NULL || hwWorld_SetEnvironment(world, &sea, &error) != HW_OK) {
        hwCase_AddError(context, "sea", &error);
        hwDestroyWorld(world);
        return;
    }
    // six hours, twice a second
    const int count = 43200;
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < count; ++i) {
        hwVec3 point = {0.0, 0.0, -1.0};
        hwFluidSample sample;
        hwWorld_SampleFluid(world, 1, &point, 0.5 * i, &sample, &error);
        sum += sample.surface;
        squares += sample.surface * sample.surface;
    }
    hwDestroyWorld(world);
    double mean = sum / count, variance = squares / count - mean * mean;
    hwCase_Check(context, HW_MADE_DIRECT, "significant height from a record, m", hs, 4.0 * sqrt(variance),
                 0.02, "six hours at one point, default 200 harmonics");
}

const hwCase hwBodyCases[] = {
    {"asymmetric-top", "Landau & Lifshitz, Mechanics, section 37",
     "A torque-free top against elliptic functions.", AsymmetricTop},
    {"convergence", "Bank et al. 1985; Hindmarsh et al. 2005", "Order of one solver, tolerance of the other.",
     ConvergenceOrder},
    {"free-spin", "conservation", "A thousand turns of a body whose centre of mass is far off its origin.",
     FreeSpin},
    {"sinking-sphere", "closed form", "Added mass and quadratic drag against tanh.", SinkingSphere},
    {"heaving-box", "closed form", "Heave period of a floating box with added mass.", HeavingBox},
    {"metacentric-box", "Scribanti's formula", "Righting moment, loll and roll of a floating box.",
     MetacentricBox},
    {"drifter", "Newton", "A neutral body in a current ends at the current's velocity.", Drifter},
    {"jonswap-variance", "Hasselmann et al. 1973",
     "The variance of a sea's record against its significant height.", JonswapVariance},
    {0},
};
