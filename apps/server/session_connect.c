// Connectors of a session's live world: other programs beside the page.
#include "apps/server/session_internal.h"

#include <string.h>

static bool SetInput(void* context, int input, double value) {
    hwLive* live = context;
    if (input < 0) return false;
    if (hwWorld_ReadInput(hwLive_GetWorld(live), input) == value) return true;
    return hwLive_ApplyInput(live, input, value, NULL) == HW_OK;
}

void hwWebSession_Connect(hwWebSession* session) {
    hwWebConnect* connect = session->def.connect;
    if (connect == NULL || connect->create == NULL || session->live == NULL) return;
    if (atomic_exchange(&connect->taken, true)) return; // another flight has them
    hwError error = {0};
    int count = connect->create(connect->context, session->scene, hwLive_GetWorld(session->live),
                                session->connectors, &error);
    session->connected = true;
    session->connectorCount = count > 0 ? count : 0;
    if (count < 0)
        hwWebSession_Alert(session, ALERT_PILOT, LEVEL_WARNING, "Not connected: %.160s", error.message);
}

const char* hwWebSession_GetAutopilot(const hwWebSession* session) {
    for (int i = 0; i < session->connectorCount; ++i) {
        if (strcmp(session->connectors[i]->type->name, "ardupilot") == 0) return "ArduPilot";
    }
    return NULL;
}

void hwWebSession_UpdateConnectors(hwWebSession* session) {
    hwConnection connection = {
        .world = hwLive_GetWorld(session->live), .setInput = SetInput, .context = session->live};
    for (int i = 0; i < session->connectorCount; ++i) {
        connection.clock = hwLive_GetClock(session->live);
        session->connectors[i]->type->update(session->connectors[i], &connection);
    }
}

void hwWebSession_Disconnect(hwWebSession* session) {
    for (int i = 0; i < session->connectorCount; ++i)
        session->connectors[i]->type->destroy(session->connectors[i]);
    session->connectorCount = 0;
    if (session->connected) atomic_store(&session->def.connect->taken, false);
    session->connected = false;
}
