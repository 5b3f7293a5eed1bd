// Elimination of a cable's nodes down to its separators, and back.
//
// A run of slots between separators is eliminated in one direction: slot i couples to the next two slots
// ahead by E and F and, filled in on the way, to the separator behind by G. With A(i,i) = L D L^T and Y =
// L^-1 [E F G], the slots ahead and the separator behind lose Y^T D^-1 Y. Only L, D and W = A(i,i)^-1 [E F G]
// are kept. The 3 x 3 blocks are factored rather than inverted: an inverse loses all digits along stiff
// chords when the step is long.
#include "cable/arrays.h"
#include "cable/several.h"

#include <limits.h>
#include <stddef.h>

typedef struct Pivot {
    double l10, l20, l21;
    double r0, r1, r2; // reciprocals of D
} Pivot;

// L D L^T of a symmetric block; replaces pivots that are not positive and counts them. By Bareiss (1968): with a = d00, b = a d11 -
// d01^2 and c the determinant times a, the pivots are a, b / a and c / (a b). As in Gauss's elimination no more is lost
// than the rounding of the entries, but no division has to wait for another, and all nodes of a cable wait for these.
HW_INLINE Pivot FactorBlock(const double d[6], int* bad) {
    Pivot p;
    double a = d[0], floor = 1e-14 * (fabs(d[0]) + fabs(d[3]) + fabs(d[5])) + 1e-300;
    if (!(a > 0.0)) {
        a = floor;
        *bad += 1;
    }
    double b = a * d[3] - d[1] * d[1];
    if (!(b > 0.0)) {
        b = a * floor;
        *bad += 1;
    }
    double off = a * d[4] - d[1] * d[2];
    double c = b * (a * d[5] - d[2] * d[2]) - off * off;
    if (!(c > 0.0)) {
        c = a * b * floor;
        *bad += 1;
    }
    double perB = 1.0 / b;
    p.r0 = 1.0 / a;
    p.r1 = a * perB;
    p.r2 = a * b / c;
    p.l10 = d[1] * p.r0;
    p.l20 = d[2] * p.r0;
    p.l21 = off * perB;
    return p;
}

// Rows of m (3 x columns): m = L^-1 m
HW_INLINE void Forward(const Pivot* p, double* m, int columns) {
    for (int c = 0; c < columns; ++c) {
        double m1 = m[columns + c] - p->l10 * m[c];
        m[2 * columns + c] -= p->l20 * m[c] + p->l21 * m1;
        m[columns + c] = m1;
    }
}

// w = L^-T D^-1 y
HW_INLINE void Backward(const Pivot* p, const double* y, double* w, int columns) {
    for (int c = 0; c < columns; ++c) {
        double w2 = y[2 * columns + c] * p->r2;
        double w1 = y[columns + c] * p->r1 - p->l21 * w2;
        w[2 * columns + c] = w2;
        w[columns + c] = w1;
        w[c] = y[c] * p->r0 - p->l10 * w1 - p->l20 * w2;
    }
}

// out -= x^T D^-1 y for x of 3 x m and y of 3 x n; out is m x n
HW_INLINE void Subtract(const Pivot* p, const double* x, int m, const double* y, int n, double* out) {
    for (int r = 0; r < m; ++r) {
        double x0 = x[r] * p->r0, x1 = x[m + r] * p->r1, x2 = x[2 * m + r] * p->r2;
        for (int c = 0; c < n; ++c) out[r * n + c] -= x0 * y[c] + x1 * y[n + c] + x2 * y[2 * n + c];
    }
}

// out -= y^T D^-1 y, symmetric
HW_INLINE void SubtractSymmetric(const Pivot* p, const double y[9], double out[6]) {
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    double s[9];
    for (int c = 0; c < 3; ++c) {
        s[c] = y[c] * p->r0;
        s[3 + c] = y[3 + c] * p->r1;
        s[6 + c] = y[6 + c] * p->r2;
    }
    for (int k = 0; k < 6; ++k) {
        int r = row[k], c = column[k];
        out[k] -= s[r] * y[c] + s[3 + r] * y[3 + c] + s[6 + r] * y[6 + c];
    }
}

HW_INLINE void LoadDiagonal(const hwCableArrays* s, int slot, double d[6]) {
    for (int k = 0; k < 6; ++k) d[k] = s->diagonal[HW_AT(6, slot, k)];
}

// A(slot, slot + direction), rows of `slot`.
HW_INLINE void LoadNext(const double* blocks, int slot, int reach, int direction, double m[9]) {
    if (direction > 0) {
        for (int k = 0; k < 9; ++k) m[k] = blocks[HW_AT(9, slot, k)];
    } else {
        int other = slot - reach;
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) m[3 * r + c] = blocks[HW_AT(9, other, 3 * c + r)];
        }
    }
}

// A(i, j) of the assembled matrix, zero beyond its band.
static void LoadBlock(const hwCableArrays* s, int i, int j, double m[9]) {
    static const int full[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    int reach = i < j ? j - i : i - j;
    for (int k = 0; k < 9; ++k) m[k] = 0.0;
    if (reach == 0) {
        for (int k = 0; k < 9; ++k) m[k] = s->diagonal[HW_AT(6, i, full[k])];
    } else if (reach == 1) {
        LoadNext(s->first, i, 1, j - i, m);
    } else if (reach == 2 && s->wide) {
        LoadNext(s->second, i, 2, j - i, m);
    }
}

// ---- Separators

// Slot of part k (0, 1) of a separator, in the order of hwCableReduced.
static int GetSeparatorSlot(const hwCableArrays* s, int separator, int k) {
    bool atA = s->reduced.index[0] == separator;
    return s->separatorSlot[separator] + (atA ? -k : k);
}

static void AddSeparator(hwCableArrays* s, int slot, int size) {
    int k = s->reduced.count++;
    s->separatorSlot[k] = slot;
    s->reduced.size[k] = size;
}

static bool IsUnknown(const hwCableEnd* end) {
    return end->kind != HW_CABLE_FREE && end->unknown;
}

static void AddSegment(hwCableArrays* s, int low, int high, int before, int after) {
    if (low > high) return;
    hwCableSegment* segment = &s->segments[s->segmentCount++];
    // Towards the only separator there is; with two, forwards.
    bool backwards = after < 0 && before >= 0;
    segment->first = backwards ? high : low;
    segment->last = backwards ? low : high;
    segment->direction = backwards ? -1 : 1;
    segment->behind = backwards ? after : before;
    segment->ahead = backwards ? before : after;
}

// Lists separators and the runs of slots between them.
static void Partition(hwCableWork* work, const int* ports, int portCount) {
    hwCableArrays* s = work->arrays;
    hwCableReduced* reduced = &s->reduced;
    const hwCableEnd* ends = work->input.ends;
    int last = work->nodes - 1;
    s->reducedFor = NULL;
    reduced->count = 0;
    reduced->index[0] = reduced->index[1] = -1;
    s->segmentCount = 0;
    int low = HW_SLOT(ends[0].kind == HW_CABLE_FREE ? 0 : 1);
    int high = HW_SLOT(ends[1].kind == HW_CABLE_FREE ? last : last - 1);
    if (IsUnknown(&ends[0])) {
        reduced->index[0] = 0;
        AddSeparator(s, HW_SLOT(0), ends[0].kind == HW_CABLE_CLAMP && s->wide ? 6 : 3);
    }
    int before = reduced->count - 1;
    for (int k = 0; k < portCount; ++k) {
        AddSeparator(s, HW_SLOT(ports[k]), 6);
        AddSegment(s, low, HW_SLOT(ports[k]) - 1, before, reduced->count - 1);
        before = reduced->count - 1;
        low = HW_SLOT(ports[k]) + 2;
    }
    if (IsUnknown(&ends[1])) {
        reduced->index[1] = reduced->count;
        AddSeparator(s, HW_SLOT(last), ends[1].kind == HW_CABLE_CLAMP && s->wide ? 6 : 3);
        AddSegment(s, low, high, before, reduced->count - 1);
    } else {
        AddSegment(s, low, high, before, -1);
    }
}

// Adds a 3 x 3 block to parts (i, j) of a 6 x 6.
static void AddPart(double matrix[6][6], int i, int j, const double m[9]) {
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) matrix[3 * i + r][3 * j + c] += m[3 * r + c];
    }
}

static void AddPartTransposed(double matrix[6][6], int i, int j, const double m[9]) {
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) matrix[3 * i + r][3 * j + c] += m[3 * c + r];
    }
}

// The separators' own entries of A, before anything is eliminated.
static void StartReduced(hwCableArrays* s) {
    hwCableReduced* reduced = &s->reduced;
    for (int k = 0; k < reduced->count; ++k) {
        memset(reduced->matrix[k], 0, sizeof(double[6][6]));
        memset(reduced->next[k], 0, sizeof(double[6][6]));
        for (int i = 0; i < reduced->size[k] / 3; ++i) {
            int slot = GetSeparatorSlot(s, k, i);
            double m[9];
            for (int j = 0; j < reduced->size[k] / 3; ++j) {
                LoadBlock(s, slot, GetSeparatorSlot(s, k, j), m);
                AddPart(reduced->matrix[k], i, j, m);
            }
            if (k + 1 == reduced->count) continue;
            for (int j = 0; j < reduced->size[k + 1] / 3; ++j) {
                LoadBlock(s, slot, GetSeparatorSlot(s, k + 1, j), m);
                AddPart(reduced->next[k], i, j, m);
            }
        }
    }
}

// ---- Elimination

typedef struct Front {
    double d[6], e[9]; // current slot's diagonal and coupling to the next, updated so far
    double ahead[6];   // what the slot after next has lost so far
    int bad;
    // only where there is a separator behind
    double g[18], gNext[18]; // coupling of the current and the next slot to it
    double behind[36];       // what it has lost, negative
} Front;

HW_INLINE void StoreFactor(double* f, const Pivot* p) {
    f[0] = p->l10;
    f[1] = p->l20;
    f[2] = p->l21;
    f[3] = p->r0;
    f[4] = p->r1;
    f[5] = p->r2;
}

// One slot. `next` and `afterNext` say whether those slots exist; `rawNext`, whether the next one is
// eliminated too (and so starts from A) or belongs to a separator (and only collects what it loses).
HW_INLINE void EliminateSlot(hwCableArrays* s, Front* front, int slot, int direction, bool wide, int behind,
                             bool next, bool afterNext, bool rawNext) {
    Pivot p = FactorBlock(front->d, &front->bad);
    double* f = s->factor + (size_t)slot * HW_FACTOR_SIZE;
    StoreFactor(f, &p);
    double y1[9], y2[9];
    for (int k = 0; k < 9; ++k) y1[k] = front->e[k];
    Forward(&p, y1, 3);
    Backward(&p, y1, f + 6, 3);

    double d[6] = {0}, e[9] = {0};
    if (rawNext) LoadDiagonal(s, slot + direction, d);
    if (wide) {
        for (int k = 0; k < 6; ++k) d[k] += front->ahead[k];
    }
    if (rawNext && afterNext) LoadNext(s->first, slot + direction, 1, direction, e);
    if (next) SubtractSymmetric(&p, y1, d);
    if (wide) {
        if (afterNext) {
            LoadNext(s->second, slot, 2, direction, y2);
        } else {
            for (int k = 0; k < 9; ++k) y2[k] = 0.0;
        }
        Forward(&p, y2, 3);
        Backward(&p, y2, f + 15, 3);
        Subtract(&p, y1, 3, y2, 3, e);
        for (int k = 0; k < 6; ++k) front->ahead[k] = 0.0;
        SubtractSymmetric(&p, y2, front->ahead);
    }
    for (int k = 0; k < 6; ++k) front->d[k] = d[k];
    for (int k = 0; k < 9; ++k) front->e[k] = e[k];
    if (behind > 0) {
        double yg[18], gAfter[18];
        for (int k = 0; k < 3 * behind; ++k) {
            yg[k] = front->g[k];
            front->g[k] = front->gNext[k];
            gAfter[k] = 0.0;
        }
        Forward(&p, yg, behind);
        Backward(&p, yg, s->fill + (size_t)slot * HW_FILL_SIZE, behind);
        Subtract(&p, y1, 3, yg, behind, front->g);
        if (wide) Subtract(&p, y2, 3, yg, behind, gAfter);
        Subtract(&p, yg, behind, yg, behind, front->behind);
        for (int k = 0; k < 3 * behind; ++k) front->gNext[k] = gAfter[k];
    }
}

// With the columns of blocks in lanes, half as many instructions and the same bits. Without registers of four lanes compilers make
// three times the work of it.
#if defined(__AVX__)
typedef double hwV2 __attribute__((vector_size(16)));

// Rows of the entries (0,0) (0,1) (0,2) (1,2), whose columns are the lanes.
HW_INLINE hwV4 GetRows(hwV4 v) {
    return __builtin_shufflevector(v, v, 0, 0, 0, 1);
}

// The second and the third lane.
HW_INLINE hwV2 GetMiddle(hwV4 v) {
    return __builtin_shufflevector(v, v, 1, 2);
}

// FactorBlock where all pivots are positive; otherwise false.
HW_INLINE bool FactorPositive(const double d[6], Pivot* p) {
    double a = d[0], b = a * d[3] - d[1] * d[1], off = a * d[4] - d[1] * d[2];
    double c = b * (a * d[5] - d[2] * d[2]) - off * off, perB = 1.0 / b;
    p->r0 = 1.0 / a;
    p->r1 = a * perB;
    p->r2 = a * b / c;
    p->l10 = d[1] * p->r0;
    p->l20 = d[2] * p->r0;
    p->l21 = off * perB;
    return a > 0.0 && b > 0.0 && c > 0.0;
}

static __attribute__((cold, noinline)) Pivot FactorOther(const double d[6], int* bad) {
    return FactorBlock(d, bad);
}

// Row of a 3 x 3 block, its last entry twice.
HW_INLINE hwV4 LoadRow(const double* blocks, int slot, int row) {
    const double* m = blocks + HW_AT(9, slot, 3 * row);
    hwV4 v = {m[0], m[HW_LANES], m[2 * HW_LANES], m[2 * HW_LANES]};
    return v;
}

// Three rows of columns in lanes.
typedef struct Rows {
    hwV4 a, b, c;
} Rows;

HW_INLINE Rows LoadRows(const double* blocks, int slot) {
    Rows m = {LoadRow(blocks, slot, 0), LoadRow(blocks, slot, 1), LoadRow(blocks, slot, 2)};
    return m;
}

// Y = L^-1 E
HW_INLINE Rows ForwardRows(const Pivot* p, Rows e) {
    hwV4 b = e.b - p->l10 * e.a;
    Rows y = {e.a, b, e.c - (p->l20 * e.a + p->l21 * b)};
    return y;
}

// W = L^-T D^-1 Y; one entry more is written than these nine. Returns D^-1 Y.
HW_INLINE Rows StoreRows(const Pivot* p, Rows y, double* w) {
    Rows scaled = {y.a * p->r0, y.b * p->r1, y.c * p->r2};
    hwV4 b = scaled.b - p->l21 * scaled.c;
    Store4(w, scaled.a - p->l10 * b - p->l20 * scaled.c);
    Store4(w + 3, b);
    Store4(w + 6, scaled.c);
    return scaled;
}

// Entries (0,0) (0,1) (0,2) (1,2) and (1,1) (2,2) of a symmetric block.
typedef struct Entries {
    hwV4 most;
    hwV2 others;
} Entries;

HW_INLINE Entries LoadEntries(const double* raw) {
    Entries d = {{raw[0], raw[HW_LANES], raw[2 * HW_LANES], raw[4 * HW_LANES]},
                 {raw[3 * HW_LANES], raw[5 * HW_LANES]}};
    return d;
}

// Y^T D^-1 Y
HW_INLINE Entries SquareRows(const Pivot* p, Rows y, Rows scaled) {
    Entries d = {GetRows(y.a) * p->r0 * y.a + GetRows(y.b) * p->r1 * y.b + GetRows(y.c) * p->r2 * y.c,
                 GetMiddle(scaled.a) * GetMiddle(y.a) + GetMiddle(scaled.b) * GetMiddle(y.b) +
                     GetMiddle(scaled.c) * GetMiddle(y.c)};
    return d;
}

// Row r of S^T Y
HW_INLINE hwV4 MulRows(Rows s, Rows y, int r) {
    return s.a[r] * y.a + s.b[r] * y.b + s.c[r] * y.c;
}

// EliminateSlot of one slot after the other: forwards, nothing behind, at least two slots to come after each of `count`.
HW_INLINE void EliminatePlain(hwCableArrays* s, Front* front, int slot, int count, bool wide) {
    const double *e = front->e, *lost = front->ahead;
    double d[6];
    memcpy(d, front->d, sizeof(d));
    Rows next = {{e[0], e[1], e[2], e[2]}, {e[3], e[4], e[5], e[5]}, {e[6], e[7], e[8], e[8]}};
    Entries ahead = {{lost[0], lost[1], lost[2], lost[4]}, {lost[3], lost[5]}};
    for (; count > 0; --count) {
        Pivot p;
        if (!FactorPositive(d, &p)) p = FactorOther(d, &front->bad);
        double* f = s->factor + (size_t)slot * HW_FACTOR_SIZE;
        StoreFactor(f, &p);
        Rows y = ForwardRows(&p, next), scaled = StoreRows(&p, y, f + 6), y2 = {0};
        if (wide) y2 = ForwardRows(&p, LoadRows(s->second, slot));
        slot += 1;
        Entries raw = LoadEntries(s->diagonal + HW_AT(6, slot, 0)), gone = SquareRows(&p, y, scaled);
        next = LoadRows(s->first, slot);
        if (wide) {
            raw.most += ahead.most;
            raw.others += ahead.others;
            // of the last one here the entry after these is that of a slot that is yet to come
            ahead = SquareRows(&p, y2, StoreRows(&p, y2, f + 15));
            ahead.most = 0.0 - ahead.most;
            ahead.others = 0.0 - ahead.others;
            next.a -= MulRows(scaled, y2, 0);
            next.b -= MulRows(scaled, y2, 1);
            next.c -= MulRows(scaled, y2, 2);
        }
        raw.most -= gone.most;
        raw.others -= gone.others;
        d[0] = raw.most[0];
        d[1] = raw.most[1];
        d[2] = raw.most[2];
        d[3] = raw.others[0];
        d[4] = raw.most[3];
        d[5] = raw.others[1];
    }
    memcpy(front->d, d, sizeof(d));
    for (int k = 0; k < 3; ++k) {
        front->e[k] = next.a[k];
        front->e[3 + k] = next.b[k];
        front->e[6 + k] = next.c[k];
        front->ahead[k] = ahead.most[k];
    }
    front->ahead[3] = ahead.others[0];
    front->ahead[4] = ahead.most[3];
    front->ahead[5] = ahead.others[1];
}
#else
HW_INLINE void EliminatePlain(hwCableArrays* s, Front* front, int slot, int count, bool wide) {
    for (; count > 0; --count, ++slot) EliminateSlot(s, front, slot, 1, wide, 0, true, true, true);
}
#endif

// Coupling of a slot to the separator behind, 3 x size.
static void LoadFill(const hwCableArrays* s, int slot, int separator, double* g) {
    int size = s->reduced.size[separator];
    for (int k = 0; k < size / 3; ++k) {
        double m[9];
        LoadBlock(s, slot, GetSeparatorSlot(s, separator, k), m);
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) g[r * size + 3 * k + c] = m[3 * r + c];
        }
    }
}

HW_INLINE int EliminateRun(hwCableArrays* s, const hwCableSegment* segment, int direction, bool wide,
                           int behind, Front* front) {
    int count = direction * (segment->last - segment->first) + 1;
    int limit = count + (segment->ahead >= 0 ? s->reduced.size[segment->ahead] / 3 : 0);
    LoadDiagonal(s, segment->first, front->d);
    if (limit > 1) LoadNext(s->first, segment->first, 1, direction, front->e);
    if (behind > 0) {
        LoadFill(s, segment->first, segment->behind, front->g);
        if (count > 1) LoadFill(s, segment->first + direction, segment->behind, front->gNext);
    }
    int k = 0, slot = segment->first;
    if (direction > 0 && behind == 0 && count > 2) {
        EliminatePlain(s, front, slot, count - 2, wide);
        k = count - 2;
        slot += k;
    }
    for (; k < count - 2; ++k, slot += direction) {
        EliminateSlot(s, front, slot, direction, wide, behind, true, true, true);
    }
    for (; k < count; ++k, slot += direction) {
        EliminateSlot(s, front, slot, direction, wide, behind, k + 1 < limit, k + 2 < limit, k + 1 < count);
    }
    return front->bad;
}

#define HW_RUN(name, direction, wide, behind)                                                                \
    static int name(hwCableArrays* s, const hwCableSegment* segment, Front* front) {                         \
        return EliminateRun(s, segment, direction, wide, behind, front);                                     \
    }
HW_RUN(ForwardNarrow, 1, false, 0)
HW_RUN(ForwardNarrow3, 1, false, 3)
HW_RUN(ForwardNarrow6, 1, false, 6)
HW_RUN(ForwardWide, 1, true, 0)
HW_RUN(ForwardWide3, 1, true, 3)
HW_RUN(ForwardWide6, 1, true, 6)
HW_RUN(BackwardNarrow, -1, false, 0)
HW_RUN(BackwardWide, -1, true, 0)

// Hands what was lost to the separators on both sides.
static void FinishSegment(hwCableArrays* s, const hwCableSegment* segment, const Front* front) {
    static const int full[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    hwCableReduced* reduced = &s->reduced;
    int size = segment->behind >= 0 ? reduced->size[segment->behind] : 0;
    for (int r = 0; r < size; ++r) {
        for (int c = 0; c < size; ++c) reduced->matrix[segment->behind][r][c] += front->behind[r * size + c];
    }
    if (segment->ahead < 0) return;
    // The part of the separator ahead that the elimination meets first.
    int parts = reduced->size[segment->ahead] / 3;
    int first = GetSeparatorSlot(s, segment->ahead, 0) == segment->last + segment->direction ? 0 : 1;
    double m[9];
    for (int k = 0; k < 9; ++k) m[k] = front->d[full[k]];
    AddPart(reduced->matrix[segment->ahead], first, first, m);
    if (parts == 2) {
        int second = 1 - first;
        AddPart(reduced->matrix[segment->ahead], first, second, front->e);
        AddPartTransposed(reduced->matrix[segment->ahead], second, first, front->e);
        for (int k = 0; k < 9; ++k) m[k] = front->ahead[full[k]];
        AddPart(reduced->matrix[segment->ahead], second, second, m);
    }
    // Rows of `next` belong to the separator behind.
    for (int i = 0; i < parts && size > 0; ++i) {
        const double* g = i == first ? front->g : front->gNext;
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < size; ++c) reduced->next[segment->behind][c][3 * i + r] += g[r * size + c];
        }
    }
}

// ---- Right-hand sides

// On its way along a segment: what is left of the current slot's right-hand side and of the next one's.
typedef struct Reduction {
    hwVec3 r, next;
} Reduction;

HW_INLINE Reduction StartReduction(const hwCableSegment* segment, const hwVec3* x) {
    Reduction front = {x[segment->first], hwVec3_zero};
    if (segment->first != segment->last) front.next = x[segment->first + segment->direction];
    return front;
}

// `left`: slots from this one on; `size`: of the separator behind.
HW_INLINE void ReduceSlot(const hwCableArrays* s, int slot, int direction, int left, bool wide, int size,
                          hwVec3* x, double* behind, Reduction* front) {
    const double* f = s->factor + (size_t)slot * HW_FACTOR_SIZE;
    const double *w1 = f + 6, *w2 = f + 15;
    hwVec3 r = front->r, next = front->next, after = left > 2 ? x[slot + 2 * direction] : hwVec3_zero;
    next.x -= w1[0] * r.x + w1[3] * r.y + w1[6] * r.z;
    next.y -= w1[1] * r.x + w1[4] * r.y + w1[7] * r.z;
    next.z -= w1[2] * r.x + w1[5] * r.y + w1[8] * r.z;
    if (wide) {
        after.x -= w2[0] * r.x + w2[3] * r.y + w2[6] * r.z;
        after.y -= w2[1] * r.x + w2[4] * r.y + w2[7] * r.z;
        after.z -= w2[2] * r.x + w2[5] * r.y + w2[8] * r.z;
    }
    const double* w = s->fill + (size_t)slot * HW_FILL_SIZE;
    for (int c = 0; c < size; ++c) behind[c] -= w[c] * r.x + w[size + c] * r.y + w[2 * size + c] * r.z;
    double y1 = r.y - f[0] * r.x;
    double y2 = r.z - f[1] * r.x - f[2] * y1;
    double z2 = y2 * f[5];
    double z1 = y1 * f[4] - f[2] * z2;
    x[slot] = hwMakeVec3(r.x * f[3] - f[0] * z1 - f[1] * z2, z1, z2);
    front->r = next;
    front->next = after;
}

// Gives the separator ahead what is left.
static void FinishReduction(const hwCableArrays* s, const hwCableSegment* segment, const Reduction* front,
                            double (*separators)[6]) {
    if (segment->ahead < 0) return;
    hwVec3 lost[2] = {front->r, front->next};
    int parts = s->reduced.size[segment->ahead] / 3;
    for (int i = 0; i < parts; ++i) {
        int slot = GetSeparatorSlot(s, segment->ahead, i);
        hwVec3 v = lost[segment->direction * (slot - segment->last) - 1];
        separators[segment->ahead][3 * i] += v.x;
        separators[segment->ahead][3 * i + 1] += v.y;
        separators[segment->ahead][3 * i + 2] += v.z;
    }
}

HW_INLINE void ReduceSlots(const hwCableArrays* s, const hwCableSegment* segment, int direction, bool wide,
                           int size, hwVec3* x, double* behind, Reduction* front) {
    int left = direction * (segment->last - segment->first) + 1;
    for (int slot = segment->first; left > 0; --left, slot += direction)
        ReduceSlot(s, slot, direction, left, wide, size, x, behind, front);
}

// Eliminates a right-hand side held in `x` by slot; leaves A(i,i)^-1 r_i there and adds what the separators
// lose to `separators`. Most runs lead forwards from a known end.
static void ReduceRun(hwCableArrays* s, const hwCableSegment* segment, hwVec3* x, double (*separators)[6]) {
    int direction = segment->direction, size = segment->behind >= 0 ? s->reduced.size[segment->behind] : 0;
    Reduction front = StartReduction(segment, x);
    if (size > 0 || direction < 0) {
        double* behind = size > 0 ? separators[segment->behind] : NULL;
        ReduceSlots(s, segment, direction, s->wide, size, x, behind, &front);
    } else if (s->wide) {
        ReduceSlots(s, segment, 1, true, 0, x, NULL, &front);
    } else {
        ReduceSlots(s, segment, 1, false, 0, x, NULL, &front);
    }
    FinishReduction(s, segment, &front, separators);
}

// On its way back along a segment: increments of the slot that comes next in the elimination, and of the one after it.
typedef struct Substitution {
    hwVec3 next, after;
} Substitution;

HW_INLINE Substitution StartSubstitution(const hwCableArrays* s, const hwCableSegment* segment,
                                         const hwVec3* x) {
    int parts = segment->ahead >= 0 ? s->reduced.size[segment->ahead] / 3 : 0;
    Substitution front = {parts > 0 ? x[segment->last + segment->direction] : hwVec3_zero,
                          parts > 1 ? x[segment->last + 2 * segment->direction] : hwVec3_zero};
    return front;
}

// x_i -= W1 x_next + W2 x_after + W x_behind.
HW_INLINE void SubstituteSlot(const hwCableArrays* s, int slot, bool wide, int size, const double* behind,
                              hwVec3* x, Substitution* front) {
    const double* f = s->factor + (size_t)slot * HW_FACTOR_SIZE;
    const double *w1 = f + 6, *w2 = f + 15;
    hwVec3 v = x[slot], next = front->next, after = front->after;
    if (wide) {
        v.x -= w2[0] * after.x + w2[1] * after.y + w2[2] * after.z;
        v.y -= w2[3] * after.x + w2[4] * after.y + w2[5] * after.z;
        v.z -= w2[6] * after.x + w2[7] * after.y + w2[8] * after.z;
    }
    const double* w = s->fill + (size_t)slot * HW_FILL_SIZE;
    for (int c = 0; c < size; ++c) {
        v.x -= w[c] * behind[c];
        v.y -= w[size + c] * behind[c];
        v.z -= w[2 * size + c] * behind[c];
    }
    v.x -= w1[0] * next.x + w1[1] * next.y + w1[2] * next.z;
    v.y -= w1[3] * next.x + w1[4] * next.y + w1[5] * next.z;
    v.z -= w1[6] * next.x + w1[7] * next.y + w1[8] * next.z;
    x[slot] = v;
    front->after = next;
    front->next = v;
}

HW_INLINE void SubstituteSlots(const hwCableArrays* s, const hwCableSegment* segment, int direction,
                               bool wide, int size, const double* behind, hwVec3* x, Substitution* front) {
    int left = direction * (segment->last - segment->first) + 1;
    for (int slot = segment->last; left > 0; --left, slot -= direction)
        SubstituteSlot(s, slot, wide, size, behind, x, front);
}

// The way back. Slots of the separators must hold their increments.
static void SolveRun(const hwCableArrays* s, const hwCableSegment* segment, hwVec3* x) {
    int direction = segment->direction, size = segment->behind >= 0 ? s->reduced.size[segment->behind] : 0;
    Substitution front = StartSubstitution(s, segment, x);
    if (size > 0 || direction < 0) {
        double behind[6] = {0};
        for (int i = 0; i < size / 3; ++i) {
            hwVec3 v = x[GetSeparatorSlot(s, segment->behind, i)];
            behind[3 * i] = v.x;
            behind[3 * i + 1] = v.y;
            behind[3 * i + 2] = v.z;
        }
        SubstituteSlots(s, segment, direction, s->wide, size, behind, x, &front);
    } else if (s->wide) {
        SubstituteSlots(s, segment, 1, true, 0, NULL, x, &front);
    } else {
        SubstituteSlots(s, segment, 1, false, 0, NULL, x, &front);
    }
}

// ---- Torsion's rank-one term
//
// A' = A + scale g g^T. With p = A_ii^-1 g_i over what is eliminated, g~ what is left of g on the separators
// and pivot = 1/scale + g_i.p, the separators' matrix gains g~ g~^T / pivot, their right-hand side loses g~
// (p.r_i)/pivot, and the increments lose p q with q = (g~.x_s + p.r_i)/pivot.

static hwVec3 GetTwistGradient(const hwCableWork* work, int slot) {
    const hwCableArrays* s = work->arrays;
    int node = slot - HW_SLOT(0);
    if (node < 0) return s->twistRotation[0];
    if (node >= work->nodes) return s->twistRotation[1];
    return hwMakeVec3(s->gx[node], s->gy[node], s->gz[node]);
}

static void ReduceTwist(hwCableWork* work) {
    hwCableArrays* s = work->arrays;
    hwCableReduced* reduced = &s->reduced;
    reduced->twistScale = 0.0;
    s->twistPivot = 0.0;
    if (!(s->twistScale > 0.0)) return;
    for (int k = 0; k < reduced->count; ++k) {
        for (int i = 0; i < reduced->size[k] / 3; ++i) {
            int slot = GetSeparatorSlot(s, k, i);
            hwVec3 g = GetTwistGradient(work, slot);
            s->twistColumn[slot] = hwVec3_zero;
            reduced->twist[k][3 * i] = g.x;
            reduced->twist[k][3 * i + 1] = g.y;
            reduced->twist[k][3 * i + 2] = g.z;
        }
    }
    double pivot = 1.0 / s->twistScale;
    for (int k = 0; k < s->segmentCount; ++k) {
        const hwCableSegment* segment = &s->segments[k];
        int low = segment->first < segment->last ? segment->first : segment->last;
        int high = segment->first + segment->last - low;
        for (int slot = low; slot <= high; ++slot) s->twistColumn[slot] = GetTwistGradient(work, slot);
        ReduceRun(s, segment, s->twistColumn, reduced->twist);
        SolveRun(s, segment, s->twistColumn);
        for (int slot = low; slot <= high; ++slot)
            pivot += hwDot(GetTwistGradient(work, slot), s->twistColumn[slot]);
    }
    s->twistPivot = pivot;
    if (reduced->count > 2) {
        reduced->twistScale = 1.0 / pivot;
        return;
    }
    for (int k = 0; k < reduced->count; ++k) {
        for (int r = 0; r < reduced->size[k]; ++r) {
            for (int c = 0; c < reduced->size[k]; ++c) {
                reduced->matrix[k][r][c] += reduced->twist[k][r] * reduced->twist[k][c] / pivot;
            }
        }
    }
    if (reduced->count < 2) return;
    for (int r = 0; r < reduced->size[0]; ++r) {
        for (int c = 0; c < reduced->size[1]; ++c) {
            reduced->next[0][r][c] += reduced->twist[0][r] * reduced->twist[1][c] / pivot;
        }
    }
}

// ---- The interface

static int FactorSegments(hwCableWork* work) {
    typedef int RunFn(hwCableArrays * s, const hwCableSegment* segment, Front* front);
    static RunFn* const forward[2][3] = {{ForwardNarrow, ForwardNarrow3, ForwardNarrow6},
                                         {ForwardWide, ForwardWide3, ForwardWide6}};
    hwCableArrays* s = work->arrays;
    int bad = 0;
    for (int k = 0; k < s->segmentCount; ++k) {
        const hwCableSegment* segment = &s->segments[k];
        int fill = segment->behind >= 0 ? s->reduced.size[segment->behind] / 3 : 0;
        Front front;
        memset(&front, 0, fill > 0 ? sizeof(front) : offsetof(Front, g));
        RunFn* run =
            segment->direction < 0 ? (s->wide ? BackwardWide : BackwardNarrow) : forward[s->wide][fill];
        bad += run(s, segment, &front);
        FinishSegment(s, segment, &front);
    }
    return bad;
}

int hwCableWork_Factor(hwCableWork* work, const int* ports, int portCount) {
    Partition(work, ports, portCount);
    StartReduced(work->arrays);
    int bad = FactorSegments(work);
    ReduceTwist(work);
    return bad;
}

const hwCableReduced* hwCableWork_GetReduced(const hwCableWork* work) {
    return &work->arrays->reduced;
}

// Moves known increments of an end to the right-hand side.
static void ApplyKnown(hwCableWork* work, int end, const double known[6]) {
    hwCableArrays* s = work->arrays;
    const hwCableEnd* e = &work->input.ends[end];
    if (e->kind == HW_CABLE_FREE || e->unknown) return;
    int direction = end == 0 ? 1 : -1, slot = end == 0 ? HW_SLOT(0) : HW_SLOT(work->nodes - 1);
    int parts = e->kind == HW_CABLE_CLAMP && s->wide ? 2 : 1;
    s->known[end] = hwMakeVec3(known[0], known[1], known[2]);
    if (s->twistPivot > 0.0) {
        hwVec3 g = GetTwistGradient(work, slot), turn = hwMakeVec3(known[3], known[4], known[5]);
        s->twistRhs += hwDot(g, s->known[end]) + hwDot(s->twistRotation[end], turn);
    }
    for (int part = 0; part < parts; ++part) {
        for (int reach = 1; reach <= 2 - part; ++reach) {
            int row = slot + direction * reach;
            if (row < HW_SLOT(0) - 1 || row > HW_SLOT(work->nodes - 1) + 1) continue;
            double m[9];
            LoadBlock(s, row, slot - direction * part, m);
            const double* k = known + 3 * part;
            s->solution[row].x -= m[0] * k[0] + m[1] * k[1] + m[2] * k[2];
            s->solution[row].y -= m[3] * k[0] + m[4] * k[1] + m[5] * k[2];
            s->solution[row].z -= m[6] * k[0] + m[7] * k[1] + m[8] * k[2];
        }
    }
}

// The separators' right-hand sides, before anything is eliminated.
static void StartRhs(hwCableArrays* s) {
    hwCableReduced* reduced = &s->reduced;
    for (int k = 0; k < reduced->count; ++k) {
        for (int i = 0; i < reduced->size[k] / 3; ++i) {
            hwVec3 v = s->solution[GetSeparatorSlot(s, k, i)];
            reduced->rhs[k][3 * i] = v.x;
            reduced->rhs[k][3 * i + 1] = v.y;
            reduced->rhs[k][3 * i + 2] = v.z;
        }
    }
}

// Nodes before `from` have been eliminated.
static void StartReduce(hwCableWork* work, const hwVec3* rhs, int from) {
    hwCableArrays* s = work->arrays;
    int last = work->nodes - 1;
    memcpy(s->solution + HW_SLOT(from), rhs + from, (size_t)(work->nodes - from) * sizeof(hwVec3));
    s->solution[HW_SLOT(0) - 1] = s->solution[HW_SLOT(last) + 1] = hwVec3_zero;
    s->known[0] = s->known[1] = hwVec3_zero;
    s->twistRhs = 0.0;
    StartRhs(s);
}

void hwCableWork_Reduce(hwCableWork* work, const hwVec3* rhs, const hwVec3 rhsRotation[2],
                        double known[2][6]) {
    hwCableArrays* s = work->arrays;
    hwCableReduced* reduced = &s->reduced;
    s->reducedFor = NULL;
    StartReduce(work, rhs, 0);
    if (rhsRotation != NULL) {
        s->solution[HW_SLOT(0) - 1] = rhsRotation[0];
        s->solution[HW_SLOT(work->nodes - 1) + 1] = rhsRotation[1];
    }
    if (known != NULL) {
        ApplyKnown(work, 0, known[0]);
        ApplyKnown(work, 1, known[1]);
    }
    if (rhsRotation != NULL || known != NULL) StartRhs(s);
    for (int k = 0; k < s->segmentCount; ++k) {
        const hwCableSegment* segment = &s->segments[k];
        if (s->twistPivot > 0.0) {
            int low = segment->first < segment->last ? segment->first : segment->last;
            int high = segment->first + segment->last - low;
            for (int slot = low; slot <= high; ++slot)
                s->twistRhs += hwDot(s->twistColumn[slot], s->solution[slot]);
        }
        ReduceRun(s, segment, s->solution, reduced->rhs);
    }
    if (!(s->twistPivot > 0.0)) return;
    double q = s->twistRhs / s->twistPivot;
    for (int k = 0; k < reduced->count; ++k) {
        for (int r = 0; r < reduced->size[k]; ++r) reduced->rhs[k][r] -= q * reduced->twist[k][r];
    }
}

// Increments of ends and separators; returns what torsion's term needs of them.
static double StartSolve(hwCableWork* work, double (*separators)[6]) {
    hwCableArrays* s = work->arrays;
    const hwCableReduced* reduced = &s->reduced;
    int last = work->nodes - 1;
    if (work->input.ends[0].kind != HW_CABLE_FREE) s->solution[HW_SLOT(0)] = s->known[0];
    if (work->input.ends[1].kind != HW_CABLE_FREE) s->solution[HW_SLOT(last)] = s->known[1];
    double q = s->twistRhs;
    for (int k = 0; k < reduced->count; ++k) {
        for (int i = 0; i < reduced->size[k] / 3; ++i) {
            const double* v = separators[k] + 3 * i;
            s->solution[GetSeparatorSlot(s, k, i)] = hwMakeVec3(v[0], v[1], v[2]);
            if (s->twistPivot > 0.0) {
                const double* g = reduced->twist[k] + 3 * i;
                q += g[0] * v[0] + g[1] * v[1] + g[2] * v[2];
            }
        }
    }
    return q;
}

void hwCableWork_Solve(hwCableWork* work, double (*separators)[6], hwVec3* increment) {
    hwCableArrays* s = work->arrays;
    double q = StartSolve(work, separators);
    for (int k = 0; k < s->segmentCount; ++k) SolveRun(s, &s->segments[k], s->solution);
    memcpy(increment, s->solution + HW_SLOT(0), (size_t)work->nodes * sizeof(hwVec3));
    if (!(s->twistPivot > 0.0)) return;
    q /= s->twistPivot;
    for (int k = 0; k < s->segmentCount; ++k) {
        const hwCableSegment* segment = &s->segments[k];
        int low = segment->first < segment->last ? segment->first : segment->last;
        int high = segment->first + segment->last - low;
        for (int slot = low; slot <= high; ++slot) {
            hwVec3* v = &increment[slot - HW_SLOT(0)];
            *v = hwMulAdd(*v, -q, s->twistColumn[slot]);
        }
    }
}

// ---- Several cables at once

// Whether each is one run of nodes with stretch alone towards the only separator, or none, as with most cables.
static bool ArePlain(int count, hwCableWork* const* works) {
    for (int k = 0; k < count; ++k) {
        const hwCableArrays* s = works[k]->arrays;
        if (s->wide || s->segmentCount != 1 || s->segments[0].behind >= 0 || s->segments[0].direction < 0 ||
            s->twistScale > 0.0)
            return false;
    }
    return count == HW_SEVERAL;
}

// Slots of the first segment that all have.
static int CountCommon(int count, hwCableWork* const* works) {
    int least = INT_MAX;
    for (int k = 0; k < count; ++k) {
        const hwCableSegment* segment = &works[k]->arrays->segments[0];
        int own = segment->last - segment->first + 1;
        least = own < least ? own : least;
    }
    return least;
}

// The rest of a run from `slot` on, as EliminateRun ends it.
static void EliminateRest(hwCableArrays* s, const hwCableSegment* segment, int slot, Front* front) {
    int count = segment->last - segment->first + 1, k = slot - segment->first;
    int limit = count + (segment->ahead >= 0 ? s->reduced.size[segment->ahead] / 3 : 0);
    for (; k < count; ++k, ++slot)
        EliminateSlot(s, front, slot, 1, false, 0, k + 1 < limit, k + 2 < limit, k + 1 < count);
}

// And of its right-hand side.
static void ReduceRest(hwCableArrays* s, int slot, Reduction* front) {
    const hwCableSegment* segment = &s->segments[0];
    for (; slot <= segment->last; ++slot)
        ReduceSlot(s, slot, 1, segment->last - slot + 1, false, 0, s->solution, NULL, front);
    FinishReduction(s, segment, front, s->reduced.rhs);
}

// One entry of each of three cables; the fourth lane repeats the last.
HW_INLINE hwV4 LoadThree(const double* a, const double* b, const double* c) {
    hwV4 v = {*a, *b, *c, *c};
    return v;
}

// Four entries, one after the other, of each of three cables, from the lanes that hold them by cable.
HW_INLINE void StoreThree(double* a, double* b, double* c, hwV4 v0, hwV4 v1, hwV4 v2, hwV4 v3) {
    hwV4 even0 = __builtin_shufflevector(v0, v1, 0, 4, 2, 6),
         odd0 = __builtin_shufflevector(v0, v1, 1, 5, 3, 7);
    hwV4 even2 = __builtin_shufflevector(v2, v3, 0, 4, 2, 6),
         odd2 = __builtin_shufflevector(v2, v3, 1, 5, 3, 7);
    Store4(a, __builtin_shufflevector(even0, even2, 0, 1, 4, 5));
    Store4(b, __builtin_shufflevector(odd0, odd2, 0, 1, 4, 5));
    Store4(c, __builtin_shufflevector(even0, even2, 2, 3, 6, 7));
}

HW_INLINE bool AreAll(hwM4 mask) {
#if defined(__AVX__)
    return _mm256_movemask_pd((__m256d)mask) == 15;
#else
    return (mask[0] & mask[1] & mask[2] & mask[3]) != 0;
#endif
}

// Of FactorBlock for three: a, b, c and what is beside b.
typedef struct Minors {
    hwV4 a, b, c, off;
} Minors;

// Where pivots are not positive.
static __attribute__((cold, noinline)) void ReplaceMinors(const hwV4 d[6], Minors* m) {
    hwV4 floor = 1e-14 * (Abs4(d[0]) + Abs4(d[3]) + Abs4(d[5])) + 1e-300;
    m->a = Select4(d[0] > 0.0, d[0], floor);
    m->b = m->a * d[3] - d[1] * d[1];
    m->b = Select4(m->b > 0.0, m->b, m->a * floor);
    m->off = m->a * d[4] - d[1] * d[2];
    m->c = m->b * (m->a * d[5] - d[2] * d[2]) - m->off * m->off;
    m->c = Select4(m->c > 0.0, m->c, m->a * m->b * floor);
}

// EliminateSlot of three cables, each in a lane of its own: stretch alone, nothing behind, more slots to come. With right-hand
// sides, or null, ReduceSlot too: r is what is left of this slot's.
HW_INLINE void EliminateThree(hwCableArrays* const* s, const int* slots, hwV4 d[6], hwV4 e[9],
                              const hwVec3* const* rhs, hwV4 r[3]) {
    // as FactorBlock
    Minors minors;
    minors.a = d[0];
    minors.b = d[0] * d[3] - d[1] * d[1];
    minors.off = d[0] * d[4] - d[1] * d[2];
    minors.c = minors.b * (d[0] * d[5] - d[2] * d[2]) - minors.off * minors.off;
    if (!AreAll((minors.a > 0.0) & (minors.b > 0.0) & (minors.c > 0.0))) ReplaceMinors(d, &minors);
    hwV4 a = minors.a, b = minors.b, det = minors.c, off = minors.off;
    hwV4 perB = 1.0 / b, r0 = 1.0 / a, r1 = a * perB, r2 = a * b / det;
    hwV4 l10 = d[1] * r0, l20 = d[2] * r0, l21 = off * perB;
    // Y = L^-1 E, W = L^-T D^-1 Y, D^-1 Y
    hwV4 y[9], w[9], scaled[9];
    for (int c = 0; c < 3; ++c) {
        y[c] = e[c];
        y[3 + c] = e[3 + c] - l10 * e[c];
        y[6 + c] = e[6 + c] - (l20 * e[c] + l21 * y[3 + c]);
        scaled[c] = y[c] * r0;
        scaled[3 + c] = y[3 + c] * r1;
        scaled[6 + c] = y[6 + c] * r2;
        w[6 + c] = scaled[6 + c];
        w[3 + c] = scaled[3 + c] - l21 * w[6 + c];
        w[c] = scaled[c] - l10 * w[3 + c] - l20 * w[6 + c];
    }
    double* f[HW_SEVERAL];
    for (int k = 0; k < HW_SEVERAL; ++k) f[k] = s[k]->factor + (size_t)slots[k] * HW_FACTOR_SIZE;
    StoreThree(f[0], f[1], f[2], l10, l20, l21, r0);
    StoreThree(f[0] + 4, f[1] + 4, f[2] + 4, r1, r2, w[0], w[1]);
    StoreThree(f[0] + 8, f[1] + 8, f[2] + 8, w[2], w[3], w[4], w[5]);
    StoreThree(f[0] + 12, f[1] + 12, f[2] + 12, w[6], w[7], w[8],
               w[8]); // without bending the entry after these is not read
    const double *da = s[0]->diagonal, *db = s[1]->diagonal, *dc = s[2]->diagonal;
    const double *ea = s[0]->first, *eb = s[1]->first, *ec = s[2]->first;
    int i = slots[0] + 1, j = slots[1] + 1, l = slots[2] + 1;
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; ++k) {
        int m = row[k], n = column[k];
        d[k] = LoadThree(da + HW_AT(6, i, k), db + HW_AT(6, j, k), dc + HW_AT(6, l, k)) -
               (scaled[m] * y[n] + scaled[3 + m] * y[3 + n] + scaled[6 + m] * y[6 + n]);
    }
    for (int k = 0; k < 9; ++k)
        e[k] = LoadThree(ea + HW_AT(9, i, k), eb + HW_AT(9, j, k), ec + HW_AT(9, l, k));
    if (rhs == NULL) return;
    hwV4 y1 = r[1] - l10 * r[0], y2 = r[2] - l20 * r[0] - l21 * y1, z2 = y2 * r2, z1 = y1 * r1 - l21 * z2,
         z0 = r[0] * r0 - l10 * z1 - l20 * z2;
    // the entry after these is that of the next slot, which is yet to come
    StoreThree(&s[0]->solution[i - 1].x, &s[1]->solution[j - 1].x, &s[2]->solution[l - 1].x, z0, z1, z2, z2);
    const double *ra = &rhs[0][i - HW_SLOT(0)].x, *rb = &rhs[1][j - HW_SLOT(0)].x,
                 *rc = &rhs[2][l - HW_SLOT(0)].x;
    hwV4 next[3];
    for (int k = 0; k < 3; ++k)
        next[k] = LoadThree(ra + k, rb + k, rc + k) - (w[k] * r[0] + w[3 + k] * r[1] + w[6 + k] * r[2]);
    for (int k = 0; k < 3; ++k) r[k] = next[k];
}

HW_INLINE void FactorThree(hwCableWork* const* works, const hwVec3* const* rhs) {
    hwCableArrays* all[HW_SEVERAL];
    int slots[HW_SEVERAL];
    Front fronts[HW_SEVERAL];
    hwV4 r[3] = {{0}, {0}, {0}};
    for (int k = 0; k < HW_SEVERAL; ++k) {
        all[k] = works[k]->arrays;
        const hwCableSegment* segment = &all[k]->segments[0];
        slots[k] = segment->first;
        memset(&fronts[k], 0, offsetof(Front, g));
        LoadDiagonal(all[k], segment->first, fronts[k].d);
        if (segment->first != segment->last || segment->ahead >= 0)
            LoadNext(all[k]->first, segment->first, 1, 1, fronts[k].e);
    }
    hwV4 d[6], e[9];
    for (int k = 0; k < 6; ++k) d[k] = LoadThree(&fronts[0].d[k], &fronts[1].d[k], &fronts[2].d[k]);
    for (int k = 0; k < 9; ++k) e[k] = LoadThree(&fronts[0].e[k], &fronts[1].e[k], &fronts[2].e[k]);
    if (rhs != NULL) {
        const double* own[HW_SEVERAL];
        for (int k = 0; k < HW_SEVERAL; ++k) own[k] = &rhs[k][slots[k] - HW_SLOT(0)].x;
        for (int k = 0; k < 3; ++k) r[k] = LoadThree(own[0] + k, own[1] + k, own[2] + k);
    }
    for (int left = CountCommon(HW_SEVERAL, works) - 2; left > 0; --left) {
        EliminateThree(all, slots, d, e, rhs, r);
        for (int k = 0; k < HW_SEVERAL; ++k) slots[k] += 1;
    }
    for (int k = 0; k < HW_SEVERAL; ++k) {
        for (int n = 0; n < 6; ++n) fronts[k].d[n] = d[n][k];
        for (int n = 0; n < 9; ++n) fronts[k].e[n] = e[n][k];
        EliminateRest(all[k], &all[k]->segments[0], slots[k], &fronts[k]);
        FinishSegment(all[k], &all[k]->segments[0], &fronts[k]);
        ReduceTwist(works[k]);
        if (rhs == NULL) continue;
        Reduction front = {hwMakeVec3(r[0][k], r[1][k], r[2][k]), hwVec3_zero};
        int node = slots[k] - HW_SLOT(0);
        if (slots[k] < all[k]->segments[0].last) front.next = rhs[k][node + 1];
        StartReduce(works[k], rhs[k], node);
        ReduceRest(all[k], slots[k], &front);
        all[k]->reducedFor = rhs[k];
    }
}

static void FactorThreeAlone(hwCableWork* const* works) {
    FactorThree(works, NULL);
}

static void FactorThreeFor(hwCableWork* const* works, const hwVec3* const* rhs) {
    FactorThree(works, rhs);
}

void hwCableWorks_Factor(int count, hwCableWork* const* works, const hwVec3* const* rhs) {
    for (int k = 0; k < count; ++k) {
        Partition(works[k], NULL, 0);
        StartReduced(works[k]->arrays);
    }
    if (ArePlain(count, works)) {
        if (rhs != NULL) {
            FactorThreeFor(works, rhs);
        } else {
            FactorThreeAlone(works);
        }
        return;
    }
    for (int k = 0; k < count; ++k) {
        FactorSegments(works[k]);
        ReduceTwist(works[k]);
    }
}

void hwCableWorks_Reduce(int count, hwCableWork* const* works, const hwVec3* const* rhs) {
    if (!ArePlain(count, works)) {
        for (int k = 0; k < count; ++k) hwCableWork_Reduce(works[k], rhs[k], NULL, NULL);
        return;
    }
    hwCableArrays *a = works[0]->arrays, *b = works[1]->arrays, *c = works[2]->arrays;
    bool done = true;
    for (int k = 0; k < HW_SEVERAL; ++k) {
        done = done && works[k]->arrays->reducedFor == rhs[k];
        works[k]->arrays->reducedFor = NULL;
    }
    if (done) return;
    for (int k = 0; k < HW_SEVERAL; ++k) StartReduce(works[k], rhs[k], 0);
    int i = a->segments[0].first, j = b->segments[0].first, l = c->segments[0].first;
    Reduction first = StartReduction(&a->segments[0], a->solution),
              second = StartReduction(&b->segments[0], b->solution),
              third = StartReduction(&c->segments[0], c->solution);
    for (int left = CountCommon(HW_SEVERAL, works) - 2; left > 0; --left, ++i, ++j, ++l) {
        ReduceSlot(a, i, 1, 3, false, 0, a->solution, NULL, &first);
        ReduceSlot(b, j, 1, 3, false, 0, b->solution, NULL, &second);
        ReduceSlot(c, l, 1, 3, false, 0, c->solution, NULL, &third);
    }
    ReduceRest(a, i, &first);
    ReduceRest(b, j, &second);
    ReduceRest(c, l, &third);
}

void hwCableWorks_Solve(int count, hwCableWork* const* works, double (*separators)[2][6],
                        hwVec3* const* increments) {
    if (!ArePlain(count, works)) {
        for (int k = 0; k < count; ++k) hwCableWork_Solve(works[k], separators[k], increments[k]);
        return;
    }
    hwCableArrays *a = works[0]->arrays, *b = works[1]->arrays, *c = works[2]->arrays;
    for (int k = 0; k < HW_SEVERAL; ++k) StartSolve(works[k], separators[k]);
    int i = a->segments[0].last, j = b->segments[0].last, l = c->segments[0].last;
    Substitution first = StartSubstitution(a, &a->segments[0], a->solution),
                 second = StartSubstitution(b, &b->segments[0], b->solution),
                 third = StartSubstitution(c, &c->segments[0], c->solution);
    for (int left = CountCommon(HW_SEVERAL, works); left > 0; --left, --i, --j, --l) {
        SubstituteSlot(a, i, false, 0, NULL, a->solution, &first);
        SubstituteSlot(b, j, false, 0, NULL, b->solution, &second);
        SubstituteSlot(c, l, false, 0, NULL, c->solution, &third);
    }
    Substitution* fronts[HW_SEVERAL] = {&first, &second, &third};
    const int slots[HW_SEVERAL] = {i, j, l};
    for (int k = 0; k < HW_SEVERAL; ++k) {
        hwCableArrays* s = works[k]->arrays;
        for (int slot = slots[k]; slot >= s->segments[0].first; --slot)
            SubstituteSlot(s, slot, false, 0, NULL, s->solution, fronts[k]);
        memcpy(increments[k], s->solution + HW_SLOT(0), (size_t)works[k]->nodes * sizeof(hwVec3));
    }
}

void hwCableWork_MulMatrix(const hwCableWork* work, const hwVec3* in, const hwVec3 inRotation[2], hwVec3* out,
                           hwVec3 outRotation[2]) {
    const hwCableArrays* s = work->arrays;
    int last = work->nodes - 1;
    int low = HW_SLOT(0), high = HW_SLOT(last);
    if (s->wide && work->input.ends[0].kind == HW_CABLE_CLAMP) low -= 1;
    if (s->wide && work->input.ends[1].kind == HW_CABLE_CLAMP) high += 1;
    double twist = 0.0;
    for (int i = low; i <= high; ++i) {
        hwVec3 sum = hwVec3_zero;
        for (int j = i - 2 < low ? low : i - 2; j <= i + 2 && j <= high; ++j) {
            hwVec3 x = hwVec3_zero;
            if (j >= HW_SLOT(0) && j <= HW_SLOT(last)) {
                x = in[j - HW_SLOT(0)];
            } else if (inRotation != NULL) {
                x = inRotation[j < HW_SLOT(0) ? 0 : 1];
            }
            double m[9];
            LoadBlock(s, i, j, m);
            sum = hwAdd(sum,
                        hwMakeVec3(m[0] * x.x + m[1] * x.y + m[2] * x.z, m[3] * x.x + m[4] * x.y + m[5] * x.z,
                                   m[6] * x.x + m[7] * x.y + m[8] * x.z));
            if (i == j && s->twistScale > 0.0) twist += hwDot(GetTwistGradient(work, j), x);
        }
        if (i >= HW_SLOT(0) && i <= HW_SLOT(last)) {
            out[i - HW_SLOT(0)] = sum;
        } else if (outRotation != NULL) {
            outRotation[i < HW_SLOT(0) ? 0 : 1] = sum;
        }
    }
    if (!(s->twistScale > 0.0)) return;
    for (int i = 0; i <= last; ++i)
        out[i] = hwMulAdd(out[i], s->twistScale * twist, GetTwistGradient(work, HW_SLOT(i)));
    for (int k = 0; k < 2 && outRotation != NULL; ++k) {
        outRotation[k] = hwMulAdd(outRotation[k], s->twistScale * twist, s->twistRotation[k]);
    }
}
