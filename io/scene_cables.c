#include "scene_cables.h"

#include "hawser/cable.h"
#include "hawser/sheave.h"
#include "hawser/vehicle.h"
#include "scene_place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Puts the place of the field that is wrong onto an error that has none yet.
static bool Fail(const hwPlace* place, const hwFieldKey* keys, hwError* error) {
    if (error != NULL && error->line == 0) hwPlaceField(place, keys, error);
    return false;
}

// Ends -------------------------------------------------------------------------------------------------------------------

static bool FillEnd(hwWorld* world, const hwRef* on, const hwSceneSpot* at, int joint, hwVec3 p1, hwVec3 p2,
                    hwCableEndDef* def, hwError* error) {
    memset(def, 0, sizeof(*def));
    def->joint = (hwAttachKind)joint;
    def->p1 = p1;
    def->p2 = p2;
    if (joint == HW_ATTACH_FREE) {
        def->placed = at->line > 0 && at->point.termCount > 0;
        if (def->placed) def->at = at->point.terms[0].offset;
        return true;
    }
    bool earth = on->text == NULL || strcmp(on->text, "earth") == 0;
    if (!earth) {
        def->body = hwWorld_FindBody(world, on->text);
        if (HW_IS_NULL(def->body)) {
            hwSceneFail(error, HW_ERROR_MODEL, on->line, on->column,
                        "there is nothing called `%s` to attach to", on->text);
            return false;
        }
    }
    if (at->name != NULL) {
        if (hwVehicle_FindPoint(world, hwWorld_FindVehicle(world, on->text), at->name, &def->at)) return true;
        hwSceneFail(error, HW_ERROR_MODEL, at->line, at->column, "the vehicle `%s` has no point called `%s`",
                    on->text, at->name);
        return false;
    }
    if (at->point.termCount == 0) return true;
    bool moves = at->point.termCount > 1 || at->point.terms[0].kind != HW_SIGNAL_CONSTANT;
    if (earth && moves) {
        def->path = at->point;
    } else {
        def->at = at->point.terms[0].offset;
    }
    return true;
}

// Cables -----------------------------------------------------------------------------------------------------------------

static hwCableSectionDef MakeSection(const hwSceneCableSection* section) {
    hwCableSectionDef def = hwDefaultCableSectionDef();
    double area = 0.25 * HW_PI * section->diameter * section->diameter;
    def.length = section->length;
    def.elements = section->elements;
    def.grading = section->grading;
    def.diameter = section->diameter;
    def.massPerLength = section->massPerLength > 0.0 ? section->massPerLength : section->density * area;
    if (section->growth.place.line > 0) {
        def.diameter += 2.0 * section->growth.thickness;
        def.massPerLength += section->growth.density * (0.25 * HW_PI * def.diameter * def.diameter - area);
    }
    def.EA = section->EA;
    if (section->stretch.place.line > 0) {
        def.curveCount = section->stretch.strain.count;
        def.curveStrains = section->stretch.strain.values;
        def.curveTensions = section->stretch.tension.values;
    }
    def.lockRadius = section->restrictor.radius;
    def.lockStiffness = section->restrictor.stiffness;
    def.EI = section->EI;
    def.GJ = section->GJ;
    def.axialDamping = section->damping.axial;
    def.bendingDamping = section->damping.bending;
    def.torsionDamping = section->damping.torsion;
    def.dragNormal = section->drag.normal;
    def.dragTangential = section->drag.tangential;
    def.addedNormal = section->addedMass.normal;
    def.addedTangential = section->addedMass.tangential;
    def.compression = section->compression;
    def.breakTension = section->breakLoad;
    def.bendRadius = section->bendRadius;
    const hwSceneFatigue* fatigue = &section->fatigue;
    if (fatigue->slope > 0.0) {
        def.fatigue = (hwCableFatigueDef){.slope = fatigue->slope,
                                          .logA = fatigue->logA,
                                          .kneeLife = fatigue->kneeLife,
                                          .kneeSlope = fatigue->kneeSlope,
                                          .tensionStress = fatigue->tension,
                                          .bendingStress = fatigue->bending};
    }
    def.minElement = section->elementLength.min;
    def.maxElement = section->elementLength.max;
    def.material = section->material.text;
    return def;
}

static int CountCuts(const hwSceneModel* model, const hwSceneCable* cable) {
    int count = 0;
    for (int i = 0; i < model->events.count; i++) {
        const hwSceneCut* cut = &HW_ITEM(model->events, hwSceneEvent, i)->cut;
        count += cut->place.line > 0 && strcmp(cut->cable.text, cable->name) == 0;
    }
    for (int i = 0; i < cable->sections.count; i++) {
        if (isfinite(HW_ITEM(cable->sections, hwSceneCableSection, i)->breakLoad)) return count + cable->cuts;
    }
    return count;
}

// Legs --------------------------------------------------------------------------------------------------------------------
//
// A cable over sheaves is a chain of cables in the world, see hawser/sheave.h.

#define NAME_SIZE 96

static void NameLeg(const hwSceneCable* cable, int leg, char name[NAME_SIZE]) {
    if (leg == 0) {
        snprintf(name, NAME_SIZE, "%s", cable->name);
    } else {
        snprintf(name, NAME_SIZE, "%s_%d", cable->name, leg + 1);
    }
}

static const hwSceneCable* FindSceneCable(const hwSceneModel* model, const char* name, size_t length) {
    for (int i = 0; i < model->cables.count; i++) {
        const hwSceneCable* cable = HW_ITEM(model->cables, hwSceneCable, i);
        if (strlen(cable->name) == length && strncmp(cable->name, name, length) == 0) return cable;
    }
    return NULL;
}

// The cable of the world that holds end a (0) or b (1) of a scene's cable.
static hwCableId FindEndLeg(const hwSceneModel* model, const hwWorld* world, const char* name, size_t length,
                            int end) {
    char leg[NAME_SIZE];
    const hwSceneCable* cable = FindSceneCable(model, name, length);
    if (cable == NULL) return (hwCableId){0, 0};
    NameLeg(cable, end == 0 ? 0 : cable->via.count, leg);
    return hwWorld_FindCable(world, leg);
}

// The one that holds an arc length at the start; `arc` becomes the one from its own end a.
static hwCableId FindArcLeg(const hwSceneModel* model, const hwWorld* world, const char* name, double* arc) {
    char text[NAME_SIZE];
    const hwSceneCable* cable = FindSceneCable(model, name, strlen(name));
    if (cable == NULL) return (hwCableId){0, 0};
    int leg = 0;
    while (leg<cable->via.count&& * arc> HW_ITEM(cable->via, hwSceneVia, leg)->length) {
        *arc -= HW_ITEM(cable->via, hwSceneVia, leg++)->length;
    }
    NameLeg(cable, leg, text);
    return hwWorld_FindCable(world, text);
}

// The pieces of the sections between two arc lengths; returns how many.
static int CutSections(const hwSceneCable* cable, double refinement, double from, double to,
                       hwCableSectionDef* pieces) {
    double start = 0.0;
    int count = 0;
    for (int i = 0; i < cable->sections.count; i++) {
        hwCableSectionDef section = MakeSection(HW_ITEM(cable->sections, hwSceneCableSection, i));
        double low = hwFmax(from, start), high = hwFmin(to, start + section.length), whole = section.length;
        start += whole;
        if (!(high - low > 1e-9 * whole)) continue;
        section.length = high - low;
        section.elements = (int)hwFmax(1.0, round(section.elements * section.length / whole));
        if (refinement > 1.0) {
            section.elements = (int)ceil(section.elements * refinement - 1e-9);
            section.minElement /= refinement;
            section.maxElement /= refinement;
        }
        pieces[count++] = section;
    }
    return count;
}

// Puts a stiffener's pieces in place of what it covers of the section at an end.
static bool AddStiffener(const hwSceneEnd* end, double refinement, bool atEndA, hwCableSectionDef* sections,
                         int* count, hwError* error) {
    const hwSceneStiffener* given = &end->stiffener;
    if (given->place.line == 0) return true;
    if (end->joint != HW_ATTACH_CLAMP) {
        hwSceneFail(error, HW_ERROR_MODEL, given->place.line, given->place.column,
                    "a bend stiffener needs `joint: clamp`: at a pin nothing bends");
        return false;
    }
    hwCableSectionDef* line = &sections[atEndA ? 0 : *count - 1];
    hwStiffenerDef def = {.length = given->length,
                          .root = given->root,
                          .tip = given->tip,
                          .young = given->young,
                          .density = given->density,
                          .pieces = (int)ceil(given->elements * hwFmax(refinement, 1.0) - 1e-9)};
    if (!(given->length < line->length)) {
        hwSceneFail(error, HW_ERROR_MODEL, given->place.line, given->place.column,
                    "the stiffener is %g m long, but must be shorter than the section there, %g m",
                    given->length, line->length);
        return false;
    }
    hwCableSectionDef whole = *line;
    line->length -= given->length;
    line->elements = (int)hwFmax(1.0, round(line->elements * line->length / whole.length));
    hwCableSectionDef* pieces = atEndA ? sections : sections + *count;
    if (atEndA) memmove(sections + def.pieces, sections, (size_t)*count * sizeof(*sections));
    if (hwMakeStiffener(&def, &whole, atEndA, pieces, error) != HW_OK)
        return Fail(&given->place, hwPlainKeys, error);
    *count += def.pieces;
    return true;
}

static double GetCableLength(const hwSceneCable* cable) {
    double length = 0.0;
    for (int i = 0; i < cable->sections.count; i++) {
        length += HW_ITEM(cable->sections, hwSceneCableSection, i)->length;
    }
    return length;
}

static bool FillVia(hwWorld* world, const hwSceneVia* via, hwCableEndDef* def, hwError* error) {
    return FillEnd(world, &via->on, &via->at, HW_ATTACH_PIN, hwVec3_zero, hwVec3_zero, def, error) ||
           Fail(&via->place, hwSheaveKeys, error);
}

static bool FillOwnEnd(hwWorld* world, const hwSceneEnd* end, hwCableEndDef* def, hwError* error) {
    return FillEnd(world, &end->on, &end->at, end->joint, end->p1, end->p2, def, error) ||
           Fail(&end->place, hwPlainKeys, error);
}

// What all legs have in common.
static void FillShape(const hwSceneCable* cable, hwCableDef* def) {
    const hwSceneCableShape* shape = &cable->shape;
    def->shape = (hwCableShape)shape->kind;
    if (shape->points.count > 0) def->shape = HW_CABLE_POINTS;
    if (shape->nodes.count > 0) def->shape = HW_CABLE_NODES;
    const hwVectors* listed = shape->nodes.count > 0 ? &shape->nodes : &shape->points;
    def->pointCount = listed->count;
    def->points = listed->values;
    if (shape->velocities.count > 0) def->velocities = shape->velocities.values;
    if (cable->pid.place.line == 0) return;
    def->pidProportional = cable->pid.kp;
    def->pidIntegral = cable->pid.ki;
    def->pidDerivative = cable->pid.kd;
    def->pidFriction = cable->pid.friction;
}

static bool AddLeg(const hwSceneCable* cable, double refinement, int leg, double from, double to,
                   hwCableDef* def, hwCableSectionDef* sections, hwWorld* world, hwError* error) {
    char name[NAME_SIZE];
    NameLeg(cable, leg, name);
    def->name = name;
    def->sections = sections;
    def->sectionCount = CutSections(cable, refinement, from, to, sections);
    bool first = leg == 0, last = leg == cable->via.count;
    if ((first && !AddStiffener(&cable->ends.a, refinement, true, sections, &def->sectionCount, error)) ||
        (last && !AddStiffener(&cable->ends.b, refinement, false, sections, &def->sectionCount, error)))
        return false;
    bool good = first ? FillOwnEnd(world, &cable->ends.a, &def->ends[0], error)
                      : FillVia(world, HW_ITEM(cable->via, hwSceneVia, leg - 1), &def->ends[0], error);
    if (good) {
        good = last ? FillOwnEnd(world, &cable->ends.b, &def->ends[1], error)
                    : FillVia(world, HW_ITEM(cable->via, hwSceneVia, leg), &def->ends[1], error);
    }
    return good &&
           (!HW_IS_NULL(hwWorld_AddCable(world, def, error)) || Fail(&cable->place, hwCableKeys, error));
}

static bool AddSheave(const hwSceneCable* cable, int index, hwWorld* world, hwError* error) {
    const hwSceneVia* via = HW_ITEM(cable->via, hwSceneVia, index);
    char name[NAME_SIZE], legs[2][NAME_SIZE];
    snprintf(name, sizeof(name), "%s_via%d", cable->name, index + 1);
    hwSheaveDef def = hwDefaultSheaveDef();
    def.name = via->name != NULL ? via->name : name;
    for (int s = 0; s < 2; s++) {
        NameLeg(cable, index + s, legs[s]);
        def.cables[s] = hwWorld_FindCable(world, legs[s]);
    }
    def.inertia = via->inertia;
    def.radius = via->radius;
    def.friction = via->friction;
    def.bearing = via->bearing;
    return !HW_IS_NULL(hwWorld_AddSheave(world, &def, error)) || Fail(&via->place, hwSheaveKeys, error);
}

static bool AddCable(const hwSceneModel* model, const hwSceneCable* cable, hwWorld* world, hwError* error) {
    int stiff = cable->ends.a.stiffener.elements + cable->ends.b.stiffener.elements;
    int extra = (int)ceil(stiff * hwFmax(model->refinement, 1.0)) + 2;
    hwCableSectionDef* sections = calloc((size_t)cable->sections.count + (size_t)extra, sizeof(*sections));
    hwCableMassDef* masses = calloc((size_t)cable->masses.count + 1, sizeof(*masses));
    bool good = sections != NULL && masses != NULL;
    if (!good) hwSceneFail_Memory(error);
    hwCableDef def = hwDefaultCableDef();
    def.kind = (hwCableKind)cable->model;
    for (int i = 0; good && i < cable->masses.count; i++) {
        const hwSceneCableMass* mass = HW_ITEM(cable->masses, hwSceneCableMass, i);
        masses[i] = (hwCableMassDef){mass->at, mass->mass, mass->diameter};
    }
    def.massCount = cable->masses.count;
    def.masses = masses;
    def.cuts = CountCuts(model, cable);
    def.refine = cable->refine;
    def.contactNodes = cable->contactNodes;
    def.wrap.bend = (hwTetherBend)cable->bend;
    def.wrap.rules = (hwWrapRules)cable->rules;
    if (cable->seedRules.place.line > 0) {
        const hwSceneSeedRules* rules = &cable->seedRules;
        def.wrap.buoyancy = rules->buoyancy;
        def.wrap.greatestCurrent = rules->greatestCurrent;
        def.wrap.linearDepth = rules->depth != 0;
        def.wrap.stuckAngle = rules->stuckAngle;
        def.wrap.stuckCount = rules->stuckCount;
    }
    FillShape(cable, &def);
    double from = 0.0;
    for (int leg = 0; good && leg <= cable->via.count; leg++) {
        bool last = leg == cable->via.count;
        double to = last ? GetCableLength(cable) : from + HW_ITEM(cable->via, hwSceneVia, leg)->length;
        good = AddLeg(cable, model->refinement, leg, from, to, &def, sections, world, error);
        from = to;
    }
    for (int i = 0; good && i < cable->via.count; i++) good = AddSheave(cable, i, world, error);
    free(sections);
    free(masses);
    return good;
}

// What events have set an input of this winch to by `time`; NaN: nothing yet.
static double FindSet(const hwSceneModel* model, const char* winch, const char* what, double time) {
    double latest = -INFINITY, value = (double)NAN;
    size_t length = strlen(winch);
    for (int i = 0; i < model->events.count; i++) {
        const hwSceneEvent* event = HW_ITEM(model->events, hwSceneEvent, i);
        if (event->at > time || event->at < latest) continue;
        for (int k = 0; k < event->setCount; k++) {
            const char* input = event->sets[k].input;
            if (strncmp(input, winch, length) != 0 || strcmp(input + length, what) != 0) continue;
            latest = event->at;
            value = event->sets[k].value;
        }
    }
    return value;
}

// Most cable that a winch in velocity mode can have out, were its set speed followed at once, and a tenth more.
static double FindLongest(const hwSceneModel* model, const hwSceneWinch* winch) {
    double length = 0.0, out = 0.0, most = 0.0;
    for (int i = 0; i < model->cables.count; i++) {
        const hwSceneCable* cable = HW_ITEM(model->cables, hwSceneCable, i);
        if (strcmp(cable->name, winch->cable.text) != 0) continue;
        for (int k = 0; k < cable->sections.count; k++) {
            length += HW_ITEM(cable->sections, hwSceneCableSection, k)->length;
        }
    }
    const int moments = 1000;
    double dt = model->duration / moments;
    for (int i = 0; i < moments; i++) {
        double time = model->start.time + i * dt, set = FindSet(model, winch->name, ".setpoint", time);
        double mode = FindSet(model, winch->name, ".mode", time);
        if ((isnan(mode) ? winch->mode : mode) != 0.0) continue;
        out += dt * (isnan(set) ? hwSignal_Evaluate(&winch->setpoint, time).value.x : set);
        most = hwFmax(most, out);
    }
    return hwFmax(2.0 * length, length + 1.1 * most);
}

static bool AddWinch(const hwSceneModel* model, const hwSceneWinch* winch, hwWorld* world, hwError* error) {
    hwWinchDef def = hwDefaultWinchDef();
    def.name = winch->name;
    def.cable = FindEndLeg(model, world, winch->cable.text, strlen(winch->cable.text), winch->end);
    def.end = winch->end;
    def.mode = (hwWinchMode)winch->mode;
    def.setpoint = winch->setpoint;
    def.kp = winch->kp;
    def.ki = winch->ki;
    def.kd = winch->kd;
    def.acceleration = winch->acceleration;
    def.deceleration = winch->deceleration;
    def.drumInertia = winch->drum.inertia;
    def.drumRadius = winch->drum.radius;
    def.brake = winch->drum.brake;
    def.longest = winch->longest > 0.0 ? winch->longest : FindLongest(model, winch);
    def.spring = winch->spring;
    if (winch->compensation.place.line > 0) {
        def.follow = hwWorld_FindBody(world, winch->compensation.on.text);
        def.followAt = winch->compensation.at;
        def.followGain = winch->compensation.gain;
    }
    return !HW_IS_NULL(hwWorld_AddWinch(world, &def, error)) || Fail(&winch->place, hwWinchKeys, error);
}

bool hwScene_AddCables(const hwScene* scene, hwWorld* world, hwError* error) {
    const hwSceneModel* model = &scene->model;
    for (int i = 0; i < model->cables.count; i++) {
        if (!AddCable(model, HW_ITEM(model->cables, hwSceneCable, i), world, error)) return false;
    }
    for (int i = 0; i < model->winches.count; i++) {
        if (!AddWinch(model, HW_ITEM(model->winches, hwSceneWinch, i), world, error)) return false;
    }
    return true;
}

// Forces and events --------------------------------------------------------------------------------------------------------

bool hwScene_AddCableForce(const hwScene* scene, const hwSceneForce* force, hwWorld* world, bool* handled,
                           hwError* error) {
    hwCableForceDef def = hwDefaultCableForceDef();
    def.at = force->at.arc;
    def.cable = FindArcLeg(&scene->model, world, force->on.text, &def.at);
    *handled = !HW_IS_NULL(def.cable);
    if (!*handled) return true;
    def.force = force->force;
    return hwWorld_AddCableForce(world, &def, error) == HW_OK || Fail(&force->place, hwForceKeys, error);
}

// "wire.b" names end b of the cable `wire`.
static hwCableId FindEnd(const hwScene* scene, const hwWorld* world, const char* text, int* end) {
    const char* dot = strrchr(text, '.');
    size_t length = dot != NULL ? (size_t)(dot - text) : strlen(text);
    *end = dot != NULL && dot[1] == 'b';
    return FindEndLeg(&scene->model, world, text, length, *end);
}

bool hwScene_AddCableEvent(const hwScene* scene, const hwSceneEvent* event, hwWorld* world, hwError* error) {
    if (event->detach.text != NULL) {
        hwCableEventDef def = hwDefaultCableEventDef();
        def.time = event->at;
        def.kind = HW_CABLE_EVENT_DETACH;
        def.cable = FindEnd(scene, world, event->detach.text, &def.end);
        def.below = event->below;
        if (hwWorld_AddCableEvent(world, &def, error) != HW_OK)
            return Fail(&event->place, hwEventKeys, error);
    }
    if (event->attach.place.line > 0) {
        const hwSceneAttach* attach = &event->attach;
        hwCableEventDef def = hwDefaultCableEventDef();
        def.time = event->at;
        def.kind = HW_CABLE_EVENT_ATTACH;
        def.cable = FindEnd(scene, world, attach->end.text, &def.end);
        def.within = attach->within;
        if (!FillEnd(world, &attach->on, &attach->at, attach->joint, attach->p1, attach->p2, &def.attach,
                     error) ||
            hwWorld_AddCableEvent(world, &def, error) != HW_OK) {
            return Fail(&attach->place, hwPlainKeys, error);
        }
    }
    if (event->cut.place.line > 0) {
        hwCableEventDef def = hwDefaultCableEventDef();
        def.time = event->at;
        def.kind = HW_CABLE_EVENT_CUT;
        def.at = event->cut.at;
        def.cable = FindArcLeg(&scene->model, world, event->cut.cable.text, &def.at);
        if (hwWorld_AddCableEvent(world, &def, error) != HW_OK)
            return Fail(&event->cut.place, hwPlainKeys, error);
    }
    return true;
}
