#include "base/hash.h"

#include <string.h>

// The finaliser of splitmix64 (Steele, Lea & Flood 2014): every input bit reaches every output bit.
static uint64_t MixWord(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t hwHash(uint64_t seed, const void* data, size_t size) {
    const unsigned char* bytes = data;
    uint64_t hash = MixWord(seed + 0x9e3779b97f4a7c15u + size);
    for (; size >= 8; bytes += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = MixWord(hash ^ word) + 0x9e3779b97f4a7c15u;
    }
    uint64_t word = 0;
    memcpy(&word, bytes, size);
    return MixWord(hash ^ word);
}

// A step of a lane is a bijection of the lane for a given word and of the word for a given lane: a changed word cannot cancel out.
static uint64_t FoldWord(uint64_t lane, uint64_t word) {
    lane = (lane ^ word) * 0x9e3779b97f4a7c15u;
    return lane ^ (lane >> 32);
}

uint64_t hwCheckSum(uint64_t seed, const void* data, size_t size) {
    const unsigned char* bytes = data;
    uint64_t lanes[4] = {seed ^ size, 1, 2, 3}; // four, so that one multiplication need not wait for another
    for (; size >= 32; bytes += 32, size -= 32) {
        uint64_t words[4];
        memcpy(words, bytes, 32);
        for (int i = 0; i < 4; ++i) lanes[i] = FoldWord(lanes[i], words[i]);
    }
    uint64_t words[4] = {0};
    memcpy(words, bytes, size);
    uint64_t sum = 0;
    for (int i = 0; i < 4; ++i) sum = MixWord(sum ^ FoldWord(lanes[i], words[i]));
    return sum;
}
