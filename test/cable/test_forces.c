// Forces against their potentials and powers, the matrix against finite differences, momentum and invariance.
#include "cable/arrays.h"
#include "cable/pieces.h"
#include "cable/rig.h"

// Tension by strain: soft, then stiff; the elements of a shaken rig are shortened and stretched to all of its rows.
static const double g_strains[3] = {0.0, 0.05, 0.2}, g_tensions[3] = {0.0, 1000.0, 9000.0};
static bool g_details; // with that and with restrictors

// A cable with everything: two sections, a lump, bending, torsion, all dampings, added mass, partly above the
// water.
static void MakeRich(Rig* rig, int elements) {
    hwCableSection sections[2] = {PlainSection(6.0, elements / 2),
                                  PlainSection(4.0, elements - elements / 2)};
    sections[0].EI = 40.0;
    sections[0].GJ = 30.0;
    sections[1].EI = 15.0;
    sections[1].GJ = 50.0;
    sections[1].diameter = 0.03;
    for (int i = 0; i < 2; ++i) {
        sections[i].EA = 2e4;
        sections[i].compression = 0.3;
        sections[i].dragNormal = 1.2;
        sections[i].dragTangential = 0.02;
        sections[i].addedNormal = 1.0;
        sections[i].addedTangential = 0.1;
    }
    for (int i = 0; i < 2 && g_details; ++i) {
        sections[i].curve = (hwCableCurve){3, g_strains, g_tensions};
        sections[i].lockCurvature = 0.3 + 0.1 * i;
        sections[i].lockStiffness = 400.0 + 100.0 * i;
    }
    hwCableLump lump = {
        .at = 2.3, .mass = 4.0, .volume = 2e-3, .dragArea = 0.02, .addedVolume = 1e-3, .radius = 0.08};
    hwCableSpec spec = {
        .name = "rich", .sectionCount = 2, .sections = sections, .lumpCount = 1, .lumps = &lump};
    Rig_Make(rig, &spec);
}

static void AddDamping(Rig* rig) {
    for (int i = 0; i < rig->model.sectionCount; ++i) {
        rig->model.sections[i].axialDamping = 60.0;
        rig->model.sections[i].bendingDamping = 3.0;
        rig->model.sections[i].torsionDamping = 2.0;
    }
    hwCableWork_Refresh(&rig->work, &rig->model, &rig->state);
}

static double* Component(hwVec3* v, int k) {
    return k == 0 ? &v->x : k == 1 ? &v->y : &v->z;
}

static hwVec3 Axis(int k, double size) {
    return hwMakeVec3(k == 0 ? size : 0.0, k == 1 ? size : 0.0, k == 2 ? size : 0.0);
}

// At rest, drag and damping vanish: forces and clamp moments must be minus the gradient of the potential.
static void ForcesAreTheGradientOfThePotential(void** unused) {
    (void)unused;
    for (int kind = 0; kind < 4; ++kind) {
        Rig rig;
        bool clamped = (kind & 1) != 0;
        g_details = kind >= 2;
        MakeRich(&rig, 11);
        Rig_Shake(&rig, 7, 0.05, 0.0);
        rig.input.gravity = 9.81;
        Rig_FillWater(&rig, 0.4, hwVec3_zero, hwVec3_zero);
        if (clamped) {
            rig.input.ends[0] = TiltedClamp(3, true);
            rig.input.ends[1] = TiltedClamp(4, true);
            rig.input.ends[0].rate = rig.input.ends[1].rate = hwVec3_zero;
            rig.state.core->twist = 7.0; // more than one turn
        }
        // one element almost folded up, where it pushes back whatever its compression says
        rig.state.position[4] =
            hwMulAdd(rig.state.position[3], 0.1, hwSub(rig.state.position[4], rig.state.position[3]));
        hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
        assert_true(rig.work.tension[3] < 0.0);
        if (clamped) assert_true(fabs(rig.work.twist - 7.0) < HW_PI && fabs(rig.work.twist) > HW_PI);
        int last = Rig_Last(&rig);
        hwVec3 force[16], moment[2] = {rig.work.moment[0], rig.work.moment[1]};
        memcpy(force, rig.work.force, (size_t)(last + 1) * sizeof(hwVec3));
        // Central differences of step 1e-5 m: truncation 1e-10 of the third derivative, rounding 1e-16 E/h.
        double h = 1e-5, largest = 0.0;
        for (int i = 0; i <= last; ++i) largest = fmax(largest, hwLength(force[i]));
        for (int i = 0; i <= last; ++i) {
            for (int k = 0; k < 3; ++k) {
                double* x = Component(&rig.state.position[i], k);
                double kept = *x, value[2];
                for (int side = 0; side < 2; ++side) {
                    *x = kept + (side == 0 ? -h : h);
                    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
                    hwCableEnergy energy = hwCableWork_GetEnergy(&rig.work);
                    value[side] = TotalPotential(&energy);
                }
                *x = kept;
                double slope = -(value[1] - value[0]) / (2.0 * h);
                assert_true(fabs(slope - *Component(&force[i], k)) < 1e-6 * largest);
            }
        }
        for (int end = 0; end < 2 && clamped; ++end) {
            for (int k = 0; k < 3; ++k) {
                hwCableEnd kept = rig.input.ends[end];
                double value[2];
                for (int side = 0; side < 2; ++side) {
                    RotateEnd(&rig.input.ends[end], Axis(k, side == 0 ? -h : h));
                    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
                    hwCableEnergy energy = hwCableWork_GetEnergy(&rig.work);
                    value[side] = TotalPotential(&energy);
                    rig.input.ends[end] = kept;
                }
                double slope = -(value[1] - value[0]) / (2.0 * h);
                assert_true(fabs(slope - *Component(&moment[end], k)) < 1e-6 * largest);
            }
        }
        if (g_details) {
            double locked = 0.0;
            for (int i = 1; i < last; ++i)
                locked = fmax(locked, hwLength(hwCableWork_GetCurvature(&rig.work, i)));
            assert_true(locked > 0.5); // otherwise nothing of this was tried
        }
        Rig_Free(&rig);
    }
    g_details = false;
}

// Power of all forces = what the books say, at a random state with everything switched on: current,
// acceleration, waves (a surface away from the mean level), payout at both ends.
static void PowersAddUp(void** unused) {
    (void)unused;
    for (int pass = 0; pass < 6; ++pass) {
        Rig rig;
        int kind = pass % 3;
        g_details = pass >= 3;
        MakeRich(&rig, 12);
        AddDamping(&rig);
        Rig_Shake(&rig, 11, 0.05, 0.4);
        rig.input.gravity = 9.81;
        Rig_FillWater(&rig, 0.4, hwMakeVec3(0.3, -0.2, 0.1), hwMakeVec3(0.2, 0.5, -0.3));
        rig.input.surface = 0.25;
        for (int end = 0; end < 2; ++end) {
            if (kind > 0) rig.input.ends[end] = TiltedClamp(20 + (uint64_t)end, false);
            if (kind == 2) {
                rig.input.ends[end].payout = end == 0 ? 0.7 : -0.4;
                rig.input.ends[end].acceleration = end == 0 ? 0.5 : 0.3;
            }
        }
        hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
        hwCableEnergy now = hwCableWork_GetEnergy(&rig.work);
        // asked for alone, powers are the same to the bit
        hwCableEnergy alone = hwCableWork_GetPowers(&rig.work);
        alone.kinetic = now.kinetic, alone.gravity = now.gravity, alone.stretch = now.stretch;
        alone.bending = now.bending, alone.torsion = now.torsion;
        assert_memory_equal(&alone, &now, sizeof(now));
        int nodes = Rig_Last(&rig) + 1;
        double power = 0.0;
        for (int i = 0; i < nodes; ++i) power += hwDot(rig.work.force[i], rig.state.velocity[i]);
        for (int end = 0; end < 2; ++end) power += hwDot(rig.work.moment[end], rig.input.ends[end].rate);
        // Let the state move for +-h with constant velocity: potentials change, and kinetic energy by v.dM/dt
        // v / 2; what the forces do with v.M dv/dt is their power.
        double h = 1e-6, value[2];
        hwVec3 kept[16];
        memcpy(kept, rig.state.position, (size_t)nodes * sizeof(hwVec3));
        hwCableInput input = rig.input;
        for (int side = 0; side < 2; ++side) {
            double t = side == 0 ? -h : h;
            for (int i = 0; i < nodes; ++i)
                rig.state.position[i] = hwMulAdd(kept[i], t, rig.state.velocity[i]);
            for (int end = 0; end < 2; ++end) RotateEnd(&input.ends[end], hwScale(t, input.ends[end].rate));
            rig.state.material[0] -= t * input.ends[0].payout;
            rig.state.material[nodes - 1] += t * input.ends[1].payout;
            hwCableWork_Evaluate(&rig.work, &rig.state, &input);
            hwCableEnergy then = hwCableWork_GetEnergy(&rig.work);
            value[side] = TotalPotential(&then) + then.kinetic;
            rig.state.material[0] += t * input.ends[0].payout;
            rig.state.material[nodes - 1] -= t * input.ends[1].payout;
            input = rig.input;
        }
        double change = (value[1] - value[0]) / (2.0 * h) + power;
        double books = now.payout + now.fluid + now.turning - now.drag - now.damping;
        assert_true(now.drag > 0.0 && now.damping > 0.0);
        // Finite difference of energies of order 1e4 J over 2e-6 s: rounding 1e-12 * 1e4 / 1e-6 = 1e-2 W.
        if (fabs(change - books) > 0.05) fail_msg("pass %d: %g against %g", pass, change, books);
        Rig_Free(&rig);
    }
    g_details = false;
}

// A column of A by finite differences of forces: M + what -hd df/dv - hd^2 df/dx is.
static void FiniteColumn(Rig* rig, int slot, int k, hwVec3* column, hwVec3 rotation[2]) {
    int nodes = Rig_Last(rig) + 1;
    double hd = rig->input.hd, h = 1e-6;
    hwVec3 base[2][16], moment[2][2];
    hwCableInput input = rig->input;
    input.matrix = false;
    for (int side = 0; side < 2; ++side) {
        double step = side == 0 ? -h : h;
        hwVec3 dv = Axis(k, step), dx = Axis(k, hd * step);
        hwCableInput moved = input;
        if (slot >= 0 && slot < nodes) {
            rig->state.position[slot] = hwAdd(rig->state.position[slot], dx);
            rig->state.velocity[slot] = hwAdd(rig->state.velocity[slot], dv);
        } else {
            hwCableEnd* end = &moved.ends[slot < 0 ? 0 : 1];
            RotateEnd(end, dx);
            end->rate = hwAdd(end->rate, dv);
        }
        hwCableWork_Evaluate(&rig->work, &rig->state, &moved);
        memcpy(base[side], rig->work.force, (size_t)nodes * sizeof(hwVec3));
        memcpy(moment[side], rig->work.moment, sizeof(moment[side]));
        if (slot >= 0 && slot < nodes) {
            rig->state.position[slot] = hwSub(rig->state.position[slot], dx);
            rig->state.velocity[slot] = hwSub(rig->state.velocity[slot], dv);
        }
    }
    hwVec3 unit[16] = {{0}}, mass[16];
    hwCableWork_Evaluate(&rig->work, &rig->state, &input);
    if (slot >= 0 && slot < nodes) unit[slot] = Axis(k, 1.0);
    hwCableWork_MulMass(&rig->work, unit, mass);
    for (int i = 0; i < nodes; ++i) {
        column[i] = hwSub(mass[i], hwScale(hd / (2.0 * h), hwSub(base[1][i], base[0][i])));
    }
    for (int end = 0; end < 2; ++end)
        rotation[end] = hwScale(-hd / (2.0 * h), hwSub(moment[1][end], moment[0][end]));
}

// Largest entry of A - A_fd and of A, over all columns.
static void CompareMatrix(Rig* rig, bool clamps, double* error, double* size) {
    int nodes = Rig_Last(rig) + 1;
    *error = *size = 0.0;
    for (int slot = clamps ? -1 : 0; slot < nodes + (clamps ? 1 : 0); ++slot) {
        for (int k = 0; k < 3; ++k) {
            hwVec3 exact[16], rotation[2], got[16], gotRotation[2] = {{0}}, unit[16] = {{0}},
                                                    unitRotation[2] = {{0}};
            FiniteColumn(rig, slot, k, exact, rotation);
            if (slot >= 0 && slot < nodes) {
                unit[slot] = Axis(k, 1.0);
            } else {
                unitRotation[slot < 0 ? 0 : 1] = Axis(k, 1.0);
            }
            rig->input.matrix = true;
            hwCableWork_Evaluate(&rig->work, &rig->state, &rig->input);
            hwCableWork_MulMatrix(&rig->work, unit, unitRotation, got, gotRotation);
            for (int i = 0; i < nodes; ++i) {
                *error = fmax(*error, hwDistance(exact[i], got[i]));
                *size = fmax(*size, hwLength(exact[i]));
            }
            for (int end = 0; end < 2 && clamps; ++end)
                *error = fmax(*error, hwDistance(rotation[end], gotRotation[end]));
        }
    }
}

// Taut, at rest in still water: stretch, weight and mass are exact.
static void MatrixOfATautLineIsExact(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(10.0, 9);
    section.axialDamping = 50.0;
    section.compression = 0.0;
    Rig rig;
    Rig_MakePlain(&rig, section);
    Rig_Shake(&rig, 5, 0.05, 0.0);
    for (int i = 0; i <= Rig_Last(&rig); ++i) rig.state.position[i] = hwScale(2.5, rig.state.position[i]);
    rig.input.hd = 0.05;
    double error, size;
    CompareMatrix(&rig, false, &error, &size);
    for (int e = 0; e < Rig_Last(&rig); ++e) assert_true(rig.work.tension[e] > 0.0);
    // Central differences with rounding 1e-16 * 1e6 N / 1e-6 * hd.
    assert_true(error < 1e-6 * size);
    Rig_Free(&rig);
}

// Drag with the tangent held: make the stiffness negligible by a small hd for positions and compare what is
// left.
static void MatrixOfDragIsExactInVelocity(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(10.0, 8);
    section.dragNormal = 1.2;
    section.dragTangential = 0.05;
    section.addedNormal = 1.0;
    section.EA = 1e-3;
    Rig rig;
    Rig_MakePlain(&rig, section);
    Rig_Shake(&rig, 5, 0.05, 0.7);
    Rig_FillWater(&rig, 100.0, hwMakeVec3(0.5, 0.2, -0.1), hwVec3_zero);
    rig.input.hd = 1e-5;
    double error, size;
    CompareMatrix(&rig, false, &error, &size);
    // What the tangent's change leaves is of relative order hd^2 against hd: 1e-5 of the drag, itself 1e-5 of
    // M.
    assert_true(error < 1e-8 * size);
    Rig_Free(&rig);
}

// With bending the matrix leaves out terms of the order of the turning angle; with halved angles the error
// must halve.
static void MatrixErrorOfBendingVanishesWithTheAngle(void** unused) {
    (void)unused;
    double errors[2];
    for (int k = 0; k < 2; ++k) {
        hwCableSection section = PlainSection(10.0, 10);
        section.EI = 100.0;
        section.GJ = 50.0;
        section.EA = 1.0; // so that bending is what is measured
        Rig rig;
        Rig_MakePlain(&rig, section);
        double bend = k == 0 ? 0.1 : 0.05;
        for (int i = 0; i <= 10; ++i) {
            rig.state.position[i] = hwMakeVec3(i, bend * cos(2.0 * i), bend * sin(2.0 * i));
        }
        rig.input.ends[0] = (hwCableEnd){.kind = HW_CABLE_CLAMP, .tangent = {1, 0, 0}, .normal = {0, 1, 0}};
        rig.input.ends[1] = rig.input.ends[0];
        RotateEnd(&rig.input.ends[1], hwMakeVec3(0.3 * bend, bend, -bend));
        rig.input.hd = 1.0;
        double size;
        CompareMatrix(&rig, true, &errors[k], &size);
        assert_true(errors[k] < (k == 0 ? 0.35 : 0.2) * size);
        Rig_Free(&rig);
    }
    assert_true(errors[1] < 0.6 * errors[0]);
}

// Isolated in space, all internal forces and dampings on: no net force, no net moment.
static void InternalForcesKeepMomentum(void** unused) {
    (void)unused;
    for (int clamped = 0; clamped < 4; ++clamped) {
        Rig rig;
        MakeRich(&rig, 12);
        AddDamping(&rig);
        Rig_Shake(&rig, 31, 0.08, 0.6);
        for (int end = 0; end < 2; ++end) {
            if (clamped & (1 << end)) rig.input.ends[end] = TiltedClamp(40 + (uint64_t)end, true);
        }
        hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
        hwVec3 force = hwVec3_zero, moment = hwAdd(rig.work.moment[0], rig.work.moment[1]);
        double size = 0.0;
        for (int i = 0; i <= Rig_Last(&rig); ++i) {
            force = hwAdd(force, rig.work.force[i]);
            moment = hwAdd(moment, hwCross(rig.state.position[i], rig.work.force[i]));
            size = fmax(size, hwLength(rig.work.force[i]));
        }
        // Sums of a dozen vectors with lever arms of 5 m.
        assert_true(hwLength(force) < 1e-13 * size);
        assert_true(hwLength(moment) < 1e-12 * size);
        Rig_Free(&rig);
    }
}

// Nothing dissipates in a rigid motion.
static void RigidMotionIsNotDamped(void** unused) {
    (void)unused;
    for (int clamped = 0; clamped < 4; ++clamped) {
        Rig rig;
        MakeRich(&rig, 12);
        AddDamping(&rig);
        Rig_Shake(&rig, 31, 0.08, 0.0);
        hwVec3 turn = hwMakeVec3(0.4, -0.7, 0.9), shift = hwMakeVec3(1.0, 2.0, 3.0);
        for (int i = 0; i <= Rig_Last(&rig); ++i) {
            rig.state.velocity[i] = hwAdd(shift, hwCross(turn, rig.state.position[i]));
        }
        for (int end = 0; end < 2; ++end) {
            if (clamped & (1 << end)) rig.input.ends[end] = TiltedClamp(40 + (uint64_t)end, true);
            rig.input.ends[end].rate = turn;
        }
        hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
        hwCableEnergy energy = hwCableWork_GetEnergy(&rig.work);
        // Damping coefficients of 60 times squared rates of 1e-15.
        assert_true(fabs(energy.damping) < 1e-20);
        Rig_Free(&rig);
    }
}

// Turning the world turns the forces.
static void ForcesTurnWithTheWorld(void** unused) {
    (void)unused;
    Rig rig;
    MakeRich(&rig, 12);
    AddDamping(&rig);
    Rig_Shake(&rig, 17, 0.08, 0.5);
    hwVec3 flow = hwMakeVec3(0.3, 0.4, -0.2), acceleration = hwMakeVec3(0.1, 0.9, 0.3);
    Rig_FillWater(&rig, 1e3, flow, acceleration);
    for (int end = 0; end < 2; ++end) rig.input.ends[end] = TiltedClamp(60 + (uint64_t)end, true);
    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
    hwVec3 force[16], moment[2] = {rig.work.moment[0], rig.work.moment[1]};
    int nodes = Rig_Last(&rig) + 1;
    memcpy(force, rig.work.force, (size_t)nodes * sizeof(hwVec3));
    double twist = rig.work.twist, size = 0.0;
    for (int i = 0; i < nodes; ++i) size = fmax(size, hwLength(force[i]));

    hwVec3 turn = hwMakeVec3(0.7, -1.1, 0.4), shift = hwMakeVec3(3.0, -2.0, 5.0);
    hwQuat q = hwQuatFromRotationVector(turn);
    for (int i = 0; i < nodes; ++i) {
        rig.state.position[i] = hwAdd(shift, hwRotate(q, rig.state.position[i]));
        rig.state.velocity[i] = hwRotate(q, rig.state.velocity[i]);
    }
    for (int end = 0; end < 2; ++end) {
        RotateEnd(&rig.input.ends[end], turn);
        rig.input.ends[end].rate = hwRotate(q, rig.input.ends[end].rate);
    }
    Rig_FillWater(&rig, 1e3, hwRotate(q, flow), hwRotate(q, acceleration));
    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
    // Rounding of positions of order 10 m in stiffnesses of 2e4 N over 0.8 m.
    for (int i = 0; i < nodes; ++i)
        assert_true(hwDistance(rig.work.force[i], hwRotate(q, force[i])) < 1e-12 * size + 1e-10);
    for (int k = 0; k < 2; ++k) assert_true(hwDistance(rig.work.moment[k], hwRotate(q, moment[k])) < 1e-9);
    assert_true(fabs(rig.work.twist - twist) < 1e-12);
    Rig_Free(&rig);
}

// Reversing the cable end for end reverses nothing physical.
static void ForcesDoNotDependOnWhichEndIsA(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(9.0, 9);
    section.EI = 30.0;
    section.GJ = 20.0;
    section.bendingDamping = 2.0;
    section.torsionDamping = 1.0;
    section.axialDamping = 40.0;
    Rig one, two;
    Rig_MakePlain(&one, section);
    Rig_MakePlain(&two, section);
    Rig_Shake(&one, 77, 0.08, 0.5);
    int last = Rig_Last(&one);
    for (int i = 0; i <= last; ++i) {
        two.state.position[i] = one.state.position[last - i];
        two.state.velocity[i] = one.state.velocity[last - i];
    }
    one.input.ends[1] = TiltedClamp(9, true);
    two.input.ends[0] = one.input.ends[1];
    two.input.ends[0].tangent = hwNeg(one.input.ends[1].tangent);
    hwCableWork_Evaluate(&one.work, &one.state, &one.input);
    hwCableWork_Evaluate(&two.work, &two.state, &two.input);
    for (int i = 0; i <= last; ++i)
        assert_true(hwDistance(one.work.force[i], two.work.force[last - i]) < 1e-9);
    assert_true(hwDistance(one.work.moment[1], two.work.moment[0]) < 1e-10);
    Rig_Free(&one);
    Rig_Free(&two);
}

// A cable held in one plane carries no twist however its curvature changes sign, and each turn of a clamp
// counts.
static void TwistCountsTurns(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(10.0, 20);
    section.EI = 1.0;
    section.GJ = 2.0;
    Rig rig;
    Rig_MakePlain(&rig, section);
    for (int i = 0; i <= 20; ++i) rig.state.position[i] = hwMakeVec3(0.5 * i, sin(1.1 * i * 0.5), 0.0);
    rig.input.ends[0] = (hwCableEnd){.kind = HW_CABLE_CLAMP, .tangent = {1, 0, 0}, .normal = {0, 0, 1}};
    rig.input.ends[1] = rig.input.ends[0];
    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
    assert_true(fabs(rig.work.twist) < 1e-12);
    for (int k = 1; k <= 100; ++k) {
        RotateEnd(&rig.input.ends[1], hwMakeVec3(0.5, 0.0, 0.0));
        hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
        rig.state.core->twist = rig.work.twist;
    }
    assert_true(fabs(rig.work.twist - 50.0) < 1e-9);
    assert_true(fabs(rig.work.torque - 2.0 * 50.0 / 10.0) < 1e-9);
    Rig_Free(&rig);
}

// Half in the water, some of it on the bottom, the seams cut by the surface or lying on the bottom in some of the draws.
static void PiecesHaveTheBitsOfTheWhole(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(100.0, 1021);
    section.compression = 0.0;
    section.axialDamping = 30.0;
    section.dragNormal = 1.2;
    section.addedNormal = 1.0;
    for (int k = 0; k < 12; ++k) {
        Rig whole, parts;
        Rig_MakePlain(&whole, section);
        Rig_MakePlain(&parts, section);
        static double height[1022];
        for (int i = 0; i < 1022; ++i) height[i] = -11.5 + k;
        hwCableSeabed seabed = {.height = height, .stiffness = 1e5, .damping = 1e3, .friction = 0.5};
        hwCablePiece pieces[1022 / HW_PIECE];
        Rig* rigs[2] = {&whole, &parts};
        for (int n = 0; n < 2; ++n) {
            Rig_Shake(rigs[n], (uint64_t)(40 + k), 0.02, 0.3);
            Rig_FillWater(rigs[n], k - 5.0, hwMakeVec3(0.3, 0.1, 0.0), hwMakeVec3(0.0, 0.2, 0.1));
            rigs[n]->input.hd = 0.01;
            rigs[n]->input.matrix = k % 4 != 3;
            rigs[n]->input.gravity = 9.81;
            rigs[n]->input.ends[0].kind = HW_CABLE_PIN;
            if (k % 3 == 2) rigs[n]->input.fluid = NULL;
        }
        hwCableContact contacts[2];
        for (int again = 0; again < 2; ++again) { // what the surface has cut before must be gone
            for (int i = 0; i < 1022 && again; ++i) whole.fluid[i].surface = parts.fluid[i].surface = k - 4.5;
            hwCableWork_Evaluate(&whole.work, &whole.state, &whole.input);
            contacts[0] = hwCableWork_AddSeabed(&whole.work, &whole.state, &seabed);
            int count = hwCable_CountPieces(1022);
            assert_int_equal(count, 15);
            assert_true(hwCableWork_GoesInPieces(&parts.work, &parts.input));
            for (int i = 0; i < count; ++i) {
                pieces[i] = hwCable_CutPiece(1022, count, i);
                assert_int_equal(pieces[i].from, i > 0 ? pieces[i - 1].to : 0);
            }
            assert_int_equal(pieces[count - 1].to, 1022);
            hwCableWork_BeginPieces(&parts.work, &parts.state, &parts.input);
            for (int i = count - 1; i >= 0; --i)
                hwCableWork_GatherPiece(&parts.work, &parts.state, &parts.input, pieces[i].from,
                                        pieces[i].to);
            for (int i = count - 1; i >= 0; --i)
                hwCableWork_EvaluateElements(&parts.work, &parts.input, &pieces[i]);
            for (int i = count - 1; i >= 0; --i)
                hwCableWork_EvaluateNodes(&parts.work, &parts.state, &parts.input, &seabed, &pieces[i]);
            contacts[1] = hwCableWork_FinishPieces(&parts.work, count, pieces);
        }
        bool draws[2] = {false, false};
        assert_true(hwCableWork_Foresee(&whole.work, whole.state.velocity, &draws[0]) ==
                    hwCableWork_Foresee(&parts.work, parts.state.velocity, &draws[1]));
        assert_true(draws[0] == draws[1]);
        assert_memory_equal(whole.work.arrays->drawn, parts.work.arrays->drawn, 1021 * sizeof(double));
        static hwVec3 inertia[2][1022];
        hwCableWork_MulMass(&whole.work, whole.state.velocity, inertia[0]);
        for (int i = 0; i < 15; ++i)
            hwCableWork_MulMassOf(&parts.work, parts.state.velocity, parts.state.velocity, pieces[i].from,
                                  pieces[i].to, inertia[1]);
        assert_memory_equal(inertia[0], inertia[1], sizeof(inertia[0]));
        const hwCableArrays *a = whole.work.arrays, *b = parts.work.arrays;
        assert_memory_equal(whole.work.force, parts.work.force, 1022 * sizeof(hwVec3));
        assert_memory_equal(whole.work.tension, parts.work.tension, 1021 * sizeof(double));
        assert_memory_equal(a->heave, b->heave, 1022 * sizeof(double));
        if (whole.input.matrix) {
            assert_memory_equal(a->diagonal + HW_AT(6, HW_SLOT(0), 0), b->diagonal + HW_AT(6, HW_SLOT(0), 0),
                                6 * 1020 * sizeof(double));
            assert_memory_equal(a->first + HW_AT(9, HW_SLOT(0), 0), b->first + HW_AT(9, HW_SLOT(0), 0),
                                9 * 1020 * sizeof(double));
        }
        assert_int_equal(contacts[0].count, contacts[1].count);
        assert_true(contacts[0].count > 0 || k == 0);
        assert_true(contacts[0].depth == contacts[1].depth);
        assert_true(fabs(contacts[0].power - contacts[1].power) <= 1e-11 * contacts[0].force);
        assert_true(fabs(contacts[0].force - contacts[1].force) <= 1e-12 * contacts[0].force);
        assert_true(fabs(contacts[0].elastic - contacts[1].elastic) <= 1e-12 * contacts[0].elastic);
        Rig_Free(&whole);
        Rig_Free(&parts);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ForcesAreTheGradientOfThePotential),
        cmocka_unit_test(PowersAddUp),
        cmocka_unit_test(MatrixOfATautLineIsExact),
        cmocka_unit_test(MatrixOfDragIsExactInVelocity),
        cmocka_unit_test(MatrixErrorOfBendingVanishesWithTheAngle),
        cmocka_unit_test(InternalForcesKeepMomentum),
        cmocka_unit_test(RigidMotionIsNotDamped),
        cmocka_unit_test(ForcesTurnWithTheWorld),
        cmocka_unit_test(ForcesDoNotDependOnWhichEndIsA),
        cmocka_unit_test(TwistCountsTurns),
        cmocka_unit_test(PiecesHaveTheBitsOfTheWhole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
