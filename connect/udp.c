#define _GNU_SOURCE // MSG_DONTWAIT, close
#include "connect/udp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool Fail(hwError* error, const char* hint, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

static bool Fail(hwError* error, const char* hint, const char* format, ...) {
    if (error == NULL) return false;
    memset(error, 0, sizeof(*error));
    error->status = HW_ERROR_ARGUMENT;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    if (hint != NULL) snprintf(error->hint, sizeof(error->hint), "%s", hint);
    return false;
}

static bool ParsePort(const char* text, int* port) {
    char* end = NULL;
    long number = strtol(text, &end, 10);
    *port = (int)number;
    return *text >= '0' && *text <= '9' && *end == 0 && number >= 1 && number <= 65535;
}

bool hwUdpAddress_Parse(hwUdpAddress* address, const char* text, const char* what, hwError* error) {
    char host[64] = "127.0.0.1";
    const char* colon = strrchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : 0;
    int port = 0;
    memset(address, 0, sizeof(*address));
    if (!ParsePort(colon != NULL ? colon + 1 : text, &port) || length >= sizeof(host) ||
        (colon != NULL && length == 0)) {
        return Fail(error,
                    "a numeric address and a port from 1 to 65535, as in 127.0.0.1:9002, or the port alone",
                    "%s: \"%s\" is no address with a port", what, text);
    }
    if (colon != NULL) {
        bool brackets = text[0] == '[' && length > 2 && text[length - 1] == ']';
        snprintf(host, sizeof(host), "%.*s", (int)(brackets ? length - 2 : length),
                 text + (brackets ? 1 : 0));
        if (strcmp(host, "localhost") == 0) snprintf(host, sizeof(host), "127.0.0.1");
    }
    if (inet_pton(AF_INET, host, &address->at.four.sin_addr) == 1) {
        address->at.four.sin_family = AF_INET;
        address->at.four.sin_port = htons((uint16_t)port);
        address->size = sizeof(address->at.four);
        return true;
    }
    if (inet_pton(AF_INET6, host, &address->at.six.sin6_addr) == 1) {
        address->at.six.sin6_family = AF_INET6;
        address->at.six.sin6_port = htons((uint16_t)port);
        address->size = sizeof(address->at.six);
        return true;
    }
    return Fail(error, "names of hosts are not looked up", "%s: \"%s\" is no numeric address", what, host);
}

bool hwUdpAddress_IsLoopback(const hwUdpAddress* address) {
    if (address->at.any.sa_family == AF_INET) return ntohl(address->at.four.sin_addr.s_addr) >> 24 == 127;
    return IN6_IS_ADDR_LOOPBACK(&address->at.six.sin6_addr);
}

bool hwUdpAddress_IsSame(const hwUdpAddress* one, const hwUdpAddress* other) {
    if (one->at.any.sa_family != other->at.any.sa_family) return false;
    if (one->at.any.sa_family == AF_INET) {
        return one->at.four.sin_port == other->at.four.sin_port &&
               one->at.four.sin_addr.s_addr == other->at.four.sin_addr.s_addr;
    }
    return one->at.six.sin6_port == other->at.six.sin6_port &&
           memcmp(&one->at.six.sin6_addr, &other->at.six.sin6_addr, sizeof(one->at.six.sin6_addr)) == 0;
}

int hwUdpAddress_GetPort(const hwUdpAddress* address) {
    return ntohs(address->at.any.sa_family == AF_INET ? address->at.four.sin_port
                                                      : address->at.six.sin6_port);
}

void hwUdpAddress_Print(const hwUdpAddress* address, char* text, size_t size) {
    char host[INET6_ADDRSTRLEN] = "?";
    bool four = address->at.any.sa_family == AF_INET;
    const void* number = four ? (const void*)&address->at.four.sin_addr : &address->at.six.sin6_addr;
    inet_ntop(four ? AF_INET : AF_INET6, number, host, sizeof(host));
    snprintf(text, size, four ? "%s:%d" : "[%s]:%d", host, hwUdpAddress_GetPort(address));
}

int hwUdp_Open(hwUdpAddress* address, hwError* error) {
    int fd = socket(address->at.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    char text[80];
    int room = 1 << 20; // bytes that wait while a step is taken; the system gives what it allows
    hwUdpAddress_Print(address, text, sizeof(text));
    if (fd >= 0) (void)!setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
    if (fd < 0 || bind(fd, &address->at.any, address->size) != 0 ||
        getsockname(fd, &address->at.any, &address->size) != 0) {
        Fail(error, errno == EADDRINUSE ? "another program has this port; give another one" : NULL,
             "cannot listen on %s: %s", text, strerror(errno));
        if (fd >= 0) close(fd);
        return -1;
    }
    return fd;
}

int hwUdp_OpenFor(const hwUdpAddress* peer, hwError* error) {
    hwUdpAddress own = *peer;
    bool loopback = hwUdpAddress_IsLoopback(peer);
    if (own.at.any.sa_family == AF_INET) {
        own.at.four.sin_port = 0;
        if (!loopback) own.at.four.sin_addr.s_addr = htonl(INADDR_ANY);
    } else {
        own.at.six.sin6_port = 0;
        if (!loopback) own.at.six.sin6_addr = in6addr_any;
    }
    return hwUdp_Open(&own, error);
}

// Datagrams go to the socket that is connected to their sender, else to the one that is connected to nobody. The first one shares its
// port only now, after it was bound: another program that binds the port still fails.
int hwUdp_OpenBeside(int listener, const hwUdpAddress* own, const hwUdpAddress* peer) {
    int one = 1, room = 1 << 20;
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one)) != 0) return -1;
    int fd = socket(own->at.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    (void)!setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one)) == 0 &&
        bind(fd, &own->at.any, own->size) == 0 && connect(fd, &peer->at.any, peer->size) == 0)
        return fd;
    close(fd);
    return -1;
}

uint32_t hwUdp_GetLost(int socket) {
#if defined(SO_MEMINFO)
    uint32_t numbers[16] = {0}; // SK_MEMINFO_DROPS is the ninth
    socklen_t size = sizeof(numbers);
    if (getsockopt(socket, SOL_SOCKET, SO_MEMINFO, numbers, &size) == 0 && size > 8 * sizeof(numbers[0]))
        return numbers[8];
#endif
    (void)socket;
    return 0;
}

void hwUdp_Wait(int socket, double timeout) {
    struct pollfd wait = {.fd = socket, .events = POLLIN};
    poll(&wait, 1, (int)(1000.0 * timeout + 0.999));
}

long hwUdp_Receive(int socket, void* data, size_t size, hwUdpAddress* from) {
    memset(from, 0, sizeof(*from));
    from->size = sizeof(from->at);
    // an error that an earlier datagram of ours met (its port was closed) comes once: look again behind it
    for (int i = 0; i < 2; ++i) {
        ssize_t got = recvfrom(socket, data, size, MSG_DONTWAIT, &from->at.any, &from->size);
        if (got >= 0) return (long)got;
        if (errno != ECONNREFUSED && errno != EINTR) return -1;
    }
    return -1;
}

bool hwUdp_Send(int socket, const void* data, size_t size, const hwUdpAddress* to) {
    return sendto(socket, data, size, MSG_DONTWAIT | MSG_NOSIGNAL, &to->at.any, to->size) == (ssize_t)size;
}
