// An independent solution for mechanisms in a plane: Lagrange's equations in absolute angles, solved densely and
// integrated by extrapolation. Shares nothing with the library.
#ifndef HW_CASES_PLANAR_CHAIN_H
#define HW_CASES_PLANAR_CHAIN_H

#include <stdbool.h>

#define HW_PLANAR_LINKS 4

// Bodies one behind the other in the x-z plane. Angle phi turns body axes about y; a body's next joint is at `length`
// along its own -z, its centre of mass at `center` along -z.
typedef struct hwPlanarChain {
    int count;
    bool free;      // the first body has no joint: it moves in the plane
    double gravity; // m/s2
    double mass[HW_PLANAR_LINKS], length[HW_PLANAR_LINKS], center[HW_PLANAR_LINKS], inertia[HW_PLANAR_LINKS];
} hwPlanarChain;

// State: x, z of the first body's origin, then absolute angles; then their rates. 2 (count + 2) numbers.
void hwPlanarChain_Integrate(const hwPlanarChain* chain, double duration, double* state);

#endif
