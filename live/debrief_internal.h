// The inside of a debrief: the curves, the pictures of the tether, what tips and pages are made from.
#ifndef HW_LIVE_DEBRIEF_INTERNAL_H
#define HW_LIVE_DEBRIEF_INTERNAL_H

#include "hawser/debrief.h"
#include "hawser/flight.h"
#include "hawser/pilot.h"
#include "hawser/scene.h"

#include <stdio.h>

// Curves of a debrief; the order is that of the columns of its CSV file.
typedef enum DebriefCurve {
    CURVE_TIME,
    CURVE_X,
    CURVE_Y,
    CURVE_Z,
    CURVE_HEADING,
    CURVE_SPEED,
    CURVE_TURNS,
    CURVE_OUT,
    CURVE_STRAIGHT,
    CURVE_TENSION,
    CURVE_WINCH_TENSION,
    CURVE_WRAP,
    CURVE_EFFORT,
    CURVE_WOUND, // sum of the numbers' distances from those at the start
    CURVE_COUNT
} DebriefCurve;

// The tether at a moment.
typedef struct DebriefPicture {
    double time;
    hwVec3 vehicle;
    int count;
    hwVec3* points;
} DebriefPicture;

// A run of the same lesson.
typedef struct DebriefRun {
    char id[48], started[32];
    double score;
    bool passed;
} DebriefRun;

// A moment or a remark that was kept with the flight.
typedef struct DebriefMark {
    double time;
    char level[16];
    char text[400];
} DebriefMark;

// An outline of a fixed body seen from above.
typedef struct DebriefOutline {
    hwVec3 centre; // m
    double radius; // m, of a circle; 0: four corners
    hwVec3 corners[4];
} DebriefOutline;

#define DEBRIEF_RUNS 5
#define DEBRIEF_TIPS 3

struct hwDebrief {
    hwFlightInfo info;
    uint64_t sceneHash; // of its text, FNV-1a
    hwScene* scene;
    const hwLessonInfo* lesson; // or null
    hwFlyResult result;
    char vehicle[80], cable[80], winch[80]; // "": none
    int rows;
    double* curves[CURVE_COUNT];
    int obstacleCount;
    hwDebriefObstacle* obstacles;
    short* numbers; // obstacles x rows
    int changeCount, changeRoom;
    hwDebriefChange* changes;
    hwDebriefCause cause;
    int handlingCount, handlingRoom;
    hwDebriefHandling* handling;
    int pictureCount, pictureRoom;
    DebriefPicture* pictures;
    DebriefPicture causePicture;
    DebriefPicture ghostPicture; // of the true tether when the ghost was farthest from it
    hwGhosts* ghosts;            // lines of a second tether; empty where none was shown
    int outlineCount;
    DebriefOutline* outlines;
    int markCount;
    DebriefMark* marks;
    int runCount;
    DebriefRun runs[DEBRIEF_RUNS]; // the oldest first, this one last
    int turnRow;                   // the way back begins here
    char tips[DEBRIEF_TIPS][400];
};

// debrief_files.c: a file that appears when it is complete.
FILE* hwDebrief_OpenFile(const char* path, char* temporary, size_t size, hwError* error);
hwStatus hwDebrief_CloseFile(FILE* file, const char* path, const char* temporary, hwError* error);
// What was asked, and an answer to it or what was so, in words; the latter give `text`.
const char* hwDebrief_NameProbe(hwProbeItem item);
const char* hwDebrief_FormatProbe(const hwDebrief* debrief, hwProbeItem item, double value, char* text,
                                  size_t size);
// debrief_bounds.c: what went beyond its bound, as a table.
void hwDebrief_PutBounds(FILE* file, const hwDebrief* debrief);
// debrief_tips.c
void hwDebrief_FindTips(hwDebrief* debrief);
// Where that is, as the pilot's chart says it: "N 10.2, W 5.1 m"; gives `text`.
const char* hwDebrief_FormatPlace(hwVec3 place, char* text, size_t size);
// Row of the first time at or after `time`; the last one when there is none.
int hwDebrief_FindRow(const hwDebrief* debrief, double time);
// The ghost where it was farthest from the true tether; null: there was none.
const hwGhostLine* hwDebrief_FindFarthestGhost(const hwDebrief* debrief);

#endif
