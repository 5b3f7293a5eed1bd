// Solutions of one cable's factored matrix, its ends held, for many right-hand sides at once. Each node has to wait for the one before;
// meanwhile a processor has room for other columns.
#include "cable/arrays.h"

#define ROWS ((size_t)3 * HW_COLUMNS) // numbers of a node

bool hwCableWork_HasColumns(const hwCableWork* work) {
    const hwCableArrays* s = work->arrays;
    return s->segmentCount == 1 && !(s->twistPivot > 0.0);
}

// Three rows of a group of columns.
HW_INLINE hwV4x3 LoadGroup(const double* x, int group) {
    const double* p = x + (ptrdiff_t)HW_LANES * group;
    hwV4x3 v = {Load4(p), Load4(p + HW_COLUMNS), Load4(p + 2 * HW_COLUMNS)};
    return v;
}

HW_INLINE void StoreGroup(double* x, int group, hwV4x3 v) {
    double* p = x + (ptrdiff_t)HW_LANES * group;
    Store4(p, v.x);
    Store4(p + HW_COLUMNS, v.y);
    Store4(p + 2 * HW_COLUMNS, v.z);
}

// v - W' r
HW_INLINE hwV4x3 TakeTransposed(hwV4x3 v, const double w[9], hwV4x3 r) {
    v.x -= w[0] * r.x + w[3] * r.y + w[6] * r.z;
    v.y -= w[1] * r.x + w[4] * r.y + w[7] * r.z;
    v.z -= w[2] * r.x + w[5] * r.y + w[8] * r.z;
    return v;
}

// v - W r
HW_INLINE hwV4x3 Take(hwV4x3 v, const double w[9], hwV4x3 r) {
    v.x -= w[0] * r.x + w[1] * r.y + w[2] * r.z;
    v.y -= w[3] * r.x + w[4] * r.y + w[5] * r.z;
    v.z -= w[6] * r.x + w[7] * r.y + w[8] * r.z;
    return v;
}

// A(i,i)^-1 r, and what the slots ahead lose by it. `f`: the slot's factor; null: there is no such slot.
HW_INLINE void ReduceNode(const double* f, int groups, double* x, double* next, double* after) {
    for (int g = 0; g < groups; ++g) {
        hwV4x3 r = LoadGroup(x, g);
        if (next != NULL) StoreGroup(next, g, TakeTransposed(LoadGroup(next, g), f + 6, r));
        if (after != NULL) StoreGroup(after, g, TakeTransposed(LoadGroup(after, g), f + 15, r));
        hwV4 y1 = r.y - f[0] * r.x, y2 = r.z - f[1] * r.x - f[2] * y1, z2 = y2 * f[5],
             z1 = y1 * f[4] - f[2] * z2;
        hwV4x3 solved = {r.x * f[3] - f[0] * z1 - f[1] * z2, z1, z2};
        StoreGroup(x, g, solved);
    }
}

HW_INLINE void SubstituteNode(const double* f, int groups, double* x, const double* next,
                              const double* after) {
    for (int g = 0; g < groups; ++g) {
        hwV4x3 v = LoadGroup(x, g);
        if (after != NULL) v = Take(v, f + 15, LoadGroup(after, g));
        if (next != NULL) v = Take(v, f + 6, LoadGroup(next, g));
        StoreGroup(x, g, v);
    }
}

// `groups` of columns, in the order of elimination from the slot `from` on.
HW_INLINE void SolveRun(const hwCableArrays* s, bool wide, int groups, int from, double* x) {
    const hwCableSegment* segment = &s->segments[0];
    int direction = segment->direction, count = direction * (segment->last - segment->first) + 1;
    ptrdiff_t stride = direction * (ptrdiff_t)ROWS, size = direction * (ptrdiff_t)HW_FACTOR_SIZE;
    double* first = x + (ptrdiff_t)ROWS * (segment->first - HW_SLOT(0));
    const double* factor = s->factor + (size_t)segment->first * HW_FACTOR_SIZE;
    int k = from < 0 ? 0 : from;
    for (; k + 2 < count; ++k) {
        double* own = first + k * stride;
        ReduceNode(factor + k * size, groups, own, own + stride, wide ? own + 2 * stride : NULL);
    }
    for (; k < count; ++k) {
        double* own = first + k * stride;
        ReduceNode(factor + k * size, groups, own, k + 1 < count ? own + stride : NULL, NULL);
    }
    for (k = count - 2; k >= 0; --k) {
        double* own = first + k * stride;
        SubstituteNode(factor + k * size, groups, own, own + stride,
                       wide && k + 2 < count ? own + 2 * stride : NULL);
    }
}

void hwCableWork_SolveColumns(const hwCableWork* work, int count, int first, int last, double* x) {
    const hwCableArrays* s = work->arrays;
    const hwCableSegment* segment = &s->segments[0];
    int from = segment->direction > 0 ? HW_SLOT(first) - segment->first : segment->first - HW_SLOT(last);
    int groups = (count + HW_LANES - 1) / HW_LANES;
    if (s->wide && groups == 1)
        SolveRun(s, true, 1, from, x);
    else if (s->wide && groups == 2)
        SolveRun(s, true, 2, from, x);
    else if (s->wide)
        SolveRun(s, true, 3, from, x);
    else
        SolveRun(s, false, groups, from, x);
    for (int e = 0; e < 2; ++e) {
        if (work->input.ends[e].kind == HW_CABLE_FREE) continue;
        memset(x + (e == 0 ? 0 : ROWS * (size_t)(work->nodes - 1)), 0, ROWS * sizeof(double));
    }
}
