// Telemetry logs of ground stations (.tlog): each MAVLink frame with the time at which it came before it, microseconds since
// 1970 in eight bytes, big-endian.
#ifndef HW_CONNECT_TLOG_H
#define HW_CONNECT_TLOG_H

#include "connect/mavlink.h"

// Finds the next good frame and its time (s since 1970) in `data` and returns how many bytes are done with; fewer than `size`
// when a frame was found or the last one is not whole yet. *found: `frame` and `time` are one. What is malformed is counted
// and skipped byte by byte, so that a damaged log goes on behind the damage.
size_t hwTlog_Read(const unsigned char* data, size_t size, hwMavFrame* frame, double* time, bool* found,
                   hwMavCounters* counters);

#endif
