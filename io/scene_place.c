#include "scene_place.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HYDRO(body, drag)                                                                                    \
    {body "hydro.linearDrag", drag "drag.linear"}, {body "hydro.quadraticDrag", drag "drag.quadratic"},      \
        {body "hydro.strips", drag "drag.strips"}, {body "hydro.lifts", drag "drag.lift"},                   \
        {body "hydro.sphereDiameter", drag "drag.sphere.diameter"},                                          \
        {body "hydro.sphereDrag", drag "drag.sphere.factor"},                                                \
        {body "hydro.skinArea", drag "drag.skin.area"}, {body "hydro.skinLength", drag "drag.skin.length"},  \
        {body "hydro.addedMass", drag "added_mass"}, {body "hydro.volume", drag "volume"}, {                 \
        body "hydro.buoyancyCenter", drag "buoyancy_center"                                                  \
    }

const hwFieldKey hwPlainKeys[] = {{NULL, NULL}};

const hwFieldKey hwBodyKeys[] = {HYDRO("", ""),
                                 {"prescribedPosition", "motion.prescribed.position"},
                                 {"prescribedAttitude", "motion.prescribed.attitude"},
                                 {"rao", "motion.prescribed.rao"},
                                 {"box", "motion.prescribed.box"},
                                 {NULL, NULL}};

const hwFieldKey hwLinkKeys[] = {HYDRO("", "hydro."), {"limits.low", "limits.range"}, {NULL, NULL}};

// Of a mechanism itself, its links included.
const hwFieldKey hwMechanismKeys[] = {HYDRO("links[].body.", "links[].hydro."),
                                      HYDRO("free.", "base.free.hydro."),
                                      {"links[].body", "links[]"},
                                      {"links[].limits.low", "links[].limits.range"},
                                      {"links[].turn", "links[].q"},
                                      {"free", "base.free"},
                                      {"body", "base.on"},
                                      {"position", "base.position"},
                                      {"attitude", "base.attitude"},
                                      {NULL, NULL}};

const hwFieldKey hwCableKeys[] = {{"kind", "model"},
                                  {"wrap.rules", "rules"},
                                  {"wrap.buoyancy", "seed_rules.buoyancy"},
                                  {"wrap.greatestCurrent", "seed_rules.greatest_current"},
                                  {"wrap.stuckAngle", "seed_rules.stuck_angle"},
                                  {"wrap.stuckCount", "seed_rules.stuck_count"},
                                  {"ends[0].body", "ends.a.on"},
                                  {"ends[1].body", "ends.b.on"},
                                  {"ends[0].path", "ends.a.at"},
                                  {"ends[1].path", "ends.b.at"},
                                  {"ends[0]", "ends.a"},
                                  {"ends[1]", "ends.b"},
                                  {"points", "shape"},
                                  {"sections[].axialDamping", "sections[].damping.axial"},
                                  {"sections[].bendingDamping", "sections[].damping.bending"},
                                  {"sections[].torsionDamping", "sections[].damping.torsion"},
                                  {"sections[].dragNormal", "sections[].drag.normal"},
                                  {"sections[].dragTangential", "sections[].drag.tangential"},
                                  {"sections[].addedNormal", "sections[].added_mass.normal"},
                                  {"sections[].addedTangential", "sections[].added_mass.tangential"},
                                  {"sections[].breakTension", "sections[].break"},
                                  {"sections[].curveStrains", "sections[].stiffness_table"},
                                  {"sections[].lockRadius", "sections[].restrictor"},
                                  {"sections[].bendRadius", "sections[].bend_radius"},
                                  {"sections[].minElement", "sections[].element_length.min"},
                                  {"sections[].maxElement", "sections[].element_length.max"},
                                  {"pidProportional", "pid.kp"},
                                  {"pidIntegral", "pid.ki"},
                                  {"pidDerivative", "pid.kd"},
                                  {"pidFriction", "pid.friction"},
                                  {NULL, NULL}};

const hwFieldKey hwWinchKeys[] = {{"drumInertia", "drum.inertia"},
                                  {"drumRadius", "drum.radius"},
                                  {"brake", "drum.brake"},
                                  {"followAt", "compensation.at"},
                                  {"followGain", "compensation.gain"},
                                  {"follow", "compensation.on"},
                                  {NULL, NULL}};

const hwFieldKey hwSheaveKeys[] = {{"cables", "on"}, {"ends", "on"}, {NULL, NULL}};

const hwFieldKey hwMaterialKeys[] = {
    {"staticFriction", "friction.static"}, {"kineticFriction", "friction.kinetic"},
    {"model", "friction.model"},           {"velocity", "friction.velocity"},
    {"rolling", "friction.rolling"},       {"spinning", "friction.spinning"},
    {"stribeck", "friction.stribeck"},     {NULL, NULL}};

const hwFieldKey hwEnvironmentKeys[] = {{"waterDensity", "water.density"},
                                        {"waterViscosity", "water.viscosity"},
                                        {"surface", "water.surface"},
                                        {"airDensity", "air.density"},
                                        {"airViscosity", "air.viscosity"},
                                        {"current.levels", "current.profile"},
                                        {"lees", "current.lee"},
                                        {"wind.levels", "wind.profile"},
                                        {"airy", "waves.airy"},
                                        {"jonswap", "waves.jonswap"},
                                        {"seas", "waves"},
                                        {"waveRamp", "waves.ramp"},
                                        {"seabed.heights", "seabed.heightfield"},
                                        {NULL, NULL}};

const hwFieldKey hwForceKeys[] = {{"body", "on"}, {"cable", "on"}, {NULL, NULL}};

const hwFieldKey hwEventKeys[] = {{"time", "at"}, {NULL, NULL}};

// What a scene says of a vehicle itself; all else is in the file that `model` names.
const hwFieldKey hwVehicleKeys[] = {{"body.position", "position"},
                                    {"body.attitude", "attitude"},
                                    {"body.velocity", "velocity"},
                                    {"body.rate", "rate"},
                                    {"position", "position"},
                                    {"attitude", "attitude"},
                                    {"velocity", "velocity"},
                                    {"rate", "rate"},
                                    {"body.name", "name"},
                                    {"name", "name"},
                                    {"", "model"},
                                    {NULL, NULL}};

// The path in the file: the first entry that is the field or holds it, and the rest with small letters and underscores.
static void TranslateField(const char* field, const hwFieldKey* keys, char* path, size_t size) {
    const char* rest = field;
    size_t used = 0;
    path[0] = 0;
    for (; keys->field != NULL; keys++) {
        size_t length = strlen(keys->field);
        bool whole = field[length < strlen(field) ? length : strlen(field)] == 0;
        if (strncmp(field, keys->field, length) != 0 ||
            !(length == 0 || whole || field[length] == '.' || field[length] == '['))
            continue;
        used = (size_t)snprintf(path, size, "%s", keys->key);
        rest = length == 0 ? "" : field + length;
        break;
    }
    // names in capitals, such as EA, are the same in files
    for (; *rest != 0 && used + 2 < size; rest++) {
        bool inner = rest > field && islower((unsigned char)rest[-1]) != 0;
        if (isupper((unsigned char)*rest) && inner) path[used++] = '_';
        path[used++] = inner || islower((unsigned char)rest[1]) ? (char)tolower((unsigned char)*rest) : *rest;
    }
    path[used < size ? used : size - 1] = 0;
}

static const hwYaml* FindKey(const hwYaml* map, const char* key) {
    const hwYaml* node = hwYaml_Find(map, key);
    if (node != NULL) return node;
    char degrees[80];
    snprintf(degrees, sizeof(degrees), "%s_deg", key);
    return hwYaml_Find(map, degrees);
}

const hwYaml* hwPlace_Find(const hwPlace* place, const char* key) {
    return place->node != NULL ? FindKey(place->node, key) : NULL;
}

// The value of a key; of a list of mappings the first that has it.
static const hwYaml* FindInside(const hwYaml* node, const char* key) {
    if (node->kind != HW_YAML_LIST) return FindKey(node, key);
    for (const hwYaml* item = node->first; item != NULL; item = item->next) {
        const hwYaml* found = FindKey(item, key);
        if (found != NULL) return found;
    }
    return NULL;
}

static const hwYaml* GetItem(const hwYaml* list, int index) {
    if (list->kind != HW_YAML_LIST) return index == 0 ? list : NULL; // one mapping instead of a list of one
    const hwYaml* item = list->first;
    for (; item != NULL && index > 0; index--) item = item->next;
    return item;
}

void hwPlaceField(const hwPlace* place, const hwFieldKey* keys, hwError* error) {
    char path[128];
    TranslateField(error->field, keys, path, sizeof(path));
    error->line = place->line;
    error->column = place->column;
    const hwYaml* node = place->node;
    for (char* key = path; node != NULL && *key != 0;) {
        size_t length = strcspn(key, ".[");
        char end = key[length];
        key[length] = 0;
        node = FindInside(node, key);
        key += length + (end != 0);
        if (node != NULL && end == '[') {
            const hwYaml* item = GetItem(node, *key == ']' ? error->index : atoi(key));
            if (item != NULL) node = item;
            key += strcspn(key, "]");
            if (*key == ']') key++;
            if (*key == '.') key++;
        }
        if (node == NULL) break;
        error->line = node->line;
        error->column = node->column;
    }
}
