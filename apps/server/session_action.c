// Saved actions in a flight: noting what is flown, and flying a script instead of the pilot.
#include "apps/server/session_internal.h"

#include <stdlib.h>
#include <string.h>

#define ACTION_LOOK 6 // of SESSION_STEP between looks

struct hwWebAction {
    hwActionNotes* notes;  // null: nothing is noted
    hwPilotScript* script; // null: nothing is flown
    hwPilot* pilot;
    int count;
};

static bool NeedAction(hwWebSession* session) {
    if (session->action == NULL) session->action = calloc(1, sizeof(*session->action));
    return session->action != NULL;
}

static void EndScript(hwWebSession* session) {
    hwWebAction* action = session->action;
    atomic_store(&session->acting, false);
    hwDestroyPilot(action->pilot);
    hwDestroyPilotScript(action->script);
    action->pilot = NULL;
    action->script = NULL;
}

void hwWebSession_FreeAction(hwWebSession* session) {
    if (session->action == NULL) return;
    EndScript(session);
    hwDestroyActionNotes(session->action->notes);
    free(session->action);
    session->action = NULL;
}

bool hwWebSession_IsActing(const hwWebSession* session) {
    return session->action != NULL && session->action->pilot != NULL;
}

json_t* hwWebSession_PutAction(const hwWebSession* session) {
    const hwWebAction* action = session->action;
    json_t* json = json_object();
    if (json == NULL) return NULL;
    bool noting = action != NULL && action->notes != NULL;
    json_object_set_new(json, "noting",
                        noting ? json_real(hwActionNotes_GetDuration(action->notes)) : json_null());
    json_object_set_new(json, "playing",
                        hwWebSession_IsActing(session)
                            ? json_pack("{s:i, s:i, s:i}", "at", hwPilot_GetAction(action->pilot), "count",
                                        action->count, "given_up", hwPilot_GetTimeouts(action->pilot))
                            : json_null());
    return json;
}

static void TellEnd(hwWebSession* session, const char* how, int timeouts) {
    char text[80];
    snprintf(text, sizeof(text), "Action %s", how);
    hwWebSession_Record(session, "event", text, json_pack("{s:s, s:s}", "type", "action", "how", how));
    hwWebSession_Send(session, 0, false,
                      json_pack("{s:s, s:s, s:i}", "type", "action", "ended", how, "given_up", timeouts));
    hwWebSession_SendState(session);
}

void hwWebSession_StopAction(hwWebSession* session, const char* how) {
    if (!hwWebSession_IsActing(session)) return;
    int timeouts = hwPilot_GetTimeouts(session->action->pilot);
    EndScript(session);
    for (int i = 0; i < 4; ++i) hwLive_ApplyInput(session->live, session->controls.pilot[i], 0.0, NULL);
    TellEnd(session, how, timeouts);
}

static hwStatus SetForPilot(int input, double value, void* context) {
    return hwLive_ApplyInput(context, input, value, NULL);
}

void hwWebSession_FollowAction(hwWebSession* session) {
    hwWebAction* action = session->action;
    if (action == NULL || hwWebSession_GetTicks(session) % ACTION_LOOK != 0) return;
    const hwWorld* world = hwLive_GetWorld(session->live);
    if (action->notes != NULL && hwActionNotes_Look(action->notes, world) != HW_OK) {
        hwDestroyActionNotes(action->notes);
        action->notes = NULL;
    }
    if (action->pilot == NULL || hwPilot_Act(action->pilot, world, SetForPilot, session->live)) return;
    int timeouts = hwPilot_GetTimeouts(action->pilot);
    EndScript(session);
    TellEnd(session, "done", timeouts);
}

static json_t* Save(hwWebSession* session, const hwWebRequest* request, hwError* error) {
    hwWebAction* action = session->action;
    if (action == NULL || action->notes == NULL) {
        snprintf(error->message, sizeof(error->message), "nothing is noted: begin with `do: note`");
        return NULL;
    }
    hwActionOptions options = hwDefaultActionOptions();
    if (request->value > 0.0) options.within = request->value;
    options.world = request->flag;
    double duration = hwActionNotes_GetDuration(action->notes);
    char* text = hwActionNotes_Write(action->notes, &options, error);
    if (text == NULL) return NULL;
    json_t* json = json_pack("{s:s, s:f}", "script", text, "duration", duration);
    free(text);
    hwDestroyActionNotes(action->notes);
    action->notes = NULL;
    return json;
}

static json_t* Play(hwWebSession* session, const hwWebRequest* request, hwError* error) {
    hwWebAction* action = session->action;
    hwPilotScript* script = hwParsePilotScript(request->script, strlen(request->script), error);
    hwPilot* pilot =
        script != NULL ? hwCreatePilot(script, hwLive_GetWorld(session->live), session->controls.name, error)
                       : NULL;
    if (pilot == NULL) {
        hwDestroyPilotScript(script);
        return NULL;
    }
    hwWebSession_StopAction(session, "replaced");
    action->script = script;
    action->pilot = pilot;
    atomic_store(&session->acting, true);
    hwPilotScript_GetActions(script, &action->count);
    hwWebSession_Record(
        session, "event", "Action begun",
        json_pack("{s:s, s:s, s:s}", "type", "action", "how", "begun", "script", request->script));
    return json_pack("{s:i}", "count", action->count);
}

json_t* hwWebSession_Act(hwWebSession* session, const hwWebRequest* request, hwError* error) {
    memset(error, 0, sizeof(*error));
    json_t* json = NULL;
    if (!NeedAction(session)) {
        snprintf(error->message, sizeof(error->message), "there is not enough memory for an action");
        return NULL;
    }
    switch (request->action) {
    case ACTION_NOTE:
        hwDestroyActionNotes(session->action->notes);
        session->action->notes =
            hwCreateActionNotes(hwLive_GetWorld(session->live), session->controls.name, error);
        if (session->action->notes != NULL) json = json_object();
        break;
    case ACTION_SAVE:
        json = Save(session, request, error);
        break;
    case ACTION_PLAY:
        json = Play(session, request, error);
        break;
    case ACTION_STOP:
        hwWebSession_StopAction(session, "stopped");
        json = json_object();
        break;
    }
    if (json != NULL) hwWebSession_SendState(session);
    return json;
}
