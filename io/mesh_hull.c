// Convex hulls of points, through qhull (Barber, Dobkin & Huhdanpaa 1996).
#define _POSIX_C_SOURCE 200809L
#include "scene_read.h"

#include <libqhull_r/qhull_ra.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Copies the facets; qhull's own functions are not called here because they leave the program when they fail.
static bool CopyFacets(hwReader* reader, const hwYaml* node, qhT* qh, const double* coordinates, int count,
                       const hwVec3* points, hwMeshData* out) {
    facetT* facet;
    int facetCount = 0, kept = 0;
    FORALLfacets {
        facetCount++;
    }
    int(*triangles)[3] = hwReader_Take(reader, (size_t)facetCount, sizeof(*triangles));
    hwVec3* vertices = triangles != NULL ? hwReader_Take(reader, (size_t)count, sizeof(*vertices)) : NULL;
    int* target = vertices != NULL ? hwReader_Take(reader, (size_t)count, sizeof(*target)) : NULL;
    if (target == NULL) return false;
    int i = 0;
    FORALLfacets {
        vertexT *vertex, **vertexp;
        int corner = 0;
        FOREACHvertex_(facet->vertices) {
            ptrdiff_t index = (vertex->point - coordinates) / 3;
            if (corner == 3 || index < 0 || index >= count) {
                return hwReader_Fail(reader, node, "the hull of these points cannot be made of triangles");
            }
            if (target[index] == 0) {
                vertices[kept] = points[index];
                target[index] = ++kept;
            }
            triangles[i][corner++] = target[index] - 1;
        }
        if (corner != 3)
            return hwReader_Fail(reader, node, "the hull of these points cannot be made of triangles");
        if (facet->toporient ^ qh_ORIENTclock) {
            int swap = triangles[i][0];
            triangles[i][0] = triangles[i][1];
            triangles[i][1] = swap;
        }
        i++;
    }
    out->vertexCount = kept;
    out->vertices = vertices;
    out->triangleCount = facetCount;
    out->triangles = (const int(*)[3])triangles;
    return true;
}

bool hwBuildHull(hwReader* reader, const hwYaml* node, int count, const hwVec3* points, hwMeshData* out) {
    memset(out, 0, sizeof(*out));
    if (count < 4) return hwReader_Fail(reader, node, "a `hull` needs at least 4 points, but has %d", count);
    double* coordinates = hwReader_Take(reader, (size_t)count, 3 * sizeof(*coordinates));
    if (coordinates == NULL) return false;
    for (int i = 0; i < count; i++) {
        coordinates[3 * i] = points[i].x;
        coordinates[3 * i + 1] = points[i].y;
        coordinates[3 * i + 2] = points[i].z;
    }
    // qhull writes its complaints to a stream; ours says what matters.
    char* complaint = NULL;
    size_t length = 0;
    FILE* stream = open_memstream(&complaint, &length);
    if (stream == NULL) return hwReader_FailMemory(reader);
    qhT state;
    char command[] = "qhull Qt";
    qh_zero(&state, stream);
    int failed = qh_new_qhull(&state, 3, count, coordinates, False, command, NULL, stream);
    bool good = false;
    if (failed == 0) {
        good = CopyFacets(reader, node, &state, coordinates, count, points, out);
    } else {
        hwReader_Fail(reader, node, "the points of the `hull` do not span a volume");
    }
    state.NOerrexit = True;
    int current, total;
    qh_freeqhull(&state, !qh_ALL);
    qh_memfreeshort(&state, &current, &total);
    fclose(stream);
    free(complaint);
    if (good) hwMesh_TurnOutward(out);
    return good;
}
