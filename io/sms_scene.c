// The scene that SMS files become: run, environment, materials and payloads; the rest as comments to complete.
#include "sms_scene.h"

#include "csv_number.h"
#include "hawser/convert.h"
#include "sms_mass.h"

#include <math.h>
#include <string.h>

bool hwSms_Get(hwSmsJob* job, const hwIni* ini, int id, const char* key, double fallback, double* value) {
    const hwIniEntry* entry = hwIni_Find(ini, id, key);
    *value = fallback;
    return entry == NULL || hwSms_ReadNumber(ini, entry, 0, value, job->error);
}

void hwSms_PutNumber(FILE* file, double value) {
    char text[HW_NUMBER_SIZE];
    // A sum of zeros should not read "-0".
    fprintf(file, "%.*s", hwFormatNumber(value == 0.0 ? 0.0 : value, text), text);
}

void hwSms_PutList(FILE* file, int count, const double* values) {
    for (int i = 0; i < count; i++) {
        fputs(i == 0 ? "[" : ", ", file);
        hwSms_PutNumber(file, values[i]);
    }
    fputs("]", file);
}

static void PutPair(FILE* file, const char* before, const char* key, double value) {
    fprintf(file, "%s%s: ", before, key);
    hwSms_PutNumber(file, value);
}

static const hwSmsFile* FindKind(const hwSmsJob* job, hwSmsKind kind) {
    for (int i = 0; i < job->fileCount; i++) {
        if (job->files[i].kind == kind) return &job->files[i];
    }
    return NULL;
}

// A number that must not be below (or at) zero.
static bool GetPositive(hwSmsJob* job, const hwIni* ini, const char* key, double fallback, bool zero,
                        double* value) {
    if (!hwSms_Get(job, ini, -1, key, fallback, value)) return false;
    const hwIniEntry* entry = hwIni_Find(ini, -1, key);
    if (entry == NULL || *value > 0.0 || (zero && *value == 0.0)) return true;
    return hwSms_Fail(ini, entry->line, entry->values[0].column, job->error, "`$%s` is %g, but must be %s",
                      entry->key, *value, zero ? "at least 0" : "above 0");
}

// Run and environment ----------------------------------------------------------------------------------------------

static bool WriteSolver(hwSmsJob* job, FILE* file) {
    const hwSmsFile* source = FindKind(job, HW_SMS_INTEGRATOR);
    fprintf(file, "duration: 60   # SMS files do not say how long to run\noutput: {interval: 0.01}\n");
    hwSms_Warn(job, NULL, 0, "SMS files do not say how long to run: `duration` is 60 s");
    if (source == NULL) return true;
    const hwIni* ini = &source->ini;
    double initial, min, max;
    if (!GetPositive(job, ini, "Timestep", 0.0, true, &initial) ||
        !GetPositive(job, ini, "Timestep_MIN", 0.0, true, &min) ||
        !GetPositive(job, ini, "Timestep_MAX", 0.0, true, &max)) {
        return false;
    }
    if (max > 0.0 && (initial > max || min > max)) {
        const hwIniEntry* entry = hwIni_Find(ini, -1, "Timestep_MAX");
        return hwSms_Fail(ini, entry->line, entry->values[0].column, job->error,
                          "`$Timestep_MAX` is %g, but must be at least `$Timestep` and `$Timestep_MIN`", max);
    }
    PutPair(file, "solver: {mode: reference", ", initial", initial);
    PutPair(file, ", ", "min", min);
    PutPair(file, ", ", "max", max);
    // The gains of a crane's controllers (1e9 N m/rad in SMS' own sample) make the joints stiff: an explicit method needs
    // steps of microseconds.
    if (FindKind(job, HW_SMS_CRANE) != NULL) fprintf(file, ", method: dirk");
    fprintf(file, "}   # an adaptive integrator, as in SMS; `realtime` is faster\n");
    return true;
}

static bool WriteEnvironment(hwSmsJob* job, FILE* file) {
    const hwSmsFile* source = FindKind(job, HW_SMS_ENVIRONMENT);
    if (source == NULL) return true;
    const hwIni* ini = &source->ini;
    double gravity, air, airViscosity, water, waterViscosity;
    if (!GetPositive(job, ini, "g", 9.81, true, &gravity) ||
        !GetPositive(job, ini, "airDensity", 1.2, true, &air) ||
        !GetPositive(job, ini, "airKinematicViscosity", 1.5e-5, false, &airViscosity) ||
        !GetPositive(job, ini, "waterDensity", 1025.0, true, &water) ||
        !GetPositive(job, ini, "waterKinematicViscosity", 1.787e-6, false, &waterViscosity)) {
        return false;
    }
    PutPair(file, "\nenvironment:\n  ", "gravity", gravity);
    if (water > 0.0) {
        PutPair(file, "\n  water: {", "density", water);
        PutPair(file, ", ", "viscosity", waterViscosity);
        fprintf(file, ", surface: 0}");
    } else {
        hwSms_Warn(job, ini, hwIni_Find(ini, -1, "waterDensity")->line,
                   "a water density of 0 makes a scene without water");
    }
    PutPair(file, "\n  air: {", "density", air);
    PutPair(file, ", ", "viscosity", airViscosity);
    fprintf(file, "}\n");
    return true;
}

// Payloads ---------------------------------------------------------------------------------------------------------

static bool HasMaterial(const hwSmsFile* source) {
    return source->kind == HW_SMS_PAYLOAD && hwIni_Find(&source->ini, -1, "Young_modulus") != NULL;
}

static bool WriteMaterials(hwSmsJob* job, FILE* file) {
    bool any = false;
    for (int i = 0; i < job->fileCount; i++) {
        const hwSmsFile* source = &job->files[i];
        if (!HasMaterial(source)) continue;
        double young, damping, kinetic, sticking;
        if (!GetPositive(job, &source->ini, "Young_modulus", 0.0, false, &young) ||
            !GetPositive(job, &source->ini, "B", 0.0, true, &damping) ||
            !GetPositive(job, &source->ini, "muc", 0.0, true, &kinetic) ||
            !GetPositive(job, &source->ini, "mus", kinetic, true, &sticking)) {
            return false;
        }
        if (sticking < kinetic) {
            hwSms_Warn(job, &source->ini, hwIni_Find(&source->ini, -1, "mus")->line,
                       "`$mus` is less than `$muc`; the static friction was raised to the kinetic one");
            sticking = kinetic;
        }
        if (!any) fprintf(file, "\nmaterials:\n");
        any = true;
        fprintf(file, "  %s: {", source->name);
        PutPair(file, "", "young", young);
        PutPair(file, ", ", "damping", damping);
        PutPair(file, ", friction: {", "static", sticking);
        PutPair(file, ", ", "kinetic", kinetic);
        fprintf(file, "}}\n");
    }
    return true;
}

static bool ReadMatrix(hwSmsJob* job, const hwIni* ini, double matrix[6][6]) {
    for (int i = 0; i < 6; i++) {
        const hwIniEntry* row = hwIni_Find(ini, i, "Mass");
        if (row == NULL)
            return hwSms_Fail(ini, 1, 1, job->error, "a payload needs `$%d|Mass`, row %d of its mass matrix",
                              i, i);
        for (int j = 0; j < 6; j++) {
            if (!hwSms_ReadNumber(ini, row, j, &matrix[i][j], job->error)) return false;
        }
    }
    bool warned = false;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < i; j++) {
            double mean = 0.5 * (matrix[i][j] + matrix[j][i]);
            double scale = sqrt(fabs(matrix[i][i] * matrix[j][j]));
            if (!warned && fabs(matrix[i][j] - matrix[j][i]) > 1e-9 * scale) {
                hwSms_Warn(job, ini, hwIni_Find(ini, i, "Mass")->line,
                           "the mass matrix is not symmetric; its symmetric part was taken");
                warned = true;
            }
            matrix[i][j] = matrix[j][i] = mean;
        }
    }
    return true;
}

static bool SplitMatrix(hwSmsJob* job, const hwSmsFile* source, hwMassParts* parts) {
    double matrix[6][6];
    if (!ReadMatrix(job, &source->ini, matrix)) return false;
    const hwIniEntry* row = hwIni_Find(&source->ini, 0, "Mass");
    switch (hwSplitMass((const double(*)[6])matrix, parts)) {
    case HW_MASS_RIGID:
        return true;
    case HW_MASS_SPLIT:
        hwSms_Warn(job, &source->ini, row->line,
                   "no rigid body has this mass matrix; it was split into a body of %g kg, which decides the "
                   "weight, and "
                   "added mass, which acts below the surface only",
                   parts->mass);
        return true;
    default:
        return hwSms_Fail(&source->ini, row->line, row->column, job->error,
                          "the mass matrix in `$0|Mass` to `$5|Mass` is not positive definite");
    }
}

// Rates of roll, pitch, yaw (Z-Y'-X'') as angular velocity in body axes.
static hwVec3 BodyRate(hwVec3 rpy, hwVec3 rates) {
    double cr = hwCos(rpy.x), sr = hwSin(rpy.x), cp = hwCos(rpy.y), sp = hwSin(rpy.y);
    return hwMakeVec3(rates.x - rates.z * sp, rates.y * cr + rates.z * sr * cp,
                      -rates.y * sr + rates.z * cr * cp);
}

static void WriteAddedMass(FILE* file, const double matrix[6][6]) {
    bool any = false;
    for (int i = 0; i < 36; i++) any = any || matrix[i / 6][i % 6] != 0.0;
    if (!any) return;
    fprintf(file, "    added_mass:   # what is left of the mass matrix\n");
    for (int i = 0; i < 6; i++) {
        fprintf(file, "      - ");
        hwSms_PutList(file, 6, matrix[i]);
        fprintf(file, "\n");
    }
}

static bool WritePayload(hwSmsJob* job, const hwSmsFile* source, FILE* file) {
    double ic[12];
    for (int i = 0; i < 12; i++) {
        if (hwIni_Find(&source->ini, i, "IC") == NULL) {
            return hwSms_Fail(&source->ini, 1, 1, job->error,
                              "a payload needs `$%d|IC`, one of its 12 initial conditions", i);
        }
        if (!hwSms_Get(job, &source->ini, i, "IC", 0.0, &ic[i])) return false;
    }
    hwMassParts parts;
    if (!SplitMatrix(job, source, &parts)) return false;
    hwVec3 rate = BodyRate(hwMakeVec3(ic[9], ic[10], ic[11]), hwMakeVec3(ic[3], ic[4], ic[5]));
    const double com[3] = {parts.com.x, parts.com.y, parts.com.z}, rates[3] = {rate.x, rate.y, rate.z};
    bool diagonal = parts.inertia[3] == 0.0 && parts.inertia[4] == 0.0 && parts.inertia[5] == 0.0;
    fprintf(file, "  - name: %s   # %s\n", source->name, source->ini.file);
    PutPair(file, "    ", "mass", parts.mass);
    fprintf(file, "\n    inertia: ");
    hwSms_PutList(file, diagonal ? 3 : 6, parts.inertia);
    if (com[0] != 0.0 || com[1] != 0.0 || com[2] != 0.0) {
        fprintf(file, "\n    com: ");
        hwSms_PutList(file, 3, com);
    }
    fprintf(file, "\n    position: ");
    hwSms_PutList(file, 3, ic + 6);
    fprintf(file, "\n    attitude: {rpy: ");
    hwSms_PutList(file, 3, ic + 9);
    fprintf(file, "}\n    velocity: ");
    hwSms_PutList(file, 3, ic);
    fprintf(file, "\n    rate: ");
    hwSms_PutList(file, 3, rates);
    fprintf(file, "   # body axes; SMS gives rates of the Euler angles\n");
    WriteAddedMass(file, (const double(*)[6])parts.addedMass);
    // The shape comes from the program that uses SMS, not from the file.
    fprintf(file, "    # shapes: [{box: [1, 1, 1]%s%s}]   # the file does not say what it looks like\n",
            HasMaterial(source) ? ", material: " : "", HasMaterial(source) ? source->name : "");
    return true;
}

static bool WritePayloads(hwSmsJob* job, FILE* file) {
    bool any = false;
    for (int i = 0; i < job->fileCount; i++) {
        if (job->files[i].kind != HW_SMS_PAYLOAD) continue;
        if (!any) fprintf(file, "\nbodies:\n");
        any = true;
        if (!WritePayload(job, &job->files[i], file)) return false;
    }
    return true;
}

// The rest ---------------------------------------------------------------------------------------------------------

typedef bool WriteFn(hwSmsJob* job, const hwSmsFile* source, FILE* file);

static bool WriteKind(hwSmsJob* job, FILE* file, hwSmsKind kind, const char* section, WriteFn* write) {
    bool any = false, crane = kind == HW_SMS_CRANE;
    for (int i = 0; i < job->fileCount; i++) {
        const hwSmsFile* source = &job->files[i];
        if (source->kind != kind) continue;
        bool comment = kind == HW_SMS_WINCH && !hwSms_HasLiveWinch(job);
        if (!any) fprintf(file, "\n%s%s:\n", comment ? "# " : "", section);
        any = true;
        if (crane) {
            hwSms_Warn(job, &source->ini, 0,
                       "what the crane stands on is not in the files: it was put on the earth at the origin");
        }
        if (!write(job, source, file)) return false;
    }
    return true;
}

bool hwSms_WriteScene(hwSmsJob* job, FILE* file) {
    fprintf(file, "# Converted from SMS files:");
    for (int i = 0; i < job->fileCount; i++) fprintf(file, "%s %s", i > 0 ? "," : "", job->files[i].ini.file);
    fprintf(file, "\nhawser: 1\nname: \"%s\"\n", job->title);
    return WriteSolver(job, file) && WriteEnvironment(job, file) && WriteMaterials(job, file) &&
           WritePayloads(job, file) && WriteKind(job, file, HW_SMS_CRANE, "mechanisms", hwSms_WriteCrane) &&
           WriteKind(job, file, HW_SMS_CABLE, "cables", hwSms_WriteCable) &&
           WriteKind(job, file, HW_SMS_WINCH, "winches", hwSms_WriteWinch);
}
