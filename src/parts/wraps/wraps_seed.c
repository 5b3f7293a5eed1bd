// Cables that wrap by the rules of seed 000 (HW_WRAP_SEED) in a world.
#include "parts/wraps/wraps.h"

// 185 degrees: section 3.5.1
#define REJOIN (185.0 * HW_PI / 180.0)

// The current in the middle between the ends, its level part: the seed has one for all of the tether.
static void MakeSeedSetup(const hwWorld* world, int number, const hwVec3 ends[2], double length,
                          double time) {
    const hwWrap* wrap = &world->model.wraps->items[number];
    const hwWrapDef* def = &world->model.cables->slots[wrap->slot].object->def.wrap;
    hwQuasiDef quasi = hwWorld_GetQuasiDef(world, wrap->slot, length);
    hwVec3 middle = hwScale(0.5, hwAdd(ends[0], ends[1]));
    hwFluidSample sample;
    hwWorld_SampleEnvironment(world, &(hwMode){.calm = true}, 1, &middle, time, &sample);
    hwVec3 current = sample.velocity;
    current.z = 0.0;
    world->work->wraps->tools[number].seed =
        (hwSeedSetup){.space = wrap->space,
                      .bend = def->bend,
                      .load = hwTether_GetSeedLoad(current, def->greatestCurrent, def->buoyancy),
                      .linearDepth = def->linearDepth,
                      .radius = quasi.radius,
                      .EA = quasi.EA,
                      .rejoinAngle = REJOIN,
                      .stuckAngle = def->stuckAngle,
                      .stuckCount = def->stuckCount};
}

// Its curve is as long as its material, but where it is a rubber band: shares of the one are shares of the other.
static hwVec3 GetSeedPoint(const void* curve, double s, double* tension) {
    const hwWrapTools* tools = curve;
    double share = tools->seedLength > 0.0 ? s / tools->seedLength : 0.0;
    if (tension != NULL)
        *tension =
            tools->seedPath.tension[0] + share * (tools->seedPath.tension[1] - tools->seedPath.tension[0]);
    return hwSeedPath_GetPoint(&tools->seed, &tools->seedPath,
                               share * hwSeedPath_GetLength(&tools->seedPath));
}

static void GetSeedPoints(const void* curve, int count, const double* s, hwVec3* out, double* tension) {
    for (int i = 0; i < count; ++i) out[i] = GetSeedPoint(curve, s[i], &tension[i]);
}

static hwMat3 MakeStiffness(hwVec3 u, double k) {
    return (hwMat3){{k * u.x * u.x, k * u.x * u.y, k * u.x * u.z},
                    {k * u.x * u.y, k * u.y * u.y, k * u.y * u.z},
                    {k * u.x * u.z, k * u.y * u.z, k * u.z * u.z}};
}

void hwSeedWrap_Bend(const hwWorld* world, int number, const hwVec3 ends[2], double length, hwQuasi* out) {
    hwWrapTools* tools = &world->work->wraps->tools[number];
    MakeSeedSetup(world, number, ends, length, world->work->wraps->time);
    hwSeedPath* path = &tools->seedPath;
    hwSeed_Solve(&tools->seed, world->state.wraps->stores[number].seed, ends, length, path);
    tools->seedLength = length;
    int last = path->count;
    hwVec3 first = hwNormalize(hwSub(path->ends[1], path->ends[0]));
    hwVec3 back = hwNormalize(hwSub(path->ends[last - 1], path->ends[last]));
    out->force[0] = hwScale(path->tension[0], first);
    out->force[1] = hwScale(path->tension[1], back);
    out->tension[0] = path->tension[0];
    out->tension[1] = path->tension[1];
    out->aa = MakeStiffness(first, path->tension[0] > 0.0 ? path->stiffness : 0.0);
    out->bb = MakeStiffness(back, path->tension[1] > 0.0 ? path->stiffness : 0.0);
    static const hwMat3 zero;
    out->ab = path->count == 1 ? hwMulAddMat3(zero, -1.0, out->aa) : zero;
    out->curveFn = GetSeedPoints;
    out->curve = tools;
}

// Evenly, but the node nearest to the bend of a V or to a collision point is on it.
void hwSeedWrap_Spread(const hwSeedPath* path, int count, double* material) {
    double from = material[0], to = material[count - 1], whole = hwSeedPath_GetLength(path), at = 0.0;
    for (int i = 1; i + 1 < count; ++i) material[i] = from + (to - from) * i / (count - 1);
    int before = 0;
    for (int k = 0; k < path->count && whole > 0.0; ++k) {
        const hwTetherSpan* span = &path->span[k];
        double own = path->bent[k] ? path->length[k] : hwDistance(path->ends[k], path->ends[k + 1]);
        bool vee = path->bent[k] && span->bend == HW_BEND_VEE && span->length > 0.0;
        for (int mark = vee ? 0 : 1; mark < 2; ++mark) {
            if (mark == 1 && k + 1 == path->count) break; // the end
            double share = (at + (mark == 0 ? own * span->link / span->length : own)) / whole;
            int nearest = (int)floor(share * (count - 1) + 0.5);
            if (nearest <= before) nearest = before + 1;
            if (nearest + 1 >= count) break;
            material[nearest] = from + (to - from) * share;
            before = nearest;
        }
        at += own;
    }
    for (int i = 1; i + 1 < count; ++i) material[i] = hwFmax(material[i], material[i - 1]);
}

void hwSeedWrap_Finish(hwWorld* world, int number, const hwVec3 ends[2], double length) {
    hwWrapTools* tools = &world->work->wraps->tools[number];
    hwSeedState* state = world->state.wraps->stores[number].seed;
    int lost = state->lost;
    MakeSeedSetup(world, number, ends, length, world->state.header->time);
    hwSeed_Update(&tools->seed, state, ends, length, &tools->seedPath);
    tools->seedLength = length;
    if (state->lost > 0 && lost == 0) {
        hwWorld_Log(world, HW_LOG_WARNING,
                    "%s: it has more than %d collision points at %.4g s; more are not told",
                    world->model.cables->slots[world->model.wraps->items[number].slot].name, HW_SEED_POINTS,
                    world->state.header->time);
    }
}

double hwSeedWrap_GetAngle(const hwWorld* world, int number) {
    const hwWrapTools* tools = &world->work->wraps->tools[number];
    const hwSeedState* state = world->state.wraps->stores[number].seed;
    double sum = 0.0;
    for (int c = 0; c < state->count && c + 1 < tools->seedPath.count; ++c)
        sum += hwFmax(HW_PI - hwSeed_GetAngle(&tools->seed, state, &tools->seedPath, c), 0.0);
    return sum;
}
