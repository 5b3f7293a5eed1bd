// Cells of a random sea: what a point that moves little needs of it, at a hundredth of the cost of its sums.
//
// Under water the flow of linear waves is smooth, the smoother the deeper: at the depth d only waves longer than a few d are
// felt. A cell is a cube of d/8 around a point of a fixed lattice and a piece of time between two points of another. At its
// middle and at both times it holds the exact sums of velocity, its first and second derivatives in space, and the rates of
// all of them. Within it velocities are Taylor's series in space, whose coefficients are cubic Hermite polynomials in time.
//
// Lattices do not depend on what was asked before, so a cell is a function of the place and the time alone: a point that
// keeps its cell, one that has lost it and a restored state get the same bits. Errors are below HW_CELL_ERROR of the
// greatest orbital speed of a regular wave with the sea's energy and peak (test/env/test_wave_cells.c), against sums in full.
#ifndef HW_ENV_WAVE_CELLS_H
#define HW_ENV_WAVE_CELLS_H

#include "env/waves.h"
#include "math/lanes.h"

// A sea has cells from this many harmonics on: with fewer, sums are as fast.
#define HW_CELL_WAVES 32
// m, of a point below the mean surface from which on it uses cells, or the sea's significant height where that is more:
// above, they would be too small to last, and troughs would come near.
#define HW_CELL_DEPTH 4.0
#define HW_CELL_ERROR 1e-3

// Of the flow: velocity (3), first derivatives (xx xy yy xz yz) and second ones (xxx xxy xyy yyy xxz xyz yyz) of the
// potential's gradient; those with zz follow from the potential's Laplace equation. Of the surface: height, its two first
// and three second derivatives. One entry of each is unused.
#define HW_CELL_TERMS 16
#define HW_SURFACE_TERMS 8

// Products of each harmonic's numbers by which its cosine and sine count in these sums.
typedef struct hwWaveWeights {
    double depth; // m, from which on there are cells
    double *xx, *xy, *yy, *xz, *yz;
    double *xxx, *xxy, *xyy, *yyy, *xxz, *xyz, *yyz;
    double *one, *kxx, *kxy, *kyy;
} hwWaveWeights;

// Terms of the surface, then of the flow. Both in one array, so that a loop runs over all.
#define HW_CELL_ALL (HW_SURFACE_TERMS + HW_CELL_TERMS)

// What one point remembers. All zero: nothing.
typedef struct hwWaveCell {
    int level;                                          // depths from 2^level m to twice that; 0: none
    int64_t x, y, slot;                                 // of the lattices in the horizontal and of time
    int64_t z;                                          // in the vertical, of the flow's terms
    bool hasFlow;                                       // the flow's terms are of z
    double value[2][HW_CELL_ALL], rate[2][HW_CELL_ALL]; // sums at the beginning and the end of the slot
    double cubic[4][HW_CELL_ALL]; // in between, by powers of the share of the slot that has gone
    // The polynomials at one time, for the next point that asks for it: terms and their rates.
    double time;
    bool blendedSurface, blendedFlow;
    double blend[HW_CELL_ALL], blendRate[HW_CELL_ALL];
    int lent; // 0 or less: the point's cell is that of the point so many places before it in the list, see hwWaveCell_Find
} hwWaveCell;

// The sea at a point. With growth by g (see hwEnvironment_GetGrowth) the surface is at g times the height, and the flow is
// that at the height stretched to it; both are given without the factor.
typedef struct hwCellSample {
    double elevation, rate, slopeX, slopeY;
    hwVec3 velocity, acceleration;
} hwCellSample;

// Of a sea that is to have cells; null otherwise. For hwWaves_Layout and hwWaves_Fill.
void hwWaveWeights_Layout(hwWaves* waves, hwArena* arena, const hwEnvironmentDef* def);
void hwWaveWeights_Fill(hwWaves* waves);

// Whether the point at height z above the mean surface can use a cell.
bool hwWaves_HasCell(const hwWaves* waves, hwVec3 point);

// Points of a list that follow one another, as nodes of a cable, are often in one cell: filled once, it serves them all. The
// cell for the next point of a list, whose own one is `own`; `before` served the point before it, in the same array, or is
// null. With `same`, the cell that served it last, if that is near.
hwWaveCell* hwWaveCell_Find(hwWaveCell* own, hwWaveCell* before, const hwWaves* waves, hwVec3 point,
                            double time, double growth, bool flat, bool same);

// Cells of points that follow one another, from `first` to before `end`. Where points have moved on, what one of them needs its neighbour
// often holds already: it is copied.
typedef struct hwCellList {
    const hwWaveCell *first, *end;
} hwCellList;

// The sea at `point`, whose z is above the mean surface, with the cell that belongs there. `same`: with the cell it has, if
// that is of this time and near: Newton's method in one stage of a step then sees one smooth flow. `flat`: the surface is
// level for the stretch, see hwEnvironmentDef.flatSurface.
void hwWaveCell_Sample(hwWaveCell* cell, hwCellList list, const hwWaves* waves, hwVec3 point, double time,
                       double growth, bool flat, bool same, hwCellSample* out);

// The same for four points, by component.
typedef struct hwCellSamples {
    hwV4 elevation, rate, slopeX, slopeY;
    hwV4x3 velocity, acceleration;
} hwCellSamples;

// Has the cell, the point's own one, hold the sea there.
void hwWaveCell_Hold(hwWaveCell* cell, hwCellList list, const hwWaves* waves, hwVec3 point, double time,
                     double growth, bool flat);

// The sea at the first of four points that follow one another in a list, as far as they are in `cell`, which served the point
// before them at this time or holds the first; how many these are. Bit for bit what hwWaveCell_Find and hwWaveCell_Sample give one by one.
// `surface`: height of the mean surface above the origin of the points.
int hwWaveCell_SampleFour(hwWaveCell* cell, const hwWaves* waves, const hwVec3* list, double surface,
                          double time, double growth, bool flat, hwCellSamples* out);

#endif
