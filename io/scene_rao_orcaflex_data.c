// Response amplitude operators from a text data file that OrcaFlex has saved (.yml), as its program writes them:
//     VesselTypes:
//       - Name: Supply vessel
//         RAOPhaseConvention: leads
//         Draughts:
//           - Name: Deep
//             DisplacementRAOs:
//               RAOOrigin: [2.5, 0, -2]
//               PhaseOrigin: [~, ~, ~]
//               RAOs:
//                 - RAODirection: 0
//                   RAOPeriodOrFrequency, RAOSurgeAmp, RAOSurgePhase, ...:
//                     - [5, ...]
// A phase origin of nothing is the point that moves. All else in the file is left alone.
#include "rao_orcaflex.h"

#include <stdlib.h>
#include <string.h>

static const char g_columns[] =
    "RAOPeriodOrFrequency, RAOSurgeAmp, RAOSurgePhase, RAOSwayAmp, RAOSwayPhase, RAOHeaveAmp, RAOHeavePhase, "
    "RAORollAmp, RAORollPhase, RAOPitchAmp, RAOPitchPhase, RAOYawAmp, RAOYawPhase";

typedef struct File {
    hwOrcaTable table;
    hwOrcaConventions conventions;
} File;

// Lines are those of the file.
static bool FailAt(const File* file, const hwYaml* node, const char* what) {
    return hwReader_Fail(file->table.reader, file->table.node, "`%s`, line %d: %s", file->table.quoted,
                         node->line, what);
}

static bool ReadNumber(const hwYaml* node, double* value) {
    if (node == NULL || node->kind != HW_YAML_SCALAR || node->quoted) return false;
    if (strcmp(node->text, "Infinity") == 0) {
        *value = INFINITY;
        return true;
    }
    return hwYaml_ParseNumber(node->text, value) == HW_NUMBER_OK;
}

// A length that the file may leave out.
static bool ReadLength(const File* file, const hwYaml* map, const char* key, double* value) {
    const hwYaml* node = map != NULL ? hwYaml_Find(map, key) : NULL;
    if (node == NULL || hwYaml_IsEmpty(node)) return true;
    if (!ReadNumber(node, value)) return FailAt(file, node, "a number is expected");
    *value *= file->conventions.length;
    return true;
}

// A place; one of nothing ([~, ~, ~]) keeps `place`.
static bool ReadPlace(const File* file, const hwYaml* node, double* place) {
    if (node == NULL || hwYaml_IsEmpty(node)) return true;
    if (node->kind != HW_YAML_LIST || node->count != 3) return FailAt(file, node, "a place is three numbers");
    int i = 0;
    for (const hwYaml* item = node->first; item != NULL; item = item->next, i++) {
        if (hwYaml_IsEmpty(item)) continue;
        if (!ReadNumber(item, &place[i]) || !isfinite(place[i]))
            return FailAt(file, item, "a number is expected");
        place[i] *= file->conventions.length;
    }
    return true;
}

static const hwYaml* FindMap(const hwYaml* map, const char* key) {
    const hwYaml* node = hwYaml_Find(map, key);
    return node != NULL && node->kind == HW_YAML_MAP ? node : NULL;
}

// m in the unit of length of the model; false where it is not known.
static bool FindUnit(const hwYaml* root, double* unit) {
    static const struct {
        const char* name;
        double length;
    } units[] = {{"m", 1.0}, {"km", 1000.0}, {"ft", 0.3048}, {"in", 0.0254}, {"mm", 0.001}, {"cm", 0.01}};
    const hwYaml* general = FindMap(root, "General");
    const hwYaml* system = general != NULL ? hwYaml_Find(general, "UnitsSystem") : NULL;
    *unit = 1.0;
    if (system == NULL || system->kind != HW_YAML_SCALAR || strcmp(system->text, "SI") == 0) return true;
    *unit = 0.3048;
    if (strcmp(system->text, "US") == 0) return true;
    const hwYaml* length = hwYaml_Find(general, "LengthUnits");
    for (size_t i = 0;
         length != NULL && length->kind == HW_YAML_SCALAR && i < sizeof(units) / sizeof(units[0]); i++) {
        *unit = units[i].length;
        if (strcmp(length->text, units[i].name) == 0) return true;
    }
    return false;
}

static const char* GetName(const hwYaml* map) {
    const hwYaml* name = map->kind == HW_YAML_MAP ? hwYaml_Find(map, "Name") : NULL;
    return name != NULL && name->kind == HW_YAML_SCALAR ? name->text : "";
}

// The entry of a list that has the name, or the only one; null and an error that names them all.
static const hwYaml* Choose(const File* file, const hwYaml* list, const char* what, const char* key,
                            const char* asked) {
    if (list == NULL || list->kind != HW_YAML_LIST || list->count == 0) {
        hwReader_Fail(file->table.reader, file->table.node, "`%s` holds no %s", file->table.quoted, what);
        return NULL;
    }
    char names[200] = "";
    size_t used = 0;
    for (const hwYaml* item = list->first; item != NULL; item = item->next) {
        if (item->kind == HW_YAML_MAP &&
            (asked != NULL ? strcmp(GetName(item), asked) == 0 : list->count == 1))
            return item;
        char quoted[64];
        hwQuoteText(quoted, sizeof(quoted), GetName(item));
        size_t length = strlen(quoted);
        if (used + length + 8 < sizeof(names)) {
            memcpy(names + used, used > 0 ? ", `" : "`", used > 0 ? 3 : 1);
            used += used > 0 ? 3 : 1;
            memcpy(names + used, quoted, length);
            used += length;
            names[used++] = '`';
            names[used] = 0;
        }
    }
    hwReader_Fail(file->table.reader, file->table.node,
                  "`%s` holds several of %s: say which one with `%s`: %s", file->table.quoted, what, key,
                  names);
    return NULL;
}

static bool ReadRows(File* file, double direction, const hwYaml* rows) {
    for (const hwYaml* row = rows->first; row != NULL; row = row->next) {
        double numbers[13];
        int count = 0;
        bool good = row->kind == HW_YAML_LIST && row->count == 13;
        for (const hwYaml* item = good ? row->first : NULL; item != NULL && good; item = item->next)
            good = ReadNumber(item, &numbers[count++]);
        if (!good)
            return FailAt(file, row, "a row is 13 numbers: a wave, amplitude and phase of six motions");
        if (!isfinite(numbers[0])) continue; // the limit of long waves
        for (int i = 1; i < 13; i++)
            if (!isfinite(numbers[i])) return FailAt(file, row, "a motion must be finite");
        if (!hwOrcaTable_Add(&file->table, &file->conventions, direction, numbers)) return false;
    }
    return true;
}

static bool ReadDirections(File* file, const hwYaml* operators) {
    const hwYaml* list = hwYaml_Find(operators, "RAOs");
    if (list == NULL || list->kind != HW_YAML_LIST) return FailAt(file, operators, "`RAOs` is missing");
    for (const hwYaml* item = list->first; item != NULL; item = item->next) {
        double direction = 0.0;
        const hwYaml* rows = NULL;
        if (item->kind == HW_YAML_MAP) rows = hwYaml_Find(item, g_columns);
        if (rows == NULL || rows->kind != HW_YAML_LIST ||
            !ReadNumber(hwYaml_Find(item, "RAODirection"), &direction) || !isfinite(direction))
            return FailAt(file, item,
                          "a direction has `RAODirection` and a table of RAOPeriodOrFrequency, "
                          "RAOSurgeAmp, RAOSurgePhase and so on");
        if (!ReadRows(file, direction, rows)) return false;
    }
    return true;
}

static bool ReadConventions(File* file, const hwYaml* type) {
    for (const hwYaml* item = type->first; item != NULL; item = item->next) {
        if (item->kind != HW_YAML_SCALAR || item->key == NULL || item->key->kind != HW_YAML_SCALAR) continue;
        const char* key = item->key->text;
        if (hwOrcaConventions_Set(&file->conventions, key, strlen(key), item->text) == HW_ORCA_UNKNOWN_VALUE)
            return FailAt(file, item,
                          "this convention is not understood; waves by amplitude, phases that lag or "
                          "lead, and symmetry about the xz plane, both planes, none or circular are");
    }
    return true;
}

static bool ReadType(File* file, const hwYaml* root, const char* vessel, const char* draught) {
    if (!FindUnit(root, &file->conventions.length))
        return hwReader_Fail(file->table.reader, file->table.node,
                             "`%s`: the unit of length is not understood", file->table.quoted);
    if (!ReadLength(file, FindMap(root, "Environment"), "WaterDepth", &file->conventions.depth)) return false;
    const hwYaml* type = Choose(file, hwYaml_Find(root, "VesselTypes"), "vessel types", "rao_vessel", vessel);
    if (type == NULL || !ReadConventions(file, type)) return false;
    const hwYaml* chosen = Choose(file, hwYaml_Find(type, "Draughts"), "draughts", "rao_draught", draught);
    if (chosen == NULL) return false;
    const hwYaml* operators = FindMap(chosen, "DisplacementRAOs");
    if (operators == NULL) return FailAt(file, chosen, "this draught has no `DisplacementRAOs`");
    if (!ReadPlace(file, hwYaml_Find(operators, "RAOOrigin"), file->conventions.origin)) return false;
    memcpy(file->conventions.crest, file->conventions.origin, sizeof(file->conventions.crest));
    return ReadPlace(file, hwYaml_Find(operators, "PhaseOrigin"), file->conventions.crest) &&
           ReadDirections(file, operators);
}

bool hwReadOrcaFlexData(hwReader* reader, const hwYaml* node, const char* path, const char* vessel,
                        const char* draught, hwRaoDef* rao) {
    char quoted[80];
    File file = {.table = {.reader = reader, .node = node, .quoted = quoted},
                 .conventions = hwDefaultOrcaConventions()};
    hwQuoteText(quoted, sizeof(quoted), path);
    hwStore store;
    hwStore_Init(&store, NULL);
    size_t size = 0;
    char* text =
        hwReadFileText(&store, path, HW_YAML_MAX_BYTES, node->line, node->column, &size, reader->error);
    hwError error;
    const hwYaml* root = text != NULL ? hwYaml_Parse(&store, text, size, &error) : NULL;
    bool good = root != NULL;
    if (text != NULL && root == NULL)
        hwReader_Fail(reader, node, "`%s`, line %d: %s", quoted, error.line, error.message);
    if (good && (root->kind != HW_YAML_MAP || hwYaml_Find(root, "VesselTypes") == NULL))
        good =
            hwReader_Fail(reader, node, "`%s` is no data file of OrcaFlex: it has no `VesselTypes`", quoted);
    good = good && ReadType(&file, root, vessel, draught) &&
           hwOrcaTable_Finish(&file.table, &file.conventions, rao);
    free(file.table.rows);
    hwStore_Free(&store);
    return good;
}
