// Archives in the format of PKWARE's APPNOTE 6.3, files stored as they are.
#ifndef HW_CLI_ZIP_H
#define HW_CLI_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct hwZip {
    FILE* file;
    int count, capacity;
    struct hwZipEntry* entries;
    bool failed;
} hwZip;

void hwZip_Begin(hwZip* zip, FILE* file);
// Names have forward slashes.
void hwZip_Add(hwZip* zip, const char* name, const void* bytes, size_t size);
// False when something could not be written.
bool hwZip_End(hwZip* zip);

#endif
