// Frames of MAVLink: known bytes, damage, what comes between.
#include "connect/mavlink.h"

#include "support.h"

// A heartbeat of ArduSub as node-mavlink 2.3.0 reads it; packed by hand.
static const unsigned char g_heartbeat[] = {0xfd, 0x09, 0x00, 0x00, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0x13,
                                            0x00, 0x00, 0x00, 0x0c, 0x03, 0x51, 0x03, 0x03, 0x7b, 0x0d};

static void test_KnownBytes(void** state) {
    (void)state;
    hwMavFrame frame = {.message = HW_MAV_HEARTBEAT, .system = 1, .component = 1};
    unsigned char data[HW_MAV_LARGEST];
    hwMav_PutU32(&frame, 0, 19);
    hwMav_PutU8(&frame, 4, 12);
    hwMav_PutU8(&frame, 5, 3);
    hwMav_PutU8(&frame, 6, 0x51);
    hwMav_PutU8(&frame, 7, 3);
    hwMav_PutU8(&frame, 8, 3);
    assert_int_equal(hwMav_Write(&frame, data), sizeof(g_heartbeat));
    assert_memory_equal(data, g_heartbeat, sizeof(g_heartbeat));
    hwMavCounters counters = {0};
    bool found;
    assert_int_equal(hwMav_Read(data, sizeof(g_heartbeat), &frame, &found, &counters), sizeof(g_heartbeat));
    assert_true(found);
    assert_int_equal(hwMav_GetU32(&frame, 0), 19);
    assert_int_equal(frame.system, 1);
    assert_int_equal(counters.frames, 1);
}

static void test_FieldsComeBack(void** state) {
    (void)state;
    hwMavFrame frame = {.message = HW_MAV_COMMAND_LONG}, back;
    unsigned char data[HW_MAV_LARGEST];
    hwMav_PutFloat(&frame, 0, -1.5);
    hwMav_PutI16(&frame, 4, -12345);
    hwMav_PutI32(&frame, 8, -123456789);
    hwMav_PutU64(&frame, 16, 0x123456789abcdef0u);
    hwMav_PutText(&frame, 24, 4, "longer than four");
    hwMavCounters counters = {0};
    bool found;
    size_t size = hwMav_Write(&frame, data);
    hwMav_Read(data, size, &back, &found, &counters);
    assert_true(found);
    char text[5];
    hwMav_GetText(&back, 24, 4, text);
    assert_close(hwMav_GetFloat(&back, 0), -1.5, 0.0);
    assert_int_equal(hwMav_GetI16(&back, 4), -12345);
    assert_int_equal(hwMav_GetI32(&back, 8), -123456789);
    assert_true(hwMav_GetU64(&back, 16) == 0x123456789abcdef0u);
    assert_string_equal(text, "long");
    // zeros at the end are not sent, but one byte always is
    hwMavFrame empty = {.message = HW_MAV_COMMAND_LONG};
    assert_int_equal(hwMav_Write(&empty, data), 10 + 1 + 2);
}

// Whatever one byte becomes, the frame is not taken for good; every byte counts.
static void test_EveryChangedByteIsNoticed(void** state) {
    (void)state;
    for (size_t at = 1; at < sizeof(g_heartbeat); ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            unsigned char data[sizeof(g_heartbeat)];
            memcpy(data, g_heartbeat, sizeof(data));
            data[at] ^= (unsigned char)(1 << bit);
            hwMavFrame frame;
            hwMavCounters counters = {0};
            bool found;
            size_t used = hwMav_Read(data, sizeof(data), &frame, &found, &counters);
            assert_false(found);
            // counted as malformed or unknown, or it says it is longer than what there is
            bool whole = used == sizeof(data);
            assert_true(counters.malformed + counters.unknown > 0 || !whole);
        }
    }
}

// Reads `size` bytes that come one at a time; returns the number of frames.
static int ReadByBytes(const unsigned char* data, size_t size, hwMavCounters* counters) {
    unsigned char buffer[400];
    size_t kept = 0;
    int frames = 0;
    for (size_t at = 0; at < size; ++at) {
        buffer[kept++] = data[at];
        bool found = true;
        while (found && kept > 0) {
            hwMavFrame frame;
            size_t used = hwMav_Read(buffer, kept, &frame, &found, counters);
            frames += found;
            memmove(buffer, buffer + used, kept - used);
            kept -= used;
        }
    }
    return frames;
}

static void test_FramesAreFoundBetweenNoise(void** state) {
    (void)state;
    // noise; a frame; a beginning that says it is 9 bytes long and is not; a frame
    unsigned char data[200];
    size_t size = 0;
    memcpy(data, "noise", 5);
    size = 5;
    memcpy(data + size, g_heartbeat, sizeof(g_heartbeat));
    size += sizeof(g_heartbeat);
    memcpy(data + size, g_heartbeat, 12);
    size += 12;
    memcpy(data + size, g_heartbeat, sizeof(g_heartbeat));
    size += sizeof(g_heartbeat);
    hwMavCounters counters = {0};
    assert_int_equal(ReadByBytes(data, size, &counters), 2);
    assert_int_equal(counters.frames, 2);
    assert_int_equal(counters.malformed, 2);    // the noise, too
    assert_int_equal(counters.skipped, 5 + 11); // a damaged frame's bytes but its first are looked at again
}

static void test_SignedAndOldFrames(void** state) {
    (void)state;
    // the same heartbeat in version 1, and in version 2 with the flag of a signature and 13 bytes behind
    static const unsigned char old[] = {0xfe, 0x09, 0x00, 0x01, 0x01, 0x00, 0x13, 0x00, 0x00,
                                        0x00, 0x0c, 0x03, 0x51, 0x03, 0x03, 0xe1, 0xce};
    unsigned char data[sizeof(g_heartbeat) + 13] = {0};
    memcpy(data, g_heartbeat, sizeof(g_heartbeat));
    data[2] = 1;
    data[19] = 0x9c;
    data[20] = 0xf5;
    hwMavFrame frame;
    hwMavCounters counters = {0};
    bool found;
    assert_int_equal(hwMav_Read(old, sizeof(old), &frame, &found, &counters), sizeof(old));
    assert_true(found);
    assert_int_equal(frame.version, 1);
    assert_int_equal(hwMav_GetU8(&frame, 4), 12);
    assert_int_equal(hwMav_Read(data, sizeof(data) - 1, &frame, &found, &counters), 0); // not whole yet
    assert_false(found);
    assert_int_equal(hwMav_Read(data, sizeof(data), &frame, &found, &counters), sizeof(data));
    assert_true(found);
    assert_int_equal(counters.malformed, 0);
    data[2] = 2; // a flag that is not known
    hwMav_Read(data, sizeof(data), &frame, &found, &counters);
    assert_false(found);
    assert_int_equal(counters.malformed, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_KnownBytes),
        cmocka_unit_test(test_FieldsComeBack),
        cmocka_unit_test(test_EveryChangedByteIsNoticed),
        cmocka_unit_test(test_FramesAreFoundBetweenNoise),
        cmocka_unit_test(test_SignedAndOldFrames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
