// Sections and keys by the tables: unknown and missing keys, alternatives, defaults.
#include "scene_read.h"
#include "schema_sections.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool hwReader_FailAt(hwReader* reader, int line, int column, const char* format, ...) {
    char message[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    hwSceneFail(reader->error, HW_ERROR_FORMAT, line, column, "%s", message);
    if (reader->error != NULL && reader->object != NULL) {
        hwQuoteText(reader->error->object, sizeof(reader->error->object), reader->object);
    }
    return false;
}

bool hwReader_Fail(hwReader* reader, const hwYaml* node, const char* format, ...) {
    char message[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    return hwReader_FailAt(reader, node->line, node->column, "%s", message);
}

bool hwReader_FailMemory(hwReader* reader) {
    hwSceneFail_Memory(reader->error);
    return false;
}

void* hwReader_Take(hwReader* reader, size_t count, size_t size) {
    void* memory = hwStore_Take(reader->store, count, size);
    if (memory == NULL) hwReader_FailMemory(reader);
    return memory;
}

bool hwReader_AddText(hwReader* reader, hwSceneWarnings* list, const char* text) {
    if (list->count == list->capacity) {
        int capacity = list->capacity > 0 ? 2 * list->capacity : 8;
        const char** texts = hwReader_Take(reader, (size_t)capacity, sizeof(*texts));
        if (texts == NULL) return false;
        if (list->count > 0) memcpy(texts, list->texts, (size_t)list->count * sizeof(*texts));
        list->texts = texts;
        list->capacity = capacity;
    }
    char* copy = hwStore_CopyText(reader->store, text, strlen(text));
    if (copy == NULL) return hwReader_FailMemory(reader);
    list->texts[list->count++] = copy;
    return true;
}

bool hwReader_Warn(hwReader* reader, int line, const char* format, ...) {
    if (reader->warnings == NULL) return true; // nobody listens
    char text[320], sentence[360];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    snprintf(sentence, sizeof(sentence), "line %d: %s", line, text);
    return hwReader_AddText(reader, reader->warnings, sentence);
}

void hwReader_Suggest(hwReader* reader, const char* text, const char* const* candidates, int count) {
    const char* nearest = hwFindNearest(text, candidates, count);
    if (nearest == NULL || reader->error == NULL) return;
    char* message = reader->error->message;
    size_t length = strlen(message);
    snprintf(message + length, sizeof(reader->error->message) - length, "; did you mean `%s`?", nearest);
}

// Keys -------------------------------------------------------------------------------------------------------------

#define LONGEST_KEY 40

// The key that `name` means, and whether it is written with _deg.
static const hwKey* FindKey(const hwSection* section, const char* name, bool* degrees) {
    for (int i = 0; i < section->keyCount; i++) {
        const hwKey* key = &section->keys[i];
        size_t length = strlen(key->name);
        if (strncmp(name, key->name, length) != 0) continue;
        *degrees = name[length] != 0;
        if (name[length] == 0) return key;
        if ((key->flags & HW_KEY_ANGLE) != 0 && strcmp(name + length, "_deg") == 0) return key;
    }
    return NULL;
}

static bool FailUnknown(hwReader* reader, const hwSection* section, const hwYaml* name) {
    char names[64][LONGEST_KEY];
    const char* candidates[64];
    int count = 0;
    for (int i = 0; i < section->keyCount && count + 2 <= 64; i++) {
        snprintf(names[count], LONGEST_KEY, "%s", section->keys[i].name);
        count++;
        if ((section->keys[i].flags & HW_KEY_ANGLE) != 0)
            snprintf(names[count++], LONGEST_KEY, "%s_deg", section->keys[i].name);
    }
    for (int i = 0; i < count; i++) candidates[i] = names[i];
    char quoted[64];
    hwQuoteText(quoted, sizeof(quoted), name->text);
    if (hwFindNearest(name->text, candidates, count) != NULL) {
        hwReader_Fail(reader, name, "unknown key `%s` in %s", quoted, section->title);
        hwReader_Suggest(reader, name->text, candidates, count);
        return false;
    }
    char list[200] = "";
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        size_t length = strlen(names[i]);
        if (used + length + 8 > sizeof(list)) {
            used += (size_t)snprintf(list + used, sizeof(list) - used, ", …");
            break;
        }
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return hwReader_Fail(reader, name, "unknown key `%s` in %s, which may have %s", quoted, section->title,
                         list);
}

// The node of a key in a map, whichever way it is written; fails when it is there both ways.
static bool FindNode(hwReader* reader, const hwSection* section, const hwKey* key, const hwYaml* map,
                     const hwYaml** node, bool* degrees) {
    *node = hwYaml_Find(map, key->name);
    *degrees = false;
    if ((key->flags & HW_KEY_ANGLE) == 0) return true;
    char name[LONGEST_KEY];
    snprintf(name, sizeof(name), "%s_deg", key->name);
    const hwYaml* other = hwYaml_Find(map, name);
    if (other == NULL) return true;
    if (*node != NULL) {
        return hwReader_Fail(reader, other->key, "give either `%s` (radians) or `%s` in %s, not both",
                             key->name, name, section->title);
    }
    *node = other;
    *degrees = true;
    return true;
}

static bool FailMissing(hwReader* reader, const hwSection* section, const hwKey* key, const hwYaml* map) {
    char form[200];
    hwKey_Describe(key, false, form, sizeof(form));
    return hwReader_Fail(reader, map, "%s needs `%s`, a %s", section->title, key->name, form);
}

static const char* TextOf(const hwSection* section, const hwYaml* map, const char* name, size_t length) {
    for (int i = 0; i < section->keyCount; i++) {
        if (strlen(section->keys[i].name) != length || strncmp(section->keys[i].name, name, length) != 0)
            continue;
        const hwYaml* node = hwYaml_Find(map, section->keys[i].name);
        if (node == NULL) return section->keys[i].fallback;
        return node->kind == HW_YAML_SCALAR ? node->text : NULL;
    }
    return NULL;
}

// "key" or "key: value" must hold.
static bool CheckNeeds(hwReader* reader, const hwSection* section, const hwKey* key, const hwYaml* map,
                       const hwYaml* node) {
    const char* colon = strchr(key->needs, ':');
    bool holds;
    if (colon == NULL) {
        holds = hwYaml_Find(map, key->needs) != NULL;
    } else {
        const char* text = TextOf(section, map, key->needs, (size_t)(colon - key->needs));
        holds = text != NULL && strcmp(text, colon + 2) == 0;
    }
    if (holds) return true;
    return hwReader_Fail(reader, node->key != NULL ? node->key : node,
                         "`%s` in %s makes sense only with `%s`", key->name, section->title, key->needs);
}

static bool CheckGroup(hwReader* reader, const hwSection* section, int group, const hwYaml* map) {
    const hwKey* first = NULL;
    unsigned flags = 0;
    char list[200] = "";
    size_t used = 0;
    for (int i = 0; i < section->keyCount; i++) {
        const hwKey* key = &section->keys[i];
        if (key->group != group) continue;
        flags |= key->flags;
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s`%s`", used > 0 ? ", " : "", key->name);
        if (used >= sizeof(list)) used = sizeof(list) - 1;
        const hwYaml* node;
        bool degrees;
        if (!FindNode(reader, section, key, map, &node, &degrees)) return false;
        if (node == NULL) continue;
        if (first != NULL && (flags & HW_KEY_TOGETHER) == 0) {
            return hwReader_Fail(reader, node->key, "give either `%s` or `%s` in %s, not both", first->name,
                                 key->name, section->title);
        }
        first = key;
    }
    if (first == NULL && (flags & HW_KEY_ONE_NEEDED) != 0) {
        return hwReader_Fail(reader, map, "%s needs one of %s", section->title, list);
    }
    return true;
}

// Defaults ---------------------------------------------------------------------------------------------------------

// A default is a word, a number or a flat list of numbers: nodes for it fit on the stack.
static bool ReadDefault(hwReader* reader, const hwKey* key, void* field) {
    char text[96];
    hwYaml nodes[7];
    memset(nodes, 0, sizeof(nodes));
    if (key->fallback == NULL || key->fallback[0] == '(' || strlen(key->fallback) >= sizeof(text))
        return true;
    if (key->type == HW_KEY_SECTION || key->type == HW_KEY_LIST || key->type == HW_KEY_ONE_OR_LIST)
        return true;
    strcpy(text, key->fallback);
    nodes[0].text = text;
    if (text[0] == '[') {
        nodes[0].kind = HW_YAML_LIST;
        char* cursor = text + 1;
        while (nodes[0].count < 6 && *cursor != ']' && *cursor != 0) {
            hwYaml* node = &nodes[++nodes[0].count];
            size_t length = strcspn(cursor, ",]");
            bool last = cursor[length] != ',';
            cursor[length] = 0;
            node->text = cursor + strspn(cursor, " ");
            if (!last) node->next = node + 1;
            cursor += length + 1;
            if (last) break;
        }
        nodes[0].first = &nodes[1];
    }
    return hwReadValue(reader, key, &nodes[0], false, field);
}

// Sections ---------------------------------------------------------------------------------------------------------

static bool ReadShorthand(hwReader* reader, const hwSection* section, const hwYaml* node, void* item,
                          bool* seen) {
    const char* names = section->shorthand;
    const hwYaml* element = strchr(names, '|') == NULL ? node : node->first;
    for (const char* name = names; name != NULL;) {
        const char* bar = strchr(name, '|');
        size_t length = bar != NULL ? (size_t)(bar - name) : strlen(name);
        for (int i = 0; i < section->keyCount; i++) {
            const hwKey* key = &section->keys[i];
            if (strlen(key->name) != length || strncmp(key->name, name, length) != 0) continue;
            if (!hwReadValue(reader, key, element, false, (char*)item + key->offset)) return false;
            seen[i] = true;
        }
        if (bar != NULL) element = element->next;
        name = bar != NULL ? bar + 1 : NULL;
    }
    return true;
}

static bool UsesShorthand(const hwSection* section, const hwYaml* node) {
    if (section->shorthand == NULL) return false;
    if (section->isShorthand != NULL) return section->isShorthand(node);
    if (strchr(section->shorthand, '|') == NULL) return node->kind != HW_YAML_MAP;
    int count = 1;
    for (const char* bar = section->shorthand; (bar = strchr(bar, '|')) != NULL; bar++) count++;
    return node->kind == HW_YAML_LIST && node->count == count;
}

// A key for an example: one that must be given, where there is one.
static const hwKey* ChooseExample(const hwSection* section) {
    for (int i = 0; i < section->keyCount; i++)
        if (section->keys[i].flags & HW_KEY_REQUIRED) return &section->keys[i];
    return &section->keys[0];
}

static bool ReadMap(hwReader* reader, const hwSection* section, const hwYaml* map, void* item, bool* seen) {
    if (map->kind != HW_YAML_MAP) {
        char text[80];
        const hwKey* key = ChooseExample(section);
        return hwReader_Fail(reader, map, "%s must be a mapping such as {%s: %s}, not %s", section->title,
                             key->name, key->example, hwYaml_Describe(map, text, sizeof(text)));
    }
    for (const hwYaml* node = map->first; node != NULL; node = node->next) {
        bool degrees;
        const hwKey* key = FindKey(section, node->key->text, &degrees);
        if (key == NULL) return FailUnknown(reader, section, node->key);
    }
    for (int i = 0; i < section->keyCount; i++) {
        const hwKey* key = &section->keys[i];
        const hwYaml* node;
        bool degrees, firstOfGroup = key->group != 0;
        if (!FindNode(reader, section, key, map, &node, &degrees)) return false;
        if (node == NULL && (key->flags & HW_KEY_REQUIRED) != 0)
            return FailMissing(reader, section, key, map);
        for (int j = 0; j < i; j++) firstOfGroup = firstOfGroup && section->keys[j].group != key->group;
        if (firstOfGroup && !CheckGroup(reader, section, key->group, map)) return false;
        if (node == NULL) continue;
        if (key->needs != NULL && !CheckNeeds(reader, section, key, map, node)) return false;
        if (!hwReadValue(reader, key, node, degrees, (char*)item + key->offset)) return false;
        seen[i] = true;
    }
    return true;
}

#define MOST_KEYS 32

bool hwReadSection(hwReader* reader, const hwSection* section, const hwYaml* node, void* item) {
    bool seen[MOST_KEYS] = {false};
    const char* outer = reader->object;
    if (node != NULL) {
        hwPlace* place = item;
        place->line = node->line;
        place->column = node->column;
        place->node = node;
        const hwYaml* name = hwYaml_Find(node, "name");
        for (int i = 0; i < section->keyCount; i++) {
            if (section->keys[i].type == HW_KEY_NAME && name != NULL && name->kind == HW_YAML_SCALAR)
                reader->object = name->text;
        }
        bool shorthand = UsesShorthand(section, node);
        if (!(shorthand ? ReadShorthand : ReadMap)(reader, section, node, item, seen)) return false;
    }
    for (int i = 0; i < section->keyCount; i++) {
        const hwKey* key = &section->keys[i];
        void* field = (char*)item + key->offset;
        if (seen[i]) continue;
        if ((key->flags & HW_KEY_ALWAYS) != 0) {
            if (!hwReadSection(reader, key->section, NULL, field)) return false;
        } else if (!ReadDefault(reader, key, field)) {
            return false;
        }
    }
    if (section->check != NULL && !section->check(reader, node, item)) return false;
    reader->object = outer;
    return true;
}
