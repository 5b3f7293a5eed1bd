/// @file sensor.h
/// Channels of the caller's own: seen by recorders, reports, gauges and everything else that reads channels.
#ifndef HAWSER_SENSOR_H
#define HAWSER_SENSOR_H

#include "hawser/base.h"
#include "hawser/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Handle of a sensor. Zero is null.
typedef struct hwSensorId {
    uint32_t index;      ///< one-based slot; 0 is null
    uint32_t generation; ///< tells a new object in a reused slot from the old one
} hwSensorId;

/// Reads a prepared world at its time and gives the sensor's value. May call everything that reads a world, other channels
/// included, but not this one.
typedef double hwSensorFn(const hwWorld* world, void* context);

/// Description of a sensor. Start from hwDefaultSensorDef(); texts are copied.
typedef struct hwSensorDef {
    const char* name; ///< unique in the world; its channel is "name.value"
    const char* unit; ///< "1" unless given
    hwSensorFn* read; ///< gives the value
    void* context;    ///< given to `read`; branches give the same
    void* userData;   ///< the caller's own; never read by the library
    int cookie;       ///< set by hwDefaultSensorDef
} hwSensorDef;

/// A sensor without a name and a function: those two you must give.
HW_API hwSensorDef hwDefaultSensorDef(void);
/// Adds a sensor. On failure returns a null id and leaves the world as it was. The world must be prepared again.
HW_API hwSensorId hwWorld_AddSensor(hwWorld* world, const hwSensorDef* def, hwError* error);
/// Removes a sensor. The world must be prepared again before the next step.
HW_API hwStatus hwWorld_RemoveSensor(hwWorld* world, hwSensorId sensor, hwError* error);
/// Sensors in the order of their slots: fills up to `capacity` and returns how many there are.
HW_API int hwWorld_GetSensors(const hwWorld* world, int capacity, hwSensorId* sensors);
/// Finds a sensor by its name. Null id when there is none.
HW_API hwSensorId hwWorld_FindSensor(const hwWorld* world, const char* name);
/// True while the handle refers to a sensor of this world.
HW_API bool hwSensor_IsValid(const hwWorld* world, hwSensorId sensor);
/// The sensor as it was described, owned by the world; null for an invalid handle.
HW_API const hwSensorDef* hwSensor_GetDef(const hwWorld* world, hwSensorId sensor);
/// The caller's own pointer; null for an invalid handle.
HW_API void* hwSensor_GetUserData(const hwWorld* world, hwSensorId sensor);
/// Replaces it. False for an invalid handle.
HW_API bool hwSensor_SetUserData(hwWorld* world, hwSensorId sensor, void* userData);

#ifdef __cplusplus
}
#endif
#endif
