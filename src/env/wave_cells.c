#include "env/wave_cells.h"

#include "env/kernels.h"

#include <math.h>
#include <string.h>

// Sizes. At the depth d waves with k = 2/d matter most: shorter ones do not reach it, longer ones vary less. Half a cell's
// diagonal is r = 0.11 d: Taylor's remainder (k r)^3 / 6 is 2e-3 of these waves there, which are e^-2 of what they are at the
// surface. Hermite's remainder in time is (omega D)^4 / 384, 1e-3 of the same with omega D = 0.8, and for accelerations
// (omega D)^3 / 125, 4e-3. The height of the surface lacks the waves that do not reach the cell: it moves the profile of
// those that do by much less than their length.
#define CELLS_PER_DEPTH 8.0
#define TURN_PER_SLOT 0.8
#define SQRT_TWICE_GRAVITY 4.4294469180700204
#define FARTHEST 1e12 // cells: beyond, places are not resolved

// Weights ------------------------------------------------------------------------------------------------------------------

void hwWaveWeights_Layout(hwWaves* waves, hwArena* arena, const hwEnvironmentDef* def) {
    waves->weights = NULL;
    if (waves->count < HW_CELL_WAVES || def->exactWaves) return;
    hwWaveWeights* w = HW_TAKE(arena, hwWaveWeights, 1);
    hwWaveWeights sizes;
    hwWaveWeights* fill = w != NULL ? w : &sizes;
    double** arrays[] = {&fill->xx,  &fill->xy,  &fill->yy,  &fill->xz,  &fill->yz,  &fill->xxx,
                         &fill->xxy, &fill->xyy, &fill->yyy, &fill->xxz, &fill->xyz, &fill->yyz,
                         &fill->one, &fill->kxx, &fill->kxy, &fill->kyy};
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
        *arrays[i] = HW_TAKE(arena, double, waves->padded);
    }
    waves->weights = w;
}

void hwWaveWeights_Fill(hwWaves* waves) {
    hwWaveWeights* w = waves->weights;
    if (w == NULL) return;
    double square = 0.0; // hs is four times the root of half of it
    for (int i = 0; i < waves->count; i++) square += waves->amplitude[i] * waves->amplitude[i];
    w->depth = hwFmax(HW_CELL_DEPTH, 4.0 * sqrt(0.5 * square));
    for (int i = 0; i < waves->count; i++) {
        double k = waves->k[i], kx = waves->kx[i], ky = waves->ky[i];
        double fx = waves->fx[i], fy = waves->fy[i], fz = waves->fz[i];
        w->xx[i] = fx * kx;
        w->xy[i] = fx * ky;
        w->yy[i] = fy * ky;
        w->xz[i] = fx * k;
        w->yz[i] = fy * k;
        w->xxx[i] = fx * kx * kx;
        w->xxy[i] = fx * kx * ky;
        w->xyy[i] = fx * ky * ky;
        w->yyy[i] = fy * ky * ky;
        w->xxz[i] = fz * kx * kx;
        w->xyz[i] = fz * kx * ky;
        w->yyz[i] = fz * ky * ky;
        w->one[i] = 1.0;
        w->kxx[i] = kx * kx;
        w->kxy[i] = kx * ky;
        w->kyy[i] = ky * ky;
    }
}

// Sums ---------------------------------------------------------------------------------------------------------------------

static double AddLanes(const double lanes[HW_WAVE_LANES], double sign) {
    double sum = 0.0;
    for (int l = 0; l < HW_WAVE_LANES; l++) sum += lanes[l];
    return sign * sum;
}

// Sums of products of x with two or three lists, each by lanes: see HW_WAVE_LANES. More at once do not fit into the registers.
static void DotTwo(int count, const double* restrict x, const double* restrict a, const double* restrict b,
                   double sign, double* out) {
    double first[HW_WAVE_LANES] = {0.0}, second[HW_WAVE_LANES] = {0.0};
    for (int i = 0; i < count; i += HW_WAVE_LANES) {
        for (int l = 0; l < HW_WAVE_LANES; l++) {
            first[l] = hwTimesPlus(a[i + l], x[i + l], first[l]);
            second[l] = hwTimesPlus(b[i + l], x[i + l], second[l]);
        }
    }
    out[0] = AddLanes(first, sign);
    out[1] = AddLanes(second, sign);
}

static void DotThree(int count, const double* restrict x, const double* restrict a, const double* restrict b,
                     const double* restrict c, double sign, double* out) {
    double first[HW_WAVE_LANES] = {0.0}, second[HW_WAVE_LANES] = {0.0}, third[HW_WAVE_LANES] = {0.0};
    for (int i = 0; i < count; i += HW_WAVE_LANES) {
        for (int l = 0; l < HW_WAVE_LANES; l++) {
            first[l] = hwTimesPlus(a[i + l], x[i + l], first[l]);
            second[l] = hwTimesPlus(b[i + l], x[i + l], second[l]);
            third[l] = hwTimesPlus(c[i + l], x[i + l], third[l]);
        }
    }
    out[0] = AddLanes(first, sign);
    out[1] = AddLanes(second, sign);
    out[2] = AddLanes(third, sign);
}

static void MultiplyLists(int count, const double* restrict a, const double* restrict b,
                          double* restrict out) {
    for (int i = 0; i < count; i++) out[i] = a[i] * b[i];
}

// A sea's harmonics at one place and time. Derivatives multiply by i k in the horizontal, by k in the vertical, which
// exchanges the two profiles, and by -i omega in time.
typedef struct Phases {
    _Alignas(64) double cosine[HW_MAX_WAVES];
    double sine[HW_MAX_WAVES];
    double cosineRate[HW_MAX_WAVES]; // omega cosine: minus the rate of sine
    double sineRate[HW_MAX_WAVES];   // omega sine: the rate of cosine
} Phases;

static void FindPhases(const hwWaves* waves, int count, double x, double y, double time, Phases* phases) {
    hwWaves_MapPhases(waves, count, x, y, time, phases->cosine, phases->sine);
    MultiplyLists(count, waves->omega, phases->cosine, phases->cosineRate);
    MultiplyLists(count, waves->omega, phases->sine, phases->sineRate);
}

// Height, then slopes, then second derivatives, which come with a minus.
static void SumSurface(const hwWaves* waves, int count, const Phases* p, double* values, double* rates) {
    const hwWaveWeights* w = waves->weights;
    double value[2], rate[2];
    DotTwo(count, p->cosine, w->one, w->kxx, 1.0, value);
    DotTwo(count, p->sineRate, w->one, w->kxx, 1.0, rate);
    DotTwo(count, p->sine, waves->kx, waves->ky, -1.0, values + 1);
    DotTwo(count, p->cosineRate, waves->kx, waves->ky, 1.0, rates + 1);
    DotTwo(count, p->cosine, w->kxy, w->kyy, -1.0, values + 4);
    DotTwo(count, p->sineRate, w->kxy, w->kyy, -1.0, rates + 4);
    values[0] = value[0], values[3] = -value[1];
    rates[0] = rate[0], rates[3] = -rate[1];
}

// The sums that go with cosines across the vertical: x is across times cosine for values, its rate for rates. Likewise the
// next three, where the rate of a sine is minus omega times its cosine.
static void SumAcrossCosine(const hwWaves* waves, int count, const double* x, double* out) {
    const hwWaveWeights* w = waves->weights;
    DotTwo(count, x, waves->fx, waves->fy, 1.0, out);
    DotTwo(count, x, w->xxx, w->xxy, -1.0, out + 8);
    DotTwo(count, x, w->xyy, w->yyy, -1.0, out + 10);
}

static void SumAlongSine(const hwWaves* waves, int count, const double* x, double sign, double* out) {
    const hwWaveWeights* w = waves->weights;
    double sums[2];
    DotTwo(count, x, waves->fz, w->xxz, sign, sums);
    DotTwo(count, x, w->xyz, w->yyz, -sign, out + 13);
    out[2] = sums[0];
    out[12] = -sums[1];
}

static void SumAcrossSine(const hwWaves* waves, int count, const double* x, double sign, double* out) {
    const hwWaveWeights* w = waves->weights;
    DotThree(count, x, w->xx, w->xy, w->yy, -sign, out + 3);
}

static void SumAlongCosine(const hwWaves* waves, int count, const double* x, double* out) {
    const hwWaveWeights* w = waves->weights;
    DotTwo(count, x, w->xz, w->yz, 1.0, out + 6);
}

static void SumFlow(const hwWaves* waves, int count, double z, const Phases* p, double* values,
                    double* rates) {
    double across[HW_MAX_WAVES], along[HW_MAX_WAVES], x[HW_MAX_WAVES];
    memset(values, 0, HW_CELL_TERMS * sizeof(double));
    memset(rates, 0, HW_CELL_TERMS * sizeof(double));
    if (count <= 0) return;
    hwWaves_MapDecay(waves, count, z, across, along);
    MultiplyLists(count, across, p->cosine, x);
    SumAcrossCosine(waves, count, x, values);
    MultiplyLists(count, across, p->sineRate, x);
    SumAcrossCosine(waves, count, x, rates);
    MultiplyLists(count, along, p->sine, x);
    SumAlongSine(waves, count, x, 1.0, values);
    MultiplyLists(count, along, p->cosineRate, x);
    SumAlongSine(waves, count, x, -1.0, rates);
    MultiplyLists(count, across, p->sine, x);
    SumAcrossSine(waves, count, x, 1.0, values);
    MultiplyLists(count, across, p->cosineRate, x);
    SumAcrossSine(waves, count, x, -1.0, rates);
    MultiplyLists(count, along, p->cosine, x);
    SumAlongCosine(waves, count, x, values);
    MultiplyLists(count, along, p->sineRate, x);
    SumAlongCosine(waves, count, x, rates);
}

// Lattices -----------------------------------------------------------------------------------------------------------------

typedef struct Lattice {
    double depth;      // m, least of the level
    double size, slot; // m, of a cell; s
    double perM, perS; // their inverses
} Lattice;

// omega = sqrt(2 g / d) in slots of TURN_PER_SLOT, with g = 9.81: where gravity is another, slots are as long.
static Lattice GetLattice(int level) {
    double depth = hwFromBits((uint64_t)(level + 1023) << 52);       // 2^level
    double root = hwFromBits((uint64_t)((level >> 1) + 1023) << 52); // of it, but for sqrt 2
    double slot = (level & 1 ? 1.4142135623730951 : 1.0) * root * (TURN_PER_SLOT / SQRT_TWICE_GRAVITY);
    Lattice lattice = {depth, depth / CELLS_PER_DEPTH, slot, CELLS_PER_DEPTH / depth, 1.0 / slot};
    return lattice;
}

bool hwWaves_HasCell(const hwWaves* waves, hwVec3 point) {
    const double far = FARTHEST * HW_CELL_DEPTH / CELLS_PER_DEPTH;
    return waves->weights != NULL && point.z <= -waves->weights->depth && point.z > -far &&
           fabs(point.x) < far && fabs(point.y) < far;
}

static double GetMiddle(int64_t index, double size) {
    return ((double)index + 0.5) * size;
}

static int64_t FindIndex(double place, double inverse) {
    return (int64_t)floor(place * inverse);
}

static bool IsNear(double place, int64_t index, double size) {
    return fabs(place - GetMiddle(index, size)) <= size;
}

// Hermite's polynomials --------------------------------------------------------------------------------------------------------

// The cubic through both values with both rates, by powers of the share of the slot.
static void FindCubics(hwWaveCell* cell, int first, int last, double slot) {
    const double *v0 = cell->value[0], *v1 = cell->value[1], *r0 = cell->rate[0], *r1 = cell->rate[1];
    for (int i = first; i < last; i++) {
        double gain = v1[i] - v0[i], start = slot * r0[i], end = slot * r1[i];
        cell->cubic[0][i] = v0[i];
        cell->cubic[1][i] = start;
        cell->cubic[2][i] = 3.0 * gain - (2.0 * start + end);
        cell->cubic[3][i] = (start + end) - 2.0 * gain;
    }
}

// Values at a share of the slot, and their rates.
static void BlendCell(const hwWaveCell* cell, int first, int count, double share, double perS,
                      double* restrict value, double* restrict rate) {
    const double* restrict c0 = cell->cubic[0] + first, * restrict c1 = cell->cubic[1] + first;
    const double* restrict c2 = cell->cubic[2] + first, * restrict c3 = cell->cubic[3] + first;
    double three = 3.0 * share;
    for (int i = 0; i < count; i++) {
        double high = hwTimesPlus(c3[i], share, c2[i]);
        value[i] = hwTimesPlus(hwTimesPlus(high, share, c1[i]), share, c0[i]);
        double slope = hwTimesPlus(hwTimesPlus(c3[i], three, 2.0 * c2[i]), share, c1[i]);
        rate[i] = slope * perS;
    }
}

// Velocity, or its rate, at d from the middle.
static hwVec3 ExpandTaylor(const double* m, hwVec3 d) {
    double zz = -(m[3] + m[5]), xzz = -(m[8] + m[10]), yzz = -(m[9] + m[11]), zzz = -(m[12] + m[14]);
    double xx = 0.5 * d.x * d.x, yy = 0.5 * d.y * d.y, up = 0.5 * d.z * d.z;
    double xy = d.x * d.y, xz = d.x * d.z, yz = d.y * d.z;
    return hwMakeVec3(m[0] + (m[3] * d.x + m[4] * d.y + m[6] * d.z) +
                          (m[8] * xx + m[9] * xy + m[10] * yy + m[12] * xz + m[13] * yz + xzz * up),
                      m[1] + (m[4] * d.x + m[5] * d.y + m[7] * d.z) +
                          (m[9] * xx + m[10] * xy + m[11] * yy + m[13] * xz + m[14] * yz + yzz * up),
                      m[2] + (m[6] * d.x + m[7] * d.y + zz * d.z) +
                          (m[12] * xx + m[13] * xy + m[14] * yy + xzz * xz + yzz * yz + zzz * up));
}

// Both of a cell's surface or flow, once for all points at a time.
static void BlendAt(hwWaveCell* cell, const Lattice* lattice, double time, bool flow) {
    if (cell->time != time) cell->blendedSurface = cell->blendedFlow = false;
    cell->time = time;
    bool* blended = flow ? &cell->blendedFlow : &cell->blendedSurface;
    if (*blended) return;
    *blended = true;
    double share = (time - (double)cell->slot * lattice->slot) * lattice->perS;
    int first = flow ? HW_SURFACE_TERMS : 0;
    BlendCell(cell, first, flow ? HW_CELL_TERMS : HW_SURFACE_TERMS, share, lattice->perS, cell->blend + first,
              cell->blendRate + first);
}

// Sampling -----------------------------------------------------------------------------------------------------------------

// The sums of the two times of the cell, of which the one that the last slot ended with may be there already.
static void FillCell(hwWaveCell* cell, const hwWaves* waves, const Lattice* lattice, bool surface, bool flow,
                     int first) {
    int count = hwWaves_CountReaching(waves, -lattice->depth);
    double x = GetMiddle(cell->x, lattice->size), y = GetMiddle(cell->y, lattice->size);
    double z = GetMiddle(cell->z, lattice->size);
    int reaching = flow ? hwWaves_CountReaching(waves, z) : 0;
    for (int e = first; e < 2; e++) {
        Phases phases;
        FindPhases(waves, surface ? count : reaching, x, y, (double)(cell->slot + e) * lattice->slot,
                   &phases);
        if (surface) SumSurface(waves, count, &phases, cell->value[e], cell->rate[e]);
        if (!flow) continue;
        SumFlow(waves, reaching < count ? reaching : count, z, &phases, cell->value[e] + HW_SURFACE_TERMS,
                cell->rate[e] + HW_SURFACE_TERMS);
    }
    FindCubics(cell, surface ? 0 : HW_SURFACE_TERMS, flow ? HW_CELL_ALL : HW_SURFACE_TERMS, lattice->slot);
    if (surface) cell->blendedSurface = false;
    cell->blendedFlow = false;
}

#define NEIGHBOURS 2 // on either side

// One of the neighbours in the list that holds the same surface as a cell; null: none. `flow`: the flow at the same height, too.
static const hwWaveCell* FindLike(const hwWaveCell* cell, hwCellList list, bool flow) {
    for (int k = -NEIGHBOURS; k <= NEIGHBOURS; k++) {
        const hwWaveCell* other = cell + k;
        if (k == 0 || other < list.first || other >= list.end) continue;
        bool like = other->level == cell->level && other->x == cell->x && other->y == cell->y &&
                    other->slot == cell->slot;
        if (like && (!flow || (other->hasFlow && other->z == cell->z))) return other;
    }
    return NULL;
}

// Of the terms from `first` on.
static void CopyTerms(hwWaveCell* cell, const hwWaveCell* from, int first, int count) {
    size_t bytes = (size_t)count * sizeof(double);
    for (int e = 0; e < 2; e++) {
        memcpy(cell->value[e] + first, from->value[e] + first, bytes);
        memcpy(cell->rate[e] + first, from->rate[e] + first, bytes);
    }
    for (int k = 0; k < 4; k++) memcpy(cell->cubic[k] + first, from->cubic[k] + first, bytes);
}

static void EnterCell(hwWaveCell* cell, hwCellList list, const hwWaves* waves, const Lattice* lattice,
                      int level, int64_t x, int64_t y, int64_t slot) {
    bool here = cell->level == level && cell->x == x && cell->y == y;
    if (here && cell->slot == slot) return;
    bool next = here && cell->slot + 1 == slot;
    if (next) {
        memcpy(cell->value[0], cell->value[1], sizeof(cell->value[0]));
        memcpy(cell->rate[0], cell->rate[1], sizeof(cell->rate[0]));
    }
    cell->level = level;
    cell->x = x;
    cell->y = y;
    cell->slot = slot;
    cell->hasFlow = next && cell->hasFlow;
    const hwWaveCell* like = next ? NULL : FindLike(cell, list, false);
    if (like != NULL) {
        CopyTerms(cell, like, 0, HW_SURFACE_TERMS);
        cell->blendedSurface = cell->blendedFlow = false;
        return;
    }
    FillCell(cell, waves, lattice, true, cell->hasFlow, next ? 1 : 0);
}

static int GetLevel(hwVec3 point) {
    return (int)(hwBitsOf(-point.z) >> 52) - 1023;
}

// Elevation by the second-order series of the surface's terms.
static double ExpandSurface(const double* s, double x, double y) {
    return s[0] + (s[1] * x + s[2] * y) + (0.5 * s[3] * x * x + s[4] * x * y + 0.5 * s[5] * y * y);
}

// The height that the flow is that of.
static double StretchCell(hwWaveCell* cell, const hwWaves* waves, const Lattice* lattice, hwVec3 point,
                          double time, double growth, bool flat) {
    BlendAt(cell, lattice, time, false);
    double elevation = ExpandSurface(cell->blend, point.x - GetMiddle(cell->x, lattice->size),
                                     point.y - GetMiddle(cell->y, lattice->size));
    return hwWaves_Stretch(waves->depth, point.z, flat ? 0.0 : growth * elevation);
}

hwWaveCell* hwWaveCell_Find(hwWaveCell* own, hwWaveCell* before, const hwWaves* waves, hwVec3 point,
                            double time, double growth, bool flat, bool same) {
    if (same) {
        hwWaveCell* cell = own + own->lent;
        if (cell == own || cell->level <= 0) return own;
        Lattice lattice = GetLattice(cell->level);
        bool near = cell->slot == FindIndex(time, lattice.perS) && cell->hasFlow &&
                    IsNear(point.x, cell->x, lattice.size) && IsNear(point.y, cell->y, lattice.size);
        if (near &&
            IsNear(StretchCell(cell, waves, &lattice, point, time, growth, flat), cell->z, lattice.size))
            return cell;
        own->lent = 0;
        return own;
    }
    own->lent = 0;
    if (before == NULL || before->level != GetLevel(point) || !before->hasFlow) return own;
    Lattice lattice = GetLattice(before->level);
    if (before->slot != FindIndex(time, lattice.perS) || before->x != FindIndex(point.x, lattice.perM) ||
        before->y != FindIndex(point.y, lattice.perM))
        return own;
    double stretched = StretchCell(before, waves, &lattice, point, time, growth, flat);
    if (before->z != FindIndex(stretched, lattice.perM)) return own;
    own->lent = (int)(before - own);
    return before;
}

// Has the cell hold the sea at `point`; returns the height that the flow there is that of.
static double HoldCell(hwWaveCell* cell, hwCellList list, const hwWaves* waves, hwVec3 point, double time,
                       double growth, bool flat, bool same, Lattice* lattice) {
    int level = same && cell->level > 0 ? cell->level : GetLevel(point);
    *lattice = GetLattice(level);
    int64_t x = FindIndex(point.x, lattice->perM), y = FindIndex(point.y, lattice->perM);
    int64_t slot = FindIndex(time, lattice->perS);
    same = same && cell->level == level && cell->slot == slot && IsNear(point.x, cell->x, lattice->size) &&
           IsNear(point.y, cell->y, lattice->size);
    EnterCell(cell, list, waves, lattice, level, same ? cell->x : x, same ? cell->y : y, slot);
    double stretched = StretchCell(cell, waves, lattice, point, time, growth, flat);
    int64_t z = FindIndex(stretched, lattice->perM);
    if (!cell->hasFlow || (cell->z != z && !(same && IsNear(stretched, cell->z, lattice->size)))) {
        cell->z = z;
        cell->hasFlow = true;
        const hwWaveCell* like = FindLike(cell, list, true);
        if (like != NULL) {
            CopyTerms(cell, like, HW_SURFACE_TERMS, HW_CELL_TERMS);
            cell->blendedFlow = false;
        } else {
            FillCell(cell, waves, lattice, false, true, 0);
        }
    }
    return stretched;
}

void hwWaveCell_Hold(hwWaveCell* cell, hwCellList list, const hwWaves* waves, hwVec3 point, double time,
                     double growth, bool flat) {
    Lattice lattice;
    cell->lent = 0;
    HoldCell(cell, list, waves, point, time, growth, flat, false, &lattice);
}

void hwWaveCell_Sample(hwWaveCell* cell, hwCellList list, const hwWaves* waves, hwVec3 point, double time,
                       double growth, bool flat, bool same, hwCellSample* out) {
    Lattice lattice;
    double stretched = HoldCell(cell, list, waves, point, time, growth, flat, same, &lattice);
    hwVec3 d =
        hwMakeVec3(point.x - GetMiddle(cell->x, lattice.size), point.y - GetMiddle(cell->y, lattice.size),
                   stretched - GetMiddle(cell->z, lattice.size));
    const double *s = cell->blend, *rates = cell->blendRate;
    out->elevation = ExpandSurface(s, d.x, d.y);
    out->rate = ExpandSurface(rates, d.x, d.y);
    out->slopeX = s[1] + s[3] * d.x + s[4] * d.y;
    out->slopeY = s[2] + s[4] * d.x + s[5] * d.y;
    BlendAt(cell, &lattice, time, true);
    out->velocity = ExpandTaylor(s + HW_SURFACE_TERMS, d);
    out->acceleration = ExpandTaylor(rates + HW_SURFACE_TERMS, d);
}

// Four at once -------------------------------------------------------------------------------------------------------------

static hwV4 ExpandSurfaces(const double* s, hwV4 x, hwV4 y) {
    return s[0] + (s[1] * x + s[2] * y) + (0.5 * s[3] * x * x + s[4] * x * y + 0.5 * s[5] * y * y);
}

static hwV4x3 ExpandFour(const double* m, hwV4x3 d) {
    double zz = -(m[3] + m[5]), xzz = -(m[8] + m[10]), yzz = -(m[9] + m[11]), zzz = -(m[12] + m[14]);
    hwV4 xx = 0.5 * d.x * d.x, yy = 0.5 * d.y * d.y, up = 0.5 * d.z * d.z;
    hwV4 xy = d.x * d.y, xz = d.x * d.z, yz = d.y * d.z;
    hwV4x3 v = {m[0] + (m[3] * d.x + m[4] * d.y + m[6] * d.z) +
                    (m[8] * xx + m[9] * xy + m[10] * yy + m[12] * xz + m[13] * yz + xzz * up),
                m[1] + (m[4] * d.x + m[5] * d.y + m[7] * d.z) +
                    (m[9] * xx + m[10] * xy + m[11] * yy + m[13] * xz + m[14] * yz + yzz * up),
                m[2] + (m[6] * d.x + m[7] * d.y + zz * d.z) +
                    (m[12] * xx + m[13] * xy + m[14] * yy + xzz * xz + yzz * yz + zzz * up)};
    return v;
}

// hwWaves_Stretch.
static hwV4 StretchFour(double depth, hwV4 z, hwV4 elevation) {
    hwV4 stretched = z - elevation;
    if (isfinite(depth)) {
        hwV4 total = depth + elevation;
        stretched = Select4(total > 0.0, stretched * depth / total, Set4(-depth));
        stretched = Select4(stretched < -depth, Set4(-depth), stretched);
    }
    return Select4(stretched < 0.0, stretched, Set4(0.0));
}

// Whether floor(place) is the index.
static hwM4 IsIn(hwV4 place, int64_t index) {
    double low = (double)index;
    return (place >= low) & (place < low + 1.0);
}

int hwWaveCell_SampleFour(hwWaveCell* cell, const hwWaves* waves, const hwVec3* list, double surface,
                          double time, double growth, bool flat, hwCellSamples* out) {
    hwV4x3 points = LoadVectors(&list->x);
    points.z -= surface;
    const double far = FARTHEST * HW_CELL_DEPTH / CELLS_PER_DEPTH;
    Lattice lattice = GetLattice(cell->level);
    if (!cell->hasFlow || cell->slot != FindIndex(time, lattice.perS)) return 0;
    hwV4 below = -points.z;
    hwM4 in = (below >= lattice.depth) & (below < 2.0 * lattice.depth) & (below >= waves->weights->depth) &
              (below < far) & (Abs4(points.x) < far) & (Abs4(points.y) < far) &
              IsIn(points.x * lattice.perM, cell->x) & IsIn(points.y * lattice.perM, cell->y);
    if (in[0] == 0) return 0;
    BlendAt(cell, &lattice, time, false);
    const double *s = cell->blend, *rates = cell->blendRate;
    hwV4x3 d = {points.x - GetMiddle(cell->x, lattice.size), points.y - GetMiddle(cell->y, lattice.size),
                Set4(0.0)};
    out->elevation = ExpandSurfaces(s, d.x, d.y);
    hwV4 stretched = StretchFour(waves->depth, points.z, flat ? Set4(0.0) : growth * out->elevation);
    in &= IsIn(stretched * lattice.perM, cell->z);
    int count = 0;
    while (count < HW_LANES && in[count] != 0) count++;
    if (count == 0) return 0;
    BlendAt(cell, &lattice, time, true);
    out->rate = ExpandSurfaces(rates, d.x, d.y);
    out->slopeX = s[1] + s[3] * d.x + s[4] * d.y;
    out->slopeY = s[2] + s[4] * d.x + s[5] * d.y;
    d.z = stretched - GetMiddle(cell->z, lattice.size);
    out->velocity = ExpandFour(s + HW_SURFACE_TERMS, d);
    out->acceleration = ExpandFour(rates + HW_SURFACE_TERMS, d);
    return count;
}
