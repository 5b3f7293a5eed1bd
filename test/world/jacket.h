// Random routes through the jacket of scenes/tether, and what a flown path itself says of windings and linking numbers. Used by the
// tests of routes, ways home and looks ahead; `make sweeps` runs them with many more routes.
#ifndef TEST_WORLD_JACKET_H
#define TEST_WORLD_JACKET_H

#include "support.h"

#include "hawser/hawser.h"
#include "hawser/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JACKET_CLEARANCE 0.6 // m, that routes keep from all bars: a BlueROV2 is 0.34 m wide and 0.46 m long
#define JACKET_POINTS 80     // most points of a route

typedef struct Jacket {
    hwScene* scene;
    hwWorld* world;
    hwCableId cable;
    hwBodyId body;
    hwTetherSpace* space;
} Jacket;

typedef struct Route {
    int count;
    hwVec3 points[JACKET_POINTS]; // the first one is where the tether begins, the second where end b does
    int circles;                  // bars that it goes once round
} Route;

// A scene whose body `body` is what routes keep clear of.
static inline Jacket MakeSurroundings(const char* text, const char* body) {
    Jacket jacket = {0};
    hwError error;
    jacket.scene = hwParseScene(text, strlen(text), "test", HAWSER_SOURCE_DIR "/scenes/tether", &error);
    if (jacket.scene == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    jacket.world = hwScene_CreateWorld(jacket.scene, NULL, &error);
    if (jacket.world == NULL) fail_msg("%d:%d: %s", error.line, error.column, error.message);
    jacket.cable = hwWorld_FindCable(jacket.world, "tether");
    jacket.body = hwWorld_FindBody(jacket.world, body);
    const hwBodyDef* def = hwBody_GetDef(jacket.world, jacket.body);
    hwTetherSolid solids[64];
    assert_true(def->shapeCount <= 64);
    hwPose pose = {def->position, def->attitude};
    for (int i = 0; i < def->shapeCount; ++i) solids[i] = (hwTetherSolid){&def->shapes[i], pose};
    jacket.space = hwCreateTetherSpace(def->shapeCount, solids, NULL, &error);
    assert_non_null(jacket.space);
    return jacket;
}

// The platform's jacket with the given vehicles, cables and winches.
static inline Jacket MakeJacket(const char* rest) {
    char path[600];
    snprintf(path, sizeof(path), "%s/scenes/tether/platform_jacket.yaml", HAWSER_SOURCE_DIR);
    FILE* file = fopen(path, "rb");
    if (file == NULL) fail_msg("cannot open %s", path);
    const size_t room = 60000;
    char* text = calloc(1, room);
    assert_non_null(text);
    size_t size = fread(text, 1, room - 8000, file);
    fclose(file);
    text[size] = '\0';
    char* cut = strstr(text, "\nvehicles:");
    if (cut == NULL) fail_msg("%s has no vehicles", path);
    snprintf(cut, 8000, "\n%s", rest);
    Jacket jacket = MakeSurroundings(text, "jacket");
    free(text);
    return jacket;
}

static inline void FreeJacket(Jacket* jacket) {
    hwDestroyTetherSpace(jacket->space);
    hwDestroyWorld(jacket->world);
    hwDestroyScene(jacket->scene);
}

// Numbers of a sequence that depends on the seed alone (xorshift64*, Vigna 2016), 0 to 1.
static inline double Draw(uint64_t* seed) {
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return (double)((*seed * 0x2545F4914F6CDD1Dull) >> 11) / 9007199254740992.0;
}

static inline bool IsLegFree(const Jacket* jacket, hwVec3 a, hwVec3 b) {
    return b.z < -1.5 && b.z > -28.0 && hwTetherSpace_IsFree(jacket->space, a, b, b, JACKET_CLEARANCE);
}

// Once round a bar near the last point, if there is room: a loop through the frames beside it.
static inline bool CircleBar(const Jacket* jacket, Route* route, uint64_t* seed) {
    const hwBodyDef* def = hwBody_GetDef(jacket->world, jacket->body);
    const hwShapeDef* bar = &def->shapes[(int)(Draw(seed) * def->shapeCount)];
    double at = Draw(seed) - 0.5, phase = 2.0 * HW_PI * Draw(seed), way = Draw(seed) < 0.5 ? -1.0 : 1.0;
    double away = bar->radius + 1.0 + 0.4 * Draw(seed);
    if (bar->kind != HW_SHAPE_CYLINDER || route->count + 8 > JACKET_POINTS) return false;
    hwPose pose = hwMulPose((hwPose){def->position, def->attitude}, bar->pose);
    Route longer = *route;
    for (int i = 0; i <= 6; ++i) {
        double angle = phase + way * i * HW_PI / 3.0;
        hwVec3 p = {away * cos(angle), away * sin(angle), at * bar->length};
        p = hwTransformPoint(pose, p);
        if (i == 0 && hwDistance(p, longer.points[longer.count - 1]) > 9.0) return false;
        if (!IsLegFree(jacket, longer.points[longer.count - 1], p)) return false;
        longer.points[longer.count++] = p;
    }
    longer.circles += 1;
    *route = longer;
    return true;
}

// From in front of the jacket through it, in and out between its bars, `length` metres long or a little more.
static inline Route MakeRoute(const Jacket* jacket, hwVec3 boat, hwVec3 start, double length,
                              uint64_t number) {
    uint64_t seed = 0x9E3779B97F4A7C15ull * (number + 1);
    for (int i = 0; i < 8; ++i) Draw(&seed);
    Route route = {.count = 2, .points = {boat, start}};
    double flown = 0.0;
    for (int tries = 0; tries < 4000 && flown < length && route.count < JACKET_POINTS; ++tries) {
        int before = route.count;
        if (Draw(&seed) < 0.4) {
            CircleBar(jacket, &route, &seed);
        } else {
            hwVec3 p = {12.0 + 16.0 * Draw(&seed), -8.0 + 16.0 * Draw(&seed), -14.0 + 12.0 * Draw(&seed)};
            hwVec3 from = route.points[route.count - 1];
            if (hwDistance(p, from) < 9.0 && IsLegFree(jacket, from, p)) route.points[route.count++] = p;
        }
        for (int i = before; i < route.count; ++i) flown += hwDistance(route.points[i - 1], route.points[i]);
    }
    return route;
}

static inline double GetRouteLength(const Route* route) {
    return hwTether_GetLength((hwPolyline){route->count, route->points});
}

// The point at s metres of the route, and the leg that it is on.
static inline hwVec3 GetRoutePoint(const Route* route, double s, int* leg, hwVec3* along) {
    *leg = 1;
    *along = hwVec3_zero;
    for (int i = 1; i < route->count; ++i) {
        hwVec3 d = hwSub(route->points[i], route->points[i - 1]);
        double size = hwLength(d);
        if (s <= size || i + 1 == route->count) {
            *leg = i;
            *along = hwScale(1.0 / size, d);
            return hwMulAdd(route->points[i - 1], hwFmin(s / size, 1.0), d);
        }
        s -= size;
    }
    return route->points[route->count - 1];
}

// What the path says ------------------------------------------------------------------------------------------------------

// The number of a watch's axis or loop for a path that is closed over the surface: turns about an axis by summed angles, passages
// through a loop by the sum of solid angles. The watch counts signs of determinants instead.
static inline double CountPath(const hwWorld* world, hwCableId cable, int feature, hwPolyline path) {
    hwVec3 corners[64], closed[JACKET_POINTS + 3];
    int count = hwCable_GetWatchPoints(world, cable, feature, 64, corners);
    assert_true(count >= 2 && count <= 64 && path.count <= JACKET_POINTS);
    memcpy(closed, path.points, (size_t)path.count * sizeof(hwVec3));
    hwVec3 back[2] = {path.points[path.count - 1], path.points[0]};
    back[0].z = back[1].z = 0.0;
    if (!hwCable_GetWatchFeature(world, cable, feature).isAxis)
        return hwTether_ComputeLinking(path, (hwPolyline){2, back}, (hwPolyline){count, corners});
    closed[path.count] = back[0];
    closed[path.count + 1] = back[1];
    closed[path.count + 2] = path.points[0];
    hwVec3 w = hwNormalize(hwSub(corners[1], corners[0])),
           u = hwNormalize(hwCross(w, hwMakeVec3(1.0, 0.3, 0.1)));
    hwVec3 v = hwCross(w, u);
    double sum = 0.0;
    for (int i = 0; i + 1 < path.count + 3; ++i) {
        hwVec3 a = hwSub(closed[i], corners[0]), b = hwSub(closed[i + 1], corners[0]);
        double ax = hwDot(a, u), ay = hwDot(a, v), bx = hwDot(b, u), by = hwDot(b, v);
        sum += atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    return sum / (2.0 * HW_PI);
}

static inline double ReadChannel(const hwWorld* world, const char* name) {
    int index = hwWorld_FindChannel(world, name);
    if (index < 0) fail_msg("no channel %s", name);
    return hwWorld_ReadChannel(world, index);
}

// How many routes: `few`, or as many as the environment's variable asks for.
static inline int GetSweepCount(const char* variable, int few) {
    const char* text = getenv(variable);
    return text != NULL ? atoi(text) : few;
}

// The number of the first one.
static inline int GetSweepFirst(const char* variable, int first) {
    const char* text = getenv("HAWSER_SWEEP_FIRST");
    if (text != NULL) return atoi(text);
    return getenv(variable) != NULL ? 0 : first;
}

#endif
