// Tether awareness: a catenary, all numbers of a tether in a jacket, and pulling it tight.
#include "bench/bench.h"
#include "hawser/tether.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 9 // the least of so many is told
#define NODES 76
#define BARS 64

static void AddTime(hwBenchContext* context, const char* name, double seconds, const char* note) {
    hwBenchRow row = hwDefaultBenchRow();
    row.name = name;
    row.value = 1e6 * seconds;
    row.unit = "us";
    row.note = note;
    hwBench_AddRow(context, &row);
}

static void MeasureCatenary(hwBenchContext* context) {
    const hwVec3 a = {0.0, 0.0, 0.0}, load = {0.3, 0.1, -1.0};
    const int count = 20000;
    double best = HUGE_VAL, sum = 0.0;
    for (int r = 0; r < ROUNDS; ++r) {
        double start = hwBench_GetTime();
        for (int i = 0; i < count; ++i) {
            hwTetherSpan span;
            hwVec3 b = {10.0 + 1e-3 * i, 3.0, -4.0};
            hwTetherSpan_Solve(HW_BEND_CATENARY, a, b, 1.02 * hwLength(b) + 1e-3 * i, load, &span);
            sum += span.scale;
        }
        best = fmin(best, (hwBench_GetTime() - start) / count);
    }
    AddTime(context, "catenary solve", best, sum > 0.0 ? "bar 1" : "no result");
}

static void PlaceBar(hwShapeDef* shape, hwVec3 a, hwVec3 b, double radius) {
    *shape = hwDefaultShapeDef();
    shape->kind = HW_SHAPE_CYLINDER;
    shape->radius = radius;
    shape->length = hwDistance(a, b);
    hwVec3 along = hwNormalize(hwSub(b, a)), axis = hwCross(hwMakeVec3(0.0, 0.0, 1.0), along);
    hwQuat q = {1.0 + along.z, axis.x, axis.y, axis.z};
    shape->pose.p = hwScale(0.5, hwAdd(a, b));
    shape->pose.q = hwNormalizeQuat(q);
}

// Four legs, four levels of braces, diagonals: as scenes/tether/platform_jacket.yaml.
static int MakeJacket(hwShapeDef* shapes) {
    static const double corner[4][2] = {{4.0, 4.0}, {-4.0, 4.0}, {-4.0, -4.0}, {4.0, -4.0}};
    static const double level[4] = {-18.0, -11.0, -4.0, 2.5};
    int count = 0;
    for (int k = 0; k < 4; ++k) {
        int n = (k + 1) % 4;
        PlaceBar(&shapes[count++], hwMakeVec3(corner[k][0], corner[k][1], -21.0),
                 hwMakeVec3(corner[k][0], corner[k][1], 3.0), 0.5);
        for (int i = 0; i < 4; ++i) {
            hwVec3 a = {corner[k][0], corner[k][1], level[i]}, b = {corner[n][0], corner[n][1], level[i]};
            PlaceBar(&shapes[count++], a, b, 0.25);
            if (i == 3) continue;
            b.z = level[i + 1];
            PlaceBar(&shapes[count++], a, b, 0.22);
        }
    }
    return count;
}

static void MeasureJacket(hwBenchContext* context) {
    static hwShapeDef shapes[BARS];
    static hwTetherSolid solids[BARS];
    static hwTetherFeature features[256];
    static hwTurnCount counts[256];
    static hwTetherLetter letters[256];
    static hwVec3 points[4000];
    int count = MakeJacket(shapes), featureCount = 0;
    for (int i = 0; i < count; ++i) solids[i] = (hwTetherSolid){&shapes[i], hwPose_identity};
    hwSkeletonDef def = {.solidCount = count,
                         .solids = solids,
                         .gap = 0.008,
                         .hasGround = true,
                         .ground = -20.0,
                         .hasSurface = true};
    hwSkeleton skeleton;
    hwError error;
    if (hwSkeleton_Find(&def, NULL, &skeleton, &error) != HW_OK) {
        hwBench_AddError(context, "tether in a jacket", &error);
        return;
    }
    for (int i = 0; i < skeleton.pieceCount && i < 256; ++i) {
        const hwSkeletonPiece* piece = &skeleton.pieces[i];
        features[featureCount++] = (hwTetherFeature){.isAxis = piece->isAxis,
                                                     .axis = piece->axis,
                                                     .loop = {piece->count, skeleton.points + piece->first}};
    }
    // in through one face, once round a leg outside, in again
    hwVec3 tether[NODES];
    for (int i = 0; i < NODES; ++i) {
        double s = (double)i / (NODES - 1), angle = 7.0 * s;
        tether[i] = hwMakeVec3(-12.0 + 14.0 * s + 2.5 * sin(angle), 4.0 + 3.0 * cos(angle), -1.0 - 9.0 * s);
    }
    hwVec3 back[2] = {{tether[NODES - 1].x, tether[NODES - 1].y, 0.0}, {tether[0].x, tether[0].y, 0.0}};
    hwPolyline line = {NODES, tether}, reference = {2, back};
    double best = HUGE_VAL;
    for (int r = 0; r < ROUNDS; ++r) {
        double start = hwBench_GetTime();
        for (int k = 0; k < 100; ++k) {
            hwTether_CountAll(line, reference, featureCount, features, counts, 256, letters);
            for (int i = 0; i < featureCount; ++i) {
                if (features[i].isAxis) hwTether_GetSweptAngle(line, &features[i].axis, NULL);
            }
            hwTether_GetBendRadius(line, NULL);
        }
        best = fmin(best, (hwBench_GetTime() - start) / 100);
    }
    char note[64];
    snprintf(note, sizeof(note), "bar 100; %d axes and loops", featureCount);
    AddTime(context, "all measures of 75 elements in a jacket", best, note);
    hwTetherSpace* space = hwCreateTetherSpace(count, solids, NULL, &error);
    if (space != NULL) {
        double start = hwBench_GetTime();
        int tight = hwTetherSpace_Tighten(space, line, 0.004, 4000, points);
        AddTime(context, "pulling it tight on paper", hwBench_GetTime() - start,
                tight > 1 ? NULL : "no result");
    }
    hwDestroyTetherSpace(space);
    hwSkeleton_Free(&skeleton, NULL);
}

const hwBench hwTetherBenches[] = {
    {"tether_catenary", "A catenary between two points under a uniform load.", MeasureCatenary},
    {"tether_jacket", "Windings, links and words of a tether in a jacket, and the tether pulled tight.",
     MeasureJacket},
    {0},
};
