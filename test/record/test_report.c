// The report page: well-formed, self-contained, with the right numbers in it.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "results_util.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <strings.h>

static char* LoadText(const char* path) {
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char* text = malloc(size + 1);
    assert_int_equal(fread(text, 1, size, file), size);
    text[size] = 0;
    fclose(file);
    return text;
}

// The page for a recorder filled by `fill`.
static char* MakePage(Scratch* scratch, const hwRecorderDef* base, int rows,
                      double (*fill)(int row, int channel)) {
    hwRecorderDef def = *base;
    def.path = Scratch_Path(scratch, "results.h5");
    hwError error;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    assert_non_null(recorder);
    double* values = malloc((size_t)def.channelCount * sizeof(double));
    for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < def.channelCount; ++i) values[i] = fill(row, i);
        assert_int_equal(hwRecorder_Append(recorder, 1, values, &error), HW_OK);
    }
    free(values);
    assert_int_equal(hwRecorder_Finish(recorder, NULL, &error), HW_OK);
    hwDestroyRecorder(recorder);
    hwResults* results = hwOpenResults(def.path, &error);
    assert_non_null(results);
    const char* page = Scratch_Path(scratch, "report.html");
    if (hwResults_WriteReport(results, page, &error) != HW_OK) fail_msg("%s", error.message);
    hwCloseResults(results);
    return LoadText(page);
}

static double FillMade(int row, int channel) {
    return MakeValue(row, channel);
}

// A small HTML checker: every element that needs it is closed in order, raw text elements end where they should.
static void AssertWellFormed(const char* text) {
    static const char* const empty[] = {"meta", "link", "input", "br"};
    char stack[64][24];
    int depth = 0;
    assert_int_equal(strncmp(text, "<!DOCTYPE html>", 15), 0);
    for (const char* at = strchr(text + 1, '<'); at; at = strchr(at, '<')) {
        if (strncmp(at, "<!--", 4) == 0) {
            at = strstr(at, "-->");
            assert_non_null(at);
            continue;
        }
        bool closing = at[1] == '/';
        const char* name = at + 1 + closing;
        int length = 0;
        while (isalnum((unsigned char)name[length])) ++length;
        if (length == 0 || length > 20) fail_msg("a stray < at \"%.20s\"", at);
        at = strchr(at, '>');
        assert_non_null(at);
        if (closing) {
            assert_true(depth > 0);
            --depth;
            if (strncmp(stack[depth], name, (size_t)length) != 0 || stack[depth][length]) {
                fail_msg("</%.*s> closes <%s>", length, name, stack[depth]);
            }
            continue;
        }
        bool isEmpty = false;
        for (int i = 0; i < 4; ++i) {
            isEmpty =
                isEmpty || ((int)strlen(empty[i]) == length && strncmp(empty[i], name, (size_t)length) == 0);
        }
        if (isEmpty) continue;
        assert_true(depth < 64);
        snprintf(stack[depth++], sizeof(stack[0]), "%.*s", length, name);
        bool raw = strncmp(name, "script", 6) == 0 || strncmp(name, "style", 5) == 0;
        if (raw) {
            char end[32];
            snprintf(end, sizeof(end), "</%.*s>", length, name);
            at = strstr(at, end);
            assert_non_null(at);
        }
    }
    assert_int_equal(depth, 0);
}

// Nothing is loaded from anywhere.
static void AssertSelfContained(const char* text) {
    static const char* const forbidden[] = {"http:",    "https:", " src=",          "@import", "url(",
                                            "href=\"/", "fetch(", "XMLHttpRequest", "import("};
    for (size_t i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]); ++i) {
        const char* found = strstr(text, forbidden[i]);
        if (found) fail_msg("the page says \"%.60s\"", found);
    }
}

static json_t* LoadMeta(const char* text) {
    const char* start = strstr(text, "id=\"meta\">");
    assert_non_null(start);
    start += 10;
    const char* end = strstr(start, "</script>");
    json_error_t error;
    json_t* meta = json_loadb(start, (size_t)(end - start), 0, &error);
    if (!meta) fail_msg("%s", error.text);
    return meta;
}

static double Column(const json_t* meta, int channel, int column) {
    const json_t* value =
        json_array_get(json_array_get(json_object_get(meta, "channels"), (size_t)channel), (size_t)column);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static size_t Decode(const char* text, const char* id, void* out, size_t room) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char mark[40];
    snprintf(mark, sizeof(mark), "id=\"%s\">", id);
    const char* at = strstr(text, mark);
    assert_non_null(at);
    size_t count = 0;
    unsigned group = 0;
    int bits = 0;
    for (at += strlen(mark); *at != '<' && *at != '='; ++at) {
        const char* digit = strchr(digits, *at);
        assert_non_null(digit);
        group = group << 6 | (unsigned)(digit - digits);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        assert_true(count < room);
        ((unsigned char*)out)[count++] = (unsigned char)(group >> bits);
    }
    return count;
}

static void AnyContentMakesAWellFormedSelfContainedPage(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    hwRecorderDef def = MadeDef(NULL);
    snprintf(def.info.title, sizeof(def.info.title), "</title><script>alert('&\"')</script>");
    snprintf(def.info.status, sizeof(def.info.status), "the </script> ended <early> & \"badly\"\n");
    def.scene = "name: <b>&amp;</template></script> -->\n";
    for (int rows = 0; rows < 300; rows = 7 * rows + 1) {
        char* page = MakePage(&scratch, &def, rows, FillMade);
        AssertWellFormed(page);
        AssertSelfContained(page);
        assert_null(strstr(page, "<script>alert"));
        assert_non_null(strstr(page, "Permission is hereby granted"));
        assert_non_null(strstr(page, "Leon Sorokin"));
        json_t* meta = LoadMeta(page);
        assert_string_equal(json_string_value(json_object_get(meta, "status")), def.info.status);
        assert_int_equal(json_array_size(json_object_get(meta, "channels")), CHANNEL_COUNT);
        json_decref(meta);
        free(page);
    }
    Scratch_Close(&scratch);
}

// 0.2 s before the end a single row has a spike; a channel misses numbers; one is constant.
static double FillWave(int row, int channel) {
    double time = row / 100.0;
    if (channel == 0) return time;
    if (channel == 1) return row == 99980 ? 50 : sin(time);
    if (channel == 2) return row % 10 == 0 ? (double)NAN : 3;
    return 1e9 + 1e-3 * cos(time);
}

static void KeyNumbersComeFromAllRowsAndExtremesSurviveThinning(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    hwRecorderDef def = MadeDef(NULL);
    def.channelCount = 4;
    char* page = MakePage(&scratch, &def, 100000, FillWave);
    json_t* meta = LoadMeta(page);
    // Columns: name, unit, offset, scale, min, its time, max, its time, mean, deviation, last, missing.
    assert_true(Column(meta, 1, 6) == 50 && fabs(Column(meta, 1, 7) - 999.8) < 1e-9);
    assert_true(fabs(Column(meta, 1, 4) + 1) < 1e-4);
    assert_true(Column(meta, 2, 11) == 10000 && Column(meta, 2, 8) == 3 && Column(meta, 2, 9) == 0);
    // The deviation of a cosine is sqrt(1/2), also on top of a great mean; 1e9 leaves 1e-7 of resolution.
    assert_true(fabs(Column(meta, 3, 9) / 1e-3 - sqrt(0.5)) < 1e-2);
    static double times[8000];
    static float values[4 * 8000];
    size_t points = Decode(page, "times", times, sizeof(times)) / sizeof(double);
    assert_int_equal(points, 8000);
    assert_int_equal(Decode(page, "values", values, sizeof(values)), 4 * points * sizeof(float));
    double greatest = 0, at = 0;
    for (size_t i = 0; i < points; ++i) {
        double value = (double)values[points + i] * Column(meta, 1, 3) + Column(meta, 1, 2);
        if (i > 0) assert_true(times[i] > times[i - 1]);
        if (value > greatest) {
            greatest = value;
            at = times[i];
        }
        // The curve is never farther from the sine than the sine moves within a bin of 25 rows.
        if (value < 40) assert_true(fabs(value - sin(times[i])) < 0.25);
    }
    assert_true(fabs(greatest - 50) < 1e-5);
    assert_true(fabs(at - 999.8) < 0.25);
    json_decref(meta);
    free(page);
    Scratch_Close(&scratch);
}

static double FillNumber(int row, int channel) {
    return channel == 0 ? row : (row * 31 + channel * 17) % 1000;
}

static void ALargeRunMakesAPageOfAFewMegabytes(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    hwRecorderDef def = MadeDef(NULL);
    def.channelCount = 50;
    hwChannelInfo channels[50];
    char names[50][32];
    for (int i = 0; i < 50; ++i) {
        snprintf(names[i], sizeof(names[i]), i ? "wire.element[%d].tension" : "world.time", i);
        channels[i] = (hwChannelInfo){names[i], "N"};
    }
    def.channels = channels;
    char* page = MakePage(&scratch, &def, 100000, FillNumber);
    assert_true(strlen(page) < 3000000);
    AssertWellFormed(page);
    free(page);
    Scratch_Close(&scratch);
}

// 2 sin(2 pi t / 8 s) about 5, and a constant.
static double FillSine(int row, int channel) {
    double time = row / 10.0;
    return channel == 0 ? time : channel == 1 ? 5 + 2 * sin(2 * 3.14159265358979323846 * time / 8) : 7;
}

static void TheFrontHasLimitsSpectraStartAndHashes(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    hwRecorderDef def = MadeDef(NULL);
    hwChannelInfo channels[] = {{"world.time", "s"}, {"wire.a.tension", "N"}, {"box.position.z", "m"}};
    def.channelCount = 3;
    def.channels = channels;
    assert_true(hwRunInfo_AddLimit(&def.info, "wire.a.tension", "N", (double)NAN, 6.5, 3, 7));
    assert_true(hwRunInfo_AddLimit(&def.info, "box.position.z", "m", 0, 8, (double)NAN, (double)NAN));
    char* page = MakePage(&scratch, &def, 4096, FillSine);
    json_t* meta = LoadMeta(page);
    const json_t* limits = json_object_get(meta, "limits");
    assert_int_equal(json_array_size(limits), 2);
    const json_t *first = json_array_get(limits, 0), *second = json_array_get(limits, 1);
    assert_string_equal(json_string_value(json_array_get(first, 0)), "wire.a.tension");
    assert_string_equal(json_string_value(json_array_get(first, 1)), "N");
    assert_true(json_is_null(json_array_get(first, 2)));
    assert_true(json_number_value(json_array_get(first, 3)) == 6.5);
    assert_true(json_number_value(json_array_get(first, 4)) == 3);
    assert_true(json_number_value(json_array_get(first, 5)) == 7);
    assert_true(json_number_value(json_array_get(second, 3)) == 8 && json_is_null(json_array_get(second, 5)));
    // The value at the start follows the other columns.
    assert_true(Column(meta, 1, 12) == 5 && Column(meta, 2, 12) == 7);
    // What stands still has no spectrum. Hann's window leaks into the two neighbours only where a whole number of periods
    // fits the segment; here 1024 rows hold 12.8, so the peak may be a line of 1/102.4 Hz off.
    const json_t* spectra = json_object_get(meta, "spectra");
    assert_int_equal(json_array_size(spectra), 1);
    const json_t* spectrum = json_array_get(spectra, 0);
    double step = json_number_value(json_array_get(spectrum, 2)), sum = 0, most = 0, at = 0;
    assert_true(fabs(step - 1 / 102.4) < 1e-12);
    assert_int_equal(json_integer_value(json_array_get(spectrum, 3)), 7);
    const json_t* densities = json_array_get(spectrum, 6);
    for (size_t k = 0; k < json_array_size(densities); ++k) {
        double density = json_number_value(json_array_get(densities, k));
        sum += density * step;
        if (density > most) at = (double)k * step;
        most = density > most ? density : most;
    }
    assert_true(fabs(at - 0.125) < step);
    // Variance 2^2/2; segments that hold no whole number of periods catch up to 2 % more or less of it.
    assert_true(fabs(sum - 2) < 0.04);
    assert_true(fabs(json_number_value(json_array_get(spectrum, 4)) - sqrt(2)) < 0.02);
    // Leakage to high frequencies shortens the zero-crossing period a little.
    assert_true(fabs(json_number_value(json_array_get(spectrum, 5)) - 8) < 0.1);
    char hash[32];
    snprintf(hash, sizeof(hash), "%s", json_string_value(json_object_get(meta, "rowHash")));
    json_decref(meta);
    free(page);
    page = MakePage(&scratch, &def, 4096, FillSine);
    meta = LoadMeta(page);
    assert_string_equal(json_string_value(json_object_get(meta, "rowHash")), hash);
    json_decref(meta);
    free(page);
    page = MakePage(&scratch, &def, 4095, FillSine);
    meta = LoadMeta(page);
    assert_string_not_equal(json_string_value(json_object_get(meta, "rowHash")), hash);
    json_decref(meta);
    free(page);
    Scratch_Close(&scratch);
}

// Along x as before; across it as large as rounding makes it, once beside that and once alone.
static double FillRounded(int row, int channel) {
    double noise = (double)(row * 7919 % 13 - 6);
    return channel == 0   ? row / 10.0
           : channel == 1 ? FillSine(row, 1)
                          : noise * (channel == 2 ? 1e-17 : 1e-9);
}

static void SpectraAreNotOfRounding(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    hwRecorderDef def = MadeDef(NULL);
    hwChannelInfo channels[] = {{"world.time", "s"},
                                {"box.attitude.roll", "rad"},
                                {"box.attitude.yaw", "rad"},
                                {"box.position.y", "m"}};
    def.channelCount = 4;
    def.channels = channels;
    char* page = MakePage(&scratch, &def, 4096, FillRounded);
    json_t* meta = LoadMeta(page);
    const json_t* spectra = json_object_get(meta, "spectra");
    assert_int_equal(json_array_size(spectra), 2);
    assert_string_equal(json_string_value(json_array_get(json_array_get(spectra, 0), 0)),
                        "box.attitude.roll");
    assert_string_equal(json_string_value(json_array_get(json_array_get(spectra, 1), 0)), "box.position.y");
    json_decref(meta);
    free(page);
    Scratch_Close(&scratch);
}

// The same that drifts away: what is at frequency 0 counts among the 99.9 % of the variance that a plot shows.
static double FillDrift(int row, int channel) {
    return FillSine(row, channel) + (channel == 1 ? 0.1 * row : 0.0);
}

static void SpectraEndWhereTheVarianceDoes(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    hwRecorderDef def = MadeDef(NULL);
    hwChannelInfo channels[] = {{"world.time", "s"}, {"box.position.x", "m"}, {"box.position.z", "m"}};
    def.channelCount = 3;
    def.channels = channels;
    char* page = MakePage(&scratch, &def, 4096, FillDrift);
    json_t* meta = LoadMeta(page);
    const json_t* spectrum = json_array_get(json_object_get(meta, "spectra"), 0);
    double step = json_number_value(json_array_get(spectrum, 2));
    // the swing has 0.125 Hz, and a line drifts below that; rows go to 5 Hz
    double shown = step * (double)json_array_size(json_array_get(spectrum, 6));
    assert_true(shown > 0.01 && shown < 0.5);
    json_decref(meta);
    free(page);
    Scratch_Close(&scratch);
}

static void TablesOfStudiesAndPicturesGoIn(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    hwRecorderDef recorder = MadeDef(NULL);
    free(MakePage(&scratch, &recorder, 10, FillMade));
    FILE* table = fopen(Scratch_Path(&scratch, "operability.csv"), "w");
    fputs("combination,waves.tp,hs,note\n0,6,2.5,\"a, \"\"b\"\" <c>\"\n", table);
    fclose(table);
    FILE* picture = fopen(Scratch_Path(&scratch, "view.svg"), "w");
    fputs("<svg></svg>", picture);
    fclose(picture);
    hwError error;
    hwResults* results = hwOpenResults(scratch.folder, &error);
    assert_non_null(results);
    char pagePath[256], svg[256], wrong[256];
    snprintf(pagePath, sizeof(pagePath), "%s", Scratch_Path(&scratch, "handed.html"));
    snprintf(svg, sizeof(svg), "%s", Scratch_Path(&scratch, "view.svg"));
    snprintf(wrong, sizeof(wrong), "%s", Scratch_Path(&scratch, "operability.csv"));
    const char* pictures[] = {svg, wrong};
    hwReportDef def = hwDefaultReportDef();
    def.path = pagePath;
    def.study = scratch.folder;
    def.pictureCount = 1;
    def.pictures = pictures;
    if (hwResults_WriteReportDef(results, &def, &error) != HW_OK) fail_msg("%s", error.message);
    char* page = LoadText(pagePath);
    AssertWellFormed(page);
    json_t* meta = LoadMeta(page);
    const json_t* rows = json_object_get(json_object_get(meta, "study"), "operability");
    assert_int_equal(json_array_size(rows), 2);
    assert_string_equal(json_string_value(json_array_get(json_array_get(rows, 1), 3)), "a, \"b\" <c>");
    const json_t* shown = json_array_get(json_object_get(meta, "pictures"), 0);
    assert_string_equal(json_string_value(json_array_get(shown, 0)), "view.svg");
    assert_string_equal(json_string_value(json_array_get(shown, 1)),
                        "data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=");
    json_decref(meta);
    free(page);
    remove(pagePath);
    def.pictureCount = 2;
    assert_int_equal(hwResults_WriteReportDef(results, &def, &error), HW_ERROR_FILE);
    assert_non_null(strstr(error.message, "is no picture that a report can hold: PNG, JPEG or SVG"));
    assert_null(fopen(pagePath, "r"));
    def.pictureCount = 0;
    def.study = "/nowhere";
    assert_int_equal(hwResults_WriteReportDef(results, &def, &error), HW_ERROR_FILE);
    assert_non_null(strstr(error.message, "has no tables of a study"));
    hwCloseResults(results);
    Scratch_Close(&scratch);
}

static void AFullDiskLeavesNoPage(void** state) {
    (void)state;
    Scratch scratch;
    Scratch_Open(&scratch);
    hwRecorderDef def = MadeDef(NULL);
    free(MakePage(&scratch, &def, 10, FillMade));
    hwError error;
    hwResults* results = hwOpenResults(scratch.folder, &error);
    assert_non_null(results);
    assert_int_equal(hwResults_WriteReport(results, "/dev/full", &error), HW_ERROR_FILE);
    assert_non_null(strstr(error.message, "the disk is full"));
    assert_int_equal(hwResults_WriteReport(results, scratch.folder, &error), HW_ERROR_FILE);
    assert_non_null(strstr(error.message, "it is a folder"));
    hwCloseResults(results);
    Scratch_Close(&scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(AnyContentMakesAWellFormedSelfContainedPage),
        cmocka_unit_test(KeyNumbersComeFromAllRowsAndExtremesSurviveThinning),
        cmocka_unit_test(ALargeRunMakesAPageOfAFewMegabytes),
        cmocka_unit_test(TheFrontHasLimitsSpectraStartAndHashes),
        cmocka_unit_test(SpectraAreNotOfRounding),
        cmocka_unit_test(SpectraEndWhereTheVarianceDoes),
        cmocka_unit_test(TablesOfStudiesAndPicturesGoIn),
        cmocka_unit_test(AFullDiskLeavesNoPage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
