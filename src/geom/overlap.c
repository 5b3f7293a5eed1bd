// Measured against the dual construction (hull of the dual points by qhull, Muller & Preparata 1978): 97 microseconds
// there for two boxes, about one here. Clipping also needs no point known to be inside both.
#include "geom/overlap.h"

#include "base/memory.h"
#include "math/lanes.h"
#include "math/wide.h"

#include <string.h>

typedef struct Face {
    int first, count; // in the ring array
    bool ofA;
} Face;

// A closed polyhedron: rings of vertices around each face, counter-clockwise from outside. What a plane does not cut stays where it
// is, and new vertices and rings are added behind; what is no longer in use is cleared away when there is no room.
typedef struct Clipper {
    hwWide* vertices;
    int* live; // vertices in use
    Face* faces;
    int* ring;
    int* spareRing; // for clearing away
    int vertexCount, liveCount, faceCount, ringCount;
    int vertexRoom, faceRoom, ringRoom; // of the spare, too
    int ringLive;                       // places of rings in use
    int cuts;                           // made so far
    double margin;             // height that is rounding: a plane does not cut what it has cut before
    double* height;            // above the plane, by vertex
    bool* out;                 // beyond it
    int* number;               // by vertex, while clearing away
    int *cutKept, *cutDropped; // ends of the edges that the plane cuts, by new vertex
    int* lidNext;              // ring of the lid, likewise
    hwWide center;             // of a ball that holds the polyhedron
    double radius;
} Clipper;

// A polyhedron of f faces has at most 2 f - 4 vertices and twice 3 f - 6 places in rings; rounding may add a few, and more than as
// many again are behind.
#define RING_ROOM 4
static void LayOverlap(Clipper* clipper, hwArena* arena, int faces) {
    int vertices = 2 * (2 * faces + 8), ring = RING_ROOM * vertices;
    clipper->vertexRoom = vertices;
    clipper->faceRoom = faces + 8;
    clipper->ringRoom = ring;
    clipper->vertices = HW_TAKE(arena, hwWide, vertices);
    clipper->height = HW_TAKE(arena, double, vertices);
    clipper->faces = HW_TAKE(arena, Face, faces + 8);
    clipper->ring = HW_TAKE(arena, int, ring);
    clipper->spareRing = HW_TAKE(arena, int, ring);
    int** byVertex[] = {&clipper->live, &clipper->number, &clipper->cutKept, &clipper->cutDropped,
                        &clipper->lidNext};
    for (size_t i = 0; i < sizeof(byVertex) / sizeof(byVertex[0]); ++i)
        *byVertex[i] = HW_TAKE(arena, int, vertices);
    clipper->out = HW_TAKE(arena, bool, vertices);
}

// Room for two boxes and what is cut from them, laid out by the compiler: most contacts are no larger.
#define SMALL_FACES 18 // and 6 to start from
#define SMALL_VERTICES (2 * (2 * SMALL_FACES + 8))
typedef struct SmallRoom {
    hwWide vertices[SMALL_VERTICES];
    double height[SMALL_VERTICES];
    Face faces[SMALL_FACES + 8];
    int ring[2][RING_ROOM * SMALL_VERTICES];
    int live[SMALL_VERTICES], number[SMALL_VERTICES], cutKept[SMALL_VERTICES], cutDropped[SMALL_VERTICES];
    int lidNext[SMALL_VERTICES];
    bool out[SMALL_VERTICES];
} SmallRoom;

static void LayoutSmall(Clipper* clipper, SmallRoom* room) {
    clipper->vertexRoom = SMALL_VERTICES;
    clipper->faceRoom = SMALL_FACES + 8;
    clipper->ringRoom = RING_ROOM * SMALL_VERTICES;
    clipper->vertices = room->vertices;
    clipper->height = room->height;
    clipper->faces = room->faces;
    clipper->ring = room->ring[0];
    clipper->spareRing = room->ring[1];
    clipper->live = room->live;
    clipper->number = room->number;
    clipper->cutKept = room->cutKept;
    clipper->cutDropped = room->cutDropped;
    clipper->lidNext = room->lidNext;
    clipper->out = room->out;
}

size_t hwOverlap_GetScratchSize(int facesA, int facesB) {
    Clipper clipper;
    hwArena arena = {0};
    LayOverlap(&clipper, &arena, facesA + facesB + 6);
    return arena.used + 2048;
}

static void UpdateBall(Clipper* clipper) {
    hwWide low = clipper->vertices[clipper->live[0]], high = low;
    for (int k = 1; k < clipper->liveCount; ++k) {
        hwWide v = clipper->vertices[clipper->live[k]];
        low = Select4(v < low, v, low);
        high = Select4(v > high, v, high);
    }
    hwWide across = high - low;
    clipper->center = 0.5 * (low + high);
    clipper->radius = 0.5 * sqrt(hwWide_Dot(across, across));
}

// Vertices in use become the first ones, rings lie one behind the other.
static void ClearAway(Clipper* clipper) {
    for (int k = 0; k < clipper->liveCount; ++k) {
        int i = clipper->live[k]; // in rising order: nothing is written over before it is moved
        clipper->vertices[k] = clipper->vertices[i];
        clipper->number[i] = clipper->live[k] = k;
    }
    int count = 0, *rings = clipper->spareRing;
    for (int f = 0; f < clipper->faceCount; ++f) {
        Face* face = &clipper->faces[f];
        const int* ring = clipper->ring + face->first;
        face->first = count;
        for (int k = 0; k < face->count; ++k) rings[count++] = clipper->number[ring[k]];
    }
    clipper->spareRing = clipper->ring;
    clipper->ring = rings;
    clipper->ringCount = count;
    clipper->vertexCount = clipper->liveCount;
}

// The new vertex on the edge from kept to dropped; both faces of the edge ask for it.
static inline int GetCutVertex(Clipper* clipper, int kept, int dropped, int base) {
    const int *keptEnds = clipper->cutKept, *droppedEnds = clipper->cutDropped;
    int count = clipper->vertexCount - base, i = base + count;
    for (int k = 0; k < count; ++k) {
        if (keptEnds[k] == kept && droppedEnds[k] == dropped) return base + k;
    }
    if (i >= clipper->vertexRoom) return -1;
    clipper->vertexCount = i + 1;
    double inside = clipper->height[kept], outside = clipper->height[dropped];
    hwWide a = clipper->vertices[kept], b = clipper->vertices[dropped];
    clipper->vertices[i] = a + (inside / (inside - outside)) * (b - a);
    clipper->cutKept[count] = kept;
    clipper->cutDropped[count] = dropped;
    clipper->lidNext[count] = -1;
    return i;
}

// Keeps what is inside of one face. Where its ring leaves at p and comes back at q it now runs p -> q, and the lid that
// closes the polyhedron runs q -> p.
static inline bool ClipFace(Clipper* clipper, Face* face, int base) {
    int count = face->count, first = clipper->ringCount, leave = -1, pendingEntry = -1;
    const int* ring = clipper->ring + face->first;
    int *next = clipper->ring + first, *at = next, previous = ring[count - 1];
    const bool* out = clipper->out;
    if (first + 2 * count > clipper->ringRoom)
        return false; // rounding may bend a ring and have it cut everywhere
    for (int k = 0; k < count; ++k) {
        int vertex = ring[k];
        if (out[previous] != out[vertex]) {
            bool leaves = out[vertex];
            int cut = leaves ? GetCutVertex(clipper, previous, vertex, base)
                             : GetCutVertex(clipper, vertex, previous, base);
            if (cut < 0) return false;
            *at++ = cut;
            if (leaves) {
                leave = cut;
            } else if (leave >= 0) {
                clipper->lidNext[cut - base] = leave;
                leave = -1;
            } else {
                pendingEntry = cut; // the way out comes at the end of the ring
            }
        }
        if (!out[vertex]) *at++ = vertex;
        previous = vertex;
    }
    if (pendingEntry >= 0 && leave >= 0) clipper->lidNext[pendingEntry - base] = leave;
    face->first = first;
    face->count = (int)(at - next);
    clipper->ringCount = first + face->count;
    return true;
}

static bool AddLids(Clipper* clipper, int base, bool ofA) {
    int count = clipper->vertexCount - base, *lidNext = clipper->lidNext;
    if (clipper->ringCount + count > clipper->ringRoom) return false;
    for (int start = 0; start < count; ++start) {
        if (lidNext[start] < 0) continue;
        int first = clipper->ringCount, *next = clipper->ring + first, size = 0;
        for (int k = start; lidNext[k] >= 0;) {
            int following = lidNext[k] - base;
            next[size++] = base + k;
            lidNext[k] = -1;
            k = following;
        }
        if (clipper->faceCount >= clipper->faceRoom) return false;
        clipper->faces[clipper->faceCount++] = (Face){first, size, ofA};
        clipper->ringCount = first + size;
        clipper->ringLive += size;
    }
    return true;
}

typedef enum ClipResult { CLIP_OK, CLIP_EMPTY, CLIP_FULL } ClipResult;

static bool ClipFaces(Clipper* clipper, int base) {
    int count = clipper->faceCount, left = 0, live = 0;
    Face* faces = clipper->faces;
    const bool* out = clipper->out;
    for (int f = 0; f < count; ++f) {
        Face face = faces[f];
        const int* ring = clipper->ring + face.first;
        bool beyond = out[ring[0]];
        int k = 1;
        while (k < face.count && out[ring[k]] == beyond) k += 1;
        if (k < face.count) {
            if (!ClipFace(clipper, &face, base)) return false;
        } else if (beyond) {
            continue;
        }
        live += face.count;
        faces[left++] = face;
    }
    clipper->faceCount = left;
    clipper->ringLive = live;
    return true;
}

// Cuts away what is beyond the plane.
static ClipResult ClipPolygon(Clipper* clipper, hwWide normal, double offset, bool ofA) {
    double middle = hwWide_Dot(normal, clipper->center) - offset;
    if (middle <= clipper->margin - clipper->radius) return CLIP_OK;
    if (middle > clipper->radius) return CLIP_EMPTY;
    int dropped = 0, base = clipper->vertexCount, count = clipper->liveCount, kept = 0, *live = clipper->live;
    double *height = clipper->height, margin = clipper->margin;
    bool* out = clipper->out;
    for (int k = 0; k < count; ++k) {
        int i = live[k];
        height[i] = hwWide_Dot(normal, clipper->vertices[i]) - offset;
        out[i] = height[i] > margin;
        dropped += out[i];
    }
    if (dropped == 0) return CLIP_OK;
    if (dropped == count) return CLIP_EMPTY;
    if (!ClipFaces(clipper, base) || !AddLids(clipper, base, ofA)) return CLIP_FULL;
    for (int k = 0; k < count; ++k) {
        int i = live[k];
        if (!out[i]) live[kept++] = i;
    }
    for (int i = base; i < clipper->vertexCount; ++i) live[kept++] = i;
    clipper->liveCount = kept;
    clipper->cuts += 1;
    UpdateBall(clipper);
    // the next plane adds a vertex to each face it cuts, two places to its ring, and a lid
    if (clipper->vertexCount + clipper->faceCount > clipper->vertexRoom ||
        clipper->ringCount + clipper->ringLive + 3 * clipper->faceCount > clipper->ringRoom)
        ClearAway(clipper);
    return CLIP_OK;
}

static void StartFromHull(Clipper* clipper, const hwHull* hull) {
    clipper->cuts = 0;
    clipper->vertexCount = clipper->liveCount = hull->vertexCount;
    clipper->faceCount = hull->faceCount;
    clipper->ringCount = clipper->ringLive = hull->faceStart[hull->faceCount];
    for (int i = 0; i < hull->vertexCount; ++i) {
        clipper->vertices[i] = hwWide_FromVec3(hull->vertices[i]);
        clipper->live[i] = i;
    }
    for (int f = 0; f < hull->faceCount; ++f) {
        clipper->faces[f] = (Face){hull->faceStart[f], hull->faceStart[f + 1] - hull->faceStart[f], true};
    }
    memcpy(clipper->ring, hull->faceVertices, (size_t)clipper->ringCount * sizeof(int));
    UpdateBall(clipper);
}

// Second moments of the contact plane about the centroid: those of A's triangles, by their share of the area.
static void IntegratePlane(const Clipper* clipper, hwWide centroid, hwWide normal, hwOverlap* out) {
    hwWide squares = hwWide_Zero(), products = hwWide_Zero(); // xx yy zz, yz zx xy
    for (int f = 0; f < clipper->faceCount; ++f) {
        const Face* face = &clipper->faces[f];
        if (!face->ofA) continue;
        const int* ring = clipper->ring + face->first;
        hwWide a = clipper->vertices[ring[0]] - centroid, b = clipper->vertices[ring[1]] - centroid;
        for (int k = 2; k < face->count; ++k) {
            hwWide c = clipper->vertices[ring[k]] - centroid, sum = a + (b + c);
            double share = hwWide_Dot(hwWide_Cross(b - a, c - a), normal);
            squares += share * (a * a + b * b + c * c + sum * sum);
            products += share * (hwWide_Rotate(a) * hwWide_Rotate(hwWide_Rotate(a)) +
                                 hwWide_Rotate(b) * hwWide_Rotate(hwWide_Rotate(b)) +
                                 hwWide_Rotate(c) * hwWide_Rotate(hwWide_Rotate(c)) +
                                 hwWide_Rotate(sum) * hwWide_Rotate(hwWide_Rotate(sum)));
            b = c;
        }
    }
    for (int k = 0; k < 3; ++k) {
        out->plane[k] = squares[k] / 24.0;
        out->plane[5 - k] = products[k] / 24.0;
    }
}

// Sums over the polyhedron, in A's frame: of signed tetrahedra from the middle of its ball to the triangles of its surface
// (divergence theorem, as in geom/moments.h, which has second moments, too).
static void IntegrateOverlap(const Clipper* clipper, hwOverlap* out) {
    hwWide origin = clipper->center, area = hwWide_Zero(), moment = hwWide_Zero(), first = hwWide_Zero();
    double volume = 0.0;
    for (int f = 0; f < clipper->faceCount; ++f) {
        const Face* face = &clipper->faces[f];
        const int* ring = clipper->ring + face->first;
        hwWide a = clipper->vertices[ring[0]] - origin, b = clipper->vertices[ring[1]] - origin;
        for (int k = 2; k < face->count; ++k) {
            hwWide c = clipper->vertices[ring[k]] - origin, sum = a + (b + c);
            hwWide n = hwWide_Cross(b - a, c - a);
            double det = hwWide_Dot(a, n);
            volume += det;
            first += det * sum;
            if (face->ofA) {
                area += n;
                moment += hwWide_Cross(sum, n);
            }
            b = c;
        }
    }
    if (!(volume > 0.0)) return;
    hwWide g = (0.25 / volume) * first;
    // of what is as thin as rounding the sums are anything; the centroid of a convex body is inside
    if (hwWide_Dot(g, g) > clipper->radius * clipper->radius) return;
    area *= 0.5;
    hwWide centroid = origin + g;
    out->volume = volume / 6.0;
    out->centroid = hwWide_ToVec3(centroid);
    out->areaVector = hwWide_ToVec3(area);
    out->areaMoment = hwWide_ToVec3((1.0 / 6.0) * moment - hwWide_Cross(g, area));
    out->faceCount = clipper->faceCount;
    out->vertexCount = clipper->liveCount;
    out->area = sqrt(hwWide_Dot(area, area));
    // Where it cancels to rounding, one body is inside the other and no direction is better than another.
    double surface = hwCbrt(out->volume);
    if (!(out->area > 1e-10 * surface * surface)) {
        out->area = 0.0;
        return;
    }
    hwWide normal = (1.0 / out->area) * area;
    out->normal = hwWide_ToVec3(normal);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < clipper->liveCount; ++k) {
        double x = hwWide_Dot(normal, clipper->vertices[clipper->live[k]]);
        low = hwMin(low, x);
        high = hwMax(high, x);
    }
    out->depth = high - low;
    out->ahead = high - hwWide_Dot(normal, centroid);
    IntegratePlane(clipper, centroid, normal, out);
}

static void TurnToWorld(hwOverlap* out, hwPose pose, const hwMat3* r) {
    out->centroid = hwAdd(pose.p, hwMulMV(*r, out->centroid));
    out->areaVector = hwMulMV(*r, out->areaVector);
    out->areaMoment = hwMulMV(*r, out->areaMoment);
    out->normal = hwMulMV(*r, out->normal);
    const double* m = out->plane;
    hwMat3 own = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
    hwMat3 turned = hwMulMM(hwMulMM(*r, own), hwTransposeMat3(*r));
    const double world[6] = {turned.cx.x, turned.cy.y, turned.cz.z, turned.cy.x, turned.cz.x, turned.cz.y};
    memcpy(out->plane, world, sizeof(world));
}

static const hwHull* GetPolyhedron(const hwConvex* convex, hwBoxHull* storage) {
    if (convex->radius > 0.0) return NULL;
    if (convex->kind == HW_CONVEX_HULL) return convex->hull;
    if (convex->kind != HW_CONVEX_BOX) return NULL;
    if (convex->hull != NULL) return convex->hull;
    hwBoxHull_Init(storage, convex->half);
    return &storage->hull;
}

typedef struct Cutter {
    Clipper* clipper;
    hwMat3 r; // of the planes' frame
    hwVec3 p;
    const hwHull* hull;
    bool ofA;
} Cutter;

static ClipResult CutOne(const Cutter* cutter, int face) {
    hwVec3 n = hwMulMV(cutter->r, cutter->hull->planes[face].normal);
    return ClipPolygon(cutter->clipper, hwWide_FromVec3(n),
                       cutter->hull->planes[face].offset + hwDot(n, cutter->p), cutter->ofA);
}

static ClipResult CutAll(const Cutter* cutter) {
    ClipResult result = CLIP_OK;
    for (int f = 0; f < cutter->hull->faceCount && result == CLIP_OK; ++f) result = CutOne(cutter, f);
    return result;
}

// The face with most of the ball about the polyhedron beyond it.
static int FindDeepest(const Cutter* cutter, double* beyond) {
    const hwHull* hull = cutter->hull;
    hwVec3 center = hwMulTV(cutter->r, hwSub(hwWide_ToVec3(cutter->clipper->center), cutter->p));
    int best = 0;
    *beyond = -HUGE_VAL;
    for (int f = 0; f < hull->faceCount; ++f) {
        double above = hwDot(hull->planes[f].normal, center) - hull->planes[f].offset;
        if (above > *beyond) {
            *beyond = above;
            best = f;
        }
    }
    return best;
}

// Cuts by the deepest faces of both hulls in turn: what is left is soon small, and the other faces pass by.
static ClipResult CutDeepest(const Cutter* byA, const Cutter* byB) {
    for (int round = 0; round < 16; ++round) {
        double beyondA, beyondB, radius = byA->clipper->radius;
        int faceA = FindDeepest(byA, &beyondA), faceB = FindDeepest(byB, &beyondB);
        if (beyondA < -0.5 * radius && beyondB < -0.5 * radius) break;
        int cuts = byA->clipper->cuts;
        ClipResult result = beyondA >= -0.5 * radius ? CutOne(byA, faceA) : CLIP_OK;
        if (result == CLIP_OK && beyondB >= -0.5 * radius) result = CutOne(byB, faceB);
        if (result != CLIP_OK) return result;
        if (byA->clipper->cuts == cuts) break;
    }
    return CLIP_OK;
}

// Small hulls are clipped as they are; from large ones first a box about the common part is cut.
#define START_FACES 12

bool hwConvex_FindOverlap(const hwConvex* a, hwPose poseA, const hwConvex* b, hwPose poseB, void* scratch,
                          size_t size, hwOverlap* out) {
    *out = (hwOverlap){0};
    hwBoxHull boxA, boxB, start;
    const hwHull *hullA = GetPolyhedron(a, &boxA), *hullB = GetPolyhedron(b, &boxB);
    if (hullA == NULL || hullB == NULL) return false;
    Clipper clipper;
    SmallRoom room;
    int faces = hullA->faceCount + hullB->faceCount + 6;
    if (faces <= SMALL_FACES) {
        LayoutSmall(&clipper, &room);
    } else {
        hwArena arena = {0};
        LayOverlap(&clipper, &arena, faces);
        size_t slack = (size_t)(-(intptr_t)scratch & (HW_ARENA_ALIGN - 1));
        // Sizes grow in proportion to the faces; alignment may waste 64 bytes for each of 12 arrays.
        size_t usable = scratch != NULL && size > slack + 2048 ? size - slack - 1024 : 0;
        if (usable < arena.used) {
            faces = (int)((double)faces * (double)usable / (double)arena.used) - 2;
            if (faces < 2 * START_FACES) return false;
        }
        arena = (hwArena){(char*)scratch + slack, 0};
        LayOverlap(&clipper, &arena, faces);
    }
    hwMat3 ra = hwMat3FromQuat(poseA.q), rb = hwMat3FromQuat(poseB.q);
    hwMat3 r = {hwMulTV(ra, rb.cx), hwMulTV(ra, rb.cy), hwMulTV(ra, rb.cz)};
    hwVec3 p = hwMulTV(ra, hwSub(poseB.p, poseA.p));
    clipper.margin = 1e-15 * (hullA->radius + hullB->radius);
    Cutter byA = {&clipper, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, hullA, true};
    Cutter byB = {&clipper, r, p, hullB, false};
    hwBox box = hwBox_Transform(&hullB->bounds, p, &r);
    if (!hwBox_Overlaps(&box, &hullA->bounds)) return true;
    ClipResult result = CLIP_OK;
    if (hullA->faceCount <= START_FACES) {
        StartFromHull(&clipper, hullA);
        // after the deepest face little is left for the others
        double beyond;
        int face = FindDeepest(&byB, &beyond);
        result = CutOne(&byB, face);
    } else {
        box = (hwBox){hwMaxVec3(box.low, hullA->bounds.low), hwMinVec3(box.high, hullA->bounds.high)};
        // A margin lets the hull's own faces cut the box's away.
        hwVec3 half = hwScale(0.5 * (1.0 + 1e-3), hwSub(box.high, box.low)),
               middle = hwScale(0.5, hwAdd(box.low, box.high));
        double margin = 1e-3 * hullA->radius;
        hwBoxHull_Init(&start, hwAdd(half, hwMakeVec3(margin, margin, margin)));
        for (int i = 0; i < 8; ++i) start.vertices[i] = hwAdd(start.vertices[i], middle);
        StartFromHull(&clipper, &start.hull);
        result = CutDeepest(&byA, &byB);
        if (result == CLIP_OK) result = CutAll(&byA);
    }
    if (result == CLIP_OK) result = CutAll(&byB);
    if (result == CLIP_FULL) return false;
    if (result == CLIP_EMPTY) return true;
    IntegrateOverlap(&clipper, out);
    TurnToWorld(out, poseA, &ra);
    return true;
}
