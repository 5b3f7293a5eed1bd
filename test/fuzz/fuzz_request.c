// Any lines as messages from two clients of the trainer's server: the real reading, dispatch, sessions and worlds, without
// the network. Each message is answered or not, as the protocol says; never a crash, a leak, a hang, or an answer that is no
// JSON. A line that begins with `2` is the second client's, who has said nothing yet; the first one flies.
#define _XOPEN_SOURCE 700
#include "apps/server/server_internal.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FRESH 300 // inputs after which the first client gets another flight

int LLVMFuzzerInitialize(int* count, char*** arguments);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// The network's part: nothing is sent, nobody sleeps.
void lws_cancel_service(struct lws_context* context) {
    (void)context;
}

int lws_callback_on_writable(struct lws* wsi) {
    (void)wsi;
    return 0;
}

void lws_set_timeout(struct lws* wsi, enum pending_timeout reason, int seconds) {
    (void)wsi;
    (void)reason;
    (void)seconds;
}

static hwWebServer g_server;
static char g_folder[] = "/tmp/hawser-fuzz-XXXXXX";
static hwWebSession* g_flight; // the first client's, kept from input to input
static int g_inputs;

static void EmptyFolder(void) {
    DIR* folder = opendir(g_folder);
    if (folder == NULL) return;
    for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] == '.') continue;
        char path[700];
        snprintf(path, sizeof(path), "%s/%s", g_folder, entry->d_name);
        DIR* flight = opendir(path);
        for (struct dirent* file = flight != NULL ? readdir(flight) : NULL; file != NULL;
             file = readdir(flight)) {
            char name[1000];
            snprintf(name, sizeof(name), "%s/%s", path, file->d_name);
            if (file->d_name[0] != '.') unlink(name);
        }
        if (flight != NULL) closedir(flight);
        rmdir(path);
    }
    closedir(folder);
}

static void RemoveFolder(void) {
    EmptyFolder();
    rmdir(g_folder);
}

static void Sleep(void) {
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

static hwWebConnection* AddClient(void) {
    hwWebConnection* c = calloc(1, sizeof(*c));
    if (c == NULL) abort();
    c->serial = ++g_server.serials;
    c->wsi = (struct lws*)c; // told apart, never looked into
    c->opened = hwWebServer_Clock();
    snprintf(c->address, sizeof(c->address), "127.0.0.1");
    c->next = g_server.connections;
    g_server.connections = c;
    g_server.connectionCount += 1;
    return c;
}

// What it would have been sent: objects with a type.
static void Drain(hwWebConnection* c) {
    while (c->firstOut != NULL) {
        hwWebOutText* out = c->firstOut;
        json_t* json = json_loadb(out->data + LWS_PRE, out->size, 0, NULL);
        if (!json_is_string(json_object_get(json, "type"))) abort();
        json_decref(json);
        c->firstOut = out->next;
        free(out->data);
        free(out);
    }
    c->lastOut = NULL;
    c->outBytes = 0;
}

static void RemoveClient(hwWebConnection* c) {
    hwWebServer_LeaveSession(&g_server, c);
    hwWebConnection** link = &g_server.connections;
    while (*link != c) link = &(*link)->next;
    *link = c->next;
    g_server.connectionCount -= 1;
    Drain(c);
    while (c->firstIn != NULL) {
        hwWebInText* next = c->firstIn->next;
        free(c->firstIn->data);
        free(c->firstIn);
        c->firstIn = next;
    }
    free(c);
}

// Until nobody waits for an answer. What takes too long libFuzzer calls a hang.
static void Settle(void) {
    for (bool busy = true; busy;) {
        hwWebServer_CollectNews(&g_server);
        busy = false;
        for (hwWebConnection* c = g_server.connections; c != NULL; c = c->next) busy = busy || c->busy;
        if (busy) Sleep();
    }
}

static void Say(hwWebConnection* c, const char* text, size_t size) {
    // exactly as long as it is: reading beyond shows
    char* copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) abort();
    memcpy(copy, text, size);
    hwWebServer_Receive(&g_server, c, copy, size);
    free(copy);
    Settle();
}

// Ends every session but the kept one.
static void EndOthers(void) {
    for (bool any = true; any;) {
        any = false;
        for (hwWebSlot* slot = g_server.slots; slot != NULL; slot = slot->next) {
            if (slot->session == g_flight) continue;
            hwWebSession_Stop(slot->session, "stopped");
            any = true;
        }
        hwWebServer_CollectNews(&g_server);
        if (any) Sleep();
    }
}

static void StartFlight(void) {
    static const char start[] =
        "{\"type\": \"start\", \"id\": 1, \"options\": {\"surroundings\": \"round_pool\", "
        "\"handler\": \"hold\"}}";
    g_flight = NULL;
    EndOthers();
    EmptyFolder();
    hwWebConnection* c = AddClient();
    c->greeted = true;
    Say(c, start, sizeof(start) - 1);
    g_flight = c->session;
    if (g_flight == NULL) abort();
    RemoveClient(c);
}

int LLVMFuzzerInitialize(int* count, char*** arguments) {
    (void)count;
    (void)arguments;
    hwError error;
    g_server.def = hwDefaultWebServerDef();
    g_server.def.maxFlights = 3;
    if (mkdtemp(g_folder) == NULL || atexit(RemoveFolder) != 0) abort();
    snprintf(g_server.flights, sizeof(g_server.flights), "%s", g_folder);
    hwWebBuildQueue_Init(&g_server.queue);
    if (!hwWebCatalog_Init(&g_server.catalog, NULL, &error)) abort();
    g_server.catalog.defaults.record = false;
    g_server.catalog.defaults.tether = false;
    StartFlight();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    hwWebSlot* kept = hwWebServer_FindSlot(&g_server, g_flight);
    if (++g_inputs % FRESH == 0 || kept == NULL || hwWebSession_IsDone(g_flight)) StartFlight();
    kept = hwWebServer_FindSlot(&g_server, g_flight);
    hwWebConnection *first = AddClient(), *second = AddClient();
    first->greeted = first->owns = true;
    first->session = g_flight;
    kept->owner = first->serial;
    kept->lost = 0.0;
    hwWebSession_Pause(g_flight, true);
    const char *at = (const char*)data, *end = at + size;
    for (int lines = 0; at < end && lines < 20; ++lines) {
        const char* stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop != NULL ? stop : end) - at);
        bool other = length > 0 && at[0] == '2';
        if (other) {
            Say(second, at + 1, length - 1);
        } else {
            Say(first, at, length);
        }
        at += length + 1;
    }
    hwWebServer_Tick(&g_server);
    RemoveClient(first);
    RemoveClient(second);
    EndOthers();
    // a flight that its pilot left goes on for a while; this one until the next input
    kept = hwWebServer_FindSlot(&g_server, g_flight);
    if (kept != NULL) kept->lastInput = hwWebServer_Clock();
    return 0;
}
