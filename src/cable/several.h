// The matrices of several cables at once. Elimination goes from node to node, and each has to wait for the divisions of the one
// before; meanwhile a processor has room for other cables. Bit for bit what the functions of cable.h give one by one.
#ifndef HW_CABLE_SEVERAL_H
#define HW_CABLE_SEVERAL_H

#include "cable/cable.h"

#define HW_SEVERAL 3 // cables, at most: with more at once nothing was gained

// hwCableWork_Factor, without ports. Not null: right-hand sides for which hwCableWorks_Reduce is called next, which then finds its
// work done where it could be done on the way.
void hwCableWorks_Factor(int count, hwCableWork* const* works, const hwVec3* const* rhs);
// hwCableWork_Reduce, nothing known of the ends, no rotations.
void hwCableWorks_Reduce(int count, hwCableWork* const* works, const hwVec3* const* rhs);
// hwCableWork_Solve.
void hwCableWorks_Solve(int count, hwCableWork* const* works, double (*separators)[2][6],
                        hwVec3* const* increments);

#endif
