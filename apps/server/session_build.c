// Making what a session shows: worlds, recordings, maps from channels to frames.
#define _POSIX_C_SOURCE 200809L
#include "apps/server/session_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool Fail(hwError* error, hwStatus status, const char* text) {
    memset(error, 0, sizeof(*error));
    error->status = status;
    error->index = -1;
    snprintf(error->message, sizeof(error->message), "%s", text);
    return false;
}

// Live worlds ----------------------------------------------------------------------------------------------------------

static void OnStep(hwLive* live, void* context) {
    (void)live;
    hwWebSession_AfterStep(context);
    hwWebSession_UpdateConnectors(context);
}

static void OnFrame(hwLive* live, void* context) {
    (void)live;
    // images first: the frame tells the server that there is news
    hwWebSession_PingSonars(context);
    hwWebSession_PublishFrame(context, false);
}

static void OnInput(hwLive* live, const hwInputEvent* event, void* context) {
    hwWebSession* session = context;
    if (session->writer != NULL) hwFlightWriter_AddInput(session->writer, hwLive_GetWorld(live), event);
}

// The recording says that time went back: who reads its score is to know.
static void RecordRewind(hwWebSession* session) {
    char text[100];
    session->rewinds += 1;
    snprintf(text, sizeof(text), "Time went back to here from %.1f s, rewind %d of this flight",
             session->rewoundFrom, session->rewinds);
    hwWebSession_Record(session, "event", text,
                        json_pack("{s:s, s:f}", "type", "rewind", "from", session->rewoundFrom));
}

static void OnChange(hwLive* live, hwLiveChange change, void* context) {
    hwWebSession* session = context;
    switch (change) {
    case HW_LIVE_REWOUND: {
        size_t count;
        const hwInputEvent* log = hwLive_GetLog(live, &count);
        if (session->writer != NULL) {
            hwFlightWriter_Rewind(session->writer, hwLive_GetWorld(live), hwLive_GetStatus(live).steps, count,
                                  log);
        }
        hwWebSession_ClearAlerts(session);
        hwWebSession_StopAction(session, "rewound");
        hwWebSession_RewindLesson(session);
        hwWebSession_RewindHints(session);
        if (session->def.kind == SESSION_FLIGHT) {
            hwWebSession_RewindConditions(session);
            RecordRewind(session);
        }
        break;
    }
    case HW_LIVE_FAILED:
        hwWebSession_Alert(session, ALERT_SOLVER, LEVEL_ALARM, "The solver failed: %.160s",
                           hwLive_GetError(live)->message);
        break;
    case HW_LIVE_SLOW:
        hwWebSession_Alert(session, ALERT_SLOW, hwLive_GetStatus(live).slow ? LEVEL_WARNING : LEVEL_NONE,
                           "The simulation does not keep up with real time");
        break;
    case HW_LIVE_PACE:
        break;
    }
    if (session->live != NULL) hwWebSession_SendState(session);
}

static hwLiveDef MakeLiveDef(hwWebSession* session) {
    hwLiveDef def = hwDefaultLiveDef();
    int pace = session->def.connect != NULL ? session->def.connect->pace : 0;
    def.step = SESSION_STEP / (pace > 0 ? pace : 1);
    if (session->def.frameRate > 0.0) def.frameRate = session->def.frameRate;
    def.onStep = OnStep;
    def.onFrame = OnFrame;
    def.onInput = OnInput;
    def.onChange = OnChange;
    def.context = session;
    return def;
}

// The def for a branch of a session's live world; its context is set by the session that takes it over.
hwLive* hwWebSession_MakeBranch(hwWebSession* session, hwError* error) {
    hwLiveDef def = MakeLiveDef(session);
    def.step = hwLive_GetStep(session->live);
    def.context = NULL;
    return hwLive_Branch(session->live, &def, error);
}

static hwWorld* MakeWorld(hwWebSession* session, hwError* error) {
    const char* folder = session->folder[0] != 0 ? session->folder : NULL;
    session->scene = hwParseScene(session->sceneText, strlen(session->sceneText), "scene", folder, error);
    if (session->scene == NULL) return NULL;
    hwScene_SetSolver(session->scene, HW_SOLVER_REALTIME);
    hwWorld* world = hwScene_CreateWorld(session->scene, NULL, error);
    if (world == NULL || hwWorld_BuildUp(world, error) == HW_OK) return world;
    hwDestroyWorld(world);
    return NULL;
}

// Folder of the flight that this one goes on from; false: none.
static bool FindInherited(const hwWebSession* session, char* folder, size_t size) {
    static const char rows[] = "/results.h5";
    size_t length = strlen(session->inheritedRows);
    if (length <= sizeof(rows) - 1) return false;
    snprintf(folder, size, "%.*s", (int)(length - (sizeof(rows) - 1)), session->inheritedRows);
    return true;
}

hwFlight* hwWebSession_LoadInherited(const hwWebSession* session, hwError* error) {
    char folder[1000];
    return FindInherited(session, folder, sizeof(folder)) ? hwLoadFlight(folder, error) : NULL;
}

// A flight that cannot be recorded is flown all the same; the pilot is told.
static void StartRecording(hwWebSession* session) {
    if (!session->def.record || session->def.folder == NULL) return;
    hwError error;
    hwFlightDef def = hwDefaultFlightDef();
    json_t* json = hwWebFlightOptions_ToJson(&session->def.options);
    char* options = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    def.folder = session->def.folder;
    def.scene = session->sceneText;
    def.options = options;
    def.info.step = hwLive_GetStep(session->live);
    def.steps = hwLive_GetStatus(session->live).steps;
    def.log = hwLive_GetLog(session->live, &def.logCount);
    if (session->inheritedRows[0] != 0) def.rows = session->inheritedRows;
    // what happened before is part of the new recording
    char inherited[1000];
    if (FindInherited(session, inherited, sizeof(inherited))) def.ghosts = inherited;
    hwFlight* before = hwWebSession_LoadInherited(session, &error);
    if (before != NULL) {
        def.events = hwFlight_GetEvents(before);
        def.marks = hwFlight_GetMarks(before);
    }
    snprintf(def.info.id, sizeof(def.info.id), "%s", session->id);
    snprintf(def.info.title, sizeof(def.info.title), "%s", session->title);
    snprintf(def.info.vehicle, sizeof(def.info.vehicle), "%s", session->def.options.vehicle);
    snprintf(def.info.surroundings, sizeof(def.info.surroundings), "%s",
             session->def.options.scene[0] != 0 ? session->def.options.scene
                                                : session->def.options.surroundings);
    session->writer = hwCreateFlightWriter(&def, hwLive_GetWorld(session->live), &error);
    hwDestroyFlight(before);
    free(options);
    if (session->writer == NULL)
        snprintf(session->notRecorded, sizeof(session->notRecorded), "Flying without a recording. %.160s",
                 error.message);
}

// The current is an input, so that it can change and is part of the log.
static void ApplyCurrent(hwWebSession* session) {
    const hwWebFlightOptions* o = &session->def.options;
    const double current[3] = {o->currentSpeed * cos(o->currentDirection),
                               o->currentSpeed * sin(o->currentDirection), 0.0};
    for (int i = 0; i < 3; ++i) {
        if (session->controls.current[i] >= 0) {
            hwLive_ApplyInput(session->live, session->controls.current[i], current[i], NULL);
        }
    }
}

static bool UseLive(hwWebSession* session, hwLive* live, hwError* error) {
    session->live = live;
    session->pace = (int)(SESSION_STEP / hwLive_GetStep(live) + 0.5);
    hwWebChannelSource source = hwWebChannelSource_FromWorld(hwLive_GetWorld(live));
    session->map = hwWebFrameMap_Create(hwLive_GetWorld(live), &source);
    if (session->map == NULL) return Fail(error, HW_ERROR_MEMORY, "there is not enough memory for frames");
    hwWebSession_FindControls(session);
    hwWebSession_StartSonars(session);
    hwWebSession_StartArms(session);
    return true;
}

static bool BuildLive(hwWebSession* session, hwError* error) {
    hwWorld* world = MakeWorld(session, error);
    if (world == NULL) return false;
    hwLiveDef def = MakeLiveDef(session);
    def.world = world;
    hwLive* live = hwCreateLive(&def, error);
    if (live == NULL) {
        hwDestroyWorld(world);
        return false;
    }
    return UseLive(session, live, error);
}

static bool BuildFlight(hwWebSession* session, hwError* error) {
    const hwWebFlightOptions* o = &session->def.options;
    const hwWebCatalogScene* scene = hwWebCatalog_FindScene(session->def.catalog, o);
    session->sceneText = hwWebCatalog_ComposeFlight(session->def.catalog, o);
    if (session->sceneText == NULL)
        return Fail(error, HW_ERROR_MEMORY, "there is not enough memory for the scene");
    snprintf(session->folder, sizeof(session->folder), "%s", scene->folder);
    snprintf(session->title, sizeof(session->title), "%s", o->title[0] != 0 ? o->title : scene->title);
    if (!BuildLive(session, error)) return false;
    if (session->controls.pilot[0] < 0) return Fail(error, HW_ERROR_MODEL, "the scene has no vehicle to fly");
    // a lesson has its own water
    if (session->scene == NULL || hwScene_GetLesson(session->scene) == NULL) ApplyCurrent(session);
    if (!hwWebSession_StartLesson(session, error)) return false;
    hwWebSession_StartHints(session);
    StartRecording(session);
    hwWebSession_RecordAids(session);
    return true;
}

// Visibility and faults are as the flight that this one goes on from left them.
static void InheritConditions(hwWebSession* session) {
    hwError error;
    hwFlight* before = hwWebSession_LoadInherited(session, &error);
    if (before == NULL) return;
    hwWebSession_LoadConditions(session, before, hwWebSession_GetTime(session));
    hwDestroyFlight(before);
}

// A flight that goes on where another live one is.
static bool BuildBranch(hwWebSession* session, hwError* error) {
    hwLive* live = session->inherited;
    session->inherited = NULL;
    hwLive_SetContext(live, session);
    session->scene = hwParseScene(session->sceneText, strlen(session->sceneText), "scene", NULL, error);
    snprintf(session->title, sizeof(session->title), "%s", session->def.options.title);
    if (!UseLive(session, live, error) || !hwWebSession_StartLesson(session, error)) return false;
    hwWebSession_StartHints(session);
    InheritConditions(session);
    StartRecording(session);
    return true;
}

// A flight that goes on where a replay is.
static bool BuildContinued(hwWebSession* session, hwError* error) {
    // one whose program was killed is made whole first
    if (hwRepairFlight(session->def.flight, error) != HW_OK) return false;
    hwFlight* flight = hwLoadFlight(session->def.flight, error);
    if (flight == NULL) return false;
    const hwFlightInfo* info = hwFlight_GetInfo(flight);
    double pace = SESSION_STEP / info->step;
    bool good = pace > 0.5 && pace < 100.0 && fabs(pace - floor(pace + 0.5)) < 1e-9;
    if (!good) Fail(error, HW_ERROR_FORMAT, "the flight was recorded with another length of step");
    session->sceneText = strdup(hwFlight_GetScene(flight));
    hwWorld* world = good ? MakeWorld(session, error) : NULL;
    size_t count = 0;
    uint64_t steps = 0;
    hwInputEvent* log = NULL;
    if (world != NULL) {
        double wanted = (session->def.branchTime - hwWorld_GetTime(world)) / info->step;
        steps = !(wanted > 0.0) ? 0 : (wanted < 1e15 ? (uint64_t)(wanted + 0.5) : info->steps);
        if (info->hashed && steps > info->steps) steps = info->steps;
        log = hwFlight_ResolveLog(flight, world, steps, &count, error);
    }
    // inputs of the step that comes next are the new pilot's
    while (count > 0 && log[count - 1].step >= steps) count -= 1;
    good = log != NULL && hwReplayInputs(world, info->step, steps, count, log, NULL, NULL, error) == HW_OK;
    hwLive* live = NULL;
    if (good) {
        hwLiveDef def = MakeLiveDef(session);
        def.step = info->step;
        def.world = world;
        def.steps = steps;
        def.log = log;
        def.logCount = count;
        live = hwCreateLive(&def, error);
    }
    if (live == NULL) hwDestroyWorld(world);
    snprintf(session->title, sizeof(session->title), "%s", info->title);
    snprintf(session->inheritedRows, sizeof(session->inheritedRows), "%s/results.h5", session->def.flight);
    free(log);
    hwDestroyFlight(flight);
    if (live == NULL || !UseLive(session, live, error) || !hwWebSession_StartLesson(session, error))
        return false;
    hwWebSession_StartHints(session);
    InheritConditions(session);
    StartRecording(session);
    return true;
}

static bool BuildScene(hwWebSession* session, hwError* error) {
    const hwWebCatalogScene* scene = session->def.scene;
    session->sceneText = strdup(scene->text);
    if (session->sceneText == NULL)
        return Fail(error, HW_ERROR_MEMORY, "there is not enough memory for the scene");
    snprintf(session->folder, sizeof(session->folder), "%s", scene->folder);
    snprintf(session->title, sizeof(session->title), "%s", scene->title);
    return BuildLive(session, error);
}

// Replays --------------------------------------------------------------------------------------------------------------

static const char* GetResultsName(void* context, int channel) {
    return hwResults_GetChannel(context, channel).name;
}

static int FindResultsChannel(void* context, const char* name) {
    return hwResults_FindChannel(context, name);
}

static void OnPlaybackFrame(hwWebPlayback* playback, void* context) {
    (void)playback;
    hwWebSession_ReplayConditions(context);
    hwWebSession_PublishFrame(context, false);
}

static void OnPlaybackChange(hwWebPlayback* playback, void* context) {
    (void)playback;
    hwWebSession_SendState(context);
}

// A world for the picture: from the scene kept with the results, or from what the channels tell.
static bool BuildPicture(hwWebSession* session, hwResults* results, hwError* error) {
    const char* text = hwResults_GetScene(results);
    if (text != NULL) {
        session->sceneText = strdup(text);
        if (session->sceneText != NULL) session->pictured = MakeWorld(session, error);
        if (session->pictured != NULL) return true;
    }
    hwWorldDef def = hwDefaultWorldDef();
    session->pictured = hwCreateWorld(&def, error);
    if (session->pictured == NULL) return false;
    static const char mark[] = ".position.x";
    for (int i = 0; i < hwResults_GetChannelCount(results); ++i) {
        char name[64];
        const char* channel = hwResults_GetChannel(results, i).name;
        const char* at = strstr(channel, mark);
        if (at == NULL || at[sizeof(mark) - 1] != 0 || strchr(channel, '[') != NULL) continue;
        snprintf(name, sizeof(name), "%.*s", (int)(at - channel), channel);
        hwShapeDef ball = hwDefaultShapeDef();
        ball.kind = HW_SHAPE_SPHERE;
        ball.radius = 0.5;
        hwBodyDef body = hwDefaultBodyDef();
        body.name = name;
        body.mass = 1.0;
        body.shapeCount = 1;
        body.shapes = &ball;
        hwWorld_AddBody(session->pictured, &body, NULL);
    }
    return hwWorld_Prepare(session->pictured, error) == HW_OK;
}

static void ReadFlightOptions(hwWebSession* session) {
    const char* text = hwFlight_GetOptions(session->flight);
    if (text == NULL) return;
    size_t size = strlen(text) + 40;
    char* message = malloc(size);
    hwWebRequest* request = malloc(sizeof(*request));
    hwWebRequestError error;
    if (message != NULL && request != NULL) {
        snprintf(message, size, "{\"type\":\"start\",\"options\":%s}", text);
        if (hwWebRequest_Parse(message, strlen(message), &session->def.catalog->defaults, request, &error)) {
            session->def.options = request->options;
        }
    }
    free(message);
    free(request);
}

static bool BuildReplay(hwWebSession* session, hwError* error) {
    char path[1000];
    snprintf(path, sizeof(path), "%s", session->def.results != NULL ? session->def.results : "");
    if (session->def.flight != NULL) {
        session->flight = hwLoadFlight(session->def.flight, error);
        if (session->flight == NULL) return false;
        snprintf(path, sizeof(path), "%s/results.h5", session->def.flight);
        ReadFlightOptions(session);
        hwWebSession_LoadConditions(session, session->flight, HUGE_VAL);
    }
    hwResults* results = hwOpenResults(path, error);
    if (results == NULL) return false;
    const char* title = session->flight != NULL ? hwFlight_GetInfo(session->flight)->title
                                                : hwResults_GetInfo(results)->title;
    snprintf(session->title, sizeof(session->title), "%s", title[0] != 0 ? title : "results");
    bool good = BuildPicture(session, results, error);
    hwWebChannelSource source = {results, hwResults_GetChannelCount(results), GetResultsName,
                                 FindResultsChannel};
    if (good) session->map = hwWebFrameMap_Create(session->pictured, &source);
    if (good && session->map != NULL) {
        session->playback = hwWebPlayback_Create(results, OnPlaybackFrame, OnPlaybackChange, session);
    }
    if (session->playback != NULL) return true;
    hwCloseResults(results);
    return good ? Fail(error, HW_ERROR_FORMAT, "there is nothing to show in these results") : false;
}

// All of them ----------------------------------------------------------------------------------------------------------

bool hwWebSession_Build(hwWebSession* session, hwError* error) {
    session->marks = json_array();
    hwWebSession_StartConditions(session);
    switch (session->def.kind) {
    case SESSION_FLIGHT:
        if (session->inherited != NULL) return BuildBranch(session, error);
        return session->def.flight != NULL ? BuildContinued(session, error) : BuildFlight(session, error);
    case SESSION_SCENE:
        return BuildScene(session, error);
    case SESSION_REPLAY:
        return BuildReplay(session, error);
    }
    return false;
}

void hwWebSession_Release(hwWebSession* session) {
    hwWebSession_Disconnect(session);
    hwWebSession_FreeForecast(session);
    hwWebSession_FreeLesson(session);
    hwWebSession_FreeAction(session);
    hwWebSession_FreeGhost(session);
    hwWebSession_FreeTwin(session);
    hwWebSession_FreeHints(session);
    hwWebSession_FreeSonars(session);
    hwWebSession_FreeArms(session);
    hwWebFrameMap_Free(session->map);
    hwDestroyFlightWriter(session->writer);
    hwDestroyLive(session->live);
    hwDestroyLive(session->inherited);
    hwWebPlayback_Free(session->playback);
    hwDestroyFlight(session->flight);
    hwDestroyWorld(session->pictured);
    hwDestroyScene(session->scene);
    json_decref(session->marks);
    free(session->tangleTold);
    session->tangleTold = NULL;
    free(session->values);
    session->map = NULL;
    session->writer = NULL;
    session->live = session->inherited = NULL;
    session->playback = NULL;
    session->flight = NULL;
    session->pictured = NULL;
    session->scene = NULL;
    session->marks = NULL;
    session->values = NULL;
}

json_t* hwWebSession_Describe(hwWebSession* session) {
    static const char* const kinds[] = {"flight", "scene", "replay"};
    const hwWorld* world = session->live != NULL ? hwLive_GetWorld(session->live) : session->pictured;
    bool flown = session->def.kind == SESSION_FLIGHT || session->flight != NULL;
    const hwSceneInfo* info = session->scene != NULL ? hwScene_GetInfo(session->scene) : NULL;
    // a lesson has its own, live and in its replay
    bool taught = session->scene != NULL && hwScene_GetLesson(session->scene) != NULL;
    double own = info != NULL ? info->trainer.visibility : 50.0;
    double visibility =
        flown && !taught && !isnan(session->def.options.visibility) ? session->def.options.visibility : own;
    hwWebDescribeInfo describe = {.session = kinds[session->def.kind],
                                  .flight = session->flight != NULL
                                                ? hwFlight_GetInfo(session->flight)->id
                                                : (session->id[0] != 0 ? session->id : NULL),
                                  .name = info != NULL ? info->name : session->title,
                                  .title = session->title,
                                  .options = flown ? &session->def.options : NULL,
                                  .visibility = visibility,
                                  .revision = session->revision};
    json_t* json = hwWebDescribeScene(world, session->scene, session->map, &describe);
    json_t* sonars = hwWebSession_DescribeSonars(session);
    json_t* first = json_array_get(json_object_get(json, "vehicles"), 0);
    if (first != NULL && json_array_size(sonars) > 0) json_object_set(first, "sonars", sonars);
    json_decref(sonars);
    json_t* arms = hwWebSession_DescribeArms(session);
    if (first != NULL && json_array_size(arms) > 0) json_object_set(first, "arms", arms);
    json_decref(arms);
    const char* flownBy = hwWebSession_GetAutopilot(session);
    if (flownBy != NULL) json_object_set_new(json, "autopilot", json_string(flownBy));
    if (session->flight != NULL && hwHasGhosts(session->def.flight))
        json_object_set_new(json, "ghost", json_true());
    json_t* lesson = hwWebSession_DescribeLesson(session);
    if (lesson != NULL) json_object_set_new(json, "lesson", lesson);
    return json;
}

static bool ReadValues(hwWebSession* session) {
    int count = hwWebFrameMap_GetChannelCount(session->map);
    if (count > session->valueCount) {
        double* values = realloc(session->values, (size_t)count * sizeof(*values));
        if (values == NULL) return false;
        session->values = values;
        session->valueCount = count;
    }
    if (session->live != NULL) {
        hwWebFrameMap_Read(session->map, hwLive_GetWorld(session->live), session->values);
    } else {
        hwWebPlayback_Read(session->playback, count, hwWebFrameMap_GetChannels(session->map),
                           session->values);
    }
    return true;
}

static hwWebFrameHead MakeHead(hwWebSession* session, bool ended) {
    hwWebFrameHead head = {.number = ++session->frameNumber,
                           .seq = atomic_load(&session->seq),
                           .revision = (uint16_t)session->revision,
                           .inputHold = atomic_load(&session->inputHold),
                           .flags = ended ? FRAME_ENDED : 0};
    if (session->live != NULL) {
        hwLiveStatus status = hwLive_GetStatus(session->live);
        head.time = status.time;
        head.speed = status.measured;
        if (status.paused) head.flags |= FRAME_PAUSED;
        if (status.slow) head.flags |= FRAME_SLOW;
        if (hwLive_HasJumped(session->live)) head.flags |= FRAME_JUMP;
        bool recording = session->writer != NULL && hwFlightWriter_GetStatus(session->writer, NULL) == HW_OK;
        if (recording) head.flags |= FRAME_RECORDING;
    } else {
        hwWebPlaybackStatus status = hwWebPlayback_GetStatus(session->playback);
        head.time = status.time;
        head.speed = status.measured;
        head.flags |= FRAME_REPLAY;
        if (status.paused) head.flags |= FRAME_PAUSED;
        if (status.jumped) head.flags |= FRAME_JUMP;
        if (status.ended) head.flags |= FRAME_ENDED;
    }
    return head;
}

void hwWebSession_PublishFrame(hwWebSession* session, bool ended) {
    if (!ReadValues(session)) return;
    unsigned char* data = malloc(SESSION_PRE + FRAME_MOST_BYTES);
    hwWebFrameBuffer* frame = calloc(1, sizeof(*frame));
    if (data == NULL || frame == NULL) {
        free(data);
        free(frame);
        return;
    }
    hwWebFrameHead head = MakeHead(session, ended);
    frame->size =
        hwWebFrameMap_Encode(session->map, &head, session->values, data + SESSION_PRE, FRAME_MOST_BYTES);
    unsigned char* fitted = realloc(data, SESSION_PRE + frame->size);
    frame->data = fitted != NULL ? fitted : data;
    atomic_init(&frame->users, 1);
    pthread_mutex_lock(&session->mutex);
    hwWebFrameBuffer* old = session->frame;
    session->frame = frame;
    pthread_mutex_unlock(&session->mutex);
    hwWebFrameBuffer_Drop(old);
    session->def.wake(session->def.context);
}
