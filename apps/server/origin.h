// Who may ask: the headers Host and Origin of a request.
#ifndef HW_SERVER_ORIGIN_H
#define HW_SERVER_ORIGIN_H

#include <stdbool.h>
#include <sys/socket.h>

// Whether `host`, the header, names this server: "localhost", "127.0.0.1", "[::1]", the name given, or the address that the
// connection came to (`local`, may be null), without a port or with this one; or just as the name was given, with the port
// of a proxy. Names do not depend on upper and lower case
// (RFC 9110, 4.2.3).
bool hwWebOrigin_IsHost(const char* host, const char* name, int port, const struct sockaddr* local);

// Whether `origin` is the page of that host, over http or https.
bool hwWebOrigin_IsOwn(const char* origin, const char* host);

#endif
