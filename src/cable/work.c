// Memory and mesh-dependent caches of a cable's work.
#include "cable/arrays.h"

#include <string.h>

// An array by node or element: a group of four entries readable before the start, two after the end. The
// kernels walk through some sixty of these at once, so their starts must not fall on the same cache sets: an
// odd number of cache lines each, and not near a multiple of 4 KiB (measured: 2.5 times slower at 500 nodes
// without this).
static double* TakeArray(hwArena* arena, int count) {
    int lines = ((count + 3) / 4 * 4 + 12 + 7) / 8 | 1;
    if (lines >= 64 && (lines % 64 < 5 || lines % 64 > 59)) lines += 10;
    double* memory = HW_TAKE(arena, double, lines * 8);
    return memory != NULL ? memory + 4 : NULL;
}

static void TakeElementArrays(hwCableArrays* s, int n, hwArena* arena) {
    double** arrays[] = {&s->rest,
                         &s->restInverse,
                         &s->stiffness,
                         &s->compression,
                         &s->damping,
                         &s->mass,
                         &s->volume,
                         &s->dragNormal,
                         &s->dragTangential,
                         &s->addedNormal,
                         &s->addedTangential,
                         &s->radius,
                         &s->breakTension,
                         &s->growth,
                         &s->relief,
                         &s->bendStiffness,
                         &s->bendDamper,
                         &s->twistDamper,
                         &s->twistCompliance,
                         &s->tx,
                         &s->ty,
                         &s->tz,
                         &s->lengthInverse,
                         &s->wetA,
                         &s->wetB,
                         &s->inertia,
                         &s->inertiaAlong,
                         &s->iso,
                         &s->along,
                         &s->pull,
                         &s->drawn,
                         &s->foreseen,
                         &s->passed};
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); ++i) *arrays[i] = TakeArray(arena, n);
}

static void TakeNodeArrays(hwCableArrays* s, int n, hwArena* arena) {
    double** arrays[] = {&s->bend, &s->bendDamping, &s->lumpMass, &s->lumpInertia, &s->px,    &s->py,
                         &s->pz,   &s->vx,          &s->vy,       &s->vz,          &s->ux,    &s->uy,
                         &s->uz,   &s->ax,          &s->ay,       &s->az,          &s->depth, &s->heave};
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); ++i) *arrays[i] = TakeArray(arena, n);
}

static void TakeJointArrays(hwCableArrays* s, int n, hwArena* arena) {
    for (int k = 0; k < 3; ++k) {
        s->shear[k] = TakeArray(arena, n);
        s->before[k] = TakeArray(arena, n);
        s->after[k] = TakeArray(arena, n);
    }
    for (int k = 0; k < 6; ++k) s->stiff[k] = TakeArray(arena, n);
    for (int k = 0; k < 9; ++k) s->couple[k] = TakeArray(arena, n);
    double** arrays[] = {&s->bendForce, &s->bendIso, &s->bendRank, &s->gx, &s->gy,
                         &s->gz,        &s->bx,      &s->by,       &s->bz, &s->spin};
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); ++i) *arrays[i] = TakeArray(arena, n);
}

static void TakeSystem(hwCableArrays* s, const hwCableModel* model, hwArena* arena) {
    int groups = (model->nodeCapacity + 3) / 4 + 2;
    int separators = model->maxPorts + 2;
    s->wide = model->bends || model->twists;
    s->diagonal = HW_TAKE(arena, double, groups * 24);
    s->first = HW_TAKE(arena, double, groups * 36);
    s->second = s->wide ? HW_TAKE(arena, double, groups * 36) : NULL;
    s->factor = HW_TAKE(arena, double, groups * 4 * HW_FACTOR_SIZE);
    s->fill = HW_TAKE(arena, double, groups * 4 * HW_FILL_SIZE);
    s->solution = HW_TAKE(arena, hwVec3, groups * 4);
    s->twistColumn = model->twists ? HW_TAKE(arena, hwVec3, groups * 4) : NULL;
    s->staticsFrom = HW_TAKE(arena, hwVec3, model->nodeCapacity);
    s->staticsStep = HW_TAKE(arena, hwVec3, model->nodeCapacity);
    s->segments = HW_TAKE(arena, hwCableSegment, separators + 1);
    s->separatorSlot = HW_TAKE(arena, int, separators);
    s->reduced.size = HW_TAKE(arena, int, separators);
    s->reduced.matrix = hwArena_Take(arena, (size_t)separators, sizeof(double[6][6]));
    s->reduced.next = hwArena_Take(arena, (size_t)separators, sizeof(double[6][6]));
    s->reduced.rhs = hwArena_Take(arena, (size_t)separators, sizeof(double[6]));
    s->reduced.twist = hwArena_Take(arena, (size_t)separators, sizeof(double[6]));
}

void hwCableWork_Layout(hwCableWork* work, const hwCableModel* model, hwArena* arena) {
    memset(work, 0, sizeof(*work));
    hwCableArrays unplaced = {0};
    hwCableArrays* s = HW_TAKE(arena, hwCableArrays, 1);
    if (s == NULL) s = &unplaced;
    int n = model->nodeCapacity;
    work->force = HW_TAKE(arena, hwVec3, (n + 3) / 4 * 4);
    work->tension = TakeArray(arena, n);
    work->length = TakeArray(arena, n);
    work->linkError = model->pid.on ? TakeArray(arena, n) : NULL;
    work->linkRate = model->pid.on ? TakeArray(arena, n) : NULL;
    TakeElementArrays(s, n, arena);
    TakeNodeArrays(s, n, arena);
    if (model->bends || model->twists) TakeJointArrays(s, n, arena);
    if (model->curved) s->curve = HW_TAKE(arena, const hwCableCurve*, n);
    if (model->locks) {
        double** locks[] = {&s->lockCurvature, &s->lockStiffness, &s->bendFree,
                            &s->lockBend,      &s->lockTurn,      &s->lockRank};
        for (size_t i = 0; i < sizeof(locks) / sizeof(locks[0]); ++i) *locks[i] = TakeArray(arena, n);
    }
    TakeSystem(s, model, arena);
    s->lump = HW_TAKE(arena, int, model->lumpCount);
    s->lumpElement = HW_TAKE(arena, int, model->lumpCount);
    s->lumpFraction = HW_TAKE(arena, double, model->lumpCount);
    if (arena->base == NULL) return;
    work->model = model;
    work->arrays = s;
}

static void FillElement(hwCableArrays* s, const hwCableModel* model, const hwCableState* state, int e) {
    double from = state->material[e], to = state->material[e + 1];
    double rest = to - from;
    hwCableSection p = hwCableModel_Average(model, from, to);
    s->rest[e] = rest;
    s->restInverse[e] = 1.0 / rest;
    s->stiffness[e] = p.EA * model->axialScale;
    s->compression[e] = p.compression;
    s->damping[e] = p.axialDamping;
    s->mass[e] = p.massPerLength * rest;
    s->volume[e] = 0.25 * HW_PI * p.diameter * p.diameter * rest;
    // behavioural links have a friction of their own
    double drag = model->pid.on ? 0.0 : 0.5 * p.diameter;
    s->dragNormal[e] = drag * p.dragNormal;
    s->dragTangential[e] = drag * p.dragTangential * HW_PI;
    s->addedNormal[e] = p.addedNormal * s->volume[e];
    s->addedTangential[e] = p.addedTangential * s->volume[e];
    s->radius[e] = 0.5 * p.diameter;
    s->breakTension[e] = p.breakTension;
    if (model->curved) s->curve[e] = hwCableModel_FindCurve(model, from, to);
    if (model->locks) {
        s->lockCurvature[e] = p.lockCurvature;
        s->lockStiffness[e] = p.lockStiffness * model->lockScale;
    }
    s->bendStiffness[e] = p.EI;
    s->bendDamper[e] = p.bendingDamping;
    s->twistCompliance[e] = p.GJ > 0.0 ? rest / p.GJ : HUGE_VAL;
    s->twistDamper[e] = p.GJ > 0.0 ? p.torsionDamping * rest / (p.GJ * p.GJ) : 0.0;
}

// Stiffness and damping of a joint over half an element on each side: the same moment acts on both halves, so
// that their compliances add up. This is the mixed method with the moment linear between nodes and its
// product integral lumped: second order on any mesh.
static void MakeJoint(double l0, double EI0, double c0, double l1, double EI1, double c1, double* bend,
                      double* damping) {
    bool stiff = (l0 == 0.0 || EI0 > 0.0) && (l1 == 0.0 || EI1 > 0.0);
    if (!stiff) {
        // Without stiffness the dampers alone turn with equal rates of curvature.
        *bend = 0.0;
        *damping = EI0 == 0.0 && EI1 == 0.0 ? 2.0 * (c0 * l0 + c1 * l1) / ((l0 + l1) * (l0 + l1)) : 0.0;
        return;
    }
    double half0 = l0 > 0.0 ? 0.5 * l0 / EI0 : 0.0;
    double half1 = l1 > 0.0 ? 0.5 * l1 / EI1 : 0.0;
    double b = 1.0 / (half0 + half1);
    double d0 = l0 > 0.0 ? half0 * c0 / EI0 : 0.0;
    double d1 = l1 > 0.0 ? half1 * c1 / EI1 : 0.0;
    *bend = b;
    *damping = b * b * (d0 + d1);
}

// A joint whose two halves, or whose one half beside a clamp, are in restrictors.
static void MakeLock(const hwCableArrays* s, int e0, int e1, double* bend, double* turn) {
    double length = e0 == e1 ? 0.5 * s->rest[e0] : 0.5 * (s->rest[e0] + s->rest[e1]);
    double stiffness = hwMin(s->lockStiffness[e0], s->lockStiffness[e1]);
    *bend = stiffness / length;
    *turn = hwMax(s->lockCurvature[e0], s->lockCurvature[e1]) * length;
}

static void FillJoint(hwCableArrays* s, int i) {
    MakeJoint(s->rest[i - 1], s->bendStiffness[i - 1], s->bendDamper[i - 1], s->rest[i], s->bendStiffness[i],
              s->bendDamper[i], &s->bend[i], &s->bendDamping[i]);
    if (s->lockBend == NULL) return;
    s->bendFree[i] = s->bend[i];
    MakeLock(s, i - 1, i, &s->lockBend[i], &s->lockTurn[i]);
}

static void FillClamps(hwCableArrays* s, int elements) {
    int ends[2] = {0, elements - 1};
    for (int k = 0; k < 2; ++k) {
        int e = ends[k];
        MakeJoint(0.0, 0.0, 0.0, s->rest[e], s->bendStiffness[e], s->bendDamper[e], &s->clampBend[k],
                  &s->clampDamping[k]);
        if (s->lockBend == NULL) continue;
        s->clampFree[k] = s->clampBend[k];
        MakeLock(s, e, e, &s->clampLock[k], &s->clampTurn[k]);
    }
}

// Elements share one torque: twist compliances add up, and the dampers work at the quasi-static twist rates.
static void FillTwist(hwCableArrays* s, int elements) {
    double compliance = 0.0, damper = 0.0;
    for (int e = 0; e < elements; ++e) {
        compliance += s->twistCompliance[e];
        damper += s->twistDamper[e];
    }
    s->twistStiffness = 1.0 / compliance;
    s->twistDamping = s->twistStiffness * s->twistStiffness * damper;
}

static void FillLumps(hwCableWork* work, const hwCableState* state) {
    hwCableArrays* s = work->arrays;
    const hwCableModel* model = work->model;
    int last = work->nodes - 1;
    if (model->lumpCount == 0) return;
    memset(s->lumpMass, 0, (size_t)work->nodes * sizeof(double));
    s->lumpCount = 0;
    for (int k = 0; k < model->lumpCount; ++k) {
        if (!hwCableModel_HasLump(model, k, state->material[0], state->material[last])) continue;
        const hwCableLump* lump = &model->lumps[k];
        double fraction;
        int e = hwCableState_Locate(state, lump->at - state->material[0], &fraction);
        s->lump[s->lumpCount] = k;
        s->lumpElement[s->lumpCount] = e;
        s->lumpFraction[s->lumpCount] = fraction;
        s->lumpCount += 1;
        s->lumpMass[e] += (1.0 - fraction) * lump->mass;
        s->lumpMass[e + 1] += fraction * lump->mass;
    }
}

// Entries past the end from an earlier, longer mesh must not act.
static void ClearTail(hwCableArrays* s, int elements) {
    double* byElement[] = {
        s->rest,   s->restInverse, s->stiffness,      s->compression, s->damping,         s->mass,
        s->volume, s->dragNormal,  s->dragTangential, s->addedNormal, s->addedTangential, s->bendStiffness,
        s->growth, s->relief,      s->wetA,           s->wetB,        s->inertia,         s->inertiaAlong,
        s->iso,    s->along,       s->pull,           s->drawn};
    for (size_t k = 0; k < sizeof(byElement) / sizeof(byElement[0]); ++k) {
        memset(byElement[k] + elements, 0, 8 * sizeof(double));
    }
    double* byNode[] = {s->bend, s->bendDamping, s->lumpMass, s->lumpInertia, s->ux, s->uy, s->uz,
                        s->ax,   s->ay,          s->az,       s->vx,          s->vy, s->vz, s->heave};
    for (size_t k = 0; k < sizeof(byNode) / sizeof(byNode[0]); ++k) {
        memset(byNode[k] + elements + 1, 0, 7 * sizeof(double));
    }
    if (s->wide) {
        double* byJoint[] = {s->before[0], s->before[1], s->before[2], s->after[0], s->after[1],
                             s->after[2],  s->bendForce, s->bendIso,   s->bendRank};
        for (size_t k = 0; k < sizeof(byJoint) / sizeof(byJoint[0]); ++k) {
            memset(byJoint[k] + elements + 1, 0, 7 * sizeof(double));
        }
        for (int k = 0; k < 9; ++k) memset(s->couple[k] + elements + 1, 0, 7 * sizeof(double));
    }
    s->bend[0] = s->bend[elements] = s->bendDamping[0] = s->bendDamping[elements] = 0.0;
}

static void FindSlack(hwCableArrays* s, int elements) {
    s->slackened = false;
    for (int e = 0; e < elements; ++e) s->slackened |= s->relief[e] != 0.0;
}

void hwCableWork_Refresh(hwCableWork* work, const hwCableModel* model, const hwCableState* state) {
    hwCableArrays* s = work->arrays;
    work->model = model;
    work->nodes = state->core->nodes;
    int elements = work->nodes - 1;
    ClearTail(s, elements);
    s->bendIsDamped = false;
    for (int e = 0; e < elements; ++e) {
        FillElement(s, model, state, e);
        s->growth[e] = 0.0;
        s->relief[e] = state->slack[e];
        if (s->bendDamper[e] > 0.0) s->bendIsDamped = true;
    }
    FindSlack(s, elements);
    for (int i = 1; i < elements; ++i) FillJoint(s, i);
    FillClamps(s, elements);
    FillTwist(s, elements);
    FillLumps(work, state);
}

void hwCableWork_TakeSlack(hwCableWork* work, const hwCableState* state) {
    hwCableArrays* s = work->arrays;
    memcpy(s->relief, state->slack, (size_t)(work->nodes - 1) * sizeof(double));
    FindSlack(s, work->nodes - 1);
}

// What elements count as shorter at the time of an evaluation.
static void FillRelief(hwCableArrays* s, const hwCableState* state, int elements, double since) {
    const double* ends = state->core->relief;
    s->fades = s->slackened || ends[0] != 0.0 || ends[1] != 0.0;
    s->relief[0] = s->relief[elements - 1] = 0.0;
    if (!s->fades) return;
    double fade = hwCableCore_GetFade(state->core, since);
    s->fadeTime = hwCableCore_GetFadeTime(state->core);
    for (int e = 1; s->slackened && e < elements - 1; ++e) s->relief[e] = fade * state->slack[e];
    s->relief[0] += fade * ends[0];
    s->relief[elements - 1] += fade * ends[1];
}

void hwCableWork_RefreshEnds(hwCableWork* work, const hwCableState* state) {
    hwCableArrays* s = work->arrays;
    int last = work->nodes - 2;
    const double* m = state->material;
    bool changedA = s->rest[0] != m[1] - m[0], changedB = s->rest[last] != m[last + 1] - m[last];
    s->growth[0] = s->growth[last] = 0.0;
    s->growth[0] += work->input.ends[0].payout;
    s->growth[last] += work->input.ends[1].payout;
    FillRelief(s, state, last + 1, work->input.since);
    if (!changedA && !changedB) return;
    if (changedA) FillElement(s, work->model, state, 0);
    if (changedB) FillElement(s, work->model, state, last);
    if (last > 0) {
        FillJoint(s, 1);
        FillJoint(s, last);
    }
    FillClamps(s, last + 1);
    if (work->model->twists) FillTwist(s, last + 1);
    FillLumps(work, state);
}

double hwCableWork_GetWaveTime(const hwCableWork* work) {
    const hwCableArrays* s = work->arrays;
    double time = 0.0;
    for (int e = 0; e < work->nodes - 1; ++e) time += sqrt(s->mass[e] * s->rest[e] / s->stiffness[e]);
    return time;
}

int hwCableWork_FindBreak(const hwCableWork* work, double times) {
    int worst = -1;
    double most = times;
    for (int e = 0; e < work->nodes - 1; ++e) {
        double limit = work->arrays->breakTension[e];
        if (!(work->tension[e] > most * limit)) continue;
        most = work->tension[e] / limit;
        worst = e;
    }
    return worst;
}

const double* hwCableWork_GetRadii(const hwCableWork* work) {
    return work->arrays->radius;
}
