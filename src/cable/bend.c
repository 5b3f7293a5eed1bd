// Bending at clamps, damping of bending, and torsion: what is done joint by joint.
//
// Joint j = 0..N sits at node j between the directions A and B: chords j-1 and j, or a clamp's tangent at an
// end. A parallel-transported frame is carried over it by the smallest rotation that takes A to B (Bishop
// 1975; Bergou et al. 2008). If A turns with the rate dA/dt and the frame spins about it with s_A, the
// carried frame spins about B with
//   s_B = s_A - b.(dA/dt + dB/dt),   b = A x B / (1 + A.B),
// half the curvature binormal: for a rigid rotation w it says w.B = w.A - w.(A - B). The total twist between
// two clamps therefore changes at the rate
//   w_b.T_b - w_a.T_a + sum_j b_j.(dA_j/dt + dB_j/dt),
// whose coefficients are its gradient.
#include "cable/arrays.h"

static hwVec3 GetBinormal(hwVec3 a, hwVec3 b) {
    return hwScale(1.0 / hwMax(1.0 + hwDot(a, b), HW_FOLD), hwCross(a, b));
}

static bool IsClamp(const hwCableWork* work, int end) {
    return work->input.ends[end].kind == HW_CABLE_CLAMP;
}

// Direction before joint j (chord j - 1, or clamp a's tangent) or, for joint j + 1, after joint j.
static hwVec3 GetDirection(const hwCableWork* work, int j) {
    if (j == 0) return work->input.ends[0].tangent;
    if (j == work->nodes) return work->input.ends[1].tangent;
    return hwTangent(work->arrays, j - 1);
}

static void AddToChord(hwCableArrays* s, int e, hwVec3 force) {
    s->shear[0][e] += force.x;
    s->shear[1][e] += force.y;
    s->shear[2][e] += force.z;
}

// ---- Clamps

static void AddSlot(double* blocks, int slot, double m[3][3], double sign) {
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) blocks[HW_AT(9, slot, 3 * r + c)] += sign * m[r][c];
    }
}

static void ClearSlot(double* blocks, int slot) {
    for (int k = 0; k < 9; ++k) blocks[HW_AT(9, slot, k)] = 0.0;
}

// Blocks of the joint between a clamp's tangent T and the chord direction t: rotation with rotation, chord
// with chord, rotation with chord. As in evaluate.c with dT = rotation x T.
static void AddClampBlocks(hwCableWork* work, int end, hwVec3 tangent, hwVec3 t, hwVec3 gradient, double iso,
                           double rank) {
    hwCableArrays* s = work->arrays;
    int last = work->nodes - 1;
    int e = end == 0 ? 0 : last - 1;
    double inverse = s->lengthInverse[e];
    hwVec3 turn = hwCross(tangent, t);
    double T[3] = {tangent.x, tangent.y, tangent.z}, d[3] = {t.x, t.y, t.z};
    double g[3] = {gradient.x, gradient.y, gradient.z}, w[3] = {turn.x, turn.y, turn.z};
    double skew[3][3] = {{0.0, -T[2], T[1]}, {T[2], 0.0, -T[0]}, {-T[1], T[0], 0.0}};
    double rotation[3][3], chord[3][3], mixed[3][3], transposed[3][3];
    for (int r = 0; r < 3; ++r) {
        double skewT = skew[r][0] * d[0] + skew[r][1] * d[1] + skew[r][2] * d[2];
        for (int c = 0; c < 3; ++c) {
            double one = r == c ? 1.0 : 0.0;
            rotation[r][c] = rank * w[r] * w[c] + iso * (one - T[r] * T[c]);
            chord[r][c] = rank * g[r] * g[c] + iso * inverse * inverse * (one - d[r] * d[c]);
            mixed[r][c] = rank * w[r] * g[c] - iso * inverse * (skew[r][c] - skewT * d[c]);
        }
    }
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) transposed[r][c] = mixed[c][r];
    }
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    int slot = HW_SLOT(e), clamp = end == 0 ? HW_SLOT(0) - 1 : HW_SLOT(last) + 1;
    for (int k = 0; k < 6; ++k) {
        s->diagonal[HW_AT(6, slot, k)] += chord[row[k]][column[k]];
        s->diagonal[HW_AT(6, slot + 1, k)] += chord[row[k]][column[k]];
        s->diagonal[HW_AT(6, clamp, k)] = rotation[row[k]][column[k]];
    }
    AddSlot(s->first, slot, chord, -1.0);
    if (end == 0) {
        ClearSlot(s->first, clamp);
        ClearSlot(s->second, clamp);
        AddSlot(s->first, clamp, mixed, -1.0);
        AddSlot(s->second, clamp, mixed, 1.0);
    } else {
        ClearSlot(s->first, HW_SLOT(last));
        ClearSlot(s->second, HW_SLOT(last - 1));
        AddSlot(s->second, HW_SLOT(last - 1), transposed, -1.0);
        AddSlot(s->first, HW_SLOT(last), transposed, 1.0);
    }
}

void hwCableBend_AddClamp(hwCableWork* work, int end) {
    if (!IsClamp(work, end)) return;
    hwCableArrays* s = work->arrays;
    int e = end == 0 ? 0 : work->nodes - 2;
    hwVec3 tangent = work->input.ends[end].tangent, t = hwTangent(s, e);
    double c = hwDot(tangent, t), open = hwMax(1.0 + c, HW_FOLD), slope = 4.0 / (open * open);
    hwVec3 gradient = hwScale(s->lengthInverse[e], hwMulAdd(tangent, -c, t));
    double force = s->clampBend[end] * slope;
    hwVec3 f = hwScale(force, gradient);
    work->force[e + 1] = hwAdd(work->force[e + 1], f);
    work->force[e] = hwSub(work->force[e], f);
    work->moment[end] = hwMulAdd(work->moment[end], force, hwCross(tangent, t));
    if (!work->input.matrix) return;
    double hd = work->input.hd;
    double iso = slope * (hd * hd * s->clampBend[end] + hd * s->clampDamping[end]);
    double rank = 2.0 * hd * hd * force / open + (work->model->locks ? s->clampRank[end] : 0.0);
    AddClampBlocks(work, end, tangent, t, gradient, iso, rank);
}

// ---- Torsion

// Carries clamp a's normal to clamp b and returns the angle from there to clamp b's normal, in (-pi, pi].
static double MeasureAngle(const hwCableWork* work) {
    const hwCableEnd* a = &work->input.ends[0];
    const hwCableEnd* b = &work->input.ends[1];
    hwVec3 before = a->tangent, p = a->normal;
    for (int j = 1; j <= work->nodes; ++j) {
        hwVec3 after = GetDirection(work, j);
        double factor = hwDot(p, after) / hwMax(1.0 + hwDot(before, after), HW_FOLD);
        p = hwMulAdd(p, -factor, hwAdd(before, after));
        before = after;
    }
    return hwAtan2(hwDot(hwCross(p, b->normal), b->tangent), hwDot(p, b->normal));
}

// Gradient of the twist with nodes and clamp rotations, and its rate.
static void FillTwistGradient(hwCableWork* work) {
    hwCableArrays* s = work->arrays;
    int last = work->nodes - 1;
    hwVec3 behind = GetBinormal(GetDirection(work, 0), GetDirection(work, 1));
    const hwCableEnd* ends = work->input.ends;
    s->twistRotation[0] = hwSub(hwCross(ends[0].tangent, behind), ends[0].tangent);
    s->bx[0] = behind.x;
    s->by[0] = behind.y;
    s->bz[0] = behind.z;
    double rate = 0.0;
    hwVec3 previous = hwVec3_zero;
    for (int e = 0; e < last; ++e) {
        hwVec3 ahead = GetBinormal(GetDirection(work, e + 1), GetDirection(work, e + 2));
        s->bx[e + 1] = ahead.x;
        s->by[e + 1] = ahead.y;
        s->bz[e + 1] = ahead.z;
        hwVec3 g = hwScale(s->lengthInverse[e], hwAdd(behind, ahead));
        s->gx[e] = previous.x - g.x;
        s->gy[e] = previous.y - g.y;
        s->gz[e] = previous.z - g.z;
        rate += g.x * (s->vx[e + 1] - s->vx[e]) + g.y * (s->vy[e + 1] - s->vy[e]) +
                g.z * (s->vz[e + 1] - s->vz[e]);
        previous = g;
        behind = ahead;
    }
    s->gx[last] = previous.x;
    s->gy[last] = previous.y;
    s->gz[last] = previous.z;
    s->twistRotation[1] = hwAdd(hwCross(ends[1].tangent, behind), ends[1].tangent);
    s->twistRate = rate + hwDot(s->twistRotation[0], ends[0].rate) + hwDot(s->twistRotation[1], ends[1].rate);
}

void hwCableTwist_Add(hwCableWork* work, const hwCableState* state) {
    hwCableArrays* s = work->arrays;
    s->twistScale = s->twistRate = 0.0;
    if (!IsClamp(work, 0) || !IsClamp(work, 1)) return;
    double angle = MeasureAngle(work);
    work->twist = angle + 2.0 * HW_PI * round((state->core->twist - angle) / (2.0 * HW_PI));
    if (!(s->twistStiffness > 0.0)) return;
    FillTwistGradient(work);
    double torque = s->twistStiffness * work->twist + s->twistDamping * s->twistRate;
    work->torque = torque;
    for (int e = 0; e < work->nodes - 1; ++e) {
        double k = -torque * s->lengthInverse[e];
        hwVec3 g = hwMakeVec3(s->bx[e] + s->bx[e + 1], s->by[e] + s->by[e + 1], s->bz[e] + s->bz[e + 1]);
        AddToChord(s, e, hwScale(k, g));
    }
    for (int end = 0; end < 2; ++end) {
        work->moment[end] = hwMulAdd(work->moment[end], -torque, s->twistRotation[end]);
    }
    double hd = work->input.hd;
    if (work->input.matrix) s->twistScale = hd * hd * s->twistStiffness + hd * s->twistDamping;
}

// ---- Damping of bending
//
// The rate of curvature is that of B - A seen from the material, which turns with the cable: for a joint with
// mean direction m = (A + B)/|A + B| and material spin q about it
//   r = (1 - m m^T)(dB/dt - dA/dt) - q m x (B - A),   q = (s_A + s_B)/|A + B|,
// zero for every rigid motion. The spins follow from one another by the transport rule above and start from a
// clamp; without a clamp the cable spins so that the dissipation is least, for nothing else holds it.
// Dissipation is sum_j C_j |r_j|^2 / 2, and the forces are its exact derivatives with the velocities, so that
// linear and angular momentum are kept. The matrix uses r without spin: never less than the truth.

typedef struct DampingSweep {
    hwCableWork* work;
    int first, last; // joints
    int base;        // 0: spin known at clamp a, 1: at clamp b, 2: at neither
} DampingSweep;

// Rate of direction j (GetDirection).
static hwVec3 GetDirectionRate(const hwCableWork* work, int j) {
    const hwCableArrays* s = work->arrays;
    if (j == 0) return hwCross(work->input.ends[0].rate, work->input.ends[0].tangent);
    if (j == work->nodes) return hwCross(work->input.ends[1].rate, work->input.ends[1].tangent);
    int e = j - 1;
    hwVec3 t = hwTangent(s, e);
    hwVec3 dv = hwMakeVec3(s->vx[e + 1] - s->vx[e], s->vy[e + 1] - s->vy[e], s->vz[e + 1] - s->vz[e]);
    return hwScale(s->lengthInverse[e], hwMulAdd(dv, -hwDot(t, dv), t));
}

static double GetJointDamping(const hwCableWork* work, int j) {
    const hwCableArrays* s = work->arrays;
    if (j == 0) return s->clampDamping[0];
    if (j == work->nodes - 1) return s->clampDamping[1];
    return s->bendDamping[j];
}

typedef struct Joint {
    hwVec3 a, b, rateA, rateB;
    hwVec3 binormal; // b above
    hwVec3 rate;     // r without spin
    hwVec3 spin;     // -dr / d(s_A + s_B)
    double damping;
} Joint;

static Joint GetJoint(const hwCableWork* work, int j) {
    Joint joint = {GetDirection(work, j),
                   GetDirection(work, j + 1),
                   GetDirectionRate(work, j),
                   GetDirectionRate(work, j + 1),
                   hwVec3_zero,
                   hwVec3_zero,
                   hwVec3_zero,
                   0.0};
    double open = hwMax(1.0 + hwDot(joint.a, joint.b), HW_FOLD);
    joint.binormal = hwScale(1.0 / open, hwCross(joint.a, joint.b));
    hwVec3 sum = hwAdd(joint.a, joint.b), change = hwSub(joint.rateB, joint.rateA);
    double inverse = 0.5 / open; // 1 / |A + B|^2
    joint.rate = hwMulAdd(change, -hwDot(change, sum) * inverse, sum);
    joint.spin = hwScale(inverse, hwCross(sum, hwSub(joint.b, joint.a)));
    joint.damping = GetJointDamping(work, j) * 8.0 / (open * open * open);
    return joint;
}

// Material spins of all directions.
static void SweepSpins(const DampingSweep* sweep, double* spin) {
    hwCableWork* work = sweep->work;
    spin[sweep->first] = 0.0;
    double dissipation = 0.0, leverage = 0.0;
    for (int j = sweep->first; j <= sweep->last; ++j) {
        Joint joint = GetJoint(work, j);
        spin[j + 1] = spin[j] - hwDot(joint.binormal, hwAdd(joint.rateA, joint.rateB));
        hwVec3 rate = hwMulAdd(joint.rate, -(spin[j] + spin[j + 1]), joint.spin);
        dissipation += 2.0 * joint.damping * hwDot(joint.spin, rate);
        leverage += 4.0 * joint.damping * hwDot(joint.spin, joint.spin);
    }
    const hwCableEnd* ends = work->input.ends;
    double base = 0.0;
    if (sweep->base == 0) {
        base = hwDot(ends[0].rate, ends[0].tangent);
    } else if (sweep->base == 1) {
        base = hwDot(ends[1].rate, ends[1].tangent) - spin[sweep->last + 1];
    } else if (leverage > 0.0) {
        base = dissipation / leverage;
    }
    for (int j = sweep->first; j <= sweep->last + 1; ++j) spin[j] += base;
}

void hwCableBend_AddDamping(hwCableWork* work) {
    hwCableArrays* s = work->arrays;
    int nodes = work->nodes;
    s->bendDissipation = 0.0;
    if (!s->bendIsDamped) return;
    DampingSweep sweep = {work, IsClamp(work, 0) ? 0 : 1, IsClamp(work, 1) ? nodes - 1 : nodes - 2,
                          IsClamp(work, 0)   ? 0
                          : IsClamp(work, 1) ? 1
                                             : 2};
    if (sweep.first > sweep.last) return;
    double* spin = s->spin;
    SweepSpins(&sweep, spin);

    // A joint puts twice the torque lambda = C r.(spin) on the spins of its directions, and they hang on one
    // another back to the base: the transport at a joint carries the sum of all joints that lie beyond it as
    // seen from the base.
    double whole = 0.0;
    if (sweep.base == 0) {
        for (int j = sweep.first; j <= sweep.last; ++j) {
            Joint joint = GetJoint(work, j);
            hwVec3 rate = hwMulAdd(joint.rate, -(spin[j] + spin[j + 1]), joint.spin);
            whole += 2.0 * joint.damping * hwDot(joint.spin, rate);
        }
    }
    double torque = whole; // on all directions from j on
    for (int j = sweep.first; j <= sweep.last; ++j) {
        Joint joint = GetJoint(work, j);
        hwVec3 rate = hwMulAdd(joint.rate, -(spin[j] + spin[j + 1]), joint.spin);
        s->bendDissipation += joint.damping * hwDot(rate, rate);
        double lambda = joint.damping * hwDot(joint.spin, rate);
        torque -= lambda; // direction j is passed with this joint
        hwVec3 pull = hwScale(joint.damping, rate), carry = hwScale(torque, joint.binormal);
        hwVec3 onA = hwSub(carry, pull), onB = hwAdd(carry, pull); // dR / d(rate of A), d(rate of B)
        torque -= lambda;
        if (j > 0) {
            AddToChord(s, j - 1,
                       hwScale(-s->lengthInverse[j - 1], hwMulAdd(onA, -hwDot(onA, joint.a), joint.a)));
        } else {
            hwVec3 moment = hwSub(hwCross(joint.a, onA), hwScale(whole, joint.a));
            work->moment[0] = hwSub(work->moment[0], moment);
        }
        if (j < nodes - 1) {
            AddToChord(s, j, hwScale(-s->lengthInverse[j], hwMulAdd(onB, -hwDot(onB, joint.b), joint.b)));
        } else {
            // With the spin known at clamp b all the torque ends there; otherwise none is left.
            hwVec3 moment = hwMulAdd(hwCross(joint.b, onB), sweep.base == 1 ? torque : 0.0, joint.b);
            work->moment[1] = hwSub(work->moment[1], moment);
        }
    }
}

hwVec3 hwCableWork_GetCurvature(const hwCableWork* work, int node) {
    const hwCableArrays* s = work->arrays;
    int last = work->nodes - 1;
    if (!work->arrays->wide && (node == 0 || node == last)) return hwVec3_zero;
    if ((node == 0 && !IsClamp(work, 0)) || (node == last && !IsClamp(work, 1))) return hwVec3_zero;
    double span = 0.5 * ((node > 0 ? s->rest[node - 1] : 0.0) + (node < last ? s->rest[node] : 0.0));
    hwVec3 a = node > 0 ? hwTangent(s, node - 1) : work->input.ends[0].tangent;
    hwVec3 b = node < last ? hwTangent(s, node) : work->input.ends[1].tangent;
    return hwScale(2.0 / span, GetBinormal(a, b));
}
