// The forward pass: velocities are derivatives of placements, accelerations those of velocities.
#include "random_forest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Driven links stand still, so that q and v alone move everything.
static void StopDrives(Sample* s) {
    for (int i = 0; i < s->forest.linkCount; ++i) {
        memset(&s->drives[i].velocity, 0, sizeof(s->drives[i].velocity));
        memset(&s->drives[i].acceleration, 0, sizeof(s->drives[i].acceleration));
    }
}

typedef struct Moment {
    hwPlacement placement;
    hwSpatial velocity;
} Moment;

// Placements and velocities at q (+) h v + h^2/2 vdot and v + h vdot.
static void Visit(Sample* s, double h, Moment* out) {
    int n = s->forest.freedomCount;
    double *q = calloc((size_t)s->forest.coordinateCount + 1, sizeof(double)),
           *d = calloc((size_t)n + 1, sizeof(double));
    double* v = calloc((size_t)n + 1, sizeof(double));
    for (int i = 0; i < n; ++i) {
        d[i] = h * s->v[i] + 0.5 * h * h * s->vdot[i];
        v[i] = s->v[i] + h * s->vdot[i];
    }
    hwForest_Displace(&s->forest, s->q, d, q);
    hwForest_ComputeMotion(&s->forest, q, v, s->drives, &s->work);
    for (int i = 0; i < s->forest.linkCount; ++i) {
        out[i].placement = hwLinkMotion_GetPlacement(&s->work.motion[i]);
        out[i].velocity = hwWideSpatial_To(s->work.motion[i].v);
    }
    free(q), free(d), free(v);
}

static hwVec3 Slope(hwVec3 before, hwVec3 after, double h) {
    return hwScale(0.5 / h, hwSub(after, before));
}

// Central differences over h = 1e-4 s: their error is h^2/6 of the third derivative, which is some hundreds for sixty links that
// each turn at 1 rad/s and add up, and 1e-16/h of rounding.
static void VelocitiesAndAccelerationsAreDerivatives(void** state) {
    (void)state;
    hwRandom r = {21};
    const double h = 1e-4;
    for (int trial = 0; trial < 100; ++trial) {
        Sample s;
        int links = 1 + trial % 12;
        MakeSample(&s, &r, links, 0.0);
        StopDrives(&s);
        Moment* before = calloc((size_t)links, sizeof(Moment));
        Moment* after = calloc((size_t)links, sizeof(Moment));
        Visit(&s, -h, before);
        Visit(&s, h, after);
        hwForest_ComputeMotion(&s.forest, s.q, s.v, s.drives, &s.work);
        hwForest_ComputeAccelerations(&s.forest, s.vdot, &s.work);
        for (int i = 0; i < links; ++i) {
            hwSpatial v = hwWideSpatial_To(s.work.motion[i].v), a = hwWideSpatial_To(s.work.a[i]);
            double size = 1.0 + hwLength(v.l) + hwLength(v.a) + hwLength(a.l) + hwLength(a.a);
            double off = hwDistance(Slope(before[i].placement.r, after[i].placement.r, h), v.l);
            assert_true(off < 1e-5 * size * size);
            // each axis turns with the angular velocity
            hwMat3 R = hwLinkMotion_GetPlacement(&s.work.motion[i]).R;
            hwVec3 turn = Slope(before[i].placement.R.cx, after[i].placement.R.cx, h);
            assert_true(hwDistance(turn, hwCross(v.a, R.cx)) < 1e-5 * size * size);
            assert_true(hwDistance(Slope(before[i].velocity.l, after[i].velocity.l, h), a.l) <
                        1e-5 * size * size);
            assert_true(hwDistance(Slope(before[i].velocity.a, after[i].velocity.a, h), a.a) <
                        1e-5 * size * size);
        }
        free(before), free(after);
        FreeSample(&s);
    }
}

// A joint's motion axes are the velocities that its freedoms give, one at a time.
static void AxesAreVelocitiesOfSingleFreedoms(void** state) {
    (void)state;
    hwRandom r = {22};
    for (int trial = 0; trial < 50; ++trial) {
        Sample s;
        MakeSample(&s, &r, 8, 0.0);
        StopDrives(&s);
        for (int i = 0; i < 8; ++i) {
            const hwLink* link = &s.forest.links[i];
            for (int k = 0; k < hwJoint_CountFreedoms(link->joint); ++k) {
                memset(s.v, 0, (size_t)s.forest.freedomCount * sizeof(double));
                s.v[link->freedom + k] = 1.0;
                hwForest_ComputeMotion(&s.forest, s.q, s.v, s.drives, &s.work);
                hwWideSpatial axes[6];
                hwForest_GetAxes(&s.forest, &s.work, i, axes);
                hwSpatial axis = hwWideSpatial_To(axes[k]), v = hwWideSpatial_To(s.work.motion[i].v);
                // unit axes turned a dozen times: rounding
                assert_true(hwDistance(axis.l, v.l) < 1e-13 && hwDistance(axis.a, v.a) < 1e-13);
            }
        }
        FreeSample(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(VelocitiesAndAccelerationsAreDerivatives),
                                       cmocka_unit_test(AxesAreVelocitiesOfSingleFreedoms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
