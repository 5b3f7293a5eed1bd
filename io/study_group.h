// What a study makes of its table: fits, allowed wave heights, sensitivities.
#ifndef HW_IO_STUDY_GROUP_H
#define HW_IO_STUDY_GROUP_H

#include "study_file.h"

// A combination of the parameters on some axes, and its runs.
typedef struct hwStudyGroup {
    int64_t first;  // a run of it: its values on the axes that make the group
    int count;      // of values
    int failed;     // runs
    double* values; // of one column
} hwStudyGroup;

// Groups runs by the axes for which `keep` is true, in the order of their first run. Null: no memory. hwStudy_FreeGroups frees.
hwStudyGroup* hwStudy_MakeGroups(const hwStudy* study, const hwStudyRow* rows, const bool* keep, int column,
                                 int* count);
void hwStudy_FreeGroups(hwStudyGroup* groups, int count);

// The axes that make combinations: those of listed values. The caller frees; null: no memory.
bool* hwStudy_FindGrid(const hwStudy* study);

// What a fit to a column says of the value asked for.
typedef struct hwStudyFound {
    hwExtremeFit fit;
    int above; // values that it is fitted to: for peaks those over the threshold
    double value, low, high;
    hwError reason; // why there is none
} hwStudyFound;

// Fits `count` values, which may change their order.
hwStudyFound hwStudy_FindExtreme(const hwStudyExtreme* x, int count, double* values);

// The value that a column stays below with a probability, and its bounds. Counts (`asTheyAre`) and less than five values are taken
// as they are, without bounds: low and high are the value.
typedef struct hwStudyQuantile {
    double value, low, high;
    bool fitted; // bounds are known
} hwStudyQuantile;
hwStudyQuantile hwStudy_FindQuantile(const hwStudyGroup* group, bool asTheyAre, double sign,
                                     double probability, double confidence);

// The allowed wave height of one period, direction and combination of the other parameters.
typedef struct hwStudyAllowed {
    int64_t run; // its values of the other parameters
    double tp, heading;
    double hs, low, high; // m; bounds are NaN where a limit decides that has none
    int end;              // -1: not even the lowest was allowed; 1: the highest was; 0: between
    const char* limit;    // that decides, null when none does
    bool bounded;         // that limit has bounds
} hwStudyAllowed;

hwStudyAllowed* hwStudy_FindAllowed(const hwStudy* study, const hwStudyRow* rows, int* count);

// How far a parameter moves the mean of a column.
typedef struct hwStudySwing {
    int axis;
    double low, high;       // means at its least and greatest value
    double least, greatest; // that value; NaN: no numbers
} hwStudySwing;

hwStudySwing* hwStudy_FindSwings(const hwStudy* study, const hwStudyRow* rows, int* count);

// Writes the page.
hwStatus hwStudy_WritePage(const hwStudy* study, const hwStudyRow* rows, const char* folder, hwError* error);
// Share of the time of a scatter table in which the allowed heights are not exceeded; NaN and an error when the file is bad.
double hwStudy_FindWorkable(const hwStudy* study, const hwStudyAllowed* allowed, int count, double heading,
                            double* beyond, hwError* error);

// Weather windows of a time series of sea states.
typedef struct hwStudyWindows {
    double workable; // share of the time in which the allowed heights are not exceeded
    double usable;   // share in windows that are long enough
    int windows;     // long enough
    double longest;  // h, of all
    double
        wait; // h, from any moment until a window begins, or goes on, that lasts long enough; NaN: there is none
    double
        beyond; // share of the time with periods that the study does not have between its own: the nearest one's height counts
} hwStudyWindows;

// Joins workable intervals [from, to), in order and without gaps within a window, by their lengths: see hwStudyWindows.
hwStudyWindows hwFindWindows(int64_t count, const double* from, const double* to, const bool* workable,
                             double needed);
// The same for the study's series; false and an error when the file is bad.
bool hwStudy_FindWindows(const hwStudy* study, const hwStudyAllowed* allowed, int count, double heading,
                         hwStudyWindows* out, hwError* error);
// Reads the scatter table and the series once, so that their mistakes are told before the runs; false and an error at the study's place.
bool hwStudy_CheckWeather(const hwStudy* study, hwError* error);

#endif
