// What makes a report one to hand in: limits, spectra, tables of a study, pictures.
#include "csv_number.h"
#include "hawser/statistics.h"
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Rows from the first on that are at equal distances; the last one may not be.
static int64_t CountEqual(const double* times, int64_t rows) {
    if (rows < 3) return 0;
    double interval = times[1] - times[0];
    int64_t count = 1;
    while (count < rows && fabs(times[count] - times[0] - (double)count * interval) < 1e-6 * interval)
        ++count;
    return interval > 0 ? count : 0;
}

// A channel's rows at equal distances, freshly allocated; null: there is none of that name, or too few rows.
static double* LoadChannel(hwResults* results, const char* name, int64_t* count, double* interval) {
    int channel = -1, channels = results->channelCount;
    int64_t rows = results->rowCount;
    for (int i = 1; i < channels; ++i)
        if (strcmp(results->channels[i].name, name) == 0) channel = i;
    double *times = NULL, *values = NULL, *block = NULL;
    int blockRows = 65536 / channels + 1;
    hwError error;
    *count = 0;
    if (channel < 0 || rows < 3) return NULL;
    times = malloc((size_t)rows * sizeof(double));
    values = malloc((size_t)rows * sizeof(double));
    block = malloc((size_t)blockRows * (size_t)channels * sizeof(double));
    bool good = times && values && block;
    for (int64_t first = 0; good && first < rows; first += blockRows) {
        int64_t n = rows - first < blockRows ? rows - first : blockRows;
        good = hwResults_ReadRows(results, first, n, block, &error) == HW_OK;
        for (int64_t r = 0; good && r < n; ++r) {
            times[first + r] = block[r * channels];
            values[first + r] = block[r * channels + channel];
        }
    }
    *count = good ? CountEqual(times, rows) : 0;
    *interval = *count > 1 ? times[1] - times[0] : 0.0;
    free(times);
    free(block);
    if (*count < 3) {
        free(values);
        return NULL;
    }
    return values;
}

// How often and how long a limit was exceeded: events, share of the time, longest (s); null where that is not known.
static void PutExceedance(FILE* stream, double* values, int64_t count, double interval, double limit,
                          bool under) {
    hwExceedance found = {0};
    hwError error;
    for (int64_t k = 0; values && under && k < count; ++k) values[k] = -values[k];
    bool known =
        values && isfinite(limit) &&
        hwSeries_FindExceedance(count, values, interval, under ? -limit : limit, &found, &error) == HW_OK;
    const double numbers[3] = {(double)found.events, found.share, found.longest};
    for (int i = 0; i < 3; ++i) {
        fputc(',', stream);
        hwReport_PutNumber(stream, known ? numbers[i] : (double)NAN);
    }
}

// Limits, as hwRunInfo_AddLimit wrote them, and how often and how long the rows are beyond them:
// [of, unit, min, max, least, greatest, times above, share, longest, times below, share, longest].
static void PutLimits(FILE* stream, hwResults* results) {
    const char* text = results->info.limits;
    fputs(",\"limits\":[", stream);
    bool first = true;
    for (const char* line = text; *line;) {
        size_t length = strcspn(line, "\n");
        fputs(first ? "[" : ",[", stream);
        first = false;
        const char *at = line, *end = line + length;
        double bounds[2] = {(double)NAN, (double)NAN}, interval = 0.0;
        int64_t count = 0;
        double* values = NULL;
        for (int field = 0; field < 6; ++field) {
            const char* tab = at < end ? memchr(at, '\t', (size_t)(end - at)) : NULL;
            const char* stop = tab ? tab : end;
            char copy[512];
            snprintf(copy, sizeof(copy), "%.*s", (int)(stop - at), at);
            if (field > 0) fputc(',', stream);
            if (field < 2) {
                hwReport_PutString(stream, copy);
                if (field == 0) values = LoadChannel(results, copy, &count, &interval);
            } else {
                double value;
                bool given = *copy && hwParseNumber(copy, copy + strlen(copy), &value);
                hwReport_PutNumber(stream, given ? value : (double)NAN);
                if (given && field < 4) bounds[field - 2] = value;
            }
            at = tab ? tab + 1 : end;
        }
        PutExceedance(stream, values, count, interval, bounds[1], false);
        PutExceedance(stream, values, count, interval, bounds[0], true);
        free(values);
        fputc(']', stream);
        line += length + (line[length] == '\n');
    }
    fputc(']', stream);
}

// Spectra --------------------------------------------------------------------------------------------------------------

enum { MOST_SPECTRA = 16, LEAST_SEGMENT = 32, MOST_SEGMENT = 4096 };

// How much a channel is wanted as a spectrum: 0 not at all.
static int RankSpectrum(const hwResults* results, int channel) {
    const char* name = results->channels[channel].name;
    if (strchr(name, '[') || strncmp(name, "world.", 6) == 0) return 0;
    size_t length = strlen(name);
    for (const char* line = results->info.limits; *line;) {
        if (strncmp(line, name, length) == 0 && line[length] == '\t') return 4;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    if (strstr(name, "elevation")) return 3;
    if (length > 8 && strcmp(name + length - 8, ".tension") == 0) return 2;
    return strstr(name, ".position.") || strstr(name, ".attitude.") ? 1 : 0;
}

static int ChooseSpectra(const hwResults* results, int* chosen) {
    int count = 0;
    for (int rank = 4; rank > 0; --rank)
        for (int i = 1; i < results->channelCount && count < MOST_SPECTRA; ++i)
            if (RankSpectrum(results, i) == rank) chosen[count++] = i;
    return count;
}

// Both are components of one vector: their names differ after the last dot alone.
static bool IsSameVector(const char* a, const char* b) {
    const char* ends[2] = {strrchr(a, '.'), strrchr(b, '.')};
    return ends[0] && ends[1] && ends[0] - a == ends[1] - b && strncmp(a, b, (size_t)(ends[0] - a)) == 0;
}

// What a channel moves by where its vector is only rounded: 1e-12 of the vector's largest component.
static double FindRounding(const hwResults* results, int count, const int* chosen, int channel,
                           const double* values, int64_t rows) {
    double most = 0.0;
    for (int k = 0; k < count; ++k) {
        if (!IsSameVector(results->channels[chosen[k]].name, results->channels[channel].name)) continue;
        for (int64_t r = 0; r < rows; ++r)
            if (isfinite(values[k * rows + r])) most = fmax(most, fabs(values[k * rows + r]));
    }
    return 1e-12 * most;
}

static void PutSpectrum(FILE* stream, const char* name, const char* unit, int64_t count, const double* values,
                        double rounding, double interval, int segment, double* density, bool* any) {
    double low = values[0], high = values[0];
    for (int64_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) return;
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    // What stands still but for rounding has no spectrum worth a plot.
    if (!(high - low > fmax(rounding, 1e-6 * fmax(fabs(low), fabs(high))))) return;
    hwError error;
    if (hwSeries_FindSpectrum(count, values, interval, segment, density, &error) != HW_OK) return;
    int frequencies = HW_SPECTRUM_COUNT(segment), shown = 1;
    double step = 1 / (segment * interval), total = 0, sum = density[0];
    for (int k = 0; k < frequencies; ++k) total += density[k];
    // Beyond 99.9 % of the variance there is nothing to see.
    while (shown < frequencies && sum < 0.999 * total) sum += density[shown++];
    double m0 = hwSpectrum_GetMoment(frequencies, density, step, 0),
           m2 = hwSpectrum_GetMoment(frequencies, density, step, 2);
    fputs(*any ? ",\n[" : "\n[", stream);
    *any = true;
    hwReport_PutString(stream, name);
    fputc(',', stream);
    hwReport_PutString(stream, unit);
    const double numbers[] = {step, (double)(2 * count / segment - 1), sqrt(m0), sqrt(m0 / m2)};
    for (int k = 0; k < 4; ++k) {
        fputc(',', stream);
        hwReport_PutNumber(stream, numbers[k]);
    }
    fputs(",[", stream);
    for (int k = 0; k < shown; ++k) {
        if (k > 0) fputc(',', stream);
        fprintf(stream, "%.5g", density[k]);
    }
    fputs("]]", stream);
}

// Spectra of what engineers ask for first: [name, unit, Hz, segments, deviation, zero-crossing period, densities].
static hwStatus PutSpectra(FILE* stream, hwResults* results, hwError* error) {
    fputs(",\"spectra\":[", stream);
    int chosen[MOST_SPECTRA], count = ChooseSpectra(results, chosen), channels = results->channelCount;
    int64_t rows = results->rowCount;
    hwStatus status = HW_OK;
    if (count > 0 && rows >= 4 * LEAST_SEGMENT) {
        int blockRows = 65536 / channels + 1;
        double* times = malloc((size_t)rows * sizeof(double));
        double* values = malloc((size_t)rows * (size_t)count * sizeof(double));
        double* block = malloc((size_t)blockRows * (size_t)channels * sizeof(double));
        double* density = malloc(HW_SPECTRUM_COUNT(MOST_SEGMENT) * sizeof(double));
        if (!times || !values || !block || !density)
            status = hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for spectra.");
        for (int64_t first = 0; status == HW_OK && first < rows; first += blockRows) {
            int64_t n = rows - first < blockRows ? rows - first : blockRows;
            status = hwResults_ReadRows(results, first, n, block, error);
            for (int64_t r = 0; status == HW_OK && r < n; ++r) {
                times[first + r] = block[r * channels];
                for (int k = 0; k < count; ++k)
                    values[k * rows + first + r] = block[r * channels + chosen[k]];
            }
        }
        int64_t equal = status == HW_OK ? CountEqual(times, rows) : 0;
        int segment = LEAST_SEGMENT;
        while (2 * segment <= equal / 4 && 2 * segment <= MOST_SEGMENT) segment *= 2;
        bool any = false;
        for (int k = 0; k < count && equal >= 4 * LEAST_SEGMENT; ++k)
            PutSpectrum(stream, results->channels[chosen[k]].name, results->channels[chosen[k]].unit, equal,
                        values + k * rows, FindRounding(results, count, chosen, chosen[k], values, rows),
                        times[1] - times[0], segment, density, &any);
        free(density);
        free(block);
        free(values);
        free(times);
    }
    fputc(']', stream);
    return status;
}

// Files ----------------------------------------------------------------------------------------------------------------

enum { MOST_BYTES = 32 << 20 };

static char* LoadFile(const char* path, size_t* size, hwError* error) {
    FILE* file = fopen(path, "rb");
    char* bytes = NULL;
    *size = 0;
    if (!file) {
        hwResultsFail_System(error, errno, "read", path);
        return NULL;
    }
    for (size_t got = 1; got > 0;) {
        char* more = *size < MOST_BYTES ? realloc(bytes, *size + 65537) : NULL;
        if (!more) {
            hwResultsFail(error, HW_ERROR_FILE, "cannot put %s into the report: it is larger than %d MiB",
                          path, MOST_BYTES >> 20);
            free(bytes);
            fclose(file);
            return NULL;
        }
        bytes = more;
        got = fread(bytes + *size, 1, 65536, file);
        *size += got;
    }
    bytes[*size] = 0;
    bool bad = ferror(file) != 0;
    fclose(file);
    if (!bad) return bytes;
    hwResultsFail(error, HW_ERROR_FILE, "cannot read %s", path);
    free(bytes);
    return NULL;
}

// A CSV table as rows of texts; a field in quotes may hold commas.
static void PutTable(FILE* stream, const char* text) {
    fputc('[', stream);
    for (const char* at = text; *at;) {
        fputs(at == text ? "[" : ",\n[", stream);
        for (bool more = true, first = true; more; first = false) {
            char field[512];
            size_t used = 0;
            bool quoted = *at == '"';
            if (quoted) ++at;
            while (*at && (quoted ? *at != '"' || at[1] == '"' : *at != ',' && *at != '\n' && *at != '\r')) {
                if (quoted && *at == '"') ++at;
                if (used + 1 < sizeof(field)) field[used++] = *at;
                ++at;
            }
            field[used] = 0;
            if (quoted && *at) ++at;
            if (!first) fputc(',', stream);
            hwReport_PutString(stream, field);
            more = *at == ',';
            if (more) ++at;
        }
        at += strcspn(at, "\n");
        at += *at == '\n';
        fputc(']', stream);
    }
    fputc(']', stream);
}

static hwStatus PutStudy(FILE* stream, const char* folder, hwError* error) {
    static const char* const names[] = {"operability", "weather", "windows", "extremes", "sensitivity"};
    fputs(",\"study\":{", stream);
    bool any = false;
    for (size_t i = 0; folder && i < sizeof(names) / sizeof(names[0]); ++i) {
        char path[1024];
        snprintf(path, sizeof(path), "%.900s/%s.csv", folder, names[i]);
        size_t size;
        hwError reason;
        char* text = LoadFile(path, &size, &reason);
        if (!text) continue;
        fprintf(stream, "%s\"%s\":", any ? "," : "", names[i]);
        PutTable(stream, text);
        free(text);
        any = true;
    }
    fputc('}', stream);
    if (!folder || any) return HW_OK;
    hwResultsFail(error, HW_ERROR_FILE, "%s has no tables of a study", folder);
    hwResultsFail_Hint(error,
                       "the folder of `hawser study STUDY --out DIR` whose study has limits and operability");
    return HW_ERROR_FILE;
}

static const char* FindKind(const char* bytes, size_t size) {
    if (size > 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0) return "image/png";
    if (size > 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0) return "image/jpeg";
    if (size > 4 &&
        (memcmp(bytes, "<svg", 4) == 0 || (memcmp(bytes, "<?xm", 4) == 0 && strstr(bytes, "<svg"))))
        return "image/svg+xml";
    return NULL;
}

static hwStatus PutPictures(FILE* stream, const hwReportDef* def, hwError* error) {
    fputs(",\"pictures\":[", stream);
    for (int i = 0; i < def->pictureCount; ++i) {
        const char* path = def->pictures[i];
        size_t size;
        char* bytes = LoadFile(path, &size, error);
        if (!bytes) return HW_ERROR_FILE;
        const char* kind = FindKind(bytes, size);
        if (!kind) {
            free(bytes);
            return hwResultsFail(error, HW_ERROR_FILE,
                                 "%s is no picture that a report can hold: PNG, JPEG or SVG", path);
        }
        const char* slash = strrchr(path, '/');
        fputs(i ? ",\n[" : "\n[", stream);
        hwReport_PutString(stream, slash ? slash + 1 : path);
        fprintf(stream, ",\"data:%s;base64,", kind);
        hwEncoder encoder = {.stream = stream};
        hwEncoder_Put(&encoder, bytes, size);
        hwEncoder_End(&encoder);
        fputs("\"]", stream);
        free(bytes);
    }
    fputc(']', stream);
    return HW_OK;
}

hwStatus hwReport_PutFront(FILE* stream, hwResults* results, const hwReportDef* def, hwError* error) {
    PutLimits(stream, results);
    hwStatus status = PutSpectra(stream, results, error);
    if (status == HW_OK) status = PutStudy(stream, def->study, error);
    if (status == HW_OK) status = PutPictures(stream, def, error);
    return status;
}
