/// @file vehicle.h
/// Underwater vehicles: a rigid body with thrusters, an autopilot, instruments and equipment.
///
/// The chain from pilot to motion: axes are conditioned (dead zone, expo, sensitivity, inversion), times the gain they
/// become a wanted force and moment; the autopilot adds its own; the allocation turns the sum into thruster forces;
/// thrusters follow with their lag; the world moves the body. Everything the pilot does is an input of the world:
/// `<name>.pilot.surge`, `.mode`, `.armed` and so on, see hwWorld_GetInput.
///
/// The chain can be entered at every block. Inputs `.demand.surge` and so on are a wanted force and moment in place of the
/// pilot's and the autopilot's; inputs `.thruster[i].command` are commands in place of the allocation's. Setting one of
/// them makes it so (`.bypass`, see hwVehicleBypass); functions of the caller's own replace either block for good.
///
/// Body axes: x forward, y to port, z up. Instruments are north-east-down: depth positive down, heading clockwise from
/// north, roll positive to starboard, pitch positive bow up. Pilot axes: surge + forward, sway + to starboard, heave + up,
/// yaw + to starboard.
#ifndef HAWSER_VEHICLE_H
#define HAWSER_VEHICLE_H

#include "hawser/base.h"
#include "hawser/body.h"
#include "hawser/math.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HW_MAX_THRUSTERS 16 ///< Thrusters of one vehicle.

/// Pilot axes.
typedef enum hwPilotAxis {
    HW_AXIS_SURGE, ///< + forward
    HW_AXIS_SWAY,  ///< + to starboard
    HW_AXIS_HEAVE, ///< + up
    HW_AXIS_YAW,   ///< + to starboard: the heading grows
    HW_AXIS_COUNT  ///< 4
} hwPilotAxis;

/// What the autopilot does.
typedef enum hwVehicleMode {
    HW_MODE_MANUAL,       ///< nothing
    HW_MODE_STABILIZE,    ///< keeps roll and pitch level
    HW_MODE_DEPTH_HOLD,   ///< level, and depth
    HW_MODE_HEADING_HOLD, ///< level, and heading
    HW_MODE_HOLD,         ///< level, depth and heading
    HW_MODE_ALTITUDE,     ///< level, heading, and height above the bottom; depth where there is none
    HW_MODE_STATION,      ///< level, depth, heading and place
    HW_MODE_ROUTE, ///< along the way-points of the route, bow ahead; then as HW_MODE_STATION at the last
    HW_MODE_HOME, ///< back along the tether towards its other end, bow ahead; as HW_MODE_STATION when it is there
    HW_MODE_UNWIND, ///< as HW_MODE_STATION, turning until the turns counter is at zero
    HW_MODE_COUNT   ///< 10
} hwVehicleMode;

/// Where the chain is entered: input `.bypass`. Setting a demand or a command sets it.
typedef enum hwVehicleBypass {
    HW_BYPASS_NONE,       ///< at the sticks: nothing is passed by
    HW_BYPASS_AUTOPILOT,  ///< at the allocation: inputs `.demand.*` are the wanted force and moment
    HW_BYPASS_ALLOCATION, ///< at the thrusters: inputs `.thruster[i].command` are their commands
    HW_BYPASS_COUNT       ///< 3
} hwVehicleBypass;

/// What a function in place of a block of the chain is told. All of it at one instant; steps ask several times for the same
/// instant, so that answers must depend on nothing else.
typedef struct hwVehicleSituation {
    double time;                ///< s
    hwMat3 attitude;            ///< body to world
    hwVec3 position;            ///< m, of the body's origin
    hwVec3 velocity;            ///< m/s, of the origin over ground, body axes
    hwVec3 rate;                ///< rad/s, body axes
    hwVec3 water;               ///< m/s, velocity of the water, world axes
    double depth;               ///< m
    double heading;             ///< rad, counted on past full turns
    double roll;                ///< rad, positive to starboard
    double pitch;               ///< rad, positive bow up
    double axes[HW_AXIS_COUNT]; ///< of the pilot, after conditioning
    double gain;                ///< 0..1; 0 while disarmed
    hwVehicleMode mode;         ///< manual while disarmed
    bool armed;                 ///< false: there will be no thrust, whatever is answered
} hwVehicleSituation;

/// In place of pilot and autopilot: the wanted force (N) and moment (N m) about the body's origin, body axes.
typedef void hwAutopilotFn(const hwVehicleSituation* situation, double demand[6], void* context);

/// In place of the allocation: the wanted force of each thruster along its axis, N. `demand` as above.
typedef void hwAllocationFn(const hwVehicleSituation* situation, const double demand[6], double* forces,
                            void* context);

/// Conditioning of one pilot axis.
typedef struct hwAxisDef {
    double deadZone;    ///< 0..0.9: stick travel without effect; the rest is stretched to the full range
    double sensitivity; ///< 0..2, factor
    double expo;        ///< 0..1: 0 linear, 1 cubic
    bool invert;        ///< turned round
} hwAxisDef;

/// One thruster. Start from hwDefaultThrusterDef().
typedef struct hwThrusterDef {
    const char* name;    ///< "front right", or null
    hwVec3 position;     ///< m, body frame
    hwVec3 axis;         ///< unit, body frame: positive thrust pushes the vehicle this way
    double forward;      ///< N, at full command in still water
    double reverse;      ///< N, at full command backwards
    double deadBand;     ///< 0..0.9: fraction of the command without thrust
    double exponent;     ///< of thrust over the command beyond the dead band
    double timeConstant; ///< s, of the propeller's speed; 0: immediate
    double topSpeed;     ///< rad/s, of the propeller at full command
    double
        advance;   ///< m/s, axial speed through the water at which full command gives no thrust; inf: no loss
    double torque; ///< m, reaction torque over thrust
    int hand; ///< 1: the propeller turns right-handed about `axis` when it pushes along it; -1: left-handed
    double diameter; ///< m, of the propeller
    int blades;      ///< of the propeller, for pictures
    double weight;   ///< cost of its force squared in the allocation
    int servo; ///< output of an external autopilot that drives it, from 1; negative: a longer pulse pushes
               ///< against `axis`; 0: its place among the thrusters
} hwThrusterDef;

/// A thruster at the origin that pushes forward, of no strength yet.
HW_API hwThrusterDef hwDefaultThrusterDef(void);

/// A PID controller of the autopilot: force or moment per unit of error, of its integral and of its rate.
typedef struct hwHoldDef {
    double kp;    ///< N/m or N m/rad
    double ki;    ///< N/(m s) or N m/(rad s)
    double kd;    ///< N s/m or N m s/rad
    double limit; ///< N or N m: the integral's share at most
} hwHoldDef;

/// The autopilot's data.
typedef struct hwAutopilotDef {
    hwHoldDef depth;    ///< acts vertically in the world
    hwHoldDef heading;  ///< about the vertical
    hwHoldDef level;    ///< roll and pitch
    double climbRate;   ///< m/s: full heave moves the depth set point this fast
    double turnRate;    ///< rad/s: full yaw moves the heading set point this fast
    double depthLead;   ///< m: the set point runs ahead of the vehicle by no more
    double headingLead; ///< rad, likewise
    hwHoldDef position; ///< along both horizontal axes of the world
    double
        cruiseRate; ///< m/s: full surge and sway move the place to be held this fast, and the speed along a route
    double positionLead; ///< m: that place runs ahead of the vehicle by no more
    double
        tetherForward; ///< 0..1, share of the tether's pull, by the load cell at the vehicle, that is countered at once
} hwAutopilotDef;

#define HW_MAX_ROUTE 64 ///< Way-points of one vehicle's route.

/// The pilot's camera.
typedef struct hwCameraDef {
    hwVec3 position; ///< m, body frame
    double tiltLow;  ///< rad, lowest tilt; positive is up
    double tiltHigh; ///< rad
    double tiltRate; ///< rad/s
    double zoom;     ///< largest; 1: none
    double zoomRate; ///< 1/s
    double field;    ///< rad, horizontal field of view at zoom 1
    int servo; ///< output of an external autopilot that tilts it, from 1: 1100 us lowest, 1900 us highest; 0: none
} hwCameraDef;

/// The gripper: jaws in front of the vehicle that hold a body between them.
typedef struct hwGripperDef {
    bool present;     ///< false: there is none
    hwVec3 position;  ///< m, between the jaws' tips, body frame
    hwVec3 axis;      ///< unit, along the jaws, body frame
    double opening;   ///< m, between the jaws when open
    double length;    ///< m, of the jaws
    double speed;     ///< 1/s, share of the opening it moves per second
    double force;     ///< N, a held body slips out beyond it
    double stiffness; ///< N/m, of the grip
    int servo; ///< output of an external autopilot that opens it, from 1: 1100 us closed, 1900 us open; 0: none
} hwGripperDef;

/// A named point of the vehicle, such as where its tether is fixed.
typedef struct hwPointDef {
    const char* name; ///< "tether"
    hwVec3 position;  ///< m, body frame
} hwPointDef;

/// Description of a vehicle. Start from hwDefaultVehicleDef(); pointers are borrowed until Add returns.
typedef struct hwVehicleDef {
    hwBodyDef body;                 ///< name, mass, hydrodynamics, shapes, where it starts; always free
    int thrusterCount;              ///< entries of `thrusters`, up to HW_MAX_THRUSTERS
    const hwThrusterDef* thrusters; ///< its propulsion
    bool linearize;        ///< the controller undoes the thrusters' curve: thrust is what was asked for
    double axisWeights[6]; ///< x y z, roll pitch yaw: importance in the allocation; 0: not controlled
    hwAxisDef axes[HW_AXIS_COUNT]; ///< conditioning at the start
    double gain;                   ///< 0..1, of the pilot's axes at the start
    hwAutopilotDef autopilot;      ///< gains of the hold modes
    int routeCount;                ///< entries of `route`, up to HW_MAX_ROUTE
    const hwVec3* route;           ///< m, world: way-points of HW_MODE_ROUTE, reached from where it begins
    hwAutopilotFn* autopilotFn;    ///< in place of pilot and autopilot, or null
    hwAllocationFn* allocationFn;  ///< in place of the allocation, or null
    void* chainContext;            ///< given to both; branches give the same
    hwCameraDef camera;            ///< the pilot's camera
    hwGripperDef gripper;          ///< the gripper, if any
    int lightsServo; ///< output of an external autopilot that dims the lights, from 1: 1100 us dark, 1900 us full; 0: none
    int pointCount;           ///< entries of `points`
    const hwPointDef* points; ///< where things attach
    bool armed;               ///< at the start
    hwVehicleMode mode;       ///< at the start
    void* userData;           ///< the caller's own; never read by the library. The body has its own
    int cookie;               ///< set by hwDefaultVehicleDef
} hwVehicleDef;

/// A disarmed vehicle in manual mode without thrusters, with a body as from hwDefaultBodyDef.
HW_API hwVehicleDef hwDefaultVehicleDef(void);

/// Adds a vehicle. On failure returns a null id and leaves the world as it was.
HW_API hwVehicleId hwWorld_AddVehicle(hwWorld* world, const hwVehicleDef* def, hwError* error);

/// Removes a vehicle and its body. The world must be prepared again before the next step.
HW_API hwStatus hwWorld_RemoveVehicle(hwWorld* world, hwVehicleId vehicle, hwError* error);

/// Finds a vehicle by its name. Null id when there is none.
HW_API hwVehicleId hwWorld_FindVehicle(const hwWorld* world, const char* name);

/// Vehicles in the order of their slots: fills up to `capacity` and returns how many there are.
HW_API int hwWorld_GetVehicles(const hwWorld* world, int capacity, hwVehicleId* vehicles);

/// The vehicle's body, or a null id.
HW_API hwBodyId hwVehicle_GetBody(const hwWorld* world, hwVehicleId vehicle);

/// The vehicle as it was described, owned by the world; null for an invalid handle.
HW_API const hwVehicleDef* hwVehicle_GetDef(const hwWorld* world, hwVehicleId vehicle);
/// True while the handle refers to a vehicle of this world.
HW_API bool hwVehicle_IsValid(const hwWorld* world, hwVehicleId vehicle);
/// The caller's own pointer; null for an invalid handle.
HW_API void* hwVehicle_GetUserData(const hwWorld* world, hwVehicleId vehicle);
/// Replaces it. False for an invalid handle.
HW_API bool hwVehicle_SetUserData(hwWorld* world, hwVehicleId vehicle, void* userData);

/// Finds a named point of the vehicle; false when there is none.
HW_API bool hwVehicle_FindPoint(const hwWorld* world, hwVehicleId vehicle, const char* name,
                                hwVec3* position);

/// What a thruster does now.
typedef struct hwThrusterState {
    double force;   ///< N, along its axis
    double command; ///< -1..1
    double speed;   ///< rad/s, about its axis, right-handed
    double angle;   ///< rad, of the propeller, counted on
} hwThrusterState;

/// Instruments and equipment now.
typedef struct hwVehicleState {
    double depth;               ///< m
    double heading;             ///< rad, 0..2 pi
    double roll;                ///< rad, positive to starboard
    double pitch;               ///< rad, positive bow up
    double altitude;            ///< m above the bottom; NaN without one
    double speed;               ///< m/s, over ground
    double turns;               ///< clockwise positive, counted on since the start or the last reset
    double tetherTension;       ///< N, at the point "tether"; NaN without a cable there
    hwVec3 water;               ///< m/s, velocity of the water there, world axes
    double axes[HW_AXIS_COUNT]; ///< after conditioning
    double demand[6];           ///< N and N m, body axes: what the allocation was asked for
    hwVehicleBypass bypass;     ///< where the chain is entered
    double gain;                ///< 0..1
    double depthTarget;         ///< m; NaN: not held
    double headingTarget;       ///< rad, 0..2 pi; NaN: not held
    double altitudeTarget;      ///< m; NaN: not held
    hwVec3 positionTarget;      ///< m, world; x and y, NaN: not held. z is that of the depth
    double routeProgress;       ///< m of the route that are done; NaN: none is followed
    hwVehicleMode mode;         ///< of the autopilot
    bool armed;                 ///< false: no thrust
    bool saturated;             ///< more thrust was wanted than there is
    double lights;              ///< 0..1
    double cameraTilt;          ///< rad, positive up
    double cameraZoom;          ///< 1 and up
    double gripper;             ///< opening, 0..1
    hwBodyId held;              ///< what the gripper holds, or null
    uint32_t failed;            ///< failed thrusters, one bit each
    int thrusterCount;          ///< entries of `thrusters`
    hwThrusterState thrusters[HW_MAX_THRUSTERS]; ///< in the order of the def
} hwVehicleState;

/// Reads instruments and equipment. The world must be prepared.
HW_API hwStatus hwVehicle_GetState(const hwWorld* world, hwVehicleId vehicle, hwVehicleState* out,
                                   hwError* error);

/// The largest force or moment that the thrusters give along one of the vehicle's axes (0..5: x y z, roll pitch yaw,
/// positive or negative) while the other controlled axes stay at zero, in still water; 0 for an axis that is not
/// controlled.
HW_API double hwVehicle_GetAuthority(const hwWorld* world, hwVehicleId vehicle, int axis, bool positive);

#ifdef __cplusplus
}
#endif
#endif
