// The server's side of WebSockets (RFC 6455) on one connection that never waits: the handshake, frames in, frames out.
#ifndef HW_CONNECT_WEB_SOCKET_H
#define HW_CONNECT_WEB_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HW_WEB_LARGEST_HEAD 8192              // bytes of a request
#define HW_WEB_LARGEST_MESSAGE 65536          // bytes of what a client may send
#define HW_WEB_MOST_WAITING ((size_t)8 << 20) // bytes that wait to be sent before data is left out

typedef enum hwWebPhase { HW_WEB_HEAD, HW_WEB_OPEN, HW_WEB_CLOSING, HW_WEB_CLOSED } hwWebPhase;

typedef struct hwWebSocket {
    int fd;
    hwWebPhase phase;
    double since; // s, clock at which it connected
    unsigned char in[HW_WEB_LARGEST_HEAD + HW_WEB_LARGEST_MESSAGE];
    size_t inSize;
    unsigned char message[HW_WEB_LARGEST_MESSAGE + 1]; // fragments put together, zero-terminated
    size_t messageSize;
    unsigned char* out;
    size_t outSize, outSent, outCapacity;
    uint64_t left; // messages that were left out because the client is too slow
} hwWebSocket;

void hwWebSocket_Init(hwWebSocket* socket, int fd, double clock);
void hwWebSocket_Free(hwWebSocket* socket);

// Reads what has arrived. In HW_WEB_HEAD: answers the handshake once it is whole, with the subprotocol or a refusal. True: a text
// message is in `message`; call again for the next.
bool hwWebSocket_Receive(hwWebSocket* socket, const char* subprotocol, double clock);
// Queues a frame. Text frames are never left out, binary ones are when too much waits.
void hwWebSocket_SendText(hwWebSocket* socket, const char* text);
// A binary message in two parts.
void hwWebSocket_SendBinary(hwWebSocket* socket, const void* head, size_t headSize, const void* data,
                            size_t size);
// Sends what waits, as far as the peer takes it.
void hwWebSocket_Flush(hwWebSocket* socket);
void hwWebSocket_Close(hwWebSocket* socket, int code, const char* reason);

// For tests: the answer to a key (base 64 of SHA-1, FIPS 180-4); `out` has room for 29 characters.
void hwWebSocket_Accept(const char* key, char* out);

#endif
