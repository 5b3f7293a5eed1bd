// Drag and added mass of a solid from its shape alone: that of the ellipsoid with the same second moments of volume.
#include "base/error.h"
#include "hawser/hydro.h"
#include "hawser/shape.h"

#include <math.h>
#include <string.h>

#define DRAG 0.8         // on the ellipsoid's area: 1.05 on the face of a cube, 0.9 on a long cylinder across
#define DRAG_SPHERE 0.47 // of a sphere below its drag crisis

// Carlson's R_D(x, y, z) by duplication (Carlson 1979), to about 1e-12.
static double CarlsonD(double x, double y, double z) {
    double sum = 0.0, factor = 1.0;
    for (int i = 0; i < 40; i++) {
        double root = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
        sum += factor / (sqrt(z) * (z + root));
        factor *= 0.25;
        x = 0.25 * (x + root);
        y = 0.25 * (y + root);
        z = 0.25 * (z + root);
    }
    // after 40 quarterings all three are the same
    double mean = (x + y + 3.0 * z) / 5.0;
    return 3.0 * sum + factor / (mean * sqrt(mean));
}

typedef struct Solid {
    double volume;
    hwVec3 centroid;
    double second[3]; // m5: integrals of x2, y2, z2 about the centroid
} Solid;

static hwStatus SumShapes(int count, const hwShapeDef* shapes, Solid* solid, hwError* error) {
    memset(solid, 0, sizeof(*solid));
    hwVec3 first = hwVec3_zero;
    double second[3] = {0.0};
    for (int i = 0; i < count; i++) {
        hwMassProperties mass;
        hwStatus status = hwShape_ComputeMassProperties(&shapes[i], &mass, error);
        if (status != HW_OK) return status;
        const double* I = mass.inertia;
        const double c[3] = {mass.centroid.x, mass.centroid.y, mass.centroid.z};
        double half = 0.5 * (I[0] + I[1] + I[2]);
        for (int k = 0; k < 3; k++) second[k] += half - I[k] + mass.volume * c[k] * c[k];
        first = hwMulAdd(first, mass.volume, mass.centroid);
        solid->volume += mass.volume;
    }
    if (!(solid->volume > 0.0))
        return hwFail(error, HW_ERROR_ARGUMENT, "", "there are no shapes to tell drag and added mass from");
    solid->centroid = hwScale(1.0 / solid->volume, first);
    const double c[3] = {solid->centroid.x, solid->centroid.y, solid->centroid.z};
    for (int k = 0; k < 3; k++) solid->second[k] = second[k] - solid->volume * c[k] * c[k];
    return HW_OK;
}

// Lamb (1932), arts. 114 and 115: translation along and rotation about the axes of an ellipsoid of semi-axes s.
static void FindAddedMass(const double s[3], double density, double linear[3], double angular[3]) {
    double volume = 4.0 / 3.0 * HW_PI * s[0] * s[1] * s[2], square[3], share[3];
    for (int k = 0; k < 3; k++) square[k] = s[k] * s[k];
    for (int k = 0; k < 3; k++) {
        share[k] =
            2.0 / 3.0 * s[0] * s[1] * s[2] * CarlsonD(square[(k + 1) % 3], square[(k + 2) % 3], square[k]);
        linear[k] = density * volume * share[k] / (2.0 - share[k]);
    }
    for (int k = 0; k < 3; k++) {
        int j = (k + 1) % 3, l = (k + 2) % 3;
        double difference = square[j] - square[l], sum = square[j] + square[l];
        double below = 2.0 * difference + sum * (share[j] - share[l]);
        bool round = fabs(difference) < 1e-9 * sum; // turning about an axis of symmetry moves no water
        angular[k] =
            round ? 0.0 : density * volume / 5.0 * difference * difference * (share[l] - share[j]) / below;
    }
}

// From the centroid c to the origin: v_c = v + w x c.
static void PlaceAddedMass(const double linear[3], const double angular[3], hwVec3 c, double out[6][6]) {
    const double cross[3][3] = {{0.0, c.z, -c.y}, {-c.z, 0.0, c.x}, {c.y, -c.x, 0.0}}; // w -> w x c
    memset(out, 0, 36 * sizeof(double));
    for (int i = 0; i < 3; i++) {
        out[i][i] = linear[i];
        out[3 + i][3 + i] = angular[i];
        for (int j = 0; j < 3; j++) out[i][3 + j] = out[3 + j][i] = linear[i] * cross[i][j];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            for (int k = 0; k < 3; k++) out[3 + i][3 + j] += cross[k][i] * linear[k] * cross[k][j];
            out[3 + j][3 + i] = out[3 + i][3 + j]; // to the bit
        }
    }
}

hwStatus hwHydroDef_EstimateFromShapes(int shapeCount, const hwShapeDef* shapes, double waterDensity,
                                       hwHydroDef* hydro, hwError* error) {
    Solid solid;
    double s[3], linear[3], angular[3];
    if (!(waterDensity >= 0.0) || !isfinite(waterDensity))
        return hwFail(error, HW_ERROR_ARGUMENT, "", "the density of the water must be a number from 0 on");
    hwStatus status = hwCheckArray(shapeCount, shapes, NULL, "shapes", error);
    if (status == HW_OK && shapeCount == 0)
        status = hwFail(error, HW_ERROR_ARGUMENT, NULL, "without shapes there is nothing to estimate from");
    if (status == HW_OK) status = SumShapes(shapeCount, shapes, &solid, error);
    if (status != HW_OK) return status;
    for (int k = 0; k < 3; k++) s[k] = sqrt(5.0 * solid.second[k] / solid.volume);
    FindAddedMass(s, waterDensity, linear, angular);
    PlaceAddedMass(linear, angular, solid.centroid, hydro->addedMass);
    double coefficient = shapeCount == 1 && shapes[0].kind == HW_SHAPE_SPHERE ? DRAG_SPHERE : DRAG;
    double pressure = 0.5 * waterDensity * coefficient;
    for (int k = 0; k < 3; k++) {
        int j = (k + 1) % 3, l = (k + 2) % 3;
        hydro->quadraticDrag[k] = pressure * HW_PI * s[j] * s[l];
        // Strips across both other axes: the integral of |r|^3 over an ellipse is 8/15 s r^4.
        hydro->quadraticDrag[3 + k] =
            pressure * 8.0 / 15.0 * s[k] * (s[j] * s[j] * s[j] * s[j] + s[l] * s[l] * s[l] * s[l]);
    }
    return HW_OK;
}
