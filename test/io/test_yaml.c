// Our reader of YAML beside libyaml: the same trees with the same lines and columns, the same texts refused. All files of
// the project, all YAML in its tests and pages, and many thousand damaged or invented texts. Where the two differ on purpose
// (docs/scenes.md, "The YAML that scenes use") is listed in Excused below.
#define _XOPEN_SOURCE 700
#include "test/support.h"
#include "yaml_tree.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

// A tree as text: one line for each node, "line:column kind text".
typedef struct Dump {
    char* text;
    size_t used, size;
} Dump;

static void Put(Dump* dump, const char* bytes, size_t count) {
    if (dump->used + count + 1 > dump->size) {
        dump->size = 2 * (dump->used + count + 1);
        dump->text = realloc(dump->text, dump->size);
        assert_non_null(dump->text);
    }
    memcpy(dump->text + dump->used, bytes, count);
    dump->used += count;
    dump->text[dump->used] = 0;
}

static void PutNode(Dump* dump, int line, int column, const char* kind, const char* text, size_t length) {
    char head[64];
    int count = snprintf(head, sizeof(head), "%d:%d %s ", line, column, kind);
    Put(dump, head, (size_t)count);
    Put(dump, text, length);
    Put(dump, "\n", 1);
}

static void PutTree(Dump* dump, const hwYaml* node) {
    if (node->key != NULL) PutTree(dump, node->key);
    if (node->kind == HW_YAML_SCALAR) {
        PutNode(dump, node->line, node->column, node->quoted ? "quoted" : "plain", node->text,
                strlen(node->text));
        return;
    }
    PutNode(dump, node->line, node->column, node->kind == HW_YAML_LIST ? "list" : "map", "", 0);
    int count = 0;
    for (const hwYaml* child = node->first; child != NULL; child = child->next, count++) PutTree(dump, child);
    assert_int_equal(count, node->count);
    PutNode(dump, 0, 0, "end", "", 0);
}

// libyaml ----------------------------------------------------------------------------------------------------------

// libyaml refuses node[3] inside of {} and []: brackets of `name[digits]` become characters of Unicode's private area.
static char* HideIndices(const char* text, size_t* size) {
    char* copy = malloc(3 * *size + 1);
    assert_non_null(copy);
    char* out = copy;
    for (const char *c = text, *end = text + *size; c < end; c++) {
        const char* digit = c + 1;
        while (digit < end && *digit >= '0' && *digit <= '9') digit++;
        char before = c > text ? c[-1] : ' ';
        bool word = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
                    (before >= '0' && before <= '9') || before == '_';
        if (*c == '[' && word && digit > c + 1 && digit < end && *digit == ']') {
            memcpy(out, "\xee\x81\x9b", 3);
            memcpy(out + 3, c + 1, (size_t)(digit - c) - 1);
            out += 3 + (digit - c) - 1;
            memcpy(out, "\xee\x81\x9d", 3);
            out += 3;
            c = digit;
        } else {
            *out++ = *c;
        }
    }
    *out = 0;
    *size = (size_t)(out - copy);
    return copy;
}

static size_t ShowIndices(char* text, size_t length) {
    char* out = text;
    for (const char *c = text, *end = text + length; c < end; c++) {
        bool marked = end - c >= 3 && memcmp(c, "\xee\x81", 2) == 0 && (c[2] == '\x9b' || c[2] == '\x9d');
        *out++ = !marked ? *c : c[2] == '\x9b' ? '[' : ']';
        c += marked ? 2 : 0;
    }
    return (size_t)(out - text);
}

typedef struct Level {
    bool map, isKey;  // isKey: a key is next
    char (*keys)[64]; // those read
    int keyCount, keyRoom;
} Level;

typedef struct Reference {
    Dump dump;
    Level levels[HW_YAML_MAX_DEPTH];
    int depth;
    bool hasRoot, empty;
    const char* refused;
} Reference;

static void CloseLevel(Level* level) {
    free(level->keys);
    level->keys = NULL;
    level->keyCount = level->keyRoom = 0;
}

// A key that is given twice is refused. Long ones are compared by their first characters and their length.
static void NoteKey(Reference* reference, Level* level, const char* text, size_t length) {
    char name[64];
    snprintf(name, sizeof(name), "%zu %.30s", length, text);
    for (int i = 0; i < level->keyCount; i++) {
        if (strcmp(level->keys[i], name) == 0) reference->refused = "key twice";
    }
    if (level->keyCount == level->keyRoom) {
        level->keyRoom = 2 * level->keyRoom + 8;
        level->keys = realloc(level->keys, sizeof(level->keys[0]) * (size_t)level->keyRoom);
        assert_non_null(level->keys);
    }
    memcpy(level->keys[level->keyCount++], name, sizeof(name));
}

static void BeginNode(Reference* reference, bool scalar, const char* text, size_t length) {
    if (reference->depth == 0) {
        reference->hasRoot = true;
        return;
    }
    Level* level = &reference->levels[reference->depth - 1];
    if (!level->map) return;
    if (level->isKey && !scalar) reference->refused = "key is no word";
    if (level->isKey && scalar) NoteKey(reference, level, text, length);
    level->isKey = !level->isKey;
}

static void OpenLevel(Reference* reference, bool map) {
    if (reference->depth == HW_YAML_MAX_DEPTH) {
        reference->refused = "too deep";
        return;
    }
    reference->levels[reference->depth++] = (Level){.map = map, .isKey = map};
}

static void TakeEvent(Reference* reference, yaml_event_t* event) {
    int line = (int)event->start_mark.line + 1, column = (int)event->start_mark.column + 1;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (reference->hasRoot) reference->refused = "two documents";
        break;
    case YAML_ALIAS_EVENT:
        reference->refused = "alias";
        break;
    case YAML_SCALAR_EVENT: {
        char* text = (char*)event->data.scalar.value;
        size_t length = ShowIndices(text, event->data.scalar.length);
        bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        if (event->data.scalar.anchor != NULL || event->data.scalar.tag != NULL)
            reference->refused = "properties";
        if (memchr(text, 0, length) != NULL) reference->refused = "zero byte";
        if (reference->depth == 0)
            reference->empty = plain && (length == 0 || (length == 1 && text[0] == '~') ||
                                         (length == 4 && memcmp(text, "null", 4) == 0));
        BeginNode(reference, true, text, length);
        PutNode(&reference->dump, line, column, plain ? "plain" : "quoted", text, length);
        break;
    }
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT: {
        bool map = event->type == YAML_MAPPING_START_EVENT;
        if (map ? event->data.mapping_start.anchor != NULL || event->data.mapping_start.tag != NULL
                : event->data.sequence_start.anchor != NULL || event->data.sequence_start.tag != NULL)
            reference->refused = "properties";
        BeginNode(reference, false, "", 0);
        PutNode(&reference->dump, line, column, map ? "map" : "list", "", 0);
        OpenLevel(reference, map);
        break;
    }
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        CloseLevel(&reference->levels[--reference->depth]);
        PutNode(&reference->dump, 0, 0, "end", "", 0);
        break;
    default:
        break;
    }
}

// The tree as libyaml reads it, or null and why it is refused.
static char* ReadWithLibyaml(const char* text, size_t size, const char** why) {
    static char problem[200];
    Reference reference = {0};
    char* hidden = HideIndices(text, &size);
    yaml_parser_t parser;
    assert_true(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char*)hidden, size);
    for (bool done = false; !done && reference.refused == NULL;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            snprintf(problem, sizeof(problem), "%s %s", parser.problem != NULL ? parser.problem : "",
                     parser.context != NULL ? parser.context : "");
            reference.refused = problem;
            break;
        }
        done = event.type == YAML_STREAM_END_EVENT;
        TakeEvent(&reference, &event);
        yaml_event_delete(&event);
    }
    if (reference.refused == NULL && (!reference.hasRoot || reference.empty)) reference.refused = "empty";
    yaml_parser_delete(&parser);
    free(hidden);
    for (int i = 0; i < reference.depth; i++) CloseLevel(&reference.levels[i]);
    *why = reference.refused;
    if (reference.refused == NULL) return reference.dump.text;
    free(reference.dump.text);
    return NULL;
}

// Comparison -------------------------------------------------------------------------------------------------------

static long textCount, acceptedCount;

// Texts that libyaml takes and we refuse on purpose.
static bool Excused(const char* text, size_t size, const hwError* error) {
    if (strstr(error->message, "after `?`") != NULL) return true;                 // [? ], [? : a]
    if (strstr(error->message, "lines that begin with `%`") != NULL) return true; // %TAG
    bool utf16 = size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
    return utf16 && strstr(error->message, "not UTF-8") != NULL;
}

static void Show(const char* text, size_t size) {
    fprintf(stderr, "--- text\n%.*s\n---\n", (int)(size < 2000 ? size : 2000), text);
}

static void Compare(const char* text, size_t size, const char* name) {
    hwStore store;
    hwStore_Init(&store, NULL);
    hwError error = {0};
    const char* why;
    char* theirs = ReadWithLibyaml(text, size, &why);
    hwYaml* root = hwYaml_Parse(&store, text, size, &error);
    textCount++;
    acceptedCount += root != NULL;
    if (root == NULL) {
        assert_true(error.line > 0 && error.column > 0 && error.message[0] != 0);
        if (theirs != NULL && !Excused(text, size, &error)) {
            Show(text, size);
            fail_msg("%s: refused at %d:%d (%s), but libyaml reads it as\n%s", name, error.line, error.column,
                     error.message, theirs);
        }
    } else {
        Dump ours = {0};
        PutTree(&ours, root);
        if (theirs == NULL || strcmp(theirs, ours.text) != 0) {
            Show(text, size);
            fail_msg("%s: read as\n%s\nby libyaml as\n%s", name, ours.text, theirs != NULL ? theirs : why);
        }
        free(ours.text);
    }
    free(theirs);
    hwStore_Free(&store);
}

// Texts of the project ---------------------------------------------------------------------------------------------

#define MAX_SEEDS 4000
static struct {
    char* text;
    size_t size;
} seeds[MAX_SEEDS];
static int seedCount;

static void AddSeed(const char* text, size_t size) {
    if (seedCount == MAX_SEEDS) return;
    char* copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    copy[size] = 0;
    seeds[seedCount].text = copy;
    seeds[seedCount++].size = size;
}

static char* ReadWhole(const char* path, size_t* size) {
    FILE* file = fopen(path, "rb");
    if (file == NULL) return NULL;
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    char* text = malloc((size_t)length + 1);
    assert_non_null(text);
    *size = fread(text, 1, (size_t)length, file);
    text[*size] = 0;
    fclose(file);
    return text;
}

// The string literals of a C file that stand beside each other, as one text.
static void TakeLiterals(const char* source, const char* path) {
    char* text = malloc(strlen(source) + 1);
    size_t used = 0;
    const char* c = source;
    while (*c != 0) {
        if (c[0] == '/' && c[1] == '/') {
            c += strcspn(c, "\n");
        } else if (c[0] == '\'' && c[1] != 0) {
            c += c[1] == '\\' ? 4 : 3;
        } else if (*c == '"') {
            for (c++; *c != 0 && *c != '"'; c++) {
                if (*c == '\\' && c[1] != 0)
                    c++, text[used++] = *c == 'n' ? '\n' : *c == 't' ? '\t' : *c;
                else
                    text[used++] = *c;
            }
            c += *c == '"';
        } else if (*c == ' ' || *c == '\n') {
            c++;
        } else {
            if (used > 4 && memchr(text, ':', used) != NULL) {
                Compare(text, used, path);
                if (memchr(text, '\n', used) != NULL) AddSeed(text, used);
            }
            used = 0;
            c++;
        }
    }
    free(text);
}

// The blocks of a page that are marked as YAML.
static void TakeBlocks(const char* source, const char* path) {
    for (const char* c = source; (c = strstr(c, "```yaml\n")) != NULL;) {
        c += 8;
        const char* end = strstr(c, "```");
        if (end == NULL) break;
        Compare(c, (size_t)(end - c), path);
        AddSeed(c, (size_t)(end - c));
        c = end + 3;
    }
}

static int TakeFile(const char* path, const struct stat* information, int kind, struct FTW* place) {
    (void)information;
    const char* name = path + place->base;
    if (kind != FTW_F || strstr(path + strlen(HAWSER_SOURCE_DIR), "/node_modules/") != NULL) return 0;
    const char* dot = strrchr(name, '.');
    bool yaml = (dot != NULL && strcmp(dot, ".yaml") == 0) || strstr(path, "/fuzz/corpus/scene/") != NULL;
    bool code = dot != NULL && strcmp(dot, ".c") == 0 && strstr(path, "/test/") != NULL;
    bool page = dot != NULL && strcmp(dot, ".md") == 0;
    if (!yaml && !code && !page) return 0;
    size_t size;
    char* text = ReadWhole(path, &size);
    if (text == NULL) return 0;
    if (yaml) Compare(text, size, path);
    if (yaml) AddSeed(text, size);
    if (code) TakeLiterals(text, path);
    if (page) TakeBlocks(text, path);
    free(text);
    return 0;
}

static void EveryTextOfTheProject(void** state) {
    (void)state;
    static const char* const folders[] = {"scenes", "lessons",  "vehicles", "cables",   "docs",
                                          "test",   "examples", "cases",    "bindings", "reference"};
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        char path[1024];
        snprintf(path, sizeof(path), "%s/%s", HAWSER_SOURCE_DIR, folders[i]);
        nftw(path, TakeFile, 16, FTW_PHYS);
    }
    print_message("%ld texts, %ld of them YAML that is accepted\n", textCount, acceptedCount);
    assert_true(acceptedCount > 200 && seedCount > 200);
}

// Corners ----------------------------------------------------------------------------------------------------------

static void CornersOfTheLanguage(void** state) {
    (void)state;
    static const char* const texts[] = {
        "a:\n- 1\n- 2\nb: 3\n",
        "a:\n|\n x\n",
        "-\n|\n x\n",
        "- - a\n  - b\n- c\n",
        "- a: 1\n  b: 2\n-\n- \n",
        "a: |\n  x\n   y\n\n  z\n\n\nb: >-\n  p\n  q\n\n  r\n   s\n  t\n",
        "a: |2+\n   x\n\n\n",
        "a: |+2\n   x",
        "a: >\n\n\n  x\n  y",
        "a: |-\n\tx\n",
        "a: |0\n x\n",
        "--- |\n x\n...\n",
        "--- a: 1\n",
        "---\na: 1\n...\n...\n# end\n",
        "a: 1\n...\nb: 2\n",
        "%YAML 1.2\n---\na: 1\n",
        "%YAML 1.1 # c\n--- x",
        "%YAML 1.3\n---\na: 1\n",
        "%YAML 1.2\na: 1\n",
        "%FOO\n---\n",
        "\xef\xbb\xbf"
        "a: 1\n",
        "a: \xef\xbb\xbf\n",
        "a: 1\xc2\x85"
        "b: 2\xe2\x80\xa8"
        "c: 3\xe2\x80\xa9",
        "a: x\xe2\x80\xa8 y\n\n z\n",
        "a: 1\r\nb: 2\rc: 3\n",
        "a: \"x\r\n  y\\\r\n   z\"\r\n",
        "\"a\\x41\\u00e9\\U0001F600\\N\\_\\L\\P\\e\\/\\\t\"",
        "\"\\ud800\"",
        "\"\\q\"",
        "\"\\x4\"",
        "a: 'it''s\n  two\n\n\n  lines'\n",
        "'a\n---\nb'",
        "\"a\\",
        "{a: 1, b, c: , \"d\":2, 'e': [x: y, z, [q]: r]}",
        "{a, b: {}, c: []}",
        "[a, , b]",
        "[a,]",
        "{,}",
        "{a: b\n  c: d}",
        "{a\n: b}",
        "{\"a\"\n: b}",
        "[a: b, c]",
        "[\"a\": b]",
        "{a:1}",
        "{a:1, b :2}",
        "{a:,}",
        "{a: b: c}",
        "[a[3], x.node[12].y, b [4]]",
        "{node[3]: q[1][2]}",
        "? a\n: b\n? c\n? d\n: - e\n  - f\n",
        "? a",
        "? a\n  : b\n",
        "? - a\n",
        "? a : b\n",
        "{? a : b, ? c, ? : d}",
        "[? a : b, ? c]",
        "[? a\n : b]",
        "a: ? b\n",
        "a: 1\nb\nc: 2\n",
        "a b: c\n",
        "a\nb: c\n",
        "a: b: c\n",
        "a: - b\n",
        "a: 1\n  b: 2\n",
        "a:\n    b: 1\n  c: 2\n",
        " a: 1\nb: 2\n",
        "- a\nb: c\n",
        "- a\n  - b\n",
        "a:\tb\n",
        "a: b\t# c\n",
        "-\ta\n",
        "a:\n\tb: c\n",
        "a: b\n\t\nc: d\n",
        "a: \"b\"\n \t\nc: d\n",
        "[a,\n\tb]\n",
        "a: [b,\nc]\nd: e\n",
        "a: [b\n]: c\n",
        "a: b #c\n",
        "a: b#c\n",
        "a:#b\n",
        "#\n",
        "\"a\"#c\n",
        "a: -\n",
        "-1\n",
        "- -1\n- --\n- -a\n",
        "---a\n",
        "...",
        "--- ---\n",
        "a: ---\n",
        "a: |\n---\nb: c\n",
        "?a: b\n",
        ":a: b\n",
        "::\n",
        ":: :\n",
        "a: @b\n",
        "a: `b`\n",
        "a: %b\n",
        "%a",
        "a: &x b\n",
        "a: *x\n",
        "a: !x b\n",
        "&x a: b\n",
        "! a\n",
        "a: b\na: c\n",
        "{a: 1, \"a\": 2}",
        "",
        " ",
        "\t",
        "~",
        "null",
        "''",
        "a:\n",
        "a",
        "[",
        "{",
        "]",
        "}",
        ",",
        "-",
        "?",
        ":",
        "|",
        ">",
        "'",
        "\"",
        "a: |",
        "a: >\n",
        "- |\n - b\n",
        "[- a]\n",
        "[-]\n",
        "[-1, -a]\n",
        "a: 'b'c\n",
        "a: 'b' c\n",
        "'a'b: c\n",
        "'a':b\n",
        "a: [b] c\n",
        "- [a,\n]- b\n",
        "  a: {b,\n }? c\n",
        "a: [b,\n]c: d\n",
        "- a\n -b\n",
        "- a\n - b\n",
        "a:\n - b\n- c\n",
        "a:\n  - b\n - c\n",
        "a: |\n    x\n  y: z\n",
        "a: |\n     \n  x\n",
        "a: > # c\n x\n",
        "a: >#c\n x\n",
        "a: |x\n",
        "a:   \n  \n   b\n",
        "a:\n  b\n  c\nd: e\n",
        "a: b\n c\n\n d\n\n\n e # x\n f\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        Compare(texts[i], strlen(texts[i]), texts[i]);
        AddSeed(texts[i], strlen(texts[i]));
    }
    // A key of 1024 characters, and one that is too long.
    for (int length = 1022; length < 1028; length++) {
        char text[1100];
        memset(text, 'k', sizeof(text));
        strcpy(text + length, ": 1\n");
        Compare(text, strlen(text), "long key");
    }
    for (int depth = HW_YAML_MAX_DEPTH - 1; depth <= HW_YAML_MAX_DEPTH + 1; depth++) {
        char text[200] = "";
        for (int i = 0; i < depth; i++) text[i] = '[', text[depth + i] = ']';
        Compare(text, (size_t)(2 * depth), "deep");
        for (int i = 0; i < depth; i++) text[2 * i] = '-', text[2 * i + 1] = ' ';
        Compare(text, (size_t)(2 * depth), "deep list");
    }
}

// Random texts -----------------------------------------------------------------------------------------------------

static uint64_t randomState = 1;

static uint32_t Random(uint32_t limit) {
    randomState = randomState * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((randomState >> 33) % limit);
}

static const char* const pieces[] = {
    " ",        "  ",
    "\n",       "\n  ",
    "\n- ",     ": ",
    ":",        ", ",
    ",",        "[",
    "]",        "{",
    "}",        "- ",
    "-",        "? ",
    "?",        "#",
    " # c",     "'",
    "\"",       "\\",
    "\\n",      "|",
    ">",        "|-\n",
    ">+\n",     "\t",
    "a",        "b: ",
    "c",        "1",
    "&",        "*",
    "!",        "%",
    "@",        "`",
    "---\n",    "...\n",
    "\r\n",     "\r",
    "\xc2\x85", "\xe2\x80\xa8",
    "\xc3\xa9", "\xef\xbb\xbf",
    "\xff",     "''",
    "node[3]",  "\n\n",
    "~",        "%YAML 1.1\n",
};
#define PIECES (sizeof(pieces) / sizeof(pieces[0]))

// A few lines of a text of the project with one to four changes.
static size_t Damage(char* out, size_t room) {
    int pick = (int)Random((uint32_t)seedCount);
    const char* text = seeds[pick].text;
    size_t size = seeds[pick].size, from = 0, length = size;
    if (size > 400) {
        from = Random((uint32_t)(size - 300));
        while (from > 0 && text[from - 1] != '\n') from--;
        length = 60 + Random(300);
        if (length > size - from) length = size - from;
    }
    memcpy(out, text + from, length);
    for (uint32_t changes = 1 + Random(4); changes > 0; changes--) {
        size_t at = Random((uint32_t)length + 1);
        const char* piece = pieces[Random(PIECES)];
        size_t count = strlen(piece), removed = Random(2) * Random(4);
        if (removed > length - at) removed = length - at;
        if (length - removed + count > room) break;
        memmove(out + at + count, out + at + removed, length - at - removed);
        memcpy(out + at, piece, count);
        length += count - removed;
    }
    return length;
}

// Pieces in any order.
static size_t Invent(char* out, size_t room) {
    size_t length = 0;
    for (uint32_t count = 1 + Random(24); count > 0; count--) {
        const char* piece = pieces[Random(4) == 0 ? Random(PIECES) : Random(12)];
        if (Random(3) == 0) piece = "a";
        if (length + strlen(piece) > room) break;
        memcpy(out + length, piece, strlen(piece));
        length += strlen(piece);
    }
    return length;
}

static void RandomTexts(void** state) {
    (void)state;
    char text[2048];
    const char* more = getenv("HAWSER_YAML_TEXTS");
    long count = more != NULL ? atol(more) : 40000;
    textCount = acceptedCount = 0;
    for (long i = 0; i < count; i++) {
        size_t size = i % 2 == 0 ? Damage(text, sizeof(text)) : Invent(text, sizeof(text));
        Compare(text, size, "random");
    }
    print_message("%ld texts, %ld accepted\n", textCount, acceptedCount);
    assert_true(acceptedCount > textCount / 20 && acceptedCount < textCount);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CornersOfTheLanguage),
        cmocka_unit_test(EveryTextOfTheProject),
        cmocka_unit_test(RandomTexts),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int i = 0; i < seedCount; i++) free(seeds[i].text);
    return failed;
}
