// The scene description that a page draws: everything that does not change from frame to frame.
#ifndef HW_SERVER_DESCRIBE_H
#define HW_SERVER_DESCRIBE_H

#include "apps/server/frame.h"
#include "apps/server/options.h"
#include "hawser/scene.h"
#include "hawser/world.h"

typedef struct hwWebDescribeInfo {
    const char* session; // "flight", "scene", "replay", "watch"
    const char* flight;  // id, or null
    const char* name;
    const char* title;
    const hwWebFlightOptions* options; // of a flight, or null
    double visibility;                 // m
    int revision;
} hwWebDescribeInfo;

// The `scene` message; `scene` may be null, then vehicles have no picture of their own. Null: out of memory.
json_t* hwWebDescribeScene(const hwWorld* world, const hwScene* scene, const hwWebFrameMap* map,
                           const hwWebDescribeInfo* info);

#endif
