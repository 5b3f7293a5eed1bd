// A fast 64-bit hash for states. Not cryptographic.
#ifndef HW_BASE_HASH_H
#define HW_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// Continue a hash over `size` bytes; start with seed 0.
uint64_t hwHash(uint64_t seed, const void* data, size_t size);

// Check sum of `size` bytes, several times as fast: a change within one word of eight bytes always changes it.
uint64_t hwCheckSum(uint64_t seed, const void* data, size_t size);

#endif
