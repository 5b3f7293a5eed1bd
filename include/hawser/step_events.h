/// @file step_events.h
/// What happened during a step, as an array that is read after it: contacts that began and ended, hits, cables that went
/// slack, snapped taut, parted, were caught or let go.
#ifndef HAWSER_STEP_EVENTS_H
#define HAWSER_STEP_EVENTS_H

#include "hawser/base.h"
#include "hawser/body.h"
#include "hawser/cable.h"
#include "hawser/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What happened.
typedef enum hwStepEventKind {
    HW_EVENT_CONTACT_BEGIN, ///< two things began to touch; value: m/s, speed of approach
    HW_EVENT_CONTACT_HIT,   ///< and faster than `hitSpeed`; follows the beginning; value: the same
    HW_EVENT_CONTACT_END, ///< they have not touched for `dwell` seconds; `time` is when they last did; value: 0
    HW_EVENT_CABLE_SLACK, ///< an attached end pulls with less than a hundredth of its mean of
                          ///< about ten seconds, and with less than a twentieth for 0.1 s; value: 0
    HW_EVENT_CABLE_TAUT,  ///< and pulls again; value: N, tension there
    HW_EVENT_CABLE_SNAP, ///< a second after it became taut, or slack again before; value: N, largest tension since
    HW_EVENT_CABLE_PARTED,   ///< it broke; value: m, arc length where
    HW_EVENT_CABLE_LATCHED,  ///< an end was caught, see hwCableEventDef; value: m, distance at that time
    HW_EVENT_CABLE_RELEASED, ///< an end was let go, see hwCableEventDef; value: N, tension there
    HW_EVENT_CABLE_WOUND ///< a winding or linking number changed, see hwWorld_WatchEntanglement: bodyA and shapeA are
                         ///< the body and the index of the axis or loop; value: the number now
} hwStepEventKind;

/// One event, world axes.
typedef struct hwStepEvent {
    hwStepEventKind kind; ///< what
    double time;          ///< s
    double value;         ///< see hwStepEventKind
    hwBodyId bodyA;   ///< contacts: the body or link a; null: it is a cable. Wound: what it is wound round
    hwBodyId bodyB;   ///< contacts: the body or link b; null: it is a cable or the seabed
    hwCableId cableA; ///< contacts: the cable a; others: the cable that it happened to
    hwCableId cableB; ///< contacts: the cable b; null: it is none
    int shapeA;       ///< contacts: index among the shapes of a, or -1
    int shapeB;       ///< contacts: index among the shapes of b, or -1
    int end;          ///< cables: 0: a, 1: b, -1: along the cable; of contacts -1
    hwVec3 point;     ///< contacts: m, where they touch, or last did; of others zero
    hwVec3 normal;    ///< contacts: unit, from a to b; of others zero
} hwStepEvent;

/// Which events are kept. Start from hwDefaultStepEventDef().
typedef struct hwStepEventDef {
    int capacity;    ///< most events of one call of hwWorld_Step; 256 unless given
    int contacts;    ///< most pairs of things in contact that are followed at a time; 256 unless given
    double dwell;    ///< s: what touches again within this time has not stopped; 0.05 unless given
    double hitSpeed; ///< m/s, from which a beginning contact is a hit; 0.5 unless given
    int cookie;      ///< set by hwDefaultStepEventDef
} hwStepEventDef;

/// Room for 256 events and 256 contacts, 0.05 s, 0.5 m/s.
HW_API hwStepEventDef hwDefaultStepEventDef(void);

/// Keeps events from now on, or no longer when `def` is null. Allocates here, never in a step. What touches now is known
/// already and begins no more. Each accepted sub-step then costs one evaluation of forces more.
HW_API hwStatus hwWorld_KeepStepEvents(hwWorld* world, const hwStepEventDef* def, hwError* error);

/// The events of the last call of hwWorld_Step in the order in which they were noticed. The array belongs to the world and
/// is valid until the next step. Returns how many there are; `lost`, unless null, receives how many more found no room, of
/// events and of contacts to follow.
HW_API int hwWorld_GetStepEvents(const hwWorld* world, const hwStepEvent** events, int* lost);

#ifdef __cplusplus
}
#endif
#endif
