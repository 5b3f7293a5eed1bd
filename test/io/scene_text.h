// Scenes as texts in tests: taken whole, or refused at a place with a sentence.
#ifndef HW_TEST_SCENE_TEXT_H
#define HW_TEST_SCENE_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hawser/hawser.h"
#include "scene_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FOLDER HAWSER_BINARY_DIR "/test/files"

// Setup of each program: the folder in which it may write.
static inline int MakeFolder(void** state) {
    (void)state;
    mkdir(HAWSER_BINARY_DIR "/test", 0777);
    mkdir(FOLDER, 0777);
    return 0;
}

static inline hwScene* Take(const char* text) {
    hwError error;
    hwScene* scene = hwParseScene(text, strlen(text), "test.yaml", FOLDER, &error);
    if (scene == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return scene;
}

// The world of a scene.
static inline hwWorld* MakeWorld(const hwScene* scene) {
    hwError error;
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return world;
}

static inline double Channel(const hwWorld* world, const char* name) {
    int index = hwWorld_FindChannel(world, name);
    if (index < 0) fail_msg("no channel %s", name);
    return hwWorld_ReadChannel(world, index);
}

// The scene must be refused at this line and column (0: anywhere in the line) with a message that holds `words`.
static inline void RefuseAt(const char* text, int line, int column, const char* words) {
    hwError error;
    hwScene* scene = hwParseScene(text, strlen(text), "test.yaml", FOLDER, &error);
    if (scene != NULL) fail_msg("accepted, but should say \"%s\":\n%s", words, text);
    if (strstr(error.message, words) == NULL) fail_msg("says \"%s\" instead of \"%s\"", error.message, words);
    if (error.line != line || (column > 0 && error.column != column)) {
        fail_msg("says %d:%d instead of %d:%d for \"%s\"", error.line, error.column, line, column,
                 error.message);
    }
}

static inline void WriteText(const char* path, const char* text) {
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

#endif
