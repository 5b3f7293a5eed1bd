// All of a world.
#ifndef HW_WORLD_INTERNAL_H
#define HW_WORLD_INTERNAL_H

#include "parts/cable_contact/cable_contact.h"
#include "parts/contact/contact.h"
#include "parts/feet/feet.h"
#include "parts/fluid/fluid.h"
#include "parts/forces/forces.h"
#include "parts/joints/joints.h"
#include "parts/sheaves/sheaves.h"
#include "parts/ships/ships.h"
#include "parts/vehicles/vehicles.h"
#include "parts/winches/winches.h"
#include "world/cable_slots.h"
#include "world/part.h"
#include "world/world.h"

// api/query_scene.c
void hwWorld_DropQueries(hwWorld* world);

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
    return world->state.cables->stores[slot].core->nodes > 1;
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
hwStatus hwModel_FillRules(const hwWorld* world, hwModel* model, hwError* error);
void hwState_LayRules(const hwModel* model, hwArena* arena, hwState* state);
void hwWorld_CarrySwitches(const hwWorld* world, const hwModel* model, hwState* state);
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
// For views: the triangle nearest to a point, of a mesh in its frame and of a seabed that has triangles; -1: none.
int hwMesh_FindTriangle(const hwMeshTree* tree, hwVec3 point);
int hwWorld_FindGroundTriangle(const hwWorld* world, hwVec3 point, double reach);
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
