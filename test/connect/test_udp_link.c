// A link's delay and losses, both ways.
#define _GNU_SOURCE
#include "connect/udp_link.h"

#include "support.h"

#include <unistd.h>

static int Open(hwUdpAddress* at) {
    hwError error;
    assert_true(hwUdpAddress_Parse(at, "1", "test", &error));
    at->at.four.sin_port = 0;
    int socket = hwUdp_Open(at, &error);
    if (socket < 0) fail_msg("%s", error.message);
    return socket;
}

static long Wait(int socket, void* data, size_t size, hwUdpAddress* from) {
    hwUdp_Wait(socket, 1.0);
    return hwUdp_Receive(socket, data, size, from);
}

static void test_DatagramsComeLateAndInOrder(void** state) {
    (void)state;
    hwUdpAddress vehicle, pilot, from;
    char data[64];
    int socket = Open(&vehicle), peer = Open(&pilot);
    hwUdpLink* link = hwCreateUdpLink(socket, &(hwUdpLinkDef){.latency = 0.5});
    assert_non_null(link);
    assert_true(hwUdp_Send(peer, "one", 3, &vehicle));
    hwUdp_Wait(socket, 1.0);
    assert_int_equal(hwUdpLink_Receive(link, 10.0, data, sizeof(data), &from), -1);
    assert_true(hwUdp_Send(peer, "three", 5, &vehicle));
    hwUdp_Wait(socket, 1.0);
    assert_int_equal(hwUdpLink_Receive(link, 10.4, data, sizeof(data), &from), -1);
    assert_int_equal(hwUdpLink_Receive(link, 10.6, data, sizeof(data), &from), 3);
    assert_memory_equal(data, "one", 3);
    assert_true(hwUdpAddress_IsSame(&from, &pilot));
    assert_int_equal(hwUdpLink_Receive(link, 10.6, data, sizeof(data), &from), -1);
    assert_int_equal(hwUdpLink_Receive(link, 10.95, data, sizeof(data), &from), 5);
    // and back
    assert_true(hwUdpLink_Send(link, 20.0, "answer", 6, &pilot));
    hwUdpLink_Update(link, 20.4);
    assert_int_equal(hwUdp_Receive(peer, data, sizeof(data), &from), -1);
    hwUdpLink_Update(link, 20.6);
    assert_int_equal(Wait(peer, data, sizeof(data), &from), 6);
    hwDestroyUdpLink(link);
    close(peer);
}

static void test_ShareOfDatagramsIsLost(void** state) {
    (void)state;
    hwUdpAddress vehicle, pilot, from;
    char data[64];
    int socket = Open(&vehicle), peer = Open(&pilot), got = 0;
    hwUdpLink* link = hwCreateUdpLink(socket, &(hwUdpLinkDef){.loss = 0.25, .seed = 3});
    for (int i = 0; i < 2000; ++i) {
        assert_true(hwUdp_Send(peer, "x", 1, &vehicle));
        hwUdp_Wait(socket, 1.0);
        got += hwUdpLink_Receive(link, (double)i, data, sizeof(data), &from) == 1;
    }
    // binomial: 1500 +- 19.4; four of them
    assert_close(got, 1500.0, 78.0);
    assert_int_equal(hwUdpLink_GetLost(link), 2000 - got);
    hwDestroyUdpLink(link);
    close(peer);
}

// More under way than there is room for: the rest is not taken, and nothing breaks.
static void test_FullQueueRefuses(void** state) {
    (void)state;
    hwUdpAddress vehicle, pilot;
    int socket = Open(&vehicle), peer = Open(&pilot), sent = 0;
    hwUdpLink* link = hwCreateUdpLink(socket, &(hwUdpLinkDef){.latency = 1.0});
    for (int i = 0; i < 1000; ++i) sent += hwUdpLink_Send(link, 0.0, "x", 1, &pilot);
    assert_int_equal(sent, HW_LINK_QUEUE);
    hwUdpLink_Update(link, 2.0);
    assert_true(hwUdpLink_Send(link, 2.0, "x", 1, &pilot));
    hwDestroyUdpLink(link);
    close(peer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_DatagramsComeLateAndInOrder),
        cmocka_unit_test(test_ShareOfDatagramsIsLost),
        cmocka_unit_test(test_FullQueueRefuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
