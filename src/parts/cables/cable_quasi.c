// Cables without inertia: what they hang on feels their pull, their stiffness and their damping, and nothing else.
//
// Damping is that of the material, c/EA times the stiffness along the chord, for the rate at which the chord becomes longer: exact for
// a taut line, and what is left of it where a slack one gives by changing its shape. Not that across the chord, which is tension over
// length: a line that swings does not stretch. One that wraps has no such chord; its damping is c/EA times its whole stiffness.
#include "parts/cables/cables.h"

#include "math/spatial.h"

#include <math.h>
#include <string.h>

// What the cable is at the ends' places. `length`: m, unstretched.
static hwQuasiDef MakeQuasiDef(const hwWorld* world, int slot, double length) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    const hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableStore* store = &world->state.cables->stores[slot];
    const hwEnvironmentDef* environment = hwEnvironment_GetDef(world->environment);
    int last = store->core->nodes - 1;
    double from = store->material[0], to = store->material[last];
    hwCableSection mean = hwCableModel_Average(&cable->model, from, to);
    static const hwQuasiKind kinds[] = {[HW_CABLE_CATENARY] = HW_QUASI_CATENARY,
                                        [HW_CABLE_VEE] = HW_QUASI_VEE,
                                        [HW_CABLE_LINE] = HW_QUASI_LINE,
                                        [HW_CABLE_WRAP] = HW_QUASI_CURVE};
    hwQuasiDef def = {.kind = kinds[cable->object->def.kind],
                      .length = length,
                      .EA = mean.EA,
                      .compression = mean.compression,
                      .friction = environment->seabed.friction};
    for (int e = 0; e < 2; ++e) {
        def.held[e] = store->ends[e].joint != HW_ATTACH_FREE;
        def.ends[e] = tools->state.position[e == 0 ? 0 : last];
    }
    double volume = 0.25 * HW_PI * mean.diameter * mean.diameter * (to - from);
    for (int k = 0; k < cable->model.lumpCount; ++k) {
        if (hwCableModel_HasLump(&cable->model, k, from, to)) volume += cable->model.lumps[k].volume;
    }
    double each = environment->gravity / (to - from);
    def.weight = each * hwCableModel_GetMass(&cable->model, from, to);
    def.lift = environment->water ? each * environment->waterDensity * volume : 0.0;
    def.surface = environment->surface;
    def.radius = 0.5 * mean.diameter;
    if (hwWorld_MeetsBottom(world, slot) && hwQuasi_GetMeanWeight(&def) > 0.0) {
        hwVec3 a = def.ends[def.held[0] ? 0 : 1], b = def.ends[def.held[1] ? 1 : 0], normal;
        double floorA = hwEnvironment_GetSeabed(world->environment, a.x, a.y, &normal);
        double floorB = hwEnvironment_GetSeabed(world->environment, b.x, b.y, &normal);
        def.floor = hwFmin(floorA, floorB);
        def.hasFloor = isfinite(def.floor);
    }
    return def;
}

// Time (s) over which damping acts like stiffness, and how much a winch that gives way takes off the stiffness.
static double GetDampingTime(const hwWorld* world, int slot) {
    const hwCableStore* store = &world->state.cables->stores[slot];
    hwCableSection mean = hwCableModel_Average(&world->model.cables->slots[slot].model, store->material[0],
                                               store->material[store->core->nodes - 1]);
    return mean.axialDamping / mean.EA;
}

static bool HasChord(const hwQuasiDef* def) {
    return def->kind != HW_QUASI_CURVE && def->held[0] && def->held[1];
}

// N/m along the chord, and its direction.
static double GetChordStiffness(const hwQuasi* q, hwVec3* along) {
    *along = hwNormalize(hwSub(q->def.ends[1], q->def.ends[0]));
    return 0.5 * (hwDot(*along, hwMulMV(q->aa, *along)) + hwDot(*along, hwMulMV(q->bb, *along)));
}

// Where a line or V without a sag draws taut, its stiffness along the chord comes at once, and so would the whole damping: a jump that no
// step is short enough for. It comes in over this strain instead.
#define DRAWN_TAUT 1e-6

// N s/m along the chord, its direction, and what the damping that comes in adds to the stiffness, N/m.
static double GetChordDamping(const hwCableTools* tools, hwVec3* along, double* added) {
    const hwQuasi* q = &tools->quasi;
    double stiffness = GetChordStiffness(q, along), part = 1.0, least = q->tension[0], slope = 0.0;
    if (q->def.kind == HW_QUASI_VEE) least = hwFmin(least, q->tension[1]);
    double whole = q->def.EA * DRAWN_TAUT;
    bool comesIn = q->def.kind != HW_QUASI_CATENARY && least >= 0.0 && least < whole;
    if (comesIn) {
        // pressed together it is damped as it is stiff
        double left = q->def.kind == HW_QUASI_LINE ? q->def.compression : 0.0;
        slope = (1.0 - left) / whole * stiffness;
        part = left + (1.0 - left) * least / whole;
    }
    int last = tools->state.core->nodes - 1;
    double rate = hwDot(*along, hwSub(tools->state.velocity[last], tools->state.velocity[0]));
    *added = tools->dampingTime * stiffness * slope * hwFmax(rate, 0.0);
    return tools->dampingTime * stiffness * part;
}

static double GetSoftening(const hwCableTools* tools) {
    double factor = 1.0;
    for (int e = 0; e < 2; ++e) {
        double softening = tools->input.ends[e].softening;
        if (softening > 0.0 && softening < 1.0) factor *= softening;
    }
    return factor;
}

hwQuasiDef hwWorld_GetQuasiDef(const hwWorld* world, int slot, double length) {
    return MakeQuasiDef(world, slot, length);
}

// Material from `from` to `to`. False: it has no shape.
static bool SolveQuasi(const hwWorld* world, int slot, double from, double to, hwQuasi* out) {
    hwQuasiDef def = MakeQuasiDef(world, slot, to - from);
    if (def.kind != HW_QUASI_CURVE || !def.held[0] || !def.held[1])
        return hwQuasi_Solve(&def, out, NULL) == HW_OK;
    memset(out, 0, sizeof(*out));
    out->def = def;
    bool finite = def.length > 0.0 && isfinite(def.length) && hwIsFiniteVec3(def.ends[0]) &&
                  hwIsFiniteVec3(def.ends[1]);
    if (finite) {
        HW_EACH_HOOK(world, part, bend) part->cables->bend(world, slot, from, to, out);
    }
    return finite;
}

// Puts the nodes of a cable without inertia where its shape was last found.
static void ShowQuasi(const hwWorld* world, int slot) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    hwCableState* state = &tools->state;
    int last = state->core->nodes - 1;
    const hwQuasiDef* def = &tools->quasi.def;
    if (world->model.cables->slots[slot].wraps && def->held[0] && def->held[1]) {
        HW_EACH_HOOK(world, part, spread) part->cables->spread(world, slot, last + 1, state->material);
    }
    hwQuasi_Show(&tools->quasi, state, &tools->work);
    tools->shown = true;
}

static void EvaluateQuasi(const hwWorld* world, int slot) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    hwCableState* state = &tools->state;
    int last = state->core->nodes - 1;
    double first = state->material[0], length = state->material[last] - first;
    if (!world->model.cables->slots[slot].wraps) {
        for (int i = 1; i < last; ++i) state->material[i] = first + length * i / last;
    }
    hwQuasi* q = &tools->quasi;
    bool good = SolveQuasi(world, slot, first, first + length, q);
    if (!good) q->force[0] = q->force[1] = hwMakeVec3((double)NAN, 0.0, 0.0); // ends the step
    // one that wraps has many nodes, which nobody looks at before the step is done
    if (good && !(world->model.cables->slots[slot].wraps && tools->shown)) ShowQuasi(world, slot);
    tools->dampingTime = GetDampingTime(world, slot);
    hwVec3 va = state->velocity[0], vb = state->velocity[last], along;
    if (HasChord(&q->def)) {
        double added, damping = GetChordDamping(tools, &along, &added);
        tools->damping[0] = hwScale(damping * hwDot(along, hwSub(vb, va)), along);
        tools->damping[1] = hwNeg(tools->damping[0]);
    } else {
        tools->damping[0] = hwScale(-tools->dampingTime, hwAdd(hwMulMV(q->aa, va), hwMulMV(q->ab, vb)));
        tools->damping[1] = hwScale(-tools->dampingTime, hwAdd(hwMulTV(q->ab, va), hwMulMV(q->bb, vb)));
    }
    memset(&tools->contact, 0, sizeof(tools->contact));
    tools->applied = 0.0;
}

static void GetQuasiEndLoad(const hwWorld* world, int slot, int end, hwVec3* force, hwVec3* moment) {
    const hwCableTools* tools = &world->work->cables->tools[slot];
    *force = hwAdd(tools->quasi.force[end], tools->damping[end]);
    *moment = hwVec3_zero;
}

static void PutBlock(double (*block)[6], hwMat3 m, double factor) {
    const hwVec3 columns[3] = {m.cx, m.cy, m.cz};
    for (int c = 0; c < 3; ++c) {
        block[0][c] = factor * columns[c].x;
        block[1][c] = factor * columns[c].y;
        block[2][c] = factor * columns[c].z;
    }
}

static void AddAlong(double (*block)[6], hwVec3 along, double size) {
    const double n[3] = {along.x, along.y, along.z};
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) block[r][c] += size * n[r] * n[c];
    }
}

static void GetQuasiBlocks(const hwWorld* world, int slot, double (*aa)[6], double (*bb)[6],
                           double (*ab)[6]) {
    const hwCableTools* tools = &world->work->cables->tools[slot];
    double hd = tools->input.hd, soft = GetSoftening(tools) * hd;
    bool chord = HasChord(&tools->quasi.def);
    double factor = soft * (chord ? hd : hd + tools->dampingTime);
    PutBlock(aa, tools->quasi.aa, factor);
    PutBlock(bb, tools->quasi.bb, factor);
    PutBlock(ab, tools->quasi.ab, factor);
    if (!chord || !(tools->dampingTime > 0.0)) return;
    hwVec3 along;
    double added, damping = GetChordDamping(tools, &along, &added);
    damping = soft * (damping + hd * added);
    AddAlong(aa, along, damping);
    AddAlong(bb, along, damping);
    AddAlong(ab, along, -damping);
}

static void MultiplyQuasiStiffness(const hwWorld* world, int slot, hwVec3 a, hwVec3 b, hwVec3 out[2]) {
    const hwQuasi* q = &world->work->cables->tools[slot].quasi;
    out[0] = hwAdd(hwMulMV(q->aa, a), hwMulMV(q->ab, b));
    out[1] = hwAdd(hwMulTV(q->ab, a), hwMulMV(q->bb, b));
}

// Of one element: height and stretch.
static double GetPotential(const hwCableTools* tools, int e, double* stretch) {
    const hwCableState* state = &tools->state;
    const hwQuasiDef* def = &tools->quasi.def;
    double rest = state->material[e + 1] - state->material[e], tension = tools->work.tension[e];
    double share = tension < 0.0 ? hwFmax(def->compression, 1e-12) : 1.0;
    *stretch = 0.5 * tension * tension / (share * def->EA) * rest;
    return rest * hwQuasi_GetHeight(def, state->position[e].z, state->position[e + 1].z);
}

static hwCableNodeEnergy GetQuasiNodeEnergy(const hwWorld* world, int slot, int node) {
    const hwCableTools* tools = &world->work->cables->tools[slot];
    hwCableNodeEnergy energy = {0};
    for (int e = node > 0 ? node - 1 : 0; e <= node && e < tools->work.nodes - 1; ++e) {
        double stretch, height = GetPotential(tools, e, &stretch);
        energy.potential += 0.5 * (height + stretch);
    }
    return energy;
}

// Of one that hangs from one end, sums over the nodes shown. Material that enters at a winch brings its height and its
// stretch, and is pulled.
static hwCableEnergy GetQuasiEnergy(const hwWorld* world, int slot) {
    const hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableState* state = &tools->state;
    const hwQuasiDef* def = &tools->quasi.def;
    int last = tools->work.nodes - 1;
    hwCableEnergy energy = {0};
    hwQuasi_GetEnergy(&tools->quasi, &energy.gravity, &energy.stretch);
    for (int e = 0; e < last && !(def->held[0] && def->held[1]); ++e) {
        double stretch;
        energy.gravity += GetPotential(tools, e, &stretch);
        energy.stretch += stretch;
    }
    bool curve = def->kind == HW_QUASI_CURVE;
    for (int k = 0; k < 2; ++k) {
        int node = k == 0 ? 0 : last;
        double tension, rate = tools->input.ends[k].payout;
        energy.damping -= hwDot(tools->damping[k], state->velocity[node]);
        energy.stored -= hwDot(tools->quasi.force[k], state->velocity[node]);
        // what current, friction and the winch do to one that wraps is not known by itself: what its ends get comes from
        // outside the world
        if (curve) energy.fluid += hwDot(tools->quasi.force[k], state->velocity[node]);
        if (rate == 0.0 || curve) continue;
        hwQuasi_GetPoint(&tools->quasi, k == 0 ? 0.0 : def->length, &tension);
        double strain = tension / def->EA;
        double height = hwQuasi_GetHeight(def, state->position[node].z, state->position[node].z);
        energy.payout += rate * (height + 0.5 * tension * strain - tension * (1.0 + strain));
    }
    energy.stored += energy.payout;
    return energy;
}

static hwStatus FinishQuasi(const hwWorld* world, const hwMode* mode, int slot, hwError* error) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    const hwCableStore* store = &world->state.cables->stores[slot];
    int last = store->core->nodes - 1;
    double length = store->material[last] - store->material[0];
    double shortest = 1e-3 * cable->model.starts[cable->model.sectionCount];
    if (length > shortest) {
        // corners have come and gone since the last evaluation, whose path may pass through what the tether lies on
        if (cable->wraps && !mode->held && !mode->settling) ShowQuasi(world, slot);
        return HW_OK;
    }
    hwStatus status = hwFail(error, HW_ERROR_LIMIT, cable->name,
                             "%s: the winch has hauled in all but %.3g m of it", cable->name, length);
    hwFail_At(error, 0, world->state.header->time);
    hwFail_Hint(error, "stop the winch while some cable is left");
    return status;
}

static double GetQuasiTensionAt(const hwWorld* world, int slot, int end, double length, double* byLength,
                                double* change) {
    const hwCableState* state = &world->work->cables->tools[slot].state;
    double step = 1e-6 * length, tension[2] = {0.0, 0.0};
    double from = state->material[0], to = state->material[state->core->nodes - 1];
    hwQuasi q;
    for (int k = 1; k >= 0; --k) {
        double wanted = length + k * step;
        SolveQuasi(world, slot, end == 0 ? to - wanted : from, end == 0 ? to : from + wanted, &q);
        hwQuasi_GetPoint(&q, end == 0 ? 0.0 : q.def.length, &tension[k]);
    }
    *byLength = (tension[1] - tension[0]) / step;
    hwVec3 va = state->velocity[0], vb = state->velocity[state->core->nodes - 1];
    hwVec3 fall =
        end == 0 ? hwAdd(hwMulMV(q.aa, va), hwMulMV(q.ab, vb)) : hwAdd(hwMulTV(q.ab, va), hwMulMV(q.bb, vb));
    *change = hwDot(hwNormalize(q.force[end]), fall);
    return tension[0];
}

static hwVec3 GetQuasiPoint(const hwWorld* world, int slot, double s, double* tension) {
    return hwQuasi_GetPoint(&world->work->cables->tools[slot].quasi, s, tension);
}

static double GetQuasiEndTension(const hwWorld* world, int slot, int end) {
    const hwQuasi* q = &world->work->cables->tools[slot].quasi;
    double tension;
    hwQuasi_GetPoint(q, end == 0 ? 0.0 : q->def.length, &tension);
    return tension;
}

// Of the circle through three nodes: 2 a x b / (|a| |b| |a + b|). Lines and wrapped paths have corners only.
static hwVec3 GetQuasiCurvature(const hwWorld* world, int slot, int node) {
    const hwCableTools* tools = &world->work->cables->tools[slot];
    const hwVec3* x = tools->state.position;
    if (tools->quasi.def.kind != HW_QUASI_CATENARY) return (hwVec3){(double)NAN, (double)NAN, (double)NAN};
    if (node == 0 || node == tools->work.nodes - 1) return hwVec3_zero;
    hwVec3 a = hwSub(x[node], x[node - 1]), b = hwSub(x[node + 1], x[node]);
    double product = hwLength(a) * hwLength(b) * hwLength(hwAdd(a, b));
    return product > 0.0 ? hwScale(2.0 / product, hwCross(a, b)) : hwVec3_zero;
}

static double GetQuasiForceScale(const hwWorld* world, int slot, double tolerance) {
    (void)tolerance;
    const hwQuasi* q = &world->work->cables->tools[slot].quasi;
    return hwFmax(hwLength(q->force[0]), hwLength(q->force[1]));
}

const hwCableOps hwMasslessCableOps = {.evaluate = EvaluateQuasi,
                                       .show = ShowQuasi,
                                       .getBlocks = GetQuasiBlocks,
                                       .multiplyStiffness = MultiplyQuasiStiffness,
                                       .finish = FinishQuasi,
                                       .getPoint = GetQuasiPoint,
                                       .getTensionAt = GetQuasiTensionAt,
                                       .getEndLoad = GetQuasiEndLoad,
                                       .getEndTension = GetQuasiEndTension,
                                       .getEnergy = GetQuasiEnergy,
                                       .getNodeEnergy = GetQuasiNodeEnergy,
                                       .getCurvature = GetQuasiCurvature,
                                       .getForceScale = GetQuasiForceScale};

const hwCableOps* hwCableOps_Find(hwCableKind kind) {
    return kind == HW_CABLE_DYNAMIC || kind == HW_CABLE_PID ? &hwNodesCableOps : &hwMasslessCableOps;
}
