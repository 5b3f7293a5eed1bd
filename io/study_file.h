// A study file as it was read, shared by the files study_*.c.
#ifndef HW_IO_STUDY_FILE_H
#define HW_IO_STUDY_FILE_H

#include "hawser/statistics.h"
#include "hawser/scene.h"
#include "hawser/study.h"
#include "schema.h"

// A list of texts, as written.
typedef struct hwTexts {
    int count;
    const char* const* texts;
    int line, column;
} hwTexts;

typedef struct hwStudyPair {
    hwPlace place;
    double first, second, third;
} hwStudyPair;

// A key that changes along with a parameter: a text for each of its values.
typedef struct hwStudyLink {
    const char* path;
    hwTexts values;
} hwStudyLink;

typedef struct hwStudyLinks {
    int count;
    const hwStudyLink* list;
} hwStudyLinks;

// How a parameter gets its values.
typedef struct hwStudyParameter {
    hwPlace place;
    const char* path;
    hwTexts values;                                            // given one by one
    hwStudyPair range;                                         // from, to, count
    hwStudyPair uniform, normal, lognormal, weibull, triangle; // sampled
    hwStudyLinks with;
} hwStudyParameter;

typedef struct hwStudySeeds {
    hwPlace place;
    const char* path;
    int count;
    uint64_t first;
} hwStudySeeds;

// How long and how often a channel is beyond a value.
typedef struct hwStudyExceedance {
    hwPlace place;
    const char *of, *name; // name of its columns; null: after the channel
    double above, below;   // NaN: not given
} hwStudyExceedance;

typedef struct hwStudyKeep {
    hwPlace place;
    hwTexts statistics, channels;
    hwItems exceedance; // hwStudyExceedance
    double from;
} hwStudyKeep;

typedef hwLimitKeys hwStudyLimit;

typedef struct hwStudyExtreme {
    hwPlace place;
    const char* of;
    int fit; // hwExtremeKind
    double probability, confidence, repeats, location;
} hwStudyExtreme;

typedef struct hwStudyOperability {
    hwPlace place;
    const char *hs, *tp, *heading;
    double probability, confidence;
    const char *scatter, *series; // files, or null
    double window;                // h
} hwStudyOperability;

typedef struct hwStudyFile {
    hwPlace place;
    int version;
    const char *name, *scene;
    hwTexts set; // path=value each
    hwItems parameters;
    hwStudySeeds seeds;
    int samples, design;
    uint64_t seed;
    hwStudyKeep keep;
    hwItems limits, extremes;
    hwStudyOperability operability;
    const char* sensitivity; // a column, or null
} hwStudyFile;

enum { HW_DESIGN_LATIN, HW_DESIGN_SOBOL, HW_DESIGN_RANDOM };

extern const hwSection hwSection_study;

// A mapping from paths to values becomes a hwTexts of `path=value` each.
bool hwReadSettings(hwReader* reader, const hwKey* key, const hwYaml* node, void* field);

// A parameter with all its texts: of the grid its values, sampled one for each sample.
typedef struct hwStudyAxis {
    hwPlace place; // in the study's file
    const char* path;
    bool sampled;
    int count;
    char** texts;
    double* numbers;   // NaN where the text is none
    hwStudyLinks with; // of as many values each
} hwStudyAxis;

// What one of its values sets: first the parameter itself, then what goes `with` it. False: no more.
bool hwStudyAxis_GetSetting(const hwStudyAxis* axis, int index, int number, const char** path,
                            const char** text);

struct hwStudy {
    hwStore store;
    hwStudyFile file;
    const char *path, *folder;
    int axisCount; // grid, then sampled, then the seeds
    hwStudyAxis* axes;
    int64_t runCount, samples;
    const char* inputs; // see hwStudy_GetInputs
    uint64_t hash;      // of them
    int channelCount;   // whose statistics are kept
    int seriesCount;    // with those whose exceedance is, one for each
    const char** channels;
    int cableCount;
    const char** cables;
    int columnCount;
    hwChannelInfo* columns;
};

// Columns of each kind, in their order.
enum {
    HW_STUDY_STEPS,
    HW_STUDY_ENERGY,
    HW_STUDY_METHOD,
    HW_STUDY_SLACK,
    HW_STUDY_TAUT,
    HW_STUDY_PARTED,
    HW_STUDY_FIRST_CABLE,
};
enum { HW_STUDY_CABLE_TENSION, HW_STUDY_CABLE_BEND, HW_STUDY_CABLE_DAMAGE, HW_STUDY_CABLE_COLUMNS };
enum {
    HW_STUDY_MEAN,
    HW_STUDY_DEVIATION,
    HW_STUDY_MIN,
    HW_STUDY_MAX,
    HW_STUDY_PERIOD,
    HW_STUDY_SIGNIFICANT,
    HW_STUDY_PROBABLE,
    HW_STUDY_CHANNEL_COLUMNS
};
enum { HW_STUDY_EVENTS, HW_STUDY_SHARE, HW_STUDY_LONGEST, HW_STUDY_EXCEEDANCE_COLUMNS };

// What the rows depend on, as text and its hash (study_inputs.c).
bool hwStudy_FillInputs(hwStudy* study, const hwScene* scene, hwError* error);
// Index of a value on an axis in a run.
int hwStudy_GetIndex(const hwStudy* study, int64_t run, int axis);
// Column by name, -1: none.
int hwStudy_FindColumn(const hwStudy* study, const char* name);
int hwStudy_FindAxis(const hwStudy* study, const char* path);
// Whether all limits hold for the values of a run; 0: of which limit more than allowed was used, *most the share.
bool hwStudy_HoldsLimits(const hwStudy* study, const double* values);

// Sample `index` of dimension `dimension`, in (0, 1): Sobol's sequence with Gray code and Joe & Kuo's directions, 21 dimensions.
double hwSobol_Get(int dimension, uint32_t index);
#define HW_SOBOL_DIMENSIONS 21
// A permutation of 0...count-1 and numbers in (0, 1), the same everywhere.
uint64_t hwStudy_Random(uint64_t* state);

#endif
