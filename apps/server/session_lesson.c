// A lesson in a session: its rows are scored as they are recorded, its faults happen, the page is told how it stands.
#define _POSIX_C_SOURCE 200809L
#include "apps/server/session_internal.h"

#include "hawser/logbook.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROW_STEPS 6   // steps between rows, as recordings have them
#define TELL_STEPS 30 // steps between messages about progress

struct hwWebLesson {
    const hwLessonInfo* info;
    hwScorer* scorer;
    hwPilot* pilot; // of a lesson for handlers, or null
    int channelCount, *channels;
    unsigned char* rounding;
    double* row;
    double start; // s
    int faultNext, eventsTold;
    hwLessonAids aids; // that this run leaves
    int asking;        // number of the probe that waits for its answer, -1: none
    bool over;
};

static json_t* PutVector(hwVec3 v) {
    return json_pack("[f, f, f]", v.x, v.y, v.z);
}

static json_t* PutNumber(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

// A flight that goes on from another one has its lesson behind it up to now: its rows are scored first.
static bool InheritRows(hwWebSession* session, hwError* error) {
    hwWebLesson* lesson = session->lesson;
    const hwWorld* world = hwLive_GetWorld(session->live);
    memset(error, 0, sizeof(*error));
    hwResults* results = hwOpenResults(session->inheritedRows, error);
    if (results == NULL) return false;
    int count = hwResults_GetChannelCount(results);
    int* columns = calloc((size_t)lesson->channelCount + 1, sizeof(*columns));
    double* row = calloc((size_t)count + 1, sizeof(*row));
    int time = hwResults_FindChannel(results, "world.time");
    bool good = columns != NULL && row != NULL && time >= 0;
    for (int i = 0; good && i < lesson->channelCount; ++i)
        columns[i] = hwResults_FindChannel(results, hwWorld_GetChannel(world, lesson->channels[i]).name);
    for (int64_t k = 0; good && k < hwResults_GetRowCount(results); ++k) {
        good = hwResults_ReadRows(results, k, 1, row, error) == HW_OK;
        // the row of this moment is the first of the new flight
        if (!good || row[time] > hwWorld_GetTime(world) - 0.5 * SESSION_STEP) break;
        if (k == 0) lesson->start = row[time];
        for (int i = 0; i < lesson->channelCount; ++i)
            lesson->row[i] = columns[i] >= 0 ? row[columns[i]] : (double)NAN;
        good = hwScorer_AddRow(lesson->scorer, lesson->row) == HW_OK;
    }
    // and what was answered until then
    hwFlight* flight = good ? hwWebSession_LoadInherited(session, error) : NULL;
    if (flight != NULL) good = hwFlight_AnswerProbes(flight, lesson->scorer, error) == HW_OK;
    hwDestroyFlight(flight);
    hwScorer_Rewind(lesson->scorer, hwWorld_GetTime(world) + 0.5 * SESSION_STEP);
    free(columns);
    free(row);
    hwCloseResults(results);
    if (!good && error->status == HW_OK) {
        error->status = HW_ERROR_MEMORY;
        snprintf(error->message, sizeof(error->message), "there is not enough memory for the lesson");
    }
    return good;
}

static void SkipFaults(hwWebLesson* lesson, double passed) {
    lesson->faultNext = 0;
    while (lesson->faultNext < lesson->info->faultCount &&
           lesson->info->faults[lesson->faultNext].time < passed - 0.5 * SESSION_STEP)
        lesson->faultNext += 1;
}

// What a lesson whose aids fade leaves to this pilot: less with each pass in a row.
static hwLessonAids FadeAids(const hwWebSession* session, const hwLessonInfo* info) {
    static const hwLessonAids levels[] = {HW_AIDS_ALL, HW_AIDS_CHART, HW_AIDS_INSTRUMENTS};
    if (info->aids != HW_AIDS_FADE) return info->aids;
    if (session->def.options.pilot[0] == 0 || session->def.folder == NULL) return HW_AIDS_ALL;
    char path[1000], title[128];
    int count;
    hwLogbookLine* lines;
    snprintf(path, sizeof(path), "%.900s/logbook.csv", session->def.folder);
    // as the logbook has it
    snprintf(title, sizeof(title), "%.127s", info->title);
    if (hwLogbook_Read(path, &count, &lines, NULL) != HW_OK) return HW_AIDS_ALL;
    int passes = hwLogbook_CountPasses(count, lines, session->def.options.pilot, title);
    free(lines);
    return levels[passes < 2 ? passes : 2];
}

static const char* const g_aids[] = {"all", "chart", "instruments"};

void hwWebSession_RecordAids(hwWebSession* session) {
    if (session->lesson == NULL || session->writer == NULL) return;
    char event[80];
    snprintf(event, sizeof(event), "{\"type\": \"aids\", \"aids\": \"%s\"}", g_aids[session->lesson->aids]);
    hwFlightWriter_AddEvent(session->writer, hwWebSession_GetTime(session), event);
}

bool hwWebSession_StartLesson(hwWebSession* session, hwError* error) {
    const hwLessonInfo* info = session->scene != NULL ? hwScene_GetLesson(session->scene) : NULL;
    if (info == NULL) return true;
    hwWorld* world = hwLive_GetWorld(session->live);
    bool later = hwLive_GetStatus(session->live).steps > 0;
    // without the rows before there is no score: what goes on is a flight without a lesson
    if (later && session->inheritedRows[0] == 0) return true;
    if (hwScene_CheckFaults(session->scene, world, error) != HW_OK) return false;
    int total = hwWorld_GetChannelCount(world);
    hwWebLesson* lesson = calloc(1, sizeof(*lesson));
    const char** names = calloc((size_t)total + 1, sizeof(*names));
    if (lesson != NULL) {
        lesson->info = info;
        if (!info->sensors) hwWebFrameMap_HideInstruments(session->map);
        lesson->aids = FadeAids(session, info);
        lesson->asking = -1;
        lesson->channels = calloc((size_t)total + 1, sizeof(*lesson->channels));
        lesson->row = calloc((size_t)total + 1, sizeof(*lesson->row));
        lesson->rounding = calloc((size_t)total + 1, sizeof(*lesson->rounding));
        lesson->start = hwWorld_GetTime(world);
    }
    session->lesson = lesson;
    bool good = lesson != NULL && names != NULL && lesson->channels != NULL && lesson->row != NULL &&
                lesson->rounding != NULL;
    if (good) {
        lesson->channelCount = hwSelectFlightChannels(world, lesson->channels);
        hwGetFlightRounding(world, lesson->channelCount, lesson->channels, lesson->rounding);
        for (int i = 0; i < lesson->channelCount; ++i)
            names[i] = hwWorld_GetChannel(world, lesson->channels[i]).name;
        lesson->scorer = hwScene_CreateScorer(session->scene, lesson->channelCount, names, error);
        good = lesson->scorer != NULL;
    } else {
        memset(error, 0, sizeof(*error));
        error->status = HW_ERROR_MEMORY;
        snprintf(error->message, sizeof(error->message), "there is not enough memory for the lesson");
    }
    free(names);
    if (good && later) {
        good = InheritRows(session, error);
        SkipFaults(lesson, hwWorld_GetTime(world) - lesson->start);
        hwScorer_GetEvents(lesson->scorer, &lesson->eventsTold);
    }
    if (good && info->pilot != NULL) {
        lesson->pilot = hwCreatePilot(info->pilot, world, info->def.vehicle, error);
        good = lesson->pilot != NULL;
    }
    if (!good) return false;
    static const hwWebHandlerMode handlers[] = {HANDLER_HOLD, HANDLER_MANUAL, HANDLER_AUTO};
    session->handler = handlers[info->handler];
    hwWebSession_FollowLesson(session);
    return true;
}

void hwWebSession_FreeLesson(hwWebSession* session) {
    hwWebLesson* lesson = session->lesson;
    if (lesson == NULL) return;
    hwDestroyScorer(lesson->scorer);
    hwDestroyPilot(lesson->pilot);
    free(lesson->channels);
    free(lesson->row);
    free(lesson->rounding);
    free(lesson);
    session->lesson = NULL;
}

// Telling --------------------------------------------------------------------------------------------------------------

static json_t* PutObjective(const hwLessonObjective* o) {
    json_t* json = json_pack("{s:s, s:s, s:f}", "name", o->name, "text", o->text, "hold", o->hold);
    if (o->zone)
        json_object_set_new(json, "zone",
                            json_pack("{s:o, s:f}", "position", PutVector(o->position), "radius", o->radius));
    if (o->gate)
        json_object_set_new(json, "gate",
                            json_pack("{s:o, s:o, s:f}", "position", PutVector(o->gatePosition), "direction",
                                      PutVector(hwNormalize(o->gateDirection)), "radius", o->gateRadius));
    if (!isnan(o->heading)) json_object_set_new(json, "heading", json_real(o->heading));
    if (o->controls != NULL && o->controls[0] != 0)
        json_object_set_new(json, "controls", json_string(o->controls));
    return json;
}

bool hwWebSession_HasAllAids(const hwWebSession* session) {
    return session->lesson == NULL || session->lesson->aids == HW_AIDS_ALL;
}

bool hwWebSession_HasSonar(const hwWebSession* session) {
    return session->lesson == NULL || session->lesson->info->sonar;
}

json_t* hwWebSession_DescribeLesson(const hwWebSession* session) {
    const hwWebLesson* lesson = session->lesson;
    if (lesson == NULL) return NULL;
    const hwLessonInfo* info = lesson->info;
    json_t* objectives = json_array();
    for (int i = 0; i < info->def.objectiveCount; ++i)
        json_array_append_new(objectives, PutObjective(&info->def.objectives[i]));
    return json_pack("{s:s, s:s, s:s, s:f, s:o, s:f, s:f, s:s, s:b, s:b, s:b, s:s, s:s, s:b, s:o}", "title",
                     info->title, "why", info->why, "briefing", info->briefing, "par", info->def.par, "limit",
                     PutNumber(info->def.limit), "pass_score", info->def.passScore, "pass_task",
                     info->def.passTask, "aids", g_aids[lesson->aids], "hints", (int)(session->hints != NULL),
                     "sonar", (int)info->sonar, "sensors", (int)info->sensors, "role",
                     lesson->pilot != NULL ? "handler" : "pilot", "view", info->plan ? "plan" : "pilot",
                     "sequence", (int)info->def.sequence, "objectives", objectives);
}

static json_t* PutTerms(const hwLessonDef* def, const hwScore* score) {
    json_t* terms = json_array();
    for (int i = 0; i < HW_TERM_COUNT; ++i) {
        if (!(def->weights[i] > 0.0)) continue;
        json_array_append_new(terms,
                              json_pack("{s:s, s:f, s:o, s:o}", "name", hwLessonTerm_GetName((hwLessonTerm)i),
                                        "weight", def->weights[i], "value", PutNumber(score->terms[i]),
                                        "measure", PutNumber(score->measures[i])));
    }
    return terms;
}

json_t* hwWebSession_PutProgress(const hwWebSession* session) {
    const hwWebLesson* lesson = session->lesson;
    if (lesson == NULL) return NULL;
    const hwLessonDef* def = &lesson->info->def;
    hwScore score;
    hwScorer_GetScore(lesson->scorer, &score);
    json_t* done = json_array();
    for (int i = 0; i < def->objectiveCount; ++i) json_array_append_new(done, PutNumber(score.doneAt[i]));
    json_t* json = json_pack("{s:s, s:f, s:o, s:i, s:f, s:i, s:b}", "type", "progress", "time", score.time,
                             "done", done, "current", score.current, "holding", score.holding, "hits",
                             score.hits, "over", (int)score.over);
    if (!score.over) return json;
    json_t* gates = json_array();
    for (unsigned i = 0; i < HW_GATE_COUNT; ++i) {
        if ((score.gates & (1u << i)) != 0)
            json_array_append_new(gates, json_string(hwLessonGate_GetText(1u << i)));
    }
    json_object_set_new(json, "score", json_real(score.score));
    json_object_set_new(json, "passed", json_boolean(score.passed));
    json_object_set_new(json, "complete", json_boolean(score.complete));
    json_object_set_new(json, "gates", gates);
    json_object_set_new(json, "terms", PutTerms(def, &score));
    return json;
}

// Following ------------------------------------------------------------------------------------------------------------

static void MakeFaults(hwWebSession* session) {
    hwWebLesson* lesson = session->lesson;
    hwWorld* world = hwLive_GetWorld(session->live);
    double passed = hwWorld_GetTime(world) - lesson->start;
    for (; lesson->faultNext < lesson->info->faultCount; ++lesson->faultNext) {
        const hwLessonFault* fault = &lesson->info->faults[lesson->faultNext];
        if (fault->time > passed + 0.5 * SESSION_STEP) break;
        hwLive_ApplyInput(session->live, hwWorld_FindInput(world, fault->input), fault->value, NULL);
        if (session->writer != NULL && fault->text != NULL)
            hwFlightWriter_AddMark(session->writer, hwWorld_GetTime(world), "info", fault->text);
    }
}

// A run that is over goes into its pilot's logbook; what cannot be written is told.
static void WriteLogbook(hwWebSession* session) {
    const hwWebFlightOptions* o = &session->def.options;
    if (o->pilot[0] == 0 || session->def.folder == NULL) return;
    hwLogbookLine line = {0};
    hwScore score;
    hwError error;
    char path[1000];
    hwScorer_GetScore(session->lesson->scorer, &score);
    hwLogbookLine_SetScore(&line, &score);
    snprintf(line.pilot, sizeof(line.pilot), "%s", o->pilot);
    snprintf(line.group, sizeof(line.group), "%s", o->group);
    snprintf(line.phase, sizeof(line.phase), "%s", o->phase);
    snprintf(line.lesson, sizeof(line.lesson), "%.127s", session->lesson->info->title);
    snprintf(line.version, sizeof(line.version), "%.31s", hwGetVersion());
    if (session->writer != NULL) {
        snprintf(line.flight, sizeof(line.flight), "%s", session->id);
        snprintf(line.started, sizeof(line.started), "%s", hwFlightWriter_GetInfo(session->writer)->started);
    } else {
        time_t now = time(NULL);
        struct tm utc;
        gmtime_r(&now, &utc);
        strftime(line.started, sizeof(line.started), "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    snprintf(path, sizeof(path), "%.900s/logbook.csv", session->def.folder);
    if (hwLogbook_Append(path, &line, &error) == HW_OK) return;
    char text[320];
    snprintf(text, sizeof(text), "The logbook could not be written. %.250s", error.message);
    hwWebSession_Send(session, 0, false,
                      json_pack("{s:s, s:s, s:s, s:s}", "type", "alert", "level", "warning", "code",
                                "recording", "text", text));
}

// A freeze that is due: time stands until it is answered.
static void Ask(hwWebSession* session) {
    hwWebLesson* lesson = session->lesson;
    lesson->asking = hwScorer_GetDueProbe(lesson->scorer);
    if (lesson->asking < 0) return;
    hwLive_Pause(session->live, true);
    hwWebSession_Send(session, 0, false, hwWebSession_PutAsked(session));
}

json_t* hwWebSession_PutAsked(const hwWebSession* session) {
    const hwWebLesson* lesson = session->lesson;
    if (!hwWebSession_IsAsking(session)) return NULL;
    return hwWebSession_PutProbe(session, lesson->scorer, &lesson->info->def.probes, lesson->asking);
}

bool hwWebSession_IsAsking(const hwWebSession* session) {
    return session->lesson != NULL && session->lesson->asking >= 0;
}

static void EndAsking(hwWebSession* session) {
    hwWebSession_Send(
        session, 0, false,
        json_pack("{s:s, s:i, s:b}", "type", "probe", "probe", session->lesson->asking, "over", 1));
    session->lesson->asking = -1;
}

bool hwWebSession_AnswerProbe(hwWebSession* session, const hwWebRequest* request, char* message,
                              size_t size) {
    hwWebLesson* lesson = session->lesson;
    hwError error;
    if (!hwWebSession_IsAsking(session) || lesson->asking != request->points) {
        snprintf(message, size, "that probe is not being asked");
        return false;
    }
    if (hwAnswerProbe(lesson->scorer, lesson->asking, request->answer, &error) != HW_OK) {
        snprintf(message, size, "%.200s", error.message);
        return false;
    }
    char text[60];
    snprintf(text, sizeof(text), "Probe %d answered", lesson->asking + 1);
    json_t* answers = json_loads(request->answer, 0, NULL);
    hwWebSession_Record(
        session, "info", text,
        json_pack("{s:s, s:i, s:o}", "type", "answer", "probe", lesson->asking, "answers", answers));
    EndAsking(session);
    hwLive_Pause(session->live, false);
    hwWebSession_Send(session, 0, false, hwWebSession_PutProgress(session));
    return true;
}

void hwWebSession_FollowLesson(hwWebSession* session) {
    hwWebLesson* lesson = session->lesson;
    if (lesson == NULL || session->live == NULL) return;
    uint64_t steps = hwWebSession_GetTicks(session);
    if (steps % ROW_STEPS == 0 && !lesson->over) {
        // what the recording holds, so that its score has the same bits
        hwReadFlightRow(hwLive_GetWorld(session->live), lesson->channelCount, lesson->channels,
                        lesson->rounding, lesson->row);
        hwScorer_AddRow(lesson->scorer, lesson->row);
    }
    if (!lesson->over) MakeFaults(session);
    int count;
    const hwLessonEvent* events = hwScorer_GetEvents(lesson->scorer, &count);
    bool news = count > lesson->eventsTold;
    if (news || (steps % TELL_STEPS == 0 && !lesson->over))
        hwWebSession_Send(session, 0, false, hwWebSession_PutProgress(session));
    lesson->eventsTold = count;
    bool over = count > 0 &&
                (events[count - 1].kind == HW_LESSON_COMPLETE || events[count - 1].kind == HW_LESSON_EXPIRED);
    if (lesson->asking < 0 && !over) Ask(session);
    // the score stands: time does, too, until the pilot says what next
    if (over && !lesson->over) {
        hwLive_Pause(session->live, true);
        WriteLogbook(session);
    }
    lesson->over = over;
}

static hwStatus SetForPilot(int input, double value, void* context) {
    hwWebSession* session = context;
    return hwLive_ApplyInput(session->live, input, value, NULL);
}

void hwWebSession_FlyLesson(hwWebSession* session) {
    hwWebLesson* lesson = session->lesson;
    if (lesson == NULL || lesson->pilot == NULL || lesson->over) return;
    hwPilot_Act(lesson->pilot, hwLive_GetWorld(session->live), SetForPilot, session);
}

bool hwWebSession_HasPilot(const hwWebSession* session) {
    return session->lesson != NULL && session->lesson->pilot != NULL;
}

bool hwWebSession_IsMindedByHand(const hwWebSession* session) {
    return session->lesson != NULL && session->lesson->info->handler != HW_HANDLER_AUTO;
}

void hwWebSession_RewindLesson(hwWebSession* session) {
    hwWebLesson* lesson = session->lesson;
    if (lesson == NULL) return;
    double time = hwLive_GetStatus(session->live).time, passed = time - lesson->start;
    hwScorer_Rewind(lesson->scorer, time + 0.5 * SESSION_STEP);
    hwScorer_GetEvents(lesson->scorer, &lesson->eventsTold);
    if (lesson->pilot != NULL) hwPilot_Rewind(lesson->pilot, time + 0.5 * SESSION_STEP);
    lesson->over = false;
    if (lesson->asking >= 0) EndAsking(session);
    Ask(session);
    SkipFaults(lesson, passed);
    hwWebSession_Send(session, 0, false, hwWebSession_PutProgress(session));
}
