/// @file topics.h
/// Rows of channels as messages for viewers of robots' logs: JSON with the schemas of Foxglove where there is one. Part of
/// hawser-io. MCAP files are made of them, and live streams.
///
/// `/NAME` holds all channels of the object NAME, nested as their names are: `wire.a.tension` is `a.tension` of `/wire`, and
/// `node[3]` is entry 3 of a list. `/tf` holds the frames of everything with position and attitude, `/scene` its shapes, and the
/// cables whose nodes are among the channels. `/NAME/SONAR/points` is the last ping of a vehicle's sonar as foxglove.PointCloud, with x, y,
/// z and intensity as 32-bit floats in the frame `NAME.SONAR`. Units are SI, axes x north, y west, z up; frames have the world as parent.
#ifndef HAWSER_TOPICS_H
#define HAWSER_TOPICS_H

#include "hawser/base.h"
#include "hawser/sonar_cloud.h"
#include "hawser/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Description of the messages. Start from hwDefaultTopicsDef(); everything is borrowed until Create returns.
typedef struct hwTopicsDef {
    int channelCount;              ///< columns of a row
    const hwChannelInfo* channels; ///< the first one is `world.time`
    const hwWorld* world;          ///< shapes of its bodies are drawn; null: none are
    const hwSonarClouds* clouds;   ///< sonars that have topics too; they outlive the topics. Null: none
    int cookie;                    ///< set by hwDefaultTopicsDef
} hwTopicsDef;

/// No channels.
HW_API hwTopicsDef hwDefaultTopicsDef(void);

/// Makes messages of rows.
typedef struct hwTopics hwTopics;

/// What a topic is. Texts are owned by the topics.
typedef struct hwTopicInfo {
    const char* name;       ///< "/wire"
    const char* schemaName; ///< "foxglove.FrameTransforms", or one of our own
    const char* schema;     ///< JSON schema
} hwTopicInfo;

/// Null and `error` on failure. The caller owns it.
HW_API hwTopics* hwCreateTopics(const hwTopicsDef* def, hwError* error);
/// Frees it. Null is allowed.
HW_API void hwDestroyTopics(hwTopics* topics);
/// Number of topics.
HW_API int hwTopics_GetCount(const hwTopics* topics);
/// One of them; empty texts for an index out of range.
HW_API hwTopicInfo hwTopics_GetInfo(const hwTopics* topics, int topic);
/// Which of the sonars a topic is about; -1: none. Its message is that of the last ping, whatever the row.
HW_API int hwTopics_GetSonar(const hwTopics* topics, int topic);
/// The message of a topic for a row of values, as JSON. The text belongs to the topics and is valid until the next call; null
/// when there is no memory. `size` receives its length.
HW_API const char* hwTopics_Write(hwTopics* topics, int topic, const double* row, size_t* size);
/// Time of a row in nanoseconds, as logs count it; never below 0.
HW_API uint64_t hwTopics_GetTime(const double* row);

#ifdef __cplusplus
}
#endif
#endif
