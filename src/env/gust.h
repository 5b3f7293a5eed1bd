// Gusts: a stationary random factor on the wind.
#ifndef HW_ENV_GUST_H
#define HW_ENV_GUST_H

#include <stdint.h>

#define HW_GUST_HARMONICS 128

// Sum of sines of one amplitude.
typedef struct hwGust {
    double amplitude;                // 0: no gust
    double omega[HW_GUST_HARMONICS]; // rad/s
    double phase[HW_GUST_HARMONICS]; // rad
} hwGust;

// `intensity` is the standard deviation over the mean speed, `speed` (m/s, positive) the mean speed 10 m up.
void hwGust_Fill(hwGust* gust, double intensity, double speed, uint64_t seed);

// The fluctuation of the wind over its mean, and its rate (1/s).
void hwGust_Evaluate(const hwGust* gust, double time, double* value, double* rate);

#endif
