#include "contact/foot_law.h"

#include "hawser/elementary.h"

#include <math.h>
#include <string.h>

#define RAMP 1e-3     // m: depth over which damping comes in
#define STRIBECK 0.01 // m/s: sliding speed at which friction has gone most of the way from static to kinetic
#define FORGET 1e-3 // s: how quickly the tangential spring of a lifted foot lets go, where it must be gradual

static double ChooseGiven(double given, double otherwise) {
    return given >= 0.0 ? given : otherwise;
}

hwFootLaw hwFootLaw_Make(const hwFootDef* foot, const hwSeabedDef* seabed) {
    hwFootLaw law;
    law.stiffness = ChooseGiven(foot->stiffness, seabed->stiffness * foot->area);
    law.damping = ChooseGiven(foot->damping, seabed->damping * foot->area);
    law.planarStiffness = ChooseGiven(foot->planarStiffness, law.stiffness);
    law.planarDamping = ChooseGiven(foot->planarDamping, law.damping);
    law.friction = ChooseGiven(foot->friction, seabed->friction);
    law.kinetic = hwFmin(ChooseGiven(foot->kineticFriction, law.friction), law.friction);
    return law;
}

static void SettleSlider(const hwFootInput* in, hwVec3 value, hwVec3 rate, hwFootOutput* out) {
    const double values[3] = {value.x, value.y, value.z}, rates[3] = {rate.x, rate.y, rate.z};
    for (int k = 0; k < 3; ++k) {
        out->z[k] = in->hd > 0.0 ? values[k] : in->base[k];
        out->zdot[k] = in->hd > 0.0 ? (values[k] - in->base[k]) / in->hd : rates[k];
    }
}

static hwVec3 GetTangential(hwVec3 v, hwVec3 n) {
    return hwMulAdd(v, -hwDot(v, n), n);
}

// m += s (1 - n n^T), or s n n^T
static void AddPlanar(hwSym3* m, double s, hwVec3 n) {
    hwSym3 p = {1.0 - n.x * n.x, 1.0 - n.y * n.y, 1.0 - n.z * n.z, -n.x * n.y, -n.x * n.z, -n.y * n.z};
    *m = hwMulAddSym3(*m, s, p);
}

static void AddNormal(hwSym3* m, double s, hwVec3 n) {
    hwSym3 p = {n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z};
    *m = hwMulAddSym3(*m, s, p);
}

// m += s times the projection on the direction that is across both u and n.
static void AddAcross(hwSym3* m, double s, hwVec3 u, hwVec3 n) {
    double length = hwLength(u);
    if (!(length > 0.0)) return;
    AddPlanar(m, s, n);
    AddNormal(m, -s, hwScale(1.0 / length, u));
}

// Returns the size of the normal force.
static double PushOut(const hwFootLaw* law, const hwFootInput* in, hwFootOutput* out) {
    hwVec3 n = in->normal;
    double closing = -hwDot(in->velocity, n);
    double ramp = hwFmin(in->depth / RAMP, 1.0);
    double spring = law->stiffness * in->depth;
    double size = hwFmax(spring + law->damping * ramp * closing, 0.0);
    out->force = hwScale(size, n);
    if (size > 0.0) {
        AddNormal(&out->damping, law->damping * ramp, n);
        double steeper = ramp < 1.0 ? hwFmax(law->damping * closing / RAMP, 0.0) : 0.0;
        AddNormal(&out->stiffness, law->stiffness + steeper, n);
    }
    out->elastic += 0.5 * spring * in->depth;
    out->storing += spring * closing;
    out->dissipation += (size - spring) * closing;
    return size;
}

static void RubFoot(const hwFootLaw* law, const hwFootInput* in, double normalForce, hwFootOutput* out) {
    hwVec3 n = in->normal, slip = GetTangential(in->velocity, n);
    double hd = in->hd, speed = hwLength(slip) / STRIBECK;
    double limit = normalForce * (law->kinetic + (law->friction - law->kinetic) * hwExp(-speed * speed));
    double k = law->planarStiffness, most = k > 0.0 ? limit / k : 0.0;
    hwVec3 from = GetTangential(hwMakeVec3(in->base[0], in->base[1], in->base[2]), n);
    hwVec3 s = hwMulAdd(from, hd, slip);
    double length = hwLength(s);
    bool slides = length > most;
    // how the spring follows the slip: wholly, or across it when it slides, as its direction turns
    double follows = slides ? most * hd / length : hd;
    if (slides) s = hwScale(most / length, s);
    // without a step to solve for, a full spring stays full and shrinks with the load
    hwVec3 rate = slip;
    double reach = hwLength(from);
    if (hd == 0.0 && reach > most) {
        rate = hwMulAdd(rate, -hwFmax(hwDot(slip, from), 0.0) / (reach * reach), from);
        rate = hwMulAdd(rate, -(reach - most) / (reach * FORGET), from);
        s = hwScale(most / reach, from);
    }
    SettleSlider(in, s, rate, out);
    hwVec3 pull = hwMulAdd(hwScale(k, s), law->planarDamping, slip);
    double size = hwLength(pull);
    if (size > limit) {
        AddAcross(&out->damping, (k * follows + law->planarDamping) * limit / size, pull, n);
        pull = hwScale(limit / size, pull);
    } else {
        AddPlanar(&out->damping, law->planarDamping, n);
        if (slides) {
            AddAcross(&out->damping, k * follows, s, n);
        } else {
            AddPlanar(&out->stiffness, k, n);
        }
    }
    out->force = hwSub(out->force, pull);
    double storing = k * hwDot(s, hwMakeVec3(out->zdot[0], out->zdot[1], out->zdot[2]));
    out->elastic += 0.5 * k * hwDot(s, s);
    out->storing += storing;
    out->dissipation += hwDot(pull, slip) - storing;
}

void hwFootLaw_Push(const hwFootLaw* law, const hwFootInput* in, hwFootOutput* out) {
    memset(out, 0, sizeof(*out));
    if (!(in->depth > 0.0)) {
        hwVec3 base = hwMakeVec3(in->base[0], in->base[1], in->base[2]);
        SettleSlider(in, hwVec3_zero, hwScale(-1.0 / FORGET, base), out);
        return;
    }
    RubFoot(law, in, PushOut(law, in, out), out);
}
