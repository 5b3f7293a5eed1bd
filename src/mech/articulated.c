// The articulated solve: factors A = sum over links of J^T K J + joint terms + couplings in one sweep from the leaves to
// the roots (Featherstone 1983; with implicit stiffness and damping in K it serves the implicit steppers too), and solves
// with the factors in one sweep back and one forth.
//
// Joints with several freedoms are eliminated as L D L^T in world axes. With U = K S and S^T U + joint terms = L D L^T,
// work->U holds the columns of U L^-T and work->pivots the inverses of D, so that K - U (...)^-1 U^T is a sum of squares.
#include "mech/coupling.h"

#include <math.h>
#include <string.h>

// Forward and backward substitution within a joint.
typedef struct Lower {
    double yx, zx, zy;
} Lower;

// L D L^T of a symmetric 3x3; the pivots come back inverted.
static inline bool Factor3(const hwWideMat* m, Lower* lower, double* pivots) {
    double d0 = m->x[0];
    pivots[0] = 1.0 / d0;
    lower->yx = m->x[1] * pivots[0];
    lower->zx = m->x[2] * pivots[0];
    double d1 = m->y[1] - lower->yx * m->x[1];
    pivots[1] = 1.0 / d1;
    double zy = m->y[2] - lower->zx * m->x[1];
    lower->zy = zy * pivots[1];
    double d2 = m->z[2] - lower->zx * m->x[2] - lower->zy * zy;
    pivots[2] = 1.0 / d2;
    return d0 > 0.0 && d1 > 0.0 && d2 > 0.0;
}

static inline void Forward3(const Lower* lower, double* x) {
    x[1] -= lower->yx * x[0];
    x[2] -= lower->zx * x[0] + lower->zy * x[1];
}

// L^-T D^-1 x
static inline void Backward3(const Lower* lower, const double* pivots, double* x) {
    x[2] = pivots[2] * x[2];
    x[1] = pivots[1] * x[1] - lower->zy * x[2];
    x[0] = pivots[0] * x[0] - lower->yx * x[1] - lower->zx * x[2];
}

// Columns m L^-T.
static inline void Columns3(const Lower* lower, const hwWideMat* m, hwWideMat* out) {
    out->x = m->x;
    out->y = m->y - lower->yx * out->x;
    out->z = m->z - lower->zx * out->x - lower->zy * out->y;
}

// m - sum over k of pivot_k y_k y_k^T
static inline void SubtractSquares(hwWideMat* m, const hwWideMat* y, const double* pivots) {
    hwWideMat_AddOuter(m, -pivots[0], y->x, y->x);
    hwWideMat_AddOuter(m, -pivots[1], y->y, y->y);
    hwWideMat_AddOuter(m, -pivots[2], y->z, y->z);
}

static Lower* LowerOf(const hwForestWork* work, int freedom) {
    return (Lower*)&work->lower[6 * freedom];
}

// Whether a ball joint's block was stiffened: kept beside its factors.
static double* StiffOf(const hwForestWork* work, int freedom) {
    return &work->lower[6 * freedom + 6];
}

// What a sweep from the leaves has summed up where it meets a link, without copying first what it sums: a leaf has only
// what was given, and a parent's sum begins with the child that opens it. Sweeps in another order copy, and give the copy.
typedef struct Sums {
    const hwWideSym* own;  // of the link
    const hwWideSym* base; // of its parent so far
    const hwWideSpatial *ownForce, *baseForce;
} Sums;

static inline Sums Summed(const hwLinkData* link, const hwForestWork* work, int i, const hwWideSym* K,
                          const hwWideSpatial* force) {
    Sums sums = {link->leaf ? &K[i] : &work->articulated[i],
                 link->opens ? &K[link->parent] : &work->articulated[link->parent],
                 link->leaf ? &force[i] : &work->force[i],
                 link->opens ? &force[link->parent] : &work->force[link->parent]};
    return sums;
}

// Factoring ----------------------------------------------------------------------------------------------------------------

static inline bool EliminateAxis(const hwLinkData* link, hwJointTerms joint, Sums sums, hwForestWork* work,
                                 int i, bool turns) {
    const hwWideSym* K = sums.own;
    const hwLinkMotion* m = &work->motion[i];
    hwWideSpatial U;
    double d;
    if (turns) {
        U = (hwWideSpatial){hwWideMat_Mul(&K->la, m->axis), hwWideMat_Mul(&K->aa, m->axis)};
        d = hwWide_Dot(m->axis, U.a);
    } else {
        U = (hwWideSpatial){hwWideMat_Mul(&K->ll, m->axis), hwWideMat_MulT(&K->la, m->axis)};
        d = hwWide_Dot(m->axis, U.l);
    }
    if (joint.diagonal != NULL) d += joint.diagonal[link->freedom];
    if (!(d > 0.0)) return false;
    double inverse = 1.0 / d;
    work->U[link->freedom] = U;
    work->pivots[link->freedom] = inverse;
    if (link->parent < 0) return true;
    hwWideSym passed = *K;
    hwWideSym_SubtractSquare(&passed, inverse, U);
    hwWideSym_SumFrom(&work->articulated[link->parent], sums.base, &passed, m->arm);
    return true;
}

// The block that a ball joint's terms add, in world axes; false when there is none.
static bool BallTerms(const hwLinkData* link, hwJointTerms joint, const hwLinkMotion* m, hwWideMat* out) {
    if (joint.diagonal == NULL) return false;
    const double* d = joint.diagonal + link->freedom;
    hwSym3 block = {d[0], d[1], d[2], 0.0, 0.0, 0.0};
    if (joint.off != NULL) {
        const double* off = joint.off + link->freedom;
        block.xy = off[0], block.xz = off[1], block.yz = off[2];
    }
    if (d[0] == 0.0 && d[1] == 0.0 && d[2] == 0.0) return false;
    hwWideMat local = hwWideMat_FromSym3(block);
    *out = hwWideMat_Turn(&m->R, &local);
    return true;
}

static bool EliminateBall(const hwLinkData* link, hwJointTerms joint, Sums sums, hwForestWork* work, int i) {
    const hwWideSym* K = sums.own;
    const hwLinkMotion* m = &work->motion[i];
    Lower* lower = LowerOf(work, link->freedom);
    double* pivots = &work->pivots[link->freedom];
    hwWideSpatial* U = &work->U[link->freedom];
    hwWideMat terms, block = K->aa, linear, angular;
    bool stiff = BallTerms(link, joint, m, &terms);
    if (stiff) hwWideMat_Add(&block, &terms);
    *StiffOf(work, link->freedom) = stiff ? 1.0 : 0.0;
    if (!Factor3(&block, lower, pivots)) return false;
    Columns3(lower, &K->la, &linear);
    Columns3(lower, &K->aa, &angular);
    U[0] = (hwWideSpatial){linear.x, angular.x};
    U[1] = (hwWideSpatial){linear.y, angular.y};
    U[2] = (hwWideSpatial){linear.z, angular.z};
    if (link->parent < 0) return true;
    hwWideSym passed = *K;
    if (!stiff) {
        // A loose ball joint passes no moment: exactly, not to rounding, or long chains of them lose all digits.
        SubtractSquares(&passed.ll, &linear, pivots);
        hwWideSym_SumPoint(&work->articulated[link->parent], sums.base, &passed.ll, m->arm);
        return true;
    }
    for (int k = 0; k < 3; ++k) hwWideSym_SubtractSquare(&passed, pivots[k], U[k]);
    hwWideSym_SumFrom(&work->articulated[link->parent], sums.base, &passed, m->arm);
    return true;
}

// Angular freedoms first. Nothing passes to the parent.
static bool EliminateFree(const hwLinkData* link, Sums sums, hwForestWork* work) {
    const hwWideSym* K = sums.own;
    if (link->opens) work->articulated[link->parent] = *sums.base;
    double* pivots = &work->pivots[link->freedom];
    hwWideSpatial* U = &work->U[link->freedom];
    hwWideMat linear, schur = K->ll;
    if (!Factor3(&K->aa, LowerOf(work, link->freedom), pivots)) return false;
    Columns3(LowerOf(work, link->freedom), &K->la, &linear);
    U[0].l = linear.x;
    U[1].l = linear.y;
    U[2].l = linear.z;
    SubtractSquares(&schur, &linear, pivots);
    return Factor3(&schur, LowerOf(work, link->freedom + 1), pivots + 3);
}

static inline bool Eliminate(const hwLinkData* link, hwJointTerms joint, Sums sums, hwForestWork* work,
                             int i) {
    switch ((hwJointType)link->joint) {
    case HW_LINK_REVOLUTE:
        return EliminateAxis(link, joint, sums, work, i, true);
    case HW_LINK_PRISMATIC:
        return EliminateAxis(link, joint, sums, work, i, false);
    case HW_LINK_BALL:
        return EliminateBall(link, joint, sums, work, i);
    case HW_LINK_FREE:
        return EliminateFree(link, sums, work);
    case HW_LINK_FIXED:
        hwWideSym_SumFrom(&work->articulated[link->parent], sums.base, sums.own, work->motion[i].arm);
        return true;
    case HW_LINK_DRIVEN:
        return true;
    }
    return true;
}

// Solving ------------------------------------------------------------------------------------------------------------------

static inline hwWide Read(const double* x) {
    return hwWide_Make(x[0], x[1], x[2]);
}

static inline void Write(double* out, hwWide x) {
    out[0] = x[0], out[1] = x[1], out[2] = x[2];
}

static hwWideMat FreeAxes(const hwLinkData* link, const hwForestWork* work) {
    return hwWideMat_MulMat(&work->motion[link->parent].R, &link->tree);
}

// Reduces link i's force and joint effort b to `reduced` = L^-1 (b + S^T f); the rest goes to the parent.
static inline void Reduce(const hwLinkData* link, Sums sums, hwForestWork* work, int i, const double* b) {
    const hwLinkMotion* m = &work->motion[i];
    hwWideSpatial f = *sums.ownForce;
    const hwWideSpatial* U = &work->U[link->freedom];
    double* t = &work->reduced[link->freedom];
    const double* pivots = &work->pivots[link->freedom];
    b += link->freedom;
    switch ((hwJointType)link->joint) {
    case HW_LINK_REVOLUTE:
    case HW_LINK_PRISMATIC: {
        t[0] = b[0] + hwWide_Dot(m->axis, link->joint == HW_LINK_REVOLUTE ? f.a : f.l);
        double y = pivots[0] * t[0];
        f.l -= y * U[0].l;
        f.a -= y * U[0].a;
        break;
    }
    case HW_LINK_BALL: {
        hwWide effort = hwWideMat_Mul(&m->R, Read(b));
        Write(t, effort + f.a);
        Forward3(LowerOf(work, link->freedom), t);
        double y[3] = {pivots[0] * t[0], pivots[1] * t[1], pivots[2] * t[2]};
        f.l -= y[0] * U[0].l + y[1] * U[1].l + y[2] * U[2].l;
        f.a = *StiffOf(work, link->freedom) == 0.0 ? -effort
                                                   : f.a - (y[0] * U[0].a + y[1] * U[1].a + y[2] * U[2].a);
        break;
    }
    case HW_LINK_FREE: {
        hwWideMat axes = FreeAxes(link, work);
        hwWideSpatial effort = {hwWideMat_Mul(&axes, Read(b)), hwWideMat_Mul(&m->R, Read(b + 3))};
        Write(t, effort.a + f.a);
        Forward3(LowerOf(work, link->freedom), t);
        hwWide linear = effort.l + f.l;
        linear -= (pivots[0] * t[0]) * U[0].l + (pivots[1] * t[1]) * U[1].l + (pivots[2] * t[2]) * U[2].l;
        Write(t + 3, linear);
        Forward3(LowerOf(work, link->freedom + 1), t + 3);
        f = (hwWideSpatial){-effort.l, -effort.a};
        break;
    }
    case HW_LINK_FIXED:
        break;
    case HW_LINK_DRIVEN:
        return;
    }
    hwWideSpatial passed = hwWideSpatial_ForceFrom(f, m->arm);
    work->force[link->parent].l = sums.baseForce->l + passed.l;
    work->force[link->parent].a = sums.baseForce->a + passed.a;
}

// Motion of link i and its joint's share x, given its parent's motion and `reduced` less the couplings' part.
static inline hwWideSpatial Substitute(const hwLinkData* link, hwForestWork* work, int i,
                                       hwWideSpatial parent, double* x) {
    const hwLinkMotion* m = &work->motion[i];
    hwWideSpatial a = hwWideSpatial_MotionAt(parent, m->arm);
    const hwWideSpatial* U = &work->U[link->freedom];
    double* t = &work->reduced[link->freedom];
    const double* pivots = &work->pivots[link->freedom];
    x += link->freedom;
    switch ((hwJointType)link->joint) {
    case HW_LINK_REVOLUTE:
        x[0] = pivots[0] * (t[0] - hwWideSpatial_Dot(U[0], a));
        a.a += x[0] * m->axis;
        break;
    case HW_LINK_PRISMATIC:
        x[0] = pivots[0] * (t[0] - hwWideSpatial_Dot(U[0], a));
        a.l += x[0] * m->axis;
        break;
    case HW_LINK_BALL: {
        hwWide known = hwWide_Sums(U[0].l * a.l + U[0].a * a.a, U[1].l * a.l + U[1].a * a.a,
                                   U[2].l * a.l + U[2].a * a.a);
        double y[3] = {t[0] - known[0], t[1] - known[1], t[2] - known[2]};
        Backward3(LowerOf(work, link->freedom), pivots, y);
        hwWide turn = Read(y);
        Write(x, hwWideMat_MulT(&m->R, turn));
        a.a += turn;
        break;
    }
    case HW_LINK_FREE: {
        double y[6] = {t[0], t[1], t[2], t[3], t[4], t[5]};
        Backward3(LowerOf(work, link->freedom + 1), pivots + 3, y + 3);
        hwWide l = Read(y + 3);
        hwWide known = hwWide_Sums(U[0].l * l, U[1].l * l, U[2].l * l);
        y[0] -= known[0], y[1] -= known[1], y[2] -= known[2];
        Backward3(LowerOf(work, link->freedom), pivots, y);
        hwWideSpatial total = {l, Read(y)};
        hwWideMat axes = FreeAxes(link, work);
        Write(x, hwWideMat_MulT(&axes, total.l - a.l));
        Write(x + 3, hwWideMat_MulT(&m->R, total.a - a.a));
        a = total;
        break;
    }
    case HW_LINK_FIXED:
        break;
    case HW_LINK_DRIVEN:
        a = hwWideSpatial_Zero();
        break;
    }
    work->increment[i] = a;
    return a;
}

// Of a free body that sleeps.
static hwWideSpatial Stay(const hwLinkData* link, hwForestWork* work, int i, double* x) {
    memset(x + link->freedom, 0, 6 * sizeof(double));
    work->increment[i] = hwWideSpatial_Zero();
    return work->increment[i];
}

// Most links follow their parent: its motion need not come from memory, on which the sweep would wait.
static void SubstituteAll(const hwForest* forest, hwForestWork* work, double* x) {
    hwWideSpatial last = hwWideSpatial_Zero();
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLinkData* link = &forest->data[i];
        if (hwForestWork_Skips(work, i)) {
            last = Stay(link, work, i, x);
            continue;
        }
        last = Substitute(link, work, i, link->parent == i - 1 ? last : work->increment[link->parent], x);
    }
}

// Couplings ----------------------------------------------------------------------------------------------------------------

// m^T v
static hwWideSpatial MulBlockT(const hwWideBlock* m, hwWideSpatial v) {
    hwWideSpatial s = {hwWideMat_MulT(&m->ll, v.l) + hwWideMat_MulT(&m->al, v.a),
                       hwWideMat_MulT(&m->la, v.l) + hwWideMat_MulT(&m->aa, v.a)};
    return s;
}

// m += s u w^T
static void AddOuter(hwWideBlock* m, double s, hwWideSpatial u, hwWideSpatial w) {
    hwWideMat_AddOuter(&m->ll, s, u.l, w.l);
    hwWideMat_AddOuter(&m->la, s, u.l, w.a);
    hwWideMat_AddOuter(&m->al, s, u.a, w.l);
    hwWideMat_AddOuter(&m->aa, s, u.a, w.a);
}

static hwWideBlock TransposeBlock(const hwWideBlock* m) {
    hwWideBlock t = {hwWideMat_Transpose(&m->ll), hwWideMat_Transpose(&m->al), hwWideMat_Transpose(&m->la),
                     hwWideMat_Transpose(&m->aa)};
    return t;
}

static void AddBlock(hwWideBlock* m, const hwWideBlock* b) {
    hwWideMat_Add(&m->ll, &b->ll);
    hwWideMat_Add(&m->la, &b->la);
    hwWideMat_Add(&m->al, &b->al);
    hwWideMat_Add(&m->aa, &b->aa);
}

// X^T m: the block's rows from a point at `arm` to the origin.
static void ShiftRows(hwWideBlock* m, hwWide arm) {
    hwWideMat l = hwWideMat_SkewMul(arm, &m->ll), a = hwWideMat_SkewMul(arm, &m->la);
    hwWideMat_Add(&m->al, &l);
    hwWideMat_Add(&m->aa, &a);
}

// Rows L^-1 S^T K_ij, in the world axes in which the joint was eliminated. `block` has i's rows.
static void ComputeRows(const hwForestWork* work, const hwLinkData* link, int i, const hwWideBlock* block,
                        hwWideSpatial* rows) {
    const hwLinkMotion* m = &work->motion[i];
    hwWide zero = hwWide_Zero();
    if (link->joint == HW_LINK_REVOLUTE || link->joint == HW_LINK_PRISMATIC) {
        bool turns = link->joint == HW_LINK_REVOLUTE;
        hwWideSpatial S = {turns ? zero : m->axis, turns ? m->axis : zero};
        rows[0] = MulBlockT(block, S);
        return;
    }
    // unit axes: the rows of the block itself, angular ones first
    hwWideBlock t = TransposeBlock(block);
    rows[0] = (hwWideSpatial){t.la.x, t.aa.x};
    rows[1] = (hwWideSpatial){t.la.y, t.aa.y};
    rows[2] = (hwWideSpatial){t.la.z, t.aa.z};
    const Lower* lower = LowerOf(work, link->freedom);
    rows[1].l -= lower->yx * rows[0].l, rows[1].a -= lower->yx * rows[0].a;
    rows[2].l -= lower->zx * rows[0].l + lower->zy * rows[1].l;
    rows[2].a -= lower->zx * rows[0].a + lower->zy * rows[1].a;
    if (link->joint == HW_LINK_BALL) return;
    hwWideMat top[2] = {t.ll, t.al};
    const hwWideSpatial* U = &work->U[link->freedom];
    const double* pivots = &work->pivots[link->freedom];
    rows[3] = (hwWideSpatial){top[0].x, top[1].x};
    rows[4] = (hwWideSpatial){top[0].y, top[1].y};
    rows[5] = (hwWideSpatial){top[0].z, top[1].z};
    for (int k = 0; k < 3; ++k) {
        for (int n = 0; n < 3; ++n) {
            double factor = pivots[k] * U[k].l[n];
            rows[3 + n].l -= factor * rows[k].l;
            rows[3 + n].a -= factor * rows[k].a;
        }
    }
    lower = LowerOf(work, link->freedom + 1);
    rows[4].l -= lower->yx * rows[3].l, rows[4].a -= lower->yx * rows[3].a;
    rows[5].l -= lower->zx * rows[3].l + lower->zy * rows[4].l;
    rows[5].a -= lower->zx * rows[3].a + lower->zy * rows[4].a;
}

// What is left of K_ij when link i is gone, passed to its parent.
static void Climb(hwForestWork* work, const hwLinkData* link, int i, const hwCouplingEntry* entry,
                  hwWideBlock* block) {
    hwCouplings* couplings = work->couplings;
    const hwWideSpatial* U = &work->U[link->freedom];
    const hwWideSpatial* rows = &couplings->rows[entry->rows];
    int count = hwJoint_CountFreedoms((hwJointType)link->joint);
    for (int k = 0; k < count; ++k) AddOuter(block, -work->pivots[link->freedom + k], U[k], rows[k]);
    if (link->joint == HW_LINK_BALL && *StiffOf(work, link->freedom) == 0.0) {
        memset(&block->al, 0, sizeof(block->al));
        memset(&block->aa, 0, sizeof(block->aa));
    }
    ShiftRows(block, work->motion[i].arm);
    if (entry->target == HW_COUPLING_FOLD) {
        hwWideBlock t = TransposeBlock(block);
        hwWideSym* K = &work->articulated[link->parent];
        hwWideMat_Add(&K->ll, &block->ll), hwWideMat_Add(&K->ll, &t.ll);
        hwWideMat_Add(&K->la, &block->la), hwWideMat_Add(&K->la, &t.la);
        hwWideMat_Add(&K->aa, &block->aa), hwWideMat_Add(&K->aa, &t.aa);
        return;
    }
    hwWideBlock* target = &couplings->blocks[entry->target];
    hwWideBlock turned = *block;
    if (!entry->targetRow) turned = TransposeBlock(block);
    if (entry->target == entry->block) {
        *target = turned;
    } else {
        AddBlock(target, &turned);
    }
}

static void EliminateCouplings(const hwForest* forest, hwForestWork* work, int position, int i, int* fill) {
    hwCouplings* couplings = work->couplings;
    const hwLinkData* link = &forest->data[i];
    int first = couplings->start[position], last = couplings->start[position + 1];
    int count = hwJoint_CountFreedoms((hwJointType)link->joint);
    const double* pivots = &work->pivots[link->freedom];
    for (int e = first; e < last; ++e) {
        const hwCouplingEntry* entry = &couplings->entries[e];
        hwWideBlock block = couplings->blocks[entry->block];
        if (!entry->row) block = TransposeBlock(&block);
        hwWideSpatial* rows = &couplings->rows[entry->rows];
        if (count > 0) ComputeRows(work, link, i, &block, rows);
        for (int k = 0; k < count; ++k) {
            hwWideSym_SubtractSquare(&work->articulated[entry->other], pivots[k], rows[k]);
        }
        for (int f = first; f < e && count > 0; ++f) {
            const hwCouplingFill* to = &couplings->fills[(*fill)++];
            const hwWideSpatial* others = &couplings->rows[couplings->entries[f].rows];
            for (int k = 0; k < count; ++k) {
                AddOuter(&couplings->blocks[to->block], -pivots[k], to->row ? others[k] : rows[k],
                         to->row ? rows[k] : others[k]);
            }
        }
        if (entry->target != HW_COUPLING_DROP) Climb(work, link, i, entry, &block);
    }
}

static void ReduceCouplings(const hwForest* forest, hwForestWork* work, int position, int i) {
    hwCouplings* couplings = work->couplings;
    const hwLinkData* link = &forest->data[i];
    int count = hwJoint_CountFreedoms((hwJointType)link->joint);
    for (int e = couplings->start[position]; e < couplings->start[position + 1]; ++e) {
        const hwCouplingEntry* entry = &couplings->entries[e];
        const hwWideSpatial* rows = &couplings->rows[entry->rows];
        hwWideSpatial* f = &work->force[entry->other];
        for (int k = 0; k < count; ++k) {
            double y = work->pivots[link->freedom + k] * work->reduced[link->freedom + k];
            f->l -= y * rows[k].l;
            f->a -= y * rows[k].a;
        }
    }
}

static void SubstituteCouplings(const hwForest* forest, hwForestWork* work, int position, int i) {
    hwCouplings* couplings = work->couplings;
    const hwLinkData* link = &forest->data[i];
    int count = hwJoint_CountFreedoms((hwJointType)link->joint);
    for (int e = couplings->start[position]; e < couplings->start[position + 1]; ++e) {
        const hwCouplingEntry* entry = &couplings->entries[e];
        const hwWideSpatial* rows = &couplings->rows[entry->rows];
        hwWideSpatial a = work->increment[entry->other];
        for (int k = 0; k < count; ++k) work->reduced[link->freedom + k] -= hwWideSpatial_Dot(rows[k], a);
    }
}

// The sweeps ---------------------------------------------------------------------------------------------------------------

static bool HasCouplings(const hwForestWork* work) {
    return work->couplings != NULL && work->couplings->used.blocks > 0;
}

static bool FactorCoupled(const hwForest* forest, const hwWideSym* K, hwJointTerms joint, hwForestWork* work,
                          int* failed) {
    int fill = 0;
    memcpy(work->articulated, K, (size_t)forest->linkCount * sizeof(hwWideSym));
    for (int n = 0; n < forest->linkCount; ++n) {
        int i = work->couplings->order[n];
        if (hwForestWork_Skips(work, i)) continue;
        const hwLinkData* link = &forest->data[i];
        if (!Eliminate(link, joint, Summed(link, work, i, work->articulated, work->force), work, i)) {
            *failed = i;
            return false;
        }
        if (work->couplings->start[n + 1] > work->couplings->start[n])
            EliminateCouplings(forest, work, n, i, &fill);
    }
    return true;
}

static void SolveCoupled(const hwForest* forest, hwForestWork* work, const double* b, double* x) {
    const hwCouplings* couplings = work->couplings;
    for (int n = 0; n < forest->linkCount; ++n) {
        int i = couplings->order[n];
        if (hwForestWork_Skips(work, i)) continue;
        const hwLinkData* link = &forest->data[i];
        Reduce(link, Summed(link, work, i, work->articulated, work->force), work, i, b);
        ReduceCouplings(forest, work, n, i);
    }
    for (int n = forest->linkCount - 1; n >= 0; --n) {
        int i = couplings->order[n];
        const hwLinkData* link = &forest->data[i];
        if (hwForestWork_Skips(work, i)) {
            Stay(link, work, i, x);
            continue;
        }
        SubstituteCouplings(forest, work, n, i);
        Substitute(link, work, i, work->increment[link->parent], x);
    }
}

// What passes to the earth is summed and not used.
static void ClearEarth(hwForestWork* work) {
    memset(&work->articulated[-1], 0, sizeof(hwWideSym));
    work->force[-1] = work->increment[-1] = hwWideSpatial_Zero();
}

bool hwForest_Factor(const hwForest* forest, const hwWideSym* K, hwJointTerms joint, hwForestWork* work,
                     int* failed) {
    ClearEarth(work);
    if (HasCouplings(work)) return FactorCoupled(forest, K, joint, work, failed);
    for (int i = forest->linkCount - 1; i >= 0; --i) {
        if (hwForestWork_Skips(work, i)) continue;
        const hwLinkData* link = &forest->data[i];
        if (Eliminate(link, joint, Summed(link, work, i, K, work->force), work, i)) continue;
        *failed = i;
        return false;
    }
    return true;
}

void hwForest_Solve(const hwForest* forest, hwForestWork* work, const double* b, const hwWideSpatial* force,
                    double* x) {
    size_t bytes = (size_t)forest->linkCount * sizeof(hwWideSpatial);
    ClearEarth(work);
    if (forest->linkCount == 0) return;
    if (force != NULL) {
        memcpy(work->force, force, bytes);
    } else {
        memset(work->force, 0, bytes);
    }
    if (HasCouplings(work)) {
        SolveCoupled(forest, work, b, x);
        return;
    }
    for (int i = forest->linkCount - 1; i >= 0; --i) {
        if (hwForestWork_Skips(work, i)) continue;
        const hwLinkData* link = &forest->data[i];
        Reduce(link, Summed(link, work, i, work->articulated, work->force), work, i, b);
    }
    SubstituteAll(forest, work, x);
}

bool hwForest_ComputeForward(const hwForest* forest, const hwWideSym* inertia, const hwWideSpatial* wrench,
                             hwJointTerms joint, const double* efforts, hwForestWork* work, double* vdot,
                             int* failed) {
    if (HasCouplings(work)) {
        if (!hwForest_Factor(forest, inertia, joint, work, failed)) return false;
        hwForest_Solve(forest, work, efforts, wrench, vdot);
        return true;
    }
    ClearEarth(work);
    // both backward sweeps in one
    for (int i = forest->linkCount - 1; i >= 0; --i) {
        if (hwForestWork_Skips(work, i)) continue;
        const hwLinkData* link = &forest->data[i];
        Sums sums = Summed(link, work, i, inertia, wrench);
        if (!Eliminate(link, joint, sums, work, i)) {
            *failed = i;
            return false;
        }
        Reduce(link, sums, work, i, efforts);
    }
    SubstituteAll(forest, work, vdot);
    return true;
}
