// Cables that benchmarks move: a mooring chain and a vehicle's tether, and records of the force at their moving end.
#ifndef HW_BENCH_CABLE_RIGS_H
#define HW_BENCH_CABLE_RIGS_H

#include "hawser/hawser.h"

// How a rig is solved.
typedef struct hwRigSolver {
    double tolerance; // 0: the solver's own
    double max;       // s, longest step; 0: none
} hwRigSolver;

// Chain of 600 m, 90 mm, 77 kg/m, EA = 3.84e8 N: anchored 540 m away at 200 m depth, its fairlead at 10 m depth surging 2 m
// with 10 s; about 184 m of it lie on the bottom. Internal damping 0.0105 s times EA: 0.8 of critical for elements of 30 m,
// the usual choice with such chains.
hwWorld* hwRig_MakeChain(int elements, bool straight, hwRigSolver solver, hwError* error);

// Tether of 100 m, 7.6 mm, neutrally buoyant, EA = 1e5 N, EI = 0.5 N m2, in a current of 0.5 m/s: one end fixed, the other on
// a slow path of 8, 12 and 6 m at 120, 100 and 80 s.
hwWorld* hwRig_MakeTether(int elements, hwRigSolver solver, hwError* error);
// Where the tether's moving end is and how fast it goes.
hwSignalValue hwRig_GetTetherEnd(double time);

#define HW_TETHER_LENGTH 100.0
#define HW_TETHER_DIAMETER 0.0076
#define HW_TETHER_DRAG 1.2
#define HW_TETHER_FRICTION 0.01 // tangential drag
#define HW_TETHER_EI 0.5
#define HW_TETHER_CURRENT 0.5
#define HW_TETHER_START                                                                                      \
    { 0.0, 0.0, -5.0 }

// Wire of 50 m, 24 mm, whose end is drawn away at 2 m/s and back: taut at the farthest point when `snaps`, else slack all the
// time. For 5 s.
hwWorld* hwRig_MakeSnap(bool snaps, hwError* error);

// Force at end b at each step of the solver.
typedef struct hwRigRecord {
    int count, capacity;
    double *times, *forces;
} hwRigRecord;

// Time in s that this thread has had from the processor: what others do on the machine does not count.
double hwRig_GetTime(void);

// Runs for `time` s, asked for `frame` s at a time. Fills the record when it is not null, otherwise only `seconds`.
hwStatus hwRig_Run(hwWorld* world, double time, double frame, hwRigRecord* record, double* seconds,
                   hwError* error);
void hwRigRecord_Add(hwRigRecord* record, double time, double force);
void hwRigRecord_Free(hwRigRecord* record);
// RMS of the difference over the RMS of the reference's varying part, after `from` s.
double hwRigRecord_Compare(const hwRigRecord* record, const hwRigRecord* reference, double from);

#endif
