// Lists, handles, descriptions and the caller's own pointers of every kind of object, in a world and in its branch.
#include "world/rig.h"

static int marks[16];

typedef struct Yard {
    hwWorld* world;
    hwBodyId load;
    hwForceId force;
    hwMechanismId crane;
    hwCableId cables[2];
    hwWinchId winch;
    hwSheaveId sheave;
    hwVehicleId vehicle;
} Yard;

static hwCableId AddLine(hwWorld* world, const char* name, hwCableEndDef a, hwCableEndDef b, void* mark) {
    hwError error;
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 10;
    section.diameter = 0.02;
    section.massPerLength = 2.0;
    section.EA = 1e6;
    hwCableDef def = hwDefaultCableDef();
    def.name = name;
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = a;
    def.ends[1] = b;
    def.cuts = 1;
    def.userData = mark;
    hwCableId id = hwWorld_AddCable(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static Yard MakeYard(void) {
    Yard yard;
    hwError error;
    hwWorldDef worldDef = hwDefaultWorldDef();
    worldDef.userData = &marks[0];
    yard.world = hwCreateWorld(&worldDef, &error);
    hwMaterialDef steel = hwDefaultMaterialDef();
    steel.name = "steel";
    steel.userData = &marks[1];
    assert_status(hwWorld_AddMaterial(yard.world, &steel, &error), HW_OK);
    hwShapeDef shapes[2] = {hwDefaultShapeDef(), hwDefaultShapeDef()};
    shapes[1].userData = &marks[2];
    shapes[1].material = "steel";
    hwBodyDef body = hwDefaultBodyDef();
    body.name = "load";
    body.mass = 100.0;
    for (int i = 0; i < 3; ++i) body.inertia[i] = 20.0;
    body.position = hwMakeVec3(0.0, 0.0, -10.0);
    body.shapeCount = 2;
    body.shapes = shapes;
    body.userData = &marks[3];
    yard.load = hwWorld_AddBody(yard.world, &body, &error);
    hwForceDef push = hwDefaultForceDef();
    push.body = yard.load;
    push.userData = &marks[4];
    yard.force = hwWorld_AddForce(yard.world, &push, &error);
    hwLinkDef links[2] = {hwDefaultLinkDef(), hwDefaultLinkDef()};
    for (int k = 0; k < 2; ++k) {
        links[k].body.name = k == 0 ? "post" : "jib";
        links[k].body.mass = 50.0;
        for (int i = 0; i < 3; ++i) links[k].body.inertia[i] = 10.0;
        links[k].parent = k - 1;
        links[k].q = 0.25 * k;
        links[k].hasQ = true;
        links[k].body.userData = &marks[5 + k];
    }
    hwMechanismDef crane = hwDefaultMechanismDef();
    crane.name = "crane";
    crane.position = hwMakeVec3(50.0, 1.0, 2.0);
    crane.linkCount = 2;
    crane.links = links;
    crane.userData = &marks[7];
    yard.crane = hwWorld_AddMechanism(yard.world, &crane, &error);
    hwVec3 top = hwMakeVec3(0.0, 0.0, 10.0);
    yard.cables[0] =
        AddLine(yard.world, "fall", Pin(earth, hwMakeVec3(10.0, 0.0, 10.0)), Pin(earth, top), &marks[8]);
    yard.cables[1] =
        AddLine(yard.world, "wire", Pin(earth, top), Pin(yard.load, hwMakeVec3(0.0, 0.0, 10.0)), &marks[9]);
    hwWinchDef winch = hwDefaultWinchDef();
    winch.name = "winch";
    winch.cable = yard.cables[0];
    winch.userData = &marks[10];
    yard.winch = hwWorld_AddWinch(yard.world, &winch, &error);
    hwSheaveDef sheave = hwDefaultSheaveDef();
    sheave.name = "block";
    sheave.cables[0] = yard.cables[0];
    sheave.cables[1] = yard.cables[1];
    sheave.ends[0] = 1;
    sheave.ends[1] = 0;
    sheave.userData = &marks[11];
    yard.sheave = hwWorld_AddSheave(yard.world, &sheave, &error);
    if (HW_IS_NULL(yard.sheave)) fail_msg("%s", error.message);
    hwVehicleDef vehicle = hwDefaultVehicleDef();
    vehicle.body.name = "rov";
    vehicle.body.mass = 30.0;
    for (int i = 0; i < 3; ++i) vehicle.body.inertia[i] = 3.0;
    vehicle.body.position = hwMakeVec3(-30.0, 0.0, 0.0);
    vehicle.body.userData = &marks[12];
    vehicle.userData = &marks[13];
    yard.vehicle = hwWorld_AddVehicle(yard.world, &vehicle, &error);
    assert_false(HW_IS_NULL(yard.vehicle));
    return yard;
}

static void CheckMarks(const hwWorld* w, const Yard* yard) {
    hwBodyId post = hwMechanism_GetLink(w, yard->crane, 0), jib = hwMechanism_GetLink(w, yard->crane, 1);
    assert_ptr_equal(hwWorld_GetUserData(w), &marks[0]);
    assert_ptr_equal(hwMaterial_GetUserData(w, hwWorld_FindMaterial(w, "steel")), &marks[1]);
    assert_null(hwBody_GetShapeUserData(w, yard->load, 0));
    assert_ptr_equal(hwBody_GetShapeUserData(w, yard->load, 1), &marks[2]);
    assert_ptr_equal(hwBody_GetUserData(w, yard->load), &marks[3]);
    assert_ptr_equal(hwForce_GetUserData(w, yard->force), &marks[4]);
    assert_ptr_equal(hwBody_GetUserData(w, post), &marks[5]);
    assert_ptr_equal(hwBody_GetUserData(w, jib), &marks[6]);
    assert_ptr_equal(hwMechanism_GetUserData(w, yard->crane), &marks[7]);
    assert_ptr_equal(hwCable_GetUserData(w, yard->cables[0]), &marks[8]);
    assert_ptr_equal(hwCable_GetUserData(w, yard->cables[1]), &marks[9]);
    assert_ptr_equal(hwWinch_GetUserData(w, yard->winch), &marks[10]);
    assert_ptr_equal(hwSheave_GetUserData(w, yard->sheave), &marks[11]);
    assert_ptr_equal(hwBody_GetUserData(w, hwVehicle_GetBody(w, yard->vehicle)), &marks[12]);
    assert_ptr_equal(hwVehicle_GetUserData(w, yard->vehicle), &marks[13]);
    assert_true(HW_SAME_ID(hwBody_GetMechanism(w, jib), yard->crane));
    assert_true(HW_IS_NULL(hwBody_GetMechanism(w, yard->load)));
}

static void test_PointersStayWithTheirObjects(void** state) {
    (void)state;
    Yard yard = MakeYard();
    hwError error;
    CheckMarks(yard.world, &yard);
    Prepare(yard.world);
    Run(yard.world, 0.1);
    CheckMarks(yard.world, &yard);
    hwWorld* branch = hwWorld_Branch(yard.world, &error);
    assert_non_null(branch);
    CheckMarks(branch, &yard);
    // what is replaced in one world stays in the other, and the physics does not see it
    uint64_t before = hwWorld_HashState(yard.world);
    hwWorld* w = yard.world;
    void* other = &marks[15];
    hwWorld_SetUserData(w, other);
    assert_true(hwBody_SetUserData(w, yard.load, other) && hwBody_GetUserData(w, yard.load) == other);
    assert_true(hwBody_SetShapeUserData(w, yard.load, 0, other) &&
                hwBody_GetShapeUserData(w, yard.load, 0) == other);
    assert_true(hwForce_SetUserData(w, yard.force, other) && hwForce_GetUserData(w, yard.force) == other);
    assert_true(hwMechanism_SetUserData(w, yard.crane, other) &&
                hwMechanism_GetUserData(w, yard.crane) == other);
    assert_true(hwCable_SetUserData(w, yard.cables[1], other) &&
                hwCable_GetUserData(w, yard.cables[1]) == other);
    assert_true(hwWinch_SetUserData(w, yard.winch, other) && hwWinch_GetUserData(w, yard.winch) == other);
    assert_true(hwSheave_SetUserData(w, yard.sheave, other) && hwSheave_GetUserData(w, yard.sheave) == other);
    assert_true(hwVehicle_SetUserData(w, yard.vehicle, other) &&
                hwVehicle_GetUserData(w, yard.vehicle) == other);
    hwMaterialId steel = hwWorld_FindMaterial(w, "steel");
    assert_true(hwMaterial_SetUserData(w, steel, other) && hwMaterial_GetUserData(w, steel) == other);
    assert_true(hwWorld_HashState(w) == before);
    CheckMarks(branch, &yard);
    hwDestroyWorld(branch);
    hwDestroyWorld(yard.world);
}

static void test_EveryKindIsListed(void** state) {
    (void)state;
    Yard yard = MakeYard();
    const hwWorld* w = yard.world;
    Prepare(yard.world);
    hwForceId forces[2];
    hwMechanismId mechanisms[2];
    hwCableId cables[4];
    hwWinchId winches[2];
    hwSheaveId sheaves[2];
    hwMaterialId materials[2];
    assert_int_equal(hwWorld_GetForces(w, 2, forces), 1);
    assert_int_equal(hwWorld_GetMechanisms(w, 2, mechanisms), 1);
    assert_int_equal(hwWorld_GetCables(w, 4, cables), 2);
    assert_int_equal(hwWorld_GetWinches(w, 2, winches), 1);
    assert_int_equal(hwWorld_GetSheaves(w, 2, sheaves), 1);
    assert_int_equal(hwWorld_GetMaterials(w, 2, materials), 1);
    assert_int_equal(hwWorld_GetCables(w, 0, NULL), 2);
    assert_true(HW_SAME_ID(forces[0], yard.force) && hwForce_IsValid(w, forces[0]));
    assert_true(HW_SAME_ID(mechanisms[0], yard.crane) && hwMechanism_IsValid(w, mechanisms[0]));
    assert_true(HW_SAME_ID(cables[0], yard.cables[0]) && hwCable_IsValid(w, cables[0]));
    assert_true(HW_SAME_ID(cables[1], yard.cables[1]));
    assert_true(HW_SAME_ID(winches[0], yard.winch) && hwWinch_IsValid(w, winches[0]));
    assert_true(HW_SAME_ID(sheaves[0], yard.sheave) && hwSheave_IsValid(w, sheaves[0]));
    assert_true(hwMaterial_IsValid(w, materials[0]) && hwVehicle_IsValid(w, yard.vehicle));
    // a cut makes a cable more
    hwError error;
    hwCableId rest;
    assert_status(hwCable_Cut(yard.world, yard.cables[1], 5.0, &rest, &error), HW_OK);
    assert_int_equal(hwWorld_GetCables(w, 4, cables), 3);
    bool listed = false;
    for (int i = 0; i < 3; ++i) listed = listed || HW_SAME_ID(cables[i], rest);
    assert_true(listed);
    assert_ptr_equal(hwCable_GetUserData(w, rest), &marks[9]);
    hwDestroyWorld(yard.world);
}

static void test_DescriptionsAreThoseGiven(void** state) {
    (void)state;
    Yard yard = MakeYard();
    const hwWorld* w = yard.world;
    assert_int_equal(hwWorld_GetDef(w)->threads, 1);
    assert_true(hwWorld_GetContactDef(w)->cables);
    assert_true(HW_SAME_ID(hwForce_GetDef(w, yard.force)->body, yard.load));
    assert_string_equal(hwCable_GetDef(w, yard.cables[1])->name, "wire");
    assert_true(hwCable_GetDef(w, yard.cables[1])->sections[0].length == 10.0);
    assert_string_equal(hwWinch_GetDef(w, yard.winch)->name, "winch");
    assert_int_equal(hwSheave_GetDef(w, yard.sheave)->ends[0], 1);
    assert_string_equal(hwMaterial_GetDef(w, hwWorld_FindMaterial(w, "steel"))->name, "steel");
    assert_true(HW_IS_NULL(hwWorld_FindMaterial(w, "brass")));
    assert_string_equal(hwMechanism_GetName(w, yard.crane), "crane");
    // a mechanism's description makes the same mechanism in another world
    hwMechanismDef def;
    hwLinkDef links[2];
    assert_true(hwMechanism_GetDef(w, yard.crane, &def, 2, links));
    assert_int_equal(def.linkCount, 2);
    assert_string_equal(links[1].body.name, "jib");
    assert_int_equal(links[1].parent, 0);
    assert_close_vec3(def.position, hwMakeVec3(50.0, 1.0, 2.0), 0.0);
    hwWorldDef plain = hwDefaultWorldDef();
    hwError error;
    hwWorld* copy = hwCreateWorld(&plain, &error);
    hwMechanismId again = hwWorld_AddMechanism(copy, &def, &error);
    if (HW_IS_NULL(again)) fail_msg("%s", error.message);
    Prepare(copy);
    Prepare(yard.world);
    hwBodyState a, b;
    assert_status(hwBody_GetState(w, hwMechanism_GetLink(w, yard.crane, 1), &a, &error), HW_OK);
    assert_status(hwBody_GetState(copy, hwMechanism_GetLink(copy, again, 1), &b, &error), HW_OK);
    assert_close_vec3(a.position, b.position, 0.0);
    assert_close_vec3(a.acceleration, b.acceleration, 0.0);
    hwDestroyWorld(copy);
    hwDestroyWorld(yard.world);
}

static void test_StaleHandlesAreKnown(void** state) {
    (void)state;
    Yard yard = MakeYard();
    hwError error;
    hwWorld* w = yard.world;
    assert_status(hwWorld_RemoveSheave(w, yard.sheave, &error), HW_OK);
    assert_status(hwWorld_RemoveWinch(w, yard.winch, &error), HW_OK);
    assert_status(hwWorld_RemoveForce(w, yard.force, &error), HW_OK);
    assert_status(hwWorld_RemoveVehicle(w, yard.vehicle, &error), HW_OK);
    assert_status(hwWorld_RemoveMechanism(w, yard.crane, &error), HW_OK);
    assert_status(hwWorld_RemoveCable(w, yard.cables[0], &error), HW_OK);
    assert_false(hwSheave_IsValid(w, yard.sheave) || hwSheave_GetDef(w, yard.sheave) != NULL);
    assert_false(hwWinch_IsValid(w, yard.winch) || hwWinch_GetDef(w, yard.winch) != NULL);
    assert_false(hwForce_IsValid(w, yard.force) || hwForce_GetDef(w, yard.force) != NULL);
    assert_false(hwVehicle_IsValid(w, yard.vehicle) || hwVehicle_GetUserData(w, yard.vehicle) != NULL);
    assert_false(hwCable_IsValid(w, yard.cables[0]) || hwCable_GetDef(w, yard.cables[0]) != NULL);
    assert_false(hwMechanism_SetUserData(w, yard.crane, NULL) || hwForce_SetUserData(w, yard.force, NULL));
    assert_false(hwBody_SetShapeUserData(w, yard.load, 2, NULL) ||
                 hwBody_SetShapeUserData(w, yard.load, -1, NULL));
    assert_string_equal(hwMechanism_GetName(w, yard.crane), "");
    assert_int_equal(hwWorld_GetMechanisms(w, 0, NULL) + hwWorld_GetWinches(w, 0, NULL), 0);
    hwDestroyWorld(w);
}

static double ReadNothing(const hwWorld* world, void* context) {
    (void)context;
    return hwWorld_GetTime(world);
}

// What has no place of its own in the world is listed, described and marked like everything else, and copied with its handle.
static void test_ForcesOnCablesSensorsAndInstruments(void** state) {
    (void)state;
    Yard yard = MakeYard();
    hwError error;
    hwWorld* w = yard.world;
    hwCableForceDef push = hwDefaultCableForceDef();
    push.cable = yard.cables[1];
    hwSensorDef gauge = hwDefaultSensorDef();
    gauge.name = "gauge";
    gauge.read = ReadNothing;
    gauge.userData = &marks[1];
    hwInstrumentDef imu = hwDefaultInstrumentDef();
    imu.name = "imu";
    imu.kind = HW_INSTRUMENT_IMU;
    imu.body = yard.load;
    imu.userData = &marks[2];
    hwCableForceId forces[4];
    for (int i = 0; i < 3; ++i) {
        push.at = 1.0 + i;
        push.userData = &marks[3 + i];
        assert_status(hwWorld_AddCableForce(w, &push, &error), HW_OK);
    }
    assert_int_equal(hwWorld_GetCableForces(w, 4, forces), 3);
    hwCableForceId gone = forces[0];
    assert_status(hwWorld_RemoveCableForce(w, gone, &error), HW_OK);
    assert_int_equal(hwWorld_RemoveCableForce(w, gone, &error), HW_ERROR_ARGUMENT);
    assert_false(hwCableForce_IsValid(w, gone) || hwCableForce_SetUserData(w, gone, NULL));
    assert_null(hwCableForce_GetDef(w, gone));
    hwSensorId sensor = hwWorld_AddSensor(w, &gauge, &error);
    hwInstrumentId instrument = hwWorld_AddInstrument(w, &imu, &error);
    assert_true(HW_SAME_ID(hwWorld_FindSensor(w, "gauge"), sensor));
    assert_true(HW_IS_NULL(hwWorld_FindSensor(w, "imu")) && HW_IS_NULL(hwWorld_FindSensor(w, NULL)));
    Prepare(w);
    hwWorld* copy = hwWorld_Copy(w, &error);
    assert_non_null(copy);
    hwWorld* both[2] = {w, copy};
    for (int k = 0; k < 2; ++k) {
        assert_ptr_equal(hwCableForce_GetUserData(both[k], forces[1]), &marks[4]);
        assert_true(hwCableForce_GetDef(both[k], forces[2])->at == 3.0);
        assert_false(hwCableForce_IsValid(both[k], gone));
        assert_ptr_equal(hwSensor_GetUserData(both[k], sensor), &marks[1]);
        assert_ptr_equal(hwInstrument_GetUserData(both[k], instrument), &marks[2]);
    }
    assert_true(hwCableForce_SetUserData(w, forces[1], NULL) && hwSensor_SetUserData(w, sensor, NULL) &&
                hwInstrument_SetUserData(w, instrument, NULL));
    assert_ptr_equal(hwCableForce_GetUserData(copy, forces[1]), &marks[4]);
    assert_null(hwSensor_GetUserData(w, sensor));
    hwDestroyWorld(copy);
    hwDestroyWorld(w);
}

// A world that is not prepared is copied too; both then go the same way, also one that has been prepared before.
static void test_CopiesGoTheSameWay(void** state) {
    (void)state;
    for (int prepared = 0; prepared < 2; ++prepared) {
        Yard yard = MakeYard();
        hwError error;
        if (prepared) {
            Prepare(yard.world);
            Run(yard.world, 0.1);
        }
        hwWorld* copy = hwWorld_Copy(yard.world, &error);
        assert_non_null(copy);
        CheckMarks(copy, &yard);
        assert_int_equal(hwWorld_GetStateSize(copy) > 0, prepared);
        if (!prepared) {
            Prepare(yard.world);
            Prepare(copy);
        }
        Run(yard.world, 0.2);
        Run(copy, 0.2);
        assert_true(hwWorld_HashState(copy) == hwWorld_HashState(yard.world));
        hwDestroyWorld(copy);
        hwDestroyWorld(yard.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_PointersStayWithTheirObjects),
        cmocka_unit_test(test_EveryKindIsListed),
        cmocka_unit_test(test_DescriptionsAreThoseGiven),
        cmocka_unit_test(test_StaleHandlesAreKnown),
        cmocka_unit_test(test_CopiesGoTheSameWay),
        cmocka_unit_test(test_ForcesOnCablesSensorsAndInstruments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
