// Shapes of cables at rest against closed forms and boundary-value problems solved here. What stands for the reference is
// the equilibrium that Prepare finds; the built-in solver then runs from it for a second, in which nothing should change.
#include "cases/cable_run.h"
#include "cases/irvine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double g = 9.81;

static void PrepareAndWait(hwCaseRun* run) {
    hwCaseRun_Prepare(run);
    if (!run->reference) hwCaseRun_Advance(run, 1.0);
}

// Elastic catenary -------------------------------------------------------------------------------------------------------

// Largest relative error of the two end tensions.
static double GetCatenaryError(hwCaseContext* context, const hwIrvine* c, bool reference, int elements,
                               double tensions[2]) {
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, &dry, 0.0, true);
    hwCableSectionDef section = hwMakeSection(c->length, elements, 0.05, c->weight / (g * c->length), c->EA);
    hwCableDef line =
        hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), hwPinOnEarth(hwMakeVec3(c->x, 0.0, -c->z)));
    // not from the closed form: from two legs that have about the right length
    double slack = sqrt(fmax(c->length * c->length - c->x * c->x - c->z * c->z, 0.0));
    hwVec3 points[3] = {{0, 0, 0}, {0.5 * c->x, 0.0, -0.5 * c->z - 0.5 * slack}, {c->x, 0.0, -c->z}};
    line.shape = HW_CABLE_POINTS;
    line.pointCount = 3;
    line.points = points;
    hwCaseRun_AddCable(&run, &line);
    PrepareAndWait(&run);
    double a = hwCaseRun_Read(&run, "line.a.tension"), b = hwCaseRun_Read(&run, "line.b.tension");
    hwCaseRun_End(&run);
    if (tensions != NULL) tensions[0] = a, tensions[1] = b;
    return fmax(fabs(a / hypot(c->H, c->V) - 1.0), fabs(b / hypot(c->H, c->V - c->weight) - 1.0));
}

static void ElasticCatenary(hwCaseContext* context) {
    static const struct {
        const char* name;
        double x, z; // m, of the lower end
    } lines[] = {{"shallow", 98.0, 0.0}, {"deep", 40.0, 20.0}, {"steep", 30.0, 85.0}};
    for (int i = 0; i < 3; ++i) {
        hwIrvine c = {.length = 100.0, .weight = 1000.0, .EA = 1e6, .x = lines[i].x, .z = lines[i].z};
        double found[2], later[2];
        char name[80];
        hwIrvine_Solve(&c);
        double fine = GetCatenaryError(context, &c, true, 100, found);
        double coarse = GetCatenaryError(context, &c, true, 50, NULL);
        GetCatenaryError(context, &c, false, 100, later);
        snprintf(name, sizeof(name), "%s, 100 elements: tension at a, N", lines[i].name);
        hwCase_Compare(context, name, hypot(c.H, c.V), HW_NO_SEED, found[0], later[0], 1e-4, 1e-4, NULL);
        snprintf(name, sizeof(name), "%s, 100 elements: tension at b, N", lines[i].name);
        hwCase_Compare(context, name, hypot(c.H, c.V - c.weight), HW_NO_SEED, found[1], later[1], 1e-4, 1e-4,
                       NULL);
        snprintf(name, sizeof(name), "%s: order of convergence", lines[i].name);
        hwCase_Compare(context, name, 2.0, HW_NO_SEED, log2(coarse / fine), (double)NAN, 0.05, (double)NAN,
                       "from 50 to 100 elements");
    }
}

// Elastica ---------------------------------------------------------------------------------------------------------------

// A clamped beam under a transverse end load P, p = P L^2/EI, lengths over L:
//   angle' = bend, bend' = -p cos(angle), bend = 0 at the end.
static void ElasticaSlope(const void* context, double s, const double* y, double* slope) {
    (void)s;
    slope[0] = y[1];
    slope[1] = -*(const double*)context * cos(y[0]);
    slope[2] = cos(y[0]);
    slope[3] = sin(y[0]);
}

static double ShootElastica(const void* context, double bend) {
    double y[4] = {0.0, bend, 0.0, 0.0};
    hwCase_Integrate(ElasticaSlope, context, 4, 0.0, 1.0, 2000, y);
    return y[1];
}

static void SolveElastica(double p, double* ahead, double* down) {
    double y[4] = {0.0, hwCase_FindRoot(ShootElastica, &p, 0.0, p), 0.0, 0.0};
    hwCase_Integrate(ElasticaSlope, &p, 4, 0.0, 1.0, 2000, y);
    *ahead = y[2];
    *down = y[3];
}

static hwVec3 BendBeam(hwCaseContext* context, bool reference, double p, int elements) {
    const double length = 3.0, EI = 100.0;
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, NULL, 0.0, true);
    hwCableSectionDef section = hwMakeSection(length, elements, 0.02, 1.0, 1e8); // stretches 1e-6
    section.EI = EI;
    hwCableEndDef clamp = hwClampOnEarth(hwVec3_zero, hwMakeVec3(1, 0, 0), hwMakeVec3(0, 1, 0));
    hwCableEndDef freeEnd = {.placed = true, .at = {length, 0.0, 0.0}};
    hwCableDef line = hwMakeLine(&section, clamp, freeEnd);
    hwCableId id = hwCaseRun_AddCable(&run, &line);
    hwCaseRun_PushCable(&run, id, length, hwMakeVec3(0.0, 0.0, -p * EI / (length * length)));
    PrepareAndWait(&run);
    hwVec3 tip = hwCaseRun_ReadNode(&run, id, -1);
    hwCaseRun_End(&run);
    return hwScale(1.0 / length, tip);
}

static void Elastica(hwCaseContext* context) {
    const double loads[3] = {1.0, 3.0, 10.0};
    for (int i = 0; i < 3; ++i) {
        double ahead, down;
        char name[80];
        SolveElastica(loads[i], &ahead, &down);
        hwVec3 tip = BendBeam(context, true, loads[i], 40), later = BendBeam(context, false, loads[i], 40);
        hwVec3 fine = BendBeam(context, true, loads[i], 80);
        snprintf(name, sizeof(name), "deflection over length, P L^2/EI = %g", loads[i]);
        hwCase_Compare(context, name, down, HW_NO_SEED, -tip.z, -later.z, 1e-3, 1e-3, "40 elements");
        snprintf(name, sizeof(name), "tip's distance over length, P L^2/EI = %g", loads[i]);
        hwCase_Compare(context, name, ahead, HW_NO_SEED, tip.x, later.x, 1e-3, 1e-3, "40 elements");
        snprintf(name, sizeof(name), "order of convergence, P L^2/EI = %g", loads[i]);
        double order = log2(hypot(tip.x - ahead, tip.z + down) / hypot(fine.x - ahead, fine.z + down));
        hwCase_Compare(context, name, 2.0, HW_NO_SEED, order, (double)NAN, 0.05, (double)NAN,
                       "from 40 to 80 elements; the next term is largest for the largest load");
    }
}

// Current ----------------------------------------------------------------------------------------------------------------

// A line in a uniform flow, by the unstretched length s from its lower end: tension vector F = T t, place x,
//   dF/ds = -(weight and drag per unstretched length), dx/ds = (1 + T/EA) t.
typedef struct Towed {
    double weight, EA, normal, tangential; // N/m, N, 1/2 rho C d, 1/2 rho C pi d
    hwVec3 flow;
} Towed;

static void TowedSlope(const void* context, double s, const double* y, double* slope) {
    (void)s;
    const Towed* p = context;
    hwVec3 F = hwMakeVec3(y[3], y[4], y[5]);
    double tension = hwLength(F), stretch = 1.0 + tension / p->EA;
    hwVec3 t = hwScale(1.0 / tension, F);
    double along = hwDot(p->flow, t);
    hwVec3 across = hwMulAdd(p->flow, -along, t);
    hwVec3 drag =
        hwMulAdd(hwScale(p->normal * hwLength(across), across), p->tangential * fabs(along) * along, t);
    for (int k = 0; k < 3; ++k) {
        slope[k] = stretch * (&t.x)[k];
        slope[3 + k] = -stretch * (&drag.x)[k];
    }
    slope[5] += p->weight;
}

static const double towLength = 100.0;

static void IntegrateTowed(const Towed* p, hwVec3 start, hwVec3* top, hwVec3* tension) {
    double y[6] = {0.0, 0.0, 0.0, start.x, start.y, start.z};
    hwCase_Integrate(TowedSlope, p, 6, 0.0, towLength, 4000, y);
    *top = hwMakeVec3(y[0], y[1], y[2]);
    *tension = hwMakeVec3(y[3], y[4], y[5]);
}

static hwCableSectionDef TowedSection(hwVec3 flow, Towed* towed) {
    hwCableSectionDef section = hwMakeSection(towLength, 100, 0.012, 0.6, 5e5);
    section.dragNormal = 1.2;
    section.dragTangential = 0.02;
    double area = 0.25 * HW_PI * section.diameter * section.diameter;
    *towed =
        (Towed){g * (section.massPerLength - 1025.0 * area), section.EA,
                0.5 * 1025.0 * 1.2 * section.diameter, 0.5 * 1025.0 * 0.02 * HW_PI * section.diameter, flow};
    return section;
}

static hwEnvironmentDef MakeStream(const hwSignalTerm* flow) {
    hwEnvironmentDef water = hwDefaultEnvironmentDef();
    water.water = true;
    water.current.uniform = (hwSignal){1, flow};
    return water;
}

static void AddVector(hwCaseContext* context, const char* what, hwVec3 exact, const hwVec3 found[2],
                      double scale) {
    char name[80];
    for (int k = 0; k < 3; ++k) {
        double e = (&exact.x)[k], f = (&found[0].x)[k], later = (&found[1].x)[k];
        if (fabs(e) < 1e-6 * scale && fabs(f) < 1e-6 * scale) continue;
        snprintf(name, sizeof(name), "%s, %c", what, "xyz"[k]);
        // relative to the whole vector: a small component is not known better than that
        double bar = 1e-3 * scale / fabs(e);
        hwCase_Compare(context, name, e, HW_NO_SEED, f, later, bar, bar, NULL);
    }
}

// A weight of 20 kg on the free end, stream of 1.26 m/s.
static void TowedWeight(hwCaseContext* context) {
    Towed towed;
    hwVec3 flow = hwMakeVec3(1.2, 0.4, 0.0), exact, top;
    hwCableSectionDef section = TowedSection(flow, &towed);
    IntegrateTowed(&towed, hwMakeVec3(0.0, 0.0, 20.0 * g), &exact, &top);
    hwSignalTerm term = hwConstantTerm(flow);
    hwEnvironmentDef water = MakeStream(&term);
    hwCableEndDef freeEnd = {.placed = true, .at = {20.0, 0.0, -100.0}};
    hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwMakeVec3(0.0, 0.0, -5.0)), freeEnd);
    hwCableMassDef mass = {.at = towLength, .mass = 20.0};
    line.massCount = 1;
    line.masses = &mass;
    hwVec3 tip[2], load[2];
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, &water, 0.0, true);
        hwCableId id = hwCaseRun_AddCable(&run, &line);
        PrepareAndWait(&run);
        tip[realtime] = hwSub(hwCaseRun_ReadNode(&run, id, -1), hwCaseRun_ReadNode(&run, id, 0));
        load[realtime] = hwCaseRun_ReadLoad(&run, id, 0);
        hwCaseRun_End(&run);
    }
    AddVector(context, "place of the weight, m", hwNeg(exact), tip, towLength);
    AddVector(context, "force on the top, N", hwNeg(top), load, hwLength(top));
}

// Both ends held, the stream across their plane: Newton's method on the tension at the lower end.
static hwVec3 ShootTowed(const Towed* towed, hwVec3 start, hwVec3 reach, hwVec3* top) {
    hwVec3 F = start, end;
    for (int i = 0; i < 20; ++i) {
        hwVec3 columns[3], other;
        IntegrateTowed(towed, F, &end, top);
        hwVec3 off = hwSub(end, reach);
        if (hwLength(off) < 1e-10) break;
        for (int k = 0; k < 3; ++k) {
            hwVec3 moved = F;
            (&moved.x)[k] += 1e-3;
            IntegrateTowed(towed, moved, &columns[k], &other);
            columns[k] = hwScale(1e3, hwSub(columns[k], end));
        }
        hwVec3 yz = hwCross(columns[1], columns[2]);
        double det = hwDot(columns[0], yz);
        F.x -= hwDot(off, yz) / det;
        F.y -= hwDot(columns[0], hwCross(off, columns[2])) / det;
        F.z -= hwDot(columns[0], hwCross(columns[1], off)) / det;
    }
    return F;
}

static void CrossStream(hwCaseContext* context) {
    Towed towed;
    hwVec3 flow = hwMakeVec3(0.1, 1.0, 0.0), a = hwMakeVec3(0.0, 0.0, -5.0), b = hwMakeVec3(60.0, 0.0, -50.0);
    hwCableSectionDef section = TowedSection(flow, &towed);
    hwSignalTerm term = hwConstantTerm(flow);
    hwEnvironmentDef water = MakeStream(&term);
    hwCableDef line = hwMakeLine(&section, hwPinOnEarth(a), hwPinOnEarth(b));
    hwVec3 loadA[2], loadB[2], middle[2];
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, &water, 0.0, true);
        hwCableId id = hwCaseRun_AddCable(&run, &line);
        PrepareAndWait(&run);
        loadA[realtime] = hwCaseRun_ReadLoad(&run, id, 0);
        loadB[realtime] = hwCaseRun_ReadLoad(&run, id, 1);
        middle[realtime] = hwCaseRun_ReadNode(&run, id, 50);
        hwCaseRun_End(&run);
    }
    // shooting starts from the answer under test; a wrong answer is no solution of the equations and would move
    hwVec3 top, F = ShootTowed(&towed, loadB[0], hwSub(a, b), &top);
    double y[6] = {b.x, b.y, b.z, F.x, F.y, F.z};
    hwCase_Integrate(TowedSlope, &towed, 6, 0.0, 0.5 * towLength, 2000, y);
    AddVector(context, "force on a, N", hwNeg(top), loadA, hwLength(top));
    AddVector(context, "force on b, N", F, loadB, hwLength(F));
    AddVector(context, "middle of the line, m", hwMakeVec3(y[0], y[1], y[2]), middle, towLength);
}

// Twist buckling -----------------------------------------------------------------------------------------------------------

// A straight shaft between clamps under a twisting moment M and tension T bends sideways when, with k1, k2 the roots of
// EI k^2 - M k + T = 0 and a = k L/2 (Greenhill 1883, for clamped ends),
//   sin a1 sin a2 (a1 - a2) = a1 a2 sin(a1 - a2).
// Without tension 8.98682 EI/L, twice the root of tan x = x. Moments here in EI/L, tensions in EI/L^2.
static double GreenhillGap(const void* context, double moment) {
    double tension = *(const double*)context;
    double root = sqrt(moment * moment - 4.0 * tension);
    double a1 = 0.25 * (moment + root), a2 = 0.25 * (moment - root);
    if (tension == 0.0) return sin(a1) - a1 * cos(a1); // the limit a2 -> 0
    return sin(a1) * sin(a2) * (a1 - a2) / (a1 * a2) - sin(a1 - a2);
}

static double SolveGreenhill(double tension) {
    double low = 2.0 * sqrt(tension) + 1e-3, step = 1e-2, before = GreenhillGap(&tension, low);
    while (GreenhillGap(&tension, low + step) * before > 0.0) low += step;
    return hwCase_FindRoot(GreenhillGap, &tension, low, low + step);
}

// Stiffness against a small sideways push in the middle, N/m, of a shaft twisted with a moment (in EI/L).
static double PushShaft(hwCaseContext* context, double moment, double tension) {
    const double length = 2.0, EI = 10.0, GJ = 200.0, push = 1e-4;
    const int elements = 60;
    double twist = moment * EI / GJ, strain = tension * EI / (length * length) / 1e6;
    hwCaseRun run;
    hwCableRun_Begin(&run, context, true, NULL, 0.0, true);
    hwCableSectionDef section = hwMakeSection(length, elements, 0.02, 1.0, 1e6);
    section.EI = EI;
    section.GJ = GJ;
    hwVec3 ahead = hwMakeVec3(1.0, 0.0, 0.0), end = hwMakeVec3(length * (1.0 + strain), 0.0, 0.0);
    hwCableDef line = hwMakeLine(&section, hwClampOnEarth(hwVec3_zero, ahead, hwMakeVec3(0.0, 1.0, 0.0)),
                                 hwClampOnEarth(end, ahead, hwMakeVec3(0.0, cos(twist), sin(twist))));
    hwCableId id = hwCaseRun_AddCable(&run, &line);
    hwCaseRun_PushCable(&run, id, 0.5 * length, hwMakeVec3(0.0, push, 0.0));
    hwCaseRun_Prepare(&run);
    hwVec3 middle = hwCaseRun_ReadNode(&run, id, elements / 2);
    hwCaseRun_End(&run);
    return push / hypot(middle.y, middle.z);
}

// The stiffness is an even function of the moment and vanishes where the shaft buckles: a parabola in M^2 through three
// moments below that, continued to zero.
static double FindBuckling(hwCaseContext* context, double exact, double tension) {
    double x[3], y[3];
    for (int i = 0; i < 3; ++i) {
        double moment = exact * (0.90 + 0.04 * i);
        x[i] = moment * moment;
        y[i] = PushShaft(context, moment, tension);
    }
    // Newton's divided differences, then the root near the last point
    double d01 = (y[1] - y[0]) / (x[1] - x[0]), d12 = (y[2] - y[1]) / (x[2] - x[1]);
    double second = (d12 - d01) / (x[2] - x[0]), root = x[2];
    for (int i = 0; i < 20; ++i) {
        double value = y[2] + d12 * (root - x[2]) + second * (root - x[2]) * (root - x[1]);
        double slope = d12 + second * (2.0 * root - x[1] - x[2]);
        root -= value / slope;
    }
    return sqrt(root);
}

static void Greenhill(hwCaseContext* context) {
    double bare = SolveGreenhill(0.0), taut = SolveGreenhill(20.0);
    hwCase_Compare(context, "moment without tension, EI/L", bare, HW_NO_SEED,
                   FindBuckling(context, bare, 0.0), (double)NAN, 1e-2, (double)NAN, "60 elements");
    hwCase_Compare(context, "moment with tension 20 EI/L^2, EI/L", taut, HW_NO_SEED,
                   FindBuckling(context, taut, 20.0), (double)NAN, 1e-2, (double)NAN, "60 elements");
}

const hwCase hwCableStaticCases[] = {
    {"cable/catenary", "Irvine 1981", "Elastic catenaries: shallow, deep and steep.", ElasticCatenary},
    {"cable/elastica", "Euler 1744", "A cantilever bent by an end load, far beyond small deflections.",
     Elastica},
    {"cable/towed-weight", "boundary-value problem", "A weight on a line in a stream.", TowedWeight},
    {"cable/cross-stream", "boundary-value problem", "A line held at both ends, the stream across its plane.",
     CrossStream},
    {"cable/greenhill", "Greenhill 1883", "Twist at which a clamped shaft buckles, with and without tension.",
     Greenhill},
    {0},
};
