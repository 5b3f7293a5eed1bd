// Elastic catenary (Irvine 1981, ch. 2; lying on the bottom: Jonkman 2007, ch. 2).
//
// In the vertical plane, x from a to b and z up, the tension at unstretched distance s from a is (H, V + w
// s). With T = |(H, V + w s)| the position is
//   x(s) = H s/EA + (H/w) [asinh((V + w s)/H)]_0^s,   z(s) = (V s + w s^2/2)/EA + [T]_0^s / w.
// Both differences lose all digits for a light or taut line, so they are rearranged: with Va, Ta at the
// start, Vb, Tb at s and
//   q = w s (1 + (Ta Tb - Va Vb)/H^2)/(Ta + Tb)
// they are s (Va + Vb)/(Ta + Tb) for z and (H/w) asinh(q) for x; no difference of large numbers is left, and
// w = 0 is a taut straight line.
//
// (x(L), z(L)) is the gradient with (H, V) of the complementary energy, integral of T + T^2/(2 EA), which is
// convex: Newton with a line search on it cannot fail.
#include "cable/catenary.h"

#include <math.h>

typedef struct Hang {
    double x, z;       // m
    double ta, tb;     // N
    double xh, xv, zv; // m/N, derivatives of x with H, of x with V (= of z with H), of z with V
} Hang;

static Hang GetHang(double H, double V, double w, double EA, double s) {
    Hang hang;
    double vb = V + w * s;
    hang.ta = sqrt(H * H + V * V);
    hang.tb = sqrt(H * H + vb * vb);
    double sum = hang.ta + hang.tb;
    if (!(sum > 0.0)) {
        hang.x = hang.z = hang.xv = 0.0;
        hang.xh = hang.zv = s / EA;
        return hang;
    }
    // 1 + (Ta Tb - Va Vb)/H^2, without cancellation when both have one sign
    double product = hang.ta * hang.tb, bracket;
    if (V * vb > 0.0) {
        bracket = 1.0 + (H * H + V * V + vb * vb) / (product + V * vb);
    } else {
        bracket = H > 0.0 ? 1.0 + (product - V * vb) / (H * H) : HUGE_VAL;
    }
    double rate = s * bracket / sum; // q / w
    double q = w * rate;
    double inverse = q > 1e-6 ? hwAsinh(q) / w : rate * (1.0 - q * q / 6.0); // integral of ds/T
    double straight = H * H > 0.0 ? rate * H * H / product : 0.0;            // integral of H^2/T^3
    if (H == 0.0) {
        inverse = 0.0;
        straight = 0.0;
    }
    hang.x = H * s / EA + H * inverse;
    hang.z = (V + 0.5 * w * s) * s / EA + s * (V + vb) / sum;
    hang.xh = s / EA + hwFmax(inverse - straight, 0.0);
    hang.xv = product > 0.0 ? -H * s * (V + vb) / (sum * product) : 0.0;
    hang.zv = s / EA + straight;
    return hang;
}

// Integral of T + T^2/(2 EA) along the line.
static double GetComplementaryEnergy(double H, double V, double w, double EA, double length) {
    Hang hang = GetHang(H, V, w, EA, length);
    double vb = V + w * length;
    double squares = length * (H * H + (V * V + V * vb + vb * vb) / 3.0);
    // integral of T = (1/2)([s-weighted] ...): (Vb Tb - Va Ta)/(2 w) + (H^2/2) integral of ds/T, the first
    // part rearranged: (Vb Tb - Va Ta)/w = length (Tb + Va (Va + Vb)/(Ta + Tb))
    double sum = hang.ta + hang.tb;
    double line = sum > 0.0 ? 0.5 * length * (hang.tb + V * (V + vb) / sum) : 0.0;
    double bend = 0.5 * H * (hang.x - H * length / EA);
    return line + bend + squares / (2.0 * EA);
}

// Start of Peyrot & Goulois (1979).
static void GuessCatenary(double span, double rise, double w, double EA, double length, double* H,
                          double* V) {
    double chord = sqrt(span * span + rise * rise);
    if (w * length <= 0.0 || (chord > length && EA * (chord / length - 1.0) > w * length)) {
        double tension = hwFmax(EA * (chord / length - 1.0), 1e-12 * EA);
        *H = tension * span / chord;
        *V = tension * rise / chord - 0.5 * w * length;
        return;
    }
    double lambda = 0.2;
    if (length > chord) {
        lambda = span > 0.0 ? sqrt(3.0 * ((length * length - rise * rise) / (span * span) - 1.0)) : 1e6;
        lambda = hwFmax(lambda, 1e-3);
    }
    *H = hwFmax(0.5 * w * span / lambda, 1e-9 * w * length);
    *V = 0.5 * w * (rise / hwTanh(lambda) - length);
}

static void SolveHanging(hwCatenary* c) {
    double w = c->weight, EA = c->def.EA, length = c->def.length, H, V;
    double size = length + c->span + fabs(c->rise);
    GuessCatenary(c->span, c->rise, w, EA, length, &H, &V);
    double floor = 1e-18 * w * length + 1e-300;
    H = hwFmax(H, floor);
    for (int k = 0; k < 200; ++k) {
        Hang hang = GetHang(H, V, w, EA, length);
        double rx = hang.x - c->span, rz = hang.z - c->rise;
        double error = fabs(rx) + fabs(rz);
        if (error <= 1e-15 * size) break;
        double det = hang.xh * hang.zv - hang.xv * hang.xv;
        double dH = -(hang.zv * rx - hang.xv * rz) / det;
        double energy = GetComplementaryEnergy(H, V, w, EA, length) - H * c->span - V * c->rise;
        double step = 1.0, newH = H, newV = V;
        bool better = false;
        for (int j = 0; j < 40 && !better; ++j, step *= 0.5) {
            newH = hwFmax(hwFmax(H + step * dH, 0.05 * H), floor);
            newV = V - (step * rz + hang.xv * (newH - H)) / hang.zv; // Newton's, also where H was held back
            Hang trial = GetHang(newH, newV, w, EA, length);
            double trialError = fabs(trial.x - c->span) + fabs(trial.z - c->rise);
            double trialEnergy =
                GetComplementaryEnergy(newH, newV, w, EA, length) - newH * c->span - newV * c->rise;
            better = trialError < 0.9 * error || trialEnergy < energy;
        }
        if (!better) break; // as good as rounding allows
        H = newH;
        V = newV;
    }
    c->horizontal = H;
    c->verticalA = V;
    c->verticalB = V + w * length;
}

// Length l that hangs from a point at height h over its touchdown with horizontal tension H:
// h = (T - H)/w + w l^2/(2 EA), T = sqrt(H^2 + (w l)^2).
static double GetHangingLength(double H, double h, double w, double EA) {
    if (!(h > 0.0)) return 0.0;
    double l = sqrt(h * h + 2.0 * H * h / w); // inextensible
    for (int k = 0; k < 60; ++k) {
        double t = sqrt(H * H + w * w * l * l);
        double error = w * l * l / (t + H) + 0.5 * w * l * l / EA - h;
        double step = error / (w * l / t + w * l / EA);
        l = hwFmax(l - step, 0.1 * l);
        if (fabs(step) <= 1e-16 * l) break;
    }
    return l;
}

typedef struct Grounded {
    double hangA, hangB, lies; // m, unstretched
    double reach;              // m, horizontal distance from a to b
    double reachH;             // m/N, derivative with H
} Grounded;

// A line on the bottom with horizontal tension H where it lifts off.
static Grounded GetGrounded(const hwCatenary* c, double heightA, double heightB, double H) {
    const hwCatenaryDef* def = &c->def;
    double w = c->weight, EA = def->EA;
    Grounded g = {GetHangingLength(H, heightA, w, EA), GetHangingLength(H, heightB, w, EA), 0.0, 0.0, 0.0};
    g.lies = def->length - g.hangA - g.hangB;
    double lengths[2] = {g.hangA, g.hangB}, liesH = 0.0;
    for (int k = 0; k < 2; ++k) {
        double l = lengths[k];
        if (!(l > 0.0)) continue;
        Hang hang = GetHang(H, 0.0, w, EA, l);
        double lH = -hang.xv / (w * l / hang.tb + w * l / EA); // at constant height
        g.reach += hang.x;
        g.reachH += hang.xh + lH * (H / hang.tb + H / EA);
        liesH -= lH;
    }
    double drag = def->friction * w * (heightA > 0.0 && heightB > 0.0 ? 0.0 : 1.0);
    bool all = drag * g.lies <= H; // all of it is under tension
    double held = all ? g.lies : H / drag;
    g.reach += g.lies + held * (H - 0.5 * drag * held) / EA;
    g.reachH += held / EA + liesH * (1.0 + (all ? (H - drag * held) / EA : 0.0));
    return g;
}

static void SolveGrounded(hwCatenary* c) {
    const hwCatenaryDef* def = &c->def;
    double heightA = def->a.z - c->floor, heightB = def->b.z - c->floor;
    Grounded g = GetGrounded(c, heightA, heightB, 0.0);
    double low = 0.0, high = hwFmax(c->weight * def->length, 1e-9 * def->EA), H = 0.0;
    c->slack = g.reach >= c->span;
    if (!c->slack) {
        while (GetGrounded(c, heightA, heightB, high).reach < c->span && high < 10.0 * def->EA) high *= 2.0;
        H = 0.5 * (low + high);
        for (int k = 0; k < 200; ++k) {
            g = GetGrounded(c, heightA, heightB, H);
            double error = g.reach - c->span;
            if (error > 0.0) {
                high = H;
            } else {
                low = H;
            }
            double next = H - error / g.reachH;
            if (!(next > low && next < high)) next = 0.5 * (low + high);
            if (fabs(next - H) <= 1e-16 * H) break;
            H = next;
        }
        g = GetGrounded(c, heightA, heightB, H);
    }
    c->grounded = true;
    c->horizontal = H;
    c->hangA = g.hangA;
    c->hangB = g.hangB;
    c->lies = g.lies;
    c->verticalA = -c->weight * g.hangA;
    c->verticalB = c->weight * g.hangB;
}

// Depth of the lowest point of a hanging line below end a.
static double GetSag(const hwCatenary* c) {
    if (c->verticalA >= 0.0) return 0.0;
    double s = hwFmin(-c->verticalA / c->weight, c->def.length);
    return -GetHang(c->horizontal, c->verticalA, c->weight, c->def.EA, s).z;
}

// In the plane: rows and columns along x and z.
static void GetPlaneStiffness(const hwCatenary* c, double k[2][2]) {
    double w = c->weight, EA = c->def.EA, H = c->horizontal;
    if (!c->grounded) {
        Hang hang = GetHang(H, c->verticalA, w, EA, c->def.length);
        double det = hang.xh * hang.zv - hang.xv * hang.xv;
        k[0][0] = hang.zv / det;
        k[0][1] = k[1][0] = -hang.xv / det;
        k[1][1] = hang.xh / det;
        return;
    }
    // reach(H, heightB) = span; the hanging length's change with height lH', with H lH.
    double l = c->hangB, t = sqrt(H * H + w * w * l * l);
    double heightA = c->def.a.z - c->floor, heightB = c->def.b.z - c->floor;
    double reachH = GetGrounded(c, heightA, heightB, H).reachH;
    k[0][0] = c->slack ? 0.0 : 1.0 / reachH;
    k[0][1] = k[1][0] = k[1][1] = 0.0;
    if (!(l > 0.0)) return;
    double lh = 1.0 / (w * l / t + w * l / EA);
    double lH = -GetHang(H, 0.0, w, EA, l).xv * lh;
    double reachh = (H / t - 1.0) * lh;
    double Hh = c->slack ? 0.0 : -reachh / reachH;
    k[0][1] = k[1][0] = Hh;
    k[1][1] = w * (lh + (c->slack ? 0.0 : lH * Hh));
}

static void FillForces(hwCatenary* c) {
    double H = c->horizontal, lost = 0.0;
    if (c->grounded && c->def.friction > 0.0 && (c->hangA == 0.0 || c->hangB == 0.0)) {
        lost = hwFmin(c->def.friction * c->weight * c->lies, H);
    }
    double atA = c->hangA > 0.0 && c->hangB == 0.0 && c->grounded ? H : H - lost;
    double atB = c->hangA > 0.0 && c->hangB == 0.0 && c->grounded ? H - lost : H;
    c->forceA = hwScale(atA, c->along);
    c->forceA.z = c->up * c->verticalA;
    c->forceB = hwScale(-atB, c->along);
    c->forceB.z = -c->up * c->verticalB;
    // the bottom sinks with an end that is below it: that end carries what lies on it
    if (c->grounded && c->floor < c->def.floor) {
        hwVec3* lowest = c->def.a.z < c->def.b.z ? &c->forceA : &c->forceB;
        lowest->z -= c->weight * c->lies;
    }
    double k[2][2];
    GetPlaneStiffness(c, k);
    k[0][1] *= c->up;
    k[1][0] *= c->up;
    double side = c->span > 0.0 ? H / c->span : k[0][0];
    hwVec3 x = c->along, y = hwMakeVec3(-x.y, x.x, 0.0);
    c->stiffness.cx = hwMakeVec3(k[0][0] * x.x * x.x + side * y.x * y.x,
                                 k[0][0] * x.x * x.y + side * y.x * y.y, k[1][0] * x.x);
    c->stiffness.cy = hwMakeVec3(c->stiffness.cx.y, k[0][0] * x.y * x.y + side * y.y * y.y, k[1][0] * x.y);
    c->stiffness.cz = hwMakeVec3(k[0][1] * x.x, k[0][1] * x.y, k[1][1]);
}

hwStatus hwCatenary_Solve(const hwCatenaryDef* def, hwCatenary* out, hwError* error) {
    if (!hwIsFiniteVec3(def->a) || !hwIsFiniteVec3(def->b) || !isfinite(def->weight) ||
        !isfinite(def->length) || !isfinite(def->EA) || !(def->length > 0.0) || !(def->EA > 0.0) ||
        !(def->friction >= 0.0)) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "a catenary needs finite ends, weight and friction, and a positive length and EA");
    }
    hwCatenary* c = out;
    hwVec3 d = hwSub(def->b, def->a);
    *c = (hwCatenary){.def = *def, .up = def->weight < 0.0 ? -1.0 : 1.0};
    c->weight = fabs(def->weight);
    c->span = sqrt(d.x * d.x + d.y * d.y);
    c->rise = c->up * d.z;
    c->along = c->span > 0.0 ? hwMakeVec3(d.x / c->span, d.y / c->span, 0.0) : hwMakeVec3(1.0, 0.0, 0.0);
    // A slack line without weight has no shape; let it weigh next to nothing.
    if (c->weight == 0.0 && hwLength(d) < def->length) c->weight = 1e-9 * def->EA / def->length;
    SolveHanging(c);
    if (def->hasFloor && def->weight >= 0.0 && c->weight > 0.0) {
        c->floor = hwFmin(def->floor, hwFmin(def->a.z, def->b.z));
        if (def->a.z - GetSag(c) < c->floor - 1e-12 * def->length) SolveGrounded(c);
    }
    if (!c->grounded) c->hangB = def->length;
    FillForces(c);
    return HW_OK;
}

// Position relative to a, tension and its vertical part, in the plane.
static void GetPlanePoint(const hwCatenary* c, double s, double* x, double* z, double* H, double* V) {
    double w = c->weight, EA = c->def.EA;
    *H = c->horizontal;
    if (!c->grounded || s <= c->hangA) {
        Hang hang = GetHang(*H, c->verticalA, w, EA, s);
        *x = hang.x;
        *z = hang.z;
        *V = c->verticalA + w * s;
        return;
    }
    double startZ = c->hangA > 0.0 ? GetHang(*H, c->verticalA, w, EA, c->hangA).z : 0.0;
    double startX = c->hangA > 0.0 ? GetHang(*H, c->verticalA, w, EA, c->hangA).x : 0.0;
    double endX = c->span - (c->hangB > 0.0 ? GetHang(*H, 0.0, w, EA, c->hangB).x : 0.0);
    if (s >= c->hangA + c->lies) {
        double up = s - c->hangA - c->lies;
        Hang hang = GetHang(*H, 0.0, w, EA, up);
        *x = endX + hang.x;
        *z = startZ + hang.z;
        *V = w * up;
        return;
    }
    // On the bottom. Slack is spread evenly; friction eats tension away from the end that hangs.
    double at = s - c->hangA;
    *z = startZ;
    *V = 0.0;
    if (c->slack) {
        *x = startX + (endX - startX) * at / c->lies;
        return;
    }
    bool one = c->hangA == 0.0 || c->hangB == 0.0;
    double drag = one ? c->def.friction * w : 0.0;
    bool fromA = c->hangA > 0.0; // the tension comes from a
    double away = fromA ? at : c->lies - at;
    double held = drag > 0.0 ? hwFmin(away, c->horizontal / drag) : away;
    double moved = away + held * (c->horizontal - 0.5 * drag * held) / EA;
    *x = fromA ? startX + moved : endX - moved;
    *H = hwFmax(c->horizontal - drag * away, 0.0);
}

hwVec3 hwCatenary_GetPoint(const hwCatenary* c, double s, hwVec3* tangent, double* tension) {
    double x, z, H, V;
    GetPlanePoint(c, hwClamp(s, 0.0, c->def.length), &x, &z, &H, &V);
    double size = sqrt(H * H + V * V);
    if (tension != NULL) *tension = size;
    if (tangent != NULL) {
        *tangent = size > 0.0 ? hwScale(H / size, c->along) : c->along;
        if (size > 0.0) tangent->z = c->up * V / size;
    }
    hwVec3 point = hwMulAdd(c->def.a, x, c->along);
    point.z += c->up * z;
    return point;
}
