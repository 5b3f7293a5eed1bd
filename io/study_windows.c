// Weather windows: how much of a site's time the allowed wave heights leave, by a scatter table or by a series in time.
#include "csv_number.h"
#include "named_file.h"
#include "scene_store.h"
#include "study_group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Allowed height at a period between those of the study; the lowest where several combinations have it.
static double InterpolateAllowed(const hwStudyAllowed* allowed, int count, double heading, double tp) {
    const hwStudyAllowed *below = NULL, *above = NULL;
    for (int i = 0; i < count; ++i) {
        const hwStudyAllowed* a = &allowed[i];
        if (!isnan(heading) && a->heading != heading) continue;
        if (a->tp <= tp && (!below || a->tp > below->tp || (a->tp == below->tp && a->hs < below->hs)))
            below = a;
        if (a->tp >= tp && (!above || a->tp < above->tp || (a->tp == above->tp && a->hs < above->hs)))
            above = a;
    }
    if (below == NULL && above == NULL) return 0.0;
    if (below == NULL || above == NULL) return below != NULL ? below->hs : above->hs;
    double share = above->tp > below->tp ? (tp - below->tp) / (above->tp - below->tp) : 0.0;
    return below->hs + share * (above->hs - below->hs);
}

// Rows of three numbers; the first line may hold names. `take` says what is wrong with a row, null: nothing.
typedef const char* TakeRow(const double numbers[3], void* context);

static bool ReadRows(const char* path, TakeRow* take, void* context, hwError* error) {
    hwStore store;
    hwStore_Init(&store, NULL);
    hwFileText file;
    bool good = hwReadFile(&store, path, &file, error);
    int line = 0;
    for (const char* at = good ? file.text : NULL; good && at < file.text + file.size; ++line) {
        const char* end = memchr(at, '\n', (size_t)(file.text + file.size - at));
        if (end == NULL) end = file.text + file.size;
        double numbers[3];
        int found = 0;
        for (const char* field = at; found < 3 && field <= end;) {
            const char* comma = memchr(field, ',', (size_t)(end - field));
            const char* stop = comma != NULL ? comma : end;
            if (stop > field && stop[-1] == '\r') stop -= 1;
            if (!hwParseNumber(field, stop, &numbers[found])) break;
            found += 1;
            field = comma != NULL ? comma + 1 : end + 1;
        }
        bool empty = end == at || (end == at + 1 && *at == '\r');
        const double none[3] = {(double)NAN, (double)NAN, (double)NAN};
        const char* wrong =
            empty || (line == 0 && found < 3) ? NULL : take(found == 3 ? numbers : none, context);
        if (wrong != NULL) {
            hwSceneFail(error, HW_ERROR_FORMAT, line + 1, 1, "%s", wrong);
            good = false;
        }
        at = end + 1;
    }
    hwStore_Free(&store);
    return good;
}

typedef struct Reading {
    const hwStudyAllowed* allowed;
    int allowedCount;
    double heading;
    double least, greatest;       // s, periods of the study
    double sum, workable, beyond; // occurrences or hours: all, workable, with other periods
    int64_t count, capacity;
    double* times; // of a series
    bool* calm;    // the allowed height is not exceeded
    bool* away;    // the period is none of the study's
} Reading;

static Reading BeginReading(const hwStudyAllowed* allowed, int count, double heading) {
    Reading reading = {.allowed = allowed,
                       .allowedCount = count,
                       .heading = heading,
                       .least = HUGE_VAL,
                       .greatest = -HUGE_VAL};
    for (int i = 0; i < count; ++i) {
        reading.least = fmin(reading.least, allowed[i].tp);
        reading.greatest = fmax(reading.greatest, allowed[i].tp);
    }
    return reading;
}

static bool IsAllowed(const Reading* reading, double hs, double tp) {
    return hs <= InterpolateAllowed(reading->allowed, reading->allowedCount, reading->heading, tp);
}

static bool IsBeyond(const Reading* reading, double tp) {
    return tp < reading->least || tp > reading->greatest;
}

static const char* TakeClass(const double numbers[3], void* context) {
    Reading* reading = context;
    if (!(numbers[0] >= 0.0 && numbers[1] > 0.0 && numbers[2] >= 0.0))
        return "a row of the scatter table is three numbers that are not negative: hs,tp,occurrence";
    reading->sum += numbers[2];
    if (IsAllowed(reading, numbers[0], numbers[1])) reading->workable += numbers[2];
    if (IsBeyond(reading, numbers[1])) reading->beyond += numbers[2];
    return NULL;
}

double hwStudy_FindWorkable(const hwStudy* study, const hwStudyAllowed* allowed, int count, double heading,
                            double* beyond, hwError* error) {
    Reading reading = BeginReading(allowed, count, heading);
    if (!ReadRows(study->file.operability.scatter, TakeClass, &reading, error)) return (double)NAN;
    *beyond = reading.beyond / reading.sum;
    if (reading.sum > 0.0) return reading.workable / reading.sum;
    hwSceneFail(error, HW_ERROR_FORMAT, 1, 1, "the scatter table has no occurrences");
    return (double)NAN;
}

static const char* TakeState(const double numbers[3], void* context) {
    Reading* reading = context;
    bool later = reading->count == 0 || numbers[0] > reading->times[reading->count - 1];
    if (!(isfinite(numbers[0]) && later && numbers[1] >= 0.0 && numbers[2] > 0.0))
        return "a row of the series is a time in hours after the one before, and two numbers that are not "
               "negative: time,hs,tp";
    if (reading->count == reading->capacity) {
        int64_t capacity = reading->capacity ? 2 * reading->capacity : 4096;
        double* times = realloc(reading->times, (size_t)capacity * sizeof(double));
        if (times != NULL) reading->times = times;
        bool* calm = realloc(reading->calm, (size_t)capacity * sizeof(bool));
        if (calm != NULL) reading->calm = calm;
        bool* away = realloc(reading->away, (size_t)capacity * sizeof(bool));
        if (away != NULL) reading->away = away;
        if (times == NULL || calm == NULL || away == NULL) return "there is not enough memory for the series";
        reading->capacity = capacity;
    }
    reading->times[reading->count] = numbers[0];
    reading->away[reading->count] = IsBeyond(reading, numbers[2]);
    reading->calm[reading->count++] = IsAllowed(reading, numbers[1], numbers[2]);
    return NULL;
}

// Work may begin in a window from a to b at any time up to b - needed. From a moment between the last such time p of the
// window before and a one waits until a: on average over all moments, the sum of (a - p)^2 / 2 over the time up to the last
// chance.
hwStudyWindows hwFindWindows(int64_t count, const double* from, const double* to, const bool* workable,
                             double needed) {
    hwStudyWindows out = {.wait = (double)NAN};
    if (count == 0) return out;
    double total = to[count - 1] - from[0], chance = from[0], waited = 0.0;
    for (int64_t i = 0; i < count;) {
        int64_t next = i;
        while (next < count && workable[next]) ++next;
        if (next == i) {
            ++i;
            continue;
        }
        double a = from[i], b = to[next - 1], length = b - a;
        out.workable += length / total;
        out.longest = fmax(out.longest, length);
        // rounding of sums of hours
        if (length >= needed * (1.0 - 1e-12)) {
            out.windows += 1;
            out.usable += length / total;
            waited += 0.5 * (a - chance) * (a - chance);
            chance = fmax(a, b - needed);
        }
        i = next;
    }
    if (out.windows > 0) out.wait = chance > from[0] ? waited / (chance - from[0]) : 0.0;
    return out;
}

bool hwStudy_FindWindows(const hwStudy* study, const hwStudyAllowed* allowed, int count, double heading,
                         hwStudyWindows* out, hwError* error) {
    Reading reading = BeginReading(allowed, count, heading);
    bool good = ReadRows(study->file.operability.series, TakeState, &reading, error);
    if (good && reading.count < 2) {
        hwSceneFail(error, HW_ERROR_FORMAT, 1, 1, "the series has fewer than two rows");
        good = false;
    }
    double* ends = good ? malloc((size_t)reading.count * sizeof(double)) : NULL;
    if (good && ends == NULL) {
        hwSceneFail_Memory(error);
        good = false;
    }
    if (good) {
        // each state lasts until the next; the last as long as the one before
        int64_t last = reading.count - 1;
        for (int64_t i = 0; i < last; ++i) ends[i] = reading.times[i + 1];
        ends[last] = 2.0 * reading.times[last] - reading.times[last - 1];
        *out =
            hwFindWindows(reading.count, reading.times, ends, reading.calm, study->file.operability.window);
        for (int64_t i = 0; i < reading.count; ++i)
            if (reading.away[i])
                out->beyond += (ends[i] - reading.times[i]) / (ends[last] - reading.times[0]);
    }
    free(ends);
    free(reading.times);
    free(reading.calm);
    free(reading.away);
    return good;
}

// The mistake of a file, in words that name it.
static bool FailWeather(const hwStudy* study, const char* path, hwError* error) {
    char quoted[120], message[200];
    snprintf(message, sizeof(message), "%.190s", error->message);
    const hwPlace* place = &study->file.operability.place;
    if (error->line > 0) {
        hwSceneFail(error, HW_ERROR_FORMAT, place->line, place->column, "`%s`, line %d: %s",
                    hwQuoteText(quoted, sizeof(quoted), path), error->line, message);
    } else {
        hwSceneFail(error, error->status, place->line, place->column, "%s", message);
    }
    return false;
}

bool hwStudy_CheckWeather(const hwStudy* study, hwError* error) {
    const hwStudyOperability* o = &study->file.operability;
    const hwStudyAllowed calm = {.hs = HUGE_VAL, .tp = 1.0};
    hwStudyWindows windows;
    if (o->place.line == 0) return true;
    if (o->scatter != NULL &&
        isnan(hwStudy_FindWorkable(study, &calm, 1, (double)NAN, &windows.beyond, error)))
        return FailWeather(study, o->scatter, error);
    if (o->series != NULL && !hwStudy_FindWindows(study, &calm, 1, (double)NAN, &windows, error))
        return FailWeather(study, o->series, error);
    return true;
}
