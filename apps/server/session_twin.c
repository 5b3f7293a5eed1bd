// A second tether as a ghost: the same flight with another model of the tether. A branch of the world goes on beside the flight, its
// tether switched to the other model; its vehicle is put where the true one is before every step, and its inputs are the flight's, so
// that the two tethers have the same ends, the same winch and the same water. Nothing of it acts on the flight.
#include "apps/server/session_internal.h"

#include "hawser/tether.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TWIN_TICKS 6    // of SESSION_STEP between two lines that are sent
#define KEPT_TICKS 30   // likewise that are recorded
#define MOST_POINTS 400 // of a line that is sent

struct hwWebTwin {
    hwWebTwinModel model;
    hwWorld* world; // a branch; null: to be made anew
    hwCableId cable;
    hwBodyId body;
    hwBodyState state; // of the true vehicle, at the branch's time
    int inputCount;
    int* inputs; // of the branch, by those of the flight; -1: it has none
};

static void Drop(hwWebTwin* twin) {
    hwDestroyWorld(twin->world);
    free(twin->inputs);
    twin->world = NULL;
    twin->inputs = NULL;
}

void hwWebSession_FreeTwin(hwWebSession* session) {
    if (session->twin == NULL) return;
    Drop(session->twin);
    free(session->twin);
    session->twin = NULL;
}

static hwStatus Switch(hwWebTwin* twin, hwError* error) {
    if (twin->model == TWIN_PID) return hwCable_SetModel(twin->world, twin->cable, HW_CABLE_PID, NULL, error);
    hwWrapDef wrap = hwDefaultCableDef().wrap;
    wrap.rules = HW_WRAP_FRICTION;
    wrap.bend = twin->model == TWIN_WRAP_LINE   ? HW_BEND_LINE
                : twin->model == TWIN_WRAP_BENT ? HW_BEND_VEE
                                                : HW_BEND_CATENARY;
    return hwCable_SetModel(twin->world, twin->cable, HW_CABLE_WRAP, &wrap, error);
}

// The branch as the flight is now, with the other model; false, and why not.
static bool Begin(hwWebSession* session, hwError* error) {
    const hwWorld* world = hwLive_GetWorld(session->live);
    hwWebTwin* twin = session->twin;
    Drop(twin);
    twin->cable = hwWorld_FindCable(world, "tether");
    twin->body = hwWorld_FindBody(world, session->controls.name);
    twin->world = hwWorld_Branch(world, error);
    if (twin->world == NULL || hwBody_GetState(world, twin->body, &twin->state, error) != HW_OK ||
        Switch(twin, error) != HW_OK) {
        Drop(twin);
        return false;
    }
    twin->inputCount = hwWorld_GetInputCount(world);
    twin->inputs = malloc((size_t)twin->inputCount * sizeof(*twin->inputs));
    if (twin->inputs == NULL) {
        snprintf(error->message, sizeof(error->message), "there is not enough memory for a second tether");
        Drop(twin);
        return false;
    }
    for (int i = 0; i < twin->inputCount; ++i)
        twin->inputs[i] = hwWorld_FindInput(twin->world, hwWorld_GetInput(world, i).name);
    return true;
}

// One tick, from where the true vehicle was at its start.
static bool Advance(hwWebTwin* twin, const hwWorld* world, double step, hwError* error) {
    if (hwBody_SetState(twin->world, twin->body, &twin->state, error) != HW_OK) return false;
    for (int i = 0; i < twin->inputCount; ++i) {
        if (twin->inputs[i] < 0) continue;
        double value = hwWorld_ReadInput(world, i);
        if (value == hwWorld_ReadInput(twin->world, twin->inputs[i])) continue;
        hwWorld_SetInput(twin->world, twin->inputs[i], value, NULL);
    }
    return hwWorld_Step(twin->world, step, error) >= HW_OK &&
           hwBody_GetState(world, twin->body, &twin->state, error) == HW_OK;
}

// Greatest distance of the points of one line from the other.
static double FindApart(const hwCableView* ghost, const hwCableView* truth) {
    double most = 0.0;
    for (int i = 0; i < ghost->nodeCount; ++i) {
        double least = INFINITY;
        for (int j = 0; j + 1 < truth->nodeCount; ++j) {
            hwVec3 a = truth->positions[j], along = hwSub(truth->positions[j + 1], a);
            hwVec3 from = hwSub(ghost->positions[i], a);
            double square = hwDot(along, along);
            double share = square > 0.0 ? hwClamp(hwDot(from, along) / square, 0.0, 1.0) : 0.0;
            least = hwFmin(least, hwLength(hwSub(from, hwScale(share, along))));
        }
        if (truth->nodeCount > 1) most = hwFmax(most, least);
    }
    return most;
}

static json_t* Describe(const hwWebSession* session) {
    const hwWebTwin* twin = session->twin;
    hwCableView ghost, truth;
    if (hwCable_GetView(twin->world, twin->cable, &ghost, NULL) != HW_OK ||
        hwCable_GetView(hwLive_GetWorld(session->live), twin->cable, &truth, NULL) != HW_OK)
        return NULL;
    json_t* line = json_array();
    int stride = 1 + ghost.nodeCount / MOST_POINTS;
    for (int i = 0; i < ghost.nodeCount;
         i = i + stride < ghost.nodeCount || i == ghost.nodeCount - 1 ? i + stride : ghost.nodeCount - 1) {
        hwVec3 p = ghost.positions[i];
        json_array_append_new(line, json_pack("[f, f, f]", round(1e3 * p.x) * 1e-3, round(1e3 * p.y) * 1e-3,
                                              round(1e3 * p.z) * 1e-3));
    }
    return json_pack("{s:s, s:f, s:s, s:f, s:o}", "type", "twin", "time", hwWorld_GetTime(twin->world),
                     "model", hwWebTwinModel_GetName(twin->model), "apart",
                     round(1e3 * FindApart(&ghost, &truth)) * 1e-3, "line", line);
}

// Replays show it too.
static void Keep(const hwWebSession* session) {
    const hwWebTwin* twin = session->twin;
    hwCableView ghost, truth;
    if (session->writer == NULL || hwCable_GetView(twin->world, twin->cable, &ghost, NULL) != HW_OK ||
        hwCable_GetView(hwLive_GetWorld(session->live), twin->cable, &truth, NULL) != HW_OK)
        return;
    hwGhostLine line = {.time = hwWorld_GetTime(twin->world),
                        .apart = FindApart(&ghost, &truth),
                        .count = ghost.nodeCount,
                        .points = ghost.positions};
    snprintf(line.model, sizeof(line.model), "%s", hwWebTwinModel_GetName(twin->model));
    hwFlightWriter_AddGhost(session->writer, &line);
}

// It goes on without one, and says why.
static void GiveUp(hwWebSession* session, const char* message) {
    hwWebSession_Send(session, 0, false,
                      json_pack("{s:s, s:f, s:s, s:s}", "type", "twin", "time", hwWebSession_GetTime(session),
                                "model", "none", "message", message));
    hwWebSession_FreeTwin(session);
}

void hwWebSession_FollowTwin(hwWebSession* session) {
    static const double margin = 1e-6; // s
    hwWebTwin* twin = session->twin;
    if (twin == NULL) return;
    const hwWorld* world = hwLive_GetWorld(session->live);
    hwError error = {0};
    double step = hwWorld_GetTime(world) - hwWorld_GetTime(twin->world);
    // after a rewind, or where steps were left out, it begins anew from the truth
    bool good =
        fabs(step - SESSION_STEP) < margin ? Advance(twin, world, step, &error) : Begin(session, &error);
    if (!good) {
        GiveUp(session, error.message);
        return;
    }
    if (hwWebSession_GetTicks(session) % KEPT_TICKS == 0) Keep(session);
    if (hwWebSession_GetTicks(session) % TWIN_TICKS != 0) return;
    json_t* json = Describe(session);
    if (json != NULL) hwWebSession_Send(session, 0, false, json);
}

bool hwWebSession_SetTwin(hwWebSession* session, hwWebTwinModel model, char* message, size_t size) {
    if (model == TWIN_NONE) {
        hwWebSession_FreeTwin(session);
        return true;
    }
    const char* why = NULL;
    if (!hwWebSession_HasAllAids(session)) why = "this lesson is flown without a second tether";
    if (hwWebSession_IsAsking(session)) why = "there is no second tether while questions are asked";
    if (session->def.kind != SESSION_FLIGHT ||
        !hwCable_IsValid(hwLive_GetWorld(session->live),
                         hwWorld_FindCable(hwLive_GetWorld(session->live), "tether")))
        why = "there is no tether";
    if (why != NULL) {
        snprintf(message, size, "%s", why);
        return false;
    }
    if (session->twin == NULL) session->twin = calloc(1, sizeof(*session->twin));
    hwError error = {.message = "there is not enough memory for a second tether"};
    if (session->twin != NULL) session->twin->model = model;
    if (session->twin == NULL || !Begin(session, &error)) {
        snprintf(message, size, "%s", error.message);
        hwWebSession_FreeTwin(session);
        return false;
    }
    json_t* json = Describe(session);
    if (json != NULL) hwWebSession_Send(session, 0, false, json);
    return true;
}
