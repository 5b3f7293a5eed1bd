#define _POSIX_C_SOURCE 200809L
#include "connect/world_server.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define LONGEST_WAIT 0.05 // s until a request to stop is seen
#define MOST_BEHIND 0.25  // s: a world that is too slow gives up what it is behind beyond this

static double GetClock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void Sleep(double seconds) {
    if (!(seconds > 0.0)) return;
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
}

static bool SetInput(void* context, int input, double value) {
    hwWorld* world = context;
    if (input < 0) return false;
    if (hwWorld_ReadInput(world, input) == value) return true;
    return hwWorld_SetInput(world, input, value, NULL) == HW_OK;
}

static void UpdateAll(const hwWorldServerDef* def, hwConnection* connection) {
    for (int i = 0; i < def->count; ++i) {
        connection->clock = GetClock();
        def->connectors[i]->type->update(def->connectors[i], connection);
    }
}

hwStatus hwWorldServer_Run(const hwWorldServerDef* def, hwError* error) {
    hwConnection connection = {
        .world = def->world, .setInput = SetInput, .context = def->world, .error = error};
    memset(error, 0, sizeof(*error));
    hwConnector* pacer = NULL;
    for (int i = 0; i < def->count; ++i) {
        if (def->connectors[i]->type->pace != NULL && pacer == NULL) pacer = def->connectors[i];
    }
    double due = GetClock();
    while (!*def->stop) {
        double step = 0.0;
        connection.clock = GetClock();
        if (pacer != NULL) {
            step = pacer->type->pace(pacer, &connection, LONGEST_WAIT);
            if (step < 0.0) return error->status;
        } else if (connection.clock >= due) {
            step = def->step;
            due += step / def->speed;
            if (due < connection.clock - MOST_BEHIND) due = connection.clock - MOST_BEHIND;
        } else {
            Sleep(due - connection.clock < LONGEST_WAIT ? due - connection.clock : LONGEST_WAIT);
            continue;
        }
        if (step > 0.0) {
            hwStatus status = hwWorld_Step(def->world, step, error);
            if (status == HW_ERROR_STOPPED && *def->stop) return HW_OK;
            if (status < HW_OK) return status;
        }
        error->status = HW_OK;
        UpdateAll(def, &connection);
        if (error->status < HW_OK) return error->status;
        // half a step: rounding must not add one
        if (def->until > 0.0 && hwWorld_GetTime(def->world) > def->until - 0.5 * step) break;
    }
    return HW_OK;
}
