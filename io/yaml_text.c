// Writing a tree of YAML nodes.
#include "scene_include.h"

#include <stdlib.h>
#include <string.h>

typedef struct Text {
    char* data;
    size_t used, size;
    bool failed;
} Text;

static void PutBytes(Text* text, const char* bytes, size_t count) {
    if (text->used + count + 1 > text->size && !text->failed) {
        size_t size = 2 * (text->used + count + 1);
        char* data = realloc(text->data, size);
        text->failed = data == NULL;
        if (data != NULL) text->data = data, text->size = size;
    }
    if (text->failed) return;
    memcpy(text->data + text->used, bytes, count);
    text->used += count;
    text->data[text->used] = 0;
}

static void Put(Text* text, const char* part) {
    PutBytes(text, part, strlen(part));
}

static void PutIndent(Text* text, int depth) {
    for (int i = 0; i < depth; i++) Put(text, "  ");
}

// Plain where it was plain and nothing in it has a meaning in YAML; in quotes otherwise. Numbers, switches and empty values
// have no such characters, so quotes never turn one of them into text.
static void PutScalar(Text* text, const hwYaml* node) {
    static const char special[] = ",[]{}#:&*!|>'\"%@`\\\n\t";
    bool edge = node->text[0] == 0 || node->text[0] == ' ' || node->text[strlen(node->text) - 1] == ' ' ||
                strchr("-?", node->text[0]) != NULL;
    double number;
    bool isNumber = hwYaml_ParseNumber(node->text, &number) != HW_NUMBER_NONE;
    if (!node->quoted &&
        (isNumber || hwYaml_IsEmpty(node) || (!edge && strpbrk(node->text, special) == NULL))) {
        Put(text, node->text[0] != 0 ? node->text : "~");
        return;
    }
    Put(text, "\"");
    for (const char* c = node->text; *c != 0; c++) {
        if (*c == '"' || *c == '\\') {
            char escaped[3] = {'\\', *c, 0};
            Put(text, escaped);
        } else if (*c == '\n') {
            Put(text, "\\n");
        } else if (*c == '\t') {
            Put(text, "\\t");
        } else if ((unsigned char)*c < 32) {
            static const char hex[] = "0123456789abcdef";
            char escaped[5] = {'\\', 'x', hex[*c >> 4], hex[*c & 15], 0};
            Put(text, escaped);
        } else {
            PutBytes(text, c, 1);
        }
    }
    Put(text, "\"");
}

// Short enough to read on one line: no mapping or list inside holds another mapping.
static bool IsFlat(const hwYaml* node, int depth) {
    for (const hwYaml* item = node->first; item != NULL; item = item->next) {
        if (item->kind == HW_YAML_MAP && depth > 0) return false;
        if (item->kind != HW_YAML_SCALAR && !IsFlat(item, depth + 1)) return false;
    }
    return true;
}

static void PutFlow(Text* text, const hwYaml* node) {
    if (node->kind == HW_YAML_SCALAR) {
        PutScalar(text, node);
        return;
    }
    bool map = node->kind == HW_YAML_MAP;
    Put(text, map ? "{" : "[");
    for (const hwYaml* item = node->first; item != NULL; item = item->next) {
        if (map) {
            PutScalar(text, item->key);
            Put(text, ": ");
        }
        PutFlow(text, item);
        if (item->next != NULL) Put(text, ", ");
    }
    Put(text, map ? "}" : "]");
}

// The value after `key:` or `-`, with the end of its line.
static void PutBlock(Text* text, const hwYaml* node, int depth) {
    if (node->kind == HW_YAML_SCALAR || node->first == NULL || (depth > 1 && IsFlat(node, 0))) {
        Put(text, depth > 0 ? " " : "");
        PutFlow(text, node);
        Put(text, "\n");
        return;
    }
    if (depth > 0) Put(text, "\n");
    for (const hwYaml* item = node->first; item != NULL; item = item->next) {
        PutIndent(text, depth);
        if (node->kind == HW_YAML_MAP) {
            PutScalar(text, item->key);
            Put(text, ":");
        } else {
            Put(text, "-");
        }
        PutBlock(text, item, depth + 1);
    }
}

char* hwYaml_WriteValue(const hwYaml* value) {
    Text text = {0};
    PutFlow(&text, value);
    if (text.failed) free(text.data);
    return text.failed ? NULL : text.data;
}

char* hwYaml_Write(const hwYaml* root) {
    Text text = {0};
    PutBlock(&text, root, 0);
    if (text.failed) free(text.data);
    return text.failed ? NULL : text.data;
}
