// hawser report: results as a page.
#include "apps/cli/browser.h"
#include "apps/cli/cli.h"
#include "hawser/results.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_OUTPUT, OPTION_PDF, OPTION_STUDY, OPTION_PICTURES };

static const hwOption g_options[] = {
    {"output", 'o', "FILE.html", "the page to write; default: beside the results"},
    {"pdf", 0, NULL, "print the page as PDF beside it too, with the browser that is installed"},
    {"study", 0, "DIR", "put the tables of this study in: operability, weather, extremes, sensitivity"},
    {"pictures", 0, "FILE,...", "put these PNG, JPEG or SVG files on the front page"},
    {0},
};

// report.html beside a results.h5, NAME.html beside NAME.csv.
static char* MakeName(const char* path) {
    size_t size = strlen(path) + 16;
    char* name = hwCli_Allocate(NULL, size);
    snprintf(name, size, "%s", path);
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == '/') name[--length] = 0;
    char* slash = strrchr(name, '/');
    char* base = slash ? slash + 1 : name;
    char* dot = strrchr(base, '.');
    bool file = dot && dot > base &&
                (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".csv") == 0 ||
                 strcmp(dot, ".vtp") == 0);
    if (!file) {
        strcat(name, "/report.html"); // a folder
    } else if (strcmp(base, "results.h5") == 0) {
        strcpy(base, "report.html");
    } else {
        strcpy(dot, ".html");
    }
    return name;
}

// NAME.pdf of NAME.html
static int PrintPage(const char* page) {
    size_t length = strlen(page);
    if (length > 5 && strcmp(page + length - 5, ".html") == 0) length -= 5;
    char* pdf = hwCli_Allocate(NULL, length + 8);
    snprintf(pdf, length + 8, "%.*s.pdf", (int)length, page);
    bool good = hwBrowser_Print(page, pdf);
    if (good) printf("%s\n", pdf);
    free(pdf);
    return good ? EXIT_GOOD : EXIT_FAILED;
}

// Cuts a copy of the text at its commas.
static char* SplitNames(const char* text, hwReportDef* def, const char*** names) {
    char* copy = hwCli_Copy(text);
    *names = hwCli_Allocate(NULL, (strlen(text) / 2 + 2) * sizeof(char*));
    for (char* name = strtok(copy, ","); name; name = strtok(NULL, ",")) (*names)[def->pictureCount++] = name;
    def->pictures = *names;
    return copy;
}

static int RunReport(const hwArguments* arguments) {
    const char* path = arguments->operands[0];
    hwError error;
    hwResults* results = hwOpenResults(path, &error);
    if (!results) return hwCli_PrintError(path, &error);
    const char* given = arguments->values[OPTION_OUTPUT];
    char* name = given ? hwCli_Copy(given) : MakeName(path);
    int status = EXIT_GOOD;
    hwReportDef def = hwDefaultReportDef();
    const char** pictures = NULL;
    char* list = arguments->values[OPTION_PICTURES]
                     ? SplitNames(arguments->values[OPTION_PICTURES], &def, &pictures)
                     : NULL;
    def.path = name;
    def.study = arguments->values[OPTION_STUDY];
    if (hwResults_WriteReportDef(results, &def, &error) == HW_OK) {
        printf("%s\n", name);
        if (arguments->values[OPTION_PDF]) status = PrintPage(name);
    } else {
        status = hwCli_PrintError(error.line > 0 ? path : NULL, &error);
    }
    free(pictures);
    free(list);
    free(name);
    hwCloseResults(results);
    return status;
}

const hwCommand hwCommand_Report = {
    .name = "report",
    .operands = "RESULTS",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "Write a report of a run: verdict, plots, spectra, fatigue; one page or PDF",
    .details =
        "RESULTS is an HDF5, CSV or VTK file, or a folder with a results.h5. The page needs no network.\n"
        "Its front page compares the scene's limits, and what cables bear, with what was reached. --pdf "
        "needs Chromium\n"
        "or another browser of its family; HAWSER_BROWSER names one.\n",
    .options = g_options,
    .run = RunReport,
};
