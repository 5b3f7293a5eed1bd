#include "apps/server/describe.h"

#include "apps/server/catalog.h"
#include "hawser/vehicle_type.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Base64 ---------------------------------------------------------------------------------------------------------------

typedef struct Bytes {
    uint8_t* data;
    size_t used;
} Bytes;

static void PutFloat(Bytes* bytes, double value) {
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof(bits));
    for (int i = 0; i < 4; ++i) bytes->data[bytes->used++] = (uint8_t)(bits >> (8 * i));
}

static void PutWord(Bytes* bytes, uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes->data[bytes->used++] = (uint8_t)(value >> (8 * i));
}

static json_t* EncodeBase64(const Bytes* bytes) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t size = bytes->used;
    char* text = malloc(4 * (size / 3 + 1) + 1);
    if (text == NULL) return NULL;
    size_t out = 0;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t group = (uint32_t)bytes->data[i] << 16;
        if (i + 1 < size) group |= (uint32_t)bytes->data[i + 1] << 8;
        if (i + 2 < size) group |= bytes->data[i + 2];
        text[out++] = letters[group >> 18 & 63];
        text[out++] = letters[group >> 12 & 63];
        text[out++] = i + 1 < size ? letters[group >> 6 & 63] : '=';
        text[out++] = i + 2 < size ? letters[group & 63] : '=';
    }
    json_t* json = json_stringn(text, out);
    free(text);
    return json;
}

static json_t* DescribeMesh(const hwMeshData* mesh) {
    Bytes vertices = {malloc((size_t)mesh->vertexCount * 12 + 1), 0};
    Bytes triangles = {malloc((size_t)mesh->triangleCount * 12 + 1), 0};
    json_t* json = NULL;
    if (vertices.data != NULL && triangles.data != NULL) {
        for (int i = 0; i < mesh->vertexCount; ++i) {
            PutFloat(&vertices, mesh->vertices[i].x);
            PutFloat(&vertices, mesh->vertices[i].y);
            PutFloat(&vertices, mesh->vertices[i].z);
        }
        for (int i = 0; i < mesh->triangleCount; ++i) {
            for (int k = 0; k < 3; ++k) PutWord(&triangles, (uint32_t)mesh->triangles[i][k]);
        }
        json = json_pack("{s:o, s:o}", "vertices", EncodeBase64(&vertices), "triangles",
                         EncodeBase64(&triangles));
    }
    free(vertices.data);
    free(triangles.data);
    return json;
}

// Pieces ---------------------------------------------------------------------------------------------------------------

static json_t* Vector(hwVec3 v) {
    return json_pack("[f, f, f]", v.x, v.y, v.z);
}

static json_t* Quat(hwQuat q) {
    return json_pack("[f, f, f, f]", q.w, q.x, q.y, q.z);
}

// A number that JSON can hold; null where there is none.
static json_t* Number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t* DescribeShape(const hwShapeDef* shape, json_t* meshes) {
    json_t* json =
        json_pack("{s:o, s:o}", "position", Vector(shape->pose.p), "attitude", Quat(shape->pose.q));
    static const char* const kinds[] = {"box", "sphere", "cylinder", "capsule", "mesh", "mesh"};
    json_object_set_new(json, "kind", json_string(kinds[shape->kind]));
    switch (shape->kind) {
    case HW_SHAPE_BOX:
        json_object_set_new(json, "size", Vector(shape->size));
        break;
    case HW_SHAPE_CYLINDER:
    case HW_SHAPE_CAPSULE:
        json_object_set_new(json, "length", json_real(shape->length));
        json_object_set_new(json, "radius", json_real(shape->radius));
        break;
    case HW_SHAPE_SPHERE:
        json_object_set_new(json, "radius", json_real(shape->radius));
        break;
    case HW_SHAPE_HULL:
    case HW_SHAPE_MESH:
        json_object_set_new(json, "mesh", json_integer((json_int_t)json_array_size(meshes)));
        json_array_append_new(meshes, DescribeMesh(&shape->mesh));
        break;
    }
    if (shape->material != NULL) json_object_set_new(json, "material", json_string(shape->material));
    return json;
}

static json_t* DescribeBodies(const hwWorld* world, json_t* meshes) {
    json_t* list = json_array();
    int count = hwWorld_GetBodies(world, 0, NULL), slot = 0;
    hwBodyId* ids = calloc((size_t)count + 1, sizeof(*ids));
    hwVehicleId vehicles[16];
    int vehicleCount = hwWorld_GetVehicles(world, 16, vehicles);
    if (ids == NULL) return list;
    hwWorld_GetBodies(world, count, ids);
    for (int i = 0; i < count; ++i) {
        const hwBodyDef* def = hwBody_GetDef(world, ids[i]);
        json_t* body = json_pack("{s:s, s:o, s:o}", "name", hwBody_GetName(world, ids[i]), "position",
                                 Vector(def->position), "attitude", Quat(def->attitude));
        if (def->motion != HW_MOTION_FIXED) json_object_set_new(body, "slot", json_integer(slot++));
        for (int k = 0; k < vehicleCount && k < 16; ++k) {
            if (HW_SAME_ID(hwVehicle_GetBody(world, vehicles[k]), ids[i])) {
                json_object_set_new(body, "vehicle", json_integer(k));
            }
        }
        const char* dot = strchr(def->name, '.');
        if (dot != NULL) {
            json_object_set_new(body, "mechanism", json_stringn(def->name, (size_t)(dot - def->name)));
        }
        json_t* shapes = json_array();
        for (int k = 0; k < def->shapeCount; ++k)
            json_array_append_new(shapes, DescribeShape(&def->shapes[k], meshes));
        json_object_set_new(body, "shapes", shapes);
        json_array_append_new(list, body);
    }
    free(ids);
    return list;
}

// Environment ----------------------------------------------------------------------------------------------------------

static json_t* DescribeSeabed(const hwSeabedDef* seabed, double surface, json_t* meshes) {
    Bytes heights;
    json_t* json = NULL;
    switch (seabed->kind) {
    case HW_SEABED_NONE:
        return json_null();
    case HW_SEABED_PLANE:
        return json_pack("{s:s, s:f, s:s}", "kind", "plane", "depth", seabed->depth - surface, "material",
                         "sand");
    case HW_SEABED_MESH:
        json = json_pack("{s:s, s:i, s:s}", "kind", "mesh", "mesh", (int)json_array_size(meshes), "material",
                         "sand");
        json_array_append_new(meshes, DescribeMesh(&seabed->mesh));
        return json;
    case HW_SEABED_HEIGHTFIELD:
        break;
    }
    size_t count = (size_t)seabed->columns * (size_t)seabed->rows;
    heights = (Bytes){malloc(4 * count + 1), 0};
    if (heights.data == NULL) return json_null();
    for (size_t i = 0; i < count; ++i) PutFloat(&heights, seabed->heights[i]);
    json = json_pack("{s:s, s:i, s:i, s:f, s:o, s:o, s:s}", "kind", "heightfield", "columns", seabed->columns,
                     "rows", seabed->rows, "spacing", seabed->spacing, "origin", Vector(seabed->origin),
                     "heights", EncodeBase64(&heights), "material", "sand");
    free(heights.data);
    return json;
}

static json_t* DescribeEnvironment(const hwWorld* world, double visibility, json_t* meshes) {
    const hwEnvironmentDef* def = hwWorld_GetEnvironment(world);
    json_t* json = json_pack("{s:f, s:f, s:o}", "gravity", def->gravity, "visibility", visibility, "seabed",
                             DescribeSeabed(&def->seabed, def->surface, meshes));
    if (!def->water) return json;
    json_object_set_new(json, "water",
                        json_pack("{s:f, s:f}", "density", def->waterDensity, "surface", def->surface));
    int count = hwWorld_GetWaves(world, 0, NULL);
    hwWaveComponent* waves = calloc((size_t)count + 1, sizeof(*waves));
    json_t* components = json_array();
    if (waves != NULL) hwWorld_GetWaves(world, count, waves);
    for (int i = 0; waves != NULL && i < count; ++i) {
        json_array_append_new(components, json_pack("[f, f, f, f, f]", waves[i].amplitude, waves[i].omega,
                                                    waves[i].k, waves[i].direction, waves[i].phase));
    }
    free(waves);
    json_object_set_new(json, "waves", json_pack("{s:o}", "components", components));
    return json;
}

// Vehicles -------------------------------------------------------------------------------------------------------------

static json_t* DescribeThrusters(const hwVehicleDef* def) {
    json_t* list = json_array();
    for (int i = 0; i < def->thrusterCount; ++i) {
        const hwThrusterDef* t = &def->thrusters[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:o, s:o, s:f, s:i, s:i, s:f, s:f}", "name",
                                        t->name != NULL ? t->name : "", "position", Vector(t->position),
                                        "axis", Vector(t->axis), "diameter", t->diameter, "blades", t->blades,
                                        "hand", t->hand, "forward", t->forward, "reverse", t->reverse));
    }
    return list;
}

static void AddLook(json_t* json, const hwVehicleType* type, json_t* meshes) {
    const hwVehicleLook* look = hwVehicleType_GetLook(type);
    json_t *parts = json_array(), *lights = json_array(), *gains = json_array();
    for (int i = 0; i < look->partCount; ++i) {
        json_t* part = DescribeShape(&look->parts[i].shape, meshes);
        json_object_set_new(part, "color", json_string(look->parts[i].color));
        if (look->parts[i].name != NULL) json_object_set_new(part, "name", json_string(look->parts[i].name));
        json_array_append_new(parts, part);
    }
    for (int i = 0; i < look->lampCount; ++i) {
        const hwLampDef* lamp = &look->lamps[i];
        json_array_append_new(lights,
                              json_pack("{s:o, s:o, s:f, s:f, s:b}", "position", Vector(lamp->position),
                                        "axis", Vector(lamp->axis), "beam_deg", lamp->beam / HW_DEGREE,
                                        "lumens", lamp->lumens, "tilts", (int)lamp->tilts));
    }
    for (int i = 0; i < look->gainCount; ++i) json_array_append_new(gains, json_real(look->gains[i]));
    json_object_set_new(json, "model", json_string(look->name));
    json_object_set_new(json, "title", json_string(look->title));
    json_object_set_new(json, "parts", parts);
    json_object_set_new(json, "lights", lights);
    json_object_set_new(json, "gains", gains);
    json_object_set_new(json, "speed", json_real(look->topSpeed));
    json_object_set_new(json, "rated_depth", Number(look->ratedDepth));
}

static json_t* DescribeVehicle(const hwWorld* world, hwVehicleId id, int body, const hwVehicleType* type,
                               json_t* meshes) {
    const hwVehicleDef* def = hwVehicle_GetDef(world, id);
    const hwCameraDef* camera = &def->camera;
    json_t* json = json_pack("{s:s, s:i, s:o}", "name", def->body.name, "body", body, "thrusters",
                             DescribeThrusters(def));
    json_object_set_new(json, "camera",
                        json_pack("{s:o, s:o, s:f, s:[f, f], s:f}", "position", Vector(camera->position),
                                  "attitude", Quat(hwQuat_identity), "hfov_deg", camera->field / HW_DEGREE,
                                  "tilt_deg", camera->tiltLow / HW_DEGREE, camera->tiltHigh / HW_DEGREE,
                                  "zoom", camera->zoom));
    if (def->gripper.present) {
        json_object_set_new(json, "gripper",
                            json_pack("{s:o, s:o, s:f, s:f}", "position", Vector(def->gripper.position),
                                      "axis", Vector(def->gripper.axis), "opening", def->gripper.opening,
                                      "length", def->gripper.length));
    }
    hwVec3 tether;
    if (hwVehicle_FindPoint(world, id, "tether", &tether))
        json_object_set_new(json, "tether", Vector(tether));
    if (type != NULL) {
        AddLook(json, type, meshes);
    } else {
        json_object_set_new(json, "model", json_string(""));
        json_object_set_new(json, "title", json_string(def->body.name));
        json_object_set_new(json, "parts", json_array());
        json_object_set_new(json, "lights", json_array());
        json_object_set_new(json, "gains", json_pack("[f, f, f, f]", 0.25, 0.5, 0.75, 1.0));
        json_object_set_new(json, "speed", json_real(0.0));
    }
    return json;
}

static json_t* DescribeVehicles(const hwWorld* world, const hwScene* scene, json_t* bodies, json_t* meshes) {
    json_t* list = json_array();
    int count = hwWorld_GetVehicles(world, 0, NULL);
    hwVehicleId* ids = calloc((size_t)count + 1, sizeof(*ids));
    if (ids == NULL) return list;
    hwWorld_GetVehicles(world, count, ids);
    for (int i = 0; i < count; ++i) {
        hwVehicleType* type = scene != NULL ? hwScene_LoadVehicleType(scene, i, NULL) : NULL;
        int body = -1;
        for (size_t k = 0; k < json_array_size(bodies); ++k) {
            const json_t* vehicle = json_object_get(json_array_get(bodies, k), "vehicle");
            if (vehicle != NULL && json_integer_value(vehicle) == i) body = (int)k;
        }
        json_array_append_new(list, DescribeVehicle(world, ids[i], body, type, meshes));
        hwDestroyVehicleType(type);
    }
    free(ids);
    return list;
}

static json_t* DescribeCables(const hwWebFrameMap* map, const hwWebFlightOptions* options) {
    json_t* list = json_array();
    for (int i = 0; i < hwWebFrameMap_GetCableCount(map); ++i) {
        const char* name = hwWebFrameMap_GetCableName(map, i);
        bool own = options != NULL && options->tether && strncmp(name, "tether", 6) == 0;
        const hwWebTetherType* type = own ? hwWebCatalog_FindTether(options->tetherType) : NULL;
        json_array_append_new(
            list, type != NULL ? json_pack("{s:s, s:f, s:s, s:f, s:f, s:f}", "name", name, "diameter",
                                           type->diameter, "color", type->color, "break", type->breaking,
                                           "working", type->working, "length", options->tetherLength)
                               : json_pack("{s:s, s:f, s:s, s:n, s:n, s:n}", "name", name, "diameter", 0.02,
                                           "color", "#c8c8c8", "break", "working", "length"));
    }
    return list;
}

static json_t* DescribeInstruments(const hwWebFrameMap* map) {
    json_t* list = json_array();
    for (int i = 0; i < hwWebFrameMap_GetInstrumentCount(map); ++i) {
        hwInstrumentKind kind = hwWebFrameMap_GetInstrumentKind(map, i);
        json_t* values = json_array();
        for (int k = 0; hwInstrumentKind_GetValue(kind, k) != NULL; ++k)
            json_array_append_new(values, json_string(hwInstrumentKind_GetValue(kind, k)));
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:o}", "name", hwWebFrameMap_GetInstrumentName(map, i),
                                        "kind", hwInstrumentKind_GetName(kind), "values", values));
    }
    return list;
}

json_t* hwWebDescribeScene(const hwWorld* world, const hwScene* scene, const hwWebFrameMap* map,
                           const hwWebDescribeInfo* info) {
    json_t* meshes = json_array();
    json_t* environment = DescribeEnvironment(world, info->visibility, meshes);
    json_t* bodies = DescribeBodies(world, meshes);
    json_t* vehicles = DescribeVehicles(world, scene, bodies, meshes);
    json_t* json =
        json_pack("{s:s, s:i, s:s, s:s, s:s, s:f, s:o, s:o, s:o, s:o, s:o}", "type", "scene", "revision",
                  info->revision, "session", info->session, "name", info->name, "title", info->title, "time",
                  hwWorld_GetTime(world), "environment", environment, "bodies", bodies, "vehicles", vehicles,
                  "cables", DescribeCables(map, info->options), "meshes", meshes);
    if (json == NULL) return NULL;
    json_object_set_new(json, "instruments", DescribeInstruments(map));
    if (info->flight != NULL) json_object_set_new(json, "flight", json_string(info->flight));
    if (info->options != NULL) json_object_set_new(json, "options", hwWebFlightOptions_ToJson(info->options));
    const hwTrainerInfo* trainer = scene != NULL ? &hwScene_GetInfo(scene)->trainer : NULL;
    if (trainer != NULL && trainer->present) {
        json_object_set_new(
            json, "view",
            json_pack("{s:o, s:o}", "camera", Vector(trainer->camera), "target", Vector(trainer->target)));
    }
    return json;
}
