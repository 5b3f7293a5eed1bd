// Motion that is given from outside: by signals, by hand, and as the response of a ship to the waves, see
// src/hydro/ship_response.h.
#include "parts/ships/ships.h"

#include "hydro/ship_response.h"
#include "math/attitude.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

static bool IsShip(const hwBodyDef* def) {
    return def->motion == HW_MOTION_PRESCRIBED && (def->rao.headingCount > 0 || def->box.length > 0.0);
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

// Beyond the periods and headings of a table its operators stay as at its edge. That is said where it makes up more than a
// share of the variance of the ship's displacements, or of its rotations.
#define LARGEST_SHARE_BEYOND 0.05

static void WarnBeyondTable(const hwWorld* world, const hwBodyDef* def, double course, int count,
                            const hwWaveComponent* waves, const hwShipHarmonic* harmonics) {
    const hwRaoDef* rao = &def->rao;
    double shortest = rao->periods[0], longest = rao->periods[rao->periodCount - 1];
    double first = rao->headings[0], last = rao->headings[rao->headingCount - 1];
    double whole[2] = {0.0, 0.0}, byPeriod[2] = {0.0, 0.0}, byHeading[2] = {0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        double period = 2.0 * HW_PI / waves[i].omega;
        double heading = fabs(remainder(waves[i].direction - course, 2.0 * HW_PI));
        bool otherPeriod = period < shortest * (1.0 - 1e-9) || period > longest * (1.0 + 1e-9);
        bool otherHeading = heading < first - 1e-6 || heading > last + 1e-6;
        for (int k = 0; k < HW_SHIP_FREEDOMS; ++k) {
            double re = harmonics[i].real[k], im = harmonics[i].imaginary[k], square = re * re + im * im;
            whole[k / 3] += square;
            byPeriod[k / 3] += otherPeriod ? square : 0.0;
            byHeading[k / 3] += otherHeading ? square : 0.0;
        }
    }
    double share[2] = {0.0, 0.0};
    for (int k = 0; k < 2; ++k) {
        if (!(whole[k] > 0.0)) continue;
        share[0] = hwFmax(share[0], byPeriod[k] / whole[k]);
        share[1] = hwFmax(share[1], byHeading[k] / whole[k]);
    }
    if (share[0] > LARGEST_SHARE_BEYOND)
        hwWorld_Log(world, HW_LOG_WARNING,
                    "%s: its response operators are for periods from %g to %g s; %.0f %% of the variance of "
                    "its motion comes from waves outside these, with the operators of the nearest period",
                    def->name, shortest, longest, 100.0 * share[0]);
    if (share[1] > LARGEST_SHARE_BEYOND)
        hwWorld_Log(world, HW_LOG_WARNING,
                    "%s: its response operators are for headings from %g to %g degrees; %.0f %% of the "
                    "variance of its motion comes from waves outside these, with the operators of the "
                    "nearest heading",
                    def->name, first / HW_DEGREE, last / HW_DEGREE, 100.0 * share[1]);
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
            harmonics[k] = hwShipHarmonic_Make(&def->rao, &def->box, gravity, hwAtan2(bow.y, bow.x),
                                               &model->ships->waves[k]);
        }
        if (def->rao.headingCount > 0)
            WarnBeyondTable(world, def, hwAtan2(bow.y, bow.x), model->ships->waveCount, model->ships->waves,
                            harmonics);
    }
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
        if (responds) {
            hwVec3 growth = hwEnvironment_GetGrowth(world->environment, time);
            hwShip_AddResponse(model->ships->waveCount, model->ships->items[ship].harmonics, growth, time,
                               &state);
        }
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
    for (int i = 0; i < 2 * HW_SHIP_FREEDOMS * rao->headingCount * rao->periodCount; ++i) {
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
    copy.rows = CopyNumbers(arena, rao->rows, 2 * HW_SHIP_FREEDOMS * rao->headingCount * rao->periodCount);
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
                            .rests = true,
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
