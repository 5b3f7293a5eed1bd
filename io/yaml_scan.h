// The characters of a YAML text: white space, comments, indicators, and the four ways to write a scalar. Lines and columns
// are counted from 0 here, a column being one character, whatever its bytes. Line breaks are LF, CR, CR LF and Unicode's
// NEL, LS, PS.
#ifndef HW_IO_YAML_SCAN_H
#define HW_IO_YAML_SCAN_H

#include "scene_store.h"

typedef struct hwYamlMark {
    int line, column;
    size_t index; // characters before it
} hwYamlMark;

typedef struct hwYamlScan {
    const char* at; // the next character
    const char* end;
    hwYamlMark mark; // its place
    int flowDepth;   // open [ and {
    bool keyAllowed; // a key or a list's dash may begin here: at the start of a line, or after a dash
    hwStore* store;
    hwError* error;
    char* text; // of the scalar read last
    size_t used, capacity;
} hwYamlScan;

typedef enum hwYamlToken {
    HW_YAML_TOKEN_BAD,
    HW_YAML_TOKEN_END,
    HW_YAML_TOKEN_DIRECTIVE,      // % at the start of a line
    HW_YAML_TOKEN_DOCUMENT_START, // ---
    HW_YAML_TOKEN_DOCUMENT_END,   // ...
    HW_YAML_TOKEN_LIST_OPEN,
    HW_YAML_TOKEN_LIST_CLOSE,
    HW_YAML_TOKEN_MAP_OPEN,
    HW_YAML_TOKEN_MAP_CLOSE,
    HW_YAML_TOKEN_COMMA,
    HW_YAML_TOKEN_DASH,
    HW_YAML_TOKEN_QUESTION,
    HW_YAML_TOKEN_COLON,
    HW_YAML_TOKEN_ALIAS,
    HW_YAML_TOKEN_ANCHOR,
    HW_YAML_TOKEN_TAG,
    HW_YAML_TOKEN_BLOCK, // | or >
    HW_YAML_TOKEN_QUOTED,
    HW_YAML_TOKEN_PLAIN,
} hwYamlToken;

// False and the scan's error where the text is not UTF-8 or holds characters that YAML does not allow.
bool hwYamlScan_Init(hwYamlScan* scan, hwStore* store, const char* text, size_t size, hwError* error);

// Skips white space, comments and line breaks, and says what comes next.
hwYamlToken hwYamlScan_Next(hwYamlScan* scan);

// Steps over `count` ASCII characters of one line.
void hwYamlScan_Skip(hwYamlScan* scan, int count);

// Reads the scalar that begins here into `text`. `indent` is the column of the list or mapping that it stands in, -1: none.
bool hwYamlScan_ReadPlain(hwYamlScan* scan, int indent);
bool hwYamlScan_ReadQuoted(hwYamlScan* scan);
bool hwYamlScan_ReadBlock(hwYamlScan* scan, int indent);

// Reads a directive line; false unless it is `%YAML 1.1` or `%YAML 1.2`.
bool hwYamlScan_ReadDirective(hwYamlScan* scan);

// Reports "not valid YAML: ..." at a place. Always false.
bool hwYamlScan_Fail(hwYamlScan* scan, hwYamlMark mark, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
