// Boxes that fall into a heap, beside MuJoCo (Todorov et al. 2012) and ODE where they are installed: the same boxes, turned the
// same way, from the same heights, on a plane.
#define _GNU_SOURCE
#include "bench/bench.h"
#include "bench/mujoco.h"
#include "bench/workers.h"
#include "hawser/hawser.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if __has_include(<ode/ode.h>)
#define HAS_ODE
#include <ode/ode.h>
#endif

#define LAYERS 5
#define SPACING 1.8 // m, between boxes of 1 m
#define LOWEST 1.2  // m
#define MASS 1000.0 // kg
#define FRICTION 0.5
#define FRAME (1.0 / 60.0)
#define PATIENCE 15.0     // s of CPU that a peer gets; what it has simulated until then counts
#define MUJOCO_STEP 0.002 // s, its default
#define ODE_STEP (1.0 / 240.0)

static double GetWork(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double Draw(uint64_t* seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1.0p-52 - 1.0;
}

static hwPose* PlaceBoxes(int count) {
    hwPose* poses = malloc((size_t)count * sizeof(hwPose));
    int layer = (count + LAYERS - 1) / LAYERS, side = (int)ceil(sqrt((double)layer));
    uint64_t seed = 11;
    for (int i = 0; i < count && poses != NULL; ++i) {
        int k = i % layer;
        poses[i].p = hwMakeVec3(SPACING * (k % side), SPACING * (double)(k / side),
                                LOWEST + SPACING * (double)(i / layer));
        poses[i].q = hwNormalizeQuat((hwQuat){Draw(&seed), Draw(&seed), Draw(&seed), Draw(&seed)});
    }
    return poses;
}

// What a run came to.
typedef struct Run {
    double seconds; // simulated; 0: not there
    double work;    // s of CPU
    double height;  // m, mean at the end: a peer that lets boxes sink or fly off did something else
} Run;

static double GetFactor(Run run) {
    return run.seconds > 0.0 ? run.seconds / run.work : (double)NAN;
}

// Hawser ---------------------------------------------------------------------------------------------------------------------

static hwWorld* MakeWorld(int count, const hwPose* poses, hwBenchWorkers* workers, bool sleep,
                          hwError* error) {
    hwWorldDef def = hwDefaultWorldDef();
    def.solver.sleep = sleep;
    if (workers != NULL) {
        def.runTasks = hwBenchWorkers_Run;
        def.tasksContext = workers;
    }
    hwWorld* world = hwCreateWorld(&def, error);
    if (world == NULL) return NULL;
    hwEnvironmentDef environment = hwDefaultEnvironmentDef();
    environment.water = false;
    environment.seabed.kind = HW_SEABED_PLANE;
    environment.seabed.stiffness = 2e7;
    environment.seabed.damping = 4e5;
    environment.seabed.friction = FRICTION;
    // The peers' contacts do not bounce, and MuJoCo's give way by some millimetres: here they give way by half a millimetre
    // under a box, with dashpots of 20 ms.
    hwMaterialDef dead = hwDefaultMaterialDef();
    dead.name = "dead";
    dead.young = 2e7;
    dead.damping = 0.02 * dead.young;
    dead.staticFriction = dead.kineticFriction = FRICTION;
    bool good = hwWorld_SetEnvironment(world, &environment, error) == HW_OK &&
                hwWorld_AddMaterial(world, &dead, error) == HW_OK;
    for (int i = 0; i < count && good; ++i) {
        hwShapeDef box = hwDefaultShapeDef();
        box.kind = HW_SHAPE_BOX;
        box.size = hwMakeVec3(1.0, 1.0, 1.0);
        box.material = "dead";
        hwBodyDef body = hwDefaultBodyDef();
        char name[16];
        snprintf(name, sizeof(name), "box%d", i);
        body.name = name;
        body.mass = MASS;
        body.shapeCount = 1;
        body.shapes = &box;
        body.position = poses[i].p;
        body.attitude = poses[i].q;
        good = !HW_IS_NULL(hwWorld_AddBody(world, &body, error));
    }
    if (good && hwWorld_Prepare(world, error) == HW_OK) return world;
    hwDestroyWorld(world);
    return NULL;
}

static double GetMeanHeight(const hwWorld* world, int count) {
    double gravity = hwDefaultEnvironmentDef().gravity;
    return hwWorld_GetEnergy(world).potential / (MASS * gravity * count);
}

static bool RunHawser(int count, const hwPose* poses, double seconds, hwBenchWorkers* workers, Run* run,
                      hwError* error) {
    hwWorld* world = MakeWorld(count, poses, workers, false, error);
    if (world == NULL) return false;
    double start = GetWork();
    bool good = true;
    int frames = (int)(seconds / FRAME + 0.5);
    for (int i = 0; i < frames && good; ++i) good = hwWorld_Step(world, FRAME, error) >= HW_OK;
    *run = (Run){seconds, GetWork() - start, GetMeanHeight(world, count)};
    hwDestroyWorld(world);
    return good;
}

// MuJoCo ---------------------------------------------------------------------------------------------------------------------

#ifdef HAS_MUJOCO
static Run RunMujoco(int count, const hwPose* poses, double seconds) {
    Run run = {0.0, 0.0, 0.0};
    hwMujoco m;
    size_t room = 4096 + 300 * (size_t)count;
    char* text = malloc(room);
    if (text == NULL || !hwMujoco_Open(&m)) {
        free(text);
        return run;
    }
    size_t used = (size_t)snprintf(text, room,
                                   "<mujoco><size njmax=\"%d\" nconmax=\"%d\"/><option timestep=\"%g\"/>"
                                   "<worldbody><geom type=\"plane\" size=\"500 500 1\" friction=\"%g\"/>",
                                   40 * count, 10 * count, MUJOCO_STEP, FRICTION);
    for (int i = 0; i < count; ++i) {
        used += (size_t)snprintf(text + used, room - used,
                                 "<body pos=\"%.9g %.9g %.9g\" quat=\"%.9g %.9g %.9g %.9g\"><freejoint/>"
                                 "<geom type=\"box\" size=\".5 .5 .5\" mass=\"%g\" friction=\"%g\"/></body>",
                                 poses[i].p.x, poses[i].p.y, poses[i].p.z, poses[i].q.w, poses[i].q.x,
                                 poses[i].q.y, poses[i].q.z, MASS, FRICTION);
    }
    used += (size_t)snprintf(text + used, room - used, "</worldbody></mujoco>");
    mjModel* model = hwMujoco_Load(&m, text, (int)used);
    free(text);
    mjData* data = model != NULL ? m.makeData(model) : NULL;
    if (data != NULL) {
        double start = GetWork();
        for (; run.seconds < seconds && run.work < PATIENCE; run.work = GetWork() - start) {
            m.step1(model, data);
            m.step2(model, data);
            run.seconds += MUJOCO_STEP;
        }
        for (int i = 0; i < count; ++i) run.height += data->qpos[7 * i + 2] / count;
        m.deleteData(data);
    }
    if (model != NULL) m.deleteModel(model);
    return run;
}
#else
static Run RunMujoco(int count, const hwPose* poses, double seconds) {
    (void)count, (void)poses, (void)seconds;
    return (Run){0.0, 0.0, 0.0};
}
#endif

// ODE ------------------------------------------------------------------------------------------------------------------------

#ifdef HAS_ODE
typedef struct Ode {
    int (*init)(unsigned int);
    void (*close)(void);
    dWorldID (*createWorld)(void);
    void (*destroyWorld)(dWorldID);
    void (*setGravity)(dWorldID, dReal, dReal, dReal);
    int (*step)(dWorldID, dReal);
    dSpaceID (*createSpace)(dSpaceID);
    void (*destroySpace)(dSpaceID);
    void (*collideSpace)(dSpaceID, void*, dNearCallback*);
    dJointGroupID (*createGroup)(int);
    void (*emptyGroup)(dJointGroupID);
    void (*destroyGroup)(dJointGroupID);
    dBodyID (*createBody)(dWorldID);
    void (*setMassBox)(dMass*, dReal, dReal, dReal, dReal);
    void (*setMass)(dBodyID, const dMass*);
    void (*setPosition)(dBodyID, dReal, dReal, dReal);
    void (*setQuaternion)(dBodyID, const dQuaternion);
    const dReal* (*getPosition)(dBodyID);
    dGeomID (*createBox)(dSpaceID, dReal, dReal, dReal);
    dGeomID (*createPlane)(dSpaceID, dReal, dReal, dReal, dReal);
    void (*setBody)(dGeomID, dBodyID);
    dBodyID (*getBody)(dGeomID);
    int (*collide)(dGeomID, dGeomID, int, dContactGeom*, int);
    dJointID (*createContact)(dWorldID, dJointGroupID, const dContact*);
    void (*attach)(dJointID, dBodyID, dBodyID);
} Ode;

static bool OpenOde(Ode* ode) {
    void* library = dlopen("libode.so.8", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    const struct {
        const char* symbol;
        void** target;
    } calls[] = {{"dInitODE2", (void**)&ode->init},
                 {"dCloseODE", (void**)&ode->close},
                 {"dWorldCreate", (void**)&ode->createWorld},
                 {"dWorldDestroy", (void**)&ode->destroyWorld},
                 {"dWorldSetGravity", (void**)&ode->setGravity},
                 {"dWorldQuickStep", (void**)&ode->step},
                 {"dHashSpaceCreate", (void**)&ode->createSpace},
                 {"dSpaceDestroy", (void**)&ode->destroySpace},
                 {"dSpaceCollide", (void**)&ode->collideSpace},
                 {"dJointGroupCreate", (void**)&ode->createGroup},
                 {"dJointGroupEmpty", (void**)&ode->emptyGroup},
                 {"dJointGroupDestroy", (void**)&ode->destroyGroup},
                 {"dBodyCreate", (void**)&ode->createBody},
                 {"dMassSetBoxTotal", (void**)&ode->setMassBox},
                 {"dBodySetMass", (void**)&ode->setMass},
                 {"dBodySetPosition", (void**)&ode->setPosition},
                 {"dBodySetQuaternion", (void**)&ode->setQuaternion},
                 {"dBodyGetPosition", (void**)&ode->getPosition},
                 {"dCreateBox", (void**)&ode->createBox},
                 {"dCreatePlane", (void**)&ode->createPlane},
                 {"dGeomSetBody", (void**)&ode->setBody},
                 {"dGeomGetBody", (void**)&ode->getBody},
                 {"dCollide", (void**)&ode->collide},
                 {"dJointCreateContact", (void**)&ode->createContact},
                 {"dJointAttach", (void**)&ode->attach}};
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); ++i) {
        *calls[i].target = dlsym(library, calls[i].symbol);
        if (*calls[i].target == NULL) return false;
    }
    return ode->init(0) != 0;
}

typedef struct OdeScene {
    Ode ode;
    dWorldID world;
    dJointGroupID contacts;
} OdeScene;

static void Touch(void* context, dGeomID a, dGeomID b) {
    OdeScene* scene = context;
    const Ode* ode = &scene->ode;
    dContact contacts[8];
    int count = ode->collide(a, b, 8, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
        contacts[i].surface.mode = dContactApprox1;
        contacts[i].surface.mu = FRICTION;
        ode->attach(ode->createContact(scene->world, scene->contacts, &contacts[i]), ode->getBody(a),
                    ode->getBody(b));
    }
}

static Run RunOde(int count, const hwPose* poses, double seconds) {
    Run run = {0.0, 0.0, 0.0};
    OdeScene scene;
    dBodyID* bodies = malloc((size_t)count * sizeof(dBodyID));
    if (bodies == NULL || !OpenOde(&scene.ode)) {
        free(bodies);
        return run;
    }
    const Ode* ode = &scene.ode;
    scene.world = ode->createWorld();
    scene.contacts = ode->createGroup(0);
    dSpaceID space = ode->createSpace(NULL);
    ode->setGravity(scene.world, 0.0, 0.0, -9.81);
    ode->createPlane(space, 0.0, 0.0, 1.0, 0.0);
    for (int i = 0; i < count; ++i) {
        dMass mass;
        const dQuaternion q = {poses[i].q.w, poses[i].q.x, poses[i].q.y, poses[i].q.z};
        ode->setMassBox(&mass, MASS, 1.0, 1.0, 1.0);
        bodies[i] = ode->createBody(scene.world);
        ode->setMass(bodies[i], &mass);
        ode->setPosition(bodies[i], poses[i].p.x, poses[i].p.y, poses[i].p.z);
        ode->setQuaternion(bodies[i], q);
        ode->setBody(ode->createBox(space, 1.0, 1.0, 1.0), bodies[i]);
    }
    double start = GetWork();
    for (; run.seconds < seconds && run.work < PATIENCE; run.work = GetWork() - start) {
        ode->collideSpace(space, &scene, Touch);
        ode->step(scene.world, ODE_STEP);
        ode->emptyGroup(scene.contacts);
        run.seconds += ODE_STEP;
    }
    for (int i = 0; i < count; ++i) run.height += ode->getPosition(bodies[i])[2] / count;
    ode->destroyGroup(scene.contacts);
    ode->destroySpace(space);
    ode->destroyWorld(scene.world);
    ode->close();
    free(bodies);
    return run;
}
#else
static Run RunOde(int count, const hwPose* poses, double seconds) {
    (void)count, (void)poses, (void)seconds;
    return (Run){0.0, 0.0, 0.0};
}
#endif

// Rows -----------------------------------------------------------------------------------------------------------------------

static void AddFactor(hwBenchContext* context, int count, double seconds, Run own, const char* peer,
                      Run other, const char* method) {
    char name[80], note[160];
    snprintf(name, sizeof(name), "%d boxes fall into a heap, %g s", count, seconds);
    hwBenchRow row = hwDefaultBenchRow();
    row.name = name;
    row.value = GetFactor(own);
    row.unit = "times real time";
    row.moreIsBetter = true;
    row.note = peer != NULL ? "one thread; the peer is not there, or has no memory for it" : "one thread";
    if (other.seconds > 0.0) {
        row.peer = peer;
        row.peerValue = GetFactor(other);
        snprintf(note, sizeof(note),
                 "one thread; the peer with %s, its first %.2f s; mean heights %.2f and %.2f m", method,
                 other.seconds, own.height, other.height);
        row.note = note;
    }
    hwBench_AddRow(context, &row);
}

static void TimeHeap(hwBenchContext* context, int count, double seconds, bool peers) {
    hwPose* poses = PlaceBoxes(count);
    hwError error;
    Run own;
    if (poses == NULL) return;
    if (!RunHawser(count, poses, seconds, NULL, &own, &error)) {
        hwBench_AddError(context, "boxes fall into a heap", &error);
    } else {
        Run none = {0.0, 0.0, 0.0};
        AddFactor(context, count, seconds, own, "MuJoCo 2.2.2",
                  peers ? RunMujoco(count, poses, seconds) : none, "steps of 2 ms");
        if (peers)
            AddFactor(context, count, seconds, own, "ODE 0.16.2", RunOde(count, poses, seconds),
                      "QuickStep of 1/240 s");
    }
    free(poses);
}

static void TimeThreads(hwBenchContext* context, int count, double seconds) {
    hwPose* poses = PlaceBoxes(count);
    hwBenchWorkers workers = {0};
    hwError error;
    Run run;
    char name[80], note[120];
    snprintf(name, sizeof(name), "%d boxes fall into a heap: two threads", count);
    if (poses != NULL && RunHawser(count, poses, seconds, &workers, &run, &error)) {
        hwBenchRow row = hwDefaultBenchRow();
        row.name = name;
        row.value = hwBenchWorkers_GetGain(&workers, run.work);
        row.unit = "1";
        row.moreIsBetter = true;
        snprintf(note, sizeof(note),
                 "%.0f %% of the cost in loops; pieces timed one by one and dealt to two workers",
                 100.0 * workers.all / run.work);
        row.note = note;
        hwBench_AddRow(context, &row);
    } else if (poses != NULL) {
        hwBench_AddError(context, name, &error);
    }
    free(poses);
}

static void Heaps(hwBenchContext* context) {
    TimeHeap(context, 100, 5.0, true);
    TimeHeap(context, 1000, 2.0, true);
    TimeThreads(context, 1000, 1.2);
}

static bool StepFrames(hwWorld* world, int frames, double* work, hwError* error) {
    double start = GetWork();
    bool good = true;
    for (int i = 0; i < frames && good; ++i) good = hwWorld_Step(world, FRAME, error) >= HW_OK;
    *work = GetWork() - start;
    return good;
}

// What boxes that lie still in a heap cost, asleep and then awake.
static void Sleep(hwBenchContext* context) {
    const int count = 100;
    const char* name = "100 boxes that lie still in a heap: asleep";
    hwPose* poses = PlaceBoxes(count);
    hwError error;
    hwWorld* world = poses != NULL ? MakeWorld(count, poses, NULL, true, &error) : NULL;
    double fallen, asleep, awake;
    int sleepers = 0;
    bool good = world != NULL && StepFrames(world, 1800, &fallen, &error);
    for (int i = 0; i < count && good; ++i) {
        char box[16];
        snprintf(box, sizeof(box), "box%d", i);
        sleepers += !hwBody_IsAwake(world, hwWorld_FindBody(world, box));
    }
    const hwSolverDef none = {0};
    good = good && StepFrames(world, 300, &asleep, &error) &&
           hwWorld_SetSolver(world, &none, &error) == HW_OK && StepFrames(world, 300, &awake, &error);
    if (good) {
        char note[80];
        snprintf(note, sizeof(note), "of the cost awake; %d asleep after 30 s", sleepers);
        hwBenchRow row = hwDefaultBenchRow();
        row.name = name;
        row.value = asleep / awake;
        row.unit = "1";
        row.note = note;
        hwBench_AddRow(context, &row);
    } else if (poses != NULL) {
        hwBench_AddError(context, name, &error);
    }
    hwDestroyWorld(world);
    free(poses);
}

// The same stretch of the fall, in which all boxes come to touch: what a box costs.
static void Growth(hwBenchContext* context) {
    static const int counts[3] = {100, 1000, 10000};
    double first = 0.0;
    for (int k = 0; k < 3; ++k) {
        hwPose* poses = PlaceBoxes(counts[k]);
        hwError error;
        Run run;
        char name[80], note[80];
        snprintf(name, sizeof(name), "a box and second, %d boxes in a heap", counts[k]);
        if (poses == NULL || !RunHawser(counts[k], poses, 1.2, NULL, &run, &error)) {
            hwBench_AddError(context, name, &error);
        } else {
            double each = run.work / (run.seconds * counts[k]);
            if (k == 0) first = each;
            hwBenchRow row = hwDefaultBenchRow();
            row.name = name;
            row.value = 1e3 * each;
            row.unit = "ms";
            snprintf(note, sizeof(note), "the first 1.2 s; %.2f of that with 100", each / first);
            row.note = note;
            hwBench_AddRow(context, &row);
        }
        free(poses);
    }
}

const hwBench hwHeapBenches[] = {
    {"heaps", "Boxes that fall into a heap.", Heaps},
    {"heap-growth", "What a box in a heap costs, with 100 to 10,000 of them.", Growth},
    {"heap-sleep", "Boxes that lie still in a heap, asleep and awake.", Sleep},
    {0},
};
