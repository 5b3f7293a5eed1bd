// MoorDyn input files to scenes: reading decks from the disk, trying out what they become.
#define _POSIX_C_SOURCE 200809L
#include "moordyn.h"

#include "hawser/cable.h"
#include "hawser/convert.h"
#include "mech_text.h"
#include "moordyn_deck.h"
#include "scene_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Files beside a deck ------------------------------------------------------------------------------------------------------

// Decks name files relative to their own folder or to the one MoorDyn was started in, which is often above it.
char* hwMoordyn_ReadBeside(hwStore* store, const char* name, size_t* size, void* context) {
    const char* deck = context;
    const char* base = strrchr(name, '/');
    size_t folder = strlen(deck);
    hwError ignored;
    char path[4096];
    for (int level = 0; level < 5; level++) {
        while (folder > 0 && deck[folder - 1] != '/') folder -= 1;
        snprintf(path, sizeof(path), "%.*s%s", (int)folder, deck, name);
        FILE* file = fopen(path, "rb");
        if (file != NULL) {
            fclose(file);
            return hwReadFileText(store, path, HW_MOORDYN_BYTES, 0, 0, size, &ignored);
        }
        if (level == 0 && base != NULL) {
            snprintf(path, sizeof(path), "%.*s%s", (int)folder, deck, base + 1);
            char* text = hwReadFileText(store, path, HW_MOORDYN_BYTES, 0, 0, size, &ignored);
            if (text != NULL) return text;
        }
        if (folder == 0) break;
        folder -= 1;
    }
    return NULL;
}

// A deck and the files within it, each after a line `%%% NAME`; they may hold any bytes.
typedef struct Bundle {
    const char* text;
    size_t size;
} Bundle;

// Where the next such line begins at `from` or later; the size where there is none.
static size_t FindMark(const Bundle* bundle, size_t from) {
    for (size_t i = from; i + 4 <= bundle->size; i++) {
        if ((i == 0 || bundle->text[i - 1] == '\n') && memcmp(bundle->text + i, "%%% ", 4) == 0) return i;
    }
    return bundle->size;
}

static char* ReadWithin(hwStore* store, const char* name, size_t* size, void* context) {
    const Bundle* bundle = context;
    size_t length = strlen(name);
    for (size_t mark = FindMark(bundle, 0); mark < bundle->size; mark = FindMark(bundle, mark + 4)) {
        size_t begin = mark + 4 + length + 1;
        if (begin > bundle->size || memcmp(bundle->text + mark + 4, name, length) != 0) continue;
        if (bundle->text[begin - 1] != '\n') continue;
        *size = FindMark(bundle, begin) - begin;
        return hwStore_CopyText(store, bundle->text + begin, *size);
    }
    return NULL;
}

// The scene ------------------------------------------------------------------------------------------------------------------

// Line of what an error is about.
static int FindLine(const hwMoordynDeck* deck, const char* object) {
    char name[64];
    for (int i = 0; i < deck->lineCount; i++) {
        hwMoordyn_NameCable(deck, deck->lines[i].cable, name, sizeof(name));
        if (strcmp(deck->lines[i].name, object) == 0 || strcmp(name, object) == 0) return deck->lines[i].line;
    }
    const struct {
        const char* format;
        int count;
    } kinds[] = {{"point%d", deck->pointCount}, {"body%d", deck->bodyCount}, {"rod%d", deck->rodCount}};
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < kinds[kind].count; i++) {
            int id = kind == 0 ? deck->points[i].id : kind == 1 ? deck->bodies[i].id : deck->rods[i].id;
            snprintf(name, sizeof(name), "%s%d", kind == 0 ? "point" : kind == 1 ? "body" : "rod", id);
            if (strncmp(name, object, strlen(name)) != 0) continue;
            return kind == 0 ? deck->points[i].line : kind == 1 ? deck->bodies[i].line : deck->rods[i].line;
        }
    }
    return 1;
}

static bool NeedsMeanLoad(const hwMoordynDeck* deck, const hwMoordynLine* line) {
    const hwMoordynLineType* type = &deck->types[line->type];
    return type->law == HW_MOORDYN_TABLE || (type->law == HW_MOORDYN_VISCO && type->dynamicSlope > 0.0);
}

// Takes the mean tension of lines whose stiffness depends on it; the largest relative change.
static double MeasureLoads(hwMoordynDeck* deck, const hwWorld* world) {
    double change = 0.0;
    for (int i = 0; i < deck->lineCount; i++) {
        hwMoordynLine* line = &deck->lines[i];
        char name[64];
        hwCableView view;
        hwError error;
        if (!NeedsMeanLoad(deck, line)) continue;
        hwMoordyn_NameCable(deck, line->cable, name, sizeof(name));
        if (hwCable_GetView(world, hwWorld_FindCable(world, name), &view, &error) != HW_OK) continue;
        double sum = 0.0;
        int count = hwMoordyn_CountElements(deck, line);
        for (int e = 0; e < count && line->firstElement + e < view.elementCount; e++)
            sum += view.tensions[line->firstElement + e];
        double mean = sum / count;
        change =
            hwFmax(change, isnan(line->meanLoad) ? 1.0 : fabs(mean - line->meanLoad) / hwFmax(mean, 1.0));
        line->meanLoad = mean;
    }
    return change;
}

// What is written has made a world, and come to rest. Stiffness that depends on the mean load is found by trying.
static bool MakeTried(hwMoordynDeck* deck, char** text, size_t* size) {
    hwLogFn* log = deck->log;
    bool tangent = false;
    for (int i = 0; i < deck->lineCount; i++) tangent = tangent || NeedsMeanLoad(deck, &deck->lines[i]);
    for (int round = 0;; round++) {
        bool last = !tangent || round == 4;
        deck->log = last ? log : NULL;
        bool good = hwMoordyn_WriteScene(deck, text, size);
        deck->log = log;
        if (!good) return false;
        hwScene* scene = hwParseScene(*text, *size, "scene", NULL, deck->error);
        hwWorld* world = scene != NULL ? hwScene_CreateWorld(scene, NULL, deck->error) : NULL;
        good = world != NULL;
        if (good && !last) tangent = MeasureLoads(deck, world) > 1e-3;
        hwDestroyWorld(world);
        hwDestroyScene(scene);
        if (good && last) return true;
        if (!good) break;
        free(*text);
        *text = NULL;
    }
    if (deck->error->status == HW_ERROR_MEMORY || deck->error->status == HW_ERROR_FILE) return false;
    char message[sizeof(deck->error->message)];
    memcpy(message, deck->error->message, sizeof(message));
    return hwMoordyn_Fail(deck, FindLine(deck, deck->error->object), 1, "%s", message);
}

hwStatus hwMoordyn_MakeScene(const char* name, const char* text, size_t size, hwLogFn* log, void* logContext,
                             char** scene, size_t* sceneSize, hwError* error) {
    hwMoordynDeck deck;
    memset(error, 0, sizeof(*error));
    hwMoordyn_InitDeck(&deck, name, log, logContext, ReadWithin, NULL, error);
    Bundle bundle = {text, size};
    deck.readContext = &bundle;
    char* copy = hwStore_CopyText(&deck.store, text, FindMark(&bundle, 0));
    *scene = NULL;
    bool good = copy != NULL
                    ? hwMoordyn_ReadDeck(&deck, copy) && hwMoordyn_WriteScene(&deck, scene, sceneSize)
                    : hwSceneFail_Memory(error) == HW_OK;
    hwMoordyn_FreeDeck(&deck);
    return good ? HW_OK : error->status;
}

hwStatus hwConvertMoordyn(const char* input, const char* outputScene, hwLogFn* log, void* logContext,
                          hwError* error) {
    hwError local;
    hwMoordynDeck deck;
    size_t size;
    char* scene = NULL;
    if (error == NULL) error = &local;
    memset(error, 0, sizeof(*error));
    hwMoordyn_InitDeck(&deck, input, log, logContext, hwMoordyn_ReadBeside, (void*)input, error);
    char* text = hwReadFileText(&deck.store, input, HW_MOORDYN_BYTES, 0, 0, &size, error);
    bool good = text != NULL && hwMoordyn_ReadDeck(&deck, text) && MakeTried(&deck, &scene, &size) &&
                hwMech_WriteFile(outputScene, scene, size, error);
    free(scene);
    hwMoordyn_FreeDeck(&deck);
    if (!good) return error->status;
    memset(error, 0, sizeof(*error));
    error->index = -1;
    error->time = (double)NAN;
    return HW_OK;
}
