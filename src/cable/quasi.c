#include "cable/quasi.h"

#include "cable/arrays.h"
#include "math/spatial.h"

#define MAX_ITERATIONS 100

static const hwMat3 g_zero;

// along u u^T + across (1 - u u^T)
static hwMat3 MakeStiffness(hwVec3 u, double along, double across) {
    double d = along - across;
    hwMat3 m = {{across + d * u.x * u.x, d * u.x * u.y, d * u.x * u.z},
                {d * u.x * u.y, across + d * u.y * u.y, d * u.y * u.z},
                {d * u.x * u.z, d * u.y * u.z, across + d * u.z * u.z}};
    return m;
}

// Columns of the inverse are cross products over the determinant.
static hwMat3 InvertMat(hwMat3 m) {
    hwVec3 yz = hwCross(m.cy, m.cz), zx = hwCross(m.cz, m.cx), xy = hwCross(m.cx, m.cy);
    double inverse = 1.0 / hwDot(m.cx, yz);
    hwMat3 rows = {hwScale(inverse, yz), hwScale(inverse, zx), hwScale(inverse, xy)};
    return hwTransposeMat3(rows);
}

// A straight elastic piece from p to x: its pull and stiffness at x.
typedef struct Piece {
    double length, tension; // m, N
    hwVec3 along;           // unit, from p to x
    hwMat3 stiffness;       // N/m
} Piece;

static Piece MakePiece(hwVec3 p, hwVec3 x, double rest, double EA, double compression) {
    hwVec3 d = hwSub(x, p);
    Piece piece = {.length = hwLength(d)};
    double strain = piece.length / rest - 1.0, share = strain > 0.0 ? 1.0 : compression;
    piece.along = piece.length > 0.0 ? hwScale(1.0 / piece.length, d) : hwMakeVec3(0.0, 0.0, -1.0);
    piece.tension = share * EA * strain;
    double across = piece.length > 0.0 ? hwMax(piece.tension, 0.0) / piece.length : 0.0;
    piece.stiffness = MakeStiffness(piece.along, share * EA / rest, across);
    return piece;
}

// Buoyancy of a straight piece of `rest` m at its two ends, N, and how it falls as both rise, N/m.
typedef struct Lift {
    double a, b, riseA, riseB;
} Lift;

static Lift GetLift(const hwQuasiDef* def, hwVec3 a, hwVec3 b, double rest) {
    if (def->lift == 0.0) return (Lift){0};
    hwWetElement wet = hwWetElement_Make(def->surface - a.z, def->surface - b.z, def->radius);
    double full = def->lift * rest;
    return (Lift){full * wet.a, full * wet.b, full * wet.riseA, full * wet.riseB};
}

static void SolveLine(hwQuasi* q) {
    const hwQuasiDef* def = &q->def;
    Piece piece = MakePiece(def->ends[0], def->ends[1], def->length, def->EA, def->compression);
    Lift lift = GetLift(def, def->ends[0], def->ends[1], def->length);
    double weight = 0.5 * def->weight * def->length;
    q->force[0] = hwMulAdd(hwMakeVec3(0.0, 0.0, lift.a - weight), piece.tension, piece.along);
    q->force[1] = hwMulAdd(hwMakeVec3(0.0, 0.0, lift.b - weight), -piece.tension, piece.along);
    q->tension[0] = q->tension[1] = piece.tension;
    q->aa = q->bb = piece.stiffness;
    q->aa.cz.z += lift.riseA;
    q->bb.cz.z += lift.riseB;
    q->ab = hwMulAddMat3(g_zero, -1.0, piece.stiffness);
    q->bend = hwScale(0.5, hwAdd(def->ends[0], def->ends[1]));
}

// The lowest point (in the direction `down`) that is not farther than `half` from both ends; between them when they are
// farther apart than that allows.
static hwVec3 FindLowest(const hwQuasiDef* def, double half, hwVec3 down) {
    hwVec3 a = def->ends[0], b = def->ends[1], d = hwSub(b, a);
    hwVec3 middle = hwScale(0.5, hwAdd(a, b));
    double apart = hwLength(d);
    if (apart >= 2.0 * half) return middle;
    bool aIsHigher = hwDot(a, down) < hwDot(b, down);
    hwVec3 below = hwMulAdd(aIsHigher ? a : b, half, down);
    if (hwDistance(below, aIsHigher ? b : a) <= half) return below;
    hwVec3 t = hwScale(1.0 / apart, d);
    hwVec3 across = hwNormalize(hwMulAdd(down, -hwDot(down, t), t));
    return hwMulAdd(middle, sqrt(half * half - 0.25 * apart * apart), across);
}

double hwQuasi_GetMeanWeight(const hwQuasiDef* def) {
    if (def->lift == 0.0) return def->weight;
    hwVec3 a = def->ends[def->held[0] ? 0 : 1], b = def->ends[def->held[1] ? 1 : 0];
    bool hangs = def->held[0] != def->held[1];
    if (hangs) b.z -= def->length;
    bool bellied = !hangs && def->weight >= def->lift;
    hwVec3 middle =
        bellied ? FindLowest(def, 0.5 * def->length, hwMakeVec3(0.0, 0.0, -1.0)) : hwScale(0.5, hwAdd(a, b));
    Lift one = GetLift(def, a, middle, 0.5), two = GetLift(def, middle, b, 0.5);
    return def->weight - (one.a + one.b + two.a + two.b);
}

double hwQuasi_GetHeight(const hwQuasiDef* def, double za, double zb) {
    double height = 0.5 * def->weight * (za + zb);
    if (def->lift == 0.0) return height;
    return height + def->lift * hwWetElement_Make(def->surface - za, def->surface - zb, def->radius).integral;
}

// The halves of a V, and what acts where they meet: its height counts only when it is `free` (1, else 0).
typedef struct Bend {
    Piece pieces[2];
    Lift lifts[2];
    hwVec3 left; // N, of weight, buoyancy and the pull of the halves
} Bend;

static Bend MakeBend(const hwQuasi* q, double free) {
    const hwQuasiDef* def = &q->def;
    double half = 0.5 * def->length;
    Bend bend = {.left = {0.0, 0.0, -def->weight * half}};
    for (int k = 0; k < 2; ++k) {
        bend.pieces[k] = MakePiece(def->ends[k], q->bend, half, def->EA, 0.0);
        bend.lifts[k] = GetLift(def, def->ends[k], q->bend, half);
        bend.left = hwMulAdd(bend.left, -bend.pieces[k].tension, bend.pieces[k].along);
        bend.left.z += bend.lifts[k].b;
    }
    bend.left.z *= free;
    return bend;
}

// Of the bend, with a little more where slack halves leave directions without it.
static hwMat3 GetBendStiffness(const hwQuasiDef* def, const Bend* bend) {
    double spare = 1e-9 * def->EA / (0.5 * def->length);
    hwMat3 sum = hwMulAddMat3(bend->pieces[0].stiffness, 1.0, bend->pieces[1].stiffness);
    sum.cz.z += bend->lifts[0].riseB + bend->lifts[1].riseB;
    return hwMulAddMat3(sum, 1.0, MakeStiffness(hwMakeVec3(0.0, 0.0, 1.0), spare, spare));
}

// Moves along a step until the slope of the energy has fallen to half or reversed by no more than that; a whole step may
// have changed it less. The energy is convex, but where a half goes taut or gets wet its slope bends sharply: short of that
// the next step would be as wrong, so the search goes on behind it, by regula falsi (Dowell & Jarratt 1971).
static double SearchBend(hwQuasi* q, double free, hwVec3 step, Bend* bend) {
    hwVec3 from = q->bend;
    double start = hwDot(bend->left, step), part = 1.0, low = 0.0, lowSlope = start, high = 1.0,
           highSlope = 0.0;
    int lastSide = 0;
    for (int trial = 0; trial < 60; ++trial) {
        q->bend = hwMulAdd(from, part, step);
        *bend = MakeBend(q, free);
        double slope = hwDot(bend->left, step);
        int side = slope >= -0.5 * start ? -1 : 1;
        if (side < 0 && (trial == 0 || slope <= 0.5 * start)) break;
        if (side < 0) {
            low = part, lowSlope = slope;
            if (lastSide < 0) highSlope *= 0.5;
        } else {
            high = part, highSlope = slope;
            if (lastSide > 0) lowSlope *= 0.5;
        }
        lastSide = side;
        part = low + (high - low) * lowSlope / (lowSlope - highSlope);
    }
    return part;
}

// Newton's method on the energy of the bend. `free` is 1, or 0 where the bend lies on the bottom and stays at its height.
static Bend SolveBend(hwQuasi* q, double free) {
    const hwQuasiDef* def = &q->def;
    double half = 0.5 * def->length;
    Bend bend = MakeBend(q, free);
    for (int i = 0; i < MAX_ITERATIONS; ++i) {
        hwVec3 r = bend.left;
        double scale = fabs(def->weight) * half + bend.pieces[0].tension + bend.pieces[1].tension;
        if (hwLength(r) <= 1e-12 * scale) break;
        hwMat3 hessian = GetBendStiffness(def, &bend);
        if (free == 0.0) hessian.cz = hwMakeVec3(0.0, 0.0, 1.0);
        hwVec3 step = hwMulMV(InvertMat(hessian), r);
        step.z *= free;
        double size = hwLength(step);
        if (size > half) step = hwScale(half / size, step);
        double part = SearchBend(q, free, step, &bend);
        if (part * size <= 1e-15 * half) break;
    }
    return bend;
}

// Weight and buoyancy of the bend at a height, N, upwards: it only falls as the bend rises.
static double GetLoad(const hwQuasiDef* def, double z) {
    double half = 0.5 * def->length, load = -def->weight * half;
    for (int k = 0; k < 2; ++k) load += GetLift(def, def->ends[k], hwMakeVec3(0.0, 0.0, z), half).b;
    return load;
}

// Where the bend is when the halves hardly stretch: at the lowest or the highest place that they reach, or where it floats
// between them. Newton's method would creep along the sphere that a stiff half allows.
static hwVec3 FindBend(const hwQuasiDef* def) {
    // stretched a little, so that the tensions that will be there give stiffness from the beginning
    double half = 0.5 * def->length, heaviest = hwMax(fabs(def->weight), fabs(def->weight - def->lift));
    double stretched = half * (1.0 + heaviest * half / def->EA);
    hwVec3 low = FindLowest(def, stretched, hwMakeVec3(0.0, 0.0, -1.0));
    if (GetLoad(def, low.z) <= 0.0) return low;
    hwVec3 high = FindLowest(def, stretched, hwMakeVec3(0.0, 0.0, 1.0));
    if (GetLoad(def, high.z) >= 0.0) return high;
    double below = 0.0, above = 1.0;
    for (int i = 0; i < 60; ++i) {
        double part = 0.5 * (below + above);
        *(GetLoad(def, low.z + part * (high.z - low.z)) > 0.0 ? &below : &above) = part;
    }
    return hwMulAdd(low, below, hwSub(high, low));
}

static void SolveVee(hwQuasi* q) {
    const hwQuasiDef* def = &q->def;
    double half = 0.5 * def->length, mean = hwQuasi_GetMeanWeight(def);
    q->bend = FindBend(def);
    Bend bend = SolveBend(q, 1.0);
    bool lies = def->hasFloor && mean >= 0.0 && q->bend.z < def->floor;
    if (lies) {
        q->bend = hwScale(0.5, hwAdd(def->ends[0], def->ends[1]));
        q->bend.z = def->floor;
        bend = SolveBend(q, 0.0);
    }
    // what Newton's method left of the bend's equilibrium is shared, so that the ends together carry the weight and no more
    for (int k = 0; k < 2; ++k) {
        hwVec3 share = hwScale(0.5, bend.left);
        share.z += bend.lifts[k].a - 0.5 * def->weight * half;
        q->force[k] = hwMulAdd(share, bend.pieces[k].tension, bend.pieces[k].along);
        q->tension[k] = bend.pieces[k].tension;
    }
    // the bend follows the ends: eliminate it
    hwMat3 a = bend.pieces[0].stiffness, b = bend.pieces[1].stiffness, hessian = GetBendStiffness(def, &bend);
    hwMat3 follow = InvertMat(hessian);
    if (lies) {
        hessian.cz = hwMakeVec3(0.0, 0.0, 1.0);
        hessian.cx.z = hessian.cy.z = 0.0;
        follow = InvertMat(hessian);
        follow.cz = hwVec3_zero;
    }
    q->aa = hwMulAddMat3(a, -1.0, hwMulMM(a, hwMulMM(follow, a)));
    q->bb = hwMulAddMat3(b, -1.0, hwMulMM(b, hwMulMM(follow, b)));
    q->ab = hwMulAddMat3(g_zero, -1.0, hwMulMM(a, hwMulMM(follow, b)));
    q->aa.cz.z += bend.lifts[0].riseA;
    q->bb.cz.z += bend.lifts[1].riseA;
}

static hwStatus SolveCatenary(hwQuasi* q, hwError* error) {
    const hwQuasiDef* def = &q->def;
    hwCatenaryDef catenary = {.a = def->ends[0],
                              .b = def->ends[1],
                              .length = def->length,
                              .weight = hwQuasi_GetMeanWeight(def),
                              .EA = def->EA,
                              .hasFloor = def->hasFloor,
                              .floor = def->floor,
                              .friction = def->friction};
    hwStatus status = hwCatenary_Solve(&catenary, &q->catenary, error);
    if (status != HW_OK) return status;
    q->force[0] = q->catenary.forceA;
    q->force[1] = q->catenary.forceB;
    q->aa = q->bb = q->catenary.stiffness;
    q->ab = hwMulAddMat3(g_zero, -1.0, q->catenary.stiffness);
    return HW_OK;
}

// How far a line hangs down from its held end before it lies in a heap.
static double GetHang(const hwQuasiDef* def, hwVec3 from) {
    if (!def->hasFloor || hwQuasi_GetMeanWeight(def) < 0.0) return def->length;
    return hwClamp(from.z - def->floor, 0.0, def->length);
}

hwStatus hwQuasi_Solve(const hwQuasiDef* def, hwQuasi* out, hwError* error) {
    memset(out, 0, sizeof(*out));
    out->def = *def;
    bool finite = isfinite(def->weight) && isfinite(def->length) && isfinite(def->EA);
    for (int k = 0; k < 2; ++k) finite = finite && (!def->held[k] || hwIsFiniteVec3(def->ends[k]));
    if (!finite || !(def->length > 0.0) || !(def->EA > 0.0)) {
        return hwFail(error, HW_ERROR_NUMERIC, NULL, "a cable of %g m with EA = %g N has no shape",
                      def->length, def->EA);
    }
    if (def->held[0] != def->held[1]) {
        int end = def->held[0] ? 0 : 1;
        out->force[end].z = -hwQuasi_GetMeanWeight(def) * GetHang(def, def->ends[end]);
        return HW_OK;
    }
    if (!def->held[0]) return HW_OK;
    if (def->kind == HW_QUASI_CATENARY) return SolveCatenary(out, error);
    if (def->kind == HW_QUASI_VEE) {
        SolveVee(out);
    } else {
        SolveLine(out);
    }
    return HW_OK;
}

hwVec3 hwQuasi_GetPoint(const hwQuasi* q, double s, double* tension) {
    const hwQuasiDef* def = &q->def;
    if (def->held[0] != def->held[1]) {
        int end = def->held[0] ? 0 : 1;
        double away = end == 0 ? s : def->length - s, hang = GetHang(def, def->ends[end]);
        double weight = hwQuasi_GetMeanWeight(def), sign = weight < 0.0 ? -1.0 : 1.0;
        *tension = fabs(weight) * hwMax(hang - away, 0.0);
        return hwMulAdd(def->ends[end], -sign * hwMin(away, hang), hwMakeVec3(0.0, 0.0, 1.0));
    }
    if (def->kind == HW_QUASI_CURVE) {
        hwVec3 p;
        q->curveFn(q->curve, 1, &s, &p, tension);
        return p;
    }
    if (def->kind == HW_QUASI_CATENARY) return hwCatenary_GetPoint(&q->catenary, s, NULL, tension);
    double at = 2.0 * s / def->length;
    int half = at < 1.0 ? 0 : 1;
    *tension = q->tension[half];
    hwVec3 from = half == 0 ? def->ends[0] : q->bend, to = half == 0 ? q->bend : def->ends[1];
    return hwMulAdd(from, at - half, hwSub(to, from));
}

// Gauss's formula of order ten on [0, 1].
static const double g_places[5] = {0.04691007703066802, 0.23076534494715845, 0.5, 0.76923465505284155,
                                   0.95308992296933198};
static const double g_weights[5] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                    0.23931433524968324, 0.11846344252809454};

// Between the places where a catenary begins or ends to lie, and its lowest point, where a slack one turns sharply.
static void IntegrateCatenary(const hwQuasi* q, double* height, double* stretch) {
    const hwCatenary* c = &q->catenary;
    double end = q->def.length, cuts[4] = {0.0, end, end, end};
    int count = 1;
    if (c->grounded) {
        cuts[1] = c->hangA;
        cuts[2] = c->hangA + c->lies;
        count = 3;
    } else if (c->verticalA < 0.0 && c->verticalB > 0.0) {
        cuts[1] = hwMin(-c->verticalA / c->weight, end);
        count = 2;
    }
    for (int k = 0; k < count; ++k) {
        double from = cuts[k], way = cuts[k + 1] - from;
        for (int i = 0; i < 5 && way > 0.0; ++i) {
            double tension, z = hwCatenary_GetPoint(c, from + g_places[i] * way, NULL, &tension).z;
            *height += g_weights[i] * way * hwQuasi_GetHeight(&q->def, z, z);
            *stretch += g_weights[i] * way * 0.5 * tension * tension / q->def.EA;
        }
    }
}

void hwQuasi_GetEnergy(const hwQuasi* q, double* height, double* stretch) {
    const hwQuasiDef* def = &q->def;
    *height = *stretch = 0.0;
    if (!def->held[0] || !def->held[1] || def->kind == HW_QUASI_CURVE) return;
    if (def->kind == HW_QUASI_CATENARY) {
        IntegrateCatenary(q, height, stretch);
        return;
    }
    bool line = def->kind == HW_QUASI_LINE;
    double rest = line ? def->length : 0.5 * def->length;
    for (int k = 0; k < (line ? 1 : 2); ++k) {
        double share = q->tension[k] < 0.0 ? hwMax(def->compression, 1e-12) : 1.0;
        *height += rest * hwQuasi_GetHeight(def, def->ends[k].z, line ? def->ends[1].z : q->bend.z);
        *stretch += rest * 0.5 * q->tension[k] * q->tension[k] / (share * def->EA);
    }
}

#define TOGETHER 32 // elements of a curve that are asked for at once

// Nodes and tensions of elements along a curve, both in one walk.
static void ShowCurve(const hwQuasi* q, const hwCableState* state, hwCableWork* work) {
    int last = work->nodes - 1;
    double start = state->material[0];
    for (int from = 0; from < last; from += TOGETHER) {
        int count = last - from < TOGETHER ? last - from : TOGETHER;
        double at[2 * TOGETHER], tension[2 * TOGETHER];
        hwVec3 points[2 * TOGETHER];
        for (int e = 0; e < count; ++e) {
            double a = state->material[from + e], b = state->material[from + e + 1];
            at[2 * e] = 0.5 * (a + b) - start;
            at[2 * e + 1] = b - start;
        }
        q->curveFn(q->curve, 2 * count, at, points, tension);
        for (int e = 0; e < count; ++e) {
            work->tension[from + e] = tension[2 * e];
            if (from + e + 1 < last) state->position[from + e + 1] = points[2 * e + 1];
        }
    }
}

void hwQuasi_Show(const hwQuasi* q, const hwCableState* state, hwCableWork* work) {
    hwCableArrays* s = work->arrays;
    const hwQuasiDef* def = &q->def;
    int last = work->nodes - 1;
    double start = state->material[0];
    bool held = def->held[0] || def->held[1];
    hwVec3 ends[2] = {state->velocity[0], state->velocity[last]};
    if (!def->held[0]) ends[0] = def->held[1] ? ends[1] : hwVec3_zero;
    if (!def->held[1]) ends[1] = def->held[0] ? ends[0] : hwVec3_zero;
    bool curve = def->kind == HW_QUASI_CURVE && def->held[0] && def->held[1];
    if (curve) ShowCurve(q, state, work);
    for (int i = 0; i <= last; ++i) {
        double at = state->material[i] - start, part = at / def->length, tension;
        bool end = (i == 0 && def->held[0]) || (i == last && def->held[1]);
        // one that nothing holds stays where it is
        if (held && !end && !curve) state->position[i] = hwQuasi_GetPoint(q, at, &tension);
        if (!end) state->velocity[i] = hwAdd(hwScale(1.0 - part, ends[0]), hwScale(part, ends[1]));
    }
    for (int e = 0; e < last; ++e) {
        hwVec3 d = hwSub(state->position[e + 1], state->position[e]);
        hwVec3 t = hwNormalize(d);
        s->rest[e] = state->material[e + 1] - state->material[e];
        s->tx[e] = t.x;
        s->ty[e] = t.y;
        s->tz[e] = t.z;
        work->length[e] = hwLength(d);
        if (!held) work->tension[e] = 0.0;
        if (held && !curve)
            hwQuasi_GetPoint(q, 0.5 * (state->material[e] + state->material[e + 1]) - start,
                             &work->tension[e]);
    }
    memset(work->force, 0, (size_t)work->nodes * sizeof(hwVec3));
    work->twist = work->torque = 0.0;
    work->moment[0] = work->moment[1] = hwVec3_zero;
}
