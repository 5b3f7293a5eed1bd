#include "apps/server/frame_fields.h"

// clang-format off
#define ONE(name, channel, text) {name, FRAME_FLOAT, FRAME_CHANNELS, 1, {channel}, text}
#define XYZ(name, channel, text) \
    {name, FRAME_FLOAT, FRAME_CHANNELS, 3, {channel ".x", channel ".y", channel ".z"}, text}

const hwFrameField hwVehicleFields[] = {
    XYZ("position", "position", "position of the body frame's origin"),
    {"attitude", FRAME_FLOAT, FRAME_ATTITUDE, 4, {"attitude.roll", "attitude.pitch", "attitude.yaw"}, "attitude w, x, y, z"},
    XYZ("velocity", "velocity", "velocity, world axes, m/s"),
    XYZ("rate", "rate", "rate, body axes, rad/s"),
    ONE("depth", "depth", "depth, m"),
    ONE("heading", "heading", "heading, 0..2π"),
    ONE("roll", "roll", "roll, rad, positive to starboard"),
    ONE("pitch", "pitch", "pitch, rad, positive bow up"),
    ONE("altitude", "altitude", "altitude above the bottom, m"),
    ONE("speed", "speed", "speed over ground, m/s"),
    ONE("turns", "turns", "turns, signed, clockwise positive, counted on"),
    ONE("tension", "tether.tension", "tether tension at the vehicle, N"),
    ONE("tilt", "camera.tilt", "camera tilt, rad, positive up"),
    ONE("zoom", "camera.zoom", "camera zoom, 1 and up"),
    ONE("lights", "lights", "lights, 0..1"),
    ONE("gripper", "gripper", "gripper opening, 0..1"),
    ONE("gain", "gain", "gain, 0..1"),
    ONE("depthTarget", "target.depth", "depth set point, m; NaN: not held"),
    ONE("headingTarget", "target.heading", "heading set point, rad, 0..2π; NaN: not held"),
    {"mode", FRAME_U8, FRAME_CHANNELS, 1, {"mode"}, "mode, index into `catalog.modes`"},
    {"flags", FRAME_U8, FRAME_FLAGS, 1, {"armed", "gripper.held", "saturated"},
     "flags: 1 armed, 2 input hold, 4 the gripper holds something, 8 a thruster is at its limit, 16 collision now"},
    {"failed", FRAME_U16, FRAME_CHANNELS, 1, {"failed"}, "failed thrusters, one bit each"},
    XYZ("water", "water", "velocity of the water at the vehicle, world axes"),
    {"axes", FRAME_FLOAT, FRAME_CHANNELS, 4, {"axis.surge", "axis.sway", "axis.heave", "axis.yaw"},
     "pilot axes after dead zone, expo, sensitivity and inversion, before the gain"},
    ONE("bypass", "bypass", "where the chain is entered: 0 sticks, 1 demand, 2 commands of thrusters, as an autopilot outside gives them"),
    XYZ("camera", "camera.position", "where the camera is"),
    {"cameraAttitude", FRAME_FLOAT, FRAME_CHANNELS, 3, {"camera.attitude.roll", "camera.attitude.pitch", "camera.attitude.yaw"},
     "roll, pitch and yaw of its axes in the world, rad: x along its view, y to port"},
    ONE("field", "camera.field", "horizontal field of view, rad, as zoomed"),
};
// clang-format on

const int hwVehicleFieldCount = sizeof(hwVehicleFields) / sizeof(hwVehicleFields[0]);

int hwFrameField_GetBytes(const hwFrameField* field) {
    static const int sizes[] = {[FRAME_FLOAT] = 4, [FRAME_U8] = 1, [FRAME_U16] = 2};
    return sizes[field->type] * field->count;
}

static int GetBytes(void) {
    int bytes = 0;
    for (int i = 0; i < hwVehicleFieldCount; ++i) bytes += hwFrameField_GetBytes(&hwVehicleFields[i]);
    return bytes;
}

void hwFrameFields_WritePage(FILE* file) {
    fputs("// The vehicle's section of a frame, written from the table in apps/server/frame_fields.c by its "
          "test\n"
          "// (HAWSER_WRITE_DOCS=1); docs/protocol.md says what the fields are.\n\n",
          file);
    fprintf(file,
            "export const VEHICLE_BYTES = %d;\n\nexport interface VehicleFrame {\n"
            "    /** position and attitude together, as in Frame.poses */\n    pose: Float32Array;\n",
            GetBytes());
    for (int i = 0; i < hwVehicleFieldCount; ++i) {
        const hwFrameField* field = &hwVehicleFields[i];
        fprintf(file, "    %s: %s;\n", field->name, field->count > 1 ? "Float32Array" : "number");
    }
    fputs(
        "}\n\nexport function decodeVehicle(data: ArrayBuffer, view: DataView, at: number): VehicleFrame {\n"
        "    return {\n        pose: new Float32Array(data, at, 7),\n",
        file);
    for (int i = 0, at = 0; i < hwVehicleFieldCount; at += hwFrameField_GetBytes(&hwVehicleFields[i++])) {
        const hwFrameField* field = &hwVehicleFields[i];
        fprintf(file, "        %s: ", field->name);
        if (field->count > 1)
            fprintf(file, "new Float32Array(data, at + %d, %d),\n", at, field->count);
        else if (field->type == FRAME_FLOAT)
            fprintf(file, "view.getFloat32(at + %d, true),\n", at);
        else if (field->type == FRAME_U16)
            fprintf(file, "view.getUint16(at + %d, true),\n", at);
        else
            fprintf(file, "view.getUint8(at + %d),\n", at);
    }
    fputs("    };\n}\n", file);
}

void hwFrameFields_WriteMarkdown(FILE* file) {
    static const char* const types[] = {[FRAME_FLOAT] = "float", [FRAME_U8] = "u8", [FRAME_U16] = "u16"};
    fprintf(file,
            "**Kind 2, vehicle**, %d bytes; offsets from the section's content:\n\n"
            "| offset | type | value |\n|---|---|---|\n",
            GetBytes());
    for (int i = 0, at = 0; i < hwVehicleFieldCount; at += hwFrameField_GetBytes(&hwVehicleFields[i++])) {
        const hwFrameField* field = &hwVehicleFields[i];
        char count[16] = "";
        if (field->count > 1) snprintf(count, sizeof(count), "[%d]", field->count);
        fprintf(file, "| %d | %s%s | %s |\n", at, types[field->type], count, field->text);
    }
}
