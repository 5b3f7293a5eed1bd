// The world's own copy of a signal: tables copied, splines prepared.
#ifndef HW_CONTROL_SIGNAL_DATA_H
#define HW_CONTROL_SIGNAL_DATA_H

#include "base/memory.h"
#include "hawser/signal.h"

// Copies `signal` into `arena`. While the arena measures (base null) it only counts and returns an absent signal.
hwSignal hwCopySignal(hwArena* arena, const hwSignal* signal);

// Checks a signal that is a field of an object's def, and names both in the error.
hwStatus hwSignal_CheckField(const hwSignal* signal, const char* object, const char* field, hwError* error);

// True when there is anything to evaluate.
static inline bool hwSignal_IsPresent(const hwSignal* signal) {
    return signal->termCount > 0;
}

#endif
