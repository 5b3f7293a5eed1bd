// Results as MCAP files (mcap.dev, version 0): the messages of topics.h in chunks with an index, uncompressed.
#define _POSIX_C_SOURCE 200809L
#include "hawser/topics.h"
#include "results_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE ((size_t)1 << 20)

enum {
    OP_HEADER = 1,
    OP_FOOTER,
    OP_SCHEMA,
    OP_CHANNEL,
    OP_MESSAGE,
    OP_CHUNK,
    OP_MESSAGE_INDEX,
    OP_CHUNK_INDEX,
    OP_STATISTICS = 11,
    OP_SUMMARY_OFFSET = 14,
    OP_DATA_END = 15
};

static const unsigned char g_magic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

// Bytes that grow.
typedef struct Bytes {
    unsigned char* data;
    size_t size, capacity;
    bool failed;
} Bytes;

static void Put(Bytes* bytes, const void* data, size_t size) {
    if (bytes->size + size > bytes->capacity) {
        size_t capacity = 2 * (bytes->size + size) + 256;
        unsigned char* larger = realloc(bytes->data, capacity);
        if (larger == NULL) {
            bytes->failed = true;
            return;
        }
        bytes->data = larger;
        bytes->capacity = capacity;
    }
    if (size > 0) memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void PutInteger(Bytes* bytes, uint64_t value, int size) {
    unsigned char out[8];
    for (int i = 0; i < size; ++i) out[i] = (unsigned char)(value >> (8 * i));
    Put(bytes, out, (size_t)size);
}

static void PutText(Bytes* bytes, const char* text) {
    PutInteger(bytes, strlen(text), 4);
    Put(bytes, text, strlen(text));
}

// Begins a record whose length is not known yet; EndRecord fills it in.
static size_t BeginRecord(Bytes* bytes, int opcode) {
    PutInteger(bytes, (uint64_t)opcode, 1);
    PutInteger(bytes, 0, 8);
    return bytes->size;
}

static void EndRecord(Bytes* bytes, size_t start) {
    uint64_t length = bytes->size - start;
    for (int i = 0; i < 8 && !bytes->failed; ++i)
        bytes->data[start - 8 + (size_t)i] = (unsigned char)(length >> (8 * i));
}

static uint32_t ComputeCrc(uint32_t crc, const unsigned char* data, size_t size) {
    crc = ~crc;
    for (size_t i = 0; i < size; ++i) {
        crc ^= data[i];
        for (int k = 0; k < 8; ++k) crc = crc & 1 ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
    }
    return ~crc;
}

// Where a message is in its chunk.
typedef struct Mark {
    int topic;
    uint64_t time, offset;
} Mark;

typedef struct Writer {
    hwOutput output;
    bool live;
    uint64_t written; // bytes in the file
    hwTopics* topics;
    const hwSonarClouds* clouds;
    double* pings;                // [sonar] time of the last one that was written; NaN: none
    int channelCount, logChannel; // logChannel: of /log, behind the topics
    Bytes chunk;
    uint64_t chunkStart, chunkEnd; // ns
    int markCount, markCapacity;
    Mark* marks;
    Bytes index;      // chunk index records for the summary
    uint64_t* counts; // messages of each channel
    uint64_t messages, chunks, first, last;
    uint32_t sequence;
} Writer;

static hwStatus WriteBytes(Writer* writer, const Bytes* bytes, hwError* error) {
    if (bytes->failed) return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for MCAP.");
    if (!hwOutput_Write(writer->output.fd, bytes->data, bytes->size))
        return hwResultsFail_System(error, errno, "write", writer->output.path);
    writer->written += bytes->size;
    return HW_OK;
}

static const char g_logSchema[] =
    "{\"title\":\"foxglove.Log\",\"type\":\"object\",\"properties\":{\"timestamp\":{\"type\":\"object\","
    "\"title\":\"time\",\"properties\":{"
    "\"sec\":{\"type\":\"integer\"},\"nsec\":{\"type\":\"integer\"}}},\"level\":{\"type\":\"integer\"},"
    "\"message\":{\"type\":\"string\"},"
    "\"name\":{\"type\":\"string\"},\"file\":{\"type\":\"string\"},\"line\":{\"type\":\"integer\"}}}";

static void PutSchemas(Writer* writer, Bytes* bytes) {
    for (int i = 0; i <= writer->logChannel; ++i) {
        hwTopicInfo info = i < writer->logChannel ? hwTopics_GetInfo(writer->topics, i)
                                                  : (hwTopicInfo){"/log", "foxglove.Log", g_logSchema};
        size_t start = BeginRecord(bytes, OP_SCHEMA);
        PutInteger(bytes, (uint64_t)i + 1, 2);
        PutText(bytes, info.schemaName);
        PutText(bytes, "jsonschema");
        PutText(bytes, info.schema);
        EndRecord(bytes, start);
    }
}

static void PutChannels(Writer* writer, Bytes* bytes) {
    for (int i = 0; i <= writer->logChannel; ++i) {
        size_t start = BeginRecord(bytes, OP_CHANNEL);
        PutInteger(bytes, (uint64_t)i, 2);
        PutInteger(bytes, (uint64_t)i + 1, 2);
        PutText(bytes, i < writer->logChannel ? hwTopics_GetInfo(writer->topics, i).name : "/log");
        PutText(bytes, "json");
        PutInteger(bytes, 0, 4); // no metadata
        EndRecord(bytes, start);
    }
}

static bool AddMark(Writer* writer, Mark mark) {
    if (writer->markCount == writer->markCapacity) {
        int capacity = writer->markCapacity > 0 ? 2 * writer->markCapacity : 1024;
        Mark* marks = realloc(writer->marks, (size_t)capacity * sizeof(*marks));
        if (marks == NULL) return false;
        writer->marks = marks;
        writer->markCapacity = capacity;
    }
    writer->marks[writer->markCount++] = mark;
    return true;
}

static bool PutMessage(Writer* writer, int topic, uint64_t time, const char* text, size_t size) {
    Bytes* chunk = &writer->chunk;
    if (!AddMark(writer, (Mark){topic, time, chunk->size})) return false;
    if (chunk->size == 0) writer->chunkStart = writer->chunkEnd = time;
    if (time < writer->chunkStart) writer->chunkStart = time;
    if (time > writer->chunkEnd) writer->chunkEnd = time;
    if (writer->messages == 0) writer->first = writer->last = time;
    if (time < writer->first) writer->first = time;
    if (time > writer->last) writer->last = time;
    writer->messages++;
    writer->counts[topic]++;
    size_t start = BeginRecord(chunk, OP_MESSAGE);
    PutInteger(chunk, (uint64_t)topic, 2);
    PutInteger(chunk, writer->sequence++, 4);
    PutInteger(chunk, time, 8);
    PutInteger(chunk, time, 8);
    Put(chunk, text, size);
    EndRecord(chunk, start);
    return !chunk->failed;
}

// The message indexes of a chunk, a record for each channel that has messages in it. Returns how many bytes they take, and
// notes where each begins.
static void PutIndexes(const Writer* writer, Bytes* bytes, uint64_t base, Bytes* offsets) {
    for (int topic = 0; topic <= writer->logChannel; ++topic) {
        uint64_t count = 0;
        for (int i = 0; i < writer->markCount; ++i) count += writer->marks[i].topic == topic;
        if (count == 0) continue;
        PutInteger(offsets, (uint64_t)topic, 2);
        PutInteger(offsets, base + bytes->size, 8);
        size_t start = BeginRecord(bytes, OP_MESSAGE_INDEX);
        PutInteger(bytes, (uint64_t)topic, 2);
        PutInteger(bytes, 16 * count, 4);
        for (int i = 0; i < writer->markCount; ++i) {
            if (writer->marks[i].topic != topic) continue;
            PutInteger(bytes, writer->marks[i].time, 8);
            PutInteger(bytes, writer->marks[i].offset, 8);
        }
        EndRecord(bytes, start);
    }
}

// Writes what was gathered as a chunk with its indexes.
static hwStatus FlushChunk(void* context, hwError* error) {
    Writer* writer = context;
    if (writer->chunk.size == 0) return HW_OK;
    Bytes record = {0}, offsets = {0};
    uint64_t at = writer->written, size = writer->chunk.size;
    size_t start = BeginRecord(&record, OP_CHUNK);
    PutInteger(&record, writer->chunkStart, 8);
    PutInteger(&record, writer->chunkEnd, 8);
    PutInteger(&record, size, 8);
    PutInteger(&record, ComputeCrc(0, writer->chunk.data, writer->chunk.size), 4);
    PutText(&record, "");
    PutInteger(&record, size, 8);
    Put(&record, writer->chunk.data, writer->chunk.size);
    EndRecord(&record, start);
    uint64_t chunkLength = record.size;
    PutIndexes(writer, &record, at, &offsets);
    Bytes* index = &writer->index;
    start = BeginRecord(index, OP_CHUNK_INDEX);
    PutInteger(index, writer->chunkStart, 8);
    PutInteger(index, writer->chunkEnd, 8);
    PutInteger(index, at, 8);
    PutInteger(index, chunkLength, 8);
    PutInteger(index, offsets.size, 4);
    Put(index, offsets.data, offsets.size);
    PutInteger(index, record.size - chunkLength, 8);
    PutText(index, "");
    PutInteger(index, size, 8);
    PutInteger(index, size, 8);
    EndRecord(index, start);
    hwStatus status = offsets.failed || index->failed
                          ? hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for MCAP.")
                          : WriteBytes(writer, &record, error);
    free(record.data);
    free(offsets.data);
    writer->chunks++;
    writer->chunk.size = 0;
    writer->markCount = 0;
    return status;
}

// A sonar has something new only where it was pinged since. `time` becomes that of the ping.
static bool HasNews(Writer* writer, int topic, uint64_t* time) {
    int sonar = hwTopics_GetSonar(writer->topics, topic);
    if (sonar < 0) return true;
    double ping = hwSonarClouds_Get(writer->clouds, sonar).time;
    if (isnan(ping) || ping == writer->pings[sonar]) return false;
    writer->pings[sonar] = ping;
    *time = hwTopics_GetTime(&ping);
    return true;
}

static hwStatus AppendRows(void* context, int rows, const double* values, hwError* error) {
    Writer* writer = context;
    for (int row = 0; row < rows; ++row, values += writer->channelCount) {
        uint64_t time = hwTopics_GetTime(values);
        for (int i = 0; i < writer->logChannel; ++i) {
            size_t size = 0;
            uint64_t at = time;
            if (!HasNews(writer, i, &at)) continue;
            const char* text = hwTopics_Write(writer->topics, i, values, &size);
            if (text == NULL || !PutMessage(writer, i, at, text, size))
                return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for MCAP.");
        }
        if (writer->chunk.size < CHUNK_SIZE) continue;
        hwStatus status = FlushChunk(writer, error);
        if (status != HW_OK) return status;
    }
    return HW_OK;
}

// A line for each thing that happened, "12.345 s: what", at its time.
static bool PutIncidents(Writer* writer, const hwRunInfo* info) {
    const char* line = info->incidents;
    while (*line != 0) {
        size_t length = strcspn(line, "\n");
        char* end;
        double time = strtod(line, &end);
        char text[700], message[400];
        size_t used = 0;
        for (size_t i = 0; i < length && used + 3 < sizeof(message); ++i) {
            if (line[i] == '"' || line[i] == '\\') message[used++] = '\\';
            if ((unsigned char)line[i] >= ' ') message[used++] = line[i];
        }
        message[used] = 0;
        uint64_t at = hwTopics_GetTime(&time);
        int size =
            snprintf(text, sizeof(text),
                     "{\"timestamp\":{\"sec\":%llu,\"nsec\":%llu},\"level\":2,\"message\":\"%s\",\"name\":"
                     "\"hawser\",\"file\":\"\",\"line\":0}",
                     (unsigned long long)(at / 1000000000u), (unsigned long long)(at % 1000000000u), message);
        if (!PutMessage(writer, writer->logChannel, at, text, (size_t)size)) return false;
        line += length + (line[length] == '\n');
    }
    return true;
}

static void PutStatistics(const Writer* writer, Bytes* bytes) {
    size_t start = BeginRecord(bytes, OP_STATISTICS);
    int channels = writer->logChannel + 1;
    PutInteger(bytes, writer->messages, 8);
    PutInteger(bytes, (uint64_t)channels, 2);
    PutInteger(bytes, (uint64_t)channels, 4);
    PutInteger(bytes, 0, 4); // attachments
    PutInteger(bytes, 0, 4); // metadata
    PutInteger(bytes, writer->chunks, 4);
    PutInteger(bytes, writer->first, 8);
    PutInteger(bytes, writer->last, 8);
    PutInteger(bytes, 10 * (uint64_t)channels, 4);
    for (int i = 0; i < channels; ++i) {
        PutInteger(bytes, (uint64_t)i, 2);
        PutInteger(bytes, writer->counts[i], 8);
    }
    EndRecord(bytes, start);
}

static void PutOffset(Bytes* bytes, int opcode, uint64_t start, uint64_t length) {
    size_t record = BeginRecord(bytes, OP_SUMMARY_OFFSET);
    PutInteger(bytes, (uint64_t)opcode, 1);
    PutInteger(bytes, start, 8);
    PutInteger(bytes, length, 8);
    EndRecord(bytes, record);
}

static hwStatus FinishWriter(void* context, const hwRunInfo* info, hwError* error) {
    Writer* writer = context;
    if (info != NULL && !PutIncidents(writer, info))
        return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for MCAP.");
    hwStatus status = FlushChunk(writer, error);
    if (status != HW_OK) return status;
    Bytes end = {0};
    size_t start = BeginRecord(&end, OP_DATA_END);
    PutInteger(&end, 0, 4); // no sum of the data section; each chunk has its own
    EndRecord(&end, start);
    size_t summary = end.size, places[5];
    places[0] = end.size;
    PutSchemas(writer, &end);
    places[1] = end.size;
    PutChannels(writer, &end);
    places[2] = end.size;
    PutStatistics(writer, &end);
    places[3] = end.size;
    Put(&end, writer->index.data, writer->index.size);
    places[4] = end.size;
    static const int groups[] = {OP_SCHEMA, OP_CHANNEL, OP_STATISTICS, OP_CHUNK_INDEX};
    for (int i = 0; i < 4; ++i) {
        if (places[i + 1] > places[i])
            PutOffset(&end, groups[i], writer->written + places[i], places[i + 1] - places[i]);
    }
    start = BeginRecord(&end, OP_FOOTER);
    PutInteger(&end, writer->written + summary, 8);
    PutInteger(&end, writer->written + places[4], 8);
    EndRecord(&end, start);
    if (!end.failed) { // the sum covers the footer up to itself, with its final length
        for (int i = 0; i < 8; ++i)
            end.data[start - 8 + (size_t)i] = (unsigned char)((uint64_t)20 >> (8 * i));
        PutInteger(&end, ComputeCrc(0, end.data + summary, end.size - summary), 4);
    }
    Put(&end, g_magic, sizeof(g_magic));
    status = WriteBytes(writer, &end, error);
    free(end.data);
    if (status == HW_OK && !writer->live) status = hwOutput_Publish(&writer->output, error);
    return status;
}

static void DestroyWriter(void* context) {
    Writer* writer = context;
    hwOutput_Close(&writer->output);
    hwDestroyTopics(writer->topics);
    free(writer->chunk.data);
    free(writer->index.data);
    free(writer->marks);
    free(writer->counts);
    free(writer->pings);
    free(writer);
}

hwStatus hwCreateMcapWriter(const hwRecorderDef* def, hwWriter* out, hwError* error) {
    Writer* writer = calloc(1, sizeof(*writer));
    if (writer == NULL) return hwResultsFail(error, HW_ERROR_MEMORY, "There is not enough memory for MCAP.");
    writer->output.fd = -1;
    writer->live = def->live;
    writer->channelCount = def->channelCount;
    hwTopicsDef topics = hwDefaultTopicsDef();
    topics.channelCount = def->channelCount;
    topics.channels = def->channels;
    topics.world = def->world;
    topics.clouds = def->clouds;
    writer->topics = hwCreateTopics(&topics, error);
    hwStatus status =
        writer->topics != NULL ? hwOutput_Open(&writer->output, def->path, error) : HW_ERROR_MEMORY;
    if (status == HW_OK) {
        writer->logChannel = hwTopics_GetCount(writer->topics);
        writer->counts = calloc((size_t)writer->logChannel + 1, sizeof(*writer->counts));
        int sonars = def->clouds != NULL ? hwSonarClouds_GetCount(def->clouds) : 0;
        writer->clouds = def->clouds;
        writer->pings = malloc(((size_t)sonars + 1) * sizeof(double));
        for (int i = 0; writer->pings != NULL && i < sonars; ++i) writer->pings[i] = (double)NAN;
        if (writer->counts == NULL || writer->pings == NULL || writer->logChannel > 60000)
            status = hwResultsFail(error, HW_ERROR_LIMIT, "There are too many objects for MCAP.");
    }
    Bytes head = {0};
    if (status == HW_OK) {
        Put(&head, g_magic, sizeof(g_magic));
        size_t start = BeginRecord(&head, OP_HEADER);
        PutText(&head, "");
        PutText(&head, "hawser");
        EndRecord(&head, start);
        PutSchemas(writer, &head);
        PutChannels(writer, &head);
        status = WriteBytes(writer, &head, error);
    }
    free(head.data);
    if (status == HW_OK && def->live) status = hwOutput_Publish(&writer->output, error);
    if (status != HW_OK) {
        DestroyWriter(writer);
        return status;
    }
    *out = (hwWriter){AppendRows, FlushChunk, FinishWriter, DestroyWriter, writer, NULL, NULL, NULL, NULL};
    return HW_OK;
}
