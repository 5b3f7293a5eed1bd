// What a scene says is what the defs hold: numbers, attitudes, shapes, hydrodynamics, motion, environment.
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

#include "hawser/body.h"

#define HEAD "hawser: 1\nduration: 1\n"

static const hwSceneBody* Body(const hwScene* scene, int index) {
    return HW_ITEM(scene->model.bodies, hwSceneBody, index);
}

static void AssertVec(hwVec3 v, double x, double y, double z) {
    // Degrees become radians by one multiplication: the last bit may differ.
    assert_true(hwDistance(v, hwMakeVec3(x, y, z)) <= 1e-15 * (1.0 + hwLength(v)));
}

// The bodies part of the example in the description of the format.
static void ExampleBody(void** state) {
    (void)state;
    hwScene* scene =
        Take(HEAD "materials:\n"
                  "  steel: {young: 200e9, damping: 1e6, friction: {static: 0.3, kinetic: 0.25}}\n"
                  "bodies:\n"
                  "  - name: payload\n"
                  "    mass: 7800\n"
                  "    inertia: [500, 501, 502]        # Ixx Iyy Izz\n"
                  "    com: [0, 0, 0.1]\n"
                  "    position: [3.6, 0, 0]\n"
                  "    attitude: {rpy_deg: [0, 0, 90]}\n"
                  "    velocity: [0, 1, 0]\n"
                  "    rate: [0, 0, 0.5]\n"
                  "    volume: 1.2\n"
                  "    buoyancy_center: [0, 0, 0.2]\n"
                  "    added_mass: [1, 2, 3, 4, 5, 6]\n"
                  "    drag: {linear: [1, 2, 3, 4, 5, 6], quadratic: [6, 5, 4, 3, 2, 1]}\n"
                  "    shapes: [{box: [5, 6, 7], material: steel}]\n"
                  "    motion: none\n");
    assert_int_equal(scene->model.bodies.count, 1);
    const hwBodyDef* def = &Body(scene, 0)->def;
    assert_string_equal(def->name, "payload");
    assert_true(def->mass == 7800.0 && def->inertia[0] == 500.0 && def->inertia[2] == 502.0 &&
                def->inertia[3] == 0.0);
    AssertVec(def->com, 0, 0, 0.1);
    AssertVec(def->position, 3.6, 0, 0);
    AssertVec(hwRotate(def->attitude, hwMakeVec3(1, 0, 0)), 0, 1, 0);
    AssertVec(def->velocity, 0, 1, 0);
    AssertVec(def->rate, 0, 0, 0.5);
    assert_true(def->hydro.volume == 1.2 && def->hydro.hasBuoyancyCenter);
    AssertVec(def->hydro.buoyancyCenter, 0, 0, 0.2);
    for (int i = 0; i < 6; i++) {
        assert_true(def->hydro.addedMass[i][i] == i + 1.0);
        assert_true(def->hydro.linearDrag[i] == i + 1.0 && def->hydro.quadraticDrag[i] == 6.0 - i);
    }
    assert_int_equal(def->shapeCount, 1);
    assert_int_equal(def->shapes[0].kind, HW_SHAPE_BOX);
    AssertVec(def->shapes[0].size, 5, 6, 7);
    assert_string_equal(def->shapes[0].material, "steel");
    assert_int_equal(def->motion, HW_MOTION_FREE);
    assert_int_equal(hwScene_GetInfo(scene)->warningCount, 0);
    hwDestroyScene(scene);
}

// A key that is not given leaves what hwDefaultBodyDef and hwDefaultHydroDef say.
static void DefaultsAreThoseOfTheLibrary(void** state) {
    (void)state;
    hwScene* scene =
        Take(HEAD "environment: {water: {}, air: {}, waves: {jonswap: {hs: 1, tp: 5}}, seabed: {depth: 5}}\n"
                  "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n");
    const hwBodyDef* def = &Body(scene, 0)->def;
    hwBodyDef fresh = hwDefaultBodyDef();
    assert_true(def->hydro.volume == fresh.hydro.volume && !def->hydro.hasBuoyancyCenter);
    assert_memory_equal(&def->attitude, &fresh.attitude, sizeof(fresh.attitude));
    assert_memory_equal(&def->position, &fresh.position, sizeof(fresh.position));
    assert_int_equal(def->cookie, fresh.cookie);
    hwEnvironmentDef calm = hwDefaultEnvironmentDef();
    const hwEnvironmentDef* environment = &scene->model.environment.def;
    assert_true(environment->gravity == calm.gravity);
    assert_true(environment->waterDensity == calm.waterDensity &&
                environment->waterViscosity == calm.waterViscosity);
    assert_true(environment->airDensity == 1.2 && environment->airViscosity == calm.airViscosity);
    assert_true(environment->jonswap.gamma == calm.jonswap.gamma);
    assert_int_equal(environment->jonswap.components, calm.jonswap.components);
    assert_true(environment->seabed.stiffness == calm.seabed.stiffness);
    assert_true(environment->seabed.damping == calm.seabed.damping);
    assert_true(environment->seabed.friction == calm.seabed.friction);
    assert_true(environment->water && !calm.water);
    hwDestroyScene(scene);
    scene = Take(HEAD);
    assert_false(scene->model.environment.def.water);
    assert_int_equal(scene->model.environment.def.cookie, calm.cookie);
    hwDestroyScene(scene);
}

static void AttitudesInAllForms(void** state) {
    (void)state;
    hwScene* scene =
        Take(HEAD "bodies:\n"
                  "  - {name: a, motion: fixed, attitude: {rpy_deg: [10, 20, 30]}}\n"
                  "  - {name: b, motion: fixed, attitude: {rpy: [0.17453292519943295, 0.3490658503988659, "
                  "0.5235987755982988]}}\n"
                  "  - {name: c, motion: fixed, attitude: {quat: [0.9515, 0.0381, 0.1893, 0.2393]}}\n");
    hwQuat want = hwQuatFromRpy(10 * HW_DEGREE, 20 * HW_DEGREE, 30 * HW_DEGREE);
    for (int i = 0; i < 3; i++) {
        hwQuat q = Body(scene, i)->def.attitude;
        double dot = q.w * want.w + q.x * want.x + q.y * want.y + q.z * want.z;
        // The quaternion is typed with four digits.
        assert_true(fabs(dot - 1.0) < (i < 2 ? 1e-15 : 1e-7));
        assert_true(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-15);
    }
    hwDestroyScene(scene);
    RefuseAt(HEAD "bodies: [{name: a, motion: fixed, attitude: {quat: [1, 1, 0, 0]}}]\n", 3, 52,
             "unit quaternion");
    RefuseAt(HEAD "bodies: [{name: a, motion: fixed, attitude: {rpy: [0, 0, 0], rpy_deg: [0, 0, 0]}}]\n", 3,
             62, "not both");
    RefuseAt(HEAD "bodies: [{name: a, motion: fixed, attitude: {rpy: [0, 0, 0], quat: [1, 0, 0, 0]}}]\n", 3,
             62, "either `rpy` or `quat`");
}

static void InertiaMustBeThatOfABody(void** state) {
    (void)state;
    hwScene* scene = Take(HEAD "bodies: [{name: a, mass: 1, inertia: [2, 3, 4, 0.1, 0.2, 0.3]}]\n");
    assert_true(Body(scene, 0)->def.inertia[5] == 0.3);
    hwDestroyScene(scene);
    RefuseAt(HEAD "bodies: [{name: a, mass: -1, inertia: [1, 1, 1]}]\n", 3, 26,
             "`mass` is -1, but must be above 0 kg");
    RefuseAt(HEAD "bodies: [{name: a, mass: 1, inertia: [1, 1, -1]}]\n", 3, 38, "positive definite");
    RefuseAt(HEAD "bodies: [{name: a, mass: 1, inertia: [1, 1, 1, 2, 0, 0]}]\n", 3, 38, "positive definite");
    RefuseAt(HEAD "bodies: [{name: a, mass: 1}]\n", 3, 10, "a body needs `inertia`");
    // Needed no more when the shapes tell it, or when nothing can move the body.
    hwDestroyScene(Take(HEAD "bodies: [{name: a, mass: 1, shapes: [{sphere: 1}]}]\n"));
    hwDestroyScene(Take(HEAD "bodies: [{name: a, motion: fixed}]\n"));
    scene = Take(HEAD "bodies: [{name: a, mass: 1, inertia: [1, 1, 3]}]\n");
    assert_int_equal(hwScene_GetInfo(scene)->warningCount, 1);
    assert_non_null(strstr(hwScene_GetInfo(scene)->warnings[0], "line 3: no real body"));
    hwDestroyScene(scene);
}

static void AddedMassAsMatrix(void** state) {
    (void)state;
    hwScene* scene =
        Take(HEAD "bodies:\n  - name: a\n    mass: 1\n    inertia: [1, 1, 1]\n    added_mass:\n"
                  "      - [10, 1, 0, 0, 0, 0]\n      - [1, 20, 0, 0, 0, 0]\n      - [0, 0, 30, 0, 0, 0]\n"
                  "      - [0, 0, 0, 4, 0, 0]\n      - [0, 0, 0, 0, 5, 0]\n      - [0, 0, 0, 0, 0, 6]\n");
    const hwHydroDef* hydro = &Body(scene, 0)->def.hydro;
    assert_true(hydro->addedMass[0][1] == 1.0 && hydro->addedMass[1][0] == 1.0 &&
                hydro->addedMass[5][5] == 6.0);
    hwDestroyScene(scene);
    RefuseAt(HEAD "bodies: [{name: a, mass: 1, inertia: [1, 1, 1], added_mass: [0, 0, -1, 0, 0, 0]}]\n", 3,
             68, "`added_mass` has -1 on its diagonal");
    RefuseAt(HEAD "bodies: [{name: a, mass: 1, inertia: [1, 1, 1], added_mass: [[1, 2, 0, 0, 0, 0], [3, 1, "
                  "0, 0, 0, 0], "
                  "[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]}]\n",
             3, 61, "symmetric");
}

static void ShapesInAllForms(void** state) {
    (void)state;
    WriteText(FOLDER "/tetra.obj",
              "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    // Inside out, every face with its own corners, as .stl files are.
    WriteText(FOLDER "/tetra.stl",
              "solid t\n"
              "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
              "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 1 0 0\nendloop\nendfacet\n"
              "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\n"
              "facet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\n"
              "endsolid t\n");
    hwScene* scene = Take(
        HEAD
        "bodies:\n  - name: a\n    motion: fixed\n    shapes:\n"
        "      - {box: [1, 2, 3], scale: [2, 1, 1], position: [1, 0, 0], attitude: {rpy_deg: [0, 90, 0]}}\n"
        "      - {sphere: 0.5}\n"
        "      - {sphere: {diameter: 3}}\n"
        "      - {cylinder: [0.5, 2]}\n"
        "      - {cylinder: {radius: 0.5, length: 2}, scale: 2}\n"
        "      - {capsule: {diameter: 1, length: 4}}\n"
        "      - {mesh: tetra.obj, scale: 2}\n"
        "      - {mesh: tetra.stl}\n"
        "      - {hull: tetra.obj}\n"
        "      - {hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]}}\n"
        "      - {mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
        "triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}, scale: [1, 1, 3]}\n");
    const hwBodyDef* def = &Body(scene, 0)->def;
    assert_int_equal(def->shapeCount, 11);
    AssertVec(def->shapes[0].size, 2, 2, 3);
    AssertVec(def->shapes[0].pose.p, 1, 0, 0);
    AssertVec(hwRotate(def->shapes[0].pose.q, hwMakeVec3(0, 0, 1)), 1, 0, 0);
    assert_true(def->shapes[1].radius == 0.5 && def->shapes[2].radius == 1.5);
    assert_true(def->shapes[3].radius == 0.5 && def->shapes[3].length == 2.0);
    assert_true(def->shapes[4].radius == 1.0 && def->shapes[4].length == 4.0);
    assert_true(def->shapes[5].kind == HW_SHAPE_CAPSULE && def->shapes[5].radius == 0.5 &&
                def->shapes[5].length == 4.0);
    const double sixth = 1.0 / 6.0, volumes[] = {8.0 * sixth, sixth, sixth, sixth, 3.0 * sixth};
    for (int i = 6; i < 11; i++) {
        assert_int_equal(def->shapes[i].kind, i == 8 || i == 9 ? HW_SHAPE_HULL : HW_SHAPE_MESH);
        // Four corners whatever the file repeats, or the hull leaves out.
        assert_int_equal(def->shapes[i].mesh.vertexCount, 4);
        assert_int_equal(def->shapes[i].mesh.triangleCount, 4);
        hwMassProperties properties;
        hwError error;
        assert_int_equal(hwShape_ComputeMassProperties(&def->shapes[i], &properties, &error), HW_OK);
        assert_true(fabs(properties.volume - volumes[i - 6]) < 1e-12);
    }
    hwDestroyScene(scene);
}

static void ShapesThatAreNone(void** state) {
    (void)state;
#define SHAPE(text) HEAD "bodies: [{name: a, motion: fixed, shapes: [" text "]}]\n"
    RefuseAt(SHAPE("{box: [1, 1, 0]}"), 3, 57, "`box` holds 0, but must be above 0 m");
    RefuseAt(SHAPE("{box: [1, 1, 1], sphere: 1}"), 3, 61, "either `box` or `sphere`");
    RefuseAt(SHAPE("{position: [0, 0, 0]}"), 3, 44, "a shape needs one of `box`, `sphere`");
    RefuseAt(SHAPE("{sphere: 1, scale: [1, 2, 3]}"), 3, 63, "`scale` must be one number here");
    RefuseAt(SHAPE("{mesh: nowhere.obj}"), 3, 51, "nowhere.obj` does not exist");
    RefuseAt(SHAPE("{mesh: {vertices: [[0, 0, 0]], triangles: [[0, 0, 5]]}}"), 3, 0, "names corner 5");
    RefuseAt(SHAPE("{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}}"), 3, 0,
             "do not span a volume");
    RefuseAt(SHAPE("{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}"), 3, 0, "at least 4 points");
    WriteText(FOLDER "/not.obj", "this is no mesh\n");
    RefuseAt(SHAPE("{mesh: not.obj}"), 3, 51, "not.obj");
    RefuseAt(SHAPE("{box: [1, 1, 1], material: wood}"), 3, 71, "there is no material `wood`");
}

static void HydrodynamicsInAllForms(void** state) {
    (void)state;
    hwScene* scene = Take(
        HEAD "bodies:\n  - name: a\n    motion: fixed\n    volume: 0\n    drag:\n"
             "      strips: [{from: [0, 0, 0], to: [0, 0, 2], diameter: 0.1, normal: 1.2, tangential: 0.02, "
             "count: 7, curve: cylinder}]\n"
             "      lift: {at: [1, 0, 0], normal: [0, 0, 5], area: 2, slope: 3, stall_deg: 20}\n"
             "      skin: {area: 12, length: 4}\n"
             "      sphere: {diameter: 0.3, factor: 1.5}\n");
    const hwHydroDef* hydro = &Body(scene, 0)->def.hydro;
    assert_true(hydro->volume == 0.0);
    assert_true(hydro->stripCount == 1 && hydro->strips[0].count == 7 &&
                hydro->strips[0].curve == HW_DRAG_CYLINDER);
    assert_true(hydro->strips[0].normal == 1.2 && hydro->strips[0].tangential == 0.02 &&
                hydro->strips[0].diameter == 0.1);
    AssertVec(hydro->strips[0].to, 0, 0, 2);
    assert_true(hydro->liftCount == 1 && hydro->lifts[0].area == 2.0 && hydro->lifts[0].slope == 3.0);
    AssertVec(hydro->lifts[0].normal, 0, 0, 1);
    assert_true(fabs(hydro->lifts[0].stall - 20 * HW_DEGREE) < 1e-15);
    assert_true(hydro->skinArea == 12.0 && hydro->skinLength == 4.0);
    assert_true(hydro->sphereDiameter == 0.3 && hydro->sphereDrag == 1.5);
    hwDestroyScene(scene);
    scene = Take(HEAD
                 "bodies: [{name: a, motion: fixed, drag: {sphere: 0.3, lift: [{normal: [1, 0, 0], area: 1}, "
                 "{normal: [0, 1, 0], area: 1}]}}]\n");
    assert_true(Body(scene, 0)->def.hydro.sphereDrag == 1.0);
    assert_int_equal(Body(scene, 0)->def.hydro.liftCount, 2);
    hwDestroyScene(scene);
    RefuseAt(HEAD "bodies: [{name: a, motion: fixed, drag: {strips: [{from: [0, 0, 0], to: [0, 0, 0], "
                  "diameter: 1}]}}]\n",
             3, 0, "no length");
}

static void MotionInAllForms(void** state) {
    (void)state;
    hwScene* scene =
        Take(HEAD "bodies:\n"
                  "  - {name: a, mass: 1, inertia: [1, 1, 1], motion: free}\n"
                  "  - {name: b, motion: fixed}\n"
                  "  - {name: c, motion: prescribed}\n"
                  "  - {name: d, motion: {prescribed: {position: [1, 2, 3]}}}\n"
                  "  - name: e\n    motion:\n      prescribed:\n"
                  "        position: {sine: {amplitude: [0, 0, 1], period: 8}}\n"
                  "        attitude: {rpy_deg: {sum: [[0, 0, 90], {sine: {amplitude: [5, 0, 0], period: 4, "
                  "phase_deg: 90}}]}}\n");
    assert_int_equal(Body(scene, 0)->def.motion, HW_MOTION_FREE);
    assert_int_equal(Body(scene, 1)->def.motion, HW_MOTION_FIXED);
    assert_int_equal(Body(scene, 2)->def.motion, HW_MOTION_PRESCRIBED);
    assert_int_equal(Body(scene, 2)->def.prescribedPosition.termCount, 0);
    assert_int_equal(Body(scene, 3)->def.motion, HW_MOTION_PRESCRIBED);
    AssertVec(hwSignal_Evaluate(&Body(scene, 3)->def.prescribedPosition, 0.0).value, 1, 2, 3);
    const hwBodyDef* e = &Body(scene, 4)->def;
    AssertVec(hwSignal_Evaluate(&e->prescribedPosition, 2.0).value, 0, 0, 1);
    AssertVec(hwSignal_Evaluate(&e->prescribedAttitude, 0.0).value, 5 * HW_DEGREE, 0, 90 * HW_DEGREE);
    hwDestroyScene(scene);
    RefuseAt(HEAD "bodies: [{name: a, motion: flying}]\n", 3, 28, "`kind` is `flying`");
    RefuseAt(HEAD "bodies: [{name: a, motion: {prescribed: {attitude: {quat: [1, 0, 0, 0]}}}}]\n", 3, 0,
             "`quat` cannot stand here");
}

#define RAO_NAMES                                                                                            \
    "heading_deg,period,surge,surge_phase_deg,sway,sway_phase_deg,heave,heave_phase_deg,roll_deg,roll_"      \
    "phase_deg,"                                                                                             \
    "pitch_deg,pitch_phase_deg,yaw_deg,yaw_phase_deg\n"

static void ResponseOfAShip(void** state) {
    (void)state;
#define SHIP HEAD "bodies: [{name: ship, motion: {prescribed: {rao: rao.csv}}}]\n"
    WriteText(FOLDER "/rao.csv", RAO_NAMES "deg,s,,,,,,,,,,,,\n"
                                           "0,5,1,10,2,20,3,30,4,40,5,50,6,60\n"
                                           "0,9,0,0,0,0,1,0,0,0,0,0,0,0\n"
                                           "180,5,0,0,0,0,0,0,0,0,0,0,0,0\n"
                                           "180,9,0,0,0,0,0,0,7,-90,0,0,0,0\n");
    hwScene* scene = Take(SHIP);
    const hwRaoDef* rao = &Body(scene, 0)->def.rao;
    assert_int_equal(rao->headingCount, 2);
    assert_int_equal(rao->periodCount, 2);
    assert_true(rao->headings[1] == HW_PI && rao->periods[0] == 5.0 && rao->periods[1] == 9.0);
    assert_true(rao->rows[4] == 3.0 && rao->rows[5] == 30.0 * HW_DEGREE && rao->rows[6] == 4.0 * HW_DEGREE);
    assert_true(rao->rows[36 + 6] == 7.0 * HW_DEGREE && rao->rows[36 + 7] == -90.0 * HW_DEGREE);
    hwDestroyScene(scene);
    RefuseAt(HEAD "bodies: [{name: ship, motion: {prescribed: {rao: rao.csv, attitude: [0, 0, 0]}}}]\n", 3, 0,
             "cannot stand beside `rao`");
    WriteText(FOLDER "/rao.csv", RAO_NAMES "0,5,1,0,1,0,1,0,1,0,1,0,1,0\n0,9,1,0,1,0,1,0,1,0,1,0,1,0\n"
                                           "90,5,1,0,1,0,1,0,1,0,1,0,1,0\n");
    RefuseAt(SHIP, 3, 0, "what follows line 4 does not go on with heading 90, period 9");
    WriteText(FOLDER "/rao.csv", RAO_NAMES "0,5,1,0,1,0,1,0,1,0,1,0,1,0\n90,6,1,0,1,0,1,0,1,0,1,0,1,0\n");
    RefuseAt(SHIP, 3, 0, "line 3 does not go on with heading 90, period 5");
    WriteText(FOLDER "/rao.csv", "heading_deg,period\n0,5\n");
    RefuseAt(SHIP, 3, 0, "has no column `surge`");
}

// North up, east to the right: the corner at the lower left stands at the origin.
static void BathymetryByEsri(void** state) {
    (void)state;
    WriteText(FOLDER "/grid.asc",
              "NCOLS 3\nNROWS 2\nXLLCORNER 500000\nYLLCORNER 6e6\nCELLSIZE 25\nNODATA_value -9999\n"
              "-11 -12 -13\n-21 -22 -23\n");
    hwScene* scene =
        Take(HEAD "environment:\n  water: {}\n  seabed: {heightfield: grid.asc, origin: [100, 200, -1]}\n");
    hwError error;
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    assert_non_null(world);
    static const double heights[2][3] = {{-21, -22, -23}, {-11, -12, -13}}; // south, north; west to east
    for (int north = 0; north < 2; north++) {
        for (int east = 0; east < 3; east++) {
            double bottom = hwWorld_GetSeabed(world, 100 + 25 * north, 200 - 25 * east, NULL);
            assert_true(fabs(bottom - heights[north][east] + 1.0) < 1e-9);
        }
    }
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

// WAMIT writes period by period, headings and modes within; rotations by ULEN.
static void ResponseOfAShipByWamit(void** state) {
    (void)state;
#define WAMIT HEAD "bodies: [{name: ship, motion: {prescribed: {rao: ship.4, rao_length: 50}}}]\n"
    char text[8000] = " WAMIT\n";
    for (int p = 1; p >= 0; p--) {
        for (int h = -1; h < 3; h++) {
            for (int mode = 1; mode <= 6; mode++) {
                snprintf(text + strlen(text), sizeof(text) - strlen(text),
                         "  %.6E  %.6E  %d  %.6E  %.6E  0.000000E+00  0.000000E+00\n", p ? 9.0 : 5.0,
                         90.0 * h, mode, mode + 10.0 * h + 100.0 * p, -15.0 * mode);
            }
        }
    }
    WriteText(FOLDER "/ship.4", text);
    hwScene* scene = Take(WAMIT);
    const hwRaoDef* rao = &Body(scene, 0)->def.rao;
    assert_int_equal(rao->headingCount, 3); // -90 degrees is left out
    assert_int_equal(rao->periodCount, 2);
    for (int h = 0; h < 3; h++) {
        for (int p = 0; p < 2; p++) {
            for (int k = 0; k < 6; k++) {
                const double* cell = rao->rows + ((h * 2 + p) * 6 + k) * 2;
                assert_true(fabs(cell[0] - (k + 1 + 10.0 * h + 100.0 * p) / (k < 3 ? 1.0 : 50.0)) < 1e-12);
                assert_true(fabs(cell[1] + 15.0 * (k + 1) * HW_DEGREE) < 1e-12);
            }
        }
    }
    hwDestroyScene(scene);
    WriteText(FOLDER "/ship.4", "5 0 1 1 0 0 0\n5 0 2 1 0 0 0\n");
    RefuseAt(WAMIT, 3, 0, "mode 3 is missing for heading 0, period 5");
    WriteText(FOLDER "/ship.4", "5 0 1 1 0 0 0\n5 0 7 1 0 0 0\n");
    RefuseAt(WAMIT, 3, 0, "line 2: a line of WAMIT's .4 file");
    WriteText(FOLDER "/ship.4", "5 -90 1 1 0 0 0\n");
    RefuseAt(WAMIT, 3, 0, "holds no motions");
}

static void EnvironmentInAllForms(void** state) {
    (void)state;
    WriteText(FOLDER "/grid.txt", "# columns rows spacing\n3 2 5.0\n-10 -11 -12\n-13 -14 -15\n");
    WriteText(FOLDER "/grid.csv", "-1,-2\n-3,-4\n-5,-6\n");
    hwScene* scene = Take(
        HEAD
        "environment:\n  gravity: 1.6\n  water: {density: 1000, viscosity: 1e-6, surface: 2}\n"
        "  current: {profile: {depth: [0, 10], velocity: [[1, 0, 0], [0, 1, 0]]}}\n"
        "  wind: {uniform: [8, 0, 0], gust: 0.2, seed: 18446744073709551615}\n"
        "  waves:\n    airy:\n      - {height: 2, period: 8, direction_deg: 90}\n"
        "      - {height: 1, period: 5, phase: 0.5}\n"
        "    jonswap: {hs: 3, tp: 9, gamma: 2, direction_deg: 45, spreading: 4, seed: 7, components: 50}\n"
        "  seabed: {heightfield: grid.txt, origin: [-5, -2, 1], stiffness: 2e5}\n");
    const hwEnvironmentDef* def = &scene->model.environment.def;
    assert_true(def->gravity == 1.6 && def->water && def->waterDensity == 1000.0 && def->surface == 2.0);
    assert_true(def->current.count == 2 && def->current.levels[1] == 10.0);
    AssertVec(def->current.velocities[1], 0, 1, 0);
    AssertVec(hwSignal_Evaluate(&def->wind.uniform, 0.0).value, 8, 0, 0);
    assert_true(def->wind.gust == 0.2 && def->wind.gustSeed == UINT64_MAX);
    assert_true(def->airyCount == 2 && def->airy[0].height == 2.0 && def->airy[1].phase == 0.5);
    assert_true(fabs(def->airy[0].direction - 0.5 * HW_PI) < 1e-15);
    assert_true(def->jonswap.hs == 3.0 && def->jonswap.tp == 9.0 && def->jonswap.seed == 7 &&
                def->jonswap.components == 50);
    assert_true(fabs(def->jonswap.direction - 0.25 * HW_PI) < 1e-15 && def->jonswap.spreading == 4.0);
    assert_true(def->seabed.kind == HW_SEABED_HEIGHTFIELD && def->seabed.columns == 3 &&
                def->seabed.rows == 2);
    assert_true(def->seabed.spacing == 5.0 && def->seabed.heights[3] == -13.0 &&
                def->seabed.stiffness == 2e5);
    AssertVec(def->seabed.origin, -5, -2, 1);
    hwDestroyScene(scene);
    scene = Take(HEAD "environment:\n  water: {}\n  current: {sine: {amplitude: [1, 0, 0], period: 10}}\n  "
                      "wind: [1, 2, 3]\n"
                      "  waves: [{airy: {height: 1, period: 4}}, {airy: {height: 2, period: 6}}, {jonswap: "
                      "{hs: 1, tp: 7}}]\n"
                      "  seabed: {heightfield: grid.csv, spacing: 2}\n");
    def = &scene->model.environment.def;
    AssertVec(hwSignal_Evaluate(&def->current.uniform, 2.5).value, 1, 0, 0);
    AssertVec(hwSignal_Evaluate(&def->wind.uniform, 0.0).value, 1, 2, 3);
    assert_true(def->airyCount == 2 && def->airy[1].period == 6.0 && def->jonswap.hs == 1.0);
    assert_true(def->seabed.columns == 2 && def->seabed.rows == 3 && def->seabed.heights[5] == -6.0 &&
                def->seabed.spacing == 2.0);
    hwDestroyScene(scene);
    scene = Take(HEAD "environment: {seabed: {mesh: {vertices: [[0, 0, -5], [1, 0, -5], [0, 1, -5]], "
                      "triangles: [[0, 1, 2]]}}}\n");
    assert_true(scene->model.environment.def.seabed.kind == HW_SEABED_MESH);
    assert_int_equal(scene->model.environment.def.seabed.mesh.triangleCount, 1);
    hwDestroyScene(scene);
}

static void EnvironmentsThatMakeNoSense(void** state) {
    (void)state;
#define WET HEAD "environment:\n  water: {}\n"
    RefuseAt(HEAD "environment: {current: [1, 0, 0]}\n", 3, 15,
             "`current` in `environment` makes sense only with `water`");
    RefuseAt(WET "  current: {profile: {depth: [0, 10, 5], velocity: [[1, 0, 0], [0, 0, 0], [0, 0, 0]]}}\n",
             5, 30, "must increase, but 5 follows 10");
    RefuseAt(WET "  current: {profile: {depth: [0, 10], velocity: [[1, 0, 0]]}}\n", 5, 0,
             "`velocity` has 1 entries, but `depth` has 2");
    RefuseAt(WET "  wind: {gust: 0.1}\n", 5, 9, "`wind` needs one of `uniform`, `profile`");
    RefuseAt(WET "  seabed: {heightfield: nowhere.txt}\n", 5, 25, "does not exist");
    WriteText(FOLDER "/grid.asc",
              "ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 6e6\ncellsize 25\nNODATA_value -9999\n"
              "-1 -2 -3\n-4 -5 -9999\n");
    RefuseAt(WET "  seabed: {heightfield: grid.asc}\n", 5, 25, "row 2, column 3 is missing");
    WriteText(FOLDER "/grid.asc", "ncols 3\nnrows 2\ncellsize 25\n-1 -2 -3\n-4 -5\n");
    RefuseAt(WET "  seabed: {heightfield: grid.asc}\n", 5, 25, "holds 5 heights where 6 are announced");
    WriteText(FOLDER "/grid.asc", "ncols 3\nnrows 2\n-1 -2 -3\n-4 -5 -6\n");
    RefuseAt(WET "  seabed: {heightfield: grid.asc}\n", 5, 25, "a cellsize above 0");
    WriteText(FOLDER "/short.txt", "2 2 1\n1 2 3\n");
    RefuseAt(WET "  seabed: {heightfield: short.txt}\n", 5, 25, "holds 3 heights where 4 are announced");
    WriteText(FOLDER "/long.txt", "2 2 1\n1 2 3 4 5\n");
    RefuseAt(WET "  seabed: {heightfield: long.txt}\n", 5, 25, "more heights than announced");
    WriteText(FOLDER "/nan.txt", "2 2 1\n1 2 nan 4\n");
    RefuseAt(WET "  seabed: {heightfield: nan.txt}\n", 5, 25, "height 3 is `nan`");
    WriteText(FOLDER "/ragged.csv", "1,2\n3,4,5\n");
    RefuseAt(WET "  seabed: {heightfield: ragged.csv, spacing: 1}\n", 5, 25, "line 2 has 3 heights");
    RefuseAt(WET "  seabed: {heightfield: ragged.csv}\n", 5, 25, "ragged.csv");
    RefuseAt(WET "  seabed: {depth: 5, heightfield: short.txt, mesh: x.obj}\n", 5, 0, "x.obj");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ExampleBody),
        cmocka_unit_test(DefaultsAreThoseOfTheLibrary),
        cmocka_unit_test(AttitudesInAllForms),
        cmocka_unit_test(InertiaMustBeThatOfABody),
        cmocka_unit_test(AddedMassAsMatrix),
        cmocka_unit_test(ShapesInAllForms),
        cmocka_unit_test(ShapesThatAreNone),
        cmocka_unit_test(HydrodynamicsInAllForms),
        cmocka_unit_test(MotionInAllForms),
        cmocka_unit_test(ResponseOfAShip),
        cmocka_unit_test(ResponseOfAShipByWamit),
        cmocka_unit_test(BathymetryByEsri),
        cmocka_unit_test(EnvironmentInAllForms),
        cmocka_unit_test(EnvironmentsThatMakeNoSense),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
