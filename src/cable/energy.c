// Energies and powers of a cable: the books that show whether the forces are right.
#include "cable/arrays.h"

static hwVec3 GetVelocity(const hwCableArrays* s, int i) {
    return hwMakeVec3(s->vx[i], s->vy[i], s->vz[i]);
}

// a^T X a over the two nodes of an element with mass shares, X = across 1 + along t t^T.
static double GetQuadratic(hwVec3 a, hwVec3 b, hwVec3 t, double across, double along) {
    double ta = hwDot(t, a), tb = hwDot(t, b);
    double full = HW_MASS_SHARE * (hwDot(a, a) + hwDot(b, b)) + 2.0 * HW_MASS_COUPLING * hwDot(a, b);
    return across * full + along * (HW_MASS_SHARE * (ta * ta + tb * tb) + 2.0 * HW_MASS_COUPLING * ta * tb);
}

// 2 (1 - c)/(1 + c), straight on below the fold.
static double GetBendEnergy(hwVec3 a, hwVec3 b) {
    double open = 1.0 + hwDot(a, b);
    if (open > HW_FOLD) return 2.0 * (2.0 - open) / open;
    return 2.0 * (2.0 - HW_FOLD) / HW_FOLD + 4.0 / (HW_FOLD * HW_FOLD) * (HW_FOLD - open);
}

// Its rate of change, the directions turning with da and db.
static double GetBendRate(hwVec3 a, hwVec3 b, hwVec3 da, hwVec3 db) {
    double open = hwMax(1.0 + hwDot(a, b), HW_FOLD);
    return -4.0 / (open * open) * (hwDot(da, b) + hwDot(a, db));
}

// How fast the direction of an element turns, 1/s.
static hwVec3 GetTurnRate(const hwCableArrays* s, int e) {
    hwVec3 t = hwTangent(s, e), apart = hwSub(GetVelocity(s, e + 1), GetVelocity(s, e));
    return hwScale(s->lengthInverse[e], hwMulAdd(apart, -hwDot(t, apart), t));
}

// Elastic energy per rest length.
static double GetStretchEnergy(const hwCableArrays* s, int e, double stretch) {
    double strain = stretch - 1.0;
    const hwCableCurve* curve = hwCableArrays_GetCurve(s, e, strain);
    if (curve != NULL) return hwCableCurve_Get(curve, s->stiffness[e], strain).energy;
    double stiffness = s->stiffness[e] * (strain > 0.0 ? 1.0 : s->compression[e]);
    return 0.5 * stiffness * strain * strain + s->stiffness[e] * hwFold_Make(stretch).energy;
}

static double GetElasticTension(const hwCableArrays* s, int e, double stretch) {
    double strain = stretch - 1.0;
    const hwCableCurve* curve = hwCableArrays_GetCurve(s, e, strain);
    if (curve != NULL) return hwCableCurve_Get(curve, s->stiffness[e], strain).tension;
    double stiffness = s->stiffness[e] * (strain > 0.0 ? 1.0 : s->compression[e]);
    return stiffness * strain - s->stiffness[e] * hwFold_Make(stretch).push;
}

// What an element's elastic tension does for each metre of rest length, N.
static double GetElasticPull(const hwCableArrays* s, int e, double length) {
    double stretch = (length - s->relief[e]) * s->restInverse[e];
    return GetElasticTension(s, e, stretch) * stretch;
}

// What elements count as shorter fades, and stretches them while nothing moves.
static void AddFading(const hwCableWork* work, hwCableEnergy* energy) {
    const hwCableArrays* s = work->arrays;
    const hwCablePid* pid = &work->model->pid;
    for (int e = 0; e < work->nodes - 1; ++e) {
        if (s->relief[e] == 0.0) continue;
        double stretch = (work->length[e] - s->relief[e]) * s->restInverse[e];
        double pull = pid->on ? pid->kp * work->linkError[e] : GetElasticTension(s, e, stretch);
        energy->fading += pull * s->relief[e] / s->fadeTime;
    }
    energy->stored += energy->fading;
}

// Sums over elements or nodes, four at a time.
typedef struct Sums {
    hwV4 kinetic, stretch, damping, gravity, fluid, turning, drag, stored;
} Sums;

#define ALL_LANES ((hwM4){-1, -1, -1, -1})

// What the last group holds beyond the end must not count, whatever is there.
HW_INLINE hwM4 GetMask(int first, int count) {
    hwM4 mask = {-(first < count), -(first + 1 < count), -(first + 2 < count), -(first + 3 < count)};
    return mask;
}

HW_INLINE void Add(hwV4* sum, hwM4 mask, hwV4 v) {
    *sum += (hwV4)((hwM4)v & mask);
}

HW_INLINE double Total(hwV4 v) {
    return (v[0] + v[1]) + (v[2] + v[3]);
}

static void AddSums(const Sums* sums, hwCableEnergy* energy) {
    energy->kinetic += Total(sums->kinetic);
    energy->stretch += Total(sums->stretch);
    energy->damping += Total(sums->damping);
    energy->gravity += Total(sums->gravity);
    energy->fluid += Total(sums->fluid);
    energy->turning += Total(sums->turning);
    energy->drag += Total(sums->drag);
    energy->stored += Total(sums->stored);
}

HW_INLINE hwV4x3 Load3(const double* x, const double* y, const double* z, int i) {
    hwV4x3 v = {Load4(x + i), Load4(y + i), Load4(z + i)};
    return v;
}

// Elastic energy of elements that are stretched at `rate` (m/s), and what their damping takes.
HW_INLINE void AddStretch(const hwCableWork* work, int e, hwM4 mask, hwV4 rate, bool energies, Sums* sums) {
    const hwCableArrays* s = work->arrays;
    hwV4 EA = Load4(s->stiffness + e);
    hwV4 stretch = (Load4(work->length + e) - Load4(s->relief + e)) * Load4(s->restInverse + e);
    hwV4 strain = stretch - 1.0;
    hwM4 folded = (stretch < HW_SHORTEST) & mask;
    hwV4 stiffness = EA * Select4(strain > 0.0, Set4(1.0), Load4(s->compression + e));
    hwV4 elastic = stiffness * strain, stored = 0.5 * stiffness * strain * strain;
    for (int k = 0; (folded[0] | folded[1] | folded[2] | folded[3]) != 0 && k < HW_LANES; ++k) {
        hwFold fold = hwFold_Make(stretch[k]);
        elastic[k] -= EA[k] * fold.push;
        stored[k] += EA[k] * fold.energy;
    }
    for (int k = 0; work->model->curved && k < HW_LANES; ++k) {
        const hwCableCurve* curve = mask[k] ? hwCableArrays_GetCurve(s, e + k, strain[k]) : NULL;
        if (curve == NULL) continue;
        hwCurvePoint point = hwCableCurve_Get(curve, EA[k], strain[k]);
        elastic[k] = point.tension;
        stored[k] = point.energy;
    }
    if (energies) Add(&sums->stretch, mask, stored * Load4(s->rest + e));
    Add(&sums->stored, mask, elastic * rate);
    Add(&sums->damping, mask, (Load4(work->tension + e) - elastic) * (rate - stretch * Load4(s->growth + e)));
}

// Buoyancy of one element in still water, in full; of those that the surface cuts AddBuoyancy leaves it out.
static void AddCut(const hwCableWork* work, const hwCableInput* input, int e, hwCableEnergy* energy) {
    const hwCableArrays* s = work->arrays;
    double weight = input->gravity * input->waterDensity * s->volume[e];
    hwWetElement still =
        hwWetElement_Make(input->surface - s->pz[e], input->surface - s->pz[e + 1], s->radius[e]);
    energy->gravity += weight * still.integral;
    double rising = weight * (still.a * s->vz[e] + still.b * s->vz[e + 1]);
    energy->fluid -= rising;
    energy->stored -= rising;
}

// Buoyancy: the potential of still water; what waves add is work of the fluid.
HW_INLINE void AddBuoyancy(const hwCableWork* work, const hwCableInput* input, int e, hwM4 mask, hwV4 az,
                           hwV4 bz, bool energies, Sums* sums, hwCableEnergy* energy) {
    const hwCableArrays* s = work->arrays;
    hwV4 weight = (input->gravity * input->waterDensity) * Load4(s->volume + e);
    hwV4 radius = Load4(s->radius + e);
    hwV4 h0 = input->surface - Load4(s->pz + e), h1 = input->surface - Load4(s->pz + e + 1);
    hwM4 order = h0 < h1;
    hwV4 low = Select4(order, h0, h1), high = Select4(order, h1, h0);
    hwM4 deep = low >= radius, cut = ~deep & (high > -radius) & mask;
    hwV4 share = Select4(deep, Set4(0.5), Set4(0.0));
    if (energies) Add(&sums->gravity, mask, weight * share * (h0 + h1));
    Add(&sums->stored, mask, -weight * share * (az + bz));
    Add(&sums->fluid, mask, weight * ((Load4(s->wetA + e) - share) * az + (Load4(s->wetB + e) - share) * bz));
    if ((cut[0] | cut[1] | cut[2] | cut[3]) == 0) return;
    for (int k = 0; k < HW_LANES; ++k) {
        if (cut[k]) AddCut(work, input, e + k, energy);
    }
}

// Half the change of the added mass by turning.
HW_INLINE hwV4 GetTurning(const hwCableArrays* s, int e, hwV4x3 a, hwV4x3 b, hwV4x3 t, hwV4 along) {
    hwV4x3 d = Sub4(b, a);
    hwV4x3 turn = Scale4(Load4(s->lengthInverse + e), MulAdd4(d, -Dot4(t, d), t));
    hwV4 ta = Dot4(t, a), tb = Dot4(t, b), ra = Dot4(turn, a), rb = Dot4(turn, b);
    return along * (HW_MASS_SHARE * (ta * ra + tb * rb) + HW_MASS_COUPLING * (ta * rb + tb * ra));
}

// Of four elements from e on, as far as `mask` lets them count.
HW_INLINE void AddFourElements(const hwCableWork* work, const hwCableInput* input, int e, hwM4 mask,
                               bool fluid, bool pid, bool energies, Sums* sums, hwCableEnergy* energy) {
    const hwCableArrays* s = work->arrays;
    hwV4x3 t = Load3(s->tx, s->ty, s->tz, e);
    hwV4x3 a = Load3(s->vx, s->vy, s->vz, e), b = Load3(s->vx, s->vy, s->vz, e + 1);
    hwV4 ta = Dot4(t, a), tb = Dot4(t, b);
    hwV4 along = Load4(s->inertiaAlong + e);
    if (energies) {
        hwV4 full = HW_MASS_SHARE * (Dot4(a, a) + Dot4(b, b)) + (2.0 * HW_MASS_COUPLING) * Dot4(a, b);
        hwV4 axial = HW_MASS_SHARE * (ta * ta + tb * tb) + (2.0 * HW_MASS_COUPLING) * ta * tb;
        Add(&sums->kinetic, mask, 0.5 * (Load4(s->inertia + e) * full + along * axial));
        Add(&sums->gravity, mask,
            (0.5 * input->gravity) * Load4(s->mass + e) * (Load4(s->pz + e) + Load4(s->pz + e + 1)));
    }
    Add(&sums->stored, mask, (0.5 * input->gravity) * Load4(s->mass + e) * (a.z + b.z));
    if (!pid) AddStretch(work, e, mask, tb - ta, energies, sums);
    if (!fluid) return;
    AddBuoyancy(work, input, e, mask, a.z, b.z, energies, sums, energy);
    Add(&sums->turning, mask, GetTurning(s, e, a, b, t, along));
}

HW_INLINE void AddElements(const hwCableWork* work, const hwCableInput* input, bool fluid, bool pid,
                           bool energies, hwCableEnergy* energy) {
    int elements = work->nodes - 1, e = 0;
    Sums sums = {0};
    for (; e + HW_LANES <= elements; e += HW_LANES)
        AddFourElements(work, input, e, ALL_LANES, fluid, pid, energies, &sums, energy);
    if (e < elements)
        AddFourElements(work, input, e, GetMask(e, elements), fluid, pid, energies, &sums, energy);
    AddSums(&sums, energy);
}

static void AddWetElements(const hwCableWork* work, const hwCableInput* input, hwCableEnergy* energy) {
    AddElements(work, input, true, false, true, energy);
}

static void AddWetPowers(const hwCableWork* work, const hwCableInput* input, hwCableEnergy* energy) {
    AddElements(work, input, true, false, false, energy);
}

static void AddDryElements(const hwCableWork* work, const hwCableInput* input, hwCableEnergy* energy) {
    AddElements(work, input, false, false, true, energy);
}

static void AddLinks(const hwCableWork* work, const hwCableInput* input, hwCableEnergy* energy) {
    AddElements(work, input, work->arrays->fluid, true, true, energy);
    for (int e = 0; e < work->nodes - 1; ++e) hwCablePid_AddEnergy(work, e, energy);
}

// Half the change of the added mass by going under.
static void AddSinking(const hwCableWork* work, const hwCableInput* input, hwCableEnergy* energy) {
    const hwCableArrays* s = work->arrays;
    for (int e = 0; e < work->nodes - 1; ++e) {
        if (!(s->wetA[e] + s->wetB[e] < 1.0)) continue;
        hwVec3 a = GetVelocity(s, e), b = GetVelocity(s, e + 1);
        hwWetElement wet = hwWetElement_Make(s->depth[e], s->depth[e + 1], s->radius[e]);
        double sinking = -input->waterDensity * (wet.riseA * a.z + wet.riseB * b.z);
        energy->turning +=
            0.5 * sinking *
            GetQuadratic(a, b, hwTangent(s, e), s->addedNormal[e], s->addedTangential[e] - s->addedNormal[e]);
    }
}

// Drag and acceleration force of the line at its nodes, as AddFluid in evaluate.c.
HW_INLINE void AddFourNodes(const hwCableWork* work, const hwCableInput* input, int i, hwM4 mask,
                            Sums* sums) {
    const hwCableArrays* s = work->arrays;
    double water = input->waterDensity, air = input->airDensity;
    hwV4 wet0 = Load4(s->wetB + i - 1), wet1 = Load4(s->wetA + i);
    hwV4 l0 = Load4(work->length + i - 1) * (air * 0.5 + (water - air) * wet0);
    hwV4 l1 = Load4(work->length + i) * (air * 0.5 + (water - air) * wet1);
    hwV4 normal = l0 * Load4(s->dragNormal + i - 1) + l1 * Load4(s->dragNormal + i);
    hwV4 tangential = l0 * Load4(s->dragTangential + i - 1) + l1 * Load4(s->dragTangential + i);
    hwV4x3 t0 = Load3(s->tx, s->ty, s->tz, i - 1), t1 = Load3(s->tx, s->ty, s->tz, i), t = Add4(t0, t1);
    t = Scale4(1.0 / Sqrt4(Dot4(t, t) + 1e-30), t);
    hwV4x3 v = Load3(s->vx, s->vy, s->vz, i), flow = Load3(s->ux, s->uy, s->uz, i), u = Sub4(flow, v);
    hwV4 along = Dot4(u, t);
    hwV4x3 across = MulAdd4(u, -along, t);
    hwV4x3 drag =
        MulAdd4(Scale4(normal * Sqrt4(Dot4(across, across)), across), tangential * Abs4(along) * along, t);
    Add(&sums->drag, mask, Dot4(drag, u));

    hwV4x3 a = Load3(s->ax, s->ay, s->az, i);
    hwV4 volume = Load4(s->volume + i - 1) * wet0 + Load4(s->volume + i) * wet1;
    hwV4 added =
        Load4(s->inertia + i - 1) - Load4(s->mass + i - 1) + Load4(s->inertia + i) - Load4(s->mass + i);
    hwV4 along0 = 0.5 * Load4(s->inertiaAlong + i - 1) * Dot4(t0, a);
    hwV4 along1 = 0.5 * Load4(s->inertiaAlong + i) * Dot4(t1, a);
    hwV4 push = (water * volume + 0.5 * added) * Dot4(a, v) + along0 * Dot4(t0, v) + along1 * Dot4(t1, v);
    Add(&sums->fluid, mask, Dot4(drag, flow) + push);
}

static void AddNodesFluid(const hwCableWork* work, const hwCableInput* input, hwCableEnergy* energy) {
    int i = 0;
    Sums sums = {0};
    for (; i + HW_LANES <= work->nodes; i += HW_LANES) AddFourNodes(work, input, i, ALL_LANES, &sums);
    if (i < work->nodes) AddFourNodes(work, input, i, GetMask(i, work->nodes), &sums);
    AddSums(&sums, energy);
}

static void AddLumps(const hwCableWork* work, const hwCableInput* input, hwCableEnergy* energy) {
    const hwCableArrays* s = work->arrays;
    for (int i = 0; i < work->nodes; ++i) {
        hwVec3 v = GetVelocity(s, i);
        energy->kinetic += 0.5 * s->lumpInertia[i] * hwDot(v, v);
        energy->gravity += input->gravity * s->lumpMass[i] * s->pz[i];
        energy->stored += input->gravity * s->lumpMass[i] * v.z;
    }
    if (!s->fluid) return;
    for (int k = 0; k < s->lumpCount; ++k) {
        const hwCableLump* lump = &work->model->lumps[s->lump[k]];
        double radius = hwMax(lump->radius, 1e-6);
        double share[2] = {1.0 - s->lumpFraction[k], s->lumpFraction[k]};
        for (int side = 0; side < 2; ++side) {
            int i = s->lumpElement[k] + side;
            double stillDepth = input->surface - s->pz[i];
            double wet = hwWetFraction(s->depth[i], radius), stillWet = hwWetFraction(stillDepth, radius);
            double water = share[side] * input->waterDensity;
            double drag =
                0.5 * lump->dragArea * (water * wet + share[side] * (1.0 - wet) * input->airDensity);
            hwVec3 v = GetVelocity(s, i), fluid = hwMakeVec3(s->ux[i], s->uy[i], s->uz[i]),
                   u = hwSub(fluid, v);
            hwVec3 a = hwMakeVec3(s->ax[i], s->ay[i], s->az[i]);
            double speed = hwLength(u);
            hwWetElement still = hwWetElement_Make(stillDepth, stillDepth, radius);
            double weight = water * input->gravity * lump->volume;
            energy->gravity += weight * still.integral;
            energy->stored -= weight * stillWet * v.z;
            energy->drag += drag * speed * speed * speed;
            energy->fluid += drag * speed * hwDot(u, fluid) + weight * (wet - stillWet) * v.z +
                             water * wet * (lump->volume + lump->addedVolume) * hwDot(a, v);
            double rise = fabs(s->depth[i]) < radius ? 0.5 / radius : 0.0;
            energy->turning -= 0.5 * water * lump->addedVolume * rise * v.z * hwDot(v, v);
        }
    }
}

static hwVec3 GetEndDirection(const hwCableWork* work, int end) {
    return hwTangent(work->arrays, end == 0 ? 0 : work->nodes - 2);
}

// GetBendEnergy and GetBendRate of the joints between elements, four at a time. A direction a turns with (d - (a.d) a) / l, d being
// the velocities of its element's ends apart: of that only the part along the other direction b counts.
static void AddJoints(const hwCableWork* work, bool energies, hwCableEnergy* energy) {
    const hwCableArrays* s = work->arrays;
    int last = work->nodes - 1;
    hwV4 bending = {0}, stored = {0};
    for (int i = 1; i < last; i += HW_LANES) {
        hwM4 mask = GetMask(i, last);
        hwV4x3 a = Load3(s->tx, s->ty, s->tz, i - 1), b = Load3(s->tx, s->ty, s->tz, i);
        hwV4x3 v = Load3(s->vx, s->vy, s->vz, i);
        hwV4x3 before = Sub4(v, Load3(s->vx, s->vy, s->vz, i - 1)),
               after = Sub4(Load3(s->vx, s->vy, s->vz, i + 1), v);
        hwV4 cosine = Dot4(a, b), open = 1.0 + cosine, stiffness = Load4(s->bend + i);
        hwV4 turn = Load4(s->lengthInverse + i - 1) * (Dot4(before, b) - Dot4(before, a) * cosine) +
                    Load4(s->lengthInverse + i) * (Dot4(after, a) - Dot4(after, b) * cosine);
        hwV4 least = Select4(open > HW_FOLD, open, Set4(HW_FOLD)), inverse = 1.0 / least;
        hwV4 beyond = 4.0 * inverse * inverse;
        if (energies)
            Add(&bending, mask, stiffness * (2.0 * (2.0 - least) * inverse + beyond * (least - open)));
        Add(&stored, mask, -stiffness * beyond * turn);
    }
    energy->bending += Total(bending);
    energy->stored += Total(stored);
}

static void AddBending(const hwCableWork* work, bool energies, hwCableEnergy* energy) {
    const hwCableArrays* s = work->arrays;
    int last = work->nodes - 1;
    AddJoints(work, energies, energy);
    for (int i = 1; i < last && work->model->locks; ++i) energy->bending += hwCableLock_GetEnergy(work, i);
    energy->damping += s->bendDissipation;
    energy->stored += work->twist * s->twistStiffness * s->twistRate;
    energy->torsion += 0.5 * work->twist * work->twist * s->twistStiffness;
    energy->damping += s->twistDamping * s->twistRate * s->twistRate;
    for (int end = 0; end < 2; ++end) {
        const hwCableEnd* held = &work->input.ends[end];
        if (held->kind == HW_CABLE_CLAMP) {
            hwVec3 direction = GetEndDirection(work, end), turn = GetTurnRate(s, end == 0 ? 0 : last - 1);
            energy->bending += s->clampBend[end] * GetBendEnergy(held->tangent, direction);
            if (work->model->locks) energy->bending += hwCableLock_GetClampEnergy(work, end);
            energy->stored += s->clampBend[end] *
                              GetBendRate(held->tangent, direction, hwCross(held->rate, held->tangent), turn);
        }
    }
}

// Energy of bending and torsion per metre paid out at an end. Stiffness B = 1/compliance changes with the boundary
// element's length: dB/dr = -B^2 d(compliance)/dr.
static double GetBendCost(const hwCableWork* work, int end) {
    const hwCableArrays* s = work->arrays;
    const hwCableEnd* held = &work->input.ends[end];
    int last = work->nodes - 1, e = end == 0 ? 0 : last - 1, joint = end == 0 ? 1 : last - 1;
    double loosen = s->bendStiffness[e] > 0.0 ? 0.5 / s->bendStiffness[e] : 0.0, cost = 0.0;
    if (held->kind == HW_CABLE_CLAMP) {
        double shape = GetBendEnergy(held->tangent, GetEndDirection(work, end));
        double bend = work->model->locks ? s->clampFree[end] : s->clampBend[end];
        cost -= bend * bend * loosen * shape;
        if (work->model->locks) cost += hwCableLock_GetClampCost(work, end);
    }
    if (last > 1) {
        double shape = GetBendEnergy(hwTangent(s, joint - 1), hwTangent(s, joint));
        double bend = work->model->locks ? s->bendFree[joint] : s->bend[joint];
        cost -= bend * bend * loosen * shape;
        if (work->model->locks) cost += hwCableLock_GetCost(work, joint);
    }
    if (s->twistStiffness > 0.0) {
        double twist = work->twist * s->twistStiffness;
        cost -= 0.5 * twist * twist * s->twistCompliance[e] * s->restInverse[e];
    }
    return cost;
}

// Energy needed per metre paid out at an end while the nodes stay, but for inertia: what the material brings along of
// height and stretch, less the pull of the element.
static double GetPayoutCost(const hwCableWork* work, int end, double* pull) {
    const hwCableArrays* s = work->arrays;
    const hwCableInput* input = &work->input;
    int e = end == 0 ? 0 : work->nodes - 2;
    double stretch = (work->length[e] - s->relief[e]) * s->restInverse[e];
    // a behavioural link's own is counted with its energy
    *pull = work->tension[e] * stretch;
    double cost = work->model->pid.on ? 0.0 : GetStretchEnergy(s, e, stretch) - *pull;
    cost += 0.5 * input->gravity * s->mass[e] * s->restInverse[e] * (s->pz[e] + s->pz[e + 1]);
    if (s->fluid) {
        hwWetElement still =
            hwWetElement_Make(input->surface - s->pz[e], input->surface - s->pz[e + 1], s->radius[e]);
        cost += input->gravity * input->waterDensity * s->volume[e] * s->restInverse[e] * still.integral;
    }
    return s->wide ? cost + GetBendCost(work, end) : cost;
}

double hwCableWork_GetLumpEnergy(const hwCableWork* work, int lump, int i) {
    const hwCableArrays* s = work->arrays;
    const hwCableInput* input = &work->input;
    const hwCableLump* model = &work->model->lumps[lump];
    hwVec3 v = GetVelocity(s, i);
    double inertia = model->mass, potential = input->gravity * model->mass * s->pz[i];
    if (s->fluid) {
        double radius = hwMax(model->radius, 1e-6), depth = input->surface - s->pz[i];
        inertia += input->waterDensity * hwWetFraction(s->depth[i], radius) * model->addedVolume;
        potential += input->waterDensity * input->gravity * model->volume *
                     hwWetElement_Make(depth, depth, radius).integral;
    }
    return 0.5 * inertia * hwDot(v, v) + potential;
}

// Lumps in the boundary element keep their material coordinate: as it grows at `end`, they go over from node to node.
static double GetLumpCost(const hwCableWork* work, int end) {
    const hwCableArrays* s = work->arrays;
    int e = end == 0 ? 0 : work->nodes - 2;
    double cost = 0.0;
    for (int k = 0; k < s->lumpCount; ++k) {
        if (s->lumpElement[k] != e) continue;
        double outer = hwCableWork_GetLumpEnergy(work, s->lump[k], end == 0 ? e : e + 1);
        double inner = hwCableWork_GetLumpEnergy(work, s->lump[k], end == 0 ? e + 1 : e);
        cost +=
            s->restInverse[e] * (end == 0 ? 1.0 - s->lumpFraction[k] : s->lumpFraction[k]) * (inner - outer);
    }
    return cost;
}

// The mass flux forces of AddPayout in evaluate.c.
static void AddPayout(const hwCableWork* work, hwCableEnergy* energy) {
    const hwCableArrays* s = work->arrays;
    for (int end = 0; end < 2; ++end) {
        double rate = work->input.ends[end].payout, acceleration = work->input.ends[end].acceleration;
        if (rate == 0.0 && acceleration == 0.0) continue;
        int e = end == 0 ? 0 : work->nodes - 2;
        hwVec3 v0 = GetVelocity(s, end == 0 ? 0 : work->nodes - 1),
               v1 = GetVelocity(s, end == 0 ? 1 : work->nodes - 2);
        double quadratic = GetQuadratic(v0, v1, hwTangent(s, e), s->inertia[e], s->inertiaAlong[e]);
        double pull, cost = GetPayoutCost(work, end, &pull) + 0.5 * s->restInverse[e] * quadratic;
        if (work->model->lumpCount > 0) cost += GetLumpCost(work, end);
        energy->payoutEnd[end] += rate * cost;
        energy->stored += rate * (cost + pull - GetElasticPull(s, e, work->length[e]));
        hwVec3 into = hwScale((end == 0 ? 1.0 : -1.0) * work->length[e] * s->restInverse[e], hwTangent(s, e));
        // the other end of a single element may slide too
        hwVec3 u1 = work->nodes == 2 ? hwMulAdd(v1, -work->input.ends[1 - end].payout, into) : v1;
        hwVec3 flux = hwScale(HW_MASS_SHARE * s->mass[e] * s->restInverse[e] * rate,
                              hwSub(hwMulAdd(v0, rate, into), u1));
        hwVec3 kick = hwScale(-s->mass[e] * acceleration, into);
        energy->payoutEnd[end] +=
            hwDot(flux, hwAdd(v0, v1)) +
            hwDot(kick, hwAdd(hwScale(HW_MASS_SHARE, v0), hwScale(HW_MASS_COUPLING, v1)));
    }
    energy->payout += energy->payoutEnd[0] + energy->payoutEnd[1];
}

const double hwCableMassShare = HW_MASS_SHARE, hwCableMassCoupling = HW_MASS_COUPLING;

hwCableBoundary hwCableWork_GetBoundary(const hwCableWork* work, int end) {
    const hwCableArrays* s = work->arrays;
    int last = work->nodes - 1, e = end == 0 ? 0 : last - 1;
    hwCableBoundary b = {.outer = end == 0 ? 0 : last, .inner = end == 0 ? 1 : last - 1};
    b.into = hwScale(end == 0 ? 1.0 : -1.0, hwTangent(s, e));
    b.rest = s->rest[e];
    b.stretch = (work->length[e] - s->relief[e]) * s->restInverse[e];
    b.slide = work->length[e] * s->restInverse[e];
    b.mass = s->mass[e];
    b.inertia = s->inertia[e] + s->inertiaAlong[e];
    b.tension = work->tension[e];
    // as in evaluate.c: spring and dashpot give way together
    hwVec3 apart = hwSub(GetVelocity(s, e + 1), GetVelocity(s, e));
    double rate = (hwDot(hwTangent(s, e), apart) - b.stretch * s->growth[e]) * s->restInverse[e];
    double elastic = s->stiffness[e] * (b.stretch - 1.0), slope = s->stiffness[e];
    const hwCableCurve* curve = hwCableArrays_GetCurve(s, e, b.stretch - 1.0);
    if (curve != NULL) {
        hwCurvePoint point = hwCableCurve_Get(curve, slope, b.stretch - 1.0);
        elastic = point.tension;
        slope = point.slope;
    }
    double pull = elastic + s->damping[e] * rate;
    double part = pull > 0.0 ? 1.0 : s->compression[e];
    double spring = (slope - s->damping[e] * s->growth[e] * s->restInverse[e]) * b.stretch;
    double folded = s->stiffness[e] * hwFold_Make(b.stretch).slope * b.stretch;
    b.stiffness = (part * hwMax(spring + s->damping[e] * rate, 0.0) + folded) * s->restInverse[e];
    b.damping = part * s->damping[e] * b.stretch * s->restInverse[e];
    double ownPull;
    b.cost = GetPayoutCost(work, end, &ownPull);
    b.shortest = work->model->sections[end == 0 ? 0 : work->model->sectionCount - 1].minElement;
    return b;
}

// M v of one element at its first (side 0) or second node, times that node's velocity.
static double GetNodeQuadratic(const hwCableArrays* s, int e, int side) {
    hwVec3 t = hwTangent(s, e), own = GetVelocity(s, e + side), other = GetVelocity(s, e + 1 - side);
    hwVec3 mean = hwAdd(hwScale(HW_MASS_SHARE, own), hwScale(HW_MASS_COUPLING, other));
    return s->inertia[e] * hwDot(own, mean) + s->inertiaAlong[e] * hwDot(t, own) * hwDot(t, mean);
}

// Weight, buoyancy and stretch of one element.
static double GetPotential(const hwCableWork* work, const hwCableInput* input, int e) {
    const hwCableArrays* s = work->arrays;
    hwCableEnergy energy = {.gravity = 0.5 * input->gravity * s->mass[e] * (s->pz[e] + s->pz[e + 1])};
    if (s->fluid) AddCut(work, input, e, &energy);
    if (work->model->pid.on) {
        hwCablePid_AddEnergy(work, e, &energy);
    } else {
        double stretch = (work->length[e] - s->relief[e]) * s->restInverse[e];
        energy.stretch = GetStretchEnergy(s, e, stretch) * s->rest[e];
    }
    return energy.gravity + energy.stretch;
}

hwCableNodeEnergy hwCableWork_GetNodeEnergy(const hwCableWork* work, int i) {
    const hwCableArrays* s = work->arrays;
    const hwCableInput* input = &work->input;
    int last = work->nodes - 1;
    hwCableNodeEnergy node = {0};
    for (int e = i > 0 ? i - 1 : 0; e <= i && e < last; ++e) {
        node.kinetic += 0.5 * GetNodeQuadratic(s, e, i - e);
        node.potential += 0.5 * GetPotential(work, input, e);
    }
    hwVec3 v = GetVelocity(s, i);
    node.kinetic += 0.5 * s->lumpInertia[i] * hwDot(v, v);
    node.potential += input->gravity * s->lumpMass[i] * s->pz[i];
    for (int k = 0; s->fluid && k < s->lumpCount; ++k) {
        const hwCableLump* lump = &work->model->lumps[s->lump[k]];
        int e = s->lumpElement[k];
        if (i != e && i != e + 1) continue;
        double share = i == e ? 1.0 - s->lumpFraction[k] : s->lumpFraction[k],
               depth = input->surface - s->pz[i];
        hwWetElement still = hwWetElement_Make(depth, depth, hwMax(lump->radius, 1e-6));
        node.potential += share * input->waterDensity * input->gravity * lump->volume * still.integral;
    }
    if (!s->wide) return node;
    if (i > 0 && i < last) {
        node.potential += s->bend[i] * GetBendEnergy(hwTangent(s, i - 1), hwTangent(s, i));
        if (work->model->locks) node.potential += hwCableLock_GetEnergy(work, i);
    }
    int end = i == 0 ? 0 : 1;
    if ((i == 0 || i == last) && input->ends[end].kind == HW_CABLE_CLAMP) {
        node.potential +=
            s->clampBend[end] * GetBendEnergy(input->ends[end].tangent, GetEndDirection(work, end));
        if (work->model->locks) node.potential += hwCableLock_GetClampEnergy(work, end);
    }
    node.potential += 0.5 * work->twist * work->twist * s->twistStiffness / work->nodes;
    return node;
}

static hwCableEnergy Measure(const hwCableWork* work, bool energies) {
    const hwCableInput* input = &work->input;
    hwCableEnergy energy = {0};
    if (work->model->pid.on) {
        AddLinks(work, input, &energy);
    } else if (work->arrays->fluid && energies) {
        AddWetElements(work, input, &energy);
    } else if (work->arrays->fluid) {
        AddWetPowers(work, input, &energy);
    } else {
        AddDryElements(work, input, &energy);
    }
    if (work->arrays->fluid) {
        AddNodesFluid(work, input, &energy);
        if (work->arrays->splash) AddSinking(work, input, &energy);
        if (work->model->pid.on) hwCablePid_AddFrictionPower(work, &energy);
    }
    if (work->model->lumpCount > 0 || work->arrays->laden) AddLumps(work, input, &energy);
    if (work->arrays->wide) AddBending(work, energies, &energy);
    AddPayout(work, &energy);
    if (work->arrays->fades) AddFading(work, &energy);
    energy.stored += energy.turning;
    return energy;
}

hwCableEnergy hwCableWork_GetEnergy(const hwCableWork* work) {
    return Measure(work, true);
}

hwCableEnergy hwCableWork_GetPowers(const hwCableWork* work) {
    return Measure(work, false);
}
