// Sheaves: the flow of material from one cable's end to another's as a freedom of the world.
//
// Let p be the length that has passed and w = dp/dt. The boundary elements on both sides have rest lengths r = r0 + s p
// with s = -1 where material leaves and +1 where it enters, and the material at the sheave moves with
// u0 = v0 + s w (x1 - x0) / r, x0 and v0 the sheave's place and velocity, x1 the next node. Lagrange's equation of p for
//     sum over both sides of  1/2 m (S u0.u0 + S u1.u1 + 2 K u0.u1) - V,     m = mu r,
// S and K the shares of the element's mass matrix, V its energy of stretch, weight, buoyancy and bending, is
//     (J / R^2) w' + sum s [ m l (S i.u0' + K i.u1') + ... ] = -sum s dV/dr - friction,
// i the unit vector into the cable and l the stretch; the terms quadratic in velocity are in AddSide. -dV/dr is the
// pull T (1 + e/2) of an elastic element: with the same material on both sides it is balanced when the tensions are.
// The nodes' own equations contain what src/cable adds for a rate of payout s w; the sheave feels the rest, the
// centrifugal force mu w^2 of the material that turns there.
//
// Friction. While it sticks, a spring holds the flow; it slides when the tensions differ by more than
//     (exp(friction angle) - 1) min(T1, T2) + bearing |T1 i1 + T2 i2|,
// Euler and Eytelwein's rope friction and that of a wheel's axle.
//
// The flows join Newton's method as a border of the matrix: with A the matrix of everything else, C what the flows do to
// it, R what it does to them (not C^T when friction slides) and D their own, (D - R A^-1 C) dw = r_w - R A^-1 r. Flows
// between which nothing is coupled share the solves for their columns: one of each such group at a time.
#include "parts/sheaves/sheaves.h"

#include "cable/sheave_law.h"
#include "math/vectors.h"
#include "world/part.h"

#include "math/dense.h"
#include "record/channels.h"

#include <math.h>
#include <string.h>

#define STICK_LENGTH 1.0 // m: friction's spring is as stiff as this much of the cable

// Objects ----------------------------------------------------------------------------------------------------------------

hwSheaveDef hwDefaultSheaveDef(void) {
    hwSheaveDef def = {.ends = {1, 0}, .cookie = HW_SHEAVE_COOKIE};
    return def;
}

static hwSheaveObject* GetSheave(const hwWorld* world, hwSheaveId id) {
    return hwPool_Get(&world->sheaves, id.index, id.generation);
}

static hwStatus BadSheave(hwError* error) {
    return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a sheave of this world");
}

static const hwSheaveObject* FindSheaveAt(const hwWorld* world, hwCableId cable, int end, int* side) {
    for (int i = 0; i < world->sheaves.slots; ++i) {
        const hwSheaveObject* sheave = world->sheaves.items[i];
        for (int s = 0; s < 2 && sheave != NULL; ++s) {
            if (!HW_SAME_ID(sheave->def.cables[s], cable) || sheave->def.ends[s] != end) continue;
            if (side != NULL) *side = s;
            return sheave;
        }
    }
    return NULL;
}

// One end that a sheave is to join: there, pinned, not on a winch or another sheave.
static hwStatus CheckSide(const hwWorld* world, const hwSheaveDef* def, int side, hwError* error) {
    const char* name = def->name;
    int end = def->ends[side];
    const hwCableObject* cable = hwWorld_GetCable(world, def->cables[side]);
    if (cable == NULL || !HW_IS_NULL(cable->whole)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "cables",
                           "%s: a sheave joins two cables of this world", name);
    }
    if (end != 0 && end != 1) {
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "ends", "%s: a cable has ends 0 and 1, not %d",
                           name, end);
    }
    if (cable->def.kind != HW_CABLE_DYNAMIC) {
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "cables",
                           "%s: only dynamic cables run over sheaves, and `%s` is none", name,
                           cable->def.name);
    }
    char letter = end == 0 ? 'a' : 'b';
    if (cable->def.ends[end].joint != HW_ATTACH_PIN || hwSignal_IsPresent(&cable->def.ends[end].path)) {
        hwStatus status = hwFailField(error, HW_ERROR_ARGUMENT, name, "cables",
                                      "%s: end %c of `%s` is not pinned where the sheave could be", name,
                                      letter, cable->def.name);
        hwFail_Hint(error, "pin both ends at the same point of a body or of the earth");
        return status;
    }
    if (cable->def.massCount > 0) {
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "cables",
                           "%s: `%s` carries masses, which cannot pass a sheave; use bodies", name,
                           cable->def.name);
    }
    const hwSheaveObject* other = FindSheaveAt(world, def->cables[side], end, NULL);
    if (other != NULL) {
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "cables",
                           "%s: end %c of `%s` runs over sheave `%s` already", name, letter, cable->def.name,
                           other->def.name);
    }
    hwCableFeed feed;
    if (hwWorld_FindFeeder(world, def->cables[side], end, &feed)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "cables", "%s: end %c of `%s` is on winch `%s`",
                           name, letter, cable->def.name, feed.name);
    }
    return HW_OK;
}

static const hwCableSectionDef* GetEndSection(const hwCableObject* cable, int end) {
    return &cable->def.sections[end == 0 ? 0 : cable->def.sectionCount - 1];
}

static hwStatus CheckSheave(const hwWorld* world, const hwSheaveDef* def, hwError* error) {
    if (def == NULL || def->cookie != HW_SHEAVE_COOKIE) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the sheave def was not made by hwDefaultSheaveDef");
    }
    const char* name = def->name;
    hwStatus status = hwWorld_CheckName(world, name, error);
    for (int s = 0; s < 2 && status == HW_OK; ++s) status = CheckSide(world, def, s, error);
    if (status != HW_OK) return status;
    const hwCableObject* a = hwWorld_GetCable(world, def->cables[0]);
    const hwCableObject* b = hwWorld_GetCable(world, def->cables[1]);
    if (a == b && def->ends[0] == def->ends[1]) {
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "ends",
                           "%s: a sheave joins two ends, not one with itself", name);
    }
    const hwCableEndDef *endA = &a->def.ends[def->ends[0]], *endB = &b->def.ends[def->ends[1]];
    double gap = hwDistance(endA->at, endB->at);
    if (!HW_SAME_ID(endA->body, endB->body) || gap > 1e-9 * (1.0 + hwLength(endA->at))) {
        status =
            hwFailField(error, HW_ERROR_ARGUMENT, name, "cables",
                        "%s: the ends of `%s` and `%s` are not in one place", name, a->def.name, b->def.name);
        hwFail_Hint(error, "pin both ends at the same point of a body or of the earth");
        return status;
    }
    const hwCableSectionDef *from = GetEndSection(a, def->ends[0]), *to = GetEndSection(b, def->ends[1]);
    if (from->massPerLength != to->massPerLength || from->EA != to->EA || from->diameter != to->diameter) {
        return hwFailField(
            error, HW_ERROR_ARGUMENT, name, "cables",
            "%s: `%s` and `%s` are of different material there; what leaves one must fit the other", name,
            a->def.name, b->def.name);
    }
    const struct {
        const char* field;
        double value;
    } numbers[] = {{"inertia", def->inertia},
                   {"radius", def->radius},
                   {"friction", def->friction},
                   {"bearing", def->bearing}};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
        if (isfinite(numbers[i].value) && numbers[i].value >= 0.0) continue;
        return hwFailField(error, HW_ERROR_ARGUMENT, name, numbers[i].field,
                           "%s: inertia, radius, friction and bearing must be finite and not negative", name);
    }
    if (def->inertia > 0.0 && !(def->radius > 0.0)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, name, "radius",
                           "%s: a wheel with inertia needs a radius", name);
    }
    return HW_OK;
}

hwSheaveId hwWorld_AddSheave(hwWorld* world, const hwSheaveDef* def, hwError* error) {
    hwSheaveId none = {0, 0};
    hwClearError(error);
    if (CheckSheave(world, def, error) != HW_OK) return none;
    hwSheaveObject* sheave = hwAllocate(&world->allocator, sizeof(*sheave) + strlen(def->name) + 1);
    uint32_t index = 0;
    if (sheave != NULL) {
        sheave->def = *def;
        sheave->def.name = strcpy((char*)(sheave + 1), def->name);
        sheave->index = -1;
        index = hwPool_Add(&world->sheaves, &world->allocator, sheave);
    }
    if (index == 0) {
        hwFail_Memory(error, def->name);
        hwRelease(&world->allocator, sheave);
        return none;
    }
    sheave->id.index = index;
    sheave->id.generation = world->sheaves.generations[index - 1];
    hwWorld_Unprepare(world);
    return sheave->id;
}

hwStatus hwWorld_RemoveSheave(hwWorld* world, hwSheaveId id, hwError* error) {
    hwClearError(error);
    if (GetSheave(world, id) == NULL) return BadSheave(error);
    hwRelease(&world->allocator, hwPool_Remove(&world->sheaves, id.index));
    hwWorld_Unprepare(world);
    return HW_OK;
}

hwSheaveId hwWorld_FindSheave(const hwWorld* world, const char* name) {
    hwSheaveId none = {0, 0};
    if (name == NULL) return none;
    for (int i = 0; i < world->sheaves.slots; ++i) {
        const hwSheaveObject* sheave = world->sheaves.items[i];
        if (sheave != NULL && strcmp(sheave->def.name, name) == 0) return sheave->id;
    }
    return none;
}

static void DropSheaves(hwWorld* world, hwCableId cable) {
    for (int i = 0; i < world->sheaves.slots; ++i) {
        const hwSheaveObject* sheave = world->sheaves.items[i];
        if (sheave == NULL) continue;
        if (!HW_SAME_ID(sheave->def.cables[0], cable) && !HW_SAME_ID(sheave->def.cables[1], cable)) continue;
        hwRelease(&world->allocator, hwPool_Remove(&world->sheaves, (uint32_t)i + 1));
    }
}

static hwStatus CopySheaves(hwWorld* branch, const hwWorld* world, hwError* error) {
    for (int i = 0; i < world->sheaves.slots; ++i) {
        const hwSheaveObject* sheave = world->sheaves.items[i];
        if (sheave != NULL && HW_IS_NULL(hwWorld_AddSheave(branch, &sheave->def, error)))
            return HW_ERROR_MEMORY;
    }
    if (!hwPool_Mirror(&branch->sheaves, &world->sheaves, &branch->allocator))
        return hwFail_Memory(error, NULL);
    for (int i = 0; i < world->sheaves.slots; ++i) {
        if (world->sheaves.items[i] == NULL) continue;
        ((hwSheaveObject*)branch->sheaves.items[i])->id =
            ((const hwSheaveObject*)world->sheaves.items[i])->id;
    }
    return HW_OK;
}

hwStatus hwSheave_GetState(const hwWorld* world, hwSheaveId id, hwSheaveState* out, hwError* error) {
    hwClearError(error);
    const hwSheaveObject* sheave = GetSheave(world, id);
    if (sheave == NULL) return BadSheave(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    hwWorld_Refresh(world);
    const hwSheaveModel* model = &world->model.sheaves->items[sheave->index];
    const hwSheaveTools* tools = &world->work->sheaves->items[sheave->index];
    out->rate = world->state.v[model->freedom];
    out->passed = world->state.q[model->coordinate];
    out->angle = tools->angle;
    for (int s = 0; s < 2; ++s) out->tension[s] = tools->sides[s].boundary.tension;
    return HW_OK;
}

// Model and state --------------------------------------------------------------------------------------------------------

// Length that may come through sheaves at an end of a cable, m.
static double GetLengthBehind(const hwWorld* world, const hwCableObject* cable, int end) {
    double length = 0.0;
    int side;
    hwCableId id = cable->id;
    const hwSheaveObject* sheave;
    while ((sheave = FindSheaveAt(world, id, end, &side)) != NULL) {
        id = sheave->def.cables[1 - side];
        end = 1 - sheave->def.ends[1 - side];
        if (HW_SAME_ID(id, cable->id)) break;
        const hwCableObject* next = hwWorld_GetCable(world, id);
        for (int i = 0; i < next->def.sectionCount; ++i) length += next->def.sections[i].length;
        for (int i = 0; i < HW_PART_COUNT; ++i) {
            const hwCableHooks* others = hwPartsByLayout[i]->cables;
            if (others != NULL && others->getMore != NULL) length += others->getMore(world, next);
        }
    }
    return length;
}

static void LaySheaves(const hwWorld* world, hwArena* arena, hwModel* model) {
    model->sheaves->count = 0;
    for (int i = 0; i < world->sheaves.slots; ++i) model->sheaves->count += world->sheaves.items[i] != NULL;
    model->sheaves->items = HW_TAKE(arena, hwSheaveModel, model->sheaves->count);
}

static void FillSheaves(const hwWorld* world, hwModel* model) {
    int next = 0;
    for (int i = 0; i < world->sheaves.slots; ++i) {
        hwSheaveObject* sheave = world->sheaves.items[i];
        if (sheave == NULL) continue;
        const hwSheaveDef* def = &sheave->def;
        const hwCableObject* cable = hwWorld_GetCable(world, def->cables[0]);
        model->sheaves->items[next++] =
            (hwSheaveModel){.object = sheave,
                            .coordinate = model->coordinateCount++,
                            .freedom = model->freedomCount++,
                            .slider = model->auxiliaryCount++,
                            .inertia = def->inertia > 0.0 ? def->inertia / (def->radius * def->radius) : 0.0,
                            .stick = GetEndSection(cable, def->ends[0])->EA / STICK_LENGTH};
    }
}

static void LaySheavesWork(const hwModel* model, hwArena* arena, hwWork* work) {
    int count = model->sheaves->count;
    work->sheaves->items = HW_TAKE(arena, hwSheaveTools, count);
    work->sheaves->at = HW_TAKE(arena, int, 2 * model->cables->count);
    work->sheaves->rhs = HW_TAKE(arena, double, count);
}

static void LayFactors(const hwModel* model, hwArena* arena, hwWork* work) {
    int count = model->sheaves->count, things = model->forest.linkCount + model->cables->count;
    hwSheaveGroups* groups = &work->sheaves->groups;
    groups->root = HW_TAKE(arena, int, things);
    groups->number = HW_TAKE(arena, int, things);
    groups->first = HW_TAKE(arena, int, count + 1);
    groups->members = HW_TAKE(arena, int, count);
    groups->ranges = HW_TAKE(arena, hwFreedomRange, things);
    work->sheaves->columns = HW_TAKE(arena, double, (size_t)count*(size_t)model->freedomCount);
    work->sheaves->matrix = HW_TAKE(arena, double, (size_t)count*(size_t)count);
    work->sheaves->order = HW_TAKE(arena, int, count);
    work->sheaves->ownRhs = HW_TAKE(arena, double, count);
    work->sheaves->ownX = HW_TAKE(arena, double, count);
}

static void CarrySheaves(const hwWorld* world, hwModel* model, hwState* state) {
    for (int k = 0; k < model->sheaves->count; ++k) {
        int before = model->sheaves->items[k].object->index;
        if (world->model.block == NULL || before < 0 || before >= world->model.sheaves->count) continue;
        const hwSheaveModel *was = &world->model.sheaves->items[before], *is = &model->sheaves->items[k];
        if (was->object != is->object) continue;
        state->q[is->coordinate] = world->state.q[was->coordinate];
        state->v[is->freedom] = world->state.v[was->freedom];
        state->z[is->slider] = world->state.z[was->slider];
    }
}

// Which sheave is at which end of which slot.
static void NoteEnds(hwWorld* world) {
    int* at = world->work->sheaves->at;
    for (int i = 0; i < 2 * world->model.cables->count; ++i) at[i] = -1;
    for (int k = world->model.sheaves->count - 1; k >= 0; --k) {
        const hwSheaveStore* store = &world->state.sheaves->items[k];
        for (int s = 1; s >= 0; --s) at[2 * store->slot[s] + store->end[s]] = k;
    }
}

static hwStatus StartSheaves(hwWorld* world, hwError* error) {
    (void)error;
    for (int k = 0; k < world->model.sheaves->count; ++k) {
        const hwSheaveModel* sheave = &world->model.sheaves->items[k];
        hwSheaveStore* store = &world->state.sheaves->items[k];
        sheave->object->index = k;
        for (int s = 0; s < 2; ++s) {
            int slot = hwWorld_GetCable(world, sheave->object->def.cables[s])->slot;
            int end = sheave->object->def.ends[s];
            const hwCableStore* cable = &world->state.cables->stores[slot];
            store->slot[s] = slot;
            store->end[s] = end;
            // what has passed changes both coordinates by as much; their sum never drifts
            double direction = (s == 0 ? -1.0 : 1.0) * (end == 0 ? -1.0 : 1.0);
            store->offset[s] = cable->material[end == 0 ? 0 : cable->core->nodes - 1] -
                               direction * world->state.q[sheave->coordinate];
        }
    }
    NoteEnds(world);
    return HW_OK;
}

// The sheave at an end of a slot, or -1.
static int GetSheaveAt(const hwWorld* world, int slot, int end) {
    return world->work->sheaves->at[2 * slot + end];
}

static void MoveSheaves(hwWorld* world, int slot, int part) {
    for (int k = 0; k < world->model.sheaves->count; ++k) {
        hwSheaveStore* store = &world->state.sheaves->items[k];
        for (int s = 0; s < 2; ++s) {
            if (store->slot[s] == slot && store->end[s] == 1) store->slot[s] = part;
        }
    }
    NoteEnds(world);
}

// Forces -----------------------------------------------------------------------------------------------------------------

static double GetSign(int side) {
    return side == 0 ? -1.0 : 1.0;
}

static void FeedCable(const hwWorld* world, int slot, const hwEvaluation* e) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    for (int end = 0; end < 2; ++end) {
        int k = GetSheaveAt(world, slot, end);
        if (k < 0) continue;
        const hwSheaveStore* store = &world->state.sheaves->items[k];
        const hwSheaveModel* model = &world->model.sheaves->items[k];
        int s = store->slot[0] == slot && store->end[0] == end ? 0 : 1;
        double direction = GetSign(s) * (end == 0 ? -1.0 : 1.0);
        tools->state.material[end == 0 ? 0 : tools->state.core->nodes - 1] =
            store->offset[s] + direction * e->q[model->coordinate];
        tools->input.ends[end].payout = GetSign(s) * e->v[model->freedom];
        tools->slides[end] = (hwEndSlide){.freedom = model->freedom, .sign = GetSign(s)};
    }
}

// Material velocities at the two nodes of a boundary element, and the rates of payout there.
typedef struct Slide {
    double g0, g1;
    hwVec3 v0, v1, u0, u1;
} Slide;

static Slide GetSlide(const hwCableTools* tools, int end, const hwCableBoundary* b) {
    Slide slide = {.v0 = tools->state.velocity[b->outer], .v1 = tools->state.velocity[b->inner]};
    slide.g0 = tools->input.ends[end].payout;
    slide.g1 = tools->work.nodes == 2 ? tools->input.ends[1 - end].payout : 0.0;
    slide.u0 = hwMulAdd(slide.v0, slide.g0 * b->slide, b->into);
    slide.u1 = hwMulAdd(slide.v1, -slide.g1 * b->slide, b->into);
    return slide;
}

// Force on the flow from one side, and the centrifugal force on the sheave; with the step `h` their implicit terms.
static double AddSide(hwCableTools* tools, int end, hwSheaveSide* side, double h, double* kinetic,
                      double* diagonal) {
    const hwCableBoundary* b = &side->boundary;
    const double S = hwCableMassShare, K = hwCableMassCoupling, l = b->slide;
    Slide m = GetSlide(tools, end, b);
    double perLength = b->mass / b->rest;
    hwVec3 i = b->into, apart = hwSub(m.u1, m.u0);
    hwVec3 p0 = hwAdd(hwScale(S, m.u0), hwScale(K, m.u1)), p1 = hwAdd(hwScale(S, m.u1), hwScale(K, m.u0));
    double share = S * m.g0 - K * m.g1;
    double quadratic = l * ((2.0 * m.g0 + m.g1) * hwDot(i, p0) - m.g1 * hwDot(i, p1)) + hwDot(apart, p0) -
                       0.5 * (hwDot(m.u0, p0) + hwDot(m.u1, p1)) + l * hwDot(i, apart) * share;
    hwVec3 flux = hwScale(-2.0 * perLength * m.g0, p0);
    tools->work.force[b->outer] = hwAdd(tools->work.force[b->outer], flux);
    tools->flux[end] = flux;
    double along = m.g0 * l, other = -m.g1 * l;
    *kinetic += 0.5 * b->inertia *
                (S * (2.0 * along * hwDot(m.v0, i) + along * along) + 2.0 * K * along * hwDot(m.v1, i) +
                 K * along * other);

    // derivatives of the above and of the nodes' flux S mu g0 (u0 - u1) with the flow and the nodes' velocities
    double scale = h * side->sign * perLength;
    hwVec3 byFlow = hwSub(hwScale(S * m.g0 * l, i), hwScale(S, apart));
    side->column[1] = hwScale(-scale, byFlow);
    side->column[0] = hwMulAdd(side->column[1], 2.0 * scale, hwMulAdd(p0, m.g0 * S * l, i));
    double onInner = K * (2.0 * m.g0 + m.g1) - S * m.g1 + share,
           onOuter = S * (2.0 * m.g0 + m.g1) - K * m.g1 - share;
    hwVec3 byInner = hwMulAdd(hwSub(hwMulAdd(p0, K, apart), p1), l * onInner, i);
    hwVec3 byOuter = hwMulAdd(hwMulAdd(hwScale(-2.0, p0), S, apart), l * onOuter, i);
    side->row[1] = hwScale(scale, byInner);
    side->row[0] = hwScale(scale, byOuter);
    *diagonal += h * perLength * l * (2.0 * hwDot(i, p0) + S * hwDot(i, apart) + hwDot(byOuter, i));
    return -side->sign * (b->cost + perLength * quadratic);
}

// The last element of a side that has almost gone through stops the flow: a hook drawn up to its sheave.
static double Sheave_Stop(const hwWorld* world, const hwCableTools* cable, const hwSheaveSide* side,
                          double rate, double* diagonal, double matrix) {
    const hwCableBoundary* b = &side->boundary;
    double depth = b->shortest - b->rest;
    if (cable->work.nodes > 2 || !(depth > 0.0)) return 0.0;
    double stiffness = b->stiffness > 0.0 ? b->stiffness : cable->work.model->sections[0].EA / b->shortest;
    world->work->springs += 0.5 * stiffness * depth * depth;
    world->work->powers.stored -= side->sign * stiffness * depth * rate;
    *diagonal += matrix * matrix * stiffness;
    return side->sign * stiffness * depth;
}

static double GetWrapAngle(hwVec3 a, hwVec3 b) {
    return hwAtan2(hwLength(hwCross(a, b)), -hwDot(a, b));
}

// Friction on the flow; sets what it leans on when it slides, or its own stiffness while it sticks.
static double Sheave_Rub(const hwWorld* world, const hwSheaveModel* model, hwSheaveTools* tools, double w,
                         const double* zBase, double hd, double matrix) {
    const hwSheaveDef* def = &model->object->def;
    hwWork* work = world->work;
    hwSheaveSide* sides = tools->sides;
    hwSheaveLaw law = {def->friction, def->bearing, model->stick};
    hwSheaveInput in = {.tension = {sides[0].boundary.tension, sides[1].boundary.tension},
                        .into = {sides[0].boundary.into, sides[1].boundary.into},
                        .angle = tools->angle,
                        .rate = w,
                        .base = zBase[model->slider],
                        .hd = hd};
    hwSheaveOutput out;
    hwSheaveLaw_Rub(&law, &in, &out);
    work->z[model->slider] = out.z;
    work->zdot[model->slider] = out.zdot;
    work->springs += out.elastic;
    work->powers.stored += out.storing;
    work->powers.dissipation += out.dissipation;
    tools->diagonal += matrix * matrix * out.stiffness + matrix * out.damping;
    for (int s = 0; s < 2; ++s) sides[s].lean = out.lean[s];
    return out.force;
}

static void EvaluateSheaves(const hwWorld* world, const hwEvaluation* e) {
    double step = e->matrix ? e->step : 0.0;
    for (int k = 0; k < world->model.sheaves->count; ++k) {
        const hwSheaveModel* model = &world->model.sheaves->items[k];
        const hwSheaveStore* store = &world->state.sheaves->items[k];
        hwSheaveTools* tools = &world->work->sheaves->items[k];
        double w = e->v[model->freedom];
        tools->force = tools->diagonal = 0.0;
        tools->kinetic = 0.5 * model->inertia * w * w;
        for (int s = 0; s < 2; ++s) {
            hwCableTools* cable = &world->work->cables->tools[store->slot[s]];
            hwSheaveSide* side = &tools->sides[s];
            side->boundary = hwCableWork_GetBoundary(&cable->work, store->end[s]);
            side->boundary.cost += cable->contact.cost[store->end[s]];
            side->sign = GetSign(s);
            side->lean = 0.0;
            cable->slides[store->end[s]].slide = side->boundary.slide;
            cable->slides[store->end[s]].into = side->boundary.into;
            side->tension = step * (step * side->boundary.stiffness + side->boundary.damping);
            tools->force += AddSide(cable, store->end[s], side, step, &tools->kinetic, &tools->diagonal);
            tools->force += Sheave_Stop(world, cable, side, w, &tools->diagonal, step);
        }
        tools->angle = GetWrapAngle(tools->sides[0].boundary.into, tools->sides[1].boundary.into);
        tools->held = 0.0;
        world->work->z[model->slider] = e->zBase[model->slider];
        world->work->zdot[model->slider] = 0.0;
        if (model->object->def.friction > 0.0 || model->object->def.bearing > 0.0) {
            tools->held = Sheave_Rub(world, model, tools, w, e->zBase, e->hd, step);
        }
        tools->force -= tools->held;
    }
}

static void SumSheaveEnergy(const hwWorld* world, hwEnergySum* sum) {
    for (int k = 0; k < world->model.sheaves->count; ++k)
        sum->energy.kinetic += world->work->sheaves->items[k].kinetic;
}

// Inertia ----------------------------------------------------------------------------------------------------------------

static void ComputeResiduals(const hwWorld* world, const double* a, double* residual, hwWideSpatial* loads) {
    (void)loads;
    for (int k = 0; k < world->model.sheaves->count; ++k) {
        const hwSheaveModel* model = &world->model.sheaves->items[k];
        const hwSheaveStore* store = &world->state.sheaves->items[k];
        const hwSheaveTools* tools = &world->work->sheaves->items[k];
        double r = tools->force - model->inertia * a[model->freedom];
        for (int s = 0; s < 2; ++s) {
            hwCableTools* cable = &world->work->cables->tools[store->slot[s]];
            const hwSheaveSide* side = &tools->sides[s];
            const hwCableBoundary* b = &side->boundary;
            cable->work.input.ends[store->end[s]].acceleration =
                side->sign * a[model->freedom]; // for its audit
            // the material's, see hwEndSlide; a winch's own change at the far end of a single element
            double a0 = hwDot(b->into, cable->acceleration[b->outer]);
            double a1 = hwDot(b->into, cable->acceleration[b->inner]);
            if (cable->work.nodes == 2) a1 -= b->slide * cable->input.ends[1 - store->end[s]].acceleration;
            r -= side->sign * b->slide * b->inertia * (hwCableMassShare * a0 + hwCableMassCoupling * a1);
        }
        residual[model->freedom] = r;
    }
}

// The border of the matrix -----------------------------------------------------------------------------------------------

// What a node's row of the matrix is: a node by itself, the end of a cable on a link that moves, or nothing.
static bool IsAttached(const hwWorld* world, int slot, int node, int* end) {
    const hwCableStore* store = &world->state.cables->stores[slot];
    *end = node == 0 ? 0 : 1;
    bool last = node == store->core->nodes - 1;
    return (node == 0 || last) && store->ends[*end].joint != HW_ATTACH_FREE;
}

static void AddAt(const hwWorld* world, int slot, int node, hwVec3 f, double* b, hwWideSpatial* loads) {
    int end;
    if (!IsAttached(world, slot, node, &end)) {
        hwVec3* row = (hwVec3*)(void*)(b + world->model.cables->slots[slot].freedom) + node;
        *row = hwAdd(*row, f);
        return;
    }
    const hwCableTools* tools = &world->work->cables->tools[slot];
    if (!tools->input.ends[end].unknown) return;
    int link = world->state.cables->stores[slot].ends[end].link;
    loads[link].l += hwWide_FromVec3(f);
    loads[link].a += hwWide_FromVec3(hwCross(tools->ends[end].arm, f));
}

// The motion of a node in a solution x whose links' motions are in the forest's increments.
static hwVec3 ReadAt(const hwWorld* world, int slot, int node, const double* x) {
    int end;
    if (!IsAttached(world, slot, node, &end)) {
        return ((const hwVec3*)(const void*)(x + world->model.cables->slots[slot].freedom))[node];
    }
    const hwCableTools* tools = &world->work->cables->tools[slot];
    if (!tools->input.ends[end].unknown) return hwVec3_zero;
    hwWideSpatial inc = world->work->forest.increment[world->state.cables->stores[slot].ends[end].link];
    return hwWide_ToVec3(inc.l + hwWide_Cross(inc.a, hwWide_FromVec3(tools->ends[end].arm)));
}

// Which part of the equations: M, K, or M + hd D + hd^2 K.
typedef enum Part { PART_MASS, PART_STIFFNESS, PART_IMPLICIT } Part;

static double GetTerm(const hwSheaveSide* side, Part part) {
    if (part == PART_MASS) return 0.0;
    return part == PART_STIFFNESS ? side->boundary.stiffness : side->tension;
}

static double GetInertia(const hwSheaveSide* side, Part part) {
    return part == PART_STIFFNESS ? 0.0 : side->boundary.inertia * side->boundary.slide;
}

// Adds `scale` times the column of flow k.
static void AddColumn(const hwWorld* world, int k, Part part, double scale, double* b, hwWideSpatial* loads) {
    const hwSheaveStore* store = &world->state.sheaves->items[k];
    for (int s = 0; s < 2; ++s) {
        const hwSheaveSide* side = &world->work->sheaves->items[k].sides[s];
        double inertia = GetInertia(side, part), term = GetTerm(side, part), factor = scale * side->sign;
        hwVec3 inner = hwScale(factor * (hwCableMassCoupling * inertia - term), side->boundary.into);
        hwVec3 outer = hwScale(factor * (hwCableMassShare * inertia + term), side->boundary.into);
        double slide = part == PART_IMPLICIT ? scale : 0.0;
        AddAt(world, store->slot[s], side->boundary.inner, hwMulAdd(inner, slide, side->column[1]), b, loads);
        AddAt(world, store->slot[s], side->boundary.outer, hwMulAdd(outer, slide, side->column[0]), b, loads);
    }
}

// Row of flow k times x.
static double MultiplyRow(const hwWorld* world, int k, Part part, const double* x) {
    const hwSheaveStore* store = &world->state.sheaves->items[k];
    double sum = 0.0;
    for (int s = 0; s < 2; ++s) {
        const hwSheaveSide* side = &world->work->sheaves->items[k].sides[s];
        const hwCableBoundary* b = &side->boundary;
        double inertia = side->sign * GetInertia(side, part);
        double term = (side->sign - side->lean / b->stretch) * GetTerm(side, part);
        hwVec3 inner = ReadAt(world, store->slot[s], b->inner, x),
               outer = ReadAt(world, store->slot[s], b->outer, x);
        sum += (hwCableMassCoupling * inertia - term) * hwDot(b->into, inner) +
               (hwCableMassShare * inertia + term) * hwDot(b->into, outer);
        if (part == PART_IMPLICIT) sum += hwDot(side->row[1], inner) + hwDot(side->row[0], outer);
    }
    return sum;
}

// What flow j does directly to flow k: itself, and another through a single element between two sheaves.
static double GetOwn(const hwWorld* world, int k, int j, Part part) {
    const hwSheaveTools *a = &world->work->sheaves->items[k], *b = &world->work->sheaves->items[j];
    const hwSheaveStore *storeA = &world->state.sheaves->items[k], *storeB = &world->state.sheaves->items[j];
    double sum = 0.0;
    if (k == j && part != PART_STIFFNESS) sum += world->model.sheaves->items[k].inertia;
    if (k == j && part == PART_IMPLICIT) sum += a->diagonal;
    for (int s = 0; s < 2; ++s) {
        for (int t = 0; t < 2; ++t) {
            if (storeA->slot[s] != storeB->slot[t]) continue;
            bool same = k == j && s == t;
            if (!same && world->work->cables->tools[storeA->slot[s]].work.nodes > 2) continue;
            const hwSheaveSide *x = &a->sides[s], *y = &b->sides[t];
            double share = same ? hwCableMassShare : -hwCableMassCoupling; // their directions are opposite
            sum += x->sign * y->sign * share * GetInertia(x, part) * x->boundary.slide;
            sum += (x->sign * x->boundary.stretch - x->lean) * y->sign * GetTerm(x, part);
        }
    }
    return sum;
}

// The part of `time` at the rates `step` that takes no more than half of an element over a sheave.
static double ShareFlows(const hwWorld* world, const double* step, double time) {
    double part = 1.0;
    for (int k = 0; k < world->model.sheaves->count; ++k) {
        double way = time * fabs(step[world->model.sheaves->items[k].freedom]);
        for (int s = 0; s < 2; ++s) {
            double half = 0.5 * world->work->sheaves->items[k].sides[s].boundary.rest;
            if (way > half) part = hwFmin(part, half / way);
        }
    }
    return part;
}

static double LimitFlows(hwWorld* world, const hwMode* mode, double* q, const double* step) {
    (void)mode;
    (void)q;
    return ShareFlows(world, step, 1.0);
}

// A correction that draws whole elements over a sheave leads to where nothing of what it was solved for holds.
static double LimitFlowCorrection(const hwWorld* world, double hd) {
    return ShareFlows(world, world->work->step, hd);
}

static int CountMembers(const hwSheaveGroups* groups, int g) {
    return groups->first[g + 1] - groups->first[g];
}

// The columns of the flows number `turn` of all groups.
static void SolveColumns(const hwWorld* world, int turn, double* column) {
    const hwSheaveGroups* groups = &world->work->sheaves->groups;
    memset(column, 0, (size_t)world->model.freedomCount * sizeof(double));
    memset(world->work->loads, 0, (size_t)world->model.forest.linkCount * sizeof(hwWideSpatial));
    for (int g = 0; g < groups->count; ++g) {
        if (turn >= CountMembers(groups, g)) continue;
        AddColumn(world, groups->members[groups->first[g] + turn], PART_IMPLICIT, 1.0, column,
                  world->work->loads);
    }
    hwWorld_SolveInside(world, column, column);
    double* matrix = world->work->sheaves->matrix;
    for (int g = 0; g < groups->count; ++g) {
        int count = CountMembers(groups, g);
        const int* members = groups->members + groups->first[g];
        for (int i = 0; i < count && turn < count; ++i) {
            matrix[i * count + turn] = GetOwn(world, members[i], members[turn], PART_IMPLICIT) -
                                       MultiplyRow(world, members[i], PART_IMPLICIT, column);
        }
        matrix += count * count;
    }
}

static hwStatus FactorSheaves(const hwWorld* world, double hd, hwError* error) {
    (void)hd;
    hwSheavesWork* work = world->work->sheaves;
    const hwSheaveGroups* groups = &work->groups;
    hwSheaves_FindGroups(world);
    for (int turn = 0; turn < groups->most; ++turn)
        SolveColumns(world, turn, work->columns + (size_t)turn * (size_t)world->model.freedomCount);
    double* matrix = work->matrix;
    for (int g = 0; g < groups->count; ++g) {
        int count = CountMembers(groups, g);
        if (!hwLu(count, matrix, work->order + groups->first[g])) {
            const char* name =
                world->model.sheaves->items[groups->members[groups->first[g]]].object->def.name;
            hwFail(error, HW_ERROR_NUMERIC, name,
                   "%s: what moves with the cable over the sheave has no inertia", name);
            hwFail_At(error, -1, world->state.header->time);
            return HW_ERROR_NUMERIC;
        }
        matrix += count * count;
    }
    return HW_OK;
}

static void CorrectForFlows(const hwWorld* world, double* x) {
    hwSheavesWork* work = world->work->sheaves;
    const hwSheaveGroups* groups = &work->groups;
    int count = world->model.sheaves->count, freedoms = world->model.freedomCount;
    for (int i = 0; i < count; ++i) {
        int k = groups->members[i];
        work->ownRhs[i] = work->rhs[k] - MultiplyRow(world, k, PART_IMPLICIT, x);
    }
    const double* matrix = work->matrix;
    for (int g = 0; g < groups->count; ++g) {
        int first = groups->first[g], size = CountMembers(groups, g);
        hwLuSolve(size, matrix, work->order + first, work->ownRhs + first, work->ownX + first);
        matrix += size * size;
    }
    for (int r = 0; r < groups->rangeCount; ++r) {
        const hwFreedomRange* range = &groups->ranges[r];
        int size = CountMembers(groups, range->group);
        for (int turn = 0; turn < size; ++turn) {
            const double* column = work->columns + (size_t)turn * (size_t)freedoms + range->first;
            double rate = work->ownX[groups->first[range->group] + turn];
            for (int i = 0; i < range->count; ++i) x[range->first + i] -= rate * column[i];
        }
    }
    for (int i = 0; i < count; ++i)
        x[world->model.sheaves->items[groups->members[i]].freedom] = work->ownX[i];
}

// The sheaves at the ends of the two sides of flow k, each once; their number.
static int FindNeighbours(const hwWorld* world, int k, int found[4]) {
    int count = 0;
    for (int i = 0; i < 4; ++i) {
        int j = GetSheaveAt(world, world->state.sheaves->items[k].slot[i / 2], i % 2);
        bool known = j < 0;
        for (int m = 0; m < count; ++m) known = known || found[m] == j;
        if (!known) found[count++] = j;
    }
    return count;
}

static void Multiply(const hwWorld* world, Part part, const double* x, double* y, hwWideSpatial* loads) {
    for (int k = 0; k < world->model.sheaves->count; ++k) {
        int freedom = world->model.sheaves->items[k].freedom, found[4];
        AddColumn(world, k, part, x[freedom], y, loads);
        double sum = MultiplyRow(world, k, part, x);
        int count = FindNeighbours(world, k, found);
        for (int i = 0; i < count; ++i)
            sum += GetOwn(world, k, found[i], part) * x[world->model.sheaves->items[found[i]].freedom];
        y[freedom] = sum;
    }
}

static void MultiplyMass(const hwWorld* world, const double* x, double* y, hwWideSpatial* loads) {
    Multiply(world, PART_MASS, x, y, loads);
}

static void MultiplyStiffness(const hwWorld* world, const double* x, double* y, hwWideSpatial* loads) {
    Multiply(world, PART_STIFFNESS, x, y, loads);
}

// The part -------------------------------------------------------------------------------------------------------------------

static bool HasSheaves(const hwModel* model) {
    return model->sheaves->count > 0;
}

static void LaySheavesState(const hwModel* model, hwArena* arena, hwState* state) {
    state->sheaves->items = HW_TAKE(arena, hwSheaveStore, model->sheaves->count);
}

static void BeginSolve(const hwWorld* world, const double* b) {
    for (int k = 0; k < world->model.sheaves->count; ++k)
        world->work->sheaves->rhs[k] = b[world->model.sheaves->items[k].freedom];
}

// Largest |x| of the flows.
static double MeasureFlows(const hwWorld* world, const double* x) {
    double largest = 0.0;
    for (int k = 0; k < world->model.sheaves->count; ++k)
        hwVector_Grow(&largest, fabs(x[world->model.sheaves->items[k].freedom]));
    return largest;
}

#define FLOW_TOLERANCE 1e-7 // Newton's last correction of a flow, of the largest one

static void MeasureFlowChange(const hwWorld* world, double hd, hwNewtonChange* change) {
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    double flow = hwFmax(MeasureFlows(world, world->work->v), hd * gravity) + HW_SLOWEST;
    hwVector_Grow(&change->all, MeasureFlows(world, world->work->step) / (FLOW_TOLERANCE * flow));
}

static double MeasureFlowError(const hwWorld* world, double h, const double* error, const double* undamped,
                               double share) {
    (void)h;
    double flow =
        hwFmax(MeasureFlows(world, world->work->v), MeasureFlows(world, world->work->v0)) + HW_SLOWEST;
    double ratio = MeasureFlows(world, error) / flow;
    hwVector_Grow(&ratio, share * (MeasureFlows(world, undamped) / flow));
    return ratio;
}

static bool NameFlow(const hwWorld* world, int freedom, hwFreedomName* name) {
    for (int k = 0; k < world->model.sheaves->count; ++k) {
        if (freedom != world->model.sheaves->items[k].freedom) continue;
        name->object = world->model.sheaves->items[k].object->def.name;
        return true;
    }
    return false;
}

static bool FindFeeder(const hwWorld* world, hwCableId cable, int end, hwCableFeed* feed) {
    const hwSheaveObject* sheave = FindSheaveAt(world, cable, end, NULL);
    if (sheave == NULL) return false;
    *feed = (hwCableFeed){.name = sheave->def.name, .passes = true};
    return true;
}

static bool FindFeed(const hwWorld* world, int slot, int end, hwCableFeed* feed) {
    int k = GetSheaveAt(world, slot, end);
    if (k < 0) return false;
    *feed = (hwCableFeed){.name = world->model.sheaves->items[k].object->def.name,
                          .passes = true,
                          .rate = world->work->cables->tools[slot].input.ends[end].payout};
    return true;
}

// One end's reserve is room for both.
static void ReserveSheave(const hwWorld* world, const hwCableObject* cable, double reserve[2]) {
    double behind = GetLengthBehind(world, cable, 0) + GetLengthBehind(world, cable, 1);
    int end = FindSheaveAt(world, cable->id, 0, NULL) != NULL ? 0 : 1;
    if (behind > 0.0) reserve[end] = hwFmax(reserve[end], behind);
}

static const hwCableHooks hooks = {.findFeeder = FindFeeder,
                                   .reserve = ReserveSheave,
                                   .drop = DropSheaves,
                                   .findFeed = FindFeed,
                                   .feed = FeedCable,
                                   .cut = MoveSheaves};

static double ReadSheaveRate(const hwWorld* world, int index, int component) {
    (void)component;
    return world->state.v[world->model.sheaves->items[index].freedom];
}

static double ReadSheavePassed(const hwWorld* world, int index, int component) {
    (void)component;
    return world->state.q[world->model.sheaves->items[index].coordinate];
}

static double ReadSheaveAngle(const hwWorld* world, int index, int component) {
    (void)component;
    return world->work->sheaves->items[index].angle;
}

static const hwChannelRow sheaveRows[] = {{"rate", "m/s", ReadSheaveRate, 0},
                                          {"passed", "m", ReadSheavePassed, 0},
                                          {"angle", "rad", ReadSheaveAngle, 0}};

static void AddSheaveChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model) {
    (void)world;
    for (int k = 0; k < model->sheaves->count; ++k)
        hwTable_AddChannels(builder, model->sheaves->items[k].object->def.name, HW_ROW_COUNT(sheaveRows),
                            sheaveRows, k);
}

const hwPart hwSheavesPart = {.name = "sheaves",
                              .model = HW_SLICE(hwModel, sheaves),
                              .state = HW_SLICE(hwState, sheaves),
                              .work = HW_SLICE(hwWork, sheaves),
                              .cables = &hooks,
                              .numbers = {offsetof(hwWorld, sheaves), offsetof(hwSheaveObject, index)},
                              .copy = CopySheaves,
                              .layModel = LaySheaves,
                              .fillModel = FillSheaves,
                              .isPresent = HasSheaves,
                              .layState = LaySheavesState,
                              .layWork = LaySheavesWork,
                              .layCaches = LayFactors,
                              .addChannels = AddSheaveChannels,
                              .carry = CarrySheaves,
                              .start = StartSheaves,
                              .refresh = NoteEnds,
                              .evaluate = EvaluateSheaves,
                              .residual = ComputeResiduals,
                              .factorBorder = FactorSheaves,
                              .beginSolve = BeginSolve,
                              .correct = CorrectForFlows,
                              .multiplyMass = MultiplyMass,
                              .multiplyStiffness = MultiplyStiffness,
                              .measureChange = MeasureFlowChange,
                              .measureError = MeasureFlowError,
                              .limitCorrection = LimitFlowCorrection,
                              .sumEnergy = SumSheaveEnergy,
                              .nameFreedom = NameFlow,
                              .limitMove = LimitFlows};
