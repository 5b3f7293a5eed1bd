// Debriefs: the score's digits, winding numbers against an independent count from the flown path, the moment at which it began,
// files that need nothing else.
#define _XOPEN_SOURCE 700
#include "hawser/debrief.h"
#include "hawser/pilot.h"
#include "hawser/results.h"
#include "support.h"

#include <ftw.h>
#include <unistd.h>

static char g_folder[] = "/tmp/hawser-debrief-XXXXXX";
static const hwVec3 g_pile = {4.0, 0.0, 0.0};     // of the lesson
static const hwVec3 g_launch = {-5.75, 0.0, 0.0}; // likewise, below the davit

static void Fly(const char* lesson, const char* pilot, const char* change, const char* id) {
    char path[400];
    hwError error;
    snprintf(path, sizeof(path), "%s/lessons/%s.yaml", HAWSER_SOURCE_DIR, lesson);
    hwScene* scene = hwLoadSceneWith(path, 1, &change, &error);
    if (scene == NULL) fail_msg("%s", error.message);
    snprintf(path, sizeof(path), "%s/lessons/pilots/%s.%s.yaml", HAWSER_SOURCE_DIR, lesson, pilot);
    hwPilotScript* script = hwLoadPilotScript(path, &error);
    if (script == NULL) fail_msg("%s", error.message);
    hwFlyDef def = {.scene = scene, .script = script, .folder = g_folder, .id = id};
    hwFlyResult result;
    if (hwFlyLesson(&def, &result, &error) != HW_OK) fail_msg("%s", error.message);
    free(result.events);
    hwDestroyPilotScript(script);
    hwDestroyScene(scene);
}

static hwDebrief* Create(const char* id, bool trend) {
    char path[400];
    hwError error;
    snprintf(path, sizeof(path), "%s/%s", g_folder, id);
    hwDebrief* debrief = hwCreateDebrief(path, trend, &error);
    if (debrief == NULL) fail_msg("%s: %s", id, error.message);
    return debrief;
}

static char* ReadFile(const char* path) {
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char* text = malloc((size_t)size + 1);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    text[size] = 0;
    fclose(file);
    return text;
}

// Winding by the flown path alone: how often the vehicle crosses the half line from the pile away from the launch, to the west
// (counter-clockwise) less to the east; and when it last did.
static int CountCrossings(const char* id, double* last) {
    char path[400];
    hwError error;
    snprintf(path, sizeof(path), "%s/%s/results.h5", g_folder, id);
    hwResults* results = hwOpenResults(path, &error);
    assert_non_null(results);
    int x = hwResults_FindChannel(results, "rov.position.x"),
        y = hwResults_FindChannel(results, "rov.position.y");
    int channels = hwResults_GetChannelCount(results), count = 0;
    double* row = calloc((size_t)channels, sizeof(*row));
    double side = 0.0, ahead = 0.0;
    hwVec3 away = hwNormalize(hwSub(g_pile, g_launch));
    for (int64_t i = 0; i < hwResults_GetRowCount(results); ++i) {
        assert_int_equal(hwResults_ReadRows(results, i, 1, row, &error), HW_OK);
        double dx = row[x] - g_pile.x, dy = row[y] - g_pile.y;
        double nowAhead = dx * away.x + dy * away.y, nowSide = dy * away.x - dx * away.y;
        if (i > 0 && (side < 0.0) != (nowSide < 0.0) && nowAhead > 0.0 && ahead > 0.0) {
            count += nowSide >= 0.0 ? 1 : -1;
            *last = row[0];
        }
        side = nowSide;
        ahead = nowAhead;
    }
    free(row);
    hwCloseResults(results);
    return count;
}

static void TheScoreHasTheSameDigits(void** state) {
    (void)state;
    char path[400], results[420], number[80];
    hwError error;
    snprintf(path, sizeof(path), "%s/20260101-000001-novice", g_folder);
    snprintf(results, sizeof(results), "%s/results.h5", path);
    hwFlight* flight = hwLoadFlight(path, &error);
    const char* text = hwFlight_GetScene(flight);
    hwScene* scene = hwParseScene(text, strlen(text), "scene.yaml", NULL, &error);
    hwFlyResult scored;
    assert_int_equal(hwScoreFlight(flight, scene, results, &scored, &error), HW_OK);
    hwDebrief* debrief = Create("20260101-000001-novice", false);
    assert_memory_equal(hwDebrief_GetScore(debrief), &scored.score, sizeof(scored.score));
    snprintf(path, sizeof(path), "%s/page.html", g_folder);
    assert_int_equal(hwDebrief_WriteHtml(debrief, path, &error), HW_OK);
    char* page = ReadFile(path);
    snprintf(number, sizeof(number), "data-score=\"%.17g\"", scored.score.score);
    assert_non_null(strstr(page, number));
    const char* table = strstr(page, "class=\"probes\"");
    assert_non_null(table);
    int unanswered = 0;
    for (const char* at = table; (at = strstr(at, "(not answered)")) != NULL; ++at) unanswered += 1;
    assert_int_equal(unanswered, 3);
    free(page);
    free(scored.events);
    hwDestroyScene(scene);
    hwDestroyFlight(flight);
    hwDestroyDebrief(debrief);
}

static void TheCauseIsWhereThePathPassedBehindThePile(void** state) {
    (void)state;
    static const char* const ids[] = {"20260101-000001-novice", "20260101-000002-expert"};
    for (int i = 0; i < 2; ++i) {
        hwDebrief* debrief = Create(ids[i], false);
        int count, changes;
        double last = 0.0;
        const hwDebriefObstacle* obstacles = hwDebrief_GetObstacles(debrief, &count);
        const hwDebriefChange* change = hwDebrief_GetChanges(debrief, &changes);
        const hwDebriefCause* cause = hwDebrief_GetCause(debrief);
        int crossings = CountCrossings(ids[i], &last);
        int pile = -1;
        for (int k = 0; k < count; ++k) {
            if (strcmp(obstacles[k].name, "pile") == 0) pile = k;
        }
        assert_true(pile >= 0);
        assert_true(obstacles[pile].isAxis);
        assert_close(obstacles[pile].radius, 0.4, 1e-12); // as the lesson gives it
        assert_int_equal(obstacles[pile].end, crossings);
        assert_int_equal(obstacles[pile].end, i == 0 ? 1 : 0);
        assert_true(cause->found);
        assert_int_equal(cause->obstacle, pile);
        assert_int_equal(cause->stayed, i == 0);
        assert_int_equal(changes, i == 0 ? 1 : 2);
        // the tether is made fast 0.2 m behind the vehicle's middle, which goes at 0.2 m/s there: 1 s to either side
        double expected = i == 0 ? last : change[0].time;
        assert_close(cause->time, expected, 1.5);
        assert_close(change[changes - 1].time, last, 1.5);
        assert_non_null(strstr(cause->remedy, "clockwise"));
        for (int k = 0; k < 3; ++k) assert_non_null(hwDebrief_GetTip(debrief, k));
        hwDestroyDebrief(debrief);
    }
}

static void FilesNeedNothingElseAndAreTheSameAgain(void** state) {
    (void)state;
    char path[2][400];
    hwError error;
    char* pages[2];
    for (int i = 0; i < 2; ++i) {
        hwDebrief* debrief = Create("20260101-000002-expert", true);
        snprintf(path[i], sizeof(path[i]), "%s/page%d.html", g_folder, i);
        assert_int_equal(hwDebrief_WriteHtml(debrief, path[i], &error), HW_OK);
        pages[i] = ReadFile(path[i]);
        if (i == 1) {
            snprintf(path[0], sizeof(path[0]), "%s/page.csv", g_folder);
            assert_int_equal(hwDebrief_WriteCsv(debrief, path[0], &error), HW_OK);
            char* json = hwDebrief_WriteJson(debrief);
            assert_non_null(strstr(json, "\"trend\":[{\"flight\":\"20260101-000001-novice\""));
            free(json);
        }
        hwDestroyDebrief(debrief);
    }
    assert_string_equal(pages[0], pages[1]);
    static const char* const foreign[] = {
        "<script", "http:", "https:", "src=", "url(", "@import", "nan", "inf<"};
    for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); ++i)
        if (strstr(pages[0], foreign[i]) != NULL) fail_msg("the page has %s", foreign[i]);
    static const char* const parts[] = {
        "class=\"verdict passed\"", "class=\"terms\"",    "class=\"trend\"",
        "class=\"plan\"",           "class=\"timeline\"", "class=\"windings\"",
        "class=\"tips\"",           "class=\"cause\"",    "class=\"versions\""};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i)
        if (strstr(pages[0], parts[i]) == NULL) fail_msg("the page lacks %s", parts[i]);
    char* csv = ReadFile(path[0]);
    assert_true(strncmp(csv, "time,x,y,z,heading,", 19) == 0);
    int lines = 0;
    for (const char* c = csv; *c != 0; ++c) lines += *c == '\n';
    assert_true(lines > 1000); // names, units, and ten rows a second
    free(csv);
    free(pages[0]);
    free(pages[1]);
}

// A class shares a folder: whose page it is stands on it, and the trend is of that pilot's runs alone. Places are as on the chart.
static void ThePageIsOfOnePilot(void** state) {
    (void)state;
    hwError error;
    char path[300];
    snprintf(path, sizeof(path), "%s/20260101-000002-expert/flight.json", g_folder);
    char* text = ReadFile(path);
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "{\"options\": {\"pilot\": \"Ada <b>\"},%s", strchr(text, '{') + 1);
    fclose(file);
    hwDebrief* debrief = Create("20260101-000002-expert", true);
    char* json = hwDebrief_WriteJson(debrief);
    assert_non_null(strstr(json, "\"pilot\":\"Ada <b>\""));
    assert_non_null(strstr(json, "\"trend\":[{\"flight\":\"20260101-000002-expert\""));
    free(json);
    char page[300];
    snprintf(page, sizeof(page), "%s/ada.html", g_folder);
    assert_int_equal(hwDebrief_WriteHtml(debrief, page, &error), HW_OK);
    char* html = ReadFile(page);
    assert_non_null(strstr(html, "<b class=\"pilot\">Ada &lt;b&gt;</b>"));
    assert_non_null(strstr(html, "class=\"sign\""));
    assert_null(strstr(html, "There: x "));
    free(html);
    hwDestroyDebrief(debrief);
    file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(text);
}

// Names of a plan, as large as a browser draws them at least.
typedef struct Label {
    double left, right, base;
} Label;

static void NamesInThePlanKeepClearOfEachOther(void** state) {
    (void)state;
    hwError error;
    char path[300];
    hwDebrief* debrief = Create("20260101-000003-jacket", false);
    snprintf(path, sizeof(path), "%s/jacket.html", g_folder);
    assert_int_equal(hwDebrief_WriteHtml(debrief, path, &error), HW_OK);
    hwDestroyDebrief(debrief);
    char* page = ReadFile(path);
    assert_non_null(strstr(page, "The freeze was not answered."));
    char* plan = strstr(page, "class=\"plan\"");
    *strstr(plan, "</svg>") = 0;
    Label labels[40];
    int count = 0;
    for (char* at = plan; (at = strstr(at, "<text x=\"")) != NULL && count < 40; ++at) {
        Label* label = &labels[count++];
        label->left = strtod(at + 9, NULL);
        label->base = strtod(strstr(at, "y=\"") + 3, NULL);
        label->right = label->left + 5.5 * (double)strcspn(strchr(at, '>') + 1, "<");
        for (int i = 0; i + 1 < count; ++i) {
            bool beside = labels[i].right < label->left || label->right < labels[i].left;
            if (!beside && fabs(labels[i].base - label->base) < 11.0) fail_msg("on another: %.40s", at);
        }
    }
    assert_true(count >= 8);
    free(page);
}

// How far beyond its bound something went, not only when that began: against the curves themselves.
static void WhatWentBeyondItsBoundIsSummedUp(void** state) {
    (void)state;
    hwError error;
    char path[300];
    hwDebrief* debrief = Create("20260101-000001-novice", false);
    snprintf(path, sizeof(path), "%s/bounds.html", g_folder);
    assert_int_equal(hwDebrief_WriteHtml(debrief, path, &error), HW_OK);
    char* page = ReadFile(path);
    const char* row = strstr(page, "<tr><td>wrap angle</td>");
    assert_non_null(row);
    double bound, total, from, to, most, at;
    int times;
    assert_int_equal(sscanf(row,
                            "<tr><td>wrap angle</td><td class=\"n\">%lf degrees</td><td "
                            "class=\"n\">%d</td><td class=\"n\">%lf</td><td class=\"n\">%lf to %lf</td><td "
                            "class=\"n\">%lf degrees</td><td class=\"n\">%lf<",
                            &bound, &times, &total, &from, &to, &most, &at),
                     7);
    assert_true(bound == 90.0 && times >= 1 && total <= to - from + 0.11 + 1000.0 * (times - 1));
    snprintf(path, sizeof(path), "%s/bounds.csv", g_folder);
    assert_int_equal(hwDebrief_WriteCsv(debrief, path, &error), HW_OK);
    hwDestroyDebrief(debrief);
    char* csv = ReadFile(path);
    int column = 0;
    for (const char* c = csv; c < strstr(csv, "wrap"); ++c) column += *c == ',';
    double highest = 0.0, when = 0.0;
    for (const char* line = strchr(csv, '\n'); line != NULL && line[1] != 0; line = strchr(line + 1, '\n')) {
        const char* cell = line + 1;
        for (int i = 0; i < column && cell != NULL; ++i)
            cell = strchr(cell, ',') != NULL ? strchr(cell, ',') + 1 : NULL;
        double value = cell != NULL ? strtod(cell, NULL) * 180.0 / HW_PI : 0.0, time = strtod(line + 1, NULL);
        if (value > highest) highest = value, when = time;
        if (value > 90.0 && time > 0.0) assert_true(times > 1 || (time > from - 0.06 && time < to + 0.06));
    }
    assert_close(most, highest, 0.51);
    assert_close(at, when, 0.051);
    free(csv);
    free(page);
}

static void WhatCannotBeReadIsSaid(void** state) {
    (void)state;
    hwError error;
    assert_null(hwCreateDebrief("/no/such/flight", true, &error));
    assert_non_null(strstr(error.message, "/no/such/flight"));
    hwDebrief* debrief = Create("20260101-000002-expert", false);
    assert_int_equal(hwDebrief_WriteHtml(debrief, "/no/such/folder/page.html", &error), HW_ERROR_FILE);
    assert_non_null(strstr(error.message, "/no/such/folder/page.html"));
    hwDestroyDebrief(debrief);
}

static int RemoveOne(const char* path, const struct stat* info, int kind, struct FTW* place) {
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

static int RemoveFolder(void** state) {
    (void)state;
    return nftw(g_folder, RemoveOne, 8, FTW_DEPTH | FTW_PHYS);
}

static int MakeFolder(void** state) {
    (void)state;
    if (mkdtemp(g_folder) == NULL) return -1;
    // with a freeze that nobody answers
    static const char probes[] = "lesson.probes={count: 1, first: 10, spread: 1, questions: 3}";
    Fly("leg_inspection", "novice", probes, "20260101-000001-novice");
    Fly("leg_inspection", "expert", probes, "20260101-000002-expert");
    Fly("check_dive", "novice", "lesson.limit=45", "20260101-000003-jacket");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TheScoreHasTheSameDigits),
        cmocka_unit_test(TheCauseIsWhereThePathPassedBehindThePile),
        cmocka_unit_test(FilesNeedNothingElseAndAreTheSameAgain),
        cmocka_unit_test(ThePageIsOfOnePilot),
        cmocka_unit_test(NamesInThePlanKeepClearOfEachOther),
        cmocka_unit_test(WhatWentBeyondItsBoundIsSummedUp),
        cmocka_unit_test(WhatCannotBeReadIsSaid),
    };
    return cmocka_run_group_tests(tests, MakeFolder, RemoveFolder);
}
