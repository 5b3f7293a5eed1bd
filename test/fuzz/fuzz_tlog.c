// Any bytes as a telemetry log: every byte is done with once, a log that comes in two pieces holds the same frames, and what they
// say of a vehicle stays within what a vehicle can be.
#include "connect/telemetry.h"
#include "connect/tlog.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static size_t ReadAll(const uint8_t* data, size_t size, hwTelemetry* telemetry, hwMavCounters* counters) {
    size_t at = 0;
    for (bool found = true; found && at < size;) {
        hwMavFrame frame;
        double time;
        size_t used = hwTlog_Read(data + at, size - at, &frame, &time, &found, counters);
        if (used > size - at || (found && used == 0)) abort();
        at += used;
        if (!found) break;
        if (!(time >= 0.0 && time < 4.3e9)) abort();
        hwTelemetry_Take(telemetry, &frame, time);
    }
    return at;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    hwTelemetry whole = hwMakeTelemetry(), pieces = hwMakeTelemetry();
    whole.hasOrigin = pieces.hasOrigin = true;
    hwMavCounters a = {0}, b = {0};
    ReadAll(data, size, &whole, &a);
    size_t cut = size / 2, left = ReadAll(data, cut, &pieces, &b);
    ReadAll(data + left, size - left, &pieces, &b);
    if (a.frames != b.frames || a.unknown != b.unknown) abort();
    if (!(fabs(whole.position.x) <= 1e5 && fabs(whole.velocity.z) <= 30.0 && fabs(whole.heading) <= 7.0))
        abort();
    return 0;
}
