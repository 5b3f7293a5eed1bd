// Extremes and means of channels from all steps of a solver.
#include "hawser/extremes.h"

#include "hawser/elementary.h"

#include "results_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 4

typedef struct Channel {
    double y[POINTS]; // at the last times, the newest last
    hwExtreme known; // mean and deviation are integrals of the value and its square, less `base`, over `span`
    double base, span;
    double level; // NaN: none
} Channel;

struct hwExtremes {
    int count, points; // points: times taken so far, at most POINTS
    double t[POINTS];
    Channel channels[];
};

// A value between two times: y1 + slope (t - t1) + bend (t - t1) (t - t2).
typedef struct Piece {
    double t1, t2, y1, y2, bend;
} Piece;

hwExtremes* hwCreateExtremes(int channelCount, hwError* error) {
    size_t size = channelCount > 0 ? (size_t)channelCount : 0;
    hwExtremes* extremes = calloc(1, sizeof(hwExtremes) + size * sizeof(Channel));
    if (!extremes) {
        hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for the extremes of %d channels.",
                      channelCount);
        return NULL;
    }
    extremes->count = channelCount;
    for (int i = 0; i < channelCount; ++i) {
        Channel* channel = &extremes->channels[i];
        channel->base = channel->level = channel->known.above = (double)NAN;
        channel->known.min = channel->known.max = (double)NAN;
        channel->known.minTime = channel->known.maxTime = (double)NAN;
    }
    return extremes;
}

void hwDestroyExtremes(hwExtremes* extremes) {
    free(extremes);
}

void hwExtremes_SetLevel(hwExtremes* extremes, int channel, double level) {
    if (channel < 0 || channel >= extremes->count) return;
    extremes->channels[channel].level = level;
    extremes->channels[channel].known.above = 0.0;
}

static void NoteValue(hwExtreme* known, double time, double value) {
    if (isnan(value)) return;
    if (!(value >= known->min)) {
        known->min = value;
        known->minTime = time;
    }
    if (!(value <= known->max)) {
        known->max = value;
        known->maxTime = time;
    }
}

static double Evaluate(const Piece* p, double t) {
    double part = (t - p->t1) / (p->t2 - p->t1);
    return p->y1 + (p->y2 - p->y1) * part + p->bend * (t - p->t1) * (t - p->t2);
}

// The time of a piece above a level: between its ends and the at most two times at which it passes the level.
static double MeasureAbove(const Piece* p, double level) {
    double h = p->t2 - p->t1, times[4] = {0.0, h, h, h};
    int count = 1;
    // with x = t - t1: bend x^2 + (slope - bend h) x + y1 - level = 0
    double a = p->bend, b = (p->y2 - p->y1) / h - p->bend * h, c = p->y1 - level;
    double root = b * b - 4.0 * a * c;
    if (root >= 0.0 && (a != 0.0 || b != 0.0)) {
        double s = -0.5 * (b + (b >= 0.0 ? sqrt(root) : -sqrt(root)));
        double x[2] = {a != 0.0 ? s / a : (double)NAN, s != 0.0 ? c / s : (double)NAN};
        if (x[0] > x[1]) {
            double first = x[1];
            x[1] = x[0];
            x[0] = first;
        }
        for (int k = 0; k < 2; ++k) {
            if (x[k] > 0.0 && x[k] < h) times[count++] = x[k];
        }
    }
    times[count] = h;
    double above = 0.0;
    for (int k = 0; k < count; ++k) {
        if (Evaluate(p, p->t1 + 0.5 * (times[k] + times[k + 1])) > level) above += times[k + 1] - times[k];
    }
    return above;
}

static void NotePiece(Channel* channel, const Piece* p) {
    double h = p->t2 - p->t1, slope = (p->y2 - p->y1) / h;
    if (isnan(p->y1) || isnan(p->y2) || !(h > 0.0)) return;
    if (p->bend != 0.0) {
        double top = 0.5 * (p->t1 + p->t2) - 0.5 * slope / p->bend;
        if (top > p->t1 && top < p->t2) NoteValue(&channel->known, top, Evaluate(p, top));
    }
    if (isnan(channel->base)) channel->base = p->y1;
    // Gauss' rule of three points is exact for the square of a parabola
    const double points[3] = {-0.77459666924148337704, 0.0, 0.77459666924148337704};
    const double weights[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    for (int k = 0; k < 3; ++k) {
        double y = Evaluate(p, 0.5 * (p->t1 + p->t2) + 0.5 * h * points[k]) - channel->base;
        channel->known.mean += h * weights[k] * y;
        channel->known.deviation += h * weights[k] * y * y;
    }
    channel->span += h;
    if (!isnan(channel->level)) channel->known.above += MeasureAbove(p, channel->level);
}

// Second divided difference of three of the points from `first` on.
static double GetBend(const double* t, const double* y) {
    return ((y[2] - y[1]) / (t[2] - t[1]) - (y[1] - y[0]) / (t[1] - t[0])) / (t[2] - t[0]);
}

// Whether a piece passes zero between its ends though no step ever has: a tension is no push where a wire is slack for a moment.
static bool PassesZero(const Piece* p, const hwExtreme* known) {
    double slope = (p->y2 - p->y1) / (p->t2 - p->t1), top = 0.5 * (p->t1 + p->t2) - 0.5 * slope / p->bend;
    if (!(top > p->t1 && top < p->t2)) return false;
    double value = Evaluate(p, top);
    return (value < 0.0 && known->min >= 0.0) || (value > 0.0 && known->max <= 0.0);
}

// The piece between the points k and k + 1 of those that are there; bends on both sides, or none.
static Piece MakePiece(const double* t, const Channel* channel, int k, int points) {
    const double* y = channel->y;
    Piece piece = {t[k], t[k + 1], y[k], y[k + 1], 0.0};
    if (k < 1 || k + 2 >= points) return piece;
    double before = GetBend(t + k - 1, y + k - 1), after = GetBend(t + k, y + k);
    if (!(before * after > 0.0)) return piece;
    piece.bend = fabs(before) < fabs(after) ? before : after;
    if (PassesZero(&piece, &channel->known)) piece.bend = 0.0;
    return piece;
}

void hwExtremes_Add(hwExtremes* extremes, double time, const double* values) {
    int have = extremes->points;
    bool again = have > 0 && !(time > extremes->t[have - 1]);
    if (!again && have == POINTS) {
        memmove(extremes->t, extremes->t + 1, (POINTS - 1) * sizeof(double));
        have -= 1;
    }
    bool full = !again && extremes->points == POINTS;
    int at = again ? have - 1 : have;
    extremes->t[at] = again ? extremes->t[at] : time;
    extremes->points = at + 1;
    for (int i = 0; i < extremes->count; ++i) {
        Channel* channel = &extremes->channels[i];
        if (full) memmove(channel->y, channel->y + 1, (POINTS - 1) * sizeof(double));
        channel->y[at] = values[i];
        NoteValue(&channel->known, time, values[i]);
        // the newest piece waits for the point after it
        if (again) continue;
        if (at == 2 && !full) {
            Piece first = MakePiece(extremes->t, channel, 0, 3);
            NotePiece(channel, &first);
        } else if (at == POINTS - 1) {
            Piece piece = MakePiece(extremes->t, channel, 1, POINTS);
            NotePiece(channel, &piece);
        }
    }
}

void hwExtremes_Get(const hwExtremes* extremes, hwExtreme* out) {
    for (int i = 0; i < extremes->count; ++i) {
        Channel channel = extremes->channels[i];
        // what still waits
        if (extremes->points >= 2) {
            int last = extremes->points - 1;
            Piece piece = MakePiece(extremes->t, &channel, last - 1, extremes->points);
            NotePiece(&channel, &piece);
        }
        out[i] = channel.known;
        double mean = channel.known.mean / channel.span;
        double square = channel.known.deviation / channel.span - mean * mean;
        bool one = !(channel.span > 0.0); // a single value
        out[i].mean = one ? channel.known.min : channel.base + mean;
        out[i].deviation = one ? (isnan(channel.known.min) ? (double)NAN : 0.0) : sqrt(hwFmax(square, 0.0));
    }
}

const char* hwExtremes_GetColumn(int column) {
    static const char* const names[] = {"min", "min_time", "max", "max_time", "mean", "deviation", "above"};
    return column >= 0 && column < HW_EXTREME_COLUMNS ? names[column] : "";
}
