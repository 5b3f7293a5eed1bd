// Range graphs: a hanging wire in closed form, a moving one beside its channels, payout, files.
#include "hawser/extremes.h"
#include "hawser/hawser.h"
#include "hawser/results.h"
#include "hawser/scene.h"
#include "support.h"

#include <unistd.h>

static hwWorld* BuildWorld(const char* text) {
    hwError error;
    hwScene* scene = hwParseScene(text, strlen(text), "test", NULL, &error);
    if (!scene) fail_msg("%d: %s", error.line, error.message);
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (!world) fail_msg("%s", error.message);
    hwDestroyScene(scene);
    return world;
}

static void Observe(const hwWorld* world, void* context) {
    hwRanges_Observe(context, world);
}

static hwRanges* RunWith(hwWorld* world, double duration) {
    hwError error;
    hwRanges* ranges = hwCreateRanges(world, &error);
    assert_non_null(ranges);
    hwRanges_Observe(ranges, world);
    hwWorld_SetObserver(world, Observe, ranges);
    if (duration > 0) assert_true(hwWorld_Step(world, duration, &error) >= 0);
    hwWorld_SetObserver(world, NULL, NULL);
    return ranges;
}

// Tension at s is the weight below it; the wire hangs 5 m above the bottom.
static void test_a_hanging_wire(void** state) {
    (void)state;
    hwWorld* world = BuildWorld("hawser: 1\nname: t\nduration: 1\nstart: {statics: true}\nenvironment: "
                                "{gravity: 9.81, seabed: {depth: 15}}\n"
                                "cables:\n  - name: wire\n    sections: [{length: 4, elements: 4, diameter: "
                                "0.02, mass_per_length: 2, EA: 1e9, "
                                "break: 1e4, bend_radius: 0.5}, {length: 6, elements: 3, diameter: 0.04, "
                                "mass_per_length: 3, EA: 1e9}]\n"
                                "    ends: {a: {on: earth, at: [0, 0, 0]}, b: {joint: free}}\n");
    hwRanges* ranges = RunWith(world, 0.5);
    assert_int_equal(hwRanges_GetCount(ranges), 7);
    for (int i = 0; i < 7; ++i) {
        const char* name;
        const hwRangeStation* s = hwRanges_GetStation(ranges, i, &name);
        assert_string_equal(name, "wire");
        bool upper = i < 4;
        double arc = upper ? i + 0.5 : 4 + 2 * (i - 4) + 1;
        assert_close(s->arc, arc, 1e-12);
        double weight = 9.81 * (upper ? 18 + 2 * (4 - arc) : 3 * (10 - arc));
        // lumped: exact at the middle of an element; stretch of 2e-7 and the settling of statics leave less than 1e-6
        assert_close(s->tensionMin, weight, 1e-5 * weight);
        assert_close(s->tensionMean, weight, 1e-5 * weight);
        assert_close(s->tensionMax, weight, 1e-5 * weight);
        assert_close(s->clearanceMin, 15 - (upper ? i + 1 : 4 + 2 * (i - 3)) - (upper ? 0.01 : 0.02), 1e-4);
        assert_true(s->curvatureMax < 1e-6);
        assert_true(upper ? s->breakTension == 1e4 && s->bendRadius == 0.5
                          : isinf(s->breakTension) && s->bendRadius == 0);
        assert_close(s->time, 0.5, 1e-12);
    }
    assert_null(hwRanges_GetStation(ranges, 7, NULL));
    assert_null(hwRanges_GetStation(ranges, -1, NULL));
    hwDestroyRanges(ranges);
    hwDestroyWorld(world);
}

// The same numbers by another way: channels read at every step, their extremes and means as a run's summary has them.
typedef struct Beside {
    hwRanges* ranges;
    hwExtremes* extremes; // of the tensions of 8 elements, then of the sharper curvature beside each
    double high[8];       // of the steps alone
} Beside;

static double ReadChannel(const hwWorld* world, const char* format, int index) {
    char name[64];
    snprintf(name, sizeof(name), format, index);
    int channel = hwWorld_FindChannel(world, name);
    assert_true(channel >= 0);
    return hwWorld_ReadChannel(world, channel);
}

static double ReadCurvature(const hwWorld* world, int node) {
    double x = ReadChannel(world, "wire.node[%d].curvature.x", node),
           y = ReadChannel(world, "wire.node[%d].curvature.y", node);
    return hypot(hypot(x, y), ReadChannel(world, "wire.node[%d].curvature.z", node));
}

static void ObserveBeside(const hwWorld* world, void* context) {
    Beside* b = context;
    hwRanges_Observe(b->ranges, world);
    double values[16];
    for (int i = 0; i < 8; ++i) {
        values[i] = ReadChannel(world, "wire.element[%d].tension", i);
        values[8 + i] = fmax(ReadCurvature(world, i), ReadCurvature(world, i + 1));
        b->high[i] = fmax(b->high[i], values[i]);
    }
    hwExtremes_Add(b->extremes, hwWorld_GetTime(world), values);
}

static void test_beside_the_channels(void** state) {
    (void)state;
    hwWorld* world = BuildWorld(
        "hawser: 1\nname: t\nduration: 4\nstart: {statics: true}\nenvironment: {gravity: 9.81, water: {}}\n"
        "cables:\n  - name: wire\n    sections: [{length: 20, elements: 8, diameter: 0.05, mass_per_length: "
        "5, EA: 1e6, EI: 50}]\n"
        "    ends:\n      a: {on: earth, at: {sine: {amplitude: [0.5, 0, 0.5], offset: [0, 0, -5], period: "
        "3}}}\n"
        "      b: {on: earth, at: [15, 0, -8], joint: clamp, p1: [0, 1, 0], p2: [0, 0, 1]}\n");
    hwError error;
    Beside b = {.ranges = hwCreateRanges(world, &error), .extremes = hwCreateExtremes(16, &error)};
    ObserveBeside(world, &b);
    hwWorld_SetObserver(world, ObserveBeside, &b);
    assert_true(hwWorld_Step(world, 4.0, &error) >= 0);
    hwExtreme known[16];
    hwExtremes_Get(b.extremes, known);
    int between = 0;
    for (int i = 0; i < 8; ++i) {
        const hwRangeStation* s = hwRanges_GetStation(b.ranges, i, NULL);
        const hwExtreme *tension = &known[i], *bend = &known[8 + i];
        // the same formula, but for how its terms are put together
        assert_close(s->tensionMin, tension->min, 1e-12 * tension->max);
        assert_close(s->tensionMax, tension->max, 1e-12 * tension->max);
        assert_close(s->tensionMean, tension->mean, 1e-12 * tension->max);
        assert_true(tension->max > 1.05 * tension->min); // it moved
        between += tension->max > b.high[i];
        assert_close(s->curvatureMin, bend->min, 1e-12 * bend->max);
        assert_close(s->curvatureMax, bend->max, 1e-12 * bend->max);
        assert_close(s->curvatureMean, bend->mean, 1e-12 * bend->max);
        assert_true(s->curvatureMax > 0.0);
        assert_true(isnan(s->clearanceMin)); // no bottom
    }
    assert_true(between > 0); // some greatest tension is between two steps
    hwDestroyExtremes(b.extremes);
    hwDestroyRanges(b.ranges);
    hwDestroyWorld(world);
}

static void test_what_a_winch_pays_out_has_stations(void** state) {
    (void)state;
    hwWorld* world =
        BuildWorld("hawser: 1\nname: t\nduration: 4\nenvironment: {gravity: 9.81}\n"
                   "bodies: [{name: load, mass: 100, position: [0, 0, -10], inertia: [10, 10, 10]}]\n"
                   "cables:\n  - name: wire\n    sections: [{length: 10, elements: 5, diameter: "
                   "0.02, mass_per_length: 1, EA: 1e6}]\n"
                   "    ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: load, at: [0, 0, 0]}}\n"
                   "winches: [{name: w, cable: wire, end: a, setpoint: 1, longest: 30}]\n");
    hwRanges* ranges = RunWith(world, 4.0);
    assert_int_equal(hwRanges_GetCount(ranges), 15); // ten more of 2 m
    int out = 0;
    for (int i = 0; i < 15; ++i) {
        const hwRangeStation* s = hwRanges_GetStation(ranges, i, NULL);
        assert_close(s->arc, -19.0 + 2.0 * i, 1e-9);
        out += !isnan(s->time);
        if (s->arc < -4.0) assert_true(isnan(s->time) && isnan(s->tensionMax)); // 4 m at most in 4 s
        if (s->arc > 0.0) assert_close(s->time, 4.0, 1e-9);
        if (s->arc == -1.0) assert_true(s->time > 0.5 && s->time < 4.0 && s->tensionMax > 900.0);
    }
    assert_true(out >= 6 && out <= 7);
    hwDestroyRanges(ranges);
    hwDestroyWorld(world);
}

static void test_files_keep_them(void** state) {
    (void)state;
    hwWorld* world = BuildWorld("hawser: 1\nname: t\nduration: 1\nstart: {statics: true}\n"
                                "cables:\n  - {name: one, sections: [{length: 10, elements: 5, diameter: "
                                "0.02, mass_per_length: 1, EA: 1e6}], "
                                "ends: {a: {on: earth, at: [0, 0, 0]}, b: {on: earth, at: [8, 0, 0]}}}\n"
                                "  - {name: second, sections: [{length: 6, elements: 3, diameter: 0.02, "
                                "mass_per_length: 1, EA: 1e6, break: 5e4}], "
                                "ends: {a: {on: earth, at: [0, 3, 0]}, b: {on: earth, at: [5, 3, 0]}}}\n");
    hwRanges* ranges = RunWith(world, 0.1);
    const char* names[8];
    for (int i = 0; i < 8; ++i) hwRanges_GetStation(ranges, i, &names[i]);
    char h5[64], copy[64], csv[64];
    snprintf(h5, sizeof(h5), "ranges_%ld.h5", (long)getpid());
    snprintf(copy, sizeof(copy), "ranges_copy_%ld.h5", (long)getpid());
    snprintf(csv, sizeof(csv), "ranges_%ld.csv", (long)getpid());
    hwChannelInfo channel = hwWorld_GetChannel(world, 0);
    hwRangeStation blank[8];
    for (int i = 0; i < 8 * HW_RANGE_COLUMNS; ++i) ((double*)blank)[i] = (double)NAN;
    hwRecorderDef def = hwDefaultRecorderDef();
    def.path = h5;
    def.channelCount = 1;
    def.channels = &channel;
    def.stationCount = hwRanges_GetCount(ranges);
    def.stations = blank;
    def.stationCables = names;
    hwError error;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    assert_non_null(recorder);
    double row = 0.0;
    assert_status(hwRecorder_Append(recorder, 1, &row, &error), HW_OK);
    assert_status(hwRecorder_SetStations(recorder, hwRanges_GetStation(ranges, 0, NULL), &error), HW_OK);
    assert_status(hwRecorder_Finish(recorder, NULL, &error), HW_OK);
    assert_status(hwRecorder_SetStations(recorder, blank, &error), HW_ERROR_ORDER);
    hwDestroyRecorder(recorder);
    assert_status(hwConvertResults(h5, copy, &error), HW_OK);
    for (int k = 0; k < 2; ++k) {
        hwResults* results = hwOpenResults(k ? copy : h5, &error);
        if (!results) fail_msg("%s", error.message);
        assert_int_equal(hwResults_GetStationCount(results), 8);
        for (int i = 0; i < 8; ++i) {
            const char *name, *expected;
            const hwRangeStation *a = hwResults_GetStation(results, i, &name),
                                 *b = hwRanges_GetStation(ranges, i, &expected);
            assert_memory_equal(a, b, sizeof(hwRangeStation));
            assert_string_equal(name, expected);
        }
        assert_null(hwResults_GetStation(results, 8, NULL));
        hwCloseResults(results);
    }
    assert_status(hwRanges_WriteCsv(ranges, csv, &error), HW_OK);
    FILE* file = fopen(csv, "r");
    assert_non_null(file);
    char line[512];
    int lines = 0, second = 0;
    while (fgets(line, sizeof(line), file)) {
        if (lines == 0)
            assert_string_equal(
                line, "cable,arc,tension.min,tension.mean,tension.max,break,curvature.min,curvature.mean,"
                      "curvature.max,bend_radius,clearance.min,clearance.mean,clearance.max,time,damage\n");
        if (lines == 1) assert_string_equal(line, ",m,N,N,N,N,1/m,1/m,1/m,m,m,m,m,s,1\n");
        second += strncmp(line, "second,", 7) == 0;
        ++lines;
    }
    assert_true(lines == 10 && second == 3);
    fclose(file);
    unlink(h5);
    unlink(copy);
    unlink(csv);
    hwDestroyRanges(ranges);
    hwDestroyWorld(world);
}

// Damage beside a count by hand: stresses of the planar cable from its channels, at the eight points.
enum { MOST_STEPS = 20000 };
typedef struct Stresses {
    hwRanges* ranges;
    int count;
    double time[MOST_STEPS];
    double tension[3][MOST_STEPS], bend[3][MOST_STEPS]; // of the first, an inner and the last element
} Stresses;

// What is between two steps, at many points: the parabola with the smaller one of the curvatures on either side.
enum { FINE = 200 };

static double Bend(const double* t, const double* x) {
    return ((x[2] - x[1]) / (t[2] - t[1]) - (x[1] - x[0]) / (t[1] - t[0])) / (t[2] - t[0]);
}

static int Refine(int count, const double* t, const double* x, double* fine) {
    int n = 0;
    for (int i = 0; i + 1 < count; ++i) {
        double before = i > 0 ? Bend(t + i - 1, x + i - 1) : 0.0;
        double after = i + 2 < count ? Bend(t + i, x + i) : 0.0;
        double c = before * after > 0.0 ? copysign(fmin(fabs(before), fabs(after)), before) : 0.0;
        for (int k = 0; k < FINE; ++k) {
            double u = (double)k / FINE, h = t[i + 1] - t[i];
            fine[n++] = x[i] + u * (x[i + 1] - x[i]) + c * u * (u - 1.0) * h * h;
        }
    }
    fine[n++] = x[count - 1];
    return n;
}

static double ReadBend(const hwWorld* world, int node) {
    return ReadChannel(world, "wire.node[%d].curvature.y", node);
}

static void ObserveStresses(const hwWorld* world, void* context) {
    Stresses* s = context;
    hwRanges_Observe(s->ranges, world);
    static const int elements[3] = {0, 3, 7};
    assert_true(s->count < MOST_STEPS);
    s->time[s->count] = hwWorld_GetTime(world);
    for (int k = 0; k < 3; ++k)
        s->tension[k][s->count] = ReadChannel(world, "wire.element[%d].tension", elements[k]);
    s->bend[0][s->count] = ReadBend(world, 0);
    s->bend[1][s->count] = 0.5 * (ReadBend(world, 3) + ReadBend(world, 4));
    s->bend[2][s->count] = ReadBend(world, 8);
    s->count += 1;
}

static void test_fatigue_beside_a_count_by_hand(void** state) {
    (void)state;
    hwWorld* world = BuildWorld(
        "hawser: 1\nname: t\nduration: 12\nstart: {statics: true}\nenvironment: {gravity: 9.81, water: {}}\n"
        "cables:\n  - name: wire\n    sections: [{length: 20, elements: 8, diameter: 0.05, mass_per_length: "
        "5, EA: 1e6, EI: 50, "
        "fatigue: {slope: 3, log_a: 9, knee: 1e6, knee_slope: 5, tension: 5e-3, bending: 300}}]\n"
        "    ends:\n      a: {on: earth, at: {sine: {amplitude: [0.5, 0, 0.5], offset: [0, 0, -5], period: "
        "3}}}\n"
        "      b: {on: earth, at: [15, 0, -8], joint: clamp, p1: [0, 1, 0], p2: [0, 0, 1]}\n");
    hwError error;
    Stresses* s = calloc(1, sizeof(Stresses));
    s->ranges = hwCreateRanges(world, &error);
    ObserveStresses(world, s);
    hwWorld_SetObserver(world, ObserveStresses, s);
    assert_true(hwWorld_Step(world, 12.0, &error) >= 0);
    hwRanges_Finish(s->ranges);
    hwFatigueCurve curve = hwDefaultFatigueCurve();
    curve.logA = 9.0;
    curve.kneeLife = 1e6;
    double* stress = malloc((size_t)s->count * sizeof(double));
    double* fine = malloc((size_t)s->count * FINE * sizeof(double));
    hwRainflowCycle* cycles = malloc((size_t)s->count * FINE * sizeof(hwRainflowCycle));
    static const int elements[3] = {0, 3, 7};
    for (int k = 0; k < 3; ++k) {
        double most = 0.0;
        for (int p = 0; p < 8; ++p) {
            for (int i = 0; i < s->count; ++i)
                stress[i] = 5e-3 * s->tension[k][i] + 300.0 * cos(HW_PI * p / 4.0) * s->bend[k][i];
            int length = Refine(s->count, s->time, stress, fine);
            int64_t count = hwSeries_CountRainflow(length, fine, s->count * FINE, cycles);
            most = fmax(most, hwFatigueCurve_SumDamage(&curve, count, cycles));
        }
        assert_true(most > 0.0);
        // the same sums in another order, the cable is planar to rounding, and peaks lie between the fine points
        assert_close(hwRanges_GetStation(s->ranges, elements[k], NULL)->damage / most, 1.0, 1e-4);
    }
    hwDestroyRanges(s->ranges);
    free(stress);
    free(fine);
    free(cycles);
    free(s);
    hwDestroyWorld(world);
}

// A light wire drawn to and fro: N cycles of one range between peaks, most of which lie between two steps. Steps of a tenth of the
// period; their ends alone would give a damage a tenth too small.
static void test_damage_of_equal_cycles(void** state) {
    (void)state;
    enum { CYCLES = 40 };
    double period = 0.97;
    hwWorld* world = BuildWorld(
        "hawser: 1\nname: t\nduration: 39\nsolver: {max: 0.1, initial: 0.1, tolerance: 0.1}\nenvironment: "
        "{gravity: 0}\n"
        "cables:\n  - name: wire\n    sections: [{length: 10, elements: 2, diameter: 0.02, "
        "mass_per_length: 1e-6, EA: 1e6, damping: {axial: 100}, "
        "fatigue: {slope: 4, log_a: 12, tension: 0.1}}]\n"
        "    ends:\n      a: {on: earth, at: [0, 0, 0]}\n"
        "      b: {on: earth, at: {sine: {amplitude: [0.01, 0, 0], offset: [10.02, 0, 0], period: 0.97, "
        "phase_deg: 90}}}\n");
    hwRanges* ranges = RunWith(world, CYCLES * period);
    hwRanges_Finish(ranges);
    // tension 2000 + 1000 cos N; damping is a quarter of a turn ahead of it: 100 N s times 2 pi / 0.97 s is a thousandth of EA
    double expected = CYCLES * pow(0.1 * 2000.0, 4.0) / 1e12;
    assert_close(hwRanges_GetStation(ranges, 0, NULL)->damage / expected, 1.0, 0.02);
    hwDestroyRanges(ranges);
    hwDestroyWorld(world);
}

static void test_a_negative_bend_radius_is_refused(void** state) {
    (void)state;
    static const char text[] =
        "hawser: 1\nname: t\nduration: 1\ncables:\n  - {name: wire, sections: [{length: 4, elements: 4, "
        "diameter: 0.02, "
        "mass_per_length: 2, EA: 1e9, bend_radius: -1}], ends: {a: {on: earth, at: [0, 0, 0]}}}\n";
    hwError error;
    assert_null(hwParseScene(text, strlen(text), "test", NULL, &error));
    assert_non_null(strstr(error.message, "bend_radius"));
    hwWorldDef base = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&base, &error);
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 1.0;
    section.elements = 1;
    section.diameter = 0.01;
    section.massPerLength = 1.0;
    section.EA = 1e6;
    section.bendRadius = -1.0;
    hwCableDef cable = hwDefaultCableDef();
    cable.name = "wire";
    cable.sectionCount = 1;
    cable.sections = &section;
    cable.ends[0].joint = HW_ATTACH_PIN;
    assert_true(HW_IS_NULL(hwWorld_AddCable(world, &cable, &error)));
    assert_string_equal(error.field, "sections[].bendRadius");
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_hanging_wire),
        cmocka_unit_test(test_beside_the_channels),
        cmocka_unit_test(test_what_a_winch_pays_out_has_stations),
        cmocka_unit_test(test_files_keep_them),
        cmocka_unit_test(test_fatigue_beside_a_count_by_hand),
        cmocka_unit_test(test_damage_of_equal_cycles),
        cmocka_unit_test(test_a_negative_bend_radius_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
