// The lists of validation cases, in the order in which they run.
#include "cases/cases.h"

#include <stddef.h>

extern const hwCase hwSmsPayloadCases[];
extern const hwCase hwCableSmsCases[];
extern const hwCase hwBodyCases[];
extern const hwCase hwContactBodyCases[];
extern const hwCase hwContactGeometryCases[];
extern const hwCase hwMechanismCases[];
extern const hwCase hwRandomTreeCases[];
extern const hwCase hwSmsCraneCases[];
extern const hwCase hwVehicleCases[];
extern const hwCase hwVehicleTetherCases[];
extern const hwCase hwTetherWrapCases[];
extern const hwCase hwArmCases[];
extern const hwCase hwArduSubCases[];
extern const hwCase hwInstrumentCases[];
extern const hwCase hwCableStaticCases[];
extern const hwCase hwAnchorCases[];
extern const hwCase hwExperimentCases[];
extern const hwCase hwRowCases[];
extern const hwCase hwCableModeCases[];
extern const hwCase hwCableWinchCases[];
extern const hwCase hwCableMotionCases[];
extern const hwCase hwCableContactCases[];
extern const hwCase hwDeckCases[];
extern const hwCase hwDeckLaunchCases[];
extern const hwCase hwBrateauCases[];
extern const hwCase hwCableSeaCases[];
extern const hwCase hwCableDetailCases[];
extern const hwCase hwStatisticsCases[];
extern const hwCase hwModeCases[];
extern const hwCase hwFitCases[];
extern const hwCase hwFloaterCases[];
extern const hwCase hwWorkbenchCases[];

// One a line, whatever their number: changes merge.
// clang-format off
const hwCase* const hwCaseLists[] = {
    hwSmsPayloadCases,
    hwCableSmsCases,
    hwSmsCraneCases,
    hwBodyCases,
    hwContactBodyCases,
#ifdef HAWSER_INTERNALS // of hawser-dev: it looks inside the library
    hwContactGeometryCases,
#endif
    hwMechanismCases,
    hwRandomTreeCases,
    hwVehicleCases,
    hwVehicleTetherCases,
    hwTetherWrapCases,
    hwArmCases,
#ifndef HAWSER_WITHOUT_LIVE // it talks to an autopilot
    hwArduSubCases,
#endif
    hwInstrumentCases,
    hwCableStaticCases,
    hwAnchorCases,
    hwExperimentCases,
    hwRowCases,
    hwCableModeCases,
    hwCableWinchCases,
    hwCableMotionCases,
    hwCableContactCases,
    hwDeckCases,
    hwDeckLaunchCases,
    hwBrateauCases,
    hwCableSeaCases,
    hwCableDetailCases,
    hwStatisticsCases,
    hwModeCases,
    hwFitCases,
    hwFloaterCases,
    hwWorkbenchCases,
    NULL,
};
// clang-format on
