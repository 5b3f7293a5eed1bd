// Reading cables: energies, contacts with the bottom, sizes for the solvers, names; and the table of the part.
#include "parts/cables/cables.h"
#include "world/realtime.h"

#include "math/lanes.h"
#include "math/vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

hwCableEnergy hwWorld_GetCableEnergy(const hwWorld* world, int slot) {
    return world->model.cables->slots[slot].ops->getEnergy(world, slot);
}

hwCableNodeEnergy hwWorld_GetNodeEnergy(const hwWorld* world, int slot, int node) {
    return world->model.cables->slots[slot].ops->getNodeEnergy(world, slot, node);
}

static void ReadEnergies(const hwWorld* world) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (hwWorld_HasCable(world, slot))
            world->work->cables->tools[slot].energy = hwWorld_GetCableEnergy(world, slot);
    }
}

static void SumEnergy(const hwWorld* world, hwEnergySum* all) {
    hwEnergy* sum = &all->energy;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwWorld_HasCable(world, slot)) continue;
        const hwCableTools* tools = &world->work->cables->tools[slot];
        const hwCableEnergy* energy = &tools->energy;
        sum->kinetic += energy->kinetic;
        sum->potential += energy->gravity;
        if (hwCables_IsBooked(world, slot))
            all->stored +=
                energy->kinetic + energy->gravity + energy->stretch + energy->bending + energy->torsion;
        double contact = tools->contact.elastic + tools->touch.elastic + tools->rub.elastic;
        sum->elastic += energy->stretch + energy->bending + energy->torsion + contact;
        sum->dissipated -= contact;
        all->endPower += tools->endPower;
        all->found += tools->touch.elastic + tools->rub.elastic;
    }
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        sum->dissipated += world->state.z[world->model.cables->slots[slot].dissipated];
        sum->work += world->state.z[world->model.cables->slots[slot].outside];
    }
}

// Contact --------------------------------------------------------------------------------------------------------------------

bool hwWorld_NodeTouches(const hwWorld* world, int slot, int node) {
    const hwCableTools* tools = &world->work->cables->tools[slot];
    if (hwWorld_MeetsBottom(world, slot) &&
        hwCableWork_LiesOnSeabed(&tools->work, &tools->state, &tools->seabed, node, NULL)) {
        return true;
    }
    HW_EACH_HOOK(world, part, touchesNode) {
        if (part->cables->touchesNode(world, slot, node)) return true;
    }
    return false;
}

double hwWorld_GetWrap(const hwWorld* world, int slot) {
    double sum = 0.0;
    HW_EACH_HOOK(world, part, getWrap) sum += part->cables->getWrap(world, slot);
    return sum;
}

// The underside of a node's part of the cable, on the bottom.
static hwContactView ViewNode(const hwWorld* world, int slot, int node, const hwCableTouchdown* down) {
    const hwCableTools* tools = &world->work->cables->tools[slot];
    int elements = tools->work.nodes - 1;
    const double* radii = hwCableWork_GetRadii(&tools->work);
    double radius = hwFmax(node > 0 ? radii[node - 1] : 0.0, node < elements ? radii[node] : 0.0);
    return (hwContactView){
        .a = world->model.cables->slots[slot].name,
        .b = "seabed",
        .cableA = world->model.cables->slots[slot].object->id,
        .shapeA = -1,
        .shapeB = -1,
        .triangleA = -1,
        .triangleB = hwWorld_FindGroundTriangle(world, tools->state.position[node], radius + down->depth),
        .elementA = node < elements ? node : elements - 1,
        .elementB = -1,
        .point = hwMulAdd(tools->state.position[node], -radius, down->normal),
        .normal = hwNeg(down->normal),
        .force = hwNeg(down->force),
        .elastic = down->elastic,
        .damping = down->damping,
        .volume = down->volume,
        .depth = down->depth,
        .sliding = down->slides};
}

static int ViewCablesOnBottom(const hwWorld* world, hwContactView* views) {
    int count = 0;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwWorld_HasNodes(world, slot) || !hwWorld_MeetsBottom(world, slot)) continue;
        const hwCableTools* tools = &world->work->cables->tools[slot];
        // a part that was cut off in this step touches nothing before its first evaluation
        if (tools->state.position == NULL) continue;
        for (int i = 0; i < tools->work.nodes; ++i) {
            hwCableTouchdown down;
            if (hwCableWork_LiesOnSeabed(&tools->work, &tools->state, &tools->seabed, i, &down))
                views[count++] = ViewNode(world, slot, i, &down);
        }
    }
    return count;
}

static int CountNodes(const hwModel* model) {
    int count = 0;
    for (int k = 0; k < model->cables->count; ++k) count += model->cables->slots[k].model.nodeCapacity;
    return count;
}

// Feeds ----------------------------------------------------------------------------------------------------------------------

bool hwWorld_FindFeeder(const hwWorld* world, hwCableId cable, int end, hwCableFeed* feed) {
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        const hwCableHooks* hooks = hwPartsByLayout[i]->cables;
        if (hooks != NULL && hooks->findFeeder != NULL && hooks->findFeeder(world, cable, end, feed))
            return true;
    }
    return false;
}

bool hwWorld_FindFeed(const hwWorld* world, int slot, int end, hwCableFeed* feed) {
    HW_EACH_HOOK(world, part, findFeed) {
        if (part->cables->findFeed(world, slot, end, feed)) return true;
    }
    return false;
}

double hwWorld_GetEndTension(const hwWorld* world, int slot, int end) {
    return world->model.cables->slots[slot].ops->getEndTension(world, slot, end);
}

// Cables whose nodes have inertia --------------------------------------------------------------------------------------------

static void GetEndLoadOfNodes(const hwWorld* world, int slot, int end, hwVec3* force, hwVec3* moment) {
    const hwCableTools* tools = &world->work->cables->tools[slot];
    *force = hwCableWork_GetEndForce(&tools->work, end, tools->acceleration);
    *moment = tools->work.moment[end];
}

static double GetEndTensionOfNodes(const hwWorld* world, int slot, int end) {
    const hwCableWork* work = &world->work->cables->tools[slot].work;
    return work->tension[end == 0 ? 0 : work->nodes - 2];
}

static hwCableEnergy GetEnergyOfNodes(const hwWorld* world, int slot) {
    return hwCableWork_GetEnergy(&world->work->cables->tools[slot].work);
}

static hwCableNodeEnergy GetNodeEnergyOfNodes(const hwWorld* world, int slot, int node) {
    return hwCableWork_GetNodeEnergy(&world->work->cables->tools[slot].work, node);
}

static hwVec3 GetCurvatureOfNodes(const hwWorld* world, int slot, int node) {
    return hwCableWork_GetCurvature(&world->work->cables->tools[slot].work, node);
}

static double GetForceScaleOfNodes(const hwWorld* world, int slot, double tolerance) {
    const hwCableTools* tools = &world->work->cables->tools[slot];
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    return hwCableWork_GetForceScale(&tools->work, &tools->state, gravity, tolerance);
}

const hwCableOps hwNodesCableOps = {.hasNodes = true,
                                    .getEndLoad = GetEndLoadOfNodes,
                                    .getEndTension = GetEndTensionOfNodes,
                                    .getEnergy = GetEnergyOfNodes,
                                    .getNodeEnergy = GetNodeEnergyOfNodes,
                                    .getCurvature = GetCurvatureOfNodes,
                                    .getForceScale = GetForceScaleOfNodes};

// Sizes for the built-in solver ------------------------------------------------------------------------------------------------

#define NODE_TOLERANCE 1e-5  // Newton's last correction of a cable node's place, of an element's length
#define FORCE_TOLERANCE 0.1  // and of the tension in a stiff one, of the cable's weight
#define FINEST 1e-7          // but not less than this of an element's length
#define SHORT_STAGE 5e-4     // s: in shorter ones a node's velocity counts, which would be anything
#define SPEED_TOLERANCE 1e-6 // there, of the largest velocity of its nodes, is enough
#define TOUCH_TOLERANCE 1e-4 // the same of nodes of a cable that touch something, of its radius
#define STRETCHES 20         // of a cable, in which errors count by their mean squares
// Of a cable that lies on the bottom, with a mesh finer than that, errors count against the way of a step and so many radii, down
// to the tolerance of `hawser run`; with that and 10 cm of diameter, 0.25 mm in a step are no reason for shorter ones. What that
// costs and saves in a storm is in docs/numerics.md.
#define BOTTOM_RADII 10.0
#define BOTTOM_FROM 5e-4

// Largest |x| of a cable's nodes.
static double MeasureCable(const hwWorld* world, int slot, const double* x) {
    return hwVector_GetLargest(3 * world->state.cables->stores[slot].core->nodes,
                               x + world->model.cables->slots[slot].freedom);
}

// Radius of a cable that touches something, else 0.
static double GetContactWay(const hwWorld* world, int slot) {
    double radius = 0.0;
    HW_EACH_HOOK(world, part, getContactWay)
    radius = hwFmax(radius, part->cables->getContactWay(world, slot));
    return radius;
}

// How exactly the nodes of a cable must be placed, of an element's length. Short wires may be so stiff that what does for
// others would be many times their weight: a loose end would rattle with it.
static double GetNodeTolerance(const hwWorld* world, int slot) {
    const hwCableModel* model = &world->model.cables->slots[slot].model;
    const hwCableStore* store = &world->state.cables->stores[slot];
    double from = store->material[0], to = store->material[store->core->nodes - 1], EA = 0.0;
    for (int k = 0; k < model->sectionCount; ++k) EA = hwFmax(EA, model->sections[k].EA * model->axialScale);
    double weight = hwEnvironment_GetDef(world->environment)->gravity * hwCableModel_GetMass(model, from, to);
    return hwClamp(FORCE_TOLERANCE * weight / EA, FINEST, NODE_TOLERANCE);
}

// Length of an element of a cable on average, 0: it has none.
static double GetElement(const hwWorld* world, int slot) {
    int nodes = world->state.cables->stores[slot].core->nodes;
    const double* material = world->state.cables->stores[slot].material;
    return nodes < 2 ? 0.0 : (material[nodes - 1] - material[0]) / (nodes - 1);
}

static void MeasureChange(const hwWorld* world, double hd, hwNewtonChange* change) {
    const hwWork* work = world->work;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        double element = GetElement(world, slot);
        if (!(element > 0.0)) continue;
        // blocks of cables without inertia do not sum to zero as their forces do: it would make momentum
        if (!hwWorld_HasNodes(world, slot)) change->strict = true;
        double least = GetNodeTolerance(world, slot) * element * hwFmin(hd / SHORT_STAGE, 1.0);
        if (hd < SHORT_STAGE)
            least = hwFmax(least, SPEED_TOLERANCE * hd * MeasureCable(world, slot, work->v));
        hwVector_Grow(&change->places, hd * MeasureCable(world, slot, work->step) / least);
        const double* own = work->step + world->model.cables->slots[slot].freedom;
        HW_EACH_HOOK(world, part, measureTouch)
        hwVector_Grow(&change->places,
                      hd * part->cables->measureTouch(world, slot, (const hwVec3*)(const void*)own) /
                          TOUCH_TOLERANCE);
    }
}

static bool Foresee(const hwWorld* world, const double* step, bool* stiffens) {
    bool right = true, draws = false, touches = false;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwWorld_HasNodes(world, slot)) continue;
        const double* own = step + world->model.cables->slots[slot].freedom;
        hwCableWork* work = &world->work->cables->tools[slot].work;
        right = hwCableWork_Foresee(work, (const hwVec3*)(const void*)own, &draws) && right;
        touches = touches || GetContactWay(world, slot) > 0.0;
    }
    *stiffens = *stiffens || (draws && !touches);
    return right;
}

// Whether a node counts in errors. Those between elements that were halved do not: the mesh as given says what is followed,
// and what is between its nodes is damped where it is faster than a step.
static bool IsGiven(const hwCableStore* store, int i) {
    if (store->core->inserted == 0) return true;
    bool before = i > 0 && store->level[i - 1] == 0,
         after = i + 1 < store->core->nodes && store->level[i + 1] == 0;
    return store->level[i] == 0 && (before || after);
}

// Elements of a stretch.
static int CountEach(const hwWorld* world, int slot) {
    const hwCableCore* core = world->state.cables->stores[slot].core;
    return (core->nodes - core->inserted - 1 + STRETCHES - 1) / STRETCHES;
}

#define AT_ONCE 64 // nodes

// Squares of the largest |x| of each of a cable's nodes from `first` to before `last`.
static void SquareNodes(const hwCableStore* store, const double* x, int first, int last, double* squares) {
    int i = first;
    for (; i + HW_LANES <= last; i += HW_LANES) {
        hwV4x3 v = LoadVectors(x + 3 * i);
        hwV4 most = Abs4(v.x), y = Abs4(v.y), z = Abs4(v.z);
        most = Select4((y > most) | (y != y), y, most); // NOLINT(misc-redundant-expression): NaN stays
        most = Select4((z > most) | (z != z), z, most); // NOLINT(misc-redundant-expression)
        Store4(squares + (i - first), most * most);
    }
    for (; i < last; ++i) {
        double most = 0.0;
        for (int k = 0; k < 3; ++k) hwVector_Grow(&most, fabs(x[3 * i + k]));
        squares[i - first] = most * most;
    }
    if (store->core->inserted == 0) return;
    for (i = first; i < last; ++i) {
        if (!IsGiven(store, i)) squares[i - first] = 0.0;
    }
}

// Largest root of the mean square of x over stretches of a cable of 1/STRETCHES of its elements. Where one node lands, sticks or
// draws taut its velocity jumps, and of a jump the error in a step is the same part of its way however short the step is:
// by single nodes a finer mesh would ask for the shortest steps at each of them, for the sake of what it adds in detail.
static double MeasureStretches(const hwWorld* world, int slot, const double* x) {
    const hwCableStore* store = &world->state.cables->stores[slot];
    const double* own = x + world->model.cables->slots[slot].freedom;
    int nodes = store->core->nodes, each = CountEach(world, slot), left = each;
    if (each == 1 && store->core->inserted == 0) return MeasureCable(world, slot, x); // the same number
    double largest = 0.0, sum = 0.0, squares[AT_ONCE];
    for (int first = 0; first < nodes; first += AT_ONCE) {
        int count = nodes - first < AT_ONCE ? nodes - first : AT_ONCE;
        SquareNodes(store, own, first, first + count, squares);
        for (int i = 0; i < count;) {
            int end = i + left < count ? i + left : count;
            left -= end - i;
            for (; i < end; ++i) sum += squares[i];
            if (left > 0) continue;
            hwVector_Grow(&largest, sum);
            sum = 0.0;
            left = each;
        }
    }
    hwVector_Grow(&largest, sum);
    return sqrt(largest / each);
}

// Where a cable with a fine mesh lies on the bottom, nodes land and stick one after the other all the time.
static double GetBottomWay(const hwWorld* world, int slot) {
    if (world->work->cables->tools[slot].contact.count == 0 || CountEach(world, slot) < 2) return 0.0;
    const hwCableModel* model = &world->model.cables->slots[slot].model;
    double thinnest = HUGE_VAL;
    for (int k = 0; k < model->sectionCount; ++k) thinnest = hwFmin(thinnest, model->sections[k].diameter);
    double tolerance = hwRealtime_GetTolerance(world);
    return BOTTOM_RADII * 0.5 * thinnest * BOTTOM_FROM / hwFmax(tolerance, BOTTOM_FROM);
}

static double MeasureError(const hwWorld* world, double h, const double* error, const double* undamped,
                           double share) {
    const hwWork* work = world->work;
    double ratio = 0.0;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (world->state.cables->stores[slot].core->nodes < 2) continue;
        double speed =
            hwFmax(MeasureCable(world, slot, work->v), MeasureCable(world, slot, work->v0)) + HW_SLOWEST;
        speed += hwFmax(GetBottomWay(world, slot), GetContactWay(world, slot)) / h;
        hwVector_Grow(&ratio, MeasureStretches(world, slot, error) / speed);
        hwVector_Grow(&ratio, share * (MeasureStretches(world, slot, undamped) / speed));
    }
    return ratio;
}

static double MeasureAcceleration(const hwWorld* world, const double* a) {
    double largest = 0.0;
    for (int slot = 0; slot < world->model.cables->count; ++slot)
        largest = hwFmax(largest, MeasureCable(world, slot, a));
    return largest;
}

static void ScaleNode(const hwCableSlot* slot, int node, double* q, double* v) {
    for (int i = 3 * node; i < 3 * node + 3; ++i)
        q[slot->coordinate + i] = v[slot->freedom + i] = HW_SCALE_ASIDE;
}

// The audit rides along; nodes that do not exist and ends that are held have no motion of their own.
static void ScaleCables(const hwWorld* world, double* q, double* v, double* z) {
    for (int k = 0; k < world->model.cables->count; ++k) {
        const hwCableSlot* slot = &world->model.cables->slots[k];
        const hwCableStore* store = &world->state.cables->stores[k];
        int nodes = store->core->nodes;
        z[slot->dissipated] = z[slot->work] = z[slot->outside] = HW_SCALE_ASIDE;
        for (int i = 0; i < 12; ++i) z[slot->impulse + i] = HW_SCALE_ASIDE;
        for (int i = nodes; i < slot->model.nodeCapacity; ++i) ScaleNode(slot, i, q, v);
        for (int end = 0; end < 2 && nodes > 0; ++end) {
            if (store->ends[end].joint != HW_ATTACH_FREE) ScaleNode(slot, end == 0 ? 0 : nodes - 1, q, v);
        }
    }
}

// Names ------------------------------------------------------------------------------------------------------------------------

static bool NameNode(const hwWorld* world, int freedom, hwFreedomName* name) {
    int slot = -1, start = 0;
    for (int k = 0; k < world->model.cables->count; ++k) {
        int first = world->model.cables->slots[k].freedom;
        if (first > freedom || (slot >= 0 && first < start)) continue;
        slot = k;
        start = first;
    }
    if (slot < 0) return false;
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    int node = (freedom - cable->freedom) / 3, last = world->state.cables->stores[slot].core->nodes - 1;
    name->object = cable->name;
    name->node = node;
    if (node == 0 || node == last) {
        snprintf(name->part, HW_PART_NAME, "node %d (element %d)", node, node == 0 ? 0 : last - 1);
    } else if (node < last) {
        snprintf(name->part, HW_PART_NAME, "node %d (elements %d and %d)", node, node - 1, node);
    }
    return true;
}

static int FindBadForce(const hwWorld* world) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableWork* work = &world->work->cables->tools[slot].work;
        for (int i = 0; hwWorld_HasNodes(world, slot) && i < work->nodes; ++i) {
            if (!isfinite(work->force[i].x + work->force[i].y + work->force[i].z))
                return world->model.cables->slots[slot].freedom + 3 * i;
        }
    }
    return -1;
}

// The part -----------------------------------------------------------------------------------------------------------------------

static void KeepEndsAwake(const hwWorld* world, uint8_t* lively) {
    for (int k = 0; k < world->model.cables->count; ++k) {
        for (int end = 0; end < 2; ++end) {
            int link = world->state.cables->stores[k].ends[end].link;
            if (link >= 0) lively[link] = 1;
        }
    }
}

static bool HasCables(const hwModel* model) {
    return model->cables->count > 0;
}

static void AddMass(const hwModel* model, double* sum) {
    for (int slot = 0; slot < model->cables->count; ++slot) {
        const hwCableSlot* slots = model->cables->slots;
        if (slot > 0 && slots[slot].object == slots[slot - 1].object) continue; // kept for cuts
        const hwCableModel* cable = &slots[slot].model;
        *sum += hwCableModel_GetMass(cable, 0.0, cable->starts[cable->sectionCount]);
    }
}

const hwPart hwCablesPart = {.name = "cables",
                             .model = HW_SLICE(hwModel, cables),
                             .state = HW_SLICE(hwState, cables),
                             .work = HW_SLICE(hwWork, cables),
                             .numbers = {offsetof(hwWorld, cables), offsetof(hwCableObject, slot)},
                             .copy = hwCables_Copy,
                             .checkDropBody = hwCables_CheckDropBody,
                             .dropBody = hwCables_DropBody,
                             .layModel = hwCables_LayModel,
                             .fillModel = hwCables_FillModel,
                             .isPresent = HasCables,
                             .addMass = AddMass,
                             .ofIslands = true,
                             .keepAwake = KeepEndsAwake,
                             .layState = hwCables_LayState,
                             .layWork = hwCables_LayWork,
                             .layCaches = hwCables_LayCaches,
                             .getKept = hwCables_GetKept,
                             .carry = hwCables_Carry,
                             .start = hwCables_Start,
                             .addChannels = hwCables_AddChannels,
                             .refresh = hwCables_Refresh,
                             .runEvent = hwCables_RunEvent,
                             .evaluate = hwCables_Evaluate,
                             .residual = hwCables_ComputeResiduals,
                             .addReactions = hwCables_AddReactions,
                             .auditRates = hwCables_AuditRates,
                             .rateStored = hwCables_RateStored,
                             .listPairs = hwCables_ListPairs,
                             .factor = hwCables_Factor,
                             .reduce = hwCables_Reduce,
                             .substitute = hwCables_Substitute,
                             .multiplyMass = hwCables_MultiplyMass,
                             .multiplyStiffness = hwCables_MultiplyStiffness,
                             .measureChange = MeasureChange,
                             .foresee = Foresee,
                             .measureError = MeasureError,
                             .measureAcceleration = MeasureAcceleration,
                             .place = hwCables_Place,
                             .attach = hwCables_Attach,
                             .endures = hwCables_Endure,
                             .finish = hwCables_Finish,
                             .fade = hwCables_Fade,
                             .adapt = hwCables_Adapt,
                             .scale = ScaleCables,
                             .readEnergies = ReadEnergies,
                             .sumEnergy = SumEnergy,
                             .countViews = CountNodes,
                             .viewContacts = ViewCablesOnBottom,
                             .nameFreedom = NameNode,
                             .findBadForce = FindBadForce,
                             .getForceScale = hwCables_GetForceScale,
                             .settle = hwCables_Settle,
                             .soften = hwCables_Soften,
                             .remesh = hwCables_Remesh,
                             .tighten = hwCables_Tighten,
                             .refine = hwCables_Refine,
                             .placeAgain = hwCables_PlaceAgain};
