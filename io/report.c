// One HTML page with plots of everything recorded. The page's parts are files that the build turns into arrays.
#include "csv_number.h"
#include "report.h"
#include "work_file.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const unsigned char hwReport_report_html[], hwReport_report_css[], hwReport_report_js[];
extern const size_t hwReport_report_html_size, hwReport_report_css_size, hwReport_report_js_size;
extern const unsigned char hwReport_uPlot_iife_min_js[], hwReport_uPlot_min_css[], hwReport_LICENSE[];
extern const size_t hwReport_uPlot_iife_min_js_size, hwReport_uPlot_min_css_size, hwReport_LICENSE_size;

#define REPORT_COOKIE 0x5e904711

// Numbers of all curves together, and the bounds for one curve: a page of a few MB, and more points than pixels.
enum { POINT_BUDGET = 500000, POINT_MIN = 200, POINT_MAX = 8000 };

// Key numbers of a channel over all rows with a finite value.
typedef struct Summary {
    int64_t rows, count; // all, and those that are finite
    double first, min, minTime, max, maxTime, mean, squares, last;
} Summary;

// A channel within a bin of rows.
typedef struct Bin {
    double low, high;
    bool lowFirst;
} Bin;

typedef struct Page {
    hwResults* results;
    Summary* summaries;
    int pointCount;
    double* times;  // pointCount
    double* points; // channels x points
    uint64_t hash;  // of all numbers of all rows
    const hwReportDef* def;
    hwStatus status; // of what is written
    hwError* error;
} Page;

// Welford (1962).
static void AddToSummary(Summary* summary, double time, double value) {
    if (summary->rows++ == 0) summary->first = value;
    summary->last = value;
    if (!isfinite(value)) return;
    if (summary->count == 0 || value < summary->min) {
        summary->min = value;
        summary->minTime = time;
    }
    if (summary->count == 0 || value > summary->max) {
        summary->max = value;
        summary->maxTime = time;
    }
    ++summary->count;
    double before = value - summary->mean;
    summary->mean += before / (double)summary->count;
    summary->squares += before * (value - summary->mean);
}

static void AddToBin(Bin* bin, double value) {
    if (!isfinite(value)) return;
    bool empty = isnan(bin->low);
    if (empty || value < bin->low) {
        bin->low = value;
        bin->lowFirst = empty;
    }
    if (empty || value > bin->high) {
        bin->high = value;
        if (!empty) bin->lowFirst = true;
    }
}

// Two points for each bin: its extremes in the order they came, at a quarter and three quarters of its time.
static void EmitBin(Page* page, int bin, Bin* bins, double first, double last) {
    int channels = page->results->channelCount;
    page->times[2 * bin] = first + 0.25 * (last - first);
    page->times[2 * bin + 1] = first + 0.75 * (last - first);
    for (int i = 0; i < channels; ++i) {
        double* points = page->points + (size_t)i * (size_t)page->pointCount + 2 * bin;
        points[0] = bins[i].lowFirst ? bins[i].low : bins[i].high;
        points[1] = bins[i].lowFirst ? bins[i].high : bins[i].low;
        bins[i] = (Bin){(double)NAN, (double)NAN, false};
    }
}

static hwStatus GatherRows(Page* page, double* block, int blockRows, Bin* bins, hwError* error) {
    hwResults* results = page->results;
    int channels = results->channelCount;
    bool binned = page->pointCount < results->rowCount;
    int64_t binCount = page->pointCount / 2, bin = 0;
    double binStart = 0;
    for (int i = 0; i < channels; ++i) bins[i] = (Bin){(double)NAN, (double)NAN, false};
    for (int64_t first = 0; first < results->rowCount; first += blockRows) {
        int64_t left = results->rowCount - first, rows = left < blockRows ? left : blockRows;
        hwStatus status = hwResults_ReadRows(results, first, rows, block, error);
        if (status != HW_OK) return status;
        page->hash = hwHashBytes(page->hash, block, (size_t)rows * (size_t)channels * sizeof(double));
        for (int64_t r = 0; r < rows; ++r) {
            const double* row = block + r * channels;
            int64_t index = first + r;
            for (int i = 0; i < channels; ++i) AddToSummary(&page->summaries[i], row[0], row[i]);
            if (!binned) {
                page->times[index] = row[0];
                for (int i = 0; i < channels; ++i)
                    page->points[(int64_t)i * page->pointCount + index] = row[i];
                continue;
            }
            if (index == bin * results->rowCount / binCount) binStart = row[0];
            for (int i = 0; i < channels; ++i) AddToBin(&bins[i], row[i]);
            if (index + 1 == (bin + 1) * results->rowCount / binCount)
                EmitBin(page, (int)bin++, bins, binStart, row[0]);
        }
    }
    return HW_OK;
}

// What the run has kept of all of its steps goes before what the rows show.
static void UseExtremes(Page* page) {
    for (int i = 0; i < page->results->channelCount; ++i) {
        const hwExtreme* extreme = hwResults_GetExtreme(page->results, i);
        Summary* summary = &page->summaries[i];
        if (!extreme || summary->count == 0 || !isfinite(extreme->min) || !isfinite(extreme->max)) continue;
        summary->min = extreme->min;
        summary->minTime = extreme->minTime;
        summary->max = extreme->max;
        summary->maxTime = extreme->maxTime;
        summary->mean = extreme->mean;
        summary->squares = extreme->deviation * extreme->deviation * (double)summary->count;
    }
}

static hwStatus GatherPage(Page* page, hwError* error) {
    const hwResults* results = page->results;
    size_t channels = (size_t)results->channelCount;
    int64_t limit = POINT_BUDGET / results->channelCount / 2 * 2;
    if (limit < POINT_MIN) limit = POINT_MIN;
    if (limit > POINT_MAX) limit = POINT_MAX;
    page->pointCount = (int)(results->rowCount < limit ? results->rowCount : limit);
    int blockRows = 65536 / results->channelCount + 1;
    size_t points = (size_t)page->pointCount;
    page->summaries = calloc(channels, sizeof(Summary));
    page->times = malloc((points + 1) * sizeof(double));
    page->points = malloc((points * channels + 1) * sizeof(double));
    double* block = malloc((size_t)blockRows * channels * sizeof(double));
    Bin* bins = malloc(channels * sizeof(Bin));
    hwStatus status;
    if (page->summaries && page->times && page->points && block && bins) {
        status = GatherRows(page, block, blockRows, bins, error);
        if (status == HW_OK) UseExtremes(page);
    } else {
        status = hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for the report.");
    }
    free(bins);
    free(block);
    return status;
}

void hwReport_PutNumber(FILE* stream, double value) {
    char text[HW_NUMBER_SIZE];
    if (isfinite(value)) {
        fwrite(text, 1, (size_t)hwFormatNumber(value, text), stream);
    } else {
        fputs("null", stream);
    }
}

// A JSON string that may stand inside a script element.
void hwReport_PutString(FILE* stream, const char* text) {
    fputc('"', stream);
    for (const unsigned char* c = (const unsigned char*)text; *c; ++c) {
        if (*c < 0x20 || *c == '<' || *c == '>' || *c == '&' || *c == '"' || *c == '\\') {
            fprintf(stream, "\\u%04x", *c);
        } else {
            fputc(*c, stream);
        }
    }
    fputc('"', stream);
}

static double GetScale(const Summary* summary) {
    double scale = hwFmax(summary->max - summary->mean, summary->mean - summary->min);
    return isfinite(scale) && scale > 0 ? scale : 1;
}

// Range graphs: for each cable its name and a list for each number of its stations.
static void PutRanges(FILE* stream, const hwResults* results) {
    fputs(",\"ranges\":[", stream);
    int count = hwResults_GetStationCount(results);
    bool any = false;
    for (int first = 0, next; first < count; first = next) {
        const char *name, *other = "";
        hwResults_GetStation(results, first, &name);
        for (next = first + 1; next < count; ++next) {
            hwResults_GetStation(results, next, &other);
            if (strcmp(other, name) != 0) break;
        }
        fputs(any ? ",\n{\"cable\":" : "\n{\"cable\":", stream);
        hwReport_PutString(stream, name);
        for (int k = 0; k < HW_RANGE_COLUMNS; ++k) {
            bool started = false;
            fprintf(stream, ",\"%s\":[", hwRanges_GetColumn(k).name);
            for (int i = first; i < next; ++i) {
                const hwRangeStation* station = hwResults_GetStation(results, i, NULL);
                if (isnan(station->time)) continue;
                if (started) fputc(',', stream);
                hwReport_PutNumber(stream, ((const double*)station)[k]);
                started = true;
            }
            fputc(']', stream);
        }
        fputc('}', stream);
        any = true;
    }
    fputc(']', stream);
}

// Discretisation errors from certify.csv beside the results, where `hawser run --certify` left it: [number, error, order].
static void PutCertified(FILE* stream, const hwResults* results) {
    fputs(",\"certified\":[", stream);
    const char* slash = strrchr(results->path, '/');
    size_t folder = slash ? (size_t)(slash - results->path) + 1 : 0;
    char path[1024], line[1024];
    snprintf(path, sizeof(path), "%.*scertify.csv", (int)(folder < 900 ? folder : 900), results->path);
    FILE* file = fopen(path, "r");
    bool first = true;
    if (file && !fgets(line, sizeof(line), file)) line[0] = 0;
    while (file && fgets(line, sizeof(line), file)) {
        // number,unit,value,finer,finest,limit,error,order
        char* fields[8];
        int count = 0;
        for (char* at = line; at && count < 8; ++count) {
            fields[count] = at;
            at = strchr(at, ',');
            if (at) *at++ = 0;
        }
        if (count != 8) continue;
        double numbers[3];
        static const int columns[3] = {2, 6, 7};
        for (int k = 0; k < 3; ++k) {
            char* field = fields[columns[k]];
            if (!hwParseNumber(field, field + strcspn(field, "\r\n"), &numbers[k])) numbers[k] = (double)NAN;
        }
        fputs(first ? "\n[" : ",\n[", stream);
        hwReport_PutString(stream, fields[0]);
        for (int k = 0; k < 3; ++k) {
            fputc(',', stream);
            hwReport_PutNumber(stream, numbers[k]);
        }
        fputc(']', stream);
        first = false;
    }
    if (file) fclose(file);
    fputc(']', stream);
}

static void PutMeta(FILE* stream, Page* page) {
    hwResults* results = page->results;
    const hwRunInfo* info = &results->info;
    const struct {
        const char* name;
        double value;
    } numbers[] = {
        {"interval", info->interval},
        {"start", page->pointCount > 0 ? page->summaries[0].min : info->start},
        {"end", page->pointCount > 0 ? page->summaries[0].max : info->start},
        {"duration", info->duration},
        {"wallTime", info->wallTime},
        {"energyError", info->energyError},
        {"energyMethod", info->energyMethod},
        {"rows", (double)results->rowCount},
        {"steps", (double)info->counters.steps},
        {"rejected", (double)info->counters.rejected},
    };
    fputs("{\"status\":", stream);
    hwReport_PutString(stream, info->status);
    fputs(",\"started\":", stream);
    hwReport_PutString(stream, info->started);
    fputs(",\"version\":", stream);
    hwReport_PutString(stream, info->version);
    fputs(",\"solver\":", stream);
    hwReport_PutString(stream, info->solver);
    fputs(",\"incidents\":", stream);
    hwReport_PutString(stream, info->incidents);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
        fprintf(stream, ",\"%s\":", numbers[i].name);
        hwReport_PutNumber(stream, numbers[i].value);
    }
    const char* scene = results->scene ? results->scene : "";
    fprintf(stream, ",\"sceneHash\":\"%016llx\",\"rowHash\":\"%016llx\"",
            (unsigned long long)hwHashBytes(HW_HASH_START, scene, strlen(scene)),
            (unsigned long long)page->hash);
    page->status = hwReport_PutFront(stream, results, page->def, page->error);
    PutRanges(stream, results);
    PutCertified(stream, results);
    fputs(",\"channels\":[", stream);
    for (int i = 0; i < results->channelCount; ++i) {
        const Summary* summary = &page->summaries[i];
        fputs(i ? ",\n[" : "\n[", stream);
        hwReport_PutString(stream, results->channels[i].name);
        fputc(',', stream);
        hwReport_PutString(stream, results->channels[i].unit);
        bool any = summary->count > 0;
        double none = (double)NAN, variance = any ? summary->squares / (double)summary->count : none;
        const double columns[] = {summary->mean,
                                  GetScale(summary),
                                  any ? summary->min : none,
                                  summary->minTime,
                                  any ? summary->max : none,
                                  summary->maxTime,
                                  any ? summary->mean : none,
                                  sqrt(variance),
                                  any ? summary->last : none,
                                  (double)(results->rowCount - summary->count),
                                  summary->first};
        for (size_t k = 0; k < sizeof(columns) / sizeof(columns[0]); ++k) {
            fputc(',', stream);
            hwReport_PutNumber(stream, columns[k]);
        }
        fputc(']', stream);
    }
    fputs("]}", stream);
}

static void PutTimes(FILE* stream, const Page* page) {
    hwEncoder encoder = {.stream = stream};
    hwEncoder_Put(&encoder, page->times, (size_t)page->pointCount * sizeof(double));
    hwEncoder_End(&encoder);
}

// Distances from the mean as single-precision numbers: seven digits of what the eye can see in a plot.
static void PutValues(FILE* stream, const Page* page) {
    hwEncoder encoder = {.stream = stream};
    for (int i = 0; i < page->results->channelCount; ++i) {
        const Summary* summary = &page->summaries[i];
        double scale = GetScale(summary);
        const double* points = page->points + (size_t)i * (size_t)page->pointCount;
        for (int k = 0; k < page->pointCount; ++k) {
            float value = (float)((points[k] - summary->mean) / scale);
            if (!isfinite(points[k])) value = (float)NAN;
            hwEncoder_Put(&encoder, &value, sizeof(value));
        }
    }
    hwEncoder_End(&encoder);
}

// Without the banner comment at the start: the whole licence stands at the head of the page.
static void PutUplot(FILE* stream) {
    const char* text = (const char*)hwReport_uPlot_iife_min_js;
    const char* end = text + hwReport_uPlot_iife_min_js_size;
    if (hwReport_uPlot_iife_min_js_size > 3 && memcmp(text, "/*!", 3) == 0) {
        while (text + 1 < end && (text[0] != '*' || text[1] != '/')) ++text;
        text += 2;
    }
    fwrite(text, 1, (size_t)(end - text), stream);
}

static void PutPart(FILE* stream, Page* page, const char* name, size_t length) {
    const hwResults* results = page->results;
    char key[16] = {0};
    memcpy(key, name, length);
    if (strcmp(key, "title") == 0) {
        hwPutEscaped(stream, results->info.title[0] ? results->info.title : results->path);
    } else if (strcmp(key, "style") == 0) {
        fwrite(hwReport_uPlot_min_css, 1, hwReport_uPlot_min_css_size, stream);
        fwrite(hwReport_report_css, 1, hwReport_report_css_size, stream);
    } else if (strcmp(key, "notice") == 0) {
        fwrite(hwReport_LICENSE, 1, hwReport_LICENSE_size, stream);
    } else if (strcmp(key, "meta") == 0) {
        PutMeta(stream, page);
    } else if (strcmp(key, "times") == 0) {
        PutTimes(stream, page);
    } else if (strcmp(key, "values") == 0) {
        PutValues(stream, page);
    } else if (strcmp(key, "scene") == 0) {
        if (results->scene) hwPutEscaped(stream, results->scene);
    } else if (strcmp(key, "uplot") == 0) {
        PutUplot(stream);
    } else if (strcmp(key, "script") == 0) {
        fwrite(hwReport_report_js, 1, hwReport_report_js_size, stream);
    }
}

// The template with each @name@ replaced by its part.
static void PutPage(FILE* stream, Page* page) {
    const char* at = (const char*)hwReport_report_html;
    const char* end = at + hwReport_report_html_size;
    while (at < end) {
        const char* mark = memchr(at, '@', (size_t)(end - at));
        const char* stop = mark ? memchr(mark + 1, '@', (size_t)(end - mark - 1)) : NULL;
        if (!stop) break;
        fwrite(at, 1, (size_t)(mark - at), stream);
        PutPart(stream, page, mark + 1, (size_t)(stop - mark - 1));
        at = stop + 1;
    }
    fwrite(at, 1, (size_t)(end - at), stream);
}

hwReportDef hwDefaultReportDef(void) {
    return (hwReportDef){.cookie = REPORT_COOKIE};
}

hwStatus hwResults_WriteReport(hwResults* results, const char* path, hwError* error) {
    hwReportDef def = hwDefaultReportDef();
    def.path = path;
    return hwResults_WriteReportDef(results, &def, error);
}

hwStatus hwResults_WriteReportDef(hwResults* results, const hwReportDef* def, hwError* error) {
    if (def->cookie != REPORT_COOKIE || !def->path)
        return hwResultsFail(error, HW_ERROR_ARGUMENT,
                             "A report's description begins with hwDefaultReportDef() and has a path.");
    if (hwReport_uPlot_iife_min_js_size < 1000) {
        hwResultsFail(error, HW_ERROR_FILE, "cannot write %s: this program was built without uPlot",
                      def->path);
        hwResultsFail_Hint(error, "cd web && npm ci, and build it again");
        return HW_ERROR_FILE;
    }
    Page page = {.results = results, .hash = HW_HASH_START, .def = def, .error = error};
    hwStatus status = GatherPage(&page, error);
    if (status == HW_OK) {
        hwSink sink;
        status = hwSink_Open(&sink, def->path, error);
        if (status == HW_OK) {
            PutPage(sink.stream, &page);
            status = hwSink_Close(&sink, page.status, error);
        }
    }
    free(page.points);
    free(page.times);
    free(page.summaries);
    return status;
}
