/// @file hint.h
/// Hints for a pilot from the state of the tether: too slack, winding now, a pull that comes, back another way than out. A
/// hinter is given the rows of a flight, live or recorded, ten a second or so; the same rows give the same hints.
///
/// Hints are few. A condition must last before it is said; two hints are at least `spacing` apart, two of the same kind at least
/// `repeat`, twice as long after each; of several the most urgent is said. docs/lessons.md has the conditions.
#ifndef HAWSER_HINT_H
#define HAWSER_HINT_H

#include "hawser/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a hint is about, the most urgent first.
typedef enum hwHintKind {
    HW_HINT_PULL,     ///< the tether is about to pull, or pulls harder and harder
    HW_HINT_WINDING,  ///< the tether is being wound round something, or the vehicle turns and turns
    HW_HINT_SAME_WAY, ///< on the way back, beside the way out, where there are obstacles
    HW_HINT_SLACK,    ///< much more tether is out than the way is long
    HW_HINT_KINDS     ///< how many there are
} hwHintKind;

/// A hint.
typedef struct hwHint {
    double time;     ///< s, of its row
    hwHintKind kind; ///< what it is about
    double value;    ///< seconds until the pull or its newtons; turns; metres beside the way; slack
    char text[160];  ///< one or two sentences for the pilot
} hwHint;

/// Description of a hinter. Start from hwDefaultHinterDef().
typedef struct hwHinterDef {
    const char* vehicle; ///< name of the vehicle that is flown
    const char* cable;   ///< name of its tether
    bool sameWay;        ///< hints about the way back also where no obstacle is watched
    double spacing;      ///< s between two hints at least
    double repeat;       ///< s between the first two of the same kind at least; twice as long after each
    int cookie;          ///< set by hwDefaultHinterDef
} hwHinterDef;

/// Vehicle `rov`, cable `tether`, 10 s between hints, 30 s between those of the same kind.
HW_API hwHinterDef hwDefaultHinterDef(void);

/// Whether hints of this def look at the channel of this name: for who reads no more channels than are needed.
HW_API bool hwHinterDef_Needs(const hwHinterDef* def, const char* channel);

/// Follows one flight.
typedef struct hwHinter hwHinter;

/// A hinter for rows that have these channels. Null and `error` when one that it needs is missing: time; position, turns and
/// tension of the vehicle; length, wrap and first node of its tether. What the tether is wound round counts where it is watched.
HW_API hwHinter* hwCreateHinter(const hwHinterDef* def, int channelCount, const char* const* channels,
                                hwError* error);
/// Frees it. Null is allowed.
HW_API void hwDestroyHinter(hwHinter* hinter);
/// The next row. True: `hint` is to be said now. Allocates nothing.
HW_API bool hwHinter_AddRow(hwHinter* hinter, const double* row, hwHint* hint);
/// The flight went back to this time, s: what was said later may be said again.
HW_API void hwHinter_Rewind(hwHinter* hinter, double time);

/// "pull", "winding", "same_way", "slack".
HW_API const char* hwHintKind_GetName(hwHintKind kind);

#ifdef __cplusplus
}
#endif
#endif
