// Instruments in the world: objects, model, state. The physics of each kind is in measure.c, what becomes of a truth in sampling.c.
#ifndef HW_PARTS_INSTRUMENTS_INSTRUMENTS_H
#define HW_PARTS_INSTRUMENTS_INSTRUMENTS_H

#include "hawser/instrument.h"
#include "world/world.h"

#define HW_INSTRUMENT_COOKIE 0x48570047
#define HW_INSTRUMENT_TRUTHS 12 // quantities that a kind looks at
#define HW_INSTRUMENT_VALUES 6  // values that it shows
#define HW_INSTRUMENT_BIASES 6

typedef struct hwInstrumentObject {
    hwInstrumentDef def; // its name follows in the block
    hwInstrumentId id;
} hwInstrumentObject;

typedef struct hwInstrumentEntry {
    const hwInstrumentObject* object;
    uint64_t key;        // of its random numbers: seed and name
    int link, otherLink; // that carry it and the transceiver; -1: the earth
    int cable;           // slot; -1: none
    int room;            // samples under way at once
    int firstSample;     // in the state's array of samples
} hwInstrumentEntry;

typedef struct hwInstrumentsModel {
    int count, sampleCount;
    hwInstrumentEntry* items;
} hwInstrumentsModel;

// A sample on its way, or the last that arrived.
typedef struct hwSample {
    double time;    // s, when it was taken
    double arrival; // s, when it shows
    double valid;   // 1 or 0
    double values[HW_INSTRUMENT_VALUES];
} hwSample;

typedef struct hwInstrumentState {
    double lookTime;       // s, of `truth`; NaN: it has not looked yet
    double start;          // s, of the first sample
    double taken;          // samples so far
    double biasTime;       // s, of `bias`; NaN: not drawn yet
    double first, waiting; // of the samples under way, a ring
    double goodTime;       // s, of the last good sample that arrived; NaN: none
    double truth[HW_INSTRUMENT_TRUTHS];
    double bias[HW_INSTRUMENT_BIASES];
    hwSample shown;
} hwInstrumentState;

typedef struct hwInstrumentsState {
    hwInstrumentState* items; // [instrument]
    hwSample* samples;        // [instrument's room]
} hwInstrumentsState;

// measure.c: what a kind looks at in the world as it is evaluated now; constant in number, continuous in time.
void hwInstrument_Look(const hwWorld* world, const hwInstrumentEntry* entry, double* truth);
// Between two of them: a share of the way.
void hwInstrument_Interpolate(const hwInstrumentEntry* entry, const double* from, const double* to,
                              double share, double* truth);
// A sample of a truth, with number k, and biases that have walked until then. False: nothing could be measured.
bool hwInstrument_Measure(const hwWorld* world, const hwInstrumentEntry* entry, const double* truth,
                          uint64_t k, const double* bias, double* values);
// s besides the latency that a truth takes to arrive.
double hwInstrument_GetDelay(const hwInstrumentEntry* entry, const double* truth);
// Errors of a bias's group, or null.
const hwNoiseDef* hwInstrument_GetNoise(const hwInstrumentDef* def, int bias);

// Names and units of the values; ends with a null name.
typedef struct hwInstrumentValue {
    const char *name, *unit;
} hwInstrumentValue;
const hwInstrumentValue* hwInstrument_GetValues(hwInstrumentKind kind);

// Streams of random numbers of one instrument.
enum { HW_STREAM_NOISE = 1, HW_STREAM_DROPOUT, HW_STREAM_START, HW_STREAM_WALK };
double hwInstrument_Draw(const hwInstrumentEntry* entry, int stream, uint64_t k, int component);

#endif
