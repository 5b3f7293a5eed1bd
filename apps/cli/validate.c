// hawser validate: runs the validation cases and compares with what is known.
#include "apps/cli/cli.h"
#include "apps/cli/sampler.h"
#include "cases/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_JSON, OPTION_MARKDOWN, OPTION_LIST, OPTION_PROFILE, OPTION_OUTPUT };

#define DEAREST 3 // functions that a profile names

static const hwOption g_options[] = {
    {"json", 0, NULL, "print one JSON array of flat objects"},
    {"markdown", 0, NULL, "print a page in Markdown"},
    {"list", 0, NULL, "only name the cases"},
    {"profile", 0, NULL, "name the three dearest functions of each case"},
    {"output", 'o', "FILE", "write there instead of the standard output"},
    {0},
};

// A row with its verdict.
typedef struct Row {
    const hwCase* source;
    char* dearest; // functions of the case, only in its first row; null: none are known
    hwCaseRow row; // owns its strings
    double error, realtimeError;
    bool pass;
} Row;

struct hwCaseContext {
    const hwCase* running;
    Row* rows;
    int count, capacity;
    hwCaseMaker ran; // the best of the runs since a row was added; HW_MADE_DIRECT: none
    bool added;      // a row since the last run
    bool profile;    // name the dearest functions
};

hwCaseRow hwDefaultCaseRow(void) {
    double none = (double)NAN;
    return (hwCaseRow){.exact = none,
                       .seed = none,
                       .reference = none,
                       .realtime = none,
                       .tolerance = none,
                       .realtimeTolerance = none};
}

// Relative, or absolute when the exact value is 0.
static double MeasureError(double value, double exact) {
    return exact == 0 ? fabs(value) : fabs(value - exact) / fabs(exact);
}

void hwCase_NoteRun(hwCaseContext* context, hwCaseMaker maker) {
    if (context->added || maker > context->ran) context->ran = maker;
    context->added = false;
}

static const char* GetMakerName(hwCaseMaker maker) {
    switch (maker) {
    case HW_MADE_REFERENCE:
        return "reference";
    case HW_MADE_REALTIME:
        return "realtime";
    case HW_MADE_STATICS:
        return "statics";
    default:
        return "direct";
    }
}

void hwCase_AddRow(hwCaseContext* context, const hwCaseRow* row) {
    if (context->count == context->capacity) {
        context->capacity = context->capacity ? 2 * context->capacity : 64;
        context->rows = hwCli_Allocate(context->rows, (size_t)context->capacity * sizeof(Row));
    }
    Row* added = &context->rows[context->count++];
    *added = (Row){.source = context->running, .row = *row};
    added->row.quantity = hwCli_Copy(row->quantity ? row->quantity : "");
    added->row.note = hwCli_Copy(row->note ? row->note : "");
    if (row->maker == HW_MADE_UNKNOWN) added->row.maker = context->ran;
    context->added = true;
    // what the built-in solver made stands in its own column, whichever argument it came by
    if (added->row.maker == HW_MADE_REALTIME && isnan(row->realtime)) {
        added->row.realtime = row->reference;
        added->row.realtimeTolerance = row->tolerance;
    }
    added->error = MeasureError(row->reference, row->exact);
    added->realtimeError = MeasureError(added->row.realtime, row->exact);
    // Comparisons with a number that is not one are false, so such a row fails.
    bool judged = !isnan(row->realtime) && !isnan(row->realtimeTolerance);
    added->pass =
        added->error <= row->tolerance && (!judged || added->realtimeError <= row->realtimeTolerance);
}

void hwCase_AddError(hwCaseContext* context, const char* quantity, const hwError* error) {
    hwCaseRow row = hwDefaultCaseRow();
    row.quantity = quantity;
    row.note = error->message;
    hwCase_AddRow(context, &row);
}

static void PutJson(FILE* stream, const hwCaseContext* context) {
    fputc('[', stream);
    for (int i = 0; i < context->count; ++i) {
        const Row* row = &context->rows[i];
        const struct {
            const char* name;
            double value;
        } numbers[] = {
            {"exact", row->row.exact},         {"seed", row->row.seed},
            {"hawser", row->row.reference},    {"relative_error", row->error},
            {"realtime", row->row.realtime},   {"realtime_error", row->realtimeError},
            {"tolerance", row->row.tolerance}, {"realtime_tolerance", row->row.realtimeTolerance},
        };
        fputs(i ? ",\n {\"case\": " : "\n {\"case\": ", stream);
        hwCli_PutJsonString(stream, row->source->name);
        fputs(", \"quantity\": ", stream);
        hwCli_PutJsonString(stream, row->row.quantity);
        for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); ++k) {
            fprintf(stream, ", \"%s\": ", numbers[k].name);
            hwCli_PutJsonNumber(stream, numbers[k].value);
        }
        fprintf(stream, ", \"made_by\": \"%s\", \"pass\": %s, \"note\": ", GetMakerName(row->row.maker),
                row->pass ? "true" : "false");
        hwCli_PutJsonString(stream, row->row.note);
        if (row->dearest != NULL) {
            fputs(", \"dearest\": ", stream);
            hwCli_PutJsonString(stream, row->dearest);
        }
        fputc('}', stream);
    }
    fputs(context->count ? "\n]\n" : "]\n", stream);
}

static const char* ShowNumber(double value, int digits, char* text, size_t size) {
    if (isnan(value)) return "-";
    snprintf(text, size, "%.*g", digits, value);
    return text;
}

static int CountPassed(const hwCaseContext* context) {
    int passed = 0;
    for (int i = 0; i < context->count; ++i) passed += context->rows[i].pass;
    return passed;
}

static void PutTable(FILE* stream, const hwCaseContext* context, double seconds) {
    static const char* const titles[] = {"case",           "quantity", "exact", "seed",     "hawser",
                                         "relative error", "made by",  "pass",  "realtime", "realtime error"};
    hwTable table = {.columns = 10, .right = "llrrrrllrr"};
    for (int i = 0; i < 10; ++i) hwTable_Add(&table, "%s", titles[i]);
    for (int i = 0; i < context->count; ++i) {
        const Row* row = &context->rows[i];
        char text[64];
        bool again = i > 0 && row->source == context->rows[i - 1].source;
        hwTable_Add(&table, "%s", again ? "" : row->source->name);
        hwTable_Add(&table, "%s", row->row.quantity);
        hwTable_Add(&table, "%s", ShowNumber(row->row.exact, 10, text, sizeof(text)));
        hwTable_Add(&table, "%s", ShowNumber(row->row.seed, 6, text, sizeof(text)));
        hwTable_Add(&table, "%s", ShowNumber(row->row.reference, 10, text, sizeof(text)));
        hwTable_Add(&table, "%s", ShowNumber(row->error, 2, text, sizeof(text)));
        hwTable_Add(&table, "%s", GetMakerName(row->row.maker));
        hwTable_Add(&table, "%s", row->pass ? "yes" : "NO");
        hwTable_Add(&table, "%s", ShowNumber(row->row.realtime, 6, text, sizeof(text)));
        hwTable_Add(&table, "%s", ShowNumber(row->realtimeError, 2, text, sizeof(text)));
    }
    hwTable_Print(&table, stream);
    hwTable_Free(&table);
    bool heading = false;
    for (int i = 0; i < context->count; ++i) {
        const Row* row = &context->rows[i];
        if (!row->row.note[0]) continue;
        if (!heading) fputs("\nnotes\n", stream);
        heading = true;
        fprintf(stream, "  %s, %s: %s\n", row->source->name, row->row.quantity, row->row.note);
    }
    if (context->profile) fputs("\ndearest functions\n", stream);
    for (int i = 0; i < context->count; ++i) {
        const Row* row = &context->rows[i];
        if (row->dearest != NULL) fprintf(stream, "  %s: %s\n", row->source->name, row->dearest);
    }
    fprintf(stream, "\n%d of %d quantities pass, in %.1f s\n", CountPassed(context), context->count, seconds);
}

static void PutCell(FILE* stream, double value, int digits) {
    char text[64];
    fprintf(stream, " %s |", isnan(value) ? "" : ShowNumber(value, digits, text, sizeof(text)));
}

static void PutMarkdown(FILE* stream, const hwCaseContext* context) {
    fprintf(
        stream,
        "# Validation\n\nThis page is written by `hawser validate --markdown` (version %s). *realtime* is "
        "the "
        "built-in solver at its\n"
        "default settings. The column *hawser* is made by what *by* says: the `reference` solver, `statics` "
        "(the equilibrium that\n"
        "Prepare finds), or `direct` (what needs no solver); it is empty where only the built-in solver ran. "
        "*seed* is the value\n"
        "printed in the source. Errors are relative, or absolute where the exact value is 0.\n\n"
        "%d of %d quantities pass.\n",
        hwGetVersion(), CountPassed(context), context->count);
    for (int i = 0; i < context->count; ++i) {
        const Row* row = &context->rows[i];
        if (i == 0 || row->source != context->rows[i - 1].source) {
            fputs("\n## ", stream);
            hwCli_PutMarkdown(stream, row->source->name);
            fprintf(stream, "\n\n%s\n", row->source->summary ? row->source->summary : "");
            if (row->source->source) fprintf(stream, "Source: %s.\n", row->source->source);
            if (row->dearest != NULL) fprintf(stream, "Dearest functions: %s.\n", row->dearest);
            fputs(
                "\n| quantity | exact | seed | by | hawser | error | allowed | realtime | error | allowed | "
                "pass | note |\n"
                "|---|--:|--:|---|--:|--:|--:|--:|--:|--:|---|---|\n",
                stream);
        }
        fputs("| ", stream);
        hwCli_PutMarkdown(stream, row->row.quantity);
        fputs(" |", stream);
        PutCell(stream, row->row.exact, 10);
        PutCell(stream, row->row.seed, 6);
        bool own = row->row.maker != HW_MADE_REALTIME;
        fprintf(stream, " %s |", GetMakerName(row->row.maker));
        PutCell(stream, own ? row->row.reference : (double)NAN, 10);
        PutCell(stream, own ? row->error : (double)NAN, 2);
        PutCell(stream, own ? row->row.tolerance : (double)NAN, 2);
        PutCell(stream, row->row.realtime, 6);
        PutCell(stream, row->realtimeError, 2);
        PutCell(stream, row->row.realtimeTolerance, 2);
        fprintf(stream, " %s | ", row->pass ? "yes" : "**no**");
        hwCli_PutMarkdown(stream, row->row.note);
        fputs(" |\n", stream);
    }
}

static void FreeRows(hwCaseContext* context) {
    for (int i = 0; i < context->count; ++i) {
        free((void*)(uintptr_t)context->rows[i].row.quantity);
        free((void*)(uintptr_t)context->rows[i].row.note);
        free(context->rows[i].dearest);
    }
    free(context->rows);
}

// Runs the chosen cases, naming each on a terminal while it runs.
static void RunCases(hwCaseContext* context, int count, const hwCase* const* cases, const bool* chosen) {
    bool terminal = isatty(STDERR_FILENO);
    for (int i = 0; i < count; ++i) {
        if (!chosen[i]) continue;
        if (terminal) fprintf(stderr, "\r\033[K%s", cases[i]->name);
        context->running = cases[i];
        context->ran = HW_MADE_DIRECT;
        context->added = false;
        int before = context->count;
        hwSampler_Clear();
        cases[i]->function(context);
        if (context->count == before) {
            hwError error = {.message = "The case added no quantity."};
            hwCase_AddError(context, "none", &error);
        }
        if (!context->profile) continue;
        char text[512];
        hwSampler_Describe(DEAREST, text, sizeof(text));
        context->rows[before].dearest = hwCli_Copy(text);
    }
    if (terminal) fputs("\r\033[K", stderr);
}

static int RunValidate(const hwArguments* arguments) {
    int count = 0;
    for (const hwCase* const* list = hwCaseLists; *list; ++list) {
        for (const hwCase* item = *list; item->name; ++item) ++count;
    }
    const hwCase** cases = hwCli_Allocate(NULL, (size_t)count * sizeof(*cases));
    const char** names = hwCli_Allocate(NULL, (size_t)count * sizeof(*names));
    bool* chosen = hwCli_Allocate(NULL, (size_t)count * sizeof(bool));
    count = 0;
    for (const hwCase* const* list = hwCaseLists; *list; ++list) {
        for (const hwCase* item = *list; item->name; ++item) {
            cases[count] = item;
            names[count++] = item->name;
        }
    }
    int status = EXIT_USAGE;
    hwCliOutput output;
    hwCaseContext context = {0};
    if (hwCli_Choose(arguments, "case", count, names, chosen) &&
        hwCliOutput_Open(&output, arguments->values[OPTION_OUTPUT])) {
        double start = hwCli_GetTime();
        if (arguments->values[OPTION_LIST]) {
            for (int i = 0; i < count; ++i) {
                if (chosen[i])
                    fprintf(output.stream, "%-24s %s\n", names[i],
                            cases[i]->summary ? cases[i]->summary : "");
            }
        } else {
            context.profile = arguments->values[OPTION_PROFILE] != NULL;
            if (context.profile && !hwSampler_Start())
                fputs("hawser: functions are not timed on this system\n", stderr);
            RunCases(&context, count, cases, chosen);
            if (context.profile) hwSampler_Stop();
            if (arguments->values[OPTION_JSON]) {
                PutJson(output.stream, &context);
            } else if (arguments->values[OPTION_MARKDOWN]) {
                PutMarkdown(output.stream, &context);
            } else {
                PutTable(output.stream, &context, hwCli_GetTime() - start);
            }
        }
        bool passed = CountPassed(&context) == context.count;
        status = !hwCliOutput_Close(&output) ? EXIT_USAGE : passed ? EXIT_GOOD : EXIT_FAILED;
    }
    FreeRows(&context);
    free(chosen);
    free(names);
    free(cases);
    return status;
}

const hwCommand hwCommand_Validate = {
    .name = "validate",
    .operands = "[CASE...]",
    .maxOperands = 1000,
    .summary = "Run the validation cases and compare with exact values",
    .details = "CASE is the name of a case or its beginning; all run without one. The reference solver is "
               "judged, and the\n"
               "realtime solver shown and judged beside it. The exit status is 1 when a quantity fails.\n"
               "--profile looks where the program is once a millisecond of CPU (Linux).\n",
    .options = g_options,
    .run = RunValidate,
};
