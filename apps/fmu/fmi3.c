// FMI 3.0 for co-simulation, typed from the standard (FMI 3.0.1, fmi-standard.org): all 75 functions, as importers look for each of
// them. What this unit does not offer answers fmi3Error and says so.
#include "apps/fmu/component.h"

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define FMI3_EXPORT __declspec(dllexport)
#else
#define FMI3_EXPORT __attribute__((visibility("default")))
#endif

typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef void* fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef const char* fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte* fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
    fmi3Independent,
    fmi3Constant,
    fmi3Fixed,
    fmi3Tunable,
    fmi3Discrete,
    fmi3Dependent
} fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean, fmi3Boolean,
                                               fmi3Boolean, fmi3Boolean, fmi3Boolean*, fmi3Float64*);

// The master's side of an instance.
typedef struct Host {
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
    bool logging;
} Host;

static void LogToHost(void* context, bool failed, const char* text) {
    const Host* host = context;
    if (host->log == NULL || (!failed && !host->logging)) return;
    host->log(host->environment, failed ? fmi3Error : fmi3Warning,
              failed ? "logStatusError" : "logStatusWarning", text);
}

static hwFmu* Take(fmi3Instance instance) {
    return hwFmu_IsValid(instance) ? instance : NULL;
}

#define BIT(phase) (1u << (phase))
#define RUNNING (BIT(HW_FMU_STEPPING) | BIT(HW_FMU_EVENT))
#define SETTABLE (BIT(HW_FMU_INSTANTIATED) | BIT(HW_FMU_INITIALIZATION) | RUNNING)
#define ALIVE (SETTABLE | BIT(HW_FMU_TERMINATED))
#define ENTER(phases)                                                                                        \
    hwFmu* fmu = Take(instance);                                                                             \
    if (fmu == NULL || !hwFmu_Require(fmu, phases, __func__)) return fmi3Error
// For parameters of functions that do nothing with them.
#define UNUSED(...) ((void)sizeof((const void*[]){__VA_ARGS__}))

static fmi3Status Answer(bool good) {
    return good ? fmi3OK : fmi3Error;
}

static fmi3Status Refuse(fmi3Instance instance, const char* call) {
    hwFmu* fmu = Take(instance);
    if (fmu != NULL) hwFmu_Fail(fmu, "%s is not offered by this unit.", call);
    return fmi3Error;
}

// Life ---------------------------------------------------------------------------------------------------------------------

FMI3_EXPORT const char* fmi3GetVersion(void) {
    return "3.0";
}

FMI3_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories,
                                           const fmi3String categories[]) {
    hwFmu* fmu = Take(instance);
    if (fmu == NULL) return fmi3Error;
    for (size_t i = 0; i < nCategories; ++i) {
        bool known =
            categories != NULL && categories[i] != NULL &&
            (strcmp(categories[i], "logStatusError") == 0 || strcmp(categories[i], "logStatusWarning") == 0);
        if (!known) return Answer(hwFmu_Fail(fmu, "There is no such log category."));
    }
    ((Host*)hwFmu_GetLogContext(fmu))->logging = loggingOn;
    return fmi3OK;
}

FMI3_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String instantiationToken,
                                                      fmi3String resourcePath, fmi3Boolean visible,
                                                      fmi3Boolean loggingOn,
                                                      fmi3InstanceEnvironment instanceEnvironment,
                                                      fmi3LogMessageCallback logMessage) {
    UNUSED(instanceName, instantiationToken, resourcePath, &visible, &loggingOn);
    Host host = {instanceEnvironment, logMessage, true};
    LogToHost(&host, true, "This unit is for co-simulation only.");
    return NULL;
}

FMI3_EXPORT fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
    const fmi3ValueReference requiredIntermediateVariables[], size_t nRequiredIntermediateVariables,
    fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
    fmi3IntermediateUpdateCallback intermediateUpdate) {
    UNUSED(&visible, requiredIntermediateVariables, &nRequiredIntermediateVariables, &intermediateUpdate);
    Host* host = malloc(sizeof(*host));
    if (host == NULL) return NULL;
    *host = (Host){instanceEnvironment, logMessage, loggingOn};
    hwFmu* fmu = NULL;
    if (instanceName == NULL || instanceName[0] == 0) {
        LogToHost(host, true, "An instance needs a name.");
    } else {
        fmu = hwCreateFmu(&(hwFmuDef){.resources = resourcePath,
                                      .token = instantiationToken,
                                      .early = earlyReturnAllowed,
                                      .eventMode = eventModeUsed,
                                      .log = LogToHost,
                                      .logContext = host});
    }
    if (fmu == NULL) free(host);
    return fmu;
}

FMI3_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
    fmi3ClockUpdateCallback clockUpdate, fmi3LockPreemptionCallback lockPreemption,
    fmi3UnlockPreemptionCallback unlockPreemption) {
    UNUSED(instanceName, instantiationToken, resourcePath, &visible, &loggingOn, &clockUpdate,
           &lockPreemption, &unlockPreemption);
    Host host = {instanceEnvironment, logMessage, true};
    LogToHost(&host, true, "This unit is for co-simulation only.");
    return NULL;
}

FMI3_EXPORT void fmi3FreeInstance(fmi3Instance instance) {
    hwFmu* fmu = Take(instance);
    if (fmu == NULL) return;
    Host* host = hwFmu_GetLogContext(fmu);
    hwDestroyFmu(fmu);
    free(host);
}

FMI3_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined,
                                                   fmi3Float64 tolerance, fmi3Float64 startTime,
                                                   fmi3Boolean stopTimeDefined, fmi3Float64 stopTime) {
    ENTER(BIT(HW_FMU_INSTANTIATED));
    return Answer(
        hwFmu_SetExperiment(fmu, toleranceDefined, tolerance, startTime, stopTimeDefined, stopTime) &&
        hwFmu_EnterInitialization(fmu));
}

FMI3_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
    ENTER(BIT(HW_FMU_INITIALIZATION));
    return Answer(hwFmu_ExitInitialization(fmu));
}

// Event mode: inputs that the master changes there act from then on. Nothing has to be settled between the variables of a unit
// whose outputs are those of the last step, so one update is enough.
FMI3_EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
    ENTER(BIT(HW_FMU_STEPPING));
    return Answer(hwFmu_EnterEventMode(fmu));
}

FMI3_EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate,
                                                fmi3Boolean* terminateSimulation,
                                                fmi3Boolean* nominalsOfContinuousStatesChanged,
                                                fmi3Boolean* valuesOfContinuousStatesChanged,
                                                fmi3Boolean* nextEventTimeDefined,
                                                fmi3Float64* nextEventTime) {
    UNUSED(nextEventTime);
    ENTER(BIT(HW_FMU_EVENT));
    fmi3Boolean* const flags[] = {discreteStatesNeedUpdate, terminateSimulation,
                                  nominalsOfContinuousStatesChanged, valuesOfContinuousStatesChanged,
                                  nextEventTimeDefined};
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); ++i) {
        if (flags[i] != NULL) *flags[i] = false;
    }
    return fmi3OK;
}

FMI3_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
    ENTER(BIT(HW_FMU_EVENT));
    return Answer(hwFmu_EnterStepMode(fmu));
}

FMI3_EXPORT fmi3Status fmi3Terminate(fmi3Instance instance) {
    ENTER(RUNNING);
    return Answer(hwFmu_Terminate(fmu));
}

FMI3_EXPORT fmi3Status fmi3Reset(fmi3Instance instance) {
    ENTER(ALIVE | BIT(HW_FMU_FAILED));
    return Answer(hwFmu_Reset(fmu));
}

// Variables: all are Float64 ----------------------------------------------------------------------------------------------------

FMI3_EXPORT fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                      size_t nValueReferences, fmi3Float64 values[], size_t nValues) {
    ENTER(ALIVE | BIT(HW_FMU_FAILED));
    if (nValues != nValueReferences)
        return Answer(hwFmu_Fail(fmu, "%s: as many values as value references are needed.", __func__));
    return Answer(hwFmu_Get(fmu, valueReferences, nValueReferences, values));
}

FMI3_EXPORT fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                      size_t nValueReferences, const fmi3Float64 values[], size_t nValues) {
    ENTER(SETTABLE);
    if (nValues != nValueReferences)
        return Answer(hwFmu_Fail(fmu, "%s: as many values as value references are needed.", __func__));
    return Answer(hwFmu_Set(fmu, valueReferences, nValueReferences, values));
}

static fmi3Status RefuseVariables(fmi3Instance instance, size_t count, unsigned phases, const char* call) {
    hwFmu* fmu = Take(instance);
    if (fmu == NULL || !hwFmu_Require(fmu, phases, call)) return fmi3Error;
    return count == 0 ? fmi3OK : Answer(hwFmu_Fail(fmu, "%s: all variables of this unit are Float64.", call));
}

#define NO_VARIABLES(NAME)                                                                                   \
    FMI3_EXPORT fmi3Status fmi3Get##NAME(fmi3Instance instance, const fmi3ValueReference valueReferences[],  \
                                         size_t nValueReferences, fmi3##NAME values[], size_t nValues) {     \
        UNUSED(valueReferences, values, &nValues);                                                           \
        return RefuseVariables(instance, nValueReferences, ALIVE, __func__);                                 \
    }                                                                                                        \
    FMI3_EXPORT fmi3Status fmi3Set##NAME(fmi3Instance instance, const fmi3ValueReference valueReferences[],  \
                                         size_t nValueReferences, const fmi3##NAME values[],                 \
                                         size_t nValues) {                                                   \
        UNUSED(valueReferences, values, &nValues);                                                           \
        return RefuseVariables(instance, nValueReferences, SETTABLE, __func__);                              \
    }

NO_VARIABLES(Float32)
NO_VARIABLES(Int8)
NO_VARIABLES(UInt8)
NO_VARIABLES(Int16)
NO_VARIABLES(UInt16)
NO_VARIABLES(Int32)
NO_VARIABLES(UInt32)
NO_VARIABLES(Int64)
NO_VARIABLES(UInt64)
NO_VARIABLES(Boolean)
NO_VARIABLES(String)

FMI3_EXPORT fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                     size_t nValueReferences, size_t valueSizes[], fmi3Binary values[],
                                     size_t nValues) {
    UNUSED(valueReferences, valueSizes, values, &nValues);
    return RefuseVariables(instance, nValueReferences, ALIVE, __func__);
}

FMI3_EXPORT fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                     size_t nValueReferences, const size_t valueSizes[],
                                     const fmi3Binary values[], size_t nValues) {
    UNUSED(valueReferences, valueSizes, values, &nValues);
    return RefuseVariables(instance, nValueReferences, SETTABLE, __func__);
}

FMI3_EXPORT fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                    size_t nValueReferences, fmi3Clock values[]) {
    UNUSED(valueReferences, values);
    return RefuseVariables(instance, nValueReferences, ALIVE, __func__);
}

FMI3_EXPORT fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                    size_t nValueReferences, const fmi3Clock values[]) {
    UNUSED(valueReferences, values);
    return RefuseVariables(instance, nValueReferences, SETTABLE, __func__);
}

// States -----------------------------------------------------------------------------------------------------------------------

FMI3_EXPORT fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
    ENTER(ALIVE);
    if (FMUState == NULL) return Answer(hwFmu_Fail(fmu, "%s needs a place for the state.", __func__));
    hwFmuState* state = hwFmu_SaveState(fmu, *FMUState);
    if (state == NULL) return fmi3Error;
    *FMUState = state;
    return fmi3OK;
}

FMI3_EXPORT fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState FMUState) {
    ENTER(ALIVE | BIT(HW_FMU_FAILED));
    return Answer(hwFmu_RestoreState(fmu, FMUState));
}

FMI3_EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
    ENTER(ALIVE | BIT(HW_FMU_FAILED));
    if (FMUState == NULL || *FMUState == NULL) return fmi3OK;
    if (!hwFmu_FreeState(fmu, *FMUState)) return fmi3Error;
    *FMUState = NULL;
    return fmi3OK;
}

FMI3_EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState FMUState,
                                                  size_t* size) {
    ENTER(ALIVE);
    if (size == NULL) return Answer(hwFmu_Fail(fmu, "%s needs a place for the size.", __func__));
    return Answer(hwFmu_GetStateSize(fmu, FMUState, size));
}

FMI3_EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState FMUState,
                                             fmi3Byte serializedState[], size_t size) {
    ENTER(ALIVE);
    return Answer(hwFmu_WriteState(fmu, FMUState, serializedState, size));
}

FMI3_EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte serializedState[],
                                               size_t size, fmi3FMUState* FMUState) {
    ENTER(ALIVE);
    if (FMUState == NULL) return Answer(hwFmu_Fail(fmu, "%s needs a place for the state.", __func__));
    hwFmuState* state = hwFmu_ReadState(fmu, serializedState, size);
    if (state == NULL) return fmi3Error;
    *FMUState = state;
    return fmi3OK;
}

// Steps ------------------------------------------------------------------------------------------------------------------------

FMI3_EXPORT fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                                  fmi3Float64 communicationStepSize,
                                  fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                  fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
                                  fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime) {
    UNUSED(&noSetFMUStatePriorToCurrentPoint);
    ENTER(BIT(HW_FMU_STEPPING));
    double reached;
    bool event;
    bool good = hwFmu_Step(fmu, currentCommunicationPoint, communicationStepSize, &reached, &event);
    if (eventHandlingNeeded != NULL) *eventHandlingNeeded = good && event && hwFmu_HasEventMode(fmu);
    if (terminateSimulation != NULL) *terminateSimulation = false;
    if (earlyReturn != NULL)
        *earlyReturn = good && reached != currentCommunicationPoint + communicationStepSize;
    if (lastSuccessfulTime != NULL) *lastSuccessfulTime = reached;
    return Answer(good);
}

// What is not offered ------------------------------------------------------------------------------------------------------------

FMI3_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance,
                                                           fmi3ValueReference valueReference,
                                                           size_t* nDependencies) {
    UNUSED(&valueReference, nDependencies);
    return Refuse(instance, __func__);
}

FMI3_EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                                   size_t elementIndicesOfDependent[],
                                                   fmi3ValueReference independents[],
                                                   size_t elementIndicesOfIndependents[],
                                                   fmi3DependencyKind dependencyKinds[],
                                                   size_t nDependencies) {
    UNUSED(&dependent, elementIndicesOfDependent, independents, elementIndicesOfIndependents, dependencyKinds,
           &nDependencies);
    return Refuse(instance, __func__);
}

FMI3_EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance,
                                                    const fmi3ValueReference unknowns[], size_t nUnknowns,
                                                    const fmi3ValueReference knowns[], size_t nKnowns,
                                                    const fmi3Float64 seed[], size_t nSeed,
                                                    fmi3Float64 sensitivity[], size_t nSensitivity) {
    UNUSED(unknowns, &nUnknowns, knowns, &nKnowns, seed, &nSeed, sensitivity, &nSensitivity);
    return Refuse(instance, __func__);
}

FMI3_EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                                size_t nUnknowns, const fmi3ValueReference knowns[],
                                                size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                                fmi3Float64 sensitivity[], size_t nSensitivity) {
    UNUSED(unknowns, &nUnknowns, knowns, &nKnowns, seed, &nSeed, sensitivity, &nSensitivity);
    return Refuse(instance, __func__);
}

// Functions of one shape each.
#define REFUSE_CALL(NAME)                                                                                    \
    FMI3_EXPORT fmi3Status NAME(fmi3Instance instance) {                                                     \
        return Refuse(instance, __func__);                                                                   \
    }
REFUSE_CALL(fmi3EnterConfigurationMode)
REFUSE_CALL(fmi3ExitConfigurationMode)
REFUSE_CALL(fmi3EvaluateDiscreteStates)
REFUSE_CALL(fmi3EnterContinuousTimeMode)

#define REFUSE_ARRAY(NAME, TYPE)                                                                             \
    FMI3_EXPORT fmi3Status NAME(fmi3Instance instance, TYPE values[], size_t count) {                        \
        UNUSED(values, &count);                                                                              \
        return Refuse(instance, __func__);                                                                   \
    }
REFUSE_ARRAY(fmi3SetContinuousStates, const fmi3Float64)
REFUSE_ARRAY(fmi3GetContinuousStateDerivatives, fmi3Float64)
REFUSE_ARRAY(fmi3GetEventIndicators, fmi3Float64)
REFUSE_ARRAY(fmi3GetContinuousStates, fmi3Float64)
REFUSE_ARRAY(fmi3GetNominalsOfContinuousStates, fmi3Float64)

#define REFUSE_COUNT(NAME)                                                                                   \
    FMI3_EXPORT fmi3Status NAME(fmi3Instance instance, size_t* count) {                                      \
        UNUSED(count);                                                                                       \
        return Refuse(instance, __func__);                                                                   \
    }
REFUSE_COUNT(fmi3GetNumberOfEventIndicators)
REFUSE_COUNT(fmi3GetNumberOfContinuousStates)

FMI3_EXPORT fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance,
                                              const fmi3ValueReference valueReferences[],
                                              size_t nValueReferences, fmi3Float64 intervals[],
                                              fmi3IntervalQualifier qualifiers[]) {
    UNUSED(valueReferences, &nValueReferences, intervals, qualifiers);
    return Refuse(instance, __func__);
}

FMI3_EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance instance,
                                               const fmi3ValueReference valueReferences[],
                                               size_t nValueReferences, fmi3UInt64 counters[],
                                               fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[]) {
    UNUSED(valueReferences, &nValueReferences, counters, resolutions, qualifiers);
    return Refuse(instance, __func__);
}

#define REFUSE_DECIMALS(NAME, TYPE)                                                                          \
    FMI3_EXPORT fmi3Status NAME(fmi3Instance instance, const fmi3ValueReference valueReferences[],           \
                                size_t nValueReferences, TYPE values[]) {                                    \
        UNUSED(valueReferences, &nValueReferences, values);                                                  \
        return Refuse(instance, __func__);                                                                   \
    }
REFUSE_DECIMALS(fmi3GetShiftDecimal, fmi3Float64)
REFUSE_DECIMALS(fmi3SetIntervalDecimal, const fmi3Float64)
REFUSE_DECIMALS(fmi3SetShiftDecimal, const fmi3Float64)

#define REFUSE_FRACTIONS(NAME, TYPE)                                                                         \
    FMI3_EXPORT fmi3Status NAME(fmi3Instance instance, const fmi3ValueReference valueReferences[],           \
                                size_t nValueReferences, TYPE counters[], TYPE resolutions[]) {              \
        UNUSED(valueReferences, &nValueReferences, counters, resolutions);                                   \
        return Refuse(instance, __func__);                                                                   \
    }
REFUSE_FRACTIONS(fmi3GetShiftFraction, fmi3UInt64)
REFUSE_FRACTIONS(fmi3SetIntervalFraction, const fmi3UInt64)
REFUSE_FRACTIONS(fmi3SetShiftFraction, const fmi3UInt64)

FMI3_EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance,
                                                   fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                                   fmi3Boolean* enterEventMode,
                                                   fmi3Boolean* terminateSimulation) {
    UNUSED(&noSetFMUStatePriorToCurrentPoint, enterEventMode, terminateSimulation);
    return Refuse(instance, __func__);
}

FMI3_EXPORT fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
    UNUSED(&time);
    return Refuse(instance, __func__);
}

FMI3_EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance,
                                                const fmi3ValueReference valueReferences[],
                                                size_t nValueReferences, const fmi3Int32 orders[],
                                                fmi3Float64 values[], size_t nValues) {
    UNUSED(valueReferences, &nValueReferences, orders, values, &nValues);
    return Refuse(instance, __func__);
}

FMI3_EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clockReference,
                                                  fmi3Float64 activationTime) {
    UNUSED(&clockReference, &activationTime);
    return Refuse(instance, __func__);
}
