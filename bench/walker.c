#include "bench/walker.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void SetMass(hwBodyDef* body, double mass, hwVec3 com, double xx, double yy, double zz) {
    body->mass = mass;
    body->com = com;
    body->inertia[0] = xx;
    body->inertia[1] = yy;
    body->inertia[2] = zz;
}

static void SetWater(hwBodyDef* body, double length) {
    double side = body->mass;
    body->hydro.volume = body->mass / 1025.0 * 0.9;
    body->hydro.hasBuoyancyCenter = true;
    body->hydro.buoyancyCenter = body->com;
    for (int k = 0; k < 3; ++k) {
        body->hydro.addedMass[k][k] = k == 0 ? 0.1 * side : side;
        body->hydro.addedMass[3 + k][3 + k] = 0.1 * side * length * length;
        body->hydro.quadraticDrag[k] = 40.0 * length;
        body->hydro.linearDrag[k] = 2.0;
        body->hydro.quadraticDrag[3 + k] = 5.0 * length;
    }
}

static const char* const linkNames[HW_WALKER_LINKS] = {
    "hip0",  "hip1",  "hip2",  "hip3",  "hip4",  "hip5",  "knee0", "knee1", "knee2",
    "knee3", "knee4", "knee5", "shin0", "shin1", "shin2", "shin3", "shin4", "shin5",
    "foot0", "foot1", "foot2", "foot3", "foot4", "foot5", "boom0", "boom1", "boom2"};

static hwLinkDef MakeLink(int index, int parent, hwVec3 position, hwQuat attitude) {
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = linkNames[index];
    link.parent = parent;
    link.frame = hwMakeJointFrame(position, attitude, hwMakeVec3(0.0, 0.0, 1.0));
    return link;
}

hwMechanismDef hwMakeWalker(bool wet, hwLinkDef links[HW_WALKER_LINKS]) {
    hwMechanismDef def = hwDefaultMechanismDef();
    const hwQuat side = hwQuatFromAxisAngle(hwMakeVec3(1.0, 0.0, 0.0), 0.5 * HW_PI);
    def.name = "walker";
    def.base = HW_BASE_FREE;
    def.free.position = hwMakeVec3(0.0, 0.0, -20.0);
    SetMass(&def.free, 200.0, hwVec3_zero, 15.0, 15.0, 9.0);
    for (int leg = 0; leg < 6; ++leg) {
        double angle = leg * HW_PI / 3.0;
        hwVec3 at = {0.4 * cos(angle), 0.4 * sin(angle), 0.0};
        hwQuat turn = hwQuatFromAxisAngle(hwMakeVec3(0.0, 0.0, 1.0), angle);
        links[leg] = MakeLink(leg, -1, at, turn);
        links[6 + leg] = MakeLink(6 + leg, leg, hwMakeVec3(0.2, 0.0, 0.0), side);
        links[12 + leg] = MakeLink(12 + leg, 6 + leg, hwMakeVec3(0.5, 0.0, 0.0), hwQuat_identity);
        links[18 + leg] = MakeLink(18 + leg, 12 + leg, hwMakeVec3(1.0, 0.0, 0.0), hwQuat_identity);
        links[18 + leg].joint = HW_JOINT_BALL;
        SetMass(&links[leg].body, 6.0, hwMakeVec3(0.1, 0.0, 0.0), 0.08, 0.09, 0.13);
        SetMass(&links[6 + leg].body, 30.0, hwMakeVec3(0.2, 0.05, 0.0), 0.3, 3.5, 3.6);
        SetMass(&links[12 + leg].body, 34.0, hwMakeVec3(0.3, 0.0, 0.0), 0.2, 3.9, 3.9);
        SetMass(&links[18 + leg].body, 10.0, hwMakeVec3(0.02, 0.0, 0.0), 0.16, 0.09, 0.09);
        links[leg].q = 0.1 * (leg - 2.5), links[6 + leg].q = 0.2, links[12 + leg].q = -1.4;
        for (int k = 0; k < 3; ++k) links[6 * k + leg].hasQ = true;
    }
    const hwQuat up = hwQuatFromAxisAngle(hwMakeVec3(1.0, 0.0, 0.0), -0.5 * HW_PI);
    links[24] = MakeLink(24, -1, hwMakeVec3(0.0, 0.0, 0.3), hwQuat_identity);
    links[25] = MakeLink(25, 24, hwMakeVec3(0.0, 0.0, 0.4), up);
    links[26] = MakeLink(26, 25, hwMakeVec3(0.6, 0.0, 0.0), hwQuat_identity);
    SetMass(&links[24].body, 5.0, hwMakeVec3(0.0, 0.0, 0.2), 0.07, 0.07, 0.02);
    SetMass(&links[25].body, 4.0, hwMakeVec3(0.3, 0.0, 0.0), 0.02, 0.12, 0.12);
    SetMass(&links[26].body, 3.0, hwMakeVec3(0.2, 0.0, 0.0), 0.01, 0.06, 0.06);
    def.links = links;
    def.linkCount = HW_WALKER_LINKS;
    if (!wet) return def;
    SetWater(&def.free, 0.8);
    for (int i = 0; i < HW_WALKER_LINKS; ++i) SetWater(&links[i].body, i < 12 ? 0.5 : 0.8);
    return def;
}

hwMechanismDef hwMakeChain(int count, hwLinkDef* links) {
    static char names[512][16];
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "chain";
    def.base = HW_BASE_FREE;
    SetMass(&def.free, 50.0, hwVec3_zero, 5.0, 5.0, 5.0);
    const hwQuat side = hwQuatFromAxisAngle(hwMakeVec3(1.0, 0.0, 0.0), 0.5 * HW_PI);
    for (int i = 0; i < count - 1; ++i) {
        hwLinkDef* link = &links[i];
        *link = hwDefaultLinkDef();
        snprintf(names[i], sizeof(names[i]), "l%d", i);
        link->body.name = names[i];
        link->parent = i - 1;
        link->frame =
            hwMakeJointFrame(hwMakeVec3(i == 0 ? 0.0 : 0.5, 0.0, 0.0), side, hwMakeVec3(0.0, 0.0, 1.0));
        SetMass(&link->body, 2.0, hwMakeVec3(0.25, 0.0, 0.0), 0.005, 0.05, 0.05);
    }
    def.links = links;
    def.linkCount = count - 1;
    return def;
}

// MuJoCo's model description -------------------------------------------------------------------------------------------------

typedef struct Text {
    char* at;
    int left, used;
} Text;

static void Write(Text* text, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text->at, (size_t)text->left, format, arguments);
    va_end(arguments);
    if (n > text->left) n = text->left;
    text->at += n;
    text->left -= n;
    text->used += n;
}

static void WriteInertia(Text* text, const hwBodyDef* b) {
    Write(text, "<inertial pos='%.17g %.17g %.17g' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>", b->com.x,
          b->com.y, b->com.z, b->mass, b->inertia[0], b->inertia[1], b->inertia[2]);
}

static void WriteBranch(Text* text, const hwMechanismDef* def, int parent) {
    for (int i = 0; i < def->linkCount; ++i) {
        const hwLinkDef* link = &def->links[i];
        if (link->parent != parent) continue;
        hwQuat q = link->frame.attitude;
        hwVec3 p = link->frame.position;
        Write(text, "<body name='%s' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><joint type='%s'",
              link->body.name, p.x, p.y, p.z, q.w, q.x, q.y, q.z,
              link->joint == HW_JOINT_BALL ? "ball" : "hinge");
        Write(text, link->joint == HW_JOINT_BALL ? "/>" : " axis='0 0 1'/>");
        WriteInertia(text, &link->body);
        WriteBranch(text, def, i);
        Write(text, "</body>");
    }
}

int hwWriteMjcf(const hwMechanismDef* def, char* buffer, int size) {
    Text text = {buffer, size, 0};
    Write(&text,
          "<mujoco><compiler angle='radian'/><option gravity='0 0 -9.81'><flag constraint='disable' "
          "contact='disable'/></option><worldbody><body name='base' pos='%.17g %.17g %.17g'><freejoint/>",
          def->free.position.x, def->free.position.y, def->free.position.z);
    WriteInertia(&text, &def->free);
    WriteBranch(&text, def, -1);
    Write(&text, "</body></worldbody></mujoco>");
    return text.used;
}
