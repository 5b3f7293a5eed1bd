#include "cases/fossen.h"

#include <math.h>
#include <string.h>

// Solves the n x n system a x = b by Gaussian elimination with pivoting; b becomes x.
static void SolveGauss(int n, double a[6][6], double* b) {
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i) {
            if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
        }
        for (int j = 0; j < n; ++j) {
            double swap = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        double swap = b[k];
        b[k] = b[pivot];
        b[pivot] = swap;
        for (int i = k + 1; i < n; ++i) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

static void GetColumn(const hwThrusterDef* t, double column[6]) {
    hwVec3 moment = hwCross(t->position, t->axis);
    const double values[6] = {t->axis.x, t->axis.y, t->axis.z, moment.x, moment.y, moment.z};
    memcpy(column, values, sizeof(values));
}

// f = B^T (B B^T)^-1 wrench
void hwFossen_Allocate(hwFossen* fossen, const double wrench[6]) {
    double columns[HW_MAX_THRUSTERS][6], square[6][6] = {{0.0}}, x[6];
    int count = fossen->def->thrusterCount;
    for (int i = 0; i < count; ++i) {
        GetColumn(&fossen->def->thrusters[i], columns[i]);
        for (int k = 0; k < 6; ++k) {
            for (int l = 0; l < 6; ++l) square[k][l] += columns[i][k] * columns[i][l];
        }
    }
    memcpy(x, wrench, sizeof(x));
    SolveGauss(6, square, x);
    for (int i = 0; i < count; ++i) {
        fossen->wanted[i] = 0.0;
        for (int k = 0; k < 6; ++k) fossen->wanted[i] += columns[i][k] * x[k];
    }
}

// The thrusters' wrench in body axes x forward, y starboard, z down, and the rates of their propellers. Thrust over speed as
// vehicle files define it: t^2 = x^2 (|t| + 0.002).
static void AddThrust(const hwFossen* f, const double* nu, const double* speeds, double* tau, double* rates) {
    for (int i = 0; i < f->def->thrusterCount; ++i) {
        const hwThrusterDef* t = &f->def->thrusters[i];
        double strength = f->wanted[i] < 0.0 ? t->reverse : t->forward, share = f->wanted[i] / strength;
        double x = speeds[i], target = share / sqrt(fabs(share) + 0.002);
        rates[i] = (target - x) / t->timeConstant;
        double still = (x < 0.0 ? t->reverse : t->forward) *
                       copysign((x * x + sqrt(x * x * x * x + 0.008 * x * x)) / 2.0, x);
        double r[3] = {t->position.x, -t->position.y, -t->position.z},
               a[3] = {t->axis.x, -t->axis.y, -t->axis.z};
        double v[3] = {nu[0] + nu[4] * r[2] - nu[5] * r[1], nu[1] + nu[5] * r[0] - nu[3] * r[2],
                       nu[2] + nu[3] * r[1] - nu[4] * r[0]};
        double inflow = v[0] * a[0] + v[1] * a[1] + v[2] * a[2];
        double loss = (x < 0.0 ? t->reverse : t->forward) * fabs(x) * inflow / t->advance;
        double force = still - loss, torque = -t->hand * t->torque * still;
        tau[0] += force * a[0];
        tau[1] += force * a[1];
        tau[2] += force * a[2];
        tau[3] += (r[1] * a[2] - r[2] * a[1]) * force + torque * a[0];
        tau[4] += (r[2] * a[0] - r[0] * a[2]) * force + torque * a[1];
        tau[5] += (r[0] * a[1] - r[1] * a[0]) * force + torque * a[2];
    }
}

// M_RB nu' + C_RB(nu) nu + M_A nu_r' + C_A(nu_r) nu_r + D(nu_r) nu_r + g(eta) = tau with a steady, irrotational current
// (Fossen 2011, equations 6.1, 8.11 and 4.6); eta' = J(eta) nu with J1 and J2 of Fabekovic et al. (2006), J1 corrected.
static void Evaluate(const hwFossen* f, const double* y, double* rates) {
    const hwBodyDef* body = &f->def->body;
    double sf = sin(y[3]), cf = cos(y[3]), st = sin(y[4]), ct = cos(y[4]), sp = sin(y[5]), cp = cos(y[5]);
    const double J1[3][3] = {{cp * ct, -sp * cf + cp * st * sf, sp * sf + cp * st * cf},
                             {sp * ct, cp * cf + sp * st * sf, -cp * sf + sp * st * cf},
                             {-st, ct * sf, ct * cf}};
    const double* nu = y + 6;
    double rigid[6] = {body->mass,       body->mass,       body->mass,
                       body->inertia[0], body->inertia[1], body->inertia[2]};
    double added[6], relative[6], drift[6] = {0.0}, tau[6] = {0.0};
    for (int k = 0; k < 6; ++k) added[k] = body->hydro.addedMass[k][k];
    for (int k = 0; k < 3; ++k) {
        double stream = J1[0][k] * f->current[0] + J1[1][k] * f->current[1] + J1[2][k] * f->current[2];
        relative[k] = nu[k] - stream;
        relative[3 + k] = nu[3 + k];
        drift[k] = stream;
    }
    AddThrust(f, relative, y + 12, tau, rates + 12);
    for (int k = 0; k < 6; ++k) {
        tau[k] -=
            (body->hydro.linearDrag[k] + body->hydro.quadraticDrag[k] * fabs(relative[k])) * relative[k];
    }
    // C nu = [w x P; w x L + v x P] of rigid body and added mass
    for (int part = 0; part < 2; ++part) {
        const double* m = part == 0 ? rigid : added;
        const double* v = part == 0 ? nu : relative;
        double P[3] = {m[0] * v[0], m[1] * v[1], m[2] * v[2]}, L[3] = {m[3] * v[3], m[4] * v[4], m[5] * v[5]};
        const double* w = v + 3;
        tau[0] -= w[1] * P[2] - w[2] * P[1];
        tau[1] -= w[2] * P[0] - w[0] * P[2];
        tau[2] -= w[0] * P[1] - w[1] * P[0];
        tau[3] -= w[1] * L[2] - w[2] * L[1] + v[1] * P[2] - v[2] * P[1];
        tau[4] -= w[2] * L[0] - w[0] * L[2] + v[2] * P[0] - v[0] * P[2];
        tau[5] -= w[0] * L[1] - w[1] * L[0] + v[0] * P[1] - v[1] * P[0];
    }
    double weight = body->mass * f->gravity, buoyancy = f->density * f->gravity * body->hydro.volume;
    double zb = -body->hydro.buoyancyCenter.z;
    tau[0] -= (weight - buoyancy) * st;
    tau[1] += (weight - buoyancy) * ct * sf;
    tau[2] += (weight - buoyancy) * ct * cf;
    tau[3] -= -zb * buoyancy * ct * sf;
    tau[4] -= -zb * buoyancy * st;
    // nu_r' = nu' - d/dt (R^T current) = nu' + w x (R^T current)
    const double* w = nu + 3;
    const double turning[3] = {w[1] * drift[2] - w[2] * drift[1], w[2] * drift[0] - w[0] * drift[2],
                               w[0] * drift[1] - w[1] * drift[0]};
    for (int k = 0; k < 3; ++k) {
        rates[k] = J1[k][0] * nu[0] + J1[k][1] * nu[1] + J1[k][2] * nu[2];
        rates[6 + k] = (tau[k] - added[k] * turning[k]) / (rigid[k] + added[k]);
        rates[9 + k] = tau[3 + k] / (rigid[3 + k] + added[3 + k]);
    }
    rates[3] = nu[3] + sf * st / ct * nu[4] + cf * st / ct * nu[5];
    rates[4] = cf * nu[4] - sf * nu[5];
    rates[5] = sf / ct * nu[4] + cf / ct * nu[5];
}

void hwFossen_Run(hwFossen* fossen, double duration, int steps) {
    int size = 12 + fossen->def->thrusterCount;
    double h = duration / steps, k[4][HW_FOSSEN_SIZE], y[HW_FOSSEN_SIZE];
    static const double nodes[4] = {0.0, 0.5, 0.5, 1.0};
    for (int step = 0; step < steps; ++step) {
        for (int stage = 0; stage < 4; ++stage) {
            for (int i = 0; i < size; ++i) {
                y[i] = fossen->state[i] + (stage > 0 ? nodes[stage] * h * k[stage - 1][i] : 0.0);
            }
            Evaluate(fossen, y, k[stage]);
        }
        for (int i = 0; i < size; ++i) {
            fossen->state[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
    }
}
