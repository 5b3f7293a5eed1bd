// Cables that wrap, as a part of a world: evaluations solve for tensions on the path that the state has, and after each step
// the path is moved on.
#include "parts/wraps/wraps.h"

#include "world/contact_rules.h"

#include <math.h>
#include <string.h>

#define MISFIT 0.01 // of a span's length by which models differ that lie along the same curve
#define HALVINGS 60

int hwWraps_Find(const hwWorld* world, int slot) {
    for (int i = 0; i < world->model.wraps->count; ++i) {
        if (world->model.wraps->items[i].slot == slot) return i;
    }
    return -1;
}

bool hwWraps_IsSeed(const hwWorld* world, int number) {
    int slot = world->model.wraps->items[number].slot;
    return world->model.cables->slots[slot].object->def.wrap.rules == HW_WRAP_SEED;
}

// Setting up --------------------------------------------------------------------------------------------------------------

// Weight by what of the span is wet, drag by the mean of the current at a quarter, the middle and three quarters: waves come
// and go, and a tether without inertia does not follow them.
static void LoadSpan(const void* context, hwVec3 a, hwVec3 b, hwWrapLoad* out) {
    const hwWrapFlow* flow = context;
    *out = (hwWrapLoad){{0.0, 0.0, -flow->weight}, hwVec3_zero};
    if (flow->lift == 0.0) return;
    // wet as far as its chord is below the surface, a radius above and below it by part
    double low = hwFmin(a.z, b.z) - flow->radius, high = hwFmax(a.z, b.z) + flow->radius;
    double share = hwClamp((flow->surface - low) / (high - low), 0.0, 1.0);
    out->weight.z += flow->lift * share;
    if (!(share > 0.0)) return;
    hwVec3 points[3], d = hwSub(b, a);
    hwFluidSample samples[3];
    for (int k = 0; k < 3; ++k) points[k] = hwMulAdd(a, 0.25 * (k + 1), d);
    hwWorld_SampleEnvironment(flow->world, &(hwMode){.calm = true}, 3, points, flow->time, samples);
    for (int k = 0; k < 3; ++k) {
        hwVec3 u = samples[k].velocity;
        out->drag = hwMulAdd(out->drag, flow->drag * share * hwLength(u) / 3.0, u);
    }
}

static hwWrapSetup MakeSetup(const hwWorld* world, int number, double time) {
    const hwWrap* wrap = &world->model.wraps->items[number];
    const hwCableSlot* cable = &world->model.cables->slots[wrap->slot];
    const hwCableStore* store = &world->state.cables->stores[wrap->slot];
    hwWrapTools* tools = &world->work->wraps->tools[number];
    double from = store->material[0], to = store->material[store->core->nodes - 1];
    hwQuasiDef def = hwWorld_GetQuasiDef(world, wrap->slot, to - from);
    hwCableSection mean = hwCableModel_Average(&cable->model, from, to);
    double density = hwEnvironment_GetDef(world->environment)->waterDensity;
    tools->flow = (hwWrapFlow){.world = world,
                               .time = time,
                               .weight = def.weight,
                               .lift = def.lift,
                               .surface = def.surface,
                               .radius = def.radius,
                               .drag = 0.5 * density * mean.diameter * mean.dragNormal};
    return (hwWrapSetup){.space = wrap->space,
                         .friction = wrap->friction,
                         .bend = cable->object->def.wrap.bend,
                         .radius = def.radius,
                         .EA = def.EA,
                         .load = LoadSpan,
                         .context = &tools->flow};
}

// Obstacles where their links are at the point evaluated. All: also those that never move.
static void PlaceObstacles(const hwWorld* world, int number, bool all) {
    const hwWrap* wrap = &world->model.wraps->items[number];
    hwWrapTools* tools = &world->work->wraps->tools[number];
    for (int i = 0; i < wrap->count; ++i) {
        if (wrap->obstacles[i].still && !all) continue;
        if (i > 0 && wrap->obstacles[i].link == wrap->obstacles[i - 1].link) {
            tools->poses[i] = tools->poses[i - 1];
        } else {
            const hwLinkMotion* motion = &world->work->forest.motion[wrap->obstacles[i].link];
            tools->poses[i] =
                (hwPose){hwWide_ToVec3(motion->p), hwQuatFromMat3(hwWideMat_ToMat3(&motion->R))};
        }
        hwTetherSpace_Place(wrap->space, i, tools->poses[i]);
    }
}

static void GetEnds(const hwWorld* world, int slot, hwVec3 ends[2]) {
    const hwCableState* state = &world->work->cables->tools[slot].state;
    ends[0] = state->position[0];
    ends[1] = state->position[state->core->nodes - 1];
}

// Evaluation --------------------------------------------------------------------------------------------------------------

// Stiffness of an end: the tension's along its pull, less what the next span gives way where material runs over the arc
// between them, and the tension's own across it.
static double GetAlong(const hwWrapState* state, const hwWrapPath* path, int end) {
    int k = end == 0 ? 0 : path->spanCount - 1, arc = end == 0 ? 0 : path->spanCount - 2;
    const hwWrapSpan* span = &path->span[k];
    // one over which material ran in the last update goes on slipping, although nothing is left that runs now
    if (path->spanCount < 2 || (path->slip[arc] == 0 && state->slip[arc] == 0)) return span->stiffness;
    // dT = k (du - ds), and the other side gets ds of it: dT_other = k_other ds = dT / ratio
    const hwWrapSpan* other = &path->span[end == 0 ? 1 : path->spanCount - 2];
    double mine = span->tension[1 - end], its = other->tension[end];
    double ratio = its > 0.0 ? mine / its : 1.0, k2 = ratio * other->stiffness;
    return k2 > 0.0 ? span->stiffness / (1.0 + span->stiffness / k2) : 0.0;
}

static hwMat3 GetEndStiffness(const hwWrapPath* path, int end, double along) {
    const hwWrapSpan* span = &path->span[end == 0 ? 0 : path->spanCount - 1];
    double tension = span->tension[end];
    double distance = hwDistance(span->shape.a, span->shape.b);
    double across = distance > 0.0 ? tension / distance : 0.0;
    hwVec3 u = span->tangent[end];
    double d = along - across;
    return (hwMat3){{across + d * u.x * u.x, d * u.x * u.y, d * u.x * u.z},
                    {d * u.x * u.y, across + d * u.y * u.y, d * u.y * u.z},
                    {d * u.x * u.z, d * u.y * u.z, across + d * u.z * u.z}};
}

static void GetCurvePoints(const void* curve, int count, const double* s, hwVec3* out, double* tension) {
    const hwWrapTools* tools = curve;
    if (tools->longer == 1.0) {
        hwWrapPath_GetPoints(&tools->path, count, s, out, tension);
        return;
    }
    for (int i = 0; i < count; ++i) {
        double at = tools->longer * s[i];
        hwWrapPath_GetPoints(&tools->path, 1, &at, out + i, tension + i);
    }
}

// Material of the path: that of the cable, and what another model has left over that goes by and by.
static void GetMaterial(const hwWorld* world, int number, double from, double to, double material[2]) {
    double left = world->state.cables->stores[world->model.wraps->items[number].slot].core->relief[0];
    material[0] = from;
    material[1] = to + left;
    world->work->wraps->tools[number].longer = (to + left - from) / (to - from);
}

// The path at the state, from which evaluations of a step go on.
static void FindOuter(const hwWorld* world, int number) {
    const hwWrapState* state = world->state.wraps->stores[number].state;
    hwWrapTools* tools = &world->work->wraps->tools[number];
    hwWrapSetup setup = MakeSetup(world, number, world->work->wraps->time);
    hwWrap_Solve(&setup, state, state->ends, state->material, &tools->path);
    hwWrap_FindOuter(state, &tools->path, state->material, tools->outer);
    tools->near = HW_WRAP_NEAR;
}

// Whether nothing was fed and one end at most has moved since the state: what both do at once meets on the arcs between them, which
// then have to be solved for all together.
static bool MovesAtOneEnd(const hwWrapState* state, const hwVec3 ends[2], const double material[2]) {
    bool moved[2];
    for (int e = 0; e < 2; ++e) {
        moved[e] = hwDistance(ends[e], state->ends[e]) > 0.0;
        if (material[e] != state->material[e]) return false;
    }
    return !(moved[0] && moved[1]);
}

static void Bend(const hwWorld* world, int slot, double from, double to, hwQuasi* out) {
    int number = hwWraps_Find(world, slot);
    const hwWrapStore* store = &world->state.wraps->stores[number];
    hwWrapTools* tools = &world->work->wraps->tools[number];
    PlaceObstacles(world, number, false);
    hwVec3 ends[2];
    GetEnds(world, slot, ends);
    if (hwWraps_IsSeed(world, number)) {
        hwSeedWrap_Bend(world, number, ends, to - from, out);
        return;
    }
    double along[2], material[2];
    GetMaterial(world, number, from, to, material);
    if (tools->near != HW_WRAP_FAR && !MovesAtOneEnd(store->state, ends, material)) tools->near = HW_WRAP_FAR;
    if (tools->near == HW_WRAP_NEAR_NEXT) FindOuter(world, number);
    hwWrapSetup setup = MakeSetup(world, number, world->work->wraps->time);
    if (tools->near == HW_WRAP_NEAR) {
        hwWrap_SolveOuter(&setup, tools->outer, ends, material, &tools->path, along);
    } else {
        hwWrap_Solve(&setup, store->state, ends, material, &tools->path);
        for (int e = 0; e < 2; ++e) along[e] = GetAlong(store->state, &tools->path, e);
    }
    const hwWrapPath* path = &tools->path;
    int last = path->spanCount - 1;
    out->force[0] = path->span[0].pull[0];
    out->force[1] = path->span[last].pull[1];
    out->tension[0] = path->span[0].tension[0];
    out->tension[1] = path->span[last].tension[1];
    out->aa = GetEndStiffness(path, 0, along[0]);
    out->bb = GetEndStiffness(path, 1, along[1]);
    if (last == 0) {
        static const hwMat3 zero;
        out->ab = hwMulAddMat3(zero, -1.0, out->aa);
        out->bb = out->aa;
    }
    out->curveFn = GetCurvePoints;
    out->curve = tools;
}

// Nodes at corners, as many as there are nodes for, and the others along the free spans by their lengths.
static void Spread(const hwWorld* world, int slot, int count, double* material) {
    int number = hwWraps_Find(world, slot);
    if (hwWraps_IsSeed(world, number)) {
        hwSeedWrap_Spread(&world->work->wraps->tools[number].seedPath, count, material);
        return;
    }
    const hwWrapPath* path = &world->work->wraps->tools[number].path;
    double longer = world->work->wraps->tools[number].longer;
    double from = material[0], to = material[count - 1], free = 0.0, at = from;
    for (int k = 0; k < path->spanCount; ++k) free += path->rest[path->interval[k]];
    int inner = count - 2, corners = path->count;
    // two thirds of the nodes at most are for corners; of more corners every so many has one
    int most = 2 * inner / 3, stride = corners > most && most > 0 ? (corners + most - 1) / most : 1;
    if (most == 0) stride = corners + 1;
    int taken = corners / stride, rest = inner - taken, next = 1, given = 0;
    double before = 0.0; // m of free span so far
    for (int i = 0; i <= path->count; ++i) {
        if (!path->joined[i]) {
            // so that their number up to here is their share
            double share = free > 0.0 ? (before + path->rest[i]) / free : 1.0;
            int upTo = i == path->count ? rest : (int)floor(rest * share + 0.5);
            int here = upTo - given;
            for (int j = 1; j <= here && next <= inner; ++j)
                material[next++] = at + path->rest[i] * j / (here + 1);
            given = upTo;
            before += path->rest[i];
        }
        at += path->rest[i];
        if (i < path->count && (i + 1) % stride == 0 && next <= inner) material[next++] = at;
    }
    for (int i = 1; i < next; ++i) material[i] = from + (material[i] - from) / longer;
    while (next <= inner) material[next++] = to;
    material[count - 1] = to;
}

static void Evaluate(const hwWorld* world, const hwEvaluation* evaluation) {
    world->work->wraps->time = evaluation->time;
}

// A step of the built-in solver begins: its evaluations are near the state, from which all is solved once. Where obstacles move,
// corners do, and with them everything.
static double Find(const hwWorld* world, const hwMode* mode, double ahead, bool lacking) {
    (void)ahead;
    for (int number = 0; number < world->model.wraps->count && !lacking; ++number) {
        const hwWrap* wrap = &world->model.wraps->items[number];
        bool started = world->state.wraps->stores[number].state->started != 0;
        bool near = started && !wrap->moves && !mode->held && !mode->settling;
        world->work->wraps->tools[number].near = near ? HW_WRAP_NEAR_NEXT : HW_WRAP_FAR;
    }
    return (double)INFINITY;
}

// The angles through which it turns at its corners.
static void GetTurns(const hwWrapPath* path, double* turn) {
    for (int k = 0; k + 1 < path->spanCount; ++k) {
        int first = path->interval[k], last = path->interval[k + 1] - 1; // corners
        hwVec3 in = path->span[k].tangent[1];
        for (int c = first; c <= last; ++c) {
            hwVec3 on = c == last ? path->span[k + 1].tangent[0]
                                  : hwNormalize(hwSub(path->point[c + 2], path->point[c + 1]));
            turn[c] = hwAtan2(hwLength(hwCross(in, on)), hwDot(in, on));
            in = on;
        }
    }
}

// N by which the cable presses on what each corner lies on. Tension changes along an arc as the angle grows.
static void GetCornerForces(const hwWrapPath* path, hwVec3* out) {
    double turn[HW_WRAP_CORNERS];
    GetTurns(path, turn);
    for (int k = 0; k + 1 < path->spanCount; ++k) {
        int first = path->interval[k], last = path->interval[k + 1] - 1; // corners
        double whole = 0.0, before = 0.0, a = path->span[k].tension[1], b = path->span[k + 1].tension[0];
        for (int c = first; c <= last; ++c) whole += turn[c];
        hwVec3 in = path->span[k].tangent[1];
        for (int c = first; c <= last; ++c) {
            hwVec3 on = c == last ? path->span[k + 1].tangent[0]
                                  : hwNormalize(hwSub(path->point[c + 2], path->point[c + 1]));
            double f = whole > 0.0 ? before / whole : 0.0, g = whole > 0.0 ? (before + turn[c]) / whole : 1.0;
            out[c] = hwAdd(hwScale(a + f * (b - a), hwNeg(in)), hwScale(a + g * (b - a), on));
            before += turn[c];
            in = on;
        }
    }
}

static void AddLoads(const hwWorld* world, const double* a, double* residual, hwWideSpatial* loads) {
    (void)a;
    (void)residual;
    for (int number = 0; number < world->model.wraps->count; ++number) {
        const hwWrap* wrap = &world->model.wraps->items[number];
        const hwWrapPath* path = &world->work->wraps->tools[number].path;
        const hwWrapState* state = world->state.wraps->stores[number].state;
        if (!hwWorld_HasCable(world, wrap->slot)) continue;
        hwVec3 forces[HW_WRAP_CORNERS];
        bool known = false;
        for (int c = 0; c < path->count; ++c) {
            const hwWrapObstacle* obstacle = &wrap->obstacles[state->corners[c].solid];
            if (!world->model.links[obstacle->link].active) continue;
            if (!known) GetCornerForces(path, forces);
            known = true;
            hwVec3 force = forces[c];
            hwVec3 arm =
                hwSub(path->point[c + 1], hwWide_ToVec3(world->work->forest.motion[obstacle->link].p));
            loads[obstacle->link].l += hwWide_FromVec3(force);
            loads[obstacle->link].a += hwWide_FromVec3(hwCross(arm, force));
        }
    }
}

// Steps -------------------------------------------------------------------------------------------------------------------

static bool BothHeld(const hwWorld* world, int slot) {
    const hwEndState* ends = world->state.cables->stores[slot].ends;
    return ends[0].joint != HW_ATTACH_FREE && ends[1].joint != HW_ATTACH_FREE;
}

static hwStatus Finish(hwWorld* world, const hwMode* mode, double step, bool* changed, hwError* error) {
    (void)changed;
    (void)error;
    if (mode->held || mode->settling) return HW_OK;
    for (int number = 0; number < world->model.wraps->count; ++number) {
        const hwWrap* wrap = &world->model.wraps->items[number];
        if (!hwWorld_HasCable(world, wrap->slot)) continue;
        hwWrapStore* store = &world->state.wraps->stores[number];
        hwWrapTools* tools = &world->work->wraps->tools[number];
        tools->near = HW_WRAP_FAR;
        if (!BothHeld(world, wrap->slot)) { // hangs from one end, clear of everything
            memset(store->state, 0, sizeof(*store->state));
            memset(store->seed, 0, sizeof(*store->seed));
            continue;
        }
        const hwCableStore* cable = &world->state.cables->stores[wrap->slot];
        hwCableState view = hwWorld_ViewCable(world, wrap->slot, world->state.q, world->state.v);
        hwCableState_Relax(&view, step);
        double material[2];
        GetMaterial(world, number, cable->material[0], cable->material[cable->core->nodes - 1], material);
        hwVec3 ends[2];
        GetEnds(world, wrap->slot, ends);
        if (hwWraps_IsSeed(world, number)) {
            hwSeedWrap_Finish(world, number, ends, material[1] - material[0]);
            continue;
        }
        hwWrapSetup setup = MakeSetup(world, number, world->state.header->time);
        int lost = store->state->lost;
        if (store->state->started && wrap->moves) {
            hwWrap_UpdateAmong(&setup, wrap->space, store->state, ends, material, store->poses, tools->poses,
                               tools->work, &tools->path);
        } else if (store->state->started) {
            hwWrap_Update(&setup, store->state, ends, material, NULL, tools->work, &tools->path);
        } else {
            hwWrap_Start(&setup, store->state, (hwPolyline){2, ends}, material, tools->work, &tools->path);
        }
        memcpy(store->poses, tools->poses, (size_t)wrap->count * sizeof(hwPose));
        if (store->state->lost > 0 && lost == 0) {
            hwWorld_Log(world, HW_LOG_WARNING,
                        "%s: its path changed by too much at once or has more than %d corners or %d free "
                        "spans at %.4g s; "
                        "it may have passed through what it lies on",
                        world->model.cables->slots[wrap->slot].name, HW_WRAP_CORNERS, HW_WRAP_SPANS,
                        world->state.header->time);
        }
    }
    return HW_OK;
}

// The part ------------------------------------------------------------------------------------------------------------------

static bool HasWraps(const hwModel* model) {
    return model->wraps->count > 0;
}

static void LayState(const hwModel* model, hwArena* arena, hwState* state) {
    state->wraps->stores =
        model->wraps->stores; // pointers stay outside the block, which is copied and hashed
    for (int i = 0; i < model->wraps->count; ++i) {
        hwWrapState* own = HW_TAKE(arena, hwWrapState, 1);
        hwPose* poses = HW_TAKE(arena, hwPose, model->wraps->items[i].count);
        hwSeedState* seed = HW_TAKE(arena, hwSeedState, 1);
        model->wraps->stores[i] = (hwWrapStore){own, poses, seed};
    }
}

static void LayWork(const hwModel* model, hwArena* arena, hwWork* work) {
    int count = model->wraps->count;
    hwWrapTools* tools = HW_TAKE(arena, hwWrapTools, count);
    work->wraps->tools = tools;
    for (int i = 0; i < count; ++i) {
        hwWrapWork* own = hwArena_Take(arena, 1, hwWrapWork_GetSize());
        hwPose* poses = HW_TAKE(arena, hwPose, model->wraps->items[i].count);
        if (tools == NULL) continue;
        tools[i].work = own;
        tools[i].poses = poses;
    }
}

// A cable that was wound stays so as long as it may lie on the same shapes.
static void Carry(const hwWorld* before, hwModel* model, hwState* state) {
    for (int i = 0; i < model->wraps->count; ++i) {
        const hwWrap* wrap = &model->wraps->items[i];
        for (int k = 0; before->model.block != NULL && k < before->model.wraps->count; ++k) {
            const hwWrap* old = &before->model.wraps->items[k];
            bool same =
                before->model.cables->slots[old->slot].object == model->cables->slots[wrap->slot].object &&
                old->count == wrap->count;
            for (int s = 0; same && s < wrap->count; ++s) {
                same = before->model.links[old->obstacles[s].link].body ==
                           model->links[wrap->obstacles[s].link].body &&
                       old->obstacles[s].shape == wrap->obstacles[s].shape;
            }
            if (!same) continue;
            *state->wraps->stores[i].state = *before->state.wraps->stores[k].state;
            *state->wraps->stores[i].seed = *before->state.wraps->stores[k].seed;
            memcpy(state->wraps->stores[i].poses, before->state.wraps->stores[k].poses,
                   (size_t)wrap->count * sizeof(hwPose));
        }
    }
}

// N, in the middle of a span that has so much material.
static double GetTensionWith(const hwWrapSetup* setup, hwWrapSpan* span, double rest) {
    hwWrapSpan_SetRest(setup, rest, span);
    return 0.5 * (span->tension[0] + span->tension[1]);
}

// m, of material with which a span has a tension; what it has, where a little more or less would not give it.
static double FindRest(const hwWrapSetup* setup, const hwWrapSpan* span, double tension) {
    hwWrapSpan tried = *span;
    double low = (1.0 - MISFIT) * span->rest, high = (1.0 + MISFIT) * span->rest;
    if (!(GetTensionWith(setup, &tried, low) > tension && GetTensionWith(setup, &tried, high) < tension))
        return span->rest;
    for (int n = 0; n < HALVINGS; ++n) {
        double middle = 0.5 * (low + high);
        *(GetTensionWith(setup, &tried, middle) > tension ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

// The path of a cable that had nodes is shorter than they were, by tenths of a diameter wherever they lay round something: enough to make
// a taut one slack. Its spans begin with the tensions that were there, and what is too much of it goes by and by.
static void KeepTensions(hwWorld* world, int number, const hwWrapSetup* setup, const hwVec3 ends[2],
                         double material[2]) {
    int slot = world->model.wraps->items[number].slot;
    const hwCablePast* past = world->model.cables->slots[slot].object->past;
    hwWrapState* state = world->state.wraps->stores[number].state;
    hwWrapPath* path = &world->work->wraps->tools[number].path;
    if (past == NULL || !past->hadNodes) return;
    double at = material[0], more = 0.0;
    for (int i = 0, e = 0; i <= path->count; ++i) {
        double rest = path->rest[i];
        while (e + 2 < past->count && past->material[e + 1] <= at + 0.5 * rest) e += 1;
        at += rest;
        if (path->joined[i]) continue;
        state->rest[i] = FindRest(setup, &path->span[path->spanOf[i]], hwFmax(past->tension[e], 0.0));
        more += state->rest[i] - rest;
    }
    hwCableState view = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
    view.core->relief[0] += more;
    hwCableState_FadeSlowly(&view);
    int last = view.core->nodes - 1;
    GetMaterial(world, number, view.material[0], view.material[last], material);
    for (int k = 0; k < 2; ++k) state->material[k] = material[k];
    hwWrap_Solve(setup, state, ends, material, path);
}

// New cables lie along the points that were given for them, or straight.
static hwStatus Start(hwWorld* world, hwError* error) {
    (void)error;
    for (int number = 0; number < world->model.wraps->count; ++number) {
        const hwWrap* wrap = &world->model.wraps->items[number];
        hwWrapStore* store = &world->state.wraps->stores[number];
        hwWrapTools* tools = &world->work->wraps->tools[number];
        PlaceObstacles(world, number, true);
        if (store->state->started || !hwWorld_HasCable(world, wrap->slot) || !BothHeld(world, wrap->slot) ||
            hwWraps_IsSeed(world, number))
            continue;
        const hwCableDef* def = &world->model.cables->slots[wrap->slot].object->def;
        const hwCableStore* cable = &world->state.cables->stores[wrap->slot];
        hwCableState view = hwWorld_ViewCable(world, wrap->slot, world->state.q, world->state.v);
        world->work->cables->tools[wrap->slot].state = view; // nothing was evaluated yet
        int last = cable->core->nodes - 1;
        double material[2];
        GetMaterial(world, number, cable->material[0], cable->material[last], material);
        hwVec3 ends[2] = {view.position[0], view.position[last]};
        hwPolyline along = {2, ends};
        if (def->shape == HW_CABLE_POINTS || def->shape == HW_CABLE_NODES)
            along = (hwPolyline){def->pointCount, def->points};
        hwWrapSetup setup = MakeSetup(world, number, world->state.header->time);
        hwWrap_Start(&setup, store->state, along, material, tools->work, &tools->path);
        KeepTensions(world, number, &setup, ends, material);
        memcpy(store->poses, tools->poses, (size_t)wrap->count * sizeof(hwPose));
    }
    return HW_OK;
}

static void Refresh(hwWorld* world) {
    for (int number = 0; number < world->model.wraps->count; ++number)
        world->work->wraps->tools[number].near = HW_WRAP_FAR;
}

static int CountViews(const hwModel* model) {
    return model->wraps->count * HW_WRAP_CORNERS;
}

static int FindElement(const hwWorld* world, int slot, double at) {
    const hwCableStore* store = &world->state.cables->stores[slot];
    int e = 0;
    while (e + 2 < store->core->nodes && store->material[e + 1] <= at) e += 1;
    return e;
}

static int ViewContacts(const hwWorld* world, hwContactView* views) {
    int count = 0;
    for (int number = 0; number < world->model.wraps->count; ++number) {
        const hwWrap* wrap = &world->model.wraps->items[number];
        const hwWrapState* state = world->state.wraps->stores[number].state;
        const hwWrapPath* path = &world->work->wraps->tools[number].path;
        if (!hwWorld_HasCable(world, wrap->slot)) continue;
        double at = world->state.cables->stores[wrap->slot].material[0];
        int arc = -1;
        hwVec3 forces[HW_WRAP_CORNERS];
        GetCornerForces(path, forces);
        for (int c = 0; c < path->count && c < state->count; ++c) {
            at += path->rest[c] / world->work->wraps->tools[number].longer;
            arc += !path->joined[c];
            const hwWrapCorner* corner = &state->corners[c];
            const hwWrapObstacle* obstacle = &wrap->obstacles[corner->solid];
            const hwBodyObject* body = world->model.links[obstacle->link].body;
            hwVec3 normal = hwRotate(wrap->space->solids[corner->solid].pose.q, corner->normal);
            double radius = world->work->wraps->tools[number].flow.radius;
            hwVec3 force = forces[c];
            views[count++] = (hwContactView){.a = world->model.cables->slots[wrap->slot].name,
                                             .b = body->def.name,
                                             .bodyB = body->id,
                                             .cableA = world->model.cables->slots[wrap->slot].object->id,
                                             .shapeA = -1,
                                             .shapeB = obstacle->shape,
                                             .triangleA = -1,
                                             .triangleB = -1,
                                             .elementA = FindElement(world, wrap->slot, at),
                                             .elementB = -1,
                                             .point = hwMulAdd(path->point[c + 1], -radius, normal),
                                             .normal = hwNeg(normal),
                                             .force = force,
                                             .elastic = hwFmax(-hwDot(force, normal), 0.0),
                                             .sliding = state->slip[arc] != 0};
        }
    }
    return count;
}

static void SumContacts(const hwWorld* world, int link, hwContactSum* sum) {
    for (int number = 0; number < world->model.wraps->count; ++number) {
        const hwWrap* wrap = &world->model.wraps->items[number];
        const hwWrapState* state = world->state.wraps->stores[number].state;
        const hwWrapPath* path = &world->work->wraps->tools[number].path;
        hwVec3 forces[HW_WRAP_CORNERS];
        bool known = false;
        for (int c = 0; c < path->count && c < state->count; ++c) {
            if (wrap->obstacles[state->corners[c].solid].link != link) continue;
            if (!known) GetCornerForces(path, forces);
            known = true;
            hwVec3 force = forces[c];
            hwContactSum_Add(sum, force, path->point[c + 1], hwLength(force), 0.0, 0.0, 0.0);
        }
    }
}

static double GetWrap(const hwWorld* world, int slot) {
    int number = hwWraps_Find(world, slot);
    if (number >= 0 && hwWraps_IsSeed(world, number)) return hwSeedWrap_GetAngle(world, number);
    return number >= 0 ? hwWrapPath_GetAngle(&world->work->wraps->tools[number].path) : 0.0;
}

// Corners and between them the chords whose ways were seen to be free: what it is wound round is counted of these, for they are what
// passed through nothing.
static int GetPath(const hwWorld* world, int slot, hwVec3* points) {
    int number = hwWraps_Find(world, slot), k = 0, count = 0;
    if (number < 0 || hwWraps_IsSeed(world, number)) return 0;
    const hwWrapState* state = world->state.wraps->stores[number].state;
    const hwWrapPath* path = &world->work->wraps->tools[number].path;
    if (!state->started || path->count != state->count) return 0;
    for (int i = 0; i <= state->count; ++i) {
        points[count++] = path->point[i];
        if (path->joined[i]) continue;
        for (int j = 1; j < state->samples[k]; ++j) points[count++] = state->curve[k][j];
        k += 1;
    }
    points[count++] = path->point[state->count + 1];
    return count;
}

_Static_assert(HW_WRAP_CORNERS + 2 + HW_WRAP_SPANS * (HW_WRAP_SAMPLES - 2) <= HW_CABLE_PATH, "room");

static bool GetWrapOn(const hwWorld* world, int slot, int link, int shape, double* angle) {
    int number = hwWraps_Find(world, slot);
    if (number < 0 || hwWraps_IsSeed(world, number)) return false;
    const hwWrap* wrap = &world->model.wraps->items[number];
    const hwWrapState* state = world->state.wraps->stores[number].state;
    const hwWrapPath* path = &world->work->wraps->tools[number].path;
    double turn[HW_WRAP_CORNERS];
    bool known = false;
    for (int c = 0; c < path->count && c < state->count; ++c) {
        const hwWrapObstacle* obstacle = &wrap->obstacles[state->corners[c].solid];
        if (obstacle->link != link || obstacle->shape != shape) continue;
        if (!known) GetTurns(path, turn);
        known = true;
        *angle += turn[c];
    }
    return true;
}

static const hwCableHooks hooks = {
    .bend = Bend, .spread = Spread, .getWrap = GetWrap, .getPath = GetPath, .getWrapOn = GetWrapOn};

const hwPart hwWrapsPart = {.name = "wraps",
                            .model = HW_SLICE(hwModel, wraps),
                            .state = HW_SLICE(hwState, wraps),
                            .work = HW_SLICE(hwWork, wraps),
                            .cables = &hooks,
                            .buildModel = hwWraps_Build,
                            .freeModel = hwWraps_Free,
                            .isPresent = HasWraps,
                            .layState = LayState,
                            .layWork = LayWork,
                            .carry = Carry,
                            .start = Start,
                            .refresh = Refresh,
                            .addChannels = hwWraps_AddChannels,
                            .find = Find,
                            .evaluate = Evaluate,
                            .residual = AddLoads,
                            .finish = Finish,
                            .countViews = CountViews,
                            .viewContacts = ViewContacts,
                            .sumContacts = SumContacts};
