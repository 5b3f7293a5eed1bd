// Nodes on the bottom: a spring and dashpot across, a spring-slider along.
//
// The cable's underside touches: depth of penetration p = radius - height of the axis above the bottom.
// Normal force area * max(0, k p + c dp/dt), the damping coming in over a few millimetres so that touching is
// smooth. How it grows with depth while a node sinks in is in the matrix: without that Newton's method goes to
// and fro between a node that is stopped and one that has not landed. Friction: a spring with the bottom's
// stiffness and a damper from the node to its anchor, sliding at the Coulomb limit. The anchor moves only when
// a step is accepted, so the force is a function of position and velocity within a step and a node at rest
// does not creep.
//
// An end that is held is where its holder has it, and ground that it lies in must not push it out: it would push the
// holder, with a force that has nothing to do with the cable's weight (k times half a diameter times half an element).
// Three rules see to that.
// - A holder that stands still: the half element at the end is carried as its neighbour is. The depth of the end counts
//   for no more than that of the node beside it, which is zero when the cable lifts off. Such a force is no gradient of an
//   energy, and need not be: it acts on a point that does not move, does no work and stores none.
// - A holder that may move (a body, a given motion): there it would do work, and gain with every cycle in which the end is
//   pushed at one depth of its neighbour and returns at another. So that half element pushes the node beside it, by that
//   node's own depth: energy k A d^2/2 with A the node's two halves and this one. Its weight hangs on the holder.
// - An end fixed to the earth in the ground lies in a bed: see hwCableBed. Without the bed the cable beside it would rest
//   half a diameter higher and pull the anchor up by (r - w/(k d)) sqrt(H k d), the layer of a taut line on an elastic
//   bottom.
#include "cable/arrays.h"

#define DAMPING_DEPTH 5e-3 // m

typedef struct Touch {
    double depth, rate; // m, m/s, penetration
    double stiffness;   // N/m
    double damping;     // N s/m, after the ramp
    double growth;      // N s/m2, of the damping with depth
    double force;       // N, normal
    double limit;       // N, of friction
    hwVec3 normal;
    hwVec3 slip, slipRate; // m, m/s, along the bottom, from the anchor
    bool stands;           // an end that is held still: no work, no energy
} Touch;

static double GetRadius(const hwCableWork* work, int i) {
    // Of the neighbouring elements the thicker one lies on the bottom.
    const hwCableArrays* s = work->arrays;
    return hwMax(i > 0 ? s->radius[i - 1] : 0.0, i < work->nodes - 1 ? s->radius[i] : 0.0);
}

static double GetDepth(const hwCableWork* work, const hwCableState* state, const hwCableSeabed* seabed,
                       int i) {
    double above = state->position[i].z - seabed->height[i];
    return GetRadius(work, i) - (seabed->normal == NULL ? above : above * seabed->normal[i].z);
}

HW_INLINE bool IsStill(const hwCableEnd* end) {
    return end->kind != HW_CABLE_FREE && !end->moves;
}

HW_INLINE bool IsMoved(const hwCableEnd* end) {
    return end->kind != HW_CABLE_FREE && end->moves;
}

// The node beside an end that is held still, -1 for all other nodes.
HW_INLINE int GetNeighbour(const hwCableWork* work, int i) {
    if (i == 0 && IsStill(&work->input.ends[0])) return 1;
    int last = work->nodes - 1;
    return i == last && IsStill(&work->input.ends[1]) ? last - 1 : -1;
}

// Of the underside, m2, by which the bottom pushes a node: half of each of its elements, but see above for held ends.
HW_INLINE double GetArea(const hwCableWork* work, int i) {
    const hwCableArrays* s = work->arrays;
    int last = work->nodes - 1;
    bool moved[2] = {IsMoved(&work->input.ends[0]), IsMoved(&work->input.ends[1])};
    double before = i > 0 ? s->radius[i - 1] * s->rest[i - 1] : 0.0,
           after = i < last ? s->radius[i] * s->rest[i] : 0.0;
    double area = (i == last && moved[1] ? 0.0 : before) + (i == 0 && moved[0] ? 0.0 : after);
    if (i == 1 && moved[0]) area += before;
    if (i == last - 1 && moved[1]) area += after;
    return area;
}

// Whether the bottom pushes this node at all.
HW_INLINE bool IsPushed(const hwCableWork* work, int i) {
    int last = work->nodes - 1;
    return !(i == 0 && IsMoved(&work->input.ends[0])) && !(i == last && IsMoved(&work->input.ends[1]));
}

hwCableBed hwCableBed_Make(hwVec3 place, double above, double length, double diameter, double weight,
                           double stiffness) {
    double radius = 0.5 * diameter,
           rests = stiffness > 0.0 ? hwMax(weight, 0.0) / (stiffness * diameter) : 0.0;
    // A deeper end is buried: the cable leaves the ground before it lies on it.
    double sink = hwMin(radius - above - rests, radius);
    return (hwCableBed){.place = place, .sink = hwMax(sink, 0.0), .reach = length};
}

void hwCableSeabed_LowerBeds(const hwCableSeabed* seabed, const hwCableState* state, int from, int to) {
    for (int end = 0; end < 2; ++end) {
        const hwCableBed* bed = &seabed->beds[end];
        if (!(bed->sink > 0.0)) continue;
        for (int i = from; i < to; ++i) {
            double x = state->position[i].x - bed->place.x, y = state->position[i].y - bed->place.y;
            double part = 1.0 - sqrt(x * x + y * y) / bed->reach;
            // along the normal, as depth is measured
            double down = seabed->normal == NULL ? bed->sink : bed->sink / seabed->normal[i].z;
            if (part > 0.0) seabed->height[i] -= part * down;
        }
    }
}

HW_INLINE bool GetTouch(const hwCableWork* work, const hwCableState* state, const hwCableSeabed* seabed,
                        int i, Touch* t) {
    bool level = seabed->normal == NULL;
    t->normal = level ? hwMakeVec3(0.0, 0.0, 1.0) : seabed->normal[i];
    t->depth = GetDepth(work, state, seabed, i);
    int neighbour = GetNeighbour(work, i);
    t->stands = neighbour >= 0;
    if (t->stands) t->depth = hwMin(t->depth, GetDepth(work, state, seabed, neighbour));
    if (!(t->depth > 0.0) || !IsPushed(work, i)) return false;
    double area = GetArea(work, i);
    double ramp = hwMin(t->depth * (1.0 / DAMPING_DEPTH), 1.0);
    hwVec3 v = state->velocity[i];
    double across = level ? v.z : hwDot(v, t->normal);
    t->rate = -across;
    t->stiffness = area * seabed->stiffness;
    t->damping = area * seabed->damping * ramp * ramp * (3.0 - 2.0 * ramp);
    t->growth = area * seabed->damping * (6.0 / DAMPING_DEPTH) * ramp * (1.0 - ramp);
    t->force = hwMax(0.0, t->stiffness * t->depth + t->damping * t->rate);
    t->limit = seabed->friction * t->force;
    hwVec3 away = hwSub(state->position[i], state->anchor[i]);
    t->slip = level ? hwMakeVec3(away.x, away.y, 0.0) : hwMulAdd(away, -hwDot(away, t->normal), t->normal);
    t->slipRate = level ? hwMakeVec3(v.x, v.y, 0.0) : hwMulAdd(v, -across, t->normal);
    return true;
}

// Both springs; the friction spring is stretched no further than it slides at.
HW_INLINE double GetStored(const Touch* t) {
    double reach = t->stiffness > 0.0 ? t->limit / t->stiffness : 0.0;
    return t->stands
               ? 0.0
               : 0.5 * t->stiffness * (t->depth * t->depth + hwMin(hwDot(t->slip, t->slip), reach * reach));
}

double hwCableWork_GetSeabedEnergy(const hwCableWork* work, const hwCableState* state,
                                   const hwCableSeabed* seabed) {
    double sum = 0.0;
    Touch t;
    for (int i = 0; i < work->nodes; ++i) {
        if (GetTouch(work, state, seabed, i, &t)) sum += GetStored(&t);
    }
    return sum;
}

// What is paid out comes to lie under the first node of the cable, whose area, and with it all that the bottom stores there,
// grows: a winch in the ground presses it there.
static void AddPayoutCosts(const hwCableWork* work, const hwCableState* state, const hwCableSeabed* seabed,
                           hwCableContact* contact) {
    const hwCableArrays* s = work->arrays;
    for (int end = 0; end < 2 && contact->count > 0; ++end) {
        const hwCableEnd* held = &work->input.ends[end];
        int inner = end == 0 ? 1 : work->nodes - 2;
        Touch t;
        if (!held->fed || held->kind == HW_CABLE_FREE || !GetTouch(work, state, seabed, inner, &t)) continue;
        double grows = (held->moves ? 2.0 : 1.0) * s->radius[end == 0 ? 0 : work->nodes - 2];
        double area = GetArea(work, inner);
        if (area > 0.0) contact->cost[end] = GetStored(&t) * grows / area;
    }
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
hwCableContact hwCableWork_AddLevel(hwCableWork* work, const hwCableState* state, const hwCableSeabed* seabed,
                                    int from, int to) {
    hwCableContact contact = {0};
    hwCableArrays* s = work->arrays;
    double hd = work->input.hd;
    hwV4 power = {0}, forces = {0}, elastic = {0}, deepest = {0};
    hwM4 counts = {0};
    const hwM4 lanes = {0, 1, 2, 3};
    for (int i = from; i < to; i += HW_LANES) {
        hwV4 before = Load4(s->radius + i - 1), after = Load4(s->radius + i);
        hwV4 depth =
            Select4(before > after, before, after) - (Load4(s->pz + i) - LoadHeights(seabed, i, work->nodes));
        hwM4 stores = {-1, -1, -1, -1}; // nodes whose push is that of an energy
        bool beside =
            i <= 1 || i + HW_LANES >= work->nodes - 1; // an end or the node beside it is among these
        for (int end = 0; end < 2 && beside; ++end) {
            int node = end == 0 ? 0 : work->nodes - 1, inner = end == 0 ? 1 : node - 1, k = node - i;
            if (k < 0 || k >= HW_LANES || work->input.ends[end].kind == HW_CABLE_FREE) continue;
            stores[k] = 0;
            depth[k] = IsPushed(work, node) ? hwMin(depth[k], GetDepth(work, state, seabed, inner)) : -1.0;
        }
        hwM4 on = (depth > 0.0) & (lanes < work->nodes - i);
        if (!IsAny(on)) continue;
        depth = (hwV4)((hwM4)depth & on);
        hwV4 area = before * Load4(s->rest + i - 1) + after * Load4(s->rest + i);
        for (int end = 0; end < 2 && beside; ++end) {
            int inner = end == 0 ? 1 : work->nodes - 2, k = inner - i;
            if (k >= 0 && k < HW_LANES && IsMoved(&work->input.ends[end])) area[k] = GetArea(work, inner);
        }
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
        if (i + HW_LANES <= work->nodes) {
            StoreVectors(&work->force[i].x, Add4(LoadVectors(&work->force[i].x), force));
        } else {
            for (int k = 0; i + k < work->nodes; ++k)
                work->force[i + k] =
                    hwAdd(work->force[i + k], hwMakeVec3(force.x[k], force.y[k], force.z[k]));
        }
        counts -= on;
        deepest = Select4(depth > deepest, depth, deepest);
        power += force.x * vx + force.y * vy + force.z * vz;
        forces += up;
        hwV4 reach = (hwV4)((hwM4)(limit / (stiffness + 1e-300)) & on),
             stretched = slipX * slipX + slipY * slipY;
        stretched = Select4(stretched < reach * reach, stretched, reach * reach);
        elastic += (hwV4)((hwM4)(0.5 * stiffness * (depth * depth + stretched)) & stores);
        if (!work->input.matrix) continue;
        hwV4 spring = hd * hd * stiffness + hd * damping, along = share * spring;
        hwV4 growth = area * (seabed->damping * 6.0 / DAMPING_DEPTH) * ramp * (1.0 - ramp);
        hwV4 across = spring + hd * hd * growth * Positive4(-vz);
        hwV4 ux = pullX * inverse, uy = pullY * inverse;
        double* diagonal = s->diagonal + HW_AT(6, HW_SLOT(i), 0);
        Store4(diagonal, Load4(diagonal) + along * (1.0 - ux * ux));
        Store4(diagonal + 4, Load4(diagonal + 4) - along * ux * uy);
        Store4(diagonal + 12, Load4(diagonal + 12) + along * (1.0 - uy * uy));
        Store4(diagonal + 20, Load4(diagonal + 20) + (hwV4)((hwM4)across & (hwM4)(up > 0.0)));
    }
    contact.count = (int)(counts[0] + counts[1] + counts[2] + counts[3]);
    contact.depth = hwMax(hwMax(deepest[0], deepest[1]), hwMax(deepest[2], deepest[3]));
    contact.power = (power[0] + power[1]) + (power[2] + power[3]);
    contact.force = (forces[0] + forces[1]) + (forces[2] + forces[3]);
    contact.elastic = (elastic[0] + elastic[1]) + (elastic[2] + elastic[3]);
    return contact;
}

void hwCableContact_Add(hwCableContact* sum, const hwCableContact* part) {
    sum->count += part->count;
    sum->elastic += part->elastic;
    sum->power += part->power;
    sum->force += part->force;
    sum->depth = hwMax(sum->depth, part->depth);
}

static hwCableContact AddOnSlopes(hwCableWork* work, const hwCableState* state, const hwCableSeabed* seabed) {
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
        contact.elastic += GetStored(&t);
        if (!work->input.matrix) continue;
        double spring = hd * hd * t.stiffness + hd * t.damping;
        double across = spring + hd * hd * t.growth * hwMax(t.rate, 0.0);
        double normal = t.force > 0.0 ? across : 0.0;
        AddContactBlock(work, i, slides ? spring * t.limit / size : spring, normal, t.normal, along);
    }
    return contact;
}

hwCableContact hwCableWork_AddSeabed(hwCableWork* work, const hwCableState* state,
                                     const hwCableSeabed* seabed) {
    hwCableContact contact = seabed->normal == NULL
                                 ? hwCableWork_AddLevel(work, state, seabed, 0, work->nodes)
                                 : AddOnSlopes(work, state, seabed);
    AddPayoutCosts(work, state, seabed, &contact);
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

// Of one node: it drags its anchor along once the friction spring is stretched as far as it slides at.
static void CommitNode(const hwCableWork* work, const hwCableState* state, const hwCableSeabed* seabed,
                       int i) {
    Touch t;
    if (!GetTouch(work, state, seabed, i, &t)) {
        state->anchor[i] = state->position[i];
        return;
    }
    double reach = t.stiffness > 0.0 ? t.limit / t.stiffness : 0.0, size = hwLength(t.slip);
    if (size > reach) state->anchor[i] = hwMulAdd(state->position[i], -reach / size, t.slip);
}

// The same for four nodes on a level bottom, none of them an end or beside one.
HW_INLINE void CommitLevel(const hwCableWork* work, const hwCableState* state, const hwCableSeabed* seabed,
                           int i) {
    const hwCableArrays* s = work->arrays;
    hwV4 before = Load4(s->radius + i - 1), after = Load4(s->radius + i);
    hwV4x3 x = LoadVectors(&state->position[i].x);
    hwV4 depth = Select4(before > after, before, after) - (x.z - Load4(seabed->height + i));
    hwM4 on = depth > 0.0;
    if (!IsAny(on)) {
        memcpy(&state->anchor[i], &state->position[i], HW_LANES * sizeof(hwVec3));
        return;
    }
    hwV4 area = before * Load4(s->rest + i - 1) + after * Load4(s->rest + i);
    hwV4 ramp = depth * (1.0 / DAMPING_DEPTH);
    ramp = Select4(ramp < 1.0, ramp, Set4(1.0));
    hwV4 stiffness = area * seabed->stiffness;
    hwV4 damping = area * seabed->damping * ramp * ramp * (3.0 - 2.0 * ramp);
    hwV4 force = Positive4(stiffness * depth - damping * LoadVectors(&state->velocity[i].x).z);
    hwV4 reach = (hwV4)((hwM4)(seabed->friction * force / stiffness) & (hwM4)(stiffness > 0.0));
    hwV4x3 anchor = LoadVectors(&state->anchor[i].x);
    hwV4 slipX = x.x - anchor.x, slipY = x.y - anchor.y, size = Sqrt4(slipX * slipX + slipY * slipY);
    hwM4 drags = on & (hwM4)(size > reach);
    hwV4 part = -reach / size;
    hwM4 stays = on & ~drags;
    x.x = Select4(stays, anchor.x, Select4(drags, x.x + part * slipX, x.x));
    x.y = Select4(stays, anchor.y, Select4(drags, x.y + part * slipY, x.y));
    x.z = Select4(stays, anchor.z, x.z);
    StoreVectors(&state->anchor[i].x, x);
}

void hwCableWork_CommitSeabed(const hwCableWork* work, const hwCableState* state,
                              const hwCableSeabed* seabed) {
    int i = 0, nodes = work->nodes;
    while (i < nodes) {
        bool inner = i >= 2 && i + HW_LANES <= nodes - 2;
        if (seabed->normal == NULL && inner) {
            CommitLevel(work, state, seabed, i);
            i += HW_LANES;
        } else {
            CommitNode(work, state, seabed, i++);
        }
    }
}
