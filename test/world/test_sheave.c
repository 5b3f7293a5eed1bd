// Sheaves: accelerations, friction, pendulums and reevings against their theory; conservation; the coupled solve.
#include "rig.h"

#include "hawser/reference.h"
#include "inside.h"

#define GRAVITY 9.81

static hwWorld* MakeWorld(bool reference, bool statics) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.statics = statics;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    dry.gravity = GRAVITY;
    assert_status(hwWorld_SetEnvironment(world, &dry, &error), HW_OK);
    if (reference) assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error), HW_OK);
    return world;
}

typedef struct Wire {
    double EA, massPerLength, elementLength;
    double damping;  // N s, over EA
    bool keepsNodes; // no element is split or merged
} Wire;

static hwCableId AddLeg(hwWorld* world, const char* name, Wire wire, double length, hwCableEndDef a,
                        hwCableEndDef b) {
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = length;
    section.elements = (int)fmax(1.0, round(length / wire.elementLength));
    section.diameter = 0.02;
    section.massPerLength = wire.massPerLength;
    section.EA = wire.EA;
    if (wire.keepsNodes) {
        section.minElement = 1e-3;
        section.maxElement = 1e3;
    }
    section.axialDamping = wire.damping * wire.EA;
    return AddCable(world, name, &section, a, b, 0);
}

static hwSheaveId AddSheave(hwWorld* world, const char* name, hwCableId from, hwCableId to, double inertia,
                            double radius, double friction, double bearing) {
    hwError error;
    hwSheaveDef def = hwDefaultSheaveDef();
    def.name = name;
    def.cables[0] = from;
    def.cables[1] = to;
    def.inertia = inertia;
    def.radius = radius;
    def.friction = friction;
    def.bearing = bearing;
    hwSheaveId id = hwWorld_AddSheave(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static hwSheaveState ReadSheave(const hwWorld* world, hwSheaveId id) {
    hwSheaveState state;
    assert_status(hwSheave_GetState(world, id, &state, NULL), HW_OK);
    return state;
}

static double GetLength(const hwWorld* world, hwCableId id) {
    hwCableView view;
    assert_status(hwCable_GetView(world, id, &view, NULL), HW_OK);
    return view.length;
}

static double GetBalance(const hwWorld* world) {
    hwEnergy e = hwWorld_GetEnergy(world);
    return e.kinetic + e.potential + e.elastic + e.dissipated - e.work;
}

// Atwood's machine --------------------------------------------------------------------------------------------------------

typedef struct Atwood {
    hwWorld* world;
    hwBodyId light, heavy;
    hwCableId legs[2];
    hwSheaveId sheave;
} Atwood;

#define LIGHT 80.0
#define HEAVY 100.0
#define LEG0 12.0
#define LEG1 6.0

static Atwood MakeAtwood(bool reference, Wire wire, double inertia, double radius, double friction,
                         double bearing) {
    Atwood a = {.world = MakeWorld(reference, false)};
    a.light = AddLoad(a.world, "light", LIGHT, hwMakeVec3(0, 0, -LEG0));
    a.heavy = AddLoad(a.world, "heavy", HEAVY, hwMakeVec3(0, 0, -LEG1));
    hwVec3 top = {0, 0, 0};
    a.legs[0] = AddLeg(a.world, "leg", wire, LEG0, Pin(a.light, top), Pin(earth, top));
    a.legs[1] = AddLeg(a.world, "other", wire, LEG1, Pin(earth, top), Pin(a.heavy, top));
    a.sheave = AddSheave(a.world, "sheave", a.legs[0], a.legs[1], inertia, radius, friction, bearing);
    Prepare(a.world);
    return a;
}

// x'' = A + B x from rest: the heavy side grows by x, with the weight of the wire.
static double GetAtwood(double massPerLength, double wheel, double time) {
    double moved = LIGHT + HEAVY + massPerLength * (LEG0 + LEG1) + wheel;
    double start = ((HEAVY - LIGHT) + massPerLength * (LEG1 - LEG0)) * GRAVITY / moved;
    double growth = 2.0 * massPerLength * GRAVITY / moved;
    return start / growth * (cosh(sqrt(growth) * time) - 1.0);
}

// Stretch moves the masses by T l / EA, and its waves are damped: 1e-4 of the way is more than both leave.
static void AtwoodsMachineFallsAsComputed(void** state) {
    (void)state;
    Wire wire = {.EA = 1e8, .massPerLength = 1.0, .elementLength = 1.0, .damping = 2e-3};
    Atwood a = MakeAtwood(false, wire, 1.6, 0.4, 0.0, 0.0);
    double start = GetBalance(a.world);
    Run(a.world, 1.5);
    double exact = GetAtwood(1.0, 1.6 / 0.16, 1.5);
    hwSheaveState sheave = ReadSheave(a.world, a.sheave);
    assert_close(sheave.passed, exact, 1e-4 * exact);
    assert_close(-ReadBody(a.world, a.heavy).position.z - LEG1, exact, 2e-4 * exact);
    assert_close(sheave.angle, HW_PI, 1e-9);
    // what the solver damps of the waves of the first contact, of the energy that went through
    assert_close(GetBalance(a.world), start, 0.01 * HEAVY * GRAVITY * exact);
    hwDestroyWorld(a.world);
}

static void ReferenceSolverAgrees(void** state) {
    (void)state;
    Wire wire = {.EA = 1e5, .massPerLength = 1.0, .elementLength = 2.0, .damping = 1e-1};
    double passed[2], z[2];
    for (int reference = 0; reference < 2; ++reference) {
        Atwood a = MakeAtwood(reference != 0, wire, 0.8, 0.4, 0.0, 0.05);
        Run(a.world, 1.0);
        passed[reference] = ReadSheave(a.world, a.sheave).passed;
        z[reference] = ReadBody(a.world, a.heavy).position.z;
        hwDestroyWorld(a.world);
    }
    // the built-in solver's own tolerance, 2e-3 a step on the way that things go
    assert_close(passed[0], passed[1], 2e-3 * fabs(passed[1]));
    assert_close(z[0], z[1], 2e-3 * (fabs(z[1]) - LEG1));
}

// Many elements go through, split and merge: what is left on one side is on the other.
static void LengthIsKept(void** state) {
    (void)state;
    Wire wire = {.EA = 1e7, .massPerLength = 0.5, .elementLength = 0.5, .damping = 1e-2};
    Atwood a = MakeAtwood(false, wire, 0.0, 0.0, 0.0, 0.0);
    hwCableView before, after;
    hwCable_GetView(a.world, a.legs[1], &before, NULL);
    int nodes = before.nodeCount;
    for (int i = 0; i < 12; ++i) {
        Run(a.world, 0.25);
        assert_close(GetLength(a.world, a.legs[0]) + GetLength(a.world, a.legs[1]), LEG0 + LEG1,
                     1e-12 * (LEG0 + LEG1));
    }
    hwCable_GetView(a.world, a.legs[1], &after, NULL);
    assert_true(after.nodeCount > nodes + 6);
    hwDestroyWorld(a.world);
}

// M x = b: the bordered solve against products with the mass matrix.
static void SolveInvertsTheMass(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(false, false);
    hwBodyId block = AddLoad(world, "block", 50.0, hwMakeVec3(0, 0, 0));
    hwBodyId load = AddLoad(world, "load", 30.0, hwMakeVec3(1, 0.5, -4));
    Wire wire = {.EA = 1e6, .massPerLength = 2.0, .elementLength = 1.0, .damping = 1e-2};
    hwVec3 eye = {0.1, 0.2, -0.3}, eye2 = {-0.2, 0.1, -0.3};
    hwCableId a = AddLeg(world, "a", wire, 3.2, Pin(earth, hwMakeVec3(-2, 0, 2)), Pin(block, eye));
    wire.elementLength = 9.0; // a single element between two sheaves
    hwCableId b = AddLeg(world, "b", wire, 0.32, Pin(block, eye), Pin(block, eye2));
    wire.elementLength = 1.0;
    hwCableId c = AddLeg(world, "c", wire, 4.0, Pin(block, eye2), Pin(load, hwMakeVec3(0, 0.1, 0.2)));
    AddSheave(world, "s", a, b, 0.1, 0.2, 0.2, 0.0);
    AddSheave(world, "t", b, c, 0.0, 0.0, 0.0, 0.0);
    Prepare(world);
    int count = world->model.freedomCount;
    EvaluateWorld(world, 0.0, 0.0);
    assert_status(hwWorld_Factor(world, 0.0, NULL, NULL), HW_OK);
    double* right = calloc((size_t)count * 3, sizeof(double));
    double *x = right + count, *product = x + count;
    for (int i = 0; i < 12; ++i) right[i] = sin(i + 1.0);
    right[world->model.sheaves->items[0].freedom] = 1.7;
    right[world->model.sheaves->items[1].freedom] = -0.4;
    right[world->model.cables->slots[0].freedom + 4] = 2.0;
    right[world->model.cables->slots[2].freedom + 7] = -3.0;
    hwWorld_SolveFactored(world, right, x);
    hwWorld_MultiplyMass(world, x, product);
    for (int i = 0; i < count; ++i) assert_close(product[i], right[i], 1e-11);
    free(right);
    hwDestroyWorld(world);
}

// A load on a wire over two sheaves that hang on a block, which hangs on the earth.
static hwBodyId AddTackle(hwWorld* world, int number) {
    char names[7][16];
    const char* parts[] = {"block", "load", "a", "b", "c", "s", "t"};
    for (int i = 0; i < 7; ++i) snprintf(names[i], sizeof(names[i]), "%s%d", parts[i], number);
    double y = 20.0 * number;
    hwBodyId block = AddLoad(world, names[0], 50.0 + number, hwMakeVec3(0, y, 0));
    hwBodyId load = AddLoad(world, names[1], 30.0, hwMakeVec3(1, y, -4));
    Wire wire = {.EA = 1e6, .massPerLength = 2.0, .elementLength = 1.0, .damping = 1e-2};
    hwVec3 eye = {0.1, 0.2, -0.3}, eye2 = {-0.2, 0.1, -0.3};
    hwCableId a = AddLeg(world, names[2], wire, 3.2, Pin(earth, hwMakeVec3(-2, y, 2)), Pin(block, eye));
    wire.elementLength = 9.0;
    hwCableId b = AddLeg(world, names[3], wire, 0.32, Pin(block, eye), Pin(block, eye2));
    wire.elementLength = 1.0;
    hwCableId c = AddLeg(world, names[4], wire, 4.0, Pin(block, eye2), Pin(load, hwMakeVec3(0, 0.1, 0.2)));
    AddSheave(world, names[5], a, b, 0.1, 0.2, 0.2, 0.0);
    AddSheave(world, names[6], b, c, 0.0, 0.0, 0.0, 0.0);
    return load;
}

static double GetWorstProduct(hwWorld* world) {
    int count = world->model.freedomCount;
    EvaluateWorld(world, 0.0, 0.0);
    assert_status(hwWorld_Factor(world, 0.0, NULL, NULL), HW_OK);
    double* right = calloc((size_t)count * 3, sizeof(double));
    double *x = right + count, *product = x + count, worst = 0.0;
    for (int i = 0; i < count; ++i) right[i] = sin(0.3 * i + 1.0);
    // rows of nodes that are not there, and of held ends, hold zeros
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableSlot* cable = &world->model.cables->slots[slot];
        int nodes = world->state.cables->stores[slot].core->nodes;
        double* rows = right + cable->freedom;
        memset(rows, 0, 3 * sizeof(double));
        memset(rows + 3 * (nodes - 1), 0,
               3 * (size_t)(cable->model.nodeCapacity - nodes + 1) * sizeof(double));
    }
    hwWorld_SolveFactored(world, right, x);
    hwWorld_MultiplyMass(world, x, product);
    for (int i = 0; i < count; ++i) worst = fmax(worst, fabs(product[i] - right[i]));
    free(right);
    return worst;
}

// Tackles that nothing couples share the solves for their columns: as many as one of them has sheaves. Those whose loads a
// wire couples do not.
static void TacklesApartShareSolves(void** state) {
    (void)state;
    for (int coupled = 0; coupled < 2; ++coupled) {
        hwWorld* world = MakeWorld(false, false);
        hwBodyId loads[5];
        for (int i = 0; i < 5; ++i) loads[i] = AddTackle(world, i);
        Wire wire = {.EA = 1e6, .massPerLength = 2.0, .elementLength = 5.0, .damping = 1e-2};
        if (coupled) AddLeg(world, "tie", wire, 60.5, Pin(loads[1], hwVec3_zero), Pin(loads[4], hwVec3_zero));
        Prepare(world);
        assert_true(GetWorstProduct(world) < 1e-9);
        const hwSheaveGroups* groups = &world->work->sheaves->groups;
        assert_int_equal(groups->count, coupled ? 4 : 5);
        assert_int_equal(groups->most, coupled ? 4 : 2);
        hwDestroyWorld(world);
    }
}

// Friction ----------------------------------------------------------------------------------------------------------------

// It holds while the ratio of the tensions is below exp(mu pi), without creeping, and slides at that ratio.
static void RingsHoldAndSlide(void** state) {
    (void)state;
    Wire wire = {.EA = 1e7, .massPerLength = 1e-4, .elementLength = 2.0, .damping = 1e-2};
    double ratio = HEAVY / LIGHT;
    Atwood a = MakeAtwood(false, wire, 0.0, 0.0, 1.1 * log(ratio) / HW_PI, 0.0);
    Run(a.world, 5.0);
    double passed = ReadSheave(a.world, a.sheave).passed;
    Run(a.world, 30.0);
    // the spring by which it sticks is as stiff as a metre of wire; nothing moves once that is stretched
    assert_close(ReadSheave(a.world, a.sheave).passed, passed, 1e-9);
    assert_true(fabs(passed) < 1e-3);
    hwDestroyWorld(a.world);

    double friction = 0.5 * log(ratio) / HW_PI, grip = exp(friction * HW_PI);
    a = MakeAtwood(false, wire, 0.0, 0.0, friction, 0.0);
    double start = GetBalance(a.world);
    Run(a.world, 0.5); // until the first bounce is over
    double rate = ReadSheave(a.world, a.sheave).rate;
    Run(a.world, 1.5);
    hwSheaveState sheave = ReadSheave(a.world, a.sheave);
    assert_close(sheave.tension[1] / sheave.tension[0], grip, 1e-3);
    // HEAVY (g - x'') = grip LIGHT (g + x''): the wire weighs 1e-4 of what drives
    double exact = (HEAVY - grip * LIGHT) * GRAVITY / (HEAVY + grip * LIGHT);
    assert_close((sheave.rate - rate) / 1.5, exact, 2e-3 * exact);
    assert_close(GetBalance(a.world), start, 0.01 * HEAVY * GRAVITY * sheave.passed);
    hwDestroyWorld(a.world);
}

// An axle that carries both tensions takes the share `bearing` of their sum.
static void BearingsTakeTheirShare(void** state) {
    (void)state;
    Wire wire = {.EA = 1e7, .massPerLength = 0.01, .elementLength = 2.0, .damping = 1e-2};
    Atwood a = MakeAtwood(false, wire, 0.0, 0.0, 0.0, 0.05);
    Run(a.world, 2.0);
    hwSheaveState sheave = ReadSheave(a.world, a.sheave);
    assert_close((sheave.tension[1] - sheave.tension[0]) / (sheave.tension[1] + sheave.tension[0]), 0.05,
                 1e-4);
    hwDestroyWorld(a.world);
}

// Assemblies --------------------------------------------------------------------------------------------------------------

// A wire from a drum over a sheave to a load that swings while it is hauled in: L t'' = -2 L' t' - g sin t.
static void PendulumOfChangingLength(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(false, false);
    hwError error;
    Wire wire = {.EA = 1e8, .massPerLength = 1e-3, .elementLength = 10.0, .damping = 1e-2};
    const double length = 10.0, rate = -0.5, angle = 0.3;
    hwVec3 drum = {-8, 0, -6}, tip = {0, 0, 0};
    hwVec3 start = {length * sin(angle), 0, -length * cos(angle)};
    // a ball joint in the middle of the load: it swings as a point
    hwBodyId load = AddLoad(world, "load", 1000.0, start);
    hwCableId winchLeg = AddLeg(world, "deck", wire, 10.0, Pin(earth, drum), Pin(earth, tip));
    hwCableId hookLeg = AddLeg(world, "hook", wire, length, Pin(earth, tip), Pin(load, hwVec3_zero));
    hwSheaveId sheave = AddSheave(world, "sheave", winchLeg, hookLeg, 0.0, 0.0, 0.0, 0.0);
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = winchLeg;
    hwSignalTerm pace = hwConstantTerm(hwMakeVec3(rate, 0, 0));
    winch.setpoint = (hwSignal){1, &pace};
    winch.acceleration = 1e3;
    winch.deceleration = -1e3;
    if (HW_IS_NULL(hwWorld_AddWinch(world, &winch, &error))) fail_msg("%s", error.message);
    Prepare(world);
    double t = angle, w = 0.0, l = length, h = 1e-4;
    double worst = 0.0;
    for (int frame = 0; frame < 8 * 60; ++frame) {
        Run(world, 1.0 / 60.0);
        int steps = (int)lround(1.0 / 60.0 / h);
        for (int i = 0; i < steps; ++i) { // midpoint rule; 1e-8 is left
            double d = 1.0 / 60.0 / steps;
            double mt = t + 0.5 * d * w, mw = w + 0.5 * d * (-2.0 * rate * w - GRAVITY * sin(t)) / l;
            l += 0.5 * d * rate;
            double a = (-2.0 * rate * mw - GRAVITY * sin(mt)) / l;
            t += d * mw;
            w += d * a;
            l += 0.5 * d * rate;
        }
        hwVec3 p = ReadBody(world, load).position;
        worst = fmax(worst, fabs(p.x - l * sin(t)));
    }
    // of an amplitude of 3 m: the solver's tolerance, and a wire of 1e-5 of the load's weight
    assert_true(worst < 0.005 * length * angle);
    // the leg on deck stretches by 1 mm
    assert_close(ReadSheave(world, sheave).passed, 8.0 * rate, 2e-3);
    hwDestroyWorld(world);
}

// Largest error of the energy balance and largest kinetic energy of a load on a wire over a sheave on a body that swings
// and turns.
static double RunSwing(bool keepsNodes, double* moved) {
    hwWorld* world = MakeWorld(false, false);
    hwSolverDef solver = {.tolerance = 1e-6};
    hwWorld_SetSolver(world, &solver, NULL);
    Wire wire = {
        .EA = 1e5, .massPerLength = 4.0, .elementLength = 1.0, .damping = 2e-2, .keepsNodes = keepsNodes};
    hwBodyId block = AddLoad(world, "block", 60.0, hwMakeVec3(0, 0, 0));
    hwBodyId load = AddLoad(world, "load", 100.0, hwMakeVec3(2, 1, -3));
    hwVec3 eye = {0, 0, -0.2};
    AddLeg(world, "hanger", wire, 5.0, Pin(earth, hwMakeVec3(3, 0, 4)), Pin(block, hwMakeVec3(0, 0, 0.2)));
    hwCableId a = AddLeg(world, "a", wire, 5.1, Pin(earth, hwMakeVec3(-3, 0, 4)), Pin(block, eye));
    hwCableId b = AddLeg(world, "b", wire, 3.6, Pin(block, eye), Pin(load, hwVec3_zero));
    AddSheave(world, "sheave", a, b, 0.5, 0.2, 0.05, 0.01);
    Prepare(world);
    double start = GetBalance(world), worst = 0.0;
    *moved = 0.0;
    for (int i = 0; i < 20; ++i) {
        Run(world, 0.1);
        *moved = fmax(*moved, hwWorld_GetEnergy(world).kinetic);
        worst = fmax(worst, fabs(GetBalance(world) - start));
    }
    hwDestroyWorld(world);
    return worst;
}

static void EnergyIsKeptOnMovingSheaves(void** state) {
    (void)state;
    double moved;
    // what the trapezoidal rule of the audit leaves at this tolerance, with friction that sticks and slides
    assert_true(RunSwing(true, &moved) < 1e-4 * moved);
    assert_true(moved > 500.0);
    // each node that comes or goes changes the shape a little
    assert_true(RunSwing(false, &moved) < 0.01 * moved);
}

#define FALLS 12

typedef struct Reeving {
    hwWorld* world;
    hwBodyId hook;
    hwCableId legs[FALLS + 1];
    hwSheaveId sheaves[FALLS];
} Reeving;

// A wire from a winch through six sheaves aloft and six in the hook block, its end made fast aloft: leg 0 comes from the
// winch, legs 1 to 12 are the falls.
static Reeving MakeReeving(double mass, double height, double bearing) {
    static const char* const legNames[] = {"leg0", "leg1", "leg2", "leg3",  "leg4",  "leg5", "leg6",
                                           "leg7", "leg8", "leg9", "leg10", "leg11", "leg12"};
    static const char* const names[] = {"s0", "s1", "s2", "s3", "s4",  "s5",
                                        "s6", "s7", "s8", "s9", "s10", "s11"};
    Reeving r = {.world = MakeWorld(false, true)};
    hwError error;
    r.hook = AddLoad(r.world, "hook", mass, hwMakeVec3(0, 0, -height));
    Wire wire = {.EA = 5e7, .massPerLength = 4.0, .elementLength = 2.0 * height, .damping = 1e-2};
    hwVec3 winch = {-20, 0, -5};
    hwCableEndDef from = Pin(earth, winch);
    for (int i = 0; i <= FALLS; ++i) {
        double x = 0.2 * (0.5 * i - 3.0);
        bool up = i % 2 == 0; // the leg ends aloft
        hwCableEndDef to = up ? Pin(earth, hwMakeVec3(x, 0, 0)) : Pin(r.hook, hwMakeVec3(x, 0, 0));
        hwVec3 a = HW_IS_NULL(from.body) ? from.at : hwMakeVec3(from.at.x, 0, -height);
        hwVec3 b = up ? to.at : hwMakeVec3(x, 0, -height);
        r.legs[i] = AddLeg(r.world, legNames[i], wire, hwDistance(a, b), from, to);
        from = to;
    }
    for (int i = 0; i < FALLS; ++i) {
        r.sheaves[i] = AddSheave(r.world, names[i], r.legs[i], r.legs[i + 1], 2.0, 0.3, 0.0, bearing);
    }
    hwWinchDef def = hwDefaultWinchDef();
    def.name = "winch";
    def.cable = r.legs[0];
    def.longest = 40.0;
    if (HW_IS_NULL(hwWorld_AddWinch(r.world, &def, &error))) fail_msg("%s", error.message);
    Prepare(r.world);
    return r;
}

static void TwelveFallsShareTheLoad(void** state) {
    (void)state;
    Reeving r = MakeReeving(12000.0, 15.0, 0.0);
    hwCableView view;
    double sum = 0.0, share = 12000.0 * GRAVITY / FALLS;
    for (int i = 1; i <= FALLS; ++i) {
        hwCable_GetView(r.world, r.legs[i], &view, NULL);
        // half of a fall's own weight of 589 N hangs on the hook
        assert_close(view.tensions[0], share, 0.06 * share);
        hwVec3 force;
        hwCable_GetEndLoad(r.world, r.legs[i], i % 2 == 1 ? 1 : 0, &force, NULL, NULL);
        if (i < FALLS || FALLS % 2 == 1) sum += force.z;
    }
    hwVec3 force;
    hwCable_GetEndLoad(r.world, r.legs[FALLS], 0, &force, NULL, NULL);
    sum += force.z;
    assert_close(sum, 12000.0 * GRAVITY, 1e-6 * 12000.0 * GRAVITY);
    // hauling in at 1.2 m/s lifts the hook at a twelfth of that
    hwWinch_SetTarget(r.world, hwWorld_FindWinch(r.world, "winch"), HW_WINCH_VELOCITY, -1.2, NULL);
    double z = ReadBody(r.world, r.hook).position.z;
    Run(r.world, 4.0);
    // 3 m/s2 take 0.2 s off; the falls stretch less as they get shorter
    assert_close(ReadBody(r.world, r.hook).position.z - z, 1.2 * (4.0 - 0.2) / FALLS, 2e-3);
    hwDestroyWorld(r.world);
}

// Saved and restored, branched, prepared again after a change: the flow goes on.
// Each leg has room for the whole rope; what is solved for goes by the nodes that exist.
static void LegsGoByTheirNodes(void** state) {
    (void)state;
    enum { RINGS = 8 };
    hwError error;
    Wire wire = {.EA = 1e6, .massPerLength = 1.0, .elementLength = 1.0};
    hwWorld* world = MakeWorld(false, false);
    hwCableId legs[RINGS + 1];
    for (int i = 0; i <= RINGS; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "leg%d", i);
        hwCableEndDef a = {.joint = HW_ATTACH_PIN, .at = hwMakeVec3(3.0 * i, 0.0, i % 2 ? 4.0 : 0.0)};
        hwCableEndDef b = {.joint = HW_ATTACH_PIN, .at = hwMakeVec3(3.0 * i + 3.0, 0.0, i % 2 ? 0.0 : 4.0)};
        legs[i] = AddLeg(world, name, wire, 5.01, a, b);
        if (i == 0) continue;
        snprintf(name, sizeof(name), "ring%d", i);
        AddSheave(world, name, legs[i - 1], legs[i], 0.0, 0.0, 0.1, 0.0);
    }
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    assert_status(hwWorld_Step(world, 0.01, &error), HW_OK);
    const hwSheaveGroups* groups = &world->work->sheaves->groups;
    int count = 0, nodes = 0;
    for (int i = 0; i < groups->rangeCount; ++i) count += groups->ranges[i].count;
    for (int i = 0; i <= RINGS; ++i) nodes += world->work->cables->tools[i].work.nodes;
    assert_int_equal(count, 3 * nodes);
    assert_true(world->model.freedomCount > 6 * count); // what each leg could hold
    hwDestroyWorld(world);
}

// A load below a trolley that runs on a light line of length L between points a span apart, one higher by h than the other:
// both parts make the angle asin(span / L) with the vertical, and their lengths differ by h over its cosine.
static void TrolleyFindsItsPlace(void** state) {
    (void)state;
    const double span = 40.0, higher = 4.0, length = 41.0;
    Wire wire = {.EA = 3e7, .massPerLength = 0.1, .elementLength = 2.0, .damping = 1e-2};
    double stretched = length, angle = 0.0;
    for (int i = 0; i < 50; ++i) {
        angle = asin(span / stretched);
        stretched = length * (1.0 + 1600.0 * GRAVITY / (2.0 * cos(angle) * wire.EA));
    }
    double first = 0.5 * (stretched + higher / cos(angle));
    hwVec3 exact = {first * sin(angle), 0, higher - first * cos(angle)};
    // where it is put: up to seven metres away, the load askew
    const double starts[] = {-1.5, -7.0};
    for (int k = 0; k < 2; ++k) {
        hwWorld* world = MakeWorld(false, true);
        // on the ellipse around the line's ends
        hwVec3 left = {0, 0, higher}, right = {span, 0, 0};
        hwVec3 start = {exact.x + starts[k], 0, 0};
        for (int i = 0; i < 50; ++i) {
            start.z += 0.3 * (hwDistance(left, start) + hwDistance(start, right) - length);
        }
        double part = hwDistance(left, start);
        hwBodyId trolley = AddLoad(world, "trolley", 100.0, start);
        hwBodyId load = AddLoad(world, "load", 1500.0, hwAdd(start, hwMakeVec3(0.5, 0.3, -3.95)));
        hwCableId a = AddLeg(world, "line", wire, part, Pin(earth, left), Pin(trolley, hwMakeVec3(0, 0, 0)));
        hwCableId b =
            AddLeg(world, "rest", wire, length - part, Pin(trolley, hwMakeVec3(0, 0, 0)), Pin(earth, right));
        AddSheave(world, "wheel", a, b, 0.05, 0.15, 0.0, 0.0);
        AddLeg(world, "pendant", wire, 3.0, Pin(trolley, hwMakeVec3(0, 0, -0.2)),
               Pin(load, hwMakeVec3(0, 0, 0.8)));
        Prepare(world);
        hwVec3 place = ReadBody(world, trolley).position;
        // the line's own weight of 40 N, a four hundredth, bends it
        assert_close(place.x, exact.x, 0.02);
        assert_close(place.z, exact.z, 0.01);
        assert_close(ReadBody(world, load).position.x, place.x, 1e-6);
        hwDestroyWorld(world);
    }
}

static void StateGoesOn(void** state) {
    (void)state;
    Wire wire = {.EA = 1e7, .massPerLength = 0.5, .elementLength = 1.0, .damping = 1e-2};
    Atwood a = MakeAtwood(false, wire, 0.1, 0.2, 0.05, 0.01);
    Run(a.world, 0.7);
    hwWorld* branch = hwWorld_Branch(a.world, NULL);
    assert_non_null(branch);
    Run(a.world, 0.3);
    Run(branch, 0.3);
    assert_true(hwWorld_HashState(a.world) == hwWorld_HashState(branch));
    hwDestroyWorld(branch);
    hwSheaveState before = ReadSheave(a.world, a.sheave);
    AddLoad(a.world, "bystander", 1.0, hwMakeVec3(50, 0, 0));
    Prepare(a.world);
    hwSheaveState after = ReadSheave(a.world, a.sheave);
    assert_close(after.rate, before.rate, 0.0);
    assert_close(after.passed, before.passed, 0.0);
    Run(a.world, 0.3);
    assert_close(GetLength(a.world, a.legs[0]) + GetLength(a.world, a.legs[1]), LEG0 + LEG1,
                 1e-12 * (LEG0 + LEG1));
    hwDestroyWorld(a.world);
}

// A hook drawn up to its sheave stops there.
static void HookStopsAtTheSheave(void** state) {
    (void)state;
    Wire wire = {.EA = 1e7, .massPerLength = 0.1, .elementLength = 3.0, .damping = 1e-2};
    Atwood a = MakeAtwood(false, wire, 0.0, 0.0, 0.0, 0.0);
    double left = LEG0;
    for (int i = 0; i < 120; ++i) {
        Run(a.world, 0.05);
        left = fmin(left, GetLength(a.world, a.legs[0]));
    }
    // the shortest element of the light side is a tenth of 3 m; coming at 5 m/s it goes a little further
    assert_true(left > 0.25 && left < 0.3);
    hwDestroyWorld(a.world);
}

static void MistakesAreNamed(void** state) {
    (void)state;
    hwError error;
    Wire wire = {.EA = 1e7, .massPerLength = 0.5, .elementLength = 1.0, .damping = 1e-2};
    Atwood a = MakeAtwood(false, wire, 0.0, 0.0, 0.0, 0.0);
    hwSheaveDef def = hwDefaultSheaveDef();
    def.name = "second";
    def.cables[0] = a.legs[0];
    def.cables[1] = a.legs[1];
    assert_true(HW_IS_NULL(hwWorld_AddSheave(a.world, &def, &error)));
    assert_non_null(strstr(error.message, "runs over sheave `sheave` already"));
    def.ends[0] = 0;
    def.ends[1] = 1;
    assert_true(HW_IS_NULL(hwWorld_AddSheave(a.world, &def, &error)));
    assert_non_null(strstr(error.message, "not in one place"));
    assert_status(hwCable_Detach(a.world, a.legs[0], 1, &error), HW_ERROR_ORDER);
    assert_non_null(strstr(error.message, "cannot be let go"));
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = a.legs[1];
    assert_true(HW_IS_NULL(hwWorld_AddWinch(a.world, &winch, &error)));
    assert_non_null(strstr(error.message, "runs over sheave"));
    assert_status(hwWorld_RemoveSheave(a.world, a.sheave, &error), HW_OK);
    assert_status(hwWorld_RemoveSheave(a.world, a.sheave, &error), HW_ERROR_ARGUMENT);
    wire.EA = 2e7;
    hwCableId other = AddLeg(a.world, "third", wire, 6.0, Pin(earth, hwVec3_zero), Pin(a.heavy, hwVec3_zero));
    def.cables[1] = other;
    def.ends[0] = 1;
    def.ends[1] = 0;
    assert_true(HW_IS_NULL(hwWorld_AddSheave(a.world, &def, &error)));
    assert_non_null(strstr(error.message, "different material"));
    def.cables[1] = a.legs[1];
    def.inertia = 1.0;
    assert_true(HW_IS_NULL(hwWorld_AddSheave(a.world, &def, &error)));
    assert_non_null(strstr(error.message, "needs a radius"));
    def.radius = 0.1;
    assert_false(HW_IS_NULL(hwWorld_AddSheave(a.world, &def, &error)));
    assert_status(hwWorld_RemoveCable(a.world, a.legs[1], &error), HW_OK);
    assert_true(HW_IS_NULL(hwWorld_FindSheave(a.world, "second")));
    hwDestroyWorld(a.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(AtwoodsMachineFallsAsComputed),
        cmocka_unit_test(ReferenceSolverAgrees),
        cmocka_unit_test(LengthIsKept),
        cmocka_unit_test(SolveInvertsTheMass),
        cmocka_unit_test(TacklesApartShareSolves),
        cmocka_unit_test(RingsHoldAndSlide),
        cmocka_unit_test(BearingsTakeTheirShare),
        cmocka_unit_test(PendulumOfChangingLength),
        cmocka_unit_test(EnergyIsKeptOnMovingSheaves),
        cmocka_unit_test(TwelveFallsShareTheLoad),
        cmocka_unit_test(LegsGoByTheirNodes),
        cmocka_unit_test(TrolleyFindsItsPlace),
        cmocka_unit_test(StateGoesOn),
        cmocka_unit_test(HookStopsAtTheSheave),
        cmocka_unit_test(MistakesAreNamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
