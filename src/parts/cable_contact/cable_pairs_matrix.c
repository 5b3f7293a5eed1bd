// What cables that touch cables add to the matrix.
//
// With u the relative motion of two points that touch, the stiffness and damping of a contact, B, couple nodes that the banded
// matrices K of the cables do not; with G the relative motions of all contacts (Woodbury 1950)
//     (K + G' B G)^-1 b = y - K^-1 G' F (1 + F' S F)^-1 F' G y,   y = K^-1 b,  S = G K^-1 G',  B = F F'.
// S takes three right-hand sides a contact. Cables that nothing but their ends joins to the rest of the world are solved one by one,
// ends held, many columns at once: with A the matrix of their inner nodes, and C the columns of K^-1 of the ends that links
// move, E, which parts them from all else,
//     K^-1 = A^-1 + C (C_E)^-1 C'   between inner nodes,
// because the last term alone is what the ends add, and right in the rows of the ends themselves.
#include "math/dense.h"
#include "parts/cable_contact/cable_contact.h"

#include "math/lanes.h"

#include <math.h>
#include <string.h>

#define CONTACTS (HW_COLUMNS / 3) // a group of columns has those of so many contacts
#define GROUPS (HW_COLUMNS / HW_LANES)
#define SINGULAR 1e-9 // of the largest pivot: an end that hardly gives in some direction

static int GetFreedom(const hwWorld* world, const hwCablePair* pair, int k) {
    return world->model.cables->slots[pair->slot[k]].freedom + 3 * pair->element[k];
}

// F, lower, of a block, by Cholesky; what has no stiffness left to speak of has none.
static void TakeRoot(const double b[6], double f[6]) {
    double least = 1e-14 * (b[0] + b[3] + b[5]);
    memset(f, 0, 6 * sizeof(*f));
    if (b[0] > least) {
        f[0] = sqrt(b[0]);
        f[1] = b[1] / f[0];
        f[2] = b[2] / f[0];
    }
    double d = b[3] - f[1] * f[1];
    if (d > least) {
        f[3] = sqrt(d);
        f[4] = (b[4] - f[1] * f[2]) / f[3];
    }
    d = b[5] - f[2] * f[2] - f[4] * f[4];
    if (d > least) f[5] = sqrt(d);
}

// F' u, rows a stride apart
static void MulTransposed(const double f[6], int stride, double* u) {
    double *x = u, *y = u + stride, *z = u + (ptrdiff_t)2 * stride;
    *x = f[0] * *x + f[1] * *y + f[2] * *z;
    *y = f[3] * *y + f[4] * *z;
    *z = f[5] * *z;
}

// F u
static void MulRoot(const double f[6], double* u) {
    u[2] = f[2] * u[0] + f[4] * u[1] + f[5] * u[2];
    u[1] = f[1] * u[0] + f[3] * u[1];
    u[0] = f[0] * u[0];
}

// G y of one contact.
static void GetRelative(const hwWorld* world, const hwCablePair* pair, const double* y, double u[3]) {
    u[0] = u[1] = u[2] = 0.0;
    for (int k = 0; k < 2; ++k) {
        const double *row = y + GetFreedom(world, pair, k), sign = k == 0 ? 1.0 : -1.0;
        for (int r = 0; r < 3; ++r) u[r] += sign * (row[r] + pair->at[k] * (row[3 + r] - row[r]));
    }
}

// y += G' f, on the cable of `slot` alone, -1: on all.
static void AddForce(const hwWorld* world, const hwCablePair* pair, const double f[3], int slot, double* y) {
    for (int k = 0; k < 2; ++k) {
        if (slot >= 0 && pair->slot[k] != slot) continue;
        double *row = y + GetFreedom(world, pair, k), sign = k == 0 ? 1.0 : -1.0;
        for (int r = 0; r < 3; ++r) {
            row[r] += sign * (1.0 - pair->at[k]) * f[r];
            row[3 + r] += sign * pair->at[k] * f[r];
        }
    }
}

static const hwCablePair* GetTouching(const hwCablePairs* pairs, int i) {
    return &pairs->items[pairs->touching[i]];
}

// Cables apart -------------------------------------------------------------------------------------------------------------

static void ListSlots(hwCablePairs* pairs, int count) {
    pairs->slotCount = 0;
    for (int i = 0; i < 2 * count; ++i) {
        int slot = GetTouching(pairs, i / 2)->slot[i % 2], k = 0;
        while (k < pairs->slotCount && pairs->slots[k] != slot) k += 1;
        if (k == pairs->slotCount) pairs->slots[pairs->slotCount++] = slot;
    }
}

// Whether only its ends join a cable to anything else, those that move by forces alone.
static bool IsJoinedByEnds(const hwWorld* world, int slot) {
    const hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableContacts* touched = world->work->cableContact;
    if (!hwWorld_HasNodes(world, slot) || !hwCableWork_HasColumns(&tools->work)) return false;
    for (int b = 0; touched->borders != NULL && b < touched->borders[slot].count; ++b) {
        if (touched->borders[slot].items[b].touches) return false;
    }
    const hwCableReduced* reduced = hwCableWork_GetReduced(&tools->work);
    for (int k = 0; k < reduced->count; ++k) {
        if (reduced->size[k] != 3) return false;
    }
    return true;
}

// Lists the rows of ends that links move. False: there are too many, or the cables are not all joined by them alone.
static bool ListEnds(const hwWorld* world, hwCablePairs* pairs) {
    const hwCablesModel* cables = world->model.cables;
    const hwCableSlot* last = &cables->slots[cables->count - 1];
    pairs->endCount = 0;
    // what runs over sheaves comes after the nodes
    if (last->freedom + 3 * last->model.nodeCapacity != world->model.freedomCount) return false;
    for (int i = 0; i < pairs->slotCount; ++i) {
        int slot = pairs->slots[i];
        if (!IsJoinedByEnds(world, slot)) return false;
        const hwCableWork* work = &world->work->cables->tools[slot].work;
        for (int e = 0; e < 2; ++e) {
            if (hwCableWork_GetReduced(work)->index[e] < 0) continue;
            if (pairs->endCount + 3 > HW_COLUMNS) return false;
            int row = cables->slots[slot].freedom + (e == 0 ? 0 : 3 * (work->nodes - 1));
            for (int r = 0; r < 3; ++r) pairs->endRow[pairs->endCount++] = row + r;
        }
    }
    return true;
}

static bool SolveEnds(const hwWorld* world, hwCablePairs* pairs) {
    int n = pairs->endCount, freedoms = world->model.freedomCount;
    double *column = pairs->columns, least = HUGE_VAL, most = 0.0;
    for (int c = 0; c < n; ++c) {
        memset(column, 0, (size_t)freedoms * sizeof(double));
        column[pairs->endRow[c]] = 1.0;
        hwWorld_SolveFactored(world, column, column); // `active` is 0 here
        for (int i = 0; i < freedoms; ++i) pairs->ends[(ptrdiff_t)HW_COLUMNS * i + c] = column[i];
        for (int r = 0; r < n; ++r) pairs->endMatrix[r * n + c] = column[pairs->endRow[r]];
    }
    if (n > 0 && !hwLu(n, pairs->endMatrix, pairs->endOrder)) return false;
    for (int c = 0; c < n; ++c) {
        least = hwFmin(least, fabs(pairs->endMatrix[c * n + c]));
        most = hwFmax(most, fabs(pairs->endMatrix[c * n + c]));
    }
    return n == 0 || least > SINGULAR * most;
}

// G C of one contact: rows [3], columns [endCount].
static void GetEndsRelative(const hwWorld* world, const hwCablePairs* pairs, const hwCablePair* pair,
                            double d[3][HW_COLUMNS]) {
    memset(d, 0, 3 * sizeof(d[0]));
    for (int k = 0; k < 2; ++k) {
        const double* row = pairs->ends + (ptrdiff_t)HW_COLUMNS * GetFreedom(world, pair, k);
        double sign = k == 0 ? 1.0 : -1.0, first = sign * (1.0 - pair->at[k]), second = sign * pair->at[k];
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < pairs->endCount; ++c)
                d[r][c] += first * row[r * HW_COLUMNS + c] + second * row[(3 + r) * HW_COLUMNS + c];
        }
    }
}

// A^-1 G' of contacts `first` and those after it, as many as there are columns for; which cables they are on.
static int SolveContacts(const hwWorld* world, hwCablePairs* pairs, int first, int count,
                         int slots[2 * CONTACTS]) {
    const hwCableSlot* cables = world->model.cables->slots;
    int found = 0, end = first + CONTACTS < count ? first + CONTACTS : count;
    int lowest[2 * CONTACTS], highest[2 * CONTACTS]; // elements
    for (int i = 2 * first; i < 2 * end; ++i) {
        const hwCablePair* pair = GetTouching(pairs, i / 2);
        int slot = pair->slot[i % 2], k = 0;
        while (k < found && slots[k] != slot) k += 1;
        if (k == found) {
            size_t rows = 3 * (size_t)world->work->cables->tools[slot].work.nodes;
            memset(pairs->columns + (ptrdiff_t)HW_COLUMNS * cables[slot].freedom, 0,
                   rows * HW_COLUMNS * sizeof(double));
            lowest[k] = highest[k] = pair->element[i % 2];
            slots[found++] = slot;
        }
        if (pair->element[i % 2] < lowest[k]) lowest[k] = pair->element[i % 2];
        if (pair->element[i % 2] > highest[k]) highest[k] = pair->element[i % 2];
        double* own = pairs->columns + (ptrdiff_t)HW_COLUMNS * GetFreedom(world, pair, i % 2) +
                      (ptrdiff_t)3 * (i / 2 - first);
        double sign = i % 2 == 0 ? 1.0 : -1.0, at = pair->at[i % 2];
        for (int r = 0; r < 3; ++r) {
            own[r * HW_COLUMNS + r] += sign * (1.0 - at);
            own[(3 + r) * HW_COLUMNS + r] += sign * at;
        }
    }
    for (int k = 0; k < found; ++k)
        hwCableWork_SolveColumns(&world->work->cables->tools[slots[k]].work, 3 * (end - first), lowest[k],
                                 highest[k] + 1,
                                 pairs->columns + (ptrdiff_t)HW_COLUMNS * cables[slots[k]].freedom);
    return found;
}

// Rows of G A^-1 G' of one contact, for a group of columns.
static void GetRows(const hwWorld* world, const hwCablePairs* pairs, const hwCablePair* pair, int slotCount,
                    const int* slots, double rows[3][HW_COLUMNS]) {
    memset(rows, 0, 3 * sizeof(rows[0]));
    for (int k = 0; k < 2; ++k) {
        bool there = false;
        for (int i = 0; i < slotCount; ++i) there = there || slots[i] == pair->slot[k];
        if (!there) continue;
        const double* own = pairs->columns + (ptrdiff_t)HW_COLUMNS * GetFreedom(world, pair, k);
        double sign = k == 0 ? 1.0 : -1.0, first = sign * (1.0 - pair->at[k]), second = sign * pair->at[k];
        for (int r = 0; r < 3; ++r) {
            for (int g = 0; g < GROUPS; ++g) {
                const double* p = own + (ptrdiff_t)r * HW_COLUMNS + (ptrdiff_t)g * HW_LANES;
                double* out = rows[r] + (ptrdiff_t)g * HW_LANES;
                Store4(out, Load4(out) + first * Load4(p) + second * Load4(p + 3 * HW_COLUMNS));
            }
        }
    }
}

static void FillApart(const hwWorld* world, hwCablePairs* pairs, int count) {
    int n = 3 * count, ends = pairs->endCount, slots[2 * CONTACTS];
    for (int first = 0; first < count; first += CONTACTS) {
        int found = SolveContacts(world, pairs, first, count, slots);
        int width = n - 3 * first < HW_COLUMNS ? n - 3 * first : HW_COLUMNS;
        double rows[3][HW_COLUMNS];
        for (int i = 0; i < count; ++i) {
            GetRows(world, pairs, GetTouching(pairs, i), found, slots, rows);
            for (int r = 0; r < 3; ++r)
                memcpy(pairs->matrix + (ptrdiff_t)(3 * i + r) * n + 3 * first, rows[r],
                       (size_t)width * sizeof(double));
        }
    }
    if (ends == 0) return;
    for (int k = 0; k < count; ++k) { // column by column of the other side
        double other[3][HW_COLUMNS], own[3][HW_COLUMNS], solved[HW_COLUMNS];
        GetEndsRelative(world, pairs, GetTouching(pairs, k), other);
        for (int c = 0; c < 3; ++c) {
            hwLuSolve(ends, pairs->endMatrix, pairs->endOrder, other[c], solved);
            for (int i = 0; i < count; ++i) {
                GetEndsRelative(world, pairs, GetTouching(pairs, i), own);
                for (int r = 0; r < 3; ++r) {
                    double* entry = &pairs->matrix[(3 * i + r) * n + 3 * k + c];
                    for (int e = 0; e < ends; ++e) *entry += own[r][e] * solved[e];
                }
            }
        }
    }
}

// x -= K^-1 G' w
static void CorrectApart(const hwWorld* world, hwCablePairs* pairs, const double* weights, double* x) {
    int freedoms = world->model.freedomCount, ends = pairs->endCount;
    for (int i = 0; i < pairs->slotCount; ++i) {
        int slot = pairs->slots[i], freedom = world->model.cables->slots[slot].freedom;
        hwCableWork* work = &world->work->cables->tools[slot].work;
        double *rhs = pairs->columns, none[2][6] = {{0.0}};
        int rows = 3 * work->nodes;
        memset(rhs + freedom, 0, (size_t)rows * sizeof(double));
        for (int k = 0; k < pairs->active; ++k)
            AddForce(world, GetTouching(pairs, k), weights + (ptrdiff_t)3 * k, slot, rhs);
        hwCableWork_Reduce(work, (const hwVec3*)(const void*)(rhs + freedom), NULL, NULL);
        hwCableWork_Solve(work, none, (hwVec3*)(void*)(rhs + freedom));
        int from = work->input.ends[0].kind == HW_CABLE_FREE ? 0 : 3,
            to = work->input.ends[1].kind == HW_CABLE_FREE ? rows : rows - 3;
        for (int r = from; r < to; ++r) x[freedom + r] -= rhs[freedom + r];
    }
    if (ends == 0) return;
    double sum[HW_COLUMNS] = {0.0}, solved[HW_COLUMNS], d[3][HW_COLUMNS];
    for (int k = 0; k < pairs->active; ++k) {
        GetEndsRelative(world, pairs, GetTouching(pairs, k), d);
        for (int r = 0; r < 3; ++r) {
            for (int e = 0; e < ends; ++e) sum[e] += weights[3 * k + r] * d[r][e];
        }
    }
    hwLuSolve(ends, pairs->endMatrix, pairs->endOrder, sum, solved);
    for (int i = 0; i < freedoms; ++i) {
        for (int e = 0; e < ends; ++e) x[i] -= solved[e] * pairs->ends[(ptrdiff_t)HW_COLUMNS * i + e];
    }
}

// All together -------------------------------------------------------------------------------------------------------------

static void FillTogether(const hwWorld* world, hwCablePairs* pairs, int count) {
    int n = 3 * count;
    for (int k = 0; k < count; ++k) {
        for (int c = 0; c < 3; ++c) {
            double u[3] = {0.0}, *column = pairs->columns;
            u[c] = 1.0;
            memset(column, 0, (size_t)world->model.freedomCount * sizeof(double));
            AddForce(world, GetTouching(pairs, k), u, -1, column);
            hwWorld_SolveFactored(world, column, column); // `active` is 0 here
            for (int i = 0; i < count; ++i) {
                GetRelative(world, GetTouching(pairs, i), column, u);
                for (int r = 0; r < 3; ++r) pairs->matrix[(3 * i + r) * n + 3 * k + c] = u[r];
            }
        }
    }
}

static void CorrectTogether(const hwWorld* world, hwCablePairs* pairs, const double* weights, double* x) {
    double* column = pairs->columns;
    int active = pairs->active, freedoms = world->model.freedomCount;
    memset(column, 0, (size_t)freedoms * sizeof(double));
    for (int k = 0; k < active; ++k)
        AddForce(world, GetTouching(pairs, k), weights + (ptrdiff_t)3 * k, -1, column);
    pairs->active = 0;
    hwWorld_SolveFactored(world, column, column);
    pairs->active = active;
    for (int i = 0; i < freedoms; ++i) x[i] -= column[i];
}

// 1 + F' S F
static void FillMatrix(hwCablePairs* pairs, int count) {
    int n = 3 * count;
    for (int i = 0; i < count; ++i) {
        double* rows = pairs->matrix + (ptrdiff_t)3 * i * n;
        for (int c = 3 * i; c < n; ++c) MulTransposed(pairs->roots[i], n, rows + c);
        for (int k = i; k < count; ++k) {
            // a row times F is F' times its transpose
            for (int r = 0; r < 3; ++r) MulTransposed(pairs->roots[k], 1, rows + (ptrdiff_t)r * n + 3 * k);
        }
        for (int r = 0; r < 3; ++r) rows[r * n + 3 * i + r] += 1.0;
    }
}

hwStatus hwCablePairs_Factor(const hwWorld* world, double hd, hwError* error) {
    (void)error;
    hwCablePairs* pairs = world->work->cablePairs;
    int count = 0;
    pairs->active = 0;
    for (int i = 0; i < pairs->count && hd > 0.0; ++i) {
        if (!pairs->items[i].touches) continue;
        TakeRoot(pairs->items[i].block, pairs->roots[count]);
        pairs->touching[count++] = i;
    }
    if (count == 0) return HW_OK;
    ListSlots(pairs, count);
    // of one contact there are no more columns than of an end
    pairs->apart = ListEnds(world, pairs) && pairs->endCount < 3 * count && SolveEnds(world, pairs);
    if (pairs->apart)
        FillApart(world, pairs, count);
    else
        FillTogether(world, pairs, count);
    FillMatrix(pairs, count);
    if (hwFactorUpper(3 * count, pairs->matrix)) pairs->active = count;
    return HW_OK;
}

void hwCablePairs_Correct(const hwWorld* world, double* x) {
    hwCablePairs* pairs = world->work->cablePairs;
    if (pairs->active == 0) return;
    double weights[3 * HW_CABLE_PAIRS];
    for (int i = 0; i < pairs->active; ++i) {
        GetRelative(world, GetTouching(pairs, i), x, weights + (ptrdiff_t)3 * i);
        MulTransposed(pairs->roots[i], 1, weights + (ptrdiff_t)3 * i);
    }
    hwSolveUpper(3 * pairs->active, pairs->matrix, weights);
    for (int i = 0; i < pairs->active; ++i) MulRoot(pairs->roots[i], weights + (ptrdiff_t)3 * i);
    if (pairs->apart)
        CorrectApart(world, pairs, weights, x);
    else
        CorrectTogether(world, pairs, weights, x);
}
