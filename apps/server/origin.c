#define _POSIX_C_SOURCE 200809L
#include "apps/server/origin.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Cuts "name:port" or "[address]:port" in two; the port is 0 where there is none. False: it is neither.
static bool Host_Split(const char* host, char* name, size_t size, int* port) {
    const char* end;
    if (host[0] == '[') {
        host += 1;
        end = strchr(host, ']');
        if (end == NULL) return false;
    } else {
        end = host + strcspn(host, ":");
    }
    size_t length = (size_t)(end - host);
    if (length == 0 || length >= size) return false;
    memcpy(name, host, length);
    name[length] = 0;
    if (*end == ']') end += 1;
    *port = 0;
    if (*end == 0) return true;
    if (*end != ':') return false;
    size_t digits = strspn(end + 1, "0123456789");
    if (digits == 0 || digits > 5 || end[1 + digits] != 0) return false;
    *port = atoi(end + 1);
    return *port > 0 && *port < 65536;
}

static bool Host_IsAddress(const char* name, const struct sockaddr* local) {
    struct in_addr four;
    struct in6_addr six;
    if (local == NULL) return false;
    if (local->sa_family == AF_INET) {
        const struct sockaddr_in* own = (const void*)local;
        return inet_pton(AF_INET, name, &four) == 1 && four.s_addr == own->sin_addr.s_addr;
    }
    const struct sockaddr_in6* own = (const void*)local;
    return local->sa_family == AF_INET6 && inet_pton(AF_INET6, name, &six) == 1 &&
           memcmp(&six, &own->sin6_addr, sizeof(six)) == 0;
}

bool hwWebOrigin_IsHost(const char* host, const char* name, int port, const struct sockaddr* local) {
    static const char* const names[] = {"localhost", "127.0.0.1", "::1"};
    char called[260];
    int calledPort = 0;
    if (name != NULL && strcasecmp(host, name) == 0) return true; // also with another port, that of a proxy
    if (!Host_Split(host, called, sizeof(called), &calledPort)) return false;
    if (calledPort != 0 && calledPort != port) return false;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        if (strcasecmp(called, names[i]) == 0) return true;
    }
    return (name != NULL && strcasecmp(called, name) == 0) || Host_IsAddress(called, local);
}

bool hwWebOrigin_IsOwn(const char* origin, const char* host) {
    static const char* const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); ++i) {
        size_t length = strlen(schemes[i]);
        if (strncasecmp(origin, schemes[i], length) == 0 && strcasecmp(origin + length, host) == 0)
            return true;
    }
    return false;
}
