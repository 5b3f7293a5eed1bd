#include "scene_mechanisms.h"

#include "hawser/mechanism.h"
#include "scene_place.h"

#include <stdlib.h>
#include <string.h>

static void FillInertia(const hwNumbers* from, double to[6]) {
    for (int i = 0; i < from->count && i < 6; i++) to[i] = from->values[i];
}

// Shapes as an array of defs; the caller frees it.
static hwShapeDef* MakeShapes(const hwItems* items, hwBodyDef* body, hwError* error) {
    hwShapeDef* shapes = calloc((size_t)items->count + 1, sizeof(*shapes));
    if (shapes == NULL) {
        hwSceneFail_Memory(error);
        return NULL;
    }
    for (int i = 0; i < items->count; i++) shapes[i] = HW_ITEM(*items, hwSceneShape, i)->def;
    body->shapes = shapes;
    body->shapeCount = items->count;
    return shapes;
}

static hwJointFrame MakeFrame(const hwSceneLink* link) {
    const hwSceneDh *dh = &link->dh, *mdh = &link->mdh;
    if (dh->place.line > 0) return hwMakeDhFrame(dh->alpha, dh->a, dh->d, dh->theta);
    if (mdh->place.line > 0)
        return hwMakeMdhFrame(mdh->alpha, mdh->a, mdh->d, mdh->theta, mdh->branchD, mdh->branchTheta);
    if (link->frame.place.line == 0)
        return hwMakeJointFrame(hwVec3_zero, hwQuat_identity, hwMakeVec3(0.0, 0.0, 1.0));
    return hwMakeJointFrame(link->frame.position, hwSceneAttitude_Get(&link->frame.attitude),
                            link->frame.axis);
}

static hwVec3 Take3(const hwNumbers* numbers, int first) {
    if (numbers->count < first + 3) return hwVec3_zero;
    const double* v = numbers->values + first;
    return hwMakeVec3(v[0], v[1], v[2]);
}

static void FillState(const hwSceneLink* link, hwLinkDef* def) {
    hwVec3 first = Take3(&link->q, 0), second = Take3(&link->q, 3);
    switch (link->joint) {
    case HW_JOINT_BALL:
        def->turn = hwQuatFromRpy(first.x, first.y, first.z);
        def->turnRate = Take3(&link->qd, 0);
        break;
    case HW_JOINT_FREE:
        def->body.position = first;
        def->body.attitude = hwQuatFromRpy(second.x, second.y, second.z);
        def->body.velocity = Take3(&link->qd, 0);
        def->body.rate = Take3(&link->qd, 3);
        break;
    default: // those of several axes are spread over their links by hwMakeAxes
        def->hasQ = link->q.count == 1;
        if (link->q.count == 1) def->q = link->q.values[0];
        if (link->qd.count == 1) def->qd = link->qd.values[0];
    }
}

static void FillDrive(const hwSceneLink* link, hwLinkDef* def) {
    const hwSceneControl* control = &link->control;
    const hwSceneActuator* actuator = &link->actuator;
    bool ball = link->joint == HW_JOINT_BALL;
    if (control->place.line > 0) {
        def->control = (hwControlDef){.mode = (hwControlMode)control->mode,
                                      .target = ball ? control->targets : control->target,
                                      .effort = ball ? control->efforts : control->effort,
                                      .kp = control->kp,
                                      .ki = control->ki,
                                      .kd = control->kd,
                                      .power = control->power,
                                      .limit = control->limit,
                                      .compensate = control->compensate};
    }
    if (link->limits.place.line > 0) {
        def->limits.stiffness = link->limits.stiffness;
        def->limits.damping = link->limits.damping;
        if (link->limits.range.count == 2) {
            def->limits.low = link->limits.range.values[0];
            def->limits.high = link->limits.range.values[1];
        }
        for (int i = 0; i < link->limits.swing.count; i++)
            def->limits.swing[i] = link->limits.swing.values[i];
    }
    def->friction = (hwFrictionDef){
        .coulomb = link->friction.coulomb, .viscous = link->friction.viscous, .stick = link->friction.stick};
    def->actuator = (hwActuatorDef){.kind = (hwActuatorKind)actuator->kind,
                                    .inertia = actuator->inertia,
                                    .torqueConstant = actuator->torqueConstant,
                                    .backEmf = actuator->backEmf,
                                    .resistance = actuator->resistance,
                                    .brushDrop = actuator->brushDrop,
                                    .halfDrop = actuator->halfDrop,
                                    .timeConstant = actuator->timeConstant};
    if (link->feet.place.line > 0) {
        def->feet = (hwFootDef){.count = link->feet.points.count,
                                .points = link->feet.points.values,
                                .area = link->feet.area,
                                .stiffness = link->feet.stiffness,
                                .damping = link->feet.damping,
                                .planarStiffness = link->feet.planarStiffness,
                                .planarDamping = link->feet.planarDamping,
                                .friction = link->feet.friction,
                                .kineticFriction = link->feet.kineticFriction};
    }
}

static void FillLink(const hwSceneLink* link, hwLinkDef* def) {
    *def = hwDefaultLinkDef();
    def->body.name = link->name;
    def->body.mass = link->mass;
    def->body.com = link->com;
    def->body.comAttitude = hwSceneAttitude_Get(&link->comAttitude);
    FillInertia(&link->inertia, def->body.inertia);
    if (link->hydro.place.line > 0) def->body.hydro = link->hydro.def;
    def->parent = link->parentIndex;
    if (link->joint < HW_SCENE_AXES) def->joint = (hwJointKind)link->joint;
    def->frame = MakeFrame(link);
    FillState(link, def);
    FillDrive(link, def);
}

static void FillFreeBase(const hwSceneFreeBase* base, hwBodyDef* def) {
    def->mass = base->mass;
    def->com = base->com;
    def->comAttitude = hwSceneAttitude_Get(&base->comAttitude);
    FillInertia(&base->inertia, def->inertia);
    def->position = base->position;
    def->attitude = hwSceneAttitude_Get(&base->attitude);
    def->velocity = base->velocity;
    def->rate = base->rate;
    def->hydro = base->hydro.def;
}

static void FillBase(const hwSceneMechanism* mechanism, const hwWorld* world, hwMechanismDef* def) {
    const hwSceneBase* base = &mechanism->base;
    def->position = base->position;
    def->attitude = hwSceneAttitude_Get(&base->attitude);
    if (base->free.place.line > 0) {
        def->base = HW_BASE_FREE;
        FillFreeBase(&base->free, &def->free);
    } else if (base->on.text != NULL && strcmp(base->on.text, "earth") != 0) {
        def->base = HW_BASE_BODY;
        def->body = hwWorld_FindBody(world, base->on.text);
    }
}

// On the body `on`, or where the scene says if that is null.
static bool AddMechanism(const hwSceneMechanism* mechanism, const char* name, hwBodyId on, hwWorld* world,
                         hwError* error) {
    int count = mechanism->links.count, added = 0;
    hwLinkDef* links = calloc((size_t)count * HW_MAX_AXES + 1, sizeof(*links));
    hwAxesNames* names = calloc((size_t)count + 1, sizeof(*names));
    hwShapeDef** shapes = calloc((size_t)count + 1, sizeof(*shapes));
    hwMechanismDef def = hwDefaultMechanismDef();
    FillBase(mechanism, world, &def);
    def.name = name;
    if (!HW_IS_NULL(on)) {
        def.base = HW_BASE_BODY;
        def.body = on;
    }
    bool good = links != NULL && names != NULL && shapes != NULL;
    if (!good) hwSceneFail_Memory(error);
    for (int i = 0; good && i < count; i++) {
        const hwSceneLink* link = HW_ITEM(mechanism->links, hwSceneLink, i);
        FillLink(link, &links[i]);
        shapes[i] = MakeShapes(&link->shapes, &links[i].body, error);
        good = shapes[i] != NULL;
        if (link->joint >= HW_SCENE_AXES) {
            added += hwMakeAxes(links, i, count + added, (hwAxesKind)(link->joint - HW_SCENE_AXES),
                                link->q.values, link->qd.values, &names[i]);
        }
    }
    if (good && def.base == HW_BASE_FREE) {
        shapes[count] = MakeShapes(&mechanism->base.free.shapes, &def.free, error);
        good = shapes[count] != NULL;
    }
    def.links = links;
    def.linkCount = count + added;
    def.tool = mechanism->tool.def;
    const hwSceneCapacity* capacity = &mechanism->capacity;
    if (capacity->place.line > 0) {
        def.capacity.count = capacity->radius.count;
        memcpy(def.capacity.radii, capacity->radius.values, (size_t)capacity->radius.count * sizeof(double));
        memcpy(def.capacity.loads, capacity->load.values, (size_t)capacity->load.count * sizeof(double));
        snprintf(def.capacity.cable, sizeof(def.capacity.cable), "%s", capacity->cable.text);
        def.capacity.end = capacity->end;
    }
    if (good) {
        good = !HW_IS_NULL(hwWorld_AddMechanism(world, &def, error));
        if (!good) hwPlaceField(&mechanism->place, hwMechanismKeys, error);
    }
    for (int i = 0; shapes != NULL && i <= count; i++) free(shapes[i]);
    free(shapes);
    free(names);
    free(links);
    return good;
}

bool hwScene_AddMechanisms(const hwScene* scene, hwWorld* world, hwError* error) {
    const hwItems* mechanisms = &scene->model.mechanisms;
    for (int i = 0; i < mechanisms->count; i++) {
        const hwSceneMechanism* mechanism = HW_ITEM(*mechanisms, hwSceneMechanism, i);
        if (!AddMechanism(mechanism, mechanism->name, (hwBodyId){0, 0}, world, error)) return false;
    }
    return true;
}

static void NameArm(const hwItems* arms, int index, const hwWorld* world, hwBodyId vehicle, char name[128]) {
    snprintf(name, 128, "%s.%s", hwBody_GetName(world, vehicle),
             HW_ITEM(*arms, hwSceneMechanism, index)->name);
}

bool hwScene_AddArms(const hwItems* arms, hwBodyId vehicle, hwWorld* world, hwError* error) {
    char name[128];
    int added = 0;
    for (bool good = true; added < arms->count && good; added += good) {
        NameArm(arms, added, world, vehicle, name);
        good = AddMechanism(HW_ITEM(*arms, hwSceneMechanism, added), name, vehicle, world, error);
    }
    if (added == arms->count) return true;
    while (added-- > 0) {
        NameArm(arms, added, world, vehicle, name);
        hwWorld_RemoveMechanism(world, hwWorld_FindMechanism(world, name), NULL);
    }
    return false;
}

bool hwScene_ReadControlMode(const hwScene* scene, const char* input, const char* word, double* value) {
    for (int i = 0; i < scene->model.mechanisms.count; i++) {
        const hwSceneMechanism* mechanism = HW_ITEM(scene->model.mechanisms, hwSceneMechanism, i);
        for (int k = 0; k < mechanism->links.count; k++) {
            char name[160];
            snprintf(name, sizeof(name), "%s.%s.mode", mechanism->name,
                     HW_ITEM(mechanism->links, hwSceneLink, k)->name);
            if (strcmp(name, input) != 0) continue;
            const hwChoice* mode = hwChoice_Find(hwControlModeChoices, word);
            if (mode == NULL) continue;
            *value = mode->value;
            return true;
        }
    }
    return false;
}
