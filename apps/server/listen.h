// Listening sockets: exactly the addresses that were asked for, and no others.
#ifndef HW_SERVER_LISTEN_H
#define HW_SERVER_LISTEN_H

#include "hawser/base.h"

#include <netinet/in.h>
#include <sys/socket.h>

#define MOST_LISTENERS 8

typedef struct hwWebListener {
    int fd; // -1: not open
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } address;
    bool mayLack; // ::1 of "localhost": machines without IPv6 do not have it
} hwWebListener;

typedef struct hwWebListeners {
    int count;
    int port;
    hwWebListener items[MOST_LISTENERS];
} hwWebListeners;

// Reads addresses as --listen has them: one or more numeric IPv4 or IPv6 addresses (the latter with or without brackets),
// separated by commas, or "localhost", which null means too: 127.0.0.1 and, where the machine has it, ::1. False: they are
// not that, and `error` says which. Names of hosts and interfaces are refused: what they stand for may change.
bool hwWebListeners_Parse(hwWebListeners* listeners, const char* addresses, hwError* error);
// Whether no other machine can connect.
bool hwWebListeners_AreLoopback(const hwWebListeners* listeners);

// Binds all addresses to one port, `port` or, when that is 0, the first from 8420 that is free on all of them. Each socket
// is compared, by getsockname, with the address that was given. On failure nothing stays open.
hwStatus hwWebListeners_Open(hwWebListeners* listeners, int port, hwError* error);
void hwWebListeners_Close(hwWebListeners* listeners);

bool hwWebListener_IsWildcard(const hwWebListener* listener);
// The address alone, "127.0.0.1" or "::1".
void hwWebListener_Print(const hwWebListener* listener, char* text, size_t size);
// An address of this machine, of the same family, by which others can reach it; `text` is left as it is when there is none.
void hwWebListener_PrintReachable(const hwWebListener* listener, char* text, size_t size);

#endif
