// Winches: payout at the ends of cables.
#ifndef HW_PARTS_WINCHES_WINCHES_H
#define HW_PARTS_WINCHES_WINCHES_H

#include "world/cable_slots.h"

#define HW_WINCH_COOKIE 0x48570022

typedef struct hwWinchObject {
    hwWinchDef def;
    hwWinchId id;
    int index; // in the model, -1 before Prepare
} hwWinchObject;

typedef struct hwWinchModel {
    hwWinchObject* object;
    int slot, end;
    int rate;     // auxiliary: payout rate, m/s
    int material; // auxiliary: material coordinate of the end, m
    int integral; // auxiliary: of the tension's error, N s
    int follow;   // link of the point that it compensates, -1: none
    int input;    // first of its inputs, see hwWinchInput
} hwWinchModel;

typedef enum hwWinchInput {
    HW_WINCH_SETPOINT, // NaN: the def's signal
    HW_WINCH_MODE,
    HW_WINCH_KP,
    HW_WINCH_KI,
    HW_WINCH_KD,
    HW_WINCH_ACCELERATION,
    HW_WINCH_DECELERATION,
    HW_WINCH_COMPENSATION,
    HW_WINCH_INPUTS
} hwWinchInput;

typedef struct hwWinchesModel {
    int count;
    hwWinchModel* items;
} hwWinchesModel;

#endif
