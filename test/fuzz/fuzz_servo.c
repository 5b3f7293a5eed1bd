// Any bytes as a servo packet of ArduPilot: refused, or read with outputs in their range.
#include "connect/ardupilot.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    hwServoPacket packet;
    if (!hwServoPacket_Read(&packet, data, size)) return 0;
    if (packet.rate <= 0 || (packet.count != 16 && packet.count != 32)) abort();
    for (int i = 0; i < packet.count; ++i) {
        double command = hwServo_GetCommand(packet.pulses[i]);
        if (!(command >= -1.0 && command <= 1.0)) abort();
    }
    return 0;
}
