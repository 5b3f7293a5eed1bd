// A floating body whose coefficients are known in closed form: radiation by one resonance,
//     Z(s) = b s / (s^2 + g s + w0^2),  B + i w (A - A_inf) = Z(i w),
//     K(t) = b exp(-g t / 2) (cos(wd t) - g / (2 wd) sin(wd t)).
#ifndef HW_TEST_DAMPER_H
#define HW_TEST_DAMPER_H

typedef struct Damper {
    double b, g, w0;
} Damper;

static inline double Damper_B(const Damper* d, double w) {
    double p = d->w0 * d->w0 - w * w, q = d->g * w;
    return d->b * d->g * w * w / (p * p + q * q);
}

static inline double Damper_A(const Damper* d, double w) {
    double p = d->w0 * d->w0 - w * w, q = d->g * w;
    return d->b * p / (p * p + q * q);
}

#endif
