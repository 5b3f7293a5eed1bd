// Impulses along the elements of a cable after which none of them stretches.
//
// Element e with the direction t, of nodes e and e + 1, stretches at the rate t (v[e+1] - v[e]) - payout. Impulses p change it by
//     -p[e] (1/m[e] + 1/m[e+1]) + p[e-1] t[e-1] t[e] / m[e] + p[e+1] t[e] t[e+1] / m[e+1],
// one tridiagonal system for all. Nodes of held ends take no part in it, 1/m = 0. A straight cable between two of them has one
// element more than nodes that can go along it: its matrix is singular, and a little on the diagonal leaves all elements the same
// rate.
#include "cable/cable.h"

#define LITTLE 1e-7 // of what goes with a mean element, 1/kg

// 1/kg of a node, which has half of the elements beside it.
static double GetLightness(const hwCableState* state, const hwCableModel* model, const hwCableHold holds[2],
                           int i) {
    int last = state->core->nodes - 1, before = i > 0 ? i - 1 : 0, after = i < last ? i + 1 : last;
    if ((i == 0 && holds[0].held) || (i == last && holds[1].held)) return 0.0;
    return 2.0 / hwCableModel_GetMass(model, state->material[before], state->material[after]);
}

static hwVec3 GetDirection(const hwCableState* state, int e) {
    return hwNormalize(hwSub(state->position[e + 1], state->position[e]));
}

static double GetRate(const hwCableState* state, const hwCableHold holds[2], int e) {
    double rate = hwDot(GetDirection(state, e), hwSub(state->velocity[e + 1], state->velocity[e]));
    if (e == 0) rate -= holds[0].payout;
    if (e == state->core->nodes - 2) rate -= holds[1].payout;
    return rate;
}

// What a unit impulse along one element does to the rate of the one before.
static double GetCoupling(const hwCableState* state, const hwCableModel* model, const hwCableHold holds[2],
                          int e) {
    if (e == 0 || e > state->core->nodes - 2) return 0.0;
    return -GetLightness(state, model, holds, e) * hwDot(GetDirection(state, e - 1), GetDirection(state, e));
}

void hwCableState_StopStretching(const hwCableState* state, const hwCableModel* model,
                                 const hwCableHold holds[2], double* pivots, double* impulses) {
    int elements = state->core->nodes - 1;
    if (elements == 1 && holds[0].held && holds[1].held) return;
    double little =
        LITTLE * elements / hwCableModel_GetMass(model, state->material[0], state->material[elements]);
    for (int e = 0; e < elements; ++e) {
        double coupling = GetCoupling(state, model, holds, e), part = e > 0 ? coupling / pivots[e - 1] : 0.0;
        double diagonal = GetLightness(state, model, holds, e) + GetLightness(state, model, holds, e + 1);
        pivots[e] = diagonal + little - part * coupling;
        impulses[e] = GetRate(state, holds, e) - (e > 0 ? part * impulses[e - 1] : 0.0);
    }
    double after = 0.0;
    for (int e = elements - 1; e >= 0; --e)
        after = impulses[e] = (impulses[e] - GetCoupling(state, model, holds, e + 1) * after) / pivots[e];
    for (int e = 0; e < elements; ++e) {
        hwVec3 p = hwScale(impulses[e], GetDirection(state, e));
        double before = GetLightness(state, model, holds, e),
               behind = GetLightness(state, model, holds, e + 1);
        state->velocity[e] = hwMulAdd(state->velocity[e], before, p);
        state->velocity[e + 1] = hwMulAdd(state->velocity[e + 1], -behind, p);
    }
}
