#define _DEFAULT_SOURCE // getentropy
#include "apps/server/session_internal.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define STICK_MOVED 0.1 // of a stick: from here on a hand is on it

// A request on its way to the session's thread.
typedef struct Posted {
    struct Posted* next;
    uint64_t connection;
    bool describe; // instead of a request
    bool watches;  // it is described as what others fly
    hwWebRequest request;
} Posted;

// Frames and notes -----------------------------------------------------------------------------------------------------

hwWebFrameBuffer* hwWebFrameBuffer_Use(hwWebFrameBuffer* buffer) {
    if (buffer != NULL) atomic_fetch_add(&buffer->users, 1);
    return buffer;
}

void hwWebFrameBuffer_Drop(hwWebFrameBuffer* buffer) {
    if (buffer == NULL || atomic_fetch_sub(&buffer->users, 1) != 1) return;
    free(buffer->data);
    free(buffer);
}

void hwWebNote_Free(hwWebNote* note) {
    if (note == NULL) return;
    free(note->text);
    free(note);
}

void hwWebSession_AddNote(hwWebSession* session, hwWebNote* note) {
    if (note == NULL) return;
    note->next = NULL;
    pthread_mutex_lock(&session->mutex);
    if (session->lastNote != NULL) {
        session->lastNote->next = note;
    } else {
        session->firstNote = note;
    }
    session->lastNote = note;
    pthread_mutex_unlock(&session->mutex);
    session->def.wake(session->def.context);
}

void hwWebSession_Send(hwWebSession* session, uint64_t connection, bool answers, json_t* json) {
    hwWebNote* note = calloc(1, sizeof(*note));
    if (note != NULL) {
        note->kind = NOTE_TEXT;
        note->connection = connection;
        note->answers = answers;
        note->text = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    }
    json_decref(json);
    hwWebSession_AddNote(session, note);
}

void hwWebSession_Reply(hwWebSession* session, uint64_t connection, int64_t id, json_t* json) {
    if (id == 0) {
        json_decref(json);
        return;
    }
    if (json == NULL) json = json_object();
    json_object_set_new(json, "type", json_string("reply"));
    json_object_set_new(json, "id", json_integer(id));
    hwWebSession_Send(session, connection, true, json);
}

void hwWebSession_ReplyError(hwWebSession* session, uint64_t connection, int64_t id, const char* code,
                             const char* message) {
    if (connection == 0) return; // the server's own wish: nobody waits for an answer
    json_t* json = json_pack("{s:s, s:s, s:s}", "type", "error", "code", code, "message", message);
    if (json != NULL && id != 0) json_object_set_new(json, "id", json_integer(id));
    hwWebSession_Send(session, connection, id != 0, json);
}

uint64_t hwWebSession_GetTicks(const hwWebSession* session) {
    return hwLive_GetStatus(session->live).steps / (uint64_t)session->pace;
}

double hwWebSession_GetTime(const hwWebSession* session) {
    if (session->live != NULL) return hwLive_GetStatus(session->live).time;
    return session->playback != NULL ? hwWebPlayback_GetStatus(session->playback).time : 0.0;
}

void hwWebSession_SendState(hwWebSession* session) {
    json_t* json;
    if (session->live != NULL) {
        hwLiveStatus status = hwLive_GetStatus(session->live);
        bool recording = session->writer != NULL && hwFlightWriter_GetStatus(session->writer, NULL) == HW_OK;
        json = json_pack("{s:s, s:b, s:f, s:b, s:s, s:f, s:n}", "type", "state", "paused", (int)status.paused,
                         "speed", status.speed, "recording", (int)recording, "handler",
                         hwWebHandlerMode_GetName(session->handler), "start", status.earliest, "end");
        if (session->blank && status.paused) json_object_set_new(json, "blank", json_true());
        if (session->action != NULL) json_object_set_new(json, "action", hwWebSession_PutAction(session));
    } else {
        hwWebPlaybackStatus status = hwWebPlayback_GetStatus(session->playback);
        json = json_pack("{s:s, s:b, s:f, s:b, s:s, s:f, s:f}", "type", "state", "paused", (int)status.paused,
                         "speed", status.speed, "recording", 0, "handler", "hold", "start", status.start,
                         "end", status.end);
    }
    hwWebSession_Send(session, 0, false, json);
}

// The thread -----------------------------------------------------------------------------------------------------------

static void SendReady(hwWebSession* session) {
    json_t* reply;
    if (session->def.kind == SESSION_FLIGHT) {
        reply = json_pack("{s:s, s:s, s:o}", "flight", session->id, "secret", session->secret, "options",
                          hwWebFlightOptions_ToJson(&session->def.options));
    } else if (session->playback != NULL) {
        hwWebPlaybackStatus status = hwWebPlayback_GetStatus(session->playback);
        reply = json_pack("{s:s, s:s, s:f, s:f}", "kind", "replay", "title", session->title, "start",
                          status.start, "end", status.end);
        if (session->flight != NULL) {
            json_object_set_new(reply, "flight", json_string(hwFlight_GetInfo(session->flight)->id));
        }
    } else {
        reply = json_pack("{s:s, s:s, s:f, s:n}", "kind", "scene", "title", session->title, "start",
                          hwLive_GetStatus(session->live).time, "end");
    }
    hwWebNote* ready = calloc(1, sizeof(*ready));
    if (ready != NULL) ready->kind = NOTE_READY;
    hwWebSession_AddNote(session, ready);
    hwWebSession_Reply(session, session->def.connection, session->def.request, reply);
    hwWebSession_Send(session, 0, false, hwWebSession_Describe(session));
    hwWebSession_SendState(session);
    if (session->lesson != NULL) hwWebSession_Send(session, 0, false, hwWebSession_PutProgress(session));
    if (session->def.kind == SESSION_FLIGHT)
        hwWebSession_Send(session, 0, false, hwWebSession_PutConditions(session));
}

static void SendFailed(hwWebSession* session, const hwError* error) {
    hwWebSession_ReplyError(session, session->def.connection, session->def.request, "failed",
                            error->message[0] != 0 ? error->message : "the session could not be started");
    hwWebNote* note = calloc(1, sizeof(*note));
    if (note != NULL) note->kind = NOTE_FAILED;
    hwWebSession_AddNote(session, note);
}

static void SendEnded(hwWebSession* session) {
    json_t* json = json_pack("{s:s, s:s, s:f}", "type", "ended", "reason",
                             session->reason[0] != 0 ? session->reason : "stopped", "time",
                             hwWebSession_GetTime(session));
    if (session->id[0] != 0) json_object_set_new(json, "flight", json_string(session->id));
    if (session->endMessage[0] != 0) json_object_set_new(json, "message", json_string(session->endMessage));
    if (session->writer != NULL) {
        const hwFlightInfo* info = hwFlightWriter_GetInfo(session->writer);
        char hash[24];
        snprintf(hash, sizeof(hash), "0x%016llx", (unsigned long long)info->hash);
        if (info->hashed) json_object_set_new(json, "hash", json_string(hash));
    }
    hwWebSession_Send(session, 0, false, json);
}

static void FinishRecording(hwWebSession* session) {
    if (session->writer == NULL) return;
    if (hwFlightWriter_GetInfo(session->writer)->hashed) return;
    hwFlightWriter_Finish(session->writer, hwLive_GetWorld(session->live),
                          hwLive_GetStatus(session->live).steps, NULL, NULL);
}

static void SetRunning(hwWebSession* session, bool running) {
    pthread_mutex_lock(&session->mutex);
    session->running = running;
    pthread_mutex_unlock(&session->mutex);
}

// Making worlds --------------------------------------------------------------------------------------------------------

void hwWebBuildQueue_Init(hwWebBuildQueue* queue) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    memset(queue, 0, sizeof(*queue));
    queue->most = processors > 4 ? 4 : (processors > 2 ? (int)processors - 1 : 1);
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->changed, NULL);
}

void hwWebBuildQueue_Destroy(hwWebBuildQueue* queue) {
    pthread_mutex_destroy(&queue->mutex);
    pthread_cond_destroy(&queue->changed);
}

// False: it was asked to end before its turn came.
static bool EnterQueue(hwWebSession* session) {
    hwWebBuildQueue* queue = session->def.queue;
    if (queue == NULL) return !atomic_load(&session->stopping);
    pthread_mutex_lock(&queue->mutex);
    while (queue->active >= queue->most && !atomic_load(&session->stopping))
        pthread_cond_wait(&queue->changed, &queue->mutex);
    bool wanted = !atomic_load(&session->stopping);
    queue->active += wanted;
    pthread_mutex_unlock(&queue->mutex);
    return wanted;
}

static void LeaveQueue(hwWebSession* session) {
    hwWebBuildQueue* queue = session->def.queue;
    if (queue == NULL) return;
    pthread_mutex_lock(&queue->mutex);
    queue->active -= 1;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}

static bool Make(hwWebSession* session, hwError* error) {
    if (!EnterQueue(session)) {
        error->status = HW_ERROR_STOPPED;
        snprintf(error->message, sizeof(error->message), "it was stopped before it began");
        return false;
    }
    bool good = hwWebSession_Build(session, error);
    LeaveQueue(session);
    return good;
}

static void* SessionMain(void* context) {
    hwWebSession* session = context;
    hwError error;
    memset(&error, 0, sizeof(error));
    if (!Make(session, &error)) {
        SendFailed(session, &error);
    } else {
        // requests may come as soon as it is told; they wait in the queue until it runs
        SetRunning(session, true);
        hwWebSession_Connect(session);
        SendReady(session);
        if (session->notRecorded[0] != 0)
            hwWebSession_Alert(session, ALERT_RECORDING, LEVEL_ALARM, "%s", session->notRecorded);
        // a stop that came while building
        if (atomic_load(&session->stopping)) {
            if (session->live != NULL) hwLive_Stop(session->live);
            if (session->playback != NULL) hwWebPlayback_Stop(session->playback);
        }
        if (session->live != NULL) {
            hwLive_Run(session->live);
        } else {
            hwWebPlayback_Run(session->playback);
        }
        SetRunning(session, false);
        FinishRecording(session);
        SendEnded(session);
    }
    hwWebSession_Release(session);
    atomic_store(&session->done, true);
    session->def.wake(session->def.context);
    return NULL;
}

void hwWebSession_MakeSecret(char* secret, size_t size) {
    unsigned char bytes[20];
    if (getentropy(bytes, sizeof(bytes)) != 0) abort(); // cannot fail for so few, and nothing else will do
    for (size_t i = 0; i < sizeof(bytes) && 2 * i + 2 < size; ++i)
        snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
}

// A name that begins with the time and a word that cannot be guessed.
void hwWebSession_MakeId(char* id, size_t size, char* secret, size_t secretSize) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    unsigned char bytes[3];
    if (getentropy(bytes, sizeof(bytes)) != 0) abort(); // cannot fail for so few, and nothing else will do
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    char stamp[24];
    strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &utc);
    snprintf(id, size, "%s-%c%c%c", stamp, letters[bytes[0] % 36], letters[bytes[1] % 36],
             letters[bytes[2] % 36]);
    hwWebSession_MakeSecret(secret, secretSize);
}

hwWebSession* hwWebSession_Start(const hwWebSessionDef* def) {
    hwWebSession* session = calloc(1, sizeof(*session));
    if (session == NULL) return NULL;
    session->def = *def;
    session->handler = def->options.handler;
    session->revision = 1;
    if (def->results != NULL) session->def.results = strdup(def->results);
    if (def->flight != NULL) session->def.flight = strdup(def->flight);
    session->def.folder = def->folder != NULL ? strdup(def->folder) : NULL;
    pthread_mutex_init(&session->mutex, NULL);
    if (def->kind == SESSION_FLIGHT) {
        hwWebSession_MakeId(session->id, sizeof(session->id), session->secret, sizeof(session->secret));
    }
    session->inherited = def->inherited;
    if (def->inheritedRows != NULL)
        snprintf(session->inheritedRows, sizeof(session->inheritedRows), "%s", def->inheritedRows);
    if (def->sceneText != NULL) session->sceneText = strdup(def->sceneText);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 4 << 20);
    // signals are for the thread that serves: it must wake up when one asks it to end
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool good = pthread_create(&session->thread, &attributes, SessionMain, session) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (good) return session;
    pthread_mutex_destroy(&session->mutex);
    free(session->sceneText);
    free((char*)session->def.results);
    free((char*)session->def.flight);
    free((char*)session->def.folder);
    free(session);
    return NULL;
}

void hwWebSession_Stop(hwWebSession* session, const char* reason) {
    if (atomic_exchange(&session->stopping, true)) return;
    snprintf(session->reason, sizeof(session->reason), "%s", reason);
    pthread_mutex_lock(&session->mutex);
    if (session->running && session->live != NULL) hwLive_Stop(session->live);
    if (session->running && session->playback != NULL) hwWebPlayback_Stop(session->playback);
    pthread_mutex_unlock(&session->mutex);
    hwWebBuildQueue* queue = session->def.queue;
    if (queue == NULL) return;
    pthread_mutex_lock(&queue->mutex);
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}

bool hwWebSession_IsStopping(const hwWebSession* session) {
    return atomic_load(&session->stopping);
}

bool hwWebSession_IsDone(const hwWebSession* session) {
    return atomic_load(&session->done);
}

void hwWebSession_Free(hwWebSession* session) {
    if (session == NULL) return;
    hwWebSession_Stop(session, "shutdown");
    pthread_join(session->thread, NULL);
    hwWebNote* note = session->firstNote;
    while (note != NULL) {
        hwWebNote* next = note->next;
        hwWebNote_Free(note);
        note = next;
    }
    Posted* posted = session->firstPosted;
    while (posted != NULL) {
        Posted* next = posted->next;
        free(posted);
        posted = next;
    }
    hwWebFrameBuffer_Drop(session->frame);
    for (int i = 0; i < SESSION_MOST_SONARS; ++i) hwWebFrameBuffer_Drop(session->sonarImages[i]);
    pthread_mutex_destroy(&session->mutex);
    free(session->sceneText);
    free((char*)session->def.results);
    free((char*)session->def.flight);
    free((char*)session->def.folder);
    free(session);
}

// From the server's thread ---------------------------------------------------------------------------------------------

hwWebSessionKind hwWebSession_GetKind(const hwWebSession* session) {
    return session->def.kind;
}

const char* hwWebSession_GetId(const hwWebSession* session) {
    return session->id;
}

const char* hwWebSession_GetSecret(const hwWebSession* session) {
    return session->secret;
}

void hwWebSession_RenewSecret(hwWebSession* session) {
    hwWebSession_MakeSecret(session->secret, sizeof(session->secret));
}

const char* hwWebSession_GetVehicle(const hwWebSession* session) {
    return session->controls.name;
}

bool hwWebSession_HasLesson(const hwWebSession* session) {
    return session->lesson != NULL;
}

const char* hwWebSession_GetTitle(const hwWebSession* session) {
    return session->title;
}

const char* hwWebSession_GetPilot(const hwWebSession* session) {
    return session->def.options.pilot;
}

hwWebFrameBuffer* hwWebSession_TakeFrame(hwWebSession* session) {
    pthread_mutex_lock(&session->mutex);
    hwWebFrameBuffer* frame = session->frame;
    session->frame = NULL;
    pthread_mutex_unlock(&session->mutex);
    return frame;
}

hwWebNote* hwWebSession_TakeNotes(hwWebSession* session) {
    pthread_mutex_lock(&session->mutex);
    hwWebNote* notes = session->firstNote;
    session->firstNote = session->lastNote = NULL;
    pthread_mutex_unlock(&session->mutex);
    return notes;
}

static void SetSeq(hwLive* live, void* context) {
    hwWebSession* session = hwLive_GetContext(live);
    atomic_store(&session->seq, (unsigned)(uintptr_t)context);
}

static void TakeBack(hwLive* live, void* context) {
    (void)context;
    hwWebSession_StopAction(hwLive_GetContext(live), "taken over");
}

static bool IsMoved(const double axes[4]) {
    for (int i = 0; i < 4; ++i) {
        if (fabs(axes[i]) > STICK_MOVED) return true;
    }
    return false;
}

void hwWebSession_Pilot(hwWebSession* session, const double axes[4], uint32_t seq, bool hold) {
    pthread_mutex_lock(&session->mutex);
    bool flies = session->running && session->live != NULL && session->controls.pilot[0] >= 0 &&
                 !hwWebSession_HasPilot(session);
    // a hand on the sticks ends a script that flies; sticks at rest leave it alone
    if (flies && atomic_load(&session->acting)) {
        flies = IsMoved(axes);
        if (flies) hwLive_Call(session->live, TakeBack, NULL);
    }
    // letting go by the server itself (seq 0) is not held up by a bad link
    if (flies && hwWebSession_DelayPilot(session, axes, seq, hold)) flies = false;
    if (flies) {
        hwLive_SetInputs(session->live, 4, session->controls.pilot, axes, (double)NAN);
        if (seq != 0) hwLive_Call(session->live, SetSeq, (void*)(uintptr_t)seq);
        atomic_store(&session->inputHold, hold);
    }
    pthread_mutex_unlock(&session->mutex);
}

static Posted* TakePosted(hwWebSession* session) {
    pthread_mutex_lock(&session->mutex);
    Posted* posted = session->firstPosted;
    if (posted != NULL) {
        session->firstPosted = posted->next;
        if (session->firstPosted == NULL) session->lastPosted = NULL;
    }
    pthread_mutex_unlock(&session->mutex);
    return posted;
}

static void RunPosted(hwWebSession* session) {
    Posted* posted = TakePosted(session);
    if (posted == NULL) return;
    if (posted->describe) {
        json_t* scene = hwWebSession_Describe(session);
        if (posted->watches) json_object_set_new(scene, "session", json_string("watch"));
        hwWebSession_Send(session, posted->connection, false, scene);
        hwWebSession_SendState(session);
        hwWebSession_Send(session, posted->connection, false, hwWebSession_PutConditions(session));
        if (session->lesson != NULL)
            hwWebSession_Send(session, posted->connection, false, hwWebSession_PutProgress(session));
        if (hwWebSession_IsAsking(session))
            hwWebSession_Send(session, posted->connection, false, hwWebSession_PutAsked(session));
        hwWebSession_RepeatAlerts(session, posted->connection);
    } else {
        hwWebSession_Handle(session, posted->connection, &posted->request);
    }
    free(posted);
}

static void RunLivePosted(hwLive* live, void* context) {
    (void)live;
    RunPosted(context);
}

static void RunPlaybackPosted(hwWebPlayback* playback, void* context) {
    (void)playback;
    RunPosted(context);
}

static bool PostOne(hwWebSession* session, Posted* posted) {
    if (posted == NULL) return false;
    pthread_mutex_lock(&session->mutex);
    bool good = session->running;
    if (good && session->live != NULL) good = hwLive_Call(session->live, RunLivePosted, session) == HW_OK;
    if (good && session->playback != NULL)
        good = hwWebPlayback_Call(session->playback, RunPlaybackPosted, session);
    if (good) {
        if (session->lastPosted != NULL) {
            session->lastPosted->next = posted;
        } else {
            session->firstPosted = posted;
        }
        session->lastPosted = posted;
    }
    pthread_mutex_unlock(&session->mutex);
    if (!good) free(posted);
    return good;
}

bool hwWebSession_Post(hwWebSession* session, uint64_t connection, const hwWebRequest* request) {
    Posted* posted = calloc(1, sizeof(*posted));
    if (posted != NULL) {
        posted->connection = connection;
        posted->request = *request;
    }
    return PostOne(session, posted);
}

bool hwWebSession_PostDescription(hwWebSession* session, uint64_t connection, bool watches) {
    Posted* posted = calloc(1, sizeof(*posted));
    if (posted != NULL) {
        posted->watches = watches;
        posted->connection = connection;
        posted->describe = true;
    }
    return PostOne(session, posted);
}

void hwWebSession_Pause(hwWebSession* session, bool paused) {
    pthread_mutex_lock(&session->mutex);
    if (session->running && session->live != NULL) hwLive_Pause(session->live, paused);
    if (session->running && session->playback != NULL) hwWebPlayback_Pause(session->playback, paused);
    pthread_mutex_unlock(&session->mutex);
}
