#include "cases/crane_links.h"

hwLinkDef hwMakeCraneLink(const char* name, int parent, hwJointKind joint, double alphaDegrees, double a,
                          double d, double thetaDegrees) {
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = name;
    link.parent = parent;
    link.joint = joint;
    link.frame = hwMakeDhFrame(alphaDegrees * HW_DEGREE, a, d, thetaDegrees * HW_DEGREE);
    return link;
}

void hwSetLinkMass(hwLinkDef* link, double mass, hwVec3 com, double xx, double yy, double zz) {
    link->body.mass = mass;
    link->body.com = com;
    link->body.inertia[0] = xx;
    link->body.inertia[1] = yy;
    link->body.inertia[2] = zz;
}

void hwSetCraneControl(hwLinkDef* link, hwControlMode mode, double power) {
    link->control.mode = mode;
    link->control.kp = HW_CRANE_KP;
    link->control.ki = HW_CRANE_KI;
    link->control.kd = mode == HW_CONTROL_VELOCITY ? 0.0 : HW_CRANE_KD;
    link->control.power = power;
}

void hwFillPalfinger(hwLinkDef links[7]) {
    links[0] = hwMakeCraneLink("slew", -1, HW_JOINT_REVOLUTE, 90.0, -0.65, 1.4, 0.0);
    links[1] = hwMakeCraneLink("boom1", 0, HW_JOINT_REVOLUTE, 0.0, 1.0, 0.0, 0.0);
    links[2] = hwMakeCraneLink("boom2", 1, HW_JOINT_REVOLUTE, 90.0, 0.0, 0.0, 90.0);
    static const char* names[4] = {"boom3", "boom4", "boom5", "boom6"};
    for (int i = 0; i < 4; ++i) {
        links[3 + i] = hwMakeCraneLink(names[i], 2 + i, HW_JOINT_PRISMATIC, 0.0, 0.0, 0.0, 0.0);
    }
    hwSetLinkMass(&links[0], 682.97, hwMakeVec3(-0.35, 0.7, 0.0), 139.44, 139.44, 55.776);
    hwSetLinkMass(&links[1], 754.0, hwMakeVec3(0.5, 0.0, 0.0), 31.42, 78.5, 78.5);
    hwSetLinkMass(&links[2], 285.22, hwMakeVec3(0.0, -0.5, 0.0), 11.8, 29.71, 29.71);
    hwSetLinkMass(&links[3], 283.28, hwMakeVec3(0.0, 0.0, 0.5), 11.8, 29.51, 29.51);
    hwSetLinkMass(&links[4], 254.0, hwMakeVec3(0.0, 0.0, 0.5), 10.58, 26.46, 26.46);
    hwSetLinkMass(&links[5], 181.85, hwMakeVec3(0.0, 0.0, 0.5), 7.58, 18.94, 18.94);
    hwSetLinkMass(&links[6], 95.0, hwMakeVec3(0.0, 0.0, 0.5), 3.96, 9.896, 9.896);
    for (int i = 0; i < 7; ++i) hwSetCraneControl(&links[i], HW_CONTROL_POSITION, HW_CRANE_POWER);
}
