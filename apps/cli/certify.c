#define _GNU_SOURCE
#include "apps/cli/certify.h"

#include "apps/cli/cli.h"
#include "apps/cli/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifndef _WIN32
#include <sys/wait.h>
#endif
#ifdef __linux__
#include <sys/prctl.h>
#endif

static const char* const g_channelKinds[] = {"min", "max", "mean", "deviation"};
static const char* const g_cableKinds[] = {"tension.use", "bend.use", "damage"};
enum { CHANNEL_KINDS = 4, CABLE_KINDS = 3 };

static double GetExtreme(const hwExtreme* extreme, int kind) {
    const double values[CHANNEL_KINDS] = {extreme->min, extreme->max, extreme->mean, extreme->deviation};
    return values[kind];
}

// The largest use of a cable along its length.
static double GetUse(const hwRanges* ranges, const char* cable, int kind) {
    double most = 0.0;
    for (int i = 0; i < hwRanges_GetCount(ranges); ++i) {
        const char* name;
        const hwRangeStation* s = hwRanges_GetStation(ranges, i, &name);
        if (strcmp(name, cable) != 0) continue;
        const double uses[CABLE_KINDS] = {s->tensionMax / s->breakTension, s->curvatureMax * s->bendRadius,
                                          s->damage};
        if (uses[kind] > most) most = uses[kind];
    }
    return most;
}

static hwCertified* Add(hwCertificate* out, const char* object, const char* kind, const char* unit) {
    out->list = hwCli_Allocate(out->list, ((size_t)out->count + 1) * sizeof(hwCertified));
    hwCertified* number = &out->list[out->count++];
    *number = (hwCertified){.unit = unit, .channel = -1};
    size_t length = strlen(object), size = 2 * length + strlen(kind) + 3;
    number->name = hwCli_Allocate(NULL, size);
    int used = snprintf(number->name, size, "%s.%s", object, kind);
    memcpy(number->name + used + 1, object, length + 1);
    number->object = number->name + used + 1;
    return number;
}

bool hwCertify_IsOfMethod(const char* name) {
    static const char* const endings[] = {"steps",         "links.mean",    "links.low",     "links.high",
                                          "links.target",  "contact.count", "energy.method", "energy.balance",
                                          "energy_method", "energy_error"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); ++i) {
        size_t tail = strlen(endings[i]);
        if (length < tail || strcmp(name + length - tail, endings[i]) != 0) continue;
        if (length == tail || name[length - tail - 1] == '.') return true;
    }
    return false;
}

// Channels of elements and nodes have other names on other meshes.
static void ListNumbers(const hwCertifyDef* def, hwCertificate* out) {
    for (int i = 1; i < def->channelCount; ++i) {
        if (strchr(def->channels[i].name, '[') || hwCertify_IsOfMethod(def->channels[i].name)) continue;
        for (int kind = 0; kind < CHANNEL_KINDS; ++kind) {
            double value = GetExtreme(&def->extremes[i], kind);
            if (isnan(value)) continue;
            hwCertified* number =
                Add(out, def->channels[i].name, g_channelKinds[kind], def->channels[i].unit);
            number->channel = i;
            number->kind = kind;
            number->values[0] = value;
        }
    }
    const char* last = "";
    for (int i = 0; i < hwRanges_GetCount(def->ranges); ++i) {
        const char* name;
        hwRanges_GetStation(def->ranges, i, &name);
        if (strcmp(name, last) == 0) continue;
        last = name;
        for (int kind = 0; kind < CABLE_KINDS; ++kind) {
            double value = GetUse(def->ranges, name, kind);
            if (!(value > 0.0)) continue;
            hwCertified* number = Add(out, name, g_cableKinds[kind], "1");
            number->kind = kind;
            number->values[0] = value;
        }
    }
}

// A finer run ------------------------------------------------------------------------------------------------------------------

typedef struct Finer {
    hwWorld* world;
    hwExtremes* extremes;
    hwRanges* ranges;
    int count;
    int* channels; // of the world
    double* values;
} Finer;

static void Observe(const hwWorld* world, void* context) {
    Finer* finer = context;
    hwWorld_ReadChannels(world, finer->count, finer->channels, finer->values);
    hwExtremes_Add(finer->extremes, hwWorld_GetTime(world), finer->values);
    hwRanges_Observe(finer->ranges, world);
}

// Fills [number] with the run's values, NaN where it has none.
static hwStatus RunFiner(const hwCertifyDef* def, const hwCertificate* numbers, double factor, double* values,
                         hwError* error) {
    for (int i = 0; i < numbers->count; ++i) values[i] = (double)NAN;
    hwScene* scene = hwLoadSceneWith(def->path, def->setCount, def->sets, error);
    if (scene == NULL) return error->status;
    hwScene_Refine(scene, factor);
    hwScene_SetSolver(scene, def->reference ? HW_SOLVER_REFERENCE : HW_SOLVER_REALTIME);
    hwWorldDef base = hwDefaultWorldDef();
    base.stop = hwCli_IsStopped;
    Finer finer = {.world = hwScene_CreateWorld(scene, &base, error), .count = numbers->count};
    hwStatus status = finer.world != NULL ? HW_OK : error->status;
    if (status == HW_OK) {
        if (!def->reference) hwScene_UseRunSolver(finer.world);
        hwScene_RefineSolver(finer.world, factor);
        status = hwWorld_BuildUp(finer.world, error);
    }
    if (status == HW_OK) {
        finer.channels = hwCli_Allocate(NULL, (size_t)numbers->count * sizeof(int));
        finer.values = hwCli_Allocate(NULL, (size_t)numbers->count * sizeof(double));
        for (int i = 0; i < numbers->count; ++i)
            finer.channels[i] = numbers->list[i].channel >= 0
                                    ? hwWorld_FindChannel(finer.world, numbers->list[i].object)
                                    : -1;
        finer.extremes = hwCreateExtremes(numbers->count, error);
        finer.ranges = hwCreateRanges(finer.world, error);
        status = finer.extremes != NULL && finer.ranges != NULL ? HW_OK : error->status;
    }
    if (status == HW_OK) {
        Observe(finer.world, &finer);
        hwWorld_SetObserver(finer.world, Observe, &finer);
        status = hwWorld_Step(finer.world, def->duration, error);
    }
    if (status >= HW_OK) {
        hwExtreme* extremes = hwCli_Allocate(NULL, (size_t)numbers->count * sizeof(hwExtreme));
        hwExtremes_Get(finer.extremes, extremes);
        hwRanges_Finish(finer.ranges);
        for (int i = 0; i < numbers->count; ++i) {
            const hwCertified* number = &numbers->list[i];
            values[i] = number->channel < 0     ? GetUse(finer.ranges, number->object, number->kind)
                        : finer.channels[i] < 0 ? (double)NAN
                                                : GetExtreme(&extremes[i], number->kind);
        }
        free(extremes);
    }
    hwDestroyRanges(finer.ranges);
    hwDestroyExtremes(finer.extremes);
    free(finer.channels);
    free(finer.values);
    hwDestroyWorld(finer.world);
    hwDestroyScene(scene);
    return status < HW_OK ? status : HW_OK;
}

// Both at once -----------------------------------------------------------------------------------------------------------------

#ifdef _WIN32
// No fork there: one after the other.
typedef struct Child {
    double* values;
    hwError error;
} Child;

static bool Start(const hwCertifyDef* def, const hwCertificate* numbers, double factor, Child* child) {
    memset(&child->error, 0, sizeof(child->error));
    child->values = hwCli_Allocate(NULL, ((size_t)numbers->count + 1) * sizeof(double));
    child->error.status = RunFiner(def, numbers, factor, child->values, &child->error);
    return true;
}

static bool Await(Child* child, hwCertificate* numbers, int level, hwError* error) {
    *error = child->error;
    for (int i = 0; i < numbers->count; ++i) numbers->list[i].values[level] = child->values[i];
    free(child->values);
    return error->status == HW_OK;
}
#else
typedef struct Child {
    pid_t pid;
    int pipe;
} Child;

static bool Start(const hwCertifyDef* def, const hwCertificate* numbers, double factor, Child* child) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    fflush(NULL);
    child->pid = fork();
    if (child->pid == 0) {
        hwCli_LeaveLocks();
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
        size_t size = (size_t)numbers->count * sizeof(double);
        double* values = hwCli_Allocate(NULL, size + sizeof(double));
        hwError error;
        memset(&error, 0, sizeof(error));
        error.status = RunFiner(def, numbers, factor, values, &error);
        FILE* stream = fdopen(ends[1], "wb");
        bool good = stream && fwrite(&error, sizeof(error), 1, stream) == 1 &&
                    fwrite(values, 1, size, stream) == size && fclose(stream) == 0;
        _exit(good ? 0 : 1);
    }
    close(ends[1]);
    child->pipe = ends[0];
    if (child->pid > 0) return true;
    close(ends[0]);
    return false;
}

// Waits for a run; false where it failed, with its reason.
static bool Await(Child* child, hwCertificate* numbers, int level, hwError* error) {
    FILE* stream = fdopen(child->pipe, "rb");
    bool whole = stream && fread(error, sizeof(*error), 1, stream) == 1;
    for (int i = 0; i < numbers->count && whole; ++i)
        whole = fread(&numbers->list[i].values[level], sizeof(double), 1, stream) == 1;
    if (stream) fclose(stream);
    int status = 0;
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!whole) {
        memset(error, 0, sizeof(*error));
        error->status = hwCli_IsStopped(NULL) ? HW_ERROR_STOPPED : HW_ERROR_NUMERIC;
        snprintf(error->message, sizeof(error->message), "the process of a finer run ended early");
    }
    return whole && error->status == HW_OK;
}
#endif

int hwCertify(const hwCertifyDef* def, hwCertificate* out) {
    *out = (hwCertificate){0};
    ListNumbers(def, out);
    Child children[2];
    int status = EXIT_GOOD, started = 0;
    for (; started < 2; ++started) {
        double factor = started == 0 ? HW_CERTIFY_RATIO : HW_CERTIFY_RATIO * HW_CERTIFY_RATIO;
        if (Start(def, out, factor, &children[started])) continue;
        hwCli_Complain(NULL, "Cannot start a process: %s.", strerror(errno));
        status = EXIT_USAGE;
        break;
    }
    for (int i = 0; i < started; ++i) {
        hwError error;
        if (Await(&children[i], out, i + 1, &error)) continue;
        if (status == EXIT_GOOD) status = hwCli_PrintError(def->path, &error);
    }
    for (int i = 0; i < out->count && status == EXIT_GOOD; ++i)
        out->list[i].found = hwFindConvergence(out->list[i].values, HW_CERTIFY_RATIO);
    if (status != EXIT_GOOD) hwCertificate_Free(out);
    return status;
}

const hwCertified* hwCertificate_Find(const hwCertificate* certificate, const char* name) {
    for (int i = 0; i < certificate->count; ++i) {
        if (strcmp(certificate->list[i].name, name) == 0) return &certificate->list[i];
    }
    return NULL;
}

bool hwCertificate_Write(const hwCertificate* certificate, const char* path) {
    hwCliOutput output;
    if (!hwCliOutput_Open(&output, path)) return false;
    fputs("number,unit,value,finer,finest,limit,error,order\n", output.stream);
    for (int i = 0; i < certificate->count; ++i) {
        const hwCertified* n = &certificate->list[i];
        fprintf(output.stream, "%s,%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.4g\n", n->name, n->unit, n->values[0],
                n->values[1], n->values[2], n->found.limit, n->found.error, n->found.order);
    }
    return hwCliOutput_Close(&output);
}

void hwCertificate_Free(hwCertificate* certificate) {
    for (int i = 0; i < certificate->count; ++i) free(certificate->list[i].name);
    free(certificate->list);
    *certificate = (hwCertificate){0};
}
