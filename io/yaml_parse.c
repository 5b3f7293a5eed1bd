// Lists and mappings of a YAML text, by recursive descent: a scene is nested 32 deep at most. Blocks are told apart by the
// column of their first character; `indent` is the column of the innermost block around, -1: none.
#include "yaml_scan.h"
#include "yaml_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A key stands in one line with its colon, and at most this many characters before it (YAML 1.2, 7.4.2).
#define MAX_KEY 1024

typedef struct Parser {
    hwYamlScan scan;
    int depth;  // open lists and maps
    int indent; // column of the block around an open [ or {
    int nodeCount;
} Parser;

static hwYaml* ParseBlockNode(Parser* parser, int indent);
static hwYaml* ParseFlowNode(Parser* parser);

static hwYaml* FailAt(Parser* parser, hwStatus status, hwYamlMark mark, const char* sentence) {
    hwSceneFail(parser->scan.error, status, mark.line + 1, mark.column + 1, "%s", sentence);
    return NULL;
}

static hwYaml* FailSyntax(Parser* parser, const char* sentence) {
    hwYamlScan_Fail(&parser->scan, parser->scan.mark, "%s", sentence);
    return NULL;
}

static hwYaml* AddNode(Parser* parser, hwYamlKind kind, hwYamlMark mark) {
    if (++parser->nodeCount > HW_YAML_MAX_NODES) {
        char sentence[128];
        snprintf(sentence, sizeof(sentence),
                 "the file holds more than %d values; put large tables into CSV files", HW_YAML_MAX_NODES);
        return FailAt(parser, HW_ERROR_LIMIT, mark, sentence);
    }
    hwYaml* node = HW_STORE_TAKE(parser->scan.store, hwYaml, 1);
    if (node == NULL) {
        hwSceneFail_Memory(parser->scan.error);
        return NULL;
    }
    node->kind = kind;
    node->line = mark.line + 1;
    node->column = mark.column + 1;
    return node;
}

static hwYaml* AddEmpty(Parser* parser, hwYamlMark mark) {
    hwYaml* node = AddNode(parser, HW_YAML_SCALAR, mark);
    if (node != NULL) node->text = "";
    return node;
}

// A list or a mapping; closed by `parser->depth--`.
static hwYaml* OpenNode(Parser* parser, hwYamlKind kind, hwYamlMark mark) {
    if (parser->depth == HW_YAML_MAX_DEPTH) {
        char sentence[128];
        snprintf(sentence, sizeof(sentence), "lists and mappings are nested more than %d deep",
                 HW_YAML_MAX_DEPTH);
        return FailAt(parser, HW_ERROR_LIMIT, mark, sentence);
    }
    parser->depth++;
    return AddNode(parser, kind, mark);
}

static bool IsKey(Parser* parser, const hwYaml* key) {
    if (key->kind == HW_YAML_SCALAR) return true;
    hwYamlMark mark = {.line = key->line - 1, .column = key->column - 1};
    FailAt(parser, HW_ERROR_FORMAT, mark, "a key must be a plain word, not a list or a mapping");
    return false;
}

static void Append(hwYaml* parent, hwYaml** last, hwYaml* key, hwYaml* node) {
    node->key = key;
    if (*last == NULL) {
        parent->first = node;
    } else {
        (*last)->next = node;
    }
    *last = node;
    parent->count++;
}

static bool FailTwice(Parser* parser, const hwYaml* first, const hwYaml* second) {
    char name[64];
    if (first->line > second->line || (first->line == second->line && first->column > second->column)) {
        const hwYaml* swap = first;
        first = second;
        second = swap;
    }
    hwSceneFail(parser->scan.error, HW_ERROR_FORMAT, second->line, second->column,
                "the key `%s` is given twice; the first one is in line %d",
                hwQuoteText(name, sizeof(name), second->text), first->line);
    return false;
}

static int CompareKeys(const void* a, const void* b) {
    const hwYaml* first = *(hwYaml* const*)a;
    const hwYaml* second = *(hwYaml* const*)b;
    return strcmp(first->key->text, second->key->text);
}

static bool CheckKeysOnce(Parser* parser, const hwYaml* map) {
    if (map->count <= 16) {
        for (const hwYaml* a = map->first; a != NULL; a = a->next) {
            for (const hwYaml* b = a->next; b != NULL; b = b->next) {
                if (strcmp(a->key->text, b->key->text) == 0) return FailTwice(parser, a->key, b->key);
            }
        }
        return true;
    }
    const hwYaml** sorted = HW_STORE_TAKE(parser->scan.store, const hwYaml*, map->count);
    if (sorted == NULL) {
        hwSceneFail_Memory(parser->scan.error);
        return false;
    }
    int count = 0;
    for (const hwYaml* child = map->first; child != NULL; child = child->next) sorted[count++] = child;
    qsort(sorted, (size_t)count, sizeof(*sorted), CompareKeys);
    for (int i = 1; i < count; i++) {
        if (CompareKeys(&sorted[i - 1], &sorted[i]) == 0)
            return FailTwice(parser, sorted[i - 1]->key, sorted[i]->key);
    }
    return true;
}

// Scalars ----------------------------------------------------------------------------------------------------------

static hwYaml* ParseScalar(Parser* parser, hwYamlToken token, int indent) {
    hwYamlScan* scan = &parser->scan;
    hwYamlMark mark = scan->mark;
    bool good = token == HW_YAML_TOKEN_PLAIN    ? hwYamlScan_ReadPlain(scan, indent)
                : token == HW_YAML_TOKEN_QUOTED ? hwYamlScan_ReadQuoted(scan)
                                                : hwYamlScan_ReadBlock(scan, indent);
    if (!good) return NULL;
    if (scan->used > 0 && memchr(scan->text, 0, scan->used) != NULL)
        return FailAt(parser, HW_ERROR_FORMAT, mark, "a text holds a zero byte");
    hwYaml* node = AddNode(parser, HW_YAML_SCALAR, mark);
    if (node == NULL) return NULL;
    node->quoted = token != HW_YAML_TOKEN_PLAIN;
    node->text = hwStore_CopyText(scan->store, scan->used > 0 ? scan->text : "", scan->used);
    if (node->text == NULL) {
        hwSceneFail_Memory(scan->error);
        return NULL;
    }
    return node;
}

// What cannot begin a value.
static hwYaml* FailToken(Parser* parser, hwYamlToken token) {
    hwYamlScan* scan = &parser->scan;
    switch (token) {
    case HW_YAML_TOKEN_ALIAS:
    case HW_YAML_TOKEN_ANCHOR:
        return FailAt(
            parser, HW_ERROR_FORMAT, scan->mark,
            "anchors and aliases (`&name`, `*name`) are not allowed in a scene; write the value out");
    case HW_YAML_TOKEN_TAG: {
        char sentence[160], tag[64], quoted[64];
        size_t length = 0, left = (size_t)(scan->end - scan->at);
        while (length < sizeof(tag) - 1 && length < left &&
               strchr(" \t\r\n,[]{}", scan->at[length]) == NULL) {
            tag[length] = scan->at[length];
            length++;
        }
        tag[length] = 0;
        snprintf(sentence, sizeof(sentence), "tags are not allowed in a scene; remove `%s`",
                 hwQuoteText(quoted, sizeof(quoted), tag));
        return FailAt(parser, HW_ERROR_FORMAT, scan->mark, sentence);
    }
    case HW_YAML_TOKEN_BAD:
        return FailSyntax(parser,
                          *scan->at == '\t'
                              ? "a tab stands here; use spaces"
                              : "a text that begins with `%`, `@`, `|`, `>` or a backquote needs quotes");
    case HW_YAML_TOKEN_END:
        return FailSyntax(parser, "the text ends where a value is expected");
    case HW_YAML_TOKEN_DASH:
        return FailSyntax(
            parser, "a list whose entries begin with `- ` cannot begin here; put it on lines of its own");
    case HW_YAML_TOKEN_COLON:
        return FailSyntax(parser, "a key is missing before `:`");
    default:
        return FailSyntax(parser, "a value is expected here");
    }
}

// Flow style: [a, b] and {a: b} --------------------------------------------------------------------------------------

// True when a colon follows that makes what began at `mark` a key.
static bool KeyEnds(Parser* parser, hwYamlToken next, hwYamlMark mark) {
    return next == HW_YAML_TOKEN_COLON && parser->scan.mark.line == mark.line &&
           parser->scan.mark.index - mark.index <= MAX_KEY;
}

// The value after a key and its colon, or nothing, up to a comma or the closing bracket.
static hwYaml* ParseFlowValue(Parser* parser, bool hasColon) {
    if (hasColon) hwYamlScan_Skip(&parser->scan, 1);
    hwYamlToken token = hwYamlScan_Next(&parser->scan);
    if (!hasColon || token == HW_YAML_TOKEN_COMMA || token == HW_YAML_TOKEN_LIST_CLOSE ||
        token == HW_YAML_TOKEN_MAP_CLOSE)
        return AddEmpty(parser, parser->scan.mark);
    return ParseFlowNode(parser);
}

// `? key`, where the question mark is next. In a list the key may not be missing.
static hwYaml* ParseFlowAskedKey(Parser* parser, bool inList) {
    hwYamlScan_Skip(&parser->scan, 1);
    hwYamlToken token = hwYamlScan_Next(&parser->scan);
    bool missing = token == HW_YAML_TOKEN_COLON || token == HW_YAML_TOKEN_COMMA ||
                   token == HW_YAML_TOKEN_LIST_CLOSE || token == HW_YAML_TOKEN_MAP_CLOSE;
    if (!missing) return ParseFlowNode(parser);
    return inList ? FailSyntax(parser, "a key is missing after `?`") : AddEmpty(parser, parser->scan.mark);
}

// An entry of {}. Without a colon it is a key without a value.
static bool ParseFlowPair(Parser* parser, hwYaml* map, hwYaml** last, hwYamlToken token) {
    hwYamlMark mark = parser->scan.mark;
    bool asked = token == HW_YAML_TOKEN_QUESTION;
    hwYaml* key = asked ? ParseFlowAskedKey(parser, false) : ParseFlowNode(parser);
    if (key == NULL || !IsKey(parser, key)) return false;
    hwYamlToken next = hwYamlScan_Next(&parser->scan);
    hwYaml* value = ParseFlowValue(parser, asked ? next == HW_YAML_TOKEN_COLON : KeyEnds(parser, next, mark));
    if (value == NULL) return false;
    Append(map, last, key, value);
    return true;
}

// An entry of []. `a: b` in it is a mapping of one pair.
static bool ParseFlowEntry(Parser* parser, hwYaml* list, hwYaml** last, hwYamlToken token) {
    hwYamlMark mark = parser->scan.mark;
    bool asked = token == HW_YAML_TOKEN_QUESTION;
    hwYaml* node = asked ? ParseFlowAskedKey(parser, true) : ParseFlowNode(parser);
    if (node == NULL) return false;
    hwYamlToken next = hwYamlScan_Next(&parser->scan);
    if (asked || KeyEnds(parser, next, mark)) {
        hwYaml *key = node, *inner = NULL;
        if (!IsKey(parser, key)) return false;
        node = OpenNode(parser, HW_YAML_MAP, mark);
        hwYaml* value = node == NULL ? NULL : ParseFlowValue(parser, next == HW_YAML_TOKEN_COLON);
        if (value == NULL) return false;
        Append(node, &inner, key, value);
        parser->depth--;
    }
    Append(list, last, NULL, node);
    return true;
}

static hwYaml* ParseFlow(Parser* parser, bool isMap) {
    hwYamlScan* scan = &parser->scan;
    hwYamlMark mark = scan->mark;
    hwYaml *node = OpenNode(parser, isMap ? HW_YAML_MAP : HW_YAML_LIST, mark), *last = NULL;
    if (node == NULL) return NULL;
    hwYamlToken close = isMap ? HW_YAML_TOKEN_MAP_CLOSE : HW_YAML_TOKEN_LIST_CLOSE;
    hwYamlScan_Skip(scan, 1);
    scan->flowDepth++;
    hwYamlToken token = hwYamlScan_Next(scan);
    while (token != close) {
        if (!(isMap ? ParseFlowPair(parser, node, &last, token) : ParseFlowEntry(parser, node, &last, token)))
            return NULL;
        token = hwYamlScan_Next(scan);
        if (token == HW_YAML_TOKEN_COMMA) {
            hwYamlScan_Skip(scan, 1);
            token = hwYamlScan_Next(scan);
        } else if (token != close) {
            hwYamlScan_Fail(scan, scan->mark,
                            "a `,` or the `%c` of the `%c` in line %d, column %d is expected here",
                            isMap ? '}' : ']', isMap ? '{' : '[', mark.line + 1, mark.column + 1);
            return NULL;
        }
    }
    hwYamlScan_Skip(scan, 1);
    scan->flowDepth--;
    scan->keyAllowed = false;
    parser->depth--;
    return isMap && !CheckKeysOnce(parser, node) ? NULL : node;
}

static hwYaml* ParseFlowNode(Parser* parser) {
    hwYamlToken token = hwYamlScan_Next(&parser->scan);
    switch (token) {
    case HW_YAML_TOKEN_PLAIN:
    case HW_YAML_TOKEN_QUOTED:
        return ParseScalar(parser, token, parser->indent);
    case HW_YAML_TOKEN_LIST_OPEN:
    case HW_YAML_TOKEN_MAP_OPEN:
        return ParseFlow(parser, token == HW_YAML_TOKEN_MAP_OPEN);
    default:
        return FailToken(parser, token);
    }
}

// Block style: lines -------------------------------------------------------------------------------------------------

static bool EndsDocument(hwYamlToken token) {
    return token == HW_YAML_TOKEN_END || token == HW_YAML_TOKEN_DIRECTIVE ||
           token == HW_YAML_TOKEN_DOCUMENT_START || token == HW_YAML_TOKEN_DOCUMENT_END;
}

static hwYaml* ParseBlockList(Parser* parser, int indent, bool inMap);

// What follows a dash or a colon of the block in column `indent`: a value that is indented more, or nothing. A list in a
// mapping may begin in the column of its key.
static hwYaml* ParseBlockValue(Parser* parser, int indent, bool inMap) {
    hwYamlScan* scan = &parser->scan;
    hwYamlMark empty = scan->mark;
    hwYamlToken token = hwYamlScan_Next(scan);
    if (EndsDocument(token) || scan->mark.column < indent) return AddEmpty(parser, empty);
    if (scan->mark.column > indent) return ParseBlockNode(parser, indent);
    if (token == HW_YAML_TOKEN_DASH && inMap) return ParseBlockList(parser, indent, true);
    if (token == HW_YAML_TOKEN_BLOCK) return ParseScalar(parser, token, indent);
    return AddEmpty(parser, empty);
}

// `inMap`: the list stands in the column of the mapping around it and ends at the mapping's next key.
static hwYaml* ParseBlockList(Parser* parser, int indent, bool inMap) {
    hwYamlScan* scan = &parser->scan;
    hwYaml *list = OpenNode(parser, HW_YAML_LIST, scan->mark), *last = NULL;
    if (list == NULL) return NULL;
    for (;;) {
        hwYamlScan_Skip(scan, 1);
        scan->keyAllowed = true;
        hwYaml* entry = ParseBlockValue(parser, indent, false);
        if (entry == NULL) return NULL;
        Append(list, &last, NULL, entry);
        hwYamlToken token = hwYamlScan_Next(scan);
        if (EndsDocument(token) || scan->mark.column < indent) break;
        if (scan->mark.column == indent && token == HW_YAML_TOKEN_DASH && scan->keyAllowed) continue;
        if (scan->mark.column == indent && inMap) break;
        hwYamlScan_Fail(scan, scan->mark,
                        "a `- ` in column %d is expected here, where the other entries of the list begin",
                        indent + 1);
        return NULL;
    }
    parser->depth--;
    return list;
}

// A scalar or a list in brackets, and whether the colon of a key follows.
static hwYaml* ParseInline(Parser* parser, hwYamlToken token, int indent, bool* isKey) {
    hwYamlScan* scan = &parser->scan;
    hwYamlMark mark = scan->mark;
    bool keyAllowed = scan->keyAllowed;
    int outer = parser->indent;
    parser->indent = indent;
    hwYaml* node = token == HW_YAML_TOKEN_PLAIN || token == HW_YAML_TOKEN_QUOTED
                       ? ParseScalar(parser, token, indent)
                       : ParseFlow(parser, token == HW_YAML_TOKEN_MAP_OPEN);
    parser->indent = outer;
    if (node == NULL) return NULL;
    hwYamlToken next = hwYamlScan_Next(scan);
    *isKey = keyAllowed && KeyEnds(parser, next, mark);
    if (next == HW_YAML_TOKEN_COLON && !*isKey && !scan->keyAllowed) {
        if (keyAllowed && scan->mark.line == mark.line)
            return FailSyntax(parser, "a key may have 1024 characters at most");
        return FailSyntax(parser, "a `:` is not expected here; is the line indented too far, or does a text "
                                  "that holds `: ` lack quotes");
    }
    return node;
}

// The next key of the mapping in column `indent`, its colon next; for `? key` the colon may be missing, and `*asked` is set.
static hwYaml* ParseBlockKey(Parser* parser, int indent, bool* asked) {
    hwYamlScan* scan = &parser->scan;
    hwYamlToken token = hwYamlScan_Next(scan);
    *asked = token == HW_YAML_TOKEN_QUESTION;
    if (!scan->keyAllowed) return FailSyntax(parser, "a key must begin a line of its own");
    if (*asked) {
        hwYamlScan_Skip(scan, 1);
        scan->keyAllowed = true;
        hwYaml* key = ParseBlockValue(parser, indent, true);
        return key != NULL && IsKey(parser, key) ? key : NULL;
    }
    if (token != HW_YAML_TOKEN_PLAIN && token != HW_YAML_TOKEN_QUOTED && token != HW_YAML_TOKEN_LIST_OPEN &&
        token != HW_YAML_TOKEN_MAP_OPEN) {
        bool known = token == HW_YAML_TOKEN_ALIAS || token == HW_YAML_TOKEN_ANCHOR ||
                     token == HW_YAML_TOKEN_TAG || token == HW_YAML_TOKEN_BAD;
        return known ? FailToken(parser, token)
                     : FailSyntax(parser, "a key, as in `name: value`, is expected here");
    }
    hwYamlMark mark = scan->mark;
    bool isKey;
    hwYaml* key = ParseInline(parser, token, indent, &isKey);
    if (key == NULL) return NULL;
    if (!isKey) {
        hwYamlScan_Fail(scan, mark, "a `:` is missing after this key");
        return NULL;
    }
    return IsKey(parser, key) ? key : NULL;
}

// `key`: the first one, its colon next; null: it begins with a question mark that is next.
static hwYaml* ParseBlockMap(Parser* parser, hwYamlMark mark, hwYaml* key) {
    hwYamlScan* scan = &parser->scan;
    int indent = mark.column;
    hwYaml *map = OpenNode(parser, HW_YAML_MAP, mark), *last = NULL;
    if (map == NULL) return NULL;
    bool asked = false;
    if (key != NULL && !IsKey(parser, key)) return NULL;
    if (key == NULL) key = ParseBlockKey(parser, indent, &asked);
    for (;;) {
        if (key == NULL) return NULL;
        hwYamlToken token = hwYamlScan_Next(scan);
        hwYaml* value;
        if (!asked || (token == HW_YAML_TOKEN_COLON && scan->mark.column == indent)) {
            hwYamlScan_Skip(scan, 1);
            scan->keyAllowed = asked;
            value = ParseBlockValue(parser, indent, true);
        } else {
            // The end of the text counts as the start of a line.
            hwYamlMark end = {.line = scan->mark.line + 1};
            bool forced = token == HW_YAML_TOKEN_END && scan->mark.column != 0 && scan->mark.column >= indent;
            value = AddEmpty(parser, forced ? end : scan->mark);
        }
        if (value == NULL) return NULL;
        Append(map, &last, key, value);
        token = hwYamlScan_Next(scan);
        if (EndsDocument(token) || scan->mark.column < indent) break;
        if (scan->mark.column > indent) {
            hwYamlScan_Fail(scan, scan->mark,
                            "the next key is expected in column %d, where the others of this mapping begin",
                            indent + 1);
            return NULL;
        }
        key = ParseBlockKey(parser, indent, &asked);
    }
    parser->depth--;
    return CheckKeysOnce(parser, map) ? map : NULL;
}

static hwYaml* ParseBlockNode(Parser* parser, int indent) {
    hwYamlScan* scan = &parser->scan;
    hwYamlToken token = hwYamlScan_Next(scan);
    hwYamlMark mark = scan->mark;
    switch (token) {
    case HW_YAML_TOKEN_BLOCK:
        return ParseScalar(parser, token, indent);
    case HW_YAML_TOKEN_DASH:
        return scan->keyAllowed ? ParseBlockList(parser, mark.column, false) : FailToken(parser, token);
    case HW_YAML_TOKEN_QUESTION:
        return scan->keyAllowed ? ParseBlockMap(parser, mark, NULL)
                                : FailSyntax(parser, "a key cannot begin here");
    case HW_YAML_TOKEN_PLAIN:
    case HW_YAML_TOKEN_QUOTED:
    case HW_YAML_TOKEN_LIST_OPEN:
    case HW_YAML_TOKEN_MAP_OPEN: {
        bool isKey;
        hwYaml* node = ParseInline(parser, token, indent, &isKey);
        return node != NULL && isKey ? ParseBlockMap(parser, mark, node) : node;
    }
    default:
        return FailToken(parser, token);
    }
}

static hwYaml* ParseDocument(Parser* parser) {
    hwYamlScan* scan = &parser->scan;
    hwYamlToken token = hwYamlScan_Next(scan);
    bool directive = token == HW_YAML_TOKEN_DIRECTIVE;
    if (directive) {
        if (!hwYamlScan_ReadDirective(scan)) return NULL;
        token = hwYamlScan_Next(scan);
        if (token != HW_YAML_TOKEN_DOCUMENT_START)
            return FailSyntax(parser, "`---` is expected after `%YAML 1.2`");
    }
    bool started = token == HW_YAML_TOKEN_DOCUMENT_START;
    if (started) {
        hwYamlScan_Skip(scan, 3);
        scan->keyAllowed = false;
        token = hwYamlScan_Next(scan);
    }
    hwYaml* root = token == HW_YAML_TOKEN_END || (started && EndsDocument(token))
                       ? AddEmpty(parser, scan->mark)
                       : ParseBlockNode(parser, -1);
    if (root == NULL) return NULL;
    token = hwYamlScan_Next(scan);
    while (token == HW_YAML_TOKEN_DOCUMENT_END) {
        hwYamlScan_Skip(scan, 3);
        scan->keyAllowed = false;
        token = hwYamlScan_Next(scan);
    }
    if (token == HW_YAML_TOKEN_DOCUMENT_START)
        return FailAt(parser, HW_ERROR_FORMAT, scan->mark,
                      "a scene is one YAML document, but another one begins here (`---`)");
    if (token != HW_YAML_TOKEN_END)
        return FailSyntax(parser, "the text should end here; is this line indented less than the first one");
    return root;
}

hwYaml* hwYaml_Parse(hwStore* store, const char* text, size_t size, hwError* error) {
    if (size > HW_YAML_MAX_BYTES) {
        hwSceneFail(error, HW_ERROR_LIMIT, 1, 1, "the text has %zu MB, but a scene may have %u MB at most",
                    size >> 20, HW_YAML_MAX_BYTES >> 20);
        hwSceneFail_Hint(error, "put large tables into CSV files and name them in the scene");
        return NULL;
    }
    Parser parser = {.indent = -1};
    if (!hwYamlScan_Init(&parser.scan, store, text, size, error)) return NULL;
    hwYaml* root = ParseDocument(&parser);
    if (root == NULL) return NULL;
    if (hwYaml_IsEmpty(root)) {
        hwSceneFail(error, HW_ERROR_FORMAT, 1, 1, "the scene is empty; it must begin with `hawser: 1`");
        return NULL;
    }
    return root;
}
