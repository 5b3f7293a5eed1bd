// Peers for what contact asks of geometry that need more than a few calls.
#ifndef HW_BENCH_CONTACT_PEERS_H
#define HW_BENCH_CONTACT_PEERS_H

#include "hawser/math.h"
#include "hawser/shape.h"

// Half-spaces n . x <= d.
typedef struct hwPeerPlane {
    hwVec3 n;
    double d;
} hwPeerPlane;

// Volume of what half-spaces have in common, by qhull: the hull of the planes seen from a point inside is dual to it, and its
// facets are the corners, whose hull has the volume. NaN: qhull failed.
double hwPeer_FindVolume(int count, const hwPeerPlane* planes, hwVec3 inside);

// Seconds that FCL takes for the contacts of a capsule with a mesh; NaN: FCL was not there when this was built. Two points
// of the axis for each capsule.
double hwPeer_TimeCapsules(const hwMeshData* mesh, int count, const hwVec3 (*axes)[2], double radius);

#endif
