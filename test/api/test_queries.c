// Rays, nearest points and overlaps against closed forms and against looking at everything.
#include "hawser/hawser.h"

#include "support.h"

#include <pthread.h>

static hwWorld* Make(const hwAllocator* allocator) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    if (allocator != NULL) def.allocator = *allocator;
    hwWorld* world = hwCreateWorld(&def, &error);
    assert_non_null(world);
    return world;
}

static hwShapeDef MakeShape(hwShapeKind kind, double radius, double length) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = kind;
    shape.radius = radius;
    shape.length = length;
    return shape;
}

static hwBodyId AddFixed(hwWorld* world, const char* name, hwShapeDef shape, hwVec3 position) {
    hwError error;
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.motion = HW_MOTION_FIXED;
    def.position = position;
    def.shapeCount = 1;
    def.shapes = &shape;
    hwBodyId id = hwWorld_AddBody(world, &def, &error);
    if (HW_IS_NULL(id)) fail_msg("%s", error.message);
    return id;
}

static void Update(hwWorld* world) {
    hwError error;
    if (hwWorld_UpdateQueries(world, &error) != HW_OK) fail_msg("%s", error.message);
}

static void Start(hwWorld* world) {
    hwError error;
    if (hwWorld_Prepare(world, &error) != HW_OK) fail_msg("%s", error.message);
    Update(world);
}

static hwQueryHit Cast(const hwWorld* world, hwVec3 origin, hwVec3 direction, double length, double radius) {
    hwError error;
    hwRay ray = {origin, direction, length, radius};
    hwQueryHit hit;
    if (hwWorld_CastRay(world, &ray, NULL, &hit, &error) != HW_OK) fail_msg("%s", error.message);
    return hit;
}

static hwQueryHit Closest(const hwWorld* world, hwVec3 point, double reach) {
    hwError error;
    hwQueryHit hit;
    if (hwWorld_FindClosest(world, point, reach, NULL, &hit, &error) != HW_OK) fail_msg("%s", error.message);
    return hit;
}

static const hwVec3 cubeVertices[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                       {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const int cubeTriangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                         {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

// Every kind of shape on the x axis, 10 m apart, hit from above and from below; all reach 1 m up.
static void test_EveryShapeIsHit(void** state) {
    (void)state;
    hwWorld* world = Make(NULL);
    hwShapeDef shapes[6] = {MakeShape(HW_SHAPE_BOX, 0, 0),          MakeShape(HW_SHAPE_SPHERE, 1.0, 0),
                            MakeShape(HW_SHAPE_CYLINDER, 1.0, 2.0), MakeShape(HW_SHAPE_CAPSULE, 0.5, 1.0),
                            MakeShape(HW_SHAPE_HULL, 0, 0),         MakeShape(HW_SHAPE_MESH, 0, 0)};
    shapes[0].size = hwMakeVec3(2.0, 2.0, 2.0);
    hwMeshData cube = {8, cubeVertices, 12, cubeTriangles};
    shapes[4].mesh = shapes[5].mesh = cube;
    const char* names[6] = {"box", "sphere", "cylinder", "capsule", "hull", "mesh"};
    hwBodyId ids[6];
    for (int k = 0; k < 6; ++k) ids[k] = AddFixed(world, names[k], shapes[k], hwMakeVec3(10.0 * k, 0.0, 0.0));
    Start(world);
    for (int k = 0; k < 6; ++k) {
        for (int side = -1; side <= 1; side += 2) {
            for (int ball = 0; ball < 2; ++ball) {
                double x = 10.0 * k + 0.1 * (k != 1 && k != 3), radius = 0.25 * ball;
                hwQueryHit hit = Cast(world, hwMakeVec3(x, 0.05 * (k == 5), 6.0 * side),
                                      hwMakeVec3(0.0, 0.0, -2.0 * side), 20.0, radius);
                assert_int_equal(hit.kind, HW_HIT_BODY);
                assert_true(HW_SAME_ID(hit.body, ids[k]));
                assert_int_equal(hit.shape, 0);
                assert_close(hit.distance, 5.0 - radius,
                             2e-8); // sweeps stop at 1e-9 of the distances concerned
                assert_close(hit.point.z, side, 2e-8);
                // a curved top is met beside its pole by what 1e-9 of the distances lets through
                assert_close_vec3(hit.normal, hwMakeVec3(0.0, 0.0, side), 1e-6);
                assert_true((hit.triangle >= 0) == (k == 5));
                if (k == 5) assert_true(side > 0 ? hit.triangle / 2 == 1 : hit.triangle / 2 == 0);
            }
        }
        // a metre and a half above its top the nearest point is there
        hwQueryHit near = Closest(world, hwMakeVec3(10.0 * k, 0.0, 2.5), 4.0);
        assert_true(HW_SAME_ID(near.body, ids[k]));
        assert_close(near.distance, 1.5, 1e-9);
        assert_close(near.point.z, 1.0, 1e-9);
        // and a quarter of a metre below it is inside
        near = Closest(world, hwMakeVec3(10.0 * k, 0.0, 0.75), 4.0);
        assert_close(near.distance, -0.25, 1e-8);
        assert_close_vec3(near.normal, hwMakeVec3(0.0, 0.0, 1.0), 1e-6);
    }
    assert_int_equal(Cast(world, hwMakeVec3(5.0, 0.0, 6.0), hwMakeVec3(0.0, 0.0, -1.0), 20.0, 0.0).kind,
                     HW_HIT_NONE);
    assert_int_equal(Cast(world, hwMakeVec3(0.0, 0.0, 6.0), hwMakeVec3(0.0, 0.0, -1.0), 4.9, 0.0).kind,
                     HW_HIT_NONE);
    assert_int_equal(Closest(world, hwMakeVec3(0.0, 0.0, 4.0), 2.9).kind, HW_HIT_NONE);
    // along the axis all are met, in order
    hwRay ray = {hwMakeVec3(-5.0, 0.1, 0.05), hwMakeVec3(1.0, 0.0, 0.0), 100.0, 0.0};
    hwQueryHit hits[6];
    hwError error;
    assert_int_equal(hwWorld_CastRayAll(world, &ray, NULL, 6, hits, &error), 6);
    for (int k = 0; k < 6; ++k) assert_true(HW_SAME_ID(hits[k].body, ids[k]));
    hwQueryHit two[2];
    assert_int_equal(hwWorld_CastRayAll(world, &ray, NULL, 2, two, &error), 6);
    assert_true(HW_SAME_ID(two[0].body, ids[0]) && HW_SAME_ID(two[1].body, ids[1]));
    hwDestroyWorld(world);
}

enum { BALLS = 400 };

typedef struct Balls {
    hwWorld* world;
    hwBodyId ids[BALLS];
    hwVec3 places[BALLS];
    double radii[BALLS];
} Balls;

static void FillBalls(Balls* balls, const hwAllocator* allocator) {
    uint64_t random = 17;
    balls->world = Make(allocator);
    for (int i = 0; i < BALLS; ++i) {
        char name[16];
        snprintf(name, sizeof(name), "ball%d", i);
        balls->places[i] = hwScale(20.0, TestRandomVec3(&random));
        balls->radii[i] = 1.2 + 0.8 * TestRandom(&random);
        balls->ids[i] =
            AddFixed(balls->world, name, MakeShape(HW_SHAPE_SPHERE, balls->radii[i], 0.0), balls->places[i]);
    }
    Start(balls->world);
}

// Where a ray meets a sphere: the smaller root, 0 inside, infinite when it misses.
static double MeetSphere(hwVec3 origin, hwVec3 way, hwVec3 center, double radius) {
    hwVec3 d = hwSub(origin, center);
    double b = hwDot(d, way), c = hwDot(d, d) - radius * radius, q = b * b - c;
    if (c <= 0.0) return 0.0;
    return q < 0.0 || b > 0.0 ? HUGE_VAL : -b - sqrt(q);
}

static void test_RandomSpheresAgreeWithClosedForms(void** state) {
    (void)state;
    static Balls balls;
    FillBalls(&balls, NULL);
    uint64_t random = 3;
    int hits = 0;
    for (int trial = 0; trial < 500; ++trial) {
        hwVec3 origin = hwScale(25.0, TestRandomVec3(&random)), way = hwNormalize(TestRandomVec3(&random));
        double radius = trial % 2 == 0 ? 0.0 : 0.3, nearest = HUGE_VAL, closest = HUGE_VAL;
        int first = -1, near = -1, meets = 0, overlaps = 0;
        for (int i = 0; i < BALLS; ++i) {
            double t = MeetSphere(origin, way, balls.places[i], balls.radii[i] + radius);
            if (t < nearest) nearest = t, first = i;
            meets += t <= 40.0;
            double gap = hwDistance(origin, balls.places[i]) - balls.radii[i];
            if (gap < closest) closest = gap, near = i;
            overlaps += gap <= 2.0;
        }
        hwQueryHit hit = Cast(balls.world, origin, hwScale(3.0, way), 40.0, radius);
        assert_int_equal(hit.kind, nearest <= 40.0 ? HW_HIT_BODY : HW_HIT_NONE);
        if (nearest <= 40.0) {
            hits += 1;
            assert_true(HW_SAME_ID(hit.body, balls.ids[first]));
            assert_close(hit.distance, nearest, 1e-11); // rounding of 40 m, cancelled in the root
        }
        hwError error;
        hwRay ray = {origin, way, 40.0, radius};
        assert_int_equal(hwWorld_CastRayAll(balls.world, &ray, NULL, 0, NULL, &error), meets);
        hwQueryHit point = Closest(balls.world, origin, 3.0);
        assert_int_equal(point.kind, closest <= 3.0 ? HW_HIT_BODY : HW_HIT_NONE);
        if (closest <= 3.0) {
            assert_true(HW_SAME_ID(point.body, balls.ids[near]));
            assert_close(point.distance, closest, 1e-11);
        }
        hwShapeDef probe = MakeShape(HW_SHAPE_SPHERE, 2.0, 0.0);
        hwQueryHit list[BALLS];
        hwPose pose = {origin, hwQuat_identity};
        int count = hwWorld_FindOverlaps(balls.world, &probe, pose, NULL, BALLS, list, &error);
        assert_int_equal(count, overlaps);
        for (int i = 1; i < count; ++i) assert_true(list[i].body.index > list[i - 1].body.index);
    }
    assert_true(hits > 100); // the test saw both answers
    hwDestroyWorld(balls.world);
}

static bool Count(const hwQueryHit* candidate, void* context) {
    assert_int_equal(candidate->kind, HW_HIT_BODY);
    *(int*)context += 1;
    return true;
}

static void test_QueriesLookAtFewThingsAndAllocateNothing(void** state) {
    (void)state;
    static Balls balls;
    TestHeap heap = {.failAt = -1};
    hwAllocator allocator = TestHeap_GetAllocator(&heap);
    FillBalls(&balls, &allocator);
    long before = heap.allocations;
    uint64_t random = 5;
    int asked = 0;
    hwQueryFilter filter = hwDefaultQueryFilter();
    filter.accept = Count;
    filter.context = &asked;
    hwError error;
    for (int trial = 0; trial < 200; ++trial) {
        hwRay ray = {hwScale(20.0, TestRandomVec3(&random)), TestRandomVec3(&random), 40.0, 0.0};
        hwQueryHit hit;
        assert_status(hwWorld_CastRay(balls.world, &ray, &filter, &hit, &error), HW_OK);
        assert_status(hwWorld_FindClosest(balls.world, ray.origin, 2.0, &filter, &hit, &error), HW_OK);
    }
    // a ray passes a dozen boxes of 400, a ball of 2 m touches some
    assert_true(asked > 200 && asked < 400 * BALLS / 20);
    Update(balls.world);
    assert_int_equal(heap.allocations, before);
    hwDestroyWorld(balls.world);
    assert_int_equal(heap.live, 0);
}

static bool Refuse(const hwQueryHit* candidate, void* context) {
    (void)candidate;
    (void)context;
    return false;
}

static void test_FiltersDecideWhatIsSeen(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = Make(NULL);
    hwShapeDef front = MakeShape(HW_SHAPE_SPHERE, 1.0, 0.0), back = front;
    front.filter.category = 4;
    hwBodyId a = AddFixed(world, "front", front, hwMakeVec3(5.0, 0.0, 0.0));
    hwBodyId b = AddFixed(world, "back", back, hwMakeVec3(10.0, 0.0, 0.0));
    Start(world);
    hwRay ray = {hwVec3_zero, hwMakeVec3(1.0, 0.0, 0.0), 50.0, 0.0};
    hwQueryFilter filter = hwDefaultQueryFilter();
    hwQueryHit hit;
    hwWorld_CastRay(world, &ray, &filter, &hit, &error);
    assert_true(HW_SAME_ID(hit.body, a));
    filter.mask = ~(uint64_t)4;
    hwWorld_CastRay(world, &ray, &filter, &hit, &error);
    assert_true(HW_SAME_ID(hit.body, b));
    filter = hwDefaultQueryFilter();
    filter.except = a;
    hwWorld_CastRay(world, &ray, &filter, &hit, &error);
    assert_true(HW_SAME_ID(hit.body, b));
    filter = hwDefaultQueryFilter();
    filter.accept = Refuse;
    hwWorld_CastRay(world, &ray, &filter, &hit, &error);
    assert_int_equal(hit.kind, HW_HIT_NONE);
    filter = hwDefaultQueryFilter();
    filter.bodies = false;
    hwWorld_CastRay(world, &ray, &filter, &hit, &error);
    assert_int_equal(hit.kind, HW_HIT_NONE);
    hwDestroyWorld(world);
}

static void AddRope(hwWorld* world, hwVec3 a, hwVec3 b, hwCableId* id) {
    hwError error;
    hwCableSectionDef section = hwDefaultCableSectionDef();
    section.length = hwDistance(a, b);
    section.elements = 40;
    section.diameter = 0.1;
    section.massPerLength = 5.0;
    section.EA = 1e6;
    hwCableDef def = hwDefaultCableDef();
    def.name = "rope";
    def.sectionCount = 1;
    def.sections = &section;
    def.ends[0] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = a};
    def.ends[1] = (hwCableEndDef){.joint = HW_ATTACH_PIN, .at = b};
    *id = hwWorld_AddCable(world, &def, &error);
    if (HW_IS_NULL(*id)) fail_msg("%s", error.message);
}

static void test_CablesAreRound(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = Make(NULL);
    hwCableId rope;
    AddRope(world, hwVec3_zero, hwMakeVec3(20.0, 0.0, 0.0), &rope);
    Start(world);
    hwQueryHit hit = Cast(world, hwMakeVec3(7.3, 0.0, 4.0), hwMakeVec3(0.0, 0.0, -1.0), 10.0, 0.0);
    assert_int_equal(hit.kind, HW_HIT_CABLE);
    assert_true(HW_SAME_ID(hit.cable, rope));
    assert_int_equal(hit.element, 14);
    assert_close(hit.at, 7.3, 1e-6); // along a line, the sweep's 1e-9 of the distances leaves a micrometre
    assert_close(hit.distance, 3.95, 1e-7);
    hit = Cast(world, hwMakeVec3(7.3, 3.0, 4.0), hwMakeVec3(0.0, -3.0, -3.8), 10.0, 0.25);
    assert_int_equal(hit.kind, HW_HIT_CABLE);
    hit = Closest(world, hwMakeVec3(12.25, 0.3, 0.4), 1.0);
    assert_true(HW_SAME_ID(hit.cable, rope));
    assert_close(hit.distance, 0.45, 1e-12);
    assert_close(hit.at, 12.25, 1e-12);
    assert_close_vec3(hit.normal, hwMakeVec3(0.0, 0.6, 0.8), 1e-12);
    hwShapeDef probe = MakeShape(HW_SHAPE_BOX, 0.0, 0.0);
    hwQueryHit list[4];
    hwPose pose = {hwMakeVec3(5.0, 0.0, 0.0), hwQuat_identity};
    assert_int_equal(hwWorld_FindOverlaps(world, &probe, pose, NULL, 4, list, &error), 1);
    assert_true(HW_SAME_ID(list[0].cable, rope));
    assert_int_equal(list[0].element, 8); // ends at 4.5 m, where the box begins
    pose.p.z = 0.56;
    assert_int_equal(hwWorld_FindOverlaps(world, &probe, pose, NULL, 4, list, &error), 0);
    // it sags when time goes on, but is seen to only after an update
    assert_true(hwWorld_Step(world, 0.5, &error) >= HW_OK);
    assert_true(hwWorld_GetQueryTime(world) == 0.0);
    assert_close(Closest(world, hwMakeVec3(10.25, 0.0, 0.0), 1.0).distance, -0.05, 1e-12);
    Update(world);
    assert_true(hwWorld_GetQueryTime(world) == 0.5);
    assert_true(Closest(world, hwMakeVec3(10.25, 0.0, 0.0), 4.0).distance > 0.1);
    hwDestroyWorld(world);
}

// A slope of 1 in 2 as a grid and as a mesh.
static void test_GroundIsHit(void** state) {
    (void)state;
    hwError error;
    double heights[9 * 9];
    hwVec3 corners[4] = {{-10, -10, -5}, {10, -10, 5}, {10, 10, 5}, {-10, 10, -5}};
    const int halves[2][3] = {{0, 1, 2}, {0, 2, 3}};
    for (int j = 0; j < 9; ++j) {
        for (int i = 0; i < 9; ++i) heights[9 * j + i] = 0.5 * (-10.0 + 2.5 * i);
    }
    for (int kind = 0; kind < 3; ++kind) {
        hwWorld* world = Make(NULL);
        hwEnvironmentDef sea = hwDefaultEnvironmentDef();
        sea.water = true;
        sea.seabed.stiffness = 1e5;
        sea.seabed.kind = kind == 0 ? HW_SEABED_PLANE : kind == 1 ? HW_SEABED_HEIGHTFIELD : HW_SEABED_MESH;
        sea.seabed.depth = kind == 0 ? 30.0 : 0.0;
        sea.seabed.columns = sea.seabed.rows = 9;
        sea.seabed.spacing = 2.5;
        sea.seabed.origin = hwMakeVec3(-10.0, -10.0, 0.0);
        sea.seabed.heights = heights;
        sea.seabed.mesh = (hwMeshData){4, corners, 2, halves};
        assert_status(hwWorld_SetEnvironment(world, &sea, &error), HW_OK);
        AddFixed(world, "far", MakeShape(HW_SHAPE_SPHERE, 1.0, 0.0), hwMakeVec3(0.0, 0.0, 500.0));
        Start(world);
        double ground = kind == 0 ? -30.0 : 1.05; // at x = 2.1
        hwVec3 up = kind == 0 ? hwMakeVec3(0.0, 0.0, 1.0) : hwNormalize(hwMakeVec3(-0.5, 0.0, 1.0));
        hwQueryHit hit = Cast(world, hwMakeVec3(2.1, 0.3, 20.0), hwMakeVec3(0.0, 0.0, -1.0), 100.0, 0.0);
        assert_int_equal(hit.kind, HW_HIT_SEABED);
        assert_close(hit.distance, 20.0 - ground, 1e-9);
        assert_close_vec3(hit.normal, up, 1e-9);
        assert_true((hit.triangle >= 0) == (kind != 0));
        hit = Cast(world, hwMakeVec3(2.1, 0.3, 20.0), hwMakeVec3(0.0, 0.0, -1.0), 100.0, 0.2);
        assert_close(hit.distance, 20.0 - ground - 0.2 / up.z, 1e-6); // a sweep over 100 m
        hit = Closest(world, hwMakeVec3(2.1, 0.3, ground + 1.0), 5.0);
        assert_int_equal(hit.kind, HW_HIT_SEABED);
        assert_close(hit.distance, up.z, 1e-9);
        assert_close_vec3(hit.normal, up, 1e-9);
        hit = Closest(world, hwMakeVec3(2.1, 0.3, ground - 1.0), 0.5);
        assert_close(hit.distance, -up.z, 1e-9);
        hwShapeDef probe = MakeShape(HW_SHAPE_CYLINDER, 0.5, 1.0);
        hwQueryHit list[2];
        for (int level = 0; level < 3; ++level) {
            // lying in it, clear of it, and wholly below
            hwPose pose = {hwMakeVec3(2.1, 0.3,
                                      ground + (level == 0   ? 0.3
                                                : level == 1 ? 1.0
                                                             : -3.0)),
                           hwQuat_identity};
            int count = hwWorld_FindOverlaps(world, &probe, pose, NULL, 2, list, &error);
            assert_int_equal(count, level != 1);
            if (count > 0) assert_int_equal(list[0].kind, HW_HIT_SEABED);
        }
        // a grid's border goes on outwards, however far
        for (int far = 0; far < 2 && kind == 1; ++far) {
            for (int k = 0; k < 2; ++k) {
                hwPose pose = {hwMakeVec3(far ? 3e6 : 40.0, 0.3, 5.0 + (k == 0 ? 0.3 : 1.0)),
                               hwQuat_identity};
                assert_int_equal(hwWorld_FindOverlaps(world, &probe, pose, NULL, 2, list, &error), k == 0);
                if (k == 0) assert_int_equal(list[0].triangle, -1);
            }
        }
        hwDestroyWorld(world);
    }
}

static void test_WholeShapesInsideAMeshOverlapIt(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = Make(NULL);
    hwShapeDef mesh = MakeShape(HW_SHAPE_MESH, 0.0, 0.0);
    mesh.mesh = (hwMeshData){8, cubeVertices, 12, cubeTriangles};
    hwBodyId id = AddFixed(world, "cube", mesh, hwVec3_zero);
    Start(world);
    hwQueryHit hit;
    for (int k = 0; k < 3; ++k) {
        // well inside, round all of it, and beside it
        hwShapeDef probe = MakeShape(HW_SHAPE_SPHERE, k == 1 ? 5.0 : 0.2, 0.0);
        hwPose pose = {hwMakeVec3(k == 2 ? 1.5 : 0.1, 0.0, 0.0), hwQuat_identity};
        assert_int_equal(hwWorld_FindOverlaps(world, &probe, pose, NULL, 1, &hit, &error), k < 2);
        if (k < 2) assert_true(HW_SAME_ID(hit.body, id));
    }
    hwDestroyWorld(world);
}

static void test_MistakesAreNamed(void** state) {
    (void)state;
    hwError error;
    hwWorld* world = Make(NULL);
    AddFixed(world, "ball", MakeShape(HW_SHAPE_SPHERE, 1.0, 0.0), hwVec3_zero);
    hwRay ray = {hwVec3_zero, hwMakeVec3(1.0, 0.0, 0.0), 50.0, 0.0};
    hwQueryHit hit;
    assert_status(hwWorld_UpdateQueries(world, &error), HW_ERROR_ORDER);
    assert_status(hwWorld_CastRay(world, &ray, NULL, &hit, &error), HW_ERROR_ORDER);
    assert_true(isnan(hwWorld_GetQueryTime(world)));
    Start(world);
    assert_status(hwWorld_CastRay(world, &ray, NULL, &hit, &error), HW_OK);
    assert_true(hit.distance == 0.0); // from inside
    ray.direction = hwVec3_zero;
    assert_status(hwWorld_CastRay(world, &ray, NULL, &hit, &error), HW_ERROR_ARGUMENT);
    assert_int_equal(hwWorld_CastRayAll(world, &ray, NULL, 0, NULL, &error), -1);
    assert_status(hwWorld_FindClosest(world, hwVec3_zero, -1.0, NULL, &hit, &error), HW_ERROR_ARGUMENT);
    hwQueryFilter blank;
    memset(&blank, 0, sizeof(blank));
    assert_status(hwWorld_FindClosest(world, hwVec3_zero, 1.0, &blank, &hit, &error), HW_ERROR_ARGUMENT);
    hwShapeDef hull = MakeShape(HW_SHAPE_HULL, 0.0, 0.0);
    assert_int_equal(hwWorld_FindOverlaps(world, &hull, hwPose_identity, NULL, 1, &hit, &error), -1);
    assert_non_null(strstr(error.message, "hulls"));
    // a new model needs a new snapshot
    AddFixed(world, "other", MakeShape(HW_SHAPE_SPHERE, 1.0, 0.0), hwMakeVec3(9.0, 0.0, 0.0));
    assert_status(hwWorld_CastRay(world, &ray, NULL, &hit, &error), HW_ERROR_ORDER);
    hwDestroyWorld(world);
}

// Memory that runs out leaves a world that still works.
static void test_RunningOutOfMemoryIsSurvived(void** state) {
    (void)state;
    for (long fail = 0; fail < 8; ++fail) {
        TestHeap heap = {.failAt = -1};
        hwAllocator allocator = TestHeap_GetAllocator(&heap);
        hwWorld* world = Make(&allocator);
        hwShapeDef mesh = MakeShape(HW_SHAPE_MESH, 0.0, 0.0), hull = MakeShape(HW_SHAPE_HULL, 0.0, 0.0);
        mesh.mesh = hull.mesh = (hwMeshData){8, cubeVertices, 12, cubeTriangles};
        AddFixed(world, "mesh", mesh, hwVec3_zero);
        AddFixed(world, "hull", hull, hwMakeVec3(5.0, 0.0, 0.0));
        hwError error;
        assert_status(hwWorld_Prepare(world, &error), HW_OK);
        heap.failAt = heap.allocations + fail;
        hwStatus status = hwWorld_UpdateQueries(world, &error);
        assert_true(status == HW_ERROR_MEMORY || (status == HW_OK && fail > 2));
        heap.failAt = -1;
        Update(world);
        assert_int_equal(Cast(world, hwMakeVec3(0.1, 0.0, 9.0), hwMakeVec3(0.0, 0.0, -1.0), 20.0, 0.0).kind,
                         HW_HIT_BODY);
        hwDestroyWorld(world);
        assert_int_equal(heap.live, 0);
    }
}

// Asking from several threads while another one steps gives what one thread is told.
typedef struct Asker {
    const hwWorld* world;
    uint64_t sum;
} Asker;

static void* Ask(void* context) {
    Asker* asker = context;
    uint64_t random = 77;
    asker->sum = 0;
    for (int i = 0; i < 400; ++i) {
        hwRay ray = {hwScale(20.0, TestRandomVec3(&random)), TestRandomVec3(&random), 40.0, 0.1 * (i % 2)};
        hwQueryHit hit;
        hwWorld_CastRay(asker->world, &ray, NULL, &hit, NULL);
        uint64_t bits;
        memcpy(&bits, &hit.distance, sizeof(bits));
        asker->sum = 31 * asker->sum + bits + hit.body.index;
    }
    return NULL;
}

static void test_ManyThreadsAskWhileOneSteps(void** state) {
    (void)state;
    static Balls balls;
    FillBalls(&balls, NULL);
    hwError error;
    hwShapeDef shape = MakeShape(HW_SHAPE_SPHERE, 1.0, 0.0);
    hwBodyDef def = hwDefaultBodyDef();
    def.name = "falling";
    def.mass = 10.0;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 4.0;
    def.shapeCount = 1;
    def.shapes = &shape;
    hwWorld_AddBody(balls.world, &def, &error);
    Start(balls.world);
    Asker alone = {balls.world, 0}, askers[3];
    Ask(&alone);
    pthread_t threads[3];
    for (int i = 0; i < 3; ++i) {
        askers[i] = (Asker){balls.world, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, Ask, &askers[i]), 0);
    }
    for (int i = 0; i < 20; ++i) assert_true(hwWorld_Step(balls.world, 0.01, &error) >= HW_OK);
    for (int i = 0; i < 3; ++i) {
        pthread_join(threads[i], NULL);
        assert_true(askers[i].sum == alone.sum);
    }
    hwDestroyWorld(balls.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_EveryShapeIsHit),
        cmocka_unit_test(test_RandomSpheresAgreeWithClosedForms),
        cmocka_unit_test(test_QueriesLookAtFewThingsAndAllocateNothing),
        cmocka_unit_test(test_FiltersDecideWhatIsSeen),
        cmocka_unit_test(test_CablesAreRound),
        cmocka_unit_test(test_GroundIsHit),
        cmocka_unit_test(test_WholeShapesInsideAMeshOverlapIt),
        cmocka_unit_test(test_MistakesAreNamed),
        cmocka_unit_test(test_RunningOutOfMemoryIsSurvived),
        cmocka_unit_test(test_ManyThreadsAskWhileOneSteps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
