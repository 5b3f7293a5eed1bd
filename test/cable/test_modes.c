// Natural frequencies and buckling against exact values.
#include "cable/catenary.h"
#include "cable/rig.h"
#include "math/dense.h"

// Frequency (rad/s) of mode k among motions along `direction`, by inverse iteration with the cable's own
// matrix A(hd) = M + hd^2 K, hd large; lower modes are swept out.
static double FindFrequency(Rig* rig, int k, hwVec3 direction) {
    static hwVec3 modes[4][512], x[512], mass[512], all[512];
    int nodes = Rig_Last(rig) + 1;
    double hd = 1e4, value = 0.0;
    rig->input.matrix = true;
    rig->input.hd = hd;
    hwCableWork_Evaluate(&rig->work, &rig->state, &rig->input);
    assert_int_equal(hwCableWork_Factor(&rig->work, NULL, 0), 0);
    hwRandom random = {7};
    for (int mode = 0; mode <= k; ++mode) {
        for (int i = 0; i < nodes; ++i) x[i] = hwScale(hwRandom_Range(&random, -1.0, 1.0), direction);
        if (rig->input.ends[0].kind != HW_CABLE_FREE) x[0] = hwVec3_zero;
        if (rig->input.ends[1].kind != HW_CABLE_FREE) x[nodes - 1] = hwVec3_zero;
        for (int iteration = 0; iteration < 60; ++iteration) {
            for (int j = 0; j < mode; ++j) {
                double part = 0.0;
                hwCableWork_MulMass(&rig->work, x, mass);
                for (int i = 0; i < nodes; ++i) part += hwDot(modes[j][i], mass[i]);
                for (int i = 0; i < nodes; ++i) x[i] = hwMulAdd(x[i], -part, modes[j][i]);
            }
            double size = 0.0;
            hwCableWork_MulMass(&rig->work, x, mass);
            for (int i = 0; i < nodes; ++i) size += hwDot(x[i], mass[i]);
            for (int i = 0; i < nodes; ++i) {
                x[i] = modes[mode][i] = hwScale(1.0 / sqrt(size), x[i]);
                mass[i] = hwScale(1.0 / sqrt(size), mass[i]);
            }
            hwCableWork_MulMatrix(&rig->work, x, NULL, all, NULL);
            value = 0.0;
            for (int i = 0; i < nodes; ++i) value += hwDot(x[i], hwSub(all[i], mass[i])) / (hd * hd);
            hwCableWork_Reduce(&rig->work, mass, NULL, NULL);
            hwCableWork_Solve(&rig->work, NULL, x);
        }
    }
    return sqrt(value);
}

static const hwVec3 up = {0.0, 0.0, 1.0}, ahead = {1.0, 0.0, 0.0};

static double GetStringError(int elements, int mode, hwVec3 direction) {
    hwCableSection section = PlainSection(100.0, elements);
    section.EA = 1e7;
    Rig rig;
    Rig_MakePlain(&rig, section);
    double strain = 1e-3;
    for (int i = 0; i <= elements; ++i) rig.state.position[i].x *= 1.0 + strain;
    rig.input.ends[0].kind = rig.input.ends[1].kind = HW_CABLE_PIN;
    // In material coordinates: c^2 = T/(mu (1 + e)) across, EA/mu along.
    double speed = direction.z > 0.0 ? sqrt(1e7 * strain / (1.5 * (1.0 + strain))) : sqrt(1e7 / 1.5);
    double error = fabs(FindFrequency(&rig, mode, direction) / ((mode + 1) * HW_PI / 100.0 * speed) - 1.0);
    Rig_Free(&rig);
    return error;
}

// Half lumped, half consistent mass: fourth order on a uniform string, (n pi/N)^4/480 in frequency.
static void TautStringIsFourthOrder(void** unused) {
    (void)unused;
    for (int mode = 0; mode < 3; ++mode) {
        double coarse = GetStringError(20, mode, up), fine = GetStringError(40, mode, up);
        assert_true(fine < 1e-5);
        assert_true(fine < 1.0 / 15.0 * coarse);
        double x = (mode + 1) * HW_PI / 20.0;
        assert_true(fabs(coarse / (x * x * x * x / 480.0) - 1.0) < 0.05);
        assert_true(GetStringError(40, mode, ahead) < 1e-5);
    }
}

// Frequencies j_n/2 sqrt(g/L), j_n zeros of J0.
static void HangingChain(void** unused) {
    (void)unused;
    const double zeros[3] = {2.404825557695773, 5.520078110286311, 8.653727912911013};
    double errors[2][3];
    for (int k = 0; k < 2; ++k) {
        hwCableSection section = PlainSection(100.0, k == 0 ? 50 : 100);
        section.EA = 1e9;
        Rig rig;
        Rig_MakePlain(&rig, section);
        rig.input.gravity = 9.81;
        rig.input.ends[0].kind = HW_CABLE_PIN;
        hwVec3 points[2] = {{0, 0, 0}, {0, 0, -100}};
        hwCableState_Place(&rig.state, points, 2);
        hwCableStatics statics = {0};
        assert_int_equal(hwCableWork_SolveStatics(&rig.work, &rig.state, &rig.input, &statics, NULL), HW_OK);
        for (int mode = 0; mode < 3; ++mode) {
            double exact = 0.5 * zeros[mode] * sqrt(9.81 / 100.0);
            errors[k][mode] = fabs(FindFrequency(&rig, mode, ahead) / exact - 1.0);
        }
        Rig_Free(&rig);
    }
    for (int mode = 0; mode < 3; ++mode) {
        assert_true(errors[1][mode] < 1e-3);
        assert_true(errors[1][mode] < 0.27 * errors[0][mode]);
    }
}

// ---- Sagged cable
//
// Small in-plane motions about the elastic catenary: with the tension vector F = T t and its change
//   dF = (EA t t^T + T/(1 + e) (1 - t t^T)) du/ds,   d(dF)/ds = -mu w^2 du,   du = 0 at both ends.
// Shooting from end a with two unit slopes: the end's displacements are dependent at a natural frequency.

static double ShootSagged(const hwCatenary* c, double EA, double mass, double frequency) {
    double y[2][4] = {{0.0, 0.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 1.0}}; // du, dF in x and z
    const int n = 800;
    double h = c->def.length / n;
    for (int i = 0; i < n; ++i) {
        double flex[3][3]; // inverse stiffness xx, xz, zz at the start, middle and end of the step
        for (int k = 0; k < 3; ++k) {
            hwVec3 t;
            double tension;
            hwCatenary_GetPoint(c, (i + 0.5 * k) * h, &t, &tension);
            double along = 1.0 / EA, across = (1.0 + tension / EA) / tension;
            flex[k][0] = along * t.x * t.x + across * t.z * t.z;
            flex[k][1] = (along - across) * t.x * t.z;
            flex[k][2] = along * t.z * t.z + across * t.x * t.x;
        }
        for (int column = 0; column < 2; ++column) {
            double k[4][4], z[4];
            for (int stage = 0; stage < 4; ++stage) {
                double reach = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
                for (int j = 0; j < 4; ++j)
                    z[j] = y[column][j] + (stage == 0 ? 0.0 : reach * k[stage - 1][j]);
                const double* f = flex[stage == 0 ? 0 : stage == 3 ? 2 : 1];
                k[stage][0] = f[0] * z[2] + f[1] * z[3];
                k[stage][1] = f[1] * z[2] + f[2] * z[3];
                k[stage][2] = -mass * frequency * frequency * z[0];
                k[stage][3] = -mass * frequency * frequency * z[1];
            }
            for (int j = 0; j < 4; ++j)
                y[column][j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
        }
    }
    return y[0][0] * y[1][1] - y[0][1] * y[1][0];
}

static void SaggedCable(void** unused) {
    (void)unused;
    double mass = 12.0, EA = 5e6;
    hwCatenaryDef def = {.b = {98.5, 0.0, 10.0}, .length = 100.0, .weight = mass * 9.81, .EA = EA};
    hwCatenary exact;
    assert_int_equal(hwCatenary_Solve(&def, &exact, NULL), HW_OK);
    hwCableSection section = PlainSection(100.0, 100);
    section.massPerLength = mass;
    section.EA = EA;
    Rig rig;
    Rig_MakePlain(&rig, section);
    rig.input.gravity = 9.81;
    rig.input.ends[0].kind = rig.input.ends[1].kind = HW_CABLE_PIN;
    for (int i = 0; i <= 100; ++i) rig.state.position[i] = hwCatenary_GetPoint(&exact, i, NULL, NULL);
    hwCableStatics statics = {0};
    assert_int_equal(hwCableWork_SolveStatics(&rig.work, &rig.state, &rig.input, &statics, NULL), HW_OK);
    for (int mode = 0; mode < 3; ++mode) {
        double got = FindFrequency(&rig, mode, hwMakeVec3(0.6, 0.0, 0.8));
        double low = 0.99 * got, high = 1.01 * got, atLow = ShootSagged(&exact, EA, mass, low);
        assert_true(atLow * ShootSagged(&exact, EA, mass, high) < 0.0);
        for (int k = 0; k < 40; ++k) {
            double middle = 0.5 * (low + high);
            if (ShootSagged(&exact, EA, mass, middle) * atLow > 0.0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        assert_true(fabs(got / low - 1.0) < 2e-3);
    }
    Rig_Free(&rig);
}

// Cantilever of the seed: 3 m, EI = 1e6, 7.854 kg/m: first period 0.045073 s.
static void CantileverBeam(void** unused) {
    (void)unused;
    const double roots[3] = {1.875104068711961, 4.694091132974175, 7.854757438237613};
    double errors[2][3];
    for (int k = 0; k < 2; ++k) {
        hwCableSection section = PlainSection(3.0, k == 0 ? 40 : 80);
        section.EA = 1e9;
        section.EI = 1e6;
        section.massPerLength = 7.854;
        Rig rig;
        Rig_MakePlain(&rig, section);
        rig.input.ends[0] = (hwCableEnd){.kind = HW_CABLE_CLAMP, .tangent = {1, 0, 0}, .normal = {0, 1, 0}};
        for (int mode = 0; mode < 3; ++mode) {
            double exact = roots[mode] * roots[mode] / 9.0 * sqrt(1e6 / 7.854);
            double frequency = FindFrequency(&rig, mode, up);
            errors[k][mode] = fabs(frequency / exact - 1.0);
            if (k == 1 && mode == 0) assert_true(fabs(2.0 * HW_PI / frequency - 0.045073) < 0.045073 * 2e-4);
        }
        Rig_Free(&rig);
    }
    for (int mode = 0; mode < 3; ++mode)
        assert_true(errors[1][mode] < 1e-3 && errors[1][mode] < 0.27 * errors[0][mode]);
}

// ---- Twist buckling

// Smallest moment M > 0 at which a clamped shaft under tension T buckles. With a1, a2 half the roots k L of
// EI k^2 - M k + T = 0: sin a1 sin a2 (a2 - a1) = a1 a2 sin(a2 - a1). In units EI/L, EI/L^2.
static double GreenhillGap(double moment, double tension) {
    double root = sqrt(moment * moment - 4.0 * tension);
    double a1 = 0.25 * (moment + root), a2 = 0.25 * (moment - root);
    return sin(a1) * sin(a2) * (a2 - a1) / (a1 * a2) - sin(a2 - a1);
}

static double SolveGreenhill(double tension) {
    double moment = 2.0 * sqrt(tension) + 1e-3, step = 1e-3;
    double before = GreenhillGap(moment, tension);
    while (GreenhillGap(moment + step, tension) * before > 0.0) moment += step;
    double low = moment, high = moment + step;
    for (int k = 0; k < 60; ++k) {
        double middle = 0.5 * (low + high);
        if (GreenhillGap(middle, tension) * before > 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Whether the straight twisted shaft is stable: stiffness of the lateral motions by finite differences of the
// forces.
static bool IsStable(Rig* rig, double twist) {
    static double k[200 * 200];
    int last = Rig_Last(rig), n = 2 * (last - 1);
    double h = 1e-5;
    rig->input.ends[1].normal = hwMakeVec3(0.0, cos(twist), sin(twist));
    rig->state.core->twist = twist;
    rig->input.matrix = false;
    for (int column = 0; column < n; ++column) {
        double* entry =
            column % 2 == 0 ? &rig->state.position[1 + column / 2].y : &rig->state.position[1 + column / 2].z;
        for (int side = 0; side < 2; ++side) {
            double sign = side == 0 ? 1.0 : -1.0;
            *entry = sign * h;
            hwCableWork_Evaluate(&rig->work, &rig->state, &rig->input);
            for (int row = 0; row < n; ++row) {
                hwVec3 f = rig->work.force[1 + row / 2];
                double value = -sign * (row % 2 == 0 ? f.y : f.z) / (2.0 * h);
                k[row * n + column] = side == 0 ? value : k[row * n + column] + value;
            }
        }
        *entry = 0.0;
    }
    return hwCholesky(n, k);
}

static double FindBucklingMoment(int elements, double tension) {
    double length = 2.0, EI = 10.0, GJ = 8.0;
    hwCableSection section = PlainSection(length, elements);
    section.EI = EI;
    section.GJ = GJ;
    section.EA = 1e4;
    Rig rig;
    Rig_MakePlain(&rig, section);
    double strain = tension * EI / (length * length) / section.EA;
    for (int i = 0; i <= elements; ++i) rig.state.position[i].x *= 1.0 + strain;
    for (int end = 0; end < 2; ++end) {
        rig.input.ends[end] = (hwCableEnd){.kind = HW_CABLE_CLAMP, .tangent = {1, 0, 0}, .normal = {0, 1, 0}};
    }
    double low = 0.0, high = 40.0;
    for (int k = 0; k < 30; ++k) {
        double twist = 0.5 * (low + high);
        if (IsStable(&rig, twist)) {
            low = twist;
        } else {
            high = twist;
        }
    }
    Rig_Free(&rig);
    return low * GJ / EI; // M L / EI
}

static void GreenhillBuckling(void** unused) {
    (void)unused;
    assert_true(fabs(SolveGreenhill(1e-7) - 8.98682) < 1e-4);
    const double tensions[2] = {0.0, 20.0};
    for (int k = 0; k < 2; ++k) {
        double exact = k == 0 ? 8.98682 : SolveGreenhill(tensions[k]);
        double coarse = fabs(FindBucklingMoment(20, tensions[k]) / exact - 1.0);
        double fine = fabs(FindBucklingMoment(40, tensions[k]) / exact - 1.0);
        // The stretched shaft is longer by the strain of 5e-3 that makes the tension.
        double stretch = k == 0 ? 0.0 : 6e-3;
        assert_true(fine < 1e-2);
        assert_true(fine < 0.3 * coarse + stretch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TautStringIsFourthOrder),
        cmocka_unit_test(HangingChain),
        cmocka_unit_test(SaggedCable),
        cmocka_unit_test(CantileverBeam),
        cmocka_unit_test(GreenhillBuckling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
