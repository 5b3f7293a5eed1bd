// Changing the mesh: payout, splitting and merging elements, cutting.
//
// An implicit step does not mind short elements, so a boundary element may shrink to a tenth of the others
// before it is merged, and is split while the new piece at the winch is still short: the shorter the piece,
// the less the shape changes when a node comes or goes.
#include "cable/arrays.h"

#define SHARPEST 0.02 // of an element's length: a bend of which merging cuts off more leaves as much slack

static void Move(const hwCableState* state, int to, int from, int count) {
    size_t n = (size_t)count;
    memmove(state->position + to, state->position + from, n * sizeof(hwVec3));
    memmove(state->velocity + to, state->velocity + from, n * sizeof(hwVec3));
    memmove(state->material + to, state->material + from, n * sizeof(double));
    memmove(state->anchor + to, state->anchor + from, n * sizeof(hwVec3));
    memmove(state->slack + to, state->slack + from, n * sizeof(double));
    memmove(state->level + to, state->level + from, n * sizeof(int32_t));
    if (state->acceleration == NULL) return;
    memmove(state->acceleration + to, state->acceleration + from, n * sizeof(hwVec3));
}

static void Insert(const hwCableState* state, int before, double material, hwVec3 position, hwVec3 velocity) {
    Move(state, before + 1, before, state->core->nodes - before);
    state->core->nodes += 1;
    state->material[before] = material;
    state->position[before] = position;
    state->velocity[before] = velocity;
    state->anchor[before] = position;
    state->slack[before] = 0.0;
    state->level[before] = 0;
    // linear between the neighbours: the mass times it is what it was
    hwVec3* a = state->acceleration;
    if (a == NULL) return;
    double m0 = state->material[before - 1], m1 = state->material[before + 1];
    a[before] = hwMulAdd(a[before - 1], (material - m0) / (m1 - m0), hwSub(a[before + 1], a[before - 1]));
}

bool hwCableState_InsertNode(const hwCableState* state, const hwCableModel* model, int element, double at) {
    if (state->core->nodes >= model->nodeCapacity) return false;
    const double* m = state->material;
    const hwVec3 *x = state->position, *v = state->velocity;
    int e = element;
    Insert(state, e + 1, m[e] + at * (m[e + 1] - m[e]), hwMulAdd(x[e], at, hwSub(x[e + 1], x[e])),
           hwMulAdd(v[e], at, hwSub(v[e + 1], v[e])));
    return true;
}

// Half the mass of the elements at a node plus its share of lumps: the row sum of the mass matrix.
static double GetNodeMass(const hwCableState* state, const hwCableModel* model, int node) {
    const double* m = state->material;
    int last = state->core->nodes - 1;
    double mass = 0.0;
    for (int side = 0; side < 2; ++side) {
        int e = node - 1 + side;
        if (e < 0 || e >= last) continue;
        double rest = m[e + 1] - m[e];
        mass += 0.5 * rest * hwCableModel_Average(model, m[e], m[e + 1]).massPerLength;
        for (int k = 0; k < model->lumpCount; ++k) {
            double at = (model->lumps[k].at - m[e]) / rest;
            bool here = at >= 0.0 && (at < 1.0 || (at == 1.0 && e == last - 1));
            if (here && hwCableModel_HasLump(model, k, m[0], m[last])) {
                mass += model->lumps[k].mass * (side == 0 ? at : 1.0 - at);
            }
        }
    }
    return mass;
}

// What the mesh would lose of the sum of mass times a field by the removal of a node between two that have m0 and m1 kg then goes to
// these by the lever rule.
static void KeepSum(hwVec3* field, int node, double l0, double l1, double m0, double m1, hwVec3 sum,
                    const hwVec3 around[2]) {
    hwVec3 lost = hwSub(sum, hwAdd(hwScale(m0, around[0]), hwScale(m1, around[1])));
    field[node - 1] = hwMulAdd(field[node - 1], l1 / ((l0 + l1) * m0), lost);
    field[node] = hwMulAdd(field[node], l0 / ((l0 + l1) * m1), lost);
}

// Removes a node; momentum is kept. `around` are the velocities of the material at the neighbours.
static void Remove(const hwCableState* state, const hwCableModel* model, int node, const hwVec3 around[2]) {
    double l0 = state->material[node] - state->material[node - 1];
    double l1 = state->material[node + 1] - state->material[node];
    double mass = GetNodeMass(state, model, node), before = GetNodeMass(state, model, node - 1),
           after = GetNodeMass(state, model, node + 1);
    hwVec3 momentum = hwScale(mass, state->velocity[node]);
    momentum = hwMulAdd(momentum, before, around[0]);
    momentum = hwMulAdd(momentum, after, around[1]);
    hwVec3 force = hwVec3_zero, forced[2] = {{0}};
    const hwVec3* a = state->acceleration;
    if (a != NULL) {
        forced[0] = a[node - 1], forced[1] = a[node + 1];
        force = hwScale(mass, a[node]);
        force = hwMulAdd(force, before, forced[0]);
        force = hwMulAdd(force, after, forced[1]);
    }
    if (state->level[node] > 0) state->core->inserted -= 1;
    state->slack[node - 1] += state->slack[node];
    Move(state, node, node + 1, state->core->nodes - node - 1);
    state->core->nodes -= 1;
    double m0 = GetNodeMass(state, model, node - 1), m1 = GetNodeMass(state, model, node);
    KeepSum(state->velocity, node, l0, l1, m0, m1, momentum, around);
    if (a != NULL) KeepSum(state->acceleration, node, l0, l1, m0, m1, force, forced);
}

void hwCableState_RemoveNode(const hwCableState* state, const hwCableModel* model, int node) {
    hwVec3 around[2] = {state->velocity[node - 1], state->velocity[node + 1]};
    Remove(state, model, node, around);
}

bool hwCableState_Pay(const hwCableState* state, const hwCableModel* model, int end, double length) {
    double* m = state->material;
    int last = state->core->nodes - 1;
    int e = end == 0 ? 0 : last - 1;
    double min = model->sections[end == 0 ? 0 : model->sectionCount - 1].minElement;
    if (m[e + 1] - m[e] + length < 0.1 * min) return false;
    if (end == 0) {
        m[0] -= length;
    } else {
        m[last] += length;
    }
    return true;
}

// The boundary element at an end, seen from the end.
typedef struct Boundary {
    int element, outer, inner; // nodes
    double rest, length;       // m
    double strain;             // that acts
    hwVec3 into;               // unit, from the end into the cable
    hwVec3 velocity;           // m/s, of the material at the end
} Boundary;

static double GetStrain(const hwCableState* state, int e) {
    double length = hwDistance(state->position[e], state->position[e + 1]);
    if (e == 0) length -= state->core->relief[0];
    if (e == state->core->nodes - 2) length -= state->core->relief[1];
    length -= state->slack[e];
    return length / (state->material[e + 1] - state->material[e]) - 1.0;
}

static Boundary GetBoundary(const hwCableState* state, int end, double rate) {
    Boundary b;
    int last = state->core->nodes - 1;
    b.element = end == 0 ? 0 : last - 1;
    b.outer = end == 0 ? 0 : last;
    b.inner = end == 0 ? 1 : last - 1;
    b.rest = state->material[b.element + 1] - state->material[b.element];
    hwVec3 d = hwSub(state->position[b.inner], state->position[b.outer]);
    b.length = hwLength(d);
    b.into = hwNormalize(d);
    b.strain = GetStrain(state, b.element);
    b.velocity = hwMulAdd(state->velocity[b.outer], rate / b.rest, d);
    return b;
}

// Share of the clamp's slope that is left at x, times the length it works over: with tension T and stiffness EI
// the deflection h(x) of a piece of length l with h = 0 at both ends, slope 1 at the clamp and no moment at l,
//   h = (sinh((l - x)/k)/sinh(l/k) - (1 - x/l)) / (1/l - coth(l/k)/k),   k = sqrt(EI/T).
static double GetClampShape(double x, double l, double EI, double tension) {
    double slope = tension > 0.0 ? l * sqrt(tension / EI) : 0.0; // l/k
    double rest = 1.0 - x / l;
    if (slope < 1e-2) return 0.5 * l * rest * (1.0 - rest * rest); // a beam without tension
    double fade = hwExp(-2.0 * slope);
    double ratio = hwExp(-slope * x / l) * (1.0 - hwExp(-2.0 * slope * rest)) / (1.0 - fade);
    return l * (ratio - rest) / (1.0 - slope * (1.0 + fade) / (1.0 - fade));
}

// What decides where a new node goes, relative to the inner node of the boundary element.
typedef struct Corner {
    hwVec3 outer, next; // m, of the end node and of the node beyond the inner one
    double rest, nextRest, relief;
    double EA, EI;
    hwVec3 slope; // unit, of a clamp, into the cable; zero: none
    bool hasNext;
} Corner;

static Corner GetCorner(const hwCableState* state, const hwCableModel* model, int end, const hwCableEnd* held,
                        const Boundary* b) {
    hwCableSection s =
        hwCableModel_Average(model, state->material[b->element], state->material[b->element + 1]);
    const hwVec3* x = state->position;
    Corner c = {
        .outer = hwSub(x[b->outer], x[b->inner]), .rest = b->rest, .relief = state->core->relief[end]};
    c.EA = s.EA;
    c.EI = s.EI;
    c.hasNext = state->core->nodes > 2 && !held->lies;
    if (c.hasNext) {
        int next = b->inner + (end == 0 ? 1 : -1);
        c.next = hwSub(x[next], x[b->inner]);
        c.nextRest = fabs(state->material[next] - state->material[b->inner]);
    }
    if (held->kind == HW_CABLE_CLAMP && s.EI > 0.0 && !held->lies)
        c.slope = end == 0 ? held->tangent : hwNeg(held->tangent);
    return c;
}

// The new node, `piece` m of material from the inner one, with the element's strain, on the curve rather than on
// the chord: the parabola through the three nodes and, at a clamp, what the clamp bends. On the chord it would first
// have to fall to where weight, drag and bending hold it. Where the element touches something, on the chord: what it touches holds it there,
// and the curve would lead into that.
static hwVec3 PlaceNode(const Corner* c, double piece) {
    double length = hwLength(c->outer), strain = (length - c->relief) / c->rest - 1.0;
    hwVec3 into = hwScale(-1.0 / length, c->outer), second = hwVec3_zero;
    if (c->hasNext) {
        hwVec3 change = hwAdd(hwScale(1.0 / c->nextRest, c->next), hwScale(1.0 / c->rest, c->outer));
        second = hwScale(2.0 / (c->rest + c->nextRest), change);
        second = hwMulAdd(second, -hwDot(second, into), into);
    }
    hwVec3 sag = hwScale(-0.5 * piece * (c->rest - piece), second);
    double size = hwLength(sag), limit = 0.2 * hwMin(piece, c->rest - piece);
    if (size > limit) sag = hwScale(limit / size, sag);
    if (hwLengthSquared(c->slope) > 0.0) {
        hwVec3 slope = hwMulAdd(c->slope, -hwDot(c->slope, into), into);
        slope = hwMulAdd(slope, 0.5 * c->rest, second);
        sag = hwMulAdd(sag, GetClampShape(c->rest - piece, c->rest, c->EI, strain * c->EA), slope);
    }
    double share =
        piece / c->rest * length; // exactly this when nothing is relieved and the curve is straight
    double want = hwClamp(piece * (1.0 + strain), 0.5 * share, 1.5 * share);
    hwVec3 away = hwSub(sag, hwScale(share, into));
    return hwScale(hwMin(want, 0.999 * length) / hwLength(away), away);
}

// Velocity of the new node. Without a clamp, that of the material on the chord. A clamp turns the material's way,
// so there the node moves as its place does while the cable moves and runs out.
static hwVec3 GetSplitVelocity(const hwCableState* state, int end, const hwCableEnd* held, const Boundary* b,
                               const Corner* corner, double piece) {
    const double instant = 1e-6; // s
    const hwVec3* v = state->velocity;
    if (hwLengthSquared(corner->slope) == 0.0) {
        return hwMulAdd(v[b->inner], piece / b->rest, hwSub(b->velocity, v[b->inner]));
    }
    Corner later = *corner;
    later.outer = hwMulAdd(later.outer, instant, hwSub(v[b->outer], v[b->inner]));
    if (corner->hasNext) {
        later.next = hwMulAdd(later.next, instant, hwSub(v[b->inner + (end == 0 ? 1 : -1)], v[b->inner]));
    }
    later.slope = hwMulAdd(later.slope, instant, hwCross(held->rate, later.slope));
    later.rest += instant * held->payout;
    hwVec3 moved = hwSub(PlaceNode(&later, piece), PlaceNode(corner, piece));
    return hwMulAdd(v[b->inner], 1.0 / instant, moved);
}

// Leaves `piece` m in the cable and the rest at the winch, both with the old strain.
static void Split(const hwCableState* state, const hwCableModel* model, int end, const hwCableEnd* held,
                  double piece) {
    Boundary b = GetBoundary(state, end, held->payout);
    Corner corner = GetCorner(state, model, end, held, &b);
    hwVec3 position = hwAdd(state->position[b.inner], PlaceNode(&corner, piece));
    hwVec3 velocity = GetSplitVelocity(state, end, held, &b, &corner, piece);
    double material = state->material[b.inner] + (end == 0 ? -piece : piece);
    double outer = hwDistance(state->position[b.outer], position);
    state->core->relief[end] = outer - (b.rest - piece) * (1.0 + b.strain);
    Insert(state, b.element + 1, material, position, velocity);
}

// Merges the boundary element with its neighbour. The merged element gets the mean of the two strains by
// length, which keeps both the end's force and the forces further in. Where slack ones met at a sharp bend it is clearly
// slack: a nearly taut one would have to follow the winch at once, into which only the outer of the two was hauled.
static void Merge(const hwCableState* state, const hwCableModel* model, int end, double rate) {
    Boundary b = GetBoundary(state, end, rate);
    int neighbour = end == 0 ? 1 : b.element - 1;
    double rest = state->material[neighbour + 1] - state->material[neighbour];
    double strain = (b.strain * b.rest + GetStrain(state, neighbour) * rest) / (b.rest + rest);
    hwVec3 kept = state->velocity[b.outer];
    hwVec3 around[2] = {state->velocity[b.inner - 1], state->velocity[b.inner + 1]};
    around[end] = b.velocity;
    Remove(state, model, b.inner, around);
    b = GetBoundary(state, end, 0.0);
    state->slack[b.element] = 0.0;
    state->velocity[b.outer] = kept;
    bool sharp = strain < 0.0 && b.length < b.rest * (1.0 + strain - SHARPEST);
    state->core->relief[end] = b.length - b.rest * (1.0 + (sharp ? hwMin(strain, -SHARPEST) : strain));
}

// What payout lets a boundary element be: merged below `min`, `ahead` m from now, and split above `max` into `inner` m and the rest.
typedef struct PayoutBounds {
    double min, max, inner, ahead;
} PayoutBounds;

static PayoutBounds GetBounds(const hwCableModel* model, int end, double rate, double time) {
    PayoutBounds b = {.ahead = hwMin(rate * time, 0.0)};
    hwCableModel_GetPayoutBounds(&model->sections[end == 0 ? 0 : model->sectionCount - 1], &b.min, &b.max,
                                 &b.inner);
    return b;
}

static bool IsTooShort(const PayoutBounds* b, double length) {
    return length + b->ahead < b->min;
}

static bool IsTooLong(const PayoutBounds* b, double length) {
    return length > b->max && length - b->inner + b->ahead >= b->min;
}

bool hwCableState_NeedsRemesh(const hwCableState* state, const hwCableModel* model, int end, double rate,
                              double time) {
    PayoutBounds bounds = GetBounds(model, end, rate, time);
    double length = GetBoundary(state, end, rate).rest;
    return IsTooShort(&bounds, length) || IsTooLong(&bounds, length);
}

hwStatus hwCableState_Remesh(const hwCableState* state, const hwCableModel* model, int end,
                             const hwCableEnd* held, double time, bool* changed, hwError* error) {
    double rate = held->payout;
    PayoutBounds bounds = GetBounds(model, end, rate, time);
    double length = GetBoundary(state, end, rate).rest;
    *changed = false;
    while (IsTooShort(&bounds, length)) {
        if (state->core->nodes == 2) {
            hwFail(error, HW_ERROR_LIMIT, model->name,
                   "%s: the winch at end %c would haul in the last element, element 0 of %g m", model->name,
                   end == 0 ? 'a' : 'b', length);
            hwFail_At(error, 0, (double)NAN);
            hwFail_Hint(error, "stop the winch while some cable is left, or use shorter elements");
            return HW_ERROR_LIMIT;
        }
        Merge(state, model, end, rate);
        length = GetBoundary(state, end, rate).rest;
        *changed = true;
    }
    while (IsTooLong(&bounds, length)) {
        if (state->core->nodes >= model->nodeCapacity) {
            hwFail(error, HW_ERROR_LIMIT, model->name,
                   "%s: the winch at end %c has paid out all the cable that was reserved", model->name,
                   end == 0 ? 'a' : 'b');
            hwFail_At(error, state->core->nodes, (double)NAN);
            hwFail_Hint(error, "reserve a longer cable");
            return HW_ERROR_LIMIT;
        }
        Split(state, model, end, held, bounds.inner);
        length -= bounds.inner;
        *changed = true;
    }
    return HW_OK;
}

#define RELIEF_TIME 1.0 // s, in which what elements count as shorter fades as ever
#define SLOW_FADE 5e-5  // 1/s, at which it goes after a change of model, as a part of the length

double hwCableCore_GetFadeTime(const hwCableCore* core) {
    return core->fadeTime > 0.0 ? core->fadeTime : RELIEF_TIME;
}

// What elements count as shorter fades as exp(-t / RELIEF_TIME). Within a step evaluations follow it (hwCableInput.since): were it
// to jump at the end of each, every jump would excite the elements' dampers, which are stiff.
double hwCableCore_GetFade(const hwCableCore* core, double time) {
    return time != 0.0 ? hwExp(-time / hwCableCore_GetFadeTime(core)) : 1.0;
}

static bool HasSlack(const hwCableState* state) {
    const double* slacks = state->slack;
    int inner = state->core->nodes - 2, at = 1;
    hwM4 any = {0};
    for (; at + HW_LANES <= inner; at += HW_LANES) any |= Load4(slacks + at) != 0.0;
    bool slack = (any[0] | any[1] | any[2] | any[3]) != 0;
    for (; at < inner; ++at) slack = slack || slacks[at] != 0.0;
    return slack;
}

static bool Fade(const hwCableState* state, double time) {
    hwCableCore* core = state->core;
    bool ends = core->relief[0] != 0.0 || core->relief[1] != 0.0, slack = HasSlack(state);
    if (!ends && !slack) return false;
    double fade = hwCableCore_GetFade(core, time);
    core->relief[0] *= fade;
    core->relief[1] *= fade;
    for (int e = 1; slack && e < core->nodes - 2; ++e) state->slack[e] *= fade;
    return true;
}

void hwCableState_Fade(const hwCableState* state, double time) {
    Fade(state, time);
}

static void Drop(double* slack, double rest) {
    if (fabs(*slack) < 1e-15 * rest) *slack = 0.0;
}

void hwCableState_Relax(const hwCableState* state, double time) {
    if (!Fade(state, time)) return;
    const double* m = state->material;
    int last = state->core->nodes - 2;
    Drop(&state->core->relief[0], m[1] - m[0]);
    Drop(&state->core->relief[1], m[last + 1] - m[last]);
    for (int e = 1; e < last; ++e) Drop(&state->slack[e], m[e + 1] - m[e]);
    if (state->core->fadeTime > 0.0) hwCableState_FadeSlowly(state);
}

// Refinement ---------------------------------------------------------------------------------------------------------------

// What an element counts as shorter, wherever that is kept, and keeping another value of it.
static double GetSlack(const hwCableState* state, int e) {
    double slack = state->slack[e];
    if (e == 0) slack += state->core->relief[0];
    if (e == state->core->nodes - 2) slack += state->core->relief[1];
    return slack;
}

static void SetSlack(const hwCableState* state, int e, double slack) {
    int last = state->core->nodes - 2;
    if (e == last) state->core->relief[1] = 0.0;
    if (e == 0) state->core->relief[0] = slack;
    if (e == last && e > 0) state->core->relief[1] = slack;
    state->slack[e] = e == 0 || e == last ? 0.0 : slack;
}

// A winch that holds a tension takes up so much; a second for some per cent of the length would be a pull of its own.
void hwCableState_FadeSlowly(const hwCableState* state) {
    double sum = 0.0;
    for (int e = 0; e + 1 < state->core->nodes; ++e) sum += fabs(GetSlack(state, e));
    double part = sum / hwCableState_GetLength(state);
    state->core->fadeTime = part > SLOW_FADE * RELIEF_TIME ? part / SLOW_FADE : 0.0;
}

double hwCableState_GetPull(const hwCableState* state, const hwCableModel* model, int e) {
    hwCableSection section = hwCableModel_Average(model, state->material[e], state->material[e + 1]);
    return hwFmax(section.EA * GetStrain(state, e), 0.0);
}

void hwCableState_Trim(const hwCableState* state, const hwCableModel* model, int e, double tension) {
    hwCableSection section = hwCableModel_Average(model, state->material[e], state->material[e + 1]);
    double rest = state->material[e + 1] - state->material[e];
    SetSlack(state, e,
             hwDistance(state->position[e], state->position[e + 1]) - rest * (1.0 + tension / section.EA));
}

bool hwCableState_Halve(const hwCableState* state, const hwCableModel* model, int e) {
    if (state->core->nodes >= model->nodeCapacity) return false;
    double slack = GetSlack(state, e);
    int32_t level = state->level[e] > state->level[e + 1] ? state->level[e] : state->level[e + 1];
    // friction of the bottom goes on pulling as at the two nodes
    hwVec3 slip = hwSub(hwAdd(state->position[e], state->position[e + 1]),
                        hwAdd(state->anchor[e], state->anchor[e + 1]));
    SetSlack(state, e, 0.0);
    hwCableState_InsertNode(state, model, e, 0.5);
    state->anchor[e + 1] = hwMulAdd(state->position[e + 1], -0.5, slip);
    state->level[e + 1] = level + 1;
    state->core->inserted += 1;
    SetSlack(state, e, 0.5 * slack);
    SetSlack(state, e + 1, 0.5 * slack);
    return true;
}

bool hwCableState_CanJoin(const hwCableState* state, int node) {
    if (node <= 0 || node >= state->core->nodes - 1) return false;
    const int32_t* level = state->level + node;
    return level[0] > 0 && level[-1] < level[0] && level[1] < level[0];
}

void hwCableState_Join(const hwCableState* state, const hwCableModel* model, int node) {
    double l0 = state->material[node] - state->material[node - 1];
    double l1 = state->material[node + 1] - state->material[node];
    double strain = (l0 * GetStrain(state, node - 1) + l1 * GetStrain(state, node)) / (l0 + l1);
    // what is kept of the two goes into the slack of the one
    SetSlack(state, node - 1, 0.0);
    SetSlack(state, node, 0.0);
    hwCableState_RemoveNode(state, model, node);
    double length = hwDistance(state->position[node - 1], state->position[node]);
    SetSlack(state, node - 1, length - (l0 + l1) * (1.0 + strain));
}

static int CountInserted(const hwCableState* state) {
    int count = 0;
    for (int i = 0; i < state->core->nodes; ++i) count += state->level[i] > 0;
    return count;
}

void hwCableState_Cut(const hwCableState* state, const hwCableState* rest, int node) {
    int nodes = state->core->nodes, count = nodes - node;
    size_t n = (size_t)count;
    double at = state->material[node];
    *rest->core = (hwCableCore){.nodes = count,
                                .relief = {0.0, state->core->relief[1]},
                                .fadeTime = state->core->fadeTime,
                                .seen = {at, state->core->seen[1]}};
    state->core->seen[1] = at;
    memcpy(rest->position, state->position + node, n * sizeof(hwVec3));
    memcpy(rest->velocity, state->velocity + node, n * sizeof(hwVec3));
    memcpy(rest->material, state->material + node, n * sizeof(double));
    memcpy(rest->anchor, state->anchor + node, n * sizeof(hwVec3));
    memcpy(rest->slack, state->slack + node, n * sizeof(double));
    memcpy(rest->level, state->level + node, n * sizeof(int32_t));
    state->core->nodes = node + 1;
    state->core->relief[1] = 0.0;
    state->core->twist = 0.0;
    // what was an inner element may be at an end now; a node there is one of the mesh
    if (node > 1) {
        state->core->relief[1] = state->slack[node - 1];
        state->slack[node - 1] = 0.0;
    }
    if (count > 2) {
        rest->core->relief[0] = rest->slack[0];
        rest->slack[0] = 0.0;
    }
    state->level[node] = rest->level[0] = 0;
    state->core->inserted = CountInserted(state);
    rest->core->inserted = CountInserted(rest);
}
