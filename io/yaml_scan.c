#include "yaml_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool hwYamlScan_Fail(hwYamlScan* scan, hwYamlMark mark, const char* format, ...) {
    char sentence[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    hwSceneFail(scan->error, HW_ERROR_FORMAT, mark.line + 1, mark.column + 1, "not valid YAML: %s", sentence);
    hwSceneFail_Hint(scan->error,
                     "indent with spaces only, and write `key: value` with a space after the colon");
    return false;
}

// Characters -------------------------------------------------------------------------------------------------------

static unsigned char Byte(const hwYamlScan* scan, size_t offset) {
    return offset < (size_t)(scan->end - scan->at) ? (unsigned char)scan->at[offset] : 0;
}

static bool IsBlankAt(const hwYamlScan* scan, size_t offset) {
    unsigned char c = Byte(scan, offset);
    return c == ' ' || c == '\t';
}

// Bytes of the line break at `text`, 0: none there.
static int BreakSize(const char* text, const char* end) {
    const unsigned char* c = (const unsigned char*)text;
    size_t left = (size_t)(end - text);
    if (left == 0) return 0;
    if (c[0] == '\n') return 1;
    if (c[0] == '\r') return left > 1 && c[1] == '\n' ? 2 : 1;
    if (c[0] == 0xc2 && left > 1 && c[1] == 0x85) return 2;
    if (c[0] == 0xe2 && left > 2 && c[1] == 0x80 && (c[2] == 0xa8 || c[2] == 0xa9)) return 3;
    return 0;
}

static int BreakAt(const hwYamlScan* scan, size_t offset) {
    return offset < (size_t)(scan->end - scan->at) ? BreakSize(scan->at + offset, scan->end) : 0;
}

static bool IsEndAt(const hwYamlScan* scan, size_t offset) {
    return offset >= (size_t)(scan->end - scan->at);
}

// White space, a line break or the end of the text.
static bool IsSpaceAt(const hwYamlScan* scan, size_t offset) {
    return IsEndAt(scan, offset) || IsBlankAt(scan, offset) || BreakAt(scan, offset) > 0;
}

static bool AtLineEnd(const hwYamlScan* scan) {
    return IsEndAt(scan, 0) || BreakAt(scan, 0) > 0;
}

// Bytes of the UTF-8 character that begins with `lead`.
static int CharacterSize(unsigned char lead) {
    return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

static void SkipCharacter(hwYamlScan* scan) {
    scan->at += CharacterSize((unsigned char)*scan->at);
    scan->mark.column++;
    scan->mark.index++;
}

void hwYamlScan_Skip(hwYamlScan* scan, int count) {
    scan->at += count;
    scan->mark.column += count;
    scan->mark.index += (size_t)count;
}

static void SkipBreak(hwYamlScan* scan) {
    int size = BreakAt(scan, 0);
    scan->at += size;
    scan->mark.index += size == 2 && *(scan->at - 1) == '\n' ? 2 : 1;
    scan->mark.line++;
    scan->mark.column = 0;
}

static void SkipToLineEnd(hwYamlScan* scan) {
    while (!AtLineEnd(scan)) SkipCharacter(scan);
}

// The text of a scalar ---------------------------------------------------------------------------------------------

static bool Put(hwYamlScan* scan, const char* bytes, size_t count) {
    if (scan->used + count > scan->capacity) {
        size_t capacity = 2 * (scan->used + count) + 64;
        char* larger = hwStore_Take(scan->store, capacity, 1);
        if (larger == NULL) {
            hwSceneFail_Memory(scan->error);
            return false;
        }
        if (scan->used > 0) memcpy(larger, scan->text, scan->used);
        scan->text = larger;
        scan->capacity = capacity;
    }
    memcpy(scan->text + scan->used, bytes, count);
    scan->used += count;
    return true;
}

static bool PutCharacter(hwYamlScan* scan) {
    const char* from = scan->at;
    SkipCharacter(scan);
    return Put(scan, from, (size_t)(scan->at - from));
}

// The breaks between two places, each as one; white space between them is left out. LS and PS stay themselves.
static bool PutBreaks(hwYamlScan* scan, const char* from, const char* to) {
    while (from < to) {
        int size = BreakSize(from, to);
        if (size == 3 && !Put(scan, from, 3)) return false;
        if (size > 0 && size < 3 && !Put(scan, "\n", 1)) return false;
        from += size > 0 ? size : 1;
    }
    return true;
}

static const char* FindBreak(const char* from, const char* to) {
    while (from < to && BreakSize(from, to) == 0) from++;
    return from;
}

// White space between two words: within a line it stays, a single line break becomes a space, more of them lose one.
static bool PutGap(hwYamlScan* scan, const char* from, const char* to) {
    const char* first = FindBreak(from, to);
    if (first == to) return Put(scan, from, (size_t)(to - from));
    int size = BreakSize(first, to);
    if (size == 3) return PutBreaks(scan, first, to);
    if (FindBreak(first + size, to) == to) return Put(scan, " ", 1);
    return PutBreaks(scan, first + size, to);
}

// --- or ... at the start of a line
static bool AtDocumentMark(const hwYamlScan* scan, char c) {
    unsigned char u = (unsigned char)c;
    return scan->mark.column == 0 && Byte(scan, 0) == u && Byte(scan, 1) == u && Byte(scan, 2) == u &&
           IsSpaceAt(scan, 3);
}

// Plain scalars ----------------------------------------------------------------------------------------------------

static bool IsWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Channels are called wire.node[3].position.x. YAML takes a bracket inside {} or [] for a list and refuses one that follows
// a letter; here `[digits]` directly after a letter or digit belongs to the word. Returns its length, 0: none here.
static int IndexSize(const hwYamlScan* scan, bool inWord) {
    if (!inWord || Byte(scan, 0) != '[' || !IsWordCharacter(scan->at[-1])) return 0;
    int size = 1;
    while (Byte(scan, (size_t)size) >= '0' && Byte(scan, (size_t)size) <= '9') size++;
    return size > 1 && Byte(scan, (size_t)size) == ']' ? size + 1 : 0;
}

static bool IsFlowIndicator(unsigned char c) {
    return c != 0 && strchr(",[]{}", c) != NULL;
}

bool hwYamlScan_ReadPlain(hwYamlScan* scan, int indent) {
    bool flow = scan->flowDepth > 0, newLine = false;
    const char* gap = scan->at; // end of the latest word
    scan->used = 0;
    for (;;) {
        if (AtDocumentMark(scan, '-') || AtDocumentMark(scan, '.') || Byte(scan, 0) == '#') break;
        const char* word = scan->at;
        while (!IsSpaceAt(scan, 0)) {
            unsigned char c = Byte(scan, 0), next = Byte(scan, 1);
            int index = flow ? IndexSize(scan, scan->at > word) : 0;
            if (flow && c == ':' && (IsFlowIndicator(next) || next == '?'))
                return hwYamlScan_Fail(
                    scan, scan->mark,
                    "a `:` needs a space after it, or quotes around the text that it belongs to");
            if ((c == ':' && IsSpaceAt(scan, 1)) || (flow && index == 0 && IsFlowIndicator(c))) break;
            if (scan->at == word && gap < word && !PutGap(scan, gap, word)) return false;
            newLine = false;
            if (index > 0) {
                if (!Put(scan, scan->at, (size_t)index)) return false;
                hwYamlScan_Skip(scan, index);
            } else if (!PutCharacter(scan)) {
                return false;
            }
            gap = scan->at;
        }
        if (!IsBlankAt(scan, 0) && BreakAt(scan, 0) == 0) break;
        while (IsBlankAt(scan, 0) || BreakAt(scan, 0) > 0) {
            if (BreakAt(scan, 0) > 0) {
                SkipBreak(scan);
                newLine = true;
            } else if (newLine && Byte(scan, 0) == '\t' && scan->mark.column <= indent) {
                return hwYamlScan_Fail(scan, scan->mark, "a tab indents this line; use spaces");
            } else {
                SkipCharacter(scan);
            }
        }
        if (!flow && scan->mark.column <= indent) break;
    }
    scan->keyAllowed = newLine;
    return true;
}

// Quoted scalars ---------------------------------------------------------------------------------------------------

static bool PutCodePoint(hwYamlScan* scan, unsigned value) {
    char bytes[4];
    size_t count = value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = count; i-- > 1; value >>= 6) bytes[i] = (char)(0x80 | (value & 0x3f));
    bytes[0] = (char)(leads[count] | value);
    return Put(scan, bytes, count);
}

static int HexDigit(unsigned char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The character that a letter after a backslash stands for.
typedef struct Escape {
    char letter;
    unsigned short value;
} Escape;

static const Escape escapes[] = {
    {'0', 0},   {'a', 7},     {'b', 8},    {'t', 9},    {'\t', 9},     {'n', 10},
    {'v', 11},  {'f', 12},    {'r', 13},   {'e', 27},   {' ', ' '},    {'"', '"'},
    {'/', '/'}, {'\\', '\\'}, {'N', 0x85}, {'_', 0xa0}, {'L', 0x2028}, {'P', 0x2029},
};

static bool ReadEscape(hwYamlScan* scan) {
    hwYamlMark mark = scan->mark;
    char letter = (char)Byte(scan, 1);
    if (IsEndAt(scan, 1)) return hwYamlScan_Fail(scan, mark, "the text ends after a backslash");
    for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++) {
        if (escapes[i].letter != letter) continue;
        hwYamlScan_Skip(scan, 2);
        return PutCodePoint(scan, escapes[i].value);
    }
    int digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    if (digits == 0)
        return hwYamlScan_Fail(scan, mark,
                               "there is no such escape in double quotes; write `\\\\` for a backslash");
    hwYamlScan_Skip(scan, 2);
    unsigned value = 0;
    for (int i = 0; i < digits; i++) {
        int digit = HexDigit(Byte(scan, (size_t)i));
        if (digit < 0)
            return hwYamlScan_Fail(scan, scan->mark, "`\\%c` needs %d hexadecimal digits", letter, digits);
        value = value << 4 | (unsigned)digit;
    }
    if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff)
        return hwYamlScan_Fail(scan, mark, "Unicode has no character of this number");
    hwYamlScan_Skip(scan, digits);
    return PutCodePoint(scan, value);
}

bool hwYamlScan_ReadQuoted(hwYamlScan* scan) {
    hwYamlMark start = scan->mark;
    unsigned char quote = Byte(scan, 0);
    bool single = quote == '\'';
    scan->used = 0;
    hwYamlScan_Skip(scan, 1);
    for (;;) {
        if (AtDocumentMark(scan, '-') || AtDocumentMark(scan, '.'))
            return hwYamlScan_Fail(scan, scan->mark,
                                   "the quote opened in line %d is not closed before `%.3s`", start.line + 1,
                                   scan->at);
        if (IsEndAt(scan, 0))
            return hwYamlScan_Fail(scan, scan->mark, "the quote opened in line %d is not closed",
                                   start.line + 1);
        bool joined = false; // a backslash at the end of the line
        while (!IsSpaceAt(scan, 0)) {
            unsigned char c = Byte(scan, 0);
            if (c == quote && (!single || Byte(scan, 1) != quote)) break;
            if (c == quote) hwYamlScan_Skip(scan, 1);
            if (!single && c == '\\') {
                joined = BreakAt(scan, 1) > 0;
                if (joined) {
                    hwYamlScan_Skip(scan, 1);
                    SkipBreak(scan);
                    break;
                }
                if (!ReadEscape(scan)) return false;
            } else if (!PutCharacter(scan)) {
                return false;
            }
        }
        if (Byte(scan, 0) == quote) break;
        const char* gap = scan->at;
        while (IsBlankAt(scan, 0) || BreakAt(scan, 0) > 0) {
            if (BreakAt(scan, 0) > 0) {
                SkipBreak(scan);
            } else {
                SkipCharacter(scan);
            }
        }
        if (!(joined ? PutBreaks(scan, gap, scan->at) : PutGap(scan, gap, scan->at))) return false;
    }
    hwYamlScan_Skip(scan, 1);
    scan->keyAllowed = false;
    return true;
}

// Block scalars ----------------------------------------------------------------------------------------------------

// The indicators after | or >, in either order: + or - for the line breaks at the end, a digit for the indentation.
static bool ReadBlockHead(hwYamlScan* scan, int* chomp, int* indent) {
    for (int i = 0; i < 2; i++) {
        unsigned char c = Byte(scan, 0);
        if ((c == '+' || c == '-') && *chomp == 0) {
            *chomp = c == '+' ? 1 : -1;
        } else if (c >= '1' && c <= '9' && *indent == 0) {
            *indent = c - '0';
        } else {
            break;
        }
        hwYamlScan_Skip(scan, 1);
    }
    while (IsBlankAt(scan, 0)) SkipCharacter(scan);
    if (Byte(scan, 0) == '#') SkipToLineEnd(scan);
    if (!AtLineEnd(scan))
        return hwYamlScan_Fail(scan, scan->mark,
                               "after `|` or `>` come `+` or `-` and a digit from 1 to 9, if anything; the "
                               "text begins in the next line");
    if (!IsEndAt(scan, 0)) SkipBreak(scan);
    return true;
}

// Empty lines and the indentation of the next one. Without a known indentation the longest of these lines gives it.
static bool SkipIndentation(hwYamlScan* scan, int* indent, int least) {
    int longest = 0;
    for (;;) {
        while ((*indent == 0 || scan->mark.column < *indent) && Byte(scan, 0) == ' ') SkipCharacter(scan);
        if (scan->mark.column > longest) longest = scan->mark.column;
        if ((*indent == 0 || scan->mark.column < *indent) && Byte(scan, 0) == '\t')
            return hwYamlScan_Fail(scan, scan->mark, "a tab indents this line of a text block; use spaces");
        if (BreakAt(scan, 0) == 0) break;
        SkipBreak(scan);
    }
    if (*indent == 0) *indent = longest > least ? longest : least;
    return true;
}

bool hwYamlScan_ReadBlock(hwYamlScan* scan, int parent) {
    bool literal = Byte(scan, 0) == '|';
    int chomp = 0, indent = 0;
    scan->used = 0;
    hwYamlScan_Skip(scan, 1);
    if (!ReadBlockHead(scan, &chomp, &indent)) return false;
    if (indent > 0 && parent > 0) indent += parent;
    // From the break that ends the latest line with text to the next text.
    const char *lineEnd = scan->at, *rest = scan->at;
    bool wasIndented = false;
    if (!SkipIndentation(scan, &indent, parent + 1 > 1 ? parent + 1 : 1)) return false;
    while (scan->mark.column == indent && !IsEndAt(scan, 0)) {
        bool isIndented = IsBlankAt(scan, 0);
        bool folds = !literal && rest > lineEnd && rest - lineEnd < 3 && !wasIndented && !isIndented;
        if (folds) {
            if (FindBreak(rest, scan->at) == scan->at && !Put(scan, " ", 1)) return false;
        } else if (!PutBreaks(scan, lineEnd, rest)) {
            return false;
        }
        if (!PutBreaks(scan, rest, scan->at)) return false;
        wasIndented = isIndented;
        while (!AtLineEnd(scan)) {
            if (!PutCharacter(scan)) return false;
        }
        lineEnd = scan->at;
        if (!IsEndAt(scan, 0)) SkipBreak(scan);
        rest = scan->at;
        if (!SkipIndentation(scan, &indent, 1)) return false;
    }
    if (chomp >= 0 && !PutBreaks(scan, lineEnd, rest)) return false;
    if (chomp > 0 && !PutBreaks(scan, rest, scan->at)) return false;
    scan->keyAllowed = true;
    return true;
}

// Tokens -----------------------------------------------------------------------------------------------------------

hwYamlToken hwYamlScan_Next(hwYamlScan* scan) {
    bool flow = scan->flowDepth > 0;
    for (;;) {
        // Editors that join files leave byte order marks at the start of a line.
        if (scan->mark.column == 0 && Byte(scan, 0) == 0xef && Byte(scan, 1) == 0xbb && Byte(scan, 2) == 0xbf)
            SkipCharacter(scan);
        // A tab where a key may begin would be indentation.
        while (Byte(scan, 0) == ' ' || (Byte(scan, 0) == '\t' && (flow || !scan->keyAllowed)))
            SkipCharacter(scan);
        if (Byte(scan, 0) == '#') SkipToLineEnd(scan);
        if (BreakAt(scan, 0) == 0) break;
        SkipBreak(scan);
        if (!flow) scan->keyAllowed = true;
    }
    if (IsEndAt(scan, 0)) return HW_YAML_TOKEN_END;
    unsigned char c = Byte(scan, 0);
    if (scan->mark.column == 0 && c == '%') return HW_YAML_TOKEN_DIRECTIVE;
    if (AtDocumentMark(scan, '-')) return HW_YAML_TOKEN_DOCUMENT_START;
    if (AtDocumentMark(scan, '.')) return HW_YAML_TOKEN_DOCUMENT_END;
    bool spaceFollows = IsSpaceAt(scan, 1);
    switch (c) {
    case '[':
        return HW_YAML_TOKEN_LIST_OPEN;
    case ']':
        return HW_YAML_TOKEN_LIST_CLOSE;
    case '{':
        return HW_YAML_TOKEN_MAP_OPEN;
    case '}':
        return HW_YAML_TOKEN_MAP_CLOSE;
    case ',':
        return HW_YAML_TOKEN_COMMA;
    case '-':
        return spaceFollows ? HW_YAML_TOKEN_DASH : HW_YAML_TOKEN_PLAIN;
    case '?':
        return flow || spaceFollows ? HW_YAML_TOKEN_QUESTION : HW_YAML_TOKEN_PLAIN;
    case ':':
        return flow || spaceFollows ? HW_YAML_TOKEN_COLON : HW_YAML_TOKEN_PLAIN;
    case '*':
        return HW_YAML_TOKEN_ALIAS;
    case '&':
        return HW_YAML_TOKEN_ANCHOR;
    case '!':
        return HW_YAML_TOKEN_TAG;
    case '|':
    case '>':
        return flow ? HW_YAML_TOKEN_BAD : HW_YAML_TOKEN_BLOCK;
    case '\'':
    case '"':
        return HW_YAML_TOKEN_QUOTED;
    case '%':
    case '@':
    case '`':
    case '\t':
        return HW_YAML_TOKEN_BAD;
    default:
        return HW_YAML_TOKEN_PLAIN;
    }
}

bool hwYamlScan_ReadDirective(hwYamlScan* scan) {
    hwYamlMark mark = scan->mark;
    static const char name[] = "%YAML";
    for (int i = 0; name[i] != 0; i++) {
        if (Byte(scan, (size_t)i) != (unsigned char)name[i])
            return hwYamlScan_Fail(scan, mark,
                                   "of the lines that begin with `%%` only `%%YAML 1.2` is known");
    }
    hwYamlScan_Skip(scan, 5);
    bool good = IsBlankAt(scan, 0);
    while (IsBlankAt(scan, 0)) SkipCharacter(scan);
    good = good && Byte(scan, 0) == '1' && Byte(scan, 1) == '.' &&
           (Byte(scan, 2) == '1' || Byte(scan, 2) == '2');
    if (!good || !(IsSpaceAt(scan, 3) || Byte(scan, 3) == '#'))
        return hwYamlScan_Fail(scan, mark, "only YAML 1.1 and 1.2 are known");
    hwYamlScan_Skip(scan, 3);
    while (IsBlankAt(scan, 0)) SkipCharacter(scan);
    if (Byte(scan, 0) == '#') SkipToLineEnd(scan);
    if (!AtLineEnd(scan)) return hwYamlScan_Fail(scan, scan->mark, "more text follows `%%YAML 1.2`");
    scan->keyAllowed = false;
    return true;
}

// UTF-8 ------------------------------------------------------------------------------------------------------------

// The value of the character at `text` and its bytes, 0 where it is none.
static int DecodeCharacter(const unsigned char* text, size_t left, unsigned* value) {
    unsigned char lead = text[0];
    int size = lead < 0x80                   ? 1
               : lead >= 0xc0 && lead < 0xe0 ? 2
               : (lead & 0xf0) == 0xe0       ? 3
               : (lead & 0xf8) == 0xf0       ? 4
                                             : 0;
    if (size == 0 || (size_t)size > left) return 0;
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned sum = lead & masks[size];
    for (int i = 1; i < size; i++) {
        if ((text[i] & 0xc0) != 0x80) return 0;
        sum = sum << 6 | (text[i] & 0x3fu);
    }
    if (sum < least[size] || (sum >= 0xd800 && sum <= 0xdfff) || sum > 0x10ffff) return 0;
    *value = sum;
    return size;
}

static bool IsAllowed(unsigned value) {
    if (value < 0x20) return value == '\t' || value == '\n' || value == '\r';
    return value < 0x7f || value == 0x85 || (value >= 0xa0 && value != 0xfffe && value != 0xffff);
}

static bool CheckCharacters(hwYamlScan* scan) {
    hwYamlScan walk = *scan;
    while (walk.at < walk.end) {
        unsigned char c = (unsigned char)*walk.at;
        if (c >= 0x20 && c < 0x7f) {
            hwYamlScan_Skip(&walk, 1);
            continue;
        }
        unsigned value = 0;
        int size = DecodeCharacter((const unsigned char*)walk.at, (size_t)(walk.end - walk.at), &value);
        if (size == 0 || !IsAllowed(value)) {
            char what[64];
            if (size == 0) {
                snprintf(what, sizeof(what), "a byte 0x%02x stands here", c);
            } else {
                snprintf(what, sizeof(what), "the control character U+%04X is not allowed", value);
            }
            hwSceneFail(scan->error, HW_ERROR_FORMAT, walk.mark.line + 1, walk.mark.column + 1,
                        "the file is not UTF-8 text: %s", what);
            return false;
        }
        if (BreakAt(&walk, 0) > 0) {
            SkipBreak(&walk);
        } else {
            SkipCharacter(&walk);
        }
    }
    return true;
}

bool hwYamlScan_Init(hwYamlScan* scan, hwStore* store, const char* text, size_t size, hwError* error) {
    *scan = (hwYamlScan){.store = store, .error = error, .at = text, .end = text + size, .keyAllowed = true};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) scan->at += 3;
    return CheckCharacters(scan);
}
