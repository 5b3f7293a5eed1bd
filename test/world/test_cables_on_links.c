// Cables on links of mechanisms: several on one link, between links of one tree, of two trees, on a base that moves.
#include "rig.h"

#include "hawser/reference.h"
#include "inside.h"

static hwError error;

static void Expect(hwStatus status) {
    if (status < HW_OK) fail_msg("%s", error.message);
}

static void Frames(hwWorld* world, int count) {
    for (int i = 0; i < count; ++i) Expect(hwWorld_Step(world, 1.0 / 60.0, &error));
}

static hwWorld* MakeWorld(double gravity, bool reference, double tolerance) {
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.tolerance = tolerance;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.gravity = gravity;
    Expect(hwWorld_SetEnvironment(world, &environment, &error));
    if (reference) Expect(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error));
    return world;
}

// A beam along x from its joint.
static hwLinkDef Beam(const char* name, int parent, hwJointKind joint, double length, double mass) {
    hwLinkDef link = hwDefaultLinkDef();
    link.body.name = name;
    link.body.mass = mass;
    link.body.com = hwMakeVec3(0.5 * length, 0.0, 0.0);
    link.body.inertia[0] = 0.02 * mass;
    link.body.inertia[1] = link.body.inertia[2] = mass * length * length / 12.0;
    link.parent = parent;
    link.joint = joint;
    return link;
}

static void Hold(hwLinkDef* link, double kp) {
    link->control.mode = HW_CONTROL_POSITION;
    link->control.kp = kp;
    link->control.kd = 0.1 * kp;
}

static hwCableEndDef PinTo(hwWorld* world, const char* body, double x, double y, double z) {
    hwCableEndDef end = {.joint = HW_ATTACH_PIN, .at = hwMakeVec3(x, y, z)};
    if (body != NULL) end.body = hwWorld_FindBody(world, body);
    return end;
}

// Straight between its ends, `slack` longer than the way.
static void AddWire(hwWorld* world, const char* name, double way, double slack, double EA, hwCableEndDef a,
                    hwCableEndDef b) {
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = way * (1.0 + slack);
    section.elements = 4;
    section.diameter = 0.02;
    section.massPerLength = 1.0;
    section.EA = EA;
    section.axialDamping = 1e-3 * EA;
    hwCableDef def = hwDefaultCableDef();
    def.name = name;
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = a;
    def.ends[1] = b;
    if (HW_IS_NULL(hwWorld_AddCable(world, &def, &error))) fail_msg("%s", error.message);
}

// A crane on a deck: slew, boom, telescope, a beam on a ball joint at its tip. Two slings from the telescope and one
// from the boom carry a load; a stay joins slew and telescope of the same tree; a line goes from the load to a link of a
// second mechanism that is adrift; two lines go from the beam to the earth and to the slew.
static hwWorld* MakeCrane(bool reference, double tolerance, double kp, double EA) {
    hwWorld* world = MakeWorld(9.81, reference, tolerance);
    hwContactDef contact = hwDefaultContactDef();
    contact.cables =
        false; // the slings cross: they would strike each other, and what is asked here is something else
    Expect(hwWorld_SetContact(world, &contact, &error));
    hwSignalTerm heave = hwSineTerm(hwMakeVec3(0.0, 0.0, 0.3), 7.0, 0.0);
    hwSignalTerm roll = hwSineTerm(hwMakeVec3(0.03, 0.02, 0.0), 9.0, 0.0);
    hwBodyDef deck = hwDefaultBodyDef();
    deck.name = "deck";
    deck.mass = 1e5;
    deck.motion = HW_MOTION_PRESCRIBED;
    deck.prescribedPosition = (hwSignal){1, &heave};
    deck.prescribedAttitude = (hwSignal){1, &roll};
    hwBodyId on = hwWorld_AddBody(world, &deck, &error);
    hwVec3 z = hwMakeVec3(0.0, 0.0, 1.0), y = hwMakeVec3(0.0, -1.0, 0.0), x = hwMakeVec3(1.0, 0.0, 0.0);
    hwLinkDef links[4] = {
        Beam("slew", -1, HW_JOINT_REVOLUTE, 0.5, 300.0), Beam("boom", 0, HW_JOINT_REVOLUTE, 4.0, 400.0),
        Beam("tele", 1, HW_JOINT_PRISMATIC, 2.0, 150.0), Beam("beam", 2, HW_JOINT_BALL, 1.0, 30.0)};
    links[0].frame = hwMakeJointFrame(hwVec3_zero, hwQuat_identity, z);
    links[1].frame = hwMakeJointFrame(hwMakeVec3(0.0, 0.0, 2.0), hwQuat_identity, y);
    links[2].frame = hwMakeJointFrame(hwMakeVec3(4.0, 0.0, 0.0), hwQuat_identity, x);
    links[3].frame = hwMakeJointFrame(hwMakeVec3(2.0, 0.0, 0.0), hwQuat_identity, z);
    for (int i = 0; i < 3; ++i) Hold(&links[i], kp);
    links[3].friction.viscous = 20.0;
    hwMechanismDef crane = hwDefaultMechanismDef();
    crane.name = "crane";
    crane.base = HW_BASE_BODY;
    crane.body = on;
    crane.links = links;
    crane.linkCount = 4;
    assert_false(HW_IS_NULL(hwWorld_AddMechanism(world, &crane, &error)));
    hwBodyDef load = hwDefaultBodyDef();
    load.name = "load";
    load.mass = 2000.0;
    for (int i = 0; i < 3; ++i) load.inertia[i] = 500.0;
    load.position = hwMakeVec3(5.0, 0.0, -3.0);
    assert_false(HW_IS_NULL(hwWorld_AddBody(world, &load, &error)));
    hwLinkDef arm = Beam("arm", -1, HW_JOINT_REVOLUTE, 1.0, 40.0);
    arm.friction.viscous = 50.0;
    hwMechanismDef drone = hwDefaultMechanismDef();
    drone.name = "drone";
    drone.base = HW_BASE_FREE;
    drone.free.mass = 100.0;
    for (int i = 0; i < 3; ++i) drone.free.inertia[i] = 10.0;
    drone.free.position = hwMakeVec3(4.0, 0.0, -8.0);
    drone.links = &arm;
    drone.linkCount = 1;
    assert_false(HW_IS_NULL(hwWorld_AddMechanism(world, &drone, &error)));

    AddWire(world, "sling1", hypot(5.0, 0.5), 0.0, EA, PinTo(world, "crane.tele", 1.5, 0.0, 0.0),
            PinTo(world, "load", 0.0, 0.0, 0.0));
    AddWire(world, "sling2", sqrt(25.0 + 1.0 + 1.0), 0.0, EA, PinTo(world, "crane.tele", 0.0, 0.5, 0.0),
            PinTo(world, "load", 0.0, -0.5, 0.0));
    AddWire(world, "sling3", hypot(5.0, 2.0), 0.0, EA, PinTo(world, "load", 0.0, 0.0, 0.0),
            PinTo(world, "crane.boom", 3.0, 0.0, 0.0));
    AddWire(world, "stay", hypot(2.0, 5.0), -1e-4, EA, PinTo(world, "crane.slew", 0.0, 0.0, 4.0),
            PinTo(world, "crane.tele", 1.0, 0.0, 0.0));
    AddWire(world, "drop", 5.0, 0.0, 0.1 * EA, PinTo(world, "load", 0.0, 0.0, 0.0),
            PinTo(world, "drone.arm", 1.0, 0.0, 0.0));
    AddWire(world, "tag1", hypot(7.0, 1.0), 0.05, 0.1 * EA, PinTo(world, "crane.beam", 1.0, 0.0, 0.0),
            PinTo(world, NULL, 7.0, 7.0, 1.0));
    AddWire(world, "tag2", hypot(7.0, 2.0), 0.05, 0.1 * EA, PinTo(world, "crane.beam", 1.0, 0.0, 0.0),
            PinTo(world, "crane.slew", 0.0, 0.0, 0.0));
    Expect(hwWorld_Prepare(world, &error));
    return world;
}

// Everything is one linear system. Symmetry of the inverse with stiffness, and M times the solution without.
static void StructuredSolveIsExact(void** state) {
    (void)state;
    hwWorld* world = MakeCrane(false, 0.0, 1e7, 1e6);
    Frames(world, 12);
    int n = world->model.freedomCount;
    hwState* s = &world->state;
    double *b = calloc(4 * (size_t)n, sizeof(double)), *c = b + n, *x = c + n, *y = x + n;
    const double hd = 0.005;
    EvaluateWorld(world, s->header->time, hd);
    Expect(hwWorld_Factor(world, hd, NULL, &error));
    uint64_t seed = 1;
    // links, and the inner nodes of each cable; end nodes are not unknowns of their own
    for (int slot = -1; slot < world->model.cables->count; ++slot) {
        int from = slot < 0 ? 0 : world->model.cables->slots[slot].freedom + 3;
        int to = slot < 0 ? world->model.forest.freedomCount
                          : world->model.cables->slots[slot].freedom +
                                3 * (s->cables->stores[slot].core->nodes - 1);
        for (int i = from; i < to; ++i) b[i] = TestRandom(&seed), c[i] = TestRandom(&seed);
    }
    hwWorld_SolveFactored(world, b, x);
    hwWorld_SolveFactored(world, c, y);
    double left = 0.0, right = 0.0, size = 0.0;
    for (int i = 0; i < n; ++i) left += c[i] * x[i], right += b[i] * y[i], size += fabs(c[i] * x[i]);
    assert_close(left, right, 1e-11 * size);
    EvaluateWorld(world, s->header->time, 0.0);
    Expect(hwWorld_Factor(world, 0.0, NULL, &error));
    hwWorld_SolveFactored(world, b, x);
    hwWorld_MultiplyMass(world, x, y);
    for (int i = 0; i < n; ++i) assert_close(y[i], b[i], 1e-10);
    free(b);
    hwDestroyWorld(world);
}

// The frames of a trainer against adaptive error control, and energy in both.
static void BothSolversAgree(void** state) {
    (void)state;
    const char* names[] = {"load.position.x", "load.position.z", "drone.base.position.x",
                           "drone.arm.q",     "crane.boom.q",    "crane.beam.position.x"};
    double value[2][6];
    for (int reference = 0; reference < 2; ++reference) {
        hwWorld* world = MakeCrane(reference == 1, reference == 1 ? 1e-8 : 1e-4, 1e7, 1e6);
        double start = Read(world, "world.energy.balance");
        Frames(world, 120);
        for (int k = 0; k < 6; ++k) value[reference][k] = Read(world, names[k]);
        // some 3e4 J change hands
        assert_close(Read(world, "world.energy.balance"), start, reference ? 0.5 : 30.0);
        hwDestroyWorld(world);
    }
    for (int k = 0; k < 6; ++k) assert_close(value[0][k], value[1][k], 5e-3);
}

// kp = 1e9, wires of EA = 1e9, a load that is heavy against them: frame steps for a minute, nothing rattles.
static void StiffCraneIsStableAtFrameRate(void** state) {
    (void)state;
    hwWorld* world = MakeCrane(false, 0.0, 1e9, 1e9);
    Frames(world, 60); // the stay's prestress, 27 J, and the loads come into their wires
    double start = Read(world, "world.energy.balance");
    for (int i = 0; i < 59; ++i) {
        Frames(world, 60);
        assert_true(fabs(Read(world, "crane.boom.q")) < 1e-3);
        assert_true(Read(world, "load.position.z") > -3.6 && Read(world, "load.position.z") < -2.4);
        // the solver's damping takes; of the 1e4 J that go up and down the audit rounds less than a thousandth
        assert_true(Read(world, "world.energy.balance") < start + 10.0);
    }
    hwDestroyWorld(world);
}

// At rest a joint carries the moment of the weights behind it and of the cables' end loads, each read separately.
static void JointsCarryWhatHangsOnThem(void** state) {
    (void)state;
    hwWorldDef rest = hwDefaultWorldDef();
    rest.statics = true;
    hwWorld* world = hwCreateWorld(&rest, &error);
    assert_non_null(world);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    Expect(hwWorld_SetEnvironment(world, &environment, &error));
    hwLinkDef boom = Beam("boom", -1, HW_JOINT_REVOLUTE, 4.0, 100.0);
    boom.frame = hwMakeJointFrame(hwVec3_zero, hwQuat_identity, hwMakeVec3(0.0, -1.0, 0.0));
    Hold(&boom, 1e9);
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "m";
    def.links = &boom;
    def.linkCount = 1;
    assert_false(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    const double at[3] = {1.0, 2.5, 4.0}, mass[3] = {10.0, 200.0, 50.0};
    const char* loads[3] = {"l0", "l1", "l2"};
    const char* wires[3] = {"w0", "w1", "w2"};
    for (int i = 0; i < 3; ++i) {
        hwBodyDef load = hwDefaultBodyDef();
        load.name = loads[i];
        load.mass = mass[i];
        for (int k = 0; k < 3; ++k) load.inertia[k] = mass[i];
        load.position = hwMakeVec3(at[i], 0.0, -3.0);
        assert_false(HW_IS_NULL(hwWorld_AddBody(world, &load, &error)));
        AddWire(world, wires[i], 3.0, 0.0, 1e5, PinTo(world, "m.boom", at[i], 0.0, 0.0),
                PinTo(world, loads[i], 0.0, 0.0, 0.0));
    }
    Expect(hwWorld_Prepare(world, &error));
    double moment = 100.0 * 9.81 * 2.0, read = moment;
    for (int i = 0; i < 3; ++i) {
        hwVec3 force;
        Expect(hwCable_GetEndLoad(world, hwWorld_FindCable(world, wires[i]), 0, &force, NULL, &error));
        moment += at[i] * (mass[i] + 3.0) * 9.81; // the wire weighs 3 kg
        read -= at[i] * force.z;
    }
    assert_close(Read(world, "m.boom.effort"), moment, 1e-6 * moment);
    assert_close(read, moment, 1e-6 * moment);
    hwDestroyWorld(world);
}

// Adrift without weight: two mechanisms and their wires keep momentum and angular momentum.
static void MomentumIsKept(void** state) {
    (void)state;
    hwWorld* world = MakeWorld(0.0, true, 1e-10);
    const char* names[2] = {"p", "q"};
    for (int i = 0; i < 2; ++i) {
        hwLinkDef links[2] = {Beam("a", -1, HW_JOINT_REVOLUTE, 1.0, 5.0),
                              Beam("b", 0, HW_JOINT_BALL, 1.0, 3.0)};
        links[0].qd = 1.0 - 1.5 * i;
        links[1].frame.position = hwMakeVec3(1.0, 0.0, 0.0);
        links[1].turnRate = hwMakeVec3(0.3, 1.0, -0.5);
        hwMechanismDef def = hwDefaultMechanismDef();
        def.name = names[i];
        def.base = HW_BASE_FREE;
        def.free.mass = 10.0;
        for (int k = 0; k < 3; ++k) def.free.inertia[k] = 2.0;
        def.free.position = hwMakeVec3(0.0, 3.0 * i, 0.0);
        def.free.velocity = hwMakeVec3(0.2, 0.5 * i, -0.1);
        def.links = links;
        def.linkCount = 2;
        assert_false(HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)));
    }
    AddWire(world, "tip", 3.0, 0.0, 1e3, PinTo(world, "p.b", 1.0, 0.0, 0.0),
            PinTo(world, "q.b", 1.0, 0.0, 0.0));
    AddWire(world, "mid", 3.0, 0.0, 1e3, PinTo(world, "p.b", 0.0, 0.0, 0.0),
            PinTo(world, "q.a", 1.0, 0.0, 0.0));
    AddWire(world, "loop", 1.0, 0.1, 1e3, PinTo(world, "p.base", 0.0, 0.0, 0.0),
            PinTo(world, "p.b", 0.0, 0.0, 0.0));
    Expect(hwWorld_Prepare(world, &error));
    // links and the wires' elements, one by one
    double start[6], end[6];
    for (int round = 0; round < 2; ++round) {
        double* sum = round == 0 ? start : end;
        memset(sum, 0, 6 * sizeof(double));
        for (int i = 0; i < 2; ++i) {
            const char* parts[3] = {"base", "a", "b"};
            const double mass[3] = {10.0, 5.0, 3.0};
            for (int k = 0; k < 3; ++k) {
                char name[16];
                snprintf(name, sizeof(name), "%s.%s", names[i], parts[k]);
                hwBodyState s;
                hwBodyId body = hwWorld_FindBody(world, name);
                Expect(hwBody_GetState(world, body, &s, &error));
                const hwBodyDef* d = hwBody_GetDef(world, body);
                hwVec3 arm = hwRotate(s.attitude, d->com);
                hwVec3 w = hwRotate(s.attitude, s.rate);
                hwVec3 p = hwAdd(s.position, arm), v = hwAdd(s.velocity, hwCross(w, arm));
                hwVec3 own =
                    hwMakeVec3(d->inertia[0] * s.rate.x, d->inertia[1] * s.rate.y, d->inertia[2] * s.rate.z);
                hwVec3 spin = hwAdd(hwScale(mass[k], hwCross(p, v)), hwRotate(s.attitude, own));
                const double part[6] = {mass[k] * v.x, mass[k] * v.y, mass[k] * v.z, spin.x, spin.y, spin.z};
                for (int j = 0; j < 6; ++j) sum[j] += part[j];
            }
        }
        const char* wires[3] = {"tip", "mid", "loop"};
        for (int i = 0; i < 3; ++i) {
            // element mass matrix of a cable: shares 5/12 and 1/12 (docs/numerics.md)
            hwCableView view;
            Expect(hwCable_GetView(world, hwWorld_FindCable(world, wires[i]), &view, &error));
            double m = view.length / view.elementCount;
            for (int e = 0; e < view.elementCount; ++e) {
                hwVec3 v0 = view.velocities[e], v1 = view.velocities[e + 1];
                hwVec3 p0 = hwScale(m / 12.0, hwAdd(hwScale(5.0, v0), v1));
                hwVec3 p1 = hwScale(m / 12.0, hwAdd(hwScale(5.0, v1), v0));
                hwVec3 spin = hwAdd(hwCross(view.positions[e], p0), hwCross(view.positions[e + 1], p1));
                hwVec3 p = hwAdd(p0, p1);
                const double part[6] = {p.x, p.y, p.z, spin.x, spin.y, spin.z};
                for (int j = 0; j < 6; ++j) sum[j] += part[j];
            }
        }
        if (round == 0) Expect(hwWorld_Step(world, 3.0, &error));
    }
    for (int j = 0; j < 6; ++j) assert_close(end[j], start[j], 1e-6);
    hwDestroyWorld(world);
}

static void ExpectEndsOnLinks(const hwWorld* world, const char* wire, hwBodyId body, hwVec3 at,
                              double within) {
    hwCableView view;
    hwBodyState s;
    Expect(hwCable_GetView(world, hwWorld_FindCable(world, wire), &view, &error));
    Expect(hwBody_GetState(world, body, &s, &error));
    assert_close_vec3(view.positions[view.elementCount], hwAdd(s.position, hwRotate(s.attitude, at)), within);
}

// The end of a wire is where its body is, however fast that turns and for however long: what holds it gives its place, not
// the sum of its velocities. Let go, the wire is as it was, and no stretch that was not there flings it away.
static void EndsStayOnWhatTurns(void** state) {
    (void)state;
    const char* wires[2] = {"dynamic", "vee"};
    for (int k = 0; k < 2; ++k) {
        hwWorld* world = MakeWorld(9.81, false, 0.0);
        hwBodyDef top = hwDefaultBodyDef();
        top.name = "top";
        top.mass = 50.0;
        for (int i = 0; i < 3; ++i) top.inertia[i] = 5.0;
        top.position = hwMakeVec3(0.0, 0.0, -4.0);
        top.rate = hwMakeVec3(0.0, 0.0, 30.0);
        hwBodyId body = hwWorld_AddBody(world, &top, &error);
        hwVec3 at = hwMakeVec3(0.3, 0.0, 0.2);
        hwCableSectionDef section = hwDefaultCableSectionDef();
        section.length = 4.5;
        section.elements = 5;
        section.diameter = 0.01;
        section.massPerLength = 0.2;
        section.EA = 1e7;
        section.axialDamping = 1e4;
        hwCableDef def = hwDefaultCableDef();
        def.name = wires[k];
        def.kind = k == 0 ? HW_CABLE_DYNAMIC : HW_CABLE_VEE;
        def.sectionCount = 1;
        def.sections = &section;
        def.shape = HW_CABLE_CATENARY_SHAPE;
        def.ends[0] = PinTo(world, NULL, 0.0, 0.0, 0.0);
        def.ends[1] = PinTo(world, "top", at.x, at.y, at.z);
        hwCableId id = hwWorld_AddCable(world, &def, &error);
        if (HW_IS_NULL(id)) fail_msg("%s", error.message);
        Expect(hwWorld_Prepare(world, &error));
        for (int i = 0; i < 300; ++i) {
            Expect(hwWorld_Step(world, 1.0 / 60.0, &error));
            // Newton's last correction of a frame is 1e-9 of 10 m/s
            ExpectEndsOnLinks(world, wires[k], body, at, 1e-8);
        }
        hwEnergy before = hwWorld_GetEnergy(world);
        if (k == 0) {
            Expect(hwCable_Detach(world, id, 1, &error));
            hwEnergy after = hwWorld_GetEnergy(world);
            assert_close(after.elastic, before.elastic, 1e-3 * (1.0 + before.elastic));
        }
        hwDestroyWorld(world);
    }
}

// A net of bodies, held at its corners, falls until it hangs. Eliminating it fills in more than a string or a tree does.
static void NetsHaveRoom(void** unused) {
    (void)unused;
    enum { SIDE = 18 };
    hwWorld* world = MakeWorld(9.81, false, 0.0);
    char name[32], other[32];
    for (int i = 0; i < SIDE * SIDE; ++i) {
        int x = i % SIDE, y = i / SIDE;
        hwBodyDef def = hwDefaultBodyDef();
        snprintf(name, sizeof(name), "b%d", i);
        def.name = name;
        def.mass = 20.0;
        for (int k = 0; k < 3; ++k) def.inertia[k] = 2.0;
        def.position = hwMakeVec3(5.0 * x, 5.0 * y, 0.0);
        bool corner = x % (SIDE - 1) == 0 && y % (SIDE - 1) == 0;
        if (corner) def.motion = HW_MOTION_FIXED;
        if (HW_IS_NULL(hwWorld_AddBody(world, &def, &error))) fail_msg("%s", error.message);
    }
    for (int i = 0; i < SIDE * SIDE; ++i) {
        for (int k = 0; k < 2; ++k) {
            int next = k == 0 ? i + 1 : i + SIDE;
            if (k == 0 ? next % SIDE == 0 : next >= SIDE * SIDE) continue;
            char wire[32];
            snprintf(wire, sizeof(wire), "w%d_%d", i, k);
            snprintf(name, sizeof(name), "b%d", i);
            snprintf(other, sizeof(other), "b%d", next);
            AddWire(world, wire, 5.0, 0.0, 1e5, PinTo(world, name, 0.0, 0.0, 0.0),
                    PinTo(world, other, 0.0, 0.0, 0.0));
        }
    }
    Expect(hwWorld_Prepare(world, &error));
    Frames(world, 12);
    double lowest = 0.0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        int turned = (SIDE - 1 - i % SIDE) * SIDE + i / SIDE; // by a quarter
        hwBodyState a, b;
        snprintf(name, sizeof(name), "b%d", i);
        snprintf(other, sizeof(other), "b%d", turned);
        Expect(hwBody_GetState(world, hwWorld_FindBody(world, name), &a, &error));
        Expect(hwBody_GetState(world, hwWorld_FindBody(world, other), &b, &error));
        assert_close(a.position.z, b.position.z, 1e-7);
        lowest = fmin(lowest, a.position.z);
    }
    assert_true(lowest < -0.19 && lowest > -0.2); // in the middle 0.196 m in a fifth of a second, as if free
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(StructuredSolveIsExact),
        cmocka_unit_test(BothSolversAgree),
        cmocka_unit_test(StiffCraneIsStableAtFrameRate),
        cmocka_unit_test(JointsCarryWhatHangsOnThem),
        cmocka_unit_test(MomentumIsKept),
        cmocka_unit_test(EndsStayOnWhatTurns),
        cmocka_unit_test(NetsHaveRoom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
