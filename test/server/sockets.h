// Which sockets listen, by what the system says.
#ifndef TEST_SERVER_SOCKETS_H
#define TEST_SERVER_SOCKETS_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Appends the local addresses of this port's listening sockets in the network tables of the system (state 0A, proc(5)).
static inline void ReadTable(const char* path, int port, char* text, size_t size) {
    FILE* file = fopen(path, "r");
    if (file == NULL) return; // a system without IPv6
    char line[512], address[64];
    unsigned at = 0, state = 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        if (sscanf(line, " %*d: %63[0-9A-F]:%x %*[0-9A-F]:%*x %x", address, &at, &state) != 3) continue;
        if (at != (unsigned)port || state != 0x0a) continue;
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s ", address);
    }
    fclose(file);
}

static inline const char* ListSockets(int port) {
    static char text[1000];
    text[0] = 0;
    ReadTable("/proc/net/tcp", port, text, sizeof(text));
    ReadTable("/proc/net/tcp6", port, text, sizeof(text));
    return text;
}

// As the tables write them: words in the machine's order, little-endian here.
#define FOUR_LOOPBACK "0100007F "
#define FOUR_SECOND "0200007F "
#define FOUR_ALL "00000000 "
#define SIX_LOOPBACK "00000000000000000000000001000000 "
#define SIX_ALL "00000000000000000000000000000000 "

static inline bool HasSix(void) {
    int fd = socket(AF_INET6, SOCK_STREAM, 0);
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    bool has = fd >= 0 && bind(fd, (struct sockaddr*)&address, sizeof(address)) == 0;
    if (fd >= 0) close(fd);
    return has;
}

static inline bool Reaches(const char* to, int port) {
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    bool isFour = inet_pton(AF_INET, to, &four.sin_addr) == 1;
    if (!isFour) assert_int_equal(inet_pton(AF_INET6, to, &six.sin6_addr), 1);
    int fd = socket(isFour ? AF_INET : AF_INET6, SOCK_STREAM, 0);
    bool reached = connect(fd, isFour ? (struct sockaddr*)&four : (struct sockaddr*)&six,
                           isFour ? sizeof(four) : sizeof(six)) == 0;
    close(fd);
    return reached;
}

// A port that is free on every address.
static inline int PickPort(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    bool good = bind(fd, (struct sockaddr*)&address, sizeof(address)) == 0 &&
                getsockname(fd, (struct sockaddr*)&address, &size) == 0;
    close(fd);
    assert_true(good);
    return ntohs(address.sin_port);
}

#endif
