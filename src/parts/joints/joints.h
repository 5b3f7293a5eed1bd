// Joints of mechanisms: controllers, actuators, limits and friction.
#ifndef HW_PARTS_JOINTS_JOINTS_H
#define HW_PARTS_JOINTS_JOINTS_H

#include "mech/joint_law.h"
#include "world/world.h"

// A joint of a mechanism that can be driven, limited or braked.
typedef struct hwJointModel {
    const hwLinkDef* def;
    int link;
    hwJointType type; // revolute, prismatic or ball
    int count;        // freedoms
    int coordinate, freedom;
    int input;    // first of its inputs, see hwJointInput
    int integral; // auxiliary: first of `count`
    int slider;   // likewise, of friction; -1: none
    int lag;      // likewise, of a hydraulic actuator; -1: none
    hwVec3 hold;  // position target when none is given
    bool plain;   // nothing acts along it unless it is controlled
} hwJointModel;

// A joint's inputs, after its target (one for each freedom).
typedef enum hwJointInput {
    HW_JOINT_MODE,
    HW_JOINT_KP,
    HW_JOINT_KI,
    HW_JOINT_KD,
    HW_JOINT_POWER,
    HW_JOINT_INPUTS
} hwJointInput;

typedef struct hwJointsModel {
    int count;
    hwJointModel* items;
    int* of;          // [link] its index among the joints, or -1
    bool compensates; // some joint's controller carries the weight behind it
} hwJointsModel;

// What a joint's signal is at a time: the iterations of a stage all ask for the same one.
typedef struct hwJointTarget {
    const hwSignal* signal; // null: none was asked for yet
    double time;
    hwVec3 value;
} hwJointTarget;

typedef struct hwJointsWork {
    double* damping;                   // [freedom]
    double* stiffness;                 // [freedom]
    double *offDamping, *offStiffness; // [freedom] off-diagonal entries of ball joints, see hwJointTerms
    hwVec3* carried;        // [link] weight less buoyancy of its subtree, and its moments about y and -x
    int* holds;             // [joint] hwJointHold, of the last statics
    hwVec3* given;          // [joint] effort of those that are overloaded
    hwJointTarget* targets; // [joint]
} hwJointsWork;

struct hwToolsModel; // tool.c

// joints.c: the target of a joint's controller at a time.
hwVec3 hwJoint_FindTarget(const hwWorld* world, const hwJointModel* joint, double time);
// What weight and buoyancy behind a joint ask of it, when its controller carries them; needs an evaluation.
hwVec3 hwJoint_GetCompensation(const hwWorld* world, const hwJointModel* joint);

// joint_statics.c: the functions of hwPart
void hwJoints_BeginStatics(hwWorld* world);
int hwJoints_Hold(const hwWorld* world, double* x);
bool hwJoints_Tighten(hwWorld* world, const hwMode* mode);

#endif
