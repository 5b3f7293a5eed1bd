// What most cases do: set a problem up twice, run it with both solvers, read numbers, add rows.
#ifndef HW_CASES_HARNESS_H
#define HW_CASES_HARNESS_H

#include "cases/cases.h"
#include "hawser/hawser.h"
#include "hawser/reference.h"

// One run of a case. Calls after a failure do nothing, so that a case can be written straight down and checked once.
typedef struct hwCaseRun {
    hwCaseContext* context;
    bool reference; // else realtime, advanced frame by frame at 1/60 s
    hwWorld* world;
    hwError error;
    bool failed;
} hwCaseRun;

// An empty world with this environment (null: weightless and dry). Tolerance 0: the solver's default.
void hwCaseRun_Begin(hwCaseRun* run, hwCaseContext* context, bool reference,
                     const hwEnvironmentDef* environment, double tolerance);
hwBodyId hwCaseRun_AddBody(hwCaseRun* run, const hwBodyDef* def);
// A constant force and torque in world axes at the body's origin.
void hwCaseRun_Push(hwCaseRun* run, hwBodyId body, hwVec3 force, hwVec3 torque);
void hwCaseRun_Prepare(hwCaseRun* run);
// Advances by `duration` seconds.
void hwCaseRun_Advance(hwCaseRun* run, double duration);
hwBodyState hwCaseRun_ReadBody(hwCaseRun* run, hwBodyId body);
// Current value of a channel; NaN and failed when there is none of that name.
double hwCaseRun_Read(hwCaseRun* run, const char* channel);
// Mean period of the oscillation of a channel about `centre`, from upward crossings during `duration` seconds.
double hwCaseRun_MeasurePeriod(hwCaseRun* run, const char* channel, double centre, double duration);
// Frees the world; a failed run adds a failing row with its message.
void hwCaseRun_End(hwCaseRun* run);

// A row; a tolerance of NaN for the built-in solver: it is shown and not judged.
void hwCase_Compare(hwCaseContext* context, const char* quantity, double exact, double seed, double reference,
                    double realtime, double tolerance, double realtimeTolerance, const char* note);

// A row with one value, made by a run or method that is not the one that hwCase_NoteRun would tell.
void hwCase_Check(hwCaseContext* context, hwCaseMaker maker, const char* quantity, double exact, double value,
                  double tolerance, const char* note);

#define HW_NO_SEED ((double)NAN)

#endif
