// The predictive ghost: where the vehicle will be when the commands that are on their way have arrived and the picture of it would be
// seen. A branch of the world is put into the state of now, gets the stick messages at the times at which they are due, and is run
// ahead (McMillan, Orin and McGhee 1996, section 1: simulation in the loop to overcome transmission delays).
#include "apps/server/session_internal.h"

#include <math.h>
#include <stdlib.h>

#define GHOST_TICKS 12  // of SESSION_STEP between two predictions
#define GHOST_MOST 10.0 // s ahead

struct hwWebGhost {
    hwWorld* world; // a branch
    void* state;
    size_t size;
    bool failed; // it cannot be predicted here
};

void hwWebSession_FreeGhost(hwWebSession* session) {
    if (session->ghost == NULL) return;
    hwDestroyWorld(session->ghost->world);
    free(session->ghost->state);
    free(session->ghost);
    session->ghost = NULL;
}

// The branch in the state of the live world; false: there is none.
static bool Catch(hwWebSession* session) {
    const hwWorld* world = hwLive_GetWorld(session->live);
    hwWebGhost* ghost = session->ghost;
    if (ghost == NULL) ghost = session->ghost = calloc(1, sizeof(*ghost));
    if (ghost == NULL || ghost->failed) return false;
    if (ghost->world == NULL) {
        ghost->world = hwWorld_Branch(world, NULL);
        ghost->size = hwWorld_GetStateSize(world);
        ghost->state = malloc(ghost->size);
    }
    ghost->failed = ghost->world == NULL || ghost->state == NULL ||
                    hwWorld_SaveState(world, ghost->state, ghost->size, NULL) != HW_OK ||
                    hwWorld_RestoreState(ghost->world, ghost->state, ghost->size, NULL) != HW_OK;
    return !ghost->failed;
}

// Stick messages on their way, in the order in which they arrive.
static int ListDelayed(hwWebSession* session, hwWebDelayedAxes* list) {
    pthread_mutex_lock(&session->mutex);
    int count = session->delayedCount;
    for (int i = 0; i < count; ++i)
        list[i] = session->delayed[(session->delayedFirst + i) % SESSION_MOST_DELAYED];
    pthread_mutex_unlock(&session->mutex);
    return count;
}

static bool RunAhead(hwWebSession* session, double ahead) {
    static const double margin = 1e-9; // s
    hwWebDelayedAxes* list = malloc(SESSION_MOST_DELAYED * sizeof(*list));
    if (list == NULL) return false;
    hwWorld* world = session->ghost->world;
    double step = hwLive_GetStep(session->live), start = hwWorld_GetTime(world);
    int count = ListDelayed(session, list), next = 0;
    bool good = true;
    for (uint64_t i = 0; good && (double)i * step < ahead - margin; ++i) {
        double time = start + (double)i * step;
        // as FollowConditions takes them: once in SESSION_STEP
        bool looks = (hwLive_GetStatus(session->live).steps + i) % (uint64_t)session->pace == 0;
        for (; i > 0 && looks && next < count && list[next].due <= time + margin; ++next) {
            for (int k = 0; k < 4; ++k)
                hwWorld_SetInput(world, session->controls.pilot[k], list[next].axes[k], NULL);
        }
        good = hwWorld_Step(world, step, NULL) >= HW_OK;
    }
    free(list);
    return good;
}

void hwWebSession_FollowGhost(hwWebSession* session) {
    double ahead = session->conditions.commandDelay + session->conditions.videoDelay;
    if (!(ahead > 0.0) || session->controls.pilot[0] < 0) {
        if (session->ghost != NULL) hwWebSession_FreeGhost(session);
        return;
    }
    if (hwWebSession_GetTicks(session) % GHOST_TICKS != 0) return;
    hwVehicleId vehicle;
    hwBodyState body;
    if (!Catch(session) || !RunAhead(session, hwFmin(ahead, GHOST_MOST)) ||
        hwWorld_GetVehicles(session->ghost->world, 1, &vehicle) == 0 ||
        hwBody_GetState(session->ghost->world, hwVehicle_GetBody(session->ghost->world, vehicle), &body,
                        NULL) != HW_OK)
        return;
    hwWebSession_Send(session, 0, false,
                      json_pack("{s:s, s:f, s:f, s:[f,f,f], s:[f,f,f,f], s:[f,f,f]}", "type", "ghost", "time",
                                hwWebSession_GetTime(session), "at", hwWorld_GetTime(session->ghost->world),
                                "position", body.position.x, body.position.y, body.position.z, "attitude",
                                body.attitude.w, body.attitude.x, body.attitude.y, body.attitude.z,
                                "velocity", body.velocity.x, body.velocity.y, body.velocity.z));
}
