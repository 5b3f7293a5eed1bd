// FMI 2.0 for co-simulation, typed from the standard (FMI 2.0.4, modelica.org): all 44 functions, as importers look for each of
// them. What this unit does not offer answers fmi2Error and says so.
#include "apps/fmu/component.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define FMI2_EXPORT __declspec(dllexport)
#else
#define FMI2_EXPORT __attribute__((visibility("default")))
#endif

typedef void* fmi2Component;
typedef void* fmi2ComponentEnvironment;
typedef void* fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char* fmi2String;
typedef char fmi2Byte;

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef struct {
    void (*logger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
    void* (*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void*);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged,
        valuesOfContinuousStatesChanged, nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

// The master's side of an instance: its logger and name.
typedef struct Host {
    fmi2CallbackFunctions callbacks;
    bool logging;
    char* name;
} Host;

// Loggers take a format: percent signs are doubled.
static void LogToHost(void* context, bool failed, const char* text) {
    const Host* host = context;
    if (host->callbacks.logger == NULL || (!failed && !host->logging)) return;
    char safe[1300];
    size_t used = 0;
    for (; *text != 0 && used + 3 < sizeof(safe); ++text) {
        if (*text == '%') safe[used++] = '%';
        safe[used++] = *text;
    }
    safe[used] = 0;
    host->callbacks.logger(host->callbacks.componentEnvironment, host->name, failed ? fmi2Error : fmi2Warning,
                           failed ? "logStatusError" : "logStatusWarning", safe);
}

// The instance of a component, or null: it may be anything.
static hwFmu* Take(fmi2Component c) {
    return hwFmu_IsValid(c) ? c : NULL;
}

#define BIT(phase) (1u << (phase))
#define ALIVE                                                                                                \
    (BIT(HW_FMU_INSTANTIATED) | BIT(HW_FMU_INITIALIZATION) | BIT(HW_FMU_STEPPING) | BIT(HW_FMU_TERMINATED))
#define SETTABLE (BIT(HW_FMU_INSTANTIATED) | BIT(HW_FMU_INITIALIZATION) | BIT(HW_FMU_STEPPING))
// Begins a function: the instance, in one of the phases.
#define ENTER(phases)                                                                                        \
    hwFmu* fmu = Take(c);                                                                                    \
    if (fmu == NULL || !hwFmu_Require(fmu, phases, __func__)) return fmi2Error

static fmi2Status Answer(bool good) {
    return good ? fmi2OK : fmi2Error;
}

static fmi2Status Refuse(fmi2Component c, const char* call) {
    hwFmu* fmu = Take(c);
    if (fmu != NULL) hwFmu_Fail(fmu, "%s is not offered by this unit.", call);
    return fmi2Error;
}

// Life ---------------------------------------------------------------------------------------------------------------------

FMI2_EXPORT const char* fmi2GetTypesPlatform(void) {
    return "default";
}

FMI2_EXPORT const char* fmi2GetVersion(void) {
    return "2.0";
}

FMI2_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, size_t nCategories,
                                           const fmi2String categories[]) {
    hwFmu* fmu = Take(c);
    if (fmu == NULL) return fmi2Error;
    Host* host = hwFmu_GetLogContext(fmu);
    for (size_t i = 0; i < nCategories; ++i) {
        bool known =
            categories != NULL && categories[i] != NULL &&
            (strcmp(categories[i], "logStatusError") == 0 || strcmp(categories[i], "logStatusWarning") == 0);
        if (!known) return Answer(hwFmu_Fail(fmu, "There is no such log category."));
    }
    host->logging = loggingOn != 0;
    return fmi2OK;
}

static int TakeHex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The path of a URI file:///path, file:/path or file://localhost/path; a plain path is taken as it is. The caller frees it.
static char* DecodeLocation(const char* location) {
    if (location == NULL) return NULL;
    const char* at = location;
    if (strncmp(at, "file:", 5) == 0) {
        at += 5;
        if (strncmp(at, "//", 2) == 0) {
            at += 2;
            const char* slash = strchr(at, '/'); // behind the host, which is empty or this machine
            if (slash == NULL) return NULL;
            at = slash;
        }
#ifdef _WIN32
        if (at[0] == '/' && at[1] != 0 && at[2] == ':') at++; // /C:/folder
#endif
    }
    char* path = malloc(strlen(at) + 1);
    if (path == NULL) return NULL;
    bool coded = at != location;
    size_t used = 0;
    while (*at != 0) {
        int high = coded && at[0] == '%' ? TakeHex(at[1]) : -1, low = high >= 0 ? TakeHex(at[2]) : -1;
        path[used++] = low >= 0 ? (char)(16 * high + low) : *at;
        at += low >= 0 ? 3 : 1;
    }
    path[used] = 0;
    return path;
}

static void FreeHost(Host* host) {
    if (host != NULL) free(host->name);
    free(host);
}

FMI2_EXPORT fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                                          fmi2String fmuResourceLocation,
                                          const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                                          fmi2Boolean loggingOn) {
    (void)visible;
    Host* host = calloc(1, sizeof(*host));
    if (host == NULL) return NULL;
    if (functions != NULL) host->callbacks = *functions;
    host->logging = loggingOn != 0;
    const char* name = instanceName != NULL ? instanceName : "";
    host->name = malloc(strlen(name) + 1);
    if (host->name == NULL) {
        FreeHost(host);
        return NULL;
    }
    memcpy(host->name, name, strlen(name) + 1);
    hwFmu* fmu = NULL;
    if (name[0] == 0) {
        LogToHost(host, true, "An instance needs a name.");
    } else if (fmuType != fmi2CoSimulation) {
        LogToHost(host, true, "This unit is for co-simulation only.");
    } else {
        char* folder = DecodeLocation(fmuResourceLocation);
        fmu = hwCreateFmu(
            &(hwFmuDef){.resources = folder, .token = fmuGUID, .log = LogToHost, .logContext = host});
        free(folder);
    }
    if (fmu == NULL) FreeHost(host);
    return fmu;
}

FMI2_EXPORT void fmi2FreeInstance(fmi2Component c) {
    hwFmu* fmu = Take(c);
    if (fmu == NULL) return;
    Host* host = hwFmu_GetLogContext(fmu);
    hwDestroyFmu(fmu);
    FreeHost(host);
}

FMI2_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                                           fmi2Real startTime, fmi2Boolean stopTimeDefined,
                                           fmi2Real stopTime) {
    ENTER(BIT(HW_FMU_INSTANTIATED));
    return Answer(hwFmu_SetExperiment(fmu, toleranceDefined != 0, tolerance, startTime, stopTimeDefined != 0,
                                      stopTime));
}

FMI2_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    ENTER(BIT(HW_FMU_INSTANTIATED));
    return Answer(hwFmu_EnterInitialization(fmu));
}

FMI2_EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    ENTER(BIT(HW_FMU_INITIALIZATION));
    return Answer(hwFmu_ExitInitialization(fmu));
}

FMI2_EXPORT fmi2Status fmi2Terminate(fmi2Component c) {
    ENTER(BIT(HW_FMU_STEPPING));
    return Answer(hwFmu_Terminate(fmu));
}

FMI2_EXPORT fmi2Status fmi2Reset(fmi2Component c) {
    ENTER(ALIVE | BIT(HW_FMU_FAILED));
    return Answer(hwFmu_Reset(fmu));
}

// Variables: all are real numbers ---------------------------------------------------------------------------------------------

FMI2_EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                   fmi2Real value[]) {
    ENTER(ALIVE | BIT(HW_FMU_FAILED));
    return Answer(hwFmu_Get(fmu, vr, nvr, value));
}

FMI2_EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                   const fmi2Real value[]) {
    ENTER(SETTABLE);
    return Answer(hwFmu_Set(fmu, vr, nvr, value));
}

#define NO_VARIABLES(NAME, TYPE)                                                                             \
    FMI2_EXPORT fmi2Status fmi2Get##NAME(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,         \
                                         TYPE value[]) {                                                     \
        (void)vr;                                                                                            \
        (void)value;                                                                                         \
        ENTER(ALIVE);                                                                                        \
        return nvr == 0 ? fmi2OK                                                                             \
                        : Answer(hwFmu_Fail(fmu, "%s: all variables of this unit are Real.", __func__));     \
    }                                                                                                        \
    FMI2_EXPORT fmi2Status fmi2Set##NAME(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,         \
                                         const TYPE value[]) {                                               \
        (void)vr;                                                                                            \
        (void)value;                                                                                         \
        ENTER(SETTABLE);                                                                                     \
        return nvr == 0 ? fmi2OK                                                                             \
                        : Answer(hwFmu_Fail(fmu, "%s: all variables of this unit are Real.", __func__));     \
    }

NO_VARIABLES(Integer, fmi2Integer)
NO_VARIABLES(Boolean, fmi2Boolean)
NO_VARIABLES(String, fmi2String)

// States -----------------------------------------------------------------------------------------------------------------------

FMI2_EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    ENTER(ALIVE);
    if (FMUstate == NULL) return Answer(hwFmu_Fail(fmu, "fmi2GetFMUstate needs a place for the state."));
    hwFmuState* state = hwFmu_SaveState(fmu, *FMUstate);
    if (state == NULL) return fmi2Error;
    *FMUstate = state;
    return fmi2OK;
}

FMI2_EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate) {
    ENTER(ALIVE | BIT(HW_FMU_FAILED));
    return Answer(hwFmu_RestoreState(fmu, FMUstate));
}

FMI2_EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    ENTER(ALIVE | BIT(HW_FMU_FAILED));
    if (FMUstate == NULL || *FMUstate == NULL) return fmi2OK;
    if (!hwFmu_FreeState(fmu, *FMUstate)) return fmi2Error;
    *FMUstate = NULL;
    return fmi2OK;
}

FMI2_EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t* size) {
    ENTER(ALIVE);
    if (size == NULL) return Answer(hwFmu_Fail(fmu, "%s needs a place for the size.", __func__));
    return Answer(hwFmu_GetStateSize(fmu, FMUstate, size));
}

FMI2_EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate FMUstate,
                                             fmi2Byte serializedState[], size_t size) {
    ENTER(ALIVE);
    return Answer(hwFmu_WriteState(fmu, FMUstate, (unsigned char*)serializedState, size));
}

FMI2_EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte serializedState[], size_t size,
                                               fmi2FMUstate* FMUstate) {
    ENTER(ALIVE);
    if (FMUstate == NULL) return Answer(hwFmu_Fail(fmu, "%s needs a place for the state.", __func__));
    hwFmuState* state = hwFmu_ReadState(fmu, (const unsigned char*)serializedState, size);
    if (state == NULL) return fmi2Error;
    *FMUstate = state;
    return fmi2OK;
}

// Steps ------------------------------------------------------------------------------------------------------------------------

FMI2_EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint,
                                  fmi2Real communicationStepSize,
                                  fmi2Boolean noSetFMUStatePriorToCurrentPoint) {
    (void)noSetFMUStatePriorToCurrentPoint;
    ENTER(BIT(HW_FMU_STEPPING));
    double reached;
    bool event;
    return Answer(hwFmu_Step(fmu, currentCommunicationPoint, communicationStepSize, &reached, &event));
}

FMI2_EXPORT fmi2Status fmi2CancelStep(fmi2Component c) {
    return Refuse(c, __func__); // steps are done when fmi2DoStep returns
}

FMI2_EXPORT fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status* value) {
    ENTER(ALIVE | BIT(HW_FMU_FAILED));
    if (s != fmi2DoStepStatus || value == NULL) return fmi2Discard;
    *value = hwFmu_GetPhase(fmu) == HW_FMU_FAILED ? fmi2Error : fmi2OK;
    return fmi2OK;
}

FMI2_EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real* value) {
    ENTER(ALIVE | BIT(HW_FMU_FAILED));
    if (s != fmi2LastSuccessfulTime || value == NULL) return fmi2Discard;
    *value = hwFmu_GetTime(fmu);
    return fmi2OK;
}

FMI2_EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind s, fmi2Integer* value) {
    (void)s;
    (void)value;
    ENTER(ALIVE | BIT(HW_FMU_FAILED));
    return fmi2Discard;
}

FMI2_EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean* value) {
    ENTER(ALIVE | BIT(HW_FMU_FAILED));
    if (s != fmi2Terminated || value == NULL) return fmi2Discard;
    *value = 0;
    return fmi2OK;
}

FMI2_EXPORT fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind s, fmi2String* value) {
    ENTER(ALIVE | BIT(HW_FMU_FAILED));
    if (s != fmi2PendingStatus || value == NULL) return fmi2Discard;
    *value = "";
    return fmi2OK;
}

// What is not offered ------------------------------------------------------------------------------------------------------------

#define UNUSED(...) ((void)sizeof((const void*[]){__VA_ARGS__}))

FMI2_EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                                   const fmi2Integer order[], const fmi2Real value[]) {
    UNUSED(vr, order, value);
    return nvr == 0 && Take(c) != NULL ? fmi2OK : Refuse(c, __func__);
}

FMI2_EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[],
                                                    size_t nvr, const fmi2Integer order[], fmi2Real value[]) {
    UNUSED(vr, order, value);
    return nvr == 0 && Take(c) != NULL ? fmi2OK : Refuse(c, __func__);
}

FMI2_EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference vUnknown_ref[],
                                                    size_t nUnknown, const fmi2ValueReference vKnown_ref[],
                                                    size_t nKnown, const fmi2Real dvKnown[],
                                                    fmi2Real dvUnknown[]) {
    UNUSED(vUnknown_ref, vKnown_ref, dvKnown, dvUnknown, &nUnknown, &nKnown);
    return Refuse(c, __func__);
}

FMI2_EXPORT fmi2Status fmi2EnterEventMode(fmi2Component c) {
    return Refuse(c, __func__);
}

FMI2_EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* eventInfo) {
    UNUSED(eventInfo);
    return Refuse(c, __func__);
}

FMI2_EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
    return Refuse(c, __func__);
}

FMI2_EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component c,
                                                   fmi2Boolean noSetFMUStatePriorToCurrentPoint,
                                                   fmi2Boolean* enterEventMode,
                                                   fmi2Boolean* terminateSimulation) {
    UNUSED(&noSetFMUStatePriorToCurrentPoint, enterEventMode, terminateSimulation);
    return Refuse(c, __func__);
}

FMI2_EXPORT fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
    UNUSED(&time);
    return Refuse(c, __func__);
}

FMI2_EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t nx) {
    UNUSED(x, &nx);
    return Refuse(c, __func__);
}

FMI2_EXPORT fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], size_t nx) {
    UNUSED(derivatives, &nx);
    return Refuse(c, __func__);
}

FMI2_EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real eventIndicators[], size_t ni) {
    UNUSED(eventIndicators, &ni);
    return Refuse(c, __func__);
}

FMI2_EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t nx) {
    UNUSED(x, &nx);
    return Refuse(c, __func__);
}

FMI2_EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x_nominal[], size_t nx) {
    UNUSED(x_nominal, &nx);
    return Refuse(c, __func__);
}
