// Meshes through assimp. Its importers trust what a file claims (a .ply of 75 bytes can ask for 12 GB) and crash on some
// damaged files, so they run in a child process whose memory and time follow from the size of the file.
#include "child.h"
#include "mesh_soup.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdlib.h>
#include <string.h>

// Text of 10 bytes for a face of an .obj makes about 400 bytes in assimp; 200 bytes a byte leave room for every format.
#define MEMORY_BASE ((uint64_t)512 << 20)
#define MEMORY_PER_BYTE 200u
#define SECONDS_BASE 20
#define BYTES_PER_SECOND (1 << 20)

typedef struct Header {
    uint64_t points, faces;
} Header;

static const struct aiScene* ImportScene(const char* path) {
    struct aiPropertyStore* properties = aiCreatePropertyStore();
    if (properties == NULL) return NULL;
    aiSetImportPropertyInteger(properties, AI_CONFIG_PP_SBP_REMOVE,
                               aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    unsigned steps = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices;
    const struct aiScene* scene = aiImportFileExWithProperties(path, steps, NULL, properties);
    aiReleasePropertyStore(properties);
    return scene;
}

static bool WritePoints(int pipe, const struct aiScene* scene) {
    _Static_assert(sizeof(struct aiVector3D) == 12, "assimp with coordinates in double precision");
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        const struct aiMesh* mesh = scene->mMeshes[i];
        if (!hwChild_Write(pipe, mesh->mVertices, (size_t)mesh->mNumVertices * sizeof(*mesh->mVertices)))
            return false;
    }
    return true;
}

static bool WriteFaces(int pipe, const struct aiScene* scene) {
    enum { BATCH = 4096 };
    static int32_t corners[BATCH][3]; // the child's own copy, and no stack of its own to rely on
    int first = 0, count = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        const struct aiMesh* mesh = scene->mMeshes[i];
        for (unsigned j = 0; j < mesh->mNumFaces; j++) {
            const struct aiFace* face = &mesh->mFaces[j];
            if (face->mNumIndices != 3) continue;
            for (int k = 0; k < 3; k++) {
                bool known = face->mIndices[k] < mesh->mNumVertices;
                corners[count][k] = known ? first + (int)face->mIndices[k] : -1;
            }
            if (++count < BATCH) continue;
            if (!hwChild_Write(pipe, corners, sizeof(corners))) return false;
            count = 0;
        }
        first += (int)mesh->mNumVertices;
    }
    return hwChild_Write(pipe, corners, (size_t)count * sizeof(corners[0]));
}

// In the child: a header, points, faces; or the sentence that says why not. It ends without freeing anything.
static bool ImportInChild(int pipe, void* context) {
    const struct aiScene* scene = ImportScene(context);
    if (scene == NULL) {
        const char* reason = aiGetErrorString();
        hwChild_Write(pipe, reason, strlen(reason));
        return false;
    }
    Header header = {0};
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        header.points += scene->mMeshes[i]->mNumVertices;
        for (unsigned j = 0; j < scene->mMeshes[i]->mNumFaces; j++)
            header.faces += scene->mMeshes[i]->mFaces[j].mNumIndices == 3;
    }
    // too many for the soup's numbers: the caller says so
    bool fits = header.points <= 3u * HW_MESH_MOST_TRIANGLES && header.faces <= HW_MESH_MOST_TRIANGLES;
    return hwChild_Write(pipe, &header, sizeof(header)) &&
           (!fits || (WritePoints(pipe, scene) && WriteFaces(pipe, scene)));
}

// The answer as points and faces.
static bool TakeSoup(hwReader* reader, const hwYaml* node, const char* name, const char* answer, size_t size,
                     hwMeshSoup* soup) {
    Header header = {0};
    if (size >= sizeof(header)) memcpy(&header, answer, sizeof(header));
    if (header.points > 3u * HW_MESH_MOST_TRIANGLES || header.faces > HW_MESH_MOST_TRIANGLES) {
        return hwReader_Fail(reader, node, "`%s` holds more than %d triangles", name, HW_MESH_MOST_TRIANGLES);
    }
    if (size != sizeof(header) + 12 * (size_t)(header.points + header.faces))
        return hwReader_Fail(reader, node, "`%s` is not a mesh that can be read", name);
    *soup = (hwMeshSoup){.pointCount = (size_t)header.points, .faceCount = (size_t)header.faces};
    soup->points = hwReader_Take(reader, soup->pointCount, sizeof(*soup->points));
    soup->faces = soup->points != NULL ? hwReader_Take(reader, soup->faceCount, sizeof(*soup->faces)) : NULL;
    if (soup->faces == NULL) return false;
    const char* at = answer + sizeof(header);
    for (size_t i = 0; i < soup->pointCount; i++, at += 12) {
        float point[3];
        memcpy(point, at, sizeof(point));
        soup->points[i] = hwMakeVec3((double)point[0], (double)point[1], (double)point[2]);
    }
    for (size_t i = 0; i < soup->faceCount; i++, at += 12) {
        int32_t corners[3];
        memcpy(corners, at, sizeof(corners));
        for (int k = 0; k < 3; k++) soup->faces[i][k] = corners[k];
    }
    return true;
}

bool hwImportMesh(hwReader* reader, const hwYaml* node, const char* name, const char* path, uint64_t bytes,
                  hwMeshSoup* soup) {
    hwChildLimits limits = {.memory = MEMORY_BASE + MEMORY_PER_BYTE * bytes,
                            .seconds = SECONDS_BASE + (int)(bytes / BYTES_PER_SECOND)};
    limits.answer = limits.memory;
    char *answer = NULL, reason[120];
    size_t size = 0;
    char copy[1000];
    if (strlen(path) >= sizeof(copy))
        return hwReader_Fail(reader, node, "the path of `%s` is too long", name);
    memcpy(copy, path, strlen(path) + 1);
    bool good = false;
    hwChildEnd end = hwRunChild(ImportInChild, copy, &limits, &answer, &size);
    if (end == HW_CHILD_FAILED && size == 0) end = HW_CHILD_LIMIT; // no reason given: no memory for one
    switch (end) {
    case HW_CHILD_DONE:
        good = TakeSoup(reader, node, name, answer, size, soup);
        break;
    case HW_CHILD_FAILED:
        hwReader_Fail(reader, node, "`%s` is not a mesh that can be read: %s", name,
                      hwQuoteText(reason, sizeof(reason), answer));
        break;
    case HW_CHILD_LIMIT:
        hwReader_Fail(reader, node,
                      "`%s` has %llu bytes but needs more than %llu MB or %d s to be read: it is damaged, or "
                      "claims more than it holds",
                      name, (unsigned long long)bytes, (unsigned long long)(limits.memory >> 20),
                      limits.seconds);
        break;
    case HW_CHILD_CRASHED:
        hwReader_Fail(reader, node, "`%s` is not a mesh that can be read: its importer crashed", name);
        break;
    case HW_CHILD_REFUSED:
        hwReader_Fail(reader, node, "`%s` cannot be read: the system starts no process to import it", name);
        break;
    }
    free(answer);
    return good;
}
