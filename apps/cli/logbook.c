// hawser logbook: who has flown which lesson how well.
#define _XOPEN_SOURCE 700
#include "apps/cli/cli.h"
#include "apps/server/server.h"
#include "hawser/logbook.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_FLIGHTS, OPTION_EXPORT, OPTION_IMPORT, OPTION_ANONYMOUS, OPTION_RATINGS };

static const hwOption g_options[] = {
    {"flights", 0, "DIR", "folder of recordings; default: ~/.local/share/hawser/flights"},
    {"export", 0, "FILE", "write the lines to a CSV file"},
    {"import", 0, "FILE", "add the lines of another logbook that are not in this one"},
    {"anonymous", 0, "SALT",
     "with --export, --ratings: pilots become P01, P02, ... in an order that SALT decides; no times of day, "
     "no "
     "flights"},
    {"ratings", 0, "FILE", "write the blind ratings of a study to a CSV file"},
    {0},
};

static void Print(int count, const hwLogbookLine* lines, const char* pilot) {
    hwTable table = {.columns = 6, .right = "lllrrl"};
    const char* const head[] = {"started", "pilot", "lesson", "points", "time", "verdict"};
    for (int i = 0; i < 6; ++i) hwTable_Add(&table, "%s", head[i]);
    for (int i = 0; i < count; ++i) {
        const hwLogbookLine* line = &lines[i];
        if (pilot != NULL && strcmp(line->pilot, pilot) != 0) continue;
        hwTable_Add(&table, "%s", line->started);
        hwTable_Add(&table, "%s", line->pilot);
        hwTable_Add(&table, "%s", line->lesson);
        hwTable_Add(&table, "%.1f", line->score);
        hwTable_Add(&table, "%.0f s", line->time);
        hwTable_Add(&table, "%s", line->passed ? "passed" : line->gates != 0 ? "gate" : "not passed");
    }
    hwTable_Print(&table, stdout);
    hwTable_Free(&table);
}

static int Logbook(const hwArguments* arguments) {
    const char* const* values = arguments->values;
    const char* pilot = arguments->count > 0 ? arguments->operands[0] : NULL;
    char folder[700], path[760];
    hwError error;
    if (values[OPTION_FLIGHTS] != NULL) {
        snprintf(folder, sizeof(folder), "%.690s", values[OPTION_FLIGHTS]);
    } else {
        hwWebServer_GetFlightsFolder(folder, sizeof(folder));
    }
    snprintf(path, sizeof(path), "%s/logbook.csv", folder);
    if (values[OPTION_ANONYMOUS] != NULL && values[OPTION_EXPORT] == NULL && values[OPTION_RATINGS] == NULL) {
        hwCli_Complain(NULL, "--anonymous goes with --export or --ratings.");
        return EXIT_USAGE;
    }
    if (values[OPTION_IMPORT] != NULL) {
        int added = hwLogbook_Import(path, values[OPTION_IMPORT], &error);
        if (added < 0) return hwCli_PrintError(NULL, &error);
        printf("%d lines were added.\n", added);
    }
    if (values[OPTION_RATINGS] != NULL) {
        char ratings[760];
        snprintf(ratings, sizeof(ratings), "%s/ratings.csv", folder);
        hwStatus status =
            hwRatings_Export(ratings, path, values[OPTION_RATINGS], values[OPTION_ANONYMOUS] != NULL,
                             values[OPTION_ANONYMOUS], &error);
        if (status != HW_OK) return hwCli_PrintError(NULL, &error);
        if (values[OPTION_EXPORT] == NULL) return EXIT_GOOD;
    }
    if (values[OPTION_EXPORT] != NULL) {
        bool anonymous = values[OPTION_ANONYMOUS] != NULL;
        hwStatus status =
            hwLogbook_Export(path, values[OPTION_EXPORT], pilot, anonymous, values[OPTION_ANONYMOUS], &error);
        return status == HW_OK ? EXIT_GOOD : hwCli_PrintError(NULL, &error);
    }
    if (values[OPTION_IMPORT] != NULL) return EXIT_GOOD;
    int count;
    hwLogbookLine* lines;
    if (hwLogbook_Read(path, &count, &lines, &error) != HW_OK) return hwCli_PrintError(NULL, &error);
    Print(count, lines, pilot);
    free(lines);
    return EXIT_GOOD;
}

const hwCommand hwCommand_Logbook = {
    .name = "logbook",
    .operands = "[PILOT]",
    .minOperands = 0,
    .maxOperands = 1,
    .summary = "list the lessons that pilots have flown",
    .details = "The trainer adds a line to logbook.csv in the folder of flights when a lesson that a named "
               "pilot flies is over.\n"
               "Nothing leaves the machine. See docs/lessons.md for the columns.",
    .options = g_options,
    .run = Logbook,
};
