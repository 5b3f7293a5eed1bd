#include "page_frame.h"

#include <math.h>

const char hwPage_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width, initial-scale=1\"><link rel=\"icon\" href=\"data:,\"><style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;margin:32px auto;max-width:900px;padding:0 16px;color:#1c2733;"
    "background:#fbfaf5}\nh1,h2{font-weight:400;font-family:Palatino,Georgia,serif}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{border-bottom:1px solid "
    "#dcd8cb;padding:3px "
    "12px 3px 0;text-align:left}\nsvg{background:#fff;border:1px solid #dcd8cb;width:100%;height:auto}\n"
    ".bad{color:#b3372b}.faint{color:#66727f}\n@media print{body{background:#fff;margin:0}}\n</style>\n";

const char* const hwPage_colors[8] = {"#1d6fa5", "#c4512d", "#2e8b67", "#6a4c93",
                                      "#b98500", "#b0377e", "#5b6b7a", "#8c5a2b"};

const char* const hwPage_dashes[4] = {"none", "7 4", "2 3", "10 3 2 3"};

double hwPlotFrame_MapX(const hwPlotFrame* f, double x) {
    return HW_PLOT_LEFT + (x - f->x0) / (f->x1 - f->x0) * (HW_PLOT_WIDTH - HW_PLOT_LEFT - HW_PLOT_RIGHT);
}

double hwPlotFrame_MapY(const hwPlotFrame* f, double y) {
    return HW_PLOT_HEIGHT - HW_PLOT_BOTTOM -
           (y - f->y0) / (f->y1 - f->y0) * (HW_PLOT_HEIGHT - HW_PLOT_TOP - HW_PLOT_BOTTOM);
}

double hwPlotFrame_FindTick(double span) {
    double power = pow(10.0, floor(log10(span / 5.0))), rest = span / 5.0 / power;
    return power * (rest < 1.5 ? 1.0 : rest < 3.5 ? 2.0 : rest < 7.5 ? 5.0 : 10.0);
}

void hwPlotFrame_Begin(const hwPlotFrame* f, const char* xName, const char* yName) {
    fprintf(f->stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"system-ui,sans-serif\" font-size=\"13\">\n",
            HW_PLOT_WIDTH, HW_PLOT_HEIGHT + f->below);
    double tick = hwPlotFrame_FindTick(f->x1 - f->x0);
    for (double x = ceil(f->x0 / tick) * tick; x <= f->x1 + 1e-9 * tick; x += tick)
        fprintf(
            f->stream,
            "<path d=\"M%.1f %dV%d\" stroke=\"#ebe8dd\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" "
            "fill=\"#66727f\">%g</text>\n",
            hwPlotFrame_MapX(f, x), HW_PLOT_TOP, HW_PLOT_HEIGHT - HW_PLOT_BOTTOM, hwPlotFrame_MapX(f, x),
            HW_PLOT_HEIGHT - HW_PLOT_BOTTOM + 18, fabs(x) < 1e-9 * tick ? 0.0 : x);
    tick = hwPlotFrame_FindTick(f->y1 - f->y0);
    for (double y = ceil(f->y0 / tick) * tick; y <= f->y1 + 1e-9 * tick; y += tick)
        fprintf(f->stream,
                "<path d=\"M%d %.1fH%d\" stroke=\"#ebe8dd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" "
                "fill=\"#66727f\">%g</text>\n",
                HW_PLOT_LEFT, hwPlotFrame_MapY(f, y), HW_PLOT_WIDTH - HW_PLOT_RIGHT, HW_PLOT_LEFT - 8,
                hwPlotFrame_MapY(f, y) + 4, fabs(y) < 1e-9 * tick ? 0.0 : y);
    fprintf(f->stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
            (HW_PLOT_LEFT + HW_PLOT_WIDTH - HW_PLOT_RIGHT) / 2, HW_PLOT_HEIGHT - 8, xName);
    fprintf(f->stream, "<text transform=\"translate(18,%d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            (HW_PLOT_TOP + HW_PLOT_HEIGHT - HW_PLOT_BOTTOM) / 2, yName);
}
