// What a pilot's script holds once read: plain structures for the tables in pilot_file.c.
#ifndef HW_IO_PILOT_FILE_H
#define HW_IO_PILOT_FILE_H

#include "hawser/pilot.h"
#include "schema.h"

typedef struct hwFileGo {
    hwPlace place;
    hwVec3 to;
    double within, speed, heading, timeout;
    bool ahead;
} hwFileGo;

typedef struct hwFileTurn {
    hwPlace place;
    double to, by, within, speed, timeout;
} hwFileTurn;

typedef struct hwFileSet {
    hwPlace place;
    const char* input;
    double value, over;
} hwFileSet;

typedef struct hwFileAction {
    hwPlace place;
    bool arm, handler;
    int mode;
    double gain, wait, hold, tether;
    hwFileGo go;
    hwFileTurn turn;
    hwFileSet set;
} hwFileAction;

typedef struct hwFilePilotScript {
    hwPlace place;
    int version, frame;
    hwItems actions; // hwFileAction
} hwFilePilotScript;

extern const hwSection hwSection_pilotScript;
extern const hwSection hwSection_pilotAction;
// A script of actions that a reader has read, in its store; null: no memory.
hwPilotScript* hwMakePilotScript(hwReader* reader, const hwItems* actions);
hwCheckFn hwCheckAction;

#endif
