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
    HW_FMU_END = 'e',       // end a or b, name of a cable: its end is moved by hand
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
} hwFmuEndPart;

// Variables of a port, behind "body.coupling.".
typedef enum hwFmuPortPart {
    HW_FMU_PORT_FORCE = 0,     // inputs
    HW_FMU_PORT_IMPEDANCE = 3, // inputs
    HW_FMU_PORT_REFERENCE = 9, // inputs
    HW_FMU_PORT_POSITION = 12, // outputs
    HW_FMU_PORT_VELOCITY = 15, // outputs
    HW_FMU_PORT_FELT = 18,     // outputs: mean force of the last step
    HW_FMU_PORT_COUNT = 21,
} hwFmuPortPart;

#endif
