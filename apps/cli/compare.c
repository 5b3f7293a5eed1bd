// hawser compare: a run beside what MoorDyn wrote for the same deck, or a tether beside measured points.
#include "apps/cli/compare_tether.h"
#include "hawser/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_COLUMNS,
    OPTION_SCALE,
    OPTION_SHIFT,
    OPTION_FROM,
    OPTION_TO,
    OPTION_LINE,
    OPTION_LIMIT,
    OPTION_SHARE,
    OPTION_TRACK,
    OPTION_TETHER,
    OPTION_VEHICLE,
    OPTION_CABLE,
    OPTION_OUT
};

static const hwOption g_options[] = {
    {"columns", 0, "NAMES", "names of OUTPUT's columns, such as Time,FairTen1, where it has no heading"},
    {"scale", 0, "X", "factor on OUTPUT's values: 1000 where they are in kN"},
    {"shift", 0, "S", "seconds added to OUTPUT's times"},
    {"from", 0, "S", "compare from this time of the run on"},
    {"to", 0, "S", "and up to this one"},
    {"line", 0, "N", "OUTPUT is the file of line N alone; default: told from a name like mooring_Line1.out"},
    {"limit", 0, "X", "largest difference allowed, in the channel's unit"},
    {"share", 0, "X", "or as a share of the range of OUTPUT's column: 0.02 is 2 %"},
    {"track", 0, "FILE",
     "of a vehicle: drives the one of SCENE; columns time, x, y, z and, if known, roll, pitch, yaw"},
    {"tether", 0, "FILE",
     "measured points: time, then NAME.x, NAME.y, NAME.z and, if known, NAME.at for each"},
    {"vehicle", 0, "NAME",
     "vehicle or body that the track drives; default: the only vehicle, else end b of the cable"},
    {"cable", 0, "NAME", "the tether; default: the only cable"},
    {"out", 0, "FILE", "write the distances over time (.csv, .h5), for `hawser report`"},
    HW_SET_OPTION,
    {0},
};

#define MOST 400

static bool ReadNumber(const hwArguments* arguments, int option, double* value) {
    const char* text = arguments->values[option];
    char* end = NULL;
    if (text == NULL) return true;
    *value = strtod(text, &end);
    if (end != text && *end == 0 && isfinite(*value)) return true;
    hwCli_Complain(NULL, "--%s takes a number, not %s.", g_options[option].name, text);
    return false;
}

// Returns whether all that could be compared is within its limit.
static bool PrintTable(const hwMoordynDifference* list, int count, double limit, double share) {
    hwTable table = {.columns = 8, .right = "llrrrrrl"};
    static const char* const heading[] = {"column", "channel", "rms",      "largest",
                                          "at (s)", "range",   "of range", ""};
    bool good = true;
    for (int i = 0; i < 8; i++) hwTable_Add(&table, "%s", heading[i]);
    for (int i = 0; i < count; i++) {
        const hwMoordynDifference* d = &list[i];
        if (d->count == 0) continue;
        double range = d->high - d->low, most = fabs(d->largest);
        double allowed = fmin(isnan(limit) ? HUGE_VAL : limit, isnan(share) ? HUGE_VAL : share * range);
        bool within = most <= allowed;
        good = good && within;
        hwTable_Add(&table, "%s", d->name);
        hwTable_Add(&table, "%s (%s)", d->channel, d->unit);
        hwTable_Add(&table, "%.4g", d->rms);
        hwTable_Add(&table, "%.4g", d->largest);
        hwTable_Add(&table, "%.4g", d->time);
        hwTable_Add(&table, "%.4g to %.4g", d->low, d->high);
        hwTable_Add(&table, "%.2f %%", range > 0.0 ? 100.0 * most / range : 0.0);
        hwTable_Add(&table, "%s", isinf(allowed) ? "" : within ? "within" : "OUTSIDE");
    }
    hwTable_Print(&table, stdout);
    hwTable_Free(&table);
    for (int i = 0; i < count; i++) {
        if (list[i].count == 0 && strcmp(list[i].channel, "time") != 0)
            hwCli_PutText(stdout, "%s: %s\n", list[i].name,
                          list[i].unit[0] ? "no row within the times" : list[i].channel);
    }
    return good;
}

static int RunCompare(const hwArguments* arguments) {
    if (arguments->values[OPTION_TRACK] != NULL || arguments->values[OPTION_TETHER] != NULL) {
        if (arguments->count != 1 || arguments->values[OPTION_TRACK] == NULL ||
            arguments->values[OPTION_TETHER] == NULL) {
            hwCli_Complain(NULL, "Comparing a tether takes one SCENE, --track FILE and --tether FILE.");
            return EXIT_USAGE;
        }
        hwTetherComparison tether = {.scene = arguments->operands[0],
                                     .track = arguments->values[OPTION_TRACK],
                                     .tether = arguments->values[OPTION_TETHER],
                                     .vehicle = arguments->values[OPTION_VEHICLE],
                                     .cable = arguments->values[OPTION_CABLE],
                                     .out = arguments->values[OPTION_OUT],
                                     .setCount = arguments->setCount,
                                     .sets = arguments->sets};
        return hwCli_CompareTether(&tether);
    }
    if (arguments->count != 3) {
        hwCli_Complain("With --track and --tether: one SCENE.", "compare takes DECK, OUTPUT and RESULTS.");
        return EXIT_USAGE;
    }
    hwMoordynCompareDef def = hwDefaultMoordynCompareDef();
    double limit = (double)NAN, share = (double)NAN, line = 0.0;
    def.deck = arguments->operands[0];
    def.output = arguments->operands[1];
    def.results = arguments->operands[2];
    def.columns = arguments->values[OPTION_COLUMNS];
    if (!ReadNumber(arguments, OPTION_SCALE, &def.scale) ||
        !ReadNumber(arguments, OPTION_SHIFT, &def.shift) || !ReadNumber(arguments, OPTION_FROM, &def.from) ||
        !ReadNumber(arguments, OPTION_TO, &def.to) || !ReadNumber(arguments, OPTION_LINE, &line) ||
        !ReadNumber(arguments, OPTION_LIMIT, &limit) || !ReadNumber(arguments, OPTION_SHARE, &share)) {
        return EXIT_USAGE;
    }
    if (!(line >= 0.0 && line < 1e6)) {
        hwCli_Complain(NULL, "--line takes the number of a line.");
        return EXIT_USAGE;
    }
    def.line = (int)line;
    hwMoordynDifference* list = hwCli_Allocate(NULL, MOST * sizeof(*list));
    hwError error;
    int count = 0, status = EXIT_GOOD;
    if (hwCompareMoordyn(&def, MOST, list, &count, &error) != HW_OK) {
        status = hwCli_PrintError(error.object[0] ? error.object : NULL, &error);
    } else if (!PrintTable(list, count < MOST ? count : MOST, limit, share)) {
        status = EXIT_FAILED;
    }
    free(list);
    return status;
}

const hwCommand hwCommand_Compare = {
    .name = "compare",
    .operands = "DECK OUTPUT RESULTS | SCENE --track FILE --tether FILE",
    .minOperands = 1,
    .maxOperands = 3,
    .summary = "Compare a run with MoorDyn's output, or a tether with measured points",
    .details =
        "DECK is the input file of MoorDyn that the scene was converted from, OUTPUT what MoorDyn wrote: "
        "its\n"
        "main file (FairTen1, Con3px, L1N5T, ...), the file of a line (Node2px, Seg3Te, ...), or a table of\n"
        "columns; RESULTS are those of the run. The run is taken by straight lines between its rows. With\n"
        "--limit or --share the status is 1 when a column is off by more.\n"
        "\n"
        "With --track and --tether a recorded track drives SCENE's vehicle, and the distance of each "
        "measured\n"
        "point from the simulated tether is listed: from the material at `at` metres from end a where that "
        "is\n"
        "given, else from the nearest point. Files are CSV (first row names, a second row of units is "
        "allowed,\n"
        "first column time) or results; rows of `hawser run --channels 'tether.node*.position.*'` fit as "
        "they\n"
        "are. Between rows of the track the way is straight.\n",
    .options = g_options,
    .run = RunCompare,
};
