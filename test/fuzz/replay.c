// Runs a fuzz target over its corpus and over a fixed list of mutations of it: `replay_NAME RUNS FOLDER`. Every run of the program
// makes the same inputs from the same files, on every machine. libFuzzer with a fixed seed does not: what it tries next depends on
// coverage, compared addresses and the clock. The file that is under way is left in `replay_NAME.input`, so that a crash can be
// looked at; it is removed at the end.
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerInitialize(int* count, char*** arguments) __attribute__((weak)); // only some targets have it

#define LONGEST 16384

typedef struct File {
    char name[256];
    uint8_t* bytes;
    size_t size;
} File;

static uint64_t s_random = 1;

// splitmix64 (Steele, Lea and Flood 2014)
static uint64_t Random(void) {
    uint64_t z = (s_random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t Below(size_t limit) {
    return limit > 0 ? (size_t)(Random() % limit) : 0;
}

// Puts `count` bytes in place of `gone` at `at`.
static size_t Replace(uint8_t* data, size_t size, size_t at, size_t gone, const void* bytes, size_t count) {
    if (gone > size - at) gone = size - at;
    if (size - gone + count > LONGEST) return size;
    memmove(data + at + count, data + at + gone, size - at - gone);
    if (count > 0) memcpy(data + at, bytes, count);
    return size - gone + count;
}

// What readers get wrong: ends of ranges, numbers that are none, marks of the formats.
static const char* const words[] = {
    "0",    "-1", "1e999", "-1e308", "1e-320", "nan", "inf", "99999999999999999999",
    "0x10", "\n", "\n  ",  "- ",     ": ",     "[",   "]",   "{",
    "}",    "\"", "\\u0",  "&a",     "*a",     "#",   ",",   ";",
    "\t",   "=",  "<<: ",  "true",   "null",   "---", "END", "\xff\xfe",
    "\xc3", "",   "!!",    "|\n"};
static const int32_t numbers[] = {0, 1, -1, 127, 128, 255, 256, 32767, 65535, 65536, INT32_MAX, INT32_MIN};

static size_t Mutate(uint8_t* data, size_t size, const File* other) {
    uint8_t copy[LONGEST];
    size_t at = Below(size + 1);
    switch (Below(8)) {
    case 0: // a bit
        if (at < size) data[at] ^= (uint8_t)(1u << Below(8));
        return size;
    case 1: // a byte
        if (at < size) data[at] = (uint8_t)Random();
        return size;
    case 2: { // a binary number, either way round
        int32_t number = numbers[Below(sizeof(numbers) / sizeof(numbers[0]))];
        size_t width = (size_t)1 << Below(3);
        for (size_t k = 0; k < width; ++k) copy[k] = (uint8_t)((uint32_t)number >> (8 * k));
        if (Below(2) != 0 && width == 4)
            copy[0] = (uint8_t)((uint32_t)number >> 24), copy[3] = (uint8_t)number;
        return Replace(data, size, at, width, copy, width);
    }
    case 3: { // a word, in place of something or between
        const char* word = words[Below(sizeof(words) / sizeof(words[0]))];
        return Replace(data, size, at, Below(6), word, strlen(word));
    }
    case 4: // a piece less
        return Replace(data, size, at, 1 + Below(Below(2) != 0 ? 8 : size / 2 + 1), NULL, 0);
    case 5: { // a piece of its own, elsewhere
        size_t from = Below(size), count = Below(size - from + 1);
        memcpy(copy, data + from, count);
        return Replace(data, size, at, Below(2) != 0 ? count : 0, copy, count);
    }
    case 6: { // a piece of another file
        size_t from = Below(other->size), count = Below(other->size - from + 1);
        if (count > LONGEST) count = LONGEST;
        return Replace(data, size, at, Below(2) != 0 ? count : 0, other->bytes + from, count);
    }
    default: // the digits of a number
        while (at < size && (data[at] < '0' || data[at] > '9')) ++at;
        for (; at < size && data[at] >= '0' && data[at] <= '9'; ++at) data[at] = (uint8_t)('0' + Below(10));
        return size;
    }
}

static void Try(const char* note, const uint8_t* data, size_t size) {
    // A copy of exactly this size, so that the address sanitizer sees a read beyond its end.
    uint8_t* exact = malloc(size > 0 ? size : 1);
    if (exact == NULL) abort();
    if (size > 0) memcpy(exact, data, size);
    FILE* file = fopen(note, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static int CompareFiles(const void* a, const void* b) {
    return strcmp(((const File*)a)->name, ((const File*)b)->name);
}

static int ReadFolder(const char* folder, File* files, int most) {
    DIR* directory = opendir(folder);
    int count = 0;
    if (directory == NULL) return 0;
    for (struct dirent* entry; (entry = readdir(directory)) != NULL && count < most;) {
        char path[1024];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        FILE* file = fopen(path, "rb");
        if (file == NULL) continue;
        File* out = &files[count];
        out->bytes = malloc(LONGEST);
        out->size = out->bytes != NULL ? fread(out->bytes, 1, LONGEST, file) : 0;
        fclose(file);
        snprintf(out->name, sizeof(out->name), "%s", entry->d_name);
        count += out->size > 0;
    }
    closedir(directory);
    qsort(files, (size_t)count, sizeof(*files), CompareFiles);
    return count;
}

int main(int argc, char** argv) {
    static File files[1024];
    static uint8_t data[LONGEST];
    if (argc != 3) return 2;
    char note[1024];
    snprintf(note, sizeof(note), "%s.input", argv[0]);
    int count = ReadFolder(argv[2], files, 1024);
    long runs = strtol(argv[1], NULL, 10);
    if (count == 0) {
        fprintf(stderr, "%s: there is no corpus in %s\n", argv[0], argv[2]);
        return 2;
    }
    if (LLVMFuzzerInitialize != NULL && LLVMFuzzerInitialize(&argc, &argv) != 0) return 2;
    for (int i = 0; i < count; ++i) Try(note, files[i].bytes, files[i].size);
    for (long i = 0; i < runs; ++i) {
        const File* file = &files[Below((size_t)count)];
        size_t size = file->size;
        memcpy(data, file->bytes, size);
        for (size_t edits = 1 + Below(4); edits > 0 && size > 0; --edits) {
            size = Mutate(data, size, &files[Below((size_t)count)]);
        }
        Try(note, data, size);
    }
    remove(note);
    printf("%d files and %ld mutations of them\n", count, runs);
    for (int i = 0; i < count; ++i) free(files[i].bytes);
    return 0;
}
