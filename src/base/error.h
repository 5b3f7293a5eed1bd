// Filling hwError: one sentence that names the object, the place and the time.
#ifndef HW_BASE_ERROR_H
#define HW_BASE_ERROR_H

#include "hawser/base.h"

#if defined(__GNUC__)
#define HW_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define HW_PRINTF(text, first)
#endif

// Fills `error` when it is not null and returns `status`. `object` may be null; the time is NaN and the index -1.
hwStatus hwFail(hwError* error, hwStatus status, const char* object, const char* format, ...) HW_PRINTF(4, 5);

// The same for a mistake in a field of a def: its path from the def, see hwError.
hwStatus hwFailField(hwError* error, hwStatus status, const char* object, const char* field,
                     const char* format, ...) HW_PRINTF(5, 6);

// Puts what holds the def before the field of an error just filled: `force` makes `uniform` into `force.uniform`.
// Fields of what has none become `outer` itself.
void hwFail_Inside(hwError* error, const char* outer);

// Adds where and when to an error just filled.
void hwFail_At(hwError* error, int index, double time);

// Adds what to try.
void hwFail_Hint(hwError* error, const char* format, ...) HW_PRINTF(2, 3);

hwStatus hwFail_Memory(hwError* error, const char* object);

// Refuses an array of a def with a negative count, or with entries but no address. `object` may be null.
hwStatus hwCheckArray(int count, const void* array, const char* object, const char* field, hwError* error);

// Sets `error` to "no error".
void hwClearError(hwError* error);

#endif
