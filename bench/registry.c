// The lists of benchmarks, in the order in which they run.
#include "bench/bench.h"

#include <stddef.h>

extern const hwBench hwCableBenches[], hwIterationBenches[], hwMechanismBenches[];
extern const hwBench hwContactBenches[];
extern const hwBench hwHeapBenches[];
extern const hwBench hwTrainerBenches[];
extern const hwBench hwDeckBenches[];
extern const hwBench hwCableContactBenches[];
extern const hwBench hwScaleBenches[], hwSlackBenches[];
extern const hwBench hwTetherBenches[], hwTetherWrapBenches[];
extern const hwBench hwVehicleBenches[], hwLookAheadBenches[];

const hwBench* const hwBenchLists[] = {
    hwMechanismBenches,
#ifdef HAWSER_INTERNALS // of hawser-dev: it measures inside the library
    hwIterationBenches,
#endif
    hwCableBenches,
#ifdef HAWSER_INTERNALS // of hawser-dev: it measures inside the library
    hwContactBenches,
#endif
    hwHeapBenches,         hwDeckBenches,
#ifndef HAWSER_WITHOUT_LIVE // it flies
    hwTrainerBenches,
#endif
    hwCableContactBenches, hwScaleBenches,     hwSlackBenches, hwTetherBenches,
#ifdef HAWSER_INTERNALS // of hawser-dev: it measures inside the library
    hwTetherWrapBenches,
#endif
    hwVehicleBenches,      hwLookAheadBenches, NULL,
};
