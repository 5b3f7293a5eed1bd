// Instruments: objects, and in a running world looks, samples, delays and channels.
#include "parts/instruments/instruments.h"

#include "base/hash.h"
#include "record/channels.h"
#include "world/cable_slots.h"
#include "world/part.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define LOOK_INTERVAL 0.017 // s between looks at most: just over 1/60, so that frames of 1/60 s are not cut
#define MOST_UNDER_WAY 4096 // samples of one instrument

// Objects --------------------------------------------------------------------------------------------------------------

hwInstrumentDef hwDefaultInstrumentDef(void) {
    hwInstrumentDef def = {.attitude = {1.0, 0.0, 0.0, 0.0},
                           .rate = 10.0,
                           .noise = {.time = (double)INFINITY},
                           .second = {.time = (double)INFINITY},
                           .atmosphere = 101325.0,
                           .field = 50e-6,
                           .inclination = 70.0 * HW_DEGREE,
                           .beamAngle = 22.5 * HW_DEGREE,
                           .least = 0.05,
                           .most = 50.0,
                           .steepest = 60.0 * HW_DEGREE,
                           .soundSpeed = 1500.0,
                           .cookie = HW_INSTRUMENT_COOKIE};
    return def;
}

static hwInstrumentObject* GetInstrument(const hwWorld* world, hwInstrumentId id) {
    return hwPool_Get(&world->instruments, id.index, id.generation);
}

hwInstrumentId hwWorld_FindInstrument(const hwWorld* world, const char* name) {
    hwInstrumentId none = {0, 0};
    if (name == NULL) return none;
    for (int i = 0; i < world->instruments.slots; ++i) {
        const hwInstrumentObject* object = world->instruments.items[i];
        if (object != NULL && strcmp(object->def.name, name) == 0) return object->id;
    }
    return none;
}

static hwStatus RefuseInstrument(const hwInstrumentDef* def, hwError* error, const char* field,
                                 const char* text) {
    return hwFailField(error, HW_ERROR_ARGUMENT, def->name, field, "%s: %s", def->name, text);
}

// A name of its own, or `body.name` with the body that carries it.
static hwStatus CheckName(const hwWorld* world, const hwInstrumentDef* def, hwError* error) {
    const char* dot = def->name != NULL ? strchr(def->name, '.') : NULL;
    if (dot == NULL) {
        hwStatus status = hwWorld_CheckName(world, def->name, error);
        if (status != HW_OK) return status;
    } else {
        const char* body = hwBody_GetName(world, def->body);
        size_t length = (size_t)(dot - def->name);
        if (strlen(def->name) >= sizeof(((hwError*)0)->object))
            return hwFailField(error, HW_ERROR_ARGUMENT, NULL, "name",
                               "the name of an instrument is too long");
        if (strlen(body) != length || strncmp(body, def->name, length) != 0 || dot[1] == 0)
            return RefuseInstrument(def, error, "name",
                                    "before the dot stands the name of the body that carries it");
        for (const char* c = dot + 1; *c != 0; ++c) {
            if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
                return RefuseInstrument(def, error, "name",
                                        "letters, digits, `_` and `-` are allowed after the dot");
        }
    }
    if (HW_IS_NULL(hwWorld_FindInstrument(world, def->name))) return HW_OK;
    return RefuseInstrument(def, error, "name", "there is already an instrument of this name");
}

static bool IsGoodNoise(const hwNoiseDef* noise) {
    const double numbers[5] = {noise->sigma, noise->density, noise->bias, noise->walk, noise->resolution};
    for (int i = 0; i < 5; ++i) {
        if (!(numbers[i] >= 0.0) || !isfinite(numbers[i])) return false;
    }
    return noise->time > 0.0;
}

static hwStatus CheckNumbers(const hwInstrumentDef* def, hwError* error) {
    if (!(def->rate > 0.0) || !(def->rate <= 1e5))
        return RefuseInstrument(def, error, "rate", "its rate is above 0 and at most 100000 Hz");
    if (!(def->latency >= 0.0) || !(def->latency <= 60.0))
        return RefuseInstrument(def, error, "latency", "its latency is from 0 to 60 s");
    if (!(def->dropout >= 0.0) || !(def->dropout <= 1.0))
        return RefuseInstrument(def, error, "dropout", "its dropout is from 0 to 1");
    if (!IsGoodNoise(&def->noise) || !IsGoodNoise(&def->second))
        return RefuseInstrument(def, error, "noise",
                                "its noise has no negative numbers, and a positive time");
    if (!hwIsFiniteVec3(def->position) || !hwIsFiniteVec3(def->hardIron) ||
        !hwIsFiniteVec3(def->dipolePosition) || !hwIsFiniteVec3(def->dipoleMoment) ||
        !hwIsFiniteVec3(def->transceiverAt))
        return RefuseInstrument(def, error, "position", "its places and vectors are finite");
    double length = def->attitude.w * def->attitude.w + def->attitude.x * def->attitude.x +
                    def->attitude.y * def->attitude.y + def->attitude.z * def->attitude.z;
    if (!(fabs(length - 1.0) < 1e-6))
        return RefuseInstrument(def, error, "attitude", "its attitude is a unit quaternion");
    if (!(def->beamAngle > 0.0) || !(def->beamAngle < 0.5 * HW_PI) || !(def->beamByRange >= 0.0))
        return RefuseInstrument(def, error, "beamAngle",
                                "its beams are between 0 and 90 degrees from its axis");
    if (!(def->least >= 0.0) || !(def->most > def->least) || !isfinite(def->most))
        return RefuseInstrument(def, error, "most", "its ranges are positive, finite and in order");
    if (!(def->soundSpeed > 0.0) || !(def->steepest > 0.0))
        return RefuseInstrument(def, error, "soundSpeed",
                                "the speed of sound and its steepest angle are positive");
    if (def->latency * def->rate > MOST_UNDER_WAY - 16)
        return RefuseInstrument(def, error, "latency", "more than 4000 samples would be under way at once");
    return HW_OK;
}

static hwStatus CheckInstrument(const hwWorld* world, const hwInstrumentDef* def, hwError* error) {
    hwStatus status = CheckName(world, def, error);
    if (status != HW_OK) return status;
    if ((int)def->kind < 0 || def->kind >= HW_INSTRUMENT_KINDS)
        return RefuseInstrument(def, error, "kind", "there is no such kind of instrument");
    if (def->kind == HW_INSTRUMENT_LOAD_CELL) {
        if (!hwCable_IsValid(world, def->cable) || def->end < 0 || def->end > 1)
            return RefuseInstrument(def, error, "cable",
                                    "a load cell needs a cable of this world, and end 0 or 1");
    } else if (!hwBody_IsValid(world, def->body)) {
        return RefuseInstrument(def, error, "body", "it needs a body of this world that carries it");
    }
    if (def->kind == HW_INSTRUMENT_USBL && !HW_IS_NULL(def->transceiver) &&
        !hwBody_IsValid(world, def->transceiver))
        return RefuseInstrument(def, error, "transceiver",
                                "its transceiver is on a body of this world, or on the earth");
    return CheckNumbers(def, error);
}

static hwInstrumentId KeepInstrument(hwWorld* world, const hwInstrumentDef* def, hwError* error) {
    size_t length = strlen(def->name) + 1;
    hwInstrumentObject* object = hwAllocate(&world->allocator, sizeof(*object) + length);
    uint32_t index = object != NULL ? hwPool_Add(&world->instruments, &world->allocator, object) : 0;
    if (index == 0) {
        hwRelease(&world->allocator, object);
        hwFail_Memory(error, def->name);
        return (hwInstrumentId){0, 0};
    }
    object->def = *def;
    object->def.name = memcpy(object + 1, def->name, length);
    object->id = (hwInstrumentId){index, world->instruments.generations[index - 1]};
    hwWorld_Unprepare(world);
    return object->id;
}

hwInstrumentId hwWorld_AddInstrument(hwWorld* world, const hwInstrumentDef* def, hwError* error) {
    hwClearError(error);
    if (def == NULL || def->cookie != HW_INSTRUMENT_COOKIE) {
        hwFail(error, HW_ERROR_ARGUMENT, NULL, "the instrument def was not made by hwDefaultInstrumentDef");
        return (hwInstrumentId){0, 0};
    }
    if (CheckInstrument(world, def, error) != HW_OK) return (hwInstrumentId){0, 0};
    return KeepInstrument(world, def, error);
}

hwStatus hwWorld_RemoveInstrument(hwWorld* world, hwInstrumentId id, hwError* error) {
    hwClearError(error);
    if (GetInstrument(world, id) == NULL)
        return hwFail(error, HW_ERROR_ARGUMENT, NULL,
                      "the handle does not refer to an instrument of this world");
    hwRelease(&world->allocator, hwPool_Remove(&world->instruments, id.index));
    hwWorld_Unprepare(world);
    return HW_OK;
}

int hwWorld_GetInstruments(const hwWorld* world, int capacity, hwInstrumentId* instruments) {
    int count = 0;
    for (int i = 0; i < world->instruments.slots; ++i) {
        const hwInstrumentObject* object = world->instruments.items[i];
        if (object == NULL) continue;
        if (count < capacity) instruments[count] = object->id;
        count += 1;
    }
    return count;
}

bool hwInstrument_IsValid(const hwWorld* world, hwInstrumentId id) {
    return GetInstrument(world, id) != NULL;
}

const hwInstrumentDef* hwInstrument_GetDef(const hwWorld* world, hwInstrumentId id) {
    const hwInstrumentObject* object = GetInstrument(world, id);
    return object != NULL ? &object->def : NULL;
}

void* hwInstrument_GetUserData(const hwWorld* world, hwInstrumentId id) {
    const hwInstrumentObject* object = GetInstrument(world, id);
    return object != NULL ? object->def.userData : NULL;
}

bool hwInstrument_SetUserData(hwWorld* world, hwInstrumentId id, void* userData) {
    hwInstrumentObject* object = GetInstrument(world, id);
    if (object == NULL) return false;
    object->def.userData = userData;
    return true;
}

static hwStatus CopyInstruments(hwWorld* branch, const hwWorld* world, hwError* error) {
    for (int i = 0; i < world->instruments.slots; ++i) {
        const hwInstrumentObject* object = world->instruments.items[i];
        if (object != NULL && HW_IS_NULL(KeepInstrument(branch, &object->def, error))) return HW_ERROR_MEMORY;
    }
    if (!hwPool_Mirror(&branch->instruments, &world->instruments, &branch->allocator))
        return hwFail_Memory(error, NULL);
    for (int i = 0; i < world->instruments.slots; ++i) {
        if (world->instruments.items[i] == NULL) continue;
        ((hwInstrumentObject*)branch->instruments.items[i])->id =
            ((const hwInstrumentObject*)world->instruments.items[i])->id;
    }
    return HW_OK;
}

// What measures on a body goes with it.
static void DropInstruments(hwWorld* world, hwBodyId body) {
    for (int i = 0; i < world->instruments.slots; ++i) {
        hwInstrumentObject* object = world->instruments.items[i];
        if (object == NULL ||
            (!HW_SAME_ID(object->def.body, body) && !HW_SAME_ID(object->def.transceiver, body)))
            continue;
        hwRelease(&world->allocator, hwPool_Remove(&world->instruments, (uint32_t)i + 1));
    }
}

// The model ------------------------------------------------------------------------------------------------------------

static void LayInstruments(const hwWorld* world, hwArena* arena, hwModel* model) {
    int count = hwWorld_GetInstruments(world, 0, NULL);
    model->instruments->count = count;
    model->instruments->items = HW_TAKE(arena, hwInstrumentEntry, count);
}

static int FindLink(const hwWorld* world, const hwModel* model, hwBodyId body) {
    const hwBodyObject* object = hwWorld_GetBody(world, body);
    return object != NULL ? hwModel_FindLink(model, object) : -1;
}

static void FillInstruments(const hwWorld* world, hwModel* model) {
    int next = 0, samples = 0;
    for (int i = 0; i < world->instruments.slots; ++i) {
        const hwInstrumentObject* object = world->instruments.items[i];
        if (object == NULL) continue;
        hwInstrumentEntry* entry = &model->instruments->items[next++];
        const hwInstrumentDef* def = &object->def;
        double delay = def->latency;
        if (def->kind == HW_INSTRUMENT_USBL) delay += 2.0 * def->most / def->soundSpeed;
        entry->object = object;
        entry->key = hwHash(def->seed, def->name, strlen(def->name));
        entry->link = FindLink(world, model, def->body);
        entry->otherLink = FindLink(world, model, def->transceiver);
        entry->cable = -1;
        for (int slot = 0; slot < model->cables->count; ++slot) {
            if (HW_SAME_ID(model->cables->slots[slot].object->id, def->cable)) entry->cable = slot;
        }
        entry->room = (int)hwFmin(ceil(delay * def->rate) + 2.0, MOST_UNDER_WAY);
        entry->firstSample = samples;
        samples += entry->room;
    }
    model->instruments->sampleCount = samples;
}

// A cable may have been removed under its load cell.
static hwStatus CheckInstruments(const hwWorld* world, hwModel* model, hwError* error) {
    (void)world;
    for (int i = 0; i < model->instruments->count; ++i) {
        const hwInstrumentEntry* entry = &model->instruments->items[i];
        const hwInstrumentDef* def = &entry->object->def;
        if (def->kind == HW_INSTRUMENT_LOAD_CELL ? entry->cable >= 0 : entry->link >= 0) continue;
        return hwFail(error, HW_ERROR_MODEL, def->name, "%s: what it measures is not in the world any more",
                      def->name);
    }
    return HW_OK;
}

static bool HasInstruments(const hwModel* model) {
    return model->instruments->count > 0;
}

static void LayInstrumentStates(const hwModel* model, hwArena* arena, hwState* state) {
    state->instruments->items = HW_TAKE(arena, hwInstrumentState, model->instruments->count);
    state->instruments->samples = HW_TAKE(arena, hwSample, model->instruments->sampleCount);
}

static void CarryInstruments(const hwWorld* world, hwModel* model, hwState* state) {
    for (int i = 0; i < model->instruments->count; ++i) {
        const hwInstrumentEntry* entry = &model->instruments->items[i];
        hwInstrumentState* s = &state->instruments->items[i];
        s->lookTime = s->biasTime = s->goodTime = s->shown.time = (double)NAN;
        for (int k = 0; k < HW_INSTRUMENT_VALUES; ++k) s->shown.values[k] = (double)NAN;
        for (int old = 0; old < world->model.instruments->count; ++old) {
            const hwInstrumentEntry* before = &world->model.instruments->items[old];
            if (before->object != entry->object) continue;
            *s = world->state.instruments->items[old];
            memcpy(state->instruments->samples + entry->firstSample,
                   world->state.instruments->samples + before->firstSample,
                   (size_t)entry->room * sizeof(hwSample));
        }
    }
}

// Running --------------------------------------------------------------------------------------------------------------

static double GetSampleTime(const hwInstrumentDef* def, const hwInstrumentState* s) {
    return s->start + s->taken / def->rate;
}

// All look at once, at a rhythm that frames of 1/60 s keep: a stop for each sample of each instrument would cut steps short.
static double GetNextLook(const hwWorld* world) {
    double next = (double)INFINITY;
    for (int i = 0; i < world->model.instruments->count; ++i)
        next = hwFmin(next, world->state.instruments->items[i].lookTime + LOOK_INTERVAL);
    return next > world->state.header->time ? next : (double)INFINITY;
}

// b' = -b / T + walk w: exactly from one sample to the next.
static void WalkBias(const hwInstrumentEntry* entry, hwInstrumentState* s, uint64_t k, double time) {
    const hwInstrumentDef* def = &entry->object->def;
    for (int i = 0; i < HW_INSTRUMENT_BIASES; ++i) {
        const hwNoiseDef* noise = hwInstrument_GetNoise(def, i);
        if (noise == NULL) continue;
        if (isnan(s->biasTime)) {
            s->bias[i] =
                noise->bias > 0.0 ? noise->bias * hwInstrument_Draw(entry, HW_STREAM_START, 0, i) : 0.0;
            continue;
        }
        double span = time - s->biasTime, keep = 1.0, variance = noise->walk * noise->walk * span;
        if (isfinite(noise->time)) {
            keep = hwExp(-span / noise->time);
            variance = 0.5 * noise->walk * noise->walk * noise->time * (1.0 - keep * keep);
        }
        s->bias[i] *= keep;
        if (variance > 0.0) s->bias[i] += sqrt(variance) * hwInstrument_Draw(entry, HW_STREAM_WALK, k, i);
    }
    s->biasTime = time;
}

static void TakeSample(const hwWorld* world, const hwInstrumentEntry* entry, hwInstrumentState* s,
                       const double* truth, double time) {
    const hwInstrumentDef* def = &entry->object->def;
    uint64_t k = (uint64_t)s->taken;
    hwSample sample;
    memset(&sample, 0, sizeof(sample));
    WalkBias(entry, s, k, time);
    sample.time = time;
    sample.arrival = time + def->latency + hwInstrument_GetDelay(entry, truth);
    bool good = hwInstrument_Measure(world, entry, truth, k, s->bias, sample.values);
    if (def->dropout > 0.0 && hwInstrument_Draw(entry, HW_STREAM_DROPOUT, k, 0) < def->dropout) good = false;
    sample.valid = good ? 1.0 : 0.0;
    s->taken += 1.0;
    if ((int)s->waiting >= entry->room) return; // cannot be: there is room for all that can be under way
    int at = ((int)s->first + (int)s->waiting) % entry->room;
    world->state.instruments->samples[entry->firstSample + at] = sample;
    s->waiting += 1.0;
}

static void ShowSamples(const hwWorld* world, const hwInstrumentEntry* entry, hwInstrumentState* s) {
    const hwSample* samples = world->state.instruments->samples + entry->firstSample;
    while (s->waiting > 0.5 && samples[(int)s->first].arrival <= world->state.header->time) {
        const hwSample* sample = &samples[(int)s->first];
        // what is lost shows in `valid` alone; the values stay
        if (sample->valid > 0.5) {
            s->shown = *sample;
            s->goodTime = sample->time;
        } else {
            s->shown.valid = 0.0;
        }
        s->first = (int)s->first + 1 < entry->room ? s->first + 1.0 : 0.0;
        s->waiting -= 1.0;
    }
}

static void LookAt(hwWorld* world, int i) {
    const hwInstrumentEntry* entry = &world->model.instruments->items[i];
    const hwInstrumentDef* def = &entry->object->def;
    hwInstrumentState* s = &world->state.instruments->items[i];
    double now = world->state.header->time, truth[HW_INSTRUMENT_TRUTHS], between[HW_INSTRUMENT_TRUTHS];
    hwInstrument_Look(world, entry, truth);
    if (isnan(s->lookTime)) {
        s->start = s->lookTime = now;
        memcpy(s->truth, truth, sizeof(truth));
    }
    // samples that cannot have arrived in the meantime are few: at most those of one look are kept besides those under way
    for (double time = GetSampleTime(def, s); time <= now; time = GetSampleTime(def, s)) {
        double span = now - s->lookTime;
        double share = span > 0.0 ? (time - s->lookTime) / span : 1.0;
        hwInstrument_Interpolate(entry, s->truth, truth, share, between);
        if ((int)s->waiting >= entry->room) ShowSamples(world, entry, s);
        TakeSample(world, entry, s, between, time);
    }
    ShowSamples(world, entry, s);
    s->lookTime = now;
    memcpy(s->truth, truth, sizeof(truth));
}

// The first sample is one of the start.
static void BeginLooking(hwWorld* world) {
    for (int i = 0; i < world->model.instruments->count; ++i) {
        if (!isnan(world->state.instruments->items[i].lookTime)) continue;
        hwWorld_Refresh(world);
        LookAt(world, i);
    }
}

static void LookAround(hwWorld* world) {
    hwWorld_Refresh(world);
    for (int i = 0; i < world->model.instruments->count; ++i) LookAt(world, i);
}

// Channels -------------------------------------------------------------------------------------------------------------

static double ReadValue(const hwWorld* world, int i, int component) {
    return world->state.instruments->items[i].shown.values[component];
}

enum { STATUS_VALID, STATUS_AGE, STATUS_COUNT };

static double ReadStatus(const hwWorld* world, int i, int component) {
    const hwInstrumentState* s = &world->state.instruments->items[i];
    switch (component) {
    case STATUS_VALID:
        return s->shown.valid;
    case STATUS_AGE:
        return world->state.header->time - s->goodTime;
    default:
        return s->taken;
    }
}

static const hwChannelRow statusRows[] = {{"valid", "1", ReadStatus, STATUS_VALID},
                                          {"age", "s", ReadStatus, STATUS_AGE},
                                          {"count", "1", ReadStatus, STATUS_COUNT}};

static void AddInstrumentChannels(hwTableBuilder* builder, const hwWorld* world, const hwModel* model) {
    (void)world;
    for (int i = 0; i < model->instruments->count; ++i) {
        const hwInstrumentDef* def = &model->instruments->items[i].object->def;
        const hwInstrumentValue* values = hwInstrument_GetValues(def->kind);
        for (int k = 0; k < HW_INSTRUMENT_VALUES && values[k].name != NULL; ++k) {
            hwChannelRow row = {values[k].name, values[k].unit, ReadValue, k};
            hwTable_AddChannels(builder, def->name, 1, &row, i);
        }
        hwTable_AddChannels(builder, def->name, HW_ROW_COUNT(statusRows), statusRows, i);
    }
}

const hwPart hwInstrumentsPart = {.name = "instruments",
                                  .rests = true,
                                  .aside = true,
                                  .model = HW_SLICE(hwModel, instruments),
                                  .state = HW_SLICE(hwState, instruments),
                                  .copy = CopyInstruments,
                                  .dropBody = DropInstruments,
                                  .layModel = LayInstruments,
                                  .fillModel = FillInstruments,
                                  .checkModel = CheckInstruments,
                                  .isPresent = HasInstruments,
                                  .layState = LayInstrumentStates,
                                  .carry = CarryInstruments,
                                  .addChannels = AddInstrumentChannels,
                                  .begin = BeginLooking,
                                  .getNextTime = GetNextLook,
                                  .look = LookAround};
