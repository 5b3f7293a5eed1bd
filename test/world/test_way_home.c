// A vehicle flies a random route in a jacket, its tether minded by the automatic handler, until the tether is wound round or through
// something. Then the way home of hwCable_FindRoute is flown by a simple autopilot while the handler hauls in the slack: the tether
// must come free, and the sum of windings must not grow on the way. HAWSER_SWEEP_HOMES=100 takes so many entanglements.
#include "flight.h"

#define LENGTH 18.0 // m of a route in the jacket
#define NEAR 3.0    // m from the boat: it is home

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
        if (!grew && sums.axes > lowest.axes) {
            hwVec3 at = GetPlace(flight);
            print_message("  flight %d: windings grow from %d to %d at %.2f %.2f %.2f, %.2f of the way\n",
                          number, lowest.axes, sums.axes, at.x, at.y, at.z, flight->done);
        }
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
    for (int i = GetSweepFirst("HAWSER_SWEEP_HOMES", 0); // 0: round a brace, beside a leg
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
