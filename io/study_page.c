// A page with the pictures of a study: allowed wave heights, sensitivities, extremes.
#define _POSIX_C_SOURCE 200809L
#include "page_frame.h"
#include "results_internal.h"
#include "study_group.h"

#include <stdlib.h>
#include <string.h>

static int CompareAllowed(const void* first, const void* second) {
    const hwStudyAllowed *a = first, *b = second;
    if (a->heading != b->heading) return a->heading < b->heading ? -1 : 1;
    if (a->tp != b->tp) return a->tp < b->tp ? -1 : 1;
    return a->run < b->run ? -1 : a->run > b->run;
}

// Numbers of the combination of all other parameters: lines are drawn for each.
static int64_t FindLine(const hwStudy* study, const hwStudyAllowed* a) {
    const hwStudyOperability* o = &study->file.operability;
    int64_t key = 0;
    for (int i = 0; i < study->axisCount; ++i) {
        if (strcmp(study->axes[i].path, o->hs) == 0 || strcmp(study->axes[i].path, o->tp) == 0) continue;
        if (!study->axes[i].sampled) key = key * study->axes[i].count + hwStudy_GetIndex(study, a->run, i);
    }
    return key;
}

// The parameters that a line of the plot stands for, "direction_deg 90, mass 5000"; nothing where there is one line.
static void TellCombination(const hwStudy* study, const hwStudyAllowed* a, char* text, size_t size) {
    const hwStudyOperability* o = &study->file.operability;
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < study->axisCount && used < size; ++i) {
        const hwStudyAxis* axis = &study->axes[i];
        bool seed = study->file.seeds.place.line > 0 && i == study->axisCount - 1;
        if (axis->sampled || seed || axis->count < 2 || !strcmp(axis->path, o->hs) ||
            !strcmp(axis->path, o->tp))
            continue;
        const char* dot = strrchr(axis->path, '.');
        used += (size_t)snprintf(text + used, size - used, "%s%s %s", used > 0 ? ", " : "",
                                 dot ? dot + 1 : axis->path, axis->texts[hwStudy_GetIndex(study, a->run, i)]);
    }
}

enum { MOST_LABEL = 300 };

static void PutCombination(FILE* stream, const hwStudy* study, const hwStudyAllowed* a) {
    char text[MOST_LABEL];
    TellCombination(study, a, text, sizeof(text));
    hwPutEscaped(stream, text);
}

static void PutStroke(FILE* stream, int line) {
    fprintf(stream, "fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"",
            hwPage_colors[line % 8], hwPage_dashes[line / 8 % 4]);
}

// What the lines are, below the axes, where as many as there are have room.
typedef struct Legend {
    int lines, columns, width; // width of a column
} Legend;

enum { LEGEND_ROW = 20, LETTER = 7 };

static Legend PlanLegend(const hwStudy* study, int count, const hwStudyAllowed* allowed) {
    Legend legend = {.lines = 0};
    size_t longest = 8;
    for (int i = 0; i < count; ++i) {
        bool seen = false;
        for (int k = 0; k < i && !seen; ++k)
            seen = FindLine(study, &allowed[k]) == FindLine(study, &allowed[i]);
        if (seen) continue;
        char text[MOST_LABEL];
        TellCombination(study, &allowed[i], text, sizeof(text));
        if (strlen(text) > longest) longest = strlen(text);
        legend.lines += 1;
    }
    legend.width = LETTER * (int)longest + 60;
    legend.columns = (HW_PLOT_WIDTH - HW_PLOT_LEFT) / legend.width;
    if (legend.columns < 1) legend.columns = 1;
    return legend;
}

static void PutKey(FILE* stream, const Legend* legend, int line, const hwStudy* study,
                   const hwStudyAllowed* a) {
    int x = HW_PLOT_LEFT + line % legend->columns * legend->width,
        y = HW_PLOT_HEIGHT + 8 + line / legend->columns * LEGEND_ROW;
    fputs("<path ", stream);
    PutStroke(stream, line);
    fprintf(stream, " d=\"M%d %dh34\"/><text x=\"%d\" y=\"%d\">", x, y, x + 42, y + 4);
    char text[MOST_LABEL];
    TellCombination(study, a, text, sizeof(text));
    hwPutEscaped(stream, text[0] ? text : "allowed");
    fputs("</text>\n", stream);
}

// The numbers of the plot.
static void PutAllowedTable(FILE* stream, const hwStudy* study, int count, const hwStudyAllowed* allowed) {
    fprintf(stream,
            "<table><tr><th>combination</th><th>peak period, s</th><th>allowed Hs, m</th><th>%g %% "
            "bounds</th><th>decided by</th></tr>\n",
            100.0 * study->file.operability.confidence);
    for (int i = 0; i < count; ++i) {
        const hwStudyAllowed* a = &allowed[i];
        fputs("<tr><td>", stream);
        PutCombination(stream, study, a);
        fprintf(stream, "</td><td>%g</td>", a->tp);
        if (a->end < 0) {
            fputs("<td>below the lowest height</td><td></td>", stream);
        } else {
            fprintf(stream, "<td>%s%.3g</td>", a->end > 0 ? "at least " : "", a->hs);
            if (isnan(a->low)) {
                fputs("<td>none</td>", stream);
            } else if (a->end > 0) {
                fprintf(stream, "<td>from %.3g</td>", a->low);
            } else {
                fprintf(stream, "<td>%.3g to %.3g</td>", a->low, a->high);
            }
        }
        fputs("<td>", stream);
        hwPutEscaped(stream, a->limit ? a->limit : "no limit reached");
        fputs("</td></tr>\n", stream);
    }
    fputs("</table>\n", stream);
}

// Weather windows of the hindcast, with the worst direction.
static void PutWindows(FILE* stream, const hwStudy* study, int count, const hwStudyAllowed* allowed) {
    hwError error;
    hwStudyWindows w = {0};
    double needed = study->file.operability.window;
    if (!hwStudy_FindWindows(study, allowed, count, (double)NAN, &w, &error)) return;
    fprintf(
        stream,
        "<p>Of the time of the series, with the worst direction, <b>%.1f %%</b> is calm enough and <b>%.1f "
        "%%</b> in %d windows of %g h and more; the longest lasts %.4g h.",
        100.0 * w.workable, 100.0 * w.usable, w.windows, needed, w.longest);
    if (!isnan(w.wait)) fprintf(stream, " One waits for a window %.3g h on average.", w.wait);
    if (w.beyond > 0.0)
        fprintf(stream, " %.1f %% of the time have periods beyond those of the study.", 100.0 * w.beyond);
    fputs("</p>\n", stream);
}

static void PutOperability(FILE* stream, const hwStudy* study, const hwStudyRow* rows) {
    int count = 0;
    hwStudyAllowed* allowed = hwStudy_FindAllowed(study, rows, &count);
    if (allowed == NULL) return;
    qsort(allowed, (size_t)count, sizeof(*allowed), CompareAllowed);
    const hwStudyOperability* o = &study->file.operability;
    const hwStudyAxis* heights = &study->axes[hwStudy_FindAxis(study, o->hs)];
    Legend legend = PlanLegend(study, count, allowed);
    int height = LEGEND_ROW * ((legend.lines + legend.columns - 1) / legend.columns) + 6;
    hwPlotFrame f = {stream, HUGE_VAL, -HUGE_VAL, 0.0, 0.0, height};
    for (int i = 0; i < heights->count; ++i) f.y1 = fmax(f.y1, heights->numbers[i]);
    for (int i = 0; i < count; ++i) {
        f.x0 = fmin(f.x0, allowed[i].tp);
        f.x1 = fmax(f.x1, allowed[i].tp);
    }
    if (!(f.x1 > f.x0)) {
        f.x0 -= 1.0;
        f.x1 += 1.0;
    }
    f.y1 *= 1.08;
    fprintf(stream,
            "<h2>Allowed significant wave height</h2><p>Each limit holds with a probability of %g in a run. "
            "Bands: %g %% "
            "confidence from the seeds.</p>\n",
            o->probability, 100.0 * o->confidence);
    hwPlotFrame_Begin(&f, "peak period, s", "significant wave height, m");
    bool* drawn = calloc((size_t)count + 1, sizeof(bool));
    int line = 0;
    for (int i = 0; drawn != NULL && i < count; ++i) {
        if (drawn[i]) continue;
        int64_t key = FindLine(study, &allowed[i]);
        const char* color = hwPage_colors[line % 8];
        for (int part = 0; part < 2; ++part) {
            fputs("<path ", stream);
            if (part == 0) {
                fprintf(stream, "fill=\"%s\" fill-opacity=\"0.15\"", color);
            } else {
                PutStroke(stream, line);
            }
            fputs(" d=\"", stream);
            char letter = 'M';
            for (int k = i; k < count; ++k) {
                if (FindLine(study, &allowed[k]) != key) continue;
                fprintf(stream, "%c%.1f %.1f", letter, hwPlotFrame_MapX(&f, allowed[k].tp),
                        hwPlotFrame_MapY(&f, part || isnan(allowed[k].low) ? allowed[k].hs : allowed[k].low));
                letter = 'L';
                drawn[k] = true;
            }
            for (int k = count - 1; k >= i && part == 0; --k) {
                if (FindLine(study, &allowed[k]) == key)
                    fprintf(stream, "L%.1f %.1f", hwPlotFrame_MapX(&f, allowed[k].tp),
                            hwPlotFrame_MapY(&f, isnan(allowed[k].high) ? allowed[k].hs : allowed[k].high));
            }
            fputs("\"/>\n", stream);
        }
        for (int k = i; k < count; ++k) {
            if (FindLine(study, &allowed[k]) != key) continue;
            fprintf(stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"><title>%.3g m, ",
                    hwPlotFrame_MapX(&f, allowed[k].tp), hwPlotFrame_MapY(&f, allowed[k].hs), color,
                    allowed[k].hs);
            hwPutEscaped(stream, allowed[k].limit ? allowed[k].limit : "no limit reached");
            fputs("</title></circle>\n", stream);
        }
        PutKey(stream, &legend, line++, study, &allowed[i]);
    }
    fputs("</svg>\n", stream);
    free(drawn);
    PutAllowedTable(stream, study, count, allowed);
    if (o->scatter != NULL) {
        hwError error;
        double beyond, share = hwStudy_FindWorkable(study, allowed, count, (double)NAN, &beyond, &error);
        if (!isnan(share))
            fprintf(stream,
                    "<p>Workable, with the worst direction: <b>%.1f %%</b> of the time of the scatter "
                    "table.</p>\n",
                    100.0 * share);
        if (!isnan(share) && beyond > 0.0)
            fprintf(stream,
                    "<p>%.1f %% of its time have periods beyond those of the study: there the height of the "
                    "nearest one counts.</p>\n",
                    100.0 * beyond);
    }
    if (o->series != NULL) PutWindows(stream, study, count, allowed);
    free(allowed);
}

// Names of the parameters that make combinations as heads of columns, or their values in a run.
static void PutGrid(FILE* stream, const hwStudy* study, const bool* keep, int64_t run) {
    for (int i = 0; i < study->axisCount; ++i) {
        const hwStudyAxis* axis = &study->axes[i];
        if (!keep[i] || axis->count < 2) continue;
        const char* dot = strrchr(axis->path, '.');
        fputs(run < 0 ? "<th>" : "<td>", stream);
        hwPutEscaped(stream, run >= 0      ? axis->texts[hwStudy_GetIndex(study, run, i)]
                             : dot != NULL ? dot + 1
                                           : axis->path);
        fputs(run < 0 ? "</th>" : "</td>", stream);
    }
}

static void PutExtreme(FILE* stream, const hwStudy* study, const hwStudyRow* rows, const bool* keep,
                       const hwStudyExtreme* x) {
    static const char* const fits[] = {"Gumbel's distribution", "Weibull's distribution",
                                       "peaks over a threshold"};
    int count = 0, column = hwStudy_FindColumn(study, x->of);
    hwStudyGroup* groups = hwStudy_MakeGroups(study, rows, keep, column, &count);
    if (groups == NULL) return;
    fputs("<h2>Extremes of ", stream);
    hwPutEscaped(stream, x->of);
    fprintf(stream, "</h2><p>Value that is not exceeded with a probability of %g", x->probability);
    if (x->repeats != 1.0) fprintf(stream, " in %g runs one after the other", x->repeats);
    fprintf(stream, ", by %s over seeds and samples.</p>\n<table><tr>", fits[x->fit]);
    PutGrid(stream, study, keep, -1);
    fprintf(stream, "<th>value, %s</th><th>%g %% bounds</th><th>runs</th><th></th></tr>\n",
            study->columns[column].unit, 100.0 * x->confidence);
    for (int g = 0; g < count; ++g) {
        int runs = groups[g].count;
        hwStudyFound found = hwStudy_FindExtreme(x, runs, groups[g].values);
        fputs("<tr>", stream);
        PutGrid(stream, study, keep, groups[g].first);
        if (isnan(found.value)) {
            fputs("<td>none</td><td></td>", stream);
        } else {
            fprintf(stream, "<td>%.6g</td><td>%.6g to %.6g</td>", found.value, found.low, found.high);
        }
        fprintf(stream, "<td>%d</td><td>", runs);
        if (groups[g].failed > 0) fprintf(stream, "%d failed. ", groups[g].failed);
        hwPutEscaped(stream, found.reason.message);
        fputs("</td></tr>\n", stream);
    }
    fputs("</table>\n", stream);
    hwStudy_FreeGroups(groups, count);
}

static void PutExtremes(FILE* stream, const hwStudy* study, const hwStudyRow* rows) {
    bool* keep = hwStudy_FindGrid(study);
    for (int i = 0; keep != NULL && i < study->file.extremes.count; ++i)
        PutExtreme(stream, study, rows, keep, (const hwStudyExtreme*)study->file.extremes.items + i);
    free(keep);
}

static void PutSensitivity(FILE* stream, const hwStudy* study, const hwStudyRow* rows) {
    int count = 0;
    hwStudySwing* swings = hwStudy_FindSwings(study, rows, &count);
    if (swings == NULL || count == 0) {
        free(swings);
        return;
    }
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        low = fmin(low, fmin(swings[i].low, swings[i].high));
        high = fmax(high, fmax(swings[i].low, swings[i].high));
    }
    double pad = high > low ? 0.05 * (high - low) : 1.0;
    hwPlotFrame f = {stream, low - pad, high + pad, 0.0, 1.0, 0};
    fputs("<h2>Sensitivity of ", stream);
    hwPutEscaped(stream, study->file.sensitivity);
    fputs("</h2><p>Mean of the column where each parameter is at its least (blue) and greatest (red); of "
          "sampled "
          "ones in the lowest and the highest third.</p>\n",
          stream);
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"system-ui,sans-serif\" font-size=\"13\">\n",
            HW_PLOT_WIDTH, 40 * count + 68);
    for (int i = 0; i < count; ++i) {
        double a = 330 + (swings[i].low - f.x0) / (f.x1 - f.x0) * (HW_PLOT_WIDTH - 360);
        double b = 330 + (swings[i].high - f.x0) / (f.x1 - f.x0) * (HW_PLOT_WIDTH - 360);
        int y = 20 + 40 * i;
        fprintf(
            stream,
            "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"22\" fill=\"#1d6fa5\" fill-opacity=\"0.35\"/>"
            "<circle cx=\"%.1f\" cy=\"%d\" r=\"5\" fill=\"#1d6fa5\"/><circle cx=\"%.1f\" cy=\"%d\" r=\"5\" "
            "fill=\"#c4512d\"/>",
            fmin(a, b), y, fabs(b - a), a, y + 11, b, y + 11);
        fprintf(stream, "<text x=\"10\" y=\"%d\">", y + 8);
        hwPutEscaped(stream, study->axes[swings[i].axis].path);
        fprintf(stream, "</text><text x=\"10\" y=\"%d\" fill=\"#66727f\">%.4g to %.4g</text>\n", y + 24,
                swings[i].least, swings[i].greatest);
    }
    int column = hwStudy_FindColumn(study, study->file.sensitivity);
    fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", HW_PLOT_WIDTH - 10, 40 * count + 58);
    hwPutEscaped(stream, study->columns[column].name);
    fputs(", ", stream);
    hwPutEscaped(stream, study->columns[column].unit);
    fputs("</text>\n", stream);
    double tick = hwPlotFrame_FindTick(f.x1 - f.x0);
    for (double x = ceil(f.x0 / tick) * tick; x <= f.x1; x += tick)
        fprintf(stream, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#66727f\">%.6g</text>\n",
                330 + (x - f.x0) / (f.x1 - f.x0) * (HW_PLOT_WIDTH - 360), 40 * count + 40,
                fabs(x) < 1e-9 * tick ? 0.0 : x);
    fputs("</svg>\n", stream);
    free(swings);
}

hwStatus hwStudy_WritePage(const hwStudy* study, const hwStudyRow* rows, const char* folder, hwError* error) {
    char path[1024];
    snprintf(path, sizeof(path), "%.900s/study.html", folder);
    hwSink sink;
    hwStatus status = hwSink_Open(&sink, path, error);
    if (status != HW_OK) return status;
    int64_t done = 0, failed = 0, held = 0;
    for (int64_t run = 0; run < study->runCount; ++run) {
        done += rows[run].done;
        bool bad = rows[run].done && rows[run].failure != NULL;
        failed += bad;
        held += rows[run].done && !bad && hwStudy_HoldsLimits(study, rows[run].values);
    }
    FILE* out = sink.stream;
    fputs(hwPage_head, out);
    fputs("<title>", out);
    hwPutEscaped(out, study->file.name);
    fputs("</title></head><body>\n<h1>", out);
    hwPutEscaped(out, study->file.name);
    fprintf(out, "</h1>\n<p>%lld of %lld runs", (long long)done, (long long)study->runCount);
    if (failed > 0)
        fprintf(out, ", <span class=\"bad\">%lld failed</span> (failures.csv)", (long long)failed);
    if (study->file.limits.count > 0) fprintf(out, "; all limits held in %lld", (long long)held);
    fprintf(out, ". Hawser %s, study %016llx.</p>\n", hwGetVersion(), (unsigned long long)study->hash);
    if (study->file.limits.count > 0) {
        fputs("<h2>Limits</h2><table><tr><th>of</th><th>min</th><th>max</th><th>unit</th></tr>\n", out);
        for (int i = 0; i < study->file.limits.count; ++i) {
            const hwStudyLimit* limit = (const hwStudyLimit*)study->file.limits.items + i;
            fputs("<tr><td>", out);
            hwPutEscaped(out, limit->of);
            fputs("</td>", out);
            if (isnan(limit->min)) {
                fputs("<td></td>", out);
            } else {
                fprintf(out, "<td>%g</td>", limit->min);
            }
            if (isnan(limit->max)) {
                fputs("<td></td>", out);
            } else {
                fprintf(out, "<td>%g</td>", limit->max);
            }
            fprintf(out, "<td>%s</td></tr>\n", study->columns[hwStudy_FindColumn(study, limit->of)].unit);
        }
        fputs("</table>\n", out);
    }
    if (study->file.operability.place.line > 0) PutOperability(out, study, rows);
    if (study->file.sensitivity != NULL) PutSensitivity(out, study, rows);
    PutExtremes(out, study, rows);
    fprintf(out, "<p class=\"faint\">The table is in table.csv%s.</p></body></html>\n",
            hwCanWriteHdf5() ? " and table.h5" : "");
    return hwSink_Close(&sink, HW_OK, error);
}
