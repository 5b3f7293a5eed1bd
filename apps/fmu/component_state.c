// States of an instance: saved, restored, written as bytes.
#define _POSIX_C_SOURCE 200809L
#include "apps/fmu/component_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATE_MAGIC 0x3253464d55574148ull // HAWUMFS2

static hwFmuState* AddState(hwFmu* fmu, size_t size) {
    hwFmuState* state = calloc(1, sizeof(*state));
    if (state == NULL) return NULL;
    state->values = malloc(2 * (size_t)fmu->count * sizeof(double));
    state->block = malloc(size + 1);
    state->size = size;
    if (state->values == NULL || state->block == NULL) {
        hwFmuState_Free(state);
        return NULL;
    }
    state->next = fmu->states;
    fmu->states = state;
    return state;
}

static bool HasState(const hwFmu* fmu, const hwFmuState* state) {
    const hwFmuState* at = fmu->states;
    while (at != NULL && at != state) at = at->next;
    return at != NULL;
}

static bool RequireState(hwFmu* fmu, const hwFmuState* state) {
    return HasState(fmu, state) || hwFmu_Fail(fmu, "That is no state of this instance.");
}

bool hwFmu_FreeState(hwFmu* fmu, hwFmuState* state) {
    if (!RequireState(fmu, state)) return false;
    hwFmuState** link = &fmu->states;
    while (*link != state) link = &(*link)->next;
    *link = state->next;
    hwFmuState_Free(state);
    return true;
}

hwFmuState* hwFmu_SaveState(hwFmu* fmu, hwFmuState* into) {
    if (into != NULL && !RequireState(fmu, into)) return NULL;
    size_t size = fmu->world != NULL && !fmu->stale ? hwWorld_GetStateSize(fmu->world) : 0;
    hwFmuState* state = into;
    if (state != NULL && state->size != size) {
        hwFmu_FreeState(fmu, state);
        state = NULL;
    }
    if (state == NULL) state = AddState(fmu, size);
    if (state == NULL) {
        hwFmu_Fail(fmu, "There is no memory for the state.");
        return NULL;
    }
    // outputs belong to it; reading them changes no state
    if (size > 0 && fmu->phase != HW_FMU_FAILED && !hwFmu_ReadOutputs(fmu)) return NULL;
    state->phase = fmu->phase;
    state->time = fmu->time;
    state->experimentStart = fmu->experimentStart;
    state->lastStep = fmu->lastStep;
    memcpy(state->values, fmu->numbers.values, 2 * (size_t)fmu->count * sizeof(double));
    hwError error;
    if (size > 0 && hwWorld_SaveState(fmu->world, state->block, size, &error) < 0) {
        hwFmu_FailWith(fmu, &error);
        return NULL;
    }
    return state;
}

bool hwFmu_RestoreState(hwFmu* fmu, const hwFmuState* state) {
    if (!RequireState(fmu, state)) return false;
    for (int i = 0; i < fmu->count; ++i) {
        if (fmu->variables[i].source == SOURCE_PARAMETER && state->values[i] != fmu->numbers.values[i])
            fmu->stale = true;
    }
    memcpy(fmu->numbers.values, state->values, 2 * (size_t)fmu->count * sizeof(double));
    fmu->time = state->time;
    fmu->experimentStart = state->experimentStart;
    fmu->startDefined = true;
    fmu->lastStep = state->lastStep;
    // of an instance with event mode, into one without
    fmu->phase = state->phase == HW_FMU_EVENT && !fmu->def.eventMode ? HW_FMU_STEPPING : state->phase;
    if (state->size == 0) {
        hwFmu_DropWorld(fmu);
        return true;
    }
    hwError error;
    if (!hwFmu_MakeWorld(fmu)) return hwFmu_Break(fmu);
    // making the world may have placed ends and set inputs
    memcpy(fmu->numbers.values, state->values, 2 * (size_t)fmu->count * sizeof(double));
    if (hwWorld_RestoreState(fmu->world, state->block, state->size, &error) < 0) {
        hwFmu_FailWith(fmu, &error);
        return hwFmu_Break(fmu);
    }
    fmu->fresh = true; // the outputs came with the state
    return true;
}

// Bytes: check sum of all that follows; magic, token, number of variables, size of the block, phase; three times; numbers; the block.
// A world trusts its own block, in which there are indices too, so bytes that were damaged on their way must not reach it.
enum { HEAD = 9 * 8 };

static uint64_t GetCheckSum(const unsigned char* bytes, size_t size) {
    uint64_t hash = 0xcbf29ce484222325ull; // FNV-1a
    for (size_t i = sizeof(hash); i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3ull;
    return hash;
}

bool hwFmu_GetStateSize(hwFmu* fmu, const hwFmuState* state, size_t* size) {
    if (!RequireState(fmu, state)) return false;
    *size = HEAD + 2 * (size_t)fmu->count * sizeof(double) + state->size;
    return true;
}

bool hwFmu_WriteState(hwFmu* fmu, const hwFmuState* state, unsigned char* bytes, size_t size) {
    size_t needed = 0;
    if (!hwFmu_GetStateSize(fmu, state, &needed)) return false;
    if (bytes == NULL || size < needed)
        return hwFmu_Fail(fmu, "The state needs %zu bytes, but there is room for %zu.", needed, size);
    uint64_t head[9] = {0,           STATE_MAGIC,           fmu->token, (uint64_t)fmu->count,
                        state->size, (uint64_t)state->phase};
    memcpy(&head[6], &state->time, sizeof(double));
    memcpy(&head[7], &state->experimentStart, sizeof(double));
    memcpy(&head[8], &state->lastStep, sizeof(double));
    memcpy(bytes, head, HEAD);
    size_t numbers = 2 * (size_t)fmu->count * sizeof(double);
    memcpy(bytes + HEAD, state->values, numbers);
    memcpy(bytes + HEAD + numbers, state->block, state->size);
    head[0] = GetCheckSum(bytes, needed);
    memcpy(bytes, head, sizeof(head[0]));
    return true;
}

hwFmuState* hwFmu_ReadState(hwFmu* fmu, const unsigned char* bytes, size_t size) {
    uint64_t head[9] = {0};
    size_t numbers = 2 * (size_t)fmu->count * sizeof(double);
    if (bytes != NULL && size >= HEAD) memcpy(head, bytes, HEAD);
    bool known = head[1] == STATE_MAGIC && head[2] == fmu->token && head[3] == (uint64_t)fmu->count &&
                 size >= HEAD + numbers && head[4] <= size - HEAD - numbers;
    if (!known) {
        hwFmu_Fail(fmu, "These bytes are no state of this unit.");
        return NULL;
    }
    if (head[0] != GetCheckSum(bytes, HEAD + numbers + (size_t)head[4])) {
        hwFmu_Fail(fmu, "These bytes are a damaged state of this unit.");
        return NULL;
    }
    hwFmuState* state = AddState(fmu, (size_t)head[4]);
    if (state == NULL) {
        hwFmu_Fail(fmu, "There is no memory for the state.");
        return NULL;
    }
    state->phase = (hwFmuPhase)head[5];
    memcpy(&state->time, &head[6], sizeof(double));
    memcpy(&state->experimentStart, &head[7], sizeof(double));
    memcpy(&state->lastStep, &head[8], sizeof(double));
    memcpy(state->values, bytes + HEAD, numbers);
    memcpy(state->block, bytes + HEAD + numbers, state->size);
    return state;
}
