// What has a place in a table of channels: bodies, and nodes of cables.
#ifndef HW_IO_RESULT_OBJECTS_H
#define HW_IO_RESULT_OBJECTS_H

#include "hawser/math.h"
#include "hawser/world.h"

// A body or link.
typedef struct hwFrameColumns {
    char name[128];
    int position[3], attitude[3]; // columns; attitude[0] is -1 when it is not recorded
} hwFrameColumns;

// A cable: columns of its nodes' positions, three each, from end a; nodes that are not there hold NaN.
typedef struct hwCableColumns {
    char name[128];
    int count;
    int (*nodes)[3];
} hwCableColumns;

typedef struct hwResultObjects {
    int frameCount, cableCount;
    hwFrameColumns* frames;
    hwCableColumns* cables;
} hwResultObjects;

// False: no memory. Freed by hwResultObjects_Free in either case.
bool hwResultObjects_Find(hwResultObjects* objects, int channelCount, const hwChannelInfo* channels);
void hwResultObjects_Free(hwResultObjects* objects);

// Place of a frame in a row; attitude by roll, pitch and yaw.
hwPose hwFrameColumns_GetPose(const hwFrameColumns* frame, const double* row);

#endif
