// Motion in time: conservation, the energy audit, chains that fall, a mooring line on the bottom.
#include "cable/stepper.h"

// ---- Conservation

static void GetMomenta(Rig* rig, hwVec3* linear, hwVec3* angular) {
    hwVec3 momentum[64];
    hwCableWork_MulMass(&rig->work, rig->state.velocity, momentum);
    *linear = *angular = hwVec3_zero;
    for (int i = 0; i <= Rig_Last(rig); ++i) {
        *linear = hwAdd(*linear, momentum[i]);
        *angular = hwAdd(*angular, hwCross(rig->state.position[i], momentum[i]));
    }
}

// Change of angular momentum and energy of a cable that tumbles in space for 2 s with step h.
static void Tumble(double h, double* angularError, double* energyError, double* linearError) {
    hwCableSection section = PlainSection(10.0, 20);
    section.EA = 2e3;
    section.EI = 20.0;
    Rig rig;
    Rig_MakePlain(&rig, section);
    for (int i = 0; i <= 20; ++i) {
        double s = 0.5 * i;
        rig.state.position[i] = hwMakeVec3(s, 0.4 * sin(0.7 * s), 0.3 * cos(0.5 * s));
        rig.state.velocity[i] = hwMakeVec3(0.5, 0.3 * s, 1.0 - 0.05 * s * s);
    }
    Stepper stepper = Stepper_Make(&rig);
    Stepper_Evaluate(&stepper, 0.0, 0.0, false);
    hwVec3 linear[2], angular[2];
    GetMomenta(&rig, &linear[0], &angular[0]);
    hwCableEnergy start = hwCableWork_GetEnergy(&rig.work);
    Stepper_Run(&stepper, 2.0, h);
    assert_int_equal(stepper.unconverged + stepper.badPivots, 0);
    GetMomenta(&rig, &linear[1], &angular[1]);
    hwCableEnergy end = hwCableWork_GetEnergy(&rig.work);
    *linearError = hwDistance(linear[0], linear[1]) / hwLength(linear[0]);
    *angularError = hwDistance(angular[0], angular[1]) / hwLength(angular[0]);
    *energyError =
        fabs(end.kinetic + TotalPotential(&end) - start.kinetic - TotalPotential(&start)) / start.kinetic;
    Stepper_Free(&stepper);
    Rig_Free(&rig);
}

static void TumblingCableKeepsMomentumAndEnergy(void** unused) {
    (void)unused;
    double angular[2], energy[2], linear[2];
    Tumble(0.004, &angular[0], &energy[0], &linear[0]);
    Tumble(0.002, &angular[1], &energy[1], &linear[1]);
    // Linear momentum is exact: 1e-13 in a thousand steps.
    assert_true(linear[0] < 1e-11 && linear[1] < 1e-11);
    // The scheme is of second order in what it does not conserve.
    assert_true(angular[1] < 1e-4 && energy[1] < 1e-3);
    assert_true(angular[1] < 0.35 * angular[0] && energy[1] < 0.35 * energy[0]);
}

// Impulses along the elements stop all stretching of a bent cable, and move nothing sideways that need not; between two held ends that
// part all elements of a straight one go on stretching at one rate.
static void StretchingIsStoppedByImpulses(void** unused) {
    (void)unused;
    double pivots[32], impulses[32];
    Rig rig;
    Rig_MakePlain(&rig, PlainSection(10.0, 20));
    for (int i = 0; i <= 20; ++i) {
        double s = 0.5 * i;
        rig.state.position[i] = hwMakeVec3(s, 0.4 * sin(0.7 * s), 0.3 * cos(0.5 * s));
        rig.state.velocity[i] = hwMakeVec3(0.5 * cos(3.0 * s), 0.3 * s, 1.0 - 0.05 * s * s);
    }
    hwVec3 linear[2], angular[2];
    GetMomenta(&rig, &linear[0], &angular[0]);
    hwCableHold held[2] = {{0}};
    hwCableState_StopStretching(&rig.state, &rig.model, held, pivots, impulses);
    GetMomenta(&rig, &linear[1], &angular[1]);
    for (int e = 0; e < 20; ++e) {
        hwVec3 along = hwSub(rig.state.position[e + 1], rig.state.position[e]),
               apart = hwSub(rig.state.velocity[e + 1], rig.state.velocity[e]);
        assert_true(fabs(hwDot(along, apart)) < 1e-4);
    }
    assert_true(hwDistance(linear[0], linear[1]) < 1e-10);
    // the end at a stands still and pays out 0.4 m/s, the other goes on with 1 m/s
    for (int i = 0; i <= 20; ++i) {
        rig.state.position[i] = hwMakeVec3(0.5 * i, 0.0, 0.0);
        rig.state.velocity[i] = hwMakeVec3(i == 20 ? 1.0 : sin(i), 0.0, 0.0);
    }
    rig.state.velocity[0] = hwVec3_zero;
    held[0] = (hwCableHold){true, 0.4};
    held[1] = (hwCableHold){true, 0.0};
    hwCableState_StopStretching(&rig.state, &rig.model, held, pivots, impulses);
    for (int i = 1; i <= 20; ++i) assert_true(fabs(rig.state.velocity[i].x - 0.4 - 0.03 * i) < 1e-4);
    Rig_Free(&rig);
}

// ---- Audit

static EndMotion MoveTop(void* context, int end, double time) {
    (void)context;
    (void)end;
    double w = 2.0, a = 0.6, ramp = time * time / (1.0 + time * time);
    double dRamp = 2.0 * time / ((1.0 + time * time) * (1.0 + time * time));
    double ddRamp = (2.0 - 6.0 * time * time) / pow(1.0 + time * time, 3.0);
    double s = a * sin(w * time), ds = a * w * cos(w * time), dds = -w * w * s;
    EndMotion m = {.position = {0.0, 0.0, 0.0}};
    m.position = hwMakeVec3(ramp * s, 0.3 * ramp * s, 0.5);
    m.velocity.x = dRamp * s + ramp * ds;
    m.velocity.y = 0.3 * m.velocity.x;
    m.acceleration.x = ddRamp * s + 2.0 * dRamp * ds + ramp * dds;
    m.acceleration.y = 0.3 * m.acceleration.x;
    return m;
}

// Everything at once: driven top above the water, a float, current, drag, added mass, bending and all
// damping. The books are kept with Simpson's rule from the states at the steps and half steps.
static double AuditError(double h) {
    hwCableSection section = PlainSection(12.0, 24);
    section.EA = 5e3;
    section.EI = 5.0;
    section.axialDamping = 50.0;
    section.bendingDamping = 1.0;
    section.dragNormal = 1.2;
    section.dragTangential = 0.05;
    section.addedNormal = 1.0;
    hwCableLump lump = {
        .at = 7.3, .mass = 1.0, .volume = 2.5e-3, .dragArea = 5e-3, .addedVolume = 1e-3, .radius = 0.08};
    hwCableSpec spec = {
        .name = "swing", .sectionCount = 1, .sections = &section, .lumpCount = 1, .lumps = &lump};
    Rig rig;
    Rig_Make(&rig, &spec);
    rig.input.gravity = 9.81;
    rig.input.ends[0].kind = HW_CABLE_PIN;
    Rig_FillWater(&rig, -0.25, hwMakeVec3(0.3, 0.2, 0.0), hwVec3_zero);
    hwVec3 points[2] = {{0.0, 0.0, 0.5}, {0.0, 0.0, -11.5}};
    hwCableState_Place(&rig.state, points, 2);
    Stepper stepper = Stepper_Make(&rig);
    stepper.move = MoveTop;
    stepper.tolerance = 1e-6;
    Stepper_Step(&stepper, h); // past the jump of the start
    double books = 0.0, power[3], first = 0.0, total = 0.0, turnover = 0.0;
    for (int k = 0; k < (int)lround(3.0 / h) / 2; ++k) {
        for (int j = 0; j < 3; ++j) {
            if (j > 0) Stepper_Step(&stepper, h);
            hwCableEnergy e = hwCableWork_GetEnergy(&rig.work);
            hwVec3 force = hwCableWork_GetEndForce(&rig.work, 0, stepper.acceleration);
            total = e.kinetic + TotalPotential(&e);
            power[j] =
                e.payout + e.fluid + e.turning - e.drag - e.damping - hwDot(force, rig.state.velocity[0]);
            if (k == 0 && j == 0) first = total;
            turnover += h * (e.drag + e.damping);
        }
        books += h / 3.0 * (power[0] + 4.0 * power[1] + power[2]);
    }
    Stepper_Free(&stepper);
    Rig_Free(&rig);
    assert_true(turnover > 1.0);
    return fabs(total - first - books) / turnover;
}

static void EnergyAuditCloses(void** unused) {
    (void)unused;
    double coarse = AuditError(2e-3), fine = AuditError(1e-3);
    assert_true(fine < 1e-3);
    assert_true(fine < 0.4 * coarse);
}

// ---- Falling chains

// Tip of a chain released from a horizontal line, before it whips round at about 1.45 s.
static void RunReleased(int elements, double h, hwVec3 tip[7]) {
    hwCableSection section = PlainSection(10.0, elements);
    section.EA = 1e6;
    section.compression = 1e-3;
    section.axialDamping = 20.0;
    section.massPerLength = 1.0;
    Rig rig;
    Rig_MakePlain(&rig, section);
    rig.input.gravity = 9.81;
    rig.input.ends[0].kind = HW_CABLE_PIN;
    Stepper stepper = Stepper_Make(&rig);
    for (int k = 0; k < 7; ++k) {
        Stepper_Run(&stepper, 0.2 * (k + 1), h);
        tip[k] = rig.state.position[elements];
    }
    Stepper_Free(&stepper);
    Rig_Free(&rig);
}

static void ReleasedChain(void** unused) {
    (void)unused;
    hwVec3 fine[7], coarse[7];
    RunReleased(160, 1e-3, fine);
    RunReleased(40, 1.0 / 300.0, coarse);
    for (int k = 0; k < 7; ++k) assert_true(hwDistance(fine[k], coarse[k]) < 0.005 * 10.0);
    // The free end of a chain let go along a straight line feels no tension at first: it falls freely.
    assert_true(fabs(coarse[1].z + 0.5 * 9.81 * 0.16) < 1e-3);
}

// Both ends at the top, one let go: the tip falls faster than g. With a narrow fold (Calkin & March 1989)
// v^2 = g x (2 L - x)/(L - x).
static double GetFoldTime(double part) {
    double sum = 0.0, end = sqrt(part);
    const int n = 20000;
    for (int i = 0; i < n; ++i) {
        double y = end * (i + 0.5) / n, x = y * y;
        sum += 2.0 * sqrt((1.0 - x) / (2.0 - x)) * end / n;
    }
    return sum;
}

static void FoldedChainFallsFasterThanG(void** unused) {
    (void)unused;
    double length = 10.0, g = 9.81, width = 0.2;
    const int elements = 160;
    hwCableSection section = PlainSection(length, elements);
    section.EA = 1e6;
    section.compression = 1e-3;
    section.axialDamping = 20.0;
    section.massPerLength = 1.0;
    Rig rig;
    Rig_MakePlain(&rig, section);
    rig.input.gravity = g;
    rig.input.ends[0].kind = rig.input.ends[1].kind = HW_CABLE_PIN;
    hwVec3 points[4] = {{0, 0, 0}, {0, 0, -0.5 * length}, {width, 0, -0.5 * length}, {width, 0, 0}};
    hwCableState_Place(&rig.state, points, 4);
    hwCableStatics statics = {0};
    assert_int_equal(hwCableWork_SolveStatics(&rig.work, &rig.state, &rig.input, &statics, NULL), HW_OK);
    rig.input.ends[1].kind = HW_CABLE_FREE;
    Stepper stepper = Stepper_Make(&rig);
    const double parts[3] = {0.3, 0.6, 0.9};
    double before = 0.0, h = 2e-3;
    int k = 0;
    while (k < 3 && stepper.time < 2.0) {
        Stepper_Step(&stepper, h);
        double fallen = -rig.state.position[elements].z;
        if (fallen >= parts[k] * length) {
            double time = stepper.time - h * (fallen - parts[k] * length) / (fallen - before);
            double exact = GetFoldTime(parts[k]) * sqrt(length / g);
            // A fold 2 % of the length wide: 0.3 %, against 12 % between this and free fall at the end.
            assert_true(fabs(time / exact - 1.0) < 0.005);
            if (k == 2) assert_true(time < 0.9 * sqrt(2.0 * parts[k] * length / g));
            k += 1;
        }
        before = fallen;
    }
    assert_int_equal(k, 3);
    Stepper_Free(&stepper);
    Rig_Free(&rig);
}

// ---- Mooring line

typedef struct Mooring {
    Rig rig;
    double height[101];
    hwCableSeabed seabed;
} Mooring;

static EndMotion MoveFairlead(void* context, int end, double time) {
    (void)context;
    EndMotion m = {.position = {0.0, 0.0, 0.0}};
    if (end == 0) {
        m.position = hwMakeVec3(0.0, 0.0, -200.0);
        return m;
    }
    // 2 m at 10 s, brought in smoothly over 10 s.
    double w = 0.2 * HW_PI, u = fmin(time / 10.0, 1.0);
    double ramp = u * u * (3.0 - 2.0 * u), dRamp = 0.6 * u * (1.0 - u),
           ddRamp = u < 1.0 ? 0.06 * (1.0 - 2.0 * u) : 0.0;
    double s = 2.0 * sin(w * time), ds = 2.0 * w * cos(w * time);
    m.position = hwMakeVec3(540.0 + ramp * s, 0.0, -10.0);
    m.velocity.x = dRamp * s + ramp * ds;
    m.acceleration.x = ddRamp * s + 2.0 * dRamp * ds - ramp * w * w * s;
    return m;
}

static void PrepareMooring(Mooring* m, int elements) {
    hwCableSection section = {.length = 600.0,
                              .elements = elements,
                              .diameter = 0.09,
                              .massPerLength = 77.0,
                              .EA = 3.84e8,
                              .axialDamping = 1e5,
                              .dragNormal = 1.4,
                              .dragTangential = 0.1,
                              .addedNormal = 1.0,
                              .compression = 1e-3,
                              .breakTension = HUGE_VAL};
    Rig_MakePlain(&m->rig, section);
    m->rig.input.gravity = 9.81;
    Rig_FillWater(&m->rig, 0.0, hwVec3_zero, hwVec3_zero);
    m->rig.input.ends[0].kind = m->rig.input.ends[1].kind = HW_CABLE_PIN;
    for (int i = 0; i <= elements; ++i) m->height[i] = -200.045;
    m->seabed = (hwCableSeabed){.height = m->height, .stiffness = 1e5, .damping = 1e4, .friction = 0.5};
    hwVec3 points[2] = {{0.0, 0.0, -200.0}, {540.0, 0.0, -10.0}};
    hwCableState_Place(&m->rig.state, points, 2);
    hwCableStatics statics = {.seabed = &m->seabed};
    assert_int_equal(hwCableWork_SolveStatics(&m->rig.work, &m->rig.state, &m->rig.input, &statics, NULL),
                     HW_OK);
}

// Fairlead force over 30 s at every 0.25 s.
static void RunMooring(double h, double* force) {
    static Mooring m;
    PrepareMooring(&m, 40);
    Stepper stepper = Stepper_Make(&m.rig);
    stepper.move = MoveFairlead;
    stepper.seabed = &m.seabed;
    for (int k = 0; k < 120; ++k) {
        Stepper_Run(&stepper, 0.25 * (k + 1), h);
        force[k] = hwLength(hwCableWork_GetEndForce(&m.rig.work, 1, stepper.acceleration));
    }
    assert_int_equal(stepper.badPivots, 0);
    assert_int_equal(stepper.unconverged, 0);
    Stepper_Free(&stepper);
    Rig_Free(&m.rig);
}

static void MooringLineSurgesAccuratelyWithLongSteps(void** unused) {
    (void)unused;
    double exact[120], force[120];
    RunMooring(0.005, exact);
    double mean = 0.0, varying = 0.0;
    for (int k = 40; k < 120; ++k) mean += exact[k] / 80.0;
    for (int k = 40; k < 120; ++k) varying += (exact[k] - mean) * (exact[k] - mean);
    const double steps[2] = {1.0 / 60.0, 0.125};
    const double bars[2] = {2e-3, 1e-2};
    for (int j = 0; j < 2; ++j) {
        RunMooring(steps[j], force);
        double error = 0.0;
        for (int k = 40; k < 120; ++k) error += (force[k] - exact[k]) * (force[k] - exact[k]);
        assert_true(sqrt(error / varying) < bars[j]);
    }
}

typedef struct Slope {
    Rig* rig;
    double height[9], tangent;
} Slope;

static void SampleSlope(void* context, double time) {
    (void)time;
    Slope* slope = context;
    for (int i = 0; i <= 8; ++i) slope->height[i] = -slope->rig->state.position[i].y * slope->tangent;
}

// A cable laid on a slope below the angle of friction stays; above it, it slides with g (sin - mu cos).
static void FrictionHoldsAndSlides(void** unused) {
    (void)unused;
    for (int k = 0; k < 2; ++k) {
        double slope = k == 0 ? 0.35 : 0.8, friction = 0.5;
        hwCableSection section = PlainSection(4.0, 8);
        section.compression = 1.0;
        Rig rig;
        Rig_MakePlain(&rig, section);
        rig.input.gravity = 9.81;
        Slope ground = {.rig = &rig, .tangent = tan(slope)};
        hwVec3 normal[9], n = hwMakeVec3(0.0, sin(slope), cos(slope));
        // Laid along the contour at the depth that carries it: k p = mu g cos / d.
        double sink = 1.5 * 9.81 * cos(slope) / (0.02 * 1e5);
        for (int i = 0; i <= 8; ++i) {
            normal[i] = n;
            rig.state.position[i] = hwAdd(hwMakeVec3(0.5 * i, 0.0, 0.0), hwScale(0.01 - sink, n));
            rig.state.anchor[i] = rig.state.position[i];
        }
        hwCableSeabed seabed = {.height = ground.height,
                                .normal = normal,
                                .stiffness = 1e5,
                                .damping = 1e4,
                                .friction = friction};
        Stepper stepper = Stepper_Make(&rig);
        stepper.seabed = &seabed;
        stepper.sample = SampleSlope;
        stepper.context = &ground;
        hwVec3 start = rig.state.position[4];
        Stepper_Run(&stepper, 3.0, 0.01);
        double settled = hwDistance(rig.state.position[4], start);
        Stepper_Run(&stepper, 6.0, 0.01);
        double moved = hwDistance(rig.state.position[4], start);
        if (k == 0) {
            // Elastic slip of the friction springs, mu g sin/k, then nothing: no creep in 3 s.
            assert_true(moved < 0.01);
            assert_true(fabs(moved - settled) < 1e-9);
        } else {
            double exact = 0.5 * 9.81 * (sin(slope) - friction * cos(slope)) * 36.0;
            assert_true(fabs(moved / exact - 1.0) < 0.01);
        }
        Stepper_Free(&stepper);
        Rig_Free(&rig);
    }
}

// 10 t under 1 kg/m with EA = 1e9: one axial period is far below the step; it must stay put.
static void HeavyLoadOnStiffCableIsStable(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(50.0, 25);
    section.EA = 1e9;
    section.massPerLength = 1.0;
    hwCableLump lump = {.at = 50.0, .mass = 1e4};
    hwCableSpec spec = {
        .name = "load", .sectionCount = 1, .sections = &section, .lumpCount = 1, .lumps = &lump};
    Rig rig;
    Rig_Make(&rig, &spec);
    rig.input.gravity = 9.81;
    rig.input.ends[0].kind = HW_CABLE_PIN;
    double stretched = 50.0 * (1.0 + 98100.0 * sqrt(0.99) / 1e9);
    hwVec3 points[2] = {{0, 0, 0}, {0, 0.1 * stretched, -stretched * sqrt(0.99)}};
    hwCableState_Place(&rig.state, points, 2);
    Stepper stepper = Stepper_Make(&rig);
    Stepper_Run(&stepper, 10.0, 1.0 / 60.0);
    assert_int_equal(stepper.unconverged + stepper.badPivots, 0);
    // A pendulum of 50 m and period 14.2 s: after 10 s on its way back. 0.25 % longer period for an amplitude
    // of 0.1, 0.2 % shorter for the 50 kg of the cable.
    double exact = 5.0 * cos(sqrt(9.81 / 50.0) * 10.0);
    assert_true(fabs(rig.state.position[25].y - exact) < 0.02);
    hwVec3 force = hwCableWork_GetEndForce(&rig.work, 0, stepper.acceleration);
    assert_true(fabs(hwLength(force) / 98590.0 - 1.0) < 0.02);
    Stepper_Free(&stepper);
    Rig_Free(&rig);
}

// A 500 kg load thrown up at 3 m/s falls back into a rope that cannot push, and jerks it taut.
static double GetSnapPeak(double compression, double h) {
    hwCableSection section = PlainSection(50.0, 50);
    section.EA = 1e6;
    section.massPerLength = 1.0;
    section.compression = compression;
    section.axialDamping = 1e3;
    section.dragNormal = 1.2;
    section.addedNormal = 1.0;
    hwCableLump lump = {
        .at = 50.0, .mass = 500.0, .volume = 0.1, .dragArea = 0.5, .addedVolume = 0.05, .radius = 0.2};
    hwCableSpec spec = {
        .name = "snap", .sectionCount = 1, .sections = &section, .lumpCount = 1, .lumps = &lump};
    Rig rig;
    Rig_Make(&rig, &spec);
    rig.input.gravity = 9.81;
    rig.input.ends[0].kind = HW_CABLE_PIN;
    Rig_FillWater(&rig, 100.0, hwVec3_zero, hwVec3_zero);
    hwVec3 points[2] = {{0, 0, 0}, {0, 0, -50.1}};
    hwCableState_Place(&rig.state, points, 2);
    hwCableStatics statics = {0};
    assert_int_equal(hwCableWork_SolveStatics(&rig.work, &rig.state, &rig.input, &statics, NULL), HW_OK);
    rig.state.velocity[50] = hwMakeVec3(0.05, 0.0, 3.0);
    Stepper stepper = Stepper_Make(&rig);
    double peak = 0.0, least = HUGE_VAL;
    while (stepper.time < 2.0) {
        Stepper_Step(&stepper, h);
        if (stepper.time > 0.5) peak = fmax(peak, rig.work.tension[0]);
        for (int e = 0; e < 50; ++e) least = fmin(least, rig.work.tension[e]);
    }
    assert_int_equal(stepper.badPivots, 0);
    assert_true(stepper.unconverged <= 1);
    // Slack: no element pushes with more than its fraction of EA at a strain of a few per cent.
    assert_true(least >= -compression * section.EA * 0.2);
    Stepper_Free(&stepper);
    Rig_Free(&rig);
    return peak;
}

static void SnapLoadAtFrameRate(void** unused) {
    (void)unused;
    for (int k = 0; k < 2; ++k) {
        double compression = k == 0 ? 0.0 : 1e-3;
        double exact = GetSnapPeak(compression, 5e-4), frame = GetSnapPeak(compression, 1.0 / 60.0);
        assert_true(exact > 2.0 * 4000.0); // twice what hangs there
        // The peak lasts 0.1 s; a sample every 1/60 s misses 2 % of it.
        assert_true(fabs(frame / exact - 1.0) < 0.03);
    }
}

// Ends brought together until the umbilical bends into a loop, then one clamp turned by three turns and back:
// below the moment at which it would buckle out of the plane and lose turns by passing through itself.
static void MoveLoop(void* context, double time) {
    Rig* rig = context;
    double turns = 2.0 * HW_PI * 3.0, w = 0.2,
           angle = time < 5.0 ? 0.0 : 0.5 * turns * (1.0 - cos(w * (time - 5.0)));
    double rate = time < 5.0 ? 0.0 : 0.5 * turns * w * sin(w * (time - 5.0));
    for (int end = 0; end < 2; ++end) {
        rig->input.ends[end] =
            (hwCableEnd){.kind = HW_CABLE_CLAMP, .tangent = {1, 0, 0}, .normal = {0, 1, 0}};
    }
    rig->input.ends[1].normal = hwMakeVec3(0.0, cos(angle), sin(angle));
    rig->input.ends[1].rate.x = rate;
}

static EndMotion MoveLoopEnds(void* context, int end, double time) {
    (void)context;
    double u = fmin(time / 5.0, 1.0), ramp = u * u * (3.0 - 2.0 * u);
    EndMotion m = {.position = {end == 0 ? 0.0 : 10.0 - 4.0 * ramp, 0.0, -10.0}};
    if (end == 1) m.velocity.x = -4.0 * 6.0 * u * (1.0 - u) / 5.0;
    return m;
}

static void TwistedLoopKeepsItsTurns(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(10.0, 30);
    section.EA = 1e6;
    section.EI = 100.0;
    section.GJ = 20.0;
    section.axialDamping = 1e3;
    section.bendingDamping = 5.0;
    section.torsionDamping = 5.0;
    section.dragNormal = 1.2;
    section.addedNormal = 1.0;
    section.diameter = 0.03;
    Rig rig;
    Rig_MakePlain(&rig, section);
    rig.input.gravity = 9.81;
    Rig_FillWater(&rig, 0.0, hwMakeVec3(0.0, 0.05, 0.0), hwVec3_zero);
    hwCableState_Start(&rig.state, &rig.model, hwMakeVec3(0.0, 0.0, -10.0), hwMakeVec3(10.0, 0.0, -10.0));
    Stepper stepper = Stepper_Make(&rig);
    stepper.sample = MoveLoop;
    stepper.move = MoveLoopEnds;
    stepper.context = &rig;
    Stepper_Run(&stepper, 5.0 + HW_PI / 0.2, 1.0 / 60.0);
    // Three turns have gone in; some of a turn has gone into the shape of the loop.
    assert_true(rig.work.twist > 2.0 * HW_PI * 2.0 && rig.work.twist < 2.0 * HW_PI * 3.0);
    assert_true(fabs(rig.work.torque - 20.0 * rig.work.twist / 10.0) < 0.05 * rig.work.torque);
    Stepper_Run(&stepper, 5.0 + 2.0 * HW_PI / 0.2, 1.0 / 60.0);
    assert_true(fabs(rig.work.twist) < 0.3);
    assert_int_equal(stepper.badPivots, 0);
    assert_true(stepper.unconverged <= 2); // when the straight cable first buckles
    Stepper_Free(&stepper);
    Rig_Free(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TumblingCableKeepsMomentumAndEnergy),
        cmocka_unit_test(StretchingIsStoppedByImpulses),
        cmocka_unit_test(EnergyAuditCloses),
        cmocka_unit_test(ReleasedChain),
        cmocka_unit_test(FoldedChainFallsFasterThanG),
        cmocka_unit_test(MooringLineSurgesAccuratelyWithLongSteps),
        cmocka_unit_test(FrictionHoldsAndSlides),
        cmocka_unit_test(HeavyLoadOnStiffCableIsStable),
        cmocka_unit_test(SnapLoadAtFrameRate),
        cmocka_unit_test(TwistedLoopKeepsItsTurns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
