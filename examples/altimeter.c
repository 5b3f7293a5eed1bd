// A vehicle looks about by rays and queries: its height above the bottom, what is ahead, and what it would bump into.
#include "hawser/hawser.h"

#include <math.h>
#include <stdio.h>

int main(void) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = 60.0;
    sea.seabed.stiffness = 1e5;
    hwWorld_SetEnvironment(world, &sea, &error);

    hwShapeDef hull = hwDefaultShapeDef();
    hull.size = hwMakeVec3(0.6, 0.4, 0.3);
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "vehicle";
    body.mass = 60.0;
    body.position = hwMakeVec3(0.0, 0.0, -40.0);
    body.shapeCount = 1;
    body.shapes = &hull;
    hwBodyId vehicle = hwWorld_AddBody(world, &body, &error);

    hwShapeDef leg = hwDefaultShapeDef();
    leg.kind = HW_SHAPE_CYLINDER;
    leg.radius = 1.0;
    leg.length = 80.0;
    hwBodyDef jacket = hwDefaultBodyDef();
    jacket.name = "jacket";
    jacket.motion = HW_MOTION_FIXED;
    jacket.position = hwMakeVec3(12.0, 0.0, -30.0);
    jacket.shapeCount = 1;
    jacket.shapes = &leg;
    hwBodyId pile = hwWorld_AddBody(world, &jacket, &error);
    if (hwWorld_Prepare(world, &error) != HW_OK || hwWorld_Step(world, 1.0, &error) < HW_OK) return 1;

    // one update for all questions about this moment
    if (hwWorld_UpdateQueries(world, &error) != HW_OK) return 1;
    hwBodyState now;
    hwBody_GetState(world, vehicle, &now, &error);
    hwQueryFilter others = hwDefaultQueryFilter();
    others.except = vehicle;

    hwQueryHit below, ahead, nearest, near[4];
    hwRay down = {now.position, hwMakeVec3(0.0, 0.0, -1.0), 200.0, 0.0};
    hwRay sonar = {now.position, hwRotate(now.attitude, hwMakeVec3(1.0, 0.0, 0.0)), 50.0, 0.3};
    hwWorld_CastRay(world, &down, &others, &below, &error);
    hwWorld_CastRay(world, &sonar, &others, &ahead, &error);
    hwWorld_FindClosest(world, now.position, 100.0, &others, &nearest, &error);
    hwShapeDef zone = hwDefaultShapeDef();
    zone.kind = HW_SHAPE_SPHERE;
    zone.radius = 11.5;
    hwPose here = {now.position, hwQuat_identity};
    int count = hwWorld_FindOverlaps(world, &zone, here, &others, 4, near, &error);

    printf(
        "%.2f m above the bottom, %.2f m of clear way ahead, nearest thing %.2f m away, %d within 11.5 m\n",
        below.distance, ahead.distance, nearest.distance, count);
    bool right = below.kind == HW_HIT_SEABED && fabs(below.distance - (now.position.z + 60.0)) < 1e-9 &&
                 HW_SAME_ID(ahead.body, pile) && fabs(ahead.distance - 10.7) < 1e-6 &&
                 HW_SAME_ID(nearest.body, pile) && fabs(nearest.distance - 11.0) < 1e-6 && count == 1;
    hwDestroyWorld(world);
    return right ? 0 : 1;
}
