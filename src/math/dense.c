#include "math/dense.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

bool hwCholesky(int n, double* a) {
    for (int j = 0; j < n; ++j) {
        double d = a[j * n + j];
        for (int k = 0; k < j; ++k) d -= a[j * n + k] * a[j * n + k];
        if (!(d > 0.0)) return false;
        d = sqrt(d);
        a[j * n + j] = d;
        double inverse = 1.0 / d;
        for (int i = j + 1; i < n; ++i) {
            double s = a[i * n + j];
            for (int k = 0; k < j; ++k) s -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = s * inverse;
        }
    }
    return true;
}

void hwCholeskySolve(int n, const double* l, double* x) {
    for (int i = 0; i < n; ++i) {
        double s = x[i];
        for (int k = 0; k < i; ++k) s -= l[i * n + k] * x[k];
        x[i] = s / l[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        double s = x[i];
        for (int k = i + 1; k < n; ++k) s -= l[k * n + i] * x[k];
        x[i] = s / l[i * n + i];
    }
}

bool hwFactorUpper(int n, double* a) {
    for (int k = 0; k < n; ++k) {
        double* own = a + (ptrdiff_t)k * n;
        if (!(own[k] > 0.0)) return false;
        double inverse = own[k] = 1.0 / own[k];
        for (int i = k + 1; i < n; ++i) {
            double *row = a + (ptrdiff_t)i * n, part = own[i] * inverse;
            for (int j = i; j < n; ++j) row[j] -= part * own[j];
        }
        for (int j = k + 1; j < n; ++j) own[j] *= inverse;
    }
    return true;
}

void hwSolveUpper(int n, const double* u, double* x) {
    for (int k = 0; k < n; ++k) {
        const double* own = u + (ptrdiff_t)k * n;
        for (int j = k + 1; j < n; ++j) x[j] -= own[j] * x[k];
    }
    for (int k = n - 1; k >= 0; --k) {
        const double* own = u + (ptrdiff_t)k * n;
        double s = x[k] * own[k];
        for (int j = k + 1; j < n; ++j) s -= own[j] * x[j];
        x[k] = s;
    }
}

bool hwLu(int n, double* a, int* order) {
    for (int i = 0; i < n; ++i) order[i] = i;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        }
        for (int j = 0; j < n && best != k; ++j) {
            double swap = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = swap;
        }
        int row = order[k];
        order[k] = order[best];
        order[best] = row;
        double pivot = a[k * n + k];
        if (!isfinite(pivot) || pivot == 0.0) return false;
        for (int i = k + 1; i < n; ++i) {
            double factor = a[i * n + k] /= pivot;
            for (int j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return true;
}

void hwLuSolve(int n, const double* lu, const int* order, const double* b, double* x) {
    for (int i = 0; i < n; ++i) {
        double s = b[order[i]];
        for (int k = 0; k < i; ++k) s -= lu[i * n + k] * x[k];
        x[i] = s;
    }
    for (int i = n - 1; i >= 0; --i) {
        double s = x[i];
        for (int k = i + 1; k < n; ++k) s -= lu[i * n + k] * x[k];
        x[i] = s / lu[i * n + i];
    }
}

// Cyclic Jacobi sweeps leave the eigenvalues on the diagonal of m (n x n, n <= 6).
static void DiagonalizeSym6(int n, double m[36]) {
    for (int sweep = 0; sweep < 30; ++sweep) {
        double off = 0.0, on = 0.0;
        for (int i = 0; i < n; ++i) {
            on += m[i * n + i] * m[i * n + i];
            for (int j = i + 1; j < n; ++j) off += m[i * n + j] * m[i * n + j];
        }
        if (off <= 1e-34 * on) return;
        for (int p = 0; p < n; ++p) {
            for (int q = p + 1; q < n; ++q) {
                double apq = m[p * n + q];
                if (apq == 0.0) continue;
                double theta = 0.5 * (m[q * n + q] - m[p * n + p]) / apq;
                double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < n; ++k) {
                    double akp = m[k * n + p], akq = m[k * n + q];
                    m[k * n + p] = c * akp - s * akq;
                    m[k * n + q] = s * akp + c * akq;
                }
                for (int k = 0; k < n; ++k) {
                    double apk = m[p * n + k], aqk = m[q * n + k];
                    m[p * n + k] = c * apk - s * aqk;
                    m[q * n + k] = s * apk + c * aqk;
                }
            }
        }
    }
}

void hwEigenvaluesSym3(hwSym3 s, double values[3]) {
    double m[36] = {s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz};
    DiagonalizeSym6(3, m);
    double a = m[0], b = m[4], c = m[8];
    values[0] = hwFmin(a, hwFmin(b, c));
    values[2] = hwFmax(a, hwFmax(b, c));
    values[1] = hwFmax(hwFmin(a, b), hwFmin(hwFmax(a, b), c));
}

double hwSmallestEigenvalue(int n, const double* a) {
    double m[36];
    memcpy(m, a, (size_t)(n * n) * sizeof(double));
    DiagonalizeSym6(n, m);
    double smallest = m[0];
    for (int i = 1; i < n; ++i) smallest = hwFmin(smallest, m[i * n + i]);
    return smallest;
}
