// What a vehicle file holds once read: plain structures for the tables in vehicle_schema.c.
#ifndef HW_IO_VEHICLE_FILE_H
#define HW_IO_VEHICLE_FILE_H

#include "hawser/vehicle_type.h"
#include "scene_model.h"

// Strength and behaviour of a thruster; also what all of them have in common.
typedef struct hwFileThruster {
    hwPlace place;
    const char* name;
    hwVec3 position, axis;
    int hand;  // 1: right, -1: left
    int servo; // output of an external autopilot, 0: its place in the list
    double forward, reverse, deadBand, exponent, timeConstant, topSpeed, advance, torque, diameter, weight;
    int blades;
} hwFileThruster;

typedef struct hwFileHold {
    hwPlace place;
    hwHoldDef def;
} hwFileHold;

typedef struct hwFileAutopilot {
    hwPlace place;
    hwFileHold depth, heading, level, position;
    double climbRate, turnRate, depthLead, headingLead, cruiseRate, positionLead, tetherForward;
} hwFileAutopilot;

typedef struct hwFileAxis {
    hwPlace place;
    double deadZone, sensitivity, expo;
    bool invert;
} hwFileAxis;

typedef struct hwFilePilot {
    hwPlace place;
    double gain;
    hwNumbers gains;
    hwFileAxis axes[HW_AXIS_COUNT];
} hwFilePilot;

typedef struct hwFileCamera {
    hwPlace place;
    hwVec3 position;
    hwNumbers tilt;
    double tiltRate, zoom, zoomRate, field;
    int servo;
} hwFileCamera;

typedef struct hwFileLamp {
    hwPlace place;
    hwVec3 position, axis;
    double beam, lumens;
    bool tilts;
} hwFileLamp;

typedef struct hwFileGripper {
    hwPlace place;
    hwVec3 position, axis;
    double opening, length, speed, force, stiffness;
    int servo;
} hwFileGripper;

typedef struct hwFilePoint {
    hwPlace place;
    const char* name;
    hwVec3 position;
} hwFilePoint;

typedef struct hwFilePart {
    hwPlace place;
    const char* name;
    hwSceneShape shape;
    const char* color;
} hwFilePart;

typedef struct hwFileSonar {
    hwPlace place;
    const char* name;
    int scanning;
    hwVec3 position;
    hwSceneAttitude attitude;
    int beams, bins, rays;
    hwNumbers range; // shortest and longest that can be chosen
    double fan, beamWidth, aperture, blind, first, rate, step, sector, speckle, floor;
} hwFileSonar;

typedef struct hwFileVehicle {
    hwPlace place;
    int version;
    const char *title, *summary;
    double mass;
    hwNumbers inertia;
    hwVec3 com;
    hwSceneHydro hydro;
    hwItems shapes; // hwSceneShape
    double ratedDepth, topSpeed;
    hwFileThruster propulsion;
    hwItems thrusters; // hwFileThruster
    bool linearize;
    hwNumbers axisWeights;
    hwFilePilot pilot;
    hwFileAutopilot autopilot;
    hwFileCamera camera;
    hwItems lights; // hwFileLamp
    int lightsServo;
    hwFileGripper gripper;
    hwItems arms;        // hwSceneMechanism: base holds where it is mounted
    hwItems points;      // hwFilePoint
    hwItems parts;       // hwFilePart
    hwItems instruments; // hwSceneInstrument
    hwItems sonars;      // hwFileSonar
} hwFileVehicle;

struct hwVehicleType {
    hwStore store;
    hwFileVehicle file;
    hwVehicleDef def;
    hwVehicleLook look;
    hwSceneWarnings warnings;
};

// The section a vehicle file is.
extern const hwSection hwSection_vehicleFile;

// Checks of its sections.
hwCheckFn hwCheckThruster, hwCheckLamp, hwCheckGripper, hwCheckCamera, hwCheckPart, hwCheckSonar,
    hwCheckVehicleFile;

#endif
