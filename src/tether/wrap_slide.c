// How corners of a wrapped tether go and slide.
#include "tether/wrap_update.h"

#include <string.h>

#define LEAST_SLIDE 0.05 // shares of the radius: by less than this nothing slides
#define SHORTER 6        // times that a way that is not free is halved

// Directions from corner c to either side, along spans as they leave it.
static void GetSides(const hwWrapPath* path, int c, hwVec3* back, hwVec3* on) {
    int k = path->spanOf[c];
    *back = path->joined[c] ? hwNormalize(hwSub(path->point[c], path->point[c + 1]))
                            : hwNeg(path->span[k].tangent[1]);
    int next = path->joined[c + 1] ? k : k + 1;
    *on = path->joined[c + 1] ? hwNormalize(hwSub(path->point[c + 2], path->point[c + 1]))
                              : path->span[next].tangent[0];
}

bool hwWrapUpdate_ReleaseOne(hwWrapUpdate* u) {
    hwWrapState* state = u->state;
    for (int c = 0; c < state->count; ++c) {
        if (state->corners[c].quiet == 2) continue;
        bool inside = u->path->joined[c] && u->path->joined[c + 1];
        hwVec3 back, on, normal = hwWrap_GetNormal(u->setup, &state->corners[c]);
        GetSides(u->path, c, &back, &on);
        if (hwDot(hwAdd(back, on), normal) < (inside ? 1e-9 : 0.0)) {
            if (state->corners[c].quiet == 1) state->corners[c].quiet = 2;
            continue;
        }
        if (hwWrapUpdate_RemoveCorner(u, c)) return true;
    }
    return false;
}

static bool IsChordKnown(const hwWrapUpdate* u, int i, const hwWrapGaps* gaps) {
    return gaps->space == u->setup->space && gaps->chordMoves == u->setup->space->moves &&
           hwHaveSameBits(gaps->chord, u->path->point + i, sizeof(gaps->chord));
}

// Whether interval i is free to turn about one of its ends when the other goes from p to q. What it sweeps is no farther from its
// chord than that way is long.
static bool MayTurn(const hwWrapUpdate* u, int i, hwVec3 p, hwVec3 q) {
    const hwTetherSpace* space = u->setup->space;
    double radius = HW_WRAP_SLIDING * u->setup->radius;
    const hwVec3* ends = u->path->point + i;
    if (!u->path->joined[i]) {
        hwWrapGaps* gaps = &u->path->gaps[u->path->spanOf[i]];
        double need = (1.0 + 1e-9) * radius, way = hwDistance(p, q);
        if (!IsChordKnown(u, i, gaps) || !(gaps->chordGap - way > need)) {
            double place, reach = 1.1 * u->setup->radius; // the corner is a radius off
            hwVec3 normal;
            double gap =
                hwTetherSpace_GetSegmentClearance(space, ends[0], ends[1], reach, &place, &normal, NULL);
            gaps->space = space;
            gaps->chordMoves = space->moves;
            memcpy(gaps->chord, ends, sizeof(gaps->chord));
            gaps->chordGap = hwFmin(gap, reach);
        }
        if (gaps->chordGap - way > need) return true;
    }
    return hwTetherSpace_IsFree(space, ends[0], ends[1], q, radius);
}

// Whether corner c may go to q: nothing lies between. On a surface, a radius off it.
static bool MayMove(const hwWrapUpdate* u, int c, hwVec3* q, double reach, hwVec3* normal) {
    const hwWrapSetup* setup = u->setup;
    const hwWrapPath* path = u->path;
    int nearest;
    double off = hwTetherSpace_GetClearance(setup->space, *q, 8.0 * setup->radius + reach, &nearest, normal);
    if (nearest != u->state->corners[c].solid) return false;
    *q = hwMulAdd(*q, setup->radius - off, *normal);
    hwVec3 p = path->point[c + 1];
    return MayTurn(u, c, p, *q) && MayTurn(u, c + 1, p, *q);
}

static void PutCorner(hwWrapUpdate* u, int c, hwVec3 q, hwVec3 normal) {
    hwWrapCorner* corner = &u->state->corners[c];
    corner->quiet = corner->smooth = 0;
    if (c > 0) corner[-1].smooth = 0;
    corner->at = hwWrap_ToSolid(u->setup->space, corner->solid, q);
    corner->normal = hwInvRotate(u->setup->space->solids[corner->solid].pose.q, normal);
    double way = hwDistance(u->path->point[c + 1], q);
    for (int side = 0; side < 2; ++side) {
        hwWrapGaps* gaps = &u->path->gaps[u->path->spanOf[c + side]];
        if (u->path->joined[c + side] || !IsChordKnown(u, c + side, gaps)) continue;
        gaps->chord[1 - side] = q;
        gaps->chordGap -= way;
    }
    u->path->point[c + 1] = q;
    u->path->measured[u->path->spanOf[c]] = false; // its arc, whose spans may stay
}

// The way that a corner or arc (`kind` 1) takes by its estimate `move`. Bent spans turn otherwise than straight ones, so the
// estimate may go too far: when it turns round it goes half as far.
static double Damp(hwWrapUpdate* u, int kind, int c, double aside, double move, double longest) {
    int side = aside > 0.0 ? 1 : -1;
    double* gain = &u->gain[kind][c];
    if (u->side[kind][c] == 0) *gain = 1.0;
    if (u->side[kind][c] == -side) *gain *= 0.5;
    u->side[kind][c] = side;
    return hwFmin(*gain * move, longest);
}

// An arc moves as a whole along what it lies on, the direction at right angles to its normals, where both free spans together
// pull it there by more than friction holds: corner by corner it would creep. `waits`: a way of no more than `enough` is left for the
// next update.
static double SlideArc(hwWrapUpdate* u, int first, int last, double enough, bool* waits) {
    const hwWrapSetup* setup = u->setup;
    const hwWrapPath* path = u->path;
    hwVec3 from = hwWrap_GetNormal(setup, &u->state->corners[first]), along = hwVec3_zero;
    double hold = 0.0, most = 0.0;
    hwVec3 pull = hwVec3_zero;
    for (int c = first; c <= last; ++c) {
        hwVec3 back, on, normal = hwWrap_GetNormal(setup, &u->state->corners[c]),
                         cross = hwCross(from, normal);
        GetSides(path, c, &back, &on);
        hold += setup->friction[u->state->corners[c].solid] * hwFmax(-hwDot(hwAdd(back, on), normal), 0.0);
        if (hwLength(cross) > most) most = hwLength(cross), along = cross;
        if (c == first) pull = hwAdd(pull, back);
        if (c == last) pull = hwAdd(pull, on);
    }
    if (!(most > 0.05)) return 0.0;
    along = hwScale(1.0 / most, along);
    double aside = hwDot(pull, along), left = fabs(aside) - hold;
    if (!(left > 1e-6)) return 0.0;
    double before = hwDistance(path->point[first], path->point[first + 1]);
    double behind = hwDistance(path->point[last + 1], path->point[last + 2]);
    double move =
        Damp(u, 1, first, aside, left / (1.0 / before + 1.0 / behind), 0.3 * hwFmin(before, behind));
    if (move <= LEAST_SLIDE * setup->radius) return 0.0;
    *waits = move <= enough;
    if (*waits) return 0.0;
    // the end that comes first in the direction of the pull leads, so that chords do not cross what is between
    hwVec3 step = hwScale(aside > 0.0 ? move : -move, along);
    bool free = true;
    hwVec3 to[HW_WRAP_CORNERS], normals[HW_WRAP_CORNERS];
    for (int half = 0; half < 6; ++half) {
        free = true;
        for (int c = first; c <= last && free; ++c) {
            hwVec3 p = path->point[c + 1];
            to[c] = hwAdd(p, step);
            int nearest;
            double reach = 8.0 * setup->radius + move, radius = HW_WRAP_SLIDING * setup->radius;
            double off = hwTetherSpace_GetClearance(setup->space, to[c], reach, &nearest, &normals[c]);
            free = nearest == u->state->corners[c].solid;
            if (!free) break;
            to[c] = hwMulAdd(to[c], setup->radius - off, normals[c]);
            // what the chord before it sweeps
            hwVec3 q = path->point[c], r = c == first ? q : to[c - 1];
            free = hwTetherSpace_IsFree(setup->space, q, p, to[c], radius) &&
                   hwTetherSpace_IsFree(setup->space, q, to[c], r, radius);
            if (free && c == last)
                free = hwTetherSpace_IsFree(setup->space, p, to[c], path->point[c + 2], radius);
        }
        if (free) break;
        step = hwScale(0.5, step);
        move *= 0.5;
    }
    if (!free) return 0.0;
    for (int c = first; c <= last; ++c) PutCorner(u, c, to[c], normals[c]);
    return move;
}

// How far corners would go across the tether. Straight spans of length l under one tension pull a corner that is x_c aside by
// (x_(c+1) - x_c) / l + (x_(c-1) - x_c) / l' of it; what friction does not hold is to vanish for all that slide together.
static void PullAside(hwWrapUpdate* u) {
    const hwWrapSetup* setup = u->setup;
    const hwWrapPath* path = u->path;
    double over = 0.0, last = 0.0;
    double overs[HW_WRAP_CORNERS];
    int count = u->state->count;
    for (int c = 0; c < count; ++c) {
        u->move[c] = overs[c] = 0.0;
        if (u->busy[c]) {
            hwVec3 back, on, normal = hwWrap_GetNormal(setup, &u->state->corners[c]);
            GetSides(path, c, &back, &on);
            hwVec3 pull = hwAdd(back, on), along = hwSub(on, back);
            u->across[c] = hwNormalize(hwCross(normal, along));
            double aside = hwDot(pull, u->across[c]), press = hwFmax(-hwDot(pull, normal), 0.0);
            double left = fabs(aside) - setup->friction[u->state->corners[c].solid] * press;
            if (left > 1e-6) u->move[c] = aside > 0.0 ? left : -left;
        }
        if (u->move[c] == 0.0) {
            over = last = 0.0;
            continue;
        }
        double before = 1.0 / hwDistance(path->point[c], path->point[c + 1]);
        double behind = 1.0 / hwDistance(path->point[c + 1], path->point[c + 2]);
        double turn = c > 0 && u->move[c - 1] != 0.0 ? hwDot(u->across[c - 1], u->across[c]) : 0.0;
        double diagonal = before + behind - before * turn * over;
        last = u->move[c] = (u->move[c] + before * turn * last) / diagonal;
        // of the next corner's move, once it is known
        over = overs[c] = behind / diagonal;
    }
    for (int c = count - 2; c >= 0; --c) {
        if (u->move[c] != 0.0 && u->move[c + 1] != 0.0)
            u->move[c] += overs[c] * hwDot(u->across[c], u->across[c + 1]) * u->move[c + 1];
    }
}

// Corner c goes by `move` across the tether, or by a half, a quarter of that where the way is not free: a way straight aside leaves a
// bar that it does not go along, and cuts into it when it is long. Returns how far.
static double SlideCorner(hwWrapUpdate* u, int c, double move) {
    double least = LEAST_SLIDE * u->setup->radius;
    for (int half = 0; half < SHORTER && move > least; ++half, move *= 0.5) {
        hwVec3 normal, q = hwMulAdd(u->path->point[c + 1], u->move[c] > 0.0 ? move : -move, u->across[c]);
        if (!MayMove(u, c, &q, move, &normal)) continue;
        PutCorner(u, c, q, normal);
        return move;
    }
    return 0.0;
}

double hwWrapUpdate_SlideAll(hwWrapUpdate* u, double enough) {
    hwWrapState* state = u->state;
    const hwWrapPath* path = u->path;
    double most = 0.0;
    bool waits[HW_WRAP_CORNERS];
    for (int c = 0; c < state->count; ++c) {
        int last = c;
        bool quiet = state->corners[c].quiet > 0;
        while (last + 1 < state->count && path->joined[last + 1]) {
            last += 1;
            quiet = quiet && state->corners[last].quiet > 0;
        }
        bool later = false;
        for (int i = c; i <= last; ++i) u->busy[i] = !quiet;
        if (last > c && !quiet) most = hwFmax(most, SlideArc(u, c, last, enough, &later));
        for (int i = c; i <= last; ++i) waits[i] = later;
        c = last;
    }
    PullAside(u);
    for (int c = 0; c < state->count; ++c) {
        if (!u->busy[c]) continue;
        double move = fabs(u->move[c]);
        bool later = move <= enough && move > LEAST_SLIDE * u->setup->radius;
        state->corners[c].quiet = !(later || waits[c]);
        if (later || !(move > 0.0)) continue;
        move = Damp(u, 0, c, u->move[c], move,
                    0.5 * hwFmin(hwDistance(path->point[c], path->point[c + 1]),
                                 hwDistance(path->point[c + 1], path->point[c + 2])));
        most = hwFmax(most, SlideCorner(u, c, move));
    }
    return most;
}
