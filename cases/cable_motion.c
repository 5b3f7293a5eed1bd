// Large motions of cables against equations solved here.
#include "cases/cable_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double g = 9.81;

// Chain released from a horizontal line ------------------------------------------------------------------------------------

// A chain of n uniform rods of length h and mass 1 kg/m, absolute angles p from the downward vertical:
//   sum_j a_ij (cos(p_i - p_j) p_j'' + sin(p_i - p_j) p_j'^2) + b_i sin(p_i) = 0,
//   a_ij = h^3 (n - 1 - max(i, j) + 1/2, on the diagonal 1/3), b_i = g h^2 (n - 1 - i + 1/2).
// It tends to the inextensible chain as 1/n^2: extrapolated from 28 and 56 rods.
enum { MOST_RODS = 56 };

typedef struct Rods {
    int count;
    double length; // m, of one
} Rods;

static double GetRodWeight(const Rods* p, int i, int j) {
    double below = p->count - 1 - (i > j ? i : j);
    return p->length * p->length * p->length * (below + (i == j ? 1.0 / 3.0 : 0.5));
}

static void RodSlope(const void* context, double t, const double* y, double* slope) {
    (void)t;
    const Rods* p = context;
    int n = p->count;
    double A[MOST_RODS][MOST_RODS], x[MOST_RODS];
    for (int i = 0; i < n; ++i) {
        slope[i] = y[n + i];
        x[i] = -g * p->length * p->length * (n - 1 - i + 0.5) * sin(y[i]);
        for (int j = 0; j < n; ++j) {
            double weight = GetRodWeight(p, i, j);
            if (j <= i) A[i][j] = weight * cos(y[i] - y[j]);
            x[i] -= weight * sin(y[i] - y[j]) * y[n + j] * y[n + j];
        }
    }
    // Cholesky
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = A[i][j];
            for (int k = 0; k < j; ++k) sum -= A[i][k] * A[j][k];
            A[i][j] = i == j ? sqrt(sum) : sum / A[j][j];
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) x[i] -= A[i][k] * x[k];
        x[i] /= A[i][i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) x[i] -= A[k][i] * x[k];
        x[i] /= A[i][i];
        slope[n + i] = x[i];
    }
}

static const double chainLength = 10.0;
static const double releaseTimes[3] = {0.6, 1.0, 1.3}; // s; it whips round at about 1.45 s

static void SolveReleased(int count, hwVec3 tip[3]) {
    Rods rods = {count, chainLength / count};
    double y[2 * MOST_RODS], time = 0.0;
    for (int i = 0; i < count; ++i) y[i] = 0.5 * HW_PI, y[count + i] = 0.0;
    for (int k = 0; k < 3; ++k) {
        hwCase_Integrate(RodSlope, &rods, 2 * count, time, releaseTimes[k],
                         (int)lround((releaseTimes[k] - time) / 2e-3), y);
        time = releaseTimes[k];
        tip[k] = hwVec3_zero;
        for (int i = 0; i < count; ++i) {
            tip[k].x += rods.length * sin(y[i]);
            tip[k].z -= rods.length * cos(y[i]);
        }
    }
}

static hwCableSectionDef ChainSection(int elements) {
    hwCableSectionDef section = hwMakeSection(chainLength, elements, 0.02, 1.0, 1e6);
    section.compression = 0.0;
    section.axialDamping = 20.0;
    return section;
}

static void ReleasedChain(hwCaseContext* context) {
    hwVec3 coarse[3], exact[3], tip[2][3];
    SolveReleased(MOST_RODS / 2, coarse);
    SolveReleased(MOST_RODS, exact);
    for (int k = 0; k < 3; ++k) exact[k] = hwMulAdd(exact[k], 1.0 / 3.0, hwSub(exact[k], coarse[k]));
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwEnvironmentDef dry = hwDefaultEnvironmentDef();
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, &dry, realtime ? 0.0 : 1e-6, false);
        hwCableSectionDef section = ChainSection(80);
        hwCableEndDef freeEnd = {.placed = true, .at = {chainLength, 0.0, 0.0}};
        hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), freeEnd);
        hwCableId id = hwCaseRun_AddCable(&run, &line);
        hwCaseRun_Prepare(&run);
        for (int k = 0; k < 3; ++k) {
            hwCaseRun_Advance(&run, releaseTimes[k] - (k > 0 ? releaseTimes[k - 1] : 0.0));
            tip[realtime][k] = hwCaseRun_ReadNode(&run, id, -1);
        }
        hwCaseRun_End(&run);
    }
    for (int k = 0; k < 3; ++k) {
        char name[80];
        for (int axis = 0; axis < 3; axis += 2) {
            snprintf(name, sizeof(name), "tip after %g s, %c, m", releaseTimes[k], "xyz"[axis]);
            double e = (&exact[k].x)[axis];
            // relative to the chain's length
            double bar = 5e-3 * chainLength / fabs(e);
            hwCase_Compare(context, name, e, HW_NO_SEED, (&tip[0][k].x)[axis], (&tip[1][k].x)[axis], bar,
                           2.0 * bar, "rods, extrapolated; 80 elements; tolerance 0.5 % of the length");
        }
    }
}

// Folded chain -------------------------------------------------------------------------------------------------------------

// Both ends at the top, one let go: the tip falls faster than g. With a narrow fold no energy is lost, and (Calkin & March
// 1989) v^2 = g x (2 L - x)/(L - x) after falling by x: t = integral of dx/v, with x = y^2.
static double GetFoldTime(double part) {
    const int n = 20000;
    double sum = 0.0, end = sqrt(part);
    for (int i = 0; i < n; ++i) {
        double y = end * (i + 0.5) / n, x = y * y;
        sum += 2.0 * sqrt((1.0 - x) / (2.0 - x)) * end / n;
    }
    return sum * sqrt(chainLength / g);
}

static const double foldParts[3] = {0.3, 0.6, 0.9};

static void DropFold(hwCaseContext* context, bool reference, double times[3]) {
    const double width = 0.2, interval = 1.0 / 240.0;
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, &dry, reference ? 1e-6 : 0.0, true);
    // slackness comes and goes in every element that passes the fold: explicit steps are cheaper than implicit ones
    if (reference && !run.failed) {
        run.failed = hwWorld_UseReference(run.world, HW_REFERENCE_EXPLICIT, &run.error) != HW_OK;
    }
    hwCableSectionDef section = ChainSection(160);
    section.EA = 2e5;
    hwCableDef line =
        hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), hwPinOnEarth(hwMakeVec3(width, 0.0, 0.0)));
    hwVec3 points[4] = {{0, 0, 0}, {0, 0, -0.5 * chainLength}, {width, 0, -0.5 * chainLength}, {width, 0, 0}};
    line.shape = HW_CABLE_POINTS;
    line.pointCount = 4;
    line.points = points;
    hwCableId id = hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    if (!run.failed) run.failed = hwCable_Detach(run.world, id, 1, &run.error) != HW_OK;
    double before = 0.0;
    for (int i = 1, k = 0; k < 3 && i < 480 && !run.failed; ++i) {
        hwCaseRun_Advance(&run, interval);
        double fallen = -hwCaseRun_ReadNode(&run, id, -1).z, wanted = foldParts[k] * chainLength;
        if (fallen >= wanted) times[k++] = interval * (i - (fallen - wanted) / (fallen - before));
        before = fallen;
    }
    hwCaseRun_End(&run);
}

static void FoldedChain(hwCaseContext* context) {
    double a[3] = {NAN, NAN, NAN}, b[3] = {NAN, NAN, NAN};
    DropFold(context, true, a);
    DropFold(context, false, b);
    for (int k = 0; k < 3; ++k) {
        char name[80], note[80];
        snprintf(name, sizeof(name), "time to fall %g of the length, s", foldParts[k]);
        snprintf(note, sizeof(note), "free fall takes %.4f s", sqrt(2.0 * foldParts[k] * chainLength / g));
        hwCase_Compare(context, name, GetFoldTime(foldParts[k]), HW_NO_SEED, a[k], b[k], 5e-3, 1e-2, note);
    }
}

// Skipping rope ------------------------------------------------------------------------------------------------------------

// An elastic rope that whirls about the x axis without gravity, both ends on it: in the plane that turns with it,
//   (T t)' = -mu w^2 r e_r,  (x, r)' = (1 + T/EA) t,
// a relative equilibrium; the shape stays and the phase is w time. Shooting on the tension at the first end.
typedef struct Rope {
    double rate, mass, EA, length, span, angle; // rad/s, kg/m, N, m, m, rad
} Rope;

static void RopeSlope(const void* context, double s, const double* y, double* slope) {
    (void)s;
    const Rope* p = context;
    double T = hypot(y[2], y[3]), stretch = (1.0 + T / p->EA) / T;
    slope[0] = stretch * y[2];
    slope[1] = stretch * y[3];
    slope[2] = 0.0;
    slope[3] = -p->mass * p->rate * p->rate * y[1];
}

// Newton's method on the two components: half the rope, at whose middle the tension points along the axis.
static void StartRope(const Rope* p, double start[2]) {
    start[0] = 0.3 * p->mass * p->rate * p->rate * p->length * p->length / 4.0, start[1] = 1.5 * start[0];
    for (int i = 0; i < 60; ++i) {
        double miss[3][2];
        for (int k = 0; k < 3; ++k) {
            double y[4] = {0.0, 0.0, start[0] * (k == 1 ? 1.0 + 1e-6 : 1.0),
                           start[1] * (k == 2 ? 1.0 + 1e-6 : 1.0)};
            hwCase_Integrate(RopeSlope, p, 4, 0.0, 0.5 * p->length, 400, y);
            miss[k][0] = y[0] - 0.5 * p->span;
            miss[k][1] = y[3];
        }
        double a = (miss[1][0] - miss[0][0]) / (1e-6 * start[0]),
               b = (miss[2][0] - miss[0][0]) / (1e-6 * start[1]);
        double c = (miss[1][1] - miss[0][1]) / (1e-6 * start[0]),
               d = (miss[2][1] - miss[0][1]) / (1e-6 * start[1]);
        double det = a * d - b * c;
        double dx = -(d * miss[0][0] - b * miss[0][1]) / det, dr = -(a * miss[0][1] - c * miss[0][0]) / det;
        double part = fmin(1.0, 0.3 * start[0] / fmax(fabs(dx), fabs(dr)));
        start[0] += part * dx;
        start[1] += part * dr;
    }
}

enum { ROPE_ELEMENTS = 60 };

static void SkippingRope(hwCaseContext* context) {
    Rope rope = {.rate = 2.0 * HW_PI, .mass = 0.2, .EA = 2e4, .length = 4.0, .span = 2.5};
    double start[2], radius = 0.0, found[2][3];
    StartRope(&rope, start);
    hwVec3 nodes[ROPE_ELEMENTS + 1], velocities[ROPE_ELEMENTS + 1];
    double y[4] = {0.0, 0.0, start[0], start[1]}, h = rope.length / ROPE_ELEMENTS;
    for (int i = 0; i <= ROPE_ELEMENTS; ++i) {
        nodes[i] = hwMakeVec3(y[0], 0.0, -y[1]);
        velocities[i] = hwMakeVec3(0.0, rope.rate * y[1], 0.0);
        if (i == ROPE_ELEMENTS / 2) radius = y[1];
        if (i < ROPE_ELEMENTS) hwCase_Integrate(RopeSlope, &rope, 4, i * h, (i + 1) * h, 20, y);
    }
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, NULL, realtime ? 0.0 : 1e-7, false);
        hwCableSectionDef section = hwMakeSection(rope.length, ROPE_ELEMENTS, 0.01, rope.mass, rope.EA);
        section.axialDamping = 10.0;
        section.EI = 1e-3; // its damping must not brake what only turns
        section.bendingDamping = 1e-3;
        hwCableDef line =
            hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), hwPinOnEarth(hwMakeVec3(rope.span, 0.0, 0.0)));
        line.shape = HW_CABLE_NODES;
        line.pointCount = ROPE_ELEMENTS + 1;
        line.points = nodes;
        line.velocities = velocities;
        hwCableId id = hwCaseRun_AddCable(&run, &line);
        hwCaseRun_Prepare(&run);
        hwCaseRun_Advance(&run, 5.125); // five turns and an eighth
        hwVec3 middle = hwCaseRun_ReadNode(&run, id, ROPE_ELEMENTS / 2);
        found[realtime][0] = hypot(middle.y, middle.z);
        found[realtime][1] = atan2(middle.y, -middle.z) / (2.0 * HW_PI);
        found[realtime][2] = hwLength(hwCaseRun_ReadLoad(&run, id, 0));
        hwCaseRun_End(&run);
    }
    hwCase_Compare(context, "radius after 5.125 turns, m", radius, HW_NO_SEED, found[0][0], found[1][0], 1e-3,
                   1e-2, NULL);
    hwCase_Compare(context, "phase then, turns", 0.125, HW_NO_SEED, found[0][1], found[1][1], 0.04, 0.4,
                   "0.1 % and 1 % of 5.125 turns");
    hwCase_Compare(context, "force on an end, N", hypot(start[0], start[1]), HW_NO_SEED, found[0][2],
                   found[1][2], 1e-3, 1e-2, NULL);
}

// A heavy load on a light stiff wire ---------------------------------------------------------------------------------------

// 10 t under 100 m of 1 kg/m with EA = 1e9 N. Pulled 5 m aside and let go; the period for small swings by shooting as in
// case sms-4.3.5, times 1 + a^2/16. With the first axial mode at 5 Hz and hundreds of rad/s in the wire.
typedef struct Heavy {
    double mass, wire, EA, length, frequency;
} Heavy;

static void HeavySlope(const void* context, double s, const double* y, double* slope) {
    const Heavy* p = context;
    double T = (p->mass + p->wire * (p->length - s)) * g;
    slope[0] = y[1] * (1.0 + T / p->EA) / T;
    slope[1] = -p->wire * p->frequency * p->frequency * y[0];
}

static double ShootHeavy(const void* context, double frequency) {
    Heavy p = *(const Heavy*)context;
    p.frequency = frequency;
    double y[2] = {0.0, 1.0};
    hwCase_Integrate(HeavySlope, &p, 2, 0.0, p.length, 200, y);
    return y[1] - p.mass * frequency * frequency * y[0];
}

static void HeavyLoad(hwCaseContext* context) {
    Heavy p = {.mass = 1e4, .wire = 1.0, .EA = 1e9, .length = 100.0};
    p.frequency = hwCase_FindRoot(ShootHeavy, &p, 0.1, 1.0);
    double angle = 0.05, exact = 2.0 * HW_PI / p.frequency * (1.0 + angle * angle / 16.0), period[2],
           drift[2];
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwEnvironmentDef dry = hwDefaultEnvironmentDef();
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, &dry, realtime ? 0.0 : 1e-6, false);
        double stretched = p.length * (1.0 + p.mass * g * cos(angle) / p.EA);
        hwBodyDef load = hwDefaultBodyDef();
        load.name = "load";
        load.mass = p.mass;
        for (int k = 0; k < 3; ++k) load.inertia[k] = 5e3;
        load.position = hwMakeVec3(stretched * sin(angle), 0.0, -stretched * cos(angle));
        hwBodyId id = hwCaseRun_AddBody(&run, &load);
        hwCableSectionDef section = hwMakeSection(p.length, 20, 0.05, p.wire, p.EA);
        section.axialDamping = 1e6; // 1.6 % of critical in the first axial mode
        hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), hwPinOnBody(id, hwVec3_zero));
        hwCaseRun_AddCable(&run, &line);
        hwCaseRun_Prepare(&run);
        double before = hwCaseRun_Read(&run, "world.energy.balance");
        period[realtime] =
            hwCaseRun_FindPeriod(&run, "load.position.x", 0.0, realtime ? 1.0 / 60.0 : 0.2, 65.0);
        drift[realtime] = (hwCaseRun_Read(&run, "world.energy.balance") - before) /
                          (p.mass * g * p.length * (1.0 - cos(angle)));
        hwCaseRun_End(&run);
    }
    hwCase_Compare(context, "period, s", exact, HW_NO_SEED, period[0], period[1], 1e-3, 1e-3,
                   "realtime at 1/60 s");
    hwCase_Compare(context, "energy lost in 65 s, of the swing's", 0.0, HW_NO_SEED, drift[0], drift[1], 1e-3,
                   1e-2, NULL);
}

// Snap ---------------------------------------------------------------------------------------------------------------------

// 500 kg fly away at 2 m/s on a wire of 0.1 kg that is slack by a tenth. Taut, the wire is a spring and stops the mass:
// peak v sqrt(EA m/L) at pi/2 sqrt(m L/EA) after, then the mass flies back at its speed. A third of the wire's mass counts.
enum { SNAP_ELEMENTS = 20 };

static void Snap(hwCaseContext* context) {
    const double mass = 500.0, speed = 2.0, length = 10.0, EA = 1e6, wire = 0.01, gap = 1.0;
    double peak[2], back[2];
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, NULL, realtime ? 0.0 : 1e-6, false);
        hwBodyDef load = hwDefaultBodyDef();
        load.name = "load";
        load.mass = mass;
        for (int k = 0; k < 3; ++k) load.inertia[k] = 10.0;
        load.position = hwMakeVec3(length - gap, 0.0, 0.0);
        load.velocity = hwMakeVec3(speed, 0.0, 0.0);
        hwBodyId id = hwCaseRun_AddBody(&run, &load);
        hwCableSectionDef section = hwMakeSection(length, SNAP_ELEMENTS, 0.01, wire, EA);
        section.compression = 0.0;
        section.axialDamping = 50.0;
        hwVec3 nodes[SNAP_ELEMENTS + 1], velocities[SNAP_ELEMENTS + 1];
        for (int i = 0; i <= SNAP_ELEMENTS; ++i) {
            nodes[i] = hwMakeVec3((length - gap) * i / SNAP_ELEMENTS, 0.0, 0.0);
            velocities[i] = hwMakeVec3(speed * i / SNAP_ELEMENTS, 0.0, 0.0);
        }
        hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), hwPinOnBody(id, hwVec3_zero));
        line.shape = HW_CABLE_NODES;
        line.pointCount = SNAP_ELEMENTS + 1;
        line.points = nodes;
        line.velocities = velocities;
        hwCaseRun_AddCable(&run, &line);
        hwCaseRun_Prepare(&run);
        // frames; the parabola through the three highest
        double f[3] = {0.0}, best = 0.0;
        for (int k = 0; k < 60; ++k) {
            hwCaseRun_Advance(&run, 1.0 / 60.0);
            f[0] = f[1], f[1] = f[2], f[2] = hwCaseRun_Read(&run, "line.a.tension");
            double bend = f[0] - 2.0 * f[1] + f[2];
            if (f[1] >= f[0] && f[1] > f[2])
                best = fmax(best, f[1] - 0.125 * (f[2] - f[0]) * (f[2] - f[0]) / bend);
        }
        peak[realtime] = best;
        back[realtime] = -hwCaseRun_ReadBody(&run, id).velocity.x;
        hwCaseRun_End(&run);
    }
    double exact = speed * sqrt(EA * (mass + wire * length / 3.0) / length);
    hwCase_Compare(context, "peak of the force, N", exact, HW_NO_SEED, peak[0], peak[1], 1e-3, 1e-2,
                   "read from frames of 1/60 s");
    hwCase_Compare(context, "speed of the mass after it, m/s", speed, HW_NO_SEED, back[0], back[1], 2e-3,
                   1e-2, "damping along the wire takes 0.1 %");
}

// A load that falls into an undamped wire, again and again, in frames of 1/60 s with the default tolerance: whatever is lost, the
// method has damped, and the balance closes with it.
static void Bounce(hwCaseContext* context) {
    hwEnvironmentDef air = hwDefaultEnvironmentDef();
    hwCaseRun run;
    hwCaseRun_Begin(&run, context, false, &air, 0.0);
    hwBodyDef load = hwDefaultBodyDef();
    load.name = "load";
    load.mass = 400.0;
    load.inertia[0] = load.inertia[1] = load.inertia[2] = 20.0;
    load.position.z = -10.0;
    hwBodyId id = hwCaseRun_AddBody(&run, &load);
    hwCableSectionDef section = hwMakeSection(12.0, 10, 0.02, 1.2, 1e7);
    section.compression = 0.0;
    hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), hwPinOnBody(id, hwVec3_zero));
    hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    hwEnergy start = {0}, end = {0};
    if (!run.failed) start = hwWorld_GetEnergy(run.world);
    hwCaseRun_Advance(&run, 20.0);
    if (!run.failed) end = hwWorld_GetEnergy(run.world);
    hwCaseRun_End(&run);
    double turnover = load.mass * 9.81 * 2.0; // J, of the first fall
    double lost = start.kinetic + start.potential + start.elastic - end.kinetic - end.potential -
                  end.elastic - (end.dissipated - start.dissipated) + (end.work - start.work);
    hwCase_Check(context, HW_MADE_REALTIME, "damped by the method over the first fall, against what was lost",
                 lost / turnover, end.method / turnover, 1e-3,
                 "by the derivative of the energies along the stages; forces take no part in it");
}

const hwCase hwCableMotionCases[] = {
    {"cable/released-chain", "Lagrange's equations of rods", "A chain released from a horizontal line.",
     ReleasedChain},
    {"cable/folded-chain", "Calkin & March 1989", "A folded chain whose free end falls faster than g.",
     FoldedChain},
    {"cable/skipping-rope", "boundary-value problem", "A rope that whirls about the line between its ends.",
     SkippingRope},
    {"cable/snap", "energy", "A slack wire that snaps taut and throws a mass back.", Snap},
    {"cable/bounce", "energy",
     "A load bouncing on an undamped wire: what the method damps is a term of the balance.", Bounce},
    {"cable/heavy-load", "equation of motion", "10 t swinging under a wire of 1 kg/m with EA = 1e9 N.",
     HeavyLoad},
    {0},
};
