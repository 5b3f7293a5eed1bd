// The quantities behind channels and inputs.
#ifndef HW_RECORD_CHANNELS_H
#define HW_RECORD_CHANNELS_H

typedef enum hwQuantity {
    HW_QUANTITY_TIME,
    HW_QUANTITY_STEPS,
    HW_QUANTITY_ENERGY, // component: 0 total, 1 kinetic, 2 potential, 3 elastic, 4 dissipated, 5 work, 6 balance
    HW_QUANTITY_POSITION,
    HW_QUANTITY_ATTITUDE,
    HW_QUANTITY_VELOCITY,
    HW_QUANTITY_RATE,
    HW_QUANTITY_ACCELERATION,
    HW_QUANTITY_SUBMERGED,
    HW_QUANTITY_JOINT_Q, // object: joint; the next three likewise
    HW_QUANTITY_JOINT_QD,
    HW_QUANTITY_JOINT_QDD,
    HW_QUANTITY_JOINT_EFFORT,
    HW_QUANTITY_FOOT_FORCE, // object: link
    // inputs
    HW_INPUT_CURRENT,
    HW_INPUT_WIND,
    HW_INPUT_FORCE,
    HW_INPUT_TORQUE,
    HW_INPUT_JOINT // object: joint; component: index among its inputs
} hwQuantity;

#endif
