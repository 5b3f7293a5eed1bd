// Cables that touch links that move: both sides in one linear system.
//
// With x the nodes of a cable, s its ends on links and w the motions of the links that it touches, a stage's matrix is
//     [ T   E   C ]
//     [ E'  A   F ]
//     [ C'  F'  D ].
// T is banded and factored anyway. A point of contact at the place p of an element, at the arm r from the link's origin,
// with the implicit stiffness B, moves against the link by u = (1 - p) x0 + p x1 - J w, J = [1  -[r]x], and adds u' B u:
// its share of T and A is there already (cable_contact.c), and -B J times the weights go to C and F, J' B J to D. T^-1 C is
// six more right-hand sides, O(nodes); what is left, D - C' T^-1 C and F - E' T^-1 C, are blocks of the links and couplings
// between them, as those that cables leave at their ends.
#include "parts/cable_contact/cable_contact.h"

#include <string.h>

typedef double Block[6][6];

// Links that touch -----------------------------------------------------------------------------------------------------

void hwCableContact_FindBorders(const hwWorld* world) {
    hwCableContacts* c = world->work->cableContact;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        hwCableBorders* borders = &c->borders[slot];
        int links[HW_BORDERS], count = 0;
        for (int i = c->first[slot]; i < c->first[slot + 1] && count < HW_BORDERS; ++i) {
            int link = world->model.cableContact->obstacles->items[c->patches[i].obstacle].link;
            bool known = !world->model.links[link].active;
            for (int b = 0; b < count; ++b) known = known || links[b] == link;
            if (!known) links[count++] = link;
        }
        bool same = count == borders->count;
        for (int b = 0; b < count && same; ++b) same = borders->items[b].link == links[b];
        if (same) continue;
        borders->count = count;
        for (int b = 0; b < count; ++b) {
            borders->items[b].link = links[b];
            borders->items[b].touches = false;
        }
        world->work->couplingsStale = true;
    }
}

// The pairs of links that a cable in contact couples, in the order in which AddCouplings uses them.
int hwCableContact_ListPairs(const hwWorld* world, int slot, hwLinkPair* pairs, int count) {
    hwCableBorders* borders = &world->work->cableContact->borders[slot];
    const hwEndState* ends = world->state.cables->stores[slot].ends;
    borders->pair = count;
    for (int b = 0; b < borders->count; ++b) {
        int link = borders->items[b].link;
        for (int e = 0; e < 2; ++e) {
            bool held = ends[e].joint != HW_ATTACH_FREE && ends[e].link >= 0 && ends[e].link != link;
            if (held && world->model.links[ends[e].link].active)
                pairs[count++] = (hwLinkPair){ends[e].link, link};
        }
        for (int other = 0; other < b; ++other)
            pairs[count++] = (hwLinkPair){borders->items[other].link, link};
    }
    return count;
}

// The blocks -------------------------------------------------------------------------------------------------------------

static void MulBlock(const double b[6], hwVec3 v, double out[3]) {
    out[0] = b[0] * v.x + b[1] * v.y + b[2] * v.z;
    out[1] = b[1] * v.x + b[3] * v.y + b[4] * v.z;
    out[2] = b[2] * v.x + b[4] * v.y + b[5] * v.z;
}

// Column k of J.
static hwVec3 GetColumn(hwVec3 arm, int k) {
    hwVec3 axis = hwMakeVec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    return k < 3 ? axis : hwCross(axis, arm);
}

// Adds the points of a patch to C and D.
static void AddPatch(const hwWorld* world, const hwCablePatch* patch, const hwCableState* state,
                     hwCableBorder* border, int stride, Block D) {
    hwVec3 origin = hwWide_ToVec3(world->work->forest.motion[border->link].p);
    const hwVec3* x = state->position + patch->element;
    for (int m = 0; m < patch->pointCount; ++m) {
        const hwCablePatchPoint* point = &patch->points[m];
        hwVec3 arm = hwSub(hwMulAdd(x[0], point->place, hwSub(x[1], x[0])), origin);
        for (int k = 0; k < 6; ++k) {
            double f[3];
            MulBlock(point->block, GetColumn(arm, k), f);
            hwVec3 force = hwMakeVec3(f[0], f[1], f[2]);
            hwVec3* column = border->columns + k * stride + patch->element;
            column[0] = hwMulAdd(column[0], point->place - 1.0, force);
            column[1] = hwMulAdd(column[1], -point->place, force);
            for (int r = 0; r < 6; ++r) D[r][k] += hwDot(GetColumn(arm, r), force);
        }
    }
}

static hwWideMat Part(Block m, int row, int column) {
    hwMat3 part = {{m[row][column], m[row + 1][column], m[row + 2][column]},
                   {m[row][column + 1], m[row + 1][column + 1], m[row + 2][column + 1]},
                   {m[row][column + 2], m[row + 1][column + 2], m[row + 2][column + 2]}};
    return hwWideMat_FromMat3(part);
}

static void AddOwn(hwWideSym* K, Block m) {
    hwWideMat ll = Part(m, 0, 0), la = Part(m, 0, 3), aa = Part(m, 3, 3);
    hwWideMat_Add(&K->ll, &ll);
    hwWideMat_Add(&K->la, &la);
    hwWideMat_Add(&K->aa, &aa);
}

static void AddWithTranspose(hwWideSym* K, Block m) {
    Block sum;
    for (int r = 0; r < 6; ++r) {
        for (int c = 0; c < 6; ++c) sum[r][c] = m[r][c] + m[c][r];
    }
    AddOwn(K, sum);
}

static void AddCoupling(hwWork* work, int pair, Block m) {
    hwWideBlock block = {Part(m, 0, 0), Part(m, 0, 3), Part(m, 3, 0), Part(m, 3, 3)};
    hwCouplings_Add(work->forest.couplings, pair, &block);
}

// T_i^T S: forces at the end of a cable as wrenches about its link's origin.
static void MoveToLink(int size, Block S, hwVec3 arm, Block out) {
    memset(out, 0, sizeof(Block));
    for (int c = 0; c < 6; ++c) {
        hwVec3 force = hwMakeVec3(S[0][c], S[1][c], S[2][c]);
        hwVec3 moment = size == 6 ? hwMakeVec3(S[3][c], S[4][c], S[5][c]) : hwVec3_zero;
        moment = hwAdd(moment, hwCross(arm, force));
        const double column[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
        for (int r = 0; r < 6; ++r) out[r][c] = column[r];
    }
}

// C and D of a border, then T^-1 C and what the ends get: F - E' T^-1 C by end. False: nothing touches.
static bool FillBorder(const hwWorld* world, int slot, int b, Block D, Block ends[2]) {
    hwCableContacts* c = world->work->cableContact;
    hwCableTools* tools = &world->work->cables->tools[slot];
    hwCableBorder* border = &c->borders[slot].items[b];
    int nodes = tools->work.nodes, stride = world->model.cables->slots[slot].model.nodeCapacity;
    border->touches = false;
    for (int i = c->first[slot]; i < c->first[slot + 1]; ++i) {
        const hwCablePatch* patch = &c->patches[i];
        if (!patch->touches || patch->pointCount == 0) continue;
        if (world->model.cableContact->obstacles->items[patch->obstacle].link != border->link) continue;
        if (!border->touches) memset(border->columns, 0, (size_t)(6 * stride) * sizeof(hwVec3));
        border->touches = true;
        AddPatch(world, patch, &tools->state, border, stride, D);
    }
    if (!border->touches) return false;
    const hwCableReduced* reduced = hwCableWork_GetReduced(&tools->work);
    double zero[2][6] = {{0}};
    for (int k = 0; k < 6; ++k) {
        hwCableWork_Reduce(&tools->work, border->columns + k * stride, NULL, NULL);
        for (int e = 0; e < 2; ++e) {
            int s = reduced->index[e];
            for (int r = 0; s >= 0 && r < reduced->size[s]; ++r) ends[e][r][k] = reduced->rhs[s][r];
        }
        hwCableWork_Solve(&tools->work, zero, border->solved + k * stride);
        for (int e = 0; e < 2; ++e) {
            if (tools->input.ends[e].kind != HW_CABLE_FREE)
                border->solved[k * stride + (e == 0 ? 0 : nodes - 1)] = hwVec3_zero;
        }
    }
    return true;
}

// C_a' T^-1 C_b
static void Subtract(const hwCableBorder* a, const hwCableBorder* b, int nodes, int stride, Block out) {
    for (int r = 0; r < 6; ++r) {
        for (int c = 0; c < 6; ++c) {
            const hwVec3 *x = a->columns + r * stride, *y = b->solved + c * stride;
            double sum = 0.0;
            for (int i = 0; i < nodes; ++i) sum += hwDot(x[i], y[i]);
            out[r][c] -= sum;
        }
    }
}

void hwCableContact_Factor(const hwWorld* world, int slot) {
    hwWork* work = world->work;
    hwCableTools* tools = &work->cables->tools[slot];
    hwCableBorders* borders = &world->work->cableContact->borders[slot];
    const hwEndState* states = world->state.cables->stores[slot].ends;
    const hwCableReduced* reduced = hwCableWork_GetReduced(&tools->work);
    int stride = world->model.cables->slots[slot].model.nodeCapacity, pair = borders->pair;
    for (int b = 0; b < borders->count; ++b) {
        int link = borders->items[b].link;
        Block D = {{0}}, ends[2] = {{{0}}, {{0}}};
        bool touches = FillBorder(world, slot, b, D, ends);
        if (touches) {
            Subtract(&borders->items[b], &borders->items[b], tools->work.nodes, stride, D);
            AddOwn(&work->K[link], D);
        }
        for (int e = 0; e < 2; ++e) {
            bool held = states[e].joint != HW_ATTACH_FREE && states[e].link >= 0;
            if (!held || !world->model.links[states[e].link].active) continue;
            Block moved;
            if (touches) MoveToLink(reduced->size[reduced->index[e]], ends[e], tools->ends[e].arm, moved);
            if (touches && states[e].link == link) AddWithTranspose(&work->K[link], moved);
            if (states[e].link == link) continue;
            if (touches) AddCoupling(work, pair, moved);
            pair += 1;
        }
        for (int other = 0; other < b; ++other, ++pair) {
            if (!touches || !borders->items[other].touches) continue;
            Block cross = {{0}};
            Subtract(&borders->items[other], &borders->items[b], tools->work.nodes, stride, cross);
            AddCoupling(work, pair, cross);
        }
    }
}

// Right-hand sides ---------------------------------------------------------------------------------------------------------

void hwCableContact_Reduce(const hwWorld* world, int slot, const hwVec3* rhs, hwWideSpatial* loads) {
    const hwCableBorders* borders = &world->work->cableContact->borders[slot];
    const hwCableTools* tools = &world->work->cables->tools[slot];
    int stride = world->model.cables->slots[slot].model.nodeCapacity;
    for (int b = 0; b < borders->count; ++b) {
        const hwCableBorder* border = &borders->items[b];
        if (!border->touches) continue;
        double sums[6];
        for (int k = 0; k < 6; ++k) {
            sums[k] = 0.0;
            for (int i = 0; i < tools->work.nodes; ++i)
                sums[k] += hwDot(border->solved[k * stride + i], rhs[i]);
        }
        loads[border->link].l -= hwWide_Make(sums[0], sums[1], sums[2]);
        loads[border->link].a -= hwWide_Make(sums[3], sums[4], sums[5]);
    }
}

void hwCableContact_Substitute(const hwWorld* world, int slot, hwVec3* x) {
    const hwCableBorders* borders = &world->work->cableContact->borders[slot];
    const hwCableTools* tools = &world->work->cables->tools[slot];
    int stride = world->model.cables->slots[slot].model.nodeCapacity;
    for (int b = 0; b < borders->count; ++b) {
        const hwCableBorder* border = &borders->items[b];
        if (!border->touches) continue;
        hwWideSpatial w = world->work->forest.increment[border->link];
        const double motion[6] = {w.l[0], w.l[1], w.l[2], w.a[0], w.a[1], w.a[2]};
        for (int k = 0; k < 6; ++k) {
            for (int i = 0; i < tools->work.nodes; ++i)
                x[i] = hwMulAdd(x[i], -motion[k], border->solved[k * stride + i]);
        }
    }
}
