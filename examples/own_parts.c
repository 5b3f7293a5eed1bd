// A fender, a drive and a gauge that the library does not have: force, joint and sensor laws of the caller's own.
#include "hawser/hawser.h"

#include <math.h>
#include <stdio.h>

// A progressive fender: pushes back behind the plane x = 2 with k d + k3 d^3, and damps.
static void Fender(const hwForceInput* in, hwForceOutput* out, void* context) {
    (void)context;
    double depth = in->position.x - 2.0, k = 2e5, k3 = 4e6, c = 2e4;
    if (depth <= 0.0) return;
    out->force.x = -(k * depth + k3 * depth * depth * depth) - c * in->velocity.x;
    out->stiffness[0][0] = k + 3.0 * k3 * depth * depth;
    out->damping[0][0] = c;
}

// A drive that brings a slewing joint to a quarter of a turn with a torque that saturates smoothly.
static void Slew(const hwDriveInput* in, hwDriveOutput* out, void* context) {
    double most = *(const double*)context, u = 8.0 * (0.5 * HW_PI - in->q) - 6.0 * in->qd, t = tanh(u);
    out->effort = most * t;
    out->stiffness = 8.0 * most * (1.0 - t * t);
    out->damping = 6.0 * most * (1.0 - t * t);
}

// How far the barge is from the fender.
static double Clearance(const hwWorld* world, void* context) {
    hwBodyState state;
    hwBody_GetState(world, *(const hwBodyId*)context, &state, NULL);
    return 2.0 - state.position.x;
}

int main(void) {
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&worldDef, &error);
    hwEnvironmentDef still = hwDefaultEnvironmentDef();
    still.gravity = 0.0;
    hwWorld_SetEnvironment(world, &still, &error);
    hwBodyDef barge = hwDefaultBodyDef();
    barge.name = "barge";
    barge.mass = 20e3;
    for (int i = 0; i < 3; ++i) barge.inertia[i] = 1e5;
    barge.velocity.x = 1.0;
    hwBodyId id = hwWorld_AddBody(world, &barge, &error);
    hwForceDef fender = hwDefaultForceDef();
    fender.body = id;
    fender.function = Fender;
    hwWorld_AddForce(world, &fender, &error);

    double most = 500.0;
    hwLinkDef post = hwDefaultLinkDef();
    post.body.name = "post";
    post.body.mass = 300.0;
    for (int i = 0; i < 3; ++i) post.body.inertia[i] = 200.0;
    post.drive = Slew;
    post.driveContext = &most;
    hwMechanismDef crane = hwDefaultMechanismDef();
    crane.name = "crane";
    crane.position = hwMakeVec3(-20.0, 0.0, 0.0);
    crane.linkCount = 1;
    crane.links = &post;
    hwMechanismId slewing = hwWorld_AddMechanism(world, &crane, &error);

    hwSensorDef gauge = hwDefaultSensorDef();
    gauge.name = "clearance";
    gauge.unit = "m";
    gauge.read = Clearance;
    gauge.context = &id;
    hwWorld_AddSensor(world, &gauge, &error);
    if (hwWorld_Prepare(world, &error) != HW_OK) return 1;

    int channel = hwWorld_FindChannel(world, "clearance.value");
    double least = HUGE_VAL;
    for (int i = 0; i < 600; ++i) {
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) return 1;
        least = fmin(least, hwWorld_ReadChannel(world, channel));
    }
    hwBodyState state;
    hwJointState joint;
    hwBody_GetState(world, id, &state, &error);
    hwJoint_GetState(world, hwMechanism_GetLink(world, slewing, 0), &joint, &error);
    printf("the barge came within %.3f %s and leaves at %.2f m/s; the crane stands at %.1f deg\n", least,
           hwWorld_GetChannel(world, channel).unit, state.velocity.x, joint.q * 180.0 / HW_PI);
    hwDestroyWorld(world);
    // k d^2 / 2 + k3 d^4 / 4 holds at most the 10 kJ it came with, 0.237 m; some of that is damped
    bool right =
        least < -0.1 && least > -0.237 && state.velocity.x < -0.3 && fabs(joint.q - 0.5 * HW_PI) < 1e-3;
    return right ? 0 : 1;
}
