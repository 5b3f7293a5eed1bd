// The inside of a session.
#ifndef HW_SERVER_SESSION_INTERNAL_H
#define HW_SERVER_SESSION_INTERNAL_H

#include "apps/server/describe.h"
#include "apps/server/frame.h"
#include "apps/server/playback.h"
#include "apps/server/session.h"
#include "hawser/flight.h"
#include "hawser/cable.h"
#include "hawser/live.h"
#include "hawser/pilot.h"
#include "hawser/scene.h"

#include <pthread.h>

#define SESSION_STEP (1.0 / 60.0) // s, between looks at what pilots, lessons and handlers do
#define SESSION_PRE HW_WEB_FRAME_PRE

// Conditions that pilots are told about, each once when it begins and once when it ends.
typedef enum hwWebAlertCode {
    ALERT_TENSION,
    ALERT_PARTED,
    ALERT_TURNS,
    ALERT_WRAP,
    ALERT_SLACK,
    ALERT_ALTITUDE,
    ALERT_ATTITUDE,
    ALERT_COLLISION,
    ALERT_SURFACE,
    ALERT_THRUSTER,
    ALERT_DEPTH,
    ALERT_SLOW,
    ALERT_RECORDING,
    ALERT_SOLVER,
    ALERT_PILOT,
    ALERT_MIRROR,
    ALERT_CODES
} hwWebAlertCode;

typedef enum hwWebAlertLevel { LEVEL_NONE, LEVEL_INFO, LEVEL_WARNING, LEVEL_ALARM } hwWebAlertLevel;

// Inputs and channels of the vehicle flown, -1: none.
typedef struct hwWebControls {
    char name[64];
    int pilot[4];
    int armed, mode, gain, lights, gripper, tilt, zoom, turnsOffset, holdDepth, holdHeading;
    int axes[4][4];
    int thrusterCount;
    int failed[HW_MAX_THRUSTERS], sense[HW_MAX_THRUSTERS];
    int current[3];
    int winch;
    int mirrorAge; // channel
    int turns, altitude, depth, roll, pitch, tension, gripperNow, tiltNow, zoomNow, failedMask, speed;
    int velocity[3], force[3];     // of the vehicle; of contact
    int cableLength, wrap, parted; // channels of the tether
    int endA[3], endB[3];          // first node, and the vehicle's position
} hwWebControls;

// What an instructor changed that is no input of the world: how it is shown and how commands arrive.
typedef struct hwWebConditions {
    double visibility;               // m, NaN: as described
    bool cameraOut;                  // no picture
    double videoDelay, commandDelay; // s
    double loss;                     // share of stick messages
    double compassRate;              // rad/s by which the shown heading drifts
    double compassSince;             // s, from when on
    double compassOffset;            // rad, then
    double loadCell;                 // N added to the shown tension
} hwWebConditions;

#define SESSION_MOST_CHANGES 256 // of conditions, for rewinding
#define SESSION_MOST_EVENTS 16   // that wait for their time
#define SESSION_MOST_DELAYED 512 // stick messages on their way

#define SESSION_MOST_WATCHERS 64 // connections that look at sonars

// A connection that has subscribed to images of sonars, one bit each.
typedef struct hwWebSonarWatcher {
    uint64_t connection; // 0: none
    unsigned sonars;
} hwWebSonarWatcher;

typedef struct hwWebChange {
    double time; // s
    hwWebConditions conditions;
} hwWebChange;

typedef struct hwWebPendingFault {
    double time; // s
    hwWebFaultKind kind;
    int thruster;
    double value;
} hwWebPendingFault;

typedef struct hwWebDelayedAxes {
    double due; // s; NaN: it has just come
    double axes[4];
    uint32_t seq;
    bool hold;
} hwWebDelayedAxes;

// What the tether will do, computed beside the flight: session_forecast.c.
typedef struct hwWebForecast hwWebForecast;
// A lesson that is flown: session_lesson.c.
typedef struct hwWebLesson hwWebLesson;
// A saved action, noted or flown: session_action.c.
typedef struct hwWebAction hwWebAction;
// A second tether of another model: session_twin.c.
typedef struct hwWebTwin hwWebTwin;
// Where the vehicle will be: session_ghost.c.
typedef struct hwWebGhost hwWebGhost;
// Sonars that a page looks at: session_sonar.c.
typedef struct hwWebSonars hwWebSonars;
// Arms that the pilot moves: session_arm.c.
typedef struct hwWebArmSet hwWebArmSet;
// Hints about the tether: session_hints.c.
typedef struct hwWebHints hwWebHints;

struct hwWebSession {
    hwWebSessionDef def;
    char id[48], secret[48];
    char* sceneText;
    char folder[512]; // of the scene's files
    char title[128];
    pthread_t thread;
    // in the session's thread
    hwScene* scene;
    hwWorld* pictured; // replays: a world made for its description
    hwLive* live;
    int pace; // steps of the live world in SESSION_STEP
    hwWebPlayback* playback;
    hwFlight* flight; // replays of flights
    hwFlightWriter* writer;
    hwWebFrameMap* map;
    int valueCount;
    double* values;
    uint32_t frameNumber;
    uint16_t plotNumber;
    int revision;
    hwWebControls controls;
    hwWebLesson* lesson;     // null: none
    hwWebAction* action;     // null: none
    hwWebGhost* ghost;       // null: none
    hwWebTwin* twin;         // null: none
    hwWebForecast* forecast; // the last one asked for, null: none
    hwWebHints* hints;       // null: none
    hwWebSonars* sonars;     // null: none
    hwWebArmSet* arms;       // null: none
    bool hintsOn;
    hwWebAlertLevel alerts[ALERT_CODES];
    char alertTexts[ALERT_CODES][240]; // of those that go on
    double alertEasing[ALERT_CODES];   // s, since when it is lower, NaN: it is not
    double alertSent[ALERT_CODES];     // s
    char notRecorded[200];             // why there is no recording from the start
    bool blank; // frozen by the instructor with blank displays, for as long as time stands
    hwWebHandlerMode handler;
    double handlerRate;        // m/s
    double tiltRate, zoomRate; // of commands that go on: deg/s, 1/s
    hwVec3 lastVelocities[2];  // at the last look and the one before, m/s
    bool over;
    char reason[32];
    char endMessage[256];
    hwLive* inherited; // taken over from another session
    char inheritedRows[1000];
    char* tangleTold; // what was last said of the tether's windings
    json_t* marks;
    // of the instructor: session_conditions.c
    hwWebConditions conditions;
    int changeCount, pendingCount;
    int rewinds;
    double rewoundFrom; // s, of the last request to go back
    hwWebChange changes[SESSION_MOST_CHANGES];
    hwWebPendingFault pending[SESSION_MOST_EVENTS];
    double leak; // N
    // shared
    pthread_mutex_t mutex;
    atomic_bool done, stopping;
    atomic_uint seq;
    atomic_bool inputHold;
    atomic_bool acting; // a script flies
    hwWebFrameBuffer* frame;
    hwWebFrameBuffer* sonarImages[SESSION_MOST_SONARS];
    hwWebSonarWatcher sonarWatchers[SESSION_MOST_WATCHERS];
    hwWebNote *firstNote, *lastNote;
    struct Posted *firstPosted, *lastPosted;
    bool running;       // live or playback may be called
    double delay, loss; // of commands
    uint64_t lossState;
    int delayedFirst, delayedCount;
    hwWebDelayedAxes delayed[SESSION_MOST_DELAYED];
    // other programs, in the session's thread
    bool connected;
    int connectorCount;
    hwConnector* connectors[HW_MOST_CONNECTORS];
};

// session.c
void hwWebSession_Send(hwWebSession* session, uint64_t connection, bool answers, json_t* json);
// A reply to request `id`, or nothing when it has none; takes over `json` (null: no more than that it was done).
void hwWebSession_Reply(hwWebSession* session, uint64_t connection, int64_t id, json_t* json);
void hwWebSession_ReplyError(hwWebSession* session, uint64_t connection, int64_t id, const char* code,
                             const char* message);
void hwWebSession_SendState(hwWebSession* session);
void hwWebSession_AddNote(hwWebSession* session, hwWebNote* note);
double hwWebSession_GetTime(const hwWebSession* session);
// Times that SESSION_STEP has passed in the live world.
uint64_t hwWebSession_GetTicks(const hwWebSession* session);
void hwWebSession_MakeId(char* id, size_t size, char* secret, size_t secretSize);

// session_build.c: making worlds, maps, recordings
bool hwWebSession_Build(hwWebSession* session, hwError* error);
void hwWebSession_Release(hwWebSession* session);
json_t* hwWebSession_Describe(hwWebSession* session);
void hwWebSession_PublishFrame(hwWebSession* session, bool ended);

hwLive* hwWebSession_MakeBranch(hwWebSession* session, hwError* error);

// session_entanglement.c: after each step of a flight.
void hwWebSession_FollowEntanglement(hwWebSession* session);

// session_forecast.c: answers the request later, from a thread of its own; false, and why not.
bool hwWebSession_MakeForecast(hwWebSession* session, uint64_t connection, const hwWebRequest* request,
                               char* message, size_t size);
void hwWebSession_FreeForecast(hwWebSession* session);

// session_lesson.c: whether a lesson leaves the pilot all aids; without a lesson, yes.
bool hwWebSession_HasAllAids(const hwWebSession* session);
// Whether it leaves the pilot the sonars.
bool hwWebSession_HasSonar(const hwWebSession* session);

// session_hints.c. Start needs the live world and the controls.
void hwWebSession_StartHints(hwWebSession* session);
void hwWebSession_FreeHints(hwWebSession* session);
void hwWebSession_FollowHints(hwWebSession* session); // after each step
void hwWebSession_RewindHints(hwWebSession* session);
// Null, or why not.
const char* hwWebSession_SwitchHints(hwWebSession* session, bool on);

// session_lesson.c. Start needs the live world, and comes before the recording.
bool hwWebSession_StartLesson(hwWebSession* session, hwError* error);
void hwWebSession_FreeLesson(hwWebSession* session);
void hwWebSession_FollowLesson(hwWebSession* session); // after each step
void hwWebSession_RewindLesson(hwWebSession* session);
// What it is, and how it stands; null: there is none.
json_t* hwWebSession_DescribeLesson(const hwWebSession* session);
json_t* hwWebSession_PutProgress(const hwWebSession* session);
// The lesson's own pilot moves the sticks: in lessons for handlers.
void hwWebSession_FlyLesson(hwWebSession* session);
bool hwWebSession_HasPilot(const hwWebSession* session);
// The lesson has no automatic handler.
bool hwWebSession_IsMindedByHand(const hwWebSession* session);
// Which aids the lesson leaves, for the recording.
void hwWebSession_RecordAids(hwWebSession* session);

// Probes: what is asked now (null: nothing), and its answer; false, and why not.
bool hwWebSession_IsAsking(const hwWebSession* session);
json_t* hwWebSession_PutAsked(const hwWebSession* session);
bool hwWebSession_AnswerProbe(hwWebSession* session, const hwWebRequest* request, char* message, size_t size);
// session_probe.c
json_t* hwWebSession_PutProbe(const hwWebSession* session, const hwScorer* scorer,
                              const hwLessonProbes* probes, int k);
// session_build.c: the flight that this one goes on from; null: none.
hwFlight* hwWebSession_LoadInherited(const hwWebSession* session, hwError* error);

// session_conditions.c: what an instructor changes
void hwWebSession_StartConditions(hwWebSession* session);
json_t* hwWebSession_PutConditions(const hwWebSession* session);
void hwWebSession_FollowConditions(hwWebSession* session); // after each step
void hwWebSession_RewindConditions(hwWebSession* session);
// What was changed in a recorded flight, up to the time `end`: flights go on with it, replays tell when the visibility changes.
void hwWebSession_LoadConditions(hwWebSession* session, const hwFlight* flight, double end);
void hwWebSession_ReplayConditions(hwWebSession* session); // before each frame
// A fault, visibility or note; null, or why not.
const char* hwWebSession_MakeFault(hwWebSession* session, const hwWebRequest* request);
void hwWebSession_SetVisibility(hwWebSession* session, double visibility);
// Something that happened, for the recording: marks and events. `json` (taken over) may be null.
void hwWebSession_Record(hwWebSession* session, const char* level, const char* text, json_t* json);
// Holds a stick message back as the link is set; false: it goes at once. With the mutex held.
bool hwWebSession_DelayPilot(hwWebSession* session, const double axes[4], uint32_t seq, bool hold);

// session_action.c. Act gives what to reply, or null and why not.
json_t* hwWebSession_Act(hwWebSession* session, const hwWebRequest* request, hwError* error);
bool hwWebSession_IsActing(const hwWebSession* session);
void hwWebSession_StopAction(hwWebSession* session, const char* how);
void hwWebSession_FollowAction(hwWebSession* session); // after each step
json_t* hwWebSession_PutAction(const hwWebSession* session);
void hwWebSession_FreeAction(hwWebSession* session);

// session_twin.c: shows a second tether from now on, or none; false, and why not.
bool hwWebSession_SetTwin(hwWebSession* session, hwWebTwinModel model, char* message, size_t size);
void hwWebSession_FollowTwin(hwWebSession* session); // after each step
void hwWebSession_FreeTwin(hwWebSession* session);
// session_ghost.c
void hwWebSession_FollowGhost(hwWebSession* session); // after each step
void hwWebSession_FreeGhost(hwWebSession* session);

// session_sonar.c. Start needs the live world and its scene.
void hwWebSession_StartSonars(hwWebSession* session);
void hwWebSession_FreeSonars(hwWebSession* session);
void hwWebSession_PingSonars(hwWebSession* session); // after each frame
// A page subscribes to images or ends that; the range is chosen. Null, or why not.
const char* hwWebSession_WatchSonar(hwWebSession* session, uint64_t connection, int sonar, bool on);
const char* hwWebSession_SetSonarRange(hwWebSession* session, int sonar, double range);
// For the description of a vehicle.
json_t* hwWebSession_DescribeSonars(const hwWebSession* session);

// session_arm.c. Start needs the controls.
void hwWebSession_StartArms(hwWebSession* session);
void hwWebSession_FreeArms(hwWebSession* session);
void hwWebSession_FollowArms(hwWebSession* session); // after each step
// Null, or why not.
const char* hwWebSession_MoveArm(hwWebSession* session, const hwWebRequest* request);
json_t* hwWebSession_DescribeArms(const hwWebSession* session);

// session_connect.c
void hwWebSession_Connect(hwWebSession* session);
void hwWebSession_UpdateConnectors(hwWebSession* session);
// Another program that flies the vehicle by its thrusters, as pages name it; null: none.
const char* hwWebSession_GetAutopilot(const hwWebSession* session);
void hwWebSession_Disconnect(hwWebSession* session);

// session_requests.c
void hwWebSession_Handle(hwWebSession* session, uint64_t connection, const hwWebRequest* request);

// session_watch.c: alerts, handler, equipment that moves on
void hwWebSession_FindControls(hwWebSession* session);
void hwWebSession_AfterStep(hwWebSession* session);
// After time went back: what was said of what is no more.
void hwWebSession_ClearAlerts(hwWebSession* session);
// Says the alerts that go on again, to a connection that came later.
void hwWebSession_RepeatAlerts(hwWebSession* session, uint64_t connection);
void hwWebSession_Alert(hwWebSession* session, hwWebAlertCode code, hwWebAlertLevel level, const char* format,
                        ...) __attribute__((format(printf, 4, 5)));

#endif
