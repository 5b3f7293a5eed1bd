// YAML as a tree of nodes that know their line and column: no anchors, aliases or tags, one document, no key twice, limited
// depth and size.
#ifndef HW_IO_YAML_TREE_H
#define HW_IO_YAML_TREE_H

#include "scene_store.h"

#define HW_YAML_MAX_BYTES (64u << 20)
#define HW_YAML_MAX_NODES 2000000
#define HW_YAML_MAX_DEPTH 32

typedef enum hwYamlKind { HW_YAML_SCALAR, HW_YAML_LIST, HW_YAML_MAP } hwYamlKind;

typedef struct hwYaml {
    hwYamlKind kind;
    bool quoted;          // a scalar in quotes or as a block: text even when it looks like a number
    int line, column;     // from 1
    int count;            // elements of a list, pairs of a map
    const char* text;     // scalar, without zero bytes
    struct hwYaml* key;   // the key when this is a value in a map
    struct hwYaml* first; // of a list or the values of a map
    struct hwYaml* next;  // sibling
} hwYaml;

// Parses one document. The tree lives in `store`. Null and `error` on failure.
hwYaml* hwYaml_Parse(hwStore* store, const char* text, size_t size, hwError* error);

// The value of a key, or null.
const hwYaml* hwYaml_Find(const hwYaml* map, const char* key);

// True for a plain scalar that is empty or `~` or `null`: a key without a value.
bool hwYaml_IsEmpty(const hwYaml* node);

// "a list", "a mapping", "the text `x`" and so on, for messages; uses `buffer`.
const char* hwYaml_Describe(const hwYaml* node, char* buffer, size_t size);

typedef enum hwNumberStatus {
    HW_NUMBER_OK,
    HW_NUMBER_NONE,  // not a number at all
    HW_NUMBER_NAN,   // .nan
    HW_NUMBER_LARGE, // finite as written but beyond what a double holds
} hwNumberStatus;

// A decimal number as YAML 1.2 writes them, `.inf` included, whatever the locale says.
hwNumberStatus hwYaml_ParseNumber(const char* text, double* value);

#endif
