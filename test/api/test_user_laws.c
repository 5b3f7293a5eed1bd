// Forces, drives and sensors of the caller's own against closed forms.
#include "world/rig.h"

static hwWorld* MakeWorld(double gravity) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.tolerance = 1e-6;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef space = hwDefaultEnvironmentDef();
    space.gravity = gravity;
    assert_status(hwWorld_SetEnvironment(world, &space, &error), HW_OK);
    return world;
}

// A spring and a damper to the origin, of the point of attack.
typedef struct Spring {
    double stiffness, damping;
    bool matrices;
} Spring;

static void PullToOrigin(const hwForceInput* in, hwForceOutput* out, void* context) {
    const Spring* spring = context;
    out->force = hwSub(hwScale(-spring->stiffness, in->position), hwScale(spring->damping, in->velocity));
    for (int i = 0; i < 3 && spring->matrices; ++i) {
        out->damping[i][i] = spring->damping;
        out->stiffness[i][i] = spring->stiffness;
    }
}

static hwForceId AddLaw(hwWorld* world, hwBodyId body, hwVec3 at, hwForceFn* function, void* context) {
    hwError error;
    hwForceDef def = hwDefaultForceDef();
    def.body = body;
    def.at = at;
    def.function = function;
    def.functionContext = context;
    hwForceId id = hwWorld_AddForce(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

// m x'' + c x' + k x = 0 from x = 1 at rest.
static void test_ASpringSwingsAsItShould(void** state) {
    (void)state;
    Spring spring = {400.0, 20.0, true};
    hwWorld* world = MakeWorld(0.0);
    hwBodyId body = AddLoad(world, "load", 100.0, hwMakeVec3(1.0, 0.0, 0.0));
    AddLaw(world, body, hwVec3_zero, PullToOrigin, &spring);
    Prepare(world);
    hwEnergy start = hwWorld_GetEnergy(world);
    Run(world, 3.0);
    hwBodyState now;
    hwBody_GetState(world, body, &now, NULL);
    double d = 0.5 * spring.damping / 100.0, w = sqrt(spring.stiffness / 100.0 - d * d), t = 3.0;
    double x = exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
    assert_close(now.position.x, x, 2e-4); // error control at 1e-6 over two periods
    assert_close_vec3(hwMakeVec3(now.position.y, now.position.z, 0.0), hwVec3_zero, 1e-12);
    // what the law does is work done on the world: the books close
    hwEnergy end = hwWorld_GetEnergy(world);
    assert_close(end.kinetic - end.work, start.kinetic - start.work, 0.1); // of 200 J
    hwDestroyWorld(world);
}

// With its matrices a stiff law takes the steps of a soft one; without them the solver has to follow its vibration.
static void test_MatricesLetStiffLawsTakeLongSteps(void** state) {
    (void)state;
    uint64_t evaluations[2];
    for (int k = 0; k < 2; ++k) {
        hwError error;
        Spring spring = {1e8, 1e5, k == 1};
        hwWorldDef def = hwDefaultWorldDef();
        hwWorld* world = hwCreateWorld(&def, &error);
        hwBodyId body = AddLoad(world, "load", 100.0, hwVec3_zero);
        // beside the centre of mass, so that the matrices are moved to the origin
        AddLaw(world, body, hwMakeVec3(0.5, 0.0, 0.0), PullToOrigin, &spring);
        Prepare(world);
        Run(world, 1.0);
        hwBodyState now;
        hwBody_GetState(world, body, &now, NULL);
        // it swings about the point, which the spring holds at the origin: the body's origin stays half a metre away
        assert_close(hwLength(now.position), 0.5, 1e-3);
        evaluations[k] = hwWorld_GetCounters(world).evaluations;
        hwDestroyWorld(world);
    }
    if (!(3 * evaluations[1] < evaluations[0]))
        fail_msg("%d evaluations with matrices, %d without", (int)evaluations[1], (int)evaluations[0]);
}

// A law on a cable: each node is slowed by c v per metre of cable. Falling freely it comes to the speed m g / c.
static void SlowNodes(const hwCableForceInput* in, hwCableForceOutput* out, void* context) {
    double c = *(const double*)context;
    for (int i = 0; i < in->nodeCount; ++i) {
        double share = 0.0;
        if (i > 0) share += 0.5 * (in->materials[i] - in->materials[i - 1]);
        if (i + 1 < in->nodeCount) share += 0.5 * (in->materials[i + 1] - in->materials[i]);
        out->forces[i] = hwScale(-c * share, in->velocities[i]);
        out->damping[i][0] = out->damping[i][3] = out->damping[i][5] = c * share;
    }
}

static void test_ALawSlowsAFallingCable(void** state) {
    (void)state;
    hwError error;
    double c = 40.0; // N s/m per metre: m g / c is 0.49 m/s, reached with a time constant of 0.05 s
    hwWorld* world = MakeWorld(9.81);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 10;
    section.diameter = 0.02;
    section.massPerLength = 2.0;
    section.EA = 1e5;
    hwCableEndDef a = {.at = {0.0, 0.0, 0.0}, .placed = true}, b = {.at = {10.0, 0.0, 0.0}, .placed = true};
    hwCableId rope = AddCable(world, "rope", &section, a, b, 0);
    hwCableForceDef def = hwDefaultCableForceDef();
    def.cable = rope;
    def.function = SlowNodes;
    def.functionContext = &c;
    assert_status(hwWorld_AddCableForce(world, &def, &error), HW_OK);
    Prepare(world);
    Run(world, 1.0);
    hwCableView view;
    assert_status(hwCable_GetView(world, rope, &view, &error), HW_OK);
    for (int i = 0; i < view.nodeCount; ++i) assert_close(view.velocities[i].z, -2.0 * 9.81 / c, 1e-5);
    hwEnergy energy = hwWorld_GetEnergy(world);
    // what it has lost in height, less what it moves with, is what the law took
    assert_close(energy.kinetic + energy.potential + energy.elastic - energy.work, 0.0, 0.02);
    hwDestroyWorld(world);
}

// A drive: a spring of the caller's own holds an arm against its weight.
static void HoldArm(const hwDriveInput* in, hwDriveOutput* out, void* context) {
    const Spring* spring = context;
    out->effort = spring->stiffness * (0.5 - in->q) - spring->damping * in->qd;
    out->damping = spring->damping;
    out->stiffness = spring->stiffness;
}

static hwWorld* MakeArm(Spring* spring, hwBodyId* link) {
    hwError error;
    hwWorld* world = MakeWorld(9.81);
    hwLinkDef arm = hwDefaultLinkDef();
    arm.body.name = "arm";
    arm.body.mass = 20.0;
    arm.body.com = hwMakeVec3(1.0, 0.0, 0.0);
    for (int i = 0; i < 3; ++i) arm.body.inertia[i] = 2.0;
    arm.drive = HoldArm;
    arm.driveContext = spring;
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "crane";
    // its axis lies level: q is the height angle
    def.attitude = hwQuatFromRpy(0.5 * HW_PI, 0.0, 0.0);
    def.linkCount = 1;
    def.links = &arm;
    hwMechanismId id = hwWorld_AddMechanism(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    *link = hwMechanism_GetLink(world, id, 0);
    Prepare(world);
    return world;
}

static void test_ADriveHoldsAnArm(void** state) {
    (void)state;
    hwError error;
    Spring spring = {5e4, 5e3, true};
    hwBodyId link;
    hwWorld* world = MakeArm(&spring, &link);
    Run(world, 3.0);
    hwJointState joint;
    assert_status(hwJoint_GetState(world, link, &joint, &error), HW_OK);
    // k (0.5 - q) = m g l cos q
    assert_close(spring.stiffness * (0.5 - joint.q), 20.0 * 9.81 * cos(joint.q), 0.01);
    assert_close(joint.effort, 20.0 * 9.81 * cos(joint.q), 0.01);
    assert_close(joint.qd, 0.0, 1e-6);
    hwEnergy energy = hwWorld_GetEnergy(world);
    assert_close(energy.kinetic + energy.potential - energy.work, 0.0, 0.5); // of 94 J of height
    // a branch is driven by the same law
    hwWorld* branch = hwWorld_Branch(world, &error);
    Run(branch, 0.5);
    Run(world, 0.5);
    assert_true(hwWorld_HashState(branch) == hwWorld_HashState(world));
    hwDestroyWorld(branch);
    hwDestroyWorld(world);
}

// Laws of tension ----------------------------------------------------------------------------------------------------------

// What a cable does by itself.
static void Linear(const hwTensionInput* in, hwTensionOutput* out, void* context) {
    (void)context;
    out->tension = in->EA * in->strain + in->damping * in->rate;
    out->stiffness = in->EA;
    out->damping = in->damping;
    if (out->tension <= 0.0) *out = (hwTensionOutput){0.0, 0.0, 0.0};
}

// Fibre rope: EA (e + h e^2), damped.
static void Hardening(const hwTensionInput* in, hwTensionOutput* out, void* context) {
    double h = *(const double*)context;
    if (in->strain <= 0.0) return;
    out->tension = in->EA * in->strain * (1.0 + h * in->strain) + in->damping * in->rate;
    out->stiffness = in->EA * (1.0 + 2.0 * h * in->strain);
    out->damping = in->damping;
}

static hwWorld* MakeHanging(hwTensionFn* law, void* context, hwBodyId* load, double damping) {
    hwError error;
    hwWorld* world = MakeWorld(9.81);
    *load = AddLoad(world, "load", 500.0, hwMakeVec3(0.0, 0.0, -10.0));
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 8;
    section.diameter = 0.02;
    section.massPerLength = 0.01;
    section.EA = 2e5;
    section.axialDamping = damping;
    section.compression = 0.0;
    hwCableDef def = hwDefaultCableDef();
    def.name = "rope";
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = Pin(earth, hwVec3_zero);
    def.ends[1] = Pin(*load, hwVec3_zero);
    def.tension = law;
    def.tensionContext = context;
    if (HW_IS_NULL(hwWorld_AddCable(world, &def, &error))) fail_msg("%s", error.message);
    Prepare(world);
    return world;
}

// EA (e + h e^2) = m g, the rope's own weight of 1 N left aside.
static void test_AHardeningRopeStretchesAsItShould(void** state) {
    (void)state;
    hwBodyId load;
    double h = 20.0, stress = 500.0 * 9.81 / 2e5;
    hwWorld* world = MakeHanging(Hardening, &h, &load, 4e4);
    hwEnergy start = hwWorld_GetEnergy(world);
    Run(world, 12.0);
    hwBodyState now;
    hwBody_GetState(world, load, &now, NULL);
    double strain = (sqrt(1.0 + 4.0 * h * stress) - 1.0) / (2.0 * h);
    assert_close(-now.position.z, 10.0 * (1.0 + strain), 2e-4); // the rope's weight stretches it by 0.1 mm
    assert_close(Read(world, "rope.a.tension"), 500.0 * 9.81, 2.0);
    // what the law holds back beyond EA counts as dissipated: the balance closes
    hwEnergy end = hwWorld_GetEnergy(world);
    double before = start.kinetic + start.potential + start.elastic + start.dissipated - start.work;
    double after = end.kinetic + end.potential + end.elastic + end.dissipated - end.work;
    assert_close(after, before, 2.0); // of 850 J that it fell
    hwDestroyWorld(world);
}

static void test_TheBuiltInLawWrittenOutMovesAlike(void** state) {
    (void)state;
    hwBodyId load;
    hwVec3 places[2];
    uint64_t iterations[2];
    for (int k = 0; k < 2; ++k) {
        hwWorld* world = MakeHanging(k == 0 ? NULL : Linear, NULL, &load, 1e3);
        Run(world, 2.0);
        hwBodyState now;
        hwBody_GetState(world, load, &now, NULL);
        places[k] = now.position;
        iterations[k] = hwWorld_GetCounters(world).iterations;
        hwDestroyWorld(world);
    }
    assert_close_vec3(places[1], places[0], 1e-6);
    // the matrix is the same, so Newton's method takes as many iterations
    assert_true(iterations[1] <= iterations[0] + iterations[0] / 20);
}

static void test_LawsOfTensionAreForDynamicCables(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(9.81);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 4;
    section.diameter = 0.02;
    section.massPerLength = 1.0;
    section.EA = 1e5;
    hwCableDef def = hwDefaultCableDef();
    def.name = "rope";
    def.kind = HW_CABLE_CATENARY;
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = Pin(earth, hwVec3_zero);
    def.tension = Linear;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &def, &error)));
    assert_string_equal(error.field, "tension");
    hwDestroyWorld(world);
}

// Sensors ----------------------------------------------------------------------------------------------------------------

static double ReadDistance(const hwWorld* world, void* context) {
    const hwBodyId* pair = context;
    hwBodyState a, b;
    hwBody_GetState(world, pair[0], &a, NULL);
    hwBody_GetState(world, pair[1], &b, NULL);
    return hwDistance(a.position, b.position);
}

static void test_SensorsAreChannels(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld(9.81);
    hwBodyId pair[2] = {AddLoad(world, "one", 1.0, hwVec3_zero),
                        AddLoad(world, "two", 1.0, hwMakeVec3(3.0, 4.0, 0.0))};
    hwSensorDef def = hwDefaultSensorDef();
    assert_true(HW_IS_NULL(hwWorld_AddSensor(world, &def, &error)));
    def.name = "gap";
    assert_true(HW_IS_NULL(hwWorld_AddSensor(world, &def, &error)));
    assert_non_null(strstr(error.message, "gap"));
    def.unit = "m";
    def.read = ReadDistance;
    def.context = pair;
    hwSensorId id = hwWorld_AddSensor(world, &def, &error);
    assert_true(hwSensor_IsValid(world, id));
    assert_true(HW_IS_NULL(hwWorld_AddSensor(world, &def, &error))); // the name is taken...
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "gap";
    body.mass = 1.0;
    assert_true(HW_IS_NULL(hwWorld_AddBody(world, &body, &error))); // ...by everything
    Prepare(world);
    int channel = hwWorld_FindChannel(world, "gap.value");
    assert_true(channel >= 0);
    assert_string_equal(hwWorld_GetChannel(world, channel).unit, "m");
    assert_close(hwWorld_ReadChannel(world, channel), 5.0, 0.0);
    Run(world, 0.5);
    assert_close(hwWorld_ReadChannel(world, channel), 5.0, 1e-9); // both fall alike
    hwWorld* branch = hwWorld_Branch(world, &error);
    assert_close(Read(branch, "gap.value"), 5.0, 1e-9);
    assert_true(hwSensor_IsValid(branch, id));
    hwDestroyWorld(branch);
    hwSensorId list[2];
    assert_int_equal(hwWorld_GetSensors(world, 2, list), 1);
    assert_string_equal(hwSensor_GetDef(world, list[0])->name, "gap");
    assert_status(hwWorld_RemoveSensor(world, id, &error), HW_OK);
    assert_status(hwWorld_RemoveSensor(world, id, &error), HW_ERROR_ARGUMENT);
    assert_false(hwSensor_IsValid(world, id));
    Prepare(world);
    assert_int_equal(hwWorld_FindChannel(world, "gap.value"), -1);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ASpringSwingsAsItShould),
        cmocka_unit_test(test_MatricesLetStiffLawsTakeLongSteps),
        cmocka_unit_test(test_ALawSlowsAFallingCable),
        cmocka_unit_test(test_ADriveHoldsAnArm),
        cmocka_unit_test(test_AHardeningRopeStretchesAsItShould),
        cmocka_unit_test(test_TheBuiltInLawWrittenOutMovesAlike),
        cmocka_unit_test(test_LawsOfTensionAreForDynamicCables),
        cmocka_unit_test(test_SensorsAreChannels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
