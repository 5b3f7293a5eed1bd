// Meshes from files, through assimp: all triangles of the file as one surface.
#include "scene_read.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TRIANGLES 20000000

typedef struct Corner {
    hwVec3 point;
    int index;
} Corner;

static int CompareCorners(const void* a, const void* b) {
    const hwVec3* p = &((const Corner*)a)->point;
    const hwVec3* q = &((const Corner*)b)->point;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return (p->z > q->z) - (p->z < q->z);
}

// Corners at the same place become one: files often repeat them for every face.
static int Weld(int count, hwVec3* points, Corner* corners, int* target) {
    for (int i = 0; i < count; i++) corners[i] = (Corner){points[i], i};
    qsort(corners, (size_t)count, sizeof(*corners), CompareCorners);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (i == 0 || CompareCorners(&corners[i - 1], &corners[i]) != 0) points[kept++] = corners[i].point;
        target[corners[i].index] = kept - 1;
    }
    return kept;
}

static double SignedVolume(const hwMeshData* mesh) {
    double volume = 0.0;
    for (int i = 0; i < mesh->triangleCount; i++) {
        const int* t = mesh->triangles[i];
        hwVec3 origin = mesh->vertices[0];
        hwVec3 a = hwSub(mesh->vertices[t[0]], origin), b = hwSub(mesh->vertices[t[1]], origin);
        volume += hwDot(a, hwCross(b, hwSub(mesh->vertices[t[2]], origin)));
    }
    return volume / 6.0;
}

// What was wrong with a file's triangles and has been put right.
typedef struct Repairs {
    int beyond;  // with corners that the file does not have
    int flat;    // without an area
    int doubled; // that are there twice
    bool turned; // all were inside out
} Repairs;

static int CompareTriangles(const void* a, const void* b) {
    const int *p = a, *q = b;
    for (int k = 0; k < 3; k++) {
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    }
    return (p[3] > q[3]) - (p[3] < q[3]);
}

// Leaves out triangles that are there twice, the same way round; the others keep their order.
static bool DropDoubles(hwReader* reader, hwMeshData* mesh, Repairs* repairs) {
    int(*triangles)[3] = (int(*)[3])mesh->triangles;
    int(*keys)[4] = malloc((size_t)mesh->triangleCount * sizeof(*keys));
    if (keys == NULL) return hwReader_FailMemory(reader);
    for (int i = 0; i < mesh->triangleCount; i++) {
        const int* t = triangles[i];
        int least = t[0] < t[1] ? (t[0] < t[2] ? 0 : 2) : (t[1] < t[2] ? 1 : 2);
        for (int k = 0; k < 3; k++) keys[i][k] = t[(least + k) % 3];
        keys[i][3] = i;
    }
    qsort(keys, (size_t)mesh->triangleCount, sizeof(*keys), CompareTriangles);
    for (int i = 1; i < mesh->triangleCount; i++) {
        if (memcmp(keys[i], keys[i - 1], 3 * sizeof(int)) == 0) triangles[keys[i][3]][0] = -1;
    }
    free(keys);
    int kept = 0;
    for (int i = 0; i < mesh->triangleCount; i++) {
        if (triangles[i][0] < 0) continue;
        if (kept != i) memcpy(triangles[kept], triangles[i], sizeof(*triangles));
        kept++;
    }
    repairs->doubled = mesh->triangleCount - kept;
    mesh->triangleCount = kept;
    return true;
}

static bool HasArea(const hwVec3* points, int a, int b, int c) {
    if (a == b || b == c || c == a) return false;
    return hwLengthSquared(hwCross(hwSub(points[b], points[a]), hwSub(points[c], points[a]))) > 0.0;
}

static bool Collect(hwReader* reader, const hwYaml* node, const char* name, const struct aiScene* scene,
                    hwMeshData* out, Repairs* repairs) {
    size_t pointCount = 0, faceCount = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        pointCount += scene->mMeshes[i]->mNumVertices;
        faceCount += scene->mMeshes[i]->mNumFaces;
    }
    if (faceCount == 0 || pointCount == 0)
        return hwReader_Fail(reader, node, "`%s` holds no triangles", name);
    if (faceCount > MOST_TRIANGLES || pointCount > 3u * MOST_TRIANGLES) {
        return hwReader_Fail(reader, node, "`%s` holds more than %d triangles", name, MOST_TRIANGLES);
    }
    hwVec3* points = hwReader_Take(reader, pointCount, sizeof(*points));
    int(*triangles)[3] = points != NULL ? hwReader_Take(reader, faceCount, sizeof(*triangles)) : NULL;
    Corner* corners = malloc(pointCount * sizeof(*corners));
    int* target = malloc(pointCount * sizeof(*target));
    if (triangles == NULL || corners == NULL || target == NULL) {
        free(corners);
        free(target);
        return hwReader_FailMemory(reader);
    }
    int first = 0, count = 0;
    bool finite = true;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        const struct aiMesh* mesh = scene->mMeshes[i];
        for (unsigned j = 0; j < mesh->mNumVertices; j++) {
            struct aiVector3D v = mesh->mVertices[j];
            points[(size_t)first + j] = hwMakeVec3((double)v.x, (double)v.y, (double)v.z);
            finite = finite && hwIsFiniteVec3(points[(size_t)first + j]);
        }
        for (unsigned j = 0; j < mesh->mNumFaces; j++) {
            const struct aiFace* face = &mesh->mFaces[j];
            if (face->mNumIndices != 3) continue;
            bool known = true;
            for (int k = 0; k < 3; k++) {
                known = known && face->mIndices[k] < mesh->mNumVertices;
                triangles[count][k] = known ? first + (int)face->mIndices[k] : 0;
            }
            repairs->beyond += !known;
            count += known;
        }
        first += (int)mesh->mNumVertices;
    }
    out->vertexCount = finite ? Weld(first, points, corners, target) : 0;
    out->vertices = points;
    out->triangles = (const int(*)[3])triangles;
    for (int i = 0; finite && i < count; i++) {
        int a = target[triangles[i][0]], b = target[triangles[i][1]], c = target[triangles[i][2]];
        if (!HasArea(points, a, b, c)) {
            repairs->flat++;
            continue;
        }
        int* t = triangles[out->triangleCount++];
        t[0] = a;
        t[1] = b;
        t[2] = c;
    }
    free(corners);
    free(target);
    if (!finite) return hwReader_Fail(reader, node, "`%s` holds coordinates that are not finite", name);
    if (out->triangleCount == 0)
        return hwReader_Fail(reader, node, "`%s` holds no triangles with an area", name);
    return DropDoubles(reader, out, repairs);
}

// Files do not agree on which side is outside; a solid's volume tells.
bool hwMesh_TurnOutward(hwMeshData* mesh) {
    if (SignedVolume(mesh) >= 0.0) return false;
    int(*triangles)[3] = (int(*)[3])mesh->triangles;
    for (int i = 0; i < mesh->triangleCount; i++) {
        int swap = triangles[i][1];
        triangles[i][1] = triangles[i][2];
        triangles[i][2] = swap;
    }
    return true;
}

static bool TellRepairs(hwReader* reader, const hwYaml* node, const char* name, const Repairs* repairs) {
    const struct {
        int count;
        const char* what;
    } dropped[] = {{repairs->beyond, "corners that the file does not have"},
                   {repairs->flat, "no area"},
                   {repairs->doubled, "there twice"}};
    for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++) {
        if (dropped[i].count > 0 &&
            !hwReader_Warn(reader, node->line, "`%s`: %d triangle%s left out: %s", name, dropped[i].count,
                           dropped[i].count == 1 ? "" : "s", dropped[i].what))
            return false;
    }
    return !repairs->turned || hwReader_Warn(reader, node->line, "`%s` is inside out and was turned", name);
}

bool hwCollectMesh(hwReader* reader, const hwYaml* node, const char* name, const void* scene,
                   hwMeshData* out) {
    Repairs repairs = {0};
    memset(out, 0, sizeof(*out));
    if (!Collect(reader, node, name, scene, out, &repairs)) return false;
    repairs.turned = hwMesh_TurnOutward(out);
    return TellRepairs(reader, node, name, &repairs);
}

bool hwLoadMesh(hwReader* reader, const hwYaml* node, const char* path, hwMeshData* out) {
    char name[80];
    const char* slash = strrchr(path, '/');
    hwQuoteText(name, sizeof(name), slash != NULL ? slash + 1 : path);
    memset(out, 0, sizeof(*out));
    if (!hwReader_CheckFile(reader, node, path)) return false;
    struct aiPropertyStore* properties = aiCreatePropertyStore();
    if (properties == NULL) return hwReader_FailMemory(reader);
    aiSetImportPropertyInteger(properties, AI_CONFIG_PP_SBP_REMOVE,
                               aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    unsigned steps = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices;
    const struct aiScene* scene = aiImportFileExWithProperties(path, steps, NULL, properties);
    aiReleasePropertyStore(properties);
    if (scene == NULL) {
        char reason[120];
        return hwReader_Fail(reader, node, "`%s` is not a mesh that can be read: %s", name,
                             hwQuoteText(reason, sizeof(reason), aiGetErrorString()));
    }
    bool good = hwCollectMesh(reader, node, name, scene, out);
    aiReleaseImport(scene);
    return good;
}
