// Sines and cosines of many angles at once.
#ifndef HW_MATH_SINCOS_H
#define HW_MATH_SINCOS_H

// Sine and cosine of `count` angles (rad), to within an ulp or two. Angles beyond 1e5 go to the C library.
void hwSinCos(int count, const double* angles, double* sines, double* cosines);

#endif
