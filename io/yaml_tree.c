#include "yaml_tree.h"

#include "csv_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct Builder {
    hwStore* store;
    hwError* error;
    yaml_parser_t parser;
    const char* text;
    size_t size;
    hwYaml* stack[HW_YAML_MAX_DEPTH + 1]; // open lists and maps
    hwYaml* last[HW_YAML_MAX_DEPTH + 1];  // their latest element
    hwYaml* key;                          // key read, value to come
    int depth;                            // open lists and maps
    int nodeCount;
    bool hidden; // brackets of indices are
    hwYaml* root;
} Builder;

static bool FailAt(Builder* builder, hwStatus status, yaml_mark_t mark, const char* sentence) {
    hwSceneFail(builder->error, status, (int)mark.line + 1, (int)mark.column + 1, "%s", sentence);
    return false;
}

// The reader of libyaml reports bytes, not lines.
static yaml_mark_t MarkOfOffset(const Builder* builder, size_t offset) {
    yaml_mark_t mark = {offset, 0, 0};
    if (offset > builder->size) offset = builder->size;
    for (size_t i = 0; i < offset; i++) {
        if (builder->text[i] == '\n') {
            mark.line++;
            mark.column = 0;
        } else {
            mark.column++;
        }
    }
    return mark;
}

static bool FailFromParser(Builder* builder) {
    yaml_parser_t* parser = &builder->parser;
    const char* problem = parser->problem != NULL ? parser->problem : "unreadable text";
    char sentence[256];
    switch (parser->error) {
    case YAML_MEMORY_ERROR:
        hwSceneFail_Memory(builder->error);
        return false;
    case YAML_READER_ERROR:
        snprintf(sentence, sizeof(sentence), "the file is not UTF-8 text: %s", problem);
        return FailAt(builder, HW_ERROR_FORMAT, MarkOfOffset(builder, parser->problem_offset), sentence);
    default:
        if (parser->context != NULL) {
            snprintf(sentence, sizeof(sentence), "not valid YAML: %s %s", problem, parser->context);
        } else {
            snprintf(sentence, sizeof(sentence), "not valid YAML: %s", problem);
        }
        FailAt(builder, HW_ERROR_FORMAT, parser->problem_mark, sentence);
        hwSceneFail_Hint(builder->error,
                         "indent with spaces only, and write `key: value` with a space after the colon");
        return false;
    }
}

static hwYaml* AddNode(Builder* builder, hwYamlKind kind, const yaml_event_t* event) {
    if (++builder->nodeCount > HW_YAML_MAX_NODES) {
        char sentence[128];
        snprintf(sentence, sizeof(sentence),
                 "the file holds more than %d values; put large tables into CSV files", HW_YAML_MAX_NODES);
        FailAt(builder, HW_ERROR_LIMIT, event->start_mark, sentence);
        return NULL;
    }
    hwYaml* node = HW_STORE_TAKE(builder->store, hwYaml, 1);
    if (node == NULL) {
        hwSceneFail_Memory(builder->error);
        return NULL;
    }
    node->kind = kind;
    node->line = (int)event->start_mark.line + 1;
    node->column = (int)event->start_mark.column + 1;
    return node;
}

// Hangs a finished or just opened node into the tree.
static bool Place(Builder* builder, hwYaml* node, yaml_mark_t mark) {
    if (builder->depth == 0) {
        builder->root = node;
        return true;
    }
    hwYaml* parent = builder->stack[builder->depth - 1];
    if (parent->kind == HW_YAML_MAP) {
        if (builder->key == NULL) {
            if (node->kind != HW_YAML_SCALAR) {
                return FailAt(builder, HW_ERROR_FORMAT, mark,
                              "a key must be a plain word, not a list or a mapping");
            }
            builder->key = node;
            return true;
        }
        node->key = builder->key;
        builder->key = NULL;
    }
    hwYaml** last = &builder->last[builder->depth - 1];
    if (*last == NULL) {
        parent->first = node;
    } else {
        (*last)->next = node;
    }
    *last = node;
    parent->count++;
    return true;
}

static bool Open(Builder* builder, hwYamlKind kind, const yaml_event_t* event) {
    if (builder->depth == HW_YAML_MAX_DEPTH) {
        char sentence[128];
        snprintf(sentence, sizeof(sentence), "lists and mappings are nested more than %d deep",
                 HW_YAML_MAX_DEPTH);
        return FailAt(builder, HW_ERROR_LIMIT, event->start_mark, sentence);
    }
    hwYaml* node = AddNode(builder, kind, event);
    if (node == NULL || !Place(builder, node, event->start_mark)) return false;
    builder->stack[builder->depth] = node;
    builder->last[builder->depth] = NULL;
    builder->depth++;
    return true;
}

static bool FailTwice(Builder* builder, const hwYaml* first, const hwYaml* second) {
    char name[64];
    if (first->line > second->line || (first->line == second->line && first->column > second->column)) {
        const hwYaml* swap = first;
        first = second;
        second = swap;
    }
    hwSceneFail(builder->error, HW_ERROR_FORMAT, second->line, second->column,
                "the key `%s` is given twice; the first one is in line %d",
                hwQuoteText(name, sizeof(name), second->text), first->line);
    return false;
}

static int CompareKeys(const void* a, const void* b) {
    const hwYaml* first = *(hwYaml* const*)a;
    const hwYaml* second = *(hwYaml* const*)b;
    return strcmp(first->key->text, second->key->text);
}

static bool CheckKeysOnce(Builder* builder, const hwYaml* map) {
    if (map->count <= 16) {
        for (const hwYaml* a = map->first; a != NULL; a = a->next) {
            for (const hwYaml* b = a->next; b != NULL; b = b->next) {
                if (strcmp(a->key->text, b->key->text) == 0) return FailTwice(builder, a->key, b->key);
            }
        }
        return true;
    }
    const hwYaml** sorted = HW_STORE_TAKE(builder->store, const hwYaml*, map->count);
    if (sorted == NULL) {
        hwSceneFail_Memory(builder->error);
        return false;
    }
    int count = 0;
    for (const hwYaml* child = map->first; child != NULL; child = child->next) sorted[count++] = child;
    qsort(sorted, (size_t)count, sizeof(*sorted), CompareKeys);
    for (int i = 1; i < count; i++) {
        if (CompareKeys(&sorted[i - 1], &sorted[i]) == 0)
            return FailTwice(builder, sorted[i - 1]->key, sorted[i]->key);
    }
    return true;
}

// Names such as node[3] --------------------------------------------------------------------------------------------

// Channels are called wire.node[3].position.x, but YAML takes a bracket inside {} or [] for a list, and refuses. Since a
// letter directly before a bracket is never valid there and means itself elsewhere, the brackets of `name[digits]` are
// replaced by two characters of Unicode's private area while libyaml reads; lines and columns stay the same.
static const char openMark[] = "\xee\x81\x9b", closeMark[] = "\xee\x81\x9d";
#define MARK_SIZE 3

static bool IsWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Length of "[digits]" at `text`, or 0.
static size_t MatchIndex(const char* text, const char* end) {
    const char* c = text + 1;
    while (c < end && *c >= '0' && *c <= '9') c++;
    return c > text + 1 && c < end && *c == ']' ? (size_t)(c - text) + 1 : 0;
}

static const char* HideIndices(hwStore* store, const char* text, size_t* size) {
    if (*size < 4) return text;
    const char* end = text + *size;
    size_t count = 0;
    for (const char* c = text + 1; c < end; c++)
        count += *c == '[' && IsWordCharacter(c[-1]) && MatchIndex(c, end) > 0;
    if (count == 0) return text;
    char* copy = hwStore_Take(store, *size + 2 * (MARK_SIZE - 1) * count, 1);
    if (copy == NULL) return NULL;
    char* out = copy;
    for (const char* c = text; c < end;) {
        size_t length = c > text && *c == '[' && IsWordCharacter(c[-1]) ? MatchIndex(c, end) : 0;
        if (length == 0) {
            *out++ = *c++;
            continue;
        }
        memcpy(out, openMark, MARK_SIZE);
        memcpy(out + MARK_SIZE, c + 1, length - 2);
        memcpy(out + MARK_SIZE + length - 2, closeMark, MARK_SIZE);
        out += 2 * MARK_SIZE + length - 2;
        c += length;
    }
    *size = (size_t)(out - copy);
    return copy;
}

static void ShowIndices(char* text) {
    char* out = text;
    while (*text != 0) {
        bool opens = strncmp(text, openMark, MARK_SIZE) == 0,
             closes = strncmp(text, closeMark, MARK_SIZE) == 0;
        *out++ = opens ? '[' : closes ? ']' : *text;
        text += opens || closes ? MARK_SIZE : 1;
    }
    *out = 0;
}

static bool AddScalar(Builder* builder, const yaml_event_t* event) {
    const char* value = (const char*)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    if (memchr(value, 0, length) != NULL) {
        return FailAt(builder, HW_ERROR_FORMAT, event->start_mark, "a text holds a zero byte");
    }
    hwYaml* node = AddNode(builder, HW_YAML_SCALAR, event);
    if (node == NULL) return false;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    char* copy = hwStore_CopyText(builder->store, value, length);
    if (copy == NULL) {
        hwSceneFail_Memory(builder->error);
        return false;
    }
    if (builder->hidden) ShowIndices(copy);
    node->text = copy;
    return Place(builder, node, event->start_mark);
}

static bool CheckPlain(Builder* builder, const yaml_event_t* event, const yaml_char_t* anchor,
                       const yaml_char_t* tag) {
    if (anchor != NULL) {
        return FailAt(
            builder, HW_ERROR_FORMAT, event->start_mark,
            "anchors and aliases (`&name`, `*name`) are not allowed in a scene; write the value out");
    }
    if (tag != NULL) {
        char sentence[160], name[64];
        snprintf(sentence, sizeof(sentence), "tags are not allowed in a scene; remove `%s`",
                 hwQuoteText(name, sizeof(name), (const char*)tag));
        return FailAt(builder, HW_ERROR_FORMAT, event->start_mark, sentence);
    }
    return true;
}

// Returns false on failure; sets `done` at the end of the stream.
static bool TakeEvent(Builder* builder, const yaml_event_t* event, bool* done) {
    switch (event->type) {
    case YAML_STREAM_END_EVENT:
        *done = true;
        return true;
    case YAML_DOCUMENT_START_EVENT:
        if (builder->root == NULL) return true;
        return FailAt(builder, HW_ERROR_FORMAT, event->start_mark,
                      "a scene is one YAML document, but another one begins here (`---`)");
    case YAML_ALIAS_EVENT:
        return CheckPlain(builder, event, event->data.alias.anchor, NULL);
    case YAML_SCALAR_EVENT:
        return CheckPlain(builder, event, event->data.scalar.anchor, event->data.scalar.tag) &&
               AddScalar(builder, event);
    case YAML_SEQUENCE_START_EVENT:
        return CheckPlain(builder, event, event->data.sequence_start.anchor,
                          event->data.sequence_start.tag) &&
               Open(builder, HW_YAML_LIST, event);
    case YAML_MAPPING_START_EVENT:
        return CheckPlain(builder, event, event->data.mapping_start.anchor, event->data.mapping_start.tag) &&
               Open(builder, HW_YAML_MAP, event);
    case YAML_SEQUENCE_END_EVENT:
        builder->depth--;
        return true;
    case YAML_MAPPING_END_EVENT:
        return CheckKeysOnce(builder, builder->stack[--builder->depth]);
    default:
        return true;
    }
}

hwYaml* hwYaml_Parse(hwStore* store, const char* text, size_t size, hwError* error) {
    Builder builder = {.store = store, .error = error, .text = text, .size = size};
    if (size > HW_YAML_MAX_BYTES) {
        hwSceneFail(error, HW_ERROR_LIMIT, 1, 1, "the text has %zu MB, but a scene may have %u MB at most",
                    size >> 20, HW_YAML_MAX_BYTES >> 20);
        hwSceneFail_Hint(error, "put large tables into CSV files and name them in the scene");
        return NULL;
    }
    builder.text = HideIndices(store, text, &builder.size);
    builder.hidden = builder.text != text;
    if (builder.text == NULL || !yaml_parser_initialize(&builder.parser)) {
        hwSceneFail_Memory(error);
        return NULL;
    }
    yaml_parser_set_input_string(&builder.parser, (const unsigned char*)builder.text, builder.size);
    bool good = true;
    for (bool done = false; good && !done;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&builder.parser, &event)) {
            good = FailFromParser(&builder);
            break;
        }
        good = TakeEvent(&builder, &event, &done);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&builder.parser);
    if (!good) return NULL;
    if (builder.root == NULL || hwYaml_IsEmpty(builder.root)) {
        hwSceneFail(error, HW_ERROR_FORMAT, 1, 1, "the scene is empty; it must begin with `hawser: 1`");
        return NULL;
    }
    return builder.root;
}

const hwYaml* hwYaml_Find(const hwYaml* map, const char* key) {
    if (map == NULL || map->kind != HW_YAML_MAP) return NULL;
    for (const hwYaml* child = map->first; child != NULL; child = child->next) {
        if (strcmp(child->key->text, key) == 0) return child;
    }
    return NULL;
}

bool hwYaml_IsEmpty(const hwYaml* node) {
    if (node->kind != HW_YAML_SCALAR || node->quoted) return false;
    return node->text[0] == 0 || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0;
}

const char* hwYaml_Describe(const hwYaml* node, char* buffer, size_t size) {
    char quoted[48];
    double value;
    if (node->kind == HW_YAML_MAP) {
        snprintf(buffer, size, "a mapping");
    } else if (node->kind == HW_YAML_LIST) {
        snprintf(buffer, size, "a list of %d", node->count);
    } else if (hwYaml_IsEmpty(node)) {
        snprintf(buffer, size, "nothing");
    } else if (!node->quoted && hwYaml_ParseNumber(node->text, &value) != HW_NUMBER_NONE) {
        snprintf(buffer, size, "%s", hwQuoteText(quoted, sizeof(quoted), node->text));
    } else {
        snprintf(buffer, size, "the text `%s`", hwQuoteText(quoted, sizeof(quoted), node->text));
    }
    return buffer;
}

// [-+]? ( digits [. digits*] | . digits ) ( [eE] [-+]? digits )?
static bool LooksLikeDecimal(const char* text) {
    int digits = 0;
    if (*text == '-' || *text == '+') text++;
    for (; *text >= '0' && *text <= '9'; text++) digits++;
    if (*text == '.') {
        for (text++; *text >= '0' && *text <= '9'; text++) digits++;
    }
    if (digits == 0) return false;
    if (*text == 'e' || *text == 'E') {
        text++;
        if (*text == '-' || *text == '+') text++;
        if (!(*text >= '0' && *text <= '9')) return false;
        while (*text >= '0' && *text <= '9') text++;
    }
    return *text == 0;
}

static bool IsWord(const char* text, const char* lower, const char* title, const char* upper) {
    return strcmp(text, lower) == 0 || strcmp(text, title) == 0 || strcmp(text, upper) == 0;
}

hwNumberStatus hwYaml_ParseNumber(const char* text, double* value) {
    const char* body = *text == '-' || *text == '+' ? text + 1 : text;
    if (IsWord(body, ".inf", ".Inf", ".INF")) {
        *value = *text == '-' ? -(double)INFINITY : (double)INFINITY;
        return HW_NUMBER_OK;
    }
    if (IsWord(body, ".nan", ".NaN", ".NAN") || IsWord(body, "nan", "NaN", "NAN")) return HW_NUMBER_NAN;
    if (!LooksLikeDecimal(text)) return HW_NUMBER_NONE;
    if (hwParseNumber(text, text + strlen(text), value)) return HW_NUMBER_OK;
    return isinf(*value) ? HW_NUMBER_LARGE : HW_NUMBER_NONE;
}
