// A tether's end is led along random routes in a jacket, and back: winding and linking numbers of the tether are at every sampled
// moment those of the path that was led, and nothing is left after the way back. HAWSER_SWEEP_ROUTES=100 takes so many routes,
// HAWSER_SWEEP_MODEL=wrap those of one model.
#include "jacket.h"

#define SPEED 0.8   // m/s
#define FRAME 0.05  // s
#define LOOK 10     // frames between two looks
#define SLACK 1.02  // tether out over the way led
#define LENGTH 26.0 // m of a route in the jacket

typedef struct Tally {
    int routes, samples, comparisons, wrong, uncertain, wound, linked, circles, residues, failures;
    int ways, apart,
        scrapes; // ways home, those not of the tether's class, those nearer than half of the clearance
    int most;    // largest sum of |number|
    double simulated;
} Tally;

static const hwVec3 g_boat = {4.0, 0.0, -0.5}, g_start = {11.0, 0.0, -5.0};

// The tether, its drum and its watch, as text of a scene.
static const char* WriteTether(const char* model, hwVec3 boat, hwVec3 start) {
    static char text[2000];
    snprintf(
        text, sizeof(text),
        "cables:\n"
        "  - name: tether\n"
        "    model: %s\n"
        "    sections: [{length: %.17g, elements: 6, type: rov_tether_7_6, material: plastic, "
        "element_length: {min: 0.7, max: 2}}]\n"
        "    ends: {a: {on: earth, at: [%g, %g, %g]}, b: {on: earth, at: [%g, %g, %g]}}\n"
        "winches:\n"
        "  - {name: drum, cable: tether, end: a, mode: velocity, setpoint: 0, longest: 120, acceleration: 2, "
        "deceleration: -2}\n"
        "entanglement: [{cable: tether}]\n",
        model, SLACK * hwDistance(boat, start), boat.x, boat.y, boat.z, start.x, start.y, start.z);
    return text;
}

// Compares all numbers with those of the path led so far; the tether may not be certain where it touches an axis within rounding.
static int Compare(const Jacket* jacket, const Route* route, double s, Tally* tally, bool* wound,
                   bool* linked) {
    int leg, sum = 0;
    hwVec3 along, path[JACKET_POINTS];
    hwVec3 at = GetRoutePoint(route, s, &leg, &along);
    memcpy(path, route->points, (size_t)leg * sizeof(hwVec3));
    path[leg] = at;
    hwEntanglement all;
    hwError error;
    assert_status(hwCable_GetEntanglement(jacket->world, jacket->cable, &all, &error), HW_OK);
    tally->samples += 1;
    for (int i = 0; i < all.featureCount; ++i) {
        hwWatchFeature feature = hwCable_GetWatchFeature(jacket->world, jacket->cable, i);
        double flown = CountPath(jacket->world, jacket->cable, i, (hwPolyline){leg + 1, path});
        tally->comparisons += 1;
        if (!feature.certain) {
            tally->uncertain += 1;
        } else if (!(fabs(flown - feature.number) < 1e-6)) {
            if (tally->wrong++ < 20)
                print_message("  %.2f s, %.2f m: %s is %d, flown %.9g\n", hwWorld_GetTime(jacket->world), s,
                              feature.name, feature.number, flown);
        }
        sum += abs(feature.number);
        if (feature.number != 0) *(feature.isAxis ? wound : linked) = true;
    }
    if (sum > tally->most) tally->most = sum;
    return sum;
}

// The tether pulled tight and the way home belong to the tether's homotopy class: closed by them it is wound round nothing.
static void CheckWayHome(const Jacket* jacket, Tally* tally, double s, uint64_t number) {
    static hwTetherWaypoint route[4000];
    static hwVec3 way[2][4000], corners[100][64];
    hwTetherFeature features[100];
    hwTetherLetter letters[512];
    hwTurnCount numbers[100];
    hwEntanglement all;
    hwHaulForecast haul;
    hwCableView view;
    hwError error;
    int counts[2];
    assert_status(hwCable_GetEntanglement(jacket->world, jacket->cable, &all, &error), HW_OK);
    for (int i = 0; i < all.featureCount; ++i) {
        int count = hwCable_GetWatchPoints(jacket->world, jacket->cable, i, 64, corners[i]);
        features[i] = (hwTetherFeature){
            .isAxis = hwCable_GetWatchFeature(jacket->world, jacket->cable, i).isAxis,
            .axis = {.point = corners[i][0], .direction = hwSub(corners[i][1], corners[i][0])},
            .loop = {count, corners[i]}};
    }
    assert_status(hwCable_ForecastHaul(jacket->world, jacket->cable, 1.0, 100.0, &haul, 4000, way[0],
                                       &counts[0], &error),
                  HW_OK);
    for (int i = 0; i < counts[0] / 2; ++i) {
        hwVec3 swap = way[0][i];
        way[0][i] = way[0][counts[0] - 1 - i];
        way[0][counts[0] - 1 - i] = swap;
    }
    counts[1] = hwCable_FindRoute(jacket->world, jacket->cable, JACKET_CLEARANCE, 4000, route, &error);
    double least = HUGE_VAL;
    for (int i = 0; i < counts[1]; ++i) {
        way[1][i] = route[i].point;
        if (i > 0 && i + 1 < counts[1]) least = hwFmin(least, route[i].clearance);
    }
    assert_status(hwCable_GetView(jacket->world, jacket->cable, &view, &error), HW_OK);
    tally->ways += 1;
    tally->scrapes += least < 0.5 * JACKET_CLEARANCE;
    for (int k = 0; k < 2; ++k) {
        int word =
            hwTether_CountAll((hwPolyline){view.nodeCount, view.positions}, (hwPolyline){counts[k], way[k]},
                              all.featureCount, features, numbers, 512, letters);
        int sum = 0;
        for (int i = 0; i < all.featureCount; ++i) sum += abs(numbers[i].count);
        if (sum == 0) continue;
        tally->apart += 1;
        print_message("  route %d, %.2f s, %.2f m: %s is not of the tether's class, numbers %d, word %d\n",
                      (int)number, hwWorld_GetTime(jacket->world), s,
                      k == 0 ? "the tight tether" : "the way home", sum, word);
        break;
    }
    if (least < 0.5 * JACKET_CLEARANCE)
        print_message("  route %d, %.2f s, %.2f m: way home with a clearance of %.3f m\n", (int)number,
                      hwWorld_GetTime(jacket->world), s, least);
}

static bool LeadAlong(Jacket* jacket, const Route* route, Tally* tally, uint64_t number) {
    hwError error;
    double first = hwDistance(route->points[0], route->points[1]), s = first, end = GetRouteLength(route);
    int drum = hwWorld_FindInput(jacket->world, "drum.setpoint");
    assert_true(drum >= 0);
    bool wound = false, linked = false;
    for (int direction = 1; direction >= -1; direction -= 2) {
        int frames = (int)ceil((end - first) / (SPEED * FRAME)), leg;
        double from = s, step = direction * (end - first) / frames;
        for (int i = 1; i <= frames; ++i) {
            hwVec3 along, here = GetRoutePoint(route, s, &leg, &along);
            double next = i == frames ? (direction > 0 ? end : first) : from + i * step;
            hwVec3 there = GetRoutePoint(route, next, &leg, &along);
            hwVec3 velocity = hwScale(1.0 / FRAME, hwSub(there, here));
            hwStatus status =
                hwCable_SetEndMotion(jacket->world, jacket->cable, 1, here, velocity, hwVec3_zero, &error);
            // as much out as the way is long, on the way there as on the way back
            double off = SLACK * next - ReadChannel(jacket->world, "tether.length");
            hwWorld_SetInput(jacket->world, drum, hwClamp(off / FRAME, -1.5, 1.5), &error);
            if (status == HW_OK) status = hwWorld_Step(jacket->world, FRAME, &error);
            if (status < HW_OK) {
                print_message("  route %d, %.2f s, %.2f m: %s\n", (int)number, hwWorld_GetTime(jacket->world),
                              s, error.message);
                return false;
            }
            s = next;
            if (direction > 0 && (i == frames || i == frames / 2)) CheckWayHome(jacket, tally, s, number);
            if (i % LOOK == 0 || i == frames) Compare(jacket, route, s, tally, &wound, &linked);
        }
    }
    tally->wound += wound;
    tally->linked += linked;
    bool w = false, l = false;
    int sum = Compare(jacket, route, s, tally, &w, &l);
    double word = ReadChannel(jacket->world, "tether.entanglement.word");
    if (sum != 0 || word != 0.0) {
        tally->residues += 1;
        print_message("  route %d: numbers %d, word of %g letters left\n", (int)number, sum, word);
    }
    tally->simulated += hwWorld_GetTime(jacket->world);
    return true;
}

static void Sweep(const char* model, int few, int first) {
    const char* only = getenv("HAWSER_SWEEP_MODEL");
    if (only != NULL && strcmp(only, model) != 0) skip();
    Tally tally = {0};
    int begin = GetSweepFirst("HAWSER_SWEEP_ROUTES", first),
        count = GetSweepCount("HAWSER_SWEEP_ROUTES", few);
    for (int i = begin; i < begin + count; ++i) {
        Jacket jacket = MakeJacket(WriteTether(model, g_boat, g_start));
        Route route = MakeRoute(&jacket, g_boat, g_start, LENGTH, (uint64_t)i);
        int before = tally.wrong;
        if (!LeadAlong(&jacket, &route, &tally, (uint64_t)i)) tally.failures += 1;
        if (tally.wrong > before) print_message("  route %d: %d numbers differ\n", i, tally.wrong - before);
        tally.routes += 1;
        tally.circles += route.circles;
        FreeJacket(&jacket);
    }
    print_message(
        "%s: %d routes, %d times round a bar, %d wound round an axis, %d through a loop, largest sum %d; "
        "%d samples, %d numbers, %d wrong, %d not certain; %d left something behind, %d stopped; "
        "%d ways home, %d of another class, %d nearer than %.1f m; %.0f s\n",
        model, tally.routes, tally.circles, tally.wound, tally.linked, tally.most, tally.samples,
        tally.comparisons, tally.wrong, tally.uncertain, tally.residues, tally.failures, tally.ways,
        tally.apart, tally.scrapes, 0.5 * JACKET_CLEARANCE, tally.simulated);
    assert_int_equal(tally.wrong, 0);
    assert_int_equal(tally.residues, 0);
    assert_int_equal(tally.failures, 0);
    assert_true(tally.linked > 0);
    assert_int_equal(tally.apart, 0);
    // where bars meet there may be no room for all of the clearance
    assert_true(tally.scrapes <= tally.ways / 20);
}

static void numbers_of_the_dynamic_tether_are_those_of_the_path(void** state) {
    (void)state;
    Sweep("dynamic", 2, 2); // route 2 passes through frames
}

static void numbers_of_the_wrapping_tether_are_those_of_the_path(void** state) {
    (void)state;
    Sweep("wrap", 1, 9); // in route 9 it comes to lie on a bar between two looks
}

// Round a pile 1, 2 and 5 times, and back.
static void round_a_pile_and_back(void** state) {
    (void)state;
    static const int turns[] = {1, 2, 5};
    const hwVec3 boat = {-6.0, 0.3, -1.0}, start = {-1.5, 0.0, -4.0};
    int kinds = getenv("HAWSER_SWEEP_ROUTES") != NULL ? 3 : 2;
    for (int k = 0; k < kinds; ++k) {
        char text[4000];
        snprintf(
            text, sizeof(text),
            "hawser: 1\nduration: 1\nenvironment: {water: {density: 1025}, seabed: {depth: 12}}\n"
            "materials: {plastic: {young: 2e9, friction: {static: 0.3, kinetic: 0.25}}}\n"
            "bodies: [{name: pile, motion: fixed, position: [0, 0, -6], shapes: [{cylinder: {radius: 0.4, "
            "length: 16}, material: plastic}]}]\n%s",
            WriteTether("dynamic", boat, start));
        Jacket jacket = MakeSurroundings(text, "pile");
        Route route = {.count = 2, .points = {boat, start}};
        for (int i = 1; i <= 8 * turns[k]; ++i) {
            double angle = HW_PI + i * HW_PI / 4.0;
            route.points[route.count++] = hwMakeVec3(1.5 * cos(angle), 1.5 * sin(angle), -4.0 - 0.02 * i);
        }
        Tally tally = {0};
        assert_true(LeadAlong(&jacket, &route, &tally, (uint64_t)turns[k]));
        print_message("round a pile %d times: largest winding %d, %d numbers, %d wrong\n", turns[k],
                      tally.most, tally.comparisons, tally.wrong);
        assert_int_equal(tally.most, turns[k]);
        assert_int_equal(tally.wrong, 0);
        assert_int_equal(tally.residues, 0);
        FreeJacket(&jacket);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_a_pile_and_back),
        cmocka_unit_test(numbers_of_the_dynamic_tether_are_those_of_the_path),
        cmocka_unit_test(numbers_of_the_wrapping_tether_are_those_of_the_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
