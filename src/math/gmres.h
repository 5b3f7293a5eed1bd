// Restarted GMRES (Saad & Schultz 1986) with right preconditioning, for systems given by their products.
#ifndef HW_MATH_GMRES_H
#define HW_MATH_GMRES_H

#include "base/memory.h"

#define HW_GMRES_BASIS 30

// y = A x
typedef void hwProductFn(void* context, const double* x, double* y);

typedef struct hwGmres {
    int size;
    double* basis;   // [HW_GMRES_BASIS + 1][size]
    double* product; // [size]
    double* image;   // [size]
} hwGmres;

void hwGmres_Take(hwGmres* gmres, hwArena* arena, int size);

// Improves x until |b - A x| <= tolerance |b| or `iterations` products were formed. `precondition` computes y = P^-1 x.
// Returns the relative residual reached.
double hwGmres_Solve(hwGmres* gmres, hwProductFn* multiply, hwProductFn* precondition, void* context,
                     const double* b, double* x, double tolerance, int iterations);

#endif
