// Saved actions: what a vehicle did, noted while it is flown, written as a pilot's script that can be read, edited and flown again.
//
// A script says where to go, not how the sticks were held: flown again in another current, or from another place, it still ends
// where it should. The way is simplified as a function of time (Ramer 1972, Douglas and Peucker 1973, with the distance between
// what was and what a straight, even motion between the kept moments would have been at the same instant), so that stops are kept
// as well as corners. What the joints of arms were told, by joint or by the tip, is a path like that of the vehicle and simplified
// with it: a hand goes round corners as it went, and closes when it is there.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "live_internal.h"

#include "hawser/elementary.h"
#include "hawser/pilot.h"
#include "hawser/vehicle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACTION_COOKIE 0x48571a0
#define NAME_SIZE 128
#define MOST_SAMPLES 1000000 // more than a day
#define SETTLED 3            // looks after which an input that was moved counts as left alone
#define MOST_TURN 1.5    // rad of heading in one way to go: further, the short way round would not be certain
#define LEAST_HOLD 0.5   // s: shorter rests are not written
#define LEAST_JOINT 1e-4 // rad or m: less is no motion
#define LEAST_STICK 0.2  // sticks that were held less are lifted to this: the way must be finished

typedef struct Sample {
    double time;
    hwVec3 position;
    double heading; // rad, counted on through whole turns
    double stick;   // 0..1, largest of the sticks
    int mode;
    bool kept; // the script goes through here
} Sample;

typedef struct Change {
    size_t sample; // before which it was done
    int input;
    double value;
} Change;

// What a joint is told, from look to look.
typedef struct JointPath {
    int input, q; // target and displacement
    bool slides;
    char name[NAME_SIZE]; // of the input, after the vehicle's own name
} JointPath;

typedef struct Watched {
    int input;
    double value, told; // as last seen, as last noted
    int quiet;          // looks since it moved
} Watched;

struct hwActionNotes {
    char vehicle[64];
    int sticks[4], armed, mode, gain;
    int position[3], heading;
    int watchedCount;
    Watched* watched;
    char (*names)[NAME_SIZE]; // of the watched, after the vehicle's own name
    int pathCount;
    JointPath* paths;
    size_t count, capacity;
    Sample* samples;
    size_t valueCapacity;
    double* values; // of each path in each sample
    size_t changeCount, changeCapacity;
    Change* changes;
};

hwActionOptions hwDefaultActionOptions(void) {
    return (hwActionOptions){
        .within = 0.3, .angle = 0.1, .joint = 0.01, .slide = 0.001, .cookie = ACTION_COOKIE};
}

static bool Find(const hwWorld* world, const char* vehicle, const char* name, bool input, int* index,
                 hwError* error) {
    char text[200];
    snprintf(text, sizeof(text), "%s.%s", vehicle, name);
    *index = input ? hwWorld_FindInput(world, text) : hwWorld_FindChannel(world, text);
    if (*index >= 0) return true;
    char message[200];
    snprintf(message, sizeof(message), "there is no vehicle `%.60s` whose actions could be noted", vehicle);
    hwLiveFail(error, HW_ERROR_MODEL, message);
    return false;
}

// What an action holds besides motion: equipment. Sticks, set points and rates of a tool's tip are the motion's causes, dead zones
// and failures are no part of what was done.
static bool IsWatched(const char* name) {
    static const char* const skipped[] = {"pilot.",       "hold.",  "mirror.", "axis.",
                                          "turns.offset", "bypass", "demand.", "thruster["};
    for (size_t i = 0; i < sizeof(skipped) / sizeof(skipped[0]); ++i) {
        if (strncmp(name, skipped[i], strlen(skipped[i])) == 0) return false;
    }
    return strstr(name, ".tool.") == NULL;
}

// The displacement that belongs to the target of a joint with one freedom; -1: the input is none.
static int FindJoint(const hwWorld* world, const char* input) {
    char text[200];
    const char* end = strrchr(input, '.');
    if (end == NULL || strcmp(end, ".target") != 0) return -1;
    snprintf(text, sizeof(text), "%.*s.q", (int)(end - input), input);
    return hwWorld_FindChannel(world, text);
}

static bool FindWatched(hwActionNotes* notes, const hwWorld* world) {
    size_t length = strlen(notes->vehicle);
    int inputs = hwWorld_GetInputCount(world);
    notes->watched = calloc((size_t)inputs + 1, sizeof(*notes->watched));
    notes->names = calloc((size_t)inputs + 1, sizeof(*notes->names));
    notes->paths = calloc((size_t)inputs + 1, sizeof(*notes->paths));
    if (notes->watched == NULL || notes->names == NULL || notes->paths == NULL) return false;
    for (int i = 0; i < inputs; ++i) {
        const char* name = hwWorld_GetInput(world, i).name;
        if (strncmp(name, notes->vehicle, length) != 0 || name[length] != '.' ||
            !IsWatched(name + length + 1) || strlen(name + length) >= NAME_SIZE)
            continue;
        int q = FindJoint(world, name);
        if (q >= 0) {
            JointPath* path = &notes->paths[notes->pathCount++];
            *path =
                (JointPath){.input = i, .q = q, .slides = strcmp(hwWorld_GetInput(world, i).unit, "m") == 0};
            snprintf(path->name, sizeof(path->name), "%s", name + length);
            continue;
        }
        double value = hwWorld_ReadInput(world, i);
        snprintf(notes->names[notes->watchedCount], NAME_SIZE, "%s", name + length);
        notes->watched[notes->watchedCount++] =
            (Watched){.input = i, .value = value, .told = value, .quiet = SETTLED};
    }
    return true;
}

hwActionNotes* hwCreateActionNotes(const hwWorld* world, const char* vehicle, hwError* error) {
    static const char* const sticks[4] = {"pilot.surge", "pilot.sway", "pilot.heave", "pilot.yaw"};
    static const char* const places[3] = {"position.x", "position.y", "position.z"};
    hwActionNotes* notes = calloc(1, sizeof(*notes));
    if (notes == NULL) {
        hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for an action");
        return NULL;
    }
    snprintf(notes->vehicle, sizeof(notes->vehicle), "%s", vehicle);
    bool good = true;
    for (int i = 0; i < 4 && good; ++i)
        good = Find(world, vehicle, sticks[i], true, &notes->sticks[i], error);
    for (int i = 0; i < 3 && good; ++i)
        good = Find(world, vehicle, places[i], false, &notes->position[i], error);
    good = good && Find(world, vehicle, "armed", true, &notes->armed, error) &&
           Find(world, vehicle, "mode", true, &notes->mode, error) &&
           Find(world, vehicle, "gain", true, &notes->gain, error) &&
           Find(world, vehicle, "heading", false, &notes->heading, error);
    if (good && FindWatched(notes, world)) return notes;
    if (good) hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for an action");
    hwDestroyActionNotes(notes);
    return NULL;
}

void hwDestroyActionNotes(hwActionNotes* notes) {
    if (notes == NULL) return;
    free(notes->watched);
    free(notes->names);
    free(notes->paths);
    free(notes->samples);
    free(notes->values);
    free(notes->changes);
    free(notes);
}

double hwActionNotes_GetDuration(const hwActionNotes* notes) {
    return notes->count > 0 ? notes->samples[notes->count - 1].time - notes->samples[0].time : 0.0;
}

// Noting ---------------------------------------------------------------------------------------------------------------

static bool Grow(void** items, size_t* capacity, size_t count, size_t size) {
    if (count < *capacity) return true;
    size_t next = *capacity > 0 ? 2 * *capacity : 256;
    void* more = realloc(*items, next * size);
    if (more == NULL) return false;
    *items = more;
    *capacity = next;
    return true;
}

static bool AddChange(hwActionNotes* notes, Watched* watched, size_t sample) {
    if (!Grow((void**)&notes->changes, &notes->changeCapacity, notes->changeCount, sizeof(Change)))
        return false;
    notes->changes[notes->changeCount++] = (Change){sample, watched->input, watched->value};
    watched->told = watched->value;
    notes->samples[sample].kept = true;
    return true;
}

hwStatus hwActionNotes_Look(hwActionNotes* notes, const hwWorld* world) {
    double time = hwWorld_GetTime(world);
    // after a rewind what came later never was
    while (notes->count > 0 && notes->samples[notes->count - 1].time >= time) notes->count -= 1;
    while (notes->changeCount > 0 && notes->changes[notes->changeCount - 1].sample >= notes->count)
        notes->changeCount -= 1;
    if (notes->count >= MOST_SAMPLES) return HW_ERROR_LIMIT;
    if (!Grow((void**)&notes->samples, &notes->capacity, notes->count, sizeof(Sample)) ||
        (notes->pathCount > 0 && !Grow((void**)&notes->values, &notes->valueCapacity, notes->count,
                                       (size_t)notes->pathCount * sizeof(double))))
        return HW_ERROR_MEMORY;
    Sample sample = {.time = time,
                     .heading = hwWorld_ReadChannel(world, notes->heading),
                     .mode = (int)hwWorld_ReadInput(world, notes->mode)};
    sample.position = hwMakeVec3(hwWorld_ReadChannel(world, notes->position[0]),
                                 hwWorld_ReadChannel(world, notes->position[1]),
                                 hwWorld_ReadChannel(world, notes->position[2]));
    for (int i = 0; i < 4; ++i)
        sample.stick = hwFmax(sample.stick, fabs(hwWorld_ReadInput(world, notes->sticks[i])));
    if (notes->count > 0) {
        const Sample* before = &notes->samples[notes->count - 1];
        sample.heading = before->heading + remainder(sample.heading - before->heading, 2.0 * HW_PI);
    }
    for (int i = 0; i < notes->pathCount; ++i) {
        // a target that nobody has set yet is where the joint is
        double target = hwWorld_ReadInput(world, notes->paths[i].input);
        notes->values[notes->count * (size_t)notes->pathCount + (size_t)i] =
            isfinite(target) ? target : hwWorld_ReadChannel(world, notes->paths[i].q);
    }
    notes->samples[notes->count++] = sample;
    for (int i = 0; i < notes->watchedCount; ++i) {
        Watched* watched = &notes->watched[i];
        double now = hwWorld_ReadInput(world, watched->input);
        watched->quiet = now == watched->value ? watched->quiet + 1 : 0;
        watched->value = now;
        // switches are flipped at once, drives are told where they end
        bool flipped = watched->input == notes->armed || watched->input == notes->mode;
        if (now == watched->told || (!flipped && watched->quiet < SETTLED)) continue;
        size_t at = notes->count - 1;
        if (!flipped) at -= at < SETTLED ? at : (size_t)SETTLED;
        if (!AddChange(notes, watched, at)) return HW_ERROR_MEMORY;
    }
    return HW_OK;
}

// Writing --------------------------------------------------------------------------------------------------------------

static double GetTarget(const hwActionNotes* notes, size_t sample, int path) {
    return notes->values[sample * (size_t)notes->pathCount + (size_t)path];
}

// How far a sample is off the straight and even motion between two others, in units of what is allowed.
static double MeasureDeviation(const hwActionNotes* notes, const hwActionOptions* options, size_t from,
                               size_t to, size_t at) {
    const Sample *a = &notes->samples[from], *b = &notes->samples[to], *s = &notes->samples[at];
    double share = (s->time - a->time) / (b->time - a->time);
    hwVec3 place = hwMulAdd(a->position, share, hwSub(b->position, a->position));
    double heading = a->heading + share * (b->heading - a->heading);
    double off =
        hwFmax(hwDistance(place, s->position) / options->within, fabs(heading - s->heading) / options->angle);
    for (int i = 0; i < notes->pathCount; ++i) {
        double begun = GetTarget(notes, from, i), value = begun + share * (GetTarget(notes, to, i) - begun);
        double most = notes->paths[i].slides ? options->slide : options->joint;
        off = hwFmax(off, fabs(GetTarget(notes, at, i) - value) / most);
    }
    return off;
}

// Marks the samples between two kept ones that are needed; by a stack, since a flight may have many.
static bool Simplify(hwActionNotes* notes, const hwActionOptions* options, size_t from, size_t to) {
    size_t* stack = malloc(2 * (to - from + 1) * sizeof(*stack));
    if (stack == NULL) return false;
    size_t used = 0;
    stack[used++] = from;
    stack[used++] = to;
    while (used > 0) {
        size_t b = stack[--used], a = stack[--used], worst = a;
        double most = 1.0;
        for (size_t i = a + 1; i < b; ++i) {
            double off = MeasureDeviation(notes, options, a, b, i);
            if (off <= most) continue;
            most = off;
            worst = i;
        }
        if (worst == a) continue;
        notes->samples[worst].kept = true;
        stack[used++] = a;
        stack[used++] = worst;
        stack[used++] = worst;
        stack[used++] = b;
    }
    free(stack);
    return true;
}

typedef struct Writer {
    const hwActionNotes* notes;
    const hwActionOptions* options;
    FILE* file;
    hwVec3 origin;
    double heading; // rad, of the frame
    double bow; // rad, as the script has it: turns count from there, so that what is left out does not add up
    int actions;
} Writer;

// A number with three places and no minus zero.
static double Round(double value) {
    return 0.001 * round(1000.0 * value) + 0.0;
}

static double RoundAngle(double radians) {
    return 0.1 * round(1800.0 / HW_PI * remainder(radians, 2.0 * HW_PI)) + 0.0;
}

// Into the script's frame: x ahead, y to port, z up of where the action began, or the world's.
static hwVec3 TurnIn(const Writer* writer, hwVec3 position) {
    if (writer->options->world) return position;
    hwVec3 d = hwSub(position, writer->origin);
    double s = hwSin(writer->heading),
           c = hwCos(writer->heading); // the bow points to (c, -s), port to (s, c)
    return hwMakeVec3(c * d.x - s * d.y, s * d.x + c * d.y, d.z);
}

// Joints that are told something else from one sample to the next go there evenly meanwhile; true: there are such.
static bool PutJoints(Writer* writer, size_t first, size_t last) {
    const hwActionNotes* notes = writer->notes;
    double passed = notes->samples[last].time - notes->samples[first].time;
    bool moved = false;
    for (int i = 0; i < notes->pathCount; ++i) {
        double from = GetTarget(notes, first, i), to = GetTarget(notes, last, i);
        if (fabs(to - from) < LEAST_JOINT) continue;
        fprintf(writer->file, "  - {set: {input: \"%s\", value: %.10g, over: %.10g}}\n", notes->paths[i].name,
                0.1 * LEAST_JOINT * round(to / (0.1 * LEAST_JOINT)) + 0.0, Round(passed));
        writer->actions += 1;
        moved = true;
    }
    return moved;
}

static void PutWay(Writer* writer, size_t first, size_t last, double stick) {
    const Sample *from = &writer->notes->samples[first], *to = &writer->notes->samples[last];
    bool timed = PutJoints(writer, first, last); // what follows must not begin before they are there
    double heading = to->heading - writer->bow, moved = hwDistance(from->position, to->position);
    double passed = to->time - from->time;
    double speed = stick > 0.0 ? hwClamp(0.05 * ceil(20.0 * stick), LEAST_STICK, 1.0) : 0.6;
    double timeout = hwFmax(30.0, ceil(4.0 * passed));
    // in modes that go by themselves, and while nothing moves, time is all there is to keep
    bool itself = from->mode >= HW_MODE_ROUTE;
    bool moves = !itself && (moved > writer->options->within || fabs(heading) > writer->options->angle);
    if (itself) writer->bow = to->heading;
    if (!moves) {
        if (passed < LEAST_HOLD && !timed) return;
        // who keeps its station by itself is let alone
        bool alone = itself || from->mode == HW_MODE_STATION;
        fprintf(writer->file, "  - {%s: %.10g}\n", alone ? "wait" : "hold",
                timed ? Round(passed) : 0.1 * round(10.0 * passed));
    } else if (moved <= writer->options->within) {
        fprintf(writer->file, "  - {turn: {by_deg: %.10g, speed: %.10g, timeout: %.10g}}\n",
                0.1 * round(1800.0 / HW_PI * heading), hwFmin(speed, 0.5), timeout);
    } else {
        hwVec3 place = TurnIn(writer, to->position);
        double bow = writer->options->world ? to->heading : to->heading - writer->heading;
        fprintf(writer->file,
                "  - {go: {to: [%.10g, %.10g, %.10g], heading_deg: %.10g, within: %.10g, speed: %.10g, "
                "timeout: %.10g}}\n",
                Round(place.x), Round(place.y), Round(place.z), RoundAngle(bow),
                Round(writer->options->within), speed, timeout);
    }
    writer->actions += 1;
    if (moves) writer->bow = to->heading;
}

static const char* GetModeName(double mode) {
    static const char* const names[HW_MODE_COUNT] = {"manual", "stabilize",     "depth_hold", "heading_hold",
                                                     "hold",   "altitude_hold", "station",    "route",
                                                     "home",   "unwind"};
    return names[(int)hwClamp(mode, 0.0, HW_MODE_COUNT - 1)];
}

static void PutChange(Writer* writer, const Change* change) {
    const hwActionNotes* notes = writer->notes;
    if (change->input == notes->armed) {
        fprintf(writer->file, "  - {arm: %s}\n", change->value > 0.5 ? "true" : "false");
    } else if (change->input == notes->mode) {
        fprintf(writer->file, "  - {mode: %s}\n", GetModeName(change->value));
    } else if (change->input == notes->gain) {
        fprintf(writer->file, "  - {gain: %.10g}\n", change->value);
    } else {
        for (int i = 0; i < notes->watchedCount; ++i) {
            if (notes->watched[i].input != change->input) continue;
            fprintf(writer->file, "  - {set: {input: \"%s\", value: %.10g}}\n", notes->names[i],
                    change->value);
        }
    }
    writer->actions += 1;
}

// The largest stick between two samples.
static double FindStick(const hwActionNotes* notes, size_t from, size_t to) {
    double stick = 0.0;
    for (size_t i = from; i < to; ++i) stick = hwFmax(stick, notes->samples[i].stick);
    return stick;
}

static void PutActions(Writer* writer) {
    const hwActionNotes* notes = writer->notes;
    size_t last = 0, change = 0;
    for (size_t i = 0; i < notes->count; ++i) {
        bool turned =
            fabs(notes->samples[i].heading - notes->samples[last].heading) > MOST_TURN &&
            hwDistance(notes->samples[i].position, notes->samples[last].position) > writer->options->within;
        if (!notes->samples[i].kept && !turned && i + 1 < notes->count) continue;
        if (i > last) PutWay(writer, last, i, FindStick(notes, last, i));
        for (; change < notes->changeCount && notes->changes[change].sample <= i; ++change)
            PutChange(writer, &notes->changes[change]);
        last = i;
    }
    for (; change < notes->changeCount; ++change) PutChange(writer, &notes->changes[change]);
}

static int CompareChanges(const void* a, const void* b) {
    const Change *x = a, *y = b;
    if (x->sample != y->sample) return x->sample < y->sample ? -1 : 1;
    return x->input < y->input ? -1 : x->input > y->input;
}

// What was still moving when the notes ended.
static bool AddUnsettled(hwActionNotes* notes) {
    for (int i = 0; i < notes->watchedCount; ++i) {
        Watched* watched = &notes->watched[i];
        if (watched->value != watched->told && !AddChange(notes, watched, notes->count - 1)) return false;
    }
    return true;
}

char* hwActionNotes_Write(hwActionNotes* notes, const hwActionOptions* options, hwError* error) {
    if (options == NULL || options->cookie != ACTION_COOKIE || !(options->within > 0.0) ||
        !(options->angle > 0.0) || !(options->joint > 0.0) || !(options->slide > 0.0)) {
        hwLiveFail(error, HW_ERROR_ARGUMENT,
                   "an action is written with options from hwDefaultActionOptions and "
                   "tolerances above zero");
        return NULL;
    }
    if (notes->count < 2) {
        hwLiveFail(error, HW_ERROR_ORDER,
                   "nothing has been noted yet: an action needs some time to be flown");
        return NULL;
    }
    char* text = NULL;
    size_t size = 0;
    FILE* file = open_memstream(&text, &size);
    bool good = file != NULL && AddUnsettled(notes);
    if (good && notes->changeCount > 0)
        qsort(notes->changes, notes->changeCount, sizeof(Change), CompareChanges);
    for (size_t i = 1, last = 0; good && i < notes->count; ++i) {
        if (!notes->samples[i].kept && i + 1 < notes->count) continue;
        good = Simplify(notes, options, last, i);
        last = i;
    }
    if (good) {
        const Sample* first = &notes->samples[0];
        Writer writer = {.notes = notes,
                         .options = options,
                         .file = file,
                         .origin = first->position,
                         .heading = first->heading,
                         .bow = first->heading};
        fprintf(file, "# %.1f s of `%s`; flown again by `hawser fly` or by the trainer's `action` message\n",
                hwActionNotes_GetDuration(notes), notes->vehicle);
        fprintf(file, "hawser_pilot: 1\nframe: %s\nactions:\n", options->world ? "world" : "start");
        PutActions(&writer);
        if (writer.actions == 0)
            fprintf(file, "  - {hold: %.10g}\n", Round(hwActionNotes_GetDuration(notes)));
    }
    if (file != NULL && fclose(file) != 0) good = false;
    if (good) return text;
    free(text);
    hwLiveFail(error, HW_ERROR_MEMORY, "there is not enough memory for an action");
    return NULL;
}
