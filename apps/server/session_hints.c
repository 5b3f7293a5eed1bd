// Hints about the tether, as a flight goes on: told to everybody aboard, kept with the recording.
#define _POSIX_C_SOURCE 200809L
#include "apps/server/session_internal.h"

#include "hawser/hint.h"

#include <stdlib.h>
#include <string.h>

#define ROW_STEPS 6 // steps between rows, as recordings have them

struct hwWebHints {
    hwHinter* hinter;
    int channelCount, *channels;
    unsigned char* rounding;
    double* row;
};

// What the hints are about; false: there is nothing to be said of this flight.
static bool ChooseDef(const hwWebSession* session, hwHinterDef* def) {
    const hwLessonInfo* info = session->scene != NULL ? hwScene_GetLesson(session->scene) : NULL;
    *def = hwDefaultHinterDef();
    def->vehicle = session->controls.name;
    if (info == NULL) return session->controls.cableLength >= 0;
    if (!info->hints || info->def.cable == NULL) return false;
    *def = hwLesson_MakeHinterDef(info);
    return true;
}

static bool ChooseChannels(hwWebHints* hints, const hwWorld* world, const hwHinterDef* def,
                           const char*** names) {
    int total = hwWorld_GetChannelCount(world);
    hints->channels = calloc((size_t)total + 1, sizeof(*hints->channels));
    *names = calloc((size_t)total + 1, sizeof(**names));
    if (hints->channels == NULL || *names == NULL) return false;
    for (int i = 0; i < total; ++i) {
        const char* name = hwWorld_GetChannel(world, i).name;
        if (!hwHinterDef_Needs(def, name)) continue;
        (*names)[hints->channelCount] = name;
        hints->channels[hints->channelCount++] = i;
    }
    hints->row = calloc((size_t)hints->channelCount + 1, sizeof(*hints->row));
    hints->rounding = calloc((size_t)hints->channelCount + 1, sizeof(*hints->rounding));
    if (hints->row == NULL || hints->rounding == NULL) return false;
    hwGetFlightRounding(world, hints->channelCount, hints->channels, hints->rounding);
    return true;
}

// A flight without hints is flown all the same: what they need may be missing.
void hwWebSession_StartHints(hwWebSession* session) {
    hwHinterDef def;
    session->hintsOn = true;
    if (!ChooseDef(session, &def)) return;
    const char** names = NULL;
    session->hints = calloc(1, sizeof(*session->hints));
    if (session->hints == NULL) return;
    if (ChooseChannels(session->hints, hwLive_GetWorld(session->live), &def, &names))
        session->hints->hinter = hwCreateHinter(&def, session->hints->channelCount, names, NULL);
    free(names);
    if (session->hints->hinter == NULL) hwWebSession_FreeHints(session);
}

void hwWebSession_FreeHints(hwWebSession* session) {
    hwWebHints* hints = session->hints;
    if (hints == NULL) return;
    hwDestroyHinter(hints->hinter);
    free(hints->channels);
    free(hints->row);
    free(hints->rounding);
    free(hints);
    session->hints = NULL;
}

void hwWebSession_FollowHints(hwWebSession* session) {
    hwWebHints* hints = session->hints;
    if (hints == NULL || hwWebSession_GetTicks(session) % ROW_STEPS != 0) return;
    hwReadFlightRow(hwLive_GetWorld(session->live), hints->channelCount, hints->channels, hints->rounding,
                    hints->row);
    hwHint hint;
    // who turns them off is not told; the rows are followed all the same, for when they are turned on again
    if (!hwHinter_AddRow(hints->hinter, hints->row, &hint) || !session->hintsOn) return;
    hwWebSession_Send(session, 0, false,
                      json_pack("{s:s, s:f, s:s, s:f, s:s}", "type", "hint", "time", hint.time, "kind",
                                hwHintKind_GetName(hint.kind), "value", hint.value, "text", hint.text));
    json_array_append_new(
        session->marks, json_pack("{s:f, s:s, s:s}", "time", hint.time, "level", "hint", "text", hint.text));
    if (session->writer != NULL) hwFlightWriter_AddHint(session->writer, &hint);
}

void hwWebSession_RewindHints(hwWebSession* session) {
    if (session->hints == NULL) return;
    hwHinter_Rewind(session->hints->hinter, hwWebSession_GetTime(session) + 0.5 * SESSION_STEP);
}

const char* hwWebSession_SwitchHints(hwWebSession* session, bool on) {
    if (on && session->hints == NULL) return "this flight has no hints";
    session->hintsOn = on;
    return NULL;
}
