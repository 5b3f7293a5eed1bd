// Bodies that spin, in the built-in solver (realtime.c).
//
// They (hwSpins_Start) are measured from the motion that they would have without forces, qf(t), vf(t), af(t), which
// is known (mech/free_motion.c): displacement and velocity less it are what the method advances, so that
//     displacement from qf = dBase + h d (v - vf), in axes that stand still,
// and accelerations follow from what does not turn: stages advance the angular momentum about the centre of mass and that
// centre's velocity (hwImpetus), impetus = base + h d rate. A body in free flight, offset centre of mass and all, is then where it
// should be, with its energy and angular momentum, at any rate of spin, and a moment that stands still moves the momentum by
// what it gives. In axes that turn with the body, or with the velocity of a point that goes round its centre of mass, the
// method itself gains or loses a part of h w to the fourth power a step, and a moment's effect is (h w)^2 / 6 off. Where a body
// turns far in a stage (SPLIT_SPIN) Newton's method, whose matrix has no gyroscopic terms, would not converge on them; there
//     a = af + (v - vf - wBase) / (h d)
// with gyroscopic forces of the motion without forces, which is splitting, and counts as an error.
#include "world/realtime.h"

#include <math.h>
#include <string.h>

// rad in a step: below that what the method loses to spin is less than 1e-6 in 1,000 turns, 150 (h w)^3 of the energy.
#define SLOW_SPIN 1e-3
// In heaps contacts take a thousand times as much out of a body as the method loses at this, 1e-3 of its energy in 1,000 turns.
#define CROWDED_SPIN 0.02
#define SPLIT_SPIN 0.1 // rad in h d

// Bodies that turn by more than SLOW_SPIN in the coming sub-step, and their motion without forces.
void hwSpins_Start(hwWorld* world, double h) {
    hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    work->spinCount = 0;
    double slow = work->crowded ? CROWDED_SPIN : SLOW_SPIN;
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        if (link->joint != HW_LINK_FREE) continue;
        const double* w = work->v0 + link->freedom + 3;
        if (!(h * h * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) > slow * slow)) continue;
        if (!hwForest_IsFreeBody(forest, i)) continue;
        hwSpin* spin = &work->spins[work->spinCount++];
        spin->link = i;
        spin->split = h * hwLength(hwMakeVec3(w[0], w[1], w[2])) > SPLIT_SPIN / (0.5 * HW_GAMMA);
        memcpy(spin->start.q, work->q0 + link->coordinate, sizeof(spin->start.q));
        memcpy(spin->start.v, work->v0 + link->freedom, sizeof(spin->start.v));
        hwFreeMotion_Advance(&spin->start, link, 0.0);
        double pushed[6];
        for (int j = 0; j < 6; ++j) pushed[j] = work->a0[link->freedom + j] - spin->start.a[j];
        spin->given = hwLink_GetImpetus(link, spin->start.q, spin->start.v);
        spin->rate = hwLink_GetImpetus(link, spin->start.q, pushed);
        spin->middle = spin->start;
        hwFreeMotion_Advance(&spin->middle, link, HW_GAMMA * h);
        spin->end = spin->middle;
        hwFreeMotion_Advance(&spin->end, link, (1.0 - HW_GAMMA) * h);
    }
}

void hwSpins_Displace(hwWorld* world, bool last) {
    hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    const hwSpin *spin = work->spins, *end = spin + work->spinCount; // in the order of links
    for (int i = 0; i < forest->linkCount; ++i) {
        if (hwForestWork_Skips(&work->forest, i)) continue;
        const hwLink* link = &forest->links[i];
        const double* from = work->q0 + link->coordinate;
        if (spin < end && spin->link == i) {
            from = last ? spin->end.q : spin->middle.q;
            ++spin;
        }
        hwLink_Displace(link, from, work->d + link->freedom, world->state.q + link->coordinate);
    }
}

void hwSpins_Accelerate(hwWorld* world, double hd) {
    hwWork* work = world->work;
    for (int k = 0; k < work->spinCount; ++k) {
        const hwSpin* spin = &work->spins[k];
        if (spin->split) continue;
        const hwLink* link = &world->model.forest.links[spin->link];
        const double *q = world->state.q + link->coordinate, *v = work->v + link->freedom;
        hwImpetus gained = hwImpetus_MulAdd(hwLink_GetImpetus(link, q, v), -1.0, spin->base), none = {0};
        hwLink_AccelerateBy(link, q, v, hwImpetus_MulAdd(none, 1.0 / hd, gained), work->a + link->freedom);
    }
}

hwImpetus hwSpin_GetFirstBase(const hwSpin* spin, double hd) {
    return hwImpetus_MulAdd(spin->given, hd, spin->rate);
}

hwImpetus hwSpin_GetSecondBase(const hwSpin* spin, double c1) {
    return hwImpetus_MulAdd(spin->given, c1, hwImpetus_MulAdd(spin->reached, -1.0, spin->given));
}

void hwSpin_TurnDisplacement(const double from[7], const double to[7], double d[6]) {
    hwQuat a = {from[3], from[4], from[5], from[6]}, b = {to[3], to[4], to[5], to[6]};
    hwVec3 turned = hwInvRotate(b, hwRotate(a, hwMakeVec3(d[3], d[4], d[5])));
    d[3] = turned.x, d[4] = turned.y, d[5] = turned.z;
}

// Bases and first guess of the first stage, as in TrySubStep for everything else.
void hwSpins_Begin(hwWorld* world, double hd, double ahead) {
    hwWork* work = world->work;
    for (int k = 0; k < work->spinCount; ++k) {
        hwSpin* spin = &work->spins[k];
        int first = world->model.forest.links[spin->link].freedom;
        spin->base = hwSpin_GetFirstBase(spin, hd);
        for (int j = 0; j < 6; ++j) {
            double v = spin->middle.v[j], pushed = work->a0[first + j] - spin->start.a[j];
            work->v1[first + j] = v + hd * (pushed - spin->middle.a[j]);
            work->d1[first + j] = -hd * v;
            work->v[first + j] = v + ahead * pushed;
        }
    }
}

// And of the second; v1 holds the velocities of the first, d1 its displacements times HW_C1.
void hwSpins_GoOn(hwWorld* world, double hd, double ahead) {
    hwWork* work = world->work;
    for (int k = 0; k < work->spinCount; ++k) {
        hwSpin* spin = &work->spins[k];
        const hwLink* link = &world->model.forest.links[spin->link];
        int first = link->freedom;
        spin->reached = hwLink_GetImpetus(link, world->state.q + link->coordinate, work->v1 + first);
        spin->base = hwSpin_GetSecondBase(spin, HW_C1);
        hwSpin_TurnDisplacement(spin->middle.q, spin->end.q, work->d1 + first);
        for (int j = 0; j < 6; ++j) {
            double v = spin->end.v[j], apart = work->v1[first + j] - spin->middle.v[j];
            work->estimate[first + j] = v + HW_C1 * apart - hd * spin->end.a[j];
            work->d1[first + j] -= hd * v;
            work->v[first + j] = v + apart + ahead * (work->a[first + j] - spin->middle.a[j]);
        }
    }
}

// By how much the accelerations of the motion without forces differ between the velocities and places now and those it has.
static void CompareSpin(const hwWorld* world, const hwSpin* spin, bool last, hwFreeMotion* now,
                        double off[6]) {
    const hwLink* link = &world->model.forest.links[spin->link];
    const double* wanted = last ? spin->end.a : spin->middle.a;
    memcpy(now->q, world->state.q + link->coordinate, sizeof(now->q));
    memcpy(now->v, world->work->v + link->freedom, sizeof(now->v));
    hwFreeMotion_Advance(now, link, 0.0);
    for (int j = 0; j < 6; ++j) off[j] = wanted[j] - now->a[j];
}

// Gyroscopic forces of spins that are split. With those that the residual has, the inertia would ask for the accelerations
// that go with the velocities now; it is to ask for those of the motion without forces.
void hwSpins_Split(hwWorld* world, bool last) {
    hwWork* work = world->work;
    for (int k = 0; k < work->spinCount; ++k) {
        const hwSpin* spin = &work->spins[k];
        if (!spin->split) continue;
        const hwLink* link = &world->model.forest.links[spin->link];
        hwFreeMotion now;
        double off[6], force[6];
        CompareSpin(world, spin, last, &now, off);
        hwLink_MultiplyInertia(link, now.q, off, force);
        for (int j = 0; j < 6; ++j) work->residual[link->freedom + j] += force[j];
    }
}

// At the end of a step their accelerations are given the gyroscopic part that goes with the velocities reached, from which
// the next step sets out: the difference of the two would grow by h w a step.
void hwSpins_Finish(hwWorld* world) {
    const hwWork* work = world->work;
    for (int k = 0; k < work->spinCount; ++k) {
        const hwSpin* spin = &work->spins[k];
        if (!spin->split) continue;
        hwFreeMotion now;
        double off[6];
        CompareSpin(world, spin, true, &now, off);
        double* a = world->state.a + world->model.forest.links[spin->link].freedom;
        for (int j = 0; j < 6; ++j) a[j] -= off[j];
    }
}

bool hwSpins_AnySplit(const hwWorld* world) {
    for (int k = 0; k < world->work->spinCount; ++k)
        if (world->work->spins[k].split) return true;
    return false;
}
