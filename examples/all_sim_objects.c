// Everything at once, after DRDC CR 2010-256, section 4.5.4: a crane with seven joints holds its pose, a winch at its tip pays
// out half a metre of wire, and the box on the wire comes down on a block 0.1 m below. In the end the wire is slack and the
// block carries the whole weight. scenes/all_sim_objects.yaml is the same as a scene.
#include "hawser/hawser.h"

#include <math.h>
#include <stdio.h>

#define MASS 7800.0
#define GRAVITY 9.81

typedef struct LinkData {
    const char* name;
    hwJointKind joint;
    double alpha, a, d, theta; // Denavit and Hartenberg, degrees
    double mass;
    hwVec3 com;
    double inertia[3];
} LinkData;

static const LinkData linkData[7] = {
    {"slew", HW_JOINT_REVOLUTE, 90, -0.65, 1.4, 0, 682.97, {-0.35, 0, 0.7}, {139.44, 139.44, 55.776}},
    {"boom1", HW_JOINT_REVOLUTE, 0, 1, 0, 45, 754, {0.5, 0, 0}, {31.42, 78.5, 78.5}},
    {"boom2", HW_JOINT_REVOLUTE, 90, 0, 0, 90, 285.22, {0, -0.5, 0}, {29.71, 11.8, 29.71}},
    {"tele1", HW_JOINT_PRISMATIC, 0, 0, 1, 0, 283.28, {0, 0, 0.5}, {29.51, 29.51, 11.8}},
    {"tele2", HW_JOINT_PRISMATIC, 0, 0, 1, 0, 254, {0, 0, 0.5}, {26.46, 26.46, 10.58}},
    {"tele3", HW_JOINT_PRISMATIC, 0, 0, 1, 0, 181.85, {0, 0, 0.5}, {18.94, 18.94, 7.58}},
    {"tele4", HW_JOINT_PRISMATIC, 0, 0, 1, 0, 95, {0, 0, 0.5}, {9.896, 9.896, 3.96}},
};

// Its joints are held by stiff controllers; the last link's body.
static hwBodyId AddCrane(hwWorld* world, hwError* error) {
    hwLinkDef links[7];
    for (int i = 0; i < 7; ++i) {
        const LinkData* data = &linkData[i];
        hwLinkDef* link = &links[i];
        *link = hwDefaultLinkDef();
        link->body.name = data->name;
        link->parent = i - 1;
        link->joint = data->joint;
        link->frame = hwMakeDhFrame(data->alpha * HW_DEGREE, data->a, data->d, data->theta * HW_DEGREE);
        link->body.mass = data->mass;
        link->body.com = data->com;
        for (int k = 0; k < 3; ++k) link->body.inertia[k] = data->inertia[k];
        link->control.mode = HW_CONTROL_POSITION;
        link->control.kp = 1e9;
        link->control.ki = 1.0;
        link->control.kd = 1e8;
        link->control.power = 5e5;
    }
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "crane";
    def.linkCount = 7;
    def.links = links;
    return hwMechanism_GetLink(world, hwWorld_AddMechanism(world, &def, error), 6);
}

static hwBodyId AddBox(hwWorld* world, const char* name, hwVec3 size, hwVec3 position, hwMotion motion,
                       hwError* error) {
    hwShapeDef box = hwDefaultShapeDef();
    box.kind = HW_SHAPE_BOX;
    box.size = size;
    box.material = "block";
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = MASS;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 32500.0;
    def.position = position;
    def.motion = motion;
    def.shapeCount = 1;
    def.shapes = &box;
    return hwWorld_AddBody(world, &def, error);
}

static hwCableId AddWire(hwWorld* world, hwBodyId tip, hwBodyId payload, hwError* error) {
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 4.64264;
    section.elements = 10;
    section.diameter = 0.024;
    section.massPerLength = 500.0 * 0.25 * HW_PI * section.diameter * section.diameter;
    section.EA = 4e6;
    section.axialDamping = 1e4;
    section.minElement = 0.2;
    section.maxElement = 0.8;
    hwCableDef def = hwDefaultCableDef();
    def.name = "wire";
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = tip, .at = {0, 0, 1}};
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = payload, .at = {0, 0, 1}};
    return hwWorld_AddCable(world, &def, error);
}

// What the block pushes the payload up with, N.
static double GetSupport(const hwWorld* world) {
    int channel = hwWorld_FindChannel(world, "payload.contact.force.z");
    return hwWorld_ReadChannel(world, channel);
}

int main(void) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    dry.gravity = GRAVITY;
    hwWorld_SetEnvironment(world, &dry, &error);
    hwMaterialDef block = hwDefaultMaterialDef();
    block.name = "block";
    block.young = 950e6;
    block.damping = 50e6;
    hwWorld_AddMaterial(world, &block, &error);
    hwBodyId tip = AddCrane(world, &error);
    hwBodyId payload =
        AddBox(world, "payload", hwMakeVec3(5, 5, 5), hwMakeVec3(3.59264, 0, 0), HW_MOTION_FREE, &error);
    AddBox(world, "ground", hwMakeVec3(100, 100, 10), hwMakeVec3(0, 0, -7.6), HW_MOTION_FIXED, &error);
    hwWorld_IgnoreContact(world, "payload", "crane", &error); // it starts around the crane's foot
    hwCableId wire = AddWire(world, tip, payload, &error);
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = wire;
    hwWinchId drum = hwWorld_AddWinch(world, &winch, &error);
    if (hwWorld_Prepare(world, &error) != HW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    hwWinch_SetTarget(world, drum, HW_WINCH_VELOCITY, 0.1, &error);
    for (int frame = 0; frame < 20 * 60; ++frame) {
        if (frame == 5 * 60) hwWinch_SetTarget(world, drum, HW_WINCH_VELOCITY, 0.0, &error);
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        if (frame % 120 != 119) continue;
        hwBodyState state;
        hwVec3 pull;
        hwBody_GetState(world, payload, &state, &error);
        hwCable_GetEndLoad(world, wire, 1, &pull, NULL, &error);
        printf("%4.0f s: payload at %.4f m, the wire pulls %.0f N, the block carries %.0f N\n",
               hwWorld_GetTime(world), state.position.z, pull.z, GetSupport(world));
    }
    hwBodyState state;
    hwVec3 pull;
    hwBody_GetState(world, payload, &state, &error);
    hwCable_GetEndLoad(world, wire, 1, &pull, NULL, &error);
    double support = GetSupport(world);
    hwDestroyWorld(world);
    bool landed = fabs(support - MASS * GRAVITY) < 0.01 * MASS * GRAVITY;
    bool slack = fabs(pull.z) < 100.0; // a little of the wire's own 11 N
    return landed && slack && fabs(state.position.z + 0.1) < 0.01 ? 0 : 1;
}
