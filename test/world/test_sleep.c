// Bodies at rest that fall asleep where the solver may let them (world/sleep.c), and what wakes them.
#include "hawser/hawser.h"
#include "rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 9
#define LAYERS 3
#define BOXES (COLUMNS * LAYERS)

typedef struct Yard {
    hwWorld* world;
    hwBodyId boxes[BOXES], ball;
} Yard;

static hwBodyId AddShape(hwWorld* world, const char* name, hwShapeDef shape, double mass, hwVec3 position) {
    hwBodyDef body = hwDefaultBodyDef();
    shape.material = "dead";
    body.name = name;
    body.mass = mass;
    body.shapeCount = 1;
    body.shapes = &shape;
    body.position = position;
    hwError error;
    hwBodyId id = hwWorld_AddBody(world, &body, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

// Columns of boxes side by side, a few millimetres apart, and a ball that falls on the middle one after `fall` seconds; 0: far away.
static Yard MakeYard(hwWorldDef def, const hwEnvironmentDef* given, double fall) {
    Yard yard = {.world = hwCreateWorld(&def, NULL)};
    hwEnvironmentDef environment = given != NULL ? *given : hwDefaultEnvironmentDef();
    environment.seabed.kind = HW_SEABED_PLANE;
    environment.seabed.depth = given != NULL ? 20.0 : 0.0;
    environment.seabed.stiffness = 2e7;
    environment.seabed.damping = 4e5;
    environment.seabed.friction = 0.5;
    double ground = -environment.seabed.depth;
    assert_status(hwWorld_SetEnvironment(yard.world, &environment, NULL), HW_OK);
    hwMaterialDef dead = hwDefaultMaterialDef();
    dead.name = "dead";
    dead.young = 2e7;
    dead.damping = 4e5;
    dead.staticFriction = dead.kineticFriction = 0.5;
    assert_status(hwWorld_AddMaterial(yard.world, &dead, NULL), HW_OK);
    hwShapeDef box = hwDefaultShapeDef(), ball = hwDefaultShapeDef();
    box.kind = HW_SHAPE_BOX;
    box.size = hwMakeVec3(1.0, 1.0, 1.0);
    ball.kind = HW_SHAPE_SPHERE;
    ball.radius = 0.5;
    for (int i = 0; i < BOXES; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "box%d", i);
        int k = i % COLUMNS;
        hwVec3 at =
            hwMakeVec3(1.004 * (k % 3), 1.004 * (double)(k / 3), ground + 0.501 + 1.002 * (i / COLUMNS));
        yard.boxes[i] = AddShape(yard.world, name, box, 2000.0, at);
    }
    hwVec3 above = hwMakeVec3(1.1, 0.9, ground + LAYERS + 0.5 + 0.5 * environment.gravity * fall * fall);
    if (!(fall > 0.0)) above = hwMakeVec3(500.0, 0.0, 1e4);
    yard.ball = AddShape(yard.world, "ball", ball, 1000.0, above);
    Prepare(yard.world);
    return yard;
}

static Yard MakeSleepy(double fall) {
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.sleep = true;
    return MakeYard(def, NULL, fall);
}

static int CountAwake(const Yard* yard) {
    int count = 0;
    for (int i = 0; i < BOXES; ++i) count += hwBody_IsAwake(yard->world, yard->boxes[i]);
    return count;
}

static double GetBalance(const hwWorld* world) {
    hwEnergy e = hwWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic + e.dissipated + e.method - e.work;
}

static void Advance(hwWorld* world, double seconds) {
    int frames = (int)(60.0 * seconds + 0.5);
    for (int i = 0; i < frames; ++i) assert_status(hwWorld_Step(world, 1.0 / 60.0, NULL), HW_OK);
}

// Vertical force of the ground on all boxes.
static double SumGround(const hwWorld* world) {
    const hwContactView* views;
    int count = hwWorld_GetContacts(world, &views);
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        if (strcmp(views[i].b, "seabed") == 0) sum -= views[i].force.z;
    }
    return sum;
}

static void NothingSleepsUnlessAllowed(void** state) {
    (void)state;
    Yard yard = MakeYard(hwDefaultWorldDef(), NULL, 0.0);
    Advance(yard.world, 3.0);
    assert_int_equal(CountAwake(&yard), BOXES);
    assert_true(hwWorld_FindChannel(yard.world, "box0.awake") < 0);
    hwDestroyWorld(yard.world);
}

static void WhatRestsFallsAsleepAndTheBooksClose(void** state) {
    (void)state;
    Yard yard = MakeSleepy(0.0), awake = MakeYard(hwDefaultWorldDef(), NULL, 0.0);
    Advance(yard.world, 4.0);
    Advance(awake.world, 4.0);
    assert_int_equal(CountAwake(&yard), 0);
    assert_true(hwBody_IsAwake(yard.world, yard.ball)); // it falls
    assert_close(Read(yard.world, "box4.awake"), 0.0, 0.0);
    assert_close(Read(yard.world, "ball.awake"), 1.0, 0.0);
    // what motion was left is told, and is no more than the speed at which things rest allows
    hwEnergy energy = hwWorld_GetEnergy(yard.world);
    assert_close(Read(yard.world, "world.energy.stilled"), energy.stilled, 0.0);
    assert_true(energy.stilled > 0.0 && energy.stilled <= BOXES * 0.5 * 2000.0 * 1e-6);
    assert_close(GetBalance(yard.world), GetBalance(awake.world), 1e-5 * energy.dissipated);
    hwDestroyWorld(awake.world);
    // they bear each other as before
    double weight = BOXES * 2000.0 * hwWorld_GetEnvironment(yard.world)->gravity;
    assert_close(SumGround(yard.world), weight, 1e-3 * weight);
    // and stay exactly where they are
    hwBodyState before = ReadBody(yard.world, yard.boxes[7]);
    double balance = GetBalance(yard.world);
    Advance(yard.world, 2.0);
    hwBodyState after = ReadBody(yard.world, yard.boxes[7]);
    assert_memory_equal(&before.position, &after.position, sizeof(hwVec3));
    assert_memory_equal(&before.attitude, &after.attitude, sizeof(hwQuat));
    assert_close(hwLength(after.velocity), 0.0, 0.0);
    assert_close(GetBalance(yard.world), balance, 1e-9 * balance); // the ball is 10 MJ up
    assert_close(SumGround(yard.world), weight, 1e-3 * weight);
    hwDestroyWorld(yard.world);
}

// A ball on boxes that sleep does what it does on the same boxes awake, with steps for a hundredth of the tolerance. Awake with the
// same tolerance it is 5 cm off after as long: there they are a heap all the time, and its steps are long.
static void ABallThatFallsOnThemWakesThem(void** state) {
    (void)state;
    hwWorldDef fine = hwDefaultWorldDef();
    fine.solver.tolerance = 2e-5;
    Yard asleep = MakeSleepy(3.0), awake = MakeYard(fine, NULL, 3.0);
    Advance(asleep.world, 2.9);
    Advance(awake.world, 2.9);
    assert_int_equal(CountAwake(&asleep), 0);
    double before = GetBalance(asleep.world);
    Advance(asleep.world, 0.3);
    Advance(awake.world, 0.3);
    assert_true(CountAwake(&asleep) > 0);
    hwBodyState a = ReadBody(asleep.world, asleep.ball), b = ReadBody(awake.world, awake.ball);
    assert_close(hwLength(hwSub(a.position, b.position)), 0.0, 0.01); // after 29 m/s
    double pushed = 0.0;
    for (int i = 0; i < BOXES; ++i) {
        hwVec3 x = ReadBody(asleep.world, asleep.boxes[i]).position,
               y = ReadBody(awake.world, awake.boxes[i]).position;
        pushed = fmax(pushed, hwLength(ReadBody(awake.world, awake.boxes[i]).velocity));
        assert_close(hwLength(hwSub(x, y)), 0.0, 0.01);
    }
    assert_true(pushed > 0.1);
    assert_close(GetBalance(asleep.world), before, 2e-3 * hwWorld_GetEnergy(asleep.world).dissipated);
    hwDestroyWorld(asleep.world);
    hwDestroyWorld(awake.world);
}

static Yard SleepSoundly(void) {
    Yard yard = MakeSleepy(0.0);
    Advance(yard.world, 2.5);
    assert_int_equal(CountAwake(&yard), 0);
    return yard;
}

static void ForcesInputsAndCallsWakeThem(void** state) {
    (void)state;
    Yard yard = SleepSoundly();
    hwVec3 push = hwMakeVec3(0.0, 0.0, 1.0);
    assert_status(
        hwBody_ApplyWrench(yard.world, yard.boxes[20], push, hwVec3_zero, hwVec3_zero, HW_FRAME_BODY, NULL),
        HW_OK);
    Advance(yard.world, 1.0 / 60.0);
    assert_true(hwBody_IsAwake(yard.world, yard.boxes[20]) && hwBody_IsAwake(yard.world, yard.boxes[2]));
    Advance(yard.world, 2.0);
    assert_true(hwBody_IsAwake(yard.world, yard.boxes[20])); // while it acts
    assert_status(hwBody_ClearForces(yard.world, yard.boxes[20], NULL), HW_OK);
    Advance(yard.world, 2.0);
    assert_int_equal(CountAwake(&yard), 0);

    assert_status(hwWorld_SetInput(yard.world, hwWorld_FindInput(yard.world, "box3.force.x"), 5.0, NULL),
                  HW_OK);
    Advance(yard.world, 1.0 / 60.0);
    assert_true(hwBody_IsAwake(yard.world, yard.boxes[3]));
    assert_status(hwWorld_SetInput(yard.world, hwWorld_FindInput(yard.world, "box3.force.x"), 0.0, NULL),
                  HW_OK);
    Advance(yard.world, 2.0);
    assert_int_equal(CountAwake(&yard), 0);

    assert_status(hwBody_Wake(yard.world, yard.boxes[0], NULL), HW_OK);
    assert_true(hwBody_IsAwake(yard.world, yard.boxes[0]));
    Advance(yard.world, 2.0);
    assert_int_equal(CountAwake(&yard), 0);

    // who compiles the world anew wakes all, and the books go on
    hwEnergy before = hwWorld_GetEnergy(yard.world);
    assert_status(hwWorld_RemoveBody(yard.world, yard.ball, NULL), HW_OK);
    Prepare(yard.world);
    assert_int_equal(CountAwake(&yard), BOXES);
    assert_close(hwWorld_GetEnergy(yard.world).dissipated, before.dissipated, 0.0);
    Advance(yard.world, 2.0);
    assert_int_equal(CountAwake(&yard), 0);

    // one is lifted out from among them
    hwBodyState lifted = ReadBody(yard.world, yard.boxes[18]);
    lifted.position.z += 0.5;
    assert_status(hwBody_SetState(yard.world, yard.boxes[18], &lifted, NULL), HW_OK);
    assert_true(hwBody_IsAwake(yard.world, yard.boxes[9]));
    Advance(yard.world, 0.2);
    assert_true(ReadBody(yard.world, yard.boxes[18]).velocity.z < -1.0);

    hwSolverDef none = {0};
    Advance(yard.world, 4.0);
    assert_int_equal(CountAwake(&yard), 0);
    size_t size = hwWorld_GetStateSize(yard.world);
    void* kept = malloc(size);
    assert_status(hwWorld_SaveState(yard.world, kept, size, NULL), HW_OK);
    assert_status(hwWorld_SetSolver(yard.world, &none, NULL), HW_OK);
    assert_int_equal(CountAwake(&yard), BOXES);
    Advance(yard.world, 2.0);
    assert_int_equal(CountAwake(&yard), BOXES);
    // nor does a state with sleepers bring any
    assert_status(hwWorld_RestoreState(yard.world, kept, size, NULL), HW_OK);
    assert_int_equal(CountAwake(&yard), BOXES);
    Advance(yard.world, 0.5);
    free(kept);
    hwDestroyWorld(yard.world);
}

static void ARestoredWorldSleepsOnWithTheSameBits(void** state) {
    (void)state;
    Yard yard = MakeSleepy(3.0);
    Advance(yard.world, 2.0);
    assert_int_equal(CountAwake(&yard), 0);
    size_t size = hwWorld_GetStateSize(yard.world);
    void* kept = malloc(size);
    assert_status(hwWorld_SaveState(yard.world, kept, size, NULL), HW_OK);
    double stored = hwWorld_GetEnergy(yard.world).elastic;
    Advance(yard.world, 1.5);
    uint64_t hash = hwWorld_HashState(yard.world);
    assert_status(hwWorld_RestoreState(yard.world, kept, size, NULL), HW_OK);
    assert_int_equal(CountAwake(&yard), 0);
    assert_close(hwWorld_GetEnergy(yard.world).elastic, stored, 0.0);
    Advance(yard.world, 1.5);
    assert_true(hwWorld_HashState(yard.world) == hash);
    // in a world that never saw them fall asleep
    Yard other = MakeSleepy(3.0);
    assert_status(hwWorld_RestoreState(other.world, kept, size, NULL), HW_OK);
    assert_close(hwWorld_GetEnergy(other.world).elastic, stored, 0.0);
    Advance(other.world, 1.5);
    assert_true(hwWorld_HashState(other.world) == hash);
    // and on two threads
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.sleep = true;
    def.threads = 2;
    Yard two = MakeYard(def, NULL, 3.0);
    Advance(two.world, 2.0);
    Advance(two.world, 1.5);
    assert_true(hwWorld_HashState(two.world) == hash);
    hwDestroyWorld(two.world);
    hwDestroyWorld(other.world);
    hwDestroyWorld(yard.world);
    free(kept);
}

// On the bottom of still water they sleep; in waves or a current never; a current that begins wakes them.
static void WaterThatMovesKeepsThemAwake(void** state) {
    (void)state;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.sleep = true;
    for (int k = 0; k < 2; ++k) {
        hwEnvironmentDef sea = hwDefaultEnvironmentDef();
        hwAiryDef wave = {.height = 0.1, .period = 5.0};
        sea.water = true;
        sea.airyCount = k;
        sea.airy = &wave;
        Yard yard = MakeYard(def, &sea, 0.0);
        Advance(yard.world, 1.0);
        double start = GetBalance(yard.world);
        Advance(yard.world, 3.0);
        assert_int_equal(CountAwake(&yard), k == 0 ? 0 : BOXES);
        if (k == 0) {
            assert_close(GetBalance(yard.world), start, 2e-3 * hwWorld_GetEnergy(yard.world).dissipated);
            assert_status(hwWorld_SetInput(yard.world, hwWorld_FindInput(yard.world, "environment.current.x"),
                                           0.1, NULL),
                          HW_OK);
            Advance(yard.world, 1.0 / 60.0);
            assert_int_equal(CountAwake(&yard), BOXES);
        }
        hwDestroyWorld(yard.world);
    }
}

// A body moved by hand that comes near wakes them, and one that stands still beside them is no fixed thing.
static void WhatIsMovedByHandWakesThem(void** state) {
    (void)state;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.sleep = true;
    Yard yard = MakeYard(def, NULL, 0.0);
    hwShapeDef box = hwDefaultShapeDef();
    box.kind = HW_SHAPE_BOX;
    box.size = hwMakeVec3(1.0, 1.0, 1.0);
    hwBodyDef pusher = hwDefaultBodyDef();
    pusher.name = "pusher";
    pusher.mass = 1000.0;
    pusher.motion = HW_MOTION_PRESCRIBED;
    pusher.shapeCount = 1;
    pusher.shapes = &box;
    pusher.position = hwMakeVec3(-10.0, 0.0, 0.5);
    hwBodyId id = hwWorld_AddBody(yard.world, &pusher, NULL);
    Prepare(yard.world);
    Advance(yard.world, 2.5);
    assert_int_equal(CountAwake(&yard), 0);
    hwBodyState motion = ReadBody(yard.world, id);
    motion.velocity.x = 6.0;
    for (int i = 0; i < 96; ++i) {
        assert_status(hwBody_SetState(yard.world, id, &motion, NULL), HW_OK);
        assert_status(hwWorld_Step(yard.world, 1.0 / 60.0, NULL), HW_OK);
        motion.position.x += 0.1;
        if (i == 60) assert_int_equal(CountAwake(&yard), 0); // not by being moved far away
    }
    assert_true(CountAwake(&yard) > 0);
    assert_true(ReadBody(yard.world, yard.boxes[0]).position.x > 0.3);
    hwDestroyWorld(yard.world);
}

// Mechanisms ------------------------------------------------------------------------------------------------------------------

// An arm on the ground whose boom carries a box, a lid hinged to a box that lies on the ground, and a ball that falls on the
// boom after `fall` seconds.
typedef struct Works {
    hwWorld* world;
    hwBodyId slew, boom, load, base, lid, ball;
} Works;

static hwLinkDef MakeLink(const char* name, int parent, double mass, const hwShapeDef* shape) {
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = name;
    link.body.mass = mass;
    for (int k = 0; k < 3; ++k) link.body.inertia[k] = 0.3 * mass;
    link.body.shapeCount = shape != NULL;
    link.body.shapes = shape;
    link.parent = parent;
    link.joint = HW_JOINT_REVOLUTE;
    return link;
}

static void HoldLink(hwLinkDef* link, double kp, const hwSignal* target) {
    link->control.mode = HW_CONTROL_POSITION;
    link->control.kp = kp;
    link->control.ki = 0.1 * kp;
    link->control.kd = 0.3 * kp;
    link->friction.coulomb = 20.0;
    if (target != NULL) link->control.target = *target;
}

static Works MakeWorks(hwWorldDef def, double fall, const hwSignal* target) {
    Works w = {.world = hwCreateWorld(&def, NULL)};
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.seabed.kind = HW_SEABED_PLANE;
    environment.seabed.stiffness = 2e7;
    environment.seabed.damping = 4e5;
    environment.seabed.friction = 0.5;
    assert_status(hwWorld_SetEnvironment(w.world, &environment, NULL), HW_OK);
    hwMaterialDef dead = hwDefaultMaterialDef();
    dead.name = "dead";
    dead.young = 2e7;
    dead.damping = 4e5;
    dead.staticFriction = dead.kineticFriction = 0.5;
    assert_status(hwWorld_AddMaterial(w.world, &dead, NULL), HW_OK);
    hwShapeDef beam = hwDefaultShapeDef(), crate = hwDefaultShapeDef(), plate = crate, round = crate;
    beam.kind = crate.kind = plate.kind = HW_SHAPE_BOX;
    beam.material = crate.material = plate.material = "dead";
    beam.size = hwMakeVec3(4.0, 1.0, 0.2);
    beam.pose.p = hwMakeVec3(2.0, 0.0, 0.0);
    crate.size = hwMakeVec3(1.0, 1.0, 1.0);
    plate.size = hwMakeVec3(1.0, 1.0, 0.1);
    plate.pose.p = hwMakeVec3(0.5, 0.0, 0.0);
    round.kind = HW_SHAPE_SPHERE;
    round.radius = 0.5;
    hwLinkDef arm[2] = {MakeLink("slew", -1, 500.0, NULL), MakeLink("boom", 0, 800.0, &beam)};
    hwVec3 y = hwMakeVec3(0.0, 1.0, 0.0), z = hwMakeVec3(0.0, 0.0, 1.0);
    arm[0].frame = hwMakeJointFrame(hwMakeVec3(0.0, 0.0, 3.0), hwQuat_identity, z);
    arm[1].frame = hwMakeJointFrame(hwVec3_zero, hwQuat_identity, y);
    arm[1].body.com = hwMakeVec3(2.0, 0.0, 0.0);
    HoldLink(&arm[0], 1e5, target);
    HoldLink(&arm[1], 4e6, NULL);
    arm[1].control.ki = 0.0; // it sags, and what bears it is statics
    hwMechanismDef mechanism = hwDefaultMechanismDef();
    mechanism.name = "arm";
    mechanism.links = arm;
    mechanism.linkCount = 2;
    assert_false(HW_IS_NULL(hwWorld_AddMechanism(w.world, &mechanism, NULL)));
    hwLinkDef lid = MakeLink("lid", -1, 50.0, &plate);
    lid.frame = hwMakeJointFrame(hwMakeVec3(-0.5, 0.0, 0.6), hwQuat_identity, y);
    lid.body.com = hwMakeVec3(0.5, 0.0, 0.0);
    lid.hasQ = true;
    lid.q = -0.4;
    lid.limits.low = -2.0;
    lid.limits.high = 0.0;
    lid.limits.stiffness = 1e5;
    lid.limits.damping = 1e4;
    mechanism.name = "chest";
    mechanism.links = &lid;
    mechanism.linkCount = 1;
    mechanism.base = HW_BASE_FREE;
    mechanism.free.mass = 2000.0;
    mechanism.free.shapeCount = 1;
    mechanism.free.shapes = &crate;
    mechanism.free.position = hwMakeVec3(-5.0, 0.0, 0.501);
    for (int k = 0; k < 3; ++k) mechanism.free.inertia[k] = 400.0;
    assert_false(HW_IS_NULL(hwWorld_AddMechanism(w.world, &mechanism, NULL)));
    w.load = AddShape(w.world, "load", crate, 200.0, hwMakeVec3(3.0, 0.0, 3.601));
    double gravity = environment.gravity;
    hwVec3 above = hwMakeVec3(3.0, 0.2, 4.6 + 0.5 * gravity * fall * fall);
    w.ball = AddShape(w.world, "ball", round, 100.0, fall > 0.0 ? above : hwMakeVec3(500.0, 0.0, 1e4));
    Prepare(w.world);
    w.slew = hwWorld_FindBody(w.world, "arm.slew");
    w.boom = hwWorld_FindBody(w.world, "arm.boom");
    w.base = hwWorld_FindBody(w.world, "chest.base");
    w.lid = hwWorld_FindBody(w.world, "chest.lid");
    return w;
}

static Works MakeSleepyWorks(double fall, int threads, const hwSignal* target) {
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.sleep = true;
    def.threads = threads;
    return MakeWorks(def, fall, target);
}

static bool AnyAwake(const Works* w) {
    const hwBodyId ids[] = {w->slew, w->boom, w->load, w->base, w->lid};
    bool any = false;
    for (int i = 0; i < 5; ++i) any = any || hwBody_IsAwake(w->world, ids[i]);
    return any;
}

static void MechanismsThatRestFallAsleep(void** state) {
    (void)state;
    Works w = MakeSleepyWorks(0.0, 1, NULL), awake = MakeWorks(hwDefaultWorldDef(), 0.0, NULL);
    Advance(w.world, 12.0);
    Advance(awake.world, 12.0);
    assert_false(AnyAwake(&w));
    hwEnergy energy = hwWorld_GetEnergy(w.world);
    assert_true(energy.stilled > 0.0 && energy.stilled <= 0.5 * 3550.0 * 1e-6);
    assert_close(GetBalance(w.world), GetBalance(awake.world), 1e-5 * energy.dissipated);
    // moments at their joints: what bears boom and load, by statics
    double gravity = hwDefaultEnvironmentDef().gravity;
    double way = hypot(ReadBody(w.world, w.load).position.x, ReadBody(w.world, w.load).position.y);
    double moment = gravity * (800.0 * 2.0 * cos(Read(w.world, "arm.boom.q")) + 200.0 * way);
    assert_close(Read(w.world, "arm.boom.effort"), -moment,
                 0.5e-3 * 1.2e6); // its damping, at 1 mm/s of the boom
    double effort = Read(w.world, "arm.boom.effort"), q = Read(w.world, "arm.boom.q"),
           lid = Read(w.world, "chest.lid.q"), balance = GetBalance(w.world);
    Advance(w.world, 5.0);
    assert_close(Read(w.world, "arm.boom.effort"), effort, 0.0); // integrals stand still, too
    assert_close(Read(w.world, "arm.boom.q"), q, 0.0);
    assert_close(Read(w.world, "chest.lid.q"), lid, 0.0);
    assert_close(Read(w.world, "arm.boom.qd"), 0.0, 0.0);
    assert_close(GetBalance(w.world), balance, 1e-9 * balance);
    hwDestroyWorld(awake.world);
    hwDestroyWorld(w.world);
}

static void SetPointsAndGainsWakeMechanisms(void** state) {
    (void)state;
    Works w = MakeSleepyWorks(0.0, 1, NULL);
    Advance(w.world, 12.0);
    assert_false(AnyAwake(&w));
    assert_status(hwJoint_SetTarget(w.world, w.slew, hwMakeVec3(0.5, 0.0, 0.0), NULL), HW_OK);
    assert_true(hwBody_IsAwake(w.world, w.boom) && hwBody_IsAwake(w.world, w.load)); // one island
    assert_false(hwBody_IsAwake(w.world, w.base));
    Advance(w.world, 1.0);
    assert_true(Read(w.world, "arm.slew.q") > 0.05);
    Advance(w.world, 30.0);
    assert_false(AnyAwake(&w));
    assert_status(hwJoint_SetGains(w.world, w.boom, 2e6, 0.0, 1e6, INFINITY, NULL), HW_OK);
    assert_true(hwBody_IsAwake(w.world, w.slew));
    hwJointState lid = {.q = -0.3};
    assert_status(hwJoint_SetState(w.world, w.lid, &lid, NULL), HW_OK);
    assert_true(hwBody_IsAwake(w.world, w.base));
    hwDestroyWorld(w.world);
}

static void WhatFallsOnAnArmWakesItWithTheSameBits(void** state) {
    (void)state;
    Works w = MakeSleepyWorks(12.0, 1, NULL);
    Advance(w.world, 11.0);
    assert_false(AnyAwake(&w));
    size_t size = hwWorld_GetStateSize(w.world);
    void* kept = malloc(size);
    assert_status(hwWorld_SaveState(w.world, kept, size, NULL), HW_OK);
    Advance(w.world, 1.5);
    assert_true(hwBody_IsAwake(w.world, w.slew) && hwBody_IsAwake(w.world, w.load));
    assert_false(hwBody_IsAwake(w.world, w.lid));
    uint64_t hash = hwWorld_HashState(w.world);
    Works other = MakeSleepyWorks(12.0, 2, NULL);
    Advance(other.world, 12.5);
    assert_true(hwWorld_HashState(other.world) == hash);
    assert_status(hwWorld_RestoreState(other.world, kept, size, NULL), HW_OK);
    assert_false(AnyAwake(&other));
    Advance(other.world, 1.5);
    assert_true(hwWorld_HashState(other.world) == hash);
    free(kept);
    hwDestroyWorld(other.world);
    hwDestroyWorld(w.world);
}

// A set point that moves later on keeps what it drives awake.
static void SignalsKeepMechanismsAwake(void** state) {
    (void)state;
    hwSignalTerm ramp = hwRampTerm(hwVec3_zero, hwMakeVec3(0.5, 0.0, 0.0), 14.0, 16.0);
    hwSignal target = {1, &ramp};
    Works w = MakeSleepyWorks(0.0, 1, &target), awake = MakeWorks(hwDefaultWorldDef(), 0.0, &target);
    Advance(w.world, 12.0);
    assert_true(hwBody_IsAwake(w.world, w.slew) && hwBody_IsAwake(w.world, w.load));
    assert_false(hwBody_IsAwake(w.world, w.lid));
    Advance(w.world, 3.0);
    Advance(awake.world, 15.0);
    assert_true(Read(w.world, "arm.slew.q") > 0.1);
    assert_close(Read(w.world, "arm.slew.q"), Read(awake.world, "arm.slew.q"), 1e-4);
    hwDestroyWorld(awake.world);
    hwDestroyWorld(w.world);
}

// A pendulum of 100 m that swings by 3 cm is slower than 1 mm/s for half a second wherever it turns round.
static void WhatTurnsRoundIsNotAtRest(void** state) {
    (void)state;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.sleep = true;
    hwWorld* world = hwCreateWorld(&def, NULL);
    hwLinkDef rod = MakeLink("rod", -1, 100.0, NULL);
    rod.frame = hwMakeJointFrame(hwVec3_zero, hwQuat_identity, hwMakeVec3(0.0, 1.0, 0.0));
    rod.body.com = hwMakeVec3(0.0, 0.0, -100.0);
    rod.hasQ = true;
    rod.q = 3e-4;
    rod.friction.viscous = 1.0;
    hwMechanismDef mechanism = hwDefaultMechanismDef();
    mechanism.name = "tall";
    mechanism.links = &rod;
    mechanism.linkCount = 1;
    assert_false(HW_IS_NULL(hwWorld_AddMechanism(world, &mechanism, NULL)));
    Prepare(world);
    for (int i = 0; i < 50; ++i) {
        Advance(world, 1.0);
        assert_true(hwBody_IsAwake(world, hwWorld_FindBody(world, "tall.rod")));
    }
    hwDestroyWorld(world);
}

static void BadSettingsAreRefused(void** state) {
    (void)state;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, NULL);
    hwSolverDef solver = {.sleep = true, .restSpeed = -1.0};
    hwError error;
    assert_status(hwWorld_SetSolver(world, &solver, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "rest_speed"));
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(NothingSleepsUnlessAllowed),
        cmocka_unit_test(WhatRestsFallsAsleepAndTheBooksClose),
        cmocka_unit_test(ABallThatFallsOnThemWakesThem),
        cmocka_unit_test(ForcesInputsAndCallsWakeThem),
        cmocka_unit_test(ARestoredWorldSleepsOnWithTheSameBits),
        cmocka_unit_test(WaterThatMovesKeepsThemAwake),
        cmocka_unit_test(WhatIsMovedByHandWakesThem),
        cmocka_unit_test(MechanismsThatRestFallAsleep),
        cmocka_unit_test(SetPointsAndGainsWakeMechanisms),
        cmocka_unit_test(WhatFallsOnAnArmWakesItWithTheSameBits),
        cmocka_unit_test(SignalsKeepMechanismsAwake),
        cmocka_unit_test(WhatTurnsRoundIsNotAtRest),
        cmocka_unit_test(BadSettingsAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
