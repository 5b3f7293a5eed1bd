// Axes and loops of structures whose number is known: by Euler's formula, by construction.
#include "test/support.h"

#include "hawser/tether.h"

static const hwPolyline g_none = {0, NULL};

static hwShapeDef MakeCylinder(double radius, double length) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_CYLINDER;
    shape.radius = radius;
    shape.length = length;
    return shape;
}

// A bar from a to b.
static void PlaceBar(hwShapeDef* shape, hwVec3 a, hwVec3 b, double radius) {
    *shape = MakeCylinder(radius, hwDistance(a, b));
    hwVec3 along = hwNormalize(hwSub(b, a)), z = {0.0, 0.0, 1.0};
    hwVec3 axis = hwCross(z, along);
    double w = 1.0 + hwDot(z, along);
    shape->pose.p = hwScale(0.5, hwAdd(a, b));
    if (w < 1e-9) {
        shape->pose.q = (hwQuat){0.0, 1.0, 0.0, 0.0};
    } else {
        shape->pose.q = hwNormalizeQuat((hwQuat){w, axis.x, axis.y, axis.z});
    }
}

// Four upright legs through the bottom, `levels` of horizontal braces round them, each level with a corner loop of 4.
static int MakeFrame(hwShapeDef* shapes, hwTetherSolid* solids, int levels) {
    static const double corner[4][2] = {{4.0, 4.0}, {-4.0, 4.0}, {-4.0, -4.0}, {4.0, -4.0}};
    int count = 0;
    for (int k = 0; k < 4; ++k)
        PlaceBar(&shapes[count++], hwMakeVec3(corner[k][0], corner[k][1], -22.0),
                 hwMakeVec3(corner[k][0], corner[k][1], 3.0), 0.4);
    for (int level = 0; level < levels; ++level) {
        for (int k = 0; k < 4; ++k) {
            int n = (k + 1) % 4;
            double z = -16.0 + 5.0 * level;
            PlaceBar(&shapes[count++], hwMakeVec3(corner[k][0], corner[k][1], z),
                     hwMakeVec3(corner[n][0], corner[n][1], z), 0.2);
        }
    }
    for (int i = 0; i < count; ++i) solids[i] = (hwTetherSolid){&shapes[i], hwPose_identity};
    return count;
}

static void a_frame_has_as_many_loops_as_its_graph_and_braces_that_meet_at_a_leg_add_none(void** state) {
    (void)state;
    hwShapeDef shapes[32];
    hwTetherSolid solids[32];
    for (int levels = 1; levels <= 4; ++levels) {
        hwSkeletonDef def = {
            .solids = solids, .gap = 0.008, .hasGround = true, .ground = -20.0, .hasSurface = true};
        def.solidCount = MakeFrame(shapes, solids, levels);
        hwSkeleton found;
        assert_status(hwSkeleton_Find(&def, NULL, &found, NULL), HW_OK);
        int axes = 0, loops = 0;
        for (int i = 0; i < found.pieceCount; ++i) {
            axes += found.pieces[i].isAxis;
            loops += !found.pieces[i].isAxis;
        }
        // legs and ground: 4 edges of a star; each brace closes one loop
        assert_int_equal(axes, 4);
        assert_int_equal(loops, 4 * levels);
        // every loop links a small ring round some bar it runs through: through the window between two legs, under the
        // lowest brace, exactly one independent number is seen
        for (int k = 0; k < 4; ++k) {
            // a tether from outside through one panel to the middle, back over the top of the legs: above everything
            static const double out[4][2] = {{0.0, 9.0}, {-9.0, 0.0}, {0.0, -9.0}, {9.0, 0.0}};
            for (int level = 0; level <= levels; ++level) {
                double z = -18.5 + 5.0 * level;
                hwVec3 tether[4] = {
                    {out[k][0], out[k][1], 9.0}, {out[k][0], out[k][1], z}, {0.0, 0.0, z}, {0.0, 0.0, 9.0}};
                int linked = 0;
                for (int i = 0; i < found.pieceCount; ++i) {
                    const hwSkeletonPiece* piece = &found.pieces[i];
                    if (piece->isAxis) continue;
                    hwTurnCount count =
                        hwTether_CountLinking((hwPolyline){4, tether}, g_none,
                                              (hwPolyline){piece->count, found.points + piece->first});
                    assert_true(count.certain);
                    linked += count.count != 0;
                }
                // above the highest brace nothing holds it
                if (level == levels) {
                    assert_int_equal(linked, 0);
                } else {
                    assert_true(linked >= 1);
                }
            }
        }
        hwSkeleton_Free(&found, NULL);
    }
}

static void piles_have_axes_and_no_loops_until_a_deck_joins_them(void** state) {
    (void)state;
    hwShapeDef shapes[4];
    hwTetherSolid solids[4];
    for (int i = 0; i < 3; ++i)
        PlaceBar(&shapes[i], hwMakeVec3(5.0 * i, 0.0, -21.0), hwMakeVec3(5.0 * i, 0.5, 2.0), 0.4);
    shapes[3] = hwDefaultShapeDef();
    shapes[3].kind = HW_SHAPE_BOX;
    shapes[3].size = hwMakeVec3(14.0, 3.0, 0.5);
    shapes[3].pose.p = hwMakeVec3(5.0, 0.5, 2.0);
    for (int i = 0; i < 4; ++i) solids[i] = (hwTetherSolid){&shapes[i], hwPose_identity};
    hwSkeletonDef def = {.solidCount = 3,
                         .solids = solids,
                         .gap = 0.01,
                         .hasGround = true,
                         .ground = -20.0,
                         .hasSurface = true};
    hwSkeleton found;
    assert_status(hwSkeleton_Find(&def, NULL, &found, NULL), HW_OK);
    assert_int_equal(found.pieceCount, 3);
    assert_close(found.pieces[1].radius, 0.4, 0.0);
    assert_close(found.pieces[1].axis.direction.z, 23.0 / sqrt(23.0 * 23.0 + 0.25), 1e-12);
    hwSkeleton_Free(&found, NULL);
    def.solidCount = 4;
    assert_status(hwSkeleton_Find(&def, NULL, &found, NULL), HW_OK);
    assert_int_equal(found.pieceCount, 5); // and two bays
    hwSkeleton_Free(&found, NULL);
    // in the air, or without a bottom, there is no pile
    def.hasSurface = false;
    assert_status(hwSkeleton_Find(&def, NULL, &found, NULL), HW_OK);
    assert_int_equal(found.pieceCount, 2);
    hwSkeleton_Free(&found, NULL);
    def.hasGround = false;
    assert_status(hwSkeleton_Find(&def, NULL, &found, NULL), HW_OK);
    assert_int_equal(found.pieceCount, 0);
    hwSkeleton_Free(&found, NULL);
    def.solidCount = 0;
    assert_status(hwSkeleton_Find(&def, NULL, &found, NULL), HW_OK);
    assert_int_equal(found.pieceCount, 0);
}

// A row of `holes` square holes in a plate: boxes of unit size glued face to face, given by their outer faces.
typedef struct Blocks {
    int vertexCount, triangleCount;
    hwVec3 vertices[4000];
    int triangles[2000][3];
} Blocks;

static bool IsBlock(int holes, int x, int y, int z) {
    if (x < 0 || y < 0 || z < 0 || x > 2 * holes || y > 2 || z > 0) return false;
    return !(y == 1 && x % 2 == 1);
}

static void AddFace(Blocks* b, hwVec3 p, hwVec3 u, hwVec3 v) {
    int first = b->vertexCount;
    b->vertices[b->vertexCount++] = p;
    b->vertices[b->vertexCount++] = hwAdd(p, u);
    b->vertices[b->vertexCount++] = hwAdd(p, hwAdd(u, v));
    b->vertices[b->vertexCount++] = hwAdd(p, v);
    int t[2][3] = {{first, first + 1, first + 2}, {first, first + 2, first + 3}};
    memcpy(b->triangles[b->triangleCount], t, sizeof(t));
    b->triangleCount += 2;
}

static void MakeBlocks(Blocks* b, int holes) {
    const hwVec3 ex = {1, 0, 0}, ey = {0, 1, 0}, ez = {0, 0, 1};
    b->vertexCount = b->triangleCount = 0;
    for (int x = 0; x <= 2 * holes; ++x) {
        for (int y = 0; y < 3; ++y) {
            if (!IsBlock(holes, x, y, 0)) continue;
            hwVec3 p = {x, y, 0};
            if (!IsBlock(holes, x + 1, y, 0)) AddFace(b, hwAdd(p, ex), ey, ez);
            if (!IsBlock(holes, x - 1, y, 0)) AddFace(b, p, ez, ey);
            if (!IsBlock(holes, x, y + 1, 0)) AddFace(b, hwAdd(p, ey), ez, ex);
            if (!IsBlock(holes, x, y - 1, 0)) AddFace(b, p, ex, ez);
            AddFace(b, hwAdd(p, ez), ex, ey);
            AddFace(b, p, ey, ex);
        }
    }
}

static void a_mesh_has_a_loop_for_each_of_its_holes(void** state) {
    (void)state;
    static Blocks blocks;
    for (int holes = 0; holes <= 12; holes += 3) {
        MakeBlocks(&blocks, holes);
        hwShapeDef shape = hwDefaultShapeDef();
        shape.kind = HW_SHAPE_MESH;
        shape.mesh = (hwMeshData){blocks.vertexCount, blocks.vertices, blocks.triangleCount,
                                  (const int(*)[3])blocks.triangles};
        hwTetherSolid solid = {&shape, hwPose_identity};
        hwSkeletonDef def = {.solidCount = 1, .solids = &solid, .gap = 0.01};
        hwSkeleton found;
        hwError error;
        assert_status(hwSkeleton_Find(&def, NULL, &found, &error), HW_OK);
        assert_int_equal(found.pieceCount, holes);
        // a tether through hole h: the vectors of its numbers are independent over all holes; through none: zero
        int matrix[12][12];
        for (int h = 0; h < holes; ++h) {
            hwVec3 through[4] = {
                {2 * h + 1.5, 1.5, -3}, {2 * h + 1.5, 1.5, 3}, {2 * h + 1.5, 30, 3}, {2 * h + 1.5, 30, -3}};
            hwVec3 beside[4] = {
                {2 * h + 1.5, 4.5, -3}, {2 * h + 1.5, 4.5, 3}, {2 * h + 1.5, 30, 3}, {2 * h + 1.5, 30, -3}};
            for (int i = 0; i < holes; ++i) {
                hwPolyline loop = {found.pieces[i].count, found.points + found.pieces[i].first};
                hwTurnCount count = hwTether_CountLinking((hwPolyline){4, through}, g_none, loop);
                assert_true(count.certain);
                matrix[h][i] = count.count;
                assert_true(loop.count <= 40); // the corners that matter
                count = hwTether_CountLinking((hwPolyline){4, beside}, g_none, loop);
                assert_true(count.certain && count.count == 0);
            }
        }
        // determinant +-1: a basis of the same lattice
        double work[12][12], det = 1.0;
        for (int i = 0; i < holes; ++i)
            for (int k = 0; k < holes; ++k) work[i][k] = matrix[i][k];
        for (int i = 0; i < holes; ++i) {
            int pivot = i;
            for (int r = i; r < holes; ++r) {
                if (fabs(work[r][i]) > fabs(work[pivot][i])) pivot = r;
            }
            for (int k = 0; k < holes; ++k) {
                double swap = work[i][k];
                work[i][k] = work[pivot][k];
                work[pivot][k] = swap;
            }
            det *= work[i][i];
            for (int r = i + 1; r < holes && work[i][i] != 0.0; ++r) {
                double share = work[r][i] / work[i][i];
                for (int k = i; k < holes; ++k) work[r][k] -= share * work[i][k];
            }
        }
        assert_close(fabs(det), 1.0, 1e-9);
        hwSkeleton_Free(&found, NULL);
    }
}

static void bad_solids_and_lack_of_memory_are_said(void** state) {
    (void)state;
    static Blocks blocks;
    MakeBlocks(&blocks, 2);
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_MESH;
    shape.mesh = (hwMeshData){blocks.vertexCount, blocks.vertices, blocks.triangleCount - 1,
                              (const int(*)[3])blocks.triangles};
    hwTetherSolid solid = {&shape, hwPose_identity};
    hwSkeletonDef def = {.solidCount = 1, .solids = &solid, .gap = 0.01};
    hwSkeleton found;
    hwError error;
    assert_true(hwSkeleton_Find(&def, NULL, &found, &error) < 0); // an open mesh
    assert_true(strlen(error.message) > 10);
    shape.mesh.triangleCount += 1;
    hwShapeDef shapes[32];
    hwTetherSolid solids[32];
    int count = MakeFrame(shapes, solids, 2);
    solids[count++] = solid;
    def = (hwSkeletonDef){
        .solidCount = count, .solids = solids, .gap = 0.01, .hasGround = true, .ground = -20.0};
    for (long failAt = 0; failAt < 1000; ++failAt) {
        TestHeap heap = {0, 0, failAt};
        hwAllocator allocator = TestHeap_GetAllocator(&heap);
        hwStatus status = hwSkeleton_Find(&def, &allocator, &found, &error);
        if (status == HW_OK) {
            hwSkeleton_Free(&found, &allocator);
            assert_int_equal(heap.live, 0);
            return;
        }
        assert_int_equal(status, HW_ERROR_MEMORY);
        assert_int_equal(heap.live, 0);
    }
    fail();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_has_as_many_loops_as_its_graph_and_braces_that_meet_at_a_leg_add_none),
        cmocka_unit_test(piles_have_axes_and_no_loops_until_a_deck_joins_them),
        cmocka_unit_test(a_mesh_has_a_loop_for_each_of_its_holes),
        cmocka_unit_test(bad_solids_and_lack_of_memory_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
