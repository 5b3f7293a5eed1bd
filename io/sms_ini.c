#define _POSIX_C_SOURCE 200809L
#include "sms_ini.h"

#include "yaml_tree.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool hwSms_Fail(const hwIni* ini, int line, int column, hwError* error, const char* format, ...) {
    char message[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    hwSceneFail(error, HW_ERROR_FORMAT, line, column, "%s", message);
    if (error != NULL) hwQuoteText(error->object, sizeof(error->object), ini->file);
    return false;
}

// Parsing ----------------------------------------------------------------------------------------------------------

typedef struct Line {
    const char* text;
    size_t length;
} Line;

static bool IsSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static Line TakeLine(const char** cursor, const char* end) {
    Line line = {*cursor, 0};
    while (*cursor < end && **cursor != '\n') ++*cursor;
    line.length = (size_t)(*cursor - line.text);
    if (*cursor < end) ++*cursor;
    for (size_t i = 0; i + 1 < line.length; i++) {
        if (line.text[i] == '/' && line.text[i + 1] == '/') line.length = i;
    }
    while (line.length > 0 && IsSpace(line.text[line.length - 1])) line.length--;
    return line;
}

// Next word of a line; separated by blanks and commas.
static bool TakeWord(Line line, size_t* at, Line* word) {
    while (*at < line.length && (IsSpace(line.text[*at]) || line.text[*at] == ',')) ++*at;
    word->text = line.text + *at;
    word->length = 0;
    while (*at < line.length && !IsSpace(line.text[*at]) && line.text[*at] != ',') {
        ++*at;
        word->length++;
    }
    return word->length > 0;
}

// "3|IC" into 3 and "IC".
static bool SplitKey(const hwIni* ini, Line word, int line, int column, int* id, Line* key, hwError* error) {
    *id = -1;
    *key = word;
    const char* bar = memchr(word.text, '|', word.length);
    if (bar != NULL) {
        size_t digits = (size_t)(bar - word.text);
        *id = 0;
        for (size_t i = 0; i < digits; i++) {
            if (word.text[i] < '0' || word.text[i] > '9' || *id > 1000000) digits = 0;
            if (digits > 0) *id = 10 * *id + (word.text[i] - '0');
        }
        if (digits == 0)
            return hwSms_Fail(ini, line, column + 1, error,
                              "before the bar of `$id|key` there must be a number");
        key->text = bar + 1;
        key->length = word.length - digits - 1;
    }
    bool good = key->length > 0 && key->length < 64;
    for (size_t i = 0; good && i < key->length; i++) {
        char c = key->text[i];
        good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }
    return good ||
           hwSms_Fail(ini, line, column + 1, error, "after `$` there must be a key of letters, digits and _");
}

static bool ReadEntry(hwStore* store, const hwIni* ini, Line line, size_t at, int number, hwIniEntry* entry,
                      hwError* error) {
    Line word, key;
    entry->line = number;
    entry->column = (int)at + 1;
    at++;
    size_t start = at;
    TakeWord(line, &at, &word);
    if (word.text != line.text + start) word.length = 0;
    if (!SplitKey(ini, word, number, entry->column, &entry->id, &key, error)) return false;
    size_t first = at;
    int count = 0;
    while (TakeWord(line, &at, &word)) count++;
    if (count > HW_INI_MAX_VALUES) {
        return hwSms_Fail(ini, number, entry->column, error, "`$%.*s` has more than %d values",
                          (int)key.length, key.text, HW_INI_MAX_VALUES);
    }
    hwIniValue* values = HW_STORE_TAKE(store, hwIniValue, count);
    char* name = hwStore_CopyText(store, key.text, key.length);
    bool good = values != NULL && name != NULL;
    at = first;
    for (int i = 0; good && i < count; i++) {
        TakeWord(line, &at, &word);
        values[i].text = hwStore_CopyText(store, word.text, word.length);
        values[i].column = (int)(word.text - line.text) + 1;
        good = values[i].text != NULL;
    }
    if (!good) hwSceneFail_Memory(error);
    entry->key = name;
    entry->values = values;
    entry->valueCount = count;
    return good;
}

bool hwIni_Parse(hwStore* store, const char* text, size_t size, const char* file, hwIni* ini,
                 hwError* error) {
    memset(ini, 0, sizeof(*ini));
    char* name = hwStore_CopyText(store, file, strnlen(file, 100));
    ini->file = name;
    if (name == NULL) {
        hwSceneFail_Memory(error);
        return false;
    }
    for (; *name != 0; name++) {
        if ((unsigned char)*name < 0x20 || (unsigned char)*name >= 0x7f) *name = '_';
    }
    if (size > HW_INI_MAX_BYTES) {
        hwSms_Fail(ini, 1, 1, error, "the file has more than %u MB", HW_INI_MAX_BYTES >> 20);
        if (error != NULL) error->status = HW_ERROR_LIMIT;
        return false;
    }
    if (size > 0 && memchr(text, 0, size) != NULL)
        return hwSms_Fail(ini, 1, 1, error, "this is not a text file: it holds zero bytes");
    const char* end = text + size;
    const char* cursor = text;
    int lines = 1;
    for (const char* c = text; c < end; c++) lines += *c == '\n';
    ini->entries = HW_STORE_TAKE(store, hwIniEntry, lines);
    if (ini->entries == NULL) {
        hwSceneFail_Memory(error);
        return false;
    }
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) cursor += 3;
    for (int number = 1; cursor < end; number++) {
        Line line = TakeLine(&cursor, end);
        size_t at = 0;
        while (at < line.length && IsSpace(line.text[at])) at++;
        if (at == line.length) continue;
        if (line.text[at] != '$') {
            return hwSms_Fail(ini, number, (int)at + 1, error,
                              "a line must be `$key values`, or a comment after //");
        }
        if (!ReadEntry(store, ini, line, at, number, &ini->entries[ini->count], error)) return false;
        ini->count++;
    }
    if (ini->count == 0) return hwSms_Fail(ini, 1, 1, error, "the file holds no `$key` at all");
    return true;
}

const hwIniEntry* hwIni_Find(const hwIni* ini, int id, const char* key) {
    for (int i = ini->count - 1; i >= 0; i--) {
        if (ini->entries[i].id == id && strcasecmp(ini->entries[i].key, key) == 0) return &ini->entries[i];
    }
    return NULL;
}

bool hwSms_ReadNumber(const hwIni* ini, const hwIniEntry* entry, int index, double* value, hwError* error) {
    char quoted[48];
    if (index >= entry->valueCount) {
        return hwSms_Fail(ini, entry->line, entry->column, error, "`$%s` needs %d values, but has %d",
                          entry->key, index + 1, entry->valueCount);
    }
    const hwIniValue* text = &entry->values[index];
    if (hwYaml_ParseNumber(text->text, value) == HW_NUMBER_OK && isfinite(*value)) return true;
    return hwSms_Fail(ini, entry->line, text->column, error, "`$%s` holds `%s`, which is not a finite number",
                      entry->key, hwQuoteText(quoted, sizeof(quoted), text->text));
}

// Keys -------------------------------------------------------------------------------------------------------------

#define OUTPUT_FOLDER "no counterpart: `hawser run --sms DIR` writes to `DIR/name`"

static const hwSmsKey keys[] = {
    {HW_SMS_ENVIRONMENT, "airDensity", false, 1, 1, "environment.air.density", NULL},
    {HW_SMS_ENVIRONMENT, "airKinematicViscosity", false, 1, 1, "environment.air.viscosity", NULL},
    {HW_SMS_ENVIRONMENT, "waterDensity", false, 1, 1, "environment.water.density", "0: the scene is dry"},
    {HW_SMS_ENVIRONMENT, "waterKinematicViscosity", false, 1, 1, "environment.water.viscosity", NULL},
    {HW_SMS_ENVIRONMENT, "g", false, 1, 1, "environment.gravity", NULL},

    {HW_SMS_INTEGRATOR, "Timestep", false, 1, 1, "solver.initial", NULL},
    {HW_SMS_INTEGRATOR, "Timestep_MIN", false, 1, 1, "solver.min", NULL},
    {HW_SMS_INTEGRATOR, "Timestep_MAX", false, 1, 1, "solver.max",
     "with a crane also `method: dirk`: the gains of its controllers make an explicit method crawl"},

    {HW_SMS_PAYLOAD, "IC", true, 1, 1, "bodies: velocity, rate, position, attitude",
     "ids 0 to 11; rates of Euler angles become body rates"},
    {HW_SMS_PAYLOAD, "Mass", true, 6, 6, "bodies: mass, inertia, com, added_mass", "rows 0 to 5, see below"},
    {HW_SMS_PAYLOAD, "Young_modulus", false, 1, 1, "materials: young", NULL},
    {HW_SMS_PAYLOAD, "B", false, 1, 1, "materials: damping", NULL},
    {HW_SMS_PAYLOAD, "muc", false, 1, 1, "materials: friction.kinetic", NULL},
    {HW_SMS_PAYLOAD, "mus", false, 1, 1, "materials: friction.static", NULL},
    {HW_SMS_PAYLOAD, "OutputFolder", false, 1, 1000, NULL, OUTPUT_FOLDER},

    {HW_SMS_CABLE, "EA", false, 1, 1, "cables: sections.EA", NULL},
    {HW_SMS_CABLE, "EI", false, 1, 1, "cables: sections.EI", NULL},
    {HW_SMS_CABLE, "GJ", false, 1, 1, "cables: sections.GJ", NULL},
    {HW_SMS_CABLE, "rho_cable", false, 1, 1, "cables: sections.density", NULL},
    {HW_SMS_CABLE, "dia_cable", false, 1, 1, "cables: sections.diameter", NULL},
    {HW_SMS_CABLE, "CDc", false, 1, 1, "cables: sections.drag.normal", NULL},
    {HW_SMS_CABLE, "CAc", false, 1, 1, "cables: sections.added_mass.normal", NULL},
    {HW_SMS_CABLE, "CID", false, 1, 1, "cables: sections.damping.axial", "taken as N s"},
    {HW_SMS_CABLE, "BCID", false, 1, 1, "cables: sections.damping.bending", "taken as N m² s"},
    {HW_SMS_CABLE, "CE", false, 1, 1, "cables: sections.compression", NULL},
    {HW_SMS_CABLE, "ElementLengthMax", false, 1, 1, "cables: sections.element_length.max", NULL},
    {HW_SMS_CABLE, "ElementLengthMin", false, 1, 1, "cables: sections.element_length.min", NULL},
    {HW_SMS_CABLE, "NODE0_STATIC", false, 1, 1, "cables: ends.a", "1: on earth; 0: free, to be attached"},
    {HW_SMS_CABLE, "NODEO_STATIC", false, 1, 1, "cables: ends.a",
     "the same with the letter O, as the sample file has it"},
    {HW_SMS_CABLE, "NODEN_STATIC", false, 1, 1, "cables: ends.b", "1: on earth; 0: free, to be attached"},
    {HW_SMS_CABLE, "IC", true, 6, 6, "cables: shape.nodes and .velocities", NULL},
    {HW_SMS_CABLE, "ElementLengths", false, 1, HW_INI_MAX_VALUES, "cables: sections.length and .elements",
     "equal neighbours make one section"},
    {HW_SMS_CABLE, "ExtMasses", true, 3, 3, "cables: masses", "a sphere: mass is density · π d³ / 6"},
    {HW_SMS_CABLE, "OutputFolder", false, 1, 1000, NULL, OUTPUT_FOLDER},

    {HW_SMS_WINCH, "Kp", false, 1, 1, "winches: kp", NULL},
    {HW_SMS_WINCH, "Ki", false, 1, 1, "winches: ki", NULL},
    {HW_SMS_WINCH, "Kd", false, 1, 1, "winches: kd", NULL},
    {HW_SMS_WINCH, "accel_max", false, 1, 1, "winches: acceleration", NULL},
    {HW_SMS_WINCH, "decel_max", false, 1, 1, "winches: deceleration", NULL},
    {HW_SMS_WINCH, "VelocitySetPoint", false, 1, 1, "winches: setpoint", "with `mode: velocity`"},
    {HW_SMS_WINCH, "TensionSetPoint", false, 1, 1, "winches: setpoint", "with `mode: tension`, as a comment"},
    {HW_SMS_WINCH, "OutputFolder", false, 1, 1000, NULL, OUTPUT_FOLDER},

    {HW_SMS_CRANE, "VERBOSE", false, 0, 1, NULL, "no counterpart"},
    {HW_SMS_CRANE, "LinkDHParameters", true, 4, 4, "links: dh",
     "alpha and theta in degrees, as the sample file has them"},
    {HW_SMS_CRANE, "LinkDHPParameters", true, 4, 4, "links: dh",
     "the same, as the table of the manual spells it"},
    {HW_SMS_CRANE, "LinkJointVariable", true, 1, 1, "links: joint", "Theta: revolute, d: prismatic"},
    {HW_SMS_CRANE, "LinkJointVelocity", true, 1, 1, "links: qd", NULL},
    {HW_SMS_CRANE, "LinkCGLocation", true, 3, 3, "links: com", NULL},
    {HW_SMS_CRANE, "LinkCGOrientation", true, 3, 3, "links: com_attitude.rpy",
     "taken as roll, pitch, yaw in radians"},
    {HW_SMS_CRANE, "LinkMass", true, 1, 3, "links: mass", "three equal numbers; others give a warning"},
    {HW_SMS_CRANE, "LinkMomentOfInertia", true, 3, 6, "links: inertia", NULL},
    {HW_SMS_CRANE, "JointControlType", true, 1, 1, "links: control.mode", NULL},
    {HW_SMS_CRANE, "JointProportionalCoefficient", true, 1, 1, "links: control.kp", NULL},
    {HW_SMS_CRANE, "JointIntegralCoefficient", true, 1, 1, "links: control.ki", NULL},
    {HW_SMS_CRANE, "JointDerivativeCoefficient", true, 1, 1, "links: control.kd", NULL},
    {HW_SMS_CRANE, "MaximumActuatablePower", true, 1, 1, "links: control.power", NULL},
    {HW_SMS_CRANE, "UpstreamJointLimits", true, 2, 2, "links: limits.range_deg or .range",
     "degrees for revolute joints, as the sample file has them; 1e30 and beyond: no limit"},
    {HW_SMS_CRANE, "JointLimitStiffness", true, 1, 1, "links: limits.stiffness", NULL},
    {HW_SMS_CRANE, "JointLimitDamping", true, 1, 1, "links: limits.damping", NULL},
    {HW_SMS_CRANE, "OutputFolder", false, 1, 1000, NULL, OUTPUT_FOLDER},
    {HW_SMS_CRANE, NULL, false, 0, 0, NULL, NULL},
};

const hwSmsKey* hwSms_GetKeys(void) {
    return keys;
}

const char* hwSms_GetKindName(hwSmsKind kind) {
    static const char* const names[] = {"environment", "integrator", "payload",
                                        "cable",       "winch",      "boom crane"};
    return names[kind];
}

const hwSmsKey* hwSms_FindKey(hwSmsKind kind, const hwIniEntry* entry) {
    for (const hwSmsKey* key = keys; key->name != NULL; key++) {
        if (key->kind == kind && key->indexed == (entry->id >= 0) && strcasecmp(key->name, entry->key) == 0)
            return key;
    }
    return NULL;
}

bool hwSms_DetectKind(const hwIni* ini, hwSmsKind* kind, hwError* error) {
    int scores[HW_SMS_KIND_COUNT] = {0}, best = 0;
    for (int i = 0; i < ini->count; i++) {
        for (int k = 0; k < HW_SMS_KIND_COUNT; k++) {
            const hwSmsKey* key = hwSms_FindKey((hwSmsKind)k, &ini->entries[i]);
            // A payload's and a cable's initial conditions differ in the number of values only.
            bool fits = key != NULL && ini->entries[i].valueCount >= key->minCount &&
                        ini->entries[i].valueCount <= key->maxCount;
            if (fits && key->target != NULL) scores[k]++;
        }
    }
    for (int k = 1; k < HW_SMS_KIND_COUNT; k++) {
        if (scores[k] > scores[best]) best = k;
    }
    *kind = (hwSmsKind)best;
    if (scores[best] > 0) return true;
    char quoted[48];
    return hwSms_Fail(
        ini, ini->entries[0].line, ini->entries[0].column, error,
        "`$%s` and the other keys are not those of an environment, integrator, payload, cable, winch or "
        "boom crane file",
        hwQuoteText(quoted, sizeof(quoted), ini->entries[0].key));
}
