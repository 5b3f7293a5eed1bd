// Naming what a message is about: the object and the part of it that a freedom belongs to.
#include "world/part.h"

#include <math.h>
#include <stdio.h>

hwFreedomName hwWorld_NameFreedom(const hwWorld* world, int freedom) {
    hwFreedomName name = {"", "it", -1};
    HW_EACH_PART(world, part, nameFreedom) {
        if (part->nameFreedom(world, freedom, &name)) return name;
    }
    for (int i = world->model.forest.linkCount - 1; i >= 0; --i) {
        const hwLink* link = &world->model.forest.links[i];
        if (freedom < link->freedom || freedom >= link->freedom + hwJoint_CountFreedoms(link->joint))
            continue;
        name.object = world->model.links[i].body->def.name;
        break;
    }
    return name;
}

// First freedom whose value is not finite. Of cables, whose forces spread to what they hang on, the nodes come first.
static int FindBadFreedom(const hwWorld* world, const double* values) {
    HW_EACH_PART(world, part, findBadForce) {
        int bad = part->findBadForce(world);
        if (bad >= 0) return bad;
    }
    for (int i = 0; i < world->model.freedomCount; ++i) {
        if (!isfinite(values[i])) return i;
    }
    return -1;
}

hwStatus hwWorld_CheckForces(const hwWorld* world, const double* values, double time, hwError* error) {
    bool good = true;
    for (int i = 0; i < world->model.freedomCount && good; ++i) good = isfinite(values[i]);
    if (good) return HW_OK;
    hwFreedomName name = hwWorld_NameFreedom(world, FindBadFreedom(world, values));
    hwStatus status = hwFail(error, HW_ERROR_NUMERIC, name.object,
                             "%s: the forces on %s are not finite at %.6g s", name.object, name.part, time);
    hwFail_At(error, name.node, time);
    hwFail_Hint(error, "a signal, current or hydrodynamic model gave a value that is not a number");
    return status;
}

bool hwWorld_IsStopped(const hwWorld* world) {
    return world->def.stop != NULL && world->def.stop(world->def.stopContext);
}

hwStatus hwWorld_FailStopped(const hwWorld* world, bool settling, hwError* error) {
    double time = world->state.header->time;
    if (settling) {
        hwFail(error, HW_ERROR_STOPPED, NULL, "it was stopped during the search for static equilibrium");
    } else {
        hwFail(error, HW_ERROR_STOPPED, NULL, "it was stopped at %g s", time);
    }
    hwFail_At(error, -1, time);
    return HW_ERROR_STOPPED;
}
