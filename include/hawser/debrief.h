/// @file debrief.h
/// What a recorded flight teaches: the score with its reasons, what the tether was wound round and when that began, what the
/// handler did, and three things to do better. Part of hawser-live.
///
/// Everything comes from the recording: the same recording gives the same bytes, and the score is that of hwScoreFlight. A flight
/// without a lesson has no score; the rest is told all the same.
#ifndef HAWSER_DEBRIEF_H
#define HAWSER_DEBRIEF_H

#include "hawser/base.h"
#include "hawser/lesson.h"
#include "hawser/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A recorded flight, judged.
typedef struct hwDebrief hwDebrief;

/// Something that the tether can be wound round or pass through.
typedef struct hwDebriefObstacle {
    char name[64];  ///< the body's, with a number where it has several
    bool isAxis;    ///< a pile or a leg; else a closed loop of a structure
    hwVec3 point;   ///< m, on the axis, or the middle of the loop
    hwVec3 up;      ///< unit, of an axis: turns count positive by the right hand about it
    double radius;  ///< m, of the pile; 0: not known
    int start;      ///< winding or linking number in the first row
    int end;        ///< in the last row
    int most;       ///< the one farthest from `start`
    double changed; ///< s, when it first left `start`; NaN: never
    double since;   ///< s, since when it has been wound as at the end; NaN: it is as it was at the start
} hwDebriefObstacle;

/// A number of an obstacle changed.
typedef struct hwDebriefChange {
    double time;  ///< s, of the first row with the new number
    int obstacle; ///< which
    int from, to; ///< the number before and after
} hwDebriefChange;

/// The moment at which the trouble began: the tether came to be wound round what holds it in the end, or, if it came free again, the
/// first number that changed, or, if none did, the first place at which it lay on something.
typedef struct hwDebriefCause {
    bool found;       ///< there was one
    double time;      ///< s
    int obstacle;     ///< index, or -1: contact alone
    int from, to;     ///< its number before and after
    bool stayed;      ///< it was so until the end
    hwVec3 position;  ///< m, of the vehicle then
    double heading;   ///< rad, likewise
    double depth;     ///< m, likewise
    double out;       ///< m of tether out then
    char body[64];    ///< what it is about
    char text[400];   ///< what happened, in sentences
    char remedy[240]; ///< what frees it, or would have
} hwDebriefCause;

/// One stretch of winch work.
typedef struct hwDebriefHandling {
    double start, end; ///< s
    double paid;       ///< m, positive out
    double tension;    ///< N at the winch, greatest
} hwDebriefHandling;

/// Reads a flight's folder and judges it. Null and `error` on failure; the caller owns it. With `trend`, earlier flights of the same
/// lesson beside it are scored, too.
HW_API hwDebrief* hwCreateDebrief(const char* path, bool trend, hwError* error);
/// Frees it. Null is allowed.
HW_API void hwDestroyDebrief(hwDebrief* debrief);

/// The score, or null when the flight was no lesson.
HW_API const hwScore* hwDebrief_GetScore(const hwDebrief* debrief);
/// What the tether could be wound round.
HW_API const hwDebriefObstacle* hwDebrief_GetObstacles(const hwDebrief* debrief, int* count);
/// Every change of a number, in order of time.
HW_API const hwDebriefChange* hwDebrief_GetChanges(const hwDebrief* debrief, int* count);
/// Where the trouble began.
HW_API const hwDebriefCause* hwDebrief_GetCause(const hwDebrief* debrief);
/// What the winch did.
HW_API const hwDebriefHandling* hwDebrief_GetHandling(const hwDebrief* debrief, int* count);
/// Tip 0, 1 or 2, a sentence or two with the numbers behind it; null: no more.
HW_API const char* hwDebrief_GetTip(const hwDebrief* debrief, int index);

/// Writes one HTML file that needs no other, no script and no network, and prints well.
HW_API hwStatus hwDebrief_WriteHtml(const hwDebrief* debrief, const char* path, hwError* error);
/// Writes what was measured, one line for each row of the recording: place, heading, turns, tether, and each winding number.
HW_API hwStatus hwDebrief_WriteCsv(const hwDebrief* debrief, const char* path, hwError* error);
/// Everything but the curves as JSON text; the caller frees it. Null: out of memory.
HW_API char* hwDebrief_WriteJson(const hwDebrief* debrief);

#ifdef __cplusplus
}
#endif
#endif
