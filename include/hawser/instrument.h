/// @file instrument.h
/// Instruments: what a real sensor on a body would say, with its noise, drift, rate, delay and losses.
///
/// An instrument takes samples at its own rate, at t0 + k / rate. Each sample is the truth there and then plus noise and bias, is lost
/// with the probability `dropout`, and shows in the channels with the first look after `latency`. Between two looks at the world,
/// at most 17 ms apart, truth is interpolated linearly. Noise comes from random numbers that depend on the seed, the sample's number and the
/// component alone: same seed, same bits, whatever steps the solver takes. Bias, samples under way and the last one are part of
/// the world's state.
///
/// Channels: `<name>.<value>` as listed at each kind (NaN until the first sample has arrived), `<name>.valid` (1: the last sample
/// was good), `<name>.age` (s since the last good sample was taken) and `<name>.count` (samples taken).
#ifndef HAWSER_INSTRUMENT_H
#define HAWSER_INSTRUMENT_H

#include "hawser/base.h"
#include "hawser/body.h"
#include "hawser/cable.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Handle of an instrument. Zero is null.
typedef struct hwInstrumentId {
    uint32_t index;      ///< one-based slot; 0 is null
    uint32_t generation; ///< tells a new object in a reused slot from the old one
} hwInstrumentId;

/// Kinds of instruments. Vectors are in the instrument's own axes unless said otherwise.
typedef enum hwInstrumentKind {
    HW_INSTRUMENT_PRESSURE, ///< `.pressure` (Pa, absolute, of still water above it), `.depth` (m, from it)
    HW_INSTRUMENT_IMU, ///< `.gyro.x|y|z` (rad/s; `noise`), `.accel.x|y|z` (m/s2, specific force; `second`)
    HW_INSTRUMENT_COMPASS, ///< `.field.x|y|z` (T; `noise`), `.heading` (rad, magnetic, tilt compensated)
    HW_INSTRUMENT_DVL, ///< `.velocity.x|y|z` (m/s over ground), `.altitude` (m), `.beams` (with bottom lock)
    HW_INSTRUMENT_ALTIMETER, ///< `.range` (m along its -z axis to the bottom)
    HW_INSTRUMENT_USBL, ///< `.position.x|y|z` (m, world axes, from the transceiver), `.range` (m; `noise`, angles `second`)
    HW_INSTRUMENT_LOAD_CELL, ///< `.force` (N, in the end of a cable)
    HW_INSTRUMENT_KINDS      ///< 7
} hwInstrumentKind;

/// Errors of a value. All zero: none.
typedef struct hwNoiseDef {
    double sigma; ///< standard deviation of a sample's white noise, in the value's unit
    double
        density; ///< white noise per root of bandwidth, unit / sqrt(Hz); adds density sqrt(rate) to sigma's square
    double bias;       ///< standard deviation of the bias at the start
    double walk;       ///< random walk of the bias, unit / sqrt(s)
    double time;       ///< s, correlation time of the bias (Gauss-Markov); inf: it walks for ever
    double resolution; ///< steps in which values come; 0: none
} hwNoiseDef;

/// Description of an instrument. Start from hwDefaultInstrumentDef(); the name is copied.
typedef struct hwInstrumentDef {
    const char* name;      ///< unique in the world; may be `body.name`
    hwInstrumentKind kind; ///< what it measures
    hwBodyId body;         ///< that carries it; not for load cells
    hwVec3 position;       ///< m, body frame
    hwQuat attitude;       ///< its axes to the body's
    double rate;           ///< Hz
    double latency;        ///< s from a sample to its showing
    double dropout;        ///< 0..1, probability that a sample is lost
    uint64_t seed;         ///< of its noise; instruments with one seed and different names differ
    hwNoiseDef noise;      ///< of the values, see hwInstrumentKind; of a DVL each beam's velocity, m/s
    hwNoiseDef second;     ///< of the second group of values
    double atmosphere;     ///< Pa, pressure: of the air at the surface
    double field;          ///< T, compass: strength of the earth's field
    double inclination;    ///< rad, compass: of the field below the horizontal
    double declination;    ///< rad, compass: magnetic north east of true north
    hwVec3 hardIron;       ///< T, compass: field of the vehicle itself, body axes
    hwVec3 dipolePosition; ///< m, compass: of something magnetic nearby, world
    hwVec3 dipoleMoment;   ///< A m2, compass: its moment, world axes; zero: none
    double
        beamAngle; ///< rad, DVL: of its four beams from its -z axis; their azimuths are 45, 135, 225, 315 degrees
    double beamByRange;   ///< 1/s, DVL: a beam's noise grows by this much per metre of range
    double least;         ///< m, DVL and altimeter: shortest range
    double most;          ///< m, DVL, altimeter, USBL: longest range
    double steepest;      ///< rad, DVL and altimeter: largest angle between a beam and the bottom's normal
    hwBodyId transceiver; ///< USBL: body that carries it; null: the earth
    hwVec3 transceiverAt; ///< m, USBL: where on it
    double soundSpeed;    ///< m/s, USBL: there and back takes 2 range / soundSpeed
    hwCableId cable;      ///< load cells: in which cable
    int end;              ///< load cells: 0 or 1, in which end
    void* userData;       ///< the caller's own; never read by the library
    int cookie;           ///< set by hwDefaultInstrumentDef
} hwInstrumentDef;

/// An exact instrument of 10 Hz at its body's origin: that needs a name, a kind, and a body or a cable.
HW_API hwInstrumentDef hwDefaultInstrumentDef(void);

/// What files call a kind ("dvl"); null: there is none such.
HW_API const char* hwInstrumentKind_GetName(hwInstrumentKind kind);
/// The channels of a kind without the instrument's name ("velocity.x"), besides `valid`, `age` and `count`; null beyond the last.
HW_API const char* hwInstrumentKind_GetValue(hwInstrumentKind kind, int index);
/// Adds an instrument. On failure returns a null id and leaves the world as it was. The world must be prepared again.
HW_API hwInstrumentId hwWorld_AddInstrument(hwWorld* world, const hwInstrumentDef* def, hwError* error);
/// Removes an instrument. The world must be prepared again before the next step.
HW_API hwStatus hwWorld_RemoveInstrument(hwWorld* world, hwInstrumentId instrument, hwError* error);
/// Instruments in the order of their slots: fills up to `capacity` and returns how many there are.
HW_API int hwWorld_GetInstruments(const hwWorld* world, int capacity, hwInstrumentId* instruments);
/// Finds an instrument by its name. Null id when there is none.
HW_API hwInstrumentId hwWorld_FindInstrument(const hwWorld* world, const char* name);
/// True while the handle refers to an instrument of this world.
HW_API bool hwInstrument_IsValid(const hwWorld* world, hwInstrumentId instrument);
/// The instrument as it was described, owned by the world; null for an invalid handle.
HW_API const hwInstrumentDef* hwInstrument_GetDef(const hwWorld* world, hwInstrumentId instrument);
/// The caller's own pointer; null for an invalid handle.
HW_API void* hwInstrument_GetUserData(const hwWorld* world, hwInstrumentId instrument);
/// Replaces it. False for an invalid handle.
HW_API bool hwInstrument_SetUserData(hwWorld* world, hwInstrumentId instrument, void* userData);

#ifdef __cplusplus
}
#endif
#endif
