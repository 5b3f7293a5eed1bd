#define _GNU_SOURCE
#include "bench/contact_peers.h"

#include <dlfcn.h>
#include <libqhull_r/geom_r.h>
#include <libqhull_r/libqhull_r.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_PLANES 64
#define MOST_CORNERS 512

// qhull -----------------------------------------------------------------------------------------------------------------------

static bool Run(qhT* qh, int count, coordT* points, char* command) {
    static FILE* nowhere;
    if (nowhere == NULL) nowhere = fopen("/dev/null", "w");
    qh_zero(qh, nowhere);
    return qh_new_qhull(qh, 3, count, points, False, command, NULL, nowhere) == 0;
}

static void Free(qhT* qh) {
    int current, total;
    qh->NOerrexit = True;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &current, &total);
}

double hwPeer_FindVolume(int count, const hwPeerPlane* planes, hwVec3 inside) {
    coordT dual[3 * MOST_PLANES], corners[3 * MOST_CORNERS];
    char plain[] = "qhull Qt", volume[] = "qhull Qt FA";
    if (count > MOST_PLANES) return (double)NAN;
    for (int i = 0; i < count; ++i) {
        double distance = planes[i].d - hwDot(planes[i].n, inside);
        if (!(distance > 0.0)) return (double)NAN;
        hwVec3 x = hwScale(1.0 / distance, planes[i].n);
        dual[3 * i] = x.x, dual[3 * i + 1] = x.y, dual[3 * i + 2] = x.z;
    }
    qhT qh;
    bool good = Run(&qh, count, dual, plain);
    int corner = 0;
    if (good) {
        const facetT* facet;
        for (facet = qh.facet_list; facet != NULL && facet->next != NULL && corner < MOST_CORNERS;
             facet = facet->next) {
            for (int k = 0; k < 3; ++k) corners[3 * corner + k] = facet->normal[k] / -facet->offset;
            corner += 1;
        }
    }
    Free(&qh);
    if (!good) return (double)NAN;
    double result = (double)NAN;
    if (Run(&qh, corner, corners, volume)) {
        qh_getarea(&qh, qh.facet_list);
        result = qh.totvol;
    }
    Free(&qh);
    return result;
}

// FCL -------------------------------------------------------------------------------------------------------------------------

typedef double TimeFn(int vertexCount, const double* vertices, int triangleCount, const int* triangles,
                      int count, const double* axes, double radius, long* contacts);

// The module lies beside the program.
static void* OpenModule(void) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 32);
    if (length <= 0) return NULL;
    path[length] = '\0';
    char* slash = strrchr(path, '/');
    if (slash == NULL) return NULL;
    strcpy(slash + 1, "hawser-peer-fcl.so");
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

double hwPeer_TimeCapsules(const hwMeshData* mesh, int count, const hwVec3 (*axes)[2], double radius) {
    void* module = OpenModule();
    if (module == NULL) return (double)NAN;
    TimeFn* measure = NULL;
    *(void**)&measure = dlsym(module, "hwPeerFcl_TimeCapsules");
    long contacts = 0;
    double best = (double)NAN;
    for (int round = 0; round < 3 && measure != NULL; ++round) {
        best = fmin(best, measure(mesh->vertexCount, &mesh->vertices->x, mesh->triangleCount,
                                  &mesh->triangles[0][0], count, &axes[0][0].x, radius, &contacts));
    }
    return contacts > 0 ? best : (double)NAN;
}
