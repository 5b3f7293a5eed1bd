// Values of keys: numbers with their ranges, words, vectors, lists of sections.
#include "scene_read.h"
#include "schema_sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* NameOf(const hwKey* key, bool degrees, char* buffer, size_t size) {
    snprintf(buffer, size, "%s%s", key->name, degrees ? "_deg" : "");
    return buffer;
}

static bool FailForm(hwReader* reader, const hwKey* key, const hwYaml* node, bool degrees) {
    char name[48], form[200], text[80];
    hwKey_Describe(key, degrees, form, sizeof(form));
    if (hwYaml_IsEmpty(node)) {
        return hwReader_Fail(reader, node, "`%s` has no value; it must be a %s",
                             NameOf(key, degrees, name, sizeof(name)), form);
    }
    return hwReader_Fail(reader, node, "`%s` must be a %s, not %s", NameOf(key, degrees, name, sizeof(name)),
                         form, hwYaml_Describe(node, text, sizeof(text)));
}

bool hwReader_FailType(hwReader* reader, const hwKey* key, const hwYaml* node) {
    return FailForm(reader, key, node, false);
}

// Numbers ----------------------------------------------------------------------------------------------------------

static bool InRange(const hwRange* range, double value) {
    if (!isfinite(value)) return range->infinite && value > 0.0;
    if (range->low == 0.0 && range->high == 0.0) return true;
    if (range->openLow ? !(value > range->low) : !(value >= range->low)) return false;
    return range->openHigh ? value < range->high : value <= range->high;
}

static bool FailRange(hwReader* reader, const hwKey* key, const hwYaml* node, bool degrees,
                      const char* what) {
    char name[48], range[64], quoted[48], unit[48] = "";
    hwRange_Describe(&key->range, degrees, range, sizeof(range));
    if (degrees) {
        snprintf(unit, sizeof(unit), " degrees");
    } else if (key->unit != NULL) {
        snprintf(unit, sizeof(unit), " %s", key->unit);
    }
    bool many = key->type != HW_KEY_NUMBER && key->type != HW_KEY_INTEGER;
    hwReader_Fail(reader, node, "`%s` %s %s, but must be %s%s%s", NameOf(key, degrees, name, sizeof(name)),
                  many ? "holds" : "is", hwQuoteText(quoted, sizeof(quoted), node->text), what,
                  what[0] != 0 && range[0] != 0 ? " " : "", range);
    if (range[0] != 0 && reader->error != NULL) {
        size_t length = strlen(reader->error->message);
        snprintf(reader->error->message + length, sizeof(reader->error->message) - length, "%s", unit);
    }
    return false;
}

bool hwReadNumber(hwReader* reader, const hwKey* key, const hwYaml* node, bool degrees, double* out) {
    double value;
    if (node->kind != HW_YAML_SCALAR || node->quoted || hwYaml_IsEmpty(node))
        return FailForm(reader, key, node, degrees);
    switch (hwYaml_ParseNumber(node->text, &value)) {
    case HW_NUMBER_NONE:
        return FailForm(reader, key, node, degrees);
    case HW_NUMBER_NAN:
        return FailRange(reader, key, node, degrees, "a number");
    case HW_NUMBER_LARGE:
        return FailRange(reader, key, node, degrees, "a finite number");
    case HW_NUMBER_OK:
        break;
    }
    if (degrees) value *= HW_DEGREE;
    if (!InRange(&key->range, value)) {
        return FailRange(reader, key, node, degrees, isfinite(value) ? "" : "a finite number");
    }
    *out = value;
    return true;
}

static bool ReadInteger(hwReader* reader, const hwKey* key, const hwYaml* node, int* out) {
    double value;
    if (!hwReadNumber(reader, key, node, false, &value)) return false;
    if (value != floor(value) || fabs(value) > 2e9) return FailForm(reader, key, node, false);
    *out = (int)value;
    return true;
}

static bool ReadSeed(hwReader* reader, const hwKey* key, const hwYaml* node, uint64_t* out) {
    if (node->kind != HW_YAML_SCALAR || node->quoted) return FailForm(reader, key, node, false);
    uint64_t value = 0;
    for (const char* c = node->text; *c != 0; c++) {
        if (*c < '0' || *c > '9' || value > (UINT64_MAX - (uint64_t)(*c - '0')) / 10)
            return FailForm(reader, key, node, false);
        value = 10 * value + (uint64_t)(*c - '0');
    }
    if (node->text[0] == 0) return FailForm(reader, key, node, false);
    *out = value;
    return true;
}

static bool ReadSwitch(hwReader* reader, const hwKey* key, const hwYaml* node, bool* out) {
    if (node->kind == HW_YAML_SCALAR && !node->quoted) {
        const char* text = node->text;
        *out = strcmp(text, "true") == 0 || strcmp(text, "True") == 0 || strcmp(text, "TRUE") == 0;
        if (*out || strcmp(text, "false") == 0 || strcmp(text, "False") == 0 || strcmp(text, "FALSE") == 0)
            return true;
    }
    return FailForm(reader, key, node, false);
}

// Words ------------------------------------------------------------------------------------------------------------

// Texts are printed to terminals, which obey control characters: a scene from a stranger must not drive one. Lines and tabs may
// be in a text, in a file name they may not. U+0080 to U+009F are C2 80 to C2 9F.
static bool RefuseControls(hwReader* reader, const hwKey* key, const hwYaml* node, const char* allowed) {
    for (const unsigned char* c = (const unsigned char*)node->text; *c != 0; c++) {
        bool control = (*c < 0x20 && strchr(allowed, *c) == NULL) || *c == 0x7F;
        bool second = *c == 0xC2 && c[1] >= 0x80 && c[1] <= 0x9F;
        if (control || second)
            return hwReader_Fail(reader, node, "`%s` holds the control character %02X, which no text may",
                                 key->name, second ? c[1] : *c);
    }
    return true;
}

static bool ReadText(hwReader* reader, const hwKey* key, const hwYaml* node, const char** out) {
    if (node->kind != HW_YAML_SCALAR || node->text[0] == 0 || hwYaml_IsEmpty(node))
        return FailForm(reader, key, node, false);
    if (!RefuseControls(reader, key, node, "\n\r\t")) return false;
    *out = hwStore_CopyText(reader->store, node->text, strlen(node->text));
    return *out != NULL || hwReader_FailMemory(reader);
}

static bool IsName(const char* text) {
    size_t length = strlen(text);
    if (length == 0 || length > 63) return false;
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == length;
}

static bool ReadName(hwReader* reader, const hwKey* key, const hwYaml* node, const char** out) {
    if (node->kind != HW_YAML_SCALAR || !IsName(node->text)) return FailForm(reader, key, node, false);
    return ReadText(reader, key, node, out);
}

static bool ReadReference(hwReader* reader, const hwKey* key, const hwYaml* node, hwRef* out) {
    out->line = node->line;
    out->column = node->column;
    return ReadText(reader, key, node, &out->text);
}

static bool ReadFile(hwReader* reader, const hwKey* key, const hwYaml* node, const char** out) {
    if (node->kind != HW_YAML_SCALAR || node->text[0] == 0) return FailForm(reader, key, node, false);
    if (!RefuseControls(reader, key, node, "")) return false;
    *out = hwReader_JoinPath(reader, node, node->text);
    return *out != NULL && hwReader_NoteFile(reader, node, *out);
}

static bool ReadChoice(hwReader* reader, const hwKey* key, const hwYaml* node, int* out) {
    if (node->kind != HW_YAML_SCALAR || hwYaml_IsEmpty(node)) return FailForm(reader, key, node, false);
    const hwChoice* choice = hwChoice_Find(key->choices, node->text);
    if (choice != NULL) {
        *out = choice->value;
        return true;
    }
    char quoted[48];
    const char* candidates[16];
    int count = 0;
    for (; key->choices[count].word != NULL && count < 16; count++)
        candidates[count] = key->choices[count].word;
    char form[200];
    hwKey_Describe(key, false, form, sizeof(form));
    hwReader_Fail(reader, node, "`%s` is `%s`, but must be a %s", key->name,
                  hwQuoteText(quoted, sizeof(quoted), node->text), form);
    hwReader_Suggest(reader, node->text, candidates, count);
    return false;
}

// Vectors and lists of numbers -------------------------------------------------------------------------------------

static bool ReadVector(hwReader* reader, const hwKey* key, const hwYaml* node, bool degrees, hwVec3* out) {
    if (node->kind != HW_YAML_LIST || node->count != 3) return FailForm(reader, key, node, degrees);
    double values[3];
    int i = 0;
    for (const hwYaml* element = node->first; i < 3; element = element->next, i++) {
        if (!hwReadNumber(reader, key, element, degrees, &values[i])) return false;
    }
    *out = hwMakeVec3(values[0], values[1], values[2]);
    return true;
}

static bool ReadComponents(hwReader* reader, const hwKey* key, const hwYaml* node, bool degrees,
                           hwVec3* out) {
    if (reader->components == 3 && (node->kind != HW_YAML_SCALAR || (key->flags & HW_KEY_SPREAD) == 0)) {
        return ReadVector(reader, key, node, degrees, out);
    }
    double value;
    if (!hwReadNumber(reader, key, node, degrees, &value)) return false;
    // Scalars use the x component; the others repeat it so that a period is never zero.
    *out = hwMakeVec3(value, value, value);
    return true;
}

static bool AllowsCount(const hwKey* key, int count) {
    if (key->sizes[0] == 0) return count >= 1;
    for (int i = 0; i < 4; i++) {
        if (key->sizes[i] == count && count > 0) return true;
    }
    return false;
}

static bool ReadNumbers(hwReader* reader, const hwKey* key, const hwYaml* node, bool degrees,
                        hwNumbers* out) {
    bool single = node->kind == HW_YAML_SCALAR && key->sizes[0] == 1;
    int count = single ? 1 : node->count;
    if ((!single && node->kind != HW_YAML_LIST) || !AllowsCount(key, count))
        return FailForm(reader, key, node, degrees);
    double* values = hwReader_Take(reader, (size_t)count, sizeof(*values));
    if (values == NULL) return false;
    const hwYaml* element = single ? node : node->first;
    for (int i = 0; i < count; i++, element = element->next) {
        if (!hwReadNumber(reader, key, element, degrees, &values[i])) return false;
    }
    out->count = count;
    out->values = values;
    return true;
}

typedef bool VectorFn(hwReader* reader, const hwKey* key, const hwYaml* node, bool degrees, hwVec3* out);

static bool ReadVectors(hwReader* reader, const hwKey* key, const hwYaml* node, VectorFn* read,
                        hwVectors* out) {
    if (node->kind != HW_YAML_LIST || node->count < 1) return FailForm(reader, key, node, false);
    hwVec3* values = hwReader_Take(reader, (size_t)node->count, sizeof(*values));
    if (values == NULL) return false;
    int i = 0;
    for (const hwYaml* element = node->first; element != NULL; element = element->next, i++) {
        if (!read(reader, key, element, false, &values[i])) return false;
    }
    out->count = node->count;
    out->values = values;
    return true;
}

// Sections ---------------------------------------------------------------------------------------------------------

static bool ReadItems(hwReader* reader, const hwKey* key, const hwYaml* node, hwItems* out) {
    bool single = key->type == HW_KEY_ONE_OR_LIST && node->kind == HW_YAML_MAP;
    if (!single && node->kind != HW_YAML_LIST) return FailForm(reader, key, node, false);
    int count = single ? 1 : node->count;
    if (count > 0 && (size_t)count > SIZE_MAX / 4 / key->section->size) return hwReader_FailMemory(reader);
    char* items = hwReader_Take(reader, (size_t)count, key->section->size);
    if (items == NULL) return false;
    const hwYaml* element = single ? node : node->first;
    for (int i = 0; i < count; i++, element = element->next) {
        if (!hwReadSection(reader, key->section, element, items + (size_t)i * key->section->size))
            return false;
    }
    out->count = count;
    out->items = items;
    return true;
}

static bool ReadNamed(hwReader* reader, const hwKey* key, const hwYaml* node, hwItems* out) {
    if (node->kind != HW_YAML_MAP) return FailForm(reader, key, node, false);
    char* items = hwReader_Take(reader, (size_t)node->count, key->section->size);
    if (items == NULL) return false;
    int i = 0;
    for (const hwYaml* element = node->first; element != NULL; element = element->next, i++) {
        char quoted[64];
        if (!IsName(element->key->text)) {
            return hwReader_Fail(reader, element->key,
                                 "`%s` in `%s` is no name: use letters, digits, _ and -",
                                 hwQuoteText(quoted, sizeof(quoted), element->key->text), key->name);
        }
        // The structure of a named section has its name right behind its place.
        char* item = items + (size_t)i * key->section->size;
        const char** name = (const char**)(void*)(item + sizeof(hwPlace));
        const char* outer = reader->object;
        *name = hwStore_CopyText(reader->store, element->key->text, strlen(element->key->text));
        if (*name == NULL) return hwReader_FailMemory(reader);
        reader->object = *name;
        if (!hwReadSection(reader, key->section, element, item)) return false;
        reader->object = outer;
    }
    out->count = node->count;
    out->items = items;
    return true;
}

bool hwReadValue(hwReader* reader, const hwKey* key, const hwYaml* node, bool degrees, void* field) {
    if (hwYaml_IsEmpty(node)) return FailForm(reader, key, node, degrees);
    double scale = degrees ? HW_DEGREE : 1.0;
    switch (key->type) {
    case HW_KEY_NUMBER:
        return hwReadNumber(reader, key, node, degrees, field);
    case HW_KEY_INTEGER:
        return ReadInteger(reader, key, node, field);
    case HW_KEY_SEED:
        return ReadSeed(reader, key, node, field);
    case HW_KEY_SWITCH:
        return ReadSwitch(reader, key, node, field);
    case HW_KEY_TEXT:
        return ReadText(reader, key, node, field);
    case HW_KEY_NAME:
        return ReadName(reader, key, node, field);
    case HW_KEY_REFERENCE:
        return ReadReference(reader, key, node, field);
    case HW_KEY_FILE:
        return ReadFile(reader, key, node, field);
    case HW_KEY_CHOICE:
        return ReadChoice(reader, key, node, field);
    case HW_KEY_VECTOR:
        return ReadVector(reader, key, node, degrees, field);
    case HW_KEY_NUMBERS:
        return ReadNumbers(reader, key, node, degrees, field);
    case HW_KEY_VECTORS:
        return ReadVectors(reader, key, node, ReadVector, field);
    case HW_KEY_COMPONENTS:
        return ReadComponents(reader, key, node, degrees, field);
    case HW_KEY_SERIES:
        return ReadVectors(reader, key, node, ReadComponents, field);
    case HW_KEY_SIGNAL:
        return hwReadSignal(reader, key, node, 1, scale, field);
    case HW_KEY_VECTOR_SIGNAL:
        return hwReadSignal(reader, key, node, 3, scale, field);
    case HW_KEY_SECTION:
        return hwReadSection(reader, key->section, node, field);
    case HW_KEY_LIST:
    case HW_KEY_ONE_OR_LIST:
        return ReadItems(reader, key, node, field);
    case HW_KEY_NAMED:
        return ReadNamed(reader, key, node, field);
    case HW_KEY_SPECIAL:
        return key->read(reader, key, node, field);
    }
    return false;
}
