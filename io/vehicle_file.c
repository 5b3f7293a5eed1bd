// Reading vehicle files, and finding them.
#define _POSIX_C_SOURCE 200809L
#include "vehicle_file.h"

#include "named_file.h"
#include "scene_include.h"
#include "scene_mechanisms.h"
#include "scene_instruments.h"
#include "scene_place.h"
#include "scene_read.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The files in vehicles/, made into arrays by the build.
extern const hwEmbeddedFile hwVehicleFiles[];
extern const int hwVehicleFiles_count;
static const hwNamedFiles library = {"vehicle", "vehicles", hwVehicleFiles, &hwVehicleFiles_count};

#define SEA_WATER 1025.0 // kg/m3

// Sections -----------------------------------------------------------------------------------------------------------

static bool Normalize(hwReader* reader, const hwYaml* node, const char* name, hwVec3* axis) {
    if (!(hwLength(*axis) > 0.0)) {
        return hwReader_Fail(reader, hwYaml_Find(node, name), "`%s` must not be zero", name);
    }
    *axis = hwNormalize(*axis);
    return true;
}

bool hwCheckThruster(hwReader* reader, const hwYaml* node, void* item) {
    return Normalize(reader, node, "axis", &((hwFileThruster*)item)->axis);
}

bool hwCheckLamp(hwReader* reader, const hwYaml* node, void* item) {
    return Normalize(reader, node, "axis", &((hwFileLamp*)item)->axis);
}

bool hwCheckGripper(hwReader* reader, const hwYaml* node, void* item) {
    return node == NULL || Normalize(reader, node, "axis", &((hwFileGripper*)item)->axis);
}

bool hwCheckCamera(hwReader* reader, const hwYaml* node, void* item) {
    const hwFileCamera* camera = item;
    if (camera->tilt.values[0] <= camera->tilt.values[1]) return true;
    const hwYaml* tilt = hwYaml_Find(node, "tilt");
    return hwReader_Fail(reader, tilt != NULL ? tilt : hwYaml_Find(node, "tilt_deg"),
                         "`tilt` must give the lowest angle first");
}

bool hwCheckPart(hwReader* reader, const hwYaml* node, void* item) {
    const char* color = ((hwFilePart*)item)->color;
    bool good = color[0] == '#' && strlen(color) == 7;
    for (int i = 1; good && i < 7; i++) good = isxdigit((unsigned char)color[i]) != 0;
    return good || hwReader_Fail(reader, hwYaml_Find(node, "color"), "`color` must be written as '#rrggbb'");
}

bool hwCheckSonar(hwReader* reader, const hwYaml* node, void* item) {
    const hwFileSonar* sonar = item;
    double shortest = sonar->range.values[0], longest = sonar->range.values[1];
    if (shortest <= longest && sonar->blind < shortest) return true;
    return hwReader_Fail(reader, hwYaml_Find(node, sonar->blind < shortest ? "range" : "blind"),
                         "`range` must give the shortest range first, and `blind` must be less than it");
}

static bool IsGiven(const hwPlace* place, const char* key) {
    return hwPlace_Find(place, key) != NULL;
}

// What a thruster does not say itself it has from `propulsion`.
static void InheritPropulsion(const hwFileThruster* common, hwFileThruster* own) {
    const struct {
        const char* name;
        size_t offset;
    } numbers[] = {{"forward", offsetof(hwFileThruster, forward)},
                   {"reverse", offsetof(hwFileThruster, reverse)},
                   {"dead_band", offsetof(hwFileThruster, deadBand)},
                   {"exponent", offsetof(hwFileThruster, exponent)},
                   {"time_constant", offsetof(hwFileThruster, timeConstant)},
                   {"top_speed", offsetof(hwFileThruster, topSpeed)},
                   {"advance", offsetof(hwFileThruster, advance)},
                   {"torque", offsetof(hwFileThruster, torque)},
                   {"diameter", offsetof(hwFileThruster, diameter)},
                   {"weight", offsetof(hwFileThruster, weight)}};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (IsGiven(&own->place, numbers[i].name)) continue;
        *(double*)((char*)own + numbers[i].offset) =
            *(const double*)((const char*)common + numbers[i].offset);
    }
    if (!IsGiven(&own->place, "blades")) own->blades = common->blades;
}

bool hwCheckVehicleFile(hwReader* reader, const hwYaml* node, void* item) {
    hwFileVehicle* file = item;
    if (file->thrusters.count > HW_MAX_THRUSTERS) {
        return hwReader_Fail(reader, hwYaml_Find(node, "thrusters"),
                             "a vehicle has at most %d thrusters, not %d", HW_MAX_THRUSTERS,
                             file->thrusters.count);
    }
    for (int i = 0; i < file->thrusters.count; i++) {
        InheritPropulsion(&file->propulsion, HW_ITEM(file->thrusters, hwFileThruster, i));
    }
    for (int i = 0; i < file->arms.count; i++) {
        const hwSceneMechanism* arm = HW_ITEM(file->arms, hwSceneMechanism, i);
        for (int j = 0; j < i; j++) {
            if (strcmp(HW_ITEM(file->arms, hwSceneMechanism, j)->name, arm->name) != 0) continue;
            return hwReader_FailAt(reader, arm->place.line, arm->place.column,
                                   "there are two arms called `%s`", arm->name);
        }
    }
    for (int i = 0; i < file->points.count; i++) {
        const hwFilePoint* point = HW_ITEM(file->points, hwFilePoint, i);
        for (int j = 0; j < i; j++) {
            if (strcmp(HW_ITEM(file->points, hwFilePoint, j)->name, point->name) != 0) continue;
            return hwReader_FailAt(reader, point->place.line, point->place.column,
                                   "there are two points called `%s`", point->name);
        }
    }
    return true;
}

// Defs ---------------------------------------------------------------------------------------------------------------

static bool FillThrusters(hwReader* reader, const hwFileVehicle* file, hwVehicleDef* def) {
    hwThrusterDef* thrusters = hwReader_Take(reader, (size_t)file->thrusters.count, sizeof(*thrusters));
    if (thrusters == NULL) return false;
    for (int i = 0; i < file->thrusters.count; i++) {
        const hwFileThruster* t = HW_ITEM(file->thrusters, hwFileThruster, i);
        thrusters[i] = (hwThrusterDef){.name = t->name,
                                       .position = t->position,
                                       .axis = t->axis,
                                       .forward = t->forward,
                                       .reverse = t->reverse,
                                       .deadBand = t->deadBand,
                                       .exponent = t->exponent,
                                       .timeConstant = t->timeConstant,
                                       .topSpeed = t->topSpeed,
                                       .advance = t->advance,
                                       .torque = t->torque,
                                       .hand = t->hand,
                                       .servo = t->servo,
                                       .diameter = t->diameter,
                                       .blades = t->blades,
                                       .weight = t->weight};
    }
    def->thrusterCount = file->thrusters.count;
    def->thrusters = thrusters;
    return true;
}

static bool FillBody(hwReader* reader, const hwFileVehicle* file, hwBodyDef* def) {
    hwShapeDef* shapes = hwReader_Take(reader, (size_t)file->shapes.count, sizeof(*shapes));
    if (shapes == NULL) return false;
    for (int i = 0; i < file->shapes.count; i++) shapes[i] = HW_ITEM(file->shapes, hwSceneShape, i)->def;
    def->shapeCount = file->shapes.count;
    def->shapes = shapes;
    def->mass = file->mass;
    memcpy(def->inertia, file->inertia.values, (size_t)file->inertia.count * sizeof(double));
    def->com = file->com;
    // A kind of vehicle belongs to no scene: sea water.
    hwSceneHydro hydro = file->hydro;
    if (!hwEstimateHydro_Of(reader, SEA_WATER, &hydro.place, &file->shapes, &hydro, "the vehicle"))
        return false;
    def->hydro = hydro.def;
    return true;
}

// Of the links of its arms, which know no scene either.
static bool EstimateArms(hwReader* reader, const hwFileVehicle* file) {
    for (int i = 0; i < file->arms.count; i++) {
        const hwSceneMechanism* arm = HW_ITEM(file->arms, hwSceneMechanism, i);
        for (int k = 0; k < arm->links.count; k++) {
            hwSceneLink* link = HW_ITEM(arm->links, hwSceneLink, k);
            if (!hwEstimateHydro_Of(reader, SEA_WATER, &link->place, &link->shapes, &link->hydro, link->name))
                return false;
        }
    }
    return true;
}

static bool FillPoints(hwReader* reader, const hwFileVehicle* file, hwVehicleDef* def) {
    hwPointDef* points = hwReader_Take(reader, (size_t)file->points.count, sizeof(*points));
    if (points == NULL) return false;
    for (int i = 0; i < file->points.count; i++) {
        const hwFilePoint* point = HW_ITEM(file->points, hwFilePoint, i);
        points[i] = (hwPointDef){point->name, point->position};
    }
    def->pointCount = file->points.count;
    def->points = points;
    return true;
}

static bool FillDef(hwReader* reader, const hwFileVehicle* file, hwVehicleDef* def) {
    *def = hwDefaultVehicleDef();
    if (!FillBody(reader, file, &def->body) || !FillThrusters(reader, file, def) ||
        !FillPoints(reader, file, def) || !EstimateArms(reader, file)) {
        return false;
    }
    def->linearize = file->linearize;
    memcpy(def->axisWeights, file->axisWeights.values, sizeof(def->axisWeights));
    def->gain = file->pilot.gain;
    for (int i = 0; i < HW_AXIS_COUNT; i++) {
        const hwFileAxis* axis = &file->pilot.axes[i];
        def->axes[i] = (hwAxisDef){axis->deadZone, axis->sensitivity, axis->expo, axis->invert};
    }
    const hwFileAutopilot* pilot = &file->autopilot;
    def->autopilot = (hwAutopilotDef){.depth = pilot->depth.def,
                                      .heading = pilot->heading.def,
                                      .level = pilot->level.def,
                                      .climbRate = pilot->climbRate,
                                      .turnRate = pilot->turnRate,
                                      .depthLead = pilot->depthLead,
                                      .headingLead = pilot->headingLead,
                                      .position = pilot->position.def,
                                      .cruiseRate = pilot->cruiseRate,
                                      .positionLead = pilot->positionLead,
                                      .tetherForward = pilot->tetherForward};
    const hwFileCamera* camera = &file->camera;
    def->camera = (hwCameraDef){.position = camera->position,
                                .tiltLow = camera->tilt.values[0],
                                .tiltHigh = camera->tilt.values[1],
                                .tiltRate = camera->tiltRate,
                                .zoom = camera->zoom,
                                .zoomRate = camera->zoomRate,
                                .field = camera->field,
                                .servo = camera->servo};
    def->lightsServo = file->lightsServo;
    const hwFileGripper* gripper = &file->gripper;
    if (gripper->place.line > 0) {
        def->gripper = (hwGripperDef){.present = true,
                                      .position = gripper->position,
                                      .axis = gripper->axis,
                                      .opening = gripper->opening,
                                      .length = gripper->length,
                                      .speed = gripper->speed,
                                      .force = gripper->force,
                                      .stiffness = gripper->stiffness,
                                      .servo = gripper->servo};
    }
    return true;
}

// The file's name without folders and ending.
static const char* CopyStem(hwReader* reader, const char* path) {
    const char* slash = strrchr(path, '/');
    const char* name = slash != NULL ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".yaml") == 0) length -= 5;
    const char* copy = hwStore_CopyText(reader->store, name, length);
    if (copy == NULL) hwReader_FailMemory(reader);
    return copy;
}

static bool FillInstruments(hwReader* reader, const hwFileVehicle* file, hwVehicleLook* look) {
    int count = file->instruments.count;
    hwInstrumentDef* instruments = hwReader_Take(reader, (size_t)count, sizeof(*instruments));
    if (instruments == NULL) return false;
    for (int i = 0; i < count; i++) {
        const hwSceneInstrument* instrument = HW_ITEM(file->instruments, hwSceneInstrument, i);
        if (instrument->kind == HW_INSTRUMENT_USBL || instrument->kind == HW_INSTRUMENT_LOAD_CELL) {
            return hwReader_FailAt(
                reader, instrument->place.line, instrument->place.column,
                "`%s` belongs into a scene: it measures between a vehicle and something else",
                instrument->name);
        }
        for (int j = 0; j < i; j++) {
            if (strcmp(instruments[j].name, instrument->name) != 0) continue;
            return hwReader_FailAt(reader, instrument->place.line, instrument->place.column,
                                   "there are two instruments called `%s`", instrument->name);
        }
        instruments[i] = instrument->def;
        instruments[i].cookie = hwDefaultInstrumentDef().cookie;
        instruments[i].transceiverAt = hwMakeVec3(0.0, 0.0, 0.0);
        instruments[i].soundSpeed = hwDefaultInstrumentDef().soundSpeed;
        instruments[i].name = instrument->name;
        instruments[i].kind = (hwInstrumentKind)instrument->kind;
    }
    look->instrumentCount = count;
    look->instruments = instruments;
    return true;
}

static bool FillSonars(hwReader* reader, const hwFileVehicle* file, hwVehicleLook* look) {
    int count = file->sonars.count;
    hwVehicleSonarDef* sonars = hwReader_Take(reader, (size_t)count, sizeof(*sonars));
    if (sonars == NULL) return false;
    for (int i = 0; i < count; i++) {
        const hwFileSonar* s = HW_ITEM(file->sonars, hwFileSonar, i);
        for (int j = 0; j < i; j++) {
            if (strcmp(sonars[j].name, s->name) != 0) continue;
            return hwReader_FailAt(reader, s->place.line, s->place.column, "there are two sonars called `%s`",
                                   s->name);
        }
        hwSonarDef def = hwDefaultSonarDef();
        def.position = s->position;
        def.attitude = hwSceneAttitude_Get(&s->attitude);
        def.beams = s->scanning ? 1 : s->beams;
        def.bins = s->bins;
        def.rays = s->rays;
        def.fan = s->scanning ? 0.0 : s->fan;
        def.beamWidth = s->beamWidth;
        def.aperture = s->aperture;
        def.least = s->blind;
        def.most = s->range.values[1];
        def.speckle = s->speckle;
        def.floor = s->floor;
        // two sonars of a vehicle have noise of their own
        for (const char* c = s->name; *c != 0; c++) def.seed = 31 * def.seed + (unsigned char)*c;
        sonars[i] = (hwVehicleSonarDef){.name = s->name,
                                        .scanning = s->scanning != 0,
                                        .def = def,
                                        .least = s->range.values[0],
                                        .first = hwClamp(s->first, s->range.values[0], s->range.values[1]),
                                        .rate = s->rate,
                                        .step = s->step,
                                        .sector = s->sector};
    }
    look->sonarCount = count;
    look->sonars = sonars;
    return true;
}

static bool FillLook(hwReader* reader, const hwFileVehicle* file, const char* path, hwVehicleLook* look) {
    look->name = CopyStem(reader, path);
    hwLampDef* lamps = hwReader_Take(reader, (size_t)file->lights.count, sizeof(*lamps));
    hwPartDef* parts = hwReader_Take(reader, (size_t)file->parts.count, sizeof(*parts));
    if (look->name == NULL || lamps == NULL || parts == NULL) return false;
    for (int i = 0; i < file->lights.count; i++) {
        const hwFileLamp* lamp = HW_ITEM(file->lights, hwFileLamp, i);
        lamps[i] = (hwLampDef){lamp->position, lamp->axis, lamp->beam, lamp->lumens, lamp->tilts};
    }
    for (int i = 0; i < file->parts.count; i++) {
        const hwFilePart* part = HW_ITEM(file->parts, hwFilePart, i);
        parts[i] = (hwPartDef){part->name, part->shape.def, part->color};
    }
    look->title = file->title != NULL ? file->title : look->name;
    look->summary = file->summary != NULL ? file->summary : "";
    look->ratedDepth = file->ratedDepth;
    look->topSpeed = file->topSpeed;
    look->gainCount = file->pilot.gains.count;
    look->gains = file->pilot.gains.values;
    look->lampCount = file->lights.count;
    look->lamps = lamps;
    look->partCount = file->parts.count;
    look->parts = parts;
    return FillInstruments(reader, file, look) && FillSonars(reader, file, look);
}

// Types --------------------------------------------------------------------------------------------------------------

// Mistakes within a part have the place of its `include`: its name is added.
static void NamePart(const hwIncludedPart* parts, hwError* error) {
    for (const hwIncludedPart* part = parts; part != NULL && error != NULL; part = part->next) {
        if (part->line != error->line || part->column != error->column) continue;
        size_t used = strlen(error->message);
        snprintf(error->message + used, sizeof(error->message) - used, " (in the part `%.60s`)", part->name);
        return;
    }
}

static hwVehicleType* Parse(const char* text, size_t size, const char* path, const char* folder,
                            hwError* error) {
    hwStore keep;
    hwStore_Init(&keep, NULL);
    hwVehicleType* type = HW_STORE_TAKE(&keep, hwVehicleType, 1);
    if (type == NULL) {
        hwSceneFail_Memory(error);
        return NULL;
    }
    type->store = keep;
    hwReader reader = {.store = &type->store,
                       .error = error,
                       .folder = folder,
                       .components = 1,
                       .warnings = &type->warnings};
    hwYaml* root = hwYaml_Parse(&type->store, text, size, error);
    hwIncludedPart* parts = NULL;
    bool included = root != NULL && hwYaml_IncludeParts(&type->store, root, folder, &parts, error);
    bool good = included && hwReadSection(&reader, &hwSection_vehicleFile, root, &type->file) &&
                FillDef(&reader, &type->file, &type->def) &&
                FillLook(&reader, &type->file, path, &type->look);
    if (good) return type;
    if (included) NamePart(parts, error);
    hwDestroyVehicleType(type);
    return NULL;
}

hwVehicleType* hwParseVehicleType(const char* text, size_t size, const char* name, hwError* error) {
    return Parse(text, size, name, NULL, error);
}

hwVehicleType* hwLoadVehicleType(const char* name, const char* folder, hwError* error) {
    hwStore own;
    hwStore_Init(&own, NULL);
    hwFileText found;
    hwVehicleType* type = NULL;
    if (hwReadNamedFile(&own, &library, name, folder, &found, error))
        type = Parse(found.text, found.size, found.path, found.folder, error);
    hwStore_Free(&own);
    return type;
}

void hwDestroyVehicleType(hwVehicleType* type) {
    if (type == NULL) return;
    hwStore store = type->store;
    hwStore_Free(&store);
}

hwVehicleDef hwVehicleType_GetDef(const hwVehicleType* type) {
    return type->def;
}

hwVehicleId hwVehicleType_Add(const hwVehicleType* type, const hwVehicleDef* def, hwWorld* world,
                              hwError* error) {
    hwVehicleId none = {0, 0}, id = hwWorld_AddVehicle(world, def, error);
    if (HW_IS_NULL(id)) return none;
    hwBodyId body = hwVehicle_GetBody(world, id);
    if (hwVehicleType_AddInstruments(type, world, body, error) &&
        hwScene_AddArms(&type->file.arms, body, world, error))
        return id;
    hwWorld_RemoveVehicle(world, id, NULL);
    return none;
}

const hwVehicleLook* hwVehicleType_GetLook(const hwVehicleType* type) {
    return &type->look;
}

double hwVehicleSonar_GetBearing(const hwVehicleSonarDef* def, double ping) {
    if (!def->scanning) return 0.0;
    double way = ping * def->step;
    if (def->sector >= 2.0 * HW_PI) return way - 2.0 * HW_PI * floor(way / (2.0 * HW_PI));
    double phase = way - 2.0 * def->sector * floor(way / (2.0 * def->sector));
    return (phase < def->sector ? phase : 2.0 * def->sector - phase) - 0.5 * def->sector;
}

int hwVehicleType_GetBuiltInCount(void) {
    return hwVehicleFiles_count;
}

const char* hwVehicleType_GetBuiltIn(int index) {
    return index >= 0 && index < hwVehicleFiles_count ? hwVehicleFiles[index].name : NULL;
}
