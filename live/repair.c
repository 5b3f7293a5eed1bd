// A flight whose program was killed: its inputs are flown again up to its last second, and the recording is made whole.
#define _POSIX_C_SOURCE 200809L
#include "flight_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool KeepStep(hwWorld* world, uint64_t step, void* context) {
    hwFlightWriter* writer = context;
    hwFlightWriter_AddStep(writer, world, step);
    return hwFlightWriter_GetStatus(writer, NULL) == HW_OK;
}

// The repaired files take the places of the broken ones; what tells of the flight comes last.
static hwStatus MoveFiles(const char* from, const char* to, hwError* error) {
    static const char* const names[] = {"scene.yaml", "inputs.csv", "results.h5", "flight.json"};
    char source[1000], target[1000];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        snprintf(source, sizeof(source), "%.900s/%s", from, names[i]);
        snprintf(target, sizeof(target), "%.900s/%s", to, names[i]);
        errno = 0;
        if (rename(source, target) != 0) return hwLiveFail(error, HW_ERROR_FILE, strerror(errno));
    }
    rmdir(from);
    return HW_OK;
}

static hwStatus Refly(const hwFlight* flight, const char* folder, const char* id, hwError* error) {
    const hwFlightInfo* info = hwFlight_GetInfo(flight);
    hwWorld* world = hwFlight_CreateWorld(flight, error);
    if (world == NULL) return error != NULL ? error->status : HW_ERROR_MODEL;
    size_t count = 0;
    hwInputEvent* log = hwFlight_ResolveLog(flight, world, info->steps, &count, error);
    hwFlightDef def = hwDefaultFlightDef();
    def.folder = folder;
    def.scene = hwFlight_GetScene(flight);
    def.options = hwFlight_GetOptions(flight);
    def.info = *info;
    def.info.steps = 0;
    def.log = log;
    def.logCount = count;
    snprintf(def.info.id, sizeof(def.info.id), "%s", id);
    hwFlightWriter* writer = log != NULL ? hwCreateFlightWriter(&def, world, error) : NULL;
    hwStatus status = HW_OK;
    if (writer == NULL) {
        status = error != NULL && error->status != HW_OK ? error->status : HW_ERROR_FILE;
    } else {
        status = hwReplayInputs(world, info->step, info->steps, count, log, KeepStep, writer, error);
        hwFlightWriter_KeepLists(writer, hwFlight_GetMarks(flight), hwFlight_GetEvents(flight), world);
        if (status == HW_OK) status = hwFlightWriter_Finish(writer, world, info->steps, "broken off", error);
    }
    hwDestroyFlightWriter(writer);
    free(log);
    hwDestroyWorld(world);
    return status;
}

hwStatus hwRepairFlight(const char* path, hwError* error) {
    hwError own;
    if (error == NULL) error = &own;
    hwFlight* flight = hwLoadFlight(path, error);
    if (flight == NULL) return error->status;
    const hwFlightInfo* info = hwFlight_GetInfo(flight);
    hwStatus status = HW_OK;
    if (!info->hashed) {
        // beside it, under a name that no flight has
        char folder[900], id[48], fresh[960];
        snprintf(folder, sizeof(folder), "%.899s", path);
        char* slash = strrchr(folder, '/');
        if (slash != NULL) *slash = 0;
        snprintf(id, sizeof(id), "%.40s.repair", info->id);
        snprintf(fresh, sizeof(fresh), "%.880s/%s", slash != NULL ? folder : ".", id);
        status = Refly(flight, slash != NULL ? folder : ".", id, error);
        if (status == HW_OK) status = MoveFiles(fresh, path, error);
    }
    hwDestroyFlight(flight);
    return status;
}
