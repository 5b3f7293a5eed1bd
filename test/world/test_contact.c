// Bodies that touch the bottom, fixed, driven and moving bodies.
#include "hawser/hawser.h"
#include "hawser/reference.h"
#include "hawser/scene.h"
#include "rig.h"

static hwWorld* MakeWorld(double gravity, const hwSeabedDef* seabed) {
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, NULL);
    assert_non_null(world);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.gravity = gravity;
    if (seabed != NULL) environment.seabed = *seabed;
    assert_status(hwWorld_SetEnvironment(world, &environment, NULL), HW_OK);
    return world;
}

static void AddMaterial(hwWorld* world, const char* name, double young, double damping, double friction) {
    hwMaterialDef def = hwDefaultMaterialDef();
    def.name = name;
    def.young = young;
    def.damping = damping;
    def.staticFriction = def.kineticFriction = friction;
    assert_status(hwWorld_AddMaterial(world, &def, NULL), HW_OK);
}

static hwShapeDef Box(double x, double y, double z) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_BOX;
    shape.size = hwMakeVec3(x, y, z);
    return shape;
}

static hwShapeDef Ball(double radius) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_SPHERE;
    shape.radius = radius;
    return shape;
}

static hwBodyId AddBody(hwWorld* world, const char* name, hwShapeDef shape, const char* material, double mass,
                        hwVec3 position, hwVec3 velocity) {
    shape.material = material;
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = mass;
    def.shapeCount = 1;
    def.shapes = &shape;
    def.position = position;
    def.velocity = velocity;
    if (mass == 0.0) def.motion = HW_MOTION_FIXED;
    hwError error;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

// Seed 004 section 4.5.1: the volume that carries the weight, by eq. 83.
static void ABoxRestsOnTheVolumeThatCarriesIt(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeWorld(9.81, NULL);
        AddMaterial(world, "m", 950e6, 50e6, 0.3);
        AddBody(world, "box", Box(5.0, 5.0, 1.0), "m", 25000.0, hwVec3_zero, hwVec3_zero);
        AddBody(world, "ground", Box(100.0, 100.0, 10.0), "m", 0.0, hwMakeVec3(0.0, 0.0, -6.1), hwVec3_zero);
        if (reference) assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, NULL), HW_OK);
        Prepare(world);
        double start = Read(world, "world.energy.balance");
        Run(world, 2.0);
        double hA = cbrt(3.0 * 25.0 / (4.0 * HW_PI)), hB = cbrt(3.0 * 1e5 / (4.0 * HW_PI));
        double volume = 25000.0 * 9.81 * (hA + hB) / 950e6;
        assert_close(Read(world, "box.contact.volume"), volume, 1e-6 * volume); // 2 s leave no more to settle
        assert_close(Read(world, "box.contact.force.z"), 245250.0, 1.0);
        assert_close(Read(world, "ground.contact.force.z"), -245250.0, 1.0);
        assert_close(Read(world, "box.contact.depth"), volume / 25.0, 1e-6 * volume / 25.0);
        // the audit closes where the impact is resolved
        if (reference) assert_close(Read(world, "world.energy.balance"), start, 1e-3 * 25000.0 * 9.81 * 0.6);
        hwDestroyWorld(world);
    }
}

static hwSeabedDef Flat(double depth) {
    hwSeabedDef seabed = {
        .kind = HW_SEABED_PLANE, .depth = depth, .stiffness = 1e6, .damping = 1e5, .friction = 0.6};
    return seabed;
}

// The same ground as a plane, a heightfield and a mesh, which the box's corners and edges cut in pieces.
static void AllKindsOfBottomCarryAlike(void** state) {
    (void)state;
    enum { N = 9 };
    double heights[N * N], depth[3], roll[3];
    for (int i = 0; i < N * N; ++i) heights[i] = 0.1 * (i % N); // a slope of 0.1 along x
    hwVec3 corners[4] = {{-4.0, -4.0, -2.4}, {4.0, -4.0, -1.6}, {4.0, 4.0, -1.6}, {-4.0, 4.0, -2.4}};
    const int triangles[2][3] = {{0, 1, 2}, {0, 3, 2}}; // one of them upside down
    for (int kind = 0; kind < 2; ++kind) {
        hwSeabedDef seabed = Flat(0.0);
        seabed.kind = kind == 0 ? HW_SEABED_HEIGHTFIELD : HW_SEABED_MESH;
        seabed.columns = seabed.rows = N;
        seabed.spacing = 1.0;
        seabed.origin = hwMakeVec3(-4.0, -4.0, -2.4);
        seabed.heights = heights;
        seabed.mesh = (hwMeshData){4, corners, 2, triangles};
        hwWorld* world = MakeWorld(9.81, &seabed);
        AddMaterial(world, "m", 1e9, 1e6, 0.6);
        AddBody(world, "box", Box(1.3, 1.1, 0.7), "m", 800.0, hwMakeVec3(0.13, 0.21, -1.4), hwVec3_zero);
        Prepare(world);
        Run(world, 5.0);
        depth[kind] = Read(world, "box.contact.volume");
        roll[kind] = Read(world, "box.attitude.pitch");
        // lies on the slope and carries its weight across it
        assert_close(roll[kind], -atan(0.1), 2e-3);
        assert_close(depth[kind], 800.0 * 9.81 * cos(atan(0.1)) / 1e6, 0.01 * depth[kind]);
        assert_true(fabs(Read(world, "box.velocity.x")) < 1e-6);
        hwDestroyWorld(world);
    }
    assert_close(depth[0], depth[1], 1e-3 * depth[0]);
}

static void EveryShapeComesToRestOnTheBottom(void** state) {
    (void)state;
    static const hwVec3 tetra[4] = {{0.5, 0.5, 0.5}, {-0.5, -0.5, 0.5}, {-0.5, 0.5, -0.5}, {0.5, -0.5, -0.5}};
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    hwShapeDef shapes[6] = {Box(1.0, 0.8, 0.6), Ball(0.5)};
    for (int k = 2; k < 6; ++k) {
        shapes[k] = hwDefaultShapeDef();
        shapes[k].radius = 0.3;
        shapes[k].length = 1.0;
        shapes[k].mesh = (hwMeshData){4, tetra, 4, faces};
    }
    shapes[2].kind = HW_SHAPE_CYLINDER, shapes[3].kind = HW_SHAPE_CAPSULE;
    shapes[4].kind = HW_SHAPE_HULL, shapes[5].kind = HW_SHAPE_MESH;
    enum { N = 9 };
    double heights[N * N] = {0};
    for (int ground = 0; ground < 3; ++ground) { // a plane, a heightfield, a fixed box
        for (int k = 0; k < 6; ++k) {
            hwSeabedDef seabed = Flat(2.0);
            if (ground == 1) {
                seabed.kind = HW_SEABED_HEIGHTFIELD;
                seabed.columns = seabed.rows = N;
                seabed.spacing = 0.5;
                seabed.origin = hwMakeVec3(-2.0, -2.0, -2.0);
                seabed.heights = heights;
            }
            hwWorld* world = MakeWorld(9.81, ground < 2 ? &seabed : NULL);
            AddMaterial(world, "m", 1e7, 1e6, 0.6);
            hwShapeDef shape = shapes[k];
            shape.material = "m";
            hwBodyDef def = hwDefaultBodyDef();
            def.name = "body";
            def.mass = 500.0;
            def.shapeCount = 1;
            def.shapes = &shape;
            def.position = hwMakeVec3(0.07, 0.03, -1.0);
            def.attitude = hwQuatFromRpy(0.3, 0.2, 0.1);
            assert_false(HW_IS_NULL(hwWorld_AddBody(world, &def, NULL)));
            if (ground == 2) {
                AddBody(world, "floor", Box(20.0, 20.0, 2.0), "m", 0.0, hwMakeVec3(0.0, 0.0, -3.0),
                        hwVec3_zero);
            }
            Prepare(world);
            Run(world, 12.0);
            double speed = fabs(Read(world, "body.velocity.z"));
            double force = Read(world, "body.contact.force.z");
            if (!(speed < 2e-3) || !(fabs(force - 4905.0) < 0.02 * 4905.0)) {
                fail_msg("ground %d, shape %d: speed %g, force %g", ground, k, speed, force);
            }
            assert_true(Read(world, "body.position.z") > -2.0);
            hwDestroyWorld(world);
        }
    }
}

// Momentum: what one side feels, the other feels with the opposite sign.
static void MovingBodiesExchangeMomentum(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeWorld(0.0, NULL);
        AddMaterial(world, "m", 1e8, 1e3, 0.4);
        hwBodyId a =
            AddBody(world, "a", Ball(0.5), "m", 10.0, hwMakeVec3(0.0, 0.0, 0.0), hwMakeVec3(2.0, 0.3, 0.0));
        hwBodyId b = AddBody(world, "b", Box(1.0, 1.0, 1.0), "m", 30.0, hwMakeVec3(2.0, 0.1, 0.2),
                             hwMakeVec3(-1.0, 0.0, 0.0));
        if (reference) assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, NULL), HW_OK);
        Prepare(world);
        double before = Read(world, "world.energy");
        hwBodyState sa, sb;
        Run(world, 1.0);
        hwBody_GetState(world, a, &sa, NULL);
        hwBody_GetState(world, b, &sb, NULL);
        assert_true(sa.velocity.x < 0.0);
        hwVec3 sum = hwAdd(hwScale(10.0, sa.velocity), hwScale(30.0, sb.velocity));
        // forces are equal and opposite in every evaluation: only the solver's own rounding is left
        assert_close_vec3(sum, hwMakeVec3(-10.0, 3.0, 0.0), reference ? 1e-6 : 1e-6);
        assert_true(Read(world, "world.energy") <= before * (1.0 + 1e-6));
        if (reference) assert_close(Read(world, "world.energy.balance"), before, 1e-3 * before);
        hwDestroyWorld(world);
    }
}

// Two boxes strike face to face at 3 m/s, a gap apart; with what speed they part, of that with which they met.
static double Collide(double young, double damping, double gap) {
    hwWorld* world = MakeWorld(0.0, NULL);
    AddMaterial(world, "m", young, damping, 0.0);
    hwVec3 left = hwMakeVec3(-0.5 - 0.5 * gap, 0.0, 0.0), right = hwMakeVec3(0.5 + 0.5 * gap, 0.0, 0.0);
    hwBodyId a = AddBody(world, "a", Box(1.0, 1.0, 1.0), "m", 10.0, left, hwMakeVec3(2.0, 0.0, 0.0));
    hwBodyId b = AddBody(world, "b", Box(1.0, 1.0, 1.0), "m", 30.0, right, hwMakeVec3(-1.0, 0.0, 0.0));
    Prepare(world);
    hwScene_UseRunSolver(world);
    assert_true(hwWorld_Step(world, 0.8, NULL) >= HW_OK);
    hwBodyState sa, sb;
    hwBody_GetState(world, a, &sa, NULL);
    hwBody_GetState(world, b, &sb, NULL);
    hwDestroyWorld(world);
    return (sb.velocity.x - sa.velocity.x) / 3.0;
}

// Contacts of 9.6 ms: where in a step they begin must not matter. Restitution by Schwager and Poeschel 2007; steps of 1 ms leave
// 3 %. Of 25 distances three had come back with a third of it.
static void ImpactsWithinAStepComeBackAsTheyShould(void** state) {
    (void)state;
    const double young = 1e6, damping = 600.0, bed = cbrt(3.0 / (4.0 * HW_PI)), reduced = 7.5;
    double K = young / (2.0 * bed), zeta = damping / (2.0 * bed) / (2.0 * sqrt(K * reduced));
    double exact = exp(-2.0 * zeta * acos(zeta) / sqrt(1.0 - zeta * zeta));
    for (int i = 0; i < 25; ++i) assert_close(Collide(young, damping, 0.5 + 0.8 * i / 24.0), exact, 0.05);
}

// Steel on steel, 0.02 ms: steps damp it as they come, but boxes had parted with 1.41 of their speed.
static void ImpactsShorterThanStepsPutNothingIn(void** state) {
    (void)state;
    for (int i = 0; i < 9; ++i) assert_true(Collide(2e11, 0.0, 0.5 + 0.1 * i) <= 1.03);
}

// Nor does a bottom far too stiff to be followed: a box had bounced to 1.7 times the height that it fell from.
static void StiffBottomsPutNothingIn(void** state) {
    (void)state;
    const hwSeabedDef bottom = {.kind = HW_SEABED_PLANE, .depth = 0.0, .stiffness = 1e13};
    for (int i = 0; i < 9; ++i) {
        double height = 0.7 + 0.1 * i;
        hwWorld* world = MakeWorld(9.81, &bottom);
        hwVec3 start = hwMakeVec3(0.0, 0.0, height + 0.25);
        hwBodyId box = AddBody(world, "box", Box(0.5, 0.5, 0.5), NULL, 10.0, start, hwVec3_zero);
        Prepare(world);
        hwScene_UseRunSolver(world);
        assert_true(hwWorld_Step(world, sqrt(2.0 * height / 9.81) + 0.03, NULL) >= HW_OK);
        hwBodyState s;
        hwBody_GetState(world, box, &s, NULL);
        double energy = 9.81 * (s.position.z - 0.25) + 0.5 * hwDot(s.velocity, s.velocity);
        if (energy > 1.05 * 9.81 * height) fail_msg("%g of its energy", energy / (9.81 * height));
        hwDestroyWorld(world);
    }
}

static void NothingFastPassesThroughSomethingThin(void** state) {
    (void)state;
    uint64_t seed = 7;
    for (int k = 0; k < 12; ++k) {
        hwWorld* world = MakeWorld(9.81, NULL);
        AddMaterial(world, "steel", 200e9, 1e6, 0.2);
        hwShapeDef shape = k % 3 == 0 ? Ball(0.05) : (k % 3 == 1 ? Box(0.1, 0.2, 0.02) : Box(0.3, 0.3, 0.3));
        shape.material = "steel";
        hwBodyDef def = hwDefaultBodyDef();
        def.name = "shot";
        def.mass = 2.0;
        def.shapeCount = 1;
        def.shapes = &shape;
        def.position = hwMakeVec3(0.0, 0.0, 1.0 + 0.1 * TestRandom(&seed));
        def.velocity = hwMakeVec3(0.0, 0.0, -10.0);
        def.rate = hwMakeVec3(5.0 * TestRandom(&seed), 5.0 * TestRandom(&seed), 5.0 * TestRandom(&seed));
        assert_false(HW_IS_NULL(hwWorld_AddBody(world, &def, NULL)));
        AddBody(world, "plate", Box(4.0, 4.0, 0.01), "steel", 0.0, hwVec3_zero, hwVec3_zero);
        Prepare(world);
        for (int i = 0; i < 60; ++i) {
            Run(world, 1.0 / 60.0);
            bool over =
                fabs(Read(world, "shot.position.x")) < 1.9 && fabs(Read(world, "shot.position.y")) < 1.9;
            if (over && Read(world, "shot.position.z") < 0.0) fail_msg("shot %d went through", k);
        }
        hwDestroyWorld(world);
    }
}

static hwWorld* MakeIncline(double angle, double friction) {
    // gravity is turned instead of the plane: a driven force across a level plate
    hwWorld* world = MakeWorld(9.81, NULL);
    AddMaterial(world, "m", 1e9, 1e6, friction);
    hwShapeDef plate = Box(40.0, 4.0, 1.0);
    plate.material = "m";
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "slope";
    def.motion = HW_MOTION_FIXED;
    def.shapeCount = 1;
    def.shapes = &plate;
    def.attitude = hwQuatFromRpy(0.0, angle, 0.0);
    assert_false(HW_IS_NULL(hwWorld_AddBody(world, &def, NULL)));
    hwShapeDef box = Box(1.0, 1.0, 0.5);
    box.material = "m";
    hwBodyDef block = hwDefaultBodyDef();
    block.name = "block";
    block.mass = 100.0;
    block.shapeCount = 1;
    block.shapes = &box;
    block.attitude = def.attitude;
    block.position = hwRotate(def.attitude, hwMakeVec3(-15.0, 0.0, 0.75 - 1e-6));
    assert_false(HW_IS_NULL(hwWorld_AddBody(world, &block, NULL)));
    Prepare(world);
    return world;
}

static void ABlockSticksBelowTheAngleOfFriction(void** state) {
    (void)state;
    hwWorld* world = MakeIncline(atan(0.3) - 0.01, 0.3);
    Run(world, 1.0);
    double x = Read(world, "block.position.x");
    Run(world, 20.0);
    assert_close(Read(world, "block.position.x"), x, 1e-9); // the springs hold; nothing creeps
    hwDestroyWorld(world);
}

static void ABlockSlidesAboveItWithTheRightAcceleration(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        double angle = atan(0.3) + 0.1;
        hwWorld* world = MakeIncline(angle, 0.3);
        if (reference) assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, NULL), HW_OK);
        Run(world, 0.5);
        double v = Read(world, "block.velocity.x") / cos(angle);
        Run(world, 1.0);
        double a = Read(world, "block.velocity.x") / cos(angle) - v;
        double expected = 9.81 * (sin(angle) - 0.3 * cos(angle));
        assert_close(a, expected, 1e-3 * expected);
        hwDestroyWorld(world);
    }
}

// A belt that moves under a block carries it along; a driven body's work is in the audit.
static void AMovingPlatformCarriesWhatLiesOnIt(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(9.81, NULL);
    AddMaterial(world, "m", 1e8, 1e6, 0.5);
    hwShapeDef shape = Box(10.0, 2.0, 0.5);
    shape.material = "m";
    hwBodyDef belt = hwDefaultBodyDef();
    belt.name = "belt";
    belt.motion = HW_MOTION_PRESCRIBED;
    belt.shapeCount = 1;
    belt.shapes = &shape;
    hwSignalTerm term = hwSineTerm(hwMakeVec3(0.5, 0.0, 0.0), 6.0, 0.0);
    belt.prescribedPosition = (hwSignal){.termCount = 1, .terms = &term};
    hwError error;
    if (HW_IS_NULL(hwWorld_AddBody(world, &belt, &error))) fail_msg("%s", error.message);
    AddBody(world, "load", Box(0.5, 0.5, 0.5), "m", 50.0, hwMakeVec3(0.0, 0.0, 0.5), hwVec3_zero);
    Prepare(world);
    Run(world, 1.0);
    double offset = Read(world, "load.position.x") - Read(world, "belt.position.x");
    Run(world, 12.0);
    // largest acceleration 0.55 m/s2, far below what friction bears
    assert_close(Read(world, "load.position.x") - Read(world, "belt.position.x"), offset, 1e-4);
    hwDestroyWorld(world);
}

static hwWorld* MakeStack(int count) {
    hwSeabedDef seabed = Flat(0.0);
    seabed.stiffness = 1e8; // softer ground lets a tower lean
    seabed.damping = 1e6;
    hwWorld* world = MakeWorld(9.81, &seabed);
    AddMaterial(world, "m", 1e8, 1e6, 0.5);
    for (int i = 0; i < count; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "box%d", i);
        AddBody(world, name, Box(1.0, 1.0, 1.0), "m", 100.0, hwMakeVec3(0.02 * (i % 2), 0.0, 0.5 + i),
                hwVec3_zero);
    }
    Prepare(world);
    return world;
}

static void AStackOfTenStands(void** state) {
    (void)state;
    hwWorld* world = MakeStack(10);
    Run(world, 10.0);
    double z = Read(world, "box9.position.z"), x = Read(world, "box9.position.x");
    Run(world, 10.0);
    assert_close(Read(world, "box9.position.z"), z, 1e-5);
    assert_close(Read(world, "box9.position.x"), x, 1e-4);
    assert_true(z > 9.4);
    // each carries those above it
    const hwContactView* contacts;
    int count = hwWorld_GetContacts(world, &contacts);
    assert_int_equal(count, 10);
    for (int i = 0; i < count; ++i) {
        int lower = -1, upper = 0;
        sscanf(contacts[i].a, "box%d", &upper);
        if (strcmp(contacts[i].b, "seabed") != 0) {
            int other = 0;
            sscanf(contacts[i].b, "box%d", &other);
            lower = upper < other ? upper : other;
        }
        double weight = (9 - lower) * 100.0 * 9.81;
        assert_close(fabs(contacts[i].force.z), weight, 1e-3 * weight);
    }
    hwDestroyWorld(world);
}

// Steel falls a metre onto steel at frames: impacts are a hundredth of a step long. What the step takes out is in the audit.
static void TheAuditClosesOverImpactsShorterThanSteps(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(9.81, NULL);
    AddMaterial(world, "steel", 200e9, 1e8, 0.4);
    AddBody(world, "floor", Box(10.0, 10.0, 1.0), "steel", 0.0, hwMakeVec3(0.0, 0.0, -0.5), hwVec3_zero);
    hwShapeDef tilted = Box(0.5, 0.5, 0.5);
    tilted.pose.q = hwQuatFromRpy(0.2, 0.1, 0.0);
    AddBody(world, "box", tilted, "steel", 100.0, hwMakeVec3(0.0, 0.0, 1.3), hwVec3_zero);
    AddBody(world, "ball", Ball(0.25), "steel", 100.0, hwMakeVec3(3.0, 0.0, 1.3), hwMakeVec3(0.5, 0.0, 0.0));
    Prepare(world);
    double start = Read(world, "world.energy.balance"), fall = 2.0 * 100.0 * 9.81;
    for (int i = 0; i < 120; ++i) {
        assert_true(hwWorld_Step(world, 1.0 / 60.0, NULL) >= HW_OK);
        // turning within a step is not in the mean of its velocities
        assert_close(Read(world, "world.energy.balance"), start, 2e-3 * fall);
    }
    assert_true(Read(world, "world.energy.dissipated") > 0.5 * fall);
    hwDestroyWorld(world);
}

static void RestoredContactsGoOnWithTheSameBits(void** state) {
    (void)state;
    hwWorld* world = MakeStack(4);
    Run(world, 0.5);
    size_t size = hwWorld_GetStateSize(world);
    void* saved = malloc(size);
    assert_status(hwWorld_SaveState(world, saved, size, NULL), HW_OK);
    Run(world, 0.5);
    uint64_t hash = hwWorld_HashState(world);
    assert_status(hwWorld_RestoreState(world, saved, size, NULL), HW_OK);
    hwWorld* branch = hwWorld_Branch(world, NULL);
    assert_non_null(branch);
    Run(world, 0.5);
    Run(branch, 0.5);
    assert_true(hwWorld_HashState(world) == hash);
    assert_true(hwWorld_HashState(branch) == hash);
    free(saved);
    hwDestroyWorld(branch);
    hwDestroyWorld(world);
}

static void IgnoredAndSwitchedPairsDoNotTouch(void** state) {
    (void)state;
    hwError error;
    hwSeabedDef seabed = Flat(5.0);
    hwWorld* world = MakeWorld(9.81, &seabed);
    AddBody(world, "ball", Ball(0.5), NULL, 10.0, hwMakeVec3(0.0, 0.0, 2.0), hwVec3_zero);
    AddBody(world, "table", Box(4.0, 4.0, 0.5), NULL, 0.0, hwVec3_zero, hwVec3_zero);
    assert_status(hwWorld_IgnoreContact(world, "ball", "nobody", &error), HW_OK);
    assert_status(hwWorld_Prepare(world, &error), HW_ERROR_MODEL);
    assert_non_null(strstr(error.message, "nobody"));
    hwDestroyWorld(world);

    world = MakeWorld(9.81, &seabed);
    AddBody(world, "ball", Ball(0.5), NULL, 10.0, hwMakeVec3(0.0, 0.0, 2.0), hwVec3_zero);
    AddBody(world, "table", Box(4.0, 4.0, 0.5), NULL, 0.0, hwVec3_zero, hwVec3_zero);
    assert_status(hwWorld_IgnoreContact(world, "table", "ball", &error), HW_OK);
    Prepare(world);
    Run(world, 3.0);
    assert_true(Read(world, "ball.position.z") < -4.0); // through the table, to the bottom
    hwDestroyWorld(world);

    world = MakeWorld(9.81, &seabed);
    AddBody(world, "ball", Ball(0.5), NULL, 10.0, hwMakeVec3(0.0, 0.0, 2.0), hwVec3_zero);
    AddBody(world, "table", Box(4.0, 4.0, 0.5), NULL, 0.0, hwVec3_zero, hwVec3_zero);
    Prepare(world);
    Run(world, 3.0);
    assert_true(Read(world, "ball.position.z") > 0.5);
    assert_status(hwWorld_SwitchContact(world, "ball", "table", false, &error), HW_OK);
    Run(world, 3.0);
    assert_true(Read(world, "ball.position.z") < -4.0);
    hwDestroyWorld(world);
}

// A hand on a hinge comes down on a fixed block; parent and child do not touch.
static void LinksTouch(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(9.81, NULL);
    hwShapeDef arm = Box(1.0, 0.1, 0.1);
    arm.pose.p = hwMakeVec3(0.5, 0.0, 0.0);
    hwLinkDef links[2] = {hwDefaultLinkDef(), hwDefaultLinkDef()};
    for (int k = 0; k < 2; ++k) {
        links[k].body.name = k == 0 ? "upper" : "lower";
        links[k].body.mass = 5.0;
        links[k].body.com = hwMakeVec3(0.5, 0.0, 0.0);
        links[k].body.inertia[0] = 0.01, links[k].body.inertia[1] = links[k].body.inertia[2] = 0.4;
        links[k].body.shapeCount = 1;
        links[k].body.shapes = &arm;
        links[k].parent = k - 1;
        links[k].joint = HW_JOINT_REVOLUTE;
        links[k].frame.axis = hwMakeVec3(0.0, 1.0, 0.0);
        links[k].frame.position = hwMakeVec3(k, 0.0, 0.0);
    }
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "arm";
    def.linkCount = 2;
    def.links = links;
    def.position = hwMakeVec3(0.0, 0.0, 1.0);
    hwError error;
    if (HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error))) fail_msg("%s", error.message);
    AddBody(world, "block", Box(4.0, 4.0, 1.0), NULL, 0.0, hwMakeVec3(0.0, 0.0, 0.0), hwVec3_zero);
    Prepare(world);
    assert_int_equal(hwWorld_GetContacts(world, &(const hwContactView*){NULL}), 0);
    Run(world, 10.0);
    // both lie on the block, half a metre below the hinge
    assert_close(sin(Read(world, "arm.upper.q")), 0.45, 0.06);
    double force = Read(world, "arm.upper.contact.force.z") + Read(world, "arm.lower.contact.force.z");
    assert_true(force > 20.0 && force < 98.1);
    hwDestroyWorld(world);
}

// Statics brings a body down to where the bottom carries it.
static void StaticsFindsTheBottom(void** state) {
    (void)state;
    hwSeabedDef seabed = Flat(3.0);
    hwWorldDef def = hwDefaultWorldDef();
    def.statics = true;
    hwWorld* world = hwCreateWorld(&def, NULL);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.seabed = seabed;
    assert_status(hwWorld_SetEnvironment(world, &environment, NULL), HW_OK);
    AddBody(world, "box", Box(1.0, 1.0, 1.0), NULL, 100.0, hwMakeVec3(0.0, 0.0, 0.0), hwVec3_zero);
    AddBody(world, "lid", Box(0.8, 0.8, 0.2), NULL, 20.0, hwMakeVec3(0.0, 0.0, 1.0), hwVec3_zero);
    Prepare(world);
    assert_close(Read(world, "box.position.z"), -2.5 - 120.0 * 9.81 / 1e6,
                 1e-6); // force over stiffness times area
    assert_true(fabs(Read(world, "lid.acceleration.z")) < 1e-6);
    assert_true(Read(world, "lid.position.z") > Read(world, "box.position.z") + 0.59);
    hwDestroyWorld(world);
}

// The matrix that solvers use is the derivative of the forces, between bodies too: (1 - gamma df/dy) x = b by structure
// and by differences of f agree up to gamma times what the matrix leaves out (how the overlap's normal and point move).
static void MatricesBetweenBodiesAreRight(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(9.81, NULL);
    AddMaterial(world, "m", 1e6, 1e3, 0.5);
    AddBody(world, "a", Box(1.0, 1.0, 1.0), "m", 50.0, hwMakeVec3(0.0, 0.0, 0.0), hwVec3_zero);
    AddBody(world, "b", Box(1.0, 0.8, 1.0), "m", 70.0, hwMakeVec3(0.1, 0.05, 0.99), hwVec3_zero);
    AddBody(world, "floor", Box(5.0, 5.0, 1.0), "m", 0.0, hwMakeVec3(0.0, 0.0, -0.99), hwVec3_zero);
    Prepare(world);
    int n = hwSystem_GetSize(world);
    assert_true(n < 200);
    double y[200], b[200] = {0}, x[200], f0[200], f1[200], moved[200];
    hwSystem_GetState(world, y);
    uint64_t seed = 3;
    // velocities of the two bodies; positions follow
    for (int i = 14; i < 26; ++i) b[i] = 1e-3 * TestRandom(&seed);
    double last = 0.0;
    for (double gamma = 2e-3; gamma > 2e-4; gamma *= 0.5) {
        assert_status(hwSystem_Factor(world, 0.0, y, gamma, NULL), HW_OK);
        assert_status(hwSystem_Solve(world, b, x, NULL), HW_OK);
        const double h = 1e-4;
        for (int i = 0; i < n; ++i) moved[i] = y[i] + h * x[i];
        assert_status(hwSystem_Evaluate(world, 0.0, y, f0, NULL), HW_OK);
        assert_status(hwSystem_Evaluate(world, 0.0, moved, f1, NULL), HW_OK);
        double error = 0.0;
        for (int i = 14; i < 26; ++i) error = fmax(error, fabs(x[i] - gamma * (f1[i] - f0[i]) / h - b[i]));
        // without the blocks between the bodies it is of the size of b, whatever gamma is
        assert_true(error < 0.1e-3);
        if (last > 0.0) assert_true(error < 0.7 * last);
        last = error;
    }
    hwDestroyWorld(world);
}

// A frame is a mesh with a hole: what is thrown at the bar stops, what is thrown at the hole passes.
static void AConcaveMeshTouchesWhereItIs(void** state) {
    (void)state;
    // a channel, open above: floor and two walls, along y
    static const double profile[8][2] = {{-1.0, 0.0}, {1.0, 0.0},  {1.0, 1.0},  {0.8, 1.0},
                                         {0.8, 0.2},  {-0.8, 0.2}, {-0.8, 1.0}, {-1.0, 1.0}};
    static const int caps[6][3] = {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}, {0, 5, 6}, {0, 6, 7}};
    hwVec3 vertices[16];
    int triangles[28][3], count = 0;
    for (int i = 0; i < 8; ++i) {
        vertices[i] = hwMakeVec3(profile[i][0], -2.0, profile[i][1]);
        vertices[8 + i] = hwMakeVec3(profile[i][0], 2.0, profile[i][1]);
        int j = (i + 1) % 8;
        const int sides[2][3] = {{i, 8 + j, j}, {i, 8 + i, 8 + j}};
        memcpy(triangles[count], sides, sizeof(sides));
        count += 2;
    }
    for (int k = 0; k < 6; ++k) {
        for (int c = 0; c < 3; ++c) {
            triangles[count][c] = caps[k][c];
            triangles[count + 1][c] = 8 + caps[k][2 - c];
        }
        count += 2;
    }
    hwShapeDef channel = hwDefaultShapeDef();
    channel.kind = HW_SHAPE_MESH;
    channel.mesh = (hwMeshData){16, vertices, count, (const int(*)[3])triangles};
    for (int k = 0; k < 3; ++k) {
        hwWorld* world = MakeWorld(9.81, NULL);
        AddMaterial(world, "m", 1e8, 1e5, 0.4);
        AddBody(world, "channel", channel, "m", 0.0, hwVec3_zero, hwVec3_zero);
        hwShapeDef shape = k == 0 ? Box(0.6, 0.6, 0.4) : Ball(0.25);
        if (k == 2) {
            shape.kind = HW_SHAPE_CAPSULE;
            shape.radius = 0.2;
            shape.length = 0.5;
        }
        double half = k == 0 ? 0.2 : (k == 1 ? 0.25 : 0.45);
        AddBody(world, "load", shape, "m", 20.0, hwMakeVec3(0.11, 0.13, 1.5), hwVec3_zero);
        Prepare(world);
        Run(world, 6.0);
        if (k < 2)
            assert_close(Read(world, "load.position.z"), 0.2 + half, 0.02); // on the floor of the channel
        assert_true(Read(world, "load.position.z") > 0.35);
        double force = hypot(Read(world, "load.contact.force.z"), 0.0);
        assert_close(force, 20.0 * 9.81, 5.0);
        hwDestroyWorld(world);
    }
}

static void AStepAllocatesNothing(void** state) {
    (void)state;
    TestHeap heap = {.failAt = -1};
    hwWorldDef def = hwDefaultWorldDef();
    def.allocator = TestHeap_GetAllocator(&heap);
    hwWorld* world = hwCreateWorld(&def, NULL);
    hwSeabedDef seabed = Flat(0.0);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.seabed = seabed;
    assert_status(hwWorld_SetEnvironment(world, &environment, NULL), HW_OK);
    AddBody(world, "a", Box(1.0, 1.0, 1.0), NULL, 100.0, hwMakeVec3(0.0, 0.0, 0.6), hwVec3_zero);
    AddBody(world, "b", Box(1.0, 1.0, 1.0), NULL, 100.0, hwMakeVec3(0.1, 0.0, 1.8), hwVec3_zero);
    Prepare(world);
    long before = heap.allocations;
    Run(world, 1.0);
    assert_int_equal(heap.allocations, before);
    hwDestroyWorld(world);
    assert_int_equal(heap.live, 0);
}

// A table of a plate and two legs as one concave mesh, found as convex parts when the scene is read, on ground that is a
// heightfield and over a concave trough.
static void AConcaveBodyStandsOnItsParts(void** state) {
    (void)state;
    static const char text[] =
        "hawser: 1\nduration: 3\n"
        "environment: {seabed: {mesh: {vertices: [[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], "
        "triangles: [[0, 1, 2], "
        "[0, 2, 3]]}, stiffness: 1e7, damping: 1e6, friction: 0.5}}\n"
        "bodies:\n"
        "  - name: table\n"
        "    mass: 100\n"
        "    position: [0, 0, 0.05]\n"
        "    shapes:\n"
        "      - parts: 8\n"
        "        mesh:\n"
        "          vertices: [[-1, -1, 0], [1, -1, 0], [1, -1, 1], [-1, -1, 1], [-0.8, -1, 0], [-0.8, -1, "
        "0.8], [0.8, -1, "
        "0.8], [0.8, -1, 0], [-1, 1, 0], [1, 1, 0], [1, 1, 1], [-1, 1, 1], [-0.8, 1, 0], [-0.8, 1, 0.8], "
        "[0.8, 1, 0.8], "
        "[0.8, 1, 0]]\n"
        "          triangles: [[0, 4, 5], [0, 5, 3], [5, 6, 3], [6, 2, 3], [7, 1, 6], [1, 2, 6], [8, 13, "
        "12], [8, 11, 13], "
        "[13, 11, 14], [14, 11, 10], [15, 14, 9], [9, 14, 10], [0, 3, 11], [0, 11, 8], [1, 9, 10], [1, 10, "
        "2], [3, 2, 10], "
        "[3, 10, 11], [0, 8, 12], [0, 12, 4], [7, 15, 9], [7, 9, 1], [4, 12, 13], [4, 13, 5], [5, 13, 14], "
        "[5, 14, 6], [6, "
        "14, 15], [6, 15, 7]]\n"
        "  - {name: ball, mass: 5, position: [0, 0, 0.4], shapes: [{sphere: {radius: 0.3}}]}\n";
    hwError error;
    hwScene* scene = hwParseScene(text, sizeof(text) - 1, "table", NULL, &error);
    if (scene == NULL) fail_msg("line %d: %s", error.line, error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    hwDestroyScene(scene);
    Run(world, 3.0);
    assert_close(Read(world, "table.position.z"), 0.0, 0.01);
    assert_close(Read(world, "table.contact.force.z"), 981.0, 1.0);
    assert_true(Read(world, "table.contact.count") >= 2.0);
    // the ball lies under the table, not in it
    assert_close(Read(world, "ball.position.z"), 0.3, 0.01);
    assert_true(fabs(Read(world, "ball.position.x")) < 0.8);
    hwDestroyWorld(world);
}

// Every allocation of Prepare may fail; nothing is lost or left, and the next try succeeds.
static void RunningOutOfMemoryLeavesNothing(void** state) {
    (void)state;
    static const hwVec3 tetra[4] = {{0.5, 0.5, 0.5}, {-0.5, -0.5, 0.5}, {-0.5, 0.5, -0.5}, {0.5, -0.5, -0.5}};
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    hwShapeDef hull = hwDefaultShapeDef(), drum = hwDefaultShapeDef();
    hull.kind = HW_SHAPE_HULL;
    hull.mesh = (hwMeshData){4, tetra, 4, faces};
    drum.kind = HW_SHAPE_CYLINDER;
    drum.radius = 0.3;
    drum.length = 1.0;
    TestHeap heap = {.failAt = -1};
    hwWorldDef def = hwDefaultWorldDef();
    def.allocator = TestHeap_GetAllocator(&heap);
    hwWorld* world = hwCreateWorld(&def, NULL);
    AddMaterial(world, "m", 1e8, 1e5, 0.3);
    AddBody(world, "hull", hull, "m", 5.0, hwMakeVec3(0.0, 0.0, 2.0), hwVec3_zero);
    AddBody(world, "drum", drum, "m", 0.0, hwVec3_zero, hwVec3_zero);
    long before = heap.live, first = heap.allocations;
    bool done = false;
    for (int k = 0; k < 200 && !done; ++k) {
        heap.failAt = heap.allocations + k;
        hwError error;
        hwStatus status = hwWorld_Prepare(world, &error);
        done = status == HW_OK;
        if (!done) {
            assert_int_equal(status, HW_ERROR_MEMORY);
            assert_int_equal(heap.live, before);
        }
    }
    assert_true(done && heap.allocations > first);
    heap.failAt = -1;
    Run(world, 0.5);
    hwDestroyWorld(world);
    assert_int_equal(heap.live, 0);
}

// Preparing again in the middle, with a body more or less, changes nothing for the others.
static void ContactsSurvivePreparingAgain(void** state) {
    (void)state;
    hwWorld* world = MakeIncline(atan(0.3) - 0.02, 0.3);
    Run(world, 2.0);
    double x = Read(world, "block.position.x");
    hwBodyId other = AddBody(world, "other", Ball(0.2), "m", 1.0, hwMakeVec3(0.0, 0.0, 50.0), hwVec3_zero);
    Prepare(world);
    Run(world, 1.0);
    assert_close(Read(world, "block.position.x"), x, 1e-9); // friction's springs are still loaded
    assert_status(hwWorld_RemoveBody(world, other, NULL), HW_OK);
    Prepare(world);
    Run(world, 1.0);
    assert_close(Read(world, "block.position.x"), x, 1e-9);
    hwDestroyWorld(world);
}

static void BadMaterialsAreRefused(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(9.81, NULL);
    hwMaterialDef def = hwDefaultMaterialDef();
    assert_status(hwWorld_AddMaterial(world, &def, &error), HW_ERROR_ARGUMENT); // no name
    def.name = "m";
    def.young = -1.0;
    assert_status(hwWorld_AddMaterial(world, &def, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "young"));
    def.young = (double)NAN;
    assert_status(hwWorld_AddMaterial(world, &def, &error), HW_ERROR_ARGUMENT);
    def.young = 1e9;
    def.kineticFriction = 0.5; // more than the static one
    assert_status(hwWorld_AddMaterial(world, &def, &error), HW_ERROR_ARGUMENT);
    def.kineticFriction = 0.1;
    assert_status(hwWorld_AddMaterial(world, &def, &error), HW_OK);
    assert_status(hwWorld_AddMaterial(world, &def, &error), HW_ERROR_ARGUMENT); // twice
    AddBody(world, "ball", Ball(1.0), "brass", 1.0, hwVec3_zero, hwVec3_zero);
    assert_status(hwWorld_Prepare(world, &error), HW_ERROR_MODEL);
    assert_non_null(strstr(error.message, "brass"));
    hwDestroyWorld(world);
}

// A bottom too soft to carry a load by the volume that the load displaces carries it by the ground above it: the force of
// the volume, and a column of the load's size from where its centre is deeper than it reaches.
static void ALoadSinksIntoASoftBottomAndStays(void** state) {
    (void)state;
    const double stiffness = 1e5, mass = 7800.0, side = 0.5;
    hwSeabedDef soft = Flat(0.0);
    soft.stiffness = stiffness;
    soft.damping = 3e4;
    hwWorld* world = MakeWorld(9.81, &soft);
    assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, NULL), HW_OK);
    AddMaterial(world, "m", 1e9, 0.0, 0.3);
    AddBody(world, "load", Box(side, side, side), "m", mass, hwMakeVec3(0.0, 0.0, 1.0),
            hwMakeVec3(0.0, 0.0, -5.0));
    Prepare(world);
    double start = Read(world, "world.energy.balance");
    Run(world, 30.0);
    double rest = 0.5 * sqrt(3.0) * side + (mass * 9.81 / stiffness - side * side * side) / (side * side);
    assert_close(Read(world, "load.position.z"), -rest, 1e-3 * rest); // it has come to rest
    // 4e5 J change hands, the solver's tolerance is 1e-8 in each of some thousand steps
    assert_close(Read(world, "world.energy.balance"), start, 1.0);
    hwDestroyWorld(world);
}

static void KeepImpact(hwLogLevel level, const char* text, void* context) {
    if (level == HW_LOG_WARNING && strstr(text, "impact") != NULL) snprintf(context, 300, "%s", text);
}

// A box of undamped steel, 1.5 ms on a floor of it: steps of 1 ms take half of its energy, and say so; with a tolerance it comes
// back as fast as it came, and nothing is said. A soft one is followed anyway, and one with dashpots loses what they take.
static void ImpactsShorterThanTheStepsAreTold(void** state) {
    (void)state;
    const struct {
        double young, damping, tolerance;
        bool told;
        double least, most; // of the speed before
    } falls[] = {{2e11, 0.0, 0.0, true, 0.0, 0.9},
                 {2e11, 0.0, 1e-6, false, 0.98, 1.001},
                 {1e8, 0.0, 0.0, false, 0.98, 1.001},
                 {1e8, 3e5, 0.0, false, 0.0, 0.8}};
    for (int i = 0; i < 4; ++i) {
        char told[300] = "";
        hwWorldDef def = hwDefaultWorldDef();
        def.log = KeepImpact;
        def.logContext = told;
        def.solver.tolerance = falls[i].tolerance > 0.0 ? falls[i].tolerance : 5e-4;
        if (!(falls[i].tolerance > 0.0)) def.solver.followed = 1e-3;
        hwWorld* world = hwCreateWorld(&def, NULL);
        assert_non_null(world);
        AddMaterial(world, "m", falls[i].young, falls[i].damping, 0.0);
        AddBody(world, "floor", Box(40.0, 40.0, 2.0), "m", 0.0, hwMakeVec3(0.0, 0.0, -1.0), hwVec3_zero);
        AddBody(world, "box", Box(0.3, 0.3, 0.3), "m", 100.0, hwMakeVec3(0.0, 0.0, 1.13), hwVec3_zero);
        Prepare(world);
        Run(world, 0.6);
        double v = Read(world, "box.velocity.z"), height = Read(world, "box.position.z") - 0.15;
        double share = sqrt(fmax(height + v * v / (2.0 * 9.81), 0.0) / 0.98);
        if (share < falls[i].least || share > falls[i].most) fail_msg("fall %d comes back with %g", i, share);
        bool said = strstr(told, "box and floor: the impact at 0.4") != NULL;
        if (said != falls[i].told) fail_msg("fall %d comes back with %g: \"%s\"", i, share, told);
        hwDestroyWorld(world);
    }
}

static void KeepOverlap(hwLogLevel level, const char* text, void* context) {
    if (level == HW_LOG_WARNING && strstr(text, "overlap") != NULL) snprintf(context, 200, "%s", text);
}

// Pairs that begin in each other are named with their depth: a box in a box, concentric, as deep as the way out is long, half a
// box in another. Boxes that only touch, as contact has them, are not.
static void PairsThatBeginInEachOtherAreNamed(void** state) {
    (void)state;
    const struct {
        double height;
        const char* depth; // null: nothing is said
    } starts[] = {{0.0, "2.5 m"}, {2.0, "0.5 m"}, {2.499, NULL}, {3.0, NULL}};
    for (int i = 0; i < 4; ++i) {
        char told[200] = "";
        hwWorldDef def = hwDefaultWorldDef();
        def.log = KeepOverlap;
        def.logContext = told;
        hwWorld* world = hwCreateWorld(&def, NULL);
        assert_non_null(world);
        AddMaterial(world, "m", 1e9, 0.0, 0.3);
        AddBody(world, "tank", Box(4.0, 4.0, 4.0), "m", 1000.0, hwVec3_zero, hwVec3_zero);
        AddBody(world, "pig", Box(1.0, 1.0, 1.0), "m", 10.0, hwMakeVec3(0.0, 0.0, starts[i].height),
                hwVec3_zero);
        Prepare(world);
        if (starts[i].depth == NULL) {
            assert_string_equal(told, "");
        } else {
            assert_non_null(strstr(told, "tank and pig overlap by"));
            assert_non_null(strstr(told, starts[i].depth));
        }
        hwDestroyWorld(world);
    }
}

static hwWorld* MakeTankAndPig(hwVec3 at, hwOverlaps overlaps, bool fixedTank) {
    hwWorld* world = MakeWorld(9.81, NULL);
    hwContactDef contact = hwDefaultContactDef();
    contact.overlaps = overlaps;
    assert_status(hwWorld_SetContact(world, &contact, NULL), HW_OK);
    AddMaterial(world, "m", 1e9, 1e7, 0.3);
    AddBody(world, "tank", Box(4.0, 4.0, 4.0), "m", fixedTank ? 0.0 : 3000.0, hwVec3_zero, hwVec3_zero);
    AddBody(world, "pig", Box(1.0, 1.0, 1.0), "m", 1000.0, at, hwVec3_zero);
    return world;
}

// A body wholly inside another is pushed out by the shortest way, slowly: the overlap comes to count within half a second, in
// which it goes out by up to 2.5 m, and what is left then is a contact as any other.
static void WhatBeginsInsideComesOutSlowly(void** state) {
    (void)state;
    const hwVec3 starts[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.9}, {0.8, 0.3, 0.1}};
    for (int i = 0; i < 3; ++i) {
        hwWorld* world = MakeTankAndPig(starts[i], HW_OVERLAPS_ACCEPT, true);
        Prepare(world);
        double fastest = 0.0;
        for (int k = 0; k < 90; ++k) {
            Run(world, 1.0 / 60.0);
            hwVec3 v = hwMakeVec3(Read(world, "pig.velocity.x"), Read(world, "pig.velocity.y"),
                                  Read(world, "pig.velocity.z"));
            fastest = fmax(fastest, hwLength(v));
        }
        double x = Read(world, "pig.position.x"), y = Read(world, "pig.position.y"),
               z = Read(world, "pig.position.z");
        assert_true(fabs(x) > 2.4 || fabs(y) > 2.4 || fabs(z) > 2.4); // out, or resting on top
        if (i == 1) assert_true(z > 2.4);                             // up was the shortest way
        if (i == 2) assert_true(x > 2.4);
        // 2.5 m in half a second, and then 1.5 s of free fall at most
        assert_true(fastest < 5.5 + 9.81 * 1.5);
        hwDestroyWorld(world);
    }
}

// Whatever they are and however light one of them is, they part by the shortest way within half a second: not faster than that asks
// for, or than the thickness of both in that time. Seen before: 22, 135, 29, 31 m/s, and 0.11 of the energy from nothing.
static void NothingIsShotOutOfWhatItBeginsIn(void** state) {
    (void)state;
    hwShapeDef slantedRod = hwDefaultShapeDef(), capsule = hwDefaultShapeDef();
    slantedRod.kind = HW_SHAPE_CYLINDER;
    slantedRod.radius = 0.2;
    slantedRod.length = 1.0;
    slantedRod.pose.q = hwQuatFromAxisAngle(hwNormalize(hwMakeVec3(1.0, 0.7, 0.1)), 0.6);
    capsule.kind = HW_SHAPE_CAPSULE;
    capsule.radius = 0.2;
    capsule.length = 3.0;
    const struct {
        hwShapeDef outer, inner;
        double outerMass, innerMass;
        hwVec3 at;
        double speed; // m/s, of one against the other
    } pairs[] = {{Box(2.0, 2.0, 2.0), Ball(0.2), 100.0, 100.0, {0.3, 0.1, 0.0}, 2.0},
                 {Box(1.0, 1.0, 1.0), Ball(0.3), 1e6, 0.1, {0.05, 0.0, 0.0}, 1.7},
                 {Box(3.0, 3.0, 0.2), capsule, 100.0, 100.0, {0.1, 0.0, 0.02}, 1.4},
                 {Box(3.0, 3.0, 3.0), slantedRod, 100.0, 5.0, {0.2, 0.3, 0.1}, 7.5},
                 {Ball(0.5), Ball(0.5), 100.0, 100.0, {0.0, 0.0, 0.0}, 4.4}};
    for (int i = 0; i < 5; ++i) {
        hwWorld* world = MakeWorld(0.0, NULL);
        AddMaterial(world, "m", 1e7, 1e4, 0.0);
        AddBody(world, "outer", pairs[i].outer, "m", pairs[i].outerMass, hwVec3_zero, hwVec3_zero);
        AddBody(world, "inner", pairs[i].inner, "m", pairs[i].innerMass, pairs[i].at, hwVec3_zero);
        Prepare(world);
        hwEnergy e = hwWorld_GetEnergy(world);
        double start = e.kinetic + e.potential + e.elastic + e.dissipated - e.work, speed = 0.0;
        for (int k = 0; k < 120; ++k) {
            Run(world, 1.0 / 60.0);
            hwVec3 v = hwMakeVec3(Read(world, "inner.velocity.x") - Read(world, "outer.velocity.x"),
                                  Read(world, "inner.velocity.y") - Read(world, "outer.velocity.y"),
                                  Read(world, "inner.velocity.z") - Read(world, "outer.velocity.z"));
            speed = fmax(speed, hwLength(v));
        }
        if (!(speed < pairs[i].speed)) fail_msg("pair %d parts at %g m/s", i, speed);
        assert_close(Read(world, "inner.contact.count"), 0.0, 0.0);
        e = hwWorld_GetEnergy(world);
        assert_close(e.kinetic + e.potential + e.elastic + e.dissipated - e.work, start, 1e-6 * e.work);
        hwDestroyWorld(world);
    }
}

// Moving one pair apart moves them into a third one; what is left of that is not deep, and yet shot them away at 28 m/s.
static void ThreeInEachOtherAreSeparated(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(0.0, NULL);
    hwContactDef contact = hwDefaultContactDef();
    contact.overlaps = HW_OVERLAPS_SEPARATE;
    assert_status(hwWorld_SetContact(world, &contact, NULL), HW_OK);
    AddMaterial(world, "m", 1e7, 1e4, 0.0);
    AddBody(world, "a", Box(1.0, 1.0, 1.0), "m", 100.0, hwVec3_zero, hwVec3_zero);
    AddBody(world, "b", Box(1.0, 1.0, 1.0), "m", 100.0, hwMakeVec3(0.1, 0.0, 0.0), hwVec3_zero);
    AddBody(world, "c", Box(1.0, 1.0, 1.0), "m", 100.0, hwMakeVec3(0.0, 0.1, 0.0), hwVec3_zero);
    Prepare(world);
    Run(world, 1.0);
    const char* names[] = {"a.velocity.x", "a.velocity.y", "b.velocity.x", "b.velocity.y", "c.velocity.x"};
    for (int i = 0; i < 5; ++i) assert_true(fabs(Read(world, names[i])) < 1e-3);
    hwDestroyWorld(world);
}

// What pushes them out is fed to the pair while the overlap comes to count: it is work, and nothing is dissipated below zero.
static void WhatPushesOverlapsOutIsWork(void** state) {
    (void)state;
    hwWorld* world = MakeTankAndPig(hwMakeVec3(0.8, 0.3, 0.1), HW_OVERLAPS_ACCEPT, false);
    Prepare(world);
    hwEnergy start = hwWorld_GetEnergy(world), last = start;
    double scale = 0.0;
    for (int k = 0; k < 60; ++k) {
        Run(world, 1.0 / 60.0);
        hwEnergy e = hwWorld_GetEnergy(world);
        scale = fmax(scale, e.work);
        assert_true(e.work >= last.work - 1e-9 * scale); // rounding
        assert_true(e.dissipated >= last.dissipated - 1e-9 * scale);
        double balance = e.kinetic + e.potential + e.elastic + e.dissipated - e.work;
        assert_close(balance, start.potential, 1e-8 * (scale + fabs(start.potential))); // 3e-10 seen
        last = e;
    }
    assert_true(last.work > 1e4);
    hwDestroyWorld(world);
}

static void OverlapsAreSeparatedOrRefused(void** state) {
    (void)state;
    hwWorld* world = MakeTankAndPig(hwVec3_zero, HW_OVERLAPS_REFUSE, false);
    hwError error;
    assert_status(hwWorld_Prepare(world, &error), HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "tank and pig overlap by 2.5 m at the start"));
    hwDestroyWorld(world);
    // three parts of the way for the pig of one tonne, one for the tank of three
    world = MakeTankAndPig(hwMakeVec3(0.0, 0.0, 1.0), HW_OVERLAPS_SEPARATE, false);
    Prepare(world);
    assert_close(Read(world, "pig.position.z"), 1.0 + 0.75 * 1.5, 1e-9);
    assert_close(Read(world, "tank.position.z"), -0.25 * 1.5, 1e-9);
    assert_close(Read(world, "pig.contact.count"), 0.0, 0.0);
    hwDestroyWorld(world);
    // what cannot be moved stays
    world = MakeTankAndPig(hwMakeVec3(0.0, 0.0, 1.0), HW_OVERLAPS_SEPARATE, true);
    Prepare(world);
    assert_close(Read(world, "pig.position.z"), 2.5, 1e-9);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ABoxRestsOnTheVolumeThatCarriesIt),
        cmocka_unit_test(AllKindsOfBottomCarryAlike),
        cmocka_unit_test(EveryShapeComesToRestOnTheBottom),
        cmocka_unit_test(ALoadSinksIntoASoftBottomAndStays),
        cmocka_unit_test(MovingBodiesExchangeMomentum),
        cmocka_unit_test(ImpactsWithinAStepComeBackAsTheyShould),
        cmocka_unit_test(ImpactsShorterThanStepsPutNothingIn),
        cmocka_unit_test(StiffBottomsPutNothingIn),
        cmocka_unit_test(NothingFastPassesThroughSomethingThin),
        cmocka_unit_test(ABlockSticksBelowTheAngleOfFriction),
        cmocka_unit_test(ABlockSlidesAboveItWithTheRightAcceleration),
        cmocka_unit_test(AMovingPlatformCarriesWhatLiesOnIt),
        cmocka_unit_test(AStackOfTenStands),
        cmocka_unit_test(TheAuditClosesOverImpactsShorterThanSteps),
        cmocka_unit_test(RestoredContactsGoOnWithTheSameBits),
        cmocka_unit_test(IgnoredAndSwitchedPairsDoNotTouch),
        cmocka_unit_test(LinksTouch),
        cmocka_unit_test(StaticsFindsTheBottom),
        cmocka_unit_test(MatricesBetweenBodiesAreRight),
        cmocka_unit_test(AConcaveMeshTouchesWhereItIs),
        cmocka_unit_test(AConcaveBodyStandsOnItsParts),
        cmocka_unit_test(AStepAllocatesNothing),
        cmocka_unit_test(RunningOutOfMemoryLeavesNothing),
        cmocka_unit_test(ContactsSurvivePreparingAgain),
        cmocka_unit_test(BadMaterialsAreRefused),
        cmocka_unit_test(ImpactsShorterThanTheStepsAreTold),
        cmocka_unit_test(PairsThatBeginInEachOtherAreNamed),
        cmocka_unit_test(WhatBeginsInsideComesOutSlowly),
        cmocka_unit_test(NothingIsShotOutOfWhatItBeginsIn),
        cmocka_unit_test(ThreeInEachOtherAreSeparated),
        cmocka_unit_test(WhatPushesOverlapsOutIsWork),
        cmocka_unit_test(OverlapsAreSeparatedOrRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
