/// @file lesson.h
/// Lessons for pilots and their scores. A lesson says what is to be done and what counts; a scorer is given the rows of a
/// flight, live or recorded, and tells the score. The same rows give the same digits.
///
/// Terms go from 0 to 1; the score is 100 times their weighted sum, less 5 for every hit of the hull above 0.3 m/s, and at
/// most 49 when something happened that must never happen. docs/lessons.md has the formulas.
#ifndef HAWSER_LESSON_H
#define HAWSER_LESSON_H

#include "hawser/base.h"
#include "hawser/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Most objectives of a lesson.
#define HW_LESSON_MAX_OBJECTIVES 64

/// A channel must have a value from `above` to `below`.
typedef struct hwLessonCondition {
    const char* channel; ///< its name
    double above;        ///< least value; -infinity: none
    double below;        ///< greatest value; infinity: none
} hwLessonCondition;

/// Something to do: every part that is given must hold at once, for the time `hold`.
typedef struct hwLessonObjective {
    const char* name;                    ///< short
    const char* text;                    ///< what the pilot is told
    bool zone;                           ///< the vehicle must be in a ball
    hwVec3 position;                     ///< m, the ball's centre
    double radius;                       ///< m, its radius
    bool gate;                           ///< the vehicle must go through a ring
    hwVec3 gatePosition;                 ///< m, the ring's centre
    hwVec3 gateDirection;                ///< which way through it; any length
    double gateRadius;                   ///< m, the ring's radius
    bool look;                           ///< its bow must point at a place, from a distance
    hwVec3 lookAt;                       ///< m, the place
    double lookNear, lookFar;            ///< m, horizontally: not nearer, not farther
    double lookWithin;                   ///< rad, between the bow and the place, to either side
    double heading;                      ///< rad, clockwise from north; NaN: any
    double headingWithin;                ///< rad, to either side
    int conditionCount;                  ///< entries of `conditions`
    const hwLessonCondition* conditions; ///< on channels
    double hold;                         ///< s
    bool step;            ///< a step of a drill: counts for HW_LESSON_ERROR_STEPS instead of the task
    bool turn;            ///< the way back begins when it is done
    const char* controls; ///< names of the controls that do it, a space between two; null or empty: none
} hwLessonObjective;

/// Most freezes of a lesson, obstacles that they ask about, and points of a line that a pilot sketches.
#define HW_LESSON_MAX_PROBES 10
#define HW_LESSON_MAX_OBSTACLES 32 ///< of probes
#define HW_PROBE_MAX_POINTS 128    ///< of a sketched line

/// What a freeze asks; answers are numbers.
typedef enum hwProbeItem {
    HW_PROBE_DEPTH,   ///< level 1: m
    HW_PROBE_HEADING, ///< level 1: degrees, clockwise from north
    HW_PROBE_TURNS,   ///< level 1: signed, clockwise positive
    HW_PROBE_LENGTH,  ///< level 1: m of tether out
    HW_PROBE_BEARING, ///< level 1: where the tether leaves the vehicle, hours of a clock, bow at 12
    HW_PROBE_TOUCHES, ///< level 2: 1 when the tether touches something, else 0
    HW_PROBE_SLACK,   ///< level 2: 0 taut, 1 right, 2 too slack
    HW_PROBE_SKETCH,  ///< level 2: lines in plan and elevation
    HW_PROBE_UNWIND,  ///< level 3: which way to turn back: -1 port, 0 neither, 1 starboard
    HW_PROBE_ADVANCE, ///< level 3: 1 when the vehicle can go 5 m ahead without more tether, else 0
    HW_PROBE_SNAG, ///< level 3: number of the obstacle that would hold the tether if it were hauled, -1: none
    HW_PROBE_ITEM_COUNT ///< how many there are
} hwProbeItem;

/// Something upright that a tether may be wound round.
typedef struct hwLessonObstacle {
    const char* name; ///< as pilots are asked
    hwVec3 position;  ///< m, of its axis; z does not count
} hwLessonObstacle;

/// Freezes of a lesson: when and what they ask comes from the seed.
typedef struct hwLessonProbes {
    int count;                         ///< freezes
    double first;                      ///< s, none before
    double spacing;                    ///< s between two of them at least
    double spread;                     ///< s of chance added to either
    uint64_t seed;                     ///< of times and questions
    int questions;                     ///< of each freeze
    int obstacleCount;                 ///< entries of `obstacles`
    const hwLessonObstacle* obstacles; ///< that the tether may be wound round
} hwLessonProbes;

/// A freeze: when, and what it asks.
typedef struct hwProbe {
    double time;                            ///< s since the start; it happens at the first row from then on
    int itemCount;                          ///< entries of `items`
    hwProbeItem items[HW_PROBE_ITEM_COUNT]; ///< in the order in which they are asked
} hwProbe;

/// What a pilot answered.
typedef struct hwProbeAnswer {
    double values[HW_PROBE_ITEM_COUNT];        ///< NaN: none
    double confidence;                         ///< 0 to 1, or NaN
    int planCount;                             ///< points of `plan`
    double plan[2 * HW_PROBE_MAX_POINTS];      ///< m, x and y of the tether from the launch on
    int elevationCount;                        ///< points of `elevation`
    double elevation[2 * HW_PROBE_MAX_POINTS]; ///< m, horizontal distance from the launch, and z
} hwProbeAnswer;

/// How a freeze went.
typedef struct hwProbeResult {
    bool asked;                         ///< it has happened
    bool answered;                      ///< there is an answer
    double time;                        ///< s since the start at which it happened
    hwProbe probe;                      ///< what was asked
    hwProbeAnswer answer;               ///< as given
    double truth[HW_PROBE_ITEM_COUNT];  ///< what was so; NaN: not one number
    double points[HW_PROBE_ITEM_COUNT]; ///< 0 to 1; NaN: not asked
    double levels[3];                   ///< mean of each level; NaN: nothing was asked
} hwProbeResult;

/// What the term `error` measures.
typedef enum hwLessonErrorKind {
    HW_LESSON_ERROR_NONE,        ///< nothing
    HW_LESSON_ERROR_CROSS_TRACK, ///< 1 - root mean square distance from `path` / `scale`
    HW_LESSON_ERROR_STATION,     ///< share of the time within `scale` of `path[0]`
    HW_LESSON_ERROR_IN_VIEW, ///< share of the time with the tether in the camera's view, nearer than `scale`
    HW_LESSON_ERROR_STEPS    ///< share of the steps done, in order
} hwLessonErrorKind;

/// The terms of a score. The letters are those of docs/lessons.md.
typedef enum hwLessonTerm {
    HW_TERM_TASK,      ///< Q: share of the objectives done
    HW_TERM_TIME,      ///< M: how long it took
    HW_TERM_TURNS,     ///< N: turns of the vehicle
    HW_TERM_SLACK,     ///< S: share of the time with the right length of tether out
    HW_TERM_WRAP,      ///< W: angle by which the tether was wrapped
    HW_TERM_TENSION,   ///< F: pull of the tether
    HW_TERM_RETURN,    ///< R: back the way it came
    HW_TERM_AWARENESS, ///< A: answers to probes, or what hwScorer_SetAwareness was given
    HW_TERM_ERROR,     ///< K: named by the lesson
    HW_TERM_COUNT      ///< how many there are
} hwLessonTerm;

/// What must never happen; each caps the score at 49.
enum {
    HW_GATE_PARTED = 1,    ///< the tether broke
    HW_GATE_BENT = 2,      ///< the tether was bent too sharply under load
    HW_GATE_SNAG = 4,      ///< the winch hauled on a snag
    HW_GATE_ABANDONED = 8, ///< the vehicle was not brought back
    HW_GATE_COUNT = 4      ///< how many there are
};

/// A lesson. Start from hwDefaultLessonDef(); everything is borrowed.
typedef struct hwLessonDef {
    const char* vehicle;                 ///< name of the vehicle that is flown
    const char* cable;                   ///< name of its tether, or null
    const char* winch;                   ///< name of the winch that pays it out, or null
    int objectiveCount;                  ///< entries of `objectives`
    const hwLessonObjective* objectives; ///< what to do
    bool sequence;                       ///< in this order
    double par;                          ///< s, the time that a good pilot takes
    double limit;                        ///< s, when the lesson ends at the latest
    hwLessonErrorKind error;             ///< what the term `error` measures
    int pathCount;                       ///< points of `path`
    const hwVec3* path;                  ///< m
    double scale;                        ///< m
    double field;                        ///< rad, the camera's horizontal field of view
    bool recover;                        ///< the vehicle must be brought back
    hwVec3 recoverPosition;              ///< m, to this place
    double recoverRadius;                ///< m, or nearer
    double leastBend;                    ///< m, least diameter of a bend under load
    double weights[HW_TERM_COUNT];       ///< of the terms; their sum is 1
    double passScore;                    ///< least score to pass
    double passTask;                     ///< least share of the task to pass
    hwLessonProbes probes;               ///< freezes; count 0: none
    int cookie;                          ///< set by hwDefaultLessonDef
} hwLessonDef;

/// A lesson without objectives; pass at 70 points with all of the task done.
HW_API hwLessonDef hwDefaultLessonDef(void);

/// Something that happened during a lesson.
typedef enum hwLessonEventKind {
    HW_LESSON_DONE,     ///< objective `index` was done
    HW_LESSON_HIT,      ///< the hull hit something at `value` m/s
    HW_LESSON_GATE,     ///< one of HW_GATE_*, `index`
    HW_LESSON_COMPLETE, ///< everything is done
    HW_LESSON_EXPIRED   ///< the time limit was reached
} hwLessonEventKind;

/// When what happened.
typedef struct hwLessonEvent {
    double time;            ///< s
    hwLessonEventKind kind; ///< what
    int index;              ///< see the kind
    double value;           ///< see the kind
} hwLessonEvent;

/// A score and what it is made of.
typedef struct hwScore {
    double score;                            ///< 0 to 100
    bool passed;                             ///< enough points, enough of the task, no gate
    bool complete;                           ///< everything was done
    bool over;                               ///< complete, or the time limit was reached
    double time;                             ///< s since the start: to the last objective when complete
    double terms[HW_TERM_COUNT];             ///< 0 to 1; NaN: not measured
    double measures[HW_TERM_COUNT];          ///< what each was made from; see docs/lessons.md
    int done;                                ///< objectives done
    int current;                             ///< the objective to do next, or -1
    double holding;                          ///< s for which it has held
    double doneAt[HW_LESSON_MAX_OBJECTIVES]; ///< s since the start; NaN: not done
    int hits;                                ///< of the hull, above 0.3 m/s
    unsigned gates;                          ///< bits of HW_GATE_*
} hwScore;

/// Follows one flight.
typedef struct hwScorer hwScorer;

/// A scorer for rows that have these channels, `world.time` and those of the vehicle among them. Null and `error` when a
/// channel that the lesson needs is missing or the lesson makes no sense.
HW_API hwScorer* hwCreateScorer(const hwLessonDef* def, int channelCount, const char* const* channels,
                                hwError* error);
/// Frees it. Null is allowed.
HW_API void hwDestroyScorer(hwScorer* scorer);
/// The next row. Rows after the end of the lesson change nothing. HW_ERROR_MEMORY when there is no memory.
HW_API hwStatus hwScorer_AddRow(hwScorer* scorer, const double* row);
/// Number of the freeze that is due now and waits for its answer, or -1.
HW_API int hwScorer_GetDueProbe(const hwScorer* scorer);
/// A freeze's answer. It counts once the rows have reached the freeze. HW_ERROR_ARGUMENT when there is no such freeze.
HW_API hwStatus hwScorer_AnswerProbe(hwScorer* scorer, int probe, const hwProbeAnswer* answer);
/// How a freeze went; false when there is no such freeze.
HW_API bool hwScorer_GetProbe(const hwScorer* scorer, int probe, hwProbeResult* result);
/// Without an answer to anything.
HW_API hwProbeAnswer hwDefaultProbeAnswer(void);
/// "depth", "heading" and so on.
HW_API const char* hwProbeItem_GetName(hwProbeItem item);
/// 1, 2 or 3: what is there, what it means, what comes of it.
HW_API int hwProbeItem_GetLevel(hwProbeItem item);
/// Sets the share of right answers to questions of the caller's own, 0 to 1; for lessons without probes.
HW_API void hwScorer_SetAwareness(hwScorer* scorer, double share);
/// The score of the rows so far.
HW_API void hwScorer_GetScore(const hwScorer* scorer, hwScore* score);
/// What happened so far; valid until the next row.
HW_API const hwLessonEvent* hwScorer_GetEvents(const hwScorer* scorer, int* count);
/// Forgets the rows after this time, s: the flight went back.
HW_API void hwScorer_Rewind(hwScorer* scorer, double time);
/// Back to before the first row.
HW_API void hwScorer_Reset(hwScorer* scorer);

/// "task", "time" and so on, as scenes write it.
HW_API const char* hwLessonTerm_GetName(hwLessonTerm term);
/// A sentence for one of HW_GATE_*.
HW_API const char* hwLessonGate_GetText(unsigned gate);

/// What the measure of a term says, for people, with its unit: "wrapped by 181 degrees at most".
HW_API void hwLessonTerm_Describe(const hwLessonDef* def, hwLessonTerm term, double measure, char* text,
                                  size_t size);
/// What happened, for people: the objective's name, or a sentence.
HW_API void hwLessonEvent_Describe(const hwLessonDef* def, const hwLessonEvent* event, char* text,
                                   size_t size);
/// "done", "hit", "gate", "complete", "expired".
HW_API const char* hwLessonEvent_GetKind(hwLessonEventKind kind);

/// Length of the longest leash that two walkers need who go along two lines, never back: the discrete Fréchet distance of
/// two lines of points, m. Negative: out of memory.
HW_API double hwFrechetDistance(int countA, const hwVec3* a, int countB, const hwVec3* b);

#ifdef __cplusplus
}
#endif
#endif
