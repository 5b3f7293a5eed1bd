// Sticks, buttons and the failsafe of a ground station's pilot.
#include "connect/mavlink_vehicle_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INVALID 32767    // an axis that is not steered
#define TILT_RATE 30.0   // deg/s while a button is held
#define LONGEST_HOLD 0.2 // s that one message of a held button counts for
#define NEUTRAL 0.05     // of an axis, when held inputs may be let go

// Functions of buttons, with ArduSub's numbers.
enum {
    FUNCTION_SHIFT = 1,
    FUNCTION_ARM_TOGGLE = 2,
    FUNCTION_ARM = 3,
    FUNCTION_DISARM = 4,
    FUNCTION_MANUAL = 5,
    FUNCTION_STABILIZE = 6,
    FUNCTION_DEPTH_HOLD = 7,
    FUNCTION_STATION = 8,
    FUNCTION_ROUTE = 9,
    FUNCTION_ALTITUDE = 13,
    FUNCTION_MOUNT_CENTER = 21,
    FUNCTION_TILT_UP = 22,
    FUNCTION_TILT_DOWN = 23,
    FUNCTION_LIGHTS_CYCLE = 31,
    FUNCTION_LIGHTS_BRIGHTER = 32,
    FUNCTION_LIGHTS_DIMMER = 33,
    FUNCTION_GAIN_TOGGLE = 41,
    FUNCTION_GAIN_UP = 42,
    FUNCTION_GAIN_DOWN = 43,
    FUNCTION_INPUT_HOLD = 48,
    FUNCTION_GRIPPER_CLOSE = 63, // servo 1 to its least
    FUNCTION_GRIPPER_OPEN = 64   // and to its most
};

void hwMavPilot_Reset(MavPilot* pilot) {
    // ArduSub's defaults, where we have the function; open and close are on the shifted shoulder buttons, as in Cockpit
    static const int functions[MAV_BUTTONS][2] = {
        {0, 0},
        {FUNCTION_MANUAL, 0},
        {FUNCTION_DEPTH_HOLD, 0},
        {FUNCTION_STABILIZE, 0},
        {FUNCTION_DISARM, 0},
        {FUNCTION_SHIFT, 0},
        {FUNCTION_ARM, 0},
        {FUNCTION_MOUNT_CENTER, 0},
        {FUNCTION_INPUT_HOLD, 0},
        {FUNCTION_TILT_DOWN, FUNCTION_GRIPPER_CLOSE},
        {FUNCTION_TILT_UP, FUNCTION_GRIPPER_OPEN},
        {FUNCTION_GAIN_UP, 0},
        {FUNCTION_GAIN_DOWN, 0},
        {FUNCTION_LIGHTS_DIMMER, 0},
        {FUNCTION_LIGHTS_BRIGHTER, 0},
        {0, 0},
    };
    memset(pilot, 0, sizeof(*pilot));
    memcpy(pilot->functions, functions, sizeof(functions));
    pilot->timeout = 3.0;
    pilot->action = 2;
    pilot->lightSteps = 8.0;
}

static double Clamp(double value, double low, double high) {
    return value < low ? low : (value > high ? high : value);
}

static void SetLights(hwMavVehicle* v, double lights) {
    v->state.lights = Clamp(lights, 0.0, 1.0);
    hwMavVehicle_Set(v, v->inputs.lights, v->state.lights);
}

static void SetGain(hwMavVehicle* v, double gain) {
    v->state.gain = Clamp(gain, 0.25, 1.0);
    hwMavVehicle_Set(v, v->inputs.gain, v->state.gain);
}

static void Tilt(hwMavVehicle* v, double degrees) {
    double low = v->vehicle->camera.tiltLow, high = v->vehicle->camera.tiltHigh;
    v->state.cameraTilt = Clamp(v->state.cameraTilt + degrees * HW_DEGREE, low, high);
    hwMavVehicle_Set(v, v->inputs.tilt, v->state.cameraTilt / HW_DEGREE);
}

static void HoldInput(hwMavVehicle* v) {
    MavPilot* pilot = &v->pilot;
    bool neutral = true;
    for (int i = 0; i < HW_AXIS_YAW; ++i) neutral = neutral && fabs(pilot->axes[i]) < NEUTRAL;
    for (int i = 0; i < HW_AXIS_YAW; ++i) pilot->trims[i] = neutral ? 0.0 : pilot->axes[i];
    pilot->holding = !neutral;
    hwMavVehicle_Say(v, 6, neutral ? "Input hold off" : "Input hold on");
}

static void Press(hwMavVehicle* v, int function) {
    MavPilot* pilot = &v->pilot;
    double lightStep = 1.0 / pilot->lightSteps;
    switch (function) {
    case FUNCTION_ARM_TOGGLE:
        hwMavVehicle_Arm(v, !v->state.armed);
        break;
    case FUNCTION_ARM:
        hwMavVehicle_Arm(v, true);
        break;
    case FUNCTION_DISARM:
        hwMavVehicle_Arm(v, false);
        break;
    case FUNCTION_MANUAL:
        hwMavVehicle_SetMode(v, 19);
        break;
    case FUNCTION_STABILIZE:
        hwMavVehicle_SetMode(v, 0);
        break;
    case FUNCTION_DEPTH_HOLD:
        hwMavVehicle_SetMode(v, 2);
        break;
    case FUNCTION_STATION:
        hwMavVehicle_SetMode(v, 16);
        break;
    case FUNCTION_ROUTE:
        hwMavVehicle_SetMode(v, 3);
        break;
    case FUNCTION_ALTITUDE:
        hwMavVehicle_SetMode(v, 21);
        break;
    case FUNCTION_MOUNT_CENTER:
        Tilt(v, -v->state.cameraTilt / HW_DEGREE);
        break;
    case FUNCTION_LIGHTS_CYCLE:
        SetLights(v, v->state.lights > 1.0 - 0.5 * lightStep ? 0.0 : v->state.lights + lightStep);
        break;
    case FUNCTION_LIGHTS_BRIGHTER:
        SetLights(v, v->state.lights + lightStep);
        break;
    case FUNCTION_LIGHTS_DIMMER:
        SetLights(v, v->state.lights - lightStep);
        break;
    case FUNCTION_GAIN_TOGGLE:
        SetGain(v, v->state.gain > 0.625 ? 0.25 : 1.0);
        break;
    case FUNCTION_GAIN_UP:
        SetGain(v, v->state.gain + 0.25);
        break;
    case FUNCTION_GAIN_DOWN:
        SetGain(v, v->state.gain - 0.25);
        break;
    case FUNCTION_INPUT_HOLD:
        HoldInput(v);
        break;
    case FUNCTION_GRIPPER_CLOSE:
        hwMavVehicle_Set(v, v->inputs.gripper, 0.0);
        break;
    case FUNCTION_GRIPPER_OPEN:
        hwMavVehicle_Set(v, v->inputs.gripper, 1.0);
        break;
    default:
        break; // none, shift, and what this vehicle does not have
    }
}

static void TakeButtons(hwMavVehicle* v, unsigned buttons, double held) {
    MavPilot* pilot = &v->pilot;
    int shift = 0;
    for (int i = 0; i < MAV_BUTTONS; ++i) {
        if ((buttons >> i & 1) != 0 && pilot->functions[i][0] == FUNCTION_SHIFT) shift = 1;
    }
    for (int i = 0; i < MAV_BUTTONS; ++i) {
        if ((buttons >> i & 1) == 0) continue;
        int function = pilot->functions[i][shift];
        if (function == FUNCTION_TILT_UP || function == FUNCTION_TILT_DOWN) {
            Tilt(v, (function == FUNCTION_TILT_UP ? 1.0 : -1.0) * TILT_RATE * held);
        } else if ((pilot->buttons >> i & 1) == 0) {
            Press(v, function);
        }
    }
    pilot->buttons = buttons;
}

static void Steer(hwMavVehicle* v, const double axes[HW_AXIS_COUNT]) {
    MavPilot* pilot = &v->pilot;
    for (int i = 0; i < HW_AXIS_COUNT; ++i) {
        pilot->axes[i] = axes[i];
        hwMavVehicle_Set(v, v->inputs.pilot[i], Clamp(axes[i] + pilot->trims[i], -1.0, 1.0));
    }
    pilot->heard = v->connection->clock;
    pilot->present = true;
    pilot->failed = false;
}

void hwMavPilot_TakeManualControl(hwMavVehicle* v, const hwMavFrame* frame) {
    double held = v->pilot.present ? v->connection->clock - v->pilot.heard : 0.0;
    TakeButtons(v, hwMav_GetU16(frame, 8), Clamp(held, 0.0, LONGEST_HOLD));
    double axes[HW_AXIS_COUNT];
    static const int places[HW_AXIS_COUNT] = {
        [HW_AXIS_SURGE] = 0, [HW_AXIS_SWAY] = 2, [HW_AXIS_HEAVE] = 4, [HW_AXIS_YAW] = 6};
    for (int i = 0; i < HW_AXIS_COUNT; ++i) {
        int value = hwMav_GetI16(frame, places[i]);
        // heave is 0..1000 with 500 at rest
        double axis = i == HW_AXIS_HEAVE ? (value - 500) / 500.0 : value / 1000.0;
        axes[i] = value == INVALID ? 0.0 : Clamp(axis, -1.0, 1.0);
    }
    Steer(v, axes);
}

// A channel as a share of its range, -1..1; false: it is to be left as it is. A released one is at rest.
static bool ReadChannel(const hwMavFrame* frame, int channel, double* value) {
    bool early = channel <= 8;
    unsigned pulse = hwMav_GetU16(frame, early ? 2 * (channel - 1) : 18 + 2 * (channel - 9));
    bool released = pulse == (early ? 0u : 65534u);
    if (pulse == 65535 || (!early && pulse == 0)) return false;
    *value = released ? 0.0 : Clamp((pulse - 1500.0) / 400.0, -1.0, 1.0);
    return released || (pulse >= 800 && pulse <= 2200);
}

void hwMavPilot_TakeOverride(hwMavVehicle* v, const hwMavFrame* frame) {
    // ArduSub's channels: 1 pitch, 2 roll, 3 up, 4 yaw, 5 forward, 6 to starboard, 8 tilt, 9 and 10 lights
    static const int channels[HW_AXIS_COUNT] = {
        [HW_AXIS_SURGE] = 5, [HW_AXIS_SWAY] = 6, [HW_AXIS_HEAVE] = 3, [HW_AXIS_YAW] = 4};
    double axes[HW_AXIS_COUNT], value;
    for (int i = 0; i < HW_AXIS_COUNT; ++i) {
        if (!ReadChannel(frame, channels[i], &axes[i])) axes[i] = v->pilot.axes[i];
    }
    double middle = 0.5 * (v->vehicle->camera.tiltLow + v->vehicle->camera.tiltHigh);
    double half = 0.5 * (v->vehicle->camera.tiltHigh - v->vehicle->camera.tiltLow);
    if (hwMav_GetU16(frame, 14) != 0 && ReadChannel(frame, 8, &value))
        hwMavVehicle_Set(v, v->inputs.tilt, (middle + value * half) / HW_DEGREE);
    for (int channel = 9; channel <= 10; ++channel) {
        if (ReadChannel(frame, channel, &value)) SetLights(v, 0.5 + 0.5 * value);
    }
    Steer(v, axes);
}

// A pilot who falls silent: sticks to rest, and as the parameter says.
void hwMavPilot_Watch(hwMavVehicle* v) {
    MavPilot* pilot = &v->pilot;
    if (!pilot->present || pilot->action == 0 || v->connection->clock - pilot->heard < pilot->timeout) return;
    pilot->present = false;
    pilot->failed = true;
    pilot->buttons = 0;
    memset(pilot->axes, 0, sizeof(pilot->axes));
    memset(pilot->trims, 0, sizeof(pilot->trims));
    pilot->holding = false;
    for (int i = 0; i < HW_AXIS_COUNT; ++i) hwMavVehicle_Set(v, v->inputs.pilot[i], 0.0);
    hwMavVehicle_Say(v, 2, "Lost manual control");
    if (pilot->action == 2) hwMavVehicle_Arm(v, false);
}
