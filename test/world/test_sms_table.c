// The table of methods in docs/sms.md: each row of seed 004 section 3.3 is exercised here, under the name that it has there.
#include "rig.h"

#include "hawser/convert.h"
#include "hawser/scene.h"

#include <sys/stat.h>

// A crane on a base that is moved by hand, a cable with a winch from its boom to a payload, and an external box below.
typedef struct Sms {
    hwWorld* world;
    hwBodyId base, boom, payload, external;
    hwCableId cable, loose;
    hwWinchId winch;
} Sms;

static hwCableId AddRope(hwWorld* world, const char* name, hwCableEndDef a, hwCableEndDef b, double length) {
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = length;
    section.elements = 4;
    section.diameter = 0.02;
    section.massPerLength = 1.0;
    section.EA = 1e6;
    section.EI = 10.0;
    section.axialDamping = 1e4;
    return AddCable(world, name, &section, a, b, 0);
}

static hwBodyId AddBox(hwWorld* world, const char* name, hwVec3 position, double size, bool fixed) {
    hwError error;
    hwShapeDef box = hwDefaultShapeDef();
    box.kind = HW_SHAPE_BOX;
    box.size = hwMakeVec3(size, size, size);
    box.material = "rubber";
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = 100.0;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = 17.0;
    def.position = position;
    def.shapeCount = 1;
    def.shapes = &box;
    if (fixed) def.motion = HW_MOTION_PRESCRIBED;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static Sms Make(void) {
    hwError error;
    hwWorldDef settings = hwDefaultWorldDef();
    settings.time = 2.0;
    Sms s = {.world = hwCreateWorld(&settings, &error)};
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    hwWorld_SetEnvironment(s.world, &dry, NULL);
    hwMaterialDef rubber = hwDefaultMaterialDef();
    rubber.name = "rubber";
    rubber.young = 1e7;
    rubber.damping = 1e5;
    assert_status(hwWorld_AddMaterial(s.world, &rubber, &error), HW_OK);
    hwBodyDef base = hwDefaultBodyDef();
    base.name = "base";
    base.motion = HW_MOTION_PRESCRIBED;
    s.base = hwWorld_AddBody(s.world, &base, &error);
    hwLinkDef boom = hwDefaultLinkDef();
    boom.body.name = "boom";
    boom.body.mass = 200.0;
    boom.body.com = hwMakeVec3(2.0, 0.0, 0.0);
    boom.body.inertia[0] = 5.0;
    boom.body.inertia[1] = boom.body.inertia[2] = 270.0;
    boom.frame.axis = hwMakeVec3(0.0, 0.0, 1.0);
    boom.control.mode = HW_CONTROL_POSITION;
    boom.control.kp = 1e7;
    boom.control.kd = 1e6;
    hwMechanismDef crane = hwDefaultMechanismDef();
    crane.name = "crane";
    crane.base = HW_BASE_BODY;
    crane.body = s.base;
    crane.linkCount = 1;
    crane.links = &boom;
    hwMechanismId id = hwWorld_AddMechanism(s.world, &crane, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    s.boom = hwMechanism_GetLink(s.world, id, 0);
    s.payload = AddBox(s.world, "payload", hwMakeVec3(4, 0, -10.5), 1.0, false);
    s.external = AddBox(s.world, "deck", hwMakeVec3(4, 0, -20), 4.0, true);
    s.cable = AddRope(s.world, "cable", Pin(s.boom, hwMakeVec3(4, 0, 0)),
                      Pin(s.payload, hwMakeVec3(0, 0, 0.5)), 10.0);
    hwCableEndDef clamp = {.joint = HW_ATTACH_CLAMP, .at = {20, 0, 0}, .p1 = {0, 1, 0}, .p2 = {0, 0, -1}};
    hwCableEndDef free = {.joint = HW_ATTACH_FREE, .at = {17, 0, 0}, .placed = true};
    clamp.p1 = hwMakeVec3(0, 0, 1);
    clamp.p2 = hwMakeVec3(0, 1, 0); // p1 x p2 = -x
    s.loose = AddRope(s.world, "loose", clamp, free, 3.0);
    // cables that are let go fall past the boxes
    static const char* const cables[2] = {"cable", "loose"};
    for (int i = 0; i < 2; ++i) {
        assert_status(hwWorld_IgnoreContact(s.world, cables[i], "payload", &error), HW_OK);
        assert_status(hwWorld_IgnoreContact(s.world, cables[i], "deck", &error), HW_OK);
    }
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = s.cable;
    winch.kp = 1e-4;
    s.winch = hwWorld_AddWinch(s.world, &winch, &error);
    if (HW_IS_NULL(s.winch)) fail_msg("%s", error.message);
    if (hwWorld_Prepare(s.world, &error) != HW_OK) fail_msg("%s", error.message);
    return s;
}

static void Step(Sms* s, double duration) {
    hwError error;
    if (hwWorld_Step(s->world, duration, &error) < HW_OK) fail_msg("%s", error.message);
}

static hwBodyState Body(const Sms* s, hwBodyId id) {
    hwBodyState state;
    assert_status(hwBody_GetState(s->world, id, &state, NULL), HW_OK);
    return state;
}

static hwCablePointState Point(const Sms* s, hwCableId cable, double at) {
    hwCablePointState point;
    assert_status(hwCable_GetPoint(s->world, cable, at, &point, NULL), HW_OK);
    return point;
}

// Cables ------------------------------------------------------------------------------------------------------------------

static void CableCreated(Sms* s) {
    assert_string_equal(hwCable_GetName(s->world, s->cable), "cable");
    assert_close(hwWorld_GetTime(s->world), 2.0, 0.0); // t0
}

static void CableEndMoved(Sms* s) {
    hwVec3 to = {20.0, 0.0, 0.1}, v = {0.0, 0.0, 1.0}, a = {0.0, 0.0, 2.0};
    assert_status(hwCable_SetEndMotion(s->world, s->loose, 0, to, v, a, NULL), HW_OK);
    Step(s, 0.1);
    assert_close_vec3(Point(s, s->loose, 0.0).position, hwMakeVec3(20.0, 0.0, 0.21), 1e-9);
    assert_close_vec3(Point(s, s->loose, 0.0).velocity, hwMakeVec3(0.0, 0.0, 1.2), 1e-9);
}

static void CableWinchAdded(Sms* s) {
    hwError error;
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "second";
    winch.cable = s->loose;
    assert_false(HW_IS_NULL(hwWorld_AddWinch(s->world, &winch, &error)));
    assert_status(hwWorld_Prepare(s->world, &error), HW_OK);
}

static void CableWinchRemoved(Sms* s) {
    hwError error;
    assert_status(hwWorld_RemoveWinch(s->world, s->winch, &error), HW_OK);
    assert_status(hwWorld_Prepare(s->world, &error), HW_OK);
    assert_true(HW_IS_NULL(hwWorld_FindWinch(s->world, "winch")));
}

static void CableLoadRead(Sms* s) {
    Step(s, 4.0);
    hwVec3 force;
    assert_status(hwCable_GetEndLoad(s->world, s->cable, 1, &force, NULL, NULL), HW_OK);
    assert_close(force.z, 100.0 * 9.81, 20.0); // the payload's weight; it swings a little in height
}

static void CablePositionRead(Sms* s) {
    assert_close_vec3(Point(s, s->cable, 5.0).position, hwMakeVec3(4, 0, -5), 1e-9);
}

static void CableVelocityRead(Sms* s) {
    Step(s, 0.05);
    hwVec3 before = Point(s, s->cable, 5.0).position;
    Step(s, 1e-4);
    hwCablePointState after = Point(s, s->cable, 5.0);
    assert_close(after.velocity.z, (after.position.z - before.z) / 1e-4,
                 1e-2 * fabs(after.velocity.z) + 1e-6);
}

static void CableAccelerationRead(Sms* s) {
    hwVec3 slope = Point(s, s->loose, 3.0).acceleration;
    assert_true(slope.z < -5.0); // its free end falls
}

static void CableTangentRead(Sms* s) {
    assert_close_vec3(Point(s, s->cable, 5.0).tangent, hwMakeVec3(0, 0, -1), 1e-9);
}

static void CableForceApplied(Sms* s) {
    assert_status(hwCable_ApplyForce(s->world, s->cable, 5.0, hwMakeVec3(100, 0, 0), NULL), HW_OK);
    Step(s, 0.3);
    assert_true(Point(s, s->cable, 5.0).position.x > 4.05);
    assert_status(hwCable_ClearForces(s->world, s->cable, NULL), HW_OK);
}

static void CableStateRead(Sms* s) {
    hwCableView view;
    assert_status(hwCable_GetView(s->world, s->cable, &view, NULL), HW_OK);
    assert_int_equal(view.nodeCount, 5);
    assert_close_vec3(view.positions[4], hwMakeVec3(4, 0, -10), 1e-9);
    assert_close(view.length, 10.0, 0.0);
}

static void CableClampTurned(Sms* s) {
    Step(s, 3.0);
    double before = Point(s, s->loose, 1.0).position.z;
    hwVec3 p1 = {-sin(0.3), 0, cos(0.3)}, p2 = {0, 1, 0}; // the clamp points up by 0.3 rad
    assert_status(
        hwCable_SetEndMotion(s->world, s->loose, 0, hwMakeVec3(20, 0, 0), hwVec3_zero, hwVec3_zero, NULL),
        HW_OK);
    assert_status(hwCable_SetEndTurn(s->world, s->loose, 0, p1, p2, hwVec3_zero, NULL), HW_OK);
    Step(s, 3.0);
    assert_true(fabs(Point(s, s->loose, 1.0).position.z - before) > 0.02);
    hwVec3 force, moment;
    double impedance[6][6];
    assert_status(hwCable_PredictEndLoad(s->world, s->loose, 0, 1.0 / 60.0, &force, &moment, impedance, NULL),
                  HW_OK);
    assert_true(impedance[0][0] > 0.0 && impedance[4][4] > 0.0);
}

static void CableAdvanced(Sms* s) {
    Step(s, 0.5);
    assert_close(hwWorld_GetTime(s->world), 2.5, 1e-12);
}

// Mass that does not weigh: the free end falls more slowly from the same forces.
static void CableMassAdded(Sms* s) {
    double bare = Point(s, s->loose, 3.0).acceleration.z;
    assert_status(hwCable_AddMass(s->world, s->loose, 3.0, 10.0, NULL), HW_OK);
    double heavy = Point(s, s->loose, 3.0).acceleration.z;
    assert_true(heavy < 0.0 && heavy > 0.2 * bare);
    Step(s, 0.1);
    assert_status(hwCable_ClearMasses(s->world, s->loose, NULL), HW_OK);
    assert_true(Point(s, s->loose, 3.0).acceleration.z < 0.5 * bare);
}

static void WrittenToDisk(Sms* s, const char* file) {
    hwError error;
    char folder[200], path[400];
    snprintf(folder, sizeof(folder), "%s/test/sms_table", HAWSER_BINARY_DIR);
    mkdir(HAWSER_BINARY_DIR "/test", 0777);
    hwSmsOutput* output = hwCreateSmsOutput(s->world, NULL, folder, &error);
    if (output == NULL) fail_msg("%s", error.message);
    for (int i = 0; i < 3; ++i) {
        Step(s, 0.1);
        assert_status(hwSmsOutput_Write(output, s->world, &error), HW_OK);
    }
    assert_status(hwDestroySmsOutput(output, &error), HW_OK);
    snprintf(path, sizeof(path), "%s/%s", folder, file);
    FILE* stream = fopen(path, "r");
    if (stream == NULL) fail_msg("no %s", path);
    int lines = 0;
    for (int c = getc(stream); c != EOF; c = getc(stream)) lines += c == '\n';
    fclose(stream);
    assert_true(lines >= 3);
}

static void CableWritten(Sms* s) {
    WrittenToDisk(s, "cable/results.dat");
}

// Winches -----------------------------------------------------------------------------------------------------------------

static void WinchCreated(Sms* s) {
    double rate, tension;
    assert_status(hwWinch_GetState(s->world, s->winch, &rate, &tension, NULL), HW_OK);
    assert_close(rate, 0.0, 0.0);
}

static void WinchModeSet(Sms* s) {
    assert_status(hwWinch_SetTarget(s->world, s->winch, HW_WINCH_TENSION, 500.0, NULL), HW_OK);
    Step(s, 0.5);
    double rate;
    hwWinch_GetState(s->world, s->winch, &rate, NULL, NULL);
    assert_true(rate > 0.0); // it pulls with the payload's 981 N
}

static void WinchVelocitySet(Sms* s) {
    assert_status(hwWinch_SetTarget(s->world, s->winch, HW_WINCH_VELOCITY, 0.2, NULL), HW_OK);
    Step(s, 1.0);
    double rate;
    hwWinch_GetState(s->world, s->winch, &rate, NULL, NULL);
    assert_close(rate, 0.2, 1e-12);
}

static void WinchLimitsSet(Sms* s) {
    assert_status(hwWinch_SetLimits(s->world, s->winch, 0.1, -0.1, NULL), HW_OK);
    assert_status(hwWinch_SetTarget(s->world, s->winch, HW_WINCH_VELOCITY, 1.0, NULL), HW_OK);
    Step(s, 1.0);
    double rate;
    hwWinch_GetState(s->world, s->winch, &rate, NULL, NULL);
    assert_close(rate, 0.1, 1e-6);
}

// Payloads ----------------------------------------------------------------------------------------------------------------

static void PayloadCreated(Sms* s) {
    assert_string_equal(hwBody_GetName(s->world, s->payload), "payload");
}

static void PayloadPlaced(Sms* s) {
    hwBodyState state = Body(s, s->payload);
    state.position.x += 0.1;
    state.velocity = hwMakeVec3(0, 0.5, 0);
    assert_status(hwBody_SetState(s->world, s->payload, &state, NULL), HW_OK);
    assert_close(Body(s, s->payload).position.x, 4.1, 1e-12);
    assert_close(Body(s, s->payload).velocity.y, 0.5, 1e-12);
}

// The free end of the loose cable is led to the payload and held there.
static void AttachLoose(Sms* s, hwBodyId body, bool clamped) {
    hwError error;
    hwVec3 place = Point(s, s->loose, 3.0).position;
    hwBodyState state = Body(s, body);
    hwCableEndDef end = Pin(body, hwRotate(hwConjugate(state.attitude), hwSub(place, state.position)));
    if (clamped) {
        end.joint = HW_ATTACH_CLAMP;
        end.p1 = hwMakeVec3(0, 0, 1);
        end.p2 = hwMakeVec3(0, 1, 0);
    }
    hwStatus status = hwCable_Attach(s->world, s->loose, 1, &end, &error);
    if (status != HW_OK) fail_msg("%s", error.message);
    Step(s, 0.2);
    hwBodyState later = Body(s, body);
    hwVec3 held = hwAdd(later.position, hwRotate(later.attitude, end.at));
    hwCableView view;
    hwCable_GetView(s->world, s->loose, &view, NULL);
    assert_close_vec3(view.positions[view.nodeCount - 1], held,
                      1e-5); // the end's row is that of the last sub-step
    assert_status(hwCable_Detach(s->world, s->loose, 1, &error), HW_OK);
}

static void PayloadPinned(Sms* s) {
    AttachLoose(s, s->payload, false);
}

static void PayloadClamped(Sms* s) {
    AttachLoose(s, s->payload, true);
}

static void PayloadDetached(Sms* s) {
    assert_status(hwCable_Detach(s->world, s->cable, 1, NULL), HW_OK);
    Step(s, 0.5);
    assert_close(Body(s, s->payload).velocity.z, -0.5 * 9.81, 1e-6);
}

static void PayloadPushed(Sms* s) {
    hwCable_Detach(s->world, s->cable, 1, NULL);
    hwVec3 at = Body(s, s->payload).position;
    assert_status(hwBody_ApplyWrench(s->world, s->payload, hwMakeVec3(50, 0, 981), hwMakeVec3(0, 0, 17), at,
                                     HW_FRAME_WORLD, NULL),
                  HW_OK);
    Step(s, 1.0);
    assert_close(Body(s, s->payload).velocity.x, 0.5, 1e-6);
    assert_close(Body(s, s->payload).rate.z, 1.0, 1e-6);
    assert_status(hwBody_ClearForces(s->world, s->payload, NULL), HW_OK);
}

static void PayloadAddedMass(Sms* s) {
    double added[36] = {0};
    for (int i = 0; i < 3; ++i) added[7 * i] = 100.0;
    hwCable_Detach(s->world, s->cable, 1, NULL);
    assert_status(hwBody_SetAddedMass(s->world, s->payload, added, NULL), HW_OK);
    assert_close(Body(s, s->payload).acceleration.z, -0.5 * 9.81, 1e-9);
    memset(added, 0, sizeof(added));
    assert_status(hwBody_SetAddedMass(s->world, s->payload, added, NULL), HW_OK);
    assert_close(Body(s, s->payload).acceleration.z, -9.81, 1e-9);
}

static void PayloadRead(Sms* s) {
    hwBodyState state = Body(s, s->payload);
    assert_close_vec3(state.position, hwMakeVec3(4, 0, -10.5), 1e-12);
    assert_close_vec3(state.velocity, hwVec3_zero, 1e-12);
    assert_true(state.acceleration.z < -5.0); // the cable does not carry yet
    assert_close(hwWorld_ReadChannel(s->world, hwWorld_FindChannel(s->world, "payload.position.z")), -10.5,
                 1e-12);
}

static void PayloadBoundary(Sms* s) {
    Step(s, 0.3);
    hwBodyState state = Body(s, s->payload);
    hwCableView view;
    hwCable_GetView(s->world, s->cable, &view, NULL);
    hwVec3 eye = hwAdd(state.position, hwRotate(state.attitude, hwMakeVec3(0, 0, 0.5)));
    assert_close_vec3(view.positions[view.nodeCount - 1], eye, 1e-5);
    assert_close(view.velocities[view.nodeCount - 1].z, state.velocity.z, 1e-3);
}

static void PayloadWritten(Sms* s) {
    WrittenToDisk(s, "payload/results.dat");
}

// Cranes ------------------------------------------------------------------------------------------------------------------

static void CraneCreated(Sms* s) {
    assert_string_equal(hwBody_GetName(s->world, s->boom), "crane.boom");
}

static void CraneBaseMoved(Sms* s) {
    hwBodyState state = Body(s, s->base);
    state.velocity = hwMakeVec3(0.1, 0, 0);
    state.acceleration = hwMakeVec3(0.2, 0, 0);
    assert_status(hwBody_SetState(s->world, s->base, &state, NULL), HW_OK);
    Step(s, 0.5);
    assert_close(Body(s, s->base).position.x, 0.1 * 0.5 + 0.1 * 0.25, 1e-9);
    assert_close(Body(s, s->boom).position.x, 0.075, 1e-6);
}

static void CraneVelocityTarget(Sms* s) {
    assert_status(hwJoint_SetMode(s->world, s->boom, HW_CONTROL_VELOCITY, NULL), HW_OK);
    assert_status(hwJoint_SetTarget(s->world, s->boom, hwMakeVec3(0.1, 0, 0), NULL), HW_OK);
    Step(s, 0.5);
    hwJointState joint;
    hwJoint_GetState(s->world, s->boom, &joint, NULL);
    assert_close(joint.qd, 0.1, 1e-3);
}

static void CraneDisplacementTarget(Sms* s) {
    assert_status(hwJoint_SetTarget(s->world, s->boom, hwMakeVec3(0.05, 0, 0), NULL), HW_OK);
    Step(s, 3.0);
    hwJointState joint;
    hwJoint_GetState(s->world, s->boom, &joint, NULL);
    assert_close(joint.q, 0.05, 1e-3);
}

static void CranePinned(Sms* s) {
    AttachLoose(s, s->boom, false);
}

static void CraneClamped(Sms* s) {
    AttachLoose(s, s->boom, true);
}

static void CraneBoundary(Sms* s) {
    Step(s, 0.2);
    hwBodyState state = Body(s, s->boom);
    hwVec3 eye = hwAdd(state.position, hwRotate(state.attitude, hwMakeVec3(4, 0, 0)));
    assert_close_vec3(Point(s, s->cable, 0.0).position, eye, 1e-5);
}

static void CraneDetached(Sms* s) {
    hwWorld_RemoveWinch(s->world, s->winch, NULL);
    hwWorld_Prepare(s->world, NULL);
    assert_status(hwCable_Detach(s->world, s->cable, 0, NULL), HW_OK);
    Step(s, 0.5);
    assert_true(Point(s, s->cable, 0.0).position.z < -0.5);
}

static void CranePushed(Sms* s) {
    hwJoint_SetMode(s->world, s->boom, HW_CONTROL_PASSIVE, NULL);
    assert_status(hwBody_ApplyWrench(s->world, s->boom, hwMakeVec3(0, 500, 0), hwVec3_zero,
                                     hwMakeVec3(4, 0, 0), HW_FRAME_BODY, NULL),
                  HW_OK);
    Step(s, 0.2);
    hwJointState joint;
    hwJoint_GetState(s->world, s->boom, &joint, NULL);
    assert_true(joint.qd > 0.1);
    assert_status(hwBody_ClearForces(s->world, s->boom, NULL), HW_OK);
}

static void CraneRead(Sms* s) {
    hwJointState joint;
    assert_status(hwJoint_GetState(s->world, s->boom, &joint, NULL), HW_OK);
    assert_close(joint.q, 0.0, 1e-12);
}

static void CraneWritten(Sms* s) {
    WrittenToDisk(s, "crane/results.dat");
}

// Contact -----------------------------------------------------------------------------------------------------------------

// The payload falls on the box below.
static void ContactFelt(Sms* s) {
    hwBodyState state = Body(s, s->external);
    state.position = hwMakeVec3(4, 0, -14);
    assert_status(hwBody_SetState(s->world, s->external, &state, NULL), HW_OK);
    hwCable_Detach(s->world, s->cable, 1, NULL);
    Step(s, 3.0);
    const hwContactView* contacts;
    int count = hwWorld_GetContacts(s->world, &contacts);
    assert_true(count > 0);
    double up = 0.0;
    for (int i = 0; i < count; ++i) {
        if (strcmp(contacts[i].b, "payload") == 0) up += contacts[i].force.z;
        if (strcmp(contacts[i].a, "payload") == 0) up -= contacts[i].force.z;
    }
    assert_close(up, 100.0 * 9.81, 0.02 * 100.0 * 9.81);       // it has come to rest
    assert_close(Body(s, s->payload).position.z, -11.5, 0.02); // on top of the box
}

static void ContactWritten(Sms* s) {
    ContactFelt(s);
    WrittenToDisk(s, "payload/results.dat");
}

// The table ---------------------------------------------------------------------------------------------------------------

typedef struct Row {
    const char* method; // as in docs/sms.md
    void (*exercise)(Sms* s);
} Row;

static const Row rows[] = {
    {"Cable()", CableCreated},
    {"Cable::SetNode0BoundaryConditions, SetNodeNBoundaryConditions", CableEndMoved},
    {"Cable::SetNode0Pos, SetNode0Vel, SetNode0Accel, SetNodeNPos, SetNodeNVel, SetNodeNAccel",
     CableEndMoved},
    {"Cable::AddWinch0, AddWinchN", CableWinchAdded},
    {"Cable::DetachWinch", CableWinchRemoved},
    {"Cable::GetNode0Load, GetNodeNLoad", CableLoadRead},
    {"Cable::GetPosition", CablePositionRead},
    {"Cable::GetVelocity", CableVelocityRead},
    {"Cable::GetAcceleration", CableAccelerationRead},
    {"Cable::GetTangent", CableTangentRead},
    {"Cable::AddForce", CableForceApplied},
    {"Cable::GetState", CableStateRead},
    {"Cable::SetNode0BoundaryConditions, SetNodeNBoundaryConditions with drds, P1, P2", CableClampTurned},
    {"Cable::AdvanceTime", CableAdvanced},
    {"Cable::AddMass, ClearMasses", CableMassAdded},
    {"Cable::OutputSimObjectData", CableWritten},
    {"Winch()", WinchCreated},
    {"Winch::SetMode", WinchModeSet},
    {"Winch::SetVelocitySetPoint", WinchVelocitySet},
    {"Winch::SetTensionSetPoint", WinchModeSet},
    {"Winch::SetAccelDecelLimits", WinchLimitsSet},
    {"Payload()", PayloadCreated},
    {"Payload::SetPosOri", PayloadPlaced},
    {"Payload::AddCablePinned", PayloadPinned},
    {"Payload::AddCableClamped", PayloadClamped},
    {"Payload::DetachCable", PayloadDetached},
    {"Payload::ApplyExternalForce, ClearForces", PayloadPushed},
    {"Payload::AddAddedMass, ClearAddedMass", PayloadAddedMass},
    {"Payload::GetState", PayloadRead},
    {"Payload::GetPosition", PayloadRead},
    {"Payload::GetVelocity", PayloadRead},
    {"Payload::GetAcceleration", PayloadRead},
    {"Payload::GetBCInfo", PayloadBoundary},
    {"Payload::AdvanceTime", CableAdvanced},
    {"Payload::OutputSimObjectData", PayloadWritten},
    {"BoomCrane()", CraneCreated},
    {"BoomCrane::SetBaseGlobalPositionAndOrientation", CraneBaseMoved},
    {"BoomCrane::SetTargetJointVelocity", CraneVelocityTarget},
    {"BoomCrane::SetTargetJointDisplacement", CraneDisplacementTarget},
    {"BoomCrane::AddCablePinned", CranePinned},
    {"BoomCrane::AddCableClamped", CraneClamped},
    {"BoomCrane::GetBCInfo", CraneBoundary},
    {"BoomCrane::DetachCable", CraneDetached},
    {"BoomCrane::ApplyExternalForce, ClearRigidBodyForces", CranePushed},
    {"BoomCrane::GetState", CraneRead},
    {"BoomCrane::AdvanceTime", CableAdvanced},
    {"BoomCrane::OutputSimObjectData", CraneWritten},
    {"Payload::AddPrimitiveContactPolyhedron, Add3DSContactPolyhedron", ContactFelt},
    {"Payload::AddExternalPrimitiveContactPolyhedron, AddExternal3DSContactPolyhedron", ContactFelt},
    {"Payload::SetMaterialProperties, SetExternalObjectMaterialProperties", ContactFelt},
    {"Payload::SetExternalContactPolyhedraPositionOrientation", ContactFelt},
    {"Payload::OutputSimObjectData with contact", ContactWritten},
};
#define ROWS ((int)(sizeof(rows) / sizeof(rows[0])))

static void EveryRowWorks(void** state) {
    (void)state;
    for (int i = 0; i < ROWS; ++i) {
        Sms s = Make();
        print_message("%s\n", rows[i].method);
        rows[i].exercise(&s);
        hwDestroyWorld(s.world);
    }
}

// The document has a row for each of these and none besides.
static void TableIsTheDocuments(void** state) {
    (void)state;
    FILE* stream = fopen(HAWSER_SOURCE_DIR "/docs/sms.md", "r");
    assert_non_null(stream);
    char line[1000];
    bool inside = false;
    int found = 0;
    while (fgets(line, sizeof(line), stream) != NULL) {
        if (line[0] == '#')
            inside = strncmp(line, "## Methods", 10) == 0 || (inside && strncmp(line, "###", 3) == 0);
        if (!inside || strncmp(line, "| `", 3) != 0) continue;
        char* end = strstr(line, "` |");
        assert_non_null(end);
        *end = 0;
        bool known = false;
        for (int i = 0; i < ROWS; ++i) known = known || strcmp(rows[i].method, line + 3) == 0;
        if (!known) fail_msg("the document has `%s`, which is not tested", line + 3);
        found += 1;
    }
    fclose(stream);
    assert_int_equal(found, ROWS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(EveryRowWorks),
        cmocka_unit_test(TableIsTheDocuments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
