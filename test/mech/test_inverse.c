// Inverse dynamics by what it must keep: power and energy, virtual work, symmetry.
#include "random_forest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double Dot(int n, const double* a, const double* b) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

static hwLink FreeOfDrives(hwLink link) {
    if (link.joint == HW_LINK_DRIVEN) link.joint = HW_LINK_FREE;
    return link;
}

static void MakeUndriven(Sample* s, hwRandom* r, int count) {
    hwLink links[16];
    for (int i = 0; i < count; ++i) links[i] = FreeOfDrives(RandomLink(r, i, false));
    MakeSampleFrom(s, links, count);
    RandomState(s, r, 0.0);
}

// Kinetic energy of all links and their height times weight.
static double Energy(Sample* s, const double* q, const double* v, double gravity) {
    hwForest_ComputeMotion(&s->forest, q, v, s->drives, &s->work);
    double energy = 0.0;
    for (int i = 0; i < s->forest.linkCount; ++i) {
        const hwLink* link = &s->forest.links[i];
        hwPlacement at = hwLinkMotion_GetPlacement(&s->work.motion[i]);
        hwSpatial motion = hwWideSpatial_To(s->work.motion[i].v);
        hwVec3 arm = hwMulMV(at.R, link->com);
        hwVec3 velocity = hwAdd(motion.l, hwCross(motion.a, arm));
        hwVec3 w = hwMulMV(hwTransposeMat3(at.R), motion.a); // link axes
        const hwSym3* I = &link->inertia;
        double spin = I->xx * w.x * w.x + I->yy * w.y * w.y + I->zz * w.z * w.z +
                      2.0 * (I->xy * w.x * w.y + I->xz * w.x * w.z + I->yz * w.y * w.z);
        energy += 0.5 * link->mass * hwLengthSquared(velocity) + 0.5 * spin +
                  link->mass * gravity * (at.r.z + arm.z);
    }
    return energy;
}

// The power of the joints' efforts is the rate of kinetic and potential energy. By a central difference along the motion: 1e-4 s
// leave h^2 times third derivatives (hundreds of times the energy at these rates) and 1e-16/h of it.
static void PowerOfEffortsIsTheRateOfEnergy(void** state) {
    (void)state;
    hwRandom r = {41};
    const double h = 1e-4, gravity = 9.81;
    for (int trial = 0; trial < 100; ++trial) {
        Sample s;
        MakeUndriven(&s, &r, 1 + trial % 8);
        int n = s.forest.freedomCount;
        hwForest_ComputeRigidMotion(&s.forest, s.q, s.v, s.drives, gravity, &s.work, s.inertia, s.wrench);
        hwForest_ComputeAccelerations(&s.forest, s.vdot, &s.work);
        hwForest_ComputeEfforts(&s.forest, s.inertia, s.wrench, &s.work, s.efforts);
        double energy[2], q[64], v[64], d[64];
        for (int side = 0; side < 2; ++side) {
            double t = side == 0 ? -h : h;
            for (int i = 0; i < n; ++i) {
                d[i] = t * s.v[i] + 0.5 * t * t * s.vdot[i];
                v[i] = s.v[i] + t * s.vdot[i];
            }
            hwForest_Displace(&s.forest, s.q, d, q);
            energy[side] = Energy(&s, q, v, gravity);
        }
        double power = Dot(n, s.efforts, s.v), size = 1.0 + fabs(energy[0]) + fabs(power);
        for (int i = 0; i < n; ++i) size += fabs(s.efforts[i] * s.v[i]);
        assert_true(fabs((energy[1] - energy[0]) / (2.0 * h) - power) < 1e-5 * size);
        FreeSample(&s);
    }
}

// Virtual work: generalised forces of wrenches on links times v are the wrenches times the links' motions.
static void ForcesDoTheSameWorkInBothSpaces(void** state) {
    (void)state;
    hwRandom r = {42};
    for (int trial = 0; trial < 100; ++trial) {
        Sample s;
        MakeUndriven(&s, &r, 1 + trial % 12);
        int n = s.forest.freedomCount;
        double work = 0.0, size = 1.0;
        for (int i = 0; i < s.forest.linkCount; ++i) {
            double f[6], m[6];
            ToArray(s.wrench[i], f);
            ToArray(s.work.motion[i].v, m);
            work += Dot(6, f, m);
            for (int k = 0; k < 6; ++k) size += fabs(f[k] * m[k]);
        }
        memset(s.other, 0, (size_t)n * sizeof(double));
        hwForest_AddForces(&s.forest, &s.work, s.wrench, s.other);
        assert_true(fabs(Dot(n, s.other, s.v) - work) < 1e-13 * size);
        FreeSample(&s);
    }
}

// x . K y = y . K x, and x . K x is twice a kinetic energy: positive.
static void ProductsAreSymmetricAndPositive(void** state) {
    (void)state;
    hwRandom r = {43};
    for (int trial = 0; trial < 100; ++trial) {
        Sample s;
        MakeUndriven(&s, &r, 1 + trial % 12);
        int n = s.forest.freedomCount;
        if (n > 0) {
            hwForest_Multiply(&s.forest, s.inertia, &s.work, s.v, s.other);
            double across = Dot(n, s.vdot, s.other), own = Dot(n, s.v, s.other);
            hwForest_Multiply(&s.forest, s.inertia, &s.work, s.vdot, s.efforts);
            // by Cauchy's inequality no larger than this, and rounded as often as there are links
            double size = sqrt(own * Dot(n, s.vdot, s.efforts));
            assert_true(fabs(Dot(n, s.v, s.efforts) - across) < 1e-13 * size);
            assert_true(own > 0.0);
        }
        FreeSample(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(PowerOfEffortsIsTheRateOfEnergy),
                                       cmocka_unit_test(ForcesDoTheSameWorkInBothSpaces),
                                       cmocka_unit_test(ProductsAreSymmetricAndPositive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
