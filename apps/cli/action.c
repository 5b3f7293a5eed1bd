// hawser action: a piece of a recorded flight as a pilot's script, to be edited and flown again.
#define _XOPEN_SOURCE 700
#include "apps/cli/cli.h"
#include "apps/server/server.h"
#include "hawser/flight.h"
#include "hawser/pilot.h"
#include "hawser/vehicle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OPTION_FROM, OPTION_TO, OPTION_WITHIN, OPTION_WORLD, OPTION_OUT, OPTION_FLIGHTS };

static const hwOption g_options[] = {
    {"from", 0, "S", "begin at this time of the flight; default: its beginning"},
    {"to", 0, "S", "end at this time; default: its end"},
    {"within", 0, "M", "how far the saved way may be off the flown one; default: 0.3"},
    {"world", 0, NULL, "keep the places where they were, instead of counting from where the action begins"},
    {"out", 'o', "FILE", "write the script there; default: the standard output"},
    {"flights", 0, "DIR", "folder of recordings; default: ~/.local/share/hawser/flights"},
    {0},
};

typedef struct Notes {
    hwActionNotes* notes;
    const char* vehicle;
    double from, to;
    uint64_t lookSteps;
    hwError error;
} Notes;

static bool Look(hwWorld* world, uint64_t step, void* context) {
    Notes* n = context;
    double time = hwWorld_GetTime(world);
    if (step % n->lookSteps != 0 || time < n->from - 1e-9 || time > n->to + 1e-9) return true;
    if (n->notes == NULL) n->notes = hwCreateActionNotes(world, n->vehicle, &n->error);
    if (n->notes == NULL) return false;
    return hwActionNotes_Look(n->notes, world) == HW_OK;
}

static bool ReadTime(const char* text, const char* option, double* value) {
    char* end;
    if (text == NULL) return true;
    *value = strtod(text, &end);
    if (end != text && *end == 0 && isfinite(*value)) return true;
    hwCli_Complain("Give a number of seconds, such as 12.5.", "--%s %s is not a time.", option, text);
    return false;
}

// A flight by its folder, or by its name in the folder of recordings.
static void FindFlight(const hwArguments* arguments, char* path, size_t size) {
    struct stat info;
    char folder[700];
    snprintf(path, size, "%s", arguments->operands[0]);
    if (stat(path, &info) == 0) return;
    if (arguments->values[OPTION_FLIGHTS] != NULL) {
        snprintf(folder, sizeof(folder), "%s", arguments->values[OPTION_FLIGHTS]);
    } else {
        hwWebServer_GetFlightsFolder(folder, sizeof(folder));
    }
    snprintf(path, size, "%.690s/%.300s", folder, arguments->operands[0]);
}

static int Write(const char* path, const char* text) {
    FILE* file = path != NULL && strcmp(path, "-") != 0 ? fopen(path, "w") : stdout;
    bool good = file != NULL && fputs(text, file) >= 0;
    if (file != NULL && file != stdout && fclose(file) != 0) good = false;
    if (good) return EXIT_GOOD;
    hwCli_Complain("Is there such a folder, and room on the disk?", "%s cannot be written.", path);
    return EXIT_FAILED;
}

static int Run(const hwArguments* arguments) {
    const char* const* values = arguments->values;
    char path[1100];
    hwError error;
    hwActionOptions options = hwDefaultActionOptions();
    Notes n = {.from = -INFINITY, .to = INFINITY};
    options.world = values[OPTION_WORLD] != NULL;
    if (!ReadTime(values[OPTION_FROM], "from", &n.from) || !ReadTime(values[OPTION_TO], "to", &n.to) ||
        !ReadTime(values[OPTION_WITHIN], "within", &options.within))
        return EXIT_USAGE;
    if (!(n.from < n.to) || !(options.within > 0.0)) {
        hwCli_Complain("--from is before --to, and --within above zero.", "There would be no action.");
        return EXIT_USAGE;
    }
    FindFlight(arguments, path, sizeof(path));
    hwFlight* flight = hwLoadFlight(path, &error);
    if (flight == NULL) return hwCli_PrintError(NULL, &error);
    const hwFlightInfo* info = hwFlight_GetInfo(flight);
    hwWorld* world = hwFlight_CreateWorld(flight, &error);
    size_t count = 0;
    hwInputEvent* log =
        world != NULL ? hwFlight_ResolveLog(flight, world, info->steps, &count, &error) : NULL;
    hwVehicleId id;
    if (log != NULL && hwWorld_GetVehicles(world, 1, &id) > 0)
        n.vehicle = hwVehicle_GetDef(world, id)->body.name;
    n.lookSteps = info->step > 0.0 && info->step < 0.1 ? (uint64_t)(0.1 / info->step + 0.5) : 1;
    bool good = log != NULL;
    if (good && n.vehicle == NULL) {
        hwCli_Complain("Actions are what a vehicle does.", "The flight has no vehicle.");
        good = false;
        error.status = HW_OK;
    } else if (good) {
        good = hwReplayInputs(world, info->step, info->steps, count, log, Look, &n, &error) == HW_OK;
        if (n.error.status != HW_OK) error = n.error;
    }
    char* text = NULL;
    if (good && n.notes == NULL) {
        hwCli_Complain("Choose --from and --to within it.", "The flight lasts %.1f s.", info->duration);
        error.status = HW_OK;
    } else if (good) {
        text = hwActionNotes_Write(n.notes, &options, &error);
    }
    int status = EXIT_FAILED;
    if (text != NULL) {
        status = Write(values[OPTION_OUT], text);
    } else if (error.status != HW_OK) {
        status = hwCli_PrintError(path, &error);
    }
    free(text);
    free(log);
    hwDestroyActionNotes(n.notes);
    hwDestroyWorld(world);
    hwDestroyFlight(flight);
    return status;
}

const hwCommand hwCommand_Action = {
    .name = "action",
    .operands = "FLIGHT",
    .minOperands = 1,
    .maxOperands = 1,
    .summary = "save a piece of a flight as a script to edit and fly again",
    .details = "FLIGHT is a flight's folder or its name. The script goes where the vehicle went, turns as it "
               "turned, and sets what\n"
               "was set; `hawser fly LESSON --pilot FILE` flies it. See docs/lessons.md, the pilot's file.",
    .options = g_options,
    .run = Run,
};
