// What needs the whole scene: unique names, and references from one object to another.
#include "hawser/hawser.h"
#include "scene_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind {
    KIND_BODY,
    KIND_MECHANISM,
    KIND_CABLE,
    KIND_WINCH,
    KIND_VEHICLE,
    KIND_LINK,
    KIND_MATERIAL
} Kind;

static const char* const kindWords[] = {
    [KIND_BODY] = "body",         [KIND_MECHANISM] = "mechanism", [KIND_CABLE] = "cable",
    [KIND_WINCH] = "winch",       [KIND_VEHICLE] = "vehicle",     [KIND_LINK] = "link",
    [KIND_MATERIAL] = "material",
};

typedef struct Name {
    const char* text;
    Kind kind;
    const hwPlace* place;
    const void* object;
    int index;
} Name;

// Names sorted by text, so that looking one up does not depend on how many there are.
typedef struct Names {
    int count;
    Name* sorted;
} Names;

static int CompareNames(const void* a, const void* b) {
    const Name* first = a;
    const Name* second = b;
    int order = strcmp(first->text, second->text);
    return order != 0
               ? order
               : (first->place->line > second->place->line) - (first->place->line < second->place->line);
}

static bool SortNames(hwReader* reader, Names* names) {
    if (names->count > 1) qsort(names->sorted, (size_t)names->count, sizeof(*names->sorted), CompareNames);
    for (int i = 1; i < names->count; i++) {
        const Name* first = &names->sorted[i - 1];
        const Name* second = &names->sorted[i];
        if (strcmp(first->text, second->text) != 0) continue;
        return hwReader_FailAt(reader, second->place->line, second->place->column,
                               "the name `%s` is already taken by the %s in line %d", second->text,
                               kindWords[first->kind], first->place->line);
    }
    return true;
}

// `length` characters of `text`.
static const Name* FindName(const Names* names, const char* text, size_t length) {
    int low = 0, high = names->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const Name* name = &names->sorted[middle];
        int order = strncmp(name->text, text, length);
        if (order == 0 && name->text[length] == 0) return name;
        // A longer name with the same beginning sorts behind.
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

// "the <what> `text` does not exist", with a suggestion among names of the kinds in `mask`.
static bool FailReference(hwReader* reader, const hwRef* ref, const Names* names, unsigned mask,
                          const char* what) {
    char quoted[64];
    hwReader_FailAt(reader, ref->line, ref->column, "there is no %s `%s` in this scene", what,
                    hwQuoteText(quoted, sizeof(quoted), ref->text));
    const char** candidates = hwStore_Take(reader->store, (size_t)names->count, sizeof(*candidates));
    int count = 0;
    for (int i = 0; candidates != NULL && i < names->count; i++) {
        if ((mask >> names->sorted[i].kind & 1u) != 0) candidates[count++] = names->sorted[i].text;
    }
    hwReader_Suggest(reader, ref->text, candidates, count);
    return false;
}

#define BIT(kind) (1u << (kind))

// Mechanisms -------------------------------------------------------------------------------------------------------

static bool ResolveParents(hwReader* reader, const hwSceneMechanism* mechanism, const Names* names) {
    int count = mechanism->links.count;
    hwSceneLink* links = mechanism->links.items;
    for (int i = 0; i < count; i++) {
        links[i].parentIndex = -1;
        if (strcmp(links[i].parent.text, "base") == 0) continue;
        const Name* parent = FindName(names, links[i].parent.text, strlen(links[i].parent.text));
        if (parent == NULL) return FailReference(reader, &links[i].parent, names, BIT(KIND_LINK), "link");
        links[i].parentIndex = parent->index;
    }
    // Follow the parents upwards; `mark` holds the link from which a link was first reached, plus one.
    int* mark = hwReader_Take(reader, (size_t)count, sizeof(*mark));
    if (mark == NULL) return false;
    for (int i = 0; i < count; i++) {
        int at = i;
        while (at >= 0 && mark[at] == 0) {
            mark[at] = i + 1;
            at = links[at].parentIndex;
        }
        if (at < 0 || mark[at] != i + 1) continue;
        return hwReader_FailAt(reader, links[at].parent.line, links[at].parent.column,
                               "the link `%s` is its own ancestor through `parent: %s`", links[at].name,
                               links[at].parent.text);
    }
    return true;
}

static bool ResolveTool(hwReader* reader, hwSceneMechanism* mechanism, const Names* names) {
    hwSceneTool* tool = &mechanism->tool;
    tool->def = (hwToolDef){.present = tool->place.line > 0,
                            .position = tool->position,
                            .speed = tool->speed,
                            .turnRate = tool->turnRate,
                            .jawCount = tool->jaws.count};
    if (!tool->def.present) return true;
    const Name* link = FindName(names, tool->link.text, strlen(tool->link.text));
    if (link == NULL) return FailReference(reader, &tool->link, names, BIT(KIND_LINK), "link");
    tool->def.link = link->index;
    if (tool->jaws.count > HW_MAX_JAWS) {
        return hwReader_FailAt(reader, tool->place.line, tool->place.column, "a tool has at most %d fingers",
                               HW_MAX_JAWS);
    }
    for (int i = 0; i < tool->jaws.count; i++) {
        const hwRef* jaw = &HW_ITEM(tool->jaws, hwSceneJaw, i)->link;
        const Name* finger = FindName(names, jaw->text, strlen(jaw->text));
        if (finger == NULL)
            return hwReader_FailAt(reader, jaw->line, jaw->column,
                                   "`jaws`: there is no link `%.60s` in this mechanism", jaw->text);
        tool->def.jaws[i] = finger->index;
    }
    return true;
}

bool hwCheckMechanism(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneMechanism* mechanism = item;
    Names names = {0, hwReader_Take(reader, (size_t)mechanism->links.count, sizeof(Name))};
    if (names.sorted == NULL) return false;
    if (mechanism->links.count == 0)
        return hwReader_Fail(reader, hwYaml_Find(node, "links"), "`links` must hold at least one link");
    for (int i = 0; i < mechanism->links.count; i++) {
        const hwSceneLink* link = HW_ITEM(mechanism->links, hwSceneLink, i);
        if (strcmp(link->name, "base") == 0) {
            return hwReader_FailAt(reader, link->place.line, link->place.column,
                                   "a link cannot have the name `base`");
        }
        names.sorted[names.count++] = (Name){link->name, KIND_LINK, &link->place, link, i};
    }
    return SortNames(reader, &names) && ResolveParents(reader, mechanism, &names) &&
           ResolveTool(reader, mechanism, &names);
}

// Objects ----------------------------------------------------------------------------------------------------------

static void AddNames(Names* names, const hwItems* items, size_t size, Kind kind) {
    for (int i = 0; i < items->count; i++) {
        const char* item = (const char*)items->items + (size_t)i * size;
        // Every named structure has its name right behind its place.
        const char* text = *(const char* const*)(const void*)(item + sizeof(hwPlace));
        names->sorted[names->count++] = (Name){text, kind, (const hwPlace*)(const void*)item, item, i};
    }
}

static bool CollectObjects(hwReader* reader, const hwSceneModel* model, Names* names) {
    int count = model->bodies.count + model->mechanisms.count + model->cables.count + model->winches.count +
                model->vehicles.count;
    names->count = 0;
    names->sorted = hwReader_Take(reader, (size_t)count, sizeof(Name));
    if (names->sorted == NULL) return false;
    AddNames(names, &model->bodies, sizeof(hwSceneBody), KIND_BODY);
    AddNames(names, &model->mechanisms, sizeof(hwSceneMechanism), KIND_MECHANISM);
    AddNames(names, &model->cables, sizeof(hwSceneCable), KIND_CABLE);
    AddNames(names, &model->winches, sizeof(hwSceneWinch), KIND_WINCH);
    AddNames(names, &model->vehicles, sizeof(hwSceneVehicle), KIND_VEHICLE);
    static const char* const reserved[] = {"earth", "world", "environment", "seabed"};
    for (int i = 0; i < names->count; i++) {
        for (int j = 0; j < 4; j++) {
            if (strcmp(names->sorted[i].text, reserved[j]) != 0) continue;
            return hwReader_FailAt(reader, names->sorted[i].place->line, names->sorted[i].place->column,
                                   "a %s cannot have the name `%s`, which means something else",
                                   kindWords[names->sorted[i].kind], reserved[j]);
        }
    }
    return SortNames(reader, names);
}

typedef struct Checker {
    hwReader* reader;
    const hwSceneModel* model;
    Names objects, materials;
} Checker;

// Fails unless the reference names an object of a kind in `mask`, or a link as mechanism.link when that is allowed.
static bool CheckObject(Checker* checker, const hwRef* ref, unsigned mask, const char* what) {
    const char* dot = strchr(ref->text, '.');
    if (dot == NULL || (mask & BIT(KIND_LINK)) == 0) {
        const Name* name = FindName(&checker->objects, ref->text, strlen(ref->text));
        if (name != NULL && (mask & BIT(name->kind)) != 0) return true;
        return FailReference(checker->reader, ref, &checker->objects, mask, what);
    }
    const Name* owner = FindName(&checker->objects, ref->text, (size_t)(dot - ref->text));
    // arms are in the vehicle's file, which is read when the world is made
    if (owner != NULL && owner->kind == KIND_VEHICLE) return true;
    if (owner == NULL || owner->kind != KIND_MECHANISM)
        return FailReference(checker->reader, ref, &checker->objects, mask, what);
    const hwSceneMechanism* mechanism = owner->object;
    if (mechanism->base.free.place.line > 0 && strcmp(dot + 1, "base") == 0) return true;
    for (int i = 0; i < mechanism->links.count; i++) {
        if (strcmp(HW_ITEM(mechanism->links, hwSceneLink, i)->name, dot + 1) == 0) return true;
    }
    return hwReader_FailAt(checker->reader, ref->line, ref->column, "the mechanism `%s` has no link `%.60s`",
                           mechanism->name, dot + 1);
}

static bool CheckMaterial(Checker* checker, const hwRef* ref) {
    if (ref->text == NULL || FindName(&checker->materials, ref->text, strlen(ref->text)) != NULL) return true;
    return FailReference(checker->reader, ref, &checker->materials, BIT(KIND_MATERIAL), "material");
}

static bool CheckShapes(Checker* checker, const hwItems* shapes) {
    for (int i = 0; i < shapes->count; i++) {
        if (!CheckMaterial(checker, &HW_ITEM(*shapes, hwSceneShape, i)->material)) return false;
    }
    return true;
}

// "cable.a" or "cable.b".
static bool CheckCableEnd(Checker* checker, const hwRef* ref) {
    const char* dot = strrchr(ref->text, '.');
    if (dot == NULL || (strcmp(dot, ".a") != 0 && strcmp(dot, ".b") != 0)) {
        return hwReader_FailAt(checker->reader, ref->line, ref->column,
                               "`%.60s` is no end of a cable; write the cable's name and .a or .b",
                               ref->text);
    }
    const Name* cable = FindName(&checker->objects, ref->text, (size_t)(dot - ref->text));
    if (cable != NULL && cable->kind == KIND_CABLE) return true;
    return FailReference(checker->reader, ref, &checker->objects, BIT(KIND_CABLE), "cable end");
}

// Where a cable's end is attached.
static bool CheckSpot(Checker* checker, const hwRef* on, const hwSceneSpot* at) {
    if (on->text == NULL) return true;
    bool earth = strcmp(on->text, "earth") == 0;
    unsigned mask = BIT(KIND_BODY) | BIT(KIND_LINK) | BIT(KIND_VEHICLE);
    if (!earth && !CheckObject(checker, on, mask, "body, link or vehicle")) return false;
    const Name* object = FindName(&checker->objects, on->text, strlen(on->text));
    if (at->name != NULL && (object == NULL || object->kind != KIND_VEHICLE)) {
        return hwReader_FailAt(checker->reader, at->line, at->column,
                               "`at: %.60s` names a point, which only vehicles have; write [x, y, z]",
                               at->name);
    }
    bool moves = at->point.termCount > 1 ||
                 (at->point.termCount == 1 && at->point.terms[0].kind != HW_SIGNAL_CONSTANT);
    if (moves && !earth) {
        return hwReader_FailAt(checker->reader, at->line, at->column,
                               "`at` may be a signal only `on: earth`");
    }
    return true;
}

static bool CheckMechanisms(Checker* checker) {
    for (int i = 0; i < checker->model->mechanisms.count; i++) {
        const hwSceneMechanism* mechanism = HW_ITEM(checker->model->mechanisms, hwSceneMechanism, i);
        const hwRef* on = &mechanism->base.on;
        checker->reader->object = mechanism->name;
        if (on->text != NULL && strcmp(on->text, "earth") != 0 &&
            !CheckObject(checker, on, BIT(KIND_BODY) | BIT(KIND_VEHICLE), "body or vehicle"))
            return false;
        if (!CheckShapes(checker, &mechanism->base.free.shapes)) return false;
        for (int j = 0; j < mechanism->links.count; j++) {
            if (!CheckShapes(checker, &HW_ITEM(mechanism->links, hwSceneLink, j)->shapes)) return false;
        }
    }
    return true;
}

// The legs between sheaves must leave something for the last one.
static bool CheckVia(Checker* checker, const hwSceneCable* cable, double length) {
    double before = 0.0;
    for (int i = 0; i < cable->via.count; i++) {
        const hwSceneVia* via = HW_ITEM(cable->via, hwSceneVia, i);
        before += via->length;
        if (before >= length) {
            return hwReader_FailAt(checker->reader, via->place.line, via->place.column,
                                   "%g m of cable up to this sheave leave nothing of the cable's %g m",
                                   before, length);
        }
        if (!CheckSpot(checker, &via->on, &via->at)) return false;
    }
    if (cable->via.count == 0) return true;
    bool listed = cable->shape.points.count > 0 || cable->shape.nodes.count > 0;
    if (!listed && cable->masses.count == 0 && cable->model == HW_CABLE_DYNAMIC) return true;
    return hwReader_FailAt(
        checker->reader, cable->place.line, cable->place.column,
        "a cable with `via` must be dynamic, without `masses` and without points of its shape");
}

static bool CheckCables(Checker* checker) {
    for (int i = 0; i < checker->model->cables.count; i++) {
        const hwSceneCable* cable = HW_ITEM(checker->model->cables, hwSceneCable, i);
        checker->reader->object = cable->name;
        if (cable->sections.count == 0) {
            return hwReader_FailAt(checker->reader, cable->place.line, cable->place.column,
                                   "`sections` of a cable must hold at least one section");
        }
        double length = 0.0;
        for (int j = 0; j < cable->sections.count; j++) {
            const hwSceneCableSection* section = HW_ITEM(cable->sections, hwSceneCableSection, j);
            length += section->length;
            if (!CheckMaterial(checker, &section->material)) return false;
        }
        for (int j = 0; j < cable->masses.count; j++) {
            const hwSceneCableMass* mass = HW_ITEM(cable->masses, hwSceneCableMass, j);
            if (mass->at <= length) continue;
            return hwReader_FailAt(checker->reader, mass->place.line, mass->place.column,
                                   "`at` of a mass is %g m, but the cable is %g m long", mass->at, length);
        }
        if (!CheckSpot(checker, &cable->ends.a.on, &cable->ends.a.at) ||
            !CheckSpot(checker, &cable->ends.b.on, &cable->ends.b.at) || !CheckVia(checker, cable, length)) {
            return false;
        }
    }
    for (int i = 0; i < checker->model->winches.count; i++) {
        const hwSceneWinch* winch = HW_ITEM(checker->model->winches, hwSceneWinch, i);
        checker->reader->object = winch->name;
        if (!CheckObject(checker, &winch->cable, BIT(KIND_CABLE), "cable")) return false;
        unsigned mask = BIT(KIND_BODY) | BIT(KIND_LINK) | BIT(KIND_VEHICLE);
        if (winch->compensation.place.line > 0 &&
            !CheckObject(checker, &winch->compensation.on, mask, "body, link or vehicle"))
            return false;
    }
    return true;
}

static bool CheckInstruments(Checker* checker) {
    for (int i = 0; i < checker->model->instruments.count; i++) {
        const hwSceneInstrument* instrument = HW_ITEM(checker->model->instruments, hwSceneInstrument, i);
        unsigned mask = BIT(KIND_BODY) | BIT(KIND_LINK) | BIT(KIND_VEHICLE);
        bool cell = instrument->kind == HW_INSTRUMENT_LOAD_CELL;
        checker->reader->object = instrument->name;
        if (!CheckObject(checker, &instrument->on, cell ? BIT(KIND_CABLE) : mask,
                         cell ? "cable" : "body, link or vehicle"))
            return false;
        if (instrument->transceiver.text != NULL &&
            !CheckObject(checker, &instrument->transceiver, mask, "body, link or vehicle"))
            return false;
    }
    return true;
}

// What is beyond the end of a cable comes out of a winch or never.
static bool CheckArc(Checker* checker, const hwSceneForce* force, const char* name) {
    double length = 0.0;
    for (int i = 0; i < checker->model->cables.count; i++) {
        const hwSceneCable* cable = HW_ITEM(checker->model->cables, hwSceneCable, i);
        if (strcmp(cable->name, name) != 0) continue;
        for (int j = 0; j < cable->sections.count; j++)
            length += HW_ITEM(cable->sections, hwSceneCableSection, j)->length;
    }
    if (force->at.arc <= length) return true;
    for (int i = 0; i < checker->model->winches.count; i++) {
        const hwSceneWinch* winch = HW_ITEM(checker->model->winches, hwSceneWinch, i);
        if (winch->cable.text != NULL && strcmp(winch->cable.text, name) == 0) return true;
    }
    return hwReader_FailAt(checker->reader, force->at.line, force->at.column,
                           "`at` of a force is %g m, but the cable is %g m long", force->at.arc, length);
}

static bool CheckForces(Checker* checker) {
    for (int i = 0; i < checker->model->forces.count; i++) {
        hwSceneForce* force = HW_ITEM(checker->model->forces, hwSceneForce, i);
        unsigned mask = BIT(KIND_BODY) | BIT(KIND_LINK) | BIT(KIND_VEHICLE) | BIT(KIND_CABLE);
        if (!CheckObject(checker, &force->on, mask, "body, link, vehicle or cable")) return false;
        const Name* object = FindName(&checker->objects, force->on.text, strlen(force->on.text));
        force->body = object != NULL && object->kind == KIND_BODY ? object->index : -1;
        bool cable = object != NULL && object->kind == KIND_CABLE,
             arc = force->at.line > 0 && !isnan(force->at.arc);
        if (cable != arc) {
            return hwReader_FailAt(checker->reader, force->at.line > 0 ? force->at.line : force->place.line,
                                   force->at.line > 0 ? force->at.column : force->place.column,
                                   cable
                                       ? "`at` of a force on a cable must be a number: the length from end a"
                                       : "`at` of a force on a body must be a point [x, y, z]");
        }
        if (cable && !CheckArc(checker, force, force->on.text)) return false;
    }
    return true;
}

static bool CheckWatches(Checker* checker) {
    unsigned mask = BIT(KIND_BODY) | BIT(KIND_LINK) | BIT(KIND_VEHICLE);
    for (int i = 0; i < checker->model->watches.count; i++) {
        const hwSceneWatch* watch = HW_ITEM(checker->model->watches, hwSceneWatch, i);
        if (!CheckObject(checker, &watch->cable, BIT(KIND_CABLE), "cable")) return false;
        for (int j = 0; j < watch->bodies.count; j++) {
            if (!CheckObject(checker, &watch->bodies.entries[j], mask, "body, link or vehicle")) return false;
        }
        for (int j = 0; j < watch->axes.count + watch->loops.count; j++) {
            const hwRef* on = j < watch->axes.count
                                  ? &HW_ITEM(watch->axes, hwSceneWatchAxis, j)->on
                                  : &HW_ITEM(watch->loops, hwSceneWatchLoop, j - watch->axes.count)->on;
            if (on->text != NULL && strcmp(on->text, "earth") != 0 &&
                !CheckObject(checker, on, mask, "body, link or vehicle")) {
                return false;
            }
        }
    }
    return true;
}

static bool CheckEvents(Checker* checker) {
    for (int i = 0; i < checker->model->events.count; i++) {
        const hwSceneEvent* event = HW_ITEM(checker->model->events, hwSceneEvent, i);
        if (event->detach.text != NULL && !CheckCableEnd(checker, &event->detach)) return false;
        if (event->attach.place.line > 0 && (!CheckCableEnd(checker, &event->attach.end) ||
                                             !CheckSpot(checker, &event->attach.on, &event->attach.at))) {
            return false;
        }
        if (event->cut.place.line > 0 && !CheckObject(checker, &event->cut.cable, BIT(KIND_CABLE), "cable"))
            return false;
        if (event->fail.text == NULL) continue;
        hwRef owner = event->fail;
        size_t length = strcspn(owner.text, ".");
        const Name* vehicle = FindName(&checker->objects, owner.text, length);
        if (vehicle == NULL || vehicle->kind != KIND_VEHICLE || owner.text[length] == 0) {
            return FailReference(checker->reader, &owner, &checker->objects, BIT(KIND_VEHICLE),
                                 "part of a vehicle");
        }
    }
    return true;
}

static bool CheckPairs(Checker* checker, const hwScenePairs* pairs) {
    unsigned mask =
        BIT(KIND_BODY) | BIT(KIND_MECHANISM) | BIT(KIND_LINK) | BIT(KIND_CABLE) | BIT(KIND_VEHICLE);
    for (int i = 0; i < pairs->count; i++) {
        const hwScenePair* pair = &pairs->items[i];
        const hwRef* refs[2] = {&pair->a, &pair->b};
        for (int j = 0; j < 2; j++) {
            if (strcmp(refs[j]->text, "seabed") == 0) continue;
            if (!CheckObject(checker, refs[j], mask, "object")) return false;
        }
    }
    return true;
}

static bool CheckContact(Checker* checker) {
    const hwSceneContact* contact = &checker->model->contact;
    return CheckPairs(checker, &contact->ignore) && CheckPairs(checker, &contact->watch);
}

static bool CheckCapacities(Checker* checker) {
    for (int i = 0; i < checker->model->mechanisms.count; i++) {
        const hwSceneCapacity* capacity = &HW_ITEM(checker->model->mechanisms, hwSceneMechanism, i)->capacity;
        if (capacity->place.line > 0 && !CheckObject(checker, &capacity->cable, BIT(KIND_CABLE), "cable"))
            return false;
    }
    return true;
}

static bool CheckLees(Checker* checker) {
    const hwItems* lees = &checker->model->environment.current.lees;
    for (int i = 0; i < lees->count; i++) {
        if (!CheckObject(checker, &HW_ITEM(*lees, hwSceneLee, i)->behind, BIT(KIND_BODY), "body"))
            return false;
    }
    return true;
}

bool hwCheckReferences(hwReader* reader, const hwSceneModel* model) {
    Checker checker = {.reader = reader, .model = model};
    if (!CollectObjects(reader, model, &checker.objects)) return false;
    checker.materials.sorted = hwReader_Take(reader, (size_t)model->materials.count, sizeof(Name));
    if (checker.materials.sorted == NULL) return false;
    AddNames(&checker.materials, &model->materials, sizeof(hwSceneMaterial), KIND_MATERIAL);
    if (!SortNames(reader, &checker.materials)) return false;
    for (int i = 0; i < model->bodies.count; i++) {
        reader->object = HW_ITEM(model->bodies, hwSceneBody, i)->name;
        if (!CheckShapes(&checker, &HW_ITEM(model->bodies, hwSceneBody, i)->shapes)) return false;
    }
    if (!CheckMechanisms(&checker) || !CheckCables(&checker)) return false;
    reader->object = NULL;
    return CheckInstruments(&checker) && CheckForces(&checker) && CheckWatches(&checker) &&
           CheckEvents(&checker) && CheckContact(&checker) && CheckLees(&checker) &&
           CheckCapacities(&checker);
}
