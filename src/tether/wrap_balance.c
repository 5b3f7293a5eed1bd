// How material runs over the arcs of a wrapped tether: where its spans are, and how friction holds them.
#include "tether/wrap_update.h"

#include <string.h>

#define STEPS 25           // of Newton's method for all arcs that slip
#define TELL 1e-5          // differences of ln T that are told; what is left runs in the next step
#define LEAST_STRAIN 1e-15 // whose tension is added to all, so that each has a logarithm
#define NOTHING 1e-8 // strains of this size are the accuracy to which lengths are kept: their tension is none
#define SLIPPED 1e-3 // as near to slipping, an arc that has slipped does so yet
#define FAR_OFF 0.1  // differences of ln T by which spans change between slack and taut
#define EXACT 1e-10  // the same for the outer spans within a step
#define BALANCES 10  // rounds over all arcs

static hwVec3 ToWorld(const hwTetherSpace* space, const hwWrapCorner* corner) {
    return hwTransformPoint(space->solids[corner->solid].pose, corner->at);
}

static double GetTurn(hwVec3 u, hwVec3 v) {
    return hwAtan2(hwLength(hwCross(u, v)), hwDot(u, v));
}

void hwWrap_Place(const hwWrapSetup* setup, const hwWrapState* state, const hwVec3 ends[2],
                  const double material[2], hwWrapPath* path) {
    int n = state->count;
    bool same = path->count == n; // arcs are of the corners that they were of
    path->count = n;
    path->point[0] = ends[0];
    path->point[n + 1] = ends[1];
    for (int i = 0; i < n; ++i) {
        hwVec3 p = ToWorld(setup->space, &state->corners[i]);
        same = same && hwHaveSameBits(&p, &path->point[i + 1], sizeof(p));
        path->point[i + 1] = p;
    }
    path->spanCount = 0;
    double length = material[1] - material[0], sum = 0.0;
    for (int i = 0; i <= n; ++i) {
        bool joined = i > 0 && i < n && state->corners[i - 1].joined;
        same = same && joined == path->joined[i];
        path->joined[i] = joined;
        path->rest[i] = path->joined[i] ? hwDistance(path->point[i], path->point[i + 1]) : state->rest[i];
        sum += path->rest[i];
        if (!path->joined[i]) path->interval[path->spanCount++] = i;
        path->spanOf[i] = path->spanCount - 1;
    }
    // what was fed at end a since the last update; all else, and what arcs have grown or shrunk by, is at end b
    double fed = state->material[0] - material[0], before = state->material[1] - state->material[0];
    path->rest[0] += fed;
    path->rest[n] += length - before - fed + (before - sum);
    if (!same) memset(path->measured, 0, sizeof(path->measured));
}

static void Unmeasure(hwWrapPath* path, int k) {
    path->measured[k] = false;
    if (k > 0) path->measured[k - 1] = false;
}

static void SolveSpan(const hwWrapSetup* setup, hwWrapPath* path, int k) {
    int i = path->interval[k];
    if (hwWrapSpan_SolveAgain(setup, path->point[i], path->point[i + 1], path->rest[i], &path->span[k]))
        Unmeasure(path, k);
}

// With the material that it has now, between the points between which it was solved.
static void SetSpan(const hwWrapSetup* setup, hwWrapPath* path, int k) {
    if (hwWrapSpan_SetRest(setup, path->rest[path->interval[k]], &path->span[k])) Unmeasure(path, k);
}

// The arc behind span k: through which angle it turns, and the friction of what it lies on.
static void MeasureArc(const hwWrapSetup* setup, const hwWrapState* state, hwWrapPath* path, int k) {
    if (path->measured[k]) return;
    path->measured[k] = true;
    path->sticks[k] = false;                                         // that was found of what it was before
    int first = path->interval[k], last = path->interval[k + 1] - 1; // corners
    hwVec3 before = path->span[k].tangent[1];
    double angle = 0.0, mu = 0.0;
    for (int c = first; c <= last; ++c) {
        hwVec3 after = c == last ? path->span[k + 1].tangent[0]
                                 : hwNormalize(hwSub(path->point[c + 2], path->point[c + 1]));
        double turn = GetTurn(before, after);
        angle += turn;
        mu += turn * setup->friction[state->corners[c].solid];
        before = after;
    }
    path->angle[k] = angle;
    path->mu[k] = angle > 0.0 ? mu / angle : setup->friction[state->corners[first].solid];
}

// Tension beside arc k on the side of end a or b.
static double GetBeside(const hwWrapPath* path, int k, int side) {
    return side == 0 ? path->span[k].tension[1] : path->span[k + 1].tension[0];
}

// Arcs `first` to `last` together: material runs from the span before them to the span behind them or back, and what lies between
// keeps its length. `hold`: the logarithm of the ratio of tensions that they hold.
typedef struct Block {
    int span[2]; // beside it
    double hold, rest[2];
} Block;

static Block MeasureBlock(const hwWrapSetup* setup, const hwWrapState* state, hwWrapPath* path, int first,
                          int last) {
    double sum = 0.0;
    for (int k = first; k <= last; ++k) {
        MeasureArc(setup, state, path, k);
        sum += path->mu[k] * path->angle[k];
    }
    Block block = {{first, last + 1}, sum, {0.0, 0.0}};
    for (int s = 0; s < 2; ++s) block.rest[s] = path->rest[path->interval[block.span[s]]];
    return block;
}

// Tension beside a block on the side of end a or b.
static double GetBlockTension(const hwWrapPath* path, const Block* block, int side) {
    return path->span[block->span[side]].tension[1 - side];
}

// Excess of the tension on one side over what friction holds, as a difference of logarithms, with `moved` m of material run there
// from the other side. Tensions themselves differ by a million between a slack span and one that has just become taut.
static double GetExcess(const hwWrapSetup* setup, const hwWrapState* state, hwWrapPath* path, Block* block,
                        int high, double moved) {
    for (int s = 0; s < 2; ++s) {
        int k = block->span[s];
        path->rest[path->interval[k]] = hwFmax(block->rest[s] + (s == high ? moved : -moved), 1e-9);
        SetSpan(setup, path, k);
    }
    block->hold = MeasureBlock(setup, state, path, block->span[0], block->span[1] - 1).hold;
    double none = LEAST_STRAIN * setup->EA;
    return hwLog((GetBlockTension(path, block, high) + none) /
                 (GetBlockTension(path, block, 1 - high) + none)) -
           block->hold;
}

// Lets material run over arcs until friction holds: a root of the excess, which falls as material runs towards the higher
// tension (regula falsi after Dowell & Jarratt 1971). Returns how far it ran.
static double BalanceBlock(const hwWrapSetup* setup, const hwWrapState* state, hwWrapPath* path, int first,
                           int last) {
    Block block = MeasureBlock(setup, state, path, first, last);
    double a = GetBlockTension(path, &block, 0), b = GetBlockTension(path, &block, 1);
    int high = a > b ? 0 : 1;
    double none = LEAST_STRAIN * setup->EA, most = hwFmax(a, b), least = hwFmin(a, b);
    double low = 0.0, lowValue = hwLog((most + none) / (least + none)) - block.hold;
    double limit = block.rest[1 - high] - 1e-9;
    if (!(lowValue > TELL) || !(limit > 0.0)) return 0.0;
    // as far as the tight side alone would have it, then more
    const hwWrapSpan* tight = &path->span[block.span[high]];
    double try =
        tight->stiffness > 0.0 ? hwFmin((most - least) / tight->stiffness, 0.5 * limit) : 1e-3 * limit;
    double moved = hwFmax(try, 1e-9 * limit), value = GetExcess(setup, state, path, &block, high, moved);
    for (int n = 0; n < 60 && value > TELL && moved < limit; ++n) {
        low = moved, lowValue = value;
        moved = hwFmin(4.0 * moved, limit);
        value = GetExcess(setup, state, path, &block, high, moved);
    }
    double far = moved, farValue = value;
    int side = 0;
    bool bracketed = value < 0.0;
    for (int n = 0; n < 60 && bracketed && fabs(value) > TELL; ++n) {
        if (far - low <= 1e-13 * block.rest[high]) break;
        moved = low + (far - low) * lowValue / (lowValue - farValue);
        value = GetExcess(setup, state, path, &block, high, moved);
        if (value > 0.0) {
            low = moved, lowValue = value;
            if (side > 0) farValue *= 0.5;
            side = 1;
        } else {
            far = moved, farValue = value;
            if (side < 0) lowValue *= 0.5;
            side = -1;
        }
    }
    for (int k = first; k <= last; ++k) path->slip[k] = high == 0 ? -1 : 1;
    return moved;
}

// m/N by which the tension of a span falls with its material; shapes scale: lengthening the material is bringing the ends nearer, by
// distance over length.
static double GetCompliance(const hwWrapSpan* span) {
    double ratio = hwDistance(span->shape.a, span->shape.b) / span->rest;
    return 1.0 / hwFmax(span->stiffness * ratio, 1e-12);
}

// Slipping arcs of a path, all at once. With s_k metres run over arc k from a to b, and c_k = -d(ln T)/d(rest) of span k, the
// logarithms of the tension ratios, d_k = ln T_(k+1) - ln T_k, change by
//     c_k s_(k-1) - (c_k + c_(k+1)) s_k + c_(k+1) s_(k+1),
// a symmetric tridiagonal matrix with a dominant diagonal. An arc slips while |d_k| > mu theta_k; logarithms, for a slack span's
// tension grows without bound as it becomes taut, like 1 / sqrt(slack).
typedef struct Slipping {
    int side[HW_WRAP_SPANS]; // -1, 1: |d_k| - mu theta_k was above the tolerance, and where to material runs
    double excess[HW_WRAP_SPANS]; // |d_k| - mu theta_k, by the side if it has one
    double run[HW_WRAP_SPANS];    // m, s_k of this step
    double total[HW_WRAP_SPANS];  // and of all
    double before[HW_WRAP_SPANS]; // excess before the last step
    double gain
        [HW_WRAP_SPANS]; // of the excess over what the last step made of it: the angle changes with the lengths as well
} Slipping;

// Which arcs slip. False: a tension is next to nothing, whose logarithm says nothing. `worst`: the greatest excess.
static bool FindSlipping(const hwWrapSetup* setup, const hwWrapState* state, hwWrapPath* path, Slipping* slip,
                         double* worst) {
    *worst = 0.0;
    for (int k = 0; k + 1 < path->spanCount; ++k) {
        if (slip->side[k] == 0 && path->measured[k] && path->sticks[k]) continue;
        MeasureArc(setup, state, path, k);
        path->sticks[k] = false;
        double a = GetBeside(path, k, 0), b = GetBeside(path, k, 1);
        if (!(a > NOTHING * setup->EA && b > NOTHING * setup->EA)) return false;
        double ratio = hwLog(b / a), hold = path->mu[k] * path->angle[k];
        if (slip->side[k] == 0) {
            if (fabs(ratio) - hold > TELL) slip->side[k] = ratio > 0.0 ? 1 : -1;
        }
        slip->excess[k] = slip->side[k] * ratio - hold;
        path->sticks[k] = slip->side[k] == 0;
        if (slip->side[k] == 0) continue;
        // material that ran too far comes back, but no farther than to where it was: there friction holds it
        if (slip->excess[k] < 0.0 && slip->total[k] * slip->side[k] <= 0.0) {
            slip->side[k] = 0;
            continue;
        }
        *worst = hwFmax(*worst, fabs(slip->excess[k]));
        double done = slip->before[k] - slip->excess[k];
        bool near = fabs(slip->before[k]) < FAR_OFF && fabs(slip->excess[k]) < FAR_OFF;
        if (near && slip->before[k] != 0.0 && slip->before[k] * done > 0.0)
            slip->gain[k] = hwClamp(slip->gain[k] * slip->before[k] / done, 0.3, 3.0);
        slip->before[k] = slip->excess[k];
    }
    return true;
}

// The part of an excess that a step by slopes takes away at once. The tension of a taut span goes with its strain, that of a slack
// one with the square root of what it has too much, to the minus one: where a taut span is to give much or a slack one to take
// much up, a step by their slopes would make the taut one slack or the slack one taut, and the next one undo it.
static double TakeExcess(const hwWrapPath* path, const double* c, int k, int side, double excess) {
    double size = fabs(excess);
    if (size < FAR_OFF) return excess;
    int falls = (side > 0) == (excess > 0.0) ? k + 1 : k, rises = 2 * k + 1 - falls;
    bool first = c[falls] > c[rises]; // that which gives more
    const hwWrapSpan* its = &path->span[first ? falls : rises];
    bool slack = its->rest > hwDistance(its->shape.a, its->shape.b);
    if (slack == first) return excess;
    double power = slack ? 2.0 : 1.0;
    return copysign((1.0 - hwExp(-power * size)) / power, excess);
}

// One step of Newton's method.
static void RunSlipping(const hwWrapSetup* setup, hwWrapPath* path, Slipping* slip) {
    double c[HW_WRAP_SPANS], over[HW_WRAP_SPANS], right[HW_WRAP_SPANS];
    // arcs from the first to the last that slips, and the spans beside them
    int low = 0, high = path->spanCount - 1;
    while (low < high && slip->side[low] == 0) low += 1;
    while (high > low && slip->side[high - 1] == 0) high -= 1;
    for (int k = low; k <= high; ++k) {
        const hwWrapSpan* span = &path->span[k];
        double tension = hwFmax(0.5 * (span->tension[0] + span->tension[1]), 1e-12);
        c[k] = hwFmax(1.0 / (GetCompliance(span) * tension), 1e-9 / span->rest);
    }
    for (int k = low; k < high; ++k) { // Thomas
        over[k] = right[k] = 0.0;
        if (slip->side[k] == 0) continue;
        bool before = k > low && slip->side[k - 1] != 0, behind = k + 1 < high && slip->side[k + 1] != 0;
        double diagonal = c[k] + c[k + 1] - (before ? c[k] * over[k - 1] : 0.0);
        over[k] = behind ? c[k + 1] / diagonal : 0.0;
        double excess = TakeExcess(path, c, k, slip->side[k], slip->excess[k]);
        right[k] = (slip->side[k] * slip->gain[k] * excess + (before ? c[k] * right[k - 1] : 0.0)) / diagonal;
    }
    double share = 1.0, run = 0.0;
    for (int k = high - 1; k >= low; --k) {
        run = slip->side[k] != 0 ? right[k] + over[k] * run : 0.0;
        slip->run[k] = run;
    }
    double more[HW_WRAP_SPANS];         // m of material for each span
    for (int k = low; k <= high; ++k) { // none loses more than half of its own at once
        double rest = path->rest[path->interval[k]];
        more[k] = (k > low ? slip->run[k - 1] : 0.0) - (k < high ? slip->run[k] : 0.0);
        if (-more[k] > 0.5 * rest) share = hwFmin(share, 0.5 * rest / -more[k]);
    }
    for (int k = low; k < high; ++k) slip->total[k] += share * slip->run[k];
    for (int k = low; k <= high; ++k) {
        if (more[k] == 0.0) continue;
        path->rest[path->interval[k]] += share * more[k];
        SetSpan(setup, path, k);
    }
}

// False: no balance within some steps; lengths are then as they were.
static bool BalanceAll(const hwWrapSetup* setup, const hwWrapState* state, hwWrapPath* path) {
    double rest[HW_WRAP_SPANS], worst;
    Slipping slip;
    for (int k = 0; k < path->spanCount; ++k) {
        slip.side[k] = 0;
        slip.excess[k] = slip.run[k] = slip.total[k] = slip.before[k] = 0.0;
        slip.gain[k] = 1.0;
        rest[k] = path->rest[path->interval[k]];
    }
    for (int n = 0; n < STEPS; ++n) {
        if (!FindSlipping(setup, state, path, &slip, &worst)) break;
        if (!(worst > TELL)) {
            for (int k = 0; k + 1 < path->spanCount; ++k) path->slip[k] = slip.side[k];
            return true;
        }
        RunSlipping(setup, path, &slip);
    }
    for (int k = 0; k < path->spanCount; ++k) {
        path->rest[path->interval[k]] = rest[k];
        SetSpan(setup, path, k);
    }
    return false;
}

static void Balance(const hwWrapSetup* setup, const hwWrapState* state, hwWrapPath* path) {
    double length = 0.0;
    for (int i = 0; i <= path->count; ++i) length += path->rest[i];
    for (int k = 0; k < path->spanCount; ++k) {
        SolveSpan(setup, path, k);
        path->slip[k] = 0;
    }
    if (path->spanCount < 2 || BalanceAll(setup, state, path)) return;
    int arcs = path->spanCount - 1;
    for (int round = 0; round < BALANCES; ++round) {
        double moved = 0.0;
        // there and back, so that what is pulled at either end runs through all arcs in one round
        for (int k = 0; k < arcs; ++k) moved += BalanceBlock(setup, state, path, k, k);
        for (int k = arcs - 2; k >= 0; --k) moved += BalanceBlock(setup, state, path, k, k);
        if (!(moved > 1e-9 * length) || arcs < 2) break;
        // Arc by arc a short span between two arcs lets through its own length's share of what is needed alone: where neighbours
        // slip together material runs over all of them at once.
        for (int count = 2; count <= arcs; ++count) {
            for (int k = 0; k + count <= arcs; ++k)
                moved += BalanceBlock(setup, state, path, k, k + count - 1);
        }
    }
    for (int k = 0; k + 1 < path->spanCount; ++k) MeasureArc(setup, state, path, k);
}

void hwWrap_Solve(const hwWrapSetup* setup, const hwWrapState* state, const hwVec3 ends[2],
                  const double material[2], hwWrapPath* out) {
    hwWrap_Place(setup, state, ends, material, out);
    Balance(setup, state, out);
}

// Outer spans ---------------------------------------------------------------------------------------------------------------

void hwWrap_FindOuter(const hwWrapState* state, const hwWrapPath* path, const double material[2],
                      hwWrapOuter out[2]) {
    int last = path->spanCount - 1;
    for (int e = 0; e < 2; ++e) {
        int k = e == 0 ? 0 : last, step = e == 0 ? 1 : -1;
        out[e] = (hwWrapOuter){.rest = path->rest[path->interval[k]], .outside = material[e]};
        if (last == 0) continue;
        int arc = e == 0 ? 0 : last - 1, next = k + step;
        out[e].hold = path->mu[arc] * path->angle[arc];
        out[e].slips = path->slip[arc] != 0 || state->slip[arc] != 0;
        out[e].beyond = path->span[next].tension[e];
        // what is behind arcs that slip gives way too, by less where less tension is left of it
        double share = 1.0;
        for (int j = next;; j += step) {
            const hwWrapSpan* span = &path->span[j];
            out[e].give += share * GetCompliance(span);
            int behind = e == 0 ? j : j - 1; // the arc on its other side
            if (j + step < 0 || j + step > last || (path->slip[behind] == 0 && state->slip[behind] == 0))
                break;
            double near = span->tension[1 - e], far = path->span[j + step].tension[e];
            share *= near > 0.0 ? far / near : 1.0;
        }
    }
}

// Stiffness of an outer span with its arc slipping: dT = k (du - ds), and what is beyond gets ds of it, dT / ratio = ds / give.
static double GiveWay(const hwWrapSpan* span, const hwWrapOuter* outer, double beyond, int end) {
    double ratio = beyond > 0.0 ? span->tension[1 - end] / beyond : 1.0;
    return span->stiffness / (1.0 + span->stiffness * outer->give / ratio);
}

// The span at an end with `run` metres more, or less with side -1, than it had: by how much the logarithm of the tensions' ratio
// exceeds what friction holds, with the sign that `side` says.
static double GetOuterExcess(const hwWrapSetup* setup, const hwWrapOuter* outer, const hwWrapKey* key,
                             hwWrapSpan* span, int end, int side, double run, double* beyond) {
    double none = LEAST_STRAIN * setup->EA;
    hwWrapKey now = *key;
    now.rest = hwFmax(key->rest + side * run, 1e-9);
    hwWrapSpan_SolveKey(setup, &now, span);
    *beyond = hwFmax(outer->beyond + side * run / outer->give, 0.0);
    return side * hwLog((span->tension[1 - end] + none) / (*beyond + none)) - outer->hold;
}

// Material that runs over the arc beside an outer span until friction holds it: Newton's method between bounds, on logarithms as in
// BalanceAll, from what ran in the last evaluation. So exactly that the solver's own Newton method sees a smooth force.
static void RunOuter(const hwWrapSetup* setup, hwWrapOuter* outer, const hwWrapKey* key, hwWrapSpan* span,
                     int end) {
    double none = LEAST_STRAIN * setup->EA, beyond = outer->beyond;
    double run = 0.0, excess = -HUGE_VAL, low = 0.0, high = HUGE_VAL;
    int side = outer->side;
    bool fresh = side == 0; // begins from nothing
    if (!fresh) {
        run = outer->run;
        excess = GetOuterExcess(setup, outer, key, span, end, side, run, &beyond);
    }
    for (int n = 0; n < STEPS; ++n) {
        if (side == 0) { // from nothing
            excess = GetOuterExcess(setup, outer, key, span, end, 1, 0.0, &beyond);
            double ratio = excess + outer->hold;
            side = ratio > 0.0 ? 1 : -1;
            excess = side * ratio - outer->hold;
            if (!(excess > TELL)) {
                run = 0.0;
                side = 0;
                break;
            }
            run = low = 0.0;
            high = HUGE_VAL;
        }
        if (fabs(excess) <= EXACT) break;
        // into the span as much as it takes, out of it no more than it has and slackens what is beyond
        double limit = side > 0 ? HUGE_VAL : hwFmin(key->rest - 1e-9, outer->beyond * outer->give);
        *(excess > 0.0 ? &low : &high) = run;
        double slope = 1.0 / (GetCompliance(span) * (span->tension[1 - end] + none)) +
                       1.0 / (outer->give * (beyond + none));
        double next = run + excess / slope;
        if (!(next > low)) {
            if (!fresh && low == 0.0) { // whether it runs at all, and where to
                side = 0;
                fresh = true;
                continue;
            }
            next = 0.5 * (low + run);
        }
        if (!(next < hwFmin(high, limit))) next = 0.5 * (run + hwFmin(high, limit));
        if (next == run || !isfinite(next)) break;
        run = next;
        excess = GetOuterExcess(setup, outer, key, span, end, side, run, &beyond);
    }
    outer->side = side;
    outer->run = run;
    outer->slip = end == 0 ? -side : side;
    outer->left = span->rest;
    bool gives = side != 0 || (outer->slips && excess > -SLIPPED);
    outer->along = gives ? GiveWay(span, outer, beyond, end) : span->stiffness;
}

void hwWrap_SolveOuter(const hwWrapSetup* setup, hwWrapOuter outer[2], const hwVec3 ends[2],
                       const double material[2], hwWrapPath* path, double along[2]) {
    int last = path->spanCount - 1;
    path->point[0] = ends[0];
    path->point[path->count + 1] = ends[1];
    double fed[2] = {outer[0].outside - material[0], material[1] - outer[1].outside};
    for (int e = 0; e < 2; ++e) {
        int k = e == 0 ? 0 : last, i = path->interval[k];
        double rest = outer[e].rest + fed[e] + (last == 0 ? fed[1 - e] : 0.0);
        if (last == 0) {
            path->rest[i] = rest;
            SolveSpan(setup, path, k);
            along[e] = path->span[k].stiffness;
            continue;
        }
        hwWrapKey key = hwWrapSpan_MakeKey(setup, path->point[i], path->point[i + 1], rest);
        if (!hwWrapKey_IsSame(&outer[e].key, &key)) {
            outer[e].key = key;
            RunOuter(setup, &outer[e], &key, &path->span[k], e);
            Unmeasure(path, k);
        }
        path->rest[i] = outer[e].left;
        path->slip[e == 0 ? 0 : k - 1] = outer[e].slip;
        along[e] = outer[e].along;
    }
}

// Reading -------------------------------------------------------------------------------------------------------------------

#define TOGETHER 32 // points of a span that are asked for at once

void hwWrapPath_GetPoints(const hwWrapPath* path, int count, const double* s, hwVec3* out, double* tension) {
    int i = 0, k = 0, j = 0;
    double start = 0.0; // of interval i
    while (j < count) {
        while (i < path->count && s[j] - start > path->rest[i]) {
            start += path->rest[i];
            k += !path->joined[i];
            i += 1;
        }
        if (path->joined[i]) {
            double share = path->rest[i] > 0.0 ? hwClamp((s[j] - start) / path->rest[i], 0.0, 1.0) : 0.0;
            out[j] = hwWrap_Between(path->point[i], path->point[i + 1], share);
            tension[j++] =
                0.5 * (GetBeside(path, k - 1, 0) + GetBeside(path, k - 1, 1)); // of those beside it
            continue;
        }
        const hwWrapSpan* span = &path->span[k];
        double share[TOGETHER];
        int n = 0;
        for (; n < TOGETHER && j + n < count; ++n) {
            if (n > 0 && i < path->count && s[j + n] - start > path->rest[i]) break;
            share[n] = hwClamp((s[j + n] - start) / span->rest, 0.0, 1.0);
        }
        hwWrapSpan_GetPoints(span, n, share, out + j);
        for (int m = 0; m < n; ++m) tension[j + m] = hwWrapSpan_GetTension(span, share[m], out[j + m]);
        j += n;
    }
}

hwVec3 hwWrapPath_GetPoint(const hwWrapPath* path, double s, double* tension) {
    hwVec3 p;
    double unused;
    hwWrapPath_GetPoints(path, 1, &s, &p, tension != NULL ? tension : &unused);
    return p;
}

double hwWrapPath_GetAngle(const hwWrapPath* path) {
    double sum = 0.0;
    for (int k = 0; k + 1 < path->spanCount; ++k) sum += path->angle[k];
    return sum;
}
