// The library that speaks HTTP and WebSocket cannot be trusted with this: asked for "127.0.0.1", libwebsockets 4.1.6 binds
// an IPv6 socket to every address. It is handed connections instead, accepted from sockets that are bound and checked here.
#define _GNU_SOURCE // SOCK_CLOEXEC, getifaddrs
#include "apps/server/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_PORT 8420
#define MOST_PORTS 40
#define BACKLOG 128 // connections that the system keeps until they are accepted

static void Listen_Fail(hwError* error, hwStatus status, const char* message, const char* hint) {
    if (error == NULL) return;
    memset(error, 0, sizeof(*error));
    error->status = status;
    error->index = -1;
    snprintf(error->message, sizeof(error->message), "%s", message);
    snprintf(error->hint, sizeof(error->hint), "%s", hint);
}

// Addresses --------------------------------------------------------------------------------------------------------------

static bool Listener_Parse(hwWebListener* listener, const char* text) {
    char address[INET6_ADDRSTRLEN + IF_NAMESIZE + 4];
    size_t length = strlen(text);
    memset(listener, 0, sizeof(*listener));
    listener->fd = -1;
    if (length >= 2 && text[0] == '[' && text[length - 1] == ']') text += 1, length -= 2;
    if (length == 0 || length >= sizeof(address)) return false;
    memcpy(address, text, length);
    address[length] = 0;
    if (inet_pton(AF_INET, address, &listener->address.four.sin_addr) == 1) {
        listener->address.four.sin_family = AF_INET;
        return true;
    }
    char* zone = strchr(address, '%');
    if (zone != NULL) {
        *zone = 0;
        listener->address.six.sin6_scope_id = if_nametoindex(zone + 1);
        if (listener->address.six.sin6_scope_id == 0) return false;
    }
    if (inet_pton(AF_INET6, address, &listener->address.six.sin6_addr) != 1) return false;
    listener->address.six.sin6_family = AF_INET6;
    // an IPv4 address in IPv6 clothes would have to be bound by a socket that serves both
    return !IN6_IS_ADDR_V4MAPPED(&listener->address.six.sin6_addr);
}

static bool Listeners_Add(hwWebListeners* listeners, const char* text) {
    if (listeners->count >= MOST_LISTENERS) return false;
    if (!Listener_Parse(&listeners->items[listeners->count], text)) return false;
    listeners->count += 1;
    return true;
}

static bool Listeners_AddLocalhost(hwWebListeners* listeners) {
    if (!Listeners_Add(listeners, "127.0.0.1") || !Listeners_Add(listeners, "::1")) return false;
    listeners->items[listeners->count - 1].mayLack = true;
    return true;
}

bool hwWebListeners_Parse(hwWebListeners* listeners, const char* addresses, hwError* error) {
    memset(listeners, 0, sizeof(*listeners));
    if (addresses == NULL) addresses = "localhost";
    for (const char* at = addresses;; ++at) {
        char text[128], message[256];
        size_t length = strcspn(at, ",");
        snprintf(text, sizeof(text), "%.*s", (int)(length < sizeof(text) ? length : sizeof(text) - 1), at);
        bool good = strcmp(text, "localhost") == 0 ? Listeners_AddLocalhost(listeners)
                                                   : Listeners_Add(listeners, text);
        if (!good) {
            snprintf(message, sizeof(message),
                     "cannot listen on \"%.100s\": it is no address of this machine", text);
            Listen_Fail(error, HW_ERROR_ARGUMENT, message,
                        "give numeric addresses: 127.0.0.1, ::1, 192.0.2.7, or 0.0.0.0 and :: for all of "
                        "IPv4 and IPv6");
            return false;
        }
        at += length;
        if (*at == 0) return true;
    }
}

bool hwWebListeners_AreLoopback(const hwWebListeners* listeners) {
    for (int i = 0; i < listeners->count; ++i) {
        const hwWebListener* listener = &listeners->items[i];
        bool loopback = listener->address.any.sa_family == AF_INET
                            ? ntohl(listener->address.four.sin_addr.s_addr) >> 24 == 127
                            : IN6_IS_ADDR_LOOPBACK(&listener->address.six.sin6_addr);
        if (!loopback) return false;
    }
    return true;
}

bool hwWebListener_IsWildcard(const hwWebListener* listener) {
    return listener->address.any.sa_family == AF_INET
               ? listener->address.four.sin_addr.s_addr == htonl(INADDR_ANY)
               : IN6_IS_ADDR_UNSPECIFIED(&listener->address.six.sin6_addr);
}

void hwWebListener_Print(const hwWebListener* listener, char* text, size_t size) {
    char address[INET6_ADDRSTRLEN] = "", zone[IF_NAMESIZE] = "";
    bool six = listener->address.any.sa_family == AF_INET6;
    if (six) {
        inet_ntop(AF_INET6, &listener->address.six.sin6_addr, address, sizeof(address));
        if (listener->address.six.sin6_scope_id != 0)
            if_indextoname(listener->address.six.sin6_scope_id, zone);
    } else {
        inet_ntop(AF_INET, &listener->address.four.sin_addr, address, sizeof(address));
    }
    snprintf(text, size, "%s%s%s", address, zone[0] != 0 ? "%" : "", zone);
}

void hwWebListener_PrintReachable(const hwWebListener* listener, char* text, size_t size) {
    struct ifaddrs* all = NULL;
    if (getifaddrs(&all) != 0) return;
    for (const struct ifaddrs* at = all; at != NULL; at = at->ifa_next) {
        if (at->ifa_addr == NULL || at->ifa_addr->sa_family != listener->address.any.sa_family) continue;
        if ((at->ifa_flags & IFF_UP) == 0 || (at->ifa_flags & IFF_LOOPBACK) != 0) continue;
        hwWebListener own = {.fd = -1};
        bool six = at->ifa_addr->sa_family == AF_INET6;
        memcpy(&own.address, at->ifa_addr, six ? sizeof(own.address.six) : sizeof(own.address.four));
        if (six && IN6_IS_ADDR_LINKLOCAL(&own.address.six.sin6_addr)) continue;
        hwWebListener_Print(&own, text, size);
        break;
    }
    freeifaddrs(all);
}

// Sockets ----------------------------------------------------------------------------------------------------------------

// What the system says that the socket is bound to must be what was asked for.
static bool Listener_IsAsAsked(const hwWebListener* listener) {
    hwWebListener got = {.fd = -1};
    socklen_t size = sizeof(got.address);
    int listens = 0, only = 0;
    socklen_t listensSize = sizeof(listens), onlySize = sizeof(only);
    if (getsockname(listener->fd, &got.address.any, &size) != 0) return false;
    if (getsockopt(listener->fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &listensSize) != 0 || listens == 0)
        return false;
    if (got.address.any.sa_family != listener->address.any.sa_family) return false;
    if (got.address.any.sa_family == AF_INET) {
        return got.address.four.sin_port == listener->address.four.sin_port &&
               got.address.four.sin_addr.s_addr == listener->address.four.sin_addr.s_addr;
    }
    if (getsockopt(listener->fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, &onlySize) != 0 || only == 0) return false;
    return got.address.six.sin6_port == listener->address.six.sin6_port &&
           memcmp(&got.address.six.sin6_addr, &listener->address.six.sin6_addr, sizeof(struct in6_addr)) == 0;
}

// 0, or the number of the error; EPROTO when the socket is bound to something else.
static int Listener_Open(hwWebListener* listener, int port) {
    bool six = listener->address.any.sa_family == AF_INET6;
    int one = 1, fault = 0;
    if (six) {
        listener->address.six.sin6_port = htons((uint16_t)port);
    } else {
        listener->address.four.sin_port = htons((uint16_t)port);
    }
    listener->fd =
        socket(listener->address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP);
    if (listener->fd < 0) return errno;
    // after a restart the port is free at once; two that listen there are refused all the same
    if (setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) != 0 ||
        (six && setsockopt(listener->fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one)) != 0) ||
        bind(listener->fd, &listener->address.any,
             six ? sizeof(listener->address.six) : sizeof(listener->address.four)) != 0 ||
        listen(listener->fd, BACKLOG) != 0) {
        fault = errno;
    } else if (!Listener_IsAsAsked(listener)) {
        fault = EPROTO;
    }
    if (fault == 0) return 0;
    close(listener->fd);
    listener->fd = -1;
    return fault;
}

void hwWebListeners_Close(hwWebListeners* listeners) {
    for (int i = 0; i < listeners->count; ++i) {
        if (listeners->items[i].fd >= 0) close(listeners->items[i].fd);
        listeners->items[i].fd = -1;
    }
}

// All or none; *which is the one that failed.
static int Listeners_OpenPort(hwWebListeners* listeners, int port, int* which) {
    listeners->port = port;
    for (int i = 0; i < listeners->count; ++i) {
        int fault = Listener_Open(&listeners->items[i], port);
        bool lacking = fault == EADDRNOTAVAIL || fault == EAFNOSUPPORT || fault == EPROTONOSUPPORT;
        if (fault == 0 || (lacking && listeners->items[i].mayLack)) continue;
        *which = i;
        hwWebListeners_Close(listeners);
        return fault;
    }
    return 0;
}

static void Listeners_Complain(const hwWebListener* listener, int first, int last, int fault,
                               hwError* error) {
    char address[80], ports[48], message[256];
    hwWebListener_Print(listener, address, sizeof(address));
    snprintf(ports, sizeof(ports), first == last ? "port %d" : "ports %d to %d", first, last);
    const char* hint = "";
    const char* why = strerror(fault);
    if (fault == EADDRINUSE) {
        why = "another program uses it";
        hint = "try --port with another number";
    } else if (fault == EADDRNOTAVAIL) {
        why = "this machine does not have that address";
        hint = "\"ip address\" lists those that it has";
    } else if (fault == EACCES) {
        why = "that is not allowed";
        hint = "ports below 1024 belong to the administrator; try --port with another number";
    } else if (fault == EPROTO) {
        why = "the system bound the socket to another address";
    }
    snprintf(message, sizeof(message), "cannot listen on %s of %s: %s", ports, address, why);
    Listen_Fail(error, HW_ERROR_FILE, message, hint);
}

hwStatus hwWebListeners_Open(hwWebListeners* listeners, int port, hwError* error) {
    int first = port > 0 ? port : FIRST_PORT;
    int last = port > 0 ? port : FIRST_PORT + MOST_PORTS - 1;
    int fault = 0, which = 0;
    for (int i = first; i <= last; ++i) {
        fault = Listeners_OpenPort(listeners, i, &which);
        if (fault == 0) return HW_OK;
        if (fault != EADDRINUSE) last = i; // another port would not help
    }
    Listeners_Complain(&listeners->items[which], first, last, fault, error);
    return HW_ERROR_FILE;
}
