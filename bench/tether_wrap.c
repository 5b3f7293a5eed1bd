// A tether that wraps, by itself: updates over a mesh of 100,000 triangles.
#include "bench/bench.h"
#include "tether/wrap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 3 // the least of so many is told

// A rough sea floor over whose bumps the tether is drawn.
static int MakeGround(hwVec3* vertices, int (*triangles)[3], int side) {
    int count = 0;
    for (int i = 0; i <= side; ++i) {
        for (int j = 0; j <= side; ++j) {
            double x = 40.0 * i / side - 20.0, y = 40.0 * j / side - 20.0;
            double z = 0.6 * sin(1.1 * x) * cos(0.9 * y) + 0.1 * sin(5.0 * x + 3.0 * y);
            vertices[i * (side + 1) + j] = hwMakeVec3(x, y, z);
        }
    }
    for (int i = 0; i < side; ++i) {
        for (int j = 0; j < side; ++j) {
            int a = i * (side + 1) + j, b = a + side + 1;
            const int first[3] = {a, b, b + 1}, second[3] = {a, b + 1, a + 1};
            memcpy(triangles[count++], first, sizeof(first));
            memcpy(triangles[count++], second, sizeof(second));
        }
    }
    return count;
}

static void GiveLoad(const void* context, hwVec3 a, hwVec3 b, hwWrapLoad* out) {
    (void)context;
    (void)a;
    (void)b;
    *out = (hwWrapLoad){{0.0, 0.0, -0.1}, {0.2, 0.0, 0.0}};
}

typedef struct Tether {
    hwWrapState state;
    hwWrapPath path;
} Tether;

// An end moves at 0.5 m/s in steps of 20 ms, high over the ground or drawn over its bumps.
static void MeasureUpdates(hwBenchContext* context, const hwTetherSpace* space, Tether* tether,
                           hwWrapWork* work, bool lies) {
    const double friction = 0.4, material[2] = {0.0, 23.0};
    hwWrapSetup setup = {space, &friction, HW_BEND_CATENARY, 0.004, 5e4, GiveLoad, NULL};
    double best = HUGE_VAL;
    const int count = 100;
    for (int r = 0; r < ROUNDS; ++r) {
        hwVec3 ends[2] = {{-10.0, 0.0, lies ? 2.0 : 20.0}, {12.0, -2.0, lies ? 0.9 : 19.0}};
        hwWrap_Start(&setup, &tether->state, (hwPolyline){2, ends}, material, work, &tether->path);
        double start = hwBench_GetTime();
        for (int i = 0; i < count; ++i) {
            ends[1].y += 0.01;
            hwWrap_Update(&setup, &tether->state, ends, material, NULL, work, &tether->path);
        }
        best = fmin(best, (hwBench_GetTime() - start) / count);
    }
    char note[64];
    snprintf(note, sizeof(note), "bar 20; %d corners, %d spans", tether->path.count, tether->path.spanCount);
    hwBenchRow row = hwDefaultBenchRow();
    row.name = lies ? "wrap update, lying on 100,000 triangles" : "wrap update, clear of 100,000 triangles";
    row.value = 1e6 * best;
    row.unit = "us";
    row.note = note;
    hwBench_AddRow(context, &row);
}

static void MeasureWrap(hwBenchContext* context) {
    const int side = 224; // 100,352 triangles
    hwVec3* vertices = malloc((size_t)(side + 1) * (side + 1) * sizeof(hwVec3));
    int(*triangles)[3] = malloc((size_t)side * side * 2 * sizeof(*triangles));
    Tether* tether = calloc(1, sizeof(*tether));
    hwWrapWork* work = malloc(hwWrapWork_GetSize());
    if (vertices != NULL && triangles != NULL && tether != NULL && work != NULL) {
        hwError error;
        hwShapeDef shape = hwDefaultShapeDef();
        shape.kind = HW_SHAPE_MESH;
        shape.mesh.triangleCount = MakeGround(vertices, triangles, side);
        shape.mesh.vertexCount = (side + 1) * (side + 1);
        shape.mesh.vertices = vertices;
        shape.mesh.triangles = (const int(*)[3])triangles;
        hwTetherSolid solid = {&shape, hwPose_identity};
        hwTetherSpace* space = hwCreateTetherSpace(1, &solid, NULL, &error);
        if (space == NULL) {
            hwBench_AddError(context, "tether over 100,000 triangles", &error);
        } else {
            MeasureUpdates(context, space, tether, work, false);
            MeasureUpdates(context, space, tether, work, true);
        }
        hwDestroyTetherSpace(space);
    }
    free(vertices);
    free(triangles);
    free(tether);
    free(work);
}

const hwBench hwTetherWrapBenches[] = {
    {"tether_wrap", "A tether that wraps, over a mesh of 100,000 triangles.", MeasureWrap},
    {0},
};
