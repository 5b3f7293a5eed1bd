#include "hydro/ship_response.h"

#include "hawser/elementary.h"
#include "math/attitude.h"

#include <math.h>
#include <string.h>

#define FREEDOMS HW_SHIP_FREEDOMS

// Response operators -----------------------------------------------------------------------------------------------------

// Index of the interval of `count` increasing values that holds x, and where in it; clamped to the ends.
static int LocateInterval(int count, const double* values, double x, double* fraction) {
    *fraction = 0.0;
    if (count == 1 || x <= values[0]) return 0;
    int i = 0;
    while (i + 2 < count && x > values[i + 1]) i += 1;
    *fraction = hwFmin(1.0, (x - values[i]) / (values[i + 1] - values[i]));
    return i;
}

// R for a heading in 0..pi and a period: linear between the table's complex values.
static void ReadOperator(const hwRaoDef* rao, double heading, double period, double real[FREEDOMS],
                         double imaginary[FREEDOMS]) {
    double h, p;
    int i = LocateInterval(rao->headingCount, rao->headings, heading, &h);
    int j = LocateInterval(rao->periodCount, rao->periods, period, &p);
    memset(real, 0, FREEDOMS * sizeof(double));
    memset(imaginary, 0, FREEDOMS * sizeof(double));
    for (int corner = 0; corner < 4; ++corner) {
        int di = corner / 2, dj = corner % 2;
        double weight = (di ? h : 1.0 - h) * (dj ? p : 1.0 - p);
        if (weight == 0.0) continue;
        const double* row = rao->rows + 2 * FREEDOMS * ((i + di) * rao->periodCount + j + dj);
        for (int k = 0; k < FREEDOMS; ++k) {
            real[k] += weight * row[2 * k] * hwCos(row[2 * k + 1]);
            imaginary[k] += weight * row[2 * k] * hwSin(row[2 * k + 1]);
        }
    }
}

// Mean of cos over -x..x, and of the slope of sin, weighted with the distance from the middle: both 1 for long waves.
static double MeanLevel(double x) {
    return fabs(x) < 1e-3 ? 1.0 - x * x / 6.0 : hwSin(x) / x;
}

static double MeanSlope(double x) {
    return fabs(x) < 1e-2 ? 1.0 - x * x / 10.0 : 3.0 * (hwSin(x) - x * hwCos(x)) / (x * x * x);
}

// Complex numbers by hand: the C library's division differs from platform to platform.
typedef struct Complex {
    double real, imaginary;
} Complex;

static Complex ScaleComplex(double s, Complex z) {
    return (Complex){s * z.real, s * z.imaginary};
}

static Complex DivideComplex(Complex a, Complex b) {
    double square = b.real * b.real + b.imaginary * b.imaginary;
    return (Complex){(a.real * b.real + a.imaginary * b.imaginary) / square,
                     (a.imaginary * b.real - a.real * b.imaginary) / square};
}

static Complex TimesI(Complex z) {
    return (Complex){-z.imaginary, z.real};
}

// R of a floating box of length L, beam B, draught T, by strips (Jensen, Mansour and Olsen 2004, Ocean Engineering 31, at
// rest): a strip's added mass is its own mass, its damping that of the waves it makes, A = 2 exp(-nu T) sin(nu B / 2) high
// for a heave of 1, nu = omega^2 / g. Against the water, whose motion has decayed by exp(-k T) at the bottom,
//     heave (1 - 2 nu T + i d) = (1 - nu T + i d) exp(-k T), d = A^2 / (nu B);
// averaged over length and beam, pitch likewise with the slope. The box surges, sways and yaws with the water, averaged
// over the draught too. Roll: 1 - s^2 + 2 i zeta s, s = omega over its natural frequency, against the slope.
static void ComputeOperator(const hwFloatingBoxDef* box, double gravity, double heading,
                            const hwWaveComponent* wave, double real[FREEDOMS], double imaginary[FREEDOMS]) {
    const double L = box->length, B = box->beam, T = box->draught, k = wave->k;
    double cosine = hwCos(heading), sine = hwSin(heading);
    double along = k * cosine, across = k * sine, nu = wave->omega * wave->omega / gravity;
    double level = MeanLevel(0.5 * along * L), levelAcross = MeanLevel(0.5 * across * B);
    double slope = MeanSlope(0.5 * along * L), slopeAcross = MeanSlope(0.5 * across * B);
    double made = 2.0 * hwExp(-nu * T) * hwSin(0.5 * nu * B), s = 0.5 * wave->omega * box->rollPeriod / HW_PI;
    double damping = made * made / (nu * B), bottom = hwExp(-k * T);
    Complex strip = DivideComplex((Complex){bottom * (1.0 - nu * T), bottom * damping},
                                  (Complex){1.0 - 2.0 * nu * T, damping});
    Complex roll = DivideComplex((Complex){bottom, 0.0}, (Complex){1.0 - s * s, 2.0 * box->rollDamping * s});
    // displacement of the water along the wave is -i k / nu at the surface
    Complex drift = {0.0, k / nu * hwExpm1(-k * T) / (k * T)};
    double turn = (L * L * slope * levelAcross - B * B * level * slopeAcross) / (L * L + B * B);
    const Complex answers[FREEDOMS] = {ScaleComplex(cosine * level * levelAcross, drift),
                                       ScaleComplex(sine * level * levelAcross, drift),
                                       ScaleComplex(level * levelAcross, strip),
                                       TimesI(ScaleComplex(-across * level * slopeAcross, roll)),
                                       TimesI(ScaleComplex(along * slope * levelAcross, strip)),
                                       TimesI(ScaleComplex(-along * sine * turn, drift))};
    for (int i = 0; i < FREEDOMS; ++i) {
        real[i] = answers[i].real;
        imaginary[i] = answers[i].imaginary;
    }
}

hwShipHarmonic hwShipHarmonic_Make(const hwRaoDef* rao, const hwFloatingBoxDef* box, double gravity,
                                   double bow, const hwWaveComponent* wave) {
    hwShipHarmonic harmonic = {.kx = wave->k * hwCos(wave->direction),
                               .ky = wave->k * hwSin(wave->direction),
                               .omega = wave->omega,
                               .phase = wave->phase};
    double heading = remainder(wave->direction - bow, 2.0 * HW_PI);
    if (rao->headingCount > 0) {
        ReadOperator(rao, fabs(heading), 2.0 * HW_PI / wave->omega, harmonic.real, harmonic.imaginary);
    } else {
        ComputeOperator(box, gravity, fabs(heading), wave, harmonic.real, harmonic.imaginary);
    }
    for (int k = 0; k < FREEDOMS; ++k) {
        // waves to the other side: sway, roll and yaw change sign
        double size = heading < 0.0 && k % 2 == 1 ? -wave->amplitude : wave->amplitude;
        harmonic.real[k] *= size;
        harmonic.imaginary[k] *= size;
    }
    return harmonic;
}

void hwShip_AddResponse(int count, const hwShipHarmonic* harmonics, hwVec3 growth, double time,
                        hwBodyState* state) {
    double x[FREEDOMS] = {0}, v[FREEDOMS] = {0}, a[FREEDOMS] = {0};
    for (int j = 0; j < count; ++j) {
        const hwShipHarmonic* h = &harmonics[j];
        double theta = h->kx * state->position.x + h->ky * state->position.y - h->omega * time + h->phase;
        double rate = h->kx * state->velocity.x + h->ky * state->velocity.y - h->omega;
        double change = h->kx * state->acceleration.x + h->ky * state->acceleration.y;
        double c, s;
        hwSinAndCos(theta, &s, &c);
        for (int k = 0; k < FREEDOMS; ++k) {
            // Re(R exp(-i theta)) and its derivatives
            double value = h->real[k] * c + h->imaginary[k] * s, slope = h->imaginary[k] * c - h->real[k] * s;
            x[k] += value;
            v[k] += rate * slope;
            a[k] += change * slope - rate * rate * value;
        }
    }
    hwVec3 g = growth;
    for (int k = 0; k < FREEDOMS; ++k) {
        a[k] = g.x * a[k] + 2.0 * g.y * v[k] + g.z * x[k];
        v[k] = g.x * v[k] + g.y * x[k];
        x[k] *= g.x;
    }
    hwQuat mean = state->attitude;
    state->position = hwAdd(state->position, hwRotate(mean, hwMakeVec3(x[0], x[1], x[2])));
    state->velocity = hwAdd(state->velocity, hwRotate(mean, hwMakeVec3(v[0], v[1], v[2])));
    state->acceleration = hwAdd(state->acceleration, hwRotate(mean, hwMakeVec3(a[0], a[1], a[2])));
    hwVec3 rpy = {x[3], x[4], x[5]}, rpyRate = {v[3], v[4], v[5]}, rpyAcceleration = {a[3], a[4], a[5]};
    state->attitude = hwMulQuat(mean, hwQuatFromRpy(rpy.x, rpy.y, rpy.z));
    state->rate = hwRateFromRpy(rpy, rpyRate);
    state->rateAcceleration = hwRateAccelerationFromRpy(rpy, rpyRate, rpyAcceleration);
}
