// hawser report: results as a page.
#include "apps/cli/cli.h"
#include "hawser/results.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_OUTPUT };

static const hwOption g_options[] = {
    {"output", 'o', "FILE.html", "the page to write; default: beside the results"},
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

static int RunReport(const hwArguments* arguments) {
    const char* path = arguments->operands[0];
    hwError error;
    hwResults* results = hwOpenResults(path, &error);
    if (!results) return hwCli_PrintError(path, &error);
    const char* given = arguments->values[OPTION_OUTPUT];
    char* name = given ? hwCli_Copy(given) : MakeName(path);
    int status = EXIT_GOOD;
    if (hwResults_WriteReport(results, name, &error) == HW_OK) {
        printf("%s\n", name);
    } else {
        status = hwCli_PrintError(error.line > 0 ? path : NULL, &error);
    }
    free(name);
    hwCloseResults(results);
    return status;
}

const hwCommand hwCommand_Report = {
    .name = "report",
    .operands = "RESULTS",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "Write one self-contained page with plots of a run",
    .details =
        "RESULTS is an HDF5, CSV or VTK file, or a folder with a results.h5. The page needs no network.\n",
    .options = g_options,
    .run = RunReport,
};
