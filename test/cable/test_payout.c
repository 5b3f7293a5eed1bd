// Payout, splitting and merging, refinement, cutting: nothing is lost and nothing jumps.
#include "cable/stepper.h"
#include "support.h"

// A winch at end a that follows paid(t), m paid out since the start.
typedef struct Winch {
    Rig* rig;
    double (*paid)(double time, double* rate, double* acceleration);
    double origin; // S_0 at time zero
    int splits, merges;
} Winch;

static void SampleWinch(void* context, double time) {
    Winch* winch = context;
    double rate, acceleration;
    winch->rig->state.material[0] = winch->origin - winch->paid(time, &rate, &acceleration);
    winch->rig->input.ends[0].payout = rate;
    winch->rig->input.ends[0].acceleration = acceleration;
}

static Stepper StartWinch(Rig* rig, Winch* winch) {
    Stepper stepper = Stepper_Make(rig);
    stepper.sample = SampleWinch;
    stepper.context = winch;
    winch->rig = rig;
    winch->origin = rig->state.material[0];
    return stepper;
}

// Adapts the mesh for a coming step; true when it changed.
static bool Remesh(Stepper* stepper, Winch* winch, double h) {
    Rig* rig = stepper->rig;
    double rate, acceleration;
    winch->paid(stepper->time, &rate, &acceleration);
    int before = rig->state.core->nodes;
    bool changed;
    hwError error;
    hwCableEnd held = rig->input.ends[0];
    held.payout = rate;
    if (hwCableState_Remesh(&rig->state, &rig->model, 0, &held, h, &changed, &error) != HW_OK)
        fail_msg("%s", error.message);
    if (!changed) return false;
    if (rig->state.core->nodes > before) {
        winch->splits += 1;
    } else {
        winch->merges += 1;
    }
    hwCableWork_Refresh(&rig->work, &rig->model, &rig->state);
    stepper->started = false;
    return true;
}

static double PayToAndFro(double t, double* rate, double* acceleration) {
    double a = 12.0, w = 0.2;
    *rate = a * w * sin(w * t);
    *acceleration = a * w * w * cos(w * t);
    return a * (1.0 - cos(w * t));
}

// ---- Ledger

static void LengthAndMassBalance(void** unused) {
    (void)unused;
    hwCableSection sections[2] = {PlainSection(20.0, 20), PlainSection(30.0, 25)};
    sections[1].massPerLength = 4.0;
    hwCableLump lump = {.at = 27.0, .mass = 3.0};
    hwCableSpec spec = {.name = "ledger",
                        .sectionCount = 2,
                        .sections = sections,
                        .lumpCount = 1,
                        .lumps = &lump,
                        .reserve = {40.0, 0.0}};
    Rig rig;
    Rig_Make(&rig, &spec);
    hwRandom random = {3};
    double paid = 0.0, start = rig.state.material[0];
    for (int k = 0; k < 20000; ++k) {
        double length = hwRandom_Range(&random, -0.05, 0.05) + 0.03 * sin(0.002 * k);
        bool changed;
        if (paid + length > 39.0 || paid + length < -18.0) continue;
        assert_int_equal(hwCableState_Remesh(&rig.state, &rig.model, 0, &(hwCableEnd){.payout = length}, 1.0,
                                             &changed, NULL),
                         HW_OK);
        assert_true(hwCableState_Pay(&rig.state, &rig.model, 0, length));
        paid += length;
        if (changed) hwCableWork_Refresh(&rig.work, &rig.model, &rig.state);
        hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
        if (k % 1000 != 0) continue;
        int last = Rig_Last(&rig);
        const double* m = rig.state.material;
        double water = hwCableModel_GetMass(&rig.model, m[0], m[last]);
        double drum = hwCableModel_GetMass(&rig.model, -40.0, m[0]);
        assert_true(fabs(water + drum - (60.0 * 1.5 + 30.0 * 4.0 + 3.0)) < 1e-12 * 213.0);
        assert_true(fabs(hwCableState_GetLength(&rig.state) - (50.0 + paid)) < 1e-12 * 90.0);
        assert_true(fabs(start - m[0] - paid) < 1e-12 * 90.0);
        // What the nodes weigh is what is in the water: M times a unit acceleration.
        hwVec3 unit[256], out[256];
        for (int i = 0; i <= last; ++i) unit[i] = hwMakeVec3(0.0, 0.0, 1.0);
        hwCableWork_MulMass(&rig.work, unit, out);
        double sum = 0.0;
        for (int i = 0; i <= last; ++i) sum += out[i].z;
        assert_true(fabs(sum - water) < 1e-12 * 213.0);
    }
    Rig_Free(&rig);
}

// ---- No jumps

// Forces at the winch with steps of 10 ms over 32 s of paying out and hauling in 24 m. Two measures at each
// change of the mesh: tensions at the same instant with the old and the new mesh, and the kink in the history
// of the end force (its second difference) beyond twice what the motion itself has shown in the last tenth of
// a second.
static void CheckJumps(double massPerLength, double EA, hwVec3 end) {
    hwCableSection section = PlainSection(60.0, 60);
    section.massPerLength = massPerLength;
    section.EA = EA;
    section.axialDamping = 0.01 * EA;
    section.compression = 1e-3;
    section.dragNormal = 1.2;
    section.addedNormal = 1.0;
    hwCableSpec spec = {.name = "jumps", .sectionCount = 1, .sections = &section, .reserve = {30.0, 0.0}};
    Rig rig;
    Rig_Make(&rig, &spec);
    rig.input.gravity = 9.81;
    Rig_FillWater(&rig, 0.0, hwVec3_zero, hwVec3_zero);
    rig.input.ends[0].kind = rig.input.ends[1].kind = HW_CABLE_PIN;
    hwVec3 points[2] = {hwVec3_zero, end};
    hwCableState_Place(&rig.state, points, 2);
    hwCableStatics statics = {0};
    assert_int_equal(hwCableWork_SolveStatics(&rig.work, &rig.state, &rig.input, &statics, NULL), HW_OK);
    Winch winch = {.paid = PayToAndFro};
    Stepper stepper = StartWinch(&rig, &winch);
    double h = 0.01, largest = 0.0, atChange = 0.0, ambient[10] = {0};
    hwVec3 before[2] = {{0}};
    for (int k = 0; k < 3200; ++k) {
        Stepper_Evaluate(&stepper, stepper.time, 0.0, false);
        double outer = rig.work.tension[0], inner = rig.work.tension[2];
        int nodes = rig.state.core->nodes;
        bool changed = Remesh(&stepper, &winch, h);
        if (changed) {
            Stepper_Evaluate(&stepper, stepper.time, 0.0, false);
            int shift = rig.state.core->nodes - nodes;
            atChange = fmax(atChange, fabs(rig.work.tension[2 + shift] / inner - 1.0));
            // After a split both pieces have the old tension. (A merge takes the mean of two that differ
            // anyway.)
            if (shift > 0) atChange = fmax(atChange, fabs(rig.work.tension[0] / outer - 1.0));
            if (shift > 0) atChange = fmax(atChange, fabs(rig.work.tension[1] / outer - 1.0));
        }
        Stepper_Step(&stepper, h);
        hwCableState_Relax(&rig.state, h);
        hwVec3 force = hwCableWork_GetEndForce(&rig.work, 0, stepper.acceleration);
        double kink = hwLength(hwAdd(hwSub(force, hwScale(2.0, before[0])), before[1])) / hwLength(force),
               usual = 0.0;
        for (int j = 0; j < 10; ++j) usual = fmax(usual, ambient[j]);
        if (changed && k > 20) largest = fmax(largest, kink - 2.0 * usual);
        ambient[k % 10] = kink;
        before[1] = before[0];
        before[0] = force;
    }
    assert_true(winch.splits > 20 && winch.merges > 15);
    assert_int_equal(stepper.unconverged + stepper.badPivots, 0);
    if (largest > 5e-3 || atChange > 5e-3) fail_msg("jump %g in time, %g at the instant", largest, atChange);
    Stepper_Free(&stepper);
    Rig_Free(&rig);
}

static void TensionDoesNotJumpInATautLine(void** unused) {
    (void)unused;
    CheckJumps(2.0, 1e6, hwMakeVec3(10.0, 0.0, -50.0));
}

static void TensionDoesNotJumpInASlackLine(void** unused) {
    (void)unused;
    CheckJumps(2.0, 1e6, hwMakeVec3(40.0, 0.0, 0.0));
}

// ---- A pendulum on a winch

static double PayPendulum(double t, double* rate, double* acceleration) {
    *rate = 0.8 * sin(0.5 * t);
    *acceleration = 0.4 * cos(0.5 * t);
    return 1.6 * (1.0 - cos(0.5 * t));
}

static void PendulumFollowsItsEquation(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(10.0, 10);
    section.massPerLength = 1e-3;
    section.EA = 1e7;
    section.axialDamping = 1e4;
    hwCableLump lump = {.at = 10.0, .mass = 100.0};
    hwCableSpec spec = {.name = "pendulum",
                        .sectionCount = 1,
                        .sections = &section,
                        .lumpCount = 1,
                        .lumps = &lump,
                        .reserve = {5.0, 0.0}};
    Rig rig;
    Rig_Make(&rig, &spec);
    rig.input.gravity = 9.81;
    rig.input.ends[0].kind = HW_CABLE_PIN;
    double angle = 0.3, spin = 0.0, h = 0.005;
    double length = 10.0 * (1.0 + 981.0 * cos(angle) / 1e7);
    hwVec3 points[2] = {hwVec3_zero, {length * sin(angle), 0.0, -length * cos(angle)}};
    hwCableState_Place(&rig.state, points, 2);
    Winch winch = {.paid = PayPendulum};
    Stepper stepper = StartWinch(&rig, &winch);
    double largest = 0.0;
    for (int k = 0; k < 4000; ++k) {
        Remesh(&stepper, &winch, h);
        Stepper_Step(&stepper, h);
        hwCableState_Relax(&rig.state, h);
        // l th'' + 2 l' th' + g sin th = 0 by Runge-Kutta; the stretch, 1e-4 of the length, is left out.
        double a[4], b[4];
        for (int stage = 0; stage < 4; ++stage) {
            double reach = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
            double th = angle + (stage == 0 ? 0.0 : reach * a[stage - 1]),
                   w = spin + (stage == 0 ? 0.0 : reach * b[stage - 1]);
            double rate, acceleration, l = 10.0 + PayPendulum(stepper.time - h + reach, &rate, &acceleration);
            a[stage] = w;
            b[stage] = -(9.81 * sin(th) + 2.0 * rate * w) / l;
        }
        angle += h / 6.0 * (a[0] + 2.0 * a[1] + 2.0 * a[2] + a[3]);
        spin += h / 6.0 * (b[0] + 2.0 * b[1] + 2.0 * b[2] + b[3]);
        hwVec3 bob = rig.state.position[Rig_Last(&rig)];
        largest = fmax(largest, fabs(atan2(bob.x, -bob.z) - angle));
    }
    assert_true(winch.splits >= 3 && winch.merges >= 3);
    // 20 s, four periods; of the amplitude of 0.3 rad.
    assert_true(largest < 1e-3 * 0.3);
    Stepper_Free(&stepper);
    Rig_Free(&rig);
}

// ---- Momentum of what enters

static double PaySteadily(double t, double* rate, double* acceleration) {
    *rate = 0.5;
    *acceleration = 0.0;
    return 0.5 * t;
}

// A cable turns in space about the winch that pays it out from 10 to 18 m. What enters has no angular
// momentum, so that of the cable stays, though its moment of inertia grows six times.
static void SpinningCablePaidOutKeepsAngularMomentum(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(10.0, 10);
    section.EA = 1e6;
    section.axialDamping = 1e4;
    hwCableSpec spec = {.name = "spin", .sectionCount = 1, .sections = &section, .reserve = {10.0, 0.0}};
    Rig rig;
    Rig_Make(&rig, &spec);
    rig.input.ends[0].kind = HW_CABLE_PIN;
    double spin = 0.4;
    for (int i = 1; i <= 10; ++i) rig.state.velocity[i] = hwMakeVec3(0.5, 0.0, spin * i);
    Winch winch = {.paid = PaySteadily};
    Stepper stepper = StartWinch(&rig, &winch);
    double start = 0.0, h = 0.01;
    for (int k = 0; k < 1600; ++k) {
        Remesh(&stepper, &winch, h);
        Stepper_Step(&stepper, h);
        hwCableState_Relax(&rig.state, h);
        hwVec3 momentum[64], sum = hwVec3_zero;
        hwCableWork_MulMass(&rig.work, rig.state.velocity, momentum);
        for (int i = 0; i <= Rig_Last(&rig); ++i)
            sum = hwAdd(sum, hwCross(rig.state.position[i], momentum[i]));
        // The end node's momentum, half a boundary element, sits at the axis and does not count.
        if (k == 0) start = sum.y;
        // Between remeshings it is exact; a split or merge moves mass of a tenth of an element.
        assert_true(fabs(sum.y / start - 1.0) < 4e-3);
    }
    assert_true(winch.splits >= 7);
    Stepper_Free(&stepper);
    Rig_Free(&rig);
}

// ---- Limits

static void WinchStopsAtItsLimits(void** unused) {
    (void)unused;
    hwCableSpec spec = {.name = "short", .sectionCount = 1, .reserve = {2.0, 0.0}};
    hwCableSection section = PlainSection(3.0, 3);
    spec.sections = &section;
    Rig rig;
    Rig_Make(&rig, &spec);
    bool changed;
    hwError error;
    hwCableEnd in = {.payout = -0.05}, out = {.payout = 0.05};
    for (int k = 0; k < 100; ++k) {
        if (hwCableState_Remesh(&rig.state, &rig.model, 0, &in, 1.0, &changed, &error) != HW_OK) break;
        assert_true(hwCableState_Pay(&rig.state, &rig.model, 0, -0.05));
    }
    assert_int_equal(error.status, HW_ERROR_LIMIT);
    assert_string_equal(error.object, "short");
    assert_true(strstr(error.message, "last element") != NULL);
    assert_int_equal(rig.state.core->nodes, 2);
    assert_false(hwCableState_Pay(&rig.state, &rig.model, 0, -1.0));
    assert_true(hwCableState_GetLength(&rig.state) > 0.0);
    hwStatus status = HW_OK;
    double paid = 0.0;
    for (; paid < 20.0 && status == HW_OK; paid += 0.05) {
        assert_true(hwCableState_Pay(&rig.state, &rig.model, 0, 0.05));
        status = hwCableState_Remesh(&rig.state, &rig.model, 0, &out, 1.0, &changed, &error);
    }
    assert_int_equal(status, HW_ERROR_LIMIT);
    assert_true(strstr(error.message, "reserved") != NULL);
    assert_true(hwCableState_GetLength(&rig.state) >= 5.0);
    Rig_Free(&rig);
}

// ---- Refining and cutting

static void InsertingAndRemovingKeepsMomentumAndTension(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(10.0, 10);
    hwCableSpec spec = {.name = "refine", .sectionCount = 1, .sections = &section, .spareNodes = 3};
    Rig rig;
    Rig_Make(&rig, &spec);
    Rig_Shake(&rig, 5, 0.05, 1.0);
    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
    double tension = rig.work.tension[4];
    hwVec3 momentum[2];
    for (int k = 0; k < 3; ++k) {
        hwVec3 out[32], sum = hwVec3_zero;
        hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
        hwCableWork_MulMass(&rig.work, rig.state.velocity, out);
        for (int i = 0; i <= Rig_Last(&rig); ++i) sum = hwAdd(sum, out[i]);
        if (k > 0) assert_true(hwDistance(sum, momentum[0]) < 1e-12 * hwLength(sum));
        momentum[0] = sum;
        if (k == 0) assert_true(hwCableState_InsertNode(&rig.state, &rig.model, 4, 0.3));
        if (k == 1) {
            // Both parts have the old strain.
            assert_true(fabs(rig.work.tension[4] / tension - 1.0) < 1e-10);
            assert_true(fabs(rig.work.tension[5] / tension - 1.0) < 1e-10);
            hwCableState_RemoveNode(&rig.state, &rig.model, 7);
        }
        hwCableWork_Refresh(&rig.work, &rig.model, &rig.state);
    }
    assert_true(hwCableState_InsertNode(&rig.state, &rig.model, 0, 0.5));
    assert_true(hwCableState_InsertNode(&rig.state, &rig.model, 0, 0.5));
    assert_true(hwCableState_InsertNode(&rig.state, &rig.model, 0, 0.5));
    assert_false(hwCableState_InsertNode(&rig.state, &rig.model, 0, 0.5));
    Rig_Free(&rig);
}

static hwVec3 SumMomentum(Rig* rig, const hwVec3* field) {
    hwVec3 out[32], sum = hwVec3_zero;
    hwCableWork_Refresh(&rig->work, &rig->model, &rig->state);
    hwCableWork_Evaluate(&rig->work, &rig->state, &rig->input);
    hwCableWork_MulMass(&rig->work, field, out);
    for (int i = 0; i <= Rig_Last(rig); ++i) sum = hwAdd(sum, out[i]);
    return sum;
}

static void HalvingAndJoiningKeepsMaterialMomentumAndTension(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(8.0, 8);
    hwCableSpec spec = {.name = "halves", .sectionCount = 1, .sections = &section, .spareNodes = 8};
    Rig rig;
    Rig_Make(&rig, &spec);
    Rig_Shake(&rig, 5, 0.02, 1.0);
    hwVec3 a[32];
    for (int i = 0; i < 9; ++i) a[i] = hwMakeVec3(sin(i), cos(2.0 * i), 0.3 * i);
    rig.state.acceleration = a;
    hwVec3 momentum = SumMomentum(&rig, rig.state.velocity), force = SumMomentum(&rig, a);
    double tension[3] = {rig.work.tension[0], rig.work.tension[3], rig.work.tension[7]};
    double place = rig.state.material[3];
    // halves of halves; elements at both ends, whose relief is kept elsewhere
    const int elements[5] = {7, 3, 4, 3, 0};
    for (int k = 0; k < 5; ++k) assert_true(hwCableState_Halve(&rig.state, &rig.model, elements[k]));
    assert_int_equal(rig.state.core->inserted, 5);
    // what a sum of a dozen products is rounded to
    assert_close_vec3(SumMomentum(&rig, rig.state.velocity), momentum, 1e-13 * hwLength(momentum));
    assert_close_vec3(SumMomentum(&rig, a), force, 1e-13 * hwLength(force));
    const int parts[8][2] = {{0, 0}, {1, 0}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {11, 2}, {12, 2}};
    // positions of metres are rounded by 1e-16, strains of a thousandth by 1e-13
    for (int k = 0; k < 8; ++k)
        assert_close(rig.work.tension[parts[k][0]] / tension[parts[k][1]], 1.0, 1e-10);
    assert_true(rig.state.material[5] - rig.state.material[4] == 0.25 && rig.state.material[4] == place);
    // a half next to a quarter is joined after that; joined, the tension is the mean by length whatever has moved in between
    assert_false(hwCableState_CanJoin(&rig.state, 6));
    rig.state.position[5].z += 0.01;
    rig.state.velocity[5].x += 0.5;
    momentum = SumMomentum(&rig, rig.state.velocity);
    double mean = 0.5 * (rig.work.tension[4] + rig.work.tension[5]);
    assert_true(hwCableState_CanJoin(&rig.state, 5));
    hwCableState_Join(&rig.state, &rig.model, 5);
    assert_close_vec3(SumMomentum(&rig, rig.state.velocity), momentum, 1e-13 * hwLength(momentum));
    assert_close(rig.work.tension[4] / mean, 1.0, 1e-10);
    for (int i = Rig_Last(&rig); i > 0; --i) {
        if (hwCableState_CanJoin(&rig.state, i)) hwCableState_Join(&rig.state, &rig.model, i);
    }
    for (int i = Rig_Last(&rig); i > 0; --i) {
        if (hwCableState_CanJoin(&rig.state, i)) hwCableState_Join(&rig.state, &rig.model, i);
    }
    assert_int_equal(rig.state.core->inserted, 0);
    for (int i = 0; i < 9; ++i) assert_true(rig.state.material[i] == (double)i);
    momentum = SumMomentum(&rig, rig.state.velocity);
    assert_close(rig.work.tension[0] / tension[0], 1.0, 1e-10);
    // what is counted as shorter fades within a step as at its end, and the power that this puts in is that by which the energy grows
    double seen[3], most = hwCableWork_GetEnergy(&rig.work).stretch;
    for (int k = 0; k < 3; ++k) {
        rig.input.since = 0.5 + 1e-4 * (k - 1);
        hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
        seen[k] = hwCableWork_GetEnergy(&rig.work).stretch;
    }
    rig.input.since = 0.5;
    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
    hwCableEnergy within = hwCableWork_GetEnergy(&rig.work);
    assert_true(fabs(within.stretch - most) > 1e-4 * most);
    assert_close(within.fading, (seen[2] - seen[0]) / 2e-4, 1e-6 * fabs(within.fading));
    hwCableState_Relax(&rig.state, 0.5);
    hwCableWork_TakeSlack(&rig.work, &rig.state);
    rig.input.since = 0.0;
    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
    assert_close(hwCableWork_GetEnergy(&rig.work).stretch, within.stretch, 1e-12 * within.stretch);
    Rig_Free(&rig);
}

static void CutCableKeepsMassMomentumAndForces(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(10.0, 10);
    section.EI = 5.0;
    hwCableLump lumps[2] = {{.at = 4.0, .mass = 2.0}, {.at = 10.0, .mass = 1.0}};
    hwCableSpec spec = {
        .name = "cut", .sectionCount = 1, .sections = &section, .lumpCount = 2, .lumps = lumps};
    Rig one, two;
    Rig_Make(&one, &spec);
    Rig_Make(&two, &spec);
    Rig_Shake(&one, 9, 0.05, 1.0);
    one.input.gravity = two.input.gravity = 9.81;
    hwCableWork_Evaluate(&one.work, &one.state, &one.input);
    hwVec3 whole[11];
    memcpy(whole, one.work.force, sizeof(whole));
    hwCableState_Cut(&one.state, &two.state, 4);
    hwCableWork_Refresh(&one.work, &one.model, &one.state);
    hwCableWork_Refresh(&two.work, &one.model, &two.state);
    hwCableWork_Evaluate(&one.work, &one.state, &one.input);
    hwCableWork_Evaluate(&two.work, &two.state, &two.input);
    assert_int_equal(one.state.core->nodes, 5);
    assert_int_equal(two.state.core->nodes, 7);
    // Away from the cut and the joints next to it nothing has changed.
    for (int i = 0; i < 3; ++i) assert_true(hwDistance(whole[i], one.work.force[i]) < 1e-9);
    for (int i = 6; i <= 10; ++i) assert_true(hwDistance(whole[i], two.work.force[i - 4]) < 1e-9);
    hwVec3 unit[11], out[2][11];
    for (int i = 0; i < 11; ++i) unit[i] = hwMakeVec3(0.0, 0.0, 1.0);
    hwCableWork_MulMass(&one.work, unit, out[0]);
    hwCableWork_MulMass(&two.work, unit, out[1]);
    double mass[2] = {0.0, 0.0};
    for (int i = 0; i < 5; ++i) mass[0] += out[0][i].z;
    for (int i = 0; i < 7; ++i) mass[1] += out[1][i].z;
    // The lump at the cut goes with the part towards b.
    assert_true(fabs(mass[0] - 6.0) < 1e-12 && fabs(mass[1] - 12.0) < 1e-12);
    Rig_Free(&one);
    Rig_Free(&two);
}

// ---- Reading between nodes

static void PointsOnTheCurve(void** unused) {
    (void)unused;
    double errors[2];
    for (int k = 0; k < 2; ++k) {
        hwCableSection section = PlainSection(10.0, k == 0 ? 20 : 40);
        Rig rig;
        Rig_MakePlain(&rig, section);
        double radius = 4.0;
        for (int i = 0; i <= Rig_Last(&rig); ++i) {
            double a = rig.state.material[i] / radius;
            rig.state.position[i] = hwMakeVec3(radius * sin(a), 0.0, radius * cos(a));
            rig.state.velocity[i] = hwMakeVec3(cos(a), 2.0, -sin(a));
        }
        errors[k] = 0.0;
        double worst = 0.0;
        for (int j = 0; j <= 200; ++j) {
            double s = 0.05 * j, a = s / radius;
            hwCablePoint p = hwCableState_GetPoint(&rig.state, s);
            errors[k] =
                fmax(errors[k], hwDistance(p.position, hwMakeVec3(radius * sin(a), 0.0, radius * cos(a))));
            worst = fmax(worst, hwDistance(p.tangent, hwMakeVec3(cos(a), 0.0, -sin(a))));
            worst = fmax(worst, hwDistance(p.velocity, hwMakeVec3(cos(a), 2.0, -sin(a))));
            if (s > 1.0 && s < 9.0) assert_true(fabs(hwLength(p.curvature) * radius - 1.0) < 0.05);
        }
        assert_true(worst < 5e-3);
        // A force there does the work of its point of the chord.
        hwVec3 loads[64] = {{0}};
        hwCableState_AddForce(&rig.state, 3.3, hwMakeVec3(1.0, 2.0, 3.0), loads);
        double power = 0.0;
        for (int i = 0; i <= Rig_Last(&rig); ++i) power += hwDot(loads[i], rig.state.velocity[i]);
        double t;
        int e = hwCableState_Locate(&rig.state, 3.3, &t);
        hwVec3 v =
            hwMulAdd(rig.state.velocity[e], t, hwSub(rig.state.velocity[e + 1], rig.state.velocity[e]));
        assert_true(fabs(power - hwDot(hwMakeVec3(1.0, 2.0, 3.0), v)) < 1e-14);
        Rig_Free(&rig);
    }
    // Cubic: third order in the ends' elements at least.
    assert_true(errors[1] < 1e-4 && errors[1] < 0.15 * errors[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LengthAndMassBalance),
        cmocka_unit_test(TensionDoesNotJumpInATautLine),
        cmocka_unit_test(TensionDoesNotJumpInASlackLine),
        cmocka_unit_test(PendulumFollowsItsEquation),
        cmocka_unit_test(SpinningCablePaidOutKeepsAngularMomentum),
        cmocka_unit_test(WinchStopsAtItsLimits),
        cmocka_unit_test(InsertingAndRemovingKeepsMomentumAndTension),
        cmocka_unit_test(HalvingAndJoiningKeepsMaterialMomentumAndTension),
        cmocka_unit_test(CutCableKeepsMassMomentumAndForces),
        cmocka_unit_test(PointsOnTheCurve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
