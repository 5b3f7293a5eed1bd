// A 6x6 mass matrix as a rigid body and added mass.
#ifndef HW_IO_SMS_MASS_H
#define HW_IO_SMS_MASS_H

#include "hawser/math.h"

typedef enum hwMassKind {
    HW_MASS_RIGID,   // the matrix is that of a rigid body
    HW_MASS_SPLIT,   // rigid part and added mass, both positive
    HW_MASS_UNUSABLE // not positive definite
} hwMassKind;

typedef struct hwMassParts {
    double mass;            // kg
    hwVec3 com;             // m
    double inertia[6];      // kg m2 about the centre of mass: xx yy zz xy xz yz
    double addedMass[6][6]; // zero for a rigid body
} hwMassParts;

// `matrix` is symmetric, linear then angular, about the origin.
hwMassKind hwSplitMass(const double matrix[6][6], hwMassParts* out);

#endif
