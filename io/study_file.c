// Reading study files.
#include "study_file.h"

#include "scene_include.h"
#include "scene_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ReadTexts(hwReader* reader, const hwKey* key, const hwYaml* node, void* field) {
    hwTexts* out = field;
    const hwYaml* first = node->kind == HW_YAML_LIST ? node->first : node;
    int count = node->kind == HW_YAML_LIST ? node->count : 1;
    if (node->kind == HW_YAML_MAP || count == 0) return hwReader_FailType(reader, key, node);
    const char** texts = hwReader_Take(reader, (size_t)count, sizeof(char*));
    if (texts == NULL) return false;
    out->line = node->line;
    out->column = node->column;
    out->texts = texts;
    for (const hwYaml* item = first; out->count < count; item = item->next) {
        if (item->kind != HW_YAML_SCALAR) return hwReader_FailType(reader, key, item);
        texts[out->count++] = item->text;
    }
    return true;
}

// A value as --set takes it: of a list or a mapping its YAML in one line. Null: out of memory.
static const char* CopyValue(hwReader* reader, const hwYaml* value) {
    if (value->kind == HW_YAML_SCALAR) return value->text;
    char* text = hwYaml_WriteValue(value);
    if (text == NULL) hwReader_FailMemory(reader);
    char* own = text != NULL ? hwReader_Take(reader, strlen(text) + 1, 1) : NULL;
    if (own != NULL) strcpy(own, text);
    free(text);
    return own;
}

// Values of a parameter: numbers, texts, lists and mappings alike.
static bool ReadValues(hwReader* reader, const hwKey* key, const hwYaml* node, void* field) {
    hwTexts* out = field;
    const hwYaml* first = node->kind == HW_YAML_LIST ? node->first : node;
    int count = node->kind == HW_YAML_LIST ? node->count : 1;
    if (node->kind == HW_YAML_MAP || count == 0) return hwReader_FailType(reader, key, node);
    const char** texts = hwReader_Take(reader, (size_t)count, sizeof(char*));
    if (texts == NULL) return false;
    *out = (hwTexts){.texts = texts, .line = node->line, .column = node->column};
    for (const hwYaml* item = first; out->count < count; item = item->next) {
        texts[out->count] = CopyValue(reader, item);
        if (texts[out->count++] == NULL) return false;
    }
    return true;
}

// A mapping from paths to lists of values.
static bool ReadLinks(hwReader* reader, const hwKey* key, const hwYaml* node, void* field) {
    hwStudyLinks* out = field;
    if (node->kind != HW_YAML_MAP || node->count == 0) return hwReader_FailType(reader, key, node);
    hwStudyLink* list = hwReader_Take(reader, (size_t)node->count, sizeof(hwStudyLink));
    if (list == NULL) return false;
    *out = (hwStudyLinks){0, list};
    for (const hwYaml* item = node->first; item != NULL; item = item->next) {
        hwStudyLink* link = &list[out->count++];
        link->path = item->key->text;
        if (!ReadValues(reader, key, item, &link->values)) return false;
    }
    return true;
}

static bool CheckParameter(hwReader* reader, const hwYaml* node, void* item) {
    const hwStudyParameter* p = item;
    int count = p->values.count > 0 ? p->values.count : (int)p->range.third;
    for (int i = 0; i < p->with.count; ++i) {
        const hwStudyLink* link = &p->with.list[i];
        if (count == 0)
            return hwReader_Fail(reader, node,
                                 "`with` goes with `values` or `range`, not with a distribution");
        if (link->values.count != count)
            return hwReader_Fail(reader, node, "`%s` has %d values, but the parameter that it goes with %d",
                                 link->path, link->values.count, count);
    }
    return true;
}

bool hwReadSettings(hwReader* reader, const hwKey* key, const hwYaml* node, void* field) {
    hwTexts* out = field;
    if (node->kind != HW_YAML_MAP || node->count == 0) return hwReader_FailType(reader, key, node);
    const char** texts = hwReader_Take(reader, (size_t)node->count, sizeof(char*));
    if (texts == NULL) return false;
    out->line = node->line;
    out->column = node->column;
    out->texts = texts;
    for (const hwYaml* item = node->first; item != NULL; item = item->next) {
        const char* value = CopyValue(reader, item);
        size_t size = value != NULL ? strlen(item->key->text) + strlen(value) + 2 : 0;
        char* text = value != NULL ? hwReader_Take(reader, size, 1) : NULL;
        if (text == NULL) return false;
        snprintf(text, size, "%s=%s", item->key->text, value);
        texts[out->count++] = text;
    }
    return true;
}

// Two or three numbers under names of their own.
#define PAIR_KEY(word, member, about, sample, ...)                                                           \
    {                                                                                                        \
        .name = word, .type = HW_KEY_NUMBER, .offset = offsetof(hwStudyPair, member),                        \
        .flags = HW_KEY_REQUIRED, .range = __VA_ARGS__, .example = sample, .doc = about                      \
    }
static const hwKey rangeKeys[] = {
    PAIR_KEY("from", first, "first value", "6", {0}), PAIR_KEY("to", second, "last value", "12", {0}),
    PAIR_KEY("count", third, "how many, at equal distances", "4", HW_RANGE(1, 1e6))};
static bool CheckRange(hwReader* reader, const hwYaml* node, void* item) {
    const hwStudyPair* pair = item;
    if (pair->third == (double)(int)pair->third) return true;
    return hwReader_Fail(reader, node, "`count` must be a whole number, not %g", pair->third);
}
static const hwSection rangeSection = {.title = "a range",
                                       .heading = "parameters: range",
                                       .size = sizeof(hwStudyPair),
                                       HW_KEYS(rangeKeys),
                                       .check = CheckRange};
static bool CheckOrder(hwReader* reader, const hwYaml* node, void* item) {
    const hwStudyPair* pair = item;
    if (pair->second > pair->first) return true;
    return hwReader_Fail(reader, node, "`high` (%g) must be above `low` (%g)", pair->second, pair->first);
}
static const hwKey uniformKeys[] = {PAIR_KEY("low", first, "least value", "0.9", {0}),
                                    PAIR_KEY("high", second, "greatest value", "1.1", {0})};
static const hwSection uniformSection = {.title = "a uniform distribution",
                                         .heading = "parameters: uniform",
                                         .size = sizeof(hwStudyPair),
                                         HW_KEYS(uniformKeys),
                                         .check = CheckOrder};
static const hwKey normalKeys[] = {PAIR_KEY("mean", first, "of the values", "5000", {0}),
                                   PAIR_KEY("deviation", second, "standard deviation", "200", HW_ABOVE(0))};
static const hwSection normalSection = {.title = "a normal distribution",
                                        .heading = "parameters: normal",
                                        .size = sizeof(hwStudyPair),
                                        HW_KEYS(normalKeys)};
static const hwKey lognormalKeys[] = {
    PAIR_KEY("median", first, "half of the values are below", "1.2", HW_ABOVE(0)),
    PAIR_KEY("deviation", second, "standard deviation of the logarithm", "0.1", HW_ABOVE(0))};
static const hwSection lognormalSection = {.title = "a lognormal distribution",
                                           .heading = "parameters: lognormal",
                                           .size = sizeof(hwStudyPair),
                                           HW_KEYS(lognormalKeys)};
static const hwKey weibullKeys[] = {
    PAIR_KEY("scale", first, "63 % of the values are below", "2", HW_ABOVE(0)),
    PAIR_KEY("shape", second, "exponent", "1.5", HW_ABOVE(0))};
static const hwSection weibullSection = {.title = "a Weibull distribution",
                                         .heading = "parameters: weibull",
                                         .size = sizeof(hwStudyPair),
                                         HW_KEYS(weibullKeys)};
static bool CheckTriangle(hwReader* reader, const hwYaml* node, void* item) {
    const hwStudyPair* pair = item;
    if (pair->first <= pair->second && pair->second <= pair->third && pair->third > pair->first) return true;
    return hwReader_Fail(reader, node, "`low`, `mode` and `high` must rise, not %g, %g, %g", pair->first,
                         pair->second, pair->third);
}
static const hwKey triangleKeys[] = {PAIR_KEY("low", first, "least value", "0.8", {0}),
                                     PAIR_KEY("mode", second, "most frequent value", "1", {0}),
                                     PAIR_KEY("high", third, "greatest value", "1.3", {0})};
static const hwSection triangleSection = {.title = "a triangular distribution",
                                          .heading = "parameters: triangular",
                                          .size = sizeof(hwStudyPair),
                                          HW_KEYS(triangleKeys),
                                          .check = CheckTriangle};

#define DISTRIBUTION(word, member, table, sample, about)                                                     \
    {                                                                                                        \
        .name = word, .type = HW_KEY_SECTION, .offset = offsetof(hwStudyParameter, member),                  \
        .section = &table, .group = 1, .flags = HW_KEY_ONE_NEEDED, .example = sample, .doc = about           \
    }
static const hwKey parameterKeys[] = {
    {.name = "path",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwStudyParameter, path),
     .flags = HW_KEY_REQUIRED,
     .example = "bodies.load.mass",
     .doc = "key of the scene, as for `--set`"},
    {.name = "values",
     .type = HW_KEY_SPECIAL,
     .read = ReadValues,
     .form = "list of values",
     .offset = offsetof(hwStudyParameter, values),
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED,
     .example = "[1, 2, 3]",
     .bad = "{a: 1}",
     .doc = "one by one; each may be a list or a mapping"},
    DISTRIBUTION("range", range, rangeSection, "{from: 6, to: 12, count: 4}", "at equal distances"),
    DISTRIBUTION("uniform", uniform, uniformSection, "{low: 0.9, high: 1.1}", "sampled"),
    DISTRIBUTION("normal", normal, normalSection, "{mean: 5000, deviation: 200}", "sampled"),
    DISTRIBUTION("lognormal", lognormal, lognormalSection, "{median: 1.2, deviation: 0.1}", "sampled"),
    DISTRIBUTION("weibull", weibull, weibullSection, "{scale: 2, shape: 1.5}", "sampled"),
    DISTRIBUTION("triangular", triangle, triangleSection, "{low: 0.8, mode: 1, high: 1.3}", "sampled"),
    {.name = "with",
     .type = HW_KEY_SPECIAL,
     .read = ReadLinks,
     .form = "mapping from paths to lists of values",
     .offset = offsetof(hwStudyParameter, with),
     .fallback = "(none)",
     .example = "{bodies.load.volume: [0.1, 0.2, 0.3]}",
     .bad = "[1]",
     .doc = "other keys that change along: of each as many values as the parameter has"},
};
static const hwSection parameterSection = {
    .title = "a parameter",
    .heading = "parameters",
    .size = sizeof(hwStudyParameter),
    HW_KEYS(parameterKeys),
    .check = CheckParameter,
    .doc = "Values that are listed are combined with all others, the last parameter changing fastest. "
           "Sampled ones are "
           "drawn together, `samples` times for each combination of the others."};

static const hwKey seedsKeys[] = {
    {.name = "path",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwStudySeeds, path),
     .fallback = "environment.waves.jonswap.seed",
     .example = "environment.waves.jonswap.seed",
     .doc = "key of the scene that takes a seed"},
    {.name = "count",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwStudySeeds, count),
     .flags = HW_KEY_REQUIRED,
     .range = HW_RANGE(1, 1000000),
     .example = "10",
     .doc = "how many"},
    {.name = "first",
     .type = HW_KEY_SEED,
     .offset = offsetof(hwStudySeeds, first),
     .fallback = "1",
     .example = "1",
     .doc = "the others follow"},
};
static const hwSection seedsSection = {
    .title = "the seeds",
    .heading = "seeds",
    .size = sizeof(hwStudySeeds),
    HW_KEYS(seedsKeys),
    .doc = "Each combination is run with each seed: other hours of the same sea."};

static bool CheckExceedance(hwReader* reader, const hwYaml* node, void* item) {
    (void)reader;
    hwStudyExceedance* e = item;
    if (hwYaml_Find(node, "above") == NULL) e->above = (double)NAN;
    if (hwYaml_Find(node, "below") == NULL) e->below = (double)NAN;
    return true;
}

static const hwKey exceedanceKeys[] = {
    {.name = "of",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwStudyExceedance, of),
     .flags = HW_KEY_REQUIRED,
     .example = "wire.a.tension",
     .doc = "a channel"},
    {.name = "above",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwStudyExceedance, above),
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED,
     .fallback = "(none)",
     .example = "6e4",
     .doc = "what counts is above this value"},
    {.name = "below",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwStudyExceedance, below),
     .group = 1,
     .flags = HW_KEY_ONE_NEEDED,
     .fallback = "(none)",
     .example = "0",
     .doc = "what counts is below this value"},
    {.name = "name",
     .type = HW_KEY_NAME,
     .offset = offsetof(hwStudyExceedance, name),
     .fallback = "(`of` and `.exceedance`)",
     .example = "overload",
     .doc = "of its columns"},
};
static const hwSection exceedanceSection = {.title = "an exceedance",
                                            .heading = "keep: exceedance",
                                            .size = sizeof(hwStudyExceedance),
                                            HW_KEYS(exceedanceKeys),
                                            .check = CheckExceedance,
                                            .doc = "How often and how long a channel is beyond a value: the "
                                                   "columns `NAME.events` (times it went there), "
                                                   "`NAME.share` (of the time) and `NAME.longest` (s without "
                                                   "a break), from the rows joined by straight lines. "
                                                   "They can have limits, and so count in operability."};

static const hwKey keepKeys[] = {
    {.name = "statistics",
     .type = HW_KEY_SPECIAL,
     .read = ReadTexts,
     .form = "list of channel names",
     .offset = offsetof(hwStudyKeep, statistics),
     .fallback = "(none)",
     .example = "[wire.a.tension]",
     .bad = "{a: 1}",
     .doc =
         "channels, `*` standing for any characters: mean, deviation, least, greatest, zero-crossing period, "
         "significant and most probable maximum become columns"},
    {.name = "exceedance",
     .type = HW_KEY_ONE_OR_LIST,
     .offset = offsetof(hwStudyKeep, exceedance),
     .section = &exceedanceSection,
     .fallback = "(none)",
     .example = "[{of: wire.a.tension, above: 6e4}]",
     .doc = "how often and how long channels are beyond a value"},
    {.name = "channels",
     .type = HW_KEY_SPECIAL,
     .read = ReadTexts,
     .form = "list of channel names",
     .offset = offsetof(hwStudyKeep, channels),
     .fallback = "(none)",
     .example = "[wire.*.tension]",
     .bad = "{a: 1}",
     .doc = "channels whose rows are kept, in `runs/NUMBER.h5`"},
    {.name = "from",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwStudyKeep, from),
     .unit = "s",
     .range = HW_FROM(0),
     .fallback = "0",
     .example = "30",
     .doc = "after the start: what was before does not count in statistics and limits"},
};
static const hwSection keepSection = {
    .title = "what to keep", .heading = "keep", .size = sizeof(hwStudyKeep), HW_KEYS(keepKeys)};

static const hwKey limitKeys[] = {
    {.name = "of",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwStudyLimit, of),
     .flags = HW_KEY_REQUIRED,
     .example = "wire.a.tension.max",
     .doc = "a column of the table"},
    {.name = "max",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwStudyLimit, max),
     .flags = HW_KEY_CHECKED,
     .fallback = "(none)",
     .example = "6e4",
     .doc = "most that is allowed"},
    {.name = "min",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwStudyLimit, min),
     .flags = HW_KEY_CHECKED,
     .fallback = "(none)",
     .example = "0",
     .doc = "least that is allowed"},
};
static const hwSection limitSection = {.title = "a limit",
                                       .heading = "limits",
                                       .size = sizeof(hwStudyLimit),
                                       HW_KEYS(limitKeys),
                                       .check = hwCheckLimit,
                                       .doc = "The column `ok` is 1 where all of them hold."};

static const hwKey extremeKeys[] = {
    {.name = "of",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwStudyExtreme, of),
     .flags = HW_KEY_REQUIRED,
     .example = "wire.a.tension.max",
     .doc = "a column of the table"},
    {.name = "fit",
     .type = HW_KEY_CHOICE,
     .offset = offsetof(hwStudyExtreme, fit),
     .choices = HW_CHOICES({"gumbel", HW_EXTREME_GUMBEL}, {"weibull", HW_EXTREME_WEIBULL},
                           {"peaks", HW_EXTREME_PARETO}),
     .fallback = "gumbel",
     .example = "gumbel",
     .doc = "distribution; `peaks`: generalised Pareto of the values over `location`, of which the others "
            "only tell how often it is exceeded"},
    {.name = "probability",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwStudyExtreme, probability),
     .range = {0, 1, true, true, false},
     .fallback = "0.9",
     .example = "0.9",
     .doc = "with which the value is not exceeded"},
    {.name = "confidence",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwStudyExtreme, confidence),
     .range = {0, 1, true, true, false},
     .fallback = "0.9",
     .example = "0.9",
     .doc = "of its bounds"},
    {.name = "repeats",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwStudyExtreme, repeats),
     .range = HW_ABOVE(0),
     .fallback = "1",
     .example = "18",
     .doc = "in so many runs, one after the other"},
    {.name = "location",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwStudyExtreme, location),
     .fallback = "0",
     .example = "3e4",
     .doc = "where a Weibull distribution begins, or the threshold of peaks"},
};
static const hwSection extremeSection = {.title = "an extreme",
                                         .heading = "extremes",
                                         .size = sizeof(hwStudyExtreme),
                                         HW_KEYS(extremeKeys),
                                         .doc = "A distribution fitted to a column over all seeds and "
                                                "samples, for each combination of the other parameters."};

static const hwKey operabilityKeys[] = {
    {.name = "hs",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwStudyOperability, hs),
     .fallback = "environment.waves.jonswap.hs",
     .example = "environment.waves.jonswap.hs",
     .doc = "parameter with the significant wave height"},
    {.name = "tp",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwStudyOperability, tp),
     .fallback = "environment.waves.jonswap.tp",
     .example = "environment.waves.jonswap.tp",
     .doc = "parameter with the peak period"},
    {.name = "heading",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwStudyOperability, heading),
     .fallback = "(none)",
     .example = "environment.waves.jonswap.direction_deg",
     .doc = "parameter with the direction of the waves"},
    {.name = "probability",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwStudyOperability, probability),
     .range = {0, 1, true, true, false},
     .fallback = "0.9",
     .example = "0.9",
     .doc = "with which each limit must hold in a run"},
    {.name = "confidence",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwStudyOperability, confidence),
     .range = {0, 1, true, true, false},
     .fallback = "0.9",
     .example = "0.9",
     .doc = "of the bounds of the allowed height"},
    {.name = "scatter",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwStudyOperability, scatter),
     .fallback = "(none)",
     .example = "scatter.csv",
     .doc = "CSV with a row for each class of sea states, `hs,tp,occurrence`: how much of the time can be "
            "worked in"},
    {.name = "series",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwStudyOperability, series),
     .fallback = "(none)",
     .example = "hindcast.csv",
     .doc = "CSV with a row for each sea state of a hindcast, `time,hs,tp` with hours that increase: weather "
            "windows and "
            "how long one waits for them"},
    {.name = "window",
     .type = HW_KEY_NUMBER,
     .offset = offsetof(hwStudyOperability, window),
     .unit = "h",
     .range = HW_ABOVE(0),
     .fallback = "12",
     .needs = "series",
     .example = "12",
     .doc = "that the work takes without a break"},
};
static const hwSection operabilitySection = {
    .title = "the operability",
    .heading = "operability",
    .size = sizeof(hwStudyOperability),
    HW_KEYS(operabilityKeys),
    .doc = "The largest significant wave height at which all limits hold, for each period and direction."};

static const hwKey studyKeys[] = {
    {.name = "hawser_study",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwStudyFile, version),
     .flags = HW_KEY_REQUIRED,
     .range = HW_RANGE(1, 1),
     .example = "1",
     .doc = "version of this format"},
    {.name = "name",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwStudyFile, name),
     .fallback = "(the file's name)",
     .example = "lift in the North Sea",
     .doc = "what it is called"},
    {.name = "scene",
     .type = HW_KEY_FILE,
     .offset = offsetof(hwStudyFile, scene),
     .flags = HW_KEY_REQUIRED,
     .example = "scene.yaml",
     .doc = "the scene, beside the study"},
    {.name = "set",
     .type = HW_KEY_SPECIAL,
     .read = hwReadSettings,
     .form = "mapping from paths to values",
     .offset = offsetof(hwStudyFile, set),
     .fallback = "(none)",
     .example = "{duration: 180}",
     .bad = "[1]",
     .doc = "in all runs, over what the scene says"},
    {.name = "parameters",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwStudyFile, parameters),
     .section = &parameterSection,
     .fallback = "(none)",
     .example = "[{path: bodies.load.mass, values: [1, 2]}]",
     .doc = "what changes"},
    {.name = "seeds",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwStudyFile, seeds),
     .section = &seedsSection,
     .example = "{count: 10}",
     .doc = "of the waves"},
    {.name = "samples",
     .type = HW_KEY_INTEGER,
     .offset = offsetof(hwStudyFile, samples),
     .range = HW_RANGE(1, 1000000),
     .fallback = "1",
     .example = "100",
     .doc = "of the parameters with a distribution"},
    {.name = "design",
     .type = HW_KEY_CHOICE,
     .offset = offsetof(hwStudyFile, design),
     .choices = HW_CHOICES({"latin_hypercube", HW_DESIGN_LATIN}, {"sobol", HW_DESIGN_SOBOL},
                           {"random", HW_DESIGN_RANDOM}),
     .fallback = "latin_hypercube",
     .example = "sobol",
     .doc = "how they are drawn"},
    {.name = "seed",
     .type = HW_KEY_SEED,
     .offset = offsetof(hwStudyFile, seed),
     .fallback = "1",
     .example = "1",
     .doc = "of what is drawn"},
    {.name = "keep",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwStudyFile, keep),
     .section = &keepSection,
     .flags = HW_KEY_ALWAYS,
     .example = "{statistics: [wire.a.tension]}",
     .doc = "of each run"},
    {.name = "limits",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwStudyFile, limits),
     .section = &limitSection,
     .fallback = "(none)",
     .example = "[{of: slack, max: 0}]",
     .doc = "what must hold"},
    {.name = "extremes",
     .type = HW_KEY_LIST,
     .offset = offsetof(hwStudyFile, extremes),
     .section = &extremeSection,
     .fallback = "(none)",
     .example = "[{of: wire.a.tension.max}]",
     .doc = "fits over the seeds"},
    {.name = "operability",
     .type = HW_KEY_SECTION,
     .offset = offsetof(hwStudyFile, operability),
     .section = &operabilitySection,
     .example = "{probability: 0.9}",
     .doc = "allowed wave heights"},
    {.name = "sensitivity",
     .type = HW_KEY_TEXT,
     .offset = offsetof(hwStudyFile, sensitivity),
     .fallback = "(none)",
     .example = "wire.a.tension.max",
     .doc = "a column: how far each parameter moves its mean, largest first"},
};
const hwSection hwSection_study = {
    .title = "a study", .heading = "The study", .size = sizeof(hwStudyFile), HW_KEYS(studyKeys)};
