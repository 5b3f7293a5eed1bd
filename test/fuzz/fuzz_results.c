// Any bytes as a file of results: read to its last row or refused with a sentence, never a crash, a leak or a hang.
//
// The first byte chooses: below 64 the rest is the file itself; above, it is a list of changes (3 bytes for the place, 1
// for the new value) to a real HDF5 file, or from 192 on a real CSV file, so that most inputs come deep into the readers.
#include "hawser/results.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int* count, char*** arguments);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef struct Sample {
    uint8_t bytes[1 << 17];
    size_t size;
} Sample;

static Sample g_hdf5, g_packed, g_csv;

static void MakeSample(Sample* sample, const char* ending, hwCompression compression) {
    static const hwChannelInfo channels[] = {{"world.time", "s"}, {"a.position.x", "m"}, {"a.tension", "N"}};
    char path[64];
    snprintf(path, sizeof(path), "/tmp/hawser_fuzz_results_%d.%s", (int)getpid(), ending);
    hwRecorderDef def = hwDefaultRecorderDef();
    def.path = path;
    def.channelCount = 3;
    def.channels = channels;
    def.scene = "hawser: 1\n";
    def.compression = compression;
    def.chunkRows = 500;
    hwError error;
    hwRecorder* recorder = hwCreateRecorder(&def, &error);
    if (recorder == NULL) abort();
    for (int i = 0; i < 1100; i++) { // two chunks
        double row[3] = {0.1 * i, i, -1e3 / (i + 1)};
        if (i < 100 || strcmp(ending, "h5") == 0) hwRecorder_Append(recorder, 1, row, &error);
    }
    if (hwRecorder_Finish(recorder, NULL, &error) != HW_OK) abort();
    hwDestroyRecorder(recorder);
    FILE* file = fopen(path, "rb");
    if (file == NULL) abort();
    sample->size = fread(sample->bytes, 1, sizeof(sample->bytes), file);
    fclose(file);
    remove(path);
}

int LLVMFuzzerInitialize(int* count, char*** arguments) {
    (void)count;
    (void)arguments;
    MakeSample(&g_hdf5, "h5", HW_COMPRESS_NONE);
    MakeSample(&g_packed, "h5", HW_COMPRESS_EXACT);
    MakeSample(&g_csv, "csv", HW_COMPRESS_NONE);
    return 0;
}

static void TryFile(const uint8_t* data, size_t size) {
    char path[64];
    snprintf(path, sizeof(path), "/tmp/hawser_fuzz_results_%d", (int)getpid());
    FILE* file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
    hwError error = {0};
    hwResults* results = hwOpenResults(path, &error);
    remove(path);
    if (results == NULL) {
        if (error.status >= 0 || error.message[0] == 0) abort();
        return;
    }
    int channels = hwResults_GetChannelCount(results);
    int64_t rows = hwResults_GetRowCount(results);
    // a row takes a byte at least before it is deflated, to a thousandth at the least, and a column takes one too
    if (channels < 1 || rows < 0 || (uint64_t)rows > 1032 * size || (uint64_t)channels > size + 1) abort();
    double* row = malloc((size_t)channels * sizeof(double));
    if (row == NULL) abort();
    for (int64_t i = 0; i < rows && i < 2000; i++) {
        if (hwResults_ReadRows(results, i, 1, row, &error) != HW_OK && error.message[0] == 0) abort();
    }
    free(row);
    hwCloseResults(results);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2) return 0;
    uint8_t kind = *data++;
    size--;
    if (kind < 64) {
        TryFile(data, size);
        return 0;
    }
    static Sample copy;
    copy = kind < 128 ? g_hdf5 : kind < 192 ? g_packed : g_csv;
    for (; size >= 4; data += 4, size -= 4) {
        size_t at = (size_t)data[0] << 16 | (size_t)data[1] << 8 | data[2];
        copy.bytes[at % copy.size] = data[3];
    }
    TryFile(copy.bytes, copy.size);
    return 0;
}
