// Sonars of the vehicle that is flown: pinged while a page looks, sent as binary messages (docs/protocol.md). They are queries and
// no part of the world's state: what is recorded and scored does not depend on who looks.
#include "apps/server/session_internal.h"
#include "hawser/query.h"
#include "hawser/sonar.h"
#include "hawser/vehicle_type.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SONAR_MAGIC 0x31535748u // the letters HWS1
#define SONAR_HEADER 44         // bytes
#define LEVEL_FLOOR (-50.0)     // dB of level 0; 0 dB: a wall that fills a beam squarely
#define LEVEL_STEP 0.25         // dB
#define MOST_SWEPT 16           // beams of a scanning sonar in one message

typedef struct Sonar {
    hwVehicleSonarDef type; // of the vehicle's file; its name is a copy
    hwSonarDef def;         // as it is set now
    char name[64];
    double done; // number of the last ping, NaN: none since somebody looks
    float* image;
} Sonar;

struct hwWebSonars {
    int count;
    Sonar items[SESSION_MOST_SONARS];
};

// Levels of an intensity by the upper half of its bits: sign, exponent, seven bits of mantissa, so to 0.03 dB.
static uint8_t g_levels[32768];
static pthread_once_t g_levelsMade = PTHREAD_ONCE_INIT;

static void MakeLevels(void) {
    for (uint32_t i = 0; i < 32768; ++i) {
        uint32_t bits = (i << 16) | 0x8000u; // the middle of those that share it
        float intensity;
        memcpy(&intensity, &bits, sizeof(intensity));
        double level = (10.0 * log10((double)intensity) - LEVEL_FLOOR) / LEVEL_STEP;
        g_levels[i] =
            level >= 255.0 || !isfinite(intensity) ? 255 : (level <= 0.0 ? 0 : (uint8_t)(level + 0.5));
    }
}

static uint8_t LevelOf(float intensity) {
    uint32_t bits;
    if (!(intensity > 0.0f)) return 0;
    memcpy(&bits, &intensity, sizeof(bits));
    return g_levels[bits >> 16];
}

void hwWebSession_StartSonars(hwWebSession* session) {
    const hwWorld* world = hwLive_GetWorld(session->live);
    hwVehicleId vehicle;
    if (session->scene == NULL || hwWorld_GetVehicles(world, 1, &vehicle) == 0) return;
    hwVehicleType* type = hwScene_LoadVehicleType(session->scene, 0, NULL);
    const hwVehicleLook* look = type != NULL ? hwVehicleType_GetLook(type) : NULL;
    int count = look != NULL && look->sonarCount < SESSION_MOST_SONARS
                    ? look->sonarCount
                    : (look != NULL ? SESSION_MOST_SONARS : 0);
    hwWebSonars* sonars = count > 0 ? calloc(1, sizeof(*sonars)) : NULL;
    for (int i = 0; sonars != NULL && i < count; ++i) {
        const hwVehicleSonarDef* def = &look->sonars[i];
        Sonar* sonar = &sonars->items[i];
        *sonar = (Sonar){.type = *def, .def = def->def, .done = (double)NAN};
        snprintf(sonar->name, sizeof(sonar->name), "%s", def->name);
        sonar->type.name = sonar->name;
        sonar->def.body = hwVehicle_GetBody(world, vehicle);
        sonar->def.most = def->first;
        sonar->image = malloc((size_t)sonar->def.beams * (size_t)sonar->def.bins * sizeof(float));
        if (sonar->image != NULL) sonars->count = i + 1;
        if (sonar->image == NULL) break;
    }
    hwDestroyVehicleType(type);
    session->sonars = sonars;
    pthread_once(&g_levelsMade, MakeLevels);
}

void hwWebSession_FreeSonars(hwWebSession* session) {
    if (session->sonars == NULL) return;
    for (int i = 0; i < session->sonars->count; ++i) free(session->sonars->items[i].image);
    free(session->sonars);
    session->sonars = NULL;
}

json_t* hwWebSession_DescribeSonars(const hwWebSession* session) {
    json_t* list = json_array();
    for (int i = 0; session->sonars != NULL && hwWebSession_HasSonar(session) && i < session->sonars->count;
         ++i) {
        const Sonar* s = &session->sonars->items[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:[f, f], s:f, s:f, s:i, s:i, s:f}", "name",
                                              s->name, "kind", s->type.scanning ? "scanning" : "multibeam",
                                              "range", s->type.least, s->type.def.most, "most", s->def.most,
                                              "fan", s->type.scanning ? s->type.sector : s->def.fan, "beams",
                                              s->def.beams, "bins", s->def.bins, "rate", s->type.rate));
    }
    return list;
}

static Sonar* FindSonar(const hwWebSession* session, int sonar, const char** reason) {
    if (session->sonars == NULL || sonar < 0 || sonar >= session->sonars->count) {
        *reason = "this vehicle has no such sonar";
    } else if (!hwWebSession_HasSonar(session)) {
        *reason = "this lesson is flown without sonar";
    } else {
        return &session->sonars->items[sonar];
    }
    return NULL;
}

const char* hwWebSession_WatchSonar(hwWebSession* session, uint64_t connection, int sonar, bool on) {
    const char* reason = "too many connections look at sonars";
    Sonar* s = FindSonar(session, sonar, &reason);
    if (s == NULL) return reason;
    unsigned bit = 1u << sonar;
    pthread_mutex_lock(&session->mutex);
    hwWebSonarWatcher* place = NULL;
    for (int i = 0; i < SESSION_MOST_WATCHERS; ++i) {
        hwWebSonarWatcher* w = &session->sonarWatchers[i];
        if (w->connection == connection || (place == NULL && w->connection == 0)) place = w;
        if (w->connection == connection) break;
    }
    if (place != NULL) {
        unsigned before = place->connection == connection ? place->sonars : 0;
        place->sonars = on ? before | bit : before & ~bit;
        place->connection = place->sonars != 0 ? connection : 0;
    }
    pthread_mutex_unlock(&session->mutex);
    // who looks anew sees something at once, also while time stands
    if (on) s->done = (double)NAN;
    return place != NULL || !on ? NULL : reason;
}

const char* hwWebSession_SetSonarRange(hwWebSession* session, int sonar, double range) {
    const char* reason = NULL;
    Sonar* s = FindSonar(session, sonar, &reason);
    if (s == NULL) return reason;
    s->def.most = hwClamp(range, s->type.least, s->type.def.most);
    s->done = (double)NAN;
    return NULL;
}

// Pinging --------------------------------------------------------------------------------------------------------------

static uint8_t* PutNumber(uint8_t* at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) *at++ = (uint8_t)(value >> (8 * i));
    return at;
}

static uint8_t* PutSingle(uint8_t* at, double value) {
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof(bits));
    return PutNumber(at, bits, 4);
}

// A message with room for `beams`; `levels` is where they go.
static hwWebFrameBuffer* MakeMessage(const hwWebSession* session, int index, double number, int beams,
                                     const double* bearings, uint8_t** levels) {
    const Sonar* s = &session->sonars->items[index];
    size_t size = SONAR_HEADER + 4 * (size_t)beams + (((size_t)beams * (size_t)s->def.bins + 3) & ~(size_t)3);
    hwWebFrameBuffer* buffer = calloc(1, sizeof(*buffer));
    unsigned char* data = calloc(1, SESSION_PRE + size);
    if (buffer == NULL || data == NULL) {
        free(buffer);
        free(data);
        return NULL;
    }
    double time = hwWebSession_GetTime(session);
    uint64_t bits;
    memcpy(&bits, &time, sizeof(bits));
    uint8_t* at = data + SESSION_PRE;
    at = PutNumber(at, SONAR_MAGIC, 4);
    at = PutNumber(at, (uint64_t)index, 2);
    at = PutNumber(at, s->type.scanning ? 1 : 0, 2);
    at = PutNumber(at, bits, 8);
    at = PutNumber(at, (uint64_t)(uint32_t)number, 4);
    at = PutNumber(at, (uint64_t)beams, 2);
    at = PutNumber(at, (uint64_t)s->def.bins, 2);
    at = PutSingle(at, s->def.least);
    at = PutSingle(at, s->def.most);
    at = PutSingle(at, LEVEL_FLOOR);
    at = PutSingle(at, LEVEL_STEP);
    at = PutSingle(at, s->type.scanning ? s->type.sector : s->def.fan);
    for (int i = 0; i < beams; ++i) at = PutSingle(at, bearings[i]);
    *levels = at;
    buffer->data = data;
    buffer->size = size;
    atomic_init(&buffer->users, 1);
    return buffer;
}

static void Publish(hwWebSession* session, int index, hwWebFrameBuffer* buffer) {
    pthread_mutex_lock(&session->mutex);
    hwWebFrameBuffer* old = session->sonarImages[index];
    session->sonarImages[index] = buffer;
    pthread_mutex_unlock(&session->mutex);
    hwWebFrameBuffer_Drop(old);
}

static bool Ping(hwWebSession* session, Sonar* s, double number, uint8_t* levels) {
    const hwWorld* world = hwLive_GetWorld(session->live);
    if (hwWorld_PingSonar(world, &s->def, (uint64_t)number, s->image, NULL) != HW_OK) return false;
    int count = s->def.beams * s->def.bins;
    for (int i = 0; i < count; ++i) levels[i] = LevelOf(s->image[i]);
    return true;
}

static void PingFan(hwWebSession* session, int index, double number) {
    Sonar* s = &session->sonars->items[index];
    double bearings[512]; // as many as a file may ask for
    uint8_t* levels;
    for (int i = 0; i < s->def.beams && i < 512; ++i) bearings[i] = hwSonar_GetBearing(&s->def, i);
    hwWebFrameBuffer* buffer = MakeMessage(session, index, number, s->def.beams, bearings, &levels);
    if (buffer == NULL) return;
    if (Ping(session, s, number, levels)) {
        Publish(session, index, buffer);
    } else {
        hwWebFrameBuffer_Drop(buffer);
    }
}

static void PingSwept(hwWebSession* session, int index, double number) {
    Sonar* s = &session->sonars->items[index];
    // an image that nobody took yet would be lost with its beams: the next one brings them all
    double first = s->done < number ? hwFmax(s->done + 1.0, number - (MOST_SWEPT - 1)) : number;
    int beams = (int)(number - first) + 1;
    double bearings[MOST_SWEPT];
    uint8_t* levels;
    if (!(first <= number)) {
        first = number;
        beams = 1;
    }
    for (int i = 0; i < beams; ++i) bearings[i] = hwVehicleSonar_GetBearing(&s->type, first + i);
    hwWebFrameBuffer* buffer = MakeMessage(session, index, first, beams, bearings, &levels);
    bool good = buffer != NULL;
    for (int i = 0; good && i < beams; ++i) {
        s->def.bearing = bearings[i];
        good = Ping(session, s, first + i, levels + (size_t)i * (size_t)s->def.bins);
    }
    if (good) {
        Publish(session, index, buffer);
    } else {
        hwWebFrameBuffer_Drop(buffer);
    }
}

static unsigned ListWanted(hwWebSession* session) {
    unsigned wanted = 0;
    pthread_mutex_lock(&session->mutex);
    for (int i = 0; i < SESSION_MOST_WATCHERS; ++i) wanted |= session->sonarWatchers[i].sonars;
    pthread_mutex_unlock(&session->mutex);
    return wanted;
}

void hwWebSession_PingSonars(hwWebSession* session) {
    if (session->sonars == NULL || session->live == NULL) return;
    unsigned wanted = ListWanted(session);
    double time = hwWebSession_GetTime(session);
    bool looked = false;
    for (int i = 0; i < session->sonars->count; ++i) {
        Sonar* s = &session->sonars->items[i];
        double number = floor(time * s->type.rate + 1e-6);
        if ((wanted & (1u << i)) == 0 || number == s->done) continue;
        if (!looked && hwWorld_UpdateQueries(hwLive_GetWorld(session->live), NULL) != HW_OK) return;
        looked = true;
        if (s->type.scanning) {
            PingSwept(session, i, number);
        } else {
            PingFan(session, i, number);
        }
        s->done = number;
    }
}

// From the server's thread ---------------------------------------------------------------------------------------------

hwWebFrameBuffer* hwWebSession_TakeSonar(hwWebSession* session, int sonar) {
    pthread_mutex_lock(&session->mutex);
    hwWebFrameBuffer* image = session->sonarImages[sonar];
    session->sonarImages[sonar] = NULL;
    pthread_mutex_unlock(&session->mutex);
    return image;
}

bool hwWebSession_WantsSonar(hwWebSession* session, uint64_t connection, int sonar) {
    bool wants = false;
    pthread_mutex_lock(&session->mutex);
    for (int i = 0; i < SESSION_MOST_WATCHERS; ++i) {
        const hwWebSonarWatcher* w = &session->sonarWatchers[i];
        wants = wants || (w->connection == connection && (w->sonars & (1u << sonar)) != 0);
    }
    pthread_mutex_unlock(&session->mutex);
    return wants;
}

void hwWebSession_ForgetConnection(hwWebSession* session, uint64_t connection) {
    pthread_mutex_lock(&session->mutex);
    for (int i = 0; i < SESSION_MOST_WATCHERS; ++i) {
        if (session->sonarWatchers[i].connection == connection)
            session->sonarWatchers[i] = (hwWebSonarWatcher){0, 0};
    }
    pthread_mutex_unlock(&session->mutex);
}
