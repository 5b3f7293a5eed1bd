// Debriefs: what a recording shows of a flight, its tether above all.
#define _POSIX_C_SOURCE 200809L
#include "debrief_internal.h"
#include "flight_internal.h"

#include "hawser/body.h"
#include "hawser/cable.h"
#include "hawser/elementary.h"
#include "hawser/entanglement.h"
#include "hawser/results.h"
#include "hawser/tether.h"
#include "hawser/vehicle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PICTURE_TIME 30.0  // s between pictures of the tether (TRAINER: one every half minute)
#define MOST_PICTURES 120  // of a long flight: one an interval so large that these suffice
#define CONTACT_ANGLE 0.1  // rad of wrap: the tether lies on something
#define HANDLING_RATE 0.02 // m/s: the winch turns
#define HANDLING_PAUSE 1.0 // s: a shorter rest is the same stretch of work
#define MOST_CHANGES 1000  // a vehicle that hovers where a number changes makes many
#define MOST_MARKS 400     // of those kept with the flight
#define MOST_LISTED 1000   // flights of the folder that are looked at for the trend

// Columns of the recording, -1: it has none.
typedef struct Columns {
    int time, position[3], heading, speed, turns, out, tension, winchTension, wrap;
    int nodeCount, *nodes; // first of three columns each
    int thrusterCount, thrusters[32];
    int* numbers; // of each obstacle, where the recording has them
} Columns;

typedef struct Reader {
    hwDebrief* debrief;
    hwResults* results;
    hwWorld* world;
    Columns columns;
    int featureCount;
    hwTetherFeature* features;
    hwVec3* points;  // of the loops
    hwVec3* tether;  // of the present row
    int tetherCount; // finite ones among them
    hwTurnCount* counts;
    double* row;
    double nextPicture, pictureTime;
} Reader;

static hwStatus FailMemory(hwError* error) {
    return hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for the debrief");
}

// Grows a list to hold one more entry.
static bool Grow(void* list, int count, int* room, size_t size) {
    if (count < *room) return true;
    int more = *room > 0 ? 2 * *room : 32;
    void** place = list;
    void* larger = realloc(*place, (size_t)more * size);
    if (larger == NULL) return false;
    *place = larger;
    *room = more;
    return true;
}

int hwDebrief_FindRow(const hwDebrief* d, double time) {
    int low = 0, high = d->rows - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (d->curves[CURVE_TIME][middle] < time - 1e-9) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const hwGhostLine* hwDebrief_FindFarthestGhost(const hwDebrief* d) {
    int count;
    const hwGhostLine *lines = hwGhosts_GetLines(d->ghosts, &count), *farthest = count > 0 ? lines : NULL;
    for (int i = 1; i < count; ++i) {
        if (lines[i].apart > farthest->apart) farthest = &lines[i];
    }
    return farthest;
}

// What is there --------------------------------------------------------------------------------------------------------

static void CopyName(char* to, size_t size, const char* name) {
    snprintf(to, size, "%.*s", (int)(size - 1), name != NULL ? name : "");
}

// Names of vehicle, tether and winch: the lesson's, or those that the trainer gives.
static void FindNames(hwDebrief* d, const hwWorld* world) {
    if (d->lesson != NULL) {
        CopyName(d->vehicle, sizeof(d->vehicle), d->lesson->def.vehicle);
        CopyName(d->cable, sizeof(d->cable), d->lesson->def.cable);
        CopyName(d->winch, sizeof(d->winch), d->lesson->def.winch);
        return;
    }
    hwVehicleId vehicle;
    if (hwWorld_GetVehicles(world, 1, &vehicle) > 0)
        CopyName(d->vehicle, sizeof(d->vehicle), hwVehicle_GetDef(world, vehicle)->body.name);
    if (hwCable_IsValid(world, hwWorld_FindCable(world, "tether")))
        CopyName(d->cable, sizeof(d->cable), "tether");
    hwWinchId winches[8];
    int count = hwWorld_GetWinches(world, 8, winches);
    if (d->cable[0] != 0 && count > 0)
        CopyName(d->winch, sizeof(d->winch), hwWinch_GetDef(world, winches[0])->name);
}

static void AddOutline(hwDebrief* d, const hwShapeDef* shape, hwPose pose) {
    DebriefOutline* o = &d->outlines[d->outlineCount];
    memset(o, 0, sizeof(*o));
    hwPose place = hwMulPose(pose, shape->pose);
    hwVec3 half = {0.5 * shape->size.x, 0.5 * shape->size.y, 0.5 * shape->size.z}, middle = {0};
    bool round = shape->kind == HW_SHAPE_CYLINDER || shape->kind == HW_SHAPE_CAPSULE;
    if (shape->kind == HW_SHAPE_SPHERE || (round && fabs(hwRotate(place.q, hwMakeVec3(0, 0, 1)).z) > 0.9)) {
        o->radius = shape->radius;
    } else if (round) {
        half = hwMakeVec3(shape->radius, shape->radius, 0.5 * shape->length);
    } else if (shape->kind != HW_SHAPE_BOX) {
        hwVec3 low = shape->mesh.vertices[0], high = low;
        for (int i = 1; i < shape->mesh.vertexCount; ++i) {
            hwVec3 v = shape->mesh.vertices[i];
            low = hwMakeVec3(hwFmin(low.x, v.x), hwFmin(low.y, v.y), hwFmin(low.z, v.z));
            high = hwMakeVec3(hwFmax(high.x, v.x), hwFmax(high.y, v.y), hwFmax(high.z, v.z));
        }
        middle = hwScale(0.5, hwAdd(low, high));
        half = hwScale(0.5, hwSub(high, low));
    }
    o->centre = hwTransformPoint(place, middle);
    // the two longest edges as they lie in the horizontal plane
    hwVec3 axes[3] = {hwRotate(place.q, hwMakeVec3(half.x, 0, 0)),
                      hwRotate(place.q, hwMakeVec3(0, half.y, 0)),
                      hwRotate(place.q, hwMakeVec3(0, 0, half.z))};
    int least = 0;
    for (int i = 1; i < 3; ++i) {
        if (hwHypot(axes[i].x, axes[i].y) < hwHypot(axes[least].x, axes[least].y)) least = i;
    }
    hwVec3 a = axes[(least + 1) % 3], b = axes[(least + 2) % 3];
    o->corners[0] = hwAdd(o->centre, hwAdd(a, b));
    o->corners[1] = hwAdd(o->centre, hwSub(a, b));
    o->corners[2] = hwSub(o->centre, hwAdd(a, b));
    o->corners[3] = hwSub(o->centre, hwSub(a, b));
    d->outlineCount += 1;
}

// Outlines of everything that never moves.
static bool FindOutlines(hwDebrief* d, const hwWorld* world) {
    int count = hwWorld_GetBodies(world, 0, NULL), shapes = 0;
    hwBodyId* bodies = calloc((size_t)count + 1, sizeof(*bodies));
    if (bodies == NULL) return false;
    hwWorld_GetBodies(world, count, bodies);
    for (int i = 0; i < count; ++i) shapes += hwBody_GetDef(world, bodies[i])->shapeCount;
    d->outlines = calloc((size_t)shapes + 1, sizeof(*d->outlines));
    for (int i = 0; d->outlines != NULL && i < count; ++i) {
        const hwBodyDef* def = hwBody_GetDef(world, bodies[i]);
        hwBodyState state;
        if (def->motion != HW_MOTION_FIXED || hwBody_GetState(world, bodies[i], &state, NULL) != HW_OK)
            continue;
        for (int k = 0; k < def->shapeCount; ++k)
            AddOutline(d, &def->shapes[k], (hwPose){state.position, state.attitude});
    }
    free(bodies);
    return d->outlines != NULL;
}

// Radius of the upright round shape through whose middle an axis runs; 0: none.
static double FindRadius(const hwDebrief* d, hwVec3 point) {
    for (int i = 0; i < d->outlineCount; ++i) {
        const DebriefOutline* o = &d->outlines[i];
        if (o->radius > 0.0 &&
            hwHypot(o->centre.x - point.x, o->centre.y - point.y) < 0.01 * o->radius + 1e-6)
            return o->radius;
    }
    return 0.0;
}

// Axes and loops that the tether can be wound round, found by the world's own watch, where they are now.
static hwStatus FindObstacles(Reader* r, hwError* error) {
    hwDebrief* d = r->debrief;
    hwCableId cable = hwWorld_FindCable(r->world, d->cable);
    if (d->cable[0] == 0 || !hwCable_IsValid(r->world, cable)) return HW_OK;
    hwEntanglement all;
    if (hwCable_GetEntanglement(r->world, cable, &all, NULL) != HW_OK) {
        hwEntanglementDef def = hwDefaultEntanglementDef();
        def.cable = cable;
        hwStatus status = hwWorld_WatchEntanglement(r->world, &def, error);
        if (status == HW_OK) status = hwWorld_Prepare(r->world, error);
        if (status == HW_OK) status = hwCable_GetEntanglement(r->world, cable, &all, error);
        if (status != HW_OK) return status;
    }
    size_t count = (size_t)all.featureCount;
    int total = 0;
    for (int i = 0; i < all.featureCount; ++i) total += hwCable_GetWatchPoints(r->world, cable, i, 0, NULL);
    d->obstacles = calloc(count + 1, sizeof(*d->obstacles));
    r->features = calloc(count + 1, sizeof(*r->features));
    r->counts = calloc(count + 1, sizeof(*r->counts));
    r->points = calloc((size_t)total + 1, sizeof(*r->points));
    r->columns.numbers = calloc(count + 1, sizeof(*r->columns.numbers));
    if (d->obstacles == NULL || r->features == NULL || r->counts == NULL || r->points == NULL ||
        r->columns.numbers == NULL)
        return FailMemory(error);
    for (int i = 0, used = 0; i < all.featureCount; ++i) {
        hwWatchFeature found = hwCable_GetWatchFeature(r->world, cable, i);
        hwDebriefObstacle* o = &d->obstacles[i];
        hwTetherFeature* f = &r->features[i];
        hwVec3* points = r->points + used;
        int n = hwCable_GetWatchPoints(r->world, cable, i, total - used, points);
        used += n;
        CopyName(o->name, sizeof(o->name), found.name);
        o->isAxis = f->isAxis = found.isAxis;
        if (found.isAxis) {
            f->axis.point = points[0];
            f->axis.direction = hwNormalize(hwSub(points[1], points[0]));
            f->axis.from = -(double)INFINITY;
            f->axis.to = (double)INFINITY;
            o->point = points[0];
            o->up = f->axis.direction;
            o->radius = FindRadius(d, points[0]);
        } else {
            f->loop = (hwPolyline){n, points};
            for (int k = 0; k < n; ++k) o->point = hwMulAdd(o->point, 1.0 / n, points[k]);
        }
        char name[200];
        snprintf(name, sizeof(name), "%s.%s.%s.%s", d->cable, o->isAxis ? "around" : "through", o->name,
                 o->isAxis ? "winding" : "linking");
        r->columns.numbers[i] = hwResults_FindChannel(r->results, name);
    }
    d->obstacleCount = r->featureCount = all.featureCount;
    return HW_OK;
}

static int FindColumn(const Reader* r, const char* object, const char* quantity) {
    char name[200];
    snprintf(name, sizeof(name), "%s.%s", object, quantity);
    return object[0] != 0 ? hwResults_FindChannel(r->results, name) : -1;
}

static hwStatus FindColumns(Reader* r, hwError* error) {
    static const char* const places[3] = {"position.x", "position.y", "position.z"};
    Columns* c = &r->columns;
    const hwDebrief* d = r->debrief;
    c->time = hwResults_FindChannel(r->results, "world.time");
    for (int i = 0; i < 3; ++i) c->position[i] = FindColumn(r, d->vehicle, places[i]);
    c->heading = FindColumn(r, d->vehicle, "heading");
    c->speed = FindColumn(r, d->vehicle, "speed");
    c->turns = FindColumn(r, d->vehicle, "turns");
    c->tension = FindColumn(r, d->vehicle, "tether.tension");
    c->out = FindColumn(r, d->cable, "length");
    c->wrap = FindColumn(r, d->cable, "wrap");
    c->winchTension = FindColumn(r, d->winch, "tension");
    if (c->time < 0 || c->position[0] < 0 || c->position[1] < 0 || c->position[2] < 0)
        return hwLiveFail(error, HW_ERROR_FORMAT,
                          "the recording has no vehicle's place: nothing can be told of it");
    for (int i = 0; i < 32; ++i) {
        char name[48];
        snprintf(name, sizeof(name), "thruster[%d].command", i);
        c->thrusters[i] = FindColumn(r, d->vehicle, name);
        if (c->thrusters[i] < 0) break;
        c->thrusterCount = i + 1;
    }
    int channels = hwResults_GetChannelCount(r->results);
    c->nodes = calloc((size_t)channels + 1, sizeof(*c->nodes));
    r->tether = calloc((size_t)channels + 1, sizeof(*r->tether));
    r->row = calloc((size_t)channels + 1, sizeof(*r->row));
    if (c->nodes == NULL || r->tether == NULL || r->row == NULL) return FailMemory(error);
    size_t length = strlen(d->cable);
    for (int i = 0; length > 0 && i + 2 < channels; ++i) {
        const char* name = hwResults_GetChannel(r->results, i).name;
        if (strncmp(name, d->cable, length) != 0 || strncmp(name + length, ".node[", 6) != 0) continue;
        const char* end = strchr(name + length, ']');
        if (end != NULL && strcmp(end, "].position.x") == 0) c->nodes[c->nodeCount++] = i;
    }
    return HW_OK;
}

// Rows -----------------------------------------------------------------------------------------------------------------

static double Get(const Reader* r, int column) {
    return column >= 0 ? r->row[column] : (double)NAN;
}

static void ReadTether(Reader* r) {
    r->tetherCount = 0;
    for (int i = 0; i < r->columns.nodeCount; ++i) {
        const double* x = r->row + r->columns.nodes[i];
        hwVec3 point = hwMakeVec3(x[0], x[1], x[2]);
        if (hwIsFiniteVec3(point)) r->tether[r->tetherCount++] = point;
    }
}

static bool KeepPicture(const Reader* r, double time, hwVec3 vehicle, DebriefPicture* picture) {
    free(picture->points);
    picture->time = time;
    picture->vehicle = vehicle;
    picture->count = r->tetherCount;
    picture->points = calloc((size_t)r->tetherCount + 1, sizeof(*picture->points));
    if (picture->points == NULL) return false;
    if (r->tetherCount > 0)
        memcpy(picture->points, r->tether, (size_t)r->tetherCount * sizeof(*picture->points));
    return true;
}

static bool AddPicture(Reader* r, double time, hwVec3 vehicle) {
    hwDebrief* d = r->debrief;
    if (r->tetherCount < 2 || time < r->nextPicture - 1e-9) return true;
    r->nextPicture += r->pictureTime;
    if (!Grow(&d->pictures, d->pictureCount, &d->pictureRoom, sizeof(*d->pictures))) return false;
    memset(&d->pictures[d->pictureCount], 0, sizeof(*d->pictures));
    return KeepPicture(r, time, vehicle, &d->pictures[d->pictureCount++]);
}

// The numbers of all obstacles: the recorded ones where the scene watched its tether, else counted anew from the nodes, closed along
// the surface as a watch closes it unless told otherwise. Where one cannot be told, the last one stands.
static void CountNumbers(Reader* r, int index) {
    hwDebrief* d = r->debrief;
    if (r->featureCount == 0) return;
    const hwEnvironmentDef* environment = hwWorld_GetEnvironment(r->world);
    hwVec3 room[2];
    hwPolyline tether = {r->tetherCount, r->tether}, reference = {0, NULL};
    memset(r->counts, 0, (size_t)r->featureCount * sizeof(*r->counts));
    if (r->tetherCount >= 2 && r->columns.numbers[0] < 0) {
        hwVec3 a = r->tether[0], b = r->tether[r->tetherCount - 1];
        if (environment->water) {
            room[0] = hwMakeVec3(b.x, b.y, environment->surface);
            room[1] = hwMakeVec3(a.x, a.y, environment->surface);
            reference = (hwPolyline){2, room};
        }
        hwTether_CountAll(tether, reference, r->featureCount, r->features, r->counts, 0, NULL);
    }
    double wound = 0.0;
    for (int i = 0; i < r->featureCount; ++i) {
        short* numbers = d->numbers + (size_t)i * (size_t)d->rows;
        hwTurnCount count = r->counts[i];
        if (r->columns.numbers[i] >= 0) {
            double value = r->row[r->columns.numbers[i]];
            count = (hwTurnCount){isfinite(value) ? (int)value : 0, isfinite(value)};
        }
        numbers[index] = count.certain ? (short)count.count : (index > 0 ? numbers[index - 1] : (short)0);
        wound += abs(numbers[index] - numbers[0]);
    }
    d->curves[CURVE_WOUND][index] = wound;
}

static bool AddRow(Reader* r, int index) {
    hwDebrief* d = r->debrief;
    const Columns* c = &r->columns;
    ReadTether(r);
    hwVec3 vehicle = hwMakeVec3(r->row[c->position[0]], r->row[c->position[1]], r->row[c->position[2]]);
    double effort = 0.0;
    for (int i = 0; i < c->thrusterCount; ++i) effort += fabs(r->row[c->thrusters[i]]) / c->thrusterCount;
    const double values[CURVE_COUNT] = {
        [CURVE_TIME] = r->row[c->time],
        [CURVE_X] = vehicle.x,
        [CURVE_Y] = vehicle.y,
        [CURVE_Z] = vehicle.z,
        [CURVE_HEADING] = Get(r, c->heading),
        [CURVE_SPEED] = Get(r, c->speed),
        [CURVE_TURNS] = Get(r, c->turns),
        [CURVE_OUT] = Get(r, c->out),
        [CURVE_STRAIGHT] = r->tetherCount >= 2 ? hwDistance(r->tether[0], vehicle) : (double)NAN,
        [CURVE_TENSION] = Get(r, c->tension),
        [CURVE_WINCH_TENSION] = Get(r, c->winchTension),
        [CURVE_WRAP] = Get(r, c->wrap),
        [CURVE_EFFORT] = c->thrusterCount > 0 ? effort : (double)NAN};
    for (int i = 0; i < CURVE_COUNT; ++i) d->curves[i][index] = values[i];
    CountNumbers(r, index);
    if (index == 0) r->nextPicture = values[CURVE_TIME];
    return AddPicture(r, values[CURVE_TIME], vehicle);
}

static hwStatus ReadRow(Reader* r, int index, hwError* error) {
    return hwResults_ReadRows(r->results, index, 1, r->row, error);
}

static hwStatus ReadCurves(Reader* r, hwError* error) {
    hwDebrief* d = r->debrief;
    int64_t rows = hwResults_GetRowCount(r->results);
    if (rows < 2) return hwLiveFail(error, HW_ERROR_FORMAT, "the recording has fewer than two rows");
    if (rows > INT32_MAX / 4) return hwLiveFail(error, HW_ERROR_LIMIT, "the recording has too many rows");
    d->rows = (int)rows;
    for (int i = 0; i < CURVE_COUNT; ++i) {
        d->curves[i] = calloc((size_t)rows, sizeof(double));
        if (d->curves[i] == NULL) return FailMemory(error);
    }
    d->numbers = calloc((size_t)rows * (size_t)d->obstacleCount + 1, sizeof(*d->numbers));
    if (d->numbers == NULL) return FailMemory(error);
    double duration = d->info.duration / MOST_PICTURES;
    r->pictureTime = PICTURE_TIME * hwFmax(1.0, ceil(duration / PICTURE_TIME));
    for (int i = 0; i < d->rows; ++i) {
        hwStatus status = ReadRow(r, i, error);
        if (status != HW_OK) return status;
        if (!AddRow(r, i)) return FailMemory(error);
    }
    return HW_OK;
}

// What it means --------------------------------------------------------------------------------------------------------

static bool FindChanges(hwDebrief* d) {
    const double* time = d->curves[CURVE_TIME];
    for (int i = 0; i < d->obstacleCount; ++i) {
        hwDebriefObstacle* o = &d->obstacles[i];
        const short* n = d->numbers + (size_t)i * (size_t)d->rows;
        o->start = o->most = n[0];
        o->end = n[d->rows - 1];
        o->changed = o->since = (double)NAN;
        for (int k = 1; k < d->rows; ++k) {
            if (abs(n[k] - o->start) > abs(o->most - o->start)) o->most = n[k];
            if (n[k] != o->start && isnan(o->changed)) o->changed = time[k];
        }
        int last = d->rows - 1;
        while (last > 0 && n[last] == o->end) --last;
        if (o->end != o->start) o->since = time[last + 1];
    }
    for (int k = 1; k < d->rows; ++k) {
        for (int i = 0; i < d->obstacleCount && d->changeCount < MOST_CHANGES; ++i) {
            const short* n = d->numbers + (size_t)i * (size_t)d->rows;
            if (n[k] == n[k - 1]) continue;
            if (!Grow(&d->changes, d->changeCount, &d->changeRoom, sizeof(*d->changes))) return false;
            d->changes[d->changeCount++] = (hwDebriefChange){time[k], i, n[k - 1], n[k]};
        }
    }
    return true;
}

// What is nearest to the tether at a row: the body on which it lies.
static void NameContact(Reader* r, int row, char* name, size_t size) {
    CopyName(name, size, "something");
    if (ReadRow(r, row, NULL) != HW_OK) return;
    ReadTether(r);
    int count = hwWorld_GetBodies(r->world, 0, NULL);
    hwBodyId* bodies = calloc((size_t)count + 1, sizeof(*bodies));
    double nearest = (double)INFINITY;
    if (bodies != NULL) hwWorld_GetBodies(r->world, count, bodies);
    for (int i = 0; bodies != NULL && i < count; ++i) {
        const hwBodyDef* def = hwBody_GetDef(r->world, bodies[i]);
        hwBodyState state;
        if (def->motion != HW_MOTION_FIXED || def->shapeCount == 0 ||
            hwBody_GetState(r->world, bodies[i], &state, NULL) != HW_OK)
            continue;
        hwTetherSolid* solids = calloc((size_t)def->shapeCount, sizeof(*solids));
        for (int k = 0; solids != NULL && k < def->shapeCount; ++k)
            solids[k] = (hwTetherSolid){&def->shapes[k], {state.position, state.attitude}};
        hwTetherSpace* space =
            solids != NULL ? hwCreateTetherSpace(def->shapeCount, solids, NULL, NULL) : NULL;
        // the ends are where they are made fast
        for (int k = 1; space != NULL && k + 1 < r->tetherCount; ++k) {
            double distance = hwTetherSpace_GetClearance(space, r->tether[k], 1.0, NULL, NULL);
            if (!(distance < nearest)) continue;
            nearest = distance;
            CopyName(name, size, hwBody_GetName(r->world, bodies[i]));
        }
        hwDestroyTetherSpace(space);
        free(solids);
    }
    free(bodies);
}

// The first change of a number that explains the end; else the first change; else the first contact.
static int ChooseCause(const hwDebrief* d, hwDebriefCause* cause) {
    double first = (double)INFINITY;
    cause->obstacle = -1;
    for (int i = 0; i < d->obstacleCount; ++i) {
        if (!(d->obstacles[i].since < first)) continue;
        first = d->obstacles[i].since;
        cause->obstacle = i;
        cause->stayed = true;
    }
    if (cause->obstacle < 0 && d->changeCount > 0) {
        first = d->changes[0].time;
        cause->obstacle = d->changes[0].obstacle;
    }
    if (cause->obstacle >= 0) {
        int row = hwDebrief_FindRow(d, first);
        const short* n = d->numbers + (size_t)cause->obstacle * (size_t)d->rows;
        cause->from = n[row - 1];
        cause->to = n[row];
        return row;
    }
    for (int i = 0; i < d->rows; ++i) {
        if (d->curves[CURVE_WRAP][i] > CONTACT_ANGLE) return i;
    }
    return -1;
}

static const char* NameDirection(double heading) {
    static const char* const names[] = {"north", "north-east", "east", "south-east",
                                        "south", "south-west", "west", "north-west"};
    int eighth = (int)floor(heading / (0.25 * HW_PI) + 0.5);
    return names[((eighth % 8) + 8) % 8];
}

static void TellCause(const hwDebrief* d, int row, hwDebriefCause* c) {
    const hwDebriefObstacle* o = c->obstacle >= 0 ? &d->obstacles[c->obstacle] : NULL;
    int before = hwDebrief_FindRow(d, c->time - 1.0);
    double vx = d->curves[CURVE_X][row] - d->curves[CURVE_X][before];
    double vy = d->curves[CURVE_Y][row] - d->curves[CURVE_Y][before];
    const char* course = NameDirection(hwAtan2(-vy, vx)); // x is north, y west
    const char* rest = c->stayed ? "It stayed so until the end." : "It came free again later.";
    if (o == NULL) {
        snprintf(
            c->text, sizeof(c->text),
            "At %.1f s the tether came to lie on %.60s. No winding number changed during the flight: it hung "
            "against it, it was not wound round it.",
            c->time, c->body);
        snprintf(c->remedy, sizeof(c->remedy),
                 "Go back the way you came until the tether hangs free of %.60s.", c->body);
        return;
    }
    if (!o->isAxis) {
        snprintf(c->text, sizeof(c->text),
                 "At %.1f s, heading %s at a depth of %.1f m, the tether came to lead through %.60s (linking "
                 "number "
                 "%d, before %d). %s",
                 c->time, course, c->depth, c->body, c->to, c->from, rest);
        snprintf(c->remedy, sizeof(c->remedy), "Go back through %.60s the way you came.", c->body);
        return;
    }
    // counter-clockwise round a pile it is to port
    double across = (c->position.x - o->point.x) * vy - (c->position.y - o->point.y) * vx;
    snprintf(c->text, sizeof(c->text),
             "At %.1f s you passed behind %.60s as seen from the launch, going %s at a depth of %.1f m with "
             "it to %s. "
             "From then on the tether led round its other side (winding number %d, before %d). %s",
             c->time, c->body, course, c->depth, across > 0.0 ? "port" : "starboard", c->to, c->from, rest);
    bool clockwise = (c->to > c->from) == (o->up.z >= 0.0); // the other way than it was wound
    snprintf(c->remedy, sizeof(c->remedy),
             "Fly back past %.60s the way you came: round it %s seen from above, with it to %s.", c->body,
             clockwise ? "clockwise" : "counter-clockwise", clockwise ? "starboard" : "port");
}

static void FindCause(Reader* r) {
    hwDebrief* d = r->debrief;
    hwDebriefCause* c = &d->cause;
    int row = ChooseCause(d, c);
    if (row < 0) return;
    c->found = true;
    c->time = d->curves[CURVE_TIME][row];
    c->position = hwMakeVec3(d->curves[CURVE_X][row], d->curves[CURVE_Y][row], d->curves[CURVE_Z][row]);
    c->heading = d->curves[CURVE_HEADING][row];
    const hwEnvironmentDef* environment = hwWorld_GetEnvironment(r->world);
    c->depth = (environment->water ? environment->surface : 0.0) - c->position.z;
    c->out = d->curves[CURVE_OUT][row];
    if (c->obstacle >= 0) {
        CopyName(c->body, sizeof(c->body), d->obstacles[c->obstacle].name);
    } else {
        NameContact(r, row, c->body, sizeof(c->body));
    }
    TellCause(d, row, c);
    if (ReadRow(r, row, NULL) != HW_OK) return;
    ReadTether(r);
    KeepPicture(r, c->time, c->position, &d->causePicture);
}

// The true tether beside the ghost where that is farthest from it.
static void FindGhostPicture(Reader* r) {
    hwDebrief* d = r->debrief;
    const hwGhostLine* most = hwDebrief_FindFarthestGhost(d);
    if (most == NULL) return;
    int row = hwDebrief_FindRow(d, most->time);
    if (ReadRow(r, row, NULL) != HW_OK) return;
    ReadTether(r);
    hwVec3 vehicle = {d->curves[CURVE_X][row], d->curves[CURVE_Y][row], d->curves[CURVE_Z][row]};
    KeepPicture(r, most->time, vehicle, &d->ghostPicture);
}

static bool FindHandling(hwDebrief* d) {
    const double *time = d->curves[CURVE_TIME], *out = d->curves[CURVE_OUT];
    for (int i = 1; i < d->rows; ++i) {
        double passed = time[i] - time[i - 1], rate = (out[i] - out[i - 1]) / passed;
        if (!(passed > 0.0) || !(fabs(rate) > HANDLING_RATE)) continue;
        hwDebriefHandling* last = d->handlingCount > 0 ? &d->handling[d->handlingCount - 1] : NULL;
        bool goesOn =
            last != NULL && time[i - 1] - last->end <= HANDLING_PAUSE && (last->paid > 0.0) == (rate > 0.0);
        if (!goesOn) {
            if (!Grow(&d->handling, d->handlingCount, &d->handlingRoom, sizeof(*d->handling))) return false;
            last = &d->handling[d->handlingCount++];
            *last = (hwDebriefHandling){time[i - 1], time[i], 0.0, (double)NAN};
        }
        last->end = time[i];
        last->paid += out[i] - out[i - 1];
        double tension = d->curves[CURVE_WINCH_TENSION][i];
        if (isfinite(tension))
            last->tension = isnan(last->tension) ? tension : hwFmax(last->tension, tension);
    }
    return true;
}

// Where the way back begins: where the lesson says, or farthest from the start.
static void FindTurn(hwDebrief* d) {
    d->turnRow = 0;
    double most = -1.0;
    for (int i = 0; d->lesson != NULL && i < d->lesson->def.objectiveCount; ++i) {
        if (!d->lesson->def.objectives[i].turn || isnan(d->result.score.doneAt[i])) continue;
        d->turnRow = hwDebrief_FindRow(d, d->curves[CURVE_TIME][0] + d->result.score.doneAt[i]);
        return;
    }
    for (int i = 0; i < d->rows; ++i) {
        double away = hwHypot(d->curves[CURVE_X][i] - d->curves[CURVE_X][0],
                              d->curves[CURVE_Y][i] - d->curves[CURVE_Y][0]);
        if (away > most) most = away, d->turnRow = i;
    }
}

// What else the recording holds ----------------------------------------------------------------------------------------

static bool ReadMarks(hwDebrief* d, const hwFlight* flight) {
    json_t* marks = json_loads(hwFlight_GetMarks(flight), 0, NULL);
    size_t count = json_array_size(marks);
    if (count > MOST_MARKS) count = MOST_MARKS;
    d->marks = calloc(count + 1, sizeof(*d->marks));
    for (size_t i = 0; d->marks != NULL && i < count; ++i) {
        const json_t* mark = json_array_get(marks, i);
        const char* text = json_string_value(json_object_get(mark, "text"));
        const char* level = json_string_value(json_object_get(mark, "level"));
        if (text == NULL) continue;
        DebriefMark* m = &d->marks[d->markCount++];
        m->time = json_number_value(json_object_get(mark, "time"));
        CopyName(m->level, sizeof(m->level), level);
        CopyName(m->text, sizeof(m->text), text);
    }
    json_decref(marks);
    return d->marks != NULL;
}

const char* hwDebrief_FormatPlace(hwVec3 place, char* text, size_t size) {
    // to a decimetre, as the chart says it; -0.0 is south of nothing
    double north = 0.1 * round(10.0 * place.x), west = 0.1 * round(10.0 * place.y);
    snprintf(text, size, "%c %.1f, %c %.1f m", north < 0.0 ? 'S' : 'N', fabs(north), west > 0.0 ? 'W' : 'E',
             fabs(west));
    return text;
}

static uint64_t HashText(const char* text) {
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a (Fowler, Noll, Vo), 64 bits
    for (; *text != 0; ++text) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

// The score of another flight if it flew the same lesson.
static bool ScoreOther(const char* path, const char* title, DebriefRun* run) {
    char results[1200];
    hwFlight* flight = hwLoadFlight(path, NULL);
    if (flight == NULL) return false;
    const char* text = hwFlight_GetScene(flight);
    hwScene* scene = hwParseScene(text, strlen(text), "scene.yaml", path, NULL);
    const hwLessonInfo* lesson = scene != NULL ? hwScene_GetLesson(scene) : NULL;
    bool good = lesson != NULL && strcmp(lesson->title, title) == 0;
    hwFlyResult result = {0};
    snprintf(results, sizeof(results), "%s/results.h5", path);
    good = good && hwScoreFlight(flight, scene, results, &result, NULL) == HW_OK;
    if (good) {
        CopyName(run->id, sizeof(run->id), hwFlight_GetInfo(flight)->id);
        CopyName(run->started, sizeof(run->started), hwFlight_GetInfo(flight)->started);
        run->score = result.score.score;
        run->passed = result.score.passed;
    }
    free(result.events);
    hwDestroyScene(scene);
    hwDestroyFlight(flight);
    return good;
}

// The last runs of this lesson by this pilot up to this one, from the folder that the flight is in.
static void FindTrend(hwDebrief* d, const char* path, bool others) {
    if (d->lesson == NULL) return;
    DebriefRun* own = &d->runs[DEBRIEF_RUNS - 1];
    CopyName(own->id, sizeof(own->id), d->info.id);
    CopyName(own->started, sizeof(own->started), d->info.started);
    own->score = d->result.score.score;
    own->passed = d->result.score.passed;
    int count = 1;
    const char* slash = strrchr(path, '/');
    char folder[900] = ".";
    if (slash != NULL) snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
    hwFlightInfo* infos = others ? calloc(MOST_LISTED, sizeof(*infos)) : NULL;
    int listed = infos != NULL ? hwListFlights(folder, MOST_LISTED, infos) : 0;
    for (int i = 0; i < listed && i < MOST_LISTED && count < DEBRIEF_RUNS; ++i) {
        // names begin with the time at which they were made
        bool alike = strcmp(infos[i].surroundings, d->info.surroundings) == 0 ||
                     strcmp(infos[i].title, d->lesson->title) == 0;
        if (strcmp(infos[i].id, d->info.id) >= 0 || !alike || strcmp(infos[i].pilot, d->info.pilot) != 0)
            continue;
        char other[1000];
        snprintf(other, sizeof(other), "%s/%s", folder, infos[i].id);
        if (ScoreOther(other, d->lesson->title, &d->runs[DEBRIEF_RUNS - 1 - count])) ++count;
    }
    free(infos);
    memmove(d->runs, d->runs + DEBRIEF_RUNS - count, (size_t)count * sizeof(*d->runs));
    d->runCount = count;
}

// All of it ------------------------------------------------------------------------------------------------------------

static hwStatus Judge(Reader* r, const hwFlight* flight, const char* results, hwError* error) {
    hwDebrief* d = r->debrief;
    hwStatus status = HW_OK;
    if (d->lesson != NULL) status = hwScoreFlight(flight, d->scene, results, &d->result, error);
    if (status != HW_OK) return status;
    hwScene_SetSolver(d->scene, HW_SOLVER_REALTIME);
    r->world = hwScene_CreateWorld(d->scene, NULL, error);
    if (r->world == NULL) return error != NULL ? error->status : HW_ERROR_MODEL;
    FindNames(d, r->world);
    if (!FindOutlines(d, r->world) || !ReadMarks(d, flight)) return FailMemory(error);
    r->results = hwOpenResults(results, error);
    if (r->results == NULL) return error != NULL ? error->status : HW_ERROR_FILE;
    status = FindObstacles(r, error);
    if (status == HW_OK) status = FindColumns(r, error);
    if (status == HW_OK) status = ReadCurves(r, error);
    if (status != HW_OK) return status;
    if (!FindChanges(d) || !FindHandling(d)) return FailMemory(error);
    FindCause(r);
    FindGhostPicture(r);
    FindTurn(d);
    hwDebrief_FindTips(d);
    return HW_OK;
}

hwDebrief* hwCreateDebrief(const char* folder, bool trend, hwError* error) {
    hwError own;
    if (error == NULL) error = &own;
    char path[900], results[960];
    snprintf(path, sizeof(path), "%.899s", folder);
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; --n) path[n - 1] = 0;
    snprintf(results, sizeof(results), "%s/results.h5", path);
    hwFlight* flight = hwLoadFlight(path, error);
    hwDebrief* d = flight != NULL ? calloc(1, sizeof(*d)) : NULL;
    if (d == NULL) {
        if (flight != NULL) FailMemory(error);
        hwDestroyFlight(flight);
        return NULL;
    }
    d->info = *hwFlight_GetInfo(flight);
    d->ghosts = hwLoadGhosts(path);
    const char* text = hwFlight_GetScene(flight);
    d->sceneHash = HashText(text);
    d->scene = hwParseScene(text, strlen(text), "scene.yaml", path, error);
    hwStatus status = d->scene != NULL ? HW_OK : error->status;
    if (status == HW_OK && d->ghosts == NULL) status = FailMemory(error);
    if (status == HW_OK) {
        d->lesson = hwScene_GetLesson(d->scene);
        Reader reader = {.debrief = d};
        status = Judge(&reader, flight, results, error);
        hwCloseResults(reader.results);
        hwDestroyWorld(reader.world);
        free(reader.columns.nodes);
        free(reader.columns.numbers);
        free(reader.features);
        free(reader.points);
        free(reader.tether);
        free(reader.counts);
        free(reader.row);
    }
    hwDestroyFlight(flight);
    if (status == HW_OK) {
        FindTrend(d, path, trend);
        return d;
    }
    hwDestroyDebrief(d);
    return NULL;
}

void hwDestroyDebrief(hwDebrief* d) {
    if (d == NULL) return;
    for (int i = 0; i < CURVE_COUNT; ++i) free(d->curves[i]);
    for (int i = 0; i < d->pictureCount; ++i) free(d->pictures[i].points);
    free(d->causePicture.points);
    free(d->ghostPicture.points);
    hwDestroyGhosts(d->ghosts);
    free(d->pictures);
    free(d->obstacles);
    free(d->numbers);
    free(d->changes);
    free(d->handling);
    free(d->outlines);
    free(d->marks);
    free(d->result.events);
    hwDestroyScene(d->scene);
    free(d);
}

const hwScore* hwDebrief_GetScore(const hwDebrief* d) {
    return d->lesson != NULL ? &d->result.score : NULL;
}

const hwDebriefObstacle* hwDebrief_GetObstacles(const hwDebrief* d, int* count) {
    *count = d->obstacleCount;
    return d->obstacles;
}

const hwDebriefChange* hwDebrief_GetChanges(const hwDebrief* d, int* count) {
    *count = d->changeCount;
    return d->changes;
}

const hwDebriefCause* hwDebrief_GetCause(const hwDebrief* d) {
    return &d->cause;
}

const hwDebriefHandling* hwDebrief_GetHandling(const hwDebrief* d, int* count) {
    *count = d->handlingCount;
    return d->handling;
}

const char* hwDebrief_GetTip(const hwDebrief* d, int index) {
    return index >= 0 && index < DEBRIEF_TIPS && d->tips[index][0] != 0 ? d->tips[index] : NULL;
}
