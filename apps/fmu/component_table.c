// The table of variables from the resources.
#define _POSIX_C_SOURCE 200809L
#include "apps/fmu/component_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char* hwFmu_CopyText(const char* text, size_t length) {
    char* copy = malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

static uint64_t HashText(const char* text) {
    uint64_t hash = 0xcbf29ce484222325ull; // FNV-1a
    for (; *text != 0; ++text) hash = (hash ^ (unsigned char)*text) * 0x100000001b3ull;
    return hash;
}

static Variable* AddVariable(hwFmu* fmu, Source source, bool writable, const char* name, double start) {
    if ((fmu->count & (fmu->count + 1)) == 0 || fmu->variables == NULL) { // room for powers of two
        size_t room = 2 * (size_t)(fmu->count + 1);
        Variable* variables = realloc(fmu->variables, room * sizeof(*variables));
        if (variables != NULL) fmu->variables = variables;
        double* starts = realloc(fmu->starts, room * sizeof(*starts));
        if (starts != NULL) fmu->starts = starts;
        if (variables == NULL || starts == NULL) return NULL;
    }
    fmu->starts[fmu->count] = start;
    Variable* variable = &fmu->variables[fmu->count++];
    *variable = (Variable){.source = source, .writable = writable, .index = -1, .part = -1};
    variable->name = hwFmu_CopyText(name, strlen(name));
    return variable->name != NULL ? variable : NULL;
}

static bool IsWritableEndPart(int part) {
    return part < HW_FMU_END_FORCE || (part >= HW_FMU_END_TURN && part < HW_FMU_END_MOMENT);
}

static bool IsWritablePortPart(int part) {
    return part < HW_FMU_PORT_POSITION || (part >= HW_FMU_PORT_MOMENT && part < HW_FMU_PORT_TURN);
}

// The parts of an end or port as variables of their own.
static bool AddParts(hwFmu* fmu, Source source, int index, bool (*isWritable)(int), int count) {
    for (int i = 0; i < count; ++i) {
        int unturned = source == SOURCE_END ? HW_FMU_END_TURN : HW_FMU_PORT_TURN;
        Variable* variable = AddVariable(fmu, source, isWritable(i), "", i == unturned ? 1.0 : 0.0);
        if (variable == NULL) return false;
        variable->index = index;
        variable->part = i;
    }
    return true;
}

static bool AddEnd(hwFmu* fmu, const char* text, bool clamped) {
    End* ends = realloc(fmu->ends, (size_t)(fmu->endCount + 1) * sizeof(*ends));
    if (ends == NULL) return false;
    fmu->ends = ends;
    ends[fmu->endCount] =
        (End){.cable = hwFmu_CopyText(text + 2, strlen(text + 2)), .end = text[0] == 'b', .clamped = clamped};
    if (ends[fmu->endCount].cable == NULL) return false;
    return AddParts(fmu, SOURCE_END, fmu->endCount++, IsWritableEndPart,
                    clamped ? HW_FMU_CLAMP_COUNT : HW_FMU_END_COUNT);
}

static bool AddPort(hwFmu* fmu, const char* text) {
    Port* ports = realloc(fmu->ports, (size_t)(fmu->portCount + 1) * sizeof(*ports));
    if (ports == NULL) return false;
    fmu->ports = ports;
    char* at = NULL;
    hwVec3 point = {strtod(text, &at), 0.0, 0.0};
    point.y = strtod(at, &at);
    point.z = strtod(at, &at);
    at += *at == ' ';
    ports[fmu->portCount] = (Port){.body = hwFmu_CopyText(at, strlen(at)), .at = point};
    if (ports[fmu->portCount].body == NULL) return false;
    return AddParts(fmu, SOURCE_PORT, fmu->portCount++, IsWritablePortPart, HW_FMU_PORT_COUNT);
}

static bool ReadLine(hwFmu* fmu, const char* line) {
    const char* rest = line + 2;
    char* name = NULL;
    switch (line[0]) {
    case HW_FMU_OUTPUT:
        return AddVariable(fmu, SOURCE_CHANNEL, false, rest, 0.0) != NULL;
    case HW_FMU_INPUT:
    case HW_FMU_PARAMETER: {
        double start = strtod(rest, &name);
        Source source = line[0] == HW_FMU_INPUT ? SOURCE_INPUT : SOURCE_PARAMETER;
        return AddVariable(fmu, source, true, name + (*name == ' '), start) != NULL;
    }
    case HW_FMU_END:
    case HW_FMU_CLAMP:
        return AddEnd(fmu, rest, line[0] == HW_FMU_CLAMP);
    case HW_FMU_PORT:
        return AddPort(fmu, rest);
    case HW_FMU_STEP:
        fmu->expectedStep = strtod(rest, &name);
        fmu->parallel = strtod(name, &name) != 0.0;
        return true;
    default:
        return false;
    }
}

bool hwFmu_ReadTable(hwFmu* fmu, const char* token) {
    size_t size = strlen(fmu->folder) + 32;
    char* path = malloc(size);
    fmu->scenePath = malloc(size);
    if (path == NULL || fmu->scenePath == NULL) {
        free(path);
        return hwFmu_Fail(fmu, "There is no memory.");
    }
    snprintf(path, size, "%s/%s", fmu->folder, HW_FMU_TABLE_FILE);
    snprintf(fmu->scenePath, size, "%s/scene.yaml", fmu->folder);
    FILE* file = fopen(path, "r");
    if (file == NULL) {
        hwFmu_Fail(fmu, "The resources cannot be read: %s.", path);
        free(path);
        return false;
    }
    free(path);
    char line[1024];
    int number = 0;
    bool good = AddVariable(fmu, SOURCE_TIME, false, "time", 0.0) != NULL;
    while (good && fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = 0;
        if (number == 0) {
            good = strcmp(line, HW_FMU_TABLE_HEAD) == 0;
        } else if (number == 1) {
            if (token == NULL || strcmp(line, token) != 0) {
                fclose(file);
                return hwFmu_Fail(fmu, "The token (guid) is that of another unit: %.80s instead of %.80s.",
                                  token != NULL ? token : "none", line);
            }
            fmu->token = HashText(line);
        } else {
            good = line[0] != 0 && line[1] == ' ' && ReadLine(fmu, line);
        }
        number++;
    }
    fclose(file);
    if (!good || number < 2) return hwFmu_Fail(fmu, "The table of variables is damaged in line %d.", number);
    return true;
}
