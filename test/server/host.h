// A server in a thread of the test. Define FOLDER, where it keeps flights, before.
#ifndef TEST_SERVER_HOST_H
#define TEST_SERVER_HOST_H

#include "ws_client.h"

#include "apps/server/server.h"

#include <ftw.h>
#include <pthread.h>
#include <sys/stat.h>

typedef struct Host {
    hwWebServerDef def;
    pthread_t thread;
    volatile sig_atomic_t stop;
    int port;
    hwStatus status;
} Host;

static inline void OnReady(const char* url, const char* instructor, void* context) {
    (void)instructor;
    Host* host = context;
    int port = 0;
    const char* colon = strrchr(url, ':');
    if (colon != NULL) port = atoi(colon + 1);
    __atomic_store_n(&host->port, port, __ATOMIC_SEQ_CST);
}

static inline void* HostMain(void* context) {
    Host* host = context;
    host->status = hwWebServer_Run(&host->def, NULL);
    return NULL;
}

static inline void StartHost(Host* host) {
    host->def.flights = FOLDER;
    host->def.stop = &host->stop;
    host->def.ready = OnReady;
    host->def.context = host;
    assert_int_equal(pthread_create(&host->thread, NULL, HostMain, host), 0);
    double until = WsClock() + WS_HANG;
    while (__atomic_load_n(&host->port, __ATOMIC_SEQ_CST) == 0 && WsClock() < until) WsSleep(0.01);
    assert_true(host->port > 0);
}

static inline void StopHost(Host* host) {
    __atomic_store_n(&host->stop, 1, __ATOMIC_RELAXED);
    pthread_join(host->thread, NULL);
    assert_int_equal(host->status, HW_OK);
}

static inline int RemoveOne(const char* path, const struct stat* info, int type, struct FTW* walk) {
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

static inline void RemoveFlights(void) {
    nftw(FOLDER, RemoveOne, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
