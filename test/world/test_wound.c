// A cable of long elements that is wound round a pole: it lies on it, turns by the angle that it should, holds by Euler's formula,
// and is coarse again when it has been unwound.
#include "support.h"

#include "hawser/hawser.h"
#include "inside.h"

#define THICK 0.0076 // m, of the tether
#define RADIUS_B 4.0 // m, of the circle on which end b goes round the pole
#define PULL 20.0    // N, that the winch at end a holds
#define FRAME (1.0 / 60.0)

typedef struct Winding {
    double pole;     // m, diameter
    double friction; // of the cable on the pole
    double turns;    // that end b makes
    double period;   // s of a turn
    bool back;       // and makes again the other way
    int contactNodes;
    double pitch; // m, between turns
    bool square;  // a box of that width
    double EI;    // N m2
} Winding;

typedef struct Rig {
    hwWorld* world;
    hwCableId cable;
    Winding how;
    hwVec3 a;
    double rest; // m, of axis from axis where it lies
    int warnings;
    int wrap, tensionA, tensionB, balance;
} Rig;

static void CountWarnings(hwLogLevel level, const char* text, void* context) {
    if (level == HW_LOG_WARNING && strstr(text, "contact_nodes") != NULL) ((Rig*)context)->warnings += 1;
}

// Angle by which end b has gone round, clockwise from +y, and m by which it has gone down.
static double GetPhase(const Winding* how, double time) {
    double turned = time / how->period;
    if (how->back && turned > how->turns) turned = 2.0 * how->turns - turned;
    return 2.0 * HW_PI * turned;
}

static hwVec3 GetEnd(const Rig* rig, double time) {
    double phase = GetPhase(&rig->how, time), slope = rig->how.pitch / (2.0 * HW_PI * rig->rest);
    double down = RADIUS_B * slope + rig->how.pitch * phase / (2.0 * HW_PI);
    return hwMakeVec3(RADIUS_B * sin(phase), RADIUS_B * cos(phase), -down);
}

static void AddPole(Rig* rig) {
    hwError error;
    hwMaterialDef material = hwDefaultMaterialDef();
    material.name = "default";
    material.staticFriction = material.kineticFriction = rig->how.friction;
    assert_status(hwWorld_AddMaterial(rig->world, &material, &error), HW_OK);
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = rig->how.square ? HW_SHAPE_BOX : HW_SHAPE_CYLINDER;
    shape.radius = 0.5 * rig->how.pole;
    shape.length = 6.0;
    shape.size = hwMakeVec3(rig->how.pole, rig->how.pole, 6.0);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "pole";
    body.mass = 1.0;
    for (int i = 0; i < 3; ++i) body.inertia[i] = 1.0;
    body.motion = HW_MOTION_FIXED;
    body.shapeCount = 1;
    body.shapes = &shape;
    if (HW_IS_NULL(hwWorld_AddBody(rig->world, &body, &error))) fail_msg("%s", error.message);
}

// The tether of the trainer, of elements of 2 m, without weight and with a drag that hardly bends its free spans.
static void AddTether(Rig* rig) {
    hwError error;
    hwVec3 b = GetEnd(rig, 0.0);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = hwDistance(rig->a, b);
    section.elements = (int)(0.5 * section.length + 0.5);
    section.diameter = THICK;
    section.massPerLength = 0.047;
    section.EA = 5e4;
    section.EI = rig->how.EI;
    section.axialDamping = 200.0;
    section.dragNormal = 0.3;
    hwCableDef def = hwDefaultCableDef();
    def.name = "tether";
    def.sectionCount = 1;
    def.sections = &section;
    def.reserve[0] = 20.0;
    def.contactNodes = rig->how.contactNodes;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = rig->a};
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = b};
    rig->cable = hwWorld_AddCable(rig->world, &def, &error);
    if (HW_IS_NULL(rig->cable)) fail_msg("%s", error.message);
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = rig->cable;
    winch.mode = HW_WINCH_TENSION;
    winch.kp = 0.05;
    winch.acceleration = 5.0;
    winch.deceleration = -5.0;
    hwSignalTerm pull = hwConstantTerm(hwMakeVec3(PULL, 0.0, 0.0));
    winch.setpoint = (hwSignal){1, &pull};
    if (HW_IS_NULL(hwWorld_AddWinch(rig->world, &winch, &error))) fail_msg("%s", error.message);
}

static void Start(Rig* rig, Winding how) {
    hwError error;
    *rig = (Rig){.how = how, .rest = 0.5 * (how.pole + THICK)};
    double slope = how.pitch / (2.0 * HW_PI * rig->rest);
    rig->a = hwMakeVec3(-12.0, 0.6, 12.0 * slope);
    hwWorldDef def = hwDefaultWorldDef();
    def.log = CountWarnings;
    def.logContext = rig;
    rig->world = hwCreateWorld(&def, &error);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.gravity = 0.0;
    environment.water = true; // whose added mass slows down what trembles
    environment.surface = 50.0;
    assert_status(hwWorld_SetEnvironment(rig->world, &environment, &error), HW_OK);
    AddPole(rig);
    AddTether(rig);
    if (hwWorld_Prepare(rig->world, &error) != HW_OK) fail_msg("%s", error.message);
    rig->wrap = hwWorld_FindChannel(rig->world, "tether.wrap");
    rig->tensionA = hwWorld_FindChannel(rig->world, "tether.element[0].tension");
    rig->tensionB = hwWorld_FindChannel(rig->world, "tether.b.tension");
    rig->balance = hwWorld_FindChannel(rig->world, "tether.energy.balance");
}

static void StepTo(Rig* rig, double time) {
    hwError error;
    const double instant = 1e-4;
    hwVec3 before = GetEnd(rig, time - instant), at = GetEnd(rig, time), after = GetEnd(rig, time + instant);
    hwVec3 velocity = hwScale(0.5 / instant, hwSub(after, before));
    hwVec3 acceleration = hwScale(1.0 / (instant * instant), hwAdd(hwSub(after, at), hwSub(before, at)));
    assert_status(hwCable_SetEndMotion(rig->world, rig->cable, 1, at, velocity, acceleration, &error), HW_OK);
    if (hwWorld_Step(rig->world, FRAME, &error) < HW_OK) fail_msg("%s", error.message);
}

static hwCableView View(const Rig* rig) {
    hwCableView view;
    assert_status(hwCable_GetView(rig->world, rig->cable, &view, NULL), HW_OK);
    return view;
}

// Angle through which a cable without stiffness turns on the pole: between the two tangents, in the plane across the pole, and
// along the helix of the same lead.
static double GetAngle(const Rig* rig, double phase) {
    double far = hypot(rig->a.x, rig->a.y), from = atan2(rig->a.y, rig->a.x), to = 0.5 * HW_PI - phase;
    double angle = from - to - acos(rig->rest / far) - acos(rig->rest / RADIUS_B);
    double slope = rig->how.pitch / (2.0 * HW_PI * rig->rest);
    return fmax(angle, 0.0) / sqrt(1.0 + slope * slope);
}

// Nearest and farthest that the lines between nodes are from the pole's surface, from the first element that touches it to the last.
static bool MeasureGaps(const Rig* rig, double* nearest, double* farthest) {
    hwCableView view = View(rig);
    double radius = 0.5 * rig->how.pole;
    int first = -1, last = -1;
    *nearest = HUGE_VAL, *farthest = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int e = 0; e < view.elementCount; ++e) {
            hwVec3 x = view.positions[e], d = hwSub(view.positions[e + 1], x);
            for (int k = 0; k <= 16; ++k) {
                hwVec3 p = hwMulAdd(x, k / 16.0, d);
                double gap = hypot(p.x, p.y) - radius;
                if (pass == 0 && gap < 0.55 * THICK) {
                    if (first < 0) first = 17 * e + k;
                    last = 17 * e + k;
                }
                if (pass == 0 || 17 * e + k < first || 17 * e + k > last) continue;
                *nearest = fmin(*nearest, gap / THICK);
                *farthest = fmax(*farthest, gap / THICK);
            }
        }
    }
    return first >= 0;
}

static void a_tether_wound_round_a_pole_lies_on_it_and_holds_by_euler(void** state) {
    (void)state;
    const double poles[2] = {0.1, 0.4}, turns[4] = {0.75, 1.0, 2.0, 3.0}, degree = HW_PI / 180.0;
    for (int p = 0; p < 2; ++p) {
        Rig rig;
        Start(&rig, (Winding){poles[p], 0.15, 3.8, 30.0, false, -1, 0.025, false, 0.0});
        double highest = 0.0, begin = hwWorld_ReadChannel(rig.world, rig.balance);
        int done = 0;
        for (int i = 1; i * FRAME < 3.7 * rig.how.period; ++i) {
            StepTo(&rig, (i - 1) * FRAME);
            double angle = GetAngle(&rig, GetPhase(&rig.how, i * FRAME));
            if (angle < 0.25) continue; // at first it trembles on what it has struck
            double wrap = hwWorld_ReadChannel(rig.world, rig.wrap), nearest, farthest;
            // two degrees; the winch lets the end lag by less
            assert_close(wrap, angle, 2.0 * degree);
            // it never falls by more than the trembling of a node, half a degree
            assert_true(wrap > highest - 0.5 * degree);
            highest = fmax(highest, wrap);
            if (!MeasureGaps(&rig, &nearest, &farthest)) continue;
            assert_true(nearest > 0.2 && farthest < 1.6);
            if (done == 4 || angle < 2.0 * HW_PI * turns[done]) continue;
            double ratio =
                hwWorld_ReadChannel(rig.world, rig.tensionB) / hwWorld_ReadChannel(rig.world, rig.tensionA);
            assert_close(ratio / exp(rig.how.friction * wrap), 1.0, 0.02);
            done += 1;
        }
        assert_int_equal(done, 4);
        assert_int_equal(rig.warnings, 0);
        // friction takes 20 N times some ten metres; of that the balance keeps all but a thousandth of the turnover
        double work = PULL * rig.how.period * 3.0;
        assert_close(hwWorld_ReadChannel(rig.world, rig.balance), begin, 0.01 * work);
        hwDestroyWorld(rig.world);
    }
}

static void unwound_it_is_coarse_again(void** state) {
    (void)state;
    Rig rig;
    Start(&rig, (Winding){0.4, 0.1, 1.2, 15.0, true, -1, 0.025, false, 0.0});
    int given = View(&rig).nodeCount, most = 0;
    double length = View(&rig).length;
    for (int i = 1; i * FRAME < 2.4 * rig.how.period; ++i) {
        StepTo(&rig, (i - 1) * FRAME);
        int nodes = View(&rig).nodeCount;
        most = nodes > most ? nodes : most;
    }
    hwError error;
    for (int i = 0; i < 240; ++i) { // at rest
        assert_status(hwCable_SetEndMotion(rig.world, rig.cable, 1, GetEnd(&rig, 0.0), hwVec3_zero,
                                           hwVec3_zero, &error),
                      HW_OK);
        assert_true(hwWorld_Step(rig.world, FRAME, &error) >= HW_OK);
    }
    hwCableView view = View(&rig);
    assert_true(most > given + 15);
    assert_int_equal(rig.world->state.cables->stores[0].core->inserted, 0);
    assert_true(view.nodeCount <= given + 1); // the winch's own comes and goes at different lengths
    // material that has been paid out is hauled in again: a straight line of its tension, but for the length of joined elements
    // that is still being taken up, millimetres
    double chord = hwDistance(rig.a, GetEnd(&rig, 0.0)), tension = view.tensions[view.elementCount - 1];
    assert_close(view.length, chord / (1.0 + tension / 5e4), 5e-3);
    assert_close(view.length, length, 0.05);
    hwDestroyWorld(rig.world);
}

static void nodes_that_are_used_up_are_told_once(void** state) {
    (void)state;
    Rig rig;
    Start(&rig, (Winding){0.4, 0.1, 1.5, 15.0, false, 8, 0.025, false, 0.0});
    for (int i = 1; i * FRAME < 1.4 * rig.how.period; ++i) {
        StepTo(&rig, (i - 1) * FRAME);
        assert_true(rig.world->state.cables->stores[0].core->inserted <= 8);
    }
    assert_int_equal(rig.warnings, 1);
    hwDestroyWorld(rig.world);
}

// Held at both ends and pushed aside by a pole that comes: where nodes come, its tension goes on as it was.
static void nodes_come_without_a_jolt(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.gravity = 0.0;
    environment.water = true;
    environment.surface = 50.0;
    assert_status(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = 0.2;
    shape.length = 2.0;
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "pole";
    body.mass = 1.0;
    for (int i = 0; i < 3; ++i) body.inertia[i] = 1.0;
    body.motion = HW_MOTION_PRESCRIBED;
    body.shapeCount = 1;
    body.shapes = &shape;
    hwSignalTerm ramp = hwRampTerm(hwMakeVec3(0.3, -0.25, 0.0), hwMakeVec3(0.3, 0.15, 0.0), 1.0, 9.0);
    body.prescribedPosition = (hwSignal){1, &ramp};
    if (HW_IS_NULL(hwWorld_AddBody(world, &body, &error))) fail_msg("%s", error.message);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 19.99;
    section.elements = 10;
    section.diameter = THICK;
    section.massPerLength = 0.047;
    section.EA = 5e4;
    section.EI = 0.015;
    section.axialDamping = 200.0;
    hwCableDef def = hwDefaultCableDef();
    def.name = "tether";
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {-10.0, 0.0, 0.0}};
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {10.0, 0.0, 0.0}};
    hwCableId id = hwWorld_AddCable(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    int tension = hwWorld_FindChannel(world, "tether.a.tension"), changes = 0;
    double before = hwWorld_ReadChannel(world, tension), last = 0.0;
    int nodes = 11;
    for (int i = 0; i < 600; ++i) {
        assert_true(hwWorld_Step(world, FRAME, &error) >= HW_OK);
        hwCableView view;
        assert_status(hwCable_GetView(world, id, &view, NULL), HW_OK);
        double now = hwWorld_ReadChannel(world, tension), rise = now - before;
        // beyond what it rises by anyway, which changes little from frame to frame
        if (view.nodeCount != nodes) {
            changes += 1;
            assert_close(rise, last, 0.005 * now);
        }
        last = rise;
        before = now;
        nodes = view.nodeCount;
    }
    assert_true(changes > 0 && nodes > 20);
    hwDestroyWorld(world);
}

// A stiff tether goes on turning beside each edge of a box, as far as the next one and beyond: each turn counts once.
static void what_turns_between_two_edges_counts_once(void** state) {
    (void)state;
    Rig rig;
    Start(&rig, (Winding){.pole = 0.12,
                          .friction = 0.05,
                          .turns = 1.5,
                          .period = 30.0,
                          .contactNodes = -1,
                          .pitch = 0.025,
                          .square = true,
                          .EI = 0.05});
    double most = 0.0;
    int looks = 0;
    for (int i = 1; i * FRAME < 1.4 * rig.how.period; ++i) {
        StepTo(&rig, (i - 1) * FRAME);
        double angle = GetAngle(&rig, GetPhase(&rig.how, i * FRAME));
        // for moments it stands off an edge
        if (angle < 3.0 || hwWorld_ReadChannel(rig.world, rig.tensionB) < 0.5 * PULL) continue;
        double wrap = hwWorld_ReadChannel(rig.world, rig.wrap);
        most = fmax(most, wrap - angle);
        looks += fabs(wrap - angle) < 0.1;
    }
    print_message("round a box, stiff: at most %.2f rad more than it turns, within 0.1 rad in %d frames\n",
                  most, looks);
    assert_true(most < 0.3);
    assert_true(looks > 500);
    hwDestroyWorld(rig.world);
}

// Where end b is: it swings round the edge of a box, then draws the cable over it.
static void GetPull(double time, hwVec3* at, hwVec3* velocity) {
    const double swing = 20.0, speed = 0.1, reach = 5.8, off = 0.0238, corner = 0.2;
    double angle = 0.5 * HW_PI * fmin(time / swing, 1.0), rate = time < swing ? 0.5 * HW_PI / swing : 0.0;
    double drawn = reach + speed * fmax(time - swing, 0.0);
    *at = hwMakeVec3(corner + drawn * cos(angle) + off * sin(angle),
                     corner - drawn * sin(angle) + off * cos(angle), 0.0);
    *velocity = hwMakeVec3(-drawn * rate * sin(angle),
                           -drawn * rate * cos(angle) - (time < swing ? 0.0 : speed), 0.0);
}

// A cable that is drawn over an edge sharper than itself: node by node it runs on, and holds no more than friction does. Without
// bending stiffness chords go over the edge one by one, and the material behind it runs in steps that winch and mass even out.
static void over_a_sharp_edge_it_runs_smoothly(void** state) {
    (void)state;
    static const struct {
        double EI, pull, friction;
        double off;         // of Euler's ratio
        double least, most; // of the mean pull
    } rows[5] = {{0.05, 100.0, 0.2, 0.02, 0.8, 1.2},
                 {0.05, 200.0, 0.2, 0.02, 0.8, 1.2},
                 {0.0, 100.0, 0.2, 0.04, 0.4, 1.6},
                 {0.0, 400.0, 0.2, 0.04, 0.7, 1.3},
                 {0.0, 400.0, 0.0, 0.02, 0.7, 1.3}};
    for (int k = 0; k < 5; ++k) {
        hwError error;
        hwWorldDef worldDef = hwDefaultWorldDef();
        hwWorld* world = hwCreateWorld(&worldDef, &error);
        hwEnvironmentDef environment = hwDefaultEnvironmentDef();
        environment.gravity = 0.0;
        environment.water = true;
        environment.surface = 50.0;
        assert_status(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
        hwMaterialDef material = hwDefaultMaterialDef();
        material.name = "default";
        material.staticFriction = material.kineticFriction = rows[k].friction;
        assert_status(hwWorld_AddMaterial(world, &material, &error), HW_OK);
        hwShapeDef shape = hwDefaultShapeDef();
        shape.kind = HW_SHAPE_BOX;
        shape.size = hwMakeVec3(0.4, 0.4, 8.0);
        hwBodyDef body = hwDefaultBodyDef();
        body.name = "box";
        body.mass = 1.0;
        for (int i = 0; i < 3; ++i) body.inertia[i] = 1.0;
        body.motion = HW_MOTION_FIXED;
        body.shapeCount = 1;
        body.shapes = &shape;
        if (HW_IS_NULL(hwWorld_AddBody(world, &body, &error))) fail_msg("%s", error.message);
        hwVec3 b, v;
        GetPull(0.0, &b, &v);
        hwCableSectionDef section = hwDefaultCableSectionDef();
        section.length = 12.0;
        section.elements = 6;
        section.diameter = THICK;
        section.massPerLength = 0.047;
        section.EA = 5e4;
        section.EI = rows[k].EI;
        section.axialDamping = 200.0;
        section.dragNormal = 0.3;
        section.compression = 1e-3;
        hwCableDef def = hwDefaultCableDef();
        def.name = "tether";
        def.sectionCount = 1;
        def.sections = &section;
        def.reserve[0] = 30.0;
        def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {b.x - 12.0, b.y, 0.0}};
        def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = b};
        hwCableId id = hwWorld_AddCable(world, &def, &error);
        if (HW_IS_NULL(id)) fail_msg("%s", error.message);
        hwWinchDef winch = hwDefaultWinchDef();
        winch.name = "winch";
        winch.cable = id;
        winch.mode = HW_WINCH_TENSION;
        winch.kp = 0.05;
        winch.acceleration = 5.0;
        winch.deceleration = -5.0;
        hwSignalTerm pull = hwConstantTerm(hwMakeVec3(rows[k].pull, 0.0, 0.0));
        winch.setpoint = (hwSignal){1, &pull};
        if (HW_IS_NULL(hwWorld_AddWinch(world, &winch, &error))) fail_msg("%s", error.message);
        assert_status(hwWorld_Prepare(world, &error), HW_OK);
        int ends[2] = {hwWorld_FindChannel(world, "tether.element[0].tension"),
                       hwWorld_FindChannel(world, "tether.b.tension")};
        double sums[2] = {0.0, 0.0}, most = 0.0, least = HUGE_VAL;
        int count = 0;
        for (int i = 0; i * FRAME < 32.0; ++i) {
            GetPull(i * FRAME, &b, &v);
            assert_status(hwCable_SetEndMotion(world, id, 1, b, v, hwVec3_zero, &error), HW_OK);
            if (hwWorld_Step(world, FRAME, &error) < HW_OK) fail_msg("%s", error.message);
            if (i * FRAME < 23.0) continue; // it takes a metre to run evenly
            double at = hwWorld_ReadChannel(world, ends[1]);
            sums[0] += hwWorld_ReadChannel(world, ends[0]);
            sums[1] += at;
            most = fmax(most, at);
            least = fmin(least, at);
            count += 1;
        }
        double ratio = sums[1] / sums[0], mean = sums[1] / count, euler = exp(0.5 * HW_PI * rows[k].friction);
        print_message("over an edge with EI %g at %.0f N: %.3f of the pull, by Euler %.3f; from %.2f to %.2f "
                      "of its mean\n",
                      rows[k].EI, rows[k].pull, ratio, euler, least / mean, most / mean);
        assert_close(ratio / euler, 1.0, rows[k].off);
        assert_true(least > rows[k].least * mean && most < rows[k].most * mean);
        hwDestroyWorld(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_a_sharp_edge_it_runs_smoothly),
        cmocka_unit_test(what_turns_between_two_edges_counts_once),
        cmocka_unit_test(a_tether_wound_round_a_pole_lies_on_it_and_holds_by_euler),
        cmocka_unit_test(unwound_it_is_coarse_again),
        cmocka_unit_test(nodes_that_are_used_up_are_told_once),
        cmocka_unit_test(nodes_come_without_a_jolt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
