// A cable as a chain of nodes with stretch, bending and torsion: forces, matrices, elimination to its ends,
// payout.
//
// Pure numerics: nothing here allocates, prints, or depends on worlds and bodies. The caller owns three things per
// cable, each laid out in an hwArena (run Layout once to measure, once to place):
//   hwCableModel  what the cable is made of; constant
//   hwCableState  what changes with time and must be saved: nodes, positions, velocities, coordinates S
//   hwCableWork   everything derived from the two: caches, forces, matrix, factors; may be thrown away
// Different cables may be worked on by different threads at once.
//
// Material coordinate. Points of the cable are named by their unstretched distance S (m) from the first
// section's start. Sections are pieces of the S axis; the first reaches to minus and the last to plus
// infinity, which is what lies on the drums. Node i sits on material point S_i; what is outside [S_0, S_N] is
// on a drum (or on the other half of a cut cable). Paying out moves S_0 down or S_N up, and so rest length
// and mass balance to rounding by construction. An arc length s in this interface counts unstretched metres
// from end a: s = S - S_0.
//
// Nodes run 0..N from end a to end b, elements 0..N-1; element e joins nodes e and e+1. The end nodes are
// nodes: their rows of position and velocity are written by the caller when the end is attached.
//
// One Newton iteration of an implicit stage, or one evaluation for an explicit solver:
//   hwCableWork_Refresh      only after the mesh changed or a state was restored
//   hwCableWork_Evaluate     forces, and with input.matrix the matrix A = M - hd df/dv - hd^2 df/dx
//   hwCableWork_AddBlock..., work.force[i] += ...   contact and other loads of the caller
//   hwCableWork_FillResidual the right-hand side (or hwCableWork_MulMass, to build another one)
//   hwCableWork_Factor       eliminates all nodes but the unknown ends
//   hwCableWork_Reduce       the same for a right-hand side
//   (the caller solves the small system of all unknown ends)
//   hwCableWork_Solve        velocity increments of all nodes
// hd = 0 gives A = M (forward dynamics). Nothing in the pipeline is stateful beyond `work`; a force-only
// Evaluate leaves matrix and factors alone.
#ifndef HW_CABLE_CABLE_H
#define HW_CABLE_CABLE_H

#include "base/error.h"
#include "base/memory.h"
#include "hawser/cable.h"
#include "hawser/environment.h"
#include "hawser/math.h"

// ---- What a cable is made of

// Tension by strain (curve.c): rows that begin with 0, 0 and increase.
typedef struct hwCableCurve {
    int count; // 0: none
    const double *strains, *tensions;
} hwCableCurve;

// A stretch of cable with constant properties. Per length means per unstretched length.
typedef struct hwCableSection {
    double length;          // m, unstretched
    int elements;           // at the start, equally long
    double diameter;        // m, for drag, buoyancy, contact
    double massPerLength;   // kg/m
    double EA;              // N
    double EI;              // N m2, 0: none
    double GJ;              // N m2, 0: none
    double axialDamping;    // N s: T = EA e + c de/dt
    double bendingDamping;  // N m2 s: moment EI k + c dk/dt
    double torsionDamping;  // N m2 s: torque GJ tau + c dtau/dt
    double dragNormal;      // force 1/2 rho C d |vn| vn per stretched length
    double dragTangential;  // force 1/2 rho C pi d |vt| vt per stretched length
    double addedNormal;     // added mass rho C pi d^2/4 per length, across
    double addedTangential; // the same, along
    double compression;   // fraction of EA (and of the damping) that acts where the tension would be negative
    double breakTension;  // N, or +inf
    hwCableCurve curve;   // in place of EA, which is its first slope
    double lockCurvature; // 1/m at which a restrictor locks; 0: none
    double lockStiffness; // N m2 beyond it
    double minElement; // m, payout merges boundary elements shorter than this; 0: a tenth of length/elements
    double maxElement; // m, payout splits boundary elements longer than this; 0: 1.2 length/elements
} hwCableSection;

// A point mass or float. It moves with the cable's material and is shared by the two nodes around it.
typedef struct hwCableLump {
    double at;          // m, arc length from end a at the start
    double mass;        // kg
    double volume;      // m3, displaced
    double dragArea;    // m2, drag coefficient times area: force 1/2 rho A |v| v
    double addedVolume; // m3, added mass over density (a sphere: half its volume)
    double radius;      // m, half the height over which it goes under
} hwCableLump;

// Links held at their length by a controller instead of by EA and its damping (pid.c).
typedef struct hwCablePid {
    bool on;         // false: the cable is elastic
    double kp;       // N, on the relative error of a link's length
    double ki;       // N/s
    double kd;       // N s
    double friction; // kg/m2: force friction |u| u per unstretched length, in water
    double width;    // m: the same, times the water's density
} hwCablePid;

// A law of tension of the caller's own, see law.c.
typedef struct hwCableLaw {
    hwTensionFn* function; // null: EA and its damping
    void* context;
} hwCableLaw;

typedef struct hwCableSpec {
    const char* name; // for messages
    int sectionCount;
    const hwCableSection* sections; // end a first
    int lumpCount;
    const hwCableLump* lumps;
    int nodeCount;       // 0: equal elements in each section; otherwise nodes given by
    const double* nodes; // m, arc length of each node from 0 to the total length, increasing
    double reserve[2];   // m, most that may be paid out beyond the sections at end a, end b
    int spareNodes;      // further capacity, for refinement and for cutting at points between nodes
    int maxPorts;        // most ports used with hwCableWork_Factor
    hwCablePid pid;
    hwCableLaw law;
} hwCableSpec;

typedef struct hwCableModel {
    char name[64];
    int sectionCount;
    hwCableSection* sections;
    double* starts; // S at which a section starts, [sectionCount + 1], end of the last one included
    int lumpCount;
    hwCableLump* lumps; // `at` is the material coordinate
    int startNodes;     // nodes at the start
    double* startMaterial;
    int nodeCapacity; // most nodes a state of this model can hold
    int maxPorts;
    bool bends;         // some section has EI or damping of bending, or a restrictor
    bool curved, locks; // some section has a curve, a restrictor
    bool twists;        // some section has GJ
    hwCablePid pid;
    hwCableLaw law;
    double axialScale; // of EA: 1, less while statics makes cables soft; Refresh after a change
    double lockScale;  // likewise of what restrictors add
} hwCableModel;

// Finds every mistake in a spec. The error's index is the section, lump or node concerned.
hwStatus hwCableSpec_Check(const hwCableSpec* spec, hwError* error);
// Lays out and fills the model of a checked spec.
void hwCableModel_Layout(hwCableModel* model, const hwCableSpec* spec, hwArena* arena);
// Properties of the material between two points: lengths add up in series for EA, EI, GJ and their dampings,
// the rest is averaged.
hwCableSection hwCableModel_Average(const hwCableModel* model, double from, double to);
// The curve of the section that most of the material between two points belongs to; null: it has none.
const hwCableCurve* hwCableModel_FindCurve(const hwCableModel* model, double from, double to);
// Mass (kg, lumps included) of the material between two points.
double hwCableModel_GetMass(const hwCableModel* model, double from, double to);
// Whether a lump belongs to the material from..to. A lump at a cut belongs to the part towards end b.
bool hwCableModel_HasLump(const hwCableModel* model, int lump, double from, double to);

// ---- What changes with time

typedef struct hwCableCore {
    int32_t nodes;    // N + 1
    int32_t inserted; // of them, by Halve
    // rad, total twist between the clamps after the last accepted step, whole turns included: Evaluate picks
    // the turn nearest to it, and the caller stores work.twist here on acceptance.
    double twist;
    // m, length by which the boundary elements at a, b count as shorter than they are, since a node came or
    // went; fades, see hwCableInput.since.
    double relief[2];
    double fadeTime; // s, in which these and slack fade after another model has left them; 0: as ever
    double
        whole; // s, time until which it does not break: the wave that follows a break has to unload it first
    double seen[2]; // m, material coordinates of the ends when it was last seen which lumps are between them
} hwCableCore;

// Pointers into the caller's state block; arrays of model.nodeCapacity.
typedef struct hwCableState {
    hwCableCore* core;
    hwVec3* position; // m, world
    hwVec3* velocity; // m/s, world; of an end node with a winch: of the attachment, not of the material
    double* material; // m, S_i, increasing
    hwVec3* anchor;   // m, world: where the seabed friction spring of a node is tied (seabed.c)
    // m, length by which an element counts as shorter than it is, as core.relief for boundary elements, whose entry is 0
    double* slack;
    int32_t* level; // 0: a node of the mesh as given; k: inserted by the k-th halving of an element
    // m/s2, world, or null: goes along when nodes come and go, so that the mass times it stays what it was
    hwVec3* acceleration;
} hwCableState;

void hwCableState_Layout(hwCableState* state, const hwCableModel* model, hwArena* arena);
// The mesh of the spec, positions on a straight line from a to b, at rest, no twist.
void hwCableState_Start(const hwCableState* state, const hwCableModel* model, hwVec3 a, hwVec3 b);
// Copies a state of one model.
void hwCableState_Copy(const hwCableState* to, const hwCableState* from);
// Positions along a polyline, node by node in proportion to unstretched length. At least two points.
void hwCableState_Place(const hwCableState* state, const hwVec3* points, int count);
// Unstretched length, m.
double hwCableState_GetLength(const hwCableState* state);

// ---- How an end is held

typedef enum hwCableEndKind {
    HW_CABLE_FREE, // the end node is an ordinary node
    HW_CABLE_PIN,  // position and velocity of the end node are the caller's
    HW_CABLE_CLAMP // and so is the direction of the cable there
} hwCableEndKind;

typedef struct hwCableEnd {
    hwCableEndKind kind;
    // Pin, clamp. True: the motion is solved for together with the cable (the end is on a link); false: it is
    // known at the stage's time (earth, prescribed) and its increment is zero.
    bool unknown;
    // Pin, clamp. The holder may move: a body, a given motion. False: it stands still. See seabed.c.
    bool moves;
    // Clamp only. World axes. The tangent points along the cable from a to b at both ends.
    hwVec3 tangent; // unit
    hwVec3 normal;  // unit, at right angles to the tangent, turning with the clamp: zero of the twist angle
    hwVec3 rate;    // rad/s, angular velocity of the clamp
    // Winch.
    double payout;       // m/s, unstretched length that leaves the drum per second; negative hauls in
    double acceleration; // m/s2, its rate of change
    // In A only: factor (0..1] on the boundary element's axial stiffness, when the winch gives way to tension
    // within the stage; 0 counts as 1.
    double softening;
    bool fed; // a winch that turns or a sheave: the contact's cost of payout is asked for
    bool
        lies; // its boundary element touches something: a node that splits it goes on the chord, which does not lie in that
} hwCableEnd;

// ---- Evaluation

typedef struct hwCableInput {
    const hwFluidSample* fluid; // at each node; null: vacuum
    double gravity;             // m/s2, along -z
    double waterDensity;        // kg/m3
    double airDensity;          // kg/m3, drag above the surface; buoyancy and added mass of air are left out
    double surface;        // m, mean water level: the buoyancy potential is that of still water at this level
    const double* inertia; // kg, more at each node, without weight; null: none
    hwCableEnd ends[2];    // a, b
    bool matrix;           // also assemble A
    double hd;             // s, step size times the stage's coefficient
    double since;  // s, for which the state's slack and core.relief have faded since they were what they are
    bool foreseen; // slack elements that the last correction draws taut count as taut, see Foresee
    // Behavioural links only.
    const double* integral; // s, [element] of the relative error, without this stage's own part; null: zero
    double integralStep;    // s, what this stage adds is so much times the error
    double penalty;         // N, added to kp: statics
} hwCableInput;

// A symmetric 3x3 block: xx, xy, xz, yy, yz, zz.
typedef double hwCableBlock[6];

// Energies (J) and powers (W). Over any time
//   kinetic + gravity + stretch + bending + torsion
// grows by the integral of
//   payout + fading + control + fluid + turning - drag - damping + (work of end loads, of contact and of the caller's forces),
// exactly but for the time integration.
typedef struct hwCableEnergy {
    double kinetic; // added mass included
    double gravity; // weight and still-water buoyancy
    double stretch;
    double bending;
    double torsion;
    double drag;    // taken out by drag: force times velocity relative to the fluid, >= 0
    double damping; // taken out by internal damping, >= 0
    double fluid;   // put in by moving fluid: drag, acceleration force, waves' extra buoyancy
    double turning; // put in by added mass that turns with the tangent: Morison's force keeps no energy there
    double payout;  // put in by the winches: elastic, potential and kinetic energy of entering material
    double fading;  // put in by what elements count as shorter, as it fades
    double control; // put in by the integral part of behavioural links
    double payoutEnd[2]; // of it, at end a, b
    double
        stored; // W, at which motion, winches and fading change gravity, stretch, bending and torsion, and inertia the kinetic energy
} hwCableEnergy;

// Everything derived. Fields above the line are outputs to read; arrays have one entry per node or per
// element.
typedef struct hwCableWork {
    int nodes;         // of the state at the last Refresh
    hwVec3* force;     // N, on each node: everything but inertia. The caller may add to it
    double* tension;   // N, of each element, damping included
    double* length;    // m, of each element, stretched
    double* linkError; // behavioural links: (length - rest) / length of each, and
    double* linkRate;  // 1/s, its rate of change
    double twist;      // rad, total, whole turns included; 0 unless both ends are clamped
    double torque;     // N m, uniform along the cable, damping included
    hwVec3 moment[2];  // N m, world, on what a clamped end is fixed to, about the end point

    // ---- internal
    int capacity;
    int maxPorts;
    const hwCableModel* model;
    hwCableInput input; // of the last Evaluate, `fluid` null
    struct hwCableArrays* arrays;
} hwCableWork;

void hwCableWork_Layout(hwCableWork* work, const hwCableModel* model, hwArena* arena);

// Rebuilds what depends on the mesh; `work` keeps the pointer to the model. Needed after Start, InsertNode,
// RemoveNode, Cut, Remesh and restoring a state.
void hwCableWork_Refresh(hwCableWork* work, const hwCableModel* model, const hwCableState* state);

// Takes over the state's slack alone, after hwCableState_Fade or Relax.
void hwCableWork_TakeSlack(hwCableWork* work, const hwCableState* state);

// Forces at the state's positions and velocities, and the matrix if asked for. Rereads S_0 and S_N, so a
// stage may change them (hwCableState_Pay) without Refresh.
void hwCableWork_Evaluate(hwCableWork* work, const hwCableState* state, const hwCableInput* input);

// After a correction of Newton's method, the increments of the nodes' velocities, and before the evaluation that follows it:
// which slack elements it draws taut (slack.c). False: the last evaluation took elements to be taut that are not after
// this correction, so the correction must not be the last. `draws` becomes true where it draws some taut that were not so yet.
bool hwCableWork_Foresee(hwCableWork* work, const hwVec3* increment, bool* draws);

// Energies and powers at the state last evaluated. The payout of the winches counts, their end nodes' kinetic
// energy is that of the end, not of the material.
hwCableEnergy hwCableWork_GetEnergy(const hwCableWork* work);
// Powers only: what it says of energies is incomplete.
hwCableEnergy hwCableWork_GetPowers(const hwCableWork* work);

// The part of it that goes with one node: all nodes together give the kinetic and the potential (gravity, stretch, bending,
// torsion) energy of the cable.
typedef struct hwCableNodeEnergy {
    double kinetic, potential; // J
} hwCableNodeEnergy;
hwCableNodeEnergy hwCableWork_GetNodeEnergy(const hwCableWork* work, int node);
// Kinetic energy, weight and buoyancy that one of the model's lumps has, or would have, at a node, J.
double hwCableWork_GetLumpEnergy(const hwCableWork* work, int lump, int node);

// Adds to A at a node: the caller's -hd df/dv - hd^2 df/dx of a force on that node. Symmetric, not negative.
void hwCableWork_AddBlock(hwCableWork* work, int node, const hwCableBlock block);
// The same for a force at the point (1 - w) x_e + w x_(e+1) of element e; the force goes to the nodes with
// the same weights.
void hwCableWork_AddElementBlock(hwCableWork* work, int element, double w, const hwCableBlock block);
// Several of one element, summed first.
typedef struct hwElementBlocks {
    hwCableBlock first, cross, last; // at its first node, between both, at its last
} hwElementBlocks;
static inline void hwElementBlocks_Add(hwElementBlocks* sum, double w, const hwCableBlock block) {
    double a = (1.0 - w) * (1.0 - w), ab = w * (1.0 - w), b = w * w;
    for (int k = 0; k < 6; ++k) {
        sum->first[k] += a * block[k];
        sum->cross[k] += ab * block[k];
        sum->last[k] += b * block[k];
    }
}
void hwCableWork_AddElementBlocks(hwCableWork* work, int element, const hwElementBlocks* sum);

// v M a, W, over all nodes (M as of the last Evaluate).
double hwCableWork_GetInertialPower(const hwCableWork* work, const hwVec3* v, const hwVec3* a);

// out = M in, all nodes (M as of the last Evaluate).
void hwCableWork_MulMass(const hwCableWork* work, const hwVec3* in, hwVec3* out);
// Residual of an implicit stage v = target + hd M^-1 f: out = hd work.force - M (velocity - target), all
// nodes.
void hwCableWork_FillResidual(const hwCableWork* work, double hd, const hwVec3* velocity,
                              const hwVec3* target, hwVec3* out);
// out = A in for all nodes; rotation increments of clamps in inRotation (null: zero) and their rows in
// outRotation (null: not wanted). For tests and iterative solvers; A must have been assembled and not yet
// factored over.
void hwCableWork_MulMatrix(const hwCableWork* work, const hwVec3* in, const hwVec3 inRotation[2], hwVec3* out,
                           hwVec3 outRotation[2]);

// Force on what the end is attached to, given all nodes' accelerations: the end node's share of weight,
// inertia and drag included. The moment of a clamp is work.moment.
hwVec3 hwCableWork_GetEndForce(const hwCableWork* work, int end, const hwVec3* acceleration);

// The boundary element at an end as a freedom of its rest length sees it, after Evaluate. `rest` grows with what is paid
// out there while the nodes stay.
typedef struct hwCableBoundary {
    int outer, inner; // nodes
    hwVec3 into;      // unit, from the end into the cable
    double rest;      // m
    double stretch;   // length over rest length, relief included
    double slide;     // length over rest length: what of the payout rate is motion along the element
    double mass;      // kg
    double inertia;   // kg, along the element, added mass included
    double tension;   // N
    double stiffness; // N/m, tension lost per metre paid out
    double damping;   // N s/m, tension lost per payout rate
    double cost;     // N, energy needed per metre paid out but for inertia: minus the force that pulls it out
    double shortest; // m, rest length below which payout merges it
} hwCableBoundary;
hwCableBoundary hwCableWork_GetBoundary(const hwCableWork* work, int end);
// Shares of an element's inertia: of each node's own acceleration, and of the other node's.
extern const double hwCableMassShare, hwCableMassCoupling;

// Element whose tension exceeds so many times its breaking tension, of several the one that does so most, or -1.
int hwCableWork_FindBreak(const hwCableWork* work, double times);
// s in which a wave of tension goes along the cable.
double hwCableWork_GetWaveTime(const hwCableWork* work);

// Curvature vector (1/m, world, along the binormal) at a node; at a clamped end that of the clamp.
hwVec3 hwCableWork_GetCurvature(const hwCableWork* work, int node);

// ---- The linear system
//
// Unknowns in order: rotation of clamp a, x_0, x_1, ..., x_N, rotation of clamp b, three each; A is block
// pentadiagonal in this order (tridiagonal without bending), and torsion adds one rank-one term. What is kept
// are *separators*: an unknown end (its node, and the rotation when it is a clamp), and ports. A port keeps
// the two nodes of one element, because bending couples next-nearest nodes, and a body that touches the cable
// touches elements. Everything between separators is eliminated, segment by segment, each on its own; the
// system left over is block tridiagonal over the separators, in order from a to b. With no ports and one
// unknown end nothing is filled in (the elimination runs towards that end); otherwise the columns of the
// separator behind are carried along.

typedef struct hwCableReduced {
    int count; // separators
    int* size; // unknowns of each: 3 (pin, and clamp of a cable without bending and torsion), 6 (clamp:
               // translation of the end point, then rotation; port: x_e, then x_(e+1))
    double (*matrix)[6][6]; // symmetric diagonal blocks, world axes
    double (*next)[6][6];   // rows: this separator, columns: the next one
    double (*rhs)[6];       // filled by Reduce
    int index[2];           // separator of end a, b, or -1 when that end is not unknown
    // Torsion's rank-one term over the separators, matrix += twistScale t t^T. With at most two separators it
    // is already inside `matrix` and `next`, and twistScale is 0.
    double twistScale;
    double (*twist)[6];
} hwCableReduced;

// Eliminates. `ports` lists `portCount` elements, increasing, at least two nodes apart from each other and
// from unknown ends. The result belongs to `work` and is valid until the next Factor. Returns the number of
// pivots that were not positive and have been replaced; 0 unless the caller added indefinite blocks or the
// state is not finite.
int hwCableWork_Factor(hwCableWork* work, const int* ports, int portCount);
const hwCableReduced* hwCableWork_GetReduced(const hwCableWork* work);

// Reduces a right-hand side: `rhs` for all nodes (rows of known ends are not read), `rhsRotation` for clamps
// (null: zero; rows of known clamps are not read). `known` gives increments of known ends, translation then
// rotation (null: zero). Fills reduced.rhs.
void hwCableWork_Reduce(hwCableWork* work, const hwVec3* rhs, const hwVec3 rhsRotation[2],
                        double known[2][6]);

// Back substitution after Reduce: given the separators' increments (in the order of hwCableReduced, null when
// there are none) writes the increments of all nodes.
void hwCableWork_Solve(hwCableWork* work, double (*separators)[6], hwVec3* increment);

// Many right-hand sides at once, with the ends held and without those of links: columns.c.
#define HW_COLUMNS 12
// Whether it can be: there is one run of nodes, and no torsion.
bool hwCableWork_HasColumns(const hwCableWork* work);
// `x` [node][3][HW_COLUMNS]: right-hand sides, of which the first `count` are replaced by solutions. Those of nodes before `first` and
// behind `last` are zero; rows of held ends are not read, and become zero.
void hwCableWork_SolveColumns(const hwCableWork* work, int count, int first, int last, double* x);

// ---- Changing the mesh (the caller calls hwCableWork_Refresh after all of these but Pay)

// Pays out `length` m at an end (negative hauls in). Refuses, changing nothing, when less than a tenth of the
// shortest element allowed would be left in the boundary element.
bool hwCableState_Pay(const hwCableState* state, const hwCableModel* model, int end, double length);

// Splits and merges boundary elements that payout has made too long or too short, or that the coming step of
// `time` s at the rate held->payout would make too short; `held` is how the end is held. Tensions do not jump:
// halves keep the old strain, what a merged element is too short for its strain is remembered in core.relief.
// Sets `changed` when the mesh changed. Fails when a node would be needed that was not reserved, or the last
// element would have to go; state kept.
hwStatus hwCableState_Remesh(const hwCableState* state, const hwCableModel* model, int end,
                             const hwCableEnd* held, double time, bool* changed, hwError* error);
// Whether it would change the mesh, with held->payout = rate.
bool hwCableState_NeedsRemesh(const hwCableState* state, const hwCableModel* model, int end, double rate,
                              double time);

// Lets core.relief and slack fade for some time. Relax does so at the end of an accepted step, whose evaluations counted that time in
// hwCableInput.since, and drops what is not worth a digit of its length any more.
void hwCableState_Fade(const hwCableState* state, double time);
void hwCableState_Relax(const hwCableState* state, double time);

// New node at fraction `at` (0..1) of element e, on its chord, moving with the material. False: no capacity.
bool hwCableState_InsertNode(const hwCableState* state, const hwCableModel* model, int element, double at);
// Merges the two elements at an interior node; linear momentum is kept.
void hwCableState_RemoveNode(const hwCableState* state, const hwCableModel* model, int node);

// What elements count as shorter goes slowly from now on, by 5e-5 of the length a second.
void hwCableState_FadeSlowly(const hwCableState* state);

// What holds an end and pays out there, m/s.
typedef struct hwCableHold {
    bool held;
    double payout;
} hwCableHold;
// Stops all stretching by impulses along the elements, as far as held ends let it: between two that part, taut elements all
// stretch at one rate (impulse.c). `pivots` and `impulses` have room for a number of each element.
void hwCableState_StopStretching(const hwCableState* state, const hwCableModel* model,
                                 const hwCableHold holds[2], double* pivots, double* impulses);

// N, by which an element pulls by its stretch alone; 0: it does not.
double hwCableState_GetPull(const hwCableState* state, const hwCableModel* model, int e);
// Sets what an element counts as shorter so that it has this tension, N, not negative, where its nodes are. It goes by and by.
void hwCableState_Trim(const hwCableState* state, const hwCableModel* model, int e, double tension);
// Refinement where a cable lies on something (see docs/numerics.md, "Short elements where a cable touches"). Halve puts a
// node on the middle of an element's material and chord, so that rest lengths are the given ones over powers of two; both
// halves have its strain. False: no capacity. Join takes a node out that Halve has put in; the merged element has the mean
// strain of the two, and linear momentum is kept. CanJoin: both elements at the node are halves of the same one.
bool hwCableState_Halve(const hwCableState* state, const hwCableModel* model, int element);
bool hwCableState_CanJoin(const hwCableState* state, int node);
void hwCableState_Join(const hwCableState* state, const hwCableModel* model, int node);

// Cuts the cable at an interior node: `state` keeps nodes 0..node, `rest` (of the same model) gets node..N.
// Both have a copy of the node; they share its mass. Twist is lost.
void hwCableState_Cut(const hwCableState* state, const hwCableState* rest, int node);

// Radius of each element, m.
const double* hwCableWork_GetRadii(const hwCableWork* work);

// ---- Reading and loading at any arc length

// Element and fraction (0..1) of an arc length, clamped to the cable. Returns the element.
int hwCableState_Locate(const hwCableState* state, double s, double* fraction);

typedef struct hwCablePoint {
    hwVec3 position;  // m
    hwVec3 velocity;  // m/s
    hwVec3 tangent;   // unit
    hwVec3 curvature; // 1/m, d2x/dl2, towards the centre of curvature
} hwCablePoint;

// A curve through the nodes with continuous tangent (cubic Hermite, tangents by parabolas through three
// nodes).
hwCablePoint hwCableState_GetPoint(const hwCableState* state, double s);
// Any field given at the nodes, for example accelerations, interpolated as GetPoint does velocity.
hwVec3 hwCableState_Interpolate(const hwCableState* state, const hwVec3* field, double s);
// Adds a force at an arc length to the two nodes around it, so that its work is right for the chord's motion.
void hwCableState_AddForce(const hwCableState* state, double s, hwVec3 force, hwVec3* nodeForces);

// ---- Seabed (seabed.c)

// The bed of an end that is fixed to the earth in the bottom. Whatever holds the end has displaced the ground there,
// down to where the cable rests on it by its own weight; the bed rises evenly to the undisturbed bottom at `reach`.
typedef struct hwCableBed {
    hwVec3 place; // m, of the end
    double sink;  // m, of the bed below the bottom at the end, 0: none
    double reach; // m, horizontal
} hwCableBed;

typedef struct hwCableSeabed {
    double* height;       // m, of the bottom below each node; -inf: none
    const hwVec3* normal; // unit, upwards, at each node; null: +z
    double stiffness;     // Pa/m; contact area of a node: diameter times its unstretched length
    double damping;       // Pa s/m
    double friction;      // Coulomb coefficient
    hwCableBed beds[2];   // of ends a, b
} hwCableSeabed;

// The bed of an end fixed to the earth at `place`, `above` metres over a bottom of this stiffness, for a cable of this
// length, diameter and weight per length in the water.
hwCableBed hwCableBed_Make(hwVec3 place, double above, double length, double diameter, double weight,
                           double stiffness);
// Lowers the heights of the bottom below the nodes from `from` to before `to` to the beds of the ends.
void hwCableSeabed_LowerBeds(const hwCableSeabed* seabed, const hwCableState* state, int from, int to);

// What contact dissipates over some time is minus the integral of `power` minus the change of `elastic`.
typedef struct hwCableContact {
    int count;      // nodes that touch the bottom, elements that touch something else
    double elastic; // J, stored in normal and friction springs
    double power;   // W, of all contact forces on the nodes, relative to what they touch
    double moved;   // W, the same by the motion of what they touch
    double outside; // W, of that, what does not come from inside the world
    double force;   // N, sum of the normal forces
    double depth;   // m, largest overlap
    double cost
        [2]; // N, at ends a, b that are fed: what `elastic` grows by per metre paid out while the nodes stay
} hwCableContact;

// Adds contact to work.force and, when input.matrix was set, to A. Call after Evaluate.
hwCableContact hwCableWork_AddSeabed(hwCableWork* work, const hwCableState* state,
                                     const hwCableSeabed* seabed);

// A node on the bottom.
typedef struct hwCableTouchdown {
    double depth, volume;    // m, m3, of its share of the underside
    double elastic, damping; // N, of the normal force
    hwVec3 force, normal;    // N, on the node; unit, upwards
    bool slides;
} hwCableTouchdown;

// The energy that the bottom stores, J, for a work that was refreshed and may not have been evaluated since.
double hwCableWork_GetSeabedEnergy(const hwCableWork* work, const hwCableState* state,
                                   const hwCableSeabed* seabed);
// Whether a node is on the bottom; `touchdown` may be null.
bool hwCableWork_LiesOnSeabed(const hwCableWork* work, const hwCableState* state, const hwCableSeabed* seabed,
                              int node, hwCableTouchdown* touchdown);
// Moves the friction springs' anchors on after an accepted step. Call with the state of that step.
void hwCableWork_CommitSeabed(const hwCableWork* work, const hwCableState* state,
                              const hwCableSeabed* seabed);

// ---- Statics of one cable with known ends (statics.c)

typedef struct hwCableStatics {
    double tolerance;  // residual force over the largest tension or weight in the cable; 0: 1e-9
    int maxIterations; // 0: 2000
    // Fills fluid (input->fluid) and seabed heights for new positions; null: they do not depend on position.
    void (*sample)(void* context, const hwCableState* state);
    // Adds the caller's own forces to work->force; null: there are none.
    void (*load)(void* context, hwCableWork* work, const hwCableState* state);
    // The part (0..1] of a step from these positions that may be taken; null: all of it.
    double (*limit)(void* context, const hwCableState* state, const hwVec3* step);
    // True: it is to end where it is; null: never.
    bool (*stop)(void* context);
    void* context;
    const hwCableSeabed* seabed; // or null
    // results
    int iterations;
    double residual; // as `tolerance`
} hwCableStatics;

// What a residual force of a cable is measured against, N: the largest tension or the weight of an element; where the
// cable is so stiff that the rounding of positions alone makes more than `tolerance` of that, what makes it.
double hwCableWork_GetForceScale(const hwCableWork* work, const hwCableState* state, double gravity,
                                 double tolerance);

// Moves the nodes to equilibrium with velocities zero, ends as in `input`. On failure the state holds the
// best shape found and the error gives the residual.
hwStatus hwCableWork_SolveStatics(hwCableWork* work, const hwCableState* state, const hwCableInput* input,
                                  hwCableStatics* statics, hwError* error);

#endif
