// Scores from rows made by hand: every term by its formula, objectives in order, holds, rings, gates, hits.
#include "hawser/lesson.h"
#include "support.h"

enum {
    TIME,
    X,
    Y,
    Z,
    HEADING,
    PITCH,
    TURNS,
    SPEED,
    FX,
    FY,
    FZ,
    TENSION,
    LENGTH,
    WRAP,
    N0X,
    N0Y,
    N0Z,
    N1X,
    N1Y,
    N1Z,
    N2X,
    N2Y,
    N2Z,
    E0,
    E1,
    RATE,
    WINCH,
    DEPTH,
    COLUMNS
};

static const char* const g_names[COLUMNS] = {"world.time",
                                             "rov.position.x",
                                             "rov.position.y",
                                             "rov.position.z",
                                             "rov.heading",
                                             "rov.pitch",
                                             "rov.turns",
                                             "rov.speed",
                                             "rov.contact.force.x",
                                             "rov.contact.force.y",
                                             "rov.contact.force.z",
                                             "rov.tether.tension",
                                             "tether.length",
                                             "tether.wrap",
                                             "tether.node[0].position.x",
                                             "tether.node[0].position.y",
                                             "tether.node[0].position.z",
                                             "tether.node[1].position.x",
                                             "tether.node[1].position.y",
                                             "tether.node[1].position.z",
                                             "tether.node[2].position.x",
                                             "tether.node[2].position.y",
                                             "tether.node[2].position.z",
                                             "tether.element[0].tension",
                                             "tether.element[1].tension",
                                             "winch.rate",
                                             "winch.tension",
                                             "rov.depth"};

static double g_row[COLUMNS];

static void ClearRow(void) {
    memset(g_row, 0, sizeof(g_row));
    g_row[LENGTH] = 11.0;
    g_row[N0X] = -10.0;
    g_row[N1X] = -5.0;
}

static hwScorer* Make(const hwLessonDef* def) {
    hwError error;
    hwScorer* scorer = hwCreateScorer(def, COLUMNS, g_names, &error);
    if (scorer == NULL) fail_msg("%s", error.message);
    ClearRow();
    return scorer;
}

static hwLessonDef MakeDef(void) {
    hwLessonDef def = hwDefaultLessonDef();
    def.cable = "tether";
    def.winch = "winch";
    return def;
}

// Rows of 0.1 s from here to there in a straight line.
static void Fly(hwScorer* scorer, double x, double y, double z, double seconds) {
    double from[3] = {g_row[X], g_row[Y], g_row[Z]}, to[3] = {x, y, z}, start = g_row[TIME];
    int count = (int)(seconds * 10.0 + 0.5);
    for (int i = 1; i <= count; ++i) {
        g_row[TIME] = start + 0.1 * i;
        for (int k = 0; k < 3; ++k) g_row[X + k] = from[k] + (to[k] - from[k]) * i / count;
        assert_int_equal(hwScorer_AddRow(scorer, g_row), HW_OK);
    }
}

static void Begin(hwScorer* scorer) {
    assert_int_equal(hwScorer_AddRow(scorer, g_row), HW_OK);
}

static hwLessonObjective Zone(double x, double radius, double hold) {
    return (hwLessonObjective){.name = "zone",
                               .zone = true,
                               .position = hwMakeVec3(x, 0.0, 0.0),
                               .radius = radius,
                               .heading = (double)NAN,
                               .hold = hold};
}

static void ObjectivesAreDoneInOrder(void** state) {
    (void)state;
    hwLessonObjective objectives[3] = {Zone(5.0, 0.5, 2.0), Zone(0.0, 0.5, 0.0), Zone(5.0, 0.5, 0.0)};
    objectives[2].gate = true;
    objectives[2].zone = false;
    objectives[2].gatePosition = hwMakeVec3(3.0, 0.0, 0.0);
    objectives[2].gateDirection = hwMakeVec3(2.0, 0.0, 0.0);
    objectives[2].gateRadius = 0.4;
    hwLessonDef def = MakeDef();
    def.objectiveCount = 3;
    def.objectives = objectives;
    hwScorer* scorer = Make(&def);
    hwScore score;
    Begin(scorer);
    Fly(scorer, 5.0, 0.0, 0.0, 10.0); // the ring is passed, but it is not its turn; in the ball for 1 s
    Fly(scorer, 5.0, 0.0, 0.0, 0.5);
    Fly(scorer, 6.0, 0.0, 0.0, 1.0); // out after 2 s, in all, in the ball: 1 + 0.5 + 0.5
    hwScorer_GetScore(scorer, &score);
    assert_int_equal(score.done, 1);
    assert_close(score.doneAt[0], 11.0, 1e-6);
    Fly(scorer, 0.0, 0.0, 0.0, 6.0);
    hwScorer_GetScore(scorer, &score);
    assert_int_equal(score.done, 2);
    assert_int_equal(score.current, 2);
    assert_close(score.terms[HW_TERM_TASK], 2.0 / 3.0, 1e-12);
    assert_false(score.passed);
    Fly(scorer, 0.0, 0.5, 0.0, 1.0);
    Fly(scorer, 5.0, 0.5, 0.0, 5.0); // past the ring
    Fly(scorer, 5.0, 0.0, 0.0, 1.0);
    Fly(scorer, 0.0, 0.0, 0.0, 5.0); // through it the wrong way
    hwScorer_GetScore(scorer, &score);
    assert_false(score.complete);
    Fly(scorer, 5.0, 0.0, 0.0, 5.0);
    hwScorer_GetScore(scorer, &score);
    assert_true(score.complete);
    assert_true(score.passed);
    int count;
    const hwLessonEvent* events = hwScorer_GetEvents(scorer, &count);
    assert_int_equal(count, 4);
    assert_int_equal(events[3].kind, HW_LESSON_COMPLETE);
    hwDestroyScorer(scorer);
}

// A look counts from any side, between its two distances, with the bow on the place; height does not matter.
static void LooksCountFromAnySide(void** state) {
    (void)state;
    hwLessonObjective objective = {.name = "look",
                                   .heading = (double)NAN,
                                   .look = true,
                                   .lookAt = hwMakeVec3(5.0, 3.0, -9.0),
                                   .lookNear = 1.0,
                                   .lookFar = 4.0,
                                   .lookWithin = 0.1,
                                   .hold = 1.0};
    // where the vehicle is, where its bow points (clockwise from north, y to the west), and whether that is a look
    static const struct {
        double x, y, heading;
        bool looks;
    } cases[] = {
        {2.0, 3.0, 0.0, true},                    // from the south
        {2.0, 3.0, 0.11, false},                  // beside it
        {2.0, 3.0, 6.2832 - 0.09, true},          // beside it by less, the other way round
        {5.0, 0.0, 1.5 * 3.14159265, true},       // from the east: bow to the west
        {5.0, 0.0, 0.5 * 3.14159265, false},      // its back turned
        {8.0, 3.0, 3.14159265, true},             // from the north
        {0.9, 3.0, 0.0, false},                   // too far
        {4.1, 3.0, 0.0, false},                   // too near
        {5.0 - 2.0, 3.0 - 2.0, -0.7853982, true}, // cornerwise
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        hwLessonDef def = MakeDef();
        def.objectiveCount = 1;
        def.objectives = &objective;
        hwScorer* scorer = Make(&def);
        hwScore score;
        g_row[X] = cases[i].x;
        g_row[Y] = cases[i].y;
        g_row[HEADING] = cases[i].heading;
        Begin(scorer);
        Fly(scorer, cases[i].x, cases[i].y, 0.0, 2.0);
        hwScorer_GetScore(scorer, &score);
        assert_int_equal(score.complete, cases[i].looks);
        hwDestroyScorer(scorer);
    }
}

// A break in a hold begins it anew.
static void HoldsAreWithoutABreak(void** state) {
    (void)state;
    hwLessonCondition deep = {"rov.depth", 2.0, 3.0};
    hwLessonObjective objective = {.name = "depth",
                                   .heading = 1.0,
                                   .headingWithin = 0.2,
                                   .conditionCount = 1,
                                   .conditions = &deep,
                                   .hold = 1.0};
    hwLessonDef def = MakeDef();
    def.objectiveCount = 1;
    def.objectives = &objective;
    hwScorer* scorer = Make(&def);
    hwScore score;
    g_row[DEPTH] = 2.5;
    g_row[HEADING] = 1.0 + 4.0 * HW_PI - 0.19; // the compass may count on
    Begin(scorer);
    Fly(scorer, 0.0, 0.0, 0.0, 0.8);
    g_row[DEPTH] = 3.1;
    Fly(scorer, 0.0, 0.0, 0.0, 0.1);
    g_row[DEPTH] = 2.9;
    Fly(scorer, 0.0, 0.0, 0.0, 0.8);
    g_row[HEADING] = 0.79;
    Fly(scorer, 0.0, 0.0, 0.0, 0.1);
    hwScorer_GetScore(scorer, &score);
    assert_false(score.complete);
    g_row[HEADING] = 1.1;
    Fly(scorer, 0.0, 0.0, 0.0, 1.2);
    hwScorer_GetScore(scorer, &score);
    assert_true(score.complete);
    assert_close(score.time, 2.9, 1e-6);
    hwDestroyScorer(scorer);
}

static void TermsFollowTheirFormulas(void** state) {
    (void)state;
    hwLessonObjective end = Zone(100.0, 0.01, 0.0);
    const hwVec3 line[2] = {{0.0, 0.0, 0.0}, {100.0, 0.0, 0.0}};
    hwLessonDef def = MakeDef();
    def.objectiveCount = 1;
    def.objectives = &end;
    def.par = 80.0;
    def.error = HW_LESSON_ERROR_CROSS_TRACK;
    def.pathCount = 2;
    def.path = line;
    def.scale = 2.0;
    memset(def.weights, 0, sizeof(def.weights));
    const double weights[HW_TERM_COUNT] = {0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.0, 0.1, 0.2};
    memcpy(def.weights, weights, sizeof(weights));
    hwScorer* scorer = Make(&def);
    g_row[Y] = 0.5;
    g_row[LENGTH] = 1e9;
    Begin(scorer);
    g_row[TURNS] = -2.5;
    g_row[WRAP] = 0.5 * HW_PI;
    g_row[TENSION] = 30.0;
    Fly(scorer, 40.0, 0.5, 0.0, 40.0); // far too much tether out
    g_row[TURNS] = -0.4;
    g_row[WRAP] = 0.0;
    g_row[N0X] = 0.0;
    g_row[LENGTH] = 60.0;
    Fly(scorer, 50.0, 0.5, 0.0,
        50.0); // 20 % at the end, 50 % at its beginning: right from a distance of 48 on
    g_row[TENSION] = 100.0;
    g_row[LENGTH] = 110.0;
    Fly(scorer, 100.0, 0.0, 0.0, 10.0); // right from a distance of 88 on
    hwScorer_SetAwareness(scorer, 0.6);
    hwScore score;
    hwScorer_GetScore(scorer, &score);
    assert_true(score.complete);
    assert_close(score.terms[HW_TERM_TASK], 1.0, 0.0);
    assert_close(score.terms[HW_TERM_TIME], 1.0 - 20.0 / 80.0, 1e-9);
    assert_close(score.terms[HW_TERM_TURNS], 1.0 - 1.5 / 3.0, 1e-12);
    assert_close(score.terms[HW_TERM_WRAP], 0.75, 1e-12);
    // 10 of 100 s at 100 N: the 95th hundredth is among them
    assert_close(score.measures[HW_TERM_TENSION], 100.0, 0.0);
    assert_close(score.terms[HW_TERM_TENSION], 1.0 - 31.0 / 69.0, 1e-12);
    assert_close(score.terms[HW_TERM_AWARENESS], 0.6, 0.0);
    // 90 s at 0.5 m, then 10 s over which it falls to 0: the mean of the squares is a third of 0.25; a row is 0.1 s
    double square = (90.0 * 0.25 + 10.0 * 0.25 / 3.0) / 100.0;
    assert_close(score.measures[HW_TERM_ERROR], sqrt(square), 1e-3);
    assert_close(score.terms[HW_TERM_ERROR], 1.0 - sqrt(square) / 2.0, 1e-3);
    // distance 48 is reached after 40 of 50 s; 88 after 7.6 of 10 s, and 110 / 100 = 1.1 is right to the end
    assert_close(score.measures[HW_TERM_SLACK], (10.0 + 2.4) / 100.0, 3e-3);
    double sum = 0.0;
    for (int i = 0; i < HW_TERM_COUNT; ++i) sum += weights[i] > 0.0 ? weights[i] * score.terms[i] : 0.0;
    assert_close(score.score, 100.0 * sum, 1e-9);
    hwDestroyScorer(scorer);
}

static void TurnsLeftAtTheEndHalve(void** state) {
    (void)state;
    hwLessonObjective end = Zone(10.0, 0.1, 0.0);
    hwLessonDef def = MakeDef();
    def.objectiveCount = 1;
    def.objectives = &end;
    hwScorer* scorer = Make(&def);
    Begin(scorer);
    g_row[TURNS] = 0.75;
    Fly(scorer, 10.0, 0.0, 0.0, 10.0);
    hwScore score;
    hwScorer_GetScore(scorer, &score);
    assert_close(score.terms[HW_TERM_TURNS], 0.5, 0.0);
    hwDestroyScorer(scorer);
}

static void HitsCostAndGatesCap(void** state) {
    (void)state;
    hwLessonObjective end = Zone(10.0, 0.1, 0.0);
    hwLessonDef def = MakeDef();
    def.objectiveCount = 1;
    def.objectives = &end;
    for (int gate = 0; gate <= 4; ++gate) {
        def.recover = gate == 4;
        def.recoverPosition = hwMakeVec3(0.0, 0.0, 0.0);
        def.recoverRadius = 5.0;
        hwScorer* scorer = Make(&def);
        Begin(scorer);
        g_row[SPEED] = 0.25;
        Fly(scorer, 1.0, 0.0, 0.0, 1.0);
        g_row[FX] = 50.0; // too slow to count
        Fly(scorer, 2.0, 0.0, 0.0, 1.0);
        g_row[FX] = 0.0;
        g_row[SPEED] = 0.5;
        Fly(scorer, 3.0, 0.0, 0.0, 1.0);
        g_row[FX] = 50.0; // one, however long it lasts
        Fly(scorer, 4.0, 0.0, 0.0, 1.0);
        if (gate == 1) g_row[TENSION] = (double)NAN;
        g_row[WINCH] = 80.0;
        g_row[RATE] = -0.5;
        Fly(scorer, 5.0, 0.0, 0.0, gate == 2 ? 2.5 : 1.5);
        g_row[RATE] = 0.0;
        if (gate == 3) { // a bend of 0.19 m under load
            g_row[E1] = 20.0;
            g_row[N0X] = 0.0, g_row[N1X] = 0.095, g_row[N1Y] = 0.095, g_row[N2X] = 0.19;
        }
        Fly(scorer, 10.0, 0.0, 0.0, 1.0);
        hwScore score;
        hwScorer_GetScore(scorer, &score);
        static const unsigned gates[] = {0, HW_GATE_PARTED, HW_GATE_SNAG, HW_GATE_BENT, HW_GATE_ABANDONED};
        assert_int_equal(score.hits, 1);
        assert_int_equal(score.gates, gates[gate]);
        assert_close(score.score, gate == 0 ? 95.0 : 49.0, 1e-12);
        assert_int_equal(score.passed, gate == 0);
        hwDestroyScorer(scorer);
    }
}

// Along a line, and back beside it.
static void ReturnIsMeasuredByFrechet(void** state) {
    (void)state;
    hwLessonObjective ends[2] = {Zone(20.0, 0.1, 0.0), Zone(0.0, 3.0, 0.0)};
    ends[0].turn = true;
    hwLessonDef def = MakeDef();
    def.objectiveCount = 2;
    def.objectives = ends;
    def.weights[HW_TERM_TASK] = 0.5;
    def.weights[HW_TERM_RETURN] = 0.5;
    hwScorer* scorer = Make(&def);
    Begin(scorer);
    Fly(scorer, 20.0, 0.0, 0.0, 20.0);
    Fly(scorer, 20.0, 2.0, 0.0, 2.0);
    Fly(scorer, 0.0, 2.0, 0.0, 20.0);
    hwScore score;
    hwScorer_GetScore(scorer, &score);
    // two lines 2 m apart; points are 0.25 m apart at most, and the lesson ends up to 3 m before the end
    assert_close(score.measures[HW_TERM_RETURN], sqrt(2.0 * 2.0 + 2.2 * 2.2), 0.3);
    hwDestroyScorer(scorer);
}

static double Recursive(const hwVec3* a, int i, const hwVec3* b, int k) {
    double here = hwDistance(a[i], b[k]), before = 0.0;
    if (i > 0 && k > 0) {
        before =
            fmin(fmin(Recursive(a, i - 1, b, k), Recursive(a, i, b, k - 1)), Recursive(a, i - 1, b, k - 1));
    } else if (i > 0) {
        before = Recursive(a, i - 1, b, k);
    } else if (k > 0) {
        before = Recursive(a, i, b, k - 1);
    }
    return fmax(here, before);
}

static void FrechetAgreesWithItsDefinition(void** state) {
    (void)state;
    unsigned seed = 1;
    for (int round = 0; round < 200; ++round) {
        hwVec3 a[6], b[7];
        int countA = 1 + round % 6, countB = 1 + round % 7;
        for (int i = 0; i < 13; ++i) {
            double v[3];
            for (int k = 0; k < 3; ++k) {
                seed = seed * 1103515245u + 12345u;
                v[k] = (double)(seed >> 8) / 16777216.0;
            }
            if (i < 6)
                a[i] = hwMakeVec3(v[0], v[1], v[2]);
            else
                b[i - 6] = hwMakeVec3(v[0], v[1], v[2]);
        }
        assert_true(hwFrechetDistance(countA, a, countB, b) == Recursive(a, countA - 1, b, countB - 1));
    }
}

static void TheTetherIsSeen(void** state) {
    (void)state;
    hwLessonObjective end = Zone(100.0, 0.1, 0.0);
    hwLessonDef def = MakeDef();
    def.objectiveCount = 1;
    def.objectives = &end;
    def.error = HW_LESSON_ERROR_IN_VIEW;
    def.scale = 6.0;
    def.field = 0.5 * HW_PI;
    // the tether leads from (0, 0, 0) astern, to -x: seen to the south, not to the north; heading is clockwise
    const struct {
        double heading, pitch;
        bool seen;
    } views[] = {{0.0, 0.0, false},         {HW_PI, 0.0, true},       {HW_PI - 0.7, 0.0, true},
                 {HW_PI - 0.9, 0.0, false}, {HW_PI + 0.7, 0.0, true}, {HW_PI + 0.9, 0.0, false},
                 {HW_PI, 0.5, true},        {HW_PI, 0.6, false},      {HW_PI, -0.5, true},
                 {0.5 * HW_PI, 0.0, false}};
    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); ++i) {
        hwScorer* scorer = Make(&def);
        g_row[HEADING] = views[i].heading;
        g_row[PITCH] = views[i].pitch;
        Begin(scorer);
        Fly(scorer, 0.0, 0.0, 0.0, 1.0);
        hwScore score;
        hwScorer_GetScore(scorer, &score);
        assert_close(score.measures[HW_TERM_ERROR], views[i].seen ? 1.0 : 0.0, 1e-9);
        hwDestroyScorer(scorer);
    }
}

// A hit changes the velocity at once, in the row of the touch or in the next; to lie in a cage that moves, or to slide along a rail, is
// none, and neither is what comes to rest slowly.
static void HitsTakeSpeedAway(void** state) {
    (void)state;
    static const struct {
        double before[3], after[3], next[3]; // m/s
        int hits;
    } cases[] = {{{0.5, 0, 0}, {0, 0, 0}, {0, 0, 0}, 1},         // a wall
                 {{0.5, 0, 0}, {0.5, 0, 0}, {0, 0, 0}, 1},       // the row came in the midst of it
                 {{0.5, 0, 0}, {-0.2, 0, 0}, {-0.2, 0, 0}, 1},   // thrown back
                 {{0, 0, -0.44}, {0, 0, -0.4}, {0, 0, -0.4}, 0}, // down with its cage
                 {{0.4, 0.1, 0}, {0.4, 0, 0}, {0.38, 0, 0}, 0},  // along a rail
                 {{0.25, 0, 0}, {-0.2, 0, 0}, {-0.2, 0, 0}, 0}}; // too slow
    const char* names[COLUMNS + 3];
    memcpy(names, g_names, sizeof(g_names));
    names[COLUMNS] = "rov.velocity.x", names[COLUMNS + 1] = "rov.velocity.y",
    names[COLUMNS + 2] = "rov.velocity.z";
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        hwLessonObjective end = Zone(100.0, 0.5, 0.0);
        hwLessonDef def = MakeDef();
        def.objectiveCount = 1;
        def.objectives = &end;
        hwError error;
        hwScorer* scorer = hwCreateScorer(&def, COLUMNS + 3, names, &error);
        if (scorer == NULL) fail_msg("%s", error.message);
        ClearRow();
        double row[COLUMNS + 3] = {0};
        for (int k = 0; k < 8; ++k) {
            const double* v = k < 4 ? cases[i].before : (k == 4 ? cases[i].after : cases[i].next);
            memcpy(row, g_row, sizeof(g_row));
            memcpy(row + COLUMNS, v, 3 * sizeof(*v));
            row[TIME] = 0.1 * k;
            row[SPEED] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            row[FX] = k >= 4 ? 30.0 : 0.0;
            assert_int_equal(hwScorer_AddRow(scorer, row), HW_OK);
        }
        hwScore score;
        hwScorer_GetScore(scorer, &score);
        if (score.hits != cases[i].hits) fail_msg("case %zu: %d hits", i, score.hits);
        hwDestroyScorer(scorer);
    }
}

// Flown on after going back, the score is that of the flight without the part that was taken back.
static void RewindsAreForgotten(void** state) {
    (void)state;
    hwLessonObjective objectives[2] = {Zone(5.0, 0.5, 1.0), Zone(0.0, 0.5, 0.0)};
    hwLessonDef def = MakeDef();
    def.objectiveCount = 2;
    def.objectives = objectives;
    hwScore scores[2];
    for (int i = 0; i < 2; ++i) {
        hwScorer* scorer = Make(&def);
        Begin(scorer);
        Fly(scorer, 4.0, 0.0, 0.0, 4.0);
        double before[COLUMNS];
        memcpy(before, g_row, sizeof(before));
        if (i == 1) { // done, wound, hit and broken: all of it never happened
            g_row[SPEED] = 1.0;
            Fly(scorer, 5.0, 0.0, 0.0, 1.0);
            g_row[FX] = 100.0;
            g_row[TURNS] = 3.0;
            Fly(scorer, 5.0, 0.0, 0.0, 3.0);
            g_row[TENSION] = (double)NAN;
            Fly(scorer, 0.0, 0.0, 0.0, 10.0);
            hwScorer_GetScore(scorer, &scores[1]);
            assert_true(scores[1].over && scores[1].hits == 1 && scores[1].gates != 0);
            hwScorer_Rewind(scorer, before[TIME] + 0.05);
        }
        memcpy(g_row, before, sizeof(before));
        Fly(scorer, 5.0, 0.0, 0.0, 2.0);
        Fly(scorer, 5.0, 0.0, 0.0, 2.0);
        hwScorer_GetScore(scorer, &scores[i]);
        hwDestroyScorer(scorer);
    }
    assert_int_equal(scores[0].done, 1);
    assert_memory_equal(&scores[0], &scores[1], sizeof(scores[0]));
}

static void BadLessonsAreRefused(void** state) {
    (void)state;
    hwError error;
    hwLessonDef def = MakeDef();
    def.weights[HW_TERM_TASK] = 0.9;
    assert_null(hwCreateScorer(&def, COLUMNS, g_names, &error));
    assert_string_equal(error.field, "weights");
    def = MakeDef();
    def.weights[HW_TERM_TASK] = 0.5;
    def.weights[HW_TERM_ERROR] = 0.5;
    assert_null(hwCreateScorer(&def, COLUMNS, g_names, &error));
    assert_non_null(strstr(error.message, "`error`"));
    def = MakeDef();
    def.cable = NULL;
    def.weights[HW_TERM_TASK] = 0.5;
    def.weights[HW_TERM_WRAP] = 0.5;
    assert_null(hwCreateScorer(&def, COLUMNS, g_names, &error));
    assert_non_null(strstr(error.message, "needs a tether"));
    def = MakeDef();
    def.vehicle = "other";
    assert_null(hwCreateScorer(&def, COLUMNS, g_names, &error));
    assert_non_null(strstr(error.message, "`other.position.x`"));
    hwLessonCondition condition = {"rov.dept", 1.0, 2.0};
    hwLessonObjective objective = {
        .name = "depth", .heading = (double)NAN, .conditionCount = 1, .conditions = &condition};
    def = MakeDef();
    def.objectiveCount = 1;
    def.objectives = &objective;
    assert_null(hwCreateScorer(&def, COLUMNS, g_names, &error));
    assert_string_equal(error.field, "objectives[0].conditions[0].channel");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ObjectivesAreDoneInOrder),  cmocka_unit_test(LooksCountFromAnySide),
        cmocka_unit_test(HoldsAreWithoutABreak),     cmocka_unit_test(TermsFollowTheirFormulas),
        cmocka_unit_test(TurnsLeftAtTheEndHalve),    cmocka_unit_test(HitsCostAndGatesCap),
        cmocka_unit_test(ReturnIsMeasuredByFrechet), cmocka_unit_test(FrechetAgreesWithItsDefinition),
        cmocka_unit_test(TheTetherIsSeen),           cmocka_unit_test(HitsTakeSpeedAway),
        cmocka_unit_test(RewindsAreForgotten),       cmocka_unit_test(BadLessonsAreRefused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
