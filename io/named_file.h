// Data files that scenes name in one word, such as cables and vehicles: in a folder near the scene, or among those that
// come with Hawser.
#ifndef HW_IO_NAMED_FILE_H
#define HW_IO_NAMED_FILE_H

#include "scene_store.h"

// A file that the build made into an array.
typedef struct hwEmbeddedFile {
    const char* name;
    const unsigned char* bytes;
    size_t size;
} hwEmbeddedFile;

// One kind of them.
typedef struct hwNamedFiles {
    const char* what;   // "cable": for messages
    const char* folder; // "cables"
    const hwEmbeddedFile* builtIn;
    const int* builtInCount;
} hwNamedFiles;

// A file that was read; everything lives in the store.
typedef struct hwFileText {
    const char* text;
    size_t size;
    const char* path;   // its name when it is built in
    const char* folder; // null when it is built in
} hwFileText;

// Reads a file, and says in which folder it is.
bool hwReadFile(hwStore* store, const char* path, hwFileText* out, hwError* error);

// Reads a file by its name, or by its path when that ends in .yaml. Looks in the kind's folder beside `folder` (null: there
// is none) or above it, then among those built in.
bool hwReadNamedFile(hwStore* store, const hwNamedFiles* files, const char* name, const char* folder,
                     hwFileText* out, hwError* error);

#endif
