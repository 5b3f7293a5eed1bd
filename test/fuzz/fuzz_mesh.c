// Any bytes as a mesh on its way to a shape: repair, hull, convex parts, mass properties. Never a crash, a leak, a hang, or
// numbers that are not finite.
//
// The first byte chooses the way in. Below 128 the rest is what an importer might hand over: corners, among them equal,
// huge, tiny and infinite ones, and triangles, among them such with corners that do not exist. From 128 on it is a file in one of
// the five formats.
#include "hawser/decompose.h"
#include "hawser/shape.h"
#include "mesh_soup.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A scene's node for the messages.
static const hwYaml nowhere = {.line = 1, .column = 1};

static void CheckFinite(const hwShapeDef* shape) {
    hwMassProperties mass;
    hwError error;
    if (hwShape_ComputeMassProperties(shape, &mass, &error) != HW_OK) {
        if (error.message[0] == 0) abort();
        return;
    }
    if (!isfinite(mass.volume) || !(mass.volume > 0.0) || !hwIsFiniteVec3(mass.centroid)) abort();
    for (int k = 0; k < 6; k++) {
        if (!isfinite(mass.inertia[k])) abort();
    }
    // the moments of inertia of a solid: positive, none larger than the sum of the others
    const double* i = mass.inertia;
    double slack = 1e-9 * (i[0] + i[1] + i[2]);
    if (!(i[0] > 0.0) || !(i[1] > 0.0) || !(i[2] > 0.0)) abort();
    if (i[0] > i[1] + i[2] + slack || i[1] > i[0] + i[2] + slack || i[2] > i[0] + i[1] + slack) abort();
}

static void UseMesh(hwReader* reader, const hwMeshData* mesh) {
    if (mesh->vertexCount < 1 || mesh->triangleCount < 1) abort();
    for (int i = 0; i < mesh->triangleCount; i++) {
        for (int k = 0; k < 3; k++) {
            if (mesh->triangles[i][k] < 0 || mesh->triangles[i][k] >= mesh->vertexCount) abort();
        }
    }
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_MESH;
    shape.mesh = *mesh;
    CheckFinite(&shape);
    if (mesh->vertexCount > 200) return; // the rest takes too long for a fuzzer
    hwShapeDef hull = hwDefaultShapeDef();
    hull.kind = HW_SHAPE_HULL;
    if (hwBuildHull(reader, &nowhere, mesh->vertexCount, mesh->vertices, &hull.mesh)) CheckFinite(&hull);
    if (hwFindParts(reader, &nowhere, mesh, 4, &shape)) {
        for (int i = 0; i < shape.partCount; i++) {
            hull.mesh = shape.parts[i];
            CheckFinite(&hull);
        }
    }
}

// A coordinate from a byte: mostly a small grid, so that corners coincide and lie in planes.
static float GetCoordinate(uint8_t byte) {
    static const float odd[] = {0.0f, 1e-30f, 1e30f, -3e38f, INFINITY, NAN, 1e-7f, 1.0000001f};
    return byte < 248 ? (float)(byte % 16) - 8.0f + 0.01f * (float)(byte / 16) : odd[byte - 248];
}

static void TrySoup(hwReader* reader, const uint8_t* data, size_t size) {
    if (size < 2) return;
    size_t points = 3u + data[0] % 64u;
    size_t faces = (size - 1) > 3u * points ? (size - 1 - 3u * points) / 3u : 0;
    if (faces == 0) return;
    hwMeshSoup soup = {.pointCount = points, .faceCount = faces};
    soup.points = hwReader_Take(reader, points, sizeof(*soup.points));
    soup.faces = hwReader_Take(reader, faces, sizeof(*soup.faces));
    if (soup.points == NULL || soup.faces == NULL) abort();
    const uint8_t* at = data + 1;
    for (size_t i = 0; i < points; i++, at += 3) {
        soup.points[i] = hwMakeVec3((double)GetCoordinate(at[0]), (double)GetCoordinate(at[1]),
                                    (double)GetCoordinate(at[2]));
    }
    for (size_t i = 0; i < faces; i++, at += 3) {
        for (int k = 0; k < 3; k++) soup.faces[i][k] = at[k] == 255 ? -1 : at[k];
    }
    hwMeshData mesh;
    if (hwCollectMesh(reader, &nowhere, "fuzz", &soup, &mesh)) UseMesh(reader, &mesh);
}

#define VRML_FORMAT 1 // of the five in TryFile

// VRML is read in this process; the other formats go through a child, so that what crashes assimp is refused.
static void TryVrml(hwReader* reader, const uint8_t* data, size_t size) {
    char* text = malloc(size + 1);
    if (text == NULL) abort();
    memcpy(text, data, size);
    text[size] = 0;
    hwMeshSoup soup;
    hwMeshData mesh;
    if (hwParseVrml(reader, &nowhere, "fuzz", text, size, &soup)) {
        if (hwCollectMesh(reader, &nowhere, "fuzz", &soup, &mesh)) UseMesh(reader, &mesh);
    } else if (reader->error->message[0] == 0) {
        abort();
    }
    free(text);
}

static void TryFile(hwReader* reader, unsigned format, const uint8_t* data, size_t size) {
    static const char* const endings[5] = {"3ds", "wrl", "obj", "stl", "gltf"};
    // A child of a sanitized process takes 10 ms to make: all files of the corpus, then one in twenty.
    static int files;
    if (++files > 100 && files % 20 != 0) return;
    char path[64];
    snprintf(path, sizeof(path), "/tmp/hawser_fuzz_%d.%s", (int)getpid(), endings[format % 5]);
    FILE* file = fopen(path, "wb");
    if (file == NULL) return;
    bool written = fwrite(data, 1, size, file) == size;
    hwMeshData mesh;
    if (fclose(file) == 0 && written && hwLoadMesh(reader, &nowhere, path, &mesh)) UseMesh(reader, &mesh);
    remove(path);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2) return 0;
    hwStore store;
    hwError error;
    hwSceneWarnings warnings = {0};
    hwStore_Init(&store, NULL);
    hwReader reader = {.store = &store, .warnings = &warnings, .error = &error};
    if (data[0] < 128) {
        TrySoup(&reader, data + 1, size - 1);
    } else if (data[0] % 5 == VRML_FORMAT) {
        TryVrml(&reader, data + 1, size - 1);
    } else {
        TryFile(&reader, data[0], data + 1, size - 1);
    }
    hwStore_Free(&store);
    return 0;
}
