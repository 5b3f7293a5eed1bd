// The logbook: lines come back as they were written, whatever names hold; files of others are added once; a study gets no names.
#define _XOPEN_SOURCE 700
#include "hawser/logbook.h"
#include "support.h"

#include <unistd.h>

static char g_folder[] = "/tmp/hawser-logbook-XXXXXX";
static char g_path[100], g_other[100], g_out[100];

static hwLogbookLine MakeLine(const char* pilot, const char* flight, double score) {
    hwLogbookLine line = {
        .score = score, .passed = score >= 70.0, .complete = true, .time = 61.25, .hits = 2, .gates = 4};
    snprintf(line.started, sizeof(line.started), "2026-11-16T06:33:00Z");
    snprintf(line.pilot, sizeof(line.pilot), "%s", pilot);
    snprintf(line.group, sizeof(line.group), "A");
    snprintf(line.phase, sizeof(line.phase), "pre");
    snprintf(line.lesson, sizeof(line.lesson), "Same-path return");
    snprintf(line.flight, sizeof(line.flight), "%s", flight);
    snprintf(line.version, sizeof(line.version), "0.1.0");
    for (int i = 0; i < HW_TERM_COUNT; ++i) line.terms[i] = i == 3 ? (double)NAN : 0.1 * i;
    return line;
}

static void Append(const char* path, const hwLogbookLine* line) {
    hwError error;
    if (hwLogbook_Append(path, line, &error) != HW_OK) fail_msg("%s", error.message);
}

static void LinesComeBackAsTheyWere(void** state) {
    (void)state;
    hwError error;
    int count;
    hwLogbookLine* lines;
    assert_int_equal(hwLogbook_Read(g_path, &count, &lines, &error), HW_OK); // not there yet
    assert_int_equal(count, 0);
    hwLogbookLine a = MakeLine("Ann, \"the\" pilot", "f1", 100.0 / 3.0),
                  b = MakeLine("Bj\xc3\xb6rn", "f2", 91.0);
    Append(g_path, &a);
    Append(g_path, &b);
    a.score = 80.0; // the same flight, ended again after a rewind
    Append(g_path, &a);
    assert_int_equal(hwLogbook_Read(g_path, &count, &lines, &error), HW_OK);
    assert_int_equal(count, 2);
    assert_string_equal(lines[0].pilot, a.pilot);
    assert_string_equal(lines[0].lesson, a.lesson);
    assert_true(lines[0].score == 80.0);
    assert_true(lines[1].score == 91.0);
    assert_int_equal(lines[1].gates, 4);
    assert_int_equal(lines[1].hits, 2);
    assert_true(isnan(lines[1].terms[3]));
    assert_true(lines[1].terms[7] == 0.1 * 7);
    free(lines);
}

// A run that was not passed begins the count anew; other pilots and lessons do not count.
static void PassesAreCountedInARow(void** state) {
    (void)state;
    const double scores[] = {80.0, 90.0, 50.0, 75.0, 71.0};
    hwLogbookLine lines[7];
    for (int i = 0; i < 5; ++i) lines[i] = MakeLine("Ann", "f", scores[i]);
    lines[5] = MakeLine("Bo", "f", 10.0);
    lines[6] = MakeLine("Ann", "f", 10.0);
    snprintf(lines[6].lesson, sizeof(lines[6].lesson), "Check dive");
    const int passes[] = {0, 1, 2, 0, 1, 2, 2, 2};
    for (int i = 0; i <= 7; ++i)
        assert_int_equal(hwLogbook_CountPasses(i, lines, "Ann", "Same-path return"), passes[i]);
}

static void OthersAreAddedOnce(void** state) {
    (void)state;
    hwError error;
    hwLogbookLine known = MakeLine("Bj\xc3\xb6rn", "f2", 91.0), fresh = MakeLine("Cem", "f3", 12.0);
    Append(g_other, &known);
    Append(g_other, &fresh);
    assert_int_equal(hwLogbook_Import(g_path, g_other, &error), 1);
    assert_int_equal(hwLogbook_Import(g_path, g_other, &error), 0);
    assert_true(hwLogbook_Import(g_path, "/no/such/file.csv", &error) < 0);
    assert_non_null(strstr(error.message, "/no/such/file.csv"));
}

static void AStudyGetsNoNames(void** state) {
    (void)state;
    hwError error;
    int count;
    hwLogbookLine* lines;
    assert_int_equal(hwLogbook_Export(g_path, g_out, NULL, true, "salt", &error), HW_OK);
    char text[8192] = "";
    FILE* file = fopen(g_out, "rb");
    text[fread(text, 1, sizeof(text) - 1, file)] = 0;
    fclose(file);
    static const char* const secrets[] = {"Ann", "Bj", "Cem", "06:33", "\"f1\"", "\"f2\"", "\"f3\""};
    for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); ++i)
        if (strstr(text, secrets[i]) != NULL) fail_msg("the export has %s", secrets[i]);
    static const char* const kept[] = {"P01", "P02", "P03", "pre", "Same-path return", "2026-11-16"};
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); ++i)
        if (strstr(text, kept[i]) == NULL) fail_msg("the export lacks %s", kept[i]);
    assert_int_equal(hwLogbook_Export(g_path, g_out, "Cem", false, NULL, &error), HW_OK);
    assert_int_equal(hwLogbook_Read(g_out, &count, &lines, &error), HW_OK);
    assert_int_equal(count, 1);
    assert_string_equal(lines[0].flight, "f3");
    free(lines);
}

static void WhatIsNoLogbookIsSaidWithItsLine(void** state) {
    (void)state;
    hwError error;
    int count;
    hwLogbookLine* lines;
    FILE* file = fopen(g_other, "ab");
    fputs("\"2026\",\"Eve\",half a line\n", file);
    fclose(file);
    assert_int_equal(hwLogbook_Read(g_other, &count, &lines, &error), HW_ERROR_FORMAT);
    assert_int_equal(error.line, 4);
    assert_int_equal(count, 0);
    hwLogbookLine nobody = MakeLine("", "f9", 1.0);
    assert_int_equal(hwLogbook_Append(g_path, &nobody, &error), HW_ERROR_ARGUMENT);
}

static hwRatingLine MakeRating(const char* pilot, const char* pair, double first, double second,
                               int preferred) {
    hwRatingLine line = {.realism = {first, second}, .preferred = preferred};
    snprintf(line.started, sizeof(line.started), "2026-11-16T06:33:00Z");
    snprintf(line.pilot, sizeof(line.pilot), "%s", pilot);
    snprintf(line.group, sizeof(line.group), "A");
    snprintf(line.pair, sizeof(line.pair), "%s", pair);
    snprintf(line.shown[0], sizeof(line.shown[0]), "wrap");
    snprintf(line.shown[1], sizeof(line.shown[1]), "dynamic");
    snprintf(line.comment, sizeof(line.comment), "it \"hops\",\nfirst");
    snprintf(line.version, sizeof(line.version), "0.1.0");
    return line;
}

// Ratings come back, one given again takes the place of the first, and an export for statistics has the numbers of the logbook's.
static void RatingsComeBackAndGoWithTheLogbook(void** state) {
    (void)state;
    hwError error;
    char book[120], ratings[120];
    snprintf(book, sizeof(book), "%s/book.csv", g_folder);
    snprintf(ratings, sizeof(ratings), "%s/ratings.csv", g_folder);
    const char* const pilots[] = {"Ann", "Bo", "Cy"};
    for (int i = 0; i < 3; ++i) {
        hwLogbookLine line = MakeLine(pilots[i], pilots[i], 10.0 * i);
        Append(book, &line);
    }
    hwRatingLine lines[] = {MakeRating("Cy", "pile", 2, 6, 1), MakeRating("Ann", "pile", 5, 5, -1),
                            MakeRating("Cy", "pile", 3, 6, 0), MakeRating("Dee", "pile", 1, 7, 1)};
    for (int i = 0; i < 4; ++i) assert_int_equal(hwRatings_Append(ratings, &lines[i], &error), HW_OK);
    int count;
    hwRatingLine* read;
    assert_int_equal(hwRatings_Read(ratings, &count, &read, &error), HW_OK);
    assert_int_equal(count, 3);
    assert_string_equal(read[0].pilot, "Cy");
    assert_true(read[0].realism[0] == 3.0 && read[0].realism[1] == 6.0 && read[0].preferred == 0);
    assert_string_equal(read[0].comment, "it \"hops\", first"); // on one line
    assert_int_equal(read[1].preferred, -1);
    free(read);
    // the same numbers in both exports: Ann and Cy are the two who flew and rated
    assert_int_equal(hwLogbook_Export(book, g_out, NULL, true, "salt", &error), HW_OK);
    hwLogbookLine* flown;
    assert_int_equal(hwLogbook_Read(g_out, &count, &flown, &error), HW_OK);
    char ann[64], cy[64];
    snprintf(ann, sizeof(ann), "%s", flown[0].pilot);
    snprintf(cy, sizeof(cy), "%s", flown[2].pilot);
    free(flown);
    assert_int_equal(hwRatings_Export(ratings, book, g_other, true, "salt", &error), HW_OK);
    assert_int_equal(hwRatings_Read(g_other, &count, &read, &error), HW_OK);
    assert_int_equal(count, 3);
    assert_string_equal(read[0].pilot, cy);
    assert_string_equal(read[1].pilot, ann);
    assert_string_equal(read[2].pilot, "P04"); // after the three of the logbook
    assert_string_equal(read[2].started, "2026-11-16");
    free(read);
    hwRatingLine nobody = MakeRating("", "pile", 1, 1, 0);
    assert_int_equal(hwRatings_Append(ratings, &nobody, &error), HW_ERROR_ARGUMENT);
    assert_int_equal(hwRatings_Read(book, &count, &read, &error), HW_ERROR_FORMAT);
    assert_int_equal(error.line, 1);
    unlink(book);
    unlink(ratings);
}

// Who comes again keeps the number.
static void ParticipantsAreNumberedOnce(void** state) {
    (void)state;
    hwError error;
    char path[120];
    snprintf(path, sizeof(path), "%s/participants.csv", g_folder);
    assert_int_equal(hwParticipants_Enrol(path, "Ann", &error), 0);
    assert_int_equal(hwParticipants_Enrol(path, "Bo, \"B\"", &error), 1);
    assert_int_equal(hwParticipants_Enrol(path, "Ann", &error), 0);
    assert_int_equal(hwParticipants_Enrol(path, "Cy", &error), 2);
    assert_int_equal(hwParticipants_Enrol(path, "Bo, \"B\"", &error), 1);
    assert_int_equal(hwParticipants_Enrol(path, "", &error), HW_ERROR_ARGUMENT);
    unlink(path);
}

static int MakeFolder(void** state) {
    (void)state;
    if (mkdtemp(g_folder) == NULL) return -1;
    snprintf(g_path, sizeof(g_path), "%s/logbook.csv", g_folder);
    snprintf(g_other, sizeof(g_other), "%s/other.csv", g_folder);
    snprintf(g_out, sizeof(g_out), "%s/out.csv", g_folder);
    return 0;
}

static int RemoveFolder(void** state) {
    (void)state;
    unlink(g_path);
    unlink(g_other);
    unlink(g_out);
    return rmdir(g_folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LinesComeBackAsTheyWere),
        cmocka_unit_test(PassesAreCountedInARow),
        cmocka_unit_test(OthersAreAddedOnce),
        cmocka_unit_test(AStudyGetsNoNames),
        cmocka_unit_test(WhatIsNoLogbookIsSaidWithItsLine),
        cmocka_unit_test(RatingsComeBackAndGoWithTheLogbook),
        cmocka_unit_test(ParticipantsAreNumberedOnce),
    };
    return cmocka_run_group_tests(tests, MakeFolder, RemoveFolder);
}
