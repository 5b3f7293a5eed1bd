// Brateau, "Rigid tether modeling for underwater environment simulation" (2022): a tether of 15 nodes between two fixed points,
// its links held at their length by a controller, released from the shape of a chain. The paper shows figures without numbers
// and does not print its gains; what is compared here is its set of equations, integrated by themselves, and where they must
// come to rest. Its slips: the catenary's equation lacks a square, u points the other way, and the "potential energy" (work of
// all forces) is the kinetic energy gained.
//
// Node i of mass m (shared between neighbours as Hawser does: 5/6 on the node, 1/12 with each neighbour) between links of rest
// length r: M a = T_i u_i - T_(i-1) u_(i-1) + (rho V - m) g - f |v| v,
// T = Kp e + Kd de/dt + Ki integral(e), e = (l - r)/l.
#include "cases/cable_run.h"

#include <math.h>

#define LINKS 14
#define INNER (LINKS - 1)

static const double g = 9.81, length = 25.0, massPerLength = 4.0, diameter = 0.0226, density = 1000.0;
static const double kp = 2000.0, ki = 1000.0, kd = 60.0, friction = 15.0;
static const hwVec3 ends[2] = {{0.0, 0.0, -10.0}, {8.0, 0.0, -7.0}};

static double GetWeight(void) {
    return g * (massPerLength - density * 0.25 * HW_PI * diameter * diameter) * length / LINKS;
}

static hwCableId Begin(hwCaseRun* run, hwCaseContext* context, bool reference, bool statics,
                       double derivative) {
    hwEnvironmentDef water = hwDefaultEnvironmentDef();
    water.water = true;
    water.waterDensity = density;
    hwCableRun_Begin(run, context, reference, &water, reference ? 1e-8 : 0.0, statics);
    hwCableSectionDef section = hwMakeSection(length, LINKS, diameter, massPerLength, 1e6);
    hwCableDef line = hwMakeLine(&section, hwPinOnEarth(ends[0]), hwPinOnEarth(ends[1]));
    line.kind = HW_CABLE_PID;
    line.shape = HW_CABLE_CATENARY_SHAPE;
    line.pidProportional = kp;
    line.pidIntegral = ki;
    line.pidDerivative = derivative;
    line.pidFriction = friction;
    hwCableId id = hwCaseRun_AddCable(run, &line);
    hwCaseRun_Prepare(run);
    return id;
}

// Motion -----------------------------------------------------------------------------------------------------------------

// In the plane y = 0: x and z of the inner nodes, their velocities, then the integrals of the links.
enum { X = 0, Z = INNER, VX = 2 * INNER, VZ = 3 * INNER, INTEGRAL = 4 * INNER, UNKNOWNS = 4 * INNER + LINKS };

typedef struct Link {
    double ux, uz, tension, error;
} Link;

static void GetNode(const double* y, int i, double node[4]) {
    if (i == 0 || i == LINKS) {
        node[0] = ends[i == 0 ? 0 : 1].x;
        node[1] = ends[i == 0 ? 0 : 1].z;
        node[2] = node[3] = 0.0;
        return;
    }
    node[0] = y[X + i - 1];
    node[1] = y[Z + i - 1];
    node[2] = y[VX + i - 1];
    node[3] = y[VZ + i - 1];
}

static Link GetLink(const double* y, int e) {
    double a[4], b[4], rest = length / LINKS;
    GetNode(y, e, a);
    GetNode(y, e + 1, b);
    double l = hypot(b[0] - a[0], b[1] - a[1]);
    Link link = {.ux = (b[0] - a[0]) / l, .uz = (b[1] - a[1]) / l, .error = 1.0 - rest / l};
    double rate = rest / (l * l) * (link.ux * (b[2] - a[2]) + link.uz * (b[3] - a[3]));
    link.tension = kp * link.error + kd * rate + ki * y[INTEGRAL + e];
    return link;
}

// The tridiagonal mass matrix by elimination (Thomas).
static void DivideByMass(double* f) {
    double m = massPerLength * length / LINKS, diagonal = m * 10.0 / 12.0, off = m / 12.0, pivots[INNER];
    pivots[0] = diagonal;
    for (int i = 1; i < INNER; ++i) {
        double factor = off / pivots[i - 1];
        pivots[i] = diagonal - factor * off;
        f[i] -= factor * f[i - 1];
    }
    f[INNER - 1] /= pivots[INNER - 1];
    for (int i = INNER - 2; i >= 0; --i) f[i] = (f[i] - off * f[i + 1]) / pivots[i];
}

static void Slope(const void* context, double t, const double* y, double* slope) {
    (void)context;
    (void)t;
    Link links[LINKS];
    for (int e = 0; e < LINKS; ++e) {
        links[e] = GetLink(y, e);
        slope[INTEGRAL + e] = links[e].error;
    }
    for (int i = 0; i < INNER; ++i) {
        double vx = y[VX + i], vz = y[VZ + i], speed = hypot(vx, vz);
        const Link *before = &links[i], *after = &links[i + 1];
        slope[X + i] = vx;
        slope[Z + i] = vz;
        slope[VX + i] = after->tension * after->ux - before->tension * before->ux - friction * speed * vx;
        slope[VZ + i] =
            after->tension * after->uz - before->tension * before->uz - friction * speed * vz - GetWeight();
    }
    DivideByMass(slope + VX);
    DivideByMass(slope + VZ);
}

static double GetKinetic(const double* y) {
    double m = massPerLength * length / LINKS, sum = 0.0;
    for (int i = 0; i < INNER; ++i) {
        sum += 10.0 / 12.0 * (y[VX + i] * y[VX + i] + y[VZ + i] * y[VZ + i]);
        if (i + 1 < INNER) sum += 2.0 / 12.0 * (y[VX + i] * y[VX + i + 1] + y[VZ + i] * y[VZ + i + 1]);
    }
    return 0.5 * m * sum;
}

static double GetMeanError(const double* y) {
    double sum = 0.0;
    for (int e = 0; e < LINKS; ++e) {
        double error = GetLink(y, e).error;
        sum += error / (1.0 - error) / LINKS; // of the length over its target
    }
    return sum;
}

static void Motion(hwCaseContext* context) {
    static const double times[] = {0.5, 2.0, 5.0};
    double mean[2][3], kinetic[2][3], height[2][3], y[UNKNOWNS] = {0.0};
    for (int solver = 0; solver < 2; ++solver) {
        hwCaseRun run;
        hwCableId id = Begin(&run, context, solver == 0, false, kd);
        for (int i = 0; i < INNER; ++i) {
            hwVec3 node = hwCaseRun_ReadNode(&run, id, i + 1);
            y[X + i] = node.x;
            y[Z + i] = node.z;
        }
        for (int k = 0; k < 3; ++k) {
            hwCaseRun_Advance(&run, times[k] - (k > 0 ? times[k - 1] : 0.0));
            mean[solver][k] = hwCaseRun_Read(&run, "line.links.error");
            kinetic[solver][k] = hwCaseRun_Read(&run, "line.energy.kinetic");
            height[solver][k] = hwCaseRun_ReadNode(&run, id, 7).z;
        }
        hwCaseRun_End(&run);
    }
    static const char* const names[3][3] = {
        {"mean error of the links at 0.5 s", "mean error of the links at 2 s",
         "mean error of the links at 5 s"},
        {"kinetic energy at 0.5 s, J", "kinetic energy at 2 s, J", "kinetic energy at 5 s, J"},
        {"height of the middle node at 0.5 s, m", "height of the middle node at 2 s, m",
         "height of the middle node at 5 s, m"}};
    for (int k = 0; k < 3; ++k) {
        double from = k > 0 ? times[k - 1] : 0.0;
        hwCase_Integrate(Slope, NULL, UNKNOWNS, from, times[k], (int)lround(2000.0 * (times[k] - from)), y);
        hwCase_Compare(context, names[0][k], GetMeanError(y), HW_NO_SEED, mean[0][k], mean[1][k], 1e-3, 1e-2,
                       k == 0 ? "fig. 4; Runge-Kutta on the paper's equations, step 0.5 ms" : NULL);
        hwCase_Compare(context, names[1][k], GetKinetic(y), HW_NO_SEED, kinetic[0][k], kinetic[1][k], 1e-3,
                       2e-2, k == 0 ? "fig. 5" : NULL);
        hwCase_Compare(context, names[2][k], y[Z + 6], HW_NO_SEED, height[0][k], height[1][k], 1e-5, 1e-3,
                       NULL);
    }
}

// Rest -------------------------------------------------------------------------------------------------------------------

// Links of their length with the weight at their nodes: each lies along the force in it, (H, V - weight of the nodes behind).
// What is left between the last node and the second end, for a force (H, V) at the first one.
static void ClosePolygon(double H, double V, double gap[2]) {
    double x = ends[0].x, z = ends[0].z, rest = length / LINKS;
    for (int e = 0; e < LINKS; ++e) {
        double up = V + e * GetWeight(), T = hypot(H, up);
        x += rest * H / T;
        z += rest * up / T;
    }
    gap[0] = x - ends[1].x;
    gap[1] = z - ends[1].z;
}

static void SolvePolygon(double* H, double* V) {
    *H = 100.0;
    *V = -0.5 * LINKS * GetWeight();
    for (int i = 0; i < 200; ++i) {
        double gap[2], dH[2], dV[2];
        const double step = 1e-6;
        ClosePolygon(*H, *V, gap);
        ClosePolygon(*H + step, *V, dH);
        ClosePolygon(*H, *V + step, dV);
        double a = (dH[0] - gap[0]) / step, b = (dV[0] - gap[0]) / step;
        double c = (dH[1] - gap[1]) / step, d = (dV[1] - gap[1]) / step, det = a * d - b * c;
        double stepH = (d * gap[0] - b * gap[1]) / det, stepV = (a * gap[1] - c * gap[0]) / det;
        double part = fmin(1.0, 0.3 * *H / (fabs(stepH) + 1e-12));
        *H -= part * stepH;
        *V -= part * stepV;
    }
}

static void Rest(hwCaseContext* context) {
    double H, V, found[2][2], worst[2], later[3];
    SolvePolygon(&H, &V);
    for (int solver = 0; solver < 2; ++solver) {
        hwCaseRun run;
        hwCableId id = Begin(&run, context, solver == 0, true, kd);
        hwVec3 load = hwCaseRun_ReadLoad(&run, id, 0);
        found[solver][0] = load.x;
        found[solver][1] = load.z;
        worst[solver] = fmax(
            fabs(hwCaseRun_Read(&run, "line.links.high") / hwCaseRun_Read(&run, "line.links.target") - 1.0),
            fabs(hwCaseRun_Read(&run, "line.links.low") / hwCaseRun_Read(&run, "line.links.target") - 1.0));
        hwCaseRun_End(&run);
    }
    // the weight of half a link at the end belongs to the end's force
    double end = V - 0.5 * GetWeight();
    hwCase_Compare(context, "at rest: horizontal force at the lower end, N", H, HW_NO_SEED, found[0][0],
                   found[1][0], 1e-6, 1e-6, "polygon of links at their length");
    hwCase_Compare(context, "at rest: vertical force at the lower end, N", end, HW_NO_SEED, found[0][1],
                   found[1][1], 1e-6, 1e-6, NULL);
    hwCase_Compare(context, "at rest: error of the links, 95 % band", 0.0, HW_NO_SEED, worst[0], worst[1],
                   1e-8, 1e-8, NULL);
    // With kd as little as this the integral part keeps the longest modes of the chain swinging: a mode of mass M and
    // stiffness kp/l is damped only while kd kp > ki M l, and friction that falls with speed bounds it, at 0.4 % here.
    hwCaseRun run;
    hwCableId id = Begin(&run, context, false, false, 10.0 * kd);
    double start = hwCaseRun_Read(&run, "line.energy.mechanical");
    hwCaseRun_Advance(&run, 120.0);
    later[0] = hwCaseRun_Read(&run, "line.links.error");
    later[1] = hwCaseRun_ReadLoad(&run, id, 0).x;
    later[2] = hwCaseRun_Read(&run, "line.energy.mechanical");
    hwCaseRun_End(&run);
    hwCase_Compare(context, "after 120 s: mean error of the links", 0.0, HW_NO_SEED, later[0], later[0], 1e-3,
                   1e-3, "with ten times the derivative gain; with less the integral part keeps it swinging");
    hwCase_Compare(context, "after 120 s: horizontal force at the lower end, N", H, HW_NO_SEED, later[1],
                   later[1], 2e-2, 2e-2, NULL);
    hwCase_Compare(context, "after 120 s: mechanical energy has fallen", 1.0, HW_NO_SEED, later[2] < start,
                   later[2] < start, 0.0, 0.0, "fig. 7");
}

const hwCase hwBrateauCases[] = {
    {"brateau/motion", "Brateau (2022), sections II and V", "Behavioural links after their release.", Motion},
    {"brateau/rest", "Brateau (2022), section V", "Behavioural links at rest are at their length.", Rest},
    {0},
};
