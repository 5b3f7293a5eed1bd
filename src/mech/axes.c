// Joints of several axes, made of links without mass: one row for each kind.
#include "hawser/mechanism.h"

#include <stdio.h>

typedef struct Axis {
    hwJointKind joint;
    hwVec3 along; // in the joint's axes
} Axis;

typedef struct Row {
    int count;
    Axis axes[HW_MAX_AXES];
} Row;

#define TURN_X                                                                                               \
    {                                                                                                        \
        HW_JOINT_REVOLUTE, {                                                                                 \
            1.0, 0.0, 0.0                                                                                    \
        }                                                                                                    \
    }
#define TURN_Y                                                                                               \
    {                                                                                                        \
        HW_JOINT_REVOLUTE, {                                                                                 \
            0.0, 1.0, 0.0                                                                                    \
        }                                                                                                    \
    }
#define TURN_Z                                                                                               \
    {                                                                                                        \
        HW_JOINT_REVOLUTE, {                                                                                 \
            0.0, 0.0, 1.0                                                                                    \
        }                                                                                                    \
    }
#define SLIDE_X                                                                                              \
    {                                                                                                        \
        HW_JOINT_PRISMATIC, {                                                                                \
            1.0, 0.0, 0.0                                                                                    \
        }                                                                                                    \
    }
#define SLIDE_Y                                                                                              \
    {                                                                                                        \
        HW_JOINT_PRISMATIC, {                                                                                \
            0.0, 1.0, 0.0                                                                                    \
        }                                                                                                    \
    }
#define SLIDE_Z                                                                                              \
    {                                                                                                        \
        HW_JOINT_PRISMATIC, {                                                                                \
            0.0, 0.0, 1.0                                                                                    \
        }                                                                                                    \
    }

static const Row rows[HW_AXES_COUNT] = {
    [HW_AXES_UNIVERSAL] = {2, {TURN_X, TURN_Y}},
    [HW_AXES_CYLINDRICAL] = {2, {SLIDE_Z, TURN_Z}},
    [HW_AXES_PLANAR] = {3, {SLIDE_X, SLIDE_Y, TURN_Z}},
    [HW_AXES_GIMBAL] = {3, {TURN_Z, TURN_Y, TURN_X}},
};

int hwAxes_Count(hwAxesKind kind) {
    return kind >= 0 && kind < HW_AXES_COUNT ? rows[kind].count : 0;
}

int hwMakeAxes(hwLinkDef* links, int link, int next, hwAxesKind kind, const double* q, const double* qd,
               hwAxesNames* names) {
    int count = hwAxes_Count(kind);
    hwLinkDef* last = &links[link];
    hwJointFrame frame = last->frame;
    int parent = last->parent;
    for (int i = 0; i < count; ++i) {
        bool final = i == count - 1;
        hwLinkDef* at = final ? last : &links[next + i];
        if (!final) {
            *at = hwDefaultLinkDef();
            snprintf(names->text[i], sizeof(names->text[i]), "%.60s-%c",
                     last->body.name != NULL ? last->body.name : "", '1' + i);
            at->body.name = names->text[i];
            at->friction = last->friction;
        }
        at->parent = parent;
        at->joint = rows[kind].axes[i].joint;
        at->frame = frame;
        at->frame.axis = rows[kind].axes[i].along;
        at->hasQ = q != NULL;
        at->q = q != NULL ? q[i] : 0.0;
        at->qd = qd != NULL ? qd[i] : 0.0;
        parent = next + i;
        frame = hwMakeJointFrame(hwVec3_zero, hwQuat_identity, hwVec3_zero);
    }
    return count > 0 ? count - 1 : 0;
}
