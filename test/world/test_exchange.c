// One world split in two that exchange motion and force: whatever the interval, the masses, the stiffness, slack or taut,
// the exchange creates no energy, and it converges to the coupled world.
#include "rig.h"

typedef struct Rig {
    double blockMass, blockInertia, loadMass, EA, length, slack, compression;
    double hangerStiffness; // N
    double tolerance;       // of the solvers; 0: as for pictures
    int elements;
    bool clamped, anchored;  // the wire's other end is on the earth
    hwVec3 eye, speed, rate; // of the block
} Rig;

static hwWorld* MakeWorld(double tolerance) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.tolerance = tolerance;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    assert_status(hwWorld_SetEnvironment(world, &dry, &error), HW_OK);
    return world;
}

static hwBodyId AddBody(hwWorld* world, const char* name, double mass, double inertia, hwVec3 position) {
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = mass;
    for (int i = 0; i < 3; ++i) def.inertia[i] = inertia;
    def.position = position;
    hwError error;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static hwCableId AddRope(hwWorld* world, const char* name, double length, int elements, double EA,
                         const Rig* rig, hwCableEndDef a, hwCableEndDef b) {
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = length;
    section.elements = elements;
    section.diameter = 0.02;
    section.massPerLength = 0.5;
    section.EA = EA;
    section.axialDamping = 1e-3 * EA;
    section.compression = rig->compression;
    if (rig->clamped) {
        section.EI = 1e-4 * EA;
        section.bendingDamping = 1e-6 * EA;
    }
    return AddCable(world, name, &section, a, b, 0);
}

typedef struct Pair {
    hwWorld *above, *below; // the same when coupled
    hwBodyId block, load;
    hwCableId wire;
} Pair;

static Pair Build(const Rig* rig, bool split) {
    Pair p = {.above = MakeWorld(rig->tolerance)};
    p.below = split ? MakeWorld(rig->tolerance) : p.above;
    p.block = AddBody(p.above, "block", rig->blockMass, rig->blockInertia, hwVec3_zero);
    hwCableEndDef roof = Pin(earth, hwMakeVec3(0, 0, 4));
    hwCableEndDef top = Pin(p.block, hwVec3_zero);
    Rig soft = *rig;
    soft.clamped = false;
    soft.compression = 1.0;
    AddRope(p.above, "hanger", 4.0, 1, rig->hangerStiffness, &soft, roof, top);
    double span = rig->length - rig->slack;
    hwVec3 below = {rig->eye.x, rig->eye.y, rig->eye.z - span};
    hwCableEndDef eye = {.joint = rig->clamped ? HW_ATTACH_CLAMP : HW_ATTACH_PIN,
                         .body = split ? earth : p.block,
                         .at = rig->eye,
                         .p1 = {1, 0, 0},
                         .p2 = {0, -1, 0}};
    hwCableEndDef foot = Pin(earth, below);
    if (!rig->anchored) {
        p.load = AddBody(p.below, "load", rig->loadMass, 0.1 * rig->loadMass, below);
        foot = Pin(p.load, hwVec3_zero);
    }
    p.wire = AddRope(p.below, "wire", rig->length, rig->elements, rig->EA, rig, eye, foot);
    if (!rig->anchored) {
        // a spring that carries the load at first, so that the wire goes slack and taut
        hwCableEndDef up = Pin(earth, hwMakeVec3(rig->eye.x + 1.0, rig->eye.y, below.z + 3.0));
        AddRope(p.below, "support", 3.2, 1, 20.0 * rig->loadMass * 9.81, &soft, up, foot);
    }
    Prepare(p.above);
    if (split) Prepare(p.below);
    hwBodyState state;
    hwBody_GetState(p.above, p.block, &state, NULL);
    state.velocity = rig->speed;
    state.rate = rig->rate;
    hwBody_SetState(p.above, p.block, &state, NULL);
    return p;
}

static double GetEnergy(const hwWorld* world) {
    hwEnergy e = hwWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic;
}

static uint64_t seed = 88172645463325252u;

static double Random(double a, double b) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

static Rig MakeRig(bool clamped) {
    Rig rig = {.blockMass = pow(10, Random(0, 3)),
               .loadMass = pow(10, Random(0, 4)),
               .EA = pow(10, Random(5, 8)),
               .length = Random(2, 10),
               .compression = Random(0, 1) < 0.5 ? 0.0 : Random(0, 1),
               .hangerStiffness = pow(10, Random(3, 7)),
               .elements = 1 + (int)Random(0, 8),
               .clamped = clamped,
               .anchored = Random(0, 1) < 0.5,
               .eye = {Random(-0.3, 0.3), Random(-0.3, 0.3), -0.3},
               .speed = {Random(-2, 2), Random(-2, 2), Random(-5, 5)},
               .rate = {Random(-2, 2), Random(-2, 2), Random(-2, 2)}};
    rig.blockInertia = rig.blockMass * pow(10, Random(-2, 0));
    rig.slack = Random(-1e-4, 0.2);
    if (clamped && rig.elements < 2) rig.elements = 2;
    if (clamped) {
        // a bar that bends but does not fold over
        rig.slack = Random(0, 0.01);
        rig.speed = hwScale(0.2, rig.speed);
        rig.rate = hwScale(0.2, rig.rate);
    }
    return rig;
}

static hwExchange* Join(const Pair* p, const Rig* rig) {
    hwError error;
    hwExchangeDef def = {
        .bodyWorld = p->above, .body = p->block, .at = rig->eye, .cableWorld = p->below, .cable = p->wire};
    hwExchange* exchange = hwCreateExchange(&def, &error);
    if (exchange == NULL) fail_msg("%s", error.message);
    return exchange;
}

static void Destroy(Pair* p) {
    hwDestroyWorld(p->above);
    if (p->below != p->above) hwDestroyWorld(p->below);
}

// Two seconds at 1/60 s: blocks of 1 to 1000 kg on wires of up to 100 MN that start slack or taut, thrown about at metres
// a second. Returns how often the wire changed between slack and taut.
static int CheckPassive(const Rig* rig) {
    Pair p = Build(rig, true);
    hwExchange* exchange = Join(&p, rig);
    double start = GetEnergy(p.above) + GetEnergy(p.below);
    // what there is to give: the block's motion, and what hangs falling by the length of the wire
    double scale = hwWorld_GetEnergy(p.above).kinetic +
                   (rig->blockMass + (rig->anchored ? 0.0 : rig->loadMass)) * 9.81 * rig->length;
    int changes = 0;
    bool taut = false;
    for (int i = 0; i < 120; ++i) {
        hwError error;
        hwExchangeReport report;
        if (hwExchange_Advance(exchange, 1.0 / 60.0, &report, &error) != HW_OK) fail_msg("%s", error.message);
        // agreement to 1e-5 of the force in each of 120 intervals; measured at most 3e-5
        assert_true(report.created < 1e-3 * scale);
        // energy is only lost; the solvers' own errors are of their tolerance of 2e-3
        assert_true(GetEnergy(p.above) + GetEnergy(p.below) - start < 5e-3 * scale);
        bool pulls = hwLength(report.force) > rig->blockMass * 9.81;
        changes += pulls != taut;
        taut = pulls;
    }
    hwDestroyExchange(exchange);
    Destroy(&p);
    return changes;
}

static void PinnedExchangeCreatesNoEnergy(void** state) {
    (void)state;
    int changes = 0;
    for (int k = 0; k < 16; ++k) {
        Rig rig = MakeRig(false);
        changes += CheckPassive(&rig);
    }
    assert_true(changes > 50); // otherwise the test shows little
}

static void ClampedExchangeCreatesNoEnergy(void** state) {
    (void)state;
    for (int k = 0; k < 6; ++k) {
        Rig rig = MakeRig(true);
        CheckPassive(&rig);
    }
}

// A block of 2 kg that is thrown up and falls into a wire of 3 MN/m within an interval.
static void LightBlockGoesTaut(void** state) {
    (void)state;
    Rig rig = {.blockMass = 2.0,
               .blockInertia = 0.1,
               .EA = 1e7,
               .length = 3.0,
               .slack = 0.1,
               .hangerStiffness = 1e4,
               .elements = 4,
               .anchored = true,
               .eye = {0, 0, -0.3},
               .speed = {0.5, 0, 4.0}};
    assert_true(CheckPassive(&rig) > 1);
}

static hwVec3 RunFor(const Rig* rig, double duration, double interval) {
    Pair p = Build(rig, interval > 0.0);
    hwExchange* exchange = interval > 0.0 ? Join(&p, rig) : NULL;
    int count = interval > 0.0 ? (int)lround(duration / interval) : 240;
    for (int i = 0; i < count; ++i) {
        hwError error;
        hwStatus status = interval > 0.0 ? hwExchange_Advance(exchange, interval, NULL, &error)
                                         : hwWorld_Step(p.above, duration / count, &error);
        if (status < HW_OK) fail_msg("%s", error.message);
    }
    hwBodyState block;
    hwBody_GetState(p.above, p.block, &block, NULL);
    hwDestroyExchange(exchange);
    Destroy(&p);
    return block.position;
}

// The split world converges to the coupled one as the interval shrinks.
static void HalvesConverge(const Rig* rig) {
    hwVec3 exact = RunFor(rig, 1.0, 0.0);
    double last = 0.0;
    for (int k = 0; k < 3; ++k) {
        double error = hwDistance(RunFor(rig, 1.0, 1.0 / 60.0 / (1 << k)), exact);
        if (k > 0) assert_true(error < 0.7 * last || error < 1e-4);
        last = error;
    }
    assert_true(last < 5e-3); // m, of a way of metres
}

static void ExchangeConverges(void** state) {
    (void)state;
    Rig rig = {.blockMass = 50.0,
               .blockInertia = 5.0,
               .loadMass = 100.0,
               .EA = 1e5,
               .length = 3.0,
               .slack = 0.0,
               .compression = 1.0,
               .hangerStiffness = 2e4,
               .elements = 4,
               .eye = {0.1, 0, -0.3},
               .speed = {1.0, 0.5, 1.0},
               .tolerance = 1e-6};
    HalvesConverge(&rig);
    rig.clamped = true;
    HalvesConverge(&rig);
}

static void MistakesAreNamed(void** state) {
    (void)state;
    Rig rig = MakeRig(false);
    Pair p = Build(&rig, true);
    hwError error;
    hwExchangeDef def = {
        .bodyWorld = p.above, .body = p.block, .at = {9, 9, 9}, .cableWorld = p.below, .cable = p.wire};
    assert_null(hwCreateExchange(&def, &error));
    assert_non_null(strstr(error.message, "m from the body's point"));
    def.cableWorld = p.above;
    assert_null(hwCreateExchange(&def, &error));
    assert_non_null(strstr(error.message, "two worlds"));
    hwExchange* exchange = Join(&p, &rig);
    assert_status(hwExchange_Advance(exchange, 0.0, NULL, &error), HW_ERROR_ARGUMENT);
    assert_status(hwCable_GetEndImpulse(p.below, p.wire, 0, NULL, NULL, &error), HW_ERROR_ORDER);
    assert_non_null(strstr(error.message, "hwCable_GuideEnd"));
    hwDestroyExchange(exchange);
    Destroy(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PinnedExchangeCreatesNoEnergy),
        cmocka_unit_test(ClampedExchangeCreatesNoEnergy),
        cmocka_unit_test(LightBlockGoesTaut),
        cmocka_unit_test(ExchangeConverges),
        cmocka_unit_test(MistakesAreNamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
