#include "vehicle/instruments.h"

#define TWO_PI (2.0 * HW_PI)
#define LEAST_HORIZONTAL 0.05 // cosine of the steepest pitch at which heading and roll rates are exact

hwVec3 hwGetNedAngles(hwQuat q) {
    hwQuat ned = {q.w, q.x, -q.y, -q.z};
    hwVec3 rpy = hwRpyFromQuat(ned);
    if (rpy.z < 0.0) rpy.z += TWO_PI;
    if (rpy.z >= TWO_PI) rpy.z = 0.0; // -tiny + 2 pi rounds up
    return rpy;
}

double hwGetHeadingRate(hwMat3 attitude, hwVec3 rate) {
    hwVec3 bow = attitude.cx;
    hwVec3 change = hwMulMV(attitude, hwCross(rate, hwMakeVec3(1.0, 0.0, 0.0)));
    double square = bow.x * bow.x + bow.y * bow.y;
    return (bow.y * change.x - bow.x * change.y) / hwFmax(square, LEAST_HORIZONTAL * LEAST_HORIZONTAL);
}

void hwGetTiltRates(hwVec3 angles, hwVec3 rate, double* rollRate, double* pitchRate) {
    double p = rate.x, q = -rate.y, r = -rate.z;
    double sine, cosine, pitchSine, pitchCosine;
    hwSinAndCos(angles.x, &sine, &cosine);
    hwSinAndCos(angles.y, &pitchSine, &pitchCosine);
    double tangent = pitchSine / hwFmax(pitchCosine, LEAST_HORIZONTAL);
    *rollRate = p + tangent * (q * sine + r * cosine);
    *pitchRate = q * cosine - r * sine;
}

double hwCountTurns(double integral, double heading) {
    return (heading + TWO_PI * round((integral - heading) / TWO_PI)) / TWO_PI;
}

double hwWrapAngle(double angle) {
    return angle - TWO_PI * round(angle / TWO_PI);
}
