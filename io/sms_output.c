// Results in the format of SMS (seed 004 section 3.5): rows of numbers, time first, one folder for each object. Which files
// an object has follows from its channels, so that they appear as kinds of objects do.
#define _POSIX_C_SOURCE 200809L
#include "sms_output.h"

#include "csv_number.h"
#include "results_internal.h"
#include "scene_model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct SmsFile {
    char* path;
    FILE* stream;
    int angles; // column of the first Euler angle: turn the body rates in columns 3 to 5 into rates of them; 0: none
    int count, capacity;
    int* channels;
    double* values;
} SmsFile;

struct hwSmsOutput {
    char* folder;
    int fileCount, fileCapacity;
    SmsFile* files;
    int timeChannel;
    int channelCount;
    int* sorted; // channels by name
};

hwVec3 hwSms_EulerRates(hwVec3 rpy, hwVec3 w) {
    double cr = hwCos(rpy.x), sr = hwSin(rpy.x), cp = hwCos(rpy.y), sp = hwSin(rpy.y);
    if (fabs(cp) < 1e-12) cp = copysign(1e-12, cp);
    double yaw = (sr * w.y + cr * w.z) / cp;
    return hwMakeVec3(w.x + sp * yaw, cr * w.y - sr * w.z, yaw);
}

// Finding channels -------------------------------------------------------------------------------------------------

typedef struct Finder {
    const hwSmsSource* source;
    hwSmsOutput* output;
    hwError* error;
} Finder;

static const char* NameOf(const Finder* finder, int index) {
    return finder->source->getName(finder->source->context, finder->output->sorted[index]);
}

// Shell sort: the order needs the source, which qsort cannot be given.
static void SortChannels(const Finder* finder) {
    int* sorted = finder->output->sorted;
    int count = finder->source->channelCount;
    for (int gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
        for (int i = gap; i < count; i++) {
            int moving = sorted[i], j = i;
            const char* name = finder->source->getName(finder->source->context, moving);
            for (; j >= gap && strcmp(NameOf(finder, j - gap), name) > 0; j -= gap)
                sorted[j] = sorted[j - gap];
            sorted[j] = moving;
        }
    }
}

// The channel called `object.rest`, or -1.
static int FindChannel(const Finder* finder, const char* object, const char* rest) {
    char name[256];
    int length = snprintf(name, sizeof(name), "%s%s", object, rest);
    if (length < 0 || (size_t)length >= sizeof(name)) return -1;
    int low = 0, high = finder->source->channelCount;
    while (low < high) {
        int middle = low + (high - low) / 2, order = strcmp(NameOf(finder, middle), name);
        if (order == 0) return finder->output->sorted[middle];
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return -1;
}

// Files ------------------------------------------------------------------------------------------------------------

static bool FailMemory(hwError* error) {
    hwSceneFail_Memory(error);
    return false;
}

static SmsFile* AddFile(const Finder* finder, const char* object, const char* name) {
    hwSmsOutput* output = finder->output;
    if (output->fileCount == output->fileCapacity) {
        int capacity = output->fileCapacity > 0 ? 2 * output->fileCapacity : 8;
        SmsFile* files = realloc(output->files, (size_t)capacity * sizeof(*files));
        if (files == NULL) {
            FailMemory(finder->error);
            return NULL;
        }
        output->files = files;
        output->fileCapacity = capacity;
    }
    SmsFile* file = &output->files[output->fileCount++];
    memset(file, 0, sizeof(*file));
    size_t size = strlen(output->folder) + strlen(object) + strlen(name) + 3;
    file->path = malloc(size);
    if (file->path == NULL) {
        FailMemory(finder->error);
        return NULL;
    }
    snprintf(file->path, size, "%s/%s/%s", output->folder, object, name);
    return file;
}

static bool AddColumn(const Finder* finder, SmsFile* file, int channel) {
    if (file->count == file->capacity) {
        int capacity = file->capacity > 0 ? 2 * file->capacity : 16;
        int* channels = realloc(file->channels, (size_t)capacity * sizeof(*channels));
        if (channels == NULL) return FailMemory(finder->error);
        file->channels = channels;
        file->capacity = capacity;
    }
    file->channels[file->count++] = channel;
    return true;
}

// Adds the columns `object.rest` for every rest, ended by null. False only on failure; `all` tells whether all exist.
static bool AddColumns(const Finder* finder, SmsFile* file, const char* object, const char* const* rests,
                       bool* all) {
    *all = true;
    for (; *rests != NULL; rests++) {
        int channel = FindChannel(finder, object, *rests);
        *all = *all && channel >= 0;
        if (channel >= 0 && !AddColumn(finder, file, channel)) return false;
    }
    return true;
}

static void DropFile(hwSmsOutput* output) {
    SmsFile* file = &output->files[--output->fileCount];
    free(file->path);
    free(file->channels);
    memset(file, 0, sizeof(*file));
}

// A file with these columns, when all of them exist.
static bool AddTable(const Finder* finder, const char* object, const char* name, const char* const* rests,
                     int angles) {
    bool all;
    SmsFile* file = AddFile(finder, object, name);
    if (file == NULL || !AddColumns(finder, file, object, rests, &all)) return false;
    file->angles = angles;
    if (!all) DropFile(finder->output);
    return true;
}

// Objects ----------------------------------------------------------------------------------------------------------

static const char* const stateRests[] = {".velocity.x", ".velocity.y",    ".velocity.z",     ".rate.x",
                                         ".rate.y",     ".rate.z",        ".position.x",     ".position.y",
                                         ".position.z", ".attitude.roll", ".attitude.pitch", ".attitude.yaw",
                                         NULL};
static const char* const contactRests[] = {".contact.force.x", ".contact.force.y", ".contact.force.z",
                                           ".contact.point.x", ".contact.point.y", ".contact.point.z",
                                           ".contact.elastic", ".contact.damping", NULL};
static const char* const volumeRests[] = {".contact.volume", ".contact.depth", NULL};
static const char* const endRests[2][7] = {
    {".a.force.x", ".a.force.y", ".a.force.z", ".a.moment.x", ".a.moment.y", ".a.moment.z", NULL},
    {".b.force.x", ".b.force.y", ".b.force.z", ".b.moment.x", ".b.moment.y", ".b.moment.z", NULL}};
static const char* const rateRests[] = {".rate", NULL};

// Six columns for each cable end on the body.
static bool AddCableForces(const Finder* finder, const hwScene* scene, const char* body) {
    if (scene == NULL) return true;
    SmsFile* file = AddFile(finder, body, "cable_forces.dat");
    if (file == NULL) return false;
    for (int i = 0; i < scene->model.cables.count; i++) {
        const hwSceneCable* cable = HW_ITEM(scene->model.cables, hwSceneCable, i);
        const hwSceneEnd* ends[2] = {&cable->ends.a, &cable->ends.b};
        for (int j = 0; j < 2; j++) {
            bool all;
            if (ends[j]->on.text == NULL || strcmp(ends[j]->on.text, body) != 0) continue;
            if (!AddColumns(finder, file, cable->name, endRests[j], &all)) return false;
        }
    }
    if (file->count == 0) DropFile(finder->output);
    return true;
}

static bool AddBody(const Finder* finder, const hwScene* scene, const char* name) {
    return AddTable(finder, name, "results.dat", stateRests, 9) &&
           AddTable(finder, name, "contact_forces.dat", contactRests, 0) &&
           AddTable(finder, name, "contact_geometry.dat", volumeRests, 0) &&
           AddCableForces(finder, scene, name);
}

// Columns for indices 0, 1, … of `object.what[i]`, as long as they exist.
static bool AddIndexed(const Finder* finder, SmsFile* file, const char* object, const char* what,
                       const char* const* rests, int* count) {
    bool all = true;
    for (*count = 0; all; ++*count) {
        char prefix[160];
        int length = snprintf(prefix, sizeof(prefix), "%s.%s[%d]", object, what, *count);
        if (length < 0 || (size_t)length >= sizeof(prefix) || FindChannel(finder, prefix, rests[0]) < 0)
            break;
        if (!AddColumns(finder, file, prefix, rests, &all)) return false;
    }
    return true;
}

static bool AddCable(const Finder* finder, const char* name) {
    static const char* const node[] = {".velocity.x", ".position.x", ".velocity.y", ".position.y",
                                       ".velocity.z", ".position.z", NULL};
    static const char* const curvature[] = {".curvature.x", ".curvature.y", ".curvature.z", NULL};
    static const char* const tension[] = {".tension", NULL};
    int count, elements;
    SmsFile* file = AddFile(finder, name, "results.dat");
    if (file == NULL || !AddIndexed(finder, file, name, "node", node, &count)) return false;
    // The state ends with the lengths of the two boundary elements, which winches change.
    const int boundary[2] = {0, count - 2};
    for (int i = 0; i < 2; i++) {
        char element[160];
        snprintf(element, sizeof(element), "%s.element[%d]", name, boundary[i]);
        int channel = FindChannel(finder, element, ".length");
        if (channel >= 0 && !AddColumn(finder, file, channel)) return false;
    }
    if (file->count == 0) DropFile(finder->output);
    file = AddFile(finder, name, "tensions.dat");
    if (file == NULL || !AddIndexed(finder, file, name, "element", tension, &elements)) return false;
    if (file->count == 0) DropFile(finder->output);
    file = AddFile(finder, name, "curvatures.dat");
    if (file == NULL || !AddIndexed(finder, file, name, "node", curvature, &count)) return false;
    if (file->count == 0) DropFile(finder->output);
    return true;
}

// Joint velocities or displacements in the order of the channels before sorting: from the base outwards.
static bool AddJoints(const Finder* finder, SmsFile* file, const char* name, const char* rest) {
    size_t length = strlen(name);
    for (int i = 0; i < finder->source->channelCount; i++) {
        const char* channel = finder->source->getName(finder->source->context, i);
        if (strncmp(channel, name, length) != 0 || channel[length] != '.') continue;
        const char* end = strchr(channel + length + 1, '.');
        if (end == NULL || strncmp(end, rest, strlen(rest)) != 0) continue;
        end += strlen(rest);
        if ((end[0] == 0 || end[0] == '.') && !AddColumn(finder, file, i)) return false;
    }
    return true;
}

// Section 3.4.3: velocities of the base and of the joints, then their displacements.
static bool AddCrane(const Finder* finder, const char* name) {
    static const char* const velocities[] = {".base.velocity.x",
                                             ".base.velocity.y",
                                             ".base.velocity.z",
                                             ".base.rate.x",
                                             ".base.rate.y",
                                             ".base.rate.z",
                                             NULL};
    static const char* const places[] = {".base.position.x",
                                         ".base.position.y",
                                         ".base.position.z",
                                         ".base.attitude.roll",
                                         ".base.attitude.pitch",
                                         ".base.attitude.yaw",
                                         NULL};
    bool all, rest;
    SmsFile* file = AddFile(finder, name, "results.dat");
    if (file == NULL || !AddColumns(finder, file, name, velocities, &all) ||
        !AddJoints(finder, file, name, ".qd"))
        return false;
    file->angles = file->count + 3;
    if (!AddColumns(finder, file, name, places, &rest) || !AddJoints(finder, file, name, ".q")) return false;
    if (!all || !rest) DropFile(finder->output);
    return true;
}

// Channels are sorted, so those of an object stand together.
static bool AddObjects(const Finder* finder, const hwScene* scene) {
    char last[96] = "";
    for (int i = 0; i < finder->source->channelCount; i++) {
        const char* name = NameOf(finder, i);
        size_t length = strcspn(name, ".");
        if (length == 0 || length >= sizeof(last) ||
            (strlen(last) == length && strncmp(last, name, length) == 0))
            continue;
        memcpy(last, name, length);
        last[length] = 0;
        bool good = true;
        if (strcmp(last, "world") == 0) continue;
        if (FindChannel(finder, last, ".attitude.roll") >= 0) {
            good = AddBody(finder, scene, last);
        } else if (FindChannel(finder, last, ".node[0].position.x") >= 0) {
            good = AddCable(finder, last);
        } else if (FindChannel(finder, last, ".base.position.x") >= 0) {
            good = AddCrane(finder, last);
        } else if (FindChannel(finder, last, ".rate") >= 0) {
            good = AddTable(finder, last, "winch_velocity.dat", rateRests, 0);
        }
        if (!good) return false;
    }
    return true;
}

// Opening ----------------------------------------------------------------------------------------------------------

static bool MakeFolder(const char* path, hwError* error) {
    if (mkdir(path, 0777) == 0) return true;
    struct stat info;
    int reason = errno;
    if (reason == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return true;
    hwResultsFail_System(error, reason == EEXIST ? ENOTDIR : reason, "make the folder", path);
    return false;
}

static bool OpenFiles(hwSmsOutput* output, hwError* error) {
    if (!MakeFolder(output->folder, error)) return false;
    for (int i = 0; i < output->fileCount; i++) {
        SmsFile* file = &output->files[i];
        char* slash = strrchr(file->path, '/');
        *slash = 0;
        bool made = MakeFolder(file->path, error);
        *slash = '/';
        if (!made) return false;
        file->values = calloc((size_t)file->count + 1, sizeof(*file->values));
        if (file->values == NULL) return FailMemory(error);
        file->stream = fopen(file->path, "w");
        if (file->stream == NULL) {
            hwResultsFail_System(error, errno, "write", file->path);
            return false;
        }
    }
    return true;
}

// Takes away what a failed creation has opened.
static void RemoveFiles(hwSmsOutput* output) {
    for (int i = 0; i < output->fileCount; i++) {
        if (output->files[i].stream != NULL) unlink(output->files[i].path);
    }
}

hwSmsOutput* hwCreateSmsOutput_From(const hwSmsSource* source, const hwScene* scene, const char* folder,
                                    hwError* error) {
    hwSmsOutput* output = calloc(1, sizeof(*output));
    if (output == NULL) {
        FailMemory(error);
        return NULL;
    }
    Finder finder = {source, output, error};
    output->channelCount = source->channelCount;
    output->folder = strdup(folder);
    output->sorted = calloc((size_t)source->channelCount + 1, sizeof(*output->sorted));
    bool good = output->folder != NULL && output->sorted != NULL;
    if (!good) FailMemory(error);
    if (good) {
        for (int i = 0; i < source->channelCount; i++) output->sorted[i] = i;
        SortChannels(&finder);
        output->timeChannel = FindChannel(&finder, "world", ".time");
        good = output->timeChannel >= 0;
        if (!good) hwSceneFail(error, HW_ERROR_ORDER, 0, 0, "the world is not prepared: it has no channels");
    }
    good = good && AddObjects(&finder, scene) && OpenFiles(output, error);
    if (good) return output;
    RemoveFiles(output);
    hwDestroySmsOutput(output, NULL);
    return NULL;
}

// Writing ----------------------------------------------------------------------------------------------------------

static void PutNumber(FILE* file, double value) {
    char text[HW_NUMBER_SIZE];
    fwrite(text, 1, (size_t)hwFormatNumber(value, text), file);
}

hwStatus hwSmsOutput_WriteFrom(hwSmsOutput* output, const hwSmsSource* source, hwError* error) {
    double time;
    if (source->channelCount != output->channelCount) {
        return hwSceneFail(error, HW_ERROR_ORDER, 0, 0,
                           "the world has other channels than when its SMS output was created");
    }
    source->read(source->context, 1, &output->timeChannel, &time);
    for (int i = 0; i < output->fileCount; i++) {
        SmsFile* file = &output->files[i];
        double* v = file->values;
        source->read(source->context, file->count, file->channels, v);
        if (file->angles > 0) {
            const double* rpy = v + file->angles;
            hwVec3 rates = hwSms_EulerRates(hwMakeVec3(rpy[0], rpy[1], rpy[2]), hwMakeVec3(v[3], v[4], v[5]));
            v[3] = rates.x;
            v[4] = rates.y;
            v[5] = rates.z;
        }
        PutNumber(file->stream, time);
        for (int j = 0; j < file->count; j++) {
            fputc(' ', file->stream);
            PutNumber(file->stream, v[j]);
        }
        fputc('\n', file->stream);
        if (ferror(file->stream))
            return hwResultsFail_System(error, errno != 0 ? errno : EIO, "write", file->path);
    }
    return HW_OK;
}

hwStatus hwDestroySmsOutput(hwSmsOutput* output, hwError* error) {
    if (output == NULL) return HW_OK;
    hwStatus status = HW_OK;
    for (int i = 0; i < output->fileCount; i++) {
        SmsFile* file = &output->files[i];
        if (file->stream != NULL && fclose(file->stream) != 0 && status == HW_OK) {
            status = hwResultsFail_System(error, errno, "write", file->path);
        }
        free(file->path);
        free(file->channels);
        free(file->values);
    }
    free(output->files);
    free(output->sorted);
    free(output->folder);
    free(output);
    return status;
}

// From a world -----------------------------------------------------------------------------------------------------

static const char* WorldName(const void* context, int channel) {
    return hwWorld_GetChannel(context, channel).name;
}

static void WorldRead(const void* context, int count, const int* channels, double* values) {
    hwWorld_ReadChannels(context, count, channels, values);
}

static hwSmsSource FromWorld(const hwWorld* world) {
    return (hwSmsSource){hwWorld_GetChannelCount(world), WorldName, WorldRead, world};
}

hwSmsOutput* hwCreateSmsOutput(const hwWorld* world, const hwScene* scene, const char* folder,
                               hwError* error) {
    hwSmsSource source = FromWorld(world);
    return hwCreateSmsOutput_From(&source, scene, folder, error);
}

hwStatus hwSmsOutput_Write(hwSmsOutput* output, const hwWorld* world, hwError* error) {
    hwSmsSource source = FromWorld(world);
    return hwSmsOutput_WriteFrom(output, &source, error);
}
