// A fit file as it was read, shared by the files fit_*.c.
#ifndef HW_IO_FIT_FILE_H
#define HW_IO_FIT_FILE_H

#include "hawser/fit.h"
#include "study_file.h"

typedef struct hwFitParameter {
    hwPlace place;
    const char* path;
    double start, low, high, step; // NaN: not given
} hwFitParameter;

// A measured column.
typedef struct hwFitMeasured {
    hwPlace place;
    const char *file, *column, *time, *channel;
    double deviation; // NaN: not given
    double from, to, shift, scale;
    int count; // rows that count
    const double *times, *values;
} hwFitMeasured;

typedef struct hwFitFile {
    hwPlace place;
    int version;
    const char *name, *scene;
    hwTexts set; // path=value each
    hwItems parameters, measured;
    int iterations;
    double confidence;
} hwFitFile;

extern const hwSection hwSection_fit;

struct hwFit {
    hwStore store;
    hwFitFile file;
    int parameterCount, pointCount;
    double *start, *scale; // [parameter] the scale is what steps and damping are measured by
    int* channels;         // [measured]
    const char** units;    // [measured] of the channels
    int timeCount;
    double* times;         // [time] of all columns, rising
    int* rows;             // [point] which of the times
    double* data;          // [point] measured
    double* deviations;    // [point]
    double end;            // s, last time
    double *best, *fitted; // [parameter], [point] what was found
    double* covariance;    // [parameter][parameter]
    hwFitSummary summary;
};

hwStatus hwFit_WritePage(const hwFit* fit, const char* folder, hwError* error);
static inline const hwFitParameter* hwFit_Parameter(const hwFit* fit, int i) {
    return (const hwFitParameter*)fit->file.parameters.items + i;
}
static inline const hwFitMeasured* hwFit_Measured(const hwFit* fit, int i) {
    return (const hwFitMeasured*)fit->file.measured.items + i;
}

#endif
