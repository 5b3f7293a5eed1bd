// Cables: the public calls that add, change and read them.
#include "parts/cables/cables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STANDARD_GRAVITY 9.80665 // m/s2
#define MOST_ELEMENTS 1000000    // of one cable
#define MOST_CONTACT_NODES 10000 // as scenes may ask for

hwCableSectionDef hwDefaultCableSectionDef(void) {
    hwCableSectionDef def = {.elements = 20,
                             .grading = 1.0,
                             .dragNormal = 1.2,
                             .dragTangential = 0.01,
                             .addedNormal = 1.0,
                             .breakTension = HUGE_VAL};
    return def;
}

hwCableDef hwDefaultCableDef(void) {
    double chosen = (double)NAN;
    hwCableDef def = {.pidProportional = chosen,
                      .pidIntegral = chosen,
                      .pidDerivative = chosen,
                      .pidFriction = chosen,
                      .cuts = -1,
                      .refine = 1.0,
                      .contactNodes = -1,
                      .wrap = {.bend = HW_BEND_CATENARY, .greatestCurrent = 2.0, .stuckAngle = 0.5 * HW_PI},
                      .filter = {1, HW_FILTER_ALL},
                      .cookie = HW_CABLE_COOKIE};
    return def;
}

hwCableForceDef hwDefaultCableForceDef(void) {
    hwCableForceDef def = {.cookie = HW_CABLE_FORCE_COOKIE};
    return def;
}

hwCableObject* hwWorld_GetCable(const hwWorld* world, hwCableId id) {
    return hwPool_Get(&world->cables, id.index, id.generation);
}

static hwStatus BadCable(hwError* error) {
    return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the handle does not refer to a cable of this world");
}

// Checking a def ---------------------------------------------------------------------------------------------------------

hwStatus hwWorld_CheckEnd(const hwWorld* world, const char* name, int end, const hwCableEndDef* def,
                          hwError* error) {
    char letter = end == 0 ? 'a' : 'b';
    char field[16];
    snprintf(field, sizeof(field), "ends[%d].", end);
    size_t stem = strlen(field);
    if (!hwIsFiniteVec3(def->at)) {
        strcpy(field + stem, "at");
        return hwFailField(error, HW_ERROR_ARGUMENT, name, field, "%s: the place of end %c is not finite",
                           name, letter);
    }
    strcpy(field + stem, "path");
    hwStatus status = hwSignal_CheckField(&def->path, name, field, error);
    if (status != HW_OK || def->joint == HW_ATTACH_FREE) return status;
    if (def->joint != HW_ATTACH_PIN && def->joint != HW_ATTACH_CLAMP) {
        strcpy(field + stem, "joint");
        return hwFailField(error, HW_ERROR_ARGUMENT, name, field,
                           "%s: end %c has a joint %d, which does not exist", name, letter, (int)def->joint);
    }
    if (!HW_IS_NULL(def->body) && hwWorld_GetBody(world, def->body) == NULL) {
        strcpy(field + stem, "body");
        return hwFailField(error, HW_ERROR_ARGUMENT, name, field,
                           "%s: end %c is attached to a body that does not exist", name, letter);
    }
    if (hwSignal_IsPresent(&def->path) && !HW_IS_NULL(def->body)) {
        strcpy(field + stem, "path");
        return hwFailField(error, HW_ERROR_ARGUMENT, name, field,
                           "%s: end %c has a path of its own, but is attached to a body", name, letter);
    }
    if (def->joint != HW_ATTACH_CLAMP) return HW_OK;
    double size = hwLength(def->p1) * hwLength(def->p2);
    if (!(hwLength(hwCross(def->p1, def->p2)) > 1e-6 * size) || !isfinite(size)) {
        strcpy(field + stem, "p1");
        status = hwFailField(error, HW_ERROR_ARGUMENT, name, field,
                             "%s: the clamp at end %c needs two directions p1 and p2 that are not parallel",
                             name, letter);
        hwFail_Hint(error, "their cross product is the cable's direction, from end a to end b");
    }
    return status;
}

// What the checks below read. Counts of nodes are bounded, so that their sums are.
static hwStatus CheckArrays(const hwCableDef* def, hwError* error) {
    const char* name = def->name;
    hwStatus status = hwCheckArray(def->sectionCount, def->sections, name, "sections", error);
    if (status == HW_OK) status = hwCheckArray(def->massCount, def->masses, name, "masses", error);
    if (status == HW_OK) status = hwCheckArray(def->pointCount, def->points, name, "points", error);
    int64_t elements = 0;
    for (int i = 0; i < def->sectionCount && status == HW_OK; ++i) {
        const hwCableSectionDef* s = &def->sections[i];
        elements += s->elements;
        status = hwCheckArray(s->curveCount, s->curveStrains, name, "sections[].curveStrains", error);
        if (status == HW_OK)
            status = hwCheckArray(s->curveCount, s->curveTensions, name, "sections[].curveTensions", error);
    }
    if (status == HW_OK && elements > MOST_ELEMENTS) {
        status = hwFailField(error, HW_ERROR_ARGUMENT, name, "sections[].elements",
                             "%s: its sections have %lld elements together; at most %d are possible", name,
                             (long long)elements, MOST_ELEMENTS);
    }
    if (status == HW_OK && (def->contactNodes < -1 || def->contactNodes > MOST_CONTACT_NODES)) {
        status = hwFailField(error, HW_ERROR_ARGUMENT, name, "contactNodes",
                             "%s: contact may insert 0 to %d nodes, or -1 for as many as it takes, not %d",
                             name, MOST_CONTACT_NODES, def->contactNodes);
    }
    return status;
}

static int CountNodes(const hwCableDef* def) {
    int nodes = 1;
    for (int i = 0; i < def->sectionCount; ++i) nodes += def->sections[i].elements;
    return nodes;
}

static hwStatus CheckShape(const hwCableDef* def, hwError* error) {
    if (def->shape != HW_CABLE_POINTS && def->shape != HW_CABLE_NODES) return HW_OK;
    int nodes = CountNodes(def);
    if (def->shape == HW_CABLE_NODES && def->pointCount != nodes) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "points",
                           "%s: it has %d nodes, but places are given for %d", def->name, nodes,
                           def->pointCount);
    }
    if (def->pointCount < 2) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "points",
                           "%s: a shape needs at least two points", def->name);
    }
    for (int i = 0; i < def->pointCount; ++i) {
        hwVec3 velocity = def->velocities != NULL ? def->velocities[i] : hwVec3_zero;
        if (hwIsFiniteVec3(def->points[i]) && hwIsFiniteVec3(velocity)) continue;
        hwStatus status = hwFailField(error, HW_ERROR_ARGUMENT, def->name, "points[]",
                                      "%s: point %d of the shape is not finite", def->name, i);
        hwFail_At(error, i, NAN);
        return status;
    }
    return HW_OK;
}

// A cable whose ends are both free has to be told where it is.
static hwStatus CheckPlace(const hwCableDef* def, hwError* error) {
    const hwCableEndDef *a = &def->ends[0], *b = &def->ends[1];
    bool known = a->joint != HW_ATTACH_FREE || a->placed || b->joint != HW_ATTACH_FREE || b->placed;
    if (known || def->shape == HW_CABLE_POINTS || def->shape == HW_CABLE_NODES) return HW_OK;
    hwStatus status =
        hwFailField(error, HW_ERROR_ARGUMENT, def->name, "ends",
                    "%s: both ends are free, and nothing says where the cable starts", def->name);
    hwFail_Hint(error, "give the place of an end, or the points of its shape");
    return status;
}

static hwStatus CheckGrading(const hwCableDef* def, hwError* error) {
    for (int i = 0; i < def->sectionCount; ++i) {
        const hwCableSectionDef* s = &def->sections[i];
        if (s->grading >= 1e-3 && s->grading <= 1e3) continue;
        hwStatus status = hwFailField(error, HW_ERROR_ARGUMENT, def->name, "sections[].grading",
                                      "%s: the grading of section %d is %g; it must be from 0.001 to 1000",
                                      def->name, i, s->grading);
        hwFail_At(error, i, (double)NAN);
        return status;
    }
    return HW_OK;
}

static hwStatus CheckBendRadius(const hwCableDef* def, hwError* error) {
    for (int i = 0; i < def->sectionCount; ++i) {
        double radius = def->sections[i].bendRadius;
        if (radius >= 0.0 && isfinite(radius)) continue;
        hwStatus status = hwFailField(error, HW_ERROR_ARGUMENT, def->name, "sections[].bendRadius",
                                      "%s: the least radius of section %d is %g m; it must not be negative",
                                      def->name, i, radius);
        hwFail_At(error, i, (double)NAN);
        return status;
    }
    return HW_OK;
}

static hwStatus CheckFatigue(const hwCableDef* def, hwError* error) {
    for (int i = 0; i < def->sectionCount; ++i) {
        const hwCableFatigueDef* f = &def->sections[i].fatigue;
        if (f->slope == 0.0) continue;
        bool good = f->slope > 0.0 && f->slope <= 50.0 && isfinite(f->logA) && f->kneeLife >= 0.0 &&
                    (f->kneeLife == 0.0 || f->kneeSlope > 0.0) && f->tensionStress >= 0.0 &&
                    f->bendingStress >= 0.0 && isfinite(f->tensionStress + f->bendingStress);
        if (good) continue;
        hwStatus status =
            hwFailField(error, HW_ERROR_ARGUMENT, def->name, "sections[].fatigue",
                        "%s: the fatigue curve of section %d is unusable: slopes must be above 0, "
                        "stresses and lives not negative",
                        def->name, i);
        hwFail_At(error, i, (double)NAN);
        return status;
    }
    return HW_OK;
}

static hwStatus CheckRefine(const hwCableDef* def, hwError* error) {
    if (def->refine == 1.0) return HW_OK;
    if (!(def->refine >= 1e-3 && def->refine <= 1.0)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "refine",
                           "%s: it is refined to %g; it must be from 0.001 to 1", def->name, def->refine);
    }
    bool graded = false;
    for (int i = 0; i < def->sectionCount; ++i) graded = graded || def->sections[i].grading != 1.0;
    if (def->kind != HW_CABLE_DYNAMIC || def->shape == HW_CABLE_NODES || graded) {
        hwStatus status = hwFailField(
            error, HW_ERROR_ARGUMENT, def->name, "refine",
            "%s: it cannot be refined with a grading, with a point for each node, or by this model",
            def->name);
        hwFail_Hint(error, "use the model `dynamic`, and either `refine` or `grading`");
        return status;
    }
    return HW_OK;
}

static hwStatus CheckPid(const hwCableDef* def, hwError* error) {
    const struct {
        const char *field, *name;
        double value;
    } gains[] = {{"pidProportional", "kp", def->pidProportional},
                 {"pidIntegral", "ki", def->pidIntegral},
                 {"pidDerivative", "kd", def->pidDerivative},
                 {"pidFriction", "friction", def->pidFriction}};
    for (size_t i = 0; def->kind == HW_CABLE_PID && i < sizeof(gains) / sizeof(gains[0]); ++i) {
        if (isnan(gains[i].value) || (gains[i].value >= 0.0 && isfinite(gains[i].value))) continue;
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, gains[i].field,
                           "%s: the links' %s is %g; it must not be negative", def->name, gains[i].name,
                           gains[i].value);
    }
    if (def->kind == HW_CABLE_PID && def->pidProportional == 0.0 && def->pidIntegral == 0.0) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "pidProportional",
                           "%s: with kp and ki both 0 nothing holds its links", def->name);
    }
    return HW_OK;
}

static hwStatus CheckWrap(const hwCableDef* def, hwError* error) {
    const hwWrapDef* wrap = &def->wrap;
    if (wrap->rules == HW_WRAP_FRICTION) return HW_OK;
    if (def->kind != HW_CABLE_WRAP) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "wrap.rules",
                           "%s: the rules of seed 000 are for the model `wrap` only", def->name);
    }
    if (!(wrap->buoyancy >= -1.0 && wrap->buoyancy <= 1.0)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "wrap.buoyancy",
                           "%s: its buoyancy is %g; it must be from -1 (sinks) to 1 (floats)", def->name,
                           wrap->buoyancy);
    }
    if (!(wrap->greatestCurrent > 0.0 && isfinite(wrap->greatestCurrent))) {
        return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "wrap.greatestCurrent",
                           "%s: its greatest current is %g m/s; it must be positive", def->name,
                           wrap->greatestCurrent);
    }
    if (!(wrap->stuckAngle > 0.0) || wrap->stuckCount < 0) {
        return hwFailField(
            error, HW_ERROR_ARGUMENT, def->name, wrap->stuckCount < 0 ? "wrap.stuckCount" : "wrap.stuckAngle",
            "%s: it is stuck at an angle of %g rad or from %d collisions on; the angle must be "
            "positive and the number not negative",
            def->name, wrap->stuckAngle, wrap->stuckCount);
    }
    return HW_OK;
}

static hwStatus CheckLaw(const hwCableDef* def, hwError* error) {
    if (def->tension == NULL || def->kind == HW_CABLE_DYNAMIC) return HW_OK;
    return hwFailField(error, HW_ERROR_ARGUMENT, def->name, "tension",
                       "%s: a law of tension is for the model `dynamic` only", def->name);
}

static hwStatus CheckCurve(const hwCableDef* def, int index, hwError* error) {
    const hwCableSectionDef* s = &def->sections[index];
    if (s->curveCount == 0) return HW_OK;
    bool good = s->curveCount >= 2 && s->curveStrains != NULL && s->curveTensions != NULL &&
                s->curveStrains[0] == 0.0 && s->curveTensions[0] == 0.0;
    for (int i = 1; good && i < s->curveCount; ++i) {
        good = s->curveStrains[i] > s->curveStrains[i - 1] && s->curveTensions[i] > s->curveTensions[i - 1] &&
               isfinite(s->curveStrains[i]) && isfinite(s->curveTensions[i]);
    }
    if (good && def->kind == HW_CABLE_DYNAMIC) return HW_OK;
    hwStatus status =
        good ? hwFailField(error, HW_ERROR_ARGUMENT, def->name, "sections[].curveStrains",
                           "%s: tension by a table is for the model `dynamic` only", def->name)
             : hwFailField(
                   error, HW_ERROR_ARGUMENT, def->name, "sections[].curveStrains",
                   "%s: the table of tension by strain of section %d must begin with 0, 0, have two rows or "
                   "more, and increase in both",
                   def->name, index);
    hwFail_At(error, index, (double)NAN);
    return status;
}

static hwStatus CheckLock(const hwCableDef* def, int index, hwError* error) {
    const hwCableSectionDef* s = &def->sections[index];
    bool none = s->lockRadius == 0.0 && s->lockStiffness == 0.0;
    bool good = s->lockRadius > 0.0 && isfinite(s->lockRadius) && s->lockStiffness > 0.0 &&
                isfinite(s->lockStiffness);
    if (none || (good && def->kind == HW_CABLE_DYNAMIC)) return HW_OK;
    hwStatus status =
        good ? hwFailField(error, HW_ERROR_ARGUMENT, def->name, "sections[].lockRadius",
                           "%s: a bend restrictor is for the model `dynamic` only", def->name)
             : hwFailField(
                   error, HW_ERROR_ARGUMENT, def->name, "sections[].lockRadius",
                   "%s: the bend restrictor of section %d needs a radius and a stiffness above 0, it has "
                   "%g m and %g N m2",
                   def->name, index, s->lockRadius, s->lockStiffness);
    hwFail_At(error, index, (double)NAN);
    return status;
}

static hwStatus CheckDetails(const hwCableDef* def, hwError* error) {
    hwStatus status = HW_OK;
    for (int i = 0; def->sections != NULL && i < def->sectionCount && status == HW_OK; ++i) {
        status = CheckCurve(def, i, error);
        if (status == HW_OK) status = CheckLock(def, i, error);
    }
    return status;
}

// A cable without inertia that nothing holds has no shape.
static hwStatus CheckHeld(const hwCableDef* def, hwError* error) {
    if (hwCableOps_Find(def->kind)->hasNodes || def->ends[0].joint != HW_ATTACH_FREE ||
        def->ends[1].joint != HW_ATTACH_FREE)
        return HW_OK;
    hwStatus status = hwFailField(error, HW_ERROR_ARGUMENT, def->name, "ends",
                                  "%s: a cable without inertia needs an end that is held", def->name);
    hwFail_Hint(error, "attach one, or use the model `dynamic`");
    return status;
}

static hwStatus CheckCable(const hwWorld* world, const hwCableDef* def, hwError* error) {
    if (def == NULL || def->cookie != HW_CABLE_COOKIE) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the cable def was not made by hwDefaultCableDef");
    }
    hwStatus status = hwWorld_CheckName(world, def->name, error);
    if (status == HW_OK) status = CheckArrays(def, error);
    for (int e = 0; e < 2 && status == HW_OK; ++e)
        status = hwWorld_CheckEnd(world, def->name, e, &def->ends[e], error);
    if (status == HW_OK) status = CheckShape(def, error);
    if (status == HW_OK) status = CheckPlace(def, error);
    if (status == HW_OK) status = CheckPid(def, error);
    if (status == HW_OK) status = CheckWrap(def, error);
    if (status == HW_OK) status = CheckLaw(def, error);
    if (status == HW_OK) status = CheckDetails(def, error);
    if (status == HW_OK) status = CheckGrading(def, error);
    if (status == HW_OK) status = CheckBendRadius(def, error);
    if (status == HW_OK) status = CheckFatigue(def, error);
    if (status == HW_OK) status = CheckRefine(def, error);
    if (status == HW_OK) status = CheckHeld(def, error);
    if (status == HW_OK && (def->cuts < -1 || def->cuts > 1000)) {
        status = hwFailField(error, HW_ERROR_ARGUMENT, def->name, "cuts",
                             "%s: it may be cut 0 to 1000 times, not %d", def->name, def->cuts);
    }
    return status;
}

// Copying a def ----------------------------------------------------------------------------------------------------------

static hwCableSection ConvertSection(const hwCableSectionDef* def) {
    hwCableSection s = {.length = def->length,
                        .elements = def->elements,
                        .diameter = def->diameter,
                        .massPerLength = def->massPerLength,
                        .EA = def->EA,
                        .EI = def->EI,
                        .GJ = def->GJ,
                        .axialDamping = def->axialDamping,
                        .bendingDamping = def->bendingDamping,
                        .torsionDamping = def->torsionDamping,
                        .dragNormal = def->dragNormal,
                        .dragTangential = def->dragTangential,
                        .addedNormal = def->addedNormal,
                        .addedTangential = def->addedTangential,
                        .compression = def->compression,
                        .breakTension = def->breakTension,
                        .lockCurvature = def->lockRadius > 0.0 ? 1.0 / def->lockRadius : 0.0,
                        .lockStiffness = def->lockStiffness,
                        .curve = {def->curveCount, def->curveStrains, def->curveTensions},
                        .minElement = def->minElement,
                        .maxElement = def->maxElement};
    if (s.curve.count > 0) s.EA = s.curve.tensions[1] / s.curve.strains[1];
    return s;
}

// A sphere: drag coefficient 0.47 on its cross-section, added mass of half its volume.
static hwCableLump ConvertMass(const hwCableMassDef* def) {
    double radius = 0.5 * def->diameter, area = HW_PI * radius * radius;
    double volume = 4.0 / 3.0 * area * radius;
    hwCableLump lump = {.at = def->at,
                        .mass = def->mass,
                        .volume = volume,
                        .dragArea = 0.47 * area,
                        .addedVolume = 0.5 * volume,
                        .radius = radius};
    return lump;
}

// Gains that are not given hold a tenth more than the cable's weight with links a tenth too long, damp a link critically
// between two nodes and take up what is left in two seconds; friction as of a cylinder across the flow.
hwCablePid hwCables_ConvertPid(const hwCableDef* def) {
    hwCablePid pid = {.on = def->kind == HW_CABLE_PID};
    double length = 0.0, mass = 0.0, elements = 0.0, width = 0.0;
    for (int i = 0; i < def->sectionCount; ++i) {
        const hwCableSectionDef* s = &def->sections[i];
        length += s->length;
        mass += s->length * s->massPerLength;
        elements += s->elements;
        width += 0.5 * s->length * s->dragNormal * s->diameter;
    }
    double link = length / elements;
    pid.kp = isnan(def->pidProportional) ? 11.0 * STANDARD_GRAVITY * mass : def->pidProportional;
    pid.kd = isnan(def->pidDerivative) ? sqrt(2.0 * pid.kp * link * mass / elements) : def->pidDerivative;
    pid.ki = isnan(def->pidIntegral) ? 0.5 * pid.kp : def->pidIntegral;
    if (isnan(def->pidFriction)) {
        pid.width = width / length;
    } else {
        pid.friction = def->pidFriction / link;
    }
    return pid;
}

static bool IsGraded(const hwCableDef* def) {
    bool graded = false;
    for (int i = 0; i < def->sectionCount; ++i) {
        graded = graded || def->sections[i].grading != 1.0;
        // that there are none, or too many, is told when the cable is checked
        if (def->sections[i].elements < 1 || def->sections[i].elements > 1000000) return false;
    }
    return graded;
}

// Arc lengths of the nodes: elements of a section grow by one ratio q, so that their lengths are l, l q, l q^2 ...
static void GradeNodes(const hwCableDef* def, double* nodes) {
    double start = 0.0;
    int next = 0;
    for (int i = 0; i < def->sectionCount; ++i) {
        const hwCableSectionDef* s = &def->sections[i];
        double q = s->elements > 1 ? hwPow(s->grading, 1.0 / (s->elements - 1)) : 1.0, sum = 0.0, at = 0.0;
        for (int k = 0; k < s->elements; ++k) sum += hwPow(q, k);
        for (int k = 0; k < s->elements; ++k) {
            nodes[next++] = start + s->length * at / sum;
            at += hwPow(q, k);
        }
        start += s->length;
    }
    nodes[next] = start;
}

static hwCableObject* CopyCable(hwArena* arena, const hwCableDef* def) {
    hwCableObject* cable = HW_TAKE(arena, hwCableObject, 1);
    const char* name = hwArena_Copy(arena, def->name, strlen(def->name) + 1, 1);
    hwCableSectionDef* sections =
        hwArena_Copy(arena, def->sections, (size_t)def->sectionCount, sizeof(hwCableSectionDef));
    const hwVec3* points = hwArena_Copy(arena, def->points, (size_t)def->pointCount, sizeof(hwVec3));
    int velocityCount = def->velocities != NULL ? def->pointCount : 0;
    const hwVec3* velocities = hwArena_Copy(arena, def->velocities, (size_t)velocityCount, sizeof(hwVec3));
    const hwCableMassDef* masses =
        hwArena_Copy(arena, def->masses, (size_t)def->massCount, sizeof(hwCableMassDef));
    hwCableSection* specSections = HW_TAKE(arena, hwCableSection, def->sectionCount);
    hwCableLump* specLumps = HW_TAKE(arena, hwCableLump, def->massCount);
    int graded = IsGraded(def) ? CountNodes(def) : 0;
    double* nodes = HW_TAKE(arena, double, graded);
    hwSignal paths[2] = {hwCopySignal(arena, &def->ends[0].path), hwCopySignal(arena, &def->ends[1].path)};
    char* materials[1] = {NULL};
    for (int i = 0; i < def->sectionCount; ++i) {
        const char* material = def->sections[i].material;
        if (material == NULL) continue;
        materials[0] = hwArena_Copy(arena, material, strlen(material) + 1, 1);
        if (sections != NULL) sections[i].material = materials[0];
    }
    for (int i = 0; i < def->sectionCount; ++i) {
        size_t rows = (size_t)def->sections[i].curveCount;
        const double* strains = hwArena_Copy(arena, def->sections[i].curveStrains, rows, sizeof(double));
        const double* tensions = hwArena_Copy(arena, def->sections[i].curveTensions, rows, sizeof(double));
        if (sections == NULL) continue;
        sections[i].curveStrains = strains;
        sections[i].curveTensions = tensions;
    }
    if (cable == NULL) return NULL;
    cable->def = *def;
    cable->def.name = name;
    cable->def.sections = sections;
    cable->def.points = points;
    cable->def.velocities = velocityCount > 0 ? velocities : NULL;
    cable->def.masses = masses;
    for (int i = 0; i < def->sectionCount; ++i) specSections[i] = ConvertSection(&sections[i]);
    for (int i = 0; i < def->massCount; ++i) specLumps[i] = ConvertMass(&def->masses[i]);
    for (int e = 0; e < 2; ++e) cable->def.ends[e].path = paths[e];
    cable->spec = (hwCableSpec){.name = name,
                                .sectionCount = def->sectionCount,
                                .sections = specSections,
                                .lumpCount = def->massCount,
                                .lumps = specLumps,
                                .nodeCount = graded,
                                .nodes = nodes,
                                .pid = hwCables_ConvertPid(def),
                                .law = {def->tension, def->tensionContext}};
    if (graded > 0) GradeNodes(def, nodes);
    cable->slot = -1;
    return cable;
}

// Puts an object into the pool; frees it when that fails.
static bool Keep(hwWorld* world, hwCableObject* cable, hwError* error) {
    uint32_t index = hwPool_Add(&world->cables, &world->allocator, cable);
    if (index == 0) {
        hwFail_Memory(error, cable->def.name);
        hwRelease(&world->allocator, cable);
        return false;
    }
    cable->id.index = index;
    cable->id.generation = world->cables.generations[index - 1];
    return true;
}

// The part number `number` (from 2) that a cut may leave: the same cable under the name "wire-2".
static bool AddPart(hwWorld* world, const hwCableObject* whole, int number, hwError* error) {
    char name[96];
    snprintf(name, sizeof(name), "%s-%d", whole->def.name, number);
    if (hwWorld_CheckName(world, name, error) != HW_OK) return false;
    hwCableObject* part = hwAllocate(&world->allocator, sizeof(*part) + strlen(name) + 1);
    if (part == NULL) {
        hwFail_Memory(error, whole->def.name);
        return false;
    }
    part->def = whole->def;
    part->def.name = strcpy((char*)(part + 1), name);
    part->spec = whole->spec;
    part->spec.name = part->def.name;
    part->whole = whole->id;
    part->slot = -1;
    return Keep(world, part, error);
}

static int CountCuts(const hwCableDef* def) {
    if (def->cuts >= 0) return def->cuts;
    for (int i = 0; i < def->sectionCount; ++i) {
        if (def->sections[i].breakTension < HUGE_VAL) return 2;
    }
    return 0;
}

hwCableId hwWorld_AddCable(hwWorld* world, const hwCableDef* def, hwError* error) {
    hwCableId none = {0, 0};
    hwClearError(error);
    if (CheckCable(world, def, error) != HW_OK) return none;
    hwArena arena = {0};
    CopyCable(&arena, def);
    arena.base = hwAllocate(&world->allocator, arena.used);
    if (arena.base == NULL) {
        hwFail_Memory(error, def->name);
        return none;
    }
    arena.used = 0;
    hwCableObject* cable = CopyCable(&arena, def);
    cable->def.cuts = CountCuts(def);
    cable->spec.spareNodes = 2 * cable->def.cuts;
    if (hwCableSpec_Check(&cable->spec, error) != HW_OK) {
        hwRelease(&world->allocator, cable);
        return none;
    }
    if (!Keep(world, cable, error)) return none;
    for (int i = 0; i < cable->def.cuts; ++i) {
        if (AddPart(world, cable, i + 2, error)) continue;
        hwWorld_RemoveCable(world, cable->id, NULL);
        return none;
    }
    hwWorld_Unprepare(world);
    return cable->id;
}

static void RemoveObject(hwWorld* world, hwPool* pool, int slot) {
    hwRelease(&world->allocator, hwPool_Remove(pool, (uint32_t)slot + 1));
}

hwStatus hwWorld_RemoveCable(hwWorld* world, hwCableId id, hwError* error) {
    hwClearError(error);
    const hwCableObject* cable = hwWorld_GetCable(world, id);
    if (cable == NULL) return BadCable(error);
    if (!HW_IS_NULL(cable->whole)) {
        return hwFail(error, HW_ERROR_ARGUMENT, cable->def.name,
                      "%s: a part goes with the cable it was cut off", cable->def.name);
    }
    for (int i = 0; i < HW_PART_COUNT; ++i) {
        const hwCableHooks* hooks = hwPartsByLayout[i]->cables;
        if (hooks != NULL && hooks->drop != NULL) hooks->drop(world, id);
    }
    hwCables_DropEvents(world, id);
    for (int i = 0; i < world->cableForces.slots; ++i) {
        const hwCableForceObject* force = world->cableForces.items[i];
        if (force != NULL && HW_SAME_ID(force->def.cable, id)) RemoveObject(world, &world->cableForces, i);
    }
    for (int i = 0; i < world->cables.slots; ++i) {
        const hwCableObject* part = world->cables.items[i];
        if (part != NULL && HW_SAME_ID(part->whole, id)) RemoveObject(world, &world->cables, i);
    }
    RemoveObject(world, &world->cables, (int)id.index - 1);
    hwWorld_Unprepare(world);
    return HW_OK;
}

hwCableId hwWorld_FindCable(const hwWorld* world, const char* name) {
    hwCableId none = {0, 0};
    if (name == NULL) return none;
    for (int i = 0; i < world->cables.slots; ++i) {
        const hwCableObject* cable = world->cables.items[i];
        if (cable != NULL && strcmp(cable->def.name, name) == 0) return cable->id;
    }
    return none;
}

const char* hwCable_GetName(const hwWorld* world, hwCableId id) {
    const hwCableObject* cable = hwWorld_GetCable(world, id);
    return cable != NULL ? cable->def.name : "";
}

// Forces by signal -------------------------------------------------------------------------------------------------------

static hwCableForceObject* CopyForce(hwArena* arena, const hwCableForceDef* def) {
    hwCableForceObject* force = HW_TAKE(arena, hwCableForceObject, 1);
    hwSignal push = hwCopySignal(arena, &def->force);
    if (force == NULL) return NULL;
    force->def = *def;
    force->def.force = push;
    return force;
}

static hwStatus RefuseForce(const char* name, hwError* error) {
    hwStatus status = hwFail(error, HW_ERROR_ARGUMENT, name,
                             "%s: a cable without inertia takes no forces between its ends", name);
    hwFail_Hint(error, "use the model `dynamic` or `pid`");
    return status;
}

hwStatus hwWorld_AddCableForce(hwWorld* world, const hwCableForceDef* def, hwError* error) {
    hwClearError(error);
    if (def == NULL || def->cookie != HW_CABLE_FORCE_COOKIE) {
        return hwFail(error, HW_ERROR_ARGUMENT, NULL, "the force def was not made by hwDefaultCableForceDef");
    }
    const hwCableObject* cable = hwWorld_GetCable(world, def->cable);
    if (cable == NULL) return BadCable(error);
    if (!hwCableOps_Find(cable->def.kind)->hasNodes) return RefuseForce(cable->def.name, error);
    if (!(def->at >= 0.0) || !isfinite(def->at)) {
        return hwFailField(error, HW_ERROR_ARGUMENT, cable->def.name, "at",
                           "%s: a force at arc length %g m is not on the cable", cable->def.name, def->at);
    }
    hwStatus status = hwSignal_CheckField(&def->force, cable->def.name, "force", error);
    if (status != HW_OK) return status;
    hwArena arena = {0};
    CopyForce(&arena, def);
    arena.base = hwAllocate(&world->allocator, arena.used);
    if (arena.base == NULL) return hwFail_Memory(error, cable->def.name);
    arena.used = 0;
    hwCableForceObject* force = CopyForce(&arena, def);
    if (hwPool_Add(&world->cableForces, &world->allocator, force) == 0) {
        hwRelease(&world->allocator, force);
        return hwFail_Memory(error, cable->def.name);
    }
    hwWorld_Unprepare(world);
    return HW_OK;
}

// Ends -------------------------------------------------------------------------------------------------------------------

// The slot of a cable of a prepared world, or -1 with the error filled.
static int FindSlot(const hwWorld* world, hwCableId id, hwError* error) {
    hwClearError(error);
    const hwCableObject* cable = hwWorld_GetCable(world, id);
    if (cable == NULL) {
        BadCable(error);
        return -1;
    }
    if (hwWorld_RequirePrepared(world, error) != HW_OK) return -1;
    int slot = cable->slot - world->model.cables->first;
    if (slot >= 0 && slot < world->model.cables->count) return slot;
    BadCable(error); // an island has one cable
    return -1;
}

static bool IsEnd(const hwWorld* world, int slot, int end, hwError* error) {
    if (end == 0 || end == 1) return true;
    hwFail(error, HW_ERROR_ARGUMENT, world->model.cables->slots[slot].name,
           "a cable has ends 0 and 1, not %d", end);
    return false;
}

static hwStatus LastStatus(const hwError* error) {
    return error != NULL && error->status != HW_OK ? error->status : HW_ERROR_ARGUMENT;
}

hwStatus hwCable_Attach(hwWorld* world, hwCableId id, int end, const hwCableEndDef* def, hwError* error) {
    int slot = FindSlot(world, id, error);
    if (slot < 0 || !IsEnd(world, slot, end, error)) return LastStatus(error);
    const char* name = world->model.cables->slots[slot].name;
    if (def == NULL)
        return hwFail(error, HW_ERROR_ARGUMENT, name, "%s: nothing was given to attach its end to", name);
    hwStatus status = hwWorld_CheckEnd(world, name, end, def, error);
    if (status == HW_OK) status = hwWorld_AttachRunning(world, slot, end, def, error);
    if (status == HW_OK) hwWorld_StateChanged(world);
    return status;
}

hwStatus hwCable_Detach(hwWorld* world, hwCableId id, int end, hwError* error) {
    int slot = FindSlot(world, id, error);
    if (slot < 0 || !IsEnd(world, slot, end, error)) return LastStatus(error);
    hwStatus status = hwWorld_DetachRunning(world, slot, end, error);
    if (status == HW_OK) hwWorld_StateChanged(world);
    return status;
}

hwStatus hwCable_SetEndMotion(hwWorld* world, hwCableId id, int end, hwVec3 position, hwVec3 velocity,
                              hwVec3 acceleration, hwError* error) {
    int slot = FindSlot(world, id, error);
    if (slot < 0 || !IsEnd(world, slot, end, error)) return LastStatus(error);
    const char* name = world->model.cables->slots[slot].name;
    hwEndState* state = &world->state.cables->stores[slot].ends[end];
    if (state->joint == HW_ATTACH_FREE || state->link >= 0) {
        return hwFail(error, HW_ERROR_ORDER, name,
                      "%s: only an end that is attached to the earth can be moved by hand", name);
    }
    if (!hwIsFiniteVec3(position) || !hwIsFiniteVec3(velocity) || !hwIsFiniteVec3(acceleration)) {
        return hwFail(error, HW_ERROR_ARGUMENT, name, "%s: the motion of an end is not finite", name);
    }
    state->manual = 1;
    state->path = 0;
    state->at = position;
    state->velocity = velocity;
    state->acceleration = acceleration;
    state->time = world->state.header->time;
    hwWorld_StateChanged(world);
    return HW_OK;
}

hwStatus hwCable_Cut(hwWorld* world, hwCableId id, double at, hwCableId* rest, hwError* error) {
    int slot = FindSlot(world, id, error);
    if (slot < 0) return LastStatus(error);
    int part = -1;
    hwStatus status = hwWorld_CutCable(world, slot, at, &part, error);
    if (status != HW_OK) return status;
    if (rest != NULL) *rest = world->model.cables->slots[part].object->id;
    hwWorld_StateChanged(world);
    return HW_OK;
}

// Reading and loading ----------------------------------------------------------------------------------------------------

hwStatus hwCable_GetView(const hwWorld* world, hwCableId id, hwCableView* out, hwError* error) {
    int slot = FindSlot(world, id, error);
    if (slot < 0) return LastStatus(error);
    hwWorld_Refresh(world);
    const hwCableTools* tools = &world->work->cables->tools[slot];
    out->nodeCount = tools->work.nodes;
    out->positions = tools->state.position;
    out->velocities = tools->state.velocity;
    out->elementCount = tools->work.nodes - 1;
    out->tensions = tools->work.tension;
    out->lengths = tools->work.length;
    out->length = hwCableState_GetLength(&tools->state);
    out->twist = tools->work.twist;
    out->materials = tools->state.material;
    return HW_OK;
}

hwStatus hwCable_GetCurvatures(const hwWorld* world, hwCableId id, int capacity, hwVec3* curvatures,
                               hwError* error) {
    int slot = FindSlot(world, id, error);
    if (slot < 0) return LastStatus(error);
    hwWorld_Refresh(world);
    const hwCableTools* tools = &world->work->cables->tools[slot];
    const hwCableSlot* cable = &world->model.cables->slots[slot];
    int nodes = tools->work.nodes;
    for (int i = 0; i < nodes && i < capacity; ++i) {
        curvatures[i] = cable->ops->getCurvature(world, slot, i);
    }
    return HW_OK;
}

hwStatus hwCable_GetPoint(const hwWorld* world, hwCableId id, double at, hwCablePointState* out,
                          hwError* error) {
    int slot = FindSlot(world, id, error);
    if (slot < 0) return LastStatus(error);
    hwWorld_Refresh(world);
    const hwCableTools* tools = &world->work->cables->tools[slot];
    double length = hwCableState_GetLength(&tools->state);
    if (!(at >= 0.0 && at <= length)) {
        return hwFail(error, HW_ERROR_ARGUMENT, world->model.cables->slots[slot].name,
                      "%s: arc length %g m is not on the cable, which is %g m long",
                      world->model.cables->slots[slot].name, at, length);
    }
    hwCablePoint point = hwCableState_GetPoint(&tools->state, at);
    out->position = point.position;
    out->velocity = point.velocity;
    out->tangent = point.tangent;
    out->curvature = point.curvature;
    out->acceleration = hwCableState_Interpolate(&tools->state, tools->acceleration, at);
    return HW_OK;
}

hwStatus hwCable_GetEndLoad(const hwWorld* world, hwCableId id, int end, hwVec3* force, hwVec3* moment,
                            hwError* error) {
    int slot = FindSlot(world, id, error);
    if (slot < 0 || !IsEnd(world, slot, end, error)) return LastStatus(error);
    hwWorld_Refresh(world);
    hwVec3 f, m;
    hwWorld_GetEndLoad(world, slot, end, &f, &m);
    if (force != NULL) *force = f;
    if (moment != NULL) *moment = m;
    return HW_OK;
}

// The place for what acts at an arc length, or null when there are too many.
static hwCableLoad* FindLoad(hwWorld* world, int slot, double at, hwError* error) {
    hwCableStore* store = &world->state.cables->stores[slot];
    const char* name = world->model.cables->slots[slot].name;
    int k = 0;
    while (k < *store->loadCount && store->loads[k].at != at) k += 1;
    if (k == HW_CABLE_LOADS) {
        hwFail(error, HW_ERROR_LIMIT, name, "%s: forces or masses act at %d places already", name,
               HW_CABLE_LOADS);
        return NULL;
    }
    if (k == *store->loadCount) {
        store->loads[k] = (hwCableLoad){.at = at};
        *store->loadCount += 1;
    }
    return &store->loads[k];
}

// Frees the places at which nothing acts any more.
static void DropIdleLoads(hwWorld* world, int slot) {
    hwCableStore* store = &world->state.cables->stores[slot];
    int kept = 0;
    for (int k = 0; k < *store->loadCount; ++k) {
        const hwCableLoad* load = &store->loads[k];
        if (load->mass > 0.0 || hwLengthSquared(load->force) > 0.0) store->loads[kept++] = *load;
    }
    memset(store->loads + kept, 0, (size_t)(*store->loadCount - kept) * sizeof(hwCableLoad));
    *store->loadCount = kept;
    hwWorld_StateChanged(world);
}

hwStatus hwCable_ApplyForce(hwWorld* world, hwCableId id, double at, hwVec3 force, hwError* error) {
    int slot = FindSlot(world, id, error);
    if (slot < 0) return LastStatus(error);
    const char* name = world->model.cables->slots[slot].name;
    if (!world->model.cables->slots[slot].ops->hasNodes) return RefuseForce(name, error);
    if (!hwIsFiniteVec3(force) || !(at >= 0.0) || !isfinite(at)) {
        return hwFail(error, HW_ERROR_ARGUMENT, name, "%s: the applied force or its place is not finite",
                      name);
    }
    hwCableLoad* load = FindLoad(world, slot, at, error);
    if (load == NULL) return HW_ERROR_LIMIT;
    load->force = hwAdd(load->force, force);
    hwWorld_StateChanged(world);
    return HW_OK;
}

hwStatus hwCable_AddMass(hwWorld* world, hwCableId id, double at, double mass, hwError* error) {
    int slot = FindSlot(world, id, error);
    if (slot < 0) return LastStatus(error);
    const char* name = world->model.cables->slots[slot].name;
    if (!world->model.cables->slots[slot].ops->hasNodes) return RefuseForce(name, error);
    if (!(mass >= 0.0) || !isfinite(mass) || !(at >= 0.0) || !isfinite(at)) {
        return hwFail(error, HW_ERROR_ARGUMENT, name,
                      "%s: a mass on a cable must be finite and not negative, and so must its place", name);
    }
    hwCableLoad* load = FindLoad(world, slot, at, error);
    if (load == NULL) return HW_ERROR_LIMIT;
    load->mass += mass;
    hwWorld_StateChanged(world);
    return HW_OK;
}

hwStatus hwCable_ClearMasses(hwWorld* world, hwCableId id, hwError* error) {
    int slot = FindSlot(world, id, error);
    if (slot < 0) return LastStatus(error);
    const hwCableStore* store = &world->state.cables->stores[slot];
    for (int k = 0; k < *store->loadCount; ++k) store->loads[k].mass = 0.0;
    DropIdleLoads(world, slot);
    return HW_OK;
}

hwStatus hwCable_ClearForces(hwWorld* world, hwCableId id, hwError* error) {
    int slot = FindSlot(world, id, error);
    if (slot < 0) return LastStatus(error);
    const hwCableStore* store = &world->state.cables->stores[slot];
    for (int k = 0; k < *store->loadCount; ++k) store->loads[k].force = hwVec3_zero;
    DropIdleLoads(world, slot);
    return HW_OK;
}

// Copying to a branch ----------------------------------------------------------------------------------------------------

// Puts the branch's cables into the order of the original's slots: parts may stand anywhere among them.
static void SortLike(hwPool* pool, const hwPool* model) {
    int next = 0;
    for (int i = 0; i < model->slots; ++i) {
        const hwCableObject* wanted = model->items[i];
        if (wanted == NULL) continue;
        int k = next;
        while (strcmp(((hwCableObject*)pool->items[k])->def.name, wanted->def.name) != 0) k += 1;
        void* item = pool->items[k];
        pool->items[k] = pool->items[next];
        pool->items[next++] = item;
    }
}

hwStatus hwCables_Copy(hwWorld* branch, const hwWorld* world, hwError* error) {
    for (int i = 0; i < world->cables.slots; ++i) {
        const hwCableObject* cable = world->cables.items[i];
        if (cable == NULL || !HW_IS_NULL(cable->whole)) continue;
        if (HW_IS_NULL(hwWorld_AddCable(branch, &cable->def, error))) return HW_ERROR_MEMORY;
    }
    SortLike(&branch->cables, &world->cables);
    if (!hwPool_Mirror(&branch->cables, &world->cables, &branch->allocator))
        return hwFail_Memory(error, NULL);
    for (int i = 0; i < world->cables.slots; ++i) {
        const hwCableObject* cable = world->cables.items[i];
        if (cable == NULL) continue;
        ((hwCableObject*)branch->cables.items[i])->id = cable->id;
        ((hwCableObject*)branch->cables.items[i])->whole = cable->whole;
    }
    for (int i = 0; i < world->cableForces.slots; ++i) {
        const hwCableForceObject* force = world->cableForces.items[i];
        if (force == NULL) continue;
        hwStatus status = hwWorld_AddCableForce(branch, &force->def, error);
        if (status != HW_OK) return status;
    }
    if (!hwPool_Mirror(&branch->cableForces, &world->cableForces, &branch->allocator))
        return hwFail_Memory(error, NULL);
    return HW_OK;
}
