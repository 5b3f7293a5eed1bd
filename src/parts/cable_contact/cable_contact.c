// Forces of contact on cables, their share of the matrix, and what the touched bodies get.
//
// A patch has the volume V that a piece of an element has in common with an obstacle, with n the mean outward normal. The
// normal force K V + D dV/dt (contact/law.h) goes to the element's nodes by the mean place of V, and the derivatives of V,
// integrals of the width of contact along the piece, to the matrix at two points with the mean and the spread of that width:
// integrals of linear functions' products are exact with them.
//
// Friction acts at two points with the mean and the spread of V, half the normal force on each, so that an element that lies
// on a surface resists turning too. A spring and damper tie each to a point of the obstacle and slide at the Coulomb limit;
// the points move on when a step is accepted, so within a step forces are functions of place and velocity, and what rests
// does not creep.
#include "parts/cable_contact/cable_contact.h"

#include "math/vectors.h"

#include <math.h>
#include <string.h>

#define STICK_WAY 5e-3 // of the radius: at least this far friction gives way before it slides
#define SLANTING                                                                                             \
    0.4 // sine of the angle at which a chord meets a surface: up to here it is pushed across the cable
#define STEEP 0.7 // and from here on not at all
#define FOLDING                                                                                              \
    0.85 // sine of the angle between the normal and across the cable, half of a node's turn: up to here likewise
#define FOLDED 0.95 // and from here on not at all: there is hardly an across

void hwCableContact_Place(const hwWorld* world, const hwEvaluation* evaluation) {
    (void)evaluation;
    hwCableContacts* c = world->work->cableContact;
    int before = -1;
    for (int i = 0; i < c->count; ++i) {
        int k = c->patches[i].obstacle;
        if (k == before || world->model.cableContact->obstacles->items[k].still) continue;
        hwCableContact_PlaceObstacle(world, k);
        before = k;
    }
}

typedef struct Frame {
    hwField field;
    hwVec3 origin, velocity, rate; // of the link, world axes
} Frame;

static Frame GetFrame(const hwWorld* world, const hwCablePatch* patch) {
    const hwLinkMotion* m =
        &world->work->forest.motion[world->model.cableContact->obstacles->items[patch->obstacle].link];
    Frame f = {world->work->cableContact->fields[patch->obstacle], hwWide_ToVec3(m->p), hwWide_ToVec3(m->v.l),
               hwWide_ToVec3(m->v.a)};
    f.field.reach = patch->reach;
    f.field.facing = patch->facing;
    f.field.triangleCount = patch->triangleCount;
    f.field.triangles = (const hwVec3(*)[3])(world->work->cableContact->triangles + patch->firstTriangle);
    return f;
}

static hwVec3 GetVelocity(const Frame* frame, hwVec3 x) {
    return hwAdd(frame->velocity, hwCross(frame->rate, hwSub(x, frame->origin)));
}

static hwVec3 GetBetween(const hwVec3* pair, double place) {
    return hwMulAdd(pair[0], place, hwSub(pair[1], pair[0]));
}

// What a patch is evaluated for.
typedef struct Target {
    hwCableWork* work;
    const hwCableState* state;
    hwVec3* forces; // [node] that it adds to
    bool matrix;
} Target;

// A force on the element at a place: on its nodes, on the obstacle, and its power.
static void PushElement(hwCablePatch* patch, const Frame* frame, const Target* target, double place,
                        hwVec3 force) {
    const hwCableState* state = target->state;
    hwVec3 x = GetBetween(state->position + patch->element, place),
           v = GetBetween(state->velocity + patch->element, place);
    hwVec3 moving = GetVelocity(frame, x);
    hwVec3* f = target->forces + patch->element;
    f[0] = hwMulAdd(f[0], 1.0 - place, force);
    f[1] = hwMulAdd(f[1], place, force);
    patch->force = hwAdd(patch->force, force);
    patch->torque = hwAdd(patch->torque, hwCross(hwSub(x, frame->origin), force));
    patch->power += hwDot(force, hwSub(v, moving));
    patch->moved += hwDot(force, moving);
}

// m n n^T + k (1 - n n^T - u u^T)
static void FillBlock(double m, double k, hwVec3 n, hwVec3 u, hwCableBlock block) {
    double d = m - k;
    block[0] = k + d * n.x * n.x - k * u.x * u.x;
    block[1] = d * n.x * n.y - k * u.x * u.y;
    block[2] = d * n.x * n.z - k * u.x * u.z;
    block[3] = k + d * n.y * n.y - k * u.y * u.y;
    block[4] = d * n.y * n.z - k * u.y * u.z;
    block[5] = k + d * n.z * n.z - k * u.z * u.z;
}

// Place and half width in the piece, as parts of the whole element.
static void EnlargeContact(const hwCablePatch* patch, hwLineOverlap* o) {
    double part = patch->to - patch->from;
    o->at = patch->from + part * o->at;
    o->areaAt = patch->from + part * o->areaAt;
    o->spread *= part;
    o->areaSpread *= part;
}

// What overlaps counts by material, not by length: the energy of an overlap that grew as an element stretches would need a force along
// the element, which there is none, and links of a controller, which stretch a lot, would take energy out of nothing.
static void CountMaterial(hwCablePatch* patch, const hwCableState* state) {
    int e = patch->element;
    double rest = state->material[e + 1] - state->material[e];
    double share = rest / hwDistance(state->position[e], state->position[e + 1]);
    patch->overlap.volume *= share;
    patch->overlap.area *= share;
}

// Direction of the cable at a place of an element: from the mean of both chords at one node to that at the other. For a
// single force within an element this is the direction between those of the cable on its two sides, so that a cable
// without friction has the same tension on both, wherever along the element the force is. With the chord's own direction
// the tension would jump, by the angle of the bend, as a node passes an edge.
// `chord`: its own; `bend`: how the direction changes at its nodes, by their shares at that place.
static hwVec3 GetTangent(const hwCableState* state, int element, double place, hwVec3* chord, hwVec3* bend) {
    const hwVec3* x = state->position + element;
    hwVec3 own = hwNormalize(hwSub(x[1], x[0])), before = own, after = own;
    if (element > 0) before = hwNormalize(hwSub(x[0], x[-1]));
    if (element + 2 < state->core->nodes) after = hwNormalize(hwSub(x[2], x[1]));
    hwVec3 a = hwNormalize(hwAdd(before, own)), b = hwNormalize(hwAdd(own, after));
    *chord = own;
    *bend = hwAdd(hwScale(1.0 - place, hwSub(own, before)), hwScale(place, hwSub(after, own)));
    return hwNormalize(hwMulAdd(a, place, hwSub(b, a)));
}

// Contact pushes across the cable, so that without friction the tension is the same on both sides. That corrects the
// directions of chords, by half of the bend at a node, at an edge 45 degrees and more. Where the chord itself meets a surface steeply,
// where a cable that is not bent round it does, and at its ends, it pushes along the surface's normal: across, it would do work that
// nothing has stored.
static hwVec3 GetPush(const hwCablePatch* patch, const hwCableState* state) {
    const hwLineOverlap* o = &patch->overlap;
    hwVec3 chord, bend, t = GetTangent(state, patch->element, o->at, &chord, &bend);
    double along = hwDot(o->normal, t), steep = fabs(along);
    if (hwDot(bend, o->normal) < 0.0) steep = fabs(hwDot(o->normal, chord)); // bent round it
    double part = hwClamp((STEEP - steep) / (STEEP - SLANTING), 0.0, 1.0) *
                  hwClamp((FOLDED - fabs(along)) / (FOLDED - FOLDING), 0.0, 1.0);
    if (patch->element == 0) part *= o->at;
    if (patch->element + 2 == state->core->nodes) part *= 1.0 - o->at;
    return hwNormalize(hwMulAdd(o->normal, -part * along, t));
}

static hwNormalForce PushNormal(hwCablePatch* patch, const Frame* frame, const Target* target) {
    const hwCableState* state = target->state;
    const hwLineOverlap* o = &patch->overlap;
    hwVec3 x = GetBetween(state->position + patch->element, o->areaAt);
    hwVec3 v = hwSub(GetBetween(state->velocity + patch->element, o->areaAt), GetVelocity(frame, x));
    hwNormalForce f = hwContactLaw_Push(patch->law, o->volume, o->area, -o->area * hwDot(v, o->normal));
    patch->elastic = f.elastic;
    patch->damping = f.damping;
    patch->energy = patch->law->stiffness * o->volume * o->height;
    PushElement(patch, frame, target, o->at, hwScale(o->together * (f.elastic + f.damping), patch->push));
    return f;
}

// Adds a block to those of the element, and keeps it for the matrix of a link that moves.
static void AddPoint(hwCablePatch* patch, hwElementBlocks* blocks, double place, const hwCableBlock block) {
    hwElementBlocks_Add(blocks, place, block);
    hwCablePatchPoint* point = &patch->points[patch->pointCount++];
    point->place = place;
    memcpy(point->block, block, sizeof(point->block));
}

static void AddNormalMatrix(hwCablePatch* patch, const hwNormalForce* f, double hd, hwElementBlocks* blocks) {
    const hwLineOverlap* o = &patch->overlap;
    if (!(hd > 0.0)) return;
    hwCableBlock block;
    FillBlock(0.5 * (hd * hd * f->byVolume + hd * f->byRate) * o->area, 0.0, o->normal, hwVec3_zero, block);
    AddPoint(patch, blocks, o->areaAt - o->areaSpread, block);
    AddPoint(patch, blocks, o->areaAt + o->areaSpread, block);
}

static void RubElement(hwCablePatch* patch, const Frame* frame, const hwNormalForce* f, const Target* target,
                       hwElementBlocks* blocks) {
    const hwCableState* state = target->state;
    const hwLineOverlap* o = &patch->overlap;
    double mu = patch->slid ? patch->law->kineticFriction : patch->law->staticFriction;
    double hd = target->work->input.hd;
    patch->limit = 0.5 * mu * patch->grip * hwMax(f->elastic + f->damping, 0.0);
    // as stiff as the surfaces are, but not so stiff that the solver's own tolerance would make it slip
    double stiffest = patch->limit / (STICK_WAY * patch->radius);
    patch->spring = hwMin(0.5 * HW_SHEAR_RATIO * patch->law->stiffness * o->area, stiffest);
    double damper = 0.5 * HW_SHEAR_RATIO * f->byRate * o->area;
    for (int k = 0; k < 2; ++k) {
        hwVec3 x = GetBetween(state->position + patch->element, patch->place[k]);
        hwVec3 v =
            hwSub(GetBetween(state->velocity + patch->element, patch->place[k]), GetVelocity(frame, x));
        hwVec3 slip = hwSub(x, hwAdd(frame->field.p, hwMulMV(frame->field.r, patch->anchor[k])));
        hwVec3 pull = hwAdd(hwScale(patch->spring, slip), hwScale(damper, v));
        slip = hwMulAdd(slip, -hwDot(slip, patch->push), patch->push);
        pull = hwMulAdd(pull, -hwDot(pull, patch->push), patch->push);
        double size = hwLength(pull);
        bool slides = size > patch->limit;
        patch->slides = patch->slides || slides;
        hwVec3 along = slides ? hwScale(1.0 / size, pull) : hwVec3_zero;
        PushElement(patch, frame, target, patch->place[k],
                    slides ? hwScale(-patch->limit, along) : hwNeg(pull));
        double stretch = patch->spring > 0.0 ? hwMin(hwLength(slip), patch->limit / patch->spring) : 0.0;
        patch->energy += 0.5 * patch->spring * stretch * stretch;
        if (!target->matrix || !(hd > 0.0)) continue;
        double block = hd * hd * patch->spring + hd * damper;
        hwCableBlock matrix;
        FillBlock(0.0, slides ? block * patch->limit / size : block, patch->push, along, matrix);
        AddPoint(patch, blocks, patch->place[k], matrix);
    }
}

// Nothing of the piece can have come nearer than its ends have moved.
static bool IsAway(const hwCablePatch* patch, const Frame* frame, hwVec3 p, hwVec3 q) {
    double gap = patch->distance - patch->radius;
    if (!(gap > 0.0)) return false;
    hwVec3 a = hwMulTV(frame->field.r, hwSub(p, frame->field.p)),
           b = hwMulTV(frame->field.r, hwSub(q, frame->field.p));
    double way = hwMax(hwLengthSquared(hwSub(a, patch->ends[0])), hwLengthSquared(hwSub(b, patch->ends[1])));
    return way < gap * gap;
}

static void EvaluatePatch(const hwWorld* world, const hwMode* mode, hwCablePatch* patch,
                          const Target* target) {
    const hwCableState* state = target->state;
    Frame frame = GetFrame(world, patch);
    const hwVec3* x = state->position + patch->element;
    patch->touches = patch->slides = false;
    patch->force = patch->torque = hwVec3_zero;
    patch->energy = patch->power = patch->moved = patch->elastic = patch->damping = 0.0;
    patch->limit = patch->spring = 0.0;
    if (target->matrix) patch->pointCount = 0;
    hwVec3 p = GetBetween(x, patch->from), q = GetBetween(x, patch->to);
    if (IsAway(patch, &frame, p, q)) return;
    patch->touches = hwField_OverlapLine(&frame.field, p, q, patch->radius - patch->relief, &patch->overlap);
    if (!patch->touches) return;
    EnlargeContact(patch, &patch->overlap);
    CountMaterial(patch, state);
    patch->push = GetPush(patch, state);
    hwNormalForce f = PushNormal(patch, &frame, target);
    hwElementBlocks blocks = {{0.0}, {0.0}, {0.0}};
    if (target->matrix) AddNormalMatrix(patch, &f, target->work->input.hd, &blocks);
    // what settles has no history that would tell the direction of friction
    if (!mode->calm) RubElement(patch, &frame, &f, target, &blocks);
    if (target->matrix && patch->pointCount > 0)
        hwCableWork_AddElementBlocks(target->work, patch->element, &blocks);
}

static void EvaluatePatches(const hwWorld* world, const hwMode* mode, int slot, const Target* target,
                            hwCableContact* sum) {
    hwCableContacts* c = world->work->cableContact;
    int element = -1;
    for (int i = c->first[slot]; i < c->first[slot + 1]; ++i) {
        hwCablePatch* patch = &c->patches[i];
        EvaluatePatch(world, mode, patch, target);
        if (!patch->touches) continue;
        int link = world->model.cableContact->obstacles->items[patch->obstacle].link;
        sum->count += patch->element != element;
        element = patch->element;
        sum->elastic += patch->energy;
        sum->power += patch->power;
        sum->moved += patch->moved;
        sum->force += patch->elastic + patch->damping;
        sum->depth = hwMax(sum->depth, patch->overlap.depth);
        // with `drives` the reaction of prescribed links is counted as a whole
        if (!world->model.links[link].active && !world->model.drives) sum->outside += patch->moved;
    }
}

void hwCableContact_Touch(const hwWorld* world, const hwMode* mode, int slot, const hwCableState* state,
                          hwCableContact* sum) {
    hwCableWork* work = &world->work->cables->tools[slot].work;
    Target target = {work, state, work->force, work->input.matrix};
    EvaluatePatches(world, mode, slot, &target, sum);
}

void hwCableContact_Read(hwWorld* world, const hwMode* mode, double h) {
    (void)h;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        hwCableContacts* c = world->work->cableContact;
        if (c->first[slot] == c->first[slot + 1]) continue;
        hwCableTools* tools = &world->work->cables->tools[slot];
        hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
        Target target = {&tools->work, &state, tools->scratch, false};
        memset(&tools->touch, 0, sizeof(tools->touch));
        EvaluatePatches(world, mode, slot, &target, &tools->touch);
    }
}

void hwCableContact_AddLoads(const hwWorld* world, const double* a, double* residual, hwWideSpatial* loads) {
    (void)a;
    (void)residual;
    const hwCableContacts* c = world->work->cableContact;
    for (int i = 0; i < c->count; ++i) {
        const hwCablePatch* patch = &c->patches[i];
        if (!patch->touches) continue;
        int link = world->model.cableContact->obstacles->items[patch->obstacle].link;
        loads[link].l -= hwWide_FromVec3(patch->force);
        loads[link].a -= hwWide_FromVec3(patch->torque);
    }
}

double hwCableContact_GetWay(const hwWorld* world, int slot) {
    const hwCableContacts* c = world->work->cableContact;
    double radius = 0.0;
    for (int i = c->first[slot]; i < c->first[slot + 1]; ++i) {
        if (c->patches[i].touches) radius = hwMax(radius, c->patches[i].radius);
    }
    return radius;
}

// Where an element touches hangs on its nodes, and which way it pushes on those beside them.
double hwCableContact_MeasureTouch(const hwWorld* world, int slot, const hwVec3* x) {
    const hwCableContacts* c = world->work->cableContact;
    int last = world->state.cables->stores[slot].core->nodes - 1;
    double largest = 0.0;
    for (int i = c->first[slot]; i < c->first[slot + 1]; ++i) {
        const hwCablePatch* patch = &c->patches[i];
        if (!patch->touches) continue;
        int from = patch->element > 0 ? patch->element - 1 : 0;
        int to = patch->element + 2 < last ? patch->element + 2 : last;
        hwVector_Grow(&largest, hwVector_GetLargest(3 * (to - from + 1), &x[from].x) / patch->radius);
    }
    return largest;
}

bool hwCableContact_TouchesNode(const hwWorld* world, int slot, int node) {
    const hwCableContacts* c = world->work->cableContact;
    for (int i = c->first[slot]; i < c->first[slot + 1]; ++i) {
        int element = c->patches[i].element;
        if (c->patches[i].touches && (element == node || element + 1 == node)) return true;
    }
    return false;
}

static double GetTurn(const hwCableState* state, int node) {
    if (node <= 0 || node + 1 >= state->core->nodes) return 0.0;
    const hwVec3* x = state->position + node;
    hwVec3 a = hwSub(x[0], x[-1]), b = hwSub(x[1], x[0]);
    return hwAtan2(hwLength(hwCross(a, b)), hwDot(a, b));
}

#define LAYER 5.0 // times sqrt(EI/T): so far beside an arc of contact a stiff cable goes on turning

static hwVec3 GetChord(const hwCableState* state, int element) {
    return hwSub(state->position[element + 1], state->position[element]);
}

// A stretch of contact: elements that follow each other.
typedef struct Arc {
    const hwCableWork* work;
    const hwCableState* state;
    int first, last; // elements
    int obstacle;    // that the first one touches
    hwVec3 axis;     // about which it turns; not unit
} Arc;

// Turn at a node, negative against that of the arc: a node that trembles does not count twice.
static double GetTurnWith(const Arc* arc, int node) {
    if (node <= 0 || node + 1 >= arc->state->core->nodes) return 0.0;
    hwVec3 turn = hwCross(GetChord(arc->state, node - 1), GetChord(arc->state, node));
    return (hwDot(turn, arc->axis) < 0.0 ? -1.0 : 1.0) * GetTurn(arc->state, node);
}

// What a stiff cable turns beside an arc, from the element on in the direction `way`, up to the material `limit`, from where on it
// belongs to another arc: it decays as exp(-s / sqrt(EI/T)).
static double GetTurnBeside(const Arc* arc, int element, int way, double limit) {
    const hwCableState* state = arc->state;
    int last = state->core->nodes - 2;
    if (element < 0 || element > last || !(arc->work->tension[element] > 0.0)) return 0.0;
    const double* s = state->material;
    double EI = hwCableModel_Average(arc->work->model, s[element], s[element + 1]).EI;
    double layer = sqrt(EI / arc->work->tension[element]), way0 = s[way > 0 ? element : element + 1],
           sum = 0.0;
    for (; element >= 0 && element <= last; element += way) {
        int node = way > 0 ? element + 1 : element;
        double left = LAYER - fabs(s[node] - way0) / (layer + 1e-300);
        if (!(left > 0.0) || (way > 0 ? s[node] > limit : s[node] <= limit)) break;
        sum += hwMin(left, 1.0) * GetTurnWith(arc, node);
    }
    return sum;
}

static void FindAxis(Arc* arc) {
    const hwCableState* state = arc->state;
    arc->axis = hwVec3_zero;
    for (int node = arc->first; node <= arc->last + 1; ++node) {
        if (node <= 0 || node + 1 >= state->core->nodes) continue;
        hwVec3 before = hwNormalize(GetChord(state, node - 1)), after = hwNormalize(GetChord(state, node));
        arc->axis = hwAdd(arc->axis, hwCross(before, after));
    }
}

// The next arc of contact; touches are in order along the cable. `apart`: with one obstacle alone, arc->obstacle. False: there is none.
static bool FindArc(const hwCableStore* store, bool apart, Arc* arc, int* touch, int* element) {
    const double* s = arc->state->material;
    arc->first = arc->last = -1;
    for (; *touch < *store->touchCount; ++*touch) {
        double at = 0.5 * (store->touches[*touch].at[0] + store->touches[*touch].at[1]);
        while (*element + 2 < arc->state->core->nodes && s[*element + 1] < at) *element += 1;
        int obstacle = store->touches[*touch].obstacle;
        if (arc->first < 0) arc->first = *element, arc->obstacle = obstacle;
        if (arc->last >= 0 && (*element > arc->last + 1 || (apart && obstacle != arc->obstacle))) break;
        arc->last = *element;
    }
    return arc->first >= 0;
}

// Angle through which the cable turns where it touches, or did a moment ago, arc by arc: the nodes of its elements, and what
// turns beside them, which between two arcs is the one's up to the middle and the other's from there. `only`: of the arcs on that
// obstacle, -1: of all.
static double SumArcs(const hwWorld* world, int slot, int only) {
    const hwCableStore* store = &world->state.cables->stores[slot];
    const hwCableTools* tools = &world->work->cables->tools[slot];
    Arc arc = {.work = &tools->work, .state = &tools->state}, next = arc;
    const double* s = arc.state->material;
    if (arc.state->core->nodes < 3) return 0.0;
    double sum = 0.0, from = -HUGE_VAL;
    int counted = -2; // last element of the arc before
    int touch = 0, element = 0;
    bool more = FindArc(store, only >= 0, &arc, &touch, &element);
    while (more) {
        more = FindArc(store, only >= 0, &next, &touch, &element);
        double to = more ? 0.5 * (s[arc.last + 1] + s[next.first]) : HUGE_VAL;
        FindAxis(&arc);
        double turn = GetTurnBeside(&arc, arc.last + 1, 1, to);
        for (int node = arc.first; node <= arc.last + 1; ++node) {
            if (node > counted + 1) turn += GetTurnWith(&arc, node);
        }
        turn += GetTurnBeside(&arc, arc.first - 1, -1, from);
        if (only < 0 || arc.obstacle == only) sum += hwMax(turn, 0.0);
        counted = arc.last;
        from = to;
        arc = next;
    }
    return sum;
}

double hwCableContact_GetWrap(const hwWorld* world, int slot) {
    return SumArcs(world, slot, -1);
}

bool hwCableContact_GetWrapOn(const hwWorld* world, int slot, int link, int shape, double* angle) {
    const hwObstacles* obstacles = world->model.cableContact->obstacles;
    const hwCableStore* store = &world->state.cables->stores[slot];
    if (obstacles == NULL || !hwWorld_HasNodes(world, slot)) return false;
    const hwShapeDef* its = &world->model.links[link].body->def.shapes[shape];
    for (int i = 0; i < obstacles->count; ++i) {
        if (obstacles->items[i].link != link || obstacles->items[i].shape != its) continue;
        bool touches = false;
        for (int k = 0; k < *store->touchCount; ++k) touches = touches || store->touches[k].obstacle == i;
        if (touches) *angle += SumArcs(world, slot, i);
    }
    return true;
}

#define CHORD_SAG 0.35   // diameters by which the chord of an element may leave the curve of what it lies on
#define EDGE_SAG 0.8     // at an edge
#define EDGE_LAYER 0.5   // of the length in which a stiff cable bends: elements at an edge
#define EDGE_SLENDER 1.5 // diameters: these are no shorter than half of this
#define EDGE_BEND 0.2    // diameters, likewise: less is no bend that matters
#define EDGE_FALL 0.9    // diameters by which an edge falls away within two of them
// With less tension than so many weights (in air) of a mean element of the mesh as given a cable is slack. What a vehicle drags along
// has some of them in it, and short elements there cost half of a flight's speed (4.0: 19 evaluations a step, 9.0: 13).
#define PULLED 9.0
#define PULLED_TIME 1.0 // s, for which it has been pulled where it is bent
#define SLACK_TIME 0.3  // s, after which what touches without being pulled may become coarse
#define BENT 0.3        // rad

static double GetTouchPlace(const hwCablePatch* patch) {
    return patch->touches ? patch->overlap.at : 0.5 * (patch->place[0] + patch->place[1]);
}

// How far the surface falls away from a cable that touches it, on average of two points so far along the chord on both sides of
// the place of touch. For half the length of an element, that is what it would stand off at its ends if the cable lay there.
static double MeasureFall(const hwWorld* world, const hwCablePatch* patch, const hwCableState* state,
                          double way) {
    hwField field = world->work->cableContact->fields[patch->obstacle];
    const hwVec3* x = state->position + patch->element;
    hwVec3 at = GetBetween(x, GetTouchPlace(patch)), normal;
    hwVec3 along = hwScale(way, hwNormalize(hwSub(x[1], x[0])));
    field.reach = way + 4.0 * patch->radius;
    // what is beyond reach is as far as that
    double here = hwMin(hwField_Measure(&field, at, &normal), field.reach);
    double before = hwMin(hwField_Measure(&field, hwSub(at, along), &normal), field.reach);
    double after = hwMin(hwField_Measure(&field, hwAdd(at, along), &normal), field.reach);
    return 0.5 * (before + after) - here;
}

// The length in which a stiff cable under tension bends, which an edge makes it do at once: sqrt(EI / T). Chords that are longer go
// over the edge one by one, with a pull that rises and falls by as much as the tension itself. Of a cable that would bend within
// less than its diameter, which elements cannot tell, nothing is asked.
static double LimitAtEdge(const hwWorld* world, const hwCablePatch* patch, const hwCableState* state,
                          double rest) {
    const hwCableWork* work = &world->work->cables->tools[patch->slot].work;
    const double* s = state->material + patch->element;
    double EI = hwCableModel_Average(work->model, s[0], s[1]).EI, tension = work->tension[patch->element];
    double diameter = 2.0 * patch->radius;
    if (!(tension > 0.0) || !(EI > tension * diameter * diameter)) return rest;
    return hwMin(rest, hwMax(EDGE_LAYER * sqrt(EI / tension), EDGE_SLENDER * diameter));
}

// The longest that an element may be that is drawn onto a surface. Smooth surfaces are met with short elements before they bend the
// cable: the chord may leave them by CHORD_SAG. At an edge sharper than the cable no length is short enough for that, and the bend
// there is the angle between chords; only where its nodes stand off by EDGE_SAG, l/8 of their turn, it is worth a node.
static double LimitPulled(const hwWorld* world, const hwCablePatch* patch, const hwCableState* state,
                          double rest) {
    double diameter = 2.0 * patch->radius, fall = MeasureFall(world, patch, state, 0.5 * rest);
    double smooth = fall > 0.0 ? rest * sqrt(CHORD_SAG * diameter / fall) : HUGE_VAL;
    smooth = hwMax(smooth, HW_CABLE_SLENDER * diameter);
    if (!(fall > CHORD_SAG * diameter)) return smooth;
    double turn = 0.5 * (GetTurn(state, patch->element) + GetTurn(state, patch->element + 1));
    bool sharp = MeasureFall(world, patch, state, 2.0 * diameter) > EDGE_FALL * diameter;
    double off = 0.125 * rest * turn;
    if (!sharp || !(off < EDGE_SAG * diameter)) return smooth;
    return off < EDGE_BEND * diameter ? rest : LimitAtEdge(world, patch, state, rest);
}

// Where it touches, of an element there with a length of `rest`: elements that are not pulled stay as they are, until they have been
// slack for long.
static double LimitElement(const hwWorld* world, const hwCablePatch* patch, const hwCableState* state,
                           double rest, double pulled) {
    int e = patch->element;
    if (pulled < -SLACK_TIME) return HUGE_VAL;
    // where a slack cable has been drawn tight with a bend in it, nodes let it jump onto the surface: not for a moment's pull
    bool bent = GetTurn(state, e) + GetTurn(state, e + 1) > BENT;
    if (!(pulled > (bent ? PULLED_TIME : 0.0))) return rest;
    return LimitPulled(world, patch, state, rest);
}

double hwCableContact_GetPull(const hwWorld* world, int slot) {
    const hwCableModel* model = &world->model.cables->slots[slot].model;
    const hwCableStore* store = &world->state.cables->stores[slot];
    int last = store->core->nodes - 1;
    double mass = hwCableModel_GetMass(model, store->material[0], store->material[last]);
    double gravity = hwEnvironment_GetDef(world->environment)->gravity;
    return PULLED * gravity * mass / (last - store->core->inserted);
}

// The longest for which a touch or one beside it, up to a length away, has been pulled: an element that comes to lie beside
// others is drawn onto the surface as they are.
static double GetPulledTime(const hwCableStore* store, int touch, double length) {
    const hwCableTouch* own = &store->touches[touch];
    double longest = (double)own->pulled;
    for (int k = touch > 0 ? touch - 1 : 0; k <= touch + 1 && k < *store->touchCount; ++k) {
        const hwCableTouch* other = &store->touches[k];
        bool beside = other->at[1] > own->at[0] - length && other->at[0] < own->at[1] + length;
        if (beside && other->obstacle == own->obstacle) longest = hwMax(longest, (double)other->pulled);
    }
    return longest;
}

bool hwCableContact_LimitElements(const hwWorld* world, int slot, double* longest, double* joined,
                                  double* places) {
    const hwCableContacts* c = world->work->cableContact;
    const hwCableStore* store = &world->state.cables->stores[slot];
    const hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
    if (c->first[slot] == c->first[slot + 1]) return false;
    int touch = 0;
    bool any = false;
    for (int i = c->first[slot]; i < c->first[slot + 1]; ++i) {
        const hwCablePatch* patch = &c->patches[i];
        const double* s = state.material + patch->element;
        double rest = s[1] - s[0];
        while (touch < *store->touchCount && store->touches[touch].at[1] < s[0]) touch += 1;
        bool touches = touch < *store->touchCount && store->touches[touch].at[0] <= s[1];
        if (!touches) continue;
        double pulled = GetPulledTime(store, touch, rest);
        double most = LimitElement(world, patch, &state, rest, pulled);
        any = any || most < HUGE_VAL;
        // beside an edge what is short lies on a plane and what is twice as long does not: it would be halved again at once
        if (store->core->inserted > 0) {
            double twice = LimitElement(world, patch, &state, 2.0 * rest, pulled);
            joined[patch->element] = hwMin(joined[patch->element], hwMin(most, twice));
        }
        if (!(most < longest[patch->element])) continue;
        longest[patch->element] = most;
        places[patch->element] = s[0] + GetTouchPlace(patch) * (s[1] - s[0]);
    }
    return any;
}

// The triangle of an obstacle's mesh nearest to a point, -1 of other shapes.
static int FindObstacleTriangle(const hwWorld* world, const hwObstacle* obstacle, hwVec3 point) {
    if (!obstacle->mesh) return -1;
    hwBodyState motion;
    hwBody_ReadMotion(world, obstacle->link, &motion);
    hwPose pose = hwMulPose((hwPose){motion.position, motion.attitude}, obstacle->shape->pose);
    return hwMesh_FindTriangle(&obstacle->tree, hwInvTransformPoint(pose, point));
}

int hwCableContact_View(const hwWorld* world, hwContactView* views) {
    const hwCableContacts* c = world->work->cableContact;
    int count = 0;
    for (int i = 0; i < c->count; ++i) {
        const hwCablePatch* patch = &c->patches[i];
        if (!patch->touches) continue;
        const hwObstacle* obstacle = &world->model.cableContact->obstacles->items[patch->obstacle];
        const hwBodyObject* body = world->model.links[obstacle->link].body;
        views[count++] =
            (hwContactView){.a = world->model.cables->slots[patch->slot].name,
                            .b = body->def.name,
                            .bodyB = body->id,
                            .cableA = world->model.cables->slots[patch->slot].object->id,
                            .shapeA = -1,
                            .shapeB = (int)(obstacle->shape - body->def.shapes),
                            .triangleA = -1,
                            .triangleB = FindObstacleTriangle(world, obstacle, patch->overlap.point),
                            .elementA = patch->element,
                            .elementB = -1,
                            .point = patch->overlap.point,
                            .normal = hwNeg(patch->overlap.normal),
                            .force = hwNeg(patch->force),
                            .elastic = patch->elastic,
                            .damping = patch->damping,
                            .volume = patch->overlap.volume,
                            .depth = patch->overlap.depth,
                            .sliding = patch->slides};
    }
    return count;
}

void hwCableContact_Sum(const hwWorld* world, int link, hwContactSum* sum) {
    const hwCableContacts* cables = world->work->cableContact;
    for (int i = 0; i < cables->count; ++i) {
        const hwCablePatch* p = &cables->patches[i];
        if (!p->touches || world->model.cableContact->obstacles->items[p->obstacle].link != link) continue;
        hwContactSum_Add(sum, hwNeg(p->force), p->overlap.point, p->elastic, p->damping, p->overlap.volume,
                         p->overlap.depth);
    }
}
