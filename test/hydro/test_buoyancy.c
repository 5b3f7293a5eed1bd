// Displaced water by itself: fractions, what is wet, and how that changes.
#include "support.h"

#include "hydro/buoyancy.h"

typedef struct Float {
    hwShapeDef shape;
    hwSolid solid;
    hwHydroDef def;
    hwHydroInput input;
} Float;

// A box of 2 x 3 x 1 m that weighs a quarter of its volume of water.
static void MakeFloat(Float* f, double z) {
    memset(f, 0, sizeof(*f));
    f->shape = hwDefaultShapeDef();
    f->shape.size = hwMakeVec3(2.0, 3.0, 1.0);
    assert_status(hwSolid_Init(&f->solid, 1, &f->shape, NULL), HW_OK);
    f->def = hwDefaultHydroDef();
    f->def.volume = f->solid.volume;
    f->input = (hwHydroInput){.mass = 0.25 * 1000.0 * f->solid.volume,
                              .pose = {{0.0, 0.0, z}, hwQuat_identity},
                              .gravity = 9.81,
                              .waterDensity = 1000.0,
                              .airDensity = 1.2,
                              .def = &f->def,
                              .solid = &f->solid};
}

static hwDisplacement Displace(double z) {
    Float f;
    MakeFloat(&f, z);
    return hwComputeDisplacement(&f.input, 0.0, hwMakeVec3(0.0, 0.0, 1.0));
}

static void volume_under_water_is_area_times_draught(void** state) {
    (void)state;
    for (int i = 0; i <= 20; ++i) {
        double draught = i / 20.0;
        hwDisplacement d = Displace(0.5 - draught);
        assert_close(d.cut.volume, 6.0 * draught, 1e-14);
        assert_close(d.fraction, draught, 1e-14);
        if (i > 0) assert_close(d.cut.centroid.z, -0.5 * draught, 1e-14);
    }
    assert_close(Displace(5.0).fraction, 0.0, 0.0);
    assert_close(Displace(-5.0).fraction, 1.0, 1e-15);
}

// Coefficients of a floating body apply as given about its floating position, and fade as it leaves the water.
static void wet_is_one_afloat_and_fades_to_zero(void** state) {
    (void)state;
    assert_close(Displace(0.5 - 0.25).wet, 1.0, 0.0); // afloat
    assert_close(Displace(0.5 - 0.13).wet, 1.0, 0.0); // a little more than half of that
    assert_close(Displace(0.6).wet, 0.0, 0.0);
    double before = 0.0;
    for (int i = 0; i <= 1000; ++i) {
        hwDisplacement d = Displace(0.5 - 0.25 * i / 1000.0);
        assert_true(d.wet >= before && d.wet <= 1.0);
        before = d.wet;
    }
}

// Central difference over a millimetre of draught: its error is the square of that over the 0.125 m in which it fades.
static void slope_of_wet_is_its_derivative(void** state) {
    (void)state;
    const double h = 1e-4;
    for (int i = 1; i < 20; ++i) {
        double draught = 0.125 * i / 20.0;
        hwDisplacement here = Displace(0.5 - draught);
        double slope = (Displace(0.5 - draught - h).wet - Displace(0.5 - draught + h).wet) / (2.0 * h * 6.0);
        assert_close(here.wetSlope, slope, 1e-4 * (1.0 + fabs(slope)));
    }
}

// Turned with its water, a body displaces the same.
static void a_common_turn_changes_nothing(void** state) {
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 50; ++trial) {
        Float f;
        MakeFloat(&f, 0.2);
        f.input.pose.q = hwQuatFromRpy(0.3, -0.2, 0.1);
        hwDisplacement level = hwComputeDisplacement(&f.input, 0.0, hwMakeVec3(0.0, 0.0, 1.0));
        // about the vertical only: the level is a height
        hwQuat turn = hwQuatFromRpy(0.0, 0.0, TestRandomVec3(&seed).x * 3.0);
        f.input.pose.q = hwMulQuat(turn, f.input.pose.q);
        hwDisplacement turned = hwComputeDisplacement(&f.input, 0.0, hwMakeVec3(0.0, 0.0, 1.0));
        assert_close(turned.cut.volume, level.cut.volume, 1e-13);
        assert_close_vec3(turned.cut.centroid, hwRotate(turn, level.cut.centroid), 1e-13);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volume_under_water_is_area_times_draught),
        cmocka_unit_test(wet_is_one_afloat_and_fades_to_zero),
        cmocka_unit_test(slope_of_wet_is_its_derivative),
        cmocka_unit_test(a_common_turn_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
