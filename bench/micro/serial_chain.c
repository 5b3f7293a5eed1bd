// What the generality of trees costs a serial chain: forward dynamics of revolute joints by the forest's sweeps and by the
// same arithmetic written for a chain alone, without joint types, parents or earth. By hand: see bench/micro/geom_bench.c
// for how to build one of these.
#define _POSIX_C_SOURCE 200809L
#include "../../test/mech/random_forest.h"

#include "math/sincos.h"

#include <stdio.h>
#include <time.h>

#define MOST 512

static double Now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The chain alone ---------------------------------------------------------------------------------------------------------

typedef struct Chain {
    hwLinkMotion motion[MOST + 1]; // the first is the earth
    hwWideSym inertia[MOST];
    hwWideSpatial force[MOST], U[MOST];
    double pivots[MOST], reduced[MOST], sines[MOST], cosines[MOST];
} Chain;

static void MoveChain(const hwForest* forest, const double* q, const double* v, Chain* chain) {
    int n = forest->linkCount;
    hwWide up = hwWide_Make(0.0, 0.0, 9.81);
    hwSinCos(n, q, chain->sines, chain->cosines);
    for (int i = 0; i < n; ++i) {
        const hwLinkData* link = &forest->data[i];
        const hwLinkMotion* parent = &chain->motion[i];
        hwLinkMotion* m = &chain->motion[i + 1];
        hwWideMat axes = hwWideMat_MulMat(&parent->R, &link->tree);
        m->arm = hwWideMat_Mul(&parent->R, link->position);
        m->R.x = chain->cosines[i] * axes.x + chain->sines[i] * axes.y;
        m->R.y = chain->cosines[i] * axes.y - chain->sines[i] * axes.x;
        m->R.z = m->axis = axes.z;
        hwWide swing = hwWide_Cross(parent->v.a, m->arm), spin = v[i] * axes.z;
        m->p = parent->p + m->arm;
        m->v.l = parent->v.l + swing;
        m->v.a = parent->v.a + spin;
        m->a0.l = parent->a0.l + hwWide_Cross(parent->a0.a, m->arm) + hwWide_Cross(parent->v.a, swing);
        m->a0.a = parent->a0.a + hwWide_Cross(parent->v.a, spin);

        hwWide h = hwWideMat_Mul(&m->R, link->moment), w = m->v.a, a = m->a0.l + up;
        hwWideSym* K = &chain->inertia[i];
        K->ll.x = hwWide_Make(link->mass, 0.0, 0.0);
        K->ll.y = hwWide_Make(0.0, link->mass, 0.0);
        K->ll.z = hwWide_Make(0.0, 0.0, link->mass);
        K->la = hwWideMat_Skew(-h);
        K->aa = hwWideMat_Turn(&m->R, &link->inertia);
        hwWide turn = hwWide_Cross(m->a0.a, h) + hwWide_Cross(w, hwWide_Cross(w, h));
        chain->force[i].l = -(link->mass * a + turn);
        chain->force[i].a = -(hwWide_Cross(h, a) + hwWideMat_Mul(&K->aa, m->a0.a) +
                              hwWide_Cross(w, hwWideMat_Mul(&K->aa, w)));
    }
}

static void SolveChain(int n, const double* efforts, Chain* chain, double* vdot) {
    for (int i = n - 1; i >= 0; --i) {
        const hwLinkMotion* m = &chain->motion[i + 1];
        hwWideSym* K = &chain->inertia[i];
        hwWideSpatial U = {hwWideMat_Mul(&K->la, m->axis), hwWideMat_Mul(&K->aa, m->axis)},
                      f = chain->force[i];
        double inverse = 1.0 / hwWide_Dot(m->axis, U.a);
        double t = efforts[i] + hwWide_Dot(m->axis, f.a), y = inverse * t;
        chain->U[i] = U;
        chain->pivots[i] = inverse;
        chain->reduced[i] = t;
        if (i == 0) break;
        hwWideSym passed = *K;
        hwWideSym_SubtractSquare(&passed, inverse, U);
        hwWideSym_AddFrom(&chain->inertia[i - 1], &passed, m->arm);
        f.l -= y * U.l;
        f.a -= y * U.a;
        f = hwWideSpatial_ForceFrom(f, m->arm);
        chain->force[i - 1].l += f.l;
        chain->force[i - 1].a += f.a;
    }
    hwWideSpatial a = hwWideSpatial_Zero();
    for (int i = 0; i < n; ++i) {
        const hwLinkMotion* m = &chain->motion[i + 1];
        a = hwWideSpatial_MotionAt(a, m->arm);
        vdot[i] = chain->pivots[i] * (chain->reduced[i] - hwWideSpatial_Dot(chain->U[i], a));
        a.a += vdot[i] * m->axis;
    }
}

static void RunForest(Sample* s) {
    int failed;
    hwForest_ComputeRigidMotion(&s->forest, s->q, s->v, s->drives, 9.81, &s->work, s->inertia, s->wrench);
    hwForest_ComputeForward(&s->forest, s->inertia, s->wrench, (hwJointTerms){0}, s->efforts, &s->work,
                            s->vdot, &failed);
}

int main(int count, char** words) {
    static Chain chain;
    static hwLink links[MOST];
    hwRandom random = {1};
    for (int i = 0; i < MOST; ++i) {
        links[i] = RandomLink(&random, i, true);
        links[i].joint = HW_LINK_REVOLUTE;
        links[i].parent = i - 1;
        links[i].axis = hwMakeVec3(0.0, 0.0, 1.0);
        links[i].tree.r = hwMakeVec3(0.5, 0.0, 0.0);
    }
    // "forest" or "chain" alone, for counting instructions
    bool onlyForest = count > 1 && words[1][0] == 'f', onlyChain = count > 1 && words[1][0] == 'c';
    for (int n = 8; n <= MOST; n *= 4) {
        Sample s;
        MakeSampleFrom(&s, links, n);
        RandomState(&s, &random, 0.0);
        chain.motion[0] = s.work.motion[-1];
        double best[2] = {1e9, 1e9}, *vdot = s.other, worst = 0.0, largest = 0.0;
        int repeats = 20000 / n + 5;
        for (int round = 0; round < 60; ++round) {
            double t0 = Now();
            for (int k = 0; k < repeats && !onlyChain; ++k) RunForest(&s);
            double t1 = Now();
            for (int k = 0; k < repeats && !onlyForest; ++k) {
                MoveChain(&s.forest, s.q, s.v, &chain);
                SolveChain(n, s.efforts, &chain, vdot);
            }
            best[0] = fmin(best[0], (t1 - t0) / repeats / n);
            best[1] = fmin(best[1], (Now() - t1) / repeats / n);
        }
        for (int i = 0; i < n; ++i) {
            worst = fmax(worst, fabs(vdot[i] - s.vdot[i]));
            largest = fmax(largest, fabs(s.vdot[i]));
        }
        printf(
            "%3d links: forest %.1f ns a link, chain alone %.1f, ratio %.3f; accelerations differ by %.1e\n",
            n, 1e9 * best[0], 1e9 * best[1], best[0] / best[1], worst / largest);
        FreeSample(&s);
    }
    return 0;
}
