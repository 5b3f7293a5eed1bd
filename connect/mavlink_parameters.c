// Parameters of the vehicle's endpoint: inputs of the world that pilots set once, and what the endpoint itself keeps.
#include "connect/mavlink_vehicle_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TYPE_FLOAT 9
#define NAME 16 // bytes, zero-terminated only when shorter

typedef enum ParameterKind {
    PARAMETER_SYSTEM,
    PARAMETER_FAILSAFE,
    PARAMETER_TIMEOUT,
    PARAMETER_GAIN,
    PARAMETER_LIGHT_STEPS,
    PARAMETER_FIXED,                                        // those above
    PARAMETER_AXES = PARAMETER_FIXED,                       // of each axis four
    PARAMETER_BUTTONS = PARAMETER_AXES + 4 * HW_AXIS_COUNT, // of each button two
    PARAMETER_COUNT = PARAMETER_BUTTONS + 2 * MAV_BUTTONS
} ParameterKind;

typedef struct Range {
    double low, high;
    bool whole;
} Range;

int hwMavParameters_GetCount(const hwMavVehicle* v) {
    (void)v;
    return PARAMETER_COUNT;
}

static Range GetName(int index, char name[NAME + 1]) {
    static const struct {
        const char* name;
        Range range;
    } fixed[PARAMETER_FIXED] = {
        [PARAMETER_SYSTEM] = {"SYSID_THISMAV", {MAV_SYSTEM, MAV_SYSTEM, true}},
        [PARAMETER_FAILSAFE] = {"FS_PILOT_INPUT", {0.0, 2.0, true}},
        [PARAMETER_TIMEOUT] = {"FS_PILOT_TIMEOUT", {0.1, 60.0, false}},
        [PARAMETER_GAIN] = {"JS_GAIN_DEFAULT", {0.1, 1.0, false}},
        [PARAMETER_LIGHT_STEPS] = {"JS_LIGHTS_STEPS", {1.0, 100.0, true}},
    };
    static const char* const axes[HW_AXIS_COUNT] = {"SURGE", "SWAY", "HEAVE", "YAW"};
    static const char* const parts[4] = {"DEADZONE", "SENS", "EXPO", "INVERT"};
    static const Range ranges[4] = {
        {0.0, 0.9, false}, {0.0, 2.0, false}, {0.0, 1.0, false}, {0.0, 1.0, true}};
    static const Range button = {0.0, 255.0, true};
    memset(name, 0, NAME + 1);
    if (index < PARAMETER_FIXED) {
        snprintf(name, NAME + 1, "%s", fixed[index].name);
        return fixed[index].range;
    }
    if (index < PARAMETER_BUTTONS) {
        int at = index - PARAMETER_AXES;
        snprintf(name, NAME + 1, "%s_%s", axes[at / 4], parts[at % 4]);
        return ranges[at % 4];
    }
    int at = index - PARAMETER_BUTTONS;
    snprintf(name, NAME + 1, "BTN%u_%sFUNCTION", (unsigned)at / 2 % MAV_BUTTONS, at % 2 == 0 ? "" : "S");
    return button;
}

static double GetValue(const hwMavVehicle* v, int index) {
    const MavPilot* pilot = &v->pilot;
    switch (index) {
    case PARAMETER_SYSTEM:
        return MAV_SYSTEM;
    case PARAMETER_FAILSAFE:
        return pilot->action;
    case PARAMETER_TIMEOUT:
        return pilot->timeout;
    case PARAMETER_GAIN:
        return v->state.gain;
    case PARAMETER_LIGHT_STEPS:
        return pilot->lightSteps;
    default:
        break;
    }
    if (index < PARAMETER_BUTTONS) {
        int at = index - PARAMETER_AXES;
        return hwWorld_ReadInput(v->connection->world, v->inputs.axes[at / 4][at % 4]);
    }
    int at = index - PARAMETER_BUTTONS;
    return pilot->functions[at / 2][at % 2];
}

static void SetValue(hwMavVehicle* v, int index, double value) {
    MavPilot* pilot = &v->pilot;
    switch (index) {
    case PARAMETER_SYSTEM:
        return;
    case PARAMETER_FAILSAFE:
        pilot->action = (int)value;
        return;
    case PARAMETER_TIMEOUT:
        pilot->timeout = value;
        return;
    case PARAMETER_GAIN:
        if (hwMavVehicle_Set(v, v->inputs.gain, value)) v->state.gain = value;
        return;
    case PARAMETER_LIGHT_STEPS:
        pilot->lightSteps = value;
        return;
    default:
        break;
    }
    if (index < PARAMETER_BUTTONS) {
        int at = index - PARAMETER_AXES;
        hwMavVehicle_Set(v, v->inputs.axes[at / 4][at % 4], value);
        return;
    }
    int at = index - PARAMETER_BUTTONS;
    pilot->functions[at / 2][at % 2] = (int)value;
}

static int Find(const char* wanted) {
    for (int i = 0; i < PARAMETER_COUNT; ++i) {
        char name[NAME + 1];
        GetName(i, name);
        if (strcmp(name, wanted) == 0) return i;
    }
    return -1;
}

void hwMavParameters_Send(hwMavVehicle* v, int index, int peer) {
    if (index < 0 || index >= PARAMETER_COUNT) return;
    char name[NAME + 1];
    GetName(index, name);
    hwMavFrame frame = {.message = HW_MAV_PARAM_VALUE};
    hwMav_PutFloat(&frame, 0, GetValue(v, index));
    hwMav_PutU16(&frame, 4, PARAMETER_COUNT);
    hwMav_PutU16(&frame, 6, (unsigned)index);
    hwMav_PutText(&frame, 8, NAME, name);
    hwMav_PutU8(&frame, 24, TYPE_FLOAT);
    hwMavVehicle_Send(v, &frame, peer);
}

void hwMavParameters_Read(hwMavVehicle* v, const hwMavFrame* frame, int peer) {
    int index = hwMav_GetI16(frame, 0);
    if (index < 0) {
        char name[NAME + 1];
        hwMav_GetText(frame, 4, NAME, name);
        index = Find(name);
    }
    hwMavParameters_Send(v, index, peer);
}

// A value out of range changes nothing; the answer holds the value that counts, to all.
void hwMavParameters_Set(hwMavVehicle* v, const hwMavFrame* frame, int peer) {
    char name[NAME + 1];
    hwMav_GetText(frame, 6, NAME, name);
    int index = Find(name);
    if (index < 0) return;
    Range range = GetName(index, name);
    double value = hwMav_GetFloat(frame, 0);
    bool good = value >= range.low && value <= range.high && (!range.whole || value == floor(value));
    if (good) SetValue(v, index, value);
    hwMavParameters_Send(v, index, good ? MAV_EVERYBODY : peer);
}
