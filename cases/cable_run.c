#include "cases/cable_run.h"

#include <math.h>
#include <string.h>

void hwCableRun_Begin(hwCaseRun* run, hwCaseContext* context, bool reference,
                      const hwEnvironmentDef* environment, double tolerance, bool statics) {
    memset(run, 0, sizeof(*run));
    run->context = context;
    run->reference = reference;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.tolerance = tolerance;
    def.statics = statics;
    hwEnvironmentDef weightless = hwDefaultEnvironmentDef();
    weightless.gravity = 0.0;
    run->world = hwCreateWorld(&def, &run->error);
    run->failed = run->world == NULL ||
                  hwWorld_SetEnvironment(run->world, environment != NULL ? environment : &weightless,
                                         &run->error) != HW_OK;
    if (!run->failed && reference) {
        run->failed = hwWorld_UseReference(run->world, HW_REFERENCE_DIRK, &run->error) != HW_OK;
    }
}

hwCableSectionDef hwMakeSection(double length, int elements, double diameter, double massPerLength,
                                double EA) {
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = length;
    section.elements = elements;
    section.diameter = diameter;
    section.massPerLength = massPerLength;
    section.EA = EA;
    section.compression = 1.0;
    section.dragNormal = section.dragTangential = section.addedNormal = 0.0;
    return section;
}

hwCableEndDef hwPinOnEarth(hwVec3 at) {
    hwCableEndDef end = {.joint = HW_ATTACH_PIN, .at = at};
    return end;
}

hwCableEndDef hwPinOnBody(hwBodyId body, hwVec3 at) {
    hwCableEndDef end = {.joint = HW_ATTACH_PIN, .body = body, .at = at};
    return end;
}

hwCableEndDef hwClampOnEarth(hwVec3 at, hwVec3 tangent, hwVec3 normal) {
    hwCableEndDef end = {.joint = HW_ATTACH_CLAMP, .at = at, .p1 = normal, .p2 = hwCross(tangent, normal)};
    return end;
}

hwCableDef hwMakeLine(const hwCableSectionDef* section, hwCableEndDef a, hwCableEndDef b) {
    hwCableDef def = hwDefaultCableDef();
    def.name = "line";
    def.sectionCount = 1;
    def.sections = section;
    def.ends[0] = a;
    def.ends[1] = b;
    return def;
}

hwCableId hwCaseRun_AddCable(hwCaseRun* run, const hwCableDef* def) {
    hwCableId id = {0, 0};
    if (run->failed) return id;
    id = hwWorld_AddCable(run->world, def, &run->error);
    run->failed = HW_IS_NULL(id);
    return id;
}

hwWinchId hwCaseRun_AddWinch(hwCaseRun* run, const hwWinchDef* def) {
    hwWinchId id = {0, 0};
    if (run->failed) return id;
    id = hwWorld_AddWinch(run->world, def, &run->error);
    run->failed = HW_IS_NULL(id);
    return id;
}

void hwCaseRun_PushCable(hwCaseRun* run, hwCableId cable, double at, hwVec3 force) {
    if (run->failed) return;
    hwSignalTerm push = hwConstantTerm(force);
    hwCableForceDef def = hwDefaultCableForceDef();
    def.cable = cable;
    def.at = at;
    def.force = (hwSignal){1, &push};
    run->failed = hwWorld_AddCableForce(run->world, &def, &run->error) != HW_OK;
}

hwVec3 hwCaseRun_ReadNode(hwCaseRun* run, hwCableId cable, int node) {
    hwCableView view = {0};
    if (run->failed) return hwVec3_zero;
    run->failed = hwCable_GetView(run->world, cable, &view, &run->error) != HW_OK;
    if (node < 0) node += view.nodeCount;
    return !run->failed && node >= 0 && node < view.nodeCount ? view.positions[node] : hwVec3_zero;
}

hwVec3 hwCaseRun_ReadLoad(hwCaseRun* run, hwCableId cable, int end) {
    hwVec3 force = hwVec3_zero;
    if (!run->failed)
        run->failed = hwCable_GetEndLoad(run->world, cable, end, &force, NULL, &run->error) != HW_OK;
    return force;
}

// Time of the zero of the cubic through x at t - 3h, t - 2h, t - h, t, between the middle two.
static double FindCrossing(double t, double h, const double x[4]) {
    double low = 1.0, high = 2.0;
    for (int i = 0; i < 60; ++i) {
        double s = 0.5 * (low + high);
        double value = -x[0] * (s - 1.0) * (s - 2.0) * (s - 3.0) / 6.0 +
                       x[1] * s * (s - 2.0) * (s - 3.0) / 2.0 - x[2] * s * (s - 1.0) * (s - 3.0) / 2.0 +
                       x[3] * s * (s - 1.0) * (s - 2.0) / 6.0;
        *(value < 0.0 ? &low : &high) = s;
    }
    return t + (low - 3.0) * h;
}

double hwCaseRun_FindPeriod(hwCaseRun* run, const char* channel, double centre, double interval,
                            double duration) {
    double x[4] = {0}, first = 0.0, last = 0.0;
    int crossings = 0, samples = (int)lround(duration / interval);
    for (int i = 0; i < samples && !run->failed; ++i) {
        hwCaseRun_Advance(run, interval);
        memmove(x, x + 1, 3 * sizeof(double));
        x[3] = hwCaseRun_Read(run, channel) - centre;
        if (i < 3 || !(x[1] < 0.0 && x[2] >= 0.0)) continue;
        last = FindCrossing(hwWorld_GetTime(run->world), interval, x);
        if (crossings++ == 0) first = last;
    }
    return crossings > 1 ? (last - first) / (crossings - 1) : (double)NAN;
}

void hwCase_Integrate(hwCaseSlopeFn* slope, const void* context, int count, double from, double to, int steps,
                      double* y) {
    double k[4][HW_CASE_UNKNOWNS], z[HW_CASE_UNKNOWNS], h = (to - from) / steps;
    for (int i = 0; i < steps; ++i) {
        double t = from + i * h;
        for (int stage = 0; stage < 4; ++stage) {
            double reach = stage == 0 ? 0.0 : (stage == 3 ? h : 0.5 * h);
            for (int j = 0; j < count; ++j) z[j] = stage == 0 ? y[j] : y[j] + reach * k[stage - 1][j];
            slope(context, t + reach, z, k[stage]);
        }
        for (int j = 0; j < count; ++j) y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
    }
}

double hwCase_FindRoot(hwCaseRootFn* f, const void* context, double low, double high) {
    double atLow = f(context, low);
    for (int i = 0; i < 100; ++i) {
        double middle = 0.5 * (low + high), value = f(context, middle);
        if (value * atLow > 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}
