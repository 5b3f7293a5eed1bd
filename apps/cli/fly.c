// hawser fly and hawser score: lessons flown without hands, and scores that anyone can compute again.
#define _XOPEN_SOURCE 700
#include "apps/cli/cli.h"
#include "apps/server/server.h"
#include "hawser/pilot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { OPTION_PILOT, OPTION_JSON, OPTION_FLIGHTS, OPTION_NO_RECORD, OPTION_SET };
enum { SCORE_JSON, SCORE_VERIFY, SCORE_FLIGHTS };

static const hwOption g_flyOptions[] = {
    {"pilot", 0, "FILE", "a pilot's script (.yaml), or a recorded flight whose inputs are flown again"},
    {"json", 0, NULL, "print the score as JSON"},
    {"flights", 0, "DIR", "folder of recordings; default: ~/.local/share/hawser/flights"},
    {"no-record", 0, NULL, "leave no recording"},
    HW_SET_OPTION,
    {0},
};

static const hwOption g_scoreOptions[] = {
    {"json", 0, NULL, "print the score as JSON"},
    {"verify", 0, NULL, "fly the recorded inputs again and compare score and state with the recording"},
    {"flights", 0, "DIR", "folder of recordings; default: ~/.local/share/hawser/flights"},
    {0},
};

// Telling --------------------------------------------------------------------------------------------------------------

static void PutJsonTerms(const hwLessonDef* def, const hwScore* score) {
    printf("  \"terms\": [\n");
    for (int i = 0, first = 1; i < HW_TERM_COUNT; ++i) {
        if (!(def->weights[i] > 0.0)) continue;
        printf("%s    {\"name\": \"%s\", \"weight\": ", first ? "" : ",\n",
               hwLessonTerm_GetName((hwLessonTerm)i));
        hwCli_PutJsonNumber(stdout, def->weights[i]);
        printf(", \"value\": ");
        hwCli_PutJsonNumber(stdout, score->terms[i]);
        printf(", \"measure\": ");
        hwCli_PutJsonNumber(stdout, score->measures[i]);
        printf("}");
        first = 0;
    }
    printf("\n  ],\n");
}

// Freezes: what was asked, answered and so, and the points.
static void PutJsonProbes(const hwFlyResult* result) {
    if (result->probeCount == 0) return;
    printf("  \"probes\": [\n");
    for (int k = 0; k < result->probeCount; ++k) {
        const hwProbeResult* probe = &result->probes[k];
        printf("    {\"time\": ");
        hwCli_PutJsonNumber(stdout, probe->time);
        printf(", \"answered\": %s, \"confidence\": ", probe->answered ? "true" : "false");
        hwCli_PutJsonNumber(stdout, probe->answer.confidence);
        printf(", \"items\": [");
        for (int i = 0; i < probe->probe.itemCount; ++i) {
            hwProbeItem item = probe->probe.items[i];
            printf("%s{\"item\": \"%s\", \"level\": %d, \"answer\": ", i > 0 ? ", " : "",
                   hwProbeItem_GetName(item), hwProbeItem_GetLevel(item));
            hwCli_PutJsonNumber(stdout, probe->answer.values[item]);
            printf(", \"truth\": ");
            hwCli_PutJsonNumber(stdout, probe->truth[item]);
            printf(", \"points\": ");
            hwCli_PutJsonNumber(stdout, probe->points[item]);
            printf("}");
        }
        printf("]}%s\n", k + 1 < result->probeCount ? "," : "");
    }
    printf("  ],\n");
}

static void PutJson(const hwLessonInfo* lesson, const hwFlyResult* result, const char* flight,
                    const char* version, const char* verified) {
    const hwScore* score = &result->score;
    printf("{\n  \"lesson\": ");
    hwCli_PutJsonString(stdout, lesson->title);
    printf(",\n  \"flight\": ");
    hwCli_PutJsonString(stdout, flight);
    printf(",\n  \"version\": ");
    hwCli_PutJsonString(stdout, version);
    printf(",\n  \"score\": ");
    hwCli_PutJsonNumber(stdout, score->score);
    printf(",\n  \"passed\": %s,\n  \"complete\": %s,\n  \"time\": ", score->passed ? "true" : "false",
           score->complete ? "true" : "false");
    hwCli_PutJsonNumber(stdout, score->time);
    printf(",\n");
    PutJsonTerms(&lesson->def, score);
    printf("  \"objectives\": [\n");
    for (int i = 0; i < lesson->def.objectiveCount; ++i) {
        printf("    {\"name\": ");
        hwCli_PutJsonString(stdout, lesson->def.objectives[i].name);
        printf(", \"done\": ");
        hwCli_PutJsonNumber(stdout, score->doneAt[i]);
        printf("}%s\n", i + 1 < lesson->def.objectiveCount ? "," : "");
    }
    printf("  ],\n  \"hits\": %d,\n  \"gates\": [", score->hits);
    for (unsigned i = 0, first = 1; i < HW_GATE_COUNT; ++i) {
        if ((score->gates & (1u << i)) == 0) continue;
        printf(first ? "" : ", ");
        hwCli_PutJsonString(stdout, hwLessonGate_GetText(1u << i));
        first = 0;
    }
    printf("],\n");
    PutJsonProbes(result);
    printf("  \"given_up\": %d,\n  \"events\": [\n", result->timeouts);
    for (int i = 0; i < result->eventCount; ++i) {
        char text[160];
        hwLessonEvent_Describe(&lesson->def, &result->events[i], text, sizeof(text));
        printf("    {\"time\": ");
        hwCli_PutJsonNumber(stdout, result->events[i].time);
        printf(", \"kind\": \"%s\", \"text\": ", hwLessonEvent_GetKind(result->events[i].kind));
        hwCli_PutJsonString(stdout, text);
        printf("}%s\n", i + 1 < result->eventCount ? "," : "");
    }
    printf("  ],\n");
    if (verified != NULL) printf("  \"verified\": %s,\n", verified);
    printf("  \"hash\": \"0x%016llx\"\n}\n", (unsigned long long)result->hash);
}

static void PutText(const hwLessonInfo* lesson, const hwFlyResult* result) {
    const hwScore* score = &result->score;
    printf("%s: %s with %.1f points\n", lesson->title, score->passed ? "passed" : "not passed", score->score);
    for (int i = 0; i < HW_TERM_COUNT; ++i) {
        if (!(lesson->def.weights[i] > 0.0)) continue;
        char text[100];
        hwLessonTerm_Describe(&lesson->def, (hwLessonTerm)i, score->measures[i], text, sizeof(text));
        double value = isnan(score->terms[i]) ? 0.0 : score->terms[i];
        printf("  %-10s %5.1f of %-5g %s\n", hwLessonTerm_GetName((hwLessonTerm)i),
               100.0 * lesson->def.weights[i] * value, 100.0 * lesson->def.weights[i], text);
    }
    if (score->hits > 0)
        printf("  %-10s %5.1f       %d of the hull\n", "hits", -5.0 * score->hits, score->hits);
    for (unsigned i = 0; i < HW_GATE_COUNT; ++i) {
        if ((score->gates & (1u << i)) != 0)
            printf("  %-10s at most 49  %s\n", "gate", hwLessonGate_GetText(1u << i));
    }
    for (int i = 0; i < result->eventCount; ++i) {
        char text[160];
        hwLessonEvent_Describe(&lesson->def, &result->events[i], text, sizeof(text));
        printf("  %8.1f s  %s\n", result->events[i].time, text);
    }
}

// Flights --------------------------------------------------------------------------------------------------------------

static void GetFolder(const char* chosen, char* folder, size_t size) {
    if (chosen != NULL) {
        snprintf(folder, size, "%s", chosen);
    } else {
        hwWebServer_GetFlightsFolder(folder, size);
    }
}

// Names are the time of the start; a number follows when two begin in one second.
static void ChooseId(const char* folder, char* id, size_t size) {
    time_t now = time(NULL);
    struct tm utc;
    char stamp[32], path[1000];
    gmtime_r(&now, &utc);
    strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &utc);
    struct stat info;
    for (int i = 1; i < 10000; ++i) {
        snprintf(id, size, "%s-f%d", stamp, i);
        snprintf(path, sizeof(path), "%.900s/%.60s", folder, id);
        if (stat(path, &info) != 0) return;
    }
}

static bool IsFolder(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool OnProgress(double time, double limit, void* context) {
    (void)time;
    (void)limit;
    return !hwCli_IsStopped(context);
}

static int Fly(const hwArguments* arguments) {
    const char* const* values = arguments->values;
    hwCli_CatchSignals();
    hwError error;
    const char* path = arguments->operands[0];
    char folder[700], id[48] = "";
    GetFolder(values[OPTION_FLIGHTS], folder, sizeof(folder));
    ChooseId(folder, id, sizeof(id));
    hwScene* scene = hwLoadSceneWith(path, arguments->setCount, arguments->sets, &error);
    if (scene == NULL) return hwCli_PrintError(path, &error);
    hwScene_SetSolver(scene, HW_SOLVER_REALTIME);
    hwFlyDef def = {.scene = scene, .progress = OnProgress, .id = id};
    if (values[OPTION_NO_RECORD] == NULL) def.folder = folder;
    hwPilotScript* script = NULL;
    hwFlight* flight = NULL;
    const char* pilot = values[OPTION_PILOT];
    if (pilot != NULL && IsFolder(pilot)) {
        def.flight = flight = hwLoadFlight(pilot, &error);
    } else if (pilot != NULL) {
        def.script = script = hwLoadPilotScript(pilot, &error);
    }
    hwFlyResult result = {0};
    int status;
    if (pilot != NULL && script == NULL && flight == NULL) {
        status = hwCli_PrintError(pilot, &error);
    } else if (pilot == NULL) {
        hwCli_Complain("Give --pilot FILE, or fly it yourself: hawser train LESSON.",
                       "A lesson needs a pilot.");
        status = EXIT_USAGE;
    } else if (hwFlyLesson(&def, &result, &error) != HW_OK) {
        status = hwCli_PrintError(path, &error);
    } else {
        status = EXIT_GOOD;
        const hwLessonInfo* lesson = hwScene_GetLesson(scene);
        if (values[OPTION_JSON] != NULL) {
            PutJson(lesson, &result, def.folder != NULL ? id : "", hwGetVersion(), NULL);
        } else {
            PutText(lesson, &result);
            if (result.timeouts > 0)
                printf("  pilot     gave up %d actions of the script after their time\n", result.timeouts);
            if (def.folder != NULL) printf("  flight    %s/%s\n", folder, id);
        }
    }
    free(result.events);
    hwDestroyFlight(flight);
    hwDestroyPilotScript(script);
    hwDestroyScene(scene);
    return status;
}

// True when the inputs lead to the recorded state and the same score.
static bool Verify(const hwFlight* flight, const hwScene* scene, const hwFlyResult* recorded,
                   hwError* error) {
    const hwFlightInfo* info = hwFlight_GetInfo(flight);
    hwFlyDef def = {.scene = scene, .flight = flight, .progress = OnProgress};
    hwFlyResult again;
    bool good = hwFlyLesson(&def, &again, error) == HW_OK;
    if (good) {
        error->status = HW_OK;
        good = info->hashed && again.hash == info->hash && again.score.score == recorded->score.score;
    }
    free(again.events);
    return good;
}

static int Score(const hwArguments* arguments) {
    const char* const* values = arguments->values;
    char path[1100], results[1200], folder[700];
    hwError error;
    hwCli_CatchSignals();
    snprintf(path, sizeof(path), "%s", arguments->operands[0]);
    GetFolder(values[SCORE_FLIGHTS], folder, sizeof(folder));
    if (!IsFolder(path)) snprintf(path, sizeof(path), "%.690s/%.300s", folder, arguments->operands[0]);
    hwFlight* flight = hwLoadFlight(IsFolder(path) ? path : arguments->operands[0], &error);
    if (flight == NULL) return hwCli_PrintError(NULL, &error);
    const char* text = hwFlight_GetScene(flight);
    hwScene* scene = hwParseScene(text, strlen(text), "scene.yaml", path, &error);
    hwFlyResult result = {0};
    snprintf(results, sizeof(results), "%s/results.h5", path);
    int status = EXIT_GOOD;
    if (scene == NULL || hwScoreFlight(flight, scene, results, &result, &error) != HW_OK) {
        status = hwCli_PrintError(path, &error);
    } else {
        const hwLessonInfo* lesson = hwScene_GetLesson(scene);
        const char* verified = NULL;
        error.status = HW_OK;
        hwScene_SetSolver(scene, HW_SOLVER_REALTIME);
        if (values[SCORE_VERIFY] != NULL)
            verified = Verify(flight, scene, &result, &error) ? "true" : "false";
        if (error.status != HW_OK) {
            status = hwCli_PrintError(path, &error);
        } else if (values[SCORE_JSON] != NULL) {
            PutJson(lesson, &result, hwFlight_GetInfo(flight)->id, hwFlight_GetInfo(flight)->version,
                    verified);
        } else {
            PutText(lesson, &result);
            if (verified != NULL)
                printf("  verified  %s\n", verified[0] == 't' ? "the inputs lead to this state and score"
                                                              : "NO: the inputs lead elsewhere");
        }
        if (verified != NULL && verified[0] == 'f') status = EXIT_FAILED;
    }
    free(result.events);
    hwDestroyScene(scene);
    hwDestroyFlight(flight);
    return status;
}

const hwCommand hwCommand_Fly = {
    .name = "fly",
    .operands = "LESSON",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "fly a lesson with a scripted or recorded pilot",
    .details = "LESSON is a scene with a section `lesson`, see docs/lessons.md. The flight is recorded like "
               "one of the\n"
               "trainer's; \"hawser score\" and \"hawser replay\" read it. Status 0 also when the lesson was "
               "not passed.",
    .options = g_flyOptions,
    .run = Fly,
};

const hwCommand hwCommand_Score = {
    .name = "score",
    .operands = "FLIGHT",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "compute the score of a recorded lesson again",
    .details =
        "FLIGHT is a flight's folder or its name. The score comes from the recorded rows alone. With "
        "--verify the\n"
        "recorded inputs are flown again; status 1 when they do not lead to the recorded state and score.",
    .options = g_scoreOptions,
    .run = Score,
};
