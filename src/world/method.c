// What the steps of the built-in solver (realtime.c) themselves take out of the motion.
//
// A step of TR-BDF2 is a Runge-Kutta step with the weights b = (w, w, d), w = sqrt 2 / 4, d = 1 - sqrt 2 / 2, of its start and its two
// stages. Forces are booked with those weights: a force takes h sum b_i F_i v_i. The energy E that is stored changes by another
// amount. The difference
//     h sum b_i E'(q_i, v_i, a_i) - (E(q_2, v_2) - E(q_0, v_0))
// is what the method damps: the error of its quadrature of E'. Of a quadratic energy with the matrix S it is
// h^2/2 sum m_ij k_i S k_j with k = (v, a) and m_ij = b_i a_ij + b_j a_ji - b_i b_j, the matrix of algebraic stability (Burrage & Butcher
// 1979); nothing for the trapezoidal rule alone, and of third order in h for whatever is smooth.
//
// E' is the derivative of the energies themselves along the velocities and accelerations of the stages; forces take no part in
// it. So what is left of the balance after it still shows forces whose work is not booked, energies that are not what
// forces come from, stages that were not solved, and jumps.
//
// Booked: kinetic energy of links, rotors and cables, weight, buoyancy, stretch, bending and twist of cables, springs of
// joints, feet, grippers and sheaves (what a foot's spring held when it is lifted counts as damped), lines, vees and catenaries
// with both ends held. Not booked, so that their share stays in the balance: what flows over sheaves, what cables touch, tethers that
// wrap, behavioural links, bodies with hydrodynamics of a user's own. Contacts of bodies have what the step damps of them in what they dissipate (see
// SumDissipation of the contact part); their share is taken off here.
#include "world/realtime.h"

bool hwLink_IsBooked(const hwWorld* world, int link) {
    const hwLinkInfo* info = &world->model.links[link];
    return info->active && info->body->def.hydroFn == NULL;
}

// Kinetic energy is a constant form of the velocity in link axes, whose rate there is a - w x v; added mass that changes is in
// powers.stored.
static double RateLink(const hwWorld* world, int link, double gravity) {
    const hwLinkInfo* info = &world->model.links[link];
    const hwLinkMotion* m = &world->work->forest.motion[link];
    const hwWideSpatial* a = &world->work->forest.a[link];
    hwWideSpatial rate = {a->l - hwWide_Cross(m->v.a, m->v.l), a->a};
    hwWide com = hwWideMat_Mul(&m->R, hwWide_FromVec3(info->com));
    hwWide velocity = m->v.l + hwWide_Cross(m->v.a, com);
    return hwWideSpatial_Dot(m->v, hwWideSym_Mul(&world->work->inertia[link], rate)) +
           info->mass * gravity * velocity[2];
}

double hwWorld_RateStored(const hwWorld* world, const double* v, const double* a) {
    const hwWork* work = world->work;
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    double sum = work->powers.stored;
    for (int i = 0; i < world->model.forest.linkCount; ++i) {
        if (hwForestWork_Skips(&work->forest, i)) continue;
        if (hwLink_IsBooked(world, i)) sum += RateLink(world, i, gravity);
    }
    for (int i = 0; i < world->model.forest.freedomCount; ++i)
        sum += (work->jointInertia[i] - work->jointVirtual[i]) * v[i] * a[i];
    HW_EACH_PART(world, part, rateStored) sum += part->rateStored(world, a);
    return sum;
}

void hwWorld_BookMethod(const hwWorld* world, double h, double before) {
    const hwWork* work = world->work;
    const hwState* state = &world->state;
    const double last = 0.5 * HW_GAMMA, others = 0.5 - 0.5 * last;
    double rates = others * (work->zdot0[HW_AUX_METHOD] + work->zdot1[HW_AUX_METHOD]) +
                   last * state->zdot[HW_AUX_METHOD];
    double damped = h * rates - (state->header->stored - before) - work->impulseShare;
    // in heaps Newton's method stops early, and velocities of links go with its last correction while all else does not
    if (work->crowded) damped = 0.0;
    state->z[HW_AUX_METHOD] = work->z0[HW_AUX_METHOD] + damped;
}

static bool IsInTree(const hwLinkData* link) {
    return !link->grounded && !(link->parent < 0 && link->joint == HW_LINK_FREE && link->leaf);
}

double hwWorld_RateTrees(const hwWorld* world, double* energy) {
    const hwForest* forest = &world->model.forest;
    double sum = 0.0;
    *energy = 0.0;
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLinkData* link = &forest->data[i];
        if (!IsInTree(link)) continue;
        const hwLinkMotion* m = &world->work->forest.motion[i];
        const hwWideSpatial* a = &world->work->forest.a[i];
        hwWide l = hwWideMat_MulT(&m->R, m->v.l), w = hwWideMat_MulT(&m->R, m->v.a);
        hwWide dl = hwWideMat_MulT(&m->R, a->l - hwWide_Cross(m->v.a, m->v.l));
        hwWide dw = hwWideMat_MulT(&m->R, a->a);
        hwWide force = link->mass * l + hwWide_Cross(w, link->moment);
        hwWide spin = hwWide_Cross(link->moment, l) + hwWideMat_Mul(&link->inertia, w);
        *energy += 0.5 * (hwWide_Dot(l, force) + hwWide_Dot(w, spin));
        sum += hwWide_Dot(dl, force) + hwWide_Dot(dw, spin);
    }
    return sum;
}

// Velocity products do little in a step in which no link of a tree turns by as much as this, rad: what changes the energy there is a kink
// of some force, which shorter steps do not follow any better.
#define TURNED 1e-3

static bool IsTurning(const hwWorld* world, double h) {
    const hwForest* forest = &world->model.forest;
    double square = TURNED / h * (TURNED / h);
    for (int i = 0; i < forest->linkCount; ++i) {
        hwWide rate = world->work->forest.motion[i].v.a;
        if (IsInTree(&forest->data[i]) && hwWide_Dot(rate, rate) > square) return true;
    }
    return false;
}

double hwWorld_NoteTrees(hwWorld* world, double h, double energy, double power, double middle) {
    const double last = 0.5 * HW_GAMMA, others = 0.5 - 0.5 * last;
    hwStateHeader* header = world->state.header;
    header->treePower = hwWorld_RateTrees(world, &header->treeEnergy);
    double gained = header->treeEnergy - energy - h * (others * (power + middle) + last * header->treePower);
    double most = hwFmax(energy, header->treeEnergy);
    return most > 0.0 && IsTurning(world, h) ? gained / most : 0.0;
}
