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

// block = k (1 - n n^T - u u^T) + m n n^T
static void AddContactBlock(hwCableWork* work, int i, double k, double m, hwVec3 n, hwVec3 u) {
    double d = m - k;
    hwCableBlock block = {
        k + d * n.x * n.x - k * u.x * u.x, d * n.x * n.y - k * u.x * u.y, d * n.x * n.z - k * u.x * u.z,
        k + d * n.y * n.y - k * u.y * u.y, d * n.y * n.z - k * u.y * u.z, k + d * n.z * n.z - k * u.z * u.z,
    };
    hwCableWork_AddBlock(work, i, block);
}

// Anchors of four nodes, where there are so many.
HW_INLINE hwV4x3 LoadAnchors(const hwCableState* state, int i, int nodes) {
    if (i + HW_LANES <= nodes) return LoadVectors(&state->anchor[i].x);
    hwV4x3 v = {{0}, {0}, {0}};
    for (int k = 0; i + k < nodes; ++k) {
        v.x[k] = state->anchor[i + k].x;
        v.y[k] = state->anchor[i + k].y;
        v.z[k] = state->anchor[i + k].z;
    }
    return v;
}

HW_INLINE hwV4 LoadHeights(const hwCableSeabed* seabed, int i, int nodes) {
    if (i + HW_LANES <= nodes) return Load4(seabed->height + i);
    hwV4 v = {0};
    for (int k = 0; i + k < nodes; ++k) v[k] = seabed->height[i + k];
    return v;
}

HW_INLINE bool IsAny(hwM4 mask) {
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

// On a level bottom: the same as below for four nodes at a time, as they were evaluated last.
static hwCableContact AddLevel(hwCableWork* work, const hwCableState* state, const hwCableSeabed* seabed) {
    hwCableContact contact = {0};
    hwCableArrays* s = work->arrays;
    double hd = work->input.hd;
    hwV4 power = {0}, forces = {0}, elastic = {0};
    const hwM4 lanes = {0, 1, 2, 3};
    for (int i = 0; i < work->nodes; i += HW_LANES) {
        hwV4 before = Load4(s->radius + i - 1), after = Load4(s->radius + i);
        hwV4 depth =
            Select4(before > after, before, after) - (Load4(s->pz + i) - LoadHeights(seabed, i, work->nodes));
        hwM4 on = (depth > 0.0) & (lanes < work->nodes - i);
        if (!IsAny(on)) continue;
        depth = (hwV4)((hwM4)depth & on);
        hwV4 area = before * Load4(s->rest + i - 1) + after * Load4(s->rest + i);
        hwV4 ramp = depth * (1.0 / DAMPING_DEPTH);
        ramp = Select4(ramp < 1.0, ramp, Set4(1.0));
        hwV4 vx = Load4(s->vx + i), vy = Load4(s->vy + i), vz = Load4(s->vz + i);
        hwV4 stiffness = (hwV4)((hwM4)(area * seabed->stiffness) & on);
        hwV4 damping = (hwV4)((hwM4)(area * seabed->damping * ramp * ramp * (3.0 - 2.0 * ramp)) & on);
        hwV4 up = Positive4(stiffness * depth - damping * vz), limit = seabed->friction * up;
        hwV4x3 anchor = LoadAnchors(state, i, work->nodes);
        hwV4 slipX = Load4(s->px + i) - anchor.x, slipY = Load4(s->py + i) - anchor.y;
        hwV4 pullX = stiffness * slipX + damping * vx, pullY = stiffness * slipY + damping * vy;
        hwV4 size = Sqrt4(pullX * pullX + pullY * pullY);
        hwM4 slides = size > limit;
        hwV4 inverse = (hwV4)((hwM4)(1.0 / (size + 1e-300)) & slides);
        hwV4 share = Select4(slides, limit * inverse, Set4(1.0));
        hwV4x3 force = {-(share * pullX), -(share * pullY), up};
        for (int k = 0; k < HW_LANES; ++k) {
            if (on[k]) {
                work->force[i + k] =
                    hwAdd(work->force[i + k], hwMakeVec3(force.x[k], force.y[k], force.z[k]));
                contact.count += 1;
                contact.depth = hwMax(contact.depth, depth[k]);
            }
        }
        power += force.x * vx + force.y * vy + force.z * vz;
        forces += up;
        hwV4 reach = (hwV4)((hwM4)(limit / (stiffness + 1e-300)) & on),
             stretched = slipX * slipX + slipY * slipY;
        stretched = Select4(stretched < reach * reach, stretched, reach * reach);
        elastic += 0.5 * stiffness * (depth * depth + stretched);
        if (!work->input.matrix) continue;
        hwV4 spring = hd * hd * stiffness + hd * damping, along = share * spring;
        hwV4 ux = pullX * inverse, uy = pullY * inverse;
        double* diagonal = s->diagonal + HW_AT(6, HW_SLOT(i), 0);
        Store4(diagonal, Load4(diagonal) + along * (1.0 - ux * ux));
        Store4(diagonal + 4, Load4(diagonal + 4) - along * ux * uy);
        Store4(diagonal + 12, Load4(diagonal + 12) + along * (1.0 - uy * uy));
        Store4(diagonal + 20, Load4(diagonal + 20) + (hwV4)((hwM4)spring & (hwM4)(up > 0.0)));
    }
    contact.power = (power[0] + power[1]) + (power[2] + power[3]);
    contact.force = (forces[0] + forces[1]) + (forces[2] + forces[3]);
    contact.elastic = (elastic[0] + elastic[1]) + (elastic[2] + elastic[3]);
    return contact;
}

hwCableContact hwCableWork_AddSeabed(hwCableWork* work, const hwCableState* state,
                                     const hwCableSeabed* seabed) {
    if (seabed->normal == NULL) return AddLevel(work, state, seabed);
    hwCableContact contact = {0};
    double hd = work->input.hd;
    for (int i = 0; i < work->nodes; ++i) {
        Touch t;
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
                              int node, hwCableTouchdown* touchdown) {
    Touch t;
    if (!GetTouch(work, state, seabed, node, &t)) return false;
    if (touchdown == NULL) return true;
    hwVec3 pull = hwAdd(hwScale(t.stiffness, t.slip), hwScale(t.damping, t.slipRate));
    double size = hwLength(pull);
    *touchdown = (hwCableTouchdown){
        .depth = t.depth,
        .volume = seabed->stiffness > 0.0 ? t.stiffness / seabed->stiffness * t.depth : 0.0,
        .elastic = t.stiffness * t.depth,
        .damping = t.force - t.stiffness * t.depth,
        .normal = t.normal,
        .slides = size > t.limit};
    double part = size > t.limit ? t.limit / size : 1.0;
    touchdown->force = hwMulAdd(hwScale(-part, pull), t.force, t.normal);
    return true;
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
