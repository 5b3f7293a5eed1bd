// Cables that statics has moved through each other. The first search for equilibrium does without contacts of cables, so a rope
// that was given above another may be found below it. Then they are searched for with contacts, and where that fails it is told: from the given shape straight to the one found, an element of one
// passes through an element of the other where the four nodes come into one plane with the elements crossing in it. Passing
// to and fro does not count: signs are summed up.
#include "geom/shape_data.h"
#include "world/cable_slots.h"
#include "world/contact_rules.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

#define MOMENTS 8      // of the way, between which a sign is seen to change
#define HALVINGS 30    // of such an interval
#define MOST_PAIRS 4e6 // of elements that are looked at
#define MOST_TOLD 4

typedef struct Way {
    const hwVec3 *from, *to; // [node]
} Way;

static hwVec3 FindNodeAt(const Way* way, int node, double t) {
    return hwMulAdd(hwScale(1.0 - t, way->from[node]), t, way->to[node]);
}

// Six times the volume that two elements span at a moment of the way; `crossing`, if not null: whether they cross where it is 0.
static double FindSpanVolume(const Way* a, int i, const Way* b, int j, double t, bool* crossing) {
    hwVec3 p = FindNodeAt(a, i, t), q = FindNodeAt(b, j, t);
    hwVec3 d = hwSub(FindNodeAt(a, i + 1, t), p), e = hwSub(FindNodeAt(b, j + 1, t), q), apart = hwSub(q, p),
           n = hwCross(d, e);
    if (crossing != NULL) {
        double square = hwDot(n, n), s = hwDot(hwCross(apart, e), n), u = hwDot(hwCross(apart, d), n);
        *crossing = square > 0.0 && s >= 0.0 && s < square && u >= 0.0 && u < square;
    }
    return hwDot(apart, n);
}

// +1 or -1 for each time that the elements pass through each other.
static int CountPassages(const Way* a, int i, const Way* b, int j) {
    int sum = 0;
    double before = FindSpanVolume(a, i, b, j, 0.0, NULL);
    for (int k = 1; k <= MOMENTS; ++k) {
        double low = (double)(k - 1) / MOMENTS, high = (double)k / MOMENTS;
        double after = FindSpanVolume(a, i, b, j, high, NULL);
        if ((before < 0.0) != (after < 0.0)) {
            for (int n = 0; n < HALVINGS; ++n) {
                double middle = 0.5 * (low + high);
                if ((FindSpanVolume(a, i, b, j, middle, NULL) < 0.0) == (before < 0.0)) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            bool crossing;
            FindSpanVolume(a, i, b, j, high, &crossing);
            if (crossing) sum += before < 0.0 ? 1 : -1;
        }
        before = after;
    }
    return sum;
}

typedef struct Box {
    hwVec3 low, high;
} Box;

static Box EncloseWay(const Way* way, int first, int last) {
    Box box = {way->from[first], way->from[first]};
    for (int i = first; i <= last; ++i) {
        const hwVec3* ends[2] = {&way->from[i], &way->to[i]};
        for (int k = 0; k < 2; ++k) {
            box.low = hwMakeVec3(hwFmin(box.low.x, ends[k]->x), hwFmin(box.low.y, ends[k]->y),
                                 hwFmin(box.low.z, ends[k]->z));
            box.high = hwMakeVec3(hwFmax(box.high.x, ends[k]->x), hwFmax(box.high.y, ends[k]->y),
                                  hwFmax(box.high.z, ends[k]->z));
        }
    }
    return box;
}

static bool BoxesMeet(Box a, Box b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
           a.low.z <= b.high.z && b.low.z <= a.high.z;
}

// Whether ends of both are held in one place, where the first elements begin to cross at once.
static bool ShareEnd(const Way* a, int i, int last, const Way* b, int j, int lastOther) {
    const hwVec3* mine[2] = {i == 0 ? &a->to[0] : NULL, i == last - 1 ? &a->to[last] : NULL};
    const hwVec3* others[2] = {j == 0 ? &b->to[0] : NULL, j == lastOther - 1 ? &b->to[lastOther] : NULL};
    for (int k = 0; k < 4; ++k) {
        const hwVec3 *x = mine[k / 2], *y = others[k % 2];
        if (x != NULL && y != NULL && hwDistance(*x, *y) < 0.5 * hwDistance(a->to[i], a->to[i + 1]))
            return true;
    }
    return false;
}

// Whether one cable is on the other side of the other now.
static bool HavePassed(const Way* a, int last, const Way* b, int lastOther, double* looks) {
    Box whole = EncloseWay(b, 0, lastOther);
    int sum = 0;
    if (!BoxesMeet(EncloseWay(a, 0, last), whole)) return false;
    for (int i = 0; i < last; ++i) {
        Box box = EncloseWay(a, i, i + 1);
        if (!BoxesMeet(box, whole)) continue;
        for (int j = 0; j < lastOther; ++j) {
            if (!BoxesMeet(box, EncloseWay(b, j, j + 1)) || ShareEnd(a, i, last, b, j, lastOther)) continue;
            if ((*looks -= 1.0) < 0.0) return false;
            sum += CountPassages(a, i, b, j);
        }
    }
    return sum != 0;
}

// The nodes of a cable before and after, by rows of coordinates; false: it has others now, or none.
static bool GetWay(const hwWorld* world, const double* q, const int* nodes, int slot, Way* way) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    int count = world->state.cables->stores[slot].core->nodes;
    if (!hwWorld_HasNodes(world, slot) || count != nodes[slot]) return false;
    way->from = (const hwVec3*)(const void*)(q + cable->coordinate);
    way->to = (const hwVec3*)(const void*)(world->state.q + cable->coordinate);
    return true;
}

static bool MayTouch(const hwWorld* world, int a, int b) {
    const hwCableSlot* slots = world->model.cables->slots;
    hwThing one = {HW_THING_CABLE, a}, two = {HW_THING_CABLE, b};
    return hwFilter_Allows(slots[a].object->def.filter, slots[b].object->def.filter) &&
           !hwModel_IsIgnored(world, &world->model, one, two);
}

bool hwWorld_HavePassed(const hwWorld* world, const double* q, const int* nodes) {
    double looks = MOST_PAIRS;
    for (int a = 0; a < world->model.cables->count; ++a) {
        Way first, second;
        if (!GetWay(world, q, nodes, a, &first)) continue;
        for (int b = a + 1; b < world->model.cables->count; ++b) {
            if (!MayTouch(world, a, b) || !GetWay(world, q, nodes, b, &second)) continue;
            if (HavePassed(&first, nodes[a] - 1, &second, nodes[b] - 1, &looks)) return true;
        }
    }
    return false;
}

void hwWorld_TellPassed(const hwWorld* world, const double* q, const int* nodes) {
    double looks = MOST_PAIRS;
    int told = 0;
    for (int a = 0; a < world->model.cables->count; ++a) {
        Way first, second;
        if (!GetWay(world, q, nodes, a, &first)) continue;
        for (int b = a + 1; b < world->model.cables->count && told < MOST_TOLD; ++b) {
            if (!MayTouch(world, a, b) || !GetWay(world, q, nodes, b, &second)) continue;
            if (!HavePassed(&first, nodes[a] - 1, &second, nodes[b] - 1, &looks)) continue;
            told += 1;
            hwWorld_Log(world, HW_LOG_WARNING,
                        "statics: %s and %s have passed through each other on the way from the shapes given "
                        "to those found: "
                        "no equilibrium was found with them touching",
                        world->model.cables->slots[a].name, world->model.cables->slots[b].name);
        }
    }
}
