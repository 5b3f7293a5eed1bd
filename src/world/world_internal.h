// The inside of a world: objects as given, the model compiled from them, the state, and the work arrays of a step.
#ifndef HW_WORLD_INTERNAL_H
#define HW_WORLD_INTERNAL_H

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
#include "vehicle/vehicle.h"
#include "world/cable_slots.h"
#include "parts/cable_contact/cable_contact.h"
#include "parts/contact/contact.h"

#define HW_WORLD_COOKIE 0x48570001
#define HW_BODY_COOKIE 0x48570002
#define HW_FORCE_COOKIE 0x48570003
#define HW_ENVIRONMENT_COOKIE 0x48570004
#define HW_LINK_COOKIE 0x48570006
#define HW_MECHANISM_COOKIE 0x48570007
#define HW_VEHICLE_COOKIE 0x48570010
#define HW_MATERIAL_COOKIE 0x48570030
#define HW_CONTACT_COOKIE 0x48570031

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
    int linkCount;
    hwBodyId* links; // [link] in the order of the def
} hwMechanismObject;

// A vehicle as added, beside its body.
typedef struct hwVehicleObject {
    hwVehicleDef def; // its body's def is a copy of the body object's
    hwVehicleId id;
    hwBodyId body;
} hwVehicleObject;

typedef struct hwForceObject {
    hwForceDef def;
    hwForceId id;
} hwForceObject;

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

// A joint of a mechanism that can be driven, limited or braked.
typedef struct hwJointModel {
    const hwLinkDef* def;
    int link;
    hwJointType type; // revolute, prismatic or ball
    int count;        // freedoms
    int coordinate, freedom;
    int input;    // first of its inputs, see hwJointInput
    int integral; // auxiliary: first of `count`
    int slider;   // likewise, of friction; -1: none
    int lag;      // likewise, of a hydraulic actuator; -1: none
    hwVec3 hold;  // position target when none is given
    bool plain;   // nothing acts along it unless it is controlled
} hwJointModel;

// A joint's inputs, after its target (one for each freedom).
typedef enum hwJointInput {
    HW_JOINT_MODE,
    HW_JOINT_KP,
    HW_JOINT_KI,
    HW_JOINT_KD,
    HW_JOINT_POWER,
    HW_JOINT_INPUTS
} hwJointInput;

// A point of a link that may touch the bottom.
typedef struct hwFootModel {
    int link;
    int index;    // among the link's points
    hwVec3 point; // link frame
    const hwFootDef* def;
    int slider; // auxiliary: first of three
} hwFootModel;

// A vehicle in the model.
typedef struct hwVehicleEntry {
    hwVehicleObject* object;
    hwVehicleModel model;
    int link;
    int input;     // first of its inputs, see hwVehicleInput
    int auxiliary; // first of its variables, see hwVehicleVariable
} hwVehicleEntry;

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

// A prescribed body that answers the waves; see prescribed.c.
typedef struct hwShipModel {
    int link;
    struct hwShipHarmonic* harmonics; // [wave]
} hwShipModel;

typedef struct hwModel {
    void* block;
    void* tableBlock;
    uint64_t signature; // hash of what states of this model must agree on
    int auxiliaryCount;
    int coordinateCount; // of trees, then of cables' nodes
    int freedomCount;    // likewise
    hwForest forest;
    hwLinkInfo* links;
    double mass;        // kg, of all links that move and all cables
    int sampleCapacity; // fluid samples if every link were in the water
    int jointCount;
    hwJointModel* joints;
    int* jointOf; // [link] its index among the joints, or -1
    int footCount;
    hwFootModel* feet;
    int vehicleCount;
    hwVehicleEntry* vehicles;
    int waveCount, shipCount;
    hwShipModel* ships; // by rising link
    struct hwShipHarmonic* shipHarmonics;
    hwWaveComponent* waves;
    int slotCount;
    hwCableSlot* slots;
    hwCableStore* stores;   // [slot] where each one's state is
    hwObstacles* obstacles; // what cables may touch; null: nothing
    bool cablesTouch;       // each other and themselves
    int winchCount;
    hwWinchModel* winches;
    int sheaveCount;
    hwSheaveModel* sheaves;
    int cableForceCount;
    hwCableForceObject** cableForces;
    bool compensates; // some joint's controller carries the weight behind it
    bool drives;      // a prescribed body carries something that moves: its motion does work
    int forceCount;
    hwForceObject** forces;
    int eventCount;
    hwEventObject** events; // in order of time
    int materialCount;
    hwMaterialDef* materials; // [0] is for what names none
    hwContactModel contact;
    hwNameTable channels;
    hwNameTable inputs;
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

// Motion of a prescribed body that the caller drives by hwBody_SetState.
typedef struct hwManualMotion {
    double set;  // 0: not used
    double time; // when it was set
    hwBodyState state;
} hwManualMotion;

typedef struct hwState {
    size_t size;
    size_t meshStart,
        meshSize; // where in the block the meshes of cables are, which winches change within a step
    char* block;
    hwStateHeader* header;
    double* q;                // [coordinate]
    double* v;                // [freedom]
    double* a;                // [freedom] d v / d t at the header's time
    double* z;                // [auxiliary]
    double* zdot;             // [auxiliary] at the header's time
    double* inputs;           // [input]
    hwSpatial* appliedWorld;  // [link] user wrench, world axes, about the origin
    hwSpatial* appliedBody;   // [link] user wrench, body axes
    hwSpatialSym* impedance;  // [link] user resistance to motion, world axes, about the origin
    hwSpatialSym* addedMass;  // [link] as given or as changed since
    hwManualMotion* manual;   // [link]
    hwCableStore* cables;     // [slot] pointers into the block
    int* pairCount;           // cables that touch cables
    hwPairTouch* pairTouches; // [HW_CABLE_PAIRS]
    hwSheaveStore* sheaves;   // [sheave]
    hwIncidentStore* incidents;
    hwContactSlot* contacts;   // [contact slot]
    hwContactSwitch* switches; // [HW_CONTACT_SWITCHES]
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
typedef struct hwWork {
    void* block;
    hwForestWork forest;
    hwDrive* drives; // [link]
    double reuse; // m: within a stage, samples of waves serve as far as this; 0: each evaluation samples anew
    double drivesTime; // of `drives`; NaN: not known
    bool drivesCalm;
    int wetCount;             // links that feel water or air; by hwWorld_FindWetLinks
    int* wetLinks;            // [wet]
    hwWideSym* added;         // [link] the state's added mass, link axes; by hwWorld_FindWetLinks
    bool* addedDiagonal;      // [link] it has only diagonal entries...
    hwWideSpatial* addedAxes; // [link] ...these
    int loadedCount;          // links to which the user applies forces; by hwWorld_FindLoadedLinks
    int* loadedLinks;         // [loaded]
    int* firstSample;         // [link] of its buoyancy centre; the strips' samples follow
    int sampleCount;
    hwVec3* sampleLocal;               // [sample] link frame
    int* sampleLink;                   // [sample]
    hwVec3* samplePoints;              // [sample]
    hwVec3* slopeRates;                // [sample] 1/s, see hwHydroInput
    hwFluidSample* samples;            // [sample]
    hwFluidSample* otherSide;          // [link] across the water surface, for links near it
    hwWideSpatial* wrench;             // [link] see mech/forest.h
    hwWideSym* inertia;                // [link] rigid plus added
    hwLinkTerms* terms;                // [link]
    hwWideSym* K;                      // [link] inertia + hd damping + hd^2 stiffness
    double* jointEffort;               // [freedom] by mech_joints.c, as the next five
    double* jointInertia;              // [freedom] of rotors, and what controllers imitate
    double* jointVirtual;              // [freedom] the imitated part
    double* jointDamping;              // [freedom]
    double* jointStiffness;            // [freedom]
    double *offDamping, *offStiffness; // [freedom] off-diagonal entries of ball joints, see hwJointTerms
    double *jointDiagonal, *jointOff;  // [freedom] inertia + hd damping + hd^2 stiffness
    hwVec3* carried;      // [link] weight less buoyancy of its subtree, and its moments about y and -x
    double elastic;       // J, of joints and feet
    hwPowers extraPowers; // of everything else
    double impactPower;   // W, dissipated by contacts
    double* footForce;    // [3 * foot] on the link, world axes
    hwVehicleMotion* vehicleMotions; // [vehicle] by vehicle.c
    hwVehicleOutput* vehicleOutputs; // [vehicle] likewise
    double* linkPotential;           // [link] J, of buoyancy
    double* linkSubmerged;           // [link]
    hwPowers* linkPowers;            // [link] of water and air
    double* efforts;                 // [freedom]
    double* residual;                // [freedom]
    double* z;                       // [auxiliary] at the evaluated point
    double* zdot;                    // [auxiliary]
    hwCableTools* cables;            // [slot]
    hwCableContacts contacts;        // of cables
    hwCablePairs cablePairs;         // of cables with cables
    hwLinkPair* pairs;               // [slot] links that cables couple
    hwSheaveTools* sheaves;          // [sheave]
    double*
        sheaveColumns; // [sheave][freedom] what the flow of each does to all others, by hwWorld_FactorSheaves
    double* sheaveMatrix;         // [sheave][sheave] factors of what is left for the flows
    int* sheaveOrder;             // [sheave] of its rows
    double *sheaveRhs, *sheaveX;  // [sheave]
    hwWideSpatial* loads;         // [link] wrench with what cables add
    hwContactResult* touches;     // [contact slot]
    hwContactView* contactViews;  // [contact slot], then those of cables
    hwContactSlot* contactWanted; // [contact slot] pairs that are near each other
    hwVec3* contactTriangles;     // [3 * HW_CONTACT_TRIANGLES]
    char* contactScratch;
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
    hwObserverFn* observer;
    void* observerContext;
};

// world.c
hwBodyObject* hwWorld_GetBody(const hwWorld* world, hwBodyId id);
hwStatus hwWorld_RequirePrepared(const hwWorld* world, hwError* error);
void hwWorld_Unprepare(hwWorld* world);
void hwWorld_Log(const hwWorld* world, hwLogLevel level, const char* format, ...) HW_PRINTF(3, 4);
// A name may be used when nothing else has it and it is made of letters, digits, _ and -.
hwStatus hwWorld_CheckName(const hwWorld* world, const char* name, hwError* error);

// body.c
// Adds a body, or a link of a mechanism when `joint` is given; the name has been checked. A null id on failure.
hwBodyId hwWorld_AddObject(hwWorld* world, const hwBodyDef* def, const hwJointObject* joint,
                           hwMechanismId mechanism, hwError* error);
// Tells everyone that the state was changed from outside.
void hwWorld_StateChanged(hwWorld* world);
void hwBody_ReadMotion(const hwWorld* world, int link, hwBodyState* out);

// mechanism.c
hwStatus hwWorld_CopyMechanisms(hwWorld* branch, const hwWorld* world, hwError* error);
// Place, velocity and rate of what its links stand on; accelerations are left out.
hwBodyState hwWorld_GetBaseMotion(const hwWorld* world, const hwMechanismObject* object);

// mech_joints.c: controllers, actuators, limits and friction of joints
void hwWorld_AddJointForces(hwWorld* world, double time, const double* q, const double* v,
                            const double* zBase, double hd);
// Fills jointDiagonal and jointOff.
void hwWorld_ComputeJointTerms(hwWorld* world, double hd);
// Fails when a controlled joint has run away.
hwStatus hwWorld_CheckJoints(const hwWorld* world, const double* v, hwError* error);
// The inputs of joint k as the def gives them.
void hwWorld_StartJointInputs(const hwModel* model, int joint, double* inputs);
// Refuses values that an input cannot take.
hwStatus hwWorld_CheckInput(const hwModel* model, int input, double value, hwError* error);
// An input was changed: a new mode starts with an empty integral.
void hwWorld_InputChanged(hwWorld* world, int input);

// foot_contact.c
void hwWorld_AddFootForces(hwWorld* world, const double* zBase, double hd);

// vehicle.c
void hwWorld_DropVehicle(hwWorld* world, hwBodyId body);
hwStatus hwWorld_CopyVehicles(hwWorld* branch, const hwWorld* world, hwError* error);
void hwModel_LayVehicles(const hwWorld* world, hwArena* arena, hwModel* model);
void hwModel_FillVehicles(const hwWorld* world, const int* linkOfSlot, hwModel* model);
void hwModel_FindVehicleInputs(hwModel* model);
void hwWorld_StartVehicleInputs(const hwModel* model, double* inputs);
void hwWorld_StartVehicleStates(const hwWorld* world, const hwModel* model, hwState* state);
hwStatus hwWorld_CheckVehicleInput(const hwModel* model, int input, double value, hwError* error);
void hwWorld_VehicleInputChanged(hwWorld* world, int input);
void hwWorld_AddVehicleForces(hwWorld* world, double time, const double* zBase, double hd);
double hwWorld_ReadVehicleChannel(const hwWorld* world, int vehicle, int component);

// fluid.c: water and air on links
// Lists the links that feel water or air; after anything that changes added mass.
void hwWorld_FindWetLinks(hwWorld* world);
// Lists the links to which the user applies forces; after anything that changes those.
void hwWorld_FindLoadedLinks(hwWorld* world);
// Samples the fluid and adds its wrenches, inertia and matrices.
void hwWorld_AddFluidForces(hwWorld* world, double time);

// Samples the environment at `count` points, with the extra flow of the inputs.
void hwWorld_SampleEnvironment(hwWorld* world, int count, const hwVec3* points, double time,
                               hwFluidSample* samples);

// prescribed.c
void hwModel_LayShips(const hwWorld* world, hwArena* arena, hwModel* model);
void hwModel_FillShips(const hwWorld* world, hwModel* model);
// Motion of all driven links at a time.
void hwWorld_UpdateDrives(hwWorld* world, double time);
hwStatus hwCheckResponse(const hwBodyDef* def, hwError* error);
hwRaoDef hwCopyRao(hwArena* arena, const hwRaoDef* rao);

// cable.c
hwCableObject* hwWorld_GetCable(const hwWorld* world, hwCableId id);
hwWinchObject* hwWorld_GetWinch(const hwWorld* world, hwWinchId id);
hwStatus hwWorld_CopyCables(hwWorld* branch, const hwWorld* world, hwError* error);

// cable_prepare.c
void hwModel_LayCables(const hwWorld* world, hwArena* arena, hwModel* model);
void hwModel_FillCables(const hwWorld* world, hwModel* model);
void hwModel_FindWinchInputs(hwModel* model);
void hwState_LayCables(const hwModel* model, hwArena* arena, hwState* state);
void hwWork_LayCables(const hwModel* model, hwArena* arena, hwWork* work);
// Takes over cables that were there before.
void hwWorld_CarryCables(const hwWorld* world, hwModel* model, hwState* state);
// Gives new cables, whose meshes are known, their shapes and motions at the start.
hwStatus hwWorld_PlaceCables(hwWorld* world, hwError* error);
// cable_refine.c: chooses the meshes of cables that are to be refined where they begin to touch something, and moves their
// nodes along the shape that they have. False: there is nothing to refine.
bool hwWorld_RefineCables(hwWorld* world);
// Gives new cables their shape.
hwStatus hwWorld_StartCables(hwWorld* world, hwError* error);

// contact_cable_model.c
hwStatus hwModel_BuildObstacles(const hwWorld* world, hwModel* model, hwError* error);
void hwModel_FreeObstacles(const hwAllocator* allocator, hwModel* model);
// How many contacts of a cable are remembered.
int hwModel_CountTouches(const hwModel* model, int slot);
// Most places where cables may touch something during a step.
int hwModel_CountPatches(const hwModel* model);
// Links that move and that one cable may touch at once.
int hwModel_CountBorders(const hwModel* model);
void hwWork_LayCableContacts(const hwModel* model, hwArena* arena, hwWork* work);

// contact_cable_find.c; only where the model has obstacles
// Lists where cables may touch something within `h` s from the state's time, and finds the longest step.
void hwWorld_FindCableContacts(hwWorld* world, double h);
void hwWorld_PlaceObstacle(hwWorld* world, int obstacle);
// After a step of `h` s: whether every cable is still on the side of everything where it was.
bool hwWorld_CheckCableContacts(const hwWorld* world, double h);
// After an accepted step: friction's memory.
void hwWorld_RememberTouches(hwWorld* world, int slot, double time);
// At the start: what overlaps then is let out gently. `settled`: after statics, in which cables do not touch links that
// move, and in which they overlap others as much as they press on them.
void hwWorld_StartTouches(hwWorld* world, bool settled);

// For statics: contacts of the state with room for moves that hwWorld_LimitCableMove allows, which is the part of a move of
// a cable's nodes, or of everything, that carries nothing into anything.
void hwWorld_FindStaticContacts(hwWorld* world);
double hwWorld_LimitCableMove(hwWorld* world, int slot, const hwCableState* state, const hwVec3* move);
double hwWorld_LimitCableMoves(hwWorld* world, double* q, const double* move);
void hwWorld_ForgetTouches(hwWorld* world);

// contact_cable.c; only where the model has obstacles
// Places the obstacles that may be touched.
void hwWorld_PlaceContacts(hwWorld* world);
// Adds the forces of contact to a cable just evaluated, and to its matrix when that was assembled.
void hwWorld_AddCableContacts(hwWorld* world, int slot, const hwCableState* state, hwCableContact* sum);
// Evaluates contacts again at the state of an accepted step, on which the last correction of Newton's method, of the order
// of the depth of hard contacts, has not acted yet.
void hwWorld_ReadCableContacts(hwWorld* world);
// Radius of a cable that touches something, else 0.
double hwWorld_GetContactWay(const hwWorld* world, int slot);
// Whether a node lies on the bottom, or one of its elements touches something else.
bool hwWorld_NodeTouches(const hwWorld* world, int slot, int node);
// Angle, rad, through which a cable turns where it touches something.
double hwWorld_GetWrap(const hwWorld* world, int slot);
// Writes those that touch; returns how many.
int hwWorld_ViewCableContacts(const hwWorld* world, hwContactView* views);
int hwWorld_ViewCablesOnBottom(const hwWorld* world, hwContactView* views);
int hwWorld_ViewFeet(const hwWorld* world, hwContactView* views);
// What the obstacles get.
void hwWorld_AddContactLoads(const hwWorld* world, hwWideSpatial* loads);

// contact_cable_links.c; only where the model has obstacles
// After contacts were found: which links that move each cable may touch.
void hwWorld_FindBorders(hwWorld* world);
int hwWorld_ListBorderPairs(hwWorld* world, int slot, hwLinkPair* pairs, int count);
// After a cable was factored, its right-hand side reduced, and its nodes solved for: the same with the links it touches.
void hwWorld_FactorBorders(hwWorld* world, int slot);
void hwWorld_ReduceBorders(const hwWorld* world, int slot, const hwVec3* rhs, hwWideSpatial* loads);
void hwWorld_SubstituteBorders(const hwWorld* world, int slot, hwVec3* x);

// contact_cable_pairs_find.c; only where the model's cables touch each other
void hwWork_LayPairs(const hwModel* model, hwArena* arena, hwWork* work);
// Those that may touch in a step of h.
void hwWorld_FindCablePairs(hwWorld* world, double h);
// At the start: cables that lie in each other never touch, and what else overlaps is let out gently.
void hwWorld_StartPairs(hwWorld* world);
// Forgets what a cable touches between two material coordinates.
void hwWorld_ForgetPairsBetween(hwWorld* world, int slot, double from, double to);
// Statics does without.
void hwWorld_ForgetPairs(hwWorld* world);

// contact_cable_pairs.c; likewise
// After all cables were evaluated.
void hwWorld_AddPairForces(hwWorld* world, double hd);
// After everything else was factored and solved.
void hwWorld_FactorPairs(hwWorld* world, double hd);
void hwWorld_CorrectForPairs(hwWorld* world, double* x);
bool hwWorld_CheckPairs(const hwWorld* world, double h);
void hwWorld_RememberPairs(hwWorld* world, double time);
int hwWorld_ViewPairs(const hwWorld* world, hwContactView* views);

// cable_step.c
// The cable's arrays, seen through the world's q and v.
hwCableState hwWorld_ViewCable(const hwWorld* world, int slot, double* q, double* v);
// Whether there is a cable in the slot: parts that no cut has made yet have no nodes.
static inline bool hwWorld_HasCable(const hwWorld* world, int slot) {
    return world->state.cables[slot].core->nodes > 1;
}
// Forces at the evaluated point; writes the rows of attached ends in q and v. `matrix` is the step for which matrices are
// assembled, negative: none.
// Puts nodes that have no motion of their own where the last evaluation had them: held ends on their links, all of
// quasi-static cables on their curves. What velocities say drifts from there.
void hwWorld_PlaceNodes(hwWorld* world);
void hwWorld_EvaluateCables(hwWorld* world, double time, double* q, double* v, const double* zBase, double hd,
                            double matrix);
// For readers; steps have it from the audit.
void hwWorld_ReadCableEnergies(hwWorld* world);
void hwWorld_AddCableEnergy(const hwWorld* world, hwEnergy* sum);
// Energies and powers of a cable of any kind at the point last evaluated.
hwCableEnergy hwWorld_GetCableEnergy(const hwWorld* world, int slot);
hwCableNodeEnergy hwWorld_GetNodeEnergy(const hwWorld* world, int slot, int node);
// Fluid and bottom at the nodes last evaluated, and the forces that are applied along the cable.
void hwWorld_SampleCable(hwWorld* world, int slot, double time);
void hwWorld_LoadCable(hwWorld* world, int slot, double time);
// Residuals of the nodes; what cables pull with is added to `loads`.
void hwWorld_ComputeCableResiduals(hwWorld* world, const double* a, double* residual, hwWideSpatial* loads);
// Whether somebody sums up what an end passes on, see manual.c.
bool hwWorld_HasGuidedEnd(const hwWorld* world);
// Rates of what guided ends pass on, after the residuals; `hd` as for hwWorld_Evaluate.
void hwWorld_SumImpulses(hwWorld* world, double hd);
// Rates of the cables' energy audit at the point last evaluated, after the residuals.
void hwWorld_AuditCables(hwWorld* world, double* zdot);
// Eliminates the nodes and adds what is left to the links' blocks and couplings. The number of bad pivots.
int hwWorld_FactorCables(hwWorld* world);
void hwWorld_ReduceCables(hwWorld* world, const double* b, hwWideSpatial* loads);
void hwWorld_SubstituteCables(hwWorld* world, double* x);
// y += K x for the nodes at q0, v0, by differences of their forces; what ends pass to their links goes to `loads`.
void hwWorld_MultiplyCableStiffness(hwWorld* world, const double* x, double* y, hwWideSpatial* loads);
void hwWorld_MultiplyCableMass(hwWorld* world, const double* x, double* y, hwWideSpatial* loads);
hwStatus hwWorld_UpdateCouplings(hwWorld* world, hwError* error);
// Adds T^T B T to a link's block: B (3 x 3 or 6 x 6) at the arm from its origin.
void hwWorld_AddLinkBlock(hwWideSym* K, int size, double (*block)[6], hwVec3 arm);
void hwWorld_GetEndLoad(const hwWorld* world, int slot, int end, hwVec3* force, hwVec3* moment);

// cable_change.c
void hwWorld_AttachEnd(hwWorld* world, int slot, int end, const hwCableEndDef* def);
void hwWorld_DetachEnd(hwWorld* world, int slot, int end);
// The same while running: refused when the end is held already or too far away.
hwStatus hwWorld_AttachRunning(hwWorld* world, int slot, int end, const hwCableEndDef* def, hwError* error);
hwStatus hwWorld_DetachRunning(hwWorld* world, int slot, int end, hwError* error);
hwStatus hwWorld_CheckEnd(const hwWorld* world, const char* name, int end, const hwCableEndDef* def,
                          hwError* error);
hwStatus hwWorld_CutCable(hwWorld* world, int slot, double at, int* part, hwError* error);
// After the mesh or the state was changed from outside.
void hwWorld_RefreshCables(hwWorld* world);
// Statics: the mesh beside sheaves that material has run over.
void hwWorld_MeshSheaves(hwWorld* world);
// After an accepted step: payout's mesh, friction's anchors, whole turns, parting.
hwStatus hwWorld_FinishCables(hwWorld* world, double step, hwError* error);

// cable_quasi.c
hwQuasiDef hwWorld_MakeQuasiDef(const hwWorld* world, int slot, double length);
void hwWorld_EvaluateQuasi(hwWorld* world, int slot);
hwVec3 hwWorld_GetQuasiForce(const hwWorld* world, int slot, int end);
// Blocks of the two ends and between them, for the step of the last evaluation.
void hwWorld_GetQuasiBlocks(const hwWorld* world, int slot, double (*aa)[6], double (*bb)[6],
                            double (*ab)[6]);
void hwWorld_MultiplyQuasiStiffness(const hwWorld* world, int slot, hwVec3 a, hwVec3 b, hwVec3 out[2]);
hwCableEnergy hwWorld_GetQuasiEnergy(const hwWorld* world, int slot);
hwCableNodeEnergy hwWorld_GetQuasiNodeEnergy(const hwWorld* world, int slot, int node);
hwStatus hwWorld_FinishQuasi(const hwWorld* world, int slot, hwError* error);

// cable_statics.c
// Moves every cable that can be at rest to where it is, its ends held where they are. `tolerance` as below.
void hwWorld_SettleCables(hwWorld* world, double tolerance);
// Makes cables no stiffer than this, N, for statics; false while that changes any of them.
bool hwWorld_SoftenCables(hwWorld* world, double stiffness);
// What the residual of an equilibrium is measured against, N, see hwCableWork_GetForceScale; 0 without cables.
double hwWorld_GetCableForceScale(const hwWorld* world, double tolerance);
// Within statics, N: stiffness by which behavioural links with an integral part come to their length; otherwise 0.
double hwWorld_GetLinkPenalty(const hwWorld* world, int slot);
// Lets the integrals of behavioural links take over what is left of their errors, at equilibrium. False: nothing was.
bool hwWorld_TightenLinks(hwWorld* world);

// winch.c
// The winch at an end of a cable or of a part of one, -1: there is none.
int hwWorld_GetWinchAt(const hwWorld* world, int slot, int end);
void hwWorld_RunWinches(hwWorld* world, int slot, double time, const double* zBase, double hd);
// z := z solved with 1 - gamma d(z')/dz of the winches' own variables at a time and at auxiliaries `zAt`.
void hwWorld_SolveWinches(const hwWorld* world, double time, const double* zAt, double gamma, double* z);
double hwWorld_GetBoundaryTension(const hwWorld* world, const hwWinchModel* winch);
void hwWorld_StartWinchInputs(const hwModel* model, double* inputs);
hwStatus hwWorld_CheckWinchInput(const hwModel* model, int input, double value, hwError* error);

// contact.c
hwStatus hwWorld_CopyContact(hwWorld* branch, const hwWorld* world, hwError* error);
void hwModel_LayMaterials(const hwWorld* world, hwArena* arena, hwModel* model);
// Index among the model's materials: 0 for no name, -1 when there is none of that name.
int hwModel_FindMaterial(const hwModel* model, const char* name);
// Fails when a shape or a section is of a material that does not exist.
hwStatus hwWorld_CheckMaterials(const hwWorld* world, const hwModel* model, hwError* error);

// sheave.c: cables that run on as others
hwStatus hwWorld_CopySheaves(hwWorld* branch, const hwWorld* world, hwError* error);
// The sheave at an end of a cable and the side of it, or null.
const hwSheaveObject* hwWorld_FindSheaveAt(const hwWorld* world, hwCableId cable, int end, int* side);
void hwWorld_DropSheaves(hwWorld* world, hwCableId cable);
// Length that may come through sheaves at an end of a cable, m.
double hwWorld_GetLengthBehind(const hwWorld* world, const hwCableObject* cable, int end);
void hwModel_LaySheaves(const hwWorld* world, hwArena* arena, hwModel* model);
void hwModel_FillSheaves(const hwWorld* world, hwModel* model);
void hwWork_LaySheaves(const hwModel* model, hwArena* arena, hwWork* work);
void hwWorld_CarrySheaves(const hwWorld* world, const hwModel* model, hwState* state);
void hwWorld_StartSheaves(hwWorld* world);
// The sheave at an end of a slot, or -1.
int hwWorld_GetSheaveAt(const hwWorld* world, int slot, int end);
// The end b of `slot` now belongs to `part`.
void hwWorld_MoveSheaves(hwWorld* world, int slot, int part);
// Gives the ends of a slot the material and the rate that q and v say, before the cable is evaluated.
void hwWorld_RunSheaves(hwWorld* world, int slot, const double* q, const double* v);
// Forces on the flows, after all cables were evaluated. `matrix` as for hwWorld_Evaluate.
void hwWorld_EvaluateSheaves(hwWorld* world, const double* v, const double* zBase, double hd, double matrix);
// Acceleration along the cable of the material at an end, beyond that of the end itself.
hwVec3 hwWorld_GetSlideAcceleration(const hwWorld* world, int slot, int end, const double* a);
void hwWorld_ComputeSheaveResiduals(hwWorld* world, const double* a, double* residual);
// The part of a displacement that takes no more than half of an element over a sheave.
double hwWorld_LimitFlows(const hwWorld* world, const double* step);
hwStatus hwWorld_FactorSheaves(hwWorld* world, hwError* error);
// Completes a solution `x` of everything but the flows, whose right-hand sides are in work.sheaveRhs.
void hwWorld_SubstituteSheaves(hwWorld* world, double* x);
void hwWorld_MultiplySheaveMass(hwWorld* world, const double* x, double* y, hwWideSpatial* loads);
void hwWorld_MultiplySheaveStiffness(hwWorld* world, const double* x, double* y, hwWideSpatial* loads);
void hwWorld_AddSheaveEnergy(const hwWorld* world, hwEnergy* sum);
// contact_prepare.c
void hwModel_LayContact(const hwWorld* world, hwArena* arena, hwModel* model);
// Once the links are known; adds auxiliary variables.
hwStatus hwModel_FillContact(const hwWorld* world, hwModel* model, hwError* error);
void hwModel_FreeContact(const hwAllocator* allocator, hwModel* model);
void hwState_LayContact(const hwModel* model, hwArena* arena, hwState* state);
void hwWork_LayContact(const hwModel* model, hwArena* arena, hwWork* work);
hwStatus hwWorld_FindThings(const hwWorld* world, const hwModel* model, const char* a, const char* b,
                            hwThingPair* pair, hwError* error);
// Whether two links, cables or the seabed never touch, by their names or those of what they belong to; and whether they do
// not touch now.
bool hwModel_IsIgnored(const hwWorld* world, const hwModel* model, hwThing a, hwThing b);
bool hwWorld_IsSwitchedOff(const hwWorld* world, hwThing a, hwThing b);
// Whether a cable touches the seabed where that is.
bool hwWorld_MeetsBottom(const hwWorld* world, int slot);

// contact_plan.c
// Finds the pairs that may touch during the next *step seconds from the state's time, and shortens *step where something
// would pass through something else.
hwStatus hwWorld_PlanContacts(hwWorld* world, double* step, hwError* error);
// The same for a displacement from q; returns the part of it that may be gone.
double hwWorld_PlanMove(hwWorld* world, const double* q, const double* displacement);
// After the first plan.
void hwWorld_ExcludeNested(hwWorld* world);
// After an accepted step, when the end has been evaluated: who slides.
void hwWorld_FinishContacts(hwWorld* world);
// Contacts that were there before Prepare keep what they remember.
void hwWorld_CarryContacts(const hwWorld* world, const hwModel* model, hwState* state);

// contact_view.c
double hwWorld_ReadContactChannel(const hwWorld* world, int link, int component);
// The same of a pair that is watched.
double hwWorld_ReadPairChannel(const hwWorld* world, int watch, int component);

// contact_force.c
void hwWorld_AddContactForces(hwWorld* world, const double* zBase, double hd);
// The links that contacts couple, appended to work.pairs.
int hwWorld_ListContactPairs(hwWorld* world, int count);
// What contacts dissipate in a step of the built-in solver: the motions when it begins, the loads of its first stage, and,
// of those when it ends, the sum in J; then the loads are kept for the next one.
void hwWorld_NoteMotions(hwWorld* world);
void hwWorld_NoteLoads(hwWorld* world);
double hwWorld_SumDissipation(const hwWorld* world, double h);
void hwWorld_KeepLoads(hwWorld* world);
// Blocks between links, for a step hd.
void hwWorld_AddContactBlocks(hwWorld* world, double hd);
// force += K motion, of the parts between links only; both by link.
void hwWorld_MultiplyContactStiffness(hwWorld* world, const hwWideSpatial* motion, hwWideSpatial* force);

// incident.c
void hwWorld_AddIncident(hwWorld* world, hwIncidentKind kind, int slot, int end, double value);
// Notes whether ends pull, after an accepted step.
void hwWorld_WatchCable(hwWorld* world, int slot);
// Catches and lets go what waits for it. True when anything changed.
bool hwWorld_RunCaptures(hwWorld* world);

// prepare.c
hwStatus hwWorld_Compile(hwWorld* world, hwError* error);
void hwModel_Free(hwWorld* world);

// state.c
void hwState_Lay(const hwModel* model, hwArena* arena, hwState* state);

// step.c: the pipeline
// Evaluates everything that depends on time, coordinates and velocities: motion of links, fluid, wrenches, inertia, and
// the auxiliary variables z = zBase + hd z' with their rates (hd = 0: z is given).
// Rows of attached cable ends in q and v are written. `matrix` is the step for which the matrices of cables are
// assembled, which hwWorld_Factor then needs; negative: none.
void hwWorld_Evaluate(hwWorld* world, double time, double* q, double* v, const double* zBase, double hd,
                      double matrix);
// Placements and velocities of the links alone.
void hwWorld_ComputeLinkMotion(hwWorld* world, double time, const double* q, const double* v);
// efforts applied minus efforts needed for the accelerations a: zero on the true motion.
void hwWorld_ComputeResidual(hwWorld* world, const double* a, double* residual);
// Factors M + hd D + hd^2 K of the last evaluation.
hwStatus hwWorld_Factor(hwWorld* world, double hd, hwError* error);
void hwWorld_SolveFactored(hwWorld* world, const double* b, double* x);
// The same without the flows of sheaves, with work.loads on the links.
void hwWorld_SolveWithoutFlows(hwWorld* world, const double* b, double* x);
// Accelerations of the last evaluation without implicit terms.
hwStatus hwWorld_SolveForward(hwWorld* world, const double* v, double* a, hwError* error);
// Adds the work that shows only with the accelerations, after hwWorld_ComputeResidual.
void hwWorld_AddReactionWork(hwWorld* world, const double* a, const double* v, double hd);
// Adds a wrench (world axes, about the origin) to a link and its power to the work done.
void hwWorld_AddWrench(hwWorld* world, int link, hwWideSpatial wrench);
// The link's world-axis damping and stiffness, zeroed by the first call of an evaluation.
hwLinkTerms* hwWorld_GetWorldTerms(hwWorld* world, int link);
// y = K x with the stiffness of the last evaluation.
void hwWorld_MultiplyStiffness(hwWorld* world, const double* x, double* y);
// y = M x with M of the last evaluation.
void hwWorld_MultiplyMass(hwWorld* world, const double* x, double* y);
// Accelerations at the state's time, if they are not known.
// Energies of the evaluation before; those of the audit are the state's.
hwEnergy hwWorld_SumEnergy(const hwWorld* world);
// Puts them into the header.
void hwWorld_NoteEnergy(hwWorld* world);
hwStatus hwWorld_UpdateAccelerations(hwWorld* world, hwError* error);
// Makes the work arrays agree with the state before reading results.
void hwWorld_Refresh(const hwWorld* world);
// q = q0 (+) delta, the rates of q, and the displacement that a small change of q amounts to, for all freedoms.
void hwWorld_Displace(const hwWorld* world, const double* q0, const double* delta, double* q);
void hwWorld_ComputeRates(const hwWorld* world, const double* q, const double* v, double* qdot);
void hwWorld_TangentOf(const hwWorld* world, const double* q, const double* dq, double* tangent);
// Names the object that a generalised velocity belongs to.
const char* hwWorld_NameFreedom(const hwWorld* world, int freedom);
// Which node of the cable that is, or -1 for a freedom of something else.
int hwWorld_FindNode(const hwWorld* world, int freedom);
// "node 3 (elements 2 and 3)" of a cable, or "it".
#define HW_PART_NAME 72
void hwWorld_NamePart(const hwWorld* world, int freedom, char name[HW_PART_NAME]);
// An error that names what the force acts on where a value of `values` [freedom] is not finite: accelerations or residuals of
// the last evaluation.
hwStatus hwWorld_CheckForces(const hwWorld* world, const double* values, double time, hwError* error);

// realtime.c
hwStatus hwRealtime_Advance(hwWorld* world, double end, hwError* error);

// statics.c
hwStatus hwWorld_SolveStatics(hwWorld* world, hwError* error);

// Grippers, see gripper.c. Forces of held bodies in an evaluation; taking and letting go between steps, and the time until
// which a step may go before the next look.
void hwWorld_AddGripForces(hwWorld* world);
void hwWorld_UpdateGrippers(hwWorld* world);
double hwWorld_NextGripTime(const hwWorld* world);
// What a vehicle's gripper holds, or a null id.
hwBodyId hwWorld_GetHeldBody(const hwWorld* world, int vehicle);

// events.c
// Time of the next event after the state's time, or +inf.
double hwWorld_NextEventTime(const hwWorld* world);
// Carries out events that are due at the state's time.
hwStatus hwWorld_RunEvents(hwWorld* world, hwError* error);

// record/channels.c
// The tables of names, once the model's links are known (two passes, see hwArena).
void hwModel_LayChannels(const hwWorld* world, hwArena* arena, hwModel* model);
int hwNameTable_Find(const hwNameTable* table, const char* name);

#endif
