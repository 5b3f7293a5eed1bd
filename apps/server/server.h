// The web server: the page, the WebSocket, flights, recordings. See docs/protocol.md.
#ifndef HW_SERVER_SERVER_H
#define HW_SERVER_SERVER_H

#include "connect/connector.h"
#include "hawser/base.h"
#include "hawser/scene.h"

#include <signal.h>

typedef struct hwWebServerDef {
    bool view;                         // "view" instead of "train"
    const char* preset;                // scene or results file, or null
    const struct hwProtocol* protocol; // of a study, the caller's; null: none
    bool watch;   // the preset is a scene that is being written: read it again when it is saved
    int setCount; // values set over what the scene says
    const char* const* sets;
    int port;               // 0: the first free one from 8420
    const char* listen;     // numeric addresses with commas between; null: loopback (127.0.0.1 and ::1)
    const char* token;      // null: none is asked for, which only loopback allows
    const char* instructor; // secret of instructors' pages; null: one is made
    const char* host;       // another name under which the server may be called, or null
    const char* flights;    // folder of recordings
    int maxFlights;         // in the air at once, live scenes included
    double
        seatTime; // s after which a flight without its pilot gives its place to a new one, if it was flown as long
    double flightIdle;           // s without input after which a flight is closed
    double idle;                 // s without any page after which it ends; 0: it waits for ever
    volatile sig_atomic_t* stop; // set from a signal handler or another thread to end it
    // Connectors of the first live flight or scene, see hwWebConnect; may be null
    int (*connect)(void* context, const hwScene* scene, const hwWorld* world, hwConnector** connectors,
                   hwError* error);
    void* connectContext;
    int connectPace; // steps of the world in one of the trainer's, which such programs need; 0: one
    // It listens; `instructor` is the address for instructors. May be null.
    void (*ready)(const char* url, const char* instructor, void* context);
    void* context;
} hwWebServerDef;

hwWebServerDef hwDefaultWebServerDef(void);

// Serves until told to stop. HW_OK, or why it could not begin.
hwStatus hwWebServer_Run(const hwWebServerDef* def, hwError* error);

// The folder of recordings when none is given: below XDG_DATA_HOME or the home folder.
void hwWebServer_GetFlightsFolder(char* path, size_t size);

#endif
