// One world split in two: the caller passes motion one way and force the other. It converges to the coupled world, and
// with the end's impedance it creates no energy at 1/60 s, however stiff the cable is.
#include "support.h"

#include "hawser/hawser.h"

static hwWorld* MakeWorld(double tolerance) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.tolerance = tolerance;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    assert_status(hwWorld_SetEnvironment(world, &dry, &error), HW_OK);
    return world;
}

static void Prepare(hwWorld* world) {
    hwError error;
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
}

static void Step(hwWorld* world, double interval) {
    hwError error;
    if (hwWorld_Step(world, interval, &error) < HW_OK) fail_msg("%s", error.message);
}

static hwBodyId AddBody(hwWorld* world, const char* name, double mass, double inertia, hwVec3 position) {
    hwError error;
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = mass;
    for (int i = 0; i < 3; ++i) def.inertia[i] = inertia;
    def.position = position;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static hwBodyState Read(const hwWorld* world, hwBodyId id) {
    hwBodyState state;
    assert_status(hwBody_GetState(world, id, &state, NULL), HW_OK);
    return state;
}

// A block that hangs on a soft line from the earth, and below it a stiff wire with a load that swings; or a bar that is
// clamped to the block.
typedef struct Rig {
    double blockMass, loadMass, EA;
    bool clamped;
    hwVec3 eye; // m, of the block, where the wire is
} Rig;

#define WIRE 3.0      // m
#define WIRE_MASS 2.0 // kg/m

// Weight of what hangs on the hanger, N.
static double GetWeight(const Rig* rig) {
    return 9.81 * (rig->blockMass + WIRE * WIRE_MASS + (rig->clamped ? 0.0 : rig->loadMass));
}

// So short that it carries the weight where everything starts.
static hwCableId AddHanger(hwWorld* world, const Rig* rig, hwBodyId block) {
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 4.0 / (1.0 + GetWeight(rig) / 1e5);
    section.elements = 1;
    section.diameter = 0.02;
    section.massPerLength = 0.1;
    section.EA = 1e5;
    section.axialDamping = 200.0;
    section.compression = 1.0;
    hwCableDef def = hwDefaultCableDef();
    def.name = "hanger";
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {0, 0, 4.3}};
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = block, .at = {0, 0, 0.3}};
    return hwWorld_AddCable(world, &def, NULL);
}

static hwCableId AddWire(hwWorld* world, const Rig* rig, hwBodyId block, hwBodyId load) {
    hwError error;
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = WIRE;
    section.elements = 6;
    section.diameter = 0.02;
    section.massPerLength = WIRE_MASS;
    section.EA = rig->EA;
    section.axialDamping = 1e-3 * rig->EA;
    section.compression = rig->clamped ? 1.0 : 0.0;
    section.EI = rig->clamped ? 500.0 : 0.0;
    section.bendingDamping = rig->clamped ? 20.0 : 0.0;
    hwCableDef def = hwDefaultCableDef();
    def.name = "wire";
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = (hwCableEndDef){.joint = rig->clamped ? HW_ATTACH_CLAMP : HW_ATTACH_PIN,
                                  .body = block,
                                  .at = rig->eye,
                                  .p1 = {1, 0, 0},
                                  .p2 = {0, -1, 0}};
    if (!HW_IS_NULL(load)) def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = load};
    hwCableId id = hwWorld_AddCable(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static const hwVec3 push = {30.0, 12.0, 60.0}; // N on the block for the first second

static hwBodyId AddLoad(hwWorld* world, const Rig* rig) {
    hwBodyId none = {0, 0};
    hwVec3 below = {rig->eye.x, rig->eye.y,
                    rig->eye.z - WIRE * (1.0 + (rig->loadMass + 0.5 * WIRE * WIRE_MASS) * 9.81 / rig->EA)};
    return rig->clamped ? none : AddBody(world, "load", rig->loadMass, 5.0, below);
}

static hwVec3 RunCoupled(const Rig* rig, double duration) {
    hwWorld* world = MakeWorld(1e-6);
    hwBodyId block = AddBody(world, "block", rig->blockMass, 3.0, hwVec3_zero);
    hwBodyId load = AddLoad(world, rig);
    AddHanger(world, rig, block);
    hwCableId wire = AddWire(world, rig, block, load);
    Prepare(world);
    hwBody_ApplyWrench(world, block, push, hwVec3_zero, hwVec3_zero, HW_FRAME_BODY, NULL);
    Step(world, 1.0);
    hwBody_ClearForces(world, block, NULL);
    Step(world, duration - 1.0);
    hwCableView view;
    hwCable_GetView(world, wire, &view, NULL);
    hwVec3 tip = view.positions[view.nodeCount - 1];
    hwDestroyWorld(world);
    return tip;
}

typedef struct Split {
    hwWorld *above, *below;
    hwBodyId block;
    hwCableId wire;
    bool clamped, passive;
    hwVec3 steady; // N, on the block
    hwVec3 eye;
    hwVec3 position, velocity, rate;
    hwQuat attitude;
} Split;

static void ReadBlock(Split* s) {
    hwBodyState b = Read(s->above, s->block);
    hwVec3 arm = hwRotate(b.attitude, s->eye);
    s->attitude = b.attitude;
    s->rate = hwRotate(b.attitude, b.rate);
    s->position = hwAdd(b.position, arm);
    s->velocity = hwAdd(b.velocity, hwCross(s->rate, arm));
}

static Split MakeSplit(const Rig* rig, bool passive, double tolerance) {
    Split s = {.above = MakeWorld(tolerance),
               .below = MakeWorld(tolerance),
               .clamped = rig->clamped,
               .passive = passive,
               .eye = rig->eye};
    s.block = AddBody(s.above, "block", rig->blockMass, 3.0, hwVec3_zero);
    AddHanger(s.above, rig, s.block);
    s.wire = AddWire(s.below, rig, (hwBodyId){0, 0}, AddLoad(s.below, rig));
    Prepare(s.above);
    Prepare(s.below);
    ReadBlock(&s);
    return s;
}

// The wire's end goes on from where the block is, at this velocity and angular velocity.
static void Follow(const Split* s, hwVec3 position, hwQuat attitude, hwVec3 velocity, hwVec3 acceleration,
                   hwVec3 rate) {
    hwError error;
    hwStatus status = hwCable_SetEndMotion(s->below, s->wire, 0, position, velocity, acceleration, &error);
    if (status == HW_OK && s->clamped) {
        hwVec3 p1 = hwRotate(attitude, hwMakeVec3(1, 0, 0)), p2 = hwRotate(attitude, hwMakeVec3(0, -1, 0));
        status = hwCable_SetEndTurn(s->below, s->wire, 0, p1, p2, rate, &error);
    }
    if (status != HW_OK) fail_msg("%s", error.message);
}

// One exchange: the block feels the wire's load, as it is now or as it is predicted, and the wire goes to where the block
// has come to.
static void Exchange(Split* s, double interval) {
    hwVec3 force, moment;
    hwError error;
    double impedance[6][6];
    // as it was at the end of the last interval, with the inertia of the end itself
    assert_status(hwCable_GetEndLoad(s->below, s->wire, 0, &force, &moment, &error), HW_OK);
    Follow(s, s->position, s->attitude, s->velocity, hwVec3_zero, s->rate);
    hwBody_ClearForces(s->above, s->block, NULL);
    hwBody_ApplyWrench(s->above, s->block, s->steady, hwVec3_zero, hwVec3_zero, HW_FRAME_BODY, NULL);
    if (s->passive) {
        hwStatus status =
            hwCable_PredictEndLoad(s->below, s->wire, 0, interval, &force, &moment, impedance, &error);
        if (status == HW_OK) {
            status = hwBody_ApplyImpedance(s->above, s->block, (const double(*)[6])impedance, s->velocity,
                                           s->rate, s->position, &error);
        }
        if (status != HW_OK) fail_msg("%s", error.message);
    }
    hwBody_ApplyWrench(s->above, s->block, force, moment, s->position, HW_FRAME_WORLD, NULL);
    Step(s->above, interval);
    Split before = *s;
    ReadBlock(s);
    hwQuat turned = hwMulQuat(s->attitude, hwConjugate(before.attitude));
    hwVec3 axis = {turned.x, turned.y, turned.z};
    double sine = hwLength(axis), angle = 2.0 * atan2(sine, turned.w);
    hwVec3 rate = sine > 0.0 ? hwScale(angle / (sine * interval), axis) : hwVec3_zero;
    // a straight way to where the block has come to; without the impedance, a parabola that begins as the block moved:
    // then the end's own inertia is in its load
    hwVec3 velocity = hwScale(1.0 / interval, hwSub(s->position, before.position)),
           acceleration = hwVec3_zero;
    if (!s->passive) {
        acceleration = hwScale(2.0 / interval, hwSub(velocity, before.velocity));
        velocity = before.velocity;
    }
    Follow(s, before.position, before.attitude, velocity, acceleration, rate);
    Step(s->below, interval);
}

static hwVec3 GetTip(const Split* s) {
    hwCableView view;
    hwCable_GetView(s->below, s->wire, &view, NULL);
    return view.positions[view.nodeCount - 1];
}

static void Destroy(Split* s) {
    hwDestroyWorld(s->above);
    hwDestroyWorld(s->below);
}

static hwVec3 RunSplit(const Rig* rig, bool passive, double duration, double interval) {
    Split s = MakeSplit(rig, passive, 1e-6);
    int count = (int)lround(duration / interval);
    for (int i = 0; i < count; ++i) {
        s.steady = (i + 0.5) * interval < 1.0 ? push : hwVec3_zero;
        Exchange(&s, interval);
    }
    hwVec3 tip = GetTip(&s);
    Destroy(&s);
    return tip;
}

// Errors of the tip at intervals halved twice fall at least as the interval does.
static void CheckConvergence(const Rig* rig, bool passive, double duration, double first, double scale) {
    hwVec3 exact = RunCoupled(rig, duration);
    double last = 0.0;
    for (int k = 0; k < 3; ++k) {
        double interval = first / (1 << k);
        double error = hwDistance(RunSplit(rig, passive, duration, interval), exact);
        if (k > 0) assert_true(error < 0.65 * last || error < 1e-4 * scale);
        last = error;
    }
    assert_true(last < 0.02 * scale);
}

static void PinnedHalvesConverge(void** state) {
    (void)state;
    Rig rig = {.blockMass = 400.0, .loadMass = 100.0, .EA = 1e5, .eye = {0, 0, -0.3}};
    CheckConvergence(&rig, false, 3.0, 1.0 / 120.0, 1.0);
    CheckConvergence(&rig, true, 3.0, 1.0 / 60.0, 1.0);
}

static void ClampedHalvesConverge(void** state) {
    (void)state;
    Rig rig = {.blockMass = 100.0, .EA = 1e5, .clamped = true, .eye = {0, 0, -0.3}};
    CheckConvergence(&rig, false, 3.0, 1.0 / 240.0, 1.0);
    CheckConvergence(&rig, true, 3.0, 1.0 / 60.0, 1.0);
}

static double GetEnergyOf(const hwWorld* world) {
    hwEnergy e = hwWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic;
}

// How much the energy of both halves rises above what a push of one second has left, within 20 s; a run that goes wild ends
// early.
static double FindRise(const Rig* rig, bool passive, double* pushed, double* left) {
    const double interval = 1.0 / 60.0;
    Split s = MakeSplit(rig, passive, 0.0);
    double start = GetEnergyOf(s.above) + GetEnergyOf(s.below), before = 0.0, rise = 0.0;
    for (int i = 0; i < 1260 && rise < 1e6; ++i) {
        s.steady = i < 60 ? push : hwVec3_zero;
        Exchange(&s, interval);
        double energy = GetEnergyOf(s.above) + GetEnergyOf(s.below) - start;
        if (i == 59) before = energy;
        rise = fmax(rise, i < 60 ? energy - 1e3 : energy - before);
        *left = energy;
    }
    *pushed = before;
    Destroy(&s);
    return rise;
}

// A block of 20 kg on a wire of 3.3 MN/m: the interval is five times the longest that an exchange of forces bears.
static void PassiveExchangeIsStable(void** state) {
    (void)state;
    double pushed, left;
    Rig wire = {.blockMass = 20.0, .loadMass = 500.0, .EA = 1e7};
    assert_true(FindRise(&wire, false, &pushed, &left) > 1e3);
    double rise = FindRise(&wire, true, &pushed, &left);
    // what comes and goes between the halves; in the end damping has taken most
    assert_true(rise < 0.01 * pushed && left < pushed);
    Rig bar = {.blockMass = 5.0, .EA = 1e7, .clamped = true};
    assert_true(FindRise(&bar, false, &pushed, &left) > 1e3);
    rise = FindRise(&bar, true, &pushed, &left);
    assert_true(rise < 0.2 * pushed && left < pushed);
}

static void MistakesAreNamed(void** state) {
    (void)state;
    Rig rig = {.blockMass = 20.0, .loadMass = 50.0, .EA = 1e6};
    Split s = MakeSplit(&rig, true, 0.0);
    hwError error;
    double impedance[6][6] = {{0}};
    assert_status(
        hwCable_SetEndTurn(s.below, s.wire, 0, hwMakeVec3(1, 0, 0), hwMakeVec3(0, 1, 0), hwVec3_zero, &error),
        HW_ERROR_ORDER);
    assert_non_null(strstr(error.message, "only a clamp"));
    assert_status(hwCable_PredictEndLoad(s.below, s.wire, 1, 0.1, NULL, NULL, impedance, &error),
                  HW_ERROR_ORDER);
    assert_status(hwCable_PredictEndLoad(s.below, s.wire, 0, 0.0, NULL, NULL, impedance, &error),
                  HW_ERROR_ARGUMENT);
    impedance[0][0] = -1.0;
    assert_status(hwBody_ApplyImpedance(s.above, s.block, (const double(*)[6])impedance, hwVec3_zero,
                                        hwVec3_zero, hwVec3_zero, &error),
                  HW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "symmetric and not negative"));
    Destroy(&s);
}

// m v' = -d v, exactly, however large d is against m over a frame.
static void ImpedanceIsADamper(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(1e-8);
    hwEnvironmentDef weightless = hwDefaultEnvironmentDef();
    weightless.gravity = 0.0;
    hwWorld_SetEnvironment(world, &weightless, NULL);
    hwBodyId body = AddBody(world, "body", 2.0, 1.0, hwVec3_zero);
    Prepare(world);
    double impedance[6][6] = {{0}};
    impedance[0][0] = 3.0;
    hwBody_ApplyImpedance(world, body, (const double(*)[6])impedance, hwMakeVec3(4, 0, 0), hwVec3_zero,
                          hwVec3_zero, NULL);
    for (int i = 0; i < 60; ++i) Step(world, 1.0 / 60.0);
    assert_close(Read(world, body).velocity.x, 4.0 * (1.0 - exp(-1.5)), 1e-5);
    hwBody_ClearForces(world, body, NULL);
    double v = Read(world, body).velocity.x;
    Step(world, 1.0);
    assert_close(Read(world, body).velocity.x, v, 1e-12);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PinnedHalvesConverge),    cmocka_unit_test(ClampedHalvesConverge),
        cmocka_unit_test(PassiveExchangeIsStable), cmocka_unit_test(MistakesAreNamed),
        cmocka_unit_test(ImpedanceIsADamper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
