// Every lesson in lessons/: an expert passes, a novice fails for the reason that it teaches, recordings give the same score
// to the last digit and the same state to the bit.
#define _XOPEN_SOURCE 700
#include "hawser/pilot.h"
#include "hawser/query.h"
#include "hawser/sonar.h"
#include "support.h"

#include <dirent.h>
#include <ftw.h>
#include <unistd.h>

// The term that the novice loses most of, or the gate, and what the novice's first hint is about; by lesson.
static const struct {
    const char* lesson;
    int term;
    unsigned gate;
    int hint; // hwHintKind, -1: none
} g_reasons[] = {
    {"first_flight", HW_TERM_TURNS, 0, HW_HINT_WINDING},
    {"drive_the_box", HW_TERM_ERROR, 0, -1},
    {"hover_and_hold", HW_TERM_ERROR, 0, -1},
    {"turns_budget", HW_TERM_TURNS, 0, HW_HINT_WINDING},
    {"follow_the_tether", HW_TERM_ERROR, 0, -1}, // real instruments only
    {"slack_discipline", HW_TERM_SLACK, 0, HW_HINT_SLACK},
    {"same_path_return", HW_TERM_RETURN, 0, HW_HINT_WINDING},
    {"cross_current_pile", HW_TERM_WRAP, 0, HW_HINT_WINDING},
    {"leg_inspection", HW_TERM_WRAP, 0, HW_HINT_WINDING},
    {"pier_weave", HW_TERM_WRAP, 0, HW_HINT_WINDING},
    {"confined_entry", HW_TERM_RETURN, 0, HW_HINT_WINDING},
    {"snag_recovery", HW_TERM_ERROR, 0, HW_HINT_PULL},
    {"check_dive", HW_TERM_RETURN, 0, -1}, // real instruments only
    {"pick_and_place", HW_TERM_ERROR, 0, -1},
    {"mind_the_tether", HW_TERM_SLACK, 0, HW_HINT_SLACK},
    {"plan_view", HW_TERM_RETURN, 0, HW_HINT_SAME_WAY},
    {"splash_zone", HW_TERM_ERROR, 0, -1},  // without hints: the cable is the cage's
    {"sonar_search", HW_TERM_ERROR, 0, -1}, // real instruments only
};
#define LESSON_COUNT ((int)(sizeof(g_reasons) / sizeof(g_reasons[0])))
// Sanitizers make everything ten times slower and learn nothing new from another flight.
#ifdef __SANITIZE_ADDRESS__
#define FLOWN_COUNT 2
#else
#define FLOWN_COUNT LESSON_COUNT
#endif

static char g_folder[] = "/tmp/hawser-lessons-XXXXXX";

static hwScene* Load(const char* lesson) {
    char path[400];
    hwError error;
    snprintf(path, sizeof(path), "%s/lessons/%s.yaml", HAWSER_SOURCE_DIR, lesson);
    hwScene* scene = hwLoadScene(path, &error);
    if (scene == NULL) fail_msg("%s:%d: %s", path, error.line, error.message);
    return scene;
}

static hwFlyResult Fly(const hwScene* scene, const char* lesson, const char* pilot, const char* id) {
    char path[400];
    hwError error;
    snprintf(path, sizeof(path), "%s/lessons/pilots/%s.%s.yaml", HAWSER_SOURCE_DIR, lesson, pilot);
    hwPilotScript* script = hwLoadPilotScript(path, &error);
    if (script == NULL) fail_msg("%s:%d: %s", path, error.line, error.message);
    hwFlyDef def = {.scene = scene, .script = script, .folder = id != NULL ? g_folder : NULL, .id = id};
    hwFlyResult result;
    if (hwFlyLesson(&def, &result, &error) != HW_OK) fail_msg("%s, %s: %s", lesson, pilot, error.message);
    hwDestroyPilotScript(script);
    return result;
}

static void ExpertsPass(void** state) {
    (void)state;
    for (int i = 0; i < FLOWN_COUNT; ++i) {
        hwScene* scene = Load(g_reasons[i].lesson);
        hwFlyResult result = Fly(scene, g_reasons[i].lesson, "expert", NULL);
        print_message("%s: expert %.1f points in %.0f s\n", g_reasons[i].lesson, result.score.score,
                      result.score.time);
        assert_true(result.score.passed);
        // who does it right is left alone; where nobody minds the tether, a snag that is undone leaves it long
        if (strcmp(g_reasons[i].lesson, "snag_recovery") != 0) assert_int_equal(result.hintCount, 0);
        free(result.events);
        hwDestroyScene(scene);
    }
}

static void NovicesFailForTheReason(void** state) {
    (void)state;
    for (int i = 0; i < FLOWN_COUNT; ++i) {
        hwScene* scene = Load(g_reasons[i].lesson);
        const hwLessonDef* def = &hwScene_GetLesson(scene)->def;
        hwFlyResult result = Fly(scene, g_reasons[i].lesson, "novice", NULL);
        print_message("%s: novice %.1f points\n", g_reasons[i].lesson, result.score.score);
        assert_false(result.score.passed);
        assert_int_equal(result.hintCount > 0 ? (int)result.hints[0].kind : -1, g_reasons[i].hint);
        for (int k = 1; k < result.hintCount; ++k)
            assert_true(result.hints[k].time - result.hints[k - 1].time >= 10.0 - 1e-6);
        if (g_reasons[i].gate != 0) {
            assert_true((result.score.gates & g_reasons[i].gate) != 0);
        } else {
            int worst = -1;
            double most = 0.0;
            // the task suffers with everything; the reason is what suffers most besides. Scripts are not asked at freezes.
            for (int term = HW_TERM_TURNS; term < HW_TERM_COUNT; ++term) {
                if (term == HW_TERM_AWARENESS) continue;
                double value = isnan(result.score.terms[term]) ? 0.0 : result.score.terms[term];
                double lost = def->weights[term] * (1.0 - value);
                if (lost > most) worst = term, most = lost;
            }
            assert_int_equal(worst, g_reasons[i].term);
        }
        free(result.events);
        hwDestroyScene(scene);
    }
}

static void RecordingsGiveTheSameScore(void** state) {
    (void)state;
    hwError error;
    hwScene* scene = Load("drive_the_box");
    hwFlyResult flown = Fly(scene, "drive_the_box", "expert", "one");
    char path[200], results[240];
    snprintf(path, sizeof(path), "%s/one", g_folder);
    snprintf(results, sizeof(results), "%s/results.h5", path);
    hwFlight* flight = hwLoadFlight(path, &error);
    assert_non_null(flight);
    const char* text = hwFlight_GetScene(flight);
    hwScene* recorded = hwParseScene(text, strlen(text), "scene.yaml", NULL, &error);
    if (recorded == NULL) fail_msg("%s", error.message);
    hwFlyResult scored, again;
    if (hwScoreFlight(flight, recorded, results, &scored, &error) != HW_OK) fail_msg("%s", error.message);
    hwFlyDef def = {.scene = recorded, .flight = flight};
    if (hwFlyLesson(&def, &again, &error) != HW_OK) fail_msg("%s", error.message);
    // to the bit, terms and all
    assert_memory_equal(&scored.score, &flown.score, sizeof(flown.score));
    assert_memory_equal(&again.score, &flown.score, sizeof(flown.score));
    assert_true(again.hash == flown.hash);
    assert_true(hwFlight_GetInfo(flight)->hash == flown.hash);
    assert_int_equal(scored.eventCount, flown.eventCount);
    free(flown.events);
    free(scored.events);
    free(again.events);
    hwDestroyFlight(flight);
    hwDestroyScene(recorded);
    hwDestroyScene(scene);
}

// The recording tells which hints were given, as marks and as events; whoever wants none has none.
static void HintsAreInTheRecording(void** state) {
    (void)state;
    hwError error;
    hwScene* scene = Load("turns_budget");
    hwFlyResult flown = Fly(scene, "turns_budget", "novice", "hinted");
    assert_true(flown.hintCount >= 2);
    char path[200];
    snprintf(path, sizeof(path), "%s/hinted", g_folder);
    hwFlight* flight = hwLoadFlight(path, &error);
    assert_non_null(flight);
    const char *events = hwFlight_GetEvents(flight), *marks = hwFlight_GetMarks(flight);
    for (int i = 0; i < flown.hintCount; ++i) {
        assert_non_null(strstr(events, flown.hints[i].text));
        assert_non_null(strstr(marks, flown.hints[i].text));
    }
    assert_non_null(strstr(events, "\"hint\""));
    hwDestroyFlight(flight);
    free(flown.events);
    hwDestroyScene(scene);
    char lesson[400];
    snprintf(lesson, sizeof(lesson), "%s/lessons/turns_budget.yaml", HAWSER_SOURCE_DIR);
    scene = hwLoadSceneWith(lesson, 1, (const char* const[]){"lesson.hints=false"}, &error);
    if (scene == NULL) fail_msg("%s", error.message);
    assert_false(hwScene_GetLesson(scene)->hints);
    flown = Fly(scene, "turns_budget", "novice", NULL);
    assert_int_equal(flown.hintCount, 0);
    free(flown.events);
    hwDestroyScene(scene);
}

static hwScene* ParseWithFault(const char* input, hwError* error) {
    char text[600];
    snprintf(text, sizeof(text),
             "hawser: 1\ninclude: round_pool\nname: fault\nvehicles: [{name: rov, model: bluerov2_heavy, "
             "position: [0, 0, -2]}]\n"
             "lesson:\n  par: 3\n  limit: 4\n  weights: {task: 1}\n"
             "  objectives: [{name: seen, conditions: [{channel: rov.failed, above: 1}]}]\n"
             "  faults:\n    - {time: 2, input: '%s', value: 1}\n",
             input);
    return hwParseScene(text, strlen(text), "fault.yaml", NULL, error);
}

// A fault happens at its time; one that names nothing is told before the flight, with its place; what a script cannot do in its
// time is counted.
static void FaultsHappenAndLateActionsAreCounted(void** state) {
    (void)state;
    static const char script[] =
        "hawser_pilot: 1\nactions:\n  - {go: {to: [50, 0, -2], timeout: 1}}\n  - {wait: 10}\n";
    hwError error;
    hwPilotScript* pilot = hwParsePilotScript(script, sizeof(script) - 1, &error);
    hwScene* scene = ParseWithFault("rov.thruster[2].failed", &error);
    if (scene == NULL) fail_msg("%s", error.message);
    hwFlyDef def = {.scene = scene, .script = pilot};
    hwFlyResult result;
    if (hwFlyLesson(&def, &result, &error) != HW_OK) fail_msg("%s", error.message);
    assert_true(result.score.complete);
    assert_close(result.score.doneAt[0], 2.1, 0.11); // the row after the fault; rows are 0.1 s apart
    assert_int_equal(result.timeouts, 1);
    free(result.events);
    hwDestroyScene(scene);
    scene = ParseWithFault("rov.thruster[2].faild", &error);
    assert_non_null(scene);
    def.scene = scene;
    assert_int_equal(hwFlyLesson(&def, &result, &error), HW_ERROR_MODEL);
    assert_int_equal(error.line, 11);
    assert_non_null(strstr(error.message, "rov.thruster[2].faild"));
    free(result.events);
    hwDestroyScene(scene);
    hwDestroyPilotScript(pilot);
}

static void EveryLessonIsInTheTable(void** state) {
    (void)state;
    DIR* folder = opendir(HAWSER_SOURCE_DIR "/lessons");
    assert_non_null(folder);
    struct dirent* entry;
    int count = 0;
    while ((entry = readdir(folder)) != NULL) {
        char* dot = strstr(entry->d_name, ".yaml");
        if (dot == NULL) continue;
        *dot = 0;
        bool known = false;
        for (int i = 0; i < LESSON_COUNT; ++i)
            known = known || strcmp(g_reasons[i].lesson, entry->d_name) == 0;
        if (!known) fail_msg("%s has no row in this test", entry->d_name);
        count += 1;
    }
    closedir(folder);
    assert_int_equal(count, LESSON_COUNT);
}

static hwScene* ParseWithPilot(const char* handler, hwError* error) {
    char text[700];
    snprintf(text, sizeof(text),
             "hawser: 1\ninclude: round_pool\nname: minded\nvehicles: [{name: rov, model: bluerov2_heavy, "
             "position: [0, 0, -2]}]\n"
             "lesson:\n  par: 3\n  limit: 8\n  weights: {task: 1}\n"
             "  objectives: [{name: there, conditions: [{channel: rov.depth, above: 100}]}]\n"
             "  pilot: [{arm: true}, {mode: hold}, {wait: 1}, {go: [0, 1, -2]}, {hold: 60}]\n%s",
             handler);
    return hwParseScene(text, strlen(text), "minded.yaml", NULL, error);
}

// In a lesson for handlers the lesson's own pilot flies, whatever the handler's script waits for; a script that would fly is
// refused with its place, and so is a lesson whose tether minds itself.
static void TheLessonsPilotFliesForHandlers(void** state) {
    (void)state;
    static const char waits[] = "hawser_pilot: 1\nactions:\n  - {wait: 100}\n";
    static const char flies[] = "hawser_pilot: 1\nactions:\n  - {wait: 1}\n  - {go: [5, 0, -2]}\n";
    hwError error;
    assert_null(ParseWithPilot("  handler: auto\n", &error));
    assert_int_equal(error.line, 11);
    hwScene* scene = ParseWithPilot("", &error);
    if (scene == NULL) fail_msg("%s", error.message);
    assert_int_equal(hwScene_GetLesson(scene)->handler, HW_HANDLER_MANUAL);
    hwPilotScript* script = hwParsePilotScript(waits, sizeof(waits) - 1, &error);
    hwFlyDef def = {.scene = scene, .script = script, .folder = g_folder, .id = "minded"};
    hwFlyResult* result = calloc(1, sizeof(*result));
    if (hwFlyLesson(&def, result, &error) != HW_OK) fail_msg("%s", error.message);
    free(result->events);
    char path[200];
    snprintf(path, sizeof(path), "%s/minded/results.h5", g_folder);
    hwResults* rows = hwOpenResults(path, &error);
    assert_non_null(rows);
    int count = hwResults_GetChannelCount(rows), y = hwResults_FindChannel(rows, "rov.position.y");
    double* row = calloc((size_t)count, sizeof(*row));
    assert_int_equal(hwResults_ReadRows(rows, hwResults_GetRowCount(rows) - 1, 1, row, &error), HW_OK);
    assert_close(row[y], 1.0, 0.45); // `go` is done within 0.4 m, and it is held there
    free(row);
    hwCloseResults(rows);
    hwDestroyPilotScript(script);
    script = hwParsePilotScript(flies, sizeof(flies) - 1, &error);
    def = (hwFlyDef){.scene = scene, .script = script};
    assert_int_equal(hwFlyLesson(&def, result, &error), HW_ERROR_MODEL);
    assert_int_equal(error.line, 4);
    assert_non_null(strstr(error.message, "pilot of its own"));
    free(result->events);
    free(result);
    hwDestroyPilotScript(script);
    hwDestroyScene(scene);
}

// From where the sonar lesson wants the pilot to stand still, its three things are in the sonar's picture: what comes from the range
// at which one lies is far more in the beam that meets it than in beams beside it, where there is the bottom alone.
static void TheSonarShowsWhatItsLessonAsksFor(void** state) {
    (void)state;
    hwError error;
    hwScene* scene = Load("sonar_search");
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    assert_int_equal(hwWorld_UpdateQueries(world, &error), HW_OK);
    const hwLessonDef* def = &hwScene_GetLesson(scene)->def;
    hwSonarDef sonar = hwDefaultSonarDef();
    sonar.speckle = sonar.floor = 0.0;
    float* image = calloc((size_t)sonar.beams * (size_t)sonar.bins, sizeof(*image));
    int looks = 0;
    for (int i = 0; i < def->objectiveCount; ++i) {
        const hwLessonObjective* o = &def->objectives[i];
        if (!o->step) continue;
        double range = 0.5 * (o->lookNear + o->lookFar);
        sonar.position = hwAdd(o->lookAt, hwMakeVec3(-range, 0.0, 0.6)); // as deep as the expert flies
        if (hwWorld_PingSonar(world, &sonar, 1, image, &error) != HW_OK) fail_msg("%s", error.message);
        double most[3] = {0.0, 0.0, 0.0}; // ahead, and 25 degrees to either side
        for (int beam = 0; beam < sonar.beams; ++beam) {
            double bearing = hwSonar_GetBearing(&sonar, beam) * 180.0 / HW_PI;
            int which = fabs(bearing) < 2.0          ? 0
                        : fabs(bearing + 25.0) < 2.0 ? 1
                        : fabs(bearing - 25.0) < 2.0 ? 2
                                                     : -1;
            double sum = 0.0;
            for (int bin = 0; which >= 0 && bin < sonar.bins; ++bin) {
                if (fabs(hwSonar_GetRange(&sonar, bin) - range) < 0.7)
                    sum += (double)image[beam * sonar.bins + bin];
            }
            if (which >= 0) most[which] = fmax(most[which], sum);
        }
        print_message("%s: %.3f in its beam, %.3f and %.3f beside it\n", o->name, most[0], most[1], most[2]);
        // 6 dB: what an operator sees through speckle
        assert_true(most[0] > 4.0 * fmax(most[1], most[2]));
        looks += 1;
    }
    assert_int_equal(looks, 3);
    free(image);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
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
    return mkdtemp(g_folder) != NULL ? 0 : -1;
}

static hwScene* ParseWithProbes(const char* probes, hwError* error) {
    char text[700];
    snprintf(text, sizeof(text),
             "hawser: 1\ninclude: round_pool\nname: asked\nvehicles: [{name: rov, model: bluerov2_heavy, "
             "position: [0, 0, -2]}]\n"
             "lesson:\n  par: 3\n  limit: 2\n  weights: {task: 0.5, awareness: 0.5}\n"
             "  objectives: [{name: deep, conditions: [{channel: rov.depth, above: 100}]}]\n%s",
             probes);
    return hwParseScene(text, strlen(text), "asked.yaml", NULL, error);
}

// Probes are checked with their place; a script is not asked, so that its freezes count as not answered.
static void ProbesAreCheckedAndCountWithoutAnswer(void** state) {
    (void)state;
    hwError error;
    assert_null(ParseWithProbes("  probes: {count: 2, spacing: 0}\n", &error));
    assert_int_equal(error.line, 10);
    assert_int_equal(error.column, 31);
    assert_null(ParseWithProbes("  probes: {first: 3}\n", &error));
    assert_non_null(strstr(error.message, "count"));
    hwFlyResult* result = calloc(1, sizeof(*result));
    hwScene* scene = ParseWithProbes("", &error);
    assert_non_null(scene);
    hwFlyDef def = {.scene = scene};
    assert_int_equal(hwFlyLesson(&def, result, &error), HW_ERROR_MODEL);
    assert_int_equal(error.line, 8);
    assert_non_null(strstr(error.message, "has no `probes`"));
    hwDestroyScene(scene);
    scene = ParseWithProbes("  probes: {count: 1, first: 1, spread: 0.5, questions: 3}\n", &error);
    if (scene == NULL) fail_msg("%s", error.message);
    hwScene_SetSolver(scene, HW_SOLVER_REALTIME);
    def.scene = scene;
    if (hwFlyLesson(&def, result, &error) != HW_OK) fail_msg("%s", error.message);
    assert_int_equal(result->probeCount, 1);
    assert_false(result->probes[0].answered);
    assert_int_equal(result->probes[0].probe.itemCount, 3);
    assert_close(result->score.terms[HW_TERM_AWARENESS], 0.0, 0.0);
    free(result->events);
    free(result);
    hwDestroyScene(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryLessonIsInTheTable),
        cmocka_unit_test(FaultsHappenAndLateActionsAreCounted),
        cmocka_unit_test(ProbesAreCheckedAndCountWithoutAnswer),
        cmocka_unit_test(TheLessonsPilotFliesForHandlers),
        cmocka_unit_test(TheSonarShowsWhatItsLessonAsksFor),
        cmocka_unit_test(ExpertsPass),
        cmocka_unit_test(NovicesFailForTheReason),
        cmocka_unit_test(RecordingsGiveTheSameScore),
        cmocka_unit_test(HintsAreInTheRecording),
    };
    return cmocka_run_group_tests(tests, MakeFolder, RemoveFolder);
}
