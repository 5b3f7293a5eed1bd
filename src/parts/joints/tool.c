// Tools of mechanisms: inputs that move the tip of an arm, and its jaw, by moving the targets of its joints.
//
// It works like the controller of a real arm, in periods of a fiftieth of a second: from the targets that the joints have it finds
// where the tip is to be, moves these as the wanted motion asks within stops and rates, and leaves the rest to the joints' own
// controllers. Targets lead the joints by a little only: a joint that cannot follow, because its actuator is at its limit, holds
// the tip back. All that it keeps are inputs, so that saving, rewinding and replaying include it.
#include "parts/joints/joints.h"

#include "mech/reach.h"
#include "record/channels.h"
#include "world/part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PERIOD 0.02     // s
#define LEAD_TURN 0.25  // rad by which a target leads its joint at most
#define LEAD_SLIDE 0.05 // m
#define USUAL_TURN 1.0  // rad/s of a joint whose drive tells no rate
#define USUAL_SLIDE 0.3 // m/s
#define MOST_LINKS 32   // between the base and a tool

enum { TOOL_X, TOOL_Y, TOOL_Z, TOOL_ROLL, TOOL_PITCH, TOOL_YAW, TOOL_JAW, TOOL_INPUTS };

typedef struct ToolModel {
    const hwMechanismObject* object;
    int count; // links from the base to the tool
    const hwBodyObject* links[MOST_LINKS];
    int input; // first of its inputs
} ToolModel;

struct hwToolsModel {
    int count;
    ToolModel* items;
};

static const hwInputRow toolInputs[TOOL_INPUTS] = {
    [TOOL_X] = {"tool.x", "1", NULL},         [TOOL_Y] = {"tool.y", "1", NULL},
    [TOOL_Z] = {"tool.z", "1", NULL},         [TOOL_ROLL] = {"tool.roll", "1", NULL},
    [TOOL_PITCH] = {"tool.pitch", "1", NULL}, [TOOL_YAW] = {"tool.yaw", "1", NULL},
    [TOOL_JAW] = {"tool.jaw", "1", NULL},
};

// The model ------------------------------------------------------------------------------------------------------------------

static void LayTools(const hwWorld* world, hwArena* arena, hwModel* model) {
    model->tools->count = 0;
    int most = 0;
    for (int i = 0; i < world->mechanisms.slots; ++i) {
        const hwMechanismObject* object = world->mechanisms.items[i];
        most += object != NULL && object->tool.present;
    }
    model->tools->items = HW_TAKE(arena, ToolModel, most);
}

static void FillTools(const hwWorld* world, hwModel* model) {
    for (int i = 0; i < world->mechanisms.slots; ++i) {
        const hwMechanismObject* object = world->mechanisms.items[i];
        if (object == NULL || !object->tool.present) continue;
        ToolModel* tool = &model->tools->items[model->tools->count++];
        *tool = (ToolModel){.object = object};
        // from the tool to the base, then turned round
        const hwBodyObject* body = hwWorld_GetBody(world, object->links[object->tool.link]);
        while (body != NULL && body->joint != NULL && HW_SAME_ID(body->mechanism, object->id) &&
               tool->count < MOST_LINKS) {
            tool->links[tool->count++] = body;
            body = hwWorld_GetBody(world, body->joint->parent);
        }
        for (int k = 0; k < tool->count / 2; ++k) {
            const hwBodyObject* other = tool->links[k];
            tool->links[k] = tool->links[tool->count - 1 - k];
            tool->links[tool->count - 1 - k] = other;
        }
    }
}

static bool HasTools(const hwModel* model) {
    return model->tools->count > 0;
}

static void AddToolInputs(hwTableBuilder* builder, const hwModel* model) {
    for (int k = 0; k < model->tools->count; ++k)
        hwTable_AddInputs(builder, model->tools->items[k].object->name, TOOL_INPUTS, toolInputs);
}

static void FindToolInputs(hwModel* model) {
    for (int k = 0; k < model->tools->count; ++k) {
        char name[96];
        snprintf(name, sizeof(name), "%s.tool.x", model->tools->items[k].object->name);
        model->tools->items[k].input = hwNameTable_Find(&model->inputs, name);
    }
}

static void StartToolInputs(const hwModel* model, double* inputs) {
    for (int k = 0; k < model->tools->count; ++k) {
        memset(inputs + model->tools->items[k].input, 0, TOOL_INPUTS * sizeof(double));
        inputs[model->tools->items[k].input + TOOL_JAW] = NAN; // until it is set the fingers stay
    }
}

// Kinematics -----------------------------------------------------------------------------------------------------------------

typedef struct Chain {
    int count;
    hwReachJoint joints[HW_REACH_JOINTS];
    const hwJointModel* models[HW_REACH_JOINTS];
    hwVec3 tip; // m, in the base's frame
    hwMat3 attitude;
} Chain;

static double FindRate(const hwJointModel* joint) {
    const hwLinkDef* def = joint->def;
    bool known = isfinite(def->control.limit) && def->friction.viscous > 0.0;
    if (known) return def->control.limit / def->friction.viscous;
    return joint->type == HW_LINK_PRISMATIC ? USUAL_SLIDE : USUAL_TURN;
}

// Where the joints' targets would put the tip. `q` gives displacements instead; null: none.
static void FindChain(const hwWorld* world, const ToolModel* tool, const double* q, Chain* chain) {
    double time = world->state.header->time;
    hwMat3 R = hwMat3FromQuat(hwQuat_identity);
    hwVec3 r = hwVec3_zero;
    chain->count = 0;
    for (int i = 0; i < tool->count; ++i) {
        const hwBodyObject* body = tool->links[i];
        const hwJointObject* joint = body->joint;
        r = hwAdd(r, hwMulMV(R, joint->tree.r));
        R = hwMulMM(R, joint->tree.R);
        int index = world->model.joints->of[body->link];
        const hwJointModel* model = index >= 0 ? &world->model.joints->items[index] : NULL;
        if (model == NULL || model->count != 1 || chain->count == HW_REACH_JOINTS) continue;
        bool slides = model->type == HW_LINK_PRISMATIC;
        double now = world->state.q[model->coordinate], at = now;
        bool driven = (int)world->state.inputs[model->input + 1 + HW_JOINT_MODE] == HW_CONTROL_POSITION;
        if (q != NULL) {
            at = q[chain->count];
        } else if (driven) {
            double lead = slides ? LEAD_SLIDE : LEAD_TURN;
            at = hwClamp(hwJoint_FindTarget(world, model, time).x, now - lead, now + lead);
        }
        hwVec3 axis = hwMulMV(R, joint->axis);
        chain->joints[chain->count] = (hwReachJoint){.slides = slides,
                                                     .axis = axis,
                                                     .origin = r,
                                                     .q = at,
                                                     .low = driven ? model->def->limits.low : at,
                                                     .high = driven ? model->def->limits.high : at,
                                                     .rate = FindRate(model)};
        chain->models[chain->count++] = model;
        if (slides) {
            r = hwMulAdd(r, at, axis);
        } else {
            R = hwMulMM(R, hwMat3FromQuat(hwQuatFromRotationVector(hwScale(at, joint->axis))));
        }
    }
    chain->tip = hwAdd(r, hwMulMV(R, tool->object->tool.position));
    chain->attitude = R;
}

static hwVec3 TakeVector(const double* inputs, double scale) {
    return hwMakeVec3(scale * hwClamp(inputs[0], -1.0, 1.0), scale * hwClamp(inputs[1], -1.0, 1.0),
                      scale * hwClamp(inputs[2], -1.0, 1.0));
}

static bool IsCommanded(const hwWorld* world, const ToolModel* tool) {
    const double* inputs = world->state.inputs + tool->input;
    for (int i = 0; i < TOOL_JAW; ++i) {
        if (inputs[i] != 0.0) return true;
    }
    return false;
}

static void MoveTool(hwWorld* world, const ToolModel* tool) {
    const double* inputs = world->state.inputs + tool->input;
    const hwToolDef* def = &tool->object->tool;
    Chain chain;
    FindChain(world, tool, NULL, &chain);
    hwReachWish wish = {.velocity = TakeVector(inputs + TOOL_X, def->speed),
                        .rate = TakeVector(inputs + TOOL_ROLL, def->turnRate)};
    // an arm of fewer than six joints cannot hold its attitude while it moves: it does so only when a turn is commanded
    wish.turns = chain.count >= 6 || hwLength(wish.rate) > 0.0;
    double rates[HW_REACH_JOINTS];
    hwReach_Solve(chain.count, chain.joints, chain.tip, &wish, PERIOD, rates);
    for (int i = 0; i < chain.count; ++i) {
        const hwReachJoint* joint = &chain.joints[i];
        if (rates[i] == 0.0 && joint->low == joint->high) continue;
        double target = hwClamp(joint->q + PERIOD * rates[i], joint->low, joint->high);
        hwWorld_SetInput(world, chain.models[i]->input, target, NULL);
    }
}

static void LookAtTools(hwWorld* world) {
    double time = world->state.header->time, periods = floor(time / PERIOD + 0.5);
    if (fabs(time - periods * PERIOD) > 1e-7) return;
    for (int k = 0; k < world->model.tools->count; ++k) {
        const ToolModel* tool = &world->model.tools->items[k];
        if (IsCommanded(world, tool)) MoveTool(world, tool);
    }
}

static double GetNextToolTime(const hwWorld* world) {
    for (int k = 0; k < world->model.tools->count; ++k) {
        if (!IsCommanded(world, &world->model.tools->items[k])) continue;
        return (floor(world->state.header->time / PERIOD + 1e-5) + 1.0) * PERIOD;
    }
    return (double)INFINITY;
}

// The jaw: fingers go to their share of the way between their stops.
static void ToolInputChanged(hwWorld* world, int input) {
    for (int k = 0; k < world->model.tools->count; ++k) {
        const ToolModel* tool = &world->model.tools->items[k];
        if (input != tool->input + TOOL_JAW) continue;
        double open = hwClamp(world->state.inputs[input], 0.0, 1.0);
        for (int i = 0; i < tool->object->tool.jawCount; ++i) {
            const hwBodyObject* finger =
                hwWorld_GetBody(world, tool->object->links[tool->object->tool.jaws[i]]);
            const hwJointModel* joint = &world->model.joints->items[world->model.joints->of[finger->link]];
            const hwLimitDef* limits = &joint->def->limits;
            hwWorld_SetInput(world, joint->input, limits->low + open * (limits->high - limits->low), NULL);
        }
    }
}

// Channels -------------------------------------------------------------------------------------------------------------------

static double ReadTip(const hwWorld* world, int k, int component) {
    const ToolModel* tool = &world->model.tools->items[k];
    const hwLinkMotion* m = &world->work->forest.motion[tool->links[tool->count - 1]->link];
    hwWide arm = hwWideMat_Mul(&m->R, hwWide_FromVec3(tool->object->tool.position));
    return hwVec3_GetComponent(hwWide_ToVec3(m->p + arm), component);
}

static const hwChannelRow toolRows[] = {HW_CHANNELS_XYZ("tool.position", "m", ReadTip)};

static void AddToolChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model) {
    (void)world;
    for (int k = 0; k < model->tools->count; ++k)
        hwTable_AddChannels(builder, model->tools->items[k].object->name, HW_ROW_COUNT(toolRows), toolRows,
                            k);
}

// Public ---------------------------------------------------------------------------------------------------------------------

#define MOST_TRIES 400
#define SOLVED 1e-6 // m, and times the way of a radian

hwStatus hwMechanism_SolveTool(const hwWorld* world, hwMechanismId id, hwVec3 position,
                               const hwQuat* attitude, int capacity, double* q, double* distance,
                               hwError* error) {
    hwClearError(error);
    hwStatus status = hwWorld_RequirePrepared(world, error);
    if (status != HW_OK) return status;
    const ToolModel* tool = NULL;
    for (int k = 0; k < world->model.tools->count; ++k) {
        if (HW_SAME_ID(world->model.tools->items[k].object->id, id)) tool = &world->model.tools->items[k];
    }
    if (tool == NULL) return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the mechanism has no tool");
    if (!hwIsFiniteVec3(position))
        return hwFail(error, HW_ERROR_ARGUMENT, tool->object->name,
                      "%s: the place for its tool must be finite", tool->object->name);
    Chain chain;
    FindChain(world, tool, NULL, &chain);
    double at[HW_REACH_JOINTS], rates[HW_REACH_JOINTS];
    for (int i = 0; i < chain.count; ++i) {
        at[i] = hwClamp(chain.joints[i].q, chain.joints[i].low, chain.joints[i].high);
        chain.joints[i].rate = 0.0;
    }
    double off = 0.0;
    for (int try = 0; try < MOST_TRIES; ++try) {
        FindChain(world, tool, at, &chain);
        hwReachWish wish = {.velocity = hwSub(position, chain.tip), .turns = attitude != NULL};
        if (attitude != NULL) {
            hwQuat rest = hwMulQuat(hwNormalizeQuat(*attitude), hwConjugate(hwQuatFromMat3(chain.attitude)));
            wish.rate = hwRotationVectorFromQuat(rest);
        }
        off = hwLength(wish.velocity) + 0.3 * hwLength(wish.rate);
        if (off < SOLVED) break;
        // far away the Jacobian holds for small ways only
        double share = hwFmin(1.0, 0.1 / off);
        wish.velocity = hwScale(share, wish.velocity);
        wish.rate = hwScale(share, wish.rate);
        for (int i = 0; i < chain.count; ++i) chain.joints[i].rate = 0.0;
        hwReach_Solve(chain.count, chain.joints, chain.tip, &wish, 1.0, rates);
        for (int i = 0; i < chain.count; ++i)
            at[i] = hwClamp(at[i] + rates[i], chain.joints[i].low, chain.joints[i].high);
    }
    // in the order of the mechanism's links; others as they are
    for (int l = 0; l < tool->object->linkCount && l < capacity; ++l) {
        const hwBodyObject* body = hwWorld_GetBody(world, tool->object->links[l]);
        int index = body != NULL ? world->model.joints->of[body->link] : -1;
        bool single = index >= 0 && world->model.joints->items[index].count == 1;
        q[l] = single ? world->state.q[world->model.joints->items[index].coordinate] : 0.0;
        for (int i = 0; i < chain.count && single; ++i) {
            if (chain.models[i] == &world->model.joints->items[index]) q[l] = at[i];
        }
    }
    if (distance != NULL) *distance = off;
    return HW_OK;
}

// A jaw that was commanded may be on its way.
static void KeepCommandedAwake(const hwWorld* world, uint8_t* lively) {
    for (int k = 0; k < world->model.tools->count; ++k) {
        const ToolModel* tool = &world->model.tools->items[k];
        bool moves = IsCommanded(world, tool) || !isnan(world->state.inputs[tool->input + TOOL_JAW]);
        for (int i = 0; i < tool->count && moves; ++i) lively[tool->links[i]->link] = 1;
    }
}

const hwPart hwToolsPart = {.name = "tools",
                            .keepAwake = KeepCommandedAwake,
                            .model = HW_SLICE(hwModel, tools),
                            .layModel = LayTools,
                            .fillModel = FillTools,
                            .isPresent = HasTools,
                            .addChannels = AddToolChannels,
                            .addInputs = AddToolInputs,
                            .findInputs = FindToolInputs,
                            .startInputs = StartToolInputs,
                            .inputChanged = ToolInputChanged,
                            .getNextTime = GetNextToolTime,
                            .look = LookAtTools};
