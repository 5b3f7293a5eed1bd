// Motion that is given from outside: by signals, by hand, and as the response of a ship to the waves.
//
// A ship's motion in a sea of harmonics a_j cos(theta_j), theta_j = k_j . x - omega_j t + phase_j at its mean place x, is
// the sum of a_j |R| cos(theta_j - arg R) in each of its six freedoms, with R its response operator for the harmonic's
// period and its direction relative to the bow. A mean place that moves changes theta_j by itself: the frequency of
// encounter needs no formula.
#include "parts/ships/ships.h"

#include "math/attitude.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

#define FREEDOMS 6 // surge, sway, heave, roll, pitch, yaw

// What a harmonic does to a ship.
typedef struct hwShipHarmonic {
    double kx, ky, omega, phase;
    double real[FREEDOMS], imaginary[FREEDOMS]; // amplitude times R
} hwShipHarmonic;

// Response operators -----------------------------------------------------------------------------------------------------

// Index of the interval of `count` increasing values that holds x, and where in it; clamped to the ends.
static int Locate(int count, const double* values, double x, double* fraction) {
    *fraction = 0.0;
    if (count == 1 || x <= values[0]) return 0;
    int i = 0;
    while (i + 2 < count && x > values[i + 1]) i += 1;
    *fraction = hwFmin(1.0, (x - values[i]) / (values[i + 1] - values[i]));
    return i;
}

// R for a heading in 0..pi and a period: linear between the table's complex values.
static void ReadOperator(const hwRaoDef* rao, double heading, double period, double real[FREEDOMS],
                         double imaginary[FREEDOMS]) {
    double h, p;
    int i = Locate(rao->headingCount, rao->headings, heading, &h);
    int j = Locate(rao->periodCount, rao->periods, period, &p);
    memset(real, 0, FREEDOMS * sizeof(double));
    memset(imaginary, 0, FREEDOMS * sizeof(double));
    for (int corner = 0; corner < 4; ++corner) {
        int di = corner / 2, dj = corner % 2;
        double weight = (di ? h : 1.0 - h) * (dj ? p : 1.0 - p);
        if (weight == 0.0) continue;
        const double* row = rao->rows + 2 * FREEDOMS * ((i + di) * rao->periodCount + j + dj);
        for (int k = 0; k < FREEDOMS; ++k) {
            real[k] += weight * row[2 * k] * hwCos(row[2 * k + 1]);
            imaginary[k] += weight * row[2 * k] * hwSin(row[2 * k + 1]);
        }
    }
}

// Mean of cos over -x..x, and of the slope of sin, weighted with the distance from the middle: both 1 for long waves.
static double MeanLevel(double x) {
    return fabs(x) < 1e-3 ? 1.0 - x * x / 6.0 : hwSin(x) / x;
}

static double MeanSlope(double x) {
    return fabs(x) < 1e-2 ? 1.0 - x * x / 10.0 : 3.0 * (hwSin(x) - x * hwCos(x)) / (x * x * x);
}

// Complex numbers by hand: the C library's division differs from platform to platform.
typedef struct Complex {
    double real, imaginary;
} Complex;

static Complex ScaleComplex(double s, Complex z) {
    return (Complex){s * z.real, s * z.imaginary};
}

static Complex DivideComplex(Complex a, Complex b) {
    double square = b.real * b.real + b.imaginary * b.imaginary;
    return (Complex){(a.real * b.real + a.imaginary * b.imaginary) / square,
                     (a.imaginary * b.real - a.real * b.imaginary) / square};
}

static Complex TimesI(Complex z) {
    return (Complex){-z.imaginary, z.real};
}

// R of a floating box of length L, beam B, draught T, by strips (Jensen, Mansour and Olsen 2004, Ocean Engineering 31, at
// rest): a strip's added mass is its own mass, its damping that of the waves it makes, A = 2 exp(-nu T) sin(nu B / 2) high
// for a heave of 1, nu = omega^2 / g. Against the water, whose motion has decayed by exp(-k T) at the bottom,
//     heave (1 - 2 nu T + i d) = (1 - nu T + i d) exp(-k T), d = A^2 / (nu B);
// averaged over length and beam, pitch likewise with the slope. The box surges, sways and yaws with the water, averaged
// over the draught too. Roll: 1 - s^2 + 2 i zeta s, s = omega over its natural frequency, against the slope.
static void ComputeOperator(const hwFloatingBoxDef* box, double gravity, double heading,
                            const hwWaveComponent* wave, double real[FREEDOMS], double imaginary[FREEDOMS]) {
    const double L = box->length, B = box->beam, T = box->draught, k = wave->k;
    double cosine = hwCos(heading), sine = hwSin(heading);
    double along = k * cosine, across = k * sine, nu = wave->omega * wave->omega / gravity;
    double level = MeanLevel(0.5 * along * L), levelAcross = MeanLevel(0.5 * across * B);
    double slope = MeanSlope(0.5 * along * L), slopeAcross = MeanSlope(0.5 * across * B);
    double made = 2.0 * hwExp(-nu * T) * hwSin(0.5 * nu * B), s = 0.5 * wave->omega * box->rollPeriod / HW_PI;
    double damping = made * made / (nu * B), bottom = hwExp(-k * T);
    Complex strip = DivideComplex((Complex){bottom * (1.0 - nu * T), bottom * damping},
                                  (Complex){1.0 - 2.0 * nu * T, damping});
    Complex roll = DivideComplex((Complex){bottom, 0.0}, (Complex){1.0 - s * s, 2.0 * box->rollDamping * s});
    // displacement of the water along the wave is -i k / nu at the surface
    Complex drift = {0.0, k / nu * hwExpm1(-k * T) / (k * T)};
    double turn = (L * L * slope * levelAcross - B * B * level * slopeAcross) / (L * L + B * B);
    const Complex answers[FREEDOMS] = {ScaleComplex(cosine * level * levelAcross, drift),
                                       ScaleComplex(sine * level * levelAcross, drift),
                                       ScaleComplex(level * levelAcross, strip),
                                       TimesI(ScaleComplex(-across * level * slopeAcross, roll)),
                                       TimesI(ScaleComplex(along * slope * levelAcross, strip)),
                                       TimesI(ScaleComplex(-along * sine * turn, drift))};
    for (int i = 0; i < FREEDOMS; ++i) {
        real[i] = answers[i].real;
        imaginary[i] = answers[i].imaginary;
    }
}

static bool IsShip(const hwBodyDef* def) {
    return def->motion == HW_MOTION_PRESCRIBED && (def->rao.headingCount > 0 || def->box.length > 0.0);
}

static hwShipHarmonic MakeHarmonic(const hwBodyDef* def, double gravity, double bow,
                                   const hwWaveComponent* wave) {
    hwShipHarmonic harmonic = {.kx = wave->k * hwCos(wave->direction),
                               .ky = wave->k * hwSin(wave->direction),
                               .omega = wave->omega,
                               .phase = wave->phase};
    double heading = remainder(wave->direction - bow, 2.0 * HW_PI);
    if (def->rao.headingCount > 0) {
        ReadOperator(&def->rao, fabs(heading), 2.0 * HW_PI / wave->omega, harmonic.real, harmonic.imaginary);
    } else {
        ComputeOperator(&def->box, gravity, fabs(heading), wave, harmonic.real, harmonic.imaginary);
    }
    for (int k = 0; k < FREEDOMS; ++k) {
        // waves to the other side: sway, roll and yaw change sign
        double size = heading < 0.0 && k % 2 == 1 ? -wave->amplitude : wave->amplitude;
        harmonic.real[k] *= size;
        harmonic.imaginary[k] *= size;
    }
    return harmonic;
}

static int CountShips(const hwWorld* world) {
    int count = 0;
    for (int i = 0; i < world->bodies.slots; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        count += body != NULL && IsShip(&body->def);
    }
    return count;
}

static void LayShips(const hwWorld* world, hwArena* arena, hwModel* model) {
    model->ships->waveCount = hwEnvironment_GetWaves(world->environment, 0, NULL);
    model->ships->count = CountShips(world);
    model->ships->items = HW_TAKE(arena, hwShipModel, model->ships->count);
    model->ships->harmonics = HW_TAKE(arena, hwShipHarmonic, model->ships->count * model->ships->waveCount);
    model->ships->waves =
        HW_TAKE(arena, hwWaveComponent, model->ships->count > 0 ? model->ships->waveCount : 0);
}

static void FillShips(const hwWorld* world, hwModel* model) {
    if (model->ships->count == 0) return;
    hwEnvironment_GetWaves(world->environment, model->ships->waveCount, model->ships->waves);
    double gravity = hwWorld_GetEnvironment(world)->gravity;
    int next = 0;
    for (int i = 0; i < model->forest.linkCount; ++i) {
        const hwBodyDef* def = &model->links[i].body->def;
        if (!IsShip(def)) continue;
        hwShipHarmonic* harmonics = model->ships->harmonics + next * model->ships->waveCount;
        model->ships->items[next++] = (hwShipModel){i, harmonics};
        hwVec3 bow = hwRotate(def->attitude, hwMakeVec3(1.0, 0.0, 0.0));
        for (int k = 0; k < model->ships->waveCount; ++k) {
            harmonics[k] = MakeHarmonic(def, gravity, hwAtan2(bow.y, bow.x), &model->ships->waves[k]);
        }
    }
}

// Adds the response to a mean motion that does not turn.
static void AddResponse(const hwEnvironment* environment, const hwModel* model, const hwShipModel* ship,
                        double time, hwBodyState* state) {
    double x[FREEDOMS] = {0}, v[FREEDOMS] = {0}, a[FREEDOMS] = {0};
    for (int j = 0; j < model->ships->waveCount; ++j) {
        const hwShipHarmonic* h = &ship->harmonics[j];
        double theta = h->kx * state->position.x + h->ky * state->position.y - h->omega * time + h->phase;
        double rate = h->kx * state->velocity.x + h->ky * state->velocity.y - h->omega;
        double change = h->kx * state->acceleration.x + h->ky * state->acceleration.y;
        double c, s;
        hwSinAndCos(theta, &s, &c);
        for (int k = 0; k < FREEDOMS; ++k) {
            // Re(R exp(-i theta)) and its derivatives
            double value = h->real[k] * c + h->imaginary[k] * s, slope = h->imaginary[k] * c - h->real[k] * s;
            x[k] += value;
            v[k] += rate * slope;
            a[k] += change * slope - rate * rate * value;
        }
    }
    hwVec3 g = hwEnvironment_GetGrowth(environment, time);
    for (int k = 0; k < FREEDOMS; ++k) {
        a[k] = g.x * a[k] + 2.0 * g.y * v[k] + g.z * x[k];
        v[k] = g.x * v[k] + g.y * x[k];
        x[k] *= g.x;
    }
    hwQuat mean = state->attitude;
    state->position = hwAdd(state->position, hwRotate(mean, hwMakeVec3(x[0], x[1], x[2])));
    state->velocity = hwAdd(state->velocity, hwRotate(mean, hwMakeVec3(v[0], v[1], v[2])));
    state->acceleration = hwAdd(state->acceleration, hwRotate(mean, hwMakeVec3(a[0], a[1], a[2])));
    hwVec3 rpy = {x[3], x[4], x[5]}, rpyRate = {v[3], v[4], v[5]}, rpyAcceleration = {a[3], a[4], a[5]};
    state->attitude = hwMulQuat(mean, hwQuatFromRpy(rpy.x, rpy.y, rpy.z));
    state->rate = hwRateFromRpy(rpy, rpyRate);
    state->rateAcceleration = hwRateAccelerationFromRpy(rpy, rpyRate, rpyAcceleration);
}

// Drives -----------------------------------------------------------------------------------------------------------------

static hwDrive MakeDrive(const hwBodyState* state) {
    hwDrive drive;
    drive.placement.R = hwMat3FromQuat(state->attitude);
    drive.placement.r = state->position;
    drive.velocity = (hwSpatial){state->velocity, hwMulMV(drive.placement.R, state->rate)};
    drive.acceleration =
        (hwSpatial){state->acceleration, hwMulMV(drive.placement.R, state->rateAcceleration)};
    return drive;
}

// A caller who drives a body by hand gives its motion now and then; in between it goes on with its acceleration.
static hwBodyState FollowManual(const hwManualMotion* manual, double time) {
    hwBodyState state = manual->state;
    double dt = time - manual->time;
    hwVec3 turn = hwMulAdd(hwScale(dt, state.rate), 0.5 * dt * dt, state.rateAcceleration);
    state.attitude = hwMulQuat(state.attitude, hwQuatFromRotationVector(turn));
    state.position =
        hwMulAdd(hwMulAdd(state.position, dt, state.velocity), 0.5 * dt * dt, state.acceleration);
    state.velocity = hwMulAdd(state.velocity, dt, state.acceleration);
    state.rate = hwMulAdd(state.rate, dt, state.rateAcceleration);
    return state;
}

static hwBodyState FollowSignals(const hwWorld* world, const hwBodyDef* def, double time) {
    hwBodyState state = {.position = def->position, .attitude = hwNormalizeQuat(def->attitude)};
    if (def->motion != HW_MOTION_PRESCRIBED) return state;
    if (hwSignal_IsPresent(&def->prescribedPosition)) {
        hwSignalValue p = hwWorld_FollowPath(world, &def->prescribedPosition, time);
        state.position = p.value;
        state.velocity = p.rate;
        state.acceleration = p.acceleration;
    }
    if (hwSignal_IsPresent(&def->prescribedAttitude)) {
        hwSignalValue rpy = hwWorld_FollowPath(world, &def->prescribedAttitude, time);
        state.attitude = hwQuatFromRpy(rpy.value.x, rpy.value.y, rpy.value.z);
        state.rate = hwRateFromRpy(rpy.value, rpy.rate);
        state.rateAcceleration = hwRateAccelerationFromRpy(rpy.value, rpy.rate, rpy.acceleration);
    }
    return state;
}

static void DriveLinks(const hwWorld* world, const hwMode* mode, double time) {
    const hwModel* model = &world->model;
    if (world->work->ships->time == time && world->work->ships->calm == mode->calm) return;
    world->work->ships->time = time;
    world->work->ships->calm = mode->calm;
    int ship = 0;
    for (int i = 0; i < model->forest.linkCount; ++i) {
        if (model->forest.links[i].joint != HW_LINK_DRIVEN) continue;
        if (world->work->ownLinks && i != world->work->links[0] && i != world->work->links[1]) continue;
        const hwManualMotion* manual = &world->state.ships->manual[i];
        hwBodyState state;
        if (manual->set != 0.0) {
            state = FollowManual(manual, time);
        } else {
            state = FollowSignals(world, &model->links[i].body->def, time);
        }
        while (ship < model->ships->count && model->ships->items[ship].link < i) ship += 1;
        bool responds =
            ship < model->ships->count && model->ships->items[ship].link == i && manual->set == 0.0;
        if (responds) AddResponse(world->environment, model, &model->ships->items[ship], time, &state);
        // statics finds the rest below where a ship is when the run begins, not below its mean place
        if (mode->calm) {
            state.velocity = state.rate = state.acceleration = state.rateAcceleration = hwVec3_zero;
        }
        world->work->drives[i] = MakeDrive(&state);
    }
}

// Checking and copying a def ---------------------------------------------------------------------------------------------

static hwStatus CheckRao(const hwRaoDef* rao, const char* name, hwError* error) {
    if (rao->headingCount == 0) return HW_OK;
    if (rao->headingCount < 0 || rao->periodCount < 1 || rao->headings == NULL || rao->periods == NULL ||
        rao->rows == NULL) {
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "rao",
                           "%s: response operators need headings, periods and rows", name);
    }
    for (int i = 0; i < rao->headingCount; ++i) {
        bool good = rao->headings[i] >= 0.0 && rao->headings[i] <= HW_PI + 1e-9;
        if (good && (i == 0 || rao->headings[i] > rao->headings[i - 1])) continue;
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "rao.headings",
                           "%s: headings of response operators must increase from 0 to pi, number %d is %g",
                           name, i, rao->headings[i]);
    }
    for (int j = 0; j < rao->periodCount; ++j) {
        bool good = rao->periods[j] > 0.0 && isfinite(rao->periods[j]);
        if (good && (j == 0 || rao->periods[j] > rao->periods[j - 1])) continue;
        return hwFailField(
            error, HW_ERROR_ARGUMENT, name, "rao.periods",
            "%s: periods of response operators must be positive and increase, number %d is %g s", name, j,
            rao->periods[j]);
    }
    for (int i = 0; i < 2 * FREEDOMS * rao->headingCount * rao->periodCount; ++i) {
        if (isfinite(rao->rows[i])) continue;
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "rao.rows",
                           "%s: a response operator is not finite", name);
    }
    return HW_OK;
}

static hwStatus CheckBox(const hwFloatingBoxDef* box, const char* name, hwError* error) {
    const struct {
        const char *field, *what;
        double value;
    } sizes[] = {{"box.length", "length", box->length},
                 {"box.beam", "beam", box->beam},
                 {"box.draught", "draught", box->draught},
                 {"box.rollPeriod", "roll period", box->rollPeriod},
                 {"box.rollDamping", "roll damping", box->rollDamping}};
    for (int i = 0; i < 5; ++i) {
        if (sizes[i].value > 0.0 && isfinite(sizes[i].value)) continue;
        return hwFailField(error, HW_ERROR_ARGUMENT, name, sizes[i].field,
                           "%s: the %s of a floating box must be positive, it is %g", name, sizes[i].what,
                           sizes[i].value);
    }
    return HW_OK;
}

hwStatus hwCheckResponse(const hwBodyDef* def, hwError* error) {
    const hwFloatingBoxDef* box = &def->box;
    bool floats = box->length != 0.0;
    hwStatus status = CheckRao(&def->rao, def->name, error);
    if (status == HW_OK && floats) status = CheckBox(box, def->name, error);
    if (status != HW_OK || (def->rao.headingCount == 0 && !floats)) return status;
    if (def->rao.headingCount > 0 && floats) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "box",
                           "%s: a ship has response operators or answers like a floating box, not both",
                           def->name);
    }
    if (hwSignal_IsPresent(&def->prescribedAttitude)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "prescribedAttitude",
                           "%s: a ship that answers the waves keeps its mean attitude, no signal can turn it",
                           def->name);
    }
    return HW_OK;
}

static const double* CopyNumbers(hwArena* arena, const double* from, int count) {
    double* to = HW_TAKE(arena, double, count);
    if (to != NULL && count > 0) memcpy(to, from, (size_t)count * sizeof(double));
    return to;
}

hwRaoDef hwCopyRao(hwArena* arena, const hwRaoDef* rao) {
    hwRaoDef copy = *rao;
    copy.headings = CopyNumbers(arena, rao->headings, rao->headingCount);
    copy.periods = CopyNumbers(arena, rao->periods, rao->headingCount > 0 ? rao->periodCount : 0);
    copy.rows = CopyNumbers(arena, rao->rows, 2 * FREEDOMS * rao->headingCount * rao->periodCount);
    return copy;
}

void hwWorld_SetManualMotion(hwWorld* world, int link, const hwBodyState* state) {
    hwManualMotion* manual = &world->state.ships->manual[link];
    manual->set = 1.0;
    manual->time = hwWorld_GetTime(world);
    manual->state = *state;
}

// The part -------------------------------------------------------------------------------------------------------------------

static void LayShipsState(const hwModel* model, hwArena* arena, hwState* state) {
    state->ships->manual = HW_TAKE(arena, hwManualMotion, model->forest.linkCount);
}

static void LayShipsWork(const hwModel* model, hwArena* arena, hwWork* work) {
    (void)model;
    (void)arena;
    work->ships->time = (double)NAN;
}

static void CarryShips(const hwWorld* before, hwModel* model, hwState* state) {
    for (int i = 0; i < model->forest.linkCount; ++i) {
        int old = model->links[i].body->link;
        if (before->model.block != NULL && old >= 0)
            state->ships->manual[i] = before->state.ships->manual[old];
    }
}

static void ForgetDrives(hwWorld* world) {
    world->work->ships->time = (double)NAN;
}

// Each cable apart would sum up the answer to all waves by itself.
static bool HasAnswers(const hwModel* model) {
    return model->ships->count > 0 && model->ships->waveCount > 0;
}

const hwPart hwShipsPart = {.name = "ships",
                            .stepsWhole = HasAnswers,
                            .ofIslands = true,
                            .model = HW_SLICE(hwModel, ships),
                            .state = HW_SLICE(hwState, ships),
                            .work = HW_SLICE(hwWork, ships),
                            .layModel = LayShips,
                            .fillModel = FillShips,
                            .layState = LayShipsState,
                            .layWork = LayShipsWork,
                            .carry = CarryShips,
                            .stateChanged = ForgetDrives,
                            .drive = DriveLinks};
