// Watches of cables in a world: numbers against the flown way, channels, events, saved states, bad defs.
#include "test/support.h"

#include "hawser/hawser.h"

#include <stdio.h>

static hwWorld* MakeWorld(hwCableId* cable, int piles, bool watch) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = true;
    environment.waterDensity = 1025.0;
    environment.seabed.kind = HW_SEABED_PLANE;
    environment.seabed.depth = 10.0;
    environment.seabed.stiffness = 1e5;
    environment.seabed.damping = 1e4;
    assert_status(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
    for (int i = 0; i < piles; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "pile%d", i);
        hwShapeDef shape = hwDefaultShapeDef();
        shape.kind = HW_SHAPE_CYLINDER;
        shape.radius = 0.2;
        shape.length = 14.0;
        hwBodyDef body = hwDefaultBodyDef();
        body.name = name;
        body.motion = HW_MOTION_FIXED;
        body.position = hwMakeVec3(4.0 * i, 0.0, -5.0);
        body.shapeCount = 1;
        body.shapes = &shape;
        assert_false(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    }
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 16.0;
    section.elements = 40;
    section.diameter = 0.012;
    section.massPerLength = 1025.0 * HW_PI * 0.25 * 0.012 * 0.012; // neutral
    section.EA = 2e4;
    section.EI = 0.0;
    section.dragNormal = 1.2;
    section.axialDamping = 20.0;
    hwCableDef line = hwDefaultCableDef();
    line.name = "tether";
    line.sectionCount = 1;
    line.sections = &section;
    line.ends[0].joint = line.ends[1].joint = HW_ATTACH_PIN;
    line.ends[0].at = hwMakeVec3(0.0, -6.0, -1.0);
    line.ends[1].at = hwMakeVec3(0.0, -3.0, -3.0);
    line.shape = HW_CABLE_CATENARY_SHAPE;
    *cable = hwWorld_AddCable(world, &line, &error);
    if (HW_IS_NULL(*cable)) fail_msg("%s", error.message);
    if (watch) {
        hwEntanglementDef own = hwDefaultEntanglementDef();
        own.cable = *cable;
        own.bendRadius = 0.1;
        assert_status(hwWorld_WatchEntanglement(world, &own, &error), HW_OK);
    }
    return world;
}

static double Read(const hwWorld* world, const char* name) {
    int channel = hwWorld_FindChannel(world, name);
    if (channel < 0) fail_msg("there is no channel %s", name);
    return hwWorld_ReadChannel(world, channel);
}

// Angle swept about a vertical line, summed by the caller: the independent count.
static double Sweep(hwVec3 from, hwVec3 to, double x, double y) {
    double ax = from.x - x, ay = from.y - y, bx = to.x - x, by = to.y - y;
    return atan2(ax * by - ay * bx, ax * bx + ay * by);
}

// Flies end b along a way in plan, one leg after the other, and compares at every tenth of a second what the cable says with
// the way flown. Returns the most turns seen about each pile.
static void Fly(hwWorld* world, hwCableId cable, int piles, int legs, const hwVec3* way, int* most) {
    hwError error;
    const hwVec3 boat = {0.0, -6.0, -1.0};
    hwVec3 at = way[0];
    double swept[4] = {0};
    for (int k = 0; k < piles; ++k) swept[k] = Sweep(boat, at, 4.0 * k, 0.0);
    for (int leg = 1; leg < legs; ++leg) {
        hwVec3 d = hwSub(way[leg], way[leg - 1]);
        int steps = (int)ceil(hwLength(d) / 0.05);
        hwVec3 v = hwScale(1.0 / (0.1 * steps), d);
        for (int i = 1; i <= steps; ++i) {
            assert_status(hwCable_SetEndMotion(world, cable, 1, at, v, hwVec3_zero, &error), HW_OK);
            if (hwWorld_Step(world, 0.1, &error) < HW_OK) fail_msg("%s", error.message);
            hwVec3 next = hwMulAdd(way[leg - 1], (double)i / steps, d);
            for (int k = 0; k < piles; ++k) {
                char name[64];
                swept[k] += Sweep(at, next, 4.0 * k, 0.0);
                double closed = (swept[k] + Sweep(next, boat, 4.0 * k, 0.0)) / (2.0 * HW_PI);
                snprintf(name, sizeof(name), "tether.around.pile%d.winding", k);
                double winding = Read(world, name);
                if (!(fabs(winding - floor(closed + 0.5)) < 0.5) || fabs(closed - floor(closed + 0.5)) > 1e-6)
                    fail_msg("leg %d: %s is %g, flown %g", leg, name, winding, closed);
                if (abs((int)winding) > abs(most[k])) most[k] = (int)winding;
            }
            at = next;
        }
    }
}

static void winding_agrees_with_the_flown_way_round_a_pile_and_back(void** state) {
    (void)state;
    hwCableId cable;
    hwWorld* world = MakeWorld(&cable, 1, true);
    hwError error;
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
    hwStepEventDef events = hwDefaultStepEventDef();
    assert_status(hwWorld_KeepStepEvents(world, &events, &error), HW_OK);
    hwVec3 way[80];
    int legs = 0, most[4] = {0};
    way[legs++] = hwMakeVec3(0.0, -3.0, -3.0);
    for (int i = 0; i <= 24; ++i) { // two turns of radius 1.3
        double angle = -0.5 * HW_PI + i * HW_PI / 6.0 +
                       0.01; // never exactly behind the pile, where its number is not certain
        way[legs++] = hwMakeVec3(1.3 * cos(angle), 1.3 * sin(angle), -3.0);
    }
    way[legs++] = hwMakeVec3(7.0, -1.3, -3.0); // and tight: 6 m to the pile, 2.6 m round it, 7 m away
    Fly(world, cable, 1, legs, way, most);
    assert_int_equal(most[0], 2);
    hwEntanglement all;
    assert_status(hwCable_GetEntanglement(world, cable, &all, &error), HW_OK);
    assert_int_equal(all.featureCount, 1);
    assert_int_equal(all.sum, 2);
    assert_int_equal(all.word, 2);
    assert_int_equal(all.first, 0);
    assert_true(all.firstTime > 5.0 && all.firstTime < hwWorld_GetTime(world));
    // in along y, out along x after two turns: two and a quarter, less what elements as long as the
    // pile is thick do not resolve
    assert_true(all.wrap > 2.0 * HW_PI && all.wrap < 2.6 * 2.0 * HW_PI);
    hwWatchFeature feature = hwCable_GetWatchFeature(world, cable, 0);
    assert_string_equal(feature.name, "pile0");
    assert_true(feature.isAxis && feature.certain && feature.side == 1);
    assert_close(feature.turns, 2.25, 0.3); // by the two ends' own bearings
    assert_close(Read(world, "tether.on.pile0.wrap"), hwCable_GetWatchContact(world, cable, 0).wrap, 0.0);
    // a branch knows the same, and what was saved comes back
    hwWorld* branch = hwWorld_Branch(world, &error);
    assert_non_null(branch);
    assert_close(Read(branch, "tether.around.pile0.winding"), 2.0, 0.0);
    assert_close(Read(branch, "tether.around.pile0.since"), all.firstTime, 0.0);
    assert_true(hwWorld_HashState(branch) == hwWorld_HashState(world));
    hwDestroyWorld(branch);
    for (int i = 0; i < legs / 2; ++i) {
        hwVec3 swap = way[i];
        way[i] = way[legs - 1 - i];
        way[legs - 1 - i] = swap;
    }
    for (int leg = 1; leg < legs; ++leg) {
        hwVec3 d = hwSub(way[leg], way[leg - 1]);
        int steps = (int)ceil(hwLength(d) / 0.05);
        for (int i = 1; i <= steps; ++i) {
            hwCable_SetEndMotion(world, cable, 1, hwMulAdd(way[leg - 1], (i - 1.0) / steps, d),
                                 hwScale(1.0 / (0.1 * steps), d), hwVec3_zero, &error);
            if (hwWorld_Step(world, 0.1, &error) < HW_OK) fail_msg("%s", error.message);
        }
    }
    assert_close(Read(world, "tether.around.pile0.winding"), 0.0, 0.0);
    assert_close(Read(world, "tether.entanglement.word"), 0.0, 0.0);
    assert_true(isnan(Read(world, "tether.around.pile0.since")));
    hwDestroyWorld(world);
}

// Hauling in a tether that is wound twice: the pull follows the capstan, and the way home undoes it.
static void haul_and_way_home_of_a_wound_tether(void** state) {
    (void)state;
    hwCableId cable;
    hwWorld* world = MakeWorld(&cable, 1, true);
    hwError error;
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
    hwVec3 way[40];
    int legs = 0, most[4] = {0};
    way[legs++] = hwMakeVec3(0.0, -3.0, -3.0);
    for (int i = 0; i <= 24; ++i) {
        double angle = -0.5 * HW_PI + i * HW_PI / 6.0 + 0.01;
        way[legs++] = hwMakeVec3(1.3 * cos(angle), 1.3 * sin(angle), -3.0);
    }
    Fly(world, cable, 1, legs, way, most);
    hwHaulForecast haul;
    static hwVec3 tight[4000];
    int count;
    assert_status(hwCable_ForecastHaul(world, cable, 10.0, 1e9, &haul, 4000, tight, &count, &error), HW_OK);
    // the boat at (0, -6), the end at (0, -1.3) in plan, both straight south of the axis: wound twice less the two angles
    // between bearing and tangent point
    double rho = 0.2 + 0.006, d[2] = {6.0, 1.3};
    double wound = 4.0 * HW_PI - acos(rho / d[0]) - acos(rho / d[1]);
    double flat = rho * wound + sqrt(d[0] * d[0] - rho * rho) + sqrt(d[1] * d[1] - rho * rho);
    double exact = sqrt(flat * flat + 4.0); // 2 m deeper
    assert_close(haul.length, exact,
                 0.005 * exact); // chords of half a radius, and the rounding of the flown circle
    assert_int_equal(haul.arcCount, 1);
    assert_close(haul.angle, wound, 0.04 * wound);
    assert_close(haul.slack, 16.0 / haul.length - 1.0, 1e-12);
    assert_close(haul.pull, 10.0 * haul.factor, 1e-9);
    assert_int_equal(haul.holding, -1);
    hwTetherWaypoint route[200];
    int waypoints = hwCable_FindRoute(world, cable, 0.6, 200, route, &error);
    assert_true(waypoints > 4 && waypoints <= 200);
    // flown back, the tether is free; the handler is not needed with this length
    for (int leg = 1; leg < waypoints; ++leg) {
        hwVec3 from = route[leg - 1].point, d2 = hwSub(route[leg].point, from);
        if (leg + 1 == waypoints) d2 = hwScale(0.7, d2); // not into the boat
        int steps = (int)ceil(hwLength(d2) / 0.05);
        for (int i = 1; i <= steps; ++i) {
            hwCable_SetEndMotion(world, cable, 1, hwMulAdd(from, (i - 1.0) / steps, d2),
                                 hwScale(1.0 / (0.1 * steps), d2), hwVec3_zero, &error);
            if (hwWorld_Step(world, 0.1, &error) < HW_OK) fail_msg("%s", error.message);
        }
    }
    assert_close(Read(world, "tether.around.pile0.winding"), 0.0, 0.0);
    assert_close(Read(world, "tether.entanglement.word"), 0.0, 0.0);
    hwDestroyWorld(world);
}

// What a look ahead foresees is what happens, to the bit; of two alternatives the one that circles is wound and wraps.
static void a_look_ahead_is_what_then_happens(void** state) {
    (void)state;
    hwCableId cable;
    hwWorld* world = MakeWorld(&cable, 1, true);
    hwError error;
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_SPHERE;
    shape.radius = 0.2;
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "rov";
    body.mass = 1025.0 * 4.0 / 3.0 * HW_PI * 0.008;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    body.position = hwMakeVec3(0.0, -3.0, -3.0);
    body.shapeCount = 1;
    body.shapes = &shape;
    body.hydro.quadraticDrag[0] = body.hydro.quadraticDrag[1] = body.hydro.quadraticDrag[2] = 60.0;
    hwBodyId rov = hwWorld_AddBody(world, &body, &error);
    assert_false(HW_IS_NULL(rov));
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
    hwCableEndDef end = {.joint = HW_ATTACH_PIN, .body = rov};
    assert_status(hwCable_Detach(world, cable, 1, &error), HW_OK);
    assert_status(hwCable_Attach(world, cable, 1, &end, &error), HW_OK);
    int east = hwWorld_FindInput(world, "rov.force.x"), north = hwWorld_FindInput(world, "rov.force.y");
    assert_true(east >= 0 && north >= 0);
    // round the pile by the compass, and straight away
    const hwCommandAhead circle[] = {
        {0.0, east, 20.0}, {2.0, north, 25.0}, {5.0, east, -25.0}, {9.0, north, -25.0}};
    const hwCommandAhead away[] = {{0.0, north, -15.0}};
    hwLookAheadDef defs[2] = {hwDefaultLookAheadDef(), hwDefaultLookAheadDef()};
    for (int i = 0; i < 2; ++i) {
        defs[i].duration = 14.0;
        defs[i].step = 0.05;
        defs[i].cable = cable;
        defs[i].body = rov;
        defs[i].station = 1.0;
        defs[i].commandCount = i == 0 ? 4 : 1;
        defs[i].commands = i == 0 ? circle : away;
    }
    hwLookAhead ahead[2];
    uint64_t before = hwWorld_HashState(world);
    assert_status(hwWorld_LookAhead(world, 2, defs, ahead, &error), HW_OK);
    assert_true(hwWorld_HashState(world) == before);
    assert_true(ahead[0].status == HW_OK && ahead[1].status == HW_OK);
    assert_true(ahead[0].hash != ahead[1].hash);
    assert_false(isnan(ahead[0].left));
    assert_false(isnan(ahead[0].wound));
    assert_int_equal(ahead[0].feature, 0);
    assert_true(isnan(ahead[1].wound) && ahead[1].feature == -1);
    int next = 0;
    double wound = (double)NAN;
    for (int i = 0; i < 280; ++i) {
        while (next < 4 && circle[next].time <= 0.05 * i + 1e-12) {
            hwWorld_SetInput(world, circle[next].input, circle[next].value, &error);
            next += 1;
        }
        if (hwWorld_Step(world, 0.05, &error) < HW_OK) fail_msg("%s", error.message);
        if (isnan(wound) && Read(world, "tether.around.pile0.winding") != 0.0) wound = hwWorld_GetTime(world);
    }
    assert_true(hwWorld_HashState(world) == ahead[0].hash);
    assert_close(ahead[0].wound, wound, 0.0);
    defs[0].step = 0.0;
    assert_status(hwWorld_LookAhead(world, 1, defs, ahead, &error), HW_ERROR_ARGUMENT);
    hwDestroyWorld(world);
}

static void a_weave_between_three_piles_is_told_pile_by_pile(void** state) {
    (void)state;
    hwCableId cable;
    hwWorld* world = MakeWorld(&cable, 3, true);
    hwError error;
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
    // between the first two, round behind the second, back between the second and third, round the third
    const hwVec3 way[] = {{0.0, -3.0, -3.0}, {2.0, -1.0, -3.0}, {2.0, 1.2, -3.0},
                          {4.0, 1.4, -3.0},  {6.0, 0.0, -3.0},  {6.0, -1.2, -3.0},
                          {4.0, -1.5, -3.0}, {2.0, -1.0, -3.0}, {1.0, -2.0, -3.0}};
    int most[4] = {0};
    Fly(world, cable, 3, (int)(sizeof(way) / sizeof(way[0])), way, most);
    assert_int_equal(most[0], 0);
    assert_int_equal(most[1], -1);
    assert_int_equal(most[2], 0);
    hwDestroyWorld(world);
}

// As on a racetrack: past the first pile, round the second, back and round the first, and a quarter round the second again. Statics
// from there; each pile has the turns on itself alone, also those of the second that lie before and behind the first one's.
static void turns_between_two_touches_belong_to_what_they_are_on(void** state) {
    (void)state;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    worldDef.statics = true;
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = 0.2;
    shape.length = 14.0;
    for (int i = 0; i < 2; ++i) {
        hwBodyDef body = hwDefaultBodyDef();
        body.name = i == 0 ? "first" : "second";
        body.motion = HW_MOTION_FIXED;
        body.position = hwMakeVec3(2.0 * i, 0.0, 0.0);
        body.shapeCount = 1;
        body.shapes = &shape;
        assert_false(HW_IS_NULL(hwWorld_AddBody(world, &body, &error)));
    }
    const double diameter = 0.0076, away = 0.2 + 0.5 * diameter + 0.001;
    static hwVec3 points[120];
    int count = 0;
    points[count++] = hwMakeVec3(-6.0, away, 0.0);
    // about x, from angle to angle
    static const double arcs[4][3] = {{0.0, 0.5, 0.5}, {2.0, 0.5, -0.5}, {0.0, -0.5, -1.5}, {2.0, 0.5, 0.0}};
    for (int k = 0; k < 4; ++k) {
        int pieces = k == 0 ? 1 : 25;
        for (int i = 0; i <= pieces; ++i) {
            double angle = HW_PI * (arcs[k][1] + (arcs[k][2] - arcs[k][1]) * i / pieces);
            points[count] =
                hwMakeVec3(arcs[k][0] + away * cos(angle), away * sin(angle), -0.0013 * (double)count);
            count += 1;
        }
    }
    points[count] = hwMakeVec3(2.0 + away, -6.0, points[count - 1].z);
    count += 1;
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 0.997 * hwTether_GetLength((hwPolyline){count, points});
    section.elements = 650;
    section.diameter = diameter;
    section.massPerLength = 0.047;
    section.EA = 5e4;
    section.EI = 0.02;
    section.axialDamping = 20.0;
    hwCableDef line = hwDefaultCableDef();
    line.name = "tether";
    line.sectionCount = 1;
    line.sections = &section;
    line.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = points[0]};
    line.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = points[count - 1]};
    line.shape = HW_CABLE_POINTS;
    line.pointCount = count;
    line.points = points;
    hwCableId cable = hwWorld_AddCable(world, &line, &error);
    if (HW_IS_NULL(cable)) fail_msg("%s", error.message);
    hwEntanglementDef own = hwDefaultEntanglementDef();
    own.cable = cable;
    assert_status(hwWorld_WatchEntanglement(world, &own, &error), HW_OK);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.gravity = 0.0;
    assert_status(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
    for (int i = 0; i < 6; ++i) assert_true(hwWorld_Step(world, 1.0 / 30.0, &error) >= HW_OK);
    hwEntanglement all;
    assert_status(hwCable_GetEntanglement(world, cable, &all, &error), HW_OK);
    assert_int_equal(all.bodyCount, 2);
    for (int i = 0; i < 2; ++i) {
        hwWatchContact contact = hwCable_GetWatchContact(world, cable, i);
        bool first = strcmp(hwBody_GetName(world, contact.body), "first") == 0;
        print_message("on the %s pile %.4f rad\n", first ? "first" : "second", contact.wrap);
        assert_close(contact.wrap, first ? HW_PI : 1.5 * HW_PI, 0.02);
    }
    assert_close(all.wrap, 2.5 * HW_PI, 0.03);
    hwDestroyWorld(world);
}

static void a_watch_changes_nothing_of_the_motion(void** state) {
    (void)state;
    double last[2][3];
    for (int k = 0; k < 2; ++k) {
        hwCableId cable;
        hwWorld* world = MakeWorld(&cable, 1, k == 1);
        hwError error;
        if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
        for (int i = 0; i < 40; ++i) {
            hwCable_SetEndMotion(world, cable, 1, hwMakeVec3(0.05 * i, -3.0 + 0.1 * i, -3.0),
                                 hwMakeVec3(0.5, 1.0, 0.0), hwVec3_zero, &error);
            if (hwWorld_Step(world, 0.1, &error) < HW_OK) fail_msg("%s", error.message);
            if (k == 1) Read(world, "tether.entanglement.sum");
        }
        last[k][0] = Read(world, "tether.node[20].position.x");
        last[k][1] = Read(world, "tether.node[20].position.y");
        last[k][2] = Read(world, "tether.node[20].position.z");
        hwDestroyWorld(world);
    }
    for (int i = 0; i < 3; ++i) assert_close(last[0][i], last[1][i], 0.0);
}

static void bad_watches_are_refused_with_a_sentence(void** state) {
    (void)state;
    hwCableId cable;
    hwWorld* world = MakeWorld(&cable, 1, false);
    hwError error;
    hwEntanglement all;
    assert_true(hwCable_GetEntanglement(world, cable, &all, &error) < 0);
    hwEntanglementDef def = {0};
    assert_status(hwWorld_WatchEntanglement(world, &def, &error), HW_ERROR_ARGUMENT);
    def = hwDefaultEntanglementDef();
    assert_status(hwWorld_WatchEntanglement(world, &def, &error), HW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "entanglement: the cable is not in this world");
    def.cable = cable;
    def.bendRadius = -1.0;
    assert_status(hwWorld_WatchEntanglement(world, &def, &error), HW_ERROR_ARGUMENT);
    def.bendRadius = 0.0;
    hwWatchAxisDef axis = {.name = "a.b", .to = {0.0, 0.0, 1.0}};
    def.axisCount = 1;
    def.axes = &axis;
    assert_status(hwWorld_WatchEntanglement(world, &def, &error), HW_ERROR_ARGUMENT);
    axis.name = "mast";
    axis.body.index = 99;
    assert_status(hwWorld_WatchEntanglement(world, &def, &error), HW_ERROR_ARGUMENT);
    axis.body.index = 0;
    axis.to.z = (double)NAN;
    assert_status(hwWorld_WatchEntanglement(world, &def, &error), HW_ERROR_ARGUMENT);
    axis.to.z = 0.0; // no direction: found by Prepare
    assert_status(hwWorld_WatchEntanglement(world, &def, &error), HW_OK);
    assert_status(hwWorld_WatchEntanglement(world, &def, &error), HW_ERROR_ARGUMENT);
    assert_string_equal(error.message, "entanglement: the cable is watched already");
    assert_status(hwWorld_Prepare(world, &error), HW_ERROR_MODEL);
    assert_string_equal(error.message, "entanglement: `mast` needs two different points");
    // a watch goes with its cable
    assert_status(hwWorld_RemoveCable(world, cable, &error), HW_OK);
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    hwDestroyWorld(world);
}

static void lack_of_memory_leaves_nothing_behind(void** state) {
    (void)state;
    for (long failAt = 0;; ++failAt) {
        TestHeap heap = {0, 0, -1};
        hwWorldDef def = hwDefaultWorldDef();
        def.allocator = TestHeap_GetAllocator(&heap);
        hwError error;
        hwWorld* world = hwCreateWorld(&def, &error);
        hwShapeDef shape = hwDefaultShapeDef();
        shape.kind = HW_SHAPE_SPHERE;
        shape.radius = 0.2;
        hwBodyDef body = hwDefaultBodyDef();
        body.name = "ball";
        body.motion = HW_MOTION_FIXED;
        body.shapeCount = 1;
        body.shapes = &shape;
        hwWorld_AddBody(world, &body, &error);
        hwCableSectionDef section = hwDefaultCableSectionDef();
        section.length = 3.0;
        section.elements = 4;
        section.diameter = 0.01;
        section.massPerLength = 0.1;
        section.EA = 1e4;
        hwCableDef line = hwDefaultCableDef();
        line.name = "tether";
        line.sectionCount = 1;
        line.sections = &section;
        line.ends[0].joint = line.ends[1].joint = HW_ATTACH_PIN;
        line.ends[0].at = hwMakeVec3(1.0, 0.0, 0.0);
        line.ends[1].at = hwMakeVec3(1.0, 2.0, 0.0);
        hwCableId cable = hwWorld_AddCable(world, &line, &error);
        heap.failAt = heap.allocations + failAt;
        hwEntanglementDef watch = hwDefaultEntanglementDef();
        watch.cable = cable;
        hwWatchLoopDef loop = {
            .name = "ring", .count = 3, .points = (hwVec3[]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
        watch.loopCount = 1;
        watch.loops = &loop;
        hwStatus status = hwWorld_WatchEntanglement(world, &watch, &error);
        if (status == HW_OK) status = hwWorld_Prepare(world, &error);
        bool done = status == HW_OK;
        if (!done) assert_int_equal(status, HW_ERROR_MEMORY);
        hwDestroyWorld(world);
        assert_int_equal(heap.live, 0);
        if (done) return;
    }
}

// The step in which a watched cable parts looks at all contacts, those of the part that has only just come into being among them.
static void a_watched_cable_may_part(void** state) {
    (void)state;
    hwError error;
    hwCableId cable;
    hwWorld* world = MakeWorld(&cable, 1, true);
    hwCableDef line = *hwCable_GetDef(world, cable);
    hwCableSectionDef section = line.sections[0];
    section.breakTension = 100.0;
    line.name = "weak";
    line.cuts = 8;
    line.sections = &section;
    line.ends[0].at = hwMakeVec3(8.0, -6.0, -3.0);
    line.ends[1].at = hwMakeVec3(8.0, 8.0, -3.0);
    cable = hwWorld_AddCable(world, &line, &error);
    if (HW_IS_NULL(cable)) fail_msg("%s", error.message);
    hwEntanglementDef watch = hwDefaultEntanglementDef();
    watch.cable = cable;
    assert_status(hwWorld_WatchEntanglement(world, &watch, &error), HW_OK);
    assert_status(hwWorld_Prepare(world, &error), HW_OK);
    // end b runs away with 1 m/s: 2 m of slack, then 100 N at a strain of 0.5 %
    bool parted = false;
    for (int i = 0; i < 60 && !parted; ++i) {
        hwVec3 at = hwMakeVec3(8.0, 8.0 + 0.1 * i, -3.0);
        assert_status(
            hwCable_SetEndMotion(world, cable, 1, at, hwMakeVec3(0.0, 1.0, 0.0), hwVec3_zero, &error), HW_OK);
        if (hwWorld_Step(world, 0.1, &error) < HW_OK) fail_msg("%s", error.message);
        parted = Read(world, "weak.length") < 15.9;
    }
    assert_true(parted);
    for (int i = 0; i < 10; ++i) assert_true(hwWorld_Step(world, 0.1, &error) >= HW_OK);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(winding_agrees_with_the_flown_way_round_a_pile_and_back),
        cmocka_unit_test(haul_and_way_home_of_a_wound_tether),
        cmocka_unit_test(a_look_ahead_is_what_then_happens),
        cmocka_unit_test(a_weave_between_three_piles_is_told_pile_by_pile),
        cmocka_unit_test(turns_between_two_touches_belong_to_what_they_are_on),
        cmocka_unit_test(a_watch_changes_nothing_of_the_motion),
        cmocka_unit_test(a_watched_cable_may_part),
        cmocka_unit_test(bad_watches_are_refused_with_a_sentence),
        cmocka_unit_test(lack_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
