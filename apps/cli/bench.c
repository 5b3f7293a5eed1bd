// hawser bench: measures Hawser, and peers beside it.
#include "apps/cli/cli.h"
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { OPTION_JSON, OPTION_LIST, OPTION_OUTPUT };

static const hwOption g_options[] = {
    {"json", 0, NULL, "print one JSON array of flat objects"},
    {"list", 0, NULL, "only name the benchmarks"},
    {"output", 'o', "FILE", "write there instead of the standard output"},
    {0},
};

struct hwBenchContext {
    hwBenchRow* rows; // own their strings
    int count, capacity;
    bool failed;
};

hwBenchRow hwDefaultBenchRow(void) {
    double none = (double)NAN;
    return (hwBenchRow){.value = none, .peerValue = none};
}

double hwBench_GetTime(void) {
    return hwCli_GetTime();
}

void hwBench_AddRow(hwBenchContext* context, const hwBenchRow* row) {
    if (context->count == context->capacity) {
        context->capacity = context->capacity ? 2 * context->capacity : 64;
        context->rows = hwCli_Allocate(context->rows, (size_t)context->capacity * sizeof(hwBenchRow));
    }
    hwBenchRow* added = &context->rows[context->count++];
    *added = *row;
    added->name = hwCli_Copy(row->name ? row->name : "");
    added->unit = hwCli_Copy(row->unit ? row->unit : "");
    added->peer = hwCli_Copy(row->peer ? row->peer : "");
    added->note = hwCli_Copy(row->note ? row->note : "");
}

void hwBench_AddError(hwBenchContext* context, const char* name, const hwError* error) {
    hwBenchRow row = hwDefaultBenchRow();
    row.name = name;
    row.note = error->message;
    hwBench_AddRow(context, &row);
    context->failed = true;
}

// How many times better than the peer; not a number without one.
static double GetRatio(const hwBenchRow* row) {
    return row->moreIsBetter ? row->value / row->peerValue : row->peerValue / row->value;
}

static void PutJson(FILE* stream, const hwBenchContext* context) {
    fputc('[', stream);
    for (int i = 0; i < context->count; ++i) {
        const hwBenchRow* row = &context->rows[i];
        fputs(i ? ",\n {\"name\": " : "\n {\"name\": ", stream);
        hwCli_PutJsonString(stream, row->name);
        fputs(", \"value\": ", stream);
        hwCli_PutJsonNumber(stream, row->value);
        fputs(", \"unit\": ", stream);
        hwCli_PutJsonString(stream, row->unit);
        fputs(", \"peer\": ", stream);
        if (row->peer[0]) {
            hwCli_PutJsonString(stream, row->peer);
        } else {
            fputs("null", stream);
        }
        fputs(", \"peer_value\": ", stream);
        hwCli_PutJsonNumber(stream, row->peerValue);
        fputs(", \"ratio\": ", stream);
        hwCli_PutJsonNumber(stream, GetRatio(row));
        fputs(", \"note\": ", stream);
        hwCli_PutJsonString(stream, row->note);
        fputc('}', stream);
    }
    fputs(context->count ? "\n]\n" : "]\n", stream);
}

static void AddNumber(hwTable* table, double value, const char* suffix) {
    if (isnan(value)) {
        hwTable_Add(table, "-");
    } else {
        hwTable_Add(table, "%.4g%s", value, suffix);
    }
}

static void PutTable(FILE* stream, const hwBenchContext* context) {
    static const char* const titles[] = {"name", "value", "unit", "peer", "peer value", "ratio", "note"};
    hwTable table = {.columns = 7, .right = "lrllrrl"};
    for (int i = 0; i < 7; ++i) hwTable_Add(&table, "%s", titles[i]);
    for (int i = 0; i < context->count; ++i) {
        const hwBenchRow* row = &context->rows[i];
        hwTable_Add(&table, "%s", row->name);
        AddNumber(&table, row->value, "");
        hwTable_Add(&table, "%s", row->unit);
        hwTable_Add(&table, "%s", row->peer[0] ? row->peer : "-");
        AddNumber(&table, row->peerValue, "");
        AddNumber(&table, GetRatio(row), "x");
        hwTable_Add(&table, "%s", row->note);
    }
    hwTable_Print(&table, stream);
    hwTable_Free(&table);
}

static void FreeRows(hwBenchContext* context) {
    for (int i = 0; i < context->count; ++i) {
        const hwBenchRow* row = &context->rows[i];
        const char* const texts[] = {row->name, row->unit, row->peer, row->note};
        for (int k = 0; k < 4; ++k) free((void*)(uintptr_t)texts[k]);
    }
    free(context->rows);
}

static int RunBench(const hwArguments* arguments) {
    int count = 0;
    for (const hwBench* const* list = hwBenchLists; *list; ++list) {
        for (const hwBench* item = *list; item->name; ++item) ++count;
    }
    const hwBench** benches = hwCli_Allocate(NULL, (size_t)count * sizeof(*benches));
    const char** names = hwCli_Allocate(NULL, (size_t)count * sizeof(*names));
    bool* chosen = hwCli_Allocate(NULL, (size_t)count * sizeof(bool));
    count = 0;
    for (const hwBench* const* list = hwBenchLists; *list; ++list) {
        for (const hwBench* item = *list; item->name; ++item) {
            benches[count] = item;
            names[count++] = item->name;
        }
    }
    int status = EXIT_USAGE;
    hwCliOutput output;
    hwBenchContext context = {0};
    if (hwCli_Choose(arguments, "benchmark", count, names, chosen) &&
        hwCliOutput_Open(&output, arguments->values[OPTION_OUTPUT])) {
        bool list = arguments->values[OPTION_LIST] != NULL, terminal = isatty(STDERR_FILENO);
        for (int i = 0; i < count; ++i) {
            if (!chosen[i]) continue;
            if (list) {
                fprintf(output.stream, "%-24s %s\n", names[i],
                        benches[i]->summary ? benches[i]->summary : "");
                continue;
            }
            if (terminal) fprintf(stderr, "\r\033[K%s", names[i]);
            benches[i]->function(&context);
        }
        if (terminal && !list) fputs("\r\033[K", stderr);
        if (!list && arguments->values[OPTION_JSON]) {
            PutJson(output.stream, &context);
        } else if (!list) {
            PutTable(output.stream, &context);
        }
        status = !hwCliOutput_Close(&output) ? EXIT_USAGE : context.failed ? EXIT_FAILED : EXIT_GOOD;
    }
    FreeRows(&context);
    free(chosen);
    free(names);
    free(benches);
    return status;
}

const hwCommand hwCommand_Bench = {
    .name = "bench",
    .operands = "[NAME...]",
    .maxOperands = 1000,
    .summary = "Measure speed, peers side by side in one run",
    .details = "NAME is the name of a benchmark or its beginning; all run without one. The ratio says how "
               "many times better\n"
               "than the peer.\n",
    .options = g_options,
    .run = RunBench,
};
