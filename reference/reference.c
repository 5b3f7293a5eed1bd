// The reference solver: adaptive integrators on the world's own equations. Explicit Runge-Kutta of order 8 by SUNDIALS' ARKODE
// (Hindmarsh et al. 2005) where the equations are not stiff, diagonally implicit Runge-Kutta of order 5 (implicit.c) with the world's
// structured solve where they are, or BDF by CVODE when asked for: of order 3 and more it is not stable for fast vibrations that
// are hardly damped, such as those along a stiff cable; the L-stable Runge-Kutta method is.
#include "hawser/reference.h"
#include "implicit.h"
#include "hawser/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arkode/arkode_butcher_erk.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#define MOST_FAILURES 15 // of a step: where things meet, steps shrink by many powers of ten at once
#define MOST_STALLED 100 // steps in a row that are below the rounding of time
#define DEFAULT_TOLERANCE 1e-9
#define SHORTENED 0.25 // a step in which a cable would part far beyond its strength
#define LENGTHENED 2.0 // most, from step to step, after that

// How the automatic choice is made: the method in use is measured as it goes, the other on a copy of the state that is thrown away,
// because the explicit method leaves vibrations of the size of the tolerance that the implicit one would have to follow. The one
// with fewer evaluations for a second of motion goes on until it has cost SETTLED times what the trials did.
#define TRIAL_STEPS 25
#define WARM_STEPS 15 // before it counts: a step grows from nothing
#define SETTLED 20.0  // so trials are at most a twentieth of the whole
#define HARD_RATE                                                                                            \
    1e6 // evaluations for a second: where both take more, friction sticks and slides all the time, and BDF goes on
#define FACTOR_COST 1.3 // likewise, a factorisation for BDF
#define SOLVE_COST 1.0  // and a solution with it, whose products with the stiffness are differences of forces
#define HARD_SETTLED 4.0  // of BDF, instead of SETTLED: what is hard for the others is often over soon
#define IMPLICIT_COST 1.3 // evaluations that an iteration of the implicit method takes the time of

// The pair 8(7) of Prince & Dormand (1981). ARKODE's own pair of that order, Fehlberg's, estimates no error at all where
// the right-hand side depends on time alone, which signals and waves do. ARKODE 5.4 takes the last stage for the first
// of the next step whenever it lies at the step's end, so the result itself is made the last stage.
#define STAGES 13
static const double weights8[STAGES] = {14005451.0 / 335480064.0,
                                        0.0,
                                        0.0,
                                        0.0,
                                        0.0,
                                        -59238493.0 / 1068277825.0,
                                        181606767.0 / 758867731.0,
                                        561292985.0 / 797845732.0,
                                        -1041891430.0 / 1371343529.0,
                                        760417239.0 / 1151165299.0,
                                        118820643.0 / 751138087.0,
                                        -528747749.0 / 2220607170.0,
                                        1.0 / 4.0};
static const double weights7[STAGES] = {13451932.0 / 455176623.0,
                                        0.0,
                                        0.0,
                                        0.0,
                                        0.0,
                                        -808719846.0 / 976000145.0,
                                        1757004468.0 / 5645159321.0,
                                        656045339.0 / 265891186.0,
                                        -3867574721.0 / 1518517206.0,
                                        465885868.0 / 322736535.0,
                                        53011238.0 / 667516719.0,
                                        2.0 / 45.0,
                                        0.0};
static const double times[STAGES] = {0.0,
                                     1.0 / 18.0,
                                     1.0 / 12.0,
                                     1.0 / 8.0,
                                     5.0 / 16.0,
                                     3.0 / 8.0,
                                     59.0 / 400.0,
                                     93.0 / 200.0,
                                     5490023248.0 / 9719169821.0,
                                     13.0 / 20.0,
                                     1201146811.0 / 1299019798.0,
                                     1.0,
                                     1.0};
static const double stages[STAGES][STAGES] = {
    {0.0},
    {1.0 / 18.0},
    {1.0 / 48.0, 1.0 / 16.0},
    {1.0 / 32.0, 0.0, 3.0 / 32.0},
    {5.0 / 16.0, 0.0, -75.0 / 64.0, 75.0 / 64.0},
    {3.0 / 80.0, 0.0, 0.0, 3.0 / 16.0, 3.0 / 20.0},
    {29443841.0 / 614563906.0, 0.0, 0.0, 77736538.0 / 692538347.0, -28693883.0 / 1125000000.0,
     23124283.0 / 1800000000.0},
    {16016141.0 / 946692911.0, 0.0, 0.0, 61564180.0 / 158732637.0, 22789713.0 / 633445777.0,
     545815736.0 / 2771057229.0, -180193667.0 / 1043307555.0},
    {39632708.0 / 573591083.0, 0.0, 0.0, -433636366.0 / 683701615.0, -421739975.0 / 2616292301.0,
     100302831.0 / 723423059.0, 790204164.0 / 839813087.0, 800635310.0 / 3783071287.0},
    {246121993.0 / 1340847787.0, 0.0, 0.0, -37695042795.0 / 15268766246.0, -309121744.0 / 1061227803.0,
     -12992083.0 / 490766935.0, 6005943493.0 / 2108947869.0, 393006217.0 / 1396673457.0,
     123872331.0 / 1001029789.0},
    {-1028468189.0 / 846180014.0, 0.0, 0.0, 8478235783.0 / 508512852.0, 1311729495.0 / 1432422823.0,
     -10304129995.0 / 1701304382.0, -48777925059.0 / 3047939560.0, 15336726248.0 / 1032824649.0,
     -45442868181.0 / 3398467696.0, 3065993473.0 / 597172653.0},
    {185892177.0 / 718116043.0, 0.0, 0.0, -3185094517.0 / 667107341.0, -477755414.0 / 1098053517.0,
     -703635378.0 / 230739211.0, 5731566787.0 / 1027545527.0, 5232866602.0 / 850066563.0,
     -4093664535.0 / 808688257.0, 3962137247.0 / 1805957418.0, 65686358.0 / 487910083.0},
    {403863854.0 / 491063109.0, 0.0, 0.0, -5068492393.0 / 434740067.0, -411421997.0 / 543043805.0,
     652783627.0 / 914296604.0, 11173962825.0 / 925320556.0, -13158990841.0 / 6184727034.0,
     3936647629.0 / 1978049680.0, -160528059.0 / 685178525.0, 248638103.0 / 1413531060.0},
};

// The automatic choice.
typedef struct Trial {
    double cost;     // evaluations so far
    double from, at; // cost and time at which the method in use began to count
    int steps;       // accepted since it is in use
    double least;    // cost at which the other one is tried
    double rates[2]; // evaluations for a second of motion, explicit and implicit; HUGE_VAL: it gave up
    double bdf;      // likewise; 0: not tried yet
} Trial;

typedef struct Reference {
    hwWorld* world;
    hwReferenceMethod method;
    bool stiff; // an implicit method is in use
    bool bdf;   // that of CVODE, see HARD_RATE
    Trial trial;
    SUNContext sun;
    N_Vector y, scales;
    void* erk;
    void* cvode;
    SUNLinearSolver bdfLinear;
    Implicit* implicit;
    N_Vector start, sample; // y at the start of a step, and at a time within it
    N_Vector slopes[STAGES];
    bool current;  // the integrator's history belongs to the world's state
    hwError error; // of the last failing evaluation
} Reference;

static int Report(Reference* r, hwStatus status) {
    // positive: recoverable, the integrator may try a smaller step
    return status == HW_OK ? 0 : (r->error.status == HW_ERROR_NUMERIC ? 1 : -1);
}

static int Evaluate(realtype t, N_Vector y, N_Vector ydot, void* context) {
    Reference* r = context;
    r->trial.cost += 1.0;
    return Report(r,
                  hwSystem_Evaluate(r->world, t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot), &r->error));
}

static int SetUp(realtype t, N_Vector y, N_Vector fy, booleantype reuse, booleantype* updated, realtype gamma,
                 void* context) {
    Reference* r = context;
    (void)fy;
    (void)reuse;
    *updated = SUNTRUE;
    r->trial.cost += FACTOR_COST;
    return Report(r, hwSystem_Factor(r->world, t, N_VGetArrayPointer(y), gamma, &r->error));
}

static int Precondition(realtype t, N_Vector y, N_Vector fy, N_Vector b, N_Vector x, realtype gamma,
                        realtype delta, int side, void* context) {
    Reference* r = context;
    (void)t, (void)y, (void)fy, (void)gamma, (void)delta, (void)side;
    r->trial.cost += SOLVE_COST;
    return Report(r, hwSystem_Solve(r->world, N_VGetArrayPointer(b), N_VGetArrayPointer(x), &r->error));
}

// SUNDIALS prints warnings to the standard error stream unless it is given a handler.
static void Silence(int code, const char* module, const char* function, char* text, void* context) {
    (void)code, (void)module, (void)function, (void)text, (void)context;
}

static void FreeIntegrators(Reference* r) {
    if (r->erk != NULL) ERKStepFree(&r->erk);
    Implicit_Destroy(r->implicit);
    if (r->cvode != NULL) CVodeFree(&r->cvode);
    if (r->bdfLinear != NULL) SUNLinSolFree(r->bdfLinear);
    if (r->start != NULL) N_VDestroy(r->start);
    if (r->sample != NULL) N_VDestroy(r->sample);
    for (int i = 0; i < STAGES; ++i) {
        if (r->slopes[i] != NULL) N_VDestroy(r->slopes[i]);
        r->slopes[i] = NULL;
    }
    if (r->y != NULL) N_VDestroy(r->y);
    if (r->scales != NULL) N_VDestroy(r->scales);
    r->erk = r->cvode = NULL;
    r->implicit = NULL;
    r->bdfLinear = NULL;
    r->y = r->scales = r->start = r->sample = NULL;
    r->current = false;
}

static void Destroy(void* context) {
    Reference* r = context;
    FreeIntegrators(r);
    if (r->sun != NULL) SUNContext_Free(&r->sun);
    free(r);
}

// What follows depends on the state alone: the choice is made again too.
static void Reset(void* context) {
    Reference* r = context;
    r->current = false;
    if (r->method != HW_REFERENCE_AUTO) return;
    memset(&r->trial, 0, sizeof(r->trial));
    r->stiff = true;
    r->bdf = false;
}

static hwStatus SetError(hwError* error, hwStatus status, double time, const char* text) {
    if (error != NULL) {
        memset(error, 0, sizeof(*error));
        error->status = status;
        error->index = -1;
        error->time = time;
        snprintf(error->message, sizeof(error->message), "%s", text);
    }
    return status;
}

static double GetTolerance(const Reference* r) {
    double tolerance = hwSystem_GetSolverDef(r->world).tolerance;
    return tolerance > 0.0 ? tolerance : DEFAULT_TOLERANCE;
}

// SUNDIALS takes the mean over all components.
static int Weigh(N_Vector y, N_Vector weights, void* context) {
    Reference* r = context;
    Implicit_Weigh(r->world, GetTolerance(r), N_VGetArrayPointer(y), N_VGetArrayPointer(r->scales),
                   N_VGetArrayPointer(weights));
    N_VScale(sqrt((double)hwSystem_GetSize(r->world)), weights, weights);
    return 0;
}

static hwStatus Prepare(void* context, hwWorld* world, hwError* error) {
    Reference* r = context;
    FreeIntegrators(r);
    r->world = world;
    Reset(r);
    if (r->method != HW_REFERENCE_AUTO) r->stiff = r->method != HW_REFERENCE_EXPLICIT;
    if (r->method == HW_REFERENCE_BDF) r->bdf = true;
    int size = hwSystem_GetSize(world);
    r->y = N_VNew_Serial(size, r->sun);
    r->scales = N_VNew_Serial(size, r->sun);
    r->start = N_VNew_Serial(size, r->sun);
    r->sample = N_VNew_Serial(size, r->sun);
    if (r->y == NULL || r->scales == NULL || r->start == NULL || r->sample == NULL) {
        FreeIntegrators(r);
        return SetError(error, HW_ERROR_MEMORY, NAN, "there is not enough memory for the reference solver");
    }
    return HW_OK;
}

static int SetMethod(void* erk) {
    ARKodeButcherTable table = ARKodeButcherTable_Alloc(STAGES + 1, SUNTRUE);
    if (table == NULL) return -1;
    table->q = 8;
    table->p = 7;
    table->c[STAGES] = 1.0;
    table->b[STAGES] = table->d[STAGES] = 0.0;
    for (int i = 0; i < STAGES; ++i) {
        table->c[i] = times[i];
        table->b[i] = weights8[i];
        table->d[i] = weights7[i];
        table->A[STAGES][i] = weights8[i];
        for (int j = 0; j < STAGES; ++j) table->A[i][j] = stages[i][j];
    }
    int flag = ERKStepSetTable(erk, table);
    ARKodeButcherTable_Free(table);
    return flag;
}

// Makes the integrator on first use.
static int StartExplicit(Reference* r, double time) {
    hwSolverDef def = hwSystem_GetSolverDef(r->world);
    int flag;
    if (r->erk == NULL) {
        r->erk = ERKStepCreate(Evaluate, time, r->y, r->sun);
        if (r->erk == NULL) return -1;
        ERKStepSetUserData(r->erk, r);
        ERKStepSetErrHandlerFn(r->erk, Silence, NULL);
        flag = SetMethod(r->erk);
    } else {
        flag = ERKStepReInit(r->erk, Evaluate, time, r->y);
    }
    if (flag == 0) flag = ERKStepWFtolerances(r->erk, Weigh);
    ERKStepSetMaxErrTestFails(r->erk, MOST_FAILURES);
    ERKStepSetInitStep(r->erk, def.initial);
    ERKStepSetMinStep(r->erk, def.min);
    ERKStepSetMaxStep(r->erk, def.max);
    return flag;
}

static int StartImplicit(Reference* r, double time) {
    if (r->implicit == NULL) r->implicit = Implicit_Create(r->world);
    if (r->implicit == NULL) return -1;
    hwStatus status = Implicit_Start(r->implicit, time, N_VGetArrayPointer(r->y), GetTolerance(r), &r->error);
    return status == HW_OK ? 0 : -1;
}

static int StartBdf(Reference* r, double time) {
    hwSolverDef def = hwSystem_GetSolverDef(r->world);
    int flag;
    if (r->cvode == NULL) {
        r->cvode = CVodeCreate(CV_BDF, r->sun);
        if (r->cvode == NULL) return -1;
        flag = CVodeInit(r->cvode, Evaluate, time, r->y);
        CVodeSetUserData(r->cvode, r);
        CVodeSetErrHandlerFn(r->cvode, Silence, NULL);
        CVodeSetMaxNumSteps(r->cvode, 100000000);
        CVodeSetStabLimDet(r->cvode, SUNTRUE);
        r->bdfLinear = SUNLinSol_SPGMR(r->y, SUN_PREC_LEFT, 30, r->sun);
        if (flag == 0) flag = CVodeWFtolerances(r->cvode, Weigh);
        if (flag == 0 && r->bdfLinear == NULL) flag = -1;
        if (flag == 0) flag = CVodeSetLinearSolver(r->cvode, r->bdfLinear, NULL);
        if (flag == 0) flag = CVodeSetPreconditioner(r->cvode, SetUp, Precondition);
    } else {
        flag = CVodeReInit(r->cvode, time, r->y);
        if (flag == 0) flag = CVodeWFtolerances(r->cvode, Weigh);
    }
    if (flag == 0) {
        CVodeSetMaxErrTestFails(r->cvode, MOST_FAILURES);
        CVodeSetMaxConvFails(r->cvode, MOST_FAILURES);
        CVodeSetInitStep(r->cvode, def.initial);
        CVodeSetMinStep(r->cvode, def.min);
        CVodeSetMaxStep(r->cvode, def.max);
    }
    return flag;
}

static int Start(Reference* r) {
    hwSystem_GetState(r->world, N_VGetArrayPointer(r->y));
    double time = hwWorld_GetTime(r->world);
    int flag = !r->stiff ? StartExplicit(r, time) : r->bdf ? StartBdf(r, time) : StartImplicit(r, time);
    r->current = flag == 0;
    return flag;
}

static int OneStep(Reference* r, double end, double* time) {
    if (r->stiff && !r->bdf) {
        double before = Implicit_GetCost(r->implicit);
        hwStatus status = Implicit_Step(r->implicit, end, time, N_VGetArrayPointer(r->y), &r->error);
        r->trial.cost += IMPLICIT_COST * (Implicit_GetCost(r->implicit) - before);
        return status == HW_OK ? 0 : ARK_CONV_FAILURE;
    }
    if (r->stiff) {
        CVodeSetStopTime(r->cvode, end);
        return CVode(r->cvode, end, r->y, time, CV_ONE_STEP);
    }
    ERKStepSetStopTime(r->erk, end);
    return ERKStepEvolve(r->erk, end, r->y, time, ARK_ONE_STEP);
}

// The automatic choice ------------------------------------------------------------------------------------------------------------

static void Use(Reference* r, bool stiff, double time) {
    if (stiff != r->stiff) r->current = false;
    r->stiff = stiff;
    r->trial.steps = 0;
    r->trial.at = time;
}

// The method in use gives up; false: so has the other.
static bool UseOther(Reference* r, double time) {
    double* rates = r->trial.rates;
    if (r->method != HW_REFERENCE_AUTO || r->bdf || rates[r->stiff ? 0 : 1] == HUGE_VAL) return false;
    rates[r->stiff ? 1 : 0] = HUGE_VAL;
    Use(r, !r->stiff, time);
    return true;
}

// Evaluations for a second of motion that the method not in use, the implicit one for BDF, would take from here, on a copy of the
// state.
static double TryOther(Reference* r, double time) {
    bool stiff = r->stiff, current = r->current;
    double from = r->trial.cost, begin = time, at = time;
    bool bdf = r->bdf;
    r->stiff = bdf || !stiff;
    r->bdf = false;
    bool good = Start(r) == 0;
    for (int i = 0; i < WARM_STEPS + TRIAL_STEPS && good; ++i) {
        if (i == WARM_STEPS) from = r->trial.cost, begin = at;
        good = OneStep(r, at + 1.0, &at) >= 0 && at > begin;
    }
    double rate = good ? (r->trial.cost - from) / (at - begin) : HUGE_VAL;
    memset(&r->error, 0, sizeof(r->error));
    r->stiff = stiff;
    r->bdf = bdf;
    r->current = current; // each has its own memory
    return rate;
}

// After an accepted step.
static void Choose(Reference* r, double time) {
    Trial* t = &r->trial;
    t->steps += 1;
    if (t->steps <= WARM_STEPS) {
        t->from = t->cost;
        t->at = time;
        return;
    }
    if (t->steps < WARM_STEPS + TRIAL_STEPS || t->cost < t->least) return;
    int own = r->stiff ? 1 : 0, other = r->bdf ? 1 : 1 - own;
    double rate = (t->cost - t->from) / (time - t->at);
    if (r->bdf) {
        t->bdf = rate;
    } else {
        t->rates[own] = rate;
    }
    double before = t->cost;
    if (t->rates[other] != HUGE_VAL) t->rates[other] = TryOther(r, time);
    double spent = t->cost - before;
    t->least = t->cost + SETTLED * spent;
    bool hard = t->rates[1] >= t->bdf;
    if (!r->bdf) hard = hard && t->rates[0] > HARD_RATE && t->rates[1] > HARD_RATE;
    if (hard != r->bdf) {
        r->bdf = hard;
        r->stiff = true;
        r->current = false;
        t->steps = 0;
        t->at = time;
        if (hard) t->least = t->cost + HARD_SETTLED * spent;
        return;
    }
    if (hard) t->least = t->cost + HARD_SETTLED * spent;
    Use(r, r->bdf || t->rates[1] < t->rates[0], time);
    if (r->current) t->steps = WARM_STEPS;
    t->from = t->cost; // what is tried counts for neither
}

static hwStatus Fail(const Reference* r, int flag, double time, hwError* error) {
    if (r->error.status != HW_OK && error != NULL) {
        *error = r->error;
        return error->status;
    }
    char text[200];
    char* name = !r->stiff ? ERKStepGetReturnFlagName(flag) : CVodeGetReturnFlagName(flag);
    snprintf(text, sizeof(text), "the reference solver gave up at %g s (%s)", time,
             name != NULL ? name : "unknown");
    free(name);
    return SetError(error, HW_ERROR_NUMERIC, time, text);
}

// Samples within a step ----------------------------------------------------------------------------------------------------
//
// Of BDF, its own polynomial. Of the Runge-Kutta methods, one more step of the method from the same start to the time of the
// sample: it is of the method's order, and keeps stiff elements at their length, which a polynomial through places does not.

// A step of the explicit method from r->start to r->sample; false: a force was not finite.
static bool StepExplicitly(Reference* r, double time, double h) {
    int size = hwSystem_GetSize(r->world);
    const double* from = N_VGetArrayPointer(r->start);
    double *y = N_VGetArrayPointer(r->sample), *k[STAGES];
    for (int s = 0; s < STAGES; ++s) {
        if (r->slopes[s] == NULL) r->slopes[s] = N_VNew_Serial(size, r->sun);
        if (r->slopes[s] == NULL) return false;
        k[s] = N_VGetArrayPointer(r->slopes[s]);
    }
    for (int s = 0; s <= STAGES; ++s) {
        const double* row = s < STAGES ? stages[s] : weights8;
        for (int i = 0; i < size; ++i) {
            double sum = 0.0;
            for (int j = 0; j < s; ++j) sum += row[j] * k[j][i];
            y[i] = from[i] + h * sum;
        }
        if (s < STAGES && hwSystem_Evaluate(r->world, time + times[s] * h, y, k[s], &r->error) != HW_OK)
            return false;
    }
    return true;
}

// All samples in the step from `begin` to `end` that the integrator has just taken; the world is still at its start.
static void SampleStep(Reference* r, double begin, double end) {
    double time = hwSystem_GetSampleTime(r->world);
    if (!(time < end)) return;
    hwSystem_BeginSamples(r->world);
    hwSystem_GetState(r->world, N_VGetArrayPointer(r->start));
    while (time < end) {
        bool bdf = r->bdf;
        bool good = false;
        if (time <= begin) {
            N_VScale(1.0, r->start, r->sample);
            good = true;
        } else if (bdf) {
            good = CVodeGetDky(r->cvode, time, 0, r->sample) == 0;
        } else if (r->stiff) {
            good = Implicit_Sample(r->implicit, time, N_VGetArrayPointer(r->sample), &r->error);
        } else {
            good = StepExplicitly(r, begin, time - begin) || ERKStepGetDky(r->erk, time, 0, r->sample) == 0;
        }
        if (!good)
            N_VLinearSum((end - time) / (end - begin), r->start, (time - begin) / (end - begin), r->y,
                         r->sample);
        hwSystem_TakeSample(r->world, N_VGetArrayPointer(r->sample));
        time = hwSystem_GetSampleTime(r->world);
    }
    hwSystem_EndSamples(r->world);
    memset(&r->error, 0, sizeof(r->error));
}

static hwStatus Advance(void* context, hwWorld* world, double end, hwError* error) {
    Reference* r = context;
    memset(&r->error, 0, sizeof(r->error));
    double time = hwWorld_GetTime(world);
    int stalled = 0;
    double most = INFINITY; // next step, after one that was too long for a cable about to part
    bool failed = false; // then it goes from sample to sample, so that those before what fails are not lost
    while (time < end) {
        double step = fmin(end - time, most), sample = hwSystem_GetSampleTime(world);
        if (failed && sample > time) step = fmin(step, sample - time);
        hwStatus planned = hwSystem_PlanStep(world, &step, error);
        if (planned != HW_OK) return planned;
        if (!r->current && Start(r) != 0) {
            if (r->error.status != HW_OK) return Fail(r, 0, time, error);
            return SetError(error, HW_ERROR_MEMORY, time, "the reference solver could not be started");
        }
        double before = time;
        int flag = OneStep(r, time + step < end ? time + step : end, &time);
        // steps below the rounding of time lead nowhere, and the integrators go on with them for ever
        stalled = time > before ? 0 : stalled + 1;
        if (flag >= 0 && stalled >= MOST_STALLED) flag = ARK_TOO_MUCH_WORK;
        if (flag < 0) {
            r->current = false;
            time = before;
            stalled = 0;
            if (UseOther(r, time)) continue;
            if (failed || !(sample < end)) return Fail(r, flag, before, error);
            failed = true;
            continue;
        }
        if (end - time < 1e-14 * hwFmax(1.0, fabs(end))) time = end;
        double cost = r->trial.cost;
        if (!hwSystem_MayTake(world, time, N_VGetArrayPointer(r->y), time - before)) {
            most = SHORTENED * (time - before);
            time = before;
            r->current = false;
            continue;
        }
        most *= LENGTHENED;
        SampleStep(r, before, time);
        r->trial.cost = cost; // rows change nothing
        hwStatus status = hwSystem_SetState(world, time, N_VGetArrayPointer(r->y), time - before, error);
        if (status != HW_OK) return status;
        if (r->method == HW_REFERENCE_AUTO) Choose(r, time);
    }
    return HW_OK;
}

static hwStatus Copy(const void* context, hwWorld* branch, hwError* error) {
    return hwWorld_UseReference(branch, ((const Reference*)context)->method, error);
}

hwStatus hwWorld_UseReference(hwWorld* world, hwReferenceMethod method, hwError* error) {
    Reference* r = calloc(1, sizeof(*r));
    if (r == NULL || SUNContext_Create(NULL, &r->sun) != 0) {
        free(r);
        return SetError(error, HW_ERROR_MEMORY, NAN, "there is not enough memory for the reference solver");
    }
    r->world = world;
    r->method = method;
    hwSolver solver = {.name = "reference",
                       .context = r,
                       .advance = Advance,
                       .reset = Reset,
                       .prepare = Prepare,
                       .copy = Copy,
                       .destroy = Destroy};
    return hwWorld_SetExternalSolver(world, &solver, error);
}
