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

// A mechanism as added; its links are bodies.
typedef struct hwMechanismObject {
    const char* name;
    hwMechanismId id;
    hwBodyId base;     // what it stands on; null: the earth
    bool free;         // the base is its own
    hwPlacement place; // of the base on what it stands on
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

// What the world knows about a link beyond its mechanics.
typedef struct hwLinkInfo {
    hwBodyObject* body;
    double mass;
    hwVec3 com;
    bool active;      // it moves: forces on it matter
    bool hasHydro;    // it feels water or air even without added mass
    bool simple;      // only volume, added mass and drag by axis
    double reach;     // m: nothing of it is farther than this from its buoyancy centre
    hwHydroDef hydro; // volume and centre filled in
    int pieceCount;   // of its shapes, when it is long against the waves
    hwShapeDef* pieces;
    hwVec3* pieceMiddles;                    // m, link frame
    hwWideSpatial linearDrag, quadraticDrag; // of `hydro`
} hwLinkInfo;

// What a channel or input reads or writes: a quantity of an object.
typedef struct hwChannelEntry {
    const char* name;
    const char* unit;
    short quantity;  // hwQuantity
    short component; // 0..2
    int object;      // link
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
    void* slices;       // of the parts, in model, state and work
    uint64_t signature; // hash of what states of this model must agree on
    int auxiliaryCount;
    int coordinateCount; // of trees, then of cables' nodes, then of sheaves
    int freedomCount;    // likewise
    hwForest forest;
    hwLinkInfo* links;
    double mass; // kg, of all links that move and all cables
    bool drives; // a prescribed body carries something that moves: its motion does work
    int eventCount;
    hwEventObject** events; // in order of time
    hwNameTable channels;
    hwNameTable inputs;
    // the parts' slices
    struct hwJointsModel* joints;
    struct hwFeetModel* feet;
    struct hwVehiclesModel* vehicles;
    struct hwShipsModel* ships;
    struct hwFluidModel* fluid;
    struct hwForcesModel* forces;
    struct hwCablesModel* cables;
    struct hwWinchesModel* winches;
    struct hwSheavesModel* sheaves;
    struct hwCableContactModel* cableContact;
    struct hwCablePairsModel* cablePairs;
    struct hwContactModel* contact;
    struct hwRulesModel* rules;
} hwModel;

// Auxiliary variables z: first-order quantities that ride along with the motion, such as controllers' integrals. Their
// rates may depend on everything but other auxiliary variables, so that an implicit stage z = zBase + hd z'(q, v, z) can
// be solved where the variable is used. The first three are the energy audit.
typedef enum hwAuxiliary {
    HW_AUX_DISSIPATED, // J since Prepare
    HW_AUX_IMPACT, // J since Prepare, dissipated by contacts; in steps of realtime.c see hwWorld_SumDissipation
    HW_AUX_WORK,   // J since Prepare
    HW_AUX_FIRST_FREE
} hwAuxiliary;

// The state: one block ---------------------------------------------------------------------------------------------

typedef struct hwStateHeader {
    uint64_t signature; // of the model it belongs to
    double time;
    double nextStep;   // size the solver would like to take next; 0: unknown
    double failedStep; // size at which no solution was found lately, growing; 0: none
    uint64_t eventsDone;
    uint64_t accelerationValid; // 0: recompute before the next step
    uint64_t hardStages;        // not 0: the last stage took many iterations
    double lively;              // J, kinetic and elastic energy
    double conserved;           // J, that and the potential one less the work done, which only falls
    double traffic;             // W, through the ends of cables, in and out
    hwCounters counters;
} hwStateHeader;

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
} hwState;

// Work arrays: written anew by each evaluation -----------------------------------------------------------------------

// Powers that go into the energy audit, W.
typedef struct hwPowers {
    double dissipation;
    double work;
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

// Spatial quantities of links are in world axes about the link's origin unless said otherwise, see mech/forest.h.
// A body that spins, and how it would go on without forces; see realtime.c.
typedef struct hwSpin {
    int link;
    bool
        split; // it turns so far in a stage that its gyroscopic forces are those of its motion without forces
    hwFreeMotion start, middle, end; // of the sub-step: its beginning and its two stages
} hwSpin;

typedef struct hwWork {
    void* block;
    hwForestWork forest;
    hwDrive* drives; // [link]
    double reuse; // m: within a stage, samples of waves serve as far as this; 0: each evaluation samples anew
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
    double elastic;                   // J, of joints, feet, contacts and sheaves
    hwPowers extraPowers;             // of everything but water and air
    double impactPower;               // W, dissipated by contacts
    double* efforts;                  // [freedom]
    double* residual;                 // [freedom]
    double* z;                        // [auxiliary] at the evaluated point
    double* zdot;                     // [auxiliary]
    hwLinkPair* pairs;                // [slot] links that cables and contacts couple
    hwWideSpatial* loads;             // [link] wrench with what cables add
    // the parts' slices
    struct hwJointsWork* joints;
    struct hwFeetWork* feet;
    struct hwVehiclesWork* vehicles;
    struct hwShipsWork* ships;
    struct hwFluidWork* fluid;
    struct hwForcesWork* forces;
    struct hwCablesWork* cables;
    struct hwSheavesWork* sheaves;
    struct hwCableContacts* cableContact;
    struct hwCablePairs* cablePairs;
    struct hwContactWork* contact;
    // the stepper's
    char* backup;            // state before statics; header and meshes at the start of the sub-step
    double* q0;              // [coordinate]
    double *v0, *a0;         // [freedom] start of the sub-step
    double *v1, *a1, *d1;    // [freedom] first stage: velocity, scratch, displacement
    double *v, *a, *d;       // [freedom] current iterate
    double *z0, *zBase;      // [auxiliary] start of the sub-step, base of the stage
    double* zdot0;           // [auxiliary] start of the sub-step
    double* zdot1;           // [auxiliary] first stage, only of what AuditCables gives
    double *step, *estimate; // [freedom]
    int spinCount;           // of this sub-step
    hwSpin* spins;           // [link]
    hwGmres gmres;           // of statics
    double* rates;           // [coordinate] scratch of hwSystem_Solve
    double* y;               // [coordinate + freedom] a plugged-in solver's point
    double gamma;            // of the last hwSystem_Factor
    double factorTime;       // s, likewise
    double* factorY;         // likewise
    bool factored;           // its factors are still there
} hwWork;

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
    hwContactDef contact;
    bool couplingsStale; // attachments changed since the couplings were set
    bool settling;       // within statics: links that a controller holds are stiff
    bool prepared;
    bool calm;         // statics: no waves
    bool frozen;       // statics: signals, drives and winches stand still while things fall into place
    double frozenTime; // s, at which they do
    bool fresh;        // work arrays hold the motion at the state's time
    hwModel model;
    hwState state;
    hwWork work;
    hwSolver external;
    struct hwQueryScene* queries; // what queries see, or null
    struct hwEventLog* eventLog;  // events of a step, or null
    hwStageTimer timer;
    hwObserverFn* observer;
    void* observerContext;
};

#endif
