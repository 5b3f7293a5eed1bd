// A recorded track and measured points of a tether beside a simulation.
#ifndef HW_CLI_COMPARE_TETHER_H
#define HW_CLI_COMPARE_TETHER_H

#include "apps/cli/cli.h"

typedef struct hwTetherComparison {
    const char *scene, *track, *tether;
    const char *vehicle, *cable; // null: the only one
    const char* out;             // distances over time; null: none
    int setCount;
    const char* const* sets;
} hwTetherComparison;

int hwCli_CompareTether(const hwTetherComparison* def);

#endif
