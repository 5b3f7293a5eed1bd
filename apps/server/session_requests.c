// Requests about a session, carried out in its thread.
#define _POSIX_C_SOURCE 200809L
#include "apps/server/session_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One request being carried out.
typedef struct Job {
    hwWebSession* session;
    uint64_t connection;
    const hwWebRequest* request;
} Job;

static void Done(const Job* job, json_t* json) {
    hwWebSession_Reply(job->session, job->connection, job->request->id, json);
}

static void Refuse(const Job* job, const char* code, const char* message) {
    hwWebSession_ReplyError(job->session, job->connection, job->request->id, code, message);
}

static bool NeedLive(const Job* job) {
    if (job->session->live != NULL) return true;
    Refuse(job, "order", "this is a replay: nothing can be changed in it");
    return false;
}

static bool NeedVehicle(const Job* job) {
    if (!NeedLive(job)) return false;
    if (job->session->controls.armed >= 0) return true;
    Refuse(job, "order", "there is no vehicle to command");
    return false;
}

// In a lesson for handlers the vehicle is its own pilot's.
static bool NeedSticks(const Job* job) {
    if (!NeedVehicle(job)) return false;
    bool fault = job->request->type == REQUEST_COMMAND && job->request->command == COMMAND_FAIL_THRUSTER;
    if (!hwWebSession_HasPilot(job->session) || fault) return true;
    Refuse(job, "order", "the lesson's own pilot flies: you mind the tether");
    return false;
}

// Commands -------------------------------------------------------------------------------------------------------------

static bool Apply(const Job* job, int input, double value) {
    hwError error;
    if (input < 0) {
        Refuse(job, "value", "this vehicle does not have that");
        return false;
    }
    if (hwLive_ApplyInput(job->session->live, input, value, &error) == HW_OK) return true;
    Refuse(job, "failed", error.message);
    return false;
}

static double Now(const Job* job, int input) {
    return hwWorld_ReadInput(hwLive_GetWorld(job->session->live), input);
}

static double ReadChannel(const Job* job, int channel) {
    return hwWorld_ReadChannel(hwLive_GetWorld(job->session->live), channel);
}

// The next of the vehicle's steps of gain.
static double StepGain(const Job* job, double direction) {
    hwVehicleType* type =
        job->session->scene != NULL ? hwScene_LoadVehicleType(job->session->scene, 0, NULL) : NULL;
    double now = Now(job, job->session->controls.gain), best = now;
    const hwVehicleLook* look = type != NULL ? hwVehicleType_GetLook(type) : NULL;
    for (int i = 0; look != NULL && i < look->gainCount; ++i) {
        double gain = look->gains[i];
        bool beyond = direction > 0.0 ? gain > now + 1e-9 : gain < now - 1e-9;
        bool nearer = best == now || fabs(gain - now) < fabs(best - now);
        if (beyond && nearer) best = gain;
    }
    hwDestroyVehicleType(type);
    return best;
}

static bool Command(const Job* job) {
    hwWebSession* session = job->session;
    const hwWebControls* c = &session->controls;
    const hwWebRequest* r = job->request;
    bool known = r->thruster < c->thrusterCount;
    switch (r->command) {
    case COMMAND_ARM:
        return Apply(job, c->armed, r->flag ? 1.0 : 0.0);
    case COMMAND_MODE:
        return Apply(job, c->mode, r->value);
    case COMMAND_LIGHTS:
        return Apply(job, c->lights, r->value);
    case COMMAND_LIGHTS_STEP:
        return Apply(job, c->lights, hwClamp(Now(job, c->lights) + r->value, 0.0, 1.0));
    case COMMAND_GRIPPER:
        return Apply(job, c->gripper,
                     r->gripperStop ? hwClamp(ReadChannel(job, c->gripperNow), 0.0, 1.0) : r->value);
    case COMMAND_TILT:
        session->tiltRate = 0.0;
        return Apply(job, c->tilt, r->value);
    case COMMAND_TILT_RATE:
        session->tiltRate = r->value;
        return true;
    case COMMAND_CENTER:
        session->tiltRate = 0.0;
        return Apply(job, c->tilt, 0.0);
    case COMMAND_ZOOM:
        session->zoomRate = 0.0;
        return Apply(job, c->zoom, r->value);
    case COMMAND_ZOOM_RATE:
        session->zoomRate = r->value;
        return true;
    case COMMAND_GAIN:
        return Apply(job, c->gain, r->value);
    case COMMAND_GAIN_STEP:
        return Apply(job, c->gain, StepGain(job, r->value));
    case COMMAND_HOLD_DEPTH:
        return Apply(job, c->holdDepth, r->value);
    case COMMAND_HOLD_HEADING:
        return Apply(job, c->holdHeading, r->value);
    case COMMAND_RESET_TURNS:
        return Apply(job, c->turnsOffset, Now(job, c->turnsOffset) + ReadChannel(job, c->turns));
    case COMMAND_FAIL_THRUSTER:
        return Apply(job, known ? c->failed[r->thruster] : -1, r->flag ? 1.0 : 0.0);
    case COMMAND_REVERSE_THRUSTER:
        return Apply(job, known ? c->sense[r->thruster] : -1, r->flag ? -1.0 : 1.0);
    case COMMAND_SONAR_RANGE: {
        const char* reason = hwWebSession_SetSonarRange(session, r->sonar, r->value);
        if (reason != NULL) Refuse(job, "value", reason);
        return reason == NULL;
    }
    case COMMAND_NAMES:
        break;
    }
    return false;
}

static void Tune(const Job* job) {
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) {
            double value = job->request->tune[i].values[k];
            if (!isnan(value) && !Apply(job, job->session->controls.axes[i][k], value)) return;
        }
    }
    Done(job, NULL);
}

static void Tether(const Job* job) {
    hwWebSession* session = job->session;
    if (session->controls.winch < 0) {
        Refuse(job, "order", "there is no tether");
        return;
    }
    hwWebTetherAction action = job->request->tether;
    // a handler who goes leaves such a tether to nobody
    if (action == TETHER_AUTO && hwWebSession_IsMindedByHand(session)) {
        if (job->request->id != 0) {
            Refuse(job, "order", "in this lesson the tether is yours: there is no handler to mind it");
            return;
        }
        action = TETHER_HOLD;
    }
    bool minded = session->handler == HANDLER_AUTO;
    switch (action) {
    case TETHER_PAY_OUT:
    case TETHER_HAUL_IN:
        session->handler = HANDLER_MANUAL;
        session->handlerRate = action == TETHER_PAY_OUT ? job->request->value : -job->request->value;
        break;
    case TETHER_HOLD:
        session->handler = HANDLER_HOLD;
        session->handlerRate = 0.0;
        break;
    case TETHER_AUTO:
        session->handler = HANDLER_AUTO;
        break;
    }
    Done(job, NULL);
    bool taken = minded && session->handler != HANDLER_AUTO,
         given = !minded && session->handler == HANDLER_AUTO;
    if (taken || given) {
        hwWebSession_Send(session, 0, false,
                          json_pack("{s:s, s:f, s:s, s:s, s:s}", "type", "alert", "time",
                                    hwWebSession_GetTime(session), "level", "info", "code", "handler", "text",
                                    taken ? "The tether is minded by hand now, not by the automatic handler"
                                          : "The automatic handler minds the tether"));
    }
    hwWebSession_SendState(session);
}

// Inputs and channels --------------------------------------------------------------------------------------------------

static void Set(const Job* job) {
    const hwWorld* world = hwLive_GetWorld(job->session->live);
    int inputs[REQUEST_MOST_NAMES];
    for (int i = 0; i < job->request->count; ++i) {
        inputs[i] = hwWorld_FindInput(world, job->request->names[i]);
        if (inputs[i] < 0) {
            char text[160];
            snprintf(text, sizeof(text), "there is no input `%.90s`", job->request->names[i]);
            Refuse(job, "value", text);
            return;
        }
    }
    for (int i = 0; i < job->request->count; ++i) {
        if (!Apply(job, inputs[i], job->request->values[i])) return;
    }
    Done(job, NULL);
}

static void SetCurrent(const Job* job) {
    double angle = job->request->second * HW_PI / 180.0;
    const double current[3] = {job->request->value * cos(angle), job->request->value * sin(angle), 0.0};
    for (int i = 0; i < 3; ++i) {
        if (!Apply(job, job->session->controls.current[i], current[i])) return;
    }
    job->session->def.options.currentSpeed = job->request->value;
    job->session->def.options.currentDirection = angle;
    Done(job, NULL);
    char text[80];
    snprintf(text, sizeof(text), "Current %.2f m/s", job->request->value);
    hwWebSession_Record(
        job->session, "event", text,
        json_pack("{s:s, s:f, s:f}", "type", "current", "speed", job->request->value, "direction", angle));
}

// The instructor's -----------------------------------------------------------------------------------------------------

static void MakeFault(const Job* job) {
    const char* bad = hwWebSession_MakeFault(job->session, job->request);
    if (bad != NULL) {
        Refuse(job, "value", bad);
    } else {
        Done(job, NULL);
    }
}

static void Note(const Job* job) {
    hwWebSession_Record(job->session, "note", job->request->text,
                        json_pack("{s:s, s:s}", "type", "note", "text", job->request->text));
    Done(job, NULL);
}

static void Act(const Job* job) {
    hwError error;
    json_t* json = hwWebSession_Act(job->session, job->request, &error);
    if (json != NULL) {
        Done(job, json);
        return;
    }
    char text[sizeof(error.message) + 64];
    if (error.line > 0) {
        snprintf(text, sizeof(text), "line %d, column %d: %s", error.line, error.column, error.message);
    } else {
        snprintf(text, sizeof(text), "%s", error.message);
    }
    Refuse(job, "value", text);
}

static void ListInputs(const Job* job) {
    const hwWorld* world = hwLive_GetWorld(job->session->live);
    json_t* list = json_array();
    for (int i = 0; i < hwWorld_GetInputCount(world); ++i) {
        hwChannelInfo info = hwWorld_GetInput(world, i);
        double value = hwWorld_ReadInput(world, i);
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", info.name, "unit", info.unit,
                                              "value", isfinite(value) ? json_real(value) : json_null()));
    }
    Done(job, json_pack("{s:o}", "inputs", list));
}

// `*` stands for any characters.
static bool Matches(const char* pattern, const char* text) {
    const char *star = NULL, *back = NULL;
    while (*text != 0) {
        if (*pattern == '*') {
            star = pattern++;
            back = text;
        } else if (*pattern == *text) {
            pattern += 1;
            text += 1;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++back;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern += 1;
    return *pattern == 0;
}

static int CountChannels(const hwWebSession* session) {
    if (session->live != NULL) return hwWorld_GetChannelCount(hwLive_GetWorld(session->live));
    return hwResults_GetChannelCount(hwWebPlayback_GetResults(session->playback));
}

static hwChannelInfo GetChannel(const hwWebSession* session, int i) {
    if (session->live != NULL) return hwWorld_GetChannel(hwLive_GetWorld(session->live), i);
    return hwResults_GetChannel(hwWebPlayback_GetResults(session->playback), i);
}

static int FindChannel(const hwWebSession* session, const char* name) {
    if (session->live != NULL) return hwWorld_FindChannel(hwLive_GetWorld(session->live), name);
    return hwResults_FindChannel(hwWebPlayback_GetResults(session->playback), name);
}

static void ListChannels(const Job* job) {
    json_t* list = json_array();
    const char* filter = job->request->text[0] != 0 ? job->request->text : "*";
    for (int i = 0; i < CountChannels(job->session); ++i) {
        hwChannelInfo info = GetChannel(job->session, i);
        if (!Matches(filter, info.name)) continue;
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", info.name, "unit", info.unit));
    }
    Done(job, json_pack("{s:o}", "channels", list));
}

static void Plot(const Job* job) {
    int channels[REQUEST_MOST_NAMES];
    for (int i = 0; i < job->request->count; ++i) {
        channels[i] = FindChannel(job->session, job->request->names[i]);
        if (channels[i] >= 0) continue;
        char text[160];
        snprintf(text, sizeof(text), "there is no channel `%.90s`", job->request->names[i]);
        Refuse(job, "value", text);
        return;
    }
    job->session->plotNumber += 1;
    hwWebFrameMap_SetPlot(job->session->map, job->session->plotNumber, job->request->count, channels);
    Done(job, json_pack("{s:i}", "number", (int)job->session->plotNumber));
}

static json_t* MakeHistory(hwWebPlayback* playback, const hwWebRequest* r) {
    hwResults* results = hwWebPlayback_GetResults(playback);
    hwWebPlaybackStatus status = hwWebPlayback_GetStatus(playback);
    double from = fmax(r->from, status.start), to = fmin(r->to, status.end);
    int channels[REQUEST_MOST_NAMES];
    double* values = calloc((size_t)r->points * REQUEST_MOST_NAMES, sizeof(*values));
    if (values == NULL || to < from) {
        free(values);
        return json_pack("{s:[], s:[]}", "time", "values");
    }
    for (int i = 0; i < r->count; ++i) channels[i] = hwResults_FindChannel(results, r->names[i]);
    hwWebPlayback_ReadHistory(playback, r->count, channels, from, to, r->points, values);
    json_t *times = json_array(), *all = json_array();
    for (int p = 0; p < r->points; ++p)
        json_array_append_new(times, json_real(from + (to - from) * p / (r->points - 1)));
    for (int i = 0; i < r->count; ++i) {
        json_t* list = json_array();
        for (int p = 0; p < r->points; ++p) {
            double value = values[i * r->points + p];
            json_array_append_new(list, isfinite(value) ? json_real(value) : json_null());
        }
        json_array_append_new(all, list);
    }
    free(values);
    return json_pack("{s:o, s:o}", "time", times, "values", all);
}

static void History(const Job* job) {
    hwWebSession* session = job->session;
    if (session->playback != NULL) {
        Done(job, MakeHistory(session->playback, job->request));
        return;
    }
    if (session->writer == NULL) {
        Refuse(job, "order", "nothing is recorded");
        return;
    }
    char path[1000];
    hwError error;
    snprintf(path, sizeof(path), "%s/%s/results.h5", session->def.folder, session->id);
    hwResults* results = hwOpenResults(path, &error);
    hwWebPlayback* playback = results != NULL ? hwWebPlayback_Create(results, NULL, NULL, NULL) : NULL;
    if (playback == NULL) {
        hwCloseResults(results);
        Refuse(job, "failed", results == NULL ? error.message : "nothing is recorded yet");
        return;
    }
    Done(job, MakeHistory(playback, job->request));
    hwWebPlayback_Free(playback);
}

// What channels say now, without a recording and without a say in what frames carry.
static void ReadNow(const Job* job) {
    const hwWorld* world = hwLive_GetWorld(job->session->live);
    json_t* values = json_array();
    for (int i = 0; i < job->request->count; ++i) {
        int channel = hwWorld_FindChannel(world, job->request->names[i]);
        double value = channel >= 0 ? hwWorld_ReadChannel(world, channel) : (double)NAN;
        json_array_append_new(values, isfinite(value) ? json_real(value) : json_null());
    }
    Done(job, json_pack("{s:f, s:o}", "time", hwWebSession_GetTime(job->session), "values", values));
}

// Time -----------------------------------------------------------------------------------------------------------------

static void Pace(const Job* job) {
    hwWebSession* session = job->session;
    const hwWebRequest* r = job->request;
    double seconds = r->value > 0.0 ? r->value : SESSION_STEP;
    bool moves = r->type == REQUEST_STEP || (r->type == REQUEST_PAUSE && !r->flag);
    if (moves && hwWebSession_IsAsking(session)) {
        Refuse(job, "order", "time stands until the questions are answered");
        return;
    }
    switch (r->type) {
    case REQUEST_PAUSE:
        if (session->live != NULL) hwLive_Pause(session->live, r->flag);
        if (session->live != NULL && r->flag && r->blank && !session->blank)
            hwWebSession_Record(session, "info", "Frozen, displays blank",
                                json_pack("{s:s}", "type", "freeze"));
        session->blank = r->flag && r->blank;
        if (session->playback != NULL) hwWebPlayback_Pause(session->playback, r->flag);
        break;
    case REQUEST_SPEED:
        if (session->live != NULL) hwLive_SetSpeed(session->live, r->value);
        if (session->playback != NULL) hwWebPlayback_SetSpeed(session->playback, r->value);
        break;
    case REQUEST_STEP:
        if (session->live != NULL)
            hwLive_TakeSteps(session->live, (int)fmax(1.0, round(seconds / hwLive_GetStep(session->live))));
        if (session->playback != NULL) hwWebPlayback_Step(session->playback, seconds);
        break;
    case REQUEST_SEEK:
        if (session->live != NULL && r->value > hwWebSession_GetTime(session)) {
            Refuse(job, "value", "what is live can only go back");
            return;
        }
        session->rewoundFrom = hwWebSession_GetTime(session);
        if (session->live != NULL) hwLive_Rewind(session->live, r->value);
        if (session->playback != NULL) hwWebPlayback_Seek(session->playback, r->value);
        break;
    default:
        if (session->live != NULL) hwLive_SetFrameRate(session->live, r->value);
        if (session->playback != NULL) hwWebPlayback_SetFrameRate(session->playback, r->value);
        break;
    }
    Done(job, NULL);
}

static void TellBranch(const Job* job, hwWebSession* branch) {
    hwWebNote* note = calloc(1, sizeof(*note));
    if (branch == NULL || note == NULL) {
        free(note);
        hwWebSession_Free(branch);
        Refuse(job, "failed", "there is not enough memory for another flight");
        return;
    }
    note->kind = NOTE_BRANCHED;
    note->connection = job->connection;
    note->session = branch;
    hwWebSession_AddNote(job->session, note);
}

static hwWebSessionDef MakeBranchDef(const Job* job) {
    hwWebSessionDef def = job->session->def;
    def.kind = SESSION_FLIGHT;
    def.connection = job->connection;
    def.request = job->request->id;
    def.results = def.flight = def.sceneText = def.inheritedRows = NULL;
    def.inherited = NULL;
    return def;
}

static void BranchReplay(const Job* job) {
    hwWebSession* session = job->session;
    if (session->flight == NULL) {
        Refuse(job, "order", "only flights can be taken over, not results");
        return;
    }
    hwWebSessionDef def = MakeBranchDef(job);
    def.flight = session->def.flight;
    def.branchTime = hwWebPlayback_GetStatus(session->playback).time;
    def.record = true;
    TellBranch(job, hwWebSession_Start(&def));
}

static void BranchFlight(const Job* job) {
    hwWebSession* session = job->session;
    if (session->def.kind != SESSION_FLIGHT) {
        Refuse(job, "order", "only flights can be branched");
        return;
    }
    hwError error;
    hwLive* live = hwWebSession_MakeBranch(session, &error);
    if (live == NULL) {
        Refuse(job, "failed", error.message);
        return;
    }
    char rows[1000] = "";
    bool recorded = session->writer != NULL && hwFlightWriter_GetStatus(session->writer, NULL) == HW_OK;
    if (recorded) {
        // the old recording ends here; the new one begins with a copy of it
        hwFlightWriter_Finish(session->writer, hwLive_GetWorld(session->live),
                              hwLive_GetStatus(session->live).steps, NULL, NULL);
        snprintf(rows, sizeof(rows), "%s/%s/results.h5", session->def.folder, session->id);
    }
    hwWebSessionDef def = MakeBranchDef(job);
    def.inherited = live;
    def.sceneText = session->sceneText;
    def.inheritedRows = recorded ? rows : NULL;
    snprintf(def.options.title, sizeof(def.options.title), "%s", session->title);
    hwWebSession* branch = hwWebSession_Start(&def);
    if (branch == NULL) hwDestroyLive(live);
    TellBranch(job, branch);
    if (branch != NULL) hwWebSession_Stop(session, "stopped");
}

static void Mark(const Job* job) {
    hwWebSession_Record(job->session, "info", job->request->text, NULL);
    Done(job, NULL);
}

static void ListMarks(const Job* job) {
    json_t* marks = job->session->flight != NULL
                        ? json_loads(hwFlight_GetMarks(job->session->flight), 0, NULL)
                        : json_incref(job->session->marks);
    Done(job, json_pack("{s:o}", "marks", marks != NULL ? marks : json_array()));
}

static void SwitchHints(Job* job) {
    const char* reason = hwWebSession_SwitchHints(job->session, job->request->flag);
    if (reason != NULL) {
        Refuse(job, "order", reason);
    } else {
        Done(job, NULL);
    }
}

static void Manipulate(const Job* job) {
    const char* reason = hwWebSession_MoveArm(job->session, job->request);
    if (reason != NULL) {
        Refuse(job, "value", reason);
    } else {
        Done(job, NULL);
    }
}

static void WatchSonar(const Job* job) {
    const char* reason =
        hwWebSession_WatchSonar(job->session, job->connection, job->request->sonar, job->request->flag);
    if (reason != NULL) {
        Refuse(job, "order", reason);
    } else {
        Done(job, NULL);
    }
}

void hwWebSession_Handle(hwWebSession* session, uint64_t connection, const hwWebRequest* request) {
    Job job = {session, connection, request};
    switch (request->type) {
    case REQUEST_COMMAND:
        if (NeedSticks(&job) && Command(&job)) Done(&job, NULL);
        break;
    case REQUEST_TUNE:
        if (NeedVehicle(&job)) Tune(&job);
        break;
    case REQUEST_TETHER:
        if (NeedLive(&job)) Tether(&job);
        break;
    case REQUEST_SET:
        if (NeedLive(&job)) Set(&job);
        break;
    case REQUEST_CURRENT:
        if (NeedLive(&job)) SetCurrent(&job);
        break;
    case REQUEST_INPUTS:
        if (NeedLive(&job)) ListInputs(&job);
        break;
    case REQUEST_FAULT:
        if (NeedVehicle(&job)) MakeFault(&job);
        break;
    case REQUEST_VISIBILITY:
        if (NeedLive(&job)) {
            hwWebSession_SetVisibility(session, request->value);
            Done(&job, NULL);
        }
        break;
    case REQUEST_NOTE:
        if (NeedLive(&job)) Note(&job);
        break;
    case REQUEST_HINTS:
        if (NeedLive(&job)) SwitchHints(&job);
        break;
    case REQUEST_MANIPULATE:
        if (NeedSticks(&job)) Manipulate(&job);
        break;
    case REQUEST_SONAR:
        if (session->live == NULL) {
            Refuse(&job, "order", "recordings have no images of sonars");
        } else {
            WatchSonar(&job);
        }
        break;
    case REQUEST_ANSWER: {
        char message[240];
        if (!hwWebSession_AnswerProbe(session, request, message, sizeof(message))) {
            Refuse(&job, "order", message);
        } else {
            Done(&job, NULL);
        }
        break;
    }
    case REQUEST_ACTION:
        if (NeedSticks(&job)) Act(&job);
        break;
    case REQUEST_FORECAST: {
        char message[240];
        if (NeedLive(&job) &&
            !hwWebSession_MakeForecast(session, connection, request, message, sizeof(message)))
            Refuse(&job, "order", message);
        break;
    }
    case REQUEST_TWIN: {
        char message[340];
        if (!NeedLive(&job)) break;
        if (!hwWebSession_SetTwin(session, request->twin, message, sizeof(message))) {
            Refuse(&job, "order", message);
        } else {
            Done(&job, NULL);
        }
        break;
    }
    case REQUEST_CHANNELS:
        ListChannels(&job);
        break;
    case REQUEST_PLOT:
        Plot(&job);
        break;
    case REQUEST_HISTORY:
        History(&job);
        break;
    case REQUEST_READ:
        if (NeedLive(&job)) ReadNow(&job);
        break;
    case REQUEST_PAUSE:
    case REQUEST_SPEED:
    case REQUEST_STEP:
    case REQUEST_SEEK:
    case REQUEST_FRAMES:
        Pace(&job);
        break;
    case REQUEST_BRANCH:
        if (session->playback != NULL) {
            BranchReplay(&job);
        } else {
            BranchFlight(&job);
        }
        break;
    case REQUEST_MARK:
        Mark(&job);
        break;
    case REQUEST_MARKS:
        ListMarks(&job);
        break;
    default:
        Refuse(&job, "order", "this is not about a session");
        break;
    }
}
