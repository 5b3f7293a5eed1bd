// Fits: values found from series with noise that a closed form made, not the program.
#define _XOPEN_SOURCE 700
#include "cases/cases.h"
#include "cases/harness.h"
#include "hawser/fit.h"
#include "hawser/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Uniform in (0, 1): Knuth's MMIX generator.
static double Draw(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 11) + 0.5) * 0x1.0p-53;
}

static bool Put(const char* folder, const char* name, const char* text) {
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE* file = fopen(path, "w");
    if (file == NULL) return false;
    fputs(text, file);
    return fclose(file) == 0;
}

// A body that sinks from rest: (m + a) v' = m g - k v^2, v = vt tanh(t/tau), z = -vt tau ln cosh(t/tau) with vt = sqrt(m g/k) and
// tau = (m + a) vt/(m g). Its depth tells k and a.
enum { POINTS = 120 };
static const double g_mass = 50.0, g_drag = 40.0, g_added = 30.0, g_noise = 0.02;

static bool WriteMeasured(const char* folder, double noise, uint64_t seed) {
    double vt = sqrt(g_mass * 9.81 / g_drag), tau = (g_mass + g_added) * vt / (g_mass * 9.81);
    char text[POINTS * 48 + 32] = "time,depth\n";
    size_t used = strlen(text);
    for (int i = 0; i < POINTS; ++i) {
        double t = 0.05 * (i + 1),
               z = -vt * tau * log(cosh(t / tau)) + noise * hwNormal_GetQuantile(Draw(&seed));
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%.3f,%.9f\n", t, z);
    }
    return Put(folder, "measured.csv", text);
}

static void CheckFit(hwCaseContext* context, const char* folder, double noise) {
    char path[128], name[80];
    snprintf(path, sizeof(path), "%s/fit.yaml", folder);
    hwError error;
    hwFit* fit = WriteMeasured(folder, noise, 3) ? hwLoadFit(path, &error) : NULL;
    if (fit == NULL || hwFit_Solve(fit, NULL, NULL, NULL, &error) != HW_OK) {
        hwCase_AddError(context, "fit", &error);
        hwDestroyFit(fit);
        return;
    }
    static const char* const names[2] = {"drag, kg/m", "added mass, kg"};
    const double truth[2] = {g_drag, g_added};
    for (int i = 0; i < 2; ++i) {
        hwFitEstimate e = hwFit_GetEstimate(fit, i);
        snprintf(name, sizeof(name), "%s %s", noise > 0.0 ? "with noise," : "without noise,", names[i]);
        hwCase_Check(context, HW_MADE_REALTIME, name, truth[i], e.value,
                     noise > 0.0 ? 3.0 * e.deviation / truth[i] : 2e-3,
                     noise > 0.0 ? "three standard deviations that the fit tells" : "the solver's own error");
    }
    if (noise > 0.0) {
        // of 120 residuals less 2 parameters: their mean square is known to one part in sqrt(2/118)
        hwCase_Check(context, HW_MADE_REALTIME, "with noise, residuals over the deviation given", 1.0,
                     hwFit_GetSummary(fit).residual, 3.0 * 0.5 * sqrt(2.0 / 118.0), "three standard errors");
    }
    hwDestroyFit(fit);
}

static void Recovery(hwCaseContext* context) {
    const char* home = getenv("TMPDIR");
    char folder[100];
    snprintf(folder, sizeof(folder), "%.60s/hawser-fit-XXXXXX", home != NULL ? home : "/tmp");
    hwError error = {.status = HW_ERROR_FILE, .message = "no folder for temporary files can be made"};
    bool made =
        mkdtemp(folder) != NULL &&
        Put(folder, "scene.yaml",
            "hawser: 1\nname: sinking\nduration: 6\nenvironment: {gravity: 9.81}\nbodies:\n"
            "  - {name: body, mass: 50, inertia: [5, 5, 5], added_mass: [0, 0, 10, 0, 0, 0],\n"
            "     drag: {quadratic: [0, 0, 20, 0, 0, 0]}}\n") &&
        Put(folder, "fit.yaml",
            "hawser_fit: 1\nscene: scene.yaml\nparameters:\n"
            "  - {path: bodies.body.drag.quadratic.2, low: 0}\n"
            "  - {path: bodies.body.added_mass.2, low: 0}\n"
            "measured: [{file: measured.csv, column: depth, channel: body.position.z, deviation: 0.02}]\n");
    if (made) {
        CheckFit(context, folder, 0.0);
        CheckFit(context, folder, g_noise);
    } else {
        hwCase_AddError(context, "fit", &error);
    }
    static const char* const files[] = {"scene.yaml", "fit.yaml", "measured.csv"};
    for (int i = 0; i < 3; ++i) {
        char path[128];
        snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
}

const hwCase hwFitCases[] = {
    {"fit/recovery", "closed form of a body that sinks", "Drag and added mass from depths with noise.",
     Recovery},
    {0},
};
