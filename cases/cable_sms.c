// Seed 004 section 4.1.1 and 4.1.4, cables, and 4.3.4 to 4.3.6, payloads on cables.
//
// Where the seed does not give data, those of its section 4.2 are taken: EA 8e5 N, 5 mm, 7700 kg/m3.
#include "cases/cable_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double g = 9.81;
static const double wireEA = 8e5, wireDiameter = 0.005, wireMass = 7700.0 * 0.25 * HW_PI * 0.005 * 0.005;
static const double wireLength = 20.0;

// 4.1.1: beam ------------------------------------------------------------------------------------------------------------

// Inextensible elastica under a tip load that keeps its direction, w = P L^2/EI = 0.45, by shooting on the bend at the clamp:
// angle'' = -w cos(angle), angle(0) = 0, angle'(1) = 0 (lengths over L).
static void BeamSlope(const void* context, double s, const double* y, double* slope) {
    (void)s;
    slope[0] = y[1];
    slope[1] = -*(const double*)context * cos(y[0]);
    slope[2] = sin(y[0]);
}

static double ShootBeam(const void* context, double bend) {
    double y[3] = {0.0, bend, 0.0};
    hwCase_Integrate(BeamSlope, context, 3, 0.0, 1.0, 200, y);
    return y[1];
}

static const double beamLength = 3.0, beamEI = 1e6, beamLoad = 5e4,
                    beamMass = 1000.0 * 0.25 * HW_PI * 0.1 * 0.1;
enum { BEAM_ELEMENTS = 40 };

// EA is not given; here the load stretches the beam by less than 1e-4.
static hwCableSectionDef BeamSection(void) {
    hwCableSectionDef section = hwMakeSection(beamLength, BEAM_ELEMENTS, 0.1, beamMass, 1e8);
    section.EI = beamEI;
    return section;
}

static hwCableDef BeamLine(const hwCableSectionDef* section) {
    hwCableEndDef tip = {.placed = true, .at = {beamLength, 0.0, 0.0}};
    return hwMakeLine(section,
                      hwClampOnEarth(hwVec3_zero, hwMakeVec3(1.0, 0.0, 0.0), hwMakeVec3(0.0, 1.0, 0.0)), tip);
}

static double DeflectBeam(hwCaseContext* context, bool reference) {
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, NULL, 0.0, true);
    hwCableSectionDef section = BeamSection();
    hwCableDef line = BeamLine(&section);
    hwCableId id = hwCaseRun_AddCable(&run, &line);
    hwCaseRun_PushCable(&run, id, beamLength, hwMakeVec3(0.0, 0.0, -beamLoad));
    hwCaseRun_Prepare(&run);
    if (!reference) hwCaseRun_Advance(&run, 1.0);
    double tip = hwCaseRun_ReadNode(&run, id, -1).z;
    hwCaseRun_End(&run);
    return -tip;
}

// From the first mode of a cantilever, 1 mm at the tip.
static double TimeBeam(hwCaseContext* context, bool reference, double period) {
    const double k = 1.875104068711961, ratio = (sinh(k) - sin(k)) / (cosh(k) + cos(k));
    hwVec3 nodes[BEAM_ELEMENTS + 1];
    for (int i = 0; i <= BEAM_ELEMENTS; ++i) {
        double x = k * i / BEAM_ELEMENTS;
        double shape = cosh(x) - cos(x) - ratio * (sinh(x) - sin(x));
        nodes[i] = hwMakeVec3(beamLength * i / BEAM_ELEMENTS, 0.0, 0.5e-3 * shape);
    }
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, NULL, reference ? 1e-6 : 1e-3, false);
    hwCableSectionDef section = BeamSection();
    hwCableDef line = BeamLine(&section);
    line.shape = HW_CABLE_NODES;
    line.pointCount = BEAM_ELEMENTS + 1;
    line.points = nodes;
    hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    char channel[40];
    snprintf(channel, sizeof(channel), "line.node[%d].position.z", BEAM_ELEMENTS);
    double found = hwCaseRun_FindPeriod(&run, channel, 0.0, period / 40.0, 4.6 * period);
    hwCaseRun_End(&run);
    return found;
}

static void Beam(hwCaseContext* context) {
    double w = beamLoad * beamLength * beamLength / beamEI;
    double y[3] = {0.0, hwCase_FindRoot(ShootBeam, &w, 0.0, w), 0.0};
    hwCase_Integrate(BeamSlope, &w, 3, 0.0, 1.0, 400, y);
    hwCase_Compare(context, "tip deflection, m", y[2] * beamLength, 0.434, DeflectBeam(context, true),
                   DeflectBeam(context, false), 1e-3, 1e-3,
                   "the seed expects 0.45, which is P L^3/(3 EI) for small deflections; 40 elements");
    double k = 1.875104068711961;
    double period = 2.0 * HW_PI * beamLength * beamLength / (k * k) * sqrt(beamMass / beamEI);
    hwCase_Compare(
        context, "period, s", period, 0.046612, TimeBeam(context, true, period),
        TimeBeam(context, false, period), 1e-3, 1e-2,
        "small, free, undamped; the seed's formula has pi for 2 pi and weight for mass, its number has not. "
        "realtime is asked for a 40th of the period at a time");
}

// 4.1.4: top oscillation --------------------------------------------------------------------------------------------------

// What the seed leaves open: in air; a mass of 1400 kg as a point; cable and mass at rest at the start, although the top
// moves at 3 m/s at once; damping 5e3 N s per strain. The start throws the mass, the line goes slack and snaps taut, and
// then follows the top. "Exact": the same wire as point masses on springs with dampers that do not push, by the classical
// Runge-Kutta method with 20 us.
enum { TOP_ELEMENTS = 8 };
static const double topMass = 1400.0, topDamping = 5e3;

static hwVec3 TopPlace(double t) {
    return hwMakeVec3(2.0 * sin(0.09 * t), 2.0 * sin(0.05 * t), 2.0 * sin(1.5 * t));
}

static hwVec3 TopVelocity(double t) {
    return hwMakeVec3(0.18 * cos(0.09 * t), 0.1 * cos(0.05 * t), 3.0 * cos(1.5 * t));
}

static double TopTension(hwVec3 x0, hwVec3 x1, hwVec3 v0, hwVec3 v1, hwVec3* pull) {
    double rest = wireLength / TOP_ELEMENTS;
    hwVec3 chord = hwSub(x1, x0);
    double length = hwLength(chord);
    hwVec3 t = hwScale(1.0 / length, chord);
    double sum = wireEA * (length / rest - 1.0) + topDamping * hwDot(t, hwSub(v1, v0)) / rest;
    *pull = hwScale(fmax(sum, 0.0), t);
    return fmax(sum, 0.0);
}

// y: places then velocities of nodes 1 to N.
static void TopSlope(const void* context, double time, const double* y, double* slope) {
    (void)context;
    const hwVec3* x = (const hwVec3*)(const void*)y;
    const hwVec3* v = x + TOP_ELEMENTS;
    hwVec3* dx = (hwVec3*)(void*)slope;
    double node = wireMass * wireLength / TOP_ELEMENTS;
    hwVec3 x0 = TopPlace(time), v0 = TopVelocity(time), above, below;
    TopTension(x0, x[0], v0, v[0], &above);
    for (int i = 0; i < TOP_ELEMENTS; ++i, above = below) {
        double mass = i == TOP_ELEMENTS - 1 ? topMass + 0.5 * node : node;
        below = hwVec3_zero;
        if (i < TOP_ELEMENTS - 1) TopTension(x[i], x[i + 1], v[i], v[i + 1], &below);
        dx[i] = v[i];
        dx[TOP_ELEMENTS + i] = hwScale(1.0 / mass, hwSub(below, above));
        dx[TOP_ELEMENTS + i].z -= g;
    }
}

// Until the line has snapped taut once. Later the wire's own vibrations, which never die where the line is slack, decide when
// it lets go again, and no two integrators agree.
static const double topDuration = 3.0, topInterval = 0.005, topSnap = 1.5;

typedef struct TopResult {
    double first, snap; // N, largest tension of the last element before and after it was slack
    double slack;       // s in which it carried less than 1 N
    hwVec3 end;         // m
    double balance;     // energy not accounted for, of the largest kinetic energy
} TopResult;

static void NoteTop(TopResult* result, double time, double tension) {
    double* peak = time < topSnap ? &result->first : &result->snap;
    *peak = fmax(*peak, tension);
    if (tension < 1.0 && time < 2.5) result->slack += topInterval;
}

static TopResult SolveTop(void) {
    double y[6 * TOP_ELEMENTS] = {0};
    TopResult result = {0};
    for (int i = 0; i < TOP_ELEMENTS; ++i) y[3 * i + 2] = -wireLength * (i + 1) / TOP_ELEMENTS;
    const hwVec3* x = (const hwVec3*)(const void*)y;
    const hwVec3* v = x + TOP_ELEMENTS;
    for (int k = 1; k <= (int)lround(topDuration / topInterval); ++k) {
        hwVec3 pull;
        hwCase_Integrate(TopSlope, NULL, 6 * TOP_ELEMENTS, (k - 1) * topInterval, k * topInterval, 250, y);
        NoteTop(&result, k * topInterval,
                TopTension(x[TOP_ELEMENTS - 2], x[TOP_ELEMENTS - 1], v[TOP_ELEMENTS - 2], v[TOP_ELEMENTS - 1],
                           &pull));
    }
    result.end = x[TOP_ELEMENTS - 1];
    return result;
}

static TopResult RunTop(hwCaseContext* context, bool reference) {
    TopResult result = {0};
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, &dry, reference ? 1e-6 : 0.0, false);
    hwBodyDef sphere = hwDefaultBodyDef();
    sphere.name = "sphere";
    sphere.mass = topMass;
    for (int k = 0; k < 3; ++k) sphere.inertia[k] = 0.4 * topMass * 0.7 * 0.7;
    sphere.position = hwMakeVec3(0.0, 0.0, -wireLength);
    hwBodyId body = hwCaseRun_AddBody(&run, &sphere);
    hwCableSectionDef section = hwMakeSection(wireLength, TOP_ELEMENTS, wireDiameter, wireMass, wireEA);
    section.axialDamping = topDamping;
    section.compression = 0.0;
    hwSignalTerm path = hwDefaultSignalTerm();
    path.kind = HW_SIGNAL_SINE;
    path.amplitude = hwMakeVec3(2.0, 2.0, 2.0);
    path.period = hwMakeVec3(2.0 * HW_PI / 0.09, 2.0 * HW_PI / 0.05, 2.0 * HW_PI / 1.5);
    hwCableEndDef top = hwPinOnEarth(hwVec3_zero);
    top.path = (hwSignal){1, &path};
    hwCableDef line = hwMakeLine(&section, top, hwPinOnBody(body, hwVec3_zero));
    hwVec3 nodes[TOP_ELEMENTS + 1], still[TOP_ELEMENTS + 1];
    memset(still, 0, sizeof(still));
    for (int i = 0; i <= TOP_ELEMENTS; ++i) nodes[i] = hwMakeVec3(0.0, 0.0, -wireLength * i / TOP_ELEMENTS);
    line.shape = HW_CABLE_NODES;
    line.pointCount = TOP_ELEMENTS + 1;
    line.points = nodes;
    line.velocities = still;
    hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    char channel[40];
    snprintf(channel, sizeof(channel), "line.element[%d].tension", TOP_ELEMENTS - 1);
    double start = hwCaseRun_Read(&run, "world.energy.balance"), kinetic = 0.0;
    // realtime is looked at as often: frames would miss the peaks
    for (int k = 1; k <= (int)lround(4.0 * topDuration / topInterval) && !run.failed; ++k) {
        hwCaseRun_Advance(&run, topInterval);
        kinetic = fmax(kinetic, hwCaseRun_Read(&run, "world.energy.kinetic"));
        if (k * topInterval < topDuration + 0.5 * topInterval) {
            NoteTop(&result, k * topInterval, hwCaseRun_Read(&run, channel));
            result.end = hwCaseRun_ReadBody(&run, body).position;
        }
    }
    result.balance = (hwCaseRun_Read(&run, "world.energy.balance") - start) / kinetic;
    hwCaseRun_End(&run);
    return result;
}

static void TopOscillation(hwCaseContext* context) {
    TopResult exact = SolveTop(), a = RunTop(context, true), b = RunTop(context, false);
    hwCase_Compare(context, "first peak of the last element's tension, N", exact.first, HW_NO_SEED, a.first,
                   b.first, 1e-3, 1e-2, NULL);
    hwCase_Compare(context, "time slack after it, s", exact.slack, HW_NO_SEED, a.slack, b.slack, 5e-3, 1e-2,
                   "samples are 5 ms apart");
    hwCase_Compare(context, "peak where it snaps taut, N", exact.snap, HW_NO_SEED, a.snap, b.snap, 1e-3, 1e-2,
                   NULL);
    hwCase_Compare(context, "height of the mass after 3 s, m", exact.end.z, HW_NO_SEED, a.end.z, b.end.z,
                   1e-3, 1e-2, NULL);
    hwCase_Compare(context, "its distance from where it should be, over the wire's length", 0.0, HW_NO_SEED,
                   hwDistance(a.end, exact.end) / wireLength, hwDistance(b.end, exact.end) / wireLength, 1e-3,
                   1e-3, NULL);
    hwCase_Compare(context, "energy not accounted for in 12 s, of the largest kinetic", 0.0, HW_NO_SEED,
                   a.balance, b.balance, 1e-3, 1e-2, NULL);
}

// 4.3.4: attach -----------------------------------------------------------------------------------------------------------

static hwBodyId AddPayload(hwCaseRun* run, double mass, double turning, hwVec3 at) {
    hwBodyDef payload = hwDefaultBodyDef();
    payload.name = "payload";
    payload.mass = mass;
    for (int k = 0; k < 3; ++k) payload.inertia[k] = turning;
    payload.position = at;
    return hwCaseRun_AddBody(run, &payload);
}

// The payload is attached to the free end of the hanging wire after Prepare and let go.
static void Attach(hwCaseContext* context) {
    const double mass = 5.0;
    const int elements = 20;
    double found[2][3];
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwEnvironmentDef dry = hwDefaultEnvironmentDef();
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, &dry, realtime ? 0.0 : 1e-7, false);
        hwVec3 low = hwMakeVec3(0.0, 0.0, -wireLength);
        hwBodyId body = AddPayload(&run, mass, 0.5, low);
        hwCableSectionDef section = hwMakeSection(wireLength, elements, wireDiameter, wireMass, wireEA);
        section.axialDamping = 5e3;
        hwCableEndDef freeEnd = {.placed = true, .at = low};
        hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), freeEnd);
        hwCableId id = hwCaseRun_AddCable(&run, &line);
        hwCaseRun_Prepare(&run);
        hwCableEndDef held = hwPinOnBody(body, hwVec3_zero);
        if (!run.failed) run.failed = hwCable_Attach(run.world, id, 1, &held, &run.error) != HW_OK;
        hwCaseRun_Advance(&run, 60.0);
        found[realtime][0] = -hwCaseRun_ReadLoad(&run, id, 1).z;
        found[realtime][1] = hwCaseRun_Read(&run, "line.element[19].tension");
        found[realtime][2] = hwCaseRun_ReadBody(&run, body).position.z;
        hwCaseRun_End(&run);
    }
    double weight = wireMass * g * wireLength;
    double stretch = (mass * g + 0.5 * weight) / wireEA * wireLength;
    hwCase_Compare(context, "force on the payload, N", mass * g, 49.06894, -found[0][0], -found[1][0], 1e-3,
                   1e-3, "the seed expects 49.5, a slip of the pen for 5 * 9.81");
    hwCase_Compare(context, "tension of the last element, N", mass * g + 0.5 * weight / elements, HW_NO_SEED,
                   found[0][1], found[1][1], 1e-3, 1e-3, "half the element's weight more");
    hwCase_Compare(context, "height of the payload, m", -wireLength - stretch, -20.00108, found[0][2],
                   found[1][2], 1e-6, 1e-6, "the seed's stretch belongs to a wire it does not give");
}

// 4.3.5: pendulum ---------------------------------------------------------------------------------------------------------

// Small motion u(s) of a hanging wire with a point mass at its end: (T/(1 + e) u')' = -mu w^2 u, T = (M + mu (L - s)) g,
// u(0) = 0, T/(1 + e) u' = M w^2 u at the end.
typedef struct Pendulum {
    double mass, wire, frequency; // kg, kg/m, rad/s
} Pendulum;

static void PendulumSlope(const void* context, double s, const double* y, double* slope) {
    const Pendulum* p = context;
    double T = (p->mass + p->wire * (wireLength - s)) * g;
    slope[0] = y[1] * (1.0 + T / wireEA) / T;
    slope[1] = -p->wire * p->frequency * p->frequency * y[0];
}

static double ShootPendulum(const void* context, double frequency) {
    Pendulum p = *(const Pendulum*)context;
    p.frequency = frequency;
    double y[2] = {0.0, 1.0};
    hwCase_Integrate(PendulumSlope, &p, 2, 0.0, wireLength, 200, y);
    return y[1] - p.mass * frequency * frequency * y[0];
}

enum { PENDULUM_ELEMENTS = 20 };

static double SwingPayload(hwCaseContext* context, bool reference, const Pendulum* p) {
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    hwVec3 nodes[PENDULUM_ELEMENTS + 1];
    double y[2] = {0.0, 1.0}, h = wireLength / PENDULUM_ELEMENTS;
    nodes[0] = hwVec3_zero;
    for (int i = 0; i < PENDULUM_ELEMENTS; ++i) {
        hwCase_Integrate(PendulumSlope, p, 2, i * h, (i + 1) * h, 10, y);
        double tension = (p->mass + p->wire * (wireLength - (i + 0.5) * h)) * g;
        nodes[i + 1] = hwMakeVec3(y[0], 0.0, nodes[i].z - h * (1.0 + tension / wireEA));
    }
    double scale = 0.2 / y[0];
    for (int i = 0; i <= PENDULUM_ELEMENTS; ++i) nodes[i].x *= scale;
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, &dry, reference ? 1e-6 : 0.0, false);
    hwBodyId body = AddPayload(&run, p->mass, 0.5, nodes[PENDULUM_ELEMENTS]);
    hwCableSectionDef section = hwMakeSection(wireLength, PENDULUM_ELEMENTS, wireDiameter, p->wire, wireEA);
    section.axialDamping = 5e3;
    hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), hwPinOnBody(body, hwVec3_zero));
    line.shape = HW_CABLE_NODES;
    line.pointCount = PENDULUM_ELEMENTS + 1;
    line.points = nodes;
    hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    double period = hwCaseRun_FindPeriod(&run, "payload.position.x", 0.0, reference ? 0.1 : 1.0 / 60.0, 60.0);
    hwCaseRun_End(&run);
    return period;
}

static void AddPendulum(hwCaseContext* context, const char* name, double wire, double seed,
                        const char* note) {
    Pendulum p = {.mass = 5.0, .wire = wire};
    p.frequency = hwCase_FindRoot(ShootPendulum, &p, 0.5, 1.0);
    hwCase_Compare(context, name, 2.0 * HW_PI / p.frequency, seed, SwingPayload(context, true, &p),
                   SwingPayload(context, false, &p), 1e-3, 1e-3, note);
}

static void PayloadPendulum(hwCaseContext* context) {
    AddPendulum(context, "period on a wire of 10 g/m, s", 1e-2, 8.85,
                "2 pi sqrt(L/g) = 8.97140 s without mass and stretch");
    AddPendulum(context, "period on the wire of section 4.2, s", wireMass, 8.85,
                "with the wire's mass; the seed does not say which wire and payload gave its 8.85");
}

// 4.3.6: torsion ----------------------------------------------------------------------------------------------------------

// L Iz/GJ = 1 s2, as the seed's 2 pi needs: Iz 5 kg m2, GJ 100 N m2. The moment of a cable is uniform along it and linear in
// its twist, so that the period does not depend on the amplitude.
static double TurnPayload(hwCaseContext* context, bool reference, double rate) {
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, &dry, reference ? 1e-8 : 0.0, false);
    hwBodyDef payload = hwDefaultBodyDef();
    payload.name = "payload";
    payload.mass = 5.0;
    for (int k = 0; k < 3; ++k) payload.inertia[k] = 5.0;
    payload.position = hwMakeVec3(0.0, 0.0, -wireLength - 5.0 * g * wireLength / wireEA);
    payload.rate = hwMakeVec3(0.0, 0.0, rate);
    hwBodyId body = hwCaseRun_AddBody(&run, &payload);
    hwCableSectionDef section = hwMakeSection(wireLength, 10, wireDiameter, wireMass, wireEA);
    section.GJ = 100.0;
    section.axialDamping = 5e3;
    hwVec3 down = hwMakeVec3(0.0, 0.0, -1.0), normal = hwMakeVec3(1.0, 0.0, 0.0);
    hwCableEndDef held = hwClampOnEarth(hwVec3_zero, down, normal);
    held.body = body;
    hwCableDef line = hwMakeLine(&section, hwClampOnEarth(hwVec3_zero, down, normal), held);
    hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    double period = hwCaseRun_FindPeriod(&run, "payload.rate.z", 0.0, reference ? 0.1 : 1.0 / 60.0, 60.0);
    hwCaseRun_End(&run);
    return period;
}

static void PayloadTorsion(hwCaseContext* context) {
    hwCase_Compare(context, "period, s", 2.0 * HW_PI, 6.2864, TurnPayload(context, true, 0.1),
                   TurnPayload(context, false, 0.1), 1e-3, 1e-3,
                   "L Iz/GJ = 1 s2, as the seed's expectation needs");
    hwCase_Compare(context, "period of swings of more than two turns, s", 2.0 * HW_PI, HW_NO_SEED,
                   TurnPayload(context, true, 15.0), TurnPayload(context, false, 15.0), 1e-3, 1e-3, NULL);
}

const hwCase hwCableSmsCases[] = {
    {"sms-4.1.1", "DRDC CR 2010-256, section 4.1.1", "A cantilever under an end load, and its period.", Beam},
    {"sms-4.1.4", "DRDC CR 2010-256, section 4.1.4", "A wire that goes slack and taut over its moving top.",
     TopOscillation},
    {"sms-4.3.4", "DRDC CR 2010-256, section 4.3.4", "A payload attached to a hanging wire.", Attach},
    {"sms-4.3.5", "DRDC CR 2010-256, section 4.3.5", "A payload swinging on a wire.", PayloadPendulum},
    {"sms-4.3.6", "DRDC CR 2010-256, section 4.3.6", "A payload turning on a wire.", PayloadTorsion},
    {0},
};
