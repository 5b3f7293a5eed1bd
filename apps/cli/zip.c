#include "apps/cli/zip.h"

#include "apps/cli/cli.h"

#include <stdlib.h>
#include <string.h>

typedef struct hwZipEntry {
    char* name;
    uint32_t crc, size, offset;
} hwZipEntry;

static uint32_t ComputeCrc(const unsigned char* bytes, size_t size) {
    uint32_t table[256];
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t value = i;
        for (int k = 0; k < 8; ++k) value = value & 1 ? 0xedb88320u ^ (value >> 1) : value >> 1;
        table[i] = value;
    }
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; ++i) crc = table[(crc ^ bytes[i]) & 0xff] ^ (crc >> 8);
    return ~crc;
}

static void Put(hwZip* zip, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
        if (putc((int)(value >> (8 * i) & 0xff), zip->file) == EOF) zip->failed = true;
    }
}

void hwZip_Begin(hwZip* zip, FILE* file) {
    *zip = (hwZip){.file = file};
}

// What the local and the central header share: version, flags (UTF-8), method 0 (stored), time, date (1980-01-01), sums.
static void PutCommon(hwZip* zip, const hwZipEntry* entry) {
    Put(zip, 20, 2);
    Put(zip, 0x0800, 2);
    Put(zip, 0, 2);
    Put(zip, 0, 2);
    Put(zip, 0x0021, 2);
    Put(zip, entry->crc, 4);
    Put(zip, entry->size, 4);
    Put(zip, entry->size, 4);
    Put(zip, strlen(entry->name), 2);
    Put(zip, 0, 2);
}

void hwZip_Add(hwZip* zip, const char* name, const void* bytes, size_t size) {
    long offset = ftell(zip->file);
    if (offset < 0 || size > 0xfffffff0u || (unsigned long)offset > 0xfffffff0u) {
        zip->failed = true; // beyond what this format counts
        return;
    }
    if (zip->count == zip->capacity) {
        zip->capacity = zip->capacity > 0 ? 2 * zip->capacity : 16;
        zip->entries = hwCli_Allocate(zip->entries, (size_t)zip->capacity * sizeof(*zip->entries));
    }
    hwZipEntry* entry = &zip->entries[zip->count++];
    *entry = (hwZipEntry){hwCli_Copy(name), ComputeCrc(bytes, size), (uint32_t)size, (uint32_t)offset};
    Put(zip, 0x04034b50, 4);
    PutCommon(zip, entry);
    if (fputs(name, zip->file) == EOF || fwrite(bytes, 1, size, zip->file) != size) zip->failed = true;
}

bool hwZip_End(hwZip* zip) {
    long start = ftell(zip->file);
    for (int i = 0; i < zip->count; ++i) {
        const hwZipEntry* entry = &zip->entries[i];
        Put(zip, 0x02014b50, 4);
        Put(zip, 0x0314, 2); // made on Unix
        PutCommon(zip, entry);
        Put(zip, 0, 6);              // comment, disk, internal attributes
        Put(zip, 0100644u << 16, 4); // an ordinary file
        Put(zip, entry->offset, 4);
        if (fputs(entry->name, zip->file) == EOF) zip->failed = true;
    }
    long end = ftell(zip->file);
    if (start < 0 || end < 0) zip->failed = true;
    Put(zip, 0x06054b50, 4);
    Put(zip, 0, 4);
    Put(zip, (uint64_t)zip->count, 2);
    Put(zip, (uint64_t)zip->count, 2);
    Put(zip, (uint64_t)(end - start), 4);
    Put(zip, (uint64_t)start, 4);
    Put(zip, 0, 2);
    for (int i = 0; i < zip->count; ++i) free(zip->entries[i].name);
    free(zip->entries);
    return !zip->failed && fflush(zip->file) == 0;
}
