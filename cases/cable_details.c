// Line details: tension by a table, bend restrictors and bend stiffeners, against quadrature and boundary-value problems.
#include "cases/cable_run.h"
#include "cases/irvine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double g = 9.81;

// Tension by strain ---------------------------------------------------------------------------------------------------------

// A fibre rope that stiffens: tension and strain, each by the other.
enum { ROWS = 4 };
static const double strains[ROWS] = {0.0, 0.02, 0.05, 0.08}, tensions[ROWS] = {0.0, 10e3, 40e3, 100e3};

static double FindStrain(double tension) {
    int i = 0;
    while (i < ROWS - 2 && tension > tensions[i + 1]) i++;
    return strains[i] +
           (tension - tensions[i]) * (strains[i + 1] - strains[i]) / (tensions[i + 1] - tensions[i]);
}

static double FindTension(double strain) {
    int i = 0;
    while (i < ROWS - 2 && strain > strains[i + 1]) i++;
    return tensions[i] +
           (strain - strains[i]) * (tensions[i + 1] - tensions[i]) / (strains[i + 1] - strains[i]);
}

static hwCableSectionDef MakeRope(double length, int elements, double massPerLength) {
    hwCableSectionDef rope = hwMakeSection(length, elements, 0.05, massPerLength, 1e6);
    rope.curveCount = ROWS;
    rope.curveStrains = strains;
    rope.curveTensions = tensions;
    return rope;
}

// 3 t on 200 m of rope of 10 kg/m, hanging: its length is the integral of 1 + strain.
static void TableStatics(hwCaseContext* context) {
    const double length = 200.0, perLength = 10.0, mass = 3000.0;
    double exact = 0.0, z[2];
    const int steps = 20000;
    for (int i = 0; i < steps; ++i)
        exact += length / steps * (1.0 + FindStrain(g * (mass + perLength * length * (i + 0.5) / steps)));
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwEnvironmentDef dry = hwDefaultEnvironmentDef();
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, &dry, 0.0, true);
        hwBodyDef load = hwDefaultBodyDef();
        load.name = "load";
        load.mass = mass;
        load.inertia[0] = load.inertia[1] = load.inertia[2] = 1000.0;
        load.position = hwMakeVec3(0.0, 0.0, -1.05 * length);
        hwBodyId body = hwCaseRun_AddBody(&run, &load);
        hwCableSectionDef rope = MakeRope(length, 100, perLength);
        hwCableDef line = hwMakeLine(&rope, hwPinOnEarth(hwVec3_zero), hwPinOnBody(body, hwVec3_zero));
        hwCaseRun_AddCable(&run, &line);
        hwCaseRun_Prepare(&run);
        if (realtime) hwCaseRun_Advance(&run, 1.0);
        z[realtime] = -hwCaseRun_ReadBody(&run, body).position.z;
        hwCaseRun_End(&run);
    }
    hwCase_Compare(context, "length of the rope, m", exact, HW_NO_SEED, z[0], z[1], 1e-5, 1e-5,
                   "100 elements: kinks of the table fall within one");
}

// What weight and rope have done on the load, x below the end of the unstretched rope, since it was let go at `top`.
typedef struct Bounce {
    double length, weight, top;
} Bounce;

static double FindArea(double strain) {
    double area = 0.0;
    int i = 0;
    for (; i < ROWS - 2 && strain > strains[i + 1]; ++i)
        area += 0.5 * (tensions[i] + tensions[i + 1]) * (strains[i + 1] - strains[i]);
    return area + 0.5 * (tensions[i] + FindTension(strain)) * (strain - strains[i]);
}

static double GetWork(const void* context, double x) {
    const Bounce* p = context;
    return p->weight * (x - p->top) - p->length * (FindArea(x / p->length) - FindArea(p->top / p->length));
}

// 4 t on a light rope of 10 m, let go 0.3 m above rest: the period by quadrature of dt = dx / v.
static void TableMotion(hwCaseContext* context) {
    const double length = 10.0, mass = 4000.0, wire = 1.0, amplitude = 0.3;
    // a third of the rope's mass moves along, half of its weight counts at its end
    double inertia = mass + wire * length / 3.0, weight = g * (mass + 0.5 * wire * length);
    const Bounce p = {length, weight, length * FindStrain(weight) - amplitude};
    double bottom = hwCase_FindRoot(GetWork, &p, length * FindStrain(weight), 0.08 * length);
    // x = middle + half sin(u): the singularities at both ends go
    double half = 0.5 * (bottom - p.top), middle = 0.5 * (bottom + p.top), exact = 0.0;
    const int steps = 4000;
    for (int i = 0; i < steps; ++i) {
        double u = HW_PI * ((i + 0.5) / steps - 0.5);
        exact +=
            2.0 * half * cos(u) * HW_PI / steps / sqrt(2.0 * GetWork(&p, middle + half * sin(u)) / inertia);
    }
    double period[2], lost[2];
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwEnvironmentDef dry = hwDefaultEnvironmentDef();
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, &dry, realtime ? 0.0 : 1e-6, false);
        hwBodyDef load = hwDefaultBodyDef();
        load.name = "load";
        load.mass = mass;
        load.inertia[0] = load.inertia[1] = load.inertia[2] = 1000.0;
        load.position = hwMakeVec3(0.0, 0.0, -length - p.top);
        hwBodyId body = hwCaseRun_AddBody(&run, &load);
        hwCableSectionDef rope = MakeRope(length, 4, wire);
        hwCableDef line = hwMakeLine(&rope, hwPinOnEarth(hwVec3_zero), hwPinOnBody(body, hwVec3_zero));
        hwCaseRun_AddCable(&run, &line);
        hwCaseRun_Prepare(&run);
        double before = hwCaseRun_Read(&run, "world.energy.balance");
        period[realtime] = hwCaseRun_FindPeriod(&run, "load.position.z", -length - middle,
                                                realtime ? 1.0 / 60.0 : 0.05, 6.0);
        lost[realtime] = (hwCaseRun_Read(&run, "world.energy.balance") - before) / (weight * amplitude);
        hwCaseRun_End(&run);
    }
    hwCase_Compare(context, "period, s", exact, HW_NO_SEED, period[0], period[1], 1e-3, 2e-3,
                   "realtime at 1/60 s; a third of the rope's mass is a first-order estimate");
    hwCase_Compare(context, "energy not accounted for in 6 s, of weight times amplitude", 0.0, HW_NO_SEED,
                   lost[0], lost[1], 1e-4, 1e-2, NULL);
}

// Bending -------------------------------------------------------------------------------------------------------------------

// A clamped line under a force F at its end, at the angle `lean` to the clamp, by the arc length s:
//   angle' = k(s, M), M' = -F sin(lean - angle), M = 0 at the end.
typedef struct Bent {
    double length, force, lean;
    double EI, lock, lockEI;             // N m2, 1/m, N m2
    double cone, root, tip, bore, young; // stiffener
} Bent;

static double GetStiffness(const Bent* p, double s) {
    if (!(s < p->cone)) return p->EI;
    double D = p->root + s / p->cone * (p->tip - p->root);
    return p->EI + p->young * HW_PI / 64.0 * (pow(D, 4) - pow(p->bore, 4));
}

static double GetBend(const Bent* p, double s, double moment) {
    double free = moment / GetStiffness(p, s);
    if (!(p->lockEI > 0.0 && free > p->lock)) return free;
    return (moment + p->lockEI * p->lock) / (GetStiffness(p, s) + p->lockEI);
}

static void BentSlope(const void* context, double s, const double* y, double* slope) {
    const Bent* p = context;
    slope[0] = GetBend(p, s, y[1]);
    slope[1] = -p->force * sin(p->lean - y[0]);
    slope[2] = cos(y[0]);
    slope[3] = sin(y[0]);
}

static void IntegrateBent(const Bent* p, double moment, double y[4]) {
    y[0] = y[2] = y[3] = 0.0;
    y[1] = moment;
    // in two pieces: at the stiffener's tip the slope has a kink
    if (p->cone > 0.0) hwCase_Integrate(BentSlope, p, 4, 0.0, p->cone, 600, y);
    hwCase_Integrate(BentSlope, p, 4, p->cone, p->length, 1200, y);
}

static double ShootBent(const void* context, double moment) {
    double y[4];
    IntegrateBent(context, moment, y);
    return y[1];
}

typedef struct BentLine {
    hwVec3 tip;
    double moment;
} BentLine;

static BentLine BendLine(hwCaseContext* context, const Bent* p, bool reference, int elements) {
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, NULL, 0.0, true);
    hwCableSectionDef sections[64];
    hwCableSectionDef* last = &sections[0];
    hwCableSectionDef line = hwMakeSection(p->length - p->cone, elements, p->bore, 1.0, 1e9);
    line.EI = p->EI;
    if (p->lockEI > 0.0) {
        line.lockRadius = 1.0 / p->lock;
        line.lockStiffness = p->lockEI;
    }
    int pieces = 0;
    if (p->cone > 0.0) {
        hwStiffenerDef cone = {p->cone, p->root, p->tip, p->young, 1000.0, elements / 2};
        pieces = elements / 2;
        run.failed = run.failed || hwMakeStiffener(&cone, &line, true, sections, &run.error) != HW_OK;
        last = &sections[pieces];
    }
    *last = line;
    hwCableEndDef clamp = hwClampOnEarth(hwVec3_zero, hwMakeVec3(1, 0, 0), hwMakeVec3(0, 1, 0));
    hwCableEndDef freeEnd = {.placed = true, .at = {p->length, 0.0, 0.0}};
    hwCableDef def = hwMakeLine(sections, clamp, freeEnd);
    def.sectionCount = pieces + 1;
    hwCableId id = hwCaseRun_AddCable(&run, &def);
    hwCaseRun_PushCable(&run, id, p->length,
                        hwMakeVec3(p->force * cos(p->lean), 0.0, -p->force * sin(p->lean)));
    hwCaseRun_Prepare(&run);
    if (!reference) hwCaseRun_Advance(&run, 1.0);
    BentLine result = {.tip = hwCaseRun_ReadNode(&run, id, -1)};
    hwVec3 force, moment = hwVec3_zero;
    if (!run.failed) hwCable_GetEndLoad(run.world, id, 0, &force, &moment, &run.error);
    result.moment = hwLength(moment);
    hwCaseRun_End(&run);
    return result;
}

static void CompareBent(hwCaseContext* context, const Bent* p, double most, int elements, double tolerance,
                        const char* note) {
    double y[4], root = hwCase_FindRoot(ShootBent, p, 0.0, most);
    IntegrateBent(p, root, y);
    BentLine coarse = BendLine(context, p, true, elements), later = BendLine(context, p, false, elements);
    hwCase_Compare(context, "moment at the clamp, N m", root, HW_NO_SEED, coarse.moment, later.moment,
                   tolerance, tolerance, note);
    hwCase_Compare(context, "deflection of the end, m", y[3], HW_NO_SEED, -coarse.tip.z, -later.tip.z,
                   tolerance, tolerance, NULL);
    hwCase_Compare(context, "reach of the end, m", y[2], HW_NO_SEED, coarse.tip.x, later.tip.x, tolerance,
                   tolerance, NULL);
}

// A cantilever whose shells lock at 4 m of radius over the half of it next to the clamp.
static void Restrictor(hwCaseContext* context) {
    const Bent p = {.length = 3.0,
                    .force = 60.0,
                    .lean = 0.5 * HW_PI,
                    .EI = 100.0,
                    .lock = 0.25,
                    .lockEI = 2000.0,
                    .bore = 0.02};
    CompareBent(context, &p, 180.0, 40, 2e-3, "40 elements");
}

// An umbilical of 0.1 m that a force of 40 kN leads off at 40 degrees, through a cone of 1.5 m.
static void Stiffener(hwCaseContext* context) {
    const Bent p = {.length = 5.0,
                    .force = 40e3,
                    .lean = 40.0 * HW_DEGREE,
                    .EI = 40e3,
                    .cone = 1.5,
                    .root = 0.4,
                    .tip = 0.14,
                    .bore = 0.1,
                    .young = 1e8};
    CompareBent(context, &p, 55e3, 60, 2e-3, "30 pieces in the cone, 60 elements behind it");
}

const hwCase hwCableDetailCases[] = {
    {"cable/table-statics", "quadrature", "A load on a long heavy rope with tension by a table of strains.",
     TableStatics},
    {"cable/table-motion", "quadrature", "A load bounces on a rope with tension by a table of strains.",
     TableMotion},
    {"cable/restrictor", "boundary-value problem", "A cantilever in a bend restrictor that locks.",
     Restrictor},
    {"cable/stiffener", "boundary-value problem",
     "A bend stiffener: elastica with a tapered bending stiffness.", Stiffener},
    {0},
};
