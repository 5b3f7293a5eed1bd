// Floating bodies by hydrodynamic coefficients. The coefficients are those of one resonance, whose memory is known exactly:
//     B + i w (A - A_inf) = b i w / (w0^2 - w^2 + i g w).
#include "cases/cases.h"
#include "cases/harness.h"
#include "hawser/hawser.h"
#include "hawser/reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 60 };
static const double g_mass = 2e6, g_added = 1e6, g_stiffness = 2.2e6, g_force = 1e6;
static const double g_b = 4e5, g_g = 0.6, g_w0 = 0.9;
static const double g_arm = 3.0, g_pitchMass = 4e7, g_pitchStiffness = 6e7;

static double GetDamping(double w) {
    double p = g_w0 * g_w0 - w * w, q = g_g * w;
    return g_b * g_g * w * w / (p * p + q * q);
}

static double GetAdded(double w) {
    double p = g_w0 * g_w0 - w * w, q = g_g * w;
    return g_added + g_b * p / (p * p + q * q);
}

typedef struct Trial {
    double rise;                   // m, above its rest
    double amplitude, omega, ramp; // m, rad/s, s, of the waves
    bool free;                     // waves push it in surge and pitch too, and these radiate
    bool reference;
} Trial;

static hwWorld* MakeBuoy(const Trial* trial, hwError* error) {
    double frequencies[COUNT], damping[COUNT][36] = {{0}}, excitation[COUNT][6][2] = {{{0}}}, heading = 0.0;
    for (int f = 0; f < COUNT; ++f) {
        frequencies[f] = 6.0 * (f + 1) / COUNT;
        damping[f][14] = GetDamping(frequencies[f]);
        excitation[f][2][0] = g_force;
        if (!trial->free) continue;
        damping[f][0] = damping[f][14];
        damping[f][28] = g_arm * g_arm * damping[f][14];
        excitation[f][0][1] = g_force; // a quarter of a period ahead of heave
        excitation[f][4][0] = g_arm * g_force;
    }
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.tolerance = 1e-5;
    hwWorld* world = hwCreateWorld(&def, error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    bool waves = trial->amplitude > 0.0;
    hwAiryDef wave = {.height = 2.0 * trial->amplitude, .period = waves ? 2.0 * HW_PI / trial->omega : 1.0};
    sea.airyCount = waves ? 1 : 0;
    sea.airy = &wave;
    sea.waveRamp = trial->ramp;
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "buoy";
    body.mass = g_mass;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = g_pitchMass;
    body.position.z = trial->rise;
    hwPotentialDef* potential = &body.potential;
    potential->frequencyCount = COUNT;
    potential->frequencies = frequencies;
    potential->damping = damping[0];
    potential->headingCount = 1;
    potential->headings = &heading;
    potential->excitation = &excitation[0][0][0];
    potential->addedMass[2][2] = g_added;
    potential->addedMass[0][0] = trial->free ? g_added : 0.0;
    potential->addedMass[4][4] = trial->free ? g_arm * g_arm * g_added : 0.0;
    potential->stiffness[2][2] = g_stiffness;
    potential->stiffness[3][3] = potential->stiffness[4][4] = g_pitchStiffness;
    bool good = world != NULL && hwWorld_SetEnvironment(world, &sea, error) == HW_OK &&
                !HW_IS_NULL(hwWorld_AddBody(world, &body, error)) &&
                (!trial->reference || hwWorld_UseReference(world, HW_REFERENCE_AUTO, error) == HW_OK) &&
                hwWorld_Prepare(world, error) == HW_OK;
    if (good) return world;
    hwDestroyWorld(world);
    return NULL;
}

static double GetHeave(const hwWorld* world) {
    hwBodyState state = {0};
    hwBody_GetState(world, hwWorld_FindBody(world, "buoy"), &state, NULL);
    return state.position.z;
}

// Heave, its velocity and the two states of the exact memory: r' = b v - g r - w0^2 s, s' = r, force -r.
static void GetRate(const double y[4], double rate[4]) {
    rate[0] = y[1];
    rate[1] = (-g_stiffness * y[0] - y[2]) / (g_mass + g_added);
    rate[2] = g_b * y[1] - g_g * y[2] - g_w0 * g_w0 * y[3];
    rate[3] = y[2];
}

static void StepExact(double y[4], double h) {
    static const double places[4] = {0.0, 0.5, 0.5, 1.0}, weights[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double k[4] = {0}, sum[4] = {0};
    for (int stage = 0; stage < 4; ++stage) {
        double at[4];
        for (int i = 0; i < 4; ++i) at[i] = y[i] + places[stage] * h * k[i];
        GetRate(at, k);
        for (int i = 0; i < 4; ++i) sum[i] += weights[stage] * h * k[i];
    }
    for (int i = 0; i < 4; ++i) y[i] += sum[i];
}

static const char g_note[] =
    "the memory is fitted to the table of B, 2 % of its largest off; the exact one has two states of its own";

// The three extremes after the start, in both solvers.
static void Decay(hwCaseContext* context) {
    double exact[3] = {0}, found[2][3] = {{0}}, y[4] = {1.0, 0.0, 0.0, 0.0};
    for (int n = 0, turns = 0; n < 30000 && turns < 3; ++n) {
        double before = y[1];
        StepExact(y, 1e-3);
        if (before * y[1] < 0.0) exact[turns++] = y[0];
    }
    for (int solver = 0; solver < 2; ++solver) {
        hwError error;
        hwWorld* world = MakeBuoy(&(Trial){.rise = 1.0, .reference = solver == 1}, &error);
        double last = 1.0, now = 1.0;
        for (int n = 0, turns = 0; world != NULL && n < 1500 && turns < 3; ++n) {
            if (hwWorld_Step(world, 0.02, &error) < HW_OK) break;
            double next = GetHeave(world);
            if (n > 0 && (now - last) * (next - now) < 0.0) {
                // the parabola through three points
                double slope = 0.5 * (next - last), curve = next - 2.0 * now + last;
                found[solver][turns++] = now - 0.5 * slope * slope / curve;
            }
            last = now;
            now = next;
        }
        if (world == NULL) hwCase_AddError(context, "decay", &error);
        hwDestroyWorld(world);
    }
    for (int i = 0; i < 3; ++i) {
        char name[64];
        snprintf(name, sizeof(name), "heave at turn %d, m", i + 1);
        hwCase_Check(context, HW_MADE_REALTIME, name, exact[i], found[0][i], 0.03, g_note);
        hwCase_Check(context, HW_MADE_REFERENCE, name, exact[i], found[1][i], 0.03, g_note);
    }
}

// Amplitude and phase against X / (C - w^2 (M + A) + i w B).
static void Response(hwCaseContext* context) {
    static const double omegas[] = {0.5, 0.8, 1.2, 2.0};
    for (int k = 0; k < 4; ++k) {
        double w = omegas[k], period = 2.0 * HW_PI / w, c = 0.0, s = 0.0;
        hwError error;
        hwWorld* world = MakeBuoy(&(Trial){.amplitude = 0.5, .omega = w}, &error);
        enum { SAMPLES = 64 };
        hwStatus status = world != NULL ? hwWorld_Step(world, 30.0 * period, &error) : HW_ERROR_MODEL;
        for (int n = 0; n < SAMPLES && status >= HW_OK; ++n) {
            double t = hwWorld_GetTime(world), x = GetHeave(world);
            c += 2.0 / SAMPLES * x * cos(w * t);
            s += 2.0 / SAMPLES * x * sin(w * t);
            status = hwWorld_Step(world, period / SAMPLES, &error);
        }
        if (status < HW_OK) {
            hwCase_AddError(context, "response", &error);
        } else {
            double real = g_stiffness - w * w * (g_mass + GetAdded(w)), imaginary = w * GetDamping(w);
            char name[64];
            snprintf(name, sizeof(name), "heave per m of wave at %g rad/s", w);
            hwCase_Check(context, HW_MADE_REALTIME, name, g_force / hypot(real, imaginary), hypot(c, s) / 0.5,
                         0.02, g_note);
            snprintf(name, sizeof(name), "phase at %g rad/s, rad", w);
            double phase = -atan2(imaginary, real);
            hwCase_Check(context, HW_MADE_REALTIME, name, 0.0, remainder(atan2(-s, c) - phase, 2.0 * HW_PI),
                         0.03, g_note);
            hwEnergy e = hwWorld_GetEnergy(world);
            snprintf(name, sizeof(name), "energy balance over work at %g rad/s", w);
            hwCase_Check(context, HW_MADE_REALTIME, name, 0.0,
                         (e.kinetic + e.potential + e.elastic + e.dissipated - e.work) / e.work, 2e-3,
                         "the built-in method's own damping");
        }
        hwDestroyWorld(world);
    }
}

// A body that surges, heaves and pitches, held by nothing, in waves that push it in all three: each of its motions against linear
// theory, and no drift, since first-order coefficients hold no drift force. Wave forces at the place of the moment, or radiation
// in axes that pitch along, would each give it a mean force of second order and with it another frequency of encounter.
static void Free(hwCaseContext* context) {
    static const char* const names[3] = {"surge, m", "heave, m", "pitch, rad"};
    const double amplitude = 0.25, w = 0.8, period = 2.0 * HW_PI / w;
    enum { SAMPLES = 64 };
    hwError error;
    hwWorld* world =
        MakeBuoy(&(Trial){.amplitude = amplitude, .omega = w, .ramp = 60.0, .free = true}, &error);
    hwStatus status = world != NULL ? hwWorld_Step(world, 40.0 * period, &error) : HW_ERROR_MODEL;
    double c[3] = {0}, s[3] = {0}, mean[2] = {0};
    for (int turn = 0; turn < 2; ++turn) {
        memset(c, 0, sizeof(c));
        memset(s, 0, sizeof(s));
        for (int n = 0; n < SAMPLES && status >= HW_OK; ++n) {
            hwBodyState state = {0};
            hwBody_GetState(world, hwWorld_FindBody(world, "buoy"), &state, NULL);
            double t = hwWorld_GetTime(world);
            double x[3] = {state.position.x, state.position.z, 2.0 * asin(state.attitude.y)};
            for (int i = 0; i < 3; ++i) {
                c[i] += 2.0 / SAMPLES * x[i] * cos(w * t);
                s[i] += 2.0 / SAMPLES * x[i] * sin(w * t);
            }
            mean[turn] += x[0] / SAMPLES;
            status = hwWorld_Step(world, period / SAMPLES, &error);
        }
        if (turn == 0 && status >= HW_OK) status = hwWorld_Step(world, 9.0 * period, &error);
    }
    if (status < HW_OK) {
        hwCase_AddError(context, "free", &error);
    } else {
        double mass[3] = {g_mass, g_mass, g_pitchMass}, back[3] = {0.0, g_stiffness, g_pitchStiffness};
        for (int i = 0; i < 3; ++i) {
            double size = i == 2 ? g_arm * g_arm : 1.0, force = i == 2 ? g_arm * g_force : g_force;
            double real = back[i] - w * w * (mass[i] + size * GetAdded(w)),
                   imaginary = w * size * GetDamping(w);
            char name[64];
            snprintf(name, sizeof(name), "amplitude of %s per m of wave", names[i]);
            hwCase_Check(context, HW_MADE_REALTIME, name, force / hypot(real, imaginary),
                         hypot(c[i], s[i]) / amplitude, 0.02, g_note);
        }
        hwCase_Check(context, HW_MADE_REALTIME, "drift in ten periods, m", 0.0, mean[1] - mean[0], 0.05,
                     "1.2 % of the motion with the waves is left in the mean place");
    }
    hwDestroyWorld(world);
}

const hwCase hwFloaterCases[] = {
    {"floater/decay", "Cummins (1962); closed form of one resonance",
     "A heaving buoy let go 1 m above its rest, with the memory of the waves that it has made", Decay},
    {"floater/response", "Ogilvie (1964): frequency domain solution from the same coefficients",
     "A heaving buoy in regular waves against X / (C - w^2 (M + A) + i w B)", Response},
    {"floater/free", "Ogilvie (1964): frequency domain solution from the same coefficients",
     "A body free in surge, heave and pitch in regular waves: linear motions, no drift", Free},
    {0},
};
