// A session: a world or a recording in a thread of its own, shown to one or more connections.
#ifndef HW_SERVER_SESSION_H
#define HW_SERVER_SESSION_H

#include "apps/server/catalog.h"
#include "apps/server/request.h"
#include "connect/world_server.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum hwWebSessionKind { SESSION_FLIGHT, SESSION_SCENE, SESSION_REPLAY } hwWebSessionKind;

typedef struct hwWebSession hwWebSession;

#define HW_WEB_FRAME_PRE 64 // bytes in front of a frame for the network library

// Bytes of a frame, shared by connections; `data` has room in front for the network library.
typedef struct hwWebFrameBuffer {
    atomic_int users;
    size_t size;
    unsigned char* data;
} hwWebFrameBuffer;

hwWebFrameBuffer* hwWebFrameBuffer_Use(hwWebFrameBuffer* buffer);
void hwWebFrameBuffer_Drop(hwWebFrameBuffer* buffer);

// What a session has to say to the server's thread.
typedef enum hwWebNoteKind {
    NOTE_TEXT,    // for a connection, or for all that watch
    NOTE_READY,   // it runs
    NOTE_FAILED,  // it could not begin
    NOTE_BRANCHED // another session begins where this one is; `session`
} hwWebNoteKind;

typedef struct hwWebNote {
    struct hwWebNote* next;
    hwWebNoteKind kind;
    uint64_t connection; // 0: all
    bool answers;        // the reply to a request that the connection waits for
    char* text;          // JSON, or null
    hwWebSession* session;
} hwWebNote;

void hwWebNote_Free(hwWebNote* note);

// Worlds being made at once: making one takes a processor for itself, which those that are flown need too.
typedef struct hwWebBuildQueue {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int active, most;
} hwWebBuildQueue;

void hwWebBuildQueue_Init(hwWebBuildQueue* queue);
void hwWebBuildQueue_Destroy(hwWebBuildQueue* queue);

// Connectors for the first live session that can use them; when it ends, for the next.
typedef struct hwWebConnect {
    // Makes them for a world and the scene it was made of, or null; returns how many, -1 with `error`. Room for HW_MOST_CONNECTORS.
    int (*create)(void* context, const hwScene* scene, const hwWorld* world, hwConnector** connectors,
                  hwError* error);
    void* context;
    int pace; // steps of the world in one of the trainer's; 0: one. An autopilot's loops need more
    atomic_bool taken;
} hwWebConnect;

// What a session begins from.
typedef struct hwWebSessionDef {
    hwWebSessionKind kind;
    const hwWebCatalog* catalog;
    hwWebFlightOptions options;     // flights
    const hwWebCatalogScene* scene; // scenes
    const char* results;            // replays: path of a results file
    const char* flight; // replays, and flights that go on from one: path of a flight's folder, or null
    double branchTime;  // flights that go on from a recorded one: s
    const char* folder; // where flights are kept
    bool record;
    uint64_t connection; // to which the answer goes
    int64_t request;     // id of the request, 0: none
    double frameRate;
    // flights that go on from a live one
    struct hwLive* inherited;
    const char* sceneText;
    const char* inheritedRows;
    hwWebConnect* connect;       // or null
    hwWebBuildQueue* queue;      // in which it waits to be made, or null
    void (*wake)(void* context); // called from the session's thread when there is news
    void* context;
} hwWebSessionDef;

// Begins a session in its own thread; null: no memory or no thread.
hwWebSession* hwWebSession_Start(const hwWebSessionDef* def);
// Asks it to end; Session_IsDone becomes true when its thread has.
void hwWebSession_Stop(hwWebSession* session, const char* reason);
bool hwWebSession_IsDone(const hwWebSession* session);
bool hwWebSession_IsStopping(const hwWebSession* session);
// Waits for its thread and frees it.
void hwWebSession_Free(hwWebSession* session);

// From the server's thread.
hwWebSessionKind hwWebSession_GetKind(const hwWebSession* session);
const char* hwWebSession_GetId(const hwWebSession* session);     // of a flight, else ""
const char* hwWebSession_GetSecret(const hwWebSession* session); // of a flight
// From now on another one; once it is ready.
void hwWebSession_RenewSecret(hwWebSession* session);
void hwWebSession_MakeSecret(char* secret, size_t size);
// Once it is ready: the name of the vehicle that is flown, or "", and what the flight is called.
const char* hwWebSession_GetVehicle(const hwWebSession* session);
const char* hwWebSession_GetTitle(const hwWebSession* session);
bool hwWebSession_HasLesson(const hwWebSession* session);        // once it is ready
const char* hwWebSession_GetPilot(const hwWebSession* session);  // as in the logbook; "": nobody said
hwWebFrameBuffer* hwWebSession_TakeFrame(hwWebSession* session); // the newest one not taken yet, or null
// The newest image of a sonar not taken yet, or null; and whether a connection has subscribed to it.
#define SESSION_MOST_SONARS 4
hwWebFrameBuffer* hwWebSession_TakeSonar(hwWebSession* session, int sonar);
bool hwWebSession_WantsSonar(hwWebSession* session, uint64_t connection, int sonar);
// It has left.
void hwWebSession_ForgetConnection(hwWebSession* session, uint64_t connection);
hwWebNote* hwWebSession_TakeNotes(hwWebSession* session); // all, in order
// Axes of the pilot; `seq` comes back in frames.
void hwWebSession_Pilot(hwWebSession* session, const double axes[4], uint32_t seq, bool hold);
// Hands over a request; false when the session takes no more now.
bool hwWebSession_Post(hwWebSession* session, uint64_t connection, const hwWebRequest* request);
// Sends the description again, to one more connection; `watches`: as what others fly.
bool hwWebSession_PostDescription(hwWebSession* session, uint64_t connection, bool watches);
void hwWebSession_Pause(hwWebSession* session, bool paused);

#endif
