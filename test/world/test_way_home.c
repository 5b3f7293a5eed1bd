// A vehicle flies a random route in a jacket, its tether minded by the automatic handler, until the tether is wound round or through
// something. Then the way home of hwCable_FindRoute is flown by a simple autopilot while the handler hauls in the slack: the tether
// must come free. HAWSER_SWEEP_HOMES=100 takes so many entanglements.
#include "jacket.h"

#include "hawser/pilot.h"

#define FRAME (1.0 / 30.0) // s
#define LOOK 3             // frames between looks of autopilot and handler
#define LEAD                                                                                                 \
    0.5 // m by which the held place runs ahead: corners are cut by half of it, and clearances are 0.6 m
#define LENGTH 18.0  // m of a route in the jacket
#define LONGEST 80.0 // m of tether on the drum and out together
#define NEAR 3.0     // m from the boat: it is home
#define WAYPOINTS 2100

static const hwVec3 g_boat = {4.0, 0.0, -0.5}, g_start = {11.0, 0.0, -5.0};

typedef struct Flight {
    Jacket jacket;
    int inputs[4], mode, drum; // place, depth and heading that are held
    int place[3], length, tension;
    int count; // way-points
    hwVec3 way[WAYPOINTS];
    double done, whole; // m of the way
} Flight;

static void StartFlight(Flight* flight) {
    char text[2000];
    snprintf(
        text, sizeof(text),
        "vehicles:\n"
        "  - {name: rov, model: bluerov2_heavy, position: [%g, %g, %g], armed: true, mode: station}\n"
        "cables:\n"
        "  - name: tether\n"
        "    sections: [{length: %.17g, elements: 6, type: rov_tether_7_6, material: plastic, "
        "element_length: {min: 0.7, max: 2}}]\n"
        "    ends: {a: {on: earth, at: [%g, %g, %g]}, b: {on: rov, at: tether}}\n"
        "winches:\n"
        "  - {name: drum, cable: tether, end: a, mode: velocity, setpoint: 0, longest: %g, acceleration: 2, "
        "deceleration: -2}\n"
        "entanglement: [{cable: tether}]\n",
        g_start.x, g_start.y, g_start.z, 1.1 * hwDistance(g_boat, g_start), g_boat.x, g_boat.y, g_boat.z,
        LONGEST);
    *flight = (Flight){.jacket = MakeJacket(text)};
    const hwWorld* world = flight->jacket.world;
    static const char* const inputs[4] = {"rov.hold.x", "rov.hold.y", "rov.hold.depth", "rov.hold.heading"};
    static const char* const places[3] = {"rov.position.x", "rov.position.y", "rov.position.z"};
    for (int i = 0; i < 4; ++i) flight->inputs[i] = hwWorld_FindInput(world, inputs[i]);
    for (int i = 0; i < 3; ++i) flight->place[i] = hwWorld_FindChannel(world, places[i]);
    flight->drum = hwWorld_FindInput(world, "drum.setpoint");
    flight->length = hwWorld_FindChannel(world, "tether.length");
    flight->tension = hwWorld_FindChannel(world, "rov.tether.tension");
    assert_true(flight->drum >= 0 && flight->length >= 0 && flight->tension >= 0);
}

static hwVec3 GetPlace(const Flight* flight) {
    const hwWorld* world = flight->jacket.world;
    return hwMakeVec3(hwWorld_ReadChannel(world, flight->place[0]),
                      hwWorld_ReadChannel(world, flight->place[1]),
                      hwWorld_ReadChannel(world, flight->place[2]));
}

static void SetWay(Flight* flight, int count, const hwVec3* points) {
    flight->count = count;
    memcpy(flight->way, points, (size_t)count * sizeof(hwVec3));
    flight->done = 0.0;
    flight->whole = hwTether_GetLength((hwPolyline){count, points});
}

static hwVec3 GetWayPoint(const Flight* flight, double s) {
    for (int i = 1; i < flight->count; ++i) {
        double size = hwDistance(flight->way[i - 1], flight->way[i]);
        if (s <= size && size > 0.0)
            return hwMulAdd(flight->way[i - 1], s / size, hwSub(flight->way[i], flight->way[i - 1]));
        s -= size;
    }
    return flight->way[flight->count - 1];
}

// The simple autopilot: the place to be held runs along the way as long as it is within reach of the vehicle.
static void Steer(Flight* flight) {
    hwError error;
    hwVec3 here = GetPlace(flight), held = GetWayPoint(flight, flight->done);
    for (int i = 0; i < 40 && flight->done < flight->whole && hwDistance(held, here) < LEAD; ++i) {
        flight->done = hwFmin(flight->done + 0.05, flight->whole);
        held = GetWayPoint(flight, flight->done);
    }
    hwWorld* world = flight->jacket.world;
    hwWorld_SetInput(world, flight->inputs[0], held.x, &error);
    hwWorld_SetInput(world, flight->inputs[1], held.y, &error);
    hwWorld_SetInput(world, flight->inputs[2], -held.z, &error);
    double x = held.x - here.x, y = held.y - here.y;
    if (hypot(x, y) > 0.3) hwWorld_SetInput(world, flight->inputs[3], atan2(-y, x), &error);
}

static void MindTether(Flight* flight) {
    hwError error;
    const hwWorld* world = flight->jacket.world;
    hwHandlerView view = {.length = hwWorld_ReadChannel(world, flight->length),
                          .straight = hwDistance(g_boat, GetPlace(flight)),
                          .tension = hwWorld_ReadChannel(world, flight->tension),
                          .longest = LONGEST,
                          .interval = LOOK * FRAME};
    hwWorld_SetInput(flight->jacket.world, flight->drum,
                     hwHandler_LimitRate(&view, hwHandler_ChooseRate(&view)), &error);
}

typedef struct Sums {
    int axes, loops, word;
} Sums;

static Sums GetSums(const Flight* flight) {
    Sums sums = {0};
    hwEntanglement all;
    hwError error;
    assert_status(hwCable_GetEntanglement(flight->jacket.world, flight->jacket.cable, &all, &error), HW_OK);
    for (int i = 0; i < all.featureCount; ++i) {
        hwWatchFeature feature = hwCable_GetWatchFeature(flight->jacket.world, flight->jacket.cable, i);
        *(feature.isAxis ? &sums.axes : &sums.loops) += abs(feature.number);
    }
    sums.word = all.word;
    return sums;
}

static bool Advance(Flight* flight, int frame) {
    hwError error;
    if (frame % LOOK == 0) {
        Steer(flight);
        MindTether(flight);
    }
    if (hwWorld_Step(flight->jacket.world, FRAME, &error) >= HW_OK) return true;
    print_message("  %s\n", error.message);
    return false;
}

// Flies the way until it is done or the time is over.
static bool Fly(Flight* flight, double most) {
    for (int i = 0; i < (int)(most / FRAME); ++i) {
        if (!Advance(flight, i)) return false;
        if (flight->done >= flight->whole &&
            hwDistance(GetPlace(flight), flight->way[flight->count - 1]) < 0.5)
            return true;
    }
    return true;
}

typedef struct Tally {
    int tried, entangled, freed, grew, grewLoops, stopped;
    double simulated;
} Tally;

static void FlyHome(Flight* flight, int number, Tally* tally, Sums before) {
    hwError error;
    static hwTetherWaypoint route[WAYPOINTS];
    static hwVec3 points[WAYPOINTS];
    int count = hwCable_FindRoute(flight->jacket.world, flight->jacket.cable, JACKET_CLEARANCE, WAYPOINTS,
                                  route, &error);
    if (count < 2 || count > WAYPOINTS) fail_msg("no way home: %s", error.message);
    double least = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        points[i] = route[i].point;
        if (i > 0 && i + 1 < count) least = hwFmin(least, route[i].clearance);
    }
    SetWay(flight, count, points);
    double start = hwWorld_GetTime(flight->jacket.world);
    Sums sums = before, lowest = before;
    bool grew = false, grewLoops = false, good = true;
    for (int i = 0; i < (int)(240.0 / FRAME) && good; ++i) {
        good = Advance(flight, i);
        if (i % 15 != 0) continue;
        sums = GetSums(flight);
        grew = grew || sums.axes > lowest.axes;
        grewLoops = grewLoops || sums.axes + sums.loops > lowest.axes + lowest.loops;
        if (sums.axes < lowest.axes) lowest.axes = sums.axes;
        if (sums.axes + sums.loops < lowest.axes + lowest.loops)
            lowest.loops = sums.axes + sums.loops - lowest.axes;
        if (hwDistance(GetPlace(flight), g_boat) < NEAR) break;
    }
    sums = GetSums(flight);
    double rest = hwDistance(GetPlace(flight), g_boat);
    bool freed = good && rest < NEAR && sums.axes == 0 && sums.loops == 0 && sums.word == 0;
    tally->freed += freed;
    tally->grew += grew;
    tally->grewLoops += grewLoops;
    tally->stopped += !good;
    if (!freed || grew || grewLoops || getenv("HAWSER_SWEEP_TALK") != NULL) {
        hwVec3 at = GetPlace(flight);
        print_message(
            "  flight %d: %d + %d, word %d; way home %.1f m, least clearance %.2f m, %s after %.0f s at "
            "%.1f %.1f %.1f (%.1f of the way), %d + %d, word %d, tether %.1f m%s%s\n",
            number, before.axes, before.loops, before.word, flight->whole, least, freed ? "free" : "held",
            hwWorld_GetTime(flight->jacket.world) - start, at.x, at.y, at.z, flight->done, sums.axes,
            sums.loops, sums.word, hwWorld_ReadChannel(flight->jacket.world, flight->length),
            grew ? ", windings grew" : "", grewLoops ? ", the sum grew" : "");
    }
}

static void ways_home_free_the_tether(void** state) {
    (void)state;
    int wanted = GetSweepCount("HAWSER_SWEEP_HOMES", 1);
    Tally tally = {0};
    static Flight flight;
    for (int i = GetSweepFirst("HAWSER_SWEEP_HOMES", 5);
         tally.entangled < wanted && tally.tried < 4 * wanted + 8; ++i) {
        StartFlight(&flight);
        Route route = MakeRoute(&flight.jacket, g_boat, g_start, LENGTH, 1000 + (uint64_t)i);
        SetWay(&flight, route.count - 1, route.points + 1);
        tally.tried += 1;
        if (!Fly(&flight, 90.0)) {
            tally.stopped += 1;
            tally.entangled += 1;
        } else {
            Sums sums = GetSums(&flight);
            if (sums.axes + sums.loops > 0 || sums.word != 0) {
                tally.entangled += 1;
                FlyHome(&flight, i, &tally, sums);
            }
        }
        tally.simulated += hwWorld_GetTime(flight.jacket.world);
        FreeJacket(&flight.jacket);
    }
    print_message("ways home: %d flights, %d entangled, %d freed, sum of |winding| grew on the way in %d, "
                  "with loops in "
                  "%d; %d stopped; %.0f s\n",
                  tally.tried, tally.entangled, tally.freed, tally.grew, tally.grewLoops, tally.stopped,
                  tally.simulated);
    assert_int_equal(tally.entangled, wanted);
    assert_true(tally.freed >= (int)ceil(0.95 * wanted));
    assert_true(tally.grew <= (int)(0.1 * wanted));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ways_home_free_the_tether)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
