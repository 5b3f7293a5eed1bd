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
HW_WIDE_INLINE void Reduce(const hwLinkData* link, Sums sums, hwForestWork* work, int i, const double* b) {
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

static hwWideSpatial StayAsleep(const hwLinkData* link, hwForestWork* work, int i, double* x) {
    memset(x + link->freedom, 0, (size_t)hwJoint_CountFreedoms((hwJointType)link->joint) * sizeof(double));
    work->increment[i] = hwWideSpatial_Zero();
    return work->increment[i];
}

// Most links follow their parent: its motion need not come from memory, on which the sweep would wait.
static void SubstituteAll(const hwForest* forest, hwForestWork* work, double* x) {
    hwWideSpatial last = hwWideSpatial_Zero();
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLinkData* link = &forest->data[i];
        if (hwForestWork_Skips(work, i)) {
            last = StayAsleep(link, work, i, x);
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

// Rows L^-1 S^T K_ij, in the world axes in which the joint was eliminated. `block` has i's rows. Free joints have their own, below.
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
    // a ball joint's unit axes: the rows of the block itself
    hwWideBlock t = TransposeBlock(block);
    rows[0] = (hwWideSpatial){t.la.x, t.aa.x};
    rows[1] = (hwWideSpatial){t.la.y, t.aa.y};
    rows[2] = (hwWideSpatial){t.la.z, t.aa.z};
    const Lower* lower = LowerOf(work, link->freedom);
    rows[1].l -= lower->yx * rows[0].l, rows[1].a -= lower->yx * rows[0].a;
    rows[2].l -= lower->zx * rows[0].l + lower->zy * rows[1].l;
    rows[2].a -= lower->zx * rows[0].a + lower->zy * rows[1].a;
}

// What is left of K_ij when link i is gone, passed to its parent.
static void PassCouplingToParent(hwForestWork* work, const hwLinkData* link, int i,
                                 const hwCouplingEntry* entry, hwWideBlock* block) {
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
    hwWideBlock* target = &couplings->blocks[entry->target].block;
    hwWideBlock turned = *block;
    if (!entry->targetRow) turned = TransposeBlock(block);
    if (entry->target == entry->block) {
        *target = turned;
    } else {
        AddBlock(target, &turned);
    }
}

// m -= sum over k of y_k x_k^T, each of six
static inline void SubtractProducts(hwWideBlock* m, const hwWideSpatial* y, const hwWideSpatial* x) {
    hwWideBlock sum = *m;
    for (int k = 0; k < 6; ++k) AddOuter(&sum, -1.0, y[k], x[k]);
    *m = sum;
}

static inline void SubtractSymmetric(hwWideSym* m, const double* pivots, const hwWideSpatial* x) {
    hwWideSym sum = *m;
    for (int k = 0; k < 6; ++k) hwWideSym_SubtractSquare(&sum, pivots[k], x[k]);
    *m = sum;
}

static void EliminateCouplings(const hwForest* forest, hwForestWork* work, int position, int i) {
    hwCouplings* couplings = work->couplings;
    const hwLinkData* link = &forest->data[i];
    int first = couplings->first[position], last = couplings->last[position];
    int count = hwJoint_CountFreedoms((hwJointType)link->joint);
    const hwCouplingFill* to = &couplings->fills[couplings->fill[position]];
    const double* pivots = &work->pivots[link->freedom];
    for (int e = first; e < last; ++e) {
        const hwCouplingEntry* entry = &couplings->entries[e];
        hwWideBlock block = couplings->blocks[entry->block].block;
        if (!entry->row) block = TransposeBlock(&block);
        hwWideSpatial* rows = &couplings->rows[entry->rows];
        if (count > 0) ComputeRows(work, link, i, &block, rows);
        for (int k = 0; k < count; ++k) {
            hwWideSym_SubtractSquare(&work->articulated[entry->other], pivots[k], rows[k]);
        }
        for (int f = first; f < e && count > 0; ++f, ++to) {
            const hwWideSpatial* others = &couplings->rows[couplings->entries[f].rows];
            for (int k = 0; k < count; ++k) {
                AddOuter(&couplings->blocks[to->block].block, -pivots[k], to->row ? others[k] : rows[k],
                         to->row ? rows[k] : others[k]);
            }
        }
        if (entry->target != HW_COUPLING_DROP) PassCouplingToParent(work, link, i, entry, &block);
    }
}

static void ReduceCouplings(const hwForest* forest, hwForestWork* work, int position, int i) {
    hwCouplings* couplings = work->couplings;
    const hwLinkData* link = &forest->data[i];
    int count = hwJoint_CountFreedoms((hwJointType)link->joint);
    for (int e = couplings->first[position]; e < couplings->last[position]; ++e) {
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
    for (int e = couplings->first[position]; e < couplings->last[position]; ++e) {
        const hwCouplingEntry* entry = &couplings->entries[e];
        const hwWideSpatial* rows = &couplings->rows[entry->rows];
        hwWideSpatial a = work->increment[entry->other];
        for (int k = 0; k < count; ++k) work->reduced[link->freedom + k] -= hwWideSpatial_Dot(rows[k], a);
    }
}

// Free joints among couplings ------------------------------------------------------------------------------------------------
//
// A free joint leaves its link's motion open, so that K of the link is all there is to eliminate: in world axes, whatever its parent
// does. Sweeps in the order of elimination then read factors and rows only, one behind the other; what turns to the joint's axes goes
// by the order of the links.

static inline Lower* GetLower(hwFreeFactor* factor, int part) {
    return (Lower*)&factor->lower[3 * part];
}

static bool FactorFree(const hwWideSym* K, hwFreeFactor* factor) {
    hwWideMat linear, schur = K->ll;
    if (!Factor3(&K->aa, GetLower(factor, 0), factor->pivots)) return false;
    Columns3(GetLower(factor, 0), &K->la, &linear);
    factor->U[0] = linear.x, factor->U[1] = linear.y, factor->U[2] = linear.z;
    SubtractSquares(&schur, &linear, factor->pivots);
    return Factor3(&schur, GetLower(factor, 1), factor->pivots + 3);
}

// L^-1 K_ij, where the block was.
static void ComputeFreeRows(hwFreeFactor* factor, const hwCouplingEntry* entry, hwCouplingBlock* from) {
    // rows are the columns of the transpose
    hwWideBlock t = entry->row ? TransposeBlock(&from->block) : from->block;
    hwWideSpatial* rows = from->rows;
    const Lower* lower = GetLower(factor, 0);
    hwWideSpatial a0 = {t.la.x, t.aa.x}, a1 = {t.la.y, t.aa.y}, a2 = {t.la.z, t.aa.z};
    hwWideSpatial l0 = {t.ll.x, t.al.x}, l1 = {t.ll.y, t.al.y}, l2 = {t.ll.z, t.al.z};
    a1.l -= lower->yx * a0.l, a1.a -= lower->yx * a0.a;
    a2.l -= lower->zx * a0.l + lower->zy * a1.l;
    a2.a -= lower->zx * a0.a + lower->zy * a1.a;
    rows[0] = a0, rows[1] = a1, rows[2] = a2;
    for (int k = 0; k < 3; ++k) {
        hwWide f = factor->pivots[k] * factor->U[k];
        l0.l -= f[0] * rows[k].l, l0.a -= f[0] * rows[k].a;
        l1.l -= f[1] * rows[k].l, l1.a -= f[1] * rows[k].a;
        l2.l -= f[2] * rows[k].l, l2.a -= f[2] * rows[k].a;
    }
    lower = GetLower(factor, 1);
    l1.l -= lower->yx * l0.l, l1.a -= lower->yx * l0.a;
    l2.l -= lower->zx * l0.l + lower->zy * l1.l;
    l2.a -= lower->zx * l0.a + lower->zy * l1.a;
    rows[3] = l0, rows[4] = l1, rows[5] = l2;
}

static bool EliminateCoupledFree(hwForestWork* work, int position, int i) {
    hwCouplings* couplings = work->couplings;
    hwFreeFactor* factor = &couplings->factors[position];
    if (!FactorFree(&work->articulated[i], factor)) return false;
    int first = couplings->first[position], last = couplings->last[position];
    const hwCouplingFill* to = &couplings->fills[couplings->fill[position]];
    for (int e = first; e < last; ++e) {
        const hwCouplingEntry* entry = &couplings->entries[e];
        hwCouplingBlock* own = &couplings->blocks[entry->block];
        ComputeFreeRows(factor, entry, own);
        SubtractSymmetric(&work->articulated[entry->other], factor->pivots, own->rows);
        hwWideSpatial scaled[6];
        for (int k = 0; k < 6; ++k) {
            scaled[k].l = factor->pivots[k] * own->rows[k].l;
            scaled[k].a = factor->pivots[k] * own->rows[k].a;
        }
        for (int f = first; f < e; ++f, ++to) {
            const hwWideSpatial* others = couplings->blocks[couplings->entries[f].block].rows;
            hwWideBlock* block = &couplings->blocks[to->block].block;
            if (to->row) {
                SubtractProducts(block, others, scaled);
            } else {
                SubtractProducts(block, scaled, others);
            }
        }
    }
    return true;
}

// Efforts at free joints act on the link, and against its parent.
static void AddFreeEfforts(const hwForest* forest, hwForestWork* work, const double* b) {
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLinkData* link = &forest->data[i];
        if (link->joint != HW_LINK_FREE || hwForestWork_Skips(work, i)) continue;
        const double* own = b + link->freedom;
        hwWideMat axes = FreeAxes(link, work);
        hwWideSpatial effort = {hwWideMat_Mul(&axes, Read(own)),
                                hwWideMat_Mul(&work->motion[i].R, Read(own + 3))};
        work->force[i].l += effort.l;
        work->force[i].a += effort.a;
        if (link->parent < 0) continue;
        effort = hwWideSpatial_ForceFrom(effort, work->motion[i].arm);
        work->force[link->parent].l -= effort.l;
        work->force[link->parent].a -= effort.a;
    }
}

static void ReduceFree(hwForestWork* work, int position, int i) {
    const hwCouplings* couplings = work->couplings;
    hwFreeFactor* factor = &couplings->factors[position];
    const double* pivots = factor->pivots;
    double *t = factor->reduced, y[6];
    Write(t, work->force[i].a);
    Forward3(GetLower(factor, 0), t);
    for (int k = 0; k < 3; ++k) y[k] = pivots[k] * t[k];
    Write(t + 3, work->force[i].l - (y[0] * factor->U[0] + y[1] * factor->U[1] + y[2] * factor->U[2]));
    Forward3(GetLower(factor, 1), t + 3);
    for (int k = 3; k < 6; ++k) y[k] = pivots[k] * t[k];
    for (int e = couplings->first[position]; e < couplings->last[position]; ++e) {
        const hwCouplingEntry* entry = &couplings->entries[e];
        const hwWideSpatial* rows = couplings->blocks[entry->block].rows;
        hwWideSpatial f = work->force[entry->other];
        for (int k = 0; k < 6; ++k) {
            f.l -= y[k] * rows[k].l;
            f.a -= y[k] * rows[k].a;
        }
        work->force[entry->other] = f;
    }
}

static void SubstituteFree(hwForestWork* work, int position, int i) {
    const hwCouplings* couplings = work->couplings;
    hwFreeFactor* factor = &couplings->factors[position];
    hwWide known[6] = {{0.0}};
    for (int e = couplings->first[position]; e < couplings->last[position]; ++e) {
        const hwCouplingEntry* entry = &couplings->entries[e];
        const hwWideSpatial* rows = couplings->blocks[entry->block].rows;
        hwWideSpatial a = work->increment[entry->other];
        for (int k = 0; k < 6; ++k) known[k] += rows[k].l * a.l + rows[k].a * a.a;
    }
    double y[6];
    Write(y, Read(factor->reduced) - hwWide_Sums(known[0], known[1], known[2]));
    Write(y + 3, Read(factor->reduced + 3) - hwWide_Sums(known[3], known[4], known[5]));
    Backward3(GetLower(factor, 1), factor->pivots + 3, y + 3);
    hwWide l = Read(y + 3);
    Write(y, Read(y) - hwWide_Sums(factor->U[0] * l, factor->U[1] * l, factor->U[2] * l));
    Backward3(GetLower(factor, 0), factor->pivots, y);
    work->increment[i] = (hwWideSpatial){l, Read(y)};
}

// The joints' shares of the links' motions.
static void ReadFreeShares(const hwForest* forest, hwForestWork* work, double* x) {
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLinkData* link = &forest->data[i];
        if (link->joint != HW_LINK_FREE) continue;
        if (hwForestWork_Skips(work, i)) continue;
        hwWideMat axes = FreeAxes(link, work);
        hwWideSpatial own = work->increment[i];
        if (link->parent >= 0) {
            hwWideSpatial a = hwWideSpatial_MotionAt(work->increment[link->parent], work->motion[i].arm);
            own.l -= a.l;
            own.a -= a.a;
        }
        Write(x + link->freedom, hwWideMat_MulT(&axes, own.l));
        Write(x + link->freedom + 3, hwWideMat_MulT(&work->motion[i].R, own.a));
    }
}

// The sweeps ---------------------------------------------------------------------------------------------------------------

static bool HasCouplings(const hwForestWork* work) {
    return work->couplings != NULL && work->couplings->used.blocks > 0;
}

static bool FactorCoupled(const hwForest* forest, const hwWideSym* K, hwJointTerms joint, hwForestWork* work,
                          int* failed) {
    const hwCouplings* couplings = work->couplings;
    memcpy(work->articulated, K, (size_t)forest->linkCount * sizeof(hwWideSym));
    for (int n = 0; n < forest->linkCount; ++n) {
        int i = couplings->order[n];
        if (hwForestWork_Skips(work, i)) continue;
        const hwLinkData* link = &forest->data[i];
        bool good;
        if (link->joint == HW_LINK_FREE) {
            good = EliminateCoupledFree(work, n, i);
        } else {
            good = Eliminate(link, joint, Summed(link, work, i, work->articulated, work->force), work, i);
            if (good) EliminateCouplings(forest, work, n, i);
        }
        if (good) continue;
        *failed = i;
        return false;
    }
    return true;
}

static void SolveCoupled(const hwForest* forest, hwForestWork* work, const double* b, double* x) {
    const hwCouplings* couplings = work->couplings;
    if (b != NULL) AddFreeEfforts(forest, work, b);
    for (int n = 0; n < forest->linkCount; ++n) {
        int i = couplings->order[n];
        if (hwForestWork_Skips(work, i)) continue;
        const hwLinkData* link = &forest->data[i];
        if (link->joint == HW_LINK_FREE) {
            ReduceFree(work, n, i);
            continue;
        }
        Reduce(link, Summed(link, work, i, work->articulated, work->force), work, i, b);
        ReduceCouplings(forest, work, n, i);
    }
    for (int n = forest->linkCount - 1; n >= 0; --n) {
        int i = couplings->order[n];
        const hwLinkData* link = &forest->data[i];
        if (hwForestWork_Skips(work, i)) {
            StayAsleep(link, work, i, x);
        } else if (link->joint == HW_LINK_FREE) {
            SubstituteFree(work, n, i);
        } else {
            SubstituteCouplings(forest, work, n, i);
            Substitute(link, work, i, work->increment[link->parent], x);
        }
    }
    ReadFreeShares(forest, work, x);
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
