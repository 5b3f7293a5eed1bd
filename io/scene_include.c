#include "scene_include.h"

#include "hawser/scene.h"
#include "named_file.h"

#include <stdio.h>
#include <string.h>

extern const hwEmbeddedFile hwSurroundingFiles[];
extern const int hwSurroundingFiles_count;
static const hwNamedFiles library = {"surroundings", "surroundings", hwSurroundingFiles,
                                     &hwSurroundingFiles_count};

int hwSurroundings_GetCount(void) {
    return hwSurroundingFiles_count;
}

const char* hwSurroundings_GetName(int index) {
    return index >= 0 && index < hwSurroundingFiles_count ? hwSurroundingFiles[index].name : NULL;
}

const char* hwSurroundings_GetText(int index) {
    bool known = index >= 0 && index < hwSurroundingFiles_count;
    return known ? (const char*)hwSurroundingFiles[index].bytes : NULL;
}

static hwYaml** FindLink(hwYaml* map, const char* key) {
    for (hwYaml** link = &map->first; *link != NULL; link = &(*link)->next) {
        if (strcmp((*link)->key->text, key) == 0) return link;
    }
    return NULL;
}

static void Append(hwYaml* parent, hwYaml* node) {
    hwYaml** link = &parent->first;
    while (*link != NULL) link = &(*link)->next;
    node->next = NULL;
    *link = node;
    parent->count++;
}

static bool IsListOfMaps(const hwYaml* node) {
    if (node->kind != HW_YAML_LIST) return false;
    for (const hwYaml* item = node->first; item != NULL; item = item->next) {
        if (item->kind != HW_YAML_MAP) return false;
    }
    return true;
}

static hwYaml* FindNamed(const hwYaml* list, const hwYaml* name) {
    if (name == NULL || name->kind != HW_YAML_SCALAR) return NULL;
    for (hwYaml* item = list->first; item != NULL; item = item->next) {
        const hwYaml* own = hwYaml_Find(item, "name");
        if (own != NULL && own->kind == HW_YAML_SCALAR && strcmp(own->text, name->text) == 0) return item;
    }
    return NULL;
}

static void MergeMaps(hwYaml* base, hwYaml* over);

static void MergeLists(hwYaml* base, hwYaml* over) {
    for (hwYaml *item = over->first, *next; item != NULL; item = next) {
        next = item->next;
        hwYaml* same = FindNamed(base, hwYaml_Find(item, "name"));
        if (same != NULL) {
            MergeMaps(same, item);
        } else {
            Append(base, item);
        }
    }
}

// Puts `over` into `base`. What is changed has the place of the change from then on, which is where mistakes are sought.
static void MergeMaps(hwYaml* base, hwYaml* over) {
    for (hwYaml *value = over->first, *next; value != NULL; value = next) {
        next = value->next;
        hwYaml** link = FindLink(base, value->key->text);
        if (link == NULL) {
            Append(base, value);
        } else if ((*link)->kind == HW_YAML_MAP && value->kind == HW_YAML_MAP) {
            MergeMaps(*link, value);
        } else if (IsListOfMaps(*link) && IsListOfMaps(value)) {
            MergeLists(*link, value);
        } else {
            value->next = (*link)->next;
            *link = value;
        }
    }
    base->line = over->line;
    base->column = over->column;
}

// The included text must be a scene by itself, so that its mistakes are told with its own lines.
static bool CheckAlone(const hwFileText* file, const hwYaml* node, hwError* error) {
    hwError inner;
    hwScene* scene = hwParseScene(file->text, file->size, file->path, file->folder, &inner);
    hwDestroyScene(scene);
    if (scene != NULL) return true;
    char quoted[80];
    hwQuoteText(quoted, sizeof(quoted), file->path);
    hwSceneFail(error, inner.status, node->line, node->column, "in the included `%s`, line %d: %.160s",
                quoted, inner.line, inner.message);
    return false;
}

bool hwYaml_Include(hwStore* store, hwYaml* root, const char* folder, const char** name, hwError* error) {
    *name = NULL;
    hwYaml** link = root->kind == HW_YAML_MAP ? FindLink(root, "include") : NULL;
    if (link == NULL) return true;
    hwYaml* node = *link;
    if (node->kind != HW_YAML_SCALAR || hwYaml_IsEmpty(node)) {
        char buffer[120];
        hwSceneFail(error, HW_ERROR_FORMAT, node->line, node->column,
                    "`include` must be the name of surroundings or a scene's file, not %s",
                    hwYaml_Describe(node, buffer, sizeof(buffer)));
        return false;
    }
    hwFileText file;
    if (!hwReadNamedFile(store, &library, node->text, folder, &file, error)) {
        if (error != NULL) error->line = node->line, error->column = node->column;
        return false;
    }
    if (!CheckAlone(&file, node, error)) return false;
    hwYaml* base = hwYaml_Parse(store, file.text, file.size, error);
    if (base == NULL) return false;
    if (FindLink(base, "include") != NULL) {
        hwSceneFail(error, HW_ERROR_FORMAT, node->line, node->column,
                    "an included scene must not include another one");
        return false;
    }
    *link = node->next;
    root->count--;
    MergeMaps(base, root);
    root->first = base->first;
    root->count = base->count;
    *name = node->text;
    return true;
}
