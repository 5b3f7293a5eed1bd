// What studies and fits read alike: a YAML file that names a scene and what to do with it.
#ifndef HW_IO_WORK_FILE_H
#define HW_IO_WORK_FILE_H

#include "named_file.h"
#include "schema.h"

// Reads the file `path` as `section` into `out`. `*name`, a field of `out`, becomes the file's name without its ending where the file gives
// none. `text` is the file as it was read. False with an error.
bool hwReadWorkFile(hwStore* store, const char* path, const hwSection* section, void* out, const char** name,
                    hwFileText* text, hwError* error);

// An error in the scene of such a file gets the place of the file's own section; the line in the scene goes into the sentence.
void hwMoveSceneError(const hwPlace* place, hwError* error);

// Fowler, Noll and Vo's hash, version 1a, of 64 bits: begins with HW_HASH_START, goes on with what was hashed before.
#define HW_HASH_START 0xcbf29ce484222325u
uint64_t hwHashBytes(uint64_t hash, const void* bytes, size_t size);

#endif
