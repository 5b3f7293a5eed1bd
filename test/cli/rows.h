// Commands that print rows: run inside the test, their JSON read back. Include apps/cli/cli.c before.
#ifndef TEST_CLI_ROWS_H
#define TEST_CLI_ROWS_H

#include "program.h"

#include <jansson.h>

// Runs a command with words separated by single spaces, its output in the file `out`.
static inline int Run(const hwCommand* command, const char* text) {
    char copy[256];
    char* words[16];
    int count = 0;
    snprintf(copy, sizeof(copy), "%s", text);
    for (char* word = strtok(copy, " "); word; word = strtok(NULL, " ")) words[count++] = word;
    words[count++] = (char[]){"-o"};
    words[count++] = (char[]){"out"};
    int status = hwCommand_Execute(command, count, words);
    ReadAll("out", g_output, sizeof(g_output));
    return status;
}

static inline json_t* LoadJson(void) {
    json_error_t error;
    json_t* rows = json_loads(g_output, 0, &error);
    if (!rows) fail_msg("%s in %s", error.text, g_output);
    assert_true(json_is_array(rows));
    return rows;
}

static inline double Number(const json_t* rows, size_t index, const char* key) {
    const json_t* value = json_object_get(json_array_get(rows, index), key);
    assert_non_null(value);
    return json_is_null(value) ? (double)NAN : json_number_value(value);
}

#endif
