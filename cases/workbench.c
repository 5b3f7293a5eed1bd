// What a study decides, and the seas and lines that it is made of, against hand calculations.
#define _XOPEN_SOURCE 700
#include "cases/cases.h"
#include "cases/harness.h"
#include "hawser/hawser.h"
#include "hawser/scene.h"
#include "hawser/spectrum.h"
#include "hawser/statistics.h"
#include "hawser/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Operability ------------------------------------------------------------------------------------------------------------

// A ship whose heave is 0.8 of the waves whatever their period: linear, narrow-banded and normal, so its deviation is 0.2 Hs, and
// its largest heave in n waves stays below x with probability exp(-n exp(-x^2 / (2 (0.2 Hs)^2))).
static const char* const g_files[] = {"rao.csv", "scene.yaml", "study.yaml"};
static const double g_probability = 0.5, g_duration = 900.0, g_deviation = 0.4, g_most = 1.6;
enum { HEIGHTS = 3, PERIODS = 2, SEEDS = 16 };

static bool PutFile(const char* folder, const char* name, const char* text) {
    char path[160];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE* file = fopen(path, "w");
    if (file == NULL) return false;
    fputs(text, file);
    return fclose(file) == 0;
}

static bool PutStudy(const char* folder, const char* limit, double most) {
    char text[1200];
    snprintf(text, sizeof(text),
             "hawser_study: 1\nscene: scene.yaml\nparameters:\n"
             "  - {path: environment.waves.jonswap.tp, values: [7, 11]}\n"
             "  - {path: environment.waves.jonswap.hs, values: [1, 2, 3]}\n"
             "seeds: {count: %d}\nkeep: {statistics: [ship.position.z]}\n"
             "limits: [{of: ship.position.z.%s, max: %g}]\noperability: {probability: %g}\n",
             SEEDS, limit, most, g_probability);
    return PutFile(folder, "study.yaml", text) &&
           PutFile(folder, "rao.csv",
                   "heading_deg,period,surge,surge_phase_deg,sway,sway_phase_deg,heave,heave_phase_deg,roll_"
                   "deg,roll_phase_deg,"
                   "pitch_deg,pitch_phase_deg,yaw_deg,yaw_phase_deg\n0,8,0,0,0,0,0.8,0,0,0,0,0,0,0\n180,8,0,"
                   "0,0,0,0.8,0,0,0,0,0,0,0\n") &&
           PutFile(
               folder, "scene.yaml",
               "hawser: 1\nduration: 900\noutput: {interval: 0.5}\nsolver: {max: 0.5}\n"
               "environment: {water: {}, waves: {jonswap: {hs: 2, tp: 8, gamma: 3.3, seed: 1, components: "
               "100}}}\n"
               "bodies: [{name: ship, motion: {prescribed: {rao: rao.csv}}}]\nrecord: [ship.position.*]\n");
}

// The table's allowed heights, one for each period.
static bool ReadAllowed(const char* folder, double allowed[PERIODS]) {
    char path[160], line[512];
    snprintf(path, sizeof(path), "%s/operability.csv", folder);
    FILE* file = fopen(path, "r");
    int count = 0;
    // combination,environment.waves.jonswap.tp,hs,low,high,limit,note
    while (file != NULL && fgets(line, sizeof(line), file) != NULL && count < PERIODS) {
        double tp;
        if (sscanf(line, "%*d,%lf,%lf", &tp, &allowed[count]) == 2) count += 1;
    }
    if (file != NULL) fclose(file);
    return count == PERIODS;
}

static bool RunStudy(const char* folder, double allowed[PERIODS], hwError* error) {
    char path[160];
    snprintf(path, sizeof(path), "%s/study.yaml", folder);
    hwStudy* study = hwLoadStudy(path, error);
    if (study == NULL) return false;
    int64_t runs = hwStudy_GetRunCount(study);
    int columns = hwStudy_GetColumnCount(study);
    hwStudyRow* rows = calloc((size_t)runs, sizeof(hwStudyRow));
    double* values = calloc((size_t)runs * (size_t)columns, sizeof(double));
    bool good = rows != NULL && values != NULL;
    for (int64_t run = 0; good && run < runs; ++run) {
        rows[run].done = true;
        rows[run].values = values + run * columns;
        good = hwStudy_Run(study, run, NULL, NULL, values + run * columns, error) == HW_OK;
    }
    good = good && hwStudy_WriteTables(study, rows, folder, error) == HW_OK && ReadAllowed(folder, allowed);
    free(values);
    free(rows);
    hwDestroyStudy(study);
    return good;
}

static void Operability(hwCaseContext* context) {
    const char* home = getenv("TMPDIR");
    char folder[100], path[160];
    snprintf(folder, sizeof(folder), "%.60s/hawser-operability-XXXXXX", home != NULL ? home : "/tmp");
    hwError error = {.status = HW_ERROR_FILE, .message = "no folder for temporary files can be made"};
    bool good = mkdtemp(folder) != NULL;
    double allowed[PERIODS];
    static const double periods[PERIODS] = {7.0, 11.0};
    for (int kind = 0; kind < 2 && good; ++kind) {
        good = PutStudy(folder, kind == 0 ? "deviation" : "max", kind == 0 ? g_deviation : g_most) &&
               RunStudy(folder, allowed, &error);
        for (int k = 0; k < PERIODS && good; ++k) {
            char name[80];
            // Tz of JONSWAP with gamma 3.3 (DNV-RP-C205, 3.5.5.4)
            double g = 3.3,
                   tz = periods[k] * (0.6673 + 0.05037 * g - 0.00623 * g * g + 0.0003341 * g * g * g);
            double waves = g_duration / tz;
            double hs =
                kind == 0 ? g_deviation / 0.2 : g_most / (0.2 * sqrt(2.0 * log(waves / -log(g_probability))));
            snprintf(name, sizeof(name), "allowed Hs, m, by %s at Tp %g s",
                     kind == 0 ? "deviation" : "largest heave", periods[k]);
            // The deviation of 900 s of sea is known to 1 in 2 sqrt(T B), B about 0.4/Tp: 7 % for 11 s; of 16 seeds a quarter. The
            // largest of about 100 waves scatters by pi/sqrt(6) / (2 ln n) = 14 %, and counting wave groups as single waves
            // makes its median too high by a few per cent.
            hwCase_Check(context, HW_MADE_REALTIME, name, hs, allowed[k], kind == 0 ? 0.055 : 0.12,
                         kind == 0 ? "three standard errors of 16 seeds"
                                   : "three standard errors of 16 seeds, and groups of waves");
        }
    }
    if (!good) hwCase_AddError(context, "study", &error);
    static const char* const written[] = {"operability.csv", "table.csv", "table.h5", "failures.csv",
                                          "study.html"};
    for (int i = 0; i < 8; ++i) {
        snprintf(path, sizeof(path), "%s/%s", folder, i < 3 ? g_files[i] : written[i - 3]);
        unlink(path);
    }
    rmdir(folder);
}

// Seas -------------------------------------------------------------------------------------------------------------------

// Moment of order 0 of a spectrum, by the trapezoidal rule over frequencies up to 12 rad/s.
static double GetHeight(double (*density)(const hwSpectrumPeak*, double), const hwSpectrumPeak* peaks) {
    double sum = 0.0, step = 1e-3;
    for (int i = 1; i < 12000; ++i) sum += step * density(peaks, i * step);
    return 4.0 * sqrt(sum);
}

static double GetTwoPeaks(const hwSpectrumPeak* peaks, double omega) {
    return hwSpectrum_GetTorsethaugen(peaks, omega);
}

static double GetOchiHubble(const hwSpectrumPeak* peaks, double omega) {
    return hwSpectrum_GetOchiHubble(2, peaks, omega);
}

// Deviation of the surface in a scene's sea, as a ship that follows it heaves in 1,800 s.
static double MeasureSea(const char* waves, hwError* error) {
    char text[800];
    snprintf(text, sizeof(text),
             "hawser: 1\nduration: 1\nenvironment: {water: {}, waves: {%s}}\nbodies: [{name: ship, motion: "
             "{prescribed: {box: "
             "{length: 1e-3, beam: 1e-3, draught: 1e-3, roll_period: 1, roll_damping: 1}}}}]\n",
             waves);
    hwScene* scene = hwParseScene(text, strlen(text), "sea.yaml", NULL, error);
    hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, NULL, error) : NULL;
    double sum = 0.0, squares = 0.0;
    enum { SAMPLES = 3600 };
    int channel = world != NULL ? hwWorld_FindChannel(world, "ship.position.z") : -1;
    for (int n = 0; n < SAMPLES && channel >= 0; ++n) {
        double z = hwWorld_ReadChannel(world, channel);
        sum += z;
        squares += z * z;
        if (hwWorld_Step(world, 0.5, error) < HW_OK) channel = -1;
    }
    hwDestroyWorld(world);
    hwDestroyScene(scene);
    double mean = sum / SAMPLES;
    return channel >= 0 ? sqrt(squares / SAMPLES - mean * mean) : (double)NAN;
}

static void Seas(hwCaseContext* context) {
    // DNV-RP-C205, appendix A, by hand for Hs 4 m, Tp 8 s: Tf = 6.6 Hs^(1/3) = 10.477 s, Tl = 2 sqrt(Hs) = 4 s, wind sea prevails;
    // e = (Tf - Tp)/(Tf - Tl) = 0.38243, share 0.7 + 0.3 exp(-(2 e)^2) = 0.86713
    hwSpectrumPeak peaks[2];
    hwTorsethaugen_Split(4.0, 8.0, peaks);
    hwCase_Check(context, HW_MADE_DIRECT, "Torsethaugen, Hs of the wind sea, m", 3.46853, peaks[0].hs, 2e-5,
                 "five digits by hand");
    hwCase_Check(context, HW_MADE_DIRECT, "Torsethaugen, Hs of the swell, m", 1.99242, peaks[1].hs, 2e-4,
                 "likewise");
    hwCase_Check(context, HW_MADE_DIRECT, "Torsethaugen, Tp of the swell, s", 12.4769, peaks[1].tp, 2e-5,
                 "likewise");
    hwCase_Check(context, HW_MADE_DIRECT, "Torsethaugen, 4 sqrt(m0), m", 4.0, GetHeight(GetTwoPeaks, peaks),
                 0.01, "the factor of gamma that brings each hump to its height is itself good to 1 %");
    const hwSpectrumPeak humps[2] = {{3.0, 13.0, 3.0}, {2.0, 7.0, 1.0}};
    hwCase_Check(context, HW_MADE_DIRECT, "Ochi-Hubble, 4 sqrt(m0), m", sqrt(13.0),
                 GetHeight(GetOchiHubble, humps), 2e-3,
                 "m0 of each hump is Hs^2/16 in closed form; what is above 12 rad/s is left out");
    // lambda 1 is Pierson and Moskowitz's spectrum: JONSWAP with gamma 1
    const hwSpectrumPeak pm = {2.0, 7.0, 1.0};
    hwCase_Check(context, HW_MADE_DIRECT, "Ochi-Hubble with lambda 1 over Pierson-Moskowitz at 1.1 rad/s",
                 1.0, hwSpectrum_GetOchiHubble(1, &pm, 1.1) / hwSpectrum_GetJonswap(&pm, 1.1), 1e-9,
                 "the same formula");
    hwError error = {.message = "the sea cannot be made"};
    const struct {
        const char *name, *waves;
        double deviation;
    } seas[] = {
        {"Torsethaugen sea, deviation of the surface, m", "torsethaugen: {hs: 4, tp: 8, seed: 3}", 1.0},
        {"Ochi-Hubble sea, deviation of the surface, m",
         "ochi_hubble: {hs: [3, 2], tp: [13, 7], lambda: [3, 1], seed: 3}", sqrt(13.0) / 4.0},
    };
    for (int i = 0; i < 2; ++i) {
        double found = MeasureSea(seas[i].waves, &error);
        if (isnan(found)) hwCase_AddError(context, seas[i].name, &error);
        // 1,800 s of a sea with a band of about 0.4/Tp: one in 2 sqrt(T B)
        if (!isnan(found))
            hwCase_Check(context, HW_MADE_REALTIME, seas[i].name, seas[i].deviation, found, 0.15,
                         "three standard errors of half an hour of sea");
    }
}

// Marine growth ------------------------------------------------------------------------------------------------------------

// A line that hangs: its weight in water, (m - rho A) g L with the layer's mass and displacement.
static void Growth(hwCaseContext* context) {
    static const char text[] =
        "hawser: 1\nduration: 1\nstart: {statics: true}\nenvironment: {gravity: 9.81, water: {density: "
        "1025}}\ncables:\n"
        "  - name: line\n    sections: [{length: 50, elements: 10, EA: 1e8, diameter: 0.1, mass_per_length: "
        "60, growth: "
        "{thickness: 0.05, density: 1325}}]\n    ends: {a: {on: earth, at: [0, 0, -5]}, b: {joint: free}}\n";
    hwError error;
    hwScene* scene = hwParseScene(text, strlen(text), "line.yaml", NULL, &error);
    hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, NULL, &error) : NULL;
    if (world == NULL) {
        hwCase_AddError(context, "line", &error);
    } else {
        double layer = 0.25 * HW_PI * (0.04 - 0.01), core = 0.25 * HW_PI * 0.01;
        hwCase_Check(context, HW_MADE_STATICS, "tension at the top of a grown line, N",
                     (60.0 + 1325.0 * layer - 1025.0 * (core + layer)) * 9.81 * 50.0,
                     hwWorld_ReadChannel(world, hwWorld_FindChannel(world, "line.a.tension")), 1e-6,
                     "what statics leaves of the force");
    }
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

const hwCase hwWorkbenchCases[] = {
    {"workbench/operability", "linear hand calculation: heave 0.8 of the waves, Rayleigh maxima",
     "Allowed significant wave heights of a study of 96 runs for each of two limits", Operability},
    {"workbench/seas", "DNV-RP-C205 (2010) appendix A and section 3.5; Ochi and Hubble (1976)",
     "Spectra of two humps by hand, and the seas made of them", Seas},
    {"workbench/growth", "DNV-OS-E301: weight of the layer", "Marine growth on a hanging line", Growth},
    {0},
};
