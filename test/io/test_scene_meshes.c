// Meshes of files that are not as they should be, and concave ones that move.
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

#include "hawser/hawser.h"

#define HEAD "hawser: 1\nduration: 1\n"

// An L of two boxes, corners 0..5 below and 6..11 above, as an .obj.
#define CORNERS                                                                                              \
    "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv "  \
    "0 2 1\n"
#define SIDES                                                                                                \
    "f 1 2 8\nf 1 8 7\nf 2 3 9\nf 2 9 8\nf 3 4 10\nf 3 10 9\nf 4 5 11\nf 4 11 10\nf 5 6 12\nf 5 12 11\nf 6 " \
    "1 7\nf 6 7 12\n"
#define ENDS "f 1 3 2\nf 7 8 9\nf 1 4 3\nf 7 9 10\nf 1 5 4\nf 7 10 11\nf 1 6 5\nf 7 11 12\n"

static bool Warned(const hwScene* scene, const char* words) {
    const hwSceneInfo* info = hwScene_GetInfo(scene);
    for (int i = 0; i < info->warningCount; i++) {
        if (strstr(info->warnings[i], words) != NULL) return true;
    }
    return false;
}

static const hwShapeDef* GetShape(const hwScene* scene, int body) {
    return &HW_ITEM(scene->model.bodies, hwSceneBody, body)->def.shapes[0];
}

static void doubled_flat_and_turned_triangles_are_put_right(void** state) {
    (void)state;
    // two are there twice, one of them from another corner; one is flat
    WriteText(FOLDER "/worn.obj", CORNERS SIDES ENDS "f 1 2 8\nf 8 7 1\nf 1 1 2\n");
    WriteText(FOLDER "/turned.obj",
              "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
    hwScene* scene = Take(HEAD "bodies:\n"
                               "  - {name: a, motion: fixed, shapes: [{mesh: worn.obj}]}\n"
                               "  - {name: b, motion: fixed, shapes: [{mesh: turned.obj}]}\n");
    assert_true(Warned(scene, "`worn.obj`: 2 triangles left out: there twice"));
    assert_int_equal(GetShape(scene, 0)->mesh.triangleCount, 20);
    assert_true(Warned(scene, "`turned.obj` is inside out and was turned"));
    const double volumes[2] = {3.0, 1.0 / 6.0};
    for (int i = 0; i < 2; i++) {
        hwMassProperties mass;
        assert_int_equal(hwShape_ComputeMassProperties(GetShape(scene, i), &mass, NULL), HW_OK);
        assert_true(fabs(mass.volume - volumes[i]) < 1e-12);
    }
    hwDestroyScene(scene);
}

static void concave_meshes_that_move_touch_by_parts(void** state) {
    (void)state;
    WriteText(FOLDER "/ell.obj", CORNERS SIDES ENDS);
    hwScene* scene =
        Take(HEAD "bodies:\n"
                  "  - {name: floor, motion: fixed, shapes: [{mesh: ell.obj}]}\n"
                  "  - {name: a, mass: 50, com: [0.83, 0.83, 0.5], position: [0.1, 0.1, 1.05], "
                  "shapes: [{mesh: ell.obj}]}\n"
                  "  - {name: whole, mass: 1, position: [9, 0, 0], shapes: [{mesh: ell.obj, parts: 0}]}\n"
                  "mechanisms:\n  - name: arm\n    base: {on: earth}\n    links:\n"
                  "      - {name: l, parent: base, joint: revolute, mass: 1, inertia: [1, 1, 1], "
                  "frame: {position: [0, 9, 9], axis: [0, 0, 1]}, shapes: [{mesh: ell.obj}]}\n");
    assert_int_equal(GetShape(scene, 0)->partCount, 0);
    assert_int_equal(GetShape(scene, 1)->partCount, 2);
    assert_int_equal(GetShape(scene, 2)->partCount, 0);
    assert_true(Warned(scene, "touches as 2 convex parts"));
    hwError error;
    hwWorld* world = hwScene_CreateWorld(scene, NULL, &error);
    if (world == NULL) fail_msg("%s", error.message);
    assert_int_equal(hwWorld_Prepare(world, &error), HW_OK);
    for (int i = 0; i < 120; i++) assert_true(hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK);
    // one L on the other, a tenth of a metre aside; it carries its weight
    int height = hwWorld_FindChannel(world, "a.position.z"),
        force = hwWorld_FindChannel(world, "a.contact.force.z");
    assert_true(fabs(hwWorld_ReadChannel(world, height) - 1.0) < 1e-3);
    assert_true(fabs(hwWorld_ReadChannel(world, force) - 50.0 * 9.81) < 1.0);
    hwDestroyWorld(world);
    hwDestroyScene(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubled_flat_and_turned_triangles_are_put_right),
        cmocka_unit_test(concave_meshes_that_move_touch_by_parts),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
