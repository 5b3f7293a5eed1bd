// Meshes from files: all triangles of a file as one surface.
#define _POSIX_C_SOURCE 200809L
#include "mesh_soup.h"
#include "results_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_BYTES ((uint64_t)2 << 30)      // of a mesh file
#define MOST_VRML_BYTES ((size_t)256 << 20) // its tree takes about 30 times as much

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
        hwVec3 origin = mesh->vertices[mesh->triangles[0][0]];
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

static bool Collect(hwReader* reader, const hwYaml* node, const char* name, const hwMeshSoup* soup,
                    hwMeshData* out, Repairs* repairs) {
    if (soup->faceCount == 0 || soup->pointCount == 0)
        return hwReader_Fail(reader, node, "`%s` holds no triangles", name);
    if (soup->faceCount > HW_MESH_MOST_TRIANGLES || soup->pointCount > 3u * HW_MESH_MOST_TRIANGLES)
        return hwReader_Fail(reader, node, "`%s` holds more than %d triangles", name, HW_MESH_MOST_TRIANGLES);
    for (size_t i = 0; i < soup->pointCount; i++) {
        if (!hwIsFiniteVec3(soup->points[i]))
            return hwReader_Fail(reader, node, "`%s` holds coordinates that are not finite", name);
    }
    Corner* corners = malloc(soup->pointCount * sizeof(*corners));
    int* target = malloc(soup->pointCount * sizeof(*target));
    if (corners == NULL || target == NULL) {
        free(corners);
        free(target);
        return hwReader_FailMemory(reader);
    }
    out->vertexCount = Weld((int)soup->pointCount, soup->points, corners, target);
    out->vertices = soup->points;
    out->triangles = (const int(*)[3])soup->faces;
    for (size_t i = 0; i < soup->faceCount; i++) {
        int* t = soup->faces[out->triangleCount];
        int corner[3];
        bool known = true;
        for (int k = 0; k < 3; k++) {
            int index = soup->faces[i][k];
            bool has = index >= 0 && (size_t)index < soup->pointCount;
            corner[k] = has ? target[index] : 0;
            known = known && has;
        }
        bool solid = known && HasArea(soup->points, corner[0], corner[1], corner[2]);
        repairs->beyond += !known;
        repairs->flat += known && !solid;
        if (!solid) continue;
        memcpy(t, corner, sizeof(corner));
        out->triangleCount++;
    }
    free(corners);
    free(target);
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

bool hwCollectMesh(hwReader* reader, const hwYaml* node, const char* name, const hwMeshSoup* soup,
                   hwMeshData* out) {
    Repairs repairs = {0};
    memset(out, 0, sizeof(*out));
    if (!Collect(reader, node, name, soup, out, &repairs)) return false;
    repairs.turned = hwMesh_TurnOutward(out);
    return TellRepairs(reader, node, name, &repairs);
}

bool hwLoadMesh(hwReader* reader, const hwYaml* node, const char* path, hwMeshData* out) {
    char name[80];
    const char* slash = strrchr(path, '/');
    hwQuoteText(name, sizeof(name), slash != NULL ? slash + 1 : path);
    memset(out, 0, sizeof(*out));
    struct stat about;
    if (!hwReader_CheckFile(reader, node, path)) return false;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return hwReader_Fail(reader, node, "`%s` is not an ordinary file", name);
    uint64_t bytes = (uint64_t)about.st_size;
    if (bytes > MOST_BYTES)
        return hwReader_Fail(reader, node, "`%s` is larger than the %d MB allowed", name,
                             (int)(MOST_BYTES >> 20));
    if (hwResults_HasExtension(path, "hmesh")) return hwReadPackedMesh(reader, node, name, path, out);
    hwMeshSoup soup;
    if (hwResults_HasExtension(path, "wrl")) {
        size_t size;
        const char* text = hwReadFileText(reader->store, path, MOST_VRML_BYTES, node->line, node->column,
                                          &size, reader->error);
        if (text == NULL || !hwParseVrml(reader, node, name, text, size, &soup)) return false;
    } else if (!hwImportMesh(reader, node, name, path, bytes, &soup)) {
        return false;
    }
    if (!hwCollectMesh(reader, node, name, &soup, out)) return false;
    hwReader_NoteMesh(reader, path, out);
    return true;
}
