// Jacobi's elliptic functions, for exact solutions.
#ifndef HW_CASES_ELLIPTIC_H
#define HW_CASES_ELLIPTIC_H

// sn, cn, dn of u for the parameter m = k^2, 0 <= m < 1.
void hwJacobiElliptic(double u, double m, double* sn, double* cn, double* dn);

#endif
