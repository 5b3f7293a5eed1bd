// After each step: what pilots are told, the tether's handler, equipment that moves on.
#define _POSIX_C_SOURCE 200809L
#include "apps/server/session_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WATCH_INTERVAL 6 // steps between looks
#define ALERT_DWELL 1.5  // s that a level stays lower before that is told
#define ALERT_UPDATE 1.0 // s between numbers of an alert that goes on

static const char* const g_codes[ALERT_CODES] = {
    [ALERT_TENSION] = "tension",     [ALERT_PARTED] = "parted",       [ALERT_TURNS] = "turns",
    [ALERT_WRAP] = "wrap",           [ALERT_SLACK] = "slack",         [ALERT_ALTITUDE] = "altitude",
    [ALERT_ATTITUDE] = "attitude",   [ALERT_COLLISION] = "collision", [ALERT_SURFACE] = "surface",
    [ALERT_THRUSTER] = "thruster",   [ALERT_DEPTH] = "depth",         [ALERT_SLOW] = "slow",
    [ALERT_RECORDING] = "recording", [ALERT_SOLVER] = "solver",       [ALERT_PILOT] = "pilot",
    [ALERT_MIRROR] = "mirror",
};
static const char* const g_levels[] = {
    [LEVEL_NONE] = "info",
    [LEVEL_INFO] = "info",
    [LEVEL_WARNING] = "warning",
    [LEVEL_ALARM] = "alarm",
};

// Finding things -------------------------------------------------------------------------------------------------------

static int Input(const hwWorld* world, const char* object, const char* name) {
    char text[160];
    snprintf(text, sizeof(text), "%s.%s", object, name);
    return hwWorld_FindInput(world, text);
}

static int Channel(const hwWorld* world, const char* object, const char* name) {
    char text[160];
    snprintf(text, sizeof(text), "%s.%s", object, name);
    return hwWorld_FindChannel(world, text);
}

void hwWebSession_FindControls(hwWebSession* session) {
    static const char* const pilot[4] = {"pilot.surge", "pilot.sway", "pilot.heave", "pilot.yaw"};
    static const char* const axes[4] = {"axis.surge", "axis.sway", "axis.heave", "axis.yaw"};
    static const char* const parts[4] = {"dead_zone", "sensitivity", "expo", "invert"};
    static const char xyz[3] = {'x', 'y', 'z'};
    const hwWorld* w = hwLive_GetWorld(session->live);
    hwWebControls* c = &session->controls;
    memset(c, 0xff, sizeof(*c)); // -1 everywhere
    c->name[0] = 0;
    c->thrusterCount = 0;
    hwVehicleId id;
    if (hwWorld_GetVehicles(w, 1, &id) > 0)
        snprintf(c->name, sizeof(c->name), "%s", hwVehicle_GetDef(w, id)->body.name);
    const char* n = c->name[0] != 0 ? c->name : "no vehicle";
    for (int i = 0; i < 4; ++i) {
        c->pilot[i] = Input(w, n, pilot[i]);
        for (int k = 0; k < 4; ++k) {
            char text[48];
            snprintf(text, sizeof(text), "%s.%s", axes[i], parts[k]);
            c->axes[i][k] = Input(w, n, text);
        }
    }
    c->mirrorAge = Channel(w, n, "mirror.age");
    c->armed = Input(w, n, "armed");
    c->mode = Input(w, n, "mode");
    c->gain = Input(w, n, "gain");
    c->lights = Input(w, n, "lights");
    c->gripper = Input(w, n, "gripper");
    c->tilt = Input(w, n, "camera.tilt_deg");
    c->zoom = Input(w, n, "camera.zoom");
    c->turnsOffset = Input(w, n, "turns.offset");
    c->holdDepth = Input(w, n, "hold.depth");
    c->holdHeading = Input(w, n, "hold.heading");
    for (int i = 0; i < HW_MAX_THRUSTERS; ++i) {
        char text[48];
        snprintf(text, sizeof(text), "thruster[%d].failed", i);
        c->failed[i] = Input(w, n, text);
        snprintf(text, sizeof(text), "thruster[%d].sense", i);
        c->sense[i] = Input(w, n, text);
        if (c->failed[i] >= 0) c->thrusterCount = i + 1;
    }
    c->winch = Input(w, "winch", "setpoint");
    c->turns = Channel(w, n, "turns");
    c->altitude = Channel(w, n, "altitude");
    c->depth = Channel(w, n, "depth");
    c->roll = Channel(w, n, "roll");
    c->pitch = Channel(w, n, "pitch");
    c->tension = Channel(w, n, "tether.tension");
    c->gripperNow = Channel(w, n, "gripper");
    c->tiltNow = Channel(w, n, "camera.tilt");
    c->zoomNow = Channel(w, n, "camera.zoom");
    c->failedMask = Channel(w, n, "failed");
    c->speed = Channel(w, n, "speed");
    c->cableLength = Channel(w, "tether", "length");
    c->wrap = Channel(w, "tether", "wrap");
    for (int i = 0; i < 3; ++i) {
        char text[48];
        snprintf(text, sizeof(text), "environment.current.%c", xyz[i]);
        c->current[i] = hwWorld_FindInput(w, text);
        snprintf(text, sizeof(text), "velocity.%c", xyz[i]);
        c->velocity[i] = Channel(w, n, text);
        snprintf(text, sizeof(text), "contact.force.%c", xyz[i]);
        c->force[i] = Channel(w, n, text);
        snprintf(text, sizeof(text), "node[0].position.%c", xyz[i]);
        c->endA[i] = Channel(w, "tether", text);
        snprintf(text, sizeof(text), "position.%c", xyz[i]);
        c->endB[i] = Channel(w, n, text);
    }
}

// Alerts ---------------------------------------------------------------------------------------------------------------

static void SendAlert(hwWebSession* session, hwWebAlertCode code, hwWebAlertLevel level, bool over) {
    double time = hwWebSession_GetTime(session);
    json_t* json = json_pack("{s:s, s:f, s:s, s:s, s:s}", "type", "alert", "time", time, "level",
                             g_levels[level], "code", g_codes[code], "text", session->alertTexts[code]);
    if (over) json_object_set_new(json, "over", json_true());
    hwWebSession_Send(session, 0, false, json);
    session->alertSent[code] = time;
}

// Whether a level that falls has stayed lower for long enough to be told: what chatters about a bound is one alert.
static bool HasEased(hwWebSession* session, hwWebAlertCode code, hwWebAlertLevel level) {
    double time = hwWebSession_GetTime(session);
    if (level >= session->alerts[code] || code == ALERT_SOLVER) {
        session->alertEasing[code] = (double)NAN;
        return true;
    }
    // a rewind leaves a time to come: it begins anew
    if (!(session->alertEasing[code] <= time)) session->alertEasing[code] = time;
    return time - session->alertEasing[code] >= ALERT_DWELL;
}

void hwWebSession_Alert(hwWebSession* session, hwWebAlertCode code, hwWebAlertLevel level, const char* format,
                        ...) {
    hwWebAlertLevel before = session->alerts[code];
    if (before == LEVEL_NONE && level == LEVEL_NONE) return;
    if (!HasEased(session, code, level)) return;
    char* text = session->alertTexts[code];
    char fresh[sizeof(session->alertTexts[code])];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fresh, sizeof(fresh), format, arguments);
    va_end(arguments);
    bool same = level == before;
    // what goes on keeps its number up to date
    double since = hwWebSession_GetTime(session) - session->alertSent[code];
    if (same && (strcmp(fresh, text) == 0 || (since >= 0.0 && since < ALERT_UPDATE))) return;
    memcpy(text, fresh, sizeof(fresh));
    session->alerts[code] = level;
    SendAlert(session, code, level != LEVEL_NONE ? level : before, level == LEVEL_NONE);
    if (same || level < LEVEL_WARNING) return;
    double time = hwWebSession_GetTime(session);
    json_array_append_new(session->marks,
                          json_pack("{s:f, s:s, s:s}", "time", time, "level", g_levels[level], "text", text));
    if (session->writer != NULL) hwFlightWriter_AddMark(session->writer, time, g_levels[level], text);
}

void hwWebSession_ClearAlerts(hwWebSession* session) {
    for (int code = 0; code < ALERT_CODES; ++code) {
        hwWebAlertLevel before = session->alerts[code];
        if (before == LEVEL_NONE || code == ALERT_RECORDING || code == ALERT_SLOW) continue;
        session->alerts[code] = LEVEL_NONE;
        session->alertEasing[code] = (double)NAN;
        SendAlert(session, (hwWebAlertCode)code, before, true);
    }
}

void hwWebSession_RepeatAlerts(hwWebSession* session, uint64_t connection) {
    for (int code = 0; code < ALERT_CODES; ++code) {
        if (session->alerts[code] == LEVEL_NONE) continue;
        hwWebSession_Send(session, connection, false,
                          json_pack("{s:s, s:f, s:s, s:s, s:s}", "type", "alert", "time",
                                    hwWebSession_GetTime(session), "level", g_levels[session->alerts[code]],
                                    "code", g_codes[code], "text", session->alertTexts[code]));
    }
}

// A level that comes at `warning` and `alarm` and goes 10 % below.
static hwWebAlertLevel Judge(hwWebAlertLevel before, double value, double warning, double alarm) {
    if (!(value == value)) return LEVEL_NONE;
    double ease = before != LEVEL_NONE ? 0.9 : 1.0;
    if (value > alarm * (before == LEVEL_ALARM ? 0.9 : 1.0)) return LEVEL_ALARM;
    return value > warning * ease ? LEVEL_WARNING : LEVEL_NONE;
}

static double Read(const hwWebSession* session, int channel) {
    return channel >= 0 ? hwWorld_ReadChannel(hwLive_GetWorld(session->live), channel) : (double)NAN;
}

static hwVec3 ReadVector(const hwWebSession* session, const int channels[3]) {
    return hwMakeVec3(Read(session, channels[0]), Read(session, channels[1]), Read(session, channels[2]));
}

static double RatedDepth(const hwWebSession* session) {
    hwVehicleType* type = session->scene != NULL ? hwScene_LoadVehicleType(session->scene, 0, NULL) : NULL;
    double depth = type != NULL ? hwVehicleType_GetLook(type)->ratedDepth : (double)INFINITY;
    hwDestroyVehicleType(type);
    return depth;
}

static void WatchVehicle(hwWebSession* session) {
    const hwWebControls* c = &session->controls;
    const hwWebAlertLevel* now = session->alerts;
    double turns = fabs(Read(session, c->turns));
    hwWebSession_Alert(session, ALERT_TURNS, Judge(now[ALERT_TURNS], turns, 1.0, 3.0), "%.1f turns to %s",
                       turns, Read(session, c->turns) > 0.0 ? "starboard" : "port");
    double altitude = Read(session, c->altitude);
    bool low = altitude < (now[ALERT_ALTITUDE] != LEVEL_NONE ? 0.55 : 0.5);
    hwWebSession_Alert(session, ALERT_ALTITUDE, low ? LEVEL_WARNING : LEVEL_NONE, "Altitude %.1f m",
                       altitude);
    double tilt = fmax(fabs(Read(session, c->roll)), fabs(Read(session, c->pitch))) * 180.0 / HW_PI;
    hwWebSession_Alert(session, ALERT_ATTITUDE, Judge(now[ALERT_ATTITUDE], tilt, 30.0, 1e9),
                       "Roll or pitch %.0f degrees", tilt);
    double failed = Read(session, c->failedMask);
    hwWebSession_Alert(session, ALERT_THRUSTER, failed > 0.0 ? LEVEL_ALARM : LEVEL_NONE,
                       "A thruster has failed");
    double depth = Read(session, c->depth);
    if (depth > 50.0) {
        hwWebSession_Alert(session, ALERT_DEPTH, Judge(now[ALERT_DEPTH], depth, RatedDepth(session), 1e9),
                           "Depth %.0f m", depth);
    }
    // a blow changes the velocity at once; to lie in a cage that moves, or to slide along something, is none
    double force = hwLength(ReadVector(session, c->force)), change = 0.0;
    hwVec3 velocity = ReadVector(session, c->velocity), *last = session->lastVelocities;
    for (int i = 0; i < 2; ++i) {
        if (hwLength(last[i]) > 0.3) change = hwFmax(change, hwDistance(velocity, last[i]));
    }
    if (force > 1.0 && change > 0.3)
        hwWebSession_Alert(session, ALERT_COLLISION, LEVEL_WARNING, "Collision at %.1f m/s", change);
    if (!(force > 1.0)) hwWebSession_Alert(session, ALERT_COLLISION, LEVEL_NONE, "Clear of contact");
    last[1] = last[0];
    last[0] = velocity;
}

// How old the words of the real vehicle are, where one is mirrored.
static void WatchMirror(hwWebSession* session) {
    double age = Read(session, session->controls.mirrorAge);
    if (isnan(age)) return;
    hwWebAlertLevel level = age >= 5.0 ? LEVEL_ALARM : (age >= 1.0 ? LEVEL_WARNING : LEVEL_NONE);
    hwWebSession_Alert(session, ALERT_MIRROR, level, "Telemetry is %.0f s old", age);
}

static void WatchTether(hwWebSession* session) {
    const hwWebControls* c = &session->controls;
    const hwWebTetherType* type =
        session->def.options.tether ? hwWebCatalog_FindTether(session->def.options.tetherType) : NULL;
    double tension = Read(session, c->tension);
    if (type != NULL && !isnan(tension)) {
        hwWebSession_Alert(
            session, ALERT_TENSION,
            Judge(session->alerts[ALERT_TENSION], tension, 0.2 * type->working, 0.4 * type->working),
            "Tether tension %.0f N", tension);
    }
    if (c->cableLength < 0) return;
    bool attached = !isnan(tension);
    hwWebSession_Alert(session, ALERT_PARTED, attached ? LEVEL_NONE : LEVEL_ALARM, "The tether has parted");
    double wrap = Read(session, c->wrap) * 180.0 / HW_PI;
    hwWebSession_Alert(session, ALERT_WRAP, Judge(session->alerts[ALERT_WRAP], wrap, 90.0, 1e9),
                       "Tether wrapped by %.0f degrees", wrap);
    double length = Read(session, c->cableLength);
    double straight = hwDistance(ReadVector(session, c->endA), ReadVector(session, c->endB));
    // two metres of it beside the vehicle are no danger, whatever share of the tether they are, nor what the waves take
    double loose = 2.0 + session->def.options.waveHeight;
    double slack = straight > 1.0 && length - straight > loose ? length / straight - 1.0 : 0.0;
    hwWebSession_Alert(session, ALERT_SLACK, Judge(session->alerts[ALERT_SLACK], slack, 0.25, 1e9),
                       "Slack %.0f %%", 100.0 * slack);
}

static void WatchRecording(hwWebSession* session) {
    if (session->writer == NULL) return;
    hwError error;
    if (hwFlightWriter_GetStatus(session->writer, &error) == HW_OK) return;
    if (session->alerts[ALERT_RECORDING] != LEVEL_NONE) return;
    hwWebSession_Alert(session, ALERT_RECORDING, LEVEL_ALARM, "%.200s", error.message);
    hwWebSession_SendState(session);
}

// The handler ----------------------------------------------------------------------------------------------------------

// m on the drum and out together.
static double GetLongest(const hwWebSession* session) {
    const hwWorld* world = hwLive_GetWorld(session->live);
    hwWinchId ids[16];
    int count = hwWorld_GetWinches(world, 16, ids);
    for (int i = 0; i < count && i < 16; ++i) {
        const hwWinchDef* winch = hwWinch_GetDef(world, ids[i]);
        if (winch->name != NULL && strcmp(winch->name, "winch") == 0 && winch->longest > 0.0)
            return winch->longest;
    }
    return session->def.options.tetherLength;
}

// Rate at which the tether is paid out (m/s): what was asked for, or what the handler chooses.
static void MindTether(hwWebSession* session) {
    const hwWebControls* c = &session->controls;
    if (c->winch < 0 || c->cableLength < 0) return;
    hwHandlerView view = {.length = Read(session, c->cableLength),
                          .straight = hwDistance(ReadVector(session, c->endA), ReadVector(session, c->endB)),
                          .tension = Read(session, c->tension),
                          .waves = session->def.options.waveHeight,
                          .longest = GetLongest(session),
                          .interval = WATCH_INTERVAL * SESSION_STEP};
    double rate = 0.0;
    if (session->handler == HANDLER_MANUAL) rate = session->handlerRate;
    if (session->handler == HANDLER_AUTO) rate = hwHandler_ChooseRate(&view);
    hwLive_ApplyInput(session->live, c->winch, hwHandler_LimitRate(&view, rate), NULL);
}

static void MoveEquipment(hwWebSession* session) {
    const hwWebControls* c = &session->controls;
    const hwWorld* world = hwLive_GetWorld(session->live);
    const double interval = WATCH_INTERVAL * SESSION_STEP;
    hwVehicleId id;
    if (hwWorld_GetVehicles(world, 1, &id) == 0) return;
    const hwCameraDef* camera = &hwVehicle_GetDef(world, id)->camera;
    if (session->tiltRate != 0.0 && c->tilt >= 0) {
        double tilt = hwWorld_ReadInput(world, c->tilt) + session->tiltRate * interval;
        tilt = hwClamp(tilt, camera->tiltLow * 180.0 / HW_PI, camera->tiltHigh * 180.0 / HW_PI);
        hwLive_ApplyInput(session->live, c->tilt, tilt, NULL);
    }
    if (session->zoomRate != 0.0 && c->zoom >= 0) {
        double zoom =
            hwClamp(hwWorld_ReadInput(world, c->zoom) + session->zoomRate * interval, 1.0, camera->zoom);
        hwLive_ApplyInput(session->live, c->zoom, zoom, NULL);
    }
}

void hwWebSession_AfterStep(hwWebSession* session) {
    hwLiveStatus status = hwLive_GetStatus(session->live);
    if (session->writer != NULL)
        hwFlightWriter_AddStep(session->writer, hwLive_GetWorld(session->live), status.steps);
    if (status.steps % (uint64_t)session->pace != 0) return;
    hwWebSession_FollowLesson(session);
    hwWebSession_FollowAction(session);
    hwWebSession_FollowArms(session);
    if (session->def.kind == SESSION_FLIGHT) hwWebSession_FollowConditions(session);
    if (session->def.kind == SESSION_FLIGHT) hwWebSession_FollowGhost(session);
    if (session->def.kind == SESSION_FLIGHT) hwWebSession_FollowTwin(session);
    if (session->def.kind == SESSION_FLIGHT) hwWebSession_FollowEntanglement(session);
    if (session->def.kind == SESSION_FLIGHT) hwWebSession_FollowHints(session);
    if (hwWebSession_GetTicks(session) % WATCH_INTERVAL != 0) return;
    WatchRecording(session);
    if (session->controls.turns >= 0) WatchVehicle(session);
    if (session->def.kind == SESSION_FLIGHT) {
        WatchTether(session);
        WatchMirror(session);
        hwWebSession_FlyLesson(session);
        MindTether(session);
    }
    MoveEquipment(session);
    // a scene ends where its file says
    if (session->def.kind != SESSION_SCENE || session->scene == NULL) return;
    const hwSceneInfo* info = hwScene_GetInfo(session->scene);
    bool over = status.time >= info->start + info->duration - 0.5 * SESSION_STEP;
    if (over && !status.paused && !session->over) hwLive_Pause(session->live, true);
    session->over = over;
}
