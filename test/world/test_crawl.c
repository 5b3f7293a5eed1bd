// Steps that collapse are told with what the solver fights, and stop a run when that is asked for.
#include "support.h"

#include "hawser/hawser.h"

#include <string.h>

typedef struct Log {
    int lines;
    char last[512];
} Log;

static void Note(hwLogLevel level, const char* text, void* context) {
    Log* log = context;
    (void)level;
    log->lines += 1;
    snprintf(log->last, sizeof(log->last), "%s", text);
}

// Friction that jumps where the joint comes to rest, and says nothing of it to the solver: no velocity is right there.
static void Jump(const hwDriveInput* input, hwDriveOutput* output, void* context) {
    (void)context;
    output->effort = input->qd > 0.0 ? -0.05 : 0.05;
}

static hwWorld* MakeWorld(hwCrawlPolicy policy, Log* log) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.crawl = policy;
    def.log = Note;
    def.logContext = log;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = "arm";
    link.body.mass = 10.0;
    for (int i = 0; i < 3; ++i) link.body.inertia[i] = 1.0;
    link.parent = -1;
    link.joint = HW_JOINT_REVOLUTE;
    link.frame = hwMakeJointFrame(hwVec3_zero, hwQuat_identity, hwMakeVec3(0, 0, 1));
    link.hasQ = true;
    link.qd = 1e-3;
    link.drive = Jump;
    hwMechanismDef mechanism = hwDefaultMechanismDef();
    mechanism.name = "rig";
    mechanism.linkCount = 1;
    mechanism.links = &link;
    assert_false(HW_IS_NULL(hwWorld_AddMechanism(world, &mechanism, &error)));
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    return world;
}

static void AStopNamesWhatItFightsWith(void** state) {
    (void)state;
    Log log = {0};
    hwError error;
    hwWorld* world = MakeWorld(HW_CRAWL_STOP, &log);
    assert_status(hwWorld_Step(world, 10.0, &error), HW_ERROR_NUMERIC);
    assert_non_null(strstr(error.message, "rig.arm: steps have fallen to"));
    assert_non_null(strstr(error.message, "drive, stops and friction of its joint"));
    assert_non_null(strstr(error.hint, "solver: {crawl: go_on}"));
    assert_true(hwWorld_GetTime(world) < 10.0);
    hwDestroyWorld(world);
}

// A wire of 0.9 g/m whose waves run at 33 km/s, followed to 1e-6: it, not the load that it holds, is what asks for short steps.
static void ErrorsNameWhatHasThem(void** state) {
    (void)state;
    Log log = {0};
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.crawl = HW_CRAWL_STOP;
    def.solver.tolerance = 1e-6;
    def.log = Note;
    def.logContext = &log;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwBodyDef load = hwDefaultBodyDef();
    load.name = "load";
    load.mass = 200.0;
    for (int i = 0; i < 3; ++i) load.inertia[i] = 3.0;
    load.position = hwMakeVec3(0.0, 0.0, -10.001);
    hwBodyId body = hwWorld_AddBody(world, &load, &error);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 20;
    section.diameter = 0.001;
    section.massPerLength = 9e-4;
    section.EA = 1e6;
    section.axialDamping = 0.0;
    hwCableDef cable = hwDefaultCableDef();
    cable.name = "wire";
    cable.sectionCount = 1;
    cable.sections = &section;
    cable.ends[0].joint = cable.ends[1].joint = HW_ATTACH_PIN;
    cable.ends[1].body = body;
    assert_false(HW_IS_NULL(hwWorld_AddCable(world, &cable, &error)));
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    assert_status(hwWorld_Step(world, 1.0, &error), HW_ERROR_NUMERIC);
    assert_string_equal(error.object, "wire");
    assert_non_null(strstr(error.message, "errors of its motion ask for them (node"));
    hwDestroyWorld(world);
}

// A light body that a wire holds off its centre of mass and that spins at 9,000 rad/s: errors follow that by 0.1 rad a step, which is
// as short as they ask for and a hundredth of the usual step.
static void AFastSpinIsTold(void** state) {
    (void)state;
    Log log = {0};
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.crawl = HW_CRAWL_STOP;
    def.log = Note;
    def.logContext = &log;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwBodyDef load = hwDefaultBodyDef();
    load.name = "load";
    load.mass = 0.2;
    for (int i = 0; i < 3; ++i) load.inertia[i] = 2.5e-5 + 1e-6 * i;
    load.position = hwMakeVec3(0.0, 0.0, -10.0);
    load.rate = hwMakeVec3(7e3, 5e3, 3e3);
    hwBodyId body = hwWorld_AddBody(world, &load, &error);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 4;
    section.diameter = 0.02;
    section.massPerLength = 0.5;
    section.EA = 1e6;
    hwCableDef cable = hwDefaultCableDef();
    cable.name = "wire";
    cable.sectionCount = 1;
    cable.sections = &section;
    cable.ends[0].joint = cable.ends[1].joint = HW_ATTACH_PIN;
    cable.ends[1].body = body;
    cable.ends[1].at = hwMakeVec3(0.005, 0.0, 0.01);
    assert_false(HW_IS_NULL(hwWorld_AddCable(world, &cable, &error)));
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    assert_status(hwWorld_Step(world, 1.0, &error), HW_ERROR_NUMERIC);
    assert_string_equal(error.object, "load");
    assert_non_null(strstr(error.message, "that would do without its spin"));
    assert_non_null(strstr(error.message, "(it: the pull of wire"));
    hwDestroyWorld(world);
}

static void GoingOnIsTold(void** state) {
    (void)state;
    Log log = {0};
    hwError error;
    hwWorld* world = MakeWorld(HW_CRAWL_GO_ON, &log);
    assert_status(hwWorld_Step(world, 0.1, &error), HW_OK);
    // ten times as many without the fallback
    assert_true(hwWorld_GetCounters(world).steps < 3000);
    assert_true(log.lines > 0);
    assert_non_null(strstr(log.last, "it goes on with a looser convergence test"));
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(AStopNamesWhatItFightsWith),
                                       cmocka_unit_test(ErrorsNameWhatHasThem),
                                       cmocka_unit_test(AFastSpinIsTold), cmocka_unit_test(GoingOnIsTold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
