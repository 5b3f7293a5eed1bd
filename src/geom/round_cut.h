// Cylinders and capsules cut by a plane, in the plane of their axis and the plane's normal.
#ifndef HW_GEOM_ROUND_CUT_H
#define HW_GEOM_ROUND_CUT_H

// A part of the cut. `w` runs in the cut across the level lines: w = cosine x - sine z. The cut is symmetric about it.
typedef struct hwCutPiece {
    double area;
    double center;      // w of the centroid
    double slopeMoment; // integral of (w - center)^2
    double levelMoment; // integral of y^2
} hwCutPiece;

// The part where sine x + cosine z < offset, with z the shape's axis and its centre the origin.
typedef struct hwRoundCut {
    double volume;
    double across; // integral of x over the volume
    double along;  // integral of z over the volume
    hwCutPiece piece;
} hwRoundCut;

// sine^2 + cosine^2 = 1, both not negative.
hwRoundCut hwCutCylinder(double radius, double length, double cosine, double sine, double offset);
hwRoundCut hwCutCapsule(double radius, double length, double cosine, double sine, double offset);

#endif
