// Small dense systems.
#ifndef HW_MATH_DENSE_H
#define HW_MATH_DENSE_H

#include "hawser/math.h"
#include "math/spatial.h"

#include <stdbool.h>

// Cholesky factor of the n x n matrix a (row stride n, lower triangle used), in place: a = L L^T. False when a is not
// positive definite; then the content is undefined.
bool hwCholesky(int n, double* a);

// Solves L L^T x = b in place.
void hwCholeskySolve(int n, const double* l, double* x);

// U' D U of a symmetric positive definite matrix, of which only the upper half is read: U above the diagonal, 1 / D on it. By rows, whole
// rows at a time. False: it is not positive definite.
bool hwFactorUpper(int n, double* a);
void hwSolveUpper(int n, const double* u, double* x);

// Factors of the n x n matrix a (row stride n) with pivoting by rows, in place; `order` gets n row numbers. False when a
// pivot is zero or not finite; then the content is undefined.
bool hwLu(int n, double* a, int* order);
// Solves with these factors; b and x must differ.
void hwLuSolve(int n, const double* lu, const int* order, const double* b, double* x);

// Eigenvalues of a symmetric 3x3, ascending (Jacobi rotations: accurate for small ones too).
void hwEigenvaluesSym3(hwSym3 m, double values[3]);

// Smallest eigenvalue of a symmetric n x n matrix, n <= 6, by Jacobi rotations.
double hwSmallestEigenvalue(int n, const double* a);

#endif
