// Ways home on which the tether is never wound more than before.
//
// What is left of a tight tether on the way home along it is wound no more than the whole, where there are piles alone. Not so where it
// goes round a brace beside a leg: a way round that may lead past behind the leg, as seen from the boat, and back, and the leg's
// number is 1 in between. Slid along the brace, the tether stays in its class, and the way round it need not pass behind the leg.
#include "parts/entanglement/entanglement.h"
#include "tether/space.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 4000    // way-points: of longer ways none are sought
#define SAMPLED 0.33 // of the clearance: places of the way at which windings are counted
#define ALONG 1.25   // of the clearance: steps in which arcs are slid,
#define STEPS 8      // so many to either side
#define ARCS 2       // that are slid, one after the other
#define LONGER 1.5   // of the length of the way as it is: as long as a detour may be

typedef struct Search {
    const hwWorld* world;
    const hwWatch* watch;
    const hwWatchTools* tools;
    double radius, clearance;
    hwTetherWaypoint* route; // [ROOM]
    hwVec3* line;            // [ROOM]
} Search;

static int SumWindings(const Search* search, hwPolyline rest) {
    hwVec3 room[2];
    hwPolyline reference = hwWatch_GetReference(search->world, search->watch, rest, room);
    int sum = 0;
    for (int i = 0; i < search->watch->pieceCount; ++i) {
        const hwTetherFeature* feature = &search->tools->features[i];
        if (feature->isAxis) sum += abs(hwTether_CountWinding(rest, reference, &feature->axis).count);
    }
    return sum;
}

// Metres of a way on which the sum of windings is more than it was before, and its length.
static double MeasureGrowth(const Search* search, int count, const hwTetherWaypoint* route, double* length) {
    hwVec3* line = search->line; // from end a on
    for (int i = 0; i < count; ++i) line[i] = route[count - 1 - i].point;
    int least = INT_MAX;
    double grown = 0.0;
    *length = hwTether_GetLength((hwPolyline){count, line});
    for (int i = count - 1; i > 0; --i) {
        hwVec3 from = line[i], leg = hwSub(line[i - 1], from);
        double size = hwLength(leg);
        int pieces = (int)hwClamp(ceil(size / (SAMPLED * search->clearance)), 1.0, 1000.0);
        for (int k = 0; k < pieces; ++k) {
            line[i] = hwMulAdd(from, (double)k / pieces, leg);
            int sum = SumWindings(search, (hwPolyline){i + 1, line});
            if (sum < least) least = sum;
            if (sum > least) grown += size / pieces;
        }
    }
    return grown;
}

// One arc of `tight` slid to where the way home grows least, and that way into `route`. Returns its way-points; 0: none is better.
static int SlideOneArc(Search* search, hwPolyline tight, double longest, double* grown, hwVec3* room,
                       hwVec3* moved, hwTetherWaypoint* route) {
    const hwTetherSpace* space = search->watch->space;
    hwTetherArc arcs[HW_HAUL_ARCS];
    int found = hwTetherSpace_FindArcs(space, tight, search->radius, NULL, HW_HAUL_ARCS, arcs), best = 0;
    size_t bytes = (size_t)tight.count * sizeof(hwVec3);
    if (found > HW_HAUL_ARCS) found = HW_HAUL_ARCS;
    for (int n = 0; *grown > 0.0 && n < 2 * found; ++n) {
        const hwTetherArc* arc = &arcs[n / 2];
        double step = (n % 2 == 0 ? -ALONG : ALONG) * search->clearance, length;
        bool last = false; // one step more than is needed, for a vehicle does not keep to its way exactly
        for (int k = 1; k <= STEPS && !last; ++k) {
            last = !(*grown > 0.0);
            memcpy(room, tight.points, bytes);
            if (!hwTetherSpace_MoveArc(space, tight.count, room, search->radius, arc, k * step)) break;
            int count = hwTetherSpace_FindRoute(space, (hwPolyline){tight.count, room}, search->radius,
                                                search->clearance, ROOM, search->route);
            if (count < 2 || count > ROOM) continue;
            double now = MeasureGrowth(search, count, search->route, &length);
            bool better = now < *grown || (last && !(now > 0.0));
            if (!better || length > longest) continue;
            *grown = now;
            best = count;
            memcpy(moved, room, bytes);
            memcpy(route, search->route, (size_t)count * sizeof(hwTetherWaypoint));
        }
    }
    return best;
}

int hwWatch_FindDetour(const hwWorld* world, int number, hwPolyline tight, double radius, double clearance,
                       int count, int capacity, hwTetherWaypoint* route) {
    if (count < 2 || count > ROOM || count > capacity || tight.count < 3 || !(clearance > 0.0)) return count;
    size_t points = (size_t)(3 * tight.count + ROOM) * sizeof(hwVec3);
    hwVec3* block = hwAllocate(&world->allocator, points + 2 * ROOM * sizeof(hwTetherWaypoint));
    if (block == NULL) return count; // the way is as good as it was
    Search search = {.world = world,
                     .watch = &world->model.entanglement->watches[number],
                     .tools = hwWatch_Measure(world, number),
                     .radius = radius,
                     .clearance = clearance,
                     .line = block};
    hwVec3 *room = block + ROOM, *base = room + tight.count, *moved = base + tight.count;
    search.route = (hwTetherWaypoint*)(void*)(moved + tight.count);
    hwTetherWaypoint* best = search.route + ROOM;
    double length, grown = MeasureGrowth(&search, count, route, &length), longest = LONGER * length;
    memcpy(base, tight.points, (size_t)tight.count * sizeof(hwVec3));
    int found = 0;
    for (int i = 0; i < ARCS && grown > 0.0; ++i) {
        found = SlideOneArc(&search, (hwPolyline){tight.count, base}, longest, &grown, room, moved, best);
        if (found == 0) break;
        memcpy(base, moved, (size_t)tight.count * sizeof(hwVec3));
    }
    if (found > 0 && !(grown > 0.0)) { // less growth for a longer way is no bargain
        count = found;
        memcpy(route, best, (size_t)(count < capacity ? count : capacity) * sizeof(hwTetherWaypoint));
    }
    hwRelease(&world->allocator, block);
    return count;
}
