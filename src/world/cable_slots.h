// Cables as the parts see them that act on their ends and surfaces: winches, sheaves and contact. What cables do by
// themselves is in src/parts/cables.
#ifndef HW_WORLD_CABLE_SLOTS_H
#define HW_WORLD_CABLE_SLOTS_H

#include "cable/cable.h"
#include "cable/pieces.h"
#include "cable/quasi.h"
#include "hawser/cable.h"
#include "hawser/sheave.h"
#include "world/part.h"

#define HW_CABLE_COOKIE 0x48570020
#define HW_CABLE_FORCE_COOKIE 0x48570021

// Objects as given -----------------------------------------------------------------------------------------------------

// A running cable that changes its model, as it was.
typedef struct hwCablePast {
    int count; // of points
    hwVec3* points;
    double *material, *tension; // [point] m, [element] N
    hwVec3 velocity[2];         // m/s, of the ends
    bool hadNodes;              // with inertia: they go on themselves
    double energy;              // J
    void* block;
} hwCablePast;

// A cable as added: one allocation that also holds the copies of everything the def points to. Or a part that may be cut
// off one, made together with it, whose pointers lead into the cable's block.
typedef struct hwCableObject {
    hwCableDef def;   // pointers lead into this block
    hwCableSpec spec; // the same for the cable module
    hwCableId id;
    hwCableId whole;         // the cable that this is a part of; null: it is none
    int slot;                // in the model, -1 before Prepare
    const hwCablePast* past; // while it changes its model: as it was
} hwCableObject;

typedef struct hwCableForceObject {
    hwCableForceDef def;
} hwCableForceObject;

// The model --------------------------------------------------------------------------------------------------------------

// A cable, or the place for a part that may be cut off one.
typedef struct hwCableSlot {
    hwCableObject* object;
    const char* name;
    int whole;                    // slot of the cable that it is a part of, -1: it is none
    hwCableModel model;           // what it is made of
    const struct hwCableOps* ops; // of its model
    bool wraps;                   // it lies round shapes (src/parts/wraps)
    int coordinate;               // first of 3 * model.nodeCapacity coordinates
    int freedom;                  // and generalised velocities
    int dissipated, work;         // auxiliaries: its energy audit, J
    int outside;                  // auxiliary: the part of `work` that comes from outside the world
    int impulse;                  // first of 2 x 6 auxiliaries: N s, N m s that guided ends have passed on
    int integral;                 // first of as many auxiliaries as elements: behavioural links, s; -1: none
    bool carried;                 // its state was taken over from the model before
    bool offBottom;               // the seabed is ignored
    int contactNodes;             // most nodes that are inserted where it touches something
    int touchRoom;                // contacts with bodies that are remembered
    int obstacleCount;            // shapes that it may touch
} hwCableSlot;

// State ------------------------------------------------------------------------------------------------------------------

#define HW_GUIDED 2 // hwEndState.manual

// How an end is held now. Plain numbers, part of the state.
typedef struct hwEndState {
    int32_t joint;                 // hwAttachKind
    int32_t link;                  // -1: the earth
    int32_t path;                  // on the earth: follows the def's signal
    int32_t manual;                // on the earth: moved by hand, 2: and its impulse is summed up
    hwVec3 at;                     // link frame, or world
    hwVec3 tangent;                // clamp: unit, link frame or world
    hwVec3 normal;                 // clamp: unit, at right angles to the tangent
    double time;                   // manual: when it was set
    hwVec3 velocity, acceleration; // manual
    double turnTime;               // when the clamp was turned by hand
    hwVec3 rate;                   // rad/s, since then
    int32_t left; // free: one more than the link that it was let go from and has not got clear of; or 0
    int32_t unused;
    double
        inside; // m, from the end: cable that lay in what the end is attached to and has not got clear of it
} hwEndState;

// What an end waits for, and whether it pulls; see incident.c.
typedef enum hwEndTension {
    HW_END_UNKNOWN,
    HW_END_TAUT,
    HW_END_SLACK,
    HW_END_LOOSE // without tension, not yet for long enough to be slack
} hwEndTension;

typedef struct hwEndWatch {
    int32_t state;   // hwEndTension
    int32_t waits;   // for this event of the model to be possible, from 1; 0: for nothing
    double taut;     // s, when it became taut last
    double since;    // s, when it became loose last
    double usual;    // N, its mean tension lately
    uint64_t number; // of that incident, from 1; 0: none
} hwEndWatch;

#define HW_INCIDENTS 256

typedef struct hwIncidentStore {
    uint64_t count;
    hwIncident ring[HW_INCIDENTS];
} hwIncidentStore;

#define HW_CABLE_LOADS 16 // forces and masses by calls that a cable can bear at different places

typedef struct hwCableLoad {
    double at;
    hwVec3 force;
    double mass; // kg, inertia without weight
} hwCableLoad;

// What is remembered of a contact from step to step; part of the state. Frame of the obstacle's shape.
typedef struct hwCableTouch {
    double at[2]; // m, material coordinate of the friction's points
    // in single precision: the state is copied in every step, and friction's stretch is hundredths of a radius
    float stretch[2][3]; // m, of their springs
    float normal[3];     // unit, towards the cable
    float relief;        // m, of overlap that was there at the start and does not count; fades
    float away;          // s, for which it has been off again; counts as touching until then
    float pulled;        // s, for which the cable has been drawn onto it by its tension; negative: slack
    int32_t obstacle;
    int32_t sliding;
} hwCableTouch;

// How the cable is stepped when it is stepped apart; the same fields of hwStateHeader are those of the whole world.
typedef struct hwCablePace {
    double nextStep, failedStep;
    uint64_t plainGuesses;
    double mechanicalEnergy, conserved, endPower;
    double stored, storedRate; // J, W: what the method's damping is booked by, see method.c
} hwCablePace;

// What a slot keeps besides its nodes' positions and velocities, which are in the world's q and v.
typedef struct hwCableStore {
    hwCableCore* core;
    double* material; // [node]
    hwVec3* anchor;   // [node]
    double* slack;    // [element], see hwCableState
    int32_t* level;   // [node], likewise
    hwEndState* ends; // [2]
    double*
        effort; // [node] J, work of all forces on each node since the start: the potential of Brateau (2022)
    double* power;       // [node] W, its rate of change
    hwEndWatch* watches; // [2]
    int* loadCount;
    hwCableLoad* loads; // [HW_CABLE_LOADS]
    int* touchCount;
    hwCableTouch* touches; // [hwCableSlot.touchRoom] along the cable
    unsigned char* inside; // [obstacle] it began within it: they do not touch until it has come out
    hwCablePace* pace;
} hwCableStore;

// Work -------------------------------------------------------------------------------------------------------------------

// Motion of an attached end at the evaluated point, world axes.
typedef struct hwEndMotion {
    hwVec3 acceleration; // known ends: as given; on links that move: of the last residual
    hwVec3 arm;          // from the link's origin
    hwVec3 place;        // m, of the last evaluation
} hwEndMotion;

// How material slides through the end of a cable that runs on over a sheave.
typedef struct hwEndSlide {
    int freedom;  // of the flow, -1: nothing slides
    double sign;  // +1: what flows makes this side longer, -1: shorter
    double slide; // m/s of the material over that of payout
    hwVec3 into;  // unit, along the cable from its end
} hwEndSlide;

typedef struct hwCableTools {
    hwCableWork work;
    hwCableInput input;
    hwCableState state; // views of the arrays last evaluated
    hwEndMotion ends[2];
    hwVec3 tow;            // m/s, of the last statics, see tow.c
    hwFluidSample* fluid;  // [node]
    hwVec3* sampled;       // [node] where `fluid` was sampled
    hwWaveCell* cells;     // [node] of a random sea, by which it was; null: by full sums
    double* surface;       // [node] and the height of the surface there
    uint64_t sampledStage; // of hwEvaluation, in which that was; 0: not to be used again
    double* floor;         // [node] height of the seabed
    hwVec3* floorNormal;   // [node]
    hwVec3* acceleration;  // [node] of the last residual
    hwVec3* scratch;       // [node]
    hwVec3* ownForces;     // [node] N, by a law of the caller's own; the next two likewise
    double (*ownDamping)[6], (*ownStiffness)[6];
    double* inertia;                  // [node] kg, by hwCable_AddMass
    double* integral;                 // [element] of behavioural links, as their input; null: there are none
    int kept;                         // nodes of the mesh whose integrals and material were put away
    double *lengths, *joins, *places; // [element] m, scratch of cable_adapt.c
    bool
        meshed; // its mesh was changed since the last step: contact still refers to the elements of the one before
    bool shown;     // nodes of one that wraps were put in their places
    bool nodesTold; // somebody heard that there are no more nodes for contact
    bool longTold;  // and that its statics takes long
    hwCableSeabed seabed;
    int lot, lotCount;      // its lots: from which on, how many
    bool inPieces;          // it is evaluated by lots
    hwCableContact contact; // with the bottom
    hwCableContact touch;   // with shapes
    hwCableContact rub;     // with cables
    hwVec3 flux[2];         // N, on the ends: momentum of what slides through a sheave there
    double applied;         // W, power of the forces applied along it
    double endPower;        // W, through its ends, in and out
    hwCableEnergy energy;   // of the last audit or reading
    int pair;               // coupling between the two links it holds, or -1
    hwEndSlide slides[2];   // by sheaves
    // cables without inertia
    hwQuasi quasi;
    hwVec3 damping[2];  // N, on what the ends are attached to
    double dampingTime; // s, damping over stiffness
    const char* laid;   // behind all its arrays
} hwCableTools;

typedef struct hwCablesModel {
    int count; // of slots
    int first; // of an island: which of the whole world's slots its own is
    hwCableSlot* slots;
    bool hasCells;        // the sea is sampled by cells
    hwCableStore* stores; // [slot] where each one's state is
    int forceCount;
    hwCableForceObject** forces;
} hwCablesModel;

typedef struct hwCablesState {
    hwCableStore* stores; // [slot] pointers into the block
} hwCablesState;

typedef struct hwIncidentsState {
    hwIncidentStore* store;
} hwIncidentsState;

typedef struct hwCablesWork {
    hwCableTools* tools;  // [slot]
    hwCablePiece* pieces; // [lot] of hwWork
    char* parts;          // where the arrays of parts that may be cut off begin
} hwCablesWork;

// What models of cables do differently: one table for those whose nodes have inertia (cable_read.c), one for those without
// inertia, whose shape follows from where their ends are (cable_quasi.c).
typedef struct hwCableOps {
    // Nodes move by themselves, have contacts and bear forces: forces, matrices and elimination are those of src/cable, for all such
    // cables together (cable_step.c). Otherwise nodes show the shape, and what its ends do is computed here.
    bool hasNodes;
    // Of models without such nodes. In an evaluation, with the ends in their places; the nodes put where the shape was last
    // found; blocks of the two ends and between them, for the step of the last evaluation; stiffness times a displacement of the ends;
    // after a step.
    void (*evaluate)(const hwWorld* world, int slot);
    void (*show)(const hwWorld* world, int slot);
    void (*getBlocks)(const hwWorld* world, int slot, double (*aa)[6], double (*bb)[6], double (*ab)[6]);
    void (*multiplyStiffness)(const hwWorld* world, int slot, hwVec3 a, hwVec3 b, hwVec3 out[2]);
    hwStatus (*finish)(const hwWorld* world, const hwMode* mode, int slot, hwError* error);
    // The point of the shape `s` m of material from end a, and the tension there. The tension at an end if the cable were `length` m
    // long unstretched, with its change by length and by the motion of the ends.
    hwVec3 (*getPoint)(const hwWorld* world, int slot, double s, double* tension);
    double (*getTensionAt)(const hwWorld* world, int slot, int end, double length, double* byLength,
                           double* change);
    // Of all models, at the last evaluation: N and N m by which an attached end pulls at what holds it; N in the element at an end;
    // energies of all and of a node; 1/m, NaN: it has none; N, what a residual is small against.
    void (*getEndLoad)(const hwWorld* world, int slot, int end, hwVec3* force, hwVec3* moment);
    double (*getEndTension)(const hwWorld* world, int slot, int end);
    hwCableEnergy (*getEnergy)(const hwWorld* world, int slot);
    hwCableNodeEnergy (*getNodeEnergy)(const hwWorld* world, int slot, int node);
    hwVec3 (*getCurvature)(const hwWorld* world, int slot, int node);
    double (*getForceScale)(const hwWorld* world, int slot, double tolerance);
} hwCableOps;

const hwCableOps* hwCableOps_Find(hwCableKind kind);

// What feeds material at an end of a cable.
typedef struct hwCableFeed {
    const char* name; // of the winch or sheave
    bool passes;      // a sheave: the cable runs on as another one
    double rate;      // m/s, of payout
} hwCableFeed;

// What a part does to cables (hwPart.cables); each may be null.
#define HW_CABLE_PATH 1050
// Diameters: an element that is shorter is no line any more. Contact asks for shorter ones only where a stiff cable bends over an edge.
#define HW_CABLE_SLENDER 4.0
typedef struct hwCableHooks {
    // Objects: what feeds an end, the length that it may add, the most that both ends may add, and a cable that goes.
    bool (*findFeeder)(const hwWorld* world, hwCableId cable, int end, hwCableFeed* feed);
    double (*getMore)(const hwWorld* world, const hwCableObject* cable);
    void (*reserve)(const hwWorld* world, const hwCableObject* cable, double reserve[2]);
    void (*drop)(hwWorld* world, hwCableId cable);
    // Running: what feeds an end of a slot now.
    bool (*findFeed)(const hwWorld* world, int slot, int end, hwCableFeed* feed);
    // In an evaluation: gives the ends of a slot their material and rates, before its forces; adds the forces of contact to
    // a cable just evaluated, and to its matrix when that was assembled.
    void (*feed)(const hwWorld* world, int slot, const hwEvaluation* evaluation);
    void (*touch)(const hwWorld* world, const hwMode* mode, int slot, const hwCableState* state,
                  hwCableContact* sum);
    // Pairs of links that a cable couples besides its ends; after a cable was factored, its right-hand side reduced, and its
    // nodes solved for: the same with the links it touches.
    int (*listPairs)(const hwWorld* world, int slot, hwLinkPair* pairs, int count);
    int (*getTouchedLink)(const hwWorld* world, int slot); // the first of the links it touches, or -1
    void (*factor)(const hwWorld* world, int slot);
    void (*reduce)(const hwWorld* world, int slot, const hwVec3* rhs, hwWideSpatial* loads);
    void (*substitute)(const hwWorld* world, int slot, hwVec3* x);
    // Radius of a cable that touches something, else 0; whether one of a node's elements does; rad, through which it turns there.
    double (*getContactWay)(const hwWorld* world, int slot);
    // The largest component of the vectors [node] of what touches, over its radius.
    double (*measureTouch)(const hwWorld* world, int slot, const hwVec3* x);
    bool (*touchesNode)(const hwWorld* world, int slot, int node);
    double (*getWrap)(const hwWorld* world, int slot);
    // The line along which it goes among what it may lie on, where that is not the line of its nodes: up to HW_CABLE_PATH points
    // with both ends, which are counted, 0: it is the line of its nodes. rad, by which such a cable turns on a shape of a link; false: it is none.
    int (*getPath)(const hwWorld* world, int slot, hwVec3* points);
    bool (*getWrapOn)(const hwWorld* world, int slot, int link, int shape, double* angle);
    // The longest that elements may be where contact bends the cable, m, each at most what the array holds; the longest that they may
    // become by joining them with what is beside them, likewise; and the place where each is touched, m, material coordinate; true:
    // some are given.
    bool (*limitElements)(const hwWorld* world, int slot, double* longest, double* joined, double* places);
    // Whether nothing that the cable may touch between two material coordinates is within `reach` m of the line from a to b.
    bool (*isClear)(const hwWorld* world, int slot, double from, double to, hwVec3 a, hwVec3 b, double reach);
    // A cable that wraps, both ends held, at the point evaluated: its forces, with material from `from` to `to` m. Where its
    // nodes are best shown: `count` material coordinates.
    void (*bend)(const hwWorld* world, int slot, double from, double to, hwQuasi* out);
    void (*spread)(const hwWorld* world, int slot, int count, double* material);
    // Statics: the part of a move of its nodes that carries nothing into anything.
    double (*limitMove)(const hwWorld* world, int slot, const hwCableState* state, const hwVec3* move);
    // Meshes: the end b of `slot` now belongs to `part`; the shape has jumped between two material coordinates; all changed.
    void (*cut)(hwWorld* world, int slot, int part);
    void (*jumped)(hwWorld* world, int slot, double from, double to);
    void (*meshed)(hwWorld* world);
} hwCableHooks;

// Runs the statement for each part of a prepared world that has the hook, in the order of a step.
#define HW_EACH_HOOK(world, part, hook)                                                                      \
    HW_EACH_PART(world, part, cables)                                                                        \
    if (part->cables->hook != NULL)

// parts/cables
// Room for the lots of a model's nodes, and one more.
int hwModel_CountLots(const hwModel* model);
hwCableObject* hwWorld_GetCable(const hwWorld* world, hwCableId id);
// What feeds an end, by its objects and now. False: nothing.
bool hwWorld_FindFeeder(const hwWorld* world, hwCableId cable, int end, hwCableFeed* feed);
bool hwWorld_FindFeed(const hwWorld* world, int slot, int end, hwCableFeed* feed);
// The cable's arrays, seen through the world's q and v.
hwCableState hwWorld_ViewCable(const hwWorld* world, int slot, double* q, double* v);
// Whether there is a cable in the slot: parts that no cut has made yet have no nodes.
static inline bool hwWorld_HasCable(const hwWorld* world, int slot) {
    return world->state.cables->stores[slot].core->nodes > 1;
}
// Whether the nodes of a slot move by themselves: they are there, and have inertia.
static inline bool hwWorld_HasNodes(const hwWorld* world, int slot) {
    return hwWorld_HasCable(world, slot) && world->model.cables->slots[slot].ops->hasNodes;
}
// N and N m by which an end pulls at what holds it.
void hwWorld_GetEndLoad(const hwWorld* world, int slot, int end, hwVec3* force, hwVec3* moment);
// What a cable without inertia is made of and where it is, `length` m long.
hwQuasiDef hwWorld_GetQuasiDef(const hwWorld* world, int slot, double length);
// N in the element at an end.
double hwWorld_GetEndTension(const hwWorld* world, int slot, int end);

#endif
