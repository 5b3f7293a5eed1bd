// What a cable is made of: mistakes are found and named; weight, buoyancy, lumps and breaking add up.
#include "cable/rig.h"

static void ExpectError(hwCableSpec spec, int index, const char* word) {
    hwError error;
    hwClearError(&error);
    assert_int_equal(hwCableSpec_Check(&spec, &error), HW_ERROR_MODEL);
    assert_string_equal(error.object, "wire");
    if (error.index != index) fail_msg("index %d for: %s", error.index, error.message);
    if (strstr(error.message, word) == NULL) fail_msg("no '%s' in: %s", word, error.message);
}

static void MistakesAreNamed(void** unused) {
    (void)unused;
    hwCableSection good[2] = {PlainSection(3.0, 3), PlainSection(4.0, 4)};
    hwCableSpec spec = {.name = "wire", .sectionCount = 2, .sections = good};
    assert_int_equal(hwCableSpec_Check(&spec, NULL), HW_OK);
    hwCableSpec none = {.name = "wire"};
    ExpectError(none, -1, "at least one section");

    const struct {
        size_t offset;
        double value;
        const char* word;
    } bad[] = {
        {offsetof(hwCableSection, length), 0.0, "length"},
        {offsetof(hwCableSection, length), -2.0, "length"},
        {offsetof(hwCableSection, diameter), 0.0, "diameter"},
        {offsetof(hwCableSection, massPerLength), -1.0, "mass"},
        {offsetof(hwCableSection, EA), 0.0, "EA"},
        {offsetof(hwCableSection, EA), (double)NAN, "EA"},
        {offsetof(hwCableSection, EI), -1.0, "EI"},
        {offsetof(hwCableSection, GJ), HUGE_VAL, "GJ"},
        {offsetof(hwCableSection, axialDamping), -1.0, "axial damping"},
        {offsetof(hwCableSection, dragNormal), -0.1, "normal drag"},
        {offsetof(hwCableSection, compression), 1.5, "compression"},
        {offsetof(hwCableSection, breakTension), 0.0, "break tension"},
    };
    for (size_t k = 0; k < sizeof(bad) / sizeof(bad[0]); ++k) {
        hwCableSection sections[2] = {good[0], good[1]};
        memcpy((char*)&sections[1] + bad[k].offset, &bad[k].value, sizeof(double));
        hwCableSpec wrong = {.name = "wire", .sectionCount = 2, .sections = sections};
        ExpectError(wrong, 1, bad[k].word);
    }
    hwCableSection empty[1] = {good[0]};
    empty[0].elements = 0;
    ExpectError((hwCableSpec){.name = "wire", .sectionCount = 1, .sections = empty}, 0, "elements");

    const double nodes[3] = {0.0, 5.0, 4.0}, late[2] = {0.5, 7.0};
    ExpectError(
        (hwCableSpec){.name = "wire", .sectionCount = 2, .sections = good, .nodeCount = 3, .nodes = nodes}, 2,
        "node 2");
    ExpectError(
        (hwCableSpec){.name = "wire", .sectionCount = 2, .sections = good, .nodeCount = 2, .nodes = late}, 0,
        "node 0");
    hwCableLump lumps[2] = {{.at = 1.0, .mass = 1.0}, {.at = 7.5, .mass = 1.0}};
    ExpectError(
        (hwCableSpec){.name = "wire", .sectionCount = 2, .sections = good, .lumpCount = 2, .lumps = lumps}, 1,
        "outside");
    lumps[1] = (hwCableLump){.at = 2.0, .mass = -1.0};
    ExpectError(
        (hwCableSpec){.name = "wire", .sectionCount = 2, .sections = good, .lumpCount = 2, .lumps = lumps}, 1,
        "negative");
    ExpectError((hwCableSpec){.name = "wire", .sectionCount = 2, .sections = good, .reserve = {-1.0, 0.0}},
                -1, "reserve");
    hwCableSection narrow[1] = {good[0]};
    narrow[0].minElement = 0.5;
    narrow[0].maxElement = 1.0;
    ExpectError((hwCableSpec){.name = "wire", .sectionCount = 1, .sections = narrow}, 0, "2.5 times");
}

// An element across the border of two sections: compliances in series, the rest by length.
static void PropertiesAverageInSeries(void** unused) {
    (void)unused;
    hwCableSection sections[2] = {PlainSection(3.0, 3), PlainSection(4.0, 4)};
    sections[0].EA = 1e5;
    sections[1].EA = 4e5;
    sections[0].massPerLength = 1.0;
    sections[1].massPerLength = 3.0;
    sections[0].EI = 2.0;
    sections[1].breakTension = 500.0;
    hwCableSpec spec = {.name = "wire", .sectionCount = 2, .sections = sections};
    Rig rig;
    Rig_Make(&rig, &spec);
    hwCableSection mean = hwCableModel_Average(&rig.model, 2.0, 4.0);
    assert_true(fabs(mean.EA - 2.0 / (1.0 / 1e5 + 1.0 / 4e5)) < 1e-6);
    assert_true(fabs(mean.massPerLength - 2.0) < 1e-12);
    assert_true(mean.EI == 0.0); // a piece without bending stiffness is a hinge
    assert_true(mean.breakTension == 500.0);
    // Sections reach on to the drums.
    assert_true(hwCableModel_Average(&rig.model, -20.0, -19.0).massPerLength == 1.0);
    assert_true(fabs(hwCableModel_GetMass(&rig.model, -2.0, 9.0) - (5.0 + 18.0)) < 1e-12);
    Rig_Free(&rig);
}

static double GetVerticalForce(Rig* rig) {
    hwCableWork_Evaluate(&rig->work, &rig->state, &rig->input);
    double sum = 0.0;
    for (int i = 0; i <= Rig_Last(rig); ++i) sum += rig->work.force[i].z;
    return sum;
}

// A pole through the surface: buoyancy of exactly the part below it, and smooth as it goes under sideways.
static void BuoyancyPartlyOutOfTheWater(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(10.0, 7);
    Rig rig;
    Rig_MakePlain(&rig, section);
    rig.input.gravity = 9.81;
    double weight = 15.0 * 9.81, lift = 1025.0 * 9.81 * 0.25 * HW_PI * 0.02 * 0.02;
    for (int k = 0; k <= 20; ++k) {
        double top = 10.0 * k / 20.0;
        for (int i = 0; i <= 7; ++i) rig.state.position[i] = hwMakeVec3(0.0, 0.0, top - 10.0 * i / 7.0);
        Rig_FillWater(&rig, 0.0, hwVec3_zero, hwVec3_zero);
        // Away from the ends by more than a radius the mean of the linear ramp is exact.
        if (k > 0 && k < 20)
            assert_true(fabs(GetVerticalForce(&rig) + weight - lift * (10.0 - top)) < 1e-9 * weight);
    }
    double before = 0.0;
    for (int k = 0; k <= 100; ++k) {
        double z = 0.03 - 0.06 * k / 100.0;
        for (int i = 0; i <= 7; ++i) rig.state.position[i] = hwMakeVec3(10.0 * i / 7.0, 0.0, z);
        double part = (GetVerticalForce(&rig) + weight) / (10.0 * lift);
        assert_true(part >= before - 1e-12 &&
                    part - before < 0.04); // over a diameter of 20 mm in steps of 0.6 mm
        before = part;
    }
    assert_true(fabs(before - 1.0) < 1e-12);
    Rig_Free(&rig);
}

// A float carries a weight: equilibrium at the depth where the sphere's share displaces the load.
static void FloatAndSinkerOnALine(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(10.0, 10);
    section.massPerLength = 1025.0 * 0.25 * HW_PI * 0.02 * 0.02; // neutral
    section.addedNormal = 1.0;
    hwCableLump lumps[2] = {{.at = 0.0, .mass = 2.0, .volume = 0.01, .radius = 0.15},
                            {.at = 10.0, .mass = 5.0, .volume = 1e-3}};
    hwCableSpec spec = {
        .name = "buoy", .sectionCount = 1, .sections = &section, .lumpCount = 2, .lumps = lumps};
    Rig rig;
    Rig_Make(&rig, &spec);
    rig.input.gravity = 9.81;
    Rig_FillWater(&rig, 0.0, hwVec3_zero, hwVec3_zero);
    hwVec3 points[2] = {{0, 0, -1.0}, {0, 0, -11.0}};
    hwCableState_Place(&rig.state, points, 2);
    hwCableStatics statics = {0};
    assert_int_equal(hwCableWork_SolveStatics(&rig.work, &rig.state, &rig.input, &statics, NULL), HW_OK);
    double net = (5.0 - 1.025) + 2.0; // kg to be carried
    double wet = net / (1025.0 * 0.01);
    double depth = (2.0 * wet - 1.0) * 0.15;
    // The line itself loses some buoyancy where it comes near the surface.
    assert_true(fabs(-rig.state.position[0].z - depth) < 0.002);
    assert_true(fabs(rig.work.tension[9] - 9.81 * (5.0 - 1.025)) < 0.02);
    Rig_Free(&rig);
}

static void BreakAndCurvature(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(10.0, 40);
    section.EI = 1.0;
    section.breakTension = 100.0;
    Rig rig;
    Rig_MakePlain(&rig, section);
    double radius = 5.0;
    for (int i = 0; i <= 40; ++i) {
        double a = 0.25 * i / radius;
        rig.state.position[i] = hwMakeVec3(radius * sin(a), 0.0, radius * cos(a));
    }
    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
    assert_int_equal(hwCableWork_FindBreak(&rig.work, 1.0), -1);
    hwVec3 curvature = hwCableWork_GetCurvature(&rig.work, 20);
    assert_true(fabs(curvature.y - 1.0 / radius) < 1e-3 && fabs(curvature.x) < 1e-12);
    assert_true(hwLength(hwCableWork_GetCurvature(&rig.work, 0)) == 0.0);
    rig.state.position[31] = hwScale(1.01, rig.state.position[31]);
    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
    // node 31 moved along as well: element 30 is stretched most
    rig.state.position[31] =
        hwMulAdd(rig.state.position[31], 1e-3, hwSub(rig.state.position[31], rig.state.position[30]));
    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
    assert_true(rig.work.tension[31] > 100.0);
    assert_int_equal(hwCableWork_FindBreak(&rig.work, 1.0), 30);
    Rig_Free(&rig);
}

// A line that drifts with an accelerating fluid feels the fluid's acceleration exactly when it is neutrally
// buoyant: M a = (rho V + M_added) a.
static void NeutralLineFollowsAcceleratingFluid(void** unused) {
    (void)unused;
    hwCableSection section = PlainSection(10.0, 10);
    section.massPerLength = 1025.0 * 0.25 * HW_PI * 0.02 * 0.02;
    section.addedNormal = 1.0;
    section.addedTangential = 0.2;
    section.dragNormal = 1.0;
    section.EA = 1e-6;
    Rig rig;
    Rig_MakePlain(&rig, section);
    Rig_Shake(&rig, 3, 0.1, 0.0);
    hwVec3 flow = hwMakeVec3(0.4, -0.1, 0.2), acceleration = hwMakeVec3(0.5, 1.5, -0.7), out[16];
    for (int i = 0; i <= 10; ++i) rig.state.velocity[i] = flow;
    Rig_FillWater(&rig, 100.0, flow, acceleration);
    rig.input.matrix = true;
    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
    assert_int_equal(hwCableWork_Factor(&rig.work, NULL, 0), 0);
    hwCableWork_Reduce(&rig.work, rig.work.force, NULL, NULL);
    hwCableWork_Solve(&rig.work, NULL, out);
    // Chord forces of 1e-6 N on nodes of 0.6 kg; at constant fluid tangents differ between neighbours, which
    // the mass coupling sees at second order.
    for (int i = 0; i <= 10; ++i) assert_true(hwDistance(out[i], acceleration) < 1e-5);
    Rig_Free(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(MistakesAreNamed),
        cmocka_unit_test(PropertiesAverageInSeries),
        cmocka_unit_test(BuoyancyPartlyOutOfTheWater),
        cmocka_unit_test(FloatAndSinkerOnALine),
        cmocka_unit_test(BreakAndCurvature),
        cmocka_unit_test(NeutralLineFollowsAcceleratingFluid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
