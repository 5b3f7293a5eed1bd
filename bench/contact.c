// Questions that contact asks of geometry, and boxes that touch, beside peers where they are installed.
#define _GNU_SOURCE
#include "bench/bench.h"
#include "bench/contact_peers.h"
#include "geom/broad_phase.h"
#include "geom/overlap.h"
#include "geom/sweep.h"
#include "hawser/hawser.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if __has_include(<ccd/ccd.h>)
#define HAS_CCD
#include <ccd/ccd.h>
#endif
#if __has_include(<ode/ode.h>)
#define HAS_ODE
#include <ode/ode.h>
#endif
#include <dlfcn.h>

#define PATHS 64  // pairs of bodies that move past each other
#define FRAMES 64 // places of each on its way
#define ROUNDS 7
#define CELL 0.28 // m

// Time of the processor, s: other programs on the machine do not count.
static double GetWork(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double Draw(uint64_t* seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1.0p-52 - 1.0;
}

static void AddTime(hwBenchContext* context, const char* name, double value, const char* peer,
                    double peerValue, const char* note) {
    hwBenchRow row = hwDefaultBenchRow();
    row.name = name;
    row.value = 1e6 * value;
    row.unit = "us";
    if (!isnan(peerValue)) {
        row.peer = peer;
        row.peerValue = 1e6 * peerValue;
    }
    row.note = note;
    hwBench_AddRow(context, &row);
}

// Pairs of boxes that overlap by about a tenth of their size and slide and turn by a millimetre or so from frame to frame.
static const hwVec3 sizes[2] = {{1.0, 0.8, 0.6}, {0.9, 0.7, 1.1}};
static hwPose placesA[PATHS * FRAMES], placesB[PATHS * FRAMES];

static void MakePaths(void) {
    uint64_t seed = 5;
    hwConvex a = hwMakeBox(sizes[0]), b = hwMakeBox(sizes[1]);
    for (int p = 0; p < PATHS; ++p) {
        hwPose first = {hwVec3_zero,
                        hwNormalizeQuat((hwQuat){Draw(&seed), Draw(&seed), Draw(&seed), Draw(&seed)})};
        hwPose second = {hwScale(3.0, hwNormalize(hwMakeVec3(Draw(&seed), Draw(&seed), Draw(&seed)))),
                         hwNormalizeQuat((hwQuat){Draw(&seed), Draw(&seed), Draw(&seed), Draw(&seed)})};
        hwClosest closest = hwConvex_FindClosest(&a, first, &b, second, NULL);
        second.p = hwMulAdd(second.p, -closest.distance - 0.08, closest.normal);
        hwVec3 slide = hwScale(1e-3, hwMakeVec3(Draw(&seed), Draw(&seed), Draw(&seed)));
        hwVec3 turn = hwScale(1e-3, hwMakeVec3(Draw(&seed), Draw(&seed), Draw(&seed)));
        for (int f = 0; f < FRAMES; ++f) {
            placesA[p * FRAMES + f] = first;
            placesB[p * FRAMES + f] = second;
            second.p = hwAdd(second.p, slide);
            second.q = hwNormalizeQuat(hwMulQuat(hwQuatFromRotationVector(turn), second.q));
        }
    }
}

static double sink; // keeps results alive

// Hawser ---------------------------------------------------------------------------------------------------------------------

static double TimeDepth(const hwConvex* a, const hwConvex* b, bool warm) {
    double best = HUGE_VAL;
    for (int round = 0; round < ROUNDS; ++round) {
        double start = GetWork();
        for (int p = 0; p < PATHS; ++p) {
            hwPairCache cache = {0};
            for (int i = p * FRAMES; i < (p + 1) * FRAMES; ++i) {
                sink += hwConvex_FindClosest(a, placesA[i], b, placesB[i], warm ? &cache : NULL).distance;
            }
        }
        best = fmin(best, GetWork() - start);
    }
    return best / (PATHS * FRAMES);
}

static double TimeOverlap(const hwConvex* a, const hwConvex* b) {
    size_t size = hwOverlap_GetScratchSize(24, 24);
    void* scratch = malloc(size);
    double best = HUGE_VAL;
    for (int round = 0; round < ROUNDS && scratch != NULL; ++round) {
        double start = GetWork();
        for (int i = 0; i < PATHS * FRAMES; ++i) {
            hwOverlap overlap;
            if (hwConvex_FindOverlap(a, placesA[i], b, placesB[i], scratch, size, &overlap))
                sink += overlap.volume;
        }
        best = fmin(best, GetWork() - start);
    }
    free(scratch);
    return best / (PATHS * FRAMES);
}

// A wavy sheet of n x n cells of 0.28 m.
typedef struct Sheet {
    int vertexCount, triangleCount;
    hwVec3* vertices;
    int (*triangles)[3];
} Sheet;

static bool MakeSheet(Sheet* sheet, int n) {
    sheet->vertexCount = (n + 1) * (n + 1);
    sheet->triangleCount = 2 * n * n;
    sheet->vertices = malloc((size_t)sheet->vertexCount * sizeof(hwVec3));
    sheet->triangles = malloc((size_t)sheet->triangleCount * sizeof(int[3]));
    if (sheet->vertices == NULL || sheet->triangles == NULL) return false;
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
            double x = CELL * (i - 0.5 * n), y = CELL * (j - 0.5 * n);
            sheet->vertices[j * (n + 1) + i] = hwMakeVec3(x, y, 0.5 * sin(x) * cos(0.7 * y));
        }
    }
    for (int c = 0; c < n * n; ++c) {
        int k = c / n * (n + 1) + c % n;
        const int pair[2][3] = {{k, k + 1, k + n + 2}, {k, k + n + 2, k + n + 1}};
        memcpy(sheet->triangles[2 * c], pair, sizeof(pair));
    }
    return true;
}

static void FreeSheet(Sheet* sheet) {
    free(sheet->vertices);
    free(sheet->triangles);
}

// Capsules of 0.5 m length and 5 cm radius that lie on the sheet.
static void PlaceCapsule(uint64_t* seed, double range, hwVec3* p, hwVec3* q) {
    double x = range * Draw(seed), y = range * Draw(seed), a = HW_PI * Draw(seed);
    *p = hwMakeVec3(x, y, 0.5 * sin(x) * cos(0.7 * y) + 0.04);
    x += 0.5 * cos(a), y += 0.5 * sin(a);
    *q = hwMakeVec3(x, y, 0.5 * sin(x) * cos(0.7 * y) + 0.04);
}

static double TimeCapsule(const hwMeshTree* tree, int cells) {
    double range = 0.45 * CELL * cells;
    double best = HUGE_VAL;
    for (int round = 0; round < ROUNDS; ++round) {
        uint64_t seed = 9;
        hwMeshHit hits[16];
        double start = GetWork();
        for (int i = 0; i < 20000; ++i) {
            hwVec3 p, q;
            PlaceCapsule(&seed, range, &p, &q);
            sink += hwMesh_FindWithin(tree, p, q, 0.05, hits, 16);
        }
        best = fmin(best, GetWork() - start);
    }
    // without what placing costs
    double placing = HUGE_VAL;
    for (int round = 0; round < ROUNDS; ++round) {
        uint64_t seed = 9;
        double start = GetWork();
        for (int i = 0; i < 20000; ++i) {
            hwVec3 p, q;
            PlaceCapsule(&seed, range, &p, &q);
            sink += p.x + q.y;
        }
        placing = fmin(placing, GetWork() - start);
    }
    return (best - placing) / 20000.0;
}

static double TimeBroadPhase(int count, double speed) {
    hwAllocator allocator = hwDefaultWorldDef().allocator;
    hwBroadPhase* broad = hwCreateBroadPhase(&allocator, count, 8 * count, 0.05, NULL);
    hwVec3* place = malloc((size_t)count * sizeof(hwVec3));
    hwVec3* velocity = malloc((size_t)count * sizeof(hwVec3));
    if (broad == NULL || place == NULL || velocity == NULL) {
        free(place);
        free(velocity);
        if (broad != NULL) hwDestroyBroadPhase(broad);
        return (double)NAN;
    }
    uint64_t seed = 3;
    double side = cbrt((double)count) * 1.2;
    hwVec3 half = hwMakeVec3(0.5, 0.5, 0.5);
    for (int i = 0; i < count; ++i) {
        place[i] = hwScale(side, hwMakeVec3(Draw(&seed), Draw(&seed), Draw(&seed)));
        velocity[i] = hwScale(speed / 60.0, hwNormalize(hwMakeVec3(Draw(&seed), Draw(&seed), Draw(&seed))));
        hwProxyDef def = {
            .box = {hwSub(place[i], half), hwAdd(place[i], half)}, .category = 1, .mask = 1, .owner = i};
        hwBroadPhase_Add(broad, &def);
    }
    hwBroadPhase_Update(broad, NULL);
    int steps = 300;
    double start = GetWork();
    for (int s = 0; s < steps; ++s) {
        for (int i = 0; i < count; ++i) {
            place[i] = hwAdd(place[i], velocity[i]);
            hwBox box = {hwSub(place[i], half), hwAdd(place[i], half)};
            hwBroadPhase_Move(broad, i, box, hwScale(2.0, velocity[i]));
        }
        hwBroadPhase_Update(broad, NULL);
    }
    double time = (GetWork() - start) / steps;
    hwDestroyBroadPhase(broad);
    free(place);
    free(velocity);
    return time;
}

// Peers, opened at run time so that the program does not depend on them ------------------------------------------------------

#ifdef HAS_CCD
typedef struct CcdBox {
    hwMat3 r;
    hwVec3 p, half;
} CcdBox;

static void Support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const CcdBox* box = object;
    hwVec3 d = hwMulTV(box->r, hwMakeVec3(direction->v[0], direction->v[1], direction->v[2]));
    hwVec3 h = box->half;
    hwVec3 x = hwMakeVec3(d.x < 0.0 ? -h.x : h.x, d.y < 0.0 ? -h.y : h.y, d.z < 0.0 ? -h.z : h.z);
    x = hwAdd(box->p, hwMulMV(box->r, x));
    out->v[0] = x.x, out->v[1] = x.y, out->v[2] = x.z;
}

static double TimeCcd(void) {
    void* library = dlopen("libccd.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return (double)NAN;
    int (*penetrate)(const void*, const void*, const ccd_t*, ccd_real_t*, ccd_vec3_t*, ccd_vec3_t*) = NULL;
    void (*firstDirection)(const void*, const void*, ccd_vec3_t*) = NULL;
    *(void**)&penetrate = dlsym(library, "ccdGJKPenetration");
    *(void**)&firstDirection = dlsym(library, "ccdFirstDirDefault");
    double best = (double)NAN;
    if (penetrate != NULL && firstDirection != NULL) {
        ccd_t ccd = {0};
        ccd.first_dir = firstDirection;
        ccd.support1 = ccd.support2 = Support;
        ccd.max_iterations = 100;
        ccd.epa_tolerance = 1e-6;
        ccd.mpr_tolerance = 1e-6;
        ccd.dist_tolerance = 1e-6;
        best = HUGE_VAL;
        for (int round = 0; round < 3; ++round) {
            double start = GetWork();
            for (int i = 0; i < PATHS * FRAMES; ++i) {
                CcdBox a = {hwMat3FromQuat(placesA[i].q), placesA[i].p, hwScale(0.5, sizes[0])};
                CcdBox b = {hwMat3FromQuat(placesB[i].q), placesB[i].p, hwScale(0.5, sizes[1])};
                ccd_real_t depth = 0.0;
                ccd_vec3_t direction, position;
                if (penetrate(&a, &b, &ccd, &depth, &direction, &position) == 0) sink += (double)depth;
            }
            best = fmin(best, GetWork() - start);
        }
        best /= PATHS * FRAMES;
    }
    dlclose(library);
    return best;
}
#else
static double TimeCcd(void) {
    return (double)NAN;
}
#endif

typedef struct OdeTimes {
    double boxes, capsule;
} OdeTimes;

#ifdef HAS_ODE
typedef struct Ode {
    int (*init)(unsigned int);
    void (*close)(void);
    dGeomID (*createBox)(dSpaceID, dReal, dReal, dReal);
    dGeomID (*createCapsule)(dSpaceID, dReal, dReal);
    dGeomID (*createMesh)(dSpaceID, dTriMeshDataID, dTriCallback*, dTriArrayCallback*, dTriRayCallback*);
    dTriMeshDataID (*createData)(void);
    void (*buildData)(dTriMeshDataID, const void*, int, int, const void*, int, int);
    void (*destroyData)(dTriMeshDataID);
    void (*destroy)(dGeomID);
    void (*setPosition)(dGeomID, dReal, dReal, dReal);
    void (*setQuaternion)(dGeomID, const dQuaternion);
    int (*collide)(dGeomID, dGeomID, int, dContactGeom*, int);
} Ode;

static bool OpenOde(Ode* ode) {
    void* library = dlopen("libode.so.8", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    const char* symbols[] = {"dInitODE2",
                             "dCloseODE",
                             "dCreateBox",
                             "dCreateCapsule",
                             "dCreateTriMesh",
                             "dGeomTriMeshDataCreate",
                             "dGeomTriMeshDataBuildDouble",
                             "dGeomTriMeshDataDestroy",
                             "dGeomDestroy",
                             "dGeomSetPosition",
                             "dGeomSetQuaternion",
                             "dCollide"};
    void** targets[] = {(void**)&ode->init,          (void**)&ode->close,         (void**)&ode->createBox,
                        (void**)&ode->createCapsule, (void**)&ode->createMesh,    (void**)&ode->createData,
                        (void**)&ode->buildData,     (void**)&ode->destroyData,   (void**)&ode->destroy,
                        (void**)&ode->setPosition,   (void**)&ode->setQuaternion, (void**)&ode->collide};
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); ++i) {
        *targets[i] = dlsym(library, symbols[i]);
        if (*targets[i] == NULL) return false;
    }
    return ode->init(0) != 0;
}

static double TimeOdeBoxes(const Ode* ode) {
    dGeomID a = ode->createBox(NULL, sizes[0].x, sizes[0].y, sizes[0].z);
    dGeomID b = ode->createBox(NULL, sizes[1].x, sizes[1].y, sizes[1].z);
    double best = HUGE_VAL;
    for (int round = 0; round < ROUNDS; ++round) {
        double start = GetWork();
        for (int i = 0; i < PATHS * FRAMES; ++i) {
            const hwPose* pose[2] = {&placesA[i], &placesB[i]};
            const dGeomID geom[2] = {a, b};
            for (int k = 0; k < 2; ++k) {
                const dQuaternion q = {pose[k]->q.w, pose[k]->q.x, pose[k]->q.y, pose[k]->q.z};
                ode->setPosition(geom[k], pose[k]->p.x, pose[k]->p.y, pose[k]->p.z);
                ode->setQuaternion(geom[k], q);
            }
            dContactGeom contacts[8];
            sink += ode->collide(a, b, 8, contacts, sizeof(contacts[0]));
        }
        best = fmin(best, GetWork() - start);
    }
    ode->destroy(a);
    ode->destroy(b);
    return best / (PATHS * FRAMES);
}

static double TimeOdeCapsule(const Ode* ode, const Sheet* sheet) {
    double range = 0.45 * CELL * (sqrt(0.5 * sheet->triangleCount));
    dTriMeshDataID data = ode->createData();
    ode->buildData(data, sheet->vertices, sizeof(hwVec3), sheet->vertexCount, sheet->triangles,
                   3 * sheet->triangleCount, 3 * sizeof(int));
    dGeomID mesh = ode->createMesh(NULL, data, NULL, NULL, NULL),
            capsule = ode->createCapsule(NULL, 0.05, 0.5);
    double best = HUGE_VAL;
    for (int round = 0; round < 3; ++round) {
        uint64_t seed = 9;
        double start = GetWork();
        for (int i = 0; i < 20000; ++i) {
            hwVec3 p, q;
            PlaceCapsule(&seed, range, &p, &q);
            hwVec3 axis = hwNormalize(hwSub(q, p)), side = hwCross(hwMakeVec3(0.0, 0.0, 1.0), axis);
            double w = 1.0 + axis.z, n = sqrt(w * w + hwDot(side, side));
            const dQuaternion turn = {w / n, side.x / n, side.y / n, side.z / n};
            ode->setPosition(capsule, 0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z));
            ode->setQuaternion(capsule, turn);
            dContactGeom contacts[16];
            sink += ode->collide(capsule, mesh, 16, contacts, sizeof(contacts[0]));
        }
        best = fmin(best, GetWork() - start);
    }
    ode->destroy(capsule);
    ode->destroy(mesh);
    ode->destroyData(data);
    return best / 20000.0;
}

static OdeTimes TimeOde(const Sheet* sheet) {
    OdeTimes times = {(double)NAN, (double)NAN};
    Ode ode;
    if (!OpenOde(&ode)) return times;
    times.boxes = TimeOdeBoxes(&ode);
    times.capsule = TimeOdeCapsule(&ode, sheet);
    ode.close();
    return times;
}
#else
static OdeTimes TimeOde(const Sheet* sheet) {
    (void)sheet;
    OdeTimes times = {(double)NAN, (double)NAN};
    return times;
}
#endif

// By qhull, of every sixteenth place; from a point inside that our own overlap gives it.
static double TimeQhull(const hwConvex* a, const hwConvex* b) {
    double time = 0.0, worst = 0.0;
    int count = 0;
    for (int i = 0; i < PATHS * FRAMES; i += 16) {
        hwOverlap own;
        if (!hwConvex_FindOverlap(a, placesA[i], b, placesB[i], NULL, 0, &own) || !(own.volume > 1e-4))
            continue;
        const hwPose* poses[2] = {&placesA[i], &placesB[i]};
        double start = GetWork();
        hwPeerPlane planes[12];
        for (int k = 0; k < 12; ++k) {
            hwVec3 half = hwScale(0.5, sizes[k / 6]);
            const double reach[3] = {half.x, half.y, half.z};
            double sign = k % 2 == 0 ? 1.0 : -1.0;
            int axis = k % 6 / 2;
            hwVec3 n = hwRotate(poses[k / 6]->q, hwMakeVec3(axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0,
                                                            axis == 2 ? sign : 0.0));
            planes[k] = (hwPeerPlane){n, hwDot(n, poses[k / 6]->p) + reach[axis]};
        }
        double volume = hwPeer_FindVolume(12, planes, own.centroid);
        time += GetWork() - start;
        worst = fmax(worst, fabs(volume - own.volume));
        count += 1;
    }
    // a peer that found something else did something else
    return count > 0 && worst < 1e-9 ? time / count : (double)NAN;
}

static double TimeFcl(const Sheet* sheet, int cells) {
    enum { COUNT = 20000 };
    static hwVec3 axes[COUNT][2];
    uint64_t seed = 9;
    for (int i = 0; i < COUNT; ++i) PlaceCapsule(&seed, 0.45 * CELL * cells, &axes[i][0], &axes[i][1]);
    hwMeshData mesh = {sheet->vertexCount, sheet->vertices, sheet->triangleCount,
                       (const int(*)[3])sheet->triangles};
    return hwPeer_TimeCapsules(&mesh, COUNT, (const hwVec3(*)[2])axes, 0.05);
}

// Benchmarks -----------------------------------------------------------------------------------------------------------------

static void Queries(hwBenchContext* context) {
    static const int cells[3] = {22, 71, 224};
    Sheet sheets[3] = {{0}};
    hwMeshTree trees[3];
    memset(trees, 0, sizeof(trees));
    hwAllocator allocator = hwDefaultWorldDef().allocator;
    hwError error;
    bool good = true;
    for (int k = 0; k < 3 && good; ++k) {
        good = MakeSheet(&sheets[k], cells[k]);
        hwMeshData mesh = {sheets[k].vertexCount, sheets[k].vertices, sheets[k].triangleCount,
                           (const int(*)[3])sheets[k].triangles};
        good = good && hwMeshTree_Init(&trees[k], &allocator, &mesh, &error) == HW_OK;
    }
    hwBoxHull hulls[2];
    for (int k = 0; k < 2; ++k) hwBoxHull_Init(&hulls[k], hwScale(0.5, sizes[k]));
    hwConvex boxA = hwMakeBox(sizes[0]), boxB = hwMakeBox(sizes[1]);
    hwConvex hullA = hwMakeHull(&hulls[0].hull), hullB = hwMakeHull(&hulls[1].hull);
    MakePaths();
    OdeTimes ode = good ? TimeOde(&sheets[1]) : (OdeTimes){(double)NAN, (double)NAN};
    double ccd = TimeCcd();
    AddTime(context, "depth and normal of two boxes", TimeDepth(&boxA, &boxB, true), "ODE 0.16.2", ode.boxes,
            "the peer finds contact points too");
    AddTime(context, "depth and normal of two hulls of 6 faces, warm", TimeDepth(&hullA, &hullB, true),
            "libccd 2.1", ccd, "GJK and EPA, moving by a millimetre each time; the peer to 1e-6 only");
    AddTime(context, "depth and normal of two hulls of 6 faces, cold", TimeDepth(&hullA, &hullB, false),
            "libccd 2.1", ccd, NULL);
    AddTime(context, "volume, centroid and plane of two boxes", TimeOverlap(&boxA, &boxB), "qhull 2020.2",
            TimeQhull(&boxA, &boxB), "exact; the peer the volume only, the same within 1e-9 m3");
    AddTime(context, "volume, centroid and plane of two hulls", TimeOverlap(&hullA, &hullB), NULL,
            (double)NAN, "exact");
    for (int k = 0; k < 3 && good; ++k) {
        char name[80];
        snprintf(name, sizeof(name), "capsule against a mesh of %d triangles", sheets[k].triangleCount);
        AddTime(context, name, TimeCapsule(&trees[k], cells[k]), "ODE 0.16.2",
                k == 1 ? ode.capsule : (double)NAN, k == 1 ? "all triangles within the radius" : NULL);
    }
    if (good) {
        AddTime(context, "contacts of a capsule with that mesh of 10082 triangles",
                TimeCapsule(&trees[1], cells[1]), "FCL 0.7.0", TimeFcl(&sheets[1], cells[1]),
                "up to 16 contacts");
    }
    AddTime(context, "broad phase of 1,000 moving boxes, each step", TimeBroadPhase(1000, 1.0), NULL,
            (double)NAN, "boxes of 1 m at 1 m/s, 60 steps a second");
    for (int k = 0; k < 3; ++k) {
        hwMeshTree_Free(&trees[k], &allocator);
        FreeSheet(&sheets[k]);
    }
}

static bool AddBox(hwWorld* world, const char* name, hwVec3 at, hwError* error) {
    hwShapeDef shape = hwDefaultShapeDef();
    shape.kind = HW_SHAPE_BOX;
    shape.size = hwMakeVec3(1.0, 1.0, 1.0);
    hwBodyDef def = hwDefaultBodyDef();
    def.name = name;
    def.mass = 100.0;
    def.position = at;
    def.shapeCount = 1;
    def.shapes = &shape;
    return !HW_IS_NULL(hwWorld_AddBody(world, &def, error));
}

// Frames of 1/60 s of boxes on the ground, in stacks of ten.
static void TimeStacks(hwBenchContext* context, int stacks) {
    hwError error;
    hwWorldDef def = hwDefaultWorldDef();
    hwWorld* world = hwCreateWorld(&def, &error);
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.seabed.kind = HW_SEABED_PLANE;
    environment.seabed.stiffness = 1e8;
    environment.seabed.damping = 1e6;
    environment.seabed.friction = 0.5;
    bool good = world != NULL && hwWorld_SetEnvironment(world, &environment, &error) == HW_OK;
    for (int i = 0; i < 10 * stacks && good; ++i) {
        char name[24];
        snprintf(name, sizeof(name), "box%d", i);
        good = AddBox(world, name, hwMakeVec3(3.0 * (i / 10), 0.01 * (i % 2), 0.5 + i % 10), &error);
    }
    good = good && hwWorld_Prepare(world, &error) == HW_OK && hwWorld_Step(world, 2.0, &error) >= HW_OK;
    char name[64];
    snprintf(name, sizeof(name), "frame of %d boxes in stacks of ten", 10 * stacks);
    if (!good) {
        hwBench_AddError(context, name, &error);
    } else {
        double best = HUGE_VAL;
        for (int i = 0; i < 60 && good; ++i) {
            double start = GetWork();
            good = hwWorld_Step(world, 1.0 / 60.0, &error) >= HW_OK;
            best = fmin(best, GetWork() - start);
        }
        AddTime(context, name, best, NULL, (double)NAN,
                "at rest, implicit, friction and overlaps in every iteration");
    }
    hwDestroyWorld(world);
}

static void Stacks(hwBenchContext* context) {
    TimeStacks(context, 1);
    TimeStacks(context, 10);
}

const hwBench hwContactBenches[] = {
    {"contact-queries", "Depth, common volume, capsules on meshes, broad phase.", Queries},
    {"contact-stacks", "Boxes in stacks on the ground.", Stacks},
    {0},
};
