// Contact of bodies with each other and with the bottom.
//
// Bodies are made of convex parts and meshes. The broad phase, once a step, finds pairs of parts whose boxes, swept over
// the step, overlap: each is given a slot, which keeps what the pair remembers (friction's springs, whether it slides) in
// the state. Every evaluation then asks the pairs in slots for their overlap and adds forces and matrices. Slots come and
// go only between steps, so the auxiliary variables mean the same throughout a step.
#ifndef HW_PARTS_CONTACT_CONTACT_H
#define HW_PARTS_CONTACT_CONTACT_H

#include "contact/pair.h"
#include "geom/broad_phase.h"
#include "geom/hull.h"
#include "geom/mesh_query.h"
#include "hawser/contact.h"
#include "math/wide.h"
#include "mech/coupling.h"
#include "world/contact_rules.h"

#define HW_SEABED_PART -1
#define HW_FREE_SLOT -2
#define HW_CONTACT_TRIANGLES 512 // of a mesh or the ground that a part touches at a time
#define HW_CONTACT_PIECES 16     // of an evaluation, for threads

// A convex part of a body, or a mesh.
typedef struct hwContactPart {
    int link;
    int shape;         // index among the body's shapes
    int piece;         // index among the mesh's convex parts, -1: the whole shape
    int group;         // links joined by fixed joints are one group; its first link
    int material;      // index among the model's
    hwFilter filter;   // the shape's
    double depth;      // m, of the elastic bed
    bool moves;        // by forces
    bool still;        // never moves
    bool onBottom;     // the seabed may touch it
    hwPose place;      // in the link's frame
    hwSolidPart solid; // convex parts
    hwMeshTree* mesh;  // or null
    hwBox box;         // in the part's own frame
    double reach;      // m: nothing of it is farther from its place
    double thickness;  // m, its least width; of a mesh, infinite
} hwContactPart;

typedef struct hwContactModel {
    bool any; // something may touch something else
    int partCount;
    hwContactPart* parts; // those that move first
    int movingCount;
    int hullCount;
    hwHull* hulls;
    int boxCount;
    hwBoxHull* boxes; // of parts that are boxes
    int treeCount;
    hwMeshTree* trees;
    hwMeshTree* ground;  // triangles of a seabed that is a mesh, else null
    hwBroadPhase* broad; // proxy i is part i
    int slotCount;       // room for pairs
    int auxiliary;       // first of HW_RUB_SIZE for each slot
    int couplingCount;   // most pairs of links that contacts couple
    int mostFaces;       // of a hull
    size_t scratch;      // bytes for overlaps
    int pieces;          // of an evaluation that threads share, each with room of its own
} hwContactModel;

#define HW_OVERLAP_TIME 0.5 // s: within which an overlap that is accepted at the start comes to count

// One pair near each other; part of the state.
typedef struct hwContactSlot {
    int32_t a, b; // parts, a moves; b may be HW_SEABED_PART; a is HW_FREE_SLOT: not used
    int32_t sliding;
    float speed;    // m/s, of slip at the end of the last step
    hwSpatial load; // on a, about the world's origin, at the end of the last step
    double stored;  // J, likewise
    double fed;     // W, likewise, see hwContactResult
    // of a pair that began in each other, until it comes apart: m3 of the overlap that do not push yet, and how fast they become
    // less, m3/s
    double leftOut, fading;
} hwContactSlot;

typedef struct hwContactState {
    hwContactSlot* slots; // [contact slot]
    int32_t*
        used; // [contact slot] slots in use, in the order of their parts: pairs of neighbours come together
    uint64_t* usedCount;
    // [contact slot] those besides of bodies that are asleep, likewise; null where none may be
    int32_t* resting;
    uint64_t* restingCount;
} hwContactState;

typedef struct hwContactWork {
    hwContactResult* touches; // [contact slot]
    hwContactSlot* wanted;    // [contact slot] pairs that are near each other
    hwPose* poses;            // [part] of evaluation `poseNumber`
    uint64_t* poseNumber;     // [part]
    uint64_t evaluation;      // number of the last one
    int32_t* evaluated;       // [contact slot] slots that it wrote auxiliary variables of
    hwVec3* moved;            // [contact slot] while slots are put in order
    double* springs;          // [contact slot, HW_RUB_SIZE] likewise
    int evaluatedCount;
    double shortShare, toldShare; // of an impact's energy, damped by this step; the most that has been told
    int shortSlot;
    bool stillKnown;               // the boxes of what never moves are in the broad phase
    bool restingStale, boxesStale; // results and boxes of what is asleep are not those of the state
    double restingElastic;         // J, stored in contacts that rest
    hwVec3* triangles;             // [piece, 3 * HW_CONTACT_TRIANGLES]
    char* scratch;                 // [piece, scratch of the model]
} hwContactWork;

static inline int hwContact_CountUsed(const hwWorld* world) {
    return world->model.contact->slotCount > 0 ? (int)*world->state.contact->usedCount : 0;
}

static inline int hwContact_CountResting(const hwWorld* world) {
    return world->state.contact->restingCount != NULL ? (int)*world->state.contact->restingCount : 0;
}

// contact_prepare.c
void hwContact_LayModel(const hwWorld* world, hwArena* arena, hwModel* model);
hwStatus hwContact_BuildModel(const hwWorld* world, hwModel* model, hwError* error);
void hwContact_FreeModel(const hwAllocator* allocator, hwModel* model);
void hwContact_LayState(const hwModel* model, hwArena* arena, hwState* state);
void hwContact_LayWork(const hwModel* model, hwArena* arena, hwWork* work);

// contact_plan.c
hwStatus hwContact_Plan(const hwWorld* world, const hwMode* mode, double* step, hwError* error);
double hwContact_LimitMove(hwWorld* world, const hwMode* mode, double* q, const double* move);
// After the first plan.
void hwContact_ExcludeNested(hwWorld* world);
hwStatus hwContact_Finish(hwWorld* world, const hwMode* mode, double step, bool* changed, hwError* error);
int hwContact_CountTouches(const hwWorld* world);
void hwContact_Carry(const hwWorld* before, hwModel* model, hwState* state);

// contact_sleep.c
// Whether one of two parts near each other is asleep and the other one may move; then it is woken.
bool hwContact_Wakes(const hwWorld* world, const hwContactPart* a, const hwContactPart* b);
// Whether one is asleep and the other one rests, too: unless they are close to each other they do not meet.
bool hwContact_MayPart(const hwWorld* world, const hwContactPart* a, const hwContactPart* b);
void hwContact_JoinSleepers(const hwWorld* world);
void hwContact_SleepersChanged(const hwWorld* world);
void hwContact_Refresh(hwWorld* world);

// contact_overlap.c
// After the first plan and hwContact_ExcludeNested: what to do about pairs that begin in each other.
hwStatus hwContact_MeetOverlaps(hwWorld* world, hwError* error);
void hwContact_FadeOverlap(hwContactSlot* slot, double volume, double step);

// contact_force.c
void hwContact_Evaluate(const hwWorld* world, const hwEvaluation* evaluation);
void hwContact_EvaluateResting(const hwWorld* world);
// After the last correction of a stage, which is not evaluated again: loads and friction's springs follow it.
void hwContact_FollowLast(const hwWorld* world, double hd);
// What contacts dissipate in a step of the built-in solver: the motions when it begins, the loads of its first stage, and,
// of those when it ends, the sum in J; then the loads are kept for the next one.
void hwContact_NoteMotions(const hwWorld* world);
void hwContact_NoteLoads(const hwWorld* world);
void hwContact_Audit(hwWorld* world, const hwMode* mode, double h);
bool hwContact_CheckStep(const hwWorld* world, double h);
double hwContact_MeasureError(const hwWorld* world, double h, const double* error, const double* undamped,
                              double share);
void hwContact_KeepLoads(const hwWorld* world);
void hwContact_TellShortImpact(const hwWorld* world);
int hwContact_ListPairs(const hwWorld* world, hwLinkPair* pairs, int count);
void hwContact_Factor(const hwWorld* world, double hd, const double* b);
void hwContact_MultiplyFollowing(const hwWorld* world, double hd, hwWideSpatial* loads);
bool hwContact_HasFollowing(const hwWorld* world);
void hwContact_MultiplyStiffness(const hwWorld* world, const double* x, double* y, hwWideSpatial* loads);

// contact_view.c
int hwContact_View(const hwWorld* world, hwContactView* views);
void hwContact_Sum(const hwWorld* world, int link, hwContactSum* sum);

#endif
