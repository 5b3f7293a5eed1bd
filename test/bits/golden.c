// Runs worlds and prints two hashes for each: of the motion at the end (places and velocities of all bodies and nodes,
// tensions), and of the whole state. The first does not depend on how the state is laid out and is kept in a file.
//     golden [--threads N] [--check FILE] [NAME...]    all scenes without a name; FILE: compare the motion with it
//     golden --trace NAME                              the state's hash after each frame, to find where two builds part
// FILE has a line "name hash" for each scene. The first "scene" is the elementary functions by themselves, the second one what a sonar
// sees of three scenes at their start.
#include "scenes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t Mix(uint64_t hash, double value) {
    uint64_t bits;
    if (value != value) value = 0.5; // one NaN is as good as another
    memcpy(&bits, &value, sizeof(bits));
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static uint64_t HashFunctions(void) {
    static double (*const functions[])(double) = {hwSin,  hwCos,   hwTan,  hwAsin,  hwAcos,  hwAtan,  hwExp,
                                                  hwExp2, hwExpm1, hwLog,  hwLog2,  hwLog10, hwLog1p, hwCbrt,
                                                  hwSinh, hwCosh,  hwTanh, hwAsinh, hwAcosh, hwAtanh};
    uint64_t hash = 1, random = 12345;
    for (int i = 0; i < 20000; ++i) {
        double x[2];
        for (int k = 0; k < 2; ++k) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            // numbers around 1 of both signs, and every third of any size at all
            uint64_t bits = random ^ (random >> 33);
            if (i % 3 != 0) bits = (bits & 0x800fffffffffffffu) | ((1010 + (bits >> 53) % 24) << 52);
            memcpy(&x[k], &bits, sizeof(x[k]));
        }
        for (size_t k = 0; k < sizeof(functions) / sizeof(functions[0]); ++k)
            hash = Mix(hash, functions[k](x[0]));
        hash = Mix(hash, hwPow(x[0], x[1]));
        hash = Mix(hash, hwPow(hwFmax(x[0], -x[0]), x[1]));
        hash = Mix(hash, hwAtan2(x[0], x[1]));
        hash = Mix(hash, hwHypot(x[0], x[1]));
        hash = Mix(hash, hwFmin(x[0], x[1]));
    }
    return hash;
}

#define MOST 64

static uint64_t MixVec3(uint64_t hash, hwVec3 v) {
    return Mix(Mix(Mix(hash, v.x), v.y), v.z);
}

static uint64_t HashMotion(const hwWorld* world) {
    hwBodyId bodies[MOST];
    hwCableId cables[MOST];
    int bodyCount = hwWorld_GetBodies(world, MOST, bodies),
        cableCount = hwWorld_GetCables(world, MOST, cables);
    uint64_t hash = Mix(2, hwWorld_GetTime(world));
    if (bodyCount > MOST || cableCount > MOST) exit(2);
    for (int i = 0; i < bodyCount; ++i) {
        hwBodyState state;
        if (hwBody_GetState(world, bodies[i], &state, NULL) != HW_OK) exit(2);
        hash = MixVec3(MixVec3(MixVec3(hash, state.position), state.velocity), state.rate);
        hash =
            Mix(Mix(Mix(Mix(hash, state.attitude.w), state.attitude.x), state.attitude.y), state.attitude.z);
    }
    for (int i = 0; i < cableCount; ++i) {
        hwCableView view;
        if (hwCable_GetView(world, cables[i], &view, NULL) != HW_OK) exit(2);
        for (int k = 0; k < view.nodeCount; ++k) {
            hash = MixVec3(MixVec3(hash, view.positions[k]), view.velocities[k]);
        }
        for (int k = 0; k < view.elementCount; ++k) hash = Mix(Mix(hash, view.tensions[k]), view.lengths[k]);
    }
    return hash;
}

static uint64_t HashScene(const Scene* scene, int threads, bool trace, uint64_t* whole) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.threads = threads;
    def.statics = scene->statics;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwStatus status = HW_ERROR_MEMORY;
    if (world != NULL) {
        scene->make(world);
        status = hwWorld_Prepare(world, &error);
    }
    int frames = (int)(60.0 * scene->duration + 0.5);
    for (int i = 0; status >= HW_OK && i < frames; ++i) {
        if (trace) printf("%3d %016" PRIx64 "\n", i, hwWorld_HashState(world));
        status = hwWorld_Step(world, 1.0 / 60.0, &error);
    }
    if (status < HW_OK) {
        fprintf(stderr, "%s: %s\n", scene->name, error.message);
        exit(2);
    }
    uint64_t hash = HashMotion(world);
    *whole = hwWorld_HashState(world);
    hwDestroyWorld(world);
    return hash;
}

static uint64_t HashSonar(void) {
    static float image[64 * 100];
    uint64_t hash = 3;
    for (int i = 0; i < sceneCount; ++i) {
        const char* name = scenes[i].name;
        if (strcmp(name, "heap") != 0 && strcmp(name, "ropes") != 0 && strcmp(name, "vehicle") != 0) continue;
        hwError error;
        hwWorldDef def = hwDefaultWorldDef();
        hwWorld* world = hwCreateWorld(&def, &error);
        if (world == NULL) exit(2);
        scenes[i].make(world);
        hwSonarDef sonar = hwDefaultSonarDef();
        sonar.position = hwMakeVec3(-4.0, 0.3, strcmp(name, "vehicle") == 0 ? -8.0 : 0.5);
        sonar.beams = 64;
        sonar.bins = 100;
        sonar.aperture = 60.0 * HW_DEGREE;
        double echo = 0.0;
        for (int k = 0; k < 2; ++k) {
            sonar.speckle = sonar.floor = k == 0 ? 0.0 : 0.5;
            if (hwWorld_Prepare(world, &error) != HW_OK || hwWorld_UpdateQueries(world, &error) != HW_OK ||
                hwWorld_PingSonar(world, &sonar, 5, image, &error) != HW_OK) {
                fprintf(stderr, "%s: %s\n", name, error.message);
                exit(2);
            }
            for (int n = 0; n < sonar.beams * sonar.bins; ++n) hash = Mix(hash, (double)image[n]);
            for (int n = 0; n < sonar.beams * sonar.bins && k == 0; ++n) echo += (double)image[n];
        }
        if (!(echo > 0.1)) {
            fprintf(stderr, "%s: the sonar sees nothing\n", name);
            exit(2);
        }
        hwDestroyWorld(world);
    }
    return hash;
}

// The hash that the file has for a name; false when it has none.
static bool FindExpected(const char* path, const char* name, uint64_t* hash) {
    FILE* file = fopen(path, "r");
    if (file == NULL) return false;
    char line[128], word[64];
    bool found = false;
    while (!found && fgets(line, sizeof(line), file) != NULL) {
        found = sscanf(line, "%63s %" SCNx64, word, hash) == 2 && strcmp(word, name) == 0;
    }
    fclose(file);
    return found;
}

static bool IsWanted(const char* name, int count, char** names) {
    for (int i = 0; i < count; ++i) {
        if (strcmp(names[i], name) == 0) return true;
    }
    return count == 0;
}

int main(int argc, char** argv) {
    int threads = 1, i = 1, bad = 0, done = 0;
    const char* file = NULL;
    bool trace = false;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; ++i) {
        if (strcmp(argv[i], "--trace") == 0)
            trace = true;
        else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            threads = atoi(argv[++i]);
        else if (strcmp(argv[i], "--check") == 0 && i + 1 < argc)
            file = argv[++i];
        else
            return fprintf(stderr, "unknown option %s\n", argv[i]), 2;
    }
    for (int k = -2; k < sceneCount; ++k) {
        const char* name = k == -2 ? "elementary" : k == -1 ? "sonar" : scenes[k].name;
        if (!IsWanted(name, argc - i, argv + i)) continue;
        uint64_t whole = 0, want;
        uint64_t hash = k == -2   ? HashFunctions()
                        : k == -1 ? HashSonar()
                                  : HashScene(&scenes[k], threads, trace, &whole);
        done += 1;
        if (file == NULL) {
            printf("%s %016" PRIx64 " %016" PRIx64 "\n", name, hash, whole);
        } else if (!FindExpected(file, name, &want) || hash != want) {
            printf("%s is %016" PRIx64 ", not as in %s\n", name, hash, file);
            bad += 1;
        }
        fflush(stdout);
    }
    return bad > 0 || done == 0;
}
