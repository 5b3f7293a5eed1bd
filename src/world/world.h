// The inside of a world: objects as given, the model compiled from them, the state, and the work arrays of a step. Each
// part of a world (src/parts) keeps its own slice of model, state and work behind a pointer to a type that only its own
// header completes; what parts exchange is here (links), in cable_slots.h and in contact_rules.h.
#ifndef HW_WORLD_WORLD_H
#define HW_WORLD_WORLD_H

#include "api/profile.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "control/signal_data.h"
#include "env/environment.h"
#include "geom/solid.h"
#include "hawser/hawser.h"
#include "math/gmres.h"
#include "mech/coupling.h"
#include "mech/forest.h"
#include "mech/free_motion.h"

#define HW_WORLD_COOKIE 0x48570001
#define HW_BODY_COOKIE 0x48570002
#define HW_ENVIRONMENT_COOKIE 0x48570004
#define HW_LINK_COOKIE 0x48570006
#define HW_MECHANISM_COOKIE 0x48570007

// Objects as given -----------------------------------------------------------------------------------------------

// What makes a body a link of a mechanism.
typedef struct hwJointObject {
    hwLinkDef def;    // without its body; pointers lead into the body's block
    hwBodyId parent;  // null: the earth
    hwPlacement tree; // of the joint in the parent's frame
    hwVec3 axis;      // unit, in joint axes
} hwJointObject;

// A body as added: one allocation that also holds the copies of everything the def points to.
typedef struct hwBodyObject {
    hwBodyDef def; // pointers lead into this block
    hwSolid solid;
    hwBodyId id;
    hwMechanismId mechanism; // null: none
    hwJointObject* joint;    // null: a body by itself, or a mechanism's own base
    int link;                // in the model, -1 before Prepare
} hwBodyObject;

// What the body's own block holds at `inside`, to be changed.
static inline void* hwBodyObject_Own(hwBodyObject* body, const void* inside) {
    return (char*)body + ((const char*)inside - (const char*)body);
}

// A mechanism as added; its links are bodies.
typedef struct hwMechanismObject {
    const char* name;
    hwMechanismId id;
    hwBodyId base;     // what it stands on; null: the earth
    bool free;         // the base is its own
    hwPlacement place; // of the base on what it stands on
    hwToolDef tool;
    hwCapacityDef capacity;
    void* userData;
    int linkCount;
    hwBodyId* links; // [link] in the order of the def
} hwMechanismObject;

typedef struct hwEventObject {
    double time;
    bool onCable;
    hwEventDef def;        // of an input
    hwCableEventDef cable; // of a cable
    int input;             // resolved by Prepare
} hwEventObject;

// Two names of things that never touch.
typedef struct hwIgnoreObject {
    const char *a, *b;
} hwIgnoreObject;

// The model: constant between two Prepares -------------------------------------------------------------------------

// Data of a link beyond its mechanics.
typedef struct hwLinkInfo {
    hwBodyObject* body;
    double mass;
    hwVec3 com;
    bool active;           // it moves: forces on it matter
    double volume;         // m3, that it displaces
    hwVec3 buoyancyCenter; // m, link frame
} hwLinkInfo;

// A channel or an input, from a row of record/channels.h.
typedef struct hwChannelEntry {
    const char* name;
    const char* unit;
    double (*read)(const hwWorld* world, int object, int component);    // of a channel
    hwStatus (*check)(const char* input, double value, hwError* error); // of an input; null: none
    int component, object;                                              // for `read`
} hwChannelEntry;

// Open-addressed table from names to indices of a hwChannelEntry array.
typedef struct hwNameTable {
    int count;
    hwChannelEntry* entries;
    int slotCount; // a power of two
    int* slots;    // index + 1; 0 is free
} hwNameTable;

typedef struct hwModel {
    void* block;
    void* tableBlock;
    void* slices;     // of the parts, in model, state and work
    size_t sliceSize; // bytes
    int partCount;
    const struct hwPart* parts[32]; // that it has any of, in the order of a step, then null
    uint32_t partsWith[128];        // [member of hwPart] bit i: parts[i] has it, see HW_EACH_PART
    bool hasJoints;                 // some joint is driven, limited or braked, or may be
    int auditCount; // auxiliary variables whose rates only the energy audit needs: steps sum them up with their weights
    int* audited;        // [audit]
    bool bodiesTouch;    // some body may touch something
    bool mayPart;        // some cable has a strength
    bool cablesTouch;    // cables may touch bodies
    int pairCapacity;    // most pairs of links that cables and contacts couple
    double couplingRoom; // blocks reserved for them, in twice their number: for fill-in
    uint64_t layout;     // hash of sizes and names: states with the same one fit
    uint64_t signature;  // hash of all that is constant, see api/signature.h
    int auxiliaryCount;
    int coordinateCount; // of trees, then of cables' nodes, then of sheaves
    int freedomCount;    // likewise
    hwForest forest;
    hwLinkInfo* links;
    double mass; // kg, of all links that move and all cables
    bool sleeps; // bodies may fall asleep
    bool drives; // a prescribed body carries something that moves: its motion does work
    int eventCount;
    hwEventObject** events; // in order of time
    hwNameTable channels;
    hwNameTable inputs;
    // the parts' slices
    struct hwJointsModel* joints;
    struct hwToolsModel* tools;
    struct hwFeetModel* feet;
    struct hwVehiclesModel* vehicles;
    struct hwShipsModel* ships;
    struct hwFluidModel* fluid;
    struct hwFloatersModel* floaters;
    struct hwForcesModel* forces;
    struct hwCablesModel* cables;
    struct hwWinchesModel* winches;
    struct hwSheavesModel* sheaves;
    struct hwCableContactModel* cableContact;
    struct hwCablePairsModel* cablePairs;
    struct hwContactModel* contact;
    struct hwRulesModel* rules;
    struct hwEntanglementModel* entanglement;
    struct hwWrapsModel* wraps;
    struct hwInstrumentsModel* instruments;
} hwModel;

// Auxiliary variables z: first-order quantities that ride along with the motion, such as controllers' integrals. Their
// rates may depend on everything but other auxiliary variables, so that an implicit stage z = zBase + hd z'(q, v, z) can
// be solved where the variable is used. The first four are the energy audit.
typedef enum hwAuxiliary {
    HW_AUX_DISSIPATED, // J since Prepare
    HW_AUX_IMPACT, // J since Prepare, dissipated by contacts; in steps of realtime.c see hwWorld_SumDissipation
    HW_AUX_WORK,   // J since Prepare
    // J since Prepare, taken out by the steps of realtime.c; its rate is that of the stored energies, see method.c
    HW_AUX_METHOD,
    HW_AUX_FIRST_FREE
} hwAuxiliary;

// The state: one block ---------------------------------------------------------------------------------------------

// What a stage of the built-in solver does not carry on with the last acceleration in its first guess.
enum { HW_PLAIN_LINKS = 1, HW_PLAIN_NODES = 2 };

// Accelerations in a state: to be computed before the next step; those of the last stage; computed anew from the forces of the
// state as it is, where what is stiff and light has others than in a stage.
enum { HW_ACCELERATIONS_UNKNOWN = 0, HW_ACCELERATIONS_KNOWN = 1, HW_ACCELERATIONS_ANEW = 2 };

typedef struct hwStateHeader {
    uint64_t signature, layout; // of the model it belongs to
    uint64_t checkSum;          // of a saved state; 0 in the world's own
    double time;
    double nextStep;   // size the solver would like to take next; 0: unknown
    double failedStep; // size at which no solution was found lately, growing; 0: none
    uint64_t eventsDone;
    uint64_t accelerationValid; // HW_ACCELERATIONS_...
    uint64_t plainGuesses;      // HW_PLAIN_...: whose velocities the next stage starts from as they are
    double
        crowdRate; // in heaps, by which corrections of Newton's method usually become smaller; 0: not known
    double crowdFollowing;   // likewise of what follows other forces, see hwCrowd_SolveWhole
    double mechanicalEnergy; // J, kinetic and elastic energy
    double conserved;        // J, that and the potential one less the work done, which only falls
    double endPower;         // W, through the ends of cables, in and out
    double stored;           // J, energies of which the method's share is booked, see method.c
    double treeEnergy,
        treePower;    // J, W: kinetic energy of links in trees and its rate, see hwWorld_NoteTrees
    double treeDoubt; // one and this divide the tolerance, see TREE_GAINED
    uint64_t apart;   // the last advance was of islands, see islands.h
    uint64_t crawlAttempts,
        crawls;        // steps tried since crawlSince; the last many got on by almost nothing, see crawl.c
    double crawlSince; // s
    hwCounters counters;
} hwStateHeader;

// Bodies that are asleep, see sleep.c. Without arrays where the solver allows no sleep.
typedef struct hwSleepState {
    int32_t* island; // [link] one more than the first link of those with which it fell asleep; 0: awake
    double* rest;    // [link] s for which it has rested
    double* stilled; // [1] J, motion that was left
} hwSleepState;

typedef struct hwState {
    size_t size;
    size_t meshStart,
        meshSize; // where in the block the meshes of cables are, which winches change within a step
    char* block;
    hwStateHeader* header;
    double* q;      // [coordinate]
    double* v;      // [freedom]
    double* a;      // [freedom] d v / d t at the header's time
    double* z;      // [auxiliary]
    double* zdot;   // [auxiliary] at the header's time
    double* inputs; // [input]
    hwSleepState sleep;
    // the parts' slices
    struct hwForcesState* forces;
    struct hwFluidState* fluid;
    struct hwShipsState* ships;
    struct hwCablesState* cables;
    struct hwSheavesState* sheaves;
    struct hwCablePairsState* cablePairs;
    struct hwIncidentsState* incidents;
    struct hwContactState* contact;
    struct hwRulesState* rules;
    struct hwEntanglementState* entanglement;
    struct hwWrapsState* wraps;
    struct hwInstrumentsState* instruments;
} hwState;

// Work arrays: written anew by each evaluation -----------------------------------------------------------------------

// Powers that go into the energy audit, W.
typedef struct hwPowers {
    double dissipation;
    double work;
    double
        stored; // of potential energies of links in water, of their added mass that changes, of `springs`: see method.c
} hwPowers;

// What else than inertia a link adds to the implicit solver's matrix: damping and stiffness of some of these kinds.
enum {
    HW_TERMS_DIAGONAL = 1, // damping by axis, link axes
    HW_TERMS_LINK = 2,     // both, link axes
    HW_TERMS_WORLD = 4     // both, world axes
};

typedef struct hwLinkTerms {
    hwWide diagonalL, diagonalA;            // HW_TERMS_DIAGONAL
    hwSpatialSym damping, stiffness;        // HW_TERMS_LINK
    hwWideSym worldDamping, worldStiffness; // HW_TERMS_WORLD
    int kinds;
} hwLinkTerms;

// A body that spins, and how it would go on without forces; see realtime.c.
typedef struct hwSpin {
    int link;
    int from; // freedoms of a free joint that it does not have: 3 of a link on a ball joint, whose others follow at body.freedom
    hwLink body; // as it turns, about its centre of mass
    bool
        split; // it turns so far in a stage that its gyroscopic forces are those of its motion without forces
    hwFreeMotion start, middle, end; // of the sub-step: its beginning and its two stages
    hwImpetus given, rate, reached;  // at the start, its rate there, at the end of the first stage
    hwImpetus base;                  // of the stage in hand
} hwSpin;

// Why a step was not taken as it was meant, see crawl.c.
typedef enum hwStepTrouble { HW_STEP_GOOD, HW_STEP_UNSOLVED, HW_STEP_GAINED, HW_STEP_CUT } hwStepTrouble;

typedef struct hwCrawl {
    int troubles[4]; // of the steps tried lately, by hwStepTrouble
    int freedom;     // with which the last one failed
    int windows, tellAt;
} hwCrawl;

// Spatial quantities of links are in world axes about the link's origin unless said otherwise, see mech/forest.h.
typedef struct hwWork {
    void* block;
    size_t stepSize;  // bytes of the block that steps and reading write, and that samples put back
    size_t cacheSize; // of what follows: see layCaches of part.h; the rest is for statics
    hwForestWork forest;
    hwDrive* drives;    // [link]
    bool isCurrent;     // it was evaluated at the state's time; by hwWorld_Refresh
    uint64_t readStage; // not 0: it was solved at the state's time, and reading keeps its samples of waves,
    double readReuse;   // m, as far as this
    bool ownLinks;      // of an island: only these links are driven,
    int links[2];       // -1: none
    hwVec3* tow;        // [link] m/s, of the last statics
    bool pauses;        // of an island: no step begins from `pause` on
    double pause;       // s
    double stepFrom, stepTaken; // s, the last step that was accepted: its start and size
    bool stepAnew;              // it began with accelerations computed anew
    bool couplingsStale;        // attachments or contacts changed since the couplings were set
    hwStageTimer timer;
    hwCrawl crawl;
    uint64_t stages;                  // solved so far, see hwEvaluation.stage
    hwWideSpatial* wrench;            // [link] see mech/forest.h
    hwWideSym* inertia;               // [link] rigid plus added
    hwLinkTerms* terms;               // [link]
    hwWideSym* K;                     // [link] inertia + hd damping + hd^2 stiffness
    double* linkPotential;            // [link] J, of buoyancy
    double* linkSubmerged;            // [link]
    double* jointEffort;              // [freedom] of trees
    double* jointInertia;             // [freedom] of rotors, and what controllers imitate
    double* jointVirtual;             // [freedom] the imitated part
    double *jointDiagonal, *jointOff; // [freedom] inertia + hd damping + hd^2 stiffness
    double elastic;                   // J, of contacts, and of waves that bodies radiate
    double springs;                   // J, of joints, feet, grippers and sheaves; powers.stored has its rate
    hwPowers powers;                  // of all parts
    double impactPower;               // W, dissipated by contacts
    double impulseShare;  // J, of the method's damping in the last step: already in what contacts dissipate
    double* efforts;      // [freedom]
    int idleFrom, idleTo; // auxiliary variables of contacts that are not there, in a row: they hold zeros
    // Freedoms that go together in loops over all of them; empty unless there are cables. See hwLot.
    struct hwLot* lots;
    int lotCount;
    int freedomsInUse;    // behind these are rows of nodes only that do not exist: they hold zeros
    double* residual;     // [freedom]
    double* z;            // [auxiliary] at the evaluated point
    double* zdot;         // [auxiliary]
    hwLinkPair* pairs;    // [slot] links that cables and contacts couple
    hwWideSpatial* loads; // [link] wrench with what cables add
    // the parts' slices
    struct hwJointsWork* joints;
    struct hwFeetWork* feet;
    struct hwVehiclesWork* vehicles;
    struct hwShipsWork* ships;
    struct hwFluidWork* fluid;
    struct hwFloatersWork* floaters;
    struct hwForcesWork* forces;
    struct hwCablesWork* cables;
    struct hwSheavesWork* sheaves;
    struct hwCableContacts* cableContact;
    struct hwCablePairs* cablePairs;
    struct hwContactWork* contact;
    struct hwRulesWork* rules;
    struct hwEntanglementWork* entanglement;
    struct hwWrapsWork* wraps;
    // the stepper's
    char* backup;            // state before statics; header and meshes at the start of the sub-step
    double* q0;              // [coordinate]
    double *v0, *a0;         // [freedom] start of the sub-step
    double *v1, *a1, *d1;    // [freedom] first stage: velocity, acceleration, displacement
    double *v, *a, *d;       // [freedom] current iterate
    double *z0, *zBase;      // [auxiliary] start of the sub-step, base of the stage
    double* zdot0;           // [auxiliary] start of the sub-step
    double* zdot1;           // [auxiliary] first stage, only of what AuditCables gives
    double *step, *estimate; // [freedom]
    double* known;           // [freedom] right-hand side of a solve by GMRES
    bool crowded;            // this sub-step has a heap in it, see realtime.c
    int spinCount;           // of this sub-step
    hwSpin* spins;           // [link]
    uint8_t* lively;         // [link] something acts on it that may move it; where sleep is allowed
    uint8_t* borne;          // [link] it touches something fixed, likewise
    int* group;              // [link] a link of the same group, the first one of itself, likewise
    hwGmres gmres;           // of statics
    double* rates;           // [coordinate] scratch of hwSystem_Solve
    double* y;               // [coordinate + freedom] a plugged-in solver's point
    double gamma;            // of the last hwSystem_Factor
    double factorTime;       // s, likewise
    double* factorY;         // likewise
    bool factored;           // its factors are still there
} hwWork;

// Neighbouring nodes of one cable. Loops over nodes, and those over freedoms, are cut into lots, so that each thread has to do with the same
// nodes in all of them: what another one has written takes long to come. The freedoms of a lot go on to those of the next one.
typedef struct hwLot {
    int slot, from, to; // of the cable; nodes
    int freedom;        // the first; of the first lot 0
} hwLot;

// What stands still while a world is brought to rest; all false in a run.
typedef struct hwMode {
    bool calm;     // no waves, and no friction that has a direction by history
    bool settling; // cables do not touch links that move, and links that a controller holds are stiff
    bool touching; // of settling: cables touch each other, which they do not in the first search for rest
    bool held;     // signals, drives and winches stand still at heldTime while things fall into place
    bool swings;   // of calm: ends of cables go with the links that they are on, for small motions about rest
    bool towed;    // water and air flow past with the velocities of tows less, see tow.c
    double heldTime;
} hwMode;

extern const hwMode hwMode_running;

// What to evaluate: everything that an evaluation depends on besides the model and the state's inputs, meshes and contacts.
// Work comes out.
typedef struct hwEvaluation {
    double time;   // s
    double since;  // s, of it since the last step was finished: what fades within a step has faded by so much
    double *q, *v; // coordinates and velocities; rows of attached cable ends are written
    const double* zBase; // auxiliary variables are z = zBase + hd z'
    double hd;           // s; 0: z is given
    bool matrix;         // matrices of cables are assembled, for hwWorld_Factor,
    double step;         // s, with this implicit factor
    hwMode mode;
    uint64_t stage; // not 0: evaluations of one stage have the same number, and samples of waves serve in it
    double reuse;   // m, as far as this
    // Not 0: contacts were evaluated in this stage before. Where the bodies of one have since then changed their motion against
    // each other by less than this part of their velocities, its force may follow its matrices.
    double follow;
    // The last correction of this stage was given to `foresee`: forces with kinks are on the branch that it leads to.
    bool foreseen;
    // For solvers that plug in: with hd, too, auxiliary variables have the rates that they have without it, where otherwise they are cut
    // at a limit.
    bool relaxes;
} hwEvaluation;

// Reading results at times within steps, see sample.c.
#define HW_SPANS 32 // one for each part at most

// A piece of memory.
typedef struct hwSpan {
    void* start;
    size_t size;
} hwSpan;

typedef struct hwSampling {
    hwSamplerFn* sampler; // null: none
    void* context;
    double next, interval;  // s, time of the next sample, and since the one before
    char* kept;             // state, slices and work as they were before a sample
    size_t size;            // bytes of `kept`
    hwSpan spans[HW_SPANS]; // what parts have kept besides, in `kept` behind the work
    int spanCount;
} hwSampling;

struct hwWorld {
    hwWorldDef def;
    hwAllocator allocator;
    hwTeam* team;
    hwEnvironment* environment;
    hwPool bodies;      // hwBodyObject
    hwPool mechanisms;  // hwMechanismObject
    hwPool vehicles;    // hwVehicleObject
    hwPool forces;      // hwForceObject
    hwPool events;      // hwEventObject
    hwPool cables;      // hwCableObject
    hwPool winches;     // hwWinchObject
    hwPool sheaves;     // hwSheaveObject
    hwPool cableForces; // hwCableForceObject
    hwPool materials;   // hwMaterialDef, its name behind it
    hwPool ignored;     // hwIgnoreObject
    hwPool watched;     // likewise
    hwPool sensors;     // hwSensorObject
    hwPool watches;     // hwWatchObject
    hwPool instruments; // hwInstrumentObject
    hwContactDef contact;
    bool prepared;
    hwModel model;
    hwState state;
    hwWork* work; // behind a pointer: evaluating changes it, and never the world
    hwSolver external;
    struct hwIslands* islands;         // what is stepped apart, or null
    struct hwCableEvents* cableEvents; // of an island: where its events go; null: to the log
    struct hwQueryScene* queries;      // what queries see, or null
    struct hwEventLog* eventLog;       // events of a step, or null
    hwObserverFn* observer;
    void* observerContext;
    hwCableObserverFn* cableObserver;
    void* cableObserverContext;
    hwSampling sampling;
    double couplingRoom; // see hwModel, as much as was needed so far
};

// api/query_scene.c
void hwWorld_DropQueries(hwWorld* world);

// world.c
hwBodyObject* hwWorld_GetBody(const hwWorld* world, hwBodyId id);
hwStatus hwWorld_RequirePrepared(const hwWorld* world, hwError* error);
// A sensor of this name, see parts/sensors.
bool hwWorld_HasSensor(const hwWorld* world, const char* name);
void hwWorld_Unprepare(hwWorld* world);
void hwWorld_Log(const hwWorld* world, hwLogLevel level, const char* format, ...) HW_PRINTF(3, 4);
// A name may be used when nothing else has it and it is made of letters, digits, _ and -.
hwStatus hwWorld_CheckName(const hwWorld* world, const char* name, hwError* error);
// Tells everyone that the state was changed from outside.
void hwWorld_StateChanged(hwWorld* world);

// Refuses to remove a body on which something else depends, such as the end of a cable.
hwStatus hwWorld_CheckDropBody(const hwWorld* world, hwBodyId body, hwError* error);
// What belongs to a body that goes: forces on it, its vehicle.
void hwWorld_DropBody(hwWorld* world, hwBodyId id);

// parts/bodies
// Adds a body, or a link of a mechanism when `joint` is given; the name has been checked. A null id on failure.
hwBodyId hwWorld_AddObject(hwWorld* world, const hwBodyDef* def, const hwJointObject* joint,
                           hwMechanismId mechanism, hwError* error);
void hwBody_ReadMotion(const hwWorld* world, int link, hwBodyState* out);
hwStatus hwBody_CheckHydro(const hwBodyDef* def, hwError* error);
// Place, velocity and rate of what a mechanism's links stand on; accelerations are left out.
hwBodyState hwWorld_GetBaseMotion(const hwWorld* world, const hwMechanismObject* object);

// parts/ships: what a body's def says about its response to waves, and its motion by hand.
hwStatus hwCheckResponse(const hwBodyDef* def, hwError* error);
hwRaoDef hwCopyRao(hwArena* arena, const hwRaoDef* rao);
void hwWorld_SetManualMotion(hwWorld* world, int link, const hwBodyState* state);

// parts/forces: what calls apply to a link, in world axes about its origin.
typedef struct hwLinkForces {
    hwSpatial wrench;
    hwSpatialSym impedance;
} hwLinkForces;
hwLinkForces hwWorld_GetLinkForces(const hwWorld* world, int link);
void hwWorld_SetLinkForces(hwWorld* world, int link, hwLinkForces forces);

// parts/fluid: the environment at `count` points, with the extra flow of the inputs; in calm water in that mode.
void hwWorld_SampleEnvironment(const hwWorld* world, const hwMode* mode, int count, const hwVec3* points,
                               double time, hwFluidSample* samples);
// The same with cells, see hwEnvironment_SampleCells.
void hwWorld_SampleCells(const hwWorld* world, const hwMode* mode, int count, const hwVec3* points,
                         double time, hwWaveCell* cells, bool same, hwFluidSample* samples);
// Adds to samples of the environment itself what the inputs and the lee of obstacles make of the flow.
void hwWorld_FinishSamples(const hwWorld* world, int count, const hwVec3* points, double time,
                           hwFluidSample* samples);
// The water around a link at its buoyancy centre, under the surface; false: none was sampled.
bool hwWorld_GetWater(const hwWorld* world, int link, hwFluidSample* sample);

// prepare.c
hwStatus hwWorld_Compile(hwWorld* world, hwError* error);
// The same for a world that runs, whose objects were changed: it goes on as it was. When it cannot be compiled the world stays.
hwStatus hwWorld_CompileAgain(hwWorld* world, hwError* error);
void hwModel_Free(hwWorld* world);
// The link of a body, -1: it has none.
int hwModel_FindLink(const hwModel* model, const hwBodyObject* body);
// Whether a link (-1: the earth) never moves: fixed, or without a joint on what is fixed.
bool hwModel_IsStill(const hwModel* model, int link);
// Numbers `count` auxiliary variables, -1 when they are not needed.
int hwModel_TakeAuxiliary(hwModel* model, bool needed, int count);

// state.c
void hwState_Lay(const hwModel* model, hwArena* arena, hwState* state);

// step.c: the pipeline, see there
void hwWorld_ComputeLinkMotion(const hwWorld* world, const hwMode* mode, double time, const double* q,
                               const double* v);
hwStatus hwWorld_PlanContacts(const hwWorld* world, const hwMode* mode, double* step, hwError* error);
void hwWorld_FindContacts(const hwWorld* world, const hwMode* mode, double ahead, bool lacking);
void hwWorld_Evaluate(const hwWorld* world, const hwEvaluation* evaluation);
// efforts applied minus efforts needed for the accelerations a: zero on the true motion.
void hwWorld_ComputeResidual(const hwWorld* world, const double* a, double* residual);
// Factors M + hd D + hd^2 K of the last evaluation. `b`: the right-hand side that is solved for next, so that some of that may
// be done on the way; null: not known.
hwStatus hwWorld_Factor(const hwWorld* world, double hd, const double* b, hwError* error);
void hwWorld_SolveFactored(const hwWorld* world, const double* b, double* x);
// The same without what borders the matrix, with work->loads on the links.
void hwWorld_SolveInside(const hwWorld* world, const double* b, double* x);
// Accelerations at the state's time, if they are not known.
hwStatus hwWorld_UpdateAccelerations(const hwWorld* world, const hwMode* mode, hwError* error);
// Whether the velocities are those of anything that still works.
hwStatus hwWorld_CheckMotion(const hwWorld* world, const double* v, hwError* error);
// After an accepted step: what it changes for the next one.
hwStatus hwWorld_FinishStep(hwWorld* world, const hwMode* mode, double step, hwError* error);

// Whether anything but trees of links moves: cables and what runs over sheaves.
static inline bool hwModel_HasCables(const hwModel* model) {
    return model->freedomCount > model->forest.freedomCount;
}
// q = q0 (+) delta, the rates of q, and the displacement that a small change of q amounts to, for all freedoms.
void hwWorld_Displace(const hwWorld* world, const double* q0, const double* delta, double* q);
// From work->q0 to state.q, for the freedoms in use, and the bytes of the coordinates that go with these.
void hwWorld_DisplaceState(const hwWorld* world, const double* delta);
size_t hwWorld_GetCoordinateBytes(const hwWorld* world);
// Auxiliary variables from one array to another; those that are idle are left as they are, zeros.
void hwWorld_CopyAuxiliaries(const hwWorld* world, const double* from, double* to);
void hwWorld_ComputeRates(const hwWorld* world, const double* q, const double* v, double* qdot);
void hwWorld_TangentOf(const hwWorld* world, const double* q, const double* dq, double* tangent);

// dynamics.c
hwStatus hwWorld_FailFactor(const hwWorld* world, int link, hwError* error);
// Adds a wrench (world axes, about the origin) to a link and its power to the work done.
void hwWorld_AddWrench(const hwWorld* world, int link, hwWideSpatial wrench);
// The link's world-axis damping and stiffness, zeroed by the first call of an evaluation.
hwLinkTerms* hwWorld_GetWorldTerms(const hwWorld* world, int link);
// K += damping * D + stiffness * S of link i
void hwWork_AddTerms(const hwWork* work, int i, double damping, double stiffness, hwWideSym* K);
// Adds T^T B T to a link's block: B (3 x 3 or 6 x 6) at the arm from its origin.
void hwWorld_AddLinkBlock(hwWideSym* K, int size, double (*block)[6], hwVec3 arm);
// m += factor b
void hwWideSym_AddScaled(hwWideSym* m, double factor, const hwWideSym* b);
// Adds the work that shows only with the accelerations, after hwWorld_ComputeResidual.
void hwWorld_AddReactionWork(const hwWorld* world, const double* a, const double* v, double hd);
// Accelerations of the last evaluation without implicit terms.
hwStatus hwWorld_SolveForward(const hwWorld* world, const double* v, double* a, hwError* error);
// y = M x, y = K x with those of the last evaluation.
void hwWorld_MultiplyMass(const hwWorld* world, const double* x, double* y);
void hwWorld_MultiplyStiffness(const hwWorld* world, const double* x, double* y);
// results.c
// Makes the work arrays agree with the state before reading results.
void hwWorld_Refresh(const hwWorld* world);
// Energies of the evaluation before; those of the audit are the state's.
struct hwEnergySum hwWorld_SumEnergy(const hwWorld* world);
// Puts them into the header; returns the energy of contacts that are found anew for each step.
double hwWorld_NoteEnergy(const hwWorld* world);
// method.c: whether the kinetic and potential energy of a link are among those whose share of the method is booked; the rate, W, at
// which those of all parts change at the evaluated point; and what the step of h just taken has damped of them.
bool hwLink_IsBooked(const hwWorld* world, int link);
double hwWorld_RateStored(const hwWorld* world, const double* v, const double* a);
void hwWorld_BookMethod(const hwWorld* world, double h, double before);
// Kinetic energy of links in trees, without what the water adds and without bodies of one link, whose spin is exact (spins.c), and
// its rate; of the evaluated point, accelerations included. hwWorld_NoteTrees puts them into the header; returns how much more there is
// than the rates explain since the numbers given, of all of it; 0 where nothing turns.
double hwWorld_RateTrees(const hwWorld* world, double* energy);
double hwWorld_NoteTrees(hwWorld* world, double h, double energy, double power, double middle);

// sample.c
// The size of what samples keep may have changed: memory for it, before the first step.
hwStatus hwWorld_ReserveSampling(hwWorld* world, hwError* error);
void hwWorld_FreeSampling(hwWorld* world);
// Whether a sample is due before a time that the world is to reach.
static inline bool hwWorld_HasSampleBefore(const hwWorld* world, double time) {
    return world->sampling.sampler != NULL && world->sampling.next < time;
}
// Puts state and work away, and back again.
void hwWorld_KeepForSamples(hwWorld* world);
void hwWorld_RestoreFromSample(hwWorld* world);
// Has the sampler read the world as it is.
void hwWorld_Sample(hwWorld* world);
// Samples due at the state's time, or within HW_SAMPLE_SLACK of the last step from it.
#define HW_SAMPLE_SLACK 1e-6
void hwWorld_SampleNow(hwWorld* world);
// The same when the world cannot go on: also what is due within HW_SAMPLE_SLACK of the time between samples.
void hwWorld_SampleLast(hwWorld* world);

// fault.c
struct hwFreedomName hwWorld_NameFreedom(const hwWorld* world, int freedom);
// An error that names what the force acts on where a value of `values` [freedom] is not finite: accelerations or residuals of
// the last evaluation.
hwStatus hwWorld_CheckForces(const hwWorld* world, const double* values, double time, hwError* error);
// Whether the caller's `stop` says to stop, and the error for it; `settling`: in the search for static equilibrium.
bool hwWorld_IsStopped(const hwWorld* world);
hwStatus hwWorld_FailStopped(const hwWorld* world, bool settling, hwError* error);

// realtime.c
#define HW_SLOWEST 1e-3 // m/s and rad/s: slower motion is not resolved in relative terms
hwStatus hwRealtime_Advance(hwWorld* world, const hwMode* mode, double end, hwError* error);
// Brings a world that was put away (hwWorld_KeepForSamples) from the end of its last step to a time within it.
void hwRealtime_MoveInside(hwWorld* world, double time);

// sleep.c: before and after each step of the built-in solver, of h, s.
void hwSleep_Lay(const hwModel* model, hwArena* arena, hwSleepState* sleep);
void hwSleep_LayWork(const hwModel* model, hwArena* arena, hwWork* work);
void hwSleep_Begin(hwWorld* world);
void hwSleep_Finish(hwWorld* world, double h);
void hwSleep_Wake(const hwWorld* world, int link);
// Zeroes the rows of what is asleep.
void hwSleep_ClearRows(const hwWorld* world, double* x);
void hwSleep_WakeAll(const hwWorld* world);
// Groups of links: the first of one's own, and two that become one.
int hwSleep_FindGroup(int* group, int link);
void hwSleep_Join(int* group, int a, int b);
// Logs what keeps all awake where sleep is allowed but not possible.
void hwSleep_Tell(const hwWorld* world);
static inline bool hwState_IsAsleep(const hwState* state, int link) {
    return state->sleep.island != NULL && state->sleep.island[link] != 0;
}

// How short errors alone make steps.
typedef struct hwPace {
    double usual, shortest; // s, without spins and with them
    int spin;               // the link whose spin makes them shorter than usual, -1: none
    double rate;            // rad/s, of the fastest spin
} hwPace;

// crawl.c: after each step that was tried.
hwStatus hwCrawl_Note(hwWorld* world, hwStepTrouble trouble, const hwPace* pace, hwError* error);
// After a step that its error refuses: keeps where that is largest.
void hwCrawl_NoteError(hwWorld* world);

// statics.c
#define HW_INSTANT 1e-9 // s, ahead: contacts of what lies within a radius are found
hwStatus hwWorld_SolveStatics(hwWorld* world, hwError* error);

// build_up.c
// s, at which the world is prepared first.
double hwWorld_GetFirstTime(const hwWorld* world);
// A given motion at a time, which grows during the build-up.
hwSignalValue hwWorld_FollowPath(const hwWorld* world, const hwSignal* signal, double time);
hwStatus hwWorld_CheckBuildUp(const hwWorld* world, const hwEnvironmentDef* environment, hwError* error);

// tow.c
// Finds what statics takes for a steady tow, if anything is towed; and, when it is done, gives the velocities.
hwStatus hwWorld_FindTow(hwWorld* world, bool* towed, hwError* error);
void hwWorld_StartTow(hwWorld* world);
// Whether everything moves with the velocities that the last statics gave it, and these are not all zero.
bool hwWorld_IsTowed(const hwWorld* world);

// settled.c: says by name what statics has changed of the links' coordinates and velocities before it
void hwWorld_TellSettled(const hwWorld* world, const double* q, const double* v);

// passed.c: names cables that have passed through each other since they had these coordinates and numbers of nodes [slot]
void hwWorld_TellPassed(const hwWorld* world, const double* q, const int* nodes);
// Whether any has, and not only to and fro.
bool hwWorld_HavePassed(const hwWorld* world, const double* q, const int* nodes);

// events.c
// Time of the next event after the state's time, or +inf.
double hwWorld_NextEventTime(const hwWorld* world);
// Carries out events that are due at the state's time.
hwStatus hwWorld_RunEvents(hwWorld* world, hwError* error);

// parts.c
hwStatus hwWorld_CheckInput(const hwModel* model, int input, double value, hwError* error);
void hwWorld_InputChanged(hwWorld* world, int input);

// record/channels.c
// The tables of names, once the model's links are known (two passes, see hwArena).
void hwModel_LayChannels(const hwWorld* world, hwArena* arena, hwModel* model);
int hwNameTable_Find(const hwNameTable* table, const char* name);

#endif
