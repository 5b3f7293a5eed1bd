// The one interface of the parts of a world (src/parts): a part is a table of functions, each of which may be null. Adding
// a part is one row in parts.c and a pointer for each of its slices in world.h. The conductor (src/world) calls parts by
// this interface alone, and parts do not know one another: what they exchange is in world.h (links), cable_slots.h and
// contact_rules.h.
#ifndef HW_WORLD_PART_H
#define HW_WORLD_PART_H

#include "world/world.h"

#include <stddef.h>
#include <stdint.h>

// Where in a hwModel, hwState or hwWork the pointer to a part's slice is, and how large the slice is; size 0: none.
typedef struct hwSlice {
    size_t offset, size;
} hwSlice;

#define HW_SLICE(Owner, field)                                                                               \
    { offsetof(Owner, field), sizeof(*((Owner*)0)->field) }

// Where numbers of objects in the model are; `pool` 0: nowhere.
typedef struct hwNumberPlace {
    size_t pool, number;
} hwNumberPlace;

struct hwCableHooks;   // cable_slots.h
struct hwContactSum;   // contact_rules.h
struct hwTableBuilder; // record/channels.h

// The name of a freedom in messages.
#define HW_PART_NAME 72
typedef struct hwFreedomName {
    const char* object;
    char part[HW_PART_NAME]; // "node 3 (elements 2 and 3)", or "it"
    int node;                // of a cable, -1: none
} hwFreedomName;

// Sums of energies over parts.
typedef struct hwEnergySum {
    hwEnergy energy;
    double endPower; // W, through the ends of cables, in and out
    double found;    // J of `energy`, stored in contacts of cables, which are found anew for each step
    double stored;   // J of `energy`, whose rate of change rateStored gives
} hwEnergySum;

// How far Newton's last correction is from being small enough: at most 1.
typedef struct hwNewtonChange {
    double all;
    double places; // of cable nodes, by itself
    bool
        strict; // a correction that is not small must not be taken: what it adds to some would not be taken from others
} hwNewtonChange;

// Oscillators that a link's velocity v drives and that push it back: r' = v - 2 e r - w^2 s, s' = r, force -sum of c r, each for six
// modes (hydro/radiation.h). The linear analysis has them answer a motion by its frequency.
typedef struct hwLineSet {
    int link; // of one joint with six freedoms
    int count;
    const double *frequencies, *widths; // [line] rad/s; w, e
    const double (*weights)[36];        // [line] c
    hwMat3 axes;                        // of the modes, in the world's
    int variables;                      // first auxiliary variable: [mode][line][r, s]
    int place;                          // likewise: x, and three on y, of the link from its mean place
} hwLineSet;

typedef struct hwPart {
    const char* name;
    hwSlice model, state, work;
    const struct hwCableHooks* cables; // what the part does to cables

    // Objects ------------------------------------------------------------------------------------------------------

    // Copies the objects to a branch, with their handles.
    hwStatus (*copy)(hwWorld* branch, const hwWorld* world, hwError* error);
    // Objects that know their number in the model, an int: where their pool is in a hwWorld, and the number in an object.
    hwNumberPlace numbers;
    // Refuses that a body is removed on which something of the part depends.
    hwStatus (*checkDropBody)(const hwWorld* world, hwBodyId body, hwError* error);
    // A body is removed, and what belongs to it.
    void (*dropBody)(hwWorld* world, hwBodyId body);

    // Prepare, in the order of hwPartsByLayout -----------------------------------------------------------------------

    // Takes the arrays of the model; run twice, see hwArena.
    void (*layModel)(const hwWorld* world, hwArena* arena, hwModel* model);
    // Once the links are known: numbers coordinates, freedoms and auxiliary variables.
    void (*fillModel)(const hwWorld* world, hwModel* model);
    // Checks names before anything is built from them.
    hwStatus (*checkModel)(const hwWorld* world, hwModel* model, hwError* error);
    // Builds what has allocations of its own, freed by freeModel.
    hwStatus (*buildModel)(const hwWorld* world, hwModel* model, hwError* error);
    void (*freeModel)(const hwAllocator* allocator, hwModel* model);
    // Whether the model has any of it: only these take part in steps. Null: always.
    bool (*isPresent)(const hwModel* model);
    void (*addMass)(const hwModel* model, double* sum); // kg
    // Cables that are stepped apart (world/islands.h): their steps ask the part; it has nothing to do with them; it has, in
    // this model, to do with all at once. A part that says none of this keeps the world together.
    bool ofIslands, aside;
    bool (*stepsWhole)(const hwModel* model);
    // Of bodies that may sleep (world/sleep.c): it does nothing to links that could move them; or it marks those to which it may,
    // at the state's time. A part that says neither keeps all awake. Then: joins what is near each other (hwSleep_Join) and marks
    // in work what is borne, or is not to sleep; and is told that others are asleep now.
    bool rests;
    void (*keepAwake)(const hwWorld* world, uint8_t* lively);
    void (*joinSleepers)(const hwWorld* world);
    void (*sleepersChanged)(const hwWorld* world);
    // Whether no cable meets anything of the part's while none of its nodes goes farther than `rooms` [slot] from where it is.
    bool (*staysApart)(const hwWorld* world, const double* rooms); // m
    void (*layState)(const hwModel* model, hwArena* arena, hwState* state);
    void (*layWork)(const hwModel* model, hwArena* arena, hwWork* work);
    // Work that samples neither keep nor put back, because it is written before it is read in each evaluation, factorisation or
    // reading, or only saves computing the same bits again. But for what `getKept` says: that of it which is in use, at its
    // beginning.
    void (*layCaches)(const hwModel* model, hwArena* arena, hwWork* work);
    hwSpan (*getKept)(const hwWorld* world);
    // The state of what is new, and of what was in the world's old model, which may be empty.
    void (*carry)(const hwWorld* before, hwModel* model, hwState* state);
    // After the world has its new model, state and work: makes work agree with the inputs, then what else is to begin.
    void (*readInputs)(hwWorld* world);
    hwStatus (*start)(hwWorld* world, hwError* error);
    // Makes work agree with a state that was exchanged as a whole.
    void (*refresh)(hwWorld* world);
    // Something of the state was changed from outside.
    void (*stateChanged)(hwWorld* world);

    // Channels and inputs ----------------------------------------------------------------------------------------------

    // Rows of record/channels.h: of each link, and of the part's own objects.
    void (*addLinkChannels)(struct hwTableBuilder* builder, const hwWorld* world, const hwModel* model,
                            int link);
    void (*addChannels)(struct hwTableBuilder* builder, const hwWorld* world, const hwModel* model);
    void (*addInputs)(struct hwTableBuilder* builder, const hwModel* model);
    void (*findInputs)(hwModel* model); // once the table is there
    void (*startInputs)(const hwModel* model, double* inputs);
    void (*inputChanged)(hwWorld* world, int input);
    void (*materialsChanged)(hwWorld* world); // those of contact_rules.h, in work

    // Steps, in the order of hwPartsByStep -----------------------------------------------------------------------------

    // Before the first advance of a call.
    void (*begin)(hwWorld* world);
    // Time at which `look` is to be called between steps, or infinity.
    double (*getNextTime)(const hwWorld* world);
    void (*look)(hwWorld* world);
    // Carries out an event of the model that is not an input's.
    hwStatus (*runEvent)(hwWorld* world, int event, hwError* error);
    // Gives room to contacts that the next *step seconds may bring, and shortens *step where something would pass through
    // something else.
    hwStatus (*plan)(const hwWorld* world, const hwMode* mode, double* step, hwError* error);
    // Finds contacts for `ahead` seconds from the state's time; returns the longest step. `lacking`: only where less is known.
    double (*find)(const hwWorld* world, const hwMode* mode, double ahead, bool lacking);
    // Puts what is attached to links where these are: places and velocities in the state.
    void (*attach)(const hwWorld* world, const hwMode* mode, double time);
    // Motion of driven links.
    void (*drive)(const hwWorld* world, const hwMode* mode, double time);
    // Adds wrenches, inertia and matrices of links, efforts of joints and rates of auxiliary variables.
    void (*evaluate)(const hwWorld* world, const hwEvaluation* evaluation);
    // Adds powers that are summed up after those of all other parts.
    void (*addPowers)(const hwWorld* world, hwPowers* powers);
    // Residuals of the part's own freedoms at accelerations a, and its loads on the links.
    void (*residual)(const hwWorld* world, const double* a, double* residual, hwWideSpatial* loads);
    // After the residuals: adds the power of what shows only with the accelerations, and rates of auxiliary variables.
    void (*addReactions)(const hwWorld* world, const double* a, const double* v, double hd, double* power);
    // Then rates of the auxiliary variables of the energy audit that evaluations leave alone. `energies`: what is stored at this
    // motion is read, too; powers are enough otherwise.
    void (*auditRates)(const hwWorld* world, double* zdot, bool energies);
    // After auditRates: W, at which the energies in hwEnergySum.stored change by the motion of the evaluated point.
    double (*rateStored)(const hwWorld* world, const double* a);
    // Pairs of links that it couples, appended to work->pairs; the new number.
    int (*listPairs)(const hwWorld* world, hwLinkPair* pairs, int count);
    // Adds what is left of its own freedoms to the links' blocks and couplings. `b` as in hwWorld_Factor.
    void (*factor)(const hwWorld* world, double hd, const double* b);
    // After the links were factored: what borders the matrix.
    hwStatus (*factorBorder)(const hwWorld* world, double hd, hwError* error);
    // A solve: right-hand sides that borders put away, what own freedoms leave to the links, own freedoms after the links,
    // and the borders' correction.
    void (*beginSolve)(const hwWorld* world, const double* b);
    void (*reduce)(const hwWorld* world, const double* b, hwWideSpatial* loads);
    void (*substitute)(const hwWorld* world, double* x);
    void (*correct)(const hwWorld* world, double* x);
    // y += M x, y += K x with those of the last evaluation; what acts on links goes to `loads`.
    void (*multiplyMass)(const hwWorld* world, const double* x, double* y, hwWideSpatial* loads);
    void (*multiplyStiffness)(const hwWorld* world, const double* x, double* y, hwWideSpatial* loads);
    // Forces that follow other forces, as friction at its limit follows the normal force: their part of the Newton matrix is not
    // symmetric, hwWorld_Factor leaves it out. Whether there are any, and loads += that part times the motions of links in the
    // forest's increments.
    bool (*hasFollowing)(const hwWorld* world);
    void (*multiplyFollowing)(const hwWorld* world, double hd, hwWideSpatial* loads);

    // The built-in solver: sizes of work->step against what is exact enough, of an error against the way of a step or, where that
    // is more, so much of the error before it was damped, and of accelerations.
    void (*measureChange)(const hwWorld* world, double hd, hwNewtonChange* change);
    // Of forces with kinks, after each correction: on which branch it leads. False: it was solved for on one that it leaves.
    // `stiffens` becomes true where it leads to a stiffer one than it was solved for, and nothing else has kinks there.
    bool (*foresee)(const hwWorld* world, const double* step, bool* stiffens);
    // The part of a correction work->step that Newton's method may go on by in a stage of hd.
    double (*limitCorrection)(const hwWorld* world, double hd);
    double (*measureError)(const hwWorld* world, double h, const double* error, const double* undamped,
                           double share);
    double (*measureAcceleration)(const hwWorld* world, const double* a);
    // Pairs that touched at the end of the last step, by the state alone.
    int (*countTouches)(const hwWorld* world);
    // After Newton's method: puts what has no motion of its own in its place. True: its forces are to be evaluated again.
    bool (*place)(const hwWorld* world);
    // After Newton's last correction in a heap, the velocities of links corrected: what loads and auxiliaries follow it.
    void (*followLast)(const hwWorld* world, double hd);
    void (*noteStage)(const hwWorld* world);
    // Whether the step just solved may be taken, and whether the motion at its end is sane.
    bool (*checkStep)(const hwWorld* world, double h);
    // Likewise, by the forces at the end of a step from the state's time.
    bool (*endures)(const hwWorld* world, const hwMode* mode, double h);
    hwStatus (*checkMotion)(const hwWorld* world, const double* v, hwError* error);
    // Energies of a step of h: its share of the audit.
    void (*audit)(hwWorld* world, const hwMode* mode, double h);
    // Lets what fades within steps (hwEvaluation.since) do so in the state, for a sample so many seconds after the last step.
    void (*fade)(hwWorld* world, double time);
    // After an accepted step, evaluated at its end. *changed: the equations are others from here on.
    hwStatus (*finish)(hwWorld* world, const hwMode* mode, double step, bool* changed, hwError* error);
    // After all parts have finished: fits its mesh to what it touches. The motion goes on as it was, accelerations included;
    // true: the equations are others.
    bool (*adapt)(hwWorld* world, const hwMode* mode);
    // Relative sizes of tolerances of coordinates, velocities and auxiliary variables, for plugged-in solvers; and x := x solved with
    // 1 - gamma dz'/dz at a time and at auxiliaries zAt.
    void (*scale)(const hwWorld* world, double* q, double* v, double* z);
    void (*solveAuxiliaries)(const hwWorld* world, double time, const double* zAt, double gamma, double* z);

    // Reading ----------------------------------------------------------------------------------------------------------

    void (*readEnergies)(const hwWorld* world); // for sumEnergy; steps have it from the audit
    void (*sumEnergy)(const hwWorld* world, hwEnergySum* sum);
    // What keeps the loads of the last evaluation for the next step.
    void (*keepLoads)(const hwWorld* world);
    int (*countViews)(const hwModel* model);
    int (*viewContacts)(const hwWorld* world, hwContactView* views);
    void (*sumContacts)(const hwWorld* world, int link, struct hwContactSum* sum);
    // Names one of the part's freedoms; false: it has no such.
    bool (*nameFreedom)(const hwWorld* world, int freedom, hwFreedomName* name);
    // First freedom on which a force is no finite number, -1: none.
    int (*findBadForce)(const hwWorld* world);

    // Fills up to `capacity` sets of lines about the present place; how many there are.
    int (*listLines)(const hwWorld* world, int capacity, hwLineSet* sets);

    // Statics ----------------------------------------------------------------------------------------------------------

    // Takes out of generalised forces or displacements what is held; the number of things held. `x` may be null.
    int (*hold)(const hwWorld* world, double* x);
    double (*getForceScale)(const hwWorld* world, double tolerance); // N
    // It has no forces in the first search for rest: names two things on which it would have some at the shape found.
    void (*isInTheWay)(hwWorld* world, const char** a, const char** b);
    // The part of a displacement from q that may be gone.
    double (*limitMove)(hwWorld* world, const hwMode* mode, double* q, const double* move);
    void (*beginStatics)(hwWorld* world);
    void (*endStatics)(hwWorld* world, const hwMode* mode);
    // Moves own freedoms to where they are at rest between links that stay.
    void (*settle)(hwWorld* world, const hwMode* mode, double tolerance);
    bool (*soften)(hwWorld* world, double stiffness); // no stiffer than this, N; false while that changes any
    void (*remesh)(hwWorld* world);
    bool (*tighten)(hwWorld* world,
                    const hwMode* mode); // what controllers have integrated at rest; false: nothing was left
    // Chooses a finer mesh for the shape found; false: there is nothing to refine. Then places the new nodes.
    bool (*refine)(hwWorld* world, const hwMode* mode);
    hwStatus (*placeAgain)(hwWorld* world, hwError* error);
} hwPart;

#define HW_PART_COUNT 25
extern const hwPart* const hwPartsByLayout[HW_PART_COUNT];
extern const hwPart* const hwPartsByStep[HW_PART_COUNT];

// Which parts of a model have a function: hwModel.partsWith, a bit for each of hwModel.parts. To be called when these are set.
#define HW_PART_MEMBER(function) (offsetof(hwPart, function) / sizeof(void*))
void hwModel_NoteParts(hwModel* model);

// Runs the statement for each part of a prepared world that has the function, in the order of a step. No `break` in it.
#define HW_EACH_PART(world, part, function)                                                                  \
    for (uint32_t part##Left = (world)->model.partsWith[HW_PART_MEMBER(function)]; part##Left != 0;          \
         part##Left &= part##Left - 1)                                                                       \
        for (const hwPart* part = (world)->model.parts[__builtin_ctz(part##Left)]; part != NULL; part = NULL)

// The same from the last to the first: each border of the matrix is solved with the factors of those after it.
#define HW_EACH_PART_BACK(world, part, function)                                                             \
    for (uint32_t part##Left = (world)->model.partsWith[HW_PART_MEMBER(function)]; part##Left != 0;          \
         part##Left &= ~(UINT32_C(0x80000000) >> __builtin_clz(part##Left)))                                 \
        for (const hwPart* part = (world)->model.parts[31 - __builtin_clz(part##Left)]; part != NULL;        \
             part = NULL)

// Gives model, state and work their slices, empty; model->slices owns them. False: out of memory.
bool hwParts_TakeSlices(const hwAllocator* allocator, hwModel* model, hwState* state, hwWork** work);

#endif
