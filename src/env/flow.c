#include "env/flow.h"

#include "control/signal_data.h"

#include <string.h>

// Which entry of an increasing list a value comes after, and how far it is on the way to the next, 0 to 1.
static int FindPlace(const double* list, int count, double value, double* share) {
    int low = 0, high = count - 1;
    *share = 0.0;
    if (!(value > list[0])) return 0;
    if (value >= list[high]) return high;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (value < list[middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    *share = (value - list[low]) / (list[high] - list[low]);
    return low;
}

// Velocity of the profile at one of its levels, and its rate (m/s2).
static hwVec3 GetRow(const hwFlowDef* def, const hwFlowMoment* moment, int level, hwVec3* rate) {
    const hwVec3* row = def->velocities + (size_t)moment->row * (size_t)def->count + level;
    *rate = hwVec3_zero;
    if (moment->perSecond == 0.0) return *row;
    hwVec3 change = hwSub(row[def->count], *row);
    *rate = hwScale(moment->perSecond, change);
    return hwMulAdd(*row, moment->share, change);
}

// The profile at a level, its slope (1/s) and its rate (m/s2).
static hwVec3 GetProfile(const hwFlowDef* def, const hwFlowMoment* moment, double level, hwVec3* slope,
                         hwVec3* rate) {
    double share;
    *slope = *rate = hwVec3_zero;
    if (def->count <= 0) return hwVec3_zero;
    int low = FindPlace(def->levels, def->count, level, &share);
    hwVec3 velocity = GetRow(def, moment, low, rate);
    // at the ends, and exactly at the first level, the profile is that of one level
    bool between = low < def->count - 1 && level > def->levels[0];
    if (!between) return velocity;
    hwVec3 nextRate, next = GetRow(def, moment, low + 1, &nextRate), change = hwSub(next, velocity);
    *slope = hwScale(1.0 / (def->levels[low + 1] - def->levels[low]), change);
    *rate = hwMulAdd(*rate, share, hwSub(nextRate, *rate));
    return hwMulAdd(velocity, share, change);
}

// Where a value is on an axis of the grid: between entries `low` and `high`, the same where it is constant.
typedef struct Bracket {
    int low, high;
    double share, perUnit; // on the way to `high`; 1 / (m or s) between them, 0 where it is constant
} Bracket;

static Bracket FindBracket(const double* list, int count, double value) {
    Bracket b = {0};
    b.low = b.high = FindPlace(list, count, value, &b.share);
    if (b.low >= count - 1 || !(value > list[0])) return b;
    b.high = b.low + 1;
    b.perUnit = 1.0 / (list[b.high] - list[b.low]);
    return b;
}

// What interpolation gives: the value, and its slopes along x, y, level and time.
typedef struct GridValue {
    hwVec3 value, slope[4];
} GridValue;

// On the line between two values that are themselves interpolated along the axes before `axis`.
static void JoinGrid(GridValue* low, const GridValue* high, const Bracket* b, int axis) {
    low->slope[axis] = hwScale(b->perUnit, hwSub(high->value, low->value));
    low->value = hwMulAdd(low->value, b->share, hwSub(high->value, low->value));
    for (int i = 0; i < axis; i++)
        low->slope[i] = hwMulAdd(low->slope[i], b->share, hwSub(high->slope[i], low->slope[i]));
}

static GridValue GetGrid(const hwFlowGridDef* grid, const hwFlowMoment* moment, double x, double y,
                         double level) {
    Bracket b[4] = {FindBracket(grid->x, grid->xCount, x),
                    FindBracket(grid->y, grid->yCount, y),
                    FindBracket(grid->levels, grid->levelCount, level),
                    {moment->gridRow, moment->gridRow + (moment->gridPerSecond != 0.0), moment->gridShare,
                     moment->gridPerSecond}};
    GridValue corner[16];
    for (int i = 0; i < 16; i++) {
        size_t at = (size_t)(i & 8 ? b[3].high : b[3].low);
        at = at * (size_t)grid->levelCount + (size_t)(i & 4 ? b[2].high : b[2].low);
        at = at * (size_t)grid->yCount + (size_t)(i & 2 ? b[1].high : b[1].low);
        at = at * (size_t)grid->xCount + (size_t)(i & 1 ? b[0].high : b[0].low);
        corner[i].value = grid->velocities[at];
    }
    for (int axis = 0, step = 1; axis < 4; axis++, step *= 2) {
        for (int i = 0; i < 16; i += 2 * step) JoinGrid(&corner[i], &corner[i + step], &b[axis], axis);
    }
    return corner[0];
}

static void FindGridTime(const hwFlowGridDef* grid, double time, hwFlowMoment* moment) {
    if (grid->xCount <= 0) return;
    Bracket b = FindBracket(grid->times, grid->timeCount, time);
    moment->gridRow = b.low;
    moment->gridShare = b.share;
    moment->gridPerSecond = b.perUnit;
}

static void FindTime(const hwFlowDef* def, double time, hwFlowMoment* moment) {
    FindGridTime(&def->grid, time, moment);
    if (def->timeCount <= 0) return;
    moment->row = FindPlace(def->times, def->timeCount, time, &moment->share);
    bool between = moment->row < def->timeCount - 1 && time > def->times[0];
    if (between) moment->perSecond = 1.0 / (def->times[moment->row + 1] - def->times[moment->row]);
}

double hwComputeMeanSpeed(const hwFlowDef* def) {
    double sum = 0.0;
    for (int i = 0; i < 360; i++) {
        hwVec3 slope, rate;
        hwFlowMoment moment = {0};
        FindTime(def, 10.0 * i, &moment);
        hwVec3 profile = GetProfile(def, &moment, 10.0, &slope, &rate);
        if (def->grid.xCount > 0)
            profile = hwAdd(profile, GetGrid(&def->grid, &moment, 0.0, 0.0, 10.0).value);
        sum += hwLength(hwAdd(profile, hwSignal_Evaluate(&def->uniform, 10.0 * i).value));
    }
    return sum / 360.0;
}

void hwFlow_Layout(hwFlow* flow, hwArena* arena, const hwFlowDef* def, double upwards, double surface) {
    flow->def = *def;
    flow->upwards = upwards;
    flow->surface = surface;
    flow->def.uniform = hwCopySignal(arena, &def->uniform);
    double* levels = HW_TAKE(arena, double, def->count);
    int rows = def->timeCount > 0 ? def->timeCount : 1;
    hwVec3* velocities = HW_TAKE(arena, hwVec3, (size_t)rows * (size_t)def->count);
    double* times = HW_TAKE(arena, double, def->timeCount);
    flow->def.levels = levels;
    flow->def.velocities = velocities;
    flow->def.times = times;
    hwFlowGridDef* grid = &flow->def.grid;
    if (grid->xCount > 0) {
        size_t points =
            (size_t)grid->xCount * (size_t)grid->yCount * (size_t)grid->levelCount * (size_t)grid->timeCount;
        grid->x = hwArena_Copy(arena, def->grid.x, (size_t)grid->xCount, sizeof(double));
        grid->y = hwArena_Copy(arena, def->grid.y, (size_t)grid->yCount, sizeof(double));
        grid->levels = hwArena_Copy(arena, def->grid.levels, (size_t)grid->levelCount, sizeof(double));
        grid->times = hwArena_Copy(arena, def->grid.times, (size_t)grid->timeCount, sizeof(double));
        grid->velocities = hwArena_Copy(arena, def->grid.velocities, points, sizeof(hwVec3));
    }
    if (arena->base == NULL) return;
    if (def->count > 0) {
        memcpy(levels, def->levels, (size_t)def->count * sizeof(double));
        memcpy(velocities, def->velocities, (size_t)rows * (size_t)def->count * sizeof(hwVec3));
    }
    if (def->timeCount > 0) memcpy(times, def->times, (size_t)def->timeCount * sizeof(double));
    if (def->gust > 0.0) hwGust_Fill(&flow->gust, def->gust, hwComputeMeanSpeed(&flow->def), def->gustSeed);
}

hwFlowMoment hwFlow_GetMoment(const hwFlow* flow, double time) {
    hwFlowMoment moment = {.factor = 1.0};
    FindTime(&flow->def, time, &moment);
    if (flow->def.uniform.termCount == 0 && flow->gust.amplitude == 0.0) return moment;
    hwSignalValue uniform = hwSignal_Evaluate(&flow->def.uniform, time);
    moment.uniform = uniform.value;
    moment.rate = uniform.rate;
    hwGust_Evaluate(&flow->gust, time, &moment.factor, &moment.factorRate);
    moment.factor += 1.0;
    return moment;
}

// V = (1 + g(t)) (U(t) + P(z, t) + G(x, y, z, t)); a particle is carried with V, so its acceleration is dV/dt + (V . grad) V.
// The last term is zero for horizontal flow by level alone; for a profile that also rises or sinks it is what steady shear gives.
void hwFlow_Evaluate(const hwFlow* flow, const hwFlowMoment* moment, hwVec3 point, hwVec3* velocity,
                     hwVec3* acceleration) {
    hwVec3 slope, rate;
    double level = flow->upwards * (point.z - flow->surface);
    hwVec3 mean = hwAdd(moment->uniform, GetProfile(&flow->def, moment, level, &slope, &rate));
    double factor = moment->factor;
    GridValue grid = {0};
    if (flow->def.grid.xCount > 0) {
        grid = GetGrid(&flow->def.grid, moment, point.x, point.y, level);
        mean = hwAdd(mean, grid.value);
        slope = hwAdd(slope, grid.slope[2]);
        rate = hwAdd(rate, grid.slope[3]);
    }
    *velocity = hwScale(factor, mean);
    hwVec3 change = hwMulAdd(hwAdd(moment->rate, rate), velocity->z * flow->upwards, slope);
    if (flow->def.grid.xCount > 0)
        change = hwMulAdd(hwMulAdd(change, velocity->x, grid.slope[0]), velocity->y, grid.slope[1]);
    *acceleration = hwMulAdd(hwScale(factor, change), moment->factorRate, mean);
}
