// Measured against the dual construction (hull of the dual points by qhull, Muller & Preparata 1978): 97 microseconds
// there for two boxes, about one here. Clipping also needs no point known to be inside both.
#include "geom/overlap.h"

#include "base/memory.h"
#include "geom/moments.h"

#include <string.h>

typedef struct Face {
    int first, count; // in the ring array
    bool ofA;
} Face;

// A closed polyhedron: rings of vertices around each face, counter-clockwise from outside.
typedef struct Poly {
    int vertexCount, faceCount, ringCount;
    hwVec3* vertices;
    Face* faces;
    int* ring;
} Poly;

typedef struct Clipper {
    Poly poly[2]; // the current one and the next
    int current;
    int capacity;   // of vertices
    int cuts;       // made so far
    double margin;  // height that is rounding: a plane does not cut what it has cut before
    double* height; // above the plane, by old vertex
    int* number;    // new number of a kept vertex; of a dropped one -1
    int* firstCut;  // by kept old vertex: head of the list of its cut edges
    int* cutNext;   // by new vertex, from `base`: next in the list
    int* cutOther;  // the dropped end
    int* lidNext;   // ring of the lid, by new vertex
    hwVec3 center;  // of a ball that holds the current polyhedron
    double radius;
} Clipper;

// A polyhedron of f faces has at most 2 f - 4 vertices and twice 3 f - 6 places in rings; rounding may add a few.
static void LayOverlap(Clipper* clipper, hwArena* arena, int faces) {
    int vertices = 2 * faces + 8;
    clipper->capacity = vertices;
    for (int k = 0; k < 2; ++k) {
        clipper->poly[k].vertices = HW_TAKE(arena, hwVec3, vertices);
        clipper->poly[k].faces = HW_TAKE(arena, Face, faces + 8);
        clipper->poly[k].ring = HW_TAKE(arena, int, 3 * vertices);
    }
    clipper->height = HW_TAKE(arena, double, vertices);
    clipper->number = HW_TAKE(arena, int, vertices);
    clipper->firstCut = HW_TAKE(arena, int, vertices);
    clipper->cutNext = HW_TAKE(arena, int, vertices);
    clipper->cutOther = HW_TAKE(arena, int, vertices);
    clipper->lidNext = HW_TAKE(arena, int, vertices);
}

// Room for two boxes and what is cut from them, laid out by the compiler: most contacts are no larger.
#define SMALL_FACES 18 // and 6 to start from
#define SMALL_VERTICES (2 * SMALL_FACES + 8)
typedef struct SmallRoom {
    hwVec3 vertices[2][SMALL_VERTICES];
    double height[SMALL_VERTICES];
    Face faces[2][SMALL_FACES + 8];
    int ring[2][3 * SMALL_VERTICES];
    int number[SMALL_VERTICES], firstCut[SMALL_VERTICES], cutNext[SMALL_VERTICES];
    int cutOther[SMALL_VERTICES], lidNext[SMALL_VERTICES];
} SmallRoom;

static void LayoutSmall(Clipper* clipper, SmallRoom* room) {
    clipper->capacity = SMALL_VERTICES;
    for (int k = 0; k < 2; ++k) {
        clipper->poly[k].vertices = room->vertices[k];
        clipper->poly[k].faces = room->faces[k];
        clipper->poly[k].ring = room->ring[k];
    }
    clipper->height = room->height;
    clipper->number = room->number;
    clipper->firstCut = room->firstCut;
    clipper->cutNext = room->cutNext;
    clipper->cutOther = room->cutOther;
    clipper->lidNext = room->lidNext;
}

size_t hwOverlap_GetScratchSize(int facesA, int facesB) {
    Clipper clipper;
    hwArena arena = {0};
    LayOverlap(&clipper, &arena, facesA + facesB + 6);
    return arena.used + 2048;
}

static void UpdateBall(Clipper* clipper) {
    const Poly* poly = &clipper->poly[clipper->current];
    hwBox box = hwBox_Empty();
    for (int i = 0; i < poly->vertexCount; ++i) box = hwBox_AddPoint(box, poly->vertices[i]);
    clipper->center = hwScale(0.5, hwAdd(box.low, box.high));
    clipper->radius = 0.5 * hwDistance(box.low, box.high);
}

// The new vertex on the edge from kept to dropped; both faces of the edge ask for it.
static int GetCutVertex(Clipper* clipper, const Poly* old, Poly* next, int kept, int dropped, int base) {
    for (int i = clipper->firstCut[kept]; i >= 0; i = clipper->cutNext[i - base]) {
        if (clipper->cutOther[i - base] == dropped) return i;
    }
    if (next->vertexCount >= clipper->capacity) return -1;
    int i = next->vertexCount++;
    double inside = clipper->height[kept], outside = clipper->height[dropped];
    hwVec3 a = old->vertices[kept], b = old->vertices[dropped];
    next->vertices[i] = hwMulAdd(a, inside / (inside - outside), hwSub(b, a));
    clipper->cutNext[i - base] = clipper->firstCut[kept];
    clipper->firstCut[kept] = i;
    clipper->cutOther[i - base] = dropped;
    clipper->lidNext[i - base] = -1;
    return i;
}

// Keeps what is inside of one face. Where its ring leaves at p and comes back at q it now runs p -> q, and the lid that
// closes the polyhedron runs q -> p.
static bool ClipFace(Clipper* clipper, const Poly* old, Poly* next, const Face* face, int base) {
    const int* ring = old->ring + face->first;
    int first = next->ringCount, leave = -1, pendingEntry = -1;
    int previous = ring[face->count - 1];
    for (int k = 0; k < face->count; ++k) {
        int vertex = ring[k];
        bool was = clipper->number[previous] >= 0, is = clipper->number[vertex] >= 0;
        if (was != is) {
            int cut = was ? GetCutVertex(clipper, old, next, previous, vertex, base)
                          : GetCutVertex(clipper, old, next, vertex, previous, base);
            if (cut < 0) return false;
            next->ring[next->ringCount++] = cut;
            if (was) {
                leave = cut;
            } else if (leave >= 0) {
                clipper->lidNext[cut - base] = leave;
                leave = -1;
            } else {
                pendingEntry = cut; // the way out comes at the end of the ring
            }
        }
        if (is) next->ring[next->ringCount++] = clipper->number[vertex];
        previous = vertex;
    }
    if (pendingEntry >= 0 && leave >= 0) clipper->lidNext[pendingEntry - base] = leave;
    if (next->ringCount > first) {
        next->faces[next->faceCount++] = (Face){first, next->ringCount - first, face->ofA};
    }
    return true;
}

static void AddLids(Clipper* clipper, Poly* next, int base, bool ofA) {
    for (int start = base; start < next->vertexCount; ++start) {
        if (clipper->lidNext[start - base] < 0) continue;
        int first = next->ringCount, at = start;
        while (at >= 0 && clipper->lidNext[at - base] >= 0) {
            next->ring[next->ringCount++] = at;
            int following = clipper->lidNext[at - base];
            clipper->lidNext[at - base] = -1;
            at = following;
        }
        next->faces[next->faceCount++] = (Face){first, next->ringCount - first, ofA};
    }
}

typedef enum ClipResult { CLIP_OK, CLIP_EMPTY, CLIP_FULL } ClipResult;

// Cuts away what is beyond the plane.
static ClipResult ClipPolygon(Clipper* clipper, hwVec3 normal, double offset, bool ofA) {
    double middle = hwDot(normal, clipper->center) - offset;
    if (middle <= clipper->margin - clipper->radius) return CLIP_OK;
    if (middle > clipper->radius) return CLIP_EMPTY;
    const Poly* old = &clipper->poly[clipper->current];
    Poly* next = &clipper->poly[1 - clipper->current];
    int dropped = 0, kept = 0;
    for (int i = 0; i < old->vertexCount; ++i) {
        double h = hwDot(normal, old->vertices[i]) - offset;
        clipper->height[i] = h;
        bool out = h > clipper->margin;
        dropped += out;
        clipper->number[i] = out ? -1 : kept;
        kept += !out;
    }
    if (dropped == 0) return CLIP_OK;
    if (kept == 0) return CLIP_EMPTY;
    for (int i = 0; i < old->vertexCount; ++i) {
        clipper->firstCut[i] = -1;
        if (clipper->number[i] >= 0) next->vertices[clipper->number[i]] = old->vertices[i];
    }
    next->vertexCount = kept;
    next->faceCount = next->ringCount = 0;
    for (int f = 0; f < old->faceCount; ++f) {
        if (next->ringCount + old->faces[f].count + 2 > 3 * clipper->capacity) return CLIP_FULL;
        if (!ClipFace(clipper, old, next, &old->faces[f], kept)) return CLIP_FULL;
    }
    if (next->ringCount + next->vertexCount - kept > 3 * clipper->capacity) return CLIP_FULL;
    AddLids(clipper, next, kept, ofA);
    clipper->current = 1 - clipper->current;
    clipper->cuts += 1;
    UpdateBall(clipper);
    return CLIP_OK;
}

static void StartFromHull(Clipper* clipper, const hwHull* hull) {
    Poly* poly = &clipper->poly[0];
    clipper->current = 0;
    clipper->cuts = 0;
    poly->vertexCount = hull->vertexCount;
    poly->faceCount = hull->faceCount;
    poly->ringCount = hull->faceStart[hull->faceCount];
    for (int i = 0; i < hull->vertexCount; ++i) poly->vertices[i] = hull->vertices[i];
    for (int f = 0; f < hull->faceCount; ++f) {
        poly->faces[f] = (Face){hull->faceStart[f], hull->faceStart[f + 1] - hull->faceStart[f], true};
    }
    for (int i = 0; i < poly->ringCount; ++i) poly->ring[i] = hull->faceVertices[i];
    UpdateBall(clipper);
}

// Second moments of the contact plane about the centroid: those of A's triangles, by their share of the area.
static void IntegratePlane(const Poly* poly, hwOverlap* out) {
    double m[6] = {0.0};
    for (int f = 0; f < poly->faceCount; ++f) {
        const Face* face = &poly->faces[f];
        if (!face->ofA) continue;
        const int* ring = poly->ring + face->first;
        hwVec3 a = hwSub(poly->vertices[ring[0]], out->centroid),
               b = hwSub(poly->vertices[ring[1]], out->centroid);
        for (int k = 2; k < face->count; ++k) {
            hwVec3 c = hwSub(poly->vertices[ring[k]], out->centroid), sum = hwAdd(a, hwAdd(b, c));
            double share = hwDot(hwCross(hwSub(b, a), hwSub(c, a)), out->normal);
            m[0] += share * (a.x * a.x + b.x * b.x + c.x * c.x + sum.x * sum.x);
            m[1] += share * (a.y * a.y + b.y * b.y + c.y * c.y + sum.y * sum.y);
            m[2] += share * (a.z * a.z + b.z * b.z + c.z * c.z + sum.z * sum.z);
            m[3] += share * (a.x * a.y + b.x * b.y + c.x * c.y + sum.x * sum.y);
            m[4] += share * (a.x * a.z + b.x * b.z + c.x * c.z + sum.x * sum.z);
            m[5] += share * (a.y * a.z + b.y * b.z + c.y * c.z + sum.y * sum.z);
            b = c;
        }
    }
    for (int k = 0; k < 6; ++k) out->plane[k] = m[k] / 24.0;
}

// Sums over the polyhedron, in A's frame.
static void IntegrateOverlap(const Clipper* clipper, hwOverlap* out) {
    const Poly* poly = &clipper->poly[clipper->current];
    hwVec3 origin = clipper->center, area = hwVec3_zero, moment = hwVec3_zero;
    hwMoments m = {0};
    for (int f = 0; f < poly->faceCount; ++f) {
        const Face* face = &poly->faces[f];
        const int* ring = poly->ring + face->first;
        hwVec3 a = hwSub(poly->vertices[ring[0]], origin), b = hwSub(poly->vertices[ring[1]], origin);
        for (int k = 2; k < face->count; ++k) {
            hwVec3 c = hwSub(poly->vertices[ring[k]], origin);
            hwMoments_Add(&m, a, b, c);
            if (face->ofA) {
                hwVec3 n = hwCross(hwSub(b, a), hwSub(c, a));
                area = hwAdd(area, n);
                moment = hwAdd(moment, hwCross(hwAdd(a, hwAdd(b, c)), n));
            }
            b = c;
        }
    }
    if (!(m.volume > 0.0)) return;
    hwMoments_Finish(&m);
    hwVec3 g = m.first;
    // of what is as thin as rounding the sums are anything; the centroid of a convex body is inside
    if (hwLengthSquared(g) > clipper->radius * clipper->radius) return;
    out->volume = m.volume;
    memcpy(out->moments, m.second, sizeof(m.second));
    out->centroid = hwAdd(origin, g);
    out->areaVector = hwScale(0.5, area);
    out->areaMoment = hwSub(hwScale(1.0 / 6.0, moment), hwCross(g, out->areaVector));
    out->faceCount = poly->faceCount;
    out->vertexCount = poly->vertexCount;
    out->area = hwLength(out->areaVector);
    // Where it cancels to rounding, one body is inside the other and no direction is better than another.
    double surface = hwCbrt(out->volume);
    if (!(out->area > 1e-10 * surface * surface)) {
        out->area = 0.0;
        return;
    }
    out->normal = hwScale(1.0 / out->area, out->areaVector);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < poly->vertexCount; ++i) {
        double x = hwDot(out->normal, poly->vertices[i]);
        low = hwMin(low, x);
        high = hwMax(high, x);
    }
    out->depth = high - low;
    out->ahead = high - hwDot(out->normal, out->centroid);
    IntegratePlane(poly, out);
}

static void TurnToWorld(hwOverlap* out, hwPose pose) {
    hwMat3 r = hwMat3FromQuat(pose.q);
    out->centroid = hwAdd(pose.p, hwMulMV(r, out->centroid));
    out->areaVector = hwMulMV(r, out->areaVector);
    out->areaMoment = hwMulMV(r, out->areaMoment);
    out->normal = hwMulMV(r, out->normal);
    double* sums[2] = {out->moments, out->plane};
    for (int i = 0; i < 2; ++i) {
        const double* m = sums[i];
        hwMat3 own = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
        hwMat3 turned = hwMulMM(hwMulMM(r, own), hwTransposeMat3(r));
        const double world[6] = {turned.cx.x, turned.cy.y, turned.cz.z,
                                 turned.cy.x, turned.cz.x, turned.cz.y};
        for (int k = 0; k < 6; ++k) sums[i][k] = world[k];
    }
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
    return ClipPolygon(cutter->clipper, n, cutter->hull->planes[face].offset + hwDot(n, cutter->p),
                       cutter->ofA);
}

static ClipResult CutAll(const Cutter* cutter) {
    ClipResult result = CLIP_OK;
    for (int f = 0; f < cutter->hull->faceCount && result == CLIP_OK; ++f) result = CutOne(cutter, f);
    return result;
}

// The face with most of the ball about the polyhedron beyond it.
static int FindDeepest(const Cutter* cutter, double* beyond) {
    const hwHull* hull = cutter->hull;
    hwVec3 center = hwMulTV(cutter->r, hwSub(cutter->clipper->center, cutter->p));
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
    TurnToWorld(out, poseA);
    return true;
}
