// What the kinds of result files share: errors, output files that appear complete, and the two sides of a format.
#ifndef HW_IO_RESULTS_INTERNAL_H
#define HW_IO_RESULTS_INTERNAL_H

#include "hawser/results.h"

#include <stdio.h>
#include <sys/types.h>

#define HW_RESULTS_MAX_CHANNELS 1000000

// Fills `error` when it is not null and returns `status`.
hwStatus hwResultsFail(hwError* error, hwStatus status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
// The same for a failed system call: adds what `errorNumber` means, and what to try.
hwStatus hwResultsFail_System(hwError* error, int errorNumber, const char* doing, const char* path);
void hwResultsFail_Hint(hwError* error, const char* format, ...) __attribute__((format(printf, 2, 3)));
// There is no such channel; the nearest one is the hint.
hwStatus hwResultsFail_Channel(const hwWorld* world, const char* pattern, hwError* error);

// Copies text, cutting it at the size; a null text is empty.
void hwResults_CopyText(char* to, size_t size, const char* text);
// True when the path ends in `.extension`, whatever the case.
bool hwResults_HasExtension(const char* path, const char* extension);

// Writes text for HTML and XML.
void hwPutEscaped(FILE* stream, const char* text);

// A file being written under a temporary name in the folder of its final name.
typedef struct hwOutput {
    int fd;
    char* path;      // final name, symbolic links resolved
    char* temporary; // null once published, and for devices and pipes, which are written in place
} hwOutput;

hwStatus hwOutput_Open(hwOutput* output, const char* path, hwError* error);
// Gives the file its final name.
hwStatus hwOutput_Publish(hwOutput* output, hwError* error);
// Closes, and removes the file unless it was published.
void hwOutput_Close(hwOutput* output);
// Writes all bytes at the current position; false with errno set.
bool hwOutput_Write(int fd, const void* data, size_t size);

// A file written through a stream.
typedef struct hwSink {
    hwOutput output;
    FILE* stream;
} hwSink;

hwStatus hwSink_Open(hwSink* sink, const char* path, hwError* error);
// Gives the file its final name when `status` and everything written are good, and removes it otherwise.
hwStatus hwSink_Close(hwSink* sink, hwStatus status, hwError* error);

// Base 64 of a stream of bytes, three at a time.
typedef struct hwEncoder {
    FILE* stream;
    unsigned char waiting[3];
    int count;
} hwEncoder;

extern const char hwEncoderDigits[];
void hwEncoder_Put(hwEncoder* encoder, const void* data, size_t size);
void hwEncoder_End(hwEncoder* encoder);

// A kind of file as the recorder sees it. Calls come from one thread at a time.
typedef struct hwWriter {
    // Puts rows into memory or into the file.
    hwStatus (*append)(void* context, int rows, const double* values, hwError* error);
    // All appended rows are in the file, and the file is readable.
    hwStatus (*flush)(void* context, hwError* error);
    // Flushes, stores `info` when not null, and closes; the context is still to be destroyed.
    hwStatus (*finish)(void* context, const hwRunInfo* info, hwError* error);
    void (*destroy)(void* context);
    void* context;
    // Replaces the numbers of the stations; null: the file has no place for them.
    hwStatus (*putStations)(void* context, const hwRangeStation* stations, hwError* error);
    // Replaces the extremes of all channels; null likewise.
    hwStatus (*putExtremes)(void* context, const hwExtreme* extremes, hwError* error);
    // Gives a file that is not live its name before it is finished; null: it cannot.
    hwStatus (*publish)(void* context, hwError* error);
    // Columns that the file has now; null: all.
    int (*countColumns)(const void* context);
} hwWriter;

// False in a program without the HDF5 library.
bool hwCanWriteHdf5(void);
hwStatus hwCreateHdf5Writer(const hwRecorderDef* def, hwWriter* writer, hwError* error);
hwStatus hwCreateMcapWriter(const hwRecorderDef* def, hwWriter* writer, hwError* error);
hwStatus hwCreateCsvWriter(const hwRecorderDef* def, hwWriter* writer, hwError* error);
// A writer of CSV or HDF5, by `open`, whose columns come as hwRecorderDef.rooms says.
typedef hwStatus hwOpenWriter(const hwRecorderDef* def, hwWriter* writer, hwError* error);
hwStatus hwCreateRoomWriter(const hwRecorderDef* def, hwOpenWriter* open, hwWriter* writer, hwError* error);

struct hwResults {
    char* path;
    int channelCount;
    hwChannelInfo* channels;
    char* texts; // holds names and units
    int* order;  // channels sorted by name
    int64_t rowCount;
    hwRunInfo info;
    char* scene;         // null: none
    hwExtreme* extremes; // [channel], null: none
    int stationCount;
    hwRangeStation* stations;
    char* stationCables; // names of their cables
    size_t stationSize;  // bytes of one name, zero included
    hwStatus (*read)(void* context, const hwResults* results, int64_t first, int64_t count, double* values,
                     hwError* error);
    void (*close)(void* context);
    void* context;
};

// Each fills everything above but `path` and `order`, also in part when it fails.
hwStatus hwOpenHdf5(hwResults* results, const char* path, hwError* error);
hwStatus hwOpenCsv(hwResults* results, const char* path, hwError* error);
hwStatus hwOpenVtk(hwResults* results, const char* path, hwError* error);

// Reserves channels; `textSize` is the room for all names and units with their zeros.
hwStatus hwResults_Reserve(hwResults* results, int channelCount, size_t textSize, hwError* error);

// The world of the scene that the results hold, for its shapes; null when there is none or it cannot be made.
hwWorld* hwResults_MakeWorld(const hwResults* results);
hwStatus hwWriteGlb(hwResults* results, const char* path, hwError* error);
hwStatus hwWriteVtp(hwResults* results, const char* path, hwError* error);
hwStatus hwWritePvd(hwResults* results, const char* path, hwError* error);

#endif
