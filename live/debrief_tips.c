// Three things to do better, each with the numbers behind it. What cost most points comes first.
#include "debrief_internal.h"

#include "hawser/elementary.h"

#include <math.h>
#include <string.h>

#define GOOD_TENSION 69.0  // N, as in scores
#define LEAST_SLACK 0.05   // of the straight distance, likewise
#define MOST_SLACK 0.25    // likewise
#define SLACK_DISTANCE 1.0 // m, likewise

typedef struct Tip {
    double lost; // points
    char text[400];
} Tip;

#define MOST_TIPS (HW_TERM_COUNT + HW_GATE_COUNT + 6)
#define FELT_PULL 20.0 // N: less is not felt at the sticks

typedef struct Tips {
    int count;
    Tip tips[MOST_TIPS];
} Tips;

// Row with the greatest value of a curve, -1: it has none.
static int FindMost(const double* curve, int first, int rows, bool signless) {
    int most = -1;
    for (int i = first; i < rows; ++i) {
        double value = signless ? fabs(curve[i]) : curve[i];
        if (isnan(value)) continue;
        if (most < 0 || value > (signless ? fabs(curve[most]) : curve[most])) most = i;
    }
    return most;
}

typedef bool TestFn(const hwDebrief* d, int row);

static double GetSlack(const hwDebrief* d, int row) {
    return d->curves[CURVE_OUT][row] / d->curves[CURVE_STRAIGHT][row] - 1.0;
}

static bool IsNear(const hwDebrief* d, int row) {
    return d->curves[CURVE_STRAIGHT][row] < SLACK_DISTANCE;
}

static bool IsSlack(const hwDebrief* d, int row) {
    return !IsNear(d, row) && GetSlack(d, row) > MOST_SLACK;
}

static bool IsTight(const hwDebrief* d, int row) {
    return !IsNear(d, row) && GetSlack(d, row) < LEAST_SLACK;
}

static bool IsPulled(const hwDebrief* d, int row) {
    return d->curves[CURVE_TENSION][row] > GOOD_TENSION;
}

// The longest stretch in which something holds; the share of the rows in which it does.
static double FindStretch(const hwDebrief* d, TestFn* test, double* from, double* to) {
    int count = 0, start = -1;
    *from = *to = d->curves[CURVE_TIME][0];
    for (int i = 0; i <= d->rows; ++i) {
        bool holds = i < d->rows && test(d, i);
        count += holds;
        if (holds && start < 0) start = i;
        if (holds || start < 0) continue;
        double begun = d->curves[CURVE_TIME][start], ended = d->curves[CURVE_TIME][i - 1];
        if (ended - begun > *to - *from) *from = begun, *to = ended;
        start = -1;
    }
    return (double)count / d->rows;
}

static Tip* AddTip(Tips* tips, double lost) {
    Tip* tip = &tips->tips[tips->count++];
    tip->lost = lost;
    tip->text[0] = 0;
    return tip;
}

static void TellTask(const hwDebrief* d, Tip* tip) {
    int next = d->result.score.current;
    if (next < 0) return;
    const hwLessonObjective* o = &d->lesson->def.objectives[next];
    snprintf(
        tip->text, sizeof(tip->text),
        "%d of %d objectives were done; “%.60s” was the next: %.120s. Finish the task before you hurry home.",
        d->result.score.done, d->lesson->def.objectiveCount, o->name, o->text);
}

static void TellTime(const hwDebrief* d, Tip* tip) {
    const hwScore* score = &d->result.score;
    if (!score->complete) return;
    double before = 0.0, longest = 0.0;
    int which = 0;
    // objectives in the order in which they were done
    for (double last = -1.0;;) {
        int next = -1;
        for (int i = 0; i < d->lesson->def.objectiveCount; ++i) {
            double at = score->doneAt[i];
            if (at > last && (next < 0 || at < score->doneAt[next])) next = i;
        }
        if (next < 0) break;
        last = score->doneAt[next];
        if (last - before > longest) longest = last - before, which = next;
        before = last;
    }
    snprintf(
        tip->text, sizeof(tip->text),
        "%.0f s is %.0f s over par. The longest part was the way to “%.60s”, %.0f s: look where it went.",
        score->time, score->time - d->lesson->def.par, d->lesson->def.objectives[which].name, longest);
}

static void TellTurns(const hwDebrief* d, Tip* tip) {
    int most = FindMost(d->curves[CURVE_TURNS], 0, d->rows, true);
    if (most < 0) return;
    double turns = d->curves[CURVE_TURNS][most], left = d->curves[CURVE_TURNS][d->rows - 1];
    snprintf(tip->text, sizeof(tip->text),
             "The turns counter stood at %+.2f at %.0f s and at %+.2f in the end. Turn %s next time you have "
             "the choice: "
             "every turn goes into the tether.",
             turns, d->curves[CURVE_TIME][most], left, turns > 0.0 ? "to port" : "to starboard");
}

static void TellSlack(const hwDebrief* d, Tip* tip) {
    double slackFrom, slackTo, tightFrom, tightTo;
    double slack = FindStretch(d, IsSlack, &slackFrom, &slackTo);
    double tight = FindStretch(d, IsTight, &tightFrom, &tightTo);
    if (slack >= tight) {
        snprintf(tip->text, sizeof(tip->text),
                 "For %.0f %% of the time more than a quarter too much tether was out, longest from %.0f to "
                 "%.0f s. Haul in "
                 "as you come home; slack finds something to lie round.",
                 100.0 * slack, slackFrom, slackTo);
    } else {
        snprintf(tip->text, sizeof(tip->text),
                 "For %.0f %% of the time the tether was too short, longest from %.0f to %.0f s. Pay out "
                 "before you go, so "
                 "that the vehicle does not pull.",
                 100.0 * tight, tightFrom, tightTo);
    }
}

static void TellWrap(const hwDebrief* d, Tip* tip) {
    int most = FindMost(d->curves[CURVE_WRAP], 0, d->rows, false);
    if (most < 0) return;
    snprintf(tip->text, sizeof(tip->text), "The tether lay round something by %.0f degrees at %.0f s. %.200s",
             d->curves[CURVE_WRAP][most] * 180.0 / HW_PI, d->curves[CURVE_TIME][most],
             d->cause.found ? d->cause.remedy : "Go back the way you came before you go on.");
}

static void TellTension(const hwDebrief* d, Tip* tip) {
    int most = FindMost(d->curves[CURVE_TENSION], 0, d->rows, false);
    if (most < 0) return;
    double from, to;
    double share = FindStretch(d, IsPulled, &from, &to);
    snprintf(tip->text, sizeof(tip->text),
             "The tether pulled with more than %.0f N for %.0f %% of the time, %.0f N at most, at %.0f s. "
             "Stop, pay out or "
             "go back; never pull against it.",
             GOOD_TENSION, 100.0 * share, d->curves[CURVE_TENSION][most], d->curves[CURVE_TIME][most]);
}

static double GetDistance(const hwDebrief* d, int i, int k) {
    hwVec3 a = {d->curves[CURVE_X][i], d->curves[CURVE_Y][i], d->curves[CURVE_Z][i]};
    hwVec3 b = {d->curves[CURVE_X][k], d->curves[CURVE_Y][k], d->curves[CURVE_Z][k]};
    return hwDistance(a, b);
}

static void TellReturn(const hwDebrief* d, Tip* tip) {
    int worst = -1;
    double most = -1.0;
    int stride = d->rows / 600 + 1; // places a few centimetres apart do not differ
    for (int i = d->turnRow; i < d->rows; i += stride) {
        double nearest = (double)INFINITY;
        for (int k = 0; k <= d->turnRow; k += stride) nearest = hwFmin(nearest, GetDistance(d, i, k));
        if (nearest > most) most = nearest, worst = i;
    }
    if (worst < 0) return;
    char place[64];
    hwVec3 there = {d->curves[CURVE_X][worst], d->curves[CURVE_Y][worst], 0.0};
    snprintf(tip->text, sizeof(tip->text),
             "On the way back you were %.1f m off the way out at %.0f s, near %s. Follow the tether: it lies "
             "where you flew.",
             most, d->curves[CURVE_TIME][worst], hwDebrief_FormatPlace(there, place, sizeof(place)));
}

static void TellAwareness(const hwDebrief* d, Tip* tip) {
    double share = d->result.score.terms[HW_TERM_AWARENESS];
    if (isnan(share)) return;
    int answered = 0;
    for (int i = 0; i < d->result.probeCount; ++i) answered += d->result.probes[i].answered;
    if (answered == 0) {
        snprintf(tip->text, sizeof(tip->text),
                 "%s Say something even where you are not sure: what is left out counts as not known.",
                 d->result.probeCount == 1 ? "The freeze was not answered."
                                           : "None of the freezes was answered.");
        return;
    }
    snprintf(tip->text, sizeof(tip->text),
             "%.0f %% of the answers about tether and place were right. Say to yourself every half minute "
             "where the tether "
             "lies, on which side of each obstacle, and how much of it is out.",
             100.0 * share);
}

static void TellError(const hwDebrief* d, Tip* tip) {
    const hwLessonDef* def = &d->lesson->def;
    double measure = d->result.score.measures[HW_TERM_ERROR];
    switch (def->error) {
    case HW_LESSON_ERROR_CROSS_TRACK:
        snprintf(tip->text, sizeof(tip->text),
                 "%.2f m off the line on average. Turn the bow before you go, and correct sideways with the "
                 "lateral stick.",
                 measure);
        return;
    case HW_LESSON_ERROR_STATION:
        snprintf(
            tip->text, sizeof(tip->text),
            "In place for %.0f %% of the time. Point the bow into the current and choose a mark to look at.",
            100.0 * measure);
        return;
    case HW_LESSON_ERROR_IN_VIEW:
        snprintf(tip->text, sizeof(tip->text),
                 "The tether was in the picture for %.0f %% of the time. Tilt the camera to it and fly "
                 "slower than you see.",
                 100.0 * measure);
        return;
    case HW_LESSON_ERROR_STEPS:
        for (int i = 0; i < def->objectiveCount; ++i) {
            if (!def->objectives[i].step || !isnan(d->result.score.doneAt[i])) continue;
            snprintf(tip->text, sizeof(tip->text), "The drill stopped before “%.60s”: %.160s.",
                     def->objectives[i].name, def->objectives[i].text);
            return;
        }
        return;
    case HW_LESSON_ERROR_NONE:
        return;
    }
}

static void TellHits(const hwDebrief* d, Tip* tip) {
    double fastest = 0.0, at = 0.0;
    for (int i = 0; i < d->result.eventCount; ++i) {
        const hwLessonEvent* event = &d->result.events[i];
        if (event->kind == HW_LESSON_HIT && event->value > fastest) fastest = event->value, at = event->time;
    }
    snprintf(tip->text, sizeof(tip->text),
             "The hull hit something %d times, fastest with %.2f m/s at %.0f s. Stop a metre before what you "
             "go to, then "
             "creep.",
             d->result.score.hits, fastest, at);
}

static void TellGate(unsigned gate, Tip* tip) {
    static const char* const advice[HW_GATE_COUNT] = {
        "Break off as soon as the pull grows: a parted tether is a lost vehicle.",
        "Keep it away from edges while it is under load, and pay out before it turns sharply.",
        "When the pull grows while hauling, stop at once: fly to the snag and clear it.",
        "Whatever else happens: bring the vehicle back."};
    for (unsigned i = 0; i < HW_GATE_COUNT; ++i) {
        if (gate == 1u << i)
            snprintf(tip->text, sizeof(tip->text), "%s %s", hwLessonGate_GetText(gate), advice[i]);
    }
}

static void AddLessonTips(const hwDebrief* d, Tips* tips) {
    typedef void TellFn(const hwDebrief* d, Tip* tip);
    static TellFn* const tell[HW_TERM_COUNT] = {TellTask,    TellTime,   TellTurns,     TellSlack, TellWrap,
                                                TellTension, TellReturn, TellAwareness, TellError};
    const hwScore* score = &d->result.score;
    for (unsigned i = 0; i < HW_GATE_COUNT; ++i) {
        if ((score->gates & (1u << i)) != 0) TellGate(1u << i, AddTip(tips, 100.0));
    }
    if (score->hits > 0) TellHits(d, AddTip(tips, 5.0 * score->hits));
    for (int i = 0; i < HW_TERM_COUNT; ++i) {
        double value = isnan(score->terms[i]) ? 0.0 : score->terms[i];
        double lost = 100.0 * d->lesson->def.weights[i] * (1.0 - value);
        if (lost > 0.05) tell[i](d, AddTip(tips, lost));
    }
}

// What did not cost points this time but will somewhere else.
static void AddGeneralTips(const hwDebrief* d, Tips* tips) {
    bool told = false; // of the cause, by the tip about wrap
    for (int i = 0; i < tips->count; ++i) told = told || strstr(tips->tips[i].text, d->cause.remedy) != NULL;
    if (d->cause.found && !told && tips->count < MOST_TIPS) {
        Tip* tip = AddTip(tips, 0.02);
        snprintf(tip->text, sizeof(tip->text), "%.150s %.200s",
                 d->cause.stayed ? "At the end the tether was still wound round something."
                                 : "The tether was round "
                                   "something for a while.",
                 d->cause.remedy);
    }
    double from, to;
    double slack = FindStretch(d, IsSlack, &from, &to);
    if (slack > 0.1 && tips->count < MOST_TIPS) TellSlack(d, AddTip(tips, 0.01));
    int most = FindMost(d->curves[CURVE_TURNS], 0, d->rows, true);
    if (most >= 0 && fabs(d->curves[CURVE_TURNS][most]) > 0.5 && tips->count < MOST_TIPS)
        TellTurns(d, AddTip(tips, 0.005));
    int pull = FindMost(d->curves[CURVE_TENSION], 0, d->rows, false);
    if (pull >= 0 && d->curves[CURVE_TENSION][pull] > FELT_PULL && tips->count < MOST_TIPS) {
        Tip* tip = AddTip(tips, 0.002);
        snprintf(tip->text, sizeof(tip->text),
                 "The tether pulled with %.0f N at most, at %.0f s. Feel it in the thrusters' effort before "
                 "the gauge shows "
                 "it.",
                 d->curves[CURVE_TENSION][pull], d->curves[CURVE_TIME][pull]);
    }
    int out = FindMost(d->curves[CURVE_OUT], 0, d->rows, false);
    if (out >= 0 && tips->count < MOST_TIPS) {
        Tip* tip = AddTip(tips, 0.0005);
        snprintf(
            tip->text, sizeof(tip->text),
            "%.0f m of tether were out at most, at %.0f s. Say before you look how much it is: who knows it "
            "knows how to come home.",
            d->curves[CURVE_OUT][out], d->curves[CURVE_TIME][out]);
    }
    int fast = FindMost(d->curves[CURVE_SPEED], 0, d->rows, false);
    if (tips->count >= MOST_TIPS || fast < 0) return;
    Tip* tip = AddTip(tips, 0.001);
    snprintf(tip->text, sizeof(tip->text),
             "%.2f m/s at most, at %.0f s. Fly it again with one aid less, and three times in a row.",
             d->curves[CURVE_SPEED][fast], d->curves[CURVE_TIME][fast]);
}

void hwDebrief_FindTips(hwDebrief* d) {
    Tips tips = {0};
    if (d->lesson != NULL) AddLessonTips(d, &tips);
    AddGeneralTips(d, &tips);
    for (int k = 0; k < DEBRIEF_TIPS;) {
        Tip* best = NULL;
        for (int i = 0; i < tips.count; ++i) {
            Tip* tip = &tips.tips[i];
            if (tip->text[0] != 0 && (best == NULL || tip->lost > best->lost)) best = tip;
        }
        if (best == NULL) return;
        // two of the same kind say the same
        bool told = false;
        for (int i = 0; i < k; ++i) told = told || strncmp(d->tips[i], best->text, 24) == 0;
        if (!told) snprintf(d->tips[k++], sizeof(d->tips[0]), "%s", best->text);
        best->text[0] = 0;
    }
}
