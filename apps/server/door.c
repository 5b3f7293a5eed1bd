#define _GNU_SOURCE // accept4, epoll
#include "apps/server/door.h"

#include "apps/server/head.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define ACCEPT_BUDGET 16  // connections taken before those that wait are looked at again
#define MOST_ARRIVALS 256 // handed over and not taken yet
#define MOST_DRAINED (64 << 10)

// A connection at the door. `lingering`: it was refused and may read why; what it still sends is thrown away.
typedef struct Guest {
    int fd; // -1: a free place
    bool lingering;
    bool began; // something has come
    hwWebPeer peer;
    double until; // clock at which it is closed
    uint64_t number;
    size_t drained;
} Guest;

struct hwWebDoor {
    hwWebListeners listeners;
    char host[260];
    void (*arrived)(void* context);
    void* context;
    int epoll, wake;
    pthread_t thread;
    atomic_bool stop;
    uint64_t numbers;
    Guest guests[DOOR_MOST_WAITING];
    // shared
    pthread_mutex_t mutex;
    hwWebArrival arrivals[MOST_ARRIVALS], returned[MOST_ARRIVALS];
    int arrivalCount, returnedCount;
    hwWebDoorCounters counters;
};

static double Clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Peers ------------------------------------------------------------------------------------------------------------------

bool hwWebPeer_IsSame(const hwWebPeer* a, const hwWebPeer* b) {
    return memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

static hwWebPeer MakePeer(const struct sockaddr_storage* address) {
    hwWebPeer peer;
    memset(&peer, 0, sizeof(peer));
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in* four = (const void*)address;
        memset(peer.bytes + 10, 255, 2);
        memcpy(peer.bytes + 12, &four->sin_addr, 4);
        peer.loopback = peer.bytes[12] == 127;
    } else if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6* six = (const void*)address;
        memcpy(peer.bytes, &six->sin6_addr, 8);
        peer.loopback = IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
    }
    return peer;
}

// Counting ---------------------------------------------------------------------------------------------------------------

typedef enum Event { EVENT_ACCEPTED, EVENT_REFUSED, EVENT_LATE, EVENT_PUSHED } Event;

static void Door_Count(hwWebDoor* door, Event event) {
    pthread_mutex_lock(&door->mutex);
    hwWebDoorCounters* counters = &door->counters;
    uint64_t* values[] = {&counters->accepted, &counters->refused, &counters->late, &counters->pushed};
    *values[event] += 1;
    pthread_mutex_unlock(&door->mutex);
}

hwWebDoorCounters hwWebDoor_GetCounters(hwWebDoor* door) {
    pthread_mutex_lock(&door->mutex);
    hwWebDoorCounters counters = door->counters;
    pthread_mutex_unlock(&door->mutex);
    return counters;
}

// Guests -----------------------------------------------------------------------------------------------------------------

static void Guest_Close(Guest* guest) {
    if (guest->fd >= 0) close(guest->fd); // which takes it out of the epoll set too
    guest->fd = -1;
}

// Throws away what came, so that closing does not cut off the answer (a close with bytes unread resets the connection).
// False: the other side is done, or sends without end.
static bool Guest_Drain(Guest* guest) {
    char bytes[4096];
    for (;;) {
        ssize_t got = recv(guest->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
        if (got < 0) return errno == EAGAIN || errno == EINTR;
        if (got == 0) return false;
        guest->drained += (size_t)got;
        if (guest->drained > MOST_DRAINED) return false;
    }
}

static const char* GetReason(int status) {
    static const struct {
        int status;
        const char* reason;
    } reasons[] = {{400, "Bad Request"},         {403, "Forbidden"},
                   {404, "Not Found"},           {405, "Method Not Allowed"},
                   {408, "Request Timeout"},     {413, "Content Too Large"},
                   {414, "URI Too Long"},        {417, "Expectation Failed"},
                   {426, "Upgrade Required"},    {431, "Request Header Fields Too Large"},
                   {503, "Service Unavailable"}, {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); ++i) {
        if (reasons[i].status == status) return reasons[i].reason;
    }
    return "Error";
}

static void Door_Refuse(hwWebDoor* door, Guest* guest, const hwWebHead* head) {
    char answer[700];
    const char* upgrade = head->status == 426 ? ", Upgrade" : "";
    int size =
        snprintf(answer, sizeof(answer),
                 "HTTP/1.1 %d %s\r\nServer: hawser\r\nContent-Type: text/plain; charset=utf-8\r\n"
                 "Content-Length: %zu\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
                 "Connection: close%s\r\n%s\r\n%s%s",
                 head->status, GetReason(head->status), strlen(head->text) + 1, upgrade, head->field,
                 head->bodyless ? "" : head->text, head->bodyless ? "" : "\n");
    Door_Count(door, EVENT_REFUSED);
    bool more = Guest_Drain(guest);
    ssize_t sent = send(guest->fd, answer, (size_t)size, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(guest->fd, SHUT_WR);
    guest->lingering = true;
    guest->until = Clock() + DOOR_LINGER_TIME;
    if (!more || sent != size) Guest_Close(guest);
}

// Only news are told, not what is there already: looking does not take it. False: it was closed instead.
static bool Door_Watch(hwWebDoor* door, Guest* guest) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.fd = guest->fd};
    if (epoll_ctl(door->epoll, EPOLL_CTL_ADD, guest->fd, &event) == 0) return true;
    Guest_Close(guest);
    return false;
}

// Hands it over, the head still in the socket.
static void Door_Pass(hwWebDoor* door, Guest* guest, const hwWebHead* head) {
    hwWebArrival arrival = {.fd = guest->fd, .webSocket = head->webSocket, .peer = guest->peer};
    // before it is handed over: after that the number may be another file's
    epoll_ctl(door->epoll, EPOLL_CTL_DEL, guest->fd, NULL);
    pthread_mutex_lock(&door->mutex);
    bool room = door->arrivalCount < MOST_ARRIVALS;
    if (room) {
        door->arrivals[door->arrivalCount++] = arrival;
        door->counters.passed += 1;
        guest->fd = -1;
    }
    pthread_mutex_unlock(&door->mutex);
    if (room) {
        door->arrived(door->context);
        return;
    }
    static const hwWebHead busy = {
        .status = 503, .text = "the server has too much to do", .field = "Retry-After: 1\r\n"};
    if (Door_Watch(door, guest)) Door_Refuse(door, guest, &busy);
}

// Looks at what has come without taking it. `over`: nothing more will come.
static void Door_Look(hwWebDoor* door, Guest* guest, bool over) {
    char bytes[HEAD_MOST_BYTES + 1];
    if (guest->lingering) {
        if (!Guest_Drain(guest)) Guest_Close(guest);
        return;
    }
    ssize_t got = recv(guest->fd, bytes, sizeof(bytes), MSG_PEEK | MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        Guest_Close(guest);
        return;
    }
    struct sockaddr_storage local;
    socklen_t size = sizeof(local);
    bool known = getsockname(guest->fd, (struct sockaddr*)&local, &size) == 0;
    hwWebHeadRules rules = {.host = door->host[0] != 0 ? door->host : NULL,
                            .port = door->listeners.port,
                            .local = known ? (struct sockaddr*)&local : NULL};
    hwWebHead head;
    switch (hwWebHead_Read(bytes, (size_t)got, &rules, &head)) {
    case HEAD_MORE:
        guest->began = true;
        if (over) Guest_Close(guest);
        break;
    case HEAD_GOOD:
        Door_Pass(door, guest, &head);
        break;
    case HEAD_BAD:
        Door_Refuse(door, guest, &head);
        break;
    }
}

// A place for a new one. Where there is none, or its address has too many, the one that has waited longest gives way: a
// client that means well has sent its head long before.
static Guest* Door_FindPlace(hwWebDoor* door, const hwWebPeer* peer) {
    Guest *vacant = NULL, *oldest = NULL, *oldestOfPeer = NULL;
    int ofPeer = 0, used = 0;
    for (int i = 0; i < DOOR_MOST_WAITING; ++i) {
        Guest* guest = &door->guests[i];
        if (guest->fd < 0) {
            vacant = guest;
            continue;
        }
        used += 1;
        if (oldest == NULL || guest->number < oldest->number) oldest = guest;
        if (!hwWebPeer_IsSame(&guest->peer, peer)) continue;
        ofPeer += 1;
        if (oldestOfPeer == NULL || guest->number < oldestOfPeer->number) oldestOfPeer = guest;
    }
    pthread_mutex_lock(&door->mutex);
    int now = used < DOOR_MOST_WAITING ? used + 1 : used;
    if (now > door->counters.mostWaiting) door->counters.mostWaiting = now;
    pthread_mutex_unlock(&door->mutex);
    Guest* place = vacant;
    if (!peer->loopback && ofPeer >= DOOR_MOST_OF_ONE) place = oldestOfPeer;
    if (place == NULL) place = oldest;
    if (place->fd >= 0) {
        Door_Count(door, EVENT_PUSHED);
        Guest_Close(place);
    }
    return place;
}

static Guest* Door_Seat(hwWebDoor* door, int fd, const hwWebPeer* peer) {
    Guest* guest = Door_FindPlace(door, peer);
    memset(guest, 0, sizeof(*guest));
    guest->fd = fd;
    guest->peer = *peer;
    guest->number = ++door->numbers;
    guest->until = Clock() + DOOR_HEAD_TIME;
    return Door_Watch(door, guest) ? guest : NULL;
}

static void Door_Accept(hwWebDoor* door, int listener) {
    for (int i = 0; i < ACCEPT_BUDGET; ++i) {
        struct sockaddr_storage address;
        socklen_t size = sizeof(address);
        int fd = accept4(listener, (struct sockaddr*)&address, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
        int one = 1;
        if (fd < 0) {
            bool full = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
            struct timespec wait = {0, 50 * 1000 * 1000};
            if (full) nanosleep(&wait, NULL); // only the door waits
            return;
        }
        Door_Count(door, EVENT_ACCEPTED);
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
        hwWebPeer peer = MakePeer(&address);
        Guest* guest = Door_Seat(door, fd, &peer);
        if (guest != NULL) Door_Look(door, guest, false);
    }
}

static void Door_RefuseReturned(hwWebDoor* door) {
    static const hwWebHead busy = {
        .status = 503, .text = "too many are connected", .field = "Retry-After: 10\r\n"};
    for (;;) {
        pthread_mutex_lock(&door->mutex);
        bool any = door->returnedCount > 0;
        hwWebArrival arrival = any ? door->returned[--door->returnedCount] : (hwWebArrival){.fd = -1};
        pthread_mutex_unlock(&door->mutex);
        if (!any) return;
        Guest* guest = Door_Seat(door, arrival.fd, &arrival.peer);
        if (guest != NULL) Door_Refuse(door, guest, &busy);
    }
}

// Closes those whose time is over; ms until the next one's is, -1: there is none.
static int Door_CloseLate(hwWebDoor* door) {
    double now = Clock(), next = -1.0;
    for (int i = 0; i < DOOR_MOST_WAITING; ++i) {
        Guest* guest = &door->guests[i];
        if (guest->fd < 0) continue;
        if (now >= guest->until) {
            static const hwWebHead late = {
                .status = 408, .text = "the request did not come in time", .field = ""};
            if (!guest->lingering) Door_Count(door, EVENT_LATE);
            if (!guest->lingering && guest->began) {
                Door_Refuse(door, guest, &late);
            } else {
                Guest_Close(guest);
            }
            if (guest->fd < 0) continue;
        }
        if (next < 0.0 || guest->until < next) next = guest->until;
    }
    return next < 0.0 ? -1 : (int)(1000.0 * (next - now)) + 1;
}

static Guest* Door_FindGuest(hwWebDoor* door, int fd) {
    for (int i = 0; i < DOOR_MOST_WAITING; ++i) {
        if (door->guests[i].fd == fd) return &door->guests[i];
    }
    return NULL;
}

static bool Door_IsListener(const hwWebDoor* door, int fd) {
    for (int i = 0; i < door->listeners.count; ++i) {
        if (door->listeners.items[i].fd == fd) return true;
    }
    return false;
}

static void* DoorMain(void* context) {
    hwWebDoor* door = context;
    struct epoll_event events[64];
    while (!atomic_load(&door->stop)) {
        int count = epoll_wait(door->epoll, events, 64, Door_CloseLate(door));
        // those that wait come before new ones, which may push them out
        for (int i = 0; i < count; ++i) {
            Guest* guest = Door_FindGuest(door, events[i].data.fd);
            bool over = (events[i].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
            if (guest != NULL) Door_Look(door, guest, over);
        }
        for (int i = 0; i < count; ++i) {
            uint64_t value;
            if (events[i].data.fd == door->wake && read(door->wake, &value, sizeof(value)) > 0)
                Door_RefuseReturned(door);
            if (Door_IsListener(door, events[i].data.fd)) Door_Accept(door, events[i].data.fd);
        }
    }
    return NULL;
}

// From outside -----------------------------------------------------------------------------------------------------------

static bool Door_Prepare(hwWebDoor* door) {
    door->epoll = epoll_create1(EPOLL_CLOEXEC);
    door->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = door->wake};
    if (door->epoll < 0 || door->wake < 0 || epoll_ctl(door->epoll, EPOLL_CTL_ADD, door->wake, &event) != 0)
        return false;
    for (int i = 0; i < door->listeners.count; ++i) {
        event.data.fd = door->listeners.items[i].fd;
        if (event.data.fd >= 0 && epoll_ctl(door->epoll, EPOLL_CTL_ADD, event.data.fd, &event) != 0)
            return false;
    }
    return true;
}

static void Door_Free(hwWebDoor* door) {
    if (door->epoll >= 0) close(door->epoll);
    if (door->wake >= 0) close(door->wake);
    pthread_mutex_destroy(&door->mutex);
    free(door);
}

hwWebDoor* hwWebDoor_Open(hwWebListeners* listeners, const char* host, void (*arrived)(void* context),
                          void* context) {
    hwWebDoor* door = calloc(1, sizeof(*door));
    if (door == NULL) return NULL;
    door->listeners = *listeners;
    snprintf(door->host, sizeof(door->host), "%s", host != NULL ? host : "");
    door->arrived = arrived;
    door->context = context;
    for (int i = 0; i < DOOR_MOST_WAITING; ++i) door->guests[i].fd = -1;
    pthread_mutex_init(&door->mutex, NULL);
    // signals are for the thread that serves: it must wake up when one asks it to end
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool good = Door_Prepare(door) && pthread_create(&door->thread, NULL, DoorMain, door) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!good) {
        Door_Free(door);
        return NULL;
    }
    for (int i = 0; i < listeners->count; ++i) listeners->items[i].fd = -1;
    return door;
}

static void Door_Wake(hwWebDoor* door) {
    uint64_t one = 1;
    ssize_t written = write(door->wake, &one, sizeof(one));
    (void)written; // a full counter wakes it too
}

void hwWebDoor_Close(hwWebDoor* door) {
    if (door == NULL) return;
    atomic_store(&door->stop, true);
    Door_Wake(door);
    pthread_join(door->thread, NULL);
    for (int i = 0; i < DOOR_MOST_WAITING; ++i) Guest_Close(&door->guests[i]);
    for (int i = 0; i < door->arrivalCount; ++i) close(door->arrivals[i].fd);
    for (int i = 0; i < door->returnedCount; ++i) close(door->returned[i].fd);
    hwWebListeners_Close(&door->listeners);
    Door_Free(door);
}

bool hwWebDoor_Take(hwWebDoor* door, hwWebArrival* arrival) {
    pthread_mutex_lock(&door->mutex);
    bool any = door->arrivalCount > 0;
    if (any) {
        *arrival = door->arrivals[0];
        door->arrivalCount -= 1;
        memmove(door->arrivals, door->arrivals + 1, (size_t)door->arrivalCount * sizeof(door->arrivals[0]));
    }
    pthread_mutex_unlock(&door->mutex);
    return any;
}

void hwWebDoor_Return(hwWebDoor* door, const hwWebArrival* arrival) {
    pthread_mutex_lock(&door->mutex);
    bool room = door->returnedCount < MOST_ARRIVALS;
    if (room) door->returned[door->returnedCount++] = *arrival;
    pthread_mutex_unlock(&door->mutex);
    if (room) {
        Door_Wake(door);
    } else {
        close(arrival->fd);
    }
}
