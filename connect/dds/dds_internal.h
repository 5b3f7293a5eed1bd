// What the files of the DDS connector share.
#ifndef HW_CONNECT_DDS_INTERNAL_H
#define HW_CONNECT_DDS_INTERNAL_H

#include "connect/dds.h"
#include "messages.h"

#include <dds/dds.h>

#define HW_DDS_NAME 256

// rt/<federate>/<object>[/<last>], with what ROS does not allow in names replaced. `federate` and `last` may be null.
void hwDds_MakeTopic(char* topic, const char* federate, const char* object, const char* last);
builtin_interfaces_msg_dds__Time_ hwDds_GetStamp(double time);

// Topics of ROS: made by one federate, written now and then, inputs read.
typedef struct hwRosTopics hwRosTopics;
hwRosTopics* hwCreateRosTopics(const hwScene* scene, hwWorld* world, dds_entity_t participant,
                               const char* name, bool clock, hwError* error);
void hwDestroyRosTopics(hwRosTopics* topics);
void hwRosTopics_Write(hwRosTopics* topics, hwWorld* world);
void hwRosTopics_ReadInputs(hwRosTopics* topics, const hwConnection* connection);
int hwRosTopics_GetCount(const hwRosTopics* topics);

hwStatus hwDds_Fail(hwError* error, const char* hint, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
