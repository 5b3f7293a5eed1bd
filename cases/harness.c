#include "cases/harness.h"

#include <math.h>
#include <string.h>

#define FRAME (1.0 / 60.0)

void hwCaseRun_Begin(hwCaseRun* run, hwCaseContext* context, bool reference,
                     const hwEnvironmentDef* environment, double tolerance) {
    memset(run, 0, sizeof(*run));
    run->context = context;
    run->reference = reference;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.tolerance = tolerance;
    run->world = hwCreateWorld(&def, &run->error);
    run->failed = run->world == NULL;
    if (run->failed) return;
    hwEnvironmentDef weightless = hwDefaultEnvironmentDef();
    weightless.gravity = 0.0;
    if (environment == NULL) environment = &weightless;
    run->failed = hwWorld_SetEnvironment(run->world, environment, &run->error) != HW_OK;
    if (!run->failed && reference) {
        run->failed = hwWorld_UseReference(run->world, HW_REFERENCE_AUTO, &run->error) != HW_OK;
    }
}

hwBodyId hwCaseRun_AddBody(hwCaseRun* run, const hwBodyDef* def) {
    hwBodyId none = {0, 0};
    if (run->failed) return none;
    hwBodyId id = hwWorld_AddBody(run->world, def, &run->error);
    run->failed = HW_IS_NULL(id);
    return id;
}

void hwCaseRun_Push(hwCaseRun* run, hwBodyId body, hwVec3 force, hwVec3 torque) {
    if (run->failed) return;
    hwSignalTerm push = hwConstantTerm(force), twist = hwConstantTerm(torque);
    hwForceDef def = hwDefaultForceDef();
    def.body = body;
    def.force = (hwSignal){1, &push};
    def.torque = (hwSignal){1, &twist};
    run->failed = HW_IS_NULL(hwWorld_AddForce(run->world, &def, &run->error));
}

void hwCaseRun_Prepare(hwCaseRun* run) {
    if (!run->failed) run->failed = hwWorld_Prepare(run->world, &run->error) != HW_OK;
}

void hwCaseRun_Advance(hwCaseRun* run, double duration) {
    if (run->failed) return;
    hwCase_NoteRun(run->context, run->reference ? HW_MADE_REFERENCE : HW_MADE_REALTIME);
    double start = hwWorld_GetTime(run->world), end = start + duration;
    if (run->reference) {
        run->failed = hwWorld_Step(run->world, duration, &run->error) < HW_OK;
        return;
    }
    for (int frame = 1; !run->failed; ++frame) {
        double next = fmin(start + frame * FRAME, end);
        run->failed = hwWorld_Step(run->world, next - hwWorld_GetTime(run->world), &run->error) < HW_OK;
        if (next >= end - 1e-9 * FRAME) return;
    }
}

hwBodyState hwCaseRun_ReadBody(hwCaseRun* run, hwBodyId body) {
    hwBodyState state = {0};
    if (!run->failed) run->failed = hwBody_GetState(run->world, body, &state, &run->error) != HW_OK;
    return state;
}

double hwCaseRun_Read(hwCaseRun* run, const char* channel) {
    if (run->failed) return (double)NAN;
    double value = hwWorld_ReadChannel(run->world, hwWorld_FindChannel(run->world, channel));
    if (isnan(value)) {
        run->failed = true;
        run->error = (hwError){.status = HW_ERROR_ARGUMENT};
        strncpy(run->error.message, channel, sizeof(run->error.message) - 1);
    }
    return value;
}

// Upward crossing within a step by a cubic through the last four values would need more than it brings: with frames much
// shorter than the period, inverse interpolation through three points is accurate to the fourth power of their ratio.
static double FindCrossing(double t, double h, const double x[3]) {
    // x[0..2] at t - 2h, t - h, t; the crossing is between the last two
    double lo = -h, hi = 0.0;
    for (int i = 0; i < 60; ++i) {
        double s = 0.5 * (lo + hi), u = s / h;
        double value =
            x[2] + u * (1.5 * x[2] - 2.0 * x[1] + 0.5 * x[0]) + 0.5 * u * u * (x[2] - 2.0 * x[1] + x[0]);
        *(value < 0.0 ? &lo : &hi) = s;
    }
    return t + 0.5 * (lo + hi);
}

double hwCaseRun_MeasurePeriod(hwCaseRun* run, const char* channel, double centre, double duration) {
    const double h = FRAME;
    double x[3] = {0};
    double first = 0.0, last = 0.0;
    int crossings = 0;
    int frames = (int)(duration / h);
    for (int i = 0; i < frames && !run->failed; ++i) {
        hwCaseRun_Advance(run, h);
        x[0] = x[1], x[1] = x[2];
        x[2] = hwCaseRun_Read(run, channel) - centre;
        if (i >= 2 && x[1] < 0.0 && x[2] >= 0.0) {
            last = FindCrossing(hwWorld_GetTime(run->world), h, x);
            if (crossings++ == 0) first = last;
        }
    }
    return crossings > 1 ? (last - first) / (crossings - 1) : (double)NAN;
}

void hwCaseRun_End(hwCaseRun* run) {
    if (run->failed)
        hwCase_AddError(run->context, run->reference ? "reference run" : "realtime run", &run->error);
    if (run->world != NULL) {
        bool advanced = hwWorld_GetCounters(run->world).steps > 0;
        hwCaseMaker solver = run->reference ? HW_MADE_REFERENCE : HW_MADE_REALTIME;
        hwCase_NoteRun(run->context, advanced ? solver : HW_MADE_STATICS);
    }
    hwDestroyWorld(run->world);
    run->world = NULL;
}

void hwCase_Compare(hwCaseContext* context, const char* quantity, double exact, double seed, double reference,
                    double realtime, double tolerance, double realtimeTolerance, const char* note) {
    hwCaseRow row = hwDefaultCaseRow();
    row.quantity = quantity;
    row.exact = exact;
    row.seed = seed;
    row.reference = reference;
    row.realtime = realtime;
    row.tolerance = tolerance;
    row.realtimeTolerance = realtimeTolerance;
    row.note = note;
    hwCase_AddRow(context, &row);
}

void hwCase_Check(hwCaseContext* context, hwCaseMaker maker, const char* quantity, double exact, double value,
                  double tolerance, const char* note) {
    hwCaseRow row = hwDefaultCaseRow();
    row.quantity = quantity;
    row.exact = exact;
    row.reference = value;
    row.tolerance = tolerance;
    row.maker = maker;
    row.note = note;
    hwCase_AddRow(context, &row);
}
