// Axis-aligned boxes, and minimum and maximum without a call (fmin and fmax are calls, for the sake of NaN).
#ifndef HW_GEOM_BOX_H
#define HW_GEOM_BOX_H

#include "hawser/math.h"

static inline double hwMin(double a, double b) {
    return a < b ? a : b;
}

static inline double hwMax(double a, double b) {
    return a > b ? a : b;
}

static inline hwVec3 hwMinVec3(hwVec3 a, hwVec3 b) {
    return hwMakeVec3(hwMin(a.x, b.x), hwMin(a.y, b.y), hwMin(a.z, b.z));
}

static inline hwVec3 hwMaxVec3(hwVec3 a, hwVec3 b) {
    return hwMakeVec3(hwMax(a.x, b.x), hwMax(a.y, b.y), hwMax(a.z, b.z));
}

typedef struct hwBox {
    hwVec3 low, high;
} hwBox;

static inline hwBox hwBox_Empty(void) {
    hwBox box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    return box;
}

static inline hwBox hwBox_AddPoint(hwBox box, hwVec3 point) {
    hwBox sum = {hwMinVec3(box.low, point), hwMaxVec3(box.high, point)};
    return sum;
}

static inline hwBox hwBox_Join(hwBox a, hwBox b) {
    hwBox sum = {hwMinVec3(a.low, b.low), hwMaxVec3(a.high, b.high)};
    return sum;
}

static inline hwBox hwBox_Grow(hwBox box, double margin) {
    hwVec3 m = hwMakeVec3(margin, margin, margin);
    hwBox sum = {hwSub(box.low, m), hwAdd(box.high, m)};
    return sum;
}

// Without branches, which would be guessed wrong half the time.
static inline bool hwBox_Overlaps(const hwBox* a, const hwBox* b) {
    return (a->low.x <= b->high.x) & (a->high.x >= b->low.x) & (a->low.y <= b->high.y) &
           (a->high.y >= b->low.y) & (a->low.z <= b->high.z) & (a->high.z >= b->low.z);
}

static inline bool hwBox_Contains(const hwBox* outer, const hwBox* inner) {
    return outer->low.x <= inner->low.x && outer->low.y <= inner->low.y && outer->low.z <= inner->low.z &&
           outer->high.x >= inner->high.x && outer->high.y >= inner->high.y && outer->high.z >= inner->high.z;
}

// The box of p + s (q - p), 0 <= s <= 1.
static inline hwBox hwBox_OfSegment(hwVec3 p, hwVec3 q) {
    hwBox box = {hwMinVec3(p, q), hwMaxVec3(p, q)};
    return box;
}

// The box that holds `box` turned by r and moved by p.
static inline hwBox hwBox_Transform(const hwBox* box, hwVec3 p, const hwMat3* r) {
    hwVec3 c = hwScale(0.5, hwAdd(box->low, box->high)), h = hwScale(0.5, hwSub(box->high, box->low));
    hwVec3 center = hwAdd(p, hwMulMV(*r, c));
    hwVec3 half = hwMakeVec3(fabs(r->cx.x) * h.x + fabs(r->cy.x) * h.y + fabs(r->cz.x) * h.z,
                             fabs(r->cx.y) * h.x + fabs(r->cy.y) * h.y + fabs(r->cz.y) * h.z,
                             fabs(r->cx.z) * h.x + fabs(r->cy.z) * h.y + fabs(r->cz.z) * h.z);
    hwBox out = {hwSub(center, half), hwAdd(center, half)};
    return out;
}

#endif
