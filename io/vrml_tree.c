#include "vrml_tree.h"

#include "csv_number.h"

#include <stdlib.h>
#include <string.h>

#define DEEPEST 64 // nesting of nodes

typedef enum TokenKind { TOKEN_END, TOKEN_WORD, TOKEN_TEXT, TOKEN_SIGN } TokenKind;

typedef struct Token {
    TokenKind kind;
    const char* text; // in the file
    size_t length;
    int line;
} Token;

// A name given by DEF, newest first.
typedef struct Definition {
    const char* name;
    const hwVrmlNode* node;
    struct Definition* next;
} Definition;

#define BUCKETS 4096

typedef struct Parser {
    hwReader* reader;
    const hwYaml* place;
    const char* name;
    const char *at, *end;
    int line, depth;
    Token token; // the current one
    Definition* definitions[BUCKETS];
    // what the field being read holds so far, in stacks that all fields share
    double* numbers;
    const hwVrmlNode** nodes;
    hwVrmlField* fields;
    size_t numberCount, numberCapacity, nodeCount, nodeCapacity, fieldCount, fieldCapacity;
} Parser;

static const struct {
    const char* name;
    hwVrmlKind kind;
} kinds[] = {
    {"Group", HW_VRML_GROUP},     {"Anchor", HW_VRML_GROUP},        {"Billboard", HW_VRML_GROUP},
    {"Collision", HW_VRML_GROUP}, {"Transform", HW_VRML_TRANSFORM}, {"LOD", HW_VRML_LOD},
    {"Switch", HW_VRML_SWITCH},   {"Shape", HW_VRML_SHAPE},         {"IndexedFaceSet", HW_VRML_FACE_SET},
    {"Box", HW_VRML_BOX},         {"Sphere", HW_VRML_SPHERE},       {"Cylinder", HW_VRML_CYLINDER},
    {"Cone", HW_VRML_CONE},       {"Extrusion", HW_VRML_EXTRUSION}, {"ElevationGrid", HW_VRML_ELEVATION_GRID},
    {"Inline", HW_VRML_INLINE}};

const char* hwVrml_GetKindName(hwVrmlKind kind) {
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (kinds[i].kind == kind) return kinds[i].name;
    }
    return "node";
}

const hwVrmlField* hwVrml_FindField(const hwVrmlNode* node, const char* name) {
    for (size_t i = 0; i < node->fieldCount; i++) {
        if (strcmp(node->fields[i].name, name) == 0) return &node->fields[i];
    }
    return NULL;
}

static bool FailAt(Parser* p, int line, const char* what, const Token* token) {
    char text[40], quoted[60];
    if (token == NULL) return hwReader_Fail(p->reader, p->place, "line %d of `%s`: %s", line, p->name, what);
    size_t length = token->length < sizeof(text) - 1 ? token->length : sizeof(text) - 1;
    memcpy(text, token->text, length);
    text[length] = 0;
    return hwReader_Fail(p->reader, p->place, "line %d of `%s`: %s, not `%s`", line, p->name, what,
                         token->kind == TOKEN_END ? "the end" : hwQuoteText(quoted, sizeof(quoted), text));
}

static bool Fail(Parser* p, const char* what) {
    return FailAt(p, p->token.line, what, &p->token);
}

// Words ------------------------------------------------------------------------------------------------------------------

static void SkipSpace(Parser* p) {
    while (p->at < p->end) {
        if (*p->at == '#') {
            while (p->at < p->end && *p->at != '\n') p->at++;
        } else if ((unsigned char)*p->at <= ' ' || *p->at == ',') {
            p->line += *p->at == '\n';
            p->at++;
        } else {
            return;
        }
    }
}

static void TakeText(Parser* p) {
    for (p->at++; p->at < p->end && *p->at != '"'; p->at++) {
        if (*p->at == '\\' && p->at + 1 < p->end) p->at++;
        p->line += *p->at == '\n';
    }
    if (p->at < p->end) p->at++;
}

static void Next(Parser* p) {
    SkipSpace(p);
    p->token = (Token){TOKEN_END, p->at, 0, p->line};
    if (p->at >= p->end) return;
    if (*p->at == '"') {
        p->token.kind = TOKEN_TEXT;
        TakeText(p);
    } else if (strchr("{}[]", *p->at) != NULL) {
        p->token.kind = TOKEN_SIGN;
        p->at++;
    } else {
        p->token.kind = TOKEN_WORD;
        while (p->at < p->end && (unsigned char)*p->at > ' ' && strchr(",#\"{}[]", *p->at) == NULL) p->at++;
        if (p->at == p->token.text) p->at++; // a lone byte that fits nowhere
    }
    p->token.length = (size_t)(p->at - p->token.text);
}

static bool Is(const Parser* p, const char* text) {
    return p->token.kind != TOKEN_TEXT && p->token.length == strlen(text) &&
           memcmp(p->token.text, text, p->token.length) == 0;
}

static bool IsNumber(const Parser* p, double* value) {
    return p->token.kind == TOKEN_WORD && p->token.length > 0 &&
           strchr("0123456789+-.", p->token.text[0]) != NULL &&
           hwParseNumber(p->token.text, p->token.text + p->token.length, value);
}

static const char* CopyToken(Parser* p) {
    const char* text = hwStore_CopyText(p->reader->store, p->token.text, p->token.length);
    if (text == NULL) hwReader_FailMemory(p->reader);
    return text;
}

// Fields -----------------------------------------------------------------------------------------------------------------

static bool Push(Parser* p, void** items, size_t* count, size_t* capacity, const void* item, size_t size) {
    if (*count == *capacity) {
        size_t wanted = *capacity > 0 ? 2 * *capacity : 256;
        void* grown = realloc(*items, wanted * size);
        if (grown == NULL) return hwReader_FailMemory(p->reader);
        *items = grown;
        *capacity = wanted;
    }
    memcpy((char*)*items + *count * size, item, size);
    ++*count;
    return true;
}

static bool PushNumber(Parser* p, double value) {
    return Push(p, (void**)&p->numbers, &p->numberCount, &p->numberCapacity, &value, sizeof(value));
}

static unsigned Hash(const char* text, size_t length) {
    unsigned hash = 2166136261u; // FNV-1a
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash % BUCKETS;
}

static const hwVrmlNode* ReadNode(Parser* p);

// A node by name or in full, where one may stand. Null with or without an error: NULL is a node that is not there.
static bool ReadNodeValue(Parser* p) {
    if (Is(p, "NULL")) {
        Next(p);
        return true;
    }
    const hwVrmlNode* node = ReadNode(p);
    return node != NULL && Push(p, (void**)&p->nodes, &p->nodeCount, &p->nodeCapacity, &node, sizeof(node));
}

// One value: false with an error, or when `*more` is false because none begins here.
static bool ReadValue(Parser* p, bool list, bool* more) {
    double value;
    *more = true;
    if (IsNumber(p, &value)) {
        Next(p);
        return PushNumber(p, value);
    }
    if (Is(p, "TRUE") || Is(p, "FALSE")) {
        value = Is(p, "TRUE") ? 1.0 : 0.0;
        Next(p);
        return PushNumber(p, value);
    }
    if (p->token.kind == TOKEN_TEXT) {
        Next(p);
        return true;
    }
    *more = list && p->token.kind == TOKEN_WORD;
    return *more ? ReadNodeValue(p) : true;
}

static bool ReadList(Parser* p) {
    int line = p->token.line;
    Next(p);
    while (!Is(p, "]")) {
        bool more;
        if (p->token.kind == TOKEN_END) return FailAt(p, line, "this `[` has no `]`", NULL);
        if (!ReadValue(p, true, &more)) return false;
        if (!more) return Fail(p, "a number or a node is needed in the list");
    }
    Next(p);
    return true;
}

// The value of a field: a list, a node, or numbers and texts up to the next word.
static bool ReadFieldValue(Parser* p) {
    double value;
    if (Is(p, "[")) return ReadList(p);
    if (Is(p, "IS")) return Fail(p, "prototypes are not read");
    bool word = p->token.kind == TOKEN_WORD && !IsNumber(p, &value) && !Is(p, "TRUE") && !Is(p, "FALSE");
    if (word) return ReadNodeValue(p);
    bool more = true;
    if (p->token.kind == TOKEN_SIGN || p->token.kind == TOKEN_END) return Fail(p, "a value is needed");
    while (more) {
        if (!ReadValue(p, false, &more)) return false;
    }
    return true;
}

// Moves what the shared stacks hold from `numbers` and `nodes` on into the field.
static bool KeepValues(Parser* p, size_t numbers, size_t nodes, hwVrmlField* field) {
    field->numberCount = p->numberCount - numbers;
    field->nodeCount = p->nodeCount - nodes;
    double* kept = hwReader_Take(p->reader, field->numberCount, sizeof(double));
    const hwVrmlNode** children =
        kept != NULL ? hwReader_Take(p->reader, field->nodeCount, sizeof(*children)) : NULL;
    if (children == NULL) return false;
    if (field->numberCount > 0) memcpy(kept, p->numbers + numbers, field->numberCount * sizeof(double));
    if (field->nodeCount > 0) memcpy(children, p->nodes + nodes, field->nodeCount * sizeof(*children));
    field->numbers = kept;
    field->nodes = children;
    p->numberCount = numbers;
    p->nodeCount = nodes;
    return true;
}

static bool ReadField(Parser* p) {
    hwVrmlField field = {.name = CopyToken(p)};
    size_t numbers = p->numberCount, nodes = p->nodeCount;
    if (field.name == NULL) return false;
    Next(p);
    return ReadFieldValue(p) && KeepValues(p, numbers, nodes, &field) &&
           Push(p, (void**)&p->fields, &p->fieldCount, &p->fieldCapacity, &field, sizeof(field));
}

// ROUTE a.b TO c.d: events, which a surface does not have.
static bool SkipRoute(Parser* p) {
    Next(p);
    Next(p);
    if (!Is(p, "TO")) return Fail(p, "`TO` is needed in a route");
    Next(p);
    Next(p);
    return true;
}

// Nodes ------------------------------------------------------------------------------------------------------------------

static bool KeepFields(Parser* p, size_t first, hwVrmlNode* node) {
    node->fieldCount = p->fieldCount - first;
    hwVrmlField* kept = hwReader_Take(p->reader, node->fieldCount, sizeof(*kept));
    if (kept == NULL) return false;
    if (node->fieldCount > 0) memcpy(kept, p->fields + first, node->fieldCount * sizeof(*kept));
    node->fields = kept;
    p->fieldCount = first;
    return true;
}

static bool ReadBody(Parser* p, hwVrmlNode* node) {
    size_t first = p->fieldCount;
    int line = p->token.line;
    if (!Is(p, "{")) return Fail(p, "a node's fields begin with `{`");
    if (p->depth == DEEPEST) return FailAt(p, line, "the nodes are nested too deeply", NULL);
    p->depth++;
    Next(p);
    while (!Is(p, "}")) {
        if (p->token.kind == TOKEN_END) return FailAt(p, line, "this `{` has no `}`", NULL);
        if (p->token.kind != TOKEN_WORD) return Fail(p, "a field is needed");
        if (Is(p, "PROTO") || Is(p, "EXTERNPROTO")) return Fail(p, "prototypes are not read");
        if (Is(p, "ROUTE") ? !SkipRoute(p) : !ReadField(p)) return false;
    }
    Next(p);
    p->depth--;
    return KeepFields(p, first, node);
}

static const hwVrmlNode* FindDefinition(Parser* p) {
    for (Definition* d = p->definitions[Hash(p->token.text, p->token.length)]; d != NULL; d = d->next) {
        if (strlen(d->name) == p->token.length && memcmp(d->name, p->token.text, p->token.length) == 0)
            return d->node;
    }
    Fail(p, "`USE` needs a name that `DEF` has given before");
    return NULL;
}

// A name counts once its node is complete: a node cannot contain itself.
static const hwVrmlNode* Define(Parser* p) {
    Definition* definition = hwReader_Take(p->reader, 1, sizeof(*definition));
    if (definition == NULL) return NULL;
    unsigned bucket = Hash(p->token.text, p->token.length);
    definition->name = CopyToken(p);
    if (definition->name == NULL) return NULL;
    Next(p);
    definition->node = ReadNode(p);
    definition->next = p->definitions[bucket];
    if (definition->node != NULL) p->definitions[bucket] = definition;
    return definition->node;
}

static const hwVrmlNode* ReadNode(Parser* p) {
    if (p->token.kind != TOKEN_WORD) {
        Fail(p, "a node is needed");
        return NULL;
    }
    if (Is(p, "USE")) {
        Next(p);
        const hwVrmlNode* used = FindDefinition(p);
        Next(p);
        return used;
    }
    if (Is(p, "DEF")) {
        Next(p);
        if (p->depth == DEEPEST) { // DEF a DEF b ... without a body would recurse freely
            Fail(p, "a node is needed");
            return NULL;
        }
        p->depth++;
        const hwVrmlNode* defined = Define(p);
        p->depth--;
        return defined;
    }
    hwVrmlNode* node = hwReader_Take(p->reader, 1, sizeof(*node));
    if (node == NULL) return NULL;
    node->line = p->token.line;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (Is(p, kinds[i].name)) node->kind = kinds[i].kind;
    }
    Next(p);
    return ReadBody(p, node) ? node : NULL;
}

static const hwVrmlNode* ReadFile(Parser* p) {
    hwVrmlNode* root = hwReader_Take(p->reader, 1, sizeof(*root));
    hwVrmlField* children = root != NULL ? hwReader_Take(p->reader, 1, sizeof(*children)) : NULL;
    if (children == NULL) return NULL;
    for (Next(p); p->token.kind != TOKEN_END;) {
        if (Is(p, "PROTO") || Is(p, "EXTERNPROTO")) {
            Fail(p, "prototypes are not read");
            return NULL;
        }
        if (Is(p, "ROUTE") ? !SkipRoute(p) : !ReadNodeValue(p)) return NULL;
    }
    children->name = "children";
    if (!KeepValues(p, 0, 0, children)) return NULL;
    *root = (hwVrmlNode){HW_VRML_GROUP, 1, 1, children};
    return root;
}

const hwVrmlNode* hwVrml_ReadTree(hwReader* reader, const hwYaml* node, const char* name, const char* text,
                                  size_t size) {
    Parser p = {.reader = reader, .place = node, .name = name, .at = text, .end = text + size, .line = 1};
    static const char head[] = "#VRML V2.0 utf8";
    if (size < sizeof(head) - 1 || memcmp(text, head, sizeof(head) - 1) != 0) {
        bool old = size >= 10 && memcmp(text, "#VRML V1.0", 10) == 0;
        FailAt(&p, 1,
               old ? "this is VRML 1, of which only version 2 is read"
                   : "a VRML 2 file begins with `#VRML V2.0 utf8`",
               NULL);
        return NULL;
    }
    const hwVrmlNode* root = ReadFile(&p);
    free(p.numbers);
    free(p.nodes);
    free(p.fields);
    return root;
}
