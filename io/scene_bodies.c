// From the sections of bodies to defs: attitudes, inertia, hydrodynamics, motion.
#include "scene_read.h"

#include <string.h>

bool hwCheckAttitude(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneAttitude* attitude = item;
    if (attitude->quat.count == 0) {
        attitude->value = hwQuatFromRpy(attitude->rpy.x, attitude->rpy.y, attitude->rpy.z);
        return true;
    }
    const double* q = attitude->quat.values;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    // Four digits are what people type; anything further off is a mistake, not rounding.
    if (!(fabs(length - 1.0) < 1e-3)) {
        return hwReader_Fail(reader, hwYaml_Find(node, "quat"),
                             "`quat` has length %.4g, but must be a unit quaternion", length);
    }
    attitude->value = hwNormalizeQuat((hwQuat){q[0], q[1], q[2], q[3]});
    return true;
}

// Inertia ----------------------------------------------------------------------------------------------------------

// Cholesky's test on xx yy zz xy xz yz with `shift` added to the diagonal.
static bool IsPositive(const double m[6], double shift) {
    double a = m[0] + shift;
    if (!(a > 0.0)) return false;
    double b = m[1] + shift - m[3] * m[3] / a;
    if (!(b > 0.0)) return false;
    double mixed = m[5] - m[3] * m[4] / a;
    return m[2] + shift - m[4] * m[4] / a - mixed * mixed / b > 0.0;
}

// `strict`: a zero inertia is a mistake too.
static bool CheckInertia(hwReader* reader, const hwYaml* node, const hwNumbers* inertia, bool strict,
                         double out[6]) {
    const hwYaml* at = hwYaml_Find(node, "inertia");
    memset(out, 0, 6 * sizeof(out[0]));
    memcpy(out, inertia->values, (size_t)inertia->count * sizeof(out[0]));
    double trace = out[0] + out[1] + out[2];
    if (!IsPositive(out, strict ? 0.0 : 1e-12 * (trace > 0.0 ? trace : 1.0))) {
        return hwReader_Fail(
            reader, at,
            "`inertia` must be positive definite, but [%.4g, %.4g, %.4g, %.4g, %.4g, %.4g] is not", out[0],
            out[1], out[2], out[3], out[4], out[5]);
    }
    // Second moments of the mass, tr(I)/2 - I, cannot be negative: no principal moment exceeds the sum of the others.
    double half = 0.5 * trace;
    double moments[6] = {half - out[0], half - out[1], half - out[2], -out[3], -out[4], -out[5]};
    if (IsPositive(moments, 1e-3 * trace)) return true;
    return hwReader_Warn(reader, at->line,
                         "no real body has this `inertia`: one principal moment is larger than the "
                         "sum of the other two");
}

static bool NeedKey(hwReader* reader, const hwYaml* node, const char* owner, const char* key,
                    const char* form) {
    if (hwYaml_Find(node, key) != NULL) return true;
    return hwReader_Fail(reader, node, "%s needs `%s`, a %s", owner, key, form);
}

// Hydrodynamics ----------------------------------------------------------------------------------------------------

bool hwReadAddedMass(hwReader* reader, const hwKey* key, const hwYaml* node, void* field) {
    double(*matrix)[6] = field;
    if (node->kind != HW_YAML_LIST || node->count != 6) return hwReader_FailType(reader, key, node);
    int i = 0;
    hwKey entry = *key;
    entry.type = HW_KEY_NUMBERS;
    for (const hwYaml* row = node->first; row != NULL; row = row->next, i++) {
        if (row->kind != node->first->kind || (row->kind == HW_YAML_LIST && row->count != 6)) {
            return hwReader_FailType(reader, key, row);
        }
        int j = 0;
        const hwYaml* element = row->kind == HW_YAML_LIST ? row->first : row;
        for (; j < (row->kind == HW_YAML_LIST ? 6 : 1); element = element->next, j++) {
            int column = row->kind == HW_YAML_LIST ? j : i;
            if (!hwReadNumber(reader, &entry, element, false, &matrix[i][column])) return false;
            if (column == i && matrix[i][i] < 0.0) {
                return hwReader_Fail(reader, element, "`%s` has %g on its diagonal, but must not be negative",
                                     key->name, matrix[i][i]);
            }
        }
    }
    for (i = 0; i < 6; i++) {
        for (int j = 0; j < i; j++) {
            double mean = 0.5 * (matrix[i][j] + matrix[j][i]);
            if (!(fabs(matrix[i][j] - matrix[j][i]) <= 1e-6 * fabs(mean) + 1e-12)) {
                return hwReader_Fail(
                    reader, node,
                    "`%s` must be symmetric, but row %d column %d is %g and row %d column %d is %g",
                    key->name, i + 1, j + 1, matrix[i][j], j + 1, i + 1, matrix[j][i]);
            }
            matrix[i][j] = matrix[j][i] = mean;
        }
    }
    return true;
}

bool hwCheckStrip(hwReader* reader, const hwYaml* node, void* item) {
    const hwSceneStrip* strip = item;
    if (hwDistance(strip->from, strip->to) > 0.0) return true;
    return hwReader_Fail(reader, hwYaml_Find(node, "to"),
                         "`to` must differ from `from`: the strip has no length");
}

bool hwCheckLift(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneLift* lift = item;
    if (!(hwLength(lift->normal) > 0.0)) {
        return hwReader_Fail(reader, hwYaml_Find(node, "normal"),
                             "`normal` of a lifting surface must not be zero");
    }
    lift->normal = hwNormalize(lift->normal);
    if (hwLength(lift->ahead) > 0.0) lift->ahead = hwNormalize(lift->ahead);
    return true;
}

// The lists of strips and surfaces become arrays of defs when the body is complete.
static bool FillDrag(hwReader* reader, const hwSceneDrag* drag, hwHydroDef* def) {
    if (drag->linear.count == 6) memcpy(def->linearDrag, drag->linear.values, sizeof(def->linearDrag));
    if (drag->quadratic.count == 6)
        memcpy(def->quadraticDrag, drag->quadratic.values, sizeof(def->quadraticDrag));
    hwStripDef* strips = hwReader_Take(reader, (size_t)drag->strips.count, sizeof(*strips));
    hwLiftDef* lifts =
        strips != NULL ? hwReader_Take(reader, (size_t)drag->lift.count, sizeof(*lifts)) : NULL;
    if (lifts == NULL) return false;
    for (int i = 0; i < drag->strips.count; i++) {
        const hwSceneStrip* strip = HW_ITEM(drag->strips, hwSceneStrip, i);
        strips[i] = (hwStripDef){.from = strip->from,
                                 .to = strip->to,
                                 .diameter = strip->diameter,
                                 .normal = strip->normal,
                                 .tangential = strip->tangential,
                                 .count = strip->count,
                                 .curve = (hwDragCurve)strip->curve};
    }
    for (int i = 0; i < drag->lift.count; i++) {
        const hwSceneLift* lift = HW_ITEM(drag->lift, hwSceneLift, i);
        lifts[i] = (hwLiftDef){.at = lift->at,
                               .normal = lift->normal,
                               .area = lift->area,
                               .slope = lift->slope,
                               .stall = lift->stall,
                               .ahead = lift->ahead};
    }
    def->stripCount = drag->strips.count;
    def->strips = strips;
    def->liftCount = drag->lift.count;
    def->lifts = lifts;
    def->skinArea = drag->skin.area;
    def->skinLength = drag->skin.length;
    def->sphereDiameter = drag->sphere.diameter;
    def->sphereDrag = drag->sphere.factor;
    return true;
}

// `node` is the map with the keys of the hydrodynamics: `hydro`, or the body itself.
static bool FillHydro(hwReader* reader, const hwYaml* node, hwSceneHydro* hydro) {
    hydro->def = hwDefaultHydroDef();
    if (hwYaml_Find(node, "volume") != NULL) hydro->def.volume = hydro->volume;
    if (hwYaml_Find(node, "buoyancy_center") != NULL) {
        hydro->def.hasBuoyancyCenter = true;
        hydro->def.buoyancyCenter = hydro->buoyancyCenter;
    }
    memcpy(hydro->def.addedMass, hydro->addedMass, sizeof(hydro->addedMass));
    hydro->hasAddedMass = hwYaml_Find(node, "added_mass") != NULL;
    hydro->hasDrag = hwYaml_Find(node, "drag") != NULL;
    return FillDrag(reader, &hydro->drag, &hydro->def);
}

bool hwCheckHydro(hwReader* reader, const hwYaml* node, void* item) {
    return FillHydro(reader, node, item);
}

// Motion and bodies ------------------------------------------------------------------------------------------------

bool hwCheckPrescribed(hwReader* reader, const hwYaml* node, void* item) {
    hwScenePrescribed* prescribed = item;
    const hwYaml* file = hwYaml_Find(node, "rao");
    if (file == NULL && hwYaml_Find(node, "box") == NULL) return true;
    const hwYaml* attitude = hwYaml_Find(node, "attitude");
    if (attitude != NULL) {
        return hwReader_Fail(
            reader, attitude,
            "`attitude` cannot stand beside `%s`: the ship's mean attitude is that of the body",
            file != NULL ? "rao" : "box");
    }
    if (file == NULL) return true;
    const char* dot = strrchr(prescribed->raoFile, '.');
    if (dot != NULL && strcmp(dot, ".4") == 0)
        return hwReadWamitRao(reader, file, prescribed->raoFile, prescribed->raoLength, &prescribed->rao);
    if (dot != NULL && strcmp(dot, ".txt") == 0)
        return hwReadOrcaFlexRao(reader, file, prescribed->raoFile, prescribed->raoDraught, &prescribed->rao);
    if (dot != NULL && (strcmp(dot, ".yml") == 0 || strcmp(dot, ".yaml") == 0))
        return hwReadOrcaFlexData(reader, file, prescribed->raoFile, prescribed->raoVessel,
                                  prescribed->raoDraught, &prescribed->rao);
    return hwReadRaoTable(reader, file, prescribed->raoFile, &prescribed->rao);
}

bool hwCheckMotion(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneMotion* motion = item;
    const hwYaml* kind = hwYaml_Find(node, "kind");
    if (motion->prescribed.place.line == 0) return true;
    if (kind != NULL && motion->kind != HW_MOTION_PRESCRIBED) {
        return hwReader_Fail(reader, kind, "`kind` must be prescribed beside `prescribed`");
    }
    motion->kind = HW_MOTION_PRESCRIBED;
    return true;
}

static bool FillShapes(hwReader* reader, const hwItems* items, hwBodyDef* def) {
    hwShapeDef* shapes = hwReader_Take(reader, (size_t)items->count, sizeof(*shapes));
    if (shapes == NULL) return false;
    for (int i = 0; i < items->count; i++) shapes[i] = HW_ITEM(*items, hwSceneShape, i)->def;
    def->shapeCount = items->count;
    def->shapes = shapes;
    return true;
}

bool hwCheckBody(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneBody* body = item;
    hwBodyDef* def = &body->def;
    *def = hwDefaultBodyDef();
    bool moves = body->motion.kind == HW_MOTION_FREE;
    if (moves && !NeedKey(reader, node, "a body", "mass", "number above 0 (kg)")) return false;
    if (moves && body->shapes.count == 0 &&
        !NeedKey(reader, node, "a body", "inertia",
                 "list of 3 or 6 numbers (kg m²), or `shapes` that tell it")) {
        return false;
    }
    def->name = body->name;
    def->com = body->com;
    def->comAttitude = hwSceneAttitude_Get(&body->comAttitude);
    def->position = body->position;
    def->attitude = hwSceneAttitude_Get(&body->attitude);
    def->velocity = body->velocity;
    def->rate = body->rate;
    def->motion = (hwMotion)body->motion.kind;
    def->prescribedPosition = body->motion.prescribed.position;
    def->prescribedAttitude = body->motion.prescribed.attitude;
    def->rao = body->motion.prescribed.rao;
    def->box = body->motion.prescribed.box.def;
    if (hwYaml_Find(node, "mass") != NULL) def->mass = body->mass;
    if (body->inertia.count > 0 && !CheckInertia(reader, node, &body->inertia, true, def->inertia))
        return false;
    if (moves && !hwDivideShapes(reader, node, &body->shapes)) return false;
    if (!FillHydro(reader, node, &body->hydro) || !FillShapes(reader, &body->shapes, def)) return false;
    def->hydro = body->hydro.def;
    return true;
}

bool hwCheckFreeBase(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneFreeBase* base = item;
    double inertia[6];
    if (!NeedKey(reader, node, "a free base", "mass", "number above 0 (kg)") ||
        !NeedKey(reader, node, "a free base", "inertia", "list of 3 or 6 numbers (kg m²)")) {
        return false;
    }
    return hwDivideShapes(reader, node, &base->shapes) &&
           CheckInertia(reader, node, &base->inertia, true, inertia);
}
