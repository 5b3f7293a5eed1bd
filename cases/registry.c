// The lists of validation cases, in the order in which they run.
#include "cases/cases.h"

#include <stddef.h>

const hwCase* const hwCaseLists[] = {NULL};
