/// @file vehicle_type.h
/// Kinds of vehicles read from files: what the simulation needs and what a picture needs. Part of hawser-io.
///
/// Types that come with Hawser are inside the library and found by name; others are files.
#ifndef HAWSER_VEHICLE_TYPE_H
#define HAWSER_VEHICLE_TYPE_H

#include "hawser/base.h"
#include "hawser/instrument.h"
#include "hawser/sonar.h"
#include "hawser/vehicle.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A kind of vehicle. Never changes.
typedef struct hwVehicleType hwVehicleType;

/// A lamp.
typedef struct hwLampDef {
    hwVec3 position; ///< m, body frame
    hwVec3 axis;     ///< unit, body frame
    double beam;     ///< rad, full angle
    double lumens;   ///< at full intensity
    bool tilts;      ///< it moves with the camera
} hwLampDef;

/// A part of the picture: a form and a colour.
typedef struct hwPartDef {
    const char* name;  ///< "frame", or null
    hwShapeDef shape;  ///< form and place in the body frame
    const char* color; ///< "#rrggbb"
} hwPartDef;

/// An imaging sonar. It weighs nothing and is no part of a world's state: its image is computed when it is pinged.
typedef struct hwVehicleSonarDef {
    const char* name; ///< "forward"
    bool scanning;    ///< one beam that turns; else a fan of beams
    hwSonarDef def;   ///< without a body; `most` is the longest range
    double least;     ///< m, shortest range that can be chosen; `def.most` is the longest
    double first;     ///< m, range that is chosen at first, between these
    double rate;      ///< 1/s, pings
    double step;      ///< rad, by which a scanning sonar turns from ping to ping
    double sector;    ///< rad, that a scanning sonar sweeps about its x axis; 2 pi: all round
} hwVehicleSonarDef;

/// Bearing of a scanning sonar's ping, rad, positive to starboard: round and round, or to and fro over its sector. Of others 0.
HW_API double hwVehicleSonar_GetBearing(const hwVehicleSonarDef* def, double ping);

/// What a kind of vehicle says about itself besides its def. Owned by the type.
typedef struct hwVehicleLook {
    const char* name;                   ///< the file's name without its ending
    const char* title;                  ///< "BlueROV2 Heavy"
    const char* summary;                ///< a few words
    double ratedDepth;                  ///< m; inf: none
    double topSpeed;                    ///< m/s forward, as published; 0: not known
    int gainCount;                      ///< entries of `gains`
    const double* gains;                ///< steps of the pilot's gain
    int lampCount;                      ///< entries of `lamps`
    const hwLampDef* lamps;             ///< its lights
    int partCount;                      ///< entries of `parts`
    const hwPartDef* parts;             ///< for pictures; none: its shapes
    int instrumentCount;                ///< entries of `instruments`
    const hwInstrumentDef* instruments; ///< its sensors, without a body; scenes add them as `vehicle.name`
    int sonarCount;                     ///< entries of `sonars`
    const hwVehicleSonarDef* sonars;    ///< its imaging sonars
} hwVehicleLook;

/// Finds a type by name or path: a path when it ends in .yaml, else the name of a file in the folder `vehicles` beside or
/// above `folder`, else of one that comes with Hawser. With a null folder no file is touched. Returns null and fills
/// `error` on failure; the caller owns it.
HW_API hwVehicleType* hwLoadVehicleType(const char* name, const char* folder, hwError* error);

/// The same from text in memory; `name` stands for the path in messages. No file is touched.
HW_API hwVehicleType* hwParseVehicleType(const char* text, size_t size, const char* name, hwError* error);

/// Frees a type. Vehicles made from it live on. Null is allowed.
HW_API void hwDestroyVehicleType(hwVehicleType* type);

/// A def of this type that still needs a name and a place (`body.name`, `body.position`, `body.attitude`). Its pointers lead
/// into the type.
HW_API hwVehicleDef hwVehicleType_GetDef(const hwVehicleType* type);

/// Adds a vehicle of this type with its instruments (`vehicle.imu`) and its arms (mechanisms `vehicle.arm`). `def` is that
/// of hwVehicleType_GetDef with a name and a place. On failure returns a null id and leaves the world as it was.
HW_API hwVehicleId hwVehicleType_Add(const hwVehicleType* type, const hwVehicleDef* def, hwWorld* world,
                                     hwError* error);

/// Title, lights, parts and so on; valid as long as the type.
HW_API const hwVehicleLook* hwVehicleType_GetLook(const hwVehicleType* type);

/// Number of types that come with Hawser.
HW_API int hwVehicleType_GetBuiltInCount(void);
/// Name of one; null for an index out of range.
HW_API const char* hwVehicleType_GetBuiltIn(int index);

#ifdef __cplusplus
}
#endif
#endif
