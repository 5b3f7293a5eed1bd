// Hints from rows made by hand: each condition by its bound, how long it must last, how often it may be said.
#include "hawser/hint.h"
#include "support.h"

enum { TIME, X, Y, Z, TURNS, TENSION, LENGTH, WRAP, N0X, N0Y, N0Z, AROUND, COLUMNS };

static const char* const g_names[COLUMNS] = {"world.time",
                                             "rov.position.x",
                                             "rov.position.y",
                                             "rov.position.z",
                                             "rov.turns",
                                             "rov.tether.tension",
                                             "tether.length",
                                             "tether.wrap",
                                             "tether.node[0].position.x",
                                             "tether.node[0].position.y",
                                             "tether.node[0].position.z",
                                             "tether.around.north pile.turns"};

typedef struct Flight {
    hwHinter* hinter;
    double row[COLUMNS];
    int count;
    hwHint hints[64];
} Flight;

// 10 m from the launch, 11 m of tether out, nothing moves.
static Flight Begin(bool watched) {
    hwError error;
    hwHinterDef def = hwDefaultHinterDef();
    Flight flight = {.hinter = hwCreateHinter(&def, watched ? COLUMNS : AROUND, g_names, &error)};
    if (flight.hinter == NULL) fail_msg("%s", error.message);
    flight.row[X] = 10.0;
    flight.row[LENGTH] = 11.0;
    flight.row[TENSION] = 2.0;
    return flight;
}

static void End(Flight* flight) {
    hwDestroyHinter(flight->hinter);
}

// Rows of a tenth of a second, in which a column grows by so much each second.
static void Go(Flight* flight, double duration, int column, double rate) {
    for (int i = 0; i < (int)(10.0 * duration + 0.5); ++i) {
        flight->row[TIME] += 0.1;
        flight->row[column] += 0.1 * rate;
        hwHint hint;
        if (!hwHinter_AddRow(flight->hinter, flight->row, &hint)) continue;
        assert_true(flight->count < 64);
        assert_true(hint.text[0] != 0 && hint.time == flight->row[TIME]);
        flight->hints[flight->count++] = hint;
    }
}

static void NothingIsSaidOfATetherThatIsRight(void** state) {
    (void)state;
    Flight flight = Begin(true);
    Go(&flight, 300.0, TIME, 0.0);
    // the handler follows: out and back at half a metre a second
    for (int i = 0; i < 400; ++i) {
        double rate = i < 200 ? 0.5 : -0.5;
        flight.row[LENGTH] += 0.11 * rate;
        Go(&flight, 0.1, X, rate);
    }
    assert_int_equal(flight.count, 0);
    End(&flight);
}

static void SlackIsSaidWhenItLasts(void** state) {
    (void)state;
    Flight flight = Begin(false);
    Go(&flight, 1.0, TIME, 0.0);
    flight.row[LENGTH] = 13.9; // a quarter and a metre and a half are 4 m
    Go(&flight, 30.0, TIME, 0.0);
    assert_int_equal(flight.count, 0);
    flight.row[LENGTH] = 14.2;
    Go(&flight, 2.0, TIME, 0.0);
    Go(&flight, 1.0, LENGTH, -0.3);
    assert_int_equal(flight.count, 0); // it did not last for 3 s
    flight.row[LENGTH] = 15.5;
    Go(&flight, 5.0, TIME, 0.0);
    assert_int_equal(flight.count, 1);
    assert_int_equal(flight.hints[0].kind, HW_HINT_SLACK);
    assert_close(flight.hints[0].value, 0.55, 1e-12);
    assert_non_null(strstr(flight.hints[0].text, "55 %"));
    assert_non_null(strstr(flight.hints[0].text, "have 4 m hauled in")); // 15.5 m - 11.5 m
    End(&flight);
    // a handler who hauls in already, and a tether that is round something, are left alone
    flight = Begin(false);
    flight.row[LENGTH] = 30.0;
    Go(&flight, 60.0, LENGTH, -0.1);
    flight.row[WRAP] = 1.2;
    Go(&flight, 60.0, TIME, 0.0);
    for (int i = 0; i < flight.count; ++i) assert_true(flight.hints[i].kind != HW_HINT_SLACK);
    End(&flight);
}

// The same kind again after 30, 60, 120 s: 1 + 4 times in ten minutes, where a condition that lasts has 600 s.
static void TheSameIsSaidLessAndLessOften(void** state) {
    (void)state;
    Flight flight = Begin(false);
    flight.row[LENGTH] = 20.0;
    Go(&flight, 600.0, TIME, 0.0);
    assert_int_equal(flight.count, 5);
    const double spaces[] = {30.0, 60.0, 120.0, 240.0};
    for (int i = 0; i < 4; ++i)
        assert_close(flight.hints[i + 1].time - flight.hints[i].time, spaces[i], 0.11); // a row
    End(&flight);
}

// 1 m of slack, of which 2 % of 11 m is sag: at 0.3 m/s taut after 2.6 s. Said once, with time left to act.
static void APullIsSaidBeforeItComes(void** state) {
    (void)state;
    Flight flight = Begin(false);
    Go(&flight, 2.0, TIME, 0.0);
    Go(&flight, 2.0, X, 0.3);
    assert_int_equal(flight.count, 1);
    assert_int_equal(flight.hints[0].kind, HW_HINT_PULL);
    assert_true(flight.hints[0].value > 0.5 && flight.hints[0].value < 4.0);
    End(&flight);
    // whoever pays out as fast is not told
    flight = Begin(false);
    for (int i = 0; i < 100; ++i) {
        flight.row[LENGTH] += 0.03;
        Go(&flight, 0.1, X, 0.3);
    }
    assert_int_equal(flight.count, 0);
    End(&flight);
    // round a pile a tether pulls before it is straight
    flight = Begin(false);
    Go(&flight, 5.0, TENSION, 10.0);
    assert_int_equal(flight.count, 1);
    assert_int_equal(flight.hints[0].kind, HW_HINT_PULL);
    assert_true(flight.hints[0].value > 35.0 && flight.hints[0].value < 50.0);
    End(&flight);
}

static void WindingIsSaidWhileItGrows(void** state) {
    (void)state;
    Flight flight = Begin(true);
    Go(&flight, 10.0, AROUND, -0.05); // half round: passed, not wound
    assert_int_equal(flight.count, 0);
    Go(&flight, 5.0, AROUND, -0.05);
    assert_int_equal(flight.count, 1);
    assert_int_equal(flight.hints[0].kind, HW_HINT_WINDING);
    assert_non_null(strstr(flight.hints[0].text, "north pile"));
    // wound, but no more: nothing new to say
    Go(&flight, 200.0, AROUND, 0.0);
    // and back
    Go(&flight, 15.0, AROUND, 0.05);
    assert_int_equal(flight.count, 1);
    Go(&flight, 13.0, TURNS, 0.1);
    assert_int_equal(flight.count, 2);
    assert_non_null(strstr(flight.hints[1].text, "port"));
    End(&flight);
    flight = Begin(false);
    Go(&flight, 10.0, WRAP, 0.15);
    assert_int_equal(flight.count, 1);
    assert_int_equal(flight.hints[0].kind, HW_HINT_WINDING);
    End(&flight);
}

// Out along x, 4 m across, back beside: told where there are obstacles, not in open water.
static int FlyBeside(bool watched, double across) {
    Flight flight = Begin(watched);
    const double legs[3][2] = {{X, 0.5}, {Y, across / 10.0}, {X, -0.5}};
    for (int leg = 0; leg < 3; ++leg) {
        for (int i = 0; i < (leg == 1 ? 100 : 200); ++i) {
            Go(&flight, 0.1, (int)legs[leg][0], legs[leg][1]);
            flight.row[LENGTH] =
                1.0 + 1.05 * sqrt(flight.row[X] * flight.row[X] + flight.row[Y] * flight.row[Y]);
        }
    }
    int told = 0;
    for (int i = 0; i < flight.count; ++i) {
        assert_int_equal(flight.hints[i].kind, HW_HINT_SAME_WAY);
        told += 1;
    }
    End(&flight);
    return told;
}

static void AnotherWayBackIsSaid(void** state) {
    (void)state;
    assert_int_equal(FlyBeside(true, 4.0), 1);
    assert_int_equal(FlyBeside(true, 2.0), 0);
    assert_int_equal(FlyBeside(false, 4.0), 0);
}

// Of two that hold at once the urgent one is said, the other after the spacing.
static void TwoHintsAreTenSecondsApart(void** state) {
    (void)state;
    Flight flight = Begin(false);
    Go(&flight, 1.0, TENSION, 10.0);
    flight.row[LENGTH] = 15.0;
    Go(&flight, 4.0, TENSION, 10.0);
    Go(&flight, 12.0, TENSION, 0.0);
    assert_int_equal(flight.count, 2);
    assert_int_equal(flight.hints[0].kind, HW_HINT_PULL);
    assert_true(flight.hints[1].time - flight.hints[0].time >= 10.0 - 1e-6);
    assert_int_equal(flight.hints[1].kind, HW_HINT_SLACK);
    End(&flight);
}

// After going back the same rows say the same.
static void RewindingForgets(void** state) {
    (void)state;
    Flight flight = Begin(false);
    Go(&flight, 1.0, TIME, 0.0);
    double begun = flight.row[TIME];
    flight.row[LENGTH] = 15.0;
    Go(&flight, 5.0, TIME, 0.0);
    assert_int_equal(flight.count, 1);
    hwHinter_Rewind(flight.hinter, begun);
    flight.row[TIME] = begun;
    Go(&flight, 5.0, TIME, 0.0);
    assert_int_equal(flight.count, 2);
    assert_true(flight.hints[1].time == flight.hints[0].time);
    assert_string_equal(flight.hints[1].text, flight.hints[0].text);
    End(&flight);
}

static void WhatIsMissingIsNamed(void** state) {
    (void)state;
    hwError error;
    hwHinterDef def = hwDefaultHinterDef();
    assert_null(hwCreateHinter(&def, LENGTH, g_names, &error));
    assert_int_equal(error.status, HW_ERROR_MODEL);
    assert_non_null(strstr(error.message, "tether.length"));
    def.cookie = 0;
    assert_null(hwCreateHinter(&def, COLUMNS, g_names, &error));
    def = hwDefaultHinterDef();
    for (int i = 0; i < COLUMNS; ++i) assert_true(hwHinterDef_Needs(&def, g_names[i]));
    assert_false(hwHinterDef_Needs(&def, "tether.node[1].position.x"));
    assert_false(hwHinterDef_Needs(&def, "tether.around.pile.winding"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(NothingIsSaidOfATetherThatIsRight),
        cmocka_unit_test(SlackIsSaidWhenItLasts),
        cmocka_unit_test(TheSameIsSaidLessAndLessOften),
        cmocka_unit_test(APullIsSaidBeforeItComes),
        cmocka_unit_test(WindingIsSaidWhileItGrows),
        cmocka_unit_test(AnotherWayBackIsSaid),
        cmocka_unit_test(TwoHintsAreTenSecondsApart),
        cmocka_unit_test(RewindingForgets),
        cmocka_unit_test(WhatIsMissingIsNamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
