/// @file hydro.h
/// What water and air do to a rigid body, and how to replace it with a model of your own.
///
/// Six-component quantities are linear then angular, in body axes about the body's origin.
#ifndef HAWSER_HYDRO_H
#define HAWSER_HYDRO_H

#include "hawser/base.h"
#include "hawser/environment.h"
#include "hawser/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a drag coefficient depends on the Reynolds number.
typedef enum hwDragCurve {
    HW_DRAG_CONSTANT, ///< it does not
    HW_DRAG_CYLINDER, ///< smooth circular cylinder across the flow; the coefficient given is a factor on the curve
    HW_DRAG_SPHERE ///< smooth sphere; likewise
} hwDragCurve;

/// Pressure and friction drag integrated along a straight cylinder fixed in the body (strip theory).
typedef struct hwStripDef {
    hwVec3 from;       ///< m, one end of the axis, body frame
    hwVec3 to;         ///< m, the other end
    double diameter;   ///< m
    double normal;     ///< drag coefficient across: 1/2 rho Cd d |vn| vn per length
    double tangential; ///< drag coefficient along: 1/2 rho Cd pi d |vt| vt per length
    int count;         ///< strips, each sampling the flow at its middle
    hwDragCurve curve; ///< how the coefficient across depends on the Reynolds number
} hwStripDef;

/// A lifting surface: force 1/2 rho A |v|^2 C_L(angle of attack) across the flow at a point.
typedef struct hwLiftDef {
    hwVec3 at;     ///< m, body frame
    hwVec3 normal; ///< unit normal of the surface, body frame
    double area;   ///< m2
    double slope;  ///< dC_L/d(angle) per rad at small angles
    double stall;  ///< rad; beyond it the lift falls off smoothly
    /// Body frame, a unit vector: instead of a surface the blunt end of a hull, which trails while v . ahead > 0 and then
    /// feels -1/2 rho A slope (v . ahead) (v . normal) along its normal, without stall. Zero: a surface.
    hwVec3 ahead;
} hwLiftDef;

/// Hydrodynamic data of a body. Start from hwDefaultHydroDef(): none of it.
typedef struct hwHydroDef {
    double volume;          ///< m3 displaced; negative: from the shapes (none: 0)
    bool hasBuoyancyCenter; ///< false: the shapes' centroid, or the origin when there are no shapes
    hwVec3
        buoyancyCenter; ///< m, body frame; where it is not the shapes' centroid they displace water as if moved there
    double addedMass[6][6];   ///< symmetric, not negative
    double linearDrag[6];     ///< N s/m, N m s: force -k v per axis
    double quadraticDrag[6];  ///< N s2/m2, N m s2: force -k |v| v per axis
    int stripCount;           ///< entries of `strips`
    const hwStripDef* strips; ///< cylinders with drag along them
    int liftCount;            ///< entries of `lifts`
    const hwLiftDef* lifts;   ///< lifting surfaces
    double sphereDiameter; ///< m; with sphereDrag > 0: drag 1/2 rho C (pi d^2/4) |v| v at the buoyancy centre
    double sphereDrag;     ///< factor on the sphere's curve C(Reynolds number)
    double skinArea;       ///< m2 of wetted surface for skin friction, 0: none
    double skinLength;     ///< m, length for its Reynolds number (ITTC 1957 line)
} hwHydroDef;

/// Volume from the shapes, nothing else.
HW_API hwHydroDef hwDefaultHydroDef(void);

/// Sets `addedMass` and `quadraticDrag` from the shapes alone: those of the ellipsoid along the body's axes with the same
/// volume moments (Lamb 1932), with a drag coefficient of 0.8 on its area, 0.47 for a single sphere. Good to some tens of
/// per cent for compact bodies; added mass is at the shapes' centroid, drag acts at the body's origin.
HW_API hwStatus hwHydroDef_EstimateFromShapes(int shapeCount, const struct hwShapeDef* shapes,
                                              double waterDensity, hwHydroDef* hydro, hwError* error);

/// Given to a hydrodynamic model. Vectors in body axes unless said otherwise.
typedef struct hwHydroInput {
    double time;         ///< s
    double mass;         ///< kg, of the body
    hwPose pose;         ///< of the body's frame in the world
    double velocity[6];  ///< of the body, relative to the earth
    double gravity;      ///< m/s2, downwards in the world
    double waterDensity; ///< kg/m3; 0 when the world is dry
    double level;        ///< m, mean level of the water
    double airDensity;   ///< kg/m3
    hwFluidSample water; ///< at the buoyancy centre, or just below the surface when that is in the air; world
                         ///< axes. Unused when the world is dry.
    hwFluidSample air;   ///< at the buoyancy centre, or just above the surface when that is under water
    const hwFluidSample* strips; ///< at the strips' middles, in order; world axes
    const hwHydroDef* def;       ///< the body's data, `volume` and `buoyancyCenter` filled in
    const struct hwSolid* solid; ///< the body's shapes, for hwHydro_Evaluate
    int pieceCount; ///< a body that is long against the waves: its shapes cut into pieces; 0: `water` is good for all of it
    const struct hwShapeDef* pieces; ///< body frame
    const hwVec3* pieceMiddles;      ///< m, body frame
    const hwFluidSample* pieceWater; ///< there; world axes
    const hwVec3*
        slopeRates; ///< 1/s, x and y: how fast the surface's slope changes as the body goes along, at the buoyancy
                    ///< centre, or at each of the pieces' middles; null: it does not
} hwHydroInput;

/// Returned by a hydrodynamic model.
typedef struct hwHydroOutput {
    double wrench[6];       ///< force and moment at the origin: everything except -addedMass * acceleration
    double addedMass[6][6]; ///< multiplies the body's spatial acceleration; symmetric, not negative
    double
        damping[6]
               [6]; ///< minus the derivative of the wrench with velocity, symmetric, not negative: helps the
                    ///< implicit solver and may be approximate
    double stiffness[6][6]; ///< likewise for displacement (linear, then rotation vector) in body axes
    double potential;       ///< J, of conservative parts such as buoyancy
    double dissipation;     ///< W, what drag turns into heat
    double work; ///< W, done on the body by moving water and air: all of the wrench's power that is neither
                 ///< a change of `potential` nor `dissipation`, plus half v A' v where the added mass
                 ///< changes at the rate A'
    double
        storedPower; ///< W, at which the motion changes `potential`, plus half v A' v: the built-in solver books what its
    ///< steps damp with it. Bodies with hydrodynamics of a user's own are left out of that book
    double submerged; ///< fraction of the volume below the surface, 0..1
} hwHydroOutput;

/// A user's own hydrodynamics: fills `output`, which arrives zeroed, from `input` alone (no hidden state; called
/// several times a step, and perhaps from several threads for different bodies).
typedef void hwHydroFn(const hwHydroInput* input, hwHydroOutput* output, void* context);

/// The built-in model, in case yours wants to start from it. Adds to `output`.
HW_API void hwHydro_Evaluate(const hwHydroInput* input, hwHydroOutput* output);

#ifdef __cplusplus
}
#endif
#endif
