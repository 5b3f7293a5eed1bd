#include "cases/planar_chain.h"

#include <math.h>
#include <string.h>

#define SIZE (HW_PLANAR_LINKS + 2)
#define COLUMNS 7 // of the extrapolation

// Velocity of body k's centre by the generalised velocities: rows x and z. A point at `s` along -z of a body at angle phi
// is at s (-sin phi, -cos phi).
static void Jacobian(const hwPlanarChain* c, const double* q, int k, double J[2][SIZE]) {
    memset(J, 0, 2 * sizeof(J[0]));
    J[0][0] = J[1][1] = 1.0;
    for (int i = 0; i <= k; ++i) {
        double s = i == k ? c->center[i] : c->length[i];
        J[0][2 + i] = -s * cos(q[2 + i]);
        J[1][2 + i] = s * sin(q[2 + i]);
    }
}

static void Solve(int n, double A[SIZE][SIZE], double* b) {
    for (int k = 0; k < n; ++k) {
        for (int i = k + 1; i < n; ++i) {
            double f = A[i][k] / A[k][k];
            for (int j = k; j < n; ++j) A[i][j] -= f * A[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j) b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
}

static void Rates(const hwPlanarChain* c, const double* y, double* rates) {
    int n = c->count + 2;
    const double *q = y, *v = y + n;
    double M[SIZE][SIZE], b[SIZE], J[2][SIZE];
    memset(M, 0, sizeof(M));
    memset(b, 0, sizeof(b));
    for (int k = 0; k < c->count; ++k) {
        Jacobian(c, q, k, J);
        // what is left of the centre's acceleration when the generalised ones are zero: towards each pivot
        double ax = 0.0, az = 0.0;
        for (int i = 0; i <= k; ++i) {
            double s = i == k ? c->center[i] : c->length[i], w2 = v[2 + i] * v[2 + i];
            ax += s * sin(q[2 + i]) * w2;
            az += s * cos(q[2 + i]) * w2;
        }
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) M[i][j] += c->mass[k] * (J[0][i] * J[0][j] + J[1][i] * J[1][j]);
            b[i] -= c->mass[k] * (J[0][i] * ax + J[1][i] * (az + c->gravity));
        }
        M[2 + k][2 + k] += c->inertia[k];
    }
    for (int i = 0; i < 2 && !c->free; ++i) {
        for (int j = 0; j < n; ++j) M[i][j] = M[j][i] = i == j ? 1.0 : 0.0;
        b[i] = 0.0;
    }
    Solve(n, M, b);
    for (int i = 0; i < n; ++i) {
        rates[i] = v[i];
        rates[n + i] = b[i];
    }
}

// Modified midpoint rule with `steps` steps over H (Gragg 1965).
static void Midpoint(const hwPlanarChain* c, const double* from, double H, int steps, double* out) {
    int n = 2 * (c->count + 2);
    double h = H / steps, a[2 * SIZE], b[2 * SIZE], f[2 * SIZE];
    memcpy(a, from, (size_t)n * sizeof(double));
    Rates(c, a, f);
    for (int i = 0; i < n; ++i) b[i] = a[i] + h * f[i];
    for (int s = 1; s < steps; ++s) {
        Rates(c, b, f);
        for (int i = 0; i < n; ++i) {
            double next = a[i] + 2.0 * h * f[i];
            a[i] = b[i];
            b[i] = next;
        }
    }
    Rates(c, b, f);
    for (int i = 0; i < n; ++i) out[i] = 0.5 * (a[i] + b[i] + h * f[i]);
}

void hwPlanarChain_Integrate(const hwPlanarChain* c, double duration, double* y) {
    int n = 2 * (c->count + 2), blocks = (int)ceil(duration / 0.02);
    double H = duration / blocks;
    for (int block = 0; block < blocks; ++block) {
        double table[COLUMNS][2 * SIZE];
        for (int k = 0; k < COLUMNS; ++k) {
            Midpoint(c, y, H, 2 * (k + 1), table[k]);
            // Neville's scheme in h^2
            for (int j = k - 1; j >= 0; --j) {
                double ratio = (double)(k + 1) / (double)(j + 1);
                for (int i = 0; i < n; ++i) {
                    table[j][i] = table[j + 1][i] + (table[j + 1][i] - table[j][i]) / (ratio * ratio - 1.0);
                }
            }
        }
        memcpy(y, table[0], (size_t)n * sizeof(double));
    }
}
