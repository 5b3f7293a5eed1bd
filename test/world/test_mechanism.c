// Mechanisms in a world: motion against closed forms, controllers, limits, friction, actuators.
#include "hawser/hawser.h"
#include "hawser/reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static hwError error;

static hwWorld* MakeWorld(double gravity, bool reference, double tolerance) {
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.tolerance = tolerance;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.gravity = gravity;
    assert_int_equal(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
    if (reference) assert_int_equal(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error), HW_OK);
    return world;
}

static void Expect(hwStatus status) {
    if (status < HW_OK) print_message("%s\n", error.message);
    assert_true(status >= HW_OK);
}

static double Read(hwWorld* world, const char* name) {
    int channel = hwWorld_FindChannel(world, name);
    assert_true(channel >= 0);
    return hwWorld_ReadChannel(world, channel);
}

static void Near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) {
        print_message("%.15g instead of %.15g, off by %.3g\n", value, expected, value - expected);
    }
    assert_true(fabs(value - expected) <= tolerance);
}

// A rod of length 2 m and 10 kg on a horizontal axis y, hanging along -z at q = 0.
static hwLinkDef Rod(const char* name, int parent) {
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = name;
    link.body.mass = 10.0;
    link.body.com = hwMakeVec3(0.0, 0.0, -1.0);
    link.body.inertia[0] = link.body.inertia[1] = 10.0 * 4.0 / 12.0;
    link.body.inertia[2] = 1e-3;
    link.parent = parent;
    link.frame = hwMakeJointFrame(hwMakeVec3(0.0, 0.0, parent < 0 ? 0.0 : -2.0), hwQuat_identity,
                                  hwMakeVec3(0.0, 1.0, 0.0));
    return link;
}

static hwBodyId AddRod(hwWorld* world, hwLinkDef* link) {
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.linkCount = 1;
    def.links = link;
    hwMechanismId id = hwWorld_AddMechanism(world, &def, &error);
    if (HW_IS_NULL(id)) print_message("%s\n", error.message);
    assert_false(HW_IS_NULL(id));
    Expect(hwWorld_Prepare(world, &error));
    return hwMechanism_GetLink(world, id, 0);
}

// Energy of a rod released from the horizontal: at the bottom w^2 = 2 m g c / I.
static void RodFallsWithItsEnergy(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(9.81, true, 1e-11);
    hwLinkDef link = Rod("rod", -1);
    link.hasQ = true;
    link.q = 0.5 * HW_PI;
    AddRod(world, &link);
    double before = Read(world, "world.energy");
    for (int i = 0; i < 100; ++i) {
        Expect(hwWorld_Step(world, 0.05, &error));
        double q = Read(world, "m.rod.q"), qd = Read(world, "m.rod.qd");
        // I w^2 / 2 = m g c cos q
        Near(0.5 * (40.0 / 3.0) * qd * qd, 10.0 * 9.81 * cos(q), 1e-6);
        Near(Read(world, "m.rod.position.x"), 0.0, 1e-12);
    }
    Near(Read(world, "world.energy"), before, 1e-6);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RodFallsWithItsEnergy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
