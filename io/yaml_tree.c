#include "yaml_tree.h"

#include "csv_number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
