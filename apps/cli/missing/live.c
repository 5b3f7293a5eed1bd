// In place of the commands that fly, serve and show live worlds, in a program that was built without jansson.
#include "apps/cli/cli.h"
#include "apps/cli/views.h"

#define MISSING(symbol, word, text)                                                                          \
    const hwCommand symbol = {                                                                               \
        .name = word,                                                                                        \
        .operands = "",                                                                                      \
        .summary = text " (not in this program)",                                                            \
        .missing = "this program was built without jansson, which flights and connections need"}

MISSING(hwCommand_Train, "train", "start the trainer");
MISSING(hwCommand_Serve, "serve", "run a world for other programs");
MISSING(hwCommand_View, "view", "show a scene or results in the browser");
MISSING(hwCommand_Replay, "replay", "run a recorded flight again");
MISSING(hwCommand_Action, "action", "cut a recording");
MISSING(hwCommand_Fly, "fly", "fly a lesson by a script");
MISSING(hwCommand_Score, "score", "give the score of a flight again");
MISSING(hwCommand_Debrief, "debrief", "write what a flight teaches");
MISSING(hwCommand_Logbook, "logbook", "list who has flown what");

bool hwViews_Draw(const char* path, hwResults* results, const char* times, const char* folder, char*** names,
                  int* count) {
    (void)results, (void)times, (void)folder, (void)names, (void)count;
    hwCli_Complain(NULL, "Cannot draw %s: this program was built without jansson, which the viewer needs.",
                   path);
    return false;
}
