#define _GNU_SOURCE // accept4
#include "connect/foxglove.h"

#include "connect/web_socket.h"
#include "hawser/cable.h"
#include "hawser/topics.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUBPROTOCOL "foxglove.websocket.v1"
#define MOST_CLIENTS 8
#define MOST_SUBSCRIPTIONS 1024 // of a client
#define MOST_AT_ONCE 16         // messages of a client that are read before the world goes on
#define INTERVAL (1.0 / 30.0)

typedef struct Subscription {
    uint32_t id; // the client's
    int topic;
} Subscription;

typedef struct Client {
    hwWebSocket socket;
    bool greeted;
    int count;
    Subscription subscriptions[MOST_SUBSCRIPTIONS];
} Client;

typedef struct Foxglove {
    hwConnector base;
    hwUdpAddress address;
    char name[128];
    int listener;
    double interval, due;
    hwTopics* topics;
    hwSonarClouds* clouds; // null: none
    int topicCount;        // /log is behind them
    int channelCount;
    int* channels;
    double* row;
    int incidents; // told so far
    char* advertisement;
    Client* clients[MOST_CLIENTS];
    uint64_t connected, refused, messages, left;
} Foxglove;

static const char g_logSchema[] =
    "{\"title\":\"foxglove.Log\",\"type\":\"object\",\"properties\":{\"timestamp\":{\"type\":\"object\","
    "\"title\":\"time\",\"properties\":{"
    "\"sec\":{\"type\":\"integer\"},\"nsec\":{\"type\":\"integer\"}}},\"level\":{\"type\":\"integer\"},"
    "\"message\":{\"type\":\"string\"},"
    "\"name\":{\"type\":\"string\"},\"file\":{\"type\":\"string\"},\"line\":{\"type\":\"integer\"}}}";

// What is there, as clients are told when they connect.
static char* Advertise(const Foxglove* f) {
    json_t* channels = json_array();
    for (int i = 0; i <= f->topicCount; ++i) {
        hwTopicInfo info = i < f->topicCount ? hwTopics_GetInfo(f->topics, i)
                                             : (hwTopicInfo){"/log", "foxglove.Log", g_logSchema};
        json_array_append_new(channels,
                              json_pack("{s:i, s:s, s:s, s:s, s:s, s:s}", "id", i + 1, "topic", info.name,
                                        "encoding", "json", "schemaName", info.schemaName, "schema",
                                        info.schema, "schemaEncoding", "jsonschema"));
    }
    json_t* message = json_pack("{s:s, s:o}", "op", "advertise", "channels", channels);
    char* text = message != NULL ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    return text;
}

static void Greet(Foxglove* f, Client* client) {
    char session[32];
    snprintf(session, sizeof(session), "%llx",
             (unsigned long long)(uintptr_t)f->topics ^ (unsigned long long)f->connected);
    json_t* info =
        json_pack("{s:s, s:s, s:[s], s:[s], s:{}, s:s}", "op", "serverInfo", "name", f->name, "capabilities",
                  "time", "supportedEncodings", "json", "metadata", "sessionId", session);
    char* text = info != NULL ? json_dumps(info, JSON_COMPACT) : NULL;
    if (text != NULL) hwWebSocket_SendText(&client->socket, text);
    free(text);
    json_decref(info);
    hwWebSocket_SendText(&client->socket, f->advertisement);
    client->greeted = true;
    f->connected++;
}

static void Complain(Client* client, const char* sentence) {
    char text[300];
    snprintf(text, sizeof(text), "{\"op\":\"status\",\"level\":1,\"message\":\"%s\"}", sentence);
    hwWebSocket_SendText(&client->socket, text);
}

static void Subscribe(const Foxglove* f, Client* client, const json_t* list) {
    size_t i;
    json_t* item;
    json_array_foreach(list, i, item) {
        json_int_t id = json_integer_value(json_object_get(item, "id"));
        json_int_t channel = json_integer_value(json_object_get(item, "channelId"));
        if (id < 0 || id > UINT32_MAX || channel < 1 || channel > f->topicCount + 1) {
            Complain(client, "There is no such channel to subscribe to.");
        } else if (client->count == MOST_SUBSCRIPTIONS) {
            Complain(client, "There are too many subscriptions.");
        } else {
            client->subscriptions[client->count++] = (Subscription){(uint32_t)id, (int)channel - 1};
        }
    }
}

static void Unsubscribe(Client* client, const json_t* list) {
    size_t i;
    json_t* item;
    json_array_foreach(list, i, item) {
        for (int k = client->count - 1; k >= 0; --k) {
            if (client->subscriptions[k].id == (uint32_t)json_integer_value(item))
                client->subscriptions[k] = client->subscriptions[--client->count];
        }
    }
}

static void Answer(const Foxglove* f, Client* client) {
    json_t* message = json_loads((const char*)client->socket.message, 0, NULL);
    const char* op = json_string_value(json_object_get(message, "op"));
    if (op == NULL) {
        Complain(client, "Messages are JSON objects with an op.");
    } else if (strcmp(op, "subscribe") == 0) {
        Subscribe(f, client, json_object_get(message, "subscriptions"));
    } else if (strcmp(op, "unsubscribe") == 0) {
        Unsubscribe(client, json_object_get(message, "subscriptionIds"));
    } else {
        Complain(client, "This server offers channels to subscribe to, and nothing else.");
    }
    json_decref(message);
}

// Clients ------------------------------------------------------------------------------------------------------------------------

static void Accept(Foxglove* f, double clock) {
    for (int turn = 0; turn < MOST_CLIENTS; ++turn) {
        int fd = accept4(f->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return;
        int slot = 0;
        while (slot < MOST_CLIENTS && f->clients[slot] != NULL) slot++;
        Client* client = slot < MOST_CLIENTS ? calloc(1, sizeof(*client)) : NULL;
        if (client == NULL) {
            close(fd);
            f->refused++;
            continue;
        }
        hwWebSocket_Init(&client->socket, fd, clock);
        f->clients[slot] = client;
    }
}

static void Attend(Foxglove* f, Client* client, double clock) {
    for (int i = 0; i < MOST_AT_ONCE && hwWebSocket_Receive(&client->socket, SUBPROTOCOL, clock); ++i) {
        if (!client->greeted) Greet(f, client);
        Answer(f, client);
    }
    if (client->socket.phase == HW_WEB_OPEN && !client->greeted) Greet(f, client);
}

static bool IsWanted(const Foxglove* f, int topic) {
    for (int i = 0; i < MOST_CLIENTS; ++i) {
        for (int k = 0; f->clients[i] != NULL && k < f->clients[i]->count; ++k) {
            if (topic < 0 || f->clients[i]->subscriptions[k].topic == topic) return true;
        }
    }
    return false;
}

static void PutInteger(unsigned char* out, uint64_t value, int size) {
    for (int i = 0; i < size; ++i) out[i] = (unsigned char)(value >> (8 * i));
}

static void SendMessage(Foxglove* f, int topic, uint64_t time, const char* text, size_t size) {
    unsigned char head[13] = {1};
    PutInteger(head + 5, time, 8);
    for (int i = 0; i < MOST_CLIENTS; ++i) {
        Client* client = f->clients[i];
        for (int k = 0; client != NULL && k < client->count; ++k) {
            if (client->subscriptions[k].topic != topic) continue;
            PutInteger(head + 1, client->subscriptions[k].id, 4);
            hwWebSocket_SendBinary(&client->socket, head, sizeof(head), text, size);
            f->messages++;
        }
    }
}

static void SendIncidents(Foxglove* f, const hwWorld* world) {
    static const char* const what[] = {"went slack", "became taut", "parted", "was caught", "was let go"};
    hwIncident list[256];
    int total = hwWorld_GetIncidents(world, 256, list), kept = total < 256 ? total : 256;
    int fresh = total - f->incidents < kept ? total - f->incidents : kept;
    for (int i = kept - fresh; i < kept && i >= 0; ++i) {
        char text[400];
        uint64_t time = hwTopics_GetTime(&list[i].time);
        int size = snprintf(
            text, sizeof(text),
            "{\"timestamp\":{\"sec\":%llu,\"nsec\":%llu},\"level\":2,\"message\":\"%s%s %s (%.4g)\",\"name\":"
            "\"hawser\",\"file\":\"\",\"line\":0}",
            (unsigned long long)(time / 1000000000u), (unsigned long long)(time % 1000000000u),
            hwCable_GetName(world, list[i].cable),
            list[i].end == 0   ? ".a"
            : list[i].end == 1 ? ".b"
                               : "",
            what[list[i].kind], list[i].value);
        SendMessage(f, f->topicCount, time, text, (size_t)size);
    }
    f->incidents = total;
}

static void SendRow(Foxglove* f, const hwWorld* world) {
    hwWorld_ReadChannels(world, f->channelCount, f->channels, f->row);
    uint64_t time = hwTopics_GetTime(f->row);
    for (int topic = 0; topic < f->topicCount; ++topic) {
        if (!IsWanted(f, topic) || hwTopics_GetSonar(f->topics, topic) >= 0) continue;
        size_t size = 0;
        const char* text = hwTopics_Write(f->topics, topic, f->row, &size);
        if (text != NULL) SendMessage(f, topic, time, text, size);
    }
    unsigned char clock[9] = {2};
    PutInteger(clock + 1, time, 8);
    for (int i = 0; i < MOST_CLIENTS; ++i) {
        if (f->clients[i] != NULL && f->clients[i]->greeted)
            hwWebSocket_SendBinary(&f->clients[i]->socket, clock, sizeof(clock), "", 0);
    }
    SendIncidents(f, world);
}

// Sonars that somebody looks at, at their own rate in simulated time. They are queries and no part of the world's state: what is
// computed does not depend on who looks.
static void SendClouds(Foxglove* f, hwWorld* world) {
    for (int topic = 0; topic < f->topicCount; ++topic) {
        int sonar = hwTopics_GetSonar(f->topics, topic);
        bool fresh = false;
        if (sonar < 0 || !IsWanted(f, topic) ||
            hwSonarClouds_Update(f->clouds, sonar, world, &fresh, NULL) != HW_OK || !fresh)
            continue;
        size_t size = 0;
        double time = hwSonarClouds_Get(f->clouds, sonar).time;
        const char* text = hwTopics_Write(f->topics, topic, &time, &size);
        if (text != NULL) SendMessage(f, topic, hwTopics_GetTime(&time), text, size);
    }
}

static void Update(hwConnector* connector, const hwConnection* connection) {
    Foxglove* f = (Foxglove*)connector;
    Accept(f, connection->clock);
    for (int i = 0; i < MOST_CLIENTS; ++i) {
        if (f->clients[i] != NULL) Attend(f, f->clients[i], connection->clock);
    }
    if (f->clouds != NULL) SendClouds(f, connection->world);
    if (connection->clock >= f->due && IsWanted(f, -1)) {
        SendRow(f, connection->world);
        f->due += f->interval;
        if (f->due < connection->clock) f->due = connection->clock + 0.5 * f->interval;
    }
    for (int i = 0; i < MOST_CLIENTS; ++i) {
        Client* client = f->clients[i];
        if (client == NULL) continue;
        hwWebSocket_Flush(&client->socket);
        if (client->socket.phase != HW_WEB_CLOSED) continue;
        f->left += client->socket.left;
        f->refused += !client->greeted;
        hwWebSocket_Free(&client->socket);
        free(client);
        f->clients[i] = NULL;
    }
}

static void Describe(const hwConnector* connector, char* text, size_t size) {
    const Foxglove* f = (const Foxglove*)connector;
    char address[80];
    hwUdpAddress_Print(&f->address, address, sizeof(address));
    snprintf(text, size, "Foxglove: ws://%s, %d topics", address, f->topicCount + 1);
}

static void Report(const hwConnector* connector, char* text, size_t size) {
    const Foxglove* f = (const Foxglove*)connector;
    uint64_t left = f->left;
    for (int i = 0; i < MOST_CLIENTS; ++i) left += f->clients[i] != NULL ? f->clients[i]->socket.left : 0;
    snprintf(text, size,
             "Foxglove: %llu clients, %llu messages, %llu left out for slow ones, %llu connections refused",
             (unsigned long long)f->connected, (unsigned long long)f->messages, (unsigned long long)left,
             (unsigned long long)f->refused);
}

static void Destroy(hwConnector* connector) {
    Foxglove* f = (Foxglove*)connector;
    for (int i = 0; i < MOST_CLIENTS; ++i) {
        if (f->clients[i] == NULL) continue;
        hwWebSocket_Close(&f->clients[i]->socket, 1001, "the server ends");
        hwWebSocket_Flush(&f->clients[i]->socket);
        hwWebSocket_Free(&f->clients[i]->socket);
        free(f->clients[i]);
    }
    if (f->listener >= 0) close(f->listener);
    hwDestroyTopics(f->topics);
    hwDestroySonarClouds(f->clouds);
    free(f->channels);
    free(f->row);
    free(f->advertisement);
    free(f);
}

// Beginning ------------------------------------------------------------------------------------------------------------------------

static const hwConnectorType g_type = {
    .name = "foxglove", .update = Update, .describe = Describe, .report = Report, .destroy = Destroy};

static hwConnector* Fail(Foxglove* f, hwError* error, const char* doing) {
    if (error != NULL) {
        memset(error, 0, sizeof(*error));
        error->status = HW_ERROR_FILE;
        error->index = -1;
        char address[80];
        hwUdpAddress_Print(&f->address, address, sizeof(address));
        snprintf(error->message, sizeof(error->message), "--foxglove: cannot %s %s: %s.", doing, address,
                 strerror(errno));
    }
    Destroy(&f->base);
    return NULL;
}

static bool MakeTopics(Foxglove* f, const hwScene* scene, const hwWorld* world, hwError* error) {
    if (scene != NULL) {
        f->clouds = hwCreateSonarClouds(scene, world, error);
        if (f->clouds == NULL) return false;
    }
    f->channelCount = hwWorld_GetChannelCount(world);
    f->channels = malloc((size_t)f->channelCount * sizeof(int) + 1);
    f->row = malloc((size_t)f->channelCount * sizeof(double) + 1);
    hwChannelInfo* infos = malloc((size_t)f->channelCount * sizeof(*infos) + 1);
    if (f->channels == NULL || f->row == NULL || infos == NULL) {
        free(infos);
        return false;
    }
    for (int i = 0; i < f->channelCount; ++i) {
        f->channels[i] = i; // world.time comes first
        infos[i] = hwWorld_GetChannel(world, i);
    }
    hwTopicsDef def = hwDefaultTopicsDef();
    def.channelCount = f->channelCount;
    def.channels = infos;
    def.world = world;
    def.clouds = f->clouds;
    f->topics = hwCreateTopics(&def, error);
    free(infos);
    if (f->topics == NULL) return false;
    f->topicCount = hwTopics_GetCount(f->topics);
    f->advertisement = Advertise(f);
    return f->advertisement != NULL;
}

hwConnector* hwCreateFoxglove(const hwWorld* world, const hwFoxgloveDef* def, hwError* error) {
    Foxglove* f = calloc(1, sizeof(*f));
    if (f == NULL) return NULL;
    f->base.type = &g_type;
    f->address = def->listen;
    f->interval = def->interval > 0.0 ? def->interval : INTERVAL;
    snprintf(f->name, sizeof(f->name), "%s", def->name != NULL ? def->name : "Hawser");
    f->listener = socket(def->listen.at.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int one = 1;
    if (f->listener < 0 || setsockopt(f->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) != 0 ||
        bind(f->listener, &f->address.at.any, f->address.size) != 0 || listen(f->listener, 16) != 0 ||
        getsockname(f->listener, &f->address.at.any, &f->address.size) != 0)
        return Fail(f, error, "listen on");
    errno = ENOMEM;
    if (!MakeTopics(f, def->scene, world, error)) return Fail(f, error, "make topics for");
    f->incidents = hwWorld_GetIncidents(world, 0, NULL);
    return &f->base;
}
