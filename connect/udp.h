// UDP sockets that never wait.
#ifndef HW_CONNECT_UDP_H
#define HW_CONNECT_UDP_H

#include "hawser/base.h"

#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>

#define HW_UDP_LARGEST 2048 // bytes of a datagram; what is longer is cut, and refused by its readers

typedef struct hwUdpAddress {
    socklen_t size;
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } at;
} hwUdpAddress;

// Reads "PORT", "HOST:PORT" or "[HOST]:PORT" with a numeric host or "localhost"; without a host 127.0.0.1. Names of hosts are
// refused: what they stand for may change. `what` begins the sentence in `error`.
bool hwUdpAddress_Parse(hwUdpAddress* address, const char* text, const char* what, hwError* error);
bool hwUdpAddress_IsLoopback(const hwUdpAddress* address);
bool hwUdpAddress_IsSame(const hwUdpAddress* one, const hwUdpAddress* other);
int hwUdpAddress_GetPort(const hwUdpAddress* address);
// "127.0.0.1:9002", "[::1]:9002".
void hwUdpAddress_Print(const hwUdpAddress* address, char* text, size_t size);

// A socket bound to this address; -1 with a sentence in `error`. Its address comes back with the port that it got.
int hwUdp_Open(hwUdpAddress* address, hwError* error);
// A socket for sending to `peer` and hearing its answers: bound to a free port of loopback where the peer is there, else of
// every address of its family.
int hwUdp_OpenFor(const hwUdpAddress* peer, hwError* error);
// A second socket on the address of one that hwUdp_Open has opened, which gets this peer's datagrams from now on; those of all others go
// to the first one as before. Each has a queue of its own: who floods the port keeps none of the peer's from being heard. -1: the
// system cannot do that; the first one receives all of them.
int hwUdp_OpenBeside(int socket, const hwUdpAddress* own, const hwUdpAddress* peer);
// Datagrams that came when the socket's queue was full, as the system has counted them; 0 where it does not.
uint32_t hwUdp_GetLost(int socket);
// Waits for a datagram, at most `timeout` s.
void hwUdp_Wait(int socket, double timeout);
// The next datagram, or -1: none is there.
long hwUdp_Receive(int socket, void* data, size_t size, hwUdpAddress* from);
// False: it could not be sent now.
bool hwUdp_Send(int socket, const void* data, size_t size, const hwUdpAddress* to);

#endif
