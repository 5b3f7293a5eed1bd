/// @file sheave.h
/// Sheaves and rings: where one cable runs on as the next.
///
/// A wire that runs from a drum over a sheave to a hook is two cables joined by a sheave: material that leaves the end of
/// one enters the other, and lengths and masses add up to what they were. Any number of sheaves may follow one another.
/// The wire is taken to pass through the point where both ends are pinned.
#ifndef HAWSER_SHEAVE_H
#define HAWSER_SHEAVE_H

#include "hawser/base.h"
#include "hawser/cable.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Handle of a sheave. Zero is null.
typedef struct hwSheaveId {
    uint32_t index;      ///< one-based slot; 0 is null
    uint32_t generation; ///< tells a new object in a reused slot from the old one
} hwSheaveId;

/// Description of a sheave or ring. Start from hwDefaultSheaveDef().
typedef struct hwSheaveDef {
    const char* name;    ///< unique in the world
    hwCableId cables[2]; ///< that it joins; material may run either way
    int ends[2]; ///< which end of each: 0 or 1. Both pinned at the same point of one body or of the earth, of
                 ///< the same material
    double inertia; ///< kg m2, of the wheel; 0: a ring
    double radius;  ///< m, of the wheel; only with inertia
    double
        friction; ///< Coulomb coefficient between cable and ring: it slides when one tension is exp(friction angle)
                  ///< times the other, with the angle by which the cable turns
    double
        bearing; ///< tension lost per newton that the wheel's axle carries: coefficient times pin over wheel radius
    void* userData; ///< the caller's own; never read by the library
    int cookie;     ///< set by hwDefaultSheaveDef
} hwSheaveDef;

/// A ring without friction from end b of one cable to end a of another.
HW_API hwSheaveDef hwDefaultSheaveDef(void);
/// Adds a sheave. On failure returns a null id and leaves the world as it was.
HW_API hwSheaveId hwWorld_AddSheave(hwWorld* world, const hwSheaveDef* def, hwError* error);
/// Takes a sheave away; the two cables stay, each with the length that it has.
HW_API hwStatus hwWorld_RemoveSheave(hwWorld* world, hwSheaveId sheave, hwError* error);
/// Finds a sheave by name. Null id when there is none.
HW_API hwSheaveId hwWorld_FindSheave(const hwWorld* world, const char* name);
/// Sheaves in the order of their slots: fills up to `capacity` and returns how many there are.
HW_API int hwWorld_GetSheaves(const hwWorld* world, int capacity, hwSheaveId* sheaves);
/// True while the handle refers to a sheave of this world.
HW_API bool hwSheave_IsValid(const hwWorld* world, hwSheaveId sheave);
/// The sheave as it was described, owned by the world; null for an invalid handle.
HW_API const hwSheaveDef* hwSheave_GetDef(const hwWorld* world, hwSheaveId sheave);
/// The caller's own pointer; null for an invalid handle.
HW_API void* hwSheave_GetUserData(const hwWorld* world, hwSheaveId sheave);
/// Replaces it. False for an invalid handle.
HW_API bool hwSheave_SetUserData(hwWorld* world, hwSheaveId sheave, void* userData);

/// What passes a sheave.
typedef struct hwSheaveState {
    double rate;       ///< m/s, unstretched, from the first cable to the second
    double passed;     ///< m, unstretched, since the start
    double tension[2]; ///< N, of the elements on either side
    double angle;      ///< rad, by which the cable turns
} hwSheaveState;

/// Reads a sheave.
HW_API hwStatus hwSheave_GetState(const hwWorld* world, hwSheaveId sheave, hwSheaveState* out,
                                  hwError* error);

#ifdef __cplusplus
}
#endif
#endif
