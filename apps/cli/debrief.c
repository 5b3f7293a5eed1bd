// hawser debrief: what a recorded flight teaches, as one file.
#define _XOPEN_SOURCE 700
#include "apps/cli/cli.h"
#include "apps/server/server.h"
#include "hawser/debrief.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OPTION_OUT, OPTION_JSON, OPTION_NO_TREND, OPTION_FLIGHTS };

static const hwOption g_options[] = {
    {"out", 'o', "FILE", "the HTML file to write, and FILE with .csv beside it; default: FLIGHT.html here"},
    {"json", 0, NULL, "print everything but the curves as JSON and write no file"},
    {"no-trend", 0, NULL, "leave out earlier flights of the same lesson"},
    {"flights", 0, "DIR", "folder of recordings; default: ~/.local/share/hawser/flights"},
    {0},
};

static bool IsFolder(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// The CSV file's name: that of the page with another ending.
static void NameCsv(const char* page, char* csv, size_t size) {
    size_t length = strlen(page);
    if (length > 5 && strcmp(page + length - 5, ".html") == 0) length -= 5;
    snprintf(csv, size, "%.*s.csv", (int)length, page);
}

static int Write(const hwDebrief* debrief, const char* page) {
    char csv[1100];
    hwError error;
    NameCsv(page, csv, sizeof(csv));
    if (hwDebrief_WriteHtml(debrief, page, &error) != HW_OK ||
        hwDebrief_WriteCsv(debrief, csv, &error) != HW_OK)
        return hwCli_PrintError(NULL, &error);
    const hwScore* score = hwDebrief_GetScore(debrief);
    if (score != NULL) printf("%s with %.1f points\n", score->passed ? "Passed" : "Not passed", score->score);
    const hwDebriefCause* cause = hwDebrief_GetCause(debrief);
    if (cause->found) printf("  cause   %s\n          %s\n", cause->text, cause->remedy);
    for (int i = 0; hwDebrief_GetTip(debrief, i) != NULL; ++i)
        printf("  tip %d   %s\n", i + 1, hwDebrief_GetTip(debrief, i));
    printf("  page    %s\n  curves  %s\n", page, csv);
    return EXIT_GOOD;
}

static int Debrief(const hwArguments* arguments) {
    const char* const* values = arguments->values;
    const char* name = arguments->operands[0];
    char path[1100], folder[700], page[1000];
    hwError error;
    snprintf(path, sizeof(path), "%.1000s", name);
    if (!IsFolder(path)) {
        if (values[OPTION_FLIGHTS] != NULL) {
            snprintf(folder, sizeof(folder), "%.690s", values[OPTION_FLIGHTS]);
        } else {
            hwWebServer_GetFlightsFolder(folder, sizeof(folder));
        }
        snprintf(path, sizeof(path), "%.690s/%.300s", folder, name);
    }
    hwDebrief* debrief =
        hwCreateDebrief(IsFolder(path) ? path : name, values[OPTION_NO_TREND] == NULL, &error);
    if (debrief == NULL) return hwCli_PrintError(NULL, &error);
    int status = EXIT_GOOD;
    if (values[OPTION_JSON] != NULL) {
        char* text = hwDebrief_WriteJson(debrief);
        printf("%s\n", text != NULL ? text : "null");
        free(text);
    } else {
        size_t length = strlen(path);
        while (length > 1 && path[length - 1] == '/') path[--length] = 0;
        const char* slash = strrchr(path, '/');
        snprintf(page, sizeof(page), "%.900s.html", slash != NULL ? slash + 1 : path);
        status = Write(debrief, values[OPTION_OUT] != NULL ? values[OPTION_OUT] : page);
    }
    hwDestroyDebrief(debrief);
    return status;
}

const hwCommand hwCommand_Debrief = {
    .name = "debrief",
    .operands = "FLIGHT",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "write what a recorded flight teaches as one HTML file",
    .details =
        "FLIGHT is a flight's folder or its name. The page holds verdict, terms, tips, where the trouble "
        "began, plan,\n"
        "timelines and the handler's log; it needs no other file, no script and no network, and prints "
        "well.",
    .options = g_options,
    .run = Debrief,
};
