// hawser check VEHICLE: what a vehicle's file says, and what it leaves out.
#include "apps/cli/cli.h"
#include "apps/cli/vehicle_operand.h"
#include "hawser/hawser.h"
#include "hawser/vehicle_type.h"

#include <math.h>
#include <string.h>

#define SEA_WATER 1025.0 // kg/m3
#define FRAME (1.0 / 60.0)
#define TRIAL 20.0 // s that it is left to itself, to see how it lies
#define TILTED 5.0 // degrees: more than this is told
#define MOST_LINKS 256

bool hwCli_IsBuiltInVehicle(const char* name) {
    for (int i = 0; i < hwVehicleType_GetBuiltInCount(); ++i) {
        if (strcmp(name, hwVehicleType_GetBuiltIn(i)) == 0) return true;
    }
    return false;
}

bool hwCli_IsVehicleFile(const char* path) {
    FILE* file = fopen(path, "r");
    char line[400];
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof(line), file) != NULL) {
        if (line[0] == '#' || line[0] == '\n') continue;
        found = strncmp(line, "hawser_vehicle:", 15) == 0;
        if (line[0] != ' ' && !found && strncmp(line, "---", 3) != 0) break;
    }
    if (file != NULL) fclose(file);
    return found;
}

typedef struct Trial {
    hwWorld* world;
    hwVehicleId vehicle;
    double pitch, roll; // degrees, left to itself
} Trial;

// The vehicle by itself, 20 m down.
static bool Try(const hwVehicleType* type, Trial* trial, hwError* error) {
    hwWorldDef worldDef = hwDefaultWorldDef();
    trial->world = hwCreateWorld(&worldDef, error);
    hwEnvironmentDef sea = hwDefaultEnvironmentDef();
    sea.water = true;
    sea.waterDensity = SEA_WATER;
    hwVehicleDef def = hwVehicleType_GetDef(type);
    def.body.name = "vehicle";
    def.body.position = hwMakeVec3(0.0, 0.0, -20.0);
    if (trial->world == NULL || hwWorld_SetEnvironment(trial->world, &sea, error) != HW_OK) return false;
    trial->vehicle = hwVehicleType_Add(type, &def, trial->world, error);
    if (HW_IS_NULL(trial->vehicle) || hwWorld_Prepare(trial->world, error) != HW_OK) return false;
    for (int i = 0; i < (int)(TRIAL / FRAME); ++i) {
        if (hwWorld_Step(trial->world, FRAME, error) < HW_OK) return false;
        hwVehicleState state;
        if (hwVehicle_GetState(trial->world, trial->vehicle, &state, error) != HW_OK) return false;
        trial->pitch = state.pitch / HW_DEGREE;
        trial->roll = state.roll / HW_DEGREE;
        // at the surface it lies differently
        if (state.depth < 2.0) break;
    }
    return true;
}

static double SumMass(const hwWorld* world, double* volume, int* links) {
    hwBodyId bodies[MOST_LINKS];
    int count = hwWorld_GetBodies(world, MOST_LINKS, bodies);
    double mass = 0.0;
    *volume = 0.0;
    for (int i = 0; i < count && i < MOST_LINKS; ++i) {
        const hwBodyDef* def = hwBody_GetDef(world, bodies[i]);
        mass += def->mass;
        *volume += def->hydro.volume;
    }
    *links = count - 1;
    return mass;
}

// Speed at which the drag along x takes all of `thrust`.
static double FindSpeed(const hwHydroDef* hydro, double thrust) {
    double a = hydro->quadraticDrag[0], b = hydro->linearDrag[0];
    if (!(a > 0.0)) return b > 0.0 ? thrust / b : (double)INFINITY;
    return (-b + sqrt(b * b + 4.0 * a * thrust)) / (2.0 * a);
}

// Both ways of each axis: thrusters push harder than they pull.
static void PrintThrust(const Trial* trial, const hwVehicleDef* def, const hwVehicleLook* look) {
    static const char* const ways[6][2] = {{"ahead", "astern"},    {"to port", "to starboard"},
                                           {"up", "down"},         {"roll to starboard", "to port"},
                                           {"bow down", "bow up"}, {"yaw to port", "to starboard"}};
    printf("  thrust    %d thrusters", def->thrusterCount);
    for (int i = 0; i < 6; ++i) {
        double most[2];
        for (int k = 0; k < 2; ++k) most[k] = hwVehicle_GetAuthority(trial->world, trial->vehicle, i, k == 0);
        if (!(most[0] > 0.0) && !(most[1] > 0.0)) continue;
        printf("%s%s %.4g, %s %.4g %s",
               i == 3   ? "\n            "
               : i == 0 ? ": "
                        : "; ",
               ways[i][0], most[0], ways[i][1], most[1], i < 3 ? "N" : "N m");
    }
    printf("\n");
    double ahead = hwVehicle_GetAuthority(trial->world, trial->vehicle, 0, true);
    double speed = FindSpeed(&def->body.hydro, ahead);
    if (ahead > 0.0 && isfinite(speed)) {
        printf("  speed     %.2f m/s where static thrust ahead equals the drag of the hull", speed);
        if (look->topSpeed > 0.0) printf("; the file says %.2f m/s", look->topSpeed);
        printf("\n");
    }
}

// One line for each thing that is not there, and what follows.
static void PrintMissing(const hwVehicleType* type, const Trial* trial) {
    hwVehicleDef def = hwVehicleType_GetDef(type);
    const hwVehicleLook* look = hwVehicleType_GetLook(type);
    const hwAutopilotDef* pilot = &def.autopilot;
    hwVec3 point;
    bool tether = hwVehicle_FindPoint(trial->world, trial->vehicle, "tether", &point);
    bool sways = hwVehicle_GetAuthority(trial->world, trial->vehicle, 1, true) > 0.0;
    bool heaves = hwVehicle_GetAuthority(trial->world, trial->vehicle, 2, true) > 0.0;
    bool yaws = hwVehicle_GetAuthority(trial->world, trial->vehicle, 5, true) > 0.0;
    bool rolls = hwVehicle_GetAuthority(trial->world, trial->vehicle, 3, true) > 0.0 ||
                 hwVehicle_GetAuthority(trial->world, trial->vehicle, 4, true) > 0.0;
    double drag = 0.0, added = 0.0;
    for (int i = 0; i < 6; ++i) {
        drag += def.body.hydro.linearDrag[i] + def.body.hydro.quadraticDrag[i];
        added += def.body.hydro.addedMass[i][i];
    }
    drag += def.body.hydro.stripCount;
    const struct {
        bool missing;
        const char* text;
    } list[] = {
        {def.thrusterCount == 0, "thrusters: it cannot be flown, only carried or towed"},
        {!(drag > 0.0), "hydro: drag: nothing in the water slows it down"},
        {!(added > 0.0), "hydro: added_mass: the water does not move along with it"},
        {def.body.shapeCount == 0, "shapes: it touches nothing and goes through everything"},
        {!tether, "points: {name: tether}: scenes and the trainer have nowhere to fix its tether"},
        {heaves && !(pilot->depth.kp > 0.0),
         "autopilot: depth: the modes that hold a depth do not; \"hawser tune\" finds gains"},
        {yaws && !(pilot->heading.kp > 0.0), "autopilot: heading: likewise for the heading"},
        {rolls && !(pilot->level.kp > 0.0), "autopilot: level: likewise for roll and pitch"},
        {sways && !(pilot->position.kp > 0.0), "autopilot: position: likewise for `station` and `route`"},
        {!isfinite(look->ratedDepth), "rated_depth: no alarm when it dives too deep"},
        {look->lampCount == 0, "lights: it is dark in the pilot's camera"},
        {look->partCount == 0, "parts: pictures show its shapes"},
        {look->instrumentCount == 0, "instruments: only exact channels, no sensors with noise"},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); ++i) {
        if (!list[i].missing) continue;
        printf("%s%s\n", any ? "            " : "  missing   ", list[i].text);
        any = true;
    }
    if (!any) printf("  missing   nothing\n");
}

static void PrintArms(const hwWorld* world) {
    hwMechanismId arms[16];
    int count = hwWorld_GetMechanisms(world, 16, arms);
    for (int i = 0; i < count && i < 16; ++i) {
        const char* name = strchr(hwMechanism_GetName(world, arms[i]), '.');
        printf("  %s %s, %d links, %d joints\n", i == 0 ? "arms     " : "         ",
               name != NULL ? name + 1 : "", hwMechanism_GetLinkCount(world, arms[i]),
               hwMechanism_GetFreedomCount(world, arms[i]));
    }
}

int hwCli_CheckVehicle(const char* name) {
    hwError error;
    hwVehicleType* type = hwLoadVehicleType(name, ".", &error);
    if (type == NULL) return hwCli_PrintError(name, &error);
    Trial trial = {0};
    int status = EXIT_GOOD;
    if (!Try(type, &trial, &error)) {
        status = hwCli_PrintError(name, &error);
    } else {
        hwVehicleDef def = hwVehicleType_GetDef(type);
        const hwVehicleLook* look = hwVehicleType_GetLook(type);
        int links;
        double volume, mass = SumMass(trial.world, &volume, &links);
        double net = (SEA_WATER * volume - mass) * 9.80665;
        printf("%s: good\n", name);
        printf("  title     %s\n", look->title);
        printf("  weight    %.4g kg in air, %.3g N %s in sea water\n", mass, fabs(net),
               net >= 0.0 ? "light" : "heavy");
        if (fabs(trial.pitch) > TILTED || fabs(trial.roll) > TILTED) {
            printf("  trim      lies %.0f degrees bow %s and rolled by %.0f: put mass or volume elsewhere\n",
                   fabs(trial.pitch), trial.pitch > 0.0 ? "up" : "down", trial.roll);
        } else {
            printf("  trim      level within %.1f degrees\n", fmax(fabs(trial.pitch), fabs(trial.roll)));
        }
        if (def.thrusterCount > 0) PrintThrust(&trial, &def, look);
        PrintArms(trial.world);
        PrintMissing(type, &trial);
    }
    hwDestroyWorld(trial.world);
    hwDestroyVehicleType(type);
    return status;
}
