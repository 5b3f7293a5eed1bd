// Wrapped tethers: how material runs over arcs, and how corners come, slide and go.
//
// Whatever changes the path is a sweep: the curve before and the curve after bound a strip of triangles, and a corner is put
// where the strip first meets a solid. So nothing is passed through, however far the ends have moved, and the path stays in
// its homotopy class.
#include "tether/wrap.h"

#include <string.h>

// Corners are a radius off a surface. What is between them may be this share of it nearer, so that chords of a curvature
// radius rho are up to sqrt(4 radius rho) long.
#define NEARER 0.5
#define SLIDING 0.25     // and as near while corners slide, so that chords as long as that are not held by it
#define MERGE 0.3        // corners that are nearer to each other are one
#define DIPPED 0.4       // chords of arcs that are nearer get a corner more
#define WEDGES 12         // steps to where a crotch is as wide as the tether
#define WEDGED 0.05      // and as near in a crotch
#define LEAST_SLIDE 0.05 // shares of the radius: by less than this nothing slides
#define STILL 0.02       // and a span that has moved by less since its curve was seen to be free is there yet
#define CHANGES 200      // corners that come and go in one update
#define STEPS 25         // of Newton's method for all arcs that slip
#define TELL 1e-5        // differences of ln T that are told; what is left runs in the next step
#define LEAST_STRAIN 1e-15 // whose tension is added to all, so that each has a logarithm
#define NOTHING 1e-8 // strains of this size are the accuracy to which lengths are kept: their tension is none
#define SLIDES 8     // rounds of sliding in one update
#define BALANCES 10  // rounds over all arcs
#define BESIDE 2.0   // radii: nearer to a corner along a span, what is in its way is what the corner lies on
#define MOST_BESIDE 16.0           // and no more than this
#define TURNS 16                   // of spans about corners in one update
#define BAND 4                     // pieces of a strip that are looked at together first
#define STRIP 192                  // points of a curve at most
#define JOINED 96                  // a curve of more is swept before another is joined to it
#define FINE (2 * HW_WRAP_SAMPLES) // and one of more gets no points between those that it has

// Points of a free span, with their shares of its material.
typedef struct Curve {
    hwWrapKey
        key; // of the span whose samples these are and nothing else; unknown: it has been cut, joined or moved
    int count;
    double share[STRIP];
    hwVec3 point[STRIP];
} Curve;

struct hwWrapWork {
    // where spans were when it was last seen that nothing is in the way, those of intervals that have changed included
    Curve curve[HW_WRAP_SPANS];
    Curve left, right;
};

size_t hwWrapWork_GetSize(void) {
    return sizeof(hwWrapWork);
}

static hwVec3 ToWorld(const hwTetherSpace* space, const hwWrapCorner* corner) {
    return hwTransformPoint(space->solids[corner->solid].pose, corner->at);
}

static hwVec3 ToSolid(const hwTetherSpace* space, int solid, hwVec3 p) {
    return hwInvTransformPoint(space->solids[solid].pose, p);
}

static hwVec3 GetNormal(const hwWrapSetup* setup, const hwWrapCorner* corner) {
    return hwRotate(setup->space->solids[corner->solid].pose.q, corner->normal);
}

static double GetTurn(hwVec3 u, hwVec3 v) {
    return hwAtan2(hwLength(hwCross(u, v)), hwDot(u, v));
}

// The path --------------------------------------------------------------------------------------------------------------

static void PlacePath(const hwWrapSetup* setup, const hwWrapState* state, const hwVec3 ends[2],
                      const double material[2], hwWrapPath* path) {
    int n = state->count;
    bool same = path->count == n; // arcs are of the corners that they were of
    path->count = n;
    path->point[0] = ends[0];
    path->point[n + 1] = ends[1];
    for (int i = 0; i < n; ++i) {
        hwVec3 p = ToWorld(setup->space, &state->corners[i]);
        same = same && memcmp(&p, &path->point[i + 1], sizeof(p)) == 0;
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

static void SolveSpan(const hwWrapSetup* setup, hwWrapPath* path, int k) {
    int i = path->interval[k];
    if (!hwWrapSpan_SolveAgain(setup, path->point[i], path->point[i + 1], path->rest[i], &path->span[k]))
        return;
    path->measured[k] = false;
    if (k > 0) path->measured[k - 1] = false;
}

// The arc behind span k: through which angle it turns, and the friction of what it lies on.
static void MeasureArc(const hwWrapSetup* setup, const hwWrapState* state, hwWrapPath* path, int k) {
    if (path->measured[k]) return;
    path->measured[k] = true;
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
        SolveSpan(setup, path, k);
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
        if (slip->before[k] != 0.0 && slip->before[k] * done > 0.0)
            slip->gain[k] = hwClamp(slip->gain[k] * slip->before[k] / done, 0.3, 3.0);
        slip->before[k] = slip->excess[k];
    }
    return true;
}

// One step of Newton's method.
static void RunSlipping(const hwWrapSetup* setup, hwWrapPath* path, Slipping* slip) {
    double c[HW_WRAP_SPANS], over[HW_WRAP_SPANS], right[HW_WRAP_SPANS];
    int spans = path->spanCount;
    for (int k = 0; k < spans; ++k) {
        const hwWrapSpan* span = &path->span[k];
        double tension = hwFmax(0.5 * (span->tension[0] + span->tension[1]), 1e-12);
        // shapes scale: lengthening the material is bringing the ends nearer, by distance over length
        double ratio = hwDistance(span->shape.a, span->shape.b) / span->rest;
        c[k] = hwFmax(span->stiffness * ratio / tension, 1e-9 / span->rest);
    }
    for (int k = 0; k + 1 < spans; ++k) { // Thomas
        over[k] = right[k] = 0.0;
        if (slip->side[k] == 0) continue;
        bool before = k > 0 && slip->side[k - 1] != 0, behind = k + 2 < spans && slip->side[k + 1] != 0;
        double diagonal = c[k] + c[k + 1] - (before ? c[k] * over[k - 1] : 0.0);
        over[k] = behind ? c[k + 1] / diagonal : 0.0;
        right[k] = (slip->side[k] * slip->gain[k] * slip->excess[k] + (before ? c[k] * right[k - 1] : 0.0)) /
                   diagonal;
    }
    double share = 1.0, run = 0.0;
    for (int k = spans - 2; k >= 0; --k) {
        run = slip->side[k] != 0 ? right[k] + over[k] * run : 0.0;
        slip->run[k] = run;
    }
    for (int k = 0; k < spans; ++k) { // no span loses more than half of its material at once
        double rest = path->rest[path->interval[k]];
        double more = (k > 0 ? slip->run[k - 1] : 0.0) - (k + 1 < spans ? slip->run[k] : 0.0);
        if (-more > 0.5 * rest) share = hwFmin(share, 0.5 * rest / -more);
    }
    for (int k = 0; k + 1 < spans; ++k) slip->total[k] += share * slip->run[k];
    for (int k = 0; k < spans; ++k) {
        double more = (k > 0 ? slip->run[k - 1] : 0.0) - (k + 1 < spans ? slip->run[k] : 0.0);
        if (more == 0.0) continue;
        path->rest[path->interval[k]] += share * more;
        SolveSpan(setup, path, k);
    }
}

// False: no balance within some steps; lengths are then as they were.
static bool BalanceAll(const hwWrapSetup* setup, const hwWrapState* state, hwWrapPath* path) {
    double rest[HW_WRAP_SPANS], worst;
    Slipping slip = {0};
    for (int k = 0; k < HW_WRAP_SPANS; ++k) slip.gain[k] = 1.0;
    for (int k = 0; k < path->spanCount; ++k) rest[k] = path->rest[path->interval[k]];
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
        SolveSpan(setup, path, k);
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
    PlacePath(setup, state, ends, material, out);
    Balance(setup, state, out);
}

hwVec3 hwWrapPath_GetPoint(const hwWrapPath* path, double s, double* tension) {
    int k = 0;
    for (int i = 0; i <= path->count; ++i) {
        bool free = !path->joined[i];
        if (s <= path->rest[i] || i == path->count) {
            if (free) return hwWrapSpan_GetPoint(&path->span[k], s, tension);
            double share = path->rest[i] > 0.0 ? hwClamp(s / path->rest[i], 0.0, 1.0) : 0.0;
            // between those beside the arc
            if (tension != NULL) *tension = 0.5 * (GetBeside(path, k - 1, 0) + GetBeside(path, k - 1, 1));
            return hwMulAdd(path->point[i], share, hwSub(path->point[i + 1], path->point[i]));
        }
        s -= path->rest[i];
        k += free;
    }
    return path->point[path->count + 1];
}

double hwWrapPath_GetAngle(const hwWrapPath* path) {
    double sum = 0.0;
    for (int k = 0; k + 1 < path->spanCount; ++k) sum += path->angle[k];
    return sum;
}

// Curves ----------------------------------------------------------------------------------------------------------------

// Intervals of a span's curve: a power of two, so fine that chords leave it by a tenth of the radius, as far as there are.
static int CountSamples(const hwWrapSetup* setup, const hwWrapSpan* span) {
    const hwTetherSpan* shape = &span->shape;
    double distance = hwDistance(shape->a, shape->b), slack = shape->length - distance;
    if (shape->taut || shape->bend == HW_BEND_LINE || !(slack > 0.0)) return 1;
    // sag of an arc so much longer than its chord, an upper bound
    double sag = sqrt(0.375 * slack * (distance + slack)) + 0.5 * slack;
    int count = 1;
    while (count < HW_WRAP_SAMPLES - 1 && sag > 0.1 * setup->radius) {
        count *= 2;
        sag *= 0.25;
    }
    return count;
}

static bool IsSameKey(const hwWrapKey* a, const hwWrapKey* b) {
    return a->known != 0 && memcmp(a, b, sizeof(*a)) == 0;
}

static void LoadCurve(const hwWrapState* state, int k, Curve* out) {
    int n = state->samples[k];
    out->key = state->keys[k];
    out->count = n + 1;
    for (int j = 0; j <= n; ++j) {
        out->share[j] = (double)j / n;
        out->point[j] = state->curve[k][j];
    }
}

static void SampleCurve(const hwWrapSetup* setup, const hwWrapSpan* span, Curve* out) {
    int n = CountSamples(setup, span);
    out->key = span->key;
    out->count = n + 1;
    for (int j = 0; j <= n; ++j) {
        out->share[j] = (double)j / n;
        out->point[j] = hwWrapSpan_GetPoint(span, span->rest * j / n, NULL);
    }
    out->point[0] = span->shape.a;
    out->point[n] = span->shape.b;
}

// A curve of more than one span's samples is one that could not be swept: its span's samples are kept.
static void StoreCurve(const hwWrapSetup* setup, const hwWrapSpan* span, bool still, Curve* curve,
                       hwWrapState* state, int k) {
    if (!still) SampleCurve(setup, span, curve);
    if (IsSameKey(&state->keys[k], &curve->key)) return;
    state->samples[k] = curve->count - 1;
    state->keys[k] = curve->key;
    memcpy(state->curve[k], curve->point, (size_t)curve->count * sizeof(hwVec3));
}

// Adds a point on the curve's own chord.
static void AddPoint(Curve* curve, double share) {
    int i = 0;
    while (i + 1 < curve->count && curve->share[i + 1] <= share) i += 1;
    if (curve->share[i] == share || i + 1 >= curve->count || curve->count >= STRIP) return;
    double part = (share - curve->share[i]) / (curve->share[i + 1] - curve->share[i]);
    hwVec3 p = hwMulAdd(curve->point[i], part, hwSub(curve->point[i + 1], curve->point[i]));
    memmove(curve->point + i + 2, curve->point + i + 1, (size_t)(curve->count - i - 1) * sizeof(hwVec3));
    memmove(curve->share + i + 2, curve->share + i + 1, (size_t)(curve->count - i - 1) * sizeof(double));
    curve->point[i + 1] = p;
    curve->share[i + 1] = share;
    curve->count += 1;
    curve->key.known = 0;
}

// At shares that are multiples of 1 / n.
static void RefineCurve(Curve* curve, int n) {
    for (int j = 1; j < n && curve->count < FINE; ++j) AddPoint(curve, (double)j / n);
}

// The share of a curve within `reach` m of an end, along it.
static double FindShare(const Curve* curve, int end, double reach) {
    int last = curve->count - 1;
    for (int j = 0; j < last; ++j) {
        int from = end == 0 ? j : last - j, to = end == 0 ? j + 1 : last - j - 1;
        double length = hwDistance(curve->point[from], curve->point[to]);
        if (length >= reach) {
            double share = curve->share[from] + reach / length * (curve->share[to] - curve->share[from]);
            return end == 0 ? share : 1.0 - share;
        }
        reach -= length;
    }
    return 1.0;
}

// Changes of the path -----------------------------------------------------------------------------------------------------

typedef struct Update {
    const hwWrapSetup* setup;
    hwWrapState* state;
    hwWrapWork* work;
    hwWrapPath* path;
    hwVec3 ends[2];
    double material[2];
    int changes, turns;
    // how much of the way to where a corner, or an arc by its first, would rest it goes: less whenever it went too far
    double gain[2][HW_WRAP_CORNERS];
    int side[2][HW_WRAP_CORNERS];
    bool still[HW_WRAP_SPANS];      // spans are where their curves are
    bool busy[HW_WRAP_CORNERS];     // corners that may slide
    hwVec3 across[HW_WRAP_CORNERS]; // unit, where to
    double move[HW_WRAP_CORNERS];   // m
} Update;

// The state takes what was solved: lengths of spans as material has run.
static void Commit(Update* u) {
    hwWrapState* state = u->state;
    memcpy(state->rest, u->path->rest, (size_t)(state->count + 1) * sizeof(double));
    for (int e = 0; e < 2; ++e) {
        state->ends[e] = u->ends[e];
        state->material[e] = u->material[e];
    }
}

// Whether span k is where its curve is: the same, or nearly at its ends and quarters, between which shapes of one family do not
// leave each other by more. Its curve stays where it was, so that small moves add up until they count.
static bool IsStill(const Update* u, int k) {
    const Curve* curve = &u->work->curve[k];
    const hwWrapSpan* span = &u->path->span[k];
    if (IsSameKey(&curve->key, &span->key)) return true;
    if (curve->key.known == 0) return false;
    double limit = STILL * u->setup->radius;
    int n = curve->count - 1, stride = n >= 4 ? n / 4 : 1;
    if (hwDistance(curve->point[0], span->shape.a) > limit ||
        hwDistance(curve->point[n], span->shape.b) > limit)
        return false;
    for (int j = stride; j < n; j += stride) {
        hwVec3 p = hwWrapSpan_GetPoint(span, curve->share[j] * span->rest, NULL);
        if (hwDistance(p, curve->point[j]) > limit) return false;
    }
    return true;
}

// Corners beside spans that have changed are looked at again.
static void WakeCorners(Update* u) {
    const hwWrapPath* path = u->path;
    for (int k = 0; k < path->spanCount; ++k) {
        u->still[k] = IsStill(u, k);
        if (u->still[k]) continue;
        for (int c = path->interval[k]; c < path->count; ++c) { // the arc behind it
            u->state->corners[c].quiet = 0;
            if (!path->joined[c + 1]) break;
        }
        for (int c = path->interval[k] - 1; c >= 0; --c) { // and before it
            u->state->corners[c].quiet = 0;
            if (!path->joined[c]) break;
        }
    }
}

static void SolveAgain(Update* u) {
    hwWrap_Solve(u->setup, u->state, u->ends, u->material, u->path);
    Commit(u);
    WakeCorners(u);
    // an arc over which material ran in this update slips, although it no longer does when the rest is settled
    for (int k = 0; k < HW_WRAP_SPANS; ++k) {
        if (k + 1 >= u->path->spanCount)
            u->state->slip[k] = 0;
        else if (u->path->slip[k] != 0)
            u->state->slip[k] = u->path->slip[k];
    }
}

static int FindSpan(const hwWrapState* state, int interval) {
    int k = 0;
    for (int i = 1; i <= interval; ++i) k += !(i < state->count && state->corners[i - 1].joined);
    return k;
}

static int CountSpans(const hwWrapState* state) {
    return FindSpan(state, state->count) + 1;
}

// Whether the chord between two points lies along the surface of a solid.
static bool LiesOn(const hwWrapSetup* setup, int solid, hwVec3 a, hwVec3 b) {
    hwVec3 middle = hwScale(0.5, hwAdd(a, b));
    int nearest;
    double here = hwTetherSpace_GetClearance(setup->space, middle, 2.0 * setup->radius, &nearest, NULL);
    // one that cuts deeper is a free span yet, whose sweep finds the corners between
    return nearest == solid && here <= 1.05 * setup->radius && here >= 0.9 * NEARER * setup->radius;
}

static void CopyCurve(Curve* out, const Curve* from) {
    out->key = from->key;
    out->count = from->count;
    memcpy(out->share, from->share, (size_t)from->count * sizeof(double));
    memcpy(out->point, from->point, (size_t)from->count * sizeof(hwVec3));
}

// Whether a curve goes from one end to the other without a bight.
static bool LiesAlong(const hwWrapSetup* setup, const Curve* curve, double distance) {
    double length = 0.0;
    for (int j = 1; j < curve->count; ++j) length += hwDistance(curve->point[j - 1], curve->point[j]);
    return length <= 1.2 * distance + 4.0 * setup->radius;
}

// Splits free interval i at a corner. `part` is the share of the material before it. False: no room.
static bool InsertCorner(Update* u, int i, double part, int solid, hwVec3 p, hwVec3 normal) {
    hwWrapState* state = u->state;
    int k = FindSpan(state, i), spans = CountSpans(state), n = state->count;
    if (n >= HW_WRAP_CORNERS || spans >= HW_WRAP_SPANS) {
        state->lost += 1;
        return false;
    }
    hwVec3 before = u->path->point[i], after = u->path->point[i + 1];
    memmove(state->corners + i + 1, state->corners + i, (size_t)(n - i) * sizeof(hwWrapCorner));
    memmove(state->rest + i + 1, state->rest + i, (size_t)(n + 1 - i) * sizeof(double));
    state->count = n + 1;
    state->corners[i] = (hwWrapCorner){ToSolid(u->setup->space, solid, p),
                                       hwInvRotate(u->setup->space->solids[solid].pose.q, normal),
                                       solid,
                                       0,
                                       0,
                                       0};
    double length = state->rest[i];
    // the curve in two
    Curve *curve = u->work->curve, *left = &u->work->left, *right = &u->work->right;
    hwWrapSpan* span = u->path->span;
    const Curve* whole = &curve[k];
    left->count = right->count = 0;
    left->key.known = right->key.known = 0;
    right->share[right->count] = 0.0;
    right->point[right->count++] = p;
    for (int j = 0; j < whole->count; ++j) {
        double share = whole->share[j];
        if (share < part) {
            left->share[left->count] = share / part;
            left->point[left->count++] = whole->point[j];
        } else if (share > part && right->count < STRIP) {
            right->share[right->count] = (share - part) / (1.0 - part);
            right->point[right->count++] = whole->point[j];
        }
    }
    if (left->count == STRIP) left->count -= 1;
    left->share[left->count] = 1.0;
    left->point[left->count++] = p;
    // what is on the surface is none of its own, if it lies along it: a bight between two corners may hang round something else
    double a = hwDistance(before, p), b = hwDistance(p, after);
    bool first = i > 0 && state->corners[i - 1].solid == solid && LiesAlong(u->setup, left, a) &&
                 LiesOn(u->setup, solid, before, p);
    bool second = i < n && state->corners[i + 1].solid == solid && LiesAlong(u->setup, right, b) &&
                  LiesOn(u->setup, solid, p, after);
    state->rest[i] = part * length;
    state->rest[i + 1] = length - state->rest[i];
    // a chord has the material of its length; what it lacks comes from end b, as in PlacePath
    if (first) state->rest[i] = a, state->rest[i + 1] = hwFmax(length - a, 1e-9);
    if (second) state->rest[i + 1] = b, state->rest[i] = first ? a : hwFmax(length - b, 1e-9);
    if (i > 0) state->corners[i - 1].joined = first;
    state->corners[i].joined = second;
    int keep = !first + !second;
    memmove(curve + k + keep, curve + k + 1, (size_t)(spans - k - 1) * sizeof(Curve));
    memmove(span + k + keep, span + k + 1, (size_t)(spans - k - 1) * sizeof(hwWrapSpan));
    if (!first) CopyCurve(&curve[k], left);
    if (!second) CopyCurve(&curve[k + !first], right);
    return true;
}

// Takes corner c out and joins what is before and behind it. False: no room for one more span.
static bool RemoveCorner(Update* u, int c) {
    hwWrapState* state = u->state;
    int n = state->count, k = FindSpan(state, c), spans = CountSpans(state);
    bool before = c > 0 && state->corners[c - 1].joined, behind = state->corners[c].joined && c + 1 < n;
    double first = state->rest[c], second = state->rest[c + 1], sum = first + second;
    hwVec3 p = u->path->point[c + 1];
    Curve *curve = u->work->curve, *joined = &u->work->left;
    hwWrapSpan* span = u->path->span;
    // a chord on the surface is a curve of two points
    hwVec3 chord[2][2] = {{u->path->point[c], p}, {p, u->path->point[c + 2]}};
    double beside[2] = {0.0, 0.0}; // share of a free span whose way beside the corner was not looked at
    for (int side = 0; side < 2; ++side) {
        if (side == 0 ? before : behind) continue;
        Curve* its = &curve[k + side];
        beside[side] = hwFmin(FindShare(its, 1 - side, BESIDE * u->setup->radius), 0.5);
        AddPoint(its, side == 0 ? 1.0 - beside[side] : beside[side]);
    }
    static const double ends[2] = {0.0, 1.0};
    // shares pair the points of the curves before and after a sweep: they must rise, also along what has no material
    double part = sum > 0.0 ? hwClamp(first / sum, 1.0 / 64.0, 63.0 / 64.0) : 0.5;
    int at = before ? k + 1 : k; // where the new span is among the curves
    joined->count = 0;
    joined->key.known = 0;
    for (int side = 0; side < 2; ++side) {
        bool lies = side == 0 ? before : behind;
        const Curve* its = &curve[k + side];
        int count = lies ? 2 : its->count;
        const double* share = lies ? ends : its->share;
        const hwVec3* point = lies ? chord[side] : its->point;
        for (int j = side; j < count; ++j) {
            bool end = j == 0 || j + 1 == count;
            if (!end && (side == 0 ? share[j] > 1.0 - beside[0] : share[j] < beside[1])) continue;
            // the last point is the end whatever there is room for
            if (joined->count == STRIP - 1 && !(side == 1 && j + 1 == count)) {
                state->lost += 1;
                continue;
            }
            joined->share[joined->count] = side == 0 ? part * share[j] : part + (1.0 - part) * share[j];
            joined->point[joined->count++] = point[j];
        }
    }
    int had = !before + !behind; // free spans beside it
    if (had == 2) {
        memmove(curve + k + 1, curve + k + 2, (size_t)(spans - k - 2) * sizeof(Curve));
        memmove(span + k + 1, span + k + 2, (size_t)(spans - k - 2) * sizeof(hwWrapSpan));
    } else if (had == 0) {
        if (spans >= HW_WRAP_SPANS) return false;
        memmove(curve + at + 1, curve + at, (size_t)(spans - at) * sizeof(Curve));
        memmove(span + at + 1, span + at, (size_t)(spans - at) * sizeof(hwWrapSpan));
    }
    CopyCurve(&curve[at], joined);
    if (c > 0) state->corners[c - 1].joined = 0;
    memmove(state->corners + c, state->corners + c + 1, (size_t)(n - c - 1) * sizeof(hwWrapCorner));
    memmove(state->rest + c + 1, state->rest + c + 2, (size_t)(n - c - 1) * sizeof(double));
    state->rest[c] = sum;
    state->count = n - 1;
    return true;
}

// Sweeping ----------------------------------------------------------------------------------------------------------------

static hwVec3 Between(hwVec3 a, hwVec3 b, double part) {
    return hwMulAdd(a, part, hwSub(b, a));
}

static bool IsSpaceEmpty(const hwTetherSpace* space, const hwBox* box) {
    for (int i = 0; i < space->count; ++i) {
        if (hwBox_Overlaps(&space->solids[i].box, box)) return false;
    }
    return true;
}

// A strip between two polylines that are walked by the same shares.
typedef struct Strip {
    int count;
    const double* share;
    const hwVec3 *from, *to;
    double within[2]; // shares, between which it is looked at
    int solid;        // that is in its way alone, -1: all
} Strip;

static bool IsPieceFree(const hwWrapSetup* setup, const Strip* strip, int j, double part) {
    double radius = NEARER * setup->radius;
    hwVec3 a = strip->from[j], b = strip->from[j + 1];
    hwVec3 c = Between(a, strip->to[j], part), d = Between(b, strip->to[j + 1], part);
    if (strip->solid < 0) return hwTetherSpace_IsStripFree(setup->space, a, b, d, c, radius);
    return hwTetherSpace_IsFreeOf(setup->space, strip->solid, a, b, d, radius) &&
           hwTetherSpace_IsFreeOf(setup->space, strip->solid, a, d, c, radius);
}

// The piece of a strip that is in something's way first, and how much of the way all pieces are free to go. -1: none is.
static int FindFirst(const hwWrapSetup* setup, const Strip* strip, double* first) {
    bool clear[STRIP];
    int at = -1;
    *first = 1.0;
    for (int j = 0; j + 1 < strip->count; ++j)
        clear[j] = !(strip->share[j + 1] > strip->within[0] && strip->share[j] < strip->within[1]);
    for (int j = 0; strip->solid < 0 && j + 1 < strip->count; j += BAND) {
        int count = strip->count - j < BAND + 1 ? strip->count - j : BAND + 1;
        if (!hwTetherSpace_IsBandClear(setup->space, count, strip->from + j, strip->to + j,
                                       NEARER * setup->radius))
            continue;
        for (int i = j; i + 1 < j + count; ++i) clear[i] = true;
    }
    // pieces are warped: one that is free all of the way may not be free on a part of it, so all are looked at again
    for (int pass = 0; pass < 4; ++pass) {
        double before = *first;
        for (int j = 0; j + 1 < strip->count; ++j) {
            if (clear[j] || j == at || IsPieceFree(setup, strip, j, *first)) continue;
            double low = 0.0, high = *first;
            for (int half = 0; half < 12; ++half) {
                double part = 0.5 * (low + high);
                *(IsPieceFree(setup, strip, j, part) ? &low : &high) = part;
            }
            *first = low;
            at = j;
        }
        if (*first == before) break;
    }
    return at;
}

// The corner at which piece `at` of a strip has come to lie. False: nothing is that near.
static bool FindCorner(const hwWrapSetup* setup, const Strip* strip, int at, double first, hwVec3* corner,
                       hwVec3* normal, int* solid, double* part) {
    hwVec3 a = Between(strip->from[at], strip->to[at], first),
           b = Between(strip->from[at + 1], strip->to[at + 1], first);
    double move = hwFmax(hwDistance(strip->from[at], strip->to[at]),
                         hwDistance(strip->from[at + 1], strip->to[at + 1]));
    double place;
    // the way was halved twelve times
    double here = hwTetherSpace_GetSegmentClearance(setup->space, a, b, 1.01 * setup->radius + move / 1024.0,
                                                    &place, normal, solid);
    if (!isfinite(here)) return false;
    *corner = hwMulAdd(Between(a, b, place), setup->radius - here, *normal);
    // in a crotch a radius off both sides, where it is as wide as the tether
    for (int n = 0; n < WEDGES; ++n) {
        hwVec3 out;
        double gap = hwTetherSpace_GetClearance(setup->space, *corner, setup->radius, NULL, &out);
        if (!(gap < 0.99 * setup->radius)) break;
        *corner = hwMulAdd(*corner, setup->radius - gap, out);
    }
    *part = strip->share[at] + place * (strip->share[at + 1] - strip->share[at]);
    *part = hwClamp(*part, 1e-6, 1.0 - 1e-6);
    return true;
}

// A span that turns about a corner by more than a right angle would come nearer to it on its straight way than it was and is: it
// goes half of the way first, with all points as far from the corner as they are to be, on its free side. True: `to` is half way.
static bool TurnAtCorners(Update* u, int i, const Curve* curve, const double within[2], hwVec3* to) {
    double near = 0.6 * BESIDE * u->setup->radius;
    bool halfway = false;
    for (int end = 0; end < 2 && !halfway; ++end) {
        if (end == 0 ? i == 0 : i == u->state->count) continue;
        hwVec3 corner = u->path->point[i + end];
        for (int j = 1; j + 1 < curve->count && !halfway; ++j) {
            if (curve->share[j] < within[0] || curve->share[j] > within[1]) continue;
            hwVec3 a = hwSub(curve->point[j], corner), b = hwSub(to[j], corner), d = hwSub(b, a);
            double square = hwLengthSquared(d), part = square > 0.0 ? -hwDot(a, d) / square : 0.0;
            double least = 0.6 * hwFmin(hwLength(a), hwLength(b));
            halfway = part > 0.0 && part < 1.0 && hwLength(hwMulAdd(a, part, d)) < hwFmin(near, least);
        }
    }
    if (!halfway || u->turns >= TURNS) return false;
    u->turns += 1;
    for (int j = 0; j < curve->count; ++j) to[j] = Between(curve->point[j], to[j], 0.5);
    for (int end = 0; end < 2; ++end) {
        if (end == 0 ? i == 0 : i == u->state->count) continue;
        const hwWrapCorner* its = &u->state->corners[end == 0 ? i - 1 : i];
        hwVec3 corner = u->path->point[i + end], normal = GetNormal(u->setup, its);
        double away = BESIDE * u->setup->radius;
        for (int j = 1; j + 1 < curve->count; ++j) {
            hwVec3 d = hwSub(to[j], corner);
            double share = end == 0 ? curve->share[j] : 1.0 - curve->share[j],
                   out = hwFmax(hwDot(d, normal), 0.0);
            double reach = hwFmin(away, share * u->path->span[FindSpan(u->state, i)].rest);
            if (hwLength(d) >= reach) continue;
            // as far as it is, and the more out the less aside
            hwVec3 aside = hwMulAdd(d, -hwDot(d, normal), normal);
            double left = reach * reach - hwLengthSquared(aside);
            to[j] = hwAdd(corner, hwMulAdd(aside, hwFmax(sqrt(hwFmax(left, 0.0)), out), normal));
        }
    }
    return true;
}

// Whether a corner at p would be where one at an end of the strip is already, which then holds it there. More of the strip beside that
// corner is left out: up to the share `within`, of the end `end`.
static bool IsBeside(const Update* u, int i, const Curve* curve, const Strip* strip, int at, double first,
                     hwVec3 p, int* end, double* within) {
    double radius = u->setup->radius;
    for (int e = 0; e < 2; ++e) {
        if (e == 0 ? i == 0 : i == u->state->count) continue;
        hwVec3 corner = u->path->point[i + e];
        if (!(hwDistance(p, corner) < 0.5 * radius)) continue;
        // along the piece from its point that is nearer to that end
        int near = e == 0 ? at : at + 1, far = e == 0 ? at + 1 : at;
        hwVec3 a = hwSub(Between(strip->from[near], strip->to[near], first), corner);
        hwVec3 b = hwSub(Between(strip->from[far], strip->to[far], first), corner);
        double reach = hwFmax(2.0 * BESIDE * radius, 2.0 * hwLength(a)), part = 1.0;
        if (hwLength(b) > reach) {
            hwVec3 d = hwSub(b, a);
            double square = hwLengthSquared(d), half = hwDot(a, d) / square;
            part = -half + sqrt(half * half + (reach * reach - hwLengthSquared(a)) / square);
        }
        double share = strip->share[near] + part * (strip->share[far] - strip->share[near]);
        double most = FindShare(curve, e, MOST_BESIDE * radius);
        if ((e == 0 ? share : 1.0 - share) > most) return false;
        *end = e;
        *within = share;
        return true;
    }
    return false;
}

// Where the way of span k, interval i, from its curve to its shape first meets something: puts a corner there. False: nothing
// is in its way, and the curve is where the span is now.
//
// Beside a corner the span may turn into what that lies on, by no more than its own thickness: there its way is not looked at, but
// for that of the points up to which it is not.
static bool SweepSpan(Update* u, int k, int i) {
    const hwWrapSetup* setup = u->setup;
    const hwWrapSpan* span = &u->path->span[k];
    Curve* curve = &u->work->curve[k];
    if (u->still[k]) return false;
    int n = CountSamples(setup, span);
    RefineCurve(curve, n);
    double within[2] = {0.0, 1.0};
    for (int end = 0; end < 2; ++end) {
        if (end == 0 ? i == 0 : i == u->state->count) continue; // no corner
        double reach = BESIDE * setup->radius;
        double share = hwFmin(hwFmin(FindShare(curve, end, reach), reach / span->rest), 0.5);
        within[end] = end == 0 ? share : 1.0 - share;
        AddPoint(curve, within[end]);
    }
    hwVec3 to[STRIP], p, normal;
    double first = 1.0, part;
    int at = -1, solid, beside;
    bool found = false;
    for (;;) {
        hwBox box = hwBox_Empty();
        for (int j = 0; j < curve->count; ++j) {
            to[j] = hwWrapSpan_GetPoint(span, curve->share[j] * span->rest, NULL);
            box = hwBox_AddPoint(hwBox_AddPoint(box, to[j]), curve->point[j]);
        }
        to[0] = span->shape.a;
        to[curve->count - 1] = span->shape.b;
        box = hwBox_Grow(box, setup->radius);
        if (IsSpaceEmpty(setup->space, &box)) break;
        bool halfway = TurnAtCorners(u, i, curve, within, to);
        Strip strip = {curve->count, curve->share, curve->point, to, {within[0], within[1]}, -1};
        at = FindFirst(setup, &strip, &first);
        if (at < 0 && halfway) {
            memcpy(curve->point, to, (size_t)curve->count * sizeof(hwVec3));
            curve->key.known = 0;
            return true;
        }
        if (at < 0) break;
        found = FindCorner(setup, &strip, at, first, &p, &normal, &solid, &part);
        double share;
        if (!found || !IsBeside(u, i, curve, &strip, at, first, p, &beside, &share)) break;
        // where it comes to lie on a corner that is there, that corner holds it, and what is farther goes on
        int count = curve->count;
        if (count >= STRIP || !(beside == 0 ? share > within[0] : share < within[1])) break;
        within[beside] = share;
        AddPoint(curve, share);
    }
    if (at < 0) {
        SampleCurve(setup, span, curve);
        u->still[k] = true;
        return false;
    }
    // the spans go on from where they are now
    for (int j = 0; j < curve->count; ++j) curve->point[j] = Between(curve->point[j], to[j], first);
    curve->key.known = 0;
    if (found) return InsertCorner(u, i, part, solid, p, normal);
    if (first > 0.0) return true;
    // in the way and yet not near: what a warped piece passes is not known
    u->state->lost += 1;
    SampleCurve(setup, span, curve);
    u->still[k] = true;
    return false;
}

// All spans, until nothing is in the way of any.
static void SweepAll(Update* u) {
    for (bool again = true; again && u->changes < CHANGES;) {
        again = false;
        for (int k = 0; k < u->path->spanCount && !again; ++k) {
            again = SweepSpan(u, k, u->path->interval[k]);
        }
        if (!again) return;
        u->changes += 1;
        SolveAgain(u);
    }
}

// Where a point of the last update would be, had it moved with a solid.
static hwVec3 MoveWith(const hwSpaceSolid* solid, hwPose before, hwVec3 p) {
    hwVec3 own = hwInvTransformPoint(solid->own, hwInvTransformPoint(before, p));
    return hwTransformPoint(solid->pose, own);
}

// A solid that has moved while the tether stayed: seen from it the tether came from where it would be had it moved along. Puts
// a corner where the way of span k between the two first meets it.
static bool SweepMoved(Update* u, int k, int i, int index, hwPose before) {
    const hwWrapSetup* setup = u->setup;
    Curve* curve = &u->work->curve[k];
    double within[2] = {0.0, 1.0};
    for (int end = 0; end < 2; ++end) {
        if (end == 0 ? i == 0 : i == u->state->count) continue; // no corner
        double share = hwFmin(FindShare(curve, end, BESIDE * setup->radius), 0.5);
        within[end] = end == 0 ? share : 1.0 - share;
        AddPoint(curve, within[end]);
    }
    hwVec3 from[STRIP];
    for (int j = 0; j < curve->count; ++j)
        from[j] = MoveWith(&setup->space->solids[index], before, curve->point[j]);
    Strip strip = {curve->count, curve->share, from, curve->point, {within[0], within[1]}, index};
    double first, part;
    int at = FindFirst(setup, &strip, &first), solid;
    if (at < 0) return false;
    hwVec3 p, normal;
    if (!FindCorner(setup, &strip, at, first, &p, &normal, &solid, &part) || solid != index) {
        u->state->lost += 1;
        return false;
    }
    return InsertCorner(u, i, part, index, p, normal);
}

static void SweepSolids(Update* u, const hwPose* before) {
    const hwTetherSpace* space = u->setup->space;
    for (int s = 0; s < space->count; ++s) {
        const hwSpaceSolid* solid = &space->solids[s];
        hwVec3 there = MoveWith(solid, before[s], hwVec3_zero), far = {1e3, 1e3, 1e3};
        // a kilometre away it has moved by less than a micrometre: it stands still
        if (hwLength(there) + hwDistance(MoveWith(solid, before[s], far), far) < 1e-6) continue;
        for (int k = 0; k < u->path->spanCount; ++k) {
            if (u->changes >= CHANGES || !SweepMoved(u, k, u->path->interval[k], s, before[s])) continue;
            // the path before and behind the new corner: where its ends were, so that spans go on from there
            u->changes += 1;
            PlacePath(u->setup, u->state, u->ends, u->material, u->path);
            Commit(u);
        }
    }
}

// Leaving -----------------------------------------------------------------------------------------------------------------

// Directions from corner c to either side, along spans as they leave it.
static void GetSides(const hwWrapPath* path, int c, hwVec3* back, hwVec3* on) {
    int k = path->spanOf[c];
    *back = path->joined[c] ? hwNormalize(hwSub(path->point[c], path->point[c + 1]))
                            : hwNeg(path->span[k].tangent[1]);
    int next = path->joined[c + 1] ? k : k + 1;
    *on = path->joined[c + 1] ? hwNormalize(hwSub(path->point[c + 2], path->point[c + 1]))
                              : path->span[next].tangent[0];
}

// A corner goes when the tether's pull on it no longer points into the solid.
static bool ReleaseOne(Update* u) {
    hwWrapState* state = u->state;
    for (int c = 0; c < state->count; ++c) {
        if (state->corners[c].quiet == 2) continue;
        bool inside = u->path->joined[c] && u->path->joined[c + 1];
        hwVec3 back, on, normal = GetNormal(u->setup, &state->corners[c]);
        GetSides(u->path, c, &back, &on);
        if (hwDot(hwAdd(back, on), normal) < (inside ? 1e-9 : 0.0)) {
            if (state->corners[c].quiet == 1) state->corners[c].quiet = 2;
            continue;
        }
        if (RemoveCorner(u, c)) return true;
    }
    return false;
}

// Whether corner c, behind which the arc goes on, is one too many: it lies on the next one, and a corner slides by no more than it is
// away from its neighbours; or the arc turns on the surface there by more than 60 degrees, as in a hairpin, and is free to go
// straight.
static bool IsNeedless(const Update* u, int c) {
    const hwWrapState* state = u->state;
    const hwVec3* p = u->path->point + c; // before it, itself, behind it
    double radius = u->setup->radius;
    bool twin = hwDistance(p[1], p[2]) < MERGE * radius;
    if (!twin) {
        if (c == 0 || !state->corners[c - 1].joined) return false;
        hwVec3 back = hwSub(p[0], p[1]), on = hwSub(p[2], p[1]);
        if (!(hwDot(back, on) > -0.5 * hwLength(back) * hwLength(on))) return false;
        if (!LiesOn(u->setup, state->corners[c].solid, p[0], p[2])) return false;
    }
    return hwTetherSpace_IsFree(u->setup->space, p[0], p[1], p[2], SLIDING * radius);
}

static bool MergeCorners(Update* u) {
    hwWrapState* state = u->state;
    bool merged = false;
    for (int c = 0; c + 1 < state->count;) {
        if (!state->corners[c].joined || !IsNeedless(u, c)) {
            c += 1;
            continue;
        }
        int n = state->count;
        double sum = state->rest[c] + state->rest[c + 1];
        memmove(state->corners + c, state->corners + c + 1, (size_t)(n - c - 1) * sizeof(hwWrapCorner));
        memmove(state->rest + c, state->rest + c + 1, (size_t)(n - c) * sizeof(double));
        memmove(u->path->point + c + 1, u->path->point + c + 2, (size_t)(n - c) * sizeof(hwVec3));
        state->rest[c] = sum;
        state->count = n - 1;
        merged = true;
        if (c > 0) c -= 1;
    }
    return merged;
}

// A free span that has become so short that it lies on what both of its corners lie on belongs to their arc.
static bool JoinShortSpans(Update* u) {
    hwWrapState* state = u->state;
    double radius = u->setup->radius;
    bool joined = false;
    for (int c = 0; c + 1 < state->count; ++c) {
        int solid = state->corners[c].solid;
        if (state->corners[c].joined || solid != state->corners[c + 1].solid) continue;
        hwVec3 a = u->path->point[c + 1], b = u->path->point[c + 2];
        int k = FindSpan(state, c + 1), spans = CountSpans(state);
        Curve* curve = u->work->curve;
        double distance = hwDistance(a, b);
        if (distance > BESIDE * radius || state->rest[c + 1] > distance + BESIDE * radius ||
            !LiesAlong(u->setup, &curve[k], distance) || !LiesOn(u->setup, solid, a, b))
            continue;
        hwWrapSpan* span = u->path->span;
        memmove(curve + k, curve + k + 1, (size_t)(spans - k - 1) * sizeof(Curve));
        memmove(span + k, span + k + 1, (size_t)(spans - k - 1) * sizeof(hwWrapSpan));
        state->corners[c].joined = 1;
        state->rest[c + 1] = distance;
        joined = true;
    }
    return joined;
}

// Corners that have slid apart leave chords too near to the surface to slide on: they get a corner more in the middle.
static bool RefineArcs(Update* u) {
    hwWrapState* state = u->state;
    double radius = u->setup->radius;
    bool refined = false;
    for (int c = 0; c + 1 < state->count && state->count < HW_WRAP_CORNERS; ++c) {
        if (!state->corners[c].joined) continue;
        hwVec3 a = u->path->point[c + 1], b = u->path->point[c + 2], normal;
        int solid = state->corners[c].solid, nearest, n = state->count;
        if (solid != state->corners[c + 1].solid || hwDistance(a, b) < 4.0 * radius) continue;
        hwVec3 middle = Between(a, b, 0.5);
        double here = hwTetherSpace_GetClearance(u->setup->space, middle, radius, &nearest, &normal);
        if (nearest != solid || here > DIPPED * radius) continue;
        hwVec3 p = hwMulAdd(middle, radius - here, normal);
        memmove(state->corners + c + 2, state->corners + c + 1, (size_t)(n - c - 1) * sizeof(hwWrapCorner));
        memmove(state->rest + c + 2, state->rest + c + 1, (size_t)(n - c) * sizeof(double));
        memmove(u->path->point + c + 3, u->path->point + c + 2, (size_t)(n - c) * sizeof(hwVec3));
        u->path->point[c + 2] = p;
        state->corners[c + 1] = (hwWrapCorner){ToSolid(u->setup->space, solid, p),
                                               hwInvRotate(u->setup->space->solids[solid].pose.q, normal),
                                               solid,
                                               1,
                                               0,
                                               0};
        state->rest[c + 1] = hwDistance(a, p);
        state->rest[c + 2] = hwDistance(p, b);
        state->count = n + 1;
        refined = true;
        c += 1;
    }
    return refined;
}

// In a crotch narrower than itself the tether would go to and fro between two solids, with a corner on each: one is enough there.
static bool RemoveZigzag(Update* u) {
    hwWrapState* state = u->state;
    double radius = u->setup->radius;
    for (int c = 0; c + 1 < state->count; ++c) {
        const hwVec3* p = u->path->point + c;
        if (state->corners[c].joined || state->corners[c].solid == state->corners[c + 1].solid) continue;
        if (!(hwDistance(p[1], p[2]) < BESIDE * radius)) continue;
        for (int k = 0; k < 2; ++k) { // the one or the other
            if (hwTetherSpace_IsFree(u->setup->space, p[k], p[k + 1], p[k + 2], WEDGED * radius) &&
                RemoveCorner(u, c + k))
                return true;
        }
    }
    return false;
}

// Sliding -----------------------------------------------------------------------------------------------------------------

// Whether corner c may go to q: nothing lies between. On a surface, a radius off it.
static bool MayMove(const Update* u, int c, hwVec3* q, double reach, hwVec3* normal) {
    const hwWrapSetup* setup = u->setup;
    const hwWrapPath* path = u->path;
    int nearest;
    double off = hwTetherSpace_GetClearance(setup->space, *q, 8.0 * setup->radius + reach, &nearest, normal);
    if (nearest != u->state->corners[c].solid) return false;
    *q = hwMulAdd(*q, setup->radius - off, *normal);
    double radius = SLIDING * setup->radius;
    hwVec3 p = path->point[c + 1];
    return hwTetherSpace_IsFree(setup->space, path->point[c], p, *q, radius) &&
           hwTetherSpace_IsFree(setup->space, p, *q, path->point[c + 2], radius);
}

static void PutCorner(Update* u, int c, hwVec3 q, hwVec3 normal) {
    hwWrapCorner* corner = &u->state->corners[c];
    corner->quiet = 0;
    corner->at = ToSolid(u->setup->space, corner->solid, q);
    corner->normal = hwInvRotate(u->setup->space->solids[corner->solid].pose.q, normal);
    u->path->point[c + 1] = q;
}

// The way that a corner or arc (`kind` 1) takes by its estimate `move`. Bent spans turn otherwise than straight ones, so the
// estimate may go too far: when it turns round it goes half as far.
static double Damp(Update* u, int kind, int c, double aside, double move, double longest) {
    int side = aside > 0.0 ? 1 : -1;
    double* gain = &u->gain[kind][c];
    if (u->side[kind][c] == 0) *gain = 1.0;
    if (u->side[kind][c] == -side) *gain *= 0.5;
    u->side[kind][c] = side;
    return hwFmin(*gain * move, longest);
}

// An arc moves as a whole along what it lies on, the direction at right angles to its normals, where both free spans together
// pull it there by more than friction holds: corner by corner it would creep.
static double SlideArc(Update* u, int first, int last) {
    const hwWrapSetup* setup = u->setup;
    const hwWrapPath* path = u->path;
    hwVec3 from = GetNormal(setup, &u->state->corners[first]), along = hwVec3_zero;
    double hold = 0.0, most = 0.0;
    hwVec3 pull = hwVec3_zero;
    for (int c = first; c <= last; ++c) {
        hwVec3 back, on, normal = GetNormal(setup, &u->state->corners[c]), cross = hwCross(from, normal);
        GetSides(path, c, &back, &on);
        hold += setup->friction[u->state->corners[c].solid] * hwFmax(-hwDot(hwAdd(back, on), normal), 0.0);
        if (hwLength(cross) > most) most = hwLength(cross), along = cross;
        if (c == first) pull = hwAdd(pull, back);
        if (c == last) pull = hwAdd(pull, on);
    }
    if (!(most > 0.05)) return 0.0;
    along = hwScale(1.0 / most, along);
    double aside = hwDot(pull, along), left = fabs(aside) - hold;
    if (!(left > 1e-6)) return 0.0;
    double before = hwDistance(path->point[first], path->point[first + 1]);
    double behind = hwDistance(path->point[last + 1], path->point[last + 2]);
    double move =
        Damp(u, 1, first, aside, left / (1.0 / before + 1.0 / behind), 0.3 * hwFmin(before, behind));
    if (move <= LEAST_SLIDE * setup->radius) return 0.0;
    // the end that comes first in the direction of the pull leads, so that chords do not cross what is between
    hwVec3 step = hwScale(aside > 0.0 ? move : -move, along);
    bool free = true;
    hwVec3 to[HW_WRAP_CORNERS], normals[HW_WRAP_CORNERS];
    for (int half = 0; half < 6; ++half) {
        free = true;
        for (int c = first; c <= last && free; ++c) {
            hwVec3 p = path->point[c + 1];
            to[c] = hwAdd(p, step);
            int nearest;
            double reach = 8.0 * setup->radius + move, radius = SLIDING * setup->radius;
            double off = hwTetherSpace_GetClearance(setup->space, to[c], reach, &nearest, &normals[c]);
            free = nearest == u->state->corners[c].solid;
            if (!free) break;
            to[c] = hwMulAdd(to[c], setup->radius - off, normals[c]);
            // what the chord before it sweeps
            hwVec3 q = path->point[c], r = c == first ? q : to[c - 1];
            free = hwTetherSpace_IsFree(setup->space, q, p, to[c], radius) &&
                   hwTetherSpace_IsFree(setup->space, q, to[c], r, radius);
            if (free && c == last)
                free = hwTetherSpace_IsFree(setup->space, p, to[c], path->point[c + 2], radius);
        }
        if (free) break;
        step = hwScale(0.5, step);
        move *= 0.5;
    }
    if (!free) return 0.0;
    for (int c = first; c <= last; ++c) PutCorner(u, c, to[c], normals[c]);
    return move;
}

// How far corners would go across the tether. Straight spans of length l under one tension pull a corner that is x_c aside by
// (x_(c+1) - x_c) / l + (x_(c-1) - x_c) / l' of it; what friction does not hold is to vanish for all that slide together.
static void PullAside(Update* u) {
    const hwWrapSetup* setup = u->setup;
    const hwWrapPath* path = u->path;
    double over = 0.0, last = 0.0;
    double overs[HW_WRAP_CORNERS];
    int count = u->state->count;
    for (int c = 0; c < count; ++c) {
        u->move[c] = overs[c] = 0.0;
        if (u->busy[c]) {
            hwVec3 back, on, normal = GetNormal(setup, &u->state->corners[c]);
            GetSides(path, c, &back, &on);
            hwVec3 pull = hwAdd(back, on), along = hwSub(on, back);
            u->across[c] = hwNormalize(hwCross(normal, along));
            double aside = hwDot(pull, u->across[c]), press = hwFmax(-hwDot(pull, normal), 0.0);
            double left = fabs(aside) - setup->friction[u->state->corners[c].solid] * press;
            if (left > 1e-6) u->move[c] = aside > 0.0 ? left : -left;
        }
        if (u->move[c] == 0.0) {
            over = last = 0.0;
            continue;
        }
        double before = 1.0 / hwDistance(path->point[c], path->point[c + 1]);
        double behind = 1.0 / hwDistance(path->point[c + 1], path->point[c + 2]);
        double turn = c > 0 && u->move[c - 1] != 0.0 ? hwDot(u->across[c - 1], u->across[c]) : 0.0;
        double diagonal = before + behind - before * turn * over;
        last = u->move[c] = (u->move[c] + before * turn * last) / diagonal;
        // of the next corner's move, once it is known
        over = overs[c] = behind / diagonal;
    }
    for (int c = count - 2; c >= 0; --c) {
        if (u->move[c] != 0.0 && u->move[c + 1] != 0.0)
            u->move[c] += overs[c] * hwDot(u->across[c], u->across[c + 1]) * u->move[c + 1];
    }
}

// Moves corners across the tether where its pull along the surface is more than friction holds: towards the shortest path. A
// corner that moves stays a radius off the surface, and what it sweeps must be free.
static bool SlideAll(Update* u) {
    const hwWrapSetup* setup = u->setup;
    hwWrapState* state = u->state;
    const hwWrapPath* path = u->path;
    double most = 0.0;
    for (int c = 0; c < state->count; ++c) {
        int last = c;
        bool quiet = state->corners[c].quiet > 0;
        while (last + 1 < state->count && path->joined[last + 1]) {
            last += 1;
            quiet = quiet && state->corners[last].quiet > 0;
        }
        for (int i = c; i <= last; ++i) u->busy[i] = !quiet;
        if (last > c && !quiet) most = hwFmax(most, SlideArc(u, c, last));
        c = last;
    }
    PullAside(u);
    for (int c = 0; c < state->count; ++c) {
        if (!u->busy[c]) continue;
        state->corners[c].quiet = 1;
        double move = fabs(u->move[c]);
        if (!(move > 0.0)) continue;
        move = Damp(u, 0, c, u->move[c], move,
                    0.5 * hwFmin(hwDistance(path->point[c], path->point[c + 1]),
                                 hwDistance(path->point[c + 1], path->point[c + 2])));
        if (move <= LEAST_SLIDE * setup->radius) continue;
        hwVec3 normal, q = hwMulAdd(path->point[c + 1], u->move[c] > 0.0 ? move : -move, u->across[c]);
        if (!MayMove(u, c, &q, move, &normal)) continue;
        PutCorner(u, c, q, normal);
        most = hwFmax(most, move);
    }
    return most > 0.0;
}

// The update --------------------------------------------------------------------------------------------------------------

static bool HasLongCurve(const Update* u) {
    for (int k = 0; k < u->path->spanCount; ++k) {
        if (u->work->curve[k].count > JOINED) return true;
    }
    return false;
}

static void Settle(Update* u) {
    SweepAll(u);
    for (int round = 0; round < SLIDES && u->state->count > 0 && u->changes < CHANGES; ++round) {
        bool joined = JoinShortSpans(u), merged = MergeCorners(u), refined = RefineArcs(u);
        if (joined || merged || refined) SolveAgain(u);
        while (u->changes < CHANGES && RemoveZigzag(u)) {
            u->changes += 1;
            SolveAgain(u);
            SweepAll(u);
        }
        bool slid = SlideAll(u), gone = false;
        if (slid) SolveAgain(u);
        while (u->changes < CHANGES && ReleaseOne(u)) {
            u->changes += 1;
            gone = true;
            SolveAgain(u);
            if (HasLongCurve(u)) SweepAll(u);
        }
        if (slid || gone) SweepAll(u);
        if (!slid && !gone) break;
    }
    hwWrapState* state = u->state;
    // a span whose way was not seen to be free, because there was no room or there were too many changes, may have passed through
    if (u->changes >= CHANGES) {
        for (int k = 0; k < u->path->spanCount; ++k) state->lost += !u->still[k];
    }
    for (int k = 0; k < u->path->spanCount; ++k)
        StoreCurve(u->setup, &u->path->span[k], u->still[k], &u->work->curve[k], state, k);
    state->started = 1;
}

static void Begin(Update* u, const hwWrapSetup* setup, hwWrapState* state, const hwVec3 ends[2],
                  const double material[2], hwWrapWork* work, hwWrapPath* path) {
    u->setup = setup;
    u->state = state;
    u->work = work;
    u->path = path;
    u->changes = u->turns = 0;
    for (int e = 0; e < 2; ++e) {
        u->ends[e] = ends[e];
        u->material[e] = material[e];
    }
    memset(u->side, 0, sizeof(u->side));
    memset(u->still, 0, sizeof(u->still));
}

void hwWrap_Update(const hwWrapSetup* setup, hwWrapState* state, const hwVec3 ends[2],
                   const double material[2], const hwPose* before, hwWrapWork* work, hwWrapPath* path) {
    Update u;
    Begin(&u, setup, state, ends, material, work, path);
    int spans = CountSpans(state);
    for (int k = 0; k < spans; ++k) LoadCurve(state, k, &work->curve[k]);
    memset(state->slip, 0, sizeof(state->slip));
    if (before != NULL) {
        PlacePath(setup, state, ends, material, path);
        Commit(&u);
        SweepSolids(&u, before);
    }
    SolveAgain(&u);
    Settle(&u);
}

void hwWrap_Start(const hwWrapSetup* setup, hwWrapState* state, hwPolyline along, const double material[2],
                  hwWrapWork* work, hwWrapPath* path) {
    memset(state, 0, sizeof(*state));
    Update u;
    const hwVec3 ends[2] = {along.points[0], along.points[along.count - 1]};
    Begin(&u, setup, state, ends, material, work, path);
    for (int e = 0; e < 2; ++e) state->material[e] = material[e];
    state->rest[0] = material[1] - material[0];
    // the polyline as one curve; too many points are thinned
    Curve* curve = &work->curve[0];
    double length = hwTether_GetLength(along), s = 0.0;
    int room = JOINED, stride = (along.count + room - 2) / (room - 1);
    if (stride < 1) stride = 1;
    curve->count = 0;
    for (int j = 0; j < along.count; ++j) {
        if (j > 0) s += hwDistance(along.points[j - 1], along.points[j]);
        if (j > 0 && j + 1 < along.count && j % stride != 0) continue;
        curve->share[curve->count] = length > 0.0 ? s / length : (j > 0);
        curve->point[curve->count++] = along.points[j];
    }
    curve->share[curve->count - 1] = 1.0;
    curve->key.known = 0;
    SolveAgain(&u);
    Settle(&u);
}
