// Frames of MAVLink 2, and of MAVLink 1 where they come in: reading from a stream of bytes, writing, fields.
//
// A frame of version 2: FD, length, incompatible flags, compatible flags, sequence, system, component, message (3 bytes, little-
// endian), payload, checksum. The checksum is the CRC of X.25 as in HDLC (polynomial 1021, reflected, begun with FFFF) over all
// after the first byte, and then over one byte that depends on the message's fields (CRC_EXTRA), so that peers with another
// idea of a message do not misread it. Zeros at the end of a payload are not sent. Signatures are skipped, not checked.
#ifndef HW_CONNECT_MAVLINK_H
#define HW_CONNECT_MAVLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HW_MAV_PAYLOAD 255 // bytes
#define HW_MAV_LARGEST (10 + HW_MAV_PAYLOAD + 2 + 13)

typedef enum hwMavMessage {
    HW_MAV_HEARTBEAT = 0,
    HW_MAV_SYS_STATUS = 1,
    HW_MAV_SYSTEM_TIME = 2,
    HW_MAV_PING = 4,
    HW_MAV_SET_MODE = 11,
    HW_MAV_PARAM_REQUEST_READ = 20,
    HW_MAV_PARAM_REQUEST_LIST = 21,
    HW_MAV_PARAM_VALUE = 22,
    HW_MAV_PARAM_SET = 23,
    HW_MAV_SCALED_PRESSURE = 29,
    HW_MAV_ATTITUDE = 30,
    HW_MAV_ATTITUDE_QUATERNION = 31,
    HW_MAV_LOCAL_POSITION_NED = 32,
    HW_MAV_GLOBAL_POSITION_INT = 33,
    HW_MAV_SERVO_OUTPUT_RAW = 36,
    HW_MAV_MISSION_REQUEST_LIST = 43,
    HW_MAV_MISSION_COUNT = 44,
    HW_MAV_MISSION_CLEAR_ALL = 45,
    HW_MAV_MISSION_ACK = 47,
    HW_MAV_REQUEST_DATA_STREAM = 66,
    HW_MAV_MANUAL_CONTROL = 69,
    HW_MAV_RC_CHANNELS_OVERRIDE = 70,
    HW_MAV_VFR_HUD = 74,
    HW_MAV_COMMAND_INT = 75,
    HW_MAV_COMMAND_LONG = 76,
    HW_MAV_COMMAND_ACK = 77,
    HW_MAV_TIMESYNC = 111,
    HW_MAV_DISTANCE_SENSOR = 132,
    HW_MAV_SCALED_PRESSURE2 = 137,
    HW_MAV_AUTOPILOT_VERSION = 148,
    HW_MAV_MESSAGE_INTERVAL = 244,
    HW_MAV_NAMED_VALUE_FLOAT = 251,
    HW_MAV_STATUSTEXT = 253
} hwMavMessage;

// What is known of a message; null: nothing, so that its checksum cannot be checked.
typedef struct hwMavInfo {
    uint32_t message;
    const char* name;
    uint8_t extra;   // CRC_EXTRA
    uint8_t size;    // bytes of the payload without extensions
    uint8_t largest; // with them
} hwMavInfo;

const hwMavInfo* hwMav_FindInfo(uint32_t message);
// All of them, by number.
const hwMavInfo* hwMav_GetInfos(int* count);

typedef struct hwMavFrame {
    uint32_t message;
    uint8_t version; // 1 or 2
    uint8_t sequence, system, component;
    uint8_t size;                              // of the payload as it came
    unsigned char payload[HW_MAV_PAYLOAD + 1]; // zeros behind what came
} hwMavFrame;

typedef struct hwMavCounters {
    uint64_t frames;  // good
    uint64_t unknown; // of messages that are not known: not checked, skipped
    uint64_t
        malformed; // a wrong checksum or length, flags that are not understood, or a stretch of bytes that are no frame
    uint64_t skipped; // bytes between frames
    bool astray; // in such a stretch, or behind a malformed frame; readers of datagrams clear it at each one
} hwMavCounters;

// Finds the next good frame in `data` and returns how many bytes are done with; fewer than `size` when a frame was found or the
// last one is not whole yet. *found: `frame` is one.
size_t hwMav_Read(const unsigned char* data, size_t size, hwMavFrame* frame, bool* found,
                  hwMavCounters* counters);

// Writes a frame of version 2 with the payload of a known message; returns its size. The frame's fields but `size` count; its
// payload has the message's largest size.
size_t hwMav_Write(const hwMavFrame* frame, unsigned char* data);

// Fields, little-endian, at an offset of the payload.
void hwMav_PutU8(hwMavFrame* frame, int at, unsigned value);
void hwMav_PutU16(hwMavFrame* frame, int at, unsigned value);
void hwMav_PutI16(hwMavFrame* frame, int at, int value);
void hwMav_PutU32(hwMavFrame* frame, int at, uint32_t value);
void hwMav_PutI32(hwMavFrame* frame, int at, int32_t value);
void hwMav_PutU64(hwMavFrame* frame, int at, uint64_t value);
void hwMav_PutFloat(hwMavFrame* frame, int at, double value);
// A text of at most `room` bytes; zero-terminated only when it is shorter.
void hwMav_PutText(hwMavFrame* frame, int at, int room, const char* text);
unsigned hwMav_GetU8(const hwMavFrame* frame, int at);
unsigned hwMav_GetU16(const hwMavFrame* frame, int at);
int hwMav_GetI16(const hwMavFrame* frame, int at);
uint32_t hwMav_GetU32(const hwMavFrame* frame, int at);
int32_t hwMav_GetI32(const hwMavFrame* frame, int at);
uint64_t hwMav_GetU64(const hwMavFrame* frame, int at);
double hwMav_GetFloat(const hwMavFrame* frame, int at);
// `text` has room for one byte more than `room`.
void hwMav_GetText(const hwMavFrame* frame, int at, int room, char* text);

#endif
