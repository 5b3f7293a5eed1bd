#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>

static void Must(bool good, const hwError* error) {
    if (good) return;
    fprintf(stderr, "%s\n", error->message);
    exit(2);
}

static hwVec3 V(double x, double y, double z) {
    return hwMakeVec3(x, y, z);
}

static void SetEnvironment(hwWorld* world, const hwEnvironmentDef* def) {
    hwError error;
    Must(hwWorld_SetEnvironment(world, def, &error) == HW_OK, &error);
}

// Water 200 m deep over a flat bottom.
static hwEnvironmentDef MakeSea(double depth) {
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.seabed.kind = HW_SEABED_PLANE;
    sea.seabed.depth = depth;
    sea.seabed.stiffness = 1e5;
    sea.seabed.damping = 1e4;
    sea.seabed.friction = 0.4;
    return sea;
}

static void AddRandomWaves(hwEnvironmentDef* sea, double hs, double spreading, int components) {
    sea->jonswap = (hwJonswapDef){.hs = hs,
                                  .tp = 7.5,
                                  .gamma = 3.3,
                                  .direction = 0.4,
                                  .spreading = spreading,
                                  .seed = 12,
                                  .components = components};
}

static hwBodyDef MakeBody(const char* name, double mass, double inertia, hwVec3 position) {
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = mass;
    for (int i = 0; i < 3; ++i) def.inertia[i] = inertia * (1.0 + 0.1 * i);
    def.position = position;
    return def;
}

static hwBodyId AddBody(hwWorld* world, const hwBodyDef* def) {
    hwError error;
    hwBodyId id = hwWorld_AddBody(world, def, &error);
    Must(!HW_IS_NULL(id), &error);
    return id;
}

static hwCableEndDef Pin(hwBodyId body, hwVec3 at) {
    return (hwCableEndDef){.joint = HW_ATTACH_PIN, .body = body, .at = at};
}

static const hwBodyId earth;

static hwCableSectionDef MakeWire(double length, int elements) {
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = length;
    section.elements = elements;
    section.diameter = 0.024;
    section.massPerLength = 2.4;
    section.EA = 2.7e7;
    section.axialDamping = 5e4;
    section.compression = 1e-3;
    return section;
}

static hwCableDef MakeCable(const char* name, const hwCableSectionDef* section, hwCableEndDef a,
                            hwCableEndDef b) {
    hwCableDef def = hwDefaultCableDef();
    def.name = name;
    def.sectionCount = 1;
    def.sections = section;
    def.ends[0] = a;
    def.ends[1] = b;
    return def;
}

static hwCableId AddCable(hwWorld* world, const hwCableDef* def) {
    hwError error;
    hwCableId id = hwWorld_AddCable(world, def, &error);
    Must(!HW_IS_NULL(id), &error);
    return id;
}

static hwShapeDef MakeShape(hwShapeKind kind, hwVec3 size, double radius, double length) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = kind;
    shape.size = size;
    shape.radius = radius;
    shape.length = length;
    return shape;
}

static void AddSolid(hwWorld* world, const char* name, double mass, double inertia, hwVec3 position,
                     hwVec3 velocity, const hwShapeDef* shape) {
    hwBodyDef def = MakeBody(name, mass, inertia, position);
    def.velocity = velocity;
    def.attitude = hwQuatFromRpy(0.02, -0.03, 0.3);
    def.shapeCount = 1;
    def.shapes = shape;
    AddBody(world, &def);
}

// Scenes -------------------------------------------------------------------------------------------------------------

// A mooring chain on the bottom whose upper end is moved to and fro, from statics.
static void MakeMooring(hwWorld* world) {
    hwEnvironmentDef sea = MakeSea(200.0);
    SetEnvironment(world, &sea);
    hwCableSectionDef chain = MakeWire(600.0, 40);
    chain.diameter = 0.09;
    chain.massPerLength = 77.0;
    chain.EA = 3.84e8;
    chain.axialDamping = 4e6;
    hwSignalTerm path[2] = {hwConstantTerm(V(0.0, 0.0, -10.0)), hwSineTerm(V(4.0, 1.0, 2.0), 6.0, 0.3)};
    hwCableDef def =
        MakeCable("chain", &chain, Pin(earth, V(540.0, 0.0, -200.0)), Pin(earth, V(0.0, 0.0, 0.0)));
    def.ends[1].path = (hwSignal){2, path};
    def.shape = HW_CABLE_CATENARY_SHAPE;
    AddCable(world, &def);
}

// A tether with bending and torsion, clamped, in a sheared current with waves.
static void MakeTether(hwWorld* world) {
    hwEnvironmentDef sea = MakeSea(80.0);
    const double levels[3] = {0.0, 20.0, 70.0};
    const hwVec3 flow[3] = {{0.9, 0.2, 0.0}, {0.5, -0.1, 0.0}, {0.1, 0.0, 0.0}};
    sea.current.count = 3;
    sea.current.levels = levels;
    sea.current.velocities = flow;
    hwAiryDef airy = {.height = 2.0, .period = 7.0, .direction = 0.6, .phase = 0.2};
    sea.airyCount = 1;
    sea.airy = &airy;
    SetEnvironment(world, &sea);
    hwCableSectionDef tether = MakeWire(45.0, 24);
    tether.diameter = 0.016;
    tether.massPerLength = 0.22;
    tether.EA = 1e5;
    tether.EI = 0.4;
    tether.GJ = 0.3;
    tether.axialDamping = 100.0;
    tether.bendingDamping = 0.05;
    tether.torsionDamping = 0.02;
    hwCableDef def =
        MakeCable("tether", &tether, Pin(earth, V(0.0, 0.0, -2.0)), Pin(earth, V(30.0, 4.0, -20.0)));
    def.ends[0].joint = HW_ATTACH_CLAMP;
    def.ends[0].p1 = V(0.0, 1.0, 0.0);
    def.ends[0].p2 = V(1.0, 0.0, 0.0);
    hwSignalTerm path[2] = {hwConstantTerm(V(30.0, 4.0, -20.0)), hwSineTerm(V(3.0, 2.0, 1.0), 3.0, 0.0)};
    def.ends[1].path = (hwSignal){2, path};
    def.shape = HW_CABLE_CATENARY_SHAPE;
    hwCableMassDef floats[1] = {{.at = 20.0, .mass = 2.0, .diameter = 0.2}};
    def.massCount = 1;
    def.masses = floats;
    AddCable(world, &def);
}

// A wire that goes slack and snaps taut, and parts.
static void MakeSnap(hwWorld* world) {
    hwEnvironmentDef sea = MakeSea(100.0);
    SetEnvironment(world, &sea);
    hwCableSectionDef wire = MakeWire(50.0, 25);
    wire.breakTension = 1.2e5;
    static const double times[3] = {0.0, 1.2, 2.0};
    hwVec3 places[3] = {V(48.5, 0.0, -10.0), V(50.5, 0.0, -10.0), V(48.0, 0.0, -10.0)};
    hwSignalTerm way = {.kind = HW_SIGNAL_TABLE, .count = 3, .times = times, .values = places, .cubic = true};
    hwCableDef def = MakeCable("wire", &wire, Pin(earth, V(0.0, 0.0, -10.0)), Pin(earth, V(0.0, 0.0, 0.0)));
    def.ends[1].path = (hwSignal){1, &way};
    def.shape = HW_CABLE_CATENARY_SHAPE;
    def.cuts = 3; // what is torn off may be torn again
    AddCable(world, &def);
}

// A load lowered into waves by a winch, and another held at constant tension.
static void MakeWinches(hwWorld* world) {
    hwError error;
    hwEnvironmentDef sea = MakeSea(120.0);
    AddRandomWaves(&sea, 2.5, 8.0, 60);
    SetEnvironment(world, &sea);
    for (int i = 0; i < 2; ++i) {
        hwBodyDef load = MakeBody(i == 0 ? "load" : "other", 4000.0, 2000.0, V(20.0 * i, 0.0, -1.0));
        hwShapeDef shape = i == 0 ? MakeShape(HW_SHAPE_BOX, V(1.5, 1.2, 1.0), 0.0, 0.0)
                                  : MakeShape(HW_SHAPE_CYLINDER, hwVec3_zero, 0.6, 1.4);
        load.shapeCount = 1;
        load.shapes = &shape;
        for (int k = 0; k < 3; ++k) load.hydro.quadraticDrag[k] = 900.0, load.hydro.addedMass[k][k] = 1500.0;
        for (int k = 3; k < 6; ++k) load.hydro.linearDrag[k] = 300.0, load.hydro.addedMass[k][k] = 200.0;
        hwBodyId body = AddBody(world, &load);
        hwCableSectionDef wire = MakeWire(14.0, 10);
        wire.axialDamping = 4e5;
        hwCableDef def = MakeCable(i == 0 ? "wire" : "line", &wire, Pin(body, V(0.1, 0.0, 0.7)),
                                   Pin(earth, V(20.0 * i, 0.5, 13.65)));
        def.reserve[1] = 10.0;
        hwCableId cable = AddCable(world, &def);
        hwWinchDef winch = hwDefaultWinchDef();
        hwSignalTerm set = hwConstantTerm(V(i == 0 ? 0.8 : 2.9e4, 0.0, 0.0));
        winch.name = i == 0 ? "winch" : "tensioner";
        winch.cable = cable;
        winch.end = 1;
        winch.mode = i == 0 ? HW_WINCH_VELOCITY : HW_WINCH_TENSION;
        winch.setpoint = (hwSignal){1, &set};
        winch.kp = i == 0 ? winch.kp : 4e-5;
        winch.acceleration = 1.0;
        winch.deceleration = -1.0;
        hwWinchId id = hwWorld_AddWinch(world, &winch, &error);
        Must(!HW_IS_NULL(id), &error);
    }
}

// Loads on either side of a sheave with friction and an inert wheel.
static void MakeSheave(hwWorld* world) {
    hwError error;
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    dry.airDensity = 1.2;
    hwSignalTerm wind = hwConstantTerm(V(9.0, 3.0, 0.0));
    dry.wind.uniform = (hwSignal){1, &wind};
    dry.wind.gust = 0.2;
    dry.wind.gustSeed = 5;
    SetEnvironment(world, &dry);
    hwBodyDef light = MakeBody("light", 80.0, 30.0, V(0.5, 0.0, -12.0)),
              heavy = MakeBody("heavy", 110.0, 40.0, V(0.0, 0.3, -6.0));
    light.hydro.quadraticDrag[0] = heavy.hydro.quadraticDrag[0] = 1.0;
    hwBodyId bodies[2] = {AddBody(world, &light), AddBody(world, &heavy)};
    hwCableSectionDef wires[2] = {MakeWire(12.02, 12), MakeWire(6.01, 6)};
    for (int i = 0; i < 2; ++i) wires[i].massPerLength = 1.0;
    hwCableDef legs[2] = {
        MakeCable("leg", &wires[0], Pin(bodies[0], hwVec3_zero), Pin(earth, hwVec3_zero)),
        MakeCable("other", &wires[1], Pin(earth, hwVec3_zero), Pin(bodies[1], hwVec3_zero))};
    hwSheaveDef sheave = hwDefaultSheaveDef();
    sheave.name = "sheave";
    for (int i = 0; i < 2; ++i) sheave.cables[i] = AddCable(world, &legs[i]);
    sheave.inertia = 0.5;
    sheave.radius = 0.2;
    sheave.friction = 0.02;
    sheave.bearing = 0.01;
    Must(!HW_IS_NULL(hwWorld_AddSheave(world, &sheave, &error)), &error);
}

// Boxes, a ball, a cylinder, a capsule and a hull that fall on one another on a tilted plate.
static void MakeHeap(hwWorld* world) {
    hwError error;
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    SetEnvironment(world, &dry);
    hwMaterialDef material = hwDefaultMaterialDef();
    material.name = "default";
    material.young = 2e7;
    material.damping = 2e4;
    material.staticFriction = 0.5;
    material.kineticFriction = 0.35;
    material.rolling = 1e-3;
    material.stribeck = 0.05;
    Must(hwWorld_AddMaterial(world, &material, &error) == HW_OK, &error);
    material.name = "bristles";
    material.model = HW_FRICTION_LUGRE;
    material.stribeck = 0.0;
    material.rateExponent = 1.2;
    material.hardening = 2.0;
    Must(hwWorld_AddMaterial(world, &material, &error) == HW_OK, &error);
    hwShapeDef plate = MakeShape(HW_SHAPE_BOX, V(8.0, 8.0, 1.0), 0.0, 0.0);
    hwBodyDef ground = MakeBody("ground", 1000.0, 1000.0, V(0.0, 0.0, -0.5));
    ground.attitude = hwQuatFromRpy(0.05, 0.03, 0.0);
    ground.motion = HW_MOTION_FIXED;
    ground.shapeCount = 1;
    ground.shapes = &plate;
    AddBody(world, &ground);
    hwShapeDef box = MakeShape(HW_SHAPE_BOX, V(0.5, 0.4, 0.3), 0.0, 0.0),
               ball = MakeShape(HW_SHAPE_SPHERE, hwVec3_zero, 0.2, 0.0);
    hwShapeDef drum = MakeShape(HW_SHAPE_CYLINDER, hwVec3_zero, 0.15, 0.5),
               capsule = MakeShape(HW_SHAPE_CAPSULE, hwVec3_zero, 0.12, 0.4);
    static const hwVec3 corners[4] = {
        {0.3, 0.0, -0.1}, {-0.2, 0.25, -0.1}, {-0.2, -0.25, -0.1}, {0.0, 0.0, 0.3}};
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    hwShapeDef hull = MakeShape(HW_SHAPE_HULL, hwVec3_zero, 0.0, 0.0);
    hull.mesh = (hwMeshData){4, corners, 4, faces};
    ball.material = drum.material = "bristles";
    AddSolid(world, "lower", 60.0, 1.2, V(0.0, 0.0, 0.22), hwVec3_zero, &box);
    AddSolid(world, "upper", 60.0, 1.2, V(0.05, 0.02, 0.56), hwVec3_zero, &box);
    AddSolid(world, "ball", 30.0, 0.5, V(-1.2, 0.1, 0.3), V(2.0, 0.0, 0.0), &ball);
    AddSolid(world, "drum", 35.0, 0.6, V(0.1, 1.0, 0.5), V(0.0, -1.0, 0.0), &drum);
    AddSolid(world, "capsule", 25.0, 0.4, V(0.1, -0.9, 0.6), V(0.0, 0.8, 0.0), &capsule);
    AddSolid(world, "hull", 12.0, 0.2, V(0.15, 0.0, 1.1), hwVec3_zero, &hull);
}

// A rope laid over a pipe, another rope across it, and a load on either end.
static void MakeRopes(hwWorld* world) {
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    SetEnvironment(world, &dry);
    hwShapeDef pipe = MakeShape(HW_SHAPE_CYLINDER, hwVec3_zero, 0.25, 3.0);
    pipe.pose.q = hwQuatFromAxisAngle(V(1.0, 0.0, 0.0), 0.5 * HW_PI);
    hwBodyDef drum = MakeBody("pipe", 100.0, 10.0, hwVec3_zero);
    drum.motion = HW_MOTION_FIXED;
    drum.shapeCount = 1;
    drum.shapes = &pipe;
    AddBody(world, &drum);
    for (int i = 0; i < 2; ++i) {
        double y = 0.3 * i;
        hwBodyDef left = MakeBody(i == 0 ? "a" : "c", 20.0 + 4.0 * i, 1.0, V(-0.6, y, -2.0));
        hwBodyDef right = MakeBody(i == 0 ? "b" : "d", 23.0, 1.0, V(0.6, y - 0.2 * i, -1.9));
        hwBodyId ends[2] = {AddBody(world, &left), AddBody(world, &right)};
        hwCableSectionDef rope = MakeWire(4.9 + 0.1 * i, 24);
        rope.diameter = 0.02;
        rope.massPerLength = 0.5;
        rope.EA = 1e6;
        rope.axialDamping = 1e3;
        hwVec3 points[4] = {left.position, V(-0.3, y, 0.29 + 0.05 * i), V(0.3, y - 0.1 * i, 0.29 + 0.05 * i),
                            right.position};
        hwCableDef def = MakeCable(i == 0 ? "rope" : "across", &rope, Pin(ends[0], hwVec3_zero),
                                   Pin(ends[1], hwVec3_zero));
        def.shape = HW_CABLE_POINTS;
        def.points = points;
        def.pointCount = 4;
        AddCable(world, &def);
    }
}

// An underwater vehicle that holds depth and heading against a current, on a tether.
static void MakeVehicle(hwWorld* world) {
    hwError error;
    hwEnvironmentDef sea = MakeSea(30.0);
    hwSignalTerm flow[2] = {hwConstantTerm(V(0.3, 0.1, 0.0)), hwSineTerm(V(0.1, 0.1, 0.02), 4.0, 0.0)};
    sea.current.uniform = (hwSignal){2, flow};
    AddRandomWaves(&sea, 1.0, 0.0, 40);
    SetEnvironment(world, &sea);
    hwThrusterDef thrusters[8];
    for (int i = 0; i < 8; ++i) {
        hwThrusterDef t = hwDefaultThrusterDef();
        bool vertical = i >= 4;
        double sx = i % 4 < 2 ? 1.0 : -1.0, sy = i % 2 == 0 ? -1.0 : 1.0;
        t.position = vertical ? V(0.12 * sx, 0.218 * sy, 0.0) : V(0.156 * sx, 0.111 * sy, -0.085);
        t.axis = vertical ? V(0.0, 0.0, 1.0) : hwNormalize(V(1.0, -sx * sy, 0.0));
        t.forward = 50.0;
        t.reverse = 40.2;
        t.deadBand = 0.09;
        t.exponent = 1.3;
        t.timeConstant = 0.12;
        t.topSpeed = 366.0;
        t.advance = 12.0;
        t.torque = 0.016;
        t.hand = (i % 4 == 0 || i % 4 == 3) ? 1 : -1;
        thrusters[i] = t;
    }
    hwVehicleDef def = hwDefaultVehicleDef();
    hwShapeDef box = MakeShape(HW_SHAPE_BOX, V(0.457, 0.338, 0.254), 0.0, 0.0);
    hwLiftDef lift = {
        .at = V(-0.16, 0.0, 0.0), .normal = V(0.0, 0.0, 1.0), .area = 0.075, .slope = 2.0, .stall = 0.6};
    static const double added[6] = {6.36, 7.12, 18.68, 0.189, 0.135, 0.222};
    static const double linear[6] = {13.7, 2.0, 33.0, 0.1, 0.8, 0.1},
                        square[6] = {141.0, 217.0, 190.0, 1.19, 0.47, 1.5};
    def.body = MakeBody("rov", 13.5, 0.26, V(0.0, 0.0, -6.0));
    def.body.attitude = hwQuatFromRpy(0.1, -0.05, 0.4);
    def.body.hydro.volume = 0.0134;
    def.body.hydro.hasBuoyancyCenter = true;
    def.body.hydro.buoyancyCenter = V(0.0, 0.0, 0.01);
    for (int i = 0; i < 6; ++i) {
        def.body.hydro.addedMass[i][i] = added[i];
        def.body.hydro.linearDrag[i] = linear[i];
        def.body.hydro.quadraticDrag[i] = square[i];
        def.axisWeights[i] = 1.0;
    }
    def.body.hydro.liftCount = 1;
    def.body.hydro.lifts = &lift;
    def.body.shapeCount = 1;
    def.body.shapes = &box;
    def.thrusterCount = 8;
    def.thrusters = thrusters;
    def.linearize = true;
    def.gain = 0.7;
    for (int i = 0; i < HW_AXIS_COUNT; ++i)
        def.axes[i] = (hwAxisDef){.deadZone = 0.05, .sensitivity = 1.0, .expo = 0.2};
    def.autopilot = (hwAutopilotDef){.depth = {72.0, 15.0, 50.0, 40.0},
                                     .heading = {5.3, 1.5, 2.8, 6.0},
                                     .level = {20.0, 5.0, 5.2, 8.0},
                                     .climbRate = 0.5,
                                     .turnRate = 1.0,
                                     .depthLead = 0.5,
                                     .headingLead = 0.6};
    def.armed = true;
    def.mode = HW_MODE_HOLD;
    hwVehicleId vehicle = hwWorld_AddVehicle(world, &def, &error);
    Must(!HW_IS_NULL(vehicle), &error);
    hwCableSectionDef tether = MakeWire(12.0, 12);
    tether.diameter = 0.008;
    tether.massPerLength = 0.052;
    tether.EA = 2e4;
    tether.axialDamping = 50.0;
    hwCableDef cable =
        MakeCable("tether", &tether, Pin(hwVehicle_GetBody(world, vehicle), V(-0.22, 0.0, 0.0)),
                  Pin(earth, V(-6.0, 0.0, 0.0)));
    cable.shape = HW_CABLE_CATENARY_SHAPE;
    AddCable(world, &cable);
}

// Ships in a random sea, by tables of responses and as a floating box; a load hangs from the first, from statics.
static void MakeShips(hwWorld* world) {
    hwEnvironmentDef sea = MakeSea(60.0);
    AddRandomWaves(&sea, 3.0, 12.0, 80);
    sea.waveRamp = 2.0;
    SetEnvironment(world, &sea);
    static double rows[3][2][6][2];
    static const double headings[3] = {0.0, 0.5 * HW_PI, HW_PI}, periods[2] = {6.0, 10.0};
    for (int i = 0; i < 36; ++i) {
        int k = i % 6;
        (&rows[0][0][0][0])[2 * i] = (k < 3 ? 0.5 : 0.05) * (1.0 + 0.01 * i) + 0.01 * k;
        (&rows[0][0][0][0])[2 * i + 1] = 0.3 * k - 0.5;
    }
    hwBodyDef ship = MakeBody("ship", 2e6, 1e8, V(12.0, -7.0, 3.0));
    hwSignalTerm way = hwRampTerm(V(12.0, -7.0, 3.0), V(22.0, -5.0, 3.0), 0.0, 6.0);
    ship.motion = HW_MOTION_PRESCRIBED;
    ship.attitude = hwQuatFromRpy(0.0, 0.0, 1.2);
    ship.prescribedPosition = (hwSignal){1, &way};
    ship.rao = (hwRaoDef){3, headings, 2, periods, &rows[0][0][0][0]};
    hwBodyId first = AddBody(world, &ship);
    hwBodyDef barge = MakeBody("barge", 1e6, 1e8, V(80.0, 0.0, 0.0));
    barge.motion = HW_MOTION_PRESCRIBED;
    barge.box = (hwFloatingBoxDef){
        .length = 60.0, .beam = 14.0, .draught = 4.0, .rollPeriod = 9.0, .rollDamping = 0.08};
    hwBodyId second = AddBody(world, &barge);
    hwBodyDef load = MakeBody("load", 5000.0, 4000.0, V(14.0, 6.0, 2.0));
    hwBodyId hook = AddBody(world, &load);
    hwCableSectionDef wire = MakeWire(12.0, 10);
    wire.axialDamping = 4e5;
    hwCableDef fall = MakeCable("fall", &wire, Pin(first, V(10.0, 2.0, 11.5)), Pin(hook, V(0.0, 0.0, 0.4)));
    AddCable(world, &fall);
    hwCableSectionDef tow = MakeWire(75.0, 20);
    hwCableDef line =
        MakeCable("hawser", &tow, Pin(first, V(0.0, 0.0, 0.0)), Pin(second, V(-28.0, 0.0, 2.0)));
    line.shape = HW_CABLE_CATENARY_SHAPE;
    AddCable(world, &line);
}

// A hull that floats in waves, and a ring of strips.
static void MakeAfloat(hwWorld* world) {
    hwEnvironmentDef sea = MakeSea(50.0);
    AddRandomWaves(&sea, 1.5, 10.0, 50);
    SetEnvironment(world, &sea);
    static const hwVec3 corners[8] = {{-2.0, -0.8, -0.5}, {1.8, -0.8, -0.5}, {1.8, 0.8, -0.5},
                                      {-2.0, 0.8, -0.5},  {-2.2, -1.0, 0.6}, {2.6, -1.0, 0.6},
                                      {2.6, 1.0, 0.6},    {-2.2, 1.0, 0.6}};
    static const int faces[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                     {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    hwShapeDef hull = MakeShape(HW_SHAPE_MESH, hwVec3_zero, 0.0, 0.0);
    hull.mesh = (hwMeshData){8, corners, 12, faces};
    hwBodyDef boat = MakeBody("boat", 3500.0, 2500.0, V(0.0, 0.0, 0.0));
    boat.com = V(0.1, 0.0, -0.2);
    boat.shapeCount = 1;
    boat.shapes = &hull;
    for (int k = 0; k < 6; ++k) {
        boat.hydro.linearDrag[k] = 600.0;
        boat.hydro.quadraticDrag[k] = 500.0;
        boat.hydro.addedMass[k][k] = 1500.0;
    }
    boat.hydro.skinArea = 12.0;
    boat.hydro.skinLength = 4.0;
    AddBody(world, &boat);
    hwBodyDef buoy = MakeBody("buoy", 300.0, 60.0, V(6.0, 1.0, -0.2));
    hwShapeDef ball = MakeShape(HW_SHAPE_SPHERE, hwVec3_zero, 0.55, 0.0);
    buoy.com = V(0.0, 0.0, -0.2);
    buoy.shapeCount = 1;
    buoy.shapes = &ball;
    buoy.hydro.sphereDiameter = 1.1;
    buoy.hydro.sphereDrag = 1.0;
    hwStripDef strip = {.from = V(0.0, 0.0, -3.0),
                        .to = V(0.0, 0.0, 0.0),
                        .diameter = 0.2,
                        .normal = 1.0,
                        .tangential = 0.02,
                        .count = 6,
                        .curve = HW_DRAG_CYLINDER};
    buoy.hydro.stripCount = 1;
    buoy.hydro.strips = &strip;
    AddBody(world, &buoy);
    hwBodyDef spar = MakeBody("spar", 900.0, 900.0, V(-6.0, 0.0, -1.5));
    hwShapeDef tube = MakeShape(HW_SHAPE_CYLINDER, hwVec3_zero, 0.3, 4.0);
    spar.com = V(0.0, 0.0, -0.8);
    spar.shapeCount = 1;
    spar.shapes = &tube;
    spar.hydro.quadraticDrag[2] = 100.0;
    AddBody(world, &spar);
}

// A machine of six legs with driven joints, motors, limits and friction, which falls on its feet on uneven ground.
static void MakeWalker(hwWorld* world) {
    hwError error;
    hwEnvironmentDef sea = MakeSea(20.0);
    static double heights[64];
    for (int i = 0; i < 64; ++i) heights[i] = 0.05 * hwSin(1.3 * i) + 0.02 * (i % 5);
    sea.seabed.kind = HW_SEABED_HEIGHTFIELD;
    sea.seabed.depth = 0.0;
    sea.seabed.columns = sea.seabed.rows = 8;
    sea.seabed.spacing = 1.0;
    sea.seabed.origin = V(-3.5, -3.5, -20.0);
    sea.seabed.heights = heights;
    SetEnvironment(world, &sea);
    static const char* const names[18] = {"hip0",  "hip1",  "hip2",  "hip3",  "hip4",  "hip5",
                                          "knee0", "knee1", "knee2", "knee3", "knee4", "knee5",
                                          "shin0", "shin1", "shin2", "shin3", "shin4", "shin5"};
    static const hwVec3 tip = {0.8, 0.0, 0.0};
    hwLinkDef links[18];
    hwQuat side = hwQuatFromAxisAngle(V(1.0, 0.0, 0.0), 0.5 * HW_PI);
    for (int leg = 0; leg < 6; ++leg) {
        double angle = leg * HW_PI / 3.0;
        for (int k = 0; k < 3; ++k) {
            hwLinkDef* link = &links[6 * k + leg];
            *link = hwDefaultLinkDef();
            link->body.name = names[6 * k + leg];
            link->parent = k == 0 ? -1 : 6 * (k - 1) + leg;
            link->body.mass = k == 0 ? 6.0 : 12.0;
            link->body.com = V(0.2, 0.0, 0.0);
            for (int j = 0; j < 3; ++j) link->body.inertia[j] = 0.3 + 0.1 * j;
            link->body.hydro.volume = 0.004;
            link->body.hydro.quadraticDrag[1] = link->body.hydro.quadraticDrag[2] = 20.0;
            link->frame =
                k == 0   ? hwMakeJointFrame(V(0.4 * hwCos(angle), 0.4 * hwSin(angle), 0.0),
                                            hwQuatFromAxisAngle(V(0.0, 0.0, 1.0), angle), V(0.0, 0.0, 1.0))
                : k == 1 ? hwMakeJointFrame(V(0.2, 0.0, 0.0), side, V(0.0, 0.0, 1.0))
                         : hwMakeJointFrame(V(0.5, 0.0, 0.0), hwQuat_identity, V(0.0, 0.0, 1.0));
            link->hasQ = true;
            link->q = k == 0 ? 0.05 * (leg - 2.5) : k == 1 ? 0.3 : -1.5;
            link->control.mode = HW_CONTROL_POSITION;
            link->control.kp = 900.0;
            link->control.ki = 50.0;
            link->control.kd = 60.0;
            link->friction.coulomb = 2.0;
            link->friction.viscous = 0.5;
            link->friction.stick = 0.01;
            if (k == 1) {
                link->actuator = (hwActuatorDef){.kind = HW_ACTUATOR_MOTOR,
                                                 .inertia = 0.2,
                                                 .torqueConstant = 9.0,
                                                 .backEmf = 9.0,
                                                 .resistance = 1.2,
                                                 .brushDrop = 1.0,
                                                 .halfDrop = 0.5};
                link->control.kp = 400.0;
                link->control.kd = 10.0;
                link->control.limit = 48.0;
            }
            if (k == 2) {
                link->actuator.kind = HW_ACTUATOR_HYDRAULIC;
                link->actuator.timeConstant = 0.03;
                link->limits.low = -1.6;
                link->limits.high = 1.0;
                link->limits.stiffness = 2e4;
                link->limits.damping = 300.0;
                link->feet = (hwFootDef){.count = 1,
                                         .points = &tip,
                                         .area = 0.02,
                                         .stiffness = 4e4,
                                         .damping = 800.0,
                                         .planarStiffness = 4e4,
                                         .planarDamping = 800.0,
                                         .friction = 0.7,
                                         .kineticFriction = 0.5};
            }
        }
    }
    hwMechanismDef def = hwDefaultMechanismDef();
    def.name = "walker";
    def.base = HW_BASE_FREE;
    def.free.mass = 90.0;
    for (int i = 0; i < 3; ++i) def.free.inertia[i] = 9.0 + i;
    def.free.position = V(0.0, 0.0, -19.0);
    def.free.attitude = hwQuatFromRpy(0.05, 0.02, 0.1);
    def.links = links;
    def.linkCount = 18;
    Must(!HW_IS_NULL(hwWorld_AddMechanism(world, &def, &error)), &error);
}

// Cables without inertia and by controllers, on a swinging load.
static void MakeLight(hwWorld* world) {
    hwEnvironmentDef dry = hwDefaultEnvironmentDef();
    SetEnvironment(world, &dry);
    static const hwCableKind kinds[4] = {HW_CABLE_LINE, HW_CABLE_VEE, HW_CABLE_CATENARY, HW_CABLE_DYNAMIC};
    static const char* const names[4][2] = {{"line", "a"}, {"vee", "b"}, {"catenary", "c"}, {"dynamic", "d"}};
    for (int i = 0; i < 4; ++i) {
        hwBodyDef load = MakeBody(names[i][1], 500.0, 200.0, V(4.0 * i, 3.0, -9.5));
        load.velocity = V(0.5, 0.0, 0.0);
        hwBodyId body = AddBody(world, &load);
        hwCableSectionDef wire = MakeWire(10.0, 8);
        hwCableDef def =
            MakeCable(names[i][0], &wire, Pin(earth, V(4.0 * i, 0.0, 0.0)), Pin(body, V(0.1, 0.0, 0.0)));
        def.kind = kinds[i];
        AddCable(world, &def);
    }
}

const Scene scenes[] = {
    {"mooring", MakeMooring, true, 2.0}, {"tether", MakeTether, false, 1.0},
    {"snap", MakeSnap, false, 2.0},      {"winches", MakeWinches, false, 2.0},
    {"sheave", MakeSheave, false, 1.5},  {"heap", MakeHeap, false, 1.0},
    {"ropes", MakeRopes, false, 0.5},    {"vehicle", MakeVehicle, false, 2.0},
    {"ships", MakeShips, true, 2.0},     {"afloat", MakeAfloat, false, 2.0},
    {"walker", MakeWalker, false, 1.0},  {"light", MakeLight, true, 1.0},
};
const int sceneCount = sizeof(scenes) / sizeof(scenes[0]);
