// Cables against cables and against themselves.
//
// Two elements touch at the nearest points of their axes. Where such a point is a node, it counts half for each of the two
// elements that share it, and not at all where one of them comes nearer elsewhere: so a crossing passes a node without a
// jump. What they add to the matrix is in cable_pairs_matrix.c.
#include "parts/cable_contact/cable_contact.h"

#include "math/vectors.h"

#include <math.h>
#include <string.h>

#define STICK_WAY 5e-3
#define SHORTEST 1e-5   // s
#define RELIEF_TIME 0.5 // s, in which an overlap of the start comes to count

static hwVec3 GetBetween(const hwVec3* x, double place) {
    return hwMulAdd(x[0], place, hwSub(x[1], x[0]));
}

static const hwVec3* GetPositions(const hwWorld* world, int slot) {
    return (const hwVec3*)(const void*)(world->state.q + world->model.cables->slots[slot].coordinate);
}

// Forces -----------------------------------------------------------------------------------------------------------------

// How much a nearest point at `place` of an element counts for it: see the top of this file. `towards` leads from it to the
// other cable.
static double GetWeight(const hwCableState* state, int element, double place, hwVec3 towards) {
    const hwVec3* x = state->position + element;
    bool first = place <= 1e-9, last = place >= 1.0 - 1e-9;
    if ((first && element == 0) || (last && element + 2 == state->core->nodes) || !(first || last))
        return 1.0;
    hwVec3 beyond = first ? hwSub(x[-1], x[0]) : hwSub(x[2], x[1]);
    return hwDot(towards, beyond) > 0.0 ? 0.0 : 0.5;
}

// Common volume of two crossing round lines: paraboloids, or, where they run side by side, a strip of the shorter one's
// length; and the rate at which it grows with depth.
static double GetVolume(const hwCablePair* pair, double depth, double sine, double length, double* area) {
    double cross = HW_PI * sqrt(pair->radius[0] * pair->radius[1]) * depth * depth;
    double mean = pair->radius[0] * pair->radius[1] / (pair->radius[0] + pair->radius[1]);
    double strip = 4.0 / 3.0 * sqrt(2.0 * mean) * depth * sqrt(depth) * length;
    bool side = cross >= strip * sine;
    double volume = side ? strip : cross / sine;
    *area = (side ? 1.5 : 2.0) * volume / depth;
    return volume;
}

static void PushPair(const hwWorld* world, hwCablePair* pair, const hwCableState state[2], hwVec3 force) {
    for (int k = 0; k < 2; ++k) {
        hwVec3* f = world->work->cables->tools[pair->slot[k]].work.force + pair->element[k];
        double sign = k == 0 ? 1.0 : -1.0;
        f[0] = hwMulAdd(f[0], sign * (1.0 - pair->at[k]), force);
        f[1] = hwMulAdd(f[1], sign * pair->at[k], force);
        pair->power += sign * hwDot(force, GetBetween(state[k].velocity + pair->element[k], pair->at[k]));
    }
    pair->force = hwAdd(pair->force, force);
}

static void AddSquare(double block[6], double s, hwVec3 u) {
    block[0] += s * u.x * u.x, block[1] += s * u.x * u.y, block[2] += s * u.x * u.z;
    block[3] += s * u.y * u.y, block[4] += s * u.y * u.z, block[5] += s * u.z * u.z;
}

static void RubPair(const hwWorld* world, hwCablePair* pair, const hwCableState state[2],
                    const hwNormalForce* f, double area, hwVec3 v, double hd) {
    double mu = pair->slid ? pair->law.kineticFriction : pair->law.staticFriction;
    pair->limit = mu * hwFmax(f->elastic + f->damping, 0.0);
    double stiffest = pair->limit / (STICK_WAY * hwFmin(pair->radius[0], pair->radius[1]));
    pair->spring = hwFmin(HW_SHEAR_RATIO * pair->law.stiffness * area, stiffest);
    double damper = HW_SHEAR_RATIO * f->byRate * area;
    hwVec3 apart = hwSub(GetBetween(state[0].position + pair->element[0], pair->place[0]),
                         GetBetween(state[1].position + pair->element[1], pair->place[1]));
    hwVec3 slip = hwSub(apart, pair->tie), n = pair->normal;
    pair->slip = hwMulAdd(slip, -hwDot(slip, n), n);
    hwVec3 pull = hwMulAdd(hwScale(pair->spring, pair->slip), damper, hwMulAdd(v, -hwDot(v, n), n));
    double size = hwLength(pull), block = hd * hd * pair->spring + hd * damper;
    pair->slides = size > pair->limit;
    if (pair->slides) {
        block *= pair->limit / size;
        AddSquare(pair->block, -block, hwScale(1.0 / size, pull));
        pull = hwScale(pair->limit / size, pull);
    }
    pair->block[0] += block, pair->block[3] += block, pair->block[5] += block;
    AddSquare(pair->block, -block, n);
    double stretch = pair->spring > 0.0 ? hwFmin(hwLength(pair->slip), pair->limit / pair->spring) : 0.0;
    pair->energy += 0.5 * pair->spring * stretch * stretch;
    PushPair(world, pair, state, hwNeg(pull));
}

static void EvaluatePair(const hwWorld* world, bool calm, hwCablePair* pair, double hd) {
    hwCableState state[2] = {world->work->cables->tools[pair->slot[0]].state,
                             world->work->cables->tools[pair->slot[1]].state};
    const hwVec3 *x = state[0].position + pair->element[0], *y = state[1].position + pair->element[1];
    pair->touches = pair->slides = pair->hidden = false;
    pair->slip = hwVec3_zero;
    pair->limit = pair->spring = 0.0;
    pair->volume = 0.0;
    pair->force = hwVec3_zero;
    pair->power = pair->energy = 0.0;
    memset(pair->block, 0, sizeof(pair->block));
    double distance = sqrt(hwSegments_GetNearest(x[0], x[1], y[0], y[1], &pair->at[0], &pair->at[1]));
    hwVec3 apart = hwSub(GetBetween(x, pair->at[0]), GetBetween(y, pair->at[1]));
    double side = hwDot(apart, pair->start) < 0.0 ? -1.0 : 1.0;
    double both = pair->radius[0] + pair->radius[1];
    pair->depth = both - pair->relief - side * distance;
    if (!(pair->depth > 0.0)) return;
    double weight = GetWeight(&state[0], pair->element[0], pair->at[0], hwScale(-side, apart)) *
                    GetWeight(&state[1], pair->element[1], pair->at[1], hwScale(side, apart));
    pair->hidden = weight == 0.0;
    if (pair->hidden) return;
    pair->touches = true;
    pair->normal = distance > 1e-9 * both ? hwScale(side / distance, apart) : pair->start;
    hwVec3 v = hwSub(GetBetween(state[0].velocity + pair->element[0], pair->at[0]),
                     GetBetween(state[1].velocity + pair->element[1], pair->at[1]));
    hwVec3 a = hwSub(x[1], x[0]), b = hwSub(y[1], y[0]);
    double lengths = hwLength(a) * hwLength(b), sine = hwLength(hwCross(a, b)) / lengths;
    double area,
        volume = weight * GetVolume(pair, pair->depth, sine, 0.5 * hwFmin(hwLength(a), hwLength(b)), &area);
    area *= weight;
    pair->volume = volume;
    hwNormalForce f = hwContactLaw_Push(&pair->law, volume, area, -area * hwDot(v, pair->normal));
    pair->elastic = f.elastic;
    pair->damping = f.damping;
    pair->energy = 0.4 * f.elastic * pair->depth;
    AddSquare(pair->block, (hd * hd * f.byVolume + hd * f.byRate) * area, pair->normal);
    PushPair(world, pair, state, hwScale(f.elastic + f.damping, pair->normal));
    if (!calm) RubPair(world, pair, state, &f, area, v, hd);
}

void hwCablePairs_Evaluate(const hwWorld* world, const hwEvaluation* e) {
    hwCablePairs* pairs = world->work->cablePairs;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        memset(&world->work->cables->tools[slot].rub, 0, sizeof(hwCableContact));
    }
    for (int i = 0; i < pairs->count; ++i) {
        hwCablePair* pair = &pairs->items[i];
        EvaluatePair(world, e->mode.calm, pair, e->matrix ? e->step : 0.0);
        if (!pair->touches) continue;
        hwCableContact* sum = &world->work->cables->tools[pair->slot[0]].rub;
        sum->elastic += pair->energy;
        sum->power += pair->power;
        for (int k = 0; k < 2; ++k) {
            hwCableContact* mark = &world->work->cables->tools[pair->slot[k]].rub;
            mark->count += 1;
            mark->force += pair->elastic + pair->damping;
            mark->depth = hwFmax(mark->depth, pair->depth);
        }
    }
}

// After a step -------------------------------------------------------------------------------------------------------------

bool hwCablePairs_Check(const hwWorld* world, double h) {
    const hwCablePairs* pairs = world->work->cablePairs;
    for (int i = 0; i < pairs->count && h > 2.0 * SHORTEST; ++i) {
        const hwCablePair* pair = &pairs->items[i];
        const hwVec3* x = GetPositions(world, pair->slot[0]) + pair->element[0];
        const hwVec3* y = GetPositions(world, pair->slot[1]) + pair->element[1];
        double at[2];
        double square = hwSegments_GetNearest(x[0], x[1], y[0], y[1], &at[0], &at[1]);
        double both = pair->radius[0] + pair->radius[1];
        if (square > both * both) continue;
        if (hwDot(pair->start, hwSub(GetBetween(x, at[0]), GetBetween(y, at[1]))) < 0.0) return false;
    }
    return true;
}

hwStatus hwCablePairs_Remember(hwWorld* world, const hwMode* mode, double time, bool* changed,
                               hwError* error) {
    (void)mode;
    (void)changed;
    (void)error;
    const hwCablePairs* pairs = world->work->cablePairs;
    double fade = hwExp(-time / RELIEF_TIME);
    int count = 0;
    if (pairs->count == 0 && *world->state.cablePairs->count == 0) return HW_OK;
    memset(world->state.cablePairs->touches, 0, HW_CABLE_PAIRS * sizeof(hwPairTouch));
    for (int i = 0; i < pairs->count; ++i) {
        const hwCablePair* pair = &pairs->items[i];
        // what overlaps where it does not count, as at the inside of a fold, starts from there when it does
        double overlap = pair->depth + pair->relief;
        if (!pair->touches && !(overlap > 0.0)) continue;
        hwPairTouch* touch = &world->state.cablePairs->touches[count++];
        double relief = pair->touches ? pair->relief : overlap;
        touch->relief = (float)(pair->hidden ? relief : fade * relief);
        double most = pair->spring > 0.0 ? pair->limit / pair->spring : 0.0, length = hwLength(pair->slip);
        touch->stretch = length > most ? hwScale(most / length, pair->slip) : pair->slip;
        touch->sliding = pair->slides;
        for (int k = 0; k < 2; ++k) {
            const double* s = world->state.cables->stores[pair->slot[k]].material + pair->element[k];
            touch->slot[k] = pair->slot[k];
            touch->at[k] = s[0] + pair->at[k] * (s[1] - s[0]);
        }
    }
    *world->state.cablePairs->count = count;
    return HW_OK;
}

int hwCablePairs_View(const hwWorld* world, hwContactView* views) {
    const hwCablePairs* pairs = world->work->cablePairs;
    int count = 0;
    for (int i = 0; i < pairs->count; ++i) {
        const hwCablePair* pair = &pairs->items[i];
        if (!pair->touches) continue;
        const hwCableState* state = &world->work->cables->tools[pair->slot[0]].state;
        hwVec3 x = GetBetween(state->position + pair->element[0], pair->at[0]);
        views[count++] = (hwContactView){.a = world->model.cables->slots[pair->slot[0]].name,
                                         .b = world->model.cables->slots[pair->slot[1]].name,
                                         .cableA = world->model.cables->slots[pair->slot[0]].object->id,
                                         .cableB = world->model.cables->slots[pair->slot[1]].object->id,
                                         .shapeA = -1,
                                         .shapeB = -1,
                                         .triangleA = -1,
                                         .triangleB = -1,
                                         .elementA = pair->element[0],
                                         .elementB = pair->element[1],
                                         .point = hwMulAdd(x, -pair->radius[0], pair->normal),
                                         .normal = hwNeg(pair->normal),
                                         .force = hwNeg(pair->force),
                                         .elastic = pair->elastic,
                                         .damping = pair->damping,
                                         .volume = pair->volume,
                                         .depth = pair->depth,
                                         .sliding = pair->slides};
    }
    return count;
}

// All nodes: a cable that rubs on cables is in a heap or a knot.
double hwCablePairs_MeasureTouch(const hwWorld* world, int slot, const hwVec3* x) {
    double radius = hwCablePairs_GetWay(world, slot);
    if (!(radius > 0.0)) return 0.0;
    return hwVector_GetLargest(3 * world->state.cables->stores[slot].core->nodes, &x[0].x) / radius;
}

double hwCablePairs_GetWay(const hwWorld* world, int slot) {
    const hwCableTools* tools = &world->work->cables->tools[slot];
    return tools->rub.count > 0 ? hwCableWork_GetRadii(&tools->work)[0] : 0.0;
}
