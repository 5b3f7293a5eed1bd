// Equilibrium of one cable with known ends: Newton with pseudo-transient continuation (Kelley & Keyes 1998).
//
// With all velocities zero, A(hd) dv = hd f is implicit Euler from rest; dx = hd dv solves (M/hd^2 + C/hd +
// K) dx = f. The pseudo time step hd grows as the residual falls, from a careful fall to Newton's method. A
// step is taken in full when the work of the forces along it has not reversed, else it is shortened until
// that work is small.
//
// An element that has been turned over and pushes on its neighbour is in balance as a rod on its tip is: what keeps it there is
// that nothing moves it sideways. Such elements are laid across and the search goes on.
#include "cable/arrays.h"

#define MAX_UNFOLDINGS 8

typedef struct Search {
    hwCableWork* work;
    const hwCableState* state;
    hwCableInput input;
    const hwCableStatics* statics;
    hwCableSeabed seabed; // without friction: there is no history to tell its direction
    hwVec3* from;         // scratch of the work: positions before the step
    hwVec3* step;
} Search;

static void EvaluateSearch(Search* search, bool matrix) {
    if (search->statics->sample != NULL) search->statics->sample(search->statics->context, search->state);
    search->input.matrix = matrix;
    hwCableWork_Evaluate(search->work, search->state, &search->input);
    if (search->statics->load != NULL)
        search->statics->load(search->statics->context, search->work, search->state);
    if (search->statics->seabed != NULL) hwCableWork_AddSeabed(search->work, search->state, &search->seabed);
    int last = search->work->nodes - 1;
    if (search->input.ends[0].kind != HW_CABLE_FREE) search->work->force[0] = hwVec3_zero;
    if (search->input.ends[1].kind != HW_CABLE_FREE) search->work->force[last] = hwVec3_zero;
}

static double GetWork(const Search* search) {
    double sum = 0.0;
    for (int i = 0; i < search->work->nodes; ++i) sum += hwDot(search->work->force[i], search->step[i]);
    return sum;
}

static void MoveNodes(const Search* search, double fraction) {
    for (int i = 0; i < search->work->nodes; ++i) {
        search->state->position[i] = hwMulAdd(search->from[i], fraction, search->step[i]);
    }
}

static double GetResidual(const Search* search) {
    double largest = 0.0;
    for (int i = 0; i < search->work->nodes; ++i)
        largest = hwMax(largest, hwLengthSquared(search->work->force[i]));
    return sqrt(largest);
}

double hwCableWork_GetForceScale(const hwCableWork* work, const hwCableState* state, double gravity,
                                 double tolerance) {
    const hwCableArrays* s = work->arrays;
    double scale = 1e-300;
    for (int e = 0; e < work->nodes - 1; ++e) {
        double rounding = 4e-16 * s->stiffness[e] * (1.0 + hwLength(state->position[e]) * s->restInverse[e]);
        scale = hwMax(scale, fabs(work->tension[e]));
        scale = hwMax(scale, gravity * s->mass[e]);
        scale = hwMax(scale, rounding / tolerance);
    }
    return scale;
}

static double GetScale(const Search* search, double tolerance) {
    return hwCableWork_GetForceScale(search->work, search->state, search->input.gravity, tolerance);
}

// Longest move that keeps the linearisation meaningful: half an element.
static double GetLimit(const Search* search) {
    const hwCableArrays* s = search->work->arrays;
    double move = 0.0, shortest = HUGE_VAL;
    for (int e = 0; e < search->work->nodes - 1; ++e) shortest = hwMin(shortest, s->rest[e]);
    for (int i = 0; i < search->work->nodes; ++i) move = hwMax(move, hwLengthSquared(search->step[i]));
    return move > 0.0 ? 0.5 * hwMax(shortest, 1e-3 * hwCableState_GetLength(search->state)) / sqrt(move)
                      : 1.0;
}

// Moves along the step and returns the fraction taken.
static double TakeLineStep(Search* search, double start) {
    double fraction = hwMin(1.0, GetLimit(search));
    const hwCableStatics* statics = search->statics;
    if (statics->limit != NULL)
        fraction = hwMin(fraction, statics->limit(statics->context, search->state, search->step));
    double low = 0.0, high = fraction, workLow = start, workHigh = 0.0;
    for (int k = 0; k < 12; ++k) {
        MoveNodes(search, fraction);
        EvaluateSearch(search, false);
        double end = GetWork(search);
        if (fabs(end) < 0.8 * start || (k == 0 && end > 0.0)) break;
        if (end > 0.0) {
            low = fraction;
            workLow = end;
        } else {
            high = fraction;
            workHigh = end;
        }
        if (workHigh == 0.0) break;
        fraction = low + (high - low) * hwClamp(workLow / (workLow - workHigh), 0.1, 0.9);
    }
    return fraction;
}

// Lays elements that push against a taut neighbour across the line that they are in, by moving the node that is nearer to the
// middle. (In a slack heap the neighbours do not pull.) False: there are none.
static bool Unfold(Search* search) {
    const hwCableArrays* s = search->work->arrays;
    const double* tension = search->work->tension;
    int last = search->work->nodes - 1;
    bool any = false;
    for (int e = 0; e < last; ++e) {
        hwVec3 along = hwSub(search->state->position[e + 1], search->state->position[e]);
        if (!(s->stiffness[e] > 0.0) || hwLength(along) - s->relief[e] >= HW_SHORTEST * s->rest[e]) continue;
        double pull = hwMax(e > 0 ? tension[e - 1] : 0.0, e < last - 1 ? tension[e + 1] : 0.0);
        int node = 2 * e < last ? e + 1 : e;
        if (pull < -0.5 * tension[e] || node == 0 || node == last) continue;
        // level, so that the bottom is not in the way
        hwVec3 across = {-along.y, along.x, 0.0};
        if (!(hwLengthSquared(across) > 1e-6 * hwLengthSquared(along))) across = hwMakeVec3(1.0, 0.0, 0.0);
        double move = 0.5 * s->rest[e] / hwLength(across);
        search->state->position[node] = hwMulAdd(search->state->position[node], move, across);
        any = true;
    }
    return any;
}

hwStatus hwCableWork_SolveStatics(hwCableWork* work, const hwCableState* state, const hwCableInput* input,
                                  hwCableStatics* statics, hwError* error) {
    hwCableArrays* s = work->arrays;
    Search search = {work, state, *input, statics, {0}, s->staticsFrom, s->staticsStep};
    if (statics->seabed != NULL) search.seabed = *statics->seabed;
    search.seabed.friction = 0.0;
    double tolerance = statics->tolerance > 0.0 ? statics->tolerance : 1e-9;
    int limit = statics->maxIterations > 0 ? statics->maxIterations : 2000, unfoldings = 0;
    for (int i = 0; i < work->nodes; ++i) state->velocity[i] = hwVec3_zero;
    for (int end = 0; end < 2; ++end) {
        search.input.ends[end].unknown = false;
        search.input.ends[end].payout = search.input.ends[end].acceleration = 0.0;
        search.input.ends[end].rate = hwVec3_zero;
    }
    search.input.hd = 1.0;
    EvaluateSearch(&search, false);
    double residual = GetResidual(&search);
    for (statics->iterations = 0; statics->iterations < limit; ++statics->iterations) {
        statics->residual = residual / GetScale(&search, tolerance);
        if (statics->residual <= tolerance) {
            if (unfoldings++ == MAX_UNFOLDINGS || !Unfold(&search)) break;
            search.input.hd = 1.0;
            EvaluateSearch(&search, false);
            residual = GetResidual(&search);
        }
        if (statics->stop != NULL && statics->stop(statics->context)) break;
        EvaluateSearch(&search, true);
        hwCableWork_Factor(work, NULL, 0);
        hwCableWork_Reduce(work, work->force, NULL, NULL);
        hwCableWork_Solve(work, NULL, search.step);
        for (int i = 0; i < work->nodes; ++i) {
            search.from[i] = state->position[i];
            search.step[i] = hwScale(search.input.hd * search.input.hd, search.step[i]);
        }
        double fraction = TakeLineStep(&search, GetWork(&search)), now = GetResidual(&search);
        double growth = hwClamp(residual / now, 0.5, 4.0);
        if (fraction < 0.5) growth = 0.7;
        search.input.hd = hwClamp(search.input.hd * growth, 1e-4, 1e7);
        if (!isfinite(now)) break;
        residual = now;
    }
    statics->residual = residual / GetScale(&search, tolerance);
    for (int i = 0; i < work->nodes; ++i) state->anchor[i] = state->position[i];
    state->core->twist = work->twist;
    if (statics->residual <= tolerance) return HW_OK;
    hwFail(error, HW_ERROR_NUMERIC, work->model->name,
           "static equilibrium was not found in %d iterations; the residual is %.2g of the largest tension",
           statics->iterations, statics->residual);
    hwFail_Hint(error,
                "start from a shape closer to the equilibrium, or let the cable settle in a short run");
    return HW_ERROR_NUMERIC;
}
