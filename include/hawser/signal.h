/// @file signal.h
/// Functions of time for set points, forces, prescribed motion, current and wind.
///
/// A signal is a sum of terms. Its first and second time derivatives come with it. Scalars use the x component.
#ifndef HAWSER_SIGNAL_H
#define HAWSER_SIGNAL_H

#include "hawser/base.h"
#include "hawser/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The shape of one term.
typedef enum hwSignalKind {
    HW_SIGNAL_CONSTANT, ///< `offset`
    HW_SIGNAL_SINE,     ///< offset + amplitude sin(2 pi t / period + phase), per component
    HW_SIGNAL_RAMP, ///< from `offset` to `offset + amplitude` between `start` and `end`, twice differentiable
    HW_SIGNAL_TABLE ///< linear or natural cubic spline through (times, values), constant and at rest outside
} hwSignalKind;

/// One term of a signal. Start from hwDefaultSignalTerm().
typedef struct hwSignalTerm {
    hwSignalKind kind;    ///< which of the fields below count
    hwVec3 offset;        ///< value of a constant, centre of a sine, start value of a ramp
    hwVec3 amplitude;     ///< of a sine; rise of a ramp
    hwVec3 period;        ///< s, sine; not used where the amplitude is zero
    hwVec3 phase;         ///< rad, sine
    double start;         ///< s, ramp
    double end;           ///< s, ramp
    int count;            ///< rows of a table
    const double* times;  ///< `count` increasing times, s
    const hwVec3* values; ///< `count` values
    bool cubic;           ///< table: natural cubic spline instead of straight lines
    const hwVec3*
        bends; ///< second derivatives of the spline at the rows; filled in a world's copy, else null
} hwSignalTerm;

/// A sum of terms. No terms: the signal is absent, which most defs read as "zero" or "not given".
/// The arrays are borrowed by a def and copied when the def is added to a world.
typedef struct hwSignal {
    int termCount;             ///< entries of `terms`
    const hwSignalTerm* terms; ///< added
} hwSignal;

/// A signal's value and its first two time derivatives.
typedef struct hwSignalValue {
    hwVec3 value;        ///< in the signal's unit
    hwVec3 rate;         ///< per s
    hwVec3 acceleration; ///< per s2
} hwSignalValue;

/// A constant term of value zero.
HW_API hwSignalTerm hwDefaultSignalTerm(void);
/// A term that stays at `value`.
HW_API hwSignalTerm hwConstantTerm(hwVec3 value);
/// A term amplitude sin(2 pi t / period + phase), the same period (s) and phase (rad) for all components.
HW_API hwSignalTerm hwSineTerm(hwVec3 amplitude, double period, double phase);
/// A smooth ramp (quintic, so that rate and acceleration are continuous).
HW_API hwSignalTerm hwRampTerm(hwVec3 from, hwVec3 to, double start, double end);

/// Checks periods, orders of time and finiteness. The error names the term by its index.
HW_API hwStatus hwSignal_Check(const hwSignal* signal, hwError* error);

/// Evaluates the sum at time t (s). A cubic table without `bends` is evaluated with straight lines.
HW_API hwSignalValue hwSignal_Evaluate(const hwSignal* signal, double t);

#ifdef __cplusplus
}
#endif
#endif
