// Events of steps: when contacts begin, hit and end, and what wires do; each once.
#include "world/rig.h"

#include "hawser/reference.h"

static hwWorld* MakeGround(const hwAllocator* allocator) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    if (allocator != NULL) def.allocator = *allocator;
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef ground = hwDefaultEnvironmentDef();
    ground.seabed.kind = HW_SEABED_PLANE;
    ground.seabed.depth = 0.0;
    ground.seabed.stiffness = 1e8;
    assert_status(hwWorld_SetEnvironment(world, &ground, &error), HW_OK);
    return world;
}

static hwBodyId AddBall(hwWorld* world, const char* name, hwVec3 at, hwVec3 velocity) {
    hwError error;
    hwShapeDef ball = hwDefaultShapeDef();
    ball.kind = HW_SHAPE_SPHERE;
    ball.radius = 0.5;
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = 100.0;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 10.0;
    def.position = at;
    def.velocity = velocity;
    def.shapeCount = 1;
    def.shapes = &ball;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static void Keep(hwWorld* world, int capacity) {
    hwError error;
    hwStepEventDef def = hwDefaultStepEventDef();
    if (capacity > 0) def.capacity = capacity;
    assert_status(hwWorld_KeepStepEvents(world, &def, &error), HW_OK);
}

typedef struct Counts {
    int of[9], lost;
    hwStepEvent first[9];
} Counts;

static Counts Watch(hwWorld* world, int frames) {
    hwError error;
    Counts counts = {0};
    for (int i = 0; i < frames; ++i) {
        double before = hwWorld_GetTime(world);
        if (hwWorld_Step(world, 1.0 / 60.0, &error) < HW_OK) fail_msg("%s", error.message);
        const hwStepEvent* events;
        int lost, count = hwWorld_GetStepEvents(world, &events, &lost);
        counts.lost += lost;
        for (int k = 0; k < count; ++k) {
            assert_true(events[k].time <= hwWorld_GetTime(world));
            if (events[k].kind == HW_EVENT_CONTACT_BEGIN) assert_true(events[k].time > before);
            if (counts.of[events[k].kind]++ == 0) counts.first[events[k].kind] = events[k];
        }
    }
    return counts;
}

// Dropped from 2 m it arrives after sqrt(2 h / g) with sqrt(2 g h).
static void test_AFallingBallHitsTheGround(void** state) {
    (void)state;
    for (int reference = 0; reference < 2; ++reference) {
        hwError error;
        hwWorld* world = MakeGround(NULL);
        hwBodyId ball = AddBall(world, "ball", hwMakeVec3(3.0, 1.0, 2.5), hwVec3_zero);
        if (reference) {
            assert_status(hwWorld_UseReference(world, HW_REFERENCE_AUTO, &error), HW_OK);
        }
        Prepare(world);
        Keep(world, 0);
        Counts counts = Watch(world, 45); // 0.75 s, one blow
        assert_int_equal(counts.of[HW_EVENT_CONTACT_BEGIN], 1);
        assert_int_equal(counts.of[HW_EVENT_CONTACT_HIT], 1);
        const hwStepEvent* hit = &counts.first[HW_EVENT_CONTACT_HIT];
        assert_true(HW_SAME_ID(hit->bodyA, ball) && HW_IS_NULL(hit->bodyB) && hit->shapeA == 0);
        // it is seen at the end of the sub-step that brings it, with the speed at its start
        assert_close(hit->time, sqrt(4.0 / 9.81), 0.02);
        assert_close(hit->value, sqrt(4.0 * 9.81), 0.2);
        assert_close_vec3(hit->point, hwMakeVec3(3.0, 1.0, 0.0), 0.05);
        assert_close_vec3(hit->normal, hwMakeVec3(0.0, 0.0, -1.0), 1e-9);
        hwDestroyWorld(world);
    }
}

// Two balls pass by each other and touch on the way; afterwards they are apart, which is told once, with the time of the
// last touch.
static void test_ContactsEndOnce(void** state) {
    (void)state;
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef space = hwDefaultEnvironmentDef();
    space.gravity = 0.0;
    assert_status(hwWorld_SetEnvironment(world, &space, &error), HW_OK);
    AddBall(world, "one", hwMakeVec3(-1.0, 0.3, 0.0), hwMakeVec3(1.0, 0.0, 0.0));
    AddBall(world, "two", hwMakeVec3(1.0, -0.3, 0.0), hwMakeVec3(-1.0, 0.0, 0.0));
    Prepare(world);
    Keep(world, 0);
    Counts counts = Watch(world, 120);
    assert_int_equal(counts.of[HW_EVENT_CONTACT_BEGIN], 1);
    assert_int_equal(counts.of[HW_EVENT_CONTACT_HIT], 1);
    assert_int_equal(counts.of[HW_EVENT_CONTACT_END], 1);
    assert_true(counts.first[HW_EVENT_CONTACT_END].time >= counts.first[HW_EVENT_CONTACT_BEGIN].time);
    // 2 m/s, 0.6 m aside of 1 m: 0.8 of it along the normal
    assert_close(counts.first[HW_EVENT_CONTACT_HIT].value, 1.6, 0.05);
    hwDestroyWorld(world);
}

// What lies there from the start begins no contact, neither after Prepare nor in a restored state.
static void test_WhatTouchesAlreadyDoesNotBegin(void** state) {
    (void)state;
    hwWorld* world = MakeGround(NULL);
    hwBodyId ball = AddBall(world, "ball", hwMakeVec3(0.0, 0.0, 0.4999), hwVec3_zero);
    Prepare(world);
    Keep(world, 0);
    Counts counts = Watch(world, 30);
    assert_int_equal(counts.of[HW_EVENT_CONTACT_BEGIN], 0);
    size_t size = hwWorld_GetStateSize(world);
    void* saved = malloc(size);
    assert_status(hwWorld_SaveState(world, saved, size, NULL), HW_OK);
    hwBodyState up = {.position = {0.0, 0.0, 5.0}, .attitude = hwQuat_identity};
    assert_status(hwBody_SetState(world, ball, &up, NULL), HW_OK);
    Watch(world, 10);
    assert_status(hwWorld_RestoreState(world, saved, size, NULL), HW_OK);
    counts = Watch(world, 10);
    assert_int_equal(counts.of[HW_EVENT_CONTACT_BEGIN], 0);
    free(saved);
    hwDestroyWorld(world);
}

static void test_RoomIsBoundedAndNothingIsAllocated(void** state) {
    (void)state;
    TestHeap heap = {.failAt = -1};
    hwAllocator allocator = TestHeap_GetAllocator(&heap);
    hwWorld* world = MakeGround(&allocator);
    for (int i = 0; i < 6; ++i) {
        char name[8];
        snprintf(name, sizeof(name), "b%d", i);
        AddBall(world, name, hwMakeVec3(3.0 * i, 0.0, 1.0), hwVec3_zero);
    }
    Prepare(world);
    Keep(world, 4);
    hwError error;
    assert_true(hwWorld_Step(world, 0.05, &error) >= HW_OK);
    long before = heap.allocations;
    assert_true(hwWorld_Step(world, 0.3, &error) >= HW_OK);
    const hwStepEvent* events;
    int lost, count = hwWorld_GetStepEvents(world, &events, &lost);
    assert_int_equal(heap.allocations, before);
    assert_int_equal(count, 4);
    assert_int_equal(count + lost, 12); // six begin and hit
    // the next step has its own
    assert_true(hwWorld_Step(world, 0.001, &error) >= HW_OK);
    assert_int_equal(hwWorld_GetStepEvents(world, &events, &lost), 0);
    assert_int_equal(lost, 0);
    assert_status(hwWorld_KeepStepEvents(world, NULL, &error), HW_OK);
    assert_int_equal(hwWorld_GetStepEvents(world, &events, NULL), 0);
    assert_null(events);
    hwStepEventDef blank = {0};
    assert_status(hwWorld_KeepStepEvents(world, &blank, &error), HW_ERROR_ARGUMENT);
    hwDestroyWorld(world);
    assert_int_equal(heap.live, 0);
}

// Keeping events changes nothing else.
static void test_KeepingEventsKeepsTheBits(void** state) {
    (void)state;
    uint64_t hashes[2];
    for (int k = 0; k < 2; ++k) {
        hwWorld* world = MakeGround(NULL);
        AddBall(world, "ball", hwMakeVec3(0.0, 0.0, 1.5), hwMakeVec3(1.0, 0.0, 0.0));
        hwCableSectionDef section = hwDefaultCableSectionDef();
        section.length = 4.0;
        section.elements = 8;
        section.diameter = 0.05;
        section.massPerLength = 3.0;
        section.EA = 1e5;
        hwCableEndDef a = {.at = {0.0, 1.0, 1.0}, .placed = true},
                      b = {.at = {4.0, 1.0, 1.0}, .placed = true};
        AddCable(world, "rope", &section, a, b, 0);
        Prepare(world);
        if (k == 1) Keep(world, 0);
        Run(world, 1.0);
        hashes[k] = hwWorld_HashState(world);
        hwDestroyWorld(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

static hwWorld* MakeDrop(hwCableId* wire, double damping) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwBodyId load = AddLoad(world, "load", 400.0, hwMakeVec3(0.0, 0.0, -8.0));
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = 10.0;
    section.elements = 20;
    section.diameter = 0.012;
    section.massPerLength = 0.6;
    section.EA = 6e6;
    section.axialDamping = damping;
    hwCableDef cable = hwDefaultCableDef();
    cable.name = "wire";
    cable.sectionCount = 1;
    cable.sections = &section;
    cable.ends[0] = Pin(earth, hwVec3_zero);
    cable.ends[1] = Pin(load, hwVec3_zero);
    cable.shape = HW_CABLE_CATENARY_SHAPE;
    *wire = hwWorld_AddCable(world, &cable, &error);
    if (HW_IS_NULL(*wire)) fail_msg("%s", error.message);
    Prepare(world);
    return world;
}

// 400 kg fall 2 m into a wire without damping, bounce and come to rest: it is slack once for each bounce, not for each
// vibration of the wire.
static void test_ABouncingLoadIsSlackOnceABounce(void** state) {
    (void)state;
    hwCableId wire;
    hwWorld* world = MakeDrop(&wire, 0.0);
    Keep(world, 0);
    Counts counts = Watch(world, 1200);
    int bounces = counts.of[HW_EVENT_CABLE_TAUT];
    // flights last from 1.2 s down; after 20 s some dozens at the very most
    assert_true(bounces >= 3);
    if (bounces > 120)
        fail_msg("%d times taut, %d times slack in 20 s", bounces, counts.of[HW_EVENT_CABLE_SLACK]);
    assert_true(abs(counts.of[HW_EVENT_CABLE_SLACK] - bounces) <= 2); // both ends take turns
    // the list of incidents agrees
    assert_int_equal(hwWorld_GetIncidents(world, 0, NULL), bounces + counts.of[HW_EVENT_CABLE_SLACK]);
    const hwStepEvent* snap = &counts.first[HW_EVENT_CABLE_TAUT];
    assert_true(HW_SAME_ID(snap->cableA, wire) && (snap->end == 0 || snap->end == 1));
    hwDestroyWorld(world);
}

// A snap that is over in hundredths of a second is not missed.
static void test_AShortSnapIsTold(void** state) {
    (void)state;
    hwCableId wire;
    hwWorld* world = MakeDrop(&wire, 2e4);
    Keep(world, 0);
    Counts counts = Watch(world, 150);
    assert_true(counts.of[HW_EVENT_CABLE_TAUT] >= 1 && counts.of[HW_EVENT_CABLE_SNAP] >= 1);
    // m v sqrt(k / m) of 400 kg at 6.3 m/s on 600 kN/m is 97 kN
    double largest = counts.first[HW_EVENT_CABLE_SNAP].value;
    assert_true(largest > 3e4 && largest < 1.2e5);
    hwDestroyWorld(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_AFallingBallHitsTheGround),
        cmocka_unit_test(test_ContactsEndOnce),
        cmocka_unit_test(test_WhatTouchesAlreadyDoesNotBegin),
        cmocka_unit_test(test_RoomIsBoundedAndNothingIsAllocated),
        cmocka_unit_test(test_KeepingEventsKeepsTheBits),
        cmocka_unit_test(test_ABouncingLoadIsSlackOnceABounce),
        cmocka_unit_test(test_AShortSnapIsTold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
