// Where the rows of SMS output files come from: the channels of a world, or of a test.
#ifndef HW_IO_SMS_OUTPUT_H
#define HW_IO_SMS_OUTPUT_H

#include "hawser/convert.h"

typedef struct hwSmsSource {
    int channelCount;
    const char* (*getName)(const void* context, int channel);
    void (*read)(const void* context, int count, const int* channels, double* values);
    const void* context;
} hwSmsSource;

hwSmsOutput* hwCreateSmsOutput_From(const hwSmsSource* source, const hwScene* scene, const char* folder,
                                    hwError* error);
hwStatus hwSmsOutput_WriteFrom(hwSmsOutput* output, const hwSmsSource* source, hwError* error);

// Rates of roll, pitch, yaw (Z-Y'-X'') from the angular velocity in body axes: seed 004 eq. 18, its entry (3,2) put
// right. Finite also where the pitch is 90 degrees and the rates are not.
hwVec3 hwSms_EulerRates(hwVec3 rpy, hwVec3 bodyRate);

#endif
