// Bodies as signed distances, and round lines (cable elements, capsules) that overlap them.
//
// Along a straight line the signed distance to a convex body is a convex function, so the part of a line nearer than its
// radius is one interval, found by a few evaluations whatever the body is. The overlap of the line with the body is
// integrated over that interval: each piece ds has in common with the body, which is locally flat, a segment of the line's
// cross section, of area S(depth) and width S'(depth). Being an integral along the line, the overlap goes over from one
// element of a cable to the next without a jump, and long contacts and short ones need no different treatment.
#ifndef HW_CONTACT_FIELD_H
#define HW_CONTACT_FIELD_H

#include "geom/convex.h"
#include "geom/mesh_tree.h"

#define HW_SAME_SIDE 0.5 // cosine of 60 degrees

typedef struct hwField {
    hwMat3 r;                     // axes of the body's frame in the world
    hwVec3 p;                     // its origin
    const hwConvex* convex;       // or null:
    int triangleCount;            // triangles of a mesh that are near the line; 0: all of `tree`
    const hwVec3 (*triangles)[3]; // in the body's frame
    const hwMeshTree* tree;       // or a whole mesh
    double reach;                 // m, of a mesh: what is farther from a point is not looked at
    hwVec3 facing; // unit, body's frame: of a mesh only what pushes within 60 degrees of this; zero: all
} hwField;

// Distance of a world point from the surface, negative inside, and its gradient: the unit normal. HUGE_VAL: nothing of a
// mesh is within reach.
double hwField_Measure(const hwField* field, hwVec3 x, hwVec3* normal);
// The same in the body's own frame.
double hwConvex_Measure(const hwConvex* convex, hwVec3 x, hwVec3* normal);
double hwMesh_Measure(const hwMeshTree* tree, hwVec3 x, double reach, hwVec3 facing, hwVec3* normal);

// Where a line from p to q comes nearest to the surface.
typedef struct hwLinePoint {
    double u;        // place, 0..1
    double distance; // m, of the axis from the surface; HUGE_VAL: nothing within reach
    hwVec3 normal;
} hwLinePoint;

// `radius`: a line that stays farther away than this need not be measured to the end.
hwLinePoint hwField_FindNearest(const hwField* field, hwVec3 p, hwVec3 q, double radius);

typedef struct hwLineOverlap {
    double volume;             // m3
    double area;               // m2: how fast the volume grows with depth
    double depth;              // m, largest
    double at, spread;         // mean place of the volume on the line and standard deviation, of its length
    double areaAt, areaSpread; // the same of the area
    hwVec3 normal;             // unit, from the body to the line: mean by volume
    hwVec3 point;              // in the middle of the overlap
    double height;             // m: volume times this is the integral of depth over volume
    double
        together; // 1: all of it pushes along the normal; less where a line goes in at one side and out at another
} hwLineOverlap;

// The overlap of the line from p to q with this radius. False: there is none.
bool hwField_OverlapLine(const hwField* field, hwVec3 p, hwVec3 q, double radius, hwLineOverlap* out);

// Segment of a circle of radius r cut off at `depth` (up to r; deeper it goes on at full width, so that the push grows):
// area, and width of the cut, its derivative.
double hwCircle_Cut(double radius, double depth, double* width);

#endif
