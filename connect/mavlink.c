#include "connect/mavlink.h"

#include <string.h>

#define BEGIN_1 0xfe
#define BEGIN_2 0xfd
#define HEAD_1 6
#define HEAD_2 10
#define SIGNED 0x01 // incompatible flag: 13 bytes of signature follow
#define SIGNATURE 13

// From the message definitions of MAVLink (common and standard): CRC_EXTRA is the checksum of name, types and fields.
static const hwMavInfo g_infos[] = {
    {HW_MAV_HEARTBEAT, "HEARTBEAT", 50, 9, 9},
    {HW_MAV_SYS_STATUS, "SYS_STATUS", 124, 31, 43},
    {HW_MAV_SYSTEM_TIME, "SYSTEM_TIME", 137, 12, 12},
    {HW_MAV_PING, "PING", 237, 14, 14},
    {HW_MAV_SET_MODE, "SET_MODE", 89, 6, 6},
    {HW_MAV_PARAM_REQUEST_READ, "PARAM_REQUEST_READ", 214, 20, 20},
    {HW_MAV_PARAM_REQUEST_LIST, "PARAM_REQUEST_LIST", 159, 2, 2},
    {HW_MAV_PARAM_VALUE, "PARAM_VALUE", 220, 25, 25},
    {HW_MAV_PARAM_SET, "PARAM_SET", 168, 23, 23},
    {HW_MAV_SCALED_PRESSURE, "SCALED_PRESSURE", 115, 14, 16},
    {HW_MAV_ATTITUDE, "ATTITUDE", 39, 28, 28},
    {HW_MAV_ATTITUDE_QUATERNION, "ATTITUDE_QUATERNION", 246, 32, 48},
    {HW_MAV_LOCAL_POSITION_NED, "LOCAL_POSITION_NED", 185, 28, 28},
    {HW_MAV_GLOBAL_POSITION_INT, "GLOBAL_POSITION_INT", 104, 28, 28},
    {HW_MAV_SERVO_OUTPUT_RAW, "SERVO_OUTPUT_RAW", 222, 21, 37},
    {HW_MAV_MISSION_REQUEST_LIST, "MISSION_REQUEST_LIST", 132, 2, 3},
    {HW_MAV_MISSION_COUNT, "MISSION_COUNT", 221, 4, 9},
    {HW_MAV_MISSION_CLEAR_ALL, "MISSION_CLEAR_ALL", 232, 2, 3},
    {HW_MAV_MISSION_ACK, "MISSION_ACK", 153, 3, 8},
    {HW_MAV_REQUEST_DATA_STREAM, "REQUEST_DATA_STREAM", 148, 6, 6},
    {HW_MAV_MANUAL_CONTROL, "MANUAL_CONTROL", 243, 11, 30},
    {HW_MAV_RC_CHANNELS_OVERRIDE, "RC_CHANNELS_OVERRIDE", 124, 18, 38},
    {HW_MAV_VFR_HUD, "VFR_HUD", 20, 20, 20},
    {HW_MAV_COMMAND_INT, "COMMAND_INT", 158, 35, 35},
    {HW_MAV_COMMAND_LONG, "COMMAND_LONG", 152, 33, 33},
    {HW_MAV_COMMAND_ACK, "COMMAND_ACK", 143, 3, 10},
    {HW_MAV_TIMESYNC, "TIMESYNC", 34, 16, 18},
    {HW_MAV_DISTANCE_SENSOR, "DISTANCE_SENSOR", 85, 14, 39},
    {HW_MAV_SCALED_PRESSURE2, "SCALED_PRESSURE2", 195, 14, 16},
    {HW_MAV_AUTOPILOT_VERSION, "AUTOPILOT_VERSION", 178, 60, 78},
    {HW_MAV_MESSAGE_INTERVAL, "MESSAGE_INTERVAL", 95, 6, 6},
    {HW_MAV_NAMED_VALUE_FLOAT, "NAMED_VALUE_FLOAT", 170, 18, 18},
    {HW_MAV_STATUSTEXT, "STATUSTEXT", 83, 51, 54},
};
#define INFO_COUNT ((int)(sizeof(g_infos) / sizeof(g_infos[0])))

const hwMavInfo* hwMav_FindInfo(uint32_t message) {
    for (int i = 0; i < INFO_COUNT; ++i) {
        if (g_infos[i].message == message) return &g_infos[i];
    }
    return NULL;
}

const hwMavInfo* hwMav_GetInfos(int* count) {
    *count = INFO_COUNT;
    return g_infos;
}

static uint16_t AddToCrc(uint16_t crc, const unsigned char* data, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; ++bit) crc = (uint16_t)(crc & 1 ? crc >> 1 ^ 0x8408 : crc >> 1);
    }
    return crc;
}

typedef enum ReadResult { READ_SHORT, READ_GOOD, READ_UNKNOWN, READ_BAD } ReadResult;

// A frame that begins with data[0]. *used: its bytes, when it is good or unknown.
static ReadResult ReadOne(const unsigned char* data, size_t size, hwMavFrame* frame, size_t* used) {
    bool two = data[0] == BEGIN_2;
    size_t head = two ? HEAD_2 : HEAD_1;
    if (size < head) return READ_SHORT;
    unsigned flags = two ? data[2] : 0;
    if ((flags & ~(unsigned)SIGNED) != 0) return READ_BAD;
    size_t payload = data[1], end = head + payload + 2;
    *used = end + (flags & SIGNED ? SIGNATURE : 0);
    if (size < *used) return READ_SHORT;
    memset(frame, 0, sizeof(*frame));
    frame->version = two ? 2 : 1;
    frame->sequence = data[two ? 4 : 2];
    frame->system = data[two ? 5 : 3];
    frame->component = data[two ? 6 : 4];
    frame->message = two ? (uint32_t)data[7] | (uint32_t)data[8] << 8 | (uint32_t)data[9] << 16 : data[5];
    frame->size = (uint8_t)payload;
    const hwMavInfo* info = hwMav_FindInfo(frame->message);
    if (info == NULL) return READ_UNKNOWN;
    uint16_t crc = AddToCrc(0xffff, data + 1, end - 3);
    crc = AddToCrc(crc, &info->extra, 1);
    if (data[end - 2] != (crc & 0xff) || data[end - 1] != crc >> 8) return READ_BAD;
    // newer definitions may have more fields than we know, version 1 has exactly the old ones
    if (!two && payload != info->size) return READ_BAD;
    memcpy(frame->payload, data + head, payload);
    return READ_GOOD;
}

size_t hwMav_Read(const unsigned char* data, size_t size, hwMavFrame* frame, bool* found,
                  hwMavCounters* counters) {
    size_t at = 0;
    *found = false;
    while (at < size) {
        if (data[at] != BEGIN_1 && data[at] != BEGIN_2) {
            counters->malformed += !counters->astray;
            counters->astray = true;
            counters->skipped += 1;
            at += 1;
            continue;
        }
        size_t used = 0;
        ReadResult result = ReadOne(data + at, size - at, frame, &used);
        if (result == READ_SHORT) return at;
        if (result == READ_BAD) {
            // its length may be part of what is wrong: the next frame may begin anywhere behind this byte
            counters->malformed += 1;
            counters->astray = true;
            at += 1;
            continue;
        }
        at += used;
        counters->astray = false;
        if (result == READ_UNKNOWN) {
            counters->unknown += 1;
            continue;
        }
        counters->frames += 1;
        *found = true;
        return at;
    }
    return at;
}

size_t hwMav_Write(const hwMavFrame* frame, unsigned char* data) {
    const hwMavInfo* info = hwMav_FindInfo(frame->message);
    if (info == NULL) return 0;
    size_t size = info->largest;
    while (size > 1 && frame->payload[size - 1] == 0) size -= 1;
    const unsigned char head[HEAD_2] = {BEGIN_2,
                                        (unsigned char)size,
                                        0,
                                        0,
                                        frame->sequence,
                                        frame->system,
                                        frame->component,
                                        (unsigned char)(frame->message & 0xff),
                                        (unsigned char)(frame->message >> 8 & 0xff),
                                        (unsigned char)(frame->message >> 16 & 0xff)};
    memcpy(data, head, HEAD_2);
    memcpy(data + HEAD_2, frame->payload, size);
    uint16_t crc = AddToCrc(0xffff, data + 1, HEAD_2 - 1 + size);
    crc = AddToCrc(crc, &info->extra, 1);
    data[HEAD_2 + size] = (unsigned char)(crc & 0xff);
    data[HEAD_2 + size + 1] = (unsigned char)(crc >> 8);
    return HEAD_2 + size + 2;
}

// Fields ---------------------------------------------------------------------------------------------------------------

static void Put(hwMavFrame* frame, int at, int size, uint64_t value) {
    for (int i = 0; i < size; ++i) frame->payload[at + i] = (unsigned char)(value >> 8 * i & 0xff);
}

static uint64_t Get(const hwMavFrame* frame, int at, int size) {
    uint64_t value = 0;
    for (int i = 0; i < size; ++i) value |= (uint64_t)frame->payload[at + i] << 8 * i;
    return value;
}

void hwMav_PutU8(hwMavFrame* frame, int at, unsigned value) {
    Put(frame, at, 1, value);
}

void hwMav_PutU16(hwMavFrame* frame, int at, unsigned value) {
    Put(frame, at, 2, value);
}

void hwMav_PutI16(hwMavFrame* frame, int at, int value) {
    Put(frame, at, 2, (uint16_t)value);
}

void hwMav_PutU32(hwMavFrame* frame, int at, uint32_t value) {
    Put(frame, at, 4, value);
}

void hwMav_PutI32(hwMavFrame* frame, int at, int32_t value) {
    Put(frame, at, 4, (uint32_t)value);
}

void hwMav_PutU64(hwMavFrame* frame, int at, uint64_t value) {
    Put(frame, at, 8, value);
}

void hwMav_PutFloat(hwMavFrame* frame, int at, double value) {
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof(bits));
    Put(frame, at, 4, bits);
}

void hwMav_PutText(hwMavFrame* frame, int at, int room, const char* text) {
    size_t length = strlen(text);
    memcpy(frame->payload + at, text, length < (size_t)room ? length : (size_t)room);
}

unsigned hwMav_GetU8(const hwMavFrame* frame, int at) {
    return frame->payload[at];
}

unsigned hwMav_GetU16(const hwMavFrame* frame, int at) {
    return (unsigned)Get(frame, at, 2);
}

int hwMav_GetI16(const hwMavFrame* frame, int at) {
    int value = (int)Get(frame, at, 2);
    return value < 0x8000 ? value : value - 0x10000;
}

uint32_t hwMav_GetU32(const hwMavFrame* frame, int at) {
    return (uint32_t)Get(frame, at, 4);
}

int32_t hwMav_GetI32(const hwMavFrame* frame, int at) {
    int64_t value = (int64_t)Get(frame, at, 4);
    return (int32_t)(value < 0x80000000LL ? value : value - 0x100000000LL);
}

uint64_t hwMav_GetU64(const hwMavFrame* frame, int at) {
    return Get(frame, at, 8);
}

double hwMav_GetFloat(const hwMavFrame* frame, int at) {
    uint32_t bits = hwMav_GetU32(frame, at);
    float single;
    memcpy(&single, &bits, sizeof(single));
    return (double)single;
}

void hwMav_GetText(const hwMavFrame* frame, int at, int room, char* text) {
    memcpy(text, frame->payload + at, (size_t)room);
    text[room] = 0;
}
