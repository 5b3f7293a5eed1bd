// Triangles as a file gives them, before they become one clean surface.
#ifndef HW_IO_MESH_SOUP_H
#define HW_IO_MESH_SOUP_H

#include "scene_read.h"

#include <stdint.h>

#define HW_MESH_MOST_TRIANGLES 20000000

// The arrays are the reader's memory.
typedef struct hwMeshSoup {
    size_t pointCount, faceCount;
    hwVec3* points;
    int (*faces)[3]; // indices of points; negative or too large: the file has no such corner
} hwMeshSoup;

// One surface of it: corners welded, faces without area and doubles left out, outward. What was put right is a warning.
// The result uses the soup's memory.
bool hwCollectMesh(hwReader* reader, const hwYaml* node, const char* name, const hwMeshSoup* soup,
                   hwMeshData* out);

// Reads a mesh as hwScene_Pack writes them: the numbers of a mesh that was read before, bit by bit.
bool hwReadPackedMesh(hwReader* reader, const hwYaml* node, const char* name, const char* path,
                      hwMeshData* out);

// Reads a file of `bytes` bytes through assimp.
bool hwImportMesh(hwReader* reader, const hwYaml* node, const char* name, const char* path, uint64_t bytes,
                  hwMeshSoup* soup);

// Reads VRML 2 (ISO/IEC 14772-1) of `size` bytes, zero-terminated. Errors name the file's line.
bool hwParseVrml(hwReader* reader, const hwYaml* node, const char* name, const char* text, size_t size,
                 hwMeshSoup* soup);

#endif
