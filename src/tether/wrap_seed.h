// A tether by the rules of seed 000, chapters 2 and 3 (`model: wrap`, `rules: seed`): shapes of open water between points where
// it has collided with something. Rules of thumb, kept as they are for comparison; wrap.h is the mechanics.
//
// What is there: V by equation 2-1 and catenary about the direction of 2.4.2; collision with triangles, their point and normal
// by 3.4; segments that rejoin at 185 degrees; back-side and immediate re-collision rules of 3.5.1; sliding with constant
// length, stuck and taut by 3.5.2.
#ifndef HW_TETHER_WRAP_SEED_H
#define HW_TETHER_WRAP_SEED_H

#include "hawser/tether.h"
#include "tether/space.h"

#define HW_SEED_POINTS 64 // collision points
#define HW_SEED_LINKS 16  // of a catenary

typedef struct hwSeedSetup {
    const hwTetherSpace* space;
    hwTetherBend bend;
    hwVec3 load;        // unit: hwTether_GetSeedLoad
    bool linearDepth;   // 2.4.1 instead of 2.4.2
    double radius, EA;  // m, N
    double rejoinAngle; // rad, 185 degrees
    double stuckAngle;  // rad between the first and the last normal; inf: never
    int stuckCount;     // collision points; 0: any number
} hwSeedSetup;

typedef struct hwSeedPoint {
    hwVec3 at;        // m, frame of the solid
    hwVec3 normal;    // unit, likewise
    int32_t solid;    // what it collided with
    int32_t straight; // the segment behind it has been made a rubber band (3.5.1)
} hwSeedPoint;

// Plain numbers, part of a world's state.
typedef struct hwSeedState {
    int32_t count;    // of collision points
    int32_t straight; // the first segment has been made a rubber band
    int32_t stuck;
    int32_t lost;                     // collisions for which there was no room
    double length;                    // m, of the tether when it stuck
    double fixed[HW_SEED_POINTS + 1]; // m, of each segment while it is stuck
    hwSeedPoint points[HW_SEED_POINTS];
} hwSeedState;

typedef struct hwSeedPath {
    int count;                         // of segments
    hwVec3 ends[HW_SEED_POINTS + 2];   // m
    double length[HW_SEED_POINTS + 1]; // m, of each
    bool bent[HW_SEED_POINTS + 1];     // else a rubber band
    hwTetherSpan span[HW_SEED_POINTS + 1];
    bool taut;         // the vehicle cannot go farther
    double tension[2]; // N at the ends, 0 unless taut
    double stiffness;  // N/m of the segment at the last end, 0 unless taut
} hwSeedPath;

// The shape with the ends where they are; the state stays as it is.
void hwSeed_Solve(const hwSeedSetup* setup, const hwSeedState* state, const hwVec3 ends[2], double length,
                  hwSeedPath* path);
// One step: collisions come, segments rejoin, it sticks or no longer does.
void hwSeed_Update(const hwSeedSetup* setup, hwSeedState* state, const hwVec3 ends[2], double length,
                   hwSeedPath* path);
// At s metres along it from end a.
hwVec3 hwSeedPath_GetPoint(const hwSeedSetup* setup, const hwSeedPath* path, double s);
// Length of segment k's curve: what a taut one is stretched to, else its own.
double hwSeedPath_GetLength(const hwSeedPath* path);

// 3.4: the first link of segment k that intersects something: mean point, moved off along the mean normal. False: none does.
bool hwSeed_FindCollision(const hwSeedSetup* setup, const hwSeedPath* path, int k, hwSeedPoint* out,
                          hwVec3* mean);
// Angle between the segments at collision point c, on the side of the object: pi where it is straight.
double hwSeed_GetAngle(const hwSeedSetup* setup, const hwSeedState* state, const hwSeedPath* path, int c);

#endif
