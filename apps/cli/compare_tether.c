// hawser compare SCENE --track FILE --tether FILE: a recorded track drives the scene's vehicle, and the simulated tether is put
// beside measured points (seed 000, 4.2.1).
#include "apps/cli/compare_tether.h"

#include "hawser/hawser.h"
#include "hawser/results.h"
#include "hawser/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP 0.05    // s, at most, from one point of the track to the next
#define MOST 512     // measured points
#define FARTHEST 1e7 // m, of a track

// A table of columns over time.
typedef struct Columns {
    hwResults* file;
    int count;
    int64_t rows;
    double* values; // [row][column]
} Columns;

static void Columns_Free(Columns* columns) {
    hwCloseResults(columns->file);
    free(columns->values);
    *columns = (Columns){0};
}

static bool Columns_Read(Columns* columns, const char* path, int* status) {
    hwError error;
    columns->file = hwOpenResults(path, &error);
    if (columns->file != NULL) {
        columns->count = hwResults_GetChannelCount(columns->file);
        columns->rows = hwResults_GetRowCount(columns->file);
        columns->values =
            hwCli_Allocate(NULL, ((size_t)columns->rows + 1) * (size_t)columns->count * sizeof(double));
        if (hwResults_ReadRows(columns->file, 0, columns->rows, columns->values, &error) == HW_OK)
            return true;
    }
    *status = hwCli_PrintError(path, &error);
    return false;
}

static double Columns_Get(const Columns* columns, int64_t row, int column) {
    return columns->values[row * columns->count + column];
}

static const char* Columns_Name(const Columns* columns, int column) {
    return hwResults_GetChannel(columns->file, column).name;
}

// A column called `name`, or `owner`.`group`.`name`; -1: none.
static int Columns_Find(const Columns* columns, const char* owner, const char* group, const char* name) {
    char text[256];
    int found = hwResults_FindChannel(columns->file, name);
    if (found >= 0 || owner == NULL) return found;
    snprintf(text, sizeof(text), "%s.%s.%s", owner, group, name);
    return hwResults_FindChannel(columns->file, text);
}

// Rows are compared in their order: a time that does not rise would be compared with a later one. True: all do.
static bool Columns_CheckTimes(const Columns* columns, const char* path, int* status) {
    for (int64_t i = 0; i < columns->rows; ++i) {
        double time = Columns_Get(columns, i, 0);
        if (isfinite(time) && (i == 0 || time > Columns_Get(columns, i - 1, 0))) continue;
        hwCli_Complain(NULL, "%s: row %lld has a time that is no number or does not rise.", path,
                       (long long)i + 1);
        *status = EXIT_USAGE;
        return false;
    }
    return true;
}

// The track ------------------------------------------------------------------------------------------------------------------

typedef struct Track {
    Columns columns;
    int position[3], attitude[3]; // columns; attitude -1: none
} Track;

static bool Track_Read(Track* track, const char* path, const char* vehicle, int* status) {
    static const char* const axes[3] = {"x", "y", "z"};
    static const char* const angles[3] = {"roll", "pitch", "yaw"};
    if (!Columns_Read(&track->columns, path, status)) return false;
    for (int k = 0; k < 3; ++k) {
        track->position[k] = Columns_Find(&track->columns, vehicle, "position", axes[k]);
        track->attitude[k] = Columns_Find(&track->columns, vehicle, "attitude", angles[k]);
        if (track->position[k] >= 0) continue;
        hwCli_Complain(
            "The first column is the time; then x, y, z (m, world) and, if known, roll, pitch, yaw (rad).",
            "%s has no column `%s`%s%s%s.", path, axes[k], vehicle != NULL ? " or `" : "",
            vehicle != NULL ? vehicle : "", vehicle != NULL ? ".position...`" : "");
        *status = EXIT_USAGE;
        return false;
    }
    if (!Columns_CheckTimes(&track->columns, path, status)) return false;
    for (int64_t i = 0; i < track->columns.rows; ++i) {
        bool good = true;
        for (int k = 0; k < 3; ++k) {
            good = good && fabs(Columns_Get(&track->columns, i, track->position[k])) <= FARTHEST;
            if (track->attitude[k] >= 0)
                good = good && isfinite(Columns_Get(&track->columns, i, track->attitude[k]));
        }
        if (good) continue;
        hwCli_Complain(
            NULL,
            "%s: row %lld has a place or an attitude that is no number, or a place farther than %g km away.",
            path, (long long)i + 1, 1e-3 * FARTHEST);
        *status = EXIT_USAGE;
        return false;
    }
    if (track->columns.rows >= 2) return true;
    hwCli_Complain(NULL, "%s: a track needs at least two rows.", path);
    *status = EXIT_USAGE;
    return false;
}

static hwVec3 GetRow(const Track* track, int64_t row, const int* which) {
    return hwMakeVec3(Columns_Get(&track->columns, row, which[0]),
                      Columns_Get(&track->columns, row, which[1]),
                      Columns_Get(&track->columns, row, which[2]));
}

// Straight lines between rows; before the first and after the last it stands still.
static hwBodyState Track_Evaluate(const Track* track, double time) {
    hwBodyState state = {.attitude = hwQuat_identity};
    int64_t low = 0, high = track->columns.rows - 1;
    double first = Columns_Get(&track->columns, 0, 0), last = Columns_Get(&track->columns, high, 0);
    double clamped = hwClamp(time, first, last);
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        *(Columns_Get(&track->columns, middle, 0) <= clamped ? &low : &high) = middle;
    }
    double from = Columns_Get(&track->columns, low, 0), to = Columns_Get(&track->columns, high, 0);
    double share = (clamped - from) / (to - from);
    hwVec3 a = GetRow(track, low, track->position), b = GetRow(track, high, track->position);
    state.position = hwMulAdd(a, share, hwSub(b, a));
    bool moves = time >= first && time < last;
    if (moves) state.velocity = hwScale(1.0 / (to - from), hwSub(b, a));
    if (track->attitude[0] < 0 || track->attitude[1] < 0 || track->attitude[2] < 0) return state;
    hwVec3 p = GetRow(track, low, track->attitude), q = GetRow(track, high, track->attitude);
    hwVec3 turn = hwSub(q, p);
    turn.z -= 2.0 * HW_PI * floor(turn.z / (2.0 * HW_PI) + 0.5); // the shorter way round
    hwVec3 at = hwMulAdd(p, share, turn);
    state.attitude = hwQuatFromRpy(at.x, at.y, at.z);
    if (moves) state.rate = hwInvRotate(state.attitude, hwMakeVec3(0.0, 0.0, turn.z / (to - from)));
    return state;
}

// Measured points ---------------------------------------------------------------------------------------------------------

typedef struct Point {
    char name[120];
    int column[3], at; // at -1: the nearest point of the tether counts
    int64_t count;
    double squares, largest, when; // m2, m, s
} Point;

typedef struct Measured {
    Columns columns;
    int count;
    Point* points;
} Measured;

// Three columns that end in .x, .y and .z, or are called so, are a point.
static bool Measured_Read(Measured* measured, const char* path, int* status) {
    if (!Columns_Read(&measured->columns, path, status)) return false;
    measured->points = hwCli_Allocate(NULL, MOST * sizeof(Point));
    for (int c = 1; c < measured->columns.count && measured->count < MOST; ++c) {
        const char* name = Columns_Name(&measured->columns, c);
        size_t length = strlen(name);
        bool bare = strcmp(name, "x") == 0;
        if (!bare && (length < 3 || strcmp(name + length - 2, ".x") != 0)) continue;
        size_t prefix = bare ? 0 : length - 1;
        if (prefix >= sizeof(((Point*)0)->name)) continue;
        Point point = {.column = {c, -1, -1}, .at = -1};
        char text[160];
        snprintf(text, sizeof(text), "%.*sy", (int)prefix, name);
        point.column[1] = hwResults_FindChannel(measured->columns.file, text);
        snprintf(text, sizeof(text), "%.*sz", (int)prefix, name);
        point.column[2] = hwResults_FindChannel(measured->columns.file, text);
        snprintf(text, sizeof(text), "%.*sat", (int)prefix, name);
        point.at = hwResults_FindChannel(measured->columns.file, text);
        if (point.column[1] < 0 || point.column[2] < 0) continue;
        if (strstr(name, ".velocity.") != NULL || strstr(name, ".curvature.") != NULL) continue;
        snprintf(point.name, sizeof(point.name), "%.*s", bare ? 5 : (int)prefix - 1, bare ? "point" : name);
        measured->points[measured->count++] = point;
    }
    if (measured->count > 0) return Columns_CheckTimes(&measured->columns, path, status);
    hwCli_Complain(
        "The first column is the time; each measured point has columns NAME.x, NAME.y, NAME.z (m, world) and "
        "may have NAME.at (m of tether from end a).",
        "%s has no point of a tether.", path);
    *status = EXIT_USAGE;
    return false;
}

// Distance of a point from the simulated tether; NaN: it was not measured then.
static double Measure(const hwWorld* world, hwCableId cable, const hwCableView* view, const Columns* columns,
                      int64_t row, const Point* point) {
    hwVec3 p = {Columns_Get(columns, row, point->column[0]), Columns_Get(columns, row, point->column[1]),
                Columns_Get(columns, row, point->column[2])};
    double at = point->at >= 0 ? Columns_Get(columns, row, point->at) : (double)NAN, least = HUGE_VAL;
    if (!hwIsFiniteVec3(p)) return (double)NAN;
    if (isfinite(at)) {
        hwCablePointState state;
        hwError error;
        if (hwCable_GetPoint(world, cable, at, &state, &error) == HW_OK) return hwDistance(state.position, p);
    }
    for (int i = 0; i + 1 < view->nodeCount; ++i) {
        hwVec3 a = view->positions[i], d = hwSub(view->positions[i + 1], a);
        double square = hwLengthSquared(d);
        double s = square > 0.0 ? hwClamp(hwDot(hwSub(p, a), d) / square, 0.0, 1.0) : 0.0;
        least = fmin(least, hwDistance(p, hwMulAdd(a, s, d)));
    }
    return least;
}

// The run -------------------------------------------------------------------------------------------------------------------

typedef struct Run {
    hwWorld* world;
    hwBodyId body; // that the track drives; null: the cable's end b
    hwCableId cable;
    Track track;
    Measured measured;
    hwRecorder* recorder;
    double* row;
} Run;

static hwStatus Drive(Run* run, double time, hwError* error) {
    hwBodyState state = Track_Evaluate(&run->track, time);
    if (HW_IS_NULL(run->body))
        return hwCable_SetEndMotion(run->world, run->cable, 1, state.position, state.velocity, hwVec3_zero,
                                    error);
    return hwBody_SetState(run->world, run->body, &state, error);
}

static hwStatus StepTo(Run* run, double time, hwError* error) {
    hwStatus status = HW_OK;
    while (status >= HW_OK && hwWorld_GetTime(run->world) < time) {
        double now = hwWorld_GetTime(run->world), step = fmin(STEP, time - now);
        if (time - now - step < 1e-9) step = time - now;
        status = Drive(run, now, error);
        if (status >= HW_OK) status = hwWorld_Step(run->world, step, error);
        if (step <= 0.0) break;
    }
    return status;
}

static hwStatus CompareRow(Run* run, int64_t row, hwError* error) {
    const Columns* columns = &run->measured.columns;
    double time = Columns_Get(columns, row, 0), squares = 0.0;
    hwStatus status = StepTo(run, time, error);
    if (status < HW_OK) return status;
    hwCableView view;
    status = hwCable_GetView(run->world, run->cable, &view, error);
    if (status != HW_OK) return status;
    int count = 0;
    run->row[0] = time;
    for (int i = 0; i < run->measured.count; ++i) {
        Point* point = &run->measured.points[i];
        double distance = Measure(run->world, run->cable, &view, columns, row, point);
        run->row[i + 2] = distance;
        if (isnan(distance)) continue;
        count += 1;
        squares += distance * distance;
        point->count += 1;
        point->squares += distance * distance;
        if (distance <= point->largest) continue;
        point->largest = distance;
        point->when = time;
    }
    run->row[1] = count > 0 ? sqrt(squares / count) : (double)NAN;
    return run->recorder != NULL ? hwRecorder_Append(run->recorder, 1, run->row, error) : HW_OK;
}

static bool OpenRecorder(Run* run, const char* path, hwError* error) {
    run->row = hwCli_Allocate(NULL, (size_t)(run->measured.count + 2) * sizeof(double));
    if (path == NULL) return true;
    hwRecorderDef def = hwDefaultRecorderDef();
    hwChannelInfo* channels = hwCli_Allocate(NULL, (size_t)(run->measured.count + 2) * sizeof(hwChannelInfo));
    char(*names)[140] = hwCli_Allocate(NULL, (size_t)(run->measured.count + 1) * sizeof(*names));
    channels[0] = (hwChannelInfo){"world.time", "s"};
    channels[1] = (hwChannelInfo){"distance.rms", "m"};
    for (int i = 0; i < run->measured.count; ++i) {
        snprintf(names[i], sizeof(names[i]), "%s.distance", run->measured.points[i].name);
        channels[i + 2] = (hwChannelInfo){names[i], "m"};
    }
    def.path = path;
    def.channelCount = run->measured.count + 2;
    def.channels = channels;
    run->recorder = hwCreateRecorder(&def, error);
    free(channels);
    free(names);
    return run->recorder != NULL;
}

static void PrintTable(const Run* run) {
    hwTable table = {.columns = 5, .right = "lrrrr"};
    static const char* const heading[] = {"point", "rows", "rms (m)", "largest (m)", "at (s)"};
    double squares = 0.0, largest = 0.0, when = 0.0;
    int64_t count = 0;
    for (int i = 0; i < 5; i++) hwTable_Add(&table, "%s", heading[i]);
    for (int i = 0; i < run->measured.count; ++i) {
        const Point* p = &run->measured.points[i];
        hwTable_Add(&table, "%s", p->name);
        hwTable_Add(&table, "%lld", (long long)p->count);
        hwTable_Add(&table, "%.4g", p->count > 0 ? sqrt(p->squares / (double)p->count) : (double)NAN);
        hwTable_Add(&table, "%.4g", p->largest);
        hwTable_Add(&table, "%.4g", p->when);
        squares += p->squares;
        count += p->count;
        if (p->largest > largest) {
            largest = p->largest;
            when = p->when;
        }
    }
    hwTable_Add(&table, "all");
    hwTable_Add(&table, "%lld", (long long)count);
    hwTable_Add(&table, "%.4g", count > 0 ? sqrt(squares / (double)count) : (double)NAN);
    hwTable_Add(&table, "%.4g", largest);
    hwTable_Add(&table, "%.4g", when);
    hwTable_Print(&table, stdout);
    hwTable_Free(&table);
}

// What the track drives: the vehicle or body named, the only vehicle, or the cable's end b.
static bool FindDriven(Run* run, const char* vehicle, int* status) {
    hwVehicleId all[2];
    if (vehicle != NULL) {
        hwVehicleId id = hwWorld_FindVehicle(run->world, vehicle);
        run->body =
            !HW_IS_NULL(id) ? hwVehicle_GetBody(run->world, id) : hwWorld_FindBody(run->world, vehicle);
        if (!HW_IS_NULL(run->body)) return true;
        hwCli_Complain(NULL, "The scene has no vehicle or body `%s`.", vehicle);
        *status = EXIT_USAGE;
        return false;
    }
    int count = hwWorld_GetVehicles(run->world, 2, all);
    if (count > 1) {
        hwCli_Complain(NULL, "The scene has %d vehicles: name one with --vehicle.", count);
        *status = EXIT_USAGE;
        return false;
    }
    if (count == 1) run->body = hwVehicle_GetBody(run->world, all[0]);
    return true;
}

static bool FindCable(Run* run, const char* name, int* status) {
    hwCableId all[2];
    int count = hwWorld_GetCables(run->world, 2, all);
    run->cable =
        name != NULL ? hwWorld_FindCable(run->world, name) : (count > 0 ? all[0] : (hwCableId){0, 0});
    if (!HW_IS_NULL(run->cable) && (name != NULL || count == 1)) return true;
    if (name != NULL) {
        hwCli_Complain(NULL, "The scene has no cable `%s`.", name);
    } else {
        hwCli_Complain(NULL, "The scene has %d cables: name the tether with --cable.", count);
    }
    *status = EXIT_USAGE;
    return false;
}

// Says how many measured rows are not of the track's time. False: not one row is of a time that can be simulated.
static bool CheckOverlap(const Run* run, double start, const char* path, int* status) {
    const Columns *track = &run->track.columns, *rows = &run->measured.columns;
    double from = Columns_Get(track, 0, 0), to = Columns_Get(track, track->rows - 1, 0);
    int64_t early = 0, still = 0;
    for (int64_t i = 0; i < rows->rows; ++i) {
        double time = Columns_Get(rows, i, 0);
        early += time < start;
        still += time >= start && (time < from || time > to);
    }
    if (early == rows->rows) {
        hwCli_Complain(NULL, "%s: all of its rows are before %g s, where the scene starts.", path, start);
        *status = EXIT_USAGE;
        return false;
    }
    if (still > 0)
        hwCli_Complain(NULL,
                       "%s: %lld of %lld rows are not between %g and %g s, the times of the track; there the "
                       "vehicle stands still.",
                       path, (long long)still, (long long)rows->rows, from, to);
    return true;
}

int hwCli_CompareTether(const hwTetherComparison* def) {
    Run run = {0};
    hwError error = {0};
    int status = EXIT_GOOD;
    hwScene* scene = hwLoadSceneWith(def->scene, def->setCount, def->sets, &error);
    if (scene != NULL) run.world = hwScene_CreateWorld(scene, NULL, &error);
    bool good = run.world != NULL;
    if (!good) status = hwCli_PrintError(def->scene, &error);
    good = good && FindDriven(&run, def->vehicle, &status) && FindCable(&run, def->cable, &status);
    const char* owner = def->vehicle;
    if (good && owner == NULL && !HW_IS_NULL(run.body)) owner = hwBody_GetName(run.world, run.body);
    good = good && Track_Read(&run.track, def->track, owner, &status) &&
           Measured_Read(&run.measured, def->tether, &status);
    if (good && !OpenRecorder(&run, def->out, &error)) {
        status = hwCli_PrintError(def->out, &error);
        good = false;
    }
    double start = good ? hwWorld_GetTime(run.world) : 0.0;
    good = good && CheckOverlap(&run, start, def->tether, &status);
    for (int64_t i = 0; good && i < run.measured.columns.rows; ++i) {
        double time = Columns_Get(&run.measured.columns, i, 0);
        if (time < start) continue;
        if (CompareRow(&run, i, &error) >= HW_OK) continue;
        status = hwCli_PrintError(def->scene, &error);
        good = false;
    }
    if (run.recorder != NULL && hwRecorder_Finish(run.recorder, NULL, &error) != HW_OK && good)
        status = hwCli_PrintError(def->out, &error);
    if (good) PrintTable(&run);
    hwDestroyRecorder(run.recorder);
    Columns_Free(&run.track.columns);
    Columns_Free(&run.measured.columns);
    free(run.measured.points);
    free(run.row);
    hwDestroyWorld(run.world);
    hwDestroyScene(scene);
    return status;
}
