/// @file sonar_cloud.h
/// What the imaging sonars of a scene's vehicles hear, as point clouds: for viewers, robots' programs and logs. Part of hawser-io.
///
/// A point is a bin of range of one beam that is louder than what comes from nowhere: with the sonar's floor, speckle and number
/// of bins, one ping in seven shows one point where nothing is. Points lie in the sonar's own axes, x ahead, y to port, z up, in the
/// plane of its fan: a sonar knows range and bearing, not elevation. So an echo is at its true range to one bin.
#ifndef HAWSER_SONAR_CLOUD_H
#define HAWSER_SONAR_CLOUD_H

#include "hawser/base.h"
#include "hawser/math.h"
#include "hawser/scene.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A bin that is loud.
typedef struct hwSonarPoint {
    float x, y, z;   ///< m, in the sonar's axes
    float intensity; ///< 1: a wall that fills the beam squarely
} hwSonarPoint;

/// A sonar and its last ping. Texts and points are owned by the clouds.
typedef struct hwSonarCloud {
    const char* name;           ///< "rov.forward": also that of its frame
    const char* parent;         ///< "rov": the body it is mounted on
    hwPose mounting;            ///< of its axes, in the parent's
    double rate;                ///< 1/s, pings
    double bin;                 ///< m, length of a bin
    double time;                ///< s, of the last ping; NaN: none yet
    hwPose pose;                ///< of its axes in the world, at that time
    int count;                  ///< entries of `points`
    const hwSonarPoint* points; ///< valid until the next ping of this sonar
} hwSonarCloud;

/// The sonars of all vehicles of a scene.
typedef struct hwSonarClouds hwSonarClouds;

/// Finds them; a scene without sonars gives clouds of count 0. `world` was made of the scene. Null and `error` on failure. The caller
/// owns it; neither scene nor world are kept.
HW_API hwSonarClouds* hwCreateSonarClouds(const hwScene* scene, const hwWorld* world, hwError* error);
/// Frees them. Null is allowed.
HW_API void hwDestroySonarClouds(hwSonarClouds* clouds);
/// Number of sonars.
HW_API int hwSonarClouds_GetCount(const hwSonarClouds* clouds);
/// One of them; all zero for an index out of range.
HW_API hwSonarCloud hwSonarClouds_Get(const hwSonarClouds* clouds, int sonar);
/// Pings a sonar if one of its pings has come due since it was last called, and says so in `fresh`. The world is between steps or at a
/// sample; nothing that is computed depends on it. A scanning sonar that missed pings brings their beams too, 16 at
/// most.
HW_API hwStatus hwSonarClouds_Update(hwSonarClouds* clouds, int sonar, hwWorld* world, bool* fresh,
                                     hwError* error);

#ifdef __cplusplus
}
#endif
#endif
