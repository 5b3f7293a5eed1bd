// What a tether does to a vehicle: drag broadside to a current, and the station that is lost to it.
//
// A weightless cable in a stream V across it, with drag on the normal component only, has the tension T everywhere and the
// slope tan(theta) = s / a from its straightest point, a = T / q, q = Cd rho d V^2 / 2: drag along the cable's normal is
// q cos^2(theta) per length, and T d(theta)/ds equals it. That is the common catenary of a cable that is longer by T / EA, the
// same everywhere.
#include "cases/cable_run.h"
#include "hawser/vehicle_type.h"

#include <math.h>
#include <string.h>

#define DENSITY 1025.0
#define DIAMETER 0.0076
#define DRAG 1.2
#define STIFFNESS 5e4 // N, EA
#define COS_45 0.70710678118654752440

// Drag per length broadside, N/m.
static double PullPerLength(double speed) {
    return 0.5 * DENSITY * DRAG * DIAMETER * speed * speed;
}

// A cable of unstretched length L between ends X apart across the stream, the second one D further downstream.
typedef struct Catenary {
    double tension; // N
    double pull[2]; // N, of the ends downstream
} Catenary;

typedef struct Span {
    double X, chord; // chord^2 = L^2 - D^2
} Span;

static double SpanError(const void* context, double a) {
    const Span* span = context;
    return 2.0 * a * sinh(0.5 * span->X / a) - span->chord;
}

static Catenary SolveCatenary(double speed, double L, double X, double D) {
    Catenary c = {0};
    double q = PullPerLength(speed), a = 0.0, stretched = L;
    for (int i = 0; i < 100; ++i) {
        stretched = L * (1.0 + c.tension / STIFFNESS);
        Span span = {X, sqrt(stretched * stretched - D * D)};
        a = hwCase_FindRoot(SpanError, &span, 0.1 * X, 1000.0 * X);
        c.tension = q * a;
    }
    double middle =
        a * atanh(D / stretched); // from the point furthest downstream back to the middle between the ends
    for (int e = 0; e < 2; ++e) c.pull[e] = c.tension * tanh((0.5 * X + (e == 0 ? middle : -middle)) / a);
    return c;
}

// A tether as heavy as water.
static hwCableSectionDef MakeTether(double length, int elements) {
    hwCableSectionDef section =
        hwMakeSection(length, elements, DIAMETER, DENSITY * HW_PI / 4.0 * DIAMETER * DIAMETER, STIFFNESS);
    section.dragNormal = DRAG;
    section.addedNormal = 1.0;
    section.axialDamping = 100.0;
    return section;
}

// Drag -------------------------------------------------------------------------------------------------------------------

// Forces of both ends along the stream of 0.5 m/s.
static void PullEnds(hwCaseContext* context, bool reference, double X, double D, double pull[2],
                     double* tension) {
    hwSignalTerm stream = hwConstantTerm(hwMakeVec3(0.5, 0.0, 0.0));
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = DENSITY;
    sea.current.uniform = (hwSignal){1, &stream};
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, &sea, 0.0, true);
    hwCableSectionDef section = MakeTether(100.0, 75);
    hwCableDef def = hwMakeLine(&section, hwPinOnEarth(hwMakeVec3(0.0, 0.0, -20.0)),
                                hwPinOnEarth(hwMakeVec3(D, X, -20.0)));
    hwCableId line = hwCaseRun_AddCable(&run, &def);
    hwCaseRun_Prepare(&run);
    hwCaseRun_Advance(&run, 20.0);
    for (int e = 0; e < 2; ++e) pull[e] = hwCaseRun_ReadLoad(&run, line, e).x;
    *tension = hwCaseRun_Read(&run, "line.b.tension");
    hwCaseRun_End(&run);
}

static void TetherDrag(hwCaseContext* context) {
    double a[2], b[2], ta = 0.0, tb = 0.0;
    Catenary c = SolveCatenary(0.5, 100.0, 100.0, 0.0);
    PullEnds(context, true, 100.0, 0.0, a, &ta);
    PullEnds(context, false, 100.0, 0.0, b, &tb);
    hwCase_Compare(context, "pull of 100 m, 100 m across, N", 100.0 * PullPerLength(0.5), HW_NO_SEED,
                   a[0] + a[1], b[0] + b[1], 0.02, 0.02, "exact: straight, 116.9 N");
    // 75 elements: chords of the arc are shorter than it by parts in 10^5
    hwCase_Compare(context, "  the same with its slope", c.pull[0] + c.pull[1], HW_NO_SEED, a[0] + a[1],
                   b[0] + b[1], 1e-3, 1e-3, "exact: catenary");
    hwCase_Compare(context, "  share of the vehicle", c.pull[1], HW_NO_SEED, a[1], b[1], 1e-3, 1e-3, NULL);
    hwCase_Compare(context, "  tension, N", c.tension, HW_NO_SEED, ta, tb, 2e-3, 2e-3, NULL);
    c = SolveCatenary(0.5, 100.0, 80.0, 50.0);
    PullEnds(context, true, 80.0, 50.0, a, &ta);
    PullEnds(context, false, 80.0, 50.0, b, &tb);
    hwCase_Compare(context, "vehicle 50 m downstream, 80 m across: its share, N", c.pull[1], HW_NO_SEED, a[1],
                   b[1], 2e-3, 2e-3, "exact: catenary");
    hwCase_Compare(context, "  share of the boat, N", c.pull[0], HW_NO_SEED, a[0], b[0], 2e-3, 2e-3, NULL);
}

// Station ----------------------------------------------------------------------------------------------------------------

#define DOWN 26.0   // m from the boat to the vehicle, straight below
#define LENGTH 30.0 // m of tether

typedef struct Station {
    hwCaseRun run;
    hwVehicleType* type;
    hwVehicleDef def;
} Station;

static void Begin(Station* station, hwCaseContext* context, const hwSignalTerm* stream) {
    memset(station, 0, sizeof(*station));
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = DENSITY;
    sea.current.uniform = (hwSignal){1, stream};
    hwCaseRun* run = &station->run;
    hwCaseRun_Begin(run, context, false, &sea, 0.0);
    if (run->failed) return;
    station->type = hwLoadVehicleType("bluerov2_heavy", NULL, &run->error);
    run->failed = station->type == NULL;
    if (run->failed) return;
    hwVehicleDef* def = &station->def;
    *def = hwVehicleType_GetDef(station->type);
    def->body.name = "rov";
    def->body.position.z = -50.0;
    def->armed = true;
    def->mode = HW_MODE_HOLD;
    def->gain = 1.0;
    for (int i = 0; i < HW_AXIS_COUNT; ++i) def->axes[i] = (hwAxisDef){.sensitivity = 1.0};
    hwVehicleId vehicle = hwWorld_AddVehicle(run->world, def, &run->error);
    hwVec3 at = {0};
    run->failed = HW_IS_NULL(vehicle) || !hwVehicle_FindPoint(run->world, vehicle, "tether", &at);
    hwCableSectionDef section = MakeTether(LENGTH, 24);
    hwCableDef tether = hwMakeLine(&section, hwPinOnEarth(hwMakeVec3(at.x, at.y, at.z - 50.0 + DOWN)),
                                   hwPinOnBody(hwVehicle_GetBody(run->world, vehicle), at));
    tether.name = "tether";
    // slack, downstream
    const hwVec3 points[3] = {
        hwMakeVec3(at.x, at.y, at.z - 50.0 + DOWN),
        hwMakeVec3(at.x - 0.5 * sqrt(LENGTH * LENGTH - DOWN * DOWN), at.y, at.z - 50.0 + 0.5 * DOWN),
        hwMakeVec3(at.x, at.y, at.z - 50.0)};
    tether.shape = HW_CABLE_POINTS;
    tether.pointCount = 3;
    tether.points = points;
    hwCaseRun_AddCable(run, &tether);
    hwCaseRun_Prepare(run);
}

static void Push(hwCaseRun* run, double surge) {
    if (run->failed) return;
    run->failed = hwWorld_SetInput(run->world, hwWorld_FindInput(run->world, "rov.pilot.surge"), surge,
                                   &run->error) != HW_OK;
}

// Current at which the share of thrust that a pilot needs to stay reaches all there is; NaN unless station is lost then.
// `tension` is that of the tether when the current was 0.5 m/s.
static double FindLostCurrent(Station* station, double rate, double* tension) {
    hwCaseRun* run = &station->run;
    const double step = 0.1;
    double lost = (double)NAN, before = 0.0, drift = 0.0, steady = 0.0;
    *tension = (double)NAN;
    for (double t = step; t < 1.0 / rate && !run->failed && drift > -1.0; t += step) {
        double x = hwCaseRun_Read(run, "rov.position.x"), v = hwCaseRun_Read(run, "rov.velocity.x");
        steady = fmin(steady - 0.05 * x * step, 2.0);
        double wanted = steady - 0.5 * x - 0.8 * v;
        if (t > 60.0 && isnan(lost) && wanted > 1.0)
            lost = rate * (t - step - step * (wanted - 1.0) / (wanted - before));
        before = wanted;
        drift = x;
        Push(run, hwClamp(wanted, -1.0, 1.0));
        hwCaseRun_Advance(run, step);
        if (fabs(rate * t - 0.5) < 0.5 * rate * step) *tension = hwCaseRun_Read(run, "rov.tether.tension");
    }
    return drift <= -1.0 ? lost : (double)NAN;
}

static void TetherStation(hwCaseContext* context) {
    const double rate = 1e-3; // m/s2
    const double times[2] = {0.0, 1.0 / rate};
    const hwVec3 values[2] = {{0.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}};
    hwSignalTerm rise = hwDefaultSignalTerm();
    rise.kind = HW_SIGNAL_TABLE;
    rise.count = 2;
    rise.times = times;
    rise.values = values;
    Station station;
    Begin(&station, context, &rise);
    double tension = (double)NAN, exact = (double)NAN;
    double lost = FindLostCurrent(&station, rate, &tension);
    if (!station.run.failed) {
        const hwHydroDef* hydro = &station.def.body.hydro;
        const hwThrusterDef* t = &station.def.thrusters[0];
        double pull = 2.0 * COS_45 * (t->forward + t->reverse); // two of the four run in reverse
        // thrust = own drag + the tether's share, which is nearly quadratic in the current
        exact = 0.8;
        for (int i = 0; i < 50; ++i) {
            double share = SolveCatenary(exact, LENGTH, DOWN, 0.0).pull[1] / (exact * exact);
            double linear = hydro->linearDrag[0], quadratic = hydro->quadraticDrag[0] + share;
            exact = (-linear + sqrt(linear * linear + 4.0 * quadratic * pull)) / (2.0 * quadratic);
        }
    }
    hwCaseRun_End(&station.run);
    hwDestroyVehicleType(station.type);
    // the propellers' speed at full thrust is 0.999 of the top speed; while the current rises the pilot is 5 cm downstream
    hwCase_Compare(
        context, "current at which station is lost, m/s", exact, HW_NO_SEED, lost, (double)NAN, 2e-3,
        (double)NAN,
        "realtime solver; exact: thrust covers the vehicle's own drag and its share of 30 m of tether");
    hwCase_Compare(context, "  tether tension at 0.5 m/s, N", SolveCatenary(0.5, LENGTH, DOWN, 0.0).tension,
                   HW_NO_SEED, tension, (double)NAN, 1e-2, (double)NAN, "exact: catenary");
}

const hwCase hwVehicleTetherCases[] = {
    {"vehicles/tether-drag", "Hoerner (1965), cross-flow principle; common catenary",
     "100 m of 7.6 mm tether in a stream of 0.5 m/s.", TetherDrag},
    {"vehicles/tether-station", "von Benzon et al. (2022); common catenary",
     "A current that rises until the vehicle cannot hold itself and its tether against it.", TetherStation},
    {NULL, NULL, NULL, NULL},
};
