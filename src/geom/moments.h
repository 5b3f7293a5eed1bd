// Integrals over a solid as a sum of signed tetrahedra from one point to the triangles of its surface (divergence theorem): for
// corners 0, a, b, c the volume is det/6, the first moment det/24 (a + b + c), and the second moment
// det/120 (a aT + b bT + c cT + (a + b + c)(a + b + c)T), with det = a . (b x c).
#ifndef HW_GEOM_MOMENTS_H
#define HW_GEOM_MOMENTS_H

#include "hawser/math.h"

typedef struct hwMoments {
    double volume;    // times 6 while it is summed
    hwVec3 first;     // times 24; then the centroid from the common corner
    double second[6]; // times 120; then about the centroid: xx, yy, zz, xy, xz, yz
} hwMoments;

static inline void hwMoments_Add(hwMoments* m, hwVec3 a, hwVec3 b, hwVec3 c) {
    hwVec3 s = hwAdd(a, hwAdd(b, c));
    double det = hwDot(a, hwCross(b, c));
    m->volume += det;
    m->first = hwMulAdd(m->first, det, s);
    m->second[0] += det * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
    m->second[1] += det * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
    m->second[2] += det * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
    m->second[3] += det * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
    m->second[4] += det * (a.x * a.z + b.x * b.z + c.x * c.z + s.x * s.z);
    m->second[5] += det * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
}

// Turns the sums into volume, centroid and second moments about it; the volume must not be zero.
static inline void hwMoments_Finish(hwMoments* m) {
    hwVec3 g = hwScale(0.25 / m->volume, m->first);
    const double shift[6] = {g.x * g.x, g.y * g.y, g.z * g.z, g.x * g.y, g.x * g.z, g.y * g.z};
    m->volume /= 6.0;
    m->first = g;
    for (int k = 0; k < 6; ++k) m->second[k] = m->second[k] / 120.0 - m->volume * shift[k];
}

#endif
