// Lessons flown without a clock, and scores of flights.
#include "live_internal.h"

#include "hawser/cable.h"
#include "hawser/pilot.h"
#include "hawser/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLY_STEP (1.0 / 60.0) // s, as in the trainer
#define FLY_LOOK 6            // steps between looks of pilot and handler, and between rows

typedef struct Fly {
    const hwFlyDef* def;
    const hwLessonInfo* lesson;
    hwWorld* world;
    hwScorer* scorer;
    hwHinter* hinter; // null: no hints
    hwFlyResult* result;
    hwFlightWriter* writer;
    hwPilot* pilot;    // the script; in a lesson for handlers: the handler's
    hwPilot* flown;    // the lesson's own pilot, or null
    hwInputEvent* log; // of a flight that is flown again
    size_t logCount, logNext;
    int channelCount, *channels;
    unsigned char* rounding;
    double* row;
    uint64_t steps;
    int winch, length, tension, endA[3], endB[3];
    int faultNext;
    double start, longest;
    hwError error;
} Fly;

static hwStatus ApplyInput(Fly* fly, int input, double value, hwError* error) {
    if (hwWorld_ReadInput(fly->world, input) == value) return HW_OK;
    hwStatus status = hwWorld_SetInput(fly->world, input, value, error);
    hwInputEvent event = {fly->steps, input, value};
    if (status == HW_OK && fly->writer != NULL) hwFlightWriter_AddInput(fly->writer, fly->world, &event);
    return status;
}

static hwStatus SetForPilot(int input, double value, void* context) {
    Fly* fly = context;
    return ApplyInput(fly, input, value, &fly->error);
}

// A handler has no hold on the vehicle.
static hwStatus SetForHandler(int input, double value, void* context) {
    Fly* fly = context;
    const char *name = hwWorld_GetInput(fly->world, input).name, *vehicle = fly->lesson->def.vehicle;
    size_t length = strlen(vehicle);
    if (strncmp(name, vehicle, length) == 0 && name[length] == '.') return HW_OK;
    return ApplyInput(fly, input, value, &fly->error);
}

static bool CheckHandler(const hwPilotScript* script, hwError* error) {
    int count;
    const hwPilotAction* actions = hwPilotScript_GetActions(script, &count);
    for (int i = 0; i < count; ++i) {
        hwPilotActionKind kind = actions[i].kind;
        if (kind == HW_PILOT_WAIT || kind == HW_PILOT_TETHER || kind == HW_PILOT_SET) continue;
        hwLiveFail(error, HW_ERROR_MODEL,
                   "the lesson has a pilot of its own: its handler's script has `wait`, `tether`, `handler` "
                   "and `set`");
        error->line = actions[i].line;
        error->column = actions[i].column;
        return false;
    }
    return true;
}

// Rows -----------------------------------------------------------------------------------------------------------------

static bool MakeScorer(Fly* fly, hwError* error) {
    int total = hwWorld_GetChannelCount(fly->world);
    fly->channels = calloc((size_t)total + 1, sizeof(*fly->channels));
    fly->row = calloc((size_t)total + 1, sizeof(*fly->row));
    fly->rounding = calloc((size_t)total + 1, sizeof(*fly->rounding));
    const char** names = calloc((size_t)total + 1, sizeof(*names));
    bool good = fly->channels != NULL && fly->row != NULL && fly->rounding != NULL && names != NULL;
    if (!good) hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for a lesson");
    if (good) {
        fly->channelCount = hwSelectFlightChannels(fly->world, fly->channels);
        hwGetFlightRounding(fly->world, fly->channelCount, fly->channels, fly->rounding);
        for (int i = 0; i < fly->channelCount; ++i)
            names[i] = hwWorld_GetChannel(fly->world, fly->channels[i]).name;
        fly->scorer = hwScene_CreateScorer(fly->def->scene, fly->channelCount, names, error);
        good = fly->scorer != NULL;
    }
    if (good && fly->lesson->hints && fly->lesson->def.cable != NULL) {
        hwHinterDef def = hwLesson_MakeHinterDef(fly->lesson);
        fly->hinter = hwCreateHinter(&def, fly->channelCount, names, error);
        good = fly->hinter != NULL;
    }
    free(names);
    return good;
}

// A script reads no hints; they are kept with the recording, as in the trainer.
static void KeepHint(Fly* fly) {
    hwHint hint;
    if (fly->hinter == NULL || !hwHinter_AddRow(fly->hinter, fly->row, &hint)) return;
    hwFlyResult* result = fly->result;
    if (result->hintCount < HW_FLY_MAX_HINTS) result->hints[result->hintCount++] = hint;
    if (fly->writer == NULL) return;
    hwFlightWriter_AddHint(fly->writer, &hint);
}

static bool AddRow(Fly* fly, hwError* error) {
    hwReadFlightRow(fly->world, fly->channelCount, fly->channels, fly->rounding, fly->row);
    KeepHint(fly);
    if (hwScorer_AddRow(fly->scorer, fly->row) == HW_OK) return true;
    hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for a score");
    return false;
}

// The handler ----------------------------------------------------------------------------------------------------------

static int Find(const hwWorld* world, const char* object, const char* name) {
    char text[200];
    snprintf(text, sizeof(text), "%s.%s", object, name);
    return hwWorld_FindChannel(world, text);
}

static void FindTether(Fly* fly) {
    static const char* const nodes[3] = {"node[0].position.x", "node[0].position.y", "node[0].position.z"};
    static const char* const places[3] = {"position.x", "position.y", "position.z"};
    const hwLessonDef* def = &fly->lesson->def;
    fly->winch = -1;
    if (def->cable == NULL || def->winch == NULL) return;
    char text[200];
    snprintf(text, sizeof(text), "%s.setpoint", def->winch);
    fly->winch = hwWorld_FindInput(fly->world, text);
    fly->length = Find(fly->world, def->cable, "length");
    fly->tension = Find(fly->world, def->vehicle, "tether.tension");
    for (int i = 0; i < 3; ++i) {
        fly->endA[i] = Find(fly->world, def->cable, nodes[i]);
        fly->endB[i] = Find(fly->world, def->vehicle, places[i]);
    }
    hwWinchId ids[64];
    int count = hwWorld_GetWinches(fly->world, 64, ids);
    fly->longest = (double)INFINITY;
    for (int i = 0; i < count && i < 64; ++i) {
        const hwWinchDef* winch = hwWinch_GetDef(fly->world, ids[i]);
        if (winch->name != NULL && strcmp(winch->name, def->winch) == 0 && winch->longest > 0.0)
            fly->longest = winch->longest;
    }
}

static hwVec3 ReadVector(const Fly* fly, const int channels[3]) {
    return hwMakeVec3(hwWorld_ReadChannel(fly->world, channels[0]),
                      hwWorld_ReadChannel(fly->world, channels[1]),
                      hwWorld_ReadChannel(fly->world, channels[2]));
}

static void MindTether(Fly* fly) {
    double asked = fly->pilot != NULL ? hwPilot_GetTetherRate(fly->pilot) : (double)NAN;
    if (fly->winch < 0 || (isnan(asked) && fly->lesson->handler != HW_HANDLER_AUTO)) return;
    hwHandlerView view = {.length = hwWorld_ReadChannel(fly->world, fly->length),
                          .straight = hwDistance(ReadVector(fly, fly->endA), ReadVector(fly, fly->endB)),
                          .tension = hwWorld_ReadChannel(fly->world, fly->tension),
                          .longest = fly->longest,
                          .interval = FLY_LOOK * FLY_STEP};
    double rate = isnan(asked) ? hwHandler_ChooseRate(&view) : asked;
    ApplyInput(fly, fly->winch, hwHandler_LimitRate(&view, rate), NULL);
}

// Flying ---------------------------------------------------------------------------------------------------------------

static bool MakeFaults(Fly* fly, hwError* error) {
    double passed = hwWorld_GetTime(fly->world) - fly->start;
    for (; fly->faultNext < fly->lesson->faultCount; ++fly->faultNext) {
        const hwLessonFault* fault = &fly->lesson->faults[fly->faultNext];
        if (fault->time > passed + 0.5 * FLY_STEP) break;
        int input = hwWorld_FindInput(fly->world, fault->input);
        if (ApplyInput(fly, input, fault->value, error) != HW_OK) return false;
        if (fly->writer != NULL && fault->text != NULL)
            hwFlightWriter_AddMark(fly->writer, hwWorld_GetTime(fly->world), "info", fault->text);
    }
    return true;
}

// What happens before a step: inputs of a recording, or faults, pilot and handler.
static bool Act(Fly* fly, bool* done, hwError* error) {
    if (fly->log != NULL) {
        for (; fly->logNext < fly->logCount && fly->log[fly->logNext].step <= fly->steps; ++fly->logNext) {
            const hwInputEvent* event = &fly->log[fly->logNext];
            if (ApplyInput(fly, event->input, event->value, error) != HW_OK) return false;
        }
        return true;
    }
    if (!MakeFaults(fly, error)) return false;
    if (fly->steps % FLY_LOOK != 0) return true;
    // in a lesson for handlers the pilot's end is the end, not the handler's
    if (fly->flown != NULL && !hwPilot_Act(fly->flown, fly->world, SetForPilot, fly)) *done = true;
    bool over = fly->pilot != NULL &&
                !hwPilot_Act(fly->pilot, fly->world, fly->flown != NULL ? SetForHandler : SetForPilot, fly);
    if (over && fly->flown == NULL) *done = true;
    if (fly->error.status != HW_OK) {
        if (error != NULL) *error = fly->error;
        return false;
    }
    MindTether(fly);
    return true;
}

static bool IsStopped(const Fly* fly) {
    const hwFlyDef* def = fly->def;
    double time = (double)fly->steps * FLY_STEP;
    return def->progress != NULL && !def->progress(time, fly->lesson->def.limit, def->context);
}

static hwStatus FlyOn(Fly* fly, hwError* error) {
    uint64_t last = fly->def->flight != NULL ? hwFlight_GetInfo(fly->def->flight)->steps : UINT64_MAX;
    if (!AddRow(fly, error)) return HW_ERROR_MEMORY;
    for (bool done = false;;) {
        hwScore score;
        bool look = fly->steps % FLY_LOOK == 0;
        if (look) {
            hwScorer_GetScore(fly->scorer, &score);
            // a recording is flown to its end, where the hash of its state was taken
            if (score.over && fly->def->flight == NULL) return HW_OK;
            if (IsStopped(fly)) return hwLiveFail(error, HW_ERROR_STOPPED, "the lesson was stopped");
        }
        if (!Act(fly, &done, error)) return error != NULL ? error->status : HW_ERROR_MODEL;
        if (done || fly->steps >= last) return HW_OK;
        hwStatus status = hwWorld_Step(fly->world, FLY_STEP, error);
        if (status < HW_OK) return status;
        fly->steps += 1;
        if (fly->writer != NULL) hwFlightWriter_AddStep(fly->writer, fly->world, fly->steps);
        if (fly->steps % FLY_LOOK == 0 && !AddRow(fly, error)) return HW_ERROR_MEMORY;
    }
}

static bool StartRecording(Fly* fly, hwError* error) {
    if (fly->def->folder == NULL) return true;
    char* text = hwScene_WriteText(fly->def->scene);
    hwFlightDef def = hwDefaultFlightDef();
    def.folder = fly->def->folder;
    def.scene = text;
    def.info.step = FLY_STEP;
    def.interval = FLY_LOOK * FLY_STEP;
    snprintf(def.info.id, sizeof(def.info.id), "%.47s", fly->def->id);
    snprintf(def.info.title, sizeof(def.info.title), "%.127s", fly->lesson->title);
    snprintf(def.info.vehicle, sizeof(def.info.vehicle), "%.63s", fly->lesson->def.vehicle);
    snprintf(def.info.surroundings, sizeof(def.info.surroundings), "%.63s",
             hwScene_GetInfo(fly->def->scene)->name);
    if (text != NULL) {
        fly->writer = hwCreateFlightWriter(&def, fly->world, error);
    } else {
        hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for a recording");
    }
    free(text);
    return fly->writer != NULL;
}

static void CopyEvents(const hwScorer* scorer, hwFlyResult* result) {
    const hwLessonEvent* events = hwScorer_GetEvents(scorer, &result->eventCount);
    result->events = malloc(((size_t)result->eventCount + 1) * sizeof(*events));
    if (result->events == NULL) {
        result->eventCount = 0;
        return;
    }
    memcpy(result->events, events, (size_t)result->eventCount * sizeof(*events));
}

// Freezes that happened.
static void CopyProbes(const hwScorer* scorer, hwFlyResult* result) {
    for (int i = 0; i < HW_LESSON_MAX_PROBES; ++i) {
        if (!hwScorer_GetProbe(scorer, i, &result->probes[i]) || !result->probes[i].asked) return;
        result->probeCount = i + 1;
    }
}

static void Release(Fly* fly) {
    hwDestroyFlightWriter(fly->writer);
    hwDestroyPilot(fly->pilot);
    hwDestroyPilot(fly->flown);
    hwDestroyScorer(fly->scorer);
    hwDestroyHinter(fly->hinter);
    hwDestroyWorld(fly->world);
    free(fly->log);
    free(fly->channels);
    free(fly->rounding);
    free(fly->row);
}

static bool Prepare(Fly* fly, hwError* error) {
    const hwFlyDef* def = fly->def;
    fly->lesson = hwScene_GetLesson(def->scene);
    if (fly->lesson == NULL) {
        hwLiveFail(error, HW_ERROR_MODEL, "the scene has no `lesson`");
        return false;
    }
    fly->world = hwScene_CreateWorld(def->scene, NULL, error);
    if (fly->world == NULL || hwWorld_BuildUp(fly->world, error) != HW_OK ||
        hwScene_CheckFaults(def->scene, fly->world, error) != HW_OK || !MakeScorer(fly, error))
        return false;
    fly->start = hwWorld_GetTime(fly->world);
    FindTether(fly);
    if (fly->lesson->pilot != NULL && def->flight == NULL) {
        fly->flown = hwCreatePilot(fly->lesson->pilot, fly->world, fly->lesson->def.vehicle, error);
        if (fly->flown == NULL || (def->script != NULL && !CheckHandler(def->script, error))) return false;
    }
    if (def->script != NULL) {
        fly->pilot = hwCreatePilot(def->script, fly->world, fly->lesson->def.vehicle, error);
        if (fly->pilot == NULL) return false;
    }
    if (def->flight != NULL) {
        const hwFlightInfo* info = hwFlight_GetInfo(def->flight);
        if (fabs(info->step - FLY_STEP) > 1e-12) {
            hwLiveFail(error, HW_ERROR_FORMAT, "the flight was recorded with another length of step");
            return false;
        }
        fly->log = hwFlight_ResolveLog(def->flight, fly->world, info->steps, &fly->logCount, error);
        if (fly->log == NULL) return false;
    }
    return StartRecording(fly, error);
}

hwStatus hwFlyLesson(const hwFlyDef* def, hwFlyResult* result, hwError* error) {
    memset(result, 0, sizeof(*result));
    hwError own;
    if (error == NULL) error = &own;
    Fly fly = {.def = def, .result = result};
    if (!Prepare(&fly, error)) {
        hwStatus status = error->status;
        Release(&fly);
        return status;
    }
    hwStatus status = FlyOn(&fly, error);
    if (status == HW_OK && def->flight != NULL)
        status = hwFlight_AnswerProbes(def->flight, fly.scorer, error);
    CopyProbes(fly.scorer, result);
    hwScorer_GetScore(fly.scorer, &result->score);
    CopyEvents(fly.scorer, result);
    result->duration = (double)fly.steps * FLY_STEP;
    result->hash = hwHashFlight(fly.world);
    result->timeouts = fly.pilot != NULL ? hwPilot_GetTimeouts(fly.pilot) : 0;
    if (fly.writer != NULL) {
        hwError failure;
        const char* reason = status == HW_OK ? NULL : error->message;
        hwStatus finished = hwFlightWriter_Finish(fly.writer, fly.world, fly.steps, reason, &failure);
        if (status == HW_OK && finished != HW_OK) {
            status = finished;
            *error = failure;
        }
    }
    Release(&fly);
    return status;
}

hwStatus hwScoreFlight(const hwFlight* flight, const hwScene* scene, const char* results, hwFlyResult* result,
                       hwError* error) {
    memset(result, 0, sizeof(*result));
    hwResults* rows = hwOpenResults(results, error);
    if (rows == NULL) return error != NULL ? error->status : HW_ERROR_FILE;
    int count = hwResults_GetChannelCount(rows);
    const char** names = calloc((size_t)count + 1, sizeof(*names));
    double* row = calloc((size_t)count + 1, sizeof(*row));
    for (int i = 0; names != NULL && i < count; ++i) names[i] = hwResults_GetChannel(rows, i).name;
    hwStatus status = HW_OK;
    hwScorer* scorer = NULL;
    if (names == NULL || row == NULL) {
        status = hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for a score");
    } else {
        scorer = hwScene_CreateScorer(scene, count, names, error);
        if (scorer == NULL) status = error != NULL ? error->status : HW_ERROR_MODEL;
    }
    for (int64_t i = 0; status == HW_OK && i < hwResults_GetRowCount(rows); ++i) {
        status = hwResults_ReadRows(rows, i, 1, row, error);
        if (status == HW_OK) status = hwScorer_AddRow(scorer, row);
    }
    if (status == HW_OK) status = hwFlight_AnswerProbes(flight, scorer, error);
    if (status == HW_OK) {
        hwScorer_GetScore(scorer, &result->score);
        CopyEvents(scorer, result);
        CopyProbes(scorer, result);
        result->duration = hwFlight_GetInfo(flight)->duration;
        result->hash = hwFlight_GetInfo(flight)->hash;
    }
    hwDestroyScorer(scorer);
    free(names);
    free(row);
    hwCloseResults(rows);
    return status;
}
