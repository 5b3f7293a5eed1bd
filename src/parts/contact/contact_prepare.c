// The parts of all bodies that may touch, and room for what they remember.
#include "parts/contact/contact.h"

#include "geom/mesh_check.h"
#include "geom/overlap.h"
#include "geom/shape_data.h"
#include "world/part.h"

#include <math.h>
#include <string.h>

#define PRISM_SIDES 24
#define BOX_MARGIN 0.05 // m round boxes in the broad phase's tree

// Groups and things --------------------------------------------------------------------------------------------------------

// The first of the links that are joined to this one by fixed joints.
static int FindGroup(const hwForest* forest, int link) {
    while (forest->links[link].joint == HW_LINK_FIXED && forest->links[link].parent >= 0)
        link = forest->links[link].parent;
    return link;
}

static bool HasSeabed(const hwWorld* world) {
    return hwEnvironment_GetDef(world->environment)->seabed.kind != HW_SEABED_NONE;
}

// Parts --------------------------------------------------------------------------------------------------------------------

// Counts of what a body's shapes need, before anything is allocated.
static bool IsConvexMesh(const hwShapeDef* shape) {
    hwError ignored;
    return shape->kind == HW_SHAPE_MESH && hwMesh_CheckConvex(&shape->mesh, "mesh", &ignored) == HW_OK;
}

// The shape that touches: itself, or a convex part of its mesh.
static hwShapeDef GetTouching(const hwShapeDef* shape, int piece) {
    hwShapeDef part = *shape;
    if (piece < 0) return part;
    part.kind = HW_SHAPE_HULL;
    part.mesh = shape->parts[piece];
    return part;
}

static bool NeedsTree(const hwShapeDef* shape) {
    return shape->kind == HW_SHAPE_MESH && !IsConvexMesh(shape);
}

static bool NeedsHull(const hwShapeDef* shape) {
    return shape->kind == HW_SHAPE_HULL || shape->kind == HW_SHAPE_CYLINDER || IsConvexMesh(shape);
}

// A cylinder with a polygon of the same area for its cross-section.
static hwStatus MakePrism(const hwAllocator* allocator, double radius, double length, hwHull* hull,
                          hwError* error) {
    enum { N = PRISM_SIDES };
    hwVec3 vertices[2 * N];
    int triangles[4 * N - 4][3], count = 0;
    double r = radius * sqrt(2.0 * HW_PI / (N * hwSin(2.0 * HW_PI / N)));
    for (int i = 0; i < N; ++i) {
        double angle = 2.0 * HW_PI * i / N;
        vertices[i] = hwMakeVec3(r * hwCos(angle), r * hwSin(angle), -0.5 * length);
        vertices[N + i] = hwMakeVec3(r * hwCos(angle), r * hwSin(angle), 0.5 * length);
    }
    for (int i = 0; i < N; ++i) {
        int j = (i + 1) % N;
        const int side[2][3] = {{i, j, N + j}, {i, N + j, N + i}};
        memcpy(triangles[count], side, sizeof(side));
        count += 2;
        if (i == 0 || j == 0) continue;
        const int caps[2][3] = {{0, j, i}, {N, N + i, N + j}};
        memcpy(triangles[count], caps, sizeof(caps));
        count += 2;
    }
    hwMeshData mesh = {2 * N, vertices, count, (const int(*)[3])triangles};
    return hwHull_Init(hull, allocator, &mesh, error);
}

static double SphereOf(double volume) {
    return hwCbrt(3.0 * volume / (4.0 * HW_PI));
}

static void FillPart(const hwWorld* world, const hwModel* model, int link, int shape, int piece,
                     hwContactPart* part) {
    const hwBodyObject* body = model->links[link].body;
    const hwShapeDef* def = &body->def.shapes[shape];
    const hwForest* forest = &model->forest;
    part->link = link;
    part->shape = shape;
    part->piece = piece;
    part->group = FindGroup(forest, link);
    part->material = hwModel_FindMaterial(model, def->material);
    part->moves = model->links[link].active;
    part->still = hwModel_IsStill(model, link);
    // feet touch the bottom instead of their link, and what stands on the earth is joined to it
    bool feet = body->joint != NULL && body->joint->def.feet.count > 0;
    bool stands = body->joint != NULL && forest->links[part->group].parent < 0 &&
                  HW_IS_NULL(body->joint->parent) && forest->links[part->group].joint != HW_LINK_FREE;
    part->filter = def->filter;
    part->onBottom = part->moves && !feet && !stands && def->filter.mask != 0;
    part->place = def->pose;
    double volume = world->contact.bedPerShape ? hwShape_GetMassProperties(def).volume : body->solid.volume;
    part->depth = SphereOf(volume);
    part->thickness = HUGE_VAL;
}

// The part's form; takes the next hull or tree where it needs one.
static hwStatus FillForm(const hwWorld* world, hwContactModel* contact, const hwShapeDef* def,
                         hwContactPart* part, hwError* error) {
    hwShapeDef own = *def;
    own.pose = hwPose_identity;
    hwShape_GetBounds(&own, hwPose_identity, &part->box.low, &part->box.high);
    part->reach = hwShape_GetReach(&own, hwVec3_zero);
    hwStatus status = HW_OK;
    if (NeedsTree(def)) {
        part->solid.shape = own; // for the plane of a flat bottom
        part->mesh = &contact->trees[contact->treeCount];
        status = hwMeshTree_Init(part->mesh, &world->allocator, &def->mesh, error);
        if (status == HW_OK) contact->treeCount += 1;
        return status;
    }
    const hwHull* hull = NULL;
    if (NeedsHull(def)) {
        hwHull* next = &contact->hulls[contact->hullCount];
        status = def->kind == HW_SHAPE_CYLINDER
                     ? MakePrism(&world->allocator, def->radius, def->length, next, error)
                     : hwHull_Init(next, &world->allocator, &def->mesh, error);
        if (status != HW_OK) return status;
        contact->hullCount += 1;
        hull = next;
    }
    if (own.kind == HW_SHAPE_MESH) own.kind = HW_SHAPE_HULL;
    part->solid.shape = own;
    hwConvex_FromShape(&own, hull, &part->solid.convex);
    if (def->kind == HW_SHAPE_CYLINDER) part->solid.prism = hull;
    if (part->solid.convex.kind == HW_CONVEX_BOX) {
        hwBoxHull* box = &contact->boxes[contact->boxCount++];
        hwBoxHull_Init(box, part->solid.convex.half);
        part->solid.convex.hull = &box->hull;
    }
    hwSolidPart_Measure(&part->solid);
    part->thickness = part->solid.thickness;
    int faces = hull != NULL ? hull->faceCount : 6;
    if (contact->mostFaces < faces) contact->mostFaces = faces;
    return HW_OK;
}

// Laying out ---------------------------------------------------------------------------------------------------------------

void hwContact_LayModel(const hwWorld* world, hwArena* arena, hwModel* model) {
    hwContactModel* contact = model->contact;
    memset(contact, 0, sizeof(*contact));
    int parts = 0, hulls = 0, boxes = 0, trees = 1; // the ground's
    for (int i = 0; i < world->bodies.slots && !world->contact.off; ++i) {
        const hwBodyObject* body = world->bodies.items[i];
        for (int k = 0; body != NULL && k < body->def.shapeCount; ++k) {
            const hwShapeDef* shape = &body->def.shapes[k];
            int pieces = shape->kind == HW_SHAPE_MESH && shape->partCount > 0 ? shape->partCount : 1;
            parts += pieces;
            // convexity is looked at once, when writing; a mesh may need either
            if (shape->kind >= HW_SHAPE_HULL || shape->kind == HW_SHAPE_CYLINDER) hulls += pieces;
            trees += shape->kind == HW_SHAPE_MESH;
            boxes += shape->kind == HW_SHAPE_BOX;
        }
    }
    contact->parts = HW_TAKE(arena, hwContactPart, parts);
    contact->hulls = HW_TAKE(arena, hwHull, hulls);
    contact->boxes = HW_TAKE(arena, hwBoxHull, boxes);
    contact->trees = HW_TAKE(arena, hwMeshTree, trees);
}

// Those that move come first.
static void FillParts(const hwWorld* world, hwModel* model) {
    hwContactModel* contact = model->contact;
    for (int pass = 0; pass < 2 && !world->contact.off; ++pass) {
        for (int i = 0; i < model->forest.linkCount; ++i) {
            if (model->links[i].active != (pass == 0)) continue;
            for (int k = 0; k < model->links[i].body->def.shapeCount; ++k) {
                const hwShapeDef* shape = &model->links[i].body->def.shapes[k];
                bool whole = shape->kind != HW_SHAPE_MESH || shape->partCount == 0;
                for (int piece = whole ? -1 : 0; piece < (whole ? 0 : shape->partCount); ++piece) {
                    FillPart(world, model, i, k, piece, &contact->parts[contact->partCount++]);
                }
            }
        }
        if (pass == 0) contact->movingCount = contact->partCount;
    }
}

// Whether these parts may ever touch.
static bool MayMeet(const hwModel* model, const hwContactPart* a, const hwContactPart* b) {
    if (a->group == b->group || (!a->moves && !b->moves)) return false;
    if (a->mesh != NULL && b->mesh != NULL) return false;
    if (!hwFilter_Allows(a->filter, b->filter)) return false;
    const hwLink* links = model->forest.links;
    int parentA = links[a->group].parent, parentB = links[b->group].parent;
    bool family = (parentA >= 0 && FindGroup(&model->forest, parentA) == b->group) ||
                  (parentB >= 0 && FindGroup(&model->forest, parentB) == a->group);
    return !family;
}

// Room for pairs: all that are possible in small worlds, in large ones what heaps need: a body among others meets up to a dozen, and
// each pair is two bodies'.
#define PAIRS_EACH 8
static void CountSlots(const hwWorld* world, hwModel* model) {
    hwContactModel* contact = model->contact;
    long most = (long)PAIRS_EACH * contact->movingCount + 16, possible = 0, bottom = 0, linked = 0;
    for (int i = 0; i < contact->movingCount; ++i) {
        bottom += contact->parts[i].onBottom && HasSeabed(world);
        for (int j = i + 1; j < contact->partCount && possible < most; ++j) {
            bool meet = MayMeet(model, &contact->parts[i], &contact->parts[j]);
            possible += meet;
            linked += meet && contact->parts[j].moves;
        }
    }
    model->bodiesTouch = contact->any = possible + bottom > 0;
    if (!contact->any) return;
    long pairs = world->contact.reserve > 0 ? world->contact.reserve : (possible < most ? possible : most);
    contact->slotCount = (int)(pairs + bottom);
    contact->couplingCount = linked > 0 ? contact->slotCount : 0;
    model->pairCapacity += contact->couplingCount;
    contact->auxiliary = model->auxiliaryCount;
    model->auxiliaryCount += HW_RUB_SIZE * contact->slotCount;
}

// Groups that never touch: parent and child.
static void ExcludeFamilies(const hwModel* model) {
    const hwForest* forest = &model->forest;
    for (int i = 0; i < forest->linkCount; ++i) {
        if (forest->links[i].parent < 0) continue;
        int group = FindGroup(forest, i), parent = FindGroup(forest, forest->links[i].parent);
        if (group != parent) hwBroadPhase_Exclude(model->contact->broad, group, parent);
    }
}

static hwStatus FillBroadPhase(const hwWorld* world, hwModel* model, hwError* error) {
    hwContactModel* contact = model->contact;
    // boxes have margins there: of a close grid each meets its 26 neighbours
    int room = contact->slotCount + 16 * contact->partCount + model->forest.linkCount + 16;
    contact->broad = hwCreateBroadPhase(&world->allocator, contact->partCount, room, BOX_MARGIN, error);
    if (contact->broad == NULL) return HW_ERROR_MEMORY;
    enum { MOVES = 1, RESTS = 2, MESH = 4, MOVING_MESH = 8 };
    for (int i = 0; i < contact->partCount; ++i) {
        const hwContactPart* part = &contact->parts[i];
        hwProxyDef def = {.box = part->box, .owner = part->group, .index = i};
        bool mesh = part->mesh != NULL;
        def.category = part->moves ? (mesh ? MOVING_MESH : MOVES) : (mesh ? MESH : RESTS);
        def.mask = part->moves ? (mesh ? MOVES | RESTS : MOVES | RESTS | MESH | MOVING_MESH)
                               : (mesh ? MOVES : MOVES | MOVING_MESH);
        hwBroadPhase_Add(contact->broad, &def);
    }
    ExcludeFamilies(model);
    return HW_OK;
}

static hwStatus FillGround(const hwWorld* world, hwContactModel* contact, hwError* error) {
    const hwSeabedDef* seabed = &hwEnvironment_GetDef(world->environment)->seabed;
    if (seabed->kind != HW_SEABED_MESH) return HW_OK;
    hwMeshTree* tree = &contact->trees[contact->treeCount];
    hwStatus status = hwMeshTree_Init(tree, &world->allocator, &seabed->mesh, error);
    if (status != HW_OK) return status;
    contact->treeCount += 1;
    contact->ground = tree;
    return HW_OK;
}

hwStatus hwContact_BuildModel(const hwWorld* world, hwModel* model, hwError* error) {
    hwContactModel* contact = model->contact;
    hwStatus status = HW_OK;
    FillParts(world, model);
    CountSlots(world, model);
    if (!contact->any) return HW_OK;
    for (int i = 0; i < contact->partCount && status == HW_OK; ++i) {
        hwContactPart* part = &contact->parts[i];
        hwShapeDef shape = GetTouching(&model->links[part->link].body->def.shapes[part->shape], part->piece);
        status = FillForm(world, contact, &shape, part, error);
        if (part->mesh != NULL && part->moves) {
            hwWorld_Log(world, HW_LOG_WARNING,
                        "%s: its concave mesh touches convex shapes and flat ground only; give it `parts`",
                        model->links[part->link].body->def.name);
        }
    }
    contact->scratch = hwOverlap_GetScratchSize(contact->mostFaces, contact->mostFaces);
    contact->scratch = (contact->scratch + 63) / 64 * 64;
    contact->pieces = world->team != NULL ? HW_CONTACT_PIECES : 1;
    if (status == HW_OK) status = FillGround(world, contact, error);
    if (status == HW_OK) status = FillBroadPhase(world, model, error);
    return status;
}

void hwContact_FreeModel(const hwAllocator* allocator, hwModel* model) {
    hwContactModel* contact = model->contact;
    for (int i = 0; i < contact->hullCount; ++i) hwHull_Free(&contact->hulls[i], allocator);
    for (int i = 0; i < contact->treeCount; ++i) hwMeshTree_Free(&contact->trees[i], allocator);
    if (contact->broad != NULL) hwDestroyBroadPhase(contact->broad);
    contact->hullCount = contact->treeCount = 0;
    contact->broad = NULL;
}

void hwContact_LayState(const hwModel* model, hwArena* arena, hwState* state) {
    int slots = model->contact->slotCount;
    state->contact->slots = HW_TAKE(arena, hwContactSlot, slots);
    state->contact->used = HW_TAKE(arena, int32_t, slots);
    state->contact->usedCount = HW_TAKE(arena, uint64_t, 1);
    state->contact->resting = model->sleeps ? HW_TAKE(arena, int32_t, slots) : NULL;
    state->contact->restingCount = model->sleeps ? HW_TAKE(arena, uint64_t, 1) : NULL;
    for (int i = 0; i < slots && arena->base != NULL; ++i) state->contact->slots[i].a = HW_FREE_SLOT;
}

void hwContact_LayWork(const hwModel* model, hwArena* arena, hwWork* work) {
    const hwContactModel* contact = model->contact;
    work->contact->touches = HW_TAKE(arena, hwContactResult, contact->slotCount);
    work->contact->wanted = HW_TAKE(arena, hwContactSlot, contact->slotCount);
    work->contact->evaluated = HW_TAKE(arena, int32_t, contact->slotCount);
    work->contact->poses = HW_TAKE(arena, hwPose, contact->partCount);
    work->contact->poseNumber = HW_TAKE(arena, uint64_t, contact->partCount);
}

// Written before it is read.
static void LayCaches(const hwModel* model, hwArena* arena, hwWork* work) {
    const hwContactModel* contact = model->contact;
    work->contact->triangles =
        HW_TAKE(arena, hwVec3, contact->any ? contact->pieces * 3 * HW_CONTACT_TRIANGLES : 0);
    work->contact->scratch = HW_TAKE(arena, char, (size_t)contact->pieces * contact->scratch);
    work->contact->moved = HW_TAKE(arena, hwVec3, contact->slotCount);
    work->contact->springs = HW_TAKE(arena, double, HW_RUB_SIZE * contact->slotCount);
}

static bool IsPresent(const hwModel* model) {
    return model->contact->any;
}

static hwStatus StartContact(hwWorld* world, hwError* error) {
    double instant = 0.0;
    hwStatus status = hwContact_Plan(world, &hwMode_running, &instant, error);
    if (status != HW_OK) return status;
    hwContact_ExcludeNested(world);
    return hwContact_MeetOverlaps(world, error);
}

static int CountViews(const hwModel* model) {
    return model->contact->slotCount;
}

// Friction's springs give way by micrometres.
static void ScaleContacts(const hwWorld* world, double* q, double* v, double* z) {
    (void)q, (void)v;
    const hwContactModel* contact = world->model.contact;
    for (int i = contact->auxiliary; i < contact->auxiliary + HW_RUB_SIZE * contact->slotCount; ++i)
        z[i] = i >= world->work->idleFrom && i < world->work->idleTo ? HW_SCALE_ASIDE : 1e-3;
}

const hwPart hwContactsPart = {.name = "contact",
                               .aside = true,
                               .rests = true,
                               .joinSleepers = hwContact_JoinSleepers,
                               .sleepersChanged = hwContact_SleepersChanged,
                               .model = HW_SLICE(hwModel, contact),
                               .state = HW_SLICE(hwState, contact),
                               .work = HW_SLICE(hwWork, contact),
                               .layModel = hwContact_LayModel,
                               .buildModel = hwContact_BuildModel,
                               .freeModel = hwContact_FreeModel,
                               .isPresent = IsPresent,
                               .layState = hwContact_LayState,
                               .layWork = hwContact_LayWork,
                               .layCaches = LayCaches,
                               .carry = hwContact_Carry,
                               .start = StartContact,
                               .refresh = hwContact_Refresh,
                               .plan = hwContact_Plan,
                               .evaluate = hwContact_Evaluate,
                               .listPairs = hwContact_ListPairs,
                               .factor = hwContact_Factor,
                               .multiplyStiffness = hwContact_MultiplyStiffness,
                               .countTouches = hwContact_CountTouches,
                               .hasFollowing = hwContact_HasFollowing,
                               .multiplyFollowing = hwContact_MultiplyFollowing,
                               .followLast = hwContact_FollowLast,
                               .noteStage = hwContact_NoteLoads,
                               .measureError = hwContact_MeasureError,
                               .checkStep = hwContact_CheckStep,
                               .audit = hwContact_Audit,
                               .finish = hwContact_Finish,
                               .scale = ScaleContacts,
                               .keepLoads = hwContact_KeepLoads,
                               .countViews = CountViews,
                               .viewContacts = hwContact_View,
                               .sumContacts = hwContact_Sum,
                               .limitMove = hwContact_LimitMove};
