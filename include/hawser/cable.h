/// @file cable.h
/// Cables: wires, chains, ropes, umbilicals, tethers; and the winches that pay them out.
///
/// A cable runs from end a (0) to end b (1). Arc lengths count unstretched metres from end a.
#ifndef HAWSER_CABLE_H
#define HAWSER_CABLE_H

#include "hawser/base.h"
#include "hawser/body.h"
#include "hawser/math.h"
#include "hawser/signal.h"
#include "hawser/tether.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Handle of a cable. Zero is null.
typedef struct hwCableId {
    uint32_t index;      ///< one-based slot; 0 is null
    uint32_t generation; ///< tells a new object in a reused slot from the old one
} hwCableId;

/// Handle of a force on a cable. Zero is null.
typedef struct hwCableForceId {
    uint32_t index;      ///< one-based slot; 0 is null
    uint32_t generation; ///< tells a new object in a reused slot from the old one
} hwCableForceId;

/// Handle of a winch. Zero is null.
typedef struct hwWinchId {
    uint32_t index;      ///< one-based slot; 0 is null
    uint32_t generation; ///< tells a new object in a reused slot from the old one
} hwWinchId;

/// How a cable is computed.
typedef enum hwCableKind {
    HW_CABLE_DYNAMIC, ///< lumped masses with stretch, bending, torsion, drag
    HW_CABLE_PID,     ///< nodes held at their distance by a controller (Brateau 2022)
    // Without inertia, in still water: forces on the ends follow from where these are. Nodes show the shape. Clamps hold
    // like pins, nothing acts between the ends, point masses are spread evenly; damping is c/EA of the stiffness along the chord.
    HW_CABLE_CATENARY, ///< elastic catenary, on the seabed where it touches
    HW_CABLE_VEE,      ///< two straight elastic halves, half of the weight where they meet
    HW_CABLE_LINE,     ///< one straight elastic line, half of the weight at either end
    /// Lies round the shapes of bodies with friction, its free spans bent by weight and current (hwWrapDef). Without inertia
    HW_CABLE_WRAP
} hwCableKind;

/// What HW_CABLE_WRAP does. The tether is a path of free spans and of arcs on the shapes of bodies, swept from step to step so
/// that it never passes through one. Material runs over an arc where the tensions beside it differ by more than
/// e^(friction angle), friction that of the two materials; slack stays where friction holds it. Free spans are bent by the
/// weight and the current at their middle: exact for either alone, a catenary about their sum for both. Inertia, waves and drag
/// along the tether are left out, and the seabed.
///
/// HW_WRAP_SEED instead follows the rules of thumb of seed 000, chapters 2 and 3: for scenes that compare. It has neither weight
/// nor drag but a direction (hwTether_GetSeedLoad), breaks into segments where it collides, slides there without friction until
/// it is stuck, and holds what is at its ends only where it is taut.
typedef enum hwWrapRules {
    HW_WRAP_FRICTION, ///< capstan friction on arcs
    HW_WRAP_SEED      ///< rules of seed 000
} hwWrapRules;

/// See hwWrapRules.
typedef struct hwWrapDef {
    hwTetherBend
        bend; ///< shape of free spans: a line has no sag and is a rubber band, the others keep their length
    hwWrapRules rules;      ///< what happens where it touches something
    double buoyancy;        ///< HW_WRAP_SEED: -1 (sinks) to 1 (floats)
    double greatestCurrent; ///< m/s, HW_WRAP_SEED: in a current as strong as this it neither sinks nor floats
    bool linearDepth; ///< HW_WRAP_SEED: depth changes evenly along it (2.4.1), not with the bend (2.4.2)
    double
        stuckAngle; ///< rad, HW_WRAP_SEED: stuck when the first and the last normal are farther apart; inf: never
    int stuckCount; ///< HW_WRAP_SEED: stuck from so many collisions on; 0: however many
} hwWrapDef;

/// How a section tires, for reports: no motion depends on it. The stress at a point of its circumference is
/// tensionStress T + bendingStress k, k the curvature towards that point; a cycle of range S is borne 10^logA S^-slope times.
typedef struct hwCableFatigueDef {
    double slope;         ///< m; 0: not known, and nothing is counted
    double logA;          ///< log10 of the intercept, for stresses in the unit that the two factors give
    double kneeLife;      ///< cycles beyond which the second slope holds; 0: never
    double kneeSlope;     ///< m there
    double tensionStress; ///< stress per N of tension: 1e-6/A for MPa, or 1/break for a T-N curve
    double bendingStress; ///< stress m, per 1/m of curvature: 1e-6 E r for MPa; 0: tension alone
} hwCableFatigueDef;

/// A stretch of cable with constant properties. Start from hwDefaultCableSectionDef(). Per length means per unstretched
/// length.
typedef struct hwCableSectionDef {
    double length;   ///< m, unstretched
    int elements;    ///< at least one
    double grading;  ///< length of its last element over that of its first, in equal ratios; 1: all equal
    double diameter; ///< m
    double massPerLength;   ///< kg/m
    double EA;              ///< N
    double EI;              ///< N m2
    double GJ;              ///< N m2
    double axialDamping;    ///< N s: tension EA e + c de/dt
    double bendingDamping;  ///< N m2 s
    double torsionDamping;  ///< N m2 s
    double dragNormal;      ///< 1/2 rho C d |vn| vn per stretched length
    double dragTangential;  ///< 1/2 rho C pi d |vt| vt per stretched length
    double addedNormal;     ///< added mass rho C pi d^2/4 per length, across
    double addedTangential; ///< likewise, along
    double compression;     ///< fraction of EA that acts in compression: 1 a bar, 0 a chain
    double breakTension;    ///< N; the cable parts where its tension exceeds this; +inf: never
    /// Tension by strain in place of EA, HW_CABLE_DYNAMIC: straight lines between rows that begin with 0, 0 and increase, the last
    /// going on. The energy stored is the area below it; damping adds to it; shortened, the first row's slope acts as EA does.
    int curveCount;              ///< rows, at least two; 0: none
    const double* curveStrains;  ///< of the rows
    const double* curveTensions; ///< N, of the rows
    double lockRadius;    ///< m, radius at which a bend restrictor round it locks; 0: none. HW_CABLE_DYNAMIC
    double lockStiffness; ///< N m2 against bending further, beside EI
    double bendRadius;    ///< m, least allowed radius of bending, for reports alone; 0: not known
    hwCableFatigueDef fatigue; ///< its S-N curve; all zero: none
    double minElement;         ///< m, payout merges boundary elements shorter than this; 0: chosen
    double maxElement;         ///< m, payout splits boundary elements longer than this; 0: chosen
    const char* material;      ///< name of a material of the world for contact, or null
} hwCableSectionDef;

/// No stiffness against bending and torsion, drag 1.2 and 0.01, added mass 1 and 0, does not break.
HW_API hwCableSectionDef hwDefaultCableSectionDef(void);

/// A bend stiffener: a cone of an elastic material round a cable at a clamped end, thick at the end. Start from zero.
typedef struct hwStiffenerDef {
    double length;  ///< m, along the cable
    double root;    ///< m, outer diameter at the end
    double tip;     ///< m, outer diameter at its other end
    double young;   ///< Pa, of its material
    double density; ///< kg/m3, of its material
    int pieces;     ///< sections of one element each that it becomes, at least one
} hwStiffenerDef;

/// The sections of a cable with a bend stiffener round it, `pieces` of them, from end a to end b, `root` first where
/// `atEndA`. Bending stiffness E pi/64 (D^4 - d^4), mass and outer diameter D add to those of `line`, whose diameter d is its bore;
/// each piece has the mean flexibility, mass and volume of its length. The line's own section is shorter by them. Fails
/// unless lengths and stiffness are positive and root and tip not thinner than the line.
HW_API hwStatus hwMakeStiffener(const hwStiffenerDef* def, const hwCableSectionDef* line, bool atEndA,
                                hwCableSectionDef* pieces, hwError* error);

/// Where a law of tension is evaluated: an element.
typedef struct hwTensionInput {
    double strain;  ///< stretched over unstretched length, less 1
    double rate;    ///< 1/s, of the strain
    double EA;      ///< N, of the section
    double damping; ///< N s, of the section
} hwTensionInput;

/// What a law of tension gives; all zero when the law is called.
typedef struct hwTensionOutput {
    double tension;   ///< N; negative: compression
    double stiffness; ///< N, derivative of the tension by the strain
    double damping;   ///< N s, derivative of the tension by the strain's rate
} hwTensionOutput;

/// How a cable answers to being stretched, in place of EA e + c de/dt. Must depend on its arguments only and be without
/// jumps; the derivatives may be approximate, see hwForceFn. Elements that are folded up are kept apart as without it.
typedef void hwTensionFn(const hwTensionInput* input, hwTensionOutput* output, void* context);

/// How an end is held.
typedef enum hwAttachKind {
    HW_ATTACH_FREE, ///< not at all
    HW_ATTACH_PIN,  ///< position only
    HW_ATTACH_CLAMP ///< position, direction and twist
} hwAttachKind;

/// What an end of a cable is attached to.
typedef struct hwCableEndDef {
    hwAttachKind joint; ///< free, pin or clamp
    hwBodyId body;      ///< null: the earth
    hwVec3 at;          ///< m, body frame, or world on the earth; of a free end: where it starts, if `placed`
    bool
        placed; ///< free end: it starts at `at`; else straight on from a clamp where EI > 0, or straight down from the other end
    hwSignal path; ///< m, world: on the earth, `at` as a function of time; absent: it stays
    hwVec3 p1; ///< clamp: direction in the body's frame (world on the earth) against which twist is measured
    hwVec3 p2; ///< clamp: likewise, with p1 x p2 the cable's tangent from a to b
} hwCableEndDef;

/// A point mass, clump or float on a cable.
typedef struct hwCableMassDef {
    double at;       ///< m, arc length
    double mass;     ///< kg
    double diameter; ///< m, of a sphere: its volume, drag (coefficient 0.47) and added mass (half its volume)
} hwCableMassDef;

/// Shape at the start.
typedef enum hwCableShape {
    HW_CABLE_STRAIGHT,       ///< a straight line between the ends
    HW_CABLE_CATENARY_SHAPE, ///< an elastic catenary in still water, on the seabed where it touches
    HW_CABLE_POINTS,         ///< through given points
    HW_CABLE_NODES           ///< a point for each node, however that stretches the elements
} hwCableShape;

/// Description of a cable. Start from hwDefaultCableDef(); pointers are borrowed until Add returns.
typedef struct hwCableDef {
    const char* name;                  ///< unique in the world
    hwCableKind kind;                  ///< how it is computed
    hwWrapDef wrap;                    ///< HW_CABLE_WRAP
    int sectionCount;                  ///< at least one
    const hwCableSectionDef* sections; ///< end a first
    hwCableEndDef ends[2];             ///< a, b
    hwCableShape shape;                ///< at the start
    int pointCount;           ///< HW_CABLE_POINTS: at least two; HW_CABLE_NODES: one more than elements
    const hwVec3* points;     ///< m, world, from a to b; the ends are where they are attached
    const hwVec3* velocities; ///< m/s, HW_CABLE_NODES: of each node at the start; null: as their ends
    double
        refine; ///< length of its elements where it begins to touch the bottom or an obstacle at the start,
                ///< over that of its longest; 1: as the sections say. Without winches and sheaves
    /// Most nodes that are inserted while it runs where it touches shapes of bodies, and removed again when it has left
    /// them. -1: up to 128, where there are shapes; 0: none
    int contactNodes;
    int massCount;                ///< entries of `masses`
    const hwCableMassDef* masses; ///< point masses, clumps and floats
    double reserve[2]; ///< m of cable that a winch at end a, b may pay out beyond the sections; 0: chosen
                       ///< from the winch's set point and the world's horizon
    int cuts; ///< how often it may be cut or part while running; memory is reserved for it. When it should part once
        ///< more, the run fails; -1: twice where a section has a breakTension, else never
    // HW_CABLE_PID: tension of a link kp e + kd de/dt + ki integral(e), e its length's error relative to its length.
    // NaN: chosen from the cable's mass and link length, and the friction from the sections' normal drag.
    double pidProportional; ///< kp, N
    double pidIntegral;     ///< ki, N/s
    double pidDerivative;   ///< kd, N s
    double pidFriction;     ///< kg/m, force f |u| u on each node in water
    hwTensionFn*
        tension; ///< HW_CABLE_DYNAMIC: a law of tension of the caller's own, or null. Shapes at the start and
                 ///< stored energy go by EA, which should be about its stiffness
    void* tensionContext; ///< given to `tension`; branches give the same
    hwFilter filter;      ///< which shapes and cables it touches; the seabed is of every category
    void* userData;       ///< the caller's own; never read by the library
    int cookie;           ///< set by hwDefaultCableDef
} hwCableDef;

/// A dynamic cable, straight, with free ends.
HW_API hwCableDef hwDefaultCableDef(void);

/// Adds a cable. On failure returns a null id and leaves the world as it was.
HW_API hwCableId hwWorld_AddCable(hwWorld* world, const hwCableDef* def, hwError* error);
/// Removes a cable with its winches, sheaves, forces and events.
HW_API hwStatus hwWorld_RemoveCable(hwWorld* world, hwCableId cable, hwError* error);
/// Goes on with a cable as another model: HW_CABLE_DYNAMIC, HW_CABLE_PID or HW_CABLE_WRAP (by friction, `wrap` or null: as the def
/// has it). Between steps, in a prepared world. Its length, its ends, what they are attached to and their tensions stay, and what
/// it is wound round: a new path is the tight one of the old curve's homotopy class, and new nodes lie along the old curve. Nodes
/// that had no inertia move as their ends do, in proportion. What the cable's energy changes by counts as work. Allocates, and
/// numbers channels and inputs anew: who reads them by number looks them up again. What cables with nodes remember of their contacts
/// goes on, but for friction between cables. Length that does not fit, as of links of a controller that are off theirs, goes at 5e-5
/// of the length a second. When the new model cannot be built the cable stays as it was; when its forces cannot be computed
/// the world is no longer prepared, and hwWorld_Prepare goes on with the model that it had.
HW_API hwStatus hwCable_SetModel(hwWorld* world, hwCableId cable, hwCableKind kind, const hwWrapDef* wrap,
                                 hwError* error);
/// Finds a cable by name. Null id when there is none.
HW_API hwCableId hwWorld_FindCable(const hwWorld* world, const char* name);
/// Name, or "" for an invalid handle.
HW_API const char* hwCable_GetName(const hwWorld* world, hwCableId cable);
/// Cables in the order of their slots, and parts that have been cut off them: fills up to `capacity` and returns how many
/// there are.
HW_API int hwWorld_GetCables(const hwWorld* world, int capacity, hwCableId* cables);
/// True while the handle refers to a cable of this world.
HW_API bool hwCable_IsValid(const hwWorld* world, hwCableId cable);
/// The cable as it was described, owned by the world; null for an invalid handle. Of a part that was cut off, that of the
/// whole.
HW_API const hwCableDef* hwCable_GetDef(const hwWorld* world, hwCableId cable);
/// The caller's own pointer; null for an invalid handle. Parts that are cut off begin with that of the whole.
HW_API void* hwCable_GetUserData(const hwWorld* world, hwCableId cable);
/// Replaces it. False for an invalid handle.
HW_API bool hwCable_SetUserData(hwWorld* world, hwCableId cable, void* userData);

/// Holds a free end from now on. It may be up to one element's length away from where it will be held: the difference is
/// taken up within a second, without a jerk. Refused when it is farther.
HW_API hwStatus hwCable_Attach(hwWorld* world, hwCableId cable, int end, const hwCableEndDef* def,
                               hwError* error);
/// Lets an end go.
HW_API hwStatus hwCable_Detach(hwWorld* world, hwCableId cable, int end, hwError* error);
/// Cuts the cable at an arc length. The part towards end b becomes a cable of its own, whose handle is returned in
/// `rest` when that is not null.
HW_API hwStatus hwCable_Cut(hwWorld* world, hwCableId cable, double at, hwCableId* rest, hwError* error);

/// Moves an end that is attached to the earth by hand: position, velocity and acceleration from now on. For callers who
/// advance a cable and what it hangs on in different programs.
HW_API hwStatus hwCable_SetEndMotion(hwWorld* world, hwCableId cable, int end, hwVec3 position,
                                     hwVec3 velocity, hwVec3 acceleration, hwError* error);
/// Turns a clamp on the earth by hand: its directions as in hwCableEndDef and its angular velocity (rad/s), world axes,
/// from now on.
HW_API hwStatus hwCable_SetEndTurn(hwWorld* world, hwCableId cable, int end, hwVec3 p1, hwVec3 p2,
                                   hwVec3 rate, hwError* error);
/// Lets an end on the earth go on by hand from where it is, with a constant velocity (m/s) and, of a clamp, a constant
/// angular velocity (rad/s), world axes, and sums up from now on what it passes to what it is attached to. A jump of the
/// velocity is a blow: the nodes near by feel it, and the end's impulse begins with it. For exchanges that keep energy, see
/// exchange.h.
HW_API hwStatus hwCable_GuideEnd(hwWorld* world, hwCableId cable, int end, hwVec3 velocity, hwVec3 rate,
                                 hwError* error);
/// What a guided end has passed on since hwCable_GuideEnd: the integrals of its force (N s) and moment (N m s), world axes.
HW_API hwStatus hwCable_GetEndImpulse(const hwWorld* world, hwCableId cable, int end, hwVec3* linear,
                                      hwVec3* angular, hwError* error);
/// What an end on the earth will pull with, on average within the next `interval` seconds, if it goes on with its velocity:
/// force and moment (world axes) on what it is attached to, and how much less that is for a velocity that is greater by
/// one (translation, then rotation of a clamp): 6 x 6 numbers in N s/m, N s, N m s, symmetric and not negative. The other
/// end is taken to go on as it does. Given to hwBody_ApplyWrench and hwBody_ApplyImpedance they make an exchange between
/// two programs that bears long intervals as long as the wire stays taut or slack within each; exchange.h has one that
/// bears all.
HW_API hwStatus hwCable_PredictEndLoad(const hwWorld* world, hwCableId cable, int end, double interval,
                                       hwVec3* force, hwVec3* moment, double impedance[6][6], hwError* error);

/// A look at a cable's nodes and elements, world axes. Valid until the world changes.
typedef struct hwCableView {
    int nodeCount;            ///< from end a to end b
    const hwVec3* positions;  ///< m
    const hwVec3* velocities; ///< m/s
    int elementCount;         ///< nodeCount - 1
    const double* tensions;   ///< N
    const double* lengths;    ///< m, stretched
    double length;            ///< m, unstretched
    double twist;             ///< rad, between the clamps, whole turns included
    const double*
        materials; ///< m, unstretched: where on the material each node is, from where end a was at the start
} hwCableView;

/// Reads all nodes and elements at once.
HW_API hwStatus hwCable_GetView(const hwWorld* world, hwCableId cable, hwCableView* out, hwError* error);

/// Curvature at each node, clamps included: a vector (1/m, world axes) along the axis about which the cable bends there, from a
/// to b. Fills up to `capacity`. NaN for a straight line.
HW_API hwStatus hwCable_GetCurvatures(const hwWorld* world, hwCableId cable, int capacity, hwVec3* curvatures,
                                      hwError* error);

/// A point of a cable, world axes.
typedef struct hwCablePointState {
    hwVec3 position;     ///< m
    hwVec3 velocity;     ///< m/s
    hwVec3 acceleration; ///< m/s2
    hwVec3 tangent;      ///< unit, from a to b
    hwVec3 curvature;    ///< 1/m, towards the centre of curvature
} hwCablePointState;

/// Reads any point by its arc length.
HW_API hwStatus hwCable_GetPoint(const hwWorld* world, hwCableId cable, double at, hwCablePointState* out,
                                 hwError* error);

/// Force and moment that the cable exerts on what its end is attached to, world axes, about the end point; the end
/// node's share of weight, inertia and drag included.
HW_API hwStatus hwCable_GetEndLoad(const hwWorld* world, hwCableId cable, int end, hwVec3* force,
                                   hwVec3* moment, hwError* error);

/// Adds a force (N, world) at an arc length until hwCable_ClearForces.
HW_API hwStatus hwCable_ApplyForce(hwWorld* world, hwCableId cable, double at, hwVec3 force, hwError* error);
/// Removes what hwCable_ApplyForce has added.
HW_API hwStatus hwCable_ClearForces(hwWorld* world, hwCableId cable, hwError* error);

/// Adds mass (kg) at an arc length until hwCable_ClearMasses: inertia without weight, as water that goes along has it. For
/// callers with a model of the water of their own.
HW_API hwStatus hwCable_AddMass(hwWorld* world, hwCableId cable, double at, double mass, hwError* error);
/// Removes what hwCable_AddMass has added.
HW_API hwStatus hwCable_ClearMasses(hwWorld* world, hwCableId cable, hwError* error);

/// Where a force law on a cable is evaluated, world axes.
typedef struct hwCableForceInput {
    double time;              ///< s
    int nodeCount;            ///< from end a to end b
    const hwVec3* positions;  ///< m, of the nodes
    const hwVec3* velocities; ///< m/s, of the nodes
    const double* materials;  ///< m, unstretched, increasing: the first is end a's
} hwCableForceInput;

/// What a force law on a cable gives, by node, world axes; all zero when the law is called.
typedef struct hwCableForceOutput {
    hwVec3* forces; ///< N
    double (*damping)
        [6]; ///< N s/m: xx xy xz yy yz zz of minus the derivative of the node's force by its velocity
    double (*stiffness)[6]; ///< N/m: likewise by its position
} hwCableForceOutput;

/// A force law of the caller's own on the nodes of a cable. Must depend on its arguments only. The matrices may be left zero
/// or be approximate, see hwForceFn.
typedef void hwCableForceFn(const hwCableForceInput* input, hwCableForceOutput* output, void* context);

/// A force by signal at an arc length, or by a law of the caller's own on all nodes. Start from hwDefaultCableForceDef().
typedef struct hwCableForceDef {
    hwCableId cable;          ///< which
    double at;                ///< m, arc length
    hwSignal force;           ///< N, world
    hwCableForceFn* function; ///< a law that acts on the nodes as well, or null; `at` does not matter to it
    void* functionContext;    ///< given to `function`; branches give the same
    void* userData;           ///< the caller's own; never read by the library
    int cookie;               ///< set by hwDefaultCableForceDef
} hwCableForceDef;

/// No force.
HW_API hwCableForceDef hwDefaultCableForceDef(void);
/// Adds a force on a cable. Its handle is in hwWorld_GetCableForces, told by its user data.
HW_API hwStatus hwWorld_AddCableForce(hwWorld* world, const hwCableForceDef* def, hwError* error);
/// Removes a force on a cable. The world must be prepared again before the next step.
HW_API hwStatus hwWorld_RemoveCableForce(hwWorld* world, hwCableForceId force, hwError* error);
/// Forces on cables in the order of their slots: fills up to `capacity` and returns how many there are.
HW_API int hwWorld_GetCableForces(const hwWorld* world, int capacity, hwCableForceId* forces);
/// True while the handle refers to a force on a cable of this world.
HW_API bool hwCableForce_IsValid(const hwWorld* world, hwCableForceId force);
/// The force as it was described, owned by the world; null for an invalid handle.
HW_API const hwCableForceDef* hwCableForce_GetDef(const hwWorld* world, hwCableForceId force);
/// The caller's own pointer; null for an invalid handle.
HW_API void* hwCableForce_GetUserData(const hwWorld* world, hwCableForceId force);
/// Replaces it. False for an invalid handle.
HW_API bool hwCableForce_SetUserData(hwWorld* world, hwCableForceId force, void* userData);

/// What an event does to a cable.
typedef enum hwCableEventKind {
    HW_CABLE_EVENT_DETACH, ///< lets an end go
    HW_CABLE_EVENT_ATTACH, ///< holds an end
    HW_CABLE_EVENT_CUT     ///< cuts it
} hwCableEventKind;

/// Something that happens to a cable at a time. Start from hwDefaultCableEventDef().
typedef struct hwCableEventDef {
    double time;           ///< s
    hwCableId cable;       ///< which cable
    hwCableEventKind kind; ///< what happens
    int end;               ///< detach, attach: 0 or 1
    hwCableEndDef attach;  ///< attach: to what
    double
        within; ///< attach: m; not at `time` but from then on, as soon as the end comes this near; 0: at `time`
    double
        below; ///< detach: N; from `time` on, as soon as the end's boundary element pulls less than this; 0: at `time`
    double at;  ///< cut: m, arc length
    int cookie; ///< set by hwDefaultCableEventDef
} hwCableEventDef;

/// An event that lets end a go at time 0.
HW_API hwCableEventDef hwDefaultCableEventDef(void);
/// Schedules an event. One that turns out to be impossible ends the step with an error.
HW_API hwStatus hwWorld_AddCableEvent(hwWorld* world, const hwCableEventDef* def, hwError* error);

/// What happened to a cable by itself.
typedef enum hwIncidentKind {
    HW_INCIDENT_SLACK,    ///< an attached end pulls with less than a hundredth of its mean of
                          ///< about ten seconds, and with less than a twentieth for 0.1 s; value: 0
    HW_INCIDENT_TAUT,     ///< and became taut again; value: N, largest tension there within a second
    HW_INCIDENT_PARTED,   ///< it broke; value: m, arc length where
    HW_INCIDENT_ATTACHED, ///< an end was caught, see hwCableEventDef; value: m, distance at that time
    HW_INCIDENT_DETACHED  ///< an end was let go, see hwCableEventDef; value: N, tension there
} hwIncidentKind;

/// Something that happened to a cable while running.
typedef struct hwIncident {
    double time;         ///< s
    hwIncidentKind kind; ///< what
    int end;             ///< 0: a, 1: b; -1: along the cable
    hwCableId cable;     ///< whose
    double value;        ///< see hwIncidentKind
} hwIncident;

/// The last incidents in the order of time: fills up to `capacity` of at most 256 that are kept. Returns how many there
/// have been since Prepare.
HW_API int hwWorld_GetIncidents(const hwWorld* world, int capacity, hwIncident* incidents);

// Winches --------------------------------------------------------------------------------------------------------------

/// What a winch holds.
typedef enum hwWinchMode {
    HW_WINCH_VELOCITY, ///< the rate of payout
    HW_WINCH_TENSION   ///< the tension of the boundary element, paying out above the set point
} hwWinchMode;

/// Description of a winch. Start from hwDefaultWinchDef().
typedef struct hwWinchDef {
    const char* name;    ///< unique in the world
    hwCableId cable;     ///< that it hauls
    int end;             ///< 0: end a, 1: end b
    hwWinchMode mode;    ///< what the set point is
    hwSignal setpoint;   ///< m/s of payout, or N
    double kp;           ///< tension mode: payout rate in m/s per N
    double ki;           ///< per N s
    double kd;           ///< per N/s
    double acceleration; ///< m/s2, largest rise of the payout rate
    double deceleration; ///< m/s2, negative, largest fall
    double drumInertia;  ///< kg m2; 0: the drum follows at once
    double drumRadius;   ///< m
    double brake;        ///< N m; the drum stands while the line pulls less than this; 0: no brake
    double
        spring; ///< N/m; tension mode: the tension it holds rises by this with each metre that is out more than at
                ///< the start: a passive heave compensator; 0: constant tension
    hwBodyId follow;   ///< velocity mode: active heave compensation of a point of this body; null: none
    hwVec3 followAt;   ///< m, body frame: that point, whose rise is paid out, whose fall is hauled in
    double followGain; ///< m paid out per metre of rise: the number of falls; 1 for a single line
    double longest;    ///< m, most unstretched cable that may be out; 0: twice the cable's length
    void* userData;    ///< the caller's own; never read by the library
    int cookie;        ///< set by hwDefaultWinchDef
} hwWinchDef;

/// Velocity mode at rest, 3 m/s2 either way, a gain of 1.
HW_API hwWinchDef hwDefaultWinchDef(void);
/// Adds a winch. On failure returns a null id and leaves the world as it was.
HW_API hwWinchId hwWorld_AddWinch(hwWorld* world, const hwWinchDef* def, hwError* error);
/// Takes a winch away; the cable's length stays.
HW_API hwStatus hwWorld_RemoveWinch(hwWorld* world, hwWinchId winch, hwError* error);
/// Finds a winch by name. Null id when there is none.
HW_API hwWinchId hwWorld_FindWinch(const hwWorld* world, const char* name);
/// Winches in the order of their slots: fills up to `capacity` and returns how many there are.
HW_API int hwWorld_GetWinches(const hwWorld* world, int capacity, hwWinchId* winches);
/// True while the handle refers to a winch of this world.
HW_API bool hwWinch_IsValid(const hwWorld* world, hwWinchId winch);
/// The winch as it was described, owned by the world; null for an invalid handle.
HW_API const hwWinchDef* hwWinch_GetDef(const hwWorld* world, hwWinchId winch);
/// The caller's own pointer; null for an invalid handle.
HW_API void* hwWinch_GetUserData(const hwWorld* world, hwWinchId winch);
/// Replaces it. False for an invalid handle.
HW_API bool hwWinch_SetUserData(hwWorld* world, hwWinchId winch, void* userData);
/// Changes mode and set point while running; a constant replaces the def's signal.
HW_API hwStatus hwWinch_SetTarget(hwWorld* world, hwWinchId winch, hwWinchMode mode, double setpoint,
                                  hwError* error);
/// Changes gains while running.
HW_API hwStatus hwWinch_SetGains(hwWorld* world, hwWinchId winch, double kp, double ki, double kd,
                                 hwError* error);
/// Changes acceleration (> 0) and deceleration (< 0) limits while running.
HW_API hwStatus hwWinch_SetLimits(hwWorld* world, hwWinchId winch, double acceleration, double deceleration,
                                  hwError* error);
/// Changes how much of the followed point's rise is paid out, while running; 0 switches compensation off.
HW_API hwStatus hwWinch_SetCompensation(hwWorld* world, hwWinchId winch, double gain, hwError* error);
/// Payout rate (m/s) and tension of the boundary element (N) now.
HW_API hwStatus hwWinch_GetState(const hwWorld* world, hwWinchId winch, double* rate, double* tension,
                                 hwError* error);

/// Called after each sub-step of a cable. Cables that share nothing with one another are stepped apart: then the world that is
/// given has no other cable, and only hwWorld_GetTime, hwWorld_GetSeabed and the hwCable_ calls that read this cable may be
/// used, and calls for different cables may come from several threads at once.
typedef void hwCableObserverFn(const hwWorld* world, hwCableId cable, void* context);

/// Watches the solver's own steps cable by cable, for example for ranges of tension; null ends it.
HW_API void hwWorld_SetCableObserver(hwWorld* world, hwCableObserverFn* observer, void* context);

#ifdef __cplusplus
}
#endif
#endif
