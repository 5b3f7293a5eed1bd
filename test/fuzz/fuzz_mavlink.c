// Any bytes as a stream of MAVLink: every byte is done with once, good frames come back from their own bytes, and a stream that
// comes in two pieces holds the same frames.
#include "connect/mavlink.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Number of good frames, and a sum of what is in them.
static uint64_t ReadAll(const uint8_t* data, size_t size, uint64_t* sum, size_t* left) {
    hwMavCounters counters = {0};
    size_t at = 0;
    while (at < size) {
        hwMavFrame frame;
        bool found;
        size_t used = hwMav_Read(data + at, size - at, &frame, &found, &counters);
        if (used > size - at || (found && used == 0)) abort();
        at += used;
        if (!found) break;
        *sum = 31 * *sum + frame.message;
        for (int i = 0; i <= HW_MAV_PAYLOAD; ++i) *sum = 31 * *sum + frame.payload[i];
        unsigned char again[HW_MAV_LARGEST];
        const hwMavInfo* info = hwMav_FindInfo(frame.message);
        if (info == NULL) abort();
        // longer payloads of newer definitions are not written again
        if (frame.size > info->largest) continue;
        size_t length = hwMav_Write(&frame, again);
        hwMavFrame back;
        hwMavCounters more = {0};
        if (hwMav_Read(again, length, &back, &found, &more) != length || !found ||
            memcmp(back.payload, frame.payload, sizeof(frame.payload)) != 0)
            abort();
    }
    *left = at;
    return counters.frames;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    uint64_t whole = 0, pieces = 0;
    size_t left = 0, rest = 0;
    uint64_t count = ReadAll(data, size, &whole, &left);
    size_t cut = size / 2;
    uint64_t first = ReadAll(data, cut, &pieces, &left);
    uint64_t second = ReadAll(data + left, size - left, &pieces, &rest);
    if (first + second != count || whole != pieces) abort();
    return 0;
}
