// Natural frequencies, damping and steady response by linear analysis (hawser/modes.h), against exact solutions.
#define _XOPEN_SOURCE 700
#include "cases/cable_run.h"
#include "cases/irvine.h"
#include "hawser/modes.h"
#include "hawser/statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What the lists of exact values are good for, unless said otherwise.
#define TOLERANCE 1e-4

static hwModes* FindModes(hwCaseRun* run, int count, bool settled) {
    hwCaseRun_Prepare(run);
    if (run->failed) return NULL;
    hwModesDef def = hwDefaultModesDef();
    def.count = count;
    def.settled = settled;
    hwModes* modes = hwWorld_FindModes(run->world, &def, &run->error);
    run->failed = modes == NULL;
    return modes;
}

// The mode nearest to a frequency.
static hwModeInfo FindNearest(const hwModes* modes, double omega) {
    int best = 0;
    for (int i = 1; i < hwModes_GetCount(modes); ++i) {
        double now = fabs(hwModes_Get(modes, i).omega - omega),
               before = fabs(hwModes_Get(modes, best).omega - omega);
        if (now < before || isnan(before)) best = i;
    }
    return hwModes_Get(modes, best);
}

static void CheckOmega(hwCaseContext* context, const hwModes* modes, int mode, const char* name,
                       double exact) {
    hwCase_Check(context, HW_MADE_DIRECT, name, exact, hwModes_Get(modes, mode).omega, TOLERANCE, NULL);
}

// Cables -----------------------------------------------------------------------------------------------------------------------

static hwModes* FindCableModes(hwCaseRun* run, hwCaseContext* context, const hwEnvironmentDef* environment,
                               const hwCableDef* line, int count) {
    hwCableRun_Begin(run, context, false, environment, 0.0, true);
    hwCaseRun_AddCable(run, line);
    return FindModes(run, count, true);
}

// Across in two planes; see cases/cable_modes.c for the wave speed in material coordinates.
static void String(hwCaseContext* context) {
    const double length = 100.0, EA = 1e7, mass = 1.5, strain = 1e-4;
    hwCableSectionDef section = hwMakeSection(length, 400, 0.02, mass, EA);
    hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero),
                                 hwPinOnEarth(hwMakeVec3(length * (1.0 + strain), 0.0, 0.0)));
    hwCaseRun run;
    hwModes* modes = FindCableModes(&run, context, NULL, &line, 10);
    for (int n = 1; n <= 5 && modes; ++n) {
        double exact = n * HW_PI / length * sqrt(EA * strain / (mass * (1.0 + strain)));
        for (int plane = 0; plane < 2; ++plane) {
            char name[60];
            snprintf(name, sizeof(name), "string, frequency %d in plane %d, rad/s", n, plane + 1);
            CheckOmega(context, modes, 2 * (n - 1) + plane, name, exact);
        }
    }
    hwDestroyModes(modes);
    hwCaseRun_End(&run);
}

static void Chain(hwCaseContext* context) {
    static const double zeros[4] = {2.404825557695773, 5.520078110286311, 8.653727912911013,
                                    11.791534439014281};
    const double length = 100.0;
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    hwCableSectionDef section = hwMakeSection(length, 400, 0.02, 1.5, 1e9); // stretches by 1.5e-6 at most
    hwCableEndDef freeEnd = {0};
    hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), freeEnd);
    hwCaseRun run;
    hwModes* modes = FindCableModes(&run, context, &dry, &line, 8);
    for (int n = 0; n < 4 && modes; ++n) {
        char name[60];
        snprintf(name, sizeof(name), "hanging chain, frequency %d, rad/s", n + 1);
        CheckOmega(context, modes, 2 * n, name, 0.5 * zeros[n] * sqrt(9.81 / length));
    }
    hwDestroyModes(modes);
    hwCaseRun_End(&run);
}

// Small motions u about the elastic catenary, with the change f of the tension vector:
//   f = (EA t t^T + T/(1 + e) (1 - t t^T)) du/ds,   df/ds = -mu w^2 u,   u = 0 at both ends.
// y = u, f for two unit changes of f at the first end in the plane, and one out of it.
typedef struct Sagged {
    const hwIrvine* catenary;
    double mass, omega;
} Sagged;

static void SaggedSlope(const void* context, double s, const double* y, double* slope) {
    const Sagged* p = context;
    double x, z, tx, tz, T;
    hwIrvine_GetPoint(p->catenary, s, &x, &z, &tx, &tz, &T);
    double along = 1.0 / p->catenary->EA, across = (1.0 + T / p->catenary->EA) / T;
    double inertia = -p->mass * p->omega * p->omega;
    for (int k = 0; k < 2; ++k, y += 4, slope += 4) {
        double pull = tx * y[2] + tz * y[3];
        slope[0] = across * y[2] + (along - across) * pull * tx;
        slope[1] = across * y[3] + (along - across) * pull * tz;
        slope[2] = inertia * y[0];
        slope[3] = inertia * y[1];
    }
    slope[0] = across * y[1];
    slope[1] = inertia * y[0];
}

static void ShootSagged(const Sagged* given, double omega, double y[10]) {
    static const double start[10] = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0};
    Sagged p = *given;
    p.omega = omega;
    memcpy(y, start, sizeof(start));
    hwCase_Integrate(SaggedSlope, &p, 10, 0.0, p.catenary->length, 2000, y);
}

static double MissInPlane(const void* context, double omega) {
    double y[10];
    ShootSagged(context, omega, y);
    return y[0] * y[5] - y[1] * y[4];
}

static double MissAcross(const void* context, double omega) {
    double y[10];
    ShootSagged(context, omega, y);
    return y[8];
}

static void Catenary(hwCaseContext* context) {
    const double mass = 12.0, length = 100.0;
    // little sag with stretch, and deep sag where it does not matter
    static const double spans[2] = {99.5, 70.0};
    for (int k = 0; k < 2; ++k) {
        hwIrvine catenary = {
            .length = length, .weight = mass * 9.81 * length, .EA = 5e6, .x = spans[k], .z = -10.0};
        hwIrvine_Solve(&catenary);
        hwEnvironmentDef dry = hwDefaultEnvironmentDef();
        hwCableSectionDef section = hwMakeSection(length, 400, 0.05, mass, catenary.EA);
        hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero),
                                     hwPinOnEarth(hwMakeVec3(catenary.x, 0.0, -catenary.z)));
        line.shape = HW_CABLE_CATENARY_SHAPE;
        hwCaseRun run;
        hwModes* modes = FindCableModes(&run, context, &dry, &line, 12);
        Sagged sagged = {.catenary = &catenary, .mass = mass};
        hwCaseRootFn* const misses[2] = {MissAcross, MissInPlane};
        for (int plane = 0; plane < 2 && modes; ++plane) {
            double omega = 0.2, step = 0.01;
            for (int n = 1; n <= 3; ++n) {
                double before = misses[plane](&sagged, omega);
                while (misses[plane](&sagged, omega + step) * before > 0.0) omega += step;
                double exact = hwCase_FindRoot(misses[plane], &sagged, omega, omega + step);
                omega += 2.0 * step;
                char name[80];
                snprintf(name, sizeof(name), "span %g of 100 m, frequency %d %s, rad/s", spans[k], n,
                         plane == 0 ? "across the plane" : "in the plane");
                hwCase_Check(context, HW_MADE_DIRECT, name, exact, FindNearest(modes, exact).omega, TOLERANCE,
                             NULL);
            }
        }
        hwDestroyModes(modes);
        hwCaseRun_End(&run);
    }
}

// Beams: w = b^2 sqrt(EI/mu)/L^2 with the roots b of each pair of ends (Rayleigh 1877). Long elements of a light bar: EA so
// high that it does not stretch, no weight.
static void Beams(hwCaseContext* context) {
    static const struct {
        const char* name;
        bool clamps[2], pins[2];
        double roots[2];
        int skipped; // free modes
    } beams[] = {
        {"pinned at both ends", {false, false}, {true, true}, {HW_PI, 2.0 * HW_PI}, 0},
        {"clamped and free", {true, false}, {false, false}, {1.8751040687119611, 4.6940911329741746}, 0},
        {"clamped at both ends", {true, true}, {false, false}, {4.7300407448627040, 7.8532046240958376}, 0},
        {"clamped and pinned", {true, false}, {false, true}, {3.9266023120479188, 7.0685827456287317}, 0},
        {"free at both ends", {false, false}, {false, false}, {4.7300407448627040, 7.8532046240958376}, 6},
    };
    const double length = 10.0, mass = 2.0, EI = 500.0;
    for (size_t k = 0; k < sizeof(beams) / sizeof(beams[0]); ++k) {
        hwCableSectionDef section = hwMakeSection(length, 400, 0.05, mass, 1e7);
        section.EI = EI;
        hwVec3 places[2] = {hwVec3_zero, {length, 0.0, 0.0}};
        hwCableEndDef ends[2];
        for (int e = 0; e < 2; ++e) {
            hwCableEndDef loose = {.placed = true, .at = places[e]};
            ends[e] = loose;
            if (beams[k].pins[e]) ends[e] = hwPinOnEarth(places[e]);
            if (beams[k].clamps[e])
                ends[e] = hwClampOnEarth(places[e], hwMakeVec3(1.0, 0.0, 0.0), hwMakeVec3(0.0, 0.0, 1.0));
        }
        hwCableDef line = hwMakeLine(&section, ends[0], ends[1]);
        hwCaseRun run;
        hwCableRun_Begin(&run, context, false, NULL, 0.0, false);
        hwCaseRun_AddCable(&run, &line);
        hwModes* modes = FindModes(&run, beams[k].skipped + 4, true);
        for (int n = 0; n < 2 && modes; ++n) {
            double b = beams[k].roots[n] / length;
            char name[80];
            snprintf(name, sizeof(name), "beam %s, frequency %d, rad/s", beams[k].name, n + 1);
            double exact = b * b * sqrt(EI / mass);
            hwCase_Check(context, HW_MADE_DIRECT, name, exact, FindNearest(modes, exact).omega, TOLERANCE,
                         NULL);
        }
        hwDestroyModes(modes);
        hwCaseRun_End(&run);
    }
}

// Bodies and mechanisms --------------------------------------------------------------------------------------------------------

// Two bodies on hinges: (m1 + m2) l1^2 and so on, the double pendulum of point masses with inertia (Lagrange 1788).
static void Pendulums(hwCaseContext* context) {
    const double g = 9.81, m1 = 3.0, m2 = 2.0, l1 = 1.5, l2 = 0.8, I1 = 0.2, I2 = 0.1;
    for (int count = 1; count <= 2; ++count) {
        hwEnvironmentDef dry = hwDefaultEnvironmentDef();
        hwCaseRun run;
        hwCableRun_Begin(&run, context, false, &dry, 0.0, false);
        hwLinkDef links[2];
        for (int i = 0; i < 2; ++i) {
            links[i] = hwDefaultLinkDef();
            links[i].body.name = i == 0 ? "upper" : "lower";
            links[i].body.mass = i == 0 ? m1 : m2;
            links[i].body.com = hwMakeVec3(0.0, 0.0, i == 0 ? -l1 : -l2);
            for (int k = 0; k < 3; ++k) links[i].body.inertia[k] = i == 0 ? I1 : I2;
            links[i].parent = i - 1;
            links[i].frame = hwMakeJointFrame(hwMakeVec3(0.0, 0.0, i == 0 ? 0.0 : -l1), hwQuat_identity,
                                              hwMakeVec3(0.0, 1.0, 0.0));
        }
        hwMechanismDef def = hwDefaultMechanismDef();
        def.name = "m";
        def.links = links;
        def.linkCount = count;
        if (!run.failed) run.failed = HW_IS_NULL(hwWorld_AddMechanism(run.world, &def, &run.error));
        hwModes* modes = FindModes(&run, count, false);
        if (modes && count == 1)
            CheckOmega(context, modes, 0, "pendulum, rad/s", sqrt(m1 * g * l1 / (m1 * l1 * l1 + I1)));
        if (modes && count == 2) {
            // M = [a b; b c], K = diag(p, q) in angles to the vertical
            double a = m1 * l1 * l1 + I1 + m2 * l1 * l1, b = m2 * l1 * l2, c = m2 * l2 * l2 + I2;
            double p = (m1 + m2) * g * l1, q = m2 * g * l2;
            double A = a * c - b * b, B = -(a * q + c * p), C = p * q, root = sqrt(B * B - 4.0 * A * C);
            CheckOmega(context, modes, 0, "double pendulum, slow, rad/s", sqrt((-B - root) / (2.0 * A)));
            CheckOmega(context, modes, 1, "double pendulum, fast, rad/s", sqrt((-B + root) / (2.0 * A)));
        }
        hwDestroyModes(modes);
        hwCaseRun_End(&run);
    }
}

// A box in calm water: heave by its waterplane, roll and pitch by its metacentre, added mass and linear drag as given.
static void Floating(hwCaseContext* context) {
    const double rho = 1025.0, g = 9.81, L = 6.0, B = 4.0, H = 3.0, draught = 1.2, c = 2e4;
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = rho;
    double mass = rho * L * B * draught, below = -0.4; // m, centre of mass under the middle of the box
    hwShapeDef box = hwDefaultShapeDef();
    box.kind = HW_SHAPE_BOX;
    box.size = hwMakeVec3(L, B, H);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "box";
    body.mass = mass;
    body.com = hwMakeVec3(0.0, 0.0, below);
    body.inertia[0] = 1.4e5;
    body.inertia[1] = 2.2e5;
    body.inertia[2] = 2.5e5;
    body.position = hwMakeVec3(0.0, 0.0, 0.5 * H - draught);
    body.shapes = &box;
    body.shapeCount = 1;
    body.hydro.addedMass[2][2] = 2e4;
    body.hydro.linearDrag[2] = c;
    hwCaseRun run;
    hwCableRun_Begin(&run, context, false, &sea, 0.0, false);
    hwCaseRun_AddBody(&run, &body);
    hwModes* modes = FindModes(&run, 6, false);
    if (modes) {
        double k = rho * g * L * B, heave = sqrt(k / (mass + 2e4));
        double centre = -0.5 * H + 0.5 * draught, volume = L * B * draught; // of buoyancy, above the middle
        double roll = rho * g * volume * (centre - below + B * B / (12.0 * draught));
        double pitch = rho * g * volume * (centre - below + L * L / (12.0 * draught));
        hwCase_Check(context, HW_MADE_DIRECT, "floating box, heave, rad/s", heave,
                     FindNearest(modes, heave).omega, TOLERANCE, NULL);
        hwCase_Check(context, HW_MADE_DIRECT, "floating box, damping of heave",
                     c / (2.0 * (mass + 2e4) * heave), FindNearest(modes, heave).damping, TOLERANCE, NULL);
        // it turns about its centre of mass: nothing holds it sideways
        hwCase_Check(context, HW_MADE_DIRECT, "floating box, roll, rad/s", sqrt(roll / body.inertia[0]),
                     FindNearest(modes, sqrt(roll / body.inertia[0])).omega, TOLERANCE, NULL);
        hwCase_Check(context, HW_MADE_DIRECT, "floating box, pitch, rad/s", sqrt(pitch / body.inertia[1]),
                     FindNearest(modes, sqrt(pitch / body.inertia[1])).omega, TOLERANCE, NULL);
        int loose = 0;
        for (int i = 0; i < 6; ++i) loose += isinf(hwModes_Get(modes, i).period);
        hwCase_Check(context, HW_MADE_DIRECT, "floating box, free modes", 3.0, loose, 0.0, NULL);
    }
    hwDestroyModes(modes);
    hwCaseRun_End(&run);
}

// Response ---------------------------------------------------------------------------------------------------------------------

// A load on an elastic wire whose upper end heaves: u = A cos(k s) + B sin(k s), k = w sqrt(mu/EA), EA u'(L) = m w^2 u(L). The
// tension at the top changes by EA k B. With a damper at the load EA u'(L) = (m w^2 - i c w) u(L) and B is complex.
static void DrivenWire(hwCaseContext* context) {
    const double length = 200.0, mass = 3.0, EA = 2e6, load = 4000.0, heave = 0.05, c = 3e3;
    static const double periods[3] = {6.0, 3.9, 2.0}; // below, near and above the load's bounce
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    for (int damped = 0; damped < 2; ++damped) {
        for (int k = 0; k < 3; ++k) {
            hwSignalTerm term = hwSineTerm(hwMakeVec3(0.0, 0.0, heave), periods[k], 0.5 * HW_PI);
            hwBodyDef top = hwDefaultBodyDef(), bottom = hwDefaultBodyDef();
            top.name = "top";
            top.mass = 1.0;
            top.inertia[0] = top.inertia[1] = top.inertia[2] = 1.0;
            top.motion = HW_MOTION_PRESCRIBED;
            top.prescribedPosition = (hwSignal){1, &term};
            bottom.name = "load";
            bottom.mass = load;
            bottom.inertia[0] = bottom.inertia[1] = bottom.inertia[2] = 1e3;
            bottom.position = hwMakeVec3(0.0, 0.0, -length);
            bottom.hydro.linearDrag[2] = damped ? c : 0.0; // acts as given where there is no water
            hwCaseRun run;
            hwCableRun_Begin(&run, context, false, &dry, 0.0, true);
            hwBodyId upper = hwCaseRun_AddBody(&run, &top), lower = hwCaseRun_AddBody(&run, &bottom);
            hwCableSectionDef section = hwMakeSection(length, 200, 0.03, mass, EA);
            hwCableDef line =
                hwMakeLine(&section, hwPinOnBody(upper, hwVec3_zero), hwPinOnBody(lower, hwVec3_zero));
            hwCaseRun_AddCable(&run, &line);
            hwModes* modes = FindModes(&run, 4, true);
            int channel = modes ? hwWorld_FindChannel(run.world, "line.a.tension") : -1;
            hwResponse response;
            if (channel >= 0)
                run.failed = hwModes_Respond(modes, run.world, periods[k], 1, &channel, &response,
                                             &run.error) != HW_OK;
            if (channel >= 0 && !run.failed) {
                double w = 2.0 * HW_PI / periods[k], wave = w * sqrt(mass / EA), cs = cos(wave * length),
                       sn = sin(wave * length);
                // B = A (EA k sn + Z cs) / (EA k cs - Z sn), Z = m w^2 - i c w
                double re = load * w * w, im = damped ? -c * w : 0.0, stiff = EA * wave;
                double nr = stiff * sn + re * cs, ni = im * cs, dr = stiff * cs - re * sn, di = -im * sn;
                double exact = stiff * heave * sqrt((nr * nr + ni * ni) / (dr * dr + di * di));
                char name[80];
                snprintf(name, sizeof(name), "wire driven with %g s%s, amplitude of tension, N", periods[k],
                         damped ? ", damped" : "");
                hwCase_Check(context, HW_MADE_DIRECT, name, exact, response.amplitude, 1e-3,
                             "200 elements, and the wire's stretch of 2 % at its full size");
            }
            hwDestroyModes(modes);
            hwCaseRun_End(&run);
        }
    }
}

// Richardson's extrapolation and its error on meshes of 40, 60 and 90 elements, against the exact frequency.
static void Certified(hwCaseContext* context) {
    static const int elements[3] = {40, 60, 90};
    const double length = 100.0, exact = 0.5 * 5.520078110286311 * sqrt(9.81 / length);
    double values[3] = {0.0, 0.0, 0.0};
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    hwCableEndDef freeEnd = {0};
    for (int k = 0; k < 3; ++k) {
        hwCableSectionDef section = hwMakeSection(length, elements[k], 0.02, 1.5, 1e9);
        hwCableDef line = hwMakeLine(&section, hwPinOnEarth(hwVec3_zero), freeEnd);
        hwCaseRun run;
        hwModes* modes = FindCableModes(&run, context, &dry, &line, 4);
        if (modes) values[k] = hwModes_Get(modes, 2).omega;
        hwDestroyModes(modes);
        hwCaseRun_End(&run);
    }
    hwConvergence found = hwFindConvergence(values, 1.5);
    double off = fabs(values[0] - exact);
    hwCase_Check(context, HW_MADE_DIRECT, "certified, limit of 40, 60, 90 elements, rad/s", exact,
                 found.limit, 1e-5, "the coarsest is off by 1.2e-3");
    hwCase_Check(context, HW_MADE_DIRECT, "certified, error of 40 elements over its true one", 1.25,
                 found.error / off, 0.1, "the safety factor is 1.25");
    hwCase_Check(context, HW_MADE_DIRECT, "certified, observed order", 2.0, found.order, 0.1, NULL);
}

const hwCase hwModeCases[] = {
    {"modes/certified", "Richardson 1911, Roache 1994",
     "Discretisation error of a frequency from three meshes.", Certified},
    {"modes/string", "wave equation", "Modes of a taut string, both planes.", String},
    {"modes/hanging-chain", "Bernoulli 1732", "Modes of a chain that hangs from one end.", Chain},
    {"modes/catenary", "linearised about the elastic catenary", "Modes of sagging cables.", Catenary},
    {"modes/beams", "Rayleigh 1877", "Modes of beams.", Beams},
    {"modes/pendulums", "Lagrange 1788", "Modes of a pendulum and of a double one.", Pendulums},
    {"modes/floating", "hydrostatics", "Modes and damping of a floating box.", Floating},
    {"modes/driven-wire", "wave equation", "Tension of a wire with a load whose upper end heaves.",
     DrivenWire},
    {0},
};
