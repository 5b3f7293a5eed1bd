#define _POSIX_C_SOURCE 200809L
#include "apps/fmu/component.h"

#include "apps/fmu/table.h"
#include "hawser/hawser.h"
#include "hawser/scene.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_STEP 86400.0 // s; longer ones are mistakes of units
#define STATE_MAGIC 0x3153464d55574148ull

typedef enum Source {
    SOURCE_TIME,
    SOURCE_CHANNEL,
    SOURCE_INPUT,
    SOURCE_PARAMETER,
    SOURCE_END,
    SOURCE_PORT
} Source;

typedef struct Variable {
    Source source;
    bool writable; // inputs and parameters
    char* name;    // channel, input or path
    int index;     // of the channel or input in the world; of the end or port in its list
    int part;      // of ends and ports
} Variable;

typedef struct End {
    char* cable;
    int end;
    hwCableId id;
} End;

typedef struct Port {
    char* body;
    hwVec3 at;   // m, body frame
    hwVec3 from; // m, world: where it was when the step began
    hwBodyId id;
} Port;

// What a state has besides the world's block: all plain numbers, one after the other.
typedef struct Numbers {
    double* values;  // of every variable: what was set, or what was read after the last step
    double* applied; // of inputs: what the world has; NaN: the scene's own doing
} Numbers;

struct hwFmu {
    hwFmu* next; // of all instances of this process
    hwFmuDef def;
    char* folder;
    char* scenePath;
    uint64_t token; // hash of it
    hwFmuPhase phase;
    int count;
    Variable* variables;
    double* starts; // values before anything was set
    Numbers numbers;
    int endCount, portCount;
    End* ends;
    Port* ports;
    bool parallel;
    double expectedStep, lastStep; // s
    double experimentStart;        // s, of the master's clock
    bool startDefined;
    double time; // s, of the master's clock
    hwScene* scene;
    hwWorld* world;
    double worldStart; // s
    bool stale;        // a parameter changed: the world has to be made anew
    bool fresh;        // outputs have been read since the world changed
    bool stop;         // something happened in this step
    hwFmuState* states;
};

struct hwFmuState {
    hwFmuState* next;
    hwFmuPhase phase;
    double time, experimentStart, lastStep;
    double* values; // variables twice: values, applied
    size_t size;    // of the world's block; 0: no world yet
    unsigned char* block;
};

// All living instances, so that a pointer that is none is refused and not followed.
static pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;
static hwFmu* g_instances;

bool hwFmu_IsValid(const hwFmu* fmu) {
    pthread_mutex_lock(&g_lock);
    const hwFmu* at = g_instances;
    while (at != NULL && at != fmu) at = at->next;
    pthread_mutex_unlock(&g_lock);
    return at != NULL;
}

static void Log(hwFmu* fmu, bool failed, const char* text) {
    if (fmu->def.log != NULL) fmu->def.log(fmu->def.logContext, failed, text);
}

bool hwFmu_Fail(hwFmu* fmu, const char* format, ...) {
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    Log(fmu, true, text);
    return false;
}

static bool FailWith(hwFmu* fmu, const hwError* error) {
    if (error->line > 0)
        return hwFmu_Fail(fmu, "%d:%d: %s %s", error->line, error->column, error->message, error->hint);
    return hwFmu_Fail(fmu, "%s %s", error->message, error->hint);
}

void* hwFmu_GetLogContext(const hwFmu* fmu) {
    return fmu->def.logContext;
}

hwFmuPhase hwFmu_GetPhase(const hwFmu* fmu) {
    return fmu->phase;
}

double hwFmu_GetTime(const hwFmu* fmu) {
    return fmu->time;
}

bool hwFmu_Require(hwFmu* fmu, unsigned phases, const char* call) {
    static const char* const names[] = {"instantiated", "in initialization mode", "stepping", "terminated",
                                        "in error"};
    if (phases & 1u << fmu->phase) return true;
    return hwFmu_Fail(fmu, "%s is not allowed while the instance is %s.", call, names[fmu->phase]);
}

// The table ----------------------------------------------------------------------------------------------------------------

static char* CopyText(const char* text, size_t length) {
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
    variable->name = CopyText(name, strlen(name));
    return variable->name != NULL ? variable : NULL;
}

// The parts of an end or port as variables of their own.
static bool AddParts(hwFmu* fmu, Source source, int index, int inputs, int count) {
    for (int i = 0; i < count; ++i) {
        bool writable = i < inputs;
        Variable* variable = AddVariable(fmu, source, writable, "", 0.0);
        if (variable == NULL) return false;
        variable->index = index;
        variable->part = i;
    }
    return true;
}

static bool AddEnd(hwFmu* fmu, const char* text) {
    End* ends = realloc(fmu->ends, (size_t)(fmu->endCount + 1) * sizeof(*ends));
    if (ends == NULL) return false;
    fmu->ends = ends;
    ends[fmu->endCount] = (End){.cable = CopyText(text + 2, strlen(text + 2)), .end = text[0] == 'b'};
    if (ends[fmu->endCount].cable == NULL) return false;
    return AddParts(fmu, SOURCE_END, fmu->endCount++, HW_FMU_END_FORCE, HW_FMU_END_COUNT);
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
    ports[fmu->portCount] = (Port){.body = CopyText(at, strlen(at)), .at = point};
    if (ports[fmu->portCount].body == NULL) return false;
    return AddParts(fmu, SOURCE_PORT, fmu->portCount++, HW_FMU_PORT_POSITION, HW_FMU_PORT_COUNT);
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
        return AddEnd(fmu, rest);
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

static bool ReadTable(hwFmu* fmu, const char* token) {
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

// Instances ------------------------------------------------------------------------------------------------------------------

static void FreeState(hwFmuState* state) {
    free(state->values);
    free(state->block);
    free(state);
}

static void DropWorld(hwFmu* fmu) {
    hwDestroyWorld(fmu->world);
    hwDestroyScene(fmu->scene);
    fmu->world = NULL;
    fmu->scene = NULL;
    fmu->fresh = false;
}

static void FreeFmu(hwFmu* fmu) {
    DropWorld(fmu);
    while (fmu->states != NULL) {
        hwFmuState* next = fmu->states->next;
        FreeState(fmu->states);
        fmu->states = next;
    }
    for (int i = 0; i < fmu->count; ++i) free(fmu->variables[i].name);
    for (int i = 0; i < fmu->endCount; ++i) free(fmu->ends[i].cable);
    for (int i = 0; i < fmu->portCount; ++i) free(fmu->ports[i].body);
    free(fmu->variables);
    free(fmu->starts);
    free(fmu->numbers.values);
    free(fmu->ends);
    free(fmu->ports);
    free(fmu->folder);
    free(fmu->scenePath);
    free(fmu);
}

static void ResetNumbers(hwFmu* fmu) {
    for (int i = 0; i < fmu->count; ++i) {
        fmu->numbers.values[i] = fmu->starts[i];
        fmu->numbers.applied[i] = (double)NAN;
    }
}

hwFmu* hwCreateFmu(const hwFmuDef* def) {
    hwFmu* fmu = calloc(1, sizeof(*fmu));
    if (fmu == NULL) return NULL;
    fmu->def = *def;
    fmu->folder = def->resources != NULL ? CopyText(def->resources, strlen(def->resources)) : NULL;
    bool good = true;
    if (fmu->folder == NULL) {
        good = hwFmu_Fail(fmu, "The unit needs the folder of its resources.");
    } else {
        good = ReadTable(fmu, def->token);
    }
    if (good) {
        fmu->numbers.values = malloc(2 * (size_t)fmu->count * sizeof(double));
        good = fmu->numbers.values != NULL;
        fmu->numbers.applied = fmu->numbers.values + fmu->count;
    }
    if (!good) {
        FreeFmu(fmu);
        return NULL;
    }
    ResetNumbers(fmu);
    fmu->lastStep = fmu->expectedStep;
    pthread_mutex_lock(&g_lock);
    fmu->next = g_instances;
    g_instances = fmu;
    pthread_mutex_unlock(&g_lock);
    return fmu;
}

void hwDestroyFmu(hwFmu* fmu) {
    pthread_mutex_lock(&g_lock);
    hwFmu** link = &g_instances;
    while (*link != NULL && *link != fmu) link = &(*link)->next;
    if (*link != NULL) *link = fmu->next;
    pthread_mutex_unlock(&g_lock);
    FreeFmu(fmu);
}

// The world ----------------------------------------------------------------------------------------------------------------

static void LogWorld(hwLogLevel level, const char* text, void* context) {
    if (level == HW_LOG_WARNING) Log(context, false, text);
}

static bool IsStopped(void* context) {
    return ((hwFmu*)context)->stop;
}

// After each sub-step: a step that may end early does so where something happened.
static void WatchEvents(const hwWorld* world, void* context) {
    const hwStepEvent* events;
    if (hwWorld_GetStepEvents(world, &events, NULL) > 0) ((hwFmu*)context)->stop = true;
}

static bool FindObjects(hwFmu* fmu) {
    for (int i = 0; i < fmu->count; ++i) {
        Variable* variable = &fmu->variables[i];
        if (variable->source == SOURCE_CHANNEL)
            variable->index = hwWorld_FindChannel(fmu->world, variable->name);
        if (variable->source == SOURCE_INPUT) variable->index = hwWorld_FindInput(fmu->world, variable->name);
        if (variable->source >= SOURCE_CHANNEL && variable->source <= SOURCE_INPUT && variable->index < 0)
            return hwFmu_Fail(fmu, "With these parameters the scene has no %s.", variable->name);
    }
    for (int i = 0; i < fmu->endCount; ++i) {
        fmu->ends[i].id = hwWorld_FindCable(fmu->world, fmu->ends[i].cable);
        if (HW_IS_NULL(fmu->ends[i].id))
            return hwFmu_Fail(fmu, "With these parameters the scene has no cable %s.", fmu->ends[i].cable);
    }
    for (int i = 0; i < fmu->portCount; ++i) {
        fmu->ports[i].id = hwWorld_FindBody(fmu->world, fmu->ports[i].body);
        if (HW_IS_NULL(fmu->ports[i].id))
            return hwFmu_Fail(fmu, "With these parameters the scene has no body %s.", fmu->ports[i].body);
    }
    return true;
}

static bool GetEndPoint(hwFmu* fmu, const End* end, hwVec3* position) {
    hwCableView view;
    hwError error;
    if (hwCable_GetView(fmu->world, end->id, &view, &error) < 0) return FailWith(fmu, &error);
    *position = view.positions[end->end == 0 ? 0 : view.nodeCount - 1];
    return true;
}

static double* GetParts(hwFmu* fmu, Source source, int index) {
    for (int i = 0; i < fmu->count; ++i) {
        if (fmu->variables[i].source == source && fmu->variables[i].index == index)
            return fmu->numbers.values + i;
    }
    return NULL;
}

static void PutVec3(double* out, hwVec3 v) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static hwVec3 TakeVec3(const double* in) {
    return hwMakeVec3(in[0], in[1], in[2]);
}

// An end that no master has moved stays where it is.
static bool PlaceEnds(hwFmu* fmu) {
    for (int i = 0; i < fmu->endCount; ++i) {
        double* parts = GetParts(fmu, SOURCE_END, i);
        const double* applied = fmu->numbers.applied + (parts - fmu->numbers.values);
        hwVec3 position = hwVec3_zero;
        if (!GetEndPoint(fmu, &fmu->ends[i], &position)) return false;
        double now[3] = {position.x, position.y, position.z};
        for (int k = 0; k < 3; ++k) {
            if (isnan(applied[HW_FMU_END_POSITION + k])) parts[HW_FMU_END_POSITION + k] = now[k];
        }
    }
    return true;
}

static bool ApplyInput(hwFmu* fmu, int number) {
    double value = fmu->numbers.values[number];
    if (fmu->numbers.applied[number] == value) return true;
    hwError error;
    if (hwWorld_SetInput(fmu->world, fmu->variables[number].index, value, &error) < 0)
        return FailWith(fmu, &error);
    fmu->numbers.applied[number] = value;
    return true;
}

// Makes the world of the scene with the parameters that were set.
static bool MakeWorld(hwFmu* fmu) {
    if (fmu->world != NULL && !fmu->stale) return true;
    DropWorld(fmu);
    int setCount = 0;
    char(*sets)[400] = malloc((size_t)fmu->count * sizeof(*sets));
    const char** list = malloc((size_t)fmu->count * sizeof(*list));
    bool good = sets != NULL && list != NULL;
    for (int i = 0; good && i < fmu->count; ++i) {
        bool changed = fmu->numbers.values[i] != fmu->starts[i];
        if (fmu->variables[i].source != SOURCE_PARAMETER || !changed) continue;
        snprintf(sets[setCount], sizeof(*sets), "%s=%.17g", fmu->variables[i].name, fmu->numbers.values[i]);
        list[setCount] = sets[setCount];
        setCount++;
    }
    hwError error;
    if (good) fmu->scene = hwLoadSceneWith(fmu->scenePath, setCount, list, &error);
    free(sets);
    free(list);
    if (!good) return hwFmu_Fail(fmu, "There is no memory.");
    if (fmu->scene == NULL) return FailWith(fmu, &error);
    hwWorldDef def = hwDefaultWorldDef();
    def.log = LogWorld;
    def.logContext = fmu;
    def.stop = IsStopped;
    def.stopContext = fmu;
    fmu->stop = false;
    fmu->world = hwScene_CreateWorld(fmu->scene, &def, &error);
    if (fmu->world == NULL) return FailWith(fmu, &error);
    fmu->stale = false;
    fmu->worldStart = hwWorld_GetTime(fmu->world);
    if (!FindObjects(fmu) || !PlaceEnds(fmu)) {
        DropWorld(fmu);
        return false;
    }
    for (int i = 0; i < fmu->count; ++i) {
        bool given = fmu->variables[i].source == SOURCE_INPUT && fmu->numbers.values[i] != fmu->starts[i];
        fmu->numbers.applied[i] =
            fmu->variables[i].source == SOURCE_INPUT ? (double)NAN : fmu->numbers.applied[i];
        if (given && !ApplyInput(fmu, i)) return false;
    }
    if (fmu->def.early) {
        hwStepEventDef events = hwDefaultStepEventDef();
        if (hwWorld_KeepStepEvents(fmu->world, &events, &error) < 0) return FailWith(fmu, &error);
        hwWorld_SetObserver(fmu->world, WatchEvents, fmu);
    }
    return true;
}

static bool ReadEnd(hwFmu* fmu, int index) {
    const End* end = &fmu->ends[index];
    double* parts = GetParts(fmu, SOURCE_END, index);
    hwVec3 force, moment;
    double impedance[6][6];
    hwError error;
    hwCableView view;
    if (hwCable_PredictEndLoad(fmu->world, end->id, end->end, fmu->lastStep, &force, &moment, impedance,
                               &error) < 0 ||
        hwCable_GetView(fmu->world, end->id, &view, &error) < 0)
        return FailWith(fmu, &error);
    const double* missing = fmu->numbers.applied + (parts - fmu->numbers.values) + HW_FMU_END_FORCE;
    PutVec3(parts + HW_FMU_END_FORCE, isnan(missing[0]) ? force : hwAdd(force, TakeVec3(missing)));
    int at = HW_FMU_END_IMPEDANCE;
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) parts[at++] = impedance[i][j];
    }
    PutVec3(parts + HW_FMU_END_REFERENCE, view.velocities[end->end == 0 ? 0 : view.nodeCount - 1]);
    return true;
}

static bool GetPortMotion(hwFmu* fmu, const Port* port, hwVec3* position, hwVec3* velocity) {
    hwBodyState state;
    hwError error;
    if (hwBody_GetState(fmu->world, port->id, &state, &error) < 0) return FailWith(fmu, &error);
    hwVec3 arm = hwRotate(state.attitude, port->at);
    *position = hwAdd(state.position, arm);
    *velocity = hwAdd(state.velocity, hwCross(hwRotate(state.attitude, state.rate), arm));
    return true;
}

static bool ReadPort(hwFmu* fmu, int index) {
    double* parts = GetParts(fmu, SOURCE_PORT, index);
    hwVec3 position, velocity;
    if (!GetPortMotion(fmu, &fmu->ports[index], &position, &velocity)) return false;
    PutVec3(parts + HW_FMU_PORT_POSITION, position);
    PutVec3(parts + HW_FMU_PORT_VELOCITY, velocity);
    return true;
}

// Outputs are those of the end of the last step: they do not depend on inputs that are set afterwards.
static bool ReadOutputs(hwFmu* fmu) {
    if (!MakeWorld(fmu)) return false;
    if (fmu->fresh) return true;
    for (int i = 0; i < fmu->count; ++i) {
        if (fmu->variables[i].source == SOURCE_CHANNEL)
            fmu->numbers.values[i] = hwWorld_ReadChannel(fmu->world, fmu->variables[i].index);
    }
    for (int i = 0; i < fmu->endCount; ++i) {
        if (!ReadEnd(fmu, i)) return false;
    }
    for (int i = 0; i < fmu->portCount; ++i) {
        if (!ReadPort(fmu, i)) return false;
    }
    fmu->fresh = true;
    return true;
}

// Life ---------------------------------------------------------------------------------------------------------------------

bool hwFmu_SetExperiment(hwFmu* fmu, double start, bool stopDefined, double stop) {
    if (!isfinite(start)) return hwFmu_Fail(fmu, "The start time is not a finite number.");
    if (stopDefined && !(stop > start)) return hwFmu_Fail(fmu, "The stop time must be after the start time.");
    fmu->experimentStart = fmu->time = start;
    fmu->startDefined = true;
    return true;
}

static bool Break(hwFmu* fmu) {
    fmu->phase = HW_FMU_FAILED;
    return false;
}

bool hwFmu_EnterInitialization(hwFmu* fmu) {
    if (!MakeWorld(fmu)) return Break(fmu);
    if (!fmu->startDefined) fmu->experimentStart = fmu->time = fmu->worldStart;
    fmu->phase = HW_FMU_INITIALIZATION;
    return true;
}

bool hwFmu_ExitInitialization(hwFmu* fmu) {
    fmu->fresh = false;
    if (!MakeWorld(fmu) || !ReadOutputs(fmu)) return Break(fmu);
    fmu->phase = HW_FMU_STEPPING;
    return true;
}

bool hwFmu_Terminate(hwFmu* fmu) {
    fmu->phase = HW_FMU_TERMINATED;
    return true;
}

bool hwFmu_Reset(hwFmu* fmu) {
    DropWorld(fmu);
    ResetNumbers(fmu);
    fmu->phase = HW_FMU_INSTANTIATED;
    fmu->startDefined = false;
    fmu->time = 0.0;
    fmu->lastStep = fmu->expectedStep;
    fmu->stale = false;
    return true;
}

// Variables ------------------------------------------------------------------------------------------------------------------

static bool CheckReference(hwFmu* fmu, uint32_t reference) {
    if (reference < (uint32_t)fmu->count) return true;
    return hwFmu_Fail(fmu, "There is no variable with the value reference %u.", reference);
}

bool hwFmu_Get(hwFmu* fmu, const uint32_t* references, size_t count, double* values) {
    if (count > 0 && (references == NULL || values == NULL))
        return hwFmu_Fail(fmu, "Getting needs value references and room for the values.");
    for (size_t i = 0; i < count; ++i) {
        if (!CheckReference(fmu, references[i])) return false;
        const Variable* variable = &fmu->variables[references[i]];
        if (variable->source == SOURCE_TIME) {
            values[i] = fmu->time;
            continue;
        }
        bool placed = variable->source == SOURCE_END && fmu->world == NULL;
        if ((!variable->writable || placed) && fmu->phase != HW_FMU_FAILED && !ReadOutputs(fmu)) return false;
        values[i] = fmu->numbers.values[references[i]];
    }
    return true;
}

static bool SetOne(hwFmu* fmu, uint32_t reference, double value) {
    if (!CheckReference(fmu, reference)) return false;
    const Variable* variable = &fmu->variables[reference];
    if (!variable->writable)
        return hwFmu_Fail(fmu, "Variable %u is no input or parameter and cannot be set.", reference);
    if (!isfinite(value)) return hwFmu_Fail(fmu, "Variable %u cannot be set to %g.", reference, value);
    if (variable->source == SOURCE_PARAMETER) {
        if (fmu->phase == HW_FMU_STEPPING)
            return hwFmu_Fail(fmu, "The parameter %s is fixed once the unit runs.", variable->name);
        if (value != fmu->numbers.values[reference]) fmu->stale = true;
        fmu->numbers.values[reference] = value;
        return true;
    }
    // An input is the scene's own doing until it is given a value other than the one it has had: masters that pass every start
    // value on do not stop what the scene does with it.
    bool same = value == fmu->numbers.values[reference];
    fmu->numbers.values[reference] = value;
    if (variable->source != SOURCE_INPUT) {
        fmu->numbers.applied[reference] = value;
        return true;
    }
    if (fmu->world == NULL || fmu->stale || (same && isnan(fmu->numbers.applied[reference]))) return true;
    if (fmu->phase != HW_FMU_STEPPING) fmu->fresh = false;
    return ApplyInput(fmu, (int)reference);
}

bool hwFmu_Set(hwFmu* fmu, const uint32_t* references, size_t count, const double* values) {
    if (count > 0 && (references == NULL || values == NULL))
        return hwFmu_Fail(fmu, "Setting needs value references and values.");
    for (size_t i = 0; i < count; ++i) {
        if (!SetOne(fmu, references[i], values[i])) return false;
    }
    return true;
}

// Steps ----------------------------------------------------------------------------------------------------------------------

// The end goes straight to where the master wants it to be at the end of the step.
static bool MoveEnd(hwFmu* fmu, int index, double step) {
    const End* end = &fmu->ends[index];
    const double* parts = GetParts(fmu, SOURCE_END, index);
    hwVec3 from = hwVec3_zero, to = TakeVec3(parts + HW_FMU_END_POSITION);
    if (!GetEndPoint(fmu, end, &from)) return false;
    if (fmu->parallel) to = hwMulAdd(to, step, TakeVec3(parts + HW_FMU_END_VELOCITY));
    hwVec3 velocity = hwScale(1.0 / step, hwSub(to, from));
    hwError error;
    if (hwCable_GuideEnd(fmu->world, end->id, end->end, velocity, hwVec3_zero, &error) < 0)
        return FailWith(fmu, &error);
    return true;
}

static hwVec3 Resist(const double* d, hwVec3 v) {
    return hwMakeVec3(d[0] * v.x + d[1] * v.y + d[2] * v.z, d[1] * v.x + d[3] * v.y + d[4] * v.z,
                      d[2] * v.x + d[4] * v.y + d[5] * v.z);
}

// What the body at the other side has felt of the last prediction, F - D (V - u) with V its mean velocity, is not quite what the
// wire passed on. The difference goes into the next force, so that momentum is kept (docs/numerics.md, Exchange by hand). A
// master that connects `felt`, or repeats steps, says what it was.
static bool SettleEnd(hwFmu* fmu, int index, double interval) {
    const End* end = &fmu->ends[index];
    double* parts = GetParts(fmu, SOURCE_END, index);
    double* applied = fmu->numbers.applied + (parts - fmu->numbers.values);
    hwCableView view;
    hwVec3 impulse;
    hwError error;
    if (hwCable_GetView(fmu->world, end->id, &view, &error) < 0 ||
        hwCable_GetEndImpulse(fmu->world, end->id, end->end, &impulse, NULL, &error) < 0)
        return FailWith(fmu, &error);
    hwVec3 mean = hwScale(1.0 / interval, impulse);
    hwVec3 velocity = view.velocities[end->end == 0 ? 0 : view.nodeCount - 1];
    hwVec3 ahead = hwSub(velocity, TakeVec3(parts + HW_FMU_END_REFERENCE));
    hwVec3 felt = hwSub(TakeVec3(parts + HW_FMU_END_FORCE), Resist(parts + HW_FMU_END_IMPEDANCE, ahead));
    bool told = !fmu->parallel && !isnan(applied[HW_FMU_END_FELT]);
    if (told) felt = TakeVec3(parts + HW_FMU_END_FELT);
    PutVec3(applied + HW_FMU_END_FORCE, hwSub(mean, felt));
    PutVec3(parts + HW_FMU_END_MEAN, mean);
    return true;
}

// What a body has felt at a port that was at `from` when the step began.
static bool SettlePort(hwFmu* fmu, int index, hwVec3 from, double interval) {
    double* parts = GetParts(fmu, SOURCE_PORT, index);
    hwVec3 to = hwVec3_zero, velocity = hwVec3_zero;
    if (!GetPortMotion(fmu, &fmu->ports[index], &to, &velocity)) return false;
    hwVec3 mean = hwScale(1.0 / interval, hwSub(to, from));
    hwVec3 ahead = hwSub(mean, TakeVec3(parts + HW_FMU_PORT_REFERENCE));
    PutVec3(parts + HW_FMU_PORT_FELT,
            hwSub(TakeVec3(parts + HW_FMU_PORT_FORCE), Resist(parts + HW_FMU_PORT_IMPEDANCE, ahead)));
    return true;
}

// What acts at the ports: forces of the last step go first, then those of all ports of each body.
static bool LoadPorts(hwFmu* fmu) {
    hwError error;
    for (int i = 0; i < fmu->portCount; ++i) {
        if (hwBody_ClearForces(fmu->world, fmu->ports[i].id, &error) < 0) return FailWith(fmu, &error);
    }
    for (int i = 0; i < fmu->portCount; ++i) {
        Port* port = &fmu->ports[i];
        const double* parts = GetParts(fmu, SOURCE_PORT, i);
        const double* d = parts + HW_FMU_PORT_IMPEDANCE;
        const double impedance[6][6] = {{d[0], d[1], d[2]}, {d[1], d[3], d[4]}, {d[2], d[4], d[5]}};
        hwVec3 at = hwVec3_zero, velocity = hwVec3_zero;
        if (!GetPortMotion(fmu, port, &at, &velocity)) return false;
        port->from = at;
        if (hwBody_ApplyWrench(fmu->world, port->id, TakeVec3(parts + HW_FMU_PORT_FORCE), hwVec3_zero, at,
                               HW_FRAME_WORLD, &error) < 0 ||
            hwBody_ApplyImpedance(fmu->world, port->id, impedance, TakeVec3(parts + HW_FMU_PORT_REFERENCE),
                                  hwVec3_zero, at, &error) < 0)
            return FailWith(fmu, &error);
    }
    return true;
}

// How far the world goes for a step that ends at `end` of the master's clock. Steps such as 0.01 s are not exact in binary, but
// a hundred a second are: times that are such multiples within rounding are taken as that.
static double GetTarget(const hwFmu* fmu, double end, double step) {
    double since = end - fmu->experimentStart;
    double rate = round(1.0 / step), multiple = round(since * rate);
    bool whole = rate >= 1.0 && fabs(1.0 / step - rate) < 1e-9 * rate && fabs(since * rate - multiple) < 1e-6;
    return fmu->worldStart + (whole ? multiple / rate : since);
}

bool hwFmu_Step(hwFmu* fmu, double time, double step, double* reached) {
    *reached = fmu->time;
    if (!isfinite(time) || !isfinite(step) || !(step > 0.0) || step > LONGEST_STEP)
        return hwFmu_Fail(fmu, "A step is above 0 s and at most %g s, not %g s at %g s.", LONGEST_STEP, step,
                          time);
    if (fabs(time - fmu->time) > 1e-9 * fmax(1.0, fabs(fmu->time)))
        return hwFmu_Fail(fmu, "The step is to begin at %.12g s, but the unit is at %.12g s.", time,
                          fmu->time);
    double interval = GetTarget(fmu, time + step, step) - hwWorld_GetTime(fmu->world);
    if (!(interval > 1e-12 * fmax(1.0, fabs(fmu->time))))
        return hwFmu_Fail(fmu, "A step of %g s is too short to be told from none at %g s.", step, time);
    for (int i = 0; i < fmu->endCount; ++i) {
        if (!MoveEnd(fmu, i, interval)) return Break(fmu);
    }
    if (!LoadPorts(fmu)) return Break(fmu);
    hwError error;
    fmu->stop = false;
    fmu->fresh = false;
    double before = hwWorld_GetTime(fmu->world);
    hwStatus status = hwWorld_Step(fmu->world, interval, &error);
    bool early = status == HW_ERROR_STOPPED;
    double now = hwWorld_GetTime(fmu->world), done = now - before;
    fmu->time = early ? fmu->experimentStart + (now - fmu->worldStart) : time + step;
    *reached = fmu->time;
    if (status < 0 && !early) {
        FailWith(fmu, &error);
        return Break(fmu);
    }
    fmu->lastStep = step;
    for (int i = 0; i < fmu->endCount; ++i) {
        if (!SettleEnd(fmu, i, done)) return Break(fmu);
    }
    for (int i = 0; i < fmu->portCount; ++i) {
        if (!SettlePort(fmu, i, fmu->ports[i].from, done)) return Break(fmu);
    }
    return ReadOutputs(fmu) || Break(fmu);
}

// States -----------------------------------------------------------------------------------------------------------------------

static hwFmuState* AddState(hwFmu* fmu, size_t size) {
    hwFmuState* state = calloc(1, sizeof(*state));
    if (state == NULL) return NULL;
    state->values = malloc(2 * (size_t)fmu->count * sizeof(double));
    state->block = malloc(size + 1);
    state->size = size;
    if (state->values == NULL || state->block == NULL) {
        FreeState(state);
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
    FreeState(state);
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
    if (size > 0 && fmu->phase != HW_FMU_FAILED && !ReadOutputs(fmu)) return NULL;
    state->phase = fmu->phase;
    state->time = fmu->time;
    state->experimentStart = fmu->experimentStart;
    state->lastStep = fmu->lastStep;
    memcpy(state->values, fmu->numbers.values, 2 * (size_t)fmu->count * sizeof(double));
    hwError error;
    if (size > 0 && hwWorld_SaveState(fmu->world, state->block, size, &error) < 0) {
        FailWith(fmu, &error);
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
    fmu->phase = state->phase;
    if (state->size == 0) {
        DropWorld(fmu);
        return true;
    }
    hwError error;
    if (!MakeWorld(fmu)) return Break(fmu);
    // making the world may have placed ends and set inputs
    memcpy(fmu->numbers.values, state->values, 2 * (size_t)fmu->count * sizeof(double));
    if (hwWorld_RestoreState(fmu->world, state->block, state->size, &error) < 0) {
        FailWith(fmu, &error);
        return Break(fmu);
    }
    fmu->fresh = true; // the outputs came with the state
    return true;
}

// Bytes: magic, token, number of variables, size of the block, phase; three times; numbers; the block.
enum { HEAD = 8 * 8 };

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
    uint64_t head[8] = {STATE_MAGIC, fmu->token, (uint64_t)fmu->count, state->size, (uint64_t)state->phase};
    memcpy(&head[5], &state->time, sizeof(double));
    memcpy(&head[6], &state->experimentStart, sizeof(double));
    memcpy(&head[7], &state->lastStep, sizeof(double));
    memcpy(bytes, head, HEAD);
    size_t numbers = 2 * (size_t)fmu->count * sizeof(double);
    memcpy(bytes + HEAD, state->values, numbers);
    memcpy(bytes + HEAD + numbers, state->block, state->size);
    return true;
}

hwFmuState* hwFmu_ReadState(hwFmu* fmu, const unsigned char* bytes, size_t size) {
    uint64_t head[8] = {0};
    size_t numbers = 2 * (size_t)fmu->count * sizeof(double);
    if (bytes != NULL && size >= HEAD) memcpy(head, bytes, HEAD);
    bool known = head[0] == STATE_MAGIC && head[1] == fmu->token && head[2] == (uint64_t)fmu->count &&
                 head[4] <= HW_FMU_FAILED && size >= HEAD + numbers && head[3] <= size - HEAD - numbers;
    if (!known) {
        hwFmu_Fail(fmu, "These bytes are no state of this unit.");
        return NULL;
    }
    hwFmuState* state = AddState(fmu, (size_t)head[3]);
    if (state == NULL) {
        hwFmu_Fail(fmu, "There is no memory for the state.");
        return NULL;
    }
    state->phase = (hwFmuPhase)head[4];
    memcpy(&state->time, &head[5], sizeof(double));
    memcpy(&state->experimentStart, &head[6], sizeof(double));
    memcpy(&state->lastStep, &head[7], sizeof(double));
    memcpy(state->values, bytes + HEAD, numbers);
    memcpy(state->block, bytes + HEAD + numbers, state->size);
    return state;
}
