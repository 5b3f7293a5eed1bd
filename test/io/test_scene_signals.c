// Signals in scenes: every form, with the values it must have, and the mistakes one makes in them.
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

#define HEAD "hawser: 1\nduration: 1\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\nforces:\n"
#define FORCE(text) HEAD "  - {on: a, force: " text "}\n"
#define COLUMN 20 // where the signal begins

static void AssertVec(hwVec3 v, double x, double y, double z) {
    // Sines and ramps are evaluated with rounding of their own.
    assert_true(hwDistance(v, hwMakeVec3(x, y, z)) <= 1e-14 * (1.0 + hwLength(v)));
}

// The force's value at a time, from the scene whose force is `text`.
static hwSignalValue ForceAt(const char* text, double time) {
    char scene[2000];
    snprintf(scene, sizeof(scene), FORCE("%s"), text);
    hwScene* taken = Take(scene);
    hwSignalValue value = hwSignal_Evaluate(&HW_ITEM(taken->model.forces, hwSceneForce, 0)->force, time);
    hwDestroyScene(taken);
    return value;
}

static void ConstantsBareAndNamed(void** state) {
    (void)state;
    AssertVec(ForceAt("[1, 2, 3]", 5.0).value, 1, 2, 3);
    AssertVec(ForceAt("{constant: [1, 2, 3]}", 5.0).value, 1, 2, 3);
    AssertVec(ForceAt("{constant: [1e3, -2.5E-1, +3.]}", 0.0).value, 1000, -0.25, 3);
}

static void Sines(void** state) {
    (void)state;
    AssertVec(ForceAt("{sine: {amplitude: [0, 0, 250], period: 5}}", 1.25).value, 0, 0, 250);
    AssertVec(
        ForceAt(
            "{sine: {amplitude: [1, 1, 1], period: [1, 2, 4], phase_deg: [0, 90, 180], offset: [0, 5, 0]}}",
            1.0)
            .value,
        0, 4, -1);
    AssertVec(ForceAt("{sine: {amplitude: [1, 0, 0], period: 4, phase: 1.5707963267948966}}", 0.0).value, 1,
              0, 0);
    // The rate comes with it: 2 pi / period at the zero crossing.
    AssertVec(ForceAt("{sine: {amplitude: [1, 0, 0], period: 4}}", 0.0).rate, 0.5 * HW_PI, 0, 0);
}

static void Ramps(void** state) {
    (void)state;
    const char* ramp = "{ramp: {from: [1, 0, 0], to: [3, 0, 0], start: 2, end: 4}}";
    AssertVec(ForceAt(ramp, 1.0).value, 1, 0, 0);
    AssertVec(ForceAt(ramp, 3.0).value, 2, 0, 0);
    AssertVec(ForceAt(ramp, 9.0).value, 3, 0, 0);
    AssertVec(ForceAt(ramp, 2.0).rate, 0, 0, 0);
}

static void TablesFromListsAndFiles(void** state) {
    (void)state;
    const char* table = "{table: {time: [0, 1, 3], value: [[0, 0, 0], [1, 0, 0], [5, 0, 0]]}}";
    AssertVec(ForceAt(table, 2.0).value, 3, 0, 0);
    AssertVec(ForceAt(table, 9.0).value, 5, 0, 0);
    // With units, quotes, comments, blank lines and columns nobody asked for, as our own results have them.
    WriteText(FOLDER "/force.csv",
              "# a comment\nworld.time,\"f.x\",other,f.y,f.z\ns,N,m,N,N\n\n0,0,99,0,0\n1, 10 "
              ",x,20,30\n2,10,99,20,-30\n");
    AssertVec(ForceAt("{csv: force.csv, column: [f.x, f.y, f.z]}", 0.5).value, 5, 10, 15);
    AssertVec(ForceAt("{csv: force.csv, column: f}", 1.5).value, 10, 20, 0);
    AssertVec(ForceAt("{csv: force.csv, column: f, time: world.time, interpolation: linear}", 7.0).value, 10,
              20, -30);
}

static void SumsOfSums(void** state) {
    (void)state;
    AssertVec(ForceAt("{sum: [[1, 0, 0], {constant: [0, 1, 0]}, {sum: [[0, 0, 1], [0, 0, 1]]}]}", 0.0).value,
              1, 1, 2);
}

// A loaded scene needs its files no more.
static void TablesAreCopied(void** state) {
    (void)state;
    WriteText(FOLDER "/gone.csv", "t,x,y,z\n0,1,2,3\n");
    hwScene* scene = Take(FORCE("{csv: gone.csv, column: [x, y, z]}"));
    assert_int_equal(remove(FOLDER "/gone.csv"), 0);
    AssertVec(hwSignal_Evaluate(&HW_ITEM(scene->model.forces, hwSceneForce, 0)->force, 0.0).value, 1, 2, 3);
    hwDestroyScene(scene);
}

static void ScalarSignals(void** state) {
    (void)state;
    hwScene* scene =
        Take("hawser: 1\nduration: 1\n"
             "mechanisms:\n  - name: m\n    base: {on: earth}\n    links:\n"
             "      - {name: l, parent: base, joint: revolute, mass: 1, inertia: [1, 1, 1], control: "
             "{mode: position, target_deg: {sine: {amplitude: 90, period: 4, offset: 10}}}}\n");
    const hwSceneMechanism* mechanism = HW_ITEM(scene->model.mechanisms, hwSceneMechanism, 0);
    const hwSceneLink* link = HW_ITEM(mechanism->links, hwSceneLink, 0);
    double value = hwSignal_Evaluate(&link->control.target, 1.0).value.x;
    assert_true(fabs(value - 100 * HW_DEGREE) < 1e-14);
    hwDestroyScene(scene);
}

static void Mistakes(void** state) {
    (void)state;
    RefuseAt(FORCE("5"), 5, COLUMN, "`force` must be a vector [x, y, z] or signal (N), not 5");
    RefuseAt(FORCE("[1, 2]"), 5, COLUMN, "not a list of 2");
    RefuseAt(FORCE("{sinus: {}}"), 5, COLUMN + 1, "unknown key `sinus` in a signal; did you mean `sine`?");
    RefuseAt(FORCE("{}"), 5, COLUMN, "a signal needs one of `constant`, `sine`");
    RefuseAt(FORCE("{constant: [1, 2, 3], sine: {amplitude: [1, 2, 3], period: 1}}"), 5, COLUMN + 22,
             "either `constant` or `sine`");
    RefuseAt(FORCE("{sine: {amplitude: 5, period: 1}}"), 5, COLUMN + 19, "`amplitude` must be");
    RefuseAt(FORCE("{sine: {amplitude: [1, 2, 3], period: 0}}"), 5, COLUMN + 38,
             "`period` holds 0, but must be above 0 s");
    RefuseAt(FORCE("{ramp: {from: [0, 0, 0], to: [1, 0, 0], start: 2, end: 1}}"), 5, COLUMN + 55,
             "`end` of a ramp is 1 s");
    RefuseAt(FORCE("{table: {time: [0, 1], value: [[0, 0, 0]]}}"), 5, COLUMN + 30,
             "`value` has 1 entries, but `time` has 2");
    RefuseAt(FORCE("{table: {time: [0, 0], value: [[0, 0, 0], [0, 0, 0]]}}"), 5, COLUMN + 15,
             "must increase, but 0 follows 0");
    RefuseAt(FORCE("{table: {time: [0], value: [[0, .nan, 0]]}}"), 5, COLUMN + 32, "`value` holds .nan");
    RefuseAt(FORCE("{sum: [{constant: [0, 0]}]}"), 5, COLUMN + 18, "`constant` must be");
    RefuseAt(FORCE("{constant: [0, 0, 0], column: x}"), 5, COLUMN + 22,
             "`column` in a signal makes sense only with `csv`");
}

static void MistakesInFiles(void** state) {
    (void)state;
    RefuseAt(FORCE("{csv: nowhere.csv, column: x}"), 5, COLUMN + 6, "nowhere.csv` does not exist");
    RefuseAt(FORCE("{csv: .., column: x}"), 5, COLUMN + 6, "is a folder");
    WriteText(FOLDER "/bad.csv", "t,x,y,z\n0,0,0,0\n1,oops,0,0\n");
    RefuseAt(FORCE("{csv: bad.csv, column: [x, y, z]}"), 5, COLUMN + 6, "line 3 of `bad.csv` holds `oops`");
    // A first row of data is never taken for the row of units.
    WriteText(FOLDER "/lost.csv", "t,x,y,z\n0,nan,0,0\n1,0,0,0\n");
    RefuseAt(FORCE("{csv: lost.csv, column: [x, y, z]}"), 5, COLUMN + 6,
             "line 2 of `lost.csv` holds `nan` where a finite number should be, in column 2");
    WriteText(FOLDER "/lost.csv", "t,x,y,z\n0,0,1e999,0\n1,0,0,0\n");
    RefuseAt(FORCE("{csv: lost.csv, column: [x, y, z]}"), 5, COLUMN + 6,
             "line 2 of `lost.csv` holds `1e999` where a finite number should be, in column 3");
    WriteText(FOLDER "/lost.csv", "t,x,y,z\nnan,0,0,0\n1,0,0,0\n");
    RefuseAt(FORCE("{csv: lost.csv, column: [x, y, z]}"), 5, COLUMN + 6, "line 2 of `lost.csv` holds `nan`");
    WriteText(FOLDER "/lost.csv", "t,x,y,z\n0,oops,0,0\n1,0,0,0\n");
    RefuseAt(FORCE("{csv: lost.csv, column: [x, y, z]}"), 5, COLUMN + 6, "line 2 of `lost.csv` holds `oops`");
    RefuseAt(FORCE("{csv: bad.csv, column: [x, y, q]}"), 5, COLUMN + 6, "`bad.csv` has no column `q`");
    RefuseAt(FORCE("{csv: bad.csv}"), 5, COLUMN + 6, "needs `column`");
    RefuseAt(FORCE("{csv: bad.csv, column: [x, y, z], time: q}"), 5, COLUMN + 6, "no column `q`");
    WriteText(FOLDER "/back.csv", "t,x,y,z\n0,0,0,0\n2,0,0,0\n1,0,0,0\n");
    RefuseAt(FORCE("{csv: back.csv, column: [x, y, z]}"), 5, COLUMN + 6,
             "must increase, but in line 4 1 follows 2");
    WriteText(FOLDER "/few.csv", "t,x,y,z\n0,0,0\n");
    RefuseAt(FORCE("{csv: few.csv, column: [x, y, z]}"), 5, COLUMN + 6, "too few columns");
    WriteText(FOLDER "/empty.csv", "");
    RefuseAt(FORCE("{csv: empty.csv, column: [x, y, z]}"), 5, COLUMN + 6, "is empty");
    WriteText(FOLDER "/names.csv", "t,x,y,z\ns,m,m,m\n");
    RefuseAt(FORCE("{csv: names.csv, column: [x, y, z]}"), 5, COLUMN + 6, "no rows");
    hwError error;
    const char* text = FORCE("{csv: bad.csv, column: [x, y, z]}");
    assert_null(hwParseScene(text, strlen(text), "t", NULL, &error));
    assert_non_null(strstr(error.message, "has no folder"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ConstantsBareAndNamed),
        cmocka_unit_test(Sines),
        cmocka_unit_test(Ramps),
        cmocka_unit_test(TablesFromListsAndFiles),
        cmocka_unit_test(SumsOfSums),
        cmocka_unit_test(TablesAreCopied),
        cmocka_unit_test(ScalarSignals),
        cmocka_unit_test(Mistakes),
        cmocka_unit_test(MistakesInFiles),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
