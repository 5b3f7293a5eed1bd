// Channels of a world by names and patterns. Apart from the files of results, so that readers of scenes do without these.
#include "results_internal.h"
#include "scene_store.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

bool hwName_Matches(const char* pattern, const char* text) {
    const char *star = NULL, *resume = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            resume = text;
        } else if (*pattern == *text) {
            ++pattern;
            ++text;
        } else if (star) {
            pattern = star + 1;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*') ++pattern;
    return *pattern == 0;
}

hwStatus hwResultsFail_Channel(const hwWorld* world, const char* pattern, hwError* error) {
    int best = -1, bestDistance = 0;
    for (int i = 0; i < hwWorld_GetChannelCount(world); ++i) {
        int distance = hwEditDistance(pattern, hwWorld_GetChannel(world, i).name, 1000);
        if (best < 0 || distance < bestDistance) {
            best = i;
            bestDistance = distance;
        }
    }
    hwResultsFail(error, HW_ERROR_ARGUMENT, "There is no channel %s.", pattern);
    if (error) hwResults_CopyText(error->object, sizeof(error->object), pattern);
    if (best >= 0) hwResultsFail_Hint(error, "Did you mean %s?", hwWorld_GetChannel(world, best).name);
    return HW_ERROR_ARGUMENT;
}

// Whether the pattern names the channel's object before its first `*`: parts that a cable may break into come only when asked for.
static bool NamesObject(const char* pattern, const char* name) {
    return strchr(pattern, '*') - pattern >= (ptrdiff_t)strcspn(name, ".");
}

hwStatus hwWorld_SelectChannels(const hwWorld* world, int patternCount, const char* const* patterns,
                                int* channels, int* count, hwError* error) {
    int total = world ? hwWorld_GetChannelCount(world) : 0;
    int clock = total > 0 ? hwWorld_FindChannel(world, "world.time") : -1;
    *count = 0;
    if (clock < 0)
        return hwResultsFail(error, HW_ERROR_ORDER, "The world has no channels before it is prepared.");
    bool* taken = calloc((size_t)total, sizeof(bool));
    if (!taken)
        return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for %d channels.", total);
    hwStatus status = HW_OK;
    channels[(*count)++] = clock;
    taken[clock] = true;
    for (int p = 0; p < (patternCount > 0 ? patternCount : 1) && status == HW_OK; ++p) {
        const char* pattern = patternCount > 0 ? patterns[p] : "*";
        bool wild = strchr(pattern, '*') != NULL, found = false;
        int only = wild ? 0 : hwWorld_FindChannel(world, pattern);
        for (int i = wild ? 0 : only; i >= 0 && i < (wild ? total : only + 1); ++i) {
            if (wild && !hwName_Matches(pattern, hwWorld_GetChannel(world, i).name)) continue;
            found = true;
            if (wild && !NamesObject(pattern, hwWorld_GetChannel(world, i).name) &&
                hwWorld_IsChannelAbsent(world, i))
                continue;
            if (!taken[i]) channels[(*count)++] = i;
            taken[i] = true;
        }
        if (!found) status = hwResultsFail_Channel(world, pattern, error);
    }
    free(taken);
    return status;
}

void hwWorld_FindRooms(const hwWorld* world, int patternCount, const char* const* patterns, int count,
                       const int* channels, int* rooms) {
    for (int i = 0; i < count; ++i) {
        rooms[i] = hwWorld_GetChannelRoom(world, channels[i]);
        const char* name = hwWorld_GetChannel(world, channels[i]).name;
        for (int p = 0; p < patternCount && rooms[i] > 0; ++p)
            if (strchr(patterns[p], '[') && hwName_Matches(patterns[p], name)) rooms[i] = 0;
    }
}
