/// @file exchange.h
/// A body in one world and a cable's end in another, advanced one after the other, without creating energy.
///
/// In each interval the body feels a force, the end goes straight on to where the body's point has come to, and the
/// interval is repeated (and halved where that does not settle) until the cable's mean pull is the mean force that the body
/// felt. Then the work done on both sides
/// adds up to zero or less, whatever the interval and however stiff or slack the cable is; docs/numerics.md has the proof.
/// Callers whose worlds are in different programs do the same with hwWorld_SaveState and hwWorld_RestoreState,
/// hwBody_ApplyWrench, hwBody_ApplyImpedance, hwCable_PredictEndLoad, hwCable_GuideEnd and hwCable_GetEndImpulse.
#ifndef HAWSER_EXCHANGE_H
#define HAWSER_EXCHANGE_H

#include "hawser/base.h"
#include "hawser/body.h"
#include "hawser/cable.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Who exchanges with whom. Both worlds are prepared and stay the caller's.
typedef struct hwExchangeDef {
    hwWorld* bodyWorld;  ///< holds the body
    hwBodyId body;       ///< free or a link of a mechanism
    hwVec3 at;           ///< m, body frame: where the end is
    hwWorld* cableWorld; ///< another world, at the same time
    hwCableId cable;     ///< dynamic
    int end;             ///< 0 or 1: attached to the earth, pinned or clamped, where the body's point is
    double tolerance;    ///< how far both sides may disagree, of the mean force or the body's weight; 0: 1e-5
    int passes;          ///< most repetitions of an interval before it is halved; 0: 12
} hwExchangeDef;

/// An exchange that runs.
typedef struct hwExchange hwExchange;

/// How an interval went.
typedef struct hwExchangeReport {
    int passes;    ///< how often both worlds advanced, over it or over its parts
    hwVec3 force;  ///< N, mean, that the body felt, world axes
    hwVec3 moment; ///< N m, of a clamp, about the point
    double
        mismatch; ///< of the mean force, by which both sides disagree; what the body did not feel it will feel next
    double
        created; ///< J, since the start: work done on the body and on the cable together, not above rounding
} hwExchangeReport;

/// Begins an exchange, or returns null and fills `error`. The caller owns it. The end takes on the point's velocity.
HW_API hwExchange* hwCreateExchange(const hwExchangeDef* def, hwError* error);
/// Ends it. Null is allowed.
HW_API void hwDestroyExchange(hwExchange* exchange);
/// Advances both worlds by `interval` seconds. Forces that were applied to the body stay. `report` may be null.
HW_API hwStatus hwExchange_Advance(hwExchange* exchange, double interval, hwExchangeReport* report,
                                   hwError* error);

#ifdef __cplusplus
}
#endif
#endif
