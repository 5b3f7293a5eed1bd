// The linear system of cables and links: condensation of cables to the links they hang on, and back; products with mass and stiffness.
//
// A cable is eliminated to its ends (src/cable). An end on a link that moves leaves a block there, at the arm r from the
// link's origin: translation and rotation of the end are T (v, w) with T = [1 -[r]x; 0 1], so that the link's block is
// T^T B T; a cable between two such links couples them by T_i^T C T_j.
#include "cable/several.h"
#include "parts/cables/cables.h"

#include "mech/coupling.h"

#include <math.h>
#include <string.h>

// The next of the slots from `*from` to before `last` whose matrices are solved together; their number, 0: none are left.
static int GatherSlots(const hwWorld* world, int* from, int last, int slots[HW_SEVERAL]) {
    int count = 0;
    for (; *from < last && count < HW_SEVERAL; ++*from) {
        if (hwWorld_HasNodes(world, *from)) slots[count++] = *from;
    }
    return count;
}

static hwMat3 BlockPart(double (*block)[6], int row, int column) {
    hwMat3 m = {{block[row][column], block[row + 1][column], block[row + 2][column]},
                {block[row][column + 1], block[row + 1][column + 1], block[row + 2][column + 1]},
                {block[row][column + 2], block[row + 1][column + 2], block[row + 2][column + 2]}};
    return m;
}

static const hwMat3 zeroMat3;

// T_i^T C T_j
static hwWideBlock MakePairBlock(int rows, int columns, double (*block)[6], hwVec3 armRow, hwVec3 armColumn) {
    hwMat3 tt = BlockPart(block, 0, 0), tr = columns == 6 ? BlockPart(block, 0, 3) : zeroMat3;
    hwMat3 rt = rows == 6 ? BlockPart(block, 3, 0) : zeroMat3;
    hwMat3 rr = rows == 6 && columns == 6 ? BlockPart(block, 3, 3) : zeroMat3;
    hwMat3 ri = hwSkew(armRow), rj = hwSkew(armColumn);
    hwMat3 la = hwMulAddMat3(tr, -1.0, hwMulMM(tt, rj));
    hwMat3 al = hwAddMat3(rt, hwMulMM(ri, tt));
    hwMat3 aa = hwAddMat3(hwMulMM(ri, la), hwMulAddMat3(rr, -1.0, hwMulMM(rt, rj)));
    hwWideBlock wide = {hwWideMat_FromMat3(tt), hwWideMat_FromMat3(la), hwWideMat_FromMat3(al),
                        hwWideMat_FromMat3(aa)};
    return wide;
}

// What couples the two ends of a cable: on one link, the cross block and its transpose join its own.
static void AddPair(const hwWorld* world, int slot, int rows, int columns, double (*next)[6]) {
    hwWork* work = world->work;
    const hwCableTools* tools = &work->cables->tools[slot];
    const hwCableStore* store = &world->state.cables->stores[slot];
    hwWideBlock block = MakePairBlock(rows, columns, next, tools->ends[0].arm, tools->ends[1].arm);
    int i = store->ends[0].link, j = store->ends[1].link;
    if (i == j) {
        hwWideMat la = hwWideMat_Transpose(&block.al);
        hwWideMat_Add(&work->K[i].ll, &block.ll);
        hwWideMat_Add(&work->K[i].la, &block.la);
        hwWideMat_Add(&work->K[i].la, &la);
        hwWideMat_Add(&work->K[i].aa, &block.aa);
        hwWideMat t = hwWideMat_Transpose(&block.ll);
        hwWideMat_Add(&work->K[i].ll, &t);
        t = hwWideMat_Transpose(&block.aa);
        hwWideMat_Add(&work->K[i].aa, &t);
    } else if (tools->pair >= 0) {
        hwCouplings_Add(work->forest.couplings, tools->pair, &block);
    }
}

static void AddShapeBlocks(const hwWorld* world, int slot) {
    hwWork* work = world->work;
    const hwCableTools* tools = &work->cables->tools[slot];
    const hwCableStore* store = &world->state.cables->stores[slot];
    double own[2][6][6], cross[6][6];
    world->model.cables->slots[slot].ops->getBlocks(world, slot, own[0], own[1], cross);
    for (int e = 0; e < 2; ++e) {
        if (!tools->input.ends[e].unknown) continue;
        hwWorld_AddLinkBlock(&work->K[store->ends[e].link], 3, own[e], tools->ends[e].arm);
    }
    if (tools->input.ends[0].unknown && tools->input.ends[1].unknown) AddPair(world, slot, 3, 3, cross);
}

// A force f at an arm a of a link has the moment a x f, which changes with a turn d of the link by (d x a) x f: a stiffness
// a.f 1 - (a f^T + f a^T) / 2, its symmetric part, with the eigenvalues a.f across both and (a.f +- |a| |f|) / 2 along the
// difference and the sum of their directions. What is positive of it joins the matrix; a hook between a wire and a sling,
// light and with much tension, otherwise converges slowly or not at all.
static void AddArmStiffness(hwWideSym* K, double scale, hwVec3 arm, hwVec3 force) {
    double a = hwLength(arm), f = hwLength(force), along = hwDot(arm, force);
    if (!(a * f > 0.0)) return;
    hwVec3 u = hwScale(1.0 / a, arm), apart = hwSub(u, hwScale(1.0 / f, force)), across = hwCross(u, apart);
    double size = hwLength(apart);
    if (size < 1e-6) {
        hwWide n = hwWide_FromVec3(u);
        hwWideMat_AddOuter(&K->aa, -scale * along, n, n);
        hwWide axes[3] = {hwWide_Make(1, 0, 0), hwWide_Make(0, 1, 0), hwWide_Make(0, 0, 1)};
        for (int i = 0; i < 3; ++i) hwWideMat_AddOuter(&K->aa, scale * along, axes[i], axes[i]);
        return;
    }
    hwWide n = hwWide_FromVec3(hwScale(1.0 / size, apart));
    hwWideMat_AddOuter(&K->aa, 0.5 * scale * (along + a * f), n, n);
    double width = hwLength(across);
    if (!(along > 0.0) || !(width > 0.0)) return;
    hwWide p = hwWide_FromVec3(hwScale(1.0 / width, across));
    hwWideMat_AddOuter(&K->aa, scale * along, p, p);
}

// Right-hand sides of some cables.
static void GetRows(const hwCableJob* job, int count, const int* slots, const hwVec3** rows) {
    for (int k = 0; k < count; ++k) {
        const double* b = job->from + job->world->model.cables->slots[slots[k]].freedom;
        rows[k] = (const hwVec3*)(const void*)b;
    }
}

static void FactorSlots(int first, int last, void* context) {
    const hwCableJob* job = context;
    hwCableTools* tools = job->world->work->cables->tools;
    int slots[HW_SEVERAL], count;
    while ((count = GatherSlots(job->world, &first, last, slots)) > 0) {
        hwCableWork* works[HW_SEVERAL];
        const hwVec3* rhs[HW_SEVERAL];
        for (int k = 0; k < count; ++k) works[k] = &tools[slots[k]].work;
        if (job->from != NULL) GetRows(job, count, slots, rhs);
        hwCableWorks_Factor(count, works, job->from != NULL ? rhs : NULL);
    }
}

void hwCables_Factor(const hwWorld* world, double hd, const double* b) {
    (void)hd; // as of the last evaluation
    hwWork* work = world->work;
    hwCableJob job = {.world = world, .from = b};
    hwCableJob_Run(&job, HW_SEVERAL, FactorSlots);
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwWorld_HasCable(world, slot)) continue;
        hwCableTools* tools = &work->cables->tools[slot];
        const hwCableStore* store = &world->state.cables->stores[slot];
        if (!hwWorld_HasNodes(world, slot)) {
            AddShapeBlocks(world, slot);
            continue;
        }
        const hwCableReduced* reduced = hwCableWork_GetReduced(&tools->work);
        for (int e = 0; e < 2; ++e) {
            int k = reduced->index[e];
            if (k < 0) continue;
            hwWideSym* K = &work->K[store->ends[e].link];
            hwWorld_AddLinkBlock(K, reduced->size[k], reduced->matrix[k], tools->ends[e].arm);
            hwVec3 force, moment;
            hwWorld_GetEndLoad(world, slot, e, &force, &moment);
            double step = tools->work.input.hd;
            AddArmStiffness(K, step * step, tools->ends[e].arm, force);
        }
        HW_EACH_HOOK(world, part, factor) part->cables->factor(world, slot);
        int one = reduced->index[0], two = reduced->index[1];
        if (one < 0 || two < 0) continue;
        AddPair(world, slot, reduced->size[one], reduced->size[two], reduced->next[one]);
    }
}

static void ReduceSlots(int first, int last, void* context) {
    const hwCableJob* job = context;
    hwCableTools* tools = job->world->work->cables->tools;
    int slots[HW_SEVERAL], count;
    while ((count = GatherSlots(job->world, &first, last, slots)) > 0) {
        hwCableWork* works[HW_SEVERAL];
        const hwVec3* rhs[HW_SEVERAL];
        for (int k = 0; k < count; ++k) works[k] = &tools[slots[k]].work;
        GetRows(job, count, slots, rhs);
        hwCableWorks_Reduce(count, works, rhs);
    }
}

void hwCables_Reduce(const hwWorld* world, const double* b, hwWideSpatial* loads) {
    hwCableJob job = {.world = world, .from = b};
    hwCableJob_Run(&job, HW_SEVERAL, ReduceSlots);
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableSlot* cable = &world->model.cables->slots[slot];
        if (!hwWorld_HasNodes(world, slot)) continue;
        hwCableTools* tools = &world->work->cables->tools[slot];
        const hwCableStore* store = &world->state.cables->stores[slot];
        const hwVec3* rhs = (const hwVec3*)(const void*)(b + cable->freedom);
        HW_EACH_HOOK(world, part, reduce) part->cables->reduce(world, slot, rhs, loads);
        const hwCableReduced* reduced = hwCableWork_GetReduced(&tools->work);
        for (int e = 0; e < 2; ++e) {
            int k = reduced->index[e];
            if (k < 0) continue;
            const double* f = reduced->rhs[k];
            hwVec3 moment = reduced->size[k] == 6 ? hwMakeVec3(f[3], f[4], f[5]) : hwVec3_zero;
            hwCables_AddEndLoad(&loads[store->ends[e].link], hwMakeVec3(f[0], f[1], f[2]), moment,
                                tools->ends[e].arm);
        }
    }
}

// Motion of an end with its link: translation, then rotation.
static void ReadEnd(const hwWorld* world, const hwEndState* end, const hwEndMotion* motion, double out[6]) {
    hwWideSpatial inc = world->work->forest.increment[end->link];
    hwWide l = inc.l + hwWide_Cross(inc.a, hwWide_FromVec3(motion->arm));
    for (int k = 0; k < 3; ++k) {
        out[k] = l[k];
        out[3 + k] = inc.a[k];
    }
}

static void SubstituteSlots(int first, int last, void* context) {
    const hwCableJob* job = context;
    const hwWorld* world = job->world;
    int slots[HW_SEVERAL], count;
    while ((count = GatherSlots(world, &first, last, slots)) > 0) {
        hwCableWork* works[HW_SEVERAL];
        hwVec3* increments[HW_SEVERAL];
        double separators[HW_SEVERAL][2][6] = {{{0}}};
        for (int k = 0; k < count; ++k) {
            hwCableTools* tools = &world->work->cables->tools[slots[k]];
            const hwEndState* ends = world->state.cables->stores[slots[k]].ends;
            const hwCableReduced* reduced = hwCableWork_GetReduced(&tools->work);
            for (int e = 0; e < 2; ++e) {
                if (reduced->index[e] >= 0)
                    ReadEnd(world, &ends[e], &tools->ends[e], separators[k][reduced->index[e]]);
            }
            works[k] = &tools->work;
            increments[k] = (hwVec3*)(void*)(job->to + world->model.cables->slots[slots[k]].freedom);
        }
        hwCableWorks_Solve(count, works, separators, increments);
    }
}

void hwCables_Substitute(const hwWorld* world, double* x) {
    hwCableJob job = {.world = world, .to = x};
    hwCableJob_Run(&job, HW_SEVERAL, SubstituteSlots);
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableSlot* cable = &world->model.cables->slots[slot];
        if (!hwWorld_HasCable(world, slot)) continue;
        hwVec3* increment = (hwVec3*)(void*)(x + cable->freedom);
        if (!cable->ops->hasNodes) {
            memset(increment, 0, (size_t)world->work->cables->tools[slot].work.nodes * sizeof(hwVec3));
            continue;
        }
        HW_EACH_HOOK(world, part, substitute) part->cables->substitute(world, slot, increment);
    }
}

// y = M x for the nodes, after the forest's product has left the links' motions; what attached end nodes pass to their
// links goes to `loads`.
void hwCables_MultiplyMass(const hwWorld* world, const double* x, double* y, hwWideSpatial* loads) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableSlot* cable = &world->model.cables->slots[slot];
        if (!hwWorld_HasCable(world, slot)) continue;
        hwCableTools* tools = &world->work->cables->tools[slot];
        const hwCableStore* store = &world->state.cables->stores[slot];
        int nodes = tools->work.nodes;
        memcpy(tools->scratch, x + cable->freedom, (size_t)nodes * sizeof(hwVec3));
        for (int e = 0; e < 2; ++e) {
            if (store->ends[e].joint == HW_ATTACH_FREE) continue;
            double motion[6] = {0};
            if (tools->input.ends[e].unknown) ReadEnd(world, &store->ends[e], &tools->ends[e], motion);
            tools->scratch[e == 0 ? 0 : nodes - 1] = hwMakeVec3(motion[0], motion[1], motion[2]);
        }
        hwVec3* row = (hwVec3*)(void*)(y + cable->freedom);
        if (!cable->ops->hasNodes) {
            memset(row, 0, (size_t)nodes * sizeof(hwVec3));
            continue;
        }
        hwCableWork_MulMass(&tools->work, tools->scratch, row);
        for (int e = 0; e < 2; ++e) {
            if (store->ends[e].joint == HW_ATTACH_FREE) continue;
            hwVec3* end = &row[e == 0 ? 0 : nodes - 1];
            if (tools->input.ends[e].unknown) {
                hwCables_AddEndLoad(&loads[store->ends[e].link], *end, hwVec3_zero, tools->ends[e].arm);
            }
            *end = hwVec3_zero;
        }
    }
}

void hwCables_MultiplyStiffness(const hwWorld* world, const double* x, double* y, hwWideSpatial* loads) {
    hwWork* work = world->work;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableSlot* cable = &world->model.cables->slots[slot];
        if (!hwWorld_HasCable(world, slot)) continue;
        hwCableTools* tools = &work->cables->tools[slot];
        const hwCableStore* store = &world->state.cables->stores[slot];
        hwVec3* row = (hwVec3*)(void*)(y + cable->freedom);
        const hwVec3* base = (const hwVec3*)(const void*)(work->q0 + cable->coordinate);
        int nodes = tools->work.nodes;
        // displacement of all nodes, ends with their links
        memcpy(tools->scratch, x + cable->freedom, (size_t)nodes * sizeof(hwVec3));
        double largest = 0.0;
        for (int e = 0; e < 2; ++e) {
            if (store->ends[e].joint == HW_ATTACH_FREE) continue;
            double motion[6] = {0};
            if (tools->input.ends[e].unknown) ReadEnd(world, &store->ends[e], &tools->ends[e], motion);
            tools->scratch[e == 0 ? 0 : nodes - 1] = hwMakeVec3(motion[0], motion[1], motion[2]);
        }
        for (int i = 0; i < nodes; ++i) largest = hwFmax(largest, hwLength(tools->scratch[i]));
        memset(row, 0, (size_t)nodes * sizeof(hwVec3));
        if (!(largest > 0.0)) continue;
        if (cable->ops->multiplyStiffness != NULL) {
            hwVec3 forces[2];
            cable->ops->multiplyStiffness(world, slot, tools->scratch[0], tools->scratch[nodes - 1], forces);
            for (int e = 0; e < 2; ++e) {
                if (!tools->input.ends[e].unknown) continue;
                hwCables_AddEndLoad(&loads[store->ends[e].link], forces[e], hwVec3_zero, tools->ends[e].arm);
            }
            continue;
        }
        double rest = hwCableState_GetLength(&tools->state) / (nodes - 1), step = 1e-6 * rest / largest;
        hwCableState moved = hwWorld_ViewCable(world, slot, work->y, work->v0);
        hwCableInput input = tools->input;
        input.matrix = false;
        for (int side = 0; side < 2; ++side) {
            for (int i = 0; i < nodes; ++i) {
                moved.position[i] = side == 0 ? base[i] : hwMulAdd(base[i], step, tools->scratch[i]);
            }
            hwCableWork_Evaluate(&tools->work, &moved, &input);
            if (hwWorld_MeetsBottom(world, slot)) {
                hwCableWork_AddSeabed(&tools->work, &moved, &tools->seabed);
            }
            hwCableContact unused = {0};
            hwCables_Touch(world, &hwMode_running, slot, &moved, &unused);
            double sign = side == 0 ? 1.0 / step : -1.0 / step;
            for (int i = 0; i < nodes; ++i) row[i] = hwMulAdd(row[i], sign, tools->work.force[i]);
        }
        for (int e = 0; e < 2; ++e) {
            if (store->ends[e].joint == HW_ATTACH_FREE) continue;
            hwVec3* end = &row[e == 0 ? 0 : nodes - 1];
            if (tools->input.ends[e].unknown) {
                hwCables_AddEndLoad(&loads[store->ends[e].link], *end, hwVec3_zero, tools->ends[e].arm);
            }
            *end = hwVec3_zero;
        }
    }
}

// Couplings --------------------------------------------------------------------------------------------------------------

int hwCables_ListPairs(const hwWorld* world, hwLinkPair* pairs, int count) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        hwCableTools* tools = &world->work->cables->tools[slot];
        const hwEndState* ends = world->state.cables->stores[slot].ends;
        tools->pair = -1;
        HW_EACH_HOOK(world, part, listPairs) count = part->cables->listPairs(world, slot, pairs, count);
        if (!hwWorld_HasCable(world, slot) || !hwCables_IsUnknown(world, &ends[0]) ||
            !hwCables_IsUnknown(world, &ends[1]))
            continue;
        if (ends[0].link == ends[1].link) continue;
        tools->pair = count;
        pairs[count++] = (hwLinkPair){ends[0].link, ends[1].link};
    }
    return count;
}
