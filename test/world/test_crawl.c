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
                                       cmocka_unit_test(GoingOnIsTold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
