#include "contact/law.h"

#include <math.h>
#include <string.h>

#define RAMP 1e-6   // m: overlap over which the dashpots come in
#define FORGET 1e-3 // s: how quickly a spring that is not loaded lets go, where that must be gradual

static double GeometricMean(double a, double b) {
    return sqrt(a * b);
}

// Pressure of two dashpots in series at closing speed 1, each with pressure B (speed / h)^m: both carry the same pressure,
// and their speeds add up.
static double JoinDampings(const hwMaterialDef* a, double hA, const hwMaterialDef* b, double hB, double m) {
    if (!(a->damping > 0.0) || !(b->damping > 0.0)) return 0.0;
    if (m == 1.0) return a->damping / (hA + hB * (a->damping / b->damping));
    double speed = hA + hB * hwPow(a->damping / b->damping, 1.0 / m);
    return a->damping / hwPow(speed, m);
}

hwContactLaw hwContactLaw_Make(const hwMaterialDef* a, double depthA, const hwMaterialDef* b, double depthB) {
    hwContactLaw law;
    double softA = depthA / a->young, softB = depthB / b->young;
    law.stiffness = 1.0 / (softA + softB);
    law.share = softA / (softA + softB);
    law.exponent = 0.5 * (a->rateExponent + b->rateExponent);
    law.damping = JoinDampings(a, depthA, b, depthB, law.exponent);
    law.hardening = 0.5 * (a->hardening + b->hardening) / (depthA + depthB);
    law.staticFriction = GeometricMean(a->staticFriction, b->staticFriction);
    law.kineticFriction = GeometricMean(a->kineticFriction, b->kineticFriction);
    law.velocity = hwFmax(a->velocity, b->velocity);
    law.stribeck = hwFmax(a->stribeck, b->stribeck);
    law.rolling = hwFmax(a->rolling, b->rolling);
    law.spinning = hwFmax(a->spinning, b->spinning);
    law.lugre = a->model == HW_FRICTION_LUGRE || b->model == HW_FRICTION_LUGRE;
    return law;
}

hwContactLaw hwContactLaw_MakeGround(double stiffness, double damping, double friction,
                                     const hwMaterialDef* body) {
    hwContactLaw law = {.stiffness = stiffness,
                        .damping = damping,
                        .exponent = 1.0,
                        .share = 0.0,
                        .staticFriction = friction,
                        .kineticFriction = friction,
                        .velocity = body->velocity,
                        .stribeck = 0.0,
                        .rolling = body->rolling,
                        .spinning = body->spinning,
                        .lugre = body->model == HW_FRICTION_LUGRE};
    return law;
}

hwNormalForce hwContactLaw_Push(const hwContactLaw* law, double volume, double area, double rate) {
    hwNormalForce f;
    double mean = area > 0.0 ? volume / area : 0.0; // m
    double hard = law->hardening * mean;
    f.elastic = law->stiffness * volume * (1.0 + hard);
    f.byVolume = law->stiffness * (1.0 + 2.0 * hard);
    double ramp = hwFmin(mean / RAMP, 1.0);
    if (law->exponent == 1.0) {
        f.byRate = law->damping * ramp;
        f.damping = f.byRate * rate;
    } else {
        double speed = area > 0.0 ? fabs(rate) / area : 0.0;
        double pressure = law->damping * ramp * hwPow(speed, law->exponent);
        f.damping = copysign(pressure * area, rate);
        // the slope at rest is infinite or zero for exponents other than 1; a secant over 1 mm/s is neither
        double at = hwFmax(speed, 1e-3);
        f.byRate = law->damping * ramp * hwFmax(law->exponent, 1.0) * hwPow(at, law->exponent - 1.0);
    }
    if (ramp < 1.0 && f.damping > 0.0) f.byVolume += f.damping / volume;
    if (f.elastic + f.damping > 0.0) return f;
    f.damping = -f.elastic;
    f.byVolume = f.byRate = 0.0;
    return f;
}

// Friction ---------------------------------------------------------------------------------------------------------------

static hwVec3 GetTangential(hwVec3 v, hwVec3 n) {
    return hwMulAdd(v, -hwDot(v, n), n);
}

// m += s u u^T
static void AddSquare(hwSym3* m, double s, hwVec3 u) {
    hwSym3 p = {u.x * u.x, u.y * u.y, u.z * u.z, u.x * u.y, u.x * u.z, u.y * u.z};
    *m = hwMulAddSym3(*m, s, p);
}

// m += s (1 - n n^T)
static void AddAlong(hwSym3* m, double s, hwVec3 n) {
    m->xx += s, m->yy += s, m->zz += s;
    AddSquare(m, -s, n);
}

static hwVec3 ReadVector(const double* z) {
    return hwMakeVec3(z[0], z[1], z[2]);
}

static void WriteVector(double* z, hwVec3 v) {
    z[0] = v.x, z[1] = v.y, z[2] = v.z;
}

// Limits of the slider: the largest force and torque, and the springs' stiffness.
typedef struct Limits {
    double force, torque;      // N, N m
    double stiffness, turning; // N/m, N m/rad
    double reach, turnReach;   // elongations at the limit: m, rad
} Limits;

static Limits FindLimits(const hwContactLaw* law, const hwRubInput* in, double speed) {
    double mu = in->sliding ? law->kineticFriction : law->staticFriction;
    if (law->stribeck > 0.0) {
        double x = speed / law->stribeck;
        mu = law->kineticFriction + (law->staticFriction - law->kineticFriction) * hwExp(-x * x);
    }
    Limits l;
    l.force = mu * in->normalForce;
    l.torque = law->spinning > 0.0 ? law->spinning * in->normalForce : l.force * in->radius;
    l.stiffness = in->stiffness;
    double arm = l.force > 0.0 ? l.torque / l.force : law->spinning;
    l.turning = in->stiffness * arm * arm;
    l.reach = l.stiffness > 0.0 ? l.force / l.stiffness : 0.0;
    l.turnReach = l.turning > 0.0 ? l.torque / l.turning : 0.0;
    return l;
}

static double GetRatio(double x, double unit) {
    return unit > 0.0 ? x / unit : 0.0;
}

// The point (s, a) against the ellipsoid of the limits: 1 on it.
static double MeasureReach(const Limits* l, hwVec3 s, double a) {
    double x = GetRatio(hwLength(s), l->reach), y = GetRatio(a, l->turnReach);
    return sqrt(x * x + y * y);
}

// Of what is beyond the limit, the part that a step leaves.
static double GetLeft(double hd, bool relaxes) {
    return relaxes ? FORGET / (FORGET + hd) : 0.0;
}

// Keeps what may be kept: a direction without a limit of its own holds nothing.
static void DropUnheld(const Limits* l, double left, const double* base, hwVec3 from, hwVec3* s, double* a) {
    if (!(l->reach > 0.0)) *s = left > 0.0 ? hwScale(left, from) : hwVec3_zero;
    if (!(l->turnReach > 0.0)) *a = left > 0.0 ? left * base[6] : 0.0;
}

// Given elongations: what is beyond the limit relaxes, so that sliding goes on a little beyond it. The force is cut there,
// so the excess is not felt; taking the outward part of the slip away at the limit instead would make the rates jump.
static void FindRates(const Limits* l, hwVec3 s, double a, hwVec3 slip, double turn, double ratio,
                      hwVec3* rate, double* turnRate) {
    *rate = l->reach > 0.0 ? slip : hwScale(-1.0 / FORGET, s);
    *turnRate = l->turnReach > 0.0 ? turn : -a / FORGET;
    if (!(ratio >= 1.0)) return;
    // in units of the reaches, where the ellipsoid is a ball
    double unit = GetRatio(1.0, l->reach), turnUnit = GetRatio(1.0, l->turnReach);
    hwVec3 u = hwScale(unit / ratio, s);
    double w = turnUnit * a / ratio;
    double back = (ratio - 1.0) / FORGET;
    *rate = hwMulAdd(*rate, -back * l->reach, u);
    *turnRate -= back * l->turnReach * w;
}

// A pair of elongations or of force and torque, and its size against the limit.
typedef struct Slider {
    hwVec3 along;
    double turn, size;
} Slider;

// What the matrix gets: minus the slopes of force and torque by the slip and the turning. Springs and dashpots are equally stiff
// in all directions when turning is measured by the arm at which the limits are equal, so that cutting (x, y) = (pull, twist) at
// the size 1 leaves the slope g (1 - u u^T)/size, u its direction and g = hd k/(ratio of the springs) + c that of what is cut. Left
// out: the products of u's two parts, that the springs' cut is across their own direction, and how the limits change.
static void AddSlopes(const hwRubInput* in, const Limits* l, Slider spring, Slider force, hwRubOutput* out) {
    double arm2 = l->stiffness > 0.0 ? l->turning / l->stiffness : 0.0;
    double damping = in->damping;
    if (spring.size <= 1.0 && force.size <= 1.0) {
        if (l->reach > 0.0) {
            AddAlong(&out->stiffness, l->stiffness, in->normal);
            AddAlong(&out->damping, damping, in->normal);
        }
        if (l->turnReach > 0.0) {
            AddSquare(&out->turnStiffness, l->turning, in->normal);
            AddSquare(&out->turnDamping, damping * arm2, in->normal);
        }
        return;
    }
    double elastic = in->hd * l->stiffness / hwFmax(spring.size, 1.0),
           whole = 0.0;                // whole: in all directions
    double across = elastic + damping; // but not along u
    hwVec3 u = GetTangential(force.along, in->normal);
    double w = GetRatio(force.turn, l->torque), unit = GetRatio(1.0, l->force);
    if (force.size > 1.0) {
        across /= force.size;
        unit /= force.size, w /= force.size;
    } else {
        across = elastic, whole = damping;
        u = spring.along, w = GetRatio(spring.turn, l->turnReach), unit = GetRatio(1.0, l->reach);
    }
    if (l->reach > 0.0) {
        AddAlong(&out->damping, across + whole, in->normal);
        AddSquare(&out->damping, -across * unit * unit, u);
    }
    if (l->turnReach > 0.0)
        AddSquare(&out->turnDamping, arm2 * (whole + across * hwFmax(1.0 - w * w, 0.0)), in->normal);
}

static void SlidePair(const hwContactLaw* law, const hwRubInput* in, const double* base, hwRubOutput* out) {
    double turn = hwDot(in->turn, in->normal);
    double speed = hwHypot(hwLength(in->slip), in->radius * turn);
    Limits l = FindLimits(law, in, speed);
    hwVec3 from = GetTangential(ReadVector(base), in->normal), s = hwMulAdd(from, in->hd, in->slip);
    double a = base[6] + in->hd * turn;
    double left = GetLeft(in->hd, in->relaxes);
    DropUnheld(&l, left, base, from, &s, &a);
    double ratio = MeasureReach(&l, s, a);
    out->slides = ratio > 1.0;
    if (in->hd > 0.0) {
        double kept = 1.0 + left * hwFmax(ratio - 1.0, 0.0);
        if (ratio > 1.0) {
            s = hwScale(1.0 / ratio, s);
            a /= ratio;
        }
        WriteVector(out->z, hwScale(kept, s));
        out->z[6] = kept * a;
        for (int k = 0; k < 7; k = k == 2 ? 6 : k + 1) out->zdot[k] = (out->z[k] - base[k]) / in->hd;
    } else {
        hwVec3 rate;
        double turnRate;
        out->slides = ratio > 1.0 - 1e-6;
        FindRates(&l, ReadVector(base), base[6], in->slip, turn, ratio, &rate, &turnRate);
        WriteVector(out->z, ReadVector(base));
        out->z[6] = base[6];
        WriteVector(out->zdot, rate);
        out->zdot[6] = turnRate;
        if (ratio > 1.0) {
            s = hwScale(1.0 / ratio, s);
            a /= ratio;
        }
    }
    // springs, and dashpots as far as the limit leaves room
    double arm2 = l.stiffness > 0.0 ? l.turning / l.stiffness : 0.0;
    hwVec3 pull = hwMulAdd(hwScale(l.stiffness, s), l.reach > 0.0 ? in->damping : 0.0, in->slip);
    double twist = l.turning * a + (l.turnReach > 0.0 ? in->damping * arm2 * turn : 0.0);
    double x = GetRatio(hwLength(pull), l.force), y = GetRatio(twist, l.torque), size = sqrt(x * x + y * y);
    AddSlopes(in, &l, (Slider){s, a, ratio}, (Slider){pull, twist, size}, out);
    if (size > 1.0) {
        pull = hwScale(1.0 / size, pull);
        twist /= size;
    }
    out->force = hwNeg(pull);
    out->torque = hwScale(-twist, in->normal);
    if (in->normalForce > 0.0 && (size > 1.0 || ratio > 1.0)) {
        // the limits are as the normal force; of springs that are cut, with dashpots within the limit, the springs' part
        bool whole = size > 1.0;
        out->byNormal = hwScale(-1.0 / in->normalForce, whole ? pull : hwScale(l.stiffness, s));
        out->turnByNormal = hwScale(-(whole ? twist : l.turning * a) / in->normalForce, in->normal);
    }
    // beyond the limit the force stays, and with it what is stored
    double stored = l.stiffness * hwDot(s, ReadVector(out->zdot)) + l.turning * a * out->zdot[6];
    if ((in->hd == 0.0 || in->relaxes) && ratio > 1.0) stored = 0.0;
    out->elastic = 0.5 * (l.stiffness * hwDot(s, s) + l.turning * a * a);
    out->dissipation = hwDot(pull, in->slip) + twist * turn - stored;
}

// LuGre in three dimensions: z' = v - k |v| / g(v) z, force = k z + c z', with the normal force times the coefficient of
// friction for g (Canudas de Wit et al. 1995; Gonthier et al. 2004 for the vector form and turning).
static void RubByLuGre(const hwContactLaw* law, const hwRubInput* in, const double* base, hwRubOutput* out) {
    hwRubInput stribeck = *in;
    stribeck.sliding = true;
    hwContactLaw smooth = *law;
    smooth.stribeck = law->velocity;
    double turn = hwDot(in->turn, in->normal);
    double speed = hwHypot(hwLength(in->slip), in->radius * turn);
    Limits l = FindLimits(&smooth, &stribeck, speed);
    hwVec3 from = GetTangential(ReadVector(base), in->normal);
    double wear = l.reach > 0.0 ? speed / l.reach : 1.0 / FORGET;
    double share = 1.0 / (1.0 + in->hd * wear);
    hwVec3 s = hwScale(share, hwMulAdd(from, l.reach > 0.0 ? in->hd : 0.0, in->slip));
    double a = share * (base[6] + (l.turnReach > 0.0 ? in->hd * turn : 0.0));
    hwVec3 rate = hwMulAdd(l.reach > 0.0 ? in->slip : hwVec3_zero, -wear, s);
    double turnRate = (l.turnReach > 0.0 ? turn : 0.0) - wear * a;
    WriteVector(out->z, in->hd > 0.0 ? s : ReadVector(base));
    out->z[6] = in->hd > 0.0 ? a : base[6];
    WriteVector(out->zdot, in->hd > 0.0 ? hwScale(1.0 / in->hd, hwSub(s, ReadVector(base))) : rate);
    out->zdot[6] = in->hd > 0.0 ? (a - base[6]) / in->hd : turnRate;
    double arm2 = l.stiffness > 0.0 ? l.turning / l.stiffness : 0.0;
    double damper = l.reach > 0.0 ? in->damping : 0.0;
    hwVec3 pull = hwMulAdd(hwScale(l.stiffness, s), damper, rate);
    double twist = l.turning * a + damper * arm2 * turnRate;
    AddAlong(&out->stiffness, share * l.stiffness, in->normal);
    AddAlong(&out->damping, share * damper, in->normal);
    AddSquare(&out->turnStiffness, share * l.turning, in->normal);
    AddSquare(&out->turnDamping, share * damper * arm2, in->normal);
    out->force = hwNeg(pull);
    out->torque = hwScale(-twist, in->normal);
    out->elastic = 0.5 * (l.stiffness * hwDot(s, s) + l.turning * a * a);
    out->dissipation =
        hwDot(pull, in->slip) + twist * turn - l.stiffness * hwDot(s, rate) - l.turning * a * turnRate;
    out->slides = MeasureReach(&l, s, a) > 0.9;
}

static void RollPair(const hwContactLaw* law, const hwRubInput* in, const double* base, hwRubOutput* out) {
    hwVec3 from = GetTangential(ReadVector(base + 3), in->normal), turn = GetTangential(in->turn, in->normal);
    double limit = law->rolling * in->normalForce;
    double stiffness = in->stiffness * law->rolling * law->rolling,
           damping = in->damping * law->rolling * law->rolling;
    double reach = stiffness > 0.0 ? limit / stiffness : 0.0;
    hwVec3 s = hwMulAdd(from, reach > 0.0 ? in->hd : 0.0, turn);
    double length = hwLength(s);
    double left = GetLeft(in->hd, in->relaxes);
    hwVec3 kept = reach > 0.0 ? s : left > 0.0 ? hwScale(left, from) : hwVec3_zero, rate;
    if (length > reach && reach > 0.0) kept = hwScale(reach / length, s);
    if (in->hd > 0.0) {
        bool beyond = left > 0.0 && length > reach && reach > 0.0;
        hwVec3 z = beyond ? hwMulAdd(kept, left * (length - reach) / length, s) : kept;
        rate = hwScale(1.0 / in->hd, hwSub(z, ReadVector(base + 3)));
        WriteVector(out->z + 3, z);
    } else {
        rate = reach > 0.0 ? turn : hwScale(-1.0 / FORGET, ReadVector(base + 3));
        if (length >= reach && reach > 0.0) {
            hwVec3 u = hwScale(1.0 / length, s);
            rate = hwMulAdd(rate, -(length - reach) / FORGET, u);
        }
        WriteVector(out->z + 3, ReadVector(base + 3));
    }
    WriteVector(out->zdot + 3, rate);
    if (!(reach > 0.0)) return;
    hwVec3 pull = hwMulAdd(hwScale(stiffness, kept), damping, turn);
    double size = hwLength(pull);
    if (size > limit) {
        pull = hwScale(limit / size, pull);
        if (length > reach && in->hd > 0.0) {
            AddAlong(&out->turnDamping, limit * in->hd / length, in->normal);
            AddSquare(&out->turnDamping, -limit * in->hd / (length * length * length), s);
        }
    } else {
        AddAlong(&out->turnDamping, damping, in->normal);
        if (!(length > reach)) AddAlong(&out->turnStiffness, stiffness, in->normal);
    }
    out->torque = hwSub(out->torque, pull);
    out->elastic += 0.5 * stiffness * hwDot(kept, kept);
    bool cut = (in->hd == 0.0 || in->relaxes) && length > reach;
    out->dissipation += hwDot(pull, turn) - (cut ? 0.0 : stiffness * hwDot(kept, rate));
}

void hwContactLaw_Rub(const hwContactLaw* law, const hwRubInput* in, const double* base, hwRubOutput* out) {
    memset(out, 0, sizeof(*out));
    if (law->lugre) {
        RubByLuGre(law, in, base, out);
    } else {
        SlidePair(law, in, base, out);
    }
    RollPair(law, in, base, out);
}

void hwContactLaw_LetGo(const double* base, double hd, bool relaxes, hwRubOutput* out) {
    memset(out, 0, sizeof(*out));
    double left = GetLeft(hd, relaxes);
    for (int k = 0; k < HW_RUB_SIZE; ++k) {
        out->z[k] = hd > 0.0 ? (relaxes ? left * base[k] : 0.0) : base[k];
        out->zdot[k] = hd > 0.0 && !relaxes ? -base[k] / hd : -base[k] / (FORGET + hd);
    }
}
