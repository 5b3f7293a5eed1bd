#include "env/environment.h"

#include "base/error.h"
#include "base/memory.h"
#include "env/check.h"
#include "env/flow.h"
#include "env/lee.h"
#include "env/waves.h"
#include "geom/terrain.h"

#include <string.h>

struct hwEnvironment {
    hwAllocator allocator;
    hwEnvironmentDef def;
    hwFlow current, wind;
    hwWaves waves;
    hwTerrain* terrain; // heightfield or mesh, else null
    double bottom;      // m, z of a plane seabed; -inf: none
    double buildFrom,
        buildUp; // s: the waves grow from then on, for so long, in place of waveRamp; 0: they do not
    double lull; // share of the waves that is taken away, see hwEnvironment_SetLull
};

hwEnvironmentDef hwDefaultEnvironmentDef(void) {
    hwEnvironmentDef def;
    memset(&def, 0, sizeof(def));
    def.gravity = 9.81;
    def.waterDensity = 1025.0;
    def.waterViscosity = 1.787e-6;
    def.airViscosity = 1.5e-5;
    def.jonswap.gamma = 3.3;
    def.jonswap.components = 200;
    def.seabed.kind = HW_SEABED_NONE;
    def.seabed.stiffness = 1e5;
    def.seabed.damping = 1e4;
    def.seabed.friction = 0.5;
    def.cookie = HW_ENVIRONMENT_COOKIE;
    return def;
}

// Creation

// The copies that hwEnvironment_GetDef shows. Runs twice, see hwArena.
static hwEnvironment* LayEnvironment(hwArena* arena, const hwEnvironmentDef* def,
                                     hwEnvironment* environment) {
    hwEnvironment* block = HW_TAKE(arena, hwEnvironment, 1);
    if (block != NULL) environment = block;
    environment->def = *def;
    hwEnvironmentDef* copy = &environment->def;
    hwFlow_Layout(&environment->current, arena, &def->current, -1.0, def->surface);
    hwFlow_Layout(&environment->wind, arena, &def->wind, 1.0, def->surface);
    copy->current = environment->current.def;
    copy->wind = environment->wind.def;
    copy->lees = hwArena_Copy(arena, def->lees, (size_t)def->leeCount, sizeof(hwLeeDef));
    copy->airy = hwArena_Copy(arena, def->airy, (size_t)def->airyCount, sizeof(hwAiryDef));
    hwSeaDef* seas = hwArena_Copy(arena, def->seas, (size_t)def->seaCount, sizeof(hwSeaDef));
    for (int i = 0; i < def->seaCount; i++) {
        size_t rows = (size_t)def->seas[i].count;
        const double* frequencies = hwArena_Copy(arena, def->seas[i].frequencies, rows, sizeof(double));
        const double* densities = hwArena_Copy(arena, def->seas[i].densities, rows, sizeof(double));
        if (seas == NULL) continue;
        seas[i].frequencies = frequencies;
        seas[i].densities = densities;
    }
    copy->seas = seas;
    hwWaveGaugeDef* gauges = hwArena_Copy(arena, def->gauges, (size_t)def->gaugeCount, sizeof(*gauges));
    for (int i = 0; i < def->gaugeCount; i++) {
        const char* name = hwArena_Copy(arena, def->gauges[i].name, strlen(def->gauges[i].name) + 1, 1);
        if (gauges != NULL) gauges[i].name = name;
    }
    copy->gauges = gauges;
    hwWaves_Layout(&environment->waves, arena, def);
    copy->seabed.heights = NULL;
    memset(&copy->seabed.mesh, 0, sizeof(copy->seabed.mesh));
    if (def->seabed.kind == HW_SEABED_HEIGHTFIELD) {
        size_t count = (size_t)def->seabed.columns * (size_t)def->seabed.rows;
        copy->seabed.heights = hwArena_Copy(arena, def->seabed.heights, count, sizeof(double));
    } else if (def->seabed.kind == HW_SEABED_MESH) {
        const hwMeshData* mesh = &def->seabed.mesh;
        copy->seabed.mesh = *mesh;
        copy->seabed.mesh.vertices =
            hwArena_Copy(arena, mesh->vertices, (size_t)mesh->vertexCount, sizeof(hwVec3));
        copy->seabed.mesh.triangles =
            hwArena_Copy(arena, mesh->triangles, (size_t)mesh->triangleCount, sizeof(mesh->triangles[0]));
    }
    return environment;
}

static hwStatus MakeSeabed(hwEnvironment* environment, hwError* error) {
    const hwSeabedDef* seabed = &environment->def.seabed;
    hwError reason;
    environment->bottom = -HUGE_VAL;
    if (seabed->kind == HW_SEABED_NONE) return HW_OK;
    if (seabed->kind == HW_SEABED_PLANE) {
        environment->bottom = environment->def.surface - seabed->depth;
        return HW_OK;
    }
    environment->terrain =
        seabed->kind == HW_SEABED_HEIGHTFIELD
            ? hwCreateHeightfield(&environment->allocator, seabed->columns, seabed->rows, seabed->spacing,
                                  seabed->origin, seabed->heights, &reason)
            : hwCreateTerrainMesh(&environment->allocator, &seabed->mesh, &reason);
    if (environment->terrain != NULL) return HW_OK;
    hwFail(error, reason.status, "environment", "seabed: %s", reason.message);
    hwFail_At(error, reason.index, (double)NAN);
    hwFail_Hint(error, "%s", reason.hint);
    return reason.status;
}

static double GetWaterDepth(const hwEnvironment* environment) {
    const hwSeabedDef* seabed = &environment->def.seabed;
    if (seabed->kind == HW_SEABED_NONE) return HUGE_VAL;
    if (seabed->kind == HW_SEABED_PLANE || seabed->depth > 0.0) return seabed->depth;
    return environment->def.surface - hwTerrain_GetMeanHeight(environment->terrain);
}

// What of a seabed says how deep the water is.
static const char* GetDepthField(const hwSeabedDef* seabed) {
    if (seabed->kind == HW_SEABED_PLANE) return "seabed.depth";
    return seabed->kind == HW_SEABED_HEIGHTFIELD ? "seabed.heights" : "seabed.mesh";
}

static hwStatus MakeWaves(hwEnvironment* environment, hwError* error) {
    const hwEnvironmentDef* def = &environment->def;
    if (environment->waves.count == 0) return HW_OK;
    double depth = GetWaterDepth(environment);
    if (!(depth > 0.0)) {
        hwFailField(error, HW_ERROR_ARGUMENT, "environment", GetDepthField(&def->seabed),
                    "waves: the water depth must be positive, it is %g m", depth);
        hwFail_Hint(error, "lower the seabed, or give it a depth for the waves");
        return HW_ERROR_ARGUMENT;
    }
    for (int i = 0; i < def->airyCount; i++) {
        if (def->airy[i].height < 2.0 * depth) continue;
        hwFailField(
            error, HW_ERROR_ARGUMENT, "environment", "airy[].height",
            "waves: the height of a regular wave must be less than twice the water depth of %g m, it is %g m",
            depth, def->airy[i].height);
        hwFail_At(error, i, (double)NAN);
        return HW_ERROR_ARGUMENT;
    }
    hwWaves_Fill(&environment->waves, def, depth);
    return HW_OK;
}

hwEnvironment* hwCreateEnvironment(const hwAllocator* allocator, const hwEnvironmentDef* def,
                                   hwError* error) {
    if (hwCheckEnvironmentDef(def, error) != HW_OK) return NULL;
    hwEnvironment sizes;
    memset(&sizes, 0, sizeof(sizes));
    hwArena arena = {NULL, 0};
    LayEnvironment(&arena, def, &sizes);
    void* memory = hwAllocate(allocator, arena.used);
    if (memory == NULL) {
        hwFail_Memory(error, "environment");
        return NULL;
    }
    arena.base = memory;
    arena.used = 0;
    hwEnvironment* environment = LayEnvironment(&arena, def, NULL);
    environment->allocator = *allocator;
    bool blows = def->wind.uniform.termCount > 0 || def->wind.count > 0 || def->wind.grid.xCount > 0 ||
                 def->wind.function != NULL;
    if (blows && def->airDensity == 0.0) environment->def.airDensity = 1.2;
    if (MakeSeabed(environment, error) != HW_OK || MakeWaves(environment, error) != HW_OK) {
        hwDestroyEnvironment(environment);
        return NULL;
    }
    return environment;
}

void hwDestroyEnvironment(hwEnvironment* environment) {
    if (environment == NULL) return;
    hwAllocator allocator = environment->allocator;
    if (environment->terrain != NULL) hwDestroyTerrain(environment->terrain);
    hwRelease(&allocator, environment);
}

// Questions

const hwEnvironmentDef* hwEnvironment_GetDef(const hwEnvironment* environment) {
    return &environment->def;
}

bool hwEnvironment_HasWaves(const hwEnvironment* environment) {
    return environment->waves.count > 0;
}

bool hwEnvironment_HasFlow(const hwEnvironment* environment) {
    const hwEnvironmentDef* def = &environment->def;
    return !hwFlow_IsStill(&environment->current) || !hwFlow_IsStill(&environment->wind) ||
           def->current.function != NULL || def->wind.function != NULL;
}

int hwEnvironment_GetWaves(const hwEnvironment* environment, int capacity, hwWaveComponent* components) {
    const hwWaves* waves = &environment->waves;
    for (int i = 0; i < waves->count && i < capacity; ++i) {
        const hwHarmonic* h = &waves->list[i];
        components[i] = (hwWaveComponent){h->amplitude, h->omega, h->k, h->direction, h->phase};
    }
    return waves->count;
}

double hwEnvironment_GetSeabed(const hwEnvironment* environment, double x, double y, hwVec3* normal) {
    double height = environment->bottom;
    if (normal != NULL) *normal = hwMakeVec3(0.0, 0.0, 1.0);
    if (environment->terrain != NULL) hwTerrain_GetHeight(environment->terrain, x, y, &height, normal);
    return height;
}

const hwTerrain* hwEnvironment_GetTerrain(const hwEnvironment* environment) {
    return environment->terrain;
}

// Sampling

void hwEnvironment_SetBuildUp(hwEnvironment* environment, double from, double span) {
    environment->buildFrom = from;
    environment->buildUp = span;
}

void hwEnvironment_SetLull(hwEnvironment* environment, double lull) {
    environment->lull = lull;
}

double hwEnvironment_GetLull(const hwEnvironment* environment) {
    return environment->lull;
}

// The smoothest fifth-order step: no jump in velocity or acceleration.
hwVec3 hwEnvironment_GetGrowth(const hwEnvironment* environment, double time) {
    bool built = environment->buildUp > 0.0;
    double ramp = built ? environment->buildUp : environment->def.waveRamp;
    double x = time - (built ? environment->buildFrom : environment->def.waveStart);
    if (ramp <= 0.0 || x >= ramp || environment->lull > 0.0)
        return hwMakeVec3(1.0 - environment->lull, 0.0, 0.0);
    if (x <= 0.0) return hwVec3_zero;
    double s = x / ramp, r = 1.0 - s;
    return hwMakeVec3(s * s * s * (10.0 - 15.0 * s + 6.0 * s * s), 30.0 * s * s * r * r / ramp,
                      60.0 * s * r * (r - s) / (ramp * ramp));
}

// Current or wind at a point.
static void AddFlow(const hwEnvironment* environment, bool wet, const hwFlowMoment* current,
                    const hwFlowMoment* wind, hwVec3 point, hwFluidSample* out) {
    const hwFlow* flow = wet ? &environment->current : &environment->wind;
    out->density = wet ? environment->def.waterDensity : environment->def.airDensity;
    out->viscosity = wet ? environment->def.waterViscosity : environment->def.airViscosity;
    if (hwFlow_IsStill(flow)) {
        out->velocity = out->acceleration = hwVec3_zero;
    } else {
        hwFlow_Evaluate(flow, wet ? current : wind, point, &out->velocity, &out->acceleration);
    }
}

// Under a sea far from its surface, by the cell of the point before or its own; returns which.
static hwWaveCell* SampleCell(const hwEnvironment* environment, hwVec3 point, double time, hwVec3 growth,
                              const hwFlowMoment* current, const hwFlowMoment* wind, hwCellList list,
                              hwWaveCell* own, hwWaveCell* before, bool same, hwFluidSample* out) {
    const hwEnvironmentDef* def = &environment->def;
    hwVec3 place = hwMakeVec3(point.x, point.y, point.z - def->surface);
    hwCellSample sea;
    hwWaveCell* cell =
        hwWaveCell_Find(own, before, &environment->waves, place, time, growth.x, def->flatSurface, same);
    hwWaveCell_Sample(cell, list, &environment->waves, place, time, growth.x, def->flatSurface, same, &sea);
    double still = def->flatSurface ? 0.0 : 1.0;
    out->surface = def->surface + still * growth.x * sea.elevation;
    out->surfaceRate = still * (growth.x * sea.rate + growth.y * sea.elevation);
    out->normal =
        hwNormalize(hwMakeVec3(-still * growth.x * sea.slopeX, -still * growth.x * sea.slopeY, 1.0));
    bool wet = point.z <= out->surface;
    AddFlow(environment, wet, current, wind, point, out);
    if (!wet) return cell;
    out->velocity = hwMulAdd(out->velocity, growth.x, sea.velocity);
    out->acceleration =
        hwMulAdd(hwMulAdd(out->acceleration, growth.x, sea.acceleration), growth.y, sea.velocity);
    return cell;
}

// The flow without waves that is the same at all points of a fluid.
static bool IsUniform(const hwFlowDef* flow) {
    return flow->count == 0 && flow->grid.xCount == 0;
}

// As SampleCell for those of four points, from the first on, that are under water in the cell of the point before them, or in
// the one that holds the first, where there is the same current everywhere; how many these are, at most `left`.
static int SampleCellFour(const hwEnvironment* environment, const hwVec3* points, int left, double time,
                          hwVec3 growth, const hwFluidSample* calm, hwWaveCell* own, hwWaveCell* cell,
                          hwFluidSample* out) {
    const hwEnvironmentDef* def = &environment->def;
    hwVec3 padded[HW_LANES];
    for (int k = 0; k < HW_LANES && left < HW_LANES; ++k) padded[k] = points[k < left ? k : left - 1];
    const hwVec3* list = left < HW_LANES ? padded : points;
    hwCellSamples sea;
    int count = hwWaveCell_SampleFour(cell, &environment->waves, list, def->surface, time, growth.x,
                                      def->flatSurface, &sea);
    if (count == 0) return 0;
    if (count > left) count = left;
    double still = def->flatSurface ? 0.0 : 1.0;
    hwV4 surface = def->surface + still * growth.x * sea.elevation;
    hwV4 surfaceRate = still * (growth.x * sea.rate + growth.y * sea.elevation);
    hwV4x3 normal = {-still * growth.x * sea.slopeX, -still * growth.x * sea.slopeY, Set4(1.0)};
    normal = Scale4(1.0 / Sqrt4(Dot4(normal, normal)), normal);
    hwV4x3 velocity = {calm->velocity.x + growth.x * sea.velocity.x,
                       calm->velocity.y + growth.x * sea.velocity.y,
                       calm->velocity.z + growth.x * sea.velocity.z};
    const hwVec3* a = &calm->acceleration;
    hwV4x3 acceleration = {(a->x + growth.x * sea.acceleration.x) + growth.y * sea.velocity.x,
                           (a->y + growth.x * sea.acceleration.y) + growth.y * sea.velocity.y,
                           (a->z + growth.x * sea.acceleration.z) + growth.y * sea.velocity.z};
    for (int k = 0; k < count; k++) {
        if (!(list[k].z <= surface[k])) return k;
        own[k].lent = (int)(cell - (own + k));
        out[k] = (hwFluidSample){.velocity = hwMakeVec3(velocity.x[k], velocity.y[k], velocity.z[k]),
                                 .acceleration =
                                     hwMakeVec3(acceleration.x[k], acceleration.y[k], acceleration.z[k]),
                                 .density = calm->density,
                                 .viscosity = calm->viscosity,
                                 .surface = surface[k],
                                 .surfaceRate = surfaceRate[k],
                                 .normal = hwMakeVec3(normal.x[k], normal.y[k], normal.z[k])};
    }
    return count;
}

static void SampleFluid(const hwEnvironment* environment, bool waves, hwVec3 point, double time,
                        hwVec3 growth, const hwFlowMoment* current, const hwFlowMoment* wind,
                        hwWavePoint* wave, hwFluidSample* out) {
    const hwEnvironmentDef* def = &environment->def;
    out->surface = def->water ? def->surface : -HUGE_VAL;
    out->surfaceRate = 0.0;
    out->normal = hwMakeVec3(0.0, 0.0, 1.0);
    if (waves) {
        hwWaves_GetSurface(&environment->waves, point.x, point.y, time, wave);
        wave->rate = growth.x * wave->rate + growth.y * wave->elevation;
        wave->elevation *= growth.x;
        wave->slopeX *= growth.x;
        wave->slopeY *= growth.x;
        if (def->flatSurface) wave->elevation = wave->rate = wave->slopeX = wave->slopeY = 0.0;
        out->surface += wave->elevation;
        out->surfaceRate = wave->rate;
        out->normal = hwNormalize(hwMakeVec3(-wave->slopeX, -wave->slopeY, 1.0));
    }
    bool wet = point.z <= out->surface;
    AddFlow(environment, wet, current, wind, point, out);
    if (wet && waves) {
        hwVec3 velocity, acceleration;
        hwWaves_GetFlow(&environment->waves, wave, point.z - def->surface, &velocity, &acceleration);
        out->velocity = hwMulAdd(out->velocity, growth.x, velocity);
        out->acceleration = hwMulAdd(hwMulAdd(out->acceleration, growth.x, acceleration), growth.y, velocity);
    }
}

#define BLOCK 64

// Gives the user's function those of a block's points that are in its fluid.
static void AddUserFlow(const hwFlowDef* flow, bool wet, int count, const hwVec3* points, double time,
                        hwFluidSample* out) {
    hwVec3 places[BLOCK], velocity[BLOCK], acceleration[BLOCK];
    int indices[BLOCK];
    int found = 0;
    for (int i = 0; i < count; i++) {
        if ((points[i].z <= out[i].surface) != wet) continue;
        indices[found] = i;
        places[found] = points[i];
        velocity[found] = out[i].velocity;
        acceleration[found] = out[i].acceleration;
        found += 1;
    }
    if (found == 0) return;
    flow->function(found, places, time, velocity, acceleration, flow->context);
    for (int i = 0; i < found; i++) {
        out[indices[i]].velocity = velocity[i];
        out[indices[i]].acceleration = acceleration[i];
    }
}

// Calm water without profiles: one sample for all that is under water and one for all that is not, if anything is.
static void SampleUniform(const hwEnvironment* environment, int count, const hwVec3* points, double time,
                          hwFluidSample* out) {
    const hwEnvironmentDef* def = &environment->def;
    hwFlowMoment current = hwFlow_GetMoment(&environment->current, time), wind;
    hwFluidSample wet, dry;
    bool dryKnown = false;
    hwVec3 low = hwMakeVec3(0.0, 0.0, -HUGE_VAL), high = hwMakeVec3(0.0, 0.0, HUGE_VAL);
    SampleFluid(environment, false, low, time, hwVec3_zero, &current, NULL, NULL, &wet);
    double surface = def->water ? def->surface : -HUGE_VAL;
    for (int i = 0; i < count; i++) {
        bool above = !(points[i].z <= surface);
        if (above && !dryKnown) {
            wind = hwFlow_GetMoment(&environment->wind, time);
            SampleFluid(environment, false, high, time, hwVec3_zero, &current, &wind, NULL, &dry);
            dryKnown = true;
        }
        out[i] = above ? dry : wet;
    }
}

static void SamplePoints(const hwEnvironment* environment, bool waves, int count, const hwVec3* points,
                         double time, hwWaveCell* cells, bool same, hwFluidSample* out) {
    const hwEnvironmentDef* def = &environment->def;
    hwFlowMoment current = hwFlow_GetMoment(&environment->current, time);
    hwFlowMoment wind = hwFlow_GetMoment(&environment->wind, time);
    hwVec3 growth = hwEnvironment_GetGrowth(environment, time);
    hwWavePoint wave;
    hwWaveCell* before = NULL;
    hwCellList list = {cells, cells != NULL ? cells + count : NULL};
    hwFluidSample calm; // under water, but for waves and surface
    bool level = cells != NULL && !same && IsUniform(&def->current);
    if (level) AddFlow(environment, true, &current, &wind, hwMakeVec3(0.0, 0.0, def->surface), &calm);
    bool alone = false; // each of the points before was in a cell of its own: then one by one is faster
    for (int i = 0; i < count; i++) {
        int found = 0, left = count - i;
        hwVec3 place = hwMakeVec3(points[i].x, points[i].y, points[i].z - def->surface);
        bool held = cells != NULL && hwWaves_HasCell(&environment->waves, place);
        if (level && held && before != NULL && !alone)
            found = SampleCellFour(environment, points + i, left, time, growth, &calm, cells + i, before,
                                   out + i);
        if (level && held && found == 0 && !alone) {
            hwWaveCell_Hold(&cells[i], list, &environment->waves, place, time, growth.x, def->flatSurface);
            before = &cells[i];
            found = SampleCellFour(environment, points + i, left, time, growth, &calm, cells + i, before,
                                   out + i);
            alone = found <= 1;
        }
        if (found > 0) {
            i += found - 1;
            continue;
        }
        if (held) {
            const hwWaveCell* last = before;
            before = SampleCell(environment, points[i], time, growth, &current, &wind, list, &cells[i],
                                before, same, &out[i]);
            alone = alone && before != last;
        } else {
            SampleFluid(environment, waves, points[i], time, growth, &current, &wind, &wave, &out[i]);
        }
    }
}

static void SampleEnvironment(const hwEnvironment* environment, bool waves, int count, const hwVec3* points,
                              double time, hwWaveCell* cells, bool same, hwFluidSample* out) {
    const hwEnvironmentDef* def = &environment->def;
    bool uniform = !waves && IsUniform(&def->current) && IsUniform(&def->wind);
    if (uniform) {
        SampleUniform(environment, count, points, time, out);
    } else {
        SamplePoints(environment, waves, count, points, time, cells, same, out);
    }
    if (def->current.function == NULL && def->wind.function == NULL) return;
    for (int i = 0; i < count; i += BLOCK) {
        int size = count - i < BLOCK ? count - i : BLOCK;
        if (def->current.function != NULL) AddUserFlow(&def->current, true, size, points + i, time, out + i);
        if (def->wind.function != NULL) AddUserFlow(&def->wind, false, size, points + i, time, out + i);
    }
}

void hwEnvironment_Sample(const hwEnvironment* environment, int count, const hwVec3* points, double time,
                          hwFluidSample* out) {
    SampleEnvironment(environment, environment->waves.count > 0, count, points, time, NULL, false, out);
}

bool hwEnvironment_HasCells(const hwEnvironment* environment) {
    return environment->waves.weights != NULL;
}

void hwEnvironment_SampleCells(const hwEnvironment* environment, int count, const hwVec3* points, double time,
                               hwWaveCell* cells, bool same, hwFluidSample* out) {
    SampleEnvironment(environment, environment->waves.count > 0, count, points, time, cells, same, out);
}

void hwEnvironment_SampleCalm(const hwEnvironment* environment, int count, const hwVec3* points, double time,
                              hwFluidSample* out) {
    SampleEnvironment(environment, false, count, points, time, NULL, false, out);
}

bool hwEnvironment_HasLee(const hwEnvironment* environment) {
    return environment->def.leeCount > 0;
}

void hwEnvironment_AddLee(const hwEnvironment* environment, hwVec3 extra, int count, const hwVec3* points,
                          double time, hwFluidSample* samples) {
    const hwEnvironmentDef* def = &environment->def;
    hwFlowMoment moment = hwFlow_GetMoment(&environment->current, time);
    for (int i = 0; i < count; i++) {
        if (points[i].z > samples[i].surface) continue;
        hwVec3 velocity, acceleration;
        hwFlow_Evaluate(&environment->current, &moment, points[i], &velocity, &acceleration);
        if (def->current.function != NULL)
            def->current.function(1, &points[i], time, &velocity, &acceleration, def->current.context);
        velocity = hwAdd(velocity, extra);
        double missing = 1.0 - hwLee_GetShare(def->leeCount, def->lees, velocity, points[i]);
        samples[i].velocity = hwMulAdd(samples[i].velocity, -missing, velocity);
        samples[i].acceleration = hwMulAdd(samples[i].acceleration, -missing, acceleration);
    }
}
