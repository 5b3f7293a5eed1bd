// Cables that share nothing are stepped apart: each as if it were alone, with any number of threads; what they do not share
// is judged anew at each common time; failures, saved states and incidents are those of one world.
#include "inside.h"

#include "support.h"

#include "world/cable_slots.h"
#include "world/islands.h"

#include <stdlib.h>
#include <string.h>

typedef struct Line {
    double y;      // m
    double surge;  // m, of its upper end
    double period; // s
    double span;   // m, between the ends
} Line;

static hwWorld* MakeWorld(int count, const Line* lines, int threads, double hs) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    def.threads = threads;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = true;
    environment.seabed.kind = HW_SEABED_PLANE;
    environment.seabed.depth = 100.0;
    environment.jonswap.hs = hs;
    environment.jonswap.tp = 8.0;
    assert_int_equal(hwWorld_SetEnvironment(world, &environment, &error), HW_OK);
    for (int i = 0; i < count; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "line%d", i);
        hwCableSectionDef section = hwDefaultCableSectionDef();
        section.length = 200.0;
        section.elements = 20;
        section.diameter = 0.08;
        section.massPerLength = 60.0;
        section.EA = 2e8;
        section.axialDamping = 0.01 * section.EA;
        hwSignalTerm path[2] = {hwConstantTerm(hwMakeVec3(0.0, lines[i].y, -10.0)),
                                hwSineTerm(hwMakeVec3(lines[i].surge, 0.0, 0.0), lines[i].period, 0.0)};
        hwCableDef cable = hwDefaultCableDef();
        cable.name = name;
        cable.sectionCount = 1;
        cable.sections = &section;
        cable.shape = HW_CABLE_CATENARY_SHAPE;
        cable.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = {lines[i].span, lines[i].y, -100.0}};
        cable.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .path = {2, path}};
        assert_false(HW_IS_NULL(hwWorld_AddCable(world, &cable, &error)));
    }
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
    return world;
}

static void Step(hwWorld* world, double interval) {
    hwError error;
    if (hwWorld_Step(world, interval, &error) < HW_OK) fail_msg("%s", error.message);
}

static double Read(const hwWorld* world, const char* channel) {
    int index = hwWorld_FindChannel(world, channel);
    assert_true(index >= 0);
    return hwWorld_ReadChannel(world, index);
}

static const Line three[3] = {{0.0, 2.0, 10.0, 150.0}, {40.0, 0.5, 6.0, 160.0}, {80.0, 3.0, 13.0, 155.0}};

// The very bits: an island is the world of its cable.
static void EachIsWhatItIsAlone(void** state) {
    (void)state;
    hwWorld* all = MakeWorld(3, three, 1, 2.0);
    assert_non_null(all->islands);
    for (int i = 0; i < 20; ++i) Step(all, 0.7);
    for (int k = 0; k < 3; ++k) {
        hwWorld* one = MakeWorld(1, &three[k], 1, 2.0);
        assert_null(one->islands);
        for (int i = 0; i < 20; ++i) Step(one, 0.7);
        char name[32];
        snprintf(name, sizeof(name), "line%d.b.tension", k);
        double together = Read(all, name), alone = Read(one, "line0.b.tension");
        assert_memory_equal(&together, &alone, sizeof(alone));
        hwDestroyWorld(one);
    }
    hwDestroyWorld(all);
}

static void BitsDoNotDependOnThreads(void** state) {
    (void)state;
    uint64_t hashes[3];
    for (int threads = 1; threads <= 3; ++threads) {
        hwWorld* world = MakeWorld(3, three, threads, 2.0);
        for (int i = 0; i < 12; ++i) Step(world, 0.5);
        hashes[threads - 1] = hwWorld_HashState(world);
        hwDestroyWorld(world);
    }
    assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

// The steps of all add up; a calm line does not take those of a lively one.
static void ALivelyLineDoesNotSlowCalmOnes(void** state) {
    (void)state;
    Line lines[12];
    for (int i = 0; i < 12; ++i) lines[i] = (Line){40.0 * i, 0.01, 60.0, 150.0};
    lines[5] = (Line){200.0, 4.0, 3.0, 160.0};
    hwWorld* world = MakeWorld(12, lines, 1, 0.0);
    Step(world, 30.0);
    uint64_t together = hwWorld_GetCounters(world).evaluations, apart = 0;
    hwDestroyWorld(world);
    for (int k = 0; k < 12; ++k) {
        hwWorld* one = MakeWorld(1, &lines[k], 1, 0.0);
        Step(one, 30.0);
        apart += hwWorld_GetCounters(one).evaluations;
        hwDestroyWorld(one);
    }
    // common times every ten seconds cut a step of each
    assert_true((double)together < 1.25 * (double)apart);
}

// Lines that come near each other are one world until they are apart again.
static void LinesThatMayMeetGoTogether(void** state) {
    (void)state;
    const Line crossing[2] = {{0.0, 2.0, 10.0, 150.0}, {0.3, -2.0, 10.0, 150.0}};
    hwWorld* world = MakeWorld(2, crossing, 1, 0.0);
    assert_non_null(world->islands);
    assert_true(hwIslands_Plan(world, 1.0) == 0.0);
    Step(world, 1.0);
    assert_true(world->state.header->apart == 0);
    hwDestroyWorld(world);
    world = MakeWorld(3, three, 1, 0.0);
    assert_true(hwIslands_Plan(world, 1.0) == 1.0);
    Step(world, 1.0);
    assert_true(world->state.header->apart != 0);
    hwDestroyWorld(world);
}

static void WhatIsSavedGoesOnToTheBit(void** state) {
    (void)state;
    hwError error;
    hwWorld *world = MakeWorld(3, three, 1, 2.0), *other = MakeWorld(3, three, 2, 2.0);
    for (int i = 0; i < 5; ++i) Step(world, 0.6);
    size_t size = hwWorld_GetStateSize(world);
    void* saved = malloc(size);
    assert_int_equal(hwWorld_SaveState(world, saved, size, &error), HW_OK);
    for (int i = 0; i < 5; ++i) Step(world, 0.6);
    assert_int_equal(hwWorld_RestoreState(other, saved, size, &error), HW_OK);
    for (int i = 0; i < 5; ++i) Step(other, 0.6);
    assert_true(hwWorld_HashState(world) == hwWorld_HashState(other));
    hwWorld* branch = hwWorld_Branch(world, &error);
    assert_non_null(branch);
    Step(world, 0.6);
    Step(branch, 0.6);
    assert_true(hwWorld_HashState(world) == hwWorld_HashState(branch));
    free(saved);
    hwDestroyWorld(branch);
    hwDestroyWorld(other);
    hwDestroyWorld(world);
}

// Each cable's energy balance closes, so that of all does.
static void EnergyBalances(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(3, three, 1, 0.0);
    hwEnergy start = hwWorld_GetEnergy(world);
    for (int i = 0; i < 30; ++i) Step(world, 0.5);
    hwEnergy end = hwWorld_GetEnergy(world);
    double before = start.kinetic + start.potential + start.elastic + start.dissipated - start.work;
    double after = end.kinetic + end.potential + end.elastic + end.dissipated - end.work;
    double turned = end.dissipated + fabs(end.work);
    assert_true(turned > 1e4);
    // as for a line alone: what the local error of 2e-3 of the way leaves
    assert_true(fabs(after - before) < 0.01 * turned);
    // with what the steps damped, which is booked across the common times too
    assert_true(fabs(after + end.method - before - start.method) < 0.01 * turned);
    hwDestroyWorld(world);
}

static int CompareTimes(const void* a, const void* b) {
    double x = ((const hwIncident*)a)->time, y = ((const hwIncident*)b)->time;
    return (x > y) - (x < y);
}

// Slack and snap of several lines are listed by time, those that each has alone.
static void IncidentsAreListedByTime(void** state) {
    (void)state;
    Line snaps[3];
    for (int k = 0; k < 3; ++k) snaps[k] = (Line){60.0 * k, 14.0, 4.0 + 0.7 * k, 175.0};
    hwWorld* world = MakeWorld(3, snaps, 2, 0.0);
    for (int i = 0; i < 12; ++i) Step(world, 1.0);
    assert_true(world->state.header->apart != 0);
    static hwIncident listed[256], expected[256];
    int count = hwWorld_GetIncidents(world, 256, listed), wanted = 0;
    for (int k = 0; k < 3; ++k) {
        hwWorld* one = MakeWorld(1, &snaps[k], 1, 0.0);
        for (int i = 0; i < 12; ++i) Step(one, 1.0);
        wanted += hwWorld_GetIncidents(one, 256 - wanted, expected + wanted);
        hwDestroyWorld(one);
    }
    assert_true(wanted > 3 && wanted < 256);
    assert_int_equal(count, wanted);
    qsort(expected, (size_t)wanted, sizeof(expected[0]), CompareTimes);
    // Violent motion makes common times fall where steps alone would not end; a step is up to 0.1 s there.
    for (int i = 0; i < count; ++i) {
        assert_true(i == 0 || listed[i].time >= listed[i - 1].time);
        assert_close(listed[i].time, expected[i].time, 0.12);
        assert_int_equal(listed[i].kind, expected[i].kind);
        // peaks of snaps are followed over the common time after them; their size is the speed's at the snap
        if (expected[i].value > 1e6) assert_close(listed[i].value / expected[i].value, 1.0, 0.05);
    }
    hwDestroyWorld(world);
}

typedef struct Rows {
    int count;
    double next, last;
    double tensions[400];
} Rows;

static double TakeRow(const hwWorld* world, void* context) {
    Rows* rows = context;
    assert_close(hwWorld_GetTime(world), rows->next, 1e-9);
    rows->tensions[rows->count++] = Read(world, "line0.b.tension");
    rows->tensions[rows->count++] = Read(world, "line2.b.tension");
    rows->next += 0.13;
    return rows->next < rows->last ? rows->next : HUGE_VAL;
}

// Rows at any times leave the bits as they are, and are what the line alone gives.
static void RowsChangeNothing(void** state) {
    (void)state;
    hwError error;
    hwWorld *bare = MakeWorld(3, three, 1, 2.0), *read = MakeWorld(3, three, 2, 2.0);
    static Rows rows, alone;
    rows = alone = (Rows){0, 0.13, 12.5, {0}};
    assert_int_equal(hwWorld_SetSampler(read, 0.13, TakeRow, &rows, &error), HW_OK);
    Step(bare, 12.5);
    Step(read, 12.5);
    assert_true(read->state.header->apart != 0);
    assert_true(rows.count > 180);
    assert_true(hwWorld_HashState(bare) == hwWorld_HashState(read));
    // the first and the third line, as a world of two
    const Line two[3] = {three[0], {400.0, 0.1, 30.0, 150.0}, three[2]};
    hwWorld* other = MakeWorld(3, two, 1, 2.0);
    assert_int_equal(hwWorld_SetSampler(other, 0.13, TakeRow, &alone, &error), HW_OK);
    Step(other, 12.5);
    for (int i = 0; i < rows.count; ++i) assert_true(rows.tensions[i] == alone.tensions[i]);
    hwDestroyWorld(other);
    hwDestroyWorld(read);
    hwDestroyWorld(bare);
}

typedef struct Watch {
    int calls[3];
    double last[3], most[3];
} Watch;

static void WatchCable(const hwWorld* world, hwCableId cable, void* context) {
    Watch* watch = context;
    hwCableView view;
    hwError error;
    assert_int_equal(hwCable_GetView(world, cable, &view, &error), HW_OK);
    int k = hwCable_GetName(world, cable)[4] - '0';
    watch->calls[k] += 1;
    assert_true(hwWorld_GetTime(world) > watch->last[k]);
    watch->last[k] = hwWorld_GetTime(world);
    watch->most[k] = fmax(watch->most[k], view.tensions[view.elementCount - 1]);
}

// Each cable is seen at each of its own steps; another one is not there.
static void CablesAreWatchedAtTheirOwnSteps(void** state) {
    (void)state;
    hwError error;
    hwWorld *bare = MakeWorld(3, three, 1, 2.0), *world = MakeWorld(3, three, 1, 2.0);
    Watch watch = {{0}, {0}, {0}};
    hwWorld_SetCableObserver(world, WatchCable, &watch);
    for (int i = 0; i < 8; ++i) {
        Step(bare, 1.0);
        Step(world, 1.0);
    }
    assert_true(hwWorld_HashState(bare) == hwWorld_HashState(world));
    assert_int_equal(watch.calls[0] + watch.calls[1] + watch.calls[2], (int)hwWorld_GetCounters(world).steps);
    for (int k = 0; k < 3; ++k) {
        char name[32];
        snprintf(name, sizeof(name), "line%d.b.tension", k);
        assert_close(watch.last[k], 8.0, 1e-12);
        assert_true(watch.most[k] >= 0.999 * Read(world, name));
    }
    hwCableView view;
    assert_int_equal(hwCable_GetView(world, hwWorld_FindCable(world, "line2"), &view, &error), HW_OK);
    hwDestroyWorld(bare);
    hwDestroyWorld(world);
}

static bool StopNow(void* context) {
    return *(bool*)context;
}

static void AStopLeavesTheWorldWhole(void** state) {
    (void)state;
    hwError error;
    bool stop = false;
    hwWorld* world = MakeWorld(3, three, 2, 2.0);
    world->def.stop = StopNow;
    world->def.stopContext = &stop;
    Step(world, 1.0);
    uint64_t hash = hwWorld_HashState(world);
    stop = true;
    assert_int_equal(hwWorld_Step(world, 1.0, &error), HW_ERROR_STOPPED);
    assert_true(hwWorld_HashState(world) == hash);
    stop = false;
    Step(world, 1.0);
    assert_close(hwWorld_GetTime(world), 2.0, 1e-12);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EachIsWhatItIsAlone),
        cmocka_unit_test(BitsDoNotDependOnThreads),
        cmocka_unit_test(ALivelyLineDoesNotSlowCalmOnes),
        cmocka_unit_test(LinesThatMayMeetGoTogether),
        cmocka_unit_test(WhatIsSavedGoesOnToTheBit),
        cmocka_unit_test(EnergyBalances),
        cmocka_unit_test(IncidentsAreListedByTime),
        cmocka_unit_test(RowsChangeNothing),
        cmocka_unit_test(CablesAreWatchedAtTheirOwnSteps),
        cmocka_unit_test(AStopLeavesTheWorldWhole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
