// Where the free spans of a wrapped tether were when it was last seen that nothing is in the way.
#include "tether/wrap_update.h"

#include <string.h>

#define FINE (2 * HW_WRAP_SAMPLES) // a curve of more points gets none between those that it has

int hwWrapCurve_CountSamples(const hwWrapSetup* setup, const hwWrapSpan* span) {
    const hwTetherSpan* shape = &span->shape;
    double distance = hwDistance(shape->a, shape->b), slack = shape->length - distance;
    if (shape->taut || shape->bend == HW_BEND_LINE || !(slack > 0.0)) return 1;
    // sag of an arc so much longer than its chord, an upper bound
    double sag = sqrt(0.375 * slack * (distance + slack)) + 0.5 * slack, limit = 0.1 * setup->radius;
    if (sag > limit && (shape->bend == HW_BEND_VEE || !(shape->scale > 0.0))) return HW_WRAP_SAMPLES - 1;
    // and what an arc may leave its chord by where it is bent most (GetBulge2 of an arc of a circle)
    double steep =
        span->slope[0] * span->slope[1] > 0.0 ? hwFmin(fabs(span->slope[0]), fabs(span->slope[1])) : 0.0;
    double bend = shape->scale > 0.0
                      ? shape->length * shape->length / (6.9 * shape->scale * (1.0 + steep * steep))
                      : 0.0;
    sag = hwFmax(sag, bend * 0.1 / HW_WRAP_BULGE);
    int count = 1;
    while (count < HW_WRAP_SAMPLES - 1 && sag > limit) {
        count *= 2;
        sag *= 0.25;
    }
    return count;
}

bool hwWrapKey_IsSame(const hwWrapKey* a, const hwWrapKey* b) {
    return a->known != 0 && hwHaveSameBits(a, b, sizeof(*a));
}

void hwWrapCurve_Load(const hwWrapState* state, int k, hwWrapCurve* out) {
    int n = state->samples[k];
    out->key = state->keys[k];
    out->length = state->lengths[k];
    out->count = n + 1;
    double part = 1.0 / n; // a power of two
    for (int j = 0; j <= n; ++j) out->share[j] = j * part;
    memcpy(out->point, state->curve[k], (size_t)(n + 1) * sizeof(hwVec3));
}

void hwWrapCurve_Sample(const hwWrapSetup* setup, const hwWrapSpan* span, hwWrapCurve* out) {
    int n = hwWrapCurve_CountSamples(setup, span);
    out->key = span->key;
    out->length = span->shape.length;
    out->count = n + 1;
    for (int j = 0; j <= n; ++j) out->share[j] = (double)j / n;
    hwWrapSpan_GetPoints(span, n + 1, out->share, out->point);
    out->point[0] = span->shape.a;
    out->point[n] = span->shape.b;
}

void hwWrapCurve_Store(const hwWrapSetup* setup, const hwWrapSpan* span, bool still, hwWrapCurve* curve,
                       hwWrapState* state, int k) {
    if (!still) hwWrapCurve_Sample(setup, span, curve);
    if (hwWrapKey_IsSame(&state->keys[k], &curve->key)) return;
    state->samples[k] = curve->count - 1;
    state->keys[k] = curve->key;
    state->lengths[k] = curve->length;
    memcpy(state->curve[k], curve->point, (size_t)curve->count * sizeof(hwVec3));
}

void hwWrapCurve_AddPoint(hwWrapCurve* curve, double share) {
    int i = 0;
    while (i + 1 < curve->count && curve->share[i + 1] <= share) i += 1;
    if (curve->share[i] == share || i + 1 >= curve->count || curve->count >= HW_WRAP_STRIP) return;
    double part = (share - curve->share[i]) / (curve->share[i + 1] - curve->share[i]);
    hwVec3 p = hwMulAdd(curve->point[i], part, hwSub(curve->point[i + 1], curve->point[i]));
    memmove(curve->point + i + 2, curve->point + i + 1, (size_t)(curve->count - i - 1) * sizeof(hwVec3));
    memmove(curve->share + i + 2, curve->share + i + 1, (size_t)(curve->count - i - 1) * sizeof(double));
    curve->point[i + 1] = p;
    curve->share[i + 1] = share;
    curve->count += 1;
    curve->key.known = 0;
}

void hwWrapCurve_Refine(hwWrapCurve* curve, int n) {
    if (curve->key.known != 0 && (curve->count - 1) % n == 0)
        return; // samples of a span that are as many or more
    for (int j = 1; j < n && curve->count < FINE; ++j) hwWrapCurve_AddPoint(curve, (double)j / n);
}

double hwWrapCurve_FindShare(const hwWrapCurve* curve, int end, double reach) {
    int last = curve->count - 1;
    for (int j = 0; j < last; ++j) {
        int from = end == 0 ? j : last - j, to = end == 0 ? j + 1 : last - j - 1;
        double length = hwDistance(curve->point[from], curve->point[to]);
        if (length >= reach) {
            double share = curve->share[from] + reach / length * (curve->share[to] - curve->share[from]);
            return end == 0 ? share : 1.0 - share;
        }
        reach -= length;
    }
    return 1.0;
}

void hwWrapCurve_Copy(hwWrapCurve* out, const hwWrapCurve* from) {
    out->key = from->key;
    out->length = from->length;
    out->count = from->count;
    memcpy(out->share, from->share, (size_t)from->count * sizeof(double));
    memcpy(out->point, from->point, (size_t)from->count * sizeof(hwVec3));
}

bool hwWrapCurve_LiesAlong(const hwWrapSetup* setup, const hwWrapCurve* curve, double distance) {
    double length = 0.0;
    for (int j = 1; j < curve->count; ++j) length += hwDistance(curve->point[j - 1], curve->point[j]);
    return length <= 1.2 * distance + 4.0 * setup->radius;
}
