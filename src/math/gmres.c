#include "math/gmres.h"

#include "math/vectors.h"

#include <math.h>
#include <string.h>

void hwGmres_Take(hwGmres* gmres, hwArena* arena, int size) {
    gmres->size = size;
    gmres->basis = HW_TAKE(arena, double, (HW_GMRES_BASIS + 1) * (size_t)size);
    gmres->product = HW_TAKE(arena, double, size);
    gmres->image = HW_TAKE(arena, double, size);
}

// Arnoldi's process with modified Gram-Schmidt, the small least-squares problem kept triangular by Givens rotations.
typedef struct Projection {
    double H[HW_GMRES_BASIS + 1][HW_GMRES_BASIS];
    double cosine[HW_GMRES_BASIS], sine[HW_GMRES_BASIS];
    double g[HW_GMRES_BASIS + 1];
} Projection;

static void RotateColumn(Projection* p, int k) {
    for (int i = 0; i < k; ++i) {
        double upper = p->H[i][k], lower = p->H[i + 1][k];
        p->H[i][k] = p->cosine[i] * upper + p->sine[i] * lower;
        p->H[i + 1][k] = -p->sine[i] * upper + p->cosine[i] * lower;
    }
    double length = hwHypot(p->H[k][k], p->H[k + 1][k]);
    p->cosine[k] = length > 0.0 ? p->H[k][k] / length : 1.0;
    p->sine[k] = length > 0.0 ? p->H[k + 1][k] / length : 0.0;
    p->H[k][k] = length;
    p->g[k + 1] = -p->sine[k] * p->g[k];
    p->g[k] *= p->cosine[k];
}

double hwGmres_Solve(hwGmres* gmres, hwProductFn* multiply, hwProductFn* precondition, void* context,
                     const double* b, double* x, double tolerance, int iterations) {
    int n = gmres->size;
    double scale = sqrt(hwVector_Dot(n, b, b));
    if (!(scale > 0.0)) {
        memset(x, 0, (size_t)n * sizeof(double));
        return 0.0;
    }
    double relative = 1.0;
    while (iterations > 0) {
        Projection p;
        multiply(context, x, gmres->product);
        double* first = gmres->basis;
        for (int i = 0; i < n; ++i) first[i] = b[i] - gmres->product[i];
        double norm = sqrt(hwVector_Dot(n, first, first));
        relative = norm / scale;
        if (!(relative > tolerance) || !isfinite(norm)) return relative;
        for (int i = 0; i < n; ++i) first[i] /= norm;
        p.g[0] = norm;
        int k = 0;
        for (; k < HW_GMRES_BASIS && iterations > 0; ++k, --iterations) {
            double* w = gmres->basis + (size_t)(k + 1) * (size_t)n;
            precondition(context, gmres->basis + (size_t)k * (size_t)n, gmres->image);
            multiply(context, gmres->image, w);
            for (int i = 0; i <= k; ++i) {
                const double* v = gmres->basis + (size_t)i * (size_t)n;
                p.H[i][k] = hwVector_Dot(n, w, v);
                for (int j = 0; j < n; ++j) w[j] -= p.H[i][k] * v[j];
            }
            double length = sqrt(hwVector_Dot(n, w, w));
            p.H[k + 1][k] = length;
            RotateColumn(&p, k);
            relative = fabs(p.g[k + 1]) / scale;
            if (!(relative > tolerance) || !(length > 0.0)) {
                k += 1;
                break;
            }
            for (int j = 0; j < n; ++j) w[j] /= length;
        }
        // x += P^-1 V y
        double y[HW_GMRES_BASIS];
        for (int i = k - 1; i >= 0; --i) {
            double sum = p.g[i];
            for (int j = i + 1; j < k; ++j) sum -= p.H[i][j] * y[j];
            y[i] = p.H[i][i] != 0.0 ? sum / p.H[i][i] : 0.0;
        }
        memset(gmres->product, 0, (size_t)n * sizeof(double));
        for (int i = 0; i < k; ++i) {
            const double* v = gmres->basis + (size_t)i * (size_t)n;
            for (int j = 0; j < n; ++j) gmres->product[j] += y[i] * v[j];
        }
        precondition(context, gmres->product, gmres->image);
        for (int j = 0; j < n; ++j) x[j] += gmres->image[j];
        if (!(relative > tolerance)) return relative;
    }
    return relative;
}
