// A thousand random mechanisms under water: forward dynamics, inverse dynamics and the joint-space matrix check each other.
#include "cases/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TREES 1000
#define MOST 60 // links
#define FREEDOMS (6 + 3 * MOST)

// Reproducible numbers, uniform in [low, high).
static double Random(unsigned long long* seed, double low, double high) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(*seed >> 11) * 0x1.0p-53;
}

static hwVec3 RandomVec3(unsigned long long* seed, double size) {
    double x = Random(seed, -size, size), y = Random(seed, -size, size), z = Random(seed, -size, size);
    return hwMakeVec3(x, y, z);
}

static hwQuat RandomQuat(unsigned long long* seed) {
    hwVec3 v = RandomVec3(seed, 1.0);
    hwQuat q = {Random(seed, -1.0, 1.0), v.x, v.y, v.z};
    return hwNormalizeQuat(q);
}

static void FillBody(unsigned long long* seed, hwBodyDef* body) {
    body->mass = Random(seed, 0.5, 5.0);
    body->com = RandomVec3(seed, 0.4);
    body->comAttitude = RandomQuat(seed);
    double a = Random(seed, 0.05, 0.5), b = Random(seed, 0.05, 0.5);
    body->inertia[0] = a, body->inertia[1] = b, body->inertia[2] = 0.6 * (a + b);
    // added mass: a sum of squares
    for (int k = 0; k < 4; ++k) {
        double x[6];
        for (int i = 0; i < 6; ++i) x[i] = Random(seed, -1.5, 1.5);
        for (int i = 0; i < 36; ++i) body->hydro.addedMass[i / 6][i % 6] += x[i / 6] * x[i % 6];
    }
    body->hydro.volume = 0.8 * body->mass / 1025.0;
    for (int i = 0; i < 6; ++i) body->hydro.quadraticDrag[i] = Random(seed, 0.0, 5.0);
}

static void FillLink(unsigned long long* seed, int index, char* name, hwSignalTerm* effort, hwLinkDef* link) {
    static const hwJointKind kinds[] = {HW_JOINT_REVOLUTE, HW_JOINT_REVOLUTE, HW_JOINT_PRISMATIC,
                                        HW_JOINT_BALL, HW_JOINT_FIXED};
    *link = hwDefaultLinkDef();
    snprintf(name, 16, "l%d", index);
    link->body.name = name;
    FillBody(seed, &link->body);
    int back = 1 + (int)(Random(seed, 0.0, 1.0) * Random(seed, 0.0, 5.0));
    link->parent = index - back < -1 ? -1 : index - back;
    link->joint = kinds[(int)Random(seed, 0.0, 5.0)];
    link->frame =
        hwMakeJointFrame(RandomVec3(seed, 0.6), RandomQuat(seed), hwNormalize(RandomVec3(seed, 1.0)));
    link->hasQ = true;
    link->q = Random(seed, -2.0, 2.0);
    link->qd = Random(seed, -1.0, 1.0);
    link->turn = RandomQuat(seed);
    link->turnRate = RandomVec3(seed, 1.0);
    *effort = hwConstantTerm(RandomVec3(seed, 20.0));
    if (link->joint == HW_JOINT_FIXED) return;
    link->control.mode = HW_CONTROL_EFFORT;
    link->control.effort = (hwSignal){1, effort};
}

typedef struct Tree {
    hwWorld* world;
    hwMechanismId id;
    int freedoms;
    double efforts[FREEDOMS], accelerations[FREEDOMS];
} Tree;

static bool MakeTree(hwCaseRun* run, unsigned long long* seed, Tree* tree) {
    static hwLinkDef links[MOST];
    static hwSignalTerm efforts[MOST];
    static char names[MOST][16];
    int count = 1 + (int)Random(seed, 0.0, (double)MOST);
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.base = Random(seed, 0.0, 1.0) < 0.5 ? HW_BASE_FREE : HW_BASE_EARTH;
    FillBody(seed, &def.free);
    def.free.position = hwMakeVec3(0.0, 0.0, -200.0);
    def.free.rate = RandomVec3(seed, 1.0);
    def.free.velocity = RandomVec3(seed, 1.0);
    if (def.base == HW_BASE_EARTH) def.position = hwMakeVec3(0.0, 0.0, -200.0);
    for (int i = 0; i < count; ++i) FillLink(seed, i, names[i], &efforts[i], &links[i]);
    def.links = links;
    def.linkCount = count;
    tree->world = run->world;
    tree->id = hwWorld_AddMechanism(run->world, &def, &run->error);
    if (HW_IS_NULL(tree->id) || hwWorld_Prepare(run->world, &run->error) != HW_OK) return false;
    tree->freedoms = hwMechanism_GetFreedomCount(run->world, tree->id);
    return true;
}

// Efforts applied and accelerations found, in the mechanism's own order.
static void ReadTree(Tree* tree) {
    int at = 0;
    hwBodyState base;
    int links = hwMechanism_GetLinkCount(tree->world, tree->id);
    hwBodyId body = hwMechanism_GetLink(tree->world, tree->id, -1);
    if (!HW_IS_NULL(body) && hwBody_GetState(tree->world, body, &base, NULL) == HW_OK) {
        const double a[6] = {base.acceleration.x,     base.acceleration.y,     base.acceleration.z,
                             base.rateAcceleration.x, base.rateAcceleration.y, base.rateAcceleration.z};
        for (int k = 0; k < 6; ++k, ++at) tree->accelerations[at] = a[k], tree->efforts[at] = 0.0;
    }
    for (int i = 0; i < links; ++i) {
        hwBodyId link = hwMechanism_GetLink(tree->world, tree->id, i);
        hwJointState joint;
        hwBallState ball;
        if (hwJoint_GetState(tree->world, link, &joint, NULL) == HW_OK) {
            tree->accelerations[at] = joint.qdd;
            tree->efforts[at++] = joint.effort;
        } else if (hwJoint_GetBallState(tree->world, link, &ball, NULL) == HW_OK) {
            const double a[3] = {ball.rateAcceleration.x, ball.rateAcceleration.y, ball.rateAcceleration.z};
            const double e[3] = {ball.effort.x, ball.effort.y, ball.effort.z};
            for (int k = 0; k < 3; ++k, ++at) tree->accelerations[at] = a[k], tree->efforts[at] = e[k];
        }
    }
}

// Largest error relative to the largest effort that the motion takes.
static bool CheckTree(hwCaseRun* run, const Tree* tree, double* inverse, double* matrix) {
    static double M[FREEDOMS * FREEDOMS];
    static const double rest[FREEDOMS];
    double found[FREEDOMS], held[FREEDOMS];
    int n = tree->freedoms;
    if (hwMechanism_ComputeInverseDynamics(run->world, tree->id, tree->accelerations, found, &run->error) !=
            HW_OK ||
        hwMechanism_ComputeInverseDynamics(run->world, tree->id, rest, held, &run->error) != HW_OK ||
        hwMechanism_ComputeMatrix(run->world, tree->id, M, &run->error) != HW_OK) {
        return false;
    }
    double size = 0.0;
    for (int i = 0; i < n; ++i) size = fmax(size, fmax(fabs(tree->efforts[i]), fabs(held[i])));
    for (int i = 0; i < n; ++i) {
        double sum = held[i];
        for (int k = 0; k < n; ++k) sum += M[i * n + k] * tree->accelerations[k];
        *inverse = fmax(*inverse, fabs(found[i] - tree->efforts[i]) / size);
        *matrix = fmax(*matrix, fabs(sum - tree->efforts[i]) / size);
    }
    return true;
}

static void RandomTrees(hwCaseContext* context) {
    static Tree tree;
    unsigned long long seed = 12345;
    double inverse = 0.0, matrix = 0.0;
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    for (int i = 0; i < TREES; ++i) {
        hwCaseRun run;
        hwCaseRun_Begin(&run, context, false, &sea, 0.0);
        if (!run.failed) run.failed = !MakeTree(&run, &seed, &tree);
        if (!run.failed) ReadTree(&tree);
        if (!run.failed && tree.freedoms > 0) run.failed = !CheckTree(&run, &tree, &inverse, &matrix);
        bool failed = run.failed;
        hwCaseRun_End(&run);
        if (failed) return;
    }
    const char* note =
        "relative to the largest effort; up to 60 links, all joints, added mass, bases fixed and free";
    hwCase_Compare(context, "inverse dynamics of the forward result, error", 0.0, HW_NO_SEED, inverse,
                   inverse, 1e-10, 1e-10, note);
    hwCase_Compare(context, "joint-space matrix times the forward result, error", 0.0, HW_NO_SEED, matrix,
                   matrix, 1e-10, 1e-10, note);
}

const hwCase hwRandomTreeCases[] = {
    {"mechanism/random-trees", "Featherstone, Rigid Body Dynamics Algorithms (2008)",
     "A thousand random trees: forward dynamics against inverse dynamics and the matrix.", RandomTrees},
    {0},
};
