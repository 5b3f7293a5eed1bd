#include "connect/tlog.h"

#define STAMP 8 // bytes of a time
#define EARLIEST 0.0
#define LATEST 4.2e9 // s: the year 2103

// Bytes of the frame that begins here; 0: none does.
static size_t FindLength(const unsigned char* data, size_t size) {
    if (size < 3) return 3;
    if (data[0] == 0xfe) return 8 + (size_t)data[1];
    if (data[0] == 0xfd) return 12 + (size_t)data[1] + ((data[2] & 1) != 0 ? 13 : 0);
    return 0;
}

size_t hwTlog_Read(const unsigned char* data, size_t size, hwMavFrame* frame, double* time, bool* found,
                   hwMavCounters* counters) {
    size_t at = 0;
    *found = false;
    while (size - at > STAMP) {
        const unsigned char* record = data + at;
        uint64_t stamp = 0;
        for (int i = 0; i < STAMP; ++i) stamp = stamp << 8 | record[i];
        double seconds = 1e-6 * (double)stamp;
        size_t length = FindLength(record + STAMP, size - at - STAMP);
        if (length == 0 || seconds < EARLIEST || seconds > LATEST) {
            counters->malformed += !counters->astray;
            counters->astray = true;
            counters->skipped += 1;
            at += 1;
            continue;
        }
        if (length > size - at - STAMP) return at; // not whole yet
        hwMavCounters own = {0};
        hwMav_Read(record + STAMP, length, frame, found, &own);
        if (!*found && own.unknown == 0) {
            counters->malformed += 1;
            counters->astray = true;
            at += 1;
            continue;
        }
        counters->astray = false;
        counters->frames += *found;
        counters->unknown += own.unknown;
        at += STAMP + length;
        if (!*found) continue;
        *time = seconds;
        return at;
    }
    return at;
}
