// MoorDyn decks as text, for those who have no files.
#ifndef HW_IO_MOORDYN_H
#define HW_IO_MOORDYN_H

#include "hawser/base.h"

// The scene that a deck becomes, to be freed; null on failure. `name` stands for the file in messages. A line
// `%%% NAME` ends the deck and begins a file NAME that the deck may refer to.
hwStatus hwMoordyn_MakeScene(const char* name, const char* text, size_t size, hwLogFn* log, void* logContext,
                             char** scene, size_t* sceneSize, hwError* error);

#endif
