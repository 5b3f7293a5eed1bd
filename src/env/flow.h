// Current and wind: the same everywhere, by level and time, on a grid, gusty, or a user's own.
#ifndef HW_ENV_FLOW_H
#define HW_ENV_FLOW_H

#include "base/memory.h"
#include "env/gust.h"
#include "hawser/environment.h"

typedef struct hwFlow {
    hwFlowDef def;  // pointers lead to copies
    double upwards; // d(level)/dz: -1 where levels are depths, 1 where they are heights
    double surface; // m, z of level 0
    hwGust gust;
} hwFlow;

// What a flow is everywhere at one time.
typedef struct hwFlowMoment {
    hwVec3 uniform, rate;      // m/s, m/s2
    double factor, factorRate; // of the gust
    int row;                   // of the profile's times that went before
    double share,
        perSecond; // on the way to the next: how far, 0 to 1, and how fast; 0: the profile does not change
    int gridRow;   // the same of the grid's times
    double gridShare, gridPerSecond;
} hwFlowMoment;

// Copies the def (two passes, see hwArena) and draws the gust.
void hwFlow_Layout(hwFlow* flow, hwArena* arena, const hwFlowDef* def, double upwards, double surface);

// Mean speed (m/s) over the first hour, 10 m above the surface, by samples every 10 s: what a gust's spectrum takes for
// the mean wind.
double hwComputeMeanSpeed(const hwFlowDef* def);

// Nothing ever flows, but for a user's function.
static inline bool hwFlow_IsStill(const hwFlow* flow) {
    return flow->def.uniform.termCount == 0 && flow->def.count == 0 && flow->def.grid.xCount == 0;
}

hwFlowMoment hwFlow_GetMoment(const hwFlow* flow, double time);

// Velocity and particle acceleration at a point (world), without the user's function.
void hwFlow_Evaluate(const hwFlow* flow, const hwFlowMoment* moment, hwVec3 point, hwVec3* velocity,
                     hwVec3* acceleration);

#endif
