// Arms moved by the pilot: by joint, the targets of the joints run at the commanded share of their rates; by tip, the tool's own inputs.
// Everything becomes inputs of the world, and so is recorded. Without a new message everything stops after a second.
#include "apps/server/arms.h"
#include "apps/server/session_internal.h"

#include <math.h>
#include <stdlib.h>

#define ARM_TICKS 3      // of SESSION_STEP between two moves
#define ARM_TIMEOUT 1.0  // s
#define ARM_JAW_RATE 0.5 // of the opening, 1/s
#define ARM_LEAD 0.3     // s by which a target runs ahead: what holds the joint back holds the target back

typedef struct Arm {
    hwWebArm def;
    int q[ARMS_MOST_JOINTS], targets[ARMS_MOST_JOINTS], modes[ARMS_MOST_JOINTS];
    int tool[6], jaw, finger;
    double rates[ARMS_MOST_JOINTS], tip[6], jawRate;
    double heard; // s, of the last message
    bool moves;
} Arm;

struct hwWebArmSet {
    int count;
    Arm items[ARMS_MOST];
};

static int Input(const hwWorld* world, const char* arm, const char* name, const char* quantity) {
    char text[200];
    snprintf(text, sizeof(text), "%.95s.%.63s.%s", arm, name, quantity);
    return hwWorld_FindInput(world, text);
}

void hwWebSession_StartArms(hwWebSession* session) {
    static const char* const axes[6] = {"x", "y", "z", "roll", "pitch", "yaw"};
    const hwWorld* world = hwLive_GetWorld(session->live);
    hwWebArm arms[ARMS_MOST];
    int count = hwWebArms_List(world, session->controls.name, arms);
    hwWebArmSet* set = count > 0 ? calloc(1, sizeof(*set)) : NULL;
    session->arms = set;
    if (set == NULL) return;
    set->count = count;
    for (int i = 0; i < count; ++i) {
        Arm* arm = &set->items[i];
        arm->def = arms[i];
        for (int k = 0; k < arms[i].jointCount; ++k) {
            char text[200];
            snprintf(text, sizeof(text), "%.95s.%.63s.q", arms[i].name, arms[i].joints[k].name);
            arm->q[k] = hwWorld_FindChannel(world, text);
            arm->targets[k] = Input(world, arms[i].name, arms[i].joints[k].name, "target");
            arm->modes[k] = Input(world, arms[i].name, arms[i].joints[k].name, "mode");
        }
        for (int k = 0; k < 6; ++k)
            arm->tool[k] = arms[i].tool ? Input(world, arms[i].name, "tool", axes[k]) : -1;
        arm->jaw = arms[i].jaw ? Input(world, arms[i].name, "tool", "jaw") : -1;
        char finger[200];
        snprintf(finger, sizeof(finger), "%.95s.%.63s.q", arms[i].name, arms[i].finger.name);
        arm->finger = hwWorld_FindChannel(world, finger);
    }
}

void hwWebSession_FreeArms(hwWebSession* session) {
    free(session->arms);
    session->arms = NULL;
}

json_t* hwWebSession_DescribeArms(const hwWebSession* session) {
    const hwWorld* world = session->live != NULL ? hwLive_GetWorld(session->live) : session->pictured;
    hwVehicleId vehicle;
    json_t* list = json_array();
    if (world == NULL || hwWorld_GetVehicles(world, 1, &vehicle) == 0) return list;
    hwWebArm arms[ARMS_MOST];
    int count = hwWebArms_List(world, hwVehicle_GetDef(world, vehicle)->body.name, arms);
    for (int i = 0; i < count; ++i) {
        json_t* joints = json_array();
        for (int k = 0; k < arms[i].jointCount; ++k) {
            const hwWebJoint* j = &arms[i].joints[k];
            json_array_append_new(joints,
                                  json_pack("{s:s, s:b, s:o, s:o}", "name", j->name, "slides", (int)j->slides,
                                            "low", isfinite(j->low) ? json_real(j->low) : json_null(), "high",
                                            isfinite(j->high) ? json_real(j->high) : json_null()));
        }
        json_array_append_new(list, json_pack("{s:s, s:o, s:b, s:b}", "name", arms[i].name, "joints", joints,
                                              "tool", (int)arms[i].tool, "jaw", (int)arms[i].jaw));
    }
    return list;
}

const char* hwWebSession_MoveArm(hwWebSession* session, const hwWebRequest* request) {
    hwWebArmSet* set = session->arms;
    if (set == NULL || request->arm >= set->count) return "this vehicle has no such arm";
    Arm* arm = &set->items[request->arm];
    if (request->armByTip && !arm->def.tool)
        return "this arm has no tip that can be commanded: move its joints";
    if (!request->armByTip && request->count > arm->def.jointCount) return "this arm has fewer joints";
    for (int k = 0; k < arm->def.jointCount; ++k)
        arm->rates[k] = !request->armByTip && k < request->count ? request->values[k] : 0.0;
    for (int k = 0; k < 6; ++k)
        arm->tip[k] = request->armByTip && k < request->count ? request->values[k] : 0.0;
    arm->jawRate = request->second;
    arm->heard = hwWebSession_GetTime(session);
    arm->moves = true;
    return NULL;
}

// An input only where it changes: what stays is not recorded again and again.
static void Apply(hwWebSession* session, int input, double value) {
    if (input >= 0 && hwWorld_ReadInput(hwLive_GetWorld(session->live), input) != value)
        hwLive_ApplyInput(session->live, input, value, NULL);
}

static void MoveJoint(hwWebSession* session, Arm* arm, int k, double rate) {
    const hwWorld* world = hwLive_GetWorld(session->live);
    const hwWebJoint* joint = &arm->def.joints[k];
    if (rate == 0.0 || arm->targets[k] < 0 || arm->q[k] < 0) return;
    double speed = rate * joint->rate, lead = ARM_LEAD * joint->rate;
    double q = hwWorld_ReadChannel(world, arm->q[k]);
    // a target that nobody has set yet is where the joint began
    double before = hwWorld_ReadInput(world, arm->targets[k]);
    double target = (isfinite(before) ? before : q) + speed * ARM_TICKS * SESSION_STEP;
    target = hwClamp(target, q - lead, q + lead);
    Apply(session, arm->targets[k], hwClamp(target, joint->low, joint->high));
}

static void Follow(hwWebSession* session, Arm* arm) {
    double time = hwWebSession_GetTime(session);
    bool silent = time - arm->heard > ARM_TIMEOUT || time < arm->heard;
    bool moves = false;
    for (int k = 0; k < 6; ++k) {
        if (silent) arm->tip[k] = 0.0;
        Apply(session, arm->tool[k], arm->tip[k]);
        moves = moves || arm->tip[k] != 0.0;
    }
    for (int k = 0; k < arm->def.jointCount; ++k) {
        if (silent) arm->rates[k] = 0.0;
        MoveJoint(session, arm, k, arm->rates[k]);
        moves = moves || arm->rates[k] != 0.0;
    }
    if (silent) arm->jawRate = 0.0;
    if (arm->jawRate != 0.0 && arm->jaw >= 0) {
        const hwWorld* world = hwLive_GetWorld(session->live);
        const hwWebJoint* finger = &arm->def.finger;
        double jaw = hwWorld_ReadInput(world, arm->jaw);
        if (!isfinite(jaw)) {
            double q = arm->finger >= 0 ? hwWorld_ReadChannel(world, arm->finger) : (double)NAN;
            jaw = (q - finger->low) / (finger->high - finger->low);
            if (!isfinite(jaw)) jaw = arm->jawRate > 0.0 ? 0.0 : 1.0;
        }
        jaw += arm->jawRate * ARM_JAW_RATE * ARM_TICKS * SESSION_STEP;
        Apply(session, arm->jaw, hwClamp(jaw, 0.0, 1.0));
        moves = true;
    }
    arm->moves = moves;
}

void hwWebSession_FollowArms(hwWebSession* session) {
    if (session->arms == NULL || hwWebSession_GetTicks(session) % ARM_TICKS != 0) return;
    for (int i = 0; i < session->arms->count; ++i) {
        if (session->arms->items[i].moves) Follow(session, &session->arms->items[i]);
    }
}
