// What goes wrong with cables while a world runs: named, with the state kept; and what may be changed on the way.
#include "rig.h"

static hwWorld* MakeWorld(void) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    assert_status(hwWorld_SetEnvironment(world, &dry, &error), HW_OK);
    return world;
}

static hwCableSectionDef Section(double length, int elements) {
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = length;
    section.elements = elements;
    section.diameter = 0.01;
    section.massPerLength = 0.2;
    section.EA = 8e5;
    section.axialDamping = 2e3;
    return section;
}

// A wire from the origin to a load 10 m below.
static hwCableId AddWire(hwWorld* world, const hwCableSectionDef* section, hwBodyId load, int cuts) {
    return AddCable(world, "wire", section, Pin(earth, hwVec3_zero), Pin(load, hwVec3_zero), cuts);
}

static hwStatus TryRun(hwWorld* world, double duration, hwError* error) {
    hwStatus status = HW_OK;
    for (int i = 0; i < (int)lround(duration * 60.0) && status >= HW_OK; ++i) {
        status = hwWorld_Step(world, 1.0 / 60.0, error);
    }
    return status;
}

static void an_end_cannot_be_attached_twice(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld();
    hwBodyId load = AddLoad(world, "load", 100.0, hwMakeVec3(0.0, 0.0, -10.0));
    hwCableSectionDef section = Section(10.0, 10);
    hwCableId wire = AddWire(world, &section, load, 0);
    Prepare(world);
    assert_true(TryRun(world, 0.5, &error) >= HW_OK);
    uint64_t before = hwWorld_HashState(world);
    hwCableEndDef again = Pin(load, hwVec3_zero);
    assert_true(hwCable_Attach(world, wire, 1, &again, &error) < HW_OK);
    assert_string_equal(error.object, "wire");
    assert_non_null(strstr(error.message, "end b"));
    assert_true(hwWorld_HashState(world) == before);
    // one that was let go can be held again, where it is; not from afar
    assert_status(hwCable_Detach(world, wire, 1, &error), HW_OK);
    hwCableEndDef far = Pin(earth, hwMakeVec3(30.0, 0.0, 0.0));
    assert_true(hwCable_Attach(world, wire, 1, &far, &error) < HW_OK);
    assert_string_equal(error.object, "wire");
    assert_status(hwCable_Attach(world, wire, 1, &again, &error), HW_OK);
    assert_true(TryRun(world, 2.0, &error) >= HW_OK);
    assert_close(Read(world, "wire.b.tension"), 981.0, 30.0);
    hwDestroyWorld(world);
}

// Parted under its load, and then cut once more often than was planned for.
static void a_parted_cable_can_be_cut_as_often_as_planned(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld();
    hwBodyId load = AddLoad(world, "load", 100.0, hwMakeVec3(0.0, 0.0, -10.0));
    hwCableSectionDef section = Section(10.0, 10);
    section.breakTension = 1500.0; // the load is dropped into the wire: nearly twice its weight
    hwCableId wire = AddWire(world, &section, load, 2);
    Prepare(world);
    assert_true(TryRun(world, 2.0, &error) >= HW_OK);
    // the load has fallen for two seconds less the first moments
    assert_true(Read(world, "load.velocity.z") < -15.0);
    hwCableId rest = {0, 0};
    assert_status(hwCable_Cut(world, wire, 100.0, &rest, &error), HW_ERROR_ARGUMENT);
    assert_string_equal(error.object, "wire");
    assert_status(hwCable_Cut(world, wire, 0.25, &rest, &error), HW_OK);
    assert_false(HW_IS_NULL(rest));
    uint64_t before = hwWorld_HashState(world);
    assert_status(hwCable_Cut(world, wire, 0.1, &rest, &error), HW_ERROR_LIMIT);
    assert_string_equal(error.object, "wire");
    assert_non_null(strstr(error.hint, "cuts"));
    assert_true(hwWorld_HashState(world) == before);
    assert_true(TryRun(world, 0.5, &error) >= HW_OK);
    hwDestroyWorld(world);
}

static void NanBelow(int count, const hwVec3* points, double time, hwVec3* velocity, hwVec3* acceleration,
                     void* context) {
    (void)acceleration, (void)context;
    for (int i = 0; i < count; ++i) {
        if (time > 0.5 && points[i].z < -6.5 && points[i].z > -7.5) velocity[i].x = (double)NAN;
    }
}

static void a_bad_current_names_cable_and_node(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld();
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.current.function = NanBelow;
    assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
    hwBodyId load = AddLoad(world, "load", 100.0, hwMakeVec3(0.0, 0.0, -10.0));
    hwCableSectionDef section = Section(10.0, 10);
    AddWire(world, &section, load, 0);
    Prepare(world);
    assert_status(TryRun(world, 1.0, &error), HW_ERROR_NUMERIC);
    assert_string_equal(error.object, "wire");
    assert_int_equal(error.index, 7); // 7 m down
    assert_non_null(strstr(error.message, "node 7 (elements 6 and 7)"));
    assert_true(isfinite(error.time) && error.time < 0.6);
    assert_close(Read(world, "world.time"), error.time, 0.02);
    assert_true(isfinite(Read(world, "wire.node[7].position.z")));
    hwDestroyWorld(world);
}

static hwWinchId AddWinch(hwWorld* world, hwCableId wire, hwWinchDef def) {
    hwError error;
    def.name = "winch";
    def.cable = wire;
    def.longest = 60.0;
    hwWinchId id = hwWorld_AddWinch(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static void a_winch_stops_before_the_last_element(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld();
    hwBodyId load = AddLoad(world, "load", 100.0, hwMakeVec3(0.0, 0.0, -10.0));
    hwCableSectionDef section = Section(10.0, 10);
    hwCableId wire = AddWire(world, &section, load, 0);
    hwSignalTerm haul = hwConstantTerm(hwMakeVec3(-2.0, 0.0, 0.0));
    hwWinchDef def = hwDefaultWinchDef();
    def.setpoint = (hwSignal){1, &haul};
    hwWinchId winch = AddWinch(world, wire, def);
    Prepare(world);
    assert_true(TryRun(world, 10.0, &error) < HW_OK);
    assert_string_equal(error.object, "wire");
    assert_int_equal(error.index, 0);
    assert_non_null(strstr(error.message, "last element"));
    double left = Read(world, "wire.length");
    assert_true(left > 0.0 && left < 1.0);
    // the run can go on once the winch pays out again, quickly enough
    assert_status(hwWinch_SetLimits(world, winch, 1e3, -1e3, &error), HW_OK);
    assert_status(hwWinch_SetTarget(world, winch, HW_WINCH_VELOCITY, 1.0, &error), HW_OK);
    assert_true(TryRun(world, 4.0, &error) >= HW_OK);
    assert_true(Read(world, "wire.length") > 2.0);
    hwDestroyWorld(world);
}

// Mode, gains, limits and attachment change on the way, and the winch does what it was told last.
static void a_winch_can_be_changed_while_running(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld();
    hwBodyId load = AddLoad(world, "load", 100.0, hwMakeVec3(0.0, 0.0, -10.0));
    hwCableSectionDef section = Section(10.0, 10);
    hwCableId wire = AddWire(world, &section, load, 0);
    hwWinchId winch = AddWinch(world, wire, hwDefaultWinchDef());
    Prepare(world);
    assert_status(hwWinch_SetLimits(world, winch, 0.5, -2.0, &error), HW_OK);
    assert_status(hwWinch_SetTarget(world, winch, HW_WINCH_VELOCITY, 1.0, &error), HW_OK);
    assert_true(TryRun(world, 1.0, &error) >= HW_OK);
    assert_close(Read(world, "winch.rate"), 0.5, 1e-9); // still on its way up
    assert_true(TryRun(world, 2.0, &error) >= HW_OK);
    assert_close(Read(world, "winch.rate"), 1.0, 1e-9);
    assert_close(Read(world, "wire.length"), 12.0, 1e-9); // 1 m on the way up, 1 m at full rate
    assert_status(hwWinch_SetTarget(world, winch, HW_WINCH_VELOCITY, 0.0, &error), HW_OK);
    assert_true(TryRun(world, 0.25, &error) >= HW_OK);
    assert_close(Read(world, "winch.rate"), 0.5, 1e-9);
    assert_true(TryRun(world, 3.0, &error) >= HW_OK);
    // stopping is resolved to a step: 0.5 m/s2 times the square of a fraction of it
    assert_close(Read(world, "wire.length"), 12.25, 1e-5);
    // now holds 80 % of the weight: the load sinks with a fifth of g
    assert_status(hwWinch_SetGains(world, winch, 0.5, 0.0, 0.0, &error), HW_OK);
    assert_status(hwWinch_SetLimits(world, winch, 100.0, -100.0, &error), HW_OK);
    assert_status(hwWinch_SetTarget(world, winch, HW_WINCH_TENSION, 0.8 * 981.0, &error), HW_OK);
    double speed = Read(world, "load.velocity.z");
    assert_true(TryRun(world, 1.0, &error) >= HW_OK);
    // the wire's own weight adds up to 3 %
    assert_close(Read(world, "load.velocity.z") - speed, -0.2 * 9.81, 0.2);
    // gains and limits of the wrong sign are refused, and leave the old ones
    assert_true(hwWinch_SetGains(world, winch, -1.0, 0.0, 0.0, &error) < HW_OK);
    assert_string_equal(error.object, "winch");
    assert_true(hwWinch_SetLimits(world, winch, -1.0, -1.0, &error) < HW_OK);
    assert_true(hwWinch_SetLimits(world, winch, 1.0, 1.0, &error) < HW_OK);
    assert_string_equal(error.object, "winch");
    hwDestroyWorld(world);
}

// J/r^2 = I at the rim, friction none: I w' = T - T0 and m v' = m g - T, so that after the first swings both accelerate with
// (m g - T0)/(m + I).
static double DropOnDrum(double inertia, double held, bool brake) {
    hwError error;
    hwWorld* world = MakeWorld();
    hwBodyId load = AddLoad(world, "load", 100.0, hwMakeVec3(0.0, 0.0, -10.0));
    hwCableSectionDef section = Section(10.0, 10);
    section.massPerLength = 0.01;
    section.axialDamping = 5e4;
    hwCableId wire = AddWire(world, &section, load, 0);
    hwSignalTerm setpoint = hwConstantTerm(hwMakeVec3(brake ? 0.0 : held, 0.0, 0.0));
    hwWinchDef def = hwDefaultWinchDef();
    def.mode = brake ? HW_WINCH_VELOCITY : HW_WINCH_TENSION;
    def.setpoint = (hwSignal){1, &setpoint};
    def.kp = 1e6;
    def.drumRadius = 0.25;
    def.drumInertia = inertia * 0.25 * 0.25;
    def.brake = brake ? held * 0.25 : 0.0;
    def.acceleration = 100.0;
    def.deceleration = -100.0;
    AddWinch(world, wire, def);
    Prepare(world);
    assert_true(TryRun(world, 1.0, &error) >= HW_OK);
    double rate = Read(world, "winch.rate");
    assert_true(TryRun(world, 1.0, &error) >= HW_OK);
    rate = Read(world, "winch.rate") - rate;
    hwDestroyWorld(world);
    return rate;
}

static void a_drum_accelerates_as_its_inertia_lets_it(void** state) {
    (void)state;
    // the wire's 0.1 kg, and the tension's mean over the swing that is left: 0.5 %
    assert_close(DropOnDrum(50.0, 0.0, false), 981.0 / 150.0, 5e-3 * 981.0 / 150.0);
    assert_close(DropOnDrum(200.0, 500.0, false), 481.0 / 300.0, 5e-3 * 481.0 / 300.0);
    assert_close(DropOnDrum(50.0, 700.0, true), 281.0 / 150.0, 5e-3 * 281.0 / 150.0); // a brake that slips
    assert_close(DropOnDrum(50.0, 2100.0, true), 0.0, 1e-12);                         // and one that holds
}

// Torsion --------------------------------------------------------------------------------------------------------------------

// A body between two clamped cables turns against both: w^2 = (GJ1/L1 + GJ2/L2)/I. It starts with rate enough for turns.
static void a_body_between_two_cables_turns_against_both(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = MakeWorld();
    hwEnvironmentDef weightless = hwDefaultEnvironmentDef();
    weightless.gravity = 0.0;
    assert_status(hwWorld_SetEnvironment(world, &weightless, &error), HW_OK);
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "bob";
    def.mass = 20.0;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 2.0;
    def.rate = hwMakeVec3(0.0, 0.0, 20.0);
    hwBodyId bob = hwWorld_AddBody(world, &def, &error);
    static const char* names[2] = {"upper", "lower"};
    static const double lengths[2] = {4.0, 2.0};
    for (int k = 0; k < 2; ++k) {
        hwCableSectionDef section = Section(lengths[k], 8);
        section.EI = 1.0;
        section.GJ = 8.0;
        double side = k == 0 ? 1.0 : -1.0;
        hwVec3 p1 = hwMakeVec3(1.0, 0.0, 0.0),
               p2 = hwMakeVec3(0.0, -side, 0.0); // tangents away from the earth
        hwCableDef cable = hwDefaultCableDef();
        cable.name = names[k];
        cable.sectionCount = 1;
        cable.sections = &section;
        cable.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_CLAMP,
                                        .at = hwMakeVec3(0.0, 0.0, side * 1.001 * lengths[k]),
                                        .p1 = p1,
                                        .p2 = p2};
        cable.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_CLAMP, .body = bob, .p1 = p1, .p2 = p2};
        hwCableId id = hwWorld_AddCable(world, &cable, &error);
        if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    }
    Prepare(world);
    double w = sqrt((8.0 / 4.0 + 8.0 / 2.0) / 2.0);
    hwCableId upper = hwWorld_FindCable(world, "upper");
    for (int i = 1; i <= 180; ++i) {
        assert_true(hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK);
        double t = i / 60.0, angle = 20.0 / w * sin(w * t);
        hwCableView view;
        assert_status(hwCable_GetView(world, upper, &view, &error), HW_OK);
        // twist from a to b about the tangent, which points down; 11.5 rad at most, no turn lost; the solver's period is
        // 1e-5 long and its amplitude 1e-4 short after 0.8 periods
        assert_close(view.twist, -angle, 0.02);
        hwVec3 force, moment;
        assert_status(hwCable_GetEndLoad(world, upper, 1, &force, &moment, &error), HW_OK);
        assert_close(moment.z, -2.0 * angle, 0.05);
    }
    hwDestroyWorld(world);
}

static void KeepWarning(hwLogLevel level, const char* text, void* context) {
    if (level == HW_LOG_WARNING) snprintf(context, 256, "%s", text);
}

// 10 m of cable along 6 m: a rope lies there, a bar of it would burst apart, and the user is told which element and how.
static void a_start_that_presses_is_warned_of(void** state) {
    (void)state;
    for (int compression = 0; compression < 2; ++compression) {
        char warning[256] = "";
        hwError error;
        hwWorldDef worldDef = hwDefaultWorldDef();
        worldDef.log = KeepWarning;
        worldDef.logContext = warning;
        hwWorld* world = hwCreateWorld(&worldDef, &error);
        hwCableSectionDef section = Section(10.0, 5);
        section.compression = compression;
        AddCable(world, "wire", &section, Pin(earth, hwVec3_zero), Pin(earth, hwMakeVec3(6.0, 0.0, 0.0)), 0);
        Prepare(world);
        if (compression == 0) assert_string_equal(warning, "");
        // 8e5 N of EA, shortened by 40 %
        const char* words = "wire: element 0 starts at 60 % of its length and pushes with 3.2e+05 N";
        if (compression == 1) assert_memory_equal(warning, words, strlen(words));
        hwDestroyWorld(world);
    }
}

// A cable that hangs under itself, its ends in one place or above each other: the element at the bottom of the fold has no way to go,
// nor has what lies on the bottom in a heap. Each end carries what hangs from it.
static void a_cable_hangs_under_itself(void** state) {
    (void)state;
    static const int elements[4] = {4, 7, 40, 41};
    for (int k = 0; k < 32; ++k) {
        bool bottom = (k / 4) % 2 == 1;
        double rise = (k / 8) % 2 == 0 ? 0.0 : 2.0; // m, of end b
        hwError error;
        hwWorldDef def = hwDefaultWorldDef();
        def.statics = k >= 16;
        hwWorld* world = hwCreateWorld(&def, &error);
        hwEnvironmentDef environment = hwDefaultEnvironmentDef();
        environment.water = false;
        if (bottom) {
            environment.seabed.kind = HW_SEABED_PLANE;
            environment.seabed.depth = 3.0;
            environment.seabed.stiffness = 1e5;
            environment.seabed.damping = 1e4;
        }
        assert_status(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
        hwCableSectionDef section = Section(20.0, elements[k % 4]);
        hwCableDef cable = hwDefaultCableDef();
        cable.name = "wire";
        cable.sectionCount = 1;
        cable.sections = &section;
        cable.shape = HW_CABLE_CATENARY_SHAPE;
        cable.ends[0] = Pin(earth, hwVec3_zero);
        cable.ends[1] = Pin(earth, hwMakeVec3(0.0, 0.0, rise));
        assert_false(HW_IS_NULL(hwWorld_AddCable(world, &cable, &error)));
        Prepare(world);
        assert_true(hwWorld_GetEnergy(world).elastic <
                    0.5); // J; 0.2 MJ where an element of the heap began with no length
        assert_true(TryRun(world, 1.0, &error) >= HW_OK);
        // 727 seen; 35,000 where the heap lay to and fro, all of it in itself
        assert_true(hwWorld_GetCounters(world).steps < 1500);
        if (def.statics) {
            double a = bottom ? 3.0 : 10.0 - 0.5 * rise, b = bottom ? 3.0 + rise : 10.0 + 0.5 * rise;
            // an element across the fold, or over the edge of the heap, hangs with half of it on either side
            double own = 0.2 * 9.80665, coarse = 0.51 * own * 20.0 / elements[k % 4];
            assert_close(Read(world, "wire.a.tension"), own * a, coarse);
            assert_close(Read(world, "wire.b.tension"), own * b, coarse);
        }
        hwDestroyWorld(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_that_presses_is_warned_of),
        cmocka_unit_test(a_cable_hangs_under_itself),
        cmocka_unit_test(an_end_cannot_be_attached_twice),
        cmocka_unit_test(a_parted_cable_can_be_cut_as_often_as_planned),
        cmocka_unit_test(a_bad_current_names_cable_and_node),
        cmocka_unit_test(a_winch_stops_before_the_last_element),
        cmocka_unit_test(a_winch_can_be_changed_while_running),
        cmocka_unit_test(a_drum_accelerates_as_its_inertia_lets_it),
        cmocka_unit_test(a_body_between_two_cables_turns_against_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
