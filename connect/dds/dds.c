#define _POSIX_C_SOURCE 200809L
#include "connect/dds.h"

#include "connect/dds/dds_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROS_INTERVAL 0.02 // s, simulated, between messages of a topic for ROS
#define KEEP_INTERVAL 1.0 // s, simulated, between states in the file
#define LEASE 2.0         // s until a federate that was killed is missed
#define AGAIN 0.2         // s of waiting after which the last messages are sent again
#define LOOK 0.1          // s between looks at who is there
#define MOST_BEHIND 0.25  // s by the clock that a slow world makes up for
#define MOST_AT_ONCE 64   // messages of a link that are read before the world goes on

// Everything stays on this machine: no multicast, other participants by their ports on loopback.
static const char g_loopback[] =
    "<General><Interfaces><NetworkInterface address=\"127.0.0.1\" multicast=\"false\"/></Interfaces>"
    "<AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
    "<MaxAutoParticipantIndex>30</MaxAutoParticipantIndex>"
    "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>";
static const char g_network[] = "<General><Interfaces><NetworkInterface %s=\"%s\"/></Interfaces></General>";

typedef struct Line {
    dds_entity_t writer, reader;
    bool there; // the other side is alive
} Line;

typedef struct Dds {
    hwConnector base;
    hwWorld* world;
    hwDdsDef def;
    char name[96], network[200];
    dds_entity_t domain, participant, waitset;
    hwFederate* federate;
    hwRosTopics* ros;
    int count;
    Line lines[HW_MOST_COUPLINGS];
    double due, waiting, sentAgain, looked; // s, clock
    double kept, written;                   // s, simulated
    bool stepping;
    uint64_t gone, repeats, refused;
    double waited; // s
} Dds;

hwStatus hwDds_Fail(hwError* error, const char* hint, const char* format, ...) {
    memset(error, 0, sizeof(*error));
    error->status = HW_ERROR_ARGUMENT;
    va_list list;
    va_start(list, format);
    vsnprintf(error->message, sizeof(error->message), format, list);
    va_end(list);
    if (hint != NULL) snprintf(error->hint, sizeof(error->hint), "%s", hint);
    return HW_ERROR_ARGUMENT;
}

static double GetClock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool hwDds_IsAvailable(void) {
    return true;
}

void hwDds_MakeTopic(char* topic, const char* federate, const char* object, const char* last) {
    char raw[HW_DDS_NAME];
    snprintf(raw, sizeof(raw), "%s%s%s%s%s", federate != NULL ? federate : "", federate != NULL ? "/" : "",
             object, last != NULL ? "/" : "", last != NULL ? last : "");
    size_t n = (size_t)snprintf(topic, HW_DDS_NAME, "rt/");
    for (const char* at = raw; *at != 0 && n + 2 < HW_DDS_NAME; ++at) {
        bool digit = *at >= '0' && *at <= '9';
        bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
        bool slash = *at == '.' || *at == '/' || *at == '[';
        if (*at == ']' || (slash && topic[n - 1] == '/')) continue;
        if (digit && topic[n - 1] == '/') topic[n++] = '_';
        topic[n++] = slash ? '/' : digit || letter ? *at : '_';
    }
    topic[n] = 0;
}

builtin_interfaces_msg_dds__Time_ hwDds_GetStamp(double time) {
    double whole = floor(time);
    builtin_interfaces_msg_dds__Time_ stamp = {(int32_t)whole, (uint32_t)((time - whole) * 1e9 + 0.5)};
    if (stamp.nanosec >= 1000000000u) {
        stamp.sec += 1;
        stamp.nanosec = 0;
    }
    return stamp;
}

// Links between federates ------------------------------------------------------------------------------------------------------

static geometry_msgs_msg_dds__Vector3_ ToRos(hwVec3 v) {
    return (geometry_msgs_msg_dds__Vector3_){v.x, v.y, v.z};
}

static hwVec3 FromRos(geometry_msgs_msg_dds__Vector3_ v) {
    return hwMakeVec3(v.x, v.y, v.z);
}

static std_msgs_msg_dds__Header_ MakeHeader(const hwCouplingMessage* m) {
    return (std_msgs_msg_dds__Header_){hwDds_GetStamp(m->time), (char*)"world"};
}

static double GetTime(const std_msgs_msg_dds__Header_* header) {
    return header->stamp.sec + 1e-9 * header->stamp.nanosec;
}

static bool WriteMotion(dds_entity_t writer, const hwCouplingMessage* m) {
    const hwPointMotion* p = &m->motion;
    hawser_msgs_msg_dds__PointMotion_ out = {
        .header = MakeHeader(m),
        .session = m->session,
        .step = m->step,
        .pose = {{p->position.x, p->position.y, p->position.z},
                 {p->attitude.x, p->attitude.y, p->attitude.z, p->attitude.w}},
        .twist = {ToRos(p->velocity), ToRos(p->rate)},
        .impulse = {ToRos(p->impulse), ToRos(p->momentum)},
    };
    return dds_write(writer, &out) == DDS_RETCODE_OK;
}

static bool WriteLoad(dds_entity_t writer, const hwCouplingMessage* m) {
    hawser_msgs_msg_dds__CableLoad_ out = {
        .header = MakeHeader(m),
        .session = m->session,
        .step = m->step,
        .wrench = {ToRos(m->load.force), ToRos(m->load.moment)},
        .reference = {ToRos(m->load.velocity), ToRos(m->load.rate)},
    };
    memcpy(out.impedance, m->load.impedance, sizeof(out.impedance));
    return dds_write(writer, &out) == DDS_RETCODE_OK;
}

static bool WriteValue(dds_entity_t writer, const hwCouplingMessage* m) {
    hawser_msgs_msg_dds__Value_ out = {MakeHeader(m), m->session, m->step, m->value};
    return dds_write(writer, &out) == DDS_RETCODE_OK;
}

static void Send(Dds* dds, int link, const hwCouplingMessage* message) {
    if (message == NULL) return;
    dds_entity_t writer = dds->lines[link].writer;
    hwCouplingKind kind = hwFederate_GetLink(dds->federate, link)->kind;
    bool good = kind == HW_COUPLING_PORT  ? WriteMotion(writer, message)
                : kind == HW_COUPLING_END ? WriteLoad(writer, message)
                                          : WriteValue(writer, message);
    if (!good) dds->refused += 1;
}

static void SendNews(Dds* dds) {
    for (int i = 0; i < dds->count; ++i) Send(dds, i, hwFederate_TakeMessage(dds->federate, i));
}

static void SendAgain(Dds* dds) {
    dds->repeats += 1;
    for (int i = 0; i < dds->count; ++i) {
        Send(dds, i, hwFederate_GetLastMessage(dds->federate, i));
        Send(dds, i, hwFederate_GetMessage(dds->federate, i));
    }
}

// What a sample says; `kind` is that of the receiving link.
static hwCouplingMessage Decode(hwCouplingKind kind, const void* sample) {
    hwCouplingMessage m;
    memset(&m, 0, sizeof(m));
    if (kind == HW_COUPLING_END) {
        const hawser_msgs_msg_dds__PointMotion_* in = sample;
        m.session = in->session;
        m.step = in->step;
        m.time = GetTime(&in->header);
        m.motion.position = hwMakeVec3(in->pose.position.x, in->pose.position.y, in->pose.position.z);
        m.motion.attitude = (hwQuat){in->pose.orientation.w, in->pose.orientation.x, in->pose.orientation.y,
                                     in->pose.orientation.z};
        m.motion.velocity = FromRos(in->twist.linear);
        m.motion.rate = FromRos(in->twist.angular);
        m.motion.impulse = FromRos(in->impulse.force);
        m.motion.momentum = FromRos(in->impulse.torque);
    } else if (kind == HW_COUPLING_PORT) {
        const hawser_msgs_msg_dds__CableLoad_* in = sample;
        m.session = in->session;
        m.step = in->step;
        m.time = GetTime(&in->header);
        m.load.force = FromRos(in->wrench.force);
        m.load.moment = FromRos(in->wrench.torque);
        memcpy(m.load.impedance, in->impedance, sizeof(m.load.impedance));
        m.load.velocity = FromRos(in->reference.linear);
        m.load.rate = FromRos(in->reference.angular);
    } else {
        const hawser_msgs_msg_dds__Value_* in = sample;
        m.session = in->session;
        m.step = in->step;
        m.time = GetTime(&in->header);
        m.value = in->value;
    }
    return m;
}

static void Receive(Dds* dds, int link, double clock) {
    void* samples[MOST_AT_ONCE] = {NULL};
    dds_sample_info_t infos[MOST_AT_ONCE];
    dds_entity_t reader = dds->lines[link].reader;
    hwCouplingKind kind = hwFederate_GetLink(dds->federate, link)->kind;
    int count = dds_take(reader, samples, infos, MOST_AT_ONCE, MOST_AT_ONCE);
    for (int i = 0; i < count; ++i) {
        if (!infos[i].valid_data) continue;
        hwCouplingMessage message = Decode(kind, samples[i]);
        hwFederate_Receive(dds->federate, link, &message, clock);
    }
    if (count > 0) dds_return_loan(reader, samples, count);
}

// A killed federate is noticed when the lease of its writer ends.
static void LookWhoIsThere(Dds* dds, double clock) {
    if (clock - dds->looked < LOOK) return;
    dds->looked = clock;
    for (int i = 0; i < dds->count; ++i) {
        dds_liveliness_changed_status_t status;
        Line* line = &dds->lines[i];
        if (dds_get_liveliness_changed_status(line->reader, &status) != DDS_RETCODE_OK) continue;
        bool there = status.alive_count > 0;
        if (there == line->there) continue;
        line->there = there;
        if (!there) dds->gone += 1;
        char text[200];
        snprintf(text, sizeof(text), "link \"%s\": the other federate is %s.",
                 hwFederate_GetLink(dds->federate, i)->name,
                 there                    ? "there"
                 : dds->def.federate.free ? "gone; going on without it"
                                          : "gone; waiting for it");
        if (dds->def.log != NULL) dds->def.log(HW_LOG_INFO, text, dds->def.logContext);
    }
}

// Making ---------------------------------------------------------------------------------------------------------------------

static dds_qos_t* MakeQos(bool free) {
    dds_qos_t* qos = dds_create_qos();
    // Lock-step: all messages arrive, and who comes late or again gets the last ones too.
    if (free) {
        dds_qset_reliability(qos, DDS_RELIABILITY_BEST_EFFORT, 0);
        dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 1);
        dds_qset_durability(qos, DDS_DURABILITY_VOLATILE);
    } else {
        dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_MSECS(100));
        dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, HW_FEDERATE_HISTORY);
        dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
        dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_LAST, HW_FEDERATE_HISTORY, DDS_LENGTH_UNLIMITED,
                                    DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
    }
    dds_qset_liveliness(qos, DDS_LIVELINESS_AUTOMATIC, (dds_duration_t)(LEASE * 1e9));
    return qos;
}

// What each kind of link writes and reads, and the last part of the topic.
static const struct {
    const dds_topic_descriptor_t *out, *in;
    const char *outName, *inName;
} g_kinds[] = {
    [HW_COUPLING_PORT] = {&hawser_msgs_msg_dds__PointMotion__desc, &hawser_msgs_msg_dds__CableLoad__desc,
                          "motion", "load"},
    [HW_COUPLING_END] = {&hawser_msgs_msg_dds__CableLoad__desc, &hawser_msgs_msg_dds__PointMotion__desc,
                         "load", "motion"},
    [HW_COUPLING_SEND] = {&hawser_msgs_msg_dds__Value__desc, &hawser_msgs_msg_dds__Value__desc, "value",
                          "taken"},
    [HW_COUPLING_RECEIVE] = {&hawser_msgs_msg_dds__Value__desc, &hawser_msgs_msg_dds__Value__desc, "taken",
                             "value"},
};

static hwStatus OpenLines(Dds* dds, hwError* error) {
    dds->count = hwFederate_GetLinkCount(dds->federate);
    dds->waitset = dds_create_waitset(dds->participant);
    bool good = dds->waitset > 0;
    for (int i = 0; i < dds->count && good; ++i) {
        const hwCouplingDef* link = hwFederate_GetLink(dds->federate, i);
        char topic[HW_DDS_NAME];
        dds_qos_t* qos = MakeQos(dds->def.federate.free);
        hwDds_MakeTopic(topic, "coupling", link->name, g_kinds[link->kind].outName);
        dds_entity_t out = dds_create_topic(dds->participant, g_kinds[link->kind].out, topic, NULL, NULL);
        hwDds_MakeTopic(topic, "coupling", link->name, g_kinds[link->kind].inName);
        dds_entity_t in = dds_create_topic(dds->participant, g_kinds[link->kind].in, topic, NULL, NULL);
        Line* line = &dds->lines[i];
        line->writer = out > 0 ? dds_create_writer(dds->participant, out, qos, NULL) : out;
        line->reader = in > 0 ? dds_create_reader(dds->participant, in, qos, NULL) : in;
        dds_delete_qos(qos);
        good = line->writer > 0 && line->reader > 0;
        dds_entity_t fresh = good ? dds_create_readcondition(line->reader, DDS_ANY_STATE) : -1;
        good = good && fresh > 0 && dds_waitset_attach(dds->waitset, fresh, i) == DDS_RETCODE_OK;
    }
    return good ? HW_OK : hwDds_Fail(error, NULL, "--dds: cannot make the topics of the links");
}

static hwStatus OpenDomain(Dds* dds, hwError* error) {
    char config[600];
    const char* given = getenv("CYCLONEDDS_URI");
    if (dds->def.network != NULL) {
        bool address = strspn(dds->network, "0123456789.:") == strlen(dds->network);
        snprintf(config, sizeof(config), g_network, address ? "address" : "name", dds->network);
    } else {
        snprintf(config, sizeof(config), "%s", given != NULL && given[0] != 0 ? given : g_loopback);
    }
    dds->domain = dds_create_domain((dds_domainid_t)dds->def.domain, config);
    // a domain that this process has already is used as it is
    if (dds->domain < 0 && dds->domain != DDS_RETCODE_PRECONDITION_NOT_MET)
        return hwDds_Fail(error,
                          "the line above has the reason: an interface that is not there, or CYCLONEDDS_URI",
                          "--dds: cannot open domain %d: %s", dds->def.domain, dds_strretcode(-dds->domain));
    dds->participant = dds_create_participant((dds_domainid_t)dds->def.domain, NULL, NULL);
    if (dds->participant > 0) return HW_OK;
    return hwDds_Fail(error, "up to 31 programs of this machine share a domain; an interface must be up",
                      "--dds: cannot join domain %d: %s", dds->def.domain, dds_strretcode(-dds->participant));
}

// Running --------------------------------------------------------------------------------------------------------------------

static bool IsDue(Dds* dds, double timeout, double* clock) {
    double now = GetClock();
    if (dds->due == 0.0) dds->due = now;
    if (now < dds->due) {
        double wait = fmin(dds->due - now, timeout);
        struct timespec time = {(time_t)wait, (long)(1e9 * (wait - floor(wait)))};
        nanosleep(&time, NULL);
        now = GetClock();
    }
    *clock = now;
    return now >= dds->due;
}

static void WaitForMessages(Dds* dds, double clock, double timeout) {
    if (dds->waiting == 0.0) dds->waiting = dds->sentAgain = clock;
    if (clock - dds->sentAgain > AGAIN) {
        SendAgain(dds);
        dds->sentAgain = clock;
    }
    dds_attach_t which;
    dds_waitset_wait(dds->waitset, &which, 1, (dds_duration_t)(1e9 * timeout));
    dds->waited += GetClock() - clock;
}

static double DdsPace(hwConnector* connector, const hwConnection* connection, double timeout) {
    Dds* dds = (Dds*)connector;
    double clock, step = 0.0;
    if (!IsDue(dds, timeout, &clock)) return 0.0;
    for (int i = 0; i < dds->count; ++i) Receive(dds, i, clock);
    LookWhoIsThere(dds, clock);
    int missing;
    bool ready = hwFederate_IsReady(dds->federate, &missing, connection->error);
    SendNews(dds);
    if (!ready && connection->error->message[0] != 0) return -1.0;
    if (!ready) {
        WaitForMessages(dds, clock, timeout);
        return 0.0;
    }
    dds->waiting = 0.0;
    if (hwFederate_BeginStep(dds->federate, clock, &step, connection->error) < HW_OK) return -1.0;
    dds->stepping = true;
    dds->due += step / dds->def.speed;
    if (dds->due < clock - MOST_BEHIND) dds->due = clock - MOST_BEHIND;
    return step;
}

static void DdsUpdate(hwConnector* connector, const hwConnection* connection) {
    Dds* dds = (Dds*)connector;
    if (!dds->stepping) return;
    dds->stepping = false;
    if (hwFederate_EndStep(dds->federate, connection->error) < HW_OK) return;
    SendNews(dds);
    double time = hwWorld_GetTime(dds->world);
    // half a step: rounding must not shift a message by a step
    double half = 0.5 * dds->def.federate.interval;
    if (time >= dds->written + ROS_INTERVAL - half) {
        hwRosTopics_ReadInputs(dds->ros, connection);
        hwRosTopics_Write(dds->ros, dds->world);
        dds->written = floor((time + half) / ROS_INTERVAL) * ROS_INTERVAL;
    }
    if (dds->def.keep != NULL && time >= dds->kept + KEEP_INTERVAL - half) {
        if (hwFederate_SaveFile(dds->federate, dds->def.keep, connection->error) < HW_OK) return;
        dds->kept = time;
    }
}

static void DdsDescribe(const hwConnector* connector, char* text, size_t size) {
    const Dds* dds = (const Dds*)connector;
    snprintf(text, size, "DDS: federate %s in domain %d%s, steps of %g s, %s, %d links, %d topics for ROS 2.",
             dds->name, dds->def.domain, dds->def.network == NULL ? " on loopback" : "",
             dds->def.federate.interval, dds->def.federate.free ? "free-running" : "in lock-step", dds->count,
             hwRosTopics_GetCount(dds->ros));
}

static void DdsReport(const hwConnector* connector, char* text, size_t size) {
    const Dds* dds = (const Dds*)connector;
    hwFederateCounts c = hwFederate_GetCounts(dds->federate);
    snprintf(text, size,
             "DDS: %llu steps, %llu messages received, %llu late, %llu lost, %llu malformed, %llu refused; "
             "others gone %llu "
             "times, back %llu times, silent %llu times; waited %.1f s, asked again %llu times.",
             (unsigned long long)hwFederate_GetStep(dds->federate), (unsigned long long)c.received,
             (unsigned long long)c.late, (unsigned long long)c.lost, (unsigned long long)c.malformed,
             (unsigned long long)dds->refused, (unsigned long long)dds->gone, (unsigned long long)c.restarts,
             (unsigned long long)c.silences, dds->waited, (unsigned long long)dds->repeats);
}

static void DdsDestroy(hwConnector* connector) {
    Dds* dds = (Dds*)connector;
    // the others need the last step's messages, too
    for (int i = 0; i < dds->count && !dds->def.federate.free; ++i) {
        if (dds->lines[i].there) dds_wait_for_acks(dds->lines[i].writer, DDS_SECS(1));
    }
    hwDestroyRosTopics(dds->ros);
    if (dds->participant > 0) dds_delete(dds->participant);
    if (dds->domain > 0) dds_delete(dds->domain);
    hwDestroyFederate(dds->federate);
    free(dds);
}

static const hwConnectorType g_type = {
    .name = "dds",
    .pace = DdsPace,
    .update = DdsUpdate,
    .describe = DdsDescribe,
    .report = DdsReport,
    .destroy = DdsDestroy,
};

hwConnector* hwCreateDds(hwWorld* world, const hwDdsDef* def, hwError* error) {
    Dds* dds = calloc(1, sizeof(*dds));
    if (dds == NULL) {
        hwDds_Fail(error, NULL, "there is not enough memory");
        return NULL;
    }
    dds->base.type = &g_type;
    dds->world = world;
    dds->def = *def;
    snprintf(dds->name, sizeof(dds->name), "%s", def->name);
    snprintf(dds->network, sizeof(dds->network), "%s", def->network != NULL ? def->network : "");
    hwFederateDef federate = def->federate;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    federate.session = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    dds->federate = hwCreateFederate(world, &federate, error);
    bool good = dds->federate != NULL, found = false, clock = true;
    for (int i = 0; i < federate.linkCount; ++i) clock &= federate.links[i].kind != HW_COUPLING_END;
    if (good && def->keep != NULL)
        good = hwFederate_LoadFile(dds->federate, def->keep, &found, error) >= HW_OK;
    good = good && OpenDomain(dds, error) >= HW_OK && OpenLines(dds, error) >= HW_OK;
    if (good) dds->ros = hwCreateRosTopics(def->scene, world, dds->participant, dds->name, clock, error);
    if (!good || dds->ros == NULL) {
        DdsDestroy(&dds->base);
        return NULL;
    }
    dds->written = dds->kept = hwWorld_GetTime(world);
    if (found && def->log != NULL) {
        char text[400];
        snprintf(text, sizeof(text), "going on from %s at %g s.", def->keep, hwWorld_GetTime(world));
        def->log(HW_LOG_INFO, text, def->logContext);
    }
    return &dds->base;
}
