// Freezes of a lesson: time stands, the page is blank, the pilot is asked what is so.
#define _POSIX_C_SOURCE 200809L
#include "apps/server/session_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKETCH_MARGIN 8.0 // m beyond launch and obstacles
#define SKETCH_LEAST 20.0 // m from the middle of a sketch to its edge

typedef struct Choice {
    double value;
    const char* text;
} Choice;

// How an item is asked.
typedef struct Question {
    const char *text, *unit;
    double low, high, step; // of a number
    int choiceCount;
    Choice choices[3];
} Question;

static const Question g_questions[HW_PROBE_ITEM_COUNT] = {
    [HW_PROBE_DEPTH] =
        {.text = "How deep is the vehicle?", .unit = "m", .low = 0.0, .high = 500.0, .step = 0.1},
    [HW_PROBE_HEADING] =
        {.text = "Where does the bow point?", .unit = "degrees", .low = 0.0, .high = 360.0, .step = 1.0},
    [HW_PROBE_TURNS] = {.text = "How many turns has it made, clockwise positive?",
                        .unit = "turns",
                        .low = -50.0,
                        .high = 50.0,
                        .step = 0.25},
    [HW_PROBE_LENGTH] =
        {.text = "How much tether is out?", .unit = "m", .low = 0.0, .high = 5000.0, .step = 0.5},
    [HW_PROBE_BEARING] = {.text = "Where does the tether leave the vehicle, on a clock with the bow at 12?",
                          .unit = "o'clock",
                          .low = 0.0,
                          .high = 12.0,
                          .step = 0.5},
    [HW_PROBE_TOUCHES] = {.text = "Does the tether touch anything?",
                          .choiceCount = 2,
                          .choices = {{1.0, "yes"}, {0.0, "no"}}},
    [HW_PROBE_SLACK] = {.text = "How is the tether?",
                        .choiceCount = 3,
                        .choices = {{0.0, "taut"}, {1.0, "right"}, {2.0, "too slack"}}},
    [HW_PROBE_SKETCH] = {.text = "Draw the tether from the launch to the vehicle"},
    [HW_PROBE_UNWIND] = {.text = "Which way must the vehicle turn to take its turns out?",
                         .choiceCount = 3,
                         .choices = {{-1.0, "to port"}, {0.0, "neither way"}, {1.0, "to starboard"}}},
    [HW_PROBE_ADVANCE] = {.text = "Can it go 5 m straight ahead without more tether?",
                          .choiceCount = 2,
                          .choices = {{1.0, "yes"}, {0.0, "no"}}},
    [HW_PROBE_SNAG] = {.text = "If the tether were hauled in now, what would hold it?"},
};

static json_t* PutChoices(const hwLessonProbes* probes, hwProbeItem item) {
    const Question* q = &g_questions[item];
    json_t* list = json_array();
    for (int i = 0; i < q->choiceCount; ++i)
        json_array_append_new(
            list, json_pack("{s:f, s:s}", "value", q->choices[i].value, "text", q->choices[i].text));
    if (item != HW_PROBE_SNAG) return list;
    json_array_append_new(list, json_pack("{s:f, s:s}", "value", -1.0, "text", "nothing"));
    for (int i = 0; i < probes->obstacleCount; ++i)
        json_array_append_new(list,
                              json_pack("{s:f, s:s}", "value", (double)i, "text", probes->obstacles[i].name));
    return list;
}

static json_t* PutItem(const hwLessonProbes* probes, hwProbeItem item) {
    const Question* q = &g_questions[item];
    const char* kind = item == HW_PROBE_SKETCH ? "sketch" : (q->unit != NULL ? "number" : "choice");
    json_t* json = json_pack("{s:s, s:i, s:s, s:s}", "item", hwProbeItem_GetName(item), "level",
                             hwProbeItem_GetLevel(item), "kind", kind, "text", q->text);
    if (q->unit != NULL) {
        json_object_set_new(json, "unit", json_string(q->unit));
        json_object_set_new(json, "min", json_real(q->low));
        json_object_set_new(json, "max", json_real(q->high));
        json_object_set_new(json, "step", json_real(q->step));
    } else if (item != HW_PROBE_SKETCH) {
        json_object_set_new(json, "choices", PutChoices(probes, item));
    }
    return json;
}

// What a sketch is drawn on: the launch, the obstacles, and how far it reaches. Nothing of it tells where the vehicle is.
static json_t* PutSheet(const hwWebSession* session, const hwLessonProbes* probes) {
    const hwWorld* world = hwLive_GetWorld(session->live);
    double launch[3] = {0.0, 0.0, 0.0}, reach = SKETCH_LEAST;
    for (int i = 0; i < 3; ++i) {
        if (session->controls.endA[i] >= 0) launch[i] = hwWorld_ReadChannel(world, session->controls.endA[i]);
    }
    json_t* obstacles = json_array();
    for (int i = 0; i < probes->obstacleCount; ++i) {
        hwVec3 at = probes->obstacles[i].position;
        reach = fmax(reach, hypot(at.x - launch[0], at.y - launch[1]) + SKETCH_MARGIN);
        json_array_append_new(obstacles, json_pack("{s:s, s:[f, f]}", "name", probes->obstacles[i].name,
                                                   "position", at.x, at.y));
    }
    return json_pack("{s:[f, f, f], s:f, s:o}", "launch", launch[0], launch[1], launch[2], "reach", reach,
                     "obstacles", obstacles);
}

json_t* hwWebSession_PutProbe(const hwWebSession* session, const hwScorer* scorer,
                              const hwLessonProbes* probes, int k) {
    hwProbeResult* result = malloc(sizeof(*result));
    json_t* items = json_array();
    if (result != NULL && hwScorer_GetProbe(scorer, k, result)) {
        for (int i = 0; i < result->probe.itemCount; ++i)
            json_array_append_new(items, PutItem(probes, result->probe.items[i]));
    }
    free(result);
    return json_pack("{s:s, s:i, s:i, s:o, s:o}", "type", "probe", "probe", k, "count", probes->count,
                     "items", items, "sheet", PutSheet(session, probes));
}
