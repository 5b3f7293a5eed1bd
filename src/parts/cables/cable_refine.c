// Short elements where a cable begins to touch something: at touchdown on the bottom, and at the borders of contact.
//
// Of each section the elements stay as many as they are. Their lengths are h(s) = min(H, r H + g |s - p|) for the nearest
// place p, with r as asked for and neighbours that differ by g at most; H is found so that the integral of 1/h along the
// section is their number. The mesh is chosen once, for the shape at the start; places are found with the mesh before.
#include "parts/cables/cables.h"

#include <math.h>
#include <string.h>

#define GROWTH 0.2
#define MOST_PLACES 32
#define SUBSTEPS 8 // of an element, for the integral

typedef struct Sizes {
    int count;
    double places[MOST_PLACES]; // m, material coordinates
    double ratio, longest;
} Sizes;

static double GetSize(const Sizes* s, double at) {
    double away = HUGE_VAL;
    for (int i = 0; i < s->count; ++i) away = hwFmin(away, fabs(at - s->places[i]));
    return hwFmin(s->longest, s->ratio * s->longest + GROWTH * away);
}

// Elements of those sizes between two places; writes the inner nodes of `elements` when `nodes` is not null, given `total`,
// what it returned before.
static double March(const Sizes* s, double from, double to, double total, int elements, double* nodes) {
    double at = from, sum = 0.0;
    int next = 1;
    while (to - at > 1e-12 * (to - from)) {
        double step = hwFmin(GetSize(s, at) / SUBSTEPS, to - at), part = step / GetSize(s, at + 0.5 * step);
        for (; nodes != NULL && next < elements && (sum + part) * elements >= next * total; ++next) {
            nodes[next] = at + step * (next * total / elements - sum) / part;
        }
        sum += part;
        at += step;
    }
    return sum;
}

// Nodes of one section, its ends included.
static void GradeSection(Sizes* s, double from, double to, int elements, double* nodes) {
    double low = (to - from) / elements, high = 2.0 * low;
    for (s->longest = high; March(s, from, to, 0.0, 0, NULL) > elements && high < 1e3 * low;
         s->longest = high)
        high *= 2.0;
    for (int i = 0; i < 50; ++i) {
        s->longest = 0.5 * (low + high);
        *(March(s, from, to, 0.0, 0, NULL) > elements ? &low : &high) = s->longest;
    }
    nodes[0] = from;
    nodes[elements] = to;
    March(s, from, to, March(s, from, to, 0.0, 0, NULL), elements, nodes);
}

static void FindPlaces(const hwWorld* world, int slot, Sizes* s) {
    const hwCableStore* store = &world->state.cables->stores[slot];
    bool before = hwWorld_NodeTouches(world, slot, 0);
    s->count = 0;
    for (int i = 1; i < store->core->nodes && s->count < MOST_PLACES; ++i) {
        bool touches = hwWorld_NodeTouches(world, slot, i);
        if (touches != before) s->places[s->count++] = 0.5 * (store->material[i - 1] + store->material[i]);
        before = touches;
    }
}

static bool IsRefined(const hwWorld* world, int slot) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    return cable->object->def.refine < 1.0 && cable->whole < 0 && !cable->carried;
}

// Moves the nodes along the shape that they have to their new material coordinates.
static void MoveNodes(hwWorld* world, int slot, const double* nodes) {
    hwCableTools* tools = &world->work->cables->tools[slot];
    hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
    int last = state.core->nodes - 1, e = 0;
    memcpy(tools->scratch, state.position, (size_t)(last + 1) * sizeof(hwVec3));
    for (int i = 1; i < last; ++i) {
        while (e + 2 <= last && state.material[e + 1] < nodes[i]) e += 1;
        double part = (nodes[i] - state.material[e]) / (state.material[e + 1] - state.material[e]);
        state.position[i] =
            hwMulAdd(tools->scratch[e], part, hwSub(tools->scratch[e + 1], tools->scratch[e]));
        state.anchor[i] = state.position[i];
    }
    memcpy(state.material, nodes, (size_t)(last + 1) * sizeof(double));
}

bool hwCables_Refine(hwWorld* world, const hwMode* mode) {
    bool any = false;
    for (int slot = 0; slot < world->model.cables->count; ++slot) any = any || IsRefined(world, slot);
    if (!any) return false;
    any = false;
    hwState* state = &world->state;
    hwWorld_FindContacts(world, mode, 0.0, false);
    hwEvaluation now = {
        .time = state->header->time, .q = state->q, .v = state->v, .zBase = state->z, .mode = *mode};
    hwWorld_Evaluate(world, &now);
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!IsRefined(world, slot)) continue;
        const hwCableSlot* cable = &world->model.cables->slots[slot];
        Sizes sizes = {.ratio = cable->object->def.refine};
        FindPlaces(world, slot, &sizes);
        if (sizes.count == 0) continue;
        // the work array of the fluid's surface holds the new mesh: it is written anew by each evaluation
        double* nodes = world->work->cables->tools[slot].surface;
        int first = 0;
        for (int k = 0; k < cable->model.sectionCount; ++k) {
            int elements = cable->model.sections[k].elements;
            GradeSection(&sizes, cable->model.starts[k], cable->model.starts[k + 1], elements, nodes + first);
            first += elements;
        }
        MoveNodes(world, slot, nodes);
        any = true;
    }
    if (!any) return false;
    hwCables_Refresh(world);
    state->header->accelerationValid = 0;
    world->work->isCurrent = false;
    return true;
}
