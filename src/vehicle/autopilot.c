#include "vehicle/autopilot.h"

#include "vehicle/instruments.h"

bool hwMode_HoldsLevel(hwVehicleMode mode) {
    return mode != HW_MODE_MANUAL;
}

bool hwMode_HoldsDepth(hwVehicleMode mode) {
    return mode == HW_MODE_DEPTH_HOLD || mode >= HW_MODE_HOLD;
}

bool hwMode_HoldsHeading(hwVehicleMode mode) {
    return mode >= HW_MODE_HEADING_HOLD;
}

bool hwMode_HoldsPlace(hwVehicleMode mode) {
    return mode >= HW_MODE_STATION;
}

double hwRoute_Find(int count, const hwVec3* route, hwVec3 begin, double length, hwVec3* place, hwVec3* way) {
    double sum = 0.0;
    *place = begin;
    *way = hwMakeVec3(0.0, 0.0, 0.0);
    hwVec3 from = begin;
    for (int i = 0; i < count; ++i) {
        hwVec3 leg = hwSub(route[i], from);
        double size = hwLength(leg);
        if (size > 0.0 && length >= sum) {
            *place = hwMulAdd(from, hwFmin((length - sum) / size, 1.0), leg);
            *way = hwScale(1.0 / size, leg);
        }
        sum += size;
        from = route[i];
    }
    return sum;
}

// The stick moves the set point, more and more slowly as it runs ahead of the measurement by up to `lead`. `ahead` is that
// of the stage's base; the rate solves rate = wanted (1 - |ahead + hd rate| / lead).
static double SetpointRate(double stick, double speed, double lead, double ahead, double hd) {
    double wanted = stick * speed;
    if (!(wanted * ahead > 0.0)) return wanted;
    return wanted * hwFmax(0.0, 1.0 - fabs(ahead) / lead) / (1.0 + hd * fabs(wanted) / lead);
}

// kp e + integral - kd y', and the integral's own rate; the integral stops at its limit.
static double HoldAxis(const hwHoldDef* def, double error, double rate, double base, double hd, double* z,
                       double* zdot) {
    double growth = def->ki * error;
    double room = (growth > 0.0 ? def->limit - base : -def->limit - base);
    if (room * growth <= 0.0) growth = 0.0;
    if (hd * fabs(growth) > fabs(room)) growth = room / hd;
    *zdot = growth;
    *z = base + hd * growth;
    return def->kp * error + *z - def->kd * rate;
}

// Where the vehicle is to be, and how fast that place moves.
typedef struct Place {
    hwVec3 at, rate; // m, m/s, world
    double turn;     // rad/s, of the heading's set point; NaN: as the stick says
} Place;

// Held where it is: the sticks move it along the vehicle's own horizontal axes, forward (cos, -sin) and to starboard (-sin, -cos)
// in the world's x north and y west.
static Place HoldPlace(const hwAutopilotDef* def, const hwHoldSense* sense, const double* axes,
                       const double* base, double hd, double* z, double* rates) {
    double sine, cosine;
    hwSinAndCos(sense->heading, &sine, &cosine);
    double dx = base[HW_HOLD_X] - sense->position.x, dy = base[HW_HOLD_Y] - sense->position.y;
    double ahead = cosine * dx - sine * dy, right = -sine * dx - cosine * dy;
    double u = SetpointRate(axes[HW_AXIS_SURGE], def->cruiseRate, def->positionLead, ahead, hd);
    double v = SetpointRate(axes[HW_AXIS_SWAY], def->cruiseRate, def->positionLead, right, hd);
    Place place = {.rate = {cosine * u - sine * v, -sine * u - cosine * v, 0.0}, .turn = (double)NAN};
    rates[HW_HOLD_X] = place.rate.x;
    rates[HW_HOLD_Y] = place.rate.y;
    z[HW_HOLD_X] += hd * place.rate.x;
    z[HW_HOLD_Y] += hd * place.rate.y;
    place.at = hwMakeVec3(z[HW_HOLD_X], z[HW_HOLD_Y], sense->position.z);
    return place;
}

// Along the route, the more slowly the further the vehicle is behind; the bow turns into the way.
static Place FollowRoute(const hwVehicleDef* vehicle, const hwHoldSense* sense, const double* base, double hd,
                         double* z, double* rates) {
    const hwAutopilotDef* def = &vehicle->autopilot;
    hwVec3 begin = hwMakeVec3(base[HW_HOLD_BEGIN], base[HW_HOLD_BEGIN + 1], base[HW_HOLD_BEGIN + 2]);
    hwVec3 way;
    Place place = {.turn = (double)NAN};
    double done = base[HW_HOLD_PROGRESS];
    double whole = hwRoute_Find(vehicle->routeCount, vehicle->route, begin, done, &place.at, &way);
    double lag = hwDistance(place.at, sense->position);
    double speed = done < whole ? def->cruiseRate * hwFmax(0.0, 1.0 - lag / def->positionLead) : 0.0;
    if (hd > 0.0) speed = hwClamp(speed, 0.0, hwFmax(0.0, (whole - done) / hd));
    rates[HW_HOLD_PROGRESS] = speed;
    z[HW_HOLD_PROGRESS] = done + hd * speed;
    hwRoute_Find(vehicle->routeCount, vehicle->route, begin, z[HW_HOLD_PROGRESS], &place.at, &way);
    place.rate = hwScale(speed, way);
    // a way that is steeper than 80 degrees has no heading
    if (done < whole && hwHypot(way.x, way.y) > 0.17) {
        double off = hwWrapAngle(hwAtan2(-way.y, way.x) - base[HW_HOLD_HEADING]);
        place.turn = hwClamp(2.0 * off, -def->turnRate, def->turnRate) / (1.0 + 2.0 * hd);
    }
    return place;
}

hwHoldDemand hwAutopilot_Evaluate(const hwVehicleDef* vehicle, hwVehicleMode mode, const hwHoldSense* sense,
                                  const double axes[HW_AXIS_COUNT], const double* base, double hd, double* z,
                                  double* rates) {
    const hwAutopilotDef* def = &vehicle->autopilot;
    hwHoldDemand demand = {0};
    for (int i = 0; i < HW_HOLD_COUNT; ++i) {
        rates[i] = 0.0;
        z[i] = base[i];
    }
    Place place = {.turn = (double)NAN};
    if (hwMode_HoldsPlace(mode)) {
        place = mode == HW_MODE_ROUTE ? FollowRoute(vehicle, sense, base, hd, z, rates)
                                      : HoldPlace(def, sense, axes, base, hd, z, rates);
        demand.x = HoldAxis(&def->position, place.at.x - sense->position.x, sense->velocity.x - place.rate.x,
                            base[HW_HOLD_X_INTEGRAL], hd, &z[HW_HOLD_X_INTEGRAL], &rates[HW_HOLD_X_INTEGRAL]);
        demand.y = HoldAxis(&def->position, place.at.y - sense->position.y, sense->velocity.y - place.rate.y,
                            base[HW_HOLD_Y_INTEGRAL], hd, &z[HW_HOLD_Y_INTEGRAL], &rates[HW_HOLD_Y_INTEGRAL]);
    }
    if (mode == HW_MODE_ALTITUDE && isfinite(sense->altitude)) {
        double ahead = base[HW_HOLD_ALTITUDE] - sense->altitude;
        double rate = SetpointRate(axes[HW_AXIS_HEAVE], def->climbRate, def->depthLead, ahead, hd);
        rates[HW_HOLD_ALTITUDE] = rate;
        z[HW_HOLD_ALTITUDE] += hd * rate;
        demand.down = HoldAxis(&def->depth, sense->altitude - z[HW_HOLD_ALTITUDE], sense->sinkRate + rate,
                               base[HW_HOLD_DEPTH_INTEGRAL], hd, &z[HW_HOLD_DEPTH_INTEGRAL],
                               &rates[HW_HOLD_DEPTH_INTEGRAL]);
    } else if (mode == HW_MODE_ROUTE) {
        demand.down = HoldAxis(&def->depth, sense->position.z - place.at.z, sense->sinkRate + place.rate.z,
                               base[HW_HOLD_DEPTH_INTEGRAL], hd, &z[HW_HOLD_DEPTH_INTEGRAL],
                               &rates[HW_HOLD_DEPTH_INTEGRAL]);
    } else if (hwMode_HoldsDepth(mode)) {
        double ahead = base[HW_HOLD_DEPTH] - sense->depth;
        double rate = SetpointRate(-axes[HW_AXIS_HEAVE], def->climbRate, def->depthLead, ahead, hd);
        rates[HW_HOLD_DEPTH] = rate;
        z[HW_HOLD_DEPTH] += hd * rate;
        demand.down = HoldAxis(&def->depth, z[HW_HOLD_DEPTH] - sense->depth, sense->sinkRate - rate,
                               base[HW_HOLD_DEPTH_INTEGRAL], hd, &z[HW_HOLD_DEPTH_INTEGRAL],
                               &rates[HW_HOLD_DEPTH_INTEGRAL]);
    }
    if (hwMode_HoldsHeading(mode)) {
        double ahead = base[HW_HOLD_HEADING] - sense->heading;
        double rate = isnan(place.turn)
                          ? SetpointRate(axes[HW_AXIS_YAW], def->turnRate, def->headingLead, ahead, hd)
                          : place.turn;
        rates[HW_HOLD_HEADING] = rate;
        z[HW_HOLD_HEADING] += hd * rate;
        demand.yaw = HoldAxis(&def->heading, z[HW_HOLD_HEADING] - sense->heading, sense->headingRate - rate,
                              base[HW_HOLD_HEADING_INTEGRAL], hd, &z[HW_HOLD_HEADING_INTEGRAL],
                              &rates[HW_HOLD_HEADING_INTEGRAL]);
    }
    if (hwMode_HoldsLevel(mode)) {
        demand.roll = HoldAxis(&def->level, -sense->roll, sense->rollRate, base[HW_HOLD_ROLL_INTEGRAL], hd,
                               &z[HW_HOLD_ROLL_INTEGRAL], &rates[HW_HOLD_ROLL_INTEGRAL]);
        demand.pitch = HoldAxis(&def->level, -sense->pitch, sense->pitchRate, base[HW_HOLD_PITCH_INTEGRAL],
                                hd, &z[HW_HOLD_PITCH_INTEGRAL], &rates[HW_HOLD_PITCH_INTEGRAL]);
    }
    return demand;
}
