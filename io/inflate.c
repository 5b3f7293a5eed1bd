// Deflate's inverse. A stream is a list of blocks: stored bytes, or literals and matches in canonical Huffman codes that are
// fixed or described at the block's head (RFC 1951, 3.2). Codes are looked up by their first bits; longer ones are found
// by counting on from there, as canonical codes of one length are consecutive numbers.
#include "inflate.h"

#include <stdint.h>
#include <string.h>

#define MOST_BITS 15   // of a code
#define LOOKUP_BITS 10 // of the direct table
#define LITERALS 288
#define DISTANCES 30

typedef struct Stream {
    const unsigned char* from;
    size_t size, at;
    uint64_t held; // bits read ahead, the next one lowest
    int heldCount;
    unsigned char* to;
    size_t room, done;
} Stream;

typedef struct Code {
    uint16_t count[MOST_BITS + 1]; // codes of each length
    uint16_t symbols[LITERALS];    // by length, then by number
    uint16_t lookup
        [1 << LOOKUP_BITS]; // symbol * 16 + length of the code that begins with these bits; 0: longer or none
} Code;

// Bits behind the end of the stream are zeros; taking them is found out by TakeBits.
static void FillBits(Stream* s) {
    while (s->heldCount <= 56 && s->at < s->size) {
        s->held |= (uint64_t)s->from[s->at++] << s->heldCount;
        s->heldCount += 8;
    }
}

static bool TakeBits(Stream* s, int count, unsigned* bits) {
    if (s->heldCount < count) FillBits(s);
    if (s->heldCount < count) return false;
    *bits = (unsigned)(s->held & ((1u << count) - 1u));
    s->held >>= count;
    s->heldCount -= count;
    return true;
}

// Codes are sent with their first bit lowest, so the table's index is the code turned round.
static unsigned Turn(unsigned code, int length) {
    unsigned turned = 0;
    for (int i = 0; i < length; ++i) turned |= ((code >> i) & 1u) << (length - 1 - i);
    return turned;
}

// False when the lengths are more than a binary tree has room for. Codes with room left are allowed: a block without
// matches has one distance code or none.
static bool MakeCode(Code* code, int count, const unsigned char* lengths) {
    memset(code->count, 0, sizeof(code->count));
    memset(code->lookup, 0, sizeof(code->lookup));
    for (int i = 0; i < count; ++i) code->count[lengths[i]] += 1;
    code->count[0] = 0;
    uint16_t first[MOST_BITS + 2] = {0};
    unsigned next[MOST_BITS + 2] = {0};
    long left = 1;
    for (int length = 1; length <= MOST_BITS; ++length) {
        left = 2 * left - code->count[length];
        if (left < 0) return false;
        first[length + 1] = (uint16_t)(first[length] + code->count[length]);
        next[length + 1] = (next[length] + code->count[length]) << 1;
    }
    for (int i = 0; i < count; ++i) {
        int length = lengths[i];
        if (length == 0) continue;
        code->symbols[first[length]++] = (uint16_t)i;
        unsigned number = next[length]++;
        if (length > LOOKUP_BITS) continue;
        unsigned step = 1u << length;
        for (unsigned k = Turn(number, length); k < 1u << LOOKUP_BITS; k += step)
            code->lookup[k] = (uint16_t)(i * 16 + length);
    }
    return true;
}

static int TakeSymbol(Stream* s, const Code* code) {
    if (s->heldCount < MOST_BITS) FillBits(s);
    unsigned entry = code->lookup[s->held & ((1u << LOOKUP_BITS) - 1u)];
    int length = (int)(entry & 15u);
    if (length != 0 && length <= s->heldCount) {
        s->held >>= length;
        s->heldCount -= length;
        return (int)(entry >> 4);
    }
    // bit by bit: `number` counts from the first code of the length
    int number = 0, index = 0;
    for (length = 1; length <= MOST_BITS && length <= s->heldCount; ++length) {
        number = 2 * number + (int)((s->held >> (length - 1)) & 1u);
        int count = code->count[length];
        if (number < count) {
            s->held >>= length;
            s->heldCount -= length;
            return code->symbols[index + number];
        }
        number -= count;
        index += count;
    }
    return -1;
}

static bool CopyMatch(Stream* s, size_t length, size_t distance) {
    if (distance > s->done || length > s->room - s->done) return false;
    unsigned char* to = s->to + s->done;
    const unsigned char* from = to - distance;
    if (distance >= length) {
        memcpy(to, from, length);
    } else if (distance == 1) {
        memset(to, *from, length);
    } else {
        for (size_t i = 0; i < length; ++i) to[i] = from[i];
    }
    s->done += length;
    return true;
}

static bool InflateCodes(Stream* s, const Code* literals, const Code* distances) {
    static const uint16_t lengthBase[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                            31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const unsigned char lengthBits[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t distanceBase[DISTANCES] = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    for (;;) {
        int symbol = TakeSymbol(s, literals);
        if (symbol < 0) return false;
        if (symbol < 256) {
            if (s->done == s->room) return false;
            s->to[s->done++] = (unsigned char)symbol;
            continue;
        }
        if (symbol == 256) return true;
        if (symbol > 285) return false;
        unsigned more = 0, further = 0;
        if (!TakeBits(s, lengthBits[symbol - 257], &more)) return false;
        int distance = TakeSymbol(s, distances);
        if (distance < 0 || distance >= DISTANCES) return false;
        if (!TakeBits(s, distance < 4 ? 0 : distance / 2 - 1, &further)) return false;
        if (!CopyMatch(s, (size_t)lengthBase[symbol - 257] + more, (size_t)distanceBase[distance] + further))
            return false;
    }
}

static bool InflateStored(Stream* s) {
    unsigned bits;
    if (!TakeBits(s, s->heldCount & 7, &bits)) return false;
    unsigned length, check;
    if (!TakeBits(s, 16, &length) || !TakeBits(s, 16, &check) || (length ^ check) != 0xffffu) return false;
    // bytes read ahead go back
    s->at -= (size_t)(s->heldCount / 8);
    s->held = 0;
    s->heldCount = 0;
    if (length > s->size - s->at || length > s->room - s->done) return false;
    memcpy(s->to + s->done, s->from + s->at, length);
    s->at += length;
    s->done += length;
    return true;
}

static bool InflateFixed(Stream* s) {
    unsigned char lengths[LITERALS];
    Code literals, distances;
    for (int i = 0; i < LITERALS; ++i) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    if (!MakeCode(&literals, LITERALS, lengths)) return false;
    memset(lengths, 5, DISTANCES);
    return MakeCode(&distances, DISTANCES, lengths) && InflateCodes(s, &literals, &distances);
}

// The lengths of both codes, themselves in a code.
static bool TakeLengths(Stream* s, int total, unsigned char* lengths) {
    static const unsigned char order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    unsigned count, bits;
    unsigned char own[19] = {0};
    Code code;
    if (!TakeBits(s, 4, &count)) return false;
    for (unsigned i = 0; i < count + 4; ++i) {
        if (!TakeBits(s, 3, &bits)) return false;
        own[order[i]] = (unsigned char)bits;
    }
    if (!MakeCode(&code, 19, own)) return false;
    for (int i = 0; i < total;) {
        int symbol = TakeSymbol(s, &code);
        if (symbol < 0) return false;
        if (symbol < 16) {
            lengths[i++] = (unsigned char)symbol;
            continue;
        }
        if (symbol == 16 && i == 0) return false;
        int width = symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
        if (!TakeBits(s, width, &bits)) return false;
        int repeats = (int)bits + (symbol == 18 ? 11 : 3);
        if (repeats > total - i) return false;
        memset(lengths + i, symbol == 16 ? lengths[i - 1] : 0, (size_t)repeats);
        i += repeats;
    }
    return true;
}

static bool InflateDescribed(Stream* s) {
    unsigned literalCount, distanceCount;
    unsigned char lengths[LITERALS + 32];
    Code literals, distances;
    if (!TakeBits(s, 5, &literalCount) || !TakeBits(s, 5, &distanceCount)) return false;
    literalCount += 257;
    distanceCount += 1;
    // RFC 1951 has 286 and 30
    if (literalCount > 286 || distanceCount > DISTANCES) return false;
    if (!TakeLengths(s, (int)(literalCount + distanceCount), lengths)) return false;
    return MakeCode(&literals, (int)literalCount, lengths) &&
           MakeCode(&distances, (int)distanceCount, lengths + literalCount) &&
           InflateCodes(s, &literals, &distances);
}

static uint32_t MakeAdler(const unsigned char* bytes, size_t size) {
    uint32_t a = 1, b = 0;
    while (size > 0) {
        size_t part = size < 5552 ? size : 5552; // as many as fit without an overflow of b
        for (size_t i = 0; i < part; ++i) {
            a += bytes[i];
            b += a;
        }
        a %= 65521u;
        b %= 65521u;
        bytes += part;
        size -= part;
    }
    return b << 16 | a;
}

bool hwInflate(const unsigned char* from, size_t size, unsigned char* to, size_t room) {
    // two bytes of head: method 8, no dictionary, a multiple of 31
    if (size < 6 || (from[0] & 15) != 8 || (from[1] & 32) != 0 || (from[0] * 256 + from[1]) % 31 != 0)
        return false;
    Stream stream = {.from = from, .size = size - 4, .at = 2, .to = to, .room = room};
    unsigned last = 0, kind;
    while (last == 0) {
        if (!TakeBits(&stream, 1, &last) || !TakeBits(&stream, 2, &kind)) return false;
        bool good = kind == 0   ? InflateStored(&stream)
                    : kind == 1 ? InflateFixed(&stream)
                    : kind == 2 ? InflateDescribed(&stream)
                                : false;
        if (!good) return false;
    }
    const unsigned char* sum = from + size - 4;
    uint32_t adler = (uint32_t)sum[0] << 24 | (uint32_t)sum[1] << 16 | (uint32_t)sum[2] << 8 | sum[3];
    return stream.done == room && MakeAdler(to, room) == adler;
}
