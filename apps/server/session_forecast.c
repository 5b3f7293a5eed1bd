// What the tether will do: pulled tight, the way home that frees it, and the next seconds under the present command. Computed in a
// thread of its own on a branch of the flight's world, so that the flight waits only for the branch to be made.
#define _POSIX_C_SOURCE 200809L
#include "apps/server/session_internal.h"

#include "hawser/entanglement.h"
#include "hawser/look_ahead.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_POINTS 400 // of a line that is sent
#define HOLD_LOAD                                                                                            \
    20.0 // N, what the vehicle holds against a haul: a BlueROV2 that is not driven, and a little
#define HAUL_LIMIT 100.0 // N, that a handler pulls with
#define HOME_CLEARANCE 0.6
#define TRACK_STEPS 15 // of 1/60 s between two points of the track ahead
#define TRACK_POINTS 124
#define STATION 1e6 // m: loss of station is not looked for

struct hwWebForecast {
    hwWebSession* session;
    hwWorld* world; // a branch
    uint64_t connection;
    int64_t id;
    double ahead; // s
    hwCableId cable;
    hwBodyId body;
    pthread_t thread;
    atomic_bool done, stop;
    // the track of the vehicle while looking ahead, and the tether at its end
    int steps, trackCount;
    hwVec3 track[TRACK_POINTS];
    int tetherCount;
    hwVec3 tether[MOST_POINTS];
};

static json_t* PutPoint(hwVec3 p) {
    // millimetres are enough for a line in a picture
    return json_pack("[f, f, f]", round(1e3 * p.x) * 1e-3, round(1e3 * p.y) * 1e-3, round(1e3 * p.z) * 1e-3);
}

// A line of no more than MOST_POINTS points, its ends among them.
static json_t* PutLine(int count, const hwVec3* points) {
    json_t* array = json_array();
    int stride = count > MOST_POINTS ? (count + MOST_POINTS - 2) / (MOST_POINTS - 1) : 1;
    for (int i = 0; i < count; i += stride) json_array_append_new(array, PutPoint(points[i]));
    if (count > 1 && (count - 1) % stride != 0) json_array_append_new(array, PutPoint(points[count - 1]));
    return array;
}

static json_t* PutTime(double time) {
    return isfinite(time) ? json_real(time) : json_null();
}

static json_t* PutHaul(const hwWebForecast* forecast) {
    static _Thread_local hwVec3 points[4000];
    hwHaulForecast haul;
    hwError error;
    int count = 0;
    if (hwCable_ForecastHaul(forecast->world, forecast->cable, HOLD_LOAD, HAUL_LIMIT, &haul, 4000, points,
                             &count, &error) != HW_OK)
        return json_null();
    json_t* arcs = json_array();
    for (int i = 0; i < haul.arcCount && i < HW_HAUL_ARCS; ++i) {
        const hwHaulArc* arc = &haul.arcs[i];
        json_array_append_new(arcs, json_pack("{s:s, s:o, s:f, s:f}", "name",
                                              hwBody_GetName(forecast->world, arc->body), "point",
                                              PutPoint(arc->point), "angle", arc->angle, "pull", arc->pull));
    }
    return json_pack("{s:o, s:f, s:f, s:f, s:i, s:o}", "line", PutLine(count < 4000 ? count : 4000, points),
                     "length", haul.length, "slack", haul.slack, "pull", haul.pull, "holding", haul.holding,
                     "arcs", arcs);
}

static json_t* PutHome(const hwWebForecast* forecast) {
    hwTetherWaypoint* route = malloc(MOST_POINTS * sizeof(*route));
    hwError error;
    int count = route != NULL ? hwCable_FindRoute(forecast->world, forecast->cable, HOME_CLEARANCE,
                                                  MOST_POINTS, route, &error)
                              : -1;
    json_t* home = json_null();
    if (count > 0) {
        home = json_array();
        for (int i = 0; i < count && i < MOST_POINTS; ++i) {
            json_t* point = PutPoint(route[i].point);
            double clearance = route[i].clearance;
            json_array_append_new(point, isfinite(clearance) ? json_real(clearance) : json_null());
            json_array_append_new(home, point);
        }
    }
    free(route);
    return home;
}

static bool TakeStep(const hwWorld* branch, void* context) {
    hwWebForecast* forecast = context;
    hwBodyState state;
    hwCableView view;
    hwError error;
    if (forecast->steps++ % TRACK_STEPS == 0 && forecast->trackCount < TRACK_POINTS &&
        hwBody_GetState(branch, forecast->body, &state, &error) == HW_OK)
        forecast->track[forecast->trackCount++] = state.position;
    if (hwCable_GetView(branch, forecast->cable, &view, &error) == HW_OK) {
        forecast->tetherCount = view.nodeCount < MOST_POINTS ? view.nodeCount : MOST_POINTS;
        // counted from the vehicle's end, which matters most
        memcpy(forecast->tether, view.positions + view.nodeCount - forecast->tetherCount,
               (size_t)forecast->tetherCount * sizeof(hwVec3));
    }
    return !atomic_load(&forecast->stop);
}

static json_t* PutAhead(hwWebForecast* forecast) {
    hwLookAheadDef def = hwDefaultLookAheadDef();
    hwLookAhead ahead;
    hwError error;
    def.duration = forecast->ahead;
    def.step = SESSION_STEP;
    def.cable = forecast->cable;
    def.body = forecast->body;
    def.station = STATION;
    def.watch = TakeStep;
    def.watchContext = forecast;
    if (!(def.duration > 0.0) || hwWorld_LookAhead(forecast->world, 1, &def, &ahead, &error) != HW_OK)
        return json_null();
    json_t* json = json_pack("{s:f, s:o, s:o, s:o, s:o, s:o}", "end", ahead.end, "wound",
                             PutTime(ahead.wound), "snagged", PutTime(ahead.caught), "taut",
                             PutTime(ahead.tautened), "track", PutLine(forecast->trackCount, forecast->track),
                             "tether", PutLine(forecast->tetherCount, forecast->tether));
    if (ahead.feature >= 0)
        json_object_set_new(
            json, "feature",
            json_string(hwCable_GetWatchFeature(forecast->world, forecast->cable, ahead.feature).name));
    return json;
}

static void* ForecastMain(void* context) {
    hwWebForecast* forecast = context;
    json_t* json = json_pack("{s:f}", "time", hwWorld_GetTime(forecast->world));
    json_object_set_new(json, "haul", PutHaul(forecast));
    if (!atomic_load(&forecast->stop)) json_object_set_new(json, "home", PutHome(forecast));
    if (!atomic_load(&forecast->stop)) json_object_set_new(json, "ahead", PutAhead(forecast));
    hwWebSession_Reply(forecast->session, forecast->connection, forecast->id, json);
    atomic_store(&forecast->done, true);
    return NULL;
}

void hwWebSession_FreeForecast(hwWebSession* session) {
    hwWebForecast* forecast = session->forecast;
    if (forecast == NULL) return;
    atomic_store(&forecast->stop, true);
    pthread_join(forecast->thread, NULL);
    hwDestroyWorld(forecast->world);
    free(forecast);
    session->forecast = NULL;
}

static bool Fail(char* message, size_t size, const char* text) {
    snprintf(message, size, "%s", text);
    return false;
}

bool hwWebSession_MakeForecast(hwWebSession* session, uint64_t connection, const hwWebRequest* request,
                               char* message, size_t size) {
    if (!hwWebSession_HasAllAids(session))
        return Fail(message, size, "this lesson is flown without forecasts");
    if (hwWebSession_IsAsking(session))
        return Fail(message, size, "there are no forecasts while questions are asked");
    if (session->forecast != NULL && !atomic_load(&session->forecast->done))
        return Fail(message, size, "the forecast asked for before is not ready");
    hwWebSession_FreeForecast(session);
    const hwWorld* world = hwLive_GetWorld(session->live);
    hwCableId cable = hwWorld_FindCable(world, "tether");
    hwEntanglement all;
    hwError error;
    if (!hwCable_IsValid(world, cable) || hwCable_GetEntanglement(world, cable, &all, &error) != HW_OK)
        return Fail(message, size, "there is no tether that is watched");
    hwWebForecast* forecast = calloc(1, sizeof(*forecast));
    if (forecast == NULL) return Fail(message, size, "there is not enough memory for a forecast");
    forecast->session = session;
    forecast->connection = connection;
    forecast->id = request->id;
    forecast->ahead = request->value;
    forecast->cable = cable;
    forecast->body = hwWorld_FindBody(world, session->controls.name);
    forecast->world = hwWorld_Branch(world, &error);
    // signals are for the thread that serves
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_BLOCK, &every, &before);
    bool good =
        forecast->world != NULL && pthread_create(&forecast->thread, NULL, ForecastMain, forecast) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (good) {
        session->forecast = forecast;
        return true;
    }
    hwDestroyWorld(forecast->world);
    free(forecast);
    return Fail(message, size, "there is not enough memory for a forecast");
}
