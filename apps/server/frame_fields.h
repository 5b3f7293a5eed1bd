// The vehicle's section of a frame: one table for what is sent, how the page reads it (web/src/net/vehicle_frame.ts) and what
// docs/protocol.md says. test/server/test_frame.c holds both files to it and writes them anew with HAWSER_WRITE_DOCS=1.
// To add a field: a row here, and the channel in the vehicle.
#ifndef APPS_SERVER_FRAME_FIELDS_H
#define APPS_SERVER_FRAME_FIELDS_H

#include <stdio.h>

#define HW_FIELD_CHANNELS 4

typedef enum hwFrameType { FRAME_FLOAT, FRAME_U8, FRAME_U16 } hwFrameType;

// What a field is made of.
typedef enum hwFrameSource {
    FRAME_CHANNELS, // its channels as they are
    FRAME_ATTITUDE, // quaternion w, x, y, z of the channels roll, pitch, yaw
    FRAME_FLAGS     // bits, see PutVehicle
} hwFrameSource;

typedef struct hwFrameField {
    const char* name; // in the page
    hwFrameType type;
    hwFrameSource source;
    int count;                               // of numbers sent
    const char* channels[HW_FIELD_CHANNELS]; // of the vehicle, without its name
    const char* text;                        // for docs/protocol.md
} hwFrameField;

// In the order in which they are sent.
extern const hwFrameField hwVehicleFields[];
extern const int hwVehicleFieldCount;

int hwFrameField_GetBytes(const hwFrameField* field);
void hwFrameFields_WritePage(FILE* file);
void hwFrameFields_WriteMarkdown(FILE* file);

#endif
