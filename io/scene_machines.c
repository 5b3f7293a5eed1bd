// Checks of mechanisms, cables, winches and vehicles that need more than one key, and the spots where things attach.
#include "hawser/hawser.h"
#include "scene_read.h"

#include <string.h>

// Mechanisms -------------------------------------------------------------------------------------------------------

static bool HasOneAxis(const hwSceneLink* link) {
    return link->joint == HW_JOINT_REVOLUTE || link->joint == HW_JOINT_PRISMATIC;
}

static bool HasSeveralAxes(const hwSceneLink* link) {
    return link->joint >= HW_SCENE_AXES;
}

// Degrees make no sense along an axis.
static bool RefuseDegrees(hwReader* reader, const hwYaml* node, const char* name) {
    const hwYaml* found = hwYaml_Find(node, name);
    if (found == NULL) return true;
    return hwReader_Fail(reader, found->key,
                         "`%s` cannot be degrees: the joint is prismatic; write it in m without _deg", name);
}

static bool CheckCoordinates(hwReader* reader, const hwYaml* node, const char* name, const char* degrees,
                             const hwNumbers* numbers, int joint) {
    static const int counts[] = {1, 1, 3, 6, 0};
    int wanted = joint >= HW_SCENE_AXES ? hwAxes_Count((hwAxesKind)(joint - HW_SCENE_AXES)) : counts[joint];
    const hwYaml* found =
        hwYaml_Find(node, name) != NULL ? hwYaml_Find(node, name) : hwYaml_Find(node, degrees);
    if (found == NULL) return true;
    bool slides = joint == HW_JOINT_FREE || joint == HW_SCENE_AXES + HW_AXES_CYLINDRICAL ||
                  joint == HW_SCENE_AXES + HW_AXES_PLANAR;
    if (slides && found == hwYaml_Find(node, degrees)) {
        return hwReader_Fail(reader, found->key, "`%s` cannot be degrees: this joint has lengths and angles",
                             degrees);
    }
    if (numbers->count == wanted) return true;
    if (joint == HW_JOINT_FIXED)
        return hwReader_Fail(reader, found->key, "`%s` makes no sense with a fixed joint", name);
    return hwReader_Fail(reader, found, "`%s` has %d numbers, but this joint takes %d", name, numbers->count,
                         wanted);
}

static bool NeedIn(hwReader* reader, const hwYaml* node, const char* key, const char* joints) {
    if (hwYaml_Find(node, key) != NULL) return true;
    char degrees[32];
    snprintf(degrees, sizeof(degrees), "%s_deg", key);
    if (hwYaml_Find(node, degrees) != NULL) return true;
    return hwReader_Fail(reader, node, "`limits` of a %s joint needs `%s`", joints, key);
}

static bool RefuseIn(hwReader* reader, const hwYaml* node, const char* key, const char* joints) {
    char degrees[32];
    snprintf(degrees, sizeof(degrees), "%s_deg", key);
    const hwYaml* found =
        hwYaml_Find(node, key) != NULL ? hwYaml_Find(node, key) : hwYaml_Find(node, degrees);
    if (found == NULL) return true;
    return hwReader_Fail(reader, found->key, "`%s` makes sense only for %s joints", key, joints);
}

// Limits, control, friction and actuators by the kind of joint.
static bool CheckDrive(hwReader* reader, const hwYaml* node, const hwSceneLink* link) {
    static const char* const drives[] = {"limits", "control", "friction", "actuator"};
    const hwYaml *limits = hwYaml_Find(node, "limits"), *control = hwYaml_Find(node, "control");
    bool ball = link->joint == HW_JOINT_BALL;
    if (!HasOneAxis(link) && !ball) {
        for (int i = 0; i < 4; i++) {
            const hwYaml* found = hwYaml_Find(node, drives[i]);
            if (found == NULL) continue;
            if (HasSeveralAxes(link) && strcmp(drives[i], "friction") == 0) continue;
            if (HasSeveralAxes(link)) {
                return hwReader_Fail(reader, found->key,
                                     "`%s` makes no sense for a joint of several axes: write a link without "
                                     "mass for each axis that has one",
                                     drives[i]);
            }
            return hwReader_Fail(reader, found->key,
                                 "`%s` makes sense only for revolute, prismatic and ball joints", drives[i]);
        }
        return true;
    }
    if (limits != NULL &&
        !NeedIn(reader, limits, ball ? "swing" : "range", ball ? "ball" : "revolute or prismatic"))
        return false;
    if (control == NULL) return true;
    if (ball) {
        return RefuseIn(reader, control, "target", "revolute and prismatic") &&
               RefuseIn(reader, control, "effort", "revolute and prismatic");
    }
    return RefuseIn(reader, control, "targets", "ball") && RefuseIn(reader, control, "efforts", "ball");
}

bool hwCheckFeet(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneFeet* feet = item;
    const struct {
        const char* name;
        double* value;
    } optional[] = {{"stiffness", &feet->stiffness},
                    {"damping", &feet->damping},
                    {"planar_stiffness", &feet->planarStiffness},
                    {"planar_damping", &feet->planarDamping},
                    {"friction", &feet->friction},
                    {"kinetic_friction", &feet->kineticFriction}};
    for (size_t i = 0; i < sizeof(optional) / sizeof(optional[0]); i++) {
        if (hwYaml_Find(node, optional[i].name) == NULL) *optional[i].value = -1.0;
    }
    if (feet->friction >= 0.0 && feet->kineticFriction > feet->friction) {
        return hwReader_Fail(reader, hwYaml_Find(node, "kinetic_friction"),
                             "`kinetic_friction` is %g, but must be at most `friction`, %g",
                             feet->kineticFriction, feet->friction);
    }
    return true;
}

bool hwCheckLink(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneLink* link = item;
    const hwYaml* dh = hwYaml_Find(node, "dh") != NULL ? hwYaml_Find(node, "dh") : hwYaml_Find(node, "mdh");
    const hwYaml* limits = hwYaml_Find(node, "limits");
    const hwYaml* control = hwYaml_Find(node, "control");
    if (dh != NULL && !HasOneAxis(link) && link->joint != HW_JOINT_FIXED) {
        return hwReader_Fail(reader, dh->key,
                             "`%s` makes sense only for revolute, prismatic and fixed joints; use `frame`",
                             dh->key->text);
    }
    if (!CheckDrive(reader, node, link) || !hwDivideShapes(reader, node, &link->shapes)) return false;
    if (link->limits.range.count > 0 && !(link->limits.range.values[0] < link->limits.range.values[1])) {
        return hwReader_Fail(reader, limits,
                             "`range` of the limits must go from the lesser to the greater displacement");
    }
    if (link->frame.place.line > 0 && !(hwLength(link->frame.axis) > 0.0)) {
        return hwReader_Fail(reader, hwYaml_Find(node, "frame"), "`axis` of a frame must not be zero");
    }
    if (link->joint == HW_JOINT_PRISMATIC &&
        (!RefuseDegrees(reader, node, "q_deg") || !RefuseDegrees(reader, node, "qd_deg") ||
         !RefuseDegrees(reader, limits, "range_deg") || !RefuseDegrees(reader, control, "target_deg"))) {
        return false;
    }
    if (!CheckCoordinates(reader, node, "q", "q_deg", &link->q, link->joint) ||
        !CheckCoordinates(reader, node, "qd", "qd_deg", &link->qd, link->joint)) {
        return false;
    }
    for (int i = 0; i < (link->inertia.count < 3 ? link->inertia.count : 3); i++) {
        if (link->inertia.values[i] >= 0.0) continue;
        return hwReader_Fail(reader, hwYaml_Find(node, "inertia"),
                             "`inertia` holds %g, but moments must not be negative", link->inertia.values[i]);
    }
    return true;
}

// Cables -----------------------------------------------------------------------------------------------------------

bool hwCheckElementLength(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneElementLength* length = item;
    if (length->max >= 2.0 * length->min) return true;
    return hwReader_Fail(reader, hwYaml_Find(node, "max"),
                         "`max` element length is %g m, but must be at least twice `min`, %g m", length->max,
                         length->min);
}

// Gains that are not given are chosen by the cable.
bool hwCheckPid(hwReader* reader, const hwYaml* node, void* item) {
    hwScenePid* pid = item;
    (void)reader;
    if (hwYaml_Find(node, "kp") == NULL) pid->kp = (double)NAN;
    if (hwYaml_Find(node, "ki") == NULL) pid->ki = (double)NAN;
    if (hwYaml_Find(node, "kd") == NULL) pid->kd = (double)NAN;
    if (hwYaml_Find(node, "friction") == NULL) pid->friction = (double)NAN;
    return true;
}

bool hwCheckCableShape(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneCableShape* shape = item;
    if (shape->velocities.count == 0 || shape->velocities.count == shape->nodes.count) return true;
    return hwReader_Fail(reader, hwYaml_Find(node, "velocities"),
                         "there are %d velocities for %d nodes; each node needs one", shape->velocities.count,
                         shape->nodes.count);
}

bool hwCheckCapacity(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneCapacity* capacity = item;
    const hwYaml *radius = hwYaml_Find(node, "radius"), *load = hwYaml_Find(node, "load");
    if (capacity->radius.count != capacity->load.count || capacity->radius.count < 1 ||
        capacity->radius.count > HW_CAPACITY_ROWS)
        return hwReader_Fail(
            reader, load, "`radius` and `load` need the same number of entries, 1 to %d, but have %d and %d",
            HW_CAPACITY_ROWS, capacity->radius.count, capacity->load.count);
    const hwYaml* entry = radius->first;
    for (int i = 0; i < capacity->radius.count; i++, entry = entry->next) {
        const double* r = capacity->radius.values;
        if (i > 0 && !(r[i] > r[i - 1]))
            return hwReader_Fail(reader, entry, "`radius` must increase, but %g follows %g", r[i], r[i - 1]);
    }
    return true;
}

bool hwCheckStretch(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneStretch* stretch = item;
    const hwYaml* tension = hwYaml_Find(node, "tension");
    if (stretch->strain.count != stretch->tension.count || stretch->strain.count < 2)
        return hwReader_Fail(
            reader, tension,
            "`strain` and `tension` need the same number of entries, two at least, but have %d and %d",
            stretch->strain.count, stretch->tension.count);
    const hwNumbers* lists[2] = {&stretch->strain, &stretch->tension};
    for (int k = 0; k < 2; k++) {
        const hwYaml* list = k == 0 ? hwYaml_Find(node, "strain") : tension;
        const hwYaml* entry = list->first;
        for (int i = 0; i < lists[k]->count; i++, entry = entry->next) {
            const double* v = lists[k]->values;
            if (i == 0 ? v[0] == 0.0 : v[i] > v[i - 1]) continue;
            return hwReader_Fail(reader, entry, "`%s` must begin with 0 and increase, but entry %d is %g",
                                 k == 0 ? "strain" : "tension", i + 1, v[i]);
        }
    }
    return true;
}

bool hwCheckCableSection(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneCableSection* section = item;
    if (section->type != NULL && !hwInheritCableFile(reader, node, section)) return false;
    if (section->stretch.place.line > 0)
        section->EA = section->stretch.tension.values[1] / section->stretch.strain.values[1];
    if (section->type != NULL) return true;
    if (hwYaml_Find(node, "diameter") == NULL) {
        return hwReader_Fail(reader, node,
                             "a cable section needs `diameter`, a number above 0 (m), or a `type`");
    }
    if (hwYaml_Find(node, "density") == NULL && hwYaml_Find(node, "mass_per_length") == NULL) {
        return hwReader_Fail(
            reader, node, "a cable section needs `density` (kg/m³) or `mass_per_length` (kg/m), or a `type`");
    }
    if (hwYaml_Find(node, "EA") == NULL && hwYaml_Find(node, "stiffness_table") == NULL) {
        return hwReader_Fail(reader, node, "a cable section needs `EA`, a number above 0 (N), or a `type`");
    }
    return true;
}

static bool CheckClamp(hwReader* reader, const hwYaml* node, int joint, hwVec3 p1, hwVec3 p2) {
    if (joint != HW_ATTACH_CLAMP || hwLength(hwCross(p1, p2)) > 0.0) return true;
    const hwYaml* found = hwYaml_Find(node, "p2") != NULL ? hwYaml_Find(node, "p2") : node;
    return hwReader_Fail(
        reader, found, "a clamp needs `p1` and `p2` that are not parallel: p1 x p2 is the cable's direction");
}

bool hwCheckEnd(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneEnd* end = item;
    if (end->on.text == NULL && end->joint != HW_ATTACH_FREE) {
        return hwReader_Fail(reader, node, "an end needs `on`, a name, unless its `joint` is free");
    }
    if (end->at.line > 0 && !isnan(end->at.arc)) {
        return hwReader_FailAt(reader, end->at.line, end->at.column,
                               "`at` of an end must be a point [x, y, z], not a number");
    }
    return CheckClamp(reader, node, end->joint, end->p1, end->p2);
}

bool hwCheckAttach(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneAttach* attach = item;
    if (attach->at.line > 0 && !isnan(attach->at.arc)) {
        return hwReader_FailAt(reader, attach->at.line, attach->at.column,
                               "`at` of an end must be a point [x, y, z], not a number");
    }
    return CheckClamp(reader, node, attach->joint, attach->p1, attach->p2);
}

// Forces and events ------------------------------------------------------------------------------------------------

bool hwReadSpot(hwReader* reader, const hwKey* key, const hwYaml* node, void* field) {
    hwSceneSpot* spot = field;
    spot->line = node->line;
    spot->column = node->column;
    spot->arc = (double)NAN;
    double value;
    if (node->kind == HW_YAML_SCALAR && !node->quoted &&
        hwYaml_ParseNumber(node->text, &value) != HW_NUMBER_NONE) {
        const hwKey arc = {.name = key->name, .unit = "m", .range = HW_FROM(0)};
        return hwReadNumber(reader, &arc, node, false, &spot->arc);
    }
    if (node->kind == HW_YAML_SCALAR) {
        spot->name = hwStore_CopyText(reader->store, node->text, strlen(node->text));
        return spot->name != NULL || hwReader_FailMemory(reader);
    }
    return hwReadSignal(reader, key, node, 3, 1.0, &spot->point);
}

bool hwCheckForce(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneForce* force = item;
    (void)node;
    bool moves = force->at.point.termCount > 0 &&
                 (force->at.point.termCount > 1 || force->at.point.terms[0].kind != HW_SIGNAL_CONSTANT);
    if (!moves && force->at.name == NULL) return true;
    return hwReader_FailAt(reader, force->at.line, force->at.column,
                           "`at` of a force must be a fixed point [x, y, z], or a number on a cable");
}

static bool ReadSetting(hwReader* reader, const hwKey* key, const hwYaml* node, hwSceneSet* set) {
    char quoted[64];
    hwQuoteText(quoted, sizeof(quoted), node->key->text);
    set->line = node->key->line;
    set->column = node->key->column;
    set->input = hwStore_CopyText(reader->store, node->key->text, strlen(node->key->text));
    if (set->input == NULL) return hwReader_FailMemory(reader);
    if (node->kind != HW_YAML_SCALAR || hwYaml_IsEmpty(node)) {
        return hwReader_Fail(reader, node, "`%s` in `%s` must be a number, true, false or a word", quoted,
                             key->name);
    }
    hwNumberStatus status = node->quoted ? HW_NUMBER_NONE : hwYaml_ParseNumber(node->text, &set->value);
    if (status == HW_NUMBER_OK && isfinite(set->value)) return true;
    if (status != HW_NUMBER_NONE) {
        return hwReader_Fail(reader, node, "`%s` is set to %.40s, but must be a finite number", quoted,
                             node->text);
    }
    if (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0) {
        set->value = node->text[0] == 't' ? 1.0 : 0.0;
        return true;
    }
    set->value = (double)NAN;
    set->word = hwStore_CopyText(reader->store, node->text, strlen(node->text));
    return set->word != NULL || hwReader_FailMemory(reader);
}

bool hwReadSets(hwReader* reader, const hwKey* key, const hwYaml* node, void* field) {
    hwSceneEvent* event = (hwSceneEvent*)(void*)((char*)field - offsetof(hwSceneEvent, setCount));
    if (node->kind != HW_YAML_MAP || node->count == 0) return hwReader_FailType(reader, key, node);
    hwSceneSet* sets = hwReader_Take(reader, (size_t)node->count, sizeof(*sets));
    if (sets == NULL) return false;
    event->sets = sets;
    for (const hwYaml* child = node->first; child != NULL; child = child->next) {
        if (!ReadSetting(reader, key, child, &sets[event->setCount++])) return false;
    }
    return true;
}
