// What a pilot knew: questions of a freeze, answers, and their points against what was so. Plain numbers, no world.
#ifndef HW_LESSON_PROBE_H
#define HW_LESSON_PROBE_H

#include "hawser/lesson.h"

// What was so when time stood still.
typedef struct hwProbeTruth {
    double depth, heading, turns, length; // m, rad, 1, m
    bool touches;                         // the tether touches something
    hwVec3 position, launch;              // of the vehicle, and of the tether's first node
    int nodeCount;                        // of the tether, from the launch
    const hwVec3* nodes;
} hwProbeTruth;

// When the probes are, and what each asks: by the seed alone.
void hwProbes_Plan(const hwLessonProbes* def, bool tether, hwProbe* probes);

// The right answer to an item, as answers write it; NaN: there is none.
double hwProbe_GetTruth(const hwLessonProbes* def, const hwProbeTruth* truth, hwProbeItem item);

// Points of an answer, 0 to 1.
double hwProbe_Judge(const hwLessonProbes* def, const hwProbeTruth* truth, hwProbeItem item,
                     const hwProbeAnswer* answer);

// Turns that a line in plan makes round an axis more than the straight way from its beginning to its end: 0, or signed,
// counter-clockwise positive.
int hwProbe_CountTurns(int count, const double* plan, double x, double y);

#endif
