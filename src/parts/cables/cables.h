// Cables: what the files of this part share. What other parts see is in world/cable_slots.h.
#ifndef HW_PARTS_CABLES_CABLES_H
#define HW_PARTS_CABLES_CABLES_H

#include "world/cable_slots.h"
#include "world/contact_rules.h"

#define HW_CABLE_EVENT_COOKIE 0x48570023

// cable.c
hwStatus hwCables_Copy(hwWorld* branch, const hwWorld* world, hwError* error);
hwStatus hwWorld_CheckEnd(const hwWorld* world, const char* name, int end, const hwCableEndDef* def,
                          hwError* error);

// cable_channels.c
struct hwTableBuilder;
void hwCables_AddChannels(struct hwTableBuilder* builder, const hwWorld* world, const hwModel* model);

// cable_events.c
hwStatus hwCables_RunEvent(hwWorld* world, int event, hwError* error);
// A body that holds an end cannot be removed; with one that may be, events go that would attach ends to it.
hwStatus hwCables_CheckDropBody(const hwWorld* world, hwBodyId body, hwError* error);
void hwCables_DropBody(hwWorld* world, hwBodyId body);
// Events of a cable that is removed.
void hwCables_DropEvents(hwWorld* world, hwCableId cable);

// cable_prepare.c
void hwCables_LayModel(const hwWorld* world, hwArena* arena, hwModel* model);
void hwCables_FillModel(const hwWorld* world, hwModel* model);
void hwCables_LayState(const hwModel* model, hwArena* arena, hwState* state);
void hwCables_LayWork(const hwModel* model, hwArena* arena, hwWork* work);
void hwCables_LayCaches(const hwModel* model, hwArena* arena, hwWork* work);
hwSpan hwCables_GetKept(const hwWorld* world);
void hwCables_Carry(const hwWorld* before, hwModel* model, hwState* state);
hwStatus hwCables_Start(hwWorld* world, hwError* error);
void hwCables_TakeNodes(hwWorld* world, int slot);
// cable_switch.c: lays the nodes of a cable that goes on as another model along its old curve
void hwCables_LayAlong(hwWorld* world, int slot, const hwCablePast* past);
// cable.c: gains of the behavioural model
hwCablePid hwCables_ConvertPid(const hwCableDef* def);
// Gives new cables, whose meshes are known, their shapes and motions at the start.
hwStatus hwCables_PlaceAgain(hwWorld* world, hwError* error);

// cable_refine.c: chooses the meshes of cables that are to be refined where they begin to touch something, and moves their
// nodes along the shape that they have. False: there is nothing to refine.
bool hwCables_Refine(hwWorld* world, const hwMode* mode);

// cable_step.c
// Loops over cables, side by side.
typedef struct hwCableJob {
    const hwWorld* world;
    const hwEvaluation* e;
    const double* from;
    double* to;
    bool energies; // besides powers
} hwCableJob;

// Runs a loop over all slots, on all threads where that pays, in pieces of about so many cables.
void hwCableJob_Run(const hwCableJob* job, int atOnce, hwLoopFn* function);
// Whether the end's motion is solved for together with the cable.
static inline bool hwCables_IsUnknown(const hwWorld* world, const hwEndState* end) {
    return end->joint != HW_ATTACH_FREE && end->link >= 0 && world->model.links[end->link].active;
}
// What an end at `arm` from its link's origin pulls with.
static inline void hwCables_AddEndLoad(hwWideSpatial* load, hwVec3 force, hwVec3 moment, hwVec3 arm) {
    load->l += hwWide_FromVec3(force);
    load->a += hwWide_FromVec3(hwAdd(moment, hwCross(arm, force)));
}
// Puts nodes that have no motion of their own where the last evaluation had them: held ends on their links, all of
// quasi-static cables on their curves. What velocities say drifts from there. True: somebody sums up what an end passes on,
// see manual.c; of a stiff cable the last correction is a force.
bool hwCables_Place(const hwWorld* world);
void hwCables_Attach(const hwWorld* world, const hwMode* mode, double time);
void hwCables_Evaluate(const hwWorld* world, const hwEvaluation* evaluation);
// Fluid and bottom at the nodes last evaluated, and the forces that are applied along the cable.
void hwCables_Sample(const hwWorld* world, int slot, const hwEvaluation* evaluation);
// J, stored in the bottom under a cable as it lies now, its mesh and ends perhaps just changed.
double hwCables_GetGroundEnergy(const hwWorld* world, int slot);
void hwCables_Load(const hwWorld* world, int slot, double time);
// Contact of a cable just evaluated with everything but the bottom.
void hwCables_Touch(const hwWorld* world, const hwMode* mode, int slot, const hwCableState* state,
                    hwCableContact* sum);
// Residuals of the nodes; what cables pull with is added to `loads`.
void hwCables_ComputeResiduals(const hwWorld* world, const double* a, double* residual, hwWideSpatial* loads);
void hwCables_AddReactions(const hwWorld* world, const double* a, const double* v, double hd, double* power);
void hwCables_AuditRates(const hwWorld* world, double* zdot, bool energies);
// Whether what steps damp of a cable is booked, see world/method.c: of those that have inertia and a tension with a potential.
bool hwCables_IsBooked(const hwWorld* world, int slot);
double hwCables_RateStored(const hwWorld* world, const double* a);

// cable_solve.c: the linear system of cables and links
int hwCables_ListPairs(const hwWorld* world, hwLinkPair* pairs, int count);
void hwCables_Factor(const hwWorld* world, double hd, const double* b);
void hwCables_Reduce(const hwWorld* world, const double* b, hwWideSpatial* loads);
void hwCables_Substitute(const hwWorld* world, double* x);
void hwCables_MultiplyMass(const hwWorld* world, const double* x, double* y, hwWideSpatial* loads);
void hwCables_MultiplyStiffness(const hwWorld* world, const double* x, double* y, hwWideSpatial* loads);

// cable_read.c
// Energies and powers of a cable of any kind at the point last evaluated.
hwCableEnergy hwWorld_GetCableEnergy(const hwWorld* world, int slot);
hwCableNodeEnergy hwWorld_GetNodeEnergy(const hwWorld* world, int slot, int node);
// Whether a node lies on the bottom, or one of its elements touches something else.
bool hwWorld_NodeTouches(const hwWorld* world, int slot, int node);
// Angle, rad, through which a cable turns where it touches something.
double hwWorld_GetWrap(const hwWorld* world, int slot);

// cable_change.c
void hwWorld_AttachEnd(hwWorld* world, int slot, int end, const hwCableEndDef* def);
// The same while running: refused when the end is held already or too far away.
hwStatus hwWorld_AttachRunning(hwWorld* world, int slot, int end, const hwCableEndDef* def, hwError* error);
hwStatus hwWorld_DetachRunning(hwWorld* world, int slot, int end, hwError* error);
hwStatus hwWorld_CutCable(hwWorld* world, int slot, double at, int* part, hwError* error);
// After the mesh or the state was changed from outside.
void hwCables_Refresh(hwWorld* world);
// Statics: the mesh beside sheaves that material has run over.
void hwCables_Remesh(hwWorld* world);
// After an accepted step: payout's mesh, friction's anchors, whole turns, parting.
// False where a cable would part far beyond its strength: the step is to be shorter.
bool hwCables_Endure(const hwWorld* world, const hwMode* mode, double h);
void hwCables_Fade(hwWorld* world, double time);
hwStatus hwCables_Finish(hwWorld* world, const hwMode* mode, double step, bool* changed, hwError* error);

// A mesh that changes: the old one is put away, the new one takes what nodes and links keep besides their motion.
void hwCables_KeepMesh(hwWorld* world, int slot);
void hwCables_SpreadMesh(hwWorld* world, int slot);
// Energies of a cable at its state, for those who change its mesh between steps.
hwCableEnergy hwCables_MeasureEnergy(hwWorld* world, int slot, const hwCableState* state);

// cable_adapt.c: after an accepted step. True: a mesh is another one.
bool hwCables_Adapt(hwWorld* world, const hwMode* mode);

// cable_read.c, cable_quasi.c: cables whose nodes have inertia, and those without inertia.
extern const hwCableOps hwNodesCableOps, hwMasslessCableOps;

// cable_statics.c
// Moves every cable that can be at rest to where it is, its ends held where they are.
void hwCables_Settle(hwWorld* world, const hwMode* mode, double tolerance);
bool hwCables_Soften(hwWorld* world, double stiffness);
// What the residual of an equilibrium is measured against, N, see hwCableWork_GetForceScale.
double hwCables_GetForceScale(const hwWorld* world, double tolerance);
// While settling, N: stiffness by which behavioural links with an integral part come to their length; otherwise 0.
double hwCables_GetLinkPenalty(const hwWorld* world, const hwMode* mode, int slot);
bool hwCables_Tighten(hwWorld* world, const hwMode* mode);

// incident.c
void hwWorld_AddIncident(hwWorld* world, hwIncidentKind kind, int slot, int end, double value);
// Notes whether ends pull, after an accepted step.
void hwWorld_WatchCable(hwWorld* world, int slot);
// Catches and lets go what waits for it. True when anything changed.
bool hwWorld_RunCaptures(hwWorld* world);

#endif
