#include "base/hash.h"

#include <string.h>

// The finaliser of splitmix64 (Steele, Lea & Flood 2014): every input bit reaches every output bit.
static uint64_t Mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t hwHash(uint64_t seed, const void* data, size_t size) {
    const unsigned char* bytes = data;
    uint64_t hash = Mix(seed + 0x9e3779b97f4a7c15u + size);
    for (; size >= 8; bytes += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = Mix(hash ^ word) + 0x9e3779b97f4a7c15u;
    }
    uint64_t word = 0;
    memcpy(&word, bytes, size);
    return Mix(hash ^ word);
}
