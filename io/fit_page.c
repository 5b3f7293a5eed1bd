// What was found by a fit, as tables and a page.
#define _POSIX_C_SOURCE 200809L
#include "csv_number.h"
#include "fit_file.h"
#include "page_frame.h"
#include "results_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void PutNumber(FILE* stream, double value) {
    char text[HW_NUMBER_SIZE];
    text[hwFormatNumber(value, text)] = 0;
    fputs(text, stream);
}

static hwStatus WriteEstimates(const hwFit* fit, const char* folder, hwError* error) {
    char path[1024];
    hwSink sink;
    snprintf(path, sizeof(path), "%.900s/fit.csv", folder);
    hwStatus status = hwSink_Open(&sink, path, error);
    if (status != HW_OK) return status;
    fputs("parameter,start,value,deviation,low,high\n", sink.stream);
    for (int i = 0; i < fit->parameterCount; ++i) {
        hwFitEstimate e = hwFit_GetEstimate(fit, i);
        const double values[] = {e.start, e.value, e.deviation, e.low, e.high};
        fputs(hwFit_GetParameter(fit, i), sink.stream);
        for (int k = 0; k < 5; ++k) {
            fputc(',', sink.stream);
            PutNumber(sink.stream, values[k]);
        }
        fputc('\n', sink.stream);
    }
    return hwSink_Close(&sink, HW_OK, error);
}

static hwStatus WriteCorrelation(const hwFit* fit, const char* folder, hwError* error) {
    char path[1024];
    hwSink sink;
    snprintf(path, sizeof(path), "%.900s/correlation.csv", folder);
    hwStatus status = hwSink_Open(&sink, path, error);
    if (status != HW_OK) return status;
    fputs("parameter", sink.stream);
    for (int i = 0; i < fit->parameterCount; ++i) fprintf(sink.stream, ",%s", hwFit_GetParameter(fit, i));
    fputc('\n', sink.stream);
    for (int i = 0; i < fit->parameterCount; ++i) {
        fputs(hwFit_GetParameter(fit, i), sink.stream);
        for (int k = 0; k < fit->parameterCount; ++k) {
            fputc(',', sink.stream);
            PutNumber(sink.stream, hwFit_GetCorrelation(fit, i, k));
        }
        fputc('\n', sink.stream);
    }
    return hwSink_Close(&sink, HW_OK, error);
}

static hwStatus WriteCurves(const hwFit* fit, const char* folder, hwError* error) {
    char path[1024];
    hwSink sink;
    snprintf(path, sizeof(path), "%.900s/curves.csv", folder);
    hwStatus status = hwSink_Open(&sink, path, error);
    if (status != HW_OK) return status;
    fputs("channel,time,measured,fitted\n", sink.stream);
    for (int c = 0, at = 0; c < fit->file.measured.count; ++c) {
        const hwFitMeasured* m = hwFit_Measured(fit, c);
        for (int i = 0; i < m->count; ++i, ++at) {
            const double values[] = {m->times[i], fit->data[at], fit->fitted[at]};
            fputs(m->channel, sink.stream);
            for (int k = 0; k < 3; ++k) {
                fputc(',', sink.stream);
                PutNumber(sink.stream, values[k]);
            }
            fputc('\n', sink.stream);
        }
    }
    return hwSink_Close(&sink, HW_OK, error);
}

// Measured as dots, fitted as a line; of many rows every so many.
static void PutCurve(FILE* out, const hwFit* fit, int column, int first) {
    const hwFitMeasured* m = hwFit_Measured(fit, column);
    const double *data = fit->data + first, *fitted = fit->fitted + first;
    hwPlotFrame f = {out, m->times[0], m->times[m->count - 1], HUGE_VAL, -HUGE_VAL, 0};
    double sum = 0.0;
    for (int i = 0; i < m->count; ++i) {
        f.y0 = fmin(f.y0, fmin(data[i], fitted[i]));
        f.y1 = fmax(f.y1, fmax(data[i], fitted[i]));
        sum += (data[i] - fitted[i]) * (data[i] - fitted[i]);
    }
    double pad = f.y1 > f.y0 ? 0.05 * (f.y1 - f.y0) : 1.0;
    f.y0 -= pad;
    f.y1 += pad;
    if (!(f.x1 > f.x0)) f.x1 = f.x0 + 1.0;
    fputs("<h2>", out);
    hwPutEscaped(out, m->channel);
    fprintf(out,
            "</h2><p>%d measured values (dots); they differ from the fitted run (line) by %.4g %s rms.</p>\n",
            m->count, sqrt(sum / m->count), fit->units[column]);
    hwPlotFrame_Begin(&f, "time, s", fit->units[column]);
    int stride = 1 + m->count / 2000;
    for (int i = 0; i < m->count; i += stride)
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.6\" fill=\"%s\" fill-opacity=\"0.5\"/>\n",
                hwPlotFrame_MapX(&f, m->times[i]), hwPlotFrame_MapY(&f, data[i]), hwPage_colors[1]);
    fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" d=\"", hwPage_colors[0]);
    for (int i = 0; i < m->count; i += stride)
        fprintf(out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', hwPlotFrame_MapX(&f, m->times[i]),
                hwPlotFrame_MapY(&f, fitted[i]));
    fputs("\"/></svg>\n", out);
}

hwStatus hwFit_WritePage(const hwFit* fit, const char* folder, hwError* error) {
    char path[1024];
    hwSink sink;
    snprintf(path, sizeof(path), "%.900s/fit.html", folder);
    hwStatus status = hwSink_Open(&sink, path, error);
    if (status != HW_OK) return status;
    FILE* out = sink.stream;
    fputs(hwPage_head, out);
    fputs("<title>", out);
    hwPutEscaped(out, fit->file.name);
    fputs("</title></head><body>\n<h1>", out);
    hwPutEscaped(out, fit->file.name);
    fprintf(out,
            "</h1>\n<p>%s after %d iterations and %d runs. The residuals have a standard deviation of %.3g "
            "in units of "
            "those given. Hawser %s.</p>\n",
            fit->summary.converged ? "Converged" : "<span class=\"bad\">Not converged</span>",
            fit->summary.iterations, fit->summary.runs, fit->summary.residual, hwGetVersion());
    fprintf(
        out,
        "<h2>Parameters</h2><table><tr><th>path</th><th>start</th><th>found</th><th>deviation</th><th>%g %% "
        "bounds</th></tr>\n",
        100.0 * fit->file.confidence);
    for (int i = 0; i < fit->parameterCount; ++i) {
        hwFitEstimate e = hwFit_GetEstimate(fit, i);
        fputs("<tr><td>", out);
        hwPutEscaped(out, hwFit_GetParameter(fit, i));
        fprintf(out, "</td><td>%.6g</td><td><b>%.6g</b></td>", e.start, e.value);
        if (isnan(e.deviation)) {
            fprintf(out, "<td colspan=\"2\" class=\"bad\">%s</td></tr>\n",
                    e.bounded ? "at its bound" : "the data do not tell");
        } else {
            fprintf(out, "<td>%.3g</td><td>%.6g to %.6g</td></tr>\n", e.deviation, e.low, e.high);
        }
    }
    fputs("</table>\n", out);
    for (int c = 0; c < hwFit_GetColumnCount(fit); ++c) {
        char text[400];
        if (!hwFit_FindDoubt(fit, c, text, sizeof(text))) continue;
        fputs("<p class=\"bad\">", out);
        hwPutEscaped(out, text);
        fputs(".</p>\n", out);
    }
    if (fit->parameterCount > 1) {
        fputs("<h2>Correlations</h2><table>\n", out);
        for (int i = 0; i < fit->parameterCount; ++i) {
            fputs("<tr><td>", out);
            hwPutEscaped(out, hwFit_GetParameter(fit, i));
            fputs("</td>", out);
            for (int k = 0; k <= i; ++k) fprintf(out, "<td>%.3f</td>", hwFit_GetCorrelation(fit, i, k));
            fputs("</tr>\n", out);
        }
        fputs("</table>\n", out);
    }
    for (int c = 0, at = 0; c < fit->file.measured.count; ++c) {
        PutCurve(out, fit, c, at);
        at += hwFit_Measured(fit, c)->count;
    }
    fputs("<p class=\"faint\">Tables: fit.csv, correlation.csv, curves.csv.</p></body></html>\n", out);
    return hwSink_Close(&sink, HW_OK, error);
}

hwStatus hwFit_WriteTables(const hwFit* fit, const char* folder, hwError* error) {
    hwStatus status = WriteEstimates(fit, folder, error);
    if (status == HW_OK) status = WriteCorrelation(fit, folder, error);
    if (status == HW_OK) status = WriteCurves(fit, folder, error);
    return status == HW_OK ? hwFit_WritePage(fit, folder, error) : status;
}
