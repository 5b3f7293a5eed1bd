#include "scene_set.h"

#include "scene_model.h"
#include "schema_sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_STEP 80
#define MOST_NAMES 1000 // of a list that are compared with a wrong one

typedef struct Setter {
    hwStore* store;
    hwError* error;
    const char* path; // all of it
    size_t pathLength;
    hwYaml* node; // reached so far
} Setter;

static hwYaml* FailMemory(Setter* s) {
    hwSceneFail_Memory(s->error);
    return NULL;
}

static hwYaml* FindKey(const hwYaml* map, const char* name) {
    for (hwYaml* value = map->first; value != NULL; value = value->next) {
        if (strcmp(value->key->text, name) == 0) return value;
    }
    return NULL;
}

static void Append(hwYaml* parent, hwYaml* node) {
    hwYaml** link = &parent->first;
    while (*link != NULL) link = &(*link)->next;
    *link = node;
    parent->count++;
}

// A new pair of a mapping; its value is an empty mapping until it is set.
static hwYaml* AddKey(Setter* s, hwYaml* map, const char* name) {
    hwYaml* key = HW_STORE_TAKE(s->store, hwYaml, 1);
    hwYaml* value = key != NULL ? HW_STORE_TAKE(s->store, hwYaml, 1) : NULL;
    char* text = value != NULL ? hwStore_CopyText(s->store, name, strlen(name)) : NULL;
    if (text == NULL) return FailMemory(s);
    *key = (hwYaml){.kind = HW_YAML_SCALAR, .line = map->line, .column = map->column, .text = text};
    *value = (hwYaml){.kind = HW_YAML_MAP, .line = map->line, .column = map->column, .key = key};
    Append(map, value);
    return value;
}

// `angle` and `angle_deg` are one: setting the one takes the other's place.
static hwYaml* FindTwin(const hwYaml* map, const char* name) {
    char twin[LONGEST_STEP + 8];
    size_t length = strlen(name);
    bool degrees = length > 4 && strcmp(name + length - 4, "_deg") == 0;
    snprintf(twin, sizeof(twin), degrees ? "%.*s" : "%.*s_deg", (int)(degrees ? length - 4 : length), name);
    return FindKey(map, twin);
}

static hwYaml* FindItem(Setter* s, const hwYaml* list, const char* name) {
    const char* names[MOST_NAMES];
    int count = 0, index = 0;
    char* end;
    long number = strtol(name, &end, 10);
    bool numbered = end != name && *end == 0 && number >= 0;
    for (hwYaml* item = list->first; item != NULL; item = item->next, index++) {
        const hwYaml* own = item->kind == HW_YAML_MAP ? FindKey(item, "name") : NULL;
        if (own != NULL && own->kind == HW_YAML_SCALAR) {
            if (strcmp(own->text, name) == 0) return item;
            if (count < MOST_NAMES) names[count++] = own->text;
        }
        if (numbered && number == index) return item;
    }
    char quoted[LONGEST_STEP];
    hwQuoteText(quoted, sizeof(quoted), name);
    if (numbered || count == 0) {
        hwSceneFail(s->error, HW_ERROR_ARGUMENT, list->line, list->column,
                    "`%.*s`: the list has %d entries, numbered from 0, and none of the name `%s`",
                    (int)s->pathLength, s->path, list->count, quoted);
    } else {
        hwSceneFail(s->error, HW_ERROR_ARGUMENT, list->line, list->column,
                    "`%.*s`: nothing there is called `%s`", (int)s->pathLength, s->path, quoted);
    }
    const char* nearest = hwFindNearest(name, names, count);
    if (nearest != NULL) hwSceneFail_Hint(s->error, "did you mean `%s`?", nearest);
    return NULL;
}

// One step down; null and an error when there is no way.
static hwYaml* Step(Setter* s, const char* name, bool last) {
    hwYaml* at = s->node;
    if (at->kind == HW_YAML_LIST) return FindItem(s, at, name);
    // a key without a value, as in `water:`, becomes a mapping
    if (hwYaml_IsEmpty(at) && at->kind == HW_YAML_SCALAR)
        *at = (hwYaml){
            .kind = HW_YAML_MAP, .line = at->line, .column = at->column, .key = at->key, .next = at->next};
    if (at->kind == HW_YAML_SCALAR) {
        char buffer[120];
        hwSceneFail(s->error, HW_ERROR_ARGUMENT, at->line, at->column,
                    "`%.*s` leads below %s, which has no keys", (int)s->pathLength, s->path,
                    hwYaml_Describe(at, buffer, sizeof(buffer)));
        return NULL;
    }
    hwYaml* found = FindKey(at, name);
    hwYaml* twin = found == NULL && last ? FindTwin(at, name) : NULL;
    if (twin != NULL) {
        char* text = hwStore_CopyText(s->store, name, strlen(name));
        if (text == NULL) return FailMemory(s);
        twin->key->text = text;
        return twin;
    }
    return found != NULL ? found : AddKey(s, at, name);
}

// Length of the path's next step: up to the next dot, or the longest key that has dots itself, as the input `winch.setpoint` in an
// event's `set`.
static size_t MeasureStep(const hwYaml* node, const char* at, size_t left) {
    const char* dot = memchr(at, '.', left);
    size_t length = dot != NULL ? (size_t)(dot - at) : left;
    for (const hwYaml* value = node->kind == HW_YAML_MAP ? node->first : NULL; value != NULL;
         value = value->next) {
        size_t own = strlen(value->key->text);
        if (own > length && own <= left && memcmp(at, value->key->text, own) == 0 &&
            (own == left || at[own] == '.'))
            length = own;
    }
    return length;
}

static hwYaml* FollowPath(Setter* s) {
    const char *at = s->path, *end = s->path + s->pathLength;
    while (at < end) {
        size_t length = MeasureStep(s->node, at, (size_t)(end - at));
        const char* dot = at + length < end ? at + length : NULL;
        char name[LONGEST_STEP];
        if (length == 0 || length >= sizeof(name) || (dot != NULL && dot + 1 == end)) {
            hwSceneFail(s->error, HW_ERROR_ARGUMENT, 0, 0, "`%.*s` is no path of keys with dots between them",
                        (int)s->pathLength, s->path);
            return NULL;
        }
        memcpy(name, at, length);
        name[length] = 0;
        s->node = Step(s, name, dot == NULL);
        if (s->node == NULL) return NULL;
        at = dot != NULL ? dot + 1 : end;
    }
    return s->node;
}

// All nodes below have the place of what they replace: errors in them are errors there.
static void SetPlace(hwYaml* node, int line, int column) {
    for (; node != NULL; node = node->next) {
        node->line = line;
        node->column = column;
        if (node->key != NULL) {
            node->key->line = line;
            node->key->column = column;
        }
        SetPlace(node->first, line, column);
    }
}

const hwYaml* hwYaml_Set(hwStore* store, hwYaml* root, const char* assignment, hwError* error) {
    const char* equals = strchr(assignment, '=');
    char quoted[120];
    hwQuoteText(quoted, sizeof(quoted), assignment);
    if (equals == NULL || equals == assignment || equals[1] == 0) {
        hwSceneFail(error, HW_ERROR_ARGUMENT, 0, 0,
                    "`%s` sets nothing: write a path, `=` and a value, as in `bodies.load.mass=3000`",
                    quoted);
        return NULL;
    }
    const hwYaml* value = hwYaml_Parse(store, equals + 1, strlen(equals + 1), error);
    if (value == NULL) {
        char reason[160];
        hwQuoteText(reason, sizeof(reason), error != NULL ? error->message : "");
        hwSceneFail(error, HW_ERROR_ARGUMENT, 0, 0, "the value in `%s` cannot be read: %s", quoted, reason);
        return NULL;
    }
    Setter s = {.store = store,
                .error = error,
                .path = assignment,
                .pathLength = (size_t)(equals - assignment),
                .node = root};
    hwYaml* target = FollowPath(&s);
    if (target == NULL) return NULL;
    if (target == root) {
        hwSceneFail(error, HW_ERROR_ARGUMENT, 0, 0, "`%s` sets nothing", quoted);
        return NULL;
    }
    hwYaml kept = *target;
    *target = *value;
    target->key = kept.key;
    target->next = kept.next;
    target->line = kept.line;
    target->column = kept.column;
    SetPlace(target->first, kept.line, kept.column);
    return target;
}

hwStatus hwScene_ReadNumber(const hwScene* scene, const char* path, double* value, hwError* error) {
    hwError own;
    if (error == NULL) error = &own;
    const hwYaml* node = scene->root;
    const char* at = path;
    char name[LONGEST_STEP], quoted[120];
    while (node != NULL && *at != 0) {
        size_t length = MeasureStep(node, at, strlen(at));
        if (length >= sizeof(name)) break;
        memcpy(name, at, length);
        name[length] = 0;
        Setter finder = {.error = error, .path = path, .pathLength = strlen(path)};
        const hwYaml* found = NULL;
        if (node->kind == HW_YAML_LIST) {
            found = FindItem(&finder, node, name);
            if (found == NULL) return HW_ERROR_ARGUMENT;
        } else if (node->kind == HW_YAML_MAP) {
            found = FindKey(node, name);
        }
        node = found;
        at += length + (at[length] == '.');
    }
    hwQuoteText(quoted, sizeof(quoted), path);
    bool number = node != NULL && *at == 0 && node->kind == HW_YAML_SCALAR && !node->quoted &&
                  hwYaml_ParseNumber(node->text, value) == HW_NUMBER_OK;
    if (!number) {
        hwSceneFail(error, HW_ERROR_ARGUMENT, node != NULL ? node->line : 0, node != NULL ? node->column : 0,
                    "the scene gives no number at `%s`", quoted);
        return HW_ERROR_ARGUMENT;
    }
    return HW_OK;
}

static const hwKey* FindSchemaKey(const hwSection* section, const char* name, bool* degrees) {
    size_t length = strlen(name);
    for (int i = 0; i < section->keyCount; ++i) {
        const hwKey* key = &section->keys[i];
        size_t own = strlen(key->name);
        *degrees = (key->flags & HW_KEY_ANGLE) != 0 && length == own + 4 && strcmp(name + own, "_deg") == 0;
        if (strcmp(key->name, name) == 0 || (*degrees && strncmp(key->name, name, own) == 0)) return key;
    }
    return NULL;
}

// Where a step of a path has led: in the file, and in the tables of keys.
typedef struct Trail {
    const hwYaml* node;
    const hwSection* section; // of what may follow; null: nothing
    const hwKey* key;         // null: none yet
    bool degrees;             // the key's name with _deg
    bool named;               // the next step is an entry of a mapping from names
    const char* valueUnit;    // of the values of the signal that the path is in
} Trail;

static bool FollowKey(Trail* trail, const char* name) {
    const hwKey* key = trail->section != NULL ? FindSchemaKey(trail->section, name, &trail->degrees) : NULL;
    trail->node = key != NULL ? FindKey(trail->node, name) : NULL;
    if (trail->node == NULL) return false;
    trail->key = key;
    trail->section = key->section;
    trail->named = key->type == HW_KEY_NAMED;
    // some keys are a point or a signal
    bool signal = key->type == HW_KEY_SIGNAL || key->type == HW_KEY_VECTOR_SIGNAL ||
                  (key->type == HW_KEY_SPECIAL && key->section == NULL && trail->node->kind == HW_YAML_MAP);
    if (signal) {
        trail->section = &hwSection_signal;
        trail->valueUnit = key->unit;
    }
    return true;
}

// A section that is given as the value of one of its keys.
static void FollowShorthand(Trail* trail) {
    while (trail->key->type == HW_KEY_SECTION && trail->node->kind != HW_YAML_MAP &&
           trail->key->unit == NULL && trail->section != NULL && trail->section->shorthand != NULL) {
        const hwKey* key = FindSchemaKey(trail->section, trail->section->shorthand, &trail->degrees);
        if (key == NULL) return;
        trail->key = key;
        trail->section = key->section;
    }
}

// Entries of lists, by name or number, are steps in the file alone.
const char* hwScene_GetUnit(const hwScene* scene, const char* path) {
    Trail trail = {.node = scene->root, .section = hwSchema_GetRoot()};
    char name[LONGEST_STEP];
    for (const char* at = path; *at != 0;) {
        size_t length = MeasureStep(trail.node, at, strlen(at));
        if (length >= sizeof(name)) return "";
        memcpy(name, at, length);
        name[length] = 0;
        Setter finder = {.path = path, .pathLength = strlen(path)};
        if (trail.node->kind == HW_YAML_LIST) {
            if (trail.key != NULL) FollowShorthand(&trail);
            trail.node = FindItem(&finder, trail.node, name);
        } else if (trail.node->kind == HW_YAML_MAP && trail.named) {
            trail.node = FindKey(trail.node, name);
            trail.named = false;
        } else if (trail.node->kind != HW_YAML_MAP || !FollowKey(&trail, name)) {
            return "";
        }
        if (trail.node == NULL) return "";
        at += length + (at[length] == '.');
    }
    if (trail.key == NULL) return "";
    FollowShorthand(&trail);
    const hwKey* key = trail.key;
    bool value = key->type == HW_KEY_COMPONENTS || key->type == HW_KEY_SERIES;
    const char* unit = key->unit != NULL ? key->unit : value ? trail.valueUnit : NULL;
    return unit == NULL ? "" : trail.degrees ? "deg" : unit;
}
