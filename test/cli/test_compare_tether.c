// hawser compare with a track and measured points: distances known in closed form, and wrong files.
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "program.h"

static const char g_line[] =
    "hawser: 1\nduration: 10\nenvironment: {gravity: 0}\ncables:\n  - name: tether\n    model: line\n"
    "    sections: [{length: 10, diameter: 0.01, density: 1000, EA: 1e5}]\n"
    "    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: earth, at: [10, 0, 0]}}\n";

// End b is driven sideways; a point at (5, 0, 0) is then 5 sin(angle) from the straight line.
static void DistancesAreThoseOfAStraightLine(void** state) {
    (void)state;
    PutFile("line.yaml", g_line);
    PutFile("track.csv", "time,x,y,z\ns,m,m,m\n0,10,0,0\n4,10,4,0\n8,10,4,0\n");
    PutFile("points.csv", "time,mid.x,mid.y,mid.z,end.x,end.y,end.z,end.at\ns,m,m,m,m,m,m,m\n"
                          "0,5,0,0,10,0,0,10\n2,5,0,0,10,2,0,10\n4,5,0,0,nan,4,0,10\n6,5,0,0,10,4,0,10\n");
    assert_int_equal(Hawser("compare line.yaml --track track.csv --tether points.csv --out far.csv"), 0);
    AssertSays(g_output, "1.857"); // 5 sin(atan(0.4)), at 4 s and after
    AssertSays(g_output, "mid");
    char far[4000];
    assert_non_null(ReadAll("far.csv", far, sizeof(far)));
    AssertSays(far, "world.time,distance.rms,mid.distance,end.distance");
    AssertSays(far, "nan"); // not measured then
    AssertSays(g_output, "all");
}

static void WrongFilesAreRefused(void** state) {
    (void)state;
    PutFile("line.yaml", g_line);
    PutFile("track.csv", "time,x,y,z\n0,10,0,0\n4,10,4,0\n");
    PutFile("points.csv", "time,mid.x,mid.y,mid.z\n0,5,0,0\n");
    PutFile("flat.csv", "time,x,y\n0,10,0\n4,10,4\n");
    PutFile("still.csv", "time,x,y,z\n0,10,0,0\n");
    assert_int_equal(Hawser("compare line.yaml --track track.csv"), 2);
    AssertSays(g_errors, "Comparing a tether takes one SCENE, --track FILE and --tether FILE.");
    assert_int_equal(Hawser("compare line.yaml --track flat.csv --tether points.csv"), 2);
    AssertSays(g_errors, "flat.csv has no column `z`");
    assert_int_equal(Hawser("compare line.yaml --track still.csv --tether points.csv"), 2);
    AssertSays(g_errors, "a track needs at least two rows");
    assert_int_equal(Hawser("compare line.yaml --track track.csv --tether flat.csv"), 2);
    AssertSays(g_errors, "flat.csv has no point of a tether.");
    assert_int_equal(Hawser("compare line.yaml --track track.csv --tether points.csv --cable rope"), 2);
    AssertSays(g_errors, "The scene has no cable `rope`.");
    assert_int_equal(Hawser("compare line.yaml --track track.csv --tether points.csv --vehicle rov"), 2);
    AssertSays(g_errors, "The scene has no vehicle or body `rov`.");
    // rows whose times fall back, or that are of no time, would be compared with the tether of another time
    PutFile("back.csv", "time,mid.x,mid.y,mid.z\n0,5,0,0\n2,5,1,0\n1,5,0.5,0\n");
    assert_int_equal(Hawser("compare line.yaml --track track.csv --tether back.csv"), 2);
    AssertSays(g_errors, "back.csv: row 3 has a time that is no number or does not rise.");
    PutFile("untimed.csv", "time,mid.x,mid.y,mid.z\n0,5,0,0\nnan,5,1,0\n");
    assert_int_equal(Hawser("compare line.yaml --track track.csv --tether untimed.csv"), 2);
    AssertSays(g_errors, "untimed.csv: row 2 has a time that is no number or does not rise.");
    PutFile("early.csv", "time,mid.x,mid.y,mid.z\n-2,5,0,0\n-1,5,1,0\n");
    assert_int_equal(Hawser("compare line.yaml --track track.csv --tether early.csv"), 2);
    AssertSays(g_errors, "early.csv: all of its rows are before 0 s, where the scene starts.");
    PutFile("late.csv", "time,mid.x,mid.y,mid.z\n3,5,0,0\n5,5,1,0\n6,5,1,0\n");
    assert_int_equal(Hawser("compare line.yaml --track track.csv --tether late.csv"), 0);
    AssertSays(g_errors, "late.csv: 2 of 3 rows are not between 0 and 4 s, the times of the track");
    PutFile("far.csv", "time,x,y,z\n0,10,0,0\n4,1e300,4,0\n");
    assert_int_equal(Hawser("compare line.yaml --track far.csv --tether points.csv"), 2);
    AssertSays(g_errors, "far.csv: row 2 has a place");
    PutFile("tilted.csv", "time,x,y,z,roll,pitch,yaw\n0,10,0,0,0,0,0\n4,10,4,0,nan,0,0\n");
    assert_int_equal(Hawser("compare line.yaml --track tilted.csv --tether points.csv"), 2);
    AssertSays(g_errors, "tilted.csv: row 2 has a place or an attitude that is no number");
    assert_int_equal(Hawser("compare nowhere.yaml --track track.csv --tether points.csv"), 2);
    assert_int_equal(Hawser("compare line.yaml"), 2);
    AssertSays(g_errors, "compare takes DECK, OUTPUT and RESULTS.");
}

// The example in docs/tether.md: the dynamic tether is as near as the noise of 3 cm lets it be.
static void TheRecordedExampleIsWithinItsNoise(void** state) {
    (void)state;
    assert_int_equal(Hawser("compare " HAWSER_SOURCE_DIR
                            "/scenes/tether/three_piles.yaml --track " HAWSER_SOURCE_DIR
                            "/scenes/tether/three_piles_track.csv --tether " HAWSER_SOURCE_DIR
                            "/scenes/tether/three_piles_tether.csv"),
                     0);
    const char* all = strstr(g_output, "all ");
    assert_non_null(all);
    long rows;
    double rms, largest;
    assert_int_equal(sscanf(all, "all %ld %lf %lf", &rows, &rms, &largest), 3);
    assert_int_equal(rows, 427);
    assert_true(rms > 0.035 && rms < 0.06); // 0.042 of the noise across the tether
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(DistancesAreThoseOfAStraightLine, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(WrongFilesAreRefused, OpenFolder, CloseFolder),
        cmocka_unit_test_setup_teardown(TheRecordedExampleIsWithinItsNoise, OpenFolder, CloseFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
