// What a scene was understood to be: masses, weights in water, periods and time scales in plain numbers, and warnings of
// values that are allowed but rarely meant.
#define _POSIX_C_SOURCE 200809L
#include "scene_model.h"

#include "hawser/shape.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THICKEST 1.0              // m, of a cable
#define SOFTEST 1e6               // Pa, less than rubber
#define STIFFEST 1.2e12           // Pa, more than diamond
#define LARGEST_ADDED_MASS 1e3    // times the mass
#define STEEPEST_WAVE 0.142       // height over length times tanh(kd), where it breaks (Miche 1944)
#define STEEPEST_SEA (1.0 / 12.0) // hs over length by tp; seas keep below 1/15 (DNV-RP-C205)

typedef struct Describer {
    const hwScene* scene;
    const hwWorld* world;
    hwLogFn* log;
    void* logContext;
    FILE* file;
    double gravity, water; // kg/m3; 0: a dry scene
} Describer;

static void Warn(const Describer* d, int line, const char* format, ...) __attribute__((format(printf, 3, 4)));

static void Warn(const Describer* d, int line, const char* format, ...) {
    char text[400];
    va_list arguments;
    if (d->log == NULL) return;
    int used = line > 0 ? snprintf(text, sizeof(text), "line %d: ", line) : 0;
    va_start(arguments, format);
    vsnprintf(text + used, sizeof(text) - (size_t)used, format, arguments);
    va_end(arguments);
    d->log(HW_LOG_WARNING, text, d->logContext);
}

// Bodies, links, vehicles -------------------------------------------------------------------------------------------------

static double GetVolume(const hwBodyDef* def) {
    if (def->hydro.volume >= 0.0) return def->hydro.volume;
    double volume = 0.0;
    for (int i = 0; i < def->shapeCount; i++) {
        hwMassProperties mass;
        hwError error;
        if (hwShape_ComputeMassProperties(&def->shapes[i], &mass, &error) == HW_OK) volume += mass.volume;
    }
    return volume;
}

static bool HasDrag(const hwHydroDef* hydro) {
    for (int i = 0; i < 6; i++) {
        if (hydro->linearDrag[i] != 0.0 || hydro->quadraticDrag[i] != 0.0) return true;
    }
    return hydro->stripCount > 0 || hydro->liftCount > 0 || hydro->sphereDrag > 0.0 || hydro->skinArea > 0.0;
}

static void CheckAddedMass(const Describer* d, const char* name, int line, const hwBodyDef* def) {
    double largest = 0.0;
    for (int i = 0; i < 3; i++) largest = hwFmax(largest, def->hydro.addedMass[i][i]);
    if (largest > LARGEST_ADDED_MASS * def->mass) {
        Warn(d, line,
             "the added mass of `%s`, %g kg, is %.3g times its mass: steps will collapse; a body's is of the "
             "order of "
             "the water it displaces",
             name, largest, largest / def->mass);
    }
}

// One row of the table of bodies.
static void PutBody(const Describer* d, const char* name, int line, const hwBodyDef* def, bool estimated) {
    double volume = GetVolume(def), weight = def->mass * d->gravity;
    fprintf(d->file, "            %-20s %10.6g kg, %.6g kN", name, def->mass, 1e-3 * weight);
    if (d->water > 0.0 && volume > 0.0) {
        double wet = weight - d->water * d->gravity * volume;
        fprintf(d->file, ", %.6g m3, %.6g kN in water%s", volume, 1e-3 * wet, wet < 0.0 ? ": floats" : "");
    }
    if (estimated) fputs(", drag and added mass from its shapes", d->file);
    fputs("\n", d->file);
    if (d->water > 0.0 && volume > 0.0 && def->hydroFn == NULL && !HasDrag(&def->hydro)) {
        Warn(d, line, "`%s` displaces water but has no drag: give it `drag`, or `hydro_from_shapes: true`",
             name);
    }
    CheckAddedMass(d, name, line, def);
}

static double ReadOf(const hwWorld* world, const char* object, const char* what) {
    char name[200];
    snprintf(name, sizeof(name), "%s.%s", object, what);
    return hwWorld_ReadChannel(world, hwWorld_FindChannel(world, name));
}

static void DescribeBodies(const Describer* d) {
    const hwSceneModel* model = &d->scene->model;
    bool first = true;
    for (int i = 0; i < model->bodies.count; i++) {
        const hwSceneBody* body = HW_ITEM(model->bodies, hwSceneBody, i);
        const hwBodyDef* def = hwBody_GetDef(d->world, hwWorld_FindBody(d->world, body->name));
        if (def == NULL || def->motion != HW_MOTION_FREE) continue;
        if (first) fputs("  bodies\n", d->file);
        first = false;
        PutBody(d, body->name, body->place.line, def, body->hydro.fromShapes);
    }
    for (int i = 0; i < model->mechanisms.count; i++) {
        const hwSceneMechanism* mechanism = HW_ITEM(model->mechanisms, hwSceneMechanism, i);
        double mass = 0.0;
        for (int k = 0; k < mechanism->links.count; k++)
            mass += HW_ITEM(mechanism->links, hwSceneLink, k)->mass;
        fprintf(d->file, "  mechanism %-20s %10.6g kg in %d link%s\n", mechanism->name, mass,
                mechanism->links.count, mechanism->links.count == 1 ? "" : "s");
        const hwSceneCapacity* chart = &mechanism->capacity;
        if (chart->place.line > 0)
            fprintf(d->file,
                    "            may carry %g kN at %g m to %g kN at %g m on %s, now at %.4g m, use %.3g\n",
                    1e-3 * chart->load.values[0], chart->radius.values[0],
                    1e-3 * chart->load.values[chart->load.count - 1],
                    chart->radius.values[chart->radius.count - 1], chart->cable.text,
                    ReadOf(d->world, mechanism->name, "capacity.radius"),
                    ReadOf(d->world, mechanism->name, "capacity.use"));
    }
}

// Cables ------------------------------------------------------------------------------------------------------------------

typedef struct CableNumbers {
    double length, mass, wetWeight; // m, kg, N of all of it
    double flexibility;             // m/N, of all of it
    double crossing;                // s, the shortest in which a wave of tension crosses an element
    double element;                 // m, that element
} CableNumbers;

static void CheckSection(const Describer* d, const char* name, const hwSceneCableSection* section) {
    double area = 0.25 * HW_PI * section->diameter * section->diameter;
    int line = section->place.line;
    if (section->diameter > THICKEST) {
        Warn(d, line, "cable `%s` is %g m thick: `diameter` is in m", name, section->diameter);
    }
    if (!(area > 0.0) || !(section->EA > 0.0) || !isfinite(section->EA)) return;
    double modulus = section->EA / area;
    if (modulus < SOFTEST) {
        Warn(d, line,
             "`EA` of cable `%s`, %g N, is a modulus of %.3g MPa at its diameter of %g m, softer than "
             "rubber: `EA` is in "
             "N, not kN",
             name, section->EA, 1e-6 * modulus, section->diameter);
    } else if (modulus > STIFFEST) {
        Warn(
            d, line,
            "`EA` of cable `%s`, %g N, is a modulus of %.3g GPa at its diameter of %g m, more than diamond's",
            name, section->EA, 1e-9 * modulus, section->diameter);
    }
}

static CableNumbers SumSections(const Describer* d, const hwSceneCable* cable) {
    CableNumbers sum = {.crossing = HUGE_VAL};
    for (int i = 0; i < cable->sections.count; i++) {
        const hwSceneCableSection* section = HW_ITEM(cable->sections, hwSceneCableSection, i);
        double area = 0.25 * HW_PI * section->diameter * section->diameter;
        double perLength = section->massPerLength > 0.0 ? section->massPerLength : section->density * area;
        if (section->growth.place.line > 0) {
            double thick = section->diameter + 2.0 * section->growth.thickness,
                   layer = 0.25 * HW_PI * thick * thick - area;
            perLength += section->growth.density * layer;
            area += layer;
        }
        CheckSection(d, cable->name, section);
        sum.length += section->length;
        sum.mass += perLength * section->length;
        sum.wetWeight += (perLength - d->water * area) * d->gravity * section->length;
        if (!(section->EA > 0.0) || !isfinite(section->EA)) continue;
        sum.flexibility += section->length / section->EA;
        double element = section->length / (section->elements > 0 ? section->elements : 1);
        double crossing = element * sqrt(perLength / section->EA);
        if (crossing < sum.crossing) {
            sum.crossing = crossing;
            sum.element = element;
        }
    }
    return sum;
}

// Mass that hangs on the end of a cable with what moves along with it; 0: nothing free.
static double GetEndMass(const Describer* d, const hwSceneEnd* end) {
    hwBodyId id = end->on.text != NULL ? hwWorld_FindBody(d->world, end->on.text) : (hwBodyId){0};
    const hwBodyDef* def = hwBody_GetDef(d->world, id);
    if (def == NULL || def->motion != HW_MOTION_FREE) return 0.0;
    double added = d->water > 0.0 ? def->hydro.addedMass[2][2] : 0.0;
    return def->mass + added;
}

static void DescribeCable(const Describer* d, const hwSceneCable* cable) {
    CableNumbers sum = SumSections(d, cable);
    fprintf(d->file, "            %-20s %10.6g m, %.6g kg", cable->name, sum.length, sum.mass);
    // what rounding leaves of a neutral cable is nothing
    double wet = fabs(sum.wetWeight) > 1e-9 * sum.mass * d->gravity ? sum.wetWeight : 0.0;
    if (d->water > 0.0) fprintf(d->file, ", %.6g kN in water", 1e-3 * wet);
    if (sum.flexibility > 0.0) fprintf(d->file, ", %.4g kN/m", 1e-3 / sum.flexibility);
    fputs("\n", d->file);
    double a = GetEndMass(d, &cable->ends.a), b = GetEndMass(d, &cable->ends.b);
    double moving = a > 0.0 && b > 0.0 ? a * b / (a + b) : a + b;
    if (moving > 0.0 && sum.flexibility > 0.0) {
        // a third of the cable's mass moves with a load on one end (Rayleigh)
        double load = moving + (a > 0.0 && b > 0.0 ? 0.0 : sum.mass / 3.0);
        fprintf(d->file, "            %-20s bounces with a period of %.3g s", "",
                2.0 * HW_PI * sqrt(load * sum.flexibility));
        if (!(a > 0.0 && b > 0.0) && d->gravity > 0.0)
            fprintf(d->file, ", swings with %.3g s", 2.0 * HW_PI * sqrt(sum.length / d->gravity));
        fputs("\n", d->file);
    }
    if (isfinite(sum.crossing) && sum.crossing > 0.0) {
        fprintf(d->file, "            %-20s tension crosses an element of %.3g m in %.3g ms\n", "",
                sum.element, 1e3 * sum.crossing);
    }
}

// Waves that would break --------------------------------------------------------------------------------------------------

// Wave number by omega^2 = g k tanh(k depth); depth 0: deep water.
static double FindWaveNumber(double omega, double g, double depth) {
    double deep = omega * omega / g, k = deep;
    if (!(depth > 0.0)) return deep;
    // k tanh(k depth) is convex and grows with k: Newton's method from above
    k = hwFmax(deep, omega / sqrt(g * depth));
    for (int i = 0; i < 50; i++) {
        double t = hwTanh(k * depth);
        k -= (k * t - deep) / (t + k * depth * (1.0 - t * t));
    }
    return k;
}

static void CheckWaves(const Describer* d, const hwSceneEnvironment* environment) {
    if (!(d->gravity > 0.0)) return;
    double depth = environment->def.seabed.kind != HW_SEABED_NONE ? environment->def.seabed.depth : 0.0;
    for (int i = 0; i < environment->waves.count; i++) {
        const hwSceneWaves* waves = HW_ITEM(environment->waves, hwSceneWaves, i);
        for (int k = 0; k < waves->airy.count; k++) {
            const hwSceneAiry* airy = HW_ITEM(waves->airy, hwSceneAiry, k);
            double number = FindWaveNumber(2.0 * HW_PI / airy->def.period, d->gravity, depth);
            double length = 2.0 * HW_PI / number, highest = STEEPEST_WAVE * length;
            if (depth > 0.0) highest *= hwTanh(number * depth);
            if (airy->def.height > highest)
                Warn(d, airy->place.line,
                     "a wave of %g s and %g m height, %.3g m long, would break: it can be %.3g m high",
                     airy->def.period, airy->def.height, length, highest);
        }
        const hwJonswapDef* sea = &waves->jonswap.def;
        double length = sea->tp * sea->tp * d->gravity / (2.0 * HW_PI);
        if (waves->jonswap.place.line > 0 && sea->hs > STEEPEST_SEA * length)
            Warn(d, waves->jonswap.place.line,
                 "`hs` of %g m at a `tp` of %g s is steeper than any sea: %.3g of the wave length by `tp`",
                 sea->hs, sea->tp, sea->hs / length);
    }
}

static void CheckEvents(const Describer* d) {
    const hwSceneModel* model = &d->scene->model;
    bool goesOn = model->start.state != NULL; // events before the saved state have happened
    double start = goesOn ? model->start.stateTime : model->start.time, end = start + model->duration;
    for (int i = 0; i < model->events.count; i++) {
        const hwSceneEvent* event = HW_ITEM(model->events, hwSceneEvent, i);
        if (event->at < start && !goesOn)
            Warn(d, event->place.line, "an event at %g s never happens: the scene starts at %g s", event->at,
                 start);
        if (event->at > end)
            Warn(d, event->place.line, "an event at %g s never happens: the scene ends at %g s", event->at,
                 end);
    }
}

// What a current on a grid covers, and which obstacles have a lee.
static void DescribeCurrent(const Describer* d, const hwSceneFlow* current) {
    const hwFlowGridDef* grid = &current->grid;
    if (grid->xCount > 0) {
        double fastest = 0.0;
        size_t points =
            (size_t)grid->xCount * (size_t)grid->yCount * (size_t)grid->levelCount * (size_t)grid->timeCount;
        for (size_t i = 0; i < points; i++) fastest = hwFmax(fastest, hwLength(grid->velocities[i]));
        const double* lists[4] = {grid->x, grid->y, grid->levels, grid->times};
        const int counts[4] = {grid->xCount, grid->yCount, grid->levelCount, grid->timeCount};
        static const char* const names[4] = {"x", "y", "depth", "time"};
        fprintf(d->file, "  current   on a grid, up to %.4g m/s\n", fastest);
        for (int i = 0; i < 4; i++) {
            if (counts[i] == 1) {
                fprintf(d->file, "            %-6s the same everywhere\n", names[i]);
                continue;
            }
            fprintf(d->file, "            %-6s %d values from %g to %g %s, beyond as at the edge\n", names[i],
                    counts[i], lists[i][0], lists[i][counts[i] - 1], i == 3 ? "s" : "m");
        }
    }
    for (int i = 0; i < current->lees.count; i++) {
        const hwSceneLee* lee = HW_ITEM(current->lees, hwSceneLee, i);
        bool wake = lee->model == HW_LEE_WAKE;
        fprintf(d->file, "  lee       behind %s: %s", lee->behind.text, wake ? "wake" : "shadow");
        if (wake) fprintf(d->file, ", drag coefficient %g", lee->drag);
        fputs("\n", d->file);
    }
}

char* hwScene_Describe(const hwScene* scene, const hwWorld* world, hwLogFn* log, void* logContext) {
    char* text = NULL;
    size_t size = 0;
    const hwSceneModel* model = &scene->model;
    const hwEnvironmentDef* environment = &model->environment.def;
    Describer d = {.scene = scene,
                   .world = world,
                   .log = log,
                   .logContext = logContext,
                   .file = open_memstream(&text, &size),
                   .gravity = model->environment.gravity,
                   .water = environment->water ? environment->waterDensity : 0.0};
    if (d.file == NULL) return NULL;
    CheckWaves(&d, &model->environment);
    CheckEvents(&d);
    DescribeCurrent(&d, &model->environment.current);
    DescribeBodies(&d);
    if (model->cables.count > 0) fputs("  cables\n", d.file);
    for (int i = 0; i < model->cables.count; i++) DescribeCable(&d, HW_ITEM(model->cables, hwSceneCable, i));
    if (fclose(d.file) == 0) return text;
    free(text);
    return NULL;
}
