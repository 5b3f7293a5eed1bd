#include "env/check.h"

#include "base/error.h"
#include "env/flow.h"
#include "env/waves.h"

#include <limits.h>
#include <string.h>

#define NAME "environment"

// The first complaint counts; later checks then do nothing.
typedef struct Checker {
    hwStatus status;
    hwError* error;
} Checker;

static bool IsOpen(const Checker* checker) {
    return checker->status == HW_OK;
}

static void CheckFinite(Checker* checker, double value, const char* field, const char* what) {
    if (!IsOpen(checker) || isfinite(value)) return;
    checker->status = hwFailField(checker->error, HW_ERROR_ARGUMENT, NAME, field,
                                  "%s must be a finite number, it is %g", what, value);
}

static void CheckPositive(Checker* checker, double value, const char* field, const char* what) {
    if (!IsOpen(checker) || (value > 0.0 && isfinite(value))) return;
    checker->status =
        hwFailField(checker->error, HW_ERROR_ARGUMENT, NAME, field, "%s must be positive%s, it is %g", what,
                    value > 0.0 ? " and finite" : "", value);
}

static void NotNegative(Checker* checker, double value, const char* field, const char* what) {
    if (!IsOpen(checker) || (value >= 0.0 && isfinite(value))) return;
    checker->status = hwFailField(checker->error, HW_ERROR_ARGUMENT, NAME, field, "%s must be %s, it is %g",
                                  what, value >= 0.0 ? "finite" : "zero or positive", value);
}

static void CheckWithin(Checker* checker, double value, double low, double high, const char* field,
                        const char* what) {
    if (!IsOpen(checker) || (value >= low && value <= high)) return;
    checker->status = hwFailField(checker->error, HW_ERROR_ARGUMENT, NAME, field,
                                  "%s must be between %g and %g, it is %g", what, low, high, value);
}

#define COMPLAIN(checker, field, ...)                                                                        \
    ((checker)->status = hwFailField((checker)->error, HW_ERROR_ARGUMENT, NAME, field, __VA_ARGS__))

static void CheckFluids(Checker* checker, const hwEnvironmentDef* def) {
    NotNegative(checker, def->gravity, "gravity", "gravity");
    if (!IsOpen(checker) && def->gravity < 0.0) {
        hwFail_Hint(checker->error, "give its magnitude; it points down by itself");
    }
    CheckFinite(checker, def->surface, "surface", "water: the surface");
    if (def->water) {
        CheckPositive(checker, def->waterDensity, "waterDensity", "water: the density");
        CheckPositive(checker, def->waterViscosity, "waterViscosity", "water: the viscosity");
    }
    NotNegative(checker, def->airDensity, "airDensity", "air: the density");
    CheckPositive(checker, def->airViscosity, "airViscosity", "air: the viscosity");
}

static void CheckUniform(Checker* checker, const hwFlowDef* flow, const char* name) {
    hwError error;
    hwStatus status = IsOpen(checker) ? hwSignal_Check(&flow->uniform, &error) : HW_OK;
    if (status == HW_OK) return;
    checker->status =
        hwFailField(checker->error, status, NAME, "uniform", "%s: uniform: %s", name, error.message);
    hwFail_Inside(checker->error, name);
    hwFail_At(checker->error, error.index, (double)NAN);
}

static void CheckProfile(Checker* checker, const hwFlowDef* flow, const char* name, const char* level) {
    if (!IsOpen(checker)) return;
    if (flow->count == 0 && flow->timeCount != 0) {
        COMPLAIN(checker, "times", "%s: the profile has %d times but no rows", name, flow->timeCount);
        return;
    }
    if (flow->count == 0) return;
    if (flow->count < 0 || flow->levels == NULL || flow->velocities == NULL) {
        COMPLAIN(checker, "levels", "%s: the profile says it has %d rows but gives none", name, flow->count);
        hwFail_Inside(checker->error, name);
        return;
    }
    if (flow->timeCount < 0 || (flow->timeCount > 0 && flow->times == NULL)) {
        COMPLAIN(checker, "times", "%s: the profile says it has %d times but gives none", name,
                 flow->timeCount);
        return;
    }
    for (int i = 0; i < flow->timeCount; i++) {
        if (isfinite(flow->times[i]) && (i == 0 || flow->times[i] > flow->times[i - 1])) continue;
        COMPLAIN(checker, "times",
                 "%s: the profile's times must be finite and increase, but entry %d is %g s", name, i,
                 flow->times[i]);
        hwFail_At(checker->error, i, (double)NAN);
        return;
    }
    size_t entries = (size_t)flow->count * (size_t)flow->timeCount;
    for (size_t i = (size_t)flow->count; i < entries; i++) {
        if (hwIsFiniteVec3(flow->velocities[i])) continue;
        COMPLAIN(checker, "velocities",
                 "%s: the velocities of the profile must be finite numbers, entry %zu is not", name, i);
        hwFail_At(checker->error, (int)i, (double)NAN);
        return;
    }
    for (int i = 0; i < flow->count; i++) {
        if (!isfinite(flow->levels[i]) || !hwIsFiniteVec3(flow->velocities[i])) {
            COMPLAIN(checker, "levels",
                     "%s: %s and velocity of the profile must be finite numbers, in row %d they are not",
                     name, level, i);
        } else if (i > 0 && !(flow->levels[i] > flow->levels[i - 1])) {
            COMPLAIN(checker, "levels",
                     "%s: the profile's %s must increase, but row %d at %g m follows row %d at %g m", name,
                     level, i, flow->levels[i], i - 1, flow->levels[i - 1]);
        }
        if (!IsOpen(checker)) {
            hwFail_At(checker->error, i, (double)NAN);
            hwFail_Inside(checker->error, name);
            return;
        }
    }
}

// One axis of a grid; false: something is wrong with it.
static bool CheckAxis(Checker* checker, const char* name, const char* axis, int count, const double* list) {
    if (count < 1 || list == NULL) {
        COMPLAIN(checker, "grid", "%s: the grid needs at least one %s", name, axis);
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (isfinite(list[i]) && (i == 0 || list[i] > list[i - 1])) continue;
        COMPLAIN(checker, "grid", "%s: the grid's %s must be finite and increase, but entry %d is %g", name,
                 axis, i, list[i]);
        hwFail_At(checker->error, i, (double)NAN);
        return false;
    }
    return true;
}

#define MOST_GRID 100e6 // velocities

static void CheckGrid(Checker* checker, const hwFlowDef* flow, const char* name, const char* level) {
    const hwFlowGridDef* grid = &flow->grid;
    if (!IsOpen(checker) || grid->xCount == 0) return;
    double size =
        (double)grid->xCount * (double)grid->yCount * (double)grid->levelCount * (double)grid->timeCount;
    if (!CheckAxis(checker, name, "x", grid->xCount, grid->x) ||
        !CheckAxis(checker, name, "y", grid->yCount, grid->y) ||
        !CheckAxis(checker, name, level, grid->levelCount, grid->levels) ||
        !CheckAxis(checker, name, "time", grid->timeCount, grid->times)) {
        hwFail_Inside(checker->error, name);
        return;
    }
    if (size > MOST_GRID || grid->velocities == NULL) {
        COMPLAIN(checker, "grid", "%s: the grid must give its velocities, %g at most; its axes make %g", name,
                 MOST_GRID, size);
        hwFail_Inside(checker->error, name);
        return;
    }
    for (size_t i = 0; i < (size_t)size; i++) {
        if (hwIsFiniteVec3(grid->velocities[i])) continue;
        COMPLAIN(checker, "grid", "%s: the grid's velocities must be finite numbers, entry %zu is not", name,
                 i);
        hwFail_Inside(checker->error, name);
        return;
    }
}

static void CheckLees(Checker* checker, const hwEnvironmentDef* def) {
    if (!IsOpen(checker)) return;
    if (def->leeCount < 0 || (def->leeCount > 0 && def->lees == NULL)) {
        COMPLAIN(checker, "lees", "current: the def says it has %d obstacles but gives none", def->leeCount);
        return;
    }
    if (def->leeCount > 0 && !def->water) {
        COMPLAIN(checker, "lees", "current: there is no water for a lee");
        return;
    }
    for (int i = 0; i < def->leeCount && IsOpen(checker); i++) {
        const hwLeeDef* lee = &def->lees[i];
        bool finite = hwIsFiniteVec3(lee->from) && hwIsFiniteVec3(lee->to) && hwIsFiniteVec3(lee->edges[0]) &&
                      hwIsFiniteVec3(lee->edges[1]);
        if (lee->kind != HW_LEE_WAKE && lee->kind != HW_LEE_SHADOW) {
            COMPLAIN(checker, "lees[].kind", "current: there is no kind %d of lee", (int)lee->kind);
        } else if (!finite) {
            COMPLAIN(checker, "lees[].from", "current: the place of an obstacle must be finite");
        }
        NotNegative(checker, lee->diameter, "lees[].diameter", "current: the width of an obstacle");
        double edges = hwLength(lee->edges[0]) + hwLength(lee->edges[1]);
        if (IsOpen(checker) && !(lee->diameter + edges > 0.0))
            COMPLAIN(checker, "lees[].diameter", "current: an obstacle has no width");
        if (lee->kind == HW_LEE_WAKE) {
            CheckPositive(checker, lee->drag, "lees[].drag", "current: the drag coefficient of an obstacle");
            CheckWithin(checker, lee->drag, 0.0, 2.0, "lees[].drag",
                        "current: the drag coefficient of an obstacle");
        } else {
            CheckPositive(checker, lee->length, "lees[].length", "current: the length of a shadow");
        }
        if (!IsOpen(checker)) hwFail_At(checker->error, i, (double)NAN);
    }
}

static bool IsFlowing(const hwFlowDef* flow) {
    return flow->uniform.termCount != 0 || flow->count != 0 || flow->grid.xCount != 0 ||
           flow->function != NULL;
}

static void CheckFlows(Checker* checker, const hwEnvironmentDef* def) {
    if (IsOpen(checker) && IsFlowing(&def->current) && !def->water) {
        COMPLAIN(checker, "current", "current: there is no water that could flow");
        hwFail_Hint(checker->error, "add water, or leave the current out");
    }
    if (IsOpen(checker) && def->current.gust != 0.0)
        COMPLAIN(checker, "current.gust", "current: only the wind can have a gust");
    CheckUniform(checker, &def->current, "current");
    CheckProfile(checker, &def->current, "current", "depth");
    CheckGrid(checker, &def->current, "current", "depth");
    CheckLees(checker, def);
    CheckUniform(checker, &def->wind, "wind");
    CheckProfile(checker, &def->wind, "wind", "height");
    CheckGrid(checker, &def->wind, "wind", "height");
    CheckWithin(checker, def->wind.gust, 0.0, 1.0, "wind.gust",
                "wind: the gust (standard deviation over mean speed)");
    if (IsOpen(checker) && def->wind.gust > 0.0 && !(hwComputeMeanSpeed(&def->wind) > 0.0)) {
        COMPLAIN(
            checker, "wind.gust",
            "wind: a gust needs a mean wind, but neither uniform nor profile blows 10 m above the surface in "
            "the first hour");
    }
}

// Wave periods outside this range (s) are slips of the pen.
#define SHORTEST 1e-2
#define LONGEST 1e5

static void CheckAiry(Checker* checker, const hwEnvironmentDef* def) {
    if (!IsOpen(checker)) return;
    if (def->airyCount < 0 || (def->airyCount > 0 && def->airy == NULL)) {
        COMPLAIN(checker, "airy", "waves: the def says it has %d regular waves but gives none",
                 def->airyCount);
        return;
    }
    for (int i = 0; i < def->airyCount && IsOpen(checker); i++) {
        const hwAiryDef* airy = &def->airy[i];
        NotNegative(checker, airy->height, "airy[].height", "waves: the height of a regular wave");
        CheckPositive(checker, airy->period, "airy[].period", "waves: the period of a regular wave");
        CheckWithin(checker, airy->period, SHORTEST, LONGEST, "airy[].period",
                    "waves: the period of a regular wave");
        CheckFinite(checker, airy->direction, "airy[].direction", "waves: the direction of a regular wave");
        CheckFinite(checker, airy->phase, "airy[].phase", "waves: the phase of a regular wave");
        if (!IsOpen(checker)) hwFail_At(checker->error, i, (double)NAN);
    }
}

static bool IsName(const char* name) {
    if (name == NULL || name[0] == 0 || strlen(name) > 63) return false;
    for (; *name != 0; name++) {
        bool word = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                    (*name >= '0' && *name <= '9') || *name == '_' || *name == '-';
        if (!word) return false;
    }
    return true;
}

static void CheckGauges(Checker* checker, const hwEnvironmentDef* def) {
    if (!IsOpen(checker)) return;
    if (def->gaugeCount < 0 || (def->gaugeCount > 0 && def->gauges == NULL)) {
        COMPLAIN(checker, "gauges", "waves: the def says it has %d gauges but gives none", def->gaugeCount);
        return;
    }
    for (int i = 0; i < def->gaugeCount && IsOpen(checker); i++) {
        const hwWaveGaugeDef* gauge = &def->gauges[i];
        if (!IsName(gauge->name)) {
            COMPLAIN(checker, "gauges[].name", "waves: gauge %d needs a name of letters, digits, _ and -", i);
        }
        for (int j = 0; j < i && IsOpen(checker); j++) {
            if (strcmp(def->gauges[j].name, gauge->name) != 0) continue;
            COMPLAIN(checker, "gauges[].name", "waves: there are two gauges called %s", gauge->name);
        }
        CheckFinite(checker, gauge->x, "gauges[].x", "waves: the place of a gauge");
        CheckFinite(checker, gauge->y, "gauges[].y", "waves: the place of a gauge");
        if (!IsOpen(checker)) hwFail_At(checker->error, i, (double)NAN);
    }
}

static void CheckJonswap(Checker* checker, const hwJonswapDef* sea) {
    NotNegative(checker, sea->hs, "jonswap.hs", "waves: the significant height");
    if (sea->hs == 0.0) return;
    CheckPositive(checker, sea->tp, "jonswap.tp", "waves: the peak period");
    CheckWithin(checker, sea->tp, SHORTEST, LONGEST, "jonswap.tp", "waves: the peak period");
    CheckWithin(checker, sea->gamma, 1.0, 20.0, "jonswap.gamma", "waves: the peak enhancement gamma");
    CheckFinite(checker, sea->direction, "jonswap.direction", "waves: the mean direction");
    NotNegative(checker, sea->spreading, "jonswap.spreading", "waves: the spreading");
    if (IsOpen(checker) && sea->components < 1) {
        COMPLAIN(checker, "jonswap.components", "waves: a random sea needs at least one component, it has %d",
                 sea->components);
    }
}

static void CheckSea(Checker* checker, const hwSeaDef* sea) {
    if (sea->count < 2 || sea->frequencies == NULL || sea->densities == NULL) {
        COMPLAIN(checker, "seas[].count", "waves: a spectrum needs two rows or more, it has %d", sea->count);
        return;
    }
    for (int i = 0; i < sea->count && IsOpen(checker); i++) {
        CheckWithin(checker, sea->frequencies[i], 2.0 * HW_PI / LONGEST, 2.0 * HW_PI / SHORTEST,
                    "seas[].frequencies", "waves: a frequency of the spectrum, rad/s,");
        NotNegative(checker, sea->densities[i], "seas[].densities", "waves: a density of the spectrum");
        if (IsOpen(checker) && i > 0 && !(sea->frequencies[i] > sea->frequencies[i - 1])) {
            COMPLAIN(checker, "seas[].frequencies",
                     "waves: the frequencies of a spectrum must increase, but %g follows %g rad/s",
                     sea->frequencies[i], sea->frequencies[i - 1]);
        }
    }
    CheckFinite(checker, sea->direction, "seas[].direction", "waves: the mean direction");
    NotNegative(checker, sea->spreading, "seas[].spreading", "waves: the spreading");
    if (IsOpen(checker) && sea->components < 1) {
        COMPLAIN(checker, "seas[].components", "waves: a random sea needs at least one component, it has %d",
                 sea->components);
    }
}

static void CheckWaves(Checker* checker, const hwEnvironmentDef* def) {
    CheckAiry(checker, def);
    CheckGauges(checker, def);
    CheckJonswap(checker, &def->jonswap);
    if (IsOpen(checker) && (def->seaCount < 0 || (def->seaCount > 0 && def->seas == NULL))) {
        COMPLAIN(checker, "seas", "waves: the def says it has %d seas but gives none", def->seaCount);
    }
    for (int i = 0; i < def->seaCount && IsOpen(checker); i++) {
        CheckSea(checker, &def->seas[i]);
        if (!IsOpen(checker)) hwFail_At(checker->error, i, (double)NAN);
    }
    if (!IsOpen(checker)) return;
    int64_t count = (int64_t)def->airyCount + (def->jonswap.hs > 0.0 ? def->jonswap.components : 0);
    for (int i = 0; i < def->seaCount; i++) count += def->seas[i].components;
    NotNegative(checker, def->waveRamp, "waveRamp", "waves: the time over which they grow");
    CheckFinite(checker, def->waveStart, "waveStart", "waves: the time from which they grow");
    if (count == 0) return;
    if (!def->water) {
        COMPLAIN(checker, def->airyCount > 0 ? "airy" : "jonswap", "waves: there is no water for them");
        hwFail_Hint(checker->error, "add water, or leave the waves out");
    } else if (!(def->gravity > 0.0)) {
        COMPLAIN(checker, "gravity", "waves: gravity must be positive where there are waves, it is %g",
                 def->gravity);
    } else if (count > HW_MAX_WAVES) {
        checker->status = hwFailField(
            checker->error, HW_ERROR_LIMIT, NAME, "jonswap.components",
            "waves: there may be at most %d components, regular waves included, but there are %lld",
            HW_MAX_WAVES, (long long)count);
    }
}

static void CheckSeabed(Checker* checker, const hwSeabedDef* seabed) {
    if (!IsOpen(checker)) return;
    switch (seabed->kind) {
    case HW_SEABED_NONE:
        return;
    case HW_SEABED_PLANE:
        CheckFinite(checker, seabed->depth, "seabed.depth", "seabed: the depth");
        break;
    case HW_SEABED_HEIGHTFIELD:
        NotNegative(checker, seabed->depth, "seabed.depth", "seabed: the depth for waves");
        if (!IsOpen(checker)) return;
        if (seabed->columns < 2 || seabed->rows < 2 || seabed->heights == NULL) {
            COMPLAIN(checker, "seabed.heights",
                     "seabed: a heightfield needs at least 2 x 2 heights, it has %d x %d",
                     seabed->heights == NULL ? 0 : seabed->columns,
                     seabed->heights == NULL ? 0 : seabed->rows);
        } else if (seabed->columns > INT_MAX / seabed->rows) {
            checker->status = hwFailField(checker->error, HW_ERROR_LIMIT, NAME, "seabed.heights",
                                          "seabed: a heightfield may have at most %d heights, it has %d x %d",
                                          INT_MAX, seabed->columns, seabed->rows);
        }
        break;
    case HW_SEABED_MESH:
        NotNegative(checker, seabed->depth, "seabed.depth", "seabed: the depth for waves");
        if (!IsOpen(checker)) return;
        if (seabed->mesh.vertexCount < 3 || seabed->mesh.triangleCount < 1 || seabed->mesh.vertices == NULL ||
            seabed->mesh.triangles == NULL) {
            COMPLAIN(checker, "seabed.mesh", "seabed: a mesh needs at least one triangle");
        }
        break;
    default:
        COMPLAIN(checker, "seabed.kind", "seabed: there is no kind %d of seabed", (int)seabed->kind);
        return;
    }
    NotNegative(checker, seabed->stiffness, "seabed.stiffness", "seabed: the stiffness");
    NotNegative(checker, seabed->damping, "seabed.damping", "seabed: the damping");
    NotNegative(checker, seabed->friction, "seabed.friction", "seabed: the friction");
}

hwStatus hwCheckEnvironmentDef(const hwEnvironmentDef* def, hwError* error) {
    if (def == NULL || def->cookie != HW_ENVIRONMENT_COOKIE) {
        return hwFail(error, HW_ERROR_ARGUMENT, NAME, "the def does not come from hwDefaultEnvironmentDef");
    }
    Checker checker = {HW_OK, error};
    CheckFluids(&checker, def);
    CheckFlows(&checker, def);
    CheckWaves(&checker, def);
    CheckSeabed(&checker, &def->seabed);
    return checker.status;
}
