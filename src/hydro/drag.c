#include "hydro/drag.h"

#include <math.h>

// Smooth circular cylinder across a stream, after the measurements collected by Schlichting, "Boundary-Layer Theory"
// (1979), fig. 1.4, and Zdravkovich (1997) for the drag crisis. Straight lines between, in logarithms of both.
static const double cylinderCurve[][2] = {
    {1e-1, 58.0}, {1e0, 10.0}, {1e1, 2.8}, {1e2, 1.4},  {1e3, 1.0},  {2e3, 0.95},
    {1e4, 1.1},   {2e4, 1.18}, {1e5, 1.2}, {2e5, 1.17}, {3e5, 0.9},  {4e5, 0.4},
    {5e5, 0.3},   {1e6, 0.35}, {2e6, 0.5}, {4e6, 0.65}, {1e7, 0.75},
};

// Smooth sphere, same source, fig. 1.5; below a Reynolds number of 0.1 Stokes' 24/Re with Oseen's correction.
static const double sphereCurve[][2] = {
    {1e-1, 244.5}, {1e0, 27.1}, {1e1, 4.26}, {1e2, 1.09}, {1e3, 0.47}, {3e3, 0.40}, {1e4, 0.41}, {5e4, 0.49},
    {1e5, 0.50},   {2e5, 0.48}, {3e5, 0.25}, {4e5, 0.09}, {1e6, 0.13}, {4e6, 0.19}, {1e7, 0.20},
};

static double InterpolateDrag(const double (*curve)[2], int count, double reynolds) {
    if (reynolds >= curve[count - 1][0]) return curve[count - 1][1];
    int i = 1;
    while (curve[i][0] < reynolds) i += 1;
    double x = hwLog(reynolds / curve[i - 1][0]) / hwLog(curve[i][0] / curve[i - 1][0]);
    return curve[i - 1][1] * hwPow(curve[i][1] / curve[i - 1][1], x);
}

double hwDragCurve_Evaluate(hwDragCurve curve, double reynolds) {
    if (curve == HW_DRAG_CONSTANT) return 1.0;
    // Lamb's creeping flow past a cylinder goes as 1/(Re ln Re); 1/Re continues the first point closely enough.
    double creeping = curve == HW_DRAG_SPHERE ? 24.0 * (1.0 + 3.0 / 16.0 * reynolds) : 5.8;
    if (reynolds < 0.1) return creeping / hwFmax(reynolds, 1e-12);
    if (curve == HW_DRAG_SPHERE)
        return InterpolateDrag(sphereCurve, sizeof(sphereCurve) / sizeof(sphereCurve[0]), reynolds);
    return InterpolateDrag(cylinderCurve, sizeof(cylinderCurve) / sizeof(cylinderCurve[0]), reynolds);
}

// Adds a force at a point of the body whose derivative with the point's velocity is -`damping`.
static void AddPointForce(hwDragSum* sum, hwVec3 point, hwVec3 force, hwSym3 damping, hwVec3 relative) {
    sum->wrench.l = hwAdd(sum->wrench.l, force);
    sum->wrench.a = hwAdd(sum->wrench.a, hwCross(point, force));
    sum->dissipation -= hwDot(force, relative);
    hwPlacement at = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, point};
    hwSpatialSym local = {.ll = damping};
    hwSpatialSym seen = hwSpatialSymToParent(&at, &local);
    hwMulAddSpatialSym(&sum->damping, 1.0, &seen);
}

// k |v| v and its derivative k (|v| + v v^T / |v|), v any part of a velocity.
static hwVec3 QuadraticForce(double k, hwVec3 v, hwSym3* damping) {
    double speed = hwLength(v);
    double outer = speed > 0.0 ? k / speed : 0.0;
    hwSym3 d = {k * speed + outer * v.x * v.x,
                k * speed + outer * v.y * v.y,
                k * speed + outer * v.z * v.z,
                outer * v.x * v.y,
                outer * v.x * v.z,
                outer * v.y * v.z};
    *damping = hwAddSym3(*damping, d);
    return hwScale(-k * speed, v);
}

void hwAddAxisDrag(const hwHydroDef* def, hwSpatial relative, double factor, hwDragSum* sum) {
    double v[6], force[6], slope[6];
    hwSpatialToArray(relative, v);
    for (int i = 0; i < 6; ++i) {
        double linear = factor * def->linearDrag[i], quadratic = factor * def->quadraticDrag[i];
        force[i] = -(linear + quadratic * fabs(v[i])) * v[i];
        slope[i] = linear + 2.0 * quadratic * fabs(v[i]);
        sum->dissipation -= force[i] * v[i];
    }
    sum->wrench = hwAddS(sum->wrench, hwSpatialFromArray(force));
    sum->damping.ll.xx += slope[0], sum->damping.ll.yy += slope[1], sum->damping.ll.zz += slope[2];
    sum->damping.aa.xx += slope[3], sum->damping.aa.yy += slope[4], sum->damping.aa.zz += slope[5];
}

// Lift of a plate at angle of attack alpha (between the stream and the plate): slope sin(alpha) cos(alpha), which is
// slope * alpha at small angles and zero at a right angle, faded out smoothly beyond the stall angle.
static double LiftCoefficient(const hwLiftDef* lift, double sine, double cosine) {
    double alpha = fabs(hwAtan2(sine, cosine));
    double coefficient = lift->slope * sine * cosine;
    if (alpha > lift->stall) {
        double over = (alpha - lift->stall) / lift->stall;
        coefficient /= 1.0 + over * over;
    }
    return coefficient;
}

// The blunt end of a hull that trails. By slender-body theory (Newman, "Marine Hydrodynamics", 1977, chapter 7) it feels m u w across the
// hull, m being the added mass per length there, here 1/2 rho A slope. Flow that separates at the leading end has no suction there: the
// force is along the normal, m u w^2 goes into the wake. It is bilinear as Munk's moment is, and so takes it up at any angle.
static void AddTrailingEnd(const hwLiftDef* lift, hwVec3 v, double density, double factor, hwDragSum* sum) {
    double along = hwDot(v, lift->ahead);
    if (along <= 0.0) return;
    hwVec3 n = lift->normal;
    double k = 0.5 * density * factor * lift->area * lift->slope * along, d = fabs(k);
    hwSym3 damping = {d * n.x * n.x, d * n.y * n.y, d * n.z * n.z,
                      d * n.x * n.y, d * n.x * n.z, d * n.y * n.z};
    AddPointForce(sum, lift->at, hwScale(-k * hwDot(v, n), n), damping, v);
}

static void AddLift(const hwLiftDef* lift, hwSpatial relative, double density, double factor,
                    hwDragSum* sum) {
    hwVec3 v = hwAdd(relative.l, hwCross(relative.a, lift->at));
    if (hwLengthSquared(lift->ahead) > 0.0) {
        AddTrailingEnd(lift, v, density, factor, sum);
        return;
    }
    double speed = hwLength(v);
    if (speed <= 0.0) return;
    double across = hwDot(v, lift->normal);
    double along = sqrt(hwFmax(0.0, speed * speed - across * across));
    if (along <= 0.0) return;
    double coefficient = LiftCoefficient(lift, across / speed, along / speed);
    // The force is at right angles to the stream, in the plane of stream and normal, against the normal velocity.
    hwVec3 direction = hwNormalize(hwMulAdd(lift->normal, -across / (speed * speed), v));
    double size = -0.5 * density * factor * lift->area * speed * speed * coefficient;
    double slope = 0.5 * density * factor * lift->area * fabs(lift->slope) * speed;
    hwVec3 n = lift->normal;
    hwSym3 damping = {slope * n.x * n.x, slope * n.y * n.y, slope * n.z * n.z,
                      slope * n.x * n.y, slope * n.x * n.z, slope * n.y * n.z};
    AddPointForce(sum, lift->at, hwScale(size, direction), damping, v);
}

void hwAddSurfaceDrag(const hwHydroDef* def, hwSpatial relative, double density, double viscosity,
                      double factor, hwDragSum* sum) {
    hwVec3 center = def->buoyancyCenter;
    hwVec3 v = hwAdd(relative.l, hwCross(relative.a, center));
    double speed = hwLength(v);
    double k = 0.0;
    if (def->sphereDrag > 0.0) {
        double reynolds = speed * def->sphereDiameter / viscosity;
        double area = 0.25 * HW_PI * def->sphereDiameter * def->sphereDiameter;
        k += 0.5 * density * factor * def->sphereDrag * hwDragCurve_Evaluate(HW_DRAG_SPHERE, reynolds) * area;
    }
    if (def->skinArea > 0.0) {
        // ITTC 1957 line, 0.075 / (log10 Re - 2)^2; below Re = 1000 it is held, as the line has no meaning there.
        double reynolds = hwFmax(speed * def->skinLength / viscosity, 1e3);
        double logarithm = hwLog10(reynolds) - 2.0;
        k += 0.5 * density * factor * def->skinArea * 0.075 / (logarithm * logarithm);
    }
    if (k > 0.0 && isfinite(k)) {
        hwSym3 damping = {0};
        hwVec3 force = QuadraticForce(k, v, &damping);
        AddPointForce(sum, center, force, damping, v);
    }
    for (int i = 0; i < def->liftCount; ++i) AddLift(&def->lifts[i], relative, density, factor, sum);
}

void hwAddStripDrag(const hwHydroDef* def, const hwFluidSample* samples, hwMat3 turn, hwSpatial velocity,
                    hwDragSum* sum) {
    for (int s = 0; s < def->stripCount; ++s) {
        const hwStripDef* strip = &def->strips[s];
        hwVec3 along = hwSub(strip->to, strip->from);
        double length = hwLength(along) / strip->count;
        hwVec3 tangent = hwNormalize(along);
        for (int i = 0; i < strip->count; ++i, ++samples) {
            hwVec3 point = hwStrip_GetMiddle(strip, i);
            hwVec3 stream = hwMulTV(turn, samples->velocity);
            hwVec3 v = hwSub(hwAdd(velocity.l, hwCross(velocity.a, point)), stream);
            hwVec3 vt = hwScale(hwDot(v, tangent), tangent);
            hwVec3 vn = hwSub(v, vt);
            double across = strip->normal;
            if (strip->curve != HW_DRAG_CONSTANT) {
                double reynolds = hwLength(vn) * strip->diameter / samples->viscosity;
                across *= hwDragCurve_Evaluate(strip->curve, reynolds);
            }
            double half = 0.5 * samples->density * strip->diameter * length;
            hwSym3 damping = {0};
            hwVec3 force = QuadraticForce(half * across, vn, &damping);
            // |vn| acts across the tangent only
            double spread = half * across * hwLength(vn);
            hwVec3 t = tangent;
            damping = hwMulAddSym3(
                damping, -spread, (hwSym3){t.x * t.x, t.y * t.y, t.z * t.z, t.x * t.y, t.x * t.z, t.y * t.z});
            double kt = half * HW_PI * strip->tangential, slide = fabs(hwDot(v, tangent));
            force = hwMulAdd(force, -kt * slide, vt);
            damping =
                hwMulAddSym3(damping, 2.0 * kt * slide,
                             (hwSym3){t.x * t.x, t.y * t.y, t.z * t.z, t.x * t.y, t.x * t.z, t.y * t.z});
            AddPointForce(sum, point, force, damping, v);
        }
    }
}
