// Says by name what statics has changed of what was given.
#include "world/part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 4     // named; the others are counted
#define MOVED 0.01  // m: less is not told
#define TURNED 0.02 // rad
#define SLOWER 1e-3 // m/s

typedef struct Change {
    const char* name;
    double size; // m or rad, of the freedom
    char text[96];
} Change;

static double GetAngle(const double* from, const double* to) {
    hwQuat a = {from[0], from[1], from[2], from[3]}, b = {to[0], to[1], to[2], to[3]};
    return hwLength(hwRotationVectorFromQuat(hwMulQuat(hwConjugate(hwNormalizeQuat(a)), hwNormalizeQuat(b))));
}

// What became of a link; false: nothing worth telling.
static bool DescribeJointChange(const hwLink* link, const char* name, const double* from, const double* to,
                                Change* c) {
    double way = 0.0, turn = 0.0;
    *c = (Change){.name = name};
    switch (link->joint) {
    case HW_LINK_FREE:
        way = hwDistance(hwMakeVec3(from[0], from[1], from[2]), hwMakeVec3(to[0], to[1], to[2]));
        turn = GetAngle(from + 3, to + 3);
        if (way > MOVED) {
            snprintf(c->text, sizeof(c->text), "moved %.3g m to (%.5g, %.5g, %.5g)", way, to[0], to[1],
                     to[2]);
        } else {
            snprintf(c->text, sizeof(c->text), "turned %.3g deg", turn * 180.0 / HW_PI);
        }
        break;
    case HW_LINK_PRISMATIC:
        way = fabs(to[0] - from[0]);
        snprintf(c->text, sizeof(c->text), "went from %.5g to %.5g m", from[0], to[0]);
        break;
    case HW_LINK_REVOLUTE:
        turn = fabs(to[0] - from[0]);
        snprintf(c->text, sizeof(c->text), "went from %.5g to %.5g deg", from[0] * 180.0 / HW_PI,
                 to[0] * 180.0 / HW_PI);
        break;
    case HW_LINK_BALL:
        turn = GetAngle(from, to);
        snprintf(c->text, sizeof(c->text), "turned %.3g deg", turn * 180.0 / HW_PI);
        break;
    case HW_LINK_FIXED:
    case HW_LINK_DRIVEN:
        return false;
    }
    c->size = way > MOVED ? way : turn;
    return way > MOVED || turn > TURNED;
}

// Keeps the largest, in order.
static void InsertChange(Change* list, const Change* change) {
    int at = SHOWN;
    while (at > 0 && list[at - 1].size < change->size) {
        if (at < SHOWN) list[at] = list[at - 1];
        at -= 1;
    }
    if (at < SHOWN) list[at] = *change;
}

static void TellPlaces(const hwWorld* world, const double* q) {
    const hwForest* forest = &world->model.forest;
    Change list[SHOWN] = {{0}}, change;
    int count = 0;
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        const char* name = world->model.links[i].body->def.name;
        if (!DescribeJointChange(link, name, q + link->coordinate, world->state.q + link->coordinate,
                                 &change))
            continue;
        InsertChange(list, &change);
        count += 1;
    }
    for (int i = 0; i < SHOWN && i < count; ++i) {
        char more[40] = "";
        if (i == SHOWN - 1 && count > SHOWN)
            snprintf(more, sizeof(more), "; %d more changed less", count - SHOWN);
        hwWorld_Log(world, HW_LOG_INFO, "statics: %s %s%s", list[i].name, list[i].text, more);
    }
}

static void TellVelocities(const hwWorld* world, const double* v) {
    const hwForest* forest = &world->model.forest;
    for (int i = 0; i < forest->linkCount; ++i) {
        const hwLink* link = &forest->links[i];
        double change = 0.0, given = 0.0;
        for (int k = link->freedom; k < link->freedom + hwJoint_CountFreedoms(link->joint); ++k) {
            change = hwFmax(change, fabs(world->state.v[k] - v[k]));
            given = hwFmax(given, fabs(v[k]));
        }
        if (!(change > SLOWER) || !(given > SLOWER)) continue;
        hwWorld_Log(world, HW_LOG_WARNING,
                    "statics: the motion given to %s, up to %.4g m/s or rad/s, is not kept: it starts %s",
                    world->model.links[i].body->def.name, given,
                    hwLength(world->work->tow[i]) > 0.0 ? "with the velocity of the tow" : "at rest");
    }
}

void hwWorld_TellSettled(const hwWorld* world, const double* q, const double* v) {
    TellPlaces(world, q);
    TellVelocities(world, v);
}
