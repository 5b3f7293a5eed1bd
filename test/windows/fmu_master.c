// A small master for FMI 2 and 3: steps the library of a unit, saves and restores its state on the way, and prints every output as
// hexadecimal numbers. The same source is built for Windows and for this machine; what the two print must be the same.
//   fmu_master LIBRARY RESOURCES TOKEN VERSION STEP COUNT REFERENCE...
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>
typedef HMODULE Library;
#else
#include <dlfcn.h>
typedef void* Library;
#endif

static Library g_library;

static void* Find(const char* name) {
#ifdef _WIN32
    FARPROC found = GetProcAddress(g_library, name);
#else
    void* found = dlsym(g_library, name);
#endif
    void* function;
    memcpy(&function, &found, sizeof(function));
    if (function == NULL) {
        printf("no function %s\n", name);
        exit(1);
    }
    return function;
}

static void Need(int status, const char* what) {
    if (status == 0) return;
    printf("%s gave %d\n", what, status);
    exit(1);
}

// A function of the unit by its name and type.
#define CALL(name, type) ((type)Find(name))

static void Log2(void* environment, const char* instance, int status, const char* category, const char* text,
                 ...) {
    (void)environment, (void)instance, (void)category;
    printf("log %d: %s\n", status, text);
}

static void Log3(void* environment, int status, const char* category, const char* text) {
    (void)environment, (void)category;
    printf("log %d: %s\n", status, text);
}

typedef struct Callbacks {
    void (*log)(void*, const char*, int, const char*, const char*, ...);
    void* (*allocate)(size_t, size_t);
    void (*release)(void*);
    void (*finished)(void*, int);
    void* environment;
} Callbacks;

typedef void* (*Instantiate2)(const char*, int, const char*, const char*, const Callbacks*, int, int);
typedef void* (*Instantiate3)(const char*, const char*, const char*, bool, bool, bool, bool, const uint32_t*,
                              size_t, void*, void (*)(void*, int, const char*, const char*), void*);
typedef int (*Plain)(void*);
typedef int (*Setup2)(void*, int, double, double, int, double);
typedef int (*Enter3)(void*, bool, double, double, bool, double);
typedef int (*Step2)(void*, double, double, int);
typedef int (*Step3)(void*, double, double, bool, bool*, bool*, bool*, double*);
typedef int (*Get2)(void*, const unsigned*, size_t, double*);
typedef int (*Get3)(void*, const uint32_t*, size_t, double*, size_t);
typedef int (*GetState)(void*, void**);
typedef int (*SetState)(void*, void*);

static int g_version;
static void* g_unit;

static void Step(double time, double step) {
    bool event = false, terminate = false, early = false;
    double reached = time;
    Need(g_version == 2
             ? CALL("fmi2DoStep", Step2)(g_unit, time, step, 1)
             : CALL("fmi3DoStep", Step3)(g_unit, time, step, true, &event, &terminate, &early, &reached),
         "the step");
}

static void Show(double time, int count, const unsigned* references) {
    double* values = calloc((size_t)count + 1, sizeof(double));
    Need(g_version == 2
             ? CALL("fmi2GetReal", Get2)(g_unit, references, (size_t)count, values)
             : CALL("fmi3GetFloat64", Get3)(g_unit, references, (size_t)count, values, (size_t)count),
         "reading");
    printf("%.17g", time);
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof(bits));
        printf(" %016llx", (unsigned long long)bits);
    }
    printf("\n");
    free(values);
}

int main(int count, char** arguments) {
    if (count < 8) return 2;
    g_version = atoi(arguments[4]);
    double step = atof(arguments[5]);
    int steps = atoi(arguments[6]), references = count - 7;
    unsigned* list = calloc((size_t)references, sizeof(*list));
    for (int i = 0; i < references; i++) list[i] = (unsigned)strtoul(arguments[7 + i], NULL, 10);
#ifdef _WIN32
    _setmode(1, _O_BINARY);
    g_library = LoadLibraryA(arguments[1]);
#else
    g_library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
#endif
    if (g_library == NULL) {
        printf("cannot load %s\n", arguments[1]);
        return 1;
    }
    Callbacks callbacks = {Log2, calloc, free, NULL, NULL};
    g_unit =
        g_version == 2
            ? CALL("fmi2Instantiate", Instantiate2)("one", 1, arguments[3], arguments[2], &callbacks, 0, 1)
            : CALL("fmi3InstantiateCoSimulation", Instantiate3)(
                  "one", arguments[3], arguments[2], false, true, false, false, NULL, 0, NULL, Log3, NULL);
    if (g_unit == NULL) {
        printf("no instance\n");
        return 1;
    }
    if (g_version == 2) {
        Need(CALL("fmi2SetupExperiment", Setup2)(g_unit, 0, 0.0, 0.0, 0, 0.0), "the setup");
        Need(CALL("fmi2EnterInitializationMode", Plain)(g_unit), "the initialisation");
        Need(CALL("fmi2ExitInitializationMode", Plain)(g_unit), "its end");
    } else {
        Need(CALL("fmi3EnterInitializationMode", Enter3)(g_unit, false, 0.0, 0.0, false, 0.0),
             "the initialisation");
        Need(CALL("fmi3ExitInitializationMode", Plain)(g_unit), "its end");
    }
    Show(0.0, references, list);
    const char* prefix = g_version == 2 ? "fmi2" : "fmi3";
    char get[40], set[40], release[40];
    snprintf(get, sizeof(get), "%sGetFMUstate", prefix);
    snprintf(set, sizeof(set), "%sSetFMUstate", prefix);
    snprintf(release, sizeof(release), "%sFreeFMUstate", prefix);
    if (g_version == 3) {
        snprintf(get, sizeof(get), "fmi3GetFMUState");
        snprintf(set, sizeof(set), "fmi3SetFMUState");
        snprintf(release, sizeof(release), "fmi3FreeFMUState");
    }
    // Half of the steps, then the other half twice from a saved state.
    void* saved = NULL;
    for (int round = 0; round < 2; round++) {
        int first = round == 0 ? 0 : steps / 2;
        if (round == 1) Need(CALL(set, SetState)(g_unit, saved), "restoring");
        for (int i = first; i < steps; i++) {
            if (round == 0 && i == steps / 2) Need(CALL(get, GetState)(g_unit, &saved), "saving");
            Step(i * step, step);
            Show((i + 1) * step, references, list);
        }
    }
    Need(CALL(release, GetState)(g_unit, &saved), "releasing");
    Need(CALL(g_version == 2 ? "fmi2Terminate" : "fmi3Terminate", Plain)(g_unit), "the end");
    typedef void (*Free)(void*);
    CALL(g_version == 2 ? "fmi2FreeInstance" : "fmi3FreeInstance", Free)(g_unit);
    free(list);
    return 0;
}
