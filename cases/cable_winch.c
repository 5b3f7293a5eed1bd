// Winches: seed 004 section 4.2, a pendulum whose length a winch changes, and what paying out must leave unchanged.
//
// The wire of section 4.2: EA 8e5 N, 5 mm, 7700 kg/m3, 30 m; payload of 200 kg unless stated. What the seed leaves open:
// start at rest in equilibrium, damping of 5e3 N s per strain (200 where
// the winch answers tension), gains.
#include "cases/cable_run.h"

#include <math.h>
#include <string.h>

static const double g = 9.81;
static const double wireEA = 8e5, wireDiameter = 0.005, wireMass = 7700.0 * 0.25 * HW_PI * 0.005 * 0.005;
static const double wireLength = 30.0, wireDamping = 5e3, drumDamping = 5e4;
static const double wave = 2.0 * HW_PI / 5.0; // rad/s
enum { WIRE_ELEMENTS = 15 };

// A payload under a winch at the origin. The reference is explicit for winches that answer tension: the loop through the
// winch is as fast as the wire, and not in the implicit solver's matrix.
typedef struct Hoist {
    hwCaseRun run;
    hwBodyId payload;
    hwCableId line;
    hwWinchId winch;
} Hoist;

static void BeginHoist(Hoist* hoist, hwCaseContext* context, bool reference, double payload,
                       const hwSignal* force, const hwWinchDef* control) {
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    memset(hoist, 0, sizeof(*hoist));
    hwCableRun_Begin(&hoist->run, context, reference, &dry, reference ? 1e-6 : 0.0, true);
    bool quick = control->mode == HW_WINCH_TENSION && !(control->drumInertia > 0.0);
    if (reference && quick && !hoist->run.failed) {
        hoist->run.failed =
            hwWorld_UseReference(hoist->run.world, HW_REFERENCE_EXPLICIT, &hoist->run.error) != HW_OK;
    }
    hwCableEndDef low = {.placed = true, .at = {0.0, 0.0, -wireLength}};
    if (payload > 0.0) {
        hwBodyDef body = hwDefaultBodyDef();
        body.name = "payload";
        body.mass = payload;
        for (int k = 0; k < 3; ++k) body.inertia[k] = 0.1 * payload;
        body.position = low.at;
        hoist->payload = hwCaseRun_AddBody(&hoist->run, &body);
        low = hwPinOnBody(hoist->payload, hwVec3_zero);
        if (force != NULL && !hoist->run.failed) {
            hwForceDef push = hwDefaultForceDef();
            push.body = hoist->payload;
            push.force = *force;
            hoist->run.failed = HW_IS_NULL(hwWorld_AddForce(hoist->run.world, &push, &hoist->run.error));
        }
    }
    hwCableSectionDef section = hwMakeSection(wireLength, WIRE_ELEMENTS, wireDiameter, wireMass, wireEA);
    section.axialDamping = quick ? 200.0 : control->drumInertia > 0.0 ? drumDamping : wireDamping;
    section.minElement = 1.0; // explicit steps mind short elements
    section.maxElement = 2.5;
    hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), low);
    line.reserve[0] = 60.0;
    hoist->line = hwCaseRun_AddCable(&hoist->run, &line);
    hwWinchDef winch = *control;
    winch.name = "winch";
    winch.cable = hoist->line;
    winch.end = 0;
    winch.longest = 90.0;
    hoist->winch = hwCaseRun_AddWinch(&hoist->run, &winch);
    hwCaseRun_Prepare(&hoist->run);
}

// What a record of whole periods holds: mean, and amplitude of the part with the wave's frequency after taking away the
// straight line through its ends, which are alike in phase.
#define SAMPLES 100 // of a period of 5 s
typedef struct Record {
    int count;
    double value[4 * SAMPLES + 1];
} Record;

static double GetMean(const Record* r) {
    double sum = 0.5 * (r->value[0] + r->value[r->count - 1]);
    for (int i = 1; i < r->count - 1; ++i) sum += r->value[i];
    return sum / (r->count - 1);
}

static double GetAmplitude(const Record* r) {
    double c = 0.0, s = 0.0, drift = (r->value[r->count - 1] - r->value[0]) / (r->count - 1);
    for (int i = 0; i < r->count - 1; ++i) {
        double angle = 2.0 * HW_PI * i / SAMPLES, x = r->value[i] - drift * i;
        c += x * cos(angle);
        s += x * sin(angle);
    }
    return 2.0 * hypot(c, s) / (r->count - 1);
}

static void Add(Record* r, double value) {
    r->value[r->count++] = value;
}

// 4.2.1, 4.2.2: tension ---------------------------------------------------------------------------------------------------

// Payload and wire move down at v, the winch pays out r, the tension of the boundary element is T = T0 + e:
//   (m + mu L) v' = (m + mu L) g - T - f,   L' = r = kp e + ki z,   z' = e,   T' = EA/L (v - r (1 + T/EA)),
// where f pushes the payload upwards and L is counted from the boundary element's middle, half of 1.75 m below the winch on
// average.
typedef struct Tension {
    double payload, push, swing, kp, ki; // kg, N, N, gains
} Tension;

static const double tensionSet = 2006.1;

static void TensionSlope(const void* context, double t, const double* y, double* slope) {
    const Tension* p = context;
    double speed = y[0], length = y[1], integral = y[2], error = y[3];
    double rate = p->kp * error + p->ki * integral, tension = tensionSet + p->swing * sin(wave * t) + error;
    slope[0] = g - (tension + p->push * sin(wave * t)) / (p->payload + wireMass * length);
    slope[1] = rate;
    slope[2] = error;
    slope[3] = wireEA / length * (speed - rate * (1.0 + tension / wireEA)) - p->swing * wave * cos(wave * t);
}

typedef struct TensionResult {
    Record tension, rate;
    double largest; // N, distance of the tension from its set point
} TensionResult;

static double GetTarget(const Tension* p, double t) {
    return tensionSet + p->swing * sin(wave * t);
}

// From `first` to `last`, whole periods.
static TensionResult SolveTension(const Tension* p, double first, double last) {
    TensionResult result = {0};
    double y[4] = {0.0, wireLength - 0.5 * 1.75, 0.0, 0.0}, h = 5.0 / SAMPLES;
    for (int k = 1; k <= (int)lround(last / h); ++k) {
        hwCase_Integrate(TensionSlope, p, 4, (k - 1) * h, k * h, 200, y);
        if (k * h < first - 0.5 * h) continue;
        Add(&result.rate, p->kp * y[3] + p->ki * y[2]);
    }
    return result;
}

static TensionResult RunTension(hwCaseContext* context, bool reference, const Tension* p, double first,
                                double last) {
    TensionResult result = {0};
    hwSignalTerm terms[2] = {hwConstantTerm(hwMakeVec3(tensionSet, 0.0, 0.0)),
                             hwSineTerm(hwMakeVec3(p->swing, 0.0, 0.0), 5.0, 0.0)};
    hwSignalTerm push = hwSineTerm(hwMakeVec3(0.0, 0.0, p->push), 5.0, 0.0);
    hwSignal force = {1, &push};
    hwWinchDef control = hwDefaultWinchDef();
    control.mode = HW_WINCH_TENSION;
    // a drum that reached its limits would answer late, and gains that hold 0.01 % would then make it swing
    control.acceleration = 30.0;
    control.deceleration = -30.0;
    control.setpoint = (hwSignal){p->swing != 0.0 ? 2 : 1, terms};
    control.kp = p->kp;
    control.ki = p->ki;
    Hoist hoist;
    BeginHoist(&hoist, context, reference, p->payload, &force, &control);
    double h = 5.0 / SAMPLES;
    for (int k = 1; k <= (int)lround(last / h) && !hoist.run.failed; ++k) {
        hwCaseRun_Advance(&hoist.run, h);
        if (k * h < first - 0.5 * h) continue;
        double tension = hwCaseRun_Read(&hoist.run, "winch.tension");
        result.largest = fmax(result.largest, fabs(tension - GetTarget(p, k * h)));
        Add(&result.tension, tension);
        Add(&result.rate, hwCaseRun_Read(&hoist.run, "winch.rate"));
    }
    hwCaseRun_End(&hoist.run);
    return result;
}

static void ConstantTension(hwCaseContext* context) {
    Tension p = {.payload = 200.0, .push = 250.0, .kp = 0.05, .ki = 10.0};
    TensionResult exact = SolveTension(&p, 5.0, 10.0), a = RunTension(context, true, &p, 5.0, 10.0),
                  b = RunTension(context, false, &p, 5.0, 10.0);
    hwCase_Compare(context, "mean tension, 5 to 10 s, N", tensionSet, 2006.1, GetMean(&a.tension),
                   GetMean(&b.tension), 1e-3, 1e-3, "the set point; the weight is 2006.495 N");
    hwCase_Compare(context, "largest distance from it, relative", 0.0, HW_NO_SEED, a.largest / tensionSet,
                   b.largest / tensionSet, 1e-3, 1e-2, NULL);
    hwCase_Compare(context, "amplitude of the payout rate, m/s", GetAmplitude(&exact.rate), HW_NO_SEED,
                   GetAmplitude(&a.rate), GetAmplitude(&b.rate), 1e-3, 1e-2,
                   "what a payload of constant line tension needs");
}

static void VaryingTension(hwCaseContext* context) {
    Tension p = {.payload = 200.0, .swing = 250.0, .kp = 0.05, .ki = 10.0};
    TensionResult exact = SolveTension(&p, 5.0, 10.0), a = RunTension(context, true, &p, 5.0, 10.0),
                  b = RunTension(context, false, &p, 5.0, 10.0);
    hwCase_Compare(context, "mean tension, 5 to 10 s, N", tensionSet, 2006.1, GetMean(&a.tension),
                   GetMean(&b.tension), 1e-3, 1e-3,
                   "a wire that shortens hangs lighter: all of it is hauled in before the seed's 20 s");
    hwCase_Compare(context, "amplitude of the tension, N", 250.0, 250.0, GetAmplitude(&a.tension),
                   GetAmplitude(&b.tension), 1e-3, 1e-2, NULL);
    hwCase_Compare(context, "largest distance from the set point, relative", 0.0, HW_NO_SEED,
                   a.largest / tensionSet, b.largest / tensionSet, 1e-3, 1e-2, NULL);
    hwCase_Compare(context, "amplitude of the payout rate, m/s", GetAmplitude(&exact.rate), HW_NO_SEED,
                   GetAmplitude(&a.rate), GetAmplitude(&b.rate), 1e-3, 1e-2, NULL);
}

// 4.2.3, 4.2.4: velocity --------------------------------------------------------------------------------------------------

// Stretch x of a wire that is paid out at r, its strain taken as uniform, so that a third of its mass moves with its end:
//   (m + mu L/3) x'' = (m + mu L/2)(g - r') - EA x/L - c (x/L)'.
static void StretchSlope(const void* context, double t, const double* y, double* slope) {
    double payload = *(const double*)context, length = y[2], rate = sin(wave * t),
           change = wave * cos(wave * t);
    double strainRate = y[1] / length - y[0] * rate / (length * length);
    double force = (payload + 0.5 * wireMass * length) * (g - change) - wireEA * y[0] / length -
                   wireDamping * strainRate;
    slope[0] = y[1];
    slope[1] = force / (payload + wireMass * length / 3.0);
    slope[2] = rate;
}

static Record SolveVelocity(double payload) {
    Record record = {0};
    double y[3] = {(payload + 0.5 * wireMass * wireLength) * g * wireLength / wireEA, 0.0, wireLength};
    double h = 5.0 / SAMPLES;
    for (int k = 1; k <= 4 * SAMPLES; ++k) {
        hwCase_Integrate(StretchSlope, &payload, 3, (k - 1) * h, k * h, 100, y);
        if (k >= 2 * SAMPLES) Add(&record, sin(wave * k * h) + y[1]);
    }
    return record;
}

// Velocity of the lower end and the winch's rate, 10 to 20 s.
static void RunVelocity(hwCaseContext* context, bool reference, double payload, Record* low, Record* rate,
                        double* period) {
    hwSignalTerm sine = hwSineTerm(hwMakeVec3(1.0, 0.0, 0.0), 5.0, 0.0);
    hwWinchDef control = hwDefaultWinchDef();
    control.setpoint = (hwSignal){1, &sine};
    Hoist hoist;
    BeginHoist(&hoist, context, reference, payload, NULL, &control);
    double h = 5.0 / SAMPLES, before = 0.0, first = 0.0;
    memset(low, 0, sizeof(*low));
    memset(rate, 0, sizeof(*rate));
    *period = (double)NAN;
    for (int k = 1; k <= 4 * SAMPLES && !hoist.run.failed; ++k) {
        hwCaseRun_Advance(&hoist.run, h);
        hwCableView view = {0};
        if (!hoist.run.failed) {
            hoist.run.failed = hwCable_GetView(hoist.run.world, hoist.line, &view, &hoist.run.error) != HW_OK;
        }
        if (hoist.run.failed || k < 2 * SAMPLES) continue;
        double down = -view.velocities[view.nodeCount - 1].z;
        Add(low, down);
        Add(rate, hwCaseRun_Read(&hoist.run, "winch.rate"));
        if (before < 0.0 && down >= 0.0) { // upward crossings in the record
            double time = (k - 1) * h + h * before / (before - down);
            if (first > 0.0) *period = time - first;
            first = time;
        }
        before = down;
    }
    hwCaseRun_End(&hoist.run);
}

static void VaryingVelocity(hwCaseContext* context) {
    static const double payloads[2] = {0.0, 200.0};
    static const char* names[2] = {"amplitude of the bare lower end's velocity, m/s",
                                   "amplitude of the velocity of 200 kg at the lower end, m/s"};
    Record low[2], rate[2];
    double period[2] = {(double)NAN, (double)NAN};
    for (int i = 0; i < 2; ++i) {
        Record exact = SolveVelocity(payloads[i]);
        for (int realtime = 0; realtime < 2; ++realtime) {
            RunVelocity(context, !realtime, payloads[i], &low[realtime], &rate[realtime], &period[realtime]);
        }
        hwCase_Compare(context, names[i], GetAmplitude(&exact), 1.0985, GetAmplitude(&low[0]),
                       GetAmplitude(&low[1]), 1e-3, 1e-2,
                       "the seed expects 1, and does not say what hangs on the wire");
    }
    hwCase_Compare(context, "amplitude of the payout rate, m/s", 1.0, HW_NO_SEED, GetAmplitude(&rate[0]),
                   GetAmplitude(&rate[1]), 1e-3, 1e-3, NULL);
    hwCase_Compare(context, "period, s", 5.0, 4.9648, period[0], period[1], 1e-3, 1e-2,
                   "of the payload's velocity");
}

// Rate 0.1 m/s2 t until 1 m/s: 5 m in 10 s, 1 m/s from then on. The wire moves as a whole; its top carries
// (m + mu L) g + 40 N - 30 N sin(wave t).
static void ConstantVelocity(hwCaseContext* context) {
    const double payload = 1.0;
    double found[2][5];
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwSignalTerm one = hwConstantTerm(hwMakeVec3(1.0, 0.0, 0.0));
        hwSignalTerm force[2] = {hwConstantTerm(hwMakeVec3(0.0, 0.0, -40.0)),
                                 hwSineTerm(hwMakeVec3(0.0, 0.0, 30.0), 5.0, 0.0)};
        hwSignal push = {2, force};
        hwWinchDef control = hwDefaultWinchDef();
        control.setpoint = (hwSignal){1, &one};
        control.acceleration = 0.1;
        control.deceleration = -0.1;
        Hoist hoist;
        BeginHoist(&hoist, context, !realtime, payload, &push, &control);
        hwCaseRun_Advance(&hoist.run, 5.0);
        found[realtime][0] = hwCaseRun_Read(&hoist.run, "winch.rate");
        hwCaseRun_Advance(&hoist.run, 15.0);
        found[realtime][1] = hwCaseRun_Read(&hoist.run, "winch.rate");
        found[realtime][2] = hwCaseRun_Read(&hoist.run, "line.length");
        found[realtime][3] = -hwCaseRun_ReadBody(&hoist.run, hoist.payload).velocity.z;
        found[realtime][4] = hwCaseRun_Read(&hoist.run, "line.a.tension");
        hwCaseRun_End(&hoist.run);
    }
    const double length = wireLength + 15.0, top = (payload + wireMass * length) * g + 40.0;
    // the push changes at 30 N * wave, and stretches the wire at that over EA/L
    const double stretching = -30.0 * wave * length / wireEA;
    hwCase_Compare(context, "payout rate after 5 s, m/s", 0.5, HW_NO_SEED, found[0][0], found[1][0], 1e-3,
                   1e-3, NULL);
    hwCase_Compare(context, "payout rate after 20 s, m/s", 1.0, HW_NO_SEED, found[0][1], found[1][1], 1e-3,
                   1e-3, NULL);
    hwCase_Compare(context, "length out after 20 s, m", length, HW_NO_SEED, found[0][2], found[1][2], 1e-3,
                   1e-3, NULL);
    hwCase_Compare(context, "velocity of the payload after 20 s, m/s", 1.0 + stretching, HW_NO_SEED,
                   found[0][3], found[1][3], 1e-3, 1e-2, NULL);
    hwCase_Compare(context, "tension at the winch after 20 s, N", top, HW_NO_SEED, found[0][4], found[1][4],
                   1e-3, 1e-2, NULL);
}

// A pendulum hauled in ----------------------------------------------------------------------------------------------------

// A mass on a massless elastic wire of unstretched length L(t) = 20 m - 0.5 m/s t: places and velocities in the plane,
//   m x'' = -T x/|x| + m g,   T = EA e + c e',   e = |x|/L - 1.
static const double bobMass = 1000.0, bobEA = 1e7, bobDamping = 1e5, bobSpeed = 0.5;

static void PendulumSlope(const void* context, double t, const double* y, double* slope) {
    (void)context;
    double length = 20.0 - bobSpeed * t, r = hypot(y[0], y[1]), out = (y[0] * y[2] + y[1] * y[3]) / r;
    double strainRate = out / length + r * bobSpeed / (length * length);
    double tension = bobEA * (r / length - 1.0) + bobDamping * strainRate;
    slope[0] = y[2];
    slope[1] = y[3];
    slope[2] = -tension * y[0] / (r * bobMass);
    slope[3] = -tension * y[1] / (r * bobMass) - g;
}

static void WinchPendulum(hwCaseContext* context) {
    hwVec3 start = hwMakeVec3(20.0 * sin(0.3), 0.0, -20.0 * cos(0.3)),
           towards = hwScale(-bobSpeed / 20.0, start);
    double angle[2][3], y[4] = {start.x, start.z, towards.x, towards.z}, exact[3];
    for (int k = 0; k < 3; ++k) {
        hwCase_Integrate(PendulumSlope, NULL, 4, 5.0 * k, 5.0 * (k + 1), 5000, y);
        exact[k] = atan2(y[0], -y[1]);
    }
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwEnvironmentDef dry = hwDefaultEnvironmentDef();
        hwCaseRun run;
        hwCableRun_Begin(&run, context, !realtime, &dry, realtime ? 0.0 : 1e-6, false);
        hwBodyDef bob = hwDefaultBodyDef();
        bob.name = "bob";
        bob.mass = bobMass;
        for (int k = 0; k < 3; ++k) bob.inertia[k] = 100.0;
        bob.position = start;
        bob.velocity = towards;
        hwBodyId id = hwCaseRun_AddBody(&run, &bob);
        hwCableSectionDef section = hwMakeSection(20.0, 10, 0.02, 0.05, bobEA);
        section.axialDamping = bobDamping;
        hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), hwPinOnBody(id, hwVec3_zero));
        hwCableId cable = hwCaseRun_AddCable(&run, &line);
        hwSignalTerm haul = hwConstantTerm(hwMakeVec3(-bobSpeed, 0.0, 0.0));
        hwWinchDef winch = hwDefaultWinchDef();
        winch.name = "winch";
        winch.cable = cable;
        winch.setpoint = (hwSignal){1, &haul};
        winch.acceleration = 1e4;
        winch.deceleration = -1e4;
        hwCaseRun_AddWinch(&run, &winch);
        hwCaseRun_Prepare(&run);
        for (int k = 0; k < 3; ++k) {
            hwCaseRun_Advance(&run, 5.0);
            hwVec3 at = hwCaseRun_ReadBody(&run, id).position;
            angle[realtime][k] = atan2(at.x, -at.z);
        }
        hwCaseRun_End(&run);
    }
    static const char* names[3] = {"angle after 5 s, of 0.3 rad", "angle after 10 s, of 0.3 rad",
                                   "angle after 15 s, of 0.3 rad"};
    for (int k = 0; k < 3; ++k) {
        double bar = 1e-3 * 0.3 / fabs(exact[k]);
        hwCase_Compare(context, names[k], exact[k], HW_NO_SEED, angle[0][k], angle[1][k], bar, 10.0 * bar,
                       "tolerance relative to the first amplitude");
    }
}

// Paying out and hauling in ------------------------------------------------------------------------------------------------

// Out at 1 m/s and back with a heavy load, the rate a trapezoid of straight lines: the length out is known exactly. Where a
// node comes or goes the force at the winch goes on as before, judged against the cubic through the four frames
// before.
static void Payout(hwCaseContext* context) {
    static const double times[8] = {0.0, 1.0, 9.0, 10.0, 11.0, 12.0, 20.0, 21.0};
    static const double rates[8] = {0.0, 1.0, 1.0, 0.0, 0.0, -1.0, -1.0, 0.0};
    const double payload = 200.0;
    double out[2], back[2], weight[2], jump[2], changes = 0.0;
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwVec3 values[8];
        for (int i = 0; i < 8; ++i) values[i] = hwMakeVec3(rates[i], 0.0, 0.0);
        hwSignalTerm table = hwDefaultSignalTerm();
        table.kind = HW_SIGNAL_TABLE;
        table.count = 8;
        table.times = times;
        table.values = values;
        hwWinchDef control = hwDefaultWinchDef();
        control.setpoint = (hwSignal){1, &table};
        Hoist hoist;
        BeginHoist(&hoist, context, !realtime, payload, NULL, &control);
        double last[4] = {0.0}, sum = 0.0;
        int nodes = 0;
        jump[realtime] = 0.0;
        for (int k = 1; k <= 60 * 45 && !hoist.run.failed; ++k) {
            hwCaseRun_Advance(&hoist.run, k / 60.0 - hwWorld_GetTime(hoist.run.world));
            hwCableView view = {0};
            if (!hoist.run.failed) {
                hoist.run.failed =
                    hwCable_GetView(hoist.run.world, hoist.line, &view, &hoist.run.error) != HW_OK;
            }
            double force = hwCaseRun_Read(&hoist.run, "line.a.tension");
            if (k > 4 && view.nodeCount != nodes) {
                jump[realtime] =
                    fmax(jump[realtime],
                         fabs(force - 4.0 * last[3] + 6.0 * last[2] - 4.0 * last[1] + last[0]) / force);
                if (realtime) changes += 1.0;
            }
            nodes = view.nodeCount;
            memmove(last, last + 1, 3 * sizeof(double));
            last[3] = force;
            if (k > 60 * 40) sum += force / 300.0; // five seconds: the load still bounces a little
            if (k == 600) out[realtime] = view.length;
            back[realtime] = view.length;
        }
        weight[realtime] = sum;
        hwCaseRun_End(&hoist.run);
    }
    hwCase_Compare(context, "length out after 10 s, m", wireLength + 9.0, HW_NO_SEED, out[0], out[1], 1e-6,
                   1e-12, "realtime keeps the books to rounding; the reference to its tolerance");
    hwCase_Compare(context, "length out after 45 s, m", wireLength, HW_NO_SEED, back[0], back[1], 1e-6, 1e-12,
                   NULL);
    hwCase_Compare(context, "force at the winch then, N", (payload + wireMass * wireLength) * g, HW_NO_SEED,
                   weight[0], weight[1], 1e-4, 1e-4, "all the mass is back");
    hwCase_Compare(context, "largest jump of that force where a node comes or goes", 0.0, HW_NO_SEED, jump[0],
                   jump[1], 5e-3, 5e-3, NULL);
    hwCase_Compare(context, "nodes that came or went", 16.0, HW_NO_SEED, changes, (double)NAN, 0.3,
                   (double)NAN, "about 9 m out and in by 2 m");
}

// Drum ---------------------------------------------------------------------------------------------------------------------

// A load m on a drum with J/r^2 = I, held back by a force F at the rim (a motor that holds a tension, or a brake that slips),
// half the wire's mass with either, x the wire's stretch. The drum feels the boundary element's tension, at its middle, on
// average a = 0.9 m below it:
//   (I + mu (L/2 - a)) w' = T + mu (L/2 - a) g - F,  (m + mu L/2) v' = (m + mu L/2) g - T,  x' = v - w,  L' = w,
//   T = EA x/L + c (x/L)'.
typedef struct Drum {
    double payload, inertia, held; // kg, kg, N
} Drum;

static void DrumSlope(const void* context, double t, const double* y, double* slope) {
    (void)t;
    const Drum* p = context;
    double rate = y[0], speed = y[1], length = y[2], stretch = y[3], half = 0.5 * wireMass * length;
    double strainRate = (speed - rate) / length - stretch * rate / (length * length);
    double tension = wireEA * stretch / length + drumDamping * strainRate;
    double upper = half - wireMass * 0.9;
    slope[0] = (tension + upper * g - p->held) / (p->inertia + upper);
    slope[1] = g - tension / (p->payload + half);
    slope[2] = rate;
    slope[3] = speed - rate;
}

static double SolveDrum(const Drum* p) {
    double stretch = (p->payload + 0.5 * wireMass * wireLength) * g * wireLength / wireEA;
    double y[4] = {0.0, 0.0, wireLength, stretch};
    hwCase_Integrate(DrumSlope, p, 4, 0.0, 2.0, 4000, y);
    return y[0];
}

static void RunDrum(hwCaseContext* context, const Drum* p, bool brake, double rate[2], double tension[2]) {
    const double radius = 0.5;
    for (int realtime = 0; realtime < 2; ++realtime) {
        hwWinchDef control = hwDefaultWinchDef();
        hwSignalTerm held = hwConstantTerm(hwMakeVec3(brake ? 0.0 : p->held, 0.0, 0.0));
        control.mode = brake ? HW_WINCH_VELOCITY : HW_WINCH_TENSION;
        control.setpoint = (hwSignal){1, &held};
        control.kp = brake ? 0.0 : 1e6; // no friction to speak of
        control.drumInertia = p->inertia * radius * radius;
        control.drumRadius = radius;
        control.brake = brake ? p->held * radius : 0.0;
        control.acceleration = 30.0;
        control.deceleration = -30.0;
        Hoist hoist;
        BeginHoist(&hoist, context, !realtime, p->payload, NULL, &control);
        hwCaseRun_Advance(&hoist.run, 2.0);
        rate[realtime] = hwCaseRun_Read(&hoist.run, "winch.rate");
        tension[realtime] = hwCaseRun_Read(&hoist.run, "line.a.tension");
        hwCaseRun_End(&hoist.run);
    }
}

static void DrumAndBrake(hwCaseContext* context) {
    const Drum free = {200.0, 100.0, 500.0}, slipping = {200.0, 100.0, 1500.0},
               holding = {200.0, 100.0, 2500.0};
    double rate[2], tension[2];
    RunDrum(context, &free, false, rate, tension);
    hwCase_Compare(context, "rate of a drum with inertia held by 500 N, after 2 s, m/s", SolveDrum(&free),
                   HW_NO_SEED, rate[0], rate[1], 1e-3, 1e-2, NULL);
    RunDrum(context, &slipping, true, rate, tension);
    hwCase_Compare(context, "rate of a brake that slips at 1500 N, after 2 s, m/s", SolveDrum(&slipping),
                   HW_NO_SEED, rate[0], rate[1], 1e-3, 1e-2, NULL);
    RunDrum(context, &holding, true, rate, tension);
    hwCase_Compare(context, "rate of a brake that holds 2500 N, m/s", 0.0, HW_NO_SEED, rate[0], rate[1],
                   1e-12, 1e-12, NULL);
    hwCase_Compare(context, "force at the winch then, N", (200.0 + wireMass * wireLength) * g, HW_NO_SEED,
                   tension[0], tension[1], 1e-3, 1e-3, NULL);
}

const hwCase hwCableWinchCases[] = {
    {"sms-4.2.1", "DRDC CR 2010-256, section 4.2.1",
     "A winch holds the tension of a wire whose load is pushed.", ConstantTension},
    {"sms-4.2.2", "DRDC CR 2010-256, section 4.2.2", "A winch follows a tension that varies.",
     VaryingTension},
    {"sms-4.2.3", "DRDC CR 2010-256, section 4.2.3", "A winch follows a velocity that varies.",
     VaryingVelocity},
    {"sms-4.2.4", "DRDC CR 2010-256, section 4.2.4", "A winch holds its velocity while the load is pushed.",
     ConstantVelocity},
    {"cable/payout", "conservation of length and mass", "A load lowered and hoisted again.", Payout},
    {"cable/drum", "equation of motion", "A drum with inertia, and its brake.", DrumAndBrake},
    {"cable/winch-pendulum", "equation of motion", "A pendulum that is hauled in.", WinchPendulum},
    {0},
};
