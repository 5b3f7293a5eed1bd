// hawser report: results as a page.
#define _XOPEN_SOURCE 700
#include "apps/cli/browser.h"
#include "apps/cli/cli.h"
#include "apps/cli/views.h"
#include "hawser/results.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_OUTPUT, OPTION_PDF, OPTION_STUDY, OPTION_PICTURES, OPTION_VIEWS };

static const hwOption g_options[] = {
    {"output", 'o', "FILE.html", "the page to write; default: beside the results"},
    {"pdf", 0, NULL, "print the page as PDF beside it too, with the browser that is installed"},
    {"study", 0, "DIR", "put the tables of this study in: operability, weather, extremes, sensitivity"},
    {"pictures", 0, "FILE,...", "put these PNG, JPEG or SVG files on the front page"},
    {"views", 0, "T,...", "put pictures of the scene at these times there, s, as the viewer shows it"},
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

// Pictures of a report: files that were given, then views in a folder of their own.
typedef struct Pictures {
    char** names;
    int count, given;
    char folder[32]; // empty: none
} Pictures;

static void AddNames(Pictures* pictures, const char* text) {
    char* copy = hwCli_Copy(text);
    for (char* name = strtok(copy, ","); name; name = strtok(NULL, ",")) {
        pictures->names =
            hwCli_Allocate(pictures->names, (size_t)(pictures->count + 1) * sizeof(*pictures->names));
        pictures->names[pictures->count++] = hwCli_Copy(name);
    }
    pictures->given = pictures->count;
    free(copy);
}

static bool AddViews(Pictures* pictures, const char* path, hwResults* results, const char* times) {
    strcpy(pictures->folder, "/tmp/hawser-views-XXXXXX");
    if (!mkdtemp(pictures->folder)) {
        pictures->folder[0] = 0;
        hwCli_Complain(NULL, "There is no room in /tmp for pictures.");
        return false;
    }
    return hwViews_Draw(path, results, times, pictures->folder, &pictures->names, &pictures->count);
}

static void FreePictures(Pictures* pictures) {
    for (int i = 0; i < pictures->count; ++i) {
        if (i >= pictures->given) remove(pictures->names[i]);
        free(pictures->names[i]);
    }
    free(pictures->names);
    if (pictures->folder[0]) rmdir(pictures->folder);
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
    Pictures pictures = {0};
    if (arguments->values[OPTION_PICTURES]) AddNames(&pictures, arguments->values[OPTION_PICTURES]);
    const char* views = arguments->values[OPTION_VIEWS];
    bool drawn = !views || AddViews(&pictures, path, results, views);
    def.pictures = (const char* const*)pictures.names;
    def.pictureCount = pictures.count;
    def.path = name;
    def.study = arguments->values[OPTION_STUDY];
    if (!drawn) {
        status = EXIT_FAILED; // it was said
    } else if (hwResults_WriteReportDef(results, &def, &error) == HW_OK) {
        printf("%s\n", name);
        if (arguments->values[OPTION_PDF]) status = PrintPage(name);
    } else {
        status = hwCli_PrintError(error.line > 0 ? path : NULL, &error);
    }
    FreePictures(&pictures);
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
