// Mass properties against closed forms, and every reason to refuse a shape.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "geom/sample_shapes.h"
#include "geom/shape_data.h"
#include "geom/solid.h"

#include <stdio.h>

static void Near(double value, double expected, double tolerance, const char* what) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%s: %.17g instead of %.17g", what, value, expected);
}

static hwShapeDef MeshShape(hwShapeKind kind, const SampleMesh* mesh) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = kind;
    shape.mesh = GetMeshData(mesh);
    return shape;
}

static hwMassProperties Measure(const hwShapeDef* shape) {
    hwMassProperties mass;
    hwError error;
    if (hwShape_ComputeMassProperties(shape, &mass, &error) != HW_OK) fail_msg("%s", error.message);
    return mass;
}

static void RoundShapesHaveTheirTextbookInertia(void** state) {
    (void)state;
    hwShapeDef shape = hwDefaultShapeDef();
    double r = 0.4, l = 3.0;
    shape.radius = r;
    shape.length = l;
    shape.kind = HW_SHAPE_SPHERE;
    hwMassProperties mass = Measure(&shape);
    Near(mass.volume, 4.0 / 3.0 * HW_PI * r * r * r, 1e-15, "volume");
    Near(mass.inertia[0], 0.4 * mass.volume * r * r, 1e-15, "sphere");
    shape.kind = HW_SHAPE_CYLINDER;
    mass = Measure(&shape);
    Near(mass.inertia[0], mass.volume * (3.0 * r * r + l * l) / 12.0, 1e-14, "cylinder across");
    Near(mass.inertia[2], 0.5 * mass.volume * r * r, 1e-15, "cylinder along");
    // A capsule is a cylinder and two half spheres: 83/320 m r^2 about their own centroids, 3/8 r beyond the ends.
    shape.kind = HW_SHAPE_CAPSULE;
    mass = Measure(&shape);
    double tube = HW_PI * r * r * l, half = 2.0 / 3.0 * HW_PI * r * r * r, arm = 0.5 * l + 0.375 * r;
    Near(mass.volume, tube + 2.0 * half, 1e-15, "volume");
    Near(mass.inertia[1],
         tube * (3.0 * r * r + l * l) / 12.0 + 2.0 * half * (83.0 / 320.0 * r * r + arm * arm), 1e-14,
         "capsule across");
    Near(mass.inertia[2], 0.5 * tube * r * r + 2.0 * half * 0.4 * r * r, 1e-15, "capsule along");
}

static void MeshOfABoxEqualsTheBoxAtAnyPose(void** state) {
    (void)state;
    hwRandom random = {1};
    for (int i = 0; i < 200; ++i) {
        hwVec3 size = hwMakeVec3(hwRandom_Range(&random, 0.1, 2), hwRandom_Range(&random, 0.1, 2), 1.5);
        hwVec3 offset = RandomVec3(&random, 5.0);
        SampleMesh mesh = MakeBoxMesh(hwMulAdd(offset, -0.5, size), hwMulAdd(offset, 0.5, size));
        hwShapeDef box = hwDefaultShapeDef(), hull = MeshShape(HW_SHAPE_HULL, &mesh);
        box.size = size;
        hull.pose = RandomPose(&random, 10.0);
        box.pose = hull.pose;
        box.pose.p = hwTransformPoint(hull.pose, offset);
        hwMassProperties a = Measure(&box), b = Measure(&hull);
        // Twelve tetrahedra from the middle; coordinates of 15 m cost two digits of the box's size.
        Near(b.volume, a.volume, 1e-13, "volume");
        Near(hwDistance(a.centroid, b.centroid), 0.0, 1e-13, "centroid");
        for (int k = 0; k < 6; ++k) Near(b.inertia[k], a.inertia[k], 1e-12, "inertia");
        FreeMesh(&mesh);
    }
}

// The corner tetrahedron with legs s: V = s^3/6, centroid s/4, int x^2 = s^5/60, int x y = s^5/120 about the corner.
static void TetrahedronMatchesItsIntegrals(void** state) {
    (void)state;
    double s = 1.7, volume = s * s * s / 6.0, g = s / 4.0, s5 = s * s * s * s * s;
    SampleMesh mesh = MakeTetrahedron(s);
    hwShapeDef shape = MeshShape(HW_SHAPE_MESH, &mesh);
    hwMassProperties mass = Measure(&shape);
    Near(mass.volume, volume, 1e-15, "volume");
    Near(hwDistance(mass.centroid, hwMakeVec3(g, g, g)), 0.0, 1e-15, "centroid");
    Near(mass.inertia[0], 2.0 * (s5 / 60.0 - volume * g * g), 1e-14, "diagonal");
    Near(mass.inertia[5], -(s5 / 120.0 - volume * g * g), 1e-14, "off the diagonal");
    FreeMesh(&mesh);
}

// Vertices of a subdivided sphere lie on it: the error falls fourfold per level.
static void FinerMeshesApproachTheSphere(void** state) {
    (void)state;
    double last = 0.0;
    for (int level = 1; level <= 5; ++level) {
        SampleMesh mesh = MakeIcosphere(1.0, level);
        hwShapeDef shape = MeshShape(HW_SHAPE_MESH, &mesh);
        double error = 8.0 / 15.0 * HW_PI - Measure(&shape).inertia[0];
        if (level > 2) Near(last / error, 4.0, 0.2, "order");
        last = error;
        FreeMesh(&mesh);
    }
}

static void TotalsOfASolidFollowParallelMoments(void** state) {
    (void)state;
    hwShapeDef shapes[3] = {hwDefaultShapeDef(), hwDefaultShapeDef(), hwDefaultShapeDef()};
    shapes[1].kind = HW_SHAPE_SPHERE;
    shapes[1].pose.p = hwMakeVec3(2, 0, 0);
    shapes[2].kind = HW_SHAPE_CYLINDER;
    shapes[2].pose.p = hwMakeVec3(0, -3, 1);
    hwSolid solid;
    assert_int_equal(hwSolid_Init(&solid, 3, shapes, NULL), HW_OK);
    double sphere = HW_PI / 6.0, cylinder = HW_PI / 4.0, total = 1.0 + sphere + cylinder;
    Near(solid.volume, total, 1e-14, "volume");
    hwVec3 centroid = hwMakeVec3(2.0 * sphere / total, -3.0 * cylinder / total, cylinder / total);
    Near(hwDistance(solid.centroid, centroid), 0.0, 1e-14, "centroid");
    // The bounding sphere holds points of every surface.
    hwRandom random = {2};
    for (int i = 0; i < 1000; ++i) {
        hwVec3 d = RandomUnit(&random);
        double across = hypot(d.x, d.y);
        hwVec3 tips[3] = {hwMakeVec3(d.x < 0 ? -0.5 : 0.5, d.y < 0 ? -0.5 : 0.5, d.z < 0 ? -0.5 : 0.5),
                          hwMulAdd(shapes[1].pose.p, 0.5, d),
                          hwAdd(shapes[2].pose.p,
                                hwMakeVec3(0.5 * d.x / across, 0.5 * d.y / across, d.z < 0 ? -0.5 : 0.5))};
        for (int k = 0; k < 3; ++k)
            assert_true(hwDistance(tips[k], solid.center) <= solid.radius * (1.0 + 1e-14));
    }
    assert_int_equal(hwSolid_Init(&solid, 0, NULL, NULL), HW_OK);
    hwSubmergence none =
        hwSolid_ComputeSubmergence(&solid, hwPose_identity, hwVec3_zero, hwMakeVec3(0, 0, 1));
    assert_true(none.volume == 0.0);
}

// A far plane takes the short way; it must say the same as the long way.
static void FarPlanesAreWetOrDry(void** state) {
    (void)state;
    SampleMesh mesh = MakeTetrahedron(1.0);
    hwShapeDef shape = MeshShape(HW_SHAPE_HULL, &mesh);
    hwSolid solid;
    assert_int_equal(hwSolid_Init(&solid, 1, &shape, NULL), HW_OK);
    hwVec3 up = hwMakeVec3(0, 0, 1);
    hwSubmergence far = hwSolid_ComputeSubmergence(&solid, hwPose_identity, hwMakeVec3(0, 0, 100), up);
    hwSubmergence near = hwSolid_ComputeSubmergence(&solid, hwPose_identity, hwMakeVec3(0, 0, 1.0001), up);
    Near(far.volume, near.volume, 1e-15, "volume");
    Near(hwDistance(far.centroid, near.centroid), 0.0, 1e-15, "centroid");
    far = hwSolid_ComputeSubmergence(&solid, hwPose_identity, hwMakeVec3(0, 0, -100), up);
    near = hwSolid_ComputeSubmergence(&solid, hwPose_identity, hwMakeVec3(0, 0, -0.0001), up);
    assert_true(far.volume == 0.0 && near.volume == 0.0);
    FreeMesh(&mesh);
}

static void CopiesOwnTheirData(void** state) {
    (void)state;
    SampleMesh mesh = MakeIcosphere(1.0, 1);
    hwShapeDef shapes[2] = {hwDefaultShapeDef(), MeshShape(HW_SHAPE_HULL, &mesh)};
    char name[] = "steel";
    shapes[0].material = name;
    hwArena arena = {0};
    assert_null(hwCopyShapes(&arena, 2, shapes));
    hwArena real = {calloc(1, arena.used), 0};
    const hwShapeDef* copies = hwCopyShapes(&real, 2, shapes);
    assert_int_equal(real.used, arena.used);
    double volume = Measure(&shapes[1]).volume;
    memset(mesh.vertices, 0, (size_t)mesh.vertexCount * sizeof(hwVec3));
    memset(mesh.triangles, 0, (size_t)mesh.triangleCount * sizeof(int[3]));
    name[0] = 'X';
    assert_string_equal(copies[0].material, "steel");
    assert_null(copies[1].material);
    assert_true(Measure(&copies[1]).volume == volume);
    free(real.base);
    FreeMesh(&mesh);
}

static void Refuse(const hwShapeDef* shape, const char* part) {
    hwSolid solid;
    hwError error;
    hwShapeDef shapes[2] = {hwDefaultShapeDef(), *shape};
    assert_int_equal(hwSolid_Init(&solid, 2, shapes, &error), HW_ERROR_ARGUMENT);
    if (strstr(error.message, part) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.message, part);
    assert_non_null(strstr(error.message, "shape 1"));
    assert_int_equal(error.index, 1);
    assert_true(error.hint[0] != 0);
    assert_int_equal(hwSolid_Init(&solid, 2, shapes, NULL), HW_ERROR_ARGUMENT);
}

static void BadSizesAreNamed(void** state) {
    (void)state;
    hwShapeDef shape = hwDefaultShapeDef();
    shape.size.y = -1.0;
    Refuse(&shape, "size.y is -1 m");
    shape.size.y = (double)NAN;
    Refuse(&shape, "size.y");
    shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_SPHERE;
    shape.radius = 0.0;
    Refuse(&shape, "(sphere): radius is 0 m");
    shape.radius = HUGE_VAL;
    Refuse(&shape, "radius");
    shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CAPSULE;
    shape.length = -2.0;
    Refuse(&shape, "(capsule): length");
    shape = hwDefaultShapeDef();
    shape.pose.q.w = 2.0;
    Refuse(&shape, "quaternion");
    shape = hwDefaultShapeDef();
    shape.kind = (hwShapeKind)77;
    Refuse(&shape, "kind 77");
    shape = hwDefaultShapeDef();
    shape.cookie = 0;
    Refuse(&shape, "hwDefaultShapeDef");
    hwSolid solid;
    hwError error;
    assert_int_equal(hwSolid_Init(&solid, 1, NULL, &error), HW_ERROR_ARGUMENT);
}

static void BadMeshesAreNamedWithTheirTriangle(void** state) {
    (void)state;
    SampleMesh mesh = MakeIcosphere(1.0, 3);
    hwShapeDef shape = MeshShape(HW_SHAPE_MESH, &mesh);
    Measure(&shape);

    int keep = mesh.triangles[100][1];
    mesh.triangles[100][1] = mesh.vertexCount;
    Refuse(&shape, "triangle 100 uses vertex 642");
    mesh.triangles[100][1] = mesh.triangles[100][0];
    Refuse(&shape, "triangle 100");
    mesh.triangles[100][1] = keep;

    // Turned round: its three edges run twice the same way.
    int swap = mesh.triangles[77][0];
    mesh.triangles[77][0] = mesh.triangles[77][1];
    mesh.triangles[77][1] = swap;
    Refuse(&shape, "runs 2 times that way and 0 times back");
    mesh.triangles[77][1] = mesh.triangles[77][0];
    mesh.triangles[77][0] = swap;

    shape.mesh.triangleCount -= 1; // a hole
    Refuse(&shape, "not closed");
    Refuse(&shape, "runs 1 time that way and 0 times back");
    shape.mesh.triangleCount += 1;

    keep = mesh.triangles[5][0]; // one triangle twice, another missing
    int copy[3];
    memcpy(copy, mesh.triangles[5], sizeof(copy));
    memcpy(mesh.triangles[5], mesh.triangles[600], sizeof(copy));
    Refuse(&shape, "not closed");
    memcpy(mesh.triangles[5], copy, sizeof(copy));

    for (int i = 0; i < mesh.triangleCount; ++i) {
        swap = mesh.triangles[i][0];
        mesh.triangles[i][0] = mesh.triangles[i][1];
        mesh.triangles[i][1] = swap;
    }
    Refuse(&shape, "inside out: its volume is -4.1");
    for (int i = 0; i < mesh.triangleCount; ++i) {
        swap = mesh.triangles[i][0];
        mesh.triangles[i][0] = mesh.triangles[i][1];
        mesh.triangles[i][1] = swap;
    }

    hwVec3 place = mesh.vertices[33];
    mesh.vertices[33].x = (double)NAN;
    Refuse(&shape, "vertex 33 is not finite");
    mesh.vertices[33] = place;
    shape.mesh.vertices = NULL;
    Refuse(&shape, "no surface");
    shape.mesh = GetMeshData(&mesh);

    shape.kind = HW_SHAPE_HULL;
    Measure(&shape);
    mesh.vertices[33] = hwScale(0.9, place);
    Refuse(&shape, "not convex");
    mesh.vertices[33] = hwScale(1.0 - 1e-8, place); // as much as single precision spoils
    Measure(&shape);
    FreeMesh(&mesh);

    // Two triangles back to back: closed, without volume.
    hwVec3 flat[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const int faces[2][3] = {{0, 1, 2}, {0, 2, 1}};
    shape.kind = HW_SHAPE_MESH;
    shape.mesh = (hwMeshData){3, flat, 2, faces};
    Refuse(&shape, "encloses no volume");
}

// A vertex that no triangle uses changes nothing, wherever it is. (Found by fuzzing: such a vertex at -3e38 m had moved the point
// about which moments were summed, and a volume that the check had found positive came out as 0.)
static void UnusedVerticesDoNotCount(void** state) {
    (void)state;
    SampleMesh mesh = MakeTetrahedron(1.3), more = NewMesh(mesh.vertexCount + 1, mesh.triangleCount);
    memcpy(more.vertices, mesh.vertices, (size_t)mesh.vertexCount * sizeof(hwVec3));
    memcpy(more.triangles, mesh.triangles, (size_t)mesh.triangleCount * sizeof(int[3]));
    hwShapeDef a = MeshShape(HW_SHAPE_MESH, &mesh), b = MeshShape(HW_SHAPE_MESH, &more);
    hwMassProperties without = Measure(&a);
    const double far[] = {1e3, 1e9, -3e38};
    for (int i = 0; i < 3; ++i) {
        more.vertices[mesh.vertexCount] = hwMakeVec3(1.0, far[i], 1.0);
        hwMassProperties with = Measure(&b);
        assert_memory_equal(&with, &without, sizeof(with));
    }
    FreeMesh(&mesh);
    FreeMesh(&more);
}

// Both sides of a flat quadrilateral, with the other diagonal on the back: four corners in a plane but for rounding. What
// volume the sums give, positive or negative, is rounding.
static void FlatMeshesHaveNoVolumeAtAnyAttitude(void** state) {
    (void)state;
    hwRandom random = {11};
    const hwVec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {1.2, 0.7, 0}, {0.1, 0.9, 0}};
    const int faces[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    for (int i = 0; i < 200; ++i) {
        hwPose pose = RandomPose(&random, 3.0);
        hwVec3 corners[4];
        for (int k = 0; k < 4; ++k) corners[k] = hwTransformPoint(pose, flat[k]);
        hwShapeDef shape = hwDefaultShapeDef();
        shape.kind = HW_SHAPE_MESH;
        shape.mesh = (hwMeshData){4, corners, 4, faces};
        Refuse(&shape, "encloses no volume");
        // a sheet a hundred thousand times as wide as thick is a solid
        corners[2] = hwTransformPoint(pose, hwMakeVec3(1.2, 0.7, 1e-5));
        Measure(&shape);
    }
}

// A cavity is an inside-out surface within another; beside the other it is a solid of negative mass.
static void PartsThatAreInsideOutAreRefused(void** state) {
    (void)state;
    SampleMesh outer = MakeTetrahedron(2.0), both = NewMesh(2 * outer.vertexCount, 2 * outer.triangleCount);
    hwShapeDef shape = MeshShape(HW_SHAPE_MESH, &both);
    const double aside[] = {0.0, 8.0};
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < outer.vertexCount; ++i) {
            hwVec3 v = outer.vertices[i];
            both.vertices[i] = v;
            both.vertices[outer.vertexCount + i] = hwAdd(hwScale(0.5, v), hwMakeVec3(aside[pass], 0.0, 0.0));
        }
        for (int i = 0; i < outer.triangleCount; ++i) {
            for (int k = 0; k < 3; ++k) {
                both.triangles[i][k] = outer.triangles[i][k];
                both.triangles[outer.triangleCount + i][k] = outer.vertexCount + outer.triangles[i][2 - k];
            }
        }
        if (pass == 0) {
            hwShapeDef whole = MeshShape(HW_SHAPE_MESH, &outer);
            Near(Measure(&shape).volume, 0.875 * Measure(&whole).volume, 1e-13, "volume round a cavity");
        } else {
            Refuse(&shape, "inside out in part");
        }
    }
    FreeMesh(&outer);
    FreeMesh(&both);
}

// Every triangle with vertices of its own, as an .stl gives them: closed all the same.
static void UnweldedMeshesCloseByPlace(void** state) {
    (void)state;
    SampleMesh mesh = MakeIcosphere(1.0, 2), loose = NewMesh(3 * mesh.triangleCount, mesh.triangleCount);
    for (int i = 0; i < mesh.triangleCount; ++i) {
        for (int k = 0; k < 3; ++k) {
            loose.triangles[i][k] = 3 * i + k;
            loose.vertices[3 * i + k] = mesh.vertices[mesh.triangles[i][k]];
        }
    }
    hwShapeDef a = MeshShape(HW_SHAPE_MESH, &mesh), b = MeshShape(HW_SHAPE_MESH, &loose);
    Near(Measure(&a).volume, Measure(&b).volume, 1e-14, "volume");
    loose.vertices[17].x += 1e-9;
    Refuse(&b, "not closed");
    FreeMesh(&mesh);
    FreeMesh(&loose);
}

static void BoundsHoldTheShapeTightly(void** state) {
    (void)state;
    hwRandom random = {3};
    SampleMesh mesh = MakeTetrahedron(1.3);
    for (int i = 0; i < 300; ++i) {
        hwShapeDef shape = hwDefaultShapeDef();
        shape.kind = (hwShapeKind)(i % 5);
        shape.mesh = GetMeshData(&mesh);
        shape.radius = 0.3;
        shape.pose = RandomPose(&random, 1.0);
        hwPose pose = RandomPose(&random, 2.0);
        hwVec3 low, high;
        hwShape_GetBounds(&shape, pose, &low, &high);
        // The plane through each face of the box just touches: nothing beyond, something 1e-3 before.
        for (int k = 0; k < 6; ++k) {
            double n[3] = {0};
            n[k % 3] = k < 3 ? 1.0 : -1.0;
            hwVec3 normal = hwMakeVec3(n[0], n[1], n[2]), point = k < 3 ? high : low;
            hwSubmergence cut = hwShape_Submerge(&shape, pose, point, hwNeg(normal));
            assert_true(cut.volume < 1e-20);
            cut = hwShape_Submerge(&shape, pose, hwMulAdd(point, -1e-3, normal), hwNeg(normal));
            assert_true(cut.volume > 1e-13);
        }
    }
    FreeMesh(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RoundShapesHaveTheirTextbookInertia),
        cmocka_unit_test(MeshOfABoxEqualsTheBoxAtAnyPose),
        cmocka_unit_test(TetrahedronMatchesItsIntegrals),
        cmocka_unit_test(FinerMeshesApproachTheSphere),
        cmocka_unit_test(TotalsOfASolidFollowParallelMoments),
        cmocka_unit_test(FarPlanesAreWetOrDry),
        cmocka_unit_test(CopiesOwnTheirData),
        cmocka_unit_test(BadSizesAreNamed),
        cmocka_unit_test(BadMeshesAreNamedWithTheirTriangle),
        cmocka_unit_test(UnusedVerticesDoNotCount),
        cmocka_unit_test(FlatMeshesHaveNoVolumeAtAnyAttitude),
        cmocka_unit_test(PartsThatAreInsideOutAreRefused),
        cmocka_unit_test(UnweldedMeshesCloseByPlace),
        cmocka_unit_test(BoundsHoldTheShapeTightly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
