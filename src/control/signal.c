#include "control/signal_data.h"

#include "base/error.h"

#include <string.h>

hwSignalTerm hwDefaultSignalTerm(void) {
    hwSignalTerm term;
    memset(&term, 0, sizeof(term));
    term.kind = HW_SIGNAL_CONSTANT;
    return term;
}

hwSignalTerm hwConstantTerm(hwVec3 value) {
    hwSignalTerm term = hwDefaultSignalTerm();
    term.offset = value;
    return term;
}

hwSignalTerm hwSineTerm(hwVec3 amplitude, double period, double phase) {
    hwSignalTerm term = hwDefaultSignalTerm();
    term.kind = HW_SIGNAL_SINE;
    term.amplitude = amplitude;
    term.period = hwMakeVec3(period, period, period);
    term.phase = hwMakeVec3(phase, phase, phase);
    return term;
}

hwSignalTerm hwRampTerm(hwVec3 from, hwVec3 to, double start, double end) {
    hwSignalTerm term = hwDefaultSignalTerm();
    term.kind = HW_SIGNAL_RAMP;
    term.offset = from;
    term.amplitude = hwSub(to, from);
    term.start = start;
    term.end = end;
    return term;
}

// Checking

static hwStatus CheckSine(const hwSignalTerm* term, int index, hwError* error) {
    const double amplitudes[3] = {term->amplitude.x, term->amplitude.y, term->amplitude.z};
    const double periods[3] = {term->period.x, term->period.y, term->period.z};
    if (!hwIsFiniteVec3(term->amplitude) || !hwIsFiniteVec3(term->phase)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "amplitude",
                           "term %d: amplitude and phase of a sine must be finite numbers", index);
    }
    for (int i = 0; i < 3; i++) {
        // Where nothing swings the period is not used, but it must not be nonsense either.
        bool unused = amplitudes[i] == 0.0 && isfinite(periods[i]);
        if (unused || (periods[i] > 0.0 && isfinite(periods[i]))) continue;
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "period",
                           "term %d: the period of a sine must be positive and finite, along %c it is %g",
                           index, "xyz"[i], periods[i]);
    }
    return HW_OK;
}

static hwStatus CheckTable(const hwSignalTerm* term, int index, hwError* error) {
    if (term->count < 1 || term->times == NULL || term->values == NULL) {
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "values",
                           "term %d: a table needs at least one row, it has %d", index,
                           term->times == NULL || term->values == NULL ? 0 : term->count);
    }
    for (int i = 0; i < term->count; i++) {
        if (!isfinite(term->times[i]) || !hwIsFiniteVec3(term->values[i])) {
            return hwFailField(
                error, HW_ERROR_ARGUMENT, NULL, "values",
                "term %d: time and value of a table must be finite numbers, in row %d they are not", index,
                i);
        }
        if (i > 0 && !(term->times[i] > term->times[i - 1])) {
            return hwFailField(
                error, HW_ERROR_ARGUMENT, NULL, "times",
                "term %d: the times of a table must increase, but row %d at %g s follows row %d at %g s",
                index, i, term->times[i], i - 1, term->times[i - 1]);
        }
    }
    return HW_OK;
}

static hwStatus CheckTerm(const hwSignalTerm* term, int index, hwError* error) {
    if (!hwIsFiniteVec3(term->offset)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "offset",
                           "term %d: the value or offset must be a finite number", index);
    }
    switch (term->kind) {
    case HW_SIGNAL_CONSTANT:
        return HW_OK;
    case HW_SIGNAL_SINE:
        return CheckSine(term, index, error);
    case HW_SIGNAL_RAMP:
        if (!hwIsFiniteVec3(term->amplitude)) {
            return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "amplitude",
                               "term %d: the rise of a ramp must be a finite number", index);
        }
        if (!isfinite(term->start) || !isfinite(term->end) || !(term->start < term->end)) {
            return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "start",
                               "term %d: a ramp must start before it ends, it goes from %g s to %g s", index,
                               term->start, term->end);
        }
        return HW_OK;
    case HW_SIGNAL_TABLE:
        return CheckTable(term, index, error);
    }
    return hwFail(error, HW_ERROR_ARGUMENT, NULL, "term %d: there is no kind %d of signal", index,
                  (int)term->kind);
}

hwStatus hwSignal_Check(const hwSignal* signal, hwError* error) {
    if (signal == NULL) return hwFail(error, HW_ERROR_ARGUMENT, NULL, "no signal was given");
    if (signal->termCount < 0 || (signal->termCount > 0 && signal->terms == NULL)) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the signal says it has %d terms but gives none",
                      signal->termCount);
    }
    for (int i = 0; i < signal->termCount; i++) {
        hwStatus status = CheckTerm(&signal->terms[i], i, error);
        if (status != HW_OK) {
            hwFail_At(error, i, (double)NAN);
            return status;
        }
    }
    return HW_OK;
}

hwStatus hwSignal_CheckField(const hwSignal* signal, const char* object, const char* field, hwError* error) {
    hwError inner;
    hwStatus status = hwSignal_Check(signal, &inner);
    if (status == HW_OK) return HW_OK;
    hwFailField(error, status, object, field, "%s: `%s`: %.200s", object, field, inner.message);
    hwFail_At(error, inner.index, (double)NAN);
    return status;
}

// Evaluation

static void AddSine(double offset, double amplitude, double period, double phase, double t, double* value,
                    double* rate, double* acceleration) {
    *value += offset;
    if (amplitude == 0.0) return;
    double omega = 2.0 * HW_PI / period;
    double angle = omega * t + phase;
    double sine, cosine;
    hwSinAndCos(angle, &sine, &cosine);
    double swing = amplitude * sine;
    *value += swing;
    *rate += amplitude * omega * cosine;
    *acceleration -= omega * omega * swing;
}

// The lowest polynomial whose first two derivatives vanish at both ends: p(s) = 10 s^3 - 15 s^4 + 6 s^5.
static void AddRamp(const hwSignalTerm* term, double t, hwSignalValue* sum) {
    double inverse = 1.0 / (term->end - term->start);
    double s = hwClamp((t - term->start) * inverse, 0.0, 1.0);
    double rest = 1.0 - s;
    double p = s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
    double p1 = 30.0 * s * s * rest * rest * inverse;
    double p2 = 60.0 * s * rest * (1.0 - 2.0 * s) * inverse * inverse;
    sum->value = hwAdd(sum->value, hwMulAdd(term->offset, p, term->amplitude));
    sum->rate = hwMulAdd(sum->rate, p1, term->amplitude);
    sum->acceleration = hwMulAdd(sum->acceleration, p2, term->amplitude);
}

// The row i with times[i] <= t < times[i + 1], for t within the table; the last interval also holds its end.
static int FindRow(const double* times, int count, double t) {
    int low = 0, high = count - 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (t < times[middle]) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return low;
}

// Between rows, with a = (t1 - t)/h, b = (t - t0)/h and second derivatives M0, M1 at the rows:
// y = a y0 + b y1 + ((a^3 - a) M0 + (b^3 - b) M1) h^2/6.
static void AddTable(const hwSignalTerm* term, double t, hwSignalValue* sum) {
    int last = term->count - 1;
    if (!(t >= term->times[0]) || last == 0) {
        sum->value = hwAdd(sum->value, term->values[0]);
        return;
    }
    if (t > term->times[last]) {
        sum->value = hwAdd(sum->value, term->values[last]);
        return;
    }
    int row = FindRow(term->times, term->count, t);
    double h = term->times[row + 1] - term->times[row];
    double b = (t - term->times[row]) / h;
    double a = 1.0 - b;
    hwVec3 y0 = term->values[row], y1 = term->values[row + 1];
    sum->value = hwAdd(sum->value, hwMulAdd(hwScale(a, y0), b, y1));
    sum->rate = hwMulAdd(sum->rate, 1.0 / h, hwSub(y1, y0));
    if (!term->cubic || term->bends == NULL) return;
    hwVec3 m0 = term->bends[row], m1 = term->bends[row + 1];
    double sixth = h / 6.0;
    sum->value = hwMulAdd(sum->value, (a * a - 1.0) * a * h * sixth, m0);
    sum->value = hwMulAdd(sum->value, (b * b - 1.0) * b * h * sixth, m1);
    sum->rate = hwMulAdd(sum->rate, (1.0 - 3.0 * a * a) * sixth, m0);
    sum->rate = hwMulAdd(sum->rate, (3.0 * b * b - 1.0) * sixth, m1);
    sum->acceleration = hwAdd(sum->acceleration, hwMulAdd(hwScale(a, m0), b, m1));
}

hwSignalValue hwSignal_Evaluate(const hwSignal* signal, double t) {
    hwSignalValue sum = {hwVec3_zero, hwVec3_zero, hwVec3_zero};
    for (int i = 0; i < signal->termCount; i++) {
        const hwSignalTerm* term = &signal->terms[i];
        switch (term->kind) {
        case HW_SIGNAL_CONSTANT:
            sum.value = hwAdd(sum.value, term->offset);
            break;
        case HW_SIGNAL_SINE:
            AddSine(term->offset.x, term->amplitude.x, term->period.x, term->phase.x, t, &sum.value.x,
                    &sum.rate.x, &sum.acceleration.x);
            AddSine(term->offset.y, term->amplitude.y, term->period.y, term->phase.y, t, &sum.value.y,
                    &sum.rate.y, &sum.acceleration.y);
            AddSine(term->offset.z, term->amplitude.z, term->period.z, term->phase.z, t, &sum.value.z,
                    &sum.rate.z, &sum.acceleration.z);
            break;
        case HW_SIGNAL_RAMP:
            AddRamp(term, t, &sum);
            break;
        case HW_SIGNAL_TABLE:
            AddTable(term, t, &sum);
            break;
        }
    }
    return sum;
}

// Copying

// Second derivatives M of the natural spline (M = 0 at both ends), with h_i = t_i+1 - t_i and slopes d_i:
// h_i-1 M_i-1 + 2 (h_i-1 + h_i) M_i + h_i M_i+1 = 6 (d_i - d_i-1). Diagonally dominant, so elimination needs no
// pivoting (Thomas 1949). `factors` is scratch of `count` numbers.
static void ComputeBends(int count, const double* times, const hwVec3* values, double* factors,
                         hwVec3* bends) {
    factors[0] = 0.0;
    bends[0] = bends[count - 1] = hwVec3_zero;
    for (int i = 1; i < count - 1; i++) {
        double before = times[i] - times[i - 1], after = times[i + 1] - times[i];
        hwVec3 slopeBefore = hwScale(1.0 / before, hwSub(values[i], values[i - 1]));
        hwVec3 slopeAfter = hwScale(1.0 / after, hwSub(values[i + 1], values[i]));
        double pivot = 1.0 / (2.0 * (before + after) - before * factors[i - 1]);
        hwVec3 right = hwScale(6.0, hwSub(slopeAfter, slopeBefore));
        factors[i] = after * pivot;
        bends[i] = hwScale(pivot, hwMulAdd(right, -before, bends[i - 1]));
    }
    for (int i = count - 2; i > 0; i--) bends[i] = hwMulAdd(bends[i], -factors[i], bends[i + 1]);
}

static void CopyTable(hwArena* arena, const hwSignalTerm* from, hwSignalTerm* to) {
    double* times = HW_TAKE(arena, double, from->count);
    hwVec3* values = HW_TAKE(arena, hwVec3, from->count);
    hwVec3* bends = from->cubic ? HW_TAKE(arena, hwVec3, from->count) : NULL;
    double* factors = from->cubic ? HW_TAKE(arena, double, from->count) : NULL;
    if (arena->base == NULL || to == NULL) return; // measuring
    memcpy(times, from->times, (size_t)from->count * sizeof(double));
    memcpy(values, from->values, (size_t)from->count * sizeof(hwVec3));
    if (from->cubic) ComputeBends(from->count, times, values, factors, bends);
    to->times = times;
    to->values = values;
    to->bends = bends;
}

hwSignal hwCopySignal(hwArena* arena, const hwSignal* signal) {
    hwSignal copy = {0, NULL};
    hwSignalTerm* terms = HW_TAKE(arena, hwSignalTerm, signal->termCount);
    if (arena->base != NULL && signal->termCount > 0) {
        memcpy(terms, signal->terms, (size_t)signal->termCount * sizeof(hwSignalTerm));
        copy.termCount = signal->termCount;
        copy.terms = terms;
    }
    for (int i = 0; i < signal->termCount; i++) {
        hwSignalTerm* to = terms != NULL ? &terms[i] : NULL;
        if (to != NULL) {
            to->times = NULL;
            to->values = NULL;
            to->bends = NULL;
        }
        if (signal->terms[i].kind == HW_SIGNAL_TABLE) CopyTable(arena, &signal->terms[i], to);
    }
    return copy;
}
