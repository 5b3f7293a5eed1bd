// Joints of mechanisms: controllers, actuators, limits and friction.
#ifndef HW_PARTS_JOINTS_JOINTS_H
#define HW_PARTS_JOINTS_JOINTS_H

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

typedef struct hwJointsWork {
    double* damping;                   // [freedom]
    double* stiffness;                 // [freedom]
    double *offDamping, *offStiffness; // [freedom] off-diagonal entries of ball joints, see hwJointTerms
    hwVec3* carried; // [link] weight less buoyancy of its subtree, and its moments about y and -x
} hwJointsWork;

#endif
