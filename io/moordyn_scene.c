// MoorDyn decks as scenes.
//
// Lines that meet in a free point without mass, or in a free rod without length, become one cable of several sections, so
// that nothing has to be invented where they meet: the first only where none of them resists bending, since a point passes
// no moment on. Other free points, free bodies and free rods become bodies; what is pinned becomes a ball joint.
#define _POSIX_C_SOURCE 200809L
#include "moordyn_rigid.h"
#include "moordyn_shape.h"

#include "scene_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A line that begins this many times its length is a mistake; springs of soft rope may begin at twice.
#define MOST_STRETCHED 2.5

static double Or(double value, double fallback) {
    return isnan(value) ? fallback : value;
}

static double GetDensity(const hwMoordynDeck* deck) {
    return Or(deck->density, 1025.0);
}

// Cables ---------------------------------------------------------------------------------------------------------------------

static bool IsBare(const hwMoordynPoint* point) {
    return point->kind == HW_MOORDYN_FREE && point->mass == 0.0 && point->volume == 0.0 &&
           point->dragArea == 0.0 && hwLengthSquared(point->force) == 0.0;
}

bool hwMoordyn_IsNode(const hwMoordynPoint* point) {
    return IsBare(point) && (point->attached == 1 || (point->attached == 2 && !point->stiff));
}

static bool IsRodNode(const hwMoordynRod* rod) {
    return rod->kind == HW_MOORDYN_FREE && rod->segments == 0 && (rod->attached == 1 || rod->attached == 2);
}

// Whether a line's end is a node of a cable, and not held by anything.
static bool IsLoose(const hwMoordynDeck* deck, hwMoordynEnd end) {
    return end.rod ? IsRodNode(&deck->rods[end.index]) : hwMoordyn_IsNode(&deck->points[end.index]);
}

static bool FindNeighbour(const hwMoordynDeck* deck, int line, int end, int* other, int* otherEnd) {
    hwMoordynEnd here = deck->lines[line].ends[end];
    if (!IsLoose(deck, here)) return false;
    for (int i = 0; i < deck->lineCount; i++) {
        for (int e = 0; e < 2; e++) {
            hwMoordynEnd there = deck->lines[i].ends[e];
            if (i == line || there.rod != here.rod || there.index != here.index) continue;
            *other = i;
            *otherEnd = e;
            return true;
        }
    }
    return false;
}

// Follows a chain from a line that is entered at `end`.
static void Chain(hwMoordynDeck* deck, bool* done, int line, int end) {
    int first = line, element = 0;
    for (;;) {
        hwMoordynLine* at = &deck->lines[line];
        done[line] = true;
        at->cable = first;
        at->reversed = end == 1;
        at->firstElement = element;
        at->next = -1;
        element += hwMoordyn_CountElements(deck, at);
        int other, otherEnd;
        if (!FindNeighbour(deck, line, 1 - end, &other, &otherEnd) || done[other]) return;
        at->next = other;
        line = other;
        end = otherEnd;
    }
}

void hwMoordyn_JoinLines(hwMoordynDeck* deck) {
    bool* done = HW_STORE_TAKE(&deck->store, bool, deck->lineCount);
    int other, otherEnd;
    // a ring of nothing but nodes, and a line that begins where it ends, need one place that is a body
    for (int i = 0; i < deck->lineCount; i++) {
        hwMoordynEnd a = deck->lines[i].ends[0], b = deck->lines[i].ends[1];
        if (!a.rod && !b.rod && a.index == b.index) deck->points[a.index].stiff = true;
        int line = i, end = 1, steps = 0;
        while (FindNeighbour(deck, line, end, &other, &otherEnd) && other != i && steps++ < deck->lineCount) {
            line = other;
            end = 1 - otherEnd;
        }
        if (steps > 0 && FindNeighbour(deck, line, end, &other, &otherEnd) && other == i && !a.rod)
            deck->points[a.index].stiff = true;
    }
    for (int pass = 0; pass < 2 && done != NULL; pass++) {
        for (int i = 0; i < deck->lineCount; i++) {
            for (int end = 0; end < 2 && !done[i]; end++) {
                if (pass == 1 || !FindNeighbour(deck, i, end, &other, &otherEnd)) Chain(deck, done, i, end);
            }
        }
    }
}

int hwMoordyn_CountElements(const hwMoordynDeck* deck, const hwMoordynLine* line) {
    hwMoordynLaw law = deck->types[line->type].law;
    return law == HW_MOORDYN_VISCO || law == HW_MOORDYN_SYROPE ? 2 * line->elements : line->elements;
}

void hwMoordyn_NameCable(const hwMoordynDeck* deck, int cable, char* name, size_t size) {
    const hwMoordynLine* line = &deck->lines[cable];
    snprintf(name, size, "%.40s", line->name);
    int count = 1, last = cable;
    for (int i = line->next; i >= 0; i = deck->lines[i].next) {
        count += 1;
        last = i;
    }
    size_t length = strlen(name);
    if (count > 3) snprintf(name + length, size - length, "_to_%d", abs(deck->lines[last].id));
    for (int i = line->next; count <= 3 && i >= 0; i = deck->lines[i].next) {
        length = strlen(name);
        snprintf(name + length, size - length, "_%d", abs(deck->lines[i].id));
    }
}

// Where things are -------------------------------------------------------------------------------------------------------------

// What an end of a line is attached to: the name in the scene, "earth" or "" for nothing; where on it; where in the world;
// and the rod's direction from A to B, zero for points, in the frame of what holds it.
typedef struct Place {
    char on[48];
    hwVec3 at, world, axis;
    const char* remark;
} Place;

static hwVec3 GetAxis(const hwMoordynRod* rod) {
    double length = hwDistance(rod->ends[0], rod->ends[1]);
    return length > 1e-9 ? hwScale(1.0 / length, hwSub(rod->ends[1], rod->ends[0])) : hwVec3_zero;
}

static void SetOnBody(const hwMoordynDeck* deck, int index, hwVec3 at, Place* place) {
    const hwMoordynBody* body = &deck->bodies[index];
    place->at = at;
    place->world = hwAdd(body->position, hwRotate(body->attitude, at));
    bool pinned = body->kind == HW_MOORDYN_COUPLED_PINNED;
    snprintf(place->on, sizeof(place->on), pinned ? "body%d_pin.body" : "body%d", body->id);
}

static Place FindRodPlace(const hwMoordynDeck* deck, const hwMoordynRod* rod, int end) {
    Place place = {.on = "earth", .at = rod->ends[end], .world = rod->ends[end], .axis = GetAxis(rod)};
    double length = hwDistance(rod->ends[0], rod->ends[1]);
    switch (rod->kind) {
    case HW_MOORDYN_ON_BODY:
        SetOnBody(deck, rod->body, rod->ends[end], &place);
        break;
    case HW_MOORDYN_ON_BODY_PINNED:
        SetOnBody(deck, rod->body, rod->ends[end], &place);
        // falls through
    case HW_MOORDYN_PINNED:
    case HW_MOORDYN_COUPLED_PINNED:
        snprintf(place.on, sizeof(place.on), "rod%d.rod", rod->id);
        place.at = hwMakeVec3(0.0, 0.0, end == 1 ? length : 0.0);
        place.axis = hwMakeVec3(0.0, 0.0, 1.0);
        break;
    case HW_MOORDYN_FREE:
        place.on[0] = 0;
        if (IsRodNode(rod)) break;
        snprintf(place.on, sizeof(place.on), "rod%d", rod->id);
        place.at = hwMakeVec3(0.0, 0.0, end == 1 ? length : 0.0);
        place.axis = rod->segments > 0 ? hwMakeVec3(0.0, 0.0, 1.0) : hwVec3_zero;
        break;
    case HW_MOORDYN_COUPLED:
        place.remark = "coupled: attach it to what moves it";
        break;
    default:
        break;
    }
    return place;
}

static Place FindPlace(const hwMoordynDeck* deck, hwMoordynEnd end) {
    if (end.rod) return FindRodPlace(deck, &deck->rods[end.index], end.rodEnd);
    const hwMoordynPoint* point = &deck->points[end.index];
    Place place = {.on = "earth", .at = point->position, .world = point->position};
    if (point->kind == HW_MOORDYN_ON_BODY) SetOnBody(deck, point->body, point->position, &place);
    if (point->kind == HW_MOORDYN_COUPLED) place.remark = "coupled: attach it to what moves it";
    if (point->kind == HW_MOORDYN_FREE) {
        place.on[0] = 0;
        if (hwMoordyn_IsNode(point)) return place;
        snprintf(place.on, sizeof(place.on), "point%d", point->id);
        place.at = hwVec3_zero;
    }
    return place;
}

// Environment --------------------------------------------------------------------------------------------------------------------

// Beyond a grid the bottom goes on as at its edge: the triangles get a rim.
static void WriteGrid(const hwMoordynDeck* deck, FILE* file) {
    const hwMoordynGrid* grid = &deck->bottom;
    double rim =
        10.0 * (1000.0 + grid->x[grid->columns - 1] - grid->x[0] + grid->y[grid->rows - 1] - grid->y[0]);
    int columns = grid->columns + 2, rows = grid->rows + 2;
    fprintf(file, "    mesh:\n      vertices: [");
    for (int j = 0; j < rows; j++) {
        int row = j < 1 ? 0 : j - 1 < grid->rows ? j - 1 : grid->rows - 1;
        double y = grid->y[row] + (j == 0 ? -rim : j == rows - 1 ? rim : 0.0);
        for (int i = 0; i < columns; i++) {
            int column = i < 1 ? 0 : i - 1 < grid->columns ? i - 1 : grid->columns - 1;
            double x = grid->x[column] + (i == 0 ? -rim : i == columns - 1 ? rim : 0.0);
            fprintf(file, "%s[%.10g, %.10g, %.10g]", i + j > 0 ? ", " : "", x, y,
                    -grid->depth[row * grid->columns + column]);
        }
    }
    fprintf(file, "]\n      triangles: [");
    for (int j = 0; j + 1 < rows; j++) {
        for (int i = 0; i + 1 < columns; i++) {
            int a = j * columns + i, b = a + 1, c = a + columns, d = c + 1;
            fprintf(file, "%s[%d, %d, %d], [%d, %d, %d]", i + j > 0 ? ", " : "", a, b, d, a, d, c);
        }
    }
    fprintf(file, "]\n");
}

static void WriteCurrent(const hwMoordynDeck* deck, FILE* file) {
    const hwMoordynCurrent* current = &deck->current;
    if (current->levels == 0) return;
    fprintf(file, "  current:\n    profile:\n      depth: [");
    for (int i = current->levels - 1; i >= 0; i--)
        fprintf(file, "%.10g%s", 0.0 - current->z[i], i > 0 ? ", " : "]\n");
    if (current->times > 1) {
        fprintf(file, "      time: [");
        for (int i = 0; i < current->times; i++)
            fprintf(file, "%s%.10g", i > 0 ? ", " : "", current->time[i]);
        fprintf(file, "]\n");
    }
    fprintf(file, "      velocity: [");
    for (int t = 0; t < current->times; t++) {
        for (int i = current->levels - 1; i >= 0; i--) {
            hwVec3 v = current->velocity[t * current->levels + i];
            fprintf(file, "%s[%.10g, %.10g, %.10g]", t + current->levels - 1 - i > 0 ? ", " : "", v.x, v.y,
                    v.z);
        }
    }
    fprintf(file, "]\n");
}

static void WriteWaves(const hwMoordynDeck* deck, FILE* file) {
    if (deck->waveCount == 0) return;
    fprintf(file, "  waves:\n    airy:\n");
    for (int i = 0; i < deck->waveCount; i++) {
        const hwMoordynWave* wave = &deck->waves[i];
        fprintf(file, "      - {height: %.10g, period: %.10g, direction: %.10g, phase: %.10g}\n",
                2.0 * wave->amplitude, 2.0 * HW_PI / wave->omega, wave->direction, wave->phase);
    }
}

static double FindLowest(const hwMoordynDeck* deck) {
    double lowest = 0.0;
    for (int i = 0; i < deck->pointCount; i++) {
        if (deck->points[i].kind != HW_MOORDYN_ON_BODY) lowest = hwFmin(lowest, deck->points[i].position.z);
    }
    return lowest;
}

static double FindMeanDepth(const hwMoordynGrid* grid) {
    double sum = 0.0;
    for (int i = 0; i < grid->columns * grid->rows; i++) sum += grid->depth[i];
    return sum / (grid->columns * grid->rows);
}

static void WriteEnvironment(hwMoordynDeck* deck, FILE* file) {
    double lowest = FindLowest(deck), density = GetDensity(deck);
    bool grid = deck->bottom.columns > 0;
    if (isnan(deck->depth) && !grid) {
        deck->depth = -lowest;
        hwMoordyn_Warn(deck, 0, 0, "the file gives no water depth: %g m, that of the lowest point, was taken",
                       deck->depth);
    } else if (!grid && -lowest > deck->depth) {
        hwMoordyn_Warn(deck, 0, 0,
                       "a point lies below the bottom at %g m: the water depth is %g m, as MoorDyn takes it",
                       deck->depth, -lowest);
        deck->depth = -lowest;
    }
    fprintf(file, "environment:\n  gravity: %.10g\n", Or(deck->gravity, 9.80665));
    if (density > 0.0) {
        fprintf(file, "  water: {density: %.10g}\n", density);
        WriteCurrent(deck, file);
        WriteWaves(deck, file);
    }
    if (!grid && !(deck->depth > 0.0)) return;
    fprintf(file, "  seabed:\n    depth: %.10g\n", grid ? FindMeanDepth(&deck->bottom) : deck->depth);
    if (grid) WriteGrid(deck, file);
    fprintf(file, "    stiffness: %.10g\n    damping: %.10g\n    friction: %.10g\n", Or(deck->stiffness, 3e6),
            Or(deck->damping, 3e5), Or(deck->friction, 0.0));
}

// Bodies -----------------------------------------------------------------------------------------------------------------------

static void WritePose(FILE* file, hwVec3 position, hwQuat attitude, const char* indent) {
    fprintf(file, "%sposition: [%.10g, %.10g, %.10g]\n%sattitude: {quat: [%.12g, %.12g, %.12g, %.12g]}\n",
            indent, position.x, position.y, position.z, indent, attitude.w, attitude.x, attitude.y,
            attitude.z);
}

// Turns z into a rod's direction.
static hwQuat TurnToAxis(hwVec3 q) {
    if (q.z < -1.0 + 1e-12) return (hwQuat){0.0, 1.0, 0.0, 0.0};
    return hwNormalizeQuat((hwQuat){1.0 + q.z, -q.y, q.x, 0.0});
}

static void WriteFreePoint(const hwMoordynDeck* deck, const hwMoordynPoint* p, FILE* file) {
    // nothing here may be without mass; a millionth of what hangs on it makes no difference
    bool massless = p->mass == 0.0;
    double mass = massless ? hwFmax(1e-6 * p->held, 1e-9) : p->mass;
    double drag = 0.5 * GetDensity(deck) * p->dragArea, added = GetDensity(deck) * p->volume * p->added;
    fprintf(file, "  - name: point%d   # line %d%s\n    mass: %.10g\n    inertia: [%.6g, %.6g, %.6g]\n",
            p->id, p->line, massless ? "; without mass there: a millionth of what it holds" : "", mass,
            0.1 * mass, 0.1 * mass, 0.1 * mass);
    fprintf(file, "    position: [%.10g, %.10g, %.10g]\n    volume: %.10g\n", p->position.x, p->position.y,
            p->position.z, p->volume);
    fprintf(file, "    added_mass: [%.6g, %.6g, %.6g, 0, 0, 0]\n", added, added, added);
    // rotation means nothing here; a little drag keeps it from spinning
    fprintf(file, "    drag: {linear: [0, 0, 0, %.6g, %.6g, %.6g], quadratic: [%.6g, %.6g, %.6g, 0, 0, 0]}\n",
            0.1 * mass, 0.1 * mass, 0.1 * mass, drag, drag, drag);
}

static void WriteRigid(const hwMoordynDeck* deck, const hwMoordynRigid* rigid, FILE* file,
                       const char* indent) {
    hwMoordynRigid_WriteMass(rigid, file, indent);
    hwMoordynRigid_WriteWater(deck, rigid, file, indent);
    hwMoordynRigid_WriteShapes(deck, rigid, file, indent);
}

static bool CheckMass(const hwMoordynDeck* deck, const hwMoordynRigid* rigid, int line) {
    if (rigid->mass > 0.0) return true;
    return hwMoordyn_Fail(deck, line, 1, "this moves freely but has no mass, nor has anything fixed to it");
}

static bool WriteBody(hwMoordynDeck* deck, int index, FILE* file) {
    const hwMoordynBody* body = &deck->bodies[index];
    hwMoordynRigid rigid = {.density = GetDensity(deck)};
    fprintf(file, "  - name: body%d   # line %d\n", body->id, body->line);
    WritePose(file, body->position, body->attitude, "    ");
    if (body->kind != HW_MOORDYN_FREE) {
        fprintf(file, "    motion: fixed%s\n",
                body->kind == HW_MOORDYN_FIXED ? "" : "   # coupled: prescribe how it moves");
        return true;
    }
    if (!hwMoordynRigid_AddBody(deck, &rigid, index) || !CheckMass(deck, &rigid, body->line)) return false;
    WriteRigid(deck, &rigid, file, "    ");
    return true;
}

// A rod by itself: its origin is end A, its z axis points to end B.
static hwMoordynRod* MakeRigidRod(hwMoordynDeck* deck, const hwMoordynRod* rod, hwMoordynRigid* rigid) {
    hwMoordynRod* own = HW_STORE_TAKE(&deck->store, hwMoordynRod, 1);
    rigid->rods = HW_STORE_TAKE(&deck->store, const hwMoordynRod*, 1);
    if (own == NULL || rigid->rods == NULL) {
        hwSceneFail_Memory(deck->error);
        return NULL;
    }
    *own = *rod;
    own->ends[0] = hwVec3_zero;
    own->ends[1] = hwMakeVec3(0.0, 0.0, hwDistance(rod->ends[0], rod->ends[1]));
    rigid->rods[0] = own;
    rigid->rodCount = 1;
    hwMoordynRigid_AddRod(rigid, &deck->rodTypes[rod->type], own->ends[0], own->ends[1]);
    return own;
}

static bool WriteFreeRod(hwMoordynDeck* deck, const hwMoordynRod* rod, FILE* file) {
    hwMoordynRigid rigid = {.density = GetDensity(deck)};
    fprintf(file, "  - name: rod%d   # line %d\n", rod->id, rod->line);
    if (rod->segments == 0) { // three or more lines meet in it
        hwMoordyn_Warn(deck, rod->line, 0,
                       "rod %d has no length and %d lines: it passes no bending moments on here", rod->id,
                       rod->attached);
        fprintf(file, "    mass: 1e-3\n    inertia: [1e-4, 1e-4, 1e-4]\n    drag: {linear: [0, 0, 0, 1e-4, "
                      "1e-4, 1e-4]}\n");
        fprintf(file, "    position: [%.10g, %.10g, %.10g]\n", rod->ends[0].x, rod->ends[0].y,
                rod->ends[0].z);
        return true;
    }
    if (MakeRigidRod(deck, rod, &rigid) == NULL || !CheckMass(deck, &rigid, rod->line)) return false;
    WritePose(file, rod->ends[0], TurnToAxis(GetAxis(rod)), "    ");
    WriteRigid(deck, &rigid, file, "    ");
    return true;
}

static bool IsBodyPoint(const hwMoordynDeck* deck, int index) {
    const hwMoordynPoint* point = &deck->points[index];
    if (point->kind != HW_MOORDYN_FREE || hwMoordyn_IsNode(point)) return false;
    if (point->attached > 0 || point->mass > 0.0) return true;
    hwMoordyn_Warn(deck, point->line, 0, "point %d holds nothing and has no mass: it was left out",
                   point->id);
    return false;
}

static bool IsBodyRod(const hwMoordynRod* rod) {
    return rod->kind == HW_MOORDYN_FREE && !IsRodNode(rod) && (rod->segments > 0 || rod->attached > 0);
}

static bool WriteBodies(hwMoordynDeck* deck, FILE* file) {
    bool any = false, forces = false;
    for (int i = 0; i < deck->bodyCount; i++) {
        fprintf(file, "%s", any ? "" : "\nbodies:\n");
        any = true;
        if (!WriteBody(deck, i, file)) return false;
    }
    for (int i = 0; i < deck->rodCount; i++) {
        if (!IsBodyRod(&deck->rods[i])) continue;
        fprintf(file, "%s", any ? "" : "\nbodies:\n");
        any = true;
        if (!WriteFreeRod(deck, &deck->rods[i], file)) return false;
    }
    for (int i = 0; i < deck->pointCount; i++) {
        if (!IsBodyPoint(deck, i)) continue;
        fprintf(file, "%s", any ? "" : "\nbodies:\n");
        any = true;
        WriteFreePoint(deck, &deck->points[i], file);
    }
    for (int i = 0; i < deck->pointCount; i++) {
        const hwMoordynPoint* point = &deck->points[i];
        if (point->kind != HW_MOORDYN_FREE || hwLengthSquared(point->force) == 0.0) continue;
        if (!forces) fprintf(file, "\nforces:\n");
        forces = true;
        fprintf(file, "  - {on: point%d, force: [%.10g, %.10g, %.10g]}\n", point->id, point->force.x,
                point->force.y, point->force.z);
    }
    return true;
}

// Joints -----------------------------------------------------------------------------------------------------------------------

static void WriteJoint(FILE* file, bool* any, const char* name, int id, const char* on, hwVec3 position,
                       hwQuat attitude, const char* link) {
    if (!*any) fprintf(file, "\nmechanisms:\n");
    *any = true;
    fprintf(
        file,
        "  - name: %s\n    base: {on: %s, position: [%.10g, %.10g, %.10g], attitude: {quat: [%.12g, %.12g, "
        "%.12g, %.12g]}}\n    links:\n      - name: %s   # %d\n        parent: base\n        joint: ball\n",
        name, on, position.x, position.y, position.z, attitude.w, attitude.x, attitude.y, attitude.z, link,
        id);
}

static void WriteLink(const hwMoordynDeck* deck, const hwMoordynRigid* rigid, FILE* file) {
    hwMoordynRigid_WriteMass(rigid, file, "        ");
    fprintf(file, "        hydro:\n");
    hwMoordynRigid_WriteWater(deck, rigid, file, "          ");
    hwMoordynRigid_WriteShapes(deck, rigid, file, "        ");
}

static bool WriteMechanisms(hwMoordynDeck* deck, FILE* file) {
    bool any = false;
    char name[32], on[32];
    const hwQuat straight = {1.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < deck->bodyCount; i++) {
        const hwMoordynBody* body = &deck->bodies[i];
        hwMoordynRigid rigid = {.density = GetDensity(deck)};
        if (body->kind != HW_MOORDYN_COUPLED_PINNED) continue;
        if (!hwMoordynRigid_AddBody(deck, &rigid, i) || !CheckMass(deck, &rigid, body->line)) return false;
        snprintf(name, sizeof(name), "body%d_pin", body->id);
        snprintf(on, sizeof(on), "body%d", body->id);
        WriteJoint(file, &any, name, body->id, on, hwVec3_zero, straight, "body");
        WriteLink(deck, &rigid, file);
    }
    for (int i = 0; i < deck->rodCount; i++) {
        const hwMoordynRod* rod = &deck->rods[i];
        hwMoordynRigid rigid = {.density = GetDensity(deck)};
        bool onBody = rod->kind == HW_MOORDYN_ON_BODY_PINNED;
        if (!onBody && rod->kind != HW_MOORDYN_PINNED && rod->kind != HW_MOORDYN_COUPLED_PINNED) continue;
        if (rod->segments == 0)
            return hwMoordyn_Fail(deck, rod->line, 1, "a pinned rod without length has no counterpart");
        if (MakeRigidRod(deck, rod, &rigid) == NULL || !CheckMass(deck, &rigid, rod->line)) return false;
        snprintf(name, sizeof(name), "rod%d", rod->id);
        snprintf(on, sizeof(on), onBody ? "body%d" : "earth", onBody ? deck->bodies[rod->body].id : 0);
        WriteJoint(file, &any, name, rod->id, on, rod->ends[0], TurnToAxis(GetAxis(rod)), "rod");
        WriteLink(deck, &rigid, file);
    }
    return true;
}

// Lines ------------------------------------------------------------------------------------------------------------------------

// A negative number is a share of the critical damping of a segment.
static double GetDamping(double damping, double EA, double mass, double segment) {
    return damping >= 0.0 ? damping : -damping * segment * sqrt(EA * mass);
}

// Pieces of a cable as they are written: how long, of how many elements, how stiff.
typedef struct Pieces {
    hwMoordynDeck* deck;
    FILE* file;
    int count;
    double (*list)[3];
} Pieces;

static void WriteSection(Pieces* pieces, const hwMoordynLineType* type, double length, int elements,
                         double mass, double EA, double damping, double EI) {
    pieces->list = hwMoordyn_Grow(pieces->deck, pieces->list, pieces->count, sizeof(*pieces->list));
    if (pieces->list != NULL) {
        double piece[3] = {length, elements, EA};
        memcpy(pieces->list[pieces->count++], piece, sizeof(piece));
    }
    fprintf(pieces->file,
            "      - {length: %.10g, elements: %d, diameter: %.10g, mass_per_length: %.10g, EA: %.10g, EI: "
            "%.10g,\n"
            "         damping: {axial: %.6g}, drag: {normal: %.10g, tangential: %.10g},\n"
            "         added_mass: {normal: %.10g, tangential: %.10g}}\n",
            length, elements, type->diameter, mass, EA, EI, damping, type->drag, type->dragAlong, type->added,
            type->addedAlong);
}

// A row of a table at a tension: strain there, and d(tension)/d(strain).
static void FindRow(const hwMoordynTable* table, double tension, double* strain, double* slope) {
    int i = 0;
    while (i < table->count - 2 && tension > table->tension[i + 1]) i += 1;
    *slope = (table->tension[i + 1] - table->tension[i]) / (table->strain[i + 1] - table->strain[i]);
    *strain = table->strain[i] + (tension - table->tension[i]) / *slope;
}

// Syrope's working curve for the largest load so far, at a mean load.
static void FindWorkingPoint(const hwMoordynLineType* type, double largest, double mean, double* strain,
                             double* slope) {
    double top, ignored, bottom = type->table.strain[0];
    FindRow(&type->table, largest, &top, &ignored);
    if (!(mean < largest * (1.0 - 1e-9))) { // on the original working curve
        FindRow(&type->table, mean, strain, slope);
        return;
    }
    bool linear = type->workingCurve == 0;
    double least = linear && type->k1 >= 1.0 ? top - largest / type->k1 : bottom + type->k1 * (top - bottom);
    double share = mean / largest, range = top - least, x = share, rise = 1.0;
    if (type->workingCurve == 1 && type->k2 != 0.0) { // share = x (k2 x + 1 - k2)
        double b = 1.0 - type->k2;
        x = (sqrt(b * b + 4.0 * type->k2 * share) - b) / (2.0 * type->k2);
        rise = 2.0 * type->k2 * x + b;
    } else if (type->workingCurve == 2 && fabs(hwExpm1(type->k2)) > 1e-14) {
        x = hwLog1p(share * hwExpm1(type->k2)) / type->k2;
        rise = type->k2 * hwExp(type->k2 * x) / hwExpm1(type->k2);
    }
    *strain = least + x * range;
    *slope = largest * rise / range;
}

// A straight line through a point of a curve: an elastic piece of another unstretched length, with its mass.
static void WriteTangent(Pieces* pieces, const hwMoordynLineType* type, double length, int elements,
                         double strain, double tension, double slope, double damping) {
    double rest = length * (1.0 + strain - tension / slope);
    WriteSection(pieces, type, rest, elements, type->mass * length / rest, slope * rest / length,
                 damping * rest / length, type->EI);
}

static double GetMeanLoad(const hwMoordynLine* line, const hwMoordynLineType* type) {
    if (!isnan(line->meanLoad)) return line->meanLoad;
    return type->table.count > 0 ? 0.5 * type->table.tension[type->table.count - 1] : 0.0;
}

// The working curve gives the mean load by the whole strain of a segment. Of that the dynamic spring, whose stiffness
// a + b T grows with the load, has log(1 + b T / a) / b; the rest is the slow strain. Both halves are tangents at the mean
// load, the whole strain of each spring in its half.
static void WriteSyrope(Pieces* pieces, const hwMoordynLine* line, const hwMoordynLineType* type,
                        double segment, double mean, double dynamic) {
    double strain, slope, a = type->dynamicEA, b = type->dynamicSlope;
    FindWorkingPoint(type, Or(line->largestLoad, mean), mean, &strain, &slope);
    double fast = b > 0.0 ? hwLog1p(b * mean / a) / b : mean / a;
    double slow = 1.0 / hwFmax(1.0 / slope - 1.0 / dynamic, 1e-6 / slope);
    WriteTangent(pieces, type, 0.5 * segment, 1, 2.0 * (strain - fast), mean, 0.5 * slow,
                 0.5 * GetDamping(type->damping, slow, type->mass, segment));
    WriteTangent(pieces, type, 0.5 * segment, 1, 2.0 * fast, mean, 0.5 * dynamic, 0.5 * type->dynamicDamping);
}

// Each segment is two halves in series: a static and a dynamic spring, each with its dashpot. Halves of the length take
// half of EA and of the damping, so that the elongations add up to those of MoorDyn's segment.
static void WriteSeries(Pieces* pieces, const hwMoordynLine* line, const hwMoordynLineType* type) {
    double segment = line->length / line->elements, mean = GetMeanLoad(line, type);
    double dynamic = type->dynamicEA + type->dynamicSlope * mean;
    for (int i = 0; i < line->elements; i++) {
        if (type->law == HW_MOORDYN_VISCO) {
            double first = dynamic * type->EA / (dynamic - type->EA);
            WriteSection(pieces, type, 0.5 * segment, 1, type->mass, 0.5 * first,
                         0.5 * GetDamping(type->damping, type->EA, type->mass, segment), type->EI);
            WriteSection(pieces, type, 0.5 * segment, 1, type->mass, 0.5 * dynamic,
                         0.5 * type->dynamicDamping, type->EI);
        } else {
            WriteSyrope(pieces, line, type, segment, mean, dynamic);
        }
    }
}

static void WarnLaw(const hwMoordynDeck* deck, const hwMoordynLine* line, const hwMoordynLineType* type) {
    double mean = GetMeanLoad(line, type);
    if (type->law == HW_MOORDYN_TABLE) {
        hwMoordyn_Warn(
            deck, type->line, type->column,
            "the stiffness of %s by a table is its tangent at %.4g N, the mean tension at the start",
            line->name, mean);
    } else if (type->law == HW_MOORDYN_SYROPE) {
        hwMoordyn_Warn(
            deck, type->line, type->column,
            "the working curve of %s is its tangent at Tmean0 %.4g N; loads above Tmax0 do not lengthen "
            "it for good",
            line->name, mean);
    } else if (type->law == HW_MOORDYN_VISCO && type->dynamicSlope > 0.0) {
        hwMoordyn_Warn(deck, type->line, type->column,
                       "the dynamic stiffness of %s is that of %.4g N, its mean tension at the start",
                       line->name, mean);
    }
}

static void WriteMooring(Pieces* pieces, const hwMoordynLine* line) {
    const hwMoordynDeck* deck = pieces->deck;
    const hwMoordynLineType* type = &deck->types[line->type];
    double segment = line->length / line->elements;
    WarnLaw(deck, line, type);
    if (type->law == HW_MOORDYN_ELASTIC) {
        WriteSection(pieces, type, line->length, line->elements, type->mass, type->EA,
                     GetDamping(type->damping, type->EA, type->mass, segment), type->EI);
    } else if (type->law == HW_MOORDYN_TABLE) {
        double strain, slope, mean = GetMeanLoad(line, type);
        FindRow(&type->table, mean, &strain, &slope);
        WriteTangent(pieces, type, line->length, line->elements, strain, mean, slope,
                     GetDamping(type->damping, slope, type->mass, segment));
    } else {
        WriteSeries(pieces, line, type);
    }
}

static void WriteEnd(const hwMoordynDeck* deck, FILE* file, int side, const hwMoordynLine* line, int end,
                     const Place* place) {
    hwMoordynEnd to = line->ends[end];
    bool stiff = deck->types[line->type].EI > 0.0 && hwLengthSquared(place->axis) > 0.5;
    fprintf(file, "      %c: {", "ab"[side]);
    if (place->on[0] == 0) {
        fprintf(file, "joint: free, at: [%.10g, %.10g, %.10g]", place->world.x, place->world.y,
                place->world.z);
    } else {
        fprintf(file, "on: %s, at: [%.10g, %.10g, %.10g]", place->on, place->at.x, place->at.y, place->at.z);
    }
    if (to.rod && stiff && place->on[0] != 0) {
        // the cable goes on from a rod's end B in the rod's direction, from its end A against it
        double sign = (to.rodEnd == 1) == (side == 0) ? 1.0 : -1.0;
        hwVec3 p1 = hwPerpendicular(place->axis), p2 = hwScale(sign, hwCross(place->axis, p1));
        fprintf(file, ", joint: clamp, p1: [%.10g, %.10g, %.10g], p2: [%.10g, %.10g, %.10g]", p1.x, p1.y,
                p1.z, p2.x, p2.y, p2.z);
    }
    fprintf(file, "}   # %s %d%s%s%s\n", to.rod ? "rod" : "point",
            to.rod ? deck->rods[to.index].id : deck->points[to.index].id,
            to.rod ? (to.rodEnd ? " B" : " A") : "", place->remark != NULL ? ", " : "",
            place->remark != NULL ? place->remark : "");
}

// Nodes of a snapshot, where each line of a cable has them and an element for each segment.
static bool HasNodes(const hwMoordynDeck* deck, int cable) {
    for (int i = cable; i >= 0; i = deck->lines[i].next) {
        const hwMoordynLine* line = &deck->lines[i];
        if (line->nodes == NULL || hwMoordyn_CountElements(deck, line) != line->elements) return false;
    }
    return true;
}

static void WriteSnapshot(const hwMoordynDeck* deck, int cable, FILE* file) {
    fprintf(file, "    shape: {nodes: [");
    for (int i = cable; i >= 0; i = deck->lines[i].next) {
        const hwMoordynLine* line = &deck->lines[i];
        hwVec3 ends[] = {FindPlace(deck, line->ends[line->reversed]).world,
                         FindPlace(deck, line->ends[!line->reversed]).world};
        int count = line->elements - 1;
        for (int k = i == cable ? 0 : 1; k <= count + 1; k++) {
            hwVec3 at = k == 0           ? ends[0]
                        : k == count + 1 ? ends[1]
                                         : line->nodes[line->reversed ? count - k : k - 1];
            fprintf(file, "%s[%.12g, %.12g, %.12g]", i == cable && k == 0 ? "" : ", ", at.x, at.y, at.z);
        }
    }
    fprintf(file, "]}\n");
}

static hwMoordynSpan GetSpan(const Pieces* pieces, const hwMoordynLine* line, int piece) {
    const hwMoordynDeck* deck = pieces->deck;
    const hwMoordynLineType* type = &deck->types[line->type];
    double section = 0.25 * HW_PI * type->diameter * type->diameter;
    bool series = type->law == HW_MOORDYN_VISCO || type->law == HW_MOORDYN_SYROPE;
    return (hwMoordynSpan){.a = FindPlace(deck, line->ends[line->reversed]).world,
                           .b = FindPlace(deck, line->ends[!line->reversed]).world,
                           .floats = type->mass < GetDensity(deck) * section,
                           .floor = -Or(deck->depth, HUGE_VAL),
                           .weightless = Or(deck->gravity, 1.0) == 0.0,
                           .pieces = pieces->list + piece,
                           .count = series ? 2 * line->elements : 1};
}

static bool FailStretched(hwMoordynDeck* deck, const hwMoordynLine* line, double length, double distance) {
    return hwMoordyn_Fail(
        deck, line->line, 1,
        "the line is stretched from %.4g m to %.4g m: it is too short for where its ends are", length,
        distance);
}

// The lines of a cable, each between the places that the deck gives its own ends: they begin there unless they settle first.
static bool WritePlaced(const Pieces* pieces, int cable) {
    hwMoordynDeck* deck = pieces->deck;
    int piece = 0;
    for (int i = cable; i >= 0; i = deck->lines[i].next) {
        const hwMoordynLine* line = &deck->lines[i];
        hwMoordynSpan span = GetSpan(pieces, line, piece);
        double distance = hwDistance(span.a, span.b);
        if (distance > MOST_STRETCHED * line->length)
            return FailStretched(deck, line, line->length, distance);
        if (distance > 1.05 * line->length) {
            hwMoordyn_Warn(deck, line->line, 0, "%s begins stretched by %.0f %%", line->name,
                           100.0 * (distance / line->length - 1.0));
        }
        piece += span.count;
        if (i == cable)
            fprintf(pieces->file, "    shape: {nodes: [[%.12g, %.12g, %.12g]", span.a.x, span.a.y, span.a.z);
        hwMoordyn_WriteSpan(&span, pieces->file);
    }
    fprintf(pieces->file, "]}\n");
    return true;
}

// The whole as one line, stretched from end to end: tauter than a shape of the scene allows.
static void WriteStretched(const Pieces* pieces, hwVec3 a, hwVec3 b) {
    hwMoordynSpan span = {.a = a, .b = b, .weightless = true, .pieces = pieces->list, .count = pieces->count};
    fprintf(pieces->file, "    shape: {nodes: [[%.12g, %.12g, %.12g]", a.x, a.y, a.z);
    hwMoordyn_WriteSpan(&span, pieces->file);
    fprintf(pieces->file, "]}\n");
}

static bool WriteCable(hwMoordynDeck* deck, int cable, FILE* file) {
    char name[64];
    Pieces pieces = {deck, file, 0, NULL};
    const hwMoordynLine *first = &deck->lines[cable], *last = first;
    double length = 0.0;
    hwMoordyn_NameCable(deck, cable, name, sizeof(name));
    fprintf(file, "  - name: %s   # line", name);
    for (int i = cable; i >= 0; i = deck->lines[i].next) {
        const hwMoordynLine* line = &deck->lines[i];
        fprintf(file, "%s %d, type %s", i == cable ? "" : ";", line->line, deck->types[line->type].label);
    }
    fprintf(file, "\n    sections:\n");
    for (int i = cable; i >= 0; i = deck->lines[i].next) {
        last = &deck->lines[i];
        length += last->length;
        WriteMooring(&pieces, last);
    }
    Place a = FindPlace(deck, first->ends[first->reversed]), b = FindPlace(deck, last->ends[!last->reversed]);
    fprintf(file, "    ends:\n");
    WriteEnd(deck, file, 0, first, first->reversed, &a);
    WriteEnd(deck, file, 1, last, !last->reversed, &b);
    double distance = hwDistance(a.world, b.world);
    bool taut = distance > 0.9999 * length || Or(deck->gravity, 1.0) == 0.0;
    if (pieces.list == NULL) return false;
    if (distance > MOST_STRETCHED * length) return FailStretched(deck, first, length, distance);
    if (HasNodes(deck, cable)) {
        WriteSnapshot(deck, cable, file);
    } else if (deck->settle <= 0.0 && first->next >= 0) {
        return WritePlaced(&pieces, cable);
    } else if (distance > 1.05 * length) {
        hwMoordyn_Warn(deck, first->line, 0, "%s begins stretched by %.0f %%", name,
                       100.0 * (distance / length - 1.0));
        WriteStretched(&pieces, a.world, b.world);
    } else {
        fprintf(file, "    shape: %s\n", taut ? "straight" : "catenary");
    }
    return true;
}

bool hwMoordyn_WriteScene(hwMoordynDeck* deck, char** scene, size_t* size) {
    *scene = NULL;
    hwMoordyn_JoinLines(deck);
    FILE* memory = open_memstream(scene, size);
    if (memory == NULL) return hwSceneFail_Memory(deck->error) == HW_OK;
    bool settle = !(deck->settle <= 0.0);
    fprintf(memory,
            "# Converted from %s\nhawser: 1\nduration: 60   # the file does not say how long to run\n"
            "output: {interval: %.10g}\nstart: {statics: %s}%s\n\n",
            deck->input, deck->interval > 0.0 ? deck->interval : 0.05, settle ? "true" : "false",
            settle ? "   # false: from the positions given" : "   # TmaxIC is 0: from the positions given");
    WriteEnvironment(deck, memory);
    fprintf(memory, "\ncontact: {off: true}   # as in MoorDyn, lines touch the bottom and nothing else\n");
    bool good = WriteBodies(deck, memory) && WriteMechanisms(deck, memory);
    for (int i = 0; good && i < deck->lineCount; i++) {
        if (i == 0) fprintf(memory, "\ncables:\n");
        if (deck->lines[i].cable == i) good = WriteCable(deck, i, memory);
    }
    if (fclose(memory) != 0) good = hwSceneFail_Memory(deck->error) == HW_OK;
    if (!good) {
        free(*scene);
        *scene = NULL;
    }
    return good;
}
