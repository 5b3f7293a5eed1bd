// Reading fit files.
#include "fit_file.h"

#include "scene_read.h"

#include <math.h>

static bool CheckParameter(hwReader* reader, const hwYaml* node, void* item) {
    hwFitParameter* p = item;
    if (hwYaml_Find(node, "start") == NULL) p->start = (double)NAN;
    if (hwYaml_Find(node, "low") == NULL) p->low = -HUGE_VAL;
    if (hwYaml_Find(node, "high") == NULL) p->high = HUGE_VAL;
    if (hwYaml_Find(node, "step") == NULL) p->step = (double)NAN;
    if (!(p->low < p->high))
        return hwReader_Fail(reader, node, "`high` (%g) must be above `low` (%g)", p->high, p->low);
    if (p->start < p->low || p->start > p->high)
        return hwReader_Fail(reader, node, "`start` (%g) must be between `low` and `high`", p->start);
    return true;
}

static const hwKey parameterKeys[] = {
    {.name = "path",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwFitParameter, path),
     .flags = HW_KEY_REQUIRED,
     .example = "cables.wire.sections.0.EA",
     .doc = "key of the scene, as for `--set`; its value is a number"},
    {.name = "start",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFitParameter, start),
     .flags = HW_KEY_CHECKED,
     .fallback = "(what the scene says)",
     .example = "5e6",
     .doc = "where the search begins"},
    {.name = "low",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFitParameter, low),
     .flags = HW_KEY_CHECKED,
     .fallback = "(none)",
     .example = "1e6",
     .doc = "least value"},
    {.name = "high",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFitParameter, high),
     .flags = HW_KEY_CHECKED,
     .fallback = "(none)",
     .example = "1e8",
     .doc = "greatest value"},
    {.name = "step",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFitParameter, step),
     .flags = HW_KEY_CHECKED,
     .range = HW_ABOVE(0),
     .fallback = "(1 % of `start`, or of `high` less `low` where that is 0)",
     .example = "1e5",
     .doc = "by which it is changed to see what it does"},
};
static const hwSection parameterSection = {.title = "a parameter",
                                           .heading = "parameters",
                                           .size = sizeof(hwFitParameter),
                                           HW_KEYS(parameterKeys),
                                           .check = CheckParameter};

static bool CheckMeasured(hwReader* reader, const hwYaml* node, void* item) {
    hwFitMeasured* m = item;
    if (hwYaml_Find(node, "deviation") == NULL) m->deviation = (double)NAN;
    if (hwYaml_Find(node, "from") == NULL) m->from = -HUGE_VAL;
    if (hwYaml_Find(node, "to") == NULL) m->to = HUGE_VAL;
    int count = 0;
    const double* times;
    const hwVec3* values;
    const char* column = m->column != NULL ? m->column : m->channel;
    if (!hwReadCsvColumns(reader, node, m->file, m->time, 1, &column, &count, &times, &values)) return false;
    double* kept = hwReader_Take(reader, 2 * (size_t)count, sizeof(double));
    if (kept == NULL) return false;
    m->times = kept;
    m->values = kept + count;
    for (int i = 0; i < count; ++i) {
        double time = times[i] + m->shift;
        if (time < m->from || time > m->to || isnan(values[i].x)) continue;
        kept[m->count] = time;
        kept[count + m->count++] = m->scale * values[i].x;
    }
    if (m->count > 0) return true;
    return hwReader_Fail(reader, node, "no row of `%s` is between `from` and `to`", column);
}

static const hwKey measuredKeys[] = {
    {.name = "file",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwFitMeasured, file),
     .flags = HW_KEY_REQUIRED,
     .example = "tension.csv",
     .doc = "CSV with a row of names; a second row of units is skipped"},
    {.name = "channel",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwFitMeasured, channel),
     .flags = HW_KEY_REQUIRED,
     .example = "wire.a.tension",
     .doc = "of the scene, that the column is to be compared with"},
    {.name = "column",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwFitMeasured, column),
     .fallback = "(the channel's name)",
     .example = "load_cell",
     .doc = "of the file"},
    {.name = "time",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwFitMeasured, time),
     .fallback = "(the first column)",
     .example = "seconds",
     .doc = "the column of times, s"},
    {.name = "deviation",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFitMeasured, deviation),
     .flags = HW_KEY_CHECKED,
     .range = HW_ABOVE(0),
     .fallback = "(that of the column's values about their mean)",
     .example = "200",
     .doc = "standard deviation of its noise, in the channel's unit: its weight beside other columns"},
    {.name = "from",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFitMeasured, from),
     .flags = HW_KEY_CHECKED,
     .unit = "s",
     .fallback = "(the first row)",
     .example = "10",
     .doc = "simulated time: earlier rows do not count"},
    {.name = "to",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFitMeasured, to),
     .flags = HW_KEY_CHECKED,
     .unit = "s",
     .fallback = "(the last row)",
     .example = "60",
     .doc = "later rows do not count"},
    {.name = "shift",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFitMeasured, shift),
     .unit = "s",
     .fallback = "0",
     .example = "-120",
     .doc = "added to the file's times"},
    {.name = "scale",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFitMeasured, scale),
     .fallback = "1",
     .example = "1000",
     .doc = "factor on the file's values: 1000 where they are in kN"},
};
static const hwSection measuredSection = {.title = "a measured column",
                                          .heading = "measured",
                                          .size = sizeof(hwFitMeasured),
                                          HW_KEYS(measuredKeys),
                                          .check = CheckMeasured};

static const hwKey fitKeys[] = {
    {.name = "hawser_fit",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwFitFile, version),
     .flags = HW_KEY_REQUIRED,
     .range = HW_RANGE(1, 1),
     .example = "1",
     .doc = "version of this format"},
    {.name = "name",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwFitFile, name),
     .fallback = "(the file's name)",
     .example = "pull test",
     .doc = "what it is called"},
    {.name = "scene",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwFitFile, scene),
     .flags = HW_KEY_REQUIRED,
     .example = "scene.yaml",
     .doc = "the scene, beside the fit"},
    {.name = "set",
     .type = HW_KEY_SPECIAL,
     .read = hwReadSettings,
     .form = "mapping from paths to values",
     .offset = offsetof(hwFitFile, set),
     .fallback = "(none)",
     .example = "{bodies.load.mass: 3000}",
     .bad = "[1]",
     .doc = "in all runs, over what the scene says"},
    {.name = "parameters",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwFitFile, parameters),
     .section = &parameterSection,
     .flags = HW_KEY_REQUIRED,
     .example = "[{path: cables.wire.sections.0.EA}]",
     .doc = "what is looked for"},
    {.name = "measured",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwFitFile, measured),
     .section = &measuredSection,
     .flags = HW_KEY_REQUIRED,
     .example = "[{file: tension.csv, channel: wire.a.tension}]",
     .doc = "what is known"},
    {.name = "iterations",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwFitFile, iterations),
     .range = HW_RANGE(1, 1000),
     .fallback = "30",
     .example = "50",
     .doc = "at most"},
    {.name = "confidence",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwFitFile, confidence),
     .range = {0, 1, true, true, false},
     .fallback = "0.95",
     .example = "0.9",
     .doc = "of the bounds"},
};
const hwSection hwSection_fit = {
    .title = "a fit", .heading = "The fit", .size = sizeof(hwFitFile), HW_KEYS(fitKeys)};
