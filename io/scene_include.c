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

// Parts of vehicles, such as thrusters and arms.
extern const hwEmbeddedFile hwPartFiles[];
extern const int hwPartFiles_count;
static const hwNamedFiles partLibrary = {"part", "parts", hwPartFiles, &hwPartFiles_count};

#define MAX_PARTS 256 // of one file: a small file must not ask for endless memory

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
    // before the scene is read as a whole: one that includes itself would never end
    hwError inner;
    hwYaml* base = hwYaml_Parse(store, file.text, file.size, &inner);
    if (base != NULL && base->kind == HW_YAML_MAP && FindLink(base, "include") != NULL) {
        hwSceneFail(error, HW_ERROR_FORMAT, node->line, node->column,
                    "an included scene must not include another one");
        return false;
    }
    if (!CheckAlone(&file, node, error)) return false;
    if (base == NULL) {
        if (error != NULL) *error = inner;
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

// Parts --------------------------------------------------------------------------------------------------------------

typedef struct PartReader {
    hwStore* store;
    const char* folder;
    hwIncludedPart** last;
    int count;
    hwError* error;
} PartReader;

// What came from a part is told at the place that asked for it.
static void PlaceAt(hwYaml* node, int line, int column) {
    node->line = line;
    node->column = column;
    if (node->key != NULL) node->key->line = line, node->key->column = column;
    for (hwYaml* child = node->first; child != NULL; child = child->next) PlaceAt(child, line, column);
}

static bool FailPart(const PartReader* reader, const hwYaml* node, const char* text) {
    hwSceneFail(reader->error, HW_ERROR_FORMAT, node->line, node->column, "%s", text);
    return false;
}

// The part's tree without its head.
static hwYaml* ReadPart(PartReader* reader, const hwYaml* node) {
    hwFileText file;
    if (!hwReadNamedFile(reader->store, &partLibrary, node->text, reader->folder, &file, reader->error)) {
        if (reader->error != NULL) reader->error->line = node->line, reader->error->column = node->column;
        return NULL;
    }
    hwError inner;
    hwYaml* part = hwYaml_Parse(reader->store, file.text, file.size, &inner);
    if (part == NULL) {
        hwSceneFail(reader->error, inner.status, node->line, node->column,
                    "in the part `%.60s`, line %d: %.160s", node->text, inner.line, inner.message);
        return NULL;
    }
    hwYaml** head = part->kind == HW_YAML_MAP ? FindLink(part, "hawser_part") : NULL;
    if (head == NULL || (*head)->kind != HW_YAML_SCALAR || strcmp((*head)->text, "1") != 0) {
        FailPart(reader, node, "an included part must begin with `hawser_part: 1`");
        return NULL;
    }
    *head = (*head)->next;
    part->count--;
    if (FindLink(part, "include") != NULL) {
        FailPart(reader, node, "an included part must not include another one");
        return NULL;
    }
    PlaceAt(part, node->line, node->column);
    return part;
}

static bool IncludePart(PartReader* reader, hwYaml* map, hwYaml** link) {
    hwYaml* node = *link;
    if (node->kind != HW_YAML_SCALAR || hwYaml_IsEmpty(node))
        return FailPart(reader, node, "`include` must be the name of a part or its file");
    if (reader->count++ == MAX_PARTS) return FailPart(reader, node, "a file may include 256 parts, not more");
    hwYaml* part = ReadPart(reader, node);
    hwIncludedPart* entry = part != NULL ? HW_STORE_TAKE(reader->store, hwIncludedPart, 1) : NULL;
    if (entry == NULL) {
        if (part != NULL) hwSceneFail_Memory(reader->error);
        return false;
    }
    *entry = (hwIncludedPart){node->text, node->line, node->column, NULL};
    *reader->last = entry;
    reader->last = &entry->next;
    *link = node->next;
    map->count--;
    MergeMaps(part, map);
    map->first = part->first;
    map->count = part->count;
    return true;
}

static bool IncludeBelow(PartReader* reader, hwYaml* node) {
    for (hwYaml* child = node->first; child != NULL; child = child->next) {
        if (!IncludeBelow(reader, child)) return false;
    }
    hwYaml** link = node->kind == HW_YAML_MAP ? FindLink(node, "include") : NULL;
    return link == NULL || IncludePart(reader, node, link);
}

bool hwYaml_IncludeParts(hwStore* store, hwYaml* root, const char* folder, hwIncludedPart** parts,
                         hwError* error) {
    *parts = NULL;
    PartReader reader = {store, folder, parts, 0, error};
    return IncludeBelow(&reader, root);
}
