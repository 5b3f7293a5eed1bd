// Unpacks zlib streams (RFC 1950 and 1951), as HDF5's deflate filter writes them.
#ifndef HW_IO_INFLATE_H
#define HW_IO_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

// A byte of a stream becomes at most this many: a match of 258 bytes takes two bits at the least.
#define HW_INFLATE_MOST_RATIO 1032

// Unpacks `size` bytes into exactly `room` bytes. False when the stream is damaged or does not fill them; every read and
// write stays within the two buffers whatever the bytes are.
bool hwInflate(const unsigned char* from, size_t size, unsigned char* to, size_t room);

#endif
