// Surfaces from VRML 2 files (VRML97, ISO/IEC 14772-1): the tree of nodes is read whole, then its shapes are walked through
// with their transforms. Nodes without a surface are read and passed over. Everything is bounded: nesting, and what USE
// multiplies, by the size of the file.
#include "vrml_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDES 32          // of a circle
#define RINGS 16          // of a sphere, from pole to pole
#define MOST_CONCAVE 2000 // corners of a concave face
#define EAR_TESTS_BASE                                                                                       \
    100000000u // tests of a corner against an ear: the square of the corners, their cube at worst
#define EAR_TESTS_PER_BYTE 1000u
#define TRIANGLES_BASE 1000000u // that any file may expand to
#define TRIANGLES_PER_BYTE 200u
#define VISITS_PER_BYTE 100u // nodes that USE may repeat
#define DEEPEST 256          // nesting, what USE puts inside counted

typedef struct Affine {
    double m[3][4]; // x' = m (x, 1)
} Affine;

typedef struct Builder {
    hwReader* reader;
    const hwYaml* node;
    const char* name;
    hwVec3* points; // owned
    int (*faces)[3];
    double (*flat)[2]; // corners of a face that is not convex, owned
    size_t pointCount, pointCapacity, faceCount, faceCapacity, mostFaces;
    size_t visitsLeft, earTestsLeft;
    int depth;
    int passedOver[HW_VRML_KIND_TOTAL]; // surfaces that have no reader here
    Affine place;
} Builder;

static bool Fail(Builder* b, const hwVrmlNode* node, const char* what) {
    return hwReader_Fail(b->reader, b->node, "line %d of `%s`: %s", node->line, b->name, what);
}

// Transforms -----------------------------------------------------------------------------------------------------------

static Affine Identity(void) {
    return (Affine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

static Affine Multiply(const Affine* a, const Affine* b) {
    Affine c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            c.m[i][j] = j == 3 ? a->m[i][3] : 0.0;
            for (int k = 0; k < 3; k++) c.m[i][j] += a->m[i][k] * b->m[k][j];
        }
    }
    return c;
}

static Affine Translation(const double v[3], double sign) {
    Affine a = Identity();
    for (int i = 0; i < 3; i++) a.m[i][3] = sign * v[i];
    return a;
}

// About an axis by an angle (Rodrigues); no axis: no rotation.
static Affine Rotation(const double r[4], double sign) {
    Affine a = Identity();
    double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (!(length > 0.0)) return a;
    double n[3] = {r[0] / length, r[1] / length, r[2] / length};
    double c = hwCos(r[3]), s = sign * hwSin(r[3]);
    const double cross[3][3] = {{0, -n[2], n[1]}, {n[2], 0, -n[0]}, {-n[1], n[0], 0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            a.m[i][j] = (i == j ? c : 0.0) + s * cross[i][j] + (1.0 - c) * n[i] * n[j];
    }
    return a;
}

// The field's numbers, or those it has by default.
static void TakeNumbers(const hwVrmlNode* node, const char* field, int count, double* values) {
    const hwVrmlField* found = hwVrml_FindField(node, field);
    if (found == NULL || found->numberCount < (size_t)count) return;
    memcpy(values, found->numbers, (size_t)count * sizeof(double));
}

// T C R SR S SR^-1 C^-1 (14772-1, 6.52).
static Affine GetTransform(const hwVrmlNode* node) {
    double translation[3] = {0}, center[3] = {0}, scale[3] = {1, 1, 1};
    double rotation[4] = {0, 0, 1, 0}, orientation[4] = {0, 0, 1, 0};
    TakeNumbers(node, "translation", 3, translation);
    TakeNumbers(node, "center", 3, center);
    TakeNumbers(node, "scale", 3, scale);
    TakeNumbers(node, "rotation", 4, rotation);
    TakeNumbers(node, "scaleOrientation", 4, orientation);
    Affine stretch = {{{scale[0], 0, 0, 0}, {0, scale[1], 0, 0}, {0, 0, scale[2], 0}}};
    const Affine chain[7] = {Translation(translation, 1),
                             Translation(center, 1),
                             Rotation(rotation, 1),
                             Rotation(orientation, 1),
                             stretch,
                             Rotation(orientation, -1),
                             Translation(center, -1)};
    Affine whole = chain[0];
    for (int i = 1; i < 7; i++) whole = Multiply(&whole, &chain[i]);
    return whole;
}

static bool Mirrors(const Affine* a) {
    hwVec3 x = {a->m[0][0], a->m[1][0], a->m[2][0]}, y = {a->m[0][1], a->m[1][1], a->m[2][1]};
    hwVec3 z = {a->m[0][2], a->m[1][2], a->m[2][2]};
    return hwDot(hwCross(x, y), z) < 0.0;
}

// Points and faces -------------------------------------------------------------------------------------------------------

static bool Grow(void** items, size_t* capacity, size_t needed, size_t size) {
    if (needed <= *capacity) return true;
    size_t wanted = 2 * *capacity > needed ? 2 * *capacity : needed + 64;
    void* grown = realloc(*items, wanted * size);
    if (grown == NULL) return false;
    *items = grown;
    *capacity = wanted;
    return true;
}

static bool AddPoint(Builder* b, double x, double y, double z) {
    if (!Grow((void**)&b->points, &b->pointCapacity, b->pointCount + 1, sizeof(hwVec3)))
        return hwReader_FailMemory(b->reader);
    const double p[4] = {x, y, z, 1.0};
    double q[3] = {0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) q[i] += b->place.m[i][j] * p[j];
    }
    b->points[b->pointCount++] = hwMakeVec3(q[0], q[1], q[2]);
    return true;
}

static bool AddFace(Builder* b, const hwVrmlNode* node, int i, int j, int k) {
    if (b->faceCount >= b->mostFaces || b->pointCount > 3u * HW_MESH_MOST_TRIANGLES)
        return Fail(b, node, "the file expands to more triangles than its size allows");
    if (!Grow((void**)&b->faces, &b->faceCapacity, b->faceCount + 1, sizeof(*b->faces)))
        return hwReader_FailMemory(b->reader);
    bool mirrored = Mirrors(&b->place);
    int* face = b->faces[b->faceCount++];
    face[0] = i;
    face[1] = mirrored ? k : j;
    face[2] = mirrored ? j : k;
    return true;
}

// Solids with a formula ---------------------------------------------------------------------------------------------------

static bool AddBox(Builder* b, const hwVrmlNode* node) {
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    double size[3] = {2, 2, 2};
    TakeNumbers(node, "size", 3, size);
    int first = (int)b->pointCount;
    for (int i = 0; i < 8; i++) {
        if (!AddPoint(b, (i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1],
                      (i & 4 ? 0.5 : -0.5) * size[2]))
            return false;
    }
    for (int i = 0; i < 12; i++) {
        if (!AddFace(b, node, first + faces[i][0], first + faces[i][1], first + faces[i][2])) return false;
    }
    return true;
}

// A solid of revolution about y: a bottom point, rings upwards, a top point.
static bool AddRevolution(Builder* b, const hwVrmlNode* node, double bottom, double top, int rings,
                          const double (*ring)[2]) {
    int first = (int)b->pointCount;
    if (!AddPoint(b, 0, bottom, 0)) return false;
    for (int r = 0; r < rings; r++) {
        for (int i = 0; i < SIDES; i++) {
            double angle = 2.0 * HW_PI * i / SIDES;
            if (!AddPoint(b, ring[r][0] * hwSin(angle), ring[r][1], ring[r][0] * hwCos(angle))) return false;
        }
    }
    if (!AddPoint(b, 0, top, 0)) return false;
    int last = (int)b->pointCount - 1;
    bool good = true;
    for (int i = 0; i < SIDES && good; i++) {
        int next = (i + 1) % SIDES;
        good = AddFace(b, node, first, first + 1 + next, first + 1 + i);
        for (int r = 0; r + 1 < rings && good; r++) {
            int low = first + 1 + r * SIDES, high = low + SIDES;
            good = AddFace(b, node, low + i, low + next, high + next) &&
                   AddFace(b, node, low + i, high + next, high + i);
        }
        int upper = first + 1 + (rings - 1) * SIDES;
        good = good && AddFace(b, node, upper + i, upper + next, last);
    }
    return good;
}

static bool AddSphere(Builder* b, const hwVrmlNode* node) {
    double radius = 1.0, rings[RINGS - 1][2];
    TakeNumbers(node, "radius", 1, &radius);
    for (int r = 0; r + 1 < RINGS; r++) {
        double angle = HW_PI * (r + 1) / RINGS;
        rings[r][0] = radius * hwSin(angle);
        rings[r][1] = -radius * hwCos(angle);
    }
    return AddRevolution(b, node, -radius, radius, RINGS - 1, (const double(*)[2])rings);
}

static bool AddCylinder(Builder* b, const hwVrmlNode* node) {
    double radius = 1.0, height = 2.0;
    TakeNumbers(node, "radius", 1, &radius);
    TakeNumbers(node, "height", 1, &height);
    const double rings[2][2] = {{radius, -0.5 * height}, {radius, 0.5 * height}};
    return AddRevolution(b, node, -0.5 * height, 0.5 * height, 2, rings);
}

static bool AddCone(Builder* b, const hwVrmlNode* node) {
    double radius = 1.0, height = 2.0;
    TakeNumbers(node, "bottomRadius", 1, &radius);
    TakeNumbers(node, "height", 1, &height);
    const double ring[1][2] = {{radius, -0.5 * height}};
    return AddRevolution(b, node, -0.5 * height, 0.5 * height, 1, ring);
}

// Faces with corners of their own ------------------------------------------------------------------------------------------

// Twice the signed area of a triangle in the plane.
static double Area(const double* p, const double* q, const double* r) {
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

static bool IsInside(const double* p, const double* a, const double* b, const double* c) {
    return Area(a, b, p) >= 0.0 && Area(b, c, p) >= 0.0 && Area(c, a, p) >= 0.0;
}

static bool SamePlace(const double* p, const double* q) {
    return p[0] == q[0] && p[1] == q[1];
}

// The corners of a face in the plane that it covers most, counter-clockwise there. False: without area.
static bool Flatten(const Builder* b, const int* corners, int count, double (*flat)[2]) {
    double normal[3] = {0};
    for (int i = 0; i < count; i++) { // Newell
        hwVec3 p = b->points[corners[i]], q = b->points[corners[(i + 1) % count]];
        normal[0] += (p.y - q.y) * (p.z + q.z);
        normal[1] += (p.z - q.z) * (p.x + q.x);
        normal[2] += (p.x - q.x) * (p.y + q.y);
    }
    int axis = fabs(normal[0]) > fabs(normal[1]) ? 0 : 1;
    if (fabs(normal[2]) > fabs(normal[axis])) axis = 2;
    if (!(fabs(normal[axis]) > 0.0)) return false;
    for (int i = 0; i < count; i++) {
        hwVec3 p = b->points[corners[i]];
        const double xyz[3] = {p.x, p.y, p.z};
        double u = xyz[(axis + 1) % 3], v = xyz[(axis + 2) % 3];
        flat[i][0] = normal[axis] > 0.0 ? u : v;
        flat[i][1] = normal[axis] > 0.0 ? v : u;
    }
    return true;
}

// Cuts ears off a face that need not be convex (Meisters 1975). Where none is left, the face crosses itself: the rest
// becomes a fan.
static bool AddConcave(Builder* b, const hwVrmlNode* node, int* corners, int count) {
    if (count > MOST_CONCAVE) return Fail(b, node, "a face that is not convex has too many corners");
    // not on the stack: this is called from deep within the tree
    if (b->flat == NULL) b->flat = malloc(MOST_CONCAVE * sizeof(*b->flat));
    if (b->flat == NULL) return hwReader_FailMemory(b->reader);
    double(*flat)[2] = b->flat;
    if (!Flatten(b, corners, count, flat)) return true;
    for (int start = 0, misses = 0; count > 3 && misses < count;) {
        int before = (start + count - 1) % count, after = (start + 1) % count;
        const double *p = flat[before], *q = flat[start], *r = flat[after];
        if (b->earTestsLeft < (size_t)count)
            return Fail(b, node, "its faces that are not convex are too large");
        b->earTestsLeft -= (size_t)count;
        bool ear = Area(p, q, r) >= 0.0;
        for (int i = 0; i < count && ear; i++) {
            bool own = SamePlace(flat[i], p) || SamePlace(flat[i], q) || SamePlace(flat[i], r);
            ear = own || !IsInside(flat[i], p, q, r);
        }
        if (!ear) {
            start = after;
            misses++;
            continue;
        }
        if (!AddFace(b, node, corners[before], corners[start], corners[after])) return false;
        memmove(&corners[start], &corners[start + 1], (size_t)(count - start - 1) * sizeof(int));
        memmove(&flat[start], &flat[start + 1], (size_t)(count - start - 1) * sizeof(flat[0]));
        count--;
        start %= count;
        misses = 0;
    }
    for (int i = 1; i + 1 < count; i++) {
        if (!AddFace(b, node, corners[0], corners[i], corners[i + 1])) return false;
    }
    return true;
}

static bool AddPolygon(Builder* b, const hwVrmlNode* node, int* corners, int count, bool convex,
                       bool clockwise) {
    if (clockwise) {
        for (int i = 0; i < count / 2; i++) {
            int swap = corners[i];
            corners[i] = corners[count - 1 - i];
            corners[count - 1 - i] = swap;
        }
    }
    bool known = true;
    for (int i = 0; i < count; i++) known = known && corners[i] >= 0;
    if (!convex && known && count > 3) return AddConcave(b, node, corners, count);
    for (int i = 1; i + 1 < count; i++) {
        if (!AddFace(b, node, corners[0], corners[i], corners[i + 1])) return false;
    }
    return true;
}

static bool GetFlag(const hwVrmlNode* node, const char* name, bool otherwise) {
    const hwVrmlField* field = hwVrml_FindField(node, name);
    return field != NULL && field->numberCount == 1 ? field->numbers[0] != 0.0 : otherwise;
}

static bool AddFaceSet(Builder* b, const hwVrmlNode* node) {
    const hwVrmlField* coord = hwVrml_FindField(node, "coord");
    const hwVrmlField* index = hwVrml_FindField(node, "coordIndex");
    const hwVrmlNode* coordinate = coord != NULL && coord->nodeCount == 1 ? coord->nodes[0] : NULL;
    const hwVrmlField* point = coordinate != NULL ? hwVrml_FindField(coordinate, "point") : NULL;
    if (point == NULL || index == NULL || index->numberCount == 0) return true; // an empty set is legal
    if (point->numberCount % 3 != 0) return Fail(b, coordinate, "`point` needs three numbers for each point");
    int first = (int)b->pointCount;
    double count = (double)(point->numberCount / 3);
    for (size_t i = 0; i + 2 < point->numberCount; i += 3) {
        if (b->pointCount > 3u * HW_MESH_MOST_TRIANGLES)
            return Fail(b, node, "the file expands to more points than its size allows");
        if (!AddPoint(b, point->numbers[i], point->numbers[i + 1], point->numbers[i + 2])) return false;
    }
    bool convex = GetFlag(node, "convex", true), clockwise = !GetFlag(node, "ccw", true);
    int* corners = malloc((index->numberCount + 1) * sizeof(int));
    if (corners == NULL) return hwReader_FailMemory(b->reader);
    bool good = true;
    int used = 0;
    for (size_t i = 0; i <= index->numberCount && good; i++) {
        double value = i < index->numberCount ? index->numbers[i] : -1.0;
        if (value == -1.0) {
            good = AddPolygon(b, node, corners, used, convex, clockwise);
            used = 0;
        } else {
            bool known = value >= 0.0 && value < count && value == floor(value);
            corners[used++] = known ? first + (int)value : -1;
        }
    }
    free(corners);
    return good;
}

// The tree ---------------------------------------------------------------------------------------------------------------

static bool Walk(Builder* b, const hwVrmlNode* node);

static bool WalkField(Builder* b, const hwVrmlNode* node, const char* name) {
    const hwVrmlField* field = hwVrml_FindField(node, name);
    for (size_t i = 0; field != NULL && i < field->nodeCount; i++) {
        if (!Walk(b, field->nodes[i])) return false;
    }
    return true;
}

// One of several: the level of detail that is finest, or the choice that a switch shows.
static bool WalkChoice(Builder* b, const hwVrmlNode* node, const char* name, double choice) {
    const hwVrmlField* field = hwVrml_FindField(node, name);
    if (field == NULL || !(choice >= 0.0 && choice < (double)field->nodeCount)) return true;
    return Walk(b, field->nodes[(size_t)choice]);
}

static bool WalkTransform(Builder* b, const hwVrmlNode* node) {
    Affine outside = b->place, inside = GetTransform(node);
    b->place = Multiply(&outside, &inside);
    bool good = WalkField(b, node, "children");
    b->place = outside;
    return good;
}

static bool WalkNode(Builder* b, const hwVrmlNode* node) {
    if (b->visitsLeft == 0) return Fail(b, node, "`USE` repeats more nodes than the file's size allows");
    b->visitsLeft--;
    double choice = -1.0;
    switch (node->kind) {
    case HW_VRML_GROUP:
        return WalkField(b, node, "children");
    case HW_VRML_TRANSFORM:
        return WalkTransform(b, node);
    case HW_VRML_LOD:
        return WalkChoice(b, node, "level", 0.0);
    case HW_VRML_SWITCH:
        TakeNumbers(node, "whichChoice", 1, &choice);
        return WalkChoice(b, node, "choice", choice);
    case HW_VRML_SHAPE:
        return WalkField(b, node, "geometry");
    case HW_VRML_FACE_SET:
        return AddFaceSet(b, node);
    case HW_VRML_BOX:
        return AddBox(b, node);
    case HW_VRML_SPHERE:
        return AddSphere(b, node);
    case HW_VRML_CYLINDER:
        return AddCylinder(b, node);
    case HW_VRML_CONE:
        return AddCone(b, node);
    case HW_VRML_EXTRUSION:
    case HW_VRML_ELEVATION_GRID:
    case HW_VRML_INLINE:
        b->passedOver[node->kind]++;
        return true;
    default:
        return true;
    }
}

static bool Walk(Builder* b, const hwVrmlNode* node) {
    if (b->depth == DEEPEST) return Fail(b, node, "the nodes are nested too deeply");
    b->depth++;
    bool good = WalkNode(b, node);
    b->depth--;
    return good;
}

static bool TellPassedOver(const Builder* b) {
    for (int i = 0; i < HW_VRML_KIND_TOTAL; i++) {
        if (b->passedOver[i] > 0 &&
            !hwReader_Warn(b->reader, b->node->line, "`%s`: %d `%s` left out", b->name, b->passedOver[i],
                           hwVrml_GetKindName((hwVrmlKind)i)))
            return false;
    }
    return true;
}

static bool TakeSoup(Builder* b, hwMeshSoup* soup) {
    *soup = (hwMeshSoup){.pointCount = b->pointCount, .faceCount = b->faceCount};
    if (b->faceCount == 0) return hwReader_Fail(b->reader, b->node, "`%s` holds no triangles", b->name);
    soup->points = hwReader_Take(b->reader, b->pointCount, sizeof(*b->points));
    soup->faces = soup->points != NULL ? hwReader_Take(b->reader, b->faceCount, sizeof(*b->faces)) : NULL;
    if (soup->faces == NULL) return false;
    memcpy(soup->points, b->points, b->pointCount * sizeof(*b->points));
    memcpy(soup->faces, b->faces, b->faceCount * sizeof(*b->faces));
    return true;
}

bool hwParseVrml(hwReader* reader, const hwYaml* node, const char* name, const char* text, size_t size,
                 hwMeshSoup* soup) {
    Builder builder = {.reader = reader, .node = node, .name = name, .place = Identity()};
    size_t allowed = TRIANGLES_BASE + TRIANGLES_PER_BYTE * size;
    builder.mostFaces = allowed < HW_MESH_MOST_TRIANGLES ? allowed : HW_MESH_MOST_TRIANGLES;
    builder.earTestsLeft = EAR_TESTS_BASE + EAR_TESTS_PER_BYTE * size;
    builder.visitsLeft = 10000 + VISITS_PER_BYTE * size;
    const hwVrmlNode* root = hwVrml_ReadTree(reader, node, name, text, size);
    bool good = root != NULL && Walk(&builder, root) && TellPassedOver(&builder) && TakeSoup(&builder, soup);
    free(builder.points);
    free(builder.faces);
    free(builder.flat);
    return good;
}
