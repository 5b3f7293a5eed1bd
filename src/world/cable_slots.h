// Cables and winches inside a world.
#ifndef HW_WORLD_CABLE_SLOTS_H
#define HW_WORLD_CABLE_SLOTS_H

#include "cable/cable.h"
#include "cable/quasi.h"
#include "hawser/cable.h"
#include "hawser/sheave.h"
#include "world/world.h"

#define HW_CABLE_COOKIE 0x48570020
#define HW_CABLE_FORCE_COOKIE 0x48570021
#define HW_CABLE_EVENT_COOKIE 0x48570023

// Whether a def's cable is one of src/cable/quasi.h.
#define HW_HAS_NO_INERTIA(def) ((def)->kind != HW_CABLE_DYNAMIC && (def)->kind != HW_CABLE_PID)

// Objects as given -----------------------------------------------------------------------------------------------------

// A cable as added: one allocation that also holds the copies of everything the def points to. Or a part that may be cut
// off one, made together with it, whose pointers lead into the cable's block.
typedef struct hwCableObject {
    hwCableDef def;   // pointers lead into this block
    hwCableSpec spec; // the same for the cable module
    hwCableId id;
    hwCableId whole; // the cable that this is a part of; null: it is none
    int slot;        // in the model, -1 before Prepare
} hwCableObject;

typedef struct hwCableForceObject {
    hwCableForceDef def;
} hwCableForceObject;

// The model --------------------------------------------------------------------------------------------------------------

// A cable, or the place for a part that may be cut off one.
typedef struct hwCableSlot {
    hwCableObject* object;
    const char* name;
    int whole;            // slot of the cable that it is a part of, -1: it is none
    hwCableModel model;   // what it is made of
    bool quasi;           // has no inertia: nodes only show its shape (cable_quasi.c)
    int coordinate;       // first of 3 * model.nodeCapacity coordinates
    int freedom;          // and generalised velocities
    int winch[2];         // index of the winch at end a, b, or -1
    int dissipated, work; // auxiliaries: its energy audit, J
    int outside;          // auxiliary: the part of `work` that comes from outside the world
    int impulse;          // first of 2 x 6 auxiliaries: N s, N m s that guided ends have passed on
    int integral;         // first of as many auxiliaries as elements: behavioural links, s; -1: none
    bool carried;         // its state was taken over from the model before
    bool offBottom;       // the seabed is ignored
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

// What a slot keeps besides its nodes' positions and velocities, which are in the world's q and v.
typedef struct hwCableStore {
    hwCableCore* core;
    double* material; // [node]
    hwVec3* anchor;   // [node]
    hwEndState* ends; // [2]
    double*
        effort; // [node] J, work of all forces on each node since the start: the potential of Brateau (2022)
    double* power;       // [node] W, its rate of change
    hwEndWatch* watches; // [2]
    int* loadCount;
    hwCableLoad* loads; // [HW_CABLE_LOADS]
    int* touchCount;
    struct hwCableTouch* touches; // [hwModel_CountTouches] along the cable
    unsigned char* inside;        // [obstacle] it began within it: they do not touch until it has come out
} hwCableStore;

// Work -------------------------------------------------------------------------------------------------------------------

// Motion of an attached end at the evaluated point, world axes.
typedef struct hwEndMotion {
    hwVec3 acceleration; // known ends: as given; on links that move: of the last residual
    hwVec3 arm;          // from the link's origin
    hwVec3 place;        // m, of the last evaluation
} hwEndMotion;

// A link that moves and touches a cable, see contact_cable_links.c.
typedef struct hwCableBorder {
    int link;
    bool touches;
    hwVec3* columns; // [6 * node] C: forces on the nodes by the link's motion
    hwVec3* solved;  // [6 * node] T^-1 C
} hwCableBorder;

#define HW_BORDERS 3 // links that a cable may touch at once with both sides solved for together

typedef struct hwCableTools {
    hwCableWork work;
    hwCableInput input;
    hwCableState state; // views of the arrays last evaluated
    hwEndMotion ends[2];
    hwFluidSample* fluid; // [node]
    hwVec3* sampled;      // [node] where `fluid` was sampled
    double* surface;      // [node] and the height of the surface there
    double sampledTime;   // s; NaN: not to be used again
    double* floor;        // [node] height of the seabed
    hwVec3* floorNormal;  // [node]
    hwVec3* acceleration; // [node] of the last residual
    hwVec3* scratch;      // [node]
    double* inertia;      // [node] kg, by hwCable_AddMass
    double* integral;     // [element] of behavioural links, as their input; null: there are none
    int kept;             // nodes of the mesh whose integrals and material were put away
    hwCableSeabed seabed;
    hwCableContact contact; // with the bottom
    hwCableContact touch;   // with shapes
    hwCableContact rub;     // with cables
    hwVec3 flux[2];         // N, on the ends: momentum of what slides through a sheave there
    double applied;         // W, power of the forces applied along it
    double traffic;         // W, through its ends, in and out
    hwCableEnergy energy;   // of the last audit or reading
    int pair;               // coupling between the two links it holds, or -1
    bool clear;             // no obstacle is near it
    int borderCount;
    hwCableBorder borders[HW_BORDERS];
    int borderPair; // first of the couplings that they make
    // cables without inertia
    hwQuasi quasi;
    hwVec3 damping[2];  // N, on what the ends are attached to
    double dampingTime; // s, damping over stiffness
} hwCableTools;

typedef struct hwCablesModel {
    int count; // of slots
    hwCableSlot* slots;
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
    hwCableTools* tools; // [slot]
} hwCablesWork;

#endif
