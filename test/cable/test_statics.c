// Equilibrium shapes against closed forms and against boundary-value problems solved another way.
#include "cable/catenary.h"
#include "cable/rig.h"

static void Settle(Rig* rig, const hwCableSeabed* seabed) {
    hwCableStatics statics = {.seabed = seabed};
    hwError error;
    if (hwCableWork_SolveStatics(&rig->work, &rig->state, &rig->input, &statics, &error) != HW_OK) {
        fail_msg("%s", error.message);
    }
}

// Force on what an end is attached to, at rest.
static hwVec3 EndForce(Rig* rig, int end) {
    hwVec3 zero[2048] = {{0}};
    rig->input.matrix = false;
    hwCableWork_Evaluate(&rig->work, &rig->state, &rig->input);
    return hwCableWork_GetEndForce(&rig->work, end, zero);
}

// ---- Catenary

static double GetCatenaryError(int geometry, int elements) {
    const hwVec3 ends[3] = {{80.0, 0.0, 0.0}, {60.0, 20.0, 40.0}, {97.0, 0.0, -15.0}};
    hwCableSection section = PlainSection(100.0, elements);
    section.massPerLength = 12.0;
    section.EA = 1e6;
    section.compression = 1e-3;
    Rig rig;
    Rig_MakePlain(&rig, section);
    rig.input.gravity = 9.81;
    rig.input.ends[0].kind = rig.input.ends[1].kind = HW_CABLE_PIN;
    hwVec3 points[2] = {hwVec3_zero, ends[geometry]};
    hwCableState_Place(&rig.state, points, 2);
    Settle(&rig, NULL);
    hwCatenaryDef def = {.b = ends[geometry], .length = 100.0, .weight = 12.0 * 9.81, .EA = 1e6};
    hwCatenary exact;
    assert_int_equal(hwCatenary_Solve(&def, &exact, NULL), HW_OK);
    double error = fmax(hwDistance(EndForce(&rig, 0), exact.forceA) / hwLength(exact.forceA),
                        hwDistance(EndForce(&rig, 1), exact.forceB) / hwLength(exact.forceB));
    Rig_Free(&rig);
    return error;
}

static void CatenaryIsSecondOrder(void** unused) {
    (void)unused;
    for (int geometry = 0; geometry < 3; ++geometry) {
        double coarse = GetCatenaryError(geometry, 50), fine = GetCatenaryError(geometry, 100);
        assert_true(fine < 1e-4);
        // Order 2: a quarter, with 5 % for the next term.
        assert_true(fine < 0.2625 * coarse && fine > 0.2375 * coarse);
    }
}

// A mooring line on a stiff bottom, from a straight start, against the closed form.
static void MooringLineConverges(void** unused) {
    (void)unused;
    static double height[1001];
    double errors[3];
    for (int k = 0; k < 3; ++k) {
        hwCableSection section = {.length = 600.0,
                                  .elements = 50 << k,
                                  .diameter = 0.09,
                                  .massPerLength = 77.0,
                                  .EA = 3.84e8,
                                  .compression = 1e-3,
                                  .breakTension = HUGE_VAL};
        Rig rig;
        Rig_MakePlain(&rig, section);
        rig.input.gravity = 9.81;
        Rig_FillWater(&rig, 0.0, hwVec3_zero, hwVec3_zero);
        rig.input.ends[0].kind = rig.input.ends[1].kind = HW_CABLE_PIN;
        hwVec3 points[2] = {{0.0, 0.0, -200.0}, {540.0, 0.0, -10.0}};
        hwCableState_Place(&rig.state, points, 2);
        for (int i = 0; i <= section.elements; ++i) height[i] = -200.0 - 0.045;
        hwCableSeabed seabed = {.height = height, .stiffness = 1e7, .damping = 1e4, .friction = 0.5};
        Settle(&rig, &seabed);
        double weight = 9.81 * (77.0 - 1025.0 * 0.25 * HW_PI * 0.09 * 0.09);
        hwCatenaryDef def = {.a = points[0], .b = points[1], .length = 600.0, .weight = weight, .EA = 3.84e8};
        def.hasFloor = true;
        def.floor = -200.0;
        hwCatenary exact;
        assert_int_equal(hwCatenary_Solve(&def, &exact, NULL), HW_OK);
        errors[k] = hwDistance(EndForce(&rig, 1), exact.forceB) / hwLength(exact.forceB);
        Rig_Free(&rig);
    }
    // 3e-5, 1e-5, 4e-6: the closed form's bottom is rigid, ours sinks 0.7 mm of 190 m, which is the last of
    // these.
    assert_true(errors[2] < 1e-5);
    assert_true(errors[2] < 0.5 * errors[1] && errors[1] < 0.5 * errors[0]);
}

// ---- Elastica

// Tip of a clamped inextensible beam under a transverse end load: th'' = -p cos th, th(0) = 0, th'(1) = 0, by
// shooting with Runge-Kutta. p = P L^2/EI. Returns deflection over length; `shortening` the tip's way in.
static double SolveElastica(double p, double* shortening) {
    double low = 0.0, high = p; // curvature at the clamp
    double x = 0.0, y = 0.0;
    for (int k = 0; k < 60; ++k) {
        double guess = 0.5 * (low + high), angle = 0.0, bend = guess;
        x = y = 0.0;
        const int n = 2000;
        double h = 1.0 / n;
        for (int i = 0; i < n; ++i) {
            double a1 = bend, b1 = -p * cos(angle);
            double a2 = bend + 0.5 * h * b1, b2 = -p * cos(angle + 0.5 * h * a1);
            double a3 = bend + 0.5 * h * b2, b3 = -p * cos(angle + 0.5 * h * a2);
            double a4 = bend + h * b3, b4 = -p * cos(angle + h * a3);
            double middle = angle + 0.5 * h * a2, end = angle + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
            x += h / 6.0 * (cos(angle) + 4.0 * cos(middle) + cos(end));
            y += h / 6.0 * (sin(angle) + 4.0 * sin(middle) + sin(end));
            angle = end;
            bend += h / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4);
        }
        if (bend > 0.0) {
            high = guess;
        } else {
            low = guess;
        }
    }
    if (shortening != NULL) *shortening = 1.0 - x;
    return y;
}

// Relative error of the tip's position for load p; grading: each element longer than the last by this factor;
// jitter: random element lengths.
static double GetElasticaError(double p, int elements, double grading, double jitter) {
    double length = 3.0, EI = 100.0, nodes[512], total = 0.0, size = 1.0;
    hwRandom random = {42};
    nodes[0] = 0.0;
    for (int i = 1; i <= elements; ++i) {
        total += size * (1.0 + jitter * hwRandom_Range(&random, -1.0, 1.0));
        nodes[i] = total;
        size *= grading;
    }
    for (int i = 0; i <= elements; ++i) nodes[i] *= length / total;
    nodes[elements] = length;
    hwCableSection section = PlainSection(length, elements);
    section.EA = 1e8; // stretches 1e-6
    section.EI = EI;
    section.massPerLength = 1e-9;
    hwCableLump lump = {.at = length, .mass = p * EI / (length * length) / 9.81};
    hwCableSpec spec = {
        .name = "beam", .sectionCount = 1, .sections = &section, .lumpCount = 1, .lumps = &lump};
    spec.nodeCount = elements + 1;
    spec.nodes = nodes;
    Rig rig;
    Rig_Make(&rig, &spec);
    rig.input.gravity = 9.81;
    rig.input.ends[0] = (hwCableEnd){.kind = HW_CABLE_CLAMP, .tangent = {1, 0, 0}, .normal = {0, 1, 0}};
    Settle(&rig, NULL);
    double in, down = SolveElastica(p, &in);
    hwVec3 tip = rig.state.position[elements];
    double error = hypot(tip.z + down * length, tip.x - length * (1.0 - in)) / length;
    Rig_Free(&rig);
    return error;
}

static void ElasticaIsSecondOrder(void** unused) {
    (void)unused;
    const double loads[3] = {1.0, 3.0, 10.0};
    // Known: inextensible elastica of the seed's beam, p = 5e4 * 9 / 1e6 = 0.45, deflects 0.440014 m of 3 m.
    assert_true(fabs(3.0 * SolveElastica(0.45, NULL) - 0.440014) < 1e-6);
    assert_true(SolveElastica(10.0, NULL) > 0.7);
    for (int k = 0; k < 3; ++k) {
        double coarse = GetElasticaError(loads[k], 40, 1.0, 0.0),
               fine = GetElasticaError(loads[k], 80, 1.0, 0.0);
        assert_true(coarse < 1e-3);
        // Order 2: a quarter; the next term is largest for the largest load, whose curvature varies most.
        assert_true(fine < 0.275 * coarse && fine > 0.235 * coarse);
    }
}

// Unequal elements: graded smoothly by a factor of 10 along the beam, and with random lengths.
static void ElasticaIsSecondOrderOnUnequalMeshes(void** unused) {
    (void)unused;
    double coarse = GetElasticaError(3.0, 20, pow(10.0, 1.0 / 20.0), 0.0);
    double fine = GetElasticaError(3.0, 80, pow(10.0, 1.0 / 80.0), 0.0);
    assert_true(fine < 1.0 / 14.0 * coarse && fine < 1e-3);
    coarse = GetElasticaError(3.0, 20, 1.0, 0.5);
    fine = GetElasticaError(3.0, 160, 1.0, 0.5);
    // Two powers of 8 with room for the luck of the draw.
    assert_true(fine < 1.0 / 40.0 * coarse);
}

// Two sections of different stiffness: the tip rotation adds up exactly in small deflections.
static void SteppedBeam(void** unused) {
    (void)unused;
    hwCableSection sections[2] = {PlainSection(1.0, 50), PlainSection(1.0, 50)};
    for (int i = 0; i < 2; ++i) {
        sections[i].EA = 1e6;
        sections[i].EI = i == 0 ? 50.0 : 10.0;
        sections[i].massPerLength = 1e-9;
    }
    double P = 0.1;
    hwCableLump lump = {.at = 2.0, .mass = P / 9.81};
    hwCableSpec spec = {
        .name = "beam", .sectionCount = 2, .sections = sections, .lumpCount = 1, .lumps = &lump};
    Rig rig;
    Rig_Make(&rig, &spec);
    rig.input.gravity = 9.81;
    rig.input.ends[0] = (hwCableEnd){.kind = HW_CABLE_CLAMP, .tangent = {1, 0, 0}, .normal = {0, 1, 0}};
    Settle(&rig, NULL);
    // Virtual work: P (int_0^1 (2-x)^2/EI1 + int_1^2 (2-x)^2/EI2) = P (7/3/EI1 + 1/3/EI2)
    double exact = P * (7.0 / 3.0 / 50.0 + 1.0 / 3.0 / 10.0);
    // h = 0.02: error 1e-4 by the trapezium rule.
    assert_true(fabs(-rig.state.position[100].z / exact - 1.0) < 2e-4);
    // The clamp carries the moment of the load.
    hwCableWork_Evaluate(&rig.work, &rig.state, &rig.input);
    assert_true(fabs(rig.work.moment[0].y - P * rig.state.position[100].x) < 1e-5 * P);
    Rig_Free(&rig);
}

// ---- Current

// Weighted free end in a uniform current: the tension and its direction follow
//   d(T t)/ds = -(weight and drag per unstretched length), x' = (1 + T/EA) t,
// from the free end, where T t = minus the weight of the lump, up; integrated by Runge-Kutta. Independent of
// nodes.
typedef struct Towed {
    double weight, EA, diameter, normal, tangential, density, length;
    hwVec3 flow;
} Towed;

static void TowedSlope(const Towed* p, const hwVec3 y[2], hwVec3 out[2]) {
    double tension = hwLength(y[1]);
    hwVec3 t = hwScale(1.0 / tension, y[1]);
    double along = hwDot(p->flow, t), stretch = 1.0 + tension / p->EA;
    hwVec3 across = hwMulAdd(p->flow, -along, t);
    hwVec3 load = hwScale(0.5 * p->density * p->normal * p->diameter * hwLength(across), across);
    load = hwMulAdd(load, 0.5 * p->density * p->tangential * HW_PI * p->diameter * fabs(along) * along, t);
    load = hwScale(stretch, load);
    load.z -= p->weight;
    out[0] = hwScale(stretch, t);
    // Going up from the free end, t points up along the line and the tension vector grows by minus the load.
    out[1] = hwNeg(load);
}

// Position of the top relative to the free end, and the tension vector there.
static void IntegrateTowed(const Towed* p, hwVec3 startTension, hwVec3 top[2]) {
    hwVec3 y[2] = {hwVec3_zero, startTension};
    const int n = 20000;
    double h = p->length / n;
    for (int i = 0; i < n; ++i) {
        hwVec3 k[4][2], z[2];
        for (int stage = 0; stage < 4; ++stage) {
            double reach = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
            for (int c = 0; c < 2; ++c) z[c] = stage == 0 ? y[c] : hwMulAdd(y[c], reach, k[stage - 1][c]);
            TowedSlope(p, z, k[stage]);
        }
        for (int c = 0; c < 2; ++c) {
            hwVec3 sum = hwAdd(hwAdd(k[0][c], k[3][c]), hwScale(2.0, hwAdd(k[1][c], k[2][c])));
            y[c] = hwMulAdd(y[c], h / 6.0, sum);
        }
    }
    top[0] = y[0];
    top[1] = y[1];
}

static hwCableSection TowedSection(int elements) {
    hwCableSection section = PlainSection(100.0, elements);
    section.diameter = 0.012;
    section.massPerLength = 0.6;
    section.EA = 5e5;
    section.dragNormal = 1.2;
    section.dragTangential = 0.02;
    section.compression = 1e-3;
    return section;
}

static double GetTowedError(int elements) {
    hwCableSection section = TowedSection(elements);
    hwCableLump lump = {.at = 100.0, .mass = 20.0};
    hwCableSpec spec = {
        .name = "towed", .sectionCount = 1, .sections = &section, .lumpCount = 1, .lumps = &lump};
    Rig rig;
    Rig_Make(&rig, &spec);
    rig.input.gravity = 9.81;
    hwVec3 flow = hwMakeVec3(1.2, 0.4, 0.0);
    Rig_FillWater(&rig, 0.0, flow, hwVec3_zero);
    rig.input.ends[0].kind = HW_CABLE_PIN;
    hwVec3 points[2] = {{0.0, 0.0, -5.0}, {20.0, 0.0, -100.0}};
    hwCableState_Place(&rig.state, points, 2);
    Settle(&rig, NULL);
    double area = 0.25 * HW_PI * section.diameter * section.diameter;
    Towed towed = {9.81 * (section.massPerLength - 1025.0 * area),
                   section.EA,
                   section.diameter,
                   1.2,
                   0.02,
                   1025.0,
                   100.0,
                   flow};
    hwVec3 top[2];
    IntegrateTowed(&towed, hwMakeVec3(0.0, 0.0, 20.0 * 9.81), top);
    hwVec3 tip = hwSub(rig.state.position[elements], rig.state.position[0]);
    double shape = hwDistance(tip, hwNeg(top[0])) / 100.0;
    double load = hwDistance(EndForce(&rig, 0), hwNeg(top[1])) / hwLength(top[1]);
    Rig_Free(&rig);
    return fmax(shape, load);
}

static void ShapeInCurrentWithFreeEnd(void** unused) {
    (void)unused;
    double coarse = GetTowedError(50), fine = GetTowedError(100);
    assert_true(fine < 1e-3);
    assert_true(fine < 0.3 * coarse);
}

// Both ends held, the current across the plane of the ends: shooting on the tension vector at end a by Newton
// with finite differences, the same equations.
static void ShapeInCurrentAcrossThePlane(void** unused) {
    (void)unused;
    hwVec3 a = hwMakeVec3(0.0, 0.0, -5.0), b = hwMakeVec3(60.0, 0.0, -50.0);
    double errors[2];
    for (int k = 0; k < 2; ++k) {
        hwCableSection section = TowedSection(k == 0 ? 50 : 100);
        Rig rig;
        Rig_MakePlain(&rig, section);
        rig.input.gravity = 9.81;
        hwVec3 flow = hwMakeVec3(0.1, 1.0, 0.0);
        Rig_FillWater(&rig, 0.0, flow, hwVec3_zero);
        rig.input.ends[0].kind = rig.input.ends[1].kind = HW_CABLE_PIN;
        hwVec3 points[2] = {a, b};
        hwCableState_Place(&rig.state, points, 2);
        Settle(&rig, NULL);
        double area = 0.25 * HW_PI * section.diameter * section.diameter;
        Towed towed = {9.81 * (section.massPerLength - 1025.0 * area),
                       section.EA,
                       section.diameter,
                       1.2,
                       0.02,
                       1025.0,
                       100.0,
                       flow};
        // Start from the answer under test; a wrong answer would not be a solution of these equations.
        hwVec3 tension = EndForce(&rig, 0), top[2];
        for (int iteration = 0; iteration < 8; ++iteration) {
            IntegrateTowed(&towed, tension, top);
            hwVec3 off = hwSub(top[0], hwSub(b, a));
            hwMat3 slope;
            hwVec3* columns[3] = {&slope.cx, &slope.cy, &slope.cz};
            for (int c = 0; c < 3; ++c) {
                hwVec3 moved = tension, end[2];
                (&moved.x)[c] += 1e-4;
                IntegrateTowed(&towed, moved, end);
                *columns[c] = hwScale(1e4, hwSub(end[0], top[0]));
            }
            double det = hwDot(slope.cx, hwCross(slope.cy, slope.cz));
            hwVec3 step = hwMakeVec3(hwDot(off, hwCross(slope.cy, slope.cz)) / det,
                                     hwDot(slope.cx, hwCross(off, slope.cz)) / det,
                                     hwDot(slope.cx, hwCross(slope.cy, off)) / det);
            tension = hwSub(tension, step);
        }
        IntegrateTowed(&towed, tension, top);
        assert_true(hwDistance(top[0], hwSub(b, a)) < 1e-6);
        errors[k] =
            fmax(hwDistance(EndForce(&rig, 0), tension), hwDistance(EndForce(&rig, 1), hwNeg(top[1]))) /
            hwLength(tension);
        Rig_Free(&rig);
    }
    assert_true(errors[1] < 1e-3);
    assert_true(errors[1] < 0.3 * errors[0]);
}

// ---- Robustness

// A 400-element chain that cannot push, from a straight line that is 5 % too short for it.
static void SlackChainFromStraightStart(void** unused) {
    (void)unused;
    static double height[401];
    hwCableSection section = {.length = 600.0,
                              .elements = 400,
                              .diameter = 0.09,
                              .massPerLength = 77.0,
                              .EA = 3.84e8,
                              .breakTension = HUGE_VAL};
    Rig rig;
    Rig_MakePlain(&rig, section);
    rig.input.gravity = 9.81;
    Rig_FillWater(&rig, 0.0, hwVec3_zero, hwVec3_zero);
    rig.input.ends[0].kind = rig.input.ends[1].kind = HW_CABLE_PIN;
    hwVec3 points[2] = {{0.0, 0.0, -200.0}, {540.0, 0.0, -10.0}};
    hwCableState_Place(&rig.state, points, 2);
    for (int i = 0; i <= 400; ++i) height[i] = -200.045;
    hwCableSeabed seabed = {.height = height, .stiffness = 1e5, .damping = 1e4};
    hwCableStatics statics = {.seabed = &seabed};
    assert_int_equal(hwCableWork_SolveStatics(&rig.work, &rig.state, &rig.input, &statics, NULL), HW_OK);
    assert_true(statics.residual < 1e-9 && statics.iterations < 1500);
    Rig_Free(&rig);
}

// A cable with nothing to hold it has no equilibrium: an error, not a shape.
static void FallingCableIsAnError(void** unused) {
    (void)unused;
    Rig rig;
    Rig_MakePlain(&rig, PlainSection(10.0, 10));
    rig.input.gravity = 9.81;
    hwCableStatics statics = {.maxIterations = 50};
    hwError error;
    assert_int_equal(hwCableWork_SolveStatics(&rig.work, &rig.state, &rig.input, &statics, &error),
                     HW_ERROR_NUMERIC);
    assert_string_equal(error.object, "test");
    assert_true(strstr(error.message, "residual") != NULL);
    Rig_Free(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(CatenaryIsSecondOrder),
        cmocka_unit_test(MooringLineConverges),
        cmocka_unit_test(ElasticaIsSecondOrder),
        cmocka_unit_test(ElasticaIsSecondOrderOnUnequalMeshes),
        cmocka_unit_test(SteppedBeam),
        cmocka_unit_test(ShapeInCurrentWithFreeEnd),
        cmocka_unit_test(ShapeInCurrentAcrossThePlane),
        cmocka_unit_test(SlackChainFromStraightStart),
        cmocka_unit_test(FallingCableIsAnError),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
