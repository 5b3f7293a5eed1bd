// A thousand random mechanisms under water: forward dynamics, inverse dynamics and the joint-space matrix check each other.
#include "cases/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TREES 1000
#define MOST 60 // links
#define FREEDOMS (6 + 6 * MOST)

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
    static const hwJointKind kinds[] = {
        HW_JOINT_REVOLUTE,  HW_JOINT_REVOLUTE, HW_JOINT_REVOLUTE, HW_JOINT_REVOLUTE, HW_JOINT_PRISMATIC,
        HW_JOINT_PRISMATIC, HW_JOINT_BALL,     HW_JOINT_BALL,     HW_JOINT_FIXED,    HW_JOINT_FREE};
    *link = hwDefaultLinkDef();
    snprintf(name, 16, "l%d", index);
    link->body.name = name;
    FillBody(seed, &link->body);
    int back = 1 + (int)(Random(seed, 0.0, 1.0) * Random(seed, 0.0, 5.0));
    link->parent = index - back < -1 ? -1 : index - back;
    link->joint = kinds[(int)Random(seed, 0.0, 10.0)];
    link->frame =
        hwMakeJointFrame(RandomVec3(seed, 0.6), RandomQuat(seed), hwNormalize(RandomVec3(seed, 1.0)));
    link->hasQ = true;
    link->q = Random(seed, -2.0, 2.0);
    link->qd = Random(seed, -1.0, 1.0);
    link->turn = RandomQuat(seed);
    link->turnRate = RandomVec3(seed, 1.0);
    // free joints start by these
    link->body.position = RandomVec3(seed, 1.0);
    link->body.attitude = RandomQuat(seed);
    link->body.velocity = RandomVec3(seed, 1.0);
    link->body.rate = RandomVec3(seed, 1.0);
    *effort = hwConstantTerm(RandomVec3(seed, 20.0));
    if (link->joint == HW_JOINT_FIXED || link->joint == HW_JOINT_FREE) return;
    link->control.mode = HW_CONTROL_EFFORT;
    link->control.effort = (hwSignal){1, effort};
}

typedef struct Tree {
    hwWorld* world;
    hwMechanismId id;
    int freedoms;
    const hwLinkDef* links; // as described
    double efforts[FREEDOMS], accelerations[FREEDOMS];
} Tree;

// A deck that moves by signals.
static hwBodyId AddDeck(hwCaseRun* run, unsigned long long* seed) {
    hwSignalTerm move = hwSineTerm(RandomVec3(seed, 2.0), 5.0, Random(seed, 0.0, 6.0));
    hwSignalTerm turn = hwSineTerm(RandomVec3(seed, 0.5), 4.0, Random(seed, 0.0, 6.0));
    move.offset = hwMakeVec3(0.0, 0.0, -200.0);
    hwBodyDef deck = hwDefaultBodyDef();
    deck.name = "deck";
    deck.mass = 1.0;
    deck.motion = HW_MOTION_PRESCRIBED;
    deck.prescribedPosition = (hwSignal){1, &move};
    deck.prescribedAttitude = (hwSignal){1, &turn};
    return hwWorld_AddBody(run->world, &deck, &run->error);
}

static bool MakeTree(hwCaseRun* run, unsigned long long* seed, Tree* tree) {
    static hwLinkDef links[MOST];
    static hwSignalTerm efforts[MOST];
    static char names[MOST][16];
    static const hwBaseKind bases[3] = {HW_BASE_FREE, HW_BASE_EARTH, HW_BASE_BODY};
    int count = 1 + (int)Random(seed, 0.0, (double)MOST);
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.base = bases[(int)Random(seed, 0.0, 3.0)];
    FillBody(seed, &def.free);
    def.free.position = hwMakeVec3(0.0, 0.0, -200.0);
    def.free.rate = RandomVec3(seed, 1.0);
    def.free.velocity = RandomVec3(seed, 1.0);
    if (def.base == HW_BASE_EARTH) def.position = hwMakeVec3(0.0, 0.0, -200.0);
    if (def.base == HW_BASE_BODY) def.body = AddDeck(run, seed);
    for (int i = 0; i < count; ++i) FillLink(seed, i, names[i], &efforts[i], &links[i]);
    def.links = links;
    def.linkCount = count;
    tree->world = run->world;
    tree->links = links;
    tree->id = hwWorld_AddMechanism(run->world, &def, &run->error);
    if (HW_IS_NULL(tree->id) || hwWorld_Prepare(run->world, &run->error) != HW_OK) return false;
    tree->freedoms = hwMechanism_GetFreedomCount(run->world, tree->id);
    return true;
}

// Motion of a link, or of what its mechanism stands on (-1).
static hwBodyState ReadLink(const Tree* tree, int link) {
    hwBodyState state = {.attitude = {1.0, 0.0, 0.0, 0.0}};
    hwBodyId body = hwMechanism_GetLink(tree->world, tree->id, link);
    if (!HW_IS_NULL(body)) hwBody_GetState(tree->world, body, &state, NULL);
    return state;
}

// Accelerations of a body that moves freely, or on a free joint: of its origin, and of its rate in its own axes.
static void ReadFree(const Tree* tree, int link, double a[6]) {
    hwBodyState s = ReadLink(tree, link);
    a[0] = s.acceleration.x, a[1] = s.acceleration.y, a[2] = s.acceleration.z;
    a[3] = s.rateAcceleration.x, a[4] = s.rateAcceleration.y, a[5] = s.rateAcceleration.z;
}

// Efforts applied and accelerations found at one joint; returns how many.
static int ReadJoint(const Tree* tree, int link, double* a, double* e) {
    hwBodyId body = hwMechanism_GetLink(tree->world, tree->id, link);
    hwJointState joint;
    hwBallState ball;
    switch (tree->links[link].joint) {
    case HW_JOINT_REVOLUTE:
    case HW_JOINT_PRISMATIC:
        if (hwJoint_GetState(tree->world, body, &joint, NULL) != HW_OK) return 0;
        a[0] = joint.qdd, e[0] = joint.effort;
        return 1;
    case HW_JOINT_BALL:
        if (hwJoint_GetBallState(tree->world, body, &ball, NULL) != HW_OK) return 0;
        a[0] = ball.rateAcceleration.x, a[1] = ball.rateAcceleration.y, a[2] = ball.rateAcceleration.z;
        e[0] = ball.effort.x, e[1] = ball.effort.y, e[2] = ball.effort.z;
        return 3;
    case HW_JOINT_FREE:
        ReadFree(tree, link, a);
        memset(e, 0, 6 * sizeof(double));
        return 6;
    case HW_JOINT_FIXED:
        break;
    }
    return 0;
}

// Efforts applied and accelerations found, in the mechanism's own order. A base of its own is a free joint.
static bool ReadTree(Tree* tree) {
    int links = hwMechanism_GetLinkCount(tree->world, tree->id), at = 0, count = 0;
    for (int i = 0; i < links; ++i) {
        static const int counts[] = {1, 1, 3, 6, 0};
        count += counts[tree->links[i].joint];
    }
    if (tree->freedoms > count) {
        ReadFree(tree, -1, tree->accelerations);
        memset(tree->efforts, 0, 6 * sizeof(double));
        at = 6;
    }
    for (int i = 0; i < links; ++i) at += ReadJoint(tree, i, tree->accelerations + at, tree->efforts + at);
    return at == tree->freedoms;
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
        if (!run.failed) run.failed = !ReadTree(&tree);
        if (!run.failed && tree.freedoms > 0) run.failed = !CheckTree(&run, &tree, &inverse, &matrix);
        bool failed = run.failed;
        hwCaseRun_End(&run);
        if (failed) return;
    }
    const char* note = "relative to the largest effort; up to 60 links, all joints, added mass, bases fixed, "
                       "free and prescribed";
    hwCase_Check(context, HW_MADE_DIRECT, "inverse dynamics of the forward result, error", 0.0, inverse,
                 1e-10, note);
    hwCase_Check(context, HW_MADE_DIRECT, "joint-space matrix times the forward result, error", 0.0, matrix,
                 1e-10, note);
}

const hwCase hwRandomTreeCases[] = {
    {"mechanism/random-trees", "Featherstone, Rigid Body Dynamics Algorithms (2008)",
     "A thousand random trees: forward dynamics against inverse dynamics and the matrix.", RandomTrees},
    {0},
};
