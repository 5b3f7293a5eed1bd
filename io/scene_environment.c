// From the sections of `environment`, `materials` and `contact` to defs.
#include "scene_read.h"

#include <math.h>
#include <string.h>

bool hwReadTriangles(hwReader* reader, const hwKey* key, const hwYaml* node, void* field) {
    hwSceneMesh* mesh = (hwSceneMesh*)(void*)((char*)field - offsetof(hwSceneMesh, triangleCount));
    if (node->kind != HW_YAML_LIST || node->count == 0) return hwReader_FailType(reader, key, node);
    int(*triangles)[3] = hwReader_Take(reader, (size_t)node->count, sizeof(*triangles));
    if (triangles == NULL) return false;
    const hwKey corner = {.name = key->name, .type = HW_KEY_NUMBERS, .range = HW_FROM(0), .sizes = {3}};
    int count = 0;
    for (const hwYaml* row = node->first; row != NULL; row = row->next, count++) {
        if (row->kind != HW_YAML_LIST || row->count != 3) return hwReader_FailType(reader, key, row);
        int i = 0;
        for (const hwYaml* element = row->first; element != NULL; element = element->next, i++) {
            double value;
            if (!hwReadNumber(reader, &corner, element, false, &value)) return false;
            if (value != floor(value) || value > 1e9) return hwReader_FailType(reader, key, element);
            triangles[count][i] = (int)value;
        }
    }
    mesh->triangleCount = count;
    mesh->triangles = (const int(*)[3])triangles;
    return true;
}

bool hwCheckMesh(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneMesh* mesh = item;
    if (mesh->file != NULL) {
        const hwYaml* file = hwYaml_Find(node, "file");
        return hwLoadMesh(reader, file != NULL ? file : node, mesh->file, &mesh->data);
    }
    if (mesh->triangleCount == 0)
        return hwReader_Fail(reader, node, "a mesh with `vertices` needs `triangles`");
    for (int i = 0; i < mesh->triangleCount; i++) {
        for (int j = 0; j < 3; j++) {
            if (mesh->triangles[i][j] < mesh->vertices.count) continue;
            return hwReader_Fail(reader, hwYaml_Find(node, "triangles"),
                                 "`triangles` entry %d names corner %d, but there are corners 0 to %d only",
                                 i, mesh->triangles[i][j], mesh->vertices.count - 1);
        }
    }
    mesh->data.vertexCount = mesh->vertices.count;
    mesh->data.vertices = mesh->vertices.values;
    mesh->data.triangleCount = mesh->triangleCount;
    mesh->data.triangles = mesh->triangles;
    return true;
}

bool hwCheckSeabed(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneSeabed* seabed = item;
    const hwYaml* heightfield = hwYaml_Find(node, "heightfield");
    const hwYaml* mesh = hwYaml_Find(node, "mesh");
    if (heightfield == NULL) return true;
    if (mesh != NULL)
        return hwReader_Fail(reader, mesh->key, "give either `heightfield` or `mesh` in `seabed`, not both");
    return hwReadHeightfield(reader, heightfield, seabed->heightfield, seabed);
}

static void FillFlow(const hwSceneFlow* flow, hwFlowDef* def) {
    def->uniform = flow->uniform;
    def->count = flow->profile.levels.count;
    def->levels = flow->profile.levels.values;
    def->timeCount = flow->profile.times.count;
    def->times = flow->profile.times.values;
    def->velocities = flow->profile.velocity.values;
    def->grid = flow->grid;
    def->gust = flow->gust;
    def->gustSeed = flow->seed;
}

static bool FillWaves(hwReader* reader, const hwSceneEnvironment* environment, hwEnvironmentDef* def) {
    int count = 0, seas = 0;
    for (int i = 0; i < environment->waves.count; i++) {
        const hwSceneWaves* waves = HW_ITEM(environment->waves, hwSceneWaves, i);
        count += waves->airy.count + waves->elevation.airyCount;
        seas += (waves->jonswap.place.line > 0) + (waves->torsethaugen.place.line > 0) +
                (waves->ochiHubble.place.line > 0) + (waves->spectrum.place.line > 0);
        def->waveRamp = hwFmax(def->waveRamp, waves->ramp);
        def->flatSurface = def->flatSurface || waves->surface == 1;
        def->exactWaves = def->exactWaves || waves->sampling == 1;
    }
    hwAiryDef* airy = hwReader_Take(reader, (size_t)count, sizeof(*airy));
    hwSeaDef* list = hwReader_Take(reader, (size_t)seas, sizeof(*list));
    if (airy == NULL || list == NULL) return false;
    def->airy = airy;
    def->seas = list;
    bool first = true;
    for (int i = 0; i < environment->waves.count; i++) {
        const hwSceneWaves* waves = HW_ITEM(environment->waves, hwSceneWaves, i);
        for (int j = 0; j < waves->airy.count; j++)
            airy[def->airyCount++] = HW_ITEM(waves->airy, hwSceneAiry, j)->def;
        for (int j = 0; j < waves->elevation.airyCount; j++)
            airy[def->airyCount++] = waves->elevation.airy[j];
        const hwSceneJonswap* sea = &waves->jonswap;
        if (sea->place.line > 0 && first) {
            def->jonswap = sea->def;
            first = false;
        } else if (sea->place.line > 0 && sea->def.hs > 0.0) {
            // swell beside a wind sea
            if (!hwTabulateJonswap(reader, &sea->def, &list[def->seaCount++])) return false;
        }
        const hwSceneSea* others[3] = {&waves->torsethaugen, &waves->ochiHubble, &waves->spectrum};
        for (int k = 0; k < 3; k++) {
            if (others[k]->place.line > 0) list[def->seaCount++] = others[k]->def;
        }
    }
    return true;
}

static bool FillGauges(hwReader* reader, const hwSceneEnvironment* environment, hwEnvironmentDef* def) {
    int count = environment->gauges.count;
    hwWaveGaugeDef* gauges = hwReader_Take(reader, (size_t)count, sizeof(*gauges));
    if (gauges == NULL) return false;
    for (int i = 0; i < count; i++) {
        const hwSceneGauge* gauge = HW_ITEM(environment->gauges, hwSceneGauge, i);
        for (int j = 0; j < i; j++) {
            if (strcmp(gauges[j].name, gauge->name) != 0) continue;
            return hwReader_FailAt(reader, gauge->place.line, gauge->place.column,
                                   "there are two wave gauges called `%s`", gauge->name);
        }
        gauges[i] = (hwWaveGaugeDef){gauge->name, gauge->at.values[0], gauge->at.values[1]};
    }
    def->gauges = gauges;
    def->gaugeCount = count;
    return true;
}

static void FillSeabed(const hwSceneSeabed* seabed, hwSeabedDef* def) {
    if (seabed->place.line == 0) return;
    def->kind = HW_SEABED_PLANE;
    def->depth = seabed->depth;
    def->stiffness = seabed->stiffness;
    def->damping = seabed->damping;
    def->friction = seabed->friction;
    if (seabed->heights != NULL) {
        def->kind = HW_SEABED_HEIGHTFIELD;
        def->columns = seabed->columns;
        def->rows = seabed->rows;
        def->spacing = seabed->spacing;
        def->origin = seabed->origin;
        def->heights = seabed->heights;
    } else if (seabed->mesh.place.line > 0) {
        def->kind = HW_SEABED_MESH;
        def->mesh = seabed->mesh.data;
    }
}

bool hwCheckEnvironment(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneEnvironment* environment = item;
    hwSceneFlow* current = &environment->current;
    if (current->gridFile != NULL) {
        const hwYaml* grid = hwYaml_Find(hwYaml_Find(node, "current"), "grid");
        if (!hwReadFlowGrid(reader, grid != NULL ? grid : node, current->gridFile, &current->grid))
            return false;
    }
    hwEnvironmentDef* def = &environment->def;
    *def = hwDefaultEnvironmentDef();
    def->gravity = environment->gravity;
    if (environment->air.place.line > 0) def->airDensity = environment->air.density;
    def->airViscosity = environment->air.viscosity;
    def->water = environment->water.place.line > 0;
    if (def->water) {
        def->waterDensity = environment->water.density;
        def->waterViscosity = environment->water.viscosity;
        def->surface = environment->water.surface;
    }
    FillFlow(&environment->current, &def->current);
    FillFlow(&environment->wind, &def->wind);
    FillSeabed(&environment->seabed, &def->seabed);
    return FillGauges(reader, environment, def) && FillWaves(reader, environment, def);
}

// Materials and contact --------------------------------------------------------------------------------------------

bool hwCheckFriction(hwReader* reader, const hwYaml* node, void* item) {
    hwSceneFriction* friction = item;
    const hwYaml* kinetic = hwYaml_Find(node, "kinetic");
    if (kinetic == NULL) {
        friction->kinetic = friction->staticValue;
    } else if (friction->kinetic > friction->staticValue) {
        return hwReader_Fail(reader, kinetic,
                             "`kinetic` friction is %g, but must be at most the `static` one, %g",
                             friction->kinetic, friction->staticValue);
    }
    return true;
}

static bool ReadName(hwReader* reader, const hwKey* key, const hwYaml* node, hwRef* out) {
    if (node->kind != HW_YAML_SCALAR || node->text[0] == 0) return hwReader_FailType(reader, key, node);
    out->text = hwStore_CopyText(reader->store, node->text, strlen(node->text));
    out->line = node->line;
    out->column = node->column;
    return out->text != NULL || hwReader_FailMemory(reader);
}

bool hwReadPairs(hwReader* reader, const hwKey* key, const hwYaml* node, void* field) {
    hwScenePairs* list = field;
    if (node->kind != HW_YAML_LIST) return hwReader_FailType(reader, key, node);
    hwScenePair* pairs = hwReader_Take(reader, (size_t)node->count, sizeof(*pairs));
    if (pairs == NULL) return false;
    for (const hwYaml* pair = node->first; pair != NULL; pair = pair->next) {
        if (pair->kind != HW_YAML_LIST || pair->count != 2) return hwReader_FailType(reader, key, pair);
        hwScenePair* out = &pairs[list->count++];
        if (!ReadName(reader, key, pair->first, &out->a) ||
            !ReadName(reader, key, pair->first->next, &out->b))
            return false;
    }
    list->items = pairs;
    return true;
}

bool hwReadRecord(hwReader* reader, const hwKey* key, const hwYaml* node, void* field) {
    hwSceneRecord* record = field;
    if (node->kind != HW_YAML_LIST) return hwReader_FailType(reader, key, node);
    hwRef* entries = hwReader_Take(reader, (size_t)node->count, sizeof(*entries));
    if (entries == NULL) return false;
    for (const hwYaml* entry = node->first; entry != NULL; entry = entry->next) {
        if (!ReadName(reader, key, entry, &entries[record->count++])) return false;
    }
    record->entries = entries;
    return true;
}
