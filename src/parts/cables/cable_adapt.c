// Short elements where a cable touches something, for as long as it does (docs/numerics.md, "Short elements where a cable
// touches").
//
// After each accepted step elements that are longer than contact allows are halved, and halves that nothing asks for any
// more are joined again. Lengths are the given ones over powers of two, and neighbours differ by no more than a factor of
// two, so that the mesh is a function of what is touched. Halves are joined one pair at a time, the shape following in between.
//
// A new node is where its material is, between those beside it, and moves and accelerates as they do: no tension changes, and
// the step that follows sets out from the accelerations of the one before.
#include "parts/cables/cables.h"

#include <math.h>
#include <string.h>

#define STRAIGHT 0.3  // rad: halves that turn by more are not joined
#define RELUCTANT 0.6 // of the longest element that contact allows: halves are joined up to this
#define CLEARANCE 0.9 // radii from the axis: what is straightened presses on nothing by more than the rest
#define SWEEPS 3
#define EVEN (1.0 + 1e-6)
#define MOST_HALVINGS 16 // of an element in a step

typedef struct Mesher {
    hwWorld* world;
    int slot;
    const hwCableSlot* cable;
    hwCableTools* tools;
    hwCableState state;
    int asked;                        // elements of the mesh that contact has been asked about; of each
    const double *longest, *material; // [asked] m, its longest length, and where it begins
    const double* joined;             // [asked] m, the longest that it may become by joining
    const double* places;             // [asked] m, where it is touched
    bool fed[2];                      // by a winch or a sheave
} Mesher;

static double GetRest(const hwCableState* state, int e) {
    return state->material[e + 1] - state->material[e];
}

static double GetTurn(const hwCableState* state, int node) {
    const hwVec3* x = state->position + node;
    hwVec3 a = hwSub(x[0], x[-1]), b = hwSub(x[1], x[0]);
    return hwAtan2(hwLength(hwCross(a, b)), hwDot(a, b));
}

static bool AskContact(const Mesher* m) {
    int elements = m->state.core->nodes - 1;
    bool any = false;
    hwCableTools* tools = m->tools;
    for (int e = 0; e < elements; ++e) tools->lengths[e] = tools->joins[e] = HUGE_VAL;
    HW_EACH_HOOK(m->world, part, limitElements) {
        bool given =
            part->cables->limitElements(m->world, m->slot, tools->lengths, tools->joins, tools->places);
        any = given || any;
    }
    return any;
}

// Not shorter than `least`, and beside a winch or a sheave not so short that payout would merge it again.
static bool MayHalve(const Mesher* m, int e, double least) {
    int last = m->state.core->nodes - 2;
    double half = 0.5 * GetRest(&m->state, e);
    const hwCableModel* model = &m->cable->model;
    if (e == 0 && m->fed[0]) least = hwFmax(least, 2.0 * model->sections[0].minElement);
    if (e == last && m->fed[1])
        least = hwFmax(least, 2.0 * model->sections[model->sectionCount - 1].minElement);
    return half >= least;
}

static void TellUsedUp(const Mesher* m) {
    if (m->tools->nodesTold) return;
    m->tools->nodesTold = true;
    hwWorld_Log(
        m->world, HW_LOG_WARNING,
        "%s: its %d nodes for contact are used up at %.4g s; where else it touches something it stays "
        "coarse (`contact_nodes` gives it more)",
        m->cable->name, m->cable->contactNodes, m->world->state.header->time);
}

// Twice the length of an element beside, where that has been halved: given meshes, and what a winch feeds, are as they are.
static double GetTwiceBeside(const Mesher* m, int e) {
    const int32_t* level = m->state.level + e;
    if (e < 0 || e > m->state.core->nodes - 2 || (level[0] == 0 && level[1] == 0)) return HUGE_VAL;
    if ((e == 0 && m->fed[0]) || (e == m->state.core->nodes - 2 && m->fed[1])) return HUGE_VAL;
    return 2.0 * EVEN * GetRest(&m->state, e);
}

// The longest that an element of the present mesh may be, which is one or a part of one that contact was asked about: that one
// number `asked`. Of the parts, the limit is for the one that is touched.
static double GetLongest(const Mesher* m, int e, int asked) {
    const double* s = m->state.material;
    double most = m->longest[asked], rest = GetRest(&m->state, e);
    if (!(m->places[asked] >= s[e] && m->places[asked] <= s[e + 1])) most = HUGE_VAL;
    double twice = hwFmin(GetTwiceBeside(m, e - 1), GetTwiceBeside(m, e + 1));
    double slender = 2.0 * HW_CABLE_SLENDER * hwCableWork_GetRadii(&m->tools->work)[e];
    // shorter alone where an edge asks for it
    double least = most < slender || twice < 2.0 * slender ? 0.0 : slender;
    most = hwFmin(most, twice);
    return rest > most && MayHalve(m, e, least) ? most : HUGE_VAL;
}

// One pass over the mesh, from the last element to the first so that the numbers of those left stay. How many were halved, or
// would be.
static int HalveElements(Mesher* m, bool count) {
    int found = 0, asked = m->asked - 1;
    for (int e = m->state.core->nodes - 2; e >= 0; --e) {
        while (asked > 0 && m->material[asked] > m->state.material[e]) asked -= 1;
        if (GetLongest(m, e, asked) == HUGE_VAL) continue;
        if (m->state.core->inserted >= m->cable->contactNodes) {
            TellUsedUp(m);
            return found;
        }
        found += 1;
        if (!count) hwCableState_Halve(&m->state, &m->cable->model, e);
    }
    return found;
}

// Whether nothing is in the way of the cable when it is straightened at a node, on the lines that it sweeps over.
static bool IsClear(const Mesher* m, int node) {
    const hwVec3* x = m->state.position + node;
    const double* s = m->state.material + node;
    hwVec3 chord = hwSub(x[1], x[-1]), away = hwSub(x[0], x[-1]);
    hwVec3 shift = hwMulAdd(away, -hwDot(away, chord) / hwDot(chord, chord), chord);
    double reach = CLEARANCE * hwCableWork_GetRadii(&m->tools->work)[node];
    for (int k = 0; k < SWEEPS; ++k) {
        double left = (double)k / SWEEPS;
        hwVec3 a = hwMulAdd(x[-1], left, shift), b = hwMulAdd(x[1], left, shift);
        // of the triangle that is swept, the line that far from the chord
        hwVec3 from = hwMulAdd(a, left * hwDot(away, chord) / hwDot(chord, chord), chord);
        hwVec3 to = hwMulAdd(b, left * (hwDot(away, chord) / hwDot(chord, chord) - 1.0), chord);
        HW_EACH_HOOK(m->world, part, isClear) {
            if (!part->cables->isClear(m->world, m->slot, s[-1], s[1], from, to, reach)) return false;
        }
    }
    return true;
}

static bool MayJoin(const Mesher* m, int node) {
    const hwCableState* state = &m->state;
    if (!hwCableState_CanJoin(state, node)) return false;
    double length = state->material[node + 1] - state->material[node - 1];
    double most = RELUCTANT * hwFmin(m->joined[node - 1], m->joined[node]);
    bool touches = most < HUGE_VAL;
    most = hwFmin(most, hwFmin(GetTwiceBeside(m, node - 2), GetTwiceBeside(m, node + 1)));
    if (!(length <= most) || GetTurn(state, node) > STRAIGHT) return false;
    return touches || IsClear(m, node); // on a surface it moves by a part of what its chords may leave it by
}

static int JoinElements(Mesher* m, bool count) {
    int found = 0;
    for (int i = m->state.core->nodes - 2; i > 0; --i) {
        if (!MayJoin(m, i)) continue;
        found += 1;
        // the element before it is another one now: its own node stays for this time
        if (!count) hwCableState_Join(&m->state, &m->cable->model, i);
        i -= 1;
    }
    return found;
}

static double MeasureEnergy(Mesher* m) {
    hwCableEnergy e = hwCables_MeasureEnergy(m->world, m->slot, &m->state);
    return e.kinetic + e.gravity + e.stretch + e.bending + e.torsion;
}

// What inserting and removing nodes changes in the energies of the discrete cable is booked as dissipated, and is no gain of
// the step that follows.
static void Book(Mesher* m, double lost) {
    m->world->state.z[m->cable->dissipated] += lost;
    m->world->state.header->mechanicalEnergy -= lost;
    m->world->state.header->conserved -= lost;
    m->world->state.header->stored -= lost;
}

static bool AdaptCable(hwWorld* world, int slot) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    hwCableTools* tools = &world->work->cables->tools[slot];
    Mesher m = {.world = world,
                .slot = slot,
                .cable = cable,
                .tools = tools,
                .state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v)};
    m.state.acceleration = (hwVec3*)(void*)(world->state.a + cable->freedom);
    m.asked = m.state.core->nodes - 1;
    m.longest = tools->lengths;
    m.joined = tools->joins;
    m.places = tools->places;
    m.material = m.state.material;
    bool touches = AskContact(&m);
    if (!touches && m.state.core->inserted == 0) return false;
    for (int e = 0; e < 2; ++e) {
        hwCableFeed feed;
        m.fed[e] = hwWorld_FindFeed(world, slot, e, &feed);
    }
    bool halves = HalveElements(&m, true) > 0;
    if (!halves && JoinElements(&m, true) == 0) return false;
    int before = m.state.core->nodes;
    double energy = MeasureEnergy(&m);
    hwCables_KeepMesh(world, slot);
    memcpy(tools->surface, m.state.material,
           (size_t)before * sizeof(double)); // written anew by each evaluation
    m.material = tools->surface;
    if (halves) {
        for (int pass = 0; pass < MOST_HALVINGS && HalveElements(&m, false) > 0; ++pass) continue;
    } else {
        JoinElements(&m, false);
    }
    hwCables_SpreadMesh(world, slot);
    hwCableWork_Refresh(&tools->work, &cable->model, &m.state);
    Book(&m, energy - MeasureEnergy(&m));
    return true;
}

bool hwCables_Adapt(hwWorld* world, const hwMode* mode) {
    bool any = false;
    if (mode->held) return false;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        hwCableTools* tools = &world->work->cables->tools[slot];
        bool meshed = tools->meshed;
        tools->meshed = false;
        // where a winch has just changed the mesh, contact's elements are those of the one before
        if (world->model.cables->slots[slot].contactNodes == 0 || meshed || !hwWorld_HasNodes(world, slot))
            continue;
        any = AdaptCable(world, slot) || any;
    }
    if (!any) return false;
    world->work->isCurrent = false;
    HW_EACH_HOOK(world, part, meshed) part->cables->meshed(world);
    return true;
}
