// Forces on links and products with the matrices of the last evaluation, and coordinates of everything that moves.
#include "world/part.h"
#include "world/realtime.h"

#include <math.h>
#include <string.h>

void hwWorld_AddWrench(const hwWorld* world, int link, hwWideSpatial wrench) {
    hwWork* work = world->work;
    work->wrench[link].l += wrench.l;
    work->wrench[link].a += wrench.a;
    work->powers.work += hwWideSpatial_Dot(wrench, work->forest.motion[link].v);
}

hwLinkTerms* hwWorld_GetWorldTerms(const hwWorld* world, int link) {
    hwLinkTerms* terms = &world->work->terms[link];
    if (!(terms->kinds & HW_TERMS_WORLD)) {
        terms->kinds |= HW_TERMS_WORLD;
        memset(&terms->worldDamping, 0, sizeof(terms->worldDamping));
        memset(&terms->worldStiffness, 0, sizeof(terms->worldStiffness));
    }
    return terms;
}

void hwWideSym_AddScaled(hwWideSym* m, double factor, const hwWideSym* b) {
    hwWideMat* to[3] = {&m->ll, &m->la, &m->aa};
    const hwWideMat* from[3] = {&b->ll, &b->la, &b->aa};
    for (int k = 0; k < 3; ++k) {
        to[k]->x += factor * from[k]->x;
        to[k]->y += factor * from[k]->y;
        to[k]->z += factor * from[k]->z;
    }
}

static hwMat3 BlockPart(double (*block)[6], int row, int column) {
    hwMat3 m = {{block[row][column], block[row + 1][column], block[row + 2][column]},
                {block[row][column + 1], block[row + 1][column + 1], block[row + 2][column + 1]},
                {block[row][column + 2], block[row + 1][column + 2], block[row + 2][column + 2]}};
    return m;
}

static const hwMat3 zeroMat3;

// Adds T^T B T to a link's block.
void hwWorld_AddLinkBlock(hwWideSym* K, int size, double (*block)[6], hwVec3 arm) {
    hwMat3 tt = BlockPart(block, 0, 0), tr = size == 6 ? BlockPart(block, 0, 3) : zeroMat3;
    hwMat3 rr = size == 6 ? BlockPart(block, 3, 3) : zeroMat3;
    hwMat3 skew = hwSkew(arm);
    hwMat3 ttr = hwMulMM(tt, skew);          // B_tt [r]
    hwMat3 la = hwMulAddMat3(tr, -1.0, ttr); // B_tr - B_tt [r]
    hwMat3 cross = hwMulMM(skew, tr);        // [r] B_tr
    hwMat3 aa = hwAddMat3(rr, hwAddMat3(cross, hwTransposeMat3(cross)));
    aa = hwMulAddMat3(aa, -1.0, hwMulMM(skew, ttr));
    hwWideMat wide = hwWideMat_FromMat3(tt);
    hwWideMat_Add(&K->ll, &wide);
    wide = hwWideMat_FromMat3(la);
    hwWideMat_Add(&K->la, &wide);
    wide = hwWideMat_FromMat3(aa);
    hwWideMat_Add(&K->aa, &wide);
}

// m += R diag(d) R^T
static void AddTurned(hwWideMat* m, double factor, hwWide d, const hwWideMat* R) {
    hwWideMat_AddOuter(m, factor * d[0], R->x, R->x);
    hwWideMat_AddOuter(m, factor * d[1], R->y, R->y);
    hwWideMat_AddOuter(m, factor * d[2], R->z, R->z);
}

// K += damping * D + stiffness * S of link i
void hwWork_AddTerms(const hwWork* work, int i, double damping, double stiffness, hwWideSym* K) {
    const hwLinkTerms* terms = &work->terms[i];
    const hwWideMat* R = &work->forest.motion[i].R;
    if (terms->kinds & HW_TERMS_DIAGONAL) {
        AddTurned(&K->ll, damping, terms->diagonalL, R);
        AddTurned(&K->aa, damping, terms->diagonalA, R);
    }
    if (terms->kinds & HW_TERMS_LINK) {
        hwSpatialSym sum;
        memset(&sum, 0, sizeof(sum));
        hwMulAddSpatialSym(&sum, damping, &terms->damping);
        hwMulAddSpatialSym(&sum, stiffness, &terms->stiffness);
        hwWideSym turned = hwWideSym_FromLink(&sum, R);
        hwWideSym_Add(K, &turned);
    }
    if (terms->kinds & HW_TERMS_WORLD) {
        hwWideSym_AddScaled(K, damping, &terms->worldDamping);
        hwWideSym_AddScaled(K, stiffness, &terms->worldStiffness);
    }
}

hwStatus hwWorld_FailFactor(const hwWorld* world, int link, hwError* error) {
    const char* name = world->model.links[link].body->def.name;
    hwStatus status =
        hwFail(error, HW_ERROR_NUMERIC, name, "%s: the inertia seen at the joint is not positive", name);
    hwFail_At(error, -1, world->state.header->time);
    hwFail_Hint(error, "check mass, inertia and added mass");
    return status;
}

// Power of what only shows with the accelerations: of prescribed bodies that carry something. Needs the forces of
// hwForest_ComputeEfforts. Weight and inertia of prescribed bodies, and of links that joints without freedom make part of
// them, have no energy in the books; nor is moving them work.
static double ReactionPower(const hwWorld* world) {
    const hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    double power = 0.0;
    for (int i = 0; i < forest->linkCount && world->model.drives; ++i) {
        if (!forest->data[i].grounded) continue;
        hwWideSpatial passed = work->wrench[i];
        if (forest->links[i].joint == HW_LINK_DRIVEN) {
            passed.l += work->forest.force[i].l;
            passed.a += work->forest.force[i].a;
        }
        power += hwWideSpatial_Dot(passed, work->forest.motion[i].v);
    }
    return power;
}

void hwWorld_AddReactionWork(const hwWorld* world, const double* a, const double* v, double hd) {
    double power = ReactionPower(world);
    HW_EACH_PART(world, part, addReactions) part->addReactions(world, a, v, hd, &power);
    world->work->zdot[HW_AUX_WORK] += power;
    world->work->z[HW_AUX_WORK] += hd * power;
}

// With cables the accelerations of their ends are not known beforehand: the residual of zero accelerations, solved with
// the mass matrix, gives them all.
static hwStatus SolveForwardWithCables(const hwWorld* world, const double* v, double* a, hwError* error) {
    hwWork* work = world->work;
    memset(a, 0, (size_t)world->model.freedomCount * sizeof(double));
    hwWorld_ComputeResidual(world, a, work->residual);
    hwStatus status = hwWorld_Factor(world, 0.0, work->residual, error);
    if (status != HW_OK) return status;
    hwWorld_SolveFactored(world, work->residual, a);
    hwWorld_ComputeResidual(world, a, work->residual); // forces at joints and ends that go with them
    hwWorld_AddReactionWork(world, a, v, 0.0);
    HW_EACH_PART(world, part, auditRates) part->auditRates(world, work->zdot, true);
    return HW_OK;
}

hwStatus hwWorld_SolveForward(const hwWorld* world, const double* v, double* a, hwError* error) {
    if (hwModel_HasCables(&world->model)) return SolveForwardWithCables(world, v, a, error);
    hwWork* work = world->work;
    const hwForest* forest = &world->model.forest;
    world->state.header->counters.factorizations += 1;
    hwJointTerms joint = {world->model.hasJoints ? work->jointInertia : NULL, NULL};
    int failed = -1;
    // without implicit terms nothing couples links of different trees
    struct hwCouplings* couplings = work->forest.couplings;
    work->forest.couplings = NULL;
    bool good = hwForest_ComputeForward(forest, work->inertia, work->wrench, joint, work->jointEffort,
                                        &work->forest, a, &failed);
    work->forest.couplings = couplings;
    if (!good) return hwWorld_FailFactor(world, failed, error);
    if (world->model.drives) {
        hwForest_ComputeAccelerations(forest, a, &work->forest);
        hwForest_ComputeEfforts(forest, work->inertia, work->wrench, &work->forest, work->efforts);
    }
    hwWorld_AddReactionWork(world, a, v, 0.0);
    return HW_OK;
}

void hwWorld_MultiplyMass(const hwWorld* world, const double* x, double* y) {
    hwForest_Multiply(&world->model.forest, world->work->inertia, &world->work->forest, x, y);
    for (int i = 0; i < world->model.forest.freedomCount; ++i) y[i] += world->work->jointInertia[i] * x[i];
    if (!hwModel_HasCables(&world->model)) return;
    memset(world->work->loads, 0, (size_t)world->model.forest.linkCount * sizeof(hwWideSpatial));
    HW_EACH_PART(world, part, multiplyMass) part->multiplyMass(world, x, y, world->work->loads);
    hwForest_AddForces(&world->model.forest, &world->work->forest, world->work->loads, y);
}

void hwWorld_MultiplyStiffness(const hwWorld* world, const double* x, double* y) {
    hwWork* work = world->work;
    memset(work->K, 0, (size_t)world->model.forest.linkCount * sizeof(hwWideSym));
    for (int i = 0; i < world->model.forest.linkCount; ++i) hwWork_AddTerms(work, i, 0.0, 1.0, &work->K[i]);
    hwForest_Multiply(&world->model.forest, work->K, &work->forest, x, y);
    memset(work->loads, 0, (size_t)world->model.forest.linkCount * sizeof(hwWideSpatial));
    HW_EACH_PART(world, part, multiplyStiffness) part->multiplyStiffness(world, x, y, work->loads);
    hwForest_AddForces(&world->model.forest, &work->forest, work->loads, y);
}

// Coordinates: those of trees, then the nodes of cables, which simply add.
void hwWorld_Displace(const hwWorld* world, const double* q0, const double* delta, double* q) {
    const hwForest* forest = &world->model.forest;
    hwForest_Displace(forest, q0, delta, q);
    int count = world->model.freedomCount - forest->freedomCount;
    q0 += forest->coordinateCount, q += forest->coordinateCount, delta += forest->freedomCount;
    for (int i = 0; i < count; ++i) q[i] = q0[i] + delta[i];
}

void hwWorld_DisplaceNodes(const hwWorld* world, const double* delta, int first, int last) {
    const hwForest* forest = &world->model.forest;
    int shift = forest->coordinateCount - forest->freedomCount;
    const double* q0 = world->work->q0 + shift;
    double* q = world->state.q + shift;
    if (first < forest->freedomCount) first = forest->freedomCount;
    for (int i = first; i < last; ++i) q[i] = q0[i] + delta[i];
}

void hwWorld_DisplaceLinks(const hwWorld* world, const double* delta) {
    const hwForest* forest = &world->model.forest;
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        if (hwForestWork_Skips(&world->work->forest, i)) continue;
        hwLink_Displace(link, world->work->q0 + link->coordinate, delta + link->freedom,
                        world->state.q + link->coordinate);
    }
}

void hwWorld_DisplaceState(const hwWorld* world, const double* delta) {
    hwWorld_DisplaceLinks(world, delta);
    hwWorld_DisplaceNodes(world, delta, 0, world->work->freedomsInUse);
}

#define MANY_FREEDOMS 1200 // with fewer, a loop takes less time than it takes to hand it to another thread

typedef struct EachLot {
    const hwLot* lots;
    hwLoopFn* function;
    void* context;
} EachLot;

static void RunLots(int first, int last, void* context) {
    const EachLot* each = context;
    each->function(each->lots[first].freedom, each->lots[last].freedom, each->context);
}

void hwWorld_EachLot(const hwWorld* world, hwLoopFn* function, void* context) {
    const hwWork* work = world->work;
    hwTeam_Loop(work->freedomsInUse < MANY_FREEDOMS ? NULL : world->team, work->lotCount, 1, function,
                context);
}

void hwWorld_EachFreedom(const hwWorld* world, hwLoopFn* function, void* context) {
    const hwWork* work = world->work;
    bool shared = world->team != NULL && work->freedomsInUse >= MANY_FREEDOMS && work->lotCount > 0 &&
                  work->lots[work->lotCount].freedom == work->freedomsInUse;
    if (!shared) {
        function(0, work->freedomsInUse, context);
        return;
    }
    EachLot each = {work->lots, function, context};
    hwWorld_EachLot(world, RunLots, &each);
}

size_t hwWorld_GetCoordinateBytes(const hwWorld* world) {
    const hwForest* forest = &world->model.forest;
    int count = forest->coordinateCount + world->work->freedomsInUse - forest->freedomCount;
    return (size_t)count * sizeof(double);
}

void hwWorld_ComputeRates(const hwWorld* world, const double* q, const double* v, double* qdot) {
    const hwForest* forest = &world->model.forest;
    hwForest_ComputeRates(forest, q, v, qdot);
    size_t count = (size_t)(world->model.freedomCount - forest->freedomCount);
    memcpy(qdot + forest->coordinateCount, v + forest->freedomCount, count * sizeof(double));
}

void hwWorld_TangentOf(const hwWorld* world, const double* q, const double* dq, double* tangent) {
    const hwForest* forest = &world->model.forest;
    hwForest_TangentOf(forest, q, dq, tangent);
    size_t count = (size_t)(world->model.freedomCount - forest->freedomCount);
    memcpy(tangent + forest->freedomCount, dq + forest->coordinateCount, count * sizeof(double));
}
