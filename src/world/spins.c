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

// Nothing that has a freedom or is moved lies between it and the earth.
static bool StandsStill(const hwForest* forest, int link) {
    while (link >= 0 && forest->links[link].joint == HW_LINK_FIXED) link = forest->links[link].parent;
    return link < 0;
}

// What a link spins as, if it does: a free body, or a link on a ball joint that does not move, which turns as a free body does whose
// centre of mass is in the joint, with the inertia about that.
static bool TakeSpinner(const hwForest* forest, int i, hwSpin* spin) {
    hwLink* body = &spin->body;
    *body = forest->links[i];
    spin->link = i;
    spin->from = 0;
    if (body->joint == HW_LINK_BALL && forest->data[i].leaf && StandsStill(forest, body->parent)) {
        hwVec3 c = body->com;
        double m = body->mass;
        body->inertia.xx += m * (c.y * c.y + c.z * c.z);
        body->inertia.yy += m * (c.z * c.z + c.x * c.x);
        body->inertia.zz += m * (c.x * c.x + c.y * c.y);
        body->inertia.xy -= m * c.x * c.y;
        body->inertia.xz -= m * c.x * c.z;
        body->inertia.yz -= m * c.y * c.z;
        body->com = hwVec3_zero;
        spin->from = 3;
    } else if (body->joint != HW_LINK_FREE || body->parent >= 0 || !forest->data[i].leaf) {
        return false;
    }
    return hwLink_IsSolid(body);
}

// Between arrays of the world and those of a free joint; what a ball joint does not have is zero.
void hwSpin_TakePlace(const hwSpin* spin, const double* q, double place[7]) {
    for (int j = 0; j < 7; ++j) place[j] = j < spin->from ? 0.0 : q[spin->body.coordinate + j - spin->from];
}

void hwSpin_TakeRates(const hwSpin* spin, const double* v, double rates[6]) {
    for (int j = 0; j < 6; ++j) rates[j] = j < spin->from ? 0.0 : v[spin->body.freedom + j - spin->from];
}

// Bodies that turn by more than SLOW_SPIN in the coming sub-step, and their motion without forces.
void hwSpins_Start(hwWorld* world, double h) {
    hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    work->spinCount = 0;
    double slow = work->crowded ? CROWDED_SPIN : SLOW_SPIN;
    for (int i = 0; i < forest->linkCount; ++i) {
        hwJointType joint = forest->links[i].joint;
        if (joint != HW_LINK_FREE && joint != HW_LINK_BALL) continue;
        const double* w = work->v0 + forest->links[i].freedom + (joint == HW_LINK_FREE ? 3 : 0);
        if (!(h * h * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) > slow * slow)) continue;
        hwSpin* spin = &work->spins[work->spinCount];
        if (!TakeSpinner(forest, i, spin)) continue;
        ++work->spinCount;
        const hwLink* link = &spin->body;
        spin->split = h * hwLength(hwMakeVec3(w[0], w[1], w[2])) > SPLIT_SPIN / (0.5 * HW_GAMMA);
        hwSpin_TakePlace(spin, work->q0, spin->start.q);
        hwSpin_TakeRates(spin, work->v0, spin->start.v);
        hwFreeMotion_Advance(&spin->start, link, 0.0);
        double pushed[6];
        hwSpin_TakeRates(spin, work->a0, pushed);
        for (int j = 0; j < 6; ++j) pushed[j] -= spin->start.a[j];
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
            from = (last ? spin->end.q : spin->middle.q) + spin->from;
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
        const hwLink* link = &spin->body;
        double q[7], v[6], a[6];
        hwSpin_TakePlace(spin, world->state.q, q);
        hwSpin_TakeRates(spin, work->v, v);
        hwImpetus gained = hwImpetus_MulAdd(hwLink_GetImpetus(link, q, v), -1.0, spin->base), none = {0};
        hwLink_AccelerateBy(link, q, v, hwImpetus_MulAdd(none, 1.0 / hd, gained), a);
        for (int j = spin->from; j < 6; ++j) work->a[link->freedom + j - spin->from] = a[j];
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
        spin->base = hwSpin_GetFirstBase(spin, hd);
        for (int j = spin->from; j < 6; ++j) {
            int i = spin->body.freedom + j - spin->from;
            double v = spin->middle.v[j], pushed = work->a0[i] - spin->start.a[j];
            work->v1[i] = v + hd * (pushed - spin->middle.a[j]);
            work->d1[i] = -hd * v;
            work->v[i] = v + ahead * pushed;
        }
    }
}

// And of the second; v1 holds the velocities of the first, d1 its displacements times HW_C1.
void hwSpins_GoOn(hwWorld* world, double hd, double ahead) {
    hwWork* work = world->work;
    for (int k = 0; k < work->spinCount; ++k) {
        hwSpin* spin = &work->spins[k];
        double q[7], v1[6], d[6];
        hwSpin_TakePlace(spin, world->state.q, q);
        hwSpin_TakeRates(spin, work->v1, v1);
        hwSpin_TakeRates(spin, work->d1, d);
        spin->reached = hwLink_GetImpetus(&spin->body, q, v1);
        spin->base = hwSpin_GetSecondBase(spin, HW_C1);
        hwSpin_TurnDisplacement(spin->middle.q, spin->end.q, d);
        for (int j = spin->from; j < 6; ++j) {
            int i = spin->body.freedom + j - spin->from;
            double v = spin->end.v[j], apart = v1[j] - spin->middle.v[j];
            work->estimate[i] = v + HW_C1 * apart - hd * spin->end.a[j];
            work->d1[i] = d[j] - hd * v;
            work->v[i] = v + apart + ahead * (work->a[i] - spin->middle.a[j]);
        }
    }
}

// By how much the accelerations of the motion without forces differ between the velocities and places now and those it has.
static void CompareSpin(const hwWorld* world, const hwSpin* spin, bool last, hwFreeMotion* now,
                        double off[6]) {
    const double* wanted = last ? spin->end.a : spin->middle.a;
    hwSpin_TakePlace(spin, world->state.q, now->q);
    hwSpin_TakeRates(spin, world->work->v, now->v);
    hwFreeMotion_Advance(now, &spin->body, 0.0);
    for (int j = 0; j < 6; ++j) off[j] = wanted[j] - now->a[j];
}

// Gyroscopic forces of spins that are split. With those that the residual has, the inertia would ask for the accelerations
// that go with the velocities now; it is to ask for those of the motion without forces.
void hwSpins_Split(hwWorld* world, bool last) {
    hwWork* work = world->work;
    for (int k = 0; k < work->spinCount; ++k) {
        const hwSpin* spin = &work->spins[k];
        if (!spin->split) continue;
        hwFreeMotion now;
        double off[6], force[6];
        CompareSpin(world, spin, last, &now, off);
        hwLink_MultiplyInertia(&spin->body, now.q, off, force);
        for (int j = spin->from; j < 6; ++j) work->residual[spin->body.freedom + j - spin->from] += force[j];
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
        for (int j = spin->from; j < 6; ++j) world->state.a[spin->body.freedom + j - spin->from] -= off[j];
    }
}

bool hwSpins_AnySplit(const hwWorld* world) {
    for (int k = 0; k < world->work->spinCount; ++k)
        if (world->work->spins[k].split) return true;
    return false;
}
