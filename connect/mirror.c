#include "connect/mirror.h"

#include "connect/ardupilot.h"
#include "connect/telemetry.h"
#include "connect/tlog.h"
#include "hawser/hawser.h"
#include "hawser/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_AT_ONCE 256   // datagrams or records read between two steps
#define BUFFER 65536       // bytes of a log
#define GLIDE 0.5          // s: without news it goes on as it went for so long, then rests
#define CATCH_UP 3.0       // m/s faster than it says it is: what jumps is caught up with at this speed
#define CATCH_UP_TURN 1.5  // rad/s, likewise
#define LONGEST_STEP 1.0   // s between two updates: longer or backwards, and it begins anew
#define LARGEST_RECORD 320 // bytes
#define USUAL_GAP 0.1      // s: of more the next record has to know too
#define LONGEST_GAP 3600.0 // s: a log whose clock jumps by more, or back, goes on at once
#define HAUL_TIME 2.0      // s in which a wrong length of tether is made up for
#define FASTEST_HAUL 1.0   // m/s
#define AGE_STEP 10.0      // age is told in steps of a tenth of a second

typedef enum Source { SOURCE_UDP, SOURCE_LOG, SOURCE_TRACK } Source;

// Columns of a track, -1: none.
typedef struct Track {
    hwResults* file;
    int64_t row, rows;
    int columns;
    double* values; // of one row
    int position[3], attitude[3], tether, turns;
    double before; // s, time of the row before
    hwVec3 place;
} Track;

typedef struct Mirror {
    hwConnector base;
    hwMirrorDef def;
    Source source;
    int socket;
    FILE* log;
    unsigned char* buffer;
    size_t filled, done;
    bool ended;
    bool hasNext;
    hwMavFrame next; // of the log, whose time has not come
    double logTime;  // s, its time from the first one on, jumps taken out
    double logClock; // s since 1970, as written last
    double logStart; // s, time of a track's first row
    Track track;
    hwTelemetry telemetry;
    hwMavCounters counters;
    uint64_t datagrams;
    // inputs and channels of the vehicle
    int on, position[3], roll, pitch, heading, velocity[3], rate, age;
    int armed, bypass, tilt, lights, gripper, offset, turns;
    int thrusterCount, commands[HW_MAX_THRUSTERS], servos[HW_MAX_THRUSTERS];
    double signs[HW_MAX_THRUSTERS];
    int winch, length;
    double tiltLow, tiltHigh; // rad
    // the motion that is followed
    bool begun;
    double begin, time; // s of the world
    hwVec3 at;
    double bearing; // rad, heading, counted on
    double bank, trim;
} Mirror;

static bool Fail(hwError* error, hwStatus status, const char* format, const char* text) {
    memset(error, 0, sizeof(*error));
    error->status = status;
    snprintf(error->message, sizeof(error->message), format, text);
    return false;
}

// Sources ------------------------------------------------------------------------------------------------------------------

static void ReadDatagrams(Mirror* m, double now) {
    unsigned char data[HW_UDP_LARGEST];
    hwUdpAddress from;
    for (int i = 0; i < MOST_AT_ONCE; ++i) {
        long size = hwUdp_Receive(m->socket, data, sizeof(data), &from);
        if (size < 0) return;
        m->datagrams += 1;
        m->counters.malformed += size == 0;
        m->counters.astray = false;
        hwMavFrame frame;
        bool found = true;
        for (size_t at = 0; found && at < (size_t)size;) {
            size_t used = hwMav_Read(data + at, (size_t)size - at, &frame, &found, &m->counters);
            if (found) hwTelemetry_Take(&m->telemetry, &frame, now);
            // a datagram holds whole frames: what is left over is none
            if (!found && used < (size_t)size - at) m->counters.malformed += 1;
            at += used;
        }
    }
}

// More of the log, when what is there has been read.
static void FillBuffer(Mirror* m) {
    memmove(m->buffer, m->buffer + m->done, m->filled - m->done);
    m->filled -= m->done;
    m->done = 0;
    size_t got = fread(m->buffer + m->filled, 1, BUFFER - m->filled, m->log);
    m->filled += got;
    m->ended = got == 0;
}

// The time of a record is wrong where the next one goes on without it: it goes on from the one before, or, after the first, from another.
static bool IsStray(Mirror* m, double stamp) {
    if (m->filled - m->done < LARGEST_RECORD && !m->ended) FillBuffer(m);
    hwMavFrame frame;
    hwMavCounters counters = {0};
    double next;
    bool found;
    hwTlog_Read(m->buffer + m->done, m->filled - m->done, &frame, &next, &found, &counters);
    if (!found) return false;
    return m->logClock > 0.0 ? fabs(next - m->logClock) < fabs(next - stamp) : fabs(next - stamp) > USUAL_GAP;
}

// Time since the record before; 0 where the clock jumped or the record's time is wrong.
static double GetGap(Mirror* m, double stamp) {
    double passed = m->logClock > 0.0 ? stamp - m->logClock : (double)INFINITY;
    bool usual = passed >= 0.0 && passed <= USUAL_GAP;
    if (!usual && IsStray(m, stamp)) {
        m->counters.malformed += m->logClock > 0.0;
        return 0.0;
    }
    m->logClock = stamp;
    return passed >= 0.0 && passed <= LONGEST_GAP ? passed : 0.0;
}

// The records up to `now`, counted from the log's first one.
static void ReadLog(Mirror* m, double now) {
    for (int i = 0; i < MOST_AT_ONCE; ++i) {
        if (m->hasNext && m->logTime > now) return;
        if (m->hasNext) hwTelemetry_Take(&m->telemetry, &m->next, m->logTime);
        m->hasNext = false;
        double stamp;
        size_t used = hwTlog_Read(m->buffer + m->done, m->filled - m->done, &m->next, &stamp, &m->hasNext,
                                  &m->counters);
        m->done += used;
        if (!m->hasNext) {
            if (m->ended) return;
            FillBuffer(m);
            continue;
        }
        m->logTime += GetGap(m, stamp);
    }
}

static void TakeRow(Mirror* m, double time) {
    Track* t = &m->track;
    hwVec3 place = {t->values[t->position[0]], t->values[t->position[1]], t->values[t->position[2]]};
    double passed = time - t->before;
    hwVec3 velocity = hwVec3_zero;
    if (passed > 0.0 && passed < 10.0 && hwIsFiniteVec3(place))
        velocity = hwScale(1.0 / passed, hwSub(place, t->place));
    hwTelemetry_TakePlace(&m->telemetry, place, velocity, time);
    if (t->attitude[0] >= 0 && t->attitude[1] >= 0 && t->attitude[2] >= 0) {
        hwTelemetry_TakeAttitude(&m->telemetry, t->values[t->attitude[0]], -t->values[t->attitude[1]],
                                 -t->values[t->attitude[2]], time);
    }
    if (t->tether >= 0 && t->values[t->tether] >= 0.0) m->telemetry.tether = t->values[t->tether];
    if (t->turns >= 0 && isfinite(t->values[t->turns])) m->telemetry.turns = t->values[t->turns];
    t->place = place;
    t->before = time;
}

// The rows up to `now`, counted from the track's first one.
static void ReadTrack(Mirror* m, double now) {
    Track* t = &m->track;
    for (int i = 0; i < MOST_AT_ONCE && t->row < t->rows; ++i) {
        if (hwResults_ReadRows(t->file, t->row, 1, t->values, NULL) != HW_OK) {
            t->row = t->rows;
            return;
        }
        double time = t->values[0];
        if (t->row == 0) m->logStart = time;
        if (time - m->logStart > now) return;
        t->row += 1;
        bool rises = isfinite(time) && (t->row == 1 || time - m->logStart > t->before);
        if (rises) {
            TakeRow(m, time - m->logStart);
            m->counters.frames += 1;
        } else {
            m->counters.malformed += 1;
        }
    }
    m->ended = t->row >= t->rows;
}

// Following ----------------------------------------------------------------------------------------------------------------

static double Approach(double from, double to, double most) {
    double way = to - from;
    return from + (way > most ? most : (way < -most ? -most : way));
}

static hwVec3 ApproachPlace(hwVec3 from, hwVec3 to, double most) {
    hwVec3 way = hwSub(to, from);
    double length = hwLength(way);
    return length > most ? hwMulAdd(from, most / length, way) : to;
}

static double FindShortest(double angle) {
    return angle - 2.0 * HW_PI * floor(angle / (2.0 * HW_PI) + 0.5);
}

// Begins where the world's vehicle is.
static bool Begin(Mirror* m, const hwConnection* connection, double time) {
    hwBodyState body;
    hwVehicleState state;
    if (hwBody_GetState(connection->world, hwVehicle_GetBody(connection->world, m->def.vehicle), &body,
                        NULL) != HW_OK ||
        hwVehicle_GetState(connection->world, m->def.vehicle, &state, NULL) != HW_OK)
        return false;
    if (!m->begun) m->begin = time;
    m->begun = true;
    m->time = time;
    m->at = body.position;
    m->bearing = state.heading;
    m->bank = state.roll;
    m->trim = state.pitch;
    return true;
}

static void Set(const hwConnection* connection, int input, double value) {
    if (input >= 0) connection->setInput(connection->context, input, value);
}

static void SetEquipment(const Mirror* m, const hwConnection* connection) {
    const hwTelemetry* t = &m->telemetry;
    if (t->servoCount > 0) {
        Set(connection, m->armed, t->armed ? 1.0 : 0.0);
        Set(connection, m->bypass, HW_BYPASS_ALLOCATION);
        for (int i = 0; i < m->thrusterCount; ++i) {
            unsigned pulse = m->servos[i] < t->servoCount ? t->servos[m->servos[i]] : 0;
            Set(connection, m->commands[i], m->signs[i] * hwServo_GetCommand((uint16_t)pulse));
        }
    }
    if (isfinite(t->tilt))
        Set(connection, m->tilt, (m->tiltLow + t->tilt * (m->tiltHigh - m->tiltLow)) / HW_DEGREE);
    if (isfinite(t->lights)) Set(connection, m->lights, t->lights);
    if (isfinite(t->gripper)) Set(connection, m->gripper, t->gripper);
    if (isfinite(t->turns) && m->turns >= 0 && m->offset >= 0) {
        double shown = hwWorld_ReadChannel(connection->world, m->turns);
        double offset = hwWorld_ReadInput(connection->world, m->offset);
        // its counter tells whole turns or quarters: smaller differences are no news
        if (fabs(shown - t->turns) > 1.0) Set(connection, m->offset, offset + shown - t->turns);
    }
    if (isfinite(t->tether) && m->winch >= 0 && m->length >= 0) {
        double missing = t->tether - hwWorld_ReadChannel(connection->world, m->length);
        double rate = hwClamp(missing / HAUL_TIME, -FASTEST_HAUL, FASTEST_HAUL);
        Set(connection, m->winch, fabs(missing) < 0.02 ? 0.0 : rate);
    }
}

// One step of the motion that is followed: towards what was told last, as it goes on from there.
static void Follow(Mirror* m, const hwConnection* connection, double now, double step) {
    const hwTelemetry* t = &m->telemetry;
    double age = now - hwTelemetry_GetNewest(t);
    double surface = hwWorld_GetEnvironment(connection->world)->surface;
    hwVec3 wanted = m->at, velocity = hwVec3_zero;
    bool placed = isfinite(t->placed);
    // a depth told by itself is newer news of the height, or the only news
    if (placed) {
        double since = now - t->placed;
        if (since < GLIDE) velocity = t->velocity;
        wanted = hwMulAdd(t->position, since < GLIDE ? since : GLIDE, t->velocity);
        wanted.z += surface;
    } else if (isfinite(t->sounded)) {
        double since = now - t->sounded;
        if (since < GLIDE) velocity.z = t->climb;
        wanted.z = surface - t->depth + t->climb * (since < GLIDE ? since : GLIDE);
    }
    hwVec3 before = m->at;
    m->at = ApproachPlace(m->at, wanted, (CATCH_UP + hwLength(velocity)) * step);
    double turnRate = 0.0, bearingBefore = m->bearing;
    if (isfinite(t->turned)) {
        double since = now - t->turned, ahead = since < GLIDE ? since * t->rate : 0.0;
        double most = (CATCH_UP_TURN + fabs(t->rate)) * step;
        m->bearing += Approach(0.0, FindShortest(t->heading + ahead - m->bearing), most);
        m->bank = Approach(m->bank, t->roll, most);
        m->trim = Approach(m->trim, t->pitch, most);
    }
    turnRate = (m->bearing - bearingBefore) / step;
    hwVec3 moved = hwScale(1.0 / step, hwSub(m->at, before));
    const double at[3] = {m->at.x, m->at.y, m->at.z}, speed[3] = {moved.x, moved.y, moved.z};
    for (int k = 0; k < 3; ++k) {
        Set(connection, m->position[k], at[k]);
        Set(connection, m->velocity[k], speed[k]);
    }
    Set(connection, m->roll, m->bank);
    Set(connection, m->pitch, m->trim);
    Set(connection, m->heading, m->bearing);
    Set(connection, m->rate, turnRate);
    Set(connection, m->age, floor(AGE_STEP * age) / AGE_STEP);
    Set(connection, m->on, 1.0);
    SetEquipment(m, connection);
}

static void Update(hwConnector* connector, const hwConnection* connection) {
    Mirror* m = (Mirror*)connector;
    double time = hwWorld_GetTime(connection->world), step = time - m->time;
    if (!m->begun || !(step >= 0.0) || step > LONGEST_STEP) {
        Begin(m, connection, time);
        step = 0.0;
    }
    // a log is played by the world's time, so that it pauses and speeds up with it
    double now = m->source == SOURCE_UDP ? connection->clock : time - m->begin;
    if (m->source == SOURCE_UDP) ReadDatagrams(m, now);
    if (m->source == SOURCE_LOG) ReadLog(m, now);
    if (m->source == SOURCE_TRACK) ReadTrack(m, now);
    if (!isfinite(hwTelemetry_GetNewest(&m->telemetry)) || !(step > 0.0)) return;
    m->time = time;
    Follow(m, connection, now, step);
}

// Making and ending ----------------------------------------------------------------------------------------------------------

static void Describe(const hwConnector* connector, char* text, size_t size) {
    const Mirror* m = (const Mirror*)connector;
    char at[80];
    hwUdpAddress_Print(&m->def.listen, at, sizeof(at));
    if (m->source == SOURCE_UDP) {
        snprintf(text, size, "mirror: waiting for a vehicle's telemetry (MAVLink) on UDP %s", at);
    } else {
        snprintf(text, size, "mirror: following %s", m->def.path);
    }
}

static void Report(const hwConnector* connector, char* text, size_t size) {
    const Mirror* m = (const Mirror*)connector;
    snprintf(
        text, size,
        "mirror: %llu messages%s, %llu malformed and ignored, %llu implausible, %llu of others, %llu unknown",
        (unsigned long long)m->counters.frames, m->ended ? " to the end" : "",
        (unsigned long long)m->counters.malformed, (unsigned long long)m->telemetry.implausible,
        (unsigned long long)m->telemetry.others, (unsigned long long)m->counters.unknown);
}

static void Destroy(hwConnector* connector) {
    Mirror* m = (Mirror*)connector;
    if (m->socket >= 0) close(m->socket);
    if (m->log != NULL) fclose(m->log);
    hwCloseResults(m->track.file);
    free(m->track.values);
    free(m->buffer);
    free(m);
}

static const hwConnectorType g_type = {"mirror", NULL, Update, Describe, Report, Destroy};

static void FindInputs(Mirror* m, const hwWorld* world, const hwVehicleDef* vehicle) {
    static const char* const places[3] = {"mirror.x", "mirror.y", "mirror.z"};
    static const char* const speeds[3] = {"mirror.vx", "mirror.vy", "mirror.vz"};
    const char* name = vehicle->body.name;
    const struct {
        int* field;
        const char* name;
    } inputs[] = {{&m->on, "mirror.on"},          {&m->roll, "mirror.roll"},
                  {&m->pitch, "mirror.pitch"},    {&m->heading, "mirror.heading"},
                  {&m->rate, "mirror.turn_rate"}, {&m->age, "mirror.age"},
                  {&m->armed, "armed"},           {&m->bypass, "bypass"},
                  {&m->tilt, "camera.tilt_deg"},  {&m->lights, "lights"},
                  {&m->gripper, "gripper"},       {&m->offset, "turns.offset"}};
    for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); ++i)
        *inputs[i].field = hwConnector_FindInput(world, name, inputs[i].name);
    for (int k = 0; k < 3; ++k) {
        m->position[k] = hwConnector_FindInput(world, name, places[k]);
        m->velocity[k] = hwConnector_FindInput(world, name, speeds[k]);
    }
    m->turns = hwConnector_FindChannel(world, name, "turns");
    m->tiltLow = vehicle->camera.tiltLow;
    m->tiltHigh = vehicle->camera.tiltHigh;
    m->thrusterCount = vehicle->thrusterCount;
    for (int i = 0; i < vehicle->thrusterCount; ++i) {
        char text[40];
        int servo = vehicle->thrusters[i].servo;
        snprintf(text, sizeof(text), "thruster[%d].command", i);
        m->commands[i] = hwConnector_FindInput(world, name, text);
        m->servos[i] = servo != 0 ? abs(servo) - 1 : i;
        m->signs[i] = servo < 0 ? -1.0 : 1.0;
    }
    // the first winch holds its tether
    m->winch = m->length = -1;
    hwWinchId winch;
    if (hwWorld_GetWinches(world, 1, &winch) < 1) return;
    const hwWinchDef* def = hwWinch_GetDef(world, winch);
    m->winch = hwConnector_FindInput(world, def->name, "setpoint");
    m->length = hwConnector_FindChannel(world, hwCable_GetName(world, def->cable), "length");
}

// A column called `name`, or VEHICLE.GROUP.NAME.
static int FindColumn(const hwResults* file, const char* vehicle, const char* group, const char* name) {
    char text[200];
    int found = hwResults_FindChannel(file, name);
    snprintf(text, sizeof(text), "%s.%s.%s", vehicle, group, name);
    return found >= 0 ? found : hwResults_FindChannel(file, text);
}

static bool OpenTrack(Mirror* m, const char* vehicle, hwError* error) {
    static const char* const axes[3] = {"x", "y", "z"};
    static const char* const angles[3] = {"roll", "pitch", "yaw"};
    Track* t = &m->track;
    t->file = hwOpenResults(m->def.path, error);
    if (t->file == NULL) return false;
    t->rows = hwResults_GetRowCount(t->file);
    t->columns = hwResults_GetChannelCount(t->file);
    t->values = calloc((size_t)t->columns + 1, sizeof(double));
    if (t->values == NULL) return Fail(error, HW_ERROR_MEMORY, "%s", "there is not enough memory");
    for (int k = 0; k < 3; ++k) {
        t->position[k] = FindColumn(t->file, vehicle, "position", axes[k]);
        t->attitude[k] = FindColumn(t->file, vehicle, "attitude", angles[k]);
        if (t->position[k] < 0)
            return Fail(error, HW_ERROR_FORMAT,
                        "the track `%s` needs columns x, y and z (m, world) after the time", m->def.path);
    }
    t->tether = hwResults_FindChannel(t->file, "tether");
    t->turns = hwResults_FindChannel(t->file, "turns");
    if (t->rows > 0) return true;
    return Fail(error, HW_ERROR_FORMAT, "the track `%s` has no rows", m->def.path);
}

static bool OpenSource(Mirror* m, const char* vehicle, hwError* error) {
    if (m->def.path == NULL) {
        m->socket = hwUdp_Open(&m->def.listen, error);
        return m->socket >= 0;
    }
    size_t length = strlen(m->def.path);
    if (length > 5 && strcmp(m->def.path + length - 5, ".tlog") == 0) {
        m->source = SOURCE_LOG;
        m->log = fopen(m->def.path, "rb");
        if (m->log == NULL) return Fail(error, HW_ERROR_FILE, "the log `%s` cannot be read", m->def.path);
        m->buffer = malloc(BUFFER);
        return m->buffer != NULL || Fail(error, HW_ERROR_MEMORY, "%s", "there is not enough memory");
    }
    m->source = SOURCE_TRACK;
    return OpenTrack(m, vehicle, error);
}

hwConnector* hwCreateMirror(const hwWorld* world, const hwMirrorDef* def, hwError* error) {
    const hwVehicleDef* vehicle = hwVehicle_GetDef(world, def->vehicle);
    if (vehicle == NULL) {
        Fail(error, HW_ERROR_ARGUMENT, "%s", "there is no vehicle to mirror the real one");
        return NULL;
    }
    Mirror* m = calloc(1, sizeof(*m));
    if (m == NULL) {
        Fail(error, HW_ERROR_MEMORY, "%s", "there is not enough memory");
        return NULL;
    }
    m->base.type = &g_type;
    m->def = *def;
    m->socket = -1;
    m->telemetry = hwMakeTelemetry();
    m->telemetry.hasOrigin = def->hasOrigin;
    m->telemetry.latitude = def->latitude;
    m->telemetry.longitude = def->longitude;
    FindInputs(m, world, vehicle);
    if (OpenSource(m, vehicle->body.name, error)) return &m->base;
    Destroy(&m->base);
    return NULL;
}

bool hwMirrorDef_Parse(hwMirrorDef* def, const char* text, hwError* error) {
    if (strncmp(text, "udp:", 4) == 0) return hwUdpAddress_Parse(&def->listen, text + 4, "--mirror", error);
    const char* dot = strrchr(text, '.');
    bool known =
        dot != NULL && (strcmp(dot, ".tlog") == 0 || strcmp(dot, ".csv") == 0 || strcmp(dot, ".h5") == 0);
    if (!known)
        return Fail(error, HW_ERROR_ARGUMENT,
                    "--mirror is udp:PORT, a log (.tlog) or a track (.csv), not \"%.80s\"", text);
    if (access(text, R_OK) != 0)
        return Fail(error, HW_ERROR_FILE, "--mirror: \"%.120s\" cannot be read", text);
    def->path = text;
    return true;
}
