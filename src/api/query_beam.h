// Rays of a narrow beam, which begin at one place: what may be in their way is looked up once for all of them.
#ifndef HW_API_QUERY_BEAM_H
#define HW_API_QUERY_BEAM_H

#include "geom/box_tree.h"
#include "hawser/query.h"

#define HW_BEAM_ITEMS 64

typedef struct hwQueryBeam {
    const hwWorld* world;
    hwQueryFilter filter;
    hwWedge wedge;
    int count; // of what may be in the way; more than there is room for: rays look for themselves
    int items[HW_BEAM_ITEMS];      // of the snapshot, nearest boxes first
    double nearest[HW_BEAM_ITEMS]; // m
} hwQueryBeam;

// The filter has been made by hwDefaultQueryFilter, there is a snapshot, and the wedge is finite.
void hwQueryBeam_Aim(hwQueryBeam* beam, const hwWorld* world, const hwQueryFilter* filter,
                     const hwWedge* wedge);
// As hwWorld_CastRay does, for a unit vector within the wedge and as far as it reaches. False: nothing is in the way.
bool hwQueryBeam_Cast(const hwQueryBeam* beam, hwVec3 direction, hwQueryHit* hit);

#endif
