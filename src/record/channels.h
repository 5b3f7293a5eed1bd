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
    // inputs
    HW_INPUT_CURRENT,
    HW_INPUT_WIND,
    HW_INPUT_FORCE,
    HW_INPUT_TORQUE
} hwQuantity;

#endif
