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
    int* at; // [2 * slot + end] index of the winch there, or -1
} hwWinchesModel;

// winch_calls.c
hwWinchObject* hwWinches_Get(const hwWorld* world, hwWinchId id);
hwStatus hwWinches_Copy(hwWorld* branch, const hwWorld* world, hwError* error);
// Whether a winch hauls an end of a cable, by its objects.
bool hwWinches_FindFeeder(const hwWorld* world, hwCableId cable, int end, hwCableFeed* feed);
double hwWinches_GetMore(const hwWorld* world, const hwCableObject* cable);
void hwWinches_Reserve(const hwWorld* world, const hwCableObject* cable, double reserve[2]);
void hwWinches_Drop(hwWorld* world, hwCableId cable);

// winch.c
double hwWinch_GetTension(const hwWorld* world, const hwWinchModel* winch);

#endif
