// The inside of the server. Everything here belongs to the server's own thread unless said otherwise.
#ifndef HW_SERVER_SERVER_INTERNAL_H
#define HW_SERVER_SERVER_INTERNAL_H

#include "apps/server/catalog.h"
#include "apps/server/crew.h"
#include "apps/server/door.h"
#include "apps/server/request.h"
#include "apps/server/server.h"
#include "apps/server/session.h"

#include <libwebsockets.h>
#include <pthread.h>

#define MOST_CONNECTIONS 64     // WebSockets
#define MOST_REQUESTS 48        // HTTP requests being answered
#define MOST_OF_ONE 16          // of either from one address that is not loopback
#define MOST_PASSES 192         // both, with those that are being closed
#define ADMIT_BUDGET 16         // taken from the door before frames go out again
#define MOST_BACKLOG 64         // messages that wait behind one that takes time
#define MOST_UNSENT (32u << 20) // bytes of text
#define MOST_JOBS 8

typedef struct hwWebOutText {
    struct hwWebOutText* next;
    size_t size;
    char* data; // LWS_PRE bytes in front
} hwWebOutText;

typedef struct hwWebInText {
    struct hwWebInText* next;
    size_t size;
    char* data;
} hwWebInText;

// Allows `rate` a second on average and `burst` at once.
typedef struct hwWebBucket {
    double level, time;
} hwWebBucket;

typedef struct hwWebConnection {
    struct hwWebConnection* next;
    uint64_t serial;
    struct lws* wsi;
    char address[64];
    bool greeted, closing;
    uint16_t closeCode;
    double opened, lastHeard;
    hwWebSession* session;
    bool owns; // else it is aboard in another role
    hwWebRole role;
    uint64_t joined; // order in which seats were taken
    char name[64];   // as the page calls itself
    bool instructor; // it has given the instructor's secret
    bool busy;       // waits for an answer that another thread makes
    hwWebInText *firstIn, *lastIn;
    int inCount;
    char* inbound;
    size_t inboundSize;
    hwWebOutText *firstOut, *lastOut;
    size_t outBytes;
    hwWebFrameBuffer* frame;
    hwWebFrameBuffer* sonars[SESSION_MOST_SONARS]; // images to send
    double blocked; // clock since which something waits to be sent; 0: nothing does
    hwWebBucket pilotBucket, bucket, startBucket;
    double rateTold, floodSince;
    double lastPilot;
    bool axesActive, hold, pilotAlert;
} hwWebConnection;

// A session and who flies it.
typedef struct hwWebSlot {
    struct hwWebSlot* next;
    hwWebSession* session;
    uint64_t owner; // connection, 0: nobody
    double begun;   // clock
    double lost;    // clock at which the owner went, 0: it is there
    double lastInput;
    bool ready, pausedByLoss;
    // the crew
    char secrets[ROLE_COUNT][44]; // for joining in each role
    uint64_t taken[CONTROL_NONE]; // connection that an instructor took a control for, 0: by rule
    bool silent;                  // no comms
    char* progress;               // of the lesson, as last told
    hwWebFrameBuffer* lastFrame;
} hwWebSlot;

// Replies to requests first, then files to download.
typedef enum hwWebJobKind {
    JOB_FLIGHTS,
    JOB_DEBRIEF,
    JOB_LOGBOOK,
    JOB_CSV,
    JOB_DEBRIEF_PAGE,
    JOB_DEBRIEF_CSV
} hwWebJobKind;

// Work that would hold up the server, in a thread of its own.
typedef struct hwWebServerJob {
    struct hwWebServerJob* next;
    hwWebJobKind kind;
    pthread_t thread;
    atomic_bool done;
    struct hwWebServer* server;
    uint64_t connection;
    int64_t request;
    char* text;       // answer
    char source[700]; // of a conversion, or a flight's folder
    char target[720];
    char reason[256]; // why it is not good, or empty
    bool good, abandoned;
} hwWebServerJob;

// A wrong token or two from an address.
typedef struct hwWebSuspect {
    char address[64];
    int count;
    double since;
} hwWebSuspect;

// A connection that the door has let in.
typedef struct hwWebPass {
    uintptr_t serial;
    hwWebPeer peer;
    bool webSocket;
} hwWebPass;

// A scene that is being written: its file is read again when it was saved.
typedef struct hwWebDraft {
    int count;        // how often it was read, from 1
    bool pending;     // it has changed since; read once it changes no more
    int64_t stamp[3]; // of the file: time of change in s and ns, size
    bool good;
    hwError error;
    char excerpt[200]; // the line of the error
    json_t* lesson;    // what is drawn while one writes, or null
} hwWebDraft;

typedef struct hwWebServer {
    hwWebServerDef def;
    hwWebDraft draft;
    hwWebCatalog catalog;
    char flights[600];
    int port;
    hwWebListeners listeners;
    struct lws_context* lws;
    struct lws_vhost* vhost;
    hwWebDoor* door;
    uintptr_t passSerials;
    int passCount;
    hwWebPass passes[MOST_PASSES];
    lws_sorted_usec_list_t timer;
    uint64_t serials, joins;
    char instructor[160]; // secret of instructors
    int connectionCount;
    hwWebConnection* connections;
    hwWebSlot* slots;
    hwWebBuildQueue queue;
    hwWebConnect connect;
    hwWebServerJob* jobs;
    int jobCount;
    hwWebSuspect suspects[32];
    struct hwWebHttpState* downloads; // that wait for a job
    double lastVisit;                 // clock at which a page was last connected
    bool finished;                    // nobody came for as long as the def allows
} hwWebServer;

// State of one HTTP request.
typedef struct hwWebHttpState {
    struct hwWebHttpState* next;
    struct lws* wsi;
    const unsigned char* bytes;
    size_t size, sent;
    bool bodyless; // HEAD
    double until;  // clock at which the answer must have been taken
    FILE* file;
    hwWebServerJob* job;
} hwWebHttpState;

double hwWebServer_Clock(void);

// server.c
void hwWebServer_Admit(hwWebServer* server); // takes what waits at the door
void hwWebServer_ReleasePass(hwWebServer* server, uintptr_t serial);

// connection.c
hwWebConnection* hwWebServer_FindConnection(hwWebServer* server, uint64_t serial);
void hwWebConnection_Send(hwWebConnection* connection, json_t* json); // takes over `json`
void hwWebConnection_SendText(hwWebConnection* connection, const char* text);
void hwWebConnection_SendError(hwWebConnection* connection, int64_t id, const char* code,
                               const char* message);
void hwWebConnection_Close(hwWebConnection* connection, uint16_t code);
bool hwWebBucket_Take(hwWebBucket* bucket, double rate, double burst, double now);

// dispatch.c: what messages do
void hwWebServer_Receive(hwWebServer* server, hwWebConnection* connection, const char* text, size_t size);
void hwWebServer_Resume(hwWebServer* server,
                        hwWebConnection* connection); // goes on with messages that waited
void hwWebServer_LeaveSession(hwWebServer* server, hwWebConnection* connection);
// Leaves the session that is open; one's own ends.
void hwWebServer_EndCurrent(hwWebServer* server, hwWebConnection* connection);
// Takes as long for a wrong text as for a right one.
bool hwWebServer_IsSameText(const char* a, const char* b);
hwWebSlot* hwWebServer_FindSlot(hwWebServer* server, const hwWebSession* session);
void hwWebServer_CollectNews(hwWebServer* server); // from sessions and jobs
void hwWebServer_Tick(hwWebServer* server);
// Whether it is the token; after five wrong ones from an address none is for a minute.
bool hwWebServer_CheckToken(hwWebServer* server, const char* address, const char* token);

// draft.c: scenes that are being written (hwWebServerDef.watch)
void hwWebDraft_Look(hwWebServer* server); // reads the file again if it was saved, and tells all pages
json_t* hwWebDraft_ToJson(const hwWebServer* server); // null where nothing is being written

// study.c
void hwWebStudy_Tell(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request);
// The recording that is the participant's first or second clip of a pair; null: an error has been sent.
const char* hwWebStudy_FindClip(hwWebServer* server, hwWebConnection* connection,
                                const hwWebRequest* request);
void hwWebStudy_Rate(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request);

// jobs.c
hwWebServerJob* hwWebServer_StartJob(hwWebServer* server, const hwWebServerJob* job);
void hwWebServer_CollectJobs(hwWebServer* server);

// http.c
int hwWebHttp_Callback(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in, size_t size);
void hwWebHttp_ContinueDownloads(hwWebServer* server);
bool hwWebHttp_IsAllowed(const hwWebServer* server, struct lws* wsi, bool needOrigin);

#endif
