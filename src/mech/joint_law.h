// What acts along a joint: controller, actuator, limits and friction. Efforts are functions of displacement, rate and a few
// auxiliary variables; their derivatives go into the implicit solver's matrix, so that stiff gains do not force small steps.
#ifndef HW_MECH_JOINT_LAW_H
#define HW_MECH_JOINT_LAW_H

#include "hawser/mechanism.h"
#include "math/spatial.h"

#include <stdbool.h>

// An effort and minus its derivatives.
typedef struct hwJointEffort {
    double value;
    double damping;   // -d/dv
    double stiffness; // -d/dq
} hwJointEffort;

// A moment and minus its derivatives, in link axes.
typedef struct hwJointMoment {
    hwVec3 value;
    hwSym3 damping, stiffness;
} hwJointMoment;

// What statics makes of a joint.
typedef enum hwJointHold {
    HW_JOINT_LEFT,      // to the forces on it, those of its controller among them
    HW_JOINT_HELD,      // where its controller brings it to rest, or keeps it
    HW_JOINT_OVERLOADED // its actuator gives all that it can, which is not enough
} hwJointHold;

// Auxiliary variables, one for each freedom: before the step of hd, and where they and their rates are put.
typedef struct hwJointMemory {
    const double* base;
    double *z, *zdot;
} hwJointMemory;

// Everything about one joint at one evaluation but its motion.
typedef struct hwJointDrive {
    const hwLinkDef* def;
    hwControlMode mode;
    double kp, ki, kd, power;
    hwVec3 target;
    hwVec3 carried;   // what weight and buoyancy behind it do, when the controller carries them
    double hd;        // s; 0: rates of the auxiliaries are asked for
    bool settling;    // in statics: lags are over,
    hwJointHold hold; // and what keeps its place is held there
    hwVec3 given;     // effort of an overloaded one
    hwJointMemory integral, lag,
        slider; // of the controller; of a hydraulic actuator; of friction, null: none
    double *elastic, *work, *dissipation; // J, W: added to
    double* storing;                      // W, the rate of `elastic`: added to
} hwJointDrive;

hwJointEffort hwJointDrive_PushAxis(const hwJointDrive* drive, double q, double v);
hwJointMoment hwJointDrive_PushBall(const hwJointDrive* drive, hwQuat turn, hwVec3 w);
// What a direct-current motor gives at rest, N m or N.
double hwJointDrive_GetMotorEffort(const hwActuatorDef* motor, double voltage);

#endif
