#include "hydro/buoyancy.h"

#include "geom/shape_data.h"

#include <math.h>

// A ball of the given volume stands in for a body without shapes.
static hwSubmergence CutBall(hwVec3 center, double volume, hwVec3 point, hwVec3 normal) {
    hwSubmergence cut = {0};
    double radius = hwCbrt(3.0 * volume / (4.0 * HW_PI));
    double height = hwDot(hwSub(center, point), normal); // of the centre above the surface
    if (height >= radius) return cut;
    if (height <= -radius) {
        cut.volume = volume;
        cut.centroid = center;
        return cut;
    }
    // Spherical cap of depth d below the surface.
    double d = radius - height;
    cut.volume = HW_PI * d * d * (3.0 * radius - d) / 3.0;
    double below =
        0.75 * (2.0 * radius - d) * (2.0 * radius - d) / (3.0 * radius - d); // centroid from the centre
    cut.centroid = hwMulAdd(center, -below, normal);
    double square = radius * radius - height * height;
    cut.area = HW_PI * square;
    cut.cutCentroid = hwMulAdd(center, -height, normal);
    cut.cutMoment[0] = cut.cutMoment[1] = 0.25 * HW_PI * square * square;
    return cut;
}

void hwDisplacement_Finish(hwDisplacement* result, const hwHydroInput* input) {
    double neutral = input->mass / input->waterDensity;
    double volume = input->def->volume > 0.0 ? input->def->volume : neutral;
    result->fraction = result->cut.volume / volume;
    double half = 0.5 * hwFmin(volume, neutral);
    if (!(result->cut.volume < half)) return;
    double x = result->cut.volume / half;
    result->wet = x * x * (3.0 - 2.0 * x);
    result->wetSlope = 6.0 * x * (1.0 - x) / half;
}

// A given volume wins over the shapes': the difference (flooded or solid parts) is spread evenly.
static void ScaleSubmergence(const hwHydroInput* input, double volume, hwSubmergence* cut) {
    double scale = volume / input->solid->volume;
    cut->volume *= scale;
    cut->area *= scale;
    for (int i = 0; i < 3; ++i) cut->cutMoment[i] *= scale;
}

// A given centre moves the shapes, all of them, to where it is their centroid. Moving the centroid of what is under water
// alone would leave a force without a potential: a body could gain energy by pitching under water and back above it.
static hwPose GetDisplacedPose(const hwHydroInput* input) {
    hwVec3 shift = hwSub(input->def->buoyancyCenter, input->solid->centroid);
    return (hwPose){hwAdd(input->pose.p, hwRotate(input->pose.q, shift)), input->pose.q};
}

hwSubmergence hwComputePiece(const hwHydroInput* input, int piece) {
    const hwFluidSample* water = &input->pieceWater[piece];
    hwVec3 middle = hwTransformPoint(input->pose, input->pieceMiddles[piece]);
    hwSubmergence cut = hwShape_Submerge(&input->pieces[piece], GetDisplacedPose(input),
                                         hwMakeVec3(middle.x, middle.y, water->surface), water->normal);
    ScaleSubmergence(input, input->def->volume, &cut);
    return cut;
}

hwDisplacement hwComputeDisplacement(const hwHydroInput* input, double level, hwVec3 normal) {
    const hwHydroDef* def = input->def;
    hwDisplacement result = {.wet = 1.0};
    if (!(input->waterDensity > 0.0)) return result; // dry: coefficients act as given, in air

    hwVec3 center = hwTransformPoint(input->pose, def->buoyancyCenter);
    hwVec3 surface = hwMakeVec3(center.x, center.y, level);
    double neutral = input->mass / input->waterDensity;
    double volume = def->volume > 0.0 ? def->volume : neutral;
    if (input->solid != NULL && input->solid->shapeCount > 0 && input->solid->volume > 0.0) {
        result.cut = hwSolid_ComputeSubmergence(input->solid, GetDisplacedPose(input), surface, normal);
        ScaleSubmergence(input, volume, &result.cut);
    } else {
        result.cut = CutBall(center, volume, surface, normal);
    }

    hwDisplacement_Finish(&result, input);
    return result;
}
