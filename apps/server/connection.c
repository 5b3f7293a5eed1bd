// Connections: sending, closing, how many messages are too many.
#define _POSIX_C_SOURCE 200809L
#include "apps/server/server_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double hwWebServer_Clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool hwWebBucket_Take(hwWebBucket* bucket, double rate, double burst, double now) {
    if (bucket->time == 0.0) {
        bucket->level = burst;
    } else {
        bucket->level += rate * (now - bucket->time);
        if (bucket->level > burst) bucket->level = burst;
    }
    bucket->time = now;
    if (bucket->level < 1.0) return false;
    bucket->level -= 1.0;
    return true;
}

hwWebConnection* hwWebServer_FindConnection(hwWebServer* server, uint64_t serial) {
    for (hwWebConnection* c = server->connections; c != NULL; c = c->next) {
        if (c->serial == serial && serial != 0) return c;
    }
    return NULL;
}

void hwWebConnection_SendText(hwWebConnection* connection, const char* text) {
    if (connection->closing || text == NULL) return;
    size_t size = strlen(text);
    if (connection->outBytes + size > MOST_UNSENT) {
        hwWebConnection_Close(connection, 1013);
        return;
    }
    hwWebOutText* out = calloc(1, sizeof(*out));
    char* data = malloc(LWS_PRE + size + 1);
    if (out == NULL || data == NULL) {
        free(out);
        free(data);
        hwWebConnection_Close(connection, 1011);
        return;
    }
    memcpy(data + LWS_PRE, text, size + 1);
    out->data = data;
    out->size = size;
    if (connection->lastOut != NULL) {
        connection->lastOut->next = out;
    } else {
        connection->firstOut = out;
    }
    connection->lastOut = out;
    connection->outBytes += size;
    if (connection->blocked == 0.0) connection->blocked = hwWebServer_Clock();
    lws_callback_on_writable(connection->wsi);
}

void hwWebConnection_Send(hwWebConnection* connection, json_t* json) {
    char* text = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    hwWebConnection_SendText(connection, text);
    free(text);
}

void hwWebConnection_SendError(hwWebConnection* connection, int64_t id, const char* code,
                               const char* message) {
    json_t* json = json_pack("{s:s, s:s, s:s}", "type", "error", "code", code, "message", message);
    if (json != NULL && id != 0) json_object_set_new(json, "id", json_integer(id));
    hwWebConnection_Send(connection, json);
}

void hwWebConnection_Close(hwWebConnection* connection, uint16_t code) {
    if (connection->closing) return;
    connection->closing = true;
    connection->closeCode = code;
    lws_callback_on_writable(connection->wsi);
}
