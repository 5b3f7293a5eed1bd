// Scores of flights from their rows.
#include "base/error.h"
#include "base/memory.h"
#include "hawser/elementary.h"
#include "hawser/lesson.h"
#include "lesson/probe.h"
#include "lesson/route.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LESSON_COOKIE 0x4857102
#define HIT_FORCE 1.0      // N of contact: the hull touches
#define HIT_SPEED 0.3      // m/s, and by how much a hit changes the velocity
#define HIT_COST 5.0       // points
#define GATE_SCORE 49.0    // points at most
#define LEAST_SLACK 0.05   // of the straight distance
#define MOST_SLACK 0.25    // likewise
#define SLACK_DISTANCE 1.0 // m: nearer to the launch slack has no meaning
#define GOOD_TENSION 69.0  // N: half of the forward thrust of a BlueROV2
#define HAUL_RATE 0.02     // m/s
#define HAUL_TIME 2.0      // s: a shorter pull is a mistake noticed
#define BEND_TENSION 10.0  // N: under load
#define RETURN_SCALE 5.0   // m
#define ROUTE_SPACING 0.25 // m
#define ROUTE_POINTS 800   // of either way at most
#define VIEW_NEAR 0.5      // m: the tether's end at the vehicle is no find
#define VIEW_SHAPE 0.5625  // height over width of the picture
#define VIEW_PIECES 4      // points on an element that are looked at
#define MOST_EVENTS 1000

typedef struct Columns {
    int time, position[3], heading, pitch, tilt, zoom, turns, speed, velocity[3], force[3], tension;
    int length, wrap, launch[3], winchRate, winchTension;
    int nodeCount, *nodes; // first of three columns of each node; -1: none
    int* loads;            // tension of the element after each node, or -1
    int* contacts;         // of each node, or -1
    int depth;
} Columns;

typedef struct Progress {
    bool done;
    double held;   // s
    double doneAt; // s since the start
} Progress;

typedef struct State {
    int rows;
    double start, time; // s
    hwVec3 last;
    bool touching, over, complete;
    hwVec3 lastVelocity, metVelocity; // before this row, and before the last touch began; m/s
    bool met;                         // that was in the row before, and no hit so far
    double lastSpeed, metSpeed, mostTurns, lastTurns, mostWrap, hauled;
    double measured, slackTime, viewTime, stationTime, squareTime;
    double completeAt; // s since the start
    int turnRow;       // row at which the way back begins, or -1
    int hits;
    unsigned gates;
    double awareness;
    int probesAsked;
    int eventCount;
    Progress progress[HW_LESSON_MAX_OBJECTIVES]; // last: histories hold those that the lesson has
} State;

struct hwScorer {
    hwLessonDef def;
    Columns columns;
    int conditionColumns[HW_LESSON_MAX_OBJECTIVES][8];
    State state;
    int capacity;
    hwVec3* path;     // one point for each row
    double* tensions; // likewise
    char* history;    // the state before each row
    size_t kept;      // bytes of each
    hwLessonEvent events[MOST_EVENTS];
    hwProbe probes[HW_LESSON_MAX_PROBES];
    hwProbeTruth truths[HW_LESSON_MAX_PROBES];
    double probeTimes[HW_LESSON_MAX_PROBES]; // s since the start, as they happened
    bool answered[HW_LESSON_MAX_PROBES];
    hwProbeAnswer answers[HW_LESSON_MAX_PROBES];
    hwVec3* probeNodes; // of each probe's tether
};

static const char* const g_names[HW_TERM_COUNT] = {
    [HW_TERM_TASK] = "task",     [HW_TERM_TIME] = "time",           [HW_TERM_TURNS] = "turns",
    [HW_TERM_SLACK] = "slack",   [HW_TERM_WRAP] = "wrap",           [HW_TERM_TENSION] = "tension",
    [HW_TERM_RETURN] = "return", [HW_TERM_AWARENESS] = "awareness", [HW_TERM_ERROR] = "error",
};

const char* hwLessonTerm_GetName(hwLessonTerm term) {
    return term >= 0 && term < HW_TERM_COUNT ? g_names[term] : "";
}

const char* hwLessonGate_GetText(unsigned gate) {
    switch (gate) {
    case HW_GATE_PARTED:
        return "The tether parted.";
    case HW_GATE_BENT:
        return "The tether was bent too sharply under load.";
    case HW_GATE_SNAG:
        return "The winch hauled on a snag.";
    case HW_GATE_ABANDONED:
        return "The vehicle was not brought back.";
    default:
        return "";
    }
}

hwLessonDef hwDefaultLessonDef(void) {
    hwLessonDef def = {.vehicle = "rov",
                       .sequence = true,
                       .par = 60.0,
                       .limit = (double)INFINITY,
                       .scale = 1.0,
                       .field = 1.92,
                       .leastBend = 0.2,
                       .passScore = 70.0,
                       .passTask = 1.0,
                       .cookie = LESSON_COOKIE};
    def.weights[HW_TERM_TASK] = 1.0;
    return def;
}

// Making one -----------------------------------------------------------------------------------------------------------

static int FindColumn(int count, const char* const* names, const char* object, const char* quantity) {
    char text[200];
    snprintf(text, sizeof(text), "%s%s%s", object, object[0] != 0 ? "." : "", quantity);
    for (int i = 0; i < count; ++i) {
        if (strcmp(names[i], text) == 0) return i;
    }
    return -1;
}

static bool NeedColumn(int count, const char* const* names, const char* object, const char* quantity,
                       int* column, hwError* error) {
    *column = FindColumn(count, names, object, quantity);
    if (*column >= 0) return true;
    hwFail(error, HW_ERROR_MODEL, NULL, "a lesson needs the channel `%.80s%s%.60s`", object,
           object[0] != 0 ? "." : "", quantity);
    return false;
}

static bool FindVehicle(hwScorer* s, int count, const char* const* names, hwError* error) {
    Columns* c = &s->columns;
    const char* vehicle = s->def.vehicle;
    const struct {
        const char* object;
        const char* quantity;
        int* column;
    } needs[] = {{"world", "time", &c->time},
                 {vehicle, "position.x", &c->position[0]},
                 {vehicle, "position.y", &c->position[1]},
                 {vehicle, "position.z", &c->position[2]},
                 {vehicle, "heading", &c->heading},
                 {vehicle, "pitch", &c->pitch},
                 {vehicle, "turns", &c->turns},
                 {vehicle, "speed", &c->speed},
                 {vehicle, "contact.force.x", &c->force[0]},
                 {vehicle, "contact.force.y", &c->force[1]},
                 {vehicle, "contact.force.z", &c->force[2]}};
    for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); ++i) {
        if (!NeedColumn(count, names, needs[i].object, needs[i].quantity, needs[i].column, error))
            return false;
    }
    for (int i = 0; i < 3; ++i) {
        static const char* const axes[3] = {"velocity.x", "velocity.y", "velocity.z"};
        c->velocity[i] = FindColumn(count, names, vehicle, axes[i]);
    }
    c->depth = FindColumn(count, names, vehicle, "depth");
    c->tilt = FindColumn(count, names, vehicle, "camera.tilt");
    c->zoom = FindColumn(count, names, vehicle, "camera.zoom");
    return true;
}

static bool FindTether(hwScorer* s, int count, const char* const* names, hwError* error) {
    Columns* c = &s->columns;
    c->tension = c->length = c->wrap = c->winchRate = c->winchTension = -1;
    if (s->def.cable == NULL) {
        for (int i = HW_TERM_SLACK; i <= HW_TERM_TENSION; ++i) {
            if (s->def.weights[i] > 0.0) {
                hwFailField(error, HW_ERROR_MODEL, NULL, "weights",
                            "the term `%s` needs a tether, and the lesson names none", g_names[i]);
                return false;
            }
        }
        return true;
    }
    const char* cable = s->def.cable;
    if (!NeedColumn(count, names, s->def.vehicle, "tether.tension", &c->tension, error) ||
        !NeedColumn(count, names, cable, "length", &c->length, error) ||
        !NeedColumn(count, names, cable, "wrap", &c->wrap, error) ||
        !NeedColumn(count, names, cable, "node[0].position.x", &c->launch[0], error) ||
        !NeedColumn(count, names, cable, "node[0].position.y", &c->launch[1], error) ||
        !NeedColumn(count, names, cable, "node[0].position.z", &c->launch[2], error))
        return false;
    if (s->def.winch != NULL && (!NeedColumn(count, names, s->def.winch, "rate", &c->winchRate, error) ||
                                 !NeedColumn(count, names, s->def.winch, "tension", &c->winchTension, error)))
        return false;
    while (c->nodeCount < count) {
        char text[60];
        snprintf(text, sizeof(text), "node[%d].position.x", c->nodeCount);
        int column = FindColumn(count, names, cable, text);
        if (column < 0 || column + 2 >= count) break;
        snprintf(text, sizeof(text), "element[%d].tension", c->nodeCount);
        c->loads[c->nodeCount] = FindColumn(count, names, cable, text);
        snprintf(text, sizeof(text), "node[%d].contact", c->nodeCount);
        c->contacts[c->nodeCount] = FindColumn(count, names, cable, text);
        c->nodes[c->nodeCount++] = column;
    }
    return true;
}

static bool FindConditions(hwScorer* s, int count, const char* const* names, hwError* error) {
    for (int i = 0; i < s->def.objectiveCount; ++i) {
        const hwLessonObjective* o = &s->def.objectives[i];
        for (int k = 0; k < o->conditionCount; ++k) {
            s->conditionColumns[i][k] = FindColumn(count, names, "", o->conditions[k].channel);
            if (s->conditionColumns[i][k] >= 0) continue;
            char field[80];
            snprintf(field, sizeof(field), "objectives[%d].conditions[%d].channel", i, k);
            hwFailField(error, HW_ERROR_MODEL, o->name, field, "there is no channel `%.80s`",
                        o->conditions[k].channel);
            return false;
        }
    }
    return true;
}

static bool CheckLesson(const hwLessonDef* def, hwError* error) {
    if (def == NULL || def->cookie != LESSON_COOKIE || def->vehicle == NULL) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "a lesson needs a def from hwDefaultLessonDef and a vehicle");
        return false;
    }
    if (def->objectiveCount < 0 || def->objectiveCount > HW_LESSON_MAX_OBJECTIVES) {
        hwFailField(error, HW_ERROR_LIMIT, NULL, "objectives", "a lesson has at most %d objectives, not %d",
                    HW_LESSON_MAX_OBJECTIVES, def->objectiveCount);
        return false;
    }
    double sum = 0.0;
    for (int i = 0; i < HW_TERM_COUNT; ++i) {
        sum += def->weights[i];
        if (def->weights[i] >= 0.0) continue;
        hwFailField(error, HW_ERROR_ARGUMENT, NULL, "weights", "the weight of `%s` must be at least 0",
                    g_names[i]);
        return false;
    }
    // weights are decimal fractions: their sum is off by rounding only
    if (!(fabs(sum - 1.0) < 1e-9)) {
        hwFailField(error, HW_ERROR_ARGUMENT, NULL, "weights", "the weights must add up to 1, they make %g",
                    sum);
        return false;
    }
    if (def->weights[HW_TERM_ERROR] > 0.0 && def->error == HW_LESSON_ERROR_NONE) {
        hwFailField(error, HW_ERROR_ARGUMENT, NULL, "weights",
                    "the term `error` has a weight, but the lesson does not say what it measures");
        return false;
    }
    bool line = def->error == HW_LESSON_ERROR_CROSS_TRACK || def->error == HW_LESSON_ERROR_STATION;
    if (line && def->pathCount < 1) {
        hwFailField(error, HW_ERROR_ARGUMENT, NULL, "error",
                    "the error of a lesson needs points to be measured from");
        return false;
    }
    if (def->error == HW_LESSON_ERROR_IN_VIEW && def->cable == NULL) {
        hwFailField(error, HW_ERROR_ARGUMENT, NULL, "error",
                    "a tether in view needs a tether, and the lesson names none");
        return false;
    }
    if (!(def->par > 0.0) || !(def->limit > 0.0) || !(def->scale > 0.0)) {
        hwFailField(error, HW_ERROR_ARGUMENT, NULL, "par",
                    "par, limit and scale of a lesson must be above 0");
        return false;
    }
    const hwLessonProbes* probes = &def->probes;
    if (probes->count < 0 || probes->count > HW_LESSON_MAX_PROBES ||
        probes->obstacleCount > HW_LESSON_MAX_OBSTACLES) {
        hwFailField(error, HW_ERROR_LIMIT, NULL, "probes", "a lesson has at most %d probes with %d obstacles",
                    HW_LESSON_MAX_PROBES, HW_LESSON_MAX_OBSTACLES);
        return false;
    }
    bool timed = probes->first >= 0.0 && probes->spacing > 0.0 && probes->spread >= 0.0;
    if (probes->count > 0 && (!timed || probes->questions < 1)) {
        hwFailField(error, HW_ERROR_ARGUMENT, NULL, "probes",
                    "probes need times from 0 on, a spacing above 0 and at least one question");
        return false;
    }
    for (int i = 0; i < def->objectiveCount; ++i) {
        if (def->objectives[i].conditionCount <= 8) continue;
        hwFailField(error, HW_ERROR_LIMIT, def->objectives[i].name, "conditions",
                    "an objective has at most 8 conditions");
        return false;
    }
    return true;
}

static bool PlanProbes(hwScorer* s, hwError* error) {
    if (s->def.probes.count == 0) return true;
    hwProbes_Plan(&s->def.probes, s->def.cable != NULL, s->probes);
    size_t nodes = (size_t)s->columns.nodeCount + 1;
    hwAllocator allocator = hwDefaultAllocator();
    s->probeNodes = hwAllocate(&allocator, (size_t)s->def.probes.count * nodes * sizeof(*s->probeNodes));
    if (s->probeNodes == NULL) hwFail_Memory(error, NULL);
    return s->probeNodes != NULL;
}

hwScorer* hwCreateScorer(const hwLessonDef* def, int channelCount, const char* const* channels,
                         hwError* error) {
    if (!CheckLesson(def, error)) return NULL;
    hwAllocator allocator = hwDefaultAllocator();
    hwScorer* s = hwAllocate(&allocator, sizeof(*s));
    if (s == NULL) {
        hwFail_Memory(error, NULL);
        return NULL;
    }
    s->def = *def;
    s->kept = offsetof(State, progress) + (size_t)def->objectiveCount * sizeof(Progress);
    s->columns.nodes = hwAllocate(&allocator, (size_t)(channelCount + 1) * sizeof(int));
    s->columns.loads = hwAllocate(&allocator, (size_t)(channelCount + 1) * sizeof(int));
    s->columns.contacts = hwAllocate(&allocator, (size_t)(channelCount + 1) * sizeof(int));
    bool memory = s->columns.nodes != NULL && s->columns.loads != NULL && s->columns.contacts != NULL;
    if (!memory) hwFail_Memory(error, NULL);
    if (memory && FindVehicle(s, channelCount, channels, error) &&
        FindTether(s, channelCount, channels, error) && FindConditions(s, channelCount, channels, error) &&
        PlanProbes(s, error)) {
        hwScorer_Reset(s);
        hwClearError(error);
        return s;
    }
    hwDestroyScorer(s);
    return NULL;
}

void hwDestroyScorer(hwScorer* s) {
    if (s == NULL) return;
    hwAllocator allocator = hwDefaultAllocator();
    hwRelease(&allocator, s->columns.nodes);
    hwRelease(&allocator, s->columns.loads);
    hwRelease(&allocator, s->columns.contacts);
    hwRelease(&allocator, s->probeNodes);
    hwRelease(&allocator, s->path);
    hwRelease(&allocator, s->tensions);
    hwRelease(&allocator, s->history);
    hwRelease(&allocator, s);
}

void hwScorer_Reset(hwScorer* s) {
    memset(&s->state, 0, sizeof(s->state));
    s->state.turnRow = -1;
    s->state.awareness = (double)NAN;
    memset(s->answered, 0, sizeof(s->answered));
    for (int i = 0; i < HW_LESSON_MAX_OBJECTIVES; ++i) s->state.progress[i].doneAt = (double)NAN;
}

void hwScorer_SetAwareness(hwScorer* s, double share) {
    s->state.awareness = share;
}

// Rows -----------------------------------------------------------------------------------------------------------------

static void AddEvent(hwScorer* s, hwLessonEventKind kind, int index, double value) {
    if (s->state.eventCount >= MOST_EVENTS) return;
    s->events[s->state.eventCount++] = (hwLessonEvent){s->state.time, kind, index, value};
}

static void AddGate(hwScorer* s, unsigned gate) {
    if ((s->state.gates & gate) != 0) return;
    s->state.gates |= gate;
    AddEvent(s, HW_LESSON_GATE, (int)gate, 0.0);
}

static hwVec3 ReadVector(const double* row, const int columns[3]) {
    return hwMakeVec3(row[columns[0]], row[columns[1]], row[columns[2]]);
}

// A larger copy; null: out of memory.
static void* EnlargeArray(void* old, size_t oldSize, size_t size) {
    hwAllocator allocator = hwDefaultAllocator();
    void* memory = hwAllocate(&allocator, size);
    if (memory != NULL && old != NULL) memcpy(memory, old, oldSize);
    return memory;
}

static bool GrowHistory(hwScorer* s) {
    if (s->state.rows < s->capacity) return true;
    hwAllocator allocator = hwDefaultAllocator();
    size_t old = (size_t)s->capacity, capacity = old > 0 ? 2 * old : 1024;
    hwVec3* path = EnlargeArray(s->path, old * sizeof(*path), capacity * sizeof(*path));
    double* tensions = EnlargeArray(s->tensions, old * sizeof(*tensions), capacity * sizeof(*tensions));
    char* history = EnlargeArray(s->history, old * s->kept, capacity * s->kept);
    bool good = path != NULL && tensions != NULL && history != NULL;
    hwRelease(&allocator, good ? (void*)s->path : path);
    hwRelease(&allocator, good ? (void*)s->tensions : tensions);
    hwRelease(&allocator, good ? s->history : history);
    if (!good) return false;
    s->path = path;
    s->tensions = tensions;
    s->history = history;
    s->capacity = (int)capacity;
    return true;
}

// Smallest angle between two directions.
static double AngleBetween(double a, double b) {
    double d = fmod(fabs(a - b), 2.0 * HW_PI);
    return d > HW_PI ? 2.0 * HW_PI - d : d;
}

static bool GoesThrough(const hwLessonObjective* o, hwVec3 from, hwVec3 to) {
    hwVec3 normal = hwNormalize(o->gateDirection);
    double before = hwDot(hwSub(from, o->gatePosition), normal),
           after = hwDot(hwSub(to, o->gatePosition), normal);
    if (!(before < 0.0) || !(after >= 0.0)) return false;
    hwVec3 crossing = hwMulAdd(from, before / (before - after), hwSub(to, from));
    return hwDistance(crossing, o->gatePosition) <= o->gateRadius;
}

// Horizontally: a sonar's or a camera's vertical opening is wide, and tilt is the pilot's own affair. Headings go clockwise from
// north (x), y is to the west.
static bool LooksAt(const hwLessonObjective* o, hwVec3 position, double heading) {
    hwVec3 way = hwSub(o->lookAt, position);
    double distance = sqrt(way.x * way.x + way.y * way.y);
    return distance >= o->lookNear && distance <= o->lookFar &&
           AngleBetween(hwAtan2(-way.y, way.x), heading) <= o->lookWithin;
}

// A ring with a time to hold begins to count at the crossing; its other parts must go on to hold.
static bool ConditionHolds(const hwScorer* s, int index, const double* row, hwVec3 position) {
    const hwLessonObjective* o = &s->def.objectives[index];
    if (o->zone && !(hwDistance(position, o->position) <= o->radius)) return false;
    if (o->gate && s->state.progress[index].held <= 0.0 &&
        (s->state.rows == 0 || !GoesThrough(o, s->state.last, position)))
        return false;
    if (o->look && !LooksAt(o, position, row[s->columns.heading])) return false;
    if (!isnan(o->heading) && !(AngleBetween(row[s->columns.heading], o->heading) <= o->headingWithin))
        return false;
    for (int i = 0; i < o->conditionCount; ++i) {
        double value = row[s->conditionColumns[index][i]];
        if (!(value >= o->conditions[i].above && value <= o->conditions[i].below)) return false;
    }
    return true;
}

static bool TryObjective(hwScorer* s, int index, const double* row, hwVec3 position, double passed) {
    Progress* p = &s->state.progress[index];
    if (p->done) return true;
    if (!ConditionHolds(s, index, row, position)) {
        p->held = 0.0;
        return false;
    }
    // the first row of a hold counts from now on
    double hold = s->def.objectives[index].hold;
    p->held = p->held > 0.0 ? p->held + passed : 1e-9;
    if (p->held + 1e-9 < hold) return false;
    p->done = true;
    p->doneAt = s->state.time - s->state.start;
    if (s->def.objectives[index].turn) s->state.turnRow = s->state.rows;
    AddEvent(s, HW_LESSON_DONE, index, p->doneAt);
    return true;
}

static void FollowObjectives(hwScorer* s, const double* row, hwVec3 position, double passed) {
    bool all = true;
    for (int i = 0; i < s->def.objectiveCount; ++i) {
        bool before = s->state.progress[i].done;
        bool done = TryObjective(s, i, row, position, passed);
        all = all && done;
        // one after another: the next begins with the next row
        if (s->def.sequence && (!done || !before)) {
            all = done && i + 1 == s->def.objectiveCount;
            break;
        }
    }
    if (!all || s->def.objectiveCount == 0) return;
    s->state.complete = s->state.over = true;
    s->state.completeAt = s->state.time - s->state.start;
    AddEvent(s, HW_LESSON_COMPLETE, 0, s->state.completeAt);
}

// Whether what the hull met changed its velocity at once: who lies against something that goes along, as in a cage, or slides along
// something, has not hit it. Rows may come in the midst of a blow, so that the next one counts too.
static bool IsHit(const hwScorer* s, hwVec3 velocity, hwVec3 before, double speed) {
    if (!(speed > HIT_SPEED)) return false;
    return s->columns.velocity[0] < 0 || hwDistance(velocity, before) > HIT_SPEED;
}

static void FollowHull(hwScorer* s, const double* row) {
    State* now = &s->state;
    bool touching = hwLength(ReadVector(row, s->columns.force)) > HIT_FORCE;
    bool begins = touching && !now->touching;
    hwVec3 velocity = {0};
    if (s->columns.velocity[0] >= 0) velocity = ReadVector(row, s->columns.velocity);
    if (begins) {
        now->metVelocity = now->lastVelocity;
        now->metSpeed = now->lastSpeed;
    }
    bool hit = (begins || now->met) && IsHit(s, velocity, now->metVelocity, now->metSpeed);
    if (hit) {
        now->hits += 1;
        AddEvent(s, HW_LESSON_HIT, now->hits, now->metSpeed);
    }
    now->met = begins && !hit;
    now->touching = touching;
    now->lastVelocity = velocity;
    now->lastSpeed = row[s->columns.speed];
    now->lastTurns = row[s->columns.turns];
    now->mostTurns = hwFmax(now->mostTurns, fabs(now->lastTurns));
}

// Diameter of the circle through three nodes; infinite on a straight line.
static double BendDiameter(hwVec3 a, hwVec3 b, hwVec3 c) {
    double area = hwLength(hwCross(hwSub(b, a), hwSub(c, a)));
    double sides = hwDistance(a, b) * hwDistance(b, c) * hwDistance(c, a);
    return area > 0.0 ? sides / area : (double)INFINITY;
}

static hwVec3 ReadNode(const double* row, int column) {
    return hwMakeVec3(row[column], row[column + 1], row[column + 2]);
}

static void FollowBend(hwScorer* s, const double* row) {
    const Columns* c = &s->columns;
    for (int i = 1; i + 1 < c->nodeCount; ++i) {
        if (c->loads[i] < 0 || !(row[c->loads[i]] > BEND_TENSION)) continue;
        double bend = BendDiameter(ReadNode(row, c->nodes[i - 1]), ReadNode(row, c->nodes[i]),
                                   ReadNode(row, c->nodes[i + 1]));
        if (bend < s->def.leastBend) AddGate(s, HW_GATE_BENT);
    }
}

static bool IsInView(const hwScorer* s, const double* row, hwVec3 camera, hwVec3 point) {
    const Columns* c = &s->columns;
    double heading = row[c->heading], up = row[c->pitch] + (c->tilt >= 0 ? row[c->tilt] : 0.0);
    double sh = hwSin(heading), ch = hwCos(heading), su = hwSin(up), cu = hwCos(up);
    hwVec3 away = hwSub(point, camera);
    double range = hwLength(away);
    if (!(range > VIEW_NEAR && range <= s->def.scale)) return false;
    double ahead = hwDot(away, hwMakeVec3(ch * cu, -sh * cu, su));
    double aside = hwDot(away, hwMakeVec3(-sh, -ch, 0.0));
    double above = hwDot(away, hwMakeVec3(-ch * su, sh * su, cu));
    double zoom = c->zoom >= 0 && row[c->zoom] > 1.0 ? row[c->zoom] : 1.0;
    double wide = hwTan(0.5 * s->def.field) / zoom;
    return ahead > 0.0 && fabs(aside) <= ahead * wide && fabs(above) <= ahead * wide * VIEW_SHAPE;
}

static bool SeesTether(const hwScorer* s, const double* row, hwVec3 camera) {
    const Columns* c = &s->columns;
    for (int i = 0; i + 1 < c->nodeCount; ++i) {
        hwVec3 a = ReadNode(row, c->nodes[i]), b = ReadNode(row, c->nodes[i + 1]);
        if (!hwIsFiniteVec3(a) || !hwIsFiniteVec3(b)) continue;
        for (int k = 0; k < VIEW_PIECES; ++k) {
            hwVec3 point = hwMulAdd(a, (double)k / VIEW_PIECES, hwSub(b, a));
            if (IsInView(s, row, camera, point)) return true;
        }
    }
    return false;
}

static void FollowTether(hwScorer* s, const double* row, hwVec3 position, double passed) {
    const Columns* c = &s->columns;
    if (c->tension < 0) return;
    double tension = row[c->tension];
    if (isnan(tension)) AddGate(s, HW_GATE_PARTED);
    s->tensions[s->state.rows] = isnan(tension) ? 0.0 : tension;
    s->state.mostWrap = hwFmax(s->state.mostWrap, row[c->wrap]);
    double straight = hwDistance(ReadVector(row, c->launch), position);
    double slack = row[c->length] / straight - 1.0;
    bool good = straight < SLACK_DISTANCE || (slack >= LEAST_SLACK && slack <= MOST_SLACK);
    if (good) s->state.slackTime += passed;
    if (c->winchRate >= 0) {
        bool hauling = row[c->winchRate] < -HAUL_RATE && row[c->winchTension] > GOOD_TENSION;
        s->state.hauled = hauling ? s->state.hauled + passed : 0.0;
        if (s->state.hauled > HAUL_TIME) AddGate(s, HW_GATE_SNAG);
    }
    FollowBend(s, row);
}

static void FollowError(hwScorer* s, const double* row, hwVec3 position, double passed) {
    switch (s->def.error) {
    case HW_LESSON_ERROR_CROSS_TRACK: {
        double away = hwRoute_GetDistance(s->def.pathCount, s->def.path, position);
        s->state.squareTime += passed * away * away;
        break;
    }
    case HW_LESSON_ERROR_STATION:
        if (hwDistance(position, s->def.path[0]) <= s->def.scale) s->state.stationTime += passed;
        break;
    case HW_LESSON_ERROR_IN_VIEW:
        if (SeesTether(s, row, position)) s->state.viewTime += passed;
        break;
    case HW_LESSON_ERROR_NONE:
    case HW_LESSON_ERROR_STEPS:
        break;
    }
}

// Keeps what is so at a freeze that has come.
static void FollowProbes(hwScorer* s, const double* row, hwVec3 position) {
    State* state = &s->state;
    const Columns* c = &s->columns;
    double passed = state->time - state->start;
    int k = state->probesAsked;
    if (k >= s->def.probes.count || passed < s->probes[k].time - 1e-9) return;
    state->probesAsked += 1;
    s->probeTimes[k] = passed;
    hwVec3* nodes = s->probeNodes + (size_t)k * (size_t)(c->nodeCount + 1);
    hwProbeTruth* truth = &s->truths[k];
    *truth = (hwProbeTruth){.depth = c->depth >= 0 ? row[c->depth] : -position.z,
                            .heading = row[c->heading],
                            .turns = row[c->turns],
                            .length = c->length >= 0 ? row[c->length] : 0.0,
                            .position = position,
                            .launch = position,
                            .nodes = nodes};
    for (int i = 0; i < c->nodeCount; ++i) {
        hwVec3 node = ReadNode(row, c->nodes[i]);
        if (!hwIsFiniteVec3(node)) continue; // on the drum
        nodes[truth->nodeCount++] = node;
        truth->touches = truth->touches || (c->contacts[i] >= 0 && row[c->contacts[i]] > 0.5);
    }
    if (truth->nodeCount > 0) truth->launch = nodes[0];
}

hwStatus hwScorer_AddRow(hwScorer* s, const double* row) {
    State* state = &s->state;
    if (state->over) return HW_OK;
    if (!GrowHistory(s)) return HW_ERROR_MEMORY;
    memcpy(s->history + (size_t)state->rows * s->kept, state, s->kept);
    double time = row[s->columns.time];
    hwVec3 position = ReadVector(row, s->columns.position);
    if (state->rows == 0) state->start = state->time = time;
    double passed = time - state->time;
    state->time = time;
    state->measured += passed;
    s->path[state->rows] = position;
    s->tensions[state->rows] = 0.0;
    FollowHull(s, row);
    FollowTether(s, row, position, passed);
    FollowError(s, row, position, passed);
    FollowObjectives(s, row, position, passed);
    state->last = position;
    state->rows += 1;
    if (!state->over) FollowProbes(s, row, position);
    if (!state->over && time - state->start >= s->def.limit - 1e-9) {
        state->over = true;
        AddEvent(s, HW_LESSON_EXPIRED, 0, s->def.limit);
    }
    return HW_OK;
}

void hwScorer_Rewind(hwScorer* s, double time) {
    double awareness = s->state.awareness;
    while (s->state.rows > 0 && s->state.time > time)
        memcpy(&s->state, s->history + (size_t)(s->state.rows - 1) * s->kept, s->kept);
    s->state.awareness = awareness;
    for (int k = s->state.probesAsked; k < HW_LESSON_MAX_PROBES; ++k) s->answered[k] = false;
}

// Probes ---------------------------------------------------------------------------------------------------------------

hwProbeAnswer hwDefaultProbeAnswer(void) {
    hwProbeAnswer answer = {.confidence = (double)NAN};
    for (int i = 0; i < HW_PROBE_ITEM_COUNT; ++i) answer.values[i] = (double)NAN;
    return answer;
}

int hwScorer_GetDueProbe(const hwScorer* s) {
    int last = s->state.probesAsked - 1;
    // only the newest: one that was passed over is not asked any more
    return last >= 0 && !s->answered[last] && s->state.time - s->state.start <= s->probeTimes[last] ? last
                                                                                                    : -1;
}

hwStatus hwScorer_AnswerProbe(hwScorer* s, int probe, const hwProbeAnswer* answer) {
    bool fits = answer != NULL && answer->planCount >= 0 && answer->planCount <= HW_PROBE_MAX_POINTS &&
                answer->elevationCount >= 0 && answer->elevationCount <= HW_PROBE_MAX_POINTS;
    if (probe < 0 || probe >= s->def.probes.count || !fits) return HW_ERROR_ARGUMENT;
    s->answers[probe] = *answer;
    s->answered[probe] = true;
    return HW_OK;
}

bool hwScorer_GetProbe(const hwScorer* s, int k, hwProbeResult* result) {
    memset(result, 0, sizeof(*result));
    if (k < 0 || k >= s->def.probes.count) return false;
    result->probe = s->probes[k];
    result->asked = k < s->state.probesAsked;
    result->answered = result->asked && s->answered[k];
    result->time = result->asked ? s->probeTimes[k] : s->probes[k].time;
    result->answer = result->answered ? s->answers[k] : hwDefaultProbeAnswer();
    double sums[3] = {0.0, 0.0, 0.0};
    int counts[3] = {0, 0, 0};
    for (int i = 0; i < HW_PROBE_ITEM_COUNT; ++i) {
        result->points[i] = (double)NAN;
        result->truth[i] =
            result->asked ? hwProbe_GetTruth(&s->def.probes, &s->truths[k], (hwProbeItem)i) : (double)NAN;
    }
    for (int i = 0; i < result->probe.itemCount && result->asked; ++i) {
        hwProbeItem item = result->probe.items[i];
        int level = hwProbeItem_GetLevel(item) - 1;
        result->points[item] =
            result->answered ? hwProbe_Judge(&s->def.probes, &s->truths[k], item, &result->answer) : 0.0;
        sums[level] += result->points[item];
        counts[level] += 1;
    }
    for (int i = 0; i < 3; ++i) result->levels[i] = counts[i] > 0 ? sums[i] / counts[i] : (double)NAN;
    return true;
}

// A = 0.3 L1 + 0.4 L2 + 0.3 L3, each the mean of its items over all freezes that happened; what was not asked leaves its
// weight to the others. NaN: there was no freeze.
static double GetAwareness(const hwScorer* s) {
    static const double weights[3] = {0.3, 0.4, 0.3};
    if (s->def.probes.count == 0) return s->state.awareness;
    double sums[3] = {0.0, 0.0, 0.0}, sum = 0.0, weight = 0.0;
    int counts[3] = {0, 0, 0};
    for (int k = 0; k < s->state.probesAsked; ++k) {
        hwProbeResult result;
        hwScorer_GetProbe(s, k, &result);
        for (int i = 0; i < result.probe.itemCount; ++i) {
            int level = hwProbeItem_GetLevel(result.probe.items[i]) - 1;
            sums[level] += result.points[result.probe.items[i]];
            counts[level] += 1;
        }
    }
    for (int i = 0; i < 3; ++i) {
        if (counts[i] == 0) continue;
        sum += weights[i] * sums[i] / counts[i];
        weight += weights[i];
    }
    return weight > 0.0 ? sum / weight : (double)NAN;
}

const hwLessonEvent* hwScorer_GetEvents(const hwScorer* s, int* count) {
    *count = s->state.eventCount;
    return s->events;
}

// The score ------------------------------------------------------------------------------------------------------------

static double LimitShare(double x) {
    return hwFmin(hwFmax(x, 0.0), 1.0);
}

static int CompareNumbers(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The tension that 95 % of the rows do not exceed.
static double FindTension95(const hwScorer* s) {
    int count = s->state.rows;
    if (count == 0) return 0.0;
    hwAllocator allocator = hwDefaultAllocator();
    double* sorted = hwAllocate(&allocator, (size_t)count * sizeof(*sorted));
    if (sorted == NULL) return (double)NAN;
    memcpy(sorted, s->tensions, (size_t)count * sizeof(*sorted));
    qsort(sorted, (size_t)count, sizeof(*sorted), CompareNumbers);
    double value = sorted[(count - 1) * 95 / 100];
    hwRelease(&allocator, sorted);
    return value;
}

// The way back begins where the lesson says, or farthest from the start.
static int FindTurn(const hwScorer* s) {
    if (s->state.turnRow >= 0) return s->state.turnRow;
    int turn = 0;
    for (int i = 1; i < s->state.rows; ++i) {
        if (hwDistance(s->path[i], s->path[0]) > hwDistance(s->path[turn], s->path[0])) turn = i;
    }
    return turn;
}

static double FindReturnDistance(const hwScorer* s) {
    int rows = s->state.rows, turn = FindTurn(s);
    if (rows < 2) return 0.0;
    hwAllocator allocator = hwDefaultAllocator();
    hwVec3* out = hwAllocate(&allocator, ROUTE_POINTS * sizeof(*out));
    hwVec3* back = hwAllocate(&allocator, ROUTE_POINTS * sizeof(*back));
    hwVec3* reversed = hwAllocate(&allocator, (size_t)rows * sizeof(*reversed));
    double distance = (double)NAN;
    if (out != NULL && back != NULL && reversed != NULL) {
        for (int i = turn; i < rows; ++i) reversed[rows - 1 - i] = s->path[i];
        int outCount = hwRoute_Resample(turn + 1, s->path, ROUTE_SPACING, ROUTE_POINTS, out);
        int backCount = hwRoute_Resample(rows - turn, reversed, ROUTE_SPACING, ROUTE_POINTS, back);
        distance = hwFrechetDistance(outCount, out, backCount, back);
    }
    hwRelease(&allocator, out);
    hwRelease(&allocator, back);
    hwRelease(&allocator, reversed);
    return distance;
}

static void CountDone(const hwScorer* s, hwScore* score, int* stepsDone, int* steps) {
    score->current = -1;
    *stepsDone = *steps = 0;
    for (int i = 0; i < HW_LESSON_MAX_OBJECTIVES; ++i) score->doneAt[i] = s->state.progress[i].doneAt;
    for (int i = 0; i < s->def.objectiveCount; ++i) {
        bool done = s->state.progress[i].done;
        score->done += done;
        *steps += s->def.objectives[i].step;
        *stepsDone += s->def.objectives[i].step && done;
        if (!done && score->current < 0) {
            score->current = i;
            score->holding = s->state.progress[i].held;
        }
    }
}

static void JudgeError(const hwScorer* s, int stepsDone, int steps, hwScore* score) {
    const State* state = &s->state;
    double time = hwFmax(state->measured, 1e-9), measure = 0.0, term = (double)NAN;
    switch (s->def.error) {
    case HW_LESSON_ERROR_NONE:
        measure = (double)NAN;
        break;
    case HW_LESSON_ERROR_CROSS_TRACK:
        measure = sqrt(state->squareTime / time);
        term = 1.0 - measure / s->def.scale;
        break;
    case HW_LESSON_ERROR_STATION:
        term = measure = state->stationTime / time;
        break;
    case HW_LESSON_ERROR_IN_VIEW:
        term = measure = state->viewTime / time;
        break;
    case HW_LESSON_ERROR_STEPS:
        measure = stepsDone;
        term = steps > 0 ? (double)stepsDone / steps : 0.0;
        break;
    }
    score->measures[HW_TERM_ERROR] = measure;
    score->terms[HW_TERM_ERROR] = isnan(term) ? term : LimitShare(term);
}

static void JudgeTether(const hwScorer* s, hwScore* score) {
    for (int i = HW_TERM_SLACK; i <= HW_TERM_TENSION; ++i) score->terms[i] = score->measures[i] = (double)NAN;
    if (s->columns.tension < 0) return;
    const State* state = &s->state;
    double slack = state->slackTime / hwFmax(state->measured, 1e-9), tension = FindTension95(s);
    score->measures[HW_TERM_SLACK] = slack;
    score->terms[HW_TERM_SLACK] = LimitShare(slack);
    score->measures[HW_TERM_WRAP] = state->mostWrap;
    score->terms[HW_TERM_WRAP] = LimitShare(1.0 - state->mostWrap / (2.0 * HW_PI));
    score->measures[HW_TERM_TENSION] = tension;
    score->terms[HW_TERM_TENSION] = LimitShare(1.0 - hwFmax(0.0, tension - GOOD_TENSION) / GOOD_TENSION);
}

static void JudgeRest(const hwScorer* s, int tasksDone, int tasks, hwScore* score) {
    const State* state = &s->state;
    double* terms = score->terms;
    score->measures[HW_TERM_TASK] = tasksDone;
    terms[HW_TERM_TASK] = tasks > 0 ? (double)tasksDone / tasks : 1.0;
    score->measures[HW_TERM_TIME] = score->time;
    // who gives up early was not fast
    terms[HW_TERM_TIME] =
        state->complete ? LimitShare(1.0 - hwFmax(0.0, score->time - s->def.par) / s->def.par) : 0.0;
    score->measures[HW_TERM_TURNS] = state->mostTurns;
    terms[HW_TERM_TURNS] = LimitShare(1.0 - hwFmax(0.0, state->mostTurns - 1.0) / 3.0);
    if (fabs(state->lastTurns) > 0.5) terms[HW_TERM_TURNS] *= 0.5;
    bool wanted = s->def.weights[HW_TERM_RETURN] > 0.0;
    score->measures[HW_TERM_RETURN] = wanted ? FindReturnDistance(s) : (double)NAN;
    terms[HW_TERM_RETURN] =
        wanted ? LimitShare(1.0 - score->measures[HW_TERM_RETURN] / RETURN_SCALE) : (double)NAN;
    score->measures[HW_TERM_AWARENESS] = terms[HW_TERM_AWARENESS] = GetAwareness(s);
}

void hwScorer_GetScore(const hwScorer* s, hwScore* score) {
    const State* state = &s->state;
    memset(score, 0, sizeof(*score));
    score->complete = state->complete;
    score->over = state->over;
    score->time = state->complete ? state->completeAt : state->time - state->start;
    score->hits = state->hits;
    score->gates = state->gates;
    int steps, stepsDone;
    CountDone(s, score, &stepsDone, &steps);
    JudgeRest(s, score->done - stepsDone, s->def.objectiveCount - steps, score);
    JudgeTether(s, score);
    JudgeError(s, stepsDone, steps, score);
    bool away = s->def.recover &&
                (state->rows == 0 || hwDistance(state->last, s->def.recoverPosition) > s->def.recoverRadius);
    if (away) score->gates |= HW_GATE_ABANDONED;
    double sum = 0.0;
    for (int i = 0; i < HW_TERM_COUNT; ++i) {
        // what was not measured earns nothing
        if (s->def.weights[i] > 0.0 && !isnan(score->terms[i])) sum += s->def.weights[i] * score->terms[i];
    }
    score->score = hwFmax(100.0 * sum - HIT_COST * state->hits, 0.0);
    if (score->gates != 0) score->score = hwFmin(score->score, GATE_SCORE);
    // decimal weights leave the last digit to rounding
    score->passed = score->gates == 0 && score->score >= s->def.passScore - 1e-9 &&
                    score->terms[HW_TERM_TASK] >= s->def.passTask - 1e-9;
}
