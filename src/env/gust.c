#include "env/gust.h"

#include "base/random.h"
#include "env/kernels.h"
#include "hawser/math.h"

// Davenport (1961): n S(n) / variance = 2/3 x^2 / (1 + x^2)^(4/3) with x = 1200 m n / speed. Its shape needs nothing but
// the mean speed at 10 m, unlike Kaimal's or Simiu's, which ask for roughness and height.
// The share of the variance below x is F(x) = 1 - (1 + x^2)^(-1/3), which is inverted in closed form: the range up to
// 1 Hz is cut into bins of equal variance, each with one sine of amplitude sqrt(2/N) times the standard deviation,
// at a frequency drawn from the spectrum within the bin. The variance is exact; the frequencies have no common period.
// Above 1 Hz eddies are smaller than what this one gust for all places could stand for; the cut-off share is given
// to the rest.
#define LENGTH_SCALE 1200.0
#define HIGHEST_FREQUENCY 1.0
#define LANES 8 // sums side by side, for vector code; divides HW_GUST_HARMONICS

void hwGust_Fill(hwGust* gust, double intensity, double speed, uint64_t seed) {
    hwRandom random = {seed};
    double highest = LENGTH_SCALE * HIGHEST_FREQUENCY / speed;
    double whole = 1.0 - 1.0 / hwCbrt(1.0 + highest * highest);
    gust->amplitude = intensity * sqrt(2.0 / HW_GUST_HARMONICS);
    for (int i = 0; i < HW_GUST_HARMONICS; i++) {
        double rest = 1.0 - whole * (i + hwRandom_Uniform(&random)) / HW_GUST_HARMONICS;
        double x = sqrt(hwFmax(0.0, 1.0 / (rest * rest * rest) - 1.0));
        gust->omega[i] = 2.0 * HW_PI * x * speed / LENGTH_SCALE;
        gust->phase[i] = hwRandom_Range(&random, 0.0, 2.0 * HW_PI);
    }
}

void hwGust_Evaluate(const hwGust* gust, double time, double* value, double* rate) {
    *value = *rate = 0.0;
    if (gust->amplitude == 0.0) return;
    double cosine[HW_GUST_HARMONICS], sine[HW_GUST_HARMONICS];
    for (int i = 0; i < HW_GUST_HARMONICS; i++) {
        double s, c;
        hwSinCos(gust->omega[i] * time + gust->phase[i], &s, &c);
        cosine[i] = gust->omega[i] * c;
        sine[i] = s;
    }
    double sines[LANES] = {0.0}, cosines[LANES] = {0.0};
    for (int i = 0; i < HW_GUST_HARMONICS; i += LANES) {
        for (int l = 0; l < LANES; l++) {
            sines[l] += sine[i + l];
            cosines[l] += cosine[i + l];
        }
    }
    for (int l = 0; l < LANES; l++) {
        *value += gust->amplitude * sines[l];
        *rate += gust->amplitude * cosines[l];
    }
}
