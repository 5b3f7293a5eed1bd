#define _POSIX_C_SOURCE 200809L
#include "result_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Columns by name: sorted once, found by halving.
typedef struct Index {
    const hwChannelInfo* channels;
    int* order;
    int count;
} Index;

static _Thread_local const hwChannelInfo* t_sorting; // what CompareColumns looks at

static int CompareColumns(const void* a, const void* b) {
    return strcmp(t_sorting[*(const int*)a].name, t_sorting[*(const int*)b].name);
}

static int FindColumn(const Index* index, const char* name) {
    int low = 0, high = index->count - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        int order = strcmp(name, index->channels[index->order[middle]].name);
        if (order == 0) return index->order[middle];
        if (order < 0) {
            high = middle - 1;
        } else {
            low = middle + 1;
        }
    }
    return -1;
}

static bool FindTriple(const Index* index, const char* base, const char* quantity, int out[3]) {
    static const char* const axes[] = {"x", "y", "z"};
    static const char* const angles[] = {"roll", "pitch", "yaw"};
    bool turned = strcmp(quantity, "attitude") == 0, all = true;
    for (int i = 0; i < 3; ++i) {
        char name[256];
        snprintf(name, sizeof(name), "%s.%s.%s", base, quantity, turned ? angles[i] : axes[i]);
        out[i] = FindColumn(index, name);
        all = all && out[i] >= 0;
    }
    if (!all) out[0] = -1;
    return all;
}

static bool AddFrame(hwResultObjects* objects, const Index* index, const char* name) {
    hwFrameColumns* frames =
        realloc(objects->frames, (size_t)(objects->frameCount + 1) * sizeof(*objects->frames));
    if (frames == NULL) return false;
    objects->frames = frames;
    hwFrameColumns* frame = &frames[objects->frameCount];
    snprintf(frame->name, sizeof(frame->name), "%s", name);
    if (!FindTriple(index, name, "position", frame->position)) return true;
    FindTriple(index, name, "attitude", frame->attitude);
    objects->frameCount++;
    return true;
}

static bool AddNode(hwResultObjects* objects, const Index* index, const char* cable, int node,
                    const char* name) {
    hwCableColumns* last = objects->cableCount > 0 ? &objects->cables[objects->cableCount - 1] : NULL;
    if (last == NULL || strcmp(last->name, cable) != 0) {
        hwCableColumns* cables =
            realloc(objects->cables, (size_t)(objects->cableCount + 1) * sizeof(*objects->cables));
        if (cables == NULL) return false;
        objects->cables = cables;
        last = &cables[objects->cableCount++];
        *last = (hwCableColumns){0};
        snprintf(last->name, sizeof(last->name), "%s", cable);
    }
    if (node != last->count) return true; // not all nodes are recorded
    int(*nodes)[3] = realloc(last->nodes, (size_t)(last->count + 1) * sizeof(*nodes));
    if (nodes == NULL) return false;
    last->nodes = nodes;
    if (FindTriple(index, name, "position", nodes[last->count])) last->count++;
    return true;
}

bool hwResultObjects_Find(hwResultObjects* objects, int channelCount, const hwChannelInfo* channels) {
    *objects = (hwResultObjects){0};
    Index index = {channels, malloc((size_t)channelCount * sizeof(int) + 1), channelCount};
    if (index.order == NULL) return false;
    for (int i = 0; i < channelCount; ++i) index.order[i] = i;
    t_sorting = channels;
    qsort(index.order, (size_t)channelCount, sizeof(int), CompareColumns);
    bool good = true;
    for (int i = 0; i < channelCount && good; ++i) {
        const char* name = channels[i].name;
        const char* tail = strstr(name, ".position.x");
        if (tail == NULL || tail[strlen(".position.x")] != 0 || tail - name >= 120) continue;
        char base[128], cable[128];
        snprintf(base, sizeof(base), "%.*s", (int)(tail - name), name);
        const char* mark = strstr(base, ".node[");
        int node = -1;
        if (mark != NULL && sscanf(mark, ".node[%d]", &node) == 1) {
            snprintf(cable, sizeof(cable), "%.*s", (int)(mark - base), base);
            good = AddNode(objects, &index, cable, node, base);
        } else {
            good = AddFrame(objects, &index, base);
        }
    }
    free(index.order);
    return good;
}

void hwResultObjects_Free(hwResultObjects* objects) {
    for (int i = 0; i < objects->cableCount; ++i) free(objects->cables[i].nodes);
    free(objects->cables);
    free(objects->frames);
    *objects = (hwResultObjects){0};
}

hwPose hwFrameColumns_GetPose(const hwFrameColumns* frame, const double* row) {
    const int *p = frame->position, *a = frame->attitude;
    hwPose pose = {{row[p[0]], row[p[1]], row[p[2]]}, hwQuat_identity};
    if (a[0] >= 0) pose.q = hwQuatFromRpy(row[a[0]], row[a[1]], row[a[2]]);
    return pose;
}
