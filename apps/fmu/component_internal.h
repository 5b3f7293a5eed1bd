// What the files of a unit's instance share.
#ifndef HW_FMU_COMPONENT_INTERNAL_H
#define HW_FMU_COMPONENT_INTERNAL_H

#include "apps/fmu/component.h"
#include "apps/fmu/table.h"
#include "hawser/hawser.h"
#include "hawser/scene.h"

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
    // of a node's or element's channel: that of the cable's first one, how many further the next one's is, and the cable
    int first, stride;
    bool element;
    hwCableId cable;
} Variable;

typedef struct End {
    char* cable;
    int end;
    bool clamped;
    hwVec3 rate; // rad/s, world: in this step
    hwCableId id;
} End;

typedef struct Port {
    char* body;
    hwVec3 at;   // m, body frame
    hwVec3 from; // m, world: where it was when the step began
    hwQuat start, fromAttitude;
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

static inline void PutVec3(double* out, hwVec3 v) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static inline void PutQuat(double* out, hwQuat q) {
    out[0] = q.w;
    out[1] = q.x;
    out[2] = q.y;
    out[3] = q.z;
}

static inline hwQuat TakeQuat(const double* in) {
    return (hwQuat){.w = in[0], .x = in[1], .y = in[2], .z = in[3]};
}

static inline hwVec3 TakeVec3(const double* in) {
    return hwMakeVec3(in[0], in[1], in[2]);
}

// component.c: log an error of the library, or a line.
bool hwFmu_FailWith(hwFmu* fmu, const hwError* error);
void hwFmu_Log(hwFmu* fmu, bool failed, const char* text);
// component_table.c: read the variables; false when they are damaged or the token is another.
bool hwFmu_ReadTable(hwFmu* fmu, const char* token);
char* hwFmu_CopyText(const char* text, size_t length);
// component.c
void hwFmu_DropWorld(hwFmu* fmu);
void hwFmuState_Free(hwFmuState* state);
// component_world.c: make the world anew where parameters have changed; read all outputs; set an input.
bool hwFmu_MakeWorld(hwFmu* fmu);
bool hwFmu_ReadOutputs(hwFmu* fmu);
bool hwFmu_ApplyInput(hwFmu* fmu, int number);
// component_coupling.c: where ends and ports are in a new world; what a clamp's turn counts from; whether inputs make sense; before
// and after a step; outputs.
bool hwFmu_PlaceCouplings(hwFmu* fmu);
bool hwFmu_StartCouplings(hwFmu* fmu);
bool hwFmu_CheckCouplings(hwFmu* fmu);
bool hwFmu_BeginCouplings(hwFmu* fmu, double interval);
bool hwFmu_EndCouplings(hwFmu* fmu, double interval);
bool hwFmu_ReadCouplings(hwFmu* fmu);
// The instance has failed; false for returning it.
bool hwFmu_Break(hwFmu* fmu);

#endif
