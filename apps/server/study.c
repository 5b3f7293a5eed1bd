// Studies: who is in which group, what comes next, and blind ratings of two recordings.
#define _XOPEN_SOURCE 700
#include "apps/server/server_internal.h"

#include "hawser/logbook.h"
#include "hawser/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char g_none[] = "this server has no study: hawser train --protocol FILE";

static void SendReply(hwWebConnection* connection, const hwWebRequest* request, json_t* reply) {
    if (request->id == 0) {
        json_decref(reply);
        return;
    }
    json_object_set_new(reply, "type", json_string("reply"));
    json_object_set_new(reply, "id", json_integer((json_int_t)request->id));
    hwWebConnection_Send(connection, reply);
}

static void FindPath(const hwWebServer* server, const char* name, char* path, size_t size) {
    snprintf(path, size, "%.600s/%s", server->flights, name);
}

// The number of whoever asks; -1 and an error has been sent where there is none.
static int Enrol(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    char path[720];
    hwError error;
    if (server->def.protocol == NULL) {
        hwWebConnection_SendError(connection, request->id, "order", g_none);
        return -1;
    }
    if (request->name[0] == 0) {
        hwWebConnection_SendError(connection, request->id, "value", "a participant needs a name, or a code");
        return -1;
    }
    FindPath(server, "participants.csv", path, sizeof(path));
    int number = hwParticipants_Enrol(path, request->name, &error);
    if (number < 0) hwWebConnection_SendError(connection, request->id, "failed", error.message);
    return number < 0 ? -1 : number;
}

// The pair that a message names; null and an error has been sent where there is none.
static const hwProtocolPair* FindPair(const hwWebServer* server, hwWebConnection* connection,
                                      const hwWebRequest* request) {
    const hwProtocolInfo* info = hwProtocol_GetInfo(server->def.protocol);
    if (request->value < info->pairCount) return &info->pairs[(int)request->value];
    hwWebConnection_SendError(connection, request->id, "value", "the study has no such pair");
    return NULL;
}

static bool HasRated(int count, const hwRatingLine* lines, const char* pilot, const char* pair) {
    for (int i = 0; i < count; ++i) {
        if (strcmp(lines[i].pilot, pilot) == 0 && strcmp(lines[i].pair, pair) == 0) return true;
    }
    return false;
}

static json_t* DescribeSteps(const hwProtocolInfo* info, int own, int count, const hwRatingLine* lines,
                             const char* pilot) {
    json_t* steps = json_array();
    for (int i = 0; i < info->stepCount; ++i) {
        const hwProtocolStep* step = &info->steps[i];
        if (step->group >= 0 && step->group != own) continue;
        if (step->pair < 0) {
            json_array_append_new(steps, json_pack("{s:s, s:s, s:i}", "phase", step->phase, "lesson",
                                                   step->lesson, "runs", step->runs));
            continue;
        }
        const hwProtocolPair* pair = &info->pairs[step->pair];
        json_array_append_new(steps, json_pack("{s:s, s:i, s:s, s:b}", "phase", step->phase, "pair",
                                               step->pair, "question", pair->question, "rated",
                                               (int)HasRated(count, lines, pilot, pair->name)));
    }
    return steps;
}

void hwWebStudy_Tell(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    int number = Enrol(server, connection, request);
    if (number < 0) return;
    const hwProtocolInfo* info = hwProtocol_GetInfo(server->def.protocol);
    int count, own = hwProtocolInfo_ChooseGroup(info, number);
    hwRatingLine* lines;
    hwError error;
    char path[720];
    FindPath(server, "ratings.csv", path, sizeof(path));
    if (hwRatings_Read(path, &count, &lines, &error) != HW_OK) {
        hwWebConnection_SendError(connection, request->id, "failed", error.message);
        return;
    }
    SendReply(connection, request,
              json_pack("{s:s, s:s, s:o}", "title", info->title, "group", info->groups[own], "steps",
                        DescribeSteps(info, own, count, lines, request->name)));
    free(lines);
}

const char* hwWebStudy_FindClip(hwWebServer* server, hwWebConnection* connection,
                                const hwWebRequest* request) {
    int number = Enrol(server, connection, request);
    const hwProtocolPair* pair = number >= 0 ? FindPair(server, connection, request) : NULL;
    if (pair == NULL) return NULL;
    bool swapped =
        hwProtocolInfo_IsSwapped(hwProtocol_GetInfo(server->def.protocol), number, (int)request->value);
    return pair->flights[(request->second > 0.0) != swapped];
}

void hwWebStudy_Rate(hwWebServer* server, hwWebConnection* connection, const hwWebRequest* request) {
    int number = Enrol(server, connection, request);
    const hwProtocolPair* pair = number >= 0 ? FindPair(server, connection, request) : NULL;
    if (pair == NULL) return;
    const hwProtocolInfo* info = hwProtocol_GetInfo(server->def.protocol);
    bool swapped = hwProtocolInfo_IsSwapped(info, number, (int)request->value);
    hwRatingLine line = {.realism = {request->values[0], request->values[1]},
                         .preferred = (int)request->second};
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(line.started, sizeof(line.started), "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(line.pilot, sizeof(line.pilot), "%s", request->name);
    snprintf(line.group, sizeof(line.group), "%.31s", info->groups[hwProtocolInfo_ChooseGroup(info, number)]);
    snprintf(line.pair, sizeof(line.pair), "%.63s", pair->name);
    for (int i = 0; i < 2; ++i)
        snprintf(line.shown[i], sizeof(line.shown[i]), "%.63s", pair->models[(i > 0) != swapped]);
    snprintf(line.comment, sizeof(line.comment), "%s", request->text);
    snprintf(line.version, sizeof(line.version), "%.31s", hwGetVersion());
    char path[720];
    hwError error;
    FindPath(server, "ratings.csv", path, sizeof(path));
    if (hwRatings_Append(path, &line, &error) == HW_OK) {
        SendReply(connection, request, json_object());
    } else {
        hwWebConnection_SendError(connection, request->id, "failed", error.message);
    }
}
