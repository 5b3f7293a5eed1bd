#include "vehicle/autopilot.h"

#include "vehicle/instruments.h"

bool hwMode_HoldsLevel(hwVehicleMode mode) {
    return mode != HW_MODE_MANUAL;
}

bool hwMode_HoldsDepth(hwVehicleMode mode) {
    return mode == HW_MODE_DEPTH_HOLD || mode == HW_MODE_HOLD;
}

bool hwMode_HoldsHeading(hwVehicleMode mode) {
    return mode == HW_MODE_HEADING_HOLD || mode == HW_MODE_HOLD;
}

// The stick moves the set point, more and more slowly as it runs ahead of the measurement by up to `lead`. `ahead` is that
// of the stage's base; the rate solves rate = wanted (1 - |ahead + hd rate| / lead).
static double SetpointRate(double stick, double speed, double lead, double ahead, double hd) {
    double wanted = stick * speed;
    if (!(wanted * ahead > 0.0)) return wanted;
    return wanted * hwFmax(0.0, 1.0 - fabs(ahead) / lead) / (1.0 + hd * fabs(wanted) / lead);
}

// kp e + integral - kd y', and the integral's own rate; the integral stops at its limit.
static double Hold(const hwHoldDef* def, double error, double rate, double base, double hd, double* z,
                   double* zdot) {
    double growth = def->ki * error;
    double room = (growth > 0.0 ? def->limit - base : -def->limit - base);
    if (room * growth <= 0.0) growth = 0.0;
    if (hd * fabs(growth) > fabs(room)) growth = room / hd;
    *zdot = growth;
    *z = base + hd * growth;
    return def->kp * error + *z - def->kd * rate;
}

hwHoldDemand hwAutopilot_Evaluate(const hwAutopilotDef* def, hwVehicleMode mode, const hwHoldSense* sense,
                                  double heave, double yaw, const double* base, double hd, double* z,
                                  double* rates) {
    hwHoldDemand demand = {0};
    for (int i = 0; i < HW_HOLD_COUNT; ++i) {
        rates[i] = 0.0;
        z[i] = base[i];
    }
    if (hwMode_HoldsDepth(mode)) {
        double ahead = base[HW_HOLD_DEPTH] - sense->depth;
        double rate = SetpointRate(-heave, def->climbRate, def->depthLead, ahead, hd);
        rates[HW_HOLD_DEPTH] = rate;
        z[HW_HOLD_DEPTH] += hd * rate;
        demand.down = Hold(&def->depth, z[HW_HOLD_DEPTH] - sense->depth, sense->sinkRate - rate,
                           base[HW_HOLD_DEPTH_INTEGRAL], hd, &z[HW_HOLD_DEPTH_INTEGRAL],
                           &rates[HW_HOLD_DEPTH_INTEGRAL]);
    }
    if (hwMode_HoldsHeading(mode)) {
        double ahead = base[HW_HOLD_HEADING] - sense->heading;
        double rate = SetpointRate(yaw, def->turnRate, def->headingLead, ahead, hd);
        rates[HW_HOLD_HEADING] = rate;
        z[HW_HOLD_HEADING] += hd * rate;
        demand.yaw = Hold(&def->heading, z[HW_HOLD_HEADING] - sense->heading, sense->headingRate - rate,
                          base[HW_HOLD_HEADING_INTEGRAL], hd, &z[HW_HOLD_HEADING_INTEGRAL],
                          &rates[HW_HOLD_HEADING_INTEGRAL]);
    }
    if (hwMode_HoldsLevel(mode)) {
        demand.roll = Hold(&def->level, -sense->roll, sense->rollRate, base[HW_HOLD_ROLL_INTEGRAL], hd,
                           &z[HW_HOLD_ROLL_INTEGRAL], &rates[HW_HOLD_ROLL_INTEGRAL]);
        demand.pitch = Hold(&def->level, -sense->pitch, sense->pitchRate, base[HW_HOLD_PITCH_INTEGRAL], hd,
                            &z[HW_HOLD_PITCH_INTEGRAL], &rates[HW_HOLD_PITCH_INTEGRAL]);
    }
    return demand;
}
