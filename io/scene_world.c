// From a scene to a world: everything is added in the order of the file, and errors get their place in it.
#include "hawser/contact.h"
#include "hawser/reference.h"
#include "hawser/results.h"
#include "results_internal.h"
#include "scene_cables.h"
#include "scene_mechanisms.h"
#include "scene_model.h"
#include "scene_place.h"
#include "scene_instruments.h"
#include "scene_vehicles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_STEP 0.1 // s, in runs and of the reference solver

// Places of errors -------------------------------------------------------------------------------------------------

// Whether an error is about the object `name`, or about a part of it as in "crane.boom".
static bool IsAbout(const hwError* error, const char* name) {
    size_t length = strlen(name);
    return strncmp(error->object, name, length) == 0 &&
           (error->object[length] == 0 || error->object[length] == '.');
}

// The section of an object and what it calls the fields of the object's def.
typedef struct Section {
    const hwPlace* place;
    const hwFieldKey* keys;
} Section;

// The link of a mechanism that an error is about, or the mechanism itself.
static Section FindLink(const hwSceneMechanism* mechanism, const hwError* error) {
    const char* name = error->object + strlen(mechanism->name);
    for (int i = 0; *name == '.' && i < mechanism->links.count; i++) {
        const hwSceneLink* link = HW_ITEM(mechanism->links, hwSceneLink, i);
        if (strcmp(link->name, name + 1) == 0) return (Section){&link->place, hwLinkKeys};
    }
    return (Section){&mechanism->place, hwMechanismKeys};
}

// Whether an error is about a cable, or about a leg of one that runs over sheaves: "wire_2".
static bool IsAboutCable(const hwError* error, const hwSceneCable* cable) {
    if (IsAbout(error, cable->name)) return true;
    size_t length = strlen(cable->name);
    if (cable->via.count == 0 || strncmp(error->object, cable->name, length) != 0) return false;
    int leg = 0, used = 0;
    return sscanf(error->object + length, "_%d%n", &leg, &used) == 1 && leg >= 2 &&
           leg <= cable->via.count + 1 && error->object[length + (size_t)used] == 0;
}

// The section of the scene that an error is about.
static Section FindObject(const hwSceneModel* model, const hwError* error) {
    for (int i = 0; i < model->bodies.count; i++) {
        const hwSceneBody* body = HW_ITEM(model->bodies, hwSceneBody, i);
        if (IsAbout(error, body->name)) return (Section){&body->place, hwBodyKeys};
    }
    for (int i = 0; i < model->mechanisms.count; i++) {
        const hwSceneMechanism* mechanism = HW_ITEM(model->mechanisms, hwSceneMechanism, i);
        if (IsAbout(error, mechanism->name)) return FindLink(mechanism, error);
    }
    for (int i = 0; i < model->vehicles.count; i++) {
        const hwSceneVehicle* vehicle = HW_ITEM(model->vehicles, hwSceneVehicle, i);
        if (IsAbout(error, vehicle->name)) return (Section){&vehicle->place, hwVehicleKeys};
    }
    for (int i = 0; i < model->cables.count; i++) {
        const hwSceneCable* cable = HW_ITEM(model->cables, hwSceneCable, i);
        if (IsAboutCable(error, cable)) return (Section){&cable->place, hwCableKeys};
    }
    for (int i = 0; i < model->winches.count; i++) {
        const hwSceneWinch* winch = HW_ITEM(model->winches, hwSceneWinch, i);
        if (IsAbout(error, winch->name)) return (Section){&winch->place, hwWinchKeys};
    }
    if (strcmp(error->object, "environment") == 0)
        return (Section){&model->environment.place, hwEnvironmentKeys};
    if (strcmp(error->object, "solver") == 0) return (Section){&model->solver.place, hwPlainKeys};
    return (Section){&model->place, hwPlainKeys};
}

static void PlaceError(const hwScene* scene, hwError* error) {
    const hwSceneModel* model = &scene->model;
    if (error == NULL || error->line > 0) return;
    // an event's input begins with the name of an object: events come first
    for (int i = 0; i < model->events.count; i++) {
        const hwSceneEvent* event = HW_ITEM(model->events, hwSceneEvent, i);
        for (int j = 0; j < event->setCount; j++) {
            // `object` may be cut short.
            if (strncmp(error->object, event->sets[j].input, sizeof(error->object) - 1) != 0) continue;
            error->line = event->sets[j].line;
            error->column = event->sets[j].column;
            return;
        }
        const hwRef* fail = &event->fail;
        if (fail->text == NULL || strncmp(error->object, fail->text, strlen(fail->text)) != 0) continue;
        error->line = fail->line;
        error->column = fail->column;
        return;
    }
    Section section = FindObject(model, error);
    if (section.place->line == 0)
        section.place = &model->place; // an environment that the scene does not give
    hwPlaceField(section.place, section.keys, error);
}

// Adding -----------------------------------------------------------------------------------------------------------

static bool AddForces(const hwScene* scene, hwWorld* world, const hwBodyId* bodies, hwError* error) {
    const hwSceneModel* model = &scene->model;
    for (int i = 0; i < model->forces.count; i++) {
        const hwSceneForce* force = HW_ITEM(model->forces, hwSceneForce, i);
        bool handled = false;
        if (!hwScene_AddCableForce(scene, force, world, &handled, error)) return false;
        if (handled) continue;
        hwForceDef def = hwDefaultForceDef();
        def.body = force->body >= 0 ? bodies[force->body] : hwWorld_FindBody(world, force->on.text);
        if (force->at.point.termCount > 0) def.at = force->at.point.terms[0].offset;
        def.force = force->force;
        def.torque = force->torque;
        def.frame = (hwFrame)force->frame;
        if (!HW_IS_NULL(hwWorld_AddForce(world, &def, error))) continue;
        if (error != NULL) hwPlaceField(&force->place, hwForceKeys, error);
        return false;
    }
    return true;
}

// A part that fails is an input that becomes 1.
static bool AddFailure(const hwSceneEvent* event, hwWorld* world, hwError* error) {
    if (event->fail.text == NULL) return true;
    char input[160];
    snprintf(input, sizeof(input), "%s.failed", event->fail.text);
    hwEventDef def = {.time = event->at, .input = input, .value = 1.0};
    if (hwWorld_AddEvent(world, &def, error) == HW_OK) return true;
    error->line = event->fail.line;
    error->column = event->fail.column;
    return false;
}

static bool AddEvents(const hwScene* scene, hwWorld* world, hwError* error) {
    const hwSceneModel* model = &scene->model;
    for (int i = 0; i < model->events.count; i++) {
        const hwSceneEvent* event = HW_ITEM(model->events, hwSceneEvent, i);
        if (!AddFailure(event, world, error) || !hwScene_AddCableEvent(scene, event, world, error))
            return false;
        for (int j = 0; j < event->setCount; j++) {
            const hwSceneSet* set = &event->sets[j];
            double value = set->value;
            if (set->word != NULL && !hwScene_ReadWord(scene, set->input, set->word, &value) &&
                !hwScene_ReadControlMode(scene, set->input, set->word, &value)) {
                char input[64], word[64];
                hwSceneFail(error, HW_ERROR_MODEL, set->line, set->column,
                            "`%s` cannot be set to the word `%s`; it takes a number",
                            hwQuoteText(input, sizeof(input), set->input),
                            hwQuoteText(word, sizeof(word), set->word));
                return false;
            }
            hwEventDef def = {.time = event->at, .input = set->input, .value = value};
            if (hwWorld_AddEvent(world, &def, error) == HW_OK) continue;
            if (error != NULL) {
                error->line = set->line;
                error->column = set->column;
            }
            return false;
        }
    }
    return true;
}

static bool AddMaterials(const hwScene* scene, hwWorld* world, hwError* error) {
    const hwSceneModel* model = &scene->model;
    for (int i = 0; i < model->materials.count; i++) {
        const hwSceneMaterial* material = HW_ITEM(model->materials, hwSceneMaterial, i);
        const hwSceneFriction* friction = &material->friction;
        hwMaterialDef def = hwDefaultMaterialDef();
        def.name = material->name;
        def.young = material->young;
        def.damping = material->damping;
        def.rateExponent = material->rateExponent;
        def.hardening = material->hardening;
        bool rubs = friction->place.line > 0;
        def.staticFriction = rubs ? friction->staticValue : 0.0;
        def.kineticFriction = rubs ? friction->kinetic : 0.0;
        if (rubs) {
            def.model = (hwFrictionModel)friction->model;
            def.velocity = friction->velocity;
            def.rolling = friction->rolling;
            def.spinning = friction->spinning;
            def.stribeck = friction->stribeck;
        }
        if (hwWorld_AddMaterial(world, &def, error) == HW_OK) continue;
        if (error != NULL) hwPlaceField(&material->place, hwMaterialKeys, error);
        return false;
    }
    hwContactDef contact = hwDefaultContactDef();
    contact.off = model->contact.off;
    contact.reserve = model->contact.reserve;
    contact.pressureCentre = model->contact.pressureCentre;
    contact.bedPerShape = model->contact.bedPerShape;
    contact.cables = model->contact.cables;
    contact.overlaps = (hwOverlaps)model->contact.overlaps;
    if (hwWorld_SetContact(world, &contact, error) != HW_OK) return false;
    hwStatus status = HW_OK;
    for (int i = 0; i < model->contact.ignore.count && status == HW_OK; i++) {
        const hwScenePair* pair = &model->contact.ignore.items[i];
        status = hwWorld_IgnoreContact(world, pair->a.text, pair->b.text, error);
    }
    for (int i = 0; i < model->contact.watch.count && status == HW_OK; i++) {
        const hwScenePair* pair = &model->contact.watch.items[i];
        status = hwWorld_WatchContact(world, pair->a.text, pair->b.text, error);
    }
    if (status != HW_OK && error != NULL) hwPlaceField(&model->contact.place, hwPlainKeys, error);
    return status == HW_OK;
}

static bool AddObjects(const hwScene* scene, hwWorld* world, hwError* error) {
    const hwSceneModel* model = &scene->model;
    hwEnvironmentDef environment = model->environment.def;
    environment.waveStart = model->start.time;
    if (hwWorld_SetEnvironment(world, &environment, error) != HW_OK) return false;
    if (!AddMaterials(scene, world, error)) return false;
    hwBodyId* bodies = calloc((size_t)model->bodies.count + 1, sizeof(*bodies));
    if (bodies == NULL) {
        hwSceneFail_Memory(error);
        return false;
    }
    bool good = true;
    for (int i = 0; good && i < model->bodies.count; i++) {
        const hwSceneBody* body = HW_ITEM(model->bodies, hwSceneBody, i);
        bodies[i] = hwWorld_AddBody(world, &body->def, error);
        good = !HW_IS_NULL(bodies[i]);
        if (!good && error != NULL) hwPlaceField(&body->place, hwBodyKeys, error);
    }
    good = good && hwScene_AddVehicles(scene, world, error) && hwScene_AddMechanisms(scene, world, error) &&
           hwScene_AddCables(scene, world, error) && hwScene_AddInstruments(scene, world, error) &&
           hwScene_AddWatches(scene, world, error) && AddForces(scene, world, bodies, error) &&
           AddEvents(scene, world, error);
    free(bodies);
    return good;
}

// Names in `record` can be checked only when the channels exist.
static bool CheckRecord(const hwScene* scene, const hwWorld* world, hwError* error) {
    const hwSceneRecord* record = &scene->model.record;
    int* channels = calloc((size_t)hwWorld_GetChannelCount(world) + 1, sizeof(*channels));
    if (channels == NULL) {
        hwSceneFail_Memory(error);
        return false;
    }
    bool good = true;
    for (int i = 0; good && i < record->count; i++) {
        int count;
        good = hwWorld_SelectChannels(world, 1, &record->entries[i].text, channels, &count, error) == HW_OK;
        if (good || error == NULL) continue;
        error->line = record->entries[i].line;
        error->column = record->entries[i].column;
    }
    free(channels);
    return good;
}

// The same of the channels in `limits`.
static bool CheckLimits(const hwScene* scene, const hwWorld* world, hwError* error) {
    const hwItems* limits = &scene->model.limits;
    for (int i = 0; i < limits->count; i++) {
        const hwLimitKeys* keys = HW_ITEM(*limits, hwLimitKeys, i);
        if (hwWorld_FindChannel(world, keys->of) >= 0) continue;
        hwResultsFail_Channel(world, keys->of, error);
        const hwYaml* of = hwYaml_Find(keys->place.node, "of");
        error->line = of->line;
        error->column = of->column;
        return false;
    }
    return true;
}

// What begins and ends within a longer step would not be seen: neither by extremes nor by means.
static void BoundSteps(hwSolverDef* solver) {
    if (!(solver->max > 0.0)) solver->max = hwFmax(LONGEST_STEP, solver->min);
}

hwWorld* hwScene_CreateWorld(const hwScene* scene, const hwWorldDef* base, hwError* error) {
    const hwSceneInfo* info = &scene->info;
    // Placing an error needs its field, also where the caller gave none to fill.
    hwError local;
    if (error == NULL) error = &local;
    hwWorldDef def = base != NULL ? *base : hwDefaultWorldDef();
    def.solver = info->solver;
    if (info->mode == HW_SOLVER_REFERENCE) BoundSteps(&def.solver);
    def.threads = info->threads;
    def.statics = info->statics && scene->model.start.block == NULL;
    def.time = scene->model.start.time;
    def.buildUp = info->buildUp;
    hwWorld* world = hwCreateWorld(&def, error);
    bool good = world != NULL && AddObjects(scene, world, error);
    if (good && info->mode == HW_SOLVER_REFERENCE)
        good = hwWorld_UseReference(world, info->method, error) == HW_OK;
    good = good && hwWorld_Prepare(world, error) == HW_OK &&
           hwScene_StartFromState(scene, world, error) == HW_OK && CheckRecord(scene, world, error) &&
           CheckLimits(scene, world, error);
    if (good) return world;
    hwDestroyWorld(world);
    PlaceError(scene, error);
    return NULL;
}

void hwScene_UseRunSolver(hwWorld* world) {
    hwSolverDef solver = hwWorld_GetDef(world)->solver;
    if (solver.tolerance > 0.0) return;
    // the solver's own default keeps to 2 ms whatever the error, so that a frame takes a bounded number of steps
    solver.tolerance = 5e-4;
    solver.followed = 1e-3;
    BoundSteps(&solver);
    hwWorld_SetSolver(world, &solver, NULL);
}
