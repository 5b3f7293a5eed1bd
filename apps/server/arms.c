#include "apps/server/arms.h"

#include "hawser/mechanism.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MECHANISMS 64
#define USUAL_TURN 0.5  // rad/s, of a joint whose drive says nothing about its rate
#define USUAL_SLIDE 0.1 // m/s

static bool IsJaw(const hwToolDef* tool, int link) {
    for (int i = 0; tool->present && i < tool->jawCount; ++i) {
        if (tool->jaws[i] == link) return true;
    }
    return false;
}

// A hydraulic joint without a load is as fast as its drive against its friction.
static double RateOf(const hwLinkDef* link, bool slides) {
    double rate = link->control.limit / link->friction.viscous;
    return isfinite(rate) && rate > 0.0 ? rate : (slides ? USUAL_SLIDE : USUAL_TURN);
}

static void Fill(const hwMechanismDef* def, hwWebArm* arm) {
    *arm = (hwWebArm){.tool = def->tool.present, .jaw = def->tool.present && def->tool.jawCount > 0};
    snprintf(arm->name, sizeof(arm->name), "%s", def->name);
    for (int i = 0; i < def->linkCount && arm->jointCount < ARMS_MOST_JOINTS; ++i) {
        const hwLinkDef* link = &def->links[i];
        bool slides = link->joint == HW_JOINT_PRISMATIC;
        bool finger = IsJaw(&def->tool, i);
        if ((!slides && link->joint != HW_JOINT_REVOLUTE) || link->control.mode == HW_CONTROL_PASSIVE ||
            (finger && arm->finger.name[0] != 0))
            continue;
        hwWebJoint* joint = finger ? &arm->finger : &arm->joints[arm->jointCount++];
        snprintf(joint->name, sizeof(joint->name), "%s", link->body.name);
        joint->slides = slides;
        joint->low = link->limits.low;
        joint->high = link->limits.high;
        joint->rate = RateOf(link, slides);
    }
}

int hwWebArms_List(const hwWorld* world, const char* vehicle, hwWebArm* arms) {
    hwMechanismId ids[MOST_MECHANISMS];
    int total = hwWorld_GetMechanisms(world, MOST_MECHANISMS, ids), count = 0;
    size_t length = strlen(vehicle);
    for (int i = 0; i < total && i < MOST_MECHANISMS && count < ARMS_MOST; ++i) {
        const char* name = hwMechanism_GetName(world, ids[i]);
        if (length == 0 || strncmp(name, vehicle, length) != 0 || name[length] != '.') continue;
        int links = hwMechanism_GetLinkCount(world, ids[i]);
        hwLinkDef* room = calloc((size_t)links + 1, sizeof(*room));
        hwMechanismDef def;
        bool good = room != NULL && hwMechanism_GetDef(world, ids[i], &def, links, room);
        if (good) Fill(&def, &arms[count]);
        if (good && arms[count].jointCount > 0) count += 1;
        free(room);
    }
    return count;
}
