// State frames: from named channels, live or recorded, to the bytes of docs/protocol.md.
#ifndef HW_SERVER_FRAME_H
#define HW_SERVER_FRAME_H

#include "hawser/instrument.h"
#include "hawser/world.h"

#define FRAME_MOST_BYTES 65536
#define FRAME_MOST_PLOTS 32
#define FRAME_MOST_CONTACTS 64

enum {
    FRAME_PAUSED = 1,
    FRAME_REPLAY = 2,
    FRAME_RECORDING = 4,
    FRAME_SLOW = 8,
    FRAME_JUMP = 16,
    FRAME_ENDED = 32
};

// Where channels come from.
typedef struct hwWebChannelSource {
    void* context;
    int count;
    const char* (*getName)(void* context, int channel);
    int (*find)(void* context, const char* name); // -1: none
} hwWebChannelSource;

hwWebChannelSource hwWebChannelSource_FromWorld(const hwWorld* world);

typedef struct hwWebFrameHead {
    uint32_t flags;
    double time;
    uint32_t number;
    uint32_t seq;
    double speed;
    uint16_t revision;
    bool inputHold;
} hwWebFrameHead;

typedef struct hwWebFrameMap hwWebFrameMap;

// Finds what frames need of the objects of `world` among the channels; `cables` found are in the order of cableCount.
hwWebFrameMap* hwWebFrameMap_Create(const hwWorld* world, const hwWebChannelSource* source);
void hwWebFrameMap_Free(hwWebFrameMap* map);

// The channels to read for a frame, in this order.
int hwWebFrameMap_GetChannelCount(const hwWebFrameMap* map);
const int* hwWebFrameMap_GetChannels(const hwWebFrameMap* map);
// Reads them from the world that the map was made of; values of nodes behind the last one may be NaN instead.
void hwWebFrameMap_Read(const hwWebFrameMap* map, const hwWorld* world, double* values);

// Chooses channels to plot; those of an index below 0 stay NaN.
void hwWebFrameMap_SetPlot(hwWebFrameMap* map, uint16_t number, int count, const int* channels);

// Cables, in the order of their index in frames.
int hwWebFrameMap_GetCableCount(const hwWebFrameMap* map);
const char* hwWebFrameMap_GetCableName(const hwWebFrameMap* map, int cable);

// Instruments, in the order of their index in frames. Hidden, as a lesson may want them, there are none.
int hwWebFrameMap_GetInstrumentCount(const hwWebFrameMap* map);
const char* hwWebFrameMap_GetInstrumentName(const hwWebFrameMap* map, int instrument);
hwInstrumentKind hwWebFrameMap_GetInstrumentKind(const hwWebFrameMap* map, int instrument);
void hwWebFrameMap_HideInstruments(hwWebFrameMap* map);

// Writes a frame from the channels' values; returns its size, or 0 when it does not fit.
size_t hwWebFrameMap_Encode(hwWebFrameMap* map, const hwWebFrameHead* head, const double* values,
                            uint8_t* out, size_t size);

// What an overview shows of a frame.
typedef struct hwWebReadings {
    double time; // s
    bool paused;
    double depth, turns, tension; // m, 1, N; NaN: there is no vehicle
    double out, wrap;             // of the first cable, m and rad
} hwWebReadings;

// Reads them back; false: it is no frame.
bool hwWebFrame_Read(const uint8_t* bytes, size_t size, hwWebReadings* readings);

#endif
