// Slack elements that a correction of Newton's method draws taut.
//
// Tension is phi(u), u = EA e + c de/dt, with a kink at u = 0: phi' is 1 above and `compression` below. A slack element has no
// stiffness there, so a correction moves its nodes apart as if nothing held them. Evaluated then, it is far too tight; the
// next correction gives that on to its slack neighbour, and so on: a string of N elements that draws taut took N
// corrections. So what a correction makes an element too long is passed on here, from neighbour to neighbour, as far as the
// slack of these does not take it up, and the next evaluation takes all of them on the branch of u > 0. Those that this was
// wrong for come out with u < 0 and leave the branch together. Branches that are wrong in this direction are left in one
// correction, in the other one by one: so what may be taut is taken to be.
//
// It is an active set method on the linear pieces of phi (Hintermueller, Ito & Kunisch 2002: such a method is Newton's on
// the kink) with a forecast of the set. What a stage converges to is not changed: forces on the wrong branch are not
// accepted, see hwCableWork_Foresee.
#include "cable/arrays.h"

// Change of u in a correction over that of the element's rate of lengthening, N s/m.
static double GetGain(const hwCableArrays* s, double hd, int e) {
    return (hd * s->stiffness[e] + s->damping[e]) * s->restInverse[e];
}

static bool IsTaken(const hwCableArrays* s, int e) {
    return s->pull[e] > -s->drawn[e];
}

// From an element that goes taut towards one end. `excess` is the rate at which the elements on the way become too long.
static void PassOn(hwCableArrays* s, int elements, double hd, int from, int way) {
    double excess = s->foreseen[from];
    for (int e = from + way; e >= 0 && e < elements; e += way) {
        if (s->foreseen[e] > 0.0) {
            if (IsTaken(s, e)) return;
            excess = hwMax(excess, s->foreseen[e]);
            continue;
        }
        double left = excess + s->foreseen[e], gain = GetGain(s, hd, e);
        if (!(left > 0.0) || !(gain > 0.0) || s->compression[e] >= 1.0) return;
        s->passed[e] = hwMax(s->passed[e], excess * gain);
        excess = left;
    }
}

HW_INLINE bool IsAny(hwM4 mask) {
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

HW_INLINE hwM4 AreTaken(const hwCableArrays* s, int e) {
    return Load4(s->pull + e) > -Load4(s->drawn + e);
}

bool hwCableArrays_IsAnySlack(const hwCableArrays* s, int from, int to) {
    int e = from;
    for (; e + HW_LANES <= to; e += HW_LANES) {
        if (IsAny(~(Load4(s->pull + e) > 0.0))) return true;
    }
    for (; e < to; ++e) {
        if (!(s->pull[e] > 0.0)) return true;
    }
    return false;
}

void hwCableArrays_ForgetDrawn(hwCableArrays* s) {
    if (s->drawnCount == 0) return;
    memset(s->drawn, 0, (size_t)s->drawnCount * sizeof(double));
    s->drawnCount = 0;
}

// What each element will be, and what alone that draws taut; false: some are taken to be taut that will not be.
static bool ForeseeElements(hwCableArrays* s, int elements, double hd, const hwVec3* increment) {
    int e = 0;
    hwM4 wrong = {0};
    for (; e + HW_LANES <= elements; e += HW_LANES) {
        hwV4 pull = Load4(s->pull + e);
        hwV4 gain = (hd * Load4(s->stiffness + e) + Load4(s->damping + e)) * Load4(s->restInverse + e);
        hwV4x3 apart = Sub4(LoadVectors(&increment[e + 1].x), LoadVectors(&increment[e].x));
        hwV4x3 t = {Load4(s->tx + e), Load4(s->ty + e), Load4(s->tz + e)};
        hwV4 foreseen = (hwV4)((hwM4)(pull / gain + Dot4(apart, t)) & (hwM4)(gain > 0.0));
        Store4(s->foreseen + e, foreseen);
        Store4(s->passed + e, Positive4(foreseen) * gain);
        wrong |= ~(pull > 0.0) & AreTaken(s, e) & ~(foreseen > 0.0);
    }
    bool right = !IsAny(wrong);
    for (; e < elements; ++e) {
        double gain = GetGain(s, hd, e);
        hwVec3 apart = hwSub(increment[e + 1], increment[e]);
        s->foreseen[e] = gain > 0.0 ? s->pull[e] / gain + hwDot(apart, hwTangent(s, e)) : 0.0;
        s->passed[e] = hwMax(s->foreseen[e], 0.0) * gain;
        right = right && (s->pull[e] > 0.0 || !IsTaken(s, e) || s->foreseen[e] > 0.0);
    }
    return right;
}

bool hwCableWork_Foresee(hwCableWork* work, const hwVec3* increment, bool* draws) {
    hwCableArrays* s = work->arrays;
    const hwCableModel* model = work->model;
    int elements = work->nodes - 1;
    if (model->pid.on || model->curved || model->law.function != NULL) return true;
    double hd = work->input.hd;
    if (!(s->slackKnown ? s->slack : hwCableArrays_IsAnySlack(s, 0, elements))) {
        hwCableArrays_ForgetDrawn(s);
        return true;
    }
    bool right = ForeseeElements(s, elements, hd, increment);
    for (int e = 0; e < elements; ++e) {
        if (e + HW_LANES <= elements && !IsAny((Load4(s->foreseen + e) > 0.0) & ~AreTaken(s, e))) {
            e += HW_LANES - 1;
            continue;
        }
        if (!(s->foreseen[e] > 0.0) || IsTaken(s, e)) continue;
        PassOn(s, elements, hd, e, -1);
        PassOn(s, elements, hd, e, 1);
    }
    for (int e = 0; e < elements && !*draws; ++e) *draws = s->passed[e] > 0.0 && !IsTaken(s, e);
    memcpy(s->drawn, s->passed, (size_t)elements * sizeof(double));
    if (elements > s->drawnCount) s->drawnCount = elements;
    return right;
}
