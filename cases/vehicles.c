// Underwater vehicles: top speeds, bollard pulls, step responses against an independent integration, allocation against a grid search,
// station keeping in a rising current.
#include "cases/fossen.h"
#include "cases/harness.h"
#include "hawser/vehicle_type.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define KNOT (1852.0 / 3600.0)

typedef struct Flight {
    hwCaseRun run;
    hwVehicleType* type;
    hwVehicleDef def;
    hwVehicleId vehicle;
} Flight;

// A vehicle 50 m down in a sea with this current, sticks without dead zone or expo, full gain, armed. `edit` may change the
// def before it is added.
static void Begin(Flight* flight, hwCaseContext* context, bool reference, const char* model,
                  hwVehicleMode mode, const hwSignalTerm* current, double tolerance,
                  void (*edit)(hwVehicleDef* def)) {
    memset(flight, 0, sizeof(*flight));
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    if (current != NULL) sea.current.uniform = (hwSignal){1, current};
    hwCaseRun* run = &flight->run;
    hwCaseRun_Begin(run, context, reference, &sea, tolerance);
    if (run->failed) return;
    flight->type = hwLoadVehicleType(model, NULL, &run->error);
    run->failed = flight->type == NULL;
    if (run->failed) return;
    flight->def = hwVehicleType_GetDef(flight->type);
    hwVehicleDef* def = &flight->def;
    def->body.name = "rov";
    def->body.position.z = -50.0;
    def->armed = true;
    def->mode = mode;
    def->gain = 1.0;
    for (int i = 0; i < HW_AXIS_COUNT; ++i) def->axes[i] = (hwAxisDef){.sensitivity = 1.0};
    if (edit != NULL) edit(def);
    flight->vehicle = hwWorld_AddVehicle(run->world, def, &run->error);
    run->failed = HW_IS_NULL(flight->vehicle);
    hwCaseRun_Prepare(run);
}

static void Set(Flight* flight, const char* input, double value) {
    hwCaseRun* run = &flight->run;
    if (run->failed) return;
    run->failed =
        hwWorld_SetInput(run->world, hwWorld_FindInput(run->world, input), value, &run->error) != HW_OK;
}

static void End(Flight* flight) {
    hwCaseRun_End(&flight->run);
    hwDestroyVehicleType(flight->type);
}

// Terminal speeds ------------------------------------------------------------------------------------------------------

// Where thrust less its loss in the inflow equals drag: k2 v^2 + (k1 + loss) v = thrust. `pull` is the bollard pull of
// thrusters at this command along the motion, `loss` the pull lost per m/s.
static double SolveSpeed(double pull, double loss, double linear, double quadratic) {
    double b = linear + loss;
    return (-b + sqrt(b * b + 4.0 * quadratic * pull)) / (2.0 * quadratic);
}

// Propeller speed over top speed at full thrust, by the definition of the curve.
static const double g_fullSpeed = 0.99900149800262;

// What all thrusters that lie along a direction of the body can give that way, each in its own sense of rotation, and what they lose per
// m/s of motion.
static double GetPull(const hwVehicleDef* def, hwVec3 direction, double* loss) {
    double pull = 0.0;
    *loss = 0.0;
    for (int i = 0; i < def->thrusterCount; ++i) {
        const hwThrusterDef* t = &def->thrusters[i];
        double cosine = hwDot(hwNormalize(t->axis), direction);
        double strength = fabs(cosine) * (cosine > 0.0 ? t->forward : t->reverse);
        pull += strength;
        *loss += strength * fabs(cosine) * g_fullSpeed / t->advance;
    }
    return pull;
}

typedef struct SpeedCase {
    const char* model;
    hwVehicleMode mode;
    const char* input;
    const char* channel;
    double value;     // of the input, along x
    double published; // NaN: none
    const char* quantity;
} SpeedCase;

static double RunSpeed(hwCaseContext* context, const SpeedCase* c, bool reference, double* exact) {
    Flight flight;
    Begin(&flight, context, reference, c->model, c->mode, NULL, 0.0, NULL);
    Set(&flight, c->input, c->value);
    hwCaseRun_Advance(&flight.run, 120.0);
    double speed = hwCaseRun_Read(&flight.run, c->channel);
    if (!flight.run.failed) {
        const hwHydroDef* hydro = &flight.def.body.hydro;
        double loss, pull = GetPull(&flight.def, hwMakeVec3(c->value, 0.0, 0.0), &loss);
        *exact = SolveSpeed(pull, loss, hydro->linearDrag[0], hydro->quadraticDrag[0]);
    }
    End(&flight);
    return fabs(speed);
}

static void TerminalSpeeds(hwCaseContext* context) {
    const SpeedCase cases[] = {
        {"bluerov2_heavy", HW_MODE_HOLD, "rov.pilot.surge", "rov.velocity.x", 1.0, 1.0,
         "BlueROV2 Heavy forward, m/s"},
        {"bluerov2_heavy", HW_MODE_HOLD, "rov.pilot.surge", "rov.velocity.x", -1.0, (double)NAN,
         "BlueROV2 Heavy astern, m/s"},
        {"bluerov2", HW_MODE_HOLD, "rov.pilot.surge", "rov.velocity.x", 1.0, 1.0, "BlueROV2 forward, m/s"},
        {"bluerov2", HW_MODE_HOLD, "rov.pilot.surge", "rov.velocity.x", -1.0, (double)NAN,
         "BlueROV2 astern, m/s"},
        {"videoray_pro", HW_MODE_MANUAL, "rov.pilot.surge", "rov.speed", 1.0, 2.6 * KNOT,
         "VideoRay Pro forward, m/s"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        double exact = (double)NAN;
        double reference = RunSpeed(context, &cases[i], true, &exact);
        double realtime = RunSpeed(context, &cases[i], false, &exact);
        bool known = !isnan(cases[i].published);
        // a VideoRay cannot trim itself: its pitch of 0.07 rad changes drag by parts in a thousand
        hwCase_Compare(context, cases[i].quantity, exact, cases[i].published, reference, realtime, 2e-3, 2e-3,
                       known ? "published in the seed's column; thrust equals drag in the exact one" : NULL);
        if (!known) continue;
        hwCase_Compare(context, "  over the published top speed", 1.0, HW_NO_SEED,
                       reference / cases[i].published, realtime / cases[i].published, 0.1, 0.1, NULL);
    }
}

// Bollard pulls --------------------------------------------------------------------------------------------------------

#define KGF 9.80665 // N

// As at a bollard: a hull that is too heavy to be moved, floating.
static void TieUp(hwVehicleDef* def) {
    def->body.mass = 1e6;
    def->body.hydro.volume = def->body.mass / hwDefaultEnvironmentDef().waterDensity;
    for (int k = 0; k < 3; ++k) def->body.inertia[k] = 1e6;
}

// What all thrusters give along a direction of the body when a stick is pushed to its end.
static double RunPull(hwCaseContext* context, void (*tieUp)(hwVehicleDef*), const char* input, double value,
                      hwVec3 direction) {
    Flight flight;
    Begin(&flight, context, false, "bluerov2", HW_MODE_MANUAL, NULL, 0.0, tieUp);
    Set(&flight, input, value);
    hwCaseRun_Advance(&flight.run, 3.0);
    double pull = 0.0;
    for (int i = 0; i < flight.def.thrusterCount && !flight.run.failed; ++i) {
        char channel[60];
        snprintf(channel, sizeof(channel), "rov.thruster[%d].force", i);
        pull += hwCaseRun_Read(&flight.run, channel) *
                hwDot(hwNormalize(flight.def.thrusters[i].axis), direction);
    }
    End(&flight);
    return pull;
}

static double RunThruster(hwCaseContext* context, double command) {
    Flight flight;
    Begin(&flight, context, false, "bluerov2", HW_MODE_MANUAL, NULL, 0.0, TieUp);
    Set(&flight, "rov.thruster[0].command", command);
    hwCaseRun_Advance(&flight.run, 3.0);
    double force = hwCaseRun_Read(&flight.run, "rov.thruster[0].force");
    End(&flight);
    return force;
}

// At 12 V, as the battery of the vehicle nearly empty: 3.55 and 3.0 kgf.
static void TieUpAt12Volts(hwVehicleDef* def) {
    static hwThrusterDef thrusters[HW_MAX_THRUSTERS];
    memcpy(thrusters, def->thrusters, (size_t)def->thrusterCount * sizeof(hwThrusterDef));
    for (int i = 0; i < def->thrusterCount; ++i) {
        thrusters[i].forward = 3.55 * KGF;
        thrusters[i].reverse = 3.0 * KGF;
    }
    def->thrusters = thrusters;
    TieUp(def);
}

// Makers' figures. Those of the vehicle are whole kgf: 14, 14 and 9 until 2019, then 9, 9 and 7. Of the four horizontal thrusters two run in
// reverse whichever way it goes: (2 x 5.1 + 2 x 4.1) cos 45 = 13.0 at 16 V, (2 x 3.55 + 2 x 3.0) cos 45 = 9.3 at 12 V. The vertical ones
// push down better than up: 10.2 and 8.2, 7.1 and 6.0; the former figure is their mean, the latter the greater one.
static void BollardPulls(hwCaseContext* context) {
    const hwVec3 ahead = {1.0, 0.0, 0.0}, starboard = {0.0, -1.0, 0.0}, up = {0.0, 0.0, 1.0},
                 down = {0.0, 0.0, -1.0};
    hwCase_Check(context, HW_MADE_REALTIME, "T200 thruster ahead, N", 5.1 * KGF, RunThruster(context, 1.0),
                 2e-3, "published, 16 V");
    hwCase_Check(context, HW_MADE_REALTIME, "T200 thruster in reverse, N", -4.1 * KGF,
                 RunThruster(context, -1.0), 2e-3, "published, 16 V");
    hwCase_Check(context, HW_MADE_REALTIME, "BlueROV2 ahead, N", 14.0 * KGF,
                 RunPull(context, TieUp, "rov.pilot.surge", 1.0, ahead), 0.08,
                 "published until 2019 in whole kgf; two thrusters of four run in reverse");
    hwCase_Check(context, HW_MADE_REALTIME, "BlueROV2 sideways, N", 14.0 * KGF,
                 RunPull(context, TieUp, "rov.pilot.sway", 1.0, starboard), 0.08, "likewise");
    double vertical = 0.5 * (RunPull(context, TieUp, "rov.pilot.heave", 1.0, up) +
                             RunPull(context, TieUp, "rov.pilot.heave", -1.0, down));
    hwCase_Check(context, HW_MADE_REALTIME, "BlueROV2 vertical, N", 9.0 * KGF, vertical, 0.05,
                 "published until 2019; mean of 8.2 kgf up and 10.2 down");
    hwCase_Check(context, HW_MADE_REALTIME, "BlueROV2 at 12 V, ahead, N", 9.0 * KGF,
                 RunPull(context, TieUpAt12Volts, "rov.pilot.surge", 1.0, ahead), 0.05,
                 "published since 2019 in whole kgf");
    hwCase_Check(context, HW_MADE_REALTIME, "BlueROV2 at 12 V, sideways, N", 9.0 * KGF,
                 RunPull(context, TieUpAt12Volts, "rov.pilot.sway", 1.0, starboard), 0.05,
                 "published since 2019");
    hwCase_Check(context, HW_MADE_REALTIME, "BlueROV2 at 12 V, down, N", 7.0 * KGF,
                 RunPull(context, TieUpAt12Volts, "rov.pilot.heave", -1.0, down), 0.05,
                 "published since 2019 as vertical");
}

// Step responses -------------------------------------------------------------------------------------------------------

// Fossen's equations have no lifting surfaces.
static void DropLift(hwVehicleDef* def) {
    def->body.hydro.liftCount = 0;
}

typedef struct StepCase {
    const char* name;
    double axes[4];
    hwVec3 current; // world
    double duration;
} StepCase;

static const char* const g_axisInputs[4] = {"rov.pilot.surge", "rov.pilot.sway", "rov.pilot.heave",
                                            "rov.pilot.yaw"};

static void RunStep(hwCaseContext* context, const StepCase* c, bool reference, double out[6]) {
    Flight flight;
    hwSignalTerm current = hwConstantTerm(c->current);
    Begin(&flight, context, reference, "bluerov2_heavy", HW_MODE_MANUAL, &current, reference ? 1e-11 : 1e-6,
          DropLift);
    for (int i = 0; i < 4; ++i) Set(&flight, g_axisInputs[i], c->axes[i]);
    hwCaseRun_Advance(&flight.run, c->duration);
    hwBodyState s = hwCaseRun_ReadBody(&flight.run, hwVehicle_GetBody(flight.run.world, flight.vehicle));
    hwVec3 rpy = hwRpyFromQuat(s.attitude);
    const double values[6] = {s.position.x, s.position.y, s.position.z + 50.0, rpy.x, rpy.y, rpy.z};
    memcpy(out, values, sizeof(values));
    End(&flight);
}

static void RunFossen(hwCaseContext* context, const StepCase* c, double out[6]) {
    Flight flight;
    Begin(&flight, context, true, "bluerov2_heavy", HW_MODE_MANUAL, NULL, 0.0, DropLift);
    if (!flight.run.failed) {
        hwFossen fossen = {.def = &flight.def,
                           .gravity = 9.81,
                           .density = hwDefaultEnvironmentDef().waterDensity,
                           .current = {c->current.x, -c->current.y, -c->current.z}};
        const int axisOf[4] = {0, 1, 2, 5};
        const double sign[4] = {1.0, -1.0, 1.0, -1.0};
        double wrench[6] = {0.0};
        for (int i = 0; i < 4; ++i) {
            double wanted = sign[i] * c->axes[i];
            wrench[axisOf[i]] =
                wanted * hwVehicle_GetAuthority(flight.run.world, flight.vehicle, axisOf[i], wanted >= 0.0);
        }
        hwFossen_Allocate(&fossen, wrench);
        hwFossen_Run(&fossen, c->duration, 20000);
        const double* y = fossen.state;
        const double values[6] = {y[0], -y[1], -y[2],
                                  y[3], -y[4], hwRpyFromQuat(hwQuatFromRpy(0, 0, -y[5])).z};
        memcpy(out, values, sizeof(values));
    }
    End(&flight);
}

static void StepResponses(hwCaseContext* context) {
    const StepCase cases[] = {
        {"surge step", {0.2, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 4.0},
        {"surge, heave and yaw", {0.15, 0.0, -0.2, 0.2}, {0.0, 0.0, 0.0}, 5.0},
        {"all axes in a current", {0.2, -0.1, 0.15, 0.15}, {0.1, 0.25, 0.0}, 5.0},
    };
    static const char* const names[6] = {"north, m",  "west, m",    "up, m",
                                         "roll, rad", "pitch, rad", "yaw, rad"};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        double exact[6] = {0}, a[6] = {0}, b[6] = {0};
        RunFossen(context, &cases[i], exact);
        RunStep(context, &cases[i], true, a);
        RunStep(context, &cases[i], false, b);
        for (int k = 0; k < 6; ++k) {
            char quantity[96];
            if (fabs(exact[k]) < 1e-9) continue; // by symmetry nothing happens there
            snprintf(quantity, sizeof(quantity), "%s: %s", cases[i].name, names[k]);
            hwCase_Compare(context, quantity, exact[k], HW_NO_SEED, a[k], b[k], 1e-6, 2e-3,
                           k == 0 ? "exact: Fossen's equations with Euler angles by Runge-Kutta, 20,000 steps"
                                  : NULL);
        }
    }
}

// Allocation -----------------------------------------------------------------------------------------------------------

// Heavy, so that it stays where it is, and thrusters without lag: forces at once.
static void MakeStill(hwVehicleDef* def) {
    static hwThrusterDef thrusters[HW_MAX_THRUSTERS];
    memcpy(thrusters, def->thrusters, (size_t)def->thrusterCount * sizeof(hwThrusterDef));
    for (int i = 0; i < def->thrusterCount; ++i) {
        thrusters[i].timeConstant = 0.0;
        thrusters[i].advance = (double)INFINITY;
    }
    def->thrusters = thrusters;
}

// Two directions of thruster forces that cancel out: all four horizontals against one another, and the verticals likewise.
static bool FindNullSpace(const hwVehicleDef* def, double basis[2][8]) {
    double columns[8][6];
    for (int i = 0; i < 8; ++i) {
        const hwThrusterDef* t = &def->thrusters[i];
        hwVec3 moment = hwCross(t->position, t->axis);
        const double column[6] = {t->axis.x, t->axis.y, t->axis.z, moment.x, moment.y, moment.z};
        memcpy(columns[i], column, sizeof(column));
    }
    const double patterns[2][8] = {{1, 1, 1, 1, 0, 0, 0, 0}, {0, 0, 0, 0, 1, -1, -1, 1}};
    memcpy(basis, patterns, sizeof(patterns));
    for (int d = 0; d < 2; ++d) {
        for (int k = 0; k < 6; ++k) {
            double sum = 0.0;
            for (int i = 0; i < 8; ++i) sum += patterns[d][i] * columns[i][k];
            if (fabs(sum) > 1e-12) return false;
        }
    }
    return true;
}

// Least effort and largest share on a grid: forces share * given / givenShare + y1 n1 + y2 n2 within the limits.
static void SearchGrid(const hwVehicleDef* def, double basis[2][8], const double* forces, double* effort,
                       double* factor) {
    enum { STEPS = 400 };
    const double step = 0.25; // N
    *effort = (double)INFINITY;
    *factor = 0.0;
    for (int i = -STEPS; i <= STEPS; ++i) {
        for (int j = -STEPS; j <= STEPS; ++j) {
            double sum = 0.0, most = (double)INFINITY;
            bool inside = true;
            for (int k = 0; k < 8; ++k) {
                double shift = step * (i * basis[0][k] + j * basis[1][k]);
                double f = forces[k] + shift;
                inside =
                    inside && f <= def->thrusters[k].forward + 1e-9 && f >= -def->thrusters[k].reverse - 1e-9;
                sum += f * f;
                double room =
                    forces[k] > 0.0 ? def->thrusters[k].forward - shift : -def->thrusters[k].reverse - shift;
                if (fabs(forces[k]) > 1e-9) most = fmin(most, room / forces[k]);
            }
            if (inside) *effort = fmin(*effort, sum);
            *factor = fmax(*factor, most);
        }
    }
}

static void Allocation(hwCaseContext* context) {
    const struct {
        const char* name;
        double axes[4];
    } demands[] = {{"within limits", {0.3, 0.2, 0.1, -0.2}},
                   {"at the limits", {1.0, 0.0, 0.0, 1.0}},
                   {"beyond them", {1.0, -1.0, 0.0, 0.5}}};
    for (size_t d = 0; d < sizeof(demands) / sizeof(demands[0]); ++d) {
        Flight flight;
        Begin(&flight, context, false, "bluerov2_heavy", HW_MODE_MANUAL, NULL, 0.0, MakeStill);
        for (int i = 0; i < 4; ++i) Set(&flight, g_axisInputs[i], demands[d].axes[i]);
        hwVehicleState s;
        double basis[2][8], forces[8], effort = 0.0, least = 0.0, factor = 0.0;
        if (!flight.run.failed &&
            hwVehicle_GetState(flight.run.world, flight.vehicle, &s, &flight.run.error) == HW_OK &&
            FindNullSpace(&flight.def, basis)) {
            for (int i = 0; i < 8; ++i) {
                forces[i] = s.thrusters[i].force;
                effort += forces[i] * forces[i];
            }
            SearchGrid(&flight.def, basis, forces, &least, &factor);
            char quantity[96];
            snprintf(quantity, sizeof(quantity), "%s: effort over the least found on a grid",
                     demands[d].name);
            hwCase_Check(context, HW_MADE_DIRECT, quantity, 1.0, effort / least, 1e-6,
                         d == 0 ? "sum of squares, 641,601 points 0.25 N apart" : NULL);
            snprintf(quantity, sizeof(quantity), "%s: growth of the demand that is left", demands[d].name);
            if (s.saturated) {
                hwCase_Check(context, HW_MADE_DIRECT, quantity, 1.0, factor, 1e-5,
                             "no point of the grid gives more in the same direction");
            }
        }
        End(&flight);
    }
}

// Station --------------------------------------------------------------------------------------------------------------

// The current rises slowly while the pilot pushes against it with all there is: station is lost when the vehicle's own
// drag in the current exceeds its thrust.
static double FindLostCurrent(hwCaseContext* context, bool reference, double* exact) {
    Flight flight;
    const double most = 1.2, duration = 600.0;
    const double times[2] = {0.0, duration};
    const hwVec3 values[2] = {{0.0, 0.0, 0.0}, {-most, 0.0, 0.0}};
    hwSignalTerm rise = hwDefaultSignalTerm();
    rise.kind = HW_SIGNAL_TABLE;
    rise.count = 2;
    rise.times = times;
    rise.values = values;
    Begin(&flight, context, reference, "bluerov2_heavy", HW_MODE_HOLD, &rise, 0.0, NULL);
    Set(&flight, "rov.pilot.surge", 1.0);
    double lost = (double)NAN, before = 1.0, step = 2.0;
    for (double t = step; t <= duration && isnan(lost) && !flight.run.failed; t += step) {
        hwCaseRun_Advance(&flight.run, step);
        double speed = hwCaseRun_Read(&flight.run, "rov.velocity.x");
        if (t > 60.0 && speed < 0.0) lost = most / duration * (t - step * -speed / (before - speed));
        before = speed;
    }
    if (!flight.run.failed) {
        const hwHydroDef* hydro = &flight.def.body.hydro;
        double loss, pull = GetPull(&flight.def, hwMakeVec3(1.0, 0.0, 0.0), &loss);
        *exact = SolveSpeed(pull, loss, hydro->linearDrag[0], hydro->quadraticDrag[0]);
    }
    End(&flight);
    return lost;
}

static void StationKeeping(hwCaseContext* context) {
    double exact = (double)NAN;
    double reference = FindLostCurrent(context, true, &exact);
    double realtime = FindLostCurrent(context, false, &exact);
    // the slow rise needs 13.5 kg * 0.002 m/s2, 2e-4 of the thrust
    hwCase_Compare(context, "current at which station is lost, m/s", exact, HW_NO_SEED, reference, realtime,
                   2e-3, 2e-3, "exact: thrust covers the vehicle's own drag");
}

// A current of 0.5 m/s that comes up within five seconds, first on the beam, then turns onto the bow; the autopilot holds the place.
static void HoldStation(hwCaseContext* context, const char* model, bool reference, double* worst,
                        double* thrust, double* drag) {
    Flight flight;
    const double times[4] = {0.0, 5.0, 60.0, 70.0};
    const hwVec3 values[4] = {{0.0, 0.0, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.5, 0.0}, {-0.5, 0.0, 0.0}};
    hwSignalTerm turning = hwDefaultSignalTerm();
    turning.kind = HW_SIGNAL_TABLE;
    turning.count = 4;
    turning.times = times;
    turning.values = values;
    Begin(&flight, context, reference, model, HW_MODE_STATION, &turning, 0.0, NULL);
    *worst = 0.0;
    for (int i = 0; i < 1200 && !flight.run.failed; ++i) {
        hwCaseRun_Advance(&flight.run, 0.1);
        double away = hypot(hwCaseRun_Read(&flight.run, "rov.position.x"),
                            hwCaseRun_Read(&flight.run, "rov.position.y"));
        *worst = fmax(*worst, away);
    }
    *thrust = 0.0;
    for (int i = 0; i < 4 && !flight.run.failed; ++i) {
        char channel[40];
        snprintf(channel, sizeof(channel), "rov.thruster[%d].force", i);
        *thrust += hwNormalize(flight.def.thrusters[i].axis).x * hwCaseRun_Read(&flight.run, channel);
    }
    const hwHydroDef* hydro = &flight.def.body.hydro;
    if (!flight.run.failed) *drag = 0.5 * hydro->linearDrag[0] + 0.25 * hydro->quadraticDrag[0];
    End(&flight);
}

static void StationHold(hwCaseContext* context) {
    static const char* const models[2] = {"bluerov2_heavy", "bluerov2"};
    for (int i = 0; i < 2; ++i) {
        double worst[2] = {(double)NAN, (double)NAN}, thrust[2] = {(double)NAN, (double)NAN},
               drag = (double)NAN;
        for (int reference = 0; reference < 2; ++reference)
            HoldStation(context, models[i], reference == 1, &worst[reference], &thrust[reference], &drag);
        char quantity[96];
        snprintf(quantity, sizeof(quantity), "%s: farthest from its place, m", models[i]);
        hwCase_Compare(context, quantity, 0.0, HW_NO_SEED, worst[1], worst[0], 0.2, 0.2,
                       "0.5 m/s within 5 s on the beam, then turning onto the bow");
        snprintf(quantity, sizeof(quantity), "%s: thrust that holds it at last, N", models[i]);
        hwCase_Compare(context, quantity, drag, HW_NO_SEED, thrust[1], thrust[0], 2e-3, 2e-3,
                       "exact: drag of the hull at 0.5 m/s");
    }
}

const hwCase hwVehicleCases[] = {
    {"vehicles/terminal-speed", "von Benzon et al. (2022); Wang (2006); manufacturers' top speeds",
     "Full thrust against drag in still water.", TerminalSpeeds},
    {"vehicles/bollard-pull",
     "Blue Robotics: specifications of the BlueROV2 of 2016 and 2019, its drawing, and of the T200 thruster "
     "at 16 and 12 V",
     "Sticks pushed to their ends, the vehicle tied up.", BollardPulls},
    {"vehicles/step-response",
     "Fossen (2011), equations 6.1, 8.11, 4.6; Fabekovic et al. (2006), equations 7 to 9",
     "Sticks pushed suddenly, against an independent integration of Fossen's equations.", StepResponses},
    {"vehicles/allocation", "Durham (1993); Harkegard (2002)",
     "Forces of eight thrusters against a search on a grid.", Allocation},
    {"vehicles/station-keeping", "von Benzon et al. (2022)",
     "A current that rises until the vehicle cannot hold against it.", StationKeeping},
    {"vehicles/station-hold", "von Benzon et al. (2022)",
     "The autopilot holds its place in a current of 0.5 m/s.", StationHold},
    {NULL, NULL, NULL, NULL},
};
