// Nodes on the bottom: a spring and dashpot across, a spring-slider along.
//
// The cable's underside touches: depth of penetration p = radius - height of the axis above the bottom.
// Normal force area * max(0, k p + c dp/dt), the damping coming in over a few millimetres so that touching is
// smooth. Friction: a spring with the bottom's stiffness and a damper from the node to its anchor, sliding at
// the Coulomb limit. The anchor moves only when a step is accepted, so the force is a function of position
// and velocity within a step and a node at rest does not creep.
#include "cable/arrays.h"

#define DAMPING_DEPTH 5e-3 // m

typedef struct Touch {
    double depth, rate; // m, m/s, penetration
    double stiffness;   // N/m
    double damping;     // N s/m, after the ramp
    double force;       // N, normal
    double limit;       // N, of friction
    hwVec3 normal;
    hwVec3 slip, slipRate; // m, m/s, along the bottom, from the anchor
} Touch;

HW_INLINE bool GetTouch(const hwCableWork* work, const hwCableState* state, const hwCableSeabed* seabed,
                        int i, Touch* t) {
    const hwCableArrays* s = work->arrays;
    bool level = seabed->normal == NULL;
    // Of the neighbouring elements the thicker one lies on the bottom.
    double radius = hwMax(i > 0 ? s->radius[i - 1] : 0.0, i < work->nodes - 1 ? s->radius[i] : 0.0);
    double above = state->position[i].z - seabed->height[i];
    t->normal = level ? hwMakeVec3(0.0, 0.0, 1.0) : seabed->normal[i];
    t->depth = radius - (level ? above : above * t->normal.z);
    if (!(t->depth > 0.0)) return false;
    double area = (i > 0 ? s->radius[i - 1] * s->rest[i - 1] : 0.0) +
                  (i < work->nodes - 1 ? s->radius[i] * s->rest[i] : 0.0);
    double ramp = hwMin(t->depth * (1.0 / DAMPING_DEPTH), 1.0);
    hwVec3 v = state->velocity[i];
    double across = level ? v.z : hwDot(v, t->normal);
    t->rate = -across;
    t->stiffness = area * seabed->stiffness;
    t->damping = area * seabed->damping * ramp * ramp * (3.0 - 2.0 * ramp);
    t->force = hwMax(0.0, t->stiffness * t->depth + t->damping * t->rate);
    t->limit = seabed->friction * t->force;
    hwVec3 away = hwSub(state->position[i], state->anchor[i]);
    t->slip = level ? hwMakeVec3(away.x, away.y, 0.0) : hwMulAdd(away, -hwDot(away, t->normal), t->normal);
    t->slipRate = level ? hwMakeVec3(v.x, v.y, 0.0) : hwMulAdd(v, -across, t->normal);
    return true;
}

// Whether all of four nodes from i on are clear of a level bottom, as they were evaluated last.
HW_INLINE bool AreClear(const hwCableWork* work, const hwCableSeabed* seabed, int i) {
    const hwCableArrays* s = work->arrays;
    hwV4 before = Load4(s->radius + i - 1), after = Load4(s->radius + i);
    hwV4 radius = Select4(before > after, before, after);
    hwM4 clear = Load4(s->pz + i) - Load4(seabed->height + i) > radius;
    return (clear[0] & clear[1] & clear[2] & clear[3]) != 0;
}

// block = k (1 - n n^T - u u^T) + m n n^T
static void AddContactBlock(hwCableWork* work, int i, double k, double m, hwVec3 n, hwVec3 u) {
    double d = m - k;
    hwCableBlock block = {
        k + d * n.x * n.x - k * u.x * u.x, d * n.x * n.y - k * u.x * u.y, d * n.x * n.z - k * u.x * u.z,
        k + d * n.y * n.y - k * u.y * u.y, d * n.y * n.z - k * u.y * u.z, k + d * n.z * n.z - k * u.z * u.z,
    };
    hwCableWork_AddBlock(work, i, block);
}

hwCableContact hwCableWork_AddSeabed(hwCableWork* work, const hwCableState* state,
                                     const hwCableSeabed* seabed) {
    hwCableContact contact = {0};
    double hd = work->input.hd;
    for (int i = 0; i < work->nodes; ++i) {
        Touch t;
        if (seabed->normal == NULL && i % HW_LANES == 0 && i + HW_LANES <= work->nodes &&
            AreClear(work, seabed, i)) {
            i += HW_LANES - 1;
            continue;
        }
        if (!GetTouch(work, state, seabed, i, &t)) continue;
        contact.count += 1;
        hwVec3 pull = hwAdd(hwScale(t.stiffness, t.slip), hwScale(t.damping, t.slipRate));
        double size = hwLength(pull);
        bool slides = size > t.limit;
        hwVec3 along = slides ? hwScale(1.0 / size, pull) : hwVec3_zero;
        hwVec3 friction = slides ? hwScale(-t.limit, along) : hwNeg(pull);
        hwVec3 force = hwMulAdd(friction, t.force, t.normal);
        work->force[i] = hwAdd(work->force[i], force);
        contact.power += hwDot(force, state->velocity[i]);
        contact.force += t.force;
        contact.depth = hwMax(contact.depth, t.depth);
        double reach = t.stiffness > 0.0 ? t.limit / t.stiffness : 0.0;
        double stretched = hwMin(hwDot(t.slip, t.slip), reach * reach);
        contact.elastic += 0.5 * t.stiffness * (t.depth * t.depth + stretched);
        if (!work->input.matrix) continue;
        double spring = hd * hd * t.stiffness + hd * t.damping;
        double normal = t.force > 0.0 ? spring : 0.0;
        AddContactBlock(work, i, slides ? spring * t.limit / size : spring, normal, t.normal, along);
    }
    return contact;
}

bool hwCableWork_LiesOnSeabed(const hwCableWork* work, const hwCableState* state, const hwCableSeabed* seabed,
                              int node) {
    Touch touch;
    return GetTouch(work, state, seabed, node, &touch);
}

void hwCableWork_CommitSeabed(const hwCableWork* work, const hwCableState* state,
                              const hwCableSeabed* seabed) {
    for (int i = 0; i < work->nodes; ++i) {
        Touch t;
        if (!GetTouch(work, state, seabed, i, &t)) {
            state->anchor[i] = state->position[i];
            continue;
        }
        double reach = t.stiffness > 0.0 ? t.limit / t.stiffness : 0.0, size = hwLength(t.slip);
        if (size > reach) state->anchor[i] = hwMulAdd(state->position[i], -reach / size, t.slip);
    }
}
