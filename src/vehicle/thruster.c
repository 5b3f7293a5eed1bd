#include "vehicle/thruster.h"

#define VISCOUS 0.002 // e: below about 9 % of the top speed thrust is linear in speed

hwThrusterDef hwDefaultThrusterDef(void) {
    hwThrusterDef def = {.axis = {1.0, 0.0, 0.0},
                         .exponent = 1.0,
                         .topSpeed = 300.0,
                         .advance = (double)INFINITY,
                         .hand = 1,
                         .diameter = 0.1,
                         .blades = 3,
                         .weight = 1.0};
    return def;
}

double hwThruster_ShareOfCommand(const hwThrusterDef* def, double u) {
    double y = (hwFmin(fabs(u), 1.0) - def->deadBand) / (1.0 - def->deadBand);
    return y > 0.0 ? copysign(hwPow(y, def->exponent), u) : 0.0;
}

double hwThruster_CommandOfShare(const hwThrusterDef* def, double share) {
    double size = hwFmin(fabs(share), 1.0);
    if (!(size > 0.0)) return 0.0;
    double u = def->deadBand + (1.0 - def->deadBand) * hwPow(size, 1.0 / def->exponent);
    return copysign(u, share);
}

// t^2 = x^2 (|t| + e) solved for x.
double hwThruster_SpeedOfShare(double share) {
    return share / sqrt(fabs(share) + VISCOUS);
}

double hwThruster_ShareOfSpeed(double x) {
    double square = x * x;
    return copysign(0.5 * (square + fabs(x) * sqrt(square + 4.0 * VISCOUS)), x);
}

hwThrust hwThruster_Evaluate(const hwThrusterDef* def, double x, double inflow, double wet) {
    double strength = wet * (x < 0.0 ? def->reverse : def->forward);
    double still = strength * hwThruster_ShareOfSpeed(x);
    hwThrust thrust = {.damping = strength * fabs(x) / def->advance};
    thrust.force = still - thrust.damping * inflow;
    thrust.torque = -def->hand * def->torque * still;
    return thrust;
}

double hwThruster_Follow(const hwThrusterDef* def, double target, double base, double hd, double* rate) {
    if (!(def->timeConstant > 0.0)) {
        *rate = 0.0;
        return target;
    }
    double x = (base * def->timeConstant + hd * target) / (def->timeConstant + hd);
    *rate = (target - x) / def->timeConstant;
    return x;
}
