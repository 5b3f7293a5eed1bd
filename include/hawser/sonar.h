/// @file sonar.h
/// Imaging sonars: what a forward multibeam sonar or a scanning sonar shows of a world.
///
/// A ping looks at the snapshot that hwWorld_UpdateQueries took: bodies, links and the seabed by rays, cables by pieces of
/// their length. A beam is as wide as `beamWidth` and as high as `aperture`; its rays are spread over both, each carries its share
/// of the beam's energy, and returns the square of the cosine between it and the surface (Lambert's law). What lies behind something
/// is in its shadow. Spreading and absorption are taken as compensated by the receiver's time-varying gain, so that a wall that
/// fills a beam squarely shows as 1 whatever its range, before speckle.
///
/// A scanning sonar is one with a single beam whose `bearing` the caller turns from ping to ping.
#ifndef HAWSER_SONAR_H
#define HAWSER_SONAR_H

#include "hawser/base.h"
#include "hawser/body.h"
#include "hawser/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Description of a sonar. Start from hwDefaultSonarDef().
typedef struct hwSonarDef {
    hwBodyId body;    ///< that carries it and is not seen by it; null: it stands in the world
    hwVec3 position;  ///< m, in the body's frame
    hwQuat attitude;  ///< its axes to the body's: x ahead, y to port, z up
    int beams;        ///< 1..4096, side by side from starboard to port
    int bins;         ///< 1..65536, of range
    int rays;         ///< 1..1024, of each beam
    double fan;       ///< rad, between the outermost beams' middles
    double bearing;   ///< rad, of the fan's middle, positive to starboard
    double beamWidth; ///< rad, of each beam, horizontally
    double aperture;  ///< rad, of each beam, vertically
    double least;     ///< m, range at which the first bin begins
    double most;      ///< m, at which the last one ends
    double speckle;   ///< 0..1: 0 none, 1 that of many scatterers, exponential intensities
    double floor;     ///< mean intensity of what comes from nowhere
    uint64_t seed;    ///< of speckle and floor
    int cookie;       ///< set by hwDefaultSonarDef
} hwSonarDef;

/// A multibeam sonar of 256 beams over 130 degrees, 512 bins up to 30 m, 16 rays a beam; beams 0.6 by 20 degrees, speckle 1,
/// floor 0.002.
HW_API hwSonarDef hwDefaultSonarDef(void);

/// One ping. `image` has beams x bins intensities, each beam's bins from near to far. `ping` is its number: the same world, def and
/// number give the same bits. Allocates nothing; any number of threads may ask at once, as of other queries.
HW_API hwStatus hwWorld_PingSonar(const hwWorld* world, const hwSonarDef* def, uint64_t ping, float* image,
                                  hwError* error);

/// Bearing of a beam's middle, rad, positive to starboard.
HW_API double hwSonar_GetBearing(const hwSonarDef* def, int beam);
/// Range of a bin's middle, m.
HW_API double hwSonar_GetRange(const hwSonarDef* def, int bin);

#ifdef __cplusplus
}
#endif
#endif
