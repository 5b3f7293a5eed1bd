// States of worlds in files: `start: {state: FILE}` of a scene begins from what `hawser run --save FILE` wrote.
//
// A file is a head of 64 bytes and the block of hwWorld_SaveState, which only a world with the same objects takes. The head's hash
// (FNV-1a, Fowler, Noll & Vo 1991) finds damage. It is no signature: whoever forges a block can forge its hash (SECURITY.md).
#include "scene_read.h"

#include "hawser/scene.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "HWSTATE1"
#define ORDER 0x01020304u     // as the machine writes it
#define MOST_BYTES (1u << 30) // of a file

typedef struct Head {
    char magic[8];
    uint32_t order;
    uint32_t unused;
    char version[16];
    double time;  // s
    double start; // s, of the run that led there: from it on waves grow, for example
    uint64_t size, hash;
} Head;

_Static_assert(sizeof(Head) == 64, "the head of a state's file has no gaps");

static uint64_t Hash(const void* bytes, size_t size) {
    const unsigned char* at = bytes;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * UINT64_C(1099511628211);
    return hash;
}

hwStatus hwWorld_WriteState(const hwWorld* world, const char* path, hwError* error) {
    Head head = {.magic = MAGIC, .order = ORDER};
    head.size = hwWorld_GetStateSize(world);
    head.time = hwWorld_GetTime(world);
    head.start = hwWorld_GetDef(world)->time;
    snprintf(head.version, sizeof(head.version), "%s", hwGetVersion());
    void* block = malloc(head.size > 0 ? (size_t)head.size : 1);
    if (block == NULL) {
        hwSceneFail_Memory(error);
        return HW_ERROR_MEMORY;
    }
    hwStatus status = hwWorld_SaveState(world, block, (size_t)head.size, error);
    if (status == HW_OK) {
        head.hash = Hash(block, (size_t)head.size);
        FILE* file = fopen(path, "wb");
        bool good = file != NULL && fwrite(&head, sizeof(head), 1, file) == 1 &&
                    fwrite(block, 1, (size_t)head.size, file) == head.size;
        int number = good ? 0 : errno;
        if (file != NULL && fclose(file) != 0 && good) {
            good = false;
            number = errno;
        }
        if (!good) {
            if (file != NULL) remove(path);
            status = HW_ERROR_FILE;
            char quoted[120];
            hwSceneFail(error, status, 0, 0, "`%s` cannot be written: %s",
                        hwQuoteText(quoted, sizeof(quoted), path), strerror(number));
        }
    }
    free(block);
    return status;
}

bool hwCheckStart(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneStart* start = item;
    if (start->state == NULL) return true;
    static const char* const others[] = {"time", "build_up"};
    for (int i = 0; i < 2; i++) {
        const hwYaml* other = hwYaml_Find(node, others[i]);
        if (other != NULL)
            return hwReader_Fail(reader, other, "`%s` and `state` exclude each other: %s", others[i],
                                 i == 0 ? "a run goes on at the time of the state"
                                        : "a state has been built up before it was saved");
    }
    const hwYaml* at = hwYaml_Find(node, "state");
    size_t size;
    const char* bytes =
        hwReadFileText(reader->store, start->state, MOST_BYTES, at->line, at->column, &size, reader->error);
    if (bytes == NULL) return false;
    Head head;
    if (size < sizeof(head) || memcmp(bytes, MAGIC, sizeof(head.magic)) != 0)
        return hwReader_Fail(reader, at, "`%s` holds no state as `hawser run --save` writes them", at->text);
    memcpy(&head, bytes, sizeof(head));
    head.version[sizeof(head.version) - 1] = 0;
    if (head.order != ORDER || strcmp(head.version, hwGetVersion()) != 0)
        return hwReader_Fail(reader, at, "`%s` was written by another version or kind of machine; this is %s",
                             at->text, hwGetVersion());
    if (head.size != size - sizeof(head) || head.hash != Hash(bytes + sizeof(head), (size_t)head.size) ||
        !isfinite(head.time) || !isfinite(head.start))
        return hwReader_Fail(reader, at, "`%s` is damaged", at->text);
    start->time = head.start;
    start->stateTime = head.time;
    start->block = bytes + sizeof(head);
    start->blockSize = (size_t)head.size;
    return true;
}

hwStatus hwScene_StartFromState(const hwScene* scene, hwWorld* world, hwError* error) {
    const hwSceneStart* start = &scene->model.start;
    if (start->block == NULL) return HW_OK;
    hwStatus status = hwWorld_AdoptState(world, start->block, start->blockSize, error);
    if (status == HW_OK && start->statics) return hwWorld_Settle(world, error);
    if (status == HW_OK) return HW_OK;
    const hwYaml* at = hwYaml_Find(start->place.node, "state");
    if (error != NULL && at != NULL) {
        error->line = at->line;
        error->column = at->column;
        snprintf(error->hint, sizeof(error->hint),
                 "it needs the same bodies, joints, cables with the same elements, and winches with the same "
                 "`longest`, which hangs on `duration` where it is not given");
    }
    return status;
}
