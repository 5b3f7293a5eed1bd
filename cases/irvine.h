// The elastic catenary in closed form (Irvine 1981, section 2.2), written here again so that nothing is shared with the
// library.
#ifndef HW_CASES_IRVINE_H
#define HW_CASES_IRVINE_H

// A cable of unstretched length L and weight W from the origin to a point `x` ahead and `z` below.
typedef struct hwIrvine {
    double length, weight, EA, x, z; // m, N, N, m, m
    double H, V;                     // N, tension at the origin: towards the end, and carrying it
} hwIrvine;

// Finds H and V.
void hwIrvine_Solve(hwIrvine* catenary);
// Point at unstretched distance s from the origin, its tangent (per stretched length) and tension.
void hwIrvine_GetPoint(const hwIrvine* catenary, double s, double* x, double* z, double* tx, double* tz,
                       double* tension);

#endif
