// What the rows of a study depend on, kept beside its journal: inputs.txt.
#ifndef HW_APPS_CLI_INPUTS_H
#define HW_APPS_CLI_INPUTS_H

#include "hawser/study.h"

#include <stdbool.h>

// Beside the journal at `path`. False when it cannot be written, which was said.
bool hwInputs_Write(const hwStudy* study, const char* path);

// Says that the journal at `path` is of other runs, and which inputs are others now.
void hwInputs_Refuse(const hwStudy* study, const char* path);

#endif
