// Where cables are near cables, and near themselves, during the coming step.
//
// Elements are taken in groups, each with the box that it stays in while it keeps its velocities; a sweep along the axis in
// which the cables spread most finds the boxes that overlap (Baraff 1992). A cable's own groups always meet their neighbours
// there, but nothing in a stretch that is almost straight can touch itself: in most steps nothing is looked at more closely.
#include "parts/cable_contact/cable_contact.h"

#include "math/lanes.h"
#include "geom/shape_data.h"

#include <math.h>
#include <string.h>

#define GROUP 8       // elements
#define DEEPEST 0.5   // of the mean radius: how far a step may carry axes towards each other beyond touching
#define SHORTEST 1e-5 // s
#define SELF_WAY 12.0 // radii of material between two elements of one cable that may touch
#define ALONG                                                                                                \
    0.75 // cosine squared, of elements with the chord of an almost straight group, and of such chords
#define ALONG_CHORD 0.26 // cosine squared, of elements with the chord of their whole cable
#define NESTED                                                                                               \
    0.5 // of both radii: axes nearer than that are in each other; at the start, almost parallel, they never touch
#define PARALLEL 0.2 // sine
#define IN_LINE 0.8  // cosine squared, of what separates two elements of one cable with both
#define SETTLED 0.02 // of both radii: contacts are not much deeper
#define UNEXPLAINED                                                                                          \
    0.25 // likewise: no contact that pushes has been pressed so deep, they have got there without one
#define NO_LESS (1.0 + 1e-9) // what rounding could take from a bound
#define END_WAY 1.5          // mean elements from ends in one place that do not touch, and at least...
#define END_RADII 8.0        // ...so many of both radii

typedef struct Finder {
    const hwWorld* world;
    hwCablePairs* pairs;
    const double* v; // [freedom] with which they move, or a displacement and h = 1
    double h;
    bool switched; // some pairs were switched off
    bool resting;  // in statics: what overlaps has been brought there by forces, nothing is let out gently
} Finder;

static hwVec3 Between(const hwVec3* x, double place) {
    return hwMulAdd(x[0], place, hwSub(x[1], x[0]));
}

static const hwVec3* Positions(const hwWorld* world, int slot) {
    return (const hwVec3*)(const void*)(world->state.q + world->model.cables->slots[slot].coordinate);
}

static const hwVec3* Velocities(const Finder* f, int slot) {
    return (const hwVec3*)(const void*)(f->v + f->world->model.cables->slots[slot].freedom);
}

static bool AreApart(const Finder* f, int a, int b) {
    const hwWorld* world = f->world;
    if (f->pairs->never[a * world->model.cables->count + b]) return true;
    hwThing one = {HW_THING_CABLE, a}, two = {HW_THING_CABLE, b};
    return f->switched && hwWorld_IsSwitchedOff(world, one, two);
}

// Elements -----------------------------------------------------------------------------------------------------------------

static double Longest4(hwVec3 a, hwVec3 b, hwVec3 c, hwVec3 d) {
    return sqrt(
        hwMax(hwMax(hwLengthSquared(a), hwLengthSquared(b)), hwMax(hwLengthSquared(c), hwLengthSquared(d))));
}

// Material between an end and the nearer side of an element.
static double GetWayFromEnd(const hwWorld* world, int slot, int element, int end) {
    const double* s = world->state.cables->stores[slot].material;
    return end == 0 ? s[element] - s[0]
                    : s[world->state.cables->stores[slot].core->nodes - 1] - s[element + 1];
}

static double GetMeanElement(const hwWorld* world, int slot) {
    const double* s = world->state.cables->stores[slot].material;
    const hwCableCore* core = world->state.cables->stores[slot].core;
    int last = core->nodes - 1;
    return (s[last] - s[0]) / (last - core->inserted);
}

// Ends held in one place, as those of a bridle, of a strop or on both sides of a sheave, have their first stretches in each
// other.
static bool ShareEnd(const hwWorld* world, const hwCablePair* pair) {
    double both = pair->radius[0] + pair->radius[1];
    double way[2];
    for (int k = 0; k < 2; ++k)
        way[k] = hwMax(END_WAY * GetMeanElement(world, pair->slot[k]), END_RADII * both);
    for (int a = 0; a < 2; ++a) {
        if (GetWayFromEnd(world, pair->slot[0], pair->element[0], a) > way[0]) continue;
        if (world->state.cables->stores[pair->slot[0]].ends[a].joint == HW_ATTACH_FREE) continue;
        int nodeA = a == 0 ? 0 : world->state.cables->stores[pair->slot[0]].core->nodes - 1;
        for (int b = 0; b < 2; ++b) {
            if (GetWayFromEnd(world, pair->slot[1], pair->element[1], b) > way[1]) continue;
            if (world->state.cables->stores[pair->slot[1]].ends[b].joint == HW_ATTACH_FREE) continue;
            int nodeB = b == 0 ? 0 : world->state.cables->stores[pair->slot[1]].core->nodes - 1;
            hwVec3 x = Positions(world, pair->slot[0])[nodeA], y = Positions(world, pair->slot[1])[nodeB];
            if (hwDistance(x, y) < 4.0 * both) return true;
        }
    }
    return false;
}

static const hwCableSectionDef* FindSection(const hwWorld* world, int slot, int element) {
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    const double* s = world->state.cables->stores[slot].material + element;
    int section = 0;
    while (section + 1 < cable->model.sectionCount && cable->model.starts[section + 1] <= 0.5 * (s[0] + s[1]))
        section += 1;
    return &cable->object->def.sections[section];
}

static hwContactLaw MakeLaw(const hwWorld* world, const hwCablePair* pair) {
    const hwCableSectionDef *one = FindSection(world, pair->slot[0], pair->element[0]),
                            *two = FindSection(world, pair->slot[1], pair->element[1]);
    const hwModel* model = &world->model;
    const hwMaterialDef* materials = world->work->rules->materials;
    return hwContactLaw_Make(&materials[hwModel_FindMaterial(model, one->material)], one->diameter,
                             &materials[hwModel_FindMaterial(model, two->material)], two->diameter);
}

// Continues what the nearest touch of the last step remembers.
static void Tie(Finder* f, hwCablePair* pair) {
    const hwWorld* world = f->world;
    double at[2];
    for (int k = 0; k < 2; ++k) {
        const double* s = world->state.cables->stores[pair->slot[k]].material + pair->element[k];
        at[k] = s[0] + pair->at[k] * (s[1] - s[0]);
    }
    hwVec3 stretch = hwVec3_zero;
    pair->slid = false;
    double both = pair->radius[0] + pair->radius[1], close = 8.0 * both;
    // contact has not let them so deep into each other
    pair->relief = -pair->gap > SETTLED * both && !f->resting ? -pair->gap : 0.0;
    for (int i = 0; i < *world->state.cablePairs->count; ++i) {
        const hwPairTouch* touch = &world->state.cablePairs->touches[i];
        if (touch->slot[0] != pair->slot[0] || touch->slot[1] != pair->slot[1]) continue;
        double away = hwMax(fabs(touch->at[0] - at[0]), fabs(touch->at[1] - at[1]));
        if (away > close) continue;
        close = away;
        stretch = touch->stretch;
        pair->slid = touch->sliding;
        pair->relief = hwMin((double)touch->relief, both);
    }
    // nor does the memory of a contact beside it, elements of one fold, explain how deep these are
    if (-pair->gap - pair->relief > UNEXPLAINED * both && !f->resting) pair->relief = -pair->gap;
    for (int k = 0; k < 2; ++k) pair->place[k] = pair->at[k];
    hwVec3 apart = hwSub(Between(Positions(world, pair->slot[0]) + pair->element[0], pair->at[0]),
                         Between(Positions(world, pair->slot[1]) + pair->element[1], pair->at[1]));
    pair->tie = hwSub(apart, stretch);
}

static int Compare(const hwCablePair* a, const hwCablePair* b) {
    const int keys[4][2] = {{a->slot[0], b->slot[0]},
                            {a->slot[1], b->slot[1]},
                            {a->element[0], b->element[0]},
                            {a->element[1], b->element[1]}};
    for (int k = 0; k < 4; ++k) {
        if (keys[k][0] != keys[k][1]) return keys[k][0] < keys[k][1] ? -1 : 1;
    }
    return 0;
}

// Where to keep a pair: those with the smallest gaps stay, in whatever order they are found. Null: nowhere.
static hwCablePair* FindPlace(hwCablePairs* pairs, const hwCablePair* pair) {
    if (pairs->count < HW_CABLE_PAIRS) return &pairs->items[pairs->count++];
    pairs->full = true;
    hwCablePair* worst = &pairs->items[0];
    for (int i = 1; i < pairs->count; ++i) {
        hwCablePair* other = &pairs->items[i];
        if (other->gap > worst->gap || (other->gap == worst->gap && Compare(other, worst) > 0)) worst = other;
    }
    bool better = pair->gap < worst->gap || (pair->gap == worst->gap && Compare(pair, worst) < 0);
    return better ? worst : NULL;
}

// A cable that collapses along its own line, as a straight one does that is let go, is in its own way only when it has
// turned aside.
static bool AreInLine(const hwVec3* x, const hwVec3* y, const double at[2]) {
    hwVec3 apart = hwSub(Between(x, at[0]), Between(y, at[1])), a = hwSub(x[1], x[0]), b = hwSub(y[1], y[0]);
    double square = IN_LINE * hwLengthSquared(apart), alongA = hwDot(apart, a), alongB = hwDot(apart, b);
    return alongA * alongA >= square * hwLengthSquared(a) && alongB * alongB >= square * hwLengthSquared(b);
}

// Fills in where two elements are nearest. False: they cannot touch in the step.
static bool Measure(const Finder* f, hwCablePair* pair) {
    const hwWorld* world = f->world;
    const hwVec3 *x = Positions(world, pair->slot[0]) + pair->element[0],
                 *y = Positions(world, pair->slot[1]) + pair->element[1];
    const hwVec3 *v = Velocities(f, pair->slot[0]) + pair->element[0],
                 *w = Velocities(f, pair->slot[1]) + pair->element[1];
    pair->radius[0] = hwCableWork_GetRadii(&world->work->cables->tools[pair->slot[0]].work)[pair->element[0]];
    pair->radius[1] = hwCableWork_GetRadii(&world->work->cables->tools[pair->slot[1]].work)[pair->element[1]];
    double both = pair->radius[0] + pair->radius[1], reach = both;
    if (f->h > 0.0)
        reach +=
            both +
            2.0 * f->h * Longest4(hwSub(v[0], w[0]), hwSub(v[0], w[1]), hwSub(v[1], w[0]), hwSub(v[1], w[1]));
    hwVec3 middles = hwScale(0.5, hwSub(hwAdd(x[0], x[1]), hwAdd(y[0], y[1])));
    double round = reach + 0.5 * (hwDistance(x[0], x[1]) + hwDistance(y[0], y[1]));
    if (hwLengthSquared(middles) > round * round) return false;
    double square = hwSegments_GetNearest(x[0], x[1], y[0], y[1], &pair->at[0], &pair->at[1]);
    if (square > reach * reach || ShareEnd(world, pair)) return false;
    if (pair->slot[0] == pair->slot[1] && AreInLine(x, y, pair->at)) return false;
    pair->gap = sqrt(square) - both;
    return true;
}

static void TryElements(Finder* f, int slotA, int a, int slotB, int b) {
    const hwWorld* world = f->world;
    hwCablePairs* pairs = f->pairs;
    hwCablePair pair = {.slot = {slotA, slotB}, .element = {a, b}};
    if (!Measure(f, &pair)) return;
    hwCablePair* place = FindPlace(pairs, &pair);
    if (place == NULL && !f->resting) return;
    const hwVec3 *x = Positions(world, slotA) + a, *y = Positions(world, slotB) + b;
    const hwVec3 *v = Velocities(f, slotA) + a, *w = Velocities(f, slotB) + b;
    double both = pair.radius[0] + pair.radius[1], distance = pair.gap + both;
    hwVec3 apart = hwSub(Between(x, pair.at[0]), Between(y, pair.at[1]));
    pair.start = distance > 1e-12 ? hwScale(1.0 / distance, apart) : hwMakeVec3(0.0, 0.0, 1.0);
    pair.law = MakeLaw(world, &pair);
    Tie(f, &pair);
    double closing = -hwDot(pair.start, hwSub(Between(v, pair.at[0]), Between(w, pair.at[1])));
    double way = hwMax(pair.gap + DEEPEST * 0.5 * both, 0.1 * both);
    if (closing * f->h > way) pairs->longest = hwMin(pairs->longest, hwMax(way / closing, SHORTEST));
    if (place != NULL) *place = pair;
}

// Groups -------------------------------------------------------------------------------------------------------------------

// Which of four elements in a row are no farther from an element, middle to middle, than `reach` and half of both. `middle` and
// `length` are twice those of the element.
HW_INLINE hwM4 AreNear(hwVec3 middle, double length, const hwVec3* y, double reach) {
    hwV4x3 first = LoadVectors(&y[0].x), second = LoadVectors(&y[1].x);
    hwV4x3 edge = Sub4(second, first), sum = Add4(first, second);
    hwV4x3 apart = {sum.x - middle.x, sum.y - middle.y, sum.z - middle.z};
    hwV4 round = (2.0 * reach + length) + Sqrt4(Dot4(edge, edge));
    return Dot4(apart, apart) <= round * round;
}

// Most pairs are farther apart than Measure looks: four at a time are passed over by a reach that is never less than its own.
static void TryGroups(Finder* f, const hwCableGroup* one, const hwCableGroup* two) {
    const double* s = f->world->state.cables->stores[one->slot].material;
    const double* radii = hwCableWork_GetRadii(&f->world->work->cables->tools[one->slot].work);
    const hwVec3 *x = Positions(f->world, one->slot), *y = Positions(f->world, two->slot);
    double reach = NO_LESS * (2.0 * (one->thick + two->thick) + 2.0 * f->h * (one->speed + two->speed));
    for (int a = one->from; a < one->to; ++a) {
        hwVec3 middle = hwAdd(x[a], x[a + 1]);
        double length = NO_LESS * hwDistance(x[a], x[a + 1]);
        int b = one->slot == two->slot && a + 2 > two->from ? a + 2 : two->from;
        while (b < two->to) {
            hwM4 near = {-1, -1, -1, -1};
            int count = two->to - b < HW_LANES ? two->to - b : HW_LANES;
            if (count == HW_LANES) near = AreNear(middle, length, y + b, reach);
            for (int k = 0; k < count; ++k) {
                if (!near[k]) continue;
                if (one->slot == two->slot && s[b + k] - s[a + 1] < SELF_WAY * radii[a]) continue;
                TryElements(f, one->slot, a, two->slot, b + k);
            }
            b += count;
        }
    }
}

// In an almost straight stretch, of a group or two that follow each other, all elements lead within 60 degrees of one
// direction: two of them with others between are at least half the length of those apart.
static bool IsStraight(const hwCableGroup* one, const hwCableGroup* two) {
    if (!(one->apart > 0.0)) return false;
    if (one == two) return true;
    double turn = hwDot(one->chord, two->chord);
    return two->apart > 0.0 && turn > 0.0 && turn * turn > ALONG;
}

// Of the elements of a group: what of MakeGroup is taken over all of them.
typedef struct GroupRange {
    hwBox box, speed;
    double shortest; // m2, square of the shortest element
    double thick;    // m
    bool straight;   // all lead along the chord
} GroupRange;

static GroupRange MeasureFew(const hwVec3* x, const hwVec3* v, const double* radii, int count, hwVec3 chord,
                             double square) {
    GroupRange r = {{x[0], x[0]}, {v[0], v[0]}, HUGE_VAL, radii[0], square > 0.0};
    for (int i = 0; i < count; ++i) {
        hwVec3 e = hwSub(x[i + 1], x[i]);
        double along = hwDot(e, chord), length = hwLengthSquared(e);
        r.straight = r.straight & (along > 0.0) & (along * along >= ALONG * length * square);
        r.shortest = hwMin(r.shortest, length);
        r.thick = hwMax(r.thick, radii[i]);
        r.box = hwBox_AddPoint(r.box, x[i + 1]);
        r.speed = hwBox_AddPoint(r.speed, v[i + 1]);
    }
    return r;
}

HW_INLINE hwV4 Least(hwV4 a, hwV4 b) {
    return Select4(a < b, a, b);
}

HW_INLINE hwV4 Most(hwV4 a, hwV4 b) {
    return Select4(a > b, a, b);
}

HW_INLINE double LeastOf(hwV4 v) {
    return hwMin(hwMin(v[0], v[1]), hwMin(v[2], v[3]));
}

HW_INLINE double MostOf(hwV4 v) {
    return hwMax(hwMax(v[0], v[1]), hwMax(v[2], v[3]));
}

HW_INLINE hwBox BoundEight(hwV4x3 a, hwV4x3 b, hwVec3 last) {
    hwBox box = {{LeastOf(Least(a.x, b.x)), LeastOf(Least(a.y, b.y)), LeastOf(Least(a.z, b.z))},
                 {MostOf(Most(a.x, b.x)), MostOf(Most(a.y, b.y)), MostOf(Most(a.z, b.z))}};
    return hwBox_AddPoint(box, last);
}

// The same numbers for eight elements, four at a time.
static GroupRange MeasureEight(const hwVec3* x, const hwVec3* v, const double* radii, hwVec3 chord,
                               double square) {
    hwV4x3 x0 = LoadVectors(&x[0].x), x4 = LoadVectors(&x[4].x), e[2];
    e[0] = Sub4(LoadVectors(&x[1].x), x0);
    e[1] = Sub4(LoadVectors(&x[5].x), x4);
    hwV4x3 c = {Set4(chord.x), Set4(chord.y), Set4(chord.z)};
    hwM4 straight = {-1, -1, -1, -1};
    hwV4 shortest = Set4(HUGE_VAL);
    for (int k = 0; k < 2; ++k) {
        hwV4 along = Dot4(e[k], c), length = Dot4(e[k], e[k]);
        straight &= (along > 0.0) & (along * along >= ALONG * length * square);
        shortest = Least(shortest, length);
    }
    GroupRange r;
    r.box = BoundEight(x0, x4, x[8]);
    r.speed = BoundEight(LoadVectors(&v[0].x), LoadVectors(&v[4].x), v[8]);
    r.shortest = LeastOf(shortest);
    r.thick = MostOf(Most(Load4(radii), Load4(radii + 4)));
    r.straight = square > 0.0 && (straight[0] & straight[1] & straight[2] & straight[3]) != 0;
    return r;
}

static hwCableGroup MakeGroup(const Finder* f, int slot, int from, int to) {
    const hwWorld* world = f->world;
    double h = f->h;
    const hwVec3 *x = Positions(world, slot), *v = Velocities(f, slot);
    const double* radii = hwCableWork_GetRadii(&world->work->cables->tools[slot].work);
    hwCableGroup group = {.slot = slot, .from = from, .to = to};
    hwVec3 chord = hwSub(x[to], x[from]);
    double square = hwLengthSquared(chord);
    GroupRange r = to - from == GROUP
                       ? MeasureEight(x + from, v + from, radii + from, chord, square)
                       : MeasureFew(x + from, v + from, radii + from, to - from, chord, square);
    group.thick = r.thick;
    group.speed = hwLength(hwMaxVec3(hwNeg(r.speed.low), r.speed.high));
    // what the elements between two may turn and shorten is what their ends move against each other
    double nearer = 4.0 * h * hwDistance(r.speed.low, r.speed.high) + 4.0 * r.thick;
    double apart = hwMax(0.5 * sqrt(r.shortest), 0.5 * SELF_WAY * r.thick) - nearer;
    group.apart = r.straight ? hwMax(apart, 0.0) : 0.0;
    group.chord = r.straight ? hwScale(1.0 / sqrt(square), chord) : hwVec3_zero;
    hwVec3 margin = hwMakeVec3(2.0 * r.thick, 2.0 * r.thick, 2.0 * r.thick);
    group.box.low = hwSub(hwMulAdd(r.box.low, 2.0 * h, hwMinVec3(r.speed.low, hwVec3_zero)), margin);
    group.box.high = hwAdd(hwMulAdd(r.box.high, 2.0 * h, hwMaxVec3(r.speed.high, hwVec3_zero)), margin);
    return group;
}

_Static_assert(GROUP == 8, "MeasureEight measures a whole group");

static void MakeGroups(Finder* f) {
    const hwWorld* world = f->world;
    hwCablePairs* pairs = f->pairs;
    int before = pairs->groupCount;
    pairs->groupCount = 0;
    for (int slot = 0; slot < world->model.cables->count; ++slot) {
        if (!hwWorld_HasNodes(world, slot)) continue;
        int last = world->state.cables->stores[slot].core->nodes - 1;
        for (int from = 0; from < last; from += GROUP) {
            int to = from + GROUP < last ? from + GROUP : last;
            pairs->groups[pairs->groupCount++] = MakeGroup(f, slot, from, to);
        }
    }
    if (pairs->groupCount == before) return;
    for (int i = 0; i < pairs->groupCount; ++i) pairs->sweep[i] = i;
}

// The sweep ----------------------------------------------------------------------------------------------------------------

static double Component(hwVec3 v, int axis) {
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

static int ChooseAxis(const hwCablePairs* pairs) {
    hwBox all = hwBox_Empty();
    for (int i = 0; i < pairs->groupCount; ++i) all = hwBox_Join(all, pairs->groups[i].box);
    hwVec3 size = hwSub(all.high, all.low);
    if (size.x >= size.y && size.x >= size.z) return 0;
    return size.y >= size.z ? 1 : 2;
}

// Shell's method (1959): almost linear in what changed little since the last step. Ties go by number, so that the order does
// not depend on what it was.
static void SortSweep(hwCablePairs* pairs, int axis) {
    const hwCableGroup* groups = pairs->groups;
    int* sweep = pairs->sweep;
    for (int gap = pairs->groupCount / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < pairs->groupCount; ++i) {
            int item = sweep[i], k = i;
            double low = Component(groups[item].box.low, axis);
            for (; k >= gap; k -= gap) {
                double other = Component(groups[sweep[k - gap]].box.low, axis);
                if (other < low || (other == low && sweep[k - gap] < item)) break;
                sweep[k] = sweep[k - gap];
            }
            sweep[k] = item;
        }
    }
}

static void TrySwept(Finder* f, int i, int k) {
    const hwCableGroup *one = &f->pairs->groups[i < k ? i : k], *two = &f->pairs->groups[i < k ? k : i];
    if (!hwBox_Overlaps(&one->box, &two->box)) return;
    if (one->slot == two->slot && one->to == two->from && IsStraight(one, two)) return;
    if (!AreApart(f, one->slot, two->slot)) TryGroups(f, one, two);
}

static void Sweep(Finder* f) {
    hwCablePairs* pairs = f->pairs;
    int axis = ChooseAxis(pairs);
    SortSweep(pairs, axis);
    for (int i = 0; i < pairs->groupCount; ++i) {
        const hwCableGroup* group = &pairs->groups[pairs->sweep[i]];
        double high = Component(group->box.high, axis);
        if (!IsStraight(group, group) && !AreApart(f, group->slot, group->slot)) TryGroups(f, group, group);
        for (int k = i + 1; k < pairs->groupCount; ++k) {
            if (Component(pairs->groups[pairs->sweep[k]].box.low, axis) > high) break;
            TrySwept(f, pairs->sweep[i], pairs->sweep[k]);
        }
    }
}

static void SortItems(hwCablePairs* pairs) {
    for (int i = 1; i < pairs->count; ++i) {
        hwCablePair item = pairs->items[i];
        int k = i;
        for (; k > 0 && Compare(&pairs->items[k - 1], &item) > 0; --k) pairs->items[k] = pairs->items[k - 1];
        if (k < i) pairs->items[k] = item;
    }
}

// Whether a cable cannot touch itself in the step because it is stretched out: all its elements lead within 60 degrees of its
// chord (ALONG_CHORD is a little more than the cosine squared of that), so that two of them with others between are at least
// half the shortest of these apart along it, which is farther than Measure looks.
static bool IsStretchedOut(const Finder* f, int slot) {
    const hwWorld* world = f->world;
    const hwVec3 *x = Positions(world, slot), *v = Velocities(f, slot);
    const double* radii = hwCableWork_GetRadii(&world->work->cables->tools[slot].work);
    int last = world->state.cables->stores[slot].core->nodes - 1, e = 0;
    hwVec3 chord = hwSub(x[last], x[0]);
    const double* material = world->state.cables->stores[slot].material;
    double enough = ALONG_CHORD * hwLengthSquared(chord), length = material[last] - material[0];
    if (enough < ALONG_CHORD * ALONG_CHORD * length * length)
        return false; // so short a chord, some lead elsewhere
    hwV4x3 c = {Set4(chord.x), Set4(chord.y), Set4(chord.z)};
    hwV4 shorts = Set4(HUGE_VAL), thicks = {0}, speeds = {0};
    for (; e + HW_LANES <= last; e += HW_LANES) {
        hwV4x3 d = Sub4(LoadVectors(&x[e + 1].x), LoadVectors(&x[e].x)), u = LoadVectors(&v[e].x);
        hwV4 along = Dot4(d, c), square = Dot4(d, d);
        hwM4 leads = (along > 0.0) & (along * along >= enough * square);
        if (!(leads[0] & leads[1] & leads[2] & leads[3])) return false;
        shorts = Least(shorts, square);
        thicks = Most(thicks, Load4(radii + e));
        speeds = Most(speeds, Dot4(u, u));
    }
    double shortest = LeastOf(shorts), thick = MostOf(thicks), speed = MostOf(speeds);
    for (; e < last; ++e) {
        hwVec3 d = hwSub(x[e + 1], x[e]);
        double along = hwDot(d, chord), square = hwLengthSquared(d);
        if (!(along > 0.0 && along * along >= enough * square)) return false;
        shortest = hwMin(shortest, square);
        thick = hwMax(thick, radii[e]);
        speed = hwMax(speed, hwLengthSquared(v[e]));
    }
    speed = hwMax(speed, hwLengthSquared(v[last]));
    return 0.5 * sqrt(shortest) > 4.0 * thick + 4.0 * f->h * sqrt(speed);
}

static void FindAll(Finder* f) {
    hwCablePairs* pairs = f->pairs;
    pairs->count = 0;
    pairs->full = false;
    pairs->longest = HUGE_VAL;
    if (f->world->model.cables->count == 1 && hwWorld_HasNodes(f->world, 0) && IsStretchedOut(f, 0)) return;
    MakeGroups(f);
    Sweep(f);
    SortItems(pairs);
}

double hwCablePairs_Find(const hwWorld* world, const hwMode* mode, double h, bool lacking) {
    hwCablePairs* pairs = world->work->cablePairs;
    Finder f = {world, pairs, world->state.v, h, hwWorld_HasSwitches(world), false};
    // statics finds them for each of its displacements: the sides on which cables are go with where it begins
    if (lacking || (mode->touching && !mode->held)) return pairs->longest;
    if (mode->settling && !mode->touching) {
        pairs->count = 0;
        pairs->longest = HUGE_VAL;
        return pairs->longest;
    }
    FindAll(&f);
    if (pairs->full && !pairs->told) {
        pairs->told = true;
        hwWorld_Log(world, HW_LOG_WARNING,
                    "cables are near cables in more than %d places at %.4g s; only the nearest touch",
                    HW_CABLE_PAIRS, world->state.header->time);
    }
    return pairs->longest;
}

// Cables that are stepped apart --------------------------------------------------------------------------------------------

// Whether two elements cannot meet while each of their nodes stays in its room.
static bool ElementsStayApart(const Finder* f, const double* rooms, int slotA, int a, int slotB, int b) {
    const hwWorld* world = f->world;
    hwCablePair pair = {.slot = {slotA, slotB}, .element = {a, b}};
    const hwVec3 *x = Positions(world, slotA) + a, *y = Positions(world, slotB) + b;
    pair.radius[0] = hwCableWork_GetRadii(&world->work->cables->tools[slotA].work)[a];
    pair.radius[1] = hwCableWork_GetRadii(&world->work->cables->tools[slotB].work)[b];
    double reach = 2.0 * (pair.radius[0] + pair.radius[1]) + rooms[slotA] + rooms[slotB];
    hwVec3 middles = hwScale(0.5, hwSub(hwAdd(x[0], x[1]), hwAdd(y[0], y[1])));
    double round = reach + 0.5 * (hwDistance(x[0], x[1]) + hwDistance(y[0], y[1]));
    if (hwLengthSquared(middles) > round * round) return true;
    double square = hwSegments_GetNearest(x[0], x[1], y[0], y[1], &pair.at[0], &pair.at[1]);
    if (square > reach * reach || ShareEnd(world, &pair)) return true;
    return slotA == slotB && AreInLine(x, y, pair.at);
}

static bool GroupsStayApart(const Finder* f, const double* rooms, const hwCableGroup* one,
                            const hwCableGroup* two) {
    const double* s = f->world->state.cables->stores[one->slot].material;
    const double* radii = hwCableWork_GetRadii(&f->world->work->cables->tools[one->slot].work);
    for (int a = one->from; a < one->to; ++a) {
        for (int b = one == two ? a + 2 : two->from; b < two->to; ++b) {
            if (one->slot == two->slot && (b < a + 2 || s[b] - s[a + 1] < SELF_WAY * radii[a])) continue;
            if (!ElementsStayApart(f, rooms, one->slot, a, two->slot, b)) return false;
        }
    }
    return true;
}

// Whether no cable can meet another one or itself while no node goes farther than `rooms` [slot] from where it is.
static bool StayApart(const hwWorld* world, const double* rooms) {
    hwCablePairs* pairs = world->work->cablePairs;
    Finder f = {world, pairs, world->state.v, 0.0, hwWorld_HasSwitches(world), false};
    if (*world->state.cablePairs->count > 0) return false;
    pairs->count = 0;
    MakeGroups(&f);
    for (int i = 0; i < pairs->groupCount; ++i) {
        hwCableGroup* group = &pairs->groups[i];
        double room = rooms[group->slot];
        hwVec3 margin = hwMakeVec3(room, room, room);
        group->box = (hwBox){hwSub(group->box.low, margin), hwAdd(group->box.high, margin)};
        group->apart = hwMax(group->apart - 2.0 * room, 0.0);
    }
    int axis = ChooseAxis(pairs);
    SortSweep(pairs, axis);
    for (int i = 0; i < pairs->groupCount; ++i) {
        const hwCableGroup* group = &pairs->groups[pairs->sweep[i]];
        double high = Component(group->box.high, axis);
        if (!IsStraight(group, group) && !AreApart(&f, group->slot, group->slot) &&
            !GroupsStayApart(&f, rooms, group, group))
            return false;
        for (int k = i + 1; k < pairs->groupCount; ++k) {
            int number = pairs->sweep[k], own = pairs->sweep[i];
            if (Component(pairs->groups[number].box.low, axis) > high) break;
            const hwCableGroup* one = &pairs->groups[own < number ? own : number];
            const hwCableGroup* two = &pairs->groups[own < number ? number : own];
            if (!hwBox_Overlaps(&one->box, &two->box) || AreApart(&f, one->slot, two->slot)) continue;
            if (one->slot == two->slot && one->to == two->from && IsStraight(one, two)) continue;
            if (!GroupsStayApart(&f, rooms, one, two)) return false;
        }
    }
    return true;
}

// The start ----------------------------------------------------------------------------------------------------------------

static void FillNever(const hwWorld* world) {
    int count = world->model.cables->count;
    for (int a = 0; a < count; ++a) {
        for (int b = a; b < count; ++b) {
            hwThing one = {HW_THING_CABLE, a}, two = {HW_THING_CABLE, b};
            const hwCableSlot* slots = world->model.cables->slots;
            bool never = !hwFilter_Allows(slots[a].object->def.filter, slots[b].object->def.filter) ||
                         hwModel_IsIgnored(world, &world->model, one, two);
            world->work->cablePairs->never[a * count + b] = world->work->cablePairs->never[b * count + a] =
                never;
        }
    }
}

// Whether two elements lie in each other along their length, as no contact would have let them.
static bool AreNested(const hwWorld* world, const hwCablePair* pair) {
    double both = pair->radius[0] + pair->radius[1];
    if (pair->gap + both > NESTED * both) return false;
    const hwVec3 *x = Positions(world, pair->slot[0]) + pair->element[0],
                 *y = Positions(world, pair->slot[1]) + pair->element[1];
    hwVec3 a = hwSub(x[1], x[0]), b = hwSub(y[1], y[0]);
    return hwLength(hwCross(a, b)) <= PARALLEL * hwLength(a) * hwLength(b);
}

static bool ExcludeNested(const hwWorld* world) {
    hwCablePairs* pairs = world->work->cablePairs;
    int count = world->model.cables->count;
    bool any = false;
    for (int i = 0; i < pairs->count; ++i) {
        const hwCablePair* pair = &pairs->items[i];
        int a = pair->slot[0], b = pair->slot[1];
        if (pairs->never[a * count + b] || !AreNested(world, pair)) continue;
        pairs->never[a * count + b] = pairs->never[b * count + a] = any = true;
        hwWorld_Log(world, HW_LOG_INFO,
                    a == b ? "%s lies in itself from the start and does not touch itself"
                           : "%s and %s lie in each other from the start and do not touch",
                    world->model.cables->slots[a].name, world->model.cables->slots[b].name);
    }
    return any;
}

void hwCablePairs_Start(hwWorld* world, const hwMode* mode) {
    hwCablePairs* pairs = world->work->cablePairs;
    FillNever(world);
    *world->state.cablePairs->count = 0;
    hwMode now = *mode;
    now.touching = false; // the same as at the start of a run
    do hwCablePairs_Find(world, &now, 0.0, false);
    while (ExcludeNested(world));
    for (int i = 0; i < pairs->count; ++i) {
        const hwCablePair* pair = &pairs->items[i];
        // statics that has seen them has them as deep as they press
        double both = pair->radius[0] + pair->radius[1], deep = -pair->gap - SETTLED * both;
        if (!(mode->touching ? pair->gap < 0.0 : deep > 0.0)) continue;
        hwPairTouch* touch = &world->state.cablePairs->touches[(*world->state.cablePairs->count)++];
        *touch = (hwPairTouch){.relief = mode->touching ? 0.0f : (float)deep};
        for (int k = 0; k < 2; ++k) {
            const double* s = world->state.cables->stores[pair->slot[k]].material + pair->element[k];
            touch->slot[k] = pair->slot[k];
            touch->at[k] = s[0] + pair->at[k] * (s[1] - s[0]);
        }
    }
}

// Statics ------------------------------------------------------------------------------------------------------------------

void hwCablePairs_FindInTheWay(hwWorld* world, const char** a, const char** b) {
    hwCablePairs* pairs = world->work->cablePairs;
    const hwCableSlot* slots = world->model.cables->slots;
    hwCablePairs_Find(world, &hwMode_running, 0.0, false);
    for (int i = 0; i < pairs->count; ++i) {
        const hwCablePair* pair = &pairs->items[i];
        if (pair->slot[0] == pair->slot[1] || !(pair->gap < 0.0)) continue;
        *a = slots[pair->slot[0]].name;
        *b = slots[pair->slot[1]].name;
    }
    pairs->count = 0;
}

double hwCablePairs_LimitMove(hwWorld* world, const hwMode* mode, double* q, const double* move) {
    if (!mode->touching) return 1.0;
    Finder f = {world, world->work->cablePairs, move, 1.0, hwWorld_HasSwitches(world), true};
    memcpy(world->state.q, q, hwWorld_GetCoordinateBytes(world));
    FindAll(&f);
    return hwMin(f.pairs->longest, 1.0);
}

void hwCablePairs_ForgetBetween(hwWorld* world, int slot, double from, double to) {
    hwPairTouch* touches = world->state.cablePairs->touches;
    int kept = 0, count = *world->state.cablePairs->count;
    for (int i = 0; i < count; ++i) {
        bool there = false;
        for (int k = 0; k < 2; ++k) {
            double at = touches[i].at[k];
            there = there || (touches[i].slot[k] == slot && at >= from && at <= to);
        }
        if (!there) touches[kept++] = touches[i];
    }
    memset(touches + kept, 0, (size_t)(count - kept) * sizeof(hwPairTouch));
    *world->state.cablePairs->count = kept;
}

void hwCablePairs_Forget(hwWorld* world) {
    world->work->cablePairs->count = world->work->cablePairs->active = 0;
    memset(world->state.cablePairs->touches, 0, HW_CABLE_PAIRS * sizeof(hwPairTouch));
    *world->state.cablePairs->count = 0;
}

void hwCablePairs_LayWork(const hwModel* model, hwArena* arena, hwWork* work) {
    hwCablePairs* pairs = work->cablePairs;
    int count = model->cablePairs->on ? HW_CABLE_PAIRS : 0, groups = 0;
    for (int k = 0; k < model->cables->count && model->cablePairs->on; ++k)
        groups += model->cables->slots[k].model.nodeCapacity / GROUP + 1;
    pairs->items = HW_TAKE(arena, hwCablePair, count);
    pairs->groups = HW_TAKE(arena, hwCableGroup, groups);
    pairs->sweep = HW_TAKE(arena, int, groups);
    pairs->never =
        HW_TAKE(arena, bool, model->cablePairs->on ? model->cables->count * model->cables->count : 0);
    pairs->touching = HW_TAKE(arena, int, count);
    pairs->roots = hwArena_Take(arena, (size_t)count, sizeof(*pairs->roots));
    pairs->slots = HW_TAKE(arena, int, 2 * count);
    pairs->matrix = HW_TAKE(arena, double, 9 * count * count);
}

// Each factorisation writes them.
static void LayColumns(const hwModel* model, hwArena* arena, hwWork* work) {
    int count = model->cablePairs->on ? HW_COLUMNS : 0;
    work->cablePairs->columns = HW_TAKE(arena, double, count * model->freedomCount);
    work->cablePairs->ends = HW_TAKE(arena, double, count * model->freedomCount);
}

// The part -------------------------------------------------------------------------------------------------------------------

static hwStatus BuildModel(const hwWorld* world, hwModel* model, hwError* error) {
    (void)error;
    model->cablePairs->on = world->contact.cables && !world->contact.off && model->cables->count > 0;
    return HW_OK;
}

static bool IsOn(const hwModel* model) {
    return model->cablePairs->on;
}

static void LayState(const hwModel* model, hwArena* arena, hwState* state) {
    state->cablePairs->count = HW_TAKE(arena, int, model->cablePairs->on ? 1 : 0);
    state->cablePairs->touches = HW_TAKE(arena, hwPairTouch, model->cablePairs->on ? HW_CABLE_PAIRS : 0);
}

static hwStatus Start(hwWorld* world, hwError* error) {
    (void)error;
    if (world->model.cablePairs->on) hwCablePairs_Start(world, &hwMode_running);
    return HW_OK;
}

static int CountViews(const hwModel* model) {
    return model->cablePairs->on ? HW_CABLE_PAIRS : 0;
}

static const hwCableHooks hooks = {.getContactWay = hwCablePairs_GetWay,
                                   .measureTouch = hwCablePairs_MeasureTouch,
                                   .jumped = hwCablePairs_ForgetBetween};

const hwPart hwCablePairsPart = {.name = "cable pairs",
                                 .rests = true,
                                 .model = HW_SLICE(hwModel, cablePairs),
                                 .state = HW_SLICE(hwState, cablePairs),
                                 .work = HW_SLICE(hwWork, cablePairs),
                                 .cables = &hooks,
                                 .buildModel = BuildModel,
                                 .isPresent = IsOn,
                                 .staysApart = StayApart,
                                 .layState = LayState,
                                 .layWork = hwCablePairs_LayWork,
                                 .layCaches = LayColumns,
                                 .start = Start,
                                 .find = hwCablePairs_Find,
                                 .evaluate = hwCablePairs_Evaluate,
                                 .factorBorder = hwCablePairs_Factor,
                                 .correct = hwCablePairs_Correct,
                                 .checkStep = hwCablePairs_Check,
                                 .finish = hwCablePairs_Remember,
                                 .countViews = CountViews,
                                 .viewContacts = hwCablePairs_View,
                                 .beginStatics = hwCablePairs_Forget,
                                 .isInTheWay = hwCablePairs_FindInTheWay,
                                 .limitMove = hwCablePairs_LimitMove,
                                 .endStatics = hwCablePairs_Start};
