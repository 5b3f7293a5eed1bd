/// @file body.h
/// Rigid bodies: payloads, ships, structures; links of mechanisms answer to the same calls.
#ifndef HAWSER_BODY_H
#define HAWSER_BODY_H

#include "hawser/base.h"
#include "hawser/hydro.h"
#include "hawser/math.h"
#include "hawser/potential.h"
#include "hawser/shape.h"
#include "hawser/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A world; see world.h.
typedef struct hwWorld hwWorld;

/// How a body moves.
typedef enum hwMotion {
    HW_MOTION_FREE,      ///< by the forces on it
    HW_MOTION_FIXED,     ///< not at all
    HW_MOTION_PRESCRIBED ///< by signals, or by hwBody_SetState
} hwMotion;

/// Axes in which a vector is given.
typedef enum hwFrame { HW_FRAME_WORLD, HW_FRAME_BODY } hwFrame;

/// How a ship answers regular waves of unit amplitude, by direction and period: response amplitude operators. Its motion
/// is its mean motion (position and attitude of the def, or the signals) plus the sum of its answers to the harmonics of
/// the sea. Port and starboard are taken to be alike.
typedef struct hwRaoDef {
    int headingCount; ///< 0: none
    const double*
        headings; ///< rad, increasing from 0 to pi: where the waves go, relative to the bow; 0 is a following
                  ///< sea, pi a head sea, pi/2 goes to port
    int periodCount;       ///< at least 1
    const double* periods; ///< s, increasing; held outside
    const double*
        rows; ///< [heading][period][6][2]: amplitude (m/m, rad/m) and phase (rad by which the motion is ahead
              ///< of the crest at the origin) of surge, sway, heave, roll, pitch, yaw
} hwRaoDef;

/// A ship whose answers to the waves are those of a floating box, where there is no table of them: heave, pitch and the
/// water's surge, sway and yaw by strips, roll as an oscillator driven by the slope of the waves. Its origin is amidships,
/// about the waterline.
typedef struct hwFloatingBoxDef {
    double length;      ///< m, along x; 0: none
    double beam;        ///< m
    double draught;     ///< m; displacement over waterplane for hulls that are no boxes
    double rollPeriod;  ///< s, natural
    double rollDamping; ///< of critical
} hwFloatingBoxDef;

/// Description of a body. Start from hwDefaultBodyDef(); pointers are borrowed until Add returns.
typedef struct hwBodyDef {
    const char* name;   ///< unique in the world; letters, digits, _ and -
    double mass;        ///< kg
    double inertia[6];  ///< kg m2 about the com: xx yy zz xy xz yz of the tensor, in `comAttitude`'s axes
    hwVec3 com;         ///< m, centre of mass, body frame
    hwQuat comAttitude; ///< turns the inertia's axes into body axes
    hwVec3 position;    ///< m, of the frame's origin, world
    hwQuat attitude;    ///< body to world
    hwVec3 velocity;    ///< m/s, of the origin, world axes
    hwVec3 rate;        ///< rad/s, body axes
    hwHydroDef hydro;   ///< what water and air do to it
    hwHydroFn* hydroFn; ///< replaces the built-in hydrodynamics, or null
    void* hydroContext; ///< given to hydroFn
    int shapeCount;     ///< entries of `shapes`
    const hwShapeDef* shapes;    ///< for buoyancy and contact
    hwMotion motion;             ///< free unless given
    hwSignal prescribedPosition; ///< m; absent: stays at `position`
    hwSignal prescribedAttitude; ///< rad, roll pitch yaw; absent: stays at `attitude`
    hwRaoDef rao;                ///< prescribed bodies: a ship's response to the waves
    hwFloatingBoxDef box;        ///< prescribed bodies: the same without a table
    hwPotentialDef
        potential; ///< free bodies: a floating body by hydrodynamic coefficients, instead of buoyancy and added
                   ///< mass from `hydro`, whose drag and lift act beside it
    void* userData; ///< the caller's own; never read by the library
    int cookie;     ///< set by hwDefaultBodyDef
} hwBodyDef;

/// A free body at the origin, at rest, without name or mass: those two you must give.
HW_API hwBodyDef hwDefaultBodyDef(void);

/// Adds a body. On failure returns a null id and leaves the world as it was.
HW_API hwBodyId hwWorld_AddBody(hwWorld* world, const hwBodyDef* def, hwError* error);

/// Removes a body, the forces and instruments on it, and events that would attach cables to it. Refused while a mechanism stands on
/// it, a cable is attached to it or a winch follows it. The world must be prepared again before the next step.
HW_API hwStatus hwWorld_RemoveBody(hwWorld* world, hwBodyId body, hwError* error);

/// Finds a body, or a link as "mechanism.link". Null id when there is none.
HW_API hwBodyId hwWorld_FindBody(const hwWorld* world, const char* name);

/// True while the handle refers to a body of this world.
HW_API bool hwBody_IsValid(const hwWorld* world, hwBodyId body);
/// Name, or "" for an invalid handle.
HW_API const char* hwBody_GetName(const hwWorld* world, hwBodyId body);

/// The body as it was described, owned by the world; null for an invalid handle. Its place at the start, not now.
HW_API const hwBodyDef* hwBody_GetDef(const hwWorld* world, hwBodyId body);
/// The caller's own pointer; null for an invalid handle.
HW_API void* hwBody_GetUserData(const hwWorld* world, hwBodyId body);
/// Replaces it. False for an invalid handle.
HW_API bool hwBody_SetUserData(hwWorld* world, hwBodyId body, void* userData);
/// The caller's own pointer of a shape by its index; null when there is no such shape.
HW_API void* hwBody_GetShapeUserData(const hwWorld* world, hwBodyId body, int shape);
/// Replaces it. False when there is no such shape.
HW_API bool hwBody_SetShapeUserData(hwWorld* world, hwBodyId body, int shape, void* userData);

/// Replaces the vertices (m, frame of the shape) of a mesh or hull without `parts`; there must be as many as before, and
/// triangles stay. Contact, buoyancy and what follows from the volume are those of the new form at once; motion, time and
/// friction's memory stay, mass and inertia are the caller's. What overlaps then is pushed apart as in any contact; the work
/// of moving a surface is not in the balance of energy. Between steps; costs as much as hwWorld_Prepare without statics and
/// allocates as that does. Queries need an update.
HW_API hwStatus hwBody_SetShapeVertices(hwWorld* world, hwBodyId body, int shape, int count,
                                        const hwVec3* vertices, hwError* error);

/// Motion of a body at the world's time. World axes except `rate` and `rateAcceleration`.
typedef struct hwBodyState {
    hwVec3 position;         ///< m, of the origin
    hwQuat attitude;         ///< body to world
    hwVec3 velocity;         ///< m/s, of the origin
    hwVec3 rate;             ///< rad/s, body axes
    hwVec3 acceleration;     ///< m/s2, of the origin
    hwVec3 rateAcceleration; ///< rad/s2, body axes
} hwBodyState;

/// Reads a body's motion. The world must be prepared.
HW_API hwStatus hwBody_GetState(const hwWorld* world, hwBodyId body, hwBodyState* out, hwError* error);

/// Sets position, attitude, velocity and rate of a free body, or of a prescribed body without signals. The
/// accelerations are used for prescribed bodies and ignored for free ones. Allowed before and after Prepare.
HW_API hwStatus hwBody_SetState(hwWorld* world, hwBodyId body, const hwBodyState* state, hwError* error);

/// False while the body sleeps: it rests and is not moved until something wakes it, see hwSolverDef.sleep. True where nothing sleeps.
HW_API bool hwBody_IsAwake(const hwWorld* world, hwBodyId body);
/// Wakes a body and what it fell asleep with.
HW_API hwStatus hwBody_Wake(hwWorld* world, hwBodyId body, hwError* error);

/// Adds a force and torque that act until hwBody_ClearForces. `point` is in the same frame as the vectors.
HW_API hwStatus hwBody_ApplyWrench(hwWorld* world, hwBodyId body, hwVec3 force, hwVec3 torque, hwVec3 point,
                                   hwFrame frame, hwError* error);
/// Adds a resistance that acts until hwBody_ClearForces: force and moment -D (v - v0, w - w0) at `point` (world), where v and
/// w are the velocity there and the angular velocity, world axes, and D is symmetric and not negative (translation, then
/// rotation). The solver counts with it within its steps, so that it may be of any size.
HW_API hwStatus hwBody_ApplyImpedance(hwWorld* world, hwBodyId body, const double impedance[6][6],
                                      hwVec3 velocity, hwVec3 rate, hwVec3 point, hwError* error);
/// Removes what hwBody_ApplyWrench and hwBody_ApplyImpedance have added.
HW_API hwStatus hwBody_ClearForces(hwWorld* world, hwBodyId body, hwError* error);

/// Replaces the body's added mass from now on: 36 numbers, row by row, linear then angular, body axes, about the origin.
HW_API hwStatus hwBody_SetAddedMass(hwWorld* world, hwBodyId body, const double* addedMass, hwError* error);

/// Replaces the hydrodynamics of a body or link by a function of yours, or gives the built-in model back (null), as hwBodyDef.hydroFn does.
/// The world must be prepared again before the next step.
HW_API hwStatus hwBody_SetHydroFn(hwWorld* world, hwBodyId body, hwHydroFn* function, void* context,
                                  hwError* error);

/// Where a force law is evaluated: motion of its point of attack, world axes.
typedef struct hwForceInput {
    double time;     ///< s
    hwVec3 position; ///< m, of the point
    hwQuat attitude; ///< body to world
    hwVec3 velocity; ///< m/s, of the point
    hwVec3 rate;     ///< rad/s, world axes
} hwForceInput;

/// What a force law gives, world axes; all zero when the law is called.
typedef struct hwForceOutput {
    hwVec3 force;  ///< N
    hwVec3 torque; ///< N m, about the point
    double damping[6]
                  [6]; ///< minus the derivatives of force and torque by velocity and rate: N s/m, N s, N m s
    double stiffness[6][6]; ///< minus those by displacement and rotation of the body: N/m, N, N m
} hwForceOutput;

/// A force law of the caller's own. Must depend on its arguments only. The matrices may be left zero or be approximate: they
/// decide how fast the implicit solver converges and how large its steps may be, not what it converges to. Their symmetric
/// part is used, and it should not be negative.
typedef void hwForceFn(const hwForceInput* input, hwForceOutput* output, void* context);

/// A force or torque on a body, by signal or by a law of the caller's own. Start from hwDefaultForceDef().
typedef struct hwForceDef {
    hwBodyId body;         ///< on which it acts
    hwVec3 at;             ///< m, point of attack, body frame
    hwSignal force;        ///< N; absent: none
    hwSignal torque;       ///< N m; absent: none
    hwFrame frame;         ///< of force and torque; world by default
    hwForceFn* function;   ///< a law whose force and torque act at `at` as well, or null
    void* functionContext; ///< given to `function`; branches give the same
    void* userData;        ///< the caller's own; never read by the library
    int cookie;            ///< set by hwDefaultForceDef
} hwForceDef;

/// No force yet, in world axes, at the origin of a body you must give.
HW_API hwForceDef hwDefaultForceDef(void);
/// Adds a force. On failure returns a null id and leaves the world as it was.
HW_API hwForceId hwWorld_AddForce(hwWorld* world, const hwForceDef* def, hwError* error);
/// Removes a force. The world must be prepared again before the next step.
HW_API hwStatus hwWorld_RemoveForce(hwWorld* world, hwForceId force, hwError* error);
/// Forces in the order of their slots: fills up to `capacity` and returns how many there are.
HW_API int hwWorld_GetForces(const hwWorld* world, int capacity, hwForceId* forces);
/// True while the handle refers to a force of this world.
HW_API bool hwForce_IsValid(const hwWorld* world, hwForceId force);
/// The force as it was described, owned by the world; null for an invalid handle.
HW_API const hwForceDef* hwForce_GetDef(const hwWorld* world, hwForceId force);
/// The caller's own pointer; null for an invalid handle.
HW_API void* hwForce_GetUserData(const hwWorld* world, hwForceId force);
/// Replaces it. False for an invalid handle.
HW_API bool hwForce_SetUserData(hwWorld* world, hwForceId force, void* userData);

#ifdef __cplusplus
}
#endif
#endif
