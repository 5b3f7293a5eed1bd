// Freezes: when they come, what they ask, what answers are worth. Rows are made by hand, so that the truth is known exactly.
#include "hawser/lesson.h"
#include "lesson/probe.h"
#include "support.h"

enum { NODES = 5, COLUMNS = 14 + 4 * NODES };

static const char* g_names[COLUMNS];
static char g_nodeNames[4 * NODES][40];
static double g_row[COLUMNS];

static const hwLessonObstacle g_obstacles[] = {{"near pile", {5.0, 0.0, 0.0}},
                                               {"far pile", {20.0, 0.0, 0.0}}};

// A tether from the origin round the near pile, passing it to the west and turning back east behind it: 12 m long.
static const hwVec3 g_tether[NODES] = {
    {0.0, 0.0, 0.0}, {3.0, 2.0, -1.0}, {7.0, 2.0, -2.0}, {7.5, -2.0, -3.0}, {4.0, -3.0, -4.0}};

static void SetUp(void) {
    static const char* const names[14] = {"world.time",          "rov.position.x",      "rov.position.y",
                                          "rov.position.z",      "rov.heading",         "rov.pitch",
                                          "rov.turns",           "rov.speed",           "rov.contact.force.x",
                                          "rov.contact.force.y", "rov.contact.force.z", "rov.tether.tension",
                                          "tether.length",       "tether.wrap"};
    memcpy(g_names, names, sizeof(names));
    memset(g_row, 0, sizeof(g_row));
    for (int i = 0; i < NODES; ++i) {
        static const char* const parts[4] = {"position.x", "position.y", "position.z", "contact"};
        const double values[4] = {g_tether[i].x, g_tether[i].y, g_tether[i].z, i == 2};
        for (int k = 0; k < 4; ++k) {
            snprintf(g_nodeNames[4 * i + k], sizeof(g_nodeNames[0]), "tether.node[%d].%s", i, parts[k]);
            g_names[14 + 4 * i + k] = g_nodeNames[4 * i + k];
            g_row[14 + 4 * i + k] = values[k];
        }
    }
    g_row[1] = 4.0, g_row[2] = -3.0, g_row[3] = -4.0;
    g_row[4] = 0.5 * HW_PI; // east
    g_row[6] = 1.25;        // turns
    g_row[12] = 16.0;       // length
}

static hwLessonDef MakeLesson(int questions) {
    hwLessonDef def = hwDefaultLessonDef();
    def.cable = "tether";
    def.limit = 1000.0;
    def.weights[HW_TERM_TASK] = 0.5;
    def.weights[HW_TERM_AWARENESS] = 0.5;
    static const hwLessonObjective never = {
        .name = "never", .zone = true, .position = {1e3, 0, 0}, .radius = 1.0, .heading = NAN};
    def.objectives = &never;
    def.objectiveCount = 1;
    def.probes = (hwLessonProbes){2, 30.0, 20.0, 10.0, 7, questions, 2, g_obstacles};
    return def;
}

static hwScorer* FlyTo(const hwLessonDef* def, double end) {
    hwError error;
    hwScorer* scorer = hwCreateScorer(def, COLUMNS, g_names, &error);
    if (scorer == NULL) fail_msg("%s", error.message);
    for (int i = 0; 0.1 * i <= end + 1e-9; ++i) {
        g_row[0] = 0.1 * i;
        assert_int_equal(hwScorer_AddRow(scorer, g_row), HW_OK);
    }
    return scorer;
}

static void test_TimesAndQuestionsAreOfTheSeed(void** state) {
    (void)state;
    hwProbe a[3], b[3], c[3];
    hwLessonProbes def = {3, 30.0, 20.0, 10.0, 7, 6, 2, g_obstacles};
    hwProbes_Plan(&def, true, a);
    hwProbes_Plan(&def, true, b);
    assert_memory_equal(a, b, sizeof(a));
    def.seed = 8;
    hwProbes_Plan(&def, true, c);
    assert_true(a[0].time != c[0].time);
    for (int k = 0; k < 3; ++k) {
        double before = k > 0 ? a[k - 1].time + 20.0 : 30.0;
        assert_true(a[k].time >= before && a[k].time < before + 10.0);
        assert_int_equal(a[k].itemCount, 6);
        int levels[4] = {0, 0, 0, 0};
        unsigned seen = 0;
        for (int i = 0; i < 6; ++i) {
            levels[hwProbeItem_GetLevel(a[k].items[i])] += 1;
            assert_int_equal(seen & (1u << a[k].items[i]), 0); // nothing twice
            seen |= 1u << a[k].items[i];
        }
        assert_true(levels[1] == 2 && levels[2] == 2 && levels[3] == 2);
    }
    // without a tether nothing is asked about one
    def.questions = 11;
    hwProbes_Plan(&def, false, c);
    assert_int_equal(c[0].itemCount, 4);
}

static void test_TruthIsWhatTheRowSays(void** state) {
    (void)state;
    SetUp();
    hwLessonDef def = MakeLesson(11);
    hwScorer* scorer = FlyTo(&def, 41.0);
    hwProbeResult* r = calloc(1, sizeof(*r));
    assert_true(hwScorer_GetProbe(scorer, 0, r));
    assert_true(r->asked && !r->answered);
    assert_close(r->truth[HW_PROBE_DEPTH], 4.0, 1e-12);
    assert_close(r->truth[HW_PROBE_HEADING], 90.0, 1e-12);
    assert_close(r->truth[HW_PROBE_TURNS], 1.25, 0.0);
    assert_close(r->truth[HW_PROBE_LENGTH], 16.0, 0.0);
    // the last node but one is at (3.5, 1): 3.5 m north and 1 m west of the vehicle, whose bow points east
    double hours = 12.0 * (atan2(-1.0, 3.5) - 0.5 * HW_PI) / (2.0 * HW_PI) + 12.0;
    assert_close(r->truth[HW_PROBE_BEARING], hours, 1e-12);
    assert_close(r->truth[HW_PROBE_TOUCHES], 1.0, 0.0);
    assert_close(r->truth[HW_PROBE_SLACK], 2.0, 0.0);   // 16 m over a distance of sqrt(41) m
    assert_close(r->truth[HW_PROBE_UNWIND], -1.0, 0.0); // turned clockwise: back to port
    assert_close(r->truth[HW_PROBE_ADVANCE], 1.0, 0.0);
    assert_close(r->truth[HW_PROBE_SNAG], 0.0, 0.0); // the near pile
    double plan[2 * NODES];
    for (int i = 0; i < NODES; ++i) plan[2 * i] = g_tether[i].x, plan[2 * i + 1] = g_tether[i].y;
    assert_int_equal(hwProbe_CountTurns(NODES, plan, 5.0, 0.0), -1); // clockwise, seen from above
    assert_int_equal(hwProbe_CountTurns(NODES, plan, 20.0, 0.0), 0);
    free(r);
    hwDestroyScorer(scorer);
}

// Answers that are right, in plan and elevation as the tether is.
static hwProbeAnswer MakeRight(const hwScorer* scorer) {
    hwProbeResult* r = calloc(1, sizeof(*r));
    hwScorer_GetProbe(scorer, 0, r);
    hwProbeAnswer answer = hwDefaultProbeAnswer();
    memcpy(answer.values, r->truth, sizeof(answer.values));
    answer.planCount = answer.elevationCount = NODES;
    for (int i = 0; i < NODES; ++i) {
        answer.plan[2 * i] = g_tether[i].x;
        answer.plan[2 * i + 1] = g_tether[i].y;
        answer.elevation[2 * i] = hypot(g_tether[i].x, g_tether[i].y);
        answer.elevation[2 * i + 1] = g_tether[i].z;
    }
    free(r);
    return answer;
}

static double Points(const hwScorer* scorer, hwProbeItem item) {
    hwProbeResult* r = calloc(1, sizeof(*r));
    hwScorer_GetProbe(scorer, 0, r);
    double points = r->points[item];
    free(r);
    return points;
}

static void test_PointsFallWithTheError(void** state) {
    (void)state;
    SetUp();
    hwLessonDef def = MakeLesson(11);
    hwScorer* scorer = FlyTo(&def, 41.0);
    hwScore score;
    hwScorer_GetScore(scorer, &score);
    assert_close(score.terms[HW_TERM_AWARENESS], 0.0, 0.0); // asked and not answered
    hwProbeAnswer right = MakeRight(scorer), answer = right;
    assert_int_equal(hwScorer_AnswerProbe(scorer, 0, &answer), HW_OK);
    hwScorer_GetScore(scorer, &score);
    assert_close(score.terms[HW_TERM_AWARENESS], 1.0, 1e-12);
    assert_close(score.score, 50.0, 1e-9);
    // tolerances of TRAINER §5: depth 1 m, heading 20 degrees, turns 0.5, length 15 %
    answer.values[HW_PROBE_DEPTH] += 0.25;
    answer.values[HW_PROBE_HEADING] = 360.0 + 85.0; // the same way round
    answer.values[HW_PROBE_TURNS] += 0.5;
    answer.values[HW_PROBE_LENGTH] *= 1.03;
    answer.values[HW_PROBE_BEARING] += 12.75;
    answer.values[HW_PROBE_TOUCHES] = 0.0;
    assert_int_equal(hwScorer_AnswerProbe(scorer, 0, &answer), HW_OK);
    assert_close(Points(scorer, HW_PROBE_DEPTH), 0.75, 1e-12);
    assert_close(Points(scorer, HW_PROBE_HEADING), 0.75, 1e-12);
    assert_close(Points(scorer, HW_PROBE_TURNS), 0.0, 1e-12);
    assert_close(Points(scorer, HW_PROBE_LENGTH), 0.8, 1e-12);
    assert_close(Points(scorer, HW_PROBE_BEARING), 0.5, 1e-12);
    assert_close(Points(scorer, HW_PROBE_TOUCHES), 0.0, 0.0);
    // a sketch shifted by 1.6 m, a tenth of the length, in both: half of e^-1 and both windings
    answer = right;
    for (int i = 0; i < NODES; ++i) answer.plan[2 * i + 1] += 1.6, answer.elevation[2 * i + 1] += 1.6;
    assert_int_equal(hwScorer_AnswerProbe(scorer, 0, &answer), HW_OK);
    assert_close(Points(scorer, HW_PROBE_SKETCH), 0.5 * exp(-1.0) + 0.5, 1e-12);
    // the other way past the near pile
    answer = right;
    for (int i = 0; i < NODES; ++i) answer.plan[2 * i + 1] = -answer.plan[2 * i + 1];
    assert_int_equal(hwScorer_AnswerProbe(scorer, 0, &answer), HW_OK);
    assert_true(Points(scorer, HW_PROBE_SKETCH) < 0.25 + 0.5 * 0.75 + 1e-12 &&
                Points(scorer, HW_PROBE_SKETCH) > 0.25);
    // nothing drawn is worth nothing
    answer.planCount = answer.elevationCount = 0;
    assert_int_equal(hwScorer_AnswerProbe(scorer, 0, &answer), HW_OK);
    assert_close(Points(scorer, HW_PROBE_SKETCH), 0.0, 0.0);
    assert_int_equal(hwScorer_AnswerProbe(scorer, 2, &answer), HW_ERROR_ARGUMENT);
    answer.planCount = HW_PROBE_MAX_POINTS + 1;
    assert_int_equal(hwScorer_AnswerProbe(scorer, 0, &answer), HW_ERROR_ARGUMENT);
    hwDestroyScorer(scorer);
}

static void test_FreezeIsDueOnceAndComesAgainAfterARewind(void** state) {
    (void)state;
    SetUp();
    hwLessonDef def = MakeLesson(6);
    hwScorer* scorer = FlyTo(&def, 29.0);
    hwProbeResult* r = calloc(1, sizeof(*r));
    assert_int_equal(hwScorer_GetDueProbe(scorer), -1);
    int first = 0;
    for (int i = 291; hwScorer_GetDueProbe(scorer) < 0 && i < 500; ++i) {
        g_row[0] = 0.1 * i;
        hwScorer_AddRow(scorer, g_row);
        first = i;
    }
    assert_int_equal(hwScorer_GetDueProbe(scorer), 0);
    hwScorer_GetProbe(scorer, 0, r);
    assert_true(0.1 * first >= r->probe.time && 0.1 * first < r->probe.time + 0.1);
    hwProbeAnswer answer = MakeRight(scorer);
    assert_int_equal(hwScorer_AnswerProbe(scorer, 0, &answer), HW_OK);
    assert_int_equal(hwScorer_GetDueProbe(scorer), -1);
    hwScorer_Rewind(scorer, 20.0);
    hwScorer_GetProbe(scorer, 0, r);
    assert_false(r->asked);
    assert_false(r->answered);
    for (int i = 201; i <= first; ++i) {
        g_row[0] = 0.1 * i;
        hwScorer_AddRow(scorer, g_row);
    }
    assert_int_equal(hwScorer_GetDueProbe(scorer), 0);
    free(r);
    hwDestroyScorer(scorer);
}

static void test_NonsenseIsRefused(void** state) {
    (void)state;
    SetUp();
    hwError error;
    hwLessonDef def = MakeLesson(6);
    def.probes.count = HW_LESSON_MAX_PROBES + 1;
    assert_null(hwCreateScorer(&def, COLUMNS, g_names, &error));
    assert_non_null(strstr(error.message, "at most 10 probes"));
    def = MakeLesson(0);
    assert_null(hwCreateScorer(&def, COLUMNS, g_names, &error));
    assert_non_null(strstr(error.message, "at least one question"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_TimesAndQuestionsAreOfTheSeed),
        cmocka_unit_test(test_TruthIsWhatTheRowSays),
        cmocka_unit_test(test_PointsFallWithTheError),
        cmocka_unit_test(test_FreezeIsDueOnceAndComesAgainAfterARewind),
        cmocka_unit_test(test_NonsenseIsRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
