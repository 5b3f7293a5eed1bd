/// @file modes.h
/// Linear analysis about the static equilibrium: natural periods, mode shapes, damping, and the response to a regular wave.
///
/// About the equilibrium in calm water the world is M a + C v + K x = f, x being small displacements of its freedoms (turns of
/// bodies are rotation vectors). M is the solver's own mass matrix, with the water that moves along; C and K are differences of
/// the same forces that a run takes. Everything counts that a run has: stretch and bending of cables, buoyancy, joints, contact,
/// current. Waves that floating bodies radiate (hawser/potential.h) are a damping and an added mass at each frequency. What else has a
/// memory (integrals of controllers, thrusters) stands still, and friction holds nothing.
#ifndef HAWSER_MODES_H
#define HAWSER_MODES_H

#include "hawser/base.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The linear system of a world and its lowest modes. It does not refer to the world.
typedef struct hwModes hwModes;

/// What to find. Start from hwDefaultModesDef().
typedef struct hwModesDef {
    int count;    ///< modes, the slowest ones; 10 unless given
    bool settled; ///< the world is at rest already: static equilibrium is not looked for
    int cookie;   ///< set by hwDefaultModesDef
} hwModesDef;

/// Ten modes, about the static equilibrium.
HW_API hwModesDef hwDefaultModesDef(void);

/// One mode.
typedef struct hwModeInfo {
    double
        omega; ///< rad/s, undamped (with floating bodies by potential |lambda|, damped); 0: free, nothing brings it back within an hour; NaN: it falls away
    double period;  ///< s, 2 pi / omega; infinite: free; NaN: it falls away
    double growth;  ///< 1/s, of a mode that falls away: e^(growth t); otherwise 0
    double damping; ///< share of the critical damping, below 0: it grows by itself; NaN: not found
    double damped;  ///< s, period with its damping; infinite: it creeps back without swinging; NaN: not found
    char object[64]; ///< what has most of its kinetic energy
    double share;    ///< of the kinetic energy, that this object has
} hwModeInfo;

/// Solves static equilibrium, where that is asked for, and finds the lowest modes. The world is left at rest in equilibrium.
/// Null and `error` on failure; the caller owns it.
HW_API hwModes* hwWorld_FindModes(hwWorld* world, const hwModesDef* def, hwError* error);
/// Frees modes. Null is allowed.
HW_API void hwDestroyModes(hwModes* modes);
/// How many there are, at most as many as freedoms.
HW_API int hwModes_GetCount(const hwModes* modes);
/// Number of freedoms that move.
HW_API int hwModes_GetFreedomCount(const hwModes* modes);
/// One of them, by falling period; those that fall away first, then free ones.
HW_API hwModeInfo hwModes_Get(const hwModes* modes, int mode);
/// Largest force left at the equilibrium over the largest one at work: small where it is one.
HW_API double hwModes_GetUnbalance(const hwModes* modes);
/// Puts the world that the modes were found of, or one of the same scene, into the shape of a mode: the equilibrium moved by
/// `size` times the shape, whose kinetic energy is omega^2/2 J at size 1. The time is that of the equilibrium.
HW_API hwStatus hwModes_Pose(const hwModes* modes, int mode, double size, hwWorld* world, hwError* error);

/// What of a world the balance lets go along, see hwModes_Respond().
typedef enum hwResponseScope {
    HW_RESPONSE_SINES,  ///< everything moves by a sine about its place in calm water
    HW_RESPONSE_CABLES, ///< cables have means and harmonics too
    HW_RESPONSE_WHOLE   ///< everything has
} hwResponseScope;

/// A channel in the steady response: its first harmonic amplitude cos(2 pi t / period + phase), and what else is in it.
typedef struct hwResponse {
    double amplitude;      ///< in the channel's unit
    double phase;          ///< rad, against the world's time
    double mean;           ///< in the channel's unit
    double least;          ///< likewise, of 32 moments of the period
    double greatest;       ///< likewise
    hwResponseScope scope; ///< of the balance that was found
} hwResponse;

/// Steady response of a world to what is periodic in it, such as a regular wave or the sine of a driven end: the motion whose
/// mean and first three harmonics leave none in the forces (harmonic balance), with drag, contact and geometry at their full
/// size. Where that is not found, bodies and joints stay in the mean where they are in calm water and move by a sine, and where
/// that is not found either, cables do so too: `scope` says which. `world` is of the same scene as the modes, apart from waves
/// and signals. Fills `out` for each channel. Fails where no balance is found, as when a cable snaps.
HW_API hwStatus hwModes_Respond(const hwModes* modes, hwWorld* world, double period, int channelCount,
                                const int* channels, hwResponse* out, hwError* error);

#ifdef __cplusplus
}
#endif
#endif
