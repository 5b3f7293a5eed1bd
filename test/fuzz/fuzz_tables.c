// Any bytes as a table that a scene names: response operators (CSV, WAMIT's .4, OrcaFlex's text and data), hydrodynamic
// coefficients, a current on a grid, heights of the seabed, a spectrum, a record of the surface. A scene that is read, or an error
// in words; never a crash, a leak or a hang.
//
// The first byte, a letter, chooses which; the rest is the file.
#include "hawser/scene.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int* count, char*** arguments);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef struct Kind {
    const char* ending; // of the file
    const char* scene;  // %s: the file
} Kind;

#define HEAD "hawser: 1\nduration: 1\nenvironment: {water: {}, "
#define SHIP                                                                                                 \
    HEAD "waves: {airy: [{height: 2, period: 9}]}}\nbodies:\n"                                               \
         "  - {name: ship, mass: 1e6, inertia: [1e8, 1e8, 1e8], motion: {prescribed: {rao: %s}}}\n"
#define HULL                                                                                                 \
    HEAD "seabed: {depth: 100}}\nbodies:\n"                                                                  \
         "  - {name: hull, mass: 1e6, inertia: [1e8, 1e8, 1e8], potential: "
#define GOOD "/tmp/hawser_fuzz_tables"

static const Kind g_kinds[] = {
    {"csv", SHIP},
    {"4", SHIP},
    {"txt", SHIP},
    {"1", HULL "{radiation: %s, hydrostatics: " GOOD ".hst}}\n"},
    {"3", HULL "{radiation: " GOOD ".1, excitation: %s, hydrostatics: " GOOD ".hst}}\n"},
    {"hst", HULL "{radiation: " GOOD ".1, hydrostatics: %s}}\n"},
    {"csv", HEAD "current: {grid: %s}}\n"},
    {"asc", HEAD "seabed: {heightfield: %s, depth: 50}}\n"},
    {"csv", HEAD "waves: {spectrum: {file: %s, density: s}}}\n"},
    {"csv", HEAD "waves: {elevation: {file: %s, column: z}}}\n"},
    {"yml", SHIP},
};
enum { KINDS = sizeof(g_kinds) / sizeof(g_kinds[0]) };

// The files that stand beside a part of a hull's coefficients.
int LLVMFuzzerInitialize(int* count, char*** arguments) {
    (void)count;
    (void)arguments;
    FILE* radiation = fopen(GOOD ".1", "w");
    FILE* hydrostatics = fopen(GOOD ".hst", "w");
    if (radiation == NULL || hydrostatics == NULL) abort();
    fprintf(radiation, "20 3 3 1.5 0.2\n10 3 3 1.3 0.3\n5 3 3 1.1 0.1\n0 3 3 1.2\n");
    fprintf(hydrostatics, "3 3 1.0\n");
    return fclose(radiation) != 0 || fclose(hydrostatics) != 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 1) return 0;
    const Kind* kind = &g_kinds[(unsigned)(data[0] - 'a') % KINDS];
    char path[64], text[512];
    snprintf(path, sizeof(path), "/tmp/hawser_fuzz_tables_%d.%s", (int)getpid(), kind->ending);
    FILE* file = fopen(path, "wb");
    if (file == NULL || fwrite(data + 1, 1, size - 1, file) != size - 1 || fclose(file) != 0) abort();
    int length = snprintf(text, sizeof(text), kind->scene, path);
    hwError error = {0};
    hwScene* scene = hwParseScene(text, (size_t)length, "scene", "/tmp", &error);
    remove(path);
    if (scene == NULL && (error.message[0] == 0 || error.line < 1)) abort();
    hwDestroyScene(scene);
    return 0;
}
