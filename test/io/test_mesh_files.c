// Every format of meshes that docs/scenes.md names, VRML 2 by our own reader, and files that claim more than they hold.
#define _POSIX_C_SOURCE 200809L
#include "scene_text.h"

#include "hawser/shape.h"
#include "mesh_soup.h"

#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

// Reading one mesh without a scene around it.
typedef struct Load {
    hwStore store;
    hwError error;
    hwSceneWarnings warnings;
    hwMeshData mesh;
    bool good;
} Load;

static void LoadFile(Load* load, const char* name) {
    static const hwYaml nowhere = {.line = 1, .column = 1};
    char path[300];
    memset(load, 0, sizeof(*load));
    hwStore_Init(&load->store, NULL);
    hwReader reader = {.store = &load->store, .warnings = &load->warnings, .error = &load->error};
    snprintf(path, sizeof(path), FOLDER "/%s", name);
    load->good = hwLoadMesh(&reader, &nowhere, path, &load->mesh);
}

static double Volume(const Load* load) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_MESH;
    shape.mesh = load->mesh;
    hwMassProperties mass;
    hwError error;
    if (hwShape_ComputeMassProperties(&shape, &mass, &error) != HW_OK) fail_msg("%s", error.message);
    return mass.volume;
}

static void AssertVolume(const char* name, double expected, double tolerance) {
    Load load;
    LoadFile(&load, name);
    if (!load.good) fail_msg("%s: %s", name, load.error.message);
    double volume = Volume(&load);
    if (!(fabs(volume - expected) <= tolerance)) fail_msg("%s: volume %.17g, not %g", name, volume, expected);
    hwStore_Free(&load.store);
}

static void AssertRefused(const char* name, const char* words) {
    Load load;
    LoadFile(&load, name);
    assert_false(load.good);
    if (strstr(load.error.message, words) == NULL) fail_msg("`%s` has not `%s`", load.error.message, words);
    hwStore_Free(&load.store);
}

static void PutBytes(const char* name, const void* bytes, size_t size) {
    char path[300];
    snprintf(path, sizeof(path), FOLDER "/%s", name);
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void PutText(const char* name, const char* text) {
    PutBytes(name, text, strlen(text));
}

// A tetrahedron with three edges of 3 m along the axes: volume 27 / 6, exact in single precision.
#define TETRA_VOLUME 4.5
static const float g_points[4][3] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}};
static const uint16_t g_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

typedef struct Bytes {
    unsigned char data[4096];
    size_t size;
} Bytes;

static void Append(Bytes* bytes, const void* data, size_t size) {
    assert_true(bytes->size + size <= sizeof(bytes->data));
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void stl_as_text_and_as_bytes(void** state) {
    (void)state;
    char text[2000] = "solid tetra\n";
    Bytes bytes = {.size = 80}; // a header of zeros
    uint32_t count = 4;
    Append(&bytes, &count, 4);
    for (int i = 0; i < 4; i++) {
        strcat(text, "facet normal 0 0 0\nouter loop\n");
        const float none[3] = {0};
        Append(&bytes, none, 12);
        for (int k = 0; k < 3; k++) {
            const float* p = g_points[g_faces[i][k]];
            sprintf(text + strlen(text), "vertex %g %g %g\n", (double)p[0], (double)p[1], (double)p[2]);
            Append(&bytes, p, 12);
        }
        strcat(text, "endloop\nendfacet\n");
        Append(&bytes, "\0", 2);
    }
    strcat(text, "endsolid tetra\n");
    PutText("text.stl", text);
    PutBytes("bytes.stl", bytes.data, bytes.size);
    AssertVolume("text.stl", TETRA_VOLUME, 1e-12);
    AssertVolume("bytes.stl", TETRA_VOLUME, 1e-12);
}

static void obj_ply_and_off(void** state) {
    (void)state;
    PutText("a.obj", "v 0 0 0\nv 3 0 0\nv 0 3 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    AssertVolume("a.obj", TETRA_VOLUME, 1e-12);
    PutText("a.ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                     "property float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n"
                     "0 0 0\n3 0 0\n0 3 0\n0 0 3\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n");
    AssertVolume("a.ply", TETRA_VOLUME, 1e-12);
    PutText("a.off", "OFF\n4 4 0\n0 0 0\n3 0 0\n0 3 0\n0 0 3\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n");
    AssertVolume("a.off", TETRA_VOLUME, 1e-12);
}

// A chunk of a .3ds file: its kind, its size with all inside, then `inside`.
static void AppendChunk(Bytes* bytes, uint16_t kind, const Bytes* inside) {
    uint32_t size = (uint32_t)inside->size + 6;
    Append(bytes, &kind, 2);
    Append(bytes, &size, 4);
    Append(bytes, inside->data, inside->size);
}

static void three_ds(void** state) {
    (void)state;
    Bytes points = {0}, faces = {0}, mesh = {0}, object = {0}, edit = {0}, all = {0}, file = {0};
    uint16_t count = 4, flags = 0;
    Append(&points, &count, 2);
    Append(&points, g_points, sizeof(g_points));
    Append(&faces, &count, 2);
    for (int i = 0; i < 4; i++) {
        Append(&faces, g_faces[i], 6);
        Append(&faces, &flags, 2);
    }
    AppendChunk(&mesh, 0x4110, &points);
    AppendChunk(&mesh, 0x4120, &faces);
    Append(&object, "tetra", 6);
    AppendChunk(&object, 0x4100, &mesh);
    AppendChunk(&edit, 0x4000, &object);
    AppendChunk(&all, 0x3d3d, &edit);
    AppendChunk(&file, 0x4d4d, &all);
    PutBytes("a.3ds", file.data, file.size);
    AssertVolume("a.3ds", TETRA_VOLUME, 1e-12);
}

// The same numbers as text with a file beside it, and as one binary file.
static void gltf_and_glb(void** state) {
    (void)state;
    static const char head[] =
        "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}], \"nodes\": "
        "[{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"indices\": "
        "1}]}], \"bufferViews\": [{\"buffer\": 0, \"byteLength\": 48}, {\"buffer\": 0, \"byteOffset\": 48, "
        "\"byteLength\": 24}], \"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 4, "
        "\"type\": \"VEC3\", \"min\": [0, 0, 0], \"max\": [3, 3, 3]}, {\"bufferView\": 1, "
        "\"componentType\": 5123, \"count\": 12, \"type\": \"SCALAR\"}], \"buffers\": [{\"byteLength\": 72";
    char text[2000];
    Bytes numbers = {0}, file = {0};
    Append(&numbers, g_points, sizeof(g_points));
    Append(&numbers, g_faces, sizeof(g_faces));
    assert_int_equal(numbers.size, 72);
    PutBytes("a.bin", numbers.data, numbers.size);
    snprintf(text, sizeof(text), "%s, \"uri\": \"a.bin\"}]}", head);
    PutText("a.gltf", text);
    AssertVolume("a.gltf", TETRA_VOLUME, 1e-12);
    snprintf(text, sizeof(text), "%s}]}", head);
    while (strlen(text) % 4 != 0) strcat(text, " ");
    const uint32_t chunk[2] = {(uint32_t)strlen(text), 0x4e4f534a}, bin[2] = {72, 0x004e4942};
    const uint32_t header[3] = {0x46546c67, 2, 12 + 8 + chunk[0] + 8 + 72};
    Append(&file, header, 12);
    Append(&file, chunk, 8);
    Append(&file, text, chunk[0]);
    Append(&file, bin, 8);
    Append(&file, numbers.data, 72);
    PutBytes("a.glb", file.data, file.size);
    AssertVolume("a.glb", TETRA_VOLUME, 1e-12);
}

static void collada(void** state) {
    (void)state;
    PutText("a.dae",
            "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
            "version=\"1.4.1\"><asset><up_axis>Z_UP</up_axis></asset><library_geometries><geometry "
            "id=\"g\"><mesh><source id=\"p\"><float_array id=\"pa\" count=\"12\">0 0 0 3 0 0 0 3 0 0 0 "
            "3</float_array><technique_common><accessor source=\"#pa\" count=\"4\" stride=\"3\"><param "
            "name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" "
            "type=\"float\"/></accessor></technique_common></source><vertices id=\"v\"><input "
            "semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"4\"><input "
            "semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 2 1 0 1 3 0 3 2 1 2 "
            "3</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene "
            "id=\"s\"><node id=\"n\"><instance_geometry url=\"#g\"/></node></visual_scene>"
            "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n");
    AssertVolume("a.dae", TETRA_VOLUME, 1e-12);
}

#define VRML "#VRML V2.0 utf8\n"

static void vrml_faces_under_transforms(void** state) {
    (void)state;
    // written as exporters do: commas, comments, materials, triangles and a face of four, clockwise and not
    PutText(
        "a.wrl", VRML
        "# a box of 2 x 3 x 4, moved and turned\n"
        "WorldInfo { title \"a } box\" info [ \"one\", \"two\" ] }\n"
        "DEF part Transform {\n"
        "  translation 10 -5 2  rotation 0.2 1 0.3 0.7  center 1 0 0  scale 2 1 1\n"
        "  children [ Shape {\n"
        "    appearance Appearance { material Material { diffuseColor 0.8 0.8 0.8 shininess 0.2 } }\n"
        "    geometry IndexedFaceSet { solid FALSE\n"
        "      coord DEF corners Coordinate { point [ 0 0 0, 1 0 0, 1 3 0, 0 3 0,\n"
        "        0 0 4, 1 0 4, 1 3 4, 0 3 4 ] }\n"
        "      coordIndex [ 0, 3, 2, 1, -1, 4,5,6,7,-1 0 1 5 4 -1 1 2 6 -1 1 6 5 -1, 2 3 7 6 -1 3 0 4 7 ]\n"
        "    } } ]\n"
        "}\n"
        "ROUTE part.a TO part.b\n");
    AssertVolume("a.wrl", 24, 1e-12); // rounding of coordinates of about 10
    // the same clockwise, and mirrored: turned back by `ccw` and by the sign of the scale
    PutText("b.wrl",
            VRML "Shape { geometry IndexedFaceSet { ccw FALSE coord Coordinate { point [0 0 0, 3 0 0, "
                 "0 3 0, 0 0 3] } coordIndex [0 1 2 -1 0 3 1 -1 0 2 3 -1 1 3 2 -1] } }\n"
                 "Transform { translation 10 0 0 scale -1 1 1 children Shape { geometry "
                 "IndexedFaceSet { coord Coordinate { point [0 0 0, 3 0 0, 0 3 0, 0 0 3] } "
                 "coordIndex [0 2 1 -1 0 1 3 -1 0 3 2 -1 1 2 3 -1] } } }\n");
    AssertVolume("b.wrl", 2 * TETRA_VOLUME, 1e-12);
}

// An L of area 3, 2 m high; its ends are faces that are not convex.
static void vrml_faces_that_are_not_convex(void** state) {
    (void)state;
    PutText("ell.wrl", VRML
            "Shape { geometry IndexedFaceSet { convex FALSE coord Coordinate { point [ 0 0 0, 2 0 0, 2 1 "
            "0, 1 1 0, 1 2 0, 0 2 0, 0 0 2, 2 0 2, 2 1 2, 1 1 2, 1 2 2, 0 2 2 ] } coordIndex [ 3 2 1 0 5 "
            "4 -1 9 10 11 6 7 8 -1 0 1 7 6 -1 1 2 8 7 -1 2 3 9 8 -1 3 4 10 9 -1 4 5 11 10 -1 5 0 6 11 "
            "-1 ] } }\n");
    Load load;
    LoadFile(&load, "ell.wrl");
    assert_true(load.good);
    assert_int_equal(load.mesh.triangleCount, 4 + 4 + 12);
    assert_true(fabs(Volume(&load) - 6.0) < 1e-12);
    // every edge is there once each way round: nothing of the ends lies outside or double
    for (int i = 0; i < load.mesh.triangleCount; i++) {
        for (int k = 0; k < 3; k++) {
            int a = load.mesh.triangles[i][k], b = load.mesh.triangles[i][(k + 1) % 3], partners = 0;
            for (int j = 0; j < 3 * load.mesh.triangleCount; j++) {
                const int* t = load.mesh.triangles[j / 3];
                partners += t[j % 3] == b && t[(j + 1) % 3] == a;
            }
            assert_int_equal(partners, 1);
        }
    }
    hwStore_Free(&load.store);
}

static void vrml_solids_groups_and_use(void** state) {
    (void)state;
    PutText("box.wrl", VRML "Group { children [ DEF b Shape { geometry Box { size 1 2 3 } } Transform { "
                            "translation 5 0 0 children USE b } ] }\n");
    AssertVolume("box.wrl", 12, 1e-12);
    // inscribed polyhedra of 32 sides (a sphere in 16 rings): 0.64 % and 1.6 % less than round, as these sums say
    double ring = 32.0 / 2.0 * sin(2.0 * HW_PI / 32.0);
    PutText("cylinder.wrl", VRML "Shape { geometry Cylinder { radius 2 height 3 } }\n");
    AssertVolume("cylinder.wrl", ring * 4 * 3, 1e-12);
    PutText("cone.wrl", VRML "Shape { geometry Cone { bottomRadius 2 height 3 } }\n");
    AssertVolume("cone.wrl", ring * 4, 1e-12);
    PutText("sphere.wrl", VRML "Shape { geometry Sphere { radius 2 } }\n");
    AssertVolume("sphere.wrl", 4.0 / 3.0 * HW_PI * 8.0, 0.02 * 33.5);
    PutText("choice.wrl",
            VRML "Switch { whichChoice 1 choice [ Shape { geometry Box {} } Shape { geometry Box { "
                 "size 1 1 1 } } ] }\nLOD { range [ 1 ] level [ Transform { translation 9 0 0 "
                 "children Shape { geometry Box { size 2 1 1 } } } Shape { geometry Box {} } ] }\n");
    AssertVolume("choice.wrl", 3, 1e-12);
}

static void vrml_mistakes_name_their_line(void** state) {
    (void)state;
    PutText("e.wrl", "v 0 0 0\n");
    AssertRefused("e.wrl", "line 1 of `e.wrl`: a VRML 2 file begins with");
    PutText("e.wrl", "#VRML V1.0 ascii\n");
    AssertRefused("e.wrl", "this is VRML 1");
    PutText("e.wrl", VRML "Shape {\n geometry Box {\n");
    AssertRefused("e.wrl", "line 3 of `e.wrl`: this `{` has no `}`");
    PutText("e.wrl", VRML "Shape {\n geometry USE none }\n");
    AssertRefused("e.wrl", "line 3 of `e.wrl`: `USE` needs a name that `DEF` has given before, not `none`");
    PutText("e.wrl", VRML "DEF a Group { children USE a }\n");
    AssertRefused("e.wrl", "`USE` needs a name");
    PutText("e.wrl",
            VRML "Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 ] } coordIndex [ 0 ] } }");
    AssertRefused("e.wrl", "`point` needs three numbers");
    PutText("e.wrl", VRML "Shape { geometry IndexedFaceSet { coordIndex [ 0 1 2\n] ] } }");
    AssertRefused("e.wrl", "line 3 of `e.wrl`: a field is needed, not `]`");
    PutText("e.wrl", VRML "PROTO x [ ] { Group { } }\n");
    AssertRefused("e.wrl", "prototypes are not read");
    PutText("e.wrl", VRML "PointLight { on TRUE }\n");
    AssertRefused("e.wrl", "holds no triangles");
}

// What nests or multiplies without an end is refused in little time and memory.
static void vrml_that_swells_is_refused(void** state) {
    (void)state;
    static char text[1 << 20];
    strcpy(text, VRML);
    for (int i = 0; i < 1000; i++) strcat(text, "Group { children ");
    PutText("e.wrl", text);
    AssertRefused("e.wrl", "nested too deeply");
    // 2^40 spheres by doubling 40 times
    size_t used = (size_t)sprintf(text, VRML "DEF n0 Shape { geometry Sphere { } }\n");
    for (int i = 1; i <= 40; i++)
        used +=
            (size_t)sprintf(text + used, "DEF n%d Group { children [ USE n%d USE n%d ] }\n", i, i - 1, i - 1);
    PutText("e.wrl", text);
    AssertRefused("e.wrl", "than its size allows");
    // a chain of 10,000 groups, each inside the next
    used = (size_t)sprintf(text, VRML "DEF n0 Shape { geometry Box { } }\n");
    for (int i = 1; i <= 10000; i++)
        used += (size_t)sprintf(text + used, "DEF n%d Group { children USE n%d }\n", i, i - 1);
    PutText("e.wrl", text);
    AssertRefused("e.wrl", "nested too deeply");
}

// 75 bytes that claim a billion corners took 12 GB. The importer now runs in a process with at most 512 MB more.
static void a_small_file_with_a_large_claim_is_refused(void** state) {
    (void)state;
    PutText("e.ply", "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\nend_header\n0\n");
    AssertRefused("e.ply", "e.ply` ");
    PutText("f.ply", "ply\nformat binary_little_endian 1.0\nelement vertex 1000000000\nproperty float x\n"
                     "property float y\nproperty float z\nend_header\n0\n");
    AssertRefused("f.ply", "f.ply` ");
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
#if !defined(__SANITIZE_ADDRESS__)
    assert_true(usage.ru_maxrss < 700 * 1024); // KiB; the child begins with what this program has
#endif
    // this process goes on
    AssertVolume("a.obj", TETRA_VOLUME, 1e-12);
}

static void damaged_meshes_are_refused(void** state) {
    (void)state;
    PutText("e.stl", "solid x\nfacet normal 0 0\n");
    AssertRefused("e.stl", "e.stl`");
    PutText("e.3ds", "MM\xff\xff\xff\x7f");
    AssertRefused("e.3ds", "e.3ds`");
    PutText("e.xyz", "1 2 3\n");
    AssertRefused("e.xyz", "is not a mesh that can be read: No suitable reader found");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stl_as_text_and_as_bytes),
        cmocka_unit_test(obj_ply_and_off),
        cmocka_unit_test(three_ds),
        cmocka_unit_test(gltf_and_glb),
        cmocka_unit_test(collada),
        cmocka_unit_test(vrml_faces_under_transforms),
        cmocka_unit_test(vrml_faces_that_are_not_convex),
        cmocka_unit_test(vrml_solids_groups_and_use),
        cmocka_unit_test(vrml_mistakes_name_their_line),
        cmocka_unit_test(vrml_that_swells_is_refused),
        cmocka_unit_test(a_small_file_with_a_large_claim_is_refused),
        cmocka_unit_test(damaged_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, MakeFolder, NULL);
}
