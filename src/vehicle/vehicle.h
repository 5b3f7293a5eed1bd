// One vehicle's chain from inputs to thrust (Fabekovic et al. 2006, figure 2), on plain numbers: the world gives inputs,
// motion and water, and gets a wrench and the rates of the vehicle's own variables.
#ifndef HW_VEHICLE_VEHICLE_H
#define HW_VEHICLE_VEHICLE_H

#include "hawser/vehicle.h"
#include "math/spatial.h"
#include "vehicle/allocation.h"
#include "vehicle/autopilot.h"

// Inputs, in the order of their names; after the fixed ones two for each thruster.
typedef enum hwVehicleInput {
    HW_VEHICLE_PILOT,                        // surge, sway, heave, yaw, -1..1
    HW_VEHICLE_ARMED = HW_VEHICLE_PILOT + 4, // 0 or 1
    HW_VEHICLE_MODE,                         // hwVehicleMode
    HW_VEHICLE_GAIN,                         // 0..1
    HW_VEHICLE_LIGHTS,                       // 0..1
    HW_VEHICLE_GRIPPER,                      // opening to go to, 0..1
    HW_VEHICLE_TILT,                         // deg, camera
    HW_VEHICLE_ZOOM,                         // camera
    HW_VEHICLE_TURNS_OFFSET,                 // turns that the counter shows as zero
    HW_VEHICLE_HOLD_DEPTH,                   // m: setting it moves the set point there
    HW_VEHICLE_HOLD_HEADING,                 // rad, likewise, the short way round
    HW_VEHICLE_HOLD_ALTITUDE,                // m: likewise
    HW_VEHICLE_HOLD_X,                       // m: likewise
    HW_VEHICLE_HOLD_Y,                       // m: likewise
    HW_VEHICLE_BYPASS,                       // hwVehicleBypass
    HW_VEHICLE_DEMAND, // N and N m: surge, sway, heave, roll, pitch, yaw as pilots count them
    HW_VEHICLE_MIRROR = HW_VEHICLE_DEMAND + 6, // where a real vehicle is, see hwMirrorInput
    HW_VEHICLE_TETHER_FORWARD =
        HW_VEHICLE_MIRROR + 12, // 0..1: share of `load_cell` that the autopilot counters
    HW_VEHICLE_LOAD_CELL,       // N, x y z, world: the tether's pull as it is known to the autopilot
    HW_VEHICLE_AXES = HW_VEHICLE_LOAD_CELL + 3, // dead zone, sensitivity, expo, inversion of each pilot axis
    HW_VEHICLE_THRUSTERS = HW_VEHICLE_AXES + 4 * 4 // of each thruster, below
} hwVehicleInput;

// The motion of a real vehicle, which this one follows: at HW_VEHICLE_MIRROR.
typedef enum hwMirrorInput {
    HW_MIRROR_ON,                                 // 0 or 1
    HW_MIRROR_POSITION,                           // m, x y z, world
    HW_MIRROR_ROLL = HW_MIRROR_POSITION + 3,      // rad, to starboard
    HW_MIRROR_PITCH,                              // rad, bow up
    HW_MIRROR_HEADING,                            // rad, clockwise from north
    HW_MIRROR_VELOCITY,                           // m/s, x y z, world
    HW_MIRROR_TURN_RATE = HW_MIRROR_VELOCITY + 3, // rad/s, of the heading
    HW_MIRROR_AGE,                                // s, of the telemetry: told on, without effect
    HW_MIRROR_INPUTS
} hwMirrorInput;

_Static_assert((int)HW_MIRROR_INPUTS == (int)HW_VEHICLE_TETHER_FORWARD - (int)HW_VEHICLE_MIRROR,
               "room for its inputs");

typedef enum hwThrusterInput {
    HW_THRUSTER_FAILED,  // 0..1: share of its thrust that is lost
    HW_THRUSTER_SENSE,   // 1 or -1
    HW_THRUSTER_COMMAND, // -1..1, with HW_BYPASS_ALLOCATION
    HW_THRUSTER_INPUTS
} hwThrusterInput;

// First-order variables; after the fixed ones the thrusters' speeds, then their angles, then the grip's.
typedef enum hwVehicleVariable {
    HW_VEHICLE_TURNED,                                     // rad, integral of the heading's rate
    HW_VEHICLE_HOLD,                                       // the autopilot's
    HW_VEHICLE_TILT_NOW = HW_VEHICLE_HOLD + HW_HOLD_COUNT, // rad
    HW_VEHICLE_ZOOM_NOW,                                   //
    HW_VEHICLE_GRIPPER_NOW,                                // 0..1
    HW_VEHICLE_FIRST_HEADING,                              // rad, at the start: no turns yet
    HW_VEHICLE_SPEEDS                                      // of the propellers, -1..1
} hwVehicleVariable;

// What the gripper holds and how: these change from one step to the next only.
typedef enum hwGripVariable {
    HW_GRIP_BODY,                     // index of the body's handle; 0: nothing is held
    HW_GRIP_GENERATION,               // of the handle
    HW_GRIP_OPENING,                  // 0..1, of the jaws with it between them
    HW_GRIP_PLACE,                    // m, x y z of the body in the vehicle's frame
    HW_GRIP_TURN = HW_GRIP_PLACE + 3, // w x y z of its attitude there
    HW_GRIP_COUNT = HW_GRIP_TURN + 4
} hwGripVariable;

typedef struct hwVehicleModel {
    const hwVehicleDef* def;
    hwAllocation allocation;
    double authority[6][2]; // N and N m, body axes, positive and negative
} hwVehicleModel;

int hwVehicleModel_CountInputs(const hwVehicleDef* def);
int hwVehicleModel_CountVariables(const hwVehicleDef* def);
// Where the grip's variables begin.
int hwVehicleModel_GetGrip(const hwVehicleDef* def);

// False when the thrusters command nothing at all; a vehicle without thrusters is fine.
bool hwVehicleModel_Init(hwVehicleModel* model, const hwVehicleDef* def);

// Inputs as the def has them.
void hwVehicleModel_ResetInputs(const hwVehicleModel* model, double* inputs);

// Motion of the body and the water around it.
typedef struct hwVehicleMotion {
    hwMat3 attitude; // body to world
    hwVec3 position; // world
    hwVec3 velocity; // of the origin, body axes
    hwVec3 rate;     // body axes
    bool water;      // there is any
    hwVec3 stream;   // m/s, velocity of the water, world axes
    double surface;  // m, height of the water's surface there and now
    double level;    // m, mean height of the surface, from which depth is measured
    double bottom;   // m, height of the bottom below; -inf: there is none
} hwVehicleMotion;

// Variables at the start: everything at rest, set points where the vehicle is.
void hwVehicleModel_ResetVariables(const hwVehicleModel* model, const double* inputs,
                                   const hwVehicleMotion* motion, double* z);

// Called when input number `input` has been set: captures set points when the mode changes, the vehicle is armed or the
// autopilot takes over again; a demand or a command that is set makes the chain begin with it.
void hwVehicleModel_InputChanged(const hwVehicleModel* model, int input, double* inputs,
                                 const hwVehicleMotion* motion, double* z);

typedef struct hwVehicleOutput {
    hwSpatial wrench;     // body axes, about the origin
    hwSpatialSym damping; // minus its derivative with the body's velocity, symmetric
    hwHoldSense sense;
    double axes[HW_AXIS_COUNT];
    double demand[6]; // N and N m, body axes, asked of the allocation
    bool saturated;
    double gripLoad; // N, of what the gripper holds; by the world
    hwThrusterState thrusters[HW_MAX_THRUSTERS];
} hwVehicleOutput;

// Everything at the end of an implicit stage z = base + hd z' (hd = 0: z = base).
void hwVehicleModel_Evaluate(const hwVehicleModel* model, double time, const double* inputs,
                             const hwVehicleMotion* motion, const double* base, double hd, double* z,
                             double* rates, hwVehicleOutput* out);

#endif
