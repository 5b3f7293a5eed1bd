// Mechanisms: the public calls that add and remove them, and the frames of their joints.
#include "parts/bodies/capacity.h"
#include "world/part.h"
#include "record/channels.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

hwLinkDef hwDefaultLinkDef(void) {
    hwLinkDef def = {.body = hwDefaultBodyDef(),
                     .parent = -1,
                     .joint = HW_JOINT_REVOLUTE,
                     .frame = hwMakeJointFrame(hwVec3_zero, hwQuat_identity, hwMakeVec3(0.0, 0.0, 1.0)),
                     .turn = {1.0, 0.0, 0.0, 0.0},
                     .limits = {.low = -INFINITY, .high = INFINITY, .swing = {INFINITY, INFINITY, INFINITY}},
                     .control = {.power = INFINITY, .limit = INFINITY},
                     .friction = {.stick = 1e-5},
                     .feet = {.area = 0.01,
                              .stiffness = -1.0,
                              .damping = -1.0,
                              .planarStiffness = -1.0,
                              .planarDamping = -1.0,
                              .friction = -1.0,
                              .kineticFriction = -1.0},
                     .cookie = HW_LINK_COOKIE};
    return def;
}

hwMechanismDef hwDefaultMechanismDef(void) {
    hwMechanismDef def = {
        .free = hwDefaultBodyDef(), .attitude = {1.0, 0.0, 0.0, 0.0}, .cookie = HW_MECHANISM_COOKIE};
    return def;
}

hwJointFrame hwMakeJointFrame(hwVec3 position, hwQuat attitude, hwVec3 axis) {
    hwJointFrame frame = {
        .kind = HW_JOINT_FRAME_PLAIN, .position = position, .attitude = attitude, .axis = axis};
    return frame;
}

hwJointFrame hwMakeDhFrame(double alpha, double a, double d, double theta) {
    hwJointFrame frame = {.kind = HW_JOINT_FRAME_DH,
                          .attitude = {1.0, 0.0, 0.0, 0.0},
                          .axis = {0.0, 0.0, 1.0},
                          .alpha = alpha,
                          .a = a,
                          .d = d,
                          .theta = theta};
    return frame;
}

hwJointFrame hwMakeMdhFrame(double alpha, double a, double d, double theta, double branchD,
                            double branchTheta) {
    hwJointFrame frame = hwMakeDhFrame(alpha, a, d, theta);
    frame.kind = HW_JOINT_FRAME_MDH;
    frame.branchD = branchD;
    frame.branchTheta = branchTheta;
    return frame;
}

// Checking -----------------------------------------------------------------------------------------------------------------

// Everything about one Add call.
typedef struct Adding {
    hwWorld* world;
    const hwMechanismDef* def;
    hwError* error;
} Adding;

// `field` is one of the link's.
static hwStatus FailLink(const Adding* adding, int link, const char* field, const char* text) {
    const char* name = adding->def->links[link].body.name;
    hwStatus status = hwFailField(adding->error, HW_ERROR_ARGUMENT, adding->def->name, field, "%s.%s: %s",
                                  adding->def->name, name != NULL ? name : "", text);
    hwFail_Inside(adding->error, "links[]");
    hwFail_At(adding->error, link, NAN);
    return status;
}

static bool IsUnit(hwQuat q) {
    double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return isfinite(square) && fabs(square - 1.0) < 1e-6;
}

static bool IsGoodName(const char* name) {
    if (name == NULL || name[0] == '\0') return false;
    for (const char* c = name; *c != '\0'; ++c) {
        if (!(isalnum((unsigned char)*c) || *c == '_' || *c == '-')) return false;
    }
    return true;
}

static hwStatus CheckLinkName(const Adding* adding, int i) {
    const hwMechanismDef* def = adding->def;
    const char* name = def->links[i].body.name;
    if (!IsGoodName(name)) {
        return FailLink(adding, i, "body.name", "a link needs a name of letters, digits, `_` and `-`");
    }
    if (strlen(def->name) + 1 + strlen(name) >= sizeof(((hwError*)0)->object)) {
        return FailLink(adding, i, "body.name", "mechanism and link together may have 62 letters");
    }
    if (strcmp(name, "base") == 0)
        return FailLink(adding, i, "body.name", "a link cannot be called `base`; that is what it stands on");
    for (int k = 0; k < i; ++k) {
        if (strcmp(def->links[k].body.name, name) == 0)
            return FailLink(adding, i, "body.name", "two links have this name");
    }
    return HW_OK;
}

static hwStatus CheckFrame(const Adding* adding, int i) {
    const hwLinkDef* link = &adding->def->links[i];
    const hwJointFrame* f = &link->frame;
    bool axial = link->joint == HW_JOINT_REVOLUTE || link->joint == HW_JOINT_PRISMATIC;
    double sum = f->alpha + f->a + f->d + f->theta + f->branchD + f->branchTheta;
    if (!hwIsFiniteVec3(f->position) || !hwIsFiniteVec3(f->axis) || !isfinite(sum) || !IsUnit(f->attitude)) {
        return FailLink(adding, i, "frame",
                        "its joint's frame must be finite and the attitude a unit quaternion");
    }
    if (f->kind != HW_JOINT_FRAME_PLAIN && !axial && link->joint != HW_JOINT_FIXED) {
        return FailLink(adding, i, "frame.kind",
                        "rows of Denavit and Hartenberg's parameters are for revolute and prismatic joints");
    }
    if (f->kind == HW_JOINT_FRAME_PLAIN && axial && !(hwLength(f->axis) > 0.0)) {
        return FailLink(adding, i, "frame.axis", "its joint needs an axis that is not zero");
    }
    if (!isfinite(link->q) || !isfinite(link->qd) || !IsUnit(link->turn) || !hwIsFiniteVec3(link->turnRate)) {
        return FailLink(adding, i, "q", "displacement and rate at the start must be finite");
    }
    return HW_OK;
}

static bool NotNegative(double x) {
    return x >= 0.0 && isfinite(x);
}

static hwStatus CheckLimits(const Adding* adding, int i) {
    const hwLimitDef* limits = &adding->def->links[i].limits;
    if (!(limits->low < limits->high)) {
        return FailLink(adding, i, "limits.low",
                        "its limits are reversed: the lower one must be below the upper one");
    }
    bool stops = isfinite(limits->low) || isfinite(limits->high);
    for (int k = 0; k < 3; ++k) {
        if (!(limits->swing[k] > 0.0))
            return FailLink(adding, i, "limits.swing", "its swing limits must be positive");
        stops = stops || isfinite(limits->swing[k]);
    }
    if (!NotNegative(limits->stiffness) || !NotNegative(limits->damping) ||
        (stops && limits->stiffness == 0.0)) {
        return FailLink(adding, i, "limits.stiffness",
                        "limits need a positive stiffness and a damping that is not negative");
    }
    return HW_OK;
}

static hwStatus CheckControl(const Adding* adding, int i) {
    const hwLinkDef* link = &adding->def->links[i];
    const hwControlDef* control = &link->control;
    const hwActuatorDef* actuator = &link->actuator;
    if (control->mode < HW_CONTROL_PASSIVE || control->mode > HW_CONTROL_EFFORT) {
        return FailLink(adding, i, "control.mode", "there is no such control mode");
    }
    if (!isfinite(control->kp + control->ki + control->kd) || !(control->power > 0.0) ||
        !(control->limit > 0.0)) {
        return FailLink(adding, i, "control.kp",
                        "its controller needs finite gains, and power and limit above zero");
    }
    if (link->joint == HW_JOINT_FREE && control->mode != HW_CONTROL_PASSIVE) {
        return FailLink(adding, i, "control.mode", "a free joint cannot be controlled");
    }
    if (!NotNegative(link->friction.coulomb) || !NotNegative(link->friction.viscous) ||
        !(link->friction.stick > 0.0)) {
        return FailLink(adding, i, "friction",
                        "friction must be finite and not negative, and `stick` above zero");
    }
    if (!NotNegative(actuator->inertia) || !NotNegative(actuator->backEmf) ||
        !NotNegative(actuator->brushDrop) || !NotNegative(actuator->halfDrop) ||
        !isfinite(actuator->torqueConstant)) {
        return FailLink(adding, i, "actuator", "its actuator's numbers must be finite and not negative");
    }
    if (actuator->kind == HW_ACTUATOR_MOTOR &&
        !(actuator->resistance > 0.0 && isfinite(actuator->resistance))) {
        return FailLink(adding, i, "actuator.resistance", "its motor needs a positive resistance");
    }
    if (actuator->kind == HW_ACTUATOR_MOTOR && link->joint == HW_JOINT_BALL) {
        return FailLink(adding, i, "actuator.kind",
                        "a ball joint cannot have a motor; give it an ideal or a hydraulic actuator");
    }
    if (actuator->kind == HW_ACTUATOR_HYDRAULIC &&
        !(actuator->timeConstant > 0.0 && isfinite(actuator->timeConstant))) {
        return FailLink(adding, i, "actuator.timeConstant",
                        "its hydraulic actuator needs a positive time constant");
    }
    hwStatus status = hwSignal_Check(&control->target, adding->error);
    if (status == HW_OK) status = hwSignal_Check(&control->effort, adding->error);
    return status == HW_OK
               ? HW_OK
               : FailLink(adding, i, "control.target", "the signal of its controller is not usable");
}

static hwStatus CheckFeet(const Adding* adding, int i) {
    const hwFootDef* feet = &adding->def->links[i].feet;
    if (feet->count < 0 || (feet->count > 0 && feet->points == NULL)) {
        return FailLink(adding, i, "feet.points", "its contact points are missing");
    }
    for (int k = 0; k < feet->count; ++k) {
        if (!hwIsFiniteVec3(feet->points[k]))
            return FailLink(adding, i, "feet.points", "its contact points must be finite");
    }
    double sum = feet->stiffness + feet->damping + feet->planarStiffness + feet->planarDamping +
                 feet->friction + feet->kineticFriction;
    if (!isfinite(sum) || !(feet->area > 0.0 && isfinite(feet->area))) {
        return FailLink(adding, i, "feet",
                        "the numbers of its contact points must be finite, their area positive");
    }
    if (feet->friction >= 0.0 && feet->kineticFriction > feet->friction) {
        return FailLink(adding, i, "feet.kineticFriction",
                        "kinetic friction cannot be above static friction");
    }
    return HW_OK;
}

// A leaf that nothing resists would accelerate without bound.
static hwStatus CheckLeaf(const Adding* adding, int i) {
    const hwLinkDef* link = &adding->def->links[i];
    if (link->joint == HW_JOINT_FIXED) return HW_OK;
    for (int k = 0; k < adding->def->linkCount; ++k) {
        if (adding->def->links[k].parent == i) return HW_OK;
    }
    const hwBodyDef* body = &link->body;
    if (body->hydroFn != NULL || body->shapeCount > 0) return HW_OK; // Prepare will see
    double added = 0.0, inertia = 0.0;
    for (int k = 0; k < 6; ++k) {
        added += body->hydro.addedMass[k][k];
        inertia += fabs(body->inertia[k]);
    }
    hwVec3 axis = hwNormalize(link->frame.axis);
    hwSym3 own = {body->inertia[0], body->inertia[1], body->inertia[2],
                  body->inertia[3], body->inertia[4], body->inertia[5]};
    hwSym3 turned = hwRotateSym3(hwMat3FromQuat(hwNormalizeQuat(body->comAttitude)), own);
    hwSym3 about = hwRigidInertia(body->mass, body->com, turned).aa;
    bool enough = true;
    if (link->joint == HW_JOINT_REVOLUTE)
        enough = hwDot(axis, hwMulSym3(about, axis)) + link->actuator.inertia + added > 0.0;
    if (link->joint == HW_JOINT_PRISMATIC) enough = body->mass + link->actuator.inertia + added > 0.0;
    if (link->joint == HW_JOINT_BALL) enough = inertia + added > 0.0;
    if (link->joint == HW_JOINT_FREE) enough = body->mass > 0.0 && inertia > 0.0;
    if (enough) return HW_OK;
    hwStatus status = FailLink(adding, i, "body.inertia",
                               "a moving link at the end of a chain needs inertia about or along its joint");
    hwFail_Hint(adding->error, "give mass and inertia, or join it with `fixed`");
    return status;
}

// Every link must lead to the base.
static hwStatus CheckTree(const Adding* adding) {
    const hwMechanismDef* def = adding->def;
    for (int i = 0; i < def->linkCount; ++i) {
        if (def->links[i].parent < -1 || def->links[i].parent >= def->linkCount) {
            return FailLink(adding, i, "parent", "there is no such parent");
        }
    }
    for (int i = 0; i < def->linkCount; ++i) {
        int steps = 0, at = i;
        for (; at >= 0 && steps <= def->linkCount; ++steps) at = def->links[at].parent;
        if (at >= 0)
            return FailLink(adding, i, "parent",
                            "it is its own ancestor: links must form trees that lead to the base");
    }
    return HW_OK;
}

// A mechanism on a body may have the body's name before its own, as in `rov.arm`.
static hwStatus CheckMechanismName(const Adding* adding) {
    const hwMechanismDef* def = adding->def;
    const hwBodyObject* on = def->base == HW_BASE_BODY ? hwWorld_GetBody(adding->world, def->body) : NULL;
    size_t length = on != NULL ? strlen(on->def.name) : 0;
    if (on == NULL || def->name == NULL || strncmp(def->name, on->def.name, length) != 0 ||
        def->name[length] != '.')
        return hwWorld_CheckName(adding->world, def->name, adding->error);
    if (!IsGoodName(def->name + length + 1) || strlen(def->name) >= sizeof(((hwError*)0)->object)) {
        return hwFailField(adding->error, HW_ERROR_ARGUMENT, def->name, "name",
                           "the name `%.40s` needs letters, digits, `_` and `-` after the dot, 62 in all",
                           def->name);
    }
    bool taken = !HW_IS_NULL(hwWorld_FindMechanism(adding->world, def->name)) ||
                 !HW_IS_NULL(hwWorld_FindBody(adding->world, def->name));
    if (!taken) return HW_OK;
    return hwFailField(adding->error, HW_ERROR_ARGUMENT, def->name, "name",
                       "there are two objects called `%s`", def->name);
}

static hwStatus FailTool(const Adding* adding, const char* field, const char* text) {
    const char* name = adding->def->name;
    return hwFailField(adding->error, HW_ERROR_ARGUMENT, name, field, "%s: %s", name, text);
}

static hwStatus CheckTool(const Adding* adding) {
    const hwMechanismDef* def = adding->def;
    const hwToolDef* tool = &def->tool;
    if (!tool->present) return HW_OK;
    if (tool->link < 0 || tool->link >= def->linkCount)
        return FailTool(adding, "tool.link", "there is no such link for its tool");
    if (!hwIsFiniteVec3(tool->position) || !(tool->speed > 0.0 && isfinite(tool->speed)) ||
        !(tool->turnRate > 0.0 && isfinite(tool->turnRate)))
        return FailTool(adding, "tool.speed",
                        "its tool needs a finite tip, and speed and turn rate above zero");
    if (tool->jawCount < 0 || tool->jawCount > HW_MAX_JAWS)
        return FailTool(adding, "tool.jaws", "a tool has at most 4 fingers");
    for (int i = 0; i < tool->jawCount; ++i) {
        int jaw = tool->jaws[i];
        bool good = jaw >= 0 && jaw < def->linkCount;
        const hwLinkDef* link = good ? &def->links[jaw] : NULL;
        good = good && (link->joint == HW_JOINT_REVOLUTE || link->joint == HW_JOINT_PRISMATIC) &&
               isfinite(link->limits.low) && isfinite(link->limits.high);
        if (!good)
            return FailTool(adding, "tool.jaws",
                            "a finger is a link with a revolute or prismatic joint and two stops");
    }
    return HW_OK;
}

static hwStatus CheckMechanism(const Adding* adding) {
    const hwMechanismDef* def = adding->def;
    hwStatus status = CheckMechanismName(adding);
    if (status != HW_OK) return status;
    if (def->linkCount < 0 || (def->linkCount > 0 && def->links == NULL)) {
        return hwFailField(adding->error, HW_ERROR_ARGUMENT, def->name, "links", "%s: its links are missing",
                           def->name);
    }
    if (def->base == HW_BASE_BODY && hwWorld_GetBody(adding->world, def->body) == NULL) {
        return hwFailField(adding->error, HW_ERROR_ARGUMENT, def->name, "body",
                           "%s: the body it stands on does not exist", def->name);
    }
    if (!hwIsFiniteVec3(def->position) || !IsUnit(def->attitude)) {
        return hwFailField(adding->error, HW_ERROR_ARGUMENT, def->name, "position",
                           "%s: its base must be at a finite place and turned by a unit quaternion",
                           def->name);
    }
    for (int i = 0; i < def->linkCount; ++i) {
        if (def->links[i].cookie != HW_LINK_COOKIE) {
            return FailLink(adding, i, "cookie", "the link def was not made by hwDefaultLinkDef");
        }
        status = CheckLinkName(adding, i);
        if (status == HW_OK) status = CheckFrame(adding, i);
        if (status == HW_OK) status = CheckLimits(adding, i);
        if (status == HW_OK) status = CheckControl(adding, i);
        if (status == HW_OK) status = CheckFeet(adding, i);
        if (status != HW_OK) return status;
    }
    status = CheckTree(adding);
    if (status == HW_OK) status = CheckTool(adding);
    for (int i = 0; i < def->linkCount && status == HW_OK; ++i) status = CheckLeaf(adding, i);
    return status;
}

// Frames -------------------------------------------------------------------------------------------------------------------

static hwPlacement ComposePose(hwPlacement outer, hwPlacement inner) {
    hwPlacement p = {hwMulMM(outer.R, inner.R), hwAdd(outer.r, hwMulMV(outer.R, inner.r))};
    return p;
}

static hwPlacement PlaceLinks(hwVec3 position, hwQuat attitude) {
    hwPlacement p = {hwMat3FromQuat(hwNormalizeQuat(attitude)), position};
    return p;
}

// Turn by `angle` about z and shift by `along`; or the same about x.
static hwPlacement ScrewZ(double along, double angle) {
    double s, c;
    hwSinAndCos(angle, &s, &c);
    hwMat3 R = {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}};
    hwPlacement p = {R, {0.0, 0.0, along}};
    return p;
}

static hwPlacement ScrewX(double along, double angle) {
    double s, c;
    hwSinAndCos(angle, &s, &c);
    hwMat3 R = {{1.0, 0.0, 0.0}, {0.0, c, s}, {0.0, -s, c}};
    hwPlacement p = {R, {along, 0.0, 0.0}};
    return p;
}

// What of a row does not move with the joint: the link's frame is turned (revolute) or shifted (prismatic) by q.
static hwPlacement FixedScrew(const hwLinkDef* link) {
    const hwJointFrame* f = &link->frame;
    switch (link->joint) {
    case HW_JOINT_REVOLUTE:
        return ScrewZ(f->d, 0.0);
    case HW_JOINT_PRISMATIC:
        return ScrewZ(0.0, f->theta);
    default:
        return ScrewZ(f->d, f->theta);
    }
}

// Where a child's joint is in the frame of `link` before the child's own part.
static hwPlacement DistalFrame(const hwLinkDef* link) {
    if (link->frame.kind != HW_JOINT_FRAME_DH) return PlaceLinks(hwVec3_zero, hwQuat_identity);
    hwLinkDef row = *link;
    if (row.joint == HW_JOINT_FIXED) row.frame.theta = 0.0; // its frame is turned by theta already
    return ComposePose(FixedScrew(&row), ScrewX(row.frame.a, row.frame.alpha));
}

static void FillFrame(const hwMechanismDef* def, const hwLinkDef* link, hwJointObject* joint) {
    const hwJointFrame* f = &link->frame;
    hwPlacement inner = PlaceLinks(hwVec3_zero, hwQuat_identity);
    const hwLinkDef* parent = link->parent >= 0 ? &def->links[link->parent] : NULL;
    hwPlacement outer = parent != NULL ? inner : PlaceLinks(def->position, def->attitude);
    joint->axis = hwMakeVec3(0.0, 0.0, 1.0);
    switch (f->kind) {
    case HW_JOINT_FRAME_PLAIN:
        inner = PlaceLinks(f->position, f->attitude);
        if (hwLength(f->axis) > 0.0) joint->axis = hwNormalize(f->axis);
        break;
    case HW_JOINT_FRAME_DH:
        if (parent != NULL) outer = DistalFrame(parent);
        if (link->joint == HW_JOINT_FIXED) inner = ScrewZ(0.0, f->theta);
        break;
    case HW_JOINT_FRAME_MDH:
        inner = ComposePose(ScrewZ(f->branchD, f->branchTheta),
                            ComposePose(ScrewX(f->a, f->alpha), FixedScrew(link)));
        break;
    }
    joint->tree = ComposePose(outer, inner);
}

static double StartingPlace(const hwLinkDef* link) {
    if (link->hasQ) return link->q;
    if (link->frame.kind == HW_JOINT_FRAME_PLAIN) return 0.0;
    return link->joint == HW_JOINT_PRISMATIC ? link->frame.d : link->frame.theta;
}

// Adding and removing --------------------------------------------------------------------------------------------------------

static hwMechanismObject* LayMechanism(hwArena* arena, const char* name, int links) {
    hwMechanismObject* object = HW_TAKE(arena, hwMechanismObject, 1);
    char* copy = HW_TAKE(arena, char, strlen(name) + 1);
    hwBodyId* ids = HW_TAKE(arena, hwBodyId, links);
    if (object == NULL) return NULL;
    memcpy(copy, name, strlen(name) + 1);
    object->name = copy;
    object->links = ids;
    object->linkCount = links;
    return object;
}

static hwMechanismObject* MakeObject(hwWorld* world, const char* name, int links, hwError* error) {
    hwArena arena = {0};
    LayMechanism(&arena, name, links);
    arena.base = hwAllocate(&world->allocator, arena.used);
    if (arena.base == NULL) {
        hwFail_Memory(error, name);
        return NULL;
    }
    arena.used = 0;
    hwMechanismObject* object = LayMechanism(&arena, name, links);
    uint32_t index = hwPool_Add(&world->mechanisms, &world->allocator, object);
    if (index == 0) {
        hwFail_Memory(error, name);
        hwRelease(&world->allocator, object);
        return NULL;
    }
    object->id.index = index;
    object->id.generation = world->mechanisms.generations[index - 1];
    return object;
}

static hwStatus AddLink(const Adding* adding, hwMechanismObject* object, int i) {
    const hwMechanismDef* def = adding->def;
    const hwLinkDef* link = &def->links[i];
    char name[sizeof(((hwError*)0)->object)];
    snprintf(name, sizeof(name), "%s.%s", def->name, link->body.name);
    hwJointObject joint = {.def = *link};
    joint.parent = link->parent >= 0 ? object->links[link->parent] : object->base;
    joint.def.q = StartingPlace(link);
    joint.def.hasQ = true;
    joint.def.turn = hwNormalizeQuat(link->turn);
    FillFrame(def, link, &joint);
    hwBodyDef body = link->body;
    body.name = name;
    body.motion = HW_MOTION_FREE;
    object->links[i] = hwWorld_AddObject(adding->world, &body, &joint, object->id, adding->error);
    if (!HW_IS_NULL(object->links[i])) return HW_OK;
    if (adding->error != NULL) adding->error->index = i;
    hwFail_Inside(adding->error, "links[].body");
    return adding->error != NULL ? adding->error->status : HW_ERROR_ARGUMENT;
}

static hwStatus AddBase(const Adding* adding, hwMechanismObject* object) {
    if (adding->def->base == HW_BASE_EARTH) return HW_OK;
    object->base = adding->def->body;
    if (adding->def->base == HW_BASE_BODY) return HW_OK;
    char name[sizeof(((hwError*)0)->object)];
    snprintf(name, sizeof(name), "%s.base", adding->def->name);
    hwBodyDef body = adding->def->free;
    body.name = name;
    body.motion = HW_MOTION_FREE;
    object->free = true;
    object->base = hwWorld_AddObject(adding->world, &body, NULL, object->id, adding->error);
    if (!HW_IS_NULL(object->base)) return HW_OK;
    hwFail_Inside(adding->error, "free");
    return adding->error != NULL ? adding->error->status : HW_ERROR_ARGUMENT;
}

static void RemoveObject(hwWorld* world, hwBodyId id) {
    if (hwWorld_GetBody(world, id) == NULL) return;
    hwWorld_DropBody(world, id);
    hwRelease(&world->allocator, hwPool_Remove(&world->bodies, id.index));
}

static void RemoveAll(hwWorld* world, hwMechanismObject* object) {
    for (int i = 0; i < object->linkCount; ++i) RemoveObject(world, object->links[i]);
    if (object->free) RemoveObject(world, object->base);
    hwRelease(&world->allocator, hwPool_Remove(&world->mechanisms, object->id.index));
    hwWorld_Unprepare(world);
}

hwMechanismId hwWorld_AddMechanism(hwWorld* world, const hwMechanismDef* def, hwError* error) {
    hwMechanismId none = {0, 0};
    hwError local;
    hwError* report = error != NULL ? error : &local;
    hwClearError(report);
    if (def == NULL || def->cookie != HW_MECHANISM_COOKIE) {
        hwFail(report, HW_ERROR_ARGUMENT, NULL, "the mechanism def was not made by hwDefaultMechanismDef");
        return none;
    }
    Adding adding = {world, def, report};
    if (CheckMechanism(&adding) != HW_OK) return none;
    if (hwCapacity_Check(def->name, &def->capacity, report) != HW_OK) return none;
    hwMechanismObject* object = MakeObject(world, def->name, def->linkCount, report);
    if (object == NULL) return none;
    object->place = PlaceLinks(def->position, def->attitude);
    object->tool = def->tool;
    object->capacity = def->capacity;
    object->userData = def->userData;
    hwStatus status = AddBase(&adding, object);
    // parents before children
    for (int added = 0; added < def->linkCount && status == HW_OK;) {
        for (int i = 0; i < def->linkCount && status == HW_OK; ++i) {
            int parent = def->links[i].parent;
            if (!HW_IS_NULL(object->links[i]) || (parent >= 0 && HW_IS_NULL(object->links[parent]))) continue;
            status = AddLink(&adding, object, i);
            added += 1;
        }
    }
    if (status != HW_OK) {
        RemoveAll(world, object);
        return none;
    }
    hwWorld_Unprepare(world);
    return object->id;
}

static hwMechanismObject* GetMechanism(const hwWorld* world, hwMechanismId id) {
    return hwPool_Get(&world->mechanisms, id.index, id.generation);
}

static hwStatus BadHandle(hwError* error) {
    return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a mechanism of this world");
}

hwStatus hwWorld_RemoveMechanism(hwWorld* world, hwMechanismId id, hwError* error) {
    hwClearError(error);
    hwMechanismObject* object = GetMechanism(world, id);
    if (object == NULL) return BadHandle(error);
    for (int i = 0; i < world->mechanisms.slots; ++i) {
        const hwMechanismObject* other = world->mechanisms.items[i];
        const hwBodyObject* base = other != NULL ? hwWorld_GetBody(world, other->base) : NULL;
        if (other == object || base == NULL || !HW_SAME_ID(base->mechanism, id)) continue;
        return hwFail(error, HW_ERROR_ORDER, object->name,
                      "%s: the mechanism %s stands on it; remove that first", object->name, other->name);
    }
    hwStatus status = object->free ? hwWorld_CheckDropBody(world, object->base, error) : HW_OK;
    for (int i = 0; i < object->linkCount && status == HW_OK; ++i)
        status = hwWorld_CheckDropBody(world, object->links[i], error);
    if (status != HW_OK) return status;
    RemoveAll(world, object);
    return HW_OK;
}

hwMechanismId hwWorld_FindMechanism(const hwWorld* world, const char* name) {
    hwMechanismId none = {0, 0};
    if (name == NULL) return none;
    for (int i = 0; i < world->mechanisms.slots; ++i) {
        const hwMechanismObject* object = world->mechanisms.items[i];
        if (object != NULL && strcmp(object->name, name) == 0) return object->id;
    }
    return none;
}

bool hwMechanism_IsValid(const hwWorld* world, hwMechanismId id) {
    return GetMechanism(world, id) != NULL;
}

int hwMechanism_GetLinkCount(const hwWorld* world, hwMechanismId id) {
    const hwMechanismObject* object = GetMechanism(world, id);
    return object != NULL ? object->linkCount : 0;
}

hwBodyId hwMechanism_GetLink(const hwWorld* world, hwMechanismId id, int link) {
    hwBodyId none = {0, 0};
    const hwMechanismObject* object = GetMechanism(world, id);
    if (object == NULL || link < -1 || link >= object->linkCount) return none;
    return link < 0 ? object->base : object->links[link];
}

const hwFootDef* hwMechanism_GetFeet(const hwWorld* world, hwBodyId link) {
    const hwBodyObject* body = hwWorld_GetBody(world, link);
    return body != NULL && body->joint != NULL && body->joint->def.feet.count > 0 ? &body->joint->def.feet
                                                                                  : NULL;
}

static hwStatus CopyMechanisms(hwWorld* branch, const hwWorld* world, hwError* error) {
    for (int i = 0; i < world->mechanisms.slots; ++i) {
        const hwMechanismObject* from = world->mechanisms.items[i];
        if (from == NULL) continue;
        hwMechanismObject* to = MakeObject(branch, from->name, from->linkCount, error);
        if (to == NULL) return HW_ERROR_MEMORY;
        to->id = from->id;
        to->base = from->base;
        to->free = from->free;
        to->place = from->place;
        to->tool = from->tool;
        to->capacity = from->capacity;
        to->userData = from->userData;
        for (int k = 0; k < from->linkCount; ++k) to->links[k] = from->links[k];
    }
    if (!hwPool_Mirror(&branch->mechanisms, &world->mechanisms, &branch->allocator))
        return hwFail_Memory(error, NULL);
    return HW_OK;
}

hwBodyState hwWorld_GetBaseMotion(const hwWorld* world, const hwMechanismObject* object) {
    hwBodyState state = {.position = object->place.r, .attitude = hwQuatFromMat3(object->place.R)};
    const hwBodyObject* body = hwWorld_GetBody(world, object->base);
    if (body == NULL) return state;
    hwBodyState on;
    hwBody_ReadMotion(world, body->link, &on);
    hwMat3 R = hwMat3FromQuat(on.attitude);
    hwVec3 arm = hwMulMV(R, object->place.r);
    state.position = hwAdd(on.position, arm);
    state.velocity = hwAdd(on.velocity, hwCross(hwMulMV(R, on.rate), arm));
    state.attitude = hwMulQuat(on.attitude, state.attitude);
    state.rate = hwMulTV(object->place.R, on.rate);
    return state;
}

// Services to controllers ----------------------------------------------------------------------------------------------------

// The model's links of a mechanism in the order in which its freedoms are counted; -1 ends it.
static int GetModelLink(const hwWorld* world, const hwMechanismObject* object, int i) {
    int first = object->free ? -1 : 0;
    int at = first + i;
    if (at >= object->linkCount) return -1;
    hwBodyId id = at < 0 ? object->base : object->links[at];
    return hwWorld_GetBody(world, id)->link;
}

static int CountOf(const hwWorld* world, int link) {
    return hwJoint_CountFreedoms(world->model.forest.links[link].joint);
}

int hwMechanism_GetFreedomCount(const hwWorld* world, hwMechanismId id) {
    const hwMechanismObject* object = GetMechanism(world, id);
    if (object == NULL || !world->prepared) return 0;
    int count = 0;
    for (int i = 0, link; (link = GetModelLink(world, object, i)) >= 0; ++i) count += CountOf(world, link);
    return count;
}

static hwStatus CheckService(const hwWorld* world, hwMechanismId id, hwError* error) {
    hwClearError(error);
    if (GetMechanism(world, id) == NULL) return BadHandle(error);
    return hwWorld_RequirePrepared(world, error);
}

// Moves a mechanism's share between its own numbering and the world's.
static void ScatterMechanism(const hwWorld* world, const hwMechanismObject* object, const double* from,
                             double* to, bool gather) {
    int next = 0;
    for (int i = 0, link; (link = GetModelLink(world, object, i)) >= 0; ++i) {
        int freedom = world->model.forest.links[link].freedom;
        for (int k = 0; k < CountOf(world, link); ++k, ++next) {
            if (gather) {
                to[next] = from[freedom + k];
            } else {
                to[freedom + k] = from[next];
            }
        }
    }
}

hwStatus hwMechanism_ComputeInverseDynamics(const hwWorld* world, hwMechanismId id,
                                            const double* accelerations, double* efforts, hwError* error) {
    hwStatus status = CheckService(world, id, error);
    if (status != HW_OK) return status;
    const hwMechanismObject* object = GetMechanism(world, id);
    hwWork* work = world->work;
    int count = world->model.forest.freedomCount;
    hwWorld_Refresh(world);
    memcpy(work->step, world->state.a, (size_t)count * sizeof(double));
    ScatterMechanism(world, object, accelerations, work->step, false);
    hwForest_ComputeAccelerations(&world->model.forest, work->step, &work->forest);
    hwForest_ComputeEfforts(&world->model.forest, work->inertia, work->wrench, &work->forest, work->efforts);
    for (int i = 0; i < count; ++i) {
        work->efforts[i] += (work->jointInertia[i] - work->jointVirtual[i]) * work->step[i];
    }
    ScatterMechanism(world, object, work->efforts, efforts, true);
    world->work->isCurrent = false;
    return HW_OK;
}

hwStatus hwMechanism_ComputeMatrix(const hwWorld* world, hwMechanismId id, double* matrix, hwError* error) {
    hwStatus status = CheckService(world, id, error);
    if (status != HW_OK) return status;
    const hwMechanismObject* object = GetMechanism(world, id);
    hwWork* work = world->work;
    int count = world->model.forest.freedomCount, size = hwMechanism_GetFreedomCount(world, id);
    hwWorld_Refresh(world);
    for (int column = 0; column < size; ++column) {
        memset(work->step, 0, (size_t)count * sizeof(double));
        for (int i = 0; i < size; ++i) matrix[column * size + i] = i == column ? 1.0 : 0.0;
        ScatterMechanism(world, object, &matrix[column * size], work->step, false);
        hwForest_Multiply(&world->model.forest, work->inertia, &work->forest, work->step, work->estimate);
        for (int i = 0; i < count; ++i) {
            work->estimate[i] += (work->jointInertia[i] - work->jointVirtual[i]) * work->step[i];
        }
        ScatterMechanism(world, object, work->estimate, &matrix[column * size],
                         true); // symmetric: rows are columns
    }
    world->work->isCurrent = false;
    return HW_OK;
}

// Channels of bases that are not bodies of their own.

static double ReadBasePosition(const hwWorld* world, int mechanism, int component) {
    return hwVec3_GetComponent(hwWorld_GetBaseMotion(world, world->mechanisms.items[mechanism]).position,
                               component);
}

static double ReadBaseAttitude(const hwWorld* world, int mechanism, int component) {
    hwQuat attitude = hwWorld_GetBaseMotion(world, world->mechanisms.items[mechanism]).attitude;
    return hwVec3_GetComponent(hwRpyFromQuat(attitude), component);
}

static double ReadBaseVelocity(const hwWorld* world, int mechanism, int component) {
    return hwVec3_GetComponent(hwWorld_GetBaseMotion(world, world->mechanisms.items[mechanism]).velocity,
                               component);
}

static double ReadBaseRate(const hwWorld* world, int mechanism, int component) {
    return hwVec3_GetComponent(hwWorld_GetBaseMotion(world, world->mechanisms.items[mechanism]).rate,
                               component);
}

static const hwChannelRow baseRows[] = {
    HW_CHANNELS_XYZ("base.position", "m", ReadBasePosition),
    {"base.attitude.roll", "rad", ReadBaseAttitude, 0},
    {"base.attitude.pitch", "rad", ReadBaseAttitude, 1},
    {"base.attitude.yaw", "rad", ReadBaseAttitude, 2},
    HW_CHANNELS_XYZ("base.velocity", "m/s", ReadBaseVelocity),
    HW_CHANNELS_XYZ("base.rate", "rad/s", ReadBaseRate),
};

static void AddBaseChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model) {
    (void)model;
    for (int k = 0; k < world->mechanisms.slots; ++k) {
        const hwMechanismObject* mechanism = world->mechanisms.items[k];
        if (mechanism == NULL) continue;
        if (!mechanism->free)
            hwTable_AddChannels(builder, mechanism->name, HW_ROW_COUNT(baseRows), baseRows, k);
        hwCapacity_AddChannels(builder, world, k);
    }
}

const hwPart hwMechanismsPart = {.name = "mechanisms",
                                 .aside = true,
                                 .rests = true,
                                 .copy = CopyMechanisms,
                                 .addChannels = AddBaseChannels};
