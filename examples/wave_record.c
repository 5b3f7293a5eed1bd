// Samples a random sea at many points with one call, and writes a little table of the surface.
#include "hawser/hawser.h"

#include <math.h>
#include <stdio.h>

#define POINTS 8

int main(void) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.jonswap.hs = 2.0;
    sea.jonswap.tp = 8.0;
    if (hwWorld_SetEnvironment(world, &sea, &error) != HW_OK) return 1;

    double squares = 0.0;
    for (int t = 0; t < 3600; ++t) {
        hwVec3 points[POINTS];
        hwFluidSample samples[POINTS];
        for (int i = 0; i < POINTS; ++i) points[i] = hwMakeVec3(200.0 * i, 0.0, -2.0);
        hwWorld_SampleFluid(world, POINTS, points, t, samples, &error);
        for (int i = 0; i < POINTS; ++i) squares += samples[i].surface * samples[i].surface;
        if (t % 600 == 0) printf("%4d s: surface at the first point %+.3f m\n", t, samples[0].surface);
    }
    double height = 4.0 * sqrt(squares / (3600 * POINTS));
    printf("significant height over the hour: %.3f m\n", height);
    hwDestroyWorld(world);
    return fabs(height / 2.0 - 1.0) < 0.05 ? 0 : 1;
}
