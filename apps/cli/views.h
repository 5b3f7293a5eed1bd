// Pictures of results as the viewer shows them.
#ifndef HW_CLI_VIEWS_H
#define HW_CLI_VIEWS_H

#include "hawser/results.h"

#include <stdbool.h>

// Draws the results in the file or folder `path` at times "T,T,..." into files in `folder`, which exists, named for captions.
// Appends their names, which the caller frees with the array, to `names`. False with a complaint.
bool hwViews_Draw(const char* path, hwResults* results, const char* times, const char* folder, char*** names,
                  int* count);

#endif
