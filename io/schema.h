// The scene file as tables: sections and their keys with type, unit, range, default and one line of documentation. The
// reader (scene_read.c), docs/scenes.md (schema_markdown.c) and the tests all go by these tables.
#ifndef HW_IO_SCHEMA_H
#define HW_IO_SCHEMA_H

#include "hawser/math.h"
#include "yaml_tree.h"

#include <math.h>
#include <stdio.h>

typedef struct hwReader hwReader;
typedef struct hwSection hwSection;
typedef struct hwKey hwKey;

// What a key's value is, and the type of the field it is read into.
typedef enum hwKeyType {
    HW_KEY_NUMBER,        // double
    HW_KEY_INTEGER,       // int
    HW_KEY_SEED,          // uint64_t
    HW_KEY_SWITCH,        // bool: true or false
    HW_KEY_TEXT,          // const char*
    HW_KEY_NAME,          // const char*: letters, digits, _ and -
    HW_KEY_REFERENCE,     // hwRef: the name of something else, checked when everything has been read
    HW_KEY_FILE,          // const char*: path, joined to the scene's folder
    HW_KEY_CHOICE,        // int: the value of one of `choices`
    HW_KEY_VECTOR,        // hwVec3
    HW_KEY_NUMBERS,       // hwNumbers
    HW_KEY_VECTORS,       // hwVectors
    HW_KEY_COMPONENTS,    // hwVec3: a number in a scalar signal, [x, y, z] in a vector signal
    HW_KEY_SERIES,        // hwVectors: a list of those
    HW_KEY_SIGNAL,        // hwSignal, scalar
    HW_KEY_VECTOR_SIGNAL, // hwSignal
    HW_KEY_SECTION,       // a structure of its own
    HW_KEY_LIST,          // hwItems: list of sections
    HW_KEY_ONE_OR_LIST,   // hwItems: one section or a list of them
    HW_KEY_NAMED,         // hwItems: mapping from names to sections; the structure's `name` is the key
    HW_KEY_SPECIAL        // by `read`
} hwKeyType;

enum {
    HW_KEY_REQUIRED = 1,    // must be given
    HW_KEY_CHECKED = 2,     // must be given unless the section's check says otherwise
    HW_KEY_ANGLE = 4,       // rad; also exists as name_deg
    HW_KEY_ALWAYS = 8,      // a section whose defaults are wanted when it is absent
    HW_KEY_ONE_NEEDED = 16, // one key of its group must be given
    HW_KEY_TOGETHER = 32,   // keys of its group may be given together
    HW_KEY_SPREAD = 64      // HW_KEY_COMPONENTS: one number also stands for all three
};

// Allowed values. All zero: any finite number.
typedef struct hwRange {
    double low, high;
    bool openLow, openHigh; // the bound itself is not allowed
    bool infinite;          // `.inf` is allowed
} hwRange;

#define HW_RANGE(a, b)                                                                                       \
    { (a), (b), false, false, false }
#define HW_ABOVE(a)                                                                                          \
    { (a), HUGE_VAL, true, false, false }
#define HW_ABOVE_OR_INF(a)                                                                                   \
    { (a), HUGE_VAL, true, false, true }
#define HW_FROM(a)                                                                                           \
    { (a), HUGE_VAL, false, false, false }
#define HW_BELOW(b)                                                                                          \
    { -HUGE_VAL, (b), false, true, false }
#define HW_ABOVE_TO(a, b)                                                                                    \
    { (a), (b), true, false, false }

typedef bool hwReadFn(hwReader* reader, const hwKey* key, const hwYaml* node, void* field);
typedef bool hwCheckFn(hwReader* reader, const hwYaml* node, void* item);

// A word of a file and what it means, mostly an enumerator of the public headers. Lists end with a null word.
typedef struct hwChoice {
    const char* word;
    int value;
} hwChoice;

#define HW_CHOICES(...) ((const hwChoice[]){__VA_ARGS__, {NULL, 0}})

// Words that events use too: in schema_words.c.
extern const hwChoice hwControlModeChoices[], hwVehicleModeChoices[];
// The controls that lessons name: in schema_lesson.c.
extern const hwChoice hwLessonControlChoices[];

// The entry of a word, or null.
const hwChoice* hwChoice_Find(const hwChoice* choices, const char* word);

struct hwKey {
    const char* name;
    hwKeyType type;
    unsigned flags;
    size_t offset;    // of the field in the section's structure
    const char* unit; // null: none
    hwRange range;    // numbers, each component of vectors
    int sizes[4];     // HW_KEY_NUMBERS: allowed lengths; all zero: any
    const hwChoice* choices;
    const char* fallback; // the default as a scene would write it; in parentheses: words; null: none
    const hwSection* section;
    hwReadFn* read;    // HW_KEY_SPECIAL
    const char* form;  // HW_KEY_SPECIAL: what a value looks like, in words
    int group;         // keys with the same number exclude one another; 0: none
    const char* needs; // "key: value" that this key makes sense with only
    const char* example;
    const char* bad; // a value that must be refused, where the type does not tell one
    const char* doc;
};

struct hwSection {
    const char* title;   // with its article, for messages: "a body"
    const char* heading; // for the documentation: "bodies"
    const char* doc;     // a paragraph, or null
    size_t size;         // of the structure, which begins with a hwPlace
    int keyCount;
    const hwKey* keys;
    const char* shorthand;                   // the key that a value which is no mapping stands for, or null
    bool (*isShorthand)(const hwYaml* node); // null: every value that is no mapping
    hwCheckFn* check;                        // after all keys have been read; null: none
};

#define HW_KEYS(array) .keyCount = (int)(sizeof(array) / sizeof((array)[0])), .keys = (array)

// Structures that fields are read into

// Where a section stands. All zero: it was not given.
typedef struct hwPlace {
    int line, column;
    const hwYaml* node; // in the file's tree, which lives as long as what is read from it
} hwPlace;

typedef struct hwRef {
    const char* text; // null: not given
    int line, column;
} hwRef;

typedef struct hwNumbers {
    int count;
    const double* values;
} hwNumbers;

typedef struct hwVectors {
    int count;
    const hwVec3* values;
} hwVectors;

typedef struct hwItems {
    int count;
    void* items;
} hwItems;

// A quantity and what it may be, in scenes a channel and in studies a column.
typedef struct hwLimitKeys {
    hwPlace place;
    const char* of;
    double max, min; // NaN: not given
} hwLimitKeys;

// The section a scene file is.
const hwSection* hwSchema_GetRoot(void);

// Writes the tables as Markdown, every section once, in the order in which the root leads to them.
void hwSchema_WriteMarkdown(FILE* file);
// The same for any root, such as that of another kind of file.
void hwSection_WriteMarkdown(const hwSection* root, FILE* file);

// The value a key takes, in words: "number above 0, kg".
void hwKey_Describe(const hwKey* key, bool degrees, char* buffer, size_t size);
// The range in words: "above 0", "from 0 to 1"; empty when any number is allowed. Angles in degrees when `degrees`.
void hwRange_Describe(const hwRange* range, bool degrees, char* buffer, size_t size);

#endif
