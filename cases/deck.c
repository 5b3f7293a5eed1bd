// Deck systems: crane, cable and payload together (seed 004 sections 4.4.7, 4.4.8, 4.4.11, 4.4.12), a load under a crane on a
// ship that sways, and the resonance of a load on a long wire with heave.
#include "cases/cable_run.h"
#include "cases/crane_links.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

#define GRAVITY 9.81

static hwEnvironmentDef Earth(void) {
    hwEnvironmentDef def = hwDefaultEnvironmentDef();
    def.gravity = GRAVITY;
    return def;
}

static hwMechanismId AddCrane(hwCaseRun* run, const hwLinkDef* links, int count, hwBodyId on,
                              hwVec3 position) {
    hwMechanismId none = {0, 0};
    if (run->failed) return none;
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "crane";
    def.position = position;
    if (!HW_IS_NULL(on)) {
        def.base = HW_BASE_BODY;
        def.body = on;
    }
    def.linkCount = count;
    def.links = links;
    hwMechanismId id = hwWorld_AddMechanism(run->world, &def, &run->error);
    run->failed = HW_IS_NULL(id);
    return id;
}

// The seed's payload, 5 kg and 2 m long, and its cable of two elements of 10 m. The seed gives no stiffness; this one
// stretches as its results do.
#define PAYLOAD 5.0
#define LENGTH 20.0
#define STIFFNESS 7e5

static hwBodyDef MakePayload(hwVec3 position) {
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "payload";
    def.mass = PAYLOAD;
    def.inertia[0] = def.inertia[1] = 1.667;
    def.inertia[2] = 2.679e-4;
    def.position = position;
    return def;
}

static hwCableSectionDef MakeWire(double massPerLength) {
    hwCableSectionDef section = hwMakeSection(LENGTH, 2, 0.01, massPerLength, STIFFNESS);
    section.axialDamping = 0.02 * STIFFNESS;
    return section;
}

// 4.4.7: everything hangs still ----------------------------------------------------------------------------------------

#define WIRE_MASS 0.1 // kg/m

static double RunStatic(hwCaseContext* context, bool reference) {
    hwEnvironmentDef earth = Earth();
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, &earth, reference ? 1e-8 : 0.0, false);
    hwLinkDef link = hwMakeCraneLink("boom", -1, HW_JOINT_REVOLUTE, 0.0, 0.0, 0.0, 0.0);
    hwSetLinkMass(&link, 10.0, hwMakeVec3(0.5, 0.0, 0.0), 0.00104, 0.8339, 0.8339);
    AddCrane(&run, &link, 1, (hwBodyId){0, 0}, hwMakeVec3(-1.0, 0.0, 0.0));
    hwBodyDef def = MakePayload(hwMakeVec3(0.0, 0.0, -21.0));
    hwBodyId payload = hwCaseRun_AddBody(&run, &def);
    hwCableSectionDef section = MakeWire(WIRE_MASS);
    hwBodyId boom = run.failed ? payload : hwWorld_FindBody(run.world, "crane.boom");
    hwCableDef line = hwMakeLine(&section, hwPinOnBody(boom, hwMakeVec3(1.0, 0.0, 0.0)),
                                 hwPinOnBody(payload, hwMakeVec3(0.0, 0.0, 1.0)));
    hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    hwCaseRun_Advance(&run, 30.0);
    double z = hwCaseRun_Read(&run, "payload.position.z");
    hwCaseRun_End(&run);
    return z;
}

static void StaticTest(hwCaseContext* context) {
    double stretch = (PAYLOAD + 0.5 * WIRE_MASS * LENGTH) * GRAVITY * LENGTH / STIFFNESS;
    hwCase_Compare(context, "height of the payload after 30 s, m", -21.0 - stretch, -21.00141,
                   RunStatic(context, true), RunStatic(context, false), 1e-8, 1e-7,
                   "stretch included: 0.1 kg/m and EA = 700 kN here, the seed gives neither");
}

// 4.4.8: the crane turns -----------------------------------------------------------------------------------------------

#define BOOM 100.0
#define THREAD_MASS 1e-4 // kg/m: two grams of cable

// Steady turning at the rate w. The cable leans out by `cable`, the payload by `body`: centrifugal forces turn a rod
// towards the horizontal,  T sin(body - cable) = (Ixx - Izz) w^2 sin(body) cos(body).
typedef struct Carousel {
    double rate, cable, body, radius, stretched, tension;
} Carousel;

static Carousel SolveCarousel(double rate) {
    Carousel c = {.rate = rate, .stretched = LENGTH, .tension = PAYLOAD * GRAVITY};
    for (int i = 0; i < 2000; ++i) {
        c.radius = BOOM + c.stretched * sin(c.cable) + sin(c.body);
        double next = atan(rate * rate * c.radius / GRAVITY);
        c.cable += 0.3 * (next - c.cable);
        c.tension = PAYLOAD * GRAVITY / cos(c.cable);
        c.stretched = LENGTH * (1.0 + c.tension / STIFFNESS);
        double turn = (1.667 - 2.679e-4) * rate * rate * sin(c.body) * cos(c.body) / c.tension;
        c.body += 0.3 * (c.cable + asin(turn) - c.body);
    }
    return c;
}

// Mean horizontal force on the payload over 10 s, from a start in steady turning.
static double RunCarousel(hwCaseContext* context, bool reference, const Carousel* c) {
    hwEnvironmentDef earth = Earth();
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, &earth, reference ? 1e-7 : 0.0, false);
    hwLinkDef link = hwMakeCraneLink("boom", -1, HW_JOINT_REVOLUTE, 0.0, 0.0, 0.0, 0.0);
    hwSetLinkMass(&link, 67500.0, hwMakeVec3(50.0, 0.0, 0.0), 2812.5, 5.6251e7, 5.6251e7);
    hwSignalTerm pace = hwConstantTerm(hwMakeVec3(c->rate, 0.0, 0.0));
    link.qd = c->rate;
    link.control.mode = HW_CONTROL_VELOCITY;
    link.control.kp = 1e9;
    link.control.target = (hwSignal){1, &pace};
    AddCrane(&run, &link, 1, (hwBodyId){0, 0}, hwMakeVec3(-BOOM, 0.0, 0.0));
    double s = sin(c->cable), k = cos(c->cable);
    hwVec3 nodes[3], velocities[3];
    for (int i = 0; i < 3; ++i) {
        nodes[i] = hwMakeVec3(0.5 * i * c->stretched * s, 0.0, -0.5 * i * c->stretched * k);
        velocities[i] = hwMakeVec3(0.0, c->rate * (BOOM + nodes[i].x), 0.0);
    }
    hwBodyDef def = MakePayload(hwMakeVec3(nodes[2].x + sin(c->body), 0.0, nodes[2].z - cos(c->body)));
    def.attitude = hwQuatFromRpy(0.0, -c->body, 0.0);
    def.velocity = hwMakeVec3(0.0, c->rate * c->radius, 0.0);
    def.rate = hwRotate(hwConjugate(def.attitude), hwMakeVec3(0.0, 0.0, c->rate));
    hwBodyId payload = hwCaseRun_AddBody(&run, &def);
    hwCableSectionDef section = MakeWire(THREAD_MASS);
    hwBodyId boom = run.failed ? payload : hwWorld_FindBody(run.world, "crane.boom");
    hwCableDef line = hwMakeLine(&section, hwPinOnBody(boom, hwMakeVec3(BOOM, 0.0, 0.0)),
                                 hwPinOnBody(payload, hwMakeVec3(0.0, 0.0, 1.0)));
    line.shape = HW_CABLE_NODES;
    line.pointCount = 3;
    line.points = nodes;
    line.velocities = velocities;
    hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    double sum = 0.0;
    const int count = 100;
    for (int i = 0; i < count; ++i) {
        hwCaseRun_Advance(&run, 0.1);
        sum += hypot(hwCaseRun_Read(&run, "line.b.force.x"), hwCaseRun_Read(&run, "line.b.force.y"));
    }
    hwCaseRun_End(&run);
    return sum / count;
}

static void CentripetalTest(hwCaseContext* context) {
    Carousel fast = SolveCarousel(0.35), slow = SolveCarousel(0.014712);
    hwCase_Compare(context, "horizontal force at the commanded 0.35 rad/s, N", PAYLOAD * fast.radius * 0.1225,
                   HW_NO_SEED, RunCarousel(context, true, &fast), RunCarousel(context, false, &fast), 1e-5,
                   1e-4,
                   "swing-out, stretch and the turning of the payload included; started in steady turning");
    hwCase_Compare(
        context, "horizontal force at 0.014712 rad/s, N", PAYLOAD * slow.radius * 0.014712 * 0.014712,
        0.105994, RunCarousel(context, true, &slow), RunCarousel(context, false, &slow), 1e-5, 1e-4,
        "the rate at which the seed sampled; it expects 0.106404, for a radius of 100 m and 0.014588 rad/s");
}

// 4.4.11 and 4.4.12: the crane travels ---------------------------------------------------------------------------------

static const hwVec3 tip = {0.0, 0.0, 0.5}; // where the cable hangs on the last link: its centre

// Where that is when the crane stands at the origin as given.
static hwVec3 FindTip(hwCaseContext* context) {
    hwEnvironmentDef earth = Earth();
    hwCaseRun run;
    hwCaseRun_Begin(&run, context, false, &earth, 0.0);
    hwLinkDef links[7];
    hwFillPalfinger(links);
    AddCrane(&run, links, 7, (hwBodyId){0, 0}, hwVec3_zero);
    hwCaseRun_Prepare(&run);
    hwVec3 place = hwVec3_zero;
    if (!run.failed) {
        hwBodyState last = hwCaseRun_ReadBody(&run, hwWorld_FindBody(run.world, "crane.boom6"));
        place = hwAdd(last.position, hwRotate(last.attitude, tip));
    }
    hwCaseRun_End(&run);
    return place;
}

#define TRAVEL 80.0 // s
#define SAMPLES 800

// The payload's x at SAMPLES + 1 times. It starts with `speed`, the crane travels at 1 m/s.
static void RunTravel(hwCaseContext* context, bool reference, hwVec3 top, double speed, double x[SAMPLES + 1],
                      double* last) {
    hwEnvironmentDef earth = Earth();
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, &earth, reference ? 1e-7 : 0.0, false);
    static const double times[2] = {-1.0, 1000.0};
    static const hwVec3 places[2] = {{-1.0, 0.0, 0.0}, {1000.0, 0.0, 0.0}};
    hwSignalTerm way = hwDefaultSignalTerm();
    way.kind = HW_SIGNAL_TABLE;
    way.count = 2;
    way.times = times;
    way.values = places;
    hwBodyDef carrier = hwDefaultBodyDef();
    carrier.name = "carrier";
    carrier.motion = HW_MOTION_PRESCRIBED;
    carrier.prescribedPosition = (hwSignal){1, &way};
    hwBodyId base = hwCaseRun_AddBody(&run, &carrier);
    hwLinkDef links[7];
    hwFillPalfinger(links);
    AddCrane(&run, links, 7, base, hwVec3_zero);
    double stretched = LENGTH * (1.0 + PAYLOAD * GRAVITY / STIFFNESS);
    hwBodyDef def = MakePayload(hwMakeVec3(top.x, top.y, top.z - stretched - 1.0));
    def.velocity = hwMakeVec3(speed, 0.0, 0.0);
    hwBodyId payload = hwCaseRun_AddBody(&run, &def);
    hwCableSectionDef section = MakeWire(THREAD_MASS);
    hwBodyId boom = run.failed ? payload : hwWorld_FindBody(run.world, "crane.boom6");
    hwCableDef line =
        hwMakeLine(&section, hwPinOnBody(boom, tip), hwPinOnBody(payload, hwMakeVec3(0.0, 0.0, 1.0)));
    hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    for (int i = 0; i <= SAMPLES; ++i) {
        if (i > 0) hwCaseRun_Advance(&run, TRAVEL / SAMPLES);
        x[i] = hwCaseRun_Read(&run, "payload.position.x");
    }
    *last = hwCaseRun_Read(&run, "payload.velocity.x");
    hwCaseRun_End(&run);
}

static void ConstantVelocity(hwCaseContext* context) {
    hwVec3 top = FindTip(context);
    double x[SAMPLES + 1], speed[2];
    for (int k = 0; k < 2; ++k) RunTravel(context, k == 0, top, 1.0, x, &speed[k]);
    hwCase_Compare(context, "speed of the payload after 80 s, m/s", 1.0, 0.99163, speed[0], speed[1], 1e-8,
                   1e-8,
                   "everything starts at 1 m/s; what is left is the crane settling into its controllers");
}

// Slope of the straight line that fits best.
static double FitSlope(const double* x) {
    double sumT = 0.0, sumX = 0.0, sumTT = 0.0, sumTX = 0.0, count = SAMPLES + 1;
    for (int i = 0; i <= SAMPLES; ++i) {
        double t = TRAVEL * i / SAMPLES;
        sumT += t;
        sumX += x[i];
        sumTT += t * t;
        sumTX += t * x[i];
    }
    return (count * sumTX - sumT * sumX) / (count * sumTT - sumT * sumT);
}

// Cable and payload as a double pendulum under a point that goes at 1 m/s; y: angles, rates.
static void PendulumSlope(const void* context, double t, const double* y, double* slope) {
    (void)t;
    const double l = *(const double*)context, a = 1.0, inertia = 1.667;
    double s = sin(y[0] - y[1]), c = cos(y[0] - y[1]);
    double m11 = PAYLOAD * l * l, m12 = PAYLOAD * l * a * c, m22 = PAYLOAD * a * a + inertia;
    double f1 = -PAYLOAD * l * a * s * y[3] * y[3] - PAYLOAD * GRAVITY * l * sin(y[0]);
    double f2 = PAYLOAD * l * a * s * y[2] * y[2] - PAYLOAD * GRAVITY * a * sin(y[1]);
    double determinant = m11 * m22 - m12 * m12;
    slope[0] = y[2];
    slope[1] = y[3];
    slope[2] = (m22 * f1 - m12 * f2) / determinant;
    slope[3] = (m11 * f2 - m12 * f1) / determinant;
}

static void SuddenTravel(hwCaseContext* context) {
    hwVec3 top = FindTip(context);
    double x[3][SAMPLES + 1], last;
    for (int k = 0; k < 2; ++k) RunTravel(context, k == 0, top, 0.0, x[k], &last);
    double l = LENGTH * (1.0 + PAYLOAD * GRAVITY / STIFFNESS), y[4] = {0.0, 0.0, -1.0 / l, 0.0};
    for (int i = 0; i <= SAMPLES; ++i) {
        double t = TRAVEL * i / SAMPLES;
        if (i > 0) hwCase_Integrate(PendulumSlope, &l, 4, t - TRAVEL / SAMPLES, t, 50, y);
        x[2][i] = top.x + t + l * sin(y[0]) + sin(y[1]);
    }
    hwCase_Compare(
        context, "slope of the line fitted to the payload's way, m/s", FitSlope(x[2]), 1.002, FitSlope(x[0]),
        FitSlope(x[1]), 1e-5, 1e-4,
        "of a double pendulum under the moving crane; the fit over 80 s does not give the crane's 1 m/s");
    hwCase_Compare(context, "way of the payload after 80 s, m", x[2][SAMPLES] - top.x, HW_NO_SEED,
                   x[0][SAMPLES] - top.x, x[1][SAMPLES] - top.x, 1e-4, 1e-3,
                   "the wire's damping takes a little of the swing");
}

// A load under a crane on a ship that sways ----------------------------------------------------------------------------

#define SWAY 0.05       // m
#define SWAY_PERIOD 6.0 // s
#define LOAD 1000.0     // kg
#define DRAG 100.0      // N s/m
#define WIRE 20.0       // m
#define WIRE_EA 1e8

// Complex amplitude of a channel at the sway's frequency, relative to sin: over the last `periods` periods.
static double complex MeasureAnswer(hwCaseRun* run, const char* channel, double period, int wait,
                                    int periods) {
    const int steps = 60;
    double complex sum = 0.0;
    hwCaseRun_Advance(run, wait * period);
    for (int i = 0; i < periods * steps; ++i) {
        hwCaseRun_Advance(run, period / steps);
        double phase = 2.0 * HW_PI * ((i + 1.0) / steps + wait);
        sum += hwCaseRun_Read(run, channel) * cexp(-I * phase);
    }
    return 2.0 * I * sum / (periods * steps);
}

static double complex RunSway(hwCaseContext* context, bool reference) {
    hwEnvironmentDef earth = Earth();
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, &earth, reference ? 1e-6 : 0.0, false);
    hwSignalTerm sway = hwSineTerm(hwMakeVec3(SWAY, 0.0, 0.0), SWAY_PERIOD, 0.0);
    hwBodyDef hull = hwDefaultBodyDef();
    hull.name = "ship";
    hull.motion = HW_MOTION_PRESCRIBED;
    hull.prescribedPosition = (hwSignal){1, &sway};
    hwBodyId ship = hwCaseRun_AddBody(&run, &hull);
    // a boom that reaches 8 m over the side, held by a controller of 1e9 N m
    hwLinkDef boom = hwDefaultLinkDef();
    boom.body.name = "boom";
    boom.frame.axis = hwMakeVec3(1.0, 0.0, 0.0);
    hwSetLinkMass(&boom, 2000.0, hwMakeVec3(0.0, 4.0, 0.0), 11000.0, 100.0, 11000.0);
    boom.control.mode = HW_CONTROL_POSITION;
    boom.control.kp = 1e9;
    boom.control.kd = 1e8;
    AddCrane(&run, &boom, 1, ship, hwMakeVec3(0.0, 0.0, 30.0));
    hwVec3 end = {0.0, 8.0, 0.0};
    double stretched = WIRE * (1.0 + LOAD * GRAVITY / WIRE_EA);
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "load";
    def.mass = LOAD;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = 400.0;
    def.position = hwMakeVec3(0.0, 8.0, 30.0 - stretched);
    def.hydro.linearDrag[0] = DRAG;
    hwBodyId load = hwCaseRun_AddBody(&run, &def);
    hwCableSectionDef section = hwMakeSection(WIRE, 4, 0.02, 1e-3, WIRE_EA);
    section.axialDamping = 0.02 * WIRE_EA;
    hwBodyId link = run.failed ? load : hwWorld_FindBody(run.world, "crane.boom");
    hwCableDef line = hwMakeLine(&section, hwPinOnBody(link, end), hwPinOnBody(load, hwVec3_zero));
    hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    double complex answer = MeasureAnswer(&run, "load.position.x", SWAY_PERIOD, 40, 5);
    hwCaseRun_End(&run);
    return answer / SWAY;
}

static void Pendulation(hwCaseContext* context) {
    double omega = 2.0 * HW_PI / SWAY_PERIOD, l = WIRE * (1.0 + LOAD * GRAVITY / WIRE_EA);
    double complex exact = GRAVITY / l / (GRAVITY / l - omega * omega + I * omega * DRAG / LOAD);
    double complex found[2] = {RunSway(context, true), RunSway(context, false)};
    hwCase_Compare(context, "amplitude of the load over that of the ship", cabs(exact), HW_NO_SEED,
                   cabs(found[0]), cabs(found[1]), 1e-4, 1e-3, "x'' + c/m x' + g/l (x - ship) = 0");
    hwCase_Compare(context, "phase of the load, rad", carg(exact), HW_NO_SEED, carg(found[0]), carg(found[1]),
                   1e-3, 1e-2, NULL);
}

// Resonance of a load on a long wire -----------------------------------------------------------------------------------

typedef struct Lowering {
    double EA, perLength, mass; // N, kg/m, kg with added mass
    double omega;
} Lowering;

// With k = w sqrt(mu/EA) the end of a line whose top moves by sin wt moves by 1 / (cos kL - M k / mu sin kL): it resonates
// where tan kL = mu / (M k).
static double FindResonance(const Lowering* l) {
    double k = l->omega * sqrt(l->perLength / l->EA);
    return atan(l->perLength / (l->mass * k)) / k;
}

#define ANCHOR 60e3 // kg
#define ADDED 90e3  // kg, water in and around a suction anchor
#define VOLUME 8.0  // m3
#define HEAVE 0.2   // m

// Phase of the load behind the ship's heave at a depth.
static double RunDepth(hwCaseContext* context, bool reference, const Lowering* l, double depth) {
    hwEnvironmentDef sea = Earth();
    sea.water = true;
    sea.waterDensity = 1025.0;
    hwCaseRun run;
    hwCableRun_Begin(&run, context, reference, &sea, reference ? 1e-4 : 0.0, false);
    double period = 2.0 * HW_PI / l->omega;
    hwSignalTerm terms[2] = {hwConstantTerm(hwMakeVec3(0.0, 0.0, -10.0)),
                             hwSineTerm(hwMakeVec3(0.0, 0.0, HEAVE), period, 0.0)};
    hwBodyDef hull = hwDefaultBodyDef();
    hull.name = "ship";
    hull.motion = HW_MOTION_PRESCRIBED;
    hull.prescribedPosition = (hwSignal){2, terms};
    hwBodyId ship = hwCaseRun_AddBody(&run, &hull);
    hwCableSectionDef section = hwMakeSection(depth, 40, 0.08, l->perLength, l->EA);
    section.axialDamping = 0.05 / l->omega * l->EA; // a loss of 5 % in each cycle's tension
    double wet = (l->perLength - 1025.0 * 0.25 * HW_PI * 0.08 * 0.08) * GRAVITY;
    double weight = (ANCHOR - 1025.0 * VOLUME) * GRAVITY;
    double stretch = (weight + 0.5 * wet * depth) * depth / l->EA;
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "anchor";
    def.mass = ANCHOR;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = 5e5;
    def.position = hwMakeVec3(0.0, 0.0, -10.0 - depth - stretch);
    def.hydro.volume = VOLUME;
    def.hydro.addedMass[0][0] = def.hydro.addedMass[1][1] = def.hydro.addedMass[2][2] = ADDED;
    hwBodyId anchor = hwCaseRun_AddBody(&run, &def);
    hwCableDef line = hwMakeLine(&section, hwPinOnBody(ship, hwVec3_zero), hwPinOnBody(anchor, hwVec3_zero));
    // each node where the weight below stretches it to
    hwVec3 nodes[41];
    for (int i = 0; i <= 40; ++i) {
        double s = depth * i / 40.0;
        nodes[i] = hwMakeVec3(0.0, 0.0, -10.0 - s - ((weight + wet * depth) * s - 0.5 * wet * s * s) / l->EA);
    }
    line.shape = HW_CABLE_NODES;
    line.pointCount = 41;
    line.points = nodes;
    hwCaseRun_AddCable(&run, &line);
    hwCaseRun_Prepare(&run);
    double complex answer = MeasureAnswer(&run, "anchor.position.z", period, 30, 4);
    hwCaseRun_End(&run);
    return -carg(answer);
}

// The depth at which the load is a quarter of a period behind, by the secant method.
static double FindDepth(hwCaseContext* context, bool reference, const Lowering* l, double guess) {
    double low = 0.97 * guess, high = 1.03 * guess;
    double before = RunDepth(context, reference, l, low), after = RunDepth(context, reference, l, high);
    double middle = low + (0.5 * HW_PI - before) / (after - before) * (high - low);
    double there = RunDepth(context, reference, l, middle);
    bool below = there > 0.5 * HW_PI;
    double other = below ? low : high, otherPhase = below ? before : after;
    return middle + (0.5 * HW_PI - there) / (otherPhase - there) * (other - middle);
}

static void LoweringResonance(hwCaseContext* context) {
    Lowering l = {.EA = 5e8, .perLength = 30.0, .mass = ANCHOR + ADDED};
    // the period at which a wire of 3,000 m is at resonance
    double low = 0.1, high = 5.0;
    for (int i = 0; i < 100; ++i) {
        l.omega = 0.5 * (low + high);
        *(FindResonance(&l) > 3000.0 ? &low : &high) = l.omega;
    }
    double exact = FindResonance(&l);
    char text[80];
    snprintf(text, sizeof(text), "depth of resonance with a heave of %.2f s, m", 2.0 * HW_PI / l.omega);
    hwCase_Compare(
        context, text, exact, HW_NO_SEED, FindDepth(context, true, &l, exact),
        FindDepth(context, false, &l, exact), 1e-2, 1e-2,
        "tan kL = mu / (M k); where the load is a quarter of a period behind, which damping shifts a little");
}

const hwCase hwDeckCases[] = {
    {"sms-4.4.7", "DRDC CR 2010-256, section 4.4.7", "Crane, cable and payload hang still.", StaticTest},
    {"sms-4.4.8", "DRDC CR 2010-256, section 4.4.8", "A payload swings out under a turning crane.",
     CentripetalTest},
    {"sms-4.4.11", "DRDC CR 2010-256, section 4.4.11", "Crane and payload travel together.",
     ConstantVelocity},
    {"sms-4.4.12", "DRDC CR 2010-256, section 4.4.12", "A travelling crane sets its payload swinging.",
     SuddenTravel},
    {"deck-pendulation", "linear pendulum", "A load under a crane on a swaying ship: amplitude and phase.",
     Pendulation},
    {"deck-lowering", "elastic line with end mass",
     "The depth at which a load on 3,000 m of wire resonates with heave.", LoweringResonance},
    {0},
};
