// Where cables may touch something during the coming step, how long that step may be, and, after it, whether anything
// passed through anything; and the memory of friction from step to step.
//
// All of it is a function of the state and of the step's length, so a restored state goes on as it would have.
#include "parts/cable_contact/cable_contact.h"

#include "math/lanes.h"

#include <math.h>
#include <string.h>

#define DEEPEST 0.5       // of the radius: how deep a step may carry a cable into something before forces act
#define THIN 0.25         // of an obstacle's thickness: likewise, where that is more
#define PIECE 16.0        // radii: longest piece of an element that is measured against a mesh at once
#define MAX_PIECES 8      //
#define NEARBY 48         // triangles that are looked at for a second face
#define APART 0.5         // cosine: faces that push in directions farther apart are contacts of their own
#define SQUARE 0.999      // cosine: a face, not its edge, is nearest
#define RELIEF_TIME 0.5   // s, in which an overlap of the start comes to count
#define RELIEF_LEFT 1e-6  // of the radius: what is left when all of it does
#define FAR 2.0           // m: no cable goes so much farther in a step than its speed tells
#define SHORTEST 1e-5     // s: no shorter steps are asked for to keep things apart
#define MOST_TURN 1.0     // rad: elements that turn by more lie on nothing as an arc
#define LONGEST_WAIT 10.0 // s for which it is counted how long a cable has been pulled onto something
#define OFF_GAP 0.2       // diameters: what is farther from what it touched has left it,
#define OFF_TIME 0.2      // s, when it has been so for so long
#define NEAR_ELEMENTS 1.5 // mean elements of the mesh as given, within which relief goes from one to another

typedef struct Finder {
    const hwWorld* world;
    bool settling;
    hwCableContacts* contacts;
    const hwObstacles* obstacles;
    hwCableState state;
    int slot;
    double h;
    int nearCount;
    int skip[2]; // elements at each end that do not touch what that end is attached to
    int skipLink[2];
    int cursor;    // among the touches
    bool relieved; // some of them have an overlap of the start that does not count
} Finder;

// Obstacles --------------------------------------------------------------------------------------------------------------

void hwCableContact_PlaceObstacle(const hwWorld* world, int k) {
    const hwObstacle* obstacle = &world->model.cableContact->obstacles->items[k];
    const hwLinkMotion* m = &world->work->forest.motion[obstacle->link];
    hwField* field = &world->work->cableContact->fields[k];
    hwMat3 R = {hwWide_ToVec3(m->R.x), hwWide_ToVec3(m->R.y), hwWide_ToVec3(m->R.z)};
    field->r = hwMulMM(R, obstacle->r);
    field->p = hwAdd(hwWide_ToVec3(m->p), hwMulMV(R, obstacle->shape->pose.p));
    field->convex = obstacle->mesh ? NULL : &obstacle->convex;
    field->tree = obstacle->mesh ? &obstacle->tree : NULL;
}

static void PlaceObstacles(const hwWorld* world, double h) {
    hwCableContacts* c = world->work->cableContact;
    const hwObstacles* obstacles = world->model.cableContact->obstacles;
    for (int k = 0; k < obstacles->count; ++k) {
        const hwObstacle* obstacle = &obstacles->items[k];
        if (obstacle->still && c->boxesKnown) continue;
        hwCableContact_PlaceObstacle(world, k);
        const hwLinkMotion* m = &world->work->forest.motion[obstacle->link];
        c->speed[k] = hwLength(hwWide_ToVec3(m->v.l)) + obstacle->reach * hwLength(hwWide_ToVec3(m->v.a));
        hwBox box = hwBox_Transform(&obstacle->bounds, c->fields[k].p, &c->fields[k].r);
        c->boxes[k] = hwBox_Grow(box, 2.0 * h * c->speed[k]);
    }
    c->boxesKnown = true;
}

static bool IsInsideLink(const Finder* f, hwVec3 point, int link, double margin) {
    for (int k = 0; k < f->nearCount; ++k) {
        int o = f->contacts->near[k];
        if (f->obstacles->items[o].link != link) continue;
        hwField field = f->contacts->fields[o];
        field.reach = f->obstacles->items[o].reach;
        hwVec3 normal;
        if (hwField_Measure(&field, point, &normal) < margin) return true;
    }
    return false;
}

static bool IsNodeInside(const Finder* f, int node, int link, double margin) {
    return IsInsideLink(f, f->state.position[node], link, margin);
}

#define POINTS 4 // of an element, its first node among them

static bool IsElementInside(const Finder* f, int element, int link) {
    double radius = hwCableWork_GetRadii(&f->world->work->cables->tools[f->slot].work)[element];
    hwVec3 from = f->state.position[element], way = hwSub(f->state.position[element + 1], from);
    for (int k = 0; k <= POINTS; ++k)
        if (IsInsideLink(f, hwMulAdd(from, (double)k / POINTS, way), link, radius)) return true;
    return false;
}

// Whether the axis of an element is in a link, or by half of its radius as near to it as only what is pressed in is.
static bool GoesThrough(const Finder* f, int element, int link) {
    double near = 0.5 * hwCableWork_GetRadii(&f->world->work->cables->tools[f->slot].work)[element];
    const hwVec3* x = f->state.position + element;
    for (int k = 0; k < f->nearCount; ++k) {
        int o = f->contacts->near[k];
        if (f->obstacles->items[o].link != link) continue;
        hwField field = f->contacts->fields[o];
        field.reach = f->obstacles->items[o].reach;
        if (hwField_FindNearest(&field, x[0], x[1], near).distance < near) return true;
    }
    return false;
}

// An end that was let go may still lie in what held it: it does not touch that until it has got clear, or it would be shot
// out; nor while its last element, whose end has come out, goes through it.
static void FindLeft(Finder* f, int e) {
    int last = f->state.core->nodes - 1;
    hwEndState* end = &f->world->state.cables->stores[f->slot].ends[e];
    if (end->left == 0) return;
    double radius = hwCableWork_GetRadii(&f->world->work->cables->tools[f->slot].work)[e == 0 ? 0 : last - 1];
    f->skipLink[e] = end->left - 1;
    while (f->skip[e] < last &&
           (IsNodeInside(f, e == 0 ? f->skip[e] : last - f->skip[e], f->skipLink[e], radius) ||
            GoesThrough(f, e == 0 ? f->skip[e] : last - 1 - f->skip[e], f->skipLink[e]))) {
        f->skip[e] += 1;
    }
    if (f->skip[e] == 0) end->left = 0;
}

// A node that comes out before those behind it does not free them: they would be shot out from where they are. They count when they
// are clear.
static void KeepSkips(Finder* f, int e, hwEndState* end) {
    int last = f->state.core->nodes - 1;
    const double* material = f->state.material;
    double from = material[e == 0 ? 0 : last];
    for (int k = f->skip[e]; k < last && fabs(material[e == 0 ? k : last - k] - from) < end->inside; ++k)
        if (IsElementInside(f, e == 0 ? k : last - 1 - k, f->skipLink[e])) f->skip[e] = k + 1;
    // who only looks changes nothing
    if (f->h > 0.0) end->inside = fabs(material[e == 0 ? f->skip[e] : last - f->skip[e]] - from);
}

// The end of a cable may lie inside what it is attached to: from there to the first node outside, nothing counts, and never
// the first length of one and a half elements, however short a winch or sheave has made the first one.
static void FindSkips(Finder* f) {
    int last = f->state.core->nodes - 1;
    const double* material = f->state.material;
    double least = 1.5 * (material[last] - material[0]) / (last - f->state.core->inserted);
    for (int e = 0; e < 2; ++e) {
        hwEndState* end = &f->world->state.cables->stores[f->slot].ends[e];
        f->skip[e] = 0;
        f->skipLink[e] = end->joint == HW_ATTACH_FREE ? -1 : end->link;
        if (end->joint == HW_ATTACH_FREE) FindLeft(f, e);
        if (f->skipLink[e] < 0 || end->joint == HW_ATTACH_FREE) continue;
        f->skip[e] = 1;
        for (bool inside = true; inside && f->skip[e] < last; f->skip[e] += inside) {
            int node = e == 0 ? f->skip[e] : last - f->skip[e];
            inside = IsNodeInside(f, node, f->skipLink[e], 0.0);
            inside = inside || fabs(material[node] - material[e == 0 ? 0 : last]) < least;
        }
        KeepSkips(f, e, end);
    }
}

static bool IsRuledOut(const hwWorld* world, int slot, int obstacle) {
    const hwObstacles* obstacles = world->model.cableContact->obstacles;
    if (obstacles->ignored[slot * obstacles->count + obstacle]) return true;
    hwThing cable = {HW_THING_CABLE, slot}, link = {HW_THING_LINK, obstacles->items[obstacle].link};
    return hwWorld_HasSwitches(world) && hwWorld_IsSwitchedOff(world, cable, link);
}

static bool IsSkipped(const Finder* f, int element, int obstacle) {
    int link = f->obstacles->items[obstacle].link, elements = f->state.core->nodes - 1;
    // the long steps of statics would leave nothing but rounding of the stiffness that a hard contact adds to a link
    if (f->settling && f->world->model.links[link].active) return true;
    return (link == f->skipLink[0] && element < f->skip[0]) ||
           (link == f->skipLink[1] && element >= elements - f->skip[1]);
}

// Friction's memory ------------------------------------------------------------------------------------------------------

static hwVec3 Widen(const float v[3]) {
    return hwMakeVec3((double)v[0], (double)v[1], (double)v[2]);
}

static void Narrow(hwVec3 v, float out[3]) {
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

static hwVec3 GetPoint(const hwCableState* state, int element, double place) {
    const hwVec3* x = state->position + element;
    return hwMulAdd(x[0], place, hwSub(x[1], x[0]));
}

// The touch that a patch continues: of the same obstacle and direction, on the same piece, or where the patch is next to it
// on a neighbouring element. Touches are in order along the cable.
static const hwCableTouch* FindTouch(Finder* f, const hwCablePatch* patch, double nearest) {
    const hwCableStore* store = &f->world->state.cables->stores[f->slot];
    const double* s = f->state.material + patch->element;
    double rest = s[1] - s[0], here = s[0] + nearest * rest, close = 4.0 * patch->radius;
    double low = s[0] + patch->from * rest, high = s[0] + patch->to * rest;
    const hwCableTouch* best = NULL;
    double gap = HUGE_VAL, deepest = -HUGE_VAL;
    while (f->cursor < *store->touchCount && store->touches[f->cursor].at[1] < low - 2.0 * rest)
        f->cursor += 1;
    for (int k = f->cursor; k < *store->touchCount; ++k) {
        const hwCableTouch* touch = &store->touches[k];
        double at = 0.5 * (touch->at[0] + touch->at[1]);
        if (at > high + 2.0 * rest) break;
        if (touch->obstacle != patch->obstacle || hwDot(Widen(touch->normal), patch->start) < HW_SAME_SIDE)
            continue;
        // two touches may lie on the piece, one of them at its end, where the cable beside it has just left the obstacle
        double inside = hwMin(at - low, high - at), away = fabs(at - here);
        if (inside < 0.0 && !(away < close)) continue;
        if (inside < 0.0) inside = -1.0; // of those beside the piece, the nearest
        if (inside > deepest || (inside == deepest && away < gap)) {
            best = touch;
            gap = away;
            deepest = inside;
        }
    }
    return best;
}

static double GetTurnAt(const hwCableState* state, int node) {
    if (node <= 0 || node + 1 >= state->core->nodes) return 0.0;
    const hwVec3* x = state->position + node;
    hwVec3 a = hwSub(x[0], x[-1]), b = hwSub(x[1], x[0]);
    return hwAtan2(hwLength(hwCross(a, b)), hwDot(a, b));
}

// Whether the cable touches the obstacle on an element.
static bool TouchesOn(const Finder* f, int element, int obstacle) {
    const hwCableStore* store = &f->world->state.cables->stores[f->slot];
    if (element < 0 || element + 1 >= f->state.core->nodes) return false;
    const double* s = f->state.material + element;
    // the cursor is no more than two elements behind
    for (int k = f->cursor; k < *store->touchCount && store->touches[k].at[0] <= s[1]; ++k) {
        if (store->touches[k].at[1] >= s[0] && store->touches[k].obstacle == obstacle) return true;
    }
    return false;
}

// Along an arc of elements that turn by D each, forces in the middle of the chords, shared by the nodes, give the ratio of
// tensions asinh(mu sin D) instead of mu D an element: pressure along the arc turns with it, their sum does not. So that Euler's
// formula holds for any D, friction inside an arc is greater by sinh(mu D) / (mu sin D), here to the second order in mu D.
static double GetGrip(const Finder* f, const hwCablePatch* patch) {
    double mu = patch->slid ? patch->law->kineticFriction : patch->law->staticFriction;
    int e = patch->element;
    if (!(mu > 0.0)) return 1.0;
    int beside = TouchesOn(f, e - 1, patch->obstacle) + TouchesOn(f, e + 1, patch->obstacle);
    if (beside == 0) return 1.0;
    double turn = hwMin(0.5 * (GetTurnAt(&f->state, e) + GetTurnAt(&f->state, e + 1)), MOST_TURN);
    if (turn < 1e-3) return 1.0;
    double grip = turn / hwSin(turn) * (1.0 + mu * mu * turn * turn / 6.0);
    return 1.0 + 0.5 * beside * (grip - 1.0);
}

// Of an overlap of the start what does not count: the most of what touches on the same piece have left, on whichever side, or that of
// the nearest one, as after the mesh has changed. A patch that continued none would push with all of it at once.
static double FindRelief(const Finder* f, const hwCablePatch* patch, double nearest) {
    const hwCableStore* store = &f->world->state.cables->stores[f->slot];
    const double *material = f->state.material, *s = material + patch->element;
    int last = f->state.core->nodes - 1;
    double rest = s[1] - s[0], here = s[0] + nearest * rest;
    double low = s[0] + patch->from * rest, high = s[0] + patch->to * rest;
    double close = NEAR_ELEMENTS * (material[last] - material[0]) / (last - f->state.core->inserted);
    double relief = 0.0;
    for (int k = 0; k < *store->touchCount; ++k) {
        const hwCableTouch* touch = &store->touches[k];
        double at = 0.5 * (touch->at[0] + touch->at[1]),
               away = at >= low && at <= high ? 0.0 : fabs(at - here);
        if (touch->obstacle != patch->obstacle || away > close) continue;
        relief = away < close ? (double)touch->relief : hwMax(relief, (double)touch->relief);
        close = away;
    }
    return hwMin(relief, hwMax(patch->radius - patch->distance, 0.0));
}

// Ties the patch's friction points, with the stretch that they had, or where the patch is nearest.
static void TiePatch(Finder* f, hwCablePatch* patch, double nearest) {
    const hwField* field = &f->contacts->fields[patch->obstacle];
    const hwCableTouch* touch = FindTouch(f, patch, nearest);
    const double* s = f->state.material + patch->element;
    double low = s[0] + patch->from * (s[1] - s[0]), high = s[0] + patch->to * (s[1] - s[0]);
    patch->slid = touch != NULL && touch->sliding;
    double middle = touch != NULL ? 0.5 * (touch->at[0] + touch->at[1]) : 0.0;
    patch->away = touch != NULL && middle >= low && middle <= high ? (double)touch->away : -1.0;
    patch->pulled = touch != NULL ? (double)touch->pulled : 0.0;
    patch->grip = GetGrip(f, patch);
    patch->relief = f->relieved ? hwMin(FindRelief(f, patch, nearest), 0.9 * patch->radius) : 0.0;
    for (int k = 0; k < 2; ++k) {
        bool kept = touch != NULL && touch->at[k] >= low && touch->at[k] <= high;
        patch->place[k] = kept ? (touch->at[k] - s[0]) / (s[1] - s[0]) : nearest;
        hwVec3 x = GetPoint(&f->state, patch->element, patch->place[k]);
        patch->anchor[k] = hwMulTV(field->r, hwSub(x, field->p));
        if (touch != NULL) patch->anchor[k] = hwSub(patch->anchor[k], Widen(touch->stretch[k]));
    }
}

static float FadeRelief(const hwCablePatch* patch, double relief, double time) {
    double left = hwExp(-time / RELIEF_TIME) * relief;
    return left > RELIEF_LEFT * patch->radius ? (float)left : 0.0F;
}

// An overlap of the start stores more as more of it counts, which no power of the nodes has brought: it is work from outside.
static void BookRelief(hwWorld* world, const hwCablePatch* patch, const hwCableState* state, double relief) {
    hwField field = world->work->cableContact->fields[patch->obstacle];
    field.reach = patch->reach;
    field.facing = patch->facing;
    hwVec3 p = GetPoint(state, patch->element, patch->from), q = GetPoint(state, patch->element, patch->to);
    hwLineOverlap overlap;
    if (!hwField_OverlapLine(&field, p, q, patch->radius - relief, &overlap)) return;
    double had = patch->touches ? patch->overlap.volume * patch->overlap.height : 0.0;
    double brought = patch->law->stiffness * (overlap.volume * overlap.height - had);
    const hwCableSlot* cable = &world->model.cables->slots[patch->slot];
    world->state.z[cable->dissipated] += brought; // from which all that is stored comes off
    world->state.z[cable->work] += brought;
    world->state.z[cable->outside] += brought;
}

// What does not touch any more counts as touching for a while, without friction's stretch; what is left of an overlap of the start
// goes on not counting. False: it has left.
static bool HoldTouch(hwWorld* world, const hwCablePatch* patch, const hwCableState* state, double time,
                      hwCableTouch* touch) {
    if (!(patch->away >= 0.0) && !(patch->relief > 0.0)) return false;
    hwField field = world->work->cableContact->fields[patch->obstacle];
    field.reach = patch->reach;
    field.facing = patch->facing;
    hwVec3 p = GetPoint(state, patch->element, patch->from), q = GetPoint(state, patch->element, patch->to);
    double limit = patch->radius * (1.0 + 2.0 * OFF_GAP);
    hwLinePoint nearest = hwField_FindNearest(&field, p, q, limit);
    double away = nearest.distance <= limit ? 0.0 : hwMax(patch->away, 0.0) + time;
    if (away > OFF_TIME) return false;
    double overlap = hwMax(patch->radius - nearest.distance, 0.0);
    if (!(patch->away >= 0.0) && !(overlap > 0.0)) return false;
    const double* s = state->material + patch->element;
    bool found = nearest.distance <= limit;
    double place =
        found ? patch->from + nearest.u * (patch->to - patch->from) : 0.5 * (patch->from + patch->to);
    double at = s[0] + place * (s[1] - s[0]);
    *touch = (hwCableTouch){.at = {at, at},
                            .away = (float)away,
                            .pulled = (float)patch->pulled,
                            .obstacle = patch->obstacle,
                            .relief = FadeRelief(patch, hwMin(overlap, patch->relief), time)};
    hwVec3 normal = found ? hwMulTV(field.r, nearest.normal) : patch->start;
    Narrow(normal, touch->normal);
    if (patch->relief > 0.0) BookRelief(world, patch, state, (double)touch->relief);
    return true;
}

// The time for which a cable has been pulled, negative: for which it has been slack.
static double WaitForPull(double waited, double pull, double time) {
    if (pull > 1.0) return hwMin(hwMax(waited, 0.0) + time, LONGEST_WAIT);
    return hwMax(hwMin(waited, 0.0) - time, -LONGEST_WAIT);
}

void hwCableContact_Remember(hwWorld* world, int slot, double time) {
    hwCableContacts* c = world->work->cableContact;
    hwCableStore* store = &world->state.cables->stores[slot];
    const hwCableTools* tools = &world->work->cables->tools[slot];
    int room = world->model.cables->slots[slot].touchRoom, count = 0;
    if (c->first[slot] == c->first[slot + 1] && *store->touchCount == 0) return;
    double pull = hwCableContact_GetPull(world, slot);
    for (int i = c->first[slot]; i < c->first[slot + 1] && count < room; ++i) {
        const hwCablePatch* patch = &c->patches[i];
        if (!patch->touches) {
            hwCableTouch held;
            if (HoldTouch(world, patch, &tools->state, time, &held)) store->touches[count++] = held;
            continue;
        }
        const hwField* field = &c->fields[patch->obstacle];
        const double* s = tools->state.material + patch->element;
        hwCableTouch* touch = &store->touches[count++];
        touch->away = 0.0F;
        touch->pulled = (float)WaitForPull(patch->pulled, tools->work.tension[patch->element] / pull, time);
        touch->obstacle = patch->obstacle;
        touch->sliding = patch->slides;
        touch->relief = FadeRelief(patch, patch->relief, time);
        if (patch->relief > 0.0) BookRelief(world, patch, &tools->state, (double)touch->relief);
        Narrow(hwMulTV(field->r, patch->overlap.normal), touch->normal);
        const hwLineOverlap* o = &patch->overlap;
        for (int k = 0; k < 2; ++k) {
            hwVec3 x =
                hwMulTV(field->r, hwSub(GetPoint(&tools->state, patch->element, patch->place[k]), field->p));
            hwVec3 stretch = hwSub(x, patch->anchor[k]);
            hwVec3 push = hwMulTV(field->r, patch->push);
            stretch = hwMulAdd(stretch, -hwDot(stretch, push), push);
            double length = hwLength(stretch),
                   most = patch->spring > 0.0 ? patch->limit / patch->spring : 0.0;
            Narrow(length > most ? hwScale(most / length, stretch) : stretch, touch->stretch[k]);
            double place = hwClamp(o->at + (k == 0 ? -o->spread : o->spread), patch->from, patch->to);
            touch->at[k] = s[0] + place * (s[1] - s[0]);
        }
    }
    memset(store->touches + count, 0,
           (size_t)(*store->touchCount > count ? *store->touchCount - count : 0) * sizeof(hwCableTouch));
    *store->touchCount = count;
}

// What is drawn as deep in an obstacle as it is thick must not be in or out by the rounding of places: far more than that of
// places kilometres away, and far less than anyone draws.
#define DRAWN_DEPTH 1e-6 // of the radius

// What begins deeper in an obstacle than it is thick has no side on which it belongs; pushed out by its depth it would fly.
static void NoteInside(const hwWorld* world, int slot, const hwCablePatch* patch) {
    unsigned char* inside = &world->state.cables->stores[slot].inside[patch->obstacle];
    if (*inside) return;
    *inside = 1;
    const hwModel* model = &world->model;
    hwWorld_Log(world, HW_LOG_WARNING, "%s begins inside %s; they do not touch until it has come out",
                model->cables->slots[slot].name,
                model->links[model->cableContact->obstacles->items[patch->obstacle].link].body->def.name);
}

#define PUSHES 20   // times that nodes are moved out of obstacles
#define PUSHED 1e-3 // of the radius: nearer than that is out

// A cable that goes on as another model was laid along a path whose corners cut into round obstacles: it is moved out, and its
// elements keep their pull.
static void LeaveObstacles(hwWorld* world, const hwMode* mode, int slot) {
    const hwCableContacts* c = world->work->cableContact;
    const hwCableModel* model = &world->model.cables->slots[slot].model;
    bool moved = true;
    for (int pass = 0; moved && pass < PUSHES; ++pass) {
        hwCableContact_Find(world, mode, 0.0);
        hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
        moved = false;
        for (int i = c->first[slot]; i < c->first[slot + 1]; ++i) {
            const hwCablePatch* patch = &c->patches[i];
            double deep = patch->radius - patch->distance;
            if (deep < PUSHED * patch->radius || deep > 2.0 * patch->radius) continue;
            hwVec3 way = hwScale(deep, hwMulMV(c->fields[patch->obstacle].r, patch->start));
            int first = patch->element > 0 ? patch->element - 1 : 0;
            double pulls[3];
            for (int e = first; e < first + 3 && e + 1 < state.core->nodes; ++e)
                pulls[e - first] = hwCableState_GetPull(&state, model, e);
            for (int k = 0; k < 2; ++k) {
                int node = patch->element + k;
                if (node == 0 || node == state.core->nodes - 1) continue;
                state.position[node] = state.anchor[node] = hwAdd(state.position[node], way);
            }
            for (int e = first; e < first + 3 && e + 1 < state.core->nodes; ++e)
                hwCableState_Trim(&state, model, e, pulls[e - first]);
            moved = true;
            i += 1; // its neighbour has been moved too
        }
    }
}

void hwCableContact_Start(hwWorld* world, const hwMode* mode, bool settled) {
    hwCableContacts* c = world->work->cableContact;
    const hwObstacles* obstacles = world->model.cableContact->obstacles;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        bool laid = world->model.cables->slots[slot].object->past != NULL && hwWorld_HasNodes(world, slot);
        if (laid && !obstacles->goesOn[slot]) LeaveObstacles(world, mode, slot);
    }
    hwCableContact_Find(world, mode, 0.0);
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableState state = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
        hwCableStore* store = &world->state.cables->stores[slot];
        int room = world->model.cables->slots[slot].touchRoom;
        for (int i = c->first[slot]; i < c->first[slot + 1] && *store->touchCount < room; ++i) {
            const hwCablePatch* patch = &c->patches[i];
            const hwObstacle* obstacle = &obstacles->items[patch->obstacle];
            int link = obstacle->link;
            if (!settled && obstacles->goesOn[slot] && obstacle->known) continue;
            if (settled && !world->model.links[link].active) continue;
            if (-patch->distance > (1.0 + DRAWN_DEPTH) * patch->radius) {
                NoteInside(world, slot, patch);
                continue;
            }
            const double* m = state.material + patch->element;
            double s = m[0] + patch->place[0] * (m[1] - m[0]);
            hwCableTouch* touch = &store->touches[(*store->touchCount)++];
            *touch = (hwCableTouch){.obstacle = patch->obstacle, .at = {s, s}, .pulled = (float)LONGEST_WAIT};
            Narrow(patch->start, touch->normal);
            touch->relief = (float)hwMax(patch->radius - patch->distance, 0.0);
        }
    }
}

// Patches ----------------------------------------------------------------------------------------------------------------

static const hwContactLaw* FindLaw(const Finder* f, int element, int obstacle) {
    const hwCableModel* model = &f->world->model.cables->slots[f->slot].model;
    double middle = 0.5 * (f->state.material[element] + f->state.material[element + 1]);
    int section = 0;
    while (section + 1 < model->sectionCount && model->starts[section + 1] <= middle) section += 1;
    int row = f->obstacles->row[f->slot] + section;
    return &f->world->work->cableContact->laws[row * f->obstacles->count + obstacle];
}

static hwVec3 GetObstacleVelocity(const Finder* f, int obstacle, hwVec3 x) {
    const hwLinkMotion* m = &f->world->work->forest.motion[f->obstacles->items[obstacle].link];
    hwWide arm = hwWide_FromVec3(x) - m->p;
    return hwWide_ToVec3(m->v.l + hwWide_Cross(m->v.a, arm));
}

// A step that would carry the axis into the obstacle faster than forces can show which side it came from is too long.
static void LimitStep(Finder* f, const hwCablePatch* patch, const hwLinePoint* nearest) {
    const hwVec3* v = f->state.velocity + patch->element;
    double place = patch->from + nearest->u * (patch->to - patch->from);
    hwVec3 x = GetPoint(&f->state, patch->element, place);
    hwVec3 velocity = hwMulAdd(v[0], place, hwSub(v[1], v[0]));
    velocity = hwSub(velocity, GetObstacleVelocity(f, patch->obstacle, x));
    double closing = -hwDot(velocity, nearest->normal), gap = nearest->distance - patch->radius;
    double deep = hwMax(DEEPEST * patch->radius, THIN * f->obstacles->items[patch->obstacle].thickness);
    double way = hwMax(gap + deep, 0.25 * deep);
    if (closing * f->h > way)
        f->contacts->longest = hwMin(f->contacts->longest, hwMax(way / closing, SHORTEST));
}

static hwCablePatch* AddPatch(Finder* f, int element, int obstacle, double from, double to,
                              const hwLinePoint* nearest, double margin) {
    hwCableContacts* c = f->contacts;
    if (c->count == c->capacity) {
        c->full = true;
        return NULL;
    }
    hwCablePatch* patch = &c->patches[c->count++];
    memset(patch, 0, sizeof(*patch));
    patch->slot = f->slot;
    patch->element = element;
    patch->obstacle = obstacle;
    patch->law = FindLaw(f, element, obstacle);
    patch->radius = hwCableWork_GetRadii(&f->world->work->cables->tools[f->slot].work)[element];
    patch->from = from;
    patch->to = to;
    const hwField* field = &c->fields[obstacle];
    double place = from + nearest->u * (to - from);
    hwVec3 x = hwMulTV(field->r, hwSub(GetPoint(&f->state, element, place), field->p));
    patch->start = hwMulTV(field->r, nearest->normal);
    patch->height = hwDot(patch->start, x) - nearest->distance;
    double length = (to - from) * hwDistance(f->state.position[element], f->state.position[element + 1]);
    patch->reach = 2.0 * (patch->radius + margin) + length;
    patch->distance = nearest->distance;
    patch->ends[0] = hwMulTV(field->r, hwSub(GetPoint(&f->state, element, from), field->p));
    patch->ends[1] = hwMulTV(field->r, hwSub(GetPoint(&f->state, element, to), field->p));
    TiePatch(f, patch, place);
    LimitStep(f, patch, nearest);
    return patch;
}

static void TryConvex(Finder* f, int element, int obstacle, double radius, double margin) {
    const hwVec3* x = f->state.position + element;
    hwLinePoint nearest = hwField_FindNearest(&f->contacts->fields[obstacle], x[0], x[1], radius + margin);
    if (nearest.distance > radius + margin) return;
    AddPatch(f, element, obstacle, 0.0, 1.0, &nearest, margin);
}

// Triangles near a piece of an element, found once a step.
typedef struct Nearby {
    int count;
    bool all; // there are no more than these
    hwMeshHit hits[NEARBY];
} Nearby;

static hwVec3 GetFace(const hwObstacle* obstacle, int triangle) {
    const int* t = obstacle->shape->mesh.triangles[triangle];
    const hwVec3* v = obstacle->shape->mesh.vertices;
    return hwNormalize(hwCross(hwSub(v[t[1]], v[t[0]]), hwSub(v[t[2]], v[t[0]])));
}

// Keeps the triangles for the evaluations of the step, when all are known and there is room.
static void KeepTriangles(Finder* f, const hwObstacle* obstacle, const Nearby* nearby, hwCablePatch* patch) {
    hwCableContacts* c = f->contacts;
    if (!nearby->all || c->triangleCount + nearby->count > c->triangleCapacity) return;
    patch->firstTriangle = c->triangleCount;
    patch->triangleCount = nearby->count;
    for (int i = 0; i < nearby->count; ++i) {
        const int* t = obstacle->shape->mesh.triangles[nearby->hits[i].triangle];
        hwVec3* corner = c->triangles[c->triangleCount++];
        for (int k = 0; k < 3; ++k) corner[k] = obstacle->shape->mesh.vertices[t[k]];
    }
}

// A piece in a corner touches faces that push in different directions: each is a contact of its own, or the nearest one alone
// would jump from one to the other. A face counts when the piece is above it, not when its edge is what is near.
static void TryCorner(Finder* f, hwCablePatch* first, const Nearby* nearby, double margin) {
    const hwObstacle* obstacle = &f->obstacles->items[first->obstacle];
    const hwField* field = &f->contacts->fields[first->obstacle];
    hwVec3 taken[3] = {first->start};
    hwCablePatch piece = *first;
    for (int added = 1; added < 3; ++added) {
        const hwMeshHit* best = NULL;
        for (int i = 0; i < nearby->count; ++i) {
            const hwMeshHit* hit = &nearby->hits[i];
            bool apart = !hit->crosses;
            for (int k = 0; k < added; ++k) apart = apart && hwDot(hit->normal, taken[k]) < HW_SAME_SIDE;
            if (!apart || (best != NULL && hit->distance >= best->distance)) continue;
            if (fabs(hwDot(GetFace(obstacle, hit->triangle), hit->normal)) >= SQUARE) best = hit;
        }
        if (best == NULL) return;
        first->facing = first->start;
        taken[added] = best->normal;
        hwLinePoint nearest = {best->s, best->side * best->distance, hwMulMV(field->r, best->normal)};
        hwCablePatch* patch =
            AddPatch(f, piece.element, piece.obstacle, piece.from, piece.to, &nearest, margin);
        if (patch == NULL) return;
        patch->facing = patch->start;
        patch->firstTriangle = piece.firstTriangle;
        patch->triangleCount = piece.triangleCount;
    }
}

static void TryMesh(Finder* f, int element, int obstacle, double radius, double margin) {
    const hwVec3* x = f->state.position + element;
    const hwObstacle* item = &f->obstacles->items[obstacle];
    const hwField* field = &f->contacts->fields[obstacle];
    double reach = radius + margin, length = hwDistance(x[0], x[1]);
    hwVec3 a = hwMulTV(field->r, hwSub(x[0], field->p)), b = hwMulTV(field->r, hwSub(x[1], field->p));
    hwMeshHit hit;
    if (!hwMesh_FindNearest(&item->tree, a, b, reach, &hit)) return;
    int pieces = (int)hwClamp(ceil(length / (PIECE * radius)), 1.0, MAX_PIECES);
    for (int k = 0; k < pieces; ++k) {
        double from = (double)k / pieces, to = (double)(k + 1) / pieces;
        hwVec3 p = hwMulAdd(a, from, hwSub(b, a)), q = hwMulAdd(a, to, hwSub(b, a));
        if (!hwMesh_FindNearest(&item->tree, p, q, reach, &hit)) continue;
        Nearby nearby;
        nearby.count = hwMesh_FindWithin(&item->tree, p, q, reach, nearby.hits, NEARBY);
        nearby.all = nearby.count <= NEARBY;
        if (!nearby.all) nearby.count = NEARBY;
        hwLinePoint nearest = {hit.s, hit.side * hit.distance, hwMulMV(field->r, hit.normal)};
        hwCablePatch* patch = AddPatch(f, element, obstacle, from, to, &nearest, margin);
        if (patch == NULL) return;
        KeepTriangles(f, item, &nearby, patch);
        TryCorner(f, patch, &nearby, margin);
    }
}

// The step -----------------------------------------------------------------------------------------------------------------

static double GetMargin(const Finder* f, int element, double radius) {
    const hwVec3* v = f->state.velocity + element;
    double speed = sqrt(hwMax(hwLengthSquared(v[0]), hwLengthSquared(v[1])));
    return 2.0 * f->h * speed + (f->h > 0.0 ? radius : 0.0);
}

// Whether some of the cable is still in an obstacle that it began within.
static bool IsInside(const Finder* f, int obstacle, const double* radii) {
    const hwBox* box = &f->contacts->boxes[obstacle];
    hwField field = f->contacts->fields[obstacle];
    for (int e = 0; e + 1 < f->state.core->nodes; ++e) {
        const hwVec3* x = f->state.position + e;
        hwBox own = hwBox_Grow(hwBox_OfSegment(x[0], x[1]), radii[e]);
        if (!hwBox_Overlaps(&own, box) || IsSkipped(f, e, obstacle)) continue;
        field.reach = radii[e] + hwDistance(x[0], x[1]);
        if (hwField_FindNearest(&field, x[0], x[1], radii[e]).distance < radii[e]) return true;
    }
    return false;
}

// Leaves out what the cable began within, until it has come out.
static void SortOutInside(Finder* f, const double* radii) {
    hwCableContacts* c = f->contacts;
    unsigned char* inside = f->world->state.cables->stores[f->slot].inside;
    int count = 0;
    for (int k = 0; k < f->nearCount; ++k) {
        int o = c->near[k];
        if (inside[o]) inside[o] = IsInside(f, o, radii);
        if (!inside[o]) c->near[count++] = o;
    }
    f->nearCount = count;
}

#define TOGETHER 8  // elements
#define MOST_FEW 64 // obstacles

HW_INLINE double LeastOf(hwV4 v) {
    return hwMin(hwMin(v[0], v[1]), hwMin(v[2], v[3]));
}

HW_INLINE double MostOf(hwV4 v) {
    return hwMax(hwMax(v[0], v[1]), hwMax(v[2], v[3]));
}

// The box round nodes, four at a time; *fastest becomes the square of their largest speed.
static hwBox BoundNodes(const hwVec3* x, const hwVec3* v, int count, double* fastest) {
    int i = 0;
    hwV4x3 low = {Set4(HUGE_VAL), Set4(HUGE_VAL), Set4(HUGE_VAL)}, high = Scale4(Set4(-1.0), low);
    hwV4 square = {0};
    for (; i + HW_LANES <= count; i += HW_LANES) {
        hwV4x3 p = LoadVectors(&x[i].x), u = LoadVectors(&v[i].x);
        hwV4 own = Dot4(u, u);
        low.x = Select4(p.x < low.x, p.x, low.x);
        low.y = Select4(p.y < low.y, p.y, low.y);
        low.z = Select4(p.z < low.z, p.z, low.z);
        high.x = Select4(p.x > high.x, p.x, high.x);
        high.y = Select4(p.y > high.y, p.y, high.y);
        high.z = Select4(p.z > high.z, p.z, high.z);
        square = Select4(own > square, own, square);
    }
    hwBox box = {{LeastOf(low.x), LeastOf(low.y), LeastOf(low.z)},
                 {MostOf(high.x), MostOf(high.y), MostOf(high.z)}};
    *fastest = MostOf(square);
    for (; i < count; ++i) {
        box = hwBox_AddPoint(box, x[i]);
        *fastest = hwMax(*fastest, hwLengthSquared(v[i]));
    }
    return box;
}

// Whether nothing is near the box round some elements, which holds all of theirs.
static bool IsNothingNear(const Finder* f, int from, int to, const double* radii) {
    double fastest, thickest = 0.0;
    hwBox box = BoundNodes(f->state.position + from, f->state.velocity + from, to - from + 1, &fastest);
    for (int e = from; e < to; ++e) thickest = hwMax(thickest, radii[e]);
    box = hwBox_Grow(box, 2.0 * (thickest + f->h * sqrt(fastest)) * (1.0 + 1e-9));
    for (int k = 0; k < f->nearCount; ++k) {
        if (hwBox_Overlaps(&box, &f->contacts->boxes[f->contacts->near[k]])) return false;
    }
    return true;
}

// Elements that follow each other: what is not near their common box is near none of them.
static void FindInGroup(Finder* f, int from, int to, const double* radii) {
    const hwCableContacts* c = f->contacts;
    if (IsNothingNear(f, from, to, radii)) return;
    hwBox boxes[TOGETHER], all = hwBox_Empty();
    double margins[TOGETHER];
    for (int e = from; e < to; ++e) {
        hwBox own = hwBox_OfSegment(f->state.position[e], f->state.position[e + 1]);
        margins[e - from] = GetMargin(f, e, radii[e]);
        boxes[e - from] = hwBox_Grow(own, radii[e] + margins[e - from]);
        all = hwBox_Join(all, boxes[e - from]);
    }
    int few[MOST_FEW], count = 0;
    for (int k = 0; k < f->nearCount; ++k) {
        if (!hwBox_Overlaps(&all, &c->boxes[c->near[k]])) continue;
        if (count < MOST_FEW) few[count] = c->near[k];
        ++count;
    }
    const int* near = count <= MOST_FEW ? few : c->near;
    if (count > MOST_FEW) count = f->nearCount;
    for (int e = from; e < to; ++e) {
        for (int k = 0; k < count; ++k) {
            int o = near[k];
            if (!hwBox_Overlaps(&boxes[e - from], &c->boxes[o]) || IsSkipped(f, e, o)) continue;
            double both = margins[e - from] + 2.0 * f->h * c->speed[o];
            (f->obstacles->items[o].mesh ? TryMesh : TryConvex)(f, e, o, radii[e], both);
        }
    }
}

static void FindInCable(Finder* f) {
    hwCableContacts* c = f->contacts;
    const double* radii = hwCableWork_GetRadii(&f->world->work->cables->tools[f->slot].work);
    int elements = f->state.core->nodes - 1;
    double fastest, thickest = 0.0;
    hwBox box = BoundNodes(f->state.position, f->state.velocity, elements + 1, &fastest);
    for (int e = 0; e < elements; ++e) thickest = hwMax(thickest, radii[e]);
    box = hwBox_Grow(box, 2.0 * f->h * sqrt(fastest) + 2.0 * thickest);
    f->nearCount = 0;
    for (int k = 0; k < f->obstacles->count; ++k) {
        if (hwBox_Overlaps(&box, &c->boxes[k]) && !IsRuledOut(f->world, f->slot, k))
            c->near[f->nearCount++] = k;
    }
    f->contacts->borders[f->slot].clear = false;
    if (f->nearCount == 0) {
        // far enough away that where it goes need not be checked
        box = hwBox_Grow(box, FAR);
        bool clear = true;
        for (int k = 0; k < f->obstacles->count && clear; ++k) clear = !hwBox_Overlaps(&box, &c->boxes[k]);
        f->contacts->borders[f->slot].clear = clear;
        return;
    }
    FindSkips(f);
    SortOutInside(f, radii);
    f->cursor = 0;
    const hwCableStore* store = &f->world->state.cables->stores[f->slot];
    f->relieved = false;
    for (int k = 0; k < *store->touchCount; ++k) f->relieved = f->relieved || store->touches[k].relief > 0.0F;
    for (int e = 0; e < elements; e += TOGETHER)
        FindInGroup(f, e, e + TOGETHER < elements ? e + TOGETHER : elements, radii);
}

void hwCableContact_Find(const hwWorld* world, const hwMode* mode, double h) {
    hwCableContacts* c = world->work->cableContact;
    c->count = 0;
    c->triangleCount = 0;
    c->full = false;
    c->longest = HUGE_VAL;
    c->ahead = h;
    const hwState* state = &world->state;
    hwWorld_ComputeLinkMotion(world, mode, state->header->time, state->q, state->v);
    PlaceObstacles(world, h);
    Finder f = {.world = world,
                .settling = mode->settling,
                .contacts = c,
                .obstacles = world->model.cableContact->obstacles,
                .h = h};
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        c->first[slot] = c->count;
        f.slot = slot;
        f.state = hwWorld_ViewCable(world, slot, state->q, state->v);
        if (hwWorld_HasNodes(world, slot)) FindInCable(&f);
    }
    c->first[world->model.cables->count] = c->count;
    if (c->full && !c->told) {
        c->told = true;
        hwWorld_Log(world, HW_LOG_WARNING,
                    "cables are near shapes in more than %d places at %.4g s; the others do not touch",
                    c->capacity, state->header->time);
    }
    hwCableContact_FindBorders(world);
}

// Whether the piece is on the side where the step began: outside of the plane that touched the obstacle there, or, where it
// has turned, outside by a new measurement.
static bool IsOnItsSide(const hwWorld* world, const hwCablePatch* patch, const hwCableState* state) {
    hwField field = world->work->cableContact->fields[patch->obstacle];
    hwVec3 p = GetPoint(state, patch->element, patch->from), q = GetPoint(state, patch->element, patch->to);
    double a = hwDot(patch->start, hwMulTV(field.r, hwSub(p, field.p))) - patch->height;
    double b = hwDot(patch->start, hwMulTV(field.r, hwSub(q, field.p))) - patch->height;
    if (a > 0.0 && b > 0.0) return true;
    field.reach = patch->reach;
    hwLinePoint now = hwField_FindNearest(&field, p, q, patch->radius);
    if (now.distance == HUGE_VAL) return hwMax(a, b) > 0.0;
    double turned = hwDot(hwMulTV(field.r, now.normal), patch->start);
    return turned > (now.distance > 0.0 ? -0.5 : 0.5);
}

// Whether no element went farther than the way within which contacts were looked for, unless nothing is near.
static bool StaysInReach(const hwWorld* world, int slot, const hwCableState* now, double h) {
    const hwCableContacts* c = world->work->cableContact;
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    const hwVec3* x0 = (const hwVec3*)(const void*)(world->work->q0 + cable->coordinate);
    const hwVec3* v0 = (const hwVec3*)(const void*)(world->work->v0 + cable->freedom);
    const double* radii = hwCableWork_GetRadii(&world->work->cables->tools[slot].work);
    for (int e = 0; e + 1 < now->core->nodes; ++e) {
        const hwVec3* x = now->position + e;
        if (e + HW_LANES < now->core->nodes) { // mostly all do
            hwV4x3 d0 = Sub4(LoadVectors(&x[0].x), LoadVectors(&x0[e].x));
            hwV4x3 d1 = Sub4(LoadVectors(&x[1].x), LoadVectors(&x0[e + 1].x));
            hwV4x3 u0 = LoadVectors(&v0[e].x), u1 = LoadVectors(&v0[e + 1].x);
            hwV4 ways = Dot4(d0, d0), more = Dot4(d1, d1), speeds = Dot4(u0, u0), faster = Dot4(u1, u1);
            ways = Select4(more > ways, more, ways);
            speeds = Select4(faster > speeds, faster, speeds);
            hwV4 reaches = Load4(radii + e) + 2.0 * h * Sqrt4(speeds);
            hwM4 within = ways <= reaches * reaches;
            if ((within[0] & within[1] & within[2] & within[3]) != 0) {
                e += HW_LANES - 1;
                continue;
            }
        }
        double way = hwMax(hwLengthSquared(hwSub(x[0], x0[e])), hwLengthSquared(hwSub(x[1], x0[e + 1])));
        double speed = hwMax(hwLengthSquared(v0[e]), hwLengthSquared(v0[e + 1]));
        double reach = radii[e] + 2.0 * h * sqrt(speed);
        if (way <= reach * reach) continue;
        hwBox box =
            hwBox_Grow(hwBox_Join(hwBox_OfSegment(x[0], x[1]), hwBox_OfSegment(x0[e], x0[e + 1])), radii[e]);
        for (int k = 0; k < world->model.cableContact->obstacles->count; ++k) {
            if (hwBox_Overlaps(&box, &c->boxes[k])) return false;
        }
    }
    return true;
}

bool hwCableContact_Check(const hwWorld* world, double h) {
    const hwCableContacts* c = world->work->cableContact;
    if (h <= 2.0 * SHORTEST) return true;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        hwCableState now = hwWorld_ViewCable(world, slot, world->state.q, world->state.v);
        bool moves = hwWorld_HasNodes(world, slot) && !c->borders[slot].clear;
        if (moves && !StaysInReach(world, slot, &now, h)) return false;
        for (int i = c->first[slot]; i < c->first[slot + 1]; ++i) {
            if (!IsOnItsSide(world, &c->patches[i], &now)) return false;
        }
    }
    return true;
}

// Statics ------------------------------------------------------------------------------------------------------------------

void hwCableContact_Forget(hwWorld* world) {
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        hwCableStore* store = &world->state.cables->stores[slot];
        memset(store->touches, 0, (size_t)*store->touchCount * sizeof(hwCableTouch));
        *store->touchCount = 0;
    }
}

// Ignored, or what an end is attached to, out of which it may lead.
static bool IsOwn(const hwWorld* world, int slot, int obstacle) {
    const hwObstacles* obstacles = world->model.cableContact->obstacles;
    const hwEndState* ends = world->state.cables->stores[slot].ends;
    int link = obstacles->items[obstacle].link;
    return IsRuledOut(world, slot, obstacle) || (ends[0].joint != HW_ATTACH_FREE && ends[0].link == link) ||
           (ends[1].joint != HW_ATTACH_FREE && ends[1].link == link);
}

double hwCableContact_LimitMove(const hwWorld* world, int slot, const hwCableState* state,
                                const hwVec3* move) {
    hwCableContacts* c = world->work->cableContact;
    const double* radii = hwCableWork_GetRadii(&world->work->cables->tools[slot].work);
    double part = 1.0;
    for (int e = 0; e + 1 < state->core->nodes; ++e) {
        const hwVec3* x = state->position + e;
        double way = sqrt(hwMax(hwLengthSquared(move[e]), hwLengthSquared(move[e + 1])));
        if (way <= DEEPEST * radii[e]) continue;
        hwBox box = hwBox_Grow(hwBox_OfSegment(x[0], x[1]), radii[e] + way);
        for (int k = 0; k < world->model.cableContact->obstacles->count; ++k) {
            const hwObstacle* obstacle = &world->model.cableContact->obstacles->items[k];
            if (!hwBox_Overlaps(&box, &c->boxes[k]) || IsOwn(world, slot, k)) continue;
            hwField field = c->fields[k];
            field.reach = radii[e] + way + hwDistance(x[0], x[1]);
            hwLinePoint nearest = hwField_FindNearest(&field, x[0], x[1], radii[e] + way);
            if (nearest.distance > radii[e] + way) continue;
            double deep = hwMax(DEEPEST * radii[e], THIN * obstacle->thickness);
            part = hwMin(part, hwMax(nearest.distance - radii[e], 0.0) / way + deep / way);
        }
    }
    return hwMin(part, 1.0);
}

// What an end is attached to, where the cable does not touch it: out of it, no farther than FindSkips says.
static bool LeadsOut(const hwWorld* world, int slot, int obstacle, double from, double to) {
    const hwCableStore* store = &world->state.cables->stores[slot];
    int link = world->model.cableContact->obstacles->items[obstacle].link;
    double first = store->material[0], last = store->material[store->core->nodes - 1];
    for (int e = 0; e < 2; ++e) {
        const hwEndState* end = &store->ends[e];
        double way = e == 0 ? to - first : last - from;
        if (end->joint != HW_ATTACH_FREE && end->link == link && way <= end->inside) return true;
    }
    return false;
}

bool hwCableContact_IsClear(const hwWorld* world, int slot, double from, double to, hwVec3 a, hwVec3 b,
                            double reach) {
    const hwCableContacts* c = world->work->cableContact;
    hwBox box = hwBox_Grow(hwBox_OfSegment(a, b), reach);
    for (int k = 0; k < world->model.cableContact->obstacles->count; ++k) {
        if (!hwBox_Overlaps(&box, &c->boxes[k]) || IsRuledOut(world, slot, k)) continue;
        if (LeadsOut(world, slot, k, from, to)) continue;
        hwField field = c->fields[k];
        field.reach = reach + hwDistance(a, b);
        if (hwField_FindNearest(&field, a, b, reach).distance < reach) return false;
    }
    return true;
}

double hwCableContact_LimitMoves(hwWorld* world, const hwMode* mode, double* q, const double* move) {
    (void)mode;
    double part = 1.0;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        const hwCableSlot* cable = &world->model.cables->slots[slot];
        if (!hwWorld_HasNodes(world, slot)) continue;
        hwCableState state = hwWorld_ViewCable(world, slot, q, world->state.v);
        const hwVec3* step = (const hwVec3*)(const void*)(move + cable->freedom);
        part = hwMin(part, hwCableContact_LimitMove(world, slot, &state, step));
    }
    return part;
}
