// With linear motion first, the 6x6 inertia of a rigid body of mass m, first moment s = m c and inertia I about its
// centre of mass c is, at the origin,
//
//     [ m 1     -[s]x                     ]
//     [ [s]x     I + (s.s 1 - s s^T) / m  ]
//
// A symmetric positive matrix M = [A B; B^T C] is that only when A is a multiple of 1, B is skew, and I is positive with
// no principal moment larger than the sum of the other two. Otherwise it holds water, and we look for the heaviest
// rigid body that leaves a positive semidefinite rest:
//
// - s is the skew part of B; the rest keeps its symmetric part S;
// - m is at most the smallest eigenvalue of A, because the rest A - m 1 must not be negative;
// - by Schur's complement the rest is positive when its angular block is at least S (A - m 1)^-1 S, so that the body's
//   inertia is what C leaves after that and the transport term, with the largest principal moment cut to the sum of the
//   others.
//
// m is lowered from the eigenvalue until such an inertia exists. Should there be none, the same is done with s = 0 and
// all of B in the rest, which succeeds for every positive definite M when m is small enough.
#include "sms_mass.h"

#include <string.h>

typedef double Mat[3][3];

// A = L L^T; false when it is not positive definite.
static bool Factor(Mat a, Mat l) {
    memset(l, 0, sizeof(Mat));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0.0)) return false;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    }
    return true;
}

// b^T a^-1 b for positive definite a.
static bool Schur(Mat a, Mat b, Mat out) {
    Mat l, y;
    if (!Factor(a, l)) return false;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            double sum = b[i][c];
            for (int k = 0; k < i; k++) sum -= l[i][k] * y[k][c];
            y[i][c] = sum / l[i][i];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) out[i][j] = y[0][i] * y[0][j] + y[1][i] * y[1][j] + y[2][i] * y[2][j];
    }
    return true;
}

// Eigenvalues and columns of eigenvectors by Jacobi's rotations.
static void Eigen(Mat a, double values[3], Mat vectors) {
    Mat m;
    memcpy(m, a, sizeof(Mat));
    memset(vectors, 0, sizeof(Mat));
    for (int i = 0; i < 3; i++) vectors[i][i] = 1.0;
    for (int sweep = 0; sweep < 30; sweep++) {
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                if (m[p][q] == 0.0) continue;
                double theta = 0.5 * (m[q][q] - m[p][p]) / m[p][q];
                double t = copysign(1.0, theta) / (fabs(theta) + hwHypot(1.0, theta));
                double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
                for (int k = 0; k < 3; k++) {
                    double kp = m[k][p], kq = m[k][q];
                    m[k][p] = c * kp - s * kq;
                    m[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < 3; k++) {
                    double pk = m[p][k], qk = m[q][k];
                    m[p][k] = c * pk - s * qk;
                    m[q][k] = s * pk + c * qk;
                }
                for (int k = 0; k < 3; k++) {
                    double kp = vectors[k][p], kq = vectors[k][q];
                    vectors[k][p] = c * kp - s * kq;
                    vectors[k][q] = s * kp + c * kq;
                }
            }
        }
    }
    for (int i = 0; i < 3; i++) values[i] = m[i][i];
}

// Cuts the largest principal moment to the sum of the others, where no real body would have it. True when it did.
static bool CutInertia(Mat inertia) {
    double values[3];
    Mat vectors;
    Eigen(inertia, values, vectors);
    int largest = values[0] >= values[1] ? 0 : 1;
    if (values[2] > values[largest]) largest = 2;
    double excess = 2.0 * values[largest] - (values[0] + values[1] + values[2]);
    if (!(excess > 1e-9 * values[largest])) return false;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) inertia[i][j] -= excess * vectors[i][largest] * vectors[j][largest];
    }
    return true;
}

typedef struct Blocks {
    Mat a, b, c;
    double size; // largest entry of c, for rounding
} Blocks;

// The rigid body of mass m and first moment s, when one fits.
static bool TryBody(const Blocks* blocks, double m, const double s[3], hwMassParts* out) {
    Mat a, rest, need = {{0.0}}, inertia, l;
    const double cross[3][3] = {{0.0, -s[2], s[1]}, {s[2], 0.0, -s[0]}, {-s[1], s[0], 0.0}};
    double square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], largest = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a[i][j] = blocks->a[i][j] - (i == j ? m : 0.0);
            rest[i][j] = blocks->b[i][j] + cross[i][j];
            largest = hwFmax(largest, fabs(rest[i][j]));
        }
    }
    bool coupled = largest > 1e-12 * sqrt(blocks->size * m);
    if (coupled && !Schur(a, rest, need)) return false;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            inertia[i][j] = blocks->c[i][j] - need[i][j] - ((i == j ? square : 0.0) - s[i] * s[j]) / m;
        }
    }
    if (!Factor(inertia, l)) return false;
    CutInertia(inertia);
    // With almost no inertia left the body would turn without resistance; better a lighter one.
    if (!Factor(inertia, l) || inertia[0][0] + inertia[1][1] + inertia[2][2] < 1e-6 * blocks->size)
        return false;
    out->mass = m;
    out->com = hwMakeVec3(s[0] / m, s[1] / m, s[2] / m);
    const double flat[6] = {inertia[0][0], inertia[1][1], inertia[2][2],
                            inertia[0][1], inertia[0][2], inertia[1][2]};
    memcpy(out->inertia, flat, sizeof(flat));
    return true;
}

static void Subtract(const double matrix[6][6], hwMassParts* out) {
    const double m = out->mass, s[3] = {m * out->com.x, m * out->com.y, m * out->com.z};
    const double cross[3][3] = {{0.0, -s[2], s[1]}, {s[2], 0.0, -s[0]}, {-s[1], s[0], 0.0}};
    const double* I = out->inertia;
    const double inertia[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    double square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->addedMass[i][j] = matrix[i][j] - (i == j ? m : 0.0);
            out->addedMass[i][j + 3] = matrix[i][j + 3] + cross[i][j];
            out->addedMass[i + 3][j] = matrix[i + 3][j] - cross[i][j];
            out->addedMass[i + 3][j + 3] =
                matrix[i + 3][j + 3] - inertia[i][j] - ((i == j ? square : 0.0) - s[i] * s[j]) / m;
        }
    }
}

// Rounding leaves dust where the rest is zero; true when there is nothing else.
static bool SweepDust(const double matrix[6][6], hwMassParts* out) {
    bool clean = true;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double scale = sqrt(fabs(matrix[i][i] * matrix[j][j]));
            if (fabs(out->addedMass[i][j]) <= 1e-9 * scale) {
                out->addedMass[i][j] = 0.0;
            } else {
                clean = false;
            }
        }
    }
    return clean;
}

static bool IsPositive(const double matrix[6][6]) {
    double l[6][6] = {{0.0}};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = matrix[i][j];
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0.0)) return false;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    }
    return true;
}

hwMassKind hwSplitMass(const double matrix[6][6], hwMassParts* out) {
    memset(out, 0, sizeof(*out));
    if (!IsPositive(matrix)) return HW_MASS_UNUSABLE;
    Blocks blocks = {.size = 0.0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            blocks.a[i][j] = matrix[i][j];
            blocks.b[i][j] = matrix[i][j + 3];
            blocks.c[i][j] = matrix[i + 3][j + 3];
            blocks.size = hwFmax(blocks.size, fabs(blocks.c[i][j]));
        }
    }
    double values[3];
    Mat vectors;
    Eigen(blocks.a, values, vectors);
    double most = hwFmin(values[0], hwFmin(values[1], values[2]));
    const double moment[3] = {0.5 * (blocks.b[1][2] - blocks.b[2][1]),
                              0.5 * (blocks.b[2][0] - blocks.b[0][2]),
                              0.5 * (blocks.b[0][1] - blocks.b[1][0])};
    const double none[3] = {0.0, 0.0, 0.0};
    for (int attempt = 0; attempt < 2; attempt++) {
        // Two hundred steps are finer than anyone's knowledge of an added mass.
        for (int i = 0; i < 200; i++) {
            if (!TryBody(&blocks, most * (1.0 - i / 200.0), attempt == 0 ? moment : none, out)) continue;
            Subtract(matrix, out);
            return SweepDust(matrix, out) ? HW_MASS_RIGID : HW_MASS_SPLIT;
        }
    }
    return HW_MASS_UNUSABLE;
}
