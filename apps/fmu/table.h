// The table of a unit's variables: written by `hawser fmu`, read by the unit from its resources. Numbers of variables (value
// references) count from 1 in the order of the lines; 0 is the time.
#ifndef HW_FMU_TABLE_H
#define HW_FMU_TABLE_H

#include "hawser/base.h"

#define HW_FMU_TABLE_FILE "variables.txt"
#define HW_FMU_TABLE_HEAD "hawser fmu 1"

// A line is the letter of its kind, a blank, and what belongs to it. Ends and ports stand for several variables.
typedef enum hwFmuKind {
    HW_FMU_OUTPUT = 'o',    // name of a channel
    HW_FMU_INPUT = 'i',     // start, name of an input of the world
    HW_FMU_PARAMETER = 'p', // start, path of a number in the scene
    HW_FMU_END = 'e',       // end a or b, name of a cable: its pinned end is moved by hand
    HW_FMU_CLAMP = 'c',     // likewise of a clamped end, which is turned too
    HW_FMU_PORT = 'b',      // x y z, name of a body: forces act at that point of it
    HW_FMU_STEP =
        's', // s, step that is expected at first; and 1 when masters pass values of the step's start (parallel)
} hwFmuKind;

// Variables of an end, by suffix, all behind "cable.a.coupling.".
typedef enum hwFmuEndPart {
    HW_FMU_END_POSITION = 0,   // inputs: x y z, where it shall be at the end of the step
    HW_FMU_END_VELOCITY = 3,   // inputs
    HW_FMU_END_FELT = 6,       // inputs: mean force that the other side has felt
    HW_FMU_END_FORCE = 9,      // outputs: x y z, for the next step, at the reference velocity
    HW_FMU_END_IMPEDANCE = 12, // outputs: xx xy xz yy yz zz, how much less it is for a greater velocity
    HW_FMU_END_REFERENCE = 18, // outputs: x y z
    HW_FMU_END_MEAN = 21,      // outputs: mean force of the last step
    HW_FMU_END_COUNT = 24,
    // Of clamps besides.
    HW_FMU_END_TURN = 24,           // inputs: w x y z, how it shall have turned since the start, world axes
    HW_FMU_END_RATE = 28,           // inputs: x y z, angular velocity
    HW_FMU_END_FELT_MOMENT = 31,    // inputs: mean moment that the other side has felt
    HW_FMU_END_MOMENT = 34,         // outputs, as the force
    HW_FMU_END_CROSS = 37,          // outputs: xx xy .. zz, force by angular velocity
    HW_FMU_END_ROTATION = 46,       // outputs: xx xy xz yy yz zz, moment by angular velocity
    HW_FMU_END_REFERENCE_RATE = 52, // outputs
    HW_FMU_END_MEAN_MOMENT = 55,    // outputs
    HW_FMU_CLAMP_COUNT = 58,
} hwFmuEndPart;

// Variables of a port, behind "body.coupling.".
typedef enum hwFmuPortPart {
    HW_FMU_PORT_FORCE = 0,     // inputs
    HW_FMU_PORT_IMPEDANCE = 3, // inputs
    HW_FMU_PORT_REFERENCE = 9, // inputs
    HW_FMU_PORT_POSITION = 12, // outputs
    HW_FMU_PORT_VELOCITY = 15, // outputs
    HW_FMU_PORT_FELT = 18,     // outputs: mean force of the last step
    // What a clamp needs besides; without one it is left alone.
    HW_FMU_PORT_MOMENT = 21,         // inputs
    HW_FMU_PORT_CROSS = 24,          // inputs
    HW_FMU_PORT_ROTATION = 33,       // inputs
    HW_FMU_PORT_REFERENCE_RATE = 39, // inputs
    HW_FMU_PORT_TURN = 42,           // outputs: w x y z, since the start
    HW_FMU_PORT_RATE = 46,           // outputs
    HW_FMU_PORT_FELT_MOMENT = 49,    // outputs
    HW_FMU_PORT_COUNT = 52,
} hwFmuPortPart;

#endif
