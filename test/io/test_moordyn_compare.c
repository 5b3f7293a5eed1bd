// Runs beside MoorDyn's output: each kind of column finds its channel, and differences are those worked out by hand.
#include "moordyn_text.h"

#define DECK                                                                                                 \
    "----- MoorDyn Input File -----\nours\n----- LINE TYPES -----\n"                                         \
    "TypeName Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx\nu\nchain 0.1 80 1e8 1e5 0 1.5 0.9 0.2 0.1\n"       \
    "----- BODIES -----\nID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG* I* Volume CdA* Ca*\nu\n"                   \
    "4 free 0 0 -20 0 0 0 100 0 10 0 0 0\n"                                                                  \
    "----- POINTS -----\nID Attachment X Y Z Mass Volume CdA Ca\nu\n1 Fixed 100 0 -100 0 0 0 0\n"            \
    "2 Fixed 0 0 0 0 0 0 0\n3 Free 40 0 -90 0 0 0 0\n5 Free 40 9 -90 10 0 0 0\n6 Body4 0 0 0 0 0 0 0\n"      \
    "----- LINES -----\nID LineType AttachA AttachB UnstrLen NumSegs Outputs\nu\n"                           \
    "1 chain 3 1 80 8 -\n2 chain 3 2 80 8 -\n3 chain 5 6 90 4 -\n----- need this line -----\n"

static void WriteFiles(const char* output, const char* results) {
    WriteText(FOLDER "/own.dat", DECK);
    WriteText(FOLDER "/own.out", output);
    WriteText(FOLDER "/own.csv", results);
}

static hwMoordynCompareDef MakeDef(void) {
    hwMoordynCompareDef def = hwDefaultMoordynCompareDef();
    def.deck = FOLDER "/own.dat";
    def.output = FOLDER "/own.out";
    def.results = FOLDER "/own.csv";
    return def;
}

static int Compare(const hwMoordynCompareDef* def, hwMoordynDifference* list, int capacity) {
    hwError error;
    int count = 0;
    if (hwCompareMoordyn(def, capacity, list, &count, &error) != HW_OK)
        fail_msg("%s:%d: %s", error.object, error.line, error.message);
    return count;
}

static void differences_are_those_of_the_numbers(void** state) {
    (void)state;
    // tension 3, 4, 0 -> 5 N at 0 s, 10 N at 2 s, so 7.5 N at 1 s
    WriteFiles("Time FairTen2 Con5px\n(s) (N) (m)\n0 5 1\n1 6 1\n2 14 1\n",
               "world.time,line1_2.b.force.x,line1_2.b.force.y,line1_2.b.force.z,point5.position.x\n"
               "s,N,N,N,m\n0,3,4,0,1\n2,6,8,0,1\n");
    hwMoordynDifference list[3];
    hwMoordynCompareDef def = MakeDef();
    assert_int_equal(Compare(&def, list, 3), 3);
    assert_string_equal(list[1].name, "FairTen2");
    assert_string_equal(list[1].channel, "line1_2.b.force");
    assert_string_equal(list[1].unit, "N");
    assert_int_equal(list[1].count, 3);
    assert_true(fabs(list[1].rms - sqrt((1.5 * 1.5 + 4.0 * 4.0) / 3.0)) < 1e-12);
    assert_true(list[1].largest == -4.0 && list[1].time == 2.0 && list[1].low == 5.0 && list[1].high == 14.0);
    assert_true(list[2].rms == 0.0 && list[2].count == 3);
    def.shift = 1.0; // only two rows are left within the run: 7.5 against 5, 10 against 6
    Compare(&def, list, 3);
    assert_true(list[1].count == 2 && fabs(list[1].largest - 4.0) < 1e-12);
    def.shift = 0.0;
    def.from = 0.5;
    def.to = 1.5;
    def.scale = 2.0;
    Compare(&def, list, 3);
    assert_true(list[1].count == 1 && fabs(list[1].largest + 4.5) < 1e-12);
}

// Lines 1 and 2 are one cable from the fixed point 1 to the fixed point 2: line 1 runs against it.
static void columns_find_their_channels(void** state) {
    (void)state;
    static const struct {
        const char *name, *channel;
    } pairs[] = {
        {"FAIRTEN1", "line1_2.a.force.x was not recorded"},
        {"AnchTen1", "line1_2.element[7].tension was not recorded"},
        {"AnchTen2", "line1_2.element[7].tension was not recorded"},
        {"Line3TenB", "line3.b.force.x was not recorded"},
        {"L1N0px", "line1_2.node[8].position.x was not recorded"},
        {"L1N8pz", "line1_2.node[0].position.z was not recorded"},
        {"LINE2N3VY", "line1_2.node[11].velocity.y was not recorded"},
        {"L3NApx", "line3.node[0].position.x was not recorded"},
        {"Point3pz", "line1_2.node[8].position.z was not recorded"},
        {"Con5vx", "point5.velocity.x was not recorded"},
        {"Body4PZ", "body4.position.z was not recorded"},
        {"Con1px", "has no counterpart, or is held"},
        {"Body4RX", "has no counterpart, or is held"},
        {"FairTen9", "has no counterpart, or is held"},
        {"L3N5px", "has no counterpart, or is held"},
        {"nonsense", "has no counterpart, or is held"},
    };
    enum { COUNT = sizeof(pairs) / sizeof(pairs[0]) };
    char heading[600] = "Time L3N2T", row[200] = "1 1";
    for (int i = 0; i < COUNT; i++) {
        snprintf(heading + strlen(heading), sizeof(heading) - strlen(heading), " %s", pairs[i].name);
        strcat(row, " 0");
    }
    strcat(heading, "\n");
    strcat(heading, row);
    WriteFiles(heading,
               "world.time,line3.element[1].tension,line3.element[2].tension\ns,N,N\n0,4,6\n2,4,6\n");
    hwMoordynDifference list[COUNT + 2];
    hwMoordynCompareDef def = MakeDef();
    assert_int_equal(Compare(&def, list, COUNT + 2), COUNT + 2);
    assert_true(list[1].largest == 4.0); // the mean of 4 and 6 less 1
    for (int i = 0; i < COUNT; i++) assert_string_equal(list[i + 2].channel, pairs[i].channel);
}

static void files_of_lines_and_bare_columns_are_read(void** state) {
    (void)state;
    WriteFiles("Time Node1px Seg1Te\n(s) (m) (N)\n0 1 2\n1 1 2\n",
               "world.time,line3.node[1].position.x,line3.element[0].tension\ns,m,N\n0,3,3\n1,3,3\n");
    rename(FOLDER "/own.out", FOLDER "/own_Line3.out");
    hwMoordynDifference list[4];
    hwMoordynCompareDef def = MakeDef();
    def.output = FOLDER "/own_Line3.out";
    assert_int_equal(Compare(&def, list, 4), 3);
    assert_true(list[1].largest == 2.0 && list[2].largest == 1.0);
    WriteText(FOLDER "/bare.csv", "0.0, 1\n1.0, 1\n");
    def.output = FOLDER "/bare.csv";
    def.columns = "Time,L3N1px";
    assert_int_equal(Compare(&def, list, 4), 2);
    assert_true(list[1].largest == 2.0);
}

// OpenFAST and the driver of its module write titles above the heading, and call points P; a point that is held feels its line.
static void output_of_openfast_is_read(void** state) {
    (void)state;
    WriteFiles("\nThese predictions were generated by MoorDyn (v2.2) on 30-Jan-2025 at 10:50:24.\n\n \n \n \n"
               "      Time        FAIRTEN2            P2FX            P2FZ        POINT1FY\n"
               "       (s)             (N)             (N)             (N)             (N)\n"
               "    0.0000   5.0000000E+00   1.0000000E+00  -2.0000000E+00   0.0000000E+00\n"
               "    1.0000   5.0000000E+00   1.0000000E+00  -2.0000000E+00   0.0000000E+00\n",
               "world.time,line1_2.b.force.x,line1_2.b.force.y,line1_2.b.force.z,line1_2.a.force.y\n"
               "s,N,N,N,N\n0,3,0,-4,7\n1,3,0,-4,7\n");
    hwMoordynDifference list[5];
    hwMoordynCompareDef def = MakeDef();
    assert_int_equal(Compare(&def, list, 5), 5);
    assert_true(list[1].rms == 0.0 && list[1].count == 2);
    assert_string_equal(list[2].channel, "line1_2.b.force.x");
    assert_true(list[2].largest == 2.0 && list[3].largest == -2.0);
    assert_string_equal(list[4].channel, "line1_2.a.force.y");
    assert_true(list[4].largest == 7.0);
}

static void Refuse(const char* output, const char* words) {
    hwMoordynDifference list[4];
    hwMoordynCompareDef def = MakeDef();
    hwError error;
    int count;
    WriteText(FOLDER "/own.out", output);
    assert_true(hwCompareMoordyn(&def, 4, list, &count, &error) < HW_OK);
    if (strstr(error.message, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", error.message, words);
}

static void what_cannot_be_compared_is_told(void** state) {
    (void)state;
    WriteFiles("", "world.time,line3.element[0].tension\ns,N\n0,3\n1,3\n");
    Refuse("", "no rows of numbers");
    Refuse("0 1\n", "has no heading");
    Refuse("Time L3N1T\n0 x\n", "no number");
    Refuse("Time L3N1T\n0\n", "fewer columns");
    Refuse("Time FairTen9\n0 1\n", "none of its columns");
    WriteText(FOLDER "/own.csv",
              "world.time,line3.element[0].tension,line3.element[1].tension\ns,N,N\n0,3,3\n1,3,3\n");
    Refuse("Time L3N1T\n5 1\n", "no row lies within");
    hwMoordynCompareDef def = {0};
    hwError error;
    int count;
    assert_int_equal(hwCompareMoordyn(&def, 0, NULL, &count, &error), HW_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_those_of_the_numbers),
        cmocka_unit_test(columns_find_their_channels),
        cmocka_unit_test(files_of_lines_and_bare_columns_are_read),
        cmocka_unit_test(output_of_openfast_is_read),
        cmocka_unit_test(what_cannot_be_compared_is_told),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
