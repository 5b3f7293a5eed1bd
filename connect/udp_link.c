#define _GNU_SOURCE // close
#include "connect/udp_link.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_AT_ONCE 64 // datagrams taken from the socket at once

typedef struct Datagram {
    double due; // clock
    hwUdpAddress address;
    size_t size;
    unsigned char data[HW_UDP_LARGEST];
} Datagram;

typedef struct Queue {
    int first, count;
    Datagram items[HW_LINK_QUEUE];
} Queue;

struct hwUdpLink {
    int socket;
    hwUdpLinkDef def;
    uint64_t random, lost;
    Queue in, out;
};

hwUdpLink* hwCreateUdpLink(int socket, const hwUdpLinkDef* def) {
    hwUdpLink* link = calloc(1, sizeof(*link));
    if (link == NULL) {
        close(socket);
        return NULL;
    }
    link->socket = socket;
    link->def = *def;
    link->random = def->seed;
    return link;
}

void hwDestroyUdpLink(hwUdpLink* link) {
    if (link == NULL) return;
    close(link->socket);
    free(link);
}

// splitmix64 (Steele, Lea and Flood 2014)
static bool IsLost(hwUdpLink* link) {
    if (!(link->def.loss > 0.0)) return false;
    uint64_t z = (link->random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    bool lost = (double)((z ^ (z >> 31)) >> 11) * 0x1.0p-53 < link->def.loss;
    link->lost += lost;
    return lost;
}

// Room for another datagram; null: the queue is full.
static Datagram* Append(Queue* queue) {
    if (queue->count == HW_LINK_QUEUE) return NULL;
    return &queue->items[(queue->first + queue->count++) % HW_LINK_QUEUE];
}

static Datagram* GetDue(Queue* queue, double clock) {
    Datagram* first = &queue->items[queue->first];
    return queue->count > 0 && first->due <= clock ? first : NULL;
}

static void Drop(Queue* queue) {
    queue->first = (queue->first + 1) % HW_LINK_QUEUE;
    queue->count -= 1;
}

static void Collect(hwUdpLink* link, double clock) {
    for (int i = 0; i < MOST_AT_ONCE && link->in.count < HW_LINK_QUEUE; ++i) {
        Datagram* datagram = Append(&link->in);
        long size = hwUdp_Receive(link->socket, datagram->data, sizeof(datagram->data), &datagram->address);
        if (size < 0 || IsLost(link)) {
            link->in.count -= 1;
            if (size < 0) return;
            continue;
        }
        datagram->size = (size_t)size;
        datagram->due = clock + link->def.latency;
    }
}

long hwUdpLink_Receive(hwUdpLink* link, double clock, void* data, size_t size, hwUdpAddress* from) {
    Collect(link, clock);
    const Datagram* datagram = GetDue(&link->in, clock);
    if (datagram == NULL) return -1;
    size_t length = datagram->size < size ? datagram->size : size;
    memcpy(data, datagram->data, length);
    *from = datagram->address;
    Drop(&link->in);
    return (long)length;
}

bool hwUdpLink_Send(hwUdpLink* link, double clock, const void* data, size_t size, const hwUdpAddress* to) {
    if (IsLost(link)) return true;
    if (!(link->def.latency > 0.0)) return hwUdp_Send(link->socket, data, size, to);
    if (size > HW_UDP_LARGEST) return false;
    Datagram* datagram = Append(&link->out);
    if (datagram == NULL) return false;
    datagram->due = clock + link->def.latency;
    datagram->address = *to;
    datagram->size = size;
    memcpy(datagram->data, data, size);
    return true;
}

void hwUdpLink_Update(hwUdpLink* link, double clock) {
    for (const Datagram* d = GetDue(&link->out, clock); d != NULL; d = GetDue(&link->out, clock)) {
        hwUdp_Send(link->socket, d->data, d->size, &d->address);
        Drop(&link->out);
    }
}

uint32_t hwUdpLink_GetUnread(const hwUdpLink* link) {
    return hwUdp_GetLost(link->socket);
}

uint64_t hwUdpLink_GetLost(const hwUdpLink* link) {
    return link->lost;
}
