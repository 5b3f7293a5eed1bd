// Cables, winches and boom cranes of SMS. What they are attached to is said by the program that uses SMS, not by its files:
// ends that do not stand still are free, cranes are on the earth, and a winch is on the only cable or a comment.
#include "sms_scene.h"

#include "hawser/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void PutEntry(FILE* file, const char* before, const char* key, double value) {
    fprintf(file, "%s%s: ", before, key);
    hwSms_PutNumber(file, value);
}

// Cables -----------------------------------------------------------------------------------------------------------

typedef struct CableData {
    double EA, EI, GJ, density, diameter, drag, added, axial, bending, compression, longest, shortest;
} CableData;

static bool ReadCable(hwSmsJob* job, const hwIni* ini, CableData* data) {
    const struct {
        const char* key;
        double* value;
        double fallback;
    } fields[] = {{"EA", &data->EA, (double)NAN},
                  {"EI", &data->EI, 0.0},
                  {"GJ", &data->GJ, 0.0},
                  {"rho_cable", &data->density, (double)NAN},
                  {"dia_cable", &data->diameter, (double)NAN},
                  {"CDc", &data->drag, 0.0},
                  {"CAc", &data->added, 0.0},
                  {"CID", &data->axial, 0.0},
                  {"BCID", &data->bending, 0.0},
                  {"CE", &data->compression, 1.0},
                  {"ElementLengthMax", &data->longest, 0.0},
                  {"ElementLengthMin", &data->shortest, 0.0}};
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (!hwSms_Get(job, ini, -1, fields[i].key, fields[i].fallback, fields[i].value)) return false;
        if (isnan(*fields[i].value))
            return hwSms_Fail(ini, 1, 1, job->error, "a cable needs `$%s`", fields[i].key);
    }
    return true;
}

static void WriteSection(FILE* file, const CableData* data, double length, int elements) {
    PutEntry(file, "      - {", "length", length);
    fprintf(file, ", elements: %d", elements);
    PutEntry(file, ", ", "diameter", data->diameter);
    PutEntry(file, ", ", "density", data->density);
    PutEntry(file, ", ", "EA", data->EA);
    PutEntry(file, ", ", "EI", data->EI);
    PutEntry(file, ", ", "GJ", data->GJ);
    PutEntry(file, ",\n         damping: {", "axial", data->axial);
    PutEntry(file, ", ", "bending", data->bending);
    PutEntry(file, "}, drag: {", "normal", data->drag);
    PutEntry(file, ", tangential: 0}, added_mass: {", "normal", data->added);
    PutEntry(file, "}, ", "compression", data->compression);
    if (data->shortest > 0.0 && data->longest > 0.0) {
        PutEntry(file, ",\n         element_length: {", "min", data->shortest);
        PutEntry(file, ", ", "max", data->longest);
        fprintf(file, "}");
    }
    fprintf(file, "}\n");
}

// Neighbouring elements of one length make a section.
static bool WriteSections(hwSmsJob* job, const hwIni* ini, const CableData* data, FILE* file) {
    const hwIniEntry* lengths = hwIni_Find(ini, -1, "ElementLengths");
    if (lengths == NULL) return hwSms_Fail(ini, 1, 1, job->error, "a cable needs `$ElementLengths`");
    fprintf(file, "    sections:\n");
    double last = 0.0;
    int count = 0;
    for (int i = 0; i <= lengths->valueCount; i++) {
        double length = 0.0;
        if (i < lengths->valueCount && !hwSms_ReadNumber(ini, lengths, i, &length, job->error)) return false;
        if (i < lengths->valueCount && !(length > 0.0)) {
            return hwSms_Fail(ini, lengths->line, lengths->values[i].column, job->error,
                              "`$ElementLengths` holds %g, but lengths must be above 0", length);
        }
        if (count > 0 && length != last) {
            WriteSection(file, data, last * count, count);
            count = 0;
        }
        last = length;
        count++;
    }
    return true;
}

static bool IsStatic(hwSmsJob* job, const hwIni* ini, int end, bool* is) {
    double fixed;
    const char* key = end == 0 ? "NODE0_STATIC" : "NODEN_STATIC";
    if (end == 0 && hwIni_Find(ini, -1, key) == NULL) key = "NODEO_STATIC";
    if (!hwSms_Get(job, ini, -1, key, 0.0, &fixed)) return false;
    *is = fixed != 0.0;
    return true;
}

static bool WriteEnd(hwSmsJob* job, const hwIni* ini, int end, int node, FILE* file) {
    double state[6] = {0.0};
    bool fixed;
    if (!IsStatic(job, ini, end, &fixed)) return false;
    const hwIniEntry* entry = hwIni_Find(ini, node, "IC");
    for (int i = 0; entry != NULL && i < 6; i++) {
        if (!hwSms_ReadNumber(ini, entry, i, &state[i], job->error)) return false;
    }
    if (!fixed) {
        fprintf(file, "      %c: {joint: free}   # or on what it is attached to\n", end == 0 ? 'a' : 'b');
        hwSms_Warn(job, ini, 0, "what end %c is attached to is not in the files: it was left free",
                   end == 0 ? 'a' : 'b');
        return true;
    }
    const double position[3] = {state[1], state[3], state[5]};
    fprintf(file, "      %c: {on: earth, at: ", end == 0 ? 'a' : 'b');
    hwSms_PutList(file, 3, position);
    fprintf(file, ", joint: pin}\n");
    return true;
}

// States of a node alternate between velocity and position: `first` is 1 for positions, 0 for velocities.
static bool WriteNodes(hwSmsJob* job, const hwIni* ini, int last, int first, FILE* file, bool* any) {
    for (int node = 0; node <= last; node++) {
        const hwIniEntry* entry = hwIni_Find(ini, node, "IC");
        double state[6];
        if (entry == NULL)
            return hwSms_Fail(ini, 1, 1, job->error, "a cable needs `$%d|IC`, the state of node %d", node,
                              node);
        for (int i = 0; i < 6; i++) {
            if (!hwSms_ReadNumber(ini, entry, i, &state[i], job->error)) return false;
        }
        const double vector[3] = {state[first], state[first + 2], state[first + 4]};
        for (int i = 0; i < 3; i++) *any = *any || vector[i] != 0.0;
        if (file == NULL) continue;
        fprintf(file, "%s", node > 0 ? ", " : "");
        hwSms_PutList(file, 3, vector);
    }
    return true;
}

static bool WriteShape(hwSmsJob* job, const hwIni* ini, int last, FILE* file) {
    bool placed = false, moves = false;
    fprintf(file, "    shape:\n      nodes: [");
    if (!WriteNodes(job, ini, last, 1, file, &placed) || !WriteNodes(job, ini, last, 0, NULL, &moves))
        return false;
    fprintf(file, "]\n");
    if (!moves) return true;
    fprintf(file, "      velocities: [");
    if (!WriteNodes(job, ini, last, 0, file, &moves)) return false;
    fprintf(file, "]\n");
    return true;
}

static bool WriteMasses(hwSmsJob* job, const hwIni* ini, FILE* file) {
    bool any = false;
    for (int i = 0; i < ini->count; i++) {
        const hwIniEntry* entry = &ini->entries[i];
        double at, diameter, density;
        if (entry->id < 0 || strcasecmp(entry->key, "ExtMasses") != 0) continue;
        if (!hwSms_ReadNumber(ini, entry, 0, &at, job->error) ||
            !hwSms_ReadNumber(ini, entry, 1, &diameter, job->error) ||
            !hwSms_ReadNumber(ini, entry, 2, &density, job->error)) {
            return false;
        }
        if (!any) fprintf(file, "    masses:\n");
        any = true;
        PutEntry(file, "      - {", "at", at);
        PutEntry(file, ", ", "mass", density * HW_PI / 6.0 * diameter * diameter * diameter);
        PutEntry(file, ", ", "diameter", diameter);
        fprintf(file, "}\n");
    }
    return true;
}

bool hwSms_WriteCable(hwSmsJob* job, const hwSmsFile* source, FILE* file) {
    const hwIni* ini = &source->ini;
    CableData data;
    if (!ReadCable(job, ini, &data)) return false;
    fprintf(file, "  - name: %s   # %s\n    model: dynamic\n", source->name, ini->file);
    if (!WriteSections(job, ini, &data, file)) return false;
    int last = hwIni_Find(ini, -1, "ElementLengths")->valueCount;
    fprintf(file, "    ends:\n");
    return WriteEnd(job, ini, 0, 0, file) && WriteEnd(job, ini, 1, last, file) &&
           WriteShape(job, ini, last, file) && WriteMasses(job, ini, file);
}

// Winches ----------------------------------------------------------------------------------------------------------

// The cable that a winch must be on and the end that stands still, when there is one of each and no doubt; otherwise null.
static bool FindCable(hwSmsJob* job, const hwSmsFile** found, int* end) {
    int cables = 0, winches = 0;
    *found = NULL;
    for (int i = 0; i < job->fileCount; i++) {
        winches += job->files[i].kind == HW_SMS_WINCH;
        if (job->files[i].kind != HW_SMS_CABLE) continue;
        cables += 1;
        *found = &job->files[i];
    }
    if (cables != 1 || winches != 1) *found = NULL;
    if (*found == NULL) return true;
    bool fixed[2];
    for (int e = 0; e < 2; e++) {
        if (!IsStatic(job, &(*found)->ini, e, &fixed[e])) return false;
    }
    *end = fixed[0] ? 0 : 1;
    if (fixed[0] == fixed[1]) *found = NULL;
    return true;
}

bool hwSms_WriteWinch(hwSmsJob* job, const hwSmsFile* source, FILE* file) {
    const hwIni* ini = &source->ini;
    double kp, ki, kd, up, down, velocity, tension;
    if (!hwSms_Get(job, ini, -1, "Kp", 0.0, &kp) || !hwSms_Get(job, ini, -1, "Ki", 0.0, &ki) ||
        !hwSms_Get(job, ini, -1, "Kd", 0.0, &kd) || !hwSms_Get(job, ini, -1, "accel_max", 3.0, &up) ||
        !hwSms_Get(job, ini, -1, "decel_max", -3.0, &down) ||
        !hwSms_Get(job, ini, -1, "VelocitySetPoint", 0.0, &velocity) ||
        !hwSms_Get(job, ini, -1, "TensionSetPoint", 0.0, &tension)) {
        return false;
    }
    const hwSmsFile* cable;
    int end = 0;
    if (!FindCable(job, &cable, &end)) return false;
    const char* mark = cable != NULL ? "" : "# ";
    if (cable == NULL) {
        hwSms_Warn(
            job, ini, 0,
            "what the winch is attached to is not in the files: it was written as a comment to complete");
    }
    fprintf(file, "%s  - name: %s   # %s\n%s    cable: %s%s\n%s    end: %c\n%s    mode: velocity", mark,
            source->name, ini->file, mark, cable != NULL ? cable->name : "the_cable",
            cable != NULL ? "" : "   # the cable it is on, and at which end", mark, end == 0 ? 'a' : 'b',
            mark);
    const struct {
        const char* name;
        double value;
    } numbers[] = {{"setpoint", velocity}, {"kp", kp}, {"ki", ki}, {"kd", kd}, {"acceleration", up},
                   {"deceleration", down}};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        fprintf(file, "\n%s    ", mark);
        PutEntry(file, "", numbers[i].name, numbers[i].value);
        if (i == 0) PutEntry(file, "   # or mode: tension, ", "setpoint", tension);
    }
    fprintf(file, "\n");
    return true;
}

bool hwSms_HasLiveWinch(hwSmsJob* job) {
    const hwSmsFile* cable;
    int end;
    return FindCable(job, &cable, &end) && cable != NULL;
}

// Boom cranes ------------------------------------------------------------------------------------------------------

static bool ReadRow(hwSmsJob* job, const hwIni* ini, const hwIniEntry* entry, int count, double* values) {
    for (int i = 0; i < count; i++) {
        if (!hwSms_ReadNumber(ini, entry, i, &values[i], job->error)) return false;
    }
    return true;
}

static bool WriteVector(hwSmsJob* job, const hwIni* ini, int id, const char* key, const char* name,
                        bool always, FILE* file) {
    const hwIniEntry* entry = hwIni_Find(ini, id, key);
    double v[3] = {0.0};
    if (entry != NULL && !ReadRow(job, ini, entry, 3, v)) return false;
    if (!always && v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0) return true;
    fprintf(file, "        %s", name);
    hwSms_PutList(file, 3, v);
    fprintf(file, "%s\n", strchr(name, '{') != NULL ? "}" : "");
    return true;
}

static bool WriteMass(hwSmsJob* job, const hwIni* ini, int id, FILE* file) {
    const hwIniEntry* entry = hwIni_Find(ini, id, "LinkMass");
    double masses[3] = {0.0};
    if (entry == NULL) return hwSms_Fail(ini, 1, 1, job->error, "link %d needs `$%d|LinkMass`", id, id);
    int count = entry->valueCount;
    if (!ReadRow(job, ini, entry, count, masses)) return false;
    if (count == 3 && (masses[0] != masses[1] || masses[0] != masses[2])) {
        hwSms_Warn(job, ini, entry->line,
                   "a link has one mass: the first of three different numbers was taken");
    }
    PutEntry(file, "        ", "mass", masses[0]);
    fprintf(file, "\n");
    const hwIniEntry* inertia = hwIni_Find(ini, id, "LinkMomentOfInertia");
    double moments[6] = {0.0};
    if (inertia == NULL)
        return hwSms_Fail(ini, 1, 1, job->error, "link %d needs `$%d|LinkMomentOfInertia`", id, id);
    if (!ReadRow(job, ini, inertia, inertia->valueCount == 6 ? 6 : 3, moments)) return false;
    fprintf(file, "        inertia: ");
    hwSms_PutList(file, inertia->valueCount == 6 ? 6 : 3, moments);
    fprintf(file, "\n");
    return true;
}

static bool WriteControl(hwSmsJob* job, const hwIni* ini, int id, bool turns, FILE* file) {
    const hwIniEntry* type = hwIni_Find(ini, id, "JointControlType");
    double kp, ki, kd, power, stiffness, damping;
    if (!hwSms_Get(job, ini, id, "JointProportionalCoefficient", 0.0, &kp) ||
        !hwSms_Get(job, ini, id, "JointIntegralCoefficient", 0.0, &ki) ||
        !hwSms_Get(job, ini, id, "JointDerivativeCoefficient", 0.0, &kd) ||
        !hwSms_Get(job, ini, id, "MaximumActuatablePower", 0.0, &power) ||
        !hwSms_Get(job, ini, id, "JointLimitStiffness", 1e7, &stiffness) ||
        !hwSms_Get(job, ini, id, "JointLimitDamping", 1e6, &damping)) {
        return false;
    }
    const char* mode = "passive";
    if (type != NULL) {
        const char* word = type->values[0].text;
        mode = strcasecmp(word, "position") == 0   ? "position"
               : strcasecmp(word, "velocity") == 0 ? "velocity"
                                                   : "passive";
        if (strcasecmp(word, mode) != 0) {
            char quoted[48];
            return hwSms_Fail(ini, type->line, type->values[0].column, job->error,
                              "`$JointControlType` is `%s`, but must be position, velocity or passive",
                              hwQuoteText(quoted, sizeof(quoted), word));
        }
    }
    fprintf(file, "        control: {mode: %s", mode);
    PutEntry(file, ", ", "kp", kp);
    PutEntry(file, ", ", "ki", ki);
    PutEntry(file, ", ", "kd", kd);
    if (power > 0.0) PutEntry(file, ", ", "power", power);
    fprintf(file, "}\n");
    const hwIniEntry* limits = hwIni_Find(ini, id, "UpstreamJointLimits");
    double range[2];
    if (limits == NULL) return true;
    if (!ReadRow(job, ini, limits, 2, range)) return false;
    if (fabs(range[0]) >= 1e30 && fabs(range[1]) >= 1e30) return true;
    fprintf(file, "        limits: {%s: ", turns ? "range_deg" : "range");
    hwSms_PutList(file, 2, range);
    PutEntry(file, ", ", "stiffness", stiffness);
    PutEntry(file, ", ", "damping", damping);
    fprintf(file, "}\n");
    return true;
}

static bool WriteLink(hwSmsJob* job, const hwIni* ini, int id, FILE* file) {
    const hwIniEntry* dh = hwIni_Find(ini, id, "LinkDHParameters");
    const hwIniEntry* variable = hwIni_Find(ini, id, "LinkJointVariable");
    double row[4], velocity;
    if (dh == NULL) dh = hwIni_Find(ini, id, "LinkDHPParameters");
    if (dh == NULL) return hwSms_Fail(ini, 1, 1, job->error, "link %d needs `$%d|LinkDHParameters`", id, id);
    if (!ReadRow(job, ini, dh, 4, row) || !hwSms_Get(job, ini, id, "LinkJointVelocity", 0.0, &velocity))
        return false;
    bool turns = variable == NULL || strcasecmp(variable->values[0].text, "theta") == 0;
    if (!turns && strcasecmp(variable->values[0].text, "d") != 0) {
        char quoted[48];
        return hwSms_Fail(ini, variable->line, variable->values[0].column, job->error,
                          "`$LinkJointVariable` is `%s`, but must be Theta or d",
                          hwQuoteText(quoted, sizeof(quoted), variable->values[0].text));
    }
    fprintf(file, "      - name: link%d\n", id + 1);
    if (id == 0) {
        fprintf(file, "        parent: base\n");
    } else {
        fprintf(file, "        parent: link%d\n", id);
    }
    fprintf(file, "        joint: %s\n", turns ? "revolute" : "prismatic");
    PutEntry(file, "        dh: {", "alpha_deg", row[0]);
    PutEntry(file, ", ", "a", row[1]);
    PutEntry(file, ", ", "d", row[2]);
    PutEntry(file, ", ", "theta_deg", row[3]);
    fprintf(file, "}\n");
    if (velocity != 0.0) {
        PutEntry(file, "        ", "qd", velocity);
        fprintf(file, "\n");
    }
    return WriteVector(job, ini, id, "LinkCGLocation", "com: ", true, file) &&
           WriteVector(job, ini, id, "LinkCGOrientation", "com_attitude: {rpy: ", false, file) &&
           WriteMass(job, ini, id, file) && WriteControl(job, ini, id, turns, file);
}

bool hwSms_WriteCrane(hwSmsJob* job, const hwSmsFile* source, FILE* file) {
    const hwIni* ini = &source->ini;
    int links = 0;
    for (int i = 0; i < ini->count; i++) {
        if (ini->entries[i].id >= links) links = ini->entries[i].id + 1;
    }
    if (links > 1000) return hwSms_Fail(ini, 1, 1, job->error, "a crane may have 1000 links at most");
    fprintf(
        file,
        "  - name: %s   # %s\n    base: {on: earth, position: [0, 0, 0]}   # the file does not say where it "
        "stands\n    links:\n",
        source->name, ini->file);
    for (int id = 0; id < links; id++) {
        if (!WriteLink(job, ini, id, file)) return false;
    }
    return true;
}
