// The host's hooks: its threads, its clock, its drawing.
#include "world/rig.h"

#include "base/parallel.h"

// A host that does the pieces backwards, alone.
static void RunBackwards(hwTaskFn* function, int count, int chunk, void* task, void* context) {
    int* loops = context;
    *loops += 1;
    for (int first = (count - 1) / chunk * chunk; first >= 0; first -= chunk) {
        function(first, first + chunk < count ? first + chunk : count, task);
    }
}

static void AddNumbers(int first, int last, void* context) {
    int* seen = context;
    for (int i = first; i < last; ++i) seen[i] += 1;
}

static void test_EveryItemIsDoneOnce(void** state) {
    (void)state;
    hwStatus status;
    int loops = 0;
    hwAllocator allocator = hwDefaultWorldDef().allocator;
    hwTeam* teams[3] = {NULL, hwCreateTeam(&allocator, 3, NULL, NULL, &status),
                        hwCreateTeam(&allocator, 1, RunBackwards, &loops, &status)};
    for (int k = 0; k < 3; ++k) {
        for (int count = 0; count < 40; ++count) {
            int seen[40] = {0};
            hwTeam_Loop(teams[k], count, 7, AddNumbers, seen);
            for (int i = 0; i < 40; ++i) assert_int_equal(seen[i], i < count);
        }
        hwDestroyTeam(teams[k]);
    }
    assert_int_equal(loops, 32); // of eight items and more
}

static hwWorld* MakeBuoys(hwRunTasksFn* run, void* context, int threads) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.threads = threads;
    def.runTasks = run;
    def.tasksContext = context;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.jonswap = (hwJonswapDef){.hs = 2.0, .tp = 6.0, .gamma = 3.3, .seed = 4, .components = 40};
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    hwShapeDef ball = hwDefaultShapeDef();
    ball.kind = HW_SHAPE_SPHERE;
    for (int i = 0; i < 40; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "buoy%d", i);
        hwBodyDef body = hwDefaultBodyDef();
        body.name = name;
        body.mass = 200.0;
        for (int k = 0; k < 3; ++k) body.inertia[k] = 30.0;
        body.position = hwMakeVec3(3.0 * (i % 8), 3.0 * (i / 8), 0.0);
        body.shapeCount = 1;
        body.shapes = &ball;
        for (int k = 0; k < 3; ++k) body.hydro.addedMass[k][k] = 100.0;
        hwWorld_AddBody(world, &body, &error);
    }
    Prepare(world);
    return world;
}

static void test_TheHostsLoopGivesTheSameBits(void** state) {
    (void)state;
    int loops = 0;
    hwWorld* worlds[3] = {MakeBuoys(NULL, NULL, 1), MakeBuoys(NULL, NULL, 3),
                          MakeBuoys(RunBackwards, &loops, 1)};
    for (int k = 0; k < 3; ++k) Run(worlds[k], 0.5);
    assert_true(loops > 0);
    assert_true(hwWorld_HashState(worlds[0]) == hwWorld_HashState(worlds[1]));
    assert_true(hwWorld_HashState(worlds[0]) == hwWorld_HashState(worlds[2]));
    // a branch goes on with the host's loop
    hwError error;
    hwWorld* branch = hwWorld_Branch(worlds[2], &error);
    int before = loops;
    Run(branch, 0.1);
    assert_true(loops > before);
    hwDestroyWorld(branch);
    for (int k = 0; k < 3; ++k) hwDestroyWorld(worlds[k]);
}

// A clock that goes on by a second whenever it is asked.
static double Tick(void* context) {
    int* asked = context;
    return (double)(*asked)++;
}

static void test_StagesAreTimedOnlyWithAClock(void** state) {
    (void)state;
    hwWorld *world = MakeBuoys(NULL, NULL, 1), *plain = MakeBuoys(NULL, NULL, 1);
    int asked = 0;
    hwWorld_SetClock(world, Tick, &asked);
    hwCounters before = hwWorld_GetCounters(world);
    Run(world, 0.5);
    Run(plain, 0.5);
    hwCounters after = hwWorld_GetCounters(world);
    hwProfile profile = hwWorld_GetProfile(world);
    assert_int_equal(profile.steps, 30);
    assert_int_equal(profile.calls[HW_STAGE_FACTOR], after.factorizations - before.factorizations);
    assert_true(profile.calls[HW_STAGE_EVALUATE] >= after.evaluations - before.evaluations);
    assert_int_equal(profile.calls[HW_STAGE_FINISH], after.steps - before.steps);
    assert_int_equal(profile.calls[HW_STAGE_FIND_CONTACTS],
                     after.steps + after.rejected - before.steps - before.rejected);
    assert_true(profile.calls[HW_STAGE_SOLVE] >= profile.calls[HW_STAGE_FACTOR]);
    // each stage takes one tick, which is a second, more only where another one is within it
    uint64_t calls = profile.steps;
    for (int k = 0; k < HW_STAGE_COUNT; ++k) {
        assert_true(profile.seconds[k] >= (double)profile.calls[k]);
        calls += profile.calls[k];
    }
    assert_int_equal((uint64_t)asked, 2 * calls);
    // the clock changes no bit, and without it there are no times
    assert_true(hwWorld_HashState(world) == hwWorld_HashState(plain));
    hwProfile none = hwWorld_GetProfile(plain);
    assert_true(none.steps == 0 && none.step == 0.0 && none.calls[HW_STAGE_EVALUATE] == 0);
    hwWorld_ResetProfile(world);
    assert_int_equal(hwWorld_GetProfile(world).steps, 0);
    hwWorld_SetClock(world, NULL, NULL);
    Run(world, 0.1);
    assert_int_equal(hwWorld_GetProfile(world).steps, 0);
    for (int k = 0; k < HW_STAGE_COUNT; ++k) assert_true(hwStage_GetText((hwStage)k)[0] != '\0');
    hwDestroyWorld(world);
    hwDestroyWorld(plain);
}

typedef struct Canvas {
    int lines[16], points[16], capsules, shapes, texts;
    hwVec3 lastPoint;
    hwPose lastPose;
} Canvas;

static void Line(hwVec3 from, hwVec3 to, hwDrawRole role, void* context) {
    assert_true(hwIsFiniteVec3(from) && hwIsFiniteVec3(to));
    ((Canvas*)context)->lines[role] += 1;
}

static void Point(hwVec3 at, double size, hwDrawRole role, void* context) {
    Canvas* canvas = context;
    assert_true(size > 0.0);
    canvas->points[role] += 1;
    canvas->lastPoint = at;
}

static void Capsule(hwVec3 from, hwVec3 to, double radius, hwDrawRole role, void* context) {
    (void)from, (void)to, (void)role;
    assert_close(radius, 0.5, 0.0);
    ((Canvas*)context)->capsules += 1;
}

static void Shape(const hwShapeDef* shape, hwPose pose, hwDrawRole role, void* context) {
    Canvas* canvas = context;
    assert_int_equal(shape->kind, HW_SHAPE_BOX);
    assert_int_equal(role, HW_DRAW_FIXED);
    canvas->shapes += 1;
    canvas->lastPose = pose;
}

static void Text(hwVec3 at, const char* text, hwDrawRole role, void* context) {
    (void)at;
    assert_int_equal(role, HW_DRAW_TEXT);
    assert_true(text[0] != '\0');
    ((Canvas*)context)->texts += 1;
}

static void test_EverythingAskedForIsDrawn(void** state) {
    (void)state;
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwShapeDef shapes[2] = {hwDefaultShapeDef(), hwDefaultShapeDef()};
    shapes[0].pose.p.x = 3.0;
    shapes[1].kind = HW_SHAPE_SPHERE;
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "thing";
    body.motion = HW_MOTION_FIXED;
    body.position.z = 2.0;
    body.com.y = 0.25;
    body.shapeCount = 2;
    body.shapes = shapes;
    hwWorld_AddBody(world, &body, &error);
    hwDebugDraw draw = hwDefaultDebugDraw();
    assert_status(hwWorld_DebugDraw(world, &draw, &error), HW_ERROR_ORDER);
    Prepare(world);
    assert_status(hwWorld_DebugDraw(world, &draw, &error), HW_OK); // without functions nothing happens
    Canvas canvas = {0};
    draw.context = &canvas;
    draw.line = Line;
    draw.point = Point;
    draw.capsule = Capsule;
    draw.shape = Shape;
    draw.text = Text;
    draw.frames = draw.boxes = draw.names = true;
    assert_status(hwWorld_DebugDraw(world, &draw, &error), HW_OK);
    assert_int_equal(canvas.shapes, 1);
    assert_int_equal(canvas.capsules, 1);
    assert_int_equal(canvas.texts, 1);
    assert_int_equal(canvas.lines[HW_DRAW_BOX], 24);
    assert_int_equal(
        canvas.lines[HW_DRAW_AXIS_X] + canvas.lines[HW_DRAW_AXIS_Y] + canvas.lines[HW_DRAW_AXIS_Z], 3);
    assert_int_equal(canvas.lines[HW_DRAW_SEABED], 0);
    assert_close_vec3(canvas.lastPoint, hwMakeVec3(0.0, 0.25, 2.0), 1e-15);
    assert_close_vec3(canvas.lastPose.p, hwMakeVec3(3.0, 0.0, 2.0), 1e-15);
    hwDebugDraw blank;
    memset(&blank, 0, sizeof(blank));
    assert_status(hwWorld_DebugDraw(world, &blank, &error), HW_ERROR_ARGUMENT);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_EveryItemIsDoneOnce),
        cmocka_unit_test(test_TheHostsLoopGivesTheSameBits),
        cmocka_unit_test(test_StagesAreTimedOnlyWithAClock),
        cmocka_unit_test(test_EverythingAskedForIsDrawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
