// Changing the mesh: payout, splitting and merging elements, cutting.
//
// An implicit step does not mind short elements, so a boundary element may shrink to a tenth of the others
// before it is merged, and is split while the new piece at the winch is still short: the shorter the piece,
// the less the shape changes when a node comes or goes.
#include "cable/arrays.h"

#define RELIEF_TIME 1.0 // s, in which the length that a merge cut short is taken up

static void Move(const hwCableState* state, int to, int from, int count) {
    size_t n = (size_t)count;
    memmove(state->position + to, state->position + from, n * sizeof(hwVec3));
    memmove(state->velocity + to, state->velocity + from, n * sizeof(hwVec3));
    memmove(state->material + to, state->material + from, n * sizeof(double));
    memmove(state->anchor + to, state->anchor + from, n * sizeof(hwVec3));
}

static void Insert(const hwCableState* state, int before, double material, hwVec3 position, hwVec3 velocity) {
    Move(state, before + 1, before, state->core->nodes - before);
    state->core->nodes += 1;
    state->material[before] = material;
    state->position[before] = position;
    state->velocity[before] = velocity;
    state->anchor[before] = position;
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

// Removes a node. The momentum that the mesh would lose goes to the neighbours by the lever rule; `around`
// are the velocities of the material at the neighbours.
static void Remove(const hwCableState* state, const hwCableModel* model, int node, const hwVec3 around[2]) {
    double l0 = state->material[node] - state->material[node - 1];
    double l1 = state->material[node + 1] - state->material[node];
    hwVec3 momentum = hwScale(GetNodeMass(state, model, node), state->velocity[node]);
    momentum = hwMulAdd(momentum, GetNodeMass(state, model, node - 1), around[0]);
    momentum = hwMulAdd(momentum, GetNodeMass(state, model, node + 1), around[1]);
    Move(state, node, node + 1, state->core->nodes - node - 1);
    state->core->nodes -= 1;
    double m0 = GetNodeMass(state, model, node - 1), m1 = GetNodeMass(state, model, node);
    momentum = hwSub(momentum, hwAdd(hwScale(m0, around[0]), hwScale(m1, around[1])));
    hwVec3* v = state->velocity;
    v[node - 1] = hwMulAdd(v[node - 1], l1 / ((l0 + l1) * m0), momentum);
    v[node] = hwMulAdd(v[node], l0 / ((l0 + l1) * m1), momentum);
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

// How far the curve through the boundary element's nodes and the next one lies off the chord at a distance
// `piece` from the inner node: a parabola. On the chord itself the new node would first have to fall to where
// weight or drag hold it.
static hwVec3 GetSag(const hwCableState* state, int end, const Boundary* b, double piece) {
    if (state->core->nodes < 3) return hwVec3_zero;
    int next = b->inner + (end == 0 ? 1 : -1);
    const hwVec3* x = state->position;
    double rest = fabs(state->material[next] - state->material[b->inner]);
    hwVec3 slope0 = hwScale(1.0 / b->rest, hwSub(x[b->inner], x[b->outer]));
    hwVec3 slope1 = hwScale(1.0 / rest, hwSub(x[next], x[b->inner]));
    hwVec3 second = hwScale(2.0 / (b->rest + rest), hwSub(slope1, slope0));
    hwVec3 sag = hwScale(-0.5 * piece * (b->rest - piece), second);
    sag = hwMulAdd(sag, -hwDot(sag, b->into), b->into);
    double size = hwLength(sag), limit = 0.2 * hwMin(piece, b->rest - piece);
    return size > limit ? hwScale(limit / size, sag) : sag;
}

// Leaves `piece` m in the cable and the rest at the winch, both with the old strain.
static void Split(const hwCableState* state, int end, double rate, double piece) {
    Boundary b = GetBoundary(state, end, rate);
    double share =
        piece / b.rest * b.length; // exactly this when nothing is relieved and the curve is straight
    double length = hwMin(hwClamp(piece * (1.0 + b.strain), 0.5 * share, 1.5 * share), 0.999 * b.length);
    hwVec3 away = hwSub(GetSag(state, end, &b, piece), hwScale(share, b.into));
    hwVec3 position = hwMulAdd(state->position[b.inner], length / hwLength(away), away);
    hwVec3 velocity =
        hwMulAdd(state->velocity[b.inner], piece / b.rest, hwSub(b.velocity, state->velocity[b.inner]));
    double material = state->material[b.inner] + (end == 0 ? -piece : piece);
    state->core->relief[end] =
        hwDistance(state->position[b.outer], position) - (b.rest - piece) * (1.0 + b.strain);
    Insert(state, b.element + 1, material, position, velocity);
}

// Merges the boundary element with its neighbour. The merged element gets the mean of the two strains by
// length, which keeps both the end's force and the forces further in.
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
    state->velocity[b.outer] = kept;
    state->core->relief[end] = b.length - b.rest * (1.0 + strain);
}

hwStatus hwCableState_Remesh(const hwCableState* state, const hwCableModel* model, int end, double rate,
                             double time, bool* changed, hwError* error) {
    double min, max, inner, ahead = hwMin(rate * time, 0.0);
    hwCableModel_GetPayoutBounds(&model->sections[end == 0 ? 0 : model->sectionCount - 1], &min, &max,
                                 &inner);
    double length = GetBoundary(state, end, rate).rest;
    *changed = false;
    while (length + ahead < min) {
        if (state->core->nodes == 2) {
            hwFail(error, HW_ERROR_LIMIT, model->name,
                   "the winch at end %c would haul in the last element, %g m", end == 0 ? 'a' : 'b', length);
            hwFail_At(error, 0, (double)NAN);
            hwFail_Hint(error, "stop the winch while some cable is left, or use shorter elements");
            return HW_ERROR_LIMIT;
        }
        Merge(state, model, end, rate);
        length = GetBoundary(state, end, rate).rest;
        *changed = true;
    }
    while (length > max && length - inner + ahead >= min) {
        if (state->core->nodes >= model->nodeCapacity) {
            hwFail(error, HW_ERROR_LIMIT, model->name,
                   "the winch at end %c has paid out all the cable that was reserved", end == 0 ? 'a' : 'b');
            hwFail_At(error, state->core->nodes, (double)NAN);
            hwFail_Hint(error, "reserve a longer cable");
            return HW_ERROR_LIMIT;
        }
        Split(state, end, rate, inner);
        length -= inner;
        *changed = true;
    }
    return HW_OK;
}

void hwCableState_Relax(const hwCableState* state, double time) {
    double fade = exp(-time / RELIEF_TIME);
    state->core->relief[0] *= fade;
    state->core->relief[1] *= fade;
}

void hwCableState_Cut(const hwCableState* state, const hwCableState* rest, int node) {
    int nodes = state->core->nodes, count = nodes - node;
    size_t n = (size_t)count;
    *rest->core = (hwCableCore){.nodes = count, .relief = {0.0, state->core->relief[1]}};
    memcpy(rest->position, state->position + node, n * sizeof(hwVec3));
    memcpy(rest->velocity, state->velocity + node, n * sizeof(hwVec3));
    memcpy(rest->material, state->material + node, n * sizeof(double));
    memcpy(rest->anchor, state->anchor + node, n * sizeof(hwVec3));
    state->core->nodes = node + 1;
    state->core->relief[1] = 0.0;
    state->core->twist = 0.0;
}
