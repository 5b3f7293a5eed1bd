/// @file base.h
/// Status codes, errors, memory, logging: what every other header needs.
///
/// Units are SI throughout. World axes: x north, y west, z up, z = 0 at mean sea level. Angles in radians.
#ifndef HAWSER_BASE_H
#define HAWSER_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HW_VERSION_MAJOR 0 ///< Version of the interface in this header: changes that break programs.
#define HW_VERSION_MINOR 1 ///< Additions.
#define HW_VERSION_PATCH 0 ///< Corrections.

/// @def HW_API
/// Marks what a shared library offers.
#if defined(_WIN32) && defined(HAWSER_SHARED)
#define HW_API __declspec(dllexport)
#elif defined(__GNUC__)
#define HW_API __attribute__((visibility("default")))
#else
#define HW_API
#endif

/// Outcome of a call. Zero is success, negative is failure, positive is news about a success.
typedef enum hwStatus {
    HW_OK = 0,              ///< Done.
    HW_ERROR_ARGUMENT = -1, ///< An argument or a field of a def is unusable; the message names it.
    HW_ERROR_MEMORY = -2,   ///< The allocator returned null. Nothing was changed.
    HW_ERROR_ORDER = -3,    ///< The call is not allowed now, for example a step before Prepare.
    HW_ERROR_MODEL = -4,    ///< Prepare found a modelling mistake.
    HW_ERROR_NUMERIC = -5,  ///< The solver failed; the last good state is kept.
    HW_ERROR_FILE = -6,     ///< A file could not be read or written.
    HW_ERROR_FORMAT = -7,   ///< A file's content is not what it should be.
    HW_ERROR_LIMIT = -8,    ///< A built-in bound (sizes, counts, depth of nesting) was exceeded.
    HW_ERROR_STOPPED = -9,  ///< The caller asked to stop.
    HW_NEWS_SUBDIVIDED = 1  ///< The step succeeded after the solver had to subdivide it further than planned.
} hwStatus;

/// The status in a few words, for example "out of memory". Never null.
HW_API const char* hwStatus_GetText(hwStatus status);

/// What went wrong, filled by fallible calls that are given one. All strings are zero-terminated.
typedef struct hwError {
    hwStatus status;   ///< The returned status again.
    char object[64];   ///< Name of the object concerned, or empty.
    char field[64];    ///< Path of the wrong field in its def, [] for [index]: `sections[].EA`; or empty.
    int index;         ///< Node, element, link or row of the object, or -1.
    double time;       ///< Simulated time in s, or NaN where time has no meaning.
    int line;          ///< Line in the file concerned, from 1, or 0.
    int column;        ///< Column in the file concerned, from 1, or 0.
    char message[320]; ///< One sentence: what is wrong.
    char hint[192];    ///< What to try, or empty.
} hwError;

/// Memory comes from here. `allocate` returns memory aligned for any type, or null.
typedef struct hwAllocator {
    void* (*allocate)(void* context, size_t size); ///< `size` bytes, not cleared
    void (*release)(void* context, void* memory);  ///< what allocate gave
    void* context;                                 ///< given to both
} hwAllocator;

/// How serious a log line is.
typedef enum hwLogLevel {
    HW_LOG_INFO,   ///< worth knowing
    HW_LOG_WARNING ///< probably a mistake
} hwLogLevel;

/// Receives one line of text without newline. The library never prints by itself.
typedef void hwLogFn(hwLogLevel level, const char* text, void* context);

/// Version of the library at run time, "major.minor.patch".
HW_API const char* hwGetVersion(void);

/// Handle of a rigid body: a free body, a fixed or moving structure, or a link of a mechanism. Zero is null.
typedef struct hwBodyId {
    uint32_t index;      ///< One-based slot; 0 is null.
    uint32_t generation; ///< Tells a new object in a reused slot from the old one.
} hwBodyId;

/// Handle of a force added to a world. Zero is null.
typedef struct hwForceId {
    uint32_t index;      ///< One-based slot; 0 is null.
    uint32_t generation; ///< Tells a new object in a reused slot from the old one.
} hwForceId;

/// Handle of an underwater vehicle. Zero is null.
typedef struct hwVehicleId {
    uint32_t index;      ///< One-based slot; 0 is null.
    uint32_t generation; ///< Tells a new object in a reused slot from the old one.
} hwVehicleId;

// Objects of a kind take slots in the order in which they are added; one that was freed is taken again first.

/// True when the handle is null.
#define HW_IS_NULL(id) ((id).index == 0)
/// True when two handles of one type are the same.
#define HW_SAME_ID(a, b) ((a).index == (b).index && (a).generation == (b).generation)

#ifdef __cplusplus
}
#endif
#endif
