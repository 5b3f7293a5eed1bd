// Results as an animated scene in one binary glTF 2.0 file (Khronos 2021): bodies with their shapes, cables as rods from node to
// node. Viewers have y up, so everything hangs below a node that turns z up.
#define _POSIX_C_SOURCE 200809L
#include "hawser/body.h"
#include "hawser/cable.h"
#include "result_objects.h"
#include "results_internal.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_LIMIT 1000  // more frames make files large without showing more
#define ROUND 24          // corners of a circle
#define LEAST_RADIUS 0.03 // m, of cables: thinner ones are not seen

typedef struct Text {
    char* data;
    size_t size, capacity;
    bool failed;
} Text;

static void PutBytes(Text* text, const void* data, size_t size) {
    if (text->size + size + 1 > text->capacity) {
        size_t capacity = 2 * (text->size + size) + 1024;
        char* larger = realloc(text->data, capacity);
        if (larger == NULL) {
            text->failed = true;
            return;
        }
        text->data = larger;
        text->capacity = capacity;
    }
    if (size > 0) memcpy(text->data + text->size, data, size);
    text->size += size;
}

static void Put(Text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
static void Put(Text* text, const char* format, ...) {
    char part[600];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(part, sizeof(part), format, arguments);
    va_end(arguments);
    PutBytes(text, part, (size_t)size < sizeof(part) ? (size_t)size : sizeof(part) - 1);
}

// The parts of the file as they come about: lists of JSON objects, and bytes.
typedef struct Gltf {
    Text nodes, meshes, accessors, views, channels, samplers, bytes;
    int nodeCount, meshCount, accessorCount, samplerCount;
    Text roots;       // children of the root
    int timeAccessor; // of all animations
    int frameCount;
    const double* table; // frames x channels
    int channelCount;
} Gltf;

static void Separate(Text* list) {
    if (list->size > 0) PutBytes(list, ",", 1);
}

// Adds numbers as an accessor. `components` 1, 3 or 4 floats; integers when `indices`. Returns its number.
static int AddAccessor(Gltf* g, const void* data, int count, int components, bool indices, bool bounds,
                       int target) {
    size_t size = (size_t)count * (size_t)components * 4, offset = g->bytes.size;
    PutBytes(&g->bytes, data, size); // all parts are of four bytes, so everything stays aligned
    Separate(&g->views);
    Put(&g->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", offset, size);
    if (target != 0) Put(&g->views, ",\"target\":%d", target);
    Put(&g->views, "}");
    Separate(&g->accessors);
    static const char* const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    Put(&g->accessors, "{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
        g->accessorCount, indices ? 5125 : 5126, count, types[components]);
    for (int side = 0; side < 2 && bounds; ++side) {
        const float* values = data;
        Put(&g->accessors, side == 0 ? ",\"min\":[" : ",\"max\":[");
        for (int k = 0; k < components; ++k) {
            float most = values[k];
            for (int i = 1; i < count; ++i) {
                float value = values[i * components + k];
                if (side == 0 ? value < most : value > most) most = value;
            }
            Put(&g->accessors, "%s%.9g", k > 0 ? "," : "", (double)most);
        }
        Put(&g->accessors, "]");
    }
    Put(&g->accessors, "}");
    return g->accessorCount++;
}

// Meshes -------------------------------------------------------------------------------------------------------------------

typedef struct Surface {
    int pointCount, cornerCount;
    float (*points)[3];
    uint32_t* corners;
} Surface;

static bool MakeSurface(Surface* s, int points, int corners) {
    s->pointCount = s->cornerCount = 0;
    s->points = malloc((size_t)points * sizeof(*s->points) + 1);
    s->corners = malloc((size_t)corners * sizeof(*s->corners) + 1);
    return s->points != NULL && s->corners != NULL;
}

static void AddPoint(Surface* s, double x, double y, double z) {
    s->points[s->pointCount][0] = (float)x;
    s->points[s->pointCount][1] = (float)y;
    s->points[s->pointCount++][2] = (float)z;
}

static void AddTriangle(Surface* s, int a, int b, int c) {
    s->corners[s->cornerCount++] = (uint32_t)a;
    s->corners[s->cornerCount++] = (uint32_t)b;
    s->corners[s->cornerCount++] = (uint32_t)c;
}

// Rings about z, closed by a point at either end: a sphere, cylinder or capsule by the profile (radius, height) of its rings.
static bool MakeRound(Surface* s, int rings, const double (*profile)[2], double low, double high) {
    if (!MakeSurface(s, rings * ROUND + 2, 6 * ROUND * rings)) return false;
    for (int i = 0; i < rings; ++i) {
        for (int k = 0; k < ROUND; ++k) {
            double angle = 2.0 * HW_PI * k / ROUND;
            AddPoint(s, profile[i][0] * cos(angle), profile[i][0] * sin(angle), profile[i][1]);
        }
    }
    AddPoint(s, 0.0, 0.0, low);
    AddPoint(s, 0.0, 0.0, high);
    int bottom = rings * ROUND, top = bottom + 1;
    for (int k = 0; k < ROUND; ++k) {
        int next = (k + 1) % ROUND;
        AddTriangle(s, bottom, next, k);
        for (int i = 0; i + 1 < rings; ++i) {
            int a = i * ROUND + k, b = i * ROUND + next;
            AddTriangle(s, a, b, b + ROUND);
            AddTriangle(s, a, b + ROUND, a + ROUND);
        }
        AddTriangle(s, (rings - 1) * ROUND + k, (rings - 1) * ROUND + next, top);
    }
    return true;
}

static bool MakeBall(Surface* s, double radius, double half) {
    enum { RINGS = 14 };
    double profile[RINGS][2];
    for (int i = 0; i < RINGS; ++i) { // the middle is there twice, a straight part apart
        double angle = HW_PI * ((i < RINGS / 2 ? i + 1 : i) / (double)(RINGS)-0.5);
        profile[i][0] = radius * cos(angle);
        profile[i][1] = radius * sin(angle) + (i < RINGS / 2 ? -half : half);
    }
    return MakeRound(s, RINGS, (const double(*)[2])profile, -half - radius, half + radius);
}

static bool MakeShape(Surface* s, const hwShapeDef* shape) {
    double half = 0.5 * shape->length;
    switch (shape->kind) {
    case HW_SHAPE_BOX:
        if (!MakeSurface(s, 8, 36)) return false;
        for (int i = 0; i < 8; ++i)
            AddPoint(s, (i & 1 ? 0.5 : -0.5) * shape->size.x, (i & 2 ? 0.5 : -0.5) * shape->size.y,
                     (i & 4 ? 0.5 : -0.5) * shape->size.z);
        static const int faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                         {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
        for (int i = 0; i < 12; ++i) AddTriangle(s, faces[i][0], faces[i][1], faces[i][2]);
        return true;
    case HW_SHAPE_SPHERE:
        return MakeBall(s, shape->radius, 0.0);
    case HW_SHAPE_CAPSULE:
        return MakeBall(s, shape->radius, half);
    case HW_SHAPE_CYLINDER: {
        const double profile[2][2] = {{shape->radius, -half}, {shape->radius, half}};
        return MakeRound(s, 2, profile, -half, half);
    }
    default:
        if (!MakeSurface(s, shape->mesh.vertexCount, 3 * shape->mesh.triangleCount)) return false;
        for (int i = 0; i < shape->mesh.vertexCount; ++i) {
            hwVec3 v = shape->mesh.vertices[i];
            AddPoint(s, v.x, v.y, v.z);
        }
        for (int i = 0; i < shape->mesh.triangleCount; ++i) {
            const int* t = shape->mesh.triangles[i];
            AddTriangle(s, t[0], t[1], t[2]);
        }
        return true;
    }
}

// Adds a mesh of the surface and frees that. Returns its number.
static int AddMesh(Gltf* g, Surface* s, int material) {
    if (s->points == NULL || s->corners == NULL) {
        g->bytes.failed = true;
    } else {
        int points = AddAccessor(g, s->points, s->pointCount, 3, false, true, 34962);
        int corners = AddAccessor(g, s->corners, s->cornerCount, 1, true, false, 34963);
        Separate(&g->meshes);
        Put(&g->meshes,
            "{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"material\":%d}]}", points,
            corners, material);
    }
    free(s->points);
    free(s->corners);
    return g->meshCount++;
}

// Animation ------------------------------------------------------------------------------------------------------------------

static void Animate(Gltf* g, int node, const char* path, const float* values, int components) {
    int output = AddAccessor(g, values, g->frameCount, components, false, false, 0);
    Separate(&g->samplers);
    Put(&g->samplers, "{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"}", g->timeAccessor, output);
    Separate(&g->channels);
    Put(&g->channels, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", g->samplerCount++, node,
        path);
}

static void StoreTurn(float out[4], hwQuat q, const float* before) {
    double size = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    double scale = size > 0.0 ? 1.0 / size : 0.0;
    double numbers[4] = {q.x * scale, q.y * scale, q.z * scale, size > 0.0 ? q.w * scale : 1.0};
    // the shorter way from the frame before: both signs are the same attitude
    double along = 0.0;
    for (int k = 0; before != NULL && k < 4; ++k) along += numbers[k] * (double)before[k];
    for (int k = 0; k < 4; ++k) out[k] = (float)(along < 0.0 ? -numbers[k] : numbers[k]);
}

static const double* GetRow(const Gltf* g, int frame) {
    return g->table + (size_t)frame * (size_t)g->channelCount;
}

static float Finite(double value) {
    return isfinite(value) ? (float)value : 0.0f;
}

static void AddRoot(Gltf* g, int node) {
    Separate(&g->roots);
    Put(&g->roots, "%d", node);
}

static bool AddBody(Gltf* g, const hwFrameColumns* frame, const hwWorld* world) {
    hwBodyId body = world != NULL ? hwWorld_FindBody(world, frame->name) : (hwBodyId){0, 0};
    const hwBodyDef* def = HW_IS_NULL(body) ? NULL : hwBody_GetDef(world, body);
    float(*places)[3] = malloc((size_t)g->frameCount * sizeof(*places));
    float(*turns)[4] = malloc((size_t)g->frameCount * sizeof(*turns));
    bool good = places != NULL && turns != NULL;
    for (int i = 0; i < g->frameCount && good; ++i) {
        hwPose pose = hwFrameColumns_GetPose(frame, GetRow(g, i));
        double place[3] = {pose.p.x, pose.p.y, pose.p.z};
        for (int k = 0; k < 3; ++k) places[i][k] = Finite(place[k]);
        StoreTurn(turns[i], pose.q, i > 0 ? turns[i - 1] : NULL);
    }
    int first = g->nodeCount, shapes = def != NULL ? def->shapeCount : 0;
    if (good) {
        Separate(&g->nodes);
        Put(&g->nodes, "{\"name\":\"%s\"", frame->name);
        for (int i = 0; i < shapes; ++i)
            Put(&g->nodes, "%s%d", i == 0 ? ",\"children\":[" : ",", first + 1 + i);
        Put(&g->nodes, shapes > 0 ? "]}" : "}");
        g->nodeCount++;
        for (int i = 0; i < shapes; ++i) {
            const hwShapeDef* shape = &def->shapes[i];
            Surface surface = {0};
            if (!MakeShape(&surface, shape)) good = false;
            int mesh = AddMesh(g, &surface, 0);
            float turn[4];
            StoreTurn(turn, shape->pose.q, NULL);
            Put(&g->nodes,
                ",{\"mesh\":%d,\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g]}", mesh,
                shape->pose.p.x, shape->pose.p.y, shape->pose.p.z, (double)turn[0], (double)turn[1],
                (double)turn[2], (double)turn[3]);
            g->nodeCount++;
        }
        Animate(g, first, "translation", places[0], 3);
        if (frame->attitude[0] >= 0) Animate(g, first, "rotation", turns[0], 4);
        AddRoot(g, first);
    }
    free(places);
    free(turns);
    return good;
}

// The rotation that brings z to a direction.
static hwQuat TurnTo(hwVec3 d) {
    double size = hwLength(d);
    if (!(size > 0.0) || !isfinite(size)) return hwQuat_identity;
    d = hwScale(1.0 / size, d);
    if (d.z < -0.999999) return (hwQuat){0.0, 1.0, 0.0, 0.0};
    return (hwQuat){1.0 + d.z, -d.y, d.x, 0.0};
}

static hwVec3 GetNode(const hwCableColumns* cable, const double* row, int node) {
    const int* at = cable->nodes[node];
    return hwMakeVec3(row[at[0]], row[at[1]], row[at[2]]);
}

// Rods from node to node: a unit rod along z, moved, turned and stretched. Rods that are not paid out have no length.
static bool AddCable(Gltf* g, const hwCableColumns* cable, const hwWorld* world) {
    double radius = LEAST_RADIUS;
    hwCableId id = world != NULL ? hwWorld_FindCable(world, cable->name) : (hwCableId){0, 0};
    const hwCableDef* def = HW_IS_NULL(id) ? NULL : hwCable_GetDef(world, id);
    if (def != NULL && def->sectionCount > 0) radius = fmax(radius, 0.5 * def->sections[0].diameter);
    Surface surface = {0};
    const double profile[2][2] = {{radius, 0.0}, {radius, 1.0}};
    if (!MakeRound(&surface, 2, profile, 0.0, 1.0)) return false;
    int mesh = AddMesh(g, &surface, 1);
    float(*places)[3] = malloc((size_t)g->frameCount * sizeof(*places));
    float(*turns)[4] = malloc((size_t)g->frameCount * sizeof(*turns));
    float(*scales)[3] = malloc((size_t)g->frameCount * sizeof(*scales));
    bool good = places != NULL && turns != NULL && scales != NULL;
    for (int rod = 0; rod + 1 < cable->count && good; ++rod) {
        for (int i = 0; i < g->frameCount; ++i) {
            hwVec3 a = GetNode(cable, GetRow(g, i), rod), b = GetNode(cable, GetRow(g, i), rod + 1);
            bool there = hwIsFiniteVec3(a) && hwIsFiniteVec3(b);
            hwVec3 along = there ? hwSub(b, a) : hwVec3_zero;
            double place[3] = {a.x, a.y, a.z};
            for (int k = 0; k < 3; ++k) {
                places[i][k] = there ? (float)place[k] : 0.0f;
                scales[i][k] = there ? 1.0f : 0.0f;
            }
            if (there) scales[i][2] = (float)hwLength(along);
            StoreTurn(turns[i], TurnTo(along), i > 0 ? turns[i - 1] : NULL);
        }
        Separate(&g->nodes);
        Put(&g->nodes, "{\"name\":\"%s[%d]\",\"mesh\":%d}", cable->name, rod, mesh);
        int node = g->nodeCount++;
        Animate(g, node, "translation", places[0], 3);
        Animate(g, node, "rotation", turns[0], 4);
        Animate(g, node, "scale", scales[0], 3);
        AddRoot(g, node);
    }
    free(places);
    free(turns);
    free(scales);
    return good;
}

// The file ---------------------------------------------------------------------------------------------------------------------

static void PutHeader(unsigned char* out, uint32_t a, uint32_t b, uint32_t c, int words) {
    uint32_t values[3] = {a, b, c};
    for (int i = 0; i < words; ++i) {
        for (int k = 0; k < 4; ++k) out[4 * i + k] = (unsigned char)(values[i] >> (8 * k));
    }
}

static hwStatus WriteFile(Gltf* g, const char* path, hwError* error) {
    Text json = {0};
    const Text* lists[] = {&g->nodes,    &g->meshes,   &g->accessors, &g->views,
                           &g->samplers, &g->channels, &g->roots,     &g->bytes};
    bool failed = false;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); ++i) failed = failed || lists[i]->failed;
    Put(&json,
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Hawser "
        "%s\"},\"scene\":0,\"scenes\":[{\"nodes\":[%d]}],\"nodes\":[",
        hwGetVersion(), g->nodeCount);
    PutBytes(&json, g->nodes.data, g->nodes.size);
    Put(&json, ",{\"name\":\"world, z up\",\"rotation\":[-0.70710678,0,0,0.70710678],\"children\":[");
    PutBytes(&json, g->roots.data, g->roots.size);
    Put(&json, "]}],");
    if (g->meshCount > 0) {
        Put(&json, "\"meshes\":[");
        PutBytes(&json, g->meshes.data, g->meshes.size);
        Put(&json, "],");
    }
    Put(&json, "\"materials\":[{\"name\":\"steel\",\"doubleSided\":true,\"pbrMetallicRoughness\":{"
               "\"baseColorFactor\":[0.5,0.6,0.68,1],"
               "\"metallicFactor\":0.2,\"roughnessFactor\":0.7}},{\"name\":\"rope\",\"pbrMetallicRoughness\":"
               "{\"baseColorFactor\":"
               "[0.9,0.62,0.1,1],\"metallicFactor\":0,\"roughnessFactor\":0.9}}],\"accessors\":[");
    PutBytes(&json, g->accessors.data, g->accessors.size);
    Put(&json, "],\"bufferViews\":[");
    PutBytes(&json, g->views.data, g->views.size);
    Put(&json, "],\"animations\":[{\"name\":\"run\",\"samplers\":[");
    PutBytes(&json, g->samplers.data, g->samplers.size);
    Put(&json, "],\"channels\":[");
    PutBytes(&json, g->channels.data, g->channels.size);
    Put(&json, "]}],\"buffers\":[{\"byteLength\":%zu}]}", g->bytes.size);
    while (json.size % 4 != 0) PutBytes(&json, " ", 1);
    hwStatus status = HW_OK;
    size_t total = 12 + 8 + json.size + 8 + g->bytes.size;
    if (failed || json.failed) {
        status = hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for %s.", path);
    } else if (total > UINT32_MAX) {
        status =
            hwResultsFail(error, HW_ERROR_LIMIT, "The scene is larger than the 4 GB that %s can hold.", path);
    }
    hwSink sink;
    if (status == HW_OK) status = hwSink_Open(&sink, path, error);
    if (status == HW_OK) {
        unsigned char head[20], next[8];
        PutHeader(head, 0x46546c67u, 2, (uint32_t)total, 3);
        PutHeader(head + 12, (uint32_t)json.size, 0x4e4f534au, 0, 2);
        PutHeader(next, (uint32_t)g->bytes.size, 0x004e4942u, 0, 2);
        fwrite(head, 1, sizeof(head), sink.stream);
        fwrite(json.data, 1, json.size, sink.stream);
        fwrite(next, 1, sizeof(next), sink.stream);
        fwrite(g->bytes.data, 1, g->bytes.size, sink.stream);
        status = hwSink_Close(&sink, HW_OK, error);
    }
    free(json.data);
    return status;
}

static hwStatus ReadFrames(Gltf* g, hwResults* results, double** table, hwError* error) {
    int64_t stride = (results->rowCount + FRAME_LIMIT - 1) / FRAME_LIMIT;
    g->frameCount = stride > 0 ? (int)((results->rowCount + stride - 1) / stride) : 0;
    g->channelCount = results->channelCount;
    if (g->frameCount == 0)
        return hwResultsFail(error, HW_ERROR_FORMAT, "There is nothing to draw in %s: it holds no rows.",
                             results->path);
    *table = malloc((size_t)g->frameCount * (size_t)g->channelCount * sizeof(double));
    if (*table == NULL)
        return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for %s.", results->path);
    hwStatus status = HW_OK;
    for (int i = 0; i < g->frameCount && status == HW_OK; ++i)
        status =
            hwResults_ReadRows(results, i * stride, 1, *table + (size_t)i * (size_t)g->channelCount, error);
    g->table = *table;
    return status;
}

hwStatus hwWriteGlb(hwResults* results, const char* path, hwError* error) {
    Gltf g = {0};
    hwResultObjects objects = {0};
    double* table = NULL;
    hwWorld* world = NULL;
    hwStatus status = ReadFrames(&g, results, &table, error);
    bool good = status == HW_OK && hwResultObjects_Find(&objects, results->channelCount, results->channels);
    if (good && objects.frameCount + objects.cableCount == 0) {
        status = hwResultsFail(error, HW_ERROR_FORMAT,
                               "There is nothing to draw in %s: it holds no positions.", results->path);
        hwResultsFail_Hint(error, "Record <name>.position.x, .y and .z.");
        good = false;
    }
    if (good) {
        world = hwResults_MakeWorld(results);
        float* times = malloc((size_t)g.frameCount * sizeof(float));
        good = times != NULL;
        // animations begin at 0
        for (int i = 0; good && i < g.frameCount; ++i) times[i] = (float)(GetRow(&g, i)[0] - table[0]);
        if (good) g.timeAccessor = AddAccessor(&g, times, g.frameCount, 1, false, true, 0);
        free(times);
    }
    for (int i = 0; i < objects.frameCount && good; ++i) good = AddBody(&g, &objects.frames[i], world);
    for (int i = 0; i < objects.cableCount && good; ++i) good = AddCable(&g, &objects.cables[i], world);
    if (good) {
        status = WriteFile(&g, path, error);
    } else if (status == HW_OK) {
        status = hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for %s.", path);
    }
    Text* lists[] = {&g.nodes,    &g.meshes,   &g.accessors, &g.views,
                     &g.samplers, &g.channels, &g.roots,     &g.bytes};
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); ++i) free(lists[i]->data);
    hwResultObjects_Free(&objects);
    hwDestroyWorld(world);
    free(table);
    return status;
}
