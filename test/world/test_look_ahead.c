// Looks ahead from the middle of random flights in a jacket, given the commands that are then flown: with the dynamic tether what was
// foreseen is what happens, to the bit; with `wrap` the first snag comes when it was foreseen. HAWSER_SWEEP_LOOKS=100 takes so many
// flights.
#include "flight.h"

#include <time.h>

#define LENGTH 40.0 // m of a route in the jacket: longer than what is flown
#define AHEAD 30.0  // s
#define WITHIN 0.2  // of the time to the snag

// What is foreseen of one kind, in all flights.
typedef struct Kind {
    int happened, near, missed, falseAlarms;
} Kind;

typedef struct Tally {
    int looks, stopped, otherBits;
    Kind wound, snagged, lying;
    double dynamic, wrap; // s of processor time
} Tally;

static void Count(Kind* kind, double happened, double foreseen, double start) {
    bool happens = !isnan(happened), alarm = !isnan(foreseen);
    kind->happened += happens;
    kind->near += happens && fabs(foreseen - happened) <= WITHIN * (happened - start);
    kind->missed += happens && !alarm;
    kind->falseAlarms += !happens && alarm;
}

static void Say(const char* what, const Kind* kind) {
    print_message(
        "  %s in %d: foreseen within %.0f %% of the time in %d, not at all in %d, false alarms %d\n", what,
        kind->happened, 100.0 * WITHIN, kind->near, kind->missed, kind->falseAlarms);
}

static double GetProcessorTime(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static bool Lies(const Flight* flight, double limit) {
    hwEntanglement all;
    hwError error;
    assert_status(hwCable_GetEntanglement(flight->jacket.world, flight->jacket.cable, &all, &error), HW_OK);
    return all.wrap > limit;
}

// Hauled in as it lies it would hang.
static bool IsSnagged(const Flight* flight, double limit) {
    hwHaulForecast haul;
    hwError error;
    assert_status(hwCable_ForecastHaul(flight->jacket.world, flight->jacket.cable, 1.0, 1.0, &haul, 0, NULL,
                                       NULL, &error),
                  HW_OK);
    return haul.angle > limit;
}

static bool IsSameTime(double a, double b) {
    return isnan(a) ? isnan(b) : fabs(a - b) < 0.5 * FRAME;
}

// One flight: up to a random time as it goes, then on from a branch that is kept for the look.
static void FlyAndLook(int number, Tally* tally) {
    static Flight flight;
    static hwCommandAhead commands[8000];
    StartFlight(&flight);
    hwError error;
    Route route = MakeRoute(&flight.jacket, g_boat, g_start, LENGTH, 3000 + (uint64_t)number);
    SetWay(&flight, route.count - 1, route.points + 1);
    uint64_t seed = 77 + (uint64_t)number;
    for (int i = 0; i < 8; ++i) Draw(&seed);
    int before = LOOK * (int)(Draw(&seed) * 40.0 / (LOOK * FRAME)), frames = (int)round(AHEAD / FRAME);
    hwLookAheadDef defs[2] = {hwDefaultLookAheadDef(), hwDefaultLookAheadDef()};
    bool good = true;
    for (int i = 0; i < before && good; ++i) good = Advance(&flight, i);
    if (good && (IsSnagged(&flight, defs[0].snag) || Lies(&flight, defs[0].snag))) { // nothing to be foreseen
        FreeJacket(&flight.jacket);
        return;
    }
    hwWorld* then = good ? hwWorld_Branch(flight.jacket.world, &error) : NULL;
    double start = hwWorld_GetTime(flight.jacket.world), snagged = (double)NAN, lying = (double)NAN;
    int every = (int)round(defs[0].hauling / FRAME);
    flight.from = before;
    flight.commands = commands;
    flight.commandRoom = (int)(sizeof(commands) / sizeof(commands[0]));
    for (int i = before; i < before + frames && good; ++i) {
        good = Advance(&flight, i);
        double now = hwWorld_GetTime(flight.jacket.world);
        if (good && isnan(lying) && Lies(&flight, defs[0].snag)) lying = now;
        if (good && isnan(snagged) && (i + 1 - before) % every == 0 && IsSnagged(&flight, defs[0].snag))
            snagged = now;
    }
    tally->looks += 1;
    if (!good) {
        tally->stopped += 1;
    } else {
        hwLookAhead ahead[2];
        for (int k = 0; k < 2; ++k) {
            defs[k].duration = frames * FRAME;
            defs[k].step = FRAME;
            defs[k].cable = flight.jacket.cable;
            defs[k].commandCount = flight.commandCount;
            defs[k].commands = commands;
            defs[k].wrap = k == 1;
            double from = GetProcessorTime();
            if (hwWorld_LookAhead(then, 1, &defs[k], &ahead[k], &error) != HW_OK)
                fail_msg("%s", error.message);
            *(k == 0 ? &tally->dynamic : &tally->wrap) += GetProcessorTime() - from;
        }
        bool same = ahead[0].hash == hwWorld_HashState(flight.jacket.world) &&
                    IsSameTime(ahead[0].snagged, lying) && IsSameTime(ahead[0].caught, snagged);
        tally->otherBits += !same;
        tally->stopped += ahead[1].status != HW_OK;
        Count(&tally->wound, ahead[0].wound, ahead[1].wound, start);
        Count(&tally->snagged, snagged, ahead[1].caught, start);
        Count(&tally->lying, lying, ahead[1].snagged, start);
        if (!same || getenv("HAWSER_SWEEP_TALK") != NULL)
            print_message(
                "  flight %d from %.1f s, s from then, dynamic and wrap: wound %.2f %.2f, snagged %.2f %.2f, "
                "lies round it %.2f %.2f%s\n",
                number, start, ahead[0].wound - start, ahead[1].wound - start, snagged - start,
                ahead[1].caught - start, lying - start, ahead[1].snagged - start,
                same ? "" : ", not the same bits");
    }
    hwDestroyWorld(then);
    FreeJacket(&flight.jacket);
}

static void first_snags_are_foreseen(void** state) {
    (void)state;
    int wanted = GetSweepCount("HAWSER_SWEEP_LOOKS", 2), first = GetSweepFirst("HAWSER_SWEEP_LOOKS", 3);
    Tally tally = {0};
    for (int i = first; tally.looks < wanted && i < first + 2 * wanted + 10; ++i) FlyAndLook(i, &tally);
    print_message(
        "looks ahead of %.0f s in %d flights; %d stopped, %d with other bits; processor time of a look "
        "%.3f s dynamic, %.3f s wrap\n",
        AHEAD, tally.looks, tally.stopped, tally.otherBits, tally.dynamic / tally.looks,
        tally.wrap / tally.looks);
    Say("wound", &tally.wound);
    Say("snagged: hauled in it would hang,", &tally.snagged);
    Say("lies round something with more than 1 rad", &tally.lying);
    assert_int_equal(tally.looks, wanted);
    assert_int_equal(tally.otherBits, 0);
    assert_int_equal(tally.stopped, 0);
    assert_true(tally.wound.happened > 0);
    assert_true(tally.wound.near >= (int)ceil(0.8 * tally.wound.happened));
    assert_true(tally.wound.falseAlarms <= (int)(0.1 * wanted));
    if (wanted < 20) return; // too few to tell
    assert_true(tally.snagged.near >= (int)ceil(0.8 * tally.snagged.happened));
    assert_true(tally.snagged.falseAlarms <= (int)(0.1 * wanted));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(first_snags_are_foreseen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
