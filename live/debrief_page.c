// Debriefs as one HTML file: tables and drawings, no script, nothing loaded from elsewhere.
#include "debrief_internal.h"

#include "hawser/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLAN_SIZE 720.0   // pixels, longer side of the plan
#define LINE_WIDTH 900.0  // pixels, of a timeline
#define LINE_HEIGHT 106.0 // pixels, likewise
#define LINE_TOP 20.0     // pixels, likewise, for its title
#define LINE_POINTS 900   // columns of a timeline
#define MOST_LISTED_MARKS 60
#define MOST_LABELS 64     // in a plan, that keep clear of each other
#define LETTER_WIDTH 6.2   // pixels, of a label
#define LETTER_HEIGHT 12.0 // pixels, likewise

static const char g_style[] =
    ":root{--ink:#1b2733;--dim:#5b6b7a;--line:#ccd5dd;--good:#1a7f4b;--bad:#b3261e;--out:#0b6e99;--back:#"
    "ad4a12;--tether:#8a6d00}"
    "*{box-sizing:border-box}body{font:15px/1.45 "
    "system-ui,sans-serif;color:var(--ink);background:#fff;max-width:960px;"
    "margin:0 auto;padding:24px}h1{font-size:26px;margin:0 0 4px}h2{font-size:18px;margin:28px 0 "
    "8px;border-bottom:1px solid "
    "var(--line);padding-bottom:4px}h3{font-size:15px;margin:18px 0 6px}p{margin:6px "
    "0}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:4px "
    "10px 4px 0;border-bottom:1px solid "
    "var(--line);vertical-align:top}th{color:var(--dim);font-weight:600;font-size:13px}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.verdict{display:flex;gap:24px;align-items:"
    "center;margin:16px "
    "0;padding:14px 18px;border:2px solid "
    "currentColor;border-radius:8px}.verdict.passed{color:var(--good)}.verdict.failed{color:"
    "var(--bad)}.verdict strong{font-size:40px;line-height:1}.verdict "
    "p{color:var(--ink);margin:0}.dim{color:var(--dim)}ol.tips "
    "li{margin:6px 0}.cause{border-left:4px solid var(--bad);padding:6px "
    "14px;background:#fbf3f2}svg{display:block;max-width:100%;"
    "height:auto}svg text{font:11px "
    "system-ui,sans-serif;fill:var(--ink);paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:"
    "round}"
    ".key{display:flex;flex-wrap:wrap;gap:16px;font-size:13px}"
    "code{font:13px ui-monospace,monospace}figure{margin:8px "
    "0;break-inside:avoid}h2{break-after:avoid}tr{break-inside:avoid}"
    ".events td.n,.events th.n,.marks td.n,.note td.n{width:6em}"
    ".sign{display:none;gap:24px;margin-top:48px}.sign span{flex:1;border-top:1px solid "
    "var(--ink);padding-top:4px}"
    "@page{size:A4;margin:14mm}@media "
    "print{body{padding:0;font-size:12px;max-width:none}.sign{display:flex;break-inside:avoid}.verdict,."
    "cause{-webkit-print-color-"
    "adjust:exact;print-color-adjust:exact}}";

static void PutText(FILE* f, const char* text) {
    for (; *text != 0; ++text) {
        switch (*text) {
        case '&':
            fputs("&amp;", f);
            break;
        case '<':
            fputs("&lt;", f);
            break;
        case '>':
            fputs("&gt;", f);
            break;
        case '"':
            fputs("&quot;", f);
            break;
        default:
            if ((unsigned char)*text >= 0x20) fputc(*text, f);
        }
    }
}

static void PutParagraph(FILE* f, const char* text) {
    fputs("<p>", f);
    PutText(f, text);
    fputs("</p>\n", f);
}

// Verdict --------------------------------------------------------------------------------------------------------------

static void PutVerdict(FILE* f, const hwDebrief* d) {
    const hwScore* score = &d->result.score;
    fprintf(f,
            "<div class=\"verdict %s\" data-score=\"%.17g\"><strong>%.1f</strong><div><h2 "
            "style=\"border:0;margin:0\">%s</h2>",
            score->passed ? "passed" : "failed", score->score, score->score,
            score->passed ? "Passed" : "Not passed");
    fprintf(f, "<p>%d of %d objectives in %.1f s; %g points and %.0f %% of the task are needed.</p>",
            score->done, d->lesson->def.objectiveCount, score->time, d->lesson->def.passScore,
            100.0 * d->lesson->def.passTask);
    fputs("</div></div>\n", f);
    for (unsigned i = 0; i < HW_GATE_COUNT; ++i) {
        if ((score->gates & (1u << i)) == 0) continue;
        fputs("<p><b>Gate, 49 points at most:</b> ", f);
        PutText(f, hwLessonGate_GetText(1u << i));
        fputs("</p>\n", f);
    }
}

// What the page calls them, too.
static const char* const g_terms[HW_TERM_COUNT] = {[HW_TERM_TASK] = "Task",
                                                   [HW_TERM_TIME] = "Time",
                                                   [HW_TERM_TURNS] = "Turns",
                                                   [HW_TERM_SLACK] = "Slack",
                                                   [HW_TERM_WRAP] = "Wrapped tether",
                                                   [HW_TERM_TENSION] = "Pull of the tether",
                                                   [HW_TERM_RETURN] = "Back the same way",
                                                   [HW_TERM_AWARENESS] = "Awareness",
                                                   [HW_TERM_ERROR] = "Accuracy"};

static void PutTerms(FILE* f, const hwDebrief* d) {
    const hwScore* score = &d->result.score;
    fputs("<h2>What the score is made of</h2>\n<table class=\"terms\"><tr><th>term</th><th "
          "class=\"n\">weight</th><th "
          "class=\"n\">reached</th><th class=\"n\">points</th><th>measured</th></tr>\n",
          f);
    for (int i = 0; i < HW_TERM_COUNT; ++i) {
        double weight = d->lesson->def.weights[i], value = isnan(score->terms[i]) ? 0.0 : score->terms[i];
        if (!(weight > 0.0)) continue;
        char text[120];
        hwLessonTerm_Describe(&d->lesson->def, (hwLessonTerm)i, score->measures[i], text, sizeof(text));
        fprintf(
            f, "<tr><td>%s</td><td class=\"n\">%g</td><td class=\"n\">%.3f</td><td class=\"n\">%.1f</td><td>",
            g_terms[i], weight, value, 100.0 * weight * value);
        PutText(f, text);
        fputs("</td></tr>\n", f);
    }
    if (score->hits > 0)
        fprintf(f,
                "<tr><td>hits</td><td></td><td></td><td class=\"n\">%.1f</td><td>%d of the hull above 0.3 "
                "m/s</td></tr>\n",
                -5.0 * score->hits, score->hits);
    fputs("</table>\n", f);
}

static void PutEvents(FILE* f, const hwDebrief* d) {
    if (d->result.eventCount == 0) {
        fputs("<h2>What happened</h2>\n<p>Nothing of the task was done.</p>\n", f);
        return;
    }
    fputs("<h2>What happened</h2>\n<table class=\"events\"><tr><th class=\"n\">s</th><th>event</th></tr>\n",
          f);
    for (int i = 0; i < d->result.eventCount; ++i) {
        char text[160];
        const hwLessonEvent* event = &d->result.events[i];
        hwLessonEvent_Describe(&d->lesson->def, event, text, sizeof(text));
        fprintf(f, "<tr><td class=\"n\">%.1f</td><td>%s", event->time,
                event->kind == HW_LESSON_DONE ? "Done: " : "");
        PutText(f, text);
        fputs("</td></tr>\n", f);
    }
    fputs("</table>\n", f);
}

static void PutTrend(FILE* f, const hwDebrief* d) {
    if (d->runCount == 0) return;
    fputs("<h2>The last runs of this lesson</h2>\n<figure><svg class=\"trend\" viewBox=\"0 0 500 130\" "
          "width=\"500\">\n",
          f);
    double y = 110.0 - 0.9 * d->lesson->def.passScore;
    fprintf(f,
            "<line x1=\"20\" x2=\"490\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#5b6b7a\" stroke-dasharray=\"4 "
            "4\"/><text x=\"440\" "
            "y=\"%.1f\">to pass</text>\n",
            y, y, y - 3.0);
    for (int i = 0; i < d->runCount; ++i) {
        const DebriefRun* run = &d->runs[i];
        double x = 30.0 + 90.0 * i, height = 0.9 * run->score;
        fprintf(f,
                "<rect x=\"%.0f\" y=\"%.1f\" width=\"44\" height=\"%.1f\" fill=\"%s\"/><text x=\"%.0f\" "
                "y=\"%.1f\">%.1f</text><text "
                "x=\"%.0f\" y=\"124\">%.10s</text>\n",
                x, 110.0 - height, hwFmax(height, 1.0), run->passed ? "#1a7f4b" : "#b3261e", x + 6.0,
                105.0 - height, run->score, x - 8.0, run->started);
    }
    fputs("</svg></figure>\n", f);
}

// Plan -----------------------------------------------------------------------------------------------------------------

typedef struct Plan {
    double left, top, scale; // x is north and goes up, y is west and goes left
} Plan;

static double MapX(const Plan* p, hwVec3 v) {
    return (p->left - v.y) * p->scale;
}

static double MapY(const Plan* p, hwVec3 v) {
    return (p->top - v.x) * p->scale;
}

typedef struct Bounds {
    double low[2], high[2];
} Bounds;

static void Include(Bounds* b, hwVec3 v) {
    b->low[0] = hwFmin(b->low[0], v.x);
    b->high[0] = hwFmax(b->high[0], v.x);
    b->low[1] = hwFmin(b->low[1], v.y);
    b->high[1] = hwFmax(b->high[1], v.y);
}

static hwVec3 GetPlace(const hwDebrief* d, int row) {
    return hwMakeVec3(d->curves[CURVE_X][row], d->curves[CURVE_Y][row], d->curves[CURVE_Z][row]);
}

static void PutLine(FILE* f, const Plan* p, int count, const hwVec3* points, const char* look) {
    if (count < 2) return;
    fputs("<polyline fill=\"none\" points=\"", f);
    for (int i = 0; i < count; ++i) fprintf(f, "%.1f,%.1f ", MapX(p, points[i]), MapY(p, points[i]));
    fprintf(f, "\" %s/>\n", look);
}

static void PutPath(FILE* f, const Plan* p, const hwDebrief* d, int first, int last, const char* look) {
    int stride = (last - first) / 1500 + 1;
    fputs("<polyline fill=\"none\" points=\"", f);
    for (int i = first; i <= last; i += stride) {
        hwVec3 place = GetPlace(d, i);
        fprintf(f, "%.1f,%.1f ", MapX(p, place), MapY(p, place));
    }
    fprintf(f, "\" %s/>\n", look);
}

static void PutOutlines(FILE* f, const Plan* p, const hwDebrief* d) {
    for (int i = 0; i < d->outlineCount; ++i) {
        const DebriefOutline* o = &d->outlines[i];
        if (o->radius > 0.0) {
            fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#dfe5ea\" stroke=\"#7d8b98\"/>\n",
                    MapX(p, o->centre), MapY(p, o->centre), hwFmax(1.0, o->radius * p->scale));
            continue;
        }
        fputs("<polygon points=\"", f);
        for (int k = 0; k < 4; ++k) fprintf(f, "%.1f,%.1f ", MapX(p, o->corners[k]), MapY(p, o->corners[k]));
        fputs("\" fill=\"#dfe5ea\" fill-opacity=\"0.5\" stroke=\"#7d8b98\"/>\n", f);
    }
}

// A length of 1, 2 or 5 times a power of ten that is about a fifth of the width.
static double ChooseScaleBar(double width) {
    double step = 1.0;
    while (step * 10.0 < 0.2 * width) step *= 10.0;
    while (step > 0.2 * width) step *= 0.1;
    if (step * 5.0 < 0.25 * width) return 5.0 * step;
    return step * 2.0 < 0.25 * width ? 2.0 * step : step;
}

static Plan FitPlan(const hwDebrief* d, double* width, double* height) {
    hwVec3 first = GetPlace(d, 0);
    Bounds b = {{first.x, first.y}, {first.x, first.y}};
    for (int i = 1; i < d->rows; ++i) Include(&b, GetPlace(d, i));
    for (int i = 0; i < d->pictureCount; ++i) {
        for (int k = 0; k < d->pictures[i].count; ++k) Include(&b, d->pictures[i].points[k]);
        const hwGhostLine* ghost = hwGhosts_Find(d->ghosts, d->pictures[i].time);
        for (int k = 0; ghost != NULL && k < ghost->count; ++k) Include(&b, ghost->points[k]);
    }
    const hwGhostLine* most = hwDebrief_FindFarthestGhost(d);
    for (int k = 0; most != NULL && k < most->count; ++k) Include(&b, most->points[k]);
    for (int i = 0; i < d->obstacleCount; ++i) {
        bool shown = d->obstacles[i].isAxis && d->obstacleCount <= 24;
        if (shown || !isnan(d->obstacles[i].changed)) Include(&b, d->obstacles[i].point);
    }
    for (int i = 0; i < d->result.probeCount; ++i) {
        const hwProbeResult* probe = &d->result.probes[i];
        for (int k = 0; probe->answered && k < probe->answer.planCount; ++k)
            Include(&b, hwMakeVec3(probe->answer.plan[2 * k], probe->answer.plan[2 * k + 1], 0.0));
    }
    double margin = 1.0 + 0.06 * hwFmax(b.high[0] - b.low[0], b.high[1] - b.low[1]);
    double north = b.high[0] - b.low[0] + 2.0 * margin, west = b.high[1] - b.low[1] + 2.0 * margin;
    Plan plan = {b.high[1] + margin, b.high[0] + margin, PLAN_SIZE / hwFmax(north, west)};
    *width = west * plan.scale;
    *height = north * plan.scale;
    return plan;
}

// Of a winding number; 0 has none.
static const char* GetSign(int number) {
    return number > 0 ? "+" : "";
}

// Where labels stand already, so that no two lie on each other.
typedef struct Labels {
    int count;
    double left[MOST_LABELS], right[MOST_LABELS], base[MOST_LABELS];
} Labels;

// The nearest free line at or below a place for so many letters; it is taken.
static double PlaceLabel(Labels* labels, double x, double y, size_t letters) {
    double right = x + LETTER_WIDTH * (double)letters;
    for (int i = 0; i < labels->count; ++i) {
        bool beside = right < labels->left[i] || x > labels->right[i];
        if (beside || fabs(y - labels->base[i]) >= LETTER_HEIGHT) continue;
        y = labels->base[i] + LETTER_HEIGHT;
        i = -1;
    }
    if (labels->count < MOST_LABELS) {
        int k = labels->count++;
        labels->left[k] = x, labels->right[k] = right, labels->base[k] = y;
    }
    return y;
}

static void PutObstacles(FILE* f, const Plan* p, const hwDebrief* d, Labels* labels) {
    for (int i = 0; i < d->obstacleCount; ++i) {
        const hwDebriefObstacle* o = &d->obstacles[i];
        if (isnan(o->changed) && (!o->isAxis || d->obstacleCount > 24)) continue;
        double x = MapX(p, o->point), y = MapY(p, o->point);
        bool wound = o->end != o->start;
        double base = PlaceLabel(labels, x + 9.0, y - 6.0, strlen(o->name) + 3);
        fprintf(f,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"none\" stroke=\"%s\" "
                "stroke-width=\"%s\"/><text x=\"%.1f\" "
                "y=\"%.1f\"%s>",
                x, y, hwFmax(5.0, o->radius * p->scale + 3.0), wound ? "#b3261e" : "#7d8b98",
                wound ? "2.5" : "1", x + 9.0, base, wound ? " font-weight=\"700\"" : "");
        PutText(f, o->name);
        fprintf(f, " %s%d</text>\n", GetSign(o->end), o->end);
    }
}

// The tether as the pilot sketched it in freezes; how many sketches there are. Without a file they are counted.
static int PutSketches(FILE* f, const Plan* p, const hwDebrief* d) {
    int count = 0;
    for (int k = 0; k < d->result.probeCount; ++k) {
        const hwProbeResult* probe = &d->result.probes[k];
        if (!probe->answered || probe->answer.planCount < 2) continue;
        count += 1;
        if (f == NULL) continue;
        hwVec3 points[HW_PROBE_MAX_POINTS];
        for (int i = 0; i < probe->answer.planCount; ++i)
            points[i] = hwMakeVec3(probe->answer.plan[2 * i], probe->answer.plan[2 * i + 1], 0.0);
        PutLine(f, p, probe->answer.planCount, points,
                "class=\"sketch\" stroke=\"#7a2fb0\" stroke-width=\"1.4\" stroke-dasharray=\"3 3\"");
        hwVec3 end = points[probe->answer.planCount - 1];
        fprintf(f, "<text x=\"%.1f\" y=\"%.1f\">sketched at %.1f s</text>\n", MapX(p, end) + 6.0,
                MapY(p, end), probe->time);
    }
    return count;
}

// The ghost of a second tether at the moments at which the true one is drawn, and both where they were farthest apart.
static void PutGhosts(FILE* f, const Plan* p, const hwDebrief* d) {
    static const char look[] =
        "class=\"ghost\" stroke=\"#c0399f\" stroke-width=\"1.1\" stroke-dasharray=\"9 3\"";
    for (int i = 0; i < d->pictureCount; ++i) {
        const hwGhostLine* line = hwGhosts_Find(d->ghosts, d->pictures[i].time);
        if (line != NULL) PutLine(f, p, line->count, line->points, look);
    }
    const hwGhostLine* most = hwDebrief_FindFarthestGhost(d);
    if (most == NULL) return;
    PutLine(f, p, d->ghostPicture.count, d->ghostPicture.points, "stroke=\"#c9ad3a\" stroke-width=\"0.9\"");
    PutLine(f, p, most->count, most->points, look);
    hwVec3 middle = most->points[most->count / 2];
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\">ghost at %.1f s</text>\n", MapX(p, middle) + 6.0, MapY(p, middle),
            most->time);
}

// What a second tether did, where one was shown.
static void PutGhostText(FILE* f, const hwDebrief* d) {
    int count;
    const hwGhostLine *lines = hwGhosts_GetLines(d->ghosts, &count), *most = hwDebrief_FindFarthestGhost(d);
    if (most == NULL) return;
    fprintf(
        f,
        "<p class=\"ghost\">From %.1f to %.1f s a second tether was shown beside the true one, as a ghost; "
        "it was farthest from it, %.2f m, at %.1f s (model <code>",
        lines[0].time, lines[count - 1].time, most->apart, most->time);
    PutText(f, most->model);
    fputs("</code>).</p>\n", f);
}

static void PutPlan(FILE* f, const hwDebrief* d) {
    double width, height;
    Plan plan = FitPlan(d, &width, &height);
    fputs("<h2>Plan</h2>\n<div class=\"key\"><span style=\"color:#0b6e99\">— way out</span><span "
          "style=\"color:#ad4a12\">— way "
          "back</span><span style=\"color:#8a6d00\">— tether, every half minute, the last one "
          "thick</span><span>● first "
          "cause</span><span>name and number: winding of the tether in the end</span>",
          f);
    if (PutSketches(NULL, &plan, d) > 0)
        fputs("<span style=\"color:#7a2fb0\">- - tether as sketched in freezes</span>", f);
    if (hwDebrief_FindFarthestGhost(d) != NULL)
        fputs("<span style=\"color:#c0399f\">— - ghost: a second tether of another model, every half minute "
              "and where it was farthest off</span>",
              f);
    fputs("</div>\n", f);
    fprintf(f,
            "<figure><svg class=\"plan\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" style=\"border:1px solid "
            "#ccd5dd;max-height:900px\">\n",
            width, height, width);
    PutOutlines(f, &plan, d);
    for (int i = 0; i < d->pictureCount; ++i)
        PutLine(f, &plan, d->pictures[i].count, d->pictures[i].points,
                i + 1 == d->pictureCount ? "stroke=\"#8a6d00\" stroke-width=\"2.2\""
                                         : "stroke=\"#c9ad3a\" stroke-width=\"0.9\"");
    PutGhosts(f, &plan, d);
    PutSketches(f, &plan, d);
    PutPath(f, &plan, d, 0, d->turnRow, "stroke=\"#0b6e99\" stroke-width=\"1.8\"");
    PutPath(f, &plan, d, d->turnRow, d->rows - 1,
            "stroke=\"#ad4a12\" stroke-width=\"1.8\" stroke-dasharray=\"7 3\"");
    Labels labels = {0};
    PutObstacles(f, &plan, d, &labels);
    if (d->cause.found) {
        PutLine(f, &plan, d->causePicture.count, d->causePicture.points,
                "stroke=\"#b3261e\" stroke-width=\"1.4\" stroke-dasharray=\"2 3\"");
        fprintf(f,
                "<circle class=\"cause-place\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"#b3261e\"/><text "
                "x=\"%.1f\" y=\"%.1f\">%.1f s</text>\n",
                MapX(&plan, d->cause.position), MapY(&plan, d->cause.position),
                MapX(&plan, d->cause.position) + 8.0,
                PlaceLabel(&labels, MapX(&plan, d->cause.position) + 8.0,
                           MapY(&plan, d->cause.position) + 14.0, 6),
                d->cause.time);
    }
    double bar = ChooseScaleBar(width / plan.scale);
    fprintf(f,
            "<path d=\"M14 %.0fv6h%.1fv-6\" fill=\"none\" stroke=\"#1b2733\"/><text x=\"16\" y=\"%.0f\">%g "
            "m</text><path d=\"M%.0f "
            "34V14m-4 6l4-6l4 6\" fill=\"none\" stroke=\"#1b2733\"/><text x=\"%.0f\" y=\"46\">N</text>\n",
            height - 18.0, bar * plan.scale, height - 22.0, bar, width - 18.0, width - 22.0);
    fputs("</svg></figure>\n", f);
    PutGhostText(f, d);
}

static void PutWindings(FILE* f, const hwDebrief* d) {
    if (d->cable[0] == 0) return;
    fputs("<h2>What the tether was wound round</h2>\n", f);
    if (d->obstacleCount == 0) {
        PutParagraph(f, "There is nothing in these surroundings that a tether can be wound round.");
        return;
    }
    int quiet = 0;
    for (int i = 0; i < d->obstacleCount; ++i) quiet += isnan(d->obstacles[i].changed);
    if (quiet < d->obstacleCount) {
        fputs("<table class=\"windings\"><tr><th>round</th><th class=\"n\">at the start</th><th "
              "class=\"n\">farthest</th><th "
              "class=\"n\">in the end</th><th class=\"n\">first changed, s</th><th class=\"n\">as in the end "
              "since, s</th></tr>\n",
              f);
        for (int i = 0; i < d->obstacleCount; ++i) {
            const hwDebriefObstacle* o = &d->obstacles[i];
            if (isnan(o->changed)) continue;
            fputs("<tr><td>", f);
            PutText(f, o->name);
            fprintf(f,
                    "%s</td><td class=\"n\">%s%d</td><td class=\"n\">%s%d</td><td class=\"n\">%s%d</td><td "
                    "class=\"n\">%.1f</td>",
                    o->isAxis ? "" : " (through)", GetSign(o->start), o->start, GetSign(o->most), o->most,
                    GetSign(o->end), o->end, o->changed);
            if (isnan(o->since)) {
                fputs("<td class=\"n\">–</td></tr>\n", f);
            } else {
                fprintf(f, "<td class=\"n\">%.1f</td></tr>\n", o->since);
            }
        }
        fputs("</table>\n", f);
    }
    if (quiet > 0)
        fprintf(f, "<p class=\"dim\">%d of %d numbers never changed.</p>\n", quiet, d->obstacleCount);
}

// To a part of one; never -0.
static double Round(double value, double parts) {
    return round(value * parts) / parts + 0.0;
}

static void PutCause(FILE* f, const hwDebrief* d) {
    fputs("<h2>First cause</h2>\n", f);
    if (!d->cause.found) {
        PutParagraph(f, "The tether was never round anything and lay on nothing.");
        return;
    }
    fprintf(f, "<div class=\"cause\" data-time=\"%.17g\">", d->cause.time);
    PutParagraph(f, d->cause.text);
    PutParagraph(f, d->cause.remedy);
    int before = hwDebrief_FindRow(d, d->cause.time - 5.0), row = hwDebrief_FindRow(d, d->cause.time);
    char place[64];
    double heading = round(d->cause.heading * 180.0 / HW_PI) + 360.0;
    double turned = remainder(d->curves[CURVE_HEADING][row] - d->curves[CURVE_HEADING][before], 2.0 * HW_PI) *
                    180.0 / HW_PI;
    fprintf(f,
            "<p class=\"dim\">There: %s, heading %03.0f°, %.1f m of tether out. In the five "
            "seconds before: %.1f m "
            "flown, heading changed by %.0f°, turns by %.2f.</p></div>\n",
            hwDebrief_FormatPlace(d->cause.position, place, sizeof(place)), fmod(heading, 360.0),
            d->cause.out, hwDistance(GetPlace(d, before), d->cause.position), Round(turned, 1.0),
            Round(d->curves[CURVE_TURNS][row] - d->curves[CURVE_TURNS][before], 100.0));
}

// Timelines ------------------------------------------------------------------------------------------------------------

typedef struct Timeline {
    const char* title;
    DebriefCurve curve;
    double factor; // to what is shown
    double warn;   // a line to keep below, in what is shown; NaN: none
    const char* format;
} Timeline;

static double GetValue(const hwDebrief* d, const Timeline* t, int row) {
    if (t->curve == CURVE_COUNT) { // slack in per cent
        double straight = d->curves[CURVE_STRAIGHT][row];
        return straight > 1.0 ? 100.0 * (d->curves[CURVE_OUT][row] / straight - 1.0) : (double)NAN;
    }
    return t->factor * d->curves[t->curve][row];
}

static void PutMoments(FILE* f, const hwDebrief* d, double start, double scale) {
    if (d->cause.found)
        fprintf(f,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.0f\" y2=\"%.0f\" stroke=\"#b3261e\" "
                "stroke-dasharray=\"3 3\"/>\n",
                (d->cause.time - start) * scale, (d->cause.time - start) * scale, LINE_TOP,
                LINE_HEIGHT - 14.0);
    for (int i = 0; i < d->result.eventCount; ++i) {
        double x = (d->result.events[i].time - start) * scale;
        bool good =
            d->result.events[i].kind == HW_LESSON_DONE || d->result.events[i].kind == HW_LESSON_COMPLETE;
        fprintf(f,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.0f\" y2=\"%.0f\" stroke=\"%s\" stroke-width=\"2\"/>\n",
                x, x, LINE_HEIGHT - 20.0, LINE_HEIGHT - 14.0, good ? "#1a7f4b" : "#b3261e");
    }
    for (int i = 0; i < d->markCount; ++i) {
        double x = (d->marks[i].time - start) * scale;
        fprintf(f, "<circle cx=\"%.1f\" cy=\"%.0f\" r=\"2\" fill=\"#5b6b7a\"/>\n", x, LINE_TOP - 3.0);
    }
}

// The least and the greatest of each column, so that no peak is lost.
static void PutCurve(FILE* f, const hwDebrief* d, const Timeline* t, double low, double high) {
    double height = LINE_HEIGHT - LINE_TOP - 18.0, scale = LINE_WIDTH / hwFmax(1.0, d->rows - 1.0);
    int columns = d->rows < LINE_POINTS ? d->rows : LINE_POINTS;
    bool drawing = false;
    fputs("<path fill=\"none\" stroke=\"#0b6e99\" stroke-width=\"1.2\" d=\"", f);
    for (int c = 0; c < columns; ++c) {
        int first = (int)((int64_t)c * d->rows / columns), next = (int)((int64_t)(c + 1) * d->rows / columns);
        double least = (double)INFINITY, most = -(double)INFINITY;
        for (int i = first; i < next; ++i) {
            double value = GetValue(d, t, i);
            if (isnan(value)) continue;
            least = hwFmin(least, value);
            most = hwFmax(most, value);
        }
        if (least > most) {
            drawing = false;
            continue;
        }
        double x = first * scale, y = LINE_TOP + height * (high - most) / (high - low);
        fprintf(f, "%s%.1f %.1f", drawing ? "L" : "M", x, y);
        if (most > least) fprintf(f, "L%.1f %.1f", x, LINE_TOP + height * (high - least) / (high - low));
        drawing = true;
    }
    fputs("\"/>\n", f);
}

static void PutTimeline(FILE* f, const hwDebrief* d, const Timeline* t) {
    double low = 0.0, high = 0.0;
    bool any = false;
    for (int i = 0; i < d->rows; ++i) {
        double value = GetValue(d, t, i);
        if (isnan(value)) continue;
        any = true;
        low = hwFmin(low, value);
        high = hwFmax(high, value);
    }
    if (!any) return;
    if (!isnan(t->warn) && high > 0.5 * t->warn) high = hwFmax(high, 1.05 * t->warn);
    if (!(high - low > 1e-9)) high = low + 1.0;
    double start = d->curves[CURVE_TIME][0], span = d->curves[CURVE_TIME][d->rows - 1] - start;
    double scale = LINE_WIDTH / span, height = LINE_HEIGHT - LINE_TOP - 18.0;
    fprintf(f,
            "<figure><svg class=\"timeline\" viewBox=\"-50 0 %.0f %.0f\" width=\"%.0f\"><rect x=\"0\" "
            "y=\"%.0f\" width=\"%.0f\" "
            "height=\"%.0f\" fill=\"#f6f8fa\"/>\n",
            LINE_WIDTH + 60.0, LINE_HEIGHT, LINE_WIDTH + 60.0, LINE_TOP, LINE_WIDTH, height);
    if (!isnan(t->warn) && t->warn < high)
        fprintf(
            f,
            "<line x1=\"0\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#b3261e\" stroke-width=\"0.7\"/>\n",
            LINE_WIDTH, LINE_TOP + height * (high - t->warn) / (high - low),
            LINE_TOP + height * (high - t->warn) / (high - low));
    PutMoments(f, d, start, scale);
    PutCurve(f, d, t, low, high);
    char top[32], bottom[32];
    double parts = strchr(t->format, '1') != NULL ? 10.0 : 1.0;
    snprintf(top, sizeof(top), t->format, Round(high, parts));
    snprintf(bottom, sizeof(bottom), t->format, Round(low, parts));
    fprintf(f,
            "<text x=\"-6\" y=\"%.0f\" text-anchor=\"end\">%s</text><text x=\"-6\" y=\"%.0f\" "
            "text-anchor=\"end\">%s</text><text "
            "x=\"0\" y=\"11\" font-weight=\"600\">%s</text>",
            LINE_TOP + 8.0, top, LINE_TOP + height, bottom, t->title);
    double step = ChooseScaleBar(span);
    for (double time = 0.0; time <= span + 1e-9; time += step)
        fprintf(f, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%g</text>", time * scale,
                LINE_HEIGHT - 2.0, start + time);
    fputs("</svg></figure>\n", f);
}

static void PutTimelines(FILE* f, const hwDebrief* d) {
    static const Timeline lines[] = {
        {"turns of the vehicle", CURVE_TURNS, 1.0, (double)NAN, "%.1f"},
        {"tether out over the straight way, %", CURVE_COUNT, 1.0, 25.0, "%.0f"},
        {"tension at the vehicle, N", CURVE_TENSION, 1.0, 69.0, "%.0f"},
        {"wrap angle, degrees", CURVE_WRAP, 180.0 / HW_PI, 90.0, "%.0f"},
        {"winding numbers changed", CURVE_WOUND, 1.0, (double)NAN, "%.0f"},
        {"depth, m below the mean surface", CURVE_Z, -1.0, (double)NAN, "%.1f"},
        {"thruster effort, %", CURVE_EFFORT, 100.0, 60.0, "%.0f"},
    };
    fputs("<h2>Timelines</h2>\n<p class=\"dim\">Seconds along the bottom; green and red ticks are the events "
          "above, dots are marks, "
          "the dashed line is the first cause.</p>\n",
          f);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); ++i) PutTimeline(f, d, &lines[i]);
    hwDebrief_PutBounds(f, d);
}

// Lists ----------------------------------------------------------------------------------------------------------------

static void PutHandling(FILE* f, const hwDebrief* d) {
    if (d->winch[0] == 0) return;
    fputs("<h2>Handler's log</h2>\n", f);
    if (d->handlingCount == 0) {
        PutParagraph(f, "The winch stood still.");
        return;
    }
    fputs("<table class=\"handling\"><tr><th class=\"n\">from, s</th><th class=\"n\">to, "
          "s</th><th>done</th><th class=\"n\">m</th><th "
          "class=\"n\">m/s</th><th class=\"n\">pull at most, N</th></tr>\n",
          f);
    for (int i = 0; i < d->handlingCount; ++i) {
        const hwDebriefHandling* h = &d->handling[i];
        fprintf(
            f,
            "<tr><td class=\"n\">%.1f</td><td class=\"n\">%.1f</td><td>%s</td><td class=\"n\">%.2f</td><td "
            "class=\"n\">%.2f</td>",
            h->start, h->end, h->paid > 0.0 ? "paid out" : "hauled in", fabs(h->paid),
            fabs(h->paid) / hwFmax(h->end - h->start, 1e-9));
        if (isnan(h->tension)) {
            fputs("<td class=\"n\">–</td></tr>\n", f);
        } else {
            fprintf(f, "<td class=\"n\">%.0f</td></tr>\n", h->tension);
        }
    }
    fputs("</table>\n", f);
}

static void PutPercent(FILE* f, double share) {
    if (isfinite(share)) {
        fprintf(f, "<td class=\"n\">%.0f %%</td>", 100.0 * share);
    } else {
        fputs("<td class=\"n\">–</td>", f);
    }
}

// What was asked at freezes, what was answered and what was so.
static void PutProbes(FILE* f, const hwDebrief* d) {
    if (d->result.probeCount == 0) return;
    fputs("<h2>What the pilot knew</h2>\n<table class=\"probes\"><tr><th class=\"n\">s</th><th>asked</th><th "
          "class=\"n\">level</th><th "
          "class=\"n\">answer</th><th class=\"n\">truth</th><th class=\"n\">right</th><th "
          "class=\"n\">sure</th></tr>\n",
          f);
    for (int k = 0; k < d->result.probeCount; ++k) {
        const hwProbeResult* probe = &d->result.probes[k];
        for (int i = 0; i < probe->probe.itemCount; ++i) {
            hwProbeItem item = probe->probe.items[i];
            char said[100], so[100];
            hwDebrief_FormatProbe(d, item, probe->answered ? probe->answer.values[item] : (double)NAN, said,
                                  sizeof(said));
            hwDebrief_FormatProbe(d, item, probe->truth[item], so, sizeof(so));
            fprintf(f, "<tr><td class=\"n\">%.1f</td><td>%s%s</td><td class=\"n\">%d</td><td class=\"n\">",
                    probe->time, hwDebrief_NameProbe(item), probe->answered ? "" : " (not answered)",
                    hwProbeItem_GetLevel(item));
            PutText(f, said);
            fputs("</td><td class=\"n\">", f);
            PutText(f, so);
            fputs("</td>", f);
            PutPercent(f, probe->points[item]);
            PutPercent(f, probe->answered ? probe->answer.confidence : (double)NAN);
            fputs("</tr>\n", f);
        }
    }
    fputs("</table>\n", f);
}

// Marks of a level, or of all levels but notes and answers.
static void PutMarks(FILE* f, const hwDebrief* d, const char* level, const char* title) {
    int listed = 0;
    for (int i = 0; i < d->markCount; ++i) {
        const DebriefMark* m = &d->marks[i];
        bool own = strcmp(m->level, "note") != 0 && strcmp(m->level, "probe") != 0;
        if (level != NULL ? strcmp(m->level, level) != 0 : !own) continue;
        if (listed == MOST_LISTED_MARKS) {
            fputs("<tr><td></td><td>and more</td></tr>\n", f);
            break;
        }
        if (listed++ == 0) {
            fprintf(f, "<h2>%s</h2>\n<table class=\"%s\"><tr><th class=\"n\">s</th><th>said</th></tr>\n",
                    title, level != NULL ? level : "marks");
        }
        fprintf(f, "<tr><td class=\"n\">%.1f</td><td>", m->time);
        PutText(f, m->text);
        fputs("</td></tr>\n", f);
    }
    if (listed > 0) fputs("</table>\n", f);
}

static void PutFoot(FILE* f, const hwDebrief* d) {
    fputs("<h2>Where this comes from</h2>\n<table class=\"versions\">\n", f);
    fputs("<tr><td>flight</td><td><code>", f);
    PutText(f, d->info.id);
    fputs("</code></td></tr>\n<tr><td>recorded by</td><td>hawser ", f);
    PutText(f, d->info.version);
    fputs("</td></tr>\n<tr><td>recording</td><td>", f);
    PutText(f, d->info.status);
    fputs("</td></tr>\n", f);
    if (d->info.hashed)
        fprintf(f, "<tr><td>hash of the last state</td><td><code>0x%016llx</code></td></tr>\n",
                (unsigned long long)d->info.hash);
    fprintf(f, "<tr><td>hash of the scene and lesson (FNV-1a)</td><td><code>0x%016llx</code></td></tr>\n",
            (unsigned long long)d->sceneHash);
    if (d->lesson != NULL)
        fprintf(f, "<tr><td>score, every digit</td><td><code>%.17g</code></td></tr>\n",
                d->result.score.score);
    fputs("</table>\n<p class=\"dim\">The score comes from the recorded rows alone: <code>hawser score ", f);
    PutText(f, d->info.id);
    fputs(" --verify</code> computes it again and flies the recorded inputs once more.</p>\n", f);
}

hwStatus hwDebrief_WriteHtml(const hwDebrief* d, const char* path, hwError* error) {
    char temporary[1100];
    FILE* f = hwDebrief_OpenFile(path, temporary, sizeof(temporary), error);
    if (f == NULL) return HW_ERROR_FILE;
    const char* title = d->lesson != NULL       ? d->lesson->title
                        : d->info.title[0] != 0 ? d->info.title
                                                : d->info.id;
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
          "content=\"width=device-width\"><title>Debrief: ",
          f);
    PutText(f, title);
    fprintf(f, "</title><style>%s</style></head><body><main>\n<h1>", g_style);
    PutText(f, title);
    fputs("</h1>\n<p class=\"dim\">", f);
    if (d->info.pilot[0] != 0) {
        fputs("Pilot <b class=\"pilot\">", f);
        PutText(f, d->info.pilot);
        fputs("</b> · ", f);
    }
    // 2026-11-19T03:58:21Z
    if (strlen(d->info.started) >= 16) fprintf(f, "%.10s %.5s UTC · ", d->info.started, d->info.started + 11);
    fprintf(f, "%d:%04.1f min flown · ", (int)(d->info.duration / 60.0), fmod(d->info.duration, 60.0));
    PutText(f, d->info.vehicle);
    if (d->lesson == NULL) {
        fputs(" · ", f);
        PutText(f, d->info.surroundings);
    }
    fputs("</p>\n", f);
    if (d->lesson != NULL) {
        PutParagraph(f, d->lesson->why);
        PutVerdict(f, d);
    }
    fputs("<h2>Three tips</h2>\n<ol class=\"tips\">\n", f);
    for (int i = 0; hwDebrief_GetTip(d, i) != NULL; ++i) {
        fputs("<li>", f);
        PutText(f, d->tips[i]);
        fputs("</li>\n", f);
    }
    fputs("</ol>\n", f);
    PutCause(f, d);
    if (d->lesson != NULL) {
        PutTerms(f, d);
        PutEvents(f, d);
        PutTrend(f, d);
    }
    PutPlan(f, d);
    PutWindings(f, d);
    PutTimelines(f, d);
    PutHandling(f, d);
    PutProbes(f, d);
    PutMarks(f, d, "note", "Instructor's notes");
    PutMarks(f, d, NULL, "Marks and alerts");
    PutFoot(f, d);
    if (d->lesson != NULL)
        fputs("<p class=\"sign\"><span>Pilot</span><span>Instructor</span><span>Date</span></p>\n", f);
    fputs("</main></body></html>\n", f);
    return hwDebrief_CloseFile(f, path, temporary, error);
}
