// What a cable is made of, and its mesh at the start.
#include "cable/arrays.h"

#include <stdio.h>
#include <string.h>

static bool IsPositive(double x) {
    return isfinite(x) && x > 0.0;
}

static bool IsNotNegative(double x) {
    return isfinite(x) && x >= 0.0;
}

static hwStatus CheckSection(const hwCableSpec* spec, int index, hwError* error) {
    const hwCableSection* s = &spec->sections[index];
    const struct {
        const char *field, *name;
        double value;
        bool good;
    } fields[] = {
        {"length", "length", s->length, IsPositive(s->length)},
        {"elements", "elements", s->elements, s->elements >= 1 && s->elements <= 1000000},
        {"diameter", "diameter", s->diameter, IsPositive(s->diameter)},
        {"massPerLength", "mass per length", s->massPerLength, IsPositive(s->massPerLength)},
        {"EA", "EA", s->EA, IsPositive(s->EA)},
        {"EI", "EI", s->EI, IsNotNegative(s->EI)},
        {"GJ", "GJ", s->GJ, IsNotNegative(s->GJ)},
        {"axialDamping", "axial damping", s->axialDamping, IsNotNegative(s->axialDamping)},
        {"bendingDamping", "bending damping", s->bendingDamping, IsNotNegative(s->bendingDamping)},
        {"torsionDamping", "torsion damping", s->torsionDamping, IsNotNegative(s->torsionDamping)},
        {"dragNormal", "normal drag", s->dragNormal, IsNotNegative(s->dragNormal)},
        {"dragTangential", "tangential drag", s->dragTangential, IsNotNegative(s->dragTangential)},
        {"addedNormal", "normal added mass", s->addedNormal, IsNotNegative(s->addedNormal)},
        {"addedTangential", "tangential added mass", s->addedTangential, IsNotNegative(s->addedTangential)},
        {"compression", "compression", s->compression, s->compression >= 0.0 && s->compression <= 1.0},
        {"breakTension", "break tension", s->breakTension, s->breakTension > 0.0},
        {"lockRadius", "locking curvature", s->lockCurvature, IsNotNegative(s->lockCurvature)},
        {"lockStiffness", "stiffness of its restrictor", s->lockStiffness, IsNotNegative(s->lockStiffness)},
        {"minElement", "shortest element", s->minElement, IsNotNegative(s->minElement)},
        {"maxElement", "longest element", s->maxElement, IsNotNegative(s->maxElement)},
    };
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); ++i) {
        if (fields[i].good) continue;
        char path[48];
        snprintf(path, sizeof(path), "sections[].%s", fields[i].field);
        hwFailField(error, HW_ERROR_MODEL, spec->name, path,
                    "section %d of the cable has %s %g, which is out of range", index, fields[i].name,
                    fields[i].value);
        hwFail_At(error, index, (double)NAN);
        hwFail_Hint(
            error,
            "lengths, diameter, mass and EA must be positive, the rest not negative, compression 0..1");
        return HW_ERROR_MODEL;
    }
    return HW_OK;
}

// Bounds of a boundary element's length under payout and the length that a split leaves in the cable. Splits
// leave one and a half times the shortest length at the winch, so that a winch going to and fro does not
// split and merge at every turn.
void hwCableModel_GetPayoutBounds(const hwCableSection* section, double* min, double* max, double* inner) {
    double nominal = section->length / section->elements;
    *max = section->maxElement > 0.0 ? section->maxElement : 1.2 * nominal;
    *min = section->minElement > 0.0 ? section->minElement : 0.1 * hwFmin(nominal, *max);
    *inner = hwFmin(nominal, *max - 1.5 * *min);
}

static hwStatus CheckPayout(const hwCableSpec* spec, int end, hwError* error) {
    if (!IsNotNegative(spec->reserve[end])) {
        return hwFailField(error, HW_ERROR_MODEL, spec->name, end == 0 ? "reserve[0]" : "reserve[1]",
                           "the length in reserve at end %c is %g m; it must not be negative",
                           end == 0 ? 'a' : 'b', spec->reserve[end]);
    }
    int index = end == 0 ? 0 : spec->sectionCount - 1;
    double min, max, inner;
    hwCableModel_GetPayoutBounds(&spec->sections[index], &min, &max, &inner);
    if (max >= 2.5 * min) return HW_OK;
    hwFailField(error, HW_ERROR_MODEL, spec->name, "sections[].maxElement",
                "the longest element, %g m, is less than 2.5 times the shortest, %g m", max, min);
    hwFail_At(error, index, (double)NAN);
    hwFail_Hint(error, "splitting one element must leave two that are long enough");
    return HW_ERROR_MODEL;
}

static double GetTotal(const hwCableSpec* spec) {
    double total = 0.0;
    for (int i = 0; i < spec->sectionCount; ++i) total += spec->sections[i].length;
    return total;
}

static hwStatus CheckNodes(const hwCableSpec* spec, double total, hwError* error) {
    if (spec->nodeCount == 0) return HW_OK;
    if (spec->nodeCount < 2 || spec->nodes == NULL) {
        return hwFail(error, HW_ERROR_MODEL, spec->name, "a cable needs at least two nodes");
    }
    for (int i = 0; i < spec->nodeCount; ++i) {
        double from = i == 0 ? 0.0 : spec->nodes[i - 1];
        bool good = i == 0 ? spec->nodes[0] == 0.0 : spec->nodes[i] > from;
        if (i == spec->nodeCount - 1) good = good && fabs(spec->nodes[i] - total) <= 1e-9 * total;
        if (good) continue;
        hwFail(error, HW_ERROR_MODEL, spec->name,
               "node %d is at %g m; nodes must increase from 0 to the length, %g m", i, spec->nodes[i],
               total);
        hwFail_At(error, i, (double)NAN);
        return HW_ERROR_MODEL;
    }
    return HW_OK;
}

static hwStatus CheckLumps(const hwCableSpec* spec, double total, hwError* error) {
    for (int i = 0; i < spec->lumpCount; ++i) {
        const hwCableLump* lump = &spec->lumps[i];
        bool sane = IsNotNegative(lump->mass) && IsNotNegative(lump->volume) &&
                    IsNotNegative(lump->dragArea) && IsNotNegative(lump->addedVolume) &&
                    IsNotNegative(lump->radius);
        if (sane && lump->at >= 0.0 && lump->at <= total) continue;
        hwFailField(error, HW_ERROR_MODEL, spec->name, sane ? "masses[].at" : "masses[].mass",
                    sane ? "mass %d sits at %g m, outside the cable's %g m"
                         : "mass %d at %g m of %g m has a negative property",
                    i, lump->at, total);
        hwFail_At(error, i, (double)NAN);
        return HW_ERROR_MODEL;
    }
    return HW_OK;
}

hwStatus hwCableSpec_Check(const hwCableSpec* spec, hwError* error) {
    if (spec->sectionCount < 1 || spec->sections == NULL) {
        return hwFailField(error, HW_ERROR_MODEL, spec->name, "sections",
                           "a cable needs at least one section");
    }
    for (int i = 0; i < spec->sectionCount; ++i) {
        hwStatus status = CheckSection(spec, i, error);
        if (status != HW_OK) return status;
    }
    double total = GetTotal(spec);
    hwStatus status = CheckNodes(spec, total, error);
    if (status == HW_OK) status = CheckLumps(spec, total, error);
    if (status == HW_OK) status = CheckPayout(spec, 0, error);
    if (status == HW_OK) status = CheckPayout(spec, 1, error);
    if (status == HW_OK && (spec->spareNodes < 0 || spec->maxPorts < 0)) {
        status = hwFail(error, HW_ERROR_MODEL, spec->name, "a count in the cable's description is negative");
    }
    return status;
}

static int CountReserve(const hwCableSpec* spec, int end) {
    if (!(spec->reserve[end] > 0.0)) return 0;
    double min, max, inner;
    const hwCableSection* section = &spec->sections[end == 0 ? 0 : spec->sectionCount - 1];
    hwCableModel_GetPayoutBounds(section, &min, &max, &inner);
    return (int)ceil(spec->reserve[end] / inner) + 2;
}

void hwCableModel_Layout(hwCableModel* model, const hwCableSpec* spec, hwArena* arena) {
    memset(model, 0, sizeof(*model));
    model->sectionCount = spec->sectionCount;
    model->axialScale = model->lockScale = 1.0;
    model->lumpCount = spec->lumpCount;
    model->maxPorts = spec->maxPorts;
    model->pid = spec->pid;
    model->law = spec->law;
    model->startNodes = spec->nodeCount;
    if (spec->nodeCount == 0) {
        model->startNodes = 1;
        for (int i = 0; i < spec->sectionCount; ++i) model->startNodes += spec->sections[i].elements;
    }
    for (int i = 0; i < spec->sectionCount; ++i) {
        if (spec->sections[i].EI > 0.0 || spec->sections[i].bendingDamping > 0.0) model->bends = true;
        if (spec->sections[i].GJ > 0.0) model->twists = true;
        if (spec->sections[i].curve.count > 0) model->curved = true;
        if (spec->sections[i].lockStiffness > 0.0) model->bends = model->locks = true;
    }
    model->nodeCapacity =
        model->startNodes + CountReserve(spec, 0) + CountReserve(spec, 1) + spec->spareNodes;
    model->sections = HW_TAKE(arena, hwCableSection, spec->sectionCount);
    model->starts = HW_TAKE(arena, double, spec->sectionCount + 1);
    model->lumps = HW_TAKE(arena, hwCableLump, spec->lumpCount);
    model->startMaterial = HW_TAKE(arena, double, model->startNodes);
    if (arena->base == NULL) return;

    snprintf(model->name, sizeof(model->name), "%s", spec->name != NULL ? spec->name : "");
    memcpy(model->sections, spec->sections, (size_t)spec->sectionCount * sizeof(hwCableSection));
    if (spec->lumpCount > 0) memcpy(model->lumps, spec->lumps, (size_t)spec->lumpCount * sizeof(hwCableLump));
    model->starts[0] = 0.0;
    int node = 0;
    for (int i = 0; i < spec->sectionCount; ++i) {
        hwCableSection* section = &model->sections[i];
        double min, max, inner;
        hwCableModel_GetPayoutBounds(section, &min, &max, &inner);
        section->minElement = min;
        section->maxElement = max;
        double start = model->starts[i];
        model->starts[i + 1] = start + section->length;
        if (spec->nodeCount > 0) continue;
        for (int k = 0; k < section->elements; ++k) {
            model->startMaterial[node++] = start + section->length * k / section->elements;
        }
    }
    if (spec->nodeCount > 0) {
        memcpy(model->startMaterial, spec->nodes, (size_t)spec->nodeCount * sizeof(double));
        node = spec->nodeCount - 1;
    }
    model->startMaterial[node] = model->starts[spec->sectionCount];
}

// Overlap of section i, the outer ones reaching to infinity, with [from, to].
static double GetOverlap(const hwCableModel* model, int i, double from, double to) {
    double low = i == 0 ? from : hwFmax(from, model->starts[i]);
    double high = i == model->sectionCount - 1 ? to : hwFmin(to, model->starts[i + 1]);
    return high > low ? high - low : 0.0;
}

// Compliance of pieces in series; infinite when a piece has no stiffness.
static double AddCompliance(double sum, double length, double stiffness) {
    return stiffness > 0.0 ? sum + length / stiffness : HUGE_VAL;
}

hwCableSection hwCableModel_Average(const hwCableModel* model, double from, double to) {
    int only = -1, touched = 0;
    for (int i = 0; i < model->sectionCount; ++i) {
        if (GetOverlap(model, i, from, to) > 0.0) {
            only = i;
            touched += 1;
        }
    }
    if (touched <= 1) return model->sections[only < 0 ? 0 : only];

    hwCableSection sum = {.breakTension = HUGE_VAL, .minElement = model->sections[only].minElement};
    double stretch = 0.0, bend = 0.0, twist = 0.0, total = to - from;
    for (int i = 0; i < model->sectionCount; ++i) {
        const hwCableSection* s = &model->sections[i];
        double length = GetOverlap(model, i, from, to);
        if (!(length > 0.0)) continue;
        double share = length / total;
        stretch = AddCompliance(stretch, length, s->EA);
        bend = AddCompliance(bend, length, s->EI);
        twist = AddCompliance(twist, length, s->GJ);
        // Dampers work at the strain rates of a quasi-static load: equal dissipation.
        sum.axialDamping += share * s->axialDamping / (s->EA * s->EA);
        if (s->EI > 0.0) sum.bendingDamping += share * s->bendingDamping / (s->EI * s->EI);
        if (s->GJ > 0.0) sum.torsionDamping += share * s->torsionDamping / (s->GJ * s->GJ);
        sum.diameter += share * s->diameter;
        sum.massPerLength += share * s->massPerLength;
        sum.dragNormal += share * s->dragNormal;
        sum.dragTangential += share * s->dragTangential;
        sum.addedNormal += share * s->addedNormal;
        sum.addedTangential += share * s->addedTangential;
        sum.compression += share * s->compression;
        sum.breakTension = hwFmin(sum.breakTension, s->breakTension);
        // shells that reach into the element lock it only where they are all along it
        sum.lockCurvature = hwFmax(sum.lockCurvature, s->lockCurvature);
        sum.lockStiffness =
            sum.elements == 0 ? s->lockStiffness : hwFmin(sum.lockStiffness, s->lockStiffness);
        sum.elements = 1;
    }
    sum.length = total;
    sum.elements = 1;
    sum.EA = total / stretch;
    sum.EI = total / bend;
    sum.GJ = total / twist;
    sum.axialDamping *= sum.EA * sum.EA;
    sum.bendingDamping *= sum.EI * sum.EI;
    sum.torsionDamping *= sum.GJ * sum.GJ;
    return sum;
}

const hwCableCurve* hwCableModel_FindCurve(const hwCableModel* model, double from, double to) {
    const hwCableCurve* curve = NULL;
    double most = -1.0;
    for (int i = 0; i < model->sectionCount; ++i) {
        double length = GetOverlap(model, i, from, to);
        if (!(length > most)) continue;
        most = length;
        curve = model->sections[i].curve.count > 0 ? &model->sections[i].curve : NULL;
    }
    return curve;
}

double hwCableModel_GetMass(const hwCableModel* model, double from, double to) {
    double mass = 0.0;
    for (int i = 0; i < model->sectionCount; ++i) {
        mass += GetOverlap(model, i, from, to) * model->sections[i].massPerLength;
    }
    for (int i = 0; i < model->lumpCount; ++i) {
        if (hwCableModel_HasLump(model, i, from, to)) mass += model->lumps[i].mass;
    }
    return mass;
}

bool hwCableModel_HasLump(const hwCableModel* model, int lump, double from, double to) {
    double at = model->lumps[lump].at;
    return at >= from && (at < to || (at == to && at == model->starts[model->sectionCount]));
}

void hwCableState_Layout(hwCableState* state, const hwCableModel* model, hwArena* arena) {
    int capacity = model->nodeCapacity;
    state->core = HW_TAKE(arena, hwCableCore, 1);
    state->position = HW_TAKE(arena, hwVec3, capacity);
    state->velocity = HW_TAKE(arena, hwVec3, capacity);
    state->material = HW_TAKE(arena, double, capacity);
    state->anchor = HW_TAKE(arena, hwVec3, capacity);
    state->slack = HW_TAKE(arena, double, capacity);
    state->level = HW_TAKE(arena, int32_t, capacity);
    state->acceleration = NULL;
}

void hwCableState_Start(const hwCableState* state, const hwCableModel* model, hwVec3 a, hwVec3 b) {
    memset(state->core, 0, sizeof(*state->core));
    state->core->nodes = model->startNodes;
    memcpy(state->material, model->startMaterial, (size_t)model->startNodes * sizeof(double));
    state->core->seen[0] = state->material[0];
    state->core->seen[1] = state->material[model->startNodes - 1];
    for (int i = 0; i < model->startNodes; ++i) state->velocity[i] = hwVec3_zero;
    memset(state->slack, 0, (size_t)model->startNodes * sizeof(double));
    memset(state->level, 0, (size_t)model->startNodes * sizeof(int32_t));
    hwVec3 ends[2] = {a, b};
    hwCableState_Place(state, ends, 2);
}

void hwCableState_Copy(const hwCableState* to, const hwCableState* from) {
    size_t nodes = (size_t)from->core->nodes;
    *to->core = *from->core;
    memcpy(to->position, from->position, nodes * sizeof(hwVec3));
    memcpy(to->velocity, from->velocity, nodes * sizeof(hwVec3));
    memcpy(to->material, from->material, nodes * sizeof(double));
    memcpy(to->anchor, from->anchor, nodes * sizeof(hwVec3));
    memcpy(to->slack, from->slack, nodes * sizeof(double));
    memcpy(to->level, from->level, nodes * sizeof(int32_t));
}

void hwCableState_Place(const hwCableState* state, const hwVec3* points, int count) {
    int last = state->core->nodes - 1;
    double polyline = 0.0;
    for (int k = 1; k < count; ++k) polyline += hwDistance(points[k - 1], points[k]);
    double scale = polyline / hwCableState_GetLength(state);
    double before = 0.0; // m, length of the polyline up to point k - 1
    int k = 1;
    double leg = hwDistance(points[0], points[1]);
    for (int i = 0; i <= last; ++i) {
        double at = scale * (state->material[i] - state->material[0]);
        while (k < count - 1 && at > before + leg) {
            before += leg;
            k += 1;
            leg = hwDistance(points[k - 1], points[k]);
        }
        double fraction = leg > 0.0 ? hwClamp((at - before) / leg, 0.0, 1.0) : 0.0;
        state->position[i] = hwMulAdd(points[k - 1], fraction, hwSub(points[k], points[k - 1]));
        state->anchor[i] = state->position[i];
    }
    state->position[last] = state->anchor[last] = points[count - 1];
}

double hwCableState_GetLength(const hwCableState* state) {
    return state->material[state->core->nodes - 1] - state->material[0];
}
