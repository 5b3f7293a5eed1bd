// Decks of MoorDyn in tests: files, what is said of them, and the scenes that they become.
#ifndef HW_TEST_IO_MOORDYN_TEXT_H
#define HW_TEST_IO_MOORDYN_TEXT_H

#include "scene_text.h"

#include "hawser/convert.h"
#include "hawser/hawser.h"

#include <math.h>

// Where decks and the files that they name are written; programs run side by side.
#ifndef DECKS
#define DECKS FOLDER
#endif

typedef struct Notes {
    int count;
    char text[4000];
} Notes;

static inline void Collect(hwLogLevel level, const char* message, void* context) {
    Notes* notes = context;
    (void)level;
    notes->count += 1;
    snprintf(notes->text + strlen(notes->text), sizeof(notes->text) - strlen(notes->text), "%s\n", message);
}

static inline hwScene* Convert(const char* text, Notes* notes) {
    hwError error;
    WriteText(DECKS "/mooring.dat", text);
    if (hwConvertMoordyn(DECKS "/mooring.dat", DECKS "/mooring.yaml", Collect, notes, &error) != HW_OK)
        fail_msg("%s:%d:%d: %s", error.object, error.line, error.column, error.message);
    hwScene* scene = hwLoadScene(DECKS "/mooring.yaml", &error);
    if (scene == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return scene;
}

#endif
