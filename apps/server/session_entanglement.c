// What the tether is wound round, for the pilot's panel: told when it changes, and every few seconds for who has come since.
#define _POSIX_C_SOURCE 200809L
#include "apps/server/session_internal.h"

#include "hawser/entanglement.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_STEPS 30  // steps between looks
#define TELL_STEPS 300 // steps after which it is told again
#define TOLD_WRAP 0.1  // rad of contact: less is a touch

// Which way end b must go round to undo the number.
static const char* GetRemedy(const hwWorld* world, hwCableId cable, int index,
                             const hwWatchFeature* feature) {
    hwVec3 points[2] = {{0}};
    if (!feature->isAxis) return "back_through";
    hwCable_GetWatchPoints(world, cable, index, 2, points);
    bool up = points[1].z >= points[0].z;
    return (feature->number > 0) == up ? "clockwise" : "counter_clockwise";
}

static json_t* PutEntanglement(const hwWorld* world, hwCableId cable, const hwEntanglement* all) {
    json_t *wound = json_array(), *wraps = json_array();
    for (int i = 0; i < all->featureCount; ++i) {
        hwWatchFeature feature = hwCable_GetWatchFeature(world, cable, i);
        if (feature.certain && feature.number == 0) continue;
        json_array_append_new(wound, json_pack("{s:s, s:i, s:b, s:s}", "name", feature.name, "number",
                                               feature.number, "certain", (int)feature.certain, "frees",
                                               GetRemedy(world, cable, i, &feature)));
    }
    for (int i = 0; i < all->bodyCount; ++i) {
        hwWatchContact contact = hwCable_GetWatchContact(world, cable, i);
        if (contact.wrap < TOLD_WRAP) continue;
        // in whole degrees, so that what does not change for the eye is not sent again
        json_array_append_new(wraps, json_pack("{s:s, s:i}", "name", hwBody_GetName(world, contact.body),
                                               "wrap_deg", (int)(contact.wrap * 180.0 / HW_PI + 0.5)));
    }
    return json_pack("{s:s, s:o, s:o}", "type", "entanglement", "wound", wound, "wraps", wraps);
}

void hwWebSession_FollowEntanglement(hwWebSession* session) {
    uint64_t steps = hwWebSession_GetTicks(session);
    const hwWorld* world = hwLive_GetWorld(session->live);
    if (steps % LOOK_STEPS != 0) return;
    hwCableId cable = hwWorld_FindCable(world, "tether");
    hwEntanglement all;
    if (!hwCable_IsValid(world, cable) || hwCable_GetEntanglement(world, cable, &all, NULL) != HW_OK) return;
    json_t* json = PutEntanglement(world, cable, &all);
    char* text = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    bool news = text != NULL && (session->tangleTold == NULL || strcmp(text, session->tangleTold) != 0);
    if (news || (text != NULL && steps % TELL_STEPS == 0)) {
        hwWebSession_Send(session, 0, false, json);
    } else {
        json_decref(json);
    }
    free(session->tangleTold);
    session->tangleTold = text;
}
