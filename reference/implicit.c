// Diagonally implicit Runge-Kutta of order 5 with an embedded method of order 4 (Kennedy & Carpenter 2016): L-stable and
// stiffly accurate, first stage explicit. Stages are solved by the world (hwSystem_SolveStage).
#include "implicit.h"
#include "hawser/elementary.h"

#include <math.h>
#include <stdio.h> // ARKODE needs it
#include <stdlib.h>
#include <string.h>

#include <arkode/arkode_butcher_dirk.h>

#define MOST_STAGES 8
#define MOST_ITERATIONS 14
// Of the tolerance, the error of a step. Errors of steps add up to errors of results, and tensions multiply them by stiffness: with
// this, tensions at 1e-6 are within 5e-5 of what they are at 1e-9 in most scenes.
#define ALLOWED 0.8
#define NEWTON_PART 0.02 // of that may be left by Newton's method
#define WITHIN 0.01      // m, of the tolerance: see hwSystemStage
#define FIRST_STEP 1e-3  // s, at most
#define SAFETY 0.9
#define MOST_GROWTH 5.0
#define MOST_SHRINK 0.2
#define UNSOLVED 0.25 // of a step whose stages were not solved, the next one
#define ORDER 5.0
#define MOST_POINTS 4 // of the polynomial by which a stage is guessed
#define SHORTEST 1e-15

struct Implicit {
    hwWorld* world;
    ARKodeButcherTable table;
    int size;
    double time, h, tolerance; // of the state, of the next step
    double last, lastError;    // size of the last step, and its error; 0: none
    double cost;
    double *y, *before, *slope;
    double* values[MOST_STAGES]; // of stages
    double* slopes[MOST_STAGES];
    double *base, *error, *scales, *weights, *scratch, *memory;
    double* fromSlope; // at the start of the last step
    double begin;      // its time
    unsigned char* placed;
};

Implicit* Implicit_Create(hwWorld* world) {
    Implicit* m = calloc(1, sizeof(*m));
    if (m == NULL) return NULL;
    m->world = world;
    m->size = hwSystem_GetSize(world);
    m->table = ARKodeButcherTable_LoadDIRK(ARKODE_ESDIRK547L2SA_7_4_5);
    size_t size = (size_t)m->size;
    m->memory = calloc((10 + 2 * MOST_STAGES) * size + 1, sizeof(double));
    m->placed = calloc(size + 1, 1);
    if (m->table == NULL || m->table->stages > MOST_STAGES || m->memory == NULL || m->placed == NULL) {
        Implicit_Destroy(m);
        return NULL;
    }
    double* next = m->memory;
    double** arrays[] = {&m->y,     &m->before, &m->slope,   &m->base,
                         &m->error, &m->scales, &m->weights, &m->fromSlope};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(arrays[0]); ++k, next += size) *arrays[k] = next;
    for (int k = 0; k < MOST_STAGES; ++k, next += 2 * size) {
        m->values[k] = next;
        m->slopes[k] = next + size;
    }
    m->scratch = next;
    return m;
}

void Implicit_Destroy(Implicit* m) {
    if (m == NULL) return;
    if (m->table != NULL) ARKodeButcherTable_Free(m->table);
    free(m->memory);
    free(m->placed);
    free(m);
}

double Implicit_GetCost(const Implicit* m) {
    return m->cost;
}

void Implicit_Weigh(const hwWorld* world, double tolerance, const double* y, double* scales,
                    double* weights) {
    int size = hwSystem_GetSize(world), count = 0;
    hwSystem_GetScales(world, scales);
    for (int i = 0; i < size; ++i) count += scales[i] < HW_SCALE_ASIDE;
    double mean = 1.0 / (tolerance * sqrt((double)(count > 0 ? count : 1)));
    for (int i = 0; i < size; ++i) weights[i] = mean / (fabs(y[i]) + scales[i]);
}

// Root of the mean square of what is judged: what has no motion of its own is not.
static double Measure(const Implicit* m, const double* x) {
    double sum = 0.0;
    for (int i = 0; i < m->size; ++i) {
        double part = m->placed[i] ? 0.0 : x[i] * m->weights[i];
        sum += part * part;
    }
    return sqrt(sum);
}

hwStatus Implicit_Start(Implicit* m, double time, const double* y, double tolerance, hwError* error) {
    hwSolverDef def = hwSystem_GetSolverDef(m->world);
    m->time = time;
    m->tolerance = tolerance;
    m->last = m->lastError = 0.0;
    memcpy(m->y, y, (size_t)m->size * sizeof(double));
    memset(m->placed, 0, (size_t)m->size);
    Implicit_Weigh(m->world, tolerance, y, m->scales, m->weights);
    hwStatus status = hwSystem_Evaluate(m->world, time, y, m->slope, error);
    m->cost += 1.0;
    if (status != HW_OK) return status;
    // in which nothing goes farther than the tolerance; steps grow from there
    m->h = def.initial > 0.0 ? def.initial : hwFmin(1.0 / (Measure(m, m->slope) + 1e-30), FIRST_STEP);
    return HW_OK;
}

// Weights of a polynomial through values at x[0..count), taken at `at`.
static void Extrapolate(int count, const double* x, double at, double* weights) {
    for (int i = 0; i < count; ++i) {
        weights[i] = 1.0;
        for (int j = 0; j < count; ++j) {
            if (j != i) weights[i] *= (at - x[j]) / (x[i] - x[j]);
        }
    }
}

// A first guess of stage s of a step of h: velocities on a polynomial through those of this step's start and stages and of the last
// step's start; coordinates that go with them.
static void Guess(Implicit* m, int s, double h, const double* y) {
    double points[MOST_STAGES + 1], weights[MOST_STAGES + 1];
    const double* values[MOST_STAGES + 1];
    int count = 0;
    const double* c = m->table->c;
    if (m->last > 0.0 && s <= 2) {
        points[count] = -m->last / h;
        values[count++] = m->before;
    }
    points[count] = 0.0;
    values[count++] = y;
    for (int j = s - 1; j >= 1 && count < MOST_POINTS; --j) {
        bool seen = false;
        for (int k = 0; k < count; ++k) seen = seen || fabs(points[k] - c[j]) < 0.05;
        if (seen) continue;
        points[count] = c[j];
        values[count++] = m->values[j];
    }
    double* to = m->values[s];
    if (s == 1) { // by the slope at the start
        for (int i = 0; i < m->size; ++i) to[i] = y[i] + c[s] * h * m->slopes[0][i];
        return;
    }
    Extrapolate(count, points, c[s], weights);
    for (int i = 0; i < m->size; ++i) {
        double sum = 0.0;
        for (int k = 0; k < count; ++k) sum += weights[k] * values[k][i];
        to[i] = sum;
    }
}

// All stages of a step of h from y with slopes[0]; the last one is its end.
static hwStatus SolveStages(Implicit* m, double time, double h, const double* y, hwError* error) {
    const ARKodeButcherTable t = m->table;
    memcpy(m->values[0], y, (size_t)m->size * sizeof(double));
    for (int s = 1; s < t->stages; ++s) {
        double gamma = h * t->A[s][s], inverse = 1.0 / gamma;
        for (int i = 0; i < m->size; ++i) {
            double sum = 0.0;
            for (int j = 0; j < s; ++j) sum += t->A[s][j] * m->slopes[j][i];
            m->base[i] = y[i] + h * sum;
        }
        Guess(m, s, h, y);
        hwSystemStage stage = {.time = time + t->c[s] * h,
                               .gamma = gamma,
                               .base = m->base,
                               .weights = m->weights,
                               .left = NEWTON_PART * ALLOWED,
                               .most = MOST_ITERATIONS,
                               .within = WITHIN * m->tolerance,
                               .placed = m->placed,
                               .scratch = m->scratch};
        hwStatus status = hwSystem_SolveStage(m->world, &stage, m->values[s], error);
        if (status != HW_OK) return status;
        // deduced: evaluated, slopes would magnify what Newton's method leaves
        for (int i = 0; i < m->size; ++i) m->slopes[s][i] = (m->values[s][i] - m->base[i]) * inverse;
    }
    return HW_OK;
}

// Of the step that SolveStages has solved, in what is allowed.
static double EstimateError(Implicit* m, double h) {
    const ARKodeButcherTable t = m->table;
    for (int i = 0; i < m->size; ++i) {
        double sum = 0.0;
        for (int j = 0; j < t->stages; ++j) sum += (t->b[j] - t->d[j]) * m->slopes[j][i];
        m->error[i] = h * sum;
    }
    return Measure(m, m->error) / ALLOWED;
}

hwStatus Implicit_Step(Implicit* m, double end, double* time, double* y, hwError* error) {
    hwSolverDef def = hwSystem_GetSolverDef(m->world);
    size_t bytes = (size_t)m->size * sizeof(double);
    double before = hwWorld_GetCounters(m->world).iterations;
    hwStatus status = HW_ERROR_NUMERIC;
    bool refused = false;
    Implicit_Weigh(m->world, m->tolerance, m->y, m->scales, m->weights);
    memcpy(m->slopes[0], m->slope, bytes);
    for (;;) {
        double h = m->h;
        if (def.max > 0.0) h = hwFmin(h, def.max);
        double rest = end - m->time;
        bool cut = h >= rest;
        if (cut)
            h = rest;
        else if (h > 0.5 * rest)
            h = 0.5 * rest;
        if (!(m->time + h > m->time)) break;
        status = SolveStages(m, m->time, h, m->y, error);
        double off = status == HW_OK ? EstimateError(m, h) : INFINITY;
        if (!(off <= 1.0)) {
            double factor =
                status != HW_OK ? UNSOLVED : hwFmax(SAFETY * hwPow(off, -1.0 / ORDER), MOST_SHRINK);
            if (!isfinite(factor)) factor = UNSOLVED;
            m->h = h * factor;
            refused = true;
            if (m->h < def.min || m->h < SHORTEST) break;
            continue;
        }
        double factor = SAFETY * hwPow(hwFmax(off, 1e-10), -0.7 / ORDER) *
                        hwPow(hwFmax(m->lastError > 0.0 ? m->lastError : off, 1e-4), 0.3 / ORDER);
        if (m->lastError <= 0.0) factor = SAFETY * hwPow(hwFmax(off, 1e-10), -1.0 / ORDER);
        factor = hwFmin(hwFmax(factor, MOST_SHRINK), refused ? 1.0 : MOST_GROWTH);
        double wanted = h * factor;
        m->h = cut ? hwFmax(m->h, wanted) : wanted;
        m->lastError = hwFmax(off, 1e-4);
        // the start of this step, for samples within it and guesses in the next
        m->begin = m->time;
        m->last = h;
        memcpy(m->before, m->y, bytes);
        memcpy(m->fromSlope, m->slope, bytes);
        int stages = m->table->stages;
        memcpy(m->y, m->values[stages - 1], bytes);
        memcpy(m->slope, m->slopes[stages - 1], bytes);
        m->time = cut ? end : m->time + h;
        m->cost += (double)hwWorld_GetCounters(m->world).iterations - before;
        *time = m->time;
        memcpy(y, m->y, bytes);
        return HW_OK;
    }
    return status == HW_OK ? HW_ERROR_NUMERIC : status;
}

bool Implicit_Sample(Implicit* m, double time, double* y, hwError* error) {
    size_t bytes = (size_t)m->size * sizeof(double);
    memcpy(m->slopes[0], m->fromSlope, bytes);
    double last = m->last;
    m->last = 0.0;
    hwStatus status = SolveStages(m, m->begin, time - m->begin, m->before, error);
    m->last = last;
    memcpy(y, m->values[m->table->stages - 1], bytes);
    return status == HW_OK;
}
