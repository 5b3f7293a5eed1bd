// Drag and lift of a body: per-axis coefficients, strips along cylinders, a sphere, skin friction, lifting surfaces.
#ifndef HW_HYDRO_DRAG_H
#define HW_HYDRO_DRAG_H

#include "hawser/hydro.h"
#include "math/spatial.h"

// A wrench with what the implicit solver needs to know about it. Body axes, about the origin.
typedef struct hwDragSum {
    hwSpatial wrench;
    hwSpatialSym damping; // minus the derivative of the wrench with velocity, its positive symmetric part
    double dissipation;   // W, minus the wrench's power on the velocity relative to the fluid
} hwDragSum;

// Drag coefficient of a smooth cylinder or sphere at a Reynolds number.
double hwDragCurve_Evaluate(hwDragCurve curve, double reynolds);

// Per-axis linear and quadratic drag, scaled by `factor`, on the velocity relative to the fluid.
void hwAddAxisDrag(const hwHydroDef* def, hwSpatial relative, double factor, hwDragSum* sum);

// Sphere, skin friction and lifting surfaces in a uniform stream: `relative` velocity, scaled by `factor`.
void hwAddSurfaceDrag(const hwHydroDef* def, hwSpatial relative, double density, double viscosity,
                      double factor, hwDragSum* sum);

// Strips, each in the fluid at its middle. `velocity` is the body's, relative to the earth; `turn` is body to world.
void hwAddStripDrag(const hwHydroDef* def, const hwFluidSample* samples, hwMat3 turn, hwSpatial velocity,
                    hwDragSum* sum);

// Body-frame position of the middle of strip `index` of `strip`.
static inline hwVec3 hwStrip_GetMiddle(const hwStripDef* strip, int index) {
    double t = (index + 0.5) / strip->count;
    return hwAdd(hwScale(1.0 - t, strip->from), hwScale(t, strip->to));
}

#endif
