// Control allocation: the thruster forces f that give wanted forces and moments, within the thrusters' limits.
//
// Demands come in falling order of importance. Each keeps its direction: of demand k the share s_k, the largest in 0..1
// that the thrusters can still give besides the demands before it, is delivered,
//     B f = sum of s_k d_k,   low <= f <= high,
// and of all such f the one of least effort, half the sum of w_i f_i^2, is taken (Durham 1993 for the direction, Harkegard
// 2002 for the weighted least squares).
//
// On the optimum f_i = clamp(b_i . lambda / w_i), where b_i is thruster i's column of B and lambda the multipliers of the
// equality. As a share grows from 0, lambda moves along straight lines between points where a thruster meets or leaves a
// limit; following that path to its end solves both problems at once, exactly. A path ends where every thruster that
// could help is at its limit.
#ifndef HW_VEHICLE_ALLOCATION_H
#define HW_VEHICLE_ALLOCATION_H

#include "hawser/vehicle.h"

typedef struct hwAllocation {
    int count;                           // thrusters
    int rank;                            // independent directions that they command
    double basis[6][6];                  // [rank]: wrench to coordinates t, weighted by the axes' importance
    double reduced[HW_MAX_THRUSTERS][6]; // [thruster][rank] its column in these coordinates
    double inverse[HW_MAX_THRUSTERS][6]; // f = inverse t where no limit is met
    double low[HW_MAX_THRUSTERS], high[HW_MAX_THRUSTERS]; // N
    double weight[HW_MAX_THRUSTERS];
    double regularization; // what the smallest pivot is compared with
    double whole[36];      // [rank][rank] factor of the matrix of all thrusters, none at a limit
} hwAllocation;

// Prepares for thrusters with these wrenches per unit of force about the origin, linear then angular. An axis of zero
// weight is not controlled. A wrench outside the span of the thrusters is replaced by the nearest one within, in the norm
// of the axes' weights. False when the thrusters command nothing.
bool hwAllocation_Init(hwAllocation* allocation, int count, double (*columns)[6], const double* low,
                       const double* high, const double* weights, const double axisWeights[6]);

// Forces for `count` demands; `shares` receives what of each is delivered.
void hwAllocation_Solve(const hwAllocation* allocation, int count, double (*demands)[6], double* forces,
                        double* shares);

#endif
